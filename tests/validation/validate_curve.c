/* How good curves are, on networks that were not used to make their shapes and bands.
 *
 *     validate_curve DIRECTORY [FIRST COUNT | FILE...]
 *
 * draws the curve of each network as a user would (2 %), then simulates loads of it that the curve
 * did not simulate, to 0.5 % with other seeds, and counts how often the band holds them. A plain
 * sweep of as many loads at 2 % shows what that would have cost. Leaves curve.md and curve.csv in
 * DIRECTORY, written anew after every network. What curve.csv knows of a network already is not
 * simulated again: a long simulation is as good for another curve of the same network. Those that
 * the curve of now cannot be compared with are kept as rows without a curve. FIRST COUNT:
 * only so many networks from that one on (0 is the first). With scenario FILEs (to develop on),
 * those are taken instead and nothing is written but the lines on the standard output. */
#include "flitcast/flitcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "networks.h"

static const double precision = 0.02;
static const char truth_precision[] = "0.005", truth_cycles[] = "2000000";
enum { LOADS = 8, TRUTH_SEED = 900001, METRICS = FC_CURVE_METRICS };
enum { COST_SEEDS = 4 }; /* cycles scatter: most go into the load at the end of the range */

/* What one network showed. */
typedef struct finding {
    char name[128], model[FC_NAME_SIZE];
    double saturation;
    size_t loads, simulations, probes;
    size_t held[METRICS], compared[METRICS]; /* by metric */
    char metrics[METRICS][FC_NAME_SIZE];
    size_t metric_count;
    double error_sum, error_worst; /* of the main metric, relative */
    double bands_worst;            /* error over the half width of the band and the truth */
    double band_widest;            /* relative, over the range */
    double cycles, sweep_cycles, seconds;
    bool bounded; /* refuses what it cannot carry, or closed */
} finding;

static void fail_with(const char *what, const fc_error *error) {
    fprintf(stderr, "validate_curve: %s: %s\n", what, error->text);
    exit(1);
}

static fc_result *simulate(const fc_scenario *base, const char *key, double load,
                           const char *digits, unsigned seed) {
    char number[40], text[24];
    snprintf(number, sizeof number, "%.17g", load);
    snprintf(text, sizeof text, "%u", seed);
    const fc_setting settings[] = {{key, number},
                                   {"simulation.precision", digits},
                                   {"simulation.max_cycles", truth_cycles},
                                   {"simulation.seed", text}};
    fc_error error;
    fc_scenario *scenario;
    fc_result *result;
    const fc_run_settings run = fc_run_settings_default();
    if (fc_scenario_with(base, settings, 4, &error, &scenario) != FC_OK)
        fail_with(number, &error);
    if (fc_simulate(scenario, &run, &error, &result) != FC_OK)
        fail_with(number, &error);
    fc_scenario_free(scenario);
    return result;
}

/* ---- long simulations of an earlier run ---- */

typedef struct known_value {
    char name[128], metric[FC_NAME_SIZE];
    double load, value, half_width;
    bool compared; /* with the curve of now */
} known_value;

static known_value known[4096];
static size_t known_count;

static void read_known(const char *path) {
    FILE *rows = fopen(path, "r");
    char line[512];
    while (rows && fgets(line, sizeof line, rows) && known_count < sizeof known / sizeof *known) {
        known_value *k = &known[known_count];
        known_count += sscanf(line, "\"%127[^\"]\",%lf,%31[^,],%*f,%*f,%lf,%lf", k->name, &k->load,
                              k->metric, &k->value, &k->half_width) == 5;
    }
    if (rows)
        fclose(rows);
}

/* The loads known of a network, up to `end`. */
static size_t known_loads(const char *name, double end, double loads[LOADS]) {
    size_t count = 0;
    for (size_t i = 0; i < known_count; ++i) {
        const known_value *k = &known[i];
        if (strcmp(k->name, name) == 0 && k->load <= end && count < LOADS &&
            (count == 0 || loads[count - 1] != k->load))
            loads[count++] = k->load;
    }
    return count;
}

/* Points of the range that were not simulated, spread evenly over them. */
static size_t choose(const fc_curve *curve, size_t chosen[LOADS]) {
    size_t free_points[256], count = 0, taken = 0;
    for (size_t p = 0; p < curve->point_count && count < 256; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (!point->simulated && point->outcome == FC_OUTCOME_OK && point->load <= curve->reliable)
            free_points[count++] = p;
    }
    for (size_t i = 0; i < LOADS && count > 0; ++i) {
        const size_t at = (size_t)((double)i * (double)(count - 1) / (LOADS - 1) + 0.5);
        if (taken == 0 || chosen[taken - 1] != free_points[at])
            chosen[taken++] = free_points[at];
    }
    return taken;
}

/* The metric as a long simulation measured it (NULL: an earlier run did). */
static bool find_truth(const fc_result *truth, const char *name, double load, const char *metric,
                       fc_curve_value *value) {
    const fc_metric *measured = truth ? fc_result_metric(truth, metric) : NULL;
    if (measured && truth->outcome == FC_OUTCOME_OK) {
        *value = (fc_curve_value){measured->value, measured->half_width};
        return true;
    }
    for (size_t i = 0; !truth && i < known_count; ++i) {
        known_value *k = &known[i];
        if (k->load == load && strcmp(k->name, name) == 0 && strcmp(k->metric, metric) == 0) {
            *value = (fc_curve_value){k->value, k->half_width};
            k->compared = true;
            return true;
        }
    }
    return false;
}

static void compare(const fc_curve *curve, const fc_curve_point *point, const fc_result *truth,
                    finding *found, FILE *rows) {
    for (size_t m = 0; m < curve->metric_count; ++m) {
        fc_curve_value metric;
        if (!find_truth(truth, found->name, point->load, curve->metrics[m], &metric))
            continue;
        const fc_curve_value *value = &point->values[m];
        const double room = hypot(value->half_width, metric.half_width);
        const double off = fabs(value->value - metric.value);
        ++found->compared[m];
        found->held[m] += off <= room;
        fprintf(rows, "\"%s\",%g,%s,%.8g,%.4g,%.8g,%.4g,%d\n", found->name, point->load,
                curve->metrics[m], value->value, value->half_width, metric.value, metric.half_width,
                off <= room);
        if (m > 0)
            continue;
        ++found->loads;
        found->error_sum += off / metric.value;
        found->error_worst = fmax(found->error_worst, off / metric.value);
        found->bands_worst = fmax(found->bands_worst, off / room);
    }
}

/* A long simulation of a load that the curve of now simulates itself, or does not reach, is kept
 * for the next curve: without a value of the curve. */
static void keep_known(const char *name, FILE *rows) {
    for (size_t i = 0; i < known_count; ++i) {
        const known_value *k = &known[i];
        if (!k->compared && strcmp(k->name, name) == 0)
            fprintf(rows, "\"%s\",%g,%s,nan,nan,%.8g,%.4g,\n", name, k->load, k->metric, k->value,
                    k->half_width);
    }
}

/* The same curve, with the loads that are known already; those it simulates are left out. */
static void compare_known(const fc_scenario *base, const double *loads, size_t count,
                          finding *found, FILE *rows) {
    const fc_curve_settings wanted = {.precision = precision, .at = loads, .at_count = count};
    const fc_run_settings run = fc_run_settings_default();
    fc_error error;
    fc_curve *curve;
    if (fc_curve_run(base, &wanted, &run, &error, &curve) != FC_OK)
        fail_with(found->name, &error);
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->asked && !point->simulated && point->load <= curve->reliable)
            compare(curve, point, NULL, found, rows);
    }
    fc_curve_free(curve);
    keep_known(found->name, rows);
}

static void compare_anew(const fc_scenario *base, const fc_curve *curve, finding *found,
                         FILE *rows) {
    size_t chosen[LOADS];
    const size_t count = choose(curve, chosen);
    for (size_t i = 0; i < count; ++i) {
        const fc_curve_point *point = &curve->points[chosen[i]];
        fc_result *truth =
            simulate(base, curve->key, point->load, truth_precision, TRUTH_SEED + (unsigned)i);
        compare(curve, point, truth, found, rows);
        fc_result_free(truth);
    }
}

/* The cycles of a curve, and of a plain sweep up to the end of its range, with several seeds. */
static void measure_cost(const fc_scenario *base, finding *found) {
    const fc_curve_settings wanted = {.precision = precision};
    const fc_run_settings run = fc_run_settings_default();
    for (unsigned seed = 1; seed <= COST_SEEDS; ++seed) {
        char text[24];
        snprintf(text, sizeof text, "%u", seed);
        const fc_setting setting = {"simulation.seed", text};
        fc_error error;
        fc_scenario *seeded;
        fc_curve *curve;
        if (fc_scenario_with(base, &setting, 1, &error, &seeded) != FC_OK ||
            fc_curve_run(seeded, &wanted, &run, &error, &curve) != FC_OK)
            fail_with(found->name, &error);
        found->cycles += curve->cycles;
        for (size_t i = 0; i < LOADS; ++i) {
            const double load = curve->reliable * (double)(i + 1) / LOADS;
            fc_result *plain = simulate(base, curve->key, load, "0.02", seed);
            found->sweep_cycles += plain->run.cycles;
            fc_result_free(plain);
        }
        fc_curve_free(curve);
        fc_scenario_free(seeded);
    }
}

static void examine(const fc_scenario *base, finding *found, FILE *rows) {
    const fc_curve_settings wanted = {.precision = precision};
    const fc_run_settings run = fc_run_settings_default();
    fc_error error;
    fc_curve *curve;
    if (fc_curve_run(base, &wanted, &run, &error, &curve) != FC_OK)
        fail_with(found->name, &error);
    snprintf(found->model, sizeof found->model, "%s", curve->model);
    found->saturation = curve->saturation;
    found->simulations = curve->simulations;
    found->probes = curve->probes;
    found->seconds = curve->cpu_seconds;
    found->bounded = !isfinite(curve->saturation);
    found->metric_count = curve->metric_count;
    memcpy(found->metrics, curve->metrics, sizeof found->metrics);
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->load <= curve->reliable)
            found->band_widest =
                fmax(found->band_widest, point->values[0].half_width / point->values[0].value);
    }
    double loads[LOADS];
    const size_t count = known_loads(found->name, curve->reliable, loads);
    if (count > LOADS / 2)
        compare_known(base, loads, count, found, rows);
    else
        compare_anew(base, curve, found, rows);
    fc_curve_free(curve);
    measure_cost(base, found);
}

/* ---- what is written ---- */

static void print_line(const finding *f, FILE *stream) {
    fprintf(stream, "| %s | %zu + %zu | %.1f %% | %.2f, %.2f %% | %zu of %zu | %.2f |\n", f->name,
            f->simulations, f->probes, 100 * f->band_widest, 100 * f->error_sum / (double)f->loads,
            100 * f->error_worst, f->held[0], f->compared[0], f->cycles / f->sweep_cycles);
}

static void write_metrics(const finding *found, size_t count, FILE *page) {
    static const char *const names[] = {"latency",     "latency_p50", "latency_p95",
                                        "latency_p99", "throughput",  "efficiency"};
    fputs("\n| metric | held | loads | share |\n|---|---|---|---|\n", page);
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        size_t held = 0, compared = 0;
        for (size_t i = 0; i < count; ++i) {
            for (size_t m = 0; m < found[i].metric_count; ++m) {
                if (strcmp(found[i].metrics[m], names[n]) != 0)
                    continue;
                held += found[i].held[m];
                compared += found[i].compared[m];
            }
        }
        if (compared)
            fprintf(page, "| %s | %zu | %zu | %.1f %% |\n", names[n], held, compared,
                    100 * (double)held / (double)compared);
    }
}

static void write_summary(const finding *found, size_t count, FILE *page) {
    size_t held = 0, loads = 0, most = 0;
    double error = 0, worst = 0, bands = 0, ratio = 0, costliest = 0;
    for (size_t i = 0; i < count; ++i) {
        const finding *f = &found[i];
        held += f->held[0];
        loads += f->compared[0];
        error += f->error_sum;
        worst = fmax(worst, f->error_worst);
        bands = fmax(bands, f->bands_worst);
        most = f->simulations > most ? f->simulations : most;
        ratio += log(f->cycles / f->sweep_cycles);
        costliest = fmax(costliest, f->cycles / f->sweep_cycles);
    }
    fprintf(page,
            "- **The band held in %zu of %zu loads (%.1f %%)**, the error of the long simulation "
            "counted.\n"
            "- Error of the curve: %.2f %% on average, %.1f %% at worst; at worst %.1f times the "
            "band.\n"
            "- At most %zu simulated loads, the light one counted.\n"
            "- Cycles with seeds 1 to %d, the search for saturation counted, over those of sweeps "
            "of\n  %d loads at 2 %% with the same seeds: %.2f (geometric mean), at most %.2f.\n",
            held, loads, 100 * (double)held / (double)loads, 100 * error / (double)loads,
            100 * worst, bands, most, COST_SEEDS, LOADS, exp(ratio / (double)count), costliest);
}

static void write_page(const char *directory, const finding *found, size_t count) {
    char path[1024];
    snprintf(path, sizeof path, "%s/curve.md", directory);
    FILE *page = fopen(path, "w");
    if (!page) {
        fprintf(stderr, "validate_curve: %s cannot be written\n", path);
        exit(1);
    }
    fprintf(page,
            "# How good curves are\n\n"
            "Written by `validate_curve` (`make validate`). `flitcast curve` at its default of "
            "2 %% on %zu of %d\nnetworks that were not used to make its shapes and bands. Of "
            "each, %d loads that the curve did not\nsimulate were simulated afterwards to 0.5 %%, "
            "with other seeds. Point by point:\n[curve.csv](curve.csv).\n\n",
            count, NETWORKS, LOADS);
    write_summary(found, count, page);
    fputs("\nNetworks whose band missed some load of the main metric:\n\n"
          "| network | loads + search | widest band | error, worst | band held | cycles / sweep |\n"
          "|---|---|---|---|---|---|\n",
          page);
    for (size_t i = 0; i < count; ++i)
        if (found[i].held[0] < found[i].compared[0])
            print_line(&found[i], page);
    write_metrics(found, count, page);
    fputs("\nLoads: simulated ones; search: further short simulations for the saturation load.\n",
          page);
    fclose(page);
}

static fc_scenario *read_network(const network *described) {
    char text[2048];
    fc_error error;
    fc_scenario *scenario;
    snprintf(text, sizeof text, "name: '%s'\nnetwork: %s\ntraffic: %s\n", described->name,
             described->network, described->traffic);
    if (fc_scenario_read_text(text, strlen(text), described->name, NULL, 0, &error, &scenario) !=
        FC_OK)
        fail_with(described->name, &error);
    return scenario;
}

static int develop(int count, char **files) {
    for (int i = 0; i < count; ++i) {
        fc_error error;
        fc_scenario *scenario;
        finding found = {.loads = 0};
        if (fc_scenario_read_file(files[i], NULL, 0, &error, &scenario) != FC_OK)
            fail_with(files[i], &error);
        snprintf(found.name, sizeof found.name, "%s", fc_scenario_name(scenario));
        examine(scenario, &found, stdout);
        print_line(&found, stdout);
        fflush(stdout);
        fc_scenario_free(scenario);
    }
    return 0;
}

int main(int argc, char **argv) {
    static finding found[NETWORKS];
    if (argc < 2) {
        fputs("usage: validate_curve DIRECTORY [FIRST COUNT | FILE...]\n", stderr);
        return 2;
    }
    const bool part = argc == 4 && strspn(argv[2], "0123456789") == strlen(argv[2]);
    if (argc > 2 && !part)
        return develop(argc - 2, argv + 2);
    const size_t first = part ? strtoul(argv[2], NULL, 10) : 0;
    const size_t asked = part ? strtoul(argv[3], NULL, 10) : NETWORKS;
    const size_t left = first < NETWORKS ? NETWORKS - first : 0;
    const size_t count = asked < left ? asked : left;
    char path[1024];
    snprintf(path, sizeof path, "%s/curve.csv", argv[1]);
    read_known(path);
    FILE *rows = fopen(path, "w");
    if (!rows) {
        fprintf(stderr, "validate_curve: %s cannot be written\n", path);
        return 1;
    }
    fputs("network,load,metric,curve,band,simulated,half_width,held\n", rows);
    for (size_t i = 0; i < count; ++i) {
        fc_scenario *scenario = read_network(&networks[first + i]);
        snprintf(found[i].name, sizeof found[i].name, "%s", networks[first + i].name);
        examine(scenario, &found[i], rows);
        fc_scenario_free(scenario);
        fflush(rows);
        print_line(&found[i], stdout);
        fflush(stdout);
        write_page(argv[1], found, i + 1);
    }
    fclose(rows);
    return 0;
}
