#include "registry/calibration_factors.h"

#include <math.h>
#include <string.h>
#include "base/hash.h"
#include "registry/calibration_inputs.h"
#include "registry/parts.h"
#include "scenario/multistage.h"

/* The calibration fades out beyond the data: it is gone where an input is further from those of the
 * data than this share of their range. */
static const double margin_share = 0.05;
static const double quantile = 1.645;        /* of the normal distribution: 90 % on both sides */
static const double simulation_share = 0.01; /* what a simulation itself is uncertain by */
const double fc_factor_wide_efficiency = 0.06, fc_factor_wide_time = 0.06,
             fc_factor_wide_latency = 0.04;
const double fc_factor_latency_most = 1;

const fc_factor_calibration *fc_factor_find(const char *model) {
    const fc_factor_calibration *at = fc_factor_calibrations;
    while (at->model && strcmp(at->model, model) != 0)
        ++at;
    return at->model ? at : NULL;
}

/* The weights of the last perceptron and the last tree depend on all that was fitted. */
static uint64_t fit_hash(const fc_factor_fit *fit, uint64_t hash) {
    const fc_perceptrons *all = &fit->value;
    const size_t size = fc_perceptron_size(all->inputs);
    hash = fc_hash(hash, all->weights + (all->count - 1) * size, size * sizeof *all->weights);
    return fc_calibration_hash(&fit->spread, hash);
}

uint32_t fc_factor_identity(const fc_factor_calibration *calibration) {
    uint64_t hash = fit_hash(&calibration->main, FC_HASH_START);
    if (calibration->time.value.count)
        hash = fit_hash(&calibration->time, hash);
    return (uint32_t)(hash ^ hash >> 32);
}

/* How near the data are: 1 among them, 0 where there are none. */
static double nearness(const fc_factor_calibration *calibration, const double *values) {
    double near = 1;
    for (size_t i = 0; i < calibration->inputs; ++i) {
        const double low = calibration->low[i], high = calibration->high[i];
        const double beyond = fmax(low - values[i], values[i] - high);
        near = fmin(near, beyond > 0 ? 1 - beyond / (margin_share * (high - low)) : 1);
    }
    return near;
}

static void move(fc_metric *metric, double value) {
    metric->uncalibrated = metric->value;
    metric->value = value;
}

static void move_metric(fc_result *result, fc_metric_id id, double value) {
    fc_metric *metric = fc_result_find(result, id);
    if (metric)
        move(metric, value);
}

static void scale_metric(fc_result *result, fc_metric_id id, double factor, double most) {
    fc_metric *metric = fc_result_find(result, id);
    if (metric)
        move(metric, fmin(most, factor * metric->value));
}

static void move_part(fc_result *result, const char *name, double value) {
    for (size_t p = 0; p < result->part_count; ++p)
        if (strcmp(result->parts[p].name, name) == 0)
            move(&result->parts[p], value);
}

/* The factor within which the simulated value is expected with 90 %. */
static double reach_of(const fc_factor_fit *fit, const double *values) {
    return exp(quantile * exp(fc_boosted_value(&fit->spread, values))) * (1 + simulation_share);
}

static void warn_if_wide(fc_result *result, const char *what, double value, double low, double high,
                         double wide) {
    if (low < (1 - wide) * value || high > (1 + wide) * value)
        fc_result_add_note(result,
                           "uncertain: the true %s may be %.0f %% lower to %.0f %% higher (90 %% "
                           "interval); simulate it",
                           what, 100 * (1 - low / value), 100 * (high / value - 1));
}

/* ---- closed traffic ---- */

/* All that is in a round trip, so that it adds up: waits in the network have one factor, those for
 * processor and memory another. */
static void move_round_trip(const fc_cycle *cycle, double efficiency, double network,
                            fc_result *result) {
    const double faster = efficiency / cycle->efficiency;
    const double round_trip = cycle->outstanding * cycle->think / efficiency;
    const double rest = fmax(0, round_trip - cycle->think - cycle->reply - network);
    const double at_processor = fc_calibration_part(result, FC_PART_PROCESSOR_WAIT),
                 at_memory = fc_calibration_part(result, FC_PART_MEMORY_WAIT);
    const double moved =
        at_processor > 0 ? fmin(rest, rest * at_processor / (at_processor + at_memory)) : 0;
    const double in_network = (network - cycle->empty) / (cycle->network - cycle->empty);
    const double remote = cycle->reply + rest - moved, response = network + remote;
    const double slower = response / fc_result_value(result, FC_METRIC_RESPONSE_TIME);
    move_part(result, FC_PART_PROCESSOR_WAIT, moved);
    move_part(result, FC_PART_MEMORY_WAIT, rest - moved);
    move_part(result, FC_PART_NODE_LINK,
              in_network * fc_calibration_part(result, FC_PART_NODE_LINK));
    move_part(result, FC_PART_SHARING, in_network * fc_calibration_part(result, FC_PART_SHARING));
    move_metric(result, FC_METRIC_EFFICIENCY, efficiency);
    scale_metric(result, FC_METRIC_EFFICIENCY_MAX, faster, 1);
    scale_metric(result, FC_METRIC_EFFICIENCY_MIN, faster, 1);
    scale_metric(result, FC_METRIC_THROUGHPUT, faster, INFINITY);
    move_metric(result, FC_METRIC_NETWORK_TIME, network);
    move_metric(result, FC_METRIC_REMOTE_TIME, remote);
    move_metric(result, FC_METRIC_RESPONSE_TIME, response);
    scale_metric(result, FC_METRIC_RESPONSE_TIME_HOT, slower, INFINITY);
    scale_metric(result, FC_METRIC_RESPONSE_TIME_COLD, slower, INFINITY);
    move_metric(result, FC_METRIC_ROUND_TRIP, round_trip);
}

static void calibrate_closed(const fc_factor_calibration *calibration, const fc_scenario *scenario,
                             double near, double *values, fc_result *result) {
    const fc_cycle cycle = fc_cycle_of(scenario, result);
    const double t = fc_perceptrons_value(&calibration->main.value, values);
    values[calibration->inputs] = t;
    const double efficiency = fc_cycle_efficiency(&cycle, near * t);
    const double share = fc_perceptrons_value(&calibration->time.value, values);
    const double network = fc_cycle_network(&cycle, efficiency, near * share);
    const double reach = reach_of(&calibration->main, values),
                 time_reach = reach_of(&calibration->time, values);
    move_round_trip(&cycle, efficiency, network, result);
    result->value_low = efficiency / reach;
    result->value_high = fmin(1, efficiency * reach);
    result->time_low = fmax(cycle.empty / (1 + simulation_share), network / time_reach);
    result->time_high = network * time_reach;
    warn_if_wide(result, "efficiency", efficiency, result->value_low, result->value_high,
                 fc_factor_wide_efficiency);
    warn_if_wide(result, "network time", network, result->time_low, result->time_high,
                 fc_factor_wide_time);
    if (fc_factor_doubts(values) && !strstr(result->note, "uncertain"))
        fc_result_add_note(result,
                           "uncertain: some processors get through %.0f times as often as others, "
                           "and the means of such networks take long to settle; simulate it",
                           fc_result_value(result, FC_METRIC_EFFICIENCY_MAX) /
                               fc_result_value(result, FC_METRIC_EFFICIENCY_MIN));
}

/* ---- multistage networks ---- */

static void calibrate_multistage(const fc_factor_calibration *calibration,
                                 const fc_scenario *scenario, double near, const double *values,
                                 fc_result *result) {
    const fc_multistage *network = scenario->parameters;
    const double service = fc_calibration_part(result, FC_PART_SERVICE);
    const double latency = fc_result_value(result, FC_METRIC_LATENCY);
    const double carried = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double t = near * fc_perceptrons_value(&calibration->main.value, values);
    double moved = service + (latency - service) * exp(fmax(-fc_factor_latency_most,
                                                            fmin(fc_factor_latency_most, t)));
    if (network->outstanding != FC_INFINITE) /* Little's law: no more are under way */
        moved = fmin(moved, fmax(latency, (double)network->outstanding / carried));
    const double factor = (moved - service) / (latency - service);
    static const fc_metric_id latencies[] = {FC_METRIC_LATENCY_HOT, FC_METRIC_LATENCY_COLD};
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; ++i)
        move_metric(result, latencies[i],
                    service + factor * (fc_result_value(result, latencies[i]) - service));
    move_metric(result, FC_METRIC_LATENCY, moved);
    scale_metric(result, FC_METRIC_POWER, latency / moved, INFINITY);
    move_part(result, FC_PART_HELD, factor * fc_calibration_part(result, FC_PART_HELD));
    move_part(result, FC_PART_BUFFERS, factor * fc_calibration_part(result, FC_PART_BUFFERS));
    const double reach = reach_of(&calibration->main, values);
    result->value_low = fmax(service / (1 + simulation_share), moved / reach);
    result->value_high = moved * reach;
    warn_if_wide(result, "latency", moved, result->value_low, result->value_high,
                 fc_factor_wide_latency);
    if (network->outstanding != FC_INFINITE && network->hot.share > 0 &&
        network->contention == FC_CONTENTION_OUTPUT_PORT && !strstr(result->note, "uncertain"))
        fc_result_add_note(result,
                           "uncertain: hot spots with both contention for output ports and a limit "
                           "of outstanding packets were up to 16 %% off; simulate it");
}

/* ---- */

void fc_factor_calibrate(const fc_factor_calibration *calibration, const fc_scenario *scenario,
                         fc_result *result) {
    double values[FC_FACTOR_INPUTS];
    if (calibration->inputs != fc_factor_inputs(calibration->model) ||
        !fc_factor_read(scenario, result, values))
        return;
    const double near = nearness(calibration, values);
    if (!(near > 0))
        return;
    result->calibrated = calibration->networks;
    if (calibration->time.value.count)
        calibrate_closed(calibration, scenario, near, values, result);
    else
        calibrate_multistage(calibration, scenario, near, values, result);
}
