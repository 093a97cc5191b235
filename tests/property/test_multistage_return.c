/* Packets that return from the memories: exact cases, and the models against the simulator. */
#include "test_support.h"
#include "scenario_support.h"

#include <math.h>
#include "registry/method.h"

static fc_scenario *read_network(const char *network, double busy, double rate) {
    char text[400];
    snprintf(text, sizeof text,
             "network: {topology: multistage, %s}\ntraffic: {rate: %g, memory_busy: %g}\n"
             "simulation: {precision: 0.005}\n",
             network, rate, busy);
    return must_read(text, NULL, NULL);
}

static double simulated(const fc_scenario *scenario, const char *metric) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    const double value = fc_result_metric(result, metric)->value;
    fc_result_free(result);
    return value;
}

static double predicted(const fc_scenario *scenario, const char *model, const char *metric) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_predict(scenario, model, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    const double value = fc_result_metric(result, metric)->value;
    fc_result_free(result);
    return value;
}

static const char *const models[] = {"mohapatra-das", "multistage-backpressure"};

/* Nobody meets anybody: n stages there and back, and the memory. */
static void an_empty_network_takes_its_services(void **state) {
    (void)state;
    static const struct {
        const char *network;
        double busy, expected;
    } cases[] = {{"ports: 16, switch: 4", 3, 7},
                 {"ports: 8, switch: 2, service: 2", 1.5, 13.5},
                 {"ports: 8, switch: 2, contention: output-port", 7, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario = read_network(cases[i].network, cases[i].busy, 1e-5);
        assert_close(simulated(scenario, "response_time"), cases[i].expected, 2e-3);
        for (int m = i < 2 ? 0 : 1; m < 2; ++m)
            assert_close(predicted(scenario, models[m], "response_time"), cases[i].expected, 2e-3);
        fc_scenario_free(scenario);
    }
}

/* Overloaded memories are never idle. */
static void memories_bound_the_throughput(void **state) {
    (void)state;
    fc_scenario *scenario = read_network("ports: 16, switch: 4", 4, 0.6);
    assert_close(simulated(scenario, "throughput"), 0.25, 0.01);
    fc_error error;
    double load[2];
    for (int m = 0; m < 2; ++m) {
        fc_result *result = NULL;
        assert_int_equal(fc_predict(scenario, models[m], &error, &result), FC_OK);
        assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
        assert_close(fc_result_metric(result, "throughput")->value, 0.25, 1e-12);
        fc_result_free(result);
        const fc_model *model = fc_model_find(models[m], &error);
        assert_int_equal(model->saturation(scenario, NULL, &error, &load[m]), FC_OK);
        assert_close(load[m], 0.25, 0.001); /* hardly anything is lost at so low a load */
    }
    fc_scenario_free(scenario);
}

static void models_are_near_the_simulation(void **state) {
    (void)state;
    static const double loads[] = {0.2, 0.4, 0.55};
    for (size_t i = 0; i < 3; ++i) {
        fc_scenario *scenario = read_network("ports: 64, switch: 4, buffer: 4", 1.2, loads[i]);
        const double expected = simulated(scenario, "response_time");
        assert_close(predicted(scenario, "multistage-backpressure", "response_time"), expected,
                     0.09);
        assert_close(predicted(scenario, "mohapatra-das", "response_time"), expected, 0.15);
        fc_scenario_free(scenario);
    }
}

static void what_is_not_modelled_is_refused(void **state) {
    (void)state;
    static const char *const traffics[] = {"destinations: {hot-spot: {share: 0.1, node: 1}}",
                                           "outstanding: 3"};
    static const char *const reasons[] = {"uniform destinations", "no limit on outstanding"};
    for (int i = 0; i < 2; ++i) {
        char text[300];
        snprintf(text, sizeof text,
                 "network: {topology: multistage, ports: 16, switch: 4}\n"
                 "traffic: {rate: 0.1, memory_busy: 2, %s}\n",
                 traffics[i]);
        fc_scenario *scenario = must_read(text, NULL, NULL);
        for (int m = 0; m < 2; ++m) {
            fc_error error;
            assert_int_equal(fc_model_covers(fc_model_find(models[m], &error), scenario, &error),
                             FC_ERROR_UNSUPPORTED);
            must_say(error.text, reasons[i]);
        }
        assert_true(simulated(scenario, "response_time") > 6);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_network_takes_its_services),
        cmocka_unit_test(memories_bound_the_throughput),
        cmocka_unit_test(models_are_near_the_simulation),
        cmocka_unit_test(what_is_not_modelled_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
