/* One method asked about one scenario: fc_predict and fc_simulate. */
#include <string.h>
#include <time.h>
#include "base/c_locale.h"
#include "registry/method.h"
#include "simulators/driver.h"

fc_run_settings fc_run_settings_default(void) {
    return (fc_run_settings){0};
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A method that ran out of memory need not say so: the sentence is written here. */
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
    snprintf(error->text + used, sizeof error->text - used, "; flitcast simulate measures it");
}

fc_status fc_predict(const fc_scenario *scenario, const char *name, fc_error *error,
                     fc_result **result) {
    FC_IN_C_LOCALE;
    const fc_model *model = NULL;
    fc_status status = FC_OK;
    if (name) {
        model = fc_model_find(name, error);
        status = model ? fc_model_covers(model, scenario, error) : FC_ERROR_INPUT;
    } else {
        status = fc_model_choose(scenario, error, &model);
        if (status == FC_ERROR_UNSUPPORTED)
            point_to_simulation(scenario, error);
    }
    if (status != FC_OK)
        return status;
    fc_result *made = fc_result_create(&model->info, scenario);
    if (!made)
        return fc_fail_memory(error);
    const double start = seconds_of(CLOCK_MONOTONIC);
    status = model->solve(scenario, error, made);
    made->run.seconds = made->run.cpu_seconds = seconds_of(CLOCK_MONOTONIC) - start;
    return hand_over(made, status, error, result);
}

fc_status fc_simulate(const fc_scenario *scenario, const fc_run_settings *settings, fc_error *error,
                      fc_result **result) {
    FC_IN_C_LOCALE;
    const fc_simulator *simulator;
    fc_status status = fc_simulator_choose(scenario, error, &simulator);
    if (status != FC_OK)
        return status;
    fc_result *made = fc_result_create(&simulator->info, scenario);
    if (!made)
        return fc_fail_memory(error);
    status = fc_driver_run(simulator, scenario, settings, error, made);
    return hand_over(made, status, error, result);
}
