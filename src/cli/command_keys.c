#include <string.h>
#include "cli/manual.h"

static const option_info options[] = {
    {"man", NULL, "as the manual page flitcast-scenario(5)"},
    {0},
};

/* The networks a key is for: "torus, mesh", with the separator given. */
static void name_networks(const fc_key_info *info, const char *separator, size_t size, char *text) {
    snprintf(text, size, "%s", info->topologies ? "" : "all networks");
    for (size_t i = 0; info->topologies && info->topologies[i]; ++i) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? separator : "", info->topologies[i]);
    }
}

static const char *owner_of(const fc_key_info *info) {
    return info->family ? info->family : "all";
}

/* name: of a topology or of a key. */
static bool is_for(const fc_key_info *info, const char *name) {
    bool found = strcmp(owner_of(info), name) == 0 || strcmp(info->path, name) == 0;
    for (size_t i = 0; !found && info->topologies && info->topologies[i]; ++i)
        found = strcmp(info->topologies[i], name) == 0 && info->taken_by >> i & 1;
    return found;
}

/* "Links that the header leads by. Only with network.switching: scouting. Optional: a number." */
static void describe_key(const fc_key_info *info, size_t size, char *text) {
    const bool has_default = info->fallback && info->fallback[0];
    snprintf(text, size, "%s. %s%s%s%s: %s%s%s.", info->help, info->only_if[0] ? "Only with " : "",
             info->only_if, info->only_if[0] ? ". " : "", info->fallback ? "Optional" : "Required",
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
        char text[1280];
        if (strcmp(family, owner_of(&info)) != 0) {
            family = owner_of(&info);
            name_networks(&info, ", ", sizeof text, text);
            printf(".SH \"Keys of %s\"\n", text);
        }
        printf(".TP\n.B %s\n", info.path);
        describe_key(&info, sizeof text, text);
        write_manual_text(text, stdout);
    }
    puts(".SH SEE ALSO\n.BR flitcast (1),\n.BR flitcast\\-keys (1)");
}

/* A sentence with the topologies there are. */
static int fail_topology(const char *name) {
    enum { MOST = 64 };
    const char *names[MOST + 1] = {"all"}, *family = "";
    char list[1024] = "all";
    size_t count = 1;
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        if (!info.topologies || strcmp(family, info.family) == 0)
            continue;
        family = info.family;
        for (size_t t = 0; info.topologies[t] && count < MOST; ++t) {
            const size_t used = strlen(list);
            names[count++] = info.topologies[t];
            snprintf(list + used, sizeof list - used, ", %s", info.topologies[t]);
        }
    }
    names[count] = NULL;
    char hint[HINT_SIZE];
    return fail_usage("there is no topology '%s'%s There are: %s", name,
                      hint_at(name, names, "", hint), list);
}

static void add_row(fc_report *report, const fc_key_info *info) {
    char networks[256];
    name_networks(info, " ", sizeof networks, networks);
    const fc_cell row[] = {text_cell(info->topologies ? networks : "all"),
                           text_cell(info->path),
                           text_cell(info->help),
                           text_cell(info->expected),
                           text_cell(info->fallback ? info->fallback : "required"),
                           text_cell(info->only_if)};
    fc_report_add_row(report, row, sizeof row / sizeof *row);
}

/* *family is that of the key before: a new one begins with a heading. */
static void add_text(fc_report *report, const fc_key_info *info, const char **family) {
    char text[1280];
    if (strcmp(*family, owner_of(info)) != 0) {
        *family = owner_of(info);
        name_networks(info, ", ", sizeof text, text);
        fc_report_add_heading(report, text);
    }
    describe_key(info, sizeof text, text);
    fc_report_add_text(report, "%s: %s", info->path, text);
}

static int run(arguments *given) {
    if (arguments_has(given, "man")) {
        print_manual();
        return finish_output(FC_OK);
    }
    static const char *const columns[] = {"networks", "key",     "meaning",
                                          "value",    "default", "only with"};
    fc_write_settings output;
    const int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    fc_report *report = fc_report_create("Scenario keys");
    if (!report)
        return fail(FC_ERROR_MEMORY, NULL);
    const char *only = given->operand_count ? given->operands[0] : NULL, *family = "";
    size_t shown = 0;
    if (output.format != FC_FORMAT_TEXT)
        fc_report_add_table(report, "", columns, 6);
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        if (only && !is_for(&info, only))
            continue;
        ++shown;
        if (output.format == FC_FORMAT_TEXT)
            add_text(report, &info, &family);
        else
            add_row(report, &info);
    }
    const fc_status status = shown ? fc_report_write(report, &output, stdout) : FC_OK;
    fc_report_free(report);
    return shown ? finish_output(status) : fail_topology(only);
}

const command_info keys_command = {
    .name = "keys",
    .operands = "[TOPOLOGY | KEY]",
    .operands_max = 1,
    .summary = "Every key of a scenario file",
    .text =
        "With a topology: the keys of networks of that kind, in addition to those of all networks\n"
        "(flitcast keys all). With a key: that one, in each kind of network that has it.",
    .examples = "  flitcast keys\n"
                "  flitcast keys fat-tree\n"
                "  flitcast keys traffic.workload",
    .options = options,
    .run = run,
};
