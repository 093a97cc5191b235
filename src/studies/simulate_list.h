/* A list of points that are simulated, side by side where that is faster (side_by_side.h). A
 * point's result does not depend on what else is in the list. */
#ifndef FC_STUDIES_SIMULATE_LIST_H
#define FC_STUDIES_SIMULATE_LIST_H

#include "registry/method.h"

typedef struct fc_simulation {
    size_t index; /* for the caller */
    const fc_scenario *scenario;
    fc_method method; /* nothing: the simulator is chosen by the scenario */
    /* what came of it */
    fc_status status;
    fc_result *result; /* on entry not NULL: known already */
    fc_error why;      /* there is no result */
} fc_simulation;

typedef struct fc_simulation_list {
    fc_simulation *const *points;
    size_t count;
    /* Called for a point as soon as it has a result or a reason why there is none, by one thread at
     * a time. If it fails, no more points are begun. May be NULL. */
    fc_status (*finished)(void *context, fc_simulation *point, fc_error *error);
    void *context;
} fc_simulation_list;

/* What is left without result or reason was not begun: then FC_ERROR_CANCELLED, or what `finished`
 * returned. Points that failed are no failure of the list, except for lack of memory. */
fc_status fc_simulate_list(const fc_simulation_list *list, const fc_run_settings *settings,
                           fc_error *error);
/* The status of the first point that failed, and its sentence; FC_OK: none. */
fc_status fc_simulation_failure(const fc_simulation *points, size_t count, fc_error *error);

#endif
