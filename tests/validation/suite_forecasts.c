/* The page about forecasts for networks of routers: what `predict` and `saturate` say of the
 * held-out networks, calibrated and by the model alone, against simulation. */
#include <math.h>
#include <string.h>
#include "suite.h"

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

/* [0]: the model alone, [1]: calibrated; of each metric. */
static void count_point(const suite *s, const suite_entry *entry, const suite_point *point,
                        errors sums[SUITE_METRICS][2]) {
    fc_scenario *scenario = suite_scenario(s, entry, point->rate);
    const char *const asked[] = {s->design->models[0], NULL};
    for (int way = 0; way < 2; ++way) {
        fc_result *result;
        fc_error error;
        if (fc_predict(scenario, asked[way], &error, &result) != FC_OK)
            suite_stop(entry->network, error.text);
        for (size_t k = 0; k < s->metrics; ++k)
            if (suite_within(&point->metrics[0], suite_widest) &&
                isfinite(point->metrics[k].simulated)) {
                const double value = metric_of(result, s->design->metrics[k]);
                count_error(&sums[k][way], value, point->metrics[k].simulated);
            }
        double low, high;
        const double simulated = point->metrics[0].simulated;
        if (result->calibrated && suite_within(&point->metrics[0], suite_widest) &&
            fc_result_interval(result, &low, &high)) {
            ++sums[0][way].intervals;
            sums[0][way].held += simulated >= low && simulated <= high;
        }
        sums[0][way].calibrated += result->calibrated > 0;
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
}

static void count_saturation(const suite *s, const suite_entry *entry, errors sums[2]) {
    fc_scenario *scenario = suite_scenario(s, entry, 1e-4);
    const char *model = s->design->models[0];
    const fc_saturation_settings settings = {0};
    fc_saturation *found;
    size_t count;
    fc_error error;
    if (fc_saturate(scenario, &settings, NULL, &error, &found, &count) != FC_OK)
        suite_stop(entry->network, error.text);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(found[i].method, model) == 0) {
            const bool moved = isfinite(found[i].uncalibrated);
            count_error(&sums[0], moved ? found[i].uncalibrated : found[i].load,
                        entry->saturation.simulated);
            count_error(&sums[1], found[i].load, entry->saturation.simulated);
            sums[1].calibrated += moved;
        }
    fc_saturation_free(found);
    fc_scenario_free(scenario);
}

static void put_errors(FILE *stream, const errors *e) {
    fprintf(stream, " | %zu | %.1f (%+.0f) %%", e->unsolved,
            100 * e->sum / (e->cases ? (double)e->cases : 1), 100 * e->worst);
}

static void put_row(FILE *stream, const char *name, const errors sums[2]) {
    if (sums[0].cases + sums[0].unsolved == 0)
        return;
    fprintf(stream, "| %s | %zu", name, sums[0].cases + sums[0].unsolved);
    put_errors(stream, &sums[0]);
    put_errors(stream, &sums[1]);
    fprintf(stream, " | %zu |", sums[1].calibrated);
    if (sums[1].intervals)
        fprintf(stream, " %.2f", (double)sums[1].held / (double)sums[1].intervals);
    fprintf(stream, " |\n");
}

static const struct {
    const char *name, *text; /* in the network */
} kinds[] = {{"all", "topology"},          {"meshes", "topology: mesh"},
             {"hypercubes", "hypercube"},  {"tori", "topology: torus"},
             {"rings", "topology: ring"},  {"flies", "topology: fly"},
             {"fat trees", "fat-tree"},    {"one channel", "virtual_channels: 1,"},
             {"buffer of 1", "buffer: 1,"}};

void suite_report_forecasts(const suite *s, FILE *stream) {
    const double *loads = s->design->loads;
    enum { LOADS = 4 };
    static errors sums[sizeof kinds / sizeof *kinds][LOADS][SUITE_METRICS][2];
    static errors saturation[sizeof kinds / sizeof *kinds][2];
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        errors one[LOADS][SUITE_METRICS][2] = {0}, limit[2] = {0};
        if (!entry->held_out)
            continue;
        if (entry->saturation.simulated > 0)
            count_saturation(s, entry, limit);
        for (size_t i = 0; i < entry->point_count; ++i)
            for (size_t l = 0; l < LOADS; ++l)
                if (entry->points[i].done && fabs(entry->points[i].fraction - loads[l]) < 1e-6)
                    count_point(s, entry, &entry->points[i], one[l]);
        for (size_t k = 0; k < KINDS; ++k) {
            if (!strstr(entry->network, kinds[k].text))
                continue;
            const errors *from = &one[0][0][0];
            errors *to = &sums[k][0][0][0];
            for (size_t i = 0; i < LOADS * SUITE_METRICS * 2 + 2; ++i) {
                const errors *a = i < LOADS * SUITE_METRICS * 2
                                      ? &from[i]
                                      : &limit[i - LOADS * SUITE_METRICS * 2];
                errors *b = i < LOADS * SUITE_METRICS * 2
                                ? &to[i]
                                : &saturation[k][i - LOADS * SUITE_METRICS * 2];
                b->cases += a->cases;
                b->unsolved += a->unsolved;
                b->held += a->held;
                b->intervals += a->intervals;
                b->calibrated += a->calibrated;
                b->sum += a->sum;
                b->worst = fabs(a->worst) > fabs(b->worst) ? a->worst : b->worst;
            }
        }
    }
    fprintf(stream,
            "| networks, metric and load | cases | alone: no answer | alone: mean (worst) | "
            "calibrated: no answer | calibrated: mean (worst) | calibrated cases | 90 %% "
            "interval holds |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < KINDS; ++k) {
        char name[96];
        for (size_t m = 0; m < (k == 0 ? s->metrics : 1); ++m)
            for (size_t l = 0; l < LOADS; ++l) {
                snprintf(name, sizeof name, "%s, %s, %.0f %%", kinds[k].name, s->design->metrics[m],
                         100 * loads[l]);
                put_row(stream, name, sums[k][l][m]);
            }
        snprintf(name, sizeof name, "%s, saturation load", kinds[k].name);
        put_row(stream, name, saturation[k]);
    }
}
