/* The tables of a report, and its claims as one more. A column that holds intervals is followed by
 * one for their half widths. Where there is more than one table, an empty line separates them
 * and each line starts with the table's title. */
#include "output/text/characters.h"
#include "output/text/numbers.h"
#include "output/report/report.h"

#include <math.h>
#include <stdlib.h>

static bool has_intervals(const fc_report_table *table, size_t column) {
    for (size_t r = 0; r < table->rows; r++) {
        const fc_cell *cell = &table->cells[r * table->columns + column];
        if (cell->kind == FC_CELL_INTERVAL && isfinite(cell->half_width))
            return true;
    }
    return false;
}

static void write_cell(const fc_cell *cell, bool interval, FILE *stream) {
    char number[FC_NUMBER_SIZE] = "";
    if (cell->kind == FC_CELL_TEXT)
        fc_write_csv(stream, cell->text ? cell->text : "");
    else if (cell->kind != FC_CELL_EMPTY)
        fc_number_exact(cell->value, number);
    fputs(number, stream);
    if (!interval)
        return;
    number[0] = '\0';
    if (cell->kind == FC_CELL_INTERVAL)
        fc_number_exact(cell->half_width, number);
    fprintf(stream, ",%s", number);
}

static void write_table(const fc_item *item, bool titled, FILE *stream) {
    const fc_report_table *table = item->table;
    if (titled)
        fputs("table,", stream);
    for (size_t c = 0; c < table->columns; c++) {
        fputs(c ? "," : "", stream);
        fc_write_csv(stream, table->names[c]);
        if (has_intervals(table, c)) {
            char name[256];
            snprintf(name, sizeof name, "%.200s half width", table->names[c]);
            fputc(',', stream);
            fc_write_csv(stream, name);
        }
    }
    fputc('\n', stream);
    for (size_t r = 0; r < table->rows; r++) {
        if (titled) {
            fc_write_csv(stream, item->title);
            fputc(',', stream);
        }
        for (size_t c = 0; c < table->columns; c++) {
            fputs(c ? "," : "", stream);
            write_cell(&table->cells[r * table->columns + c], has_intervals(table, c), stream);
        }
        fputc('\n', stream);
    }
}

static void write_bound(double bound, FILE *stream) {
    char number[FC_NUMBER_SIZE] = "";
    if (isfinite(bound))
        fc_number_exact(bound, number);
    fprintf(stream, ",%s", number);
}

static fc_status write_claims(const fc_report *report, bool titled, FILE *stream) {
    fprintf(stream, "%sclaim,found,holds,quantity,unit,value,low,high\n", titled ? "table," : "");
    for (size_t i = 0; i < report->item_count; i++) {
        const fc_item *item = &report->items[i];
        if (item->kind != FC_ITEM_CLAIM)
            continue;
        const fc_report_claim *claim = item->claim;
        char *found = fc_report_claim_found(claim);
        if (!found)
            return FC_ERROR_MEMORY;
        fputs(titled ? "claims," : "", stream);
        fc_write_csv(stream, item->text);
        fputc(',', stream);
        fc_write_csv(stream, found);
        free(found);
        fprintf(stream, ",%s,", fc_report_claim_holds(claim) ? "true" : "false");
        fc_write_csv(stream, claim->quantity ? claim->quantity : "");
        fputc(',', stream);
        fc_write_csv(stream, claim->unit ? claim->unit : "");
        write_bound(claim->value, stream);
        write_bound(claim->low, stream);
        write_bound(claim->high, stream);
        fputc('\n', stream);
    }
    return FC_OK;
}

fc_status fc_report_write_csv(const fc_report *report, FILE *stream) {
    size_t failed;
    const bool claims = fc_report_claims(report, &failed) > 0;
    size_t tables = claims;
    for (size_t i = 0; i < report->item_count; i++)
        tables += report->items[i].kind == FC_ITEM_TABLE;
    size_t written = 0;
    for (size_t i = 0; i < report->item_count; i++) {
        if (report->items[i].kind != FC_ITEM_TABLE)
            continue;
        fputs(written++ ? "\n" : "", stream);
        write_table(&report->items[i], tables > 1, stream);
    }
    if (claims) {
        fputs(written ? "\n" : "", stream);
        return write_claims(report, tables > 1, stream);
    }
    return FC_OK;
}
