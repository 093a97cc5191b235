#include "cli/cli.h"

static const option_info options[] = {
    {"model", "NAME", "the model to use (default: the most accurate that covers it)"},
    {"simulate", NULL,
     "the parts and the channels by simulation instead of the model; and what would raise the "
     "saturation load most is simulated, with and without that change"},
    {"detail", NULL, "add tables of the nodes and channels to JSON"},
    {"report", "FILE.html", "write everything as one page"},
    {0},
};

static fc_status write(const void *explanation, const fc_write_settings *settings, FILE *stream) {
    return fc_explanation_write(explanation, settings, stream);
}

static int run(arguments *given) {
    task begun;
    const fc_explain_settings explain = {.model = arguments_value(given, "model"),
                                         .simulate = arguments_has(given, "simulate")};
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_explanation *explanation;
    const fc_status status = fc_explain(begun.scenario, &explain, &begun.run, &error, &explanation);
    progress_end();
    fc_scenario_free(begun.scenario);
    if (status != FC_OK)
        return fail(status, &error);
    code = write_page_file(given, write, explanation);
    if (code == EXIT_DONE)
        code = finish_output(write(explanation, &begun.output, stdout));
    fc_explanation_free(explanation);
    return code;
}

const command_info explain_command = {
    .name = "explain",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Where the time goes, and what would help most",
    .text =
        "Prints the parts of the main metric, the busiest channels, how far the load is from\n"
        "saturation, and what a small change of each number of the scenario would do, one at a\n"
        "time, the most helpful first: 5 % for real numbers, the next valid value for whole ones.\n"
        "For choices (routing, channel rule, topology, ...) every other valid choice is tried.\n"
        "Other arrangements of the same number of nodes are tried too. The elasticity is the\n"
        "change of the main metric in per cent if the number grows by 1 %. Changes that do not\n"
        "make a valid scenario are left out. A second table has the changes that raise the\n"
        "saturation load most. In a graph of up to 256 routers one link more is tried, where it "
        "may\n"
        "relieve the busiest (network.extra_links). Where no model covers the scenario, the "
        "changes are\n"
        "simulated, with steps of 10 %.",
    .examples = "  flitcast explain torus_dateline.yaml\n"
                "  flitcast explain rings_two_levels.yaml --report rings.html",
    .options = options,
    .scenario = true,
    .run = run,
};
