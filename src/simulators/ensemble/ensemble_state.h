/* What the files of ensembles share (ensemble.c, lane_pool.c). */
#ifndef FC_SIMULATORS_ENSEMBLE_STATE_H
#define FC_SIMULATORS_ENSEMBLE_STATE_H

#include "simulators/ensemble/core_builds.h"
#include "simulators/ensemble/cuda_library.h"
#include "simulators/ensemble/ensemble.h"
#include "simulators/ensemble/ensemble_plan.h"
#include "simulators/ensemble/lane_pool.h"

/* What a GPU, or lanes that are shared, do at once: long enough for what it takes to begin, short
 * enough for a user who stops it. */
enum { MOST_STOPS = 1024, MOST_TALLIES = 1 << 17, MOST_CYCLES = 1 << 15, SHARED_CYCLES = 1 << 20 };

struct fc_ensemble {
    fc_ensemble_plan *plan;
    fc_core_advance advance;      /* NULL: a GPU does */
    const fc_cuda_functions *gpu; /* NULL: a processor does */
    fc_cuda *cuda;
    uint32_t lanes, used; /* of which have a replication */
    uint32_t word;        /* bytes of a lane's word */
    fc_core core;
    fc_core_lane *lane;
    fc_histogram **histogram; /* lanes */
    fc_lane_seat *seat;       /* lanes of another ensemble that simulate these; NULL: none */
    /* Cycles at whose start the sums are wanted, which a GPU or shared lanes simulate at once. */
    uint32_t stop[MOST_STOPS];
    uint32_t stops, next;   /* of which are behind: 0, it has not begun */
    fc_core_tally *tallies; /* stops x lanes */
    uint32_t *crossed;      /* stops x outputs, of the first lane */
    const uint32_t *now;    /* of the last stop taken; NULL: as in the state */
    uint32_t room;          /* stops that there is memory for */
    bool read;              /* what a GPU has counted is up to date here */
    /* What it takes to do again on the processor what a GPU did not finish. */
    const fc_scenario *scenario;
    const fc_router_network *network;
    const fc_traffic *traffic;
    uint64_t cleared; /* the cycle of the last fc_ensemble_clear_detail */
    char trouble[200];
    fc_ensemble **part; /* that took over, each with part_lanes of the lanes; NULL: none */
    uint32_t parts, part_lanes;
};

/* For processors: makes a lane begin anew, at the cycle where the ensemble is. It is empty, or a
 * replication of a plan that has the shape of the ensemble's own and outlives it there. */
void fc_ensemble_start_lane(fc_ensemble *ensemble, uint32_t lane, const fc_ensemble_plan *plan,
                            uint64_t seed, uint32_t replication);
/* Clears what the lane counts from the last call of fc_ensemble_clear_detail. */
void fc_ensemble_clear_lane_detail(fc_ensemble *ensemble, uint32_t lane);
/* The flits over each output. */
void fc_ensemble_copy_crossed(const fc_ensemble *ensemble, uint32_t lane, uint32_t *crossed);

#endif
