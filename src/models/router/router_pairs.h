/* Latency of router-queueing by source and destination. */
#ifndef FC_MODELS_ROUTER_PAIRS_H
#define FC_MODELS_ROUTER_PAIRS_H

#include "models/router/router_solver.h"
#include "registry/result.h"

/* Adds the table "pairs" from a solution: a row for each pair of nodes that exchanges messages.
 * waits: what the waits are multiplied by. flows: those of the solver. */
fc_status fc_router_report_pairs(const fc_routed *routed, fc_router_flows *flows,
                                 const fc_router_solver *solver, double waits, fc_error *error,
                                 fc_result *result);

/* Of one class of messages: means over its messages, in cycles. */
typedef struct fc_class_times {
    double rate; /* messages per cycle at traffic.rate = 1 */
    double latency, alone, source, behind, credit, channel, turn, lag, hops;
} fc_class_times;

/* Of every class, and last of all messages together, from a solution at `rate`: classes that go
 * first wait less, the others more (router_classes.h). times: one more than there are classes. */
fc_status fc_router_find_class_times(const fc_routed *routed, fc_router_flows *flows,
                                     const fc_router_solver *solver, double rate, fc_error *error,
                                     fc_class_times *times);

#endif
