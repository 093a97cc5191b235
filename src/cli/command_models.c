#include "cli/cli.h"

enum { TEXT_SIZE = 2 * FC_ACCURACY_SIZE + 64 };

/* All cases, then those alone that no model was developed on. */
static const char *measured(const fc_method_info *info, char text[TEXT_SIZE]) {
    fc_accuracy all, held_out;
    char first[FC_ACCURACY_SIZE], second[FC_ACCURACY_SIZE];
    if (info->kind != FC_MODEL || fc_accuracy_overall(info->name, false, NULL, &all) != FC_OK ||
        fc_accuracy_overall(info->name, true, NULL, &held_out) != FC_OK)
        return info->accuracy;
    fc_accuracy_text(&all, first);
    fc_accuracy_text(&held_out, second);
    if (held_out.known)
        snprintf(text, TEXT_SIZE, "%s; on networks held out for testing: %s", first, second);
    else
        snprintf(text, TEXT_SIZE, "%s",
                 all.known        ? first
                 : info->accuracy ? info->accuracy
                                  : "not against simulation");
    return text;
}

static void add_row(fc_report *report, const fc_method_info *info) {
    char text[TEXT_SIZE], revision[16] = " ";
    fc_weights_info weights = {.file = " ", .hash = " ", .command = " "};
    const bool fitted = info->kind == FC_MODEL && fc_method_weights(info->name, &weights);
    if (fitted)
        snprintf(revision, sizeof revision, "%u", weights.revision);
    const fc_cell row[] = {text_cell(info->name),
                           text_cell(info->kind == FC_MODEL ? "model" : "simulator"),
                           text_cell(info->family),
                           text_cell(info->title),
                           text_cell(info->source),
                           text_cell(info->validity),
                           text_cell(measured(info, text)),
                           text_cell(weights.file),
                           text_cell(revision),
                           text_cell(weights.hash),
                           fitted ? number_cell((double)weights.networks, 0) : text_cell(" "),
                           text_cell(weights.command)};
    fc_report_add_row(report, row, sizeof row / sizeof *row);
}

/* For people: a heading and sentences for each. */
static void add_words(fc_report *report, const fc_method_info *info) {
    char text[TEXT_SIZE];
    fc_weights_info weights;
    fc_report_add_heading(report, info->name);
    fc_report_add_text(report, "%s (%s, %s%s).", info->title,
                       info->kind == FC_MODEL ? "model" : "simulator", info->family,
                       info->variant ? "; only when asked for by name" : "");
    fc_report_add_text(report, "Source: %s.", info->source);
    fc_report_add_text(report, "Valid for: %s.", info->validity);
    fc_report_add_text(report, "Measured%s: %s.", info->kind == FC_MODEL ? " alone" : "",
                       measured(info, text));
    if (info->kind == FC_MODEL && fc_method_weights(info->name, &weights))
        fc_report_add_text(report, "Corrected by %s, fitted to %zu simulated networks.",
                           weights.file, weights.networks);
}

static int run(arguments *given) {
    static const char *const columns[] = {"name",
                                          "kind",
                                          "networks",
                                          "what it is",
                                          "source",
                                          "valid for",
                                          "measured accuracy",
                                          "weights",
                                          "weights revision",
                                          "weights hash",
                                          "networks fitted",
                                          "weights made by"};
    fc_write_settings output;
    const int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    fc_report *report = fc_report_create("Models and simulators");
    if (!report)
        return fail(FC_ERROR_MEMORY, NULL);
    if (output.format != FC_FORMAT_TEXT)
        fc_report_add_table(report, "", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; fc_method_at(i); ++i) {
        if (output.format == FC_FORMAT_TEXT)
            add_words(report, fc_method_at(i));
        else
            add_row(report, fc_method_at(i));
    }
    const fc_status status = fc_report_write(report, &output, stdout);
    fc_report_free(report);
    return finish_output(status);
}

const command_info models_command = {
    .name = "models",
    .operands = "",
    .summary = "Every model: source, validity, measured accuracy",
    .text =
        "Lists the simulators too. Where several models cover a scenario, the first of this\n"
        "list is used, corrected with simulation data, unless --model names another. JSON\n"
        "has for each corrected model the file of its weights, its revision, what it was fitted\n"
        "to and the hashes of both.",
    .examples = "  flitcast models\n"
                "  flitcast models --format csv",
    .run = run,
};
