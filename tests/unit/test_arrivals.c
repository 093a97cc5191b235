#include "test_support.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include "simulators/arrivals.h"

static void logarithms_are_accurate(void **state) {
    (void)state;
    fc_random random = fc_random_stream(1, 0, 0);
    for (int i = 0; i < 100000; ++i) {
        uint64_t u = (uint64_t)fc_random_word(&random) << 32 | fc_random_word(&random);
        u >>= fc_random_below(&random, 64);
        const double exact = 64 - (double)log2l((long double)(u ? u : 1));
        assert_true(fabs(ldexp((double)fc_minus_log2(u), -FC_GEOMETRIC_FRACTION) - exact) <
                    3e-10 * fmin(exact, 1) + 1e-16);
    }
    assert_true(fc_minus_log2(UINT64_MAX) < 64);
    assert_true(fc_minus_log2(0) == fc_minus_log2(1));
}

/* Chi-square of the gaps over 30 bins of about the same probability. */
static void gaps_are_geometric(void **state) {
    (void)state;
    static const double probabilities[] = {0.9, 0.5, 0.3, 0.02, 1e-4, 1e-9};
    enum { BINS = 30, DRAWS = 100000 };
    for (size_t p = 0; p < sizeof probabilities / sizeof *probabilities; ++p) {
        const double q = 1 - probabilities[p];
        const fc_geometric law = fc_geometric_law(probabilities[p]);
        fc_random random = fc_random_stream(2, (uint32_t)p, 0);
        double seen[BINS + 1] = {0}, chi = 0, mean = 0;
        uint64_t end[BINS + 1];
        for (int bin = 0; bin < BINS; ++bin)
            end[bin] = (uint64_t)ceil(log(1 - (bin + 1) / (BINS + 1.0)) / log1p(-probabilities[p]));
        end[BINS] = UINT64_MAX;
        for (int i = 0; i < DRAWS; ++i) {
            const uint64_t gap = fc_message_gap(law, &random);
            mean += (double)gap / DRAWS;
            int bin = 0;
            while (gap > end[bin])
                ++bin;
            ++seen[bin];
        }
        assert_close(mean, 1 / probabilities[p], 0.02);
        int degrees = -1;
        for (int bin = 0; bin <= BINS; ++bin) {
            const double above = bin ? pow(q, (double)end[bin - 1]) : 1;
            const double expected = DRAWS * (above - (bin < BINS ? pow(q, (double)end[bin]) : 0));
            if (expected < 1e-9)
                continue; /* several bounds coincide */
            chi += (seen[bin] - expected) * (seen[bin] - expected) / expected;
            ++degrees;
        }
        if (degrees > 0)
            assert_true(gsl_cdf_chisq_Q(chi, degrees) > 1e-4);
    }
}

static void extreme_gaps(void **state) {
    (void)state;
    const fc_geometric always = fc_geometric_law(1), rare = fc_geometric_law(1e-300),
                       likely = fc_geometric_law(1 - 1e-16);
    assert_true(fc_geometric_gap(always, 0) == 1);
    assert_true(fc_geometric_gap(likely, UINT64_MAX / 2) == 1);
    assert_true(fc_geometric_gap(rare, UINT64_MAX) == FC_GAP_MAX);
    assert_true(fc_geometric_gap(fc_geometric_law(5e-324), 1) == FC_GAP_MAX);
}

/* Every item comes out in the cycle for which it was put in, however far off. */
static void calendar_keeps_the_order(void **state) {
    (void)state;
    enum { ITEMS = 150 };
    fc_calendar calendar;
    fc_error error;
    fc_random random = fc_random_stream(3, 0, 0);
    uint64_t due[ITEMS], taken[ITEMS / 64 + 1];
    assert_int_equal(fc_calendar_create(ITEMS, &error, &calendar), FC_OK);
    for (uint32_t i = 0; i < ITEMS; ++i)
        fc_calendar_add(&calendar, i, due[i] = fc_random_below(&random, 100));
    for (int step = 0; step < 20000; ++step) {
        uint64_t first = UINT64_MAX;
        for (uint32_t i = 0; i < ITEMS; ++i)
            first = due[i] < first ? due[i] : first;
        uint64_t now = fc_calendar_earliest(&calendar);
        assert_true(now <= first);
        memset(taken, 0, sizeof taken);
        fc_calendar_take(&calendar, now, taken);
        for (uint32_t i = 0; i < ITEMS; ++i) {
            assert_int_equal(taken[i >> 6] >> (i & 63) & 1, due[i] == now);
            if (due[i] != now)
                continue;
            due[i] = now + 1 + (fc_random_word(&random) >> fc_random_below(&random, 32));
            fc_calendar_add(&calendar, i, due[i]);
        }
    }
    fc_calendar_free(&calendar);
}

/* A node's messages do not depend on the other nodes. */
static void nodes_do_not_concern_each_other(void **state) {
    (void)state;
    enum { ALL = 100, SOME = 3, CYCLES = 5000 };
    static const fc_process processes[] = {FC_BERNOULLI, FC_POISSON, FC_ON_OFF};
    static const uint32_t chosen[SOME] = {0, 41, 99};
    for (size_t p = 0; p < 3; ++p) {
        const fc_arrival_law law = {.rate = 0.05,
                                    .injection = {.process = processes[p], .on = 30, .off = 50}};
        uint32_t every[ALL];
        uint64_t hash[2][ALL] = {{0}};
        for (uint32_t i = 0; i < ALL; ++i)
            every[i] = i;
        for (int run = 0; run < 2; ++run) {
            fc_arrivals arrivals;
            fc_error error;
            fc_random message;
            uint32_t node, last = 0;
            assert_int_equal(fc_arrivals_start(&law, run ? chosen : every, run ? SOME : ALL,
                                               (fc_random_key){11, 2}, &error, &arrivals),
                             FC_OK);
            for (uint64_t t = 0; t < CYCLES; ++t, last = 0) {
                if (fc_arrivals_next(&arrivals) > t)
                    continue;
                while ((node = fc_arrivals_take(&arrivals, t, &message)) != UINT32_MAX) {
                    assert_true(node >= last);
                    last = node;
                    hash[run][node] = hash[run][node] * 31 + t * 7 + fc_random_word(&message);
                }
            }
            fc_arrivals_free(&arrivals);
        }
        for (size_t i = 0; i < SOME; ++i) {
            assert_true(hash[0][chosen[i]] != 0);
            assert_true(hash[0][chosen[i]] == hash[1][chosen[i]]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_accurate),
        cmocka_unit_test(gaps_are_geometric),
        cmocka_unit_test(extreme_gaps),
        cmocka_unit_test(calendar_keeps_the_order),
        cmocka_unit_test(nodes_do_not_concern_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
