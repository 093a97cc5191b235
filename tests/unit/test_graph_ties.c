/* Paths of graphs: as short as can be, without deadlock, and such that they share the links: a mesh
 * in a file, its routers numbered at random, is as good as the mesh; a link named twice is two. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "base/random.h"
#include "network/router_network.h"
#include "scenario/scenario.h"

enum { ROUTERS_MAX = 64, HOPS_MAX = 128 };
static const char graph_file[] = "graph_ties.graph";

static fc_scenario *read_scenario(const char *network) {
    char text[512];
    fc_scenario *scenario;
    fc_error error = {{0}};
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.01}\n", network);
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

static fc_scenario *graph_scenario(const char *more) {
    char network[256];
    snprintf(network, sizeof network, "topology: graph, file: %s, %s", graph_file, more);
    return read_scenario(network);
}

/* Follows a header, divided among its candidates; returns the delay of its path. */
static double follow(const fc_router_network *network, uint32_t source, uint32_t destination,
                     double *load) {
    const uint64_t channels = ((uint64_t)1 << network->virtual_channels) - 1;
    fc_course course = {.source = source, .destination = destination, .channels = channels};
    uint32_t input = network->node_input[source];
    double delay = 0;
    network->begin(network, 0, &course);
    for (int hops = 0; hops < HOPS_MAX; ++hops) {
        fc_route_candidates candidates;
        network->route(network, input, 0, &course, &candidates);
        const uint32_t output = candidates.list[0].output, end = network->output_end[output];
        if (end & FC_TO_NODE) {
            assert_int_equal(end & ~FC_TO_NODE, destination);
            return delay;
        }
        delay += network->output_delay[output];
        for (uint32_t i = 0; i < candidates.count; ++i) {
            const uint32_t other = network->output_end[candidates.list[i].output];
            load[candidates.list[i].output] += 1.0 / candidates.count;
            assert_int_equal(network->input_router[other], network->input_router[end]);
        }
        input = end;
    }
    fail_msg("node %u does not reach node %u", source, destination);
    return 0;
}

/* Messages over the busiest link if every node sends one to every other. */
static double busiest(const fc_router_network *network) {
    static double load[4096];
    memset(load, 0, sizeof load);
    double most = 0;
    for (uint32_t source = 0; source < network->nodes; ++source) {
        for (uint32_t node = 0; node < network->nodes; ++node) {
            if (source != node)
                follow(network, source, node, load);
        }
    }
    for (uint32_t o = 0; o < network->outputs; ++o)
        most = fmax(most, load[o]);
    return most;
}

static double busiest_in(const char *network) {
    fc_scenario *scenario = read_scenario(network);
    fc_router_network *built = network_of(scenario);
    const double most = busiest(built);
    fc_router_network_free(built);
    fc_scenario_free(scenario);
    return most;
}

static double busiest_in_graph(const char *more) {
    char network[256];
    snprintf(network, sizeof network, "topology: graph, file: %s, %s", graph_file, more);
    return busiest_in(network);
}

/* ---- meshes ---- */

static void shuffle(uint32_t *number, uint32_t count, uint64_t seed) {
    fc_random random = fc_random_stream(seed, 0, 0);
    for (uint32_t i = 0; i < count; ++i)
        number[i] = i;
    for (uint32_t left = count; left > 1; --left) {
        const uint32_t chosen = fc_random_below(&random, left), last = number[left - 1];
        number[left - 1] = number[chosen];
        number[chosen] = last;
    }
}

static void write_mesh(uint32_t columns, uint32_t rows, bool around, uint64_t seed) {
    uint32_t number[ROUTERS_MAX];
    FILE *stream = fopen(graph_file, "w");
    assert_non_null(stream);
    shuffle(number, columns * rows, seed);
    for (uint32_t i = 0; i < columns * rows; ++i) {
        const uint32_t x = i % columns, y = i / columns;
        fprintf(stream, "router %u node %u\n", number[i], i);
        if (x + 1 < columns || around)
            fprintf(stream, "router %u router %u\n", number[i],
                    number[y * columns + (x + 1) % columns]);
        if (y + 1 < rows || around)
            fprintf(stream, "router %u router %u\n", number[i],
                    number[(y + 1) % rows * columns + x]);
    }
    assert_int_equal(fclose(stream), 0);
}

static void a_mesh_in_a_file_is_as_good_as_the_mesh(void **state) {
    (void)state;
    const double mesh = busiest_in("topology: mesh, radix: [6, 5]");
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        write_mesh(6, 5, false, seed);
        assert_true(busiest_in_graph("virtual_channels: 1") == mesh);
        assert_true(busiest_in_graph("virtual_channels: 1, ties: first, routing: up-down") > mesh);
    }
    write_mesh(8, 8, false, 1);
    assert_true(busiest_in_graph("virtual_channels: 4") == 128);
    assert_true(busiest_in_graph("virtual_channels: 8, ties: first") > 1.5 * 128);
}

static void a_torus_in_a_file_shares_its_layers(void **state) {
    (void)state;
    write_mesh(5, 5, true, 3);
    assert_true(busiest_in_graph("virtual_channels: 4") == 15);
    remove(graph_file);
}

/* ---- many spines, parallel links ---- */

static void write_text(const char *text) {
    FILE *stream = fopen(graph_file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void all_spines_are_used(void **state) {
    (void)state;
    write_text("router 0 node 0 node 1 router 4 router 5 router 6\n"
               "router 1 node 2 node 3 router 4 router 5 router 6\n"
               "router 2 node 4 node 5 router 4 router 5 router 6\n"
               "router 3 node 6 node 7 router 4 router 5 router 6\n");
    assert_true(busiest_in_graph("virtual_channels: 1") == 4);
    assert_true(busiest_in_graph("virtual_channels: 1, ties: first") == 12);
}

static void a_link_named_twice_is_two(void **state) {
    (void)state;
    static const struct {
        const char *text, *more;
        double busiest;
    } cases[] = {
        {"router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3\n", "", 4},
        {"router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3 router 0\n", "", 4},
        {"router 0 node 0 node 1 router 1 router 1\nrouter 1 node 2 node 3\n", "", 2},
        {"router 0 node 0 node 1 router 1 router 1\nrouter 1 node 2 node 3 router 0\n", "", 2},
        {"router 0 node 0 node 1 router 1 router 1\nrouter 1 node 2 node 3 router 0 router 0\n", "",
         2},
        {"router 0 node 0 node 1 router 1 router 1\nrouter 1 node 2 node 3\n", ", routing: up-down",
         2},
        {"router 0 node 0 node 1 router 1 router 1\nrouter 1 node 2 node 3\n", ", ties: first", 4},
        /* Of links of different delays the short ones are taken. */
        {"router 0 node 0 node 1 router 1 3 router 1 2 router 1 2\nrouter 1 node 2 node 3\n", "",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char more[64];
        write_text(cases[i].text);
        snprintf(more, sizeof more, "virtual_channels: 2%s", cases[i].more);
        if (busiest_in_graph(more) != cases[i].busiest)
            fail_msg("case %zu: %g", i, busiest_in_graph(more));
    }
}

/* ---- graphs at random ---- */

static uint32_t write_random(uint64_t seed) {
    fc_random random = fc_random_stream(seed, 0, 0);
    const uint32_t routers = 4 + fc_random_below(&random, 20);
    FILE *stream = fopen(graph_file, "w");
    assert_non_null(stream);
    for (uint32_t r = 0, node = 0; r < routers; ++r) {
        const uint32_t nodes = r < 2 ? 1 : fc_random_below(&random, 3);
        fprintf(stream, "router %u router %u %u\n", r, (r + 1) % routers,
                1 + fc_random_below(&random, 2));
        for (uint32_t i = 0; i < nodes; ++i)
            fprintf(stream, "router %u node %u\n", r, node++);
        for (uint32_t i = fc_random_below(&random, 3); i > 0; --i) {
            const uint32_t other = fc_random_below(&random, routers);
            if (other != r)
                fprintf(stream, "router %u router %u %u\n", r, other,
                        1 + fc_random_below(&random, 2));
        }
    }
    assert_int_equal(fclose(stream), 0);
    return routers;
}

/* Floyd and Warshall. */
static void find_distances(const fc_router_network *network, double *distance) {
    const uint32_t routers = network->routers;
    for (uint32_t i = 0; i < routers * routers; ++i)
        distance[i] = i / routers == i % routers ? 0 : (double)INFINITY;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        double *at = &distance[network->output_router[o] * routers +
                               network->input_router[network->output_end[o]]];
        *at = fmin(*at, network->output_delay[o]);
    }
    for (uint32_t k = 0; k < routers; ++k)
        for (uint32_t i = 0; i < routers; ++i)
            for (uint32_t j = 0; j < routers; ++j)
                distance[i * routers + j] =
                    fmin(distance[i * routers + j],
                         distance[i * routers + k] + distance[k * routers + j]);
}

static double check_paths(const char *more, bool shortest) {
    static double load[4096];
    double distance[ROUTERS_MAX * ROUTERS_MAX];
    fc_scenario *scenario = graph_scenario(more);
    fc_router_network *network = network_of(scenario);
    fc_error error = {{0}};
    if (fc_router_network_prove(network, fc_scenario_routed(scenario), &error) != FC_OK)
        fail_msg("%s", error.text);
    find_distances(network, distance);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        for (uint32_t node = 0; node < network->nodes; ++node) {
            const uint32_t from = network->input_router[network->node_input[source]];
            const uint32_t to = network->output_router[network->node_output[node]];
            if (source != node && shortest)
                assert_true(follow(network, source, node, load) ==
                            distance[from * network->routers + to]);
        }
    }
    const double most = busiest(network);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
    return most;
}

static void paths_of_random_graphs_are_short_and_safe(void **state) {
    (void)state;
    double spread = 0, first = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        write_random(seed);
        spread += check_paths("virtual_channels: 8", true);
        first += check_paths("virtual_channels: 8, ties: first", true);
        check_paths("virtual_channels: 3, routing: up-down", false);
    }
    if (!(spread < 0.95 * first))
        fail_msg("%g, %g", spread, first);
    remove(graph_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_in_a_file_is_as_good_as_the_mesh),
        cmocka_unit_test(a_torus_in_a_file_shares_its_layers),
        cmocka_unit_test(all_spines_are_used),
        cmocka_unit_test(a_link_named_twice_is_two),
        cmocka_unit_test(paths_of_random_graphs_are_short_and_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
