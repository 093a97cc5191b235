#include "studies/explain_carriers.h"

#include <math.h>
#include <stdio.h>
#include "registry/result.h"
#include "scenario/scenario.h"

enum { CARRIERS_MAX = sizeof((fc_explanation *)0)->carriers / sizeof(fc_carrier) };
static const double worth_saying = 1.005; /* times the present saturation load */
static const double precision = 0.02;     /* of the two runs, where none better is asked for */
static const double work_most = 2e7;      /* events of each: seconds */

/* NaN: not known. */
static double carried_by(const fc_explanation *explanation, fc_carrier carrier) {
    const fc_lever *lever = &explanation->levers[carrier.lever];
    return (carrier.upward ? &lever->up : &lever->down)->saturation;
}

void fc_explain_rank_carriers(fc_explanation *explanation) {
    fc_carrier *list = explanation->carriers;
    explanation->carrier_count = 0;
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        const fc_lever *lever = &explanation->levers[i];
        const fc_carrier found = {i, !(lever->down.saturation > lever->up.saturation) &&
                                         !isnan(lever->up.saturation)};
        const double carried = carried_by(explanation, found);
        const bool own = lever->kind == FC_LEVER_NETWORK || lever->kind == FC_LEVER_SHAPE;
        if (!own || !(carried > worth_saying * explanation->saturation))
            continue;
        size_t at = explanation->carrier_count;
        for (; at > 0 && carried_by(explanation, list[at - 1]) < carried; --at) {
            if (at < CARRIERS_MAX)
                list[at] = list[at - 1];
        }
        if (at < CARRIERS_MAX)
            list[at] = found;
        if (explanation->carrier_count < CARRIERS_MAX)
            ++explanation->carrier_count;
    }
}

static fc_status try_at(const fc_scenario *scenario, double load, const fc_run_settings *settings,
                        fc_error *error, fc_tried *tried) {
    char rate[32], half_width[32];
    snprintf(rate, sizeof rate, "%.6g", load);
    snprintf(half_width, sizeof half_width, "%g", fmax(scenario->simulation.precision, precision));
    const fc_setting changes[] = {{fc_scenario_load_key(scenario), rate},
                                  {"simulation.precision", half_width}};
    fc_run_settings limited = settings ? *settings : (fc_run_settings){0};
    fc_scenario *loaded;
    fc_result *result = NULL;
    limited.work_most = work_most;
    fc_status status = fc_scenario_with(scenario, changes, 2, error, &loaded);
    if (status != FC_OK)
        return status;
    status = fc_simulate(loaded, &limited, error, &result);
    if (status == FC_OK) {
        const bool mean = result->outcome == FC_OUTCOME_OK;
        *tried =
            (fc_tried){result->outcome, mean ? fc_result_value(result, FC_METRIC_LATENCY) : NAN,
                       fc_result_value(result, FC_METRIC_THROUGHPUT)};
    }
    fc_result_free(result);
    fc_scenario_free(loaded);
    return status;
}

fc_status fc_explain_check(const fc_scenario *base, const fc_scenario *changed, double saturation,
                           const fc_run_settings *settings, fc_error *error,
                           fc_explanation *explanation) {
    const double load = sqrt(explanation->saturation * saturation);
    fc_status status = try_at(base, load, settings, error, &explanation->check.present);
    if (status == FC_OK)
        status = try_at(changed, load, settings, error, &explanation->check.changed);
    if (status == FC_OK)
        explanation->check.load = load;
    return status;
}
