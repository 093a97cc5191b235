/* Metrics, parts and tables of a solved closed system: the same for all closed models. */
#ifndef FC_MODELS_CLOSED_RESULT_H
#define FC_MODELS_CLOSED_RESULT_H

#include "models/closed/closed_stations.h"
#include "queueing/fixed_point.h"

typedef struct fc_closed_solution {
    const fc_torus *torus;
    const fc_closed_paths *paths;
    const fc_closed_stations *stations;
    const double *channel_use; /* per orbit of channels: share of time its link carries its flits */
    const double *channel_wait; /* mean wait of headers for it */
    /* Mean time on it of messages from the node it leaves, header to tail; NULL: not known. */
    const double *channel_own;
    bool by_link; /* both are those of the physical link, under the first of its two channels */
    /* Per leaf, for hot spots only (else NULL): network time without the wait for the node link. */
    const double *leaf_request, *leaf_reply;
    /* How far off response_time_hot and _cold were measured to be where the hot node is busy and
     * has several links; NULL: a correction may mend that. */
    const char *hot_errors;
    fc_fixed_point_info info;
} fc_closed_solution;

/* Where the fixed point was not reached: outcome not-converged, and the last iterate only if it is
 * finite and positive. */
fc_status fc_closed_report(const fc_closed_solution *solution, fc_error *error, fc_result *result);

bool fc_closed_suits(const fc_scenario *scenario);
/* The conditions all closed models share ... */
fc_status fc_closed_covers(const fc_scenario *scenario, fc_error *error);
/* Why their measured errors say nothing of a scenario. */
const char *fc_closed_unlike(const fc_scenario *scenario);
/* ... and those of single-flit buffers beside them. */
fc_status fc_closed_single_flit_covers(const fc_scenario *scenario, fc_error *error);

#endif
