/* One method asked about one scenario: fc_predict, fc_result_add_pairs and fc_simulate. */
#include "studies/run.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include "base/c_locale.h"
#include "base/decimal.h"
#include "registry/calibration.h"
#include "registry/calibration_factors.h"
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

/* What a calibration by shifts starts from: the model's result at a load, and its slope there,
 * from its latency a little below. */
fc_status fc_calibration_solve(const fc_model *model, const fc_scenario *scenario, double load,
                               fc_error *error, fc_result *result, fc_calibration_input *input,
                               bool *usable) {
    double below;
    fc_reference reference;
    fc_status status = model->solve_with_reference(scenario, error, result, &reference);
    if (status == FC_OK && result->outcome == FC_OUTCOME_OK)
        status = model->latency_at(scenario, load * (1 - fc_calibration_step), error, &below);
    *usable = status == FC_OK && result->outcome == FC_OUTCOME_OK &&
              fc_calibration_read(scenario, result, &reference, below, input);
    return status;
}

/* The scenario at another load; NULL where that is not accepted. */
static fc_status at_load(const fc_scenario *scenario, double load, fc_error *error,
                         fc_scenario **made) {
    char text[FC_REAL_SIZE];
    fc_real_text(load, text);
    const fc_setting setting = {fc_scenario_load_key(scenario), text};
    const fc_status status = fc_scenario_with(scenario, &setting, 1, error, made);
    if (status == FC_OK || status == FC_ERROR_MEMORY)
        return status;
    *made = NULL;
    return FC_OK;
}

/* What a calibration by shift starts from, at another load; NULL: nothing to calibrate. */
static fc_status solve_at(const fc_model *model, const fc_scenario *scenario, double load,
                          fc_error *error, fc_calibration_input *input, fc_result **result) {
    fc_scenario *lower;
    bool usable = false;
    *result = NULL;
    fc_status status = at_load(scenario, load, error, &lower);
    if (status != FC_OK || !lower)
        return status;
    fc_result *made = fc_result_create(&model->info, scenario);
    status = made ? fc_calibration_solve(model, lower, load, error, made, input, &usable)
                  : fc_fail_memory(error);
    if (usable)
        *result = made;
    else
        fc_result_free(made);
    fc_scenario_free(lower);
    return status;
}

static fc_status limit_by_shift(const fc_model *model, const fc_scenario *scenario, double limit,
                                const fc_calibration_points *points, fc_error *error,
                                double *calibrated) {
    fc_calibration_input input;
    fc_result *near;
    double ratio;
    const fc_status status =
        solve_at(model, scenario, fc_calibration_near_limit * limit, error, &input, &near);
    if (near && fc_calibration_limit(points, &input, &ratio))
        *calibrated = limit * ratio;
    fc_result_free(near);
    return status;
}

fc_status fc_calibrated_saturation(const fc_model *model, const fc_scenario *scenario, double limit,
                                   fc_error *error, double *calibrated) {
    const fc_calibration_points *points = fc_calibration_find_limit(model->info.name);
    *calibrated = NAN;
    if (!points || !isfinite(limit))
        return FC_OK;
    return model->forecast_saturation
               ? model->forecast_saturation(scenario, error, calibrated)
               : limit_by_shift(model, scenario, limit, points, error, calibrated);
}

static void exchange(fc_result *a, fc_result *b) {
    const fc_result kept = *a;
    *a = *b;
    *b = kept;
}

/* The answer for the load instead of that the model is saturated. */
static void answer_beyond(double limit, fc_result *answer, fc_result *result) {
    exchange(answer, result);
    fc_result_add_note(result, "the model alone saturates at %.4g", limit);
}

/* Where the model has no answer any more, its answer at its saturation load, or a little below if
 * it has none there, is taken to that of the forecast. */
static fc_status calibrate_beyond(const fc_model *model, const fc_scenario *scenario, double load,
                                  const fc_calibration_points *points,
                                  const fc_reference *reference, fc_error *error,
                                  fc_result *result) {
    static const double shares[] = {1, 0.97, 0.9, 0.75};
    const fc_metric *carried =
        fc_result_find(result, FC_METRIC_THROUGHPUT); /* at most, by the model */
    const fc_forecast *forecast = &reference->forecast;
    const double limit = carried ? carried->value : (double)NAN;
    if (!isfinite(limit) || !forecast->known)
        return FC_OK;
    fc_status status = FC_OK;
    bool answered = false;
    for (size_t i = 0; i < sizeof shares / sizeof *shares && status == FC_OK && !answered; ++i) {
        const double at = shares[i] * limit;
        if (reference->answers_at > 0 && shares[i] > reference->answers_at)
            continue;
        fc_scenario *lower;
        status = at_load(scenario, at, error, &lower);
        if (status != FC_OK || !lower)
            return status;
        fc_result *last = fc_result_create(&model->info, scenario);
        status = last ? model->solve(lower, error, last) : fc_fail_memory(error);
        fc_scenario_free(lower);
        answered = status == FC_OK && last->outcome == FC_OUTCOME_OK &&
                   fc_calibrate_to(points, forecast, fmax(1, load / at), last);
        if (answered)
            answer_beyond(limit, last, result);
        fc_result_free(last);
    }
    return status;
}

/* The model's answer is replaced: networks like this saturate before. */
static fc_status answer_saturated(const fc_model *model, const fc_scenario *scenario, double load,
                                  const fc_calibration_points *points, fc_error *error,
                                  fc_result *result) {
    double most;
    const fc_status status = model->forecast_saturation(scenario, error, &most);
    if (status != FC_OK)
        return status;
    fc_result *made = fc_result_create(&model->info, scenario);
    if (!made)
        return fc_fail_memory(error);
    made->outcome = FC_OUTCOME_SATURATED;
    made->calibrated = points->networks;
    fc_result_add(made, FC_METRIC_THROUGHPUT, most, NAN);
    fc_result_note(made,
                   "no steady state at a rate of %.4g: by what simulations of networks like it "
                   "showed, it saturates at about %.4g",
                   load, most);
    exchange(made, result);
    fc_result_free(made);
    return FC_OK;
}

static fc_status solve_with_forecast(const fc_model *model, const fc_scenario *scenario,
                                     double load, const fc_calibration_points *points,
                                     fc_error *error, fc_result *result) {
    fc_reference reference = {0};
    const fc_status status = model->solve_with_reference(scenario, error, result, &reference);
    const fc_forecast *forecast = &reference.forecast;
    if (status != FC_OK)
        return status;
    const bool beyond = forecast->known && forecast->margin > log(fc_forecast_beyond);
    if (beyond && result->outcome == FC_OUTCOME_OK)
        return answer_saturated(model, scenario, load, points, error, result);
    if (beyond)
        return FC_OK;
    if (result->outcome == FC_OUTCOME_SATURATED)
        return calibrate_beyond(model, scenario, load, points, &reference, error, result);
    fc_calibrate_to(points, forecast, 1, result);
    return status;
}

/* The same for a calibration by shift: see fc_calibrate_beyond. Networks that carry much more than
 * the model says are rare, and the two solutions near its saturation load take time: far beyond it
 * they are not made. */
static fc_status shift_beyond(const fc_model *model, const fc_scenario *scenario, double load,
                              const fc_calibration_points *points, fc_error *error,
                              fc_result *result) {
    static const double farthest = 1.15;
    const fc_metric *carried = fc_result_find(result, FC_METRIC_THROUGHPUT);
    const fc_calibration_points *limits = fc_calibration_find_limit(model->info.name);
    const double limit = carried ? carried->value : (double)NAN;
    const double at = fc_calibration_near_limit * limit;
    fc_calibration_input input;
    fc_result *near;
    double ratio;
    if (!limits || !(load < farthest * limit)) /* or NaN */
        return FC_OK;
    const fc_status status = solve_at(model, scenario, at, error, &input, &near);
    if (near && fc_calibration_limit(limits, &input, &ratio) &&
        fc_calibrate_beyond(points, &input, at, load, limit * ratio, near))
        answer_beyond(limit, near, result);
    fc_result_free(near);
    return status;
}

static fc_status solve_with_factors(const fc_model *model, const fc_scenario *scenario,
                                    const fc_factor_calibration *factors, fc_error *error,
                                    fc_result *result) {
    const fc_status status = model->solve(scenario, error, result);
    if (status == FC_OK)
        fc_factor_calibrate(factors, scenario, result);
    return status;
}

/* Solves, and calibrates where it can. */
static fc_status solve_calibrated(const fc_model *model, const fc_scenario *scenario,
                                  fc_error *error, fc_result *result) {
    const fc_calibration_points *points = fc_calibration_find(model->info.name);
    const fc_factor_calibration *factors = fc_factor_find(model->info.name);
    const char *key = fc_scenario_load_key(scenario);
    double load;
    if (factors)
        return solve_with_factors(model, scenario, factors, error, result);
    if (!points || !key || fc_scenario_number(scenario, key, NULL, &load) != FC_OK)
        return model->solve(scenario, error, result);
    if (!points->shifts)
        return solve_with_forecast(model, scenario, load, points, error, result);
    fc_calibration_input input;
    bool usable;
    const fc_status status =
        fc_calibration_solve(model, scenario, load, error, result, &input, &usable);
    if (status == FC_OK && result->outcome == FC_OUTCOME_SATURATED)
        return shift_beyond(model, scenario, load, points, error, result);
    if (usable)
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
        status = method.calibrate ? solve_calibrated(method.model, scenario, error, made)
                                  : method.model->solve(scenario, error, made);
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

fc_status fc_predict_calibrated(const fc_scenario *scenario, const char *model, fc_error *error,
                                fc_result **result) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_MODEL, model, error, &method);
    method.calibrate = true;
    return status == FC_OK ? fc_method_run(method, scenario, NULL, error, result) : status;
}

fc_status fc_result_add_pairs(fc_result *result, const fc_scenario *scenario, fc_error *error) {
    FC_IN_C_LOCALE;
    const fc_model *model = result->kind == FC_MODEL ? fc_model_find(result->method, NULL) : NULL;
    if (!model || !model->add_pairs || result->outcome != FC_OUTCOME_OK ||
        fc_result_table(result, "pairs"))
        return FC_OK;
    const fc_status status = fc_model_covers(model, scenario, error);
    return status == FC_OK ? model->add_pairs(scenario, error, result) : status;
}

fc_status fc_simulate(const fc_scenario *scenario, const fc_run_settings *settings, fc_error *error,
                      fc_result **result) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_SIMULATOR, NULL, error, &method);
    return status == FC_OK ? fc_method_run(method, scenario, settings, error, result) : status;
}
