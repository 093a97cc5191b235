#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"man", NULL, "as the manual page flitcast-scenario(5)"},
    {0},
};

static void print_manual(void) {
    const char *family = "";
    printf(".TH FLITCAST-SCENARIO 5 \"\" \"Flitcast %s\" \"File formats\"\n", fc_version());
    puts(".SH NAME\nflitcast-scenario \\- a network, its traffic and how to simulate it\n"
         ".SH DESCRIPTION\nA scenario is a YAML file with the groups\n"
         ".BR network ,\n.B traffic\nand\n.BR simulation .\n"
         "Below, a key is written GROUP.KEY, as in\n.BR \"flitcast \\-\\-set\" .\n"
         "Every key is checked; nothing is ignored.");
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        const char *owner = info.family ? info.family : "all networks";
        if (strcmp(family, owner) != 0)
            printf(".SH \"KEYS OF %s\"\n", family = owner);
        printf(".TP\n.B %s\n%s. %s%s", info.path, info.help,
               info.fallback ? "" : "Required: ", info.expected);
        if (info.fallback && info.fallback[0])
            printf("; default %s", info.fallback);
        puts(".");
    }
    puts(".SH SEE ALSO\n.BR flitcast (1)");
}

static int run(arguments *given) {
    if (arguments_has(given, "man")) {
        print_manual();
        return finish_output(FC_OK);
    }
    static const char *const columns[] = {"networks", "key", "meaning", "value", "default"};
    fc_write_settings output;
    const int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    fc_report *report = fc_report_create("Scenario keys");
    if (!report)
        return fail(FC_ERROR_MEMORY, NULL);
    const char *only = given->operand_count ? given->operands[0] : NULL;
    const char *family = "";
    size_t shown = 0;
    if (output.format != FC_FORMAT_TEXT)
        fc_report_add_table(report, "", columns, 5);
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        const char *owner = info.family ? info.family : "all";
        if (only && strcmp(only, owner) != 0)
            continue;
        ++shown;
        const char *fallback = !info.fallback ? "required" : info.fallback;
        if (output.format != FC_FORMAT_TEXT) {
            fc_report_row(report);
            fc_report_cell_text(report, "%s", owner);
            fc_report_cell_text(report, "%s", info.path);
            fc_report_cell_text(report, "%s", info.help);
            fc_report_cell_text(report, "%s", info.expected);
            fc_report_cell_text(report, "%s", fallback);
            continue;
        }
        if (strcmp(family, owner) != 0) {
            family = owner;
            fc_report_add_heading(report, strcmp(owner, "all") == 0 ? "all networks" : owner);
        }
        fc_report_add_text(report, "%s: %s. %s%s%s%s.", info.path, info.help,
                           !info.fallback ? "Required: " : "", info.expected,
                           info.fallback && info.fallback[0] ? "; default " : "",
                           info.fallback && info.fallback[0] ? info.fallback : "");
    }
    fc_status status = FC_OK;
    if (shown)
        status = fc_report_write(report, &output, stdout);
    fc_report_free(report);
    if (!shown)
        return fail_usage("there is no network family '%s'; flitcast keys lists all", only);
    return finish_output(status);
}

const command_info keys_command = {
    .name = "keys",
    .operands = "[FAMILY]",
    .operands_max = 1,
    .summary = "Every key of a scenario file: meaning, values, default",
    .options = options,
    .run = run,
};
