#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "flitcast/flitcast.h"
#include "studies/evaluate.h"

/* Scenarios are made and freed in chunks, so that a long sweep holds results, not scenarios. */
enum { CHUNK = 1024, AXES_MAX = 16, METHODS_MAX = 32 };
static const double points_max = 5e6;

void fc_sweep_free(fc_sweep *sweep) {
    if (!sweep)
        return;
    for (size_t i = 0; sweep->results && i < sweep->point_count * sweep->method_count; ++i)
        fc_result_free(sweep->results[i]);
    for (size_t i = 0; sweep->axes && i < sweep->axis_count; ++i)
        fc_axis_clear(&sweep->axes[i]);
    fc_release(sweep->results);
    fc_release(sweep->methods);
    fc_release(sweep->axes);
    fc_release(sweep);
}

static bool copy_axis(const fc_axis *from, fc_axis *axis) {
    memcpy(axis->key, from->key, sizeof axis->key);
    axis->values = fc_allocate(from->count, sizeof *axis->values);
    if (!axis->values)
        return false;
    for (; axis->count < from->count; ++axis->count) {
        axis->values[axis->count] = fc_copy_text(from->values[axis->count]);
        if (!axis->values[axis->count])
            return false;
    }
    return true;
}

/* The settings of one point; the last axis runs fastest. */
static void settings_of(const fc_sweep *sweep, size_t point, fc_setting *settings) {
    for (size_t a = sweep->axis_count; a-- > 0;) {
        const fc_axis *axis = &sweep->axes[a];
        settings[a] = (fc_setting){axis->key, axis->values[point % axis->count]};
        point /= axis->count;
    }
}

static fc_status check_size(const fc_sweep_settings *sweep, fc_error *error, size_t *points) {
    double product = 1;
    if (sweep->axis_count > AXES_MAX)
        return fc_fail(error, FC_ERROR_INPUT, "at most %d keys can be varied at once", AXES_MAX);
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        product *= (double)sweep->axes[a].count;
        for (size_t b = 0; b < a; ++b) {
            if (strcmp(sweep->axes[a].key, sweep->axes[b].key) == 0)
                return fc_fail(error, FC_ERROR_INPUT, "--vary %s stands twice", sweep->axes[a].key);
        }
    }
    if (product > points_max)
        return fc_fail(error, FC_ERROR_INPUT, "the grid has %.3g points; at most %.0g are possible",
                       product, points_max);
    *points = (size_t)product;
    return FC_OK;
}

static fc_status create_sweep(const fc_scenario *base, const fc_sweep_settings *settings,
                              size_t points, fc_error *error, fc_sweep **result) {
    fc_sweep *sweep = fc_allocate(1, sizeof *sweep);
    if (!sweep)
        return fc_fail_memory(error);
    const size_t models = settings->model_count == SIZE_MAX ? 0
                          : settings->models                ? settings->model_count
                                                            : 1;
    sweep->point_count = points;
    sweep->method_count = models + settings->simulate;
    sweep->axes = fc_allocate(settings->axis_count, sizeof *sweep->axes);
    sweep->methods = fc_allocate(sweep->method_count, sizeof *sweep->methods);
    sweep->results = fc_allocate(points * sweep->method_count, sizeof *sweep->results);
    bool made = sweep->axes && sweep->methods && sweep->results;
    for (; made && sweep->axis_count < settings->axis_count; ++sweep->axis_count)
        made = copy_axis(&settings->axes[sweep->axis_count], &sweep->axes[sweep->axis_count]);
    if (!made) {
        fc_sweep_free(sweep);
        return fc_fail_memory(error);
    }
    for (size_t m = 0; m < models; ++m)
        snprintf(sweep->methods[m], FC_NAME_SIZE, "%s",
                 settings->models ? settings->models[m] : "model");
    if (settings->simulate)
        snprintf(sweep->methods[models], FC_NAME_SIZE, "simulation");
    snprintf(sweep->scenario_name, sizeof sweep->scenario_name, "%s", fc_scenario_name(base));
    snprintf(sweep->main_metric, sizeof sweep->main_metric, "%s", fc_scenario_main_metric(base));
    *result = sweep;
    return FC_OK;
}

static fc_status run_chunk(const fc_scenario *base, fc_sweep *sweep, size_t first, size_t count,
                           const char *const *models, size_t model_count, bool simulate,
                           const fc_run_settings *settings, fc_error *error) {
    fc_scenario *scenarios[CHUNK];
    fc_status status = FC_OK;
    size_t made = 0;
    for (; made < count && status == FC_OK; ++made) {
        fc_setting point[AXES_MAX];
        settings_of(sweep, first + made, point);
        status = fc_scenario_with(base, point, sweep->axis_count, error, &scenarios[made]);
        if (status != FC_OK)
            break;
    }
    if (status == FC_OK)
        status =
            fc_evaluate((const fc_scenario *const *)scenarios, count, models, model_count, simulate,
                        settings, error, sweep->results + first * sweep->method_count);
    for (size_t i = 0; i < made; ++i)
        fc_scenario_free(scenarios[i]);
    return status;
}

fc_status fc_sweep_run(const fc_scenario *base, const fc_sweep_settings *sweep,
                       const fc_run_settings *settings, fc_error *error, fc_sweep **result) {
    size_t points;
    fc_sweep *made;
    fc_status status = check_size(sweep, error, &points);
    if (status == FC_OK)
        status = create_sweep(base, sweep, points, error, &made);
    if (status != FC_OK)
        return status;
    const size_t model_count = made->method_count - sweep->simulate;
    static const char *const default_model[] = {NULL};
    const char *const *models = sweep->models ? sweep->models : default_model;
    /* a simulation takes long enough to report each; models are quick, report them by chunks */
    const size_t chunk = sweep->simulate ? 1 : CHUNK;
    for (size_t first = 0; first < points && status == FC_OK; first += chunk) {
        const size_t count = points - first < chunk ? points - first : chunk;
        fc_slice slice = {settings, (double)first / (double)points, (double)count / (double)points};
        const fc_run_settings inner = fc_slice_settings(&slice);
        status = run_chunk(base, made, first, count, models, model_count, sweep->simulate, &inner,
                           error);
    }
    /* what was finished before a stop is kept */
    if (status != FC_OK && status != FC_ERROR_CANCELLED) {
        fc_sweep_free(made);
        return status;
    }
    *result = made;
    return FC_OK;
}

/* ---- as a plot ---- */

static bool axis_is_numeric(const fc_axis *axis) {
    for (size_t i = 0; i < axis->count; ++i) {
        char *end;
        strtod(axis->values[i], &end);
        if (end == axis->values[i] || *end)
            return false;
    }
    return axis->count > 1;
}

static fc_status add_series(const fc_sweep *sweep, fc_plot *plot, size_t x_axis, size_t start,
                            size_t stride, size_t method, const char *metric, const char *label) {
    const fc_axis *axis = &sweep->axes[x_axis];
    double *values = fc_allocate(3 * axis->count, sizeof *values);
    if (!values)
        return FC_ERROR_MEMORY;
    double *x = values, *y = values + axis->count, *half_widths = values + 2 * axis->count;
    bool simulated = false, any = false;
    for (size_t i = 0; i < axis->count; ++i) {
        const fc_result *r = sweep->results[(start + i * stride) * sweep->method_count + method];
        const fc_metric *found = r ? fc_result_metric(r, metric) : NULL;
        x[i] = strtod(axis->values[i], NULL);
        y[i] = found ? found->value : NAN;
        half_widths[i] = found ? found->half_width : NAN;
        simulated |= r && r->kind == FC_SIMULATOR;
        any |= found != NULL;
    }
    const fc_status status =
        any ? fc_plot_add_series(plot, label, simulated ? FC_STYLE_POINTS : FC_STYLE_LINE, x, y,
                                 simulated ? half_widths : NULL, axis->count)
            : FC_OK;
    fc_release(values);
    return status;
}

static const char *unit_of(const fc_sweep *sweep, const char *metric) {
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        const fc_metric *found =
            sweep->results[i] ? fc_result_metric(sweep->results[i], metric) : NULL;
        if (found)
            return found->unit;
    }
    return NULL;
}

/* "simulation, network.rings=[4, 8]": the method and the values of the axes that are not x. */
static void label_of(const fc_sweep *sweep, size_t x_axis, size_t point, size_t method,
                     char label[160]) {
    fc_setting settings[AXES_MAX];
    settings_of(sweep, point, settings);
    size_t used = (size_t)snprintf(label, 160, "%s", sweep->methods[method]);
    for (size_t a = 0; a < sweep->axis_count && used < 150; ++a) {
        if (a != x_axis && sweep->axes[a].count > 1)
            used += (size_t)snprintf(label + used, 160 - used, ", %s=%s", settings[a].key,
                                     settings[a].value);
    }
}

fc_status fc_sweep_plot(const fc_sweep *sweep, const char *metric, fc_error *error,
                        fc_plot **plot) {
    size_t x_axis = sweep->axis_count;
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        if (axis_is_numeric(&sweep->axes[a]))
            x_axis = a;
    }
    if (x_axis == sweep->axis_count)
        return fc_fail(error, FC_ERROR_INPUT,
                       "a plot needs a varied key with at least two numbers");
    const char *name = metric ? metric : sweep->main_metric;
    const char *unit = unit_of(sweep, name);
    if (!unit)
        return fc_fail(error, FC_ERROR_INPUT, "no result of this sweep has a metric '%.60s'", name);
    char y_label[96];
    snprintf(y_label, sizeof y_label, unit[0] ? "%s (%s)" : "%s", name, unit);
    fc_plot *made = fc_plot_create(sweep->scenario_name, sweep->axes[x_axis].key, y_label);
    if (!made)
        return fc_fail_memory(error);
    size_t stride = 1;
    for (size_t a = x_axis + 1; a < sweep->axis_count; ++a)
        stride *= sweep->axes[a].count;
    fc_status status = FC_OK;
    for (size_t start = 0; start < sweep->point_count && status == FC_OK; ++start) {
        if (start / stride % sweep->axes[x_axis].count != 0)
            continue;
        for (size_t m = 0; m < sweep->method_count && status == FC_OK; ++m) {
            char label[160];
            label_of(sweep, x_axis, start, m, label);
            status = add_series(sweep, made, x_axis, start, stride, m, name, label);
        }
    }
    if (status != FC_OK) {
        fc_plot_free(made);
        return fc_fail_memory(error);
    }
    *plot = made;
    return FC_OK;
}
