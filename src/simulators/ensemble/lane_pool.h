/* Points that share the lanes of one ensemble.
 *
 * A point with fewer replications than there are lanes would leave lanes empty. Points of one
 * shape, that is networks and traffic that differ in load and seed alone, take seats in one
 * ensemble: some of its lanes each. Each point is driven by a thread of its own; when all of them
 * wait for cycles, one of the threads simulates for all until the first has what it wants. A seat
 * that is left is free for another point, which begins at once: its lanes have a time of their own.
 *
 * What a lane does depends on nothing but its own point (the core's lanes do not know each other),
 * so the results are those of a point alone. */
#ifndef FC_SIMULATORS_LANE_POOL_H
#define FC_SIMULATORS_LANE_POOL_H

#include "simulators/ensemble/ensemble.h"

typedef struct fc_lane_seat fc_lane_seat;

/* For so many points in all, at most `threads` of which compute at any time. NULL: out of memory.
 */
fc_lane_pool *fc_lane_pool_create(unsigned threads, size_t points);
void fc_lane_pool_free(fc_lane_pool *pool); /* accepts NULL; all seats have been left */

/* Around all that a thread does: waits until it may compute. */
void fc_lane_pool_begin(fc_lane_pool *pool);
void fc_lane_pool_end(fc_lane_pool *pool);

/* The build of the ensemble that points with so many replications would share; FC_ENSEMBLE_SCALAR:
 * they would not gain by sharing. */
fc_ensemble_build fc_lane_pool_build(const fc_lane_pool *pool, const fc_scenario *scenario,
                                     const fc_router_network *network, const fc_traffic *traffic,
                                     uint32_t replications);

/* ---- for ensemble.c ---- */

/* For the lanes of an ensemble; a thread has one seat at most. */
fc_status fc_lane_seat_take(fc_lane_pool *pool, fc_ensemble *ensemble, fc_error *error,
                            fc_lane_seat **seat);
void fc_lane_seat_leave(fc_lane_seat *seat); /* accepts NULL */
/* As run in fc_cuda_functions. */
void fc_lane_seat_run(fc_lane_seat *seat, const uint32_t *stop, uint32_t stops,
                      fc_core_tally *tallies, uint32_t *crossed);
/* The ensemble that simulates a lane; *lane becomes its number there. */
fc_ensemble *fc_lane_seat_home(const fc_lane_seat *seat, uint32_t *lane);
/* See fc_ensemble_take_seconds. */
double fc_lane_seat_take_seconds(fc_lane_seat *seat);

#endif
