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

static double moved(const fc_forecast *forecast, int which, double factor, double value) {
    const double beyond = value - forecast->empty[which];
    return beyond > 0 ? forecast->empty[which] + beyond * factor : value;
}

/* The median moves with the mean, p99 has a forecast of its own, p95 is between them. All stay in
 * order. Where the model's p99 hardly exceeds that of the empty network the ratio of two such
 * excesses says nothing of p95: then it divides the distance from p50 to p99 as the model's does.
 */
static void move_percentiles(const fc_forecast *forecast, double stretch, fc_result *result) {
    fc_metric *metric[FC_LATENCIES] = {NULL};
    for (int which = FC_P50; which < FC_LATENCIES; ++which) {
        metric[which] = fc_result_find(result, metric_of[which]);
        if (!metric[which])
            return;
        metric[which]->uncalibrated = metric[which]->value;
    }
    const double p50 = metric[FC_P50]->value, p95 = metric[FC_P95]->value;
    const double p99 = metric[FC_P99]->value, excess = p99 - forecast->empty[FC_P99];
    const double tail = excess > 0 ? (forecast->p99 - forecast->empty[FC_P99]) / excess : stretch;
    const double least = moved(forecast, FC_P50, stretch, p50);
    const double most = fmax(least, moved(forecast, FC_P99, tail, p99));
    double between = moved(forecast, FC_P95, sqrt(stretch * fmax(0, tail)), p95);
    if (between >= most && p99 > p50)
        between = least + (most - least) * (p95 - p50) / (p99 - p50);
    metric[FC_P50]->value = least;
    metric[FC_P95]->value = fmin(most, fmax(least, between));
    metric[FC_P99]->value = most;
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
