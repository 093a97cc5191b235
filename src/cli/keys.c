#include <string.h>
#include "cli/manual.h"

static const option_info options[] = {
    {"man", NULL, "as the manual page flitcast-scenario(5)"},
    {0},
};

/* "Inputs of a switch. Optional: a whole number; default 2." */
static void describe_key(const fc_key_info *info, size_t size, char *text) {
    const bool has_default = info->fallback && info->fallback[0];
    snprintf(text, size, "%s. %s: %s%s%s.", info->help, info->fallback ? "Optional" : "Required",
             info->expected, has_default ? "; default " : "", has_default ? info->fallback : "");
}

static void print_manual(void) {
    const char *family = "";
    printf(".TH FLITCAST\\-SCENARIO 5 \"" MANUAL_DATE "\" \"Flitcast %s\" \"File formats\"\n",
           fc_version());
    puts(".SH NAME\nflitcast\\-scenario \\- a network, its traffic and how to simulate it\n"
         ".SH DESCRIPTION\nA scenario is a YAML file with the groups\n"
         ".BR network ,\n.B traffic\nand\n.BR simulation .\n"
         "Below, a key is written GROUP.KEY, as in\n.BR \"flitcast \\-\\-set\" .\n"
         "Every key is checked; nothing is ignored.\n.SH EXAMPLE\nAn 8 x 8 torus; what is not said "
         "has its default.");
    write_manual_text("  name: 8x8 torus\n"
                      "  network:\n"
                      "    topology: torus\n"
                      "    radix: [8, 8]\n"
                      "    virtual_channels: 4\n"
                      "  traffic:\n"
                      "    rate: 0.004          # messages per node per cycle\n"
                      "    message_flits: 16\n"
                      "  simulation:\n"
                      "    precision: 0.02",
                      stdout);
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        const char *owner = info.family ? info.family : "all networks";
        if (strcmp(family, owner) != 0)
            printf(".SH \"KEYS OF %s\"\n", family = owner);
        printf(".TP\n.B %s\n", info.path);
        char text[1024];
        describe_key(&info, sizeof text, text);
        write_manual_text(text, stdout);
    }
    puts(".SH SEE ALSO\n.BR flitcast (1),\n.BR flitcast\\-keys (1)");
}

/* A sentence with the families there are. */
static int fail_family(const char *name) {
    const char *names[33] = {"all"};
    size_t count = 1;
    for (size_t i = 0; i < fc_key_count() && count < 32; ++i) {
        const char *family = fc_key_at(i).family;
        size_t same = 0;
        while (family && same < count && strcmp(names[same], family) != 0)
            ++same;
        if (family && same == count)
            names[count++] = family;
    }
    names[count] = NULL;
    char list[512] = "";
    for (size_t i = 0; i < count; ++i) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    const char *nearest = fc_nearest(name, names);
    return fail_usage("there is no network family '%s'%s%s%s There are: %s", name,
                      nearest ? "; did you mean '" : ".", nearest ? nearest : "",
                      nearest ? "'?" : "", list);
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
        char text[1024];
        describe_key(&info, sizeof text, text);
        fc_report_add_text(report, "%s: %s", info.path, text);
    }
    fc_status status = FC_OK;
    if (shown)
        status = fc_report_write(report, &output, stdout);
    fc_report_free(report);
    if (!shown)
        return fail_family(only);
    return finish_output(status);
}

const command_info keys_command = {
    .name = "keys",
    .operands = "[FAMILY]",
    .operands_max = 1,
    .summary = "Every key of a scenario file",
    .text = "FAMILY is a kind of network: the first word of a heading that flitcast keys prints.",
    .examples = "  flitcast keys\n"
                "  flitcast keys ring-hierarchy",
    .options = options,
    .run = run,
};
