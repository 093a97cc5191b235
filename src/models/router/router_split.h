/* The flows of a network and their solver, together; and where headers choose their outputs, how
 * they divide among them at a load. */
#ifndef FC_MODELS_ROUTER_SPLIT_H
#define FC_MODELS_ROUTER_SPLIT_H

#include "models/router/router_solver.h"

typedef struct fc_router_prepared {
    const fc_scenario *scenario; /* that it was prepared from; outlives it */
    const fc_routed *routed;
    bool apart; /* links that are alike are solved each by itself */
    fc_router_flows *flows;
    fc_router_solver *solver;
} fc_router_prepared;

/* Nothing is left to release after a failure. */
fc_status fc_router_prepare(const fc_scenario *scenario, fc_error *error, fc_router_prepared *p);
/* The same with every link by itself, for those who ask for single pairs of nodes. */
fc_status fc_router_prepare_apart(const fc_scenario *scenario, fc_error *error,
                                  fc_router_prepared *p);
void fc_router_prepared_release(fc_router_prepared *p);
/* Where messages have been divided at some load: prepares the network again, undivided, so that an
 * answer does not depend on the loads that were asked before. */
fc_status fc_router_undivide(fc_router_prepared *p, fc_error *error);

/* Divides the messages that choose, then solves. rate: messages per node per cycle. */
fc_status fc_router_solve_split(fc_router_prepared *p, double rate, fc_error *error,
                                fc_router_solution *solution);
/* The largest rate that has a solution. */
fc_status fc_router_limit_split(fc_router_prepared *p, fc_error *error, double *limit);

#endif
