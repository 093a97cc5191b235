/* Runs a simulator whose work comes to an end (a trace): once, from the first message to the last.
 * Nothing is discarded and nothing is estimated, so there are no intervals. */
#ifndef FC_SIMULATORS_FINITE_RUN_H
#define FC_SIMULATORS_FINITE_RUN_H

#include "registry/method.h"

fc_status fc_finite_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error, fc_result *result);

#endif
