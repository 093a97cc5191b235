/* The back-pressure model against short simulations of networks of every kind: a coarse version of
 * docs/validation/multistage.md that runs with the tests. */
#include "test_support.h"
#include <string.h>
#include "flitcast/flitcast.h"

typedef struct network {
    const char *keys; /* of network */
    const char *traffic;
    const char *metric;
    double throughput, latency; /* relative errors allowed: twice what validation found, at least */
} network;

static const network networks[] = {
    {"ports: 64, buffer: 2", "rate: 0.8", "latency", 0.05, 0.06},
    {"ports: 256, buffer: 8", "rate: 0.7", "latency", 0.03, 0.05},
    {"ports: 81, switch: 3, buffer: 4", "rate: 0.9", "latency", 0.05, 0.07},
    {"ports: 64, switch: 8, buffer: 3", "rate: 1", "latency", 0.05, 0.07},
    {"ports: 64, switch: 4, buffer: 6", "rate: 0.9, outstanding: 4", "latency", 0.04, 0.05},
    {"ports: 64, buffer: 8", "rate: 0.13, destinations: {hot-spot: {share: 0.16, node: 9}}",
     "latency_hot", 0.05, 0.12},
    {"ports: 64, switch: 4, buffer: 4",
     "rate: 0.5, destinations: {hot-spot: {share: 0.1, node: 9}}", "latency_hot", 0.05, 0.15},
    {"ports: 64, buffer: 4, contention: output-port", "rate: 0.5", "latency", 0.05, 0.08},
    {"ports: 64, switch: 4, buffer: 8, contention: output-port", "rate: 0.9", "latency", 0.07, 0.1},
};

static double value(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    if (!metric)
        fail_msg("%s gives no %s: %s", result->method, name, result->note);
    return metric->value;
}

static void model_follows_simulation(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; ++i) {
        const network *at = &networks[i];
        char text[400];
        snprintf(text, sizeof text,
                 "network: {topology: multistage, %s}\ntraffic: {%s}\n"
                 "simulation: {precision: 0.02, max_cycles: 8000, seed: 3}\n",
                 at->keys, at->traffic);
        fc_error error;
        fc_scenario *scenario;
        fc_result *model = NULL, *simulation = NULL;
        const fc_run_settings settings = fc_run_settings_default();
        if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK ||
            fc_predict(scenario, "multistage-backpressure", &error, &model) != FC_OK ||
            fc_simulate(scenario, &settings, &error, &simulation) != FC_OK)
            fail_msg("%s", error.text);
        print_message("%s, %s\n", at->keys, at->traffic);
        assert_close(value(model, "throughput"), value(simulation, "throughput"), at->throughput);
        assert_close(value(model, at->metric), value(simulation, at->metric), at->latency);
        fc_result_free(model);
        fc_result_free(simulation);
        fc_scenario_free(scenario);
    }
}

/* More buffer space never costs throughput, and what gets through is what is offered less what is
 * lost, over a grid of networks. */
static void model_is_monotonic(void **state) {
    (void)state;
    static const char *const shapes[] = {"ports: 64, switch: 2", "ports: 81, switch: 3",
                                         "ports: 64, switch: 8"};
    static const int buffers[] = {1, 2, 4, 8, 16, 32};
    for (size_t s = 0; s < 3; ++s)
        for (int load = 1; load <= 12; ++load) {
            double before = 0.0;
            for (size_t b = 0; b < 6; ++b) {
                char text[300];
                snprintf(text, sizeof text,
                         "network: {topology: multistage, %s, buffer: %d}\ntraffic: {rate: %g}\n",
                         shapes[s], buffers[b], 0.1 * load);
                fc_error error;
                fc_scenario *scenario;
                fc_result *result = NULL;
                if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) !=
                        FC_OK ||
                    fc_predict(scenario, "multistage-backpressure", &error, &result) != FC_OK)
                    fail_msg("%s", error.text);
                const double throughput = value(result, "throughput");
                assert_true(throughput > before * (1.0 - 1e-9));
                assert_true(throughput <= fmin(0.1 * load, 1.0) * (1.0 + 1e-9));
                assert_close(throughput, 0.1 * load * (1.0 - value(result, "loss")), 1e-8);
                before = throughput;
                fc_result_free(result);
                fc_scenario_free(scenario);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_follows_simulation),
        cmocka_unit_test(model_is_monotonic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
