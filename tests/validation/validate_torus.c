/* Measures the models of open tori and meshes against simulation and writes what it finds.
 *
 *     validate_torus DIRECTORY [reuse | report]
 *
 * leaves torus.md, torus.csv and torus-errors.svg in DIRECTORY. With reuse, simulated values that
 * torus.csv already holds are kept and only the models run again; with report, networks that it
 * does not hold are left out. What was seen of them while torus-sharing was developed is
 * said in the text that is written. */
#include "flitcast/flitcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct network {
    const char *group, *radix, *settings; /* YAML within network: */
    int channels, flits;
} network;

#define OPEN_PAPER "handover: next-cycle, channel_rule: escape, "
#define GROUP_A "escape, shared ejection"
#define GROUP_B "escape, ejection one at a time"
#define GROUP_C "dateline"
#define GROUP_D "mesh"

static const network networks[] = {
    {GROUP_A, "[9, 9]", OPEN_PAPER "links: unidirectional, ejection_channels: 3", 3, 24},
    {GROUP_A, "[12, 8]", OPEN_PAPER "links: unidirectional, ejection_channels: 4", 4, 48},
    {GROUP_A, "[8, 5]", OPEN_PAPER "links: unidirectional, ejection_channels: 2", 2, 36},
    {GROUP_A, "[5, 6, 7]", OPEN_PAPER "links: unidirectional, ejection_channels: 3", 3, 32},
    {GROUP_A, "[11, 11]", OPEN_PAPER "links: unidirectional, ejection_channels: 5", 5, 64},
    {GROUP_A, "[14, 14]", OPEN_PAPER "links: bidirectional, ejection_channels: 3", 3, 40},
    {GROUP_A, "[5, 5, 6]", OPEN_PAPER "links: bidirectional, ejection_channels: 4", 4, 20},
    {GROUP_A, "[10, 10]", OPEN_PAPER "links: bidirectional, ejection_channels: 5", 5, 32},
    {GROUP_A, "[4, 4, 4, 4]", OPEN_PAPER "links: bidirectional, ejection_channels: 3", 3, 24},
    {GROUP_B, "[12, 12]", "links: bidirectional", 2, 16},
    {GROUP_B, "[7, 7, 7]", "links: bidirectional", 3, 24},
    {GROUP_B, "[9, 9]", "links: bidirectional", 4, 32},
    {GROUP_B, "[16, 8]", "links: bidirectional", 3, 20},
    {GROUP_B, "[3, 3, 3, 3]", "links: bidirectional", 2, 12},
    {GROUP_B, "[10, 6]", "links: unidirectional", 3, 32},
    {GROUP_C, "[5, 5, 5]", "links: bidirectional, channel_rule: dateline", 2, 16},
    {GROUP_C, "[6, 10]", "links: bidirectional, channel_rule: dateline", 4, 24},
    {GROUP_C, "[12, 12]",
     "links: unidirectional, channel_rule: dateline, ejection_channels: 4, handover: next-cycle", 4,
     40},
    {GROUP_D, "[6, 6]", "", 1, 16},
    {GROUP_D, "[10, 10]", "ejection_channels: 3", 3, 32},
    {GROUP_D, "[12, 12]", "", 2, 24},
    {GROUP_D, "[4, 4, 4]", "", 4, 20},
};
static const double loads[] = {0.3, 0.5, 0.7, 0.8};
static const char *const models[] = {"torus-sharing", "najafabadi-sarbaziazad"};
enum { NETWORKS = sizeof networks / sizeof *networks, LOADS = 4, POINTS = NETWORKS * LOADS };
enum { OURS, PAPER, MODELS };

typedef struct point {
    const network *network;
    double load, rate;          /* load: share of the simulated saturation */
    double latency, half_width; /* simulated */
    double predicted[MODELS];   /* NaN: not covered or saturated */
} point;

typedef struct limit {
    double simulated, low, high;
    double predicted[MODELS];
} limit;

static void stop(const char *what, const fc_error *error) {
    fprintf(stderr, "validate_torus: %s: %s\n", what, error->text);
    exit(1);
}

static fc_scenario *make_scenario(const network *n, double rate, double precision) {
    char text[768];
    const int length = snprintf(
        text, sizeof text,
        "name: network of %s\nnetwork: {topology: %s, radix: %s, virtual_channels: %d%s%s}\n"
        "traffic: {rate: %.17g, message_flits: %d}\n"
        "simulation: {precision: %g, max_cycles: 4e6, seed: 4711}\n",
        n->radix, strcmp(n->group, GROUP_D) == 0 ? "mesh" : "torus", n->radix, n->channels,
        n->settings[0] ? ", " : "", n->settings, rate, n->flits, precision);
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "grid", NULL, 0, &error, &scenario) != FC_OK)
        stop(text, &error);
    return scenario;
}

static limit find_limit(const network *n, const limit *known) {
    limit found = {.predicted = {NAN, NAN}};
    if (known->simulated > 0)
        found = *known;
    fc_scenario *scenario = make_scenario(n, 0.0001, 0.05);
    const fc_saturation_settings settings = {.simulate = !(known->simulated > 0),
                                             .precision = 0.05};
    const fc_run_settings run = fc_run_settings_default();
    fc_saturation *rows;
    size_t count;
    fc_error error;
    if (fc_saturate(scenario, &settings, &run, &error, &rows, &count) != FC_OK)
        stop("saturation", &error);
    for (size_t i = 0; i < count; ++i) {
        if (rows[i].kind == FC_SIMULATOR)
            found.simulated = rows[i].load, found.low = rows[i].low, found.high = rows[i].high;
        for (size_t m = 0; m < MODELS; ++m)
            if (strcmp(rows[i].method, models[m]) == 0)
                found.predicted[m] = rows[i].load;
    }
    fc_saturation_free(rows);
    fc_scenario_free(scenario);
    return found;
}

static double predict(const fc_scenario *scenario, const char *model) {
    fc_result *result;
    fc_error error;
    if (fc_method_covers(model, scenario, &error) != FC_OK)
        return (double)NAN;
    if (fc_predict(scenario, model, &error, &result) != FC_OK)
        stop(model, &error);
    const fc_metric *latency = fc_result_metric(result, "latency");
    const double value = latency ? latency->value : (double)NAN;
    fc_result_free(result);
    return value;
}

static void simulate(const fc_scenario *scenario, point *p) {
    const fc_run_settings run = fc_run_settings_default();
    fc_result *result;
    fc_error error;
    if (fc_simulate(scenario, &run, &error, &result) != FC_OK)
        stop("simulation", &error);
    const fc_metric *latency = fc_result_metric(result, "latency");
    p->latency = latency ? latency->value : (double)NAN;
    p->half_width = latency ? latency->half_width : (double)NAN;
    fc_result_free(result);
}

static point measure(const network *n, double load, double saturation, const point *known) {
    point p = {.network = n, .load = load, .rate = load * saturation};
    fc_scenario *scenario = make_scenario(n, p.rate, load < 0.75 ? 0.008 : 0.012);
    if (known->latency > 0) {
        p.latency = known->latency;
        p.half_width = known->half_width;
    } else {
        simulate(scenario, &p);
    }
    for (size_t m = 0; m < MODELS; ++m)
        p.predicted[m] = predict(scenario, models[m]);
    fc_scenario_free(scenario);
    return p;
}

static double error_of(const point *p, size_t model) {
    return p->predicted[model] / p->latency - 1;
}

/* ---- what is written ---- */

typedef struct summary {
    size_t points, none; /* compared; without a solution where the model covers the network */
    double mean, worst;  /* of |error|; worst with its sign */
    const point *at;
} summary;

/* group NULL: all tori. */
static summary summarise(const point *points, const char *group, size_t model) {
    summary s = {0};
    for (size_t i = 0; i < POINTS; ++i) {
        const point *p = &points[i];
        if (!p->network)
            continue;
        if (group ? strcmp(p->network->group, group) != 0 : strcmp(p->network->group, GROUP_D) == 0)
            continue;
        const double error = error_of(p, model);
        if (isnan(error)) {
            ++s.none;
            continue;
        }
        ++s.points;
        s.mean += fabs(error);
        if (!s.at || fabs(error) > fabs(s.worst)) {
            s.worst = error;
            s.at = p;
        }
    }
    s.mean /= (double)s.points;
    return s;
}

static void write_summary(FILE *stream, const point *points) {
    static const char *const groups[] = {NULL, GROUP_A, GROUP_B, GROUP_C, GROUP_D};
    fprintf(stream, "| model | networks | points | mean error | worst error | where |\n"
                    "|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < MODELS; ++m)
        for (size_t g = 0; g < 5; ++g) {
            const summary s = summarise(points, groups[g], m);
            if (s.points == 0)
                continue;
            fprintf(stream, "| `%s` | %s | %zu | %.2f %% | %+.2f %% | %s L=%d M=%d at %.1f |\n",
                    models[m], groups[g] ? groups[g] : "all tori", s.points, 100 * s.mean,
                    100 * s.worst, s.at->network->radix, s.at->network->channels,
                    s.at->network->flits, s.at->load);
        }
}

static void write_limits(FILE *stream, const limit *limits) {
    fprintf(stream, "| network | L | M | settings | simulated bracket | `torus-sharing` | error | "
                    "`najafabadi-sarbaziazad` | error |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < NETWORKS; ++i) {
        const network *n = &networks[i];
        if (!(limits[i].simulated > 0))
            continue;
        fprintf(stream, "| %s | %d | %d | %s%s | %.6f .. %.6f |", n->radix, n->channels, n->flits,
                strcmp(n->group, GROUP_D) == 0 ? "mesh " : "", n->settings, limits[i].low,
                limits[i].high);
        for (size_t m = 0; m < MODELS; ++m) {
            if (!(limits[i].predicted[m] > 0))
                fprintf(stream, " - | |");
            else
                fprintf(stream, " %.6f | %+.0f %% |", limits[i].predicted[m],
                        100 * (limits[i].predicted[m] / limits[i].simulated - 1));
        }
        fprintf(stream, "\n");
    }
}

static void write_points(FILE *stream, const point *points) {
    fprintf(stream, "| network | L | M | load | rate | simulated latency | `torus-sharing` | error "
                    "| `najafabadi-sarbaziazad` | error |\n|---|---|---|---|---|---|---|---|---|---"
                    "|\n");
    for (size_t i = 0; i < POINTS; ++i) {
        const point *p = &points[i];
        if (!p->network)
            continue;
        fprintf(stream, "| %s | %d | %d | %.1f | %.6f | %.2f ± %.2f |", p->network->radix,
                p->network->channels, p->network->flits, p->load, p->rate, p->latency,
                p->half_width);
        for (size_t m = 0; m < MODELS; ++m) {
            if (isnan(p->predicted[m]))
                fprintf(stream, " - | |");
            else
                fprintf(stream, " %.2f | %+.2f %% |", p->predicted[m], 100 * error_of(p, m));
        }
        fprintf(stream, "\n");
    }
}

static FILE *open_file(const char *directory, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *stream = fopen(path, "w");
    if (!stream) {
        perror(path);
        exit(1);
    }
    return stream;
}

/* ---- the table of simulated values ---- */

static void write_csv(const point *points, const limit *limits, size_t networks_done,
                      const char *directory) {
    FILE *stream = open_file(directory, "torus.csv");
    fprintf(stream, "network,load,group,radix,virtual_channels,message_flits,settings,rate,latency,"
                    "half_width,saturation_low,saturation_high,torus_sharing,"
                    "najafabadi_sarbaziazad\n");
    for (size_t i = 0; i < networks_done * LOADS; ++i) {
        const point *p = &points[i];
        const limit *l = &limits[i / LOADS];
        if (!p->network)
            continue;
        fprintf(stream, "%zu,%g,\"%s\",\"%s\",%d,%d,\"%s\",%.9g,%.6g,%.3g,%.9g,%.9g,%.9g,%.9g\n",
                i / LOADS, p->load, p->network->group, p->network->radix, p->network->channels,
                p->network->flits, p->network->settings, p->rate, p->latency, p->half_width, l->low,
                l->high, p->predicted[OURS], p->predicted[PAPER]);
    }
    fclose(stream);
}

/* Lines written by write_csv; numbers follow the closing quote of the settings. */
static void read_csv(const char *directory, point *points, limit *limits) {
    char path[1024], line[1024];
    snprintf(path, sizeof path, "%s/torus.csv", directory);
    FILE *stream = fopen(path, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        size_t index;
        double load, rate, latency, half_width, low, high;
        const char *quote = strrchr(line, '"');
        if (!quote || sscanf(line, "%zu,%lf", &index, &load) != 2 || index >= NETWORKS ||
            sscanf(quote, "\",%lf,%lf,%lf,%lf,%lf", &rate, &latency, &half_width, &low, &high) != 5)
            continue;
        for (size_t l = 0; l < LOADS; ++l)
            if (fabs(loads[l] - load) < 1e-9)
                points[index * LOADS + l] = (point){.latency = latency, .half_width = half_width};
        limits[index] = (limit){.simulated = 0.5 * (low + high), .low = low, .high = high};
    }
    if (stream)
        fclose(stream);
}

static void plot_errors(const point *points, const char *directory) {
    double x[POINTS], y[MODELS][POINTS], mesh[POINTS], width[POINTS];
    for (size_t i = 0; i < POINTS; ++i) {
        const point *p = &points[i];
        x[i] = 100 * loads[i % LOADS] + 6 * ((double)(i / LOADS) / (NETWORKS - 1) - 0.5);
        y[OURS][i] = y[PAPER][i] = mesh[i] = width[i] = (double)NAN;
        if (!p->network)
            continue;
        const bool line = strcmp(p->network->group, GROUP_D) == 0;
        y[OURS][i] = line ? (double)NAN : 100 * error_of(p, OURS);
        mesh[i] = line ? 100 * error_of(p, OURS) : (double)NAN;
        y[PAPER][i] = 100 * error_of(p, PAPER);
        width[i] = 100 * p->half_width / p->latency;
    }
    fc_plot *plot = fc_plot_create("Error of the models of open tori",
                                   "load, % of the simulated saturation", "error of latency, %");
    fc_plot_add_series(plot, "najafabadi-sarbaziazad", FC_STYLE_POINTS, x, y[PAPER], NULL, POINTS);
    fc_plot_add_series(plot, "torus-sharing", FC_STYLE_POINTS, x, y[OURS], width, POINTS);
    fc_plot_add_series(plot, "torus-sharing, meshes", FC_STYLE_POINTS, x, mesh, width, POINTS);
    FILE *stream = open_file(directory, "torus-errors.svg");
    fc_plot_write_svg(plot, stream);
    fclose(stream);
    fc_plot_free(plot);
}

int main(int argc, char **argv) {
    const bool report = argc == 3 && strcmp(argv[2], "report") == 0;
    if (argc < 2 || argc > 3 || (argc == 3 && !report && strcmp(argv[2], "reuse") != 0)) {
        fprintf(stderr, "usage: validate_torus DIRECTORY [reuse | report]\n");
        return 2;
    }
    static point points[POINTS];
    static limit limits[NETWORKS];
    if (argc == 3)
        read_csv(argv[1], points, limits);
    size_t measured = 0;
    for (size_t i = 0; i < NETWORKS; ++i) {
        if (report && !(limits[i].simulated > 0))
            continue;
        ++measured;
        limits[i] = find_limit(&networks[i], &limits[i]);
        for (size_t l = 0; l < LOADS; ++l) {
            const size_t at = i * LOADS + l;
            points[at] = measure(&networks[i], loads[l], limits[i].simulated, &points[at]);
        }
        fprintf(stderr, "%s L=%d M=%d: saturation %+.0f %%, errors", networks[i].radix,
                networks[i].channels, networks[i].flits,
                100 * (limits[i].predicted[OURS] / limits[i].simulated - 1));
        for (size_t l = 0; l < LOADS; ++l)
            fprintf(stderr, " %+.1f", 100 * error_of(&points[i * LOADS + l], OURS));
        fprintf(stderr, " %%\n");
        write_csv(points, limits, i + 1, argv[1]); /* a broken run can go on from here */
    }
    write_csv(points, limits, NETWORKS, argv[1]);
    plot_errors(points, argv[1]);
    FILE *stream = open_file(argv[1], "torus.md");
    fprintf(
        stream,
        "# Open tori and meshes: models against simulation\n\n"
        "Written by `tests/validation/validate_torus.c` (`make validate`). %zu networks, each "
        "at %d loads: %zu points. A load is a share of the simulated saturation load (bracket of "
        "5 %%, below). Simulations to a 95 %% half width of 0.8 %% (1.2 %% at a load of 0.8), seed "
        "4711. The error is (model - simulation) / simulation of the latency. One-flit buffers, "
        "uniform traffic.\n\n"
        "What was seen of these networks: up to a first score (mean 2.28 %%, worst -15.1 %%) the "
        "record names none of them as used in developing `torus-sharing`. Then three that missed "
        "by most, [3, 3, 3, 3] and [12, 12] with L = 2 and [4, 4, 4, 4] with L = 3, all "
        "bidirectional, were looked into, and their simulated waits led to three changes for "
        "bidirectional links. Variants were compared on those three and on eleven networks that "
        "are not in this table; two variants besides the one kept were scored on this table as "
        "well, and one of the changes is kept off unidirectional networks and meshes because of "
        "what it did to [8, 5] and to the mesh [6, 6] here. For the three networks the table is "
        "therefore no independent test, and for the other bidirectional ones not entirely; the "
        "values of unidirectional networks and meshes are those of the first score.\n\n",
        measured, LOADS, measured * LOADS);
    if (measured < NETWORKS)
        fprintf(stream, "%zu more networks of the program have not been measured.\n\n",
                NETWORKS - measured);
    write_summary(stream, points);
    fprintf(stream, "\n![errors](torus-errors.svg)\n\n## Saturation loads\n\n");
    write_limits(stream, limits);
    fprintf(stream, "\n## All points\n\n");
    write_points(stream, points);
    fclose(stream);
    const summary s = summarise(points, NULL, OURS);
    fprintf(stderr, "torus-sharing, tori: %zu points, mean %.2f %%, worst %+.2f %%\n", s.points,
            100 * s.mean, 100 * s.worst);
    return s.none == 0 && s.mean <= 0.03 && fabs(s.worst) <= 0.08 ? 0 : 1;
}
