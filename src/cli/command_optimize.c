#include <string.h>
#include "cli/axes.h"

static const option_info options[] = {
    {"vary", "KEY=VALUES", "the values: a:b:step, a:b:*factor or a,b,c; repeat for a grid"},
    {"minimize", "EXPRESSION", "a metric, or arithmetic over metrics and keys"},
    {"maximize", "EXPRESSION", "the same, but the largest value is the best"},
    {"and-minimize", "EXPRESSION", "a second objective: prints the Pareto front"},
    {"and-maximize", "EXPRESSION", "the same, but the largest value is the best"},
    {"let", "KEY=EXPRESSION", "compute a key from the varied ones; may be repeated"},
    {"require", "EXPRESSION", "a constraint such as 'throughput >= 0.5'; may be repeated"},
    {"model", "NAME", "the model to search with (default: the best for each point)"},
    {"no-calibration", NULL, "the models' own answers, without the correction"},
    {"list", "N", "how many configurations to list (default: 10)"},
    {"simulate", "N",
     "simulate the best N (default: 0), and those listed whose 90 % interval overlaps that of "
     "the best"},
    {"indifference", "R", "relative difference that does not matter (default: 0.005)"},
    {"report", "FILE.html", "write the answer as a page"},
    {0},
};

enum { LET_MAX = 16 };

struct request {
    fc_optimize_settings settings;
    fc_setting derived[LET_MAX];
    char keys[LET_MAX][128], labels[LET_MAX][136];
    const char *constraints[LET_MAX];
};

static int read_objectives(const arguments *given, fc_optimize_settings *settings) {
    const char *minimize = arguments_value(given, "minimize");
    const char *maximize = arguments_value(given, "maximize");
    if (minimize && maximize)
        return fail_usage("--minimize and --maximize cannot both be the objective; a second one "
                          "is given by --and-minimize or --and-maximize");
    if (!minimize && !maximize)
        return fail_usage("optimize needs --minimize EXPRESSION or --maximize EXPRESSION");
    settings->objective = minimize ? minimize : maximize;
    settings->maximize = maximize != NULL;
    minimize = arguments_value(given, "and-minimize");
    maximize = arguments_value(given, "and-maximize");
    if (minimize && maximize)
        return fail_usage("there can be one second objective");
    settings->second = minimize ? minimize : maximize;
    settings->second_maximize = maximize != NULL;
    return EXIT_DONE;
}

static int read_request(const arguments *given, struct request *request) {
    fc_optimize_settings *settings = &request->settings;
    const char *text;
    for (size_t i = 0; (text = arguments_nth(given, "let", i)); ++i) {
        const char *equals = strchr(text, '=');
        if (i == LET_MAX || !equals || (size_t)(equals - text) >= sizeof request->keys[0])
            return fail_usage("--let %s: expected KEY=EXPRESSION, at most %d times", text, LET_MAX);
        snprintf(request->keys[i], sizeof request->keys[0], "%.*s", (int)(equals - text), text);
        snprintf(request->labels[i], sizeof request->labels[0], "--let %.*s", (int)(equals - text),
                 text);
        request->derived[i] = (fc_setting){request->keys[i], equals + 1, request->labels[i]};
        settings->derived_count = i + 1;
    }
    for (size_t i = 0; (text = arguments_nth(given, "require", i)); ++i) {
        if (i == LET_MAX)
            return fail_usage("at most %d constraints are possible", LET_MAX);
        request->constraints[i] = text;
        settings->constraint_count = i + 1;
    }
    settings->derived = request->derived;
    settings->constraints = request->constraints;
    settings->model = asked_model(given);
    unsigned list = 10, simulate = 0;
    int code = arguments_count(given, "list", 1, 64, &list);
    if (code == EXIT_DONE)
        code = arguments_count(given, "simulate", 0, 64, &simulate);
    if (code == EXIT_DONE)
        code = arguments_number(given, "indifference", 0, 1, &settings->indifference);
    settings->candidates = list > simulate ? list : simulate;
    settings->simulate = simulate;
    return code == EXIT_DONE ? read_objectives(given, settings) : code;
}

static fc_status write(const void *optimum, const fc_write_settings *settings, FILE *stream) {
    return fc_optimum_write(optimum, settings, stream);
}

static int answer(const arguments *given, const fc_optimize_settings *optimize) {
    task begun;
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_optimum *optimum;
    fc_status status = fc_optimize(begun.scenario, optimize, &begun.run, &error, &optimum);
    fc_scenario_free(begun.scenario);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    status = write(optimum, &begun.output, stdout);
    if (status == FC_OK)
        code = write_page_file(given, write, optimum);
    fc_optimum_free(optimum);
    return code == EXIT_DONE ? finish_output(status) : code;
}

static int run(arguments *given) {
    struct request request = {0};
    varied_axes varied;
    int code = axes_read(given, &varied);
    if (code == EXIT_DONE)
        code = read_request(given, &request);
    request.settings.axes = varied.list;
    request.settings.axis_count = varied.count;
    if (code == EXIT_DONE)
        code = answer(given, &request.settings);
    axes_clear(&varied);
    return code;
}

const command_info optimize_command = {
    .name = "optimize",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Finds the best configuration, and confirms it",
    .text =
        "The model evaluates all configurations of the grid. With --simulate the best ones are\n"
        "simulated with the same random traffic until the winner is significantly better than the\n"
        "others, or the difference is below the indifference. Where only a simulation has the\n"
        "answer (a metric that the model does not have, a network that no model covers), points\n"
        "are simulated without --simulate too: the 16 best by the model, or all points without a\n"
        "model, at most 64.\n"
        "\n"
        "A --let key is computed from the varied ones: the first example below finds the best\n"
        "two levels of rings for 500 stations with uniform traffic. The size of the global ring\n"
        "need not be a whole number; for whole rings only, add\n"
        "--require 'network.rings.1 == round(network.rings.1)'. A traffic.locality that is given\n"
        "stays the same while the sizes change; --let can compute it from them too.",
    .examples = "  flitcast optimize rings_uniform.yaml --vary network.rings.0=2:100:1 \\\n"
                "      --let network.rings.1=500/network.rings.0 --minimize latency\n"
                "  flitcast optimize mesh.yaml --vary network.virtual_channels=2,4,8 \\\n"
                "      --require 'latency <= 50' --minimize network.virtual_channels",
    .options = options,
    .scenario = true,
    .run = run,
};
