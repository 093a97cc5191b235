/* The data of a plot, and what its writers share. */
#ifndef FC_OUTPUT_PLOT_H
#define FC_OUTPUT_PLOT_H

#include "flitcast/flitcast.h"
#include "output/pictures/scale.h"

typedef struct fc_marker {
    char *label;
    double x;
    double low, high; /* known to be between them; NaN: a line alone */
    size_t colour;    /* of a bracket */
} fc_marker;

struct fc_plot {
    char *title, *x_label, *y_label;
    char **x_names; /* NULL: numbers */
    size_t x_name_count;
    fc_plot_look look;
    fc_plot **panels;
    size_t panel_count;
    fc_series *series; /* their arrays are the plot's; colours count from 0 */
    size_t series_count;
    fc_marker *markers;
    size_t marker_count;
    bool incomplete; /* memory ran out for a series or a marker */
};

/* Series that belong together, such as the model and the simulation of one configuration, can be
 * given the same colour. series: number in the order they were added. */
void fc_plot_set_colour(fc_plot *plot, size_t series, size_t colour);
/* Names instead of numbers along the x axis: x = 0 is the first, 1 the second. Copied. */
fc_status fc_plot_set_x_names(fc_plot *plot, const char *const *names, size_t count);
/* The last marker is known to lie between low and high, which are shaded, in the colour of the
 * series that have it too. */
void fc_plot_set_bracket(fc_plot *plot, double low, double high, size_t colour);
/* A plot within this one, beside and below the others, with the same axes; the legend of the first
 * is that of all. Takes it over. The plot itself then has a title and no series. */
fc_status fc_plot_add_panel(fc_plot *plot, fc_plot *panel);

/* One file per format. */
fc_status fc_plot_write_svg(const fc_plot *plot, FILE *stream);
fc_status fc_plot_write_terminal(const fc_plot *plot, const fc_write_settings *settings,
                                 FILE *stream);
fc_status fc_plot_write_gnuplot(const fc_plot *plot, FILE *stream);

/* False for a gap: a point that is not finite, or not above 0 on a logarithmic axis. */
bool fc_plot_shows(const fc_plot *plot, double x, double y);
bool fc_plot_shows_marker(const fc_plot *plot, const fc_marker *marker);
static inline bool fc_marker_has_bracket(const fc_marker *marker) {
    return marker->low <= marker->high;
}
bool fc_plot_has_data(const fc_plot *plot);
bool fc_series_has_data(const fc_plot *plot, const fc_series *series);
/* Points, with or without a line through them. */
static inline bool fc_series_has_symbols(const fc_series *series) {
    return series->style == FC_STYLE_POINTS || series->style == FC_STYLE_LINE_POINTS;
}
/* The half width of a point, 0 if it has none. */
double fc_series_half_width(const fc_series *series, size_t point);
/* The axes that hold every point with its interval, and every marker. */
void fc_plot_axes(const fc_plot *plot, int wanted_x, int wanted_y, fc_scale *x, fc_scale *y);
/* A sentence on points a logarithmic axis or the limit keeps out, or an empty text. */
enum { FC_PLOT_NOTE_SIZE = 128 };
void fc_plot_note(const fc_plot *plot, const fc_scale *y, char text[FC_PLOT_NOTE_SIZE]);

/* The picture alone, for a page that has fc_svg_style already; standalone: a file of its own. */
void fc_plot_svg(const fc_plot *plot, bool standalone, FILE *stream);

/* "mean latency (cycles)", "offered load (messages per node and cycle)", "virtual channels": what a
 * metric or key is called on an axis. Without a unit (NULL or empty) the words alone. load: the key
 * of the load. */
void fc_plot_metric_label(const char *metric, const char *unit, size_t size, char *label);
void fc_plot_key_label(const char *key, bool load, const char *unit, size_t size, char *label);

#endif
