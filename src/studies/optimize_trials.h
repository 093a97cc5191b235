/* Candidates of an optimisation, simulated as a list. */
#ifndef FC_STUDIES_OPTIMIZE_TRIALS_H
#define FC_STUDIES_OPTIMIZE_TRIALS_H

#include "studies/space.h"

enum { FC_TRIALS_MOST = 64 };

/* Simulates candidates first .. end - 1; in later rounds those that survived. *failed: the first
 * that has no result, if the status is not FC_OK. */
fc_status fc_simulate_candidates(const fc_space *space, fc_candidate *candidates, size_t first,
                                 size_t end, bool survivors, double precision,
                                 const fc_run_settings *settings, fc_error *error, size_t *failed);

#endif
