#include "test_support.h"

#include <stdlib.h>
#include "base/histogram.h"
#include "base/random.h"

static fc_histogram *new_histogram(void) {
    fc_histogram *histogram = calloc(1, sizeof *histogram);
    assert_non_null(histogram);
    return histogram;
}

static void small_values_are_exact(void **state) {
    (void)state;
    fc_histogram *histogram = new_histogram();
    assert_true(isnan(fc_histogram_percentile(histogram, 0.5)));
    for (uint64_t value = 1; value <= 500; ++value)
        fc_histogram_add(histogram, value);
    assert_true(fc_histogram_percentile(histogram, 0) == 1);
    assert_true(fc_histogram_percentile(histogram, 0.5) == 250);
    assert_true(fc_histogram_percentile(histogram, 0.501) == 251);
    assert_true(fc_histogram_percentile(histogram, 0.95) == 475);
    assert_true(fc_histogram_percentile(histogram, 1) == 500);
    fc_histogram_clear(histogram);
    assert_true(histogram->total == 0 && isnan(fc_histogram_percentile(histogram, 0.5)));
    free(histogram);
}

static void every_value_is_within_the_stated_resolution(void **state) {
    (void)state;
    fc_histogram *histogram = new_histogram();
    uint32_t last_bin = 0;
    for (uint64_t value = 1; value < (uint64_t)1 << 46; value += value / 97 + 1) {
        const uint32_t bin = fc_histogram_bin(value);
        assert_true(bin >= last_bin && bin < FC_HISTOGRAM_BINS);
        last_bin = bin;
        histogram->count[bin] = histogram->total = 1;
        assert_close(fc_histogram_percentile(histogram, 0.5), (double)value, 1.0 / 512);
        assert_near(fc_histogram_percentile(histogram, 0.5), (double)value,
                    0.5 * fc_histogram_resolution((double)value));
        histogram->count[bin] = 0;
    }
    assert_int_equal(fc_histogram_bin(UINT64_MAX), FC_HISTOGRAM_BINS - 1);
    assert_near(fc_histogram_resolution((double)NAN), 1, 0);
    free(histogram);
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void percentiles_of_a_merged_sample_agree_with_sorting(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    fc_histogram *parts[2] = {new_histogram(), new_histogram()};
    uint64_t *values = calloc(COUNT, sizeof *values);
    fc_random random = fc_random_stream(5, 0, 0);
    for (int i = 0; i < COUNT; ++i) {
        values[i] = (uint64_t)(3000 * fc_random_exponential(&random));
        fc_histogram_add(parts[i % 2], values[i]);
    }
    fc_histogram_merge(parts[0], parts[1]);
    assert_int_equal(parts[0]->total, COUNT);
    qsort(values, COUNT, sizeof *values, compare);
    const double shares[] = {0.01, 0.5, 0.95, 0.99, 0.999, 1};
    for (size_t i = 0; i < 6; ++i) {
        const size_t rank = (size_t)ceil(shares[i] * COUNT);
        assert_close(fc_histogram_percentile(parts[0], shares[i]), (double)values[rank - 1],
                     1.0 / 512);
    }
    free(values);
    free(parts[0]);
    free(parts[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_values_are_exact),
        cmocka_unit_test(every_value_is_within_the_stated_resolution),
        cmocka_unit_test(percentiles_of_a_merged_sample_agree_with_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
