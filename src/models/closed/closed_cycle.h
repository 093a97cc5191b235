/* A round trip of closed traffic, and how a correction moves it.
 *
 *     round trip = requests think / efficiency = think + reply + network time + rest,
 *
 * where rest is the waiting for processor and memory. The efficiency e is below
 * most = min(1, requests think / (think + reply + empty)), that of a network without any waiting,
 * and is moved between 0 and that: logit(e / most) + t. What a round trip then has beyond that of
 * the network without waiting is shared between network and rest: logit(share) + t'. So the empty
 * network stays exact, no wait is negative, and all times still add up. */
#ifndef FC_MODELS_CLOSED_CYCLE_H
#define FC_MODELS_CLOSED_CYCLE_H

#include "scenario/scenario.h"
#include "scenario/torus.h"

/* Means over requests, and of their lengths the coefficients of variation. */
typedef struct fc_request_means {
    double flits, reply_flits, reply, busy, variation, reply_variation;
} fc_request_means;
fc_request_means fc_request_means_of(const fc_requests *requests);

/* What the model says of a round trip, in cycles. */
typedef struct fc_closed_cycle {
    double outstanding, think, reply, empty; /* the requests, and times without waiting */
    double efficiency, network;
} fc_closed_cycle;

/* The largest t and t', either way. */
extern const double fc_closed_shift_most, fc_closed_share_shift_most;

/* result: of a closed model, with an answer. */
fc_closed_cycle fc_closed_cycle_of(const fc_scenario *scenario, const fc_result *result);
/* The efficiency without any waiting. */
double fc_closed_cycle_most(const fc_closed_cycle *cycle);
/* What a round trip has beyond one without waiting, at an efficiency. */
double fc_closed_cycle_excess(const fc_closed_cycle *cycle, double efficiency);
/* The share of the network in it, by the model. */
double fc_closed_cycle_share(const fc_closed_cycle *cycle);
double fc_closed_cycle_efficiency(const fc_closed_cycle *cycle, double t);
double fc_closed_cycle_network(const fc_closed_cycle *cycle, double efficiency, double t);
/* Their inverses. */
double fc_closed_cycle_shift(const fc_closed_cycle *cycle, double efficiency);
double fc_closed_cycle_network_shift(const fc_closed_cycle *cycle, double efficiency,
                                     double network);

#endif
