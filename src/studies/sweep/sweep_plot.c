/* A metric of a sweep over one of its axes, as a plot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/units.h"
#include "flitcast/flitcast.h"
#include "output/pictures/plot.h"
#include "registry/metrics.h"

enum { MARKERS_MAX = 4 };            /* more would hide the curves */
static const double height_most = 5; /* of the smallest latency */

/* A number, or one with a unit, in ns, bytes or GB/s; NaN: neither. */
static double number_of(const char *text) {
    fc_measured measured;
    char *end;
    const double number = strtod(text, &end);
    if (fc_measured_parse(text, &measured))
        return measured.value;
    return end != text && !*end ? number : (double)NAN;
}

static bool has_units(const fc_axis *axis) {
    fc_measured unused;
    return fc_measured_parse(axis->values[0], &unused);
}

static bool axis_is_numeric(const fc_axis *axis) {
    for (size_t i = 0; i < axis->count; ++i) {
        fc_measured unused;
        if (isnan(number_of(axis->values[i])) ||
            fc_measured_parse(axis->values[i], &unused) != has_units(axis))
            return false;
    }
    return axis->count > 1;
}

/* A unit of results, and how an axis shows it: in ns or GB/s if every result knows it. */
typedef struct scale {
    const char *unit;
    const char *shown;
} scale;

static scale scale_of(const fc_sweep *sweep, const char *unit) {
    const size_t jobs = sweep->point_count * sweep->method_count;
    fc_physical physical = {.unit = unit};
    for (size_t i = 0; i < jobs && unit; ++i) {
        if (sweep->results[i] && !fc_physical_of(&sweep->results[i]->units, unit, &physical))
            return (scale){unit, unit};
    }
    return (scale){unit, physical.unit};
}

/* Times a value of the result, to show it. */
static double factor_of(scale as, const fc_result *result) {
    fc_physical physical;
    return as.shown != as.unit && result && fc_physical_of(&result->units, as.unit, &physical)
               ? physical.factor
               : 1;
}

/* The load, if it is varied; else the key with the most numbers; axis_count: none has two. */
static size_t choose_x_axis(const fc_sweep *sweep) {
    size_t best = sweep->axis_count;
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        const fc_axis *axis = &sweep->axes[a];
        if (!axis_is_numeric(axis))
            continue;
        if (strcmp(axis->key, sweep->load_key) == 0)
            return a;
        if (best == sweep->axis_count || axis->count >= sweep->axes[best].count)
            best = a;
    }
    return best;
}

static bool is_load(const fc_sweep *sweep, const fc_axis *axis) {
    return strcmp(axis->key, sweep->load_key) == 0;
}

/* The points start, start + stride, ... of a method: all values of an axis, one of each other. */
typedef struct curve {
    size_t axis, start, stride, method;
    scale load, value;
} curve;

static fc_status add_series(const fc_sweep *sweep, const curve *shown, const char *metric,
                            const char *label, fc_plot *plot, bool *any) {
    const fc_axis *axis = &sweep->axes[shown->axis];
    double *values = fc_allocate(3 * axis->count, sizeof *values);
    if (!values)
        return FC_ERROR_MEMORY;
    double *x = values, *y = values + axis->count, *half_widths = values + 2 * axis->count;
    const bool over_load = is_load(sweep, axis) && !has_units(axis);
    bool simulated = false;
    for (size_t i = 0; i < axis->count; ++i) {
        const size_t point = shown->start + i * shown->stride;
        const fc_result *r = sweep->results[point * sweep->method_count + shown->method];
        const fc_metric *found = r ? fc_result_metric(r, metric) : NULL;
        const double factor = found ? factor_of(shown->value, r) : 1;
        x[i] = number_of(axis->values[i]) * (over_load ? factor_of(shown->load, r) : 1);
        y[i] = found ? found->value * factor : NAN;
        half_widths[i] = found ? found->half_width * factor : NAN;
        simulated |= r && r->kind == FC_SIMULATOR;
        *any |= found != NULL;
    }
    /* beside a model's line the simulations are points; alone they are joined */
    const fc_series_style style = !simulated                ? FC_STYLE_LINE
                                  : sweep->method_count > 1 ? FC_STYLE_POINTS
                                                            : FC_STYLE_LINE_POINTS;
    const fc_status status =
        *any ? fc_plot_add_series(plot, &(fc_series){.label = label,
                                                     .style = style,
                                                     .x = x,
                                                     .y = y,
                                                     .half_widths = simulated ? half_widths : NULL,
                                                     .count = axis->count})
             : FC_OK;
    fc_release(values);
    return status;
}

/* The line of a model between the points; false if it was not drawn. */
static bool add_line(const fc_sweep *sweep, const curve *shown, const char *metric,
                     const char *label, fc_plot *plot, fc_status *status) {
    for (size_t l = 0; l < sweep->line_count; ++l) {
        const fc_sweep_line *line = &sweep->lines[l];
        if (line->point != shown->start || line->method != shown->method ||
            strcmp(sweep->axes[shown->axis].key, sweep->load_key) != 0)
            continue;
        double *values = fc_allocate(2 * line->count, sizeof *values);
        double *loads = values + line->count;
        bool any = false;
        for (size_t i = 0; values && i < line->count; ++i) {
            const fc_metric *found =
                line->results[i] ? fc_result_metric(line->results[i], metric) : NULL;
            values[i] = found && line->results[i]->outcome == FC_OUTCOME_OK
                            ? found->value * factor_of(shown->value, line->results[i])
                            : NAN;
            loads[i] = line->loads[i] * factor_of(shown->load, line->results[i]);
            any |= isfinite(values[i]);
        }
        if (!values)
            *status = FC_ERROR_MEMORY;
        else if (any)
            *status = fc_plot_add_series(plot, &(fc_series){.label = label,
                                                            .style = FC_STYLE_LINE,
                                                            .x = loads,
                                                            .y = values,
                                                            .count = line->count});
        fc_release(values);
        return any || *status != FC_OK;
    }
    return false;
}

/* A configuration has one colour: its simulation and its first model, points and line. Further
 * models have colours of their own. */
static size_t colour_of(const fc_sweep *sweep, size_t configuration, size_t configurations,
                        size_t method) {
    const bool simulation = strcmp(sweep->methods[method], "simulation") == 0;
    return configuration + (simulation ? 0 : method) * configurations;
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

/* Of {topology: torus, radix: [4, 4]} the first value, torus; its length is 0 if there is none. */
static const char *first_value(const char *text, size_t *length) {
    const char *colon = text[0] == '{' ? strstr(text, ": ") : NULL;
    const char *value = colon ? colon + 2 : text;
    *length = colon ? strcspn(value, ",}") : 0;
    return value;
}

/* Whether the first values of its maps tell an axis's values apart. */
static bool first_values_differ(const fc_axis *axis) {
    for (size_t i = 0; i < axis->count; ++i) {
        size_t length, other;
        const char *value = first_value(axis->values[i], &length);
        if (!length)
            return false;
        for (size_t j = 0; j < i; ++j) {
            const char *before = first_value(axis->values[j], &other);
            if (other == length && strncmp(value, before, length) == 0)
                return false;
        }
    }
    return true;
}

/* The last part of the keys deep in a map: algorithm. */
static const char *short_key(const char *key) {
    const char *last = key;
    size_t dots = 0;
    for (const char *at = key; (at = strchr(at, '.')) != NULL; ++at, ++dots)
        last = at + 1;
    return dots > 2 ? last : key;
}

/* "simulation, network.rings=[4, 8]": the method and the values of the axes that are not x. A map
 * is named by its first value where that is enough: "model, torus". */
static void label_of(const fc_sweep *sweep, const curve *shown, char label[160]) {
    size_t used = (size_t)snprintf(label, 160, "%s", sweep->methods[shown->method]);
    size_t stride = sweep->point_count;
    for (size_t a = 0; a < sweep->axis_count && used < 150; ++a) {
        const fc_axis *axis = &sweep->axes[a];
        stride /= axis->count;
        if (a == shown->axis || axis->count < 2)
            continue;
        const char *value = axis->values[shown->start / stride % axis->count];
        size_t length;
        const char *name = first_value(value, &length);
        if (first_values_differ(axis))
            used += (size_t)snprintf(label + used, 160 - used, ", %.*s", (int)length, name);
        else
            used +=
                (size_t)snprintf(label + used, 160 - used, ", %s=%s", short_key(axis->key), value);
    }
}

static void extend(scale as, const fc_result *result, const char *metric, double *smallest,
                   double *largest) {
    const fc_metric *found = result ? fc_result_metric(result, metric) : NULL;
    if (found && found->value > 0) {
        const double value = found->value * factor_of(as, result);
        *smallest = fmin(*smallest, value);
        *largest = fmax(*largest, value);
    }
}

/* Values that grow by factors are drawn by factors. */
static bool grows_by_factors(const fc_axis *axis) {
    const double first = number_of(axis->values[0]);
    const double second = number_of(axis->values[1]);
    const double last = number_of(axis->values[axis->count - 1]);
    return first > 0 && axis->count > 2 && last >= 50 * first &&
           second - first < 0.2 * (last - first);
}

/* A latency near its pole would flatten everything else. */
static void limit_times(const fc_sweep *sweep, const char *metric, scale as, fc_plot *plot) {
    double smallest = INFINITY, largest = 0;
    const size_t jobs = sweep->point_count * sweep->method_count;
    for (size_t i = 0; i < jobs; ++i)
        extend(as, sweep->results[i], metric, &smallest, &largest);
    for (size_t l = 0; l < sweep->line_count; ++l) {
        for (size_t i = 0; i < sweep->lines[l].count; ++i)
            extend(as, sweep->lines[l].results[i], metric, &smallest, &largest);
    }
    if (strcmp(as.unit, "cycles") == 0 && largest > height_most * smallest)
        fc_plot_look_of(plot)->y_limit = height_most * smallest;
}

/* result: of that curve, which says what the load is physically */
static fc_status mark(scale as, const fc_axis *axis, const fc_result *result, const char *label,
                      double load, fc_plot *plot) {
    const double factor = factor_of(as, result);
    const double per_value = has_units(axis) ? 1 : factor;
    if (!isfinite(load) || load * factor < per_value * number_of(axis->values[0]) ||
        load * factor > per_value * number_of(axis->values[axis->count - 1]))
        return FC_OK;
    return fc_plot_add_marker(plot, label, load * factor);
}

/* Where the curves end by the model, if that lies between the first and the last load. */
static fc_status mark_saturation(const fc_sweep *sweep, const fc_axis *axis, scale as,
                                 fc_plot *plot) {
    if (strcmp(axis->key, sweep->load_key) != 0)
        return FC_OK;
    if (sweep->line_count < 2)
        return mark(as, axis, sweep->results[0], "saturation (model)", sweep->saturation, plot);
    fc_status status = FC_OK;
    for (size_t l = 0; l < sweep->line_count && l < MARKERS_MAX && status == FC_OK; ++l) {
        if (sweep->lines[l].method == 0)
            status = mark(as, axis, sweep->lines[l].results[0], "saturation (model)",
                          sweep->lines[l].saturation, plot);
    }
    return status;
}

static const char *unit_of_x(const fc_sweep *sweep, const fc_axis *axis, scale load) {
    fc_measured measured;
    if (fc_measured_parse(axis->values[0], &measured))
        return measured.kind == FC_TIME ? "ns" : measured.kind == FC_WIDTH ? "GB/s" : "bytes";
    return is_load(sweep, axis) ? load.shown : NULL;
}

static fc_plot *create_plot(const fc_sweep *sweep, const char *metric, const fc_axis *x,
                            const curve *axes) {
    char y_label[96], x_label[160];
    fc_plot_metric_label(metric, axes->value.shown, sizeof y_label, y_label);
    fc_plot_key_label(x->key, is_load(sweep, x), unit_of_x(sweep, x, axes->load), sizeof x_label,
                      x_label);
    return fc_plot_create(sweep->scenario_name, x_label, y_label);
}

/* A series for each method and combination of the other keys. axes: what all have in common. */
static fc_status add_curves(const fc_sweep *sweep, const char *metric, const curve *axes,
                            fc_plot *plot) {
    const size_t values = sweep->axes[axes->axis].count;
    size_t configuration = 0, drawn = 0;
    fc_status status = FC_OK;
    for (size_t start = 0; start < sweep->point_count && status == FC_OK; ++start) {
        if (start / axes->stride % values != 0)
            continue;
        for (size_t m = 0; m < sweep->method_count && status == FC_OK; ++m) {
            curve shown = *axes;
            char label[160];
            shown.start = start;
            shown.method = m;
            label_of(sweep, &shown, label);
            bool any = add_line(sweep, &shown, metric, label, plot, &status);
            if (!any)
                status = add_series(sweep, &shown, metric, label, plot, &any);
            if (any)
                fc_plot_set_colour(plot, drawn++,
                                   colour_of(sweep, configuration, sweep->point_count / values, m));
        }
        ++configuration;
    }
    return status;
}

static void choose_look(const fc_sweep *sweep, const char *metric, const curve *axes,
                        fc_plot *plot) {
    const fc_axis *x = &sweep->axes[axes->axis];
    fc_plot_look *look = fc_plot_look_of(plot);
    const size_t length = strlen(x->key);
    look->x_bytes = length > 5 && strcmp(x->key + length - 5, "bytes") == 0;
    if (!is_load(sweep, x) && grows_by_factors(x)) {
        look->log_x = true;
        look->log_y = strcmp(unit_of(sweep, metric), "cycles") == 0;
    } else {
        limit_times(sweep, metric, axes->value, plot);
    }
}

fc_status fc_sweep_plot(const fc_sweep *sweep, const char *metric, fc_error *error,
                        fc_plot **plot) {
    FC_IN_C_LOCALE;
    const size_t x_axis = choose_x_axis(sweep);
    if (x_axis == sweep->axis_count)
        return fc_fail(error, FC_ERROR_INPUT,
                       "a plot needs a varied key with at least two numbers");
    const char *name = metric ? metric : sweep->main_metric;
    const char *unit = unit_of(sweep, name);
    if (!unit)
        return fc_fail(error, FC_ERROR_INPUT, "no result of this sweep has a metric '%.60s'", name);
    const scale load = scale_of(sweep, unit_of(sweep, fc_metrics[FC_METRIC_THROUGHPUT].name));
    curve axes = {x_axis, 0, 1, 0, load, scale_of(sweep, unit)};
    for (size_t a = x_axis + 1; a < sweep->axis_count; ++a)
        axes.stride *= sweep->axes[a].count;
    fc_plot *made = create_plot(sweep, name, &sweep->axes[x_axis], &axes);
    if (!made)
        return fc_fail_memory(error);
    fc_status status = add_curves(sweep, name, &axes, made);
    if (status == FC_OK)
        status = mark_saturation(sweep, &sweep->axes[x_axis], load, made);
    if (status != FC_OK) {
        fc_plot_free(made);
        return fc_fail_memory(error);
    }
    choose_look(sweep, name, &axes, made);
    *plot = made;
    return FC_OK;
}
