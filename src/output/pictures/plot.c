#include "output/pictures/plot.h"

#include "base/memory.h"
#include "registry/metrics.h"

#include <math.h>
#include <string.h>

fc_plot *fc_plot_create(const char *title, const char *x_label, const char *y_label) {
    fc_plot *plot = fc_allocate(1, sizeof *plot);
    if (!plot)
        return NULL;
    plot->title = fc_copy_text(title ? title : "");
    plot->x_label = fc_copy_text(x_label ? x_label : "");
    plot->y_label = fc_copy_text(y_label ? y_label : "");
    plot->look.y_limit = plot->look.y_max = (double)NAN;
    if (!plot->title || !plot->x_label || !plot->y_label) {
        fc_plot_free(plot);
        return NULL;
    }
    return plot;
}

static void series_release(fc_series *series) {
    fc_release((void *)series->label);
    fc_release((void *)series->x);
    fc_release((void *)series->y);
    fc_release((void *)series->half_widths);
}

void fc_plot_free(fc_plot *plot) {
    if (!plot)
        return;
    for (size_t s = 0; s < plot->series_count; s++)
        series_release(&plot->series[s]);
    for (size_t m = 0; m < plot->marker_count; m++)
        fc_release(plot->markers[m].label);
    for (size_t n = 0; n < plot->x_name_count; n++)
        fc_release(plot->x_names[n]);
    for (size_t p = 0; p < plot->panel_count; p++)
        fc_plot_free(plot->panels[p]);
    fc_release(plot->panels);
    fc_release(plot->x_names);
    fc_release(plot->series);
    fc_release(plot->markers);
    fc_release(plot->title);
    fc_release(plot->x_label);
    fc_release(plot->y_label);
    fc_release(plot);
}

fc_plot_look *fc_plot_look_of(fc_plot *plot) {
    return &plot->look;
}

static double *copy_numbers(const double *numbers, size_t count) {
    double *copy = fc_allocate(count, sizeof *copy);
    if (copy && count)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

static fc_status fall_short(fc_plot *plot) {
    plot->incomplete = true;
    return FC_ERROR_MEMORY;
}

fc_status fc_plot_add_series(fc_plot *plot, const fc_series *series) {
    if (!plot || !series || (series->count && (!series->x || !series->y)))
        return FC_ERROR_ARGUMENT;
    fc_series *grown = fc_reallocate(plot->series, plot->series_count + 1, sizeof *plot->series);
    if (!grown)
        return fall_short(plot);
    plot->series = grown;
    const double *widths = series->half_widths;
    fc_series own = {.label = fc_copy_text(series->label ? series->label : ""),
                     .style = series->style,
                     .x = copy_numbers(series->x, series->count),
                     .y = copy_numbers(series->y, series->count),
                     .half_widths = widths ? copy_numbers(widths, series->count) : NULL,
                     .count = series->count,
                     .colour = series->colour ? series->colour - 1 : plot->series_count};
    if (!own.label || !own.x || !own.y || (widths && !own.half_widths)) {
        series_release(&own);
        return fall_short(plot);
    }
    plot->series[plot->series_count++] = own;
    return FC_OK;
}

void fc_plot_set_colour(fc_plot *plot, size_t series, size_t colour) {
    if (plot && series < plot->series_count)
        plot->series[series].colour = colour;
}

fc_status fc_plot_set_x_names(fc_plot *plot, const char *const *names, size_t count) {
    if (!plot || plot->x_names || !names || !count)
        return FC_ERROR_ARGUMENT;
    plot->x_names = fc_allocate(count, sizeof *plot->x_names);
    if (!plot->x_names)
        return fall_short(plot);
    for (; plot->x_name_count < count; plot->x_name_count++) {
        plot->x_names[plot->x_name_count] = fc_copy_text(names[plot->x_name_count]);
        if (!plot->x_names[plot->x_name_count])
            return fall_short(plot);
    }
    return FC_OK;
}

fc_status fc_plot_add_marker(fc_plot *plot, const char *label, double x) {
    if (!plot)
        return FC_ERROR_ARGUMENT;
    fc_marker *grown = fc_reallocate(plot->markers, plot->marker_count + 1, sizeof *plot->markers);
    if (!grown)
        return fall_short(plot);
    plot->markers = grown;
    fc_marker marker = {
        .label = fc_copy_text(label ? label : ""), .x = x, .low = (double)NAN, .high = (double)NAN};
    if (!marker.label)
        return fall_short(plot);
    plot->markers[plot->marker_count++] = marker;
    return FC_OK;
}

void fc_plot_set_bracket(fc_plot *plot, double low, double high, size_t colour) {
    if (!plot || plot->marker_count == 0)
        return;
    fc_marker *marker = &plot->markers[plot->marker_count - 1];
    marker->low = low;
    marker->high = high;
    marker->colour = colour;
}

fc_status fc_plot_add_panel(fc_plot *plot, fc_plot *panel) {
    if (!plot || !panel)
        return FC_ERROR_ARGUMENT;
    fc_plot **grown = fc_reallocate(plot->panels, plot->panel_count + 1, sizeof(fc_plot *));
    if (!grown) {
        fc_plot_free(panel);
        return fall_short(plot);
    }
    plot->panels = grown;
    plot->panels[plot->panel_count++] = panel;
    return FC_OK;
}

static bool drawable(double value, bool logarithmic) {
    return isfinite(value) && (!logarithmic || value > 0);
}

bool fc_plot_shows(const fc_plot *plot, double x, double y) {
    return drawable(x, plot->look.log_x) && drawable(y, plot->look.log_y);
}

bool fc_plot_shows_marker(const fc_plot *plot, const fc_marker *marker) {
    return drawable(marker->x, plot->look.log_x);
}

bool fc_plot_has_data(const fc_plot *plot) {
    for (size_t p = 0; p < plot->panel_count; p++) {
        if (fc_plot_has_data(plot->panels[p]))
            return true;
    }
    for (size_t s = 0; s < plot->series_count; s++) {
        if (fc_series_has_data(plot, &plot->series[s]))
            return true;
    }
    return false;
}

bool fc_series_has_data(const fc_plot *plot, const fc_series *series) {
    for (size_t p = 0; p < series->count; p++) {
        if (fc_plot_shows(plot, series->x[p], series->y[p]))
            return true;
    }
    return false;
}

double fc_series_half_width(const fc_series *series, size_t point) {
    if (!series->half_widths || !(series->half_widths[point] > 0) ||
        !isfinite(series->half_widths[point]))
        return 0;
    return series->half_widths[point];
}

typedef struct value_range {
    double low, high;
} value_range;

static void extend(value_range *range, double value, bool logarithmic) {
    if (drawable(value, logarithmic)) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

/* Of a plot and its panels. */
static void extend_by(const fc_plot *plot, value_range *x, value_range *y) {
    for (size_t s = 0; s < plot->series_count; s++) {
        const fc_series *series = &plot->series[s];
        for (size_t p = 0; p < series->count; p++) {
            if (!fc_plot_shows(plot, series->x[p], series->y[p]))
                continue;
            const double half_width = fc_series_half_width(series, p);
            extend(x, series->x[p], plot->look.log_x);
            extend(y, series->y[p], plot->look.log_y);
            /* a wide interval does not make a quantity that is positive negative */
            extend(y, fmax(series->y[p] - half_width, fmin(series->y[p], 0)), plot->look.log_y);
            extend(y, series->y[p] + half_width, plot->look.log_y);
        }
    }
    for (size_t m = 0; m < plot->marker_count; m++) {
        const fc_marker *marker = &plot->markers[m];
        extend(x, marker->x, plot->look.log_x);
        if (fc_marker_has_bracket(marker))
            extend(x, marker->high, plot->look.log_x);
    }
    for (size_t p = 0; p < plot->panel_count; p++)
        extend_by(plot->panels[p], x, y);
}

/* Of panels the largest: all have the same axis, and none is to lose its curves. */
static double limit_of(const fc_plot *plot) {
    double limit = isfinite(plot->look.y_limit) ? plot->look.y_limit : -INFINITY;
    for (size_t p = 0; p < plot->panel_count; p++)
        limit = fmax(limit, limit_of(plot->panels[p]));
    return limit > -INFINITY ? limit : INFINITY;
}

void fc_plot_axes(const fc_plot *plot, int wanted_x, int wanted_y, fc_scale *x_axis,
                  fc_scale *y_axis) {
    value_range x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    extend_by(plot, &x, &y);
    const fc_plot *first = plot->panel_count ? plot->panels[0] : plot;
    const double limit = limit_of(plot);
    if (isfinite(limit) && y.high > limit && y.low < limit)
        y.high = limit;
    if (plot->look.y_max > y.low)
        y.high = plot->look.y_max;
    if (first->x_names)
        fc_scale_names(x_axis, (const char *const *)first->x_names, first->x_name_count);
    else if (first->look.x_bytes)
        fc_scale_bytes(x_axis, x.low, x.high, first->look.log_x, wanted_x);
    else
        fc_scale_fit(x_axis, x.low, x.high, first->look.log_x, wanted_x);
    fc_scale_fit(y_axis, y.low, y.high, first->look.log_y, wanted_y);
    if (plot->look.y_max > y.low)
        fc_scale_end(y_axis, plot->look.y_max);
}

/* Points that are not shown: below a logarithmic axis, and above the frame. */
static void count_hidden(const fc_plot *plot, double limit, const fc_scale *y_axis, size_t *below,
                         size_t *above) {
    for (size_t s = 0; s < plot->series_count; s++) {
        const fc_series *series = &plot->series[s];
        for (size_t p = 0; p < series->count; p++) {
            const double x = series->x[p], y = series->y[p];
            *below += isfinite(x) && isfinite(y) && !fc_plot_shows(plot, x, y);
            *above += fc_series_has_symbols(series) && fc_plot_shows(plot, x, y) &&
                      isfinite(limit) && y > y_axis->high;
        }
    }
    for (size_t p = 0; p < plot->panel_count; p++)
        count_hidden(plot->panels[p], limit, y_axis, below, above);
}

void fc_plot_note(const fc_plot *plot, const fc_scale *y_axis, char text[FC_PLOT_NOTE_SIZE]) {
    size_t below = 0, above = 0;
    count_hidden(plot, fmin(limit_of(plot), isnan(plot->look.y_max) ? INFINITY : plot->look.y_max),
                 y_axis, &below, &above);
    text[0] = '\0';
    int used = 0;
    if (below)
        used = snprintf(text, FC_PLOT_NOTE_SIZE,
                        "%zu point%s at or below 0 cannot be shown on a logarithmic axis. ", below,
                        below == 1 ? "" : "s");
    if (above)
        used += snprintf(text + used, FC_PLOT_NOTE_SIZE - (size_t)used,
                         "%zu point%s above the frame. ", above, above == 1 ? " lies" : "s lie");
    if (used)
        text[used - 1] = '\0';
}

/* "messages/node/cycle" as "messages per node and cycle". */
static void write_label(const char *words, const char *unit, size_t size, char *label) {
    static const char per_node[] = "/node/cycle";
    const size_t length = unit ? strlen(unit) : 0, tail = sizeof per_node - 1;
    if (length > tail && strcmp(unit + length - tail, per_node) == 0)
        snprintf(label, size, "%s (%.*s per node and cycle)", words, (int)(length - tail), unit);
    else
        snprintf(label, size, length ? "%s (%s)" : "%s", words, unit);
}

/* The last part of a key or name, its underscores as spaces. */
static void spell(const char *name, size_t size, char *words) {
    const char *last = strrchr(name, '.');
    snprintf(words, size, "%s", last ? last + 1 : name);
    for (char *at = words; *at; ++at)
        *at = *at == '_' ? ' ' : *at;
}

void fc_plot_metric_label(const char *metric, const char *unit, size_t size, char *label) {
    const fc_metric_info *info = &fc_metrics[fc_metric_find(metric)];
    char words[96];
    if (info->name && !info->axis)
        spell(metric, sizeof words, words);
    else /* an expression stays what it is */
        snprintf(words, sizeof words, "%.95s", info->name ? info->axis : metric);
    write_label(words, unit, size, label);
}

void fc_plot_key_label(const char *key, bool load, const char *unit, size_t size, char *label) {
    char words[96] = "offered load";
    if (!load)
        spell(key, sizeof words, words);
    write_label(words, unit, size, label);
}

fc_status fc_plot_write(const fc_plot *plot, const fc_write_settings *settings, FILE *stream) {
    switch (settings ? settings->format : FC_FORMAT_TEXT) {
    case FC_FORMAT_TEXT:
        return fc_plot_write_terminal(plot, settings, stream);
    case FC_FORMAT_SVG:
        return fc_plot_write_svg(plot, stream);
    case FC_FORMAT_GNUPLOT:
        return fc_plot_write_gnuplot(plot, stream);
    default:
        return FC_ERROR_ARGUMENT;
    }
}
