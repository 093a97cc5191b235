/* The page about forecasts for networks of routers: what `predict` and `saturate` say of the
 * held-out networks, calibrated and by the model alone, against simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "suite_points.h"

typedef struct errors {
    size_t cases, unsolved, held, intervals;
    double sum, worst;
} errors;

static void count_error(errors *e, double predicted, double simulated) {
    if (!isfinite(predicted)) {
        ++e->unsolved;
        return;
    }
    const double error = predicted / simulated - 1;
    ++e->cases;
    e->sum += fabs(error);
    e->worst = fabs(error) > fabs(e->worst) ? error : e->worst;
}

static double metric_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return result->outcome == FC_OUTCOME_OK && metric ? metric->value : (double)NAN;
}

static const char model[] = "router-queueing";
static const char *const metrics[] = {"latency", "latency_p99"};
static const double loads[] = {0.25, 0.55, 0.8, 0.9};
static const double bands[] = {0.15, 0.4, 0.7, 0.85, 0.955};
enum { LOADS = 4, METRICS = 2 };

/* [0]: the model alone, [1]: calibrated; of each metric. validated: the same, of answers that are
 * calibrated. */
static void count_point(const drawn_case *at, const drawn_point *point, errors sums[METRICS][2],
                        errors validated[METRICS][2]) {
    double answers[METRICS][2];
    bool calibrated = false;
    const double simulated[] = {point->value[0], point->value[1]};
    const char *const asked[] = {model, NULL};
    fc_scenario *scenario = drawn_case_scenario(at, point->rate);
    if (!scenario || !(point->half[0] <= suite_widest * point->value[0])) {
        fc_scenario_free(scenario);
        return;
    }
    for (int way = 0; way < 2; ++way) {
        fc_result *result;
        fc_error error;
        if (fc_predict(scenario, asked[way], &error, &result) != FC_OK)
            break; /* no model covers it */
        for (size_t k = 0; k < METRICS; ++k) {
            answers[k][way] = metric_of(result, metrics[k]);
            count_error(&sums[k][way], answers[k][way], simulated[k]);
        }
        calibrated = result->calibrated > 0;
        double low, high;
        if (calibrated && fc_result_interval(result, &low, &high)) {
            const bool holds = simulated[0] >= low && simulated[0] <= high;
            ++sums[0][way].intervals;
            ++validated[0][way].intervals;
            sums[0][way].held += holds;
            validated[0][way].held += holds;
        }
        fc_result_free(result);
    }
    for (size_t i = 0; i < METRICS * 2 && calibrated; ++i)
        count_error(&validated[i / 2][i % 2], answers[i / 2][i % 2], simulated[i / 2]);
    fc_scenario_free(scenario);
}

static double saturation_by(const fc_scenario *scenario, const char *asked) {
    fc_forecast *forecast;
    fc_load_range range;
    fc_error error;
    if (fc_forecast_create(scenario, asked, &error, &forecast) != FC_OK ||
        fc_forecast_saturation(forecast, &error, &range) != FC_OK)
        return NAN; /* no model covers it */
    fc_forecast_free(forecast);
    return range.load;
}

static void count_saturation(const drawn_case *at, errors sums[2]) {
    fc_scenario *scenario = drawn_case_scenario(at, 1e-4);
    if (!scenario)
        suite_stop(at->network, "is refused");
    count_error(&sums[0], saturation_by(scenario, model), at->saturation);
    count_error(&sums[1], saturation_by(scenario, NULL), at->saturation);
    fc_scenario_free(scenario);
}

static double mean_of(const errors *e) {
    return 100 * e->sum / (e->cases ? (double)e->cases : 1);
}

static const struct {
    const char *name, *text; /* in the network */
} kinds[] = {{"all", "topology"},
             {"meshes", "topology: mesh"},
             {"hypercubes", "hypercube"},
             {"tori", "topology: torus"},
             {"rings", "topology: ring"},
             {"flies", "topology: fly"},
             {"fat trees", "fat-tree"},
             {"one channel", "virtual_channels: 1,"},
             {"buffer of 1", "buffer: 1,"},
             {"cut-through", "cut-through"},
             {"faster routers", "internal_speedup"},
             {"bursts", "on-off"},
             {"requests", "requests"},
             {"adaptive", "routing: adaptive"},
             {"Valiant", "valiant"},
             {"UGAL", "ugal"},
             {"dragonflies", "dragonfly"},
             {"HyperX", "hyperx"},
             {"Slim Fly", "slim-fly"},
             {"graphs", "topology: graph"},
             {"permutations", "permutation"}};

/* What one network adds to all kinds that it is of. */
typedef struct scored {
    errors points[LOADS][METRICS][2], saturation[2];
    errors validated[LOADS][METRICS][2]; /* of answers that are calibrated */
} scored;

static void add_errors(const errors *from, errors *to) {
    to->cases += from->cases;
    to->unsolved += from->unsolved;
    to->held += from->held;
    to->intervals += from->intervals;
    to->sum += from->sum;
    to->worst = fabs(from->worst) > fabs(to->worst) ? from->worst : to->worst;
}

typedef struct scoring {
    const drawn_case *cases;
    scored *of;
    bool any_loads; /* not those of `loads`, but in the bands of `bands` */
} scoring;

/* Where a load belongs; LOADS: nowhere. */
static size_t place_of(const scoring *all, const drawn_case *at, size_t number) {
    const double share = at->points[number].rate / at->saturation;
    if (!all->any_loads)
        return number;
    for (size_t l = 0; l < LOADS; ++l)
        if (share >= bands[l] && share < bands[l + 1])
            return l;
    return LOADS;
}

static fc_status score_one(void *context, size_t index) {
    const scoring *all = context;
    const drawn_case *at = &all->cases[index];
    count_saturation(at, all->of[index].saturation);
    for (size_t i = 0; i < LOADS && i < at->count; ++i) {
        const size_t place = place_of(all, at, i);
        if (place < LOADS)
            count_point(at, &at->points[i], all->of[index].points[place],
                        all->of[index].validated[place]);
    }
    return FC_OK;
}

/* ---- the table ---- */

/* Kinds with fewer cases at the first load are left out. */
enum { CASES_LEAST = 20 };

static void put_errors(FILE *stream, const errors *e) {
    if (e->cases)
        fprintf(stream, " %.1f (%+.0f) |", mean_of(e), 100 * e->worst);
    else
        fputs(" |", stream);
}

/* A row of one metric, by the forecast (way 1) or the model alone (0); no saturation: NULL. */
static void put_row(FILE *stream, const char *name, const errors points[LOADS][METRICS][2],
                    size_t metric, size_t way, const errors *saturation) {
    fprintf(stream, "| %s | %zu |", name,
            points[0][metric][way].cases + points[0][metric][way].unsolved);
    for (size_t l = 0; l < LOADS; ++l)
        put_errors(stream, &points[l][metric][way]);
    if (saturation)
        put_errors(stream, saturation);
    else
        fputs(" |", stream);
    fputc('\n', stream);
}

static void put_intervals(FILE *stream, const errors points[LOADS][METRICS][2]) {
    fputs("| the 90 % interval of the latency holds | |", stream);
    for (size_t l = 0; l < LOADS; ++l) {
        const errors *e = &points[l][0][1];
        fprintf(stream, " %.0f %% |", 100 * (double)e->held / fmax(1, (double)e->intervals));
    }
    fputs(" |\n", stream);
}

static void put_all(FILE *stream, const scored *sum, bool any_loads) {
    put_row(stream, "all", sum->points, 0, 1, &sum->saturation[1]);
    if (any_loads)
        put_row(stream, "all that are not flagged `not-validated`", sum->validated, 0, 1, NULL);
    put_row(stream, "all, by the model without correction", sum->points, 0, 0, &sum->saturation[0]);
    put_row(stream, "99th percentile", sum->points, 1, 1, NULL);
    put_row(stream, "99th percentile, by the model", sum->points, 1, 0, NULL);
    put_intervals(stream, sum->points);
}

static void put_heading(FILE *stream, bool any_loads) {
    fputs("| networks | cases |", stream);
    for (size_t l = 0; l < LOADS; ++l) {
        if (any_loads)
            fprintf(stream, " %.0f to %.0f %% |", 100 * bands[l], 100 * bands[l + 1]);
        else
            fprintf(stream, " %.0f %% |", 100 * loads[l]);
    }
    fputs(" saturation load |\n|---|---|---|---|---|---|---|\n", stream);
}

/* As the fit believes a search for the saturation load (fit/datasets.c): not where loads that are
 * clearly higher settled. */
static bool is_believed(const drawn_case *at) {
    static const double beyond = 1.05;
    bool believed = at->saturation > 0;
    for (size_t i = 0; i < at->count; ++i)
        believed &= isnan(at->points[i].value[0]) || at->points[i].rate < beyond * at->saturation;
    return believed;
}

void suite_report_forecasts(const char *directory, const char *table, bool any_loads,
                            FILE *stream) {
    drawn_case *cases = calloc(DRAWN_CASES, sizeof *cases);
    scored *of = calloc(DRAWN_CASES, sizeof *of);
    if (!cases || !of)
        suite_stop(directory, "out of memory");
    const size_t read = drawn_cases_read(directory, table, cases, DRAWN_CASES);
    size_t count = 0;
    for (size_t i = 0; i < read; ++i)
        if (is_believed(&cases[i]))
            cases[count++] = cases[i];
    scoring all = {cases, of, any_loads};
    fc_pool_run(NULL, NULL, count, score_one, &all);
    put_heading(stream, any_loads);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        scored sum = {0};
        for (size_t n = 0; n < count; ++n) {
            if (!strstr(cases[n].network, kinds[k].text) &&
                !strstr(cases[n].traffic, kinds[k].text))
                continue;
            const errors *from = &of[n].points[0][0][0];
            errors *to = &sum.points[0][0][0];
            for (size_t i = 0; i < LOADS * METRICS * 2; ++i) {
                add_errors(from + i, to + i);
                add_errors(&of[n].validated[0][0][0] + i, &sum.validated[0][0][0] + i);
            }
            for (size_t i = 0; i < 2; ++i)
                add_errors(&of[n].saturation[i], &sum.saturation[i]);
        }
        if (k == 0)
            put_all(stream, &sum, any_loads);
        else if (sum.points[0][0][1].cases >= CASES_LEAST)
            put_row(stream, kinds[k].name, sum.points, 0, 1, &sum.saturation[1]);
    }
    free(cases);
    free(of);
}
