/* What the calibration of router-queueing starts from. */
#ifndef FC_MODELS_ROUTER_CALIBRATION_H
#define FC_MODELS_ROUTER_CALIBRATION_H

#include "models/router/router_split.h"
#include "registry/method.h"

/* Solves at the reference loads, roughly; leaves the solver with the waits of the higher one.
 * found is false if there is no such load. */
void fc_router_find_reference(const fc_scenario *scenario, fc_router_prepared *p,
                              fc_reference *reference);
/* The state at the load of a solution. */
void fc_router_read_state(const fc_router_solver *solver, const fc_router_solution *solution,
                          fc_reference *reference);

#endif
