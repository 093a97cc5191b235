/* No combination of topology, routing and channels that scenarios accept can deadlock, and those
 * that can are found out. */
#include "test_support.h"

#include "base/memory.h"
#include "base/random.h"
#include "network/dependency_graph.h"
#include "router_support.h"

static void circles_are_found_and_short(void **state) {
    (void)state;
    fc_held_channel *circle = NULL;
    size_t length = 1;
    fc_dependency_graph *graph = fc_dependency_graph_create(10);
    for (uint32_t i = 0; i + 1 < 10; ++i)
        assert_true(fc_dependency_graph_add(graph, (fc_dependency){i, i + 1, 0xff, 0x0f}));
    assert_int_equal(fc_dependency_graph_circle(graph, NULL, &circle, &length), FC_OK);
    assert_int_equal(length, 0);
    assert_null(circle);
    /* Back to the first, but into channels from which nothing waits for the upper ones. */
    assert_true(fc_dependency_graph_add(graph, (fc_dependency){9, 0, 0xf0, 0xf0}));
    assert_int_equal(fc_dependency_graph_circle(graph, NULL, &circle, &length), FC_OK);
    assert_int_equal(length, 0);
    assert_true(fc_dependency_graph_add(graph, (fc_dependency){9, 0, 0x08, 0x80}));
    assert_true(fc_dependency_graph_add(graph, (fc_dependency){7, 5, 0x04, 0x01}));
    assert_int_equal(fc_dependency_graph_circle(graph, NULL, &circle, &length), FC_OK);
    assert_int_equal(length, 3); /* 5, 6, 7; not all ten */
    for (size_t i = 0; i < length; ++i)
        assert_in_range(circle[i].output, 5, 7);
    fc_release(circle);
    fc_dependency_graph_free(graph);
}

static void circles_agree_with_elimination(void **state) {
    (void)state;
    enum { OUTPUTS = 8, CHANNELS = 3, ALL = OUTPUTS * CHANNELS };
    int circles = 0;
    fc_random random = fc_random_stream(3, 0, 0);
    for (int round = 0; round < 400; ++round) {
        bool waits[ALL][ALL] = {{false}}, gone[ALL] = {false};
        fc_dependency_graph *graph = fc_dependency_graph_create(OUTPUTS);
        for (int i = 0; i < 10; ++i) {
            const fc_dependency d = {
                .from = fc_random_below(&random, OUTPUTS),
                .to = fc_random_below(&random, OUTPUTS),
                .from_channels = 1 + fc_random_below(&random, 7),
                .to_channels = 1 + fc_random_below(&random, 7),
            };
            assert_true(fc_dependency_graph_add(graph, d));
            for (uint32_t v = 0; v < ALL; ++v)
                for (uint32_t w = 0; w < ALL; ++w)
                    if (v / CHANNELS == d.from && w / CHANNELS == d.to &&
                        d.from_channels >> v % CHANNELS & 1 && d.to_channels >> w % CHANNELS & 1)
                        waits[v][w] = true;
        }
        /* Takes away channels that wait for none of those left; what stays holds a circle. */
        for (int again = 0; again < ALL; ++again) {
            for (int v = 0; v < ALL; ++v) {
                bool stuck = false;
                for (int w = 0; w < ALL; ++w)
                    stuck = stuck || (waits[v][w] && !gone[w]);
                gone[v] = gone[v] || !stuck;
            }
        }
        bool expected = false;
        for (int v = 0; v < ALL; ++v)
            expected = expected || !gone[v];
        fc_held_channel *circle = NULL;
        size_t length;
        assert_int_equal(fc_dependency_graph_circle(graph, NULL, &circle, &length), FC_OK);
        assert_int_equal(length > 0, expected);
        for (size_t i = 0; i < length; ++i) {
            const fc_held_channel a = circle[i], b = circle[(i + 1) % length];
            assert_true(waits[a.output * CHANNELS + a.channel][b.output * CHANNELS + b.channel]);
        }
        circles += expected;
        fc_release(circle);
        fc_dependency_graph_free(graph);
    }
    assert_in_range(circles, 50, 350);
}

static fc_status prove(fc_torus *torus, fc_error *error) {
    fc_scenario scenario = router_scenario(torus);
    fc_router_network *network = NULL;
    if (fc_router_network_create(&scenario, error, &network) != FC_OK)
        fail_msg("%s", error->text);
    const fc_status status = fc_router_network_prove(network, &torus->routed, error);
    fc_router_network_free(network);
    return status;
}

/* Every rule and routing with the fewest channels it takes and two more, with and without replies.
 */
static void tori_and_meshes_cannot_deadlock(void **state) {
    (void)state;
    static const fc_integer_list shapes[] = {
        {1, {5}}, {1, {6}}, {2, {4, 3}}, {2, {5, 2}}, {3, {2, 3, 2}}};
    static const int routings[] = {FC_DIMENSION_ORDER, FC_ADAPTIVE, FC_O1TURN, FC_VALIANT};
    uint32_t proven = 0;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; ++shape) {
        for (int kind = 0; kind < 4; ++kind) { /* mesh; torus: both ways, up, down */
            for (size_t r = 0; r < sizeof routings / sizeof *routings; ++r) {
                for (int rule = FC_HIGH_LOW; rule <= FC_WRAPPING; ++rule) {
                    const bool mesh = kind == 0;
                    if (!mesh && rule == FC_FREE)
                        continue;
                    if (rule == FC_WRAPPING && kind > 1)
                        continue;
                    const int64_t least = (rule == FC_FREE ? 1 : 2) + (routings[r] == FC_ADAPTIVE);
                    const int64_t parts =
                        routings[r] == FC_O1TURN || routings[r] == FC_VALIANT ? 2 : 1;
                    for (int more = 0; more < 3; ++more) {
                        const int64_t channels = parts * (least + (more == 1 ? 2 : 0));
                        fc_torus torus = router_torus(mesh ? FC_MESH : FC_TORUS, shapes[shape],
                                                      more == 2 ? 2 * channels : channels, rule);
                        torus.routed.reply_channels = more == 2 ? channels : 0;
                        torus.routing = routings[r];
                        torus.links = kind > 1 ? FC_UNIDIRECTIONAL : FC_BIDIRECTIONAL;
                        torus.direction = kind == 3 ? FC_DECREASING : FC_INCREASING;
                        fc_error error;
                        if (prove(&torus, &error) != FC_OK)
                            fail_msg("shape %zu kind %d routing %d rule %d more %d: %s", shape,
                                     kind, routings[r], rule, more, error.text);
                        ++proven;
                    }
                }
            }
        }
    }
    assert_true(proven > 500);
}

/* BookSim's min_adapt has channels of its own: 0 to escape to and the others in a mesh, 0 and 1 and
 * number 3 in a torus. */
static void min_adapt_can_escape(void **state) {
    (void)state;
    static const fc_integer_list shapes[] = {{1, {6}}, {2, {4, 3}}, {2, {5, 5}}, {3, {2, 3, 2}}};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; ++shape) {
        for (int classes = 1; classes <= 2; ++classes) {
            for (int mesh = 0; mesh <= 1; ++mesh) {
                fc_torus torus = router_torus(mesh ? FC_MESH : FC_TORUS, shapes[shape], 4 * classes,
                                              mesh ? FC_FREE : FC_WRAPPING);
                torus.routed.reply_channels = classes == 2 ? 4 : 0;
                torus.routing = FC_MIN_ADAPT;
                fc_error error;
                if (prove(&torus, &error) != FC_OK)
                    fail_msg("shape %zu mesh %d: %s", shape, mesh, error.text);
            }
        }
    }
}

static void circles_of_tori_are_printed(void **state) {
    (void)state;
    fc_error error;
    fc_torus ring = router_torus(FC_TORUS, (fc_integer_list){1, {4}}, 1, FC_FREE);
    ring.links = FC_UNIDIRECTIONAL;
    assert_int_equal(prove(&ring, &error), FC_ERROR_UNSUPPORTED);
    assert_string_equal(
        error.text,
        "messages can wait for each other in a circle: router 0 -> 1 channel 0, router 1 -> 2 "
        "channel 0, router 2 -> 3 channel 0, router 3 -> 0 channel 0, and again the first");
    static const struct {
        int topology, routing, rule, links;
        int64_t channels;
        fc_integer_list radix;
    } bad[] = {
        {FC_TORUS, FC_DIMENSION_ORDER, FC_FREE, FC_BIDIRECTIONAL, 1, {2, {4, 4}}},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_FREE, FC_BIDIRECTIONAL, 3, {2, {5, 4}}},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_WRAPPING, FC_UNIDIRECTIONAL, 2, {1, {5}}},
        {FC_TORUS, FC_ADAPTIVE, FC_FREE, FC_BIDIRECTIONAL, 3, {2, {4, 4}}},
        {FC_TORUS, FC_VALIANT, FC_FREE, FC_BIDIRECTIONAL, 2, {1, {6}}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        fc_torus torus = router_torus(bad[i].topology, bad[i].radix, bad[i].channels, bad[i].rule);
        torus.routing = bad[i].routing;
        torus.links = bad[i].links;
        assert_int_equal(prove(&torus, &error), FC_ERROR_UNSUPPORTED);
    }
}

/* Every link of the ring has a channel of its own number, round the other way than routers. */
static void route_in_channel_of_router(const fc_router_network *network, uint32_t input,
                                       uint32_t channel, fc_course *course,
                                       fc_route_candidates *candidates) {
    (void)channel;
    const uint32_t at = network->input_router[input];
    if (at == course->destination)
        candidates->list[0] = (fc_route_candidate){network->node_output[at], UINT64_MAX};
    else
        candidates->list[0] =
            (fc_route_candidate){network->output_first[at], (uint64_t)1 << (3 - at)};
    candidates->count = candidates->preferred = 1;
}

static void circles_are_printed_with_their_channels(void **state) {
    (void)state;
    fc_error error;
    fc_torus ring = router_torus(FC_TORUS, (fc_integer_list){1, {4}}, 4, FC_FREE);
    ring.links = FC_UNIDIRECTIONAL;
    fc_scenario scenario = router_scenario(&ring);
    fc_router_network *network = NULL;
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    network->route = route_in_channel_of_router;
    assert_int_equal(fc_router_network_prove(network, &ring.routed, &error), FC_ERROR_UNSUPPORTED);
    assert_string_equal(
        error.text,
        "messages can wait for each other in a circle: router 0 -> 1 channel 3, router 1 -> 2 "
        "channel 2, router 2 -> 3 channel 1, router 3 -> 0 channel 0, and again the first");
    fc_router_network_free(network);
}

/* Rings so short that no one waits while holding a link of the same ring. */
static void short_rings_need_one_channel(void **state) {
    (void)state;
    fc_error error;
    fc_torus torus = router_torus(FC_TORUS, (fc_integer_list){2, {3, 2}}, 1, FC_FREE);
    assert_int_equal(prove(&torus, &error), FC_OK);
    torus = router_torus(FC_TORUS, (fc_integer_list){2, {2, 2}}, 1, FC_FREE);
    torus.links = FC_UNIDIRECTIONAL;
    assert_int_equal(prove(&torus, &error), FC_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_found_and_short),
        cmocka_unit_test(circles_agree_with_elimination),
        cmocka_unit_test(tori_and_meshes_cannot_deadlock),
        cmocka_unit_test(min_adapt_can_escape),
        cmocka_unit_test(circles_of_tori_are_printed),
        cmocka_unit_test(circles_are_printed_with_their_channels),
        cmocka_unit_test(short_rings_need_one_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
