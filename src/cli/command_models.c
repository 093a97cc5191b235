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

static void put_weights(fc_report *report, const fc_method_info *info) {
    fc_weights_info weights;
    if (info->kind != FC_MODEL || !fc_method_weights(info->name, &weights)) {
        for (int i = 0; i < 5; ++i)
            fc_report_cell_text(report, " ");
        return;
    }
    fc_report_cell_text(report, "%s", weights.file);
    fc_report_cell_text(report, "%u", weights.revision);
    fc_report_cell_text(report, "%s", weights.hash);
    fc_report_cell_number(report, (double)weights.networks, 0);
    fc_report_cell_text(report, "%s", weights.command);
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
    char text[TEXT_SIZE];
    const int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    fc_report *report = fc_report_create("Models and simulators");
    if (!report)
        return fail(FC_ERROR_MEMORY, NULL);
    if (output.format == FC_FORMAT_TEXT) {
        for (size_t i = 0; i < fc_method_count(); ++i) {
            const fc_method_info *info = fc_method_at(i);
            fc_report_add_heading(report, info->name);
            fc_report_add_text(report, "%s (%s, %s%s).", info->title,
                               info->kind == FC_MODEL ? "model" : "simulator", info->family,
                               info->variant ? "; only when asked for by name" : "");
            fc_report_add_text(report, "Source: %s.", info->source);
            fc_report_add_text(report, "Valid for: %s.", info->validity);
            fc_report_add_text(report, "Measured%s: %s.", info->kind == FC_MODEL ? " alone" : "",
                               measured(info, text));
            fc_weights_info weights;
            if (info->kind == FC_MODEL && fc_method_weights(info->name, &weights))
                fc_report_add_text(report, "Corrected by %s, fitted to %zu simulated networks.",
                                   weights.file, weights.networks);
        }
    } else {
        fc_report_add_table(report, "", columns, sizeof columns / sizeof *columns);
        for (size_t i = 0; i < fc_method_count(); ++i) {
            const fc_method_info *info = fc_method_at(i);
            fc_report_row(report);
            fc_report_cell_text(report, "%s", info->name);
            fc_report_cell_text(report, "%s", info->kind == FC_MODEL ? "model" : "simulator");
            fc_report_cell_text(report, "%s", info->family);
            fc_report_cell_text(report, "%s", info->title);
            fc_report_cell_text(report, "%s", info->source);
            fc_report_cell_text(report, "%s", info->validity);
            fc_report_cell_text(report, "%s", measured(info, text));
            put_weights(report, info);
        }
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
