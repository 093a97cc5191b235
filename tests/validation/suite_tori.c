/* The fit of the forecasts of open tori and meshes (models/torus/torus_forecast.h), to the networks
 * of torus.csv that are not held out and to those of torus_points.csv, which were simulated
 * shortly.
 *
 * Three fits, each with every fifth of the networks left out in turn and then to all: of the
 * saturation load; of the shift of the load, on curves that end at what the first fit says of
 * networks that it has not seen; of the deviation of the shift, from its errors on networks left
 * out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/pool.h"
#include "models/torus/torus_forecast.h"
#include "fit_write.h"
#include "suite.h"
#include "suite_points.h"

enum { FOLDS = 5 };

typedef struct network {
    drawn_case at;
    bool random, usable;
    double limit, limit_deviation; /* simulated saturation load, 0: unknown; relative */
    fc_torus_known known;
    double log_limit; /* by the fit that has not seen it */
} network;

typedef struct sample {
    size_t network, point;
    fc_torus_curve curve;
    double shift, variance; /* of the curve, by the simulation */
    double error;           /* of the fit that has not seen it */
    double spread;          /* log of the deviation, likewise */
} sample;

typedef struct tori {
    network *networks;
    size_t count;
    sample *samples;
    size_t sample_count;
    fitted_perceptrons *limit[FOLDS + 1], *shift[FOLDS + 1], *spread[FOLDS + 1];
    double corrections[FC_TORUS_KNOTS];
} tori;

/* ---- what there is to learn from ---- */

static void *room(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made)
        suite_stop("torus", "out of memory");
    return made;
}

static const drawn_point *point_of(const tori *t, const sample *one) {
    return &t->networks[one->network].at.points[one->point];
}

static void highest_and_lowest(const drawn_case *at, double *settled, double *unsettled) {
    *settled = 0;
    *unsettled = INFINITY;
    for (size_t i = 0; i < at->count; ++i)
        if (isnan(at->points[i].value[0]))
            *unsettled = fmin(*unsettled, at->points[i].rate);
        else
            *settled = fmax(*settled, at->points[i].rate);
}

/* The saturation load: searched for, or else between the highest load that settled and the lowest
 * that did not. A search in short runs may end too early: it is not believed where loads that are
 * clearly higher settled. */
static void find_limit(network *n) {
    static const double beyond = 1.05, search = 0.01;
    double settled, unsettled;
    highest_and_lowest(&n->at, &settled, &unsettled);
    const double found = n->at.saturation;
    if (found > 0 && isfinite(found) && settled < beyond * found) {
        n->limit = found;
        n->limit_deviation = hypot(n->at.saturation_half / found, search);
    } else if (!(found > 0) && n->random && settled > 0 && isfinite(unsettled)) {
        n->limit = sqrt(settled * unsettled);
        n->limit_deviation = log(unsettled / settled) / sqrt(12);
    }
}

/* Before the saturation load is fitted, or after that. */
static void ask_model(network *n, bool after) {
    fc_scenario *scenario = drawn_case_scenario(&n->at, 1e-6);
    fc_sharing_solver *solver = scenario ? fc_sharing_solver_of(scenario) : NULL;
    n->usable = solver && fc_torus_know(solver, &n->known);
    if (n->usable && after)
        fc_torus_know_more(solver, n->log_limit, &n->known);
    fc_sharing_solver_free(solver);
    fc_scenario_free(scenario);
}

static fc_status know_first(void *context, size_t index) {
    network *n = &((tori *)context)->networks[index];
    ask_model(n, false);
    find_limit(n);
    return FC_OK;
}

static fc_status know_more(void *context, size_t index) {
    tori *t = context;
    network *n = &t->networks[index];
    if (n->usable) {
        n->log_limit = fc_torus_log_limit(&t->limit[index % FOLDS]->mean, &n->known);
        ask_model(n, true);
    }
    return FC_OK;
}

static void take_networks(const suite *s, const char *directory, tori *t) {
    t->networks = room(SUITE_ENTRIES + DRAWN_CASES, sizeof *t->networks);
    drawn_case *list = room(DRAWN_CASES, sizeof *list);
    drawn_cases_of(s, list, DRAWN_CASES);
    for (size_t e = 0; e < s->count; ++e)
        if (s->entries[e].covered[0] && !(s->entries[e].held_out && s->entries[e].random))
            t->networks[t->count++] = (network){.at = list[e], .random = s->entries[e].random};
    const size_t count = drawn_cases_read(directory, "torus_points", list, DRAWN_CASES);
    for (size_t i = 0; i < count; ++i)
        t->networks[t->count++] = (network){.at = list[i], .random = true};
    free(list);
    fc_pool_run(NULL, NULL, t->count, know_first, t);
}

/* The widest half width, as a share of what the latency has beyond the empty network's. */
static const double widest_excess = 0.3;

static void take_samples(tori *t) {
    t->samples = room(t->count * DRAWN_LOADS, sizeof *t->samples);
    for (size_t n = 0; n < t->count; ++n)
        for (size_t i = 0; i < t->networks[n].at.count && t->networks[n].usable; ++i) {
            const drawn_point *point = &t->networks[n].at.points[i];
            const double excess = point->value[0] - t->networks[n].known.empty;
            if (excess > 0 && point->half[0] < widest_excess * excess)
                t->samples[t->sample_count++] = (sample){.network = n, .point = i};
        }
}

/* ---- the fits ---- */

/* Of t and of the logarithm of the saturation load: about what the inputs do not tell; the largest
 * t learned. */
static const double unexplained = 0.02, shift_most = 1;
static const double shift_unit = 0.1, limit_unit = 0.3, spread_unit = 1;
/* Errors of t that are smaller count as this one; of a normal variable, the mean of log |x /
 * standard deviation|. */
static const double error_least = 0.002, mean_log = -0.635;

/* Networks of the grid are larger than most that were drawn, and few. */
static const double of_grid = 4;

static double weight_of(const network *n, double variance) {
    return (n->random ? 1 : of_grid) / (1 + variance / (unexplained * unexplained));
}

static fitted_perceptrons *fit_to(tree_data *data, double unit, double seen, size_t fold,
                                  size_t perceptrons) {
    static const double least = 30, most = 200;
    const double passes = fmax(least, fmin(most, seen / (double)data->count));
    fitted_perceptrons *made =
        perceptron_fit_of(data, unit, (size_t)passes, fold < FOLDS ? 2 : perceptrons);
    tree_data_free(data);
    return made;
}

static fc_status fit_limit(void *context, size_t fold) {
    tori *t = context;
    tree_data data = tree_data_create(t->count);
    data.inputs_used = FC_TORUS_FIRST;
    for (size_t n = 0; n < t->count; ++n) {
        const network *at = &t->networks[n];
        if (n % FOLDS == fold || !at->usable || !(at->limit > 0))
            continue;
        memcpy(data.inputs[data.count], at->known.values, sizeof(double[FC_TORUS_FIRST]));
        data.values[data.count] = log(at->limit / at->known.capacity);
        data.weights[data.count++] = weight_of(at, at->limit_deviation * at->limit_deviation);
    }
    t->limit[fold] = fit_to(&data, limit_unit, 5e5, fold, 4);
    return FC_OK;
}

static void place_curves(tori *t) {
    fc_pool_run(NULL, NULL, t->count, know_more, t);
    for (size_t i = 0; i < t->sample_count; ++i) {
        sample *one = &t->samples[i];
        const network *at = &t->networks[one->network];
        const drawn_point *point = point_of(t, one);
        const double excess = point->value[0] - at->known.empty;
        double derivative;
        one->curve = fc_torus_curve_at(&at->known, at->log_limit, point->rate);
        one->shift = fc_calibration_shift(one->curve.r, excess / one->curve.excess, &derivative);
        const double deviation = point->half[0] / 1.96 / excess * derivative;
        one->variance = deviation * deviation;
    }
}

static tree_data data_of(const tori *t, size_t fold, bool spread) {
    tree_data data = tree_data_create(t->sample_count);
    data.inputs_used = FC_TORUS_INPUTS;
    for (size_t i = 0; i < t->sample_count; ++i) {
        const sample *one = &t->samples[i];
        if (one->network % FOLDS == fold)
            continue;
        memcpy(data.inputs[data.count], one->curve.inputs, sizeof one->curve.inputs);
        data.values[data.count] = spread ? log(fmax(error_least, fabs(one->error))) - mean_log
                                         : fmax(-shift_most, fmin(shift_most, one->shift));
        data.weights[data.count++] = weight_of(&t->networks[one->network], one->variance);
    }
    return data;
}

static fc_status fit_shift(void *context, size_t fold) {
    tori *t = context;
    tree_data data = data_of(t, fold, false);
    t->shift[fold] = fit_to(&data, shift_unit, 1.6e6, fold, 4);
    return FC_OK;
}

static fc_status fit_spread(void *context, size_t fold) {
    tori *t = context;
    tree_data data = data_of(t, fold, true);
    t->spread[fold] = fit_to(&data, spread_unit, 2e5, fold, 2);
    return FC_OK;
}

static double value_without(fitted_perceptrons *const *fits, const sample *one) {
    return fc_perceptrons_value(&fits[one->network % FOLDS]->mean, one->curve.inputs);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Deviations, over that of its spread, which an interval must have to contain the simulated value:
 * beside the error of t it has the share that a simulation is uncertain by. */
static double deviations_needed(const tori *t, const sample *one) {
    static const double simulation_share = 0.01;
    const double latency = point_of(t, one)->value[0];
    const double excess = latency - t->networks[one->network].known.empty;
    double derivative;
    fc_calibration_shift(one->curve.r, excess / one->curve.excess, &derivative);
    const double error = fabs(one->error) - simulation_share * latency / excess * derivative;
    return fmax(error, error_least * 1e-3) / exp(one->spread);
}

/* Only simulations that are precise enough tell how wide an interval has to be. */
static bool is_precise(const tori *t, const sample *one) {
    static const double widest = 0.03;
    const drawn_point *point = point_of(t, one);
    return t->networks[one->network].random && point->half[0] < widest * point->value[0];
}

/* Around each knot: how far (in logarithms) spreads have to move so that 90 % of the errors are
 * within 1.645 standard deviations. */
static void find_corrections(tori *t) {
    double *sizes = room(t->sample_count, sizeof *sizes);
    for (size_t k = 0; k < FC_TORUS_KNOTS; ++k) {
        const double low = k ? 0.5 * (fc_torus_knots[k - 1] + fc_torus_knots[k]) : 0;
        const double high = k < FC_TORUS_KNOTS - 1
                                ? 0.5 * (fc_torus_knots[k] + fc_torus_knots[k + 1])
                                : (double)INFINITY;
        size_t used = 0;
        for (size_t i = 0; i < t->sample_count; ++i) {
            const double share = t->samples[i].curve.share;
            if (share >= low && share < high && is_precise(t, &t->samples[i]))
                sizes[used++] = log(deviations_needed(t, &t->samples[i]) / 1.645);
        }
        qsort(sizes, used, sizeof *sizes, by_size);
        t->corrections[k] = used > 20 ? fmax(-1, fmin(1, sizes[used * 9 / 10])) : 0;
    }
    free(sizes);
}

static void fit_all(tori *t) {
    fc_pool_run(NULL, NULL, FOLDS + 1, fit_limit, t);
    place_curves(t);
    fc_pool_run(NULL, NULL, FOLDS + 1, fit_shift, t);
    for (size_t i = 0; i < t->sample_count; ++i)
        t->samples[i].error = t->samples[i].shift - value_without(t->shift, &t->samples[i]);
    fc_pool_run(NULL, NULL, FOLDS + 1, fit_spread, t);
    for (size_t i = 0; i < t->sample_count; ++i)
        t->samples[i].spread = value_without(t->spread, &t->samples[i]);
    find_corrections(t);
}

/* ---- on networks left out ---- */

/* Loads as shares of the simulated saturation load, around those that are asked for. */
enum { LOADS = 5, BINS = LOADS + 1 }; /* the last: the saturation load */
static const double loads_from[LOADS] = {0, 0.5, 0.7, 0.85, 0.93};
static const double loads_to[LOADS] = {0.5, 0.7, 0.85, 0.93, 1};
enum { GRID, TORI, MESHES, KINDS };
static const char *const kinds[KINDS] = {"grid", "random tori", "random meshes"};

typedef struct score {
    size_t cases, held, far, told, warned;
    double sum, worst;
} score;

static const double far_off = 0.15;

static size_t kind_of(const network *n) {
    return !n->random ? GRID : strstr(n->at.network, "topology: mesh") ? MESHES : TORI;
}

static size_t bin_of(const network *n, double rate) {
    const double share = rate / n->limit;
    size_t bin = 0;
    while (bin < LOADS && share > loads_to[bin])
        ++bin;
    return bin; /* LOADS: beyond saturation */
}

static void count_sample(const tori *t, const sample *one, score *sums) {
    const network *n = &t->networks[one->network];
    const double simulated = point_of(t, one)->value[0], empty = n->known.empty;
    const double deviation =
        exp(one->spread + fc_torus_correction(t->corrections, one->curve.share));
    const fc_calibrated_excess excess =
        fc_torus_shifted(&n->known, &one->curve, one->shift - one->error, deviation);
    const double forecast = empty + one->curve.excess * excess.stretch;
    const double low = 0.99 * (empty + one->curve.excess * excess.low);
    const double high = 1.01 * (empty + one->curve.excess * excess.high);
    const double error = fabs(forecast / simulated - 1);
    const bool warned =
        low < (1 - fc_torus_wide) * forecast || high > (1 + fc_torus_wide) * forecast;
    ++sums->cases;
    sums->held += simulated >= low && simulated <= high;
    sums->sum += error;
    sums->worst = fmax(sums->worst, error);
    sums->far += error > far_off;
    sums->told += error > far_off && warned;
    sums->warned += warned;
}

static void leave_out(const tori *t, score sums[KINDS][BINS]) {
    for (size_t i = 0; i < t->sample_count; ++i) {
        const sample *one = &t->samples[i];
        const network *n = &t->networks[one->network];
        const size_t bin = n->limit > 0 ? bin_of(n, point_of(t, one)->rate) : LOADS;
        if (bin < LOADS && (is_precise(t, one) || !n->random))
            count_sample(t, one, &sums[kind_of(n)][bin]);
    }
    for (size_t i = 0; i < t->count; ++i) {
        const network *n = &t->networks[i];
        score *at = &sums[kind_of(n)][LOADS];
        if (!n->usable || !(n->limit > 0) || !(n->at.saturation > 0))
            continue;
        const double error = fabs(exp(n->log_limit) * n->known.capacity / n->limit - 1);
        ++at->cases;
        at->sum += error;
        at->worst = fmax(at->worst, error);
    }
}

static void put_scores(const score sums[KINDS][BINS], FILE *stream) {
    for (size_t k = 0; k < KINDS; ++k)
        for (size_t b = 0; b < BINS; ++b) {
            const score *at = &sums[k][b];
            if (!at->cases)
                continue;
            const double n = (double)at->cases;
            if (b == LOADS)
                fprintf(stream, "| %s | saturation load | %zu | %.1f (%.0f) %% | | |\n", kinds[k],
                        at->cases, 100 * at->sum / n, 100 * at->worst);
            else
                fprintf(stream,
                        "| %s | %.0f to %.0f %% | %zu | %.1f (%.0f) %% | %.2f | %zu of %zu; %zu "
                        "others |\n",
                        kinds[k], 100 * loads_from[b], 100 * loads_to[b], at->cases,
                        100 * at->sum / n, 100 * at->worst, (double)at->held / n, at->told, at->far,
                        at->warned - at->told);
        }
}

/* ---- the source file ---- */

static void put_field(FILE *stream, const char *name, const fitted_perceptrons *fitted) {
    fprintf(stream, "    .%s = {%zu, %zu, %s_centre, %s_scale, %s_weights},\n", name,
            fitted->mean.count, fitted->mean.inputs, name, name, name);
}

/* The least or the most that is known of networks. */
static void put_range(FILE *stream, const tori *t, bool high) {
    fprintf(stream, "    .%s = {", high ? "high" : "low");
    for (size_t k = 0; k < FC_TORUS_FIRST; ++k) {
        double value = high ? -INFINITY : INFINITY;
        for (size_t n = 0; n < t->count; ++n) {
            const double found = t->networks[n].known.values[k];
            if (t->networks[n].usable)
                value = high ? fmax(value, found) : fmin(value, found);
        }
        fprintf(stream, "%s%.6g,", k % 8 ? " " : "\n        ", value);
    }
    fprintf(stream, "\n    },\n");
}

static uint32_t identity_of(const fitted_perceptrons *fitted, uint64_t hash) {
    hash = fc_hash(hash, fitted->weights,
                   fitted->mean.count * fc_perceptron_size(fitted->mean.inputs) *
                       sizeof *fitted->weights);
    return (uint32_t)(hash ^ hash >> 32);
}

static void put_source(const tori *t, FILE *stream) {
    size_t networks = 0;
    for (size_t n = 0; n < t->count; ++n)
        networks += t->networks[n].usable;
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_calibration.c --tori from the tables "
                    "in docs/validation: not to be edited. */\n"
                    "#include \"models/torus/torus_forecast.h\"\n");
    fit_put_perceptrons(stream, "limit", t->limit[FOLDS]);
    fit_put_perceptrons(stream, "shift", t->shift[FOLDS]);
    fit_put_perceptrons(stream, "spread", t->spread[FOLDS]);
    fprintf(stream, "\nconst fc_torus_learned fc_torus_weights = {\n");
    put_field(stream, "limit", t->limit[FOLDS]);
    put_field(stream, "shift", t->shift[FOLDS]);
    put_field(stream, "spread", t->spread[FOLDS]);
    fprintf(stream, "    .corrections = {");
    for (size_t k = 0; k < FC_TORUS_KNOTS; ++k)
        fprintf(stream, "%s%.4g", k ? ", " : "", t->corrections[k]);
    fprintf(stream, "},\n");
    put_range(stream, t, false);
    put_range(stream, t, true);
    fprintf(stream,
            "};\n\nconst fc_calibration_points fc_torus_calibration = {\n    .model = "
            "\"torus-sharing\", .networks = %zu, .cases = %zu, .identity = 0x%08xU};\n",
            networks, t->sample_count,
            identity_of(t->spread[FOLDS], identity_of(t->shift[FOLDS], FC_HASH_START)));
}

static void tori_free(tori *t) {
    for (size_t fold = 0; fold <= FOLDS; ++fold) {
        free(t->limit[fold]);
        free(t->shift[fold]);
        free(t->spread[fold]);
    }
    free(t->networks);
    free(t->samples);
}

void suite_write_tori(const suite *s, const char *directory, FILE *stream, FILE *scores) {
    tori t = {0};
    score sums[KINDS][BINS] = {{{0}}};
    take_networks(s, directory, &t);
    take_samples(&t);
    fit_all(&t);
    leave_out(&t, sums);
    put_scores((const score(*)[BINS])sums, scores);
    put_source(&t, stream);
    tori_free(&t);
}
