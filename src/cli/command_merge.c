#include "cli/cli.h"

/* As a table of one line, for programs. */
static fc_status write_count(const char *store, size_t added, const fc_write_settings *output) {
    static const char *const columns[] = {"store", "added"};
    fc_report *report = fc_report_create("Merged");
    if (!report)
        return FC_ERROR_MEMORY;
    fc_report_add_table(report, "", columns, 2);
    const fc_cell row[] = {text_cell(store), number_cell((double)added, 15)};
    fc_report_add_row(report, row, 2);
    const fc_status status = fc_report_write(report, output, stdout);
    fc_report_free(report);
    return status;
}

static int run(arguments *given) {
    fc_error error = {{0}};
    size_t added;
    fc_write_settings output;
    const int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    const fc_status status = fc_store_merge(given->operands[0], given->operands + 1,
                                            given->operand_count - 1, &error, &added);
    if (status != FC_OK)
        return fail(status, &error);
    if (output.format != FC_FORMAT_TEXT)
        return finish_output(write_count(given->operands[0], added, &output));
    if (!arguments_has(given, "quiet"))
        fprintf(stderr, "%zu results added to %s\n", added, given->operands[0]);
    return finish_output(FC_OK);
}

const command_info merge_command = {
    .name = "merge",
    .operands = "STORE FROM...",
    .operands_min = 2,
    .operands_max = ARGUMENTS_MAX,
    .summary = "Adds the results of other stores to a store",
    .text =
        "For sweeps run in parts, for example as jobs of a batch system: --shard 0/4 --store a.db\n"
        "and so on. Rows that the store already has are left unchanged.",
    .examples =
        "  flitcast sweep mesh.yaml --vary traffic.rate=0.001,0.002 --shard 0/2 --store a.db\n"
        "  flitcast sweep mesh.yaml --vary traffic.rate=0.001,0.002 --shard 1/2 --store b.db\n"
        "  flitcast merge all.db a.db b.db",
    .run = run,
};
