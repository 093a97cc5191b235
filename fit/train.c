/* Fits a model's correction to simulated networks.
 *
 *     fit/train DATASET WEIGHTS [--members 2] [--width 48] [--rounds 5] [--passes 100 | --seconds
 * S]
 *               [--seed 1] [--threads N] [--batch 128] [--rate 0.004] [--decay 0.1] [--drop 0.05]
 * [--folds 0]
 *               [--average 0] [--report 8] [--reach 1]
 *
 * The members differ in their seeds. --with FILE takes the first of them from a file that was
 * fitted with the same options and fewer members; --from FILE starts them from those of a file
 * instead of random ones, whatever it was fitted to. A member's weights are averaged over so many
 * passes. Errors are printed of networks that the dataset
 * leaves out; with --folds N also of each Nth of the others, forecast by members that have not seen
 * it: then the intervals come from these. Those of latencies are made --reach times as wide, where
 * networks drawn otherwise need it (docs/validation/audit.md). The same dataset and options make
 * the same file, byte by byte, on any machine and with any number of threads, unless --seconds is
 * given. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fit/descent.h"
#include "fit/score.h"
#include "fit/weights_file.h"
#include "forecast/learned_curve.h"
#include "forecast/learned_weights.h"

typedef struct options {
    const char *dataset, *weights;
    const char *with; /* NULL, or a file whose members come first */
    const char *from; /* NULL, or a file whose members these start from */
    double reach;
    size_t members, width, rounds, threads, folds;
    fit_settings settings;
    char command[512];
} options;

typedef struct training {
    const options *given;
    fit_dataset data;
    fit_team *team;
    fit_forecast *forecasts;
    float factors[FC_KNOTS + 1];
} training;

static void stop(const char *text) {
    fprintf(stderr, "train: %s\n", text);
    exit(1);
}

static void *room(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made)
        stop("out of memory");
    return made;
}

/* ---- options ---- */

static bool read_option(const char *name, const char *value, options *to) {
    const struct {
        const char *name;
        size_t *whole;
        double *number;
    } known[] = {{"--members", &to->members, NULL},
                 {"--width", &to->width, NULL},
                 {"--rounds", &to->rounds, NULL},
                 {"--threads", &to->threads, NULL},
                 {"--folds", &to->folds, NULL},
                 {"--passes", &to->settings.passes, NULL},
                 {"--batch", &to->settings.batch, NULL},
                 {"--report", &to->settings.report_every, NULL},
                 {"--seconds", NULL, &to->settings.seconds},
                 {"--rate", NULL, &to->settings.rate},
                 {"--drop", NULL, &to->settings.drop},
                 {"--average", NULL, &to->settings.average},
                 {"--reach", NULL, &to->reach},
                 {"--decay", NULL, &to->settings.decay}};
    char *end;
    if (strcmp(name, "--with") == 0) {
        to->with = value;
        return true;
    }
    if (strcmp(name, "--from") == 0) {
        to->from = value;
        return true;
    }
    if (strcmp(name, "--seed") == 0) {
        to->settings.seed = (unsigned)strtoul(value, &end, 10);
        return !*end;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(name, known[i].name) == 0) {
            if (known[i].whole)
                *known[i].whole = strtoul(value, &end, 10);
            else
                *known[i].number = strtod(value, &end);
            return !*end;
        }
    return false;
}

static options read_options(int argc, char **argv) {
    options o = {.members = 2,
                 .width = 48,
                 .rounds = 5,
                 .threads = (size_t)sysconf(_SC_NPROCESSORS_ONLN),
                 .reach = 1,
                 .settings = {.passes = 100,
                              .batch = 128,
                              .rate = 4e-3,
                              .decay = 0.1,
                              .drop = 0.05,
                              .seed = 1,
                              .report_every = 8}};
    bool valid = argc >= 3 && argc % 2 == 1;
    for (int i = 3; i + 1 < argc && valid; i += 2)
        valid = read_option(argv[i], argv[i + 1], &o);
    if (!valid || o.members < 1 || o.members > 8 || o.width % 8 || o.width > FC_WIDTH_MOST ||
        o.rounds > FC_ROUNDS_MOST || o.threads < 1 || !(o.reach > 0) || o.settings.batch < 1)
        stop("usage: train DATASET WEIGHTS [--OPTION VALUE]...; fit/train.c lists the options");
    o.dataset = argv[1];
    o.weights = argv[2];
    return o;
}

/* How to make the same file again. */
static void write_command(options *o) {
    const char *name = strrchr(o->dataset, '/') ? strrchr(o->dataset, '/') + 1 : o->dataset;
    char reach[40] = "";
    if (o->reach != 1)
        snprintf(reach, sizeof reach, " --reach %g", o->reach);
    snprintf(
        o->command, sizeof o->command,
        "fit/train %.100s --members %zu --width %zu --rounds %zu --passes %zu --seed %u "
        "--batch %zu --rate %g --decay %g --drop %g --average %g --folds %zu%s%s%.100s%s%.100s%s",
        name, o->members, o->width, o->rounds, o->settings.passes, o->settings.seed,
        o->settings.batch, o->settings.rate, o->settings.decay, o->settings.drop,
        o->settings.average, o->folds, o->settings.seconds > 0 ? " --seconds" : "",
        o->from ? " --from " : "", o->from ? o->from : "", o->with ? " --with " : "",
        o->with ? o->with : "", reach);
}

/* ---- one fit ---- */

typedef struct fitting {
    training *all;
    const fit_lessons *lessons;
    const bool *left_out, *scored;
    size_t member;
} fitting;

static char *image_of(const fitting *f, const float *weights, size_t members, size_t *size) {
    fit_fitted fitted = {.lessons = f->lessons,
                         .members = members,
                         .weights = weights,
                         .command = f->all->given->command};
    memcpy(fitted.spread_factors, f->all->factors, sizeof fitted.spread_factors);
    fitted.reach = f->all->given->reach;
    for (size_t i = 0; i < f->lessons->count; ++i) {
        const fit_network *n = &f->lessons->list[i].record->network;
        fitted.networks += !f->left_out[i];
        fitted.cases += f->left_out[i] ? 0 : n->load_count + (n->value_count > 0);
    }
    char *image = fit_weights_image(&fitted, size);
    if (!image)
        stop("out of memory");
    return image;
}

static void forecast(const fitting *f, const float *weights, size_t members,
                     fit_forecast *forecasts) {
    size_t size;
    char *image = image_of(f, weights, members, &size);
    fc_weights *read;
    fc_error error;
    if (fc_weights_read(image, size, "what was fitted", &error, &read) != FC_OK)
        stop(error.text);
    fit_forecast_some(&f->all->data, f->scored, read, f->all->team, forecasts);
    fc_weights_free(read);
    free(image);
}

static void report(void *context, const float *weights, size_t pass, double loss, double seconds) {
    const fitting *f = context;
    fit_forecast *forecasts = room(f->all->data.count, sizeof *forecasts);
    forecast(f, weights, 1, forecasts);
    printf("member %zu, pass %zu, %.0f s, loss %.4f", f->member, pass, seconds, loss);
    fit_score_line(&f->all->data, forecasts, stdout);
    free(forecasts);
}

/* A file that was fitted with the same inputs and sizes. data: to be freed after the weights. */
static fc_weights *read_weights(const char *path, const fit_lessons *lessons, char **data) {
    FILE *from = fopen(path, "rb");
    fc_weights *read;
    fc_error error;
    *data = room(1 << 26, 1);
    const size_t size = from ? fread(*data, 1, 1 << 26, from) : 0;
    if (size == 0)
        stop("the file of --with or --from cannot be read");
    fclose(from);
    if (fc_weights_read(*data, size, path, &error, &read) != FC_OK)
        stop(error.text);
    if (lessons && memcmp(&read->shape, &lessons->shape, sizeof read->shape) != 0)
        stop("the members of --with or --from are of another size");
    return read;
}

/* A member of --from. Inputs of the whole network that the file lacks, the last ones, count nothing
 * at first. */
static void take_member(const fc_weights *from, size_t member, const fit_lessons *lessons,
                        float *weights) {
    const fc_learned_shape *had = &from->shape, *has = &lessons->shape;
    const fc_learned_layout *a = &from->layout, b = fc_learned_layout_of(has);
    const float *old = from->floats + member * a->count;
    if (had->width != has->width || had->rounds != has->rounds || had->lane != has->lane ||
        had->movement != has->movement || had->whole > has->whole || had->values != has->values)
        stop("the members of --from are of another size");
    memset(weights, 0, b.count * sizeof *weights);
    memcpy(weights + b.lane, old + a->lane, (a->first_bias - a->lane) * sizeof *old);
    memcpy(weights + b.first_bias, old + a->first_bias,
           (a->tail_bias - a->first_bias) * sizeof *old);
    memcpy(weights + b.tail_bias, old + a->tail_bias, (a->count - a->tail_bias) * sizeof *old);
}

/* The members of a file that scales its inputs like these. Returns how many there are. */
static size_t read_members(const char *path, const fit_lessons *lessons, float *weights,
                           size_t most) {
    char *data;
    fc_weights *read = read_weights(path, lessons, &data);
    const size_t inputs = lessons->shape.whole + lessons->shape.lane + lessons->shape.movement;
    bool same = read->members <= most;
    for (size_t i = 0; i < inputs; ++i) /* their range may have grown */
        same &= read->norms.whole[i].mean == lessons->norms[i].mean &&
                read->norms.whole[i].scale == lessons->norms[i].scale;
    if (!same)
        stop("the members of --with are too many, or scale their inputs in another way");
    const size_t members = read->members;
    memcpy(weights, read->floats, members * read->layout.count * sizeof *weights);
    fc_weights_free(read);
    free(data);
    return members;
}

/* Fits all members to what is not left out, and forecasts what is scored. The weights are to be
 * freed. */
static float *fit_members(training *all, const bool *left_out, const bool *scored,
                          fit_lessons *lessons) {
    const options *o = all->given;
    const fc_learned_shape shape = {.width = o->width, .rounds = o->rounds};
    char *data = NULL;
    const char *like = o->from ? o->from : o->with;
    fc_weights *from = like ? read_weights(like, NULL, &data) : NULL;
    if (!fit_lessons_create(&all->data, left_out, all->team, shape, from, lessons))
        stop("out of memory");
    const size_t count = fc_learned_layout_of(&lessons->shape).count;
    float *weights = room(o->members * count, sizeof *weights);
    fitting f = {.all = all, .lessons = lessons, .left_out = left_out, .scored = scored};
    if (o->with)
        f.member = read_members(o->with, lessons, weights, o->members);
    for (; f.member < o->members; ++f.member) {
        fit_settings settings = o->settings;
        settings.seed += (unsigned)f.member;
        settings.goes_on = o->from != NULL;
        if (o->from)
            take_member(from, f.member % from->members, lessons, weights + f.member * count);
        if (!fit_descend(lessons, left_out, &settings, all->team, report, &f,
                         weights + f.member * count))
            stop("out of memory");
    }
    forecast(&f, weights, o->members, all->forecasts);
    fc_weights_free(from);
    free(data);
    return weights;
}

/* ---- all ---- */

static bool in_fold(const fit_record *r, size_t index, size_t fold, size_t folds) {
    return (r->network.number ? r->network.number : index) % folds == fold;
}

static void fit_folds(training *all) {
    const size_t count = all->data.count;
    bool *left_out = room(count, sizeof *left_out), *scored = room(count, sizeof *scored);
    for (size_t fold = 0; fold < all->given->folds; ++fold) {
        for (size_t i = 0; i < count; ++i) {
            const fit_record *r = &all->data.records[i];
            scored[i] = !r->network.left_out && in_fold(r, i, fold, all->given->folds);
            left_out[i] = r->network.left_out || scored[i];
        }
        fit_lessons lessons;
        free(fit_members(all, left_out, scored, &lessons));
        fit_lessons_release(&lessons);
    }
    free(left_out);
    free(scored);
}

static void write_file(const fitting *f, const float *weights) {
    size_t size;
    char *image = image_of(f, weights, f->all->given->members, &size);
    FILE *to = fopen(f->all->given->weights, "wb");
    if (!to || fwrite(image, 1, size, to) != size || fclose(to) != 0)
        stop(strerror(errno));
    free(image);
}

static void fit_all(training *all) {
    const size_t count = all->data.count;
    bool *left_out = room(count, sizeof *left_out);
    for (size_t i = 0; i < count; ++i)
        left_out[i] = all->data.records[i].network.left_out;
    fit_lessons lessons;
    float *weights = fit_members(all, left_out, left_out, &lessons);
    const fitting f = {.all = all, .lessons = &lessons, .left_out = left_out, .scored = left_out};
    fit_score_factors(&all->data, all->forecasts, all->factors);
    for (size_t i = 0; i < count; ++i) { /* with the factors, of which forecasts had none */
        fc_learned_curve *curve = &all->forecasts[i].curve;
        fc_learned_values *values = &all->forecasts[i].values;
        for (size_t k = 0; k < FC_KNOTS; ++k)
            curve->spread[k] *= (double)all->factors[k];
        curve->saturation_spread *= (double)all->factors[FC_KNOTS];
        fc_learned_curve_expect(curve);
        for (size_t v = 0; v < values->count; ++v)
            values->spread[v] *= (double)all->factors[v];
    }
    write_file(&f, weights);
    printf("factors of the spreads:");
    for (size_t k = 0; k <= FC_KNOTS; ++k)
        printf(" %.2f", (double)all->factors[k]);
    putchar('\n');
    fit_score_table(&all->data, all->forecasts, stdout);
    free(weights);
    fit_lessons_release(&lessons);
    free(left_out);
}

int main(int argc, char **argv) {
    options given = read_options(argc, argv);
    training all = {.given = &given};
    char text[256];
    if (!fit_dataset_read(given.dataset, &all.data, text))
        stop(text);
    if (all.data.count == 0)
        stop("the dataset has no networks");
    if (all.data.records->traits.movement_count == 0)
        given.rounds = 0; /* nothing to hear of */
    write_command(&given);
    all.team = fit_team_create(given.threads);
    if (!all.team)
        stop("threads cannot be started");
    all.forecasts = room(all.data.count, sizeof *all.forecasts);
    for (size_t k = 0; k <= FC_KNOTS; ++k)
        all.factors[k] = 1;
    printf("%zu networks, %zu threads\n", all.data.count, given.threads);
    if (given.folds > 1)
        fit_folds(&all);
    fit_all(&all);
    free(all.forecasts);
    fit_team_free(all.team);
    fit_dataset_release(&all.data);
    return 0;
}
