/* The data of the calibrations that the library carries: fitted to the networks that were simulated
 * for it, all of the grids and those of the random part that are not held out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "fit_write.h"
#include "perceptron_fit.h"
#include "registry/calibration.h"
#include "studies/run.h"
#include "suite.h"
#include "tree_fit.h"

enum { FOLDS = 5, COLUMNS = FC_CALIBRATION_INPUTS }; /* those that a model lacks are 0 */

/* Networks of routers, tori and meshes have forecasts instead (fit_routers.py, suite_tori.c). */
static bool is_learned_here(const suite *s) {
    return fc_calibration_inputs(s->design->models[0]) > 0;
}

/* A simulated case, and what its calibration starts from. */
typedef struct learned {
    const suite_entry *entry;
    const suite_point *point; /* NULL: the saturation load */
    fc_calibration_input input;
    double shift, variance;
} learned;

typedef struct lesson {
    learned *list;
    size_t count, networks;
} lesson;

/* The widest half width, as a share of what the latency has beyond the empty network's. */
static const double widest_excess = 0.3;

/* What a calibration of the model is asked with at a load; false: nothing to calibrate. */
static bool read_input(const suite *s, const suite_entry *entry, const fc_model *model, double rate,
                       fc_calibration_input *input) {
    fc_scenario *scenario = suite_scenario(s, entry, rate);
    fc_result *result = fc_result_create(&model->info, scenario);
    fc_error error;
    bool usable = false;
    if (!result ||
        fc_calibration_solve(model, scenario, rate, &error, result, input, &usable) != FC_OK)
        suite_stop(entry->network, error.text);
    fc_result_free(result);
    fc_scenario_free(scenario);
    return usable;
}

static bool learn_from(const suite *s, const suite_entry *entry, const suite_point *point,
                       const fc_model *model, learned *made) {
    const suite_value *value = &point->metrics[0];
    if (!point->done || !suite_counts(entry, value, 0))
        return false;
    const bool usable = read_input(s, entry, model, point->rate, &made->input);
    const double excess = usable ? value->simulated - made->input.empty : 0;
    if (!(excess > 0) || value->half_width > widest_excess * excess)
        return false;
    double derivative;
    made->entry = entry;
    made->point = point;
    made->shift =
        fc_calibration_shift(made->input.values[0], excess / made->input.excess, &derivative);
    const double deviation = value->half_width / 1.96 / excess * derivative;
    made->variance = deviation * deviation;
    return true;
}

/* The simulated saturation load: searched for, or else between the highest load that settled and
 * the lowest that did not. False: neither is known. */
static bool find_limit(const suite_entry *entry, double *load, double *deviation) {
    /* what a search of moderate runs is uncertain by beside its bracket */
    static const double search = 0.01;
    double low = 0, high = INFINITY;
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_point *point = &entry->points[i];
        if (point->done && isnan(point->metrics[0].simulated))
            high = fmin(high, point->rate);
        else if (point->done && !isnan(point->rate))
            low = fmax(low, point->rate);
    }
    *load = entry->saturation.simulated;
    *deviation = hypot(entry->saturation.half_width / *load, search);
    if (*load > 0 && isfinite(*load))
        return true;
    *load = sqrt(low * high);
    *deviation = log(high / low) / sqrt(12);
    return entry->random && low > 0 && isfinite(high);
}

/* The model's saturation load against the simulated one is a shift too: that just below the
 * model's. */
static bool learn_saturation(const suite *s, const suite_entry *entry, const fc_model *model,
                             learned *made) {
    const double limit = entry->saturation.predicted[0];
    double simulated, deviation;
    if (!isfinite(limit) || !find_limit(entry, &simulated, &deviation))
        return false;
    const bool usable =
        read_input(s, entry, model, fc_calibration_near_limit * limit, &made->input);
    made->entry = entry;
    made->point = NULL;
    made->shift = log(limit / simulated);
    made->variance = deviation * deviation;
    return usable;
}

/* What a process is fitted to. */
typedef enum subject { LATENCIES = 1, LIMITS = 2 } subject;

typedef struct class_room {
    const suite *s;
    const fc_model *model;
    subject of;
    learned (*list)[SUITE_POINTS + 1]; /* of each entry */
    size_t *counts;
} class_room;

static fc_status learn_entry(void *context, size_t index) {
    class_room *room = context;
    const suite_entry *entry = &room->s->entries[index];
    learned *list = room->list[index];
    size_t count = 0;
    if (entry->held_out && entry->random)
        return FC_OK;
    if (room->of & LIMITS)
        count += learn_saturation(room->s, entry, room->model, &list[count]);
    for (size_t i = 0; i < entry->point_count && (room->of & LATENCIES); ++i)
        count += learn_from(room->s, entry, &entry->points[i], room->model, &list[count]);
    room->counts[index] = count;
    return FC_OK;
}

static lesson learn(const suite *s, subject of) {
    class_room room = {s, fc_model_find(s->design->models[0], NULL), of,
                       calloc(s->count, sizeof *room.list), calloc(s->count, sizeof *room.counts)};
    if (!room.list || !room.counts || !room.model)
        suite_stop(s->design->name, "out of memory");
    fc_pool_run(NULL, NULL, s->count, learn_entry, &room);
    lesson all = {(learned *)room.list, 0, 0}; /* moved together */
    for (size_t e = 0; e < s->count; ++e) {
        memmove(all.list + all.count, room.list[e], room.counts[e] * sizeof *all.list);
        all.count += room.counts[e];
        all.networks += room.counts[e] > 0;
    }
    free(room.counts);
    return all;
}

/* ---- the fit ---- */

/* Of t: about what its inputs do not tell, the largest one learned, and about its size. */
static const double unexplained = 0.02, shift_most = 1, shift_unit = 0.1;
/* Errors of t that are smaller count as this one. */
static const double error_least = 0.002;
/* Of a normal variable: the mean of log |x / standard deviation|. */
static const double mean_log = -0.635;

/* Bands of r, the load over that at which the model's curve ends. */
enum { BANDS = 5 };
static const double bands_up_to[BANDS] = {0.3, 0.5, 0.65, 0.8, 1};

/* Perceptrons and trees of the shift, trees of its spread; the last are fitted to all networks,
 * fold f to those that are not of that fifth. */
typedef struct fit {
    const suite *s;
    const lesson *all;
    subject of;
    double *errors; /* of t, by those that have not seen the network */
    fitted_perceptrons *perceptrons[FOLDS + 1];
    fitted_trees *shift[FOLDS + 1], *spread[FOLDS + 1];
    double moves[BANDS]; /* of the logarithms that the spread is fitted to, by band of r */
} fit;

static size_t fold_of(const fit *f, size_t i) {
    return (size_t)(f->all->list[i].entry - f->s->entries) % FOLDS;
}

static size_t band_of(const fit *f, size_t i) {
    size_t band = 0;
    while (band < BANDS - 1 && f->all->list[i].input.values[0] > bands_up_to[band])
        ++band;
    return band;
}

/* t at an input, by what was fitted without a fold. */
static double shift_without(const fit *f, size_t fold, const double *at) {
    return fc_shift_value(&f->perceptrons[fold]->mean, &f->shift[fold]->trees, at);
}

static tree_data data_of(const fit *f, size_t fold, bool spread) {
    const double variance = unexplained * unexplained;
    tree_data data = tree_data_create(f->all->count);
    data.inputs_used = fc_calibration_inputs(f->s->design->models[0]);
    for (size_t i = 0; i < f->all->count; ++i) {
        const learned *one = &f->all->list[i];
        if (fold_of(f, i) == fold)
            continue;
        const size_t n = data.count++;
        memcpy(data.inputs[n], one->input.values, COLUMNS * sizeof(double));
        data.values[n] =
            spread ? log(fmax(error_least, fabs(f->errors[i]))) - mean_log + f->moves[band_of(f, i)]
                   : fmax(-shift_most, fmin(shift_most, one->shift));
        data.weights[n] = spread ? 1 : 1 / (1 + one->variance / variance);
    }
    return data;
}

/* Passes over so many data: few data are passed more often. */
static size_t passes_over(size_t count) {
    static const double seen = 6e5, least = 120, most = 500;
    return (size_t)fmax(least, fmin(most, seen / (double)count));
}

static fc_status fit_shift(void *context, size_t fold) {
    fit *f = context;
    tree_data data = data_of(f, fold, false);
    f->shift[fold] = tree_fit_of(&data, 1, 300, 5, 0.1);
    f->perceptrons[fold] = perceptron_fit(&data, shift_unit, passes_over(data.count));
    tree_data_free(&data);
    return FC_OK;
}

static fc_status fit_spread(void *context, size_t fold) {
    fit *f = context;
    tree_data data = data_of(f, fold, true);
    f->spread[fold] = tree_fit_of(&data, 1, 80, 3, 0.08);
    tree_data_free(&data);
    return FC_OK;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Deviations of a case, over that of its spread, which an interval must have to contain the
 * simulated value: beside the error of t it has the share that a simulation is uncertain by. */
static double deviations_needed(const fit *f, size_t i) {
    static const double simulation_share = 0.01;
    const learned *one = &f->all->list[i];
    double error = fabs(f->errors[i]), derivative;
    if (f->of == LIMITS) {
        error = sqrt(fmax(0, error * error - 1.645 * 1.645 * one->variance));
    } else {
        const double r = one->input.values[0], simulated = one->point->metrics[0].simulated;
        fc_calibration_shift(r, (simulated - one->input.empty) / one->input.excess, &derivative);
        error -= simulation_share * simulated / (simulated - one->input.empty) * derivative;
    }
    const double spread =
        exp(fc_boosted_value(&f->spread[fold_of(f, i)]->trees, one->input.values));
    return fmax(error, error_least * 1e-3) / spread;
}

/* Light and heavy loads apart: of each band of the first input, how far (in logarithms) the
 * spreads have to move so that 90 % of the errors are within 1.645 standard deviations. */
static void find_moves(fit *f) {
    const size_t n = f->all->count;
    double *sizes = calloc(n + 1, sizeof *sizes);
    if (!sizes)
        suite_stop(f->s->design->name, "out of memory");
    for (size_t band = 0; band < BANDS; ++band) {
        size_t used = 0;
        for (size_t i = 0; i < n; ++i)
            if (band_of(f, i) == band)
                sizes[used++] = log(deviations_needed(f, i) / 1.645);
        qsort(sizes, used, sizeof *sizes, by_size);
        f->moves[band] += used > 20 ? fmax(-1, fmin(1, sizes[used * 9 / 10])) : 0;
    }
    free(sizes);
}

static void fit_spreads(fit *f) {
    for (size_t fold = 0; fold <= FOLDS; ++fold)
        free(f->spread[fold]);
    fc_pool_run(NULL, NULL, FOLDS + 1, fit_spread, f);
}

static fit *fit_trees(const suite *s, const lesson *all, subject of) {
    fit *f = calloc(1, sizeof *f);
    if (!f || !(f->errors = calloc(all->count + 1, sizeof *f->errors)))
        suite_stop(s->design->name, "out of memory");
    f->s = s;
    f->all = all;
    f->of = of;
    fc_pool_run(NULL, NULL, FOLDS + 1, fit_shift, f);
    for (size_t i = 0; i < all->count; ++i)
        f->errors[i] =
            all->list[i].shift - shift_without(f, fold_of(f, i), all->list[i].input.values);
    fit_spreads(f);
    for (int round = 0; round < 2; ++round) {
        find_moves(f);
        fit_spreads(f);
    }
    return f;
}

static void fit_free(fit *f) {
    for (size_t fold = 0; fold <= FOLDS; ++fold) {
        free(f->perceptrons[fold]);
        free(f->shift[fold]);
        free(f->spread[fold]);
    }
    free(f->errors);
    free(f);
}

/* ---- cross-validation ---- */

typedef struct score {
    size_t cases, held;
    double alone, calibrated, worst_alone, worst;
} score;

/* Of the simulated saturation load, if it was searched for: that is what matters to a forecast. */
static double share_of_saturation(const learned *one) {
    const double limit = one->entry->saturation.simulated;
    return limit > 0 ? one->point->rate / limit : one->point->fraction;
}

static void count_one(const learned *one, double mean, double deviation, score *sums) {
    if (!one->point) {
        const bool found = one->entry->saturation.simulated > 0;
        const double error = fabs(exp(one->shift - mean) - 1);
        sums->cases += found;
        sums->held +=
            found && fabs(one->shift - mean) <= 1.645 * hypot(deviation, sqrt(one->variance));
        sums->alone += found * fabs(exp(one->shift) - 1);
        sums->calibrated += found * error;
        sums->worst_alone = fmax(sums->worst_alone, found * fabs(exp(one->shift) - 1));
        sums->worst = fmax(sums->worst, found * error);
        return;
    }
    const double simulated = one->point->metrics[0].simulated;
    const double empty = one->input.empty, added = one->input.excess;
    const double alone = (empty + added) / simulated - 1;
    const fc_calibrated_excess excess = fc_calibration_shifted(&one->input, mean, deviation);
    const double error = (empty + added * excess.stretch) / simulated - 1;
    ++sums->cases;
    sums->held += simulated >= (empty + added * excess.low) * 0.99 &&
                  simulated <= (empty + added * excess.high) * 1.01;
    sums->alone += fabs(alone);
    sums->calibrated += fabs(error);
    sums->worst_alone = fmax(sums->worst_alone, fabs(alone));
    sums->worst = fmax(sums->worst, fabs(error));
}

enum { LOADS = 5, BINS = LOADS + 1 }; /* the last: the saturation load */
static const double loads_up_to[LOADS] = {0.45, 0.7, 0.85, 0.93, INFINITY};

/* Each fifth of the networks by the trees that were fitted to the others. */
static void leave_out(const fit *f, score sums[2][BINS]) {
    for (size_t i = 0; i < f->all->count; ++i) {
        const learned *one = &f->all->list[i];
        const double *at = one->input.values;
        size_t bin = one->point ? 0 : LOADS;
        while (one->point && share_of_saturation(one) > loads_up_to[bin])
            ++bin;
        count_one(one, shift_without(f, fold_of(f, i), at),
                  exp(fc_boosted_value(&f->spread[fold_of(f, i)]->trees, at)),
                  &sums[one->entry->random][bin]);
    }
}

static void put_score(const suite *s, bool random, size_t bin, const score *at, FILE *stream) {
    const double n = (double)at->cases;
    char load[32] = "saturation load";
    if (bin < LOADS)
        snprintf(load, sizeof load, "%s %.0f %%", bin < LOADS - 1 ? "up to" : "above",
                 100 * loads_up_to[bin < LOADS - 1 ? bin : LOADS - 2]);
    fprintf(stream, "| %s, %s | %s | %zu | %.1f (%.0f) %% | %.1f (%.0f) %% | %.2f |\n",
            s->design->name, random ? "random" : "grid", load, at->cases, 100 * at->alone / n,
            100 * at->worst_alone, 100 * at->calibrated / n, 100 * at->worst, (double)at->held / n);
}

static void put_scores(const suite *s, const score sums[2][BINS], FILE *stream) {
    for (int random = 0; random < 2; ++random)
        for (size_t b = 0; b < BINS; ++b)
            if (sums[random][b].cases)
                put_score(s, random, b, &sums[random][b], stream);
}

/* ---- the source file ---- */

/* The least and the most of every input. */
static void put_ranges(FILE *stream, const char *name, const lesson *all, size_t inputs) {
    for (int high = 0; high < 2; ++high) {
        fprintf(stream, "\nstatic const double %s_%s[] = {", name, high ? "high" : "low");
        for (size_t k = 0; k < inputs; ++k) {
            double value = all->list[0].input.values[k];
            for (size_t i = 1; i < all->count; ++i)
                value = high ? fmax(value, all->list[i].input.values[k])
                             : fmin(value, all->list[i].input.values[k]);
            fprintf(stream, "%s%.6g,", k % 8 ? " " : "\n    ", value);
        }
        fprintf(stream, "\n};\n");
    }
}

/* The numbers of a fit, its entry in the list, and how well it does. */
static void write_fit(const suite *s, subject of, FILE *numbers, FILE *entries, FILE *scores) {
    const char *model = s->design->models[0];
    const size_t inputs = fc_calibration_inputs(model);
    char name[64];
    snprintf(name, sizeof name, "%s%s", s->design->name, of == LIMITS ? "_limit" : "");
    const lesson all = learn(s, of);
    fit *f = fit_trees(s, &all, of);
    score sums[2][BINS] = {{{0}}};
    leave_out(f, sums);
    put_scores(s, (const score(*)[BINS])sums, scores);
    fit_put_perceptrons(numbers, name, f->perceptrons[FOLDS]);
    fit_put_trees(numbers, name, "shift", f->shift[FOLDS]);
    fit_put_trees(numbers, name, "spread", f->spread[FOLDS]);
    put_ranges(numbers, name, &all, inputs);
    const fc_boosted_trees *shift = &f->shift[FOLDS]->trees, *spread = &f->spread[FOLDS]->trees;
    fprintf(numbers,
            "\nstatic const fc_shift_trees %s = {\n    {%zu, %zu, %s_centre, %s_scale, "
            "%s_weights},\n    {%.9g, %zu, %s_shift_roots, %s_shift_nodes},\n    {%.9g, %zu, "
            "%s_spread_roots, %s_spread_nodes},\n    %s_low, "
            "%s_high};\n",
            name, f->perceptrons[FOLDS]->mean.count, inputs, name, name, name, shift->base,
            shift->trees, name, name, spread->base, spread->trees, name, name, name, name);
    fprintf(entries,
            "    {.model = \"%s\", .networks = %zu, .cases = %zu, .inputs = %zu, .shifts = &%s},\n",
            model, all.networks, all.count, inputs, name);
    fit_free(f);
    free(all.list);
}

static void write_list(suite *const *suites, subject of, const char *name, FILE *stream,
                       FILE *scores) {
    char *list = NULL;
    size_t length;
    FILE *entries = open_memstream(&list, &length);
    for (size_t i = 0; suites[i]; ++i)
        if (is_learned_here(suites[i]) && !(of == LIMITS && suite_knows_saturation(suites[i])))
            write_fit(suites[i], of, stream, entries, scores);
    fclose(entries);
    fprintf(stream, "\nconst fc_calibration_points %s[] = {\n%s    {.model = NULL},\n};\n", name,
            list);
    free(list);
}

void suite_write_calibrations(suite *const *suites, FILE *stream, FILE *scores) {
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_calibration.c from the tables in "
                    "docs/validation: not to be edited. */\n"
                    "#include \"registry/calibration.h\"\n");
    write_list(suites, LATENCIES, "fc_calibrations", stream, scores);
    write_list(suites, LIMITS, "fc_limit_calibrations", stream, scores);
}
