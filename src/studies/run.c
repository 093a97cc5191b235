/* One method asked about one scenario: fc_predict, fc_result_add_pairs and fc_simulate. */
#include "studies/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/c_locale.h"
#include "forecast/forecast.h"
#include "simulators/driver.h"

fc_run_settings fc_run_settings_default(void) {
    return (fc_run_settings){0};
}

double fc_scenario_load(const fc_scenario *scenario) {
    const char *key = fc_scenario_load_key(scenario);
    double load;
    return fc_scenario_number(scenario, key ? key : "traffic.think_time", NULL, &load) == FC_OK
               ? load
               : (double)NAN;
}

fc_status fc_add_counts(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    fc_counts counts;
    fc_status status = fc_scenario_counts(scenario, error, &counts);
    if (status == FC_ERROR_UNSUPPORTED) /* its routes may deadlock, or reach not all nodes */
        return FC_OK;
    if (status == FC_OK) {
        fc_result_add_counts(result, &counts);
        status = fc_result_status(result);
    }
    return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : status;
}

/* What follows from the network and its units alone. */
static fc_status complete(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    const fc_status status = fc_add_counts(scenario, error, result);
    fc_result_add_physical(result);
    return status == FC_OK && fc_result_status(result) != FC_OK ? fc_fail_memory(error) : status;
}

static fc_status predict(fc_method method, const fc_scenario *scenario, fc_error *error,
                         fc_result **result) {
    fc_forecast *forecast;
    fc_status status = fc_forecast_by(method, scenario, error, &forecast);
    if (status != FC_OK)
        return status;
    fc_result *made;
    status = fc_forecast_at(forecast, fc_scenario_load(scenario), error, &made);
    fc_forecast_free(forecast);
    if (status != FC_OK)
        return status;
    status = complete(scenario, error, made);
    if (status == FC_OK)
        *result = made;
    else
        fc_result_free(made);
    return status;
}

/* A method that is out of memory need not write an error sentence: it is written here. */
static fc_status simulate(fc_method method, const fc_scenario *scenario,
                          const fc_run_settings *settings, fc_error *error, fc_result **result) {
    fc_result *made = fc_result_create(fc_method_info_of(method), scenario);
    if (!made)
        return fc_fail_memory(error);
    fc_status status = fc_driver_run(method.simulator, scenario, settings, error, made);
    if (status == FC_OK)
        status = fc_result_status(made);
    if (status == FC_OK)
        status = complete(scenario, error, made);
    if (status == FC_ERROR_MEMORY)
        fc_fail_memory(error);
    if (status != FC_OK)
        fc_result_free(made);
    else
        *result = made;
    return status;
}

fc_status fc_method_run(fc_method method, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result **result) {
    return method.model ? predict(method, scenario, error, result)
                        : simulate(method, scenario, settings, error, result);
}

/* Simulators cover more than the models do. */
static void point_to_simulation(const fc_scenario *scenario, fc_error *error) {
    const fc_simulator *unused;
    if (!error || fc_simulator_choose(scenario, NULL, &unused) != FC_OK)
        return;
    const size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, "; it can be simulated");
}

fc_status fc_predict(const fc_scenario *scenario, const char *name, fc_error *error,
                     fc_result **result) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_MODEL, name, error, &method);
    if (status == FC_ERROR_UNSUPPORTED && fc_model_is_default(name))
        point_to_simulation(scenario, error);
    return status == FC_OK ? predict(method, scenario, error, result) : status;
}

fc_status fc_result_add_pairs(fc_result *result, const fc_scenario *scenario, fc_error *error) {
    FC_IN_C_LOCALE;
    const fc_model *model = result->kind == FC_MODEL ? fc_model_find(result->method, NULL) : NULL;
    if (!model || !model->add_pairs || result->outcome != FC_OUTCOME_OK ||
        fc_result_table(result, "pairs"))
        return FC_OK;
    void *prepared = NULL;
    fc_status status = fc_model_covers(model, scenario, error);
    if (status == FC_OK && model->prepare)
        status = model->prepare(scenario, error, &prepared);
    if (status == FC_OK)
        status = model->add_pairs(scenario, prepared, error, result);
    fc_result_add_physical(result);
    if (model->release)
        model->release(prepared);
    return status;
}

fc_status fc_simulate(const fc_scenario *scenario, const fc_run_settings *settings, fc_error *error,
                      fc_result **result) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_SIMULATOR, NULL, error, &method);
    return status == FC_OK ? simulate(method, scenario, settings, error, result) : status;
}
