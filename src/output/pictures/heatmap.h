/* The data of a heat map, and what its writers share. */
#ifndef FC_OUTPUT_HEATMAP_H
#define FC_OUTPUT_HEATMAP_H

#include "flitcast/flitcast.h"
#include "output/text/numbers.h"

struct fc_heatmap {
    char *title, *value_label, *column_axis, *row_axis;
    char **row_names; /* NULL: numbers */
    size_t rows, columns;
    double
        column_time; /* of a column, where they follow each other in time; 0: they have numbers */
    const char *time_unit;
    double *values;
    double low, high; /* of the colours; low > high: no value is finite */
    bool whole;       /* all of them are whole numbers */
};

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
