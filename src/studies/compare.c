#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "registry/method.h"
#include "studies/evaluate.h"

enum { MODELS_MAX = 32 };

void fc_comparison_free(fc_comparison *comparison) {
    if (!comparison)
        return;
    for (size_t i = 0; i < comparison->result_count; ++i)
        fc_result_free(comparison->results[i]);
    fc_release(comparison->results);
    fc_release(comparison->errors);
    free(comparison->scenario);
    fc_release(comparison);
}

static fc_status find_errors(fc_comparison *comparison) {
    const size_t models = comparison->result_count - 1;
    const fc_result *simulation = comparison->results[models];
    assert(simulation);
    comparison->errors = fc_allocate(models * simulation->metric_count, sizeof *comparison->errors);
    if (!comparison->errors)
        return FC_ERROR_MEMORY;
    for (size_t i = 0; i < models; ++i) {
        const fc_result *model = comparison->results[i];
        for (size_t m = 0; m < simulation->metric_count; ++m) {
            const fc_metric *measured = &simulation->metrics[m];
            const fc_metric *predicted = fc_result_metric(model, measured->name);
            /* the offered load is an input: comparing it says nothing about a model */
            if (!predicted || measured->value == 0 || fc_metric_is_count(measured->name) ||
                fc_metric_find(measured->name) == FC_METRIC_OFFERED)
                continue;
            comparison->errors[comparison->error_count++] = (fc_prediction_error){
                .model = model->method,
                .metric = measured->name,
                .relative = predicted->value / measured->value - 1,
                .uncertainty = measured->half_width / fabs(measured->value),
            };
        }
    }
    return FC_OK;
}

fc_status fc_compare(const fc_scenario *scenario, const fc_run_settings *settings, fc_error *error,
                     fc_comparison **comparison) {
    FC_IN_C_LOCALE;
    const char *models[MODELS_MAX];
    const bool variants = settings && settings->variants;
    const size_t count = fc_models_covering(scenario, variants, models, MODELS_MAX);
    fc_comparison *made = fc_allocate(1, sizeof *made);
    if (made)
        made->results = fc_allocate(count + 1, sizeof *made->results);
    if (!made || !made->results) {
        fc_release(made);
        return fc_fail_memory(error);
    }
    made->result_count = count + 1;
    const fc_model *chosen;
    fc_error why;
    const bool covered = fc_model_choose(scenario, &why, &chosen) == FC_OK;
    if (covered && strcmp(models[0], chosen->info.name) == 0)
        models[0] = NULL; /* the forecast; the others alone */
    else if (count == 0)
        snprintf(made->note, sizeof made->note, "%.250s", why.text);
    const fc_evaluation all = {&scenario, 1, models, count, .simulate = true};
    fc_status status = fc_evaluate(&all, settings, error, made->results);
    if (status == FC_OK && !made->results[count]) {
        const fc_simulator *unused;
        status = fc_simulator_choose(scenario, error, &unused);
    }
    if (status == FC_OK) {
        made->scenario = fc_scenario_text(scenario);
        if (!made->scenario || find_errors(made) != FC_OK)
            status = fc_fail_memory(error);
    }
    if (status != FC_OK) {
        fc_comparison_free(made);
        return status;
    }
    *comparison = made;
    return FC_OK;
}
