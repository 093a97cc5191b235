/* Methods over many scenarios on all cores, for every study.
 *
 * Model evaluations are spread over the cores, one scenario and method a job; simulations run one
 * after the other, each with its replications on all cores, so that a slow point near saturation
 * does not hold up the rest and memory stays that of one simulation. */
#ifndef FC_STUDIES_EVALUATE_H
#define FC_STUDIES_EVALUATE_H

#include "flitcast/flitcast.h"

/* The progress of a part of a study as a share of the whole: settings for the part. The slice must
 * outlive the settings made from it. */
typedef struct fc_slice {
    const fc_run_settings *whole; /* may be NULL */
    double begin, share;          /* of the whole, 0..1 */
} fc_slice;
fc_run_settings fc_slice_settings(fc_slice *slice);

typedef struct fc_evaluation {
    const fc_scenario *const *scenarios;
    size_t count;
    const char *const *models; /* names; NULL among them: the default model of each scenario */
    size_t model_count;
    bool simulate; /* the simulation is one more method, the last */
} fc_evaluation;

/* results[scenario * methods + method]. What is in it already is left alone; NULL stays where the
 * method does not cover the scenario or the run was cancelled before it (then the status is
 * FC_ERROR_CANCELLED and the results so far are kept). Free each with fc_result_free. */
fc_status fc_evaluate(const fc_evaluation *evaluation, const fc_run_settings *settings,
                      fc_error *error, fc_result **results);

#endif
