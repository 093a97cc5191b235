/* network.link_delay and network.link_width, one for all links or one for each kind of them: by
 * hand, and in every topology. */
#include "scenario_support.h"

#include "router_support.h"

/* Four nodes in a square: of the three others one is a link of dimension 0 away, one a link of
 * dimension 1, one both. Messages of F flits alone: F, the links' cycles, and behind a link of half
 * a flit a cycle F - 1 more. */
#define SQUARE(more)                                                                               \
    "network: {topology: mesh, radix: [2, 2], buffer: 64" more "}\n"                               \
    "traffic: {rate: 1e-6, message_flits: 3}\n"

static double latency_of(const char *text, const char *model) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_result *result = NULL;
    fc_error error;
    if (fc_predict(scenario, model, &error, &result) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    const double value = fc_result_metric(result, "latency")->value;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return value;
}

static void by_hand(void **state) {
    (void)state;
    const char *const delays = SQUARE(", link_delay: [2, 5]");
    const char *const widths = SQUARE(", link_delay: 2, link_width: [1, 0.5]");
    assert_close(latency_of(delays, "channel-load"), 3 + (2 + 5 + 7) / 3.0, 1e-9);
    assert_close(latency_of(widths, "channel-load"), 3 + (2 + 2 + 4) / 3.0 + (0 + 2 + 2) / 3.0,
                 1e-9);
    assert_close(latency_of(delays, NULL), latency_of(delays, "channel-load"), 1e-4);
}

/* What a link carries is its width: the middle of a mesh of 4 x 1, through which 2 * 2 of every 12
 * messages go each way, 4/3 a cycle at a rate of 1. */
static void a_narrow_link_is_full_sooner(void **state) {
    (void)state;
    static const char *const text =
        "network: {topology: mesh, radix: [4], link_width: 0.25}\ntraffic: {rate: 0.001, "
        "message_flits: 1}\n";
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_error error;
    fc_forecast *forecast = NULL;
    fc_load_range range;
    assert_int_equal(fc_forecast_create(scenario, "channel-load", &error, &forecast), FC_OK);
    assert_int_equal(fc_forecast_saturation(forecast, &error, &range), FC_OK);
    assert_close(range.load, 0.25 * 3 / 4, 1e-9);
    fc_forecast_free(forecast);
    fc_scenario_free(scenario);
}

/* Every topology whose links are of several kinds: each kind has its delay and width. */
static void every_topology_has_its_kinds(void **state) {
    (void)state;
    static const char *const texts[] = {
        "topology: torus, radix: [3, 4]",
        "topology: hyperx, shape: [3, 4]",
        "topology: dragonfly, hosts: 1, routers: 3, global_links: 1",
        "topology: fat-tree, arity: 2, levels: 3",
        "topology: fly, arity: 2, levels: 3",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char text[256];
        snprintf(
            text, sizeof text,
            "network: {%s, link_delay: [3, 7], link_width: [1, 0.5]}\ntraffic: {rate: 0.001}\n",
            texts[i]);
        fc_scenario *scenario = must_read(text, NULL, NULL);
        fc_router_network *network = NULL;
        fc_error error;
        if (fc_router_network_create(scenario, &error, &network) != FC_OK)
            fail_msg("%s: %s", text, error.text);
        uint32_t short_ones = 0, long_ones = 0;
        for (uint32_t o = 0; o < network->outputs; ++o) {
            if (network->output_end[o] & FC_TO_NODE)
                continue;
            const bool longer = network->output_delay[o] == 7;
            assert_true(longer || network->output_delay[o] == 3);
            assert_int_equal(network->output_interval[o], longer ? 2 << 16 : 1 << 16);
            long_ones += longer;
            short_ones += !longer;
        }
        assert_true(short_ones && long_ones);
        assert_true(fc_scenario_routed(scenario)->widths_differ);
        must_read_back(scenario);
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
}

static void mistakes_are_named(void **state) {
    (void)state;
    must_refuse(SQUARE(""), "network.link_delay", "[1, 2, 3]", "or 2: one for each dimension");
    must_refuse(SQUARE(""), "network.link_delay", "0", "from 1 to 100000");
    must_refuse(SQUARE(""), "network.link_width", "2", "network.internal_speedup to 2 or more");
    must_refuse(SQUARE(""), "network.link_width", "[1, 0]", "from 0.01 to 8");
    must_refuse("network: {topology: slim-fly, q: 3, link_width: [1, 1]}\ntraffic: {rate: 0.1}\n",
                NULL, NULL, "one number");
}

/* A scenario without the new forms has the hash it had. */
static void one_number_is_what_it_was(void **state) {
    (void)state;
    fc_scenario *plain = must_read(SQUARE(", link_delay: 2"), NULL, NULL);
    fc_scenario *listed = must_read(SQUARE(", link_delay: [2, 2]"), NULL, NULL);
    assert_int_equal(fc_scenario_routed(plain)->link_delays.count, 0);
    assert_int_equal(fc_scenario_routed(listed)->link_delay, 2);
    assert_string_not_equal(fc_scenario_hash(plain), fc_scenario_hash(listed));
    fc_scenario_free(plain);
    fc_scenario_free(listed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand), cmocka_unit_test(a_narrow_link_is_full_sooner),
        cmocka_unit_test(every_topology_has_its_kinds), cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(one_number_is_what_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
