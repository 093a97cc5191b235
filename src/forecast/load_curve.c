/* With u the load over the saturation load and v = -log(1 - u), the latency is
 *
 *     empty + load e^G(v)
 *
 * G is linear in v between the knots, constant below the first, and beyond the last goes on with
 * the last slope, at least `steepest_least`. A queue with one server has slope 1 near saturation;
 * measured curves have 0.4 to 1.2. In v curves are nearly straight, so that a few knots are enough
 * and an error of the saturation load moves a curve instead of bending it.
 *
 * The 99th percentile has a curve of its own. The other percentiles follow from the two: what a
 * message waits is taken for a gamma variable with the mean and the 99th percentile of the curve.
 */
#include "forecast/load_curve.h"

#include <math.h>
#include <string.h>
#include "queueing/gamma_distribution.h"

static const double quantile = 1.645;        /* of the normal distribution: 90 % are between both */
static const double simulation_share = 0.01; /* what a simulation itself is uncertain by */
static const double steepest_least = 0.3;
static const double u_most = 1 - 1e-9;

static double coordinate(double u) {
    return -log1p(-fmin(u, u_most));
}

fc_load_curve fc_load_curve_of(const fc_traits *traits, const fc_learned_curve *learned,
                               bool percentiles) {
    const double reach = quantile * learned->saturation_spread;
    fc_load_curve curve = {.saturation = learned->saturation,
                           .low = learned->saturation * exp(-reach),
                           .high = fmin(learned->saturation * exp(reach), traits->capacity)};
    curve.high = fmax(curve.high, curve.saturation);
    memcpy(curve.empty, traits->empty, sizeof curve.empty);
    memcpy(curve.growth, learned->growth, sizeof curve.growth);
    memcpy(curve.median, learned->median, sizeof curve.median);
    memcpy(curve.spread, learned->spread, sizeof curve.spread);
    if (!percentiles)
        for (int i = FC_P50; i < FC_LATENCIES; ++i)
            curve.empty[i] = (double)NAN;
    for (int k = 0; k < FC_KNOTS; ++k)
        curve.tail[k] = log(fc_knots[k]) + learned->growth[k] + learned->tail[k];
    return curve;
}

/* Linear between the knots; beyond the last with this slope at least, or constant if it is 0. */
static double between(const double values[FC_KNOTS], double v, double least) {
    const double first = coordinate(fc_knots[0]);
    if (v <= first)
        return values[0];
    int k = 1;
    while (k < FC_KNOTS - 1 && v > coordinate(fc_knots[k]))
        ++k;
    const double from = coordinate(fc_knots[k - 1]), to = coordinate(fc_knots[k]);
    const double slope = (values[k] - values[k - 1]) / (to - from);
    if (v > to)
        return values[k] + (v - to) * (least > 0 ? fmax(least, slope) : 0);
    return values[k - 1] + (v - from) * slope;
}

/* ---- percentiles ---- */

static double gamma_quantile(double mean, double variance, double level) {
    double low = 0, high = mean;
    while (fc_gamma_below(mean, variance, high) < level)
        high *= 2;
    for (int step = 0; step < 30; ++step) {
        const double middle = 0.5 * (low + high);
        *(fc_gamma_below(mean, variance, middle) < level ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* The variance with which 99 % are below p99. It grows with p99 over the mean, up to the variance
 * from which on most of a gamma variable is near 0. */
static double variance_of(double mean, double p99) {
    double low = log(1e-3), high = log(12.0);
    for (int step = 0; step < 30; ++step) {
        const double middle = 0.5 * (low + high);
        *(fc_gamma_below(mean, exp(middle) * mean * mean, p99) > 0.99 ? &low : &high) = middle;
    }
    return exp(low) * mean * mean;
}

static void find_percentiles(const fc_load_curve *curve, double excess, double tail,
                             fc_load_point *point) {
    static const double levels[FC_LATENCIES] = {[FC_P50] = 0.5, [FC_P95] = 0.95};
    const double least = 1e-9 * curve->empty[FC_MEAN];
    const double variance = excess > least ? variance_of(excess, tail) : 0;
    point->latency[FC_P99] = fmax(curve->empty[FC_P99] + tail, point->latency[FC_MEAN]);
    for (int i = FC_P50; i < FC_P99; ++i) {
        const double wait = variance > 0 ? gamma_quantile(excess, variance, levels[i]) : 0;
        point->latency[i] = fmin(curve->empty[i] + wait, point->latency[FC_P99]);
    }
}

/* What the 99th percentile has beyond the empty network's: itself interpolated, since over the load
 * it may fall; below the first knot in proportion to the load. */
static double tail_at(const fc_load_curve *curve, double load, double v) {
    const double light = fmin(1, load / (fc_knots[0] * curve->saturation));
    return curve->saturation * light * exp(between(curve->tail, v, steepest_least));
}

fc_load_point fc_load_curve_at(const fc_load_curve *curve, double load) {
    const double v = coordinate(load / curve->saturation);
    const double excess = load * exp(between(curve->growth, v, steepest_least));
    const double reach = quantile * between(curve->spread, v, 0);
    const double empty = curve->empty[FC_MEAN];
    fc_load_point point = {.latency = {NAN, NAN, NAN, NAN}};
    point.latency[FC_MEAN] = empty + excess;
    const double middle = load * exp(between(curve->median, v, steepest_least));
    point.low = (empty + fmin(excess, middle * exp(-reach))) * (1 - simulation_share);
    point.high = load < curve->low
                     ? (empty + fmax(excess, middle * exp(reach))) * (1 + simulation_share)
                     : (double)INFINITY;
    if (isfinite(curve->tail[0]) && isfinite(curve->empty[FC_P99]))
        find_percentiles(curve, excess, tail_at(curve, load, v), &point);
    return point;
}
