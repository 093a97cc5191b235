/* Latency of router-queueing by source and destination. */
#ifndef FC_MODELS_ROUTER_PAIRS_H
#define FC_MODELS_ROUTER_PAIRS_H

#include "models/router/router_solver.h"
#include "registry/result.h"

/* Networks with more pairs of nodes have no table of them. */
enum { FC_PAIRS_MOST = 65536 };

/* Adds the table "pairs" from a solution: a row for each pair of nodes that exchanges messages.
 * waits: what the waits are multiplied by. flows: those of the solver. */
fc_status fc_router_report_pairs(const fc_routed *routed, fc_router_flows *flows,
                                 const fc_router_solver *solver, double waits, fc_error *error,
                                 fc_result *result);

#endif
