/* Runs a simulator whose work comes to an end: from the first message to the last. Nothing is
 * discarded. Where something is drawn there are simulation.replications runs, and intervals over
 * them; else one run and no intervals. */
#ifndef FC_SIMULATORS_FINITE_RUN_H
#define FC_SIMULATORS_FINITE_RUN_H

#include "registry/method.h"

fc_status fc_finite_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error, fc_result *result);

#endif
