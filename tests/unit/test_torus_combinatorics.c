/* Every probability of Najaf-abadi and Sarbazi-azad three ways: closed form, the paper's sums over
 * numbers of combinations, and enumeration of all source-destination pairs. */
#include "test_support.h"

#include <stdbool.h>
#include <string.h>
#include "network/torus_combinatorics.h"

static const fc_integer_list shapes[] = {{2, {5, 7}},    {3, {3, 4, 5}}, {4, {4, 4, 4, 4}},
                                         {3, {6, 2, 3}}, {1, {9}},       {2, {2, 2}}};
enum { SHAPES = sizeof shapes / sizeof *shapes, HOPS_MAX = 64 };
static const double exact = 1e-12;

/* ---- enumeration ---- */

static int64_t node_count(const fc_integer_list *radix) {
    int64_t nodes = 1;
    for (size_t i = 0; i < radix->count; ++i)
        nodes *= radix->values[i];
    return nodes;
}

/* Hops in each dimension between two nodes, digits compared one by one. */
static void hops_between(const fc_integer_list *radix, fc_path_kind kind, int64_t from, int64_t to,
                         int64_t *hops) {
    for (size_t i = 0; i < radix->count; ++i) {
        const int64_t k = radix->values[i];
        hops[i] = (to % k - from % k + k) % k;
        if (kind == FC_BIDIRECTIONAL_RING && k - hops[i] < hops[i])
            hops[i] = k - hops[i];
        from /= k;
        to /= k;
    }
}

typedef struct census { /* counts over all pairs of different nodes */
    double pairs, hops, ends_after_hop[FC_LIST_MAX];
    double crosses[FC_LIST_MAX], first[FC_LIST_MAX], last[FC_LIST_MAX], hops_in[FC_LIST_MAX];
    double ahead[FC_LIST_MAX][FC_LIST_MAX];          /* [i][j]: crosses i, further hops in j */
    double ahead_of_first[FC_LIST_MAX][FC_LIST_MAX]; /* its first hop is in i */
} census;

static void count_pair(census *c, const fc_integer_list *radix, const int64_t *hops) {
    size_t first = radix->count, last = 0;
    for (size_t i = 0; i < radix->count; ++i) {
        if (hops[i] == 0)
            continue;
        if (first == radix->count)
            first = i;
        last = i;
        c->hops += (double)hops[i];
        c->hops_in[i] += (double)hops[i];
        ++c->crosses[i];
    }
    ++c->pairs;
    ++c->first[first];
    ++c->last[last];
    ++c->ends_after_hop[last];
    for (size_t i = 0; i < radix->count; ++i)
        for (size_t j = i; hops[i] > 0 && j < radix->count; ++j) {
            const double ahead = (double)(hops[j] - (i == j));
            c->ahead[i][j] += ahead;
            c->ahead_of_first[i][j] += i == first ? ahead : 0.0;
        }
}

static const census *take_census(const fc_integer_list *radix, fc_path_kind kind) {
    static census c;
    memset(&c, 0, sizeof c);
    const int64_t nodes = node_count(radix);
    int64_t hops[FC_LIST_MAX];
    for (int64_t from = 0; from < nodes; ++from)
        for (int64_t to = 0; to < nodes; ++to)
            if (from != to) {
                hops_between(radix, kind, from, to, hops);
                count_pair(&c, radix, hops);
            }
    return &c;
}

static void compare_with_enumeration(fc_path_kind kind) {
    for (size_t shape = 0; shape < SHAPES; ++shape) {
        const fc_integer_list *radix = &shapes[shape];
        const census *c = take_census(radix, kind);
        assert_close(fc_torus_mean_hops(radix, kind), c->hops / c->pairs, exact);
        for (size_t i = 0; i < radix->count; ++i) {
            assert_close(fc_torus_first_in(radix, i), c->first[i] / c->pairs, exact);
            assert_close(fc_torus_ends_after_hop(radix, kind, i),
                         c->ends_after_hop[i] / c->hops_in[i], exact);
            for (size_t j = i; j < radix->count; ++j) {
                const double ahead = fc_torus_hops_ahead(radix, kind, j, i);
                assert_close(ahead, c->ahead[i][j] / c->crosses[i], exact);
                assert_close(ahead, c->ahead_of_first[i][j] / c->first[i], exact);
            }
        }
    }
}

static void closed_forms_equal_enumeration(void **state) {
    (void)state;
    compare_with_enumeration(FC_UNIDIRECTIONAL_RING);
    compare_with_enumeration(FC_BIDIRECTIONAL_RING);
}

/* ---- the paper's sums ---- */

/* Number of m-combinations of items with types[i] copies of each kind. */
static double combinations(int64_t m, const int64_t *types, size_t count) {
    if (m < 0)
        return 0.0;
    if (count == 0)
        return m == 0 ? 1.0 : 0.0;
    double sum = 0.0;
    for (int64_t i = 0; i <= types[count - 1]; ++i)
        sum += combinations(m - i, types, count - 1);
    return sum;
}

/* sum over m of P_{m+taken} C_m(types) / C_{m+taken}(all): the form all of the sums have. */
static double weighted(const fc_integer_list *radix, int64_t taken, const int64_t *types,
                       size_t count) {
    int64_t all[FC_LIST_MAX], longest = 0;
    for (size_t i = 0; i < radix->count; ++i)
        longest += all[i] = radix->values[i] - 1;
    double sum = 0.0;
    for (int64_t m = 0; m + taken <= longest; ++m) {
        const double of_length = combinations(m + taken, all, radix->count);
        const double p = of_length / (double)(node_count(radix) - 1); /* P_{m+taken} */
        sum += p * combinations(m, types, count) / of_length;
    }
    return sum;
}

/* copies of the dimensions from..to-1, one fewer of i, s fewer of j */
static size_t reduced(const fc_integer_list *radix, size_t from, size_t to, size_t i, size_t j,
                      int64_t s, int64_t *types) {
    size_t count = 0;
    for (size_t d = from; d < to; ++d)
        types[count++] = radix->values[d] - 1 - (d == i) - (d == j ? s : 0);
    return count;
}

static void paper_sums_equal_closed_forms(void **state) {
    (void)state;
    int64_t types[FC_LIST_MAX];
    for (size_t shape = 0; shape < SHAPES; ++shape) {
        const fc_integer_list *radix = &shapes[shape];
        const size_t n = radix->count;
        for (size_t i = 0; i < n; ++i) {
            size_t count = reduced(radix, 0, n, i, n, 0, types);
            const double crosses = weighted(radix, 1, types, count);
            count = reduced(radix, 0, i + 1, i, n, 0, types);
            const double last = weighted(radix, 1, types, count);
            count = reduced(radix, i, n, i, n, 0, types);
            const double first = weighted(radix, 1, types, count);
            assert_close(last / crosses * 2.0 / (double)radix->values[i],
                         fc_torus_ends_after_hop(radix, FC_UNIDIRECTIONAL_RING, i), exact);
            assert_close(first, fc_torus_first_in(radix, i), exact);
            for (size_t j = i; j < n; ++j) {
                double ahead = 0.0, ahead_of_first = 0.0; /* sums of P(at least s hops) */
                for (int64_t s = 1; s < radix->values[j] - (i == j); ++s) {
                    count = reduced(radix, 0, n, i, j, s, types);
                    ahead += weighted(radix, 1 + s, types, count) / crosses;
                    count = reduced(radix, i, n, i, j, s, types);
                    ahead_of_first += weighted(radix, 1 + s, types, count) / first;
                }
                assert_close(ahead, fc_torus_hops_ahead(radix, FC_UNIDIRECTIONAL_RING, j, i),
                             exact);
                assert_close(ahead_of_first,
                             fc_torus_hops_ahead(radix, FC_UNIDIRECTIONAL_RING, j, i), exact);
            }
        }
    }
}

/* ---- rings ---- */

static void ring_paths_equal_enumeration(void **state) {
    (void)state;
    for (int64_t k = 2; k <= 9; ++k)
        for (int both = 0; both <= 1; ++both) {
            const fc_ring_paths paths =
                fc_ring_paths_of(k, both ? FC_BIDIRECTIONAL_RING : FC_UNIDIRECTIONAL_RING);
            double crossed = 0, hops = 0, ahead = 0, distance[HOPS_MAX] = {0};
            double on[HOPS_MAX] = {0}, no_wrap[HOPS_MAX] = {0}, wrapped[HOPS_MAX] = {0};
            for (int64_t from = 0; from < k; ++from)
                for (int64_t s = 1; s <= (both ? k / 2 : k - 1); ++s) {
                    const double w = both && 2 * s == k ? 0.5 : 1.0; /* a tie: half this way */
                    crossed += w * (both ? 2 : 1);
                    distance[s] += w * (both ? 2 : 1);
                    for (int64_t i = 0; i < s; ++i) {
                        const int64_t at = (from + i) % k, to = (from + s) % k;
                        hops += w;
                        ahead += w * (double)(s - 1 - i);
                        on[at] += w;
                        no_wrap[at] += at < to ? w : 0.0;
                        wrapped[at] += from > at ? w : 0.0;
                    }
                }
            const double pairs = (double)(k * k);
            assert_close(paths.crossed, crossed / pairs, exact);
            assert_close(paths.hops, hops / pairs, exact);
            assert_close(paths.mean_hops, hops * (both ? 2 : 1) / pairs, exact);
            assert_close(paths.hops_if_crossed, hops * (both ? 2 : 1) / crossed, exact);
            assert_close(paths.ahead, ahead / hops, exact);
            for (int64_t s = 0; s <= k; ++s)
                assert_close(fc_ring_distance(&paths, s), distance[s] / crossed, exact);
            for (int64_t at = 0; at < k; ++at) {
                assert_close(fc_ring_no_wrap_ahead(&paths, at), no_wrap[at] / on[at], exact);
                assert_close(fc_ring_wrapped(&paths, at), wrapped[at] / on[at], exact);
            }
        }
}

static void line_paths_equal_enumeration(void **state) {
    (void)state;
    for (int64_t k = 2; k <= 9; ++k) {
        const fc_ring_paths paths = fc_ring_paths_of(k, FC_LINE);
        double crossed = 0, hops = 0, ahead = 0, distance[HOPS_MAX] = {0}, on[HOPS_MAX] = {0};
        for (int64_t from = 0; from < k; ++from)
            for (int64_t to = 0; to < k; ++to) {
                const int64_t s = to > from ? to - from : from - to;
                crossed += s > 0;
                hops += (double)s;
                ahead += (double)(s * (s - 1)) / 2.0;
                distance[s] += 1.0;
                for (int64_t at = from; at < to; ++at)
                    on[at] += 1.0;
            }
        assert_close(paths.crossed, crossed / (double)(k * k), exact);
        assert_close(paths.mean_hops, hops / (double)(k * k), exact);
        assert_close(paths.hops_if_crossed, hops / crossed, exact);
        assert_close(paths.ahead, ahead / hops, exact);
        assert_close(paths.hops, hops / 2.0 / (double)(k * (k - 1)), exact);
        for (int64_t s = 1; s <= k; ++s)
            assert_close(fc_ring_distance(&paths, s), distance[s] / crossed, exact);
        for (int64_t at = 0; at + 1 < k; ++at) {
            assert_close(fc_ring_load(&paths, at) * paths.hops, on[at] / (double)k, exact);
            assert_near(fc_ring_no_wrap_ahead(&paths, at), 1.0, exact);
            assert_near(fc_ring_wrapped(&paths, at), 0.0, exact);
        }
    }
}

static void travel_order_reverses_and_drops_single_nodes(void **state) {
    (void)state;
    fc_torus torus = {.radix = {4, {5, 1, 3, 2}}, .order = FC_ASCENDING};
    fc_integer_list order = fc_travel_order(&torus);
    assert_int_equal(order.count, 3);
    assert_int_equal(order.values[0], 5);
    assert_int_equal(order.values[1], 3);
    torus.order = FC_DESCENDING;
    order = fc_travel_order(&torus);
    assert_int_equal(order.values[0], 2);
    assert_int_equal(order.values[2], 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_equal_enumeration),
        cmocka_unit_test(paper_sums_equal_closed_forms),
        cmocka_unit_test(ring_paths_equal_enumeration),
        cmocka_unit_test(line_paths_equal_enumeration),
        cmocka_unit_test(travel_order_reverses_and_drops_single_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
