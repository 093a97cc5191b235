/* What the benchmarks share: CPU time, best of several repeats. A benchmark ends with the sentence
 * of the first thing that fails. */
#ifndef FC_BENCH_SUPPORT_H
#define FC_BENCH_SUPPORT_H

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "flitcast/flitcast.h"
#include "registry/method.h"

enum { REPEATS = 5 };

static inline double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void demand(fc_status status, const fc_error *error) {
    if (status == FC_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static inline fc_scenario *read_scenario(const char *text) {
    fc_error error;
    fc_scenario *scenario = NULL;
    demand(fc_scenario_read_text(text, strlen(text), "bench", NULL, 0, &error, &scenario), &error);
    return scenario;
}

/* Seconds that a model takes for a point; *iterations (may be NULL): of its solution. */
static inline double time_predict(const fc_scenario *scenario, const char *model,
                                  uint64_t *iterations) {
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        int calls = 0;
        const double start = cpu_seconds();
        do {
            fc_result *result = NULL;
            fc_error error;
            demand(fc_predict(scenario, model, &error, &result), &error);
            if (iterations)
                *iterations = result->run.iterations;
            fc_result_free(result);
            ++calls;
        } while (cpu_seconds() - start < 0.02);
        const double time = (cpu_seconds() - start) / calls;
        best = time < best ? time : best;
    }
    return best;
}

/* Events a second of the simulator that covers the scenario, over so many cycles after a warm-up.
 */
static inline double time_simulate(const fc_scenario *scenario, uint64_t warm_up, uint64_t cycles) {
    static fc_histogram latencies;
    double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0}, best = 0;
    fc_sample sample = {.sums = sums, .weights = weights, .latencies = &latencies};
    const fc_simulator *simulator = NULL;
    void *common = NULL, *state = NULL;
    fc_error error;
    demand(fc_simulator_choose(scenario, &error, &simulator), &error);
    if (simulator->prepare)
        demand(simulator->prepare(scenario, &error, &common), &error);
    demand(simulator->create(scenario, common, 1, 0, &error, &state), &error);
    demand(simulator->advance(state, warm_up, &sample, &error), &error);
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        const uint64_t before = sample.events;
        const double start = cpu_seconds();
        demand(simulator->advance(state, cycles, &sample, &error), &error);
        const double rate = (double)(sample.events - before) / (cpu_seconds() - start);
        best = rate > best ? rate : best;
    }
    simulator->release(state);
    if (simulator->discard)
        simulator->discard(common);
    return best;
}

#endif
