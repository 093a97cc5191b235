/* Calibration by curve: one curve for all loads of a network, from sums of trees.
 *
 * What a latency has beyond the empty network's, the excess E, has a level u = E / (E + scale),
 * between 0 and 1, where the scale is the network's own (fc_reference): on a hyperbola, u is the
 * load over the load at which the curve ends. The calibrated latency has the level v(u). v is known
 * at fixed levels, the knots: u e^t, where the trees give t for the network and the knot. It is
 * made to rise from knot to knot and linear between them. So the calibrated latency rises with the
 * load wherever the model's does, has no steps, and is exact without load. */
#include <math.h>
#include <string.h>
#include "base/hash.h"
#include "registry/calibration.h"
#include "registry/calibration_inputs.h"

const double fc_calibration_knots[FC_CALIBRATION_KNOTS] = {0.05, 0.15, 0.3,  0.45, 0.6,
                                                           0.7,  0.8,  0.87, 0.93, 0.98};
/* Of the mean's scale: the same for the quantiles of an exponential variable, ln 1 / (1 - p). */
static const double scale_of[FC_LATENCIES] = {1, 0.693, 2.996, 4.605};
static const fc_metric_id metric_of[FC_LATENCIES] = {FC_METRIC_LATENCY, FC_METRIC_LATENCY_P50,
                                                     FC_METRIC_LATENCY_P95, FC_METRIC_LATENCY_P99};
static const double level_most = 0.995; /* of those that the trees look at */
/* Levels of forecasts bend from here on towards the highest one: what is simulated just below
 * saturation is seldom higher. Where they would be beyond `saturated`, it is. */
static const double bend_from = 0.8, bend_to = 0.95, saturated = 1.15;
const double fc_calibration_beyond = 1.1;

double fc_calibration_scale(const fc_reference *reference, fc_latency_id which) {
    return scale_of[which] * reference->scale;
}

double fc_calibration_level(double excess, double scale) {
    return excess / (excess + scale);
}

/* ---- the curve ---- */

enum { KNOTS = FC_CALIBRATION_KNOTS };

static void raise_steadily(double *to) {
    for (size_t k = 1; k < KNOTS; ++k)
        to[k] = fmax(to[k - 1], to[k]);
}

static double along(const double *to, double u) {
    const double *knot = fc_calibration_knots;
    size_t k = 0;
    while (k < KNOTS && u > knot[k])
        ++k;
    if (k == KNOTS)
        return to[k - 1] * u / knot[k - 1];
    const double from = k ? knot[k - 1] : 0, low = k ? to[k - 1] : 0;
    return low + (to[k] - low) * (u - from) / (knot[k] - from);
}

void fc_calibration_curve_inputs(const fc_reference *reference, double u, double *at) {
    at[0] = fmin(u, level_most);
    memcpy(at + 1, reference->input, reference->inputs * sizeof *at);
}

void fc_calibration_find_curve(const fc_boosted_trees *trees, const double *deviation,
                               const fc_reference *reference, fc_latency_id which,
                               fc_calibration_curve *made) {
    double at[1 + FC_REFERENCE_INPUTS], shifts[KNOTS];
    const double scale = fc_calibration_scale(reference, which);
    fc_calibration_curve_inputs(reference, 0, at);
    fc_boosted_values(trees, at, fc_calibration_knots, KNOTS, shifts);
    for (size_t k = 0; k < KNOTS; ++k) {
        const double u = fc_calibration_knots[k], excess = scale * u / (1 - u);
        const fc_calibration_input input = {reference->empty[which], excess, {u}};
        const fc_calibrated_excess found = fc_calibration_forecast(&input, shifts[k], deviation[k]);
        made->forecast[k] = fc_calibration_level(found.stretch * excess, scale);
        made->low[k] = fc_calibration_level(found.low * excess, scale);
        made->high[k] = isinf(found.high) ? 1 : fc_calibration_level(found.high * excess, scale);
    }
    raise_steadily(made->forecast);
    raise_steadily(made->low);
    raise_steadily(made->high);
}

static double latency_of(double level, double scale, double empty) {
    return level < level_most ? empty + scale * level / (1 - level) : (double)INFINITY;
}

double fc_calibration_forecast_at(const fc_calibration_curve *curve, double scale, double empty,
                                  double u) {
    const double v = along(curve->forecast, u), range = bend_to - bend_from;
    return latency_of(v < bend_from ? v : bend_to - range * exp((bend_from - v) / range), scale,
                      empty);
}

void fc_calibration_interval_at(const fc_calibration_curve *curve, double scale, double empty,
                                double u, double *low, double *high) {
    *low = fmin(fc_calibration_forecast_at(curve, scale, empty, u),
                latency_of(along(curve->low, u), scale, empty));
    *high = latency_of(along(curve->high, u), scale, empty);
}

/* ---- results ---- */

static bool is_near(const fc_curve_trees *trees, const fc_reference *reference) {
    bool near = reference->found && reference->inputs == trees->inputs;
    for (size_t i = 0; near && i < trees->inputs; ++i) {
        const double margin = 0.05 * (trees->high[i] - trees->low[i]);
        near = reference->input[i] >= trees->low[i] - margin &&
               reference->input[i] <= trees->high[i] + margin;
    }
    return near;
}

/* Percentiles stay in order. p99 has a curve of its own, the median that of the mean; p95 is
 * between them. */
static void move_percentiles(const fc_curve_trees *trees, const fc_reference *reference,
                             const fc_calibration_curve *mean, double times, fc_result *result) {
    fc_calibration_curve tail;
    fc_calibration_find_curve(&trees->tail, trees->tail_deviation, reference, FC_P99, &tail);
    double least = 0;
    for (int which = FC_P50; which < FC_LATENCIES; ++which) {
        fc_metric *metric = fc_result_find(result, metric_of[which]);
        if (!metric)
            continue;
        const double empty = reference->empty[which], excess = metric->value - empty;
        const double scale = fc_calibration_scale(reference, (fc_latency_id)which);
        const double u = times * fc_calibration_level(excess, scale);
        double value = metric->value;
        if (excess > 0) {
            const double as_mean = fc_calibration_forecast_at(mean, scale, empty, u);
            const double as_tail = fc_calibration_forecast_at(&tail, scale, empty, u);
            value = which == FC_P50   ? as_mean
                    : which == FC_P95 ? 0.5 * (as_mean + as_tail)
                                      : as_tail;
        }
        least = fmax(least, value);
        metric->uncalibrated = metric->value;
        metric->value = least;
    }
}

/* What is proportional to the load: throughput and the utilisation of links. */
static void raise_load(double times, fc_result *result) {
    static const char *const columns[] = {"utilisation", "injection", "ejection"};
    fc_metric *throughput = fc_result_find(result, FC_METRIC_THROUGHPUT);
    if (throughput)
        throughput->value *= times;
    for (size_t t = 0; t < result->table_count; ++t) {
        fc_table *table = &result->tables[t];
        for (size_t c = 0; c < table->columns; ++c)
            for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
                if (strcmp(table->column_names[c], columns[k]) == 0)
                    for (size_t row = 0; row < table->rows; ++row)
                        table->values[row * table->columns + c] *= times;
    }
    for (size_t m = 0; m < result->metric_count; ++m)
        result->metrics[m].uncalibrated = NAN; /* the model alone has no answer */
    for (size_t p = 0; p < result->part_count; ++p)
        result->parts[p].uncalibrated = NAN;
}

bool fc_calibrate_along(const fc_calibration_points *points, const fc_reference *reference,
                        double times, fc_result *result) {
    const fc_metric *latency = fc_result_find(result, metric_of[FC_MEAN]);
    const double empty = reference->empty[FC_MEAN], scale = reference->scale;
    const double excess = latency ? latency->value - empty : 0;
    if (!latency || !is_near(points->curve, reference))
        return false;
    if (!(excess > 0))
        return true;
    fc_calibration_curve mean;
    fc_calibration_find_curve(&points->curve->shift, points->curve->deviation, reference, FC_MEAN,
                              &mean);
    const double u = times * fc_calibration_level(excess, scale);
    if (times > 1 && along(mean.forecast, u) > saturated)
        return false;
    const double value = fc_calibration_forecast_at(&mean, scale, empty, u);
    double low, high;
    fc_calibration_interval_at(&mean, scale, empty, u, &low, &high);
    move_percentiles(points->curve, reference, &mean, times, result);
    fc_calibration_move(points, empty, (value - empty) / excess, result);
    fc_calibration_set_interval(result, value, low, high);
    if (times > 1)
        raise_load(times, result);
    return true;
}

bool fc_calibration_curve_limit(const fc_calibration_points *points, const fc_reference *reference,
                                double limit, double *ratio) {
    double at[FC_CALIBRATION_LIMIT_INPUTS];
    if (!is_near(points->curve, reference))
        return false;
    fc_calibration_limit_inputs(reference, limit, at);
    *ratio = exp(-fc_boosted_value(&points->curve->limit, at));
    return true;
}

void fc_calibration_limit_inputs(const fc_reference *reference, double limit, double *at) {
    at[0] = log(limit / reference->load);
    memcpy(at + 1, reference->input, reference->inputs * sizeof *at);
    memcpy(at + 1 + reference->inputs, reference->state, reference->states * sizeof *at);
}

uint64_t fc_curve_trees_hash(const fc_curve_trees *trees, uint64_t hash) {
    const fc_boosted_trees *all[] = {&trees->shift, &trees->tail, &trees->limit};
    for (size_t i = 0; i < 3; ++i)
        hash = fc_calibration_hash(all[i], hash);
    const double *const rules[] = {&bend_from, &bend_to, &saturated, &fc_calibration_beyond};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        hash = fc_hash(hash, rules[i], sizeof *rules[i]);
    return fc_hash(hash, trees->deviation, sizeof trees->deviation);
}
