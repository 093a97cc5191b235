/* Loads by sums over trees of routes (router_trees.h) are those that follow from every header:
 * links, lanes, movements and messages alone, on networks drawn at random. */
#include "test_support.h"

#include <stdlib.h>
#include <unistd.h>
#include "models/router/router_trees.h"
#include "scenario/scenario.h"

enum { NETWORKS = 120, ROUTERS_MOST = 24 };

static uint32_t below(uint64_t *state, uint32_t bound) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % bound);
}

/* A tree and some links more, with none to three nodes at each router. Returns their number. */
static uint32_t write_graph(uint64_t *random, const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    const uint32_t routers = 3 + below(random, ROUTERS_MOST - 2), slowest = 1 + below(random, 3);
    bool joined[ROUTERS_MOST + 1][ROUTERS_MOST + 1] = {{false}};
    uint32_t nodes = 0;
    for (uint32_t r = 0; r < routers; ++r) {
        fprintf(file, "router %u", r);
        for (uint32_t n = r < 2 ? 1 : below(random, 4); n > 0; --n)
            fprintf(file, " node %u", nodes++);
        if (r > 0) {
            const uint32_t to = below(random, r);
            joined[r][to] = joined[to][r] = true;
            fprintf(file, " router %u %u", to, 1 + below(random, slowest));
        }
        fprintf(file, "\n");
    }
    for (uint32_t i = below(random, 2 * routers); i > 0; --i) {
        const uint32_t a = below(random, routers), b = below(random, routers);
        if (a == b || joined[a][b])
            continue;
        joined[a][b] = joined[b][a] = true;
        fprintf(file, "router %u router %u %u\n", a, b, 1 + below(random, slowest));
    }
    fclose(file);
    return nodes;
}

static void write_matrix(uint64_t *random, const char *path, uint32_t nodes) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "src,dst,rate\n0,1,1\n");
    for (uint32_t i = 0; i < 3 * nodes; ++i) {
        const uint32_t from = below(random, nodes), to = below(random, nodes);
        if (from != to && (from != 0 || to != 1))
            fprintf(file, "%u,%u,%u\n", from, to, 1 + below(random, 9));
    }
    fclose(file);
}

static fc_scenario *draw(uint64_t *random, const char *folder) {
    static const char *const meshes[] = {"topology: mesh, radix: [5, 4]",
                                         "topology: mesh, radix: [3, 2, 3], order: descending",
                                         "topology: mesh, radix: [4, 3], concentration: 3"};
    static const char *const kinds[] = {
        "message_flits: 5", "message_mix: [{flits: 2, share: 0.3}, {flits: 9, share: 0.7}]",
        "requests: [{share: 1, flits: 1, reply_flits: 6}]"};
    char network[256], destinations[200] = "uniform", text[900], path[128];
    uint32_t nodes = 20;
    if (below(random, 3)) {
        snprintf(path, sizeof path, "%s/net.graph", folder);
        nodes = write_graph(random, path);
        snprintf(network, sizeof network, "topology: graph, file: %s, routing: %s", path,
                 below(random, 2) ? "up-down" : "minimal");
    } else {
        const uint32_t shape = below(random, 3);
        nodes = shape == 0 ? 20 : shape == 1 ? 18 : 36;
        snprintf(network, sizeof network, "%s", meshes[shape]);
    }
    const uint32_t pattern = below(random, 4);
    if (pattern == 1) {
        snprintf(path, sizeof path, "%s/m.csv", folder);
        write_matrix(random, path, nodes);
        snprintf(destinations, sizeof destinations, "{matrix: %s}", path);
    } else if (pattern == 2) {
        snprintf(destinations, sizeof destinations, "{hot-spots: [{node: 1, weight: 0.3}]}");
    }
    const uint32_t kind = below(random, 3);
    snprintf(text, sizeof text,
             "network: {%s, virtual_channels: 8%s, buffer: %u, router_delay: [1, 1, 1, 1]}\n"
             "traffic: {rate: 0.001, %s, destinations: %s}\n",
             network, kind == 2 ? ", reply_channels: 4" : "", below(random, 2) ? 16 : 2,
             kinds[kind], destinations);
    fc_scenario *scenario;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

static fc_router_flows *flows_of(const fc_scenario *scenario, bool movements) {
    fc_router_flows *flows;
    fc_error error = {{0}};
    if (fc_router_flows_create(scenario, movements, &error, &flows) != FC_OK)
        fail_msg("%s", error.text);
    return flows;
}

/* The same by following every header. */
static void follow_headers(const fc_scenario *scenario, fc_router_flows *flows) {
    double *ones = calloc(flows->link_count, sizeof *ones);
    for (uint32_t i = 0; i < flows->link_count; ++i)
        ones[i] = 1;
    fc_error error = {{0}};
    flows->network->outputs_to = NULL;
    assert_int_equal(fc_router_flows_split(fc_scenario_routed(scenario), ones, &error, flows),
                     FC_OK);
    free(ones);
}

static void compare_links(const fc_router_flows *a, const fc_router_flows *b) {
    for (uint32_t i = 0; i < a->link_count; ++i) {
        assert_close(a->links[i].rate, b->links[i].rate, 1e-12);
        assert_close(a->links[i].flits, b->links[i].flits, 1e-12);
    }
    assert_close(a->rate, b->rate, 1e-12);
    const fc_alone alone = fc_paths_mean(a->paths), same = fc_paths_mean(b->paths);
    assert_close(alone.latency, same.latency, 1e-12);
    assert_close(alone.header, same.header, 1e-12);
    assert_close(alone.source, same.source, 1e-12);
    assert_close(alone.source_square, same.source_square, 1e-12);
}

static const fc_lane *lane_like(const fc_router_flows *flows, const fc_lane *lane) {
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        if (flows->lanes[l].link == lane->link && flows->lanes[l].mask == lane->mask)
            return &flows->lanes[l];
    }
    fail_msg("a lane of link %u is missing", lane->link);
    return NULL;
}

static void compare_lanes(const fc_router_flows *a, const fc_router_flows *b) {
    assert_int_equal(a->lane_count, b->lane_count);
    for (uint32_t l = 0; l < a->lane_count; ++l) {
        const fc_lane *lane = &a->lanes[l], *same = lane_like(b, lane);
        assert_int_equal(lane->channels, same->channels);
        assert_close(lane->rate, same->rate, 1e-12);
        assert_close(lane->flits, same->flits, 1e-12);
        assert_close(lane->hold, same->hold, 1e-12);
    }
}

static void compare_movements(const fc_router_flows *a, const fc_router_flows *b) {
    assert_int_equal(a->movement_count, b->movement_count);
    for (uint32_t m = 0; m < a->movement_count; ++m) {
        const fc_movement *movement = &a->movements[m];
        const uint32_t from = (uint32_t)(lane_like(b, &a->lanes[movement->from]) - b->lanes);
        const uint32_t to = (uint32_t)(lane_like(b, &a->lanes[movement->to]) - b->lanes);
        uint32_t other = 0;
        while (other < b->movement_count &&
               (b->movements[other].from != from || b->movements[other].to != to))
            ++other;
        assert_in_range(other, 0, b->movement_count - 1);
        assert_close(movement->rate, b->movements[other].rate, 1e-12);
        assert_close(movement->flits, b->movements[other].flits, 1e-12);
        assert_close(movement->squares, b->movements[other].squares, 1e-12);
        assert_close(movement->outputs, b->movements[other].outputs, 1e-12);
        assert_close(movement->count, b->movements[other].count, 1e-12);
    }
}

static void loads_are_those_of_every_header(void **state) {
    (void)state;
    char folder[] = "/tmp/flitcast-test-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    uint64_t random = 5;
    int with_movements = 0;
    for (int i = 0; i < NETWORKS; ++i) {
        fc_scenario *scenario = draw(&random, folder);
        fc_router_flows *loads = flows_of(scenario, false), *all = flows_of(scenario, true);
        fc_router_flows *headers = flows_of(scenario, true);
        assert_true(fc_router_trees_cover(loads, false));
        follow_headers(scenario, headers);
        compare_links(loads, headers);
        if (fc_router_trees_cover(all, true)) {
            ++with_movements;
            compare_links(all, headers);
            compare_lanes(all, headers);
            compare_movements(all, headers);
        }
        fc_router_flows_free(loads);
        fc_router_flows_free(all);
        fc_router_flows_free(headers);
        fc_scenario_free(scenario);
    }
    assert_in_range(with_movements, NETWORKS / 4, NETWORKS);
    snprintf(path, sizeof path, "%s/net.graph", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/m.csv", folder);
    remove(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_are_those_of_every_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
