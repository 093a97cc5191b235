#include <signal.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"model", "NAME",
     "the model to use (default: the forecast, a model corrected with simulations)"},
    {"no-calibration", NULL, "the model's own answer, without the correction"},
    {"detail", NULL,
     "print tables of the nodes, channels and (networks of routers) pairs of nodes"},
    {0},
};

static int run(arguments *given) {
    task begun;
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    /* A forecast has nothing to save: it ends at once. */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    fc_error error = {{0}};
    fc_result *result;
    fc_status status = fc_predict(begun.scenario, asked_model(given), &error, &result);
    if (status == FC_OK) {
        if (begun.output.detail)
            status = fc_result_add_pairs(result, begun.scenario, &error);
        if (status != FC_OK)
            fc_result_free(result);
    }
    fc_scenario_free(begun.scenario);
    if (status != FC_OK)
        return fail(status, &error);
    code = finish_output(fc_result_write(result, &begun.output, stdout));
    fc_result_free(result);
    return code;
}

const command_info predict_command = {
    .name = "predict",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Forecasts by an analytical model",
    .text =
        "Prints the metrics with the interval that holds the simulated value with 90 %, what the\n"
        "main one is made of and how the answer was found. A saturated network is not an\n"
        "error: the outcome says so, and the throughput that it still carries is printed. FILE "
        "may\n"
        "be - for the standard input, here and wherever a scenario is read.",
    .examples = "  flitcast predict torus_dateline.yaml\n"
                "  flitcast predict torus_dateline.yaml --set traffic.rate=0.002 --format json\n"
                "  flitcast predict rings_two_levels.yaml --model hamacher-jiang",
    .options = options,
    .scenario = true,
    .run = run,
};
