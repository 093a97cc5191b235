/* Measures both models of multistage networks against simulation and writes what it finds.
 *
 *     validate_multistage DIRECTORY
 *
 * leaves multistage.md and multistage-errors.svg in DIRECTORY. The configurations are drawn at
 * random with a seed of their own: none was used to fit the constants of multistage-backpressure
 * (docs/theory/multistage.md) but by chance. */
#include "flitcast/flitcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "queueing/finite_queue.h"

enum { UNIFORM = 84, HOT = 70, PORTS = 48, ALL_MAX = UNIFORM + HOT + PORTS };

typedef struct configuration {
    int a, n, buffer, outstanding; /* outstanding 0: no limit */
    double rate, share;            /* share 0: uniform */
    double capacity;               /* of the hot tree; 1 without */
    bool lines;
} configuration;

typedef struct values {
    double throughput, latency, hot, cold;
} values;

typedef struct point {
    configuration at;
    values simulated, half_width, paper, ours;
    bool covered; /* by the paper's model */
} point;

static void stop(const char *what, const fc_error *error) {
    fprintf(stderr, "validate_multistage: %s: %s\n", what, error->text);
    exit(1);
}

static double metric(const fc_result *result, const char *name, bool half_width) {
    const fc_metric *found = result ? fc_result_metric(result, name) : NULL;
    return !found ? (double)NAN : half_width ? found->half_width : found->value;
}

static values values_of(const fc_result *result, bool half_width) {
    return (values){metric(result, "throughput", half_width), metric(result, "latency", half_width),
                    metric(result, "latency_hot", half_width),
                    metric(result, "latency_cold", half_width)};
}

static fc_scenario *make_scenario(const configuration *at, double precision) {
    char text[640], hot[96] = "uniform", limit[24] = "infinite";
    double ports = pow(at->a, at->n);
    if (at->share > 0.0)
        snprintf(hot, sizeof hot, "{hot-spot: {share: %.17g, node: 1}}", at->share);
    if (at->outstanding)
        snprintf(limit, sizeof limit, "%d", at->outstanding);
    const int length = snprintf(
        text, sizeof text,
        "network: {topology: multistage, ports: %.0f, switch: %d, buffer: %d, contention: %s}\n"
        "traffic: {rate: %.17g, destinations: %s, outstanding: %s}\n"
        "simulation: {precision: %g, max_cycles: %g, seed: 2026}\n",
        ports, at->a, at->n == 0 ? 1 : at->buffer, at->lines ? "output-port" : "none", at->rate,
        hot, limit, precision, fmax(3000.0, 2e7 / (ports * at->n)));
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "grid", NULL, 0, &error, &scenario) != FC_OK)
        stop(text, &error);
    return scenario;
}

static point measure(const configuration *at, double precision) {
    point p = {.at = *at};
    fc_scenario *scenario = make_scenario(at, precision);
    fc_error error;
    fc_result *result;
    const fc_run_settings settings = fc_run_settings_default();
    p.covered = fc_method_covers("mohapatra-das", scenario, &error) == FC_OK;
    if (p.covered) {
        if (fc_predict(scenario, "mohapatra-das", &error, &result) != FC_OK)
            stop("mohapatra-das", &error);
        p.paper = values_of(result, false);
        fc_result_free(result);
    }
    if (fc_predict(scenario, "multistage-backpressure", &error, &result) != FC_OK)
        stop("multistage-backpressure", &error);
    p.ours = values_of(result, false);
    fc_result_free(result);
    if (fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        stop("simulation", &error);
    p.simulated = values_of(result, false);
    p.half_width = values_of(result, true);
    fc_result_free(result);
    fc_scenario_free(scenario);
    return p;
}

/* ---- drawing configurations ---- */

static const int shapes[][2] = {{2, 2}, {2, 3}, {2, 4},  {2, 5}, {2, 6}, {2, 7},
                                {2, 8}, {2, 9}, {2, 10}, {3, 2}, {3, 4}, {3, 6},
                                {4, 2}, {4, 3}, {4, 5},  {8, 2}, {8, 3}};
static const int hot_shapes[][2] = {{2, 4}, {2, 6}, {2, 7}, {2, 8}, {3, 3},
                                    {3, 4}, {4, 2}, {4, 3}, {4, 4}, {8, 2}};
enum { SHAPES = 17, HOT_SHAPES = 10 };

static size_t draw(fc_random *random, size_t count) {
    return fc_random_below(random, (uint32_t)count);
}

static configuration draw_uniform(fc_random *random, size_t index, bool lines) {
    static const int buffers[] = {1, 2, 3, 4, 6, 8, 12, 16};
    static const int limits[] = {1, 2, 4, 8, 16, 32};
    configuration at = {.a = shapes[index % SHAPES][0],
                        .n = shapes[index % SHAPES][1],
                        .buffer = buffers[draw(random, 8)],
                        .capacity = 1.0,
                        .lines = lines};
    at.rate = 0.1 * (double)(1 + draw(random, 10));
    if (index % 2) /* half of the points where buffers matter */
        at.rate = 0.1 * (double)((lines ? 4 : 7) + draw(random, lines ? 7 : 4));
    if (index % 5 == 4 && !lines)
        at.outstanding = limits[draw(random, 6)];
    return at;
}

static configuration draw_hot(fc_random *random, size_t index) {
    static const int buffers[] = {2, 4, 8, 16};
    static const double shares[] = {0.02, 0.04, 0.08, 0.16, 0.32};
    static const double loads[] = {0.4, 0.6, 0.8, 0.9, 1.1, 1.3, 2.0};
    configuration at = {.a = hot_shapes[index / 7 % HOT_SHAPES][0],
                        .n = hot_shapes[index / 7 % HOT_SHAPES][1],
                        .buffer = buffers[draw(random, 4)],
                        .share = shares[draw(random, 5)]};
    at.capacity = 1.0 / (1.0 - at.share + at.share * pow(at.a, at.n - 1));
    at.rate = loads[index % 7] * at.capacity;
    return at;
}

/* ---- writing ---- */

typedef struct summary {
    size_t count;
    double sum, worst;
} summary;

static void take(summary *into, double error) {
    ++into->count;
    into->sum += fabs(error);
    if (fabs(error) > fabs(into->worst))
        into->worst = error;
}

static double mean(const summary *of) {
    return of->count ? 100.0 * of->sum / (double)of->count : (double)NAN;
}

static void write_summary(FILE *file, const char *what, const char *model, const summary *of) {
    fprintf(file, "| %s | `%s` | %zu | %.2f %% | %+.2f %% |\n", what, model, of->count, mean(of),
            100.0 * of->worst);
}

static void describe(FILE *file, const configuration *at) {
    char limit[24] = "";
    if (at->outstanding)
        snprintf(limit, sizeof limit, "%d", at->outstanding);
    fprintf(file, "| %d | %d | %d | %.4g | %s ", at->a, at->n, at->buffer, at->rate, limit);
}

static void write_points(FILE *file, const point *points, size_t count, bool paper) {
    fprintf(file,
            "| a | n | L | rate | m | simulated X | simulated D | %serror of X | error of D "
            "|\n|---|---|---|---|---|---|---|%s---|---|\n",
            paper ? "`mohapatra-das` X | D | " : "", paper ? "---|---|" : "");
    for (size_t i = 0; i < count; ++i) {
        const point *p = &points[i];
        describe(file, &p->at);
        fprintf(file, "| %.4f ± %.4f | %.3f ± %.3f ", p->simulated.throughput,
                p->half_width.throughput, p->simulated.latency, p->half_width.latency);
        if (paper)
            fprintf(file, "| %+.1f %% | %+.1f %% ",
                    100.0 * (p->paper.throughput / p->simulated.throughput - 1.0),
                    100.0 * (p->paper.latency / p->simulated.latency - 1.0));
        fprintf(file, "| %+.2f %% | %+.2f %% |\n",
                100.0 * (p->ours.throughput / p->simulated.throughput - 1.0),
                100.0 * (p->ours.latency / p->simulated.latency - 1.0));
    }
}

static void write_even(FILE *file, const char *title, const point *points, size_t count) {
    summary paper[2] = {{0}}, ours[2] = {{0}};
    for (size_t i = 0; i < count; ++i) {
        const point *p = &points[i];
        if (p->covered) {
            take(&paper[0], p->paper.throughput / p->simulated.throughput - 1.0);
            take(&paper[1], p->paper.latency / p->simulated.latency - 1.0);
        }
        take(&ours[0], p->ours.throughput / p->simulated.throughput - 1.0);
        take(&ours[1], p->ours.latency / p->simulated.latency - 1.0);
    }
    fprintf(file, "\n## %s\n\n| | model | points | mean error | worst |\n|---|---|---|---|---|\n",
            title);
    if (paper[0].count) {
        write_summary(file, "throughput", "mohapatra-das", &paper[0]);
        write_summary(file, "delay", "mohapatra-das", &paper[1]);
    }
    write_summary(file, "throughput", "multistage-backpressure", &ours[0]);
    write_summary(file, "delay", "multistage-backpressure", &ours[1]);
    fputc('\n', file);
    write_points(file, points, count, paper[0].count > 0);
}

static void write_hot(FILE *file, const point *points, size_t count) {
    summary below[2] = {{0}}, rate[2] = {{0}}, beyond[2] = {{0}};
    for (size_t i = 0; i < count; ++i) {
        const point *p = &points[i];
        const values models[] = {p->paper, p->ours};
        for (int m = 0; m < 2; ++m) {
            if (p->at.rate < 0.95 * p->at.capacity) {
                take(&below[m], models[m].hot / p->simulated.hot - 1.0);
            } else {
                take(&rate[m], models[m].throughput / p->simulated.throughput - 1.0);
                take(&beyond[m], models[m].hot / p->simulated.hot - 1.0);
            }
        }
    }
    static const char *const names[] = {"mohapatra-das", "multistage-backpressure"};
    fprintf(file, "\n## Hot spots\n\nThe capacity of the hot memory's tree is 1/(d(1-h+hN/a)).\n\n"
                  "| | model | points | mean error | worst |\n|---|---|---|---|---|\n");
    for (int m = 0; m < 2; ++m) {
        write_summary(file, "delay of hot packets up to 90 % of the capacity", names[m], &below[m]);
        write_summary(file, "throughput beyond the capacity", names[m], &rate[m]);
        write_summary(file, "delay of hot packets beyond the capacity", names[m], &beyond[m]);
    }
    fprintf(file, "\n| a | n | L | rate | h | rate / capacity | simulated X | D_hot | D_cold | "
                  "`mohapatra-das` D_hot | error of X | of D_hot | of D_cold |\n"
                  "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; ++i) {
        const point *p = &points[i];
        fprintf(file,
                "| %d | %d | %d | %.4f | %.2f | %.2f | %.4f ± %.4f | %.2f ± %.2f | %.2f ± %.2f | "
                "%+.1f %% | %+.2f %% | %+.2f %% | %+.2f %% |\n",
                p->at.a, p->at.n, p->at.buffer, p->at.rate, p->at.share,
                p->at.rate / p->at.capacity, p->simulated.throughput, p->half_width.throughput,
                p->simulated.hot, p->half_width.hot, p->simulated.cold, p->half_width.cold,
                100.0 * (p->paper.hot / p->simulated.hot - 1.0),
                100.0 * (p->ours.throughput / p->simulated.throughput - 1.0),
                100.0 * (p->ours.hot / p->simulated.hot - 1.0),
                100.0 * (p->ours.cold / p->simulated.cold - 1.0));
    }
}

/* The figures the model and simulator must show. */
static void write_known(FILE *file) {
    static const struct {
        const char *what, *metric, *expected;
        configuration at;
    } cases[] = {
        {"n = 6, L = 8, rate 0.9: throughput",
         "throughput",
         "0.834 / 0.858",
         {.a = 2, .n = 6, .buffer = 8, .rate = 0.9, .capacity = 1.0}},
        {"n = 6, L = 16, rate 0.9, m = 1: throughput",
         "throughput",
         "0.132 / 0.137",
         {.a = 2, .n = 6, .buffer = 16, .rate = 0.9, .outstanding = 1, .capacity = 1.0}},
        {"N = 64, L = 8, h = 0.16, rate 0.1: D_hot",
         "latency_hot",
         "7.33 / 6.8-6.9",
         {.a = 2, .n = 6, .buffer = 8, .rate = 0.1, .share = 0.16, .capacity = 0.16779}},
    };
    fprintf(file, "\n## Known figures\n\n| | expected (model / simulation) | `mohapatra-das` | "
                  "simulation | `multistage-backpressure` |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < 3; ++i) {
        const point p = measure(&cases[i].at, 0.003);
        const bool hot = i == 2;
        fprintf(
            file, "| %s | %s | %.4g | %.4g ± %.2g | %.4g |\n", cases[i].what, cases[i].expected,
            hot ? p.paper.hot : p.paper.throughput, hot ? p.simulated.hot : p.simulated.throughput,
            hot ? p.half_width.hot : p.half_width.throughput, hot ? p.ours.hot : p.ours.throughput);
    }
    fprintf(file,
            "\n## One stage against the exact M/D/1/L\n\n| L | rate | exact X | simulated X | "
            "exact D | simulated D |\n|---|---|---|---|---|---|\n");
    fc_md1k_room *room = fc_md1k_room_create(16);
    for (int i = 0; room && i < 8; ++i) {
        const int buffers[] = {1, 4, 16, 3};
        const configuration at = {.a = 64,
                                  .n = 1,
                                  .buffer = buffers[i % 4],
                                  .rate = 0.3 + 1.1 * i / 7.0,
                                  .capacity = 1.0};
        const point p = measure(&at, 0.002);
        fc_md1k queue;
        fc_md1k_solve(room, at.rate, (size_t)at.buffer, &queue, NULL);
        const double carried = at.rate * (1.0 - queue.blocking);
        fprintf(file, "| %d | %.3f | %.5f | %.5f ± %.5f | %.4f | %.4f ± %.4f |\n", at.buffer,
                at.rate, carried, p.simulated.throughput, p.half_width.throughput,
                queue.mean / carried, p.simulated.latency, p.half_width.latency);
    }
    fc_md1k_room_free(room);
}

static void write_plot(const char *directory, const point *points, size_t count) {
    char path[512];
    snprintf(path, sizeof path, "%s/multistage-errors.svg", directory);
    FILE *file = fopen(path, "w");
    fc_plot *plot = fc_plot_create("Error of the delay", "simulated delay in cycles",
                                   "(model - simulation) / simulation in %");
    double x[UNIFORM], paper[UNIFORM], ours[UNIFORM];
    for (size_t i = 0; i < count; ++i) {
        x[i] = points[i].simulated.latency;
        paper[i] = 100.0 * (points[i].paper.latency / x[i] - 1.0);
        ours[i] = 100.0 * (points[i].ours.latency / x[i] - 1.0);
    }
    if (file && plot) {
        fc_plot_set_log(plot, true, false);
        fc_plot_add_series(plot, "mohapatra-das", FC_STYLE_POINTS, x, paper, NULL, count);
        fc_plot_add_series(plot, "multistage-backpressure", FC_STYLE_POINTS, x, ours, NULL, count);
        fc_plot_write_svg(plot, file);
    }
    fc_plot_free(plot);
    if (file)
        fclose(file);
}

int main(int count, char **arguments) {
    static point points[ALL_MAX];
    if (count != 2) {
        fprintf(stderr, "usage: validate_multistage DIRECTORY\n");
        return 2;
    }
    fc_random random = fc_random_stream(20262, 0, 0);
    for (size_t i = 0; i < ALL_MAX; ++i) {
        const configuration at = i < UNIFORM         ? draw_uniform(&random, i, false)
                                 : i < UNIFORM + HOT ? draw_hot(&random, i - UNIFORM)
                                                     : draw_uniform(&random, i, true);
        points[i] = measure(&at, i < UNIFORM ? 0.007 : 0.01);
        fprintf(stderr, "\r%zu of %d", i + 1, ALL_MAX);
    }
    fputc('\n', stderr);
    char path[512];
    snprintf(path, sizeof path, "%s/multistage.md", arguments[1]);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "validate_multistage: cannot write %s\n", path);
        return 1;
    }
    fprintf(file,
            "# Multistage networks: models against simulation\n\nWritten by "
            "`tests/validation/validate_multistage.c` (`make validate`). Configurations are drawn "
            "at random (a = 2, 3, 4, 8; n = 2..10; L = 1..16; rate 0.1..1.0; every fifth with a "
            "limit m), with a seed that was not used to fit `multistage-backpressure`. Simulations "
            "to a 95 %% half width of the delay of 0.7 %% (hot spots and contention 1 %%), or to "
            "2e7 service times in each of the replications, seed 2026. Errors are (model - "
            "simulation) / simulation; X is the throughput, D the delay.\n\n"
            "![errors](multistage-errors.svg)\n");
    write_known(file);
    write_even(file, "Uniform traffic, no contention (simulation A)", points, UNIFORM);
    write_hot(file, &points[UNIFORM], HOT);
    write_even(file, "Contention for output ports (simulation B)", &points[UNIFORM + HOT], PORTS);
    fclose(file);
    write_plot(arguments[1], points, UNIFORM);
    return 0;
}
