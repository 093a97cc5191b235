/* The regularised incomplete gamma function P(a, x): its power series below x = a + 1, the
 * continued fraction of 1 - P above, by the method of Lentz. Both converge in about sqrt(a) steps.
 */
#include "queueing/gamma_distribution.h"
#include "base/statistics.h"

#include <math.h>

enum { STEPS_MAX = 2000 };
static const double precision = 1e-12, tiny = 1e-300;

static double by_series(double a, double x) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < STEPS_MAX && term > precision * sum; ++n) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * exp(a * log(x) - x - fc_log_gamma(a));
}

static double by_fraction(double a, double x) {
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
    for (int n = 1; n < STEPS_MAX; ++n) {
        const double factor = -n * (n - a);
        b += 2;
        d = factor * d + b;
        d = fabs(d) < tiny ? tiny : d;
        c = b + factor / c;
        c = fabs(c) < tiny ? tiny : c;
        d = 1 / d;
        value *= d * c;
        if (fabs(d * c - 1) < precision)
            break;
    }
    return 1 - value * exp(a * log(x) - x - fc_log_gamma(a));
}

double fc_gamma_below(double mean, double variance, double x) {
    if (x <= 0)
        return 0;
    const double shape = mean * mean / variance, at = x * mean / variance;
    return at < shape + 1 ? by_series(shape, at) : by_fraction(shape, at);
}
