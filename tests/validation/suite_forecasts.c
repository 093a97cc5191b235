/* The page about forecasts for networks of routers: what `predict` and `saturate` say of the
 * held-out networks, calibrated and by the model alone, against simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "suite_points.h"

typedef struct errors {
    size_t cases, unsolved, held, intervals, calibrated;
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
        sums[0][way].calibrated += calibrated;
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

static void put_errors(FILE *stream, const errors *e) {
    fprintf(stream, " | %zu | %.1f (%+.0f) %%", e->unsolved, mean_of(e), 100 * e->worst);
}

static void put_row(FILE *stream, const char *name, const errors sums[2]) {
    if (sums[0].cases + sums[0].unsolved == 0)
        return;
    fprintf(stream, "| %s | %zu", name, sums[0].cases + sums[0].unsolved);
    put_errors(stream, &sums[0]);
    put_errors(stream, &sums[1]);
    if (sums[1].calibrated)
        fprintf(stream, " | %zu |", sums[1].calibrated);
    else /* not told of percentiles */
        fprintf(stream, " | |");
    if (sums[1].intervals)
        fprintf(stream, " %.2f", (double)sums[1].held / (double)sums[1].intervals);
    fprintf(stream, " |\n");
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
    to->calibrated += from->calibrated;
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

static void put_kind(FILE *stream, const char *kind, const scored *sum, bool with_tails,
                     bool any_loads) {
    char name[96], at[24];
    for (size_t m = 0; m < (with_tails ? METRICS : 1); ++m)
        for (size_t l = 0; l < LOADS; ++l) {
            if (any_loads)
                snprintf(at, sizeof at, "%.0f to %.0f %%", 100 * bands[l], 100 * bands[l + 1]);
            else
                snprintf(at, sizeof at, "%.0f %%", 100 * loads[l]);
            snprintf(name, sizeof name, "%s, %s, %s", kind, metrics[m], at);
            put_row(stream, name, sum->points[l][m]);
        }
    snprintf(name, sizeof name, "%s, saturation load", kind);
    put_row(stream, name, sum->saturation);
}

/* ---- what was asked for ---- */

static void put_asked(FILE *stream, const char *what, double asked, double reached) {
    fprintf(stream, "| %s | %.0f %% | %.2f %% | %s |\n", what, asked, reached,
            reached <= asked ? "yes" : "no");
}

static void report_asked(FILE *stream, const scored *all) {
    static const double means[LOADS] = {1, 2, 4, 8}, tail = 10, limit = 4, unanswered = 3;
    enum { TAILS = 3 }; /* up to 80 % */
    size_t cases = 0, unsolved = 0;
    char what[64];
    fprintf(stream, "\n## Targets\n\n"
                    "| mean error | target | calibrated | met |\n|---|---|---|---|\n");
    for (size_t l = 0; l < LOADS; ++l) {
        const errors *e = &all->points[l][0][1];
        snprintf(what, sizeof what, "latency at %.0f %% of saturation", 100 * loads[l]);
        put_asked(stream, what, means[l], mean_of(e));
        cases += e->cases + e->unsolved;
        unsolved += e->unsolved;
    }
    for (size_t l = 0; l < TAILS; ++l) {
        snprintf(what, sizeof what, "p99 at %.0f %%", 100 * loads[l]);
        put_asked(stream, what, tail, mean_of(&all->points[l][1][1]));
    }
    put_asked(stream, "saturation load", limit, mean_of(&all->saturation[1]));
    put_asked(stream, "share of the cases without an answer, up to 90 %", unanswered,
              100 * (double)unsolved / (double)(cases ? cases : 1));
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
    fprintf(stream,
            "| networks, metric and load | cases | alone: no answer | alone: mean (worst) | "
            "calibrated: no answer | calibrated: mean (worst) | calibrated cases | 90 %% "
            "interval holds |\n|---|---|---|---|---|---|---|---|\n");
    scored every = {0};
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
        put_kind(stream, kinds[k].name, &sum, k == 0, any_loads);
        if (k == 0 && any_loads) {
            scored validated = {0};
            memcpy(validated.points, sum.validated, sizeof validated.points);
            put_kind(stream, "calibrated answers", &validated, true, any_loads);
        }
        every = k == 0 ? sum : every;
    }
    if (!any_loads)
        report_asked(stream, &every);
    free(cases);
    free(of);
}
