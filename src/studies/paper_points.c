#include "studies/paper_points.h"

#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"

enum { SETTINGS_MAX = 8 };

static fc_status make_room(fc_paper_points *points) {
    fc_scenario **scenarios =
        fc_make_room(points->scenarios, &points->room, points->count, 1, sizeof *scenarios);
    if (!scenarios)
        return fc_fail_memory(&points->error);
    points->scenarios = scenarios;
    return FC_OK;
}

/* A precision from which on a run is to be short, and few of its points need settle. */
static const double coarse = 0.2;

void fc_paper_points_add(fc_paper_points *points, const char *item, const fc_setting *settings,
                         size_t count) {
    if (points->status != FC_OK)
        return;
    const double asked = points->context->precision;
    char precision[FC_REAL_SIZE], most[32];
    fc_setting all[SETTINGS_MAX + 2];
    if (count > SETTINGS_MAX) {
        points->status =
            fc_fail(&points->error, FC_ERROR_ARGUMENT, "too many settings for %s", item);
        return;
    }
    memcpy(all, settings, count * sizeof *all);
    fc_real_text(asked > 0 ? asked : points->precision, precision);
    all[count++] = (fc_setting){"simulation.precision", precision};
    if (asked >= coarse) {
        snprintf(most, sizeof most, "%.0f", 4000 / asked);
        all[count++] = (fc_setting){"simulation.max_cycles", most};
    }
    points->status = make_room(points);
    const fc_paper_point point = {
        points->paper, item, all, count, {points->models, FC_POINT_METHODS - 1, false}};
    if (points->count == 0)
        points->first = fc_paper_trail_length(points->context->trail);
    if (points->status == FC_OK)
        points->status = fc_paper_scenario(points->context, &point, &points->error,
                                           &points->scenarios[points->count]);
    if (points->status == FC_OK)
        ++points->count;
}

fc_status fc_paper_points_evaluate(fc_paper_points *points, bool simulate, fc_error *error) {
    if (points->status != FC_OK) {
        if (error)
            *error = points->error;
        return points->status;
    }
    points->results = fc_allocate(points->count * FC_POINT_METHODS + 1, sizeof *points->results);
    fc_result **found = fc_allocate(points->count * FC_POINT_METHODS + 1, sizeof *found);
    if (!points->results || !found) {
        fc_release(found);
        return fc_fail_memory(error);
    }
    if (simulate)
        fc_paper_trail_simulated(points->context->trail, points->first, points->count);
    const size_t methods = simulate ? FC_POINT_METHODS : FC_POINT_METHODS - 1;
    const fc_evaluation all = {(const fc_scenario *const *)points->scenarios, points->count,
                               points->models, FC_POINT_SIMULATION, simulate};
    const fc_status status = fc_evaluate(&all, points->context->settings, error, found);
    for (size_t i = 0; i < points->count; ++i) {
        for (size_t m = 0; m < methods; ++m)
            points->results[i * FC_POINT_METHODS + m] = found[i * methods + m];
    }
    fc_release(found);
    return status;
}

void fc_paper_points_free(fc_paper_points *points) {
    for (size_t i = 0; i < points->count; ++i)
        fc_scenario_free(points->scenarios[i]);
    for (size_t i = 0; points->results && i < points->count * FC_POINT_METHODS; ++i)
        fc_result_free(points->results[i]);
    fc_release(points->scenarios);
    fc_release(points->results);
}

static const fc_metric *find(const fc_paper_points *points, size_t point, size_t method,
                             fc_metric_id metric) {
    const fc_result *result = points->results[point * FC_POINT_METHODS + method];
    return result ? fc_result_find(result, metric) : NULL;
}

double fc_paper_points_value(const fc_paper_points *points, size_t point, size_t method,
                             fc_metric_id metric) {
    const fc_metric *found = find(points, point, method, metric);
    return found ? found->value : (double)NAN;
}

double fc_paper_points_half_width(const fc_paper_points *points, size_t point,
                                  fc_metric_id metric) {
    const fc_metric *found = find(points, point, FC_POINT_SIMULATION, metric);
    return found ? found->half_width : (double)NAN;
}

double fc_paper_points_error(const fc_paper_points *points, size_t point, size_t method,
                             fc_metric_id metric) {
    return fc_paper_points_value(points, point, method, metric) /
               fc_paper_points_value(points, point, FC_POINT_SIMULATION, metric) -
           1;
}
