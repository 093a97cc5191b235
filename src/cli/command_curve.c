#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "cli/axes.h"
#include "cli/cli.h"

static const option_info options[] = {
    {"vary", "KEY=VALUES", "a curve for each value: KEY=1,2,4; may be repeated"},
    {"panels", "KEY", "a panel for each value of that varied key"},
    {"precision", "P", "half width of the band over the value (default: 0.02)"},
    {"at", "LOAD,...", "loads that must be among the points; may be repeated"},
    {"model", "NAME", "the model that gives the shape (default: the most accurate one)"},
    {"no-model", NULL, "the shape without a model"},
    {"store", "FILE", "keep simulations in an SQLite file, and resume from there next time"},
    {"equal", "WHAT",
     "several files: make flits as wide as the same bisection, wires or pins allow"},
    {"metric", "NAME", "what to plot (default: the main metric)"},
    {"axis", "NAME",
     "the load in messages (default), flits, or capacity: its share of the load\nthat fills the "
     "busiest link with uniform traffic"},
    {"title", "TEXT", "of the plot"},
    {"labels", "A,B,...", "names of the curves in the legend"},
    {"size", "WxH", "of the SVG picture, in pixels: 800x500"},
    {"ymax", "Y", "where the y axis ends"},
    {"no-plot", NULL, "no plot below the table"},
    {"svg", "FILE", "write the plot as SVG"},
    {"gnuplot", "FILE", "write the plot as a gnuplot script with its data"},
    {"report", "FILE.html", "write tables and plots as a page"},
    {0},
};

enum { FILES_MAX = 16, CURVES_MAX = 64, LOADS_MAX = 64, LABEL_SIZE = 100 };

typedef struct request {
    fc_write_settings output;
    fc_run_settings run;
    fc_curve_settings curve;
    double at[LOADS_MAX];
    fc_scenario *files[FILES_MAX];
    size_t file_count;
    varied_axes varied;
    size_t panel_axis; /* varied.count: there are no panels */
    fc_scenario *scenarios[CURVES_MAX];
    fc_curve *curves[CURVES_MAX];
    fc_equalized how[CURVES_MAX];
    bool equal;   /* how says what was done */
    size_t count; /* of scenarios */
    size_t drawn; /* of curves */
    fc_curve_view view;
    char label_text[CURVES_MAX][LABEL_SIZE];
    const char *labels[CURVES_MAX];
    char *given_labels;
    const char *panel_titles[CURVES_MAX];
    char panel_text[CURVES_MAX][LABEL_SIZE];
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

/* ---- one curve for each file and combination of values ---- */

/* "adaptive"; a number needs its key: "virtual channels 4". */
static void name_value(const fc_axis *axis, size_t value, char *label, size_t size) {
    const char *text = axis->values[value], *last = strrchr(axis->key, '.');
    if (isalpha((unsigned char)text[0])) {
        snprintf(label, size, "%.90s", text);
        return;
    }
    snprintf(label, size, "%.40s %.50s", last ? last + 1 : axis->key, text);
    for (char *at = label; *at && *at != ' '; ++at)
        *at = *at == '_' ? ' ' : *at;
}

/* Adds a curve with these values to the request. panels: the axis of panels has no part in the
 * label of a curve. */
static int add_scenario(request *asked, size_t file, const size_t *values) {
    fc_setting settings[AXES_MAX + 1];
    char label[LABEL_SIZE] = "", name[2 * LABEL_SIZE + 128];
    const char *base = fc_scenario_name(asked->files[file]);
    size_t used = 0, all = (size_t)snprintf(name, sizeof name, "%.100s", base);
    if (asked->file_count > 1)
        used = (size_t)snprintf(label, sizeof label, "%.60s", base);
    for (size_t a = 0; a < asked->varied.count; ++a) {
        const fc_axis *axis = &asked->varied.list[a];
        char part[LABEL_SIZE];
        name_value(axis, values[a], part, sizeof part);
        settings[a] = (fc_setting){axis->key, axis->values[values[a]], axis->label};
        if (all < sizeof name)
            all += (size_t)snprintf(name + all, sizeof name - all, ", %s", part);
        if (a != asked->panel_axis && used < sizeof label)
            used +=
                (size_t)snprintf(label + used, sizeof label - used, "%s%s", used ? ", " : "", part);
    }
    name[126] = '\0'; /* what a scenario's name holds */
    settings[asked->varied.count] = (fc_setting){"name", name, NULL};
    fc_error error = {{0}};
    const fc_status status = fc_scenario_with(asked->files[file], settings, asked->varied.count + 1,
                                              &error, &asked->scenarios[asked->count]);
    if (status != FC_OK)
        return fail(status, &error);
    snprintf(asked->label_text[asked->count], LABEL_SIZE, "%s", label);
    asked->labels[asked->count] = asked->label_text[asked->count];
    ++asked->count;
    return EXIT_DONE;
}

/* The axis of panels changes fastest: curve c is in panel c % panels. */
static int make_scenarios(request *asked) {
    const varied_axes *varied = &asked->varied;
    size_t points = 1;
    for (size_t a = 0; a < varied->count; ++a)
        points *= varied->list[a].count <= CURVES_MAX ? varied->list[a].count : CURVES_MAX + 1;
    if (points * asked->file_count > CURVES_MAX)
        return fail_usage("more than %d curves: fewer files or values of --vary", CURVES_MAX);
    int code = EXIT_DONE;
    for (size_t i = 0; i < points * asked->file_count && code == EXIT_DONE; ++i) {
        size_t values[AXES_MAX] = {0}, rest = i;
        if (asked->panel_axis < varied->count) {
            values[asked->panel_axis] = rest % varied->list[asked->panel_axis].count;
            rest /= varied->list[asked->panel_axis].count;
        }
        for (size_t a = varied->count; a-- > 0;) {
            if (a == asked->panel_axis)
                continue;
            values[a] = rest % varied->list[a].count;
            rest /= varied->list[a].count;
        }
        code = add_scenario(asked, rest, values);
    }
    return code;
}

static int find_panels(const arguments *given, request *asked) {
    const char *key = arguments_value(given, "panels");
    const varied_axes *varied = &asked->varied;
    asked->panel_axis = varied->count;
    if (!key)
        return EXIT_DONE;
    const char *names[AXES_MAX + 1] = {NULL};
    for (size_t a = 0; a < varied->count; ++a) {
        names[a] = varied->list[a].key;
        if (strcmp(varied->list[a].key, key) == 0)
            asked->panel_axis = a;
    }
    char hint[HINT_SIZE];
    if (asked->panel_axis == varied->count)
        return fail_usage("--panels is '%s', which no --vary gives values%s", key,
                          hint_at(key, names, "", hint));
    const fc_axis *axis = &varied->list[asked->panel_axis];
    for (size_t v = 0; v < axis->count && v < CURVES_MAX; ++v) {
        name_value(axis, v, asked->panel_text[v], LABEL_SIZE);
        asked->panel_titles[v] = asked->panel_text[v];
    }
    asked->view.panels = axis->count;
    asked->view.panel_titles = asked->panel_titles;
    return EXIT_DONE;
}

/* Files alone are read as they are. */
static int read_scenarios(const arguments *given, request *asked) {
    int code = load_scenarios(given, FILES_MAX, asked->files, &asked->file_count);
    if (code == EXIT_DONE && arguments_has(given, "vary"))
        code = axes_read(given, &asked->varied);
    if (code == EXIT_DONE)
        code = find_panels(given, asked);
    if (code != EXIT_DONE)
        return code;
    if (asked->varied.count) {
        code = make_scenarios(asked);
        return code == EXIT_DONE ? equalize_scenarios(given, asked->scenarios, asked->count,
                                                      asked->how, &asked->equal)
                                 : code;
    }
    code = equalize_scenarios(given, asked->files, asked->file_count, asked->how, &asked->equal);
    if (code != EXIT_DONE)
        return code;
    for (; asked->count < asked->file_count; ++asked->count) {
        asked->scenarios[asked->count] = asked->files[asked->count];
        asked->labels[asked->count] = fc_scenario_name(asked->files[asked->count]);
    }
    return EXIT_DONE;
}

/* ---- how they are drawn ---- */

/* Curves of the same name in several panels have one label. */
static int read_labels(const arguments *given, request *asked) {
    const char *text = arguments_value(given, "labels");
    const size_t panels = asked->view.panels ? asked->view.panels : 1;
    asked->view.labels = asked->labels;
    if (!text)
        return EXIT_DONE;
    asked->given_labels = strdup(text);
    if (!asked->given_labels)
        return fail(FC_ERROR_MEMORY, NULL);
    size_t count = 0;
    for (char *at = asked->given_labels; at; ++count) {
        char *end = strchr(at, ',');
        if (end)
            *end++ = '\0';
        for (size_t c = count * panels; c < (count + 1) * panels && c < asked->count; ++c)
            asked->labels[c] = at;
        at = end;
    }
    return count * panels == asked->count
               ? EXIT_DONE
               : fail_usage("--labels has %zu name%s; there are %zu curves%s", count,
                            count == 1 ? "" : "s", asked->count / panels,
                            panels > 1 ? " in a panel" : "");
}

static int read_view(const arguments *given, request *asked) {
    static const char *const axes[] = {[FC_LOAD_USUAL] = "usual",
                                       [FC_LOAD_MESSAGES] = "messages",
                                       [FC_LOAD_FLITS] = "flits",
                                       [FC_LOAD_CAPACITY] = "capacity",
                                       NULL};
    const char *axis = arguments_value(given, "axis"), *size = arguments_value(given, "size");
    fc_curve_view *view = &asked->view;
    view->metric = arguments_value(given, "metric");
    view->title = arguments_value(given, "title");
    if (!view->title && asked->file_count == 1)
        view->title = fc_scenario_name(asked->files[0]);
    char hint[HINT_SIZE], rest;
    int chosen = axis ? FC_LOAD_MESSAGES : FC_LOAD_USUAL;
    while (axis && axes[chosen] && strcmp(axis, axes[chosen]) != 0)
        ++chosen;
    if (!axes[chosen])
        return fail_usage("--axis is '%s'%s Expected messages, flits or capacity", axis,
                          hint_at(axis, axes + FC_LOAD_MESSAGES, "", hint));
    view->axis = (fc_load_axis)chosen;
    asked->curve.capacity = view->axis == FC_LOAD_CAPACITY;
    if (size && (sscanf(size, "%lfx%lf%c", &view->width, &view->height, &rest) != 2 ||
                 !(view->width >= 200 && view->width <= 10000 && view->height >= 150 &&
                   view->height <= 10000)))
        return fail_usage("--size is '%s'; expected a width of 200 to 10000 and a height of 150 to "
                          "10000 pixels, such as 800x500",
                          size);
    const int code = arguments_number(given, "ymax", 1e-300, 1e300, &view->y_max);
    return code == EXIT_DONE ? read_labels(given, asked) : code;
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
    if (code == EXIT_DONE)
        code = read_scenarios(given, asked);
    return code == EXIT_DONE ? read_view(given, asked) : code;
}

/* What was done to a network is said with its curve. */
static void note_equality(const fc_equalized *how, fc_curve *curve) {
    const size_t used = strlen(curve->note);
    snprintf(curve->note + used, sizeof curve->note - used, "%s%.240s.", used ? " " : "",
             how->text);
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
    for (size_t i = 0; asked->equal && i < asked->count; ++i)
        note_equality(&asked->how[i], asked->curves[i]);
    return EXIT_DONE;
}

static fc_status write_all(const void *what, const fc_write_settings *settings, FILE *stream) {
    const request *asked = what;
    return fc_curve_write((const fc_curve *const *)asked->curves, asked->drawn, settings, stream);
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
        plotted = fc_curve_plot(curves, asked->drawn, &asked->view, &error, &plot);
    fc_status status = write_all(asked, &asked->output, stdout);
    if (plotted != FC_OK) /* what took minutes to simulate has been written */
        return fail(plotted, &error);
    if (status == FC_OK && shown) {
        putchar('\n');
        status = fc_plot_write(plot, &asked->output, stdout);
    }
    if (files)
        code = write_plot_files(given, plot);
    fc_plot_free(plot);
    if (status == FC_OK && code == EXIT_DONE)
        code = write_page_file(given, write_all, asked);
    return code == EXIT_DONE ? finish_output(status) : code;
}

static int run(arguments *given) {
    static request asked; /* too large for the stack */
    int code = read_request(given, &asked);
    if (code == EXIT_DONE)
        code = draw_curves(&asked);
    if (code == EXIT_DONE)
        code = write_curves(given, &asked);
    for (size_t i = 0; i < asked.count && asked.varied.count; ++i)
        fc_scenario_free(asked.scenarios[i]);
    for (size_t i = 0; i < asked.file_count; ++i)
        fc_scenario_free(asked.files[i]);
    axes_clear(&asked.varied);
    free(asked.given_labels);
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
        "shape; four to six simulations, chosen to narrow the band, correct it. Above the\n"
        "last load that they support the band is wide and the points are marked as uncertain. In\n"
        "closed networks the curve is the efficiency over the think time.\n"
        "\n"
        "Several files, which may be BookSim configurations, and the values of --vary are drawn "
        "in\n"
        "one picture, up to a common height; --panels puts the values of one varied key side by\n"
        "side. The bracket of each saturation load is shaded. With\n"
        "--equal bisection (wires, pins) the flits of each network are as wide as that of the "
        "first\n"
        "allows: messages keep their bytes and have more or fewer flits.",
    .examples =
        "  flitcast curve mesh_router_timing.yaml --svg mesh.svg\n"
        "  flitcast curve rings_two_levels.yaml --at 0.001,0.003 --format json\n"
        "  flitcast curve mesh_router_timing.yaml booksim_mesh.cfg --report meshes.html\n"
        "  flitcast curve mesh_router_timing.yaml --vary network.buffer=4,8 --svg buffers.svg",
    .options = options,
    .scenario = true,
    .run = run,
};
