#include "models/multistage/multistage_correction.h"

#include <math.h>
#include "registry/parts.h"
#include "scenario/multistage.h"
#include "scenario/scenario.h"

static const double quantile = 1.645;        /* of the normal distribution: 90 % are between both */
static const double simulation_share = 0.01; /* what a simulation itself is uncertain by */
static const double shift_most = 1;

static void scale_part(fc_result *result, const char *name, double factor) {
    fc_metric *part = fc_result_part(result, name);
    if (part)
        fc_metric_correct(part, factor * part->value);
}

static double moved_by(double service, double latency, double t) {
    return service + (latency - service) * exp(fmax(-shift_most, fmin(shift_most, t)));
}

fc_status fc_multistage_correct(const fc_learned_values *values, const fc_scenario *scenario,
                                fc_result *result) {
    static const fc_metric_id latencies[] = {FC_METRIC_LATENCY_HOT, FC_METRIC_LATENCY_COLD};
    const fc_multistage *network = scenario->parameters;
    const double service = fc_result_part_value(result, FC_PART_SERVICE),
                 reach = quantile * values->spread[0];
    const double latency = fc_result_value(result, FC_METRIC_LATENCY);
    double moved = moved_by(service, latency, values->value[0]);
    if (network->outstanding != FC_INFINITE) { /* Little's law: no more are under way */
        const double carried = fc_result_value(result, FC_METRIC_THROUGHPUT);
        moved = fmin(moved, fmax(latency, (double)network->outstanding / carried));
    }
    const double factor = (moved - service) / (latency - service);
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; ++i) {
        fc_metric *metric = fc_result_find(result, latencies[i]);
        if (metric)
            fc_metric_correct(metric, service + factor * (metric->value - service));
    }
    fc_metric *power = fc_result_find(result, FC_METRIC_POWER);
    if (power)
        fc_metric_correct(power, power->value * latency / moved);
    fc_metric_correct(fc_result_find(result, FC_METRIC_LATENCY), moved);
    scale_part(result, FC_PART_HELD, factor);
    scale_part(result, FC_PART_BUFFERS, factor);
    const double low = moved_by(service, latency, values->value[0] - reach),
                 high = moved_by(service, latency, values->value[0] + reach);
    result->value_low = fmin(moved, fmax(service, low)) * (1 - simulation_share);
    result->value_high = fmax(moved, high) * (1 + simulation_share);
    return FC_OK;
}
