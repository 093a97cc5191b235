/* Networks that are a single queue in disguise, through the driver as a user runs them.
 *
 * Two nodes that send to each other over one-way links share nothing but their own queue: messages
 * of M flits leave it every M cycles (every M + 1 if a channel is handed over in the next cycle),
 * so it is M/D/1, whose mean wait is the same in whole cycles and in real time. One stage of
 * switches without contention is M/D/1 with the service of a switch. Two stations of a ring that
 * send to each other find every slot empty: M/D/1 with a service of one tick. */
#include "test_support.h"

#include "anchor_support.h"

static double md1_wait(double rate, double service) {
    return rate * service * service / (2 * (1 - rate * service));
}

#ifdef FC_CHECKS
static const double precision = 0.1; /* every invariant is asserted in every cycle: slow */
#else
static const double precision = 0.01;
#endif

static fc_result *simulate(const fc_scenario *scenario) {
    const fc_run_settings settings = fc_run_settings_default();
    fc_error error = {""};
    fc_result *result;
    if (fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    return result;
}

/* Ten intervals of 95 % with fixed seeds; two half widths leave room for one that misses. */
static void check_metric(const fc_result *result, const char *name, double expected) {
    const fc_metric *found = metric_of(result, name);
    assert_near(found->value, expected, 2 * found->half_width);
    assert_true(found->half_width <= 2 * precision * value_of(result, "latency"));
}

static void two_nodes_of_a_torus(void **state) {
    (void)state;
    static const struct {
        const char *handover;
        double service;
        double rate;
    } cases[] = {{"same-cycle", 16, 0.045}, {"next-cycle", 17, 0.03}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario = read_scenario(
            "network: {topology: torus, radix: [2], links: unidirectional, virtual_channels: 2, "
            "injection_channels: 1, ejection_channels: 1, handover: %s}\n"
            "traffic: {rate: %g, message_flits: 16}\nsimulation: {precision: %g, seed: 4}\n",
            cases[i].handover, cases[i].rate, precision);
        const double wait = md1_wait(cases[i].rate, cases[i].service);
        fc_result *result = simulate(scenario);
        check_metric(result, "latency", 16 + 1 + wait);
        check_metric(result, "source_wait", wait);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
}

static void one_stage_of_switches(void **state) {
    (void)state;
    for (int i = 1; i <= 3; ++i) {
        const double rate = 0.12 * i, service = 2.5;
        fc_scenario *scenario =
            read_scenario("network: {topology: multistage, ports: 16, switch: 16, buffer: "
                          "infinite, service: %g}\n"
                          "traffic: {rate: %g}\nsimulation: {precision: %g, seed: 4}\n",
                          service, rate, precision);
        const double latency = service + md1_wait(rate, service);
        size_t covered = 0;
        for (size_t m = 0; fc_models[m]; ++m) {
            fc_result *result = solve(fc_models[m], scenario);
            if (!result)
                continue;
            ++covered;
            assert_close(value_of(result, "latency"), latency, 1e-9);
            fc_result_free(result);
        }
        assert_int_equal(covered, 2);
        fc_result *result = simulate(scenario);
        check_metric(result, "latency", latency);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
}

/* Two local rings of two stations; nothing leaves its ring. The mean distance is 3/2, the step into
 * the destination 1. */
static void two_stations_of_a_ring(void **state) {
    (void)state;
    for (int i = 1; i <= 3; ++i) {
        const double rate = 0.25 * i;
        fc_scenario *scenario = read_scenario("network: {topology: ring-hierarchy, rings: [2, 2]}\n"
                                              "traffic: {rate: %g, locality: [1]}\n"
                                              "simulation: {precision: %g, seed: 4}\n",
                                              rate, precision);
        const double latency = 1.5 + 1 + md1_wait(rate, 1);
        fc_result *result;
        fc_error error;
        assert_int_equal(fc_predict(scenario, "ring-trains", &error, &result), FC_OK);
        assert_close(value_of(result, "latency"), latency, 1e-9);
        fc_result_free(result);
        result = simulate(scenario);
        check_metric(result, "latency", latency);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_nodes_of_a_torus),
        cmocka_unit_test(one_stage_of_switches),
        cmocka_unit_test(two_stations_of_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
