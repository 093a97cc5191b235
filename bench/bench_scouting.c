/* Flit-hops per second of the scouting simulator on one core, and the time to predict a point. A
 * flit-hop is a flit or a header crossing a network channel. */
#include "bench_support.h"

typedef struct system_under_test {
    const char *radix;
    int channels, flits, distance;
    double rate;
} system_under_test;

static fc_scenario *make_scenario(const system_under_test *s) {
    char text[300];
    snprintf(text, sizeof text,
             "network: {topology: torus, radix: %s, switching: scouting, "
             "scouting_distance: %d, virtual_channels: %d}\n"
             "traffic: {rate: %.17g, message_flits: %d}\n",
             s->radix, s->distance, s->channels, s->rate, s->flits);
    return read_scenario(text);
}

static void print_system(const char *what, const system_under_test *s) {
    printf("%-26s %-12s V=%-2d M=%-3d K=%d rate %-7g", what, s->radix, s->channels, s->flits,
           s->distance, s->rate);
}

static void simulate(const system_under_test *s) {
    fc_scenario *scenario = make_scenario(s);
    const double rate = time_simulate(scenario, 5000, 20000);
    print_system("simulate", s);
    printf(" %6.1f million flit-hops/s\n", 1e-6 * rate);
    fc_scenario_free(scenario);
}

static void predict(const char *model, const system_under_test *s) {
    fc_scenario *scenario = make_scenario(s);
    const double seconds = time_predict(scenario, model, NULL);
    print_system(model, s);
    printf(" %6.3f ms a point\n", 1e3 * seconds);
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
        simulate(&simulated[i]);
    for (size_t i = 0; i < sizeof predicted / sizeof *predicted; ++i) {
        predict("scouting-sharing", &predicted[i]);
        predict("safaei", &predicted[i]);
    }
    return 0;
}
