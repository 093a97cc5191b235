/* network.multipath of graphs: all shortest paths that go up or down alike are taken, messages that
 * take one by hash are divided among them, and it cannot deadlock with the channels it asks for. */
#include "scenario_support.h"

#include "router_support.h"

static const char leaf_spine[] = "router 0 node 0 node 1 router 3 router 4 router 5 router 6\n"
                                 "router 1 node 2 node 3 router 3 router 4 router 5 router 6\n"
                                 "router 2 node 4 node 5 router 3 router 4 router 5 router 6\n";

static const char *write_graph(const char *text) {
    static const char name[] = "multipath_test.graph";
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return name;
}

static fc_scenario *must_read_graph(const char *graph, const char *more) {
    char text[256];
    snprintf(text, sizeof text, "network: {topology: graph, file: %s%s}\ntraffic: {rate: 0.001}\n",
             write_graph(graph), more);
    return must_read(text, NULL, NULL);
}

static fc_router_network *must_build(const fc_scenario *scenario) {
    fc_router_network *network = NULL;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    return network;
}

static void every_spine_is_taken(void **state) {
    (void)state;
    fc_scenario *scenario = must_read_graph(leaf_spine, ", multipath: adaptive");
    fc_router_network *network = must_build(scenario);
    fc_course course = {.source = 0, .destination = 4, .channels = 1};
    fc_route_candidates candidates;
    network->begin(network, 0, &course);
    network->route(network, network->node_input[0], 0, &course, &candidates);
    assert_int_equal(candidates.count, 4);
    check_paths(network, true, 1);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

static void hashes_divide_messages_evenly(void **state) {
    (void)state;
    fc_scenario *scenario = must_read_graph(leaf_spine, ", multipath: hash");
    fc_router_network *network = must_build(scenario);
    uint32_t taken[7] = {0};
    const uint32_t variants = network->variants(network, 0, 4);
    for (uint32_t v = 0; v < variants; ++v) {
        fc_course course = {.source = 0, .destination = 4, .channels = 1};
        fc_route_candidates candidates;
        network->begin(network, v, &course);
        network->route(network, network->node_input[0], 0, &course, &candidates);
        assert_int_equal(candidates.count, 1);
        ++taken[network->input_router[network->output_end[candidates.list[0].output]]];
    }
    for (uint32_t spine = 3; spine < 7; ++spine)
        assert_int_equal(taken[spine], variants / 4);
    check_paths(network, true, 1);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

/* A ring of six: with one channel its shortest paths wait for each other in a circle. */
static void a_ring_asks_for_the_channels_it_needs(void **state) {
    (void)state;
    static const char ring[] = "router 0 node 0 router 1\nrouter 1 node 1 router 2\n"
                               "router 2 node 2 router 3\nrouter 3 node 3 router 4\n"
                               "router 4 node 4 router 5\nrouter 5 node 5 router 0\n";
    fc_scenario *scenario = must_read_graph(ring, ", multipath: adaptive, virtual_channels: 1");
    fc_router_network *network = NULL;
    fc_error error;
    assert_int_equal(fc_router_network_create(scenario, &error, &network), FC_ERROR_UNSUPPORTED);
    must_say(error.text, "virtual_channels: 2");
    fc_scenario_free(scenario);
    scenario = must_read_graph(ring, ", multipath: adaptive, virtual_channels: 2");
    network = must_build(scenario);
    assert_int_equal(fc_router_network_prove(network, fc_scenario_routed(scenario), &error), FC_OK);
    check_paths(network, true, 3);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

static void mistakes_are_named(void **state) {
    (void)state;
    char text[256];
    snprintf(text, sizeof text,
             "network: {topology: graph, file: %s, multipath: hash, routing: up-down}\n"
             "traffic: {rate: 0.001}\n",
             write_graph(leaf_spine));
    must_refuse(text, NULL, NULL, "for routing: minimal");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_spine_is_taken),
                                       cmocka_unit_test(hashes_divide_messages_evenly),
                                       cmocka_unit_test(a_ring_asks_for_the_channels_it_needs),
                                       cmocka_unit_test(mistakes_are_named)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove("multipath_test.graph");
    return failed;
}
