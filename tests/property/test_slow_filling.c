/* Buffers that fill slowly are not a backlog that grows without end. */
#include "test_support.h"

#include "anchor_support.h"

static fc_outcome simulate(const char *network, const char *traffic, double *latency) {
    fc_scenario *scenario = read_scenario("network: {%s}\ntraffic: {%s}\n"
                                          "simulation: {precision: 0.05}\n",
                                          network, traffic);
    fc_error error;
    fc_result *result;
    assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
    const fc_outcome outcome = result->outcome;
    const fc_metric *metric = fc_result_metric(result, "latency");
    *latency = metric ? metric->value : (double)NAN;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return outcome;
}

#define DRAGONFLY                                                                                  \
    "topology: dragonfly, hosts: 4, routers: 8, global_links: 4, routing: ugal-local, "            \
    "virtual_channels: 6, buffer: 32, router_delay: [1, 1, 1, 1], link_delay: 5, global_delay: 25"

/* All messages of a group go to the next one. UGAL sends them over its single link until the queue
 * for that is long: at light loads the queues take tens of thousands of cycles to become so, and
 * nothing waits at the sources. */
static void buffers_that_fill_slowly_are_no_saturation(void **state) {
    (void)state;
    double before = INFINITY, latency;
    static const char *const rates[] = {"0.032", "0.04"};
    for (size_t i = 0; i < 2; ++i) {
        char traffic[96];
        snprintf(traffic, sizeof traffic, "rate: %s, message_flits: 1, destinations: neighbour",
                 rates[i]);
        assert_int_equal(simulate(DRAGONFLY, traffic, &latency), FC_OUTCOME_OK);
        assert_true(latency > 300 && latency < before); /* the more detours, the shorter */
        before = latency;
    }
}

/* Where the sources do fill, the verdict is the same, also where
 * large buffers fill first. */
static void sources_that_fill_are(void **state) {
    (void)state;
    double latency;
    assert_int_equal(simulate("topology: mesh, radix: [4, 4], router_delay: [1, 1, 1, 1], "
                              "virtual_channels: 2, buffer: 4",
                              "rate: 0.3, message_flits: 4", &latency),
                     FC_OUTCOME_SATURATED);
    assert_int_equal(simulate("topology: mesh, radix: [4, 4], router_delay: [1, 1, 1, 1], "
                              "virtual_channels: 2, buffer: 64",
                              "rate: 0.06, message_flits: 4, "
                              "destinations: {hot-spot: {share: 0.5, node: 5}}",
                              &latency),
                     FC_OUTCOME_SATURATED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_that_fill_slowly_are_no_saturation),
        cmocka_unit_test(sources_that_fill_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
