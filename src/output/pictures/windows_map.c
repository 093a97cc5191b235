/* Heat maps of what a simulation shows over time: a table with a row for each link or rank and a
 * column for each window. Colours run from 0 to 1 always. Of many links the busiest are shown, the
 * busiest first: the others would be lines too thin to be told apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "flitcast/flitcast.h"
#include "output/pictures/heatmap.h"

enum { LINKS_MOST = 32 };

static double sum_of(const fc_table *table, size_t row) {
    double sum = 0;
    for (size_t c = 0; c < table->columns; ++c)
        sum += fmax(0, table->values[row * table->columns + c]);
    return sum;
}

/* The rows with the largest sums, the largest first; equal ones in their order. */
static void find_busiest(const fc_table *table, size_t wanted, size_t *rows) {
    for (size_t taken = 0; taken < wanted; ++taken) {
        size_t best = SIZE_MAX;
        for (size_t row = 0; row < table->rows; ++row) {
            bool used = false;
            for (size_t t = 0; t < taken; ++t)
                used |= rows[t] == row;
            if (!used && (best == SIZE_MAX || sum_of(table, row) > sum_of(table, best)))
                best = row;
        }
        rows[taken] = best;
    }
}

/* rows: of the table; NULL: the first `count` in their order. */
static fc_heatmap *map_of(const fc_table *table, const size_t *rows, size_t count,
                          const char *title, const char *value) {
    double *values = fc_allocate(count * table->columns, sizeof *values);
    const char **names = fc_allocate(count, sizeof *names);
    fc_heatmap *map = NULL;
    for (size_t r = 0; values && names && r < count; ++r) {
        const size_t row = rows ? rows[r] : r;
        names[r] = table->row_labels[row];
        memcpy(&values[r * table->columns], &table->values[row * table->columns],
               table->columns * sizeof *values);
    }
    if (values && names)
        map = fc_heatmap_create(title, value, count, table->columns, values);
    if (map && fc_heatmap_set_row_names(map, names) != FC_OK) {
        fc_heatmap_free(map);
        map = NULL;
    }
    fc_heatmap_set_range(map, 0, 1);
    fc_release(values);
    fc_release(names);
    return map;
}

static fc_heatmap *map_of_table(const fc_result *result, const fc_table *table, bool links) {
    char title[sizeof result->scenario_name + 96];
    const size_t count = links && table->rows > LINKS_MOST ? LINKS_MOST : table->rows;
    size_t rows[LINKS_MOST];
    if (!links)
        snprintf(title, sizeof title, "%s: progress of ranks", result->scenario_name);
    else if (count == table->rows)
        snprintf(title, sizeof title, "%s: utilisation of links over time", result->scenario_name);
    else
        snprintf(title, sizeof title, "%s: utilisation of the %zu busiest of %zu links over time",
                 result->scenario_name, count, table->rows);
    if (links)
        find_busiest(table, count, rows);
    return map_of(table, links ? rows : NULL, count, title,
                  links ? "utilisation" : "share received");
}

fc_heatmap *fc_result_time_map(const fc_result *result, const char *name) {
    const fc_table *table = fc_result_table(result, name);
    const bool links = strcmp(name, "windows") == 0;
    if (!table || !table->rows || !table->columns || !(links || strcmp(name, "progress") == 0))
        return NULL;
    char columns[96];
    const unsigned long long length =
        table->columns > 1 ? strtoull(table->column_names[1] + strlen("from "), NULL, 10) : 0;
    if (length)
        snprintf(columns, sizeof columns, "time, in windows of %llu cycles", length);
    else
        snprintf(columns, sizeof columns, "time, one window");
    fc_heatmap *map = map_of_table(result, table, links);
    if (map && fc_heatmap_set_axes(map, columns, links ? "link, from router to router" : "rank") !=
                   FC_OK) {
        fc_heatmap_free(map);
        map = NULL;
    }
    const double clock = result->units.clock_ghz;
    if (map) {
        map->column_time = clock > 0 ? (double)length / clock : (double)length;
        map->time_unit = clock > 0 ? "ns" : "cycles";
    }
    return map;
}
