/* How often the 95 % intervals hold the truth, for every simulator as a user runs it.
 *
 *     validate_coverage DIRECTORY [SEEDS [FIRST [COUNT [SEED]]]]
 *
 * simulates scenarios of each simulator, COUNT of them from the FIRST on, with many seeds from SEED
 * on, counts the runs whose interval holds what a run about a hundred times as long found, and
 * leaves coverage.md and coverage.csv in DIRECTORY, written anew after every scenario. Of a dozen
 * shares some lie outside by chance alone: those are counted again with FURTHER times as many other
 * seeds. What coverage.csv has of the other scenarios is kept, and truths that it has are not
 * simulated again: they do not depend on the rules that are examined. With a COUNT of 0 the page is
 * written from coverage.csv. */
#include "flitcast/flitcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "studies/simulate_list.h"

/* What we ask for: with 200 seeds 95 % is seen as 92 to 98 % in 19 of 20 trials. */
static const double lowest = 0.92, highest = 0.98;
/* The half width asked for, over the mean; of cases marked as coarse: runs that short show what
 * long ones do not, as few messages. */
static const double precision = 0.02, coarse_precision = 0.05;
/* The half width of the truth as a share of that of the runs. Where all misses lie on one side an
 * error of the truth moves the coverage in proportion: by about 1 % at this share. */
static const double truth_share = 1.0 / 10;

enum { SEEDS = 200, FURTHER = 3, TRUTH_SEED = 1000003, METRICS_MOST = 24 };

typedef struct coverage_case {
    const char *simulator, *what;
    const char *network, *traffic;
    bool coarse;
} coverage_case;

static const coverage_case cases[] = {
    {"slotted-rings", "8 x 16 stations, global ring 50 % full",
     "{topology: ring-hierarchy, rings: [8, 16]}", "{rate: 0.009766, locality: [0.2]}"},
    {"slotted-rings", "the same, 90 % full", "{topology: ring-hierarchy, rings: [8, 16]}",
     "{rate: 0.017578, locality: [0.2]}"},
    {"multistage-packets", "64 ports, 2 x 2 switches, buffers of 4, load 0.5",
     "{topology: multistage, ports: 64, switch: 2, buffer: 4}", "{rate: 0.5}"},
    {"multistage-packets", "the same, load 0.9",
     "{topology: multistage, ports: 64, switch: 2, buffer: 4}", "{rate: 0.9}"},
    {"flit", "open 8x8 torus, 4 channels, 16 flits, half its capacity",
     "{topology: torus, radix: [8, 8], virtual_channels: 4, channel_rule: dateline, buffer: 4}",
     "{rate: 0.0129, message_flits: 16}"},
    {"flit", "the same, nine tenths",
     "{topology: torus, radix: [8, 8], virtual_channels: 4, channel_rule: dateline, buffer: 4}",
     "{rate: 0.0232, message_flits: 16}"},
    {"flit", "closed 8x8 torus, one request, think time 100", "{topology: torus, radix: [8, 8]}",
     "{kind: closed, outstanding: 1, think_time: 100}"},
    {"flit", "the same, four requests, think time 20", "{topology: torus, radix: [8, 8]}",
     "{kind: closed, outstanding: 4, think_time: 20}"},
    {"flit", "closed 4x4 torus, 128 requests, think time 20",
     "{topology: torus, radix: [4, 4], order: descending}",
     "{kind: closed, outstanding: 128, think_time: 20}"},
    {"flit", "open 6x6 torus, rare hot spot (0.2 %), seven tenths",
     "{topology: torus, radix: [6, 6], virtual_channels: 4, channel_rule: dateline, buffer: 4}",
     "{rate: 0.02, message_flits: 16, destinations: {hot-spot: {share: 0.002, node: 7}}}"},
    {"multistage-packets", "16 ports, buffers of 200, load 0.9",
     "{topology: multistage, ports: 16, switch: 2, buffer: 200}", "{rate: 0.9}"},
    {"router", "6x6 mesh, bursts and silences of 500 cycles, rate 0.01",
     "{topology: mesh, radix: [6, 6], virtual_channels: 4, buffer: 8, router_delay: 2, "
     "credit_delay: 1}",
     "{rate: 0.01, message_flits: 8, injection: {on-off: {on: 500, off: 500}}}"},
    {"scouting", "6x6 torus, K = 3, 3 channels, 16 flits, half its capacity",
     "{topology: torus, radix: [6, 6], switching: scouting, scouting_distance: 3, "
     "virtual_channels: 3}",
     "{rate: 0.0218, message_flits: 16}"},
    {"scouting", "the same, eight tenths",
     "{topology: torus, radix: [6, 6], switching: scouting, scouting_distance: 3, "
     "virtual_channels: 3}",
     "{rate: 0.0349, message_flits: 16}"},
    {"router", "6x6 mesh, 4 channels of 8 flits, delay 2, rate 0.03",
     "{topology: mesh, radix: [6, 6], virtual_channels: 4, buffer: 8, router_delay: 2, "
     "credit_delay: 1}",
     "{rate: 0.03, message_flits: 8}"},
    {"router", "the same, rate 0.055",
     "{topology: mesh, radix: [6, 6], virtual_channels: 4, buffer: 8, router_delay: 2, "
     "credit_delay: 1}",
     "{rate: 0.055, message_flits: 8}"},
    {"scouting", "6x6 torus, six broken channels, K = 3, to 5 %",
     "{topology: torus, radix: [6, 6], switching: scouting, scouting_distance: 3, "
     "virtual_channels: 3, faults: [[3, 0, 1], [7, 1, 1], [12, 0, -1], [20, 1, -1], [21, 0, 1], "
     "[30, 1, 1]]}",
     "{rate: 0.008, message_flits: 16}", true},
    {"scouting", "5x5 mesh, two broken channels, K = 2",
     "{topology: mesh, radix: [5, 5], switching: scouting, scouting_distance: 2, "
     "virtual_channels: 2, faults: [[12, 0, 1], [12, 1, 1]]}",
     "{rate: 0.01, message_flits: 8}"},
    {"multistage-packets", "64 ports, 4 x 4 switches, infinite buffers, hot spot of 1 %",
     "{topology: multistage, ports: 64, switch: 4, buffer: infinite}",
     "{rate: 0.5, destinations: {hot-spot: {share: 0.01, node: 5}}}"},
    {"flit", "open 6x6 torus, hot spot of 5 %, to 5 %",
     "{topology: torus, radix: [6, 6], virtual_channels: 4, buffer: 4}",
     "{rate: 0.01, message_flits: 16, destinations: {hot-spot: {share: 0.05, node: 7}}}", true},
    {"router", "6x6 mesh of routers, hot spot of 5 %, to 5 %",
     "{topology: mesh, radix: [6, 6], virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, 1]}",
     "{rate: 0.03, message_flits: 5, destinations: {hot-spot: {share: 0.05, node: 7}}}", true},
    {"router", "8x8 mesh, [1, 1, 1, 1], 5 flits, rate 0.045, to 5 %",
     "{topology: mesh, radix: [8, 8], virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, 1]}",
     "{rate: 0.045, message_flits: 5}", true},
    {"router", "fat tree of 16 nodes, adaptive, rate 0.1, to 5 %",
     "{topology: fat-tree, arity: 4, levels: 2, routing: adaptive, virtual_channels: 4, buffer: 8, "
     "router_delay: [1, 1, 1, 1]}",
     "{rate: 0.1, message_flits: 5}", true},
    {"router", "dragonfly of 72 nodes, rate 0.05, to 5 %",
     "{topology: dragonfly, hosts: 2, routers: 4, global_links: 2, virtual_channels: 4, buffer: 8, "
     "router_delay: [1, 1, 1, 1]}",
     "{rate: 0.05, message_flits: 5}", true},
    {"router", "4x4 mesh, mix of 1 and 20 flits, adaptive, to 5 %",
     "{topology: mesh, radix: [4, 4], routing: adaptive, virtual_channels: 2, buffer: 8, "
     "router_delay: [1, 1, 1, 1]}",
     "{rate: 0.02, message_mix: [{flits: 1, share: 0.8}, {flits: 20, share: 0.2}]}", true},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct metric_tally {
    char name[FC_NAME_SIZE];
    double truth, truth_half_width;
    unsigned runs, below, above; /* intervals that lie wholly below or above the truth */
    double relative_width;       /* sum over the runs */
} metric_tally;

typedef struct case_tally {
    char main[FC_NAME_SIZE];
    metric_tally metrics[METRICS_MOST];
    size_t metric_count;
    unsigned seed, seeds;   /* the first, and how many */
    unsigned stopped_short; /* runs that did not reach the precision */
    double cycles, warmup;  /* per replication, summed over the runs */
    double again;           /* covered with other seeds; NaN: was not asked */
} case_tally;

static double precision_of(const coverage_case *what) {
    return what->coarse ? coarse_precision : precision;
}

static void stop(const char *what, const char *why) {
    fprintf(stderr, "validate_coverage: %s: %s\n", what, why);
    exit(1);
}

static fc_scenario *read_case(const coverage_case *what, double wanted, unsigned seed) {
    char text[1024];
    const int length = snprintf(text, sizeof text,
                                "name: coverage\nnetwork: %s\ntraffic: %s\n"
                                "simulation: {precision: %g, max_cycles: 1e9, seed: %u}\n",
                                what->network, what->traffic, wanted, seed);
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, what->what, NULL, 0, &error, &scenario))
        stop(what->what, error.text);
    return scenario;
}

static void check_simulator(const coverage_case *what, const fc_result *result) {
    if (strcmp(result->method, what->simulator) != 0)
        stop(what->what, "another simulator than expected took the scenario");
}

static fc_result *simulate(const coverage_case *what, double wanted, unsigned seed,
                           const fc_run_settings *settings) {
    fc_scenario *scenario = read_case(what, wanted, seed);
    fc_error error;
    fc_result *result;
    if (fc_simulate(scenario, settings, &error, &result) != FC_OK)
        stop(what->what, error.text);
    check_simulator(what, result);
    fc_scenario_free(scenario);
    return result;
}

/* Other notes say what the scenario lacks. */
static bool ended_short(const fc_result *result) {
    return result->outcome != FC_OUTCOME_OK || strncmp(result->note, "Stopped", 7) == 0;
}

/* ---- truths ---- */

static case_tally kept[CASES]; /* what coverage.csv has */

static size_t find_case(const char *what) {
    size_t i = 0;
    while (i < CASES && strcmp(cases[i].what, what) != 0)
        ++i;
    return i;
}

static void find_main(const coverage_case *what, case_tally *tally) {
    fc_scenario *scenario = read_case(what, precision_of(what), 1);
    snprintf(tally->main, sizeof tally->main, "%s", fc_scenario_main_metric(scenario));
    fc_scenario_free(scenario);
}

static void read_kept(const char *directory) {
    char path[1024], line[512], what[128];
    snprintf(path, sizeof path, "%s/coverage.csv", directory);
    FILE *rows = fopen(path, "r");
    while (rows && fgets(line, sizeof line, rows)) {
        metric_tally m = {.runs = 0};
        case_tally t = {.again = (double)NAN};
        if (sscanf(line,
                   "%*[^,],\"%127[^\"]\",%31[^,],%lf,%lf,%u,%*[^,],%u,%u,%lf,%u,%u,%lf,%lf,%u,%lf",
                   what, m.name, &m.truth, &m.truth_half_width, &m.runs, &m.below, &m.above,
                   &m.relative_width, &t.seed, &t.seeds, &t.cycles, &t.warmup, &t.stopped_short,
                   &t.again) < 4 ||
            find_case(what) == CASES)
            continue;
        case_tally *row = &kept[find_case(what)];
        m.relative_width *= m.runs;
        if (row->metric_count == 0) {
            *row = t;
            row->cycles *= t.seeds;
            row->warmup *= t.seeds;
            find_main(&cases[find_case(what)], row);
        }
        if (row->metric_count < METRICS_MOST)
            row->metrics[row->metric_count++] = m;
    }
    if (rows)
        fclose(rows);
}

/* The truths without what was counted. */
static void find_known(const coverage_case *what, case_tally *tally) {
    const case_tally *row = &kept[what - cases];
    tally->metric_count = row->metric_count;
    for (size_t i = 0; i < row->metric_count; ++i) {
        tally->metrics[i] = row->metrics[i];
        tally->metrics[i].runs = tally->metrics[i].below = tally->metrics[i].above = 0;
        tally->metrics[i].relative_width = 0;
    }
}

/* Every metric that has an interval, with the long run's value. */
static void find_truth(const coverage_case *what, double wanted, case_tally *tally) {
    const fc_run_settings settings = fc_run_settings_default();
    fc_result *result = simulate(what, wanted, TRUTH_SEED, &settings);
    if (ended_short(result))
        stop(what->what, result->note);
    for (size_t i = 0; i < result->metric_count && tally->metric_count < METRICS_MOST; ++i) {
        const fc_metric *metric = &result->metrics[i];
        if (!isfinite(metric->half_width) || metric->value == 0)
            continue;
        metric_tally *m = &tally->metrics[tally->metric_count++];
        snprintf(m->name, sizeof m->name, "%s", metric->name);
        m->truth = metric->value;
        m->truth_half_width = metric->half_width;
    }
    fc_result_free(result);
}

static void count_run(const fc_result *result, case_tally *tally) {
    tally->stopped_short += ended_short(result);
    tally->cycles += result->run.cycles / result->run.replications;
    tally->warmup += result->run.warmup_cycles;
    for (size_t i = 0; i < tally->metric_count; ++i) {
        metric_tally *m = &tally->metrics[i];
        const fc_metric *found = fc_result_metric(result, m->name);
        if (!found)
            continue;
        ++m->runs;
        m->below += found->value + found->half_width < m->truth;
        m->above += found->value - found->half_width > m->truth;
        m->relative_width += found->half_width / fabs(m->truth);
    }
}

typedef struct runs {
    const coverage_case *what;
    unsigned first, count; /* seeds */
    fc_result **results;
} runs;

/* As one list: seeds of a network share lanes. */
static runs run_seeds(const coverage_case *what, unsigned first, unsigned count) {
    runs all = {what, first, count, calloc(count, sizeof *all.results)};
    fc_simulation *points = calloc(count, sizeof *points), **list = calloc(count, sizeof *list);
    fc_scenario **scenarios = calloc(count, sizeof *scenarios);
    fc_error error;
    if (!all.results || !points || !list || !scenarios)
        stop(what->what, "out of memory");
    for (unsigned i = 0; i < count; ++i) {
        scenarios[i] = read_case(what, precision_of(what), first + i);
        points[i] = (fc_simulation){.scenario = scenarios[i]};
        list[i] = &points[i];
    }
    const fc_simulation_list wanted = {list, count, NULL, NULL};
    if (fc_simulate_list(&wanted, NULL, &error) != FC_OK ||
        fc_simulation_failure(points, count, &error) != FC_OK)
        stop(what->what, error.text);
    for (unsigned i = 0; i < count; ++i) {
        all.results[i] = points[i].result;
        check_simulator(what, all.results[i]);
        fc_scenario_free(scenarios[i]);
    }
    free(scenarios);
    free(list);
    free(points);
    return all;
}

static void count_all(const runs *all, case_tally *tally) {
    for (unsigned i = 0; i < all->count; ++i) {
        count_run(all->results[i], tally);
        fc_result_free(all->results[i]);
    }
    free(all->results);
}

/* Mean relative half width of the metric. */
static double mean_width(const runs *all, const char *metric) {
    double width = 0;
    for (unsigned i = 0; i < all->count; ++i) {
        const fc_metric *found = fc_result_metric(all->results[i], metric);
        if (!found)
            stop(all->what->what, all->results[i]->note);
        width += found->half_width / fabs(found->value) / all->count;
    }
    return width;
}

static double covered(const metric_tally *m) {
    return m->runs ? 1 - (double)(m->below + m->above) / m->runs : (double)NAN;
}

static const metric_tally *main_metric(const case_tally *tally) {
    for (size_t i = 0; i < tally->metric_count; ++i)
        if (strcmp(tally->metrics[i].name, tally->main) == 0)
            return &tally->metrics[i];
    stop(tally->main, "the main metric has no interval");
    return NULL;
}

static bool outside(double share) {
    return !(share >= lowest && share <= highest);
}

static double count_again(const coverage_case *what, const case_tally *found) {
    case_tally tally = *found;
    for (size_t i = 0; i < tally.metric_count; ++i)
        tally.metrics[i].runs = tally.metrics[i].below = tally.metrics[i].above = 0;
    const runs all = run_seeds(what, found->seed + found->seeds, FURTHER * found->seeds);
    count_all(&all, &tally);
    return covered(main_metric(&tally));
}

/* The runs first: how narrow their intervals are says how good the truth must be. */
static case_tally measure(const coverage_case *what, unsigned seed, unsigned seeds) {
    case_tally tally = {.seed = seed, .seeds = seeds, .again = (double)NAN};
    find_main(what, &tally);
    const runs all = run_seeds(what, seed, seeds);
    find_known(what, &tally);
    if (tally.metric_count == 0)
        find_truth(what, truth_share * mean_width(&all, tally.main), &tally);
    count_all(&all, &tally);
    if (outside(covered(main_metric(&tally))))
        tally.again = count_again(what, &tally);
    return tally;
}

/* An interval that is too wide costs time; one that is too narrow misleads. */
static bool misleads(const case_tally *tally) {
    return !(covered(main_metric(tally)) >= lowest || tally->again >= lowest);
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

static bool measured(size_t i) {
    return kept[i].seeds > 0;
}

static void write_main(FILE *stream) {
    fprintf(stream, "| scenario | runs | covered | low, high | again |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < CASES; ++i) {
        const case_tally *t = &kept[i];
        if (!measured(i))
            continue;
        const metric_tally *m = main_metric(t);
        fprintf(stream, "| %s | %u | %.1f %% | %u, %u |", cases[i].what, m->runs, 100 * covered(m),
                m->below, m->above);
        if (outside(covered(m)))
            fprintf(stream, " %.1f %% |\n", 100 * t->again);
        else
            fprintf(stream, " |\n");
    }
}

/* Honest intervals miss as often on either side. */
static void write_sides(FILE *stream) {
    unsigned all = 0, below = 0, above = 0;
    for (size_t i = 0; i < CASES; ++i) {
        const metric_tally *m = measured(i) ? main_metric(&kept[i]) : NULL;
        all += m ? m->runs : 0;
        below += m ? m->below : 0;
        above += m ? m->above : 0;
    }
    fprintf(
        stream,
        "\nOf all %u runs %.1f %% are too low and %.1f %% too high. Where rare long waits decide, "
        "a run that\nsaw few of them ends sooner, so most misses are low.\n",
        all, 100.0 * below / all, 100.0 * above / all);
}

static bool known_before(size_t i, size_t k) {
    for (size_t earlier = 0; earlier <= i; ++earlier) {
        for (size_t m = 0; m < kept[earlier].metric_count; ++m) {
            if (earlier == i && m == k)
                return false;
            if (strcmp(kept[earlier].metrics[m].name, kept[i].metrics[k].name) == 0)
                return true;
        }
    }
    return false;
}

static void write_other(const char *name, FILE *stream) {
    double sum = 0, least = 1;
    unsigned count = 0;
    for (size_t i = 0; i < CASES; ++i) {
        const case_tally *t = &kept[i];
        for (size_t k = 0; measured(i) && k < t->metric_count; ++k) {
            const metric_tally *m = &t->metrics[k];
            if (m == main_metric(t) || strcmp(m->name, name) != 0)
                continue;
            sum += covered(m);
            least = fmin(least, covered(m));
            ++count;
        }
    }
    if (count)
        fprintf(stream, "| `%s` | %.1f %% | %.1f %% |\n", name, 100 * sum / count, 100 * least);
}

static void write_others(FILE *stream) {
    fprintf(stream, "| metric | covered, mean | least |\n|---|---|---|\n");
    for (size_t i = 0; i < CASES; ++i)
        for (size_t k = 0; measured(i) && k < kept[i].metric_count; ++k)
            if (!known_before(i, k))
                write_other(kept[i].metrics[k].name, stream);
}

static void write_csv(FILE *stream) {
    fprintf(stream,
            "simulator,scenario,metric,truth,truth_half_width,runs,covered,too_low,too_high,"
            "relative_half_width,first_seed,seeds,cycles,warmup,stopped_short,covered_again\n");
    for (size_t i = 0; i < CASES; ++i) {
        const case_tally *t = &kept[i];
        for (size_t k = 0; k < t->metric_count; ++k) {
            const metric_tally *m = &t->metrics[k];
            fprintf(stream, "%s,\"%s\",%s,%.9g,%.3g,%u,%.4f,%u,%u,%.4g,%u,%u,%.1f,%.1f,%u,",
                    cases[i].simulator, cases[i].what, m->name, m->truth, m->truth_half_width,
                    m->runs, covered(m), m->below, m->above, m->relative_width / m->runs, t->seed,
                    t->seeds, t->cycles / t->seeds, t->warmup / t->seeds, t->stopped_short);
            fprintf(stream, isnan(t->again) ? "\n" : "%.4f\n", t->again);
        }
    }
}

static void write_page(FILE *stream) {
    fprintf(stream,
            "# How often the intervals hold\n\n"
            "Each scenario ran with many seeds, four replications each, to a 95 %% half width of "
            "%g %% of its main\nmetric (latency; efficiency of closed networks), or 5 %% where "
            "the row says so. A run covers if its\ninterval holds the truth, the value of a run "
            "about a hundred times as long. Of %d honest intervals\n95 ± %.0f %% cover in 19 of "
            "20 trials. *Low, high*: runs whose whole interval lay below, above the\ntruth. "
            "*Again*: a row outside %.0f to %.0f %%, counted with %d times as many other seeds. "
            "[How intervals\nare made](../theory/statistics.md); all numbers: "
            "[coverage.csv](coverage.csv). Written by\n"
            "`tests/validation/validate_coverage.c` (`make validate`).\n\n",
            100 * precision, SEEDS, 100 * 1.96 * sqrt(0.95 * 0.05 / SEEDS), 100 * lowest,
            100 * highest, FURTHER);
    write_main(stream);
    write_sides(stream);
    fprintf(stream, "The torus at nine tenths is the "
                    "[hardest case](../theory/statistics.md#what-was-measured).\n\n"
                    "## Every other metric\n\n");
    write_others(stream);
}

static void write_all(const char *directory) {
    FILE *stream = open_file(directory, "coverage.md");
    write_page(stream);
    fclose(stream);
    stream = open_file(directory, "coverage.csv");
    write_csv(stream);
    fclose(stream);
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 6) {
        fprintf(stderr, "usage: validate_coverage DIRECTORY [SEEDS [FIRST [COUNT [SEED]]]]\n");
        return 2;
    }
    const unsigned seeds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : SEEDS;
    const size_t first = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    const size_t asked = argc > 4 ? strtoul(argv[4], NULL, 10) : CASES;
    const unsigned seed = argc > 5 ? (unsigned)strtoul(argv[5], NULL, 10) : 1;
    if (seeds == 0 || first >= CASES)
        stop(argv[2], "there must be at least 1 seed and 1 scenario");
    const size_t count = asked < CASES - first ? asked : CASES - first;
    read_kept(argv[1]);
    bool all = true;
    for (size_t i = first; i < first + count; ++i) {
        kept[i] = measure(&cases[i], seed, seeds);
        const metric_tally *m = main_metric(&kept[i]);
        all = all && !misleads(&kept[i]) && kept[i].stopped_short == 0;
        fprintf(stderr, "%s, %s: %s covered %.1f %% (%u too low, %u too high), %u short\n",
                cases[i].simulator, cases[i].what, m->name, 100 * covered(m), m->below, m->above,
                kept[i].stopped_short);
        write_all(argv[1]);
    }
    if (count == 0)
        write_all(argv[1]);
    return all ? 0 : 1;
}
