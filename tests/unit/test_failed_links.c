/* network.faults in a scenario, and a ring of four with a broken link, by hand. */
#include "scenario_support.h"

#include "network/router_faults.h"
#include "network/router_traffic.h"
#include "forecast/forecast.h"
#include "router_support.h"

static const char ring[] = "network: {topology: ring, radix: [4], buffer: 16, faults: [[0, 1]]}\n"
                           "traffic: {rate: 0.001, message_flits: 1}\n";
static const char mesh[] =
    "network: {topology: mesh, radix: [4, 3], virtual_channels: 2, faults: {links: [[0, 1], [[1, "
    "1], [1, 2]], [[2, 0], 0, 1]], routers: [5, [3, 2]], random: {links: 0.1, seed: 7}}}\n"
    "traffic: {rate: 0.001}\n";

static fc_router_network *must_build(const char *text, const char *key, const char *value) {
    fc_scenario *scenario = must_read(text, key, value);
    fc_router_network *network = NULL;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return network;
}

/* The sentence of a network that cannot be built. */
static void must_not_build(const char *text, const char *key, const char *value,
                           const char *reason) {
    fc_scenario *scenario = must_read(text, key, value);
    fc_router_network *network = NULL;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &network) == FC_OK)
        fail_msg("%s: %s was built", key, value);
    must_say(error.text, reason);
    fc_scenario_free(scenario);
}

static void faults_are_read(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(mesh, NULL, NULL);
    const fc_faults *faults = &fc_scenario_routed(scenario)->faults;
    assert_int_equal(faults->count, 3);
    assert_int_equal(faults->list[0].other.values[0], 1);
    assert_int_equal(faults->list[1].other.count, 2);
    assert_int_equal(faults->list[2].direction, 1);
    assert_int_equal(faults->router_count, 2);
    assert_true(faults->drawn);
    assert_int_equal(faults->seed, 7);
    must_read_back(scenario);
    fc_scenario_free(scenario);
    scenario = must_read(ring, NULL, NULL);
    must_read_back(scenario);
    fc_scenario_free(scenario);
    scenario = must_read(mesh, "network.faults.random.seed", "8");
    assert_int_equal(fc_scenario_routed(scenario)->faults.seed, 8);
    fc_scenario_free(scenario);
}

static void mistakes_are_named(void **state) {
    (void)state;
    must_refuse(ring, "network.faults", "3", "network.faults");
    must_refuse(ring, "network.faults", "{link: [[0, 1]]}", "links");
    must_refuse(ring, "network.faults", "[[0]]", "[router, router]");
    must_refuse(ring, "network.faults", "{routers: 5}", "list");
    must_refuse(ring, "network.faults", "{random: {links: 2}}", "from 0 to 1");
    must_refuse(ring, "network.routing", "dimension-order", "minimal or up-down");
    must_refuse(ring, "network.channel_rule", "dateline", "channel rule");
    must_refuse(
        "network: {topology: mesh, radix: [3, 3], routing: minimal}\ntraffic: {rate: 0.1}\n", NULL,
        NULL, "network.faults");
    must_refuse("network: {topology: hyperx, shape: [3, 3], faults: [[0, 1]], routing: valiant}\n"
                "traffic: {rate: 0.1}\n",
                NULL, NULL, "minimal or up-down");
    must_not_build(ring, "network.faults", "[[0, 2]]", "links lead to: 3, 1");
    must_not_build(ring, "network.faults", "[[0, 9]]", "no router 9; the last one is 3");
    must_not_build(ring, "network.faults", "[[0, 1], [0, 1]]", "no link from router 0 to router 1");
    must_not_build(ring, "network.faults", "[[0, 1, 1]]", "no dimension 1");
    must_not_build(ring, "network.faults", "{routers: [0, 1, 2]}", "no two nodes");
    must_not_build(mesh, "network.faults", "[[[4, 0], [3, 0]]]", "digit 4 of dimension 0");
    must_not_build("network: {topology: slim-fly, q: 3, faults: [[[0, 1], 3]]}\n"
                   "traffic: {rate: 0.1}\n",
                   NULL, NULL, "a router of this topology is one number");
    must_not_build("network: {topology: slim-fly, q: 3, faults: [[0, 0, 1]]}\n"
                   "traffic: {rate: 0.1}\n",
                   NULL, NULL, "for tori and meshes");
}

static double value_of(const char *text, const char *model, const char *metric) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_result *result = NULL;
    fc_error error;
    if (fc_predict(scenario, model, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    const double value = fc_result_metric(result, metric)->value;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return value;
}

static double bound_of(const char *text) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_forecast *forecast = NULL;
    fc_load_range bound;
    fc_error error;
    assert_int_equal(fc_forecast_create(scenario, "channel-load", &error, &forecast), FC_OK);
    assert_int_equal(fc_forecast_saturation(forecast, &error, &bound), FC_OK);
    fc_forecast_free(forecast);
    fc_scenario_free(scenario);
    return bound.load;
}

/* A line 1 - 2 - 3 - 0 is left. From end to end 3 links, from the ends to the others and back 1 or
 * 2: over all 12 pairs 20 links. The link from 2 to 3 carries 4 of the 12 pairs: at a rate r of 4
 * nodes, 4/3 r; it is full at 3/4. */
static void a_broken_ring_by_hand(void **state) {
    (void)state;
    static const uint32_t expected[4][4] = {{0, 3, 2, 1}, {3, 0, 1, 2}, {2, 1, 0, 1}, {1, 2, 1, 0}};
    fc_router_network *network = must_build(ring, NULL, NULL);
    assert_null(network->absent);
    assert_string_equal(network->failures->text, "failed: link 0-1");
    for (uint32_t a = 0; a < 4; ++a)
        for (uint32_t b = 0; b < 4; ++b)
            assert_int_equal(walk_pair(network, a, b, 1).longest, expected[a][b]);
    fc_router_network_free(network);
    assert_close(value_of(ring, "channel-load", "latency"), 1 + 20.0 / 12, 1e-9);
    assert_close(bound_of(ring), 0.75, 1e-9);
}

/* One direction alone is broken: from 0 to 1 messages go round, from 1 to 0 they do not. */
static void one_direction_of_a_link(void **state) {
    (void)state;
    fc_router_network *network = must_build(ring, "network.faults", "[[0, 0, 1]]");
    assert_int_equal(walk_pair(network, 0, 1, 1).longest, 3);
    assert_int_equal(walk_pair(network, 1, 0, 1).longest, 1);
    assert_string_equal(network->failures->text, "failed: link 0 to 1");
    fc_router_network_free(network);
}

static void nodes_that_are_cut_off_take_no_part(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(ring, "network.faults", "{routers: [1]}");
    fc_router_network *network = must_build(ring, "network.faults", "{routers: [1]}");
    fc_traffic *traffic = NULL;
    fc_error error;
    assert_int_equal(network->failures->cut_off, 1);
    must_say(network->failures->text, "node 1");
    assert_int_equal(fc_router_traffic_create(scenario, network, &error, &traffic), FC_OK);
    assert_int_equal(traffic->senders, 3);
    assert_close(fc_traffic_share(traffic, 0, 2), 0.5, 1e-12);
    assert_true(fc_traffic_share(traffic, 0, 1) == 0);
    fc_random random = fc_random_stream(1, 2, 3);
    for (int i = 0; i < 1000; ++i)
        assert_int_not_equal(fc_traffic_draw(traffic, &random, 3), 1);
    fc_traffic_free(traffic);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
    /* a part of a network with fewer nodes is cut off as well */
    network =
        must_build("network: {topology: mesh, radix: [4, 2], faults: [[1, 2], [5, 6], [4, 5]]}\n"
                   "traffic: {rate: 0.001}\n",
                   "network.faults", "[[0, 1], [4, 5]]");
    assert_int_equal(network->failures->cut_off, 2);
    assert_int_equal(network->absent[0], 1);
    assert_int_equal(network->absent[4], 1);
    fc_router_network_free(network);
}

static void hot_spots_and_ranks_need_their_nodes(void **state) {
    (void)state;
    static const char hot[] =
        "network: {topology: ring, radix: [4], faults: {routers: [1]}}\n"
        "traffic: {rate: 0.001, destinations: {hot-spot: {share: 0.2, node: 1}}}\n";
    static const char work[] = "network: {topology: ring, radix: [6], faults: {routers: [1]}}\n"
                               "traffic: {workload: {all-reduce: {algorithm: ring, bytes: 64}}}\n";
    fc_scenario *scenario = must_read(hot, NULL, NULL);
    fc_result *result = NULL;
    fc_error error;
    assert_int_not_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
    must_say(error.text, "the hot spot, node 1, is cut off");
    fc_scenario_free(scenario);
    scenario = must_read(work, NULL, NULL);
    assert_int_not_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
    must_say(error.text, "set traffic.ranks to 5 or fewer");
    fc_scenario_free(scenario);
    scenario = must_read(work, "traffic.ranks", "5");
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    must_say(result->note, "node 1");
    fc_result_free(result);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_read),
                                       cmocka_unit_test(mistakes_are_named),
                                       cmocka_unit_test(a_broken_ring_by_hand),
                                       cmocka_unit_test(one_direction_of_a_link),
                                       cmocka_unit_test(nodes_that_are_cut_off_take_no_part),
                                       cmocka_unit_test(hot_spots_and_ranks_need_their_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
