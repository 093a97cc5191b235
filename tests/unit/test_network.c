/* Geometry, routes and channel rules of tori and meshes. */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "network/channel_rule.h"
#include "network/geometry.h"

static fc_torus make_torus(int topology, int links, size_t dimensions, const int64_t *radix) {
    fc_torus torus = {.topology = topology, .links = links, .virtual_channels = 2, .hot_node = -1};
    torus.radix.count = dimensions;
    torus.nodes = 1;
    for (size_t d = 0; d < dimensions; ++d) {
        torus.radix.values[d] = radix[d];
        torus.nodes *= radix[d];
    }
    return torus;
}

static const int64_t shapes[][4] = {{8, 0}, {4, 4, 0}, {5, 7, 0}, {2, 3, 4, 0}, {3, 6, 0}};

static fc_torus shape_torus(int topology, int links, size_t shape) {
    size_t dimensions = 0;
    while (dimensions < 4 && shapes[shape][dimensions])
        ++dimensions;
    return make_torus(topology, links, dimensions, shapes[shape]);
}

/* Breadth-first distances over the channels: what a shortest route must have. */
static void search(const fc_geometry *geometry, uint32_t source, uint32_t *distance) {
    uint32_t *queue = malloc(geometry->nodes * sizeof *queue);
    uint32_t first = 0, last = 0;
    memset(distance, 0xff, geometry->nodes * sizeof *distance);
    distance[source] = 0;
    queue[last++] = source;
    while (first < last) {
        const uint32_t node = queue[first++];
        for (uint32_t slot = 0; slot < geometry->slots; ++slot) {
            const uint32_t end =
                fc_channel_end(geometry, node * geometry->slots + slot, NULL, NULL);
            if (end != FC_NO_NODE && distance[end] == UINT32_MAX) {
                distance[end] = distance[node] + 1;
                queue[last++] = end;
            }
        }
    }
    free(queue);
}

static void check_routes(const fc_geometry *geometry) {
    uint32_t distance[128];
    fc_hop hops[64];
    for (uint32_t source = 0; source < geometry->nodes; ++source) {
        search(geometry, source, distance);
        for (uint32_t to = 0; to < geometry->nodes; ++to) {
            uint32_t ties;
            const uint32_t rising = fc_route_rising(geometry, source, to, &ties);
            assert_int_equal(fc_geometry_distance(geometry, source, to), distance[to]);
            assert_true(distance[to] <= fc_geometry_diameter(geometry));
            for (uint32_t flip = ties;; flip = (flip - 1) & ties) {
                const size_t count = fc_route_hops(geometry, source, to, rising ^ flip, hops);
                assert_int_equal(count, distance[to]);
                uint32_t node = source, rank = 0;
                for (size_t i = 0; i < count; ++i) {
                    assert_int_equal(hops[i].node, node);
                    assert_true(geometry->rank[hops[i].dimension] >= rank);
                    rank = geometry->rank[hops[i].dimension];
                    uint32_t dimension;
                    bool up;
                    node = fc_channel_end(geometry, hops[i].channel, &dimension, &up);
                    assert_int_equal(dimension, hops[i].dimension);
                    assert_int_equal(up, hops[i].rising);
                }
                assert_int_equal(node, to);
                if (flip == 0)
                    break;
            }
        }
    }
}

static void routes_are_shortest_in_every_network(void **state) {
    (void)state;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; ++shape) {
        for (int variant = 0; variant < 6; ++variant) {
            fc_torus torus = shape_torus(
                variant < 4 ? FC_TORUS : FC_MESH,
                variant == 1 || variant == 2 ? FC_UNIDIRECTIONAL : FC_BIDIRECTIONAL, shape);
            torus.direction = variant == 2 ? FC_DECREASING : FC_INCREASING;
            torus.order = variant % 2 ? FC_ASCENDING : FC_DESCENDING;
            fc_geometry *geometry;
            assert_int_equal(fc_geometry_create(&torus, NULL, &geometry), FC_OK);
            check_routes(geometry);
            fc_geometry_free(geometry);
        }
    }
}

static void channels_are_numbered_as_adve_and_vernon_do(void **state) {
    (void)state;
    const int64_t radix[] = {8, 8};
    fc_torus torus = make_torus(FC_TORUS, FC_BIDIRECTIONAL, 2, radix);
    torus.order = FC_DESCENDING;
    fc_geometry *geometry;
    assert_int_equal(fc_geometry_create(&torus, NULL, &geometry), FC_OK);
    const uint32_t node = 2 * 8 + 5; /* row 2, column 5 */
    const uint32_t north = 1 * 8 + 5, south = 3 * 8 + 5, west = 2 * 8 + 4, east = 2 * 8 + 6;
    assert_int_equal(fc_channel_end(geometry, node * 4 + 0, NULL, NULL), north);
    assert_int_equal(fc_channel_end(geometry, node * 4 + 1, NULL, NULL), south);
    assert_int_equal(fc_channel_end(geometry, node * 4 + 2, NULL, NULL), west);
    assert_int_equal(fc_channel_end(geometry, node * 4 + 3, NULL, NULL), east);
    char label[32];
    fc_node_label(geometry, node, label, sizeof label);
    assert_string_equal(label, "(5, 2)");
    fc_geometry_free(geometry);
}

/* ---- deadlock freedom: the channels messages may have to wait for form no circle ---- */

typedef struct dependencies {
    size_t channels;
    unsigned char *edge; /* channels x channels */
    unsigned char *mark;
} dependencies;

static bool has_circle(dependencies *graph, size_t channel) {
    graph->mark[channel] = 1;
    for (size_t next = 0; next < graph->channels; ++next) {
        if (!graph->edge[channel * graph->channels + next] || graph->mark[next] == 2)
            continue;
        if (graph->mark[next] == 1 || has_circle(graph, next))
            return true;
    }
    graph->mark[channel] = 2;
    return false;
}

/* With escape a message may reach any later hop through shared channels, so every own channel of
 * its route depends on every later one. */
static bool can_deadlock(const fc_torus *torus) {
    fc_geometry *geometry;
    assert_int_equal(fc_geometry_create(torus, NULL, &geometry), FC_OK);
    const fc_channel_rule rule = fc_channel_rule_make(torus);
    dependencies graph = {.channels = geometry->channels * rule.channels};
    graph.edge = calloc(graph.channels * graph.channels, 1);
    graph.mark = calloc(graph.channels, 1);
    fc_hop hops[64];
    for (uint32_t source = 0; source < geometry->nodes; ++source) {
        for (uint32_t to = 0; to < geometry->nodes; ++to) {
            uint32_t ties;
            const uint32_t rising = fc_route_rising(geometry, source, to, &ties);
            for (uint32_t flip = ties;; flip = (flip - 1) & ties) {
                const size_t count = fc_route_hops(geometry, source, to, rising ^ flip, hops);
                uint64_t own[64];
                for (size_t i = 0; i < count; ++i)
                    own[i] = fc_channel_rule_eligible(
                                 &rule, fc_digit(geometry, hops[i].node, hops[i].dimension),
                                 fc_digit(geometry, to, hops[i].dimension),
                                 fc_digit(geometry, source, hops[i].dimension), hops[i].rising)
                                 .own;
                for (size_t i = 0; i < count; ++i)
                    for (size_t j = i + 1; j < count; ++j)
                        for (uint32_t v = 0; v < rule.channels; ++v)
                            for (uint32_t w = 0; w < rule.channels; ++w)
                                if (own[i] >> v & 1 && own[j] >> w & 1)
                                    graph.edge[(hops[i].channel * rule.channels + v) *
                                                   graph.channels +
                                               hops[j].channel * rule.channels + w] = 1;
                if (flip == 0)
                    break;
            }
        }
    }
    bool circle = false;
    for (size_t channel = 0; channel < graph.channels && !circle; ++channel)
        circle = graph.mark[channel] == 0 && has_circle(&graph, channel);
    free(graph.edge);
    free(graph.mark);
    fc_geometry_free(geometry);
    return circle;
}

static void channel_rules_leave_no_circle(void **state) {
    (void)state;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; ++shape) {
        for (int variant = 0; variant < 3; ++variant) {
            fc_torus torus =
                shape_torus(FC_TORUS, variant ? FC_UNIDIRECTIONAL : FC_BIDIRECTIONAL, shape);
            torus.direction = variant == 2 ? FC_DECREASING : FC_INCREASING;
            torus.channel_rule = FC_HIGH_LOW;
            assert_false(can_deadlock(&torus));
            torus.channel_rule = FC_DATELINE;
            assert_false(can_deadlock(&torus));
            torus.channel_rule = FC_WRAPPING;
            assert_true(variant || !can_deadlock(&torus));
            torus.virtual_channels = 3;
            torus.channel_rule = FC_ESCAPE;
            assert_false(can_deadlock(&torus));
        }
        fc_torus mesh = shape_torus(FC_MESH, FC_BIDIRECTIONAL, shape);
        mesh.virtual_channels = 1;
        mesh.channel_rule = FC_FREE;
        assert_false(can_deadlock(&mesh));
    }
    fc_torus ring = shape_torus(FC_TORUS, FC_BIDIRECTIONAL, 0);
    ring.channel_rule = FC_FREE;
    assert_true(can_deadlock(&ring)); /* the check itself can fail */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_shortest_in_every_network),
        cmocka_unit_test(channels_are_numbered_as_adve_and_vernon_do),
        cmocka_unit_test(channel_rules_leave_no_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
