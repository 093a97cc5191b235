/* Latency of scouting over the number of random faults.
 *
 *     example_scouting_faults [PATTERNS [PRECISION [FILE.svg]]]
 *
 * Breaks 0, 1, 2, 4 and 8 random channels of an 8x8 torus, PATTERNS times each, and simulates with
 * scouting distances of 0, 1, 3 and 6. Prints a table and writes a plot. The same broken channels
 * are used for every distance. */
#include <flitcast/flitcast.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 5, DISTANCES = 4, NODES = 64, FAULTS_MAX = 8 };
static const int counts[COUNTS] = {0, 1, 2, 4, 8};
static const int distances[DISTANCES] = {0, 1, 3, 6};

typedef struct average {
    double latency, variance, unreachable, tries; /* tries: steps back and restarts per message */
} average;

/* A small generator of our own, so that the example needs nothing but the public header. */
static unsigned draw(unsigned long long *state, unsigned below) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(*state >> 33) % below;
}

/* "[[12, 0, 1], ...]": count different channels. */
static void draw_faults(unsigned long long seed, int count, char *text, size_t size) {
    int taken[FAULTS_MAX];
    size_t used = (size_t)snprintf(text, size, "[");
    for (int i = 0; i < count; ++i) {
        bool fresh;
        do {
            taken[i] = (int)draw(&seed, NODES * 4);
            fresh = true;
            for (int j = 0; j < i; ++j)
                fresh = fresh && taken[j] != taken[i];
        } while (!fresh);
        used += (size_t)snprintf(text + used, size - used, "%s[%d, %d, %d]", i ? ", " : "",
                                 taken[i] / 4, taken[i] / 2 % 2, taken[i] % 2 ? 1 : -1);
    }
    snprintf(text + used, size - used, "]");
}

static double metric(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    return found ? found->value : 0;
}

static bool simulate(const char *faults, int distance, int seed, const char *precision,
                     average *sum) {
    static const char network[] =
        "network: {topology: torus, radix: [8, 8], switching: scouting, virtual_channels: 2}\n"
        "traffic: {rate: 0.006, message_flits: 32}\n";
    char lead[16], start[16];
    snprintf(lead, sizeof lead, "%d", distance);
    snprintf(start, sizeof start, "%d", seed);
    const fc_setting settings[] = {{"network.faults", faults},
                                   {"network.scouting_distance", lead},
                                   {"simulation.precision", precision},
                                   {"simulation.seed", start}};
    const fc_run_settings run = fc_run_settings_default();
    fc_scenario *scenario = NULL;
    fc_result *result = NULL;
    fc_error error;
    const bool good = fc_scenario_read_text(network, strlen(network), "faults", settings, 4, &error,
                                            &scenario) == FC_OK &&
                      fc_simulate(scenario, &run, &error, &result) == FC_OK;
    const fc_metric *latency = good ? fc_result_metric(result, "latency") : NULL;
    const bool measured = latency != NULL;
    if (measured) {
        sum->latency += latency->value;
        sum->variance += latency->half_width * latency->half_width;
        sum->unreachable += metric(result, "unreachable");
        sum->tries += metric(result, "backtracks") + metric(result, "restarts");
    } else {
        fprintf(stderr, "%s\n", good ? "no message was delivered" : error.text);
    }
    fc_result_free(result);
    fc_scenario_free(scenario);
    return measured;
}

int main(int argc, char **argv) {
    const int patterns = argc > 1 ? atoi(argv[1]) : 8;
    const char *precision = argc > 2 ? argv[2] : "0.02";
    const char *path = argc > 3 ? argv[3] : "scouting_faults.svg";
    if (patterns < 1) {
        fprintf(stderr, "usage: example_scouting_faults [PATTERNS [PRECISION [FILE.svg]]]\n");
        return 2;
    }
    fc_plot *plot = fc_plot_create("8x8 torus, V = 2, M = 32, rate 0.006", "broken channels",
                                   "latency, cycles");
    printf("%3s %7s %18s %13s %10s\n", "K", "faults", "latency", "unreachable", "tries");
    for (int d = 0; d < DISTANCES; ++d) {
        double x[COUNTS], y[COUNTS], width[COUNTS];
        for (int c = 0; c < COUNTS; ++c) {
            average mean = {0};
            for (int p = 0; p < patterns; ++p) {
                char faults[512];
                draw_faults(1000ull * (unsigned)counts[c] + (unsigned)p, counts[c], faults,
                            sizeof faults);
                if (!simulate(faults, distances[d], p + 1, precision, &mean))
                    return 1;
            }
            x[c] = counts[c];
            y[c] = mean.latency / patterns;
            width[c] = sqrt(mean.variance) / patterns;
            printf("%3d %7d %10.2f +- %4.2f %11.2f %% %10.2f\n", distances[d], counts[c], y[c],
                   width[c], 100 * mean.unreachable / patterns, mean.tries / patterns);
        }
        char label[16];
        snprintf(label, sizeof label, "K = %d", distances[d]);
        const fc_series series = {.label = label,
                                  .style = FC_STYLE_LINE_POINTS,
                                  .x = x,
                                  .y = y,
                                  .half_widths = width,
                                  .count = COUNTS};
        fc_plot_add_series(plot, &series);
    }
    const fc_write_settings svg = {.format = FC_FORMAT_SVG};
    FILE *stream = fopen(path, "w");
    const bool written = stream && fc_plot_write(plot, &svg, stream) == FC_OK;
    if (stream)
        fclose(stream);
    fc_plot_free(plot);
    return written ? 0 : 1;
}
