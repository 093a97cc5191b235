#include "output/pictures/heatmap.h"
#include "output/text/json.h"
#include "output/pictures/plot.h"
#include "output/report/report.h"

#include <math.h>
#include <stdlib.h>
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
    case FC_CELL_COMPARED:
        if (isfinite(cell->relative))
            return json_pack("{s:f, s:f}", "value", cell->value, "error", cell->relative);
        return json_pack("{s:f}", "value", cell->value);
    case FC_CELL_EMPTY:
        break;
    }
    return json_null();
}

static void add_table(json_t **object, const fc_item *item) {
    const fc_report_table *table = item->table;
    json_t *columns = json_array(), *rows = json_array();
    char key[256];
    for (size_t c = 0; c < table->columns; c++) {
        column_key(table, c, key, sizeof key);
        fc_json_append(&columns, fc_json_text(key));
    }
    for (size_t r = 0; r < table->rows; r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->columns; c++) {
            column_key(table, c, key, sizeof key);
            fc_json_set(&row, key, cell_value(&table->cells[r * table->columns + c]));
        }
        fc_json_append(&rows, row);
    }
    fc_json_set(object, "title", fc_json_text(item->title));
    fc_json_set(object, "columns", columns);
    fc_json_set(object, "rows", rows);
}

static json_t *numbers(const double *values, size_t count) {
    json_t *array = json_array();
    for (size_t v = 0; v < count; v++)
        fc_json_append(&array, fc_json_number(values[v]));
    return array;
}

static json_t *series_object(const fc_series *series) {
    json_t *object = json_object();
    fc_json_set(&object, "label", fc_json_text(series->label));
    fc_json_set(&object, "x", numbers(series->x, series->count));
    fc_json_set(&object, "y", numbers(series->y, series->count));
    if (series->half_widths)
        fc_json_set(&object, "half_width", numbers(series->half_widths, series->count));
    return object;
}

static void add_plot(json_t **object, const fc_plot *plot) {
    json_t *series = json_array(), *markers = json_array();
    for (size_t s = 0; s < plot->series_count; s++)
        fc_json_append(&series, series_object(&plot->series[s]));
    for (size_t m = 0; m < plot->marker_count; m++) {
        json_t *marker = json_object();
        fc_json_set(&marker, "label", fc_json_text(plot->markers[m].label));
        fc_json_set(&marker, "x", fc_json_number(plot->markers[m].x));
        if (fc_marker_has_bracket(&plot->markers[m])) {
            fc_json_set(&marker, "low", fc_json_number(plot->markers[m].low));
            fc_json_set(&marker, "high", fc_json_number(plot->markers[m].high));
        }
        fc_json_append(&markers, marker);
    }
    fc_json_set(object, "title", fc_json_text(plot->title));
    fc_json_set(object, "x_label", fc_json_text(plot->x_label));
    fc_json_set(object, "y_label", fc_json_text(plot->y_label));
    fc_json_set(object, "series", series);
    fc_json_set(object, "markers", markers);
    json_t *panels = plot->panel_count ? json_array() : NULL;
    for (size_t p = 0; p < plot->panel_count; p++) {
        json_t *panel = json_object();
        add_plot(&panel, plot->panels[p]);
        fc_json_append(&panels, panel);
    }
    if (plot->panel_count)
        fc_json_set(object, "panels", panels);
}

static void add_heatmap(json_t **object, const fc_heatmap *map) {
    json_t *rows = json_array();
    for (size_t r = 0; r < map->rows; r++)
        fc_json_append(&rows, numbers(&map->values[r * map->columns], map->columns));
    fc_json_set(object, "title", fc_json_text(map->title));
    fc_json_set(object, "value_label", fc_json_text(map->value_label));
    fc_json_set(object, "rows", rows);
}

static void add_claim(json_t **object, const fc_item *item) {
    const fc_report_claim *claim = item->claim;
    const struct {
        const char *key, *text;
    } texts[] = {{"source", claim->source},   {"quantity", claim->quantity},
                 {"unit", claim->unit},       {"bound", claim->bound},
                 {"read_at", claim->read_at}, {"remark", claim->remark}};
    char *found = fc_report_claim_found(claim);
    fc_json_set(object, "claim", fc_json_text(item->text));
    fc_json_set(object, "found", found ? fc_json_text(found) : NULL);
    fc_json_set(object, "holds", json_boolean(fc_report_claim_holds(claim)));
    free(found);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].text)
            fc_json_set(object, texts[i].key, fc_json_text(texts[i].text));
    }
    fc_json_set(object, "value", fc_json_number(claim->value));
    fc_json_set(object, "low", fc_json_number(claim->low)); /* null: no bound */
    fc_json_set(object, "high", fc_json_number(claim->high));
    if (claim->cells) {
        fc_json_set(object, "cells", json_integer((json_int_t)claim->cells));
        fc_json_set(object, "held", json_integer((json_int_t)claim->held));
    }
}

static json_t *item_object(const fc_item *item) {
    static const char *const kinds[] = {"heading", "text",    "code",  "table",   "plot",
                                        "heatmap", "drawing", "claim", "scenario"};
    json_t *object = json_object();
    fc_json_set(&object, "kind", json_string(kinds[item->kind]));
    switch (item->kind) {
    case FC_ITEM_CODE:
    case FC_ITEM_SCENARIO:
        fc_json_set(&object, "title", fc_json_text(item->title));
        fc_json_set(&object, "text", fc_json_text(item->text));
        break;
    case FC_ITEM_HEADING:
    case FC_ITEM_TEXT:
        fc_json_set(&object, "text", fc_json_text(item->text));
        break;
    case FC_ITEM_TABLE:
        add_table(&object, item);
        break;
    case FC_ITEM_PLOT:
        add_plot(&object, item->plot);
        break;
    case FC_ITEM_HEATMAP:
        add_heatmap(&object, item->map);
        break;
    case FC_ITEM_DRAWING:
        break;
    case FC_ITEM_CLAIM:
        add_claim(&object, item);
        break;
    }
    return object;
}

fc_status fc_report_write_json(const fc_report *report, FILE *stream) {
    json_t *document = fc_json_document();
    json_t *items = json_array();
    fc_json_set(&document, "title", fc_json_text(report->title));
    for (size_t i = 0; i < report->item_count; i++)
        fc_json_append(&items, item_object(&report->items[i]));
    fc_json_set(&document, "items", items);
    return fc_json_write(document, stream);
}
