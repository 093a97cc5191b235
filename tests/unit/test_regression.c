/* Gaussian-process regression: what it must give in cases that can be worked out by hand. */
#include "base/regression.h"
#include <math.h>
#include "test_support.h"

static const fc_kernel kernel = {.constant = 2, .slope = 0.5, .scale = 0.4, .length = 0.8};

static void test_nothing_known(void **state) {
    (void)state;
    fc_regression fit;
    fc_regression_fit(&kernel, NULL, NULL, NULL, 0, &fit);
    const fc_estimate at = fc_regression_at(&fit, 1);
    assert_close(at.mean, 0, 1e-12);
    /* constant, slope and at least the smallest scale */
    assert_true(at.deviation > sqrt(4 + 0.25));
    assert_true(at.deviation < 3);
}

/* Without a smooth part, a constant alone is a weighted mean with a prior: 1/4 + 2/0.01. */
static void test_constant(void **state) {
    (void)state;
    const fc_kernel constant = {.constant = 2, .scale = 1e-9, .length = 1};
    const double x[] = {0, 1}, values[] = {1, 1.2}, deviations[] = {0.1, 0.1};
    fc_regression fit;
    fc_regression_fit(&constant, x, values, deviations, 2, &fit);
    const double precision = 0.25 + 2 / 0.01;
    const fc_estimate at = fc_regression_at(&fit, 0.3);
    assert_close(at.mean, (1 + 1.2) / 0.01 / precision, 1e-6);
    assert_close(at.deviation, sqrt(1 / precision), 1e-6);
}

static void test_follows_exact_values(void **state) {
    (void)state;
    const double x[] = {0, 0.7, 1.1, 2}, values[] = {0.1, -0.3, 0.2, 0.5};
    const double deviations[] = {0, 0, 0, 0};
    fc_regression fit;
    fc_regression_fit(&kernel, x, values, deviations, 4, &fit);
    for (size_t i = 0; i < 4; ++i) {
        const fc_estimate at = fc_regression_at(&fit, x[i]);
        assert_close(at.mean, values[i], 1e-4);
        assert_true(at.deviation < 1e-3);
    }
    /* between and beyond the values it knows less */
    const double between = fc_regression_at(&fit, 1.55).deviation;
    assert_true(between > 1e-3);
    assert_true(fc_regression_at(&fit, 4).deviation > 2 * between);
}

/* Values that jump about ask for a larger scale, and so for a wider band, than smooth ones. */
static void test_learns_the_scale(void **state) {
    (void)state;
    const double x[] = {0, 0.6, 1.2, 1.8, 2.4}, smooth[] = {0, 0.1, 0.2, 0.3, 0.4};
    const double rough[] = {0, 0.9, -0.7, 1, -0.9}, deviations[] = {0.01, 0.01, 0.01, 0.01, 0.01};
    fc_regression quiet, wild;
    fc_regression_fit(&kernel, x, smooth, deviations, 5, &quiet);
    fc_regression_fit(&kernel, x, rough, deviations, 5, &wild);
    assert_true(fc_regression_at(&wild, 0.9).deviation >
                3 * fc_regression_at(&quiet, 0.9).deviation);
    assert_true(quiet.evidence > wild.evidence);
}

/* Two values at one place agree with each other: no matrix is singular. */
static void test_repeated_place(void **state) {
    (void)state;
    const double x[] = {1, 1, 1}, values[] = {0.5, 0.5, 0.5}, deviations[] = {0, 0, 0};
    fc_regression fit;
    fc_regression_fit(&kernel, x, values, deviations, 3, &fit);
    const fc_estimate at = fc_regression_at(&fit, 1);
    assert_close(at.mean, 0.5, 1e-3);
    assert_true(isfinite(fit.evidence) && isfinite(at.deviation));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_known),        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_follows_exact_values), cmocka_unit_test(test_learns_the_scale),
        cmocka_unit_test(test_repeated_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
