#include <stdlib.h>
#include <string.h>
#include "cli/axes.h"
#ifdef FLITCAST_MPI
#include "cli/sweep_mpi.h"
#endif

static const option_info options[] = {
    {"vary", "KEY=VALUES", "the values: a:b:step, a:b:*factor or a,b,c; repeat for a grid"},
    {"model", "NAME", "a model; repeat for several (default: the best for each point)"},
    {"no-calibration", NULL, "the models' own answers, without the correction"},
    {"no-model", NULL, "simulate only"},
    {"simulate", NULL, "simulate every point too"},
    {"store", "FILE", "keep results in an SQLite file, and resume from there next time"},
    {"shard", "I/N", "do part I (from 0) of N; needs --store, see flitcast merge"},
    {"mpi", NULL, "use the processes of an MPI job (the default under Open MPI's mpirun)"},
    {"columns", "NAMES", "the metrics of the table, in this order: latency,latency_p99,..."},
    {"metric", "NAME", "what to plot (default: the main metric)"},
    {"no-plot", NULL, "no plot below the table"},
    {"svg", "FILE", "write the plot as SVG"},
    {"gnuplot", "FILE", "write the plot as a gnuplot script with its data"},
    {"report", "FILE.html", "write table and plot as a page"},
    {0},
};

enum { MODELS_MAX = 32 };

static fc_status write(const void *sweep, const fc_write_settings *settings, FILE *stream) {
    return fc_sweep_write(sweep, settings, stream);
}

static int write_sweep(const arguments *given, const fc_sweep *sweep,
                       const fc_write_settings *output) {
    fc_status status = write(sweep, output, stdout);
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
    if (plot && shown) {
        putchar('\n');
        status = fc_plot_write(plot, output, stdout);
    }
    if (plot && files)
        code = write_plot_files(given, plot);
    fc_plot_free(plot);
    if (status == FC_OK && code == EXIT_DONE)
        code = write_page_file(given, write, sweep);
    return code == EXIT_DONE ? finish_output(status) : code;
}

static int read_shard(const arguments *given, fc_sweep_settings *settings) {
    const char *text = arguments_value(given, "shard");
    int used = 0;
    if (!text)
        return EXIT_DONE;
    if (text[strspn(text, "0123456789/")] || /* scanf takes -1 for a very large number */
        sscanf(text, "%zu/%zu%n", &settings->shard, &settings->shard_count, &used) != 2 ||
        text[used] || settings->shard >= settings->shard_count)
        return fail_usage("--shard is '%s'; expected I/N with I from 0 to N-1", text);
    if (!settings->store)
        return fail_usage("--shard needs --store FILE, one for each shard");
    return EXIT_DONE;
}

/* In the terminal, as a file or in a report. */
static bool wants_plot(const arguments *given, const fc_write_settings *output) {
    const bool shown = output->format == FC_FORMAT_TEXT && !arguments_has(given, "no-plot");
    return shown || arguments_has(given, "svg") || arguments_has(given, "gnuplot") ||
           arguments_has(given, "report");
}

typedef struct sweep_request {
    fc_scenario *scenario;
    fc_sweep_settings sweep;
    fc_run_settings run;
    fc_write_settings output;
    const char *models[MODELS_MAX];
    varied_axes varied;
} sweep_request;

/* Before anything is run: a misspelt metric is found at once. */
static int read_columns(const arguments *given, fc_write_settings *output) {
    const char *list = arguments_value(given, "columns"), *names[64];
    size_t count = 0;
    if (!list)
        return EXIT_DONE;
    for (; count < fc_metric_count() && count < 63; ++count)
        names[count] = fc_metric_at(count)->name;
    names[count] = NULL;
    for (const char *entry = list; *entry;) {
        char name[64], hint[HINT_SIZE];
        const size_t size = strcspn(entry, ",");
        snprintf(name, sizeof name, "%.*s", (int)size, entry);
        bool known = false;
        for (size_t i = 0; i < count; ++i)
            known |= strcmp(names[i], name) == 0;
        if (!known)
            return fail_usage("--columns: there is no metric '%s'%s", name,
                              hint_at(name, names, "", hint));
        entry += size + (entry[size] == ',');
    }
    output->columns = list;
    return EXIT_DONE;
}

static int read_request(const arguments *given, sweep_request *request) {
    int code = output_settings(given, &request->output);
    if (code == EXIT_DONE)
        code = read_columns(given, &request->output);
    if (code == EXIT_DONE)
        code = run_settings(given, &request->run);
    if (code == EXIT_DONE)
        code = axes_read(given, &request->varied);
    if (code != EXIT_DONE)
        return code;
    size_t count = 0;
    for (const char *name; (name = arguments_nth(given, "model", count)); ++count) {
        if (count == MODELS_MAX)
            return fail_usage("at most %d models can be asked for at once", MODELS_MAX);
        request->models[count] = name;
    }
    if (count == 0 && arguments_has(given, "no-calibration"))
        request->models[count++] = FC_UNCALIBRATED;
    const bool none = arguments_has(given, "no-model");
    if (none && count)
        return fail_usage("--no-model excludes --model and --no-calibration");
    request->sweep = (fc_sweep_settings){
        .axes = request->varied.list,
        .axis_count = request->varied.count,
        .models = count ? request->models : NULL,
        .model_count = count,
        .no_model = none,
        .simulate = none || arguments_has(given, "simulate"),
        .store = arguments_value(given, "store"),
        .lines = wants_plot(given, &request->output),
    };
    code = read_shard(given, &request->sweep);
    return code == EXIT_DONE ? load_scenario(given, &request->scenario) : code;
}

static void clear_request(sweep_request *request) {
    fc_scenario_free(request->scenario);
    axes_clear(&request->varied);
}

static int run_request(const arguments *given, const sweep_request *request) {
    fc_error error = {{0}};
    fc_sweep *sweep;
    const fc_status status =
        fc_sweep_run(request->scenario, &request->sweep, &request->run, &error, &sweep);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    if (!arguments_has(given, "quiet"))
        say_unchecked(request->sweep.store, sweep->unchecked);
    const int code = write_sweep(given, sweep, &request->output);
    fc_sweep_free(sweep);
    return code;
}

/* Asked for, or started by Open MPI's mpirun as one of several. */
static bool is_mpi_job(const arguments *given) {
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return arguments_has(given, "mpi") || (size && atoi(size) > 1);
}

#ifdef FLITCAST_MPI
static int run_mpi(const arguments *given) {
    mpi_team team;
    if (!mpi_start(&team))
        return fail_usage("MPI could not be started; see what mpirun says");
    sweep_request request = {0};
    int code = EXIT_DONE;
    if (strcmp(given->operands[0], "-") == 0 && !mpi_share_input(&team))
        code = fail_usage("the standard input could not be copied to the processes of the MPI job");
    if (code == EXIT_DONE)
        code = read_request(given, &request);
    team.cancel = request.run.cancel;
    if (!arguments_has(given, "threads"))
        request.run.threads = team.size > 1; /* a rank per core is the rule */
    if (team.rank > 0) {
        request.run.progress = NULL;
        mpi_work(&team, request.scenario, &request.sweep, &request.run);
        code = EXIT_DONE; /* what went wrong, rank 0 says */
    } else if (code == EXIT_DONE) {
        if (team.size > 1)
            request.sweep.crew = &team.crew;
        code = run_request(given, &request);
    }
    mpi_end(&team);
    clear_request(&request);
    return code;
}
#else
static int run_mpi(const arguments *given) {
    (void)given;
    return fail_usage("this flitcast was built without MPI, so it cannot share a sweep among the "
                      "processes of mpirun. Install libopenmpi-dev and build again, or divide the "
                      "sweep with --shard I/N");
}
#endif

static int run(arguments *given) {
    if (is_mpi_job(given))
        return run_mpi(given);
    sweep_request request = {0};
    int code = read_request(given, &request);
    if (code == EXIT_DONE)
        code = run_request(given, &request);
    clear_request(&request);
    return code;
}

const command_info sweep_command = {
    .name = "sweep",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "A grid of points: table, plot, CSV, JSON",
    .text =
        "Any scenario key can be varied, an entry of a list too: --vary network.rings.0=4:32:4.\n"
        "Several --vary make a grid; the values of the last one change fastest. Ctrl-C stops and\n"
        "prints the points that are finished.\n"
        "\n"
        "mpirun flitcast sweep ... runs it on many machines: process 0 writes the store and the\n"
        "output and hands out points; the others evaluate them, with one thread each unless\n"
        "--threads says otherwise. Every process reads the scenario file (standard input is read\n"
        "by process 0 for all). The results are the same.",
    .examples =
        "  flitcast sweep mesh.yaml --vary traffic.rate=0.001:0.005:0.001\n"
        "  flitcast sweep mesh.yaml --vary network.topology=mesh,torus \\\n"
        "      --vary network.virtual_channels=2,4 --format csv\n"
        "  flitcast sweep rings_two_levels.yaml --vary traffic.rate=0.001,0.002 --simulate \\\n"
        "      --precision 0.05 --store rings.db",
    .options = options,
    .scenario = true,
    .run = run,
};
