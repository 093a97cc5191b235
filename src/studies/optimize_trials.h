/* Candidates of an optimisation, simulated as a list. */
#ifndef FC_STUDIES_OPTIMIZE_TRIALS_H
#define FC_STUDIES_OPTIMIZE_TRIALS_H

#include "studies/space.h"

enum { FC_TRIALS_MOST = 64 };

/* Candidates first .. end - 1; survivors: those of them that survived. */
typedef struct fc_trials {
    fc_candidate *candidates;
    size_t first, end;
    bool survivors;
    double precision;
} fc_trials;

/* *failed: the first that has no result, if the status is not FC_OK. */
fc_status fc_simulate_candidates(const fc_space *space, const fc_trials *wanted,
                                 const fc_run_settings *settings, fc_error *error, size_t *failed);

#endif
