/* Time to predict a point of hierarchical rings, and link-slots per second of the simulator.
 * CPU time, best of several repeats. */
#include "flitcast/flitcast.h"
#include "registry/method.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static fc_scenario *make_scenario(const char *rings, const char *traffic) {
    char text[256];
    const int length =
        snprintf(text, sizeof text, "network: {topology: ring-hierarchy, rings: %s}\ntraffic: %s\n",
                 rings, traffic);
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "bench", NULL, 0, &error, &scenario) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return scenario;
}

static void time_predict(const char *model, const char *rings, const char *traffic) {
    enum { CALLS = 20000, REPEATS = 5 };
    fc_scenario *scenario = make_scenario(rings, traffic);
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        const double start = cpu_seconds();
        for (int call = 0; call < CALLS; ++call) {
            fc_result *result;
            fc_error error;
            if (fc_predict(scenario, model, &error, &result) != FC_OK)
                exit(1);
            fc_result_free(result);
        }
        const double time = (cpu_seconds() - start) / CALLS;
        best = time < best ? time : best;
    }
    printf("predict  %-15s %-12s %-32s %8.3f us a point\n", model, rings, traffic, 1e6 * best);
    fc_scenario_free(scenario);
}

static void time_simulate(const char *rings, const char *traffic) {
    enum { TICKS = 200000, REPEATS = 5 };
    fc_scenario *scenario = make_scenario(rings, traffic);
    const fc_simulator *simulator;
    static fc_histogram latencies;
    double sums[16] = {0}, weights[16] = {0};
    fc_sample sample = {.sums = sums, .weights = weights, .latencies = &latencies};
    void *state;
    fc_error error;
    if (fc_simulator_choose(scenario, &error, &simulator) != FC_OK ||
        simulator->create(scenario, 1, 0, &error, &state) != FC_OK ||
        simulator->advance(state, 20000, &sample, &error) != FC_OK)
        exit(1);
    double best = 0;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        const uint64_t before = sample.events;
        const double start = cpu_seconds();
        if (simulator->advance(state, TICKS, &sample, &error) != FC_OK)
            exit(1);
        const double rate = (double)(sample.events - before) / (cpu_seconds() - start);
        best = rate > best ? rate : best;
    }
    printf("simulate %-15s %-12s %-32s %8.0f million link-slots/s\n", simulator->info.name, rings,
           traffic, 1e-6 * best);
    simulator->release(state);
    fc_scenario_free(scenario);
}

int main(void) {
    static const char *const models[] = {"hamacher-jiang", "ring-trains"};
    for (int m = 0; m < 2; ++m) {
        time_predict(models[m], "[16, 32]", "{rate: 0.004, locality: [0.2]}");
        time_predict(models[m], "[7, 6, 12]", "{rate: 0.004}");
    }
    time_simulate("[16, 32]", "{rate: 0.001, locality: [0.2]}");
    time_simulate("[16, 32]", "{rate: 0.004, locality: [0.2]}");
    time_simulate("[16, 32]", "{rate: 0.005, locality: [0.3]}");
    time_simulate("[16, 32]", "{rate: 0.02, locality: [0.9]}");
    time_simulate("[8, 8, 8]", "{rate: 0.004}");
    return 0;
}
