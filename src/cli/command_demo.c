/* The main job on the built-in scenario: forecast, measure, compare, plot. */
#include "cli/cli.h"

static const option_info options[] = {
    {"svg", "FILE", "where to write the plot (default: flitcast-demo.svg)"},
    {0},
};

static int show_comparison(const fc_scenario *scenario, const fc_run_settings *settings,
                           const fc_write_settings *output) {
    fc_error error = {{0}};
    fc_comparison *comparison;
    fc_status status = fc_compare(scenario, settings, &error, &comparison);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    status = fc_comparison_write(comparison, output, stdout);
    fc_comparison_free(comparison);
    return finish_output(status);
}

/* Latency over load, from light traffic to near saturation. */
static int show_curve(const fc_scenario *scenario, const fc_run_settings *settings,
                      const fc_write_settings *output, const char *path) {
    fc_error error = {{0}};
    fc_axis axis;
    fc_sweep *sweep = NULL;
    fc_plot *plot = NULL;
    fc_status status = fc_axis_parse("traffic.rate=0.0004:0.0044:0.0004", &error, &axis);
    if (status != FC_OK)
        return fail(status, &error);
    static const char *const models[] = {"ring-trains", "hamacher-jiang"};
    const fc_sweep_settings sweep_settings = {
        .axes = &axis, .axis_count = 1, .models = models, .model_count = 2, .simulate = true};
    status = fc_sweep_run(scenario, &sweep_settings, settings, &error, &sweep);
    progress_end();
    fc_axis_clear(&axis);
    if (status == FC_OK)
        status = fc_sweep_plot(sweep, NULL, &error, &plot);
    fc_sweep_free(sweep);
    if (status != FC_OK)
        return fail(status, &error);
    fputc('\n', stdout);
    status = fc_plot_write_terminal(plot, output, stdout);
    const int code = write_svg(path, plot);
    fc_plot_free(plot);
    if (code != EXIT_DONE)
        return code;
    printf("\nThe same plot is in %s.\n", path);
    return finish_output(status);
}

static int run(arguments *given) {
    task begun;
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    const char *svg = arguments_value(given, "svg");
    code = show_comparison(begun.scenario, &begun.run, &begun.output);
    if (code == EXIT_DONE && begun.output.format == FC_FORMAT_TEXT)
        code =
            show_curve(begun.scenario, &begun.run, &begun.output, svg ? svg : "flitcast-demo.svg");
    fc_scenario_free(begun.scenario);
    return code;
}

const command_info demo_command = {
    .name = "demo",
    .operands = "",
    .summary = "Forecasts, simulates and plots a built-in network",
    .examples = "  flitcast demo --precision 0.05",
    .options = options,
    .scenario = true,
    .run = run,
};
