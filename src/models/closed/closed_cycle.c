#include "models/closed/closed_cycle.h"

#include <math.h>
#include "registry/parts.h"
#include "registry/result.h"

const double fc_closed_shift_most = 1.5, fc_closed_share_shift_most = 2;

/* Shares are kept so far from 0 and 1. */
static const double share_least = 1e-6, efficiency_least = 1e-9;

static double logit(double share, double least) {
    const double p = fmax(least, fmin(1 - least, share));
    return log(p / (1 - p));
}

static double bounded(double value, double most) {
    return fmax(-most, fmin(most, value));
}

fc_request_means fc_request_means_of(const fc_requests *requests) {
    fc_request_means means = {0};
    double square = 0, reply_square = 0;
    for (size_t j = 0; j < requests->count; ++j) {
        const fc_request_type *type = &requests->types[j];
        const double flits = (double)type->flits, reply_flits = (double)type->reply_flits;
        means.flits += type->share * flits;
        means.reply_flits += type->share * reply_flits;
        means.reply += type->share * type->memory_reply;
        means.busy += type->share * type->memory_busy;
        square += type->share * flits * flits;
        reply_square += type->share * reply_flits * reply_flits;
    }
    means.variation = sqrt(fmax(0, square / (means.flits * means.flits) - 1));
    means.reply_variation =
        sqrt(fmax(0, reply_square / (means.reply_flits * means.reply_flits) - 1));
    return means;
}

fc_closed_cycle fc_closed_cycle_of(const fc_scenario *scenario, const fc_result *result) {
    const fc_torus *torus = scenario->parameters;
    return (fc_closed_cycle){.outstanding = (double)torus->outstanding,
                             .think = fc_result_part_value(result, FC_PART_PROCESSOR),
                             .reply = fc_result_part_value(result, FC_PART_MEMORY),
                             .empty = fc_result_part_value(result, FC_PART_ALONE),
                             .efficiency = fc_result_value(result, FC_METRIC_EFFICIENCY),
                             .network = fc_result_value(result, FC_METRIC_NETWORK_TIME)};
}

static double shortest(const fc_closed_cycle *cycle) {
    return cycle->think + cycle->reply + cycle->empty;
}

double fc_closed_cycle_most(const fc_closed_cycle *cycle) {
    return fmin(1, cycle->outstanding * cycle->think / shortest(cycle));
}

double fc_closed_cycle_excess(const fc_closed_cycle *cycle, double efficiency) {
    return fmax(0, cycle->outstanding * cycle->think / efficiency - shortest(cycle));
}

double fc_closed_cycle_share(const fc_closed_cycle *cycle) {
    const double excess = fc_closed_cycle_excess(cycle, cycle->efficiency);
    return excess > 0 ? fmin(1, (cycle->network - cycle->empty) / excess) : 1;
}

double fc_closed_cycle_efficiency(const fc_closed_cycle *cycle, double t) {
    const double most = fc_closed_cycle_most(cycle);
    const double moved =
        logit(cycle->efficiency / most, efficiency_least) + bounded(t, fc_closed_shift_most);
    return most / (1 + exp(-moved));
}

double fc_closed_cycle_network(const fc_closed_cycle *cycle, double efficiency, double t) {
    const double moved =
        logit(fc_closed_cycle_share(cycle), share_least) + bounded(t, fc_closed_share_shift_most);
    return cycle->empty + fc_closed_cycle_excess(cycle, efficiency) / (1 + exp(-moved));
}

double fc_closed_cycle_shift(const fc_closed_cycle *cycle, double efficiency) {
    const double most = fc_closed_cycle_most(cycle);
    return bounded(logit(efficiency / most, efficiency_least) -
                       logit(cycle->efficiency / most, efficiency_least),
                   fc_closed_shift_most);
}

double fc_closed_cycle_network_shift(const fc_closed_cycle *cycle, double efficiency,
                                     double network) {
    const double excess = fc_closed_cycle_excess(cycle, efficiency);
    const double share = excess > 0 ? (network - cycle->empty) / excess : 1;
    return bounded(logit(share, share_least) - logit(fc_closed_cycle_share(cycle), share_least),
                   fc_closed_share_shift_most);
}
