/* Butterflies, fat trees and graphs: wiring, ways, freedom from deadlock. */
#include "test_support.h"

#include "base/memory.h"
#include "base/random.h"
#include "network/graph_tree.h"
#include "network/router_wiring.h"
#include "router_support.h"
#include "scenario/fabric.h"
#include "scenario/families/fabric_rules.h"

static fc_fabric fabric_of(int topology, int64_t arity, int64_t levels, int routing) {
    return (fc_fabric){.topology = topology,
                       .arity = arity,
                       .levels = levels,
                       .routing = routing,
                       .routed = router_timing(1)};
}

static fc_status try_to_make(fc_fabric *fabric, fc_error *error, fc_router_network **network) {
    const fc_scenario scenario = {.parameters = fabric};
    *network = NULL;
    return fc_fabric_topologies[fabric->topology]->routers.build(&scenario, &fabric->routed, error,
                                                                 network);
}

static fc_router_network *make(fc_fabric *fabric) {
    fc_router_network *network;
    fc_error error;
    if (try_to_make(fabric, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    check_ports(network);
    return network;
}

static void check_proof(const fc_router_network *network, const fc_fabric *fabric) {
    fc_error error;
    if (fc_router_network_prove(network, &fabric->routed, &error) != FC_OK)
        fail_msg("%s", error.text);
}

/* ---- butterflies ---- */

static uint32_t power(uint32_t base, uint32_t exponent) {
    return exponent ? base * power(base, exponent - 1) : 1;
}

/* Told from the other end: input `port` of router `place` of stage s comes from the router whose
 * digit n-s-1 is `port`, from its output number (that digit of `place`). */
static void check_fly_wiring(const fc_router_network *network, uint32_t k, uint32_t n) {
    const uint32_t per_stage = power(k, n - 1);
    for (uint32_t node = 0; node < network->nodes; ++node) {
        assert_int_equal(network->input_router[network->node_input[node]], node / k);
        assert_int_equal(network->output_router[network->node_output[node]],
                         (n - 1) * per_stage + node / k);
    }
    for (uint32_t stage = 1; stage < n; ++stage) {
        const uint32_t weight = power(k, n - stage - 1);
        for (uint32_t place = 0; place < per_stage; ++place) {
            for (uint32_t port = 0; port < k; ++port) {
                const uint32_t digit = place / weight % k;
                const uint32_t from = place + (port - digit) * weight;
                const uint32_t output =
                    network->output_first[(stage - 1) * per_stage + from] + digit;
                assert_int_equal(network->input_router[network->output_end[output]],
                                 stage * per_stage + place);
            }
        }
    }
}

static void flies_lead_from_each_to_each(void **state) {
    (void)state;
    static const int64_t cases[][3] = {{2, 1, 0}, {2, 3, 0}, {3, 2, 0}, {4, 2, 1},
                                       {2, 3, 1}, {2, 3, 2}, {3, 3, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int routing = FC_ROUTE_DESTINATION; routing <= FC_ROUTE_ADAPTIVE; ++routing) {
            const uint32_t k = (uint32_t)cases[i][0], n = (uint32_t)cases[i][1];
            const uint32_t extra = (uint32_t)cases[i][2], variants = power(k, extra);
            fc_fabric fabric = fabric_of(FC_FLY, k, n, routing);
            fabric.extra_stages = extra;
            fc_router_network *network = make(&fabric);
            assert_int_equal(network->nodes, power(k, n));
            assert_int_equal(network->routers, (n + extra) * power(k, n - 1));
            if (extra == 0)
                check_fly_wiring(network, k, n);
            assert_int_equal(network->variants(network, 0, 1),
                             routing == FC_ROUTE_ADAPTIVE ? 1 : variants);
            for (uint32_t source = 0; source < network->nodes; ++source) {
                for (uint32_t to = 0; to < network->nodes; ++to) {
                    const walk_result walked = walk_pair(network, source, to, 1);
                    assert_int_equal(walked.shortest, n + extra - 1);
                    assert_int_equal(walked.longest, n + extra - 1);
                    assert_int_equal(walked.most_candidates,
                                     routing == FC_ROUTE_ADAPTIVE && extra ? k : 1);
                }
            }
            check_proof(network, &fabric);
            fc_router_network_free(network);
        }
    }
}

/* With k^e ways a pair's messages leave the extra stages by k^e different routers. */
static void extra_stages_part_the_ways(void **state) {
    (void)state;
    fc_fabric fabric = fabric_of(FC_FLY, 2, 4, FC_ROUTE_RANDOM);
    fabric.extra_stages = 3;
    fc_router_network *network = make(&fabric);
    bool met[64] = {false};
    const uint32_t variants = network->variants(network, 5, 9);
    assert_int_equal(variants, 8);
    for (uint32_t variant = 0; variant < variants; ++variant) {
        fc_course course = {.source = 5, .destination = 9, .channels = 1};
        fc_route_candidates candidates;
        uint32_t input = network->node_input[5];
        network->begin(network, variant, &course);
        for (int stage = 0; stage < 3; ++stage) {
            network->route(network, input, 0, &course, &candidates);
            input = network->output_end[candidates.list[0].output];
        }
        const uint32_t router = network->input_router[input];
        assert_in_range(router, 24, 31); /* the first of the four stages */
        assert_false(met[router]);
        met[router] = true;
    }
    fc_router_network_free(network);
}

/* ---- fat trees ---- */

static void fat_trees_are_routed_minimally(void **state) {
    (void)state;
    static const int64_t cases[][2] = {{2, 1}, {4, 1}, {2, 3}, {4, 2}, {3, 3}, {2, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int routing = FC_ROUTE_DESTINATION; routing <= FC_ROUTE_ADAPTIVE; ++routing) {
            const uint32_t k = (uint32_t)cases[i][0], n = (uint32_t)cases[i][1];
            fc_fabric fabric = fabric_of(FC_FAT_TREE, k, n, routing);
            fc_router_network *network = make(&fabric);
            assert_int_equal(network->nodes, power(k, n));
            assert_int_equal(network->routers, n * power(k, n - 1));
            for (uint32_t router = 0; router < network->routers; ++router) {
                const bool top = router / power(k, n - 1) == n - 1;
                assert_int_equal(network->output_first[router + 1] - network->output_first[router],
                                 top ? k : 2 * k);
                assert_int_equal(network->input_first[router + 1] - network->input_first[router],
                                 top ? k : 2 * k);
            }
            check_paths(network, true, 1);
            check_proof(network, &fabric);
            fc_router_network_free(network);
        }
    }
}

/* Every link between routers is part of one that goes back. */
static void fat_trees_have_links_both_ways(void **state) {
    (void)state;
    fc_fabric fabric = fabric_of(FC_FAT_TREE, 3, 3, FC_ROUTE_DESTINATION);
    fc_router_network *network = make(&fabric);
    for (uint32_t output = 0; output < network->outputs; ++output) {
        const uint32_t end = network->output_end[output], from = network->output_router[output];
        if (end & FC_TO_NODE)
            continue;
        const uint32_t to = network->input_router[end];
        uint32_t back = 0;
        for (uint32_t o = network->output_first[to]; o < network->output_first[to + 1]; ++o)
            back += !(network->output_end[o] & FC_TO_NODE) &&
                    network->input_router[network->output_end[o]] == from;
        assert_int_equal(back, 1);
    }
    fc_router_network_free(network);
}

/* By destination, a permutation that shifts all nodes by one router meets itself nowhere. */
static void destinations_part_on_the_way_up(void **state) {
    (void)state;
    fc_fabric fabric = fabric_of(FC_FAT_TREE, 4, 3, FC_ROUTE_DESTINATION);
    fc_router_network *network = make(&fabric);
    uint32_t *used = calloc(network->outputs, sizeof *used);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        fc_course course = {
            .source = source, .destination = (source + 4) % network->nodes, .channels = 1};
        fc_route_candidates candidates;
        uint32_t input = network->node_input[source];
        network->begin(network, 0, &course);
        while (!(input & FC_TO_NODE)) {
            network->route(network, input, 0, &course, &candidates);
            assert_int_equal(++used[candidates.list[0].output], 1);
            input = network->output_end[candidates.list[0].output];
        }
    }
    free(used);
    fc_router_network_free(network);
}

/* ---- graphs ---- */

enum { LINKS_MAX = 4096 };
typedef struct graph_memory {
    fc_graph_link link[LINKS_MAX];
    uint32_t router_of_port[1024], first_port[1025];
} graph_memory;

/* A graph with a node at each router. */
static fc_fabric graph_of(graph_memory *drawing, uint32_t routers, int routing, int64_t channels) {
    fc_fabric fabric = {.topology = FC_GRAPH,
                        .routing = routing,
                        .graph = {.file = "net.graph",
                                  .routers = routers,
                                  .nodes = routers,
                                  .ports = routers,
                                  .router_of_port = drawing->router_of_port,
                                  .first_port = drawing->first_port,
                                  .link = drawing->link},
                        .routed = router_timing(channels)};
    for (uint32_t router = 0; router < routers; ++router)
        drawing->router_of_port[router] = drawing->first_port[router] = router;
    drawing->first_port[routers] = routers;
    return fabric;
}

static void join(fc_fabric *fabric, uint32_t a, uint32_t b, uint32_t delay) {
    assert_true(fabric->graph.links + 2 <= LINKS_MAX);
    fabric->graph.link[fabric->graph.links++] = (fc_graph_link){a, b, delay};
    fabric->graph.link[fabric->graph.links++] = (fc_graph_link){b, a, delay};
}

static void join_ring(fc_fabric *fabric) {
    for (uint32_t router = 0; router < fabric->graph.routers; ++router)
        join(fabric, router, (router + 1) % fabric->graph.routers, 1);
}

/* A tree and some links more, with delays from 1 to `slowest`. */
static void join_at_random(fc_fabric *fabric, fc_random *random, uint32_t more, uint32_t slowest) {
    const uint32_t routers = fabric->graph.routers;
    for (uint32_t router = 1; router < routers; ++router)
        join(fabric, router, fc_random_below(random, router), 1 + fc_random_below(random, slowest));
    for (uint32_t i = 0; i < more; ++i) {
        const uint32_t a = fc_random_below(random, routers), b = fc_random_below(random, routers);
        if (a != b)
            join(fabric, a, b, 1 + fc_random_below(random, slowest));
    }
}

static void rings_are_refused_with_the_circle(void **state) {
    (void)state;
    graph_memory drawing;
    fc_error error;
    fc_router_network *network;
    fc_fabric fabric = graph_of(&drawing, 5, FC_ROUTE_MINIMAL, 1);
    join_ring(&fabric);
    assert_int_equal(try_to_make(&fabric, &error, &network), FC_ERROR_UNSUPPORTED);
    assert_string_equal(
        error.text,
        "net.graph can deadlock with routing: minimal: messages can wait for each other in a "
        "circle: router 0 -> 1 channel 0, router 1 -> 2 channel 0, router 2 -> 3 channel 0, router "
        "3 -> 4 channel 0, router 4 -> 0 channel 0, and again the first; use routing: up-down, or "
        "virtual_channels: 2");
    fabric.routed.virtual_channels = 2;
    network = make(&fabric);
    check_paths(network, true, 3);
    check_proof(network, &fabric);
    fc_router_network_free(network);
    fabric.routed.reply_channels = 1;
    assert_int_equal(try_to_make(&fabric, &error, &network), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "virtual_channels: 4, half of them for replies"));
    fabric.routed = router_timing(1);
    fabric.routing = FC_ROUTE_UP_DOWN;
    network = make(&fabric);
    check_proof(network, &fabric);
    /* The root is router 0; 2 and 3 are both lowest, and their link is not to be turned up from. */
    assert_int_equal(walk_pair(network, 1, 3, 1).longest, 2);
    assert_int_equal(walk_pair(network, 4, 2, 1).longest, 3);
    fc_router_network_free(network);
}

static void trees_need_one_channel(void **state) {
    (void)state;
    graph_memory drawing;
    fc_random random = fc_random_stream(1, 0, 0);
    fc_fabric fabric = graph_of(&drawing, 60, FC_ROUTE_MINIMAL, 1);
    join_at_random(&fabric, &random, 0, 1);
    fc_router_network *network = make(&fabric);
    check_paths(network, true, 1);
    fc_router_network_free(network);
}

/* Against the lengths that Floyd and Warshall's algorithm finds. */
static void graphs_are_routed_by_the_shortest_way(void **state) {
    (void)state;
    enum { ROUTERS = 24 };
    graph_memory drawing;
    fc_random random = fc_random_stream(2, 0, 0);
    for (int round = 0; round < 12; ++round) {
        fc_fabric fabric = graph_of(&drawing, ROUTERS, FC_ROUTE_MINIMAL, 64);
        join_at_random(&fabric, &random, (uint32_t)round * 4, 4);
        uint32_t length[ROUTERS][ROUTERS];
        for (uint32_t a = 0; a < ROUTERS; ++a)
            for (uint32_t b = 0; b < ROUTERS; ++b)
                length[a][b] = a == b ? 0 : 100000;
        for (uint32_t i = 0; i < fabric.graph.links; ++i) {
            const fc_graph_link link = drawing.link[i];
            if (link.delay < length[link.from][link.to])
                length[link.from][link.to] = link.delay;
        }
        for (uint32_t c = 0; c < ROUTERS; ++c)
            for (uint32_t a = 0; a < ROUTERS; ++a)
                for (uint32_t b = 0; b < ROUTERS; ++b)
                    if (length[a][c] + length[c][b] < length[a][b])
                        length[a][b] = length[a][c] + length[c][b];
        for (int up_down = 0; up_down < 2; ++up_down) {
            fabric.routing = up_down ? FC_ROUTE_UP_DOWN : FC_ROUTE_MINIMAL;
            fc_router_network *network = make(&fabric);
            check_proof(network, &fabric);
            for (uint32_t a = 0; a < ROUTERS; ++a) {
                for (uint32_t b = 0; b < ROUTERS; ++b) {
                    fc_course course = {.source = a, .destination = b, .channels = UINT64_MAX};
                    network->begin(network, 0, &course);
                    const uint64_t time = zero_load(network, &fabric.routed, course, 1) - 1;
                    walk_pair(network, a, b, UINT64_MAX);
                    if (up_down)
                        assert_true(time >= length[a][b]);
                    else
                        assert_int_equal(time, length[a][b]);
                }
            }
            fc_router_network_free(network);
        }
    }
}

static fc_graph_tree tree_used;

static void route_by_tree(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const uint32_t at = network->input_router[input];
    const uint32_t to = network->output_router[network->node_output[course->destination]];
    if (at == to)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course, fc_graph_tree_output(&tree_used, network, at, to));
}

/* Large graphs are routed by a tree with short cuts: here in graphs small enough to be proven.
 * Every node is reached, with one channel and no circle, over as many links as the tree has at
 * most. */
static void trees_with_short_cuts_cannot_deadlock(void **state) {
    (void)state;
    graph_memory drawing;
    fc_random random = fc_random_stream(9, 0, 0);
    for (uint32_t round = 0; round < 40; ++round) {
        const uint32_t routers = 2 + fc_random_below(&random, 40);
        fc_fabric fabric = graph_of(&drawing, routers, FC_ROUTE_UP_DOWN, 1);
        join_at_random(&fabric, &random, round, 3);
        fc_router_network *network = make(&fabric);
        fc_error error;
        assert_int_equal(fc_graph_tree_create(network, &error, &tree_used), FC_OK);
        network->route = route_by_tree;
        check_proof(network, &fabric);
        for (uint32_t b = 0; b < routers; ++b) {
            uint32_t output[64]; /* of all routers at once */
            fc_graph_tree_outputs(&tree_used, network, b, output);
            for (uint32_t a = 0; a < routers; ++a) {
                if (a != b)
                    assert_int_equal(output[a], fc_graph_tree_output(&tree_used, network, a, b));
            }
        }
        for (uint32_t a = 0; a < routers; ++a) {
            for (uint32_t b = 0; b < routers; ++b) {
                uint32_t links = 0; /* over the tree alone: up until b is below */
                for (uint32_t end = 0; end < 2; ++end) {
                    uint32_t at = end ? b : a, other = end ? a : b;
                    for (; tree_used.number[other] - tree_used.number[at] >= tree_used.below[at];
                         ++links)
                        at = network->input_router[network->output_end[tree_used.parent[at]]];
                }
                assert_in_range(walk_pair(network, a, b, 1).longest, 0, links);
            }
        }
        fc_graph_tree_clear(&tree_used);
        fc_router_network_free(network);
    }
}

static void what_cannot_be_reached_is_named(void **state) {
    (void)state;
    graph_memory drawing;
    fc_error error;
    fc_router_network *network;
    fc_fabric fabric = graph_of(&drawing, 4, FC_ROUTE_MINIMAL, 1);
    join(&fabric, 0, 1, 1);
    join(&fabric, 2, 3, 1);
    assert_int_equal(try_to_make(&fabric, &error, &network), FC_ERROR_UNSUPPORTED);
    assert_string_equal(error.text, "net.graph: there is no path from node 0 at router 0 to node 2 "
                                    "at router 2");
    fabric.graph.link[fabric.graph.links++] = (fc_graph_link){1, 2, 1}; /* one way only */
    fabric.routing = FC_ROUTE_UP_DOWN;
    assert_int_equal(try_to_make(&fabric, &error, &network), FC_ERROR_UNSUPPORTED);
    assert_string_equal(error.text, "net.graph: there is no path, first up, then down, from node 2 "
                                    "at router 2 to node 0 at router 0");
}

/* The proof's work grows with links times destinations, so that files of this size are no matter.
 */
static void large_graphs_are_proven(void **state) {
    (void)state;
    graph_memory drawing;
    fc_random random = fc_random_stream(5, 0, 0);
    fc_fabric fabric = graph_of(&drawing, 512, FC_ROUTE_UP_DOWN, 8);
    join_at_random(&fabric, &random, 700, 3);
    fc_router_network *network = make(&fabric);
    check_proof(network, &fabric);
    fc_router_network_free(network);
    fabric.routing = FC_ROUTE_MINIMAL;
    network = make(&fabric);
    fc_router_network_free(network);
}

#ifdef FC_CHECKS
/* Fails one allocation after the other until all goes well; each time nothing may be kept. */
static void fail_each_allocation(fc_fabric *fabric) {
    for (size_t nth = 1;; ++nth) {
        const size_t before = fc_allocations_in_use();
        fc_router_network *network;
        fc_error error;
        fc_allocation_fail_nth(nth);
        fc_status status = try_to_make(fabric, &error, &network);
        if (status == FC_OK)
            status = fc_router_network_prove(network, &fabric->routed, &error);
        fc_router_network_free(network);
        const bool failed = fc_allocation_has_failed();
        fc_allocation_fail_nth(0);
        assert_int_equal(fc_allocations_in_use(), before);
        assert_int_equal(status, failed ? FC_ERROR_MEMORY : FC_OK);
        if (!failed)
            return;
        assert_string_equal(error.text, "out of memory");
    }
}

static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    graph_memory drawing;
    fc_fabric fly = fabric_of(FC_FLY, 2, 2, FC_ROUTE_RANDOM);
    fail_each_allocation(&fly);
    fc_fabric tree = fabric_of(FC_FAT_TREE, 2, 2, FC_ROUTE_ADAPTIVE);
    fail_each_allocation(&tree);
    fc_fabric ring = graph_of(&drawing, 6, FC_ROUTE_MINIMAL, 2);
    join_ring(&ring);
    fail_each_allocation(&ring);
    ring.routing = FC_ROUTE_UP_DOWN;
    fail_each_allocation(&ring);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flies_lead_from_each_to_each),
        cmocka_unit_test(extra_stages_part_the_ways),
        cmocka_unit_test(fat_trees_are_routed_minimally),
        cmocka_unit_test(fat_trees_have_links_both_ways),
        cmocka_unit_test(destinations_part_on_the_way_up),
        cmocka_unit_test(rings_are_refused_with_the_circle),
        cmocka_unit_test(trees_need_one_channel),
        cmocka_unit_test(graphs_are_routed_by_the_shortest_way),
        cmocka_unit_test(what_cannot_be_reached_is_named),
        cmocka_unit_test(trees_with_short_cuts_cannot_deadlock),
        cmocka_unit_test(large_graphs_are_proven),
#ifdef FC_CHECKS
        cmocka_unit_test(memory_may_run_out_anywhere),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
