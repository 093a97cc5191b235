#include "test_support.h"

#include <gsl/gsl_cdf.h>
#include "base/random.h"

/* The known answers published with Random123 (kat_vectors, philox4x32 10 rounds). The stream's
 * counter starts where the key puts it, so the vectors are reached by setting key and counter. */
static void philox_known_answers(void **state) {
    (void)state;
    static const uint32_t known[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t i = 0; i < 3; ++i) {
        const uint32_t *v = known[i];
        fc_random random = fc_random_stream((uint64_t)v[5] << 32 | v[4], v[3], v[2]);
        random.counter.v[0] = v[0];
        random.counter.v[1] = v[1];
        for (size_t word = 0; word < 4; ++word)
            assert_int_equal(fc_random_word(&random), v[6 + word]);
    }
}

static void counter_carries_into_the_second_word(void **state) {
    (void)state;
    fc_random random = fc_random_stream(1, 2, 3);
    random.counter.v[0] = 0xffffffff;
    for (int i = 0; i < 4; ++i)
        fc_random_word(&random);
    assert_int_equal(random.counter.v[0], 0);
    assert_int_equal(random.counter.v[1], 1);
    assert_int_equal(random.counter.v[2], 3);
    assert_int_equal(random.counter.v[3], 2);
}

static void streams_differ_in_every_part_of_the_key(void **state) {
    (void)state;
    const fc_random base = fc_random_stream(7, 0, 0);
    fc_random others[] = {fc_random_stream(8, 0, 0), fc_random_stream(7 | (uint64_t)1 << 32, 0, 0),
                          fc_random_stream(7, 1, 0), fc_random_stream(7, 0, 1)};
    for (size_t i = 0; i < 4; ++i) {
        fc_random first = base;
        unsigned equal = 0;
        for (int word = 0; word < 1000; ++word)
            equal += fc_random_word(&first) == fc_random_word(&others[i]);
        assert_int_equal(equal, 0);
    }
}

static void units_are_uniform(void **state) {
    (void)state;
    enum { BINS = 64, COUNT = 200000 };
    unsigned bins[BINS] = {0};
    double sum = 0, products = 0, previous = 0.5;
    fc_random random = fc_random_stream(1, 0, 0);
    for (int i = 0; i < COUNT; ++i) {
        const double unit = fc_random_unit(&random);
        assert_true(unit >= 0 && unit < 1);
        ++bins[(int)(unit * BINS)];
        sum += unit;
        products += (unit - 0.5) * (previous - 0.5);
        previous = unit;
    }
    double chi = 0;
    for (int bin = 0; bin < BINS; ++bin)
        chi += pow(bins[bin] - (double)COUNT / BINS, 2) / ((double)COUNT / BINS);
    const double tail = gsl_cdf_chisq_Q(chi, BINS - 1);
    assert_true(tail > 1e-4 && tail < 1 - 1e-4);
    assert_near(sum / COUNT, 0.5, 4 * sqrt(1.0 / 12 / COUNT));
    assert_near(products / COUNT, 0, 4.0 / 12 / sqrt(COUNT));
}

static void below_is_unbiased_and_in_range(void **state) {
    (void)state;
    enum { COUNT = 60000 };
    fc_random random = fc_random_stream(2, 0, 0);
    unsigned bins[6] = {0};
    for (int i = 0; i < COUNT; ++i)
        ++bins[fc_random_below(&random, 6)];
    double chi = 0;
    for (int bin = 0; bin < 6; ++bin)
        chi += pow(bins[bin] - COUNT / 6.0, 2) / (COUNT / 6.0);
    assert_true(gsl_cdf_chisq_Q(chi, 5) > 1e-4);
    for (int i = 0; i < 100; ++i)
        assert_int_equal(fc_random_below(&random, 1), 0);
    /* A bound for which a plain product would be biased by a third. */
    const uint32_t bound = 0xc0000000u;
    unsigned low = 0;
    for (int i = 0; i < COUNT; ++i) {
        const uint32_t value = fc_random_below(&random, bound);
        assert_true(value < bound);
        low += value % 3 == 0;
    }
    assert_near((double)low / COUNT, 1.0 / 3, 4 * sqrt(2.0 / 9 / COUNT));
}

static void exponential_and_geometric_moments(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    fc_random random = fc_random_stream(3, 0, 0);
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; ++i) {
        const double value = fc_random_exponential(&random);
        assert_true(value >= 0 && isfinite(value));
        sum += value;
        squares += value * value;
    }
    assert_near(sum / COUNT, 1, 4 / sqrt(COUNT));
    assert_near(squares / COUNT, 2, 4 * sqrt(20.0 / COUNT));

    const double means[] = {1.25, 3, 250, 1e5};
    for (size_t m = 0; m < 4; ++m) {
        const double mean = means[m], deviation = sqrt(mean * (mean - 1));
        double total = 0;
        unsigned ones = 0;
        for (int i = 0; i < COUNT; ++i) {
            const uint64_t value = fc_random_geometric(&random, mean);
            assert_true(value >= 1);
            total += (double)value;
            ones += value == 1;
        }
        assert_near(total / COUNT, mean, 4 * deviation / sqrt(COUNT));
        assert_near((double)ones / COUNT, 1 / mean, 4 * sqrt(1 / mean / COUNT));
    }
    assert_int_equal(fc_random_geometric(&random, 1), 1);
    assert_int_equal(fc_random_geometric(&random, 0.5), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(counter_carries_into_the_second_word),
        cmocka_unit_test(streams_differ_in_every_part_of_the_key),
        cmocka_unit_test(units_are_uniform),
        cmocka_unit_test(below_is_unbiased_and_in_range),
        cmocka_unit_test(exponential_and_geometric_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
