/* Ways from a file: tables and routes that say what minimal routing does are routed, and put into
 * layers, as it is; ways of other lengths lead where they should, and are proven. */
#include "test_support.h"

#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "network/router_wiring.h"
#include "scenario/scenario.h"

enum { HOPS_MAX = 64, ROUTERS_MAX = 12 };
static const char graph_file[] = "given_routes.graph", route_file[] = "given_routes.txt";

/* A ring of routers with chords; router i has i % 3 nodes, the first two one each. */
static uint32_t write_graph(uint64_t seed) {
    fc_random random = fc_random_stream(seed, 0, 0);
    const uint32_t routers = 5 + fc_random_below(&random, ROUTERS_MAX - 5);
    FILE *stream = fopen(graph_file, "w");
    assert_non_null(stream);
    for (uint32_t r = 0, node = 0; r < routers; ++r) {
        fprintf(stream, "router %u router %u\n", r, (r + 1) % routers);
        for (uint32_t i = 0; i < (r < 2 ? 1 : r % 3); ++i)
            fprintf(stream, "router %u node %u\n", r, node++);
        const uint32_t other = fc_random_below(&random, routers);
        if (fc_random_below(&random, 2) && other != r && other != (r + 1) % routers &&
            r != (other + 1) % routers)
            fprintf(stream, "router %u router %u\n", r, other);
    }
    assert_int_equal(fclose(stream), 0);
    return routers;
}

static fc_scenario *scenario_with(const char *more) {
    char text[256];
    fc_scenario *scenario;
    fc_error error = {{0}};
    snprintf(text, sizeof text,
             "network: {topology: graph, file: %s, virtual_channels: 6%s}\ntraffic: {rate: 0.01}\n",
             graph_file, more);
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static fc_router_network *network_of(const fc_scenario *scenario) {
    fc_router_network *network;
    fc_error error = {{0}};
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    return network;
}

/* The hops of a header from node to node, in order; the last leads into the node. */
static uint32_t follow(const fc_router_network *network, uint32_t source, uint32_t destination,
                       fc_route_candidate hop[HOPS_MAX]) {
    fc_course course = {.source = source, .destination = destination, .channels = 0x3F};
    uint32_t input = network->node_input[source], hops = 0;
    network->begin(network, 0, &course);
    for (;;) {
        fc_route_candidates candidates;
        assert_true(hops < HOPS_MAX);
        network->route(network, input, 0, &course, &candidates);
        assert_int_equal(candidates.count, 1);
        hop[hops++] = candidates.list[0];
        input = network->output_end[candidates.list[0].output];
        if (input & FC_TO_NODE) {
            assert_int_equal(input & ~FC_TO_NODE, destination);
            return hops;
        }
    }
}

/* What the network does, as a file: a table, or whole routes for every second pair. */
static void write_ways(const fc_router_network *network, bool routes) {
    static bool told[ROUTERS_MAX][ROUTERS_MAX];
    memset(told, 0, sizeof told);
    FILE *stream = fopen(route_file, "w");
    assert_non_null(stream);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        for (uint32_t node = 0; node < network->nodes; ++node) {
            fc_route_candidate hop[HOPS_MAX];
            const uint32_t from = network->input_router[network->node_input[source]];
            const uint32_t to = network->output_router[network->node_output[node]];
            if (from == to || !fc_router_first_node(network, source) ||
                !fc_router_first_node(network, node))
                continue;
            const uint32_t hops = follow(network, source, node, hop);
            const bool whole = routes && (source + node) % 2;
            fprintf(stream, whole ? "route %u" : "# %u", from);
            for (uint32_t i = 0; i + 1 < hops; ++i)
                fprintf(stream, " %u", network->input_router[network->output_end[hop[i].output]]);
            fputc('\n', stream);
            for (uint32_t i = 0; i + 1 < hops; ++i) {
                const uint32_t at = network->output_router[hop[i].output];
                if (!told[at][to])
                    fprintf(stream, "router %u to %u via %u\n", at, to,
                            network->input_router[network->output_end[hop[i].output]]);
                told[at][to] = true;
            }
        }
    }
    assert_int_equal(fclose(stream), 0);
}

static void minimal_ways_from_a_file_are_the_same(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        write_graph(seed);
        fc_scenario *minimal = scenario_with(", ties: first");
        fc_router_network *network = network_of(minimal);
        for (int routes = 0; routes < 2; ++routes) {
            write_ways(network, routes);
            fc_scenario *given = scenario_with(", routes: given_routes.txt");
            fc_router_network *other = network_of(given);
            for (uint32_t source = 0; source < network->nodes; ++source) {
                for (uint32_t node = 0; node < network->nodes; ++node) {
                    fc_route_candidate a[HOPS_MAX], b[HOPS_MAX];
                    if (source == node)
                        continue;
                    const uint32_t hops = follow(network, source, node, a);
                    assert_int_equal(follow(other, source, node, b), hops);
                    for (uint32_t i = 0; i < hops; ++i) {
                        assert_int_equal(a[i].output, b[i].output);
                        assert_int_equal(a[i].channels, b[i].channels);
                    }
                }
            }
            fc_router_network_free(other);
            fc_scenario_free(given);
        }
        fc_router_network_free(network);
        fc_scenario_free(minimal);
    }
    remove(graph_file);
    remove(route_file);
}

/* Once round the ring, whatever the shortest way is. */
static void ways_round_the_ring_are_taken(void **state) {
    (void)state;
    const uint32_t routers = write_graph(7);
    FILE *stream = fopen(route_file, "w");
    assert_non_null(stream);
    for (uint32_t from = 0; from < routers; ++from) {
        for (uint32_t to = 0; to < routers; ++to) {
            if (from != to)
                fprintf(stream, "router %u to %u via %u\n", from, to, (from + 1) % routers);
        }
    }
    assert_int_equal(fclose(stream), 0);
    fc_scenario *scenario = scenario_with(", routes: given_routes.txt");
    fc_router_network *network = network_of(scenario);
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_error error = {{0}};
    assert_int_equal(fc_router_network_prove(network, routed, &error), FC_OK);
    if (routers == 0)
        fail_msg("the graph is empty");
    for (uint32_t source = 0; source < network->nodes; ++source) {
        for (uint32_t node = 0; node < network->nodes; ++node) {
            fc_route_candidate hop[HOPS_MAX];
            const uint32_t from = network->input_router[network->node_input[source]];
            const uint32_t to = network->output_router[network->node_output[node]];
            if (source != node)
                assert_int_equal(follow(network, source, node, hop),
                                 1 + (to + routers - from) % routers);
        }
    }
    fc_router_network_free(network);
    fc_scenario_free(scenario);
    remove(graph_file);
    remove(route_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_ways_from_a_file_are_the_same),
        cmocka_unit_test(ways_round_the_ring_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
