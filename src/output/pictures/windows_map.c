/* Heat maps of what a simulation shows over time: a table with a row for each link or rank and a
 * column for each window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"

fc_heatmap *fc_result_time_map(const fc_result *result, const char *name) {
    static const struct {
        const char *table, *title, *value, *rows;
    } known[] = {
        {"windows", "utilisation of links over time", "utilisation",
         "link, as in the table channels"},
        {"progress", "progress of ranks", "share received", "rank"},
    };
    const fc_table *table = fc_result_table(result, name);
    size_t which = 0;
    while (which < 1 && strcmp(known[which].table, name) != 0)
        ++which;
    if (!table || strcmp(known[which].table, name) != 0)
        return NULL;
    char title[sizeof result->scenario_name + 64], columns[96];
    const unsigned long long length =
        table->columns > 1 ? strtoull(table->column_names[1] + strlen("from "), NULL, 10) : 0;
    snprintf(title, sizeof title, "%s: %s", result->scenario_name, known[which].title);
    if (length)
        snprintf(columns, sizeof columns, "time, in windows of %llu cycles", length);
    else
        snprintf(columns, sizeof columns, "time, one window");
    fc_heatmap *map =
        fc_heatmap_create(title, known[which].value, table->rows, table->columns, table->values);
    if (map && fc_heatmap_set_axes(map, columns, known[which].rows) != FC_OK) {
        fc_heatmap_free(map);
        map = NULL;
    }
    return map;
}
