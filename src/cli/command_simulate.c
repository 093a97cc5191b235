#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"detail", NULL, "print tables of the nodes, channels and pairs of nodes, too"},
    {"windows", "FILE.svg",
     "networks of routers: draw the utilisation of links over time; -: in the terminal"},
    {"progress", "FILE.svg",
     "workloads: draw how much of its data each rank has over time; -: in the terminal"},
    {"histogram", "FILE.csv",
     "write how many messages had which latency: exact to 512 cycles, above to 0.2 %"},
    {"deliveries", "FILE.csv",
     "write a line for each message: source, destination, class, flits and times"},
    {"svg", "FILE", "draw the network, its links coloured by how much they were used"},
    {"report", "FILE.html", "write the result with all its pictures and tables as a page"},
    {"format", "FORMAT", "text (default), json, csv, or booksim: the lines that BookSim prints"},
    {0},
};

static int write_part(const fc_result *result, const fc_scenario *scenario, const char *part,
                      fc_format format, const char *path) {
    const fc_write_settings settings = {.format = format};
    FILE *stream = open_output(path);
    return stream ? close_output(path, stream,
                                 fc_result_write_part(result, scenario, part, &settings, stream))
                  : EXIT_FAILED;
}

/* A heat map over time, into a file or below the result. */
static int draw(const fc_result *result, const fc_write_settings *output, const char *name,
                const char *path) {
    if (!path)
        return EXIT_DONE;
    if (!fc_result_table(result, name))
        return fail_usage("--%s: this simulation has nothing to draw over time", name);
    if (strcmp(path, "-") != 0)
        return write_part(result, NULL, name, FC_FORMAT_SVG, path);
    fc_write_settings settings = *output;
    settings.format = FC_FORMAT_TEXT;
    fputc('\n', stdout);
    return finish_output(fc_result_write_part(result, NULL, name, &settings, stdout));
}

static int draw_network(const arguments *given, const fc_scenario *scenario,
                        const fc_result *result) {
    const char *path = arguments_value(given, "svg");
    fc_error error = {{0}};
    FILE *stream = path ? open_output(path) : NULL;
    if (!stream)
        return path ? EXIT_FAILED : EXIT_DONE;
    const fc_status status = fc_scenario_draw(scenario, result, &error, stream);
    if (status == FC_OK)
        return close_output(path, stream, FC_OK);
    drop_output(stream);
    return fail(status, &error);
}

static int write_histogram(const arguments *given, const fc_result *result) {
    const char *path = arguments_value(given, "histogram");
    if (!path)
        return EXIT_DONE;
    if (!fc_result_table(result, "histogram")) {
        fc_error error;
        snprintf(error.text, sizeof error.text,
                 "--histogram: this simulation has no distribution of latency: %s",
                 result->outcome == FC_OUTCOME_SATURATED
                     ? "the network is saturated"
                     : "the latency of single messages is measured with open traffic");
        return fail(FC_ERROR_UNSUPPORTED, &error);
    }
    return write_part(result, NULL, "histogram", FC_FORMAT_CSV, path);
}

static int write_deliveries(const arguments *given, const fc_scenario *scenario,
                            const fc_result *result) {
    const char *path = arguments_value(given, "deliveries");
    const bool saturated = result->outcome == FC_OUTCOME_SATURATED;
    if (!path)
        return EXIT_DONE;
    if (saturated || (result->delivery_count && !result->deliveries)) {
        fc_error error;
        if (saturated)
            snprintf(error.text, sizeof error.text,
                     "--deliveries: the network is saturated: what is delivered depends on how "
                     "long it runs");
        else
            snprintf(error.text, sizeof error.text,
                     "--deliveries: %zu messages were measured, more than the %d of a list; a "
                     "larger simulation.precision or a smaller simulation.max_cycles measures "
                     "fewer",
                     result->delivery_count, (int)FC_DELIVERIES_MOST);
        return fail(FC_ERROR_UNSUPPORTED, &error);
    }
    return write_part(result, scenario, "deliveries", FC_FORMAT_CSV, path);
}

static int write_report(const arguments *given, const fc_scenario *scenario,
                        const fc_result *result) {
    const char *path = arguments_value(given, "report");
    return path ? write_part(result, scenario, "report", FC_FORMAT_HTML, path) : EXIT_DONE;
}

/* What was asked for beside the result: all that can be had, whatever else cannot. The first
 * failure counts. */
static int write_pictures(const arguments *given, const task *begun, const fc_result *result) {
    const int codes[] = {
        draw(result, &begun->output, "windows", arguments_value(given, "windows")),
        draw(result, &begun->output, "progress", arguments_value(given, "progress")),
        draw_network(given, begun->scenario, result),
        write_report(given, begun->scenario, result),
        write_histogram(given, result),
        write_deliveries(given, begun->scenario, result)};
    size_t first = 0;
    while (first + 1 < sizeof codes / sizeof *codes && codes[first] == EXIT_DONE)
        ++first;
    return codes[first];
}

static int run(arguments *given) {
    task begun;
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_result *result;
    const fc_keep keep = {.histogram = arguments_has(given, "histogram"),
                          .pairs = begun.output.detail,
                          .deliveries = arguments_has(given, "deliveries")};
    begun.run.keep = &keep;
    const fc_status status = fc_simulate(begun.scenario, &begun.run, &error, &result);
    progress_end();
    if (status == FC_OK) {
        const char *format = arguments_value(given, "format");
        code = finish_output(
            format && strcmp(format, "booksim") == 0
                ? fc_result_write_part(result, begun.scenario, "booksim", NULL, stdout)
                : fc_result_write(result, &begun.output, stdout));
        if (code == EXIT_DONE)
            code = write_pictures(given, &begun, result);
        fc_result_free(result);
    } else {
        code = fail(status, &error);
    }
    fc_scenario_free(begun.scenario);
    return code;
}

const command_info simulate_command = {
    .name = "simulate",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Measures by simulation, with 95 % intervals",
    .text =
        "Runs independent replications on all cores, finds the end of the warm-up by itself, and\n"
        "stops when the half width of the main metric's 95 % interval is at most\n"
        "simulation.precision times its value, or at simulation.max_cycles. Ctrl-C stops and\n"
        "prints what was measured so far.\n"
        "\n"
        "FILE may be a BookSim configuration, followed by BookSim settings: mesh.cfg k=4.",
    .examples = "  flitcast simulate mesh.yaml --precision 0.05\n"
                "  flitcast simulate closed_8x8.yaml --precision 0.05 --detail\n"
                "  flitcast simulate mesh.yaml --precision 0.05 --deliveries messages.csv\n"
                "  flitcast simulate all_reduce.yaml --windows links.svg --svg network.svg\n"
                "  flitcast simulate mesh.yaml --report mesh.html",
    .options = options,
    .scenario = true,
    .run = run,
};
