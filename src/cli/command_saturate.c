#include <stdlib.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"model", "NAME", "one model only (default: every model that covers the scenario)"},
    {"no-calibration", NULL, "the models' own answers, without the correction"},
    {"no-simulation", NULL, "models only"},
    {"width", "W", "relative width of the simulated bracket (default: 0.02)"},
    {"worst-traffic", NULL, "the permutation that oblivious routing carries least of"},
    {"matrix-out", "FILE.csv",
     "with --worst-traffic: write that permutation as a matrix for traffic.destinations"},
    {0},
};

static int write_matrix(const fc_worst_traffic *worst, const char *path) {
    FILE *stream = open_output(path);
    return stream ? close_output(path, stream, fc_worst_traffic_write_matrix(worst, stream))
                  : EXIT_FAILED;
}

static int find_worst_traffic(arguments *given) {
    task begun;
    const char *path = arguments_value(given, "matrix-out");
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_worst_traffic *worst;
    fc_status status = fc_worst_traffic_find(begun.scenario, &error, &worst);
    progress_end();
    if (status != FC_OK) {
        code = fail(status, &error);
    } else {
        code = path ? write_matrix(worst, path) : EXIT_DONE;
        if (code == EXIT_DONE)
            code =
                finish_output(fc_worst_traffic_write(begun.scenario, worst, &begun.output, stdout));
        fc_worst_traffic_free(worst);
    }
    fc_scenario_free(begun.scenario);
    return code;
}

enum { NETWORKS_MAX = 64 };

typedef struct request {
    fc_write_settings output;
    fc_run_settings run;
    fc_saturation_settings saturate;
    fc_scenario *scenarios[NETWORKS_MAX];
    fc_saturation *found[NETWORKS_MAX];
    size_t count;
} request;

static int read_request(const arguments *given, request *asked) {
    asked->saturate = (fc_saturation_settings){.model = asked_model(given),
                                               .simulate = !arguments_has(given, "no-simulation")};
    int code = arguments_number(given, "width", 1e-4, 0.5, &asked->saturate.precision);
    if (code == EXIT_DONE)
        code = output_settings(given, &asked->output);
    if (code == EXIT_DONE)
        code = run_settings(given, &asked->run);
    return code == EXIT_DONE ? load_scenarios(given, NETWORKS_MAX, asked->scenarios, &asked->count)
                             : code;
}

static int find_loads(request *asked) {
    const fc_scenario *const *scenarios = (const fc_scenario *const *)asked->scenarios;
    fc_error error = {{0}};
    fc_status status = fc_saturate_all(scenarios, asked->count, &asked->saturate, &asked->run,
                                       &error, asked->found);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    status = fc_saturation_write(scenarios, (const fc_saturation *const *)asked->found,
                                 asked->count, &asked->output, stdout);
    return finish_output(status);
}

static int run(arguments *given) {
    if (arguments_has(given, "worst-traffic"))
        return find_worst_traffic(given);
    if (arguments_has(given, "matrix-out"))
        return fail_usage("--matrix-out writes what --worst-traffic finds: give both");
    request *asked = calloc(1, sizeof *asked);
    if (!asked)
        return fail(FC_ERROR_MEMORY, NULL);
    int code = read_request(given, asked);
    if (code == EXIT_DONE)
        code = find_loads(asked);
    for (size_t i = 0; i < asked->count; ++i) {
        fc_scenario_free(asked->scenarios[i]);
        fc_saturation_free(asked->found[i]);
    }
    free(asked);
    return code;
}

const command_info saturate_command = {
    .name = "saturate",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = ARGUMENTS_MAX,
    .summary = "Finds the largest load that the network can carry",
    .text =
        "A model saturates at the load above which its equations have no solution. By simulation,\n"
        "a network is saturated if messages pile up faster than they leave; the answer is the\n"
        "highest load at which it settled and the lowest at which it did not. --worst-traffic\n"
        "searches no load: of all permutations of destinations it finds the one under which a "
        "link\n"
        "is full first (Towles and Dally).\n"
        "\n"
        "Several files are searched at the same time; each result equals that of a separate call.",
    .examples =
        "  flitcast saturate torus_dateline.yaml --no-simulation\n"
        "  flitcast saturate rings_two_levels.yaml --width 0.1\n"
        "  flitcast saturate mesh_router_timing.yaml --worst-traffic --matrix-out worst.csv",
    .options = options,
    .scenario = true,
    .run = run,
};
