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
/* Where several curves share a frame: at least that many times the largest latency without load. */
static const double height_least = 1.4;

static size_t index_of(const fc_curve *curve, const char *metric) {
    size_t m = 0;
    while (m < curve->metric_count && strcmp(curve->metrics[m], metric) != 0)
        ++m;
    return m;
}

/* The curves of a picture, and what its axes count. */
typedef struct drawing {
    const fc_curve *const *curves;
    size_t count;
    fc_load_axis axis;
} drawing;

/* What an axis shows one of a unit as: in ns or GB/s if all curves know it, else as it is. */
static fc_physical axis_of(const drawing *all, const fc_curve *curve, const char *unit) {
    fc_physical physical = {1, unit};
    bool known = true;
    for (size_t c = 0; c < all->count; ++c)
        known &= fc_physical_of(&all->curves[c]->physical, unit, &physical);
    if (!known || !fc_physical_of(&curve->physical, unit, &physical))
        return (fc_physical){1, unit};
    return physical;
}

/* Of the load, on the axis; NaN: the curve does not know it. */
static fc_physical load_axis(const drawing *all, const fc_curve *curve) {
    const bool open = fc_metric_find(curve->metrics[0]) != FC_METRIC_EFFICIENCY;
    const double flits = open ? curve->physical.message_flits : 0;
    switch (all->axis) {
    case FC_LOAD_FLITS:
        return (fc_physical){flits > 0 ? flits : (double)NAN, "flits/node/cycle"};
    case FC_LOAD_CAPACITY:
        return (fc_physical){curve->capacity > 0 ? 1 / curve->capacity : (double)NAN,
                             "share of capacity"};
    case FC_LOAD_MESSAGES:
        return (fc_physical){1, curve->load_unit};
    case FC_LOAD_USUAL:
        break;
    }
    return axis_of(all, curve, curve->load_unit);
}

static bool counts_load(const char *metric) {
    const fc_metric_id id = fc_metric_find(metric);
    return id == FC_METRIC_THROUGHPUT || id == FC_METRIC_OFFERED;
}

static fc_physical value_axis(const drawing *all, const fc_curve *curve, size_t metric) {
    return counts_load(curve->metrics[metric]) && all->axis != FC_LOAD_USUAL
               ? load_axis(all, curve)
               : axis_of(all, curve, curve->units[metric]);
}

/* What is shown of a curve: one of its metrics, or the model. */
typedef struct shown {
    const fc_curve *curve;
    size_t metric;
    bool model;
    double per_load, per_value; /* on the axes */
} shown;

static shown of_metric(const drawing *all, const fc_curve *curve, size_t metric) {
    return (shown){.curve = curve,
                   .metric = metric,
                   .per_load = load_axis(all, curve).factor,
                   .per_value = value_axis(all, curve, metric).factor};
}

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

typedef struct points {
    double *x, *y, *half;
} points;

/* Returns how many points were written; those that are not known stay gaps. */
static size_t refine(points given, size_t count, size_t parts, points fine) {
    const double *x = given.x, *y = given.y, *half = given.half;
    size_t used = 0;
    for (size_t p = 0; p < count; ++p) {
        const bool joined = p + 1 < count && isfinite(y[p]) && isfinite(y[p + 1]);
        for (size_t k = 0; k < (joined ? parts : 1); ++k, ++used) {
            const double t = (double)k / (double)parts;
            fine.x[used] = k ? x[p] + t * (x[p + 1] - x[p]) : x[p];
            fine.y[used] = k ? cubic(x, y, p, count, t) : y[p];
            fine.half[used] = k ? (1 - t) * half[p] + t * half[p + 1] : half[p];
        }
    }
    return used;
}

/* Where an accepted load leaves the offered one: between two points, and at the largest load that
 * was seen to settle it has not yet. */
static bool bends_before(const shown *what, size_t p) {
    const fc_curve *curve = what->curve;
    return counts_load(curve->metrics[what->metric]) && !what->model && p > 0 &&
           curve->points[p].outcome == FC_OUTCOME_SATURATED &&
           curve->points[p - 1].load < curve->low && curve->low < curve->points[p].load;
}

static fc_status add_line(const shown *what, const char *label, fc_plot *plot) {
    const fc_curve *curve = what->curve;
    size_t count = curve->point_count + 1;
    const size_t parts = count > 2 ? 1 + LINE_POINTS / (count - 2) : 1, room = count * parts;
    double *numbers = fc_allocate(3 * (count + room), sizeof *numbers);
    if (!numbers)
        return FC_ERROR_MEMORY;
    double *x = numbers, *y = x + count, *half_widths = y + count;
    double *all_x = half_widths + count, *all_y = all_x + room, *all_half = all_y + room;
    count = 0;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (bends_before(what, p)) {
            x[count] = what->per_load * curve->low;
            y[count] = what->per_value * curve->low;
            half_widths[count++] = 0;
        }
        x[count] = what->per_load * point->load;
        y[count] =
            what->per_value * (what->model ? point->model : point->values[what->metric].value);
        half_widths[count++] = what->per_value * point->values[what->metric].half_width;
    }
    const size_t used =
        refine((points){x, y, half_widths}, count, parts, (points){all_x, all_y, all_half});
    const fc_status status =
        fc_plot_add_series(plot, &(fc_series){.label = label,
                                              .style = what->model ? FC_STYLE_LINE : FC_STYLE_BAND,
                                              .x = all_x,
                                              .y = all_y,
                                              .half_widths = what->model ? NULL : all_half,
                                              .count = used});
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
    const fc_status status = fc_plot_add_series(plot, &(fc_series){.label = "",
                                                                   .style = FC_STYLE_POINTS,
                                                                   .x = x,
                                                                   .y = y,
                                                                   .half_widths = half_widths,
                                                                   .count = used});
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

/* The largest value of a metric that is known well, and the largest that is drawn. */
static void find_most(const drawing *all, const fc_curve *curve, size_t metric, double *known,
                      double *drawn) {
    const double factor = value_axis(all, curve, metric).factor;
    *known = *drawn = 0;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_value value = curve->points[p].values[metric];
        if (isfinite(value.value))
            *drawn = fmax(*drawn, factor * value.value);
        if (curve->points[p].reliable && isfinite(value.half_width))
            *known = fmax(*known, factor * (value.value + value.half_width));
    }
}

/* The frame ends a little above the last value that is known well: what comes after it goes to
 * infinity, and so does its band. Several latencies of a frame end at a common height that all of
 * them reach, so that where one ends says nothing but its load; of several frames, which have the
 * same axis, the highest of those counts. */
static void limit_height(const drawing *all, size_t panels, const char *metric, fc_plot *plot) {
    double most = 0, height = 0, empty_most = 0;
    for (size_t p = 0; p < panels; ++p) {
        double common = INFINITY, empty = 0;
        for (size_t c = p; c < all->count; c += panels) {
            const fc_curve *curve = all->curves[c];
            const size_t m = index_of(curve, metric);
            double known, drawn;
            find_most(all, curve, m, &known, &drawn);
            most = fmax(most, known);
            common = fmin(common, drawn);
            if (isfinite(curve->zero_load))
                empty = fmax(empty, value_axis(all, curve, m).factor * curve->zero_load);
        }
        height = fmax(height, fmax(common, height_least * empty));
        empty_most = fmax(empty_most, empty);
    }
    if (all->count > 1 && empty_most > 0 && most > 0 && !counts_load(metric))
        fc_plot_look_of(plot)->y_max = fmin(head_room * most, height);
    else if (most > 0)
        fc_plot_look_of(plot)->y_limit = head_room * most;
}

/* One curve has room for the model and the slowest messages too. */
static fc_status add_single(const drawing *all, size_t metric, fc_plot *plot) {
    const fc_curve *curve = all->curves[0];
    const bool latency = fc_metric_find(curve->metrics[metric]) == FC_METRIC_LATENCY;
    const size_t slowest = index_of(curve, fc_metrics[FC_METRIC_LATENCY_P99].name);
    size_t series = 0;
    const shown mean = of_metric(all, curve, metric);
    fc_status status = add_curve(&mean, latency ? "mean" : curve->metrics[metric], &series, plot);
    if (status == FC_OK && latency && slowest < curve->metric_count) {
        const shown tail = of_metric(all, curve, slowest);
        status = add_curve(&tail, "99th percentile", &series, plot);
    }
    if (status == FC_OK && metric == 0 && curve->predicted_by[0]) {
        char label[FC_NAME_SIZE + 16];
        shown model = mean;
        model.model = true;
        snprintf(label, sizeof label, "model %s", curve->predicted_by);
        status = add_line(&model, label, plot);
        fc_plot_set_colour(plot, series, 0); /* that of the mean: it is the same network */
    }
    return status;
}

/* A frame shows the curves first, first + stride, ... */
typedef struct frame {
    const drawing *all;
    const char *const *labels; /* NULL: the names of the scenarios */
    size_t first, stride;
} frame;

/* Several have one entry in the legend: each bracket has the colour of its curve. */
static fc_status mark_saturation(const frame *in, fc_plot *plot) {
    fc_status status = FC_OK;
    const bool single = in->first + in->stride >= in->all->count;
    const char *label = single ? "saturation" : "saturation (bracket)";
    size_t number = 0;
    for (size_t c = in->first; c < in->all->count && status == FC_OK; c += in->stride, ++number) {
        const fc_curve *curve = in->all->curves[c];
        const double factor = load_axis(in->all, curve).factor;
        if (!isfinite(curve->saturation))
            continue;
        status = fc_plot_add_marker(plot, label, factor * curve->saturation);
        if (curve->low <= curve->saturation && curve->saturation <= curve->high)
            fc_plot_set_bracket(plot, factor * curve->low, factor * curve->high, number);
        label = "";
    }
    return status;
}

static fc_status fill_frame(const frame *in, const char *metric, fc_plot *plot) {
    const drawing *all = in->all;
    fc_status status = FC_OK;
    size_t series = 0;
    if (all->count == 1)
        status = add_single(all, index_of(all->curves[0], metric), plot);
    for (size_t c = in->first; all->count > 1 && c < all->count && status == FC_OK;
         c += in->stride) {
        const fc_curve *curve = all->curves[c];
        const shown what = of_metric(all, curve, index_of(curve, metric));
        status = add_curve(&what, in->labels ? in->labels[c] : curve->scenario_name, &series, plot);
    }
    return status == FC_OK ? mark_saturation(in, plot) : status;
}

static fc_status fail_metric(const fc_curve *curve, const char *name, fc_error *error) {
    char list[FC_CURVE_METRICS * FC_NAME_SIZE] = "";
    for (size_t m = 0, used = 0; m < curve->metric_count; ++m)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", m ? ", " : "",
                                 curve->metrics[m]);
    return fc_fail(error, FC_ERROR_INPUT, "a curve over %s has no metric '%.60s'; it has: %s",
                   curve->key, name, list);
}

static fc_status check_curves(const drawing *all, const char *name, fc_error *error) {
    for (size_t c = 0; c < all->count; ++c) {
        const fc_curve *curve = all->curves[c];
        if (strcmp(curve->key, all->curves[0]->key) != 0)
            return fc_fail(error, FC_ERROR_INPUT,
                           "a curve over %s and one over %s cannot share a picture",
                           all->curves[0]->key, curve->key);
        if (index_of(curve, name) == curve->metric_count)
            return fail_metric(curve, name, error);
        if (isnan(load_axis(all, curve).factor))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           all->axis == FC_LOAD_FLITS
                               ? "%s: its load is not counted in flits: the axis has messages"
                               : "%s: its capacity is not known: the axis has messages or flits",
                           curve->scenario_name);
    }
    return FC_OK;
}

static fc_plot *create_plot(const drawing *all, const char *metric, const char *title) {
    const fc_curve *curve = all->curves[0];
    const bool open = fc_metric_find(curve->metrics[0]) != FC_METRIC_EFFICIENCY;
    char label[160], x_label[160];
    fc_plot_metric_label(metric, value_axis(all, curve, index_of(curve, metric)).unit, sizeof label,
                         label);
    fc_plot_key_label(curve->key, open, load_axis(all, curve).unit, sizeof x_label, x_label);
    return fc_plot_create(title, x_label, label);
}

static fc_status add_panels(const drawing *all, const fc_curve_view *view, const char *metric,
                            fc_plot *plot) {
    fc_status status = FC_OK;
    for (size_t p = 0; p < view->panels && status == FC_OK; ++p) {
        const frame in = {all, view->labels, p, view->panels};
        fc_plot *panel = create_plot(all, metric, view->panel_titles[p]);
        status = panel ? fill_frame(&in, metric, panel) : FC_ERROR_MEMORY;
        if (status == FC_OK)
            status = fc_plot_add_panel(plot, panel);
        else
            fc_plot_free(panel);
    }
    return status;
}

fc_status fc_curve_plot(const fc_curve *const *curves, size_t count, const fc_curve_view *view,
                        fc_error *error, fc_plot **plot) {
    FC_IN_C_LOCALE;
    static const fc_curve_view usual = {0};
    if (!view)
        view = &usual;
    if (count == 0)
        return fc_fail(error, FC_ERROR_ARGUMENT, "there is no curve to plot");
    const drawing all = {curves, count, view->axis};
    const char *name = view->metric ? view->metric : curves[0]->metrics[0];
    fc_status status = check_curves(&all, name, error);
    if (status != FC_OK)
        return status;
    const char *title = view->title ? view->title : count == 1 ? curves[0]->scenario_name : "";
    fc_plot *made = create_plot(&all, name, title);
    if (!made)
        return fc_fail_memory(error);
    const frame whole = {&all, view->labels, 0, 1};
    status = view->panels ? add_panels(&all, view, name, made) : fill_frame(&whole, name, made);
    if (status != FC_OK) {
        fc_plot_free(made);
        return fc_fail_memory(error);
    }
    const bool with_slowest = count == 1 && fc_metric_find(name) == FC_METRIC_LATENCY;
    limit_height(&all, view->panels ? view->panels : 1,
                 with_slowest ? fc_metrics[FC_METRIC_LATENCY_P99].name : name, made);
    fc_plot_look *look = fc_plot_look_of(made);
    look->width = view->width;
    look->height = view->height;
    if (view->y_max > 0)
        look->y_max = view->y_max;
    *plot = made;
    return FC_OK;
}
