#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"method", "NAME", "only the results of one method"},
    {"outcome", "NAME", "only ok, saturated or not-converged"},
    {"settings", "TEXT", "only points whose settings contain the text"},
    {"metric", "NAME", "the metric to list (default: all, in JSON; the main one, in text)"},
    {"lines", NULL, "JSON Lines: one result object a line"},
    {0},
};

static bool is_wanted(const arguments *given, const fc_stored *row) {
    const char *method = arguments_value(given, "method");
    const char *outcome = arguments_value(given, "outcome");
    const char *settings = arguments_value(given, "settings");
    return (!method || strcmp(method, row->result->method) == 0) &&
           (!outcome || strcmp(outcome, fc_outcome_name(row->result->outcome)) == 0) &&
           (!settings || strstr(row->settings, settings));
}

/* Each row as one line: {"settings": {...}, "seed": 1, "result": {...}}. */
static fc_status write_lines(const arguments *given, const fc_stored *rows, size_t count) {
    const fc_write_settings json = {.format = FC_FORMAT_JSON};
    for (size_t i = 0; i < count; ++i) {
        char *text = NULL;
        size_t length = 0;
        if (!is_wanted(given, &rows[i]))
            continue;
        FILE *stream = open_memstream(&text, &length);
        if (!stream)
            return FC_ERROR_MEMORY;
        const fc_status status = fc_result_write(rows[i].result, &json, stream);
        if (fclose(stream) != 0 || status != FC_OK) {
            free(text);
            return FC_ERROR_MEMORY;
        }
        printf("{\"settings\": %s, \"seed\": %llu, \"made_by\": \"%s\", \"result\": ",
               rows[i].settings, (unsigned long long)rows[i].seed, rows[i].version);
        for (size_t c = 0; c < length; ++c) {
            if (text[c] != '\n') /* a newline inside a text is written as an escape */
                putchar(text[c]);
        }
        puts("}");
        free(text);
    }
    return FC_OK;
}

static const char *metric_of(const arguments *given, const fc_stored *row) {
    const char *name = arguments_value(given, "metric");
    return name ? name : row->result->main_metric;
}

static fc_status write_table(const arguments *given, const char *path, const fc_stored *rows,
                             size_t count, const fc_write_settings *output) {
    static const char *const columns[] = {"settings", "method", "seed",   "outcome",
                                          "metric",   "value",  "version"};
    fc_report *report = fc_report_create(path);
    if (!report)
        return FC_ERROR_MEMORY;
    fc_report_add_table(report, "", columns, 7);
    for (size_t i = 0; i < count; ++i) {
        const fc_stored *row = &rows[i];
        if (!is_wanted(given, row))
            continue;
        const char *name = metric_of(given, row);
        const fc_metric *metric = fc_result_metric(row->result, name);
        fc_cell value = number_cell(metric ? metric->value : (double)NAN, 6);
        if (metric && isfinite(metric->half_width))
            value = (fc_cell){
                .kind = FC_CELL_INTERVAL, .value = metric->value, .half_width = metric->half_width};
        char seed[24];
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)row->seed);
        const fc_cell cells[] = {
            text_cell(row->settings), text_cell(row->result->method),
            text_cell(seed),          text_cell(fc_outcome_name(row->result->outcome)),
            text_cell(name),          value,
            text_cell(row->version)};
        fc_report_add_row(report, cells, sizeof cells / sizeof *cells);
    }
    const fc_status status = fc_report_write(report, output, stdout);
    fc_report_free(report);
    return status;
}

static int check_outcome(const arguments *given) {
    const char *outcome = arguments_value(given, "outcome");
    const char *names[FC_OUTCOME_NOT_CONVERGED + 2] = {NULL};
    bool known = !outcome;
    for (int o = FC_OUTCOME_OK; o <= FC_OUTCOME_NOT_CONVERGED; ++o) {
        names[o] = fc_outcome_name((fc_outcome)o);
        known |= outcome && strcmp(outcome, names[o]) == 0;
    }
    char hint[HINT_SIZE];
    return known ? EXIT_DONE
                 : fail_usage("--outcome is '%s'%s Expected ok, saturated or not-converged",
                              outcome, hint_at(outcome, names, "", hint));
}

static int run(arguments *given) {
    fc_write_settings output;
    int code = output_settings(given, &output);
    if (code == EXIT_DONE)
        code = check_outcome(given);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_stored *rows;
    size_t count;
    fc_status status = fc_store_read(given->operands[0], &error, &rows, &count);
    if (status != FC_OK)
        return fail(status, &error);
    size_t unchecked = 0;
    for (size_t i = 0; i < count; ++i)
        unchecked += rows[i].unchecked;
    if (!arguments_has(given, "quiet"))
        say_unchecked(given->operands[0], unchecked);
    status = arguments_has(given, "lines")
                 ? write_lines(given, rows, count)
                 : write_table(given, given->operands[0], rows, count, &output);
    fc_stored_free(rows, count);
    return finish_output(status);
}

const command_info results_command = {
    .name = "results",
    .operands = "STORE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Lists what is in a result store",
    .text = "A store is the file that flitcast sweep --store keeps.",
    .examples =
        "  flitcast sweep mesh.yaml --vary traffic.rate=0.001,0.002 --store mesh.db --quiet\n"
        "  flitcast results mesh.db\n"
        "  flitcast results mesh.db --settings 0.002 --lines",
    .options = options,
    .run = run,
};
