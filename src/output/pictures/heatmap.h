/* A heat map: one value per cell of a grid, for example the efficiency of each node of a torus. */
#ifndef FC_OUTPUT_HEATMAP_H
#define FC_OUTPUT_HEATMAP_H

#include "flitcast/flitcast.h"
#include "output/text/numbers.h"

typedef struct fc_heatmap {
    char *title, *value_label, *column_axis, *row_axis;
    char **row_names; /* NULL: numbers */
    size_t rows, columns;
    double
        column_time; /* of a column, where they follow each other in time; 0: they have numbers */
    const char *time_unit;
    double *values;
    double low, high; /* of the colours; low > high: no value is finite */
    bool whole;       /* all of them are whole numbers */
} fc_heatmap;

/* values: rows x columns, row by row, the first row on top; copied. Values that are not finite
 * leave their cell empty. NULL if out of memory or a side is 0. */
fc_heatmap *fc_heatmap_create(const char *title, const char *value_label, size_t rows,
                              size_t columns, const double *values);
void fc_heatmap_free(fc_heatmap *map);
/* What the columns and the rows count, for example "dimension 0" and "dimension 1". */
fc_status fc_heatmap_set_axes(fc_heatmap *map, const char *column_axis, const char *row_axis);
/* The colours run from low to high whatever the values are, so that maps can be compared. */
void fc_heatmap_set_range(fc_heatmap *map, double low, double high);
/* Names instead of numbers beside the rows; as many as there are rows. Copied. */
fc_status fc_heatmap_set_row_names(fc_heatmap *map, const char *const *names);
/* As SVG or as text for a terminal. */
fc_status fc_heatmap_write(const fc_heatmap *map, const fc_write_settings *settings, FILE *stream);
fc_status fc_heatmap_write_svg(const fc_heatmap *map, FILE *stream);
fc_status fc_heatmap_write_terminal(const fc_heatmap *map, const fc_write_settings *settings,
                                    FILE *stream);

/* A simulation of a network of routers over time, with one column for each window of time. name:
 * "windows", the utilisation of each link; or "progress", the share of its data that each rank of a
 * workload has received. NULL if the result has no such table, or out of memory. */
fc_heatmap *fc_result_time_map(const fc_result *result, const char *name);

typedef struct fc_rgb {
    int red, green, blue; /* 0..255 */
} fc_rgb;

/* 0..1 along the range of the values; the middle if they are all equal. */
double fc_heatmap_level(const fc_heatmap *map, double value);
/* Dark blue to yellow, evenly lighter, so that the order shows in print and to every eye. */
fc_rgb fc_heat_colour(double level);
/* Whether text on that colour should be black rather than white. */
bool fc_heat_wants_black(fc_rgb colour);

/* A value to about three digits, all of the map to the same place. */
void fc_heatmap_number(const fc_heatmap *map, double value, char text[FC_NUMBER_SIZE]);

void fc_heatmap_svg(const fc_heatmap *map, bool standalone, FILE *stream);

#endif
