/* One method asked about one scenario: fc_predict and fc_simulate. */
#include "studies/run.h"

#include <string.h>
#include <time.h>
#include "base/c_locale.h"
#include "registry/calibration.h"
#include "registry/identities.h"
#include "simulators/driver.h"

fc_run_settings fc_run_settings_default(void) {
    return (fc_run_settings){0};
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A method that is out of memory need not write an error sentence: it is written here. */
static fc_status hand_over(fc_result *made, fc_status status, fc_error *error, fc_result **result) {
    if (status == FC_OK)
        status = fc_result_status(made);
    if (status == FC_ERROR_MEMORY)
        fc_fail_memory(error);
    if (status != FC_OK)
        fc_result_free(made);
    else
        *result = made;
    return status;
}

/* Simulators cover more than the models do. */
static void point_to_simulation(const fc_scenario *scenario, fc_error *error) {
    const fc_simulator *unused;
    if (!error || fc_simulator_choose(scenario, NULL, &unused) != FC_OK)
        return;
    const size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, "; it can be simulated");
}

/* The model's slope comes from its latency a little below the load. */
static fc_status calibrate(const fc_model *model, const fc_scenario *scenario, fc_error *error,
                           fc_result *result) {
    const fc_calibration_points *points = fc_calibration_find(model->info.name);
    const char *key = fc_scenario_load_key(scenario);
    double load, below;
    if (!points || !key || result->outcome != FC_OUTCOME_OK ||
        fc_scenario_number(scenario, key, NULL, &load) != FC_OK)
        return FC_OK;
    const fc_status status =
        model->latency_at(scenario, load * (1 - fc_calibration_step), error, &below);
    fc_calibration_input input;
    if (status == FC_OK && fc_calibration_read(scenario, result, below, &input))
        fc_calibrate(points, &input, result);
    return status;
}

fc_status fc_method_run(fc_method method, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result **result) {
    fc_result *made = fc_result_create(fc_method_info_of(method), scenario);
    if (!made)
        return fc_fail_memory(error);
    fc_status status;
    if (method.model) {
        const double start = seconds_of(CLOCK_MONOTONIC);
        status = method.model->solve(scenario, error, made);
        if (status == FC_OK && method.calibrate)
            status = calibrate(method.model, scenario, error, made);
        made->run.seconds = made->run.cpu_seconds = seconds_of(CLOCK_MONOTONIC) - start;
        if (status == FC_OK)
            fc_result_check_identities(made, scenario);
    } else {
        status = fc_driver_run(method.simulator, scenario, settings, error, made);
    }
    return hand_over(made, status, error, result);
}

fc_status fc_predict(const fc_scenario *scenario, const char *name, fc_error *error,
                     fc_result **result) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_MODEL, name, error, &method);
    if (status == FC_ERROR_UNSUPPORTED && fc_model_is_default(name))
        point_to_simulation(scenario, error);
    return status == FC_OK ? fc_method_run(method, scenario, NULL, error, result) : status;
}

fc_status fc_simulate(const fc_scenario *scenario, const fc_run_settings *settings, fc_error *error,
                      fc_result **result) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_SIMULATOR, NULL, error, &method);
    return status == FC_OK ? fc_method_run(method, scenario, settings, error, result) : status;
}
