#include "output/heatmap.h"
#include "output/json.h"
#include "output/plot.h"
#include "output/report.h"

#include <math.h>
#include <string.h>

/* The key of a column: its name, or "column 3" if it has none, with a number if it repeats. */
static void column_key(const fc_report_table *table, size_t column, char *key, size_t size) {
    const char *name = table->names[column];
    size_t before = 0;
    for (size_t c = 0; c < column; c++)
        before += strcmp(table->names[c], name) == 0;
    if (!name[0])
        snprintf(key, size, "column %zu", column + 1);
    else if (before)
        snprintf(key, size, "%.200s %zu", name, before + 1);
    else
        snprintf(key, size, "%.200s", name);
}

static json_t *cell_value(const fc_cell *cell) {
    switch (cell->kind) {
    case FC_CELL_TEXT:
        return fc_json_text(cell->text ? cell->text : "");
    case FC_CELL_NUMBER:
    case FC_CELL_PERCENT:
        return fc_json_number(cell->value);
    case FC_CELL_INTERVAL:
        if (isfinite(cell->half_width))
            return json_pack("{s:f, s:f}", "value", cell->value, "half_width", cell->half_width);
        return json_pack("{s:f}", "value", cell->value);
    case FC_CELL_EMPTY:
        break;
    }
    return json_null();
}

static int add_table(json_t *object, const fc_item *item) {
    const fc_report_table *table = item->table;
    json_t *columns = json_array(), *rows = json_array();
    int failed = 0;
    char key[256];
    for (size_t c = 0; c < table->columns; c++) {
        column_key(table, c, key, sizeof key);
        failed |= json_array_append_new(columns, fc_json_text(key));
    }
    for (size_t r = 0; r < table->rows && !failed; r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->columns; c++) {
            column_key(table, c, key, sizeof key);
            failed |=
                json_object_set_new(row, key, cell_value(&table->cells[r * table->columns + c]));
        }
        failed |= json_array_append_new(rows, row);
    }
    failed |= json_object_set_new(object, "title", fc_json_text(item->title));
    failed |= json_object_set_new(object, "columns", columns);
    failed |= json_object_set_new(object, "rows", rows);
    return failed;
}

static json_t *numbers(const double *values, size_t count) {
    json_t *array = json_array();
    int failed = 0;
    for (size_t v = 0; v < count; v++)
        failed |= json_array_append_new(array, fc_json_number(values[v]));
    if (!failed)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *series_object(const fc_series *series) {
    json_t *object = json_object();
    int failed = json_object_set_new(object, "label", fc_json_text(series->label));
    failed |= json_object_set_new(object, "x", numbers(series->x, series->count));
    failed |= json_object_set_new(object, "y", numbers(series->y, series->count));
    if (series->half_widths)
        failed |=
            json_object_set_new(object, "half_width", numbers(series->half_widths, series->count));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int add_plot(json_t *object, const fc_plot *plot) {
    json_t *series = json_array(), *markers = json_array();
    int failed = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        failed |= json_array_append_new(series, series_object(&plot->series[s]));
    for (size_t m = 0; m < plot->marker_count; m++) {
        json_t *marker = json_object();
        failed |= json_object_set_new(marker, "label", fc_json_text(plot->markers[m].label));
        failed |= json_object_set_new(marker, "x", fc_json_number(plot->markers[m].x));
        failed |= json_array_append_new(markers, marker);
    }
    failed |= json_object_set_new(object, "title", fc_json_text(plot->title));
    failed |= json_object_set_new(object, "x_label", fc_json_text(plot->x_label));
    failed |= json_object_set_new(object, "y_label", fc_json_text(plot->y_label));
    failed |= json_object_set_new(object, "series", series);
    failed |= json_object_set_new(object, "markers", markers);
    return failed;
}

static int add_heatmap(json_t *object, const fc_heatmap *map) {
    json_t *rows = json_array();
    int failed = 0;
    for (size_t r = 0; r < map->rows; r++)
        failed |=
            json_array_append_new(rows, numbers(&map->values[r * map->columns], map->columns));
    failed |= json_object_set_new(object, "title", fc_json_text(map->title));
    failed |= json_object_set_new(object, "value_label", fc_json_text(map->value_label));
    failed |= json_object_set_new(object, "rows", rows);
    return failed;
}

static int add_claim(json_t *object, const fc_item *item) {
    int failed = json_object_set_new(object, "claim", fc_json_text(item->text));
    failed |= json_object_set_new(object, "found", fc_json_text(item->found));
    failed |= json_object_set_new(object, "holds", json_boolean(item->holds));
    return failed;
}

static json_t *item_object(const fc_item *item) {
    static const char *const kinds[] = {"heading", "text",    "code", "table",
                                        "plot",    "heatmap", "claim"};
    json_t *object = json_object();
    int failed = json_object_set_new(object, "kind", json_string(kinds[item->kind]));
    switch (item->kind) {
    case FC_ITEM_CODE:
        failed |= json_object_set_new(object, "title", fc_json_text(item->title));
        failed |= json_object_set_new(object, "text", fc_json_text(item->text));
        break;
    case FC_ITEM_HEADING:
    case FC_ITEM_TEXT:
        failed |= json_object_set_new(object, "text", fc_json_text(item->text));
        break;
    case FC_ITEM_TABLE:
        failed |= add_table(object, item);
        break;
    case FC_ITEM_PLOT:
        failed |= add_plot(object, item->plot);
        break;
    case FC_ITEM_HEATMAP:
        failed |= add_heatmap(object, item->map);
        break;
    case FC_ITEM_CLAIM:
        failed |= add_claim(object, item);
        break;
    }
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

fc_status fc_report_write_json(const fc_report *report, FILE *stream) {
    json_t *document = fc_json_document();
    json_t *items = json_array();
    int failed = json_object_set_new(document, "title", fc_json_text(report->title));
    for (size_t i = 0; i < report->item_count; i++)
        failed |= json_array_append_new(items, item_object(&report->items[i]));
    failed |= json_object_set_new(document, "items", items);
    if (failed) {
        json_decref(document);
        return FC_ERROR_MEMORY;
    }
    return fc_json_write(document, stream);
}
