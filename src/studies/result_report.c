/* One result as a page: numbers first, then pictures, then everything else; and its parts alone. */
#include <math.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/units.h"
#include "output/report/report.h"
#include "flitcast/flitcast.h"
#include "output/text/writing.h"
#include "studies/network_picture.h"

enum { COLUMNS_MAX = 24 }; /* of a table; the wider ones are over time, and drawn as maps */

static void add_metrics(fc_report *report, const fc_result *result) {
    static const char *const columns[] = {"metric", "value", "unit", "physical", ""};
    const bool units = fc_units_given(&result->units);
    fc_report_add_table(report, "", columns, units ? 5 : 3);
    for (size_t i = 0; i < result->metric_count; ++i) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s", result->metrics[i].name);
        fc_report_cell_interval(report, result->metrics[i].value, result->metrics[i].half_width);
        fc_report_cell_text(report, "%s", result->metrics[i].unit);
        if (units)
            fc_report_cells_physical(report, &result->units, &result->metrics[i]);
    }
}

static void add_parts(fc_report *report, const fc_result *result) {
    static const char *const columns[] = {"part", "cycles"};
    char title[FC_NAME_SIZE + 32];
    if (!result->part_count)
        return;
    snprintf(title, sizeof title, "%s is made of",
             result->parts_of[0] ? result->parts_of : "The whole");
    fc_report_add_table(report, title, columns, 2);
    for (size_t i = 0; i < result->part_count; ++i) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s", result->parts[i].name);
        fc_report_cell_number(report, result->parts[i].value, 5);
    }
}

static void add_table(fc_report *report, const fc_table *table) {
    const char *columns[COLUMNS_MAX + 1] = {""};
    if (table->columns > COLUMNS_MAX)
        return;
    for (size_t c = 0; c < table->columns; ++c)
        columns[c + 1] = table->column_names[c];
    fc_report_add_table(report, table->name, columns, table->columns + 1);
    for (size_t r = 0; r < table->rows; ++r) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s", table->row_labels[r]);
        for (size_t c = 0; c < table->columns; ++c)
            fc_report_cell_number(report, table->values[r * table->columns + c], 5);
    }
}

static void add_pictures(fc_report *report, const fc_result *result, const fc_scenario *scenario) {
    static const struct {
        const char *table, *heading;
    } maps[] = {{"windows", "Links over time"}, {"progress", "Ranks over time"}};
    fc_report_add_heading(report, "The network");
    if (fc_result_table(result, "channels"))
        fc_report_add_text(report,
                           "Links are coloured by the share of the time in which they were used.");
    fc_report_add_network(report, scenario, result);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
        if (!fc_result_table(result, maps[i].table))
            continue;
        fc_report_add_heading(report, maps[i].heading);
        fc_report_add_heatmap(report, fc_result_time_map(result, maps[i].table));
    }
}

static fc_report *make(const fc_result *result, const fc_scenario *scenario) {
    FC_IN_C_LOCALE;
    fc_report *report = fc_report_create(fc_scenario_name(scenario));
    if (!report)
        return NULL;
    fc_report_add_text(report, "%s %s: %s", result->kind == FC_MODEL ? "model" : "simulator",
                       result->method, fc_outcome_name(result->outcome));
    if (result->note[0])
        fc_report_add_text(report, "%s", result->note);
    add_metrics(report, result);
    char critical[FC_CRITICAL_MAX][FC_CRITICAL_SIZE];
    const size_t count = fc_critical_sentences(result, true, critical);
    for (size_t i = 0; i < count; ++i)
        fc_report_add_text(report, "%s", critical[i]);
    add_parts(report, result);
    add_pictures(report, result, scenario);
    fc_report_add_heading(report, "Tables");
    for (size_t i = 0; i < result->table_count; ++i)
        add_table(report, &result->tables[i]);
    fc_report_add_heading(report, "How it was obtained");
    fc_report_add_scenario(report, scenario);
    if (result->kind == FC_SIMULATOR)
        fc_report_add_text(report, "%.0f cycles in %u replications, seed %llu.", result->run.cycles,
                           result->run.replications, (unsigned long long)result->run.seed);
    return report;
}

static fc_status write_page(const fc_result *result, const fc_scenario *scenario,
                            const fc_write_settings *settings, FILE *stream) {
    if (!scenario)
        return FC_ERROR_ARGUMENT;
    fc_report *report = make(result, scenario);
    const fc_status status = report ? fc_report_write(report, settings, stream) : FC_ERROR_MEMORY;
    fc_report_free(report);
    return status;
}

static fc_status write_map(const fc_result *result, const char *name,
                           const fc_write_settings *settings, FILE *stream) {
    fc_heatmap *map = fc_result_time_map(result, name);
    const bool drawable = strcmp(name, "windows") == 0 || strcmp(name, "progress") == 0;
    const fc_status status = map        ? fc_heatmap_write(map, settings, stream)
                             : drawable ? FC_ERROR_MEMORY
                                        : FC_ERROR_ARGUMENT;
    fc_heatmap_free(map);
    return status;
}

fc_status fc_result_write_part(const fc_result *result, const fc_scenario *scenario,
                               const char *part, const fc_write_settings *settings, FILE *stream) {
    if (!result || !part || !stream)
        return FC_ERROR_ARGUMENT;
    const fc_write_settings chosen = fc_writing_settings(settings);
    if (strcmp(part, "report") == 0)
        return write_page(result, scenario, &chosen, stream);
    if (strcmp(part, "booksim") == 0)
        return fc_result_write_booksim(result, scenario, stream);
    if (strcmp(part, "deliveries") == 0)
        return fc_result_write_deliveries(result, scenario, stream);
    if (!fc_result_table(result, part))
        return FC_ERROR_ARGUMENT;
    return chosen.format == FC_FORMAT_CSV ? fc_result_write_table(result, part, stream)
                                          : write_map(result, part, &chosen, stream);
}
