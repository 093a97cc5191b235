/* How many cycles control variates save, on networks of every family.
 *
 *     validate_controls DIRECTORY [SHARE [FIRST COUNT]]
 *
 * simulates each network at several loads to 1 %, with and without control variates, and leaves
 * controls.md and controls.csv in DIRECTORY, written anew after every network. SHARE: only the
 * loads of this share of saturation, and of COUNT networks from the FIRST on (0 is the first); the
 * other points are those in controls.csv. COUNT 0 writes the page from the points that are there.
 */
#include "flitcast/flitcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "networks.h"

static const double shares[] = {0.2, 0.5, 0.8, 0.9}; /* of saturation */
/* Runs of each point: short ones scatter most, and are cheap. */
static const unsigned seeds_of[] = {12, 12, 4, 2};
enum { LOADS = sizeof shares / sizeof *shares, SEEDS_CLOSED = 4, POINTS_MOST = NETWORKS * LOADS };

typedef struct point {
    const char *name;
    double share;  /* NaN: closed */
    double cycles; /* without over with, geometric mean over seeds */
    double saved;  /* run.cycles_saved, likewise */
} point;

static _Noreturn void fail_with(const char *what, const fc_error *error) {
    fprintf(stderr, "validate_controls: %s: %s\n", what, error->text);
    exit(1);
}

static fc_scenario *read_network(const network *net) {
    char text[1024];
    const int length =
        snprintf(text, sizeof text, "network: %s\ntraffic: %s\n", net->network, net->traffic);
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, (size_t)length, net->name, NULL, 0, &error, &scenario) != FC_OK)
        fail_with(net->name, &error);
    return scenario;
}

/* The saturation load by the first model that has one, or else by simulation; 1 if the network
 * never saturates. */
static double saturation_of(const fc_scenario *scenario) {
    const fc_run_settings run = fc_run_settings_default();
    fc_saturation_settings settings = {.simulate = false, .precision = 0.1};
    fc_saturation *found;
    size_t count;
    fc_error error;
    double load = 1;
    fc_status status = fc_saturate(scenario, &settings, &run, &error, &found, &count);
    if (status == FC_ERROR_UNSUPPORTED) {
        settings.simulate = true;
        status = fc_saturate(scenario, &settings, &run, &error, &found, &count);
    }
    if (status != FC_OK)
        fail_with("saturation", &error);
    for (size_t i = count; i-- > 0;) {
        if (isfinite(found[i].load))
            load = found[i].load;
    }
    fc_saturation_free(found);
    return load;
}

/* False if the run did not reach its precision. */
static bool simulate(const fc_scenario *base, const char *key, double load, const char *controls,
                     unsigned seed, double *cycles, double *saved) {
    char number[40], digits[24];
    snprintf(number, sizeof number, "%.17g", load);
    snprintf(digits, sizeof digits, "%u", seed);
    const fc_setting settings[] = {{"simulation.precision", "0.01"},
                                   {"simulation.max_cycles", "2000000"},
                                   {"simulation.controls", controls},
                                   {"simulation.seed", digits},
                                   {key, number}};
    const fc_run_settings run = fc_run_settings_default();
    fc_scenario *scenario;
    fc_result *result;
    fc_error error;
    if (fc_scenario_with(base, settings, key ? 5 : 4, &error, &scenario) != FC_OK ||
        fc_simulate(scenario, &run, &error, &result) != FC_OK)
        fail_with(number, &error);
    const bool reached = result->outcome == FC_OUTCOME_OK && !result->note[0];
    *cycles = result->run.cycles;
    *saved = result->run.cycles_saved;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return reached;
}

static bool measure(const fc_scenario *scenario, const char *key, double load, unsigned seeds,
                    point *found) {
    double cycles = 0, saved = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        double with, without, gain, none;
        if (!simulate(scenario, key, load, "none", seed, &without, &none) ||
            !simulate(scenario, key, load, "auto", seed, &with, &gain))
            return false;
        cycles += log(without / with) / seeds;
        saved += log(fmax(gain, 1e-3)) / seeds;
    }
    found->cycles = exp(cycles);
    found->saved = exp(saved);
    return true;
}

static void write_means(FILE *page, const point *points, size_t count) {
    fputs("| load over saturation | points | cycles without / with | least | cycles_saved |\n"
          "|---|---|---|---|---|\n",
          page);
    for (size_t l = 0; l <= LOADS; ++l) {
        double cycles = 0, saved = 0, least = INFINITY;
        size_t number = 0;
        for (size_t i = 0; i < count; ++i) {
            if (l < LOADS ? points[i].share != shares[l] : !isnan(points[i].share))
                continue;
            cycles += log(points[i].cycles);
            saved += log(points[i].saved);
            least = fmin(least, points[i].cycles);
            ++number;
        }
        if (!number)
            continue;
        if (l < LOADS)
            fprintf(page, "| %g |", shares[l]);
        else
            fputs("| closed |", page);
        fprintf(page, " %zu | %.2f | %.2f | %.2f |\n", number, exp(cycles / (double)number), least,
                exp(saved / (double)number));
    }
}

static void write_pages(const char *directory, const point *points, size_t count) {
    char path[4096];
    snprintf(path, sizeof path, "%s/controls.md", directory);
    FILE *page = fopen(path, "w");
    snprintf(path, sizeof path, "%s/controls.csv", directory);
    FILE *csv = fopen(path, "w");
    if (!page || !csv) {
        perror(path);
        exit(1);
    }
    fprintf(page,
            "# What control variates save\n\nWritten by `validate_controls` (`make validate`). "
            "Networks of every family simulated to 1 %%\nof the mean, with and without control "
            "variates ([statistics](../theory/statistics.md)), 12 seeds each\nup to half of "
            "saturation, 4 at 0.8, 2 at 0.9; geometric means. "
            "Loads are shares of the saturation load (of 1 where there is none). Points\n"
            "that do not reach 1 %% in 2 million cycles are left out. Short runs end at their "
            "least length with or\nwithout controls: there the cycles are equal and the interval "
            "is narrower. `cycles_saved` is the square\nof the ratio of the two half widths. "
            "Point by point: [controls.csv](controls.csv).\n\n");
    write_means(page, points, count);
    fputs(
        "\n[Remarks on this page](../theory/statistics.md#remarks-on-the-measured-pages): what was "
        "asked for, which points are missing, which one scatters.\n",
        page);
    fputs("network,load_share,cycles_ratio,cycles_saved\n", csv);
    for (size_t i = 0; i < count; ++i)
        fprintf(csv, "\"%s\",%g,%.4f,%.4f\n", points[i].name, points[i].share, points[i].cycles,
                points[i].saved);
    fclose(page);
    fclose(csv);
}

/* What is measured: one share of saturation (0: all), some networks. Closed networks have no load
 * and are measured with the lightest. */
typedef struct selection {
    double share;
    size_t first, end;
} selection;

static bool selected(const selection *wanted, double share, size_t net) {
    const double load = isnan(share) ? shares[0] : share;
    return (wanted->share == 0 || wanted->share == load) && net >= wanted->first &&
           net < wanted->end;
}

static size_t network_named(const char *name) {
    size_t n = 0;
    while (n < NETWORKS && strcmp(networks[n].name, name) != 0)
        ++n;
    return n;
}

/* The points of an earlier run that are not measured now. */
static size_t read_points(const char *directory, const selection *wanted, point *points) {
    char path[4096], line[256], name[128];
    snprintf(path, sizeof path, "%s/controls.csv", directory);
    FILE *csv = fopen(path, "r");
    size_t count = 0;
    while (csv && count < POINTS_MOST && fgets(line, sizeof line, csv)) {
        point p;
        if (sscanf(line, "\"%127[^\"]\",%lf,%lf,%lf", name, &p.share, &p.cycles, &p.saved) != 4)
            continue;
        const size_t net = network_named(name);
        if (net == NETWORKS || selected(wanted, p.share, net))
            continue;
        p.name = networks[net].name;
        points[count++] = p;
    }
    if (csv)
        fclose(csv);
    return count;
}

int main(int count, char **arguments) {
    if (count != 2 && count != 3 && count != 5) {
        fprintf(stderr, "usage: validate_controls DIRECTORY [SHARE [FIRST COUNT]]\n");
        return 2;
    }
    static point points[POINTS_MOST];
    selection wanted = {.share = count > 2 ? atof(arguments[2]) : 0, .end = NETWORKS};
    if (count > 3) {
        wanted.first = strtoul(arguments[3], NULL, 10);
        wanted.end = wanted.first + strtoul(arguments[4], NULL, 10);
    }
    size_t found = read_points(arguments[1], &wanted, points);
    if (wanted.end == wanted.first)
        write_pages(arguments[1], points, found);
    static fc_scenario *scenarios[NETWORKS];
    static double saturation[NETWORKS];
    for (size_t l = 0; l < LOADS; ++l) {
        for (size_t n = 0; n < NETWORKS; ++n) {
            if (!selected(&wanted, shares[l], n))
                continue;
            if (!scenarios[n])
                scenarios[n] = read_network(&networks[n]);
            const char *key = fc_scenario_load_key(scenarios[n]);
            if (!key && l > 0)
                continue;
            if (key && saturation[n] == 0)
                saturation[n] = saturation_of(scenarios[n]);
            point *p = &points[found];
            *p = (point){.name = networks[n].name, .share = key ? shares[l] : (double)NAN};
            if (!measure(scenarios[n], key, saturation[n] * shares[l],
                         key ? seeds_of[l] : SEEDS_CLOSED, p))
                continue;
            printf("%s, %.1f: %.2f times the cycles, cycles_saved %.2f\n", p->name, p->share,
                   p->cycles, p->saved);
            fflush(stdout);
            write_pages(arguments[1], points, ++found);
        }
    }
    for (size_t n = 0; n < NETWORKS; ++n)
        fc_scenario_free(scenarios[n]);
    return 0;
}
