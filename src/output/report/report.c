#include "output/report/report.h"

#include "base/memory.h"
#include "output/text/numbers.h"
#include "output/pictures/plot.h"
#include "output/text/writing.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

fc_report *fc_report_create(const char *title) {
    fc_report *report = fc_allocate(1, sizeof *report);
    if (!report)
        return NULL;
    report->title = fc_copy_text(title ? title : "");
    if (!report->title) {
        fc_release(report);
        return NULL;
    }
    return report;
}

static void table_free(fc_report_table *table) {
    if (!table)
        return;
    for (size_t c = 0; table->names && c < table->columns; c++)
        fc_release(table->names[c]);
    for (size_t c = 0; c < table->rows * table->columns; c++)
        fc_release((void *)table->cells[c].text);
    fc_release(table->names);
    fc_release(table->cells);
    fc_release(table);
}

void fc_report_free(fc_report *report) {
    if (!report)
        return;
    for (size_t i = 0; i < report->item_count; i++) {
        fc_item *item = &report->items[i];
        fc_release(item->title);
        fc_release(item->text);
        fc_report_claim_free(item->claim);
        table_free(item->table);
        fc_plot_free(item->plot);
        fc_heatmap_free(item->map);
    }
    fc_release(report->items);
    fc_release(report->title);
    fc_release(report);
}

void fc_report_fail(fc_report *report, fc_status status) {
    if (report->status == FC_OK)
        report->status = status;
}

static char *keep_text(fc_report *report, const char *text) {
    char *copy = fc_copy_text(text ? text : "");
    if (!copy)
        fc_report_fail(report, FC_ERROR_MEMORY);
    return copy;
}

/* printf into new memory. */
static char *keep_format(fc_report *report, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : fc_allocate((size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    else
        fc_report_fail(report, FC_ERROR_MEMORY);
    return text;
}

/* NULL after any failure: a report with holes is not worth filling. */
static fc_item *add_item(fc_report *report, fc_item_kind kind) {
    if (report->status != FC_OK)
        return NULL;
    fc_item *items =
        fc_make_room(report->items, &report->capacity, report->item_count, 1, sizeof *items);
    if (!items) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return NULL;
    }
    report->items = items;
    fc_item *item = &report->items[report->item_count++];
    *item = (fc_item){.kind = kind};
    return item;
}

void fc_report_add_heading(fc_report *report, const char *text) {
    fc_item *item = add_item(report, FC_ITEM_HEADING);
    if (item)
        item->text = keep_text(report, text);
}

void fc_report_add_text(fc_report *report, const char *format, ...) {
    fc_item *item = add_item(report, FC_ITEM_TEXT);
    if (!item)
        return;
    va_list arguments;
    va_start(arguments, format);
    item->text = keep_format(report, format, arguments);
    va_end(arguments);
}

void fc_report_add_code(fc_report *report, const char *title, const char *text) {
    fc_item *item = add_item(report, FC_ITEM_CODE);
    if (!item)
        return;
    item->title = keep_text(report, title);
    item->text = keep_text(report, text);
}

void fc_report_add_scenario(fc_report *report, const fc_scenario *scenario) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    const fc_status status = fc_scenario_write(scenario, stream);
    const bool closed = fclose(stream) == 0;
    if (status == FC_OK && closed) {
        char title[256];
        snprintf(title, sizeof title, "Scenario %.200s (%s)", fc_scenario_name(scenario),
                 fc_scenario_hash(scenario));
        fc_report_add_code(report, title, text);
    } else {
        fc_report_fail(report, status == FC_OK ? FC_ERROR_MEMORY : status);
    }
    free(text);
}

/* ---- tables ---- */

void fc_report_add_table(fc_report *report, const char *title, const char *const *column_names,
                         size_t columns) {
    fc_item *item = columns ? add_item(report, FC_ITEM_TABLE) : NULL;
    if (!columns)
        fc_report_fail(report, FC_ERROR_ARGUMENT);
    if (!item)
        return;
    item->title = keep_text(report, title);
    item->table = fc_allocate(1, sizeof *item->table);
    if (!item->table) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    item->table->columns = columns;
    item->table->names = fc_allocate(columns, sizeof *item->table->names);
    if (!item->table->names) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        item->table->names[c] = keep_text(report, column_names[c]);
}

/* The table that is being filled: the last item. */
static fc_report_table *open_table(fc_report *report) {
    if (report->status != FC_OK)
        return NULL;
    if (report->item_count == 0 || report->items[report->item_count - 1].kind != FC_ITEM_TABLE) {
        fc_report_fail(report, FC_ERROR_ARGUMENT);
        return NULL;
    }
    return report->items[report->item_count - 1].table;
}

void fc_report_set_keys(fc_report *report, size_t keys, bool leave_out) {
    fc_report_table *table = open_table(report);
    if (!table)
        return;
    table->keys = keys;
    table->leave_out = leave_out;
}

void fc_report_row(fc_report *report) {
    fc_report_table *table = open_table(report);
    if (!table)
        return;
    fc_cell *cells = fc_make_room(table->cells, &table->capacity, table->rows, 1,
                                  table->columns * sizeof *cells);
    if (!cells) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    table->cells = cells;
    memset(&table->cells[table->rows * table->columns], 0, table->columns * sizeof *table->cells);
    table->rows++;
    table->next = 0;
}

static fc_cell *add_cell(fc_report *report, fc_cell_kind kind) {
    fc_report_table *table = open_table(report);
    if (!table)
        return NULL;
    if (table->rows == 0 || table->next == table->columns) {
        fc_report_fail(report, FC_ERROR_ARGUMENT);
        return NULL;
    }
    fc_cell *cell = &table->cells[(table->rows - 1) * table->columns + table->next++];
    cell->kind = kind;
    return cell;
}

void fc_report_cell_text(fc_report *report, const char *format, ...) {
    fc_cell *cell = add_cell(report, FC_CELL_TEXT);
    if (!cell)
        return;
    va_list arguments;
    va_start(arguments, format);
    cell->text = keep_format(report, format, arguments);
    va_end(arguments);
}

static fc_cell *add_value(fc_report *report, fc_cell_kind kind, double value) {
    fc_cell *cell = add_cell(report, isfinite(value) ? kind : FC_CELL_EMPTY);
    if (cell)
        cell->value = value;
    return cell;
}

void fc_report_cell_number(fc_report *report, double value, int digits) {
    fc_cell *cell = add_value(report, FC_CELL_NUMBER, value);
    if (cell)
        cell->digits = digits;
}

void fc_report_cell_interval(fc_report *report, double value, double half_width) {
    fc_cell *cell = add_value(report, FC_CELL_INTERVAL, value);
    if (cell)
        cell->half_width = isfinite(half_width) ? half_width : (double)NAN;
}

void fc_report_add_row(fc_report *report, const fc_cell *cells, size_t count) {
    fc_report_row(report);
    for (size_t c = 0; c < count; c++) {
        const fc_cell *given = &cells[c];
        const bool number = given->kind != FC_CELL_TEXT && given->kind != FC_CELL_EMPTY;
        fc_cell *cell =
            add_cell(report, number && !isfinite(given->value) ? FC_CELL_EMPTY : given->kind);
        if (!cell)
            return;
        const fc_cell_kind kind = cell->kind;
        *cell = *given;
        cell->kind = kind;
        cell->text = kind == FC_CELL_TEXT ? keep_text(report, given->text) : NULL;
    }
}

void fc_report_cells_physical(fc_report *report, const fc_units *units, const fc_metric *metric) {
    fc_physical physical;
    const bool known = fc_metric_physical(units, metric, &physical);
    fc_report_cell_number(report, known ? metric->value * physical.factor : (double)NAN, 5);
    fc_report_cell_text(report, "%s", known ? physical.unit : "");
}

void fc_report_cell_compared(fc_report *report, double value, double relative) {
    fc_cell *cell = add_value(report, FC_CELL_COMPARED, value);
    if (cell)
        cell->relative = relative;
}

void fc_report_cell_percent(fc_report *report, double ratio) {
    add_value(report, FC_CELL_PERCENT, ratio);
}

bool fc_cell_is_number(const fc_cell *cell) {
    return cell->kind >= FC_CELL_NUMBER;
}

const char *fc_cell_text(const fc_cell *cell, bool plain, char buffer[FC_CELL_SIZE]) {
    char value[FC_NUMBER_SIZE], half_width[FC_NUMBER_SIZE];
    buffer[0] = '\0';
    switch (cell->kind) {
    case FC_CELL_EMPTY:
        break;
    case FC_CELL_TEXT:
        return cell->text ? cell->text : "";
    case FC_CELL_NUMBER:
        fc_number_text(cell->value, cell->digits, buffer);
        break;
    case FC_CELL_INTERVAL:
        fc_number_interval(cell->value, cell->half_width, value, half_width);
        snprintf(buffer, FC_CELL_SIZE, "%s%s%s", value,
                 half_width[0] ? (plain ? " +- " : " ± ") : "", half_width);
        break;
    case FC_CELL_COMPARED:
        fc_number_text(cell->value, 5, value);
        half_width[0] = '\0';
        if (isfinite(cell->relative))
            fc_number_percent(cell->relative, half_width);
        snprintf(buffer, FC_CELL_SIZE, "%s%s%s%s", value, half_width[0] ? " (" : "", half_width,
                 half_width[0] ? ")" : "");
        break;
    case FC_CELL_PERCENT:
        fc_number_percent(cell->value, buffer);
        break;
    }
    return buffer;
}

/* ---- plots and claims ---- */

void fc_report_add_plot(fc_report *report, fc_plot *plot) {
    fc_item *item = plot ? add_item(report, FC_ITEM_PLOT) : NULL;
    if (!plot || plot->incomplete)
        fc_report_fail(report, FC_ERROR_MEMORY);
    if (item)
        item->plot = plot;
    else
        fc_plot_free(plot);
}

void fc_report_add_heatmap(fc_report *report, fc_heatmap *map) {
    fc_item *item = map ? add_item(report, FC_ITEM_HEATMAP) : NULL;
    if (item)
        item->map = map;
    else
        fc_heatmap_free(map);
    if (!map)
        fc_report_fail(report, FC_ERROR_MEMORY);
}

void fc_report_add_drawing(fc_report *report, const char *svg) {
    fc_item *item = add_item(report, FC_ITEM_DRAWING);
    if (item)
        item->text = keep_text(report, svg);
}

void fc_report_add_claim(fc_report *report, const fc_report_claim *claim) {
    fc_item *item = add_item(report, FC_ITEM_CLAIM);
    if (!item)
        return;
    item->text = keep_text(report, claim->statement);
    item->claim = fc_report_claim_copy(claim);
    if (!item->claim)
        fc_report_fail(report, FC_ERROR_MEMORY);
}

void fc_report_add_scenario_file(fc_report *report, const char *title, const char *text) {
    fc_item *item = add_item(report, FC_ITEM_SCENARIO);
    if (!item)
        return;
    item->title = keep_text(report, title);
    item->text = keep_text(report, text);
}

fc_status fc_report_status(const fc_report *report) {
    return report->status;
}

static size_t count_items(const fc_report *report, fc_item_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < report->item_count; i++)
        count += report->items[i].kind == kind;
    return count;
}

static const fc_item *find_item(const fc_report *report, fc_item_kind kind, size_t index) {
    for (size_t i = 0; i < report->item_count; i++) {
        if (report->items[i].kind == kind && index-- == 0)
            return &report->items[i];
    }
    return NULL;
}

size_t fc_report_picture_count(const fc_report *report) {
    return count_items(report, FC_ITEM_PLOT) + count_items(report, FC_ITEM_HEATMAP);
}

fc_status fc_report_write_picture(const fc_report *report, size_t index,
                                  const fc_write_settings *settings, FILE *stream) {
    const size_t plots = count_items(report, FC_ITEM_PLOT);
    const fc_item *item = index < plots ? find_item(report, FC_ITEM_PLOT, index)
                                        : find_item(report, FC_ITEM_HEATMAP, index - plots);
    if (!item)
        return FC_ERROR_ARGUMENT;
    return item->plot ? fc_plot_write(item->plot, settings, stream)
                      : fc_heatmap_write(item->map, settings, stream);
}

const char *fc_report_scenario(const fc_report *report, size_t index) {
    const fc_item *item = find_item(report, FC_ITEM_SCENARIO, index);
    return item ? item->text : NULL;
}

size_t fc_report_claims(const fc_report *report, size_t *failed) {
    *failed = 0;
    for (size_t i = 0; i < report->item_count; i++)
        *failed += report->items[i].kind == FC_ITEM_CLAIM &&
                   !fc_report_claim_holds(report->items[i].claim);
    return count_items(report, FC_ITEM_CLAIM);
}

void fc_report_verdict(const fc_report *report, char text[FC_CELL_SIZE]) {
    size_t failed;
    const size_t claims = fc_report_claims(report, &failed);
    text[0] = '\0';
    if (claims == 1)
        snprintf(text, FC_CELL_SIZE, "The claim %s.", failed ? "does not hold" : "holds");
    else if (claims > 1 && failed == 0)
        snprintf(text, FC_CELL_SIZE, "All %zu claims hold.", claims);
    else if (claims > 1)
        snprintf(text, FC_CELL_SIZE, "%zu of %zu claims hold.", claims - failed, claims);
}

/* ---- writing ---- */

fc_status fc_report_write(const fc_report *report, const fc_write_settings *settings,
                          FILE *stream) {
    if (!report || !stream)
        return FC_ERROR_ARGUMENT;
    if (report->status != FC_OK)
        return report->status;
    const fc_write_settings used = fc_writing_settings(settings);
    fc_writing writing = fc_writing_begin();
    fc_status status = FC_ERROR_ARGUMENT;
    switch (used.format) {
    case FC_FORMAT_TEXT:
        status = fc_report_write_text(report, &used, stream);
        break;
    case FC_FORMAT_JSON:
        status = fc_report_write_json(report, stream);
        break;
    case FC_FORMAT_CSV:
        status = fc_report_write_csv(report, stream);
        break;
    case FC_FORMAT_HTML:
        status = fc_report_write_html(report, used.plot, stream);
        break;
    default:
        break;
    }
    return fc_writing_end(&writing, stream, status);
}

void fc_report_add_accuracy(fc_report *report, const fc_result *result) {
    char accuracy[FC_ACCURACY_SIZE];
    if (result->calibrated) {
        fc_report_add_text(report, "%s was corrected with data from %u simulated networks.",
                           result->method, result->calibrated);
        return;
    }
    fc_accuracy_text(&result->accuracy, accuracy);
    fc_report_add_text(report, "%s of %s: %s.", result->accuracy.known ? "Measured error" : "Error",
                       result->method,
                       result->accuracy.known ? accuracy
                                              : "not measured in networks like this one");
}
