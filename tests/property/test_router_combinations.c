/* Every combination of topology, routing, channel rule, channels and replies that a scenario may
 * ask for is proven free of deadlock, delivers everywhere and has a destination for all; what can
 * deadlock was refused when the scenario was read. */
#include "scenario_support.h"

#include "network/router_traffic.h"
#include "router_support.h"

static const char *const topologies[] = {
    "topology: torus, radix: [4, 3]",
    "topology: torus, radix: [5], links: unidirectional",
    "topology: torus, radix: [3, 4], links: unidirectional, direction: decreasing",
    "topology: torus, radix: [2, 3, 2], order: descending",
    "topology: mesh, radix: [4, 3]",
    "topology: mesh, radix: [2, 3], concentration: 2",
    "topology: ring, radix: [6]",
    "topology: hypercube, dimensions: 3",
    "topology: fly, arity: 2, levels: 3",
    "topology: fly, arity: 3, levels: 2, extra_stages: 1",
    "topology: fat-tree, arity: 2, levels: 3",
    "topology: fat-tree, arity: 4, levels: 2, oversubscription: [2]",
    "topology: dragonfly, hosts: 2, routers: 3, global_links: 1",
    "topology: dragonfly, hosts: 1, routers: 2, global_links: 3, groups: 4, arrangement: circulant",
    "topology: dragonfly, hosts: 1, routers: 3, global_links: 1, intermediate: router",
    "topology: hyperx, shape: [3, 2], trunks: [2, 1], concentration: 2",
    "topology: flattened-butterfly, shape: [2, 2, 3]",
    "topology: slim-fly, q: 3",
};
static const char *const routings[] = {
    "",
    ", routing: dimension-order",
    ", routing: adaptive",
    ", routing: o1turn",
    ", routing: valiant",
    ", routing: destination",
    ", routing: random",
    ", routing: minimal",
    ", routing: ugal-local",
    ", routing: ugal-global",
    ", routing: progressive-adaptive",
};
static const char *const rules[] = {
    "",
    ", channel_rule: high-low",
    ", channel_rule: dateline",
    ", channel_rule: escape",
    ", channel_rule: free",
    ", channel_rule: wrapping",
};
static const int channel_counts[] = {0, 1, 2, 3, 4, 5, 6, 8};
static const char *const replies[] = {
    "",
    ", requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 1, memory_busy: 0}]",
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What a topology says of itself before it is built holds, or is not too low. */
static void check_extent(const fc_scenario *scenario, const fc_router_network *network) {
    fc_router_extent extent;
    fc_error error;
    assert_int_equal(fc_router_network_measure(scenario, &error, &extent), FC_OK);
    assert_true(extent.links >= network->outputs - network->nodes);
    for (uint32_t router = 0; router < network->routers; ++router)
        assert_true(extent.outputs >=
                    network->output_first[router + 1] - network->output_first[router]);
    for (uint32_t output = 0; output < network->outputs; ++output)
        assert_true(network->output_end[output] & FC_TO_NODE ||
                    extent.longest_link >= network->output_delay[output]);
    assert_true(extent.longest_path > 0);
}

static void check(const fc_scenario *scenario, const char *text) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_network *network = NULL;
    fc_traffic *traffic = NULL;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &network) != FC_OK ||
        fc_router_network_prove(network, routed, &error) != FC_OK ||
        fc_router_traffic_create(scenario, network, &error, &traffic) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(network->nodes, routed->nodes);
    check_ports(network);
    check_extent(scenario, network);
    const uint32_t requests = (uint32_t)(routed->virtual_channels - routed->reply_channels);
    for (uint32_t to = 1; to < network->nodes; ++to)
        walk_pair(network, 0, to, ((uint64_t)1 << requests) - 1);
    fc_traffic_free(traffic);
    fc_router_network_free(network);
}

static void what_is_accepted_cannot_deadlock(void **state) {
    (void)state;
    uint32_t accepted[COUNT(topologies)] = {0}, refused = 0;
    for (size_t t = 0; t < COUNT(topologies); ++t)
        for (size_t r = 0; r < COUNT(routings); ++r)
            for (size_t u = 0; u < COUNT(rules); ++u)
                for (size_t c = 0; c < COUNT(channel_counts); ++c)
                    for (size_t q = 0; q < COUNT(replies); ++q) {
                        char text[512], channels[40] = "";
                        if (channel_counts[c])
                            snprintf(channels, sizeof channels, ", virtual_channels: %d",
                                     channel_counts[c]);
                        snprintf(
                            text, sizeof text,
                            "network: {%s%s%s%s, buffer: 4, router_delay: 1}\n"
                            "traffic: {rate: 0.001, destinations: {random-permutation: 3}%s}\n",
                            topologies[t], routings[r], rules[u], channels, replies[q]);
                        fc_scenario *scenario = NULL;
                        fc_error error;
                        if (read_with(text, NULL, NULL, &error, &scenario) != FC_OK) {
                            ++refused;
                            continue;
                        }
                        check(scenario, text);
                        fc_scenario_free(scenario);
                        ++accepted[t];
                    }
    uint32_t all = 0;
    for (size_t t = 0; t < COUNT(topologies); ++t) {
        if (!accepted[t])
            fail_msg("%s: nothing was accepted", topologies[t]);
        all += accepted[t];
    }
    print_message("%u accepted and proven, %u refused\n", all, refused);
    assert_true(all > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_accepted_cannot_deadlock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
