#include "output/text/characters.h"
#include "output/text/grid.h"
#include "output/report/report.h"
#include "output/text/writing.h"

#include <stdlib.h>
#include <string.h>

static void write_underlined(const char *text, const char *line, const fc_write_settings *settings,
                             FILE *stream) {
    fc_ink(stream, settings->colour, FC_INK_BOLD);
    fc_write_wrapped(stream, text, 0, settings->width);
    fc_ink_end(stream, settings->colour);
    const size_t width = fc_text_width(text);
    fc_write_repeated(stream, line, width < settings->width ? width : settings->width);
    fputc('\n', stream);
}

static fc_status write_table(const fc_item *item, const fc_write_settings *settings, FILE *stream) {
    const fc_report_table *table = item->table;
    if (item->title[0])
        fc_write_wrapped(stream, item->title, 0, settings->width);
    fc_grid *grid = fc_grid_create((const char *const *)table->names, table->columns);
    fc_grid_set_keys(grid, table->keys, table->leave_out);
    for (size_t r = 0; r < table->rows; r++) {
        fc_grid_row(grid);
        for (size_t c = 0; c < table->columns; c++) {
            const fc_cell *cell = &table->cells[r * table->columns + c];
            char buffer[FC_CELL_SIZE];
            const char *text = fc_cell_text(cell, !settings->colour, buffer);
            if (cell->kind == FC_CELL_COMPARED)
                fc_grid_unbroken(grid, text);
            else
                fc_grid_cell(grid, text, fc_cell_is_number(cell));
        }
    }
    return fc_grid_write(grid, 2, settings, stream);
}

static void write_code(const fc_item *item, const fc_write_settings *settings, FILE *stream) {
    if (item->title[0])
        fc_write_wrapped(stream, item->title, 0, settings->width);
    for (const char *line = item->text; *line;) {
        const size_t bytes = strcspn(line, "\n");
        if (bytes)
            fputs("    ", stream);
        fwrite(line, 1, bytes, stream);
        fputc('\n', stream);
        line += bytes + (line[bytes] == '\n');
    }
}

static fc_status write_claim(const fc_item *item, const fc_write_settings *settings, FILE *stream) {
    const bool holds = fc_report_claim_holds(item->claim);
    char *found = fc_report_claim_found(item->claim);
    if (!found)
        return FC_ERROR_MEMORY;
    fc_ink(stream, settings->colour, holds ? FC_INK_GREEN : FC_INK_RED);
    fputs(holds ? "  holds  " : "  FAILS  ", stream);
    fc_ink_end(stream, settings->colour);
    const char *text = item->text;
    size_t indent = 0;
    while (text) {
        const char *next = NULL;
        const size_t bytes = fc_text_line(text, settings->width - 9, &next);
        fc_write_spaces(stream, bytes ? indent : 0);
        fwrite(text, 1, bytes, stream);
        fputc('\n', stream);
        text = next;
        indent = 9;
    }
    if (found[0])
        fc_write_wrapped(stream, found, 11, settings->width);
    free(found);
    return FC_OK;
}

static fc_status write_item(const fc_item *item, const fc_write_settings *settings, FILE *stream) {
    switch (item->kind) {
    case FC_ITEM_HEADING:
        write_underlined(item->text, settings->colour ? "─" : "-", settings, stream);
        return FC_OK;
    case FC_ITEM_TEXT:
        fc_write_wrapped(stream, item->text, 0, settings->width);
        return FC_OK;
    case FC_ITEM_CODE:
    case FC_ITEM_SCENARIO:
        write_code(item, settings, stream);
        return FC_OK;
    case FC_ITEM_TABLE:
        return write_table(item, settings, stream);
    case FC_ITEM_PLOT:
        return fc_plot_write_terminal(item->plot, settings, stream);
    case FC_ITEM_HEATMAP:
        return fc_heatmap_write_terminal(item->map, settings, stream);
    case FC_ITEM_DRAWING:
        fputs("(The page has a drawing here.)\n", stream);
        return FC_OK;
    case FC_ITEM_CLAIM:
        return write_claim(item, settings, stream);
    }
    return FC_ERROR_ARGUMENT;
}

fc_status fc_report_write_text(const fc_report *report, const fc_write_settings *settings,
                               FILE *stream) {
    fc_status status = FC_OK;
    char verdict[FC_CELL_SIZE];
    if (report->title[0])
        write_underlined(report->title, settings->colour ? "═" : "=", settings, stream);
    for (size_t i = 0; i < report->item_count && status == FC_OK; i++) {
        const bool claims = i > 0 && report->items[i].kind == FC_ITEM_CLAIM &&
                            report->items[i - 1].kind == FC_ITEM_CLAIM;
        const bool headed = i > 0 && report->items[i - 1].kind == FC_ITEM_HEADING;
        if (!claims && !headed && (i > 0 || report->title[0]))
            fputc('\n', stream);
        status = write_item(&report->items[i], settings, stream);
    }
    fc_report_verdict(report, verdict);
    if (verdict[0])
        fprintf(stream, "\n%s\n", verdict);
    return status;
}
