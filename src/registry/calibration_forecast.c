/* Calibration by forecast: a model that learned from simulations (fc_forecast) says what the
 * latency is; the model's own answer gives the parts that it is made of. All that the latency has
 * beyond the empty network's is multiplied by one factor, so that parts and metrics still add up
 * and the empty network stays exact. */
#include <math.h>
#include "registry/calibration.h"
#include "registry/calibration_inputs.h"

const double fc_forecast_beyond = 1.1;
static const double beyond_worth_a_note = 0.005;

static const fc_metric_id metric_of[FC_LATENCIES] = {FC_METRIC_LATENCY, FC_METRIC_LATENCY_P50,
                                                     FC_METRIC_LATENCY_P95, FC_METRIC_LATENCY_P99};

/* The median moves with the mean, p99 has a forecast of its own, p95 is between them. All stay in
 * order. */
static void move_percentiles(const fc_forecast *forecast, double stretch, fc_result *result) {
    double least = 0;
    const fc_metric *last = fc_result_find(result, FC_METRIC_LATENCY_P99);
    const double excess = last ? last->value - forecast->empty[FC_P99] : 0;
    const double tail = excess > 0 ? (forecast->p99 - forecast->empty[FC_P99]) / excess : stretch;
    const double factors[FC_LATENCIES] = {
        [FC_P50] = stretch, [FC_P95] = sqrt(stretch * fmax(0, tail)), [FC_P99] = tail};
    for (int which = FC_P50; which < FC_LATENCIES; ++which) {
        fc_metric *metric = fc_result_find(result, metric_of[which]);
        if (!metric)
            continue;
        const double empty = forecast->empty[which];
        const double beyond = metric->value - empty;
        least = fmax(least, beyond > 0 ? empty + beyond * factors[which] : metric->value);
        metric->uncalibrated = metric->value;
        metric->value = least;
    }
}

bool fc_calibrate_to(const fc_calibration_points *points, const fc_forecast *forecast, double times,
                     fc_result *result) {
    const fc_metric *latency = fc_result_find(result, FC_METRIC_LATENCY);
    const double empty = forecast->empty[FC_MEAN];
    const double excess = latency ? latency->value - empty : 0;
    if (!latency || !forecast->known)
        return false;
    if (!(excess > 0))
        return true;
    const double stretch = (forecast->latency - empty) / excess;
    move_percentiles(forecast, stretch, result);
    fc_calibration_move(points, empty, stretch, result);
    fc_calibration_set_interval(result, forecast->latency, forecast->low, forecast->high,
                                forecast->wide);
    if (times > 1)
        fc_calibration_raise_load(times, result);
    if (expm1(forecast->margin) >= beyond_worth_a_note)
        fc_result_add_note(result,
                           "this load is %.0f %% above the forecast saturation load; "
                           "the network may be saturated",
                           100 * expm1(forecast->margin));
    return true;
}
