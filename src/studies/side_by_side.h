/* Jobs that simulate, on all cores or on a GPU, for every study.
 *
 * Many jobs on small networks run side by side, each in a thread: that leaves no core idle at the
 * end of a simulation, a GPU has enough to do, and replications of several jobs fill the lanes of
 * vector registers (simulators/ensemble/lane_pool.h). Few jobs, and large networks, run one after
 * the other, each with its replications on all cores. A simulation's result is the same either way.
 */
#ifndef FC_STUDIES_SIDE_BY_SIDE_H
#define FC_STUDIES_SIDE_BY_SIDE_H

#include "flitcast/flitcast.h"

/* The progress of a part of a study as a share of the whole: settings for the part. The slice must
 * outlive the settings made from it. */
typedef struct fc_slice {
    const fc_run_settings *whole; /* may be NULL */
    double begin, share;          /* of the whole, 0..1 */
} fc_slice;
fc_run_settings fc_slice_settings(fc_slice *slice);

/* settings: those to simulate with. */
typedef fc_status (*fc_simulating_job)(void *context, size_t index,
                                       const fc_run_settings *settings);

/* Jobs 0 .. count - 1, each exactly once; job i simulates scenarios[i], or the same network at
 * other loads. Returns the status of a job that failed, FC_ERROR_CANCELLED if jobs were left out,
 * else FC_OK. */
fc_status fc_side_by_side(const fc_scenario *const *scenarios, size_t count, const char *what,
                          const fc_run_settings *settings, fc_simulating_job job, void *context);
/* How many of so many jobs on such a scenario are under way at a time. */
size_t fc_side_by_side_most(const fc_scenario *scenario, size_t count,
                            const fc_run_settings *settings);

#endif
