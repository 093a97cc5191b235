/* Runs a simulator's replications to the wanted precision.
 *
 * All replications advance in rounds of equal simulated time, on as many threads as there are;
 * every decision is taken between rounds from all of them in fixed order, so the result does not
 * depend on the number of threads. */
#ifndef FC_SIMULATORS_DRIVER_H
#define FC_SIMULATORS_DRIVER_H

#include "registry/method.h"

fc_status fc_driver_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result *result);

#endif
