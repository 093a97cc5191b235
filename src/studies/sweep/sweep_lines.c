/* The lines that models draw between the points of a sweep over the load.
 *
 * A line through the points alone has corners and ends at the last point that has an answer. Here
 * each model is asked at many more loads, up to the load at which it saturates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/status.h"
#include "forecast/forecast.h"
#include "studies/sweep/sweep_jobs.h"

enum { LINE_POINTS = 120, LINES_MAX = 24 };
static const double seconds_most = 3;    /* for all lines: later rows have their points only */
static const double just_below = 0.9995; /* the last load, of the saturation load */

/* The axis of the load; axis_count: it is not varied, or not by numbers. */
static size_t load_axis(const fc_sweep *sweep) {
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        if (strcmp(sweep->axes[a].key, sweep->load_key) == 0 && sweep->axes[a].count > 1)
            return a;
    }
    return sweep->axis_count;
}

static bool ends_the_sweep(fc_status status) {
    return status == FC_ERROR_MEMORY || status == FC_ERROR_CANCELLED;
}

fc_status fc_sweep_saturation(fc_method method, const fc_scenario *scenario, double *load) {
    fc_forecast *forecast;
    fc_load_range range;
    *load = NAN;
    fc_status status = fc_forecast_by(method, scenario, NULL, &forecast);
    if (status == FC_OK) {
        status = fc_forecast_saturation(forecast, NULL, &range);
        fc_forecast_free(forecast);
    }
    if (status == FC_OK)
        *load = range.load;
    return ends_the_sweep(status) ? status : FC_OK;
}

static fc_status evaluate_line(fc_forecast *forecast, const volatile int *cancel,
                               fc_sweep_line *line) {
    fc_status status = FC_OK;
    for (size_t i = 0; i < line->count && status == FC_OK; ++i)
        status = cancel && *cancel
                     ? FC_ERROR_CANCELLED
                     : fc_forecast_at(forecast, line->loads[i], NULL, &line->results[i]);
    return status;
}

static fc_status fill_line(const fc_sweeping *run, fc_forecast *forecast, const fc_axis *loads,
                           fc_sweep_line *line) {
    fc_load_range range;
    double low, high;
    if (!fc_parse_real(loads->values[0], &low) ||
        !fc_parse_real(loads->values[loads->count - 1], &high)) /* with a unit: "4 GB/s" */
        return FC_OK;
    fc_status status = fc_forecast_saturation(forecast, NULL, &range);
    if (status != FC_OK)
        return status;
    if (isfinite(range.load))
        high = fmin(high, just_below * range.load);
    if (!(high > low))
        return FC_OK;
    line->count = LINE_POINTS;
    line->saturation = range.load;
    line->loads = fc_allocate(LINE_POINTS, sizeof *line->loads);
    line->results = fc_allocate(LINE_POINTS, sizeof *line->results);
    if (!line->loads || !line->results)
        return FC_ERROR_MEMORY;
    for (size_t i = 0; i < LINE_POINTS; ++i)
        line->loads[i] = low + (high - low) * (double)i / (LINE_POINTS - 1);
    return evaluate_line(forecast, run->cancel, line);
}

/* The line of one row (all loads, one value of each other key) by one model. */
static fc_status draw_line(const fc_sweeping *run, size_t axis, size_t point, size_t method) {
    fc_sweep *sweep = run->sweep;
    fc_scenario *first;
    fc_method chosen;
    fc_forecast *forecast;
    fc_sweep_line line = {.point = point, .method = method};
    if (fc_sweep_scenario(run->base, run->settings, point, NULL, &first) != FC_OK)
        return FC_OK;
    fc_status status =
        fc_sweep_method(run->settings, point * sweep->method_count + method, first, NULL, &chosen);
    if (status == FC_OK)
        status = fc_forecast_by(chosen, first, NULL, &forecast);
    if (status == FC_OK) {
        status = fill_line(run, forecast, &sweep->axes[axis], &line);
        fc_forecast_free(forecast);
    }
    if (line.count)
        sweep->lines[sweep->line_count++] = line;
    fc_scenario_free(first);
    return ends_the_sweep(status) ? status : FC_OK;
}

void fc_sweep_lines_free(fc_sweep *sweep) {
    for (size_t l = 0; l < sweep->line_count; ++l) {
        fc_sweep_line *line = &sweep->lines[l];
        for (size_t i = 0; line->results && i < line->count; ++i)
            fc_result_free(line->results[i]);
        fc_release(line->results);
        fc_release(line->loads);
    }
    fc_release(sweep->lines);
}

fc_status fc_sweep_draw_lines(const fc_sweeping *run, fc_error *error) {
    fc_sweep *sweep = run->sweep;
    const size_t axis = load_axis(sweep), models = fc_sweep_models(run->settings);
    if (axis == sweep->axis_count || models == 0)
        return FC_OK;
    sweep->lines = fc_allocate(LINES_MAX, sizeof *sweep->lines);
    if (!sweep->lines)
        return fc_fail_memory(error);
    size_t stride = 1;
    for (size_t a = axis + 1; a < sweep->axis_count; ++a)
        stride *= sweep->axes[a].count;
    const double start = fc_clock_elapsed();
    for (size_t point = 0; point < sweep->point_count; ++point) {
        if (point / stride % sweep->axes[axis].count != 0)
            continue;
        for (size_t m = 0; m < models; ++m) {
            if (sweep->line_count == LINES_MAX || fc_clock_elapsed() - start > seconds_most)
                return FC_OK;
            const fc_status status = draw_line(run, axis, point, m);
            if (status == FC_ERROR_MEMORY)
                return fc_fail_memory(error);
            if (status != FC_OK)
                return FC_OK; /* cancelled: the points are there */
        }
    }
    return FC_OK;
}
