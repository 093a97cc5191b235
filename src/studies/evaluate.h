/* Methods over many scenarios on all cores, for every study: model evaluations one scenario and
 * method a job, simulations as a list (simulate_list.h). */
#ifndef FC_STUDIES_EVALUATE_H
#define FC_STUDIES_EVALUATE_H

#include "studies/side_by_side.h"

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
