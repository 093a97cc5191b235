#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"precision", "P", "half width of the band over the value (default: 0.02)"},
    {"at", "LOAD,...", "loads that must be among the points; may be repeated"},
    {"model", "NAME", "the model that gives the shape (default: the most accurate one)"},
    {"no-model", NULL, "the shape without a model"},
    {"store", "FILE", "keep simulations in an SQLite file, and resume from there next time"},
    {"metric", "NAME", "what to plot (default: the main metric)"},
    {"no-plot", NULL, "no plot below the table"},
    {"svg", "FILE", "write the plot as SVG"},
    {"gnuplot", "FILE", "write the plot as a gnuplot script with its data"},
    {"report", "FILE.html", "write tables and plots as a page"},
    {0},
};

enum { CURVES_MAX = 16, LOADS_MAX = 64 };

typedef struct request {
    fc_write_settings output;
    fc_run_settings run;
    fc_curve_settings curve;
    double at[LOADS_MAX];
    fc_scenario *scenarios[CURVES_MAX];
    fc_curve *curves[CURVES_MAX];
    size_t count; /* of scenarios */
    size_t drawn; /* of curves */
} request;

static int read_loads(const arguments *given, request *asked) {
    const char *text;
    for (size_t i = 0; (text = arguments_nth(given, "at", i)); ++i) {
        for (;;) {
            char *end;
            const double load = strtod(text, &end);
            if (end == text || (*end && *end != ',') || !(load > 0 && load < 1e300))
                return fail_usage("--at is '%s'; expected loads above 0, separated by commas",
                                  arguments_nth(given, "at", i));
            if (asked->curve.at_count == LOADS_MAX)
                return fail_usage("--at takes at most %d loads", LOADS_MAX);
            asked->at[asked->curve.at_count++] = load;
            if (!*end)
                break;
            text = end + 1;
        }
    }
    asked->curve.at = asked->at;
    return EXIT_DONE;
}

static int read_request(const arguments *given, request *asked) {
    int code = output_settings(given, &asked->output);
    if (code == EXIT_DONE)
        code = run_settings(given, &asked->run);
    if (code == EXIT_DONE)
        code = arguments_number(given, "precision", 1e-4, 0.5, &asked->curve.precision);
    if (code == EXIT_DONE)
        code = read_loads(given, asked);
    asked->curve.model = arguments_value(given, "model");
    asked->curve.no_model = arguments_has(given, "no-model");
    asked->curve.store = arguments_value(given, "store");
    if (code == EXIT_DONE && asked->curve.model && asked->curve.no_model)
        return fail_usage("--model and --no-model cannot both be asked for");
    return code == EXIT_DONE ? load_scenarios(given, CURVES_MAX, asked->scenarios, &asked->count)
                             : code;
}

static int draw_curves(request *asked) {
    fc_error error = {{0}};
    const fc_status status =
        fc_curve_run_all((const fc_scenario *const *)asked->scenarios, asked->count, &asked->curve,
                         &asked->run, &error, asked->curves);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    asked->drawn = asked->count;
    return EXIT_DONE;
}

static int write_curves(const arguments *given, const request *asked) {
    const fc_curve *const *curves = (const fc_curve *const *)asked->curves;
    const bool files = arguments_has(given, "svg") || arguments_has(given, "gnuplot");
    const bool shown = asked->output.format == FC_FORMAT_TEXT && !arguments_has(given, "no-plot");
    fc_error error = {{0}};
    fc_plot *plot = NULL;
    fc_status plotted = FC_OK;
    int code = EXIT_DONE;
    if (files || shown)
        plotted =
            fc_curve_plot(curves, asked->drawn, arguments_value(given, "metric"), &error, &plot);
    fc_status status = fc_curve_write(curves, asked->drawn, &asked->output, stdout);
    if (plotted != FC_OK) /* what took minutes to simulate has been written */
        return fail(plotted, &error);
    if (status == FC_OK && shown) {
        putchar('\n');
        status = fc_plot_write_terminal(plot, &asked->output, stdout);
    }
    if (files)
        code = write_plot_files(given, plot);
    fc_plot_free(plot);
    if (status == FC_OK && code == EXIT_DONE && arguments_has(given, "report")) {
        fc_report *report;
        status = fc_curve_report(curves, asked->drawn, &report);
        if (status == FC_OK) {
            code = write_report_file(given, report);
            fc_report_free(report);
        }
    }
    return code == EXIT_DONE ? finish_output(status) : code;
}

static int run(arguments *given) {
    request asked = {.count = 0};
    int code = read_request(given, &asked);
    if (code == EXIT_DONE)
        code = draw_curves(&asked);
    if (code == EXIT_DONE)
        code = write_curves(given, &asked);
    for (size_t i = 0; i < asked.count; ++i)
        fc_scenario_free(asked.scenarios[i]);
    for (size_t i = 0; i < asked.drawn; ++i)
        fc_curve_free(asked.curves[i]);
    return code;
}

const command_info curve_command = {
    .name = "curve",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = ARGUMENTS_MAX,
    .summary = "Latency and accepted load over offered load, with a 95 % band",
    .text =
        "From zero to saturation: mean latency, percentiles and accepted load, each with a 95 %\n"
        "band, and the saturation load with its bracket. The model (where there is one) gives the\n"
        "shape; four to six simulations, chosen to narrow the band, correct it. Beyond the\n"
        "last load that they support the band is wide and the points are marked as uncertain. In\n"
        "closed networks the curve is the efficiency over the think time.\n"
        "\n"
        "Several files, which may be BookSim configurations, are drawn in one picture.",
    .examples = "  flitcast curve mesh_router_timing.yaml --svg mesh.svg\n"
                "  flitcast curve rings_two_levels.yaml --at 0.001,0.003 --format json\n"
                "  flitcast curve mesh_router_timing.yaml booksim_mesh.cfg --report meshes.html",
    .options = options,
    .scenario = true,
    .run = run,
};
