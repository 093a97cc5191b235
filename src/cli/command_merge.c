#include "cli/cli.h"

static int run(arguments *given) {
    fc_error error = {{0}};
    size_t added;
    const fc_status status = fc_store_merge(given->operands[0], given->operands + 1,
                                            given->operand_count - 1, &error, &added);
    if (status != FC_OK)
        return fail(status, &error);
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
        "and so on. Rows that are there already are left as they are.",
    .examples =
        "  flitcast sweep mesh.yaml --vary traffic.rate=0.001,0.002 --shard 0/2 --store a.db\n"
        "  flitcast sweep mesh.yaml --vary traffic.rate=0.001,0.002 --shard 1/2 --store b.db\n"
        "  flitcast merge all.db a.db b.db",
    .run = run,
};
