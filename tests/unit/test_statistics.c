#include "test_support.h"

#include <gsl/gsl_cdf.h>
#include "base/random.h"
#include "base/statistics.h"

static void student_quantile_agrees_with_gsl(void **state) {
    (void)state;
    const double probabilities[] = {0.5001, 0.51, 0.6,   0.75,  0.9,   0.95,
                                    0.975,  0.99, 0.995, 0.999, 0.9999};
    double worst = 0;
    for (double degrees = 1; degrees <= 1e6; degrees = ceil(degrees * 1.15)) {
        for (size_t i = 0; i < sizeof probabilities / sizeof *probabilities; ++i) {
            const double p = probabilities[i];
            const double expected = gsl_cdf_tdist_Pinv(p, degrees);
            const double actual = fc_student_quantile(p, degrees);
            /* GSL inverts its own distribution function: check both ways. */
            assert_close(gsl_cdf_tdist_Q(actual, degrees), 1 - p, 1e-9);
            assert_close(actual, expected, 1e-9);
            worst = fmax(worst, fabs(actual / expected - 1));
        }
    }
    print_message("largest difference from GSL: %.1e\n", worst);
}

static void student_quantile_at_the_ends(void **state) {
    (void)state;
    assert_close(fc_student_quantile(0.975, INFINITY), 1.9599639845400545, 1e-14);
    assert_close(fc_student_quantile(0.999999, INFINITY), 4.7534243088228987, 1e-10);
    assert_close(fc_student_quantile(0.75, 1), 1, 1e-14);
    assert_close(fc_student_quantile(0.025, 7), -fc_student_quantile(0.975, 7), 1e-13);
    assert_true(fc_student_quantile(0.5, 3) == 0);
    assert_true(isnan(fc_student_quantile(0.5, 0)) && isnan(fc_student_quantile(-0.1, 3)));
    assert_true(isinf(fc_student_quantile(1, 3)));
}

static void moments_of_hand_computed_samples(void **state) {
    (void)state;
    fc_moments moments = {0};
    assert_true(isnan(fc_moments_half_width(&moments)));
    fc_moments_add(&moments, 130);
    assert_true(isnan(fc_moments_half_width(&moments)));
    fc_moments_add(&moments, 100);
    fc_moments_add(&moments, 120);
    fc_moments_add(&moments, 110);
    assert_true(moments.count == 4);
    assert_close(moments.mean, 115, 1e-15);
    assert_close(moments.squares, 500, 1e-15);
    /* Variance of the mean 500/3 / 4, 3 degrees of freedom. */
    assert_close(fc_moments_half_width(&moments), 3.182446305284263 * sqrt(500.0 / 12), 1e-12);
}

/* Standard normal. */
static double noise(fc_random *random) {
    const double radius = sqrt(2 * fc_random_exponential(random));
    return radius * cos(2 * M_PI * fc_random_unit(random));
}

static void mser_finds_the_end_of_a_transient(void **state) {
    (void)state;
    enum { COUNT = 1000, TRANSIENT = 200 };
    double values[COUNT];
    for (uint32_t seed = 0; seed < 50; ++seed) {
        fc_random random = fc_random_stream(seed, 0, 0);
        for (size_t i = 0; i < COUNT; ++i)
            values[i] = 10 + noise(&random) + (i < TRANSIENT ? 8.0 : 0.0);
        const size_t cut = fc_mser_truncation(values, COUNT);
        assert_in_range(cut, TRANSIENT, TRANSIENT + 100);
    }
}

static void mser_leaves_a_constant_alone_and_refuses_a_trend(void **state) {
    (void)state;
    double values[400];
    for (size_t i = 0; i < 400; ++i)
        values[i] = 3.5;
    assert_int_equal(fc_mser_truncation(values, 400), 0);
    for (size_t i = 0; i < 400; ++i)
        values[i] = (double)i;
    assert_int_equal(fc_mser_truncation(values, 400), 200);
    assert_int_equal(fc_mser_truncation(values, 1), 0);
    assert_int_equal(fc_mser_truncation(values, 0), 0);
}

/* Batches of a first-order autoregressive series around 5, each of weight 1. */
static void fill_series(double *sums, double *weights, size_t replications, size_t batches,
                        double memory, uint64_t seed) {
    for (size_t replication = 0; replication < replications; ++replication) {
        fc_random random = fc_random_stream(seed, (uint32_t)replication, 0);
        double value = noise(&random);
        for (size_t batch = 0; batch < batches; ++batch) {
            value = memory * value + sqrt(1 - memory * memory) * noise(&random);
            sums[replication * batches + batch] = 5 + value;
            weights[replication * batches + batch] = 1;
        }
    }
}

static double coverage(size_t replications, size_t batches, double memory, unsigned trials,
                       double *mean_width) {
    double sums[2048], weights[2048];
    unsigned hits = 0;
    *mean_width = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        fill_series(sums, weights, replications, batches, memory, trial);
        const fc_interval interval = fc_ratio_interval(sums, weights, replications, batches);
        hits += fabs(interval.mean - 5) <= interval.half_width;
        *mean_width += interval.half_width / trials;
    }
    return (double)hits / trials;
}

static void intervals_cover_with_and_without_correlation(void **state) {
    (void)state;
    double width;
    const double plain = coverage(4, 128, 0, 2000, &width);
    assert_in_range(plain * 1000, 940, 975);
    assert_close(width, 1.96 / sqrt(512), 0.12);
    const double correlated = coverage(4, 512, 0.8, 800, &width);
    assert_in_range(correlated * 1000, 930, 975);
    assert_close(width, 3 * 1.96 / sqrt(2048), 0.15); /* (1 + 0.8)/(1 - 0.8) = 9 = 3^2 */
    const double single = coverage(1, 2048, 0.9, 800, &width);
    assert_in_range(single * 1000, 920, 975);
    print_message("coverage: independent %.3f, memory 0.8 %.3f, one replication, 0.9 %.3f\n", plain,
                  correlated, single);
}

/* Batches that compensate each other: with small ones the interval would be sqrt(3) times as wide
 * as it need be. */
static void negative_correlation_does_not_widen_an_interval(void **state) {
    (void)state;
    double width;
    const double covered = coverage(4, 64, -0.5, 2000, &width);
    print_message("coverage, memory -0.5: %.3f, width %.3f of what it need be\n", covered,
                  width / (1.96 / sqrt(3 * 256)));
    assert_in_range(covered * 1000, 935, 985);
    assert_true(width < 1.25 * 1.96 / sqrt(3 * 256));
}

/* One batch of 64 has all there is: residuals 63 and, 63 times, -1, and a mean of skewness 0.976. A
 * run that stops when its interval is narrow is off by that many standard errors, which are added
 * to the bound of a skewed mean. */
static void intervals_allow_for_the_bias_of_stopping(void **state) {
    (void)state;
    double sums[64] = {0}, weights[64];
    for (size_t i = 0; i < 64; ++i)
        weights[i] = 1;
    sums[24] = 64;
    const fc_interval interval = fc_ratio_interval(sums, weights, 4, 16);
    const double squares = 63 * 63 + 63, cubes = 63 * 63 * 63 - 63;
    const double skewness = sqrt(cubes * cubes / pow(squares, 3) - 6.0 / (64 * 64));
    assert_near(skewness, 0.976, 0.001);
    assert_close(interval.half_width, (3 / skewness + skewness) * sqrt(squares / 63 / 64), 1e-12);
}

static void interval_reports_correlation_it_cannot_remove(void **state) {
    (void)state;
    double sums[4 * 64], weights[4 * 64];
    unsigned caught = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        fill_series(sums, weights, 4, 64, 0.99, seed);
        caught += !fc_ratio_interval(sums, weights, 4, 64).independent;
    }
    assert_in_range(caught, 50, 100);
    /* A trend is never taken for independent. */
    for (size_t i = 0; i < 4 * 64; ++i) {
        sums[i] = (double)(i % 64);
        weights[i] = 1;
    }
    assert_false(fc_ratio_interval(sums, weights, 4, 64).independent);
}

static void inflation_measures_the_memory(void **state) {
    (void)state;
    double sums[2048], weights[2048], mean = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        fill_series(sums, weights, 4, 512, 0.8, seed);
        mean += fc_ratio_interval(sums, weights, 4, 512).inflation / 100;
    }
    assert_close(mean, 9, 0.2);
}

static void interval_of_a_ratio_with_unequal_weights(void **state) {
    (void)state;
    /* Weights carry all the variation: the ratio is exact and its interval has no width. */
    double sums[32], weights[32];
    for (size_t i = 0; i < 32; ++i) {
        weights[i] = 1 + (double)(i * 7 % 5);
        sums[i] = 2.5 * weights[i];
    }
    const fc_interval exact = fc_ratio_interval(sums, weights, 4, 8);
    assert_close(exact.mean, 2.5, 1e-15);
    assert_near(exact.half_width, 0, 1e-12);
    assert_true(exact.independent);
}

static void interval_of_hand_computed_batches(void **state) {
    (void)state;
    /* Residuals -1, 1, 1, -1 around 2: variance of the mean 4/3 / 4, 3 degrees of freedom. */
    const double sums[] = {1, 3, 3, 1}, weights[] = {1, 1, 1, 1};
    const fc_interval interval = fc_ratio_interval(sums, weights, 4, 1);
    assert_close(interval.mean, 2, 1e-15);
    assert_close(interval.half_width, 3.182446305284263 * sqrt(4.0 / 3 / 4), 1e-12);
    assert_int_equal(interval.batches, 4);
}

static void interval_without_data(void **state) {
    (void)state;
    const double zero[4] = {0}, one[4] = {1, 1, 1, 1};
    assert_true(isnan(fc_ratio_interval(zero, zero, 2, 2).mean));
    assert_true(isinf(fc_ratio_interval(one, one, 1, 1).half_width));
    assert_false(fc_ratio_interval(one, one, 1, 1).independent);
    const fc_interval constant = fc_ratio_interval(one, one, 2, 2);
    assert_true(constant.mean == 1 && constant.half_width == 0 && constant.independent);
}

/* A series that is half explained by a control of mean 0: the mean is freed of what the control
 * happened to be, the interval narrows by what it explains and still holds the mean. */
static void controls_narrow_an_interval_and_keep_its_promise(void **state) {
    (void)state;
    enum { RUNS = 400, REPLICATIONS = 4, BATCHES = 32, ALL = REPLICATIONS * BATCHES };
    static double sums[ALL], weights[ALL], controls[2 * ALL];
    unsigned covered = 0;
    double narrower = 0;
    for (uint32_t run = 0; run < RUNS; ++run) {
        fc_random random = fc_random_stream(5, run, 0);
        for (size_t i = 0; i < ALL; ++i) {
            controls[i] = fc_random_unit(&random) - 0.5;
            controls[ALL + i] = 0; /* has no scatter: must not matter */
            weights[i] = 1;
            sums[i] = 10 + 3 * controls[i] + 1.5 * (fc_random_unit(&random) - 0.5);
        }
        const fc_interval plain = fc_ratio_interval(sums, weights, REPLICATIONS, BATCHES);
        const fc_interval interval =
            fc_controlled_interval(sums, weights, controls, 2, REPLICATIONS, BATCHES);
        covered += fabs(interval.mean - 10) <= interval.half_width;
        narrower += plain.half_width / interval.half_width / RUNS;
    }
    print_message("covered %u of %d, %.2f times narrower\n", covered, RUNS, narrower);
    assert_in_range(covered, RUNS * 92 / 100, RUNS * 99 / 100);
    assert_close(narrower, sqrt(5), 0.05); /* variances of 9, 9 / 4 before they are added */
    /* With fewer than 32 batches the slopes would cost more than they bring. */
    const fc_interval few = fc_controlled_interval(sums, weights, controls, 2, 1, 31);
    assert_true(few.mean == fc_ratio_interval(sums, weights, 1, 31).mean);
    /* What a control explains completely is known, whatever batches the slope comes from. */
    for (size_t i = 0; i < ALL; ++i)
        sums[i] = 10 + 3 * controls[i];
    const fc_interval exact =
        fc_controlled_interval(sums, weights, controls, 2, REPLICATIONS, BATCHES);
    assert_close(exact.mean, 10, 1e-12);
    assert_true(exact.half_width < 1e-9);
}

/* Hops of messages: every batch has another number of them, and the control is their hops less what
 * they would be on average. The mean that the control leaves is exact, though the mean before it is
 * not and the weights are correlated with the control by chance. */
static void what_a_control_explains_completely_is_exact(void **state) {
    (void)state;
    enum { REPLICATIONS = 4, BATCHES = 32, ALL = REPLICATIONS * BATCHES };
    static double sums[ALL], weights[ALL], controls[ALL];
    for (uint32_t seed = 0; seed < 20; ++seed) {
        fc_random random = fc_random_stream(9, seed, 0);
        for (size_t i = 0; i < ALL; ++i) {
            weights[i] = 10 + (double)fc_random_below(&random, 21);
            controls[i] = 0;
            for (int message = 0; message < (int)weights[i]; ++message)
                controls[i] += (double)fc_random_below(&random, 7) - 3;
            sums[i] = 4 * weights[i] + controls[i];
        }
        const fc_interval plain = fc_ratio_interval(sums, weights, REPLICATIONS, BATCHES);
        const fc_interval exact =
            fc_controlled_interval(sums, weights, controls, 1, REPLICATIONS, BATCHES);
        assert_true(fabs(plain.mean - 4) < 3 * plain.half_width);
        assert_true(fabs(exact.mean - 4) < 1e-3 * fabs(plain.mean - 4) + 1e-12);
        assert_true(exact.half_width < 1e-2 * plain.half_width);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_quantile_agrees_with_gsl),
        cmocka_unit_test(student_quantile_at_the_ends),
        cmocka_unit_test(moments_of_hand_computed_samples),
        cmocka_unit_test(mser_finds_the_end_of_a_transient),
        cmocka_unit_test(mser_leaves_a_constant_alone_and_refuses_a_trend),
        cmocka_unit_test(intervals_cover_with_and_without_correlation),
        cmocka_unit_test(negative_correlation_does_not_widen_an_interval),
        cmocka_unit_test(intervals_allow_for_the_bias_of_stopping),
        cmocka_unit_test(interval_reports_correlation_it_cannot_remove),
        cmocka_unit_test(inflation_measures_the_memory),
        cmocka_unit_test(interval_of_a_ratio_with_unequal_weights),
        cmocka_unit_test(interval_of_hand_computed_batches),
        cmocka_unit_test(interval_without_data),
        cmocka_unit_test(controls_narrow_an_interval_and_keep_its_promise),
        cmocka_unit_test(what_a_control_explains_completely_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
