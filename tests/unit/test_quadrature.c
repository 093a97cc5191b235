#include "test_support.h"

#include "queueing/quadrature.h"

static double sum_of_power(const double *values, const double *weights, int count, int power) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += weights[i] * pow(values[i], power);
    return sum;
}

static void keeps_moments(void **state) {
    (void)state;
    enum { POINTS = 40 };
    for (int nodes = 1; nodes <= FC_QUADRATURE_MAX; ++nodes) {
        double values[POINTS], weights[POINTS], moments[2 * FC_QUADRATURE_MAX];
        for (int i = 0; i < POINTS; ++i) {
            values[i] = i * (i + 1) / (POINTS * (POINTS - 1.0));
            weights[i] = 1.0 / POINTS;
        }
        for (int power = 0; power < 2 * nodes; ++power)
            moments[power] = sum_of_power(values, weights, POINTS, power);
        const int kept = fc_quadrature_reduce(values, weights, POINTS, nodes);
        assert_int_equal(kept, nodes);
        for (int power = 0; power < 2 * nodes; ++power)
            assert_close(sum_of_power(values, weights, kept, power), moments[power], 1e-10);
        for (int i = 0; i < kept; ++i)
            assert_true(weights[i] > 0.0 && values[i] >= 0.0 && values[i] <= 1.0);
    }
}

static void merges_equal_points(void **state) {
    (void)state;
    double values[] = {1.0, 0.25, 1.0, 0.25, 1.0}, weights[] = {0.2, 0.1, 0.3, 0.3, 0.1};
    assert_int_equal(fc_quadrature_reduce(values, weights, 5, 3), 2);
    assert_close(values[0], 1.0, 1e-15);
    assert_close(weights[0], 0.6, 1e-15);
    assert_close(weights[1], 0.4, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_moments),
                                       cmocka_unit_test(merges_equal_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
