/* Curves as a picture: the band of each, its simulations, where it saturates. */
#include <math.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "flitcast/flitcast.h"
#include "output/pictures/plot.h"
#include "registry/result.h"

static const double head_room = 1.3; /* above the highest value that is known well */

static size_t index_of(const fc_curve *curve, const char *metric) {
    size_t m = 0;
    while (m < curve->metric_count && strcmp(curve->metrics[m], metric) != 0)
        ++m;
    return m;
}

/* What an axis shows one of a unit as: in ns or GB/s if all curves know it, else as it is. */
static fc_physical axis_of(const fc_curve *const *curves, size_t count, const fc_curve *curve,
                           const char *unit) {
    fc_physical physical = {1, unit};
    bool all = true;
    for (size_t c = 0; c < count; ++c)
        all &= fc_physical_of(&curves[c]->physical, unit, &physical);
    if (!all || !fc_physical_of(&curve->physical, unit, &physical))
        return (fc_physical){1, unit};
    return physical;
}

/* What is shown of a curve: one of its metrics, or the model. */
typedef struct shown {
    const fc_curve *curve;
    size_t metric;
    bool model;
    double per_load, per_value; /* on the axes */
} shown;

/* ---- lines: points enough that they look like the curves they are ---- */

enum { LINE_POINTS = 120 };

/* Slopes of a cubic between the points that rises and falls only where they do (Fritsch and
 * Butland's): the weighted harmonic mean of the slopes beside a point, 0 where their signs differ.
 */
static double slope_at(const double *x, const double *y, size_t p, size_t count) {
    const double left = p ? (y[p] - y[p - 1]) / (x[p] - x[p - 1]) : (double)NAN;
    const double right = p + 1 < count ? (y[p + 1] - y[p]) / (x[p + 1] - x[p]) : (double)NAN;
    if (!isfinite(left) || !isfinite(right)) /* an end */
        return isfinite(left) ? left : isfinite(right) ? right : 0;
    if (!(left * right > 0))
        return 0;
    const double before = x[p] - x[p - 1], after = x[p + 1] - x[p];
    const double w = (before + 2 * after) / (3 * (before + after));
    return left * right / (w * right + (1 - w) * left);
}

/* Between points p and p + 1, t in 0..1. */
static double cubic(const double *x, const double *y, size_t p, size_t count, double t) {
    const double h = x[p + 1] - x[p], u = 1 - t;
    return y[p] * u * u * (1 + 2 * t) + y[p + 1] * t * t * (3 - 2 * t) +
           h * t * u * (slope_at(x, y, p, count) * u - slope_at(x, y, p + 1, count) * t);
}

/* Returns how many points were written; those that are not known stay gaps. */
static size_t refine(const double *x, const double *y, const double *half, size_t count,
                     size_t parts, double *to_x, double *to_y, double *to_half) {
    size_t used = 0;
    for (size_t p = 0; p < count; ++p) {
        const bool joined = p + 1 < count && isfinite(y[p]) && isfinite(y[p + 1]);
        for (size_t k = 0; k < (joined ? parts : 1); ++k, ++used) {
            const double t = (double)k / (double)parts;
            to_x[used] = k ? x[p] + t * (x[p + 1] - x[p]) : x[p];
            to_y[used] = k ? cubic(x, y, p, count, t) : y[p];
            to_half[used] = k ? (1 - t) * half[p] + t * half[p + 1] : half[p];
        }
    }
    return used;
}

static fc_status add_line(const shown *what, const char *label, fc_plot *plot) {
    const fc_curve *curve = what->curve;
    const size_t count = curve->point_count;
    const size_t parts = count > 1 ? 1 + LINE_POINTS / (count - 1) : 1, room = count * parts;
    double *numbers = fc_allocate(3 * (count + room), sizeof *numbers);
    if (!numbers)
        return FC_ERROR_MEMORY;
    double *x = numbers, *y = x + count, *half_widths = y + count;
    double *all_x = half_widths + count, *all_y = all_x + room, *all_half = all_y + room;
    for (size_t p = 0; p < count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        x[p] = what->per_load * point->load;
        y[p] = what->per_value * (what->model ? point->model : point->values[what->metric].value);
        half_widths[p] = what->per_value * point->values[what->metric].half_width;
    }
    const size_t used = refine(x, y, half_widths, count, parts, all_x, all_y, all_half);
    const fc_status status =
        fc_plot_add_series(plot, label, what->model ? FC_STYLE_LINE : FC_STYLE_BAND, all_x, all_y,
                           what->model ? NULL : all_half, used);
    fc_release(numbers);
    return status;
}

static fc_status add_simulations(const shown *what, fc_plot *plot) {
    const fc_curve *curve = what->curve;
    double *numbers = fc_allocate(3 * curve->point_count, sizeof *numbers);
    if (!numbers)
        return FC_ERROR_MEMORY;
    double *x = numbers, *y = x + curve->point_count, *half_widths = y + curve->point_count;
    size_t used = 0;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (!point->simulated || !isfinite(point->measured[what->metric].value))
            continue;
        x[used] = what->per_load * point->load;
        y[used] = what->per_value * point->measured[what->metric].value;
        half_widths[used++] = what->per_value * point->measured[what->metric].half_width;
    }
    const fc_status status = fc_plot_add_series(plot, "", FC_STYLE_POINTS, x, y, half_widths, used);
    fc_release(numbers);
    return status;
}

/* The band, and the simulations in its colour; counts the series. */
static fc_status add_curve(const shown *what, const char *label, size_t *series, fc_plot *plot) {
    fc_status status = add_line(what, label, plot);
    if (status == FC_OK)
        status = add_simulations(what, plot);
    fc_plot_set_colour(plot, *series, *series / 2);
    fc_plot_set_colour(plot, *series + 1, *series / 2);
    *series += 2;
    return status;
}

/* The frame ends a little above the last value that is known well: what comes after it goes to
 * infinity, and so does its band. */
static void limit_height(const fc_curve *const *curves, size_t count, const char *metric,
                         fc_plot *plot) {
    const char *unit = curves[0]->units[index_of(curves[0], metric)];
    double most = 0;
    for (size_t c = 0; c < count; ++c) {
        const fc_curve *curve = curves[c];
        const size_t m = index_of(curve, metric);
        for (size_t p = 0; p < curve->point_count; ++p) {
            const fc_curve_point *point = &curve->points[p];
            if (point->reliable && isfinite(point->values[m].half_width))
                most = fmax(most, axis_of(curves, count, curve, unit).factor *
                                      (point->values[m].value + point->values[m].half_width));
        }
    }
    if (most > 0)
        fc_plot_set_y_limit(plot, head_room * most);
}

/* One curve has room for the model and the slowest messages too. */
static fc_status add_single(const fc_curve *curve, size_t metric, fc_plot *plot) {
    const double per_load = axis_of(&curve, 1, curve, curve->load_unit).factor;
    const double per_value = axis_of(&curve, 1, curve, curve->units[metric]).factor;
    const bool latency = fc_metric_find(curve->metrics[metric]) == FC_METRIC_LATENCY;
    const size_t slowest = index_of(curve, fc_metrics[FC_METRIC_LATENCY_P99].name);
    size_t series = 0;
    fc_status status = add_curve(&(shown){curve, metric, false, per_load, per_value},
                                 latency ? "mean" : curve->metrics[metric], &series, plot);
    if (status == FC_OK && latency && slowest < curve->metric_count)
        status = add_curve(&(shown){curve, slowest, false, per_load, per_value}, "99th percentile",
                           &series, plot);
    if (status == FC_OK && metric == 0 && curve->predicted_by[0]) {
        char label[FC_NAME_SIZE + 16];
        snprintf(label, sizeof label, "model %s", curve->predicted_by);
        status = add_line(&(shown){curve, metric, true, per_load, per_value}, label, plot);
        fc_plot_set_colour(plot, series, 0); /* that of the mean: it is the same network */
    }
    return status;
}

static fc_status add_all(const fc_curve *const *curves, size_t count, const char *metric,
                         fc_plot *plot) {
    if (count == 1)
        return add_single(curves[0], index_of(curves[0], metric), plot);
    fc_status status = FC_OK;
    size_t series = 0;
    for (size_t c = 0; c < count && status == FC_OK; ++c) {
        const fc_curve *curve = curves[c];
        const size_t m = index_of(curve, metric);
        const shown what = {curve, m, false, axis_of(curves, count, curve, curve->load_unit).factor,
                            axis_of(curves, count, curve, curve->units[m]).factor};
        status = add_curve(&what, curve->scenario_name, &series, plot);
    }
    return status;
}

static fc_status mark_saturation(const fc_curve *const *curves, size_t count, fc_plot *plot) {
    fc_status status = FC_OK;
    for (size_t c = 0; c < count && status == FC_OK; ++c) {
        char label[160] = "saturation";
        if (count > 1)
            snprintf(label, sizeof label, "saturation of %s", curves[c]->scenario_name);
        if (isfinite(curves[c]->saturation))
            status = fc_plot_add_marker(
                plot, label,
                curves[c]->saturation *
                    axis_of(curves, count, curves[c], curves[c]->load_unit).factor);
    }
    return status;
}

static fc_status fail_metric(const fc_curve *curve, const char *name, fc_error *error) {
    char list[FC_CURVE_METRICS * FC_NAME_SIZE] = "";
    for (size_t m = 0, used = 0; m < curve->metric_count; ++m)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", m ? ", " : "",
                                 curve->metrics[m]);
    return fc_fail(error, FC_ERROR_INPUT, "a curve over %s has no metric '%.60s'; it has: %s",
                   curve->key, name, list);
}

fc_status fc_curve_plot(const fc_curve *const *curves, size_t count, const char *metric,
                        fc_error *error, fc_plot **plot) {
    FC_IN_C_LOCALE;
    if (count == 0)
        return fc_fail(error, FC_ERROR_ARGUMENT, "there is no curve to plot");
    const char *name = metric ? metric : curves[0]->metrics[0];
    for (size_t c = 0; c < count; ++c) {
        if (strcmp(curves[c]->key, curves[0]->key) != 0)
            return fc_fail(error, FC_ERROR_INPUT,
                           "a curve over %s and one over %s cannot share a picture", curves[0]->key,
                           curves[c]->key);
        if (index_of(curves[c], name) == curves[c]->metric_count)
            return fail_metric(curves[c], name, error);
    }
    char label[96], x_label[96];
    const char *unit = curves[0]->units[index_of(curves[0], name)];
    fc_plot_label(name, axis_of(curves, count, curves[0], unit).unit, sizeof label, label);
    fc_plot_label(curves[0]->key, axis_of(curves, count, curves[0], curves[0]->load_unit).unit,
                  sizeof x_label, x_label);
    const char *title = count == 1 ? curves[0]->scenario_name : "";
    fc_plot *made = fc_plot_create(title, x_label, label);
    if (!made)
        return fc_fail_memory(error);
    fc_status status = add_all(curves, count, name, made);
    if (status == FC_OK)
        status = mark_saturation(curves, count, made);
    if (status != FC_OK) {
        fc_plot_free(made);
        return fc_fail_memory(error);
    }
    const bool with_slowest = count == 1 && fc_metric_find(name) == FC_METRIC_LATENCY;
    limit_height(curves, count, with_slowest ? fc_metrics[FC_METRIC_LATENCY_P99].name : name, made);
    *plot = made;
    return FC_OK;
}
