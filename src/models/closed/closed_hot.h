/* Closed traffic with a hot node: response times of requests to it and of the others.
 *
 *     response time = w hot + (1 - w) cold,
 *
 * where w is the share of all requests that go to the hot node. A correction moves log(hot / cold)
 * and the response time, and this still holds. */
#ifndef FC_MODELS_CLOSED_HOT_H
#define FC_MODELS_CLOSED_HOT_H

#include "models/closed/closed_cycle.h"
#include "registry/result.h"

typedef struct fc_closed_hot {
    double share;            /* w; 0: there is no hot node, and all below are of any node */
    double requests;         /* for the node, over those for a node on average */
    double response;         /* time of such requests, by the model */
    double log_ratio;        /* log(hot / cold), by the model */
    double use;              /* flits per cycle into the node */
    double use_without_wait; /* the same if nothing ever waited */
    double wait;             /* cycles for its link(s) */
} fc_closed_hot;

/* result: of a closed model, with an answer. */
fc_closed_hot fc_closed_hot_of(const fc_scenario *scenario, const fc_result *result);

/* The largest t, either way. */
extern const double fc_closed_hot_shift_most;
typedef struct fc_closed_responses {
    double hot, cold;
} fc_closed_responses;
/* Of a response time, with log(hot / cold) moved by t. */
fc_closed_responses fc_closed_hot_split(const fc_closed_hot *at, double response, double t);
/* The t that makes this of the model's. */
double fc_closed_hot_shift(const fc_closed_hot *at, double hot, double cold);

/* Where the hot node is busy and has a link for each channel, the models tell wrongly where
 * requests wait. errors: how far off they were measured to be. */
void fc_closed_warn_of_hot_times(const fc_torus *torus, double use, const char *errors,
                                 fc_result *result);

#endif
