#include "output/pictures/heatmap.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

fc_heatmap *fc_heatmap_create(const char *title, const char *value_label, size_t rows,
                              size_t columns, const double *values) {
    if (rows == 0 || columns == 0 || rows > SIZE_MAX / columns)
        return NULL;
    fc_heatmap *map = fc_allocate(1, sizeof *map);
    if (!map)
        return NULL;
    map->title = fc_copy_text(title ? title : "");
    map->value_label = fc_copy_text(value_label ? value_label : "");
    map->column_axis = fc_copy_text("");
    map->row_axis = fc_copy_text("");
    map->values = fc_allocate(rows * columns, sizeof *map->values);
    if (!map->title || !map->value_label || !map->column_axis || !map->row_axis || !map->values) {
        fc_heatmap_free(map);
        return NULL;
    }
    map->rows = rows;
    map->columns = columns;
    map->low = INFINITY;
    map->high = -INFINITY;
    map->whole = true;
    for (size_t v = 0; v < rows * columns; v++) {
        map->values[v] = values[v];
        if (isfinite(values[v])) {
            map->low = fmin(map->low, values[v]);
            map->high = fmax(map->high, values[v]);
            map->whole &= values[v] == floor(values[v]);
        }
    }
    return map;
}

void fc_heatmap_free(fc_heatmap *map) {
    if (!map)
        return;
    for (size_t r = 0; map->row_names && r < map->rows; r++)
        fc_release(map->row_names[r]);
    fc_release(map->row_names);
    fc_release(map->title);
    fc_release(map->value_label);
    fc_release(map->column_axis);
    fc_release(map->row_axis);
    fc_release(map->values);
    fc_release(map);
}

void fc_heatmap_set_range(fc_heatmap *map, double low, double high) {
    if (!map || !(low < high) || !(map->low <= map->high))
        return;
    map->low = low;
    map->high = high;
}

fc_status fc_heatmap_set_row_names(fc_heatmap *map, const char *const *names) {
    if (!map || !names || map->row_names)
        return FC_ERROR_ARGUMENT;
    map->row_names = fc_allocate(map->rows, sizeof *map->row_names);
    if (!map->row_names)
        return FC_ERROR_MEMORY;
    for (size_t r = 0; r < map->rows; r++) {
        map->row_names[r] = fc_copy_text(names[r]);
        if (!map->row_names[r])
            return FC_ERROR_MEMORY;
    }
    return FC_OK;
}

fc_status fc_heatmap_set_axes(fc_heatmap *map, const char *column_axis, const char *row_axis) {
    char *column_copy = fc_copy_text(column_axis ? column_axis : "");
    char *row_copy = fc_copy_text(row_axis ? row_axis : "");
    if (!column_copy || !row_copy) {
        fc_release(column_copy);
        fc_release(row_copy);
        return FC_ERROR_MEMORY;
    }
    fc_release(map->column_axis);
    fc_release(map->row_axis);
    map->column_axis = column_copy;
    map->row_axis = row_copy;
    return FC_OK;
}

double fc_heatmap_level(const fc_heatmap *map, double value) {
    /* Halved, so that the difference of the largest doubles does not overflow. */
    const double span = 0.5 * map->high - 0.5 * map->low;
    return span > 0 ? fmin(fmax((0.5 * value - 0.5 * map->low) / span, 0), 1) : 0.5;
}

fc_rgb fc_heat_colour(double level) {
    static const fc_rgb stops[] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},
                                   {49, 104, 142}, {38, 130, 142}, {31, 158, 137},
                                   {53, 183, 121}, {109, 205, 89}, {253, 231, 37}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    const double place = fmin(fmax(level, 0), 1) * LAST;
    const int stop = place >= LAST ? LAST - 1 : (int)place;
    const double share = place - stop;
    const fc_rgb a = stops[stop], b = stops[stop + 1];
    return (fc_rgb){.red = a.red + (int)lround(share * (b.red - a.red)),
                    .green = a.green + (int)lround(share * (b.green - a.green)),
                    .blue = a.blue + (int)lround(share * (b.blue - a.blue))};
}

bool fc_heat_wants_black(fc_rgb colour) {
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue > 128;
}

void fc_heatmap_number(const fc_heatmap *map, double value, char text[FC_NUMBER_SIZE]) {
    const double largest = fmax(fabs(map->low), fabs(map->high));
    if (map->whole || !isfinite(value) || largest >= 1e5 || largest < 1e-3) {
        fc_number_text(value, 3, text);
        return;
    }
    const int place = (int)floor(log10(largest));
    snprintf(text, FC_NUMBER_SIZE, "%.*f", place < 2 ? 2 - (place < -1 ? -1 : place) : 0, value);
}

fc_status fc_heatmap_write(const fc_heatmap *map, const fc_write_settings *settings, FILE *stream) {
    switch (settings ? settings->format : FC_FORMAT_TEXT) {
    case FC_FORMAT_TEXT:
        return fc_heatmap_write_terminal(map, settings, stream);
    case FC_FORMAT_SVG:
        return fc_heatmap_write_svg(map, stream);
    default:
        return FC_ERROR_ARGUMENT;
    }
}
