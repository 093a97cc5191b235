/* Exponential and logarithm with the same bits on every machine: those of C libraries differ in
 * the last one. Off by some 1e-15. */
#ifndef FC_FORECAST_LEARNED_NUMBERS_H
#define FC_FORECAST_LEARNED_NUMBERS_H

#include <math.h>

static inline double fc_learned_exp(double x) {
    if (!(x > -700))
        return x != x ? x : 0;
    x = x < 700 ? x : 700;
    const double n = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
    double sum = 1;
    for (int i = 13; i > 0; --i)
        sum = 1 + sum * r / i;
    return ldexp(sum, (int)n);
}

/* x: positive. */
static inline double fc_learned_log(double x) {
    int n;
    double m = frexp(x, &n);
    if (m < 0.70710678118654752) {
        m *= 2;
        --n;
    }
    const double s = (m - 1) / (m + 1), square = s * s;
    double sum = 0;
    for (int i = 21; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return n * 0.693147180559945309417 + 2 * s * sum;
}

#endif
