/* The main job on the built-in scenario: its whole curve, as a table, a plot and an SVG file. */
#include "cli/cli.h"

static const option_info options[] = {
    {"svg", "FILE", "where to write the plot (default: flitcast-demo.svg)"},
    {"precision", "P", "half width of the band over the value (default: 0.02)"},
    {0},
};

static int show_curve(const fc_curve *curve, const fc_write_settings *output, const char *path) {
    fc_error error = {{0}};
    fc_plot *plot;
    fc_status status = fc_curve_write(&curve, 1, output, stdout);
    if (status != FC_OK || output->format != FC_FORMAT_TEXT)
        return finish_output(status);
    status = fc_curve_plot(&curve, 1, NULL, &error, &plot);
    if (status != FC_OK)
        return fail(status, &error);
    fputc('\n', stdout);
    status = fc_plot_write(plot, output, stdout);
    const int code = write_plot(path, plot, FC_FORMAT_SVG);
    fc_plot_free(plot);
    if (code != EXIT_DONE)
        return code;
    printf("\nThe same plot is in %s.\n", path);
    return finish_output(status);
}

static int run(arguments *given) {
    task begun;
    fc_curve_settings wanted = {.precision = 0};
    int code = arguments_number(given, "precision", 1e-4, 0.5, &wanted.precision);
    if (code == EXIT_DONE)
        code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    const char *svg = arguments_value(given, "svg");
    fc_error error = {{0}};
    fc_curve *curve;
    const fc_status status = fc_curve_run(begun.scenario, &wanted, &begun.run, &error, &curve);
    progress_end();
    if (status == FC_OK) {
        code = show_curve(curve, &begun.output, svg ? svg : "flitcast-demo.svg");
        fc_curve_free(curve);
    } else {
        code = fail(status, &error);
    }
    fc_scenario_free(begun.scenario);
    return code;
}

const command_info demo_command = {
    .name = "demo",
    .operands = "",
    .summary = "The curve of a built-in network: latency over load, model and simulation",
    .examples = "  flitcast demo --precision 0.05",
    .options = options,
    .scenario = true,
    .run = run,
};
