#include "test_support.h"

#include "base/memory.h"
#include "network/router_traffic.h"
#include "router_support.h"

typedef struct shape {
    fc_integer_list radix;
    int64_t concentration;
} shape;
static const shape shapes[] = {
    {{1, {5}}, 1},    {{1, {6}}, 2},       {{2, {4, 4}}, 1},
    {{2, {3, 5}}, 3}, {{3, {2, 3, 4}}, 1}, {{4, {2, 2, 2, 2}}, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static fc_router_network *make(fc_torus *torus) {
    fc_scenario scenario = router_scenario(torus);
    fc_router_network *network = NULL;
    fc_error error;
    if (fc_router_network_create(&scenario, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    return network;
}

static fc_torus torus_case(int topology, size_t which, int64_t channels, int rule) {
    fc_torus torus = router_torus(topology, shapes[which].radix, channels, rule);
    torus.routed.concentration = shapes[which].concentration;
    torus.routed.nodes *= shapes[which].concentration;
    return torus;
}

static void tori_and_meshes_are_routed_minimally(void **state) {
    (void)state;
    static const struct {
        int topology, routing, rule, links;
        int64_t channels;
    } cases[] = {
        {FC_TORUS, FC_DIMENSION_ORDER, FC_DATELINE, FC_BIDIRECTIONAL, 4},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_WRAPPING, FC_BIDIRECTIONAL, 2},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_ESCAPE, FC_BIDIRECTIONAL, 3},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_HIGH_LOW, FC_UNIDIRECTIONAL, 2},
        {FC_MESH, FC_DIMENSION_ORDER, FC_FREE, FC_BIDIRECTIONAL, 1},
        {FC_TORUS, FC_O1TURN, FC_DATELINE, FC_BIDIRECTIONAL, 4},
        {FC_MESH, FC_O1TURN, FC_FREE, FC_BIDIRECTIONAL, 3},
        {FC_TORUS, FC_ADAPTIVE, FC_DATELINE, FC_BIDIRECTIONAL, 3},
        {FC_TORUS, FC_ADAPTIVE, FC_ESCAPE, FC_UNIDIRECTIONAL, 4},
        {FC_MESH, FC_ADAPTIVE, FC_FREE, FC_BIDIRECTIONAL, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (size_t which = 0; which < SHAPES; ++which) {
            fc_torus torus = torus_case(cases[i].topology, which, cases[i].channels, cases[i].rule);
            torus.routing = cases[i].routing;
            torus.links = cases[i].links;
            fc_router_network *network = make(&torus);
            assert_int_equal(network->nodes, torus.routed.nodes);
            check_paths(network, true, (1u << cases[i].channels) - 1);
            fc_router_network_free(network);
        }
    }
}

static void replies_have_the_rule_of_requests(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {5, 4}};
    fc_torus torus = router_torus(FC_TORUS, radix, 8, FC_DATELINE);
    torus.routing = FC_O1TURN;
    torus.routed.reply_channels = 4;
    fc_router_network *network = make(&torus);
    check_paths(network, true, 0x0f);
    check_paths(network, true, 0xf0);
    fc_route_candidates asked, replied;
    for (uint32_t to = 1; to < network->nodes; ++to) {
        fc_course request = {.source = 0, .destination = to, .channels = 0x0f};
        fc_course reply = {.source = 0, .destination = to, .channels = 0xf0};
        network->begin(network, 1, &request);
        network->begin(network, 1, &reply);
        network->route(network, network->node_input[0], 0, &request, &asked);
        network->route(network, network->node_input[0], 0, &reply, &replied);
        assert_int_equal(asked.list[0].output, replied.list[0].output);
        assert_int_equal(asked.list[0].channels << 4, replied.list[0].channels);
    }
    fc_router_network_free(network);
}

static void valiant_visits_the_router_in_between(void **state) {
    (void)state;
    for (int topology = FC_TORUS; topology <= FC_MESH; ++topology) {
        for (size_t which = 0; which < SHAPES; ++which) {
            const bool mesh = topology == FC_MESH;
            fc_torus torus =
                torus_case(topology, which, mesh ? 2 : 4, mesh ? FC_FREE : FC_DATELINE);
            torus.routing = FC_VALIANT;
            fc_router_network *network = make(&torus);
            check_paths(network, false, mesh ? 3 : 15);
            fc_router_network_free(network);
        }
    }
    /* From 0 to 1 of a line of 5 by way of 4: 4 links in part 0, 3 in part 1. */
    const fc_integer_list radix = {1, {5}};
    fc_torus line = router_torus(FC_MESH, radix, 2, FC_FREE);
    line.routing = FC_VALIANT;
    fc_router_network *network = make(&line);
    assert_int_equal(network->variants(network, 0, 1), 5);
    fc_course course = {.source = 0, .destination = 1, .channels = 3};
    network->begin(network, 4, &course);
    check_zero_load(network, &line.routed, course, 7);
    fc_route_candidates candidates;
    uint32_t input = network->node_input[0];
    for (uint32_t link = 0; link < 7; ++link) {
        network->route(network, input, 0, &course, &candidates);
        assert_int_equal(candidates.list[0].channels, link < 4 ? 1 : 2);
        input = network->output_end[candidates.list[0].output];
    }
    fc_router_network_free(network);
}

static void zero_load_counts_every_delay(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {4, 3}};
    fc_torus torus = router_torus(FC_TORUS, radix, 2, FC_HIGH_LOW);
    torus.routed.router_delay[FC_STAGE_ROUTING] = 1;
    torus.routed.router_delay[FC_STAGE_CROSSING] = 2;
    torus.routed.link_delay = 3;
    torus.routed.node_delay = 2;
    torus.routed.concentration = 2;
    fc_router_network *network = make(&torus);
    uint32_t *distance = calloc(network->routers, sizeof *distance);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        find_distances(network, source / 2, distance);
        for (uint32_t to = 0; to < network->nodes; ++to) {
            fc_course course = {.source = source, .destination = to, .channels = 3};
            network->begin(network, 0, &course);
            check_zero_load(network, &torus.routed, course, distance[to / 2]);
        }
    }
    free(distance);
    fc_router_network_free(network);
}

static void too_few_channels_are_refused(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {4, 4}};
    fc_torus torus = router_torus(FC_TORUS, radix, 3, FC_DATELINE);
    torus.routing = FC_VALIANT;
    fc_scenario scenario = router_scenario(&torus);
    fc_router_network *network = NULL;
    fc_error error;
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_ERROR_UNSUPPORTED);
    assert_string_equal(error.text, "routing: valiant in a torus needs 4 virtual channels, not 3");
    torus.routing = FC_ADAPTIVE;
    torus.routed.virtual_channels = 4;
    torus.routed.reply_channels = 2;
    torus.routed.requests.count = 1;
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_ERROR_UNSUPPORTED);
    assert_string_equal(error.text, "routing: adaptive in a torus needs 3 virtual channels for "
                                    "requests and as many for replies, not 2");
    assert_null(network);
}

#ifdef FC_CHECKS
/* One allocation after the other fails until all goes well; each time nothing may be kept. */
static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    static const fc_pattern patterns[] = {FC_UNIFORM, FC_NEAR_NEIGHBOUR, FC_TRANSPOSE,
                                          FC_HOT_SPOTS};
    fc_hot_spot hot = {.node = 1, .weight = 1};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i) {
        fc_torus torus = router_torus(FC_TORUS, (fc_integer_list){2, {2, 2}}, 3, FC_ESCAPE);
        torus.routing = FC_ADAPTIVE;
        torus.destinations =
            (fc_destinations){.pattern = patterns[i], .share = 0.5, .hot_count = 1, .hot = &hot};
        torus.routed.destinations = &torus.destinations;
        fc_scenario scenario = router_scenario(&torus);
        bool failed = true;
        for (size_t nth = 1; failed; ++nth) {
            const size_t before = fc_allocations_in_use();
            fc_router_network *network = NULL;
            fc_traffic *traffic = NULL;
            fc_error error;
            fc_allocation_fail_nth(nth);
            fc_status status = fc_router_network_create(&scenario, &error, &network);
            if (status == FC_OK)
                status = fc_router_traffic_create(&scenario, network, &error, &traffic);
            if (status == FC_OK)
                status = fc_router_network_prove(network, &torus.routed, &error);
            fc_traffic_free(traffic);
            fc_router_network_free(network);
            failed = fc_allocation_has_failed();
            fc_allocation_fail_nth(0);
            assert_int_equal(fc_allocations_in_use(), before);
            assert_int_equal(status, failed ? FC_ERROR_MEMORY : FC_OK);
        }
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tori_and_meshes_are_routed_minimally),
        cmocka_unit_test(replies_have_the_rule_of_requests),
        cmocka_unit_test(valiant_visits_the_router_in_between),
        cmocka_unit_test(zero_load_counts_every_delay),
        cmocka_unit_test(too_few_channels_are_refused),
#ifdef FC_CHECKS
        cmocka_unit_test(memory_may_run_out_anywhere),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
