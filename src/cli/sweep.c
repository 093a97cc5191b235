#include <stdint.h>
#include <string.h>
#include "cli/axes.h"

static const option_info options[] = {
    {"vary", "KEY=VALUES", "a:b:step, a:b:*factor or a,b,c; repeat for a grid"},
    {"model", "NAME", "a model to evaluate; repeat for several (default: the best for each point)"},
    {"no-model", NULL, "simulate only"},
    {"simulate", NULL, "simulate every point too"},
    {"store", "FILE",
     "keep results in an SQLite file; started again, the sweep goes on from there"},
    {"shard", "I/N", "do part I (from 0) of N; needs --store, see flitcast merge"},
    {"metric", "NAME", "what to plot (default: the main metric)"},
    {"no-plot", NULL, "no plot below the table"},
    {"svg", "FILE", "write the plot as SVG"},
    {"gnuplot", "FILE", "write the plot as a gnuplot script with its data"},
    {"report", "FILE.html", "write table and plot as a page"},
    {0},
};

enum { MODELS_MAX = 32 };

static int write_sweep(const arguments *given, const fc_sweep *sweep,
                       const fc_write_settings *output) {
    fc_status status = fc_sweep_write(sweep, output, stdout);
    fc_plot *plot = NULL;
    fc_error error = {{0}};
    const char *metric = arguments_value(given, "metric");
    const bool files = arguments_has(given, "svg") || arguments_has(given, "gnuplot");
    const bool shown = output->format == FC_FORMAT_TEXT && !arguments_has(given, "no-plot");
    int code = EXIT_DONE;
    if (status == FC_OK && (files || shown)) {
        const fc_status plotted = fc_sweep_plot(sweep, metric, &error, &plot);
        if (plotted != FC_OK && (files || metric))
            code = fail(plotted, &error);
    }
    if (plot && shown && metric)
        status = fc_plot_write_terminal(plot, output, stdout);
    if (plot && files)
        code = write_plot_files(given, plot);
    fc_plot_free(plot);
    if (status == FC_OK && code == EXIT_DONE && arguments_has(given, "report")) {
        fc_report *report;
        status = fc_sweep_report(sweep, &report);
        if (status == FC_OK) {
            code = write_report_file(given, report);
            fc_report_free(report);
        }
    }
    return code == EXIT_DONE ? finish_output(status) : code;
}

static int read_shard(const arguments *given, fc_sweep_settings *settings) {
    const char *text = arguments_value(given, "shard");
    int used = 0;
    if (!text)
        return EXIT_DONE;
    if (sscanf(text, "%zu/%zu%n", &settings->shard, &settings->shard_count, &used) != 2 ||
        text[used] || settings->shard >= settings->shard_count)
        return fail_usage("--shard is '%s'; expected I/N with I from 0 to N-1", text);
    if (!settings->store)
        return fail_usage("--shard needs --store FILE, one for each shard");
    return EXIT_DONE;
}

static int run_sweep(const arguments *given, const fc_axis *axes, size_t axis_count) {
    fc_write_settings output;
    fc_run_settings settings;
    fc_scenario *scenario;
    int code = output_settings(given, &output);
    if (code == EXIT_DONE)
        code = run_settings(given, &settings);
    if (code == EXIT_DONE)
        code = load_scenario(given, &scenario);
    if (code != EXIT_DONE)
        return code;
    const char *models[MODELS_MAX];
    size_t model_count = 0;
    while (model_count < MODELS_MAX &&
           (models[model_count] = arguments_nth(given, "model", model_count)))
        ++model_count;
    const bool none = arguments_has(given, "no-model");
    fc_sweep_settings sweep_settings = {
        .axes = axes,
        .axis_count = axis_count,
        .models = model_count ? models : NULL,
        .model_count = none ? SIZE_MAX : model_count,
        .simulate = none || arguments_has(given, "simulate"),
        .store = arguments_value(given, "store"),
    };
    if (read_shard(given, &sweep_settings) != EXIT_DONE) {
        fc_scenario_free(scenario);
        return EXIT_USAGE;
    }
    fc_error error = {{0}};
    fc_sweep *sweep;
    const fc_status status = fc_sweep_run(scenario, &sweep_settings, &settings, &error, &sweep);
    fc_scenario_free(scenario);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    code = write_sweep(given, sweep, &output);
    fc_sweep_free(sweep);
    return code;
}

static int run(arguments *given) {
    varied_axes varied;
    int code = axes_read(given, &varied);
    if (code == EXIT_DONE)
        code = run_sweep(given, varied.list, varied.count);
    axes_clear(&varied);
    return code;
}

const command_info sweep_command = {
    .name = "sweep",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "A grid of points: table, CSV, JSON, plot",
    .text =
        "Any scenario key can be varied, an entry of a list too: --vary network.rings.0=4:32:4.\n"
        "Ctrl-C stops and prints the points that are finished.",
    .options = options,
    .scenario = true,
    .run = run,
};
