/* The fixed-point solver on maps with known solutions, and on maps that misbehave. */
#include "test_support.h"

#include "queueing/fixed_point.h"

/* x_i = (b_i + sum of neighbours / 4): a linear contraction with a known solution b = 1 -> 2. */
static void linear_map(void *context, const double *x, double *image) {
    const size_t n = *(const size_t *)context;
    for (size_t i = 0; i < n; ++i)
        image[i] = 1.0 + 0.25 * (x[(i + 1) % n] + x[(i + n - 1) % n]);
}

static void solves_a_contraction(void **state) {
    (void)state;
    size_t n = 50;
    double x[50] = {0};
    const fc_fixed_point_settings settings = fc_fixed_point_default();
    fc_fixed_point_info info;
    assert_int_equal(fc_fixed_point_solve(linear_map, &n, n, &settings, x, &info), FC_OK);
    assert_true(info.converged);
    for (size_t i = 0; i < n; ++i)
        assert_near(x[i], 2.0, 1e-6);
}

/* Plain iteration of x = c / x^3 diverges, and damping by 1/2 too. */
static void steep_map(void *context, const double *x, double *image) {
    (void)context;
    for (size_t i = 0; i < 3; ++i)
        image[i] = (double)(i + 2) / (x[i] * x[i] * x[i] + 1e-9);
}

static void accelerates_where_iteration_diverges(void **state) {
    (void)state;
    double x[3] = {1.0, 1.0, 1.0};
    const fc_fixed_point_settings settings = fc_fixed_point_default();
    fc_fixed_point_info info;
    assert_int_equal(fc_fixed_point_solve(steep_map, NULL, 3, &settings, x, &info), FC_OK);
    assert_true(info.converged);
    for (size_t i = 0; i < 3; ++i)
        assert_near(x[i], pow((double)(i + 2), 0.25), 1e-6);
}

static void nothing_map(void *context, const double *x, double *image) {
    (void)context;
    image[0] = x[0] + 1.0;
}

static void nan_map(void *context, const double *x, double *image) {
    (void)context;
    image[0] = x[0] > 0.5 ? NAN : x[0] + 0.4;
}

static void says_when_it_fails(void **state) {
    (void)state;
    const fc_fixed_point_settings settings = fc_fixed_point_default();
    fc_fixed_point_info info;
    double x = 0.0;
    assert_int_equal(fc_fixed_point_solve(nothing_map, NULL, 1, &settings, &x, &info), FC_OK);
    assert_false(info.converged);
    assert_true(info.residual >= 1.0);
    x = 0.0;
    assert_int_equal(fc_fixed_point_solve(nan_map, NULL, 1, &settings, &x, &info), FC_OK);
    assert_false(info.converged);
    assert_true(isfinite(x));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_a_contraction),
        cmocka_unit_test(accelerates_where_iteration_diverges),
        cmocka_unit_test(says_when_it_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
