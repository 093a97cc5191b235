#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "registry/calibration_inputs.h"
#include "registry/parts.h"
#include "scenario/scenario.h"
#include "suite_factors.h"
#include "suite_points.h"

/* The widest half width of a latency that is learned from, over the latency: of the suite, and of
 * short runs, which were to reach 3 %. And how far the throughput may be from the model's, which is
 * 1 % off: a run that stopped early has a latency as wrong. */
static const double widest_latency = 0.05, widest_short = 0.031, widest_throughput = 0.04;

/* A network at a load, as a table has it. */
typedef struct simulated_point {
    size_t network;
    fc_scenario *scenario;
    double value[2], half_width[2];
    bool is_short;
} simulated_point;

typedef struct point_list {
    const char *model;
    simulated_point *list;
    factor_case *cases; /* of each */
    bool *usable;
    size_t count, room, networks;
    bool is_short; /* those that are being added */
} point_list;

static void *grown(void *list, size_t count, size_t size) {
    void *made = realloc(list, (count ? count : 1) * size);
    if (!made)
        suite_stop("calibration by factors", "out of memory");
    return made;
}

static void add_point(point_list *points, fc_scenario *scenario, const double value[2],
                      const double half_width[2]) {
    if (points->count == points->room) {
        points->room = 2 * points->room + 64;
        points->list = grown(points->list, points->room, sizeof *points->list);
    }
    points->list[points->count++] = (simulated_point){points->networks,
                                                      scenario,
                                                      {value[0], value[1]},
                                                      {half_width[0], half_width[1]},
                                                      points->is_short};
}

/* ---- tables ---- */

static void add_entries(const suite *s, point_list *points) {
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if ((entry->held_out && entry->random) || !entry->covered[0])
            continue;
        ++points->networks;
        for (size_t i = 0; i < entry->point_count; ++i) {
            const suite_value *metrics = entry->points[i].metrics;
            const double value[] = {metrics[0].simulated, metrics[1].simulated};
            const double half_width[] = {metrics[0].half_width, metrics[1].half_width};
            if (entry->points[i].done && isfinite(value[0]) && isfinite(value[1]))
                add_point(points, suite_scenario(s, entry, entry->points[i].rate), value,
                          half_width);
        }
    }
}

static void add_case(const drawn_case *at, point_list *points) {
    ++points->networks;
    for (size_t i = 0; i < at->count; ++i) {
        const drawn_point *point = &at->points[i];
        fc_scenario *scenario = drawn_case_scenario(at, point->rate);
        if (!scenario)
            suite_stop(at->network, "is refused");
        if (isfinite(point->value[0]) && isfinite(point->value[1]))
            add_point(points, scenario, point->value, point->half);
        else
            fc_scenario_free(scenario);
    }
}

static void add_table(const char *directory, const char *name, point_list *points) {
    char table[64];
    drawn_case *cases = grown(NULL, DRAWN_CASES, sizeof *cases);
    snprintf(table, sizeof table, "%s_points", name);
    const size_t count = drawn_cases_read(directory, table, cases, DRAWN_CASES);
    for (size_t i = 0; i < count; ++i)
        add_case(&cases[i], points);
    free(cases);
}

/* ---- what the model says ---- */

static fc_status solve_point(void *context, size_t index) {
    point_list *points = context;
    simulated_point *point = &points->list[index];
    factor_case *made = &points->cases[index];
    fc_result *result;
    fc_error error;
    if (fc_predict(point->scenario, points->model, &error, &result) != FC_OK)
        suite_stop(points->model, error.text);
    *made = (factor_case){.network = point->network, .load = NAN};
    points->usable[index] = fc_factor_read(point->scenario, result, made->values);
    for (size_t k = 0; k < 2; ++k) {
        made->simulated[k] = point->value[k];
        made->deviation[k] = point->half_width[k] / 1.96 / point->value[k];
    }
    if (fc_scenario_load_key(point->scenario)) {
        const fc_feature_list *features = fc_features_of(point->scenario);
        double rate = 0;
        fc_scenario_number(point->scenario, fc_scenario_load_key(point->scenario), NULL, &rate);
        made->load = rate / features->capacity(point->scenario);
        made->service = fc_calibration_part(result, FC_PART_SERVICE);
        made->latency = fc_result_value(result, FC_METRIC_LATENCY);
        const double carried = fc_result_value(result, FC_METRIC_THROUGHPUT);
        const double widest = point->is_short ? widest_short : widest_latency;
        points->usable[index] &= point->half_width[0] <= widest * point->value[0] &&
                                 fabs(carried / point->value[1] - 1) < widest_throughput;
    } else {
        made->cycle = fc_cycle_of(point->scenario, result);
    }
    fc_result_free(result);
    fc_scenario_free(point->scenario);
    return FC_OK;
}

factor_cases factor_cases_read(const suite *s, const char *directory) {
    point_list points = {.model = s->design->models[0]};
    add_entries(s, &points);
    points.is_short = true;
    add_table(directory, s->design->name, &points);
    points.cases = grown(NULL, points.count, sizeof *points.cases);
    points.usable = grown(NULL, points.count, sizeof *points.usable);
    fc_pool_run(NULL, NULL, points.count, solve_point, &points);
    factor_cases all = {.list = points.cases};
    size_t last = 0;
    for (size_t i = 0; i < points.count; ++i) {
        if (!points.usable[i])
            continue;
        all.networks += points.list[i].network != last;
        last = points.list[i].network;
        all.list[all.count++] = points.cases[i];
    }
    free(points.list);
    free(points.usable);
    return all;
}
