/* The lines that models draw between the points of a sweep over the load.
 *
 * A line through the points alone has corners and ends at the last point that has an answer. Here
 * each model is asked at many more loads, up to the load at which it saturates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/progress.h"
#include "base/status.h"
#include "studies/evaluate.h"
#include "studies/run.h"
#include "studies/sweep_jobs.h"

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

fc_status fc_sweep_saturation(const fc_sweeping *run, const fc_model *model,
                              const fc_scenario *scenario, const fc_run_settings *settings,
                              double *own, double *shown) {
    const fc_saturation_settings wanted = {.model = model->info.name};
    fc_saturation *found;
    size_t count;
    *own = *shown = NAN;
    fc_status status = fc_saturate(scenario, &wanted, settings, NULL, &found, &count);
    if (status == FC_OK) {
        if (count)
            *own = *shown = found[0].load;
        fc_saturation_free(found);
    }
    if (status == FC_OK && fc_sweep_calibrates(run) && isfinite(*own)) {
        double calibrated = NAN;
        status = fc_calibrated_saturation(model, scenario, *own, NULL, &calibrated);
        *shown = isnan(calibrated) ? *own : calibrated;
    }
    return status == FC_ERROR_MEMORY || status == FC_ERROR_CANCELLED ? status : FC_OK;
}

static fc_status evaluate_line(const fc_scenario *base, const char *key, const char *model,
                               bool calibrate, const fc_run_settings *settings,
                               fc_sweep_line *line) {
    fc_scenario *scenarios[LINE_POINTS] = {NULL};
    fc_status status = FC_OK;
    for (size_t i = 0; i < LINE_POINTS && status == FC_OK; ++i) {
        char value[32];
        snprintf(value, sizeof value, "%.12g", line->loads[i]);
        const fc_setting setting = {key, value};
        status = fc_scenario_with(base, &setting, 1, NULL, &scenarios[i]);
    }
    if (status == FC_OK) {
        const fc_evaluation evaluation = {(const fc_scenario *const *)scenarios, LINE_POINTS,
                                          &model, 1, .calibrate = calibrate};
        status = fc_evaluate(&evaluation, settings, NULL, line->results);
    }
    for (size_t i = 0; i < LINE_POINTS; ++i)
        fc_scenario_free(scenarios[i]);
    return status == FC_ERROR_MEMORY ? status : FC_OK;
}

/* The line of one row (all loads, one value of each other key) by one model. */
static fc_status draw_line(const fc_sweeping *run, size_t axis, size_t point, size_t method,
                           const fc_run_settings *settings) {
    fc_sweep *sweep = run->sweep;
    const fc_axis *loads = &sweep->axes[axis];
    fc_scenario *first;
    fc_method chosen;
    if (fc_sweep_scenario(run->base, run->settings, point, NULL, &first) != FC_OK)
        return FC_OK;
    double own = NAN, saturation = NAN;
    fc_status status = FC_OK;
    const char *model = NULL;
    if (fc_sweep_method(run->settings, point * sweep->method_count + method, first, NULL,
                        &chosen) == FC_OK) {
        model = fc_method_info_of(chosen)->name;
        status = fc_sweep_saturation(run, chosen.model, first, settings, &own, &saturation);
    }
    const double low = strtod(loads->values[0], NULL);
    double high = strtod(loads->values[loads->count - 1], NULL);
    if (isfinite(own))
        high = fmin(high, just_below * fmin(own, saturation));
    if (status == FC_OK && model && high > low) {
        fc_sweep_line *line = &sweep->lines[sweep->line_count];
        line->point = point;
        line->method = method;
        line->count = LINE_POINTS;
        line->saturation = saturation;
        line->loads = fc_allocate(LINE_POINTS, sizeof *line->loads);
        line->results = fc_allocate(LINE_POINTS, sizeof *line->results);
        ++sweep->line_count;
        if (!line->loads || !line->results)
            status = FC_ERROR_MEMORY;
        for (size_t i = 0; i < LINE_POINTS && status == FC_OK; ++i)
            line->loads[i] = low + (high - low) * (double)i / (LINE_POINTS - 1);
        if (status == FC_OK)
            status = evaluate_line(first, sweep->load_key, model, fc_sweep_calibrates(run),
                                   settings, line);
    }
    fc_scenario_free(first);
    return status;
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

fc_status fc_sweep_draw_lines(const fc_sweeping *run, const fc_run_settings *settings,
                              fc_error *error) {
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
            const fc_status status = draw_line(run, axis, point, m, settings);
            if (status == FC_ERROR_MEMORY)
                return fc_fail_memory(error);
            if (status != FC_OK)
                return FC_OK; /* cancelled: the points are there */
        }
    }
    return FC_OK;
}
