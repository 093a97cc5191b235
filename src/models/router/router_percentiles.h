/* Percentiles of the latency of router-queueing. */
#ifndef FC_MODELS_ROUTER_PERCENTILES_H
#define FC_MODELS_ROUTER_PERCENTILES_H

#include "models/router/router_solver.h"
#include "registry/result.h"

void fc_router_report_percentiles(const fc_router_solver *solver,
                                  const fc_router_solution *solution, fc_result *result);
/* Of messages that wait for nothing. */
double fc_router_percentile_alone(const fc_router_solver *solver, double level);

#endif
