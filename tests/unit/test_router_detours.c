/* Dragonflies, HyperX and Slim Fly networks, tapered fat trees: wiring, ways, layers of channels.
 */
#include "scenario_support.h"

#include "router_runs.h"
#include "scenario/families/fabric_rules.h"

static fc_scenario *read_network(const char *network) {
    char text[600];
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.01, message_flits: 3}\n",
             network);
    return must_read(text, NULL, NULL);
}

static fc_router_network *build(const fc_scenario *scenario) {
    fc_router_network *network;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    check_ports(network);
    return network;
}

/* Links between routers from one to another. */
static uint32_t links_between(const fc_router_network *network, uint32_t from, uint32_t to) {
    uint32_t links = 0;
    for (uint32_t o = network->output_first[from]; o < network->output_first[from + 1]; ++o)
        links += !(network->output_end[o] & FC_TO_NODE) &&
                 network->input_router[network->output_end[o]] == to;
    return links;
}

static void check_both_ways(const fc_router_network *network) {
    for (uint32_t a = 0; a < network->routers; ++a) {
        assert_int_equal(links_between(network, a, a), 0);
        for (uint32_t b = 0; b < a; ++b)
            assert_int_equal(links_between(network, a, b), links_between(network, b, a));
    }
}

static uint32_t diameter(const fc_router_network *network) {
    uint32_t *distance = calloc(network->routers, sizeof *distance), most = 0;
    for (uint32_t from = 0; from < network->routers; ++from) {
        find_distances(network, from, distance);
        for (uint32_t to = 0; to < network->routers; ++to)
            most = distance[to] > most ? distance[to] : most;
    }
    free(distance);
    return most;
}

/* ---- wiring ---- */

static void groups_are_joined_evenly(void **state) {
    (void)state;
    static const struct {
        const char *network;
        uint32_t size, groups, each; /* links between two groups */
    } cases[] = {{"topology: dragonfly, hosts: 2, routers: 4, global_links: 2", 4, 9, 1},
                 {"topology: dragonfly, hosts: 1, routers: 3, global_links: 1", 3, 4, 1},
                 {"topology: dragonfly, hosts: 1, routers: 4, global_links: 3, groups: 5", 4, 5, 3},
                 {"topology: dragonfly, hosts: 1, routers: 4, global_links: 3, groups: 4", 4, 4, 4},
                 {"topology: dragonfly, hosts: 1, routers: 2, global_links: 2, groups: 2", 2, 2, 4},
                 {"topology: dragonfly, hosts: 1, routers: 1, global_links: 5", 1, 6, 1}};
    static const char *const arrangements[] = {"absolute", "relative", "circulant"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (size_t a = 0; a < 3; ++a) {
            char text[200];
            snprintf(text, sizeof text, "%s, arrangement: %s", cases[i].network, arrangements[a]);
            fc_scenario *scenario = read_network(text);
            fc_router_network *network = build(scenario);
            const uint32_t size = cases[i].size, groups = cases[i].groups;
            assert_int_equal(network->routers, size * groups);
            check_both_ways(network);
            for (uint32_t g = 0; g < groups; ++g) {
                for (uint32_t to = 0; to < groups; ++to) {
                    uint32_t links = 0;
                    for (uint32_t r = 0; r < size * size; ++r)
                        links += links_between(network, g * size + r / size, to * size + r % size);
                    assert_int_equal(links, g == to ? size * (size - 1) : cases[i].each);
                }
            }
            if (cases[i].each == 1) {
                for (uint32_t node = 0; node < network->nodes; ++node)
                    for (uint32_t to = 0; to < network->nodes; ++to)
                        assert_true(walk_pair(network, node, to, 3).longest <= 3);
            }
            fc_router_network_free(network);
            fc_scenario_free(scenario);
        }
    }
}

static void lines_of_a_hyperx_are_complete(void **state) {
    (void)state;
    fc_scenario *scenario = read_network(
        "topology: hyperx, shape: [4, 3, 2], trunks: [1, 2, 3], concentration: 2, spacing: [1, 5, "
        "7]");
    fc_router_network *network = build(scenario);
    assert_int_equal(network->routers, 24);
    assert_int_equal(network->nodes, 48);
    for (uint32_t a = 0; a < 24; ++a) {
        for (uint32_t b = 0; b < 24; ++b) {
            const int x = (int)(b % 4) - (int)(a % 4), y = (int)(b / 4 % 3) - (int)(a / 4 % 3);
            const int z = (int)(b / 12) - (int)(a / 12);
            const uint32_t expected = (x != 0) + (y != 0) + (z != 0) != 1 ? 0 : x ? 1 : y ? 2 : 3;
            assert_int_equal(links_between(network, a, b), expected);
            for (uint32_t o = network->output_first[a]; o < network->output_first[a + 1]; ++o)
                if (!(network->output_end[o] & FC_TO_NODE) &&
                    network->input_router[network->output_end[o]] == b)
                    assert_int_equal(network->output_delay[o], abs(x) + 5 * abs(y) + 7 * abs(z));
        }
    }
    check_paths(network, true, 1);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

/* All prime powers of the three kinds, among them 4, 8, 9, 16 and 25. */
static void slim_flies_have_diameter_two(void **state) {
    (void)state;
    static const uint32_t sizes[] = {3, 4, 5, 7, 8, 9, 11, 13, 16, 25};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const uint32_t q = sizes[i];
        char text[80];
        snprintf(text, sizeof text, "topology: slim-fly, q: %u", q);
        fc_scenario *scenario = read_network(text);
        fc_router_network *network = build(scenario);
        assert_int_equal(network->routers, 2 * q * q);
        const uint32_t degree = q % 4 == 0 ? 3 * q / 2 : (3 * q - (q % 4 == 1 ? 1 : -1u)) / 2;
        for (uint32_t r = 0; r < network->routers; ++r)
            assert_int_equal(network->output_first[r + 1] - network->output_first[r], degree + 1);
        if (q <= 16)
            check_both_ways(network);
        assert_int_equal(diameter(network), 2);
        if (q <= 13)
            check_paths(network, true, 3);
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
}

/* A level has k / u times fewer routers than the one below; every node is still reached, and up to
 * the top each router of a level has a way to each node. */
static void fat_trees_may_taper(void **state) {
    (void)state;
    static const char *const routings[] = {"destination", "random", "adaptive", "anca"};
    static const uint32_t variants[] = {1, 2, 1, 4};
    for (size_t r = 0; r < 4; ++r) {
        char text[160];
        snprintf(text, sizeof text,
                 "topology: fat-tree, arity: 4, levels: 3, oversubscription: [2, 4], routing: %s",
                 routings[r]);
        fc_scenario *scenario = read_network(text);
        fc_router_network *network = build(scenario);
        assert_int_equal(network->nodes, 64);
        assert_int_equal(network->routers, 16 + 8 + 2);
        assert_int_equal(network->output_first[1], 4 + 2);
        assert_int_equal(network->output_first[17] - network->output_first[16], 4 + 1);
        assert_int_equal(network->output_first[25] - network->output_first[24], 4);
        check_both_ways(network);
        check_paths(network, true, 1);
        assert_int_equal(network->variants ? network->variants(network, 0, 63) : 1, variants[r]);
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
}

/* ---- routing ---- */

static const struct {
    const char *network;
    uint32_t minimal, detour; /* links at most */
} families[] = {
    {"topology: dragonfly, hosts: 1, routers: 3, global_links: 1", 3, 5},
    {"topology: dragonfly, hosts: 1, routers: 4, global_links: 1", 3, 5},
    {"topology: dragonfly, hosts: 1, routers: 2, global_links: 3, groups: 4", 3, 5},
    {"topology: dragonfly, hosts: 1, routers: 3, global_links: 1, intermediate: router", 3, 6},
    {"topology: hyperx, shape: [3, 3]", 2, 4},
    {"topology: hyperx, shape: [2, 3, 2], trunks: [2, 1, 2]", 3, 6},
    {"topology: flattened-butterfly, shape: [4], concentration: 2", 1, 2},
    {"topology: slim-fly, q: 3", 2, 4},
};
static const char *const routings[] = {"minimal", "valiant", "ugal-local", "ugal-global",
                                       "progressive-adaptive"};
enum { FAMILIES = sizeof families / sizeof *families, ROUTINGS = 5 };

static fc_scenario *read_routing(size_t family, size_t routing) {
    char text[300];
    const char *drop = routing == 0 ? strstr(families[family].network, ", intermediate") : NULL;
    const int length = drop ? (int)(drop - families[family].network) : 300;
    snprintf(text, sizeof text, "%.*s, routing: %s", length, families[family].network,
             routings[routing]);
    return read_network(text);
}

static void detours_lead_to_the_destination(void **state) {
    (void)state;
    for (size_t f = 0; f < FAMILIES; ++f) {
        for (size_t r = 0; r < ROUTINGS; ++r) {
            fc_scenario *scenario = read_routing(f, r);
            const fc_routed *routed = fc_scenario_routed(scenario);
            fc_router_network *network = build(scenario);
            assert_int_equal(routed->virtual_channels, fc_fabric_layers(scenario->parameters));
            assert_int_equal(network->alternatives != NULL, r >= 2);
            uint32_t longest = 0;
            for (uint32_t s = 0; s < network->nodes; ++s) {
                for (uint32_t to = 0; to < network->nodes; ++to) {
                    const walk_result walked =
                        walk_pair(network, s, to, ((uint64_t)1 << routed->virtual_channels) - 1);
                    longest = walked.longest > longest ? walked.longest : longest;
                }
            }
            if (r == 0)
                assert_int_equal(longest, families[f].minimal);
            else
                assert_in_range(longest, families[f].minimal + 1, families[f].detour + (r == 4));
            fc_router_network_free(network);
            fc_scenario_free(scenario);
        }
    }
}

/* ejection_choice: layer. A message leaves in the channel of its last link; one that takes no link,
 * in the lowest. */
static void messages_leave_in_their_layer(void **state) {
    (void)state;
    fc_scenario *scenario = read_network("topology: dragonfly, hosts: 2, routers: 4, "
                                         "global_links: 2, ejection_choice: layer");
    fc_router_network *network = build(scenario);
    uint32_t in_upper = 0;
    for (uint32_t to = 0; to < network->nodes; ++to) {
        fc_course course = {.source = 0, .destination = to, .channels = 3};
        uint64_t channels = 1;
        network->begin(network, 0, &course);
        for (uint32_t input = network->node_input[0];;) {
            fc_route_candidates candidates;
            network->route(network, input, 0, &course, &candidates);
            input = network->output_end[candidates.list[0].output];
            if (input & FC_TO_NODE) {
                assert_int_equal(candidates.list[0].channels, channels);
                break;
            }
            channels = candidates.list[0].channels;
        }
        in_upper += channels == 2;
    }
    assert_int_equal(in_upper, network->nodes - 8); /* all but those of its group */
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

/* The number of layers is the smallest that is free of deadlock: with the highest of them joined to
 * the one below, a circle is found. */
static void (*whole_route)(const fc_router_network *, uint32_t, uint32_t, fc_course *,
                           fc_route_candidates *);

static void route_with_a_layer_less(const fc_router_network *network, uint32_t input,
                                    uint32_t channel, fc_course *course,
                                    fc_route_candidates *candidates) {
    whole_route(network, input, channel, course, candidates);
    if (network->output_end[candidates->list[0].output] & FC_TO_NODE)
        return;
    const uint64_t top = (uint64_t)1 << (network->virtual_channels - 1);
    for (uint32_t i = 0; i < candidates->count; ++i)
        candidates->list[i].channels >>= candidates->list[i].channels == top;
}

static void every_layer_is_needed(void **state) {
    (void)state;
    for (size_t f = 0; f < FAMILIES; ++f) {
        for (size_t r = 0; r < ROUTINGS; ++r) {
            fc_scenario *scenario = read_routing(f, r);
            const fc_routed *routed = fc_scenario_routed(scenario);
            fc_router_network *network = build(scenario);
            fc_error error = {{0}};
            if (fc_router_network_prove(network, routed, &error) != FC_OK)
                fail_msg("%s, %s: %s", families[f].network, routings[r], error.text);
            whole_route = network->route;
            network->route = route_with_a_layer_less;
            if (routed->virtual_channels > 1 &&
                fc_router_network_prove(network, routed, &error) != FC_ERROR_UNSUPPORTED)
                fail_msg("%s, %s: one channel less would do", families[f].network, routings[r]);
            fc_router_network_free(network);
            fc_scenario_free(scenario);
        }
    }
}

/* ---- the engine ---- */

/* Every pair's message alone takes what its links and routers take, whenever it looks at queues and
 * whichever channels it takes from and into nodes. */
static void messages_alone_take_what_their_way_takes(void **state) {
    (void)state;
    static const char timing[] = ", router_delay: [1, 1, 1, 2], link_delay: 2, node_delay: 2, "
                                 "buffer: 16";
    for (size_t f = 0; f < FAMILIES; ++f) {
        for (size_t c = 0; c < 2 * ROUTINGS; ++c) {
            const size_t r = c / 2;
            char text[500];
            const bool minimal = r == 0 && strstr(families[f].network, "intermediate");
            snprintf(text, sizeof text, "%s%s, routing: %s%s%s%s", families[f].network, timing,
                     routings[minimal ? 1 : r],
                     strstr(families[f].network, "dragonfly") ? ", global_delay: 7" : "",
                     c % 2 ? ", injection_choice: random, ejection_choice: layer" : "",
                     c % 2 && r >= 2 ? ", decision: ahead" : "");
            fc_scenario *scenario = read_network(text);
            fc_routed routed = *fc_scenario_routed(scenario);
            fc_router_network *network = build(scenario);
            const size_t count = (size_t)network->nodes * network->nodes;
            fc_trace trace = {.count = count, .independent = count};
            trace.messages = calloc(count, sizeof *trace.messages);
            uint64_t *latency = calloc(count, sizeof *latency);
            for (uint32_t i = 0; i < count; ++i)
                trace.messages[i] = (fc_trace_message){.time = 300 * (uint64_t)i,
                                                       .source = i / network->nodes,
                                                       .destination = i % network->nodes,
                                                       .flits = 3,
                                                       .after = UINT32_MAX};
            run_trace(network, &routed, &trace, latency);
            fc_random random = fc_random_stream(1, 0, 2);
            for (uint32_t i = 0; i < count; ++i) {
                const fc_trace_message *line = &trace.messages[i];
                fc_course course = {.source = line->source,
                                    .destination = line->destination,
                                    .channels = UINT64_MAX >> (64 - routed.virtual_channels)};
                const uint32_t variants =
                    network->variants ? network->variants(network, line->source, line->destination)
                                      : 1;
                network->begin(network, variants > 1 ? fc_random_below(&random, variants) : 0,
                               &course);
                assert_int_equal(latency[i], zero_load(network, &routed, course, 3));
            }
            free(trace.messages);
            free(latency);
            fc_router_network_free(network);
            fc_scenario_free(scenario);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_joined_evenly),
        cmocka_unit_test(lines_of_a_hyperx_are_complete),
        cmocka_unit_test(slim_flies_have_diameter_two),
        cmocka_unit_test(fat_trees_may_taper),
        cmocka_unit_test(detours_lead_to_the_destination),
        cmocka_unit_test(messages_leave_in_their_layer),
        cmocka_unit_test(every_layer_is_needed),
        cmocka_unit_test(messages_alone_take_what_their_way_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
