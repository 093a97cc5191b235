/* A method that was chosen for a scenario, run. */
#ifndef FC_STUDIES_RUN_H
#define FC_STUDIES_RUN_H

#include "registry/method.h"

/* settings: of a simulation; may be NULL. */
fc_status fc_method_run(fc_method method, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result **result);

/* Adds what the network is built of. */
fc_status fc_add_counts(const fc_scenario *scenario, fc_error *error, fc_result *result);

/* The value of the load key, of closed traffic of traffic.think_time; NaN: a workload has none. */
double fc_scenario_load(const fc_scenario *scenario);

#endif
