/* Flit-hops per second of the scouting simulator on one core, and the time to predict a point. CPU
 * time, best of several repeats. A flit-hop is a flit or a header crossing a network channel. */
#include "flitcast/flitcast.h"
#include "registry/method.h"

#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct system_under_test {
    const char *radix;
    int channels, flits, distance;
    double rate;
} system_under_test;

static fc_scenario *make_scenario(const system_under_test *s) {
    char text[300];
    const int length = snprintf(text, sizeof text,
                                "network: {topology: torus, radix: %s, switching: scouting, "
                                "scouting_distance: %d, virtual_channels: %d}\n"
                                "traffic: {rate: %.17g, message_flits: %d}\n",
                                s->radix, s->distance, s->channels, s->rate, s->flits);
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "bench", NULL, 0, &error, &scenario) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return scenario;
}

static void print_system(const char *what, const system_under_test *s) {
    printf("%-26s %-12s V=%-2d M=%-3d K=%d rate %-7g", what, s->radix, s->channels, s->flits,
           s->distance, s->rate);
}

static void time_simulate(const system_under_test *s) {
    enum { REPEATS = 5 };
    fc_scenario *scenario = make_scenario(s);
    const fc_simulator *simulator;
    static fc_histogram latencies;
    double sums[16] = {0}, weights[16] = {0}, best = 0;
    fc_sample sample = {.sums = sums, .weights = weights, .latencies = &latencies};
    void *state;
    fc_error error;
    if (fc_simulator_choose(scenario, &error, &simulator) != FC_OK ||
        simulator->create(scenario, 1, 0, &error, &state) != FC_OK ||
        simulator->advance(state, 5000, &sample, &error) != FC_OK)
        exit(1);
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        const uint64_t before = sample.events;
        const double start = cpu_seconds();
        if (simulator->advance(state, 20000, &sample, &error) != FC_OK)
            exit(1);
        const double rate = (double)(sample.events - before) / (cpu_seconds() - start);
        best = rate > best ? rate : best;
    }
    print_system("simulate", s);
    printf(" %6.1f million flit-hops/s\n", 1e-6 * best);
    simulator->release(state);
    fc_scenario_free(scenario);
}

static void time_predict(const char *model, const system_under_test *s) {
    enum { CALLS = 50, REPEATS = 5 };
    fc_scenario *scenario = make_scenario(s);
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
    print_system(model, s);
    printf(" %6.3f ms a point\n", 1e3 * best);
    fc_scenario_free(scenario);
}

int main(void) {
    static const system_under_test simulated[] = {
        {"[8, 8]", 6, 32, 3, 0.004},   {"[8, 8]", 6, 32, 3, 0.012},
        {"[8, 8]", 6, 32, 3, 0.020},   {"[8, 8]", 1, 32, 3, 0.007},
        {"[8, 8]", 6, 64, 0, 0.006},   {"[16, 16]", 6, 32, 3, 0.006},
        {"[16, 16]", 1, 32, 6, 0.003}, {"[8, 8, 8]", 4, 32, 2, 0.010},
    };
    static const system_under_test predicted[] = {
        {"[8, 8]", 6, 32, 3, 0.012}, {"[16, 16]", 1, 32, 3, 0.002}, {"[16, 16]", 6, 32, 6, 0.004}};
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; ++i)
        time_simulate(&simulated[i]);
    for (size_t i = 0; i < sizeof predicted / sizeof *predicted; ++i) {
        time_predict("scouting-sharing", &predicted[i]);
        time_predict("safaei", &predicted[i]);
    }
    return 0;
}
