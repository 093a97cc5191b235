/* Runs a simulator's replications to the wanted precision.
 *
 * All replications advance in rounds of equal simulated time, on as many threads as there are;
 * every decision is taken between rounds from all of them in fixed order, so the result does not
 * depend on the number of threads. How warm-up, intervals, stopping and saturation are decided is
 * described in docs/theory/statistics.md.
 *
 * Asks of a simulator: time_scale not below the latency of an empty network; backlog all messages
 * that were generated and not yet delivered or lost. */
#ifndef FC_SIMULATORS_DRIVER_H
#define FC_SIMULATORS_DRIVER_H

#include "registry/method.h"

fc_status fc_driver_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result *result);

typedef struct fc_driver_task {
    const fc_simulator *simulator;
    const fc_scenario *scenario; /* passed to the simulator unseen */
    const fc_simulation_settings *simulation;
    const char *main_metric; /* its name */
} fc_driver_task;
fc_status fc_driver_run_task(const fc_driver_task *task, const fc_run_settings *settings,
                             fc_error *error, fc_result *result);

/* What becomes of an overload at the load that is offered. */
typedef enum fc_drift {
    FC_DRIFT_UNKNOWN, /* nothing significant: at the boundary */
    FC_DRIFT_DOWN,    /* it drains: the network carries the load */
    FC_DRIFT_UP,      /* it grows: the network is saturated, or metastable */
    FC_DRIFT_NONE,    /* the simulator does not say, or it would take too long */
} fc_drift;
typedef struct fc_overload {
    fc_drift drift;
    double carried; /* of what is offered, as a share; NaN: not known */
    double cpu_seconds, events;
} fc_overload;

/* Several replications of an overloaded network, until that is known (driver_recovery.c): far
 * quicker near saturation than a run from empty. pace: messages in a cycle, about. */
fc_status fc_driver_try_overload(const fc_simulator *simulator, const fc_scenario *scenario,
                                 double pace, const fc_run_settings *settings, fc_error *error,
                                 fc_overload *overload);

#endif
