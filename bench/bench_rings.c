/* Time to predict a point of hierarchical rings, and link-slots per second of the simulator. */
#include "bench_support.h"

static fc_scenario *make_scenario(const char *rings, const char *traffic) {
    char text[256];
    snprintf(text, sizeof text, "network: {topology: ring-hierarchy, rings: %s}\ntraffic: %s\n",
             rings, traffic);
    return read_scenario(text);
}

static void predict(const char *model, const char *rings, const char *traffic) {
    fc_scenario *scenario = make_scenario(rings, traffic);
    printf("predict  %-15s %-12s %-32s %8.3f us a point\n", model, rings, traffic,
           1e6 * time_predict(scenario, model, NULL));
    fc_scenario_free(scenario);
}

static void simulate(const char *rings, const char *traffic) {
    fc_scenario *scenario = make_scenario(rings, traffic);
    printf("simulate %-12s %-32s %8.0f million link-slots/s\n", rings, traffic,
           1e-6 * time_simulate(scenario, 20000, 200000));
    fc_scenario_free(scenario);
}

int main(void) {
    static const char *const models[] = {"hamacher-jiang", "ring-trains"};
    for (int m = 0; m < 2; ++m) {
        predict(models[m], "[16, 32]", "{rate: 0.004, locality: [0.2]}");
        predict(models[m], "[7, 6, 12]", "{rate: 0.004}");
    }
    simulate("[16, 32]", "{rate: 0.001, locality: [0.2]}");
    simulate("[16, 32]", "{rate: 0.004, locality: [0.2]}");
    simulate("[16, 32]", "{rate: 0.005, locality: [0.3]}");
    simulate("[16, 32]", "{rate: 0.02, locality: [0.9]}");
    simulate("[8, 8, 8]", "{rate: 0.004}");
    return 0;
}
