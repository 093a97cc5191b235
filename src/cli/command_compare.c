#include "cli/cli.h"

static const option_info options[] = {
    {"detail", NULL, "in JSON: also tables of the nodes and channels"},
    {"report", "FILE.html", "write the comparison as a page"},
    {0},
};

static int run(arguments *given) {
    task begun;
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_comparison *comparison;
    fc_status status = fc_compare(begun.scenario, &begun.run, &error, &comparison);
    fc_scenario_free(begun.scenario);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    status = fc_comparison_write(comparison, &begun.output, stdout);
    if (status == FC_OK && arguments_has(given, "report")) {
        fc_report *report;
        status = fc_comparison_report(comparison, &report);
        if (status == FC_OK) {
            code = write_report_file(given, report);
            fc_report_free(report);
        }
    }
    fc_comparison_free(comparison);
    return code == EXIT_DONE ? finish_output(status) : code;
}

const command_info compare_command = {
    .name = "compare",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Models beside the simulation, with their errors",
    .text =
        "Every model that covers the scenario, beside the simulation, and how far each is off.\n"
        "Simulates as flitcast simulate does, so --precision decides how long it takes.",
    .examples = "  flitcast compare rings_two_levels.yaml --precision 0.05\n"
                "  flitcast compare mesh.yaml --precision 0.05 --report mesh.html",
    .options = options,
    .scenario = true,
    .run = run,
};
