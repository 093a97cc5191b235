/* What the models of open tori share: the checks of what they cover and the shape of their results.
 */
#ifndef FC_MODELS_TORUS_MODELS_H
#define FC_MODELS_TORUS_MODELS_H

#include "registry/method.h"
#include "scenario/torus.h"

/* Whether the traffic is open and the switching wormhole. */
bool fc_torus_model_suits(const fc_scenario *scenario);

/* Refuses, in the name of `who`, what no model of open tori covers: closed, non-uniform or adaptive
 * traffic, scouting, faults, fewer than two nodes. */
fc_status fc_torus_model_covers(const fc_scenario *scenario, const char *who, fc_error *error);

/* The dimension of the scenario that is travelled as number `step` (single-node dimensions left
 * out). */
size_t fc_travelled_dimension(const fc_torus *torus, size_t step);

/* A latency by what it is made of, all in cycles. */
typedef struct fc_torus_latency {
    double travel;      /* of the header over empty channels */
    double transfer;    /* of the flits over an empty channel */
    double sharing;     /* slower because channels are shared with other messages */
    double blocking;    /* headers waiting for a virtual channel */
    double source_wait; /* in the source's queue */
} fc_torus_latency;

/* Adds latency, network_latency, source_wait, throughput and the parts. */
void fc_torus_report_latency(fc_result *result, const fc_torus_latency *latency, double rate);

/* A table "channels", one row per dimension travelled; may return NULL (out of memory). */
fc_table *fc_torus_add_channels(fc_result *result, const fc_torus *torus, size_t dimensions);
/* utilisation: flits per cycle of a channel; wait: mean cycles a header waits for it. */
void fc_torus_set_channel(fc_table *table, size_t step, double utilisation, double wait);

#endif
