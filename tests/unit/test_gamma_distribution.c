/* The gamma distribution against GSL's. */
#include "test_support.h"

#include <gsl/gsl_cdf.h>
#include "queueing/gamma_distribution.h"

static void agrees_with_gsl(void **state) {
    (void)state;
    static const double means[] = {0.01, 1, 30, 400}, spreads[] = {0.05, 0.5, 1, 2, 5};
    for (size_t m = 0; m < 4; ++m) {
        for (size_t s = 0; s < 5; ++s) {
            const double mean = means[m], deviation = spreads[s] * mean;
            const double variance = deviation * deviation;
            for (double x = 0.1; x < 8; x += 0.3) {
                const double expected =
                    gsl_cdf_gamma_P(x * mean, mean * mean / variance, variance / mean);
                assert_near(fc_gamma_below(mean, variance, x * mean), expected, 1e-10);
            }
        }
    }
    assert_near(fc_gamma_below(1, 1, 0), 0, 0);
    assert_near(fc_gamma_below(2, 4, 6), 1 - exp(-3), 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_gsl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
