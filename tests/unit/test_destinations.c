#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "network/destinations.h"

static uint32_t ring_of(const void *network, uint32_t router, uint32_t slot) {
    const fc_traffic_shape *shape = network;
    return (router + (slot ? shape->routers - 1 : 1)) % shape->routers;
}

static fc_traffic_shape shape_of(uint32_t digits, const uint32_t *radix, uint32_t concentration) {
    fc_traffic_shape shape = {.routers = 1,
                              .concentration = concentration,
                              .digits = digits,
                              .hot_node = FC_NO_NODE,
                              .slots = 2,
                              .neighbour = ring_of};
    for (uint32_t d = 0; d < digits; ++d) {
        shape.radix[d] = radix[d];
        shape.routers *= radix[d];
    }
    return shape;
}

static fc_traffic *make(const fc_destinations *destinations, fc_traffic_shape *shape) {
    fc_traffic *traffic = NULL;
    shape->network = shape;
    assert_int_equal(fc_traffic_create_over(destinations, shape, NULL, &traffic), FC_OK);
    return traffic;
}

/* Rows sum to one or, for nodes that do not send, zero; draws follow them. */
static void check_draws(const fc_destinations *destinations, fc_traffic_shape shape) {
    enum { DRAWS = 4000 };
    fc_traffic *traffic = make(destinations, &shape);
    double *row = calloc(traffic->nodes, sizeof *row);
    uint32_t *seen = calloc(traffic->nodes, sizeof *seen);
    fc_random random = fc_random_stream(7, 0, 0);
    uint32_t next = 0;
    for (uint32_t source = 0; source < traffic->nodes; ++source) {
        double sum = 0;
        for (uint32_t node = 0; node < traffic->nodes; ++node)
            sum += row[node] = fc_traffic_share(traffic, source, node);
        const bool sends = next < traffic->senders && traffic->sender[next] == source;
        next += sends;
        assert_near(sum, sends ? 1 : 0, 1e-12);
        assert_true(destinations->to_self || row[source] == 0);
        if (!sends)
            continue;
        memset(seen, 0, traffic->nodes * sizeof *seen);
        for (uint32_t draw = 0; draw < DRAWS; ++draw)
            ++seen[fc_traffic_draw(traffic, &random, source)];
        for (uint32_t node = 0; node < traffic->nodes; ++node) {
            const double expected = row[node] * DRAWS;
            assert_true(fabs(seen[node] - expected) <= 5 * sqrt(expected));
        }
    }
    assert_int_equal(next, traffic->senders);
    free(row);
    free(seen);
    fc_traffic_free(traffic);
}

static void draws_follow_the_probabilities(void **state) {
    (void)state;
    const uint32_t radix[] = {4, 4};
    static double matrix[16 * 16];
    fc_hot_spot hot[] = {
        {.node = 9, .weight = 3}, {.node = 2, .weight = 1}, {.node = 9, .weight = 1}};
    for (int i = 0; i < 15; ++i) { /* node 15 sends nothing */
        matrix[i * 16 + (i + 1) % 16] = 0.25;
        matrix[i * 16 + (i + 5) % 16] = 0.75;
    }
    for (fc_pattern pattern = FC_UNIFORM; pattern < FC_PATTERNS; ++pattern) {
        for (int to_self = 0; to_self < 2; ++to_self) {
            for (uint32_t each = 1; each < 3; ++each) {
                if (pattern == FC_MATRIX && each > 1)
                    continue;
                fc_traffic_shape shape = shape_of(2, radix, each);
                shape.hot_node = pattern == FC_HOT_SPOT ? 6 : FC_NO_NODE;
                const fc_destinations destinations = {.pattern = pattern,
                                                      .share = 0.3,
                                                      .matrix = matrix,
                                                      .seed = 5,
                                                      .group_nodes = 4,
                                                      .hot_count = 3,
                                                      .hot = hot,
                                                      .to_self = to_self};
                check_draws(&destinations, shape);
            }
        }
    }
}

static void patterns_map_as_defined(void **state) {
    (void)state;
    static const uint32_t square[] = {8, 8}, tree[] = {4, 4, 4}, odd[] = {3, 5};
    static const struct {
        fc_pattern pattern;
        uint32_t digits;
        const uint32_t *radix;
        uint32_t source, image, senders;
    } expected[] = {
        {FC_TRANSPOSE, 2, square, 3 + 8 * 5, 5 + 8 * 3, 56},
        {FC_TRANSPOSE, 3, tree, 11 /* 001011 */, 25 /* 011001 */, 56},
        {FC_BIT_COMPLEMENT, 2, square, 3 + 8 * 5, 4 + 8 * 2, 64},
        {FC_BIT_COMPLEMENT, 2, odd, 2 + 3 * 1, 0 + 3 * 3, 14},
        {FC_BIT_REVERSE, 2, square, 1 + 8 * 4 /* 100001 */, 33, 56},
        {FC_BIT_REVERSE, 2, square, 2 + 8 * 4 /* 100010 */, 17, 56},
        {FC_SHUFFLE, 2, square, 2 + 8 * 4 /* 100010 */, 5, 62},
        {FC_BIT_ROTATION, 2, square, 5 /* 000101 */, 34 /* 100010 */, 62},
        {FC_TORNADO, 2, square, 6 + 8 * 1, 1 + 8 * 4, 64},
        {FC_TORNADO, 2, odd, 2 + 3 * 4, 0 + 3 * 1, 15},
        {FC_NEIGHBOUR, 2, square, 7 + 8 * 1, 0 + 8 * 2, 64},
        {FC_NEIGHBOUR, 2, odd, 2 + 3 * 4, 0, 15},
        {FC_DIAGONAL, 2, square, 63, 0, 64},
        {FC_ASYMMETRIC, 2, square, 5, 37, 64},
        {FC_ASYMMETRIC, 2, square, 37, 5, 64},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        fc_traffic_shape shape = shape_of(expected[i].digits, expected[i].radix, 1);
        const fc_destinations destinations = {.pattern = expected[i].pattern};
        fc_traffic *traffic = make(&destinations, &shape);
        assert_int_equal(traffic->senders, expected[i].senders);
        const uint32_t image = traffic->image[expected[i].source];
        assert_int_equal(image == FC_NO_NODE ? expected[i].source : image, expected[i].image);
        fc_traffic_free(traffic);
    }
}

static void nodes_of_a_router_keep_their_place(void **state) {
    (void)state;
    const uint32_t radix[] = {4, 4};
    fc_traffic_shape shape = shape_of(2, radix, 3);
    const fc_destinations destinations = {.pattern = FC_TRANSPOSE};
    fc_traffic *traffic = make(&destinations, &shape);
    assert_int_equal(traffic->senders, 36);
    assert_int_equal(traffic->image[(1 + 4 * 2) * 3 + 2], (2 + 4 * 1) * 3 + 2);
    fc_traffic_free(traffic);
}

static void permutations_are_one_to_one(void **state) {
    (void)state;
    const uint32_t radix[] = {16, 16};
    for (fc_pattern pattern = FC_UNIFORM; pattern < FC_PATTERNS; ++pattern) {
        if (!fc_is_permutation(pattern, false))
            continue;
        fc_traffic_shape shape = shape_of(2, radix, 2);
        const fc_destinations destinations = {.pattern = pattern, .seed = 3};
        uint32_t image[512];
        bool reached[512] = {false};
        fc_patterns[destinations.pattern]->map(&destinations, &shape, image);
        for (uint32_t node = 0; node < 512; ++node) {
            assert_true(image[node] < 512 && !reached[image[node]]);
            reached[image[node]] = true;
        }
    }
}

static void the_seed_makes_the_random_permutation(void **state) {
    (void)state;
    const uint32_t radix[] = {256};
    fc_traffic_shape shape = shape_of(1, radix, 1);
    uint32_t first[256], again[256], other[256];
    fc_destinations destinations = {.pattern = FC_RANDOM_PERMUTATION, .seed = 1};
    fc_patterns[destinations.pattern]->map(&destinations, &shape, first);
    fc_patterns[destinations.pattern]->map(&destinations, &shape, again);
    destinations.seed = 2;
    fc_patterns[destinations.pattern]->map(&destinations, &shape, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

static void a_lone_hot_spot_does_not_send(void **state) {
    (void)state;
    const uint32_t radix[] = {8};
    fc_traffic_shape shape = shape_of(1, radix, 1);
    fc_hot_spot hot[] = {{.node = 3, .weight = 2}, {.node = 5, .weight = 6}};
    fc_destinations destinations = {.pattern = FC_HOT_SPOTS, .hot_count = 1, .hot = hot};
    fc_traffic *traffic = make(&destinations, &shape);
    assert_int_equal(traffic->senders, 7);
    fc_traffic_free(traffic);
    destinations.hot_count = 2;
    traffic = make(&destinations, &shape);
    assert_int_equal(traffic->senders, 8);
    assert_near(fc_traffic_share(traffic, 0, 5), 0.75, 1e-15);
    assert_near(fc_traffic_share(traffic, 5, 3), 1, 1e-15);
    fc_traffic_free(traffic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_follow_the_probabilities),
        cmocka_unit_test(patterns_map_as_defined),
        cmocka_unit_test(nodes_of_a_router_keep_their_place),
        cmocka_unit_test(permutations_are_one_to_one),
        cmocka_unit_test(the_seed_makes_the_random_permutation),
        cmocka_unit_test(a_lone_hot_spot_does_not_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
