/* Moves all times of a round trip together, so that it adds up and Little's law holds
 * (closed_cycle.h). */
#include "models/closed/closed_correction.h"

#include <math.h>
#include "models/closed/closed_hot.h"
#include "registry/parts.h"

static const double quantile = 1.645;        /* of the normal distribution: 90 % are between both */
static const double simulation_share = 0.01; /* what a simulation itself is uncertain by */
static const double most_uneven =
    20; /* times as often as the slowest does the fastest get through */

static void move_metric(fc_result *result, fc_metric_id id, double value) {
    fc_metric *metric = fc_result_find(result, id);
    if (metric)
        fc_metric_correct(metric, value);
}

static void scale_metric(fc_result *result, fc_metric_id id, double factor, double most) {
    fc_metric *metric = fc_result_find(result, id);
    if (metric)
        fc_metric_correct(metric, fmin(most, factor * metric->value));
}

static void move_part(fc_result *result, const char *name, double value) {
    fc_metric *part = fc_result_part(result, name);
    if (part)
        fc_metric_correct(part, value);
}

/* Waits in the network have one factor, those for processor and memory another. */
static void move_round_trip(const fc_closed_cycle *cycle, double efficiency, double network,
                            fc_result *result) {
    const double faster = efficiency / cycle->efficiency;
    const double round_trip = cycle->outstanding * cycle->think / efficiency;
    const double rest = fmax(0, round_trip - cycle->think - cycle->reply - network);
    const double at_processor = fc_result_part_value(result, FC_PART_PROCESSOR_WAIT),
                 at_memory = fc_result_part_value(result, FC_PART_MEMORY_WAIT);
    const double moved =
        at_processor > 0 ? fmin(rest, rest * at_processor / (at_processor + at_memory)) : 0;
    const double in_network = (network - cycle->empty) / (cycle->network - cycle->empty);
    const double remote = cycle->reply + rest - moved, response = network + remote;
    move_part(result, FC_PART_PROCESSOR_WAIT, moved);
    move_part(result, FC_PART_MEMORY_WAIT, rest - moved);
    move_part(result, FC_PART_NODE_LINK,
              in_network * fc_result_part_value(result, FC_PART_NODE_LINK));
    move_part(result, FC_PART_SHARING, in_network * fc_result_part_value(result, FC_PART_SHARING));
    move_metric(result, FC_METRIC_EFFICIENCY, efficiency);
    scale_metric(result, FC_METRIC_EFFICIENCY_MAX, faster, 1);
    scale_metric(result, FC_METRIC_EFFICIENCY_MIN, faster, 1);
    scale_metric(result, FC_METRIC_THROUGHPUT, faster, INFINITY);
    move_metric(result, FC_METRIC_NETWORK_TIME, network);
    move_metric(result, FC_METRIC_REMOTE_TIME, remote);
    move_metric(result, FC_METRIC_RESPONSE_TIME, response);
    move_metric(result, FC_METRIC_ROUND_TRIP, round_trip);
}

/* The network time is uncertain by what the efficiency and what its own share are. */
static void set_time_interval(const fc_closed_cycle *cycle, const fc_learned_values *values,
                              double network, fc_result *result) {
    const double efficiency = result->metrics ? fc_result_value(result, FC_METRIC_EFFICIENCY) : 0;
    const double reach = quantile * values->spread[1];
    const double by_share[] = {
        fc_closed_cycle_network(cycle, efficiency, values->value[1] - reach) - network,
        fc_closed_cycle_network(cycle, efficiency, values->value[1] + reach) - network};
    const double by_efficiency[] = {
        fc_closed_cycle_network(cycle, result->value_high, values->value[1]) - network,
        fc_closed_cycle_network(cycle, result->value_low, values->value[1]) - network};
    result->time_low = (network - hypot(by_share[0], by_efficiency[0])) * (1 - simulation_share);
    result->time_low = fmax(cycle->empty * (1 - simulation_share), result->time_low);
    result->time_high = (network + hypot(by_share[1], by_efficiency[1])) * (1 + simulation_share);
}

/* The logarithm of hot over cold is uncertain, and so is the response time, by what the efficiency
 * is. */
static void move_hot_and_cold(const fc_closed_cycle *cycle, const fc_closed_hot *hot,
                              const fc_learned_values *values, fc_result *result) {
    const double reach = quantile * values->spread[2], t = values->value[2];
    const double response = fc_result_value(result, FC_METRIC_RESPONSE_TIME);
    const double efficiency = fc_result_value(result, FC_METRIC_EFFICIENCY);
    const double requests = cycle->outstanding * cycle->think;
    const double longer = (requests / result->value_low - requests / efficiency) / response,
                 shorter = (requests / efficiency - requests / result->value_high) / response;
    const fc_closed_responses at = fc_closed_hot_split(hot, response, t),
                              below = fc_closed_hot_split(hot, response, t - reach),
                              above = fc_closed_hot_split(hot, response, t + reach);
    move_metric(result, FC_METRIC_RESPONSE_TIME_HOT, at.hot);
    move_metric(result, FC_METRIC_RESPONSE_TIME_COLD, at.cold);
    const double least = 1 - simulation_share, most = 1 + simulation_share;
    result->hot_low = least * at.hot / (1 + hypot(at.hot / below.hot - 1, shorter));
    result->hot_high = most * at.hot * (1 + hypot(above.hot / at.hot - 1, longer));
    result->cold_low = least * at.cold / (1 + hypot(at.cold / above.cold - 1, shorter));
    result->cold_high = most * at.cold * (1 + hypot(below.cold / at.cold - 1, longer));
}

fc_status fc_closed_correct(const fc_learned_values *values, const fc_scenario *scenario,
                            fc_result *result) {
    const fc_closed_cycle cycle = fc_closed_cycle_of(scenario, result);
    const fc_closed_hot hot = fc_closed_hot_of(scenario, result);
    const double t = values->value[0], reach = quantile * values->spread[0];
    const double efficiency = fc_closed_cycle_efficiency(&cycle, t);
    const double network = fc_closed_cycle_network(&cycle, efficiency, values->value[1]);
    move_round_trip(&cycle, efficiency, network, result);
    result->value_low = fc_closed_cycle_efficiency(&cycle, t - reach) * (1 - simulation_share);
    result->value_high =
        fmin(1, fc_closed_cycle_efficiency(&cycle, t + reach) * (1 + simulation_share));
    set_time_interval(&cycle, values, network, result);
    if (hot.share > 0)
        move_hot_and_cold(&cycle, &hot, values, result);
    /* The requests of slow processors take longer than a simulation lasts: means of such networks
     * are not known well, whatever the interval. */
    const double fastest = fc_result_value(result, FC_METRIC_EFFICIENCY_MAX),
                 slowest = fc_result_value(result, FC_METRIC_EFFICIENCY_MIN);
    if (fastest > most_uneven * slowest) {
        result->flags |= FC_FLAG_WIDE;
        fc_result_add_note(result,
                           "some processors get through %.0f times as often as others: the means "
                           "of such networks take long to settle",
                           fastest / slowest);
    }
    return FC_OK;
}

void fc_closed_uncorrected(const fc_scenario *scenario, fc_result *result) {
    const fc_torus *torus = scenario->parameters;
    if (torus->destinations.pattern == FC_HOT_SPOT)
        fc_closed_warn_of_hot_times(
            torus, fc_closed_hot_of(scenario, result).use,
            "22 and 16 of 56 like this were over 15 % off, worst +349 and -65 %", result);
}
