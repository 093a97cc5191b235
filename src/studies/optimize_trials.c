#include "studies/optimize_trials.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "studies/simulate_list.h"

/* The half width of the objective: what moving each metric in it by its own half width does, added
 * up, which is safe whatever the dependence between the metrics. */
static double objective_half_width(const fc_space *space, const fc_scenario *scenario,
                                   fc_result *result, double value) {
    double sum = 0;
    for (size_t i = 0; i < space->objective.name_count; ++i) {
        for (size_t m = 0; m < result->metric_count; ++m) {
            fc_metric *metric = &result->metrics[m];
            if (strcmp(metric->name, space->objective.names[i]) != 0 || isnan(metric->half_width))
                continue;
            const double mean = metric->value;
            metric->value = mean + metric->half_width;
            const double above = fabs(fc_space_objective(space, scenario, result) - value);
            metric->value = mean - metric->half_width;
            const double below = fabs(fc_space_objective(space, scenario, result) - value);
            metric->value = mean;
            sum += fmax(above, below);
        }
    }
    return sum;
}

/* A round of simulations: scenarios[i] is that of candidates[points[i].index]. */
struct trial {
    const fc_space *space;
    fc_candidate *candidates;
    fc_scenario *scenarios[FC_TRIALS_MOST];
    fc_simulation points[FC_TRIALS_MOST], *list[FC_TRIALS_MOST];
    size_t count;
};

static fc_status add_trial(struct trial *trial, size_t index, double precision, fc_error *error) {
    const fc_space *space = trial->space;
    fc_setting all[FC_SPACE_KEYS + 1];
    char text[32];
    memcpy(all, trial->candidates[index].settings, space->setting_count * sizeof *all);
    snprintf(text, sizeof text, "%.6g", precision);
    all[space->setting_count] = (fc_setting){"simulation.precision", text};
    fc_scenario **scenario = &trial->scenarios[trial->count];
    const fc_status status =
        fc_scenario_with(space->base, all, space->setting_count + 1, error, scenario);
    if (status != FC_OK)
        return status;
    fc_simulation *point = &trial->points[trial->count];
    *point = (fc_simulation){.index = index, .scenario = *scenario};
    trial->list[trial->count++] = point;
    return FC_OK;
}

static void take_trial(const struct trial *trial, const fc_simulation *point) {
    const fc_space *space = trial->space;
    fc_candidate *candidate = &trial->candidates[point->index];
    fc_result *result = point->result;
    candidate->simulated = candidate->half_width = candidate->second_simulated = NAN;
    if (result->outcome != FC_OUTCOME_SATURATED) {
        if (space->settings->second)
            candidate->second_simulated = fc_space_second(space, point->scenario, result);
        candidate->simulated = fc_space_objective(space, point->scenario, result);
        candidate->half_width =
            objective_half_width(space, point->scenario, result, candidate->simulated);
        candidate->feasible = fc_space_feasible(space, point->scenario, result);
    }
    candidate->survivor = candidate->feasible;
}

fc_status fc_simulate_candidates(const fc_space *space, const fc_trials *wanted,
                                 const fc_run_settings *settings, fc_error *error, size_t *failed) {
    fc_candidate *candidates = wanted->candidates;
    struct trial *trial = fc_allocate(1, sizeof *trial);
    if (!trial)
        return fc_fail_memory(error);
    *trial = (struct trial){.space = space, .candidates = candidates};
    *failed = wanted->first;
    fc_status status = FC_OK;
    for (size_t i = wanted->first; i < wanted->end && status == FC_OK; ++i) {
        if (!wanted->survivors || candidates[i].survivor)
            status = add_trial(trial, i, wanted->precision, error);
    }
    const fc_simulation_list list = {trial->list, trial->count, NULL, NULL};
    if (status == FC_OK)
        status = fc_simulate_list(&list, settings, error);
    for (size_t i = 0; i < trial->count && status == FC_OK; ++i) {
        *failed = trial->points[i].index;
        status = fc_simulation_failure(&trial->points[i], 1, error);
        if (status == FC_OK)
            take_trial(trial, &trial->points[i]);
    }
    for (size_t i = 0; i < trial->count; ++i) {
        fc_result_free(trial->points[i].result);
        fc_scenario_free(trial->scenarios[i]);
    }
    fc_release(trial);
    return status;
}
