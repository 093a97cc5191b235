/* The data of a plot, and what its writers share. */
#ifndef FC_OUTPUT_PLOT_H
#define FC_OUTPUT_PLOT_H

#include "flitcast/flitcast.h"
#include "output/pictures/scale.h"

typedef struct fc_series {
    char *label;
    fc_series_style style;
    size_t colour;
    size_t count;
    double *x, *y;
    double *half_widths; /* NULL: none */
} fc_series;

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
    bool log_x, log_y;
    bool x_bytes;
    double y_limit;       /* NaN: none */
    double y_max;         /* NaN: by the data */
    double width, height; /* of the whole picture; 0: by what it holds */
    fc_plot **panels;
    size_t panel_count;
    fc_series *series;
    size_t series_count;
    fc_marker *markers;
    size_t marker_count;
    bool incomplete; /* memory ran out for a series or a marker */
};

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
