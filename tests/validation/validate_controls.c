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
/* Runs of each point: short ones scatter most, and are cheap. A point that seems to save nothing is
 * run with more seeds, to tell a loss from chance. */
static const unsigned seeds_of[] = {12, 12, 4, 4};
static const double suspicious = 1.05;
enum {
    LOADS = sizeof shares / sizeof *shares,
    SEEDS_CLOSED = 4,
    SEEDS_MOST = 12,
    POINTS_MOST = NETWORKS * LOADS
};

typedef struct point {
    const char *name;
    double share;   /* NaN: closed */
    double cycles;  /* without over with, geometric mean over seeds */
    double saved;   /* run.cycles_saved, likewise */
    double cpu;     /* processor time without over with, likewise; NaN: not known */
    double scatter; /* standard error of the logarithm of cycles */
    unsigned seeds;
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
    fc_error error;
    double load = 1;
    fc_status status = fc_saturate(scenario, &settings, &run, &error, &found);
    if (status == FC_ERROR_UNSUPPORTED) {
        settings.simulate = true;
        status = fc_saturate(scenario, &settings, &run, &error, &found);
    }
    if (status != FC_OK)
        fail_with("saturation", &error);
    const fc_saturation *at = found;
    while (at->method[0] && !isfinite(at->load))
        ++at;
    if (at->method[0])
        load = at->load;
    fc_saturation_free(found);
    return load;
}

/* False if the run did not reach its precision. */
static bool simulate(const fc_scenario *base, const char *key, double load, const char *controls,
                     unsigned seed, double *cycles, double *saved, double *cpu) {
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
    *cpu = result->run.cpu_seconds;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return reached;
}

static bool measure(const fc_scenario *scenario, const char *key, double load, unsigned seeds,
                    point *found) {
    double cycles = 0, squares = 0, saved = 0, cpu = 0, n = 0;
    do {
        double with, without, gain, none, cpu_with, cpu_without;
        const unsigned seed = (unsigned)n + 1;
        if (!simulate(scenario, key, load, "none", seed, &without, &none, &cpu_without) ||
            !simulate(scenario, key, load, "auto", seed, &with, &gain, &cpu_with))
            return false;
        const double ratio = log(without / with);
        cycles += ratio;
        squares += ratio * ratio;
        saved += log(fmax(gain, 1e-3));
        cpu += log(cpu_without / cpu_with);
        ++n;
        /* All of the further seeds or none: to stop at the first good mean would flatter it. */
        if ((unsigned)n == seeds && cycles / n < log(suspicious) && seeds < SEEDS_MOST)
            seeds = SEEDS_MOST;
    } while (n < seeds);
    found->cycles = exp(cycles / n);
    found->saved = exp(saved / n);
    found->cpu = exp(cpu / n);
    found->scatter = sqrt(fmax(0, squares - cycles * cycles / n) / (n - 1) / n);
    found->seeds = (unsigned)n;
    return true;
}

/* Points of one load (NaN: closed networks); INFINITY: of all loads up to 0.8. */
static bool belongs(const point *p, double share) {
    if (isinf(share))
        return p->share <= shares[LOADS - 2];
    return isnan(share) ? isnan(p->share) : p->share == share;
}

static void write_row(FILE *page, const char *label, double share, const point *points,
                      size_t count) {
    double cycles = 0, saved = 0, cpu = 0, least = INFINITY, number = 0, timed = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!belongs(&points[i], share))
            continue;
        cycles += log(points[i].cycles);
        saved += log(points[i].saved);
        cpu += isnan(points[i].cpu) ? 0 : log(points[i].cpu);
        timed += isnan(points[i].cpu) ? 0 : 1;
        least = fmin(least, points[i].cycles);
        ++number;
    }
    if (!(number > 0))
        return;
    fprintf(page, "| %s | %.0f | %.2f | %.2f |", label, number, exp(cycles / number), least);
    if (timed > 0)
        fprintf(page, " %.2f (of %.0f) |", exp(cpu / timed), timed);
    else
        fputs(" |", page);
    fprintf(page, " %.2f |\n", exp(saved / number));
}

static void write_means(FILE *page, const point *points, size_t count) {
    fputs("| load | points | cycles without / with | least | processor time | cycles_saved "
          "|\n|---|---|---|---|---|---|\n",
          page);
    for (size_t l = 0; l < LOADS; ++l) {
        char label[16];
        snprintf(label, sizeof label, "%g", shares[l]);
        write_row(page, label, shares[l], points, count);
    }
    write_row(page, "closed", (double)NAN, points, count);
    write_row(page, "0.2, 0.5, 0.8", INFINITY, points, count);
}

/* Points that took more cycles with control variates than without, by more than a twentieth. */
static void write_losses(FILE *page, const point *points, size_t count) {
    size_t losses = 0;
    for (size_t i = 0; i < count; ++i) {
        const point *p = &points[i];
        if (p->cycles >= 1 / suspicious)
            continue;
        fputs(losses++ ? "; "
                       : "\nPoints that took more than 1.05 times as many cycles with control "
                         "variates: ",
              page);
        fprintf(page, "%s at %g (%.2f; %u seeds", p->name, p->share, p->cycles, p->seeds);
        if (isnan(p->scatter))
            fputs(")", page);
        else
            fprintf(page, ", a standard error of %.0f %%)", 100 * p->scatter);
    }
    fputs(losses ? ".\n" : "\nNo point took more than 1.05 times as many cycles.\n", page);
}

static const char introduction[] =
    "# What control variates save\n\n"
    "Written by `validate_controls` (`make validate`). Networks of every family simulated to 1 % "
    "of\n"
    "the mean, with and without [control variates](../theory/statistics.md#control-variates), "
    "with\n"
    "4 or 12 seeds. Loads are shares of the saturation load (closed networks have none). Means "
    "are\n"
    "geometric. Points that do not reach 1 % in 2 million cycles are left out. Processor time is\n"
    "known of the points in parentheses. `cycles_saved` is the square of the ratio of the two "
    "half\n"
    "widths; cycles differ by less, because a run has a least length and a narrow interval must "
    "be\n"
    "confirmed by a second look. Point by point: [controls.csv](controls.csv).\n\n";

static const char closing[] =
    "\nThe rules for slopes were chosen by these networks (up to 0.5 of saturation) and by the "
    "scenarios of\n[coverage](coverage.md).\n";

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
    fputs(introduction, page);
    write_means(page, points, count);
    write_losses(page, points, count);
    fputs(closing, page);
    fputs("network,load_share,cycles_ratio,cycles_saved,cpu_ratio,standard_error,seeds\n", csv);
    for (size_t i = 0; i < count; ++i) {
        const point *p = &points[i];
        fprintf(csv, "\"%s\",%g,%.4f,%.4f,%.4f,%.4f,%u\n", p->name, p->share, p->cycles, p->saved,
                p->cpu, p->scatter, p->seeds);
    }
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
        if (sscanf(line, "\"%127[^\"]\",%lf,%lf,%lf,%lf,%lf,%u", name, &p.share, &p.cycles,
                   &p.saved, &p.cpu, &p.scatter, &p.seeds) != 7)
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
            printf("%s, %.1f: %.2f times the cycles, %.2f the processor time, cycles_saved %.2f\n",
                   p->name, p->share, p->cycles, p->cpu, p->saved);
            fflush(stdout);
            write_pages(arguments[1], points, ++found);
        }
    }
    for (size_t n = 0; n < NETWORKS; ++n)
        fc_scenario_free(scenarios[n]);
    return 0;
}
