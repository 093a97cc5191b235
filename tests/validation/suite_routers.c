/* The calibration of router-queueing: fitted to the networks of routers.csv and of
 * router_training.csv (written by validate_routers.c), all drawn at random over all keys. */
#include "suite_routers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "studies/run.h"
#include "tree_fit.h"

enum { FOLDS = 5, LINE = 2048 };

/* The widest half width, as a share of what the latency has beyond the empty network's. */
static const double widest_excess = 0.3;

/* ---- networks ---- */

static void take_entry(const suite_entry *entry, router_case *made) {
    *made = (router_case){.saturation = entry->saturation.simulated,
                          .saturation_half = entry->saturation.half_width};
    snprintf(made->network, sizeof made->network, "%s", entry->network);
    snprintf(made->traffic, sizeof made->traffic, "%s", entry->traffic);
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_point *from = &entry->points[i];
        if (from->done && made->count < ROUTER_LOADS)
            made->points[made->count++] =
                (router_point){from->rate, from->metrics[0].simulated, from->metrics[0].half_width,
                               from->metrics[1].simulated, from->metrics[1].half_width};
    }
}

static char *next_field(char **at) {
    char *field = *at;
    const bool quoted = *field == '"';
    field += quoted;
    char *end = strpbrk(field, quoted ? "\"" : ",\n");
    if (!end)
        return field;
    *end++ = '\0';
    *at = end + (quoted && *end == ',');
    return field;
}

static void take_line(char *line, router_case *made) {
    *made = (router_case){.count = 4};
    snprintf(made->network, sizeof made->network, "%.319s", next_field(&line));
    snprintf(made->traffic, sizeof made->traffic, "%.319s", next_field(&line));
    made->saturation = strtod(next_field(&line), NULL);
    made->saturation_half = strtod(next_field(&line), NULL);
    for (size_t i = 0; i < made->count; ++i) {
        double *numbers[] = {&made->points[i].rate, &made->points[i].latency,
                             &made->points[i].latency_half, &made->points[i].p99,
                             &made->points[i].p99_half};
        for (size_t k = 0; k < 5; ++k)
            *numbers[k] = strtod(next_field(&line), NULL);
    }
}

static size_t read_cases(const char *directory, const char *name, router_case *list, size_t room) {
    char path[1024], line[LINE];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    FILE *stream = fopen(path, "r");
    while (stream && count < room && fgets(line, sizeof line, stream))
        if (line[0] == '"')
            take_line(line, &list[count++]);
    if (stream)
        fclose(stream);
    return count;
}

size_t router_cases_of(const suite *s, bool held_out, router_case *list, size_t room) {
    size_t count = 0;
    for (size_t e = 0; e < s->count && count < room; ++e)
        if (s->entries[e].held_out == held_out)
            take_entry(&s->entries[e], &list[count++]);
    return count;
}

fc_scenario *router_case_scenario(const router_case *at, double rate) {
    char text[1024];
    const int length = snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s, rate: %.9g}\n",
                                at->network, at->traffic, rate);
    fc_scenario *scenario;
    return fc_scenario_read_text(text, (size_t)length, "case", NULL, 0, NULL, &scenario) == FC_OK
               ? scenario
               : NULL;
}

/* ---- what the model says ---- */

/* A simulated case, and what its calibration starts from. */
typedef struct lesson {
    bool usable, tail_usable, is_saturation;
    fc_calibration_input input;
    double shift, variance; /* t */
    double tail, tail_variance;
    double tail_alone; /* of the model, over the empty network's latency */
    double fraction, simulated, p99;
} lesson;

enum { LESSONS = ROUTER_LOADS + 1 };

typedef struct class_room {
    const fc_model *model;
    const router_case *cases;
    lesson (*lessons)[LESSONS];
} class_room;

static bool ask(const fc_model *model, const router_case *at, double rate, lesson *made) {
    fc_scenario *scenario = router_case_scenario(at, rate);
    fc_error error;
    bool usable = false;
    if (!scenario)
        return false;
    fc_result *result = fc_result_create(&model->info, scenario);
    if (!result ||
        fc_calibration_solve(model, scenario, rate, &error, result, &made->input, &usable) != FC_OK)
        suite_stop(at->network, error.text);
    const fc_metric *tail = fc_result_metric(result, "latency_p99");
    made->tail_alone = usable && tail ? tail->value - made->input.empty : (double)NAN;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return usable;
}

static void learn_point(const fc_model *model, const router_case *at, const router_point *point,
                        lesson *made) {
    *made = (lesson){
        .fraction = point->rate / at->saturation, .simulated = point->latency, .p99 = point->p99};
    if (!(point->latency > 0) || point->latency_half > suite_widest * point->latency ||
        !ask(model, at, point->rate, made))
        return;
    const double excess = point->latency - made->input.empty;
    if (!(excess > 0) || point->latency_half > widest_excess * excess)
        return;
    double derivative;
    made->usable = true;
    made->shift =
        fc_calibration_shift(made->input.values[0], excess / made->input.excess, &derivative);
    const double deviation = point->latency_half / 1.96 / excess * derivative;
    made->variance = deviation * deviation;
    const double tail = point->p99 - made->input.empty;
    if (!(tail > 0) || !(made->tail_alone > 0) || !(point->p99_half < 0.5 * tail))
        return;
    made->tail_usable = true;
    made->tail = log(tail / excess) - log(made->tail_alone / made->input.excess);
    const double uncertain = point->p99_half / 1.96 / tail + 0.5 / tail; /* whole cycles */
    made->tail_variance = uncertain * uncertain;
}

/* The model's saturation load against the simulated one is a shift too: that just below the
 * model's. */
static void learn_saturation(const fc_model *model, const router_case *at, lesson *made) {
    fc_error error;
    double limit;
    fc_scenario *scenario = router_case_scenario(at, 1e-4);
    *made = (lesson){.is_saturation = true};
    if (!scenario || model->saturation(scenario, &error, &limit) != FC_OK)
        suite_stop(at->network, error.text);
    fc_scenario_free(scenario);
    if (!isfinite(limit) || !(at->saturation > 0) ||
        !ask(model, at, fc_calibration_near_limit * limit, made))
        return;
    made->usable = true;
    made->simulated = at->saturation / limit;
    made->shift = log(limit / at->saturation);
    const double deviation = at->saturation_half / at->saturation;
    made->variance = deviation * deviation;
}

static fc_status learn_one(void *context, size_t index) {
    class_room *room = context;
    const router_case *at = &room->cases[index];
    learn_saturation(room->model, at, &room->lessons[index][0]);
    for (size_t i = 0; i < at->count; ++i)
        learn_point(room->model, at, &at->points[i], &room->lessons[index][1 + i]);
    return FC_OK;
}

/* ---- the fit ---- */

/* Of t: what its inputs do not tell, about; and the largest one learned. */
static const double unexplained = 0.02, tail_unexplained = 0.02, shift_most = 0.4;
static const double bands[FC_CALIBRATION_BANDS] = {0.2, 0.4, 0.6, 0.75, 0.88, 1};

static void inputs_of(const lesson *one, double *at) {
    const size_t inputs = fc_calibration_inputs("router-queueing");
    memcpy(at, one->input.values, inputs * sizeof *at);
    at[inputs] = one->is_saturation;
}

/* tail: the shape of the distribution instead of the shift; fold: networks left out; -1: none. */
static tree_data data_of(const class_room *room, size_t count, bool tail, int fold) {
    tree_data data = tree_data_create(count * LESSONS);
    for (size_t n = 0; n < count; ++n)
        for (size_t i = 0; i < LESSONS; ++i) {
            const lesson *one = &room->lessons[n][i];
            if ((fold >= 0 && (int)(n % FOLDS) == fold) || !(tail ? one->tail_usable : one->usable))
                continue;
            const double value = tail ? one->tail : one->shift;
            const double noise = (tail ? one->tail_variance : one->variance) /
                                 ((tail ? tail_unexplained : unexplained));
            inputs_of(one, data.inputs[data.count]);
            data.values[data.count] = fmax(-shift_most, fmin(shift_most, value));
            data.weights[data.count++] = 1 / (1 + noise);
        }
    return data;
}

typedef struct fit {
    const class_room *room;
    size_t count;
    tree_data data[2 * (FOLDS + 1)];
    fitted_trees *trees[2 * (FOLDS + 1)]; /* shift and tail of each fold, then of all */
} fit;

static fc_status fit_one(void *context, size_t index) {
    fit *all = context;
    all->trees[index] = tree_fit(&all->data[index]);
    return FC_OK;
}

/* ---- cross-validation ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Standard deviations that a normal distribution would need for 90 % of the errors of t. */
static void find_deviations(const fit *all, double *deviation) {
    double *errors = calloc(all->count * LESSONS, sizeof *errors);
    if (!errors)
        suite_stop("deviations", "out of memory");
    for (size_t b = 0; b < FC_CALIBRATION_BANDS; ++b) {
        size_t used = 0;
        for (size_t n = 0; n < all->count; ++n)
            for (size_t i = 0; i < LESSONS; ++i) {
                const lesson *one = &all->room->lessons[n][i];
                const double r = one->input.values[0];
                double at[TREE_INPUTS];
                if (!one->usable || one->is_saturation || r > bands[b] ||
                    (b > 0 && r <= bands[b - 1]))
                    continue;
                inputs_of(one, at);
                const fc_boosted_trees *trees = &all->trees[2 * (n % FOLDS)]->trees;
                errors[used++] = fabs(fc_boosted_value(trees, at) - one->shift);
            }
        qsort(errors, used, sizeof *errors, by_size);
        deviation[b] = used ? fmax(0.01, errors[used * 9 / 10] / 1.645) : 0.1;
    }
    free(errors);
}

typedef struct sums {
    size_t cases, held, tails;
    double alone, calibrated, tail_alone, tail;
} sums;

static void check_one(const lesson *one, const fc_boosted_trees *shift,
                      const fc_boosted_trees *shape, const fc_calibration_trees *trees, sums *to) {
    double at[TREE_INPUTS];
    inputs_of(one, at);
    const double t = fc_boosted_value(shift, at), model = one->input.excess;
    const double empty = one->input.empty;
    ++to->cases;
    if (one->is_saturation) {
        to->alone += fabs(1 / one->simulated - 1);
        to->calibrated += fabs(exp(-t) / one->simulated - 1);
        return;
    }
    const double deviation = fc_calibration_deviation(trees, at[0]);
    const fc_calibrated_excess excess = fc_calibration_forecast(&one->input, t, deviation);
    to->alone += fabs((empty + model) / one->simulated - 1);
    to->calibrated += fabs((empty + model * excess.stretch) / one->simulated - 1);
    to->held += one->simulated >= (empty + model * excess.low) * 0.99 &&
                one->simulated <= (empty + model * excess.high) * 1.01;
    if (one->tail_usable) {
        const double tail = one->tail_alone * excess.stretch * exp(fc_boosted_value(shape, at));
        ++to->tails;
        to->tail_alone += fabs((empty + one->tail_alone) / one->p99 - 1);
        to->tail += fabs((empty + tail) / one->p99 - 1);
    }
}

/* What the fit expects on networks that it has not seen: each fifth left out in turn. */
static void cross_validate(const fit *all, const fc_calibration_trees *trees) {
    static const double loads[] = {0.4, 0.7, 0.85, 2};
    static const char *const names[] = {"15-40 %", "40-70 %", "70-85 %", "85-95 %", "saturation"};
    sums sum[5] = {{0}};
    for (size_t n = 0; n < all->count; ++n)
        for (size_t i = 0; i < LESSONS; ++i) {
            const lesson *one = &all->room->lessons[n][i];
            size_t bin = 0;
            while (!one->is_saturation && bin < 3 && one->fraction > loads[bin])
                ++bin;
            if (one->usable)
                check_one(one, &all->trees[2 * (n % FOLDS)]->trees,
                          &all->trees[2 * (n % FOLDS) + 1]->trees, trees,
                          &sum[one->is_saturation ? 4 : bin]);
        }
    for (size_t b = 0; b < 5; ++b) {
        const double c = (double)sum[b].cases, t = sum[b].tails ? (double)sum[b].tails : 1;
        fprintf(stderr,
                "%-10s %5zu cases: %.2f -> %.2f %%, interval holds %.2f; p99 %.1f -> %.1f %%\n",
                names[b], sum[b].cases, 100 * sum[b].alone / c, 100 * sum[b].calibrated / c,
                (double)sum[b].held / c, 100 * sum[b].tail_alone / t, 100 * sum[b].tail / t);
    }
}

/* ---- the source file ---- */

static void put_trees(FILE *stream, const char *name, const fitted_trees *trees) {
    fprintf(stream, "\nstatic const uint32_t %s_roots[] = {", name);
    for (size_t t = 0; t < TREE_COUNT; ++t)
        fprintf(stream, "%s%u,", t % 12 ? " " : "\n    ", (unsigned)trees->roots[t]);
    fprintf(stream, "\n};\n\nstatic const fc_tree_node %s_nodes[] = {", name);
    for (size_t i = 0; i < trees->used; ++i) {
        const fc_tree_node *node = &trees->nodes[i];
        fprintf(stream, "%s{%d, %u, %.*gF},", i % 5 ? " " : "\n    ", node->input,
                (unsigned)node->right, node->input < 0 ? 4 : 9, (double)node->value);
    }
    fprintf(stream, "\n};\n");
}

static void put_range(FILE *stream, const char *name, const double *values, size_t count) {
    fprintf(stream, "\nstatic const double %s[] = {", name);
    for (size_t i = 0; i < count; ++i)
        fprintf(stream, "%s%.6g,", i % 8 ? " " : "\n    ", values[i]);
    fprintf(stream, "\n};\n");
}

static void write_source(const fit *all, const fc_calibration_trees *trees, FILE *stream) {
    const size_t inputs = fc_calibration_inputs("router-queueing");
    const tree_data *data = &all->data[2 * FOLDS];
    double low[TREE_INPUTS], high[TREE_INPUTS];
    for (size_t k = 0; k < inputs; ++k) {
        low[k] = high[k] = data->inputs[0][k];
        for (size_t i = 0; i < data->count; ++i) {
            low[k] = fmin(low[k], data->inputs[i][k]);
            high[k] = fmax(high[k], data->inputs[i][k]);
        }
    }
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_calibration.c from "
                    "docs/validation/routers.csv and router_training.csv: not to be edited. */\n"
                    "#include \"registry/calibration.h\"\n");
    put_trees(stream, "shift", all->trees[2 * FOLDS]);
    put_trees(stream, "tail", all->trees[2 * FOLDS + 1]);
    put_range(stream, "low", low, inputs);
    put_range(stream, "high", high, inputs);
    fprintf(stream, "\nstatic const fc_calibration_trees trees = {\n");
    fprintf(stream,
            "    {%.7g, %d, shift_roots, shift_nodes},\n    {%.7g, %d, tail_roots, "
            "tail_nodes},\n    low, high,\n    {",
            all->trees[2 * FOLDS]->trees.base, TREE_COUNT, all->trees[2 * FOLDS + 1]->trees.base,
            TREE_COUNT);
    for (size_t b = 0; b < FC_CALIBRATION_BANDS; ++b)
        fprintf(stream, "%s%g", b ? ", " : "", trees->band[b]);
    fprintf(stream, "},\n    {");
    for (size_t b = 0; b < FC_CALIBRATION_BANDS; ++b)
        fprintf(stream, "%s%.4g", b ? ", " : "", trees->deviation[b]);
    fprintf(stream,
            "},\n};\n\nconst fc_calibration_points fc_router_calibration = {\n"
            "    .model = \"router-queueing\", .networks = %zu, .cases = %zu, "
            ".trees = &trees};\n",
            all->count, data->count);
}

void suite_write_router_calibration(const suite *s, const char *directory, FILE *stream) {
    router_case *cases = calloc(ROUTER_CASES, sizeof *cases);
    lesson(*lessons)[LESSONS] = calloc(ROUTER_CASES, sizeof *lessons);
    const fc_model *model = fc_model_find(s->design->models[0], NULL);
    if (!cases || !lessons || !model)
        suite_stop(s->design->name, "out of memory");
    size_t count = router_cases_of(s, false, cases, ROUTER_CASES);
    count += read_cases(directory, "router_training", cases + count, ROUTER_CASES - count);
    class_room room = {model, cases, lessons};
    fc_pool_run(NULL, NULL, count, learn_one, &room);
    fit all = {.room = &room, .count = count};
    for (int fold = 0; fold <= FOLDS; ++fold)
        for (int tail = 0; tail < 2; ++tail)
            all.data[2 * fold + tail] = data_of(&room, count, tail, fold < FOLDS ? fold : -1);
    fc_pool_run(NULL, NULL, 2 * (FOLDS + 1), fit_one, &all);
    fc_calibration_trees trees = {.band = {0}};
    memcpy(trees.band, bands, sizeof bands);
    find_deviations(&all, trees.deviation);
    cross_validate(&all, &trees);
    write_source(&all, &trees, stream);
    for (size_t i = 0; i < 2 * (FOLDS + 1); ++i) {
        tree_data_free(&all.data[i]);
        free(all.trees[i]);
    }
    free(cases);
    free(lessons);
}
