/* One forecast of a network.
 *
 * It is made once from a scenario: the model prepares the network; its traits go through the
 * learned correction (learned.h), which gives a curve over the load (load_curve.h). After that it
 * answers at any load. Whatever says something of the same network asks this object: predict reads
 * it at one load, saturate its pole, a curve its shape.
 *
 * Where there is no correction, because the model was asked for by name or nothing like the network
 * was drawn for the fit, the model answers at each load itself; of the second, flags say so. */
#include "forecast/forecast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/progress.h"
#include "forecast/correction.h"
#include "registry/accuracy.h"
#include "registry/identities.h"
#include "registry/result.h"
#include "scenario/scenario.h"

struct fc_forecast {
    const fc_scenario *scenario;
    const fc_model *model;
    void *prepared;
    double seconds;      /* that it took to make */
    fc_weights *weights; /* of the correction; NULL: there is none */
    bool corrected;      /* it applies */
    bool as_it_is;       /* a model by its name or without correction: its own numbers stand */
    bool has_curve;
    fc_load_curve curve;
    unsigned networks, flags;
    char reason[FC_WHY_SIZE]; /* why it is not validated */
    /* where there is no curve: what the model says, once it was asked */
    bool asked;
    double saturation;
};

/* ---- making it ---- */

static void give_reason(fc_forecast *f, unsigned flags, const char *reason) {
    f->flags |= flags;
    snprintf(f->reason, sizeof f->reason, "%.159s", reason);
}

static fc_status draw_curve(fc_forecast *f, fc_error *error) {
    fc_traits *traits = NULL;
    fc_learned_curve learned;
    const char *where = NULL;
    const fc_correction *correction = f->model->correction;
    const char *doubt = correction->doubt ? correction->doubt(f->scenario, f->prepared) : NULL;
    if (doubt) {
        give_reason(f, FC_FLAG_NOT_VALIDATED, doubt);
        return FC_OK;
    }
    fc_status status = correction->traits(f->scenario, f->prepared, NULL, error, &traits);
    if (status != FC_OK)
        return status;
    if (!traits) {
        give_reason(f, FC_FLAG_NOT_VALIDATED,
                    "hardly any network of this kind was simulated for the fit");
    } else if (!fc_weights_are_near(f->weights, traits, &where)) {
        char reason[FC_WHY_SIZE];
        snprintf(reason, sizeof reason, "%s is outside of what was simulated for the fit", where);
        give_reason(f, FC_FLAG_EXTRAPOLATED | FC_FLAG_NOT_VALIDATED, reason);
    } else {
        status = fc_learned_curve_of(f->weights, traits, error, &learned);
        if (status == FC_OK) {
            f->curve = fc_load_curve_of(traits, &learned, correction->percentiles);
            f->has_curve = f->corrected = true;
        }
    }
    fc_traits_free(traits);
    return status;
}

static fc_status correct(fc_forecast *f, bool wanted, fc_error *error) {
    if (!f->model->correction)
        return FC_OK;
    char why[FC_WHY_SIZE] = "";
    bool saw = false;
    fc_status status = fc_correction_weights(f->model, error, &f->weights);
    if (status != FC_OK && status != FC_ERROR_MEMORY && !wanted) { /* a model alone needs none */
        give_reason(f, FC_FLAG_NOT_VALIDATED, "the weights of its correction do not fit");
        return FC_OK;
    }
    if (status == FC_OK)
        status = fc_correction_saw(f->weights, f->scenario, error, &saw, why);
    if (status != FC_OK)
        return status;
    if (!saw) {
        give_reason(f, FC_FLAG_EXTRAPOLATED | FC_FLAG_NOT_VALIDATED, why);
        return FC_OK;
    }
    if (!wanted)
        return FC_OK;
    f->networks = (unsigned)fc_weights_networks(f->weights);
    f->corrected = f->model->correction->apply != NULL;
    return f->corrected ? FC_OK : draw_curve(f, error);
}

fc_status fc_forecast_by(fc_method method, const fc_scenario *scenario, fc_error *error,
                         fc_forecast **forecast) {
    const double start = fc_clock_elapsed();
    fc_forecast *f = fc_allocate(1, sizeof *f);
    if (!f)
        return fc_fail_memory(error);
    *f = (fc_forecast){.scenario = scenario,
                       .model = method.model,
                       .as_it_is = !method.corrected,
                       .saturation = NAN};
    fc_status status = FC_OK;
    if (f->model->prepare)
        status = f->model->prepare(scenario, error, &f->prepared);
    if (status == FC_OK)
        status = correct(f, method.corrected, error);
    if (status == FC_ERROR_MEMORY)
        fc_fail_memory(error);
    f->seconds = fc_clock_elapsed() - start;
    if (status == FC_OK)
        *forecast = f;
    else
        fc_forecast_free(f);
    return status;
}

fc_status fc_forecast_create(const fc_scenario *scenario, const char *model, fc_error *error,
                             fc_forecast **forecast) {
    FC_IN_C_LOCALE;
    fc_method method;
    const fc_status status = fc_method_choose(scenario, FC_MODEL, model, error, &method);
    return status == FC_OK ? fc_forecast_by(method, scenario, error, forecast) : status;
}

void fc_forecast_free(fc_forecast *f) {
    if (f && f->model->release)
        f->model->release(f->prepared);
    if (f)
        fc_weights_free(f->weights);
    fc_release(f);
}

const fc_model *fc_forecast_model(const fc_forecast *f) {
    return f->model;
}

bool fc_forecast_is_corrected(const fc_forecast *f) {
    return f->corrected;
}

const char *fc_forecast_method(const fc_forecast *f) {
    return f->model->info.name;
}

/* ---- the saturation load ---- */

static fc_status ask_saturation(fc_forecast *f, fc_error *error) {
    if (f->asked || f->has_curve || !f->model->saturation)
        return FC_OK;
    const fc_status status = f->model->saturation(f->scenario, f->prepared, error, &f->saturation);
    f->asked = status == FC_OK;
    return status;
}

static fc_load_range range_of(const fc_forecast *f) {
    return f->has_curve ? (fc_load_range){f->curve.saturation, f->curve.low, f->curve.high}
                        : (fc_load_range){f->saturation, f->saturation, f->saturation};
}

fc_status fc_forecast_saturation(fc_forecast *f, fc_error *error, fc_load_range *saturation) {
    FC_IN_C_LOCALE;
    const fc_status status = ask_saturation(f, error);
    *saturation = range_of(f);
    return status;
}

/* ---- at a load ---- */

static bool is_open(const fc_forecast *f) {
    return fc_scenario_load_key(f->scenario) != NULL;
}

/* Of the main metric and of the response times of hot spots. */
static void judge_intervals(fc_result *result) {
    static const double wide = 0.15;
    const fc_metric *const metrics[] = {fc_result_metric(result, result->main_metric),
                                        fc_result_find(result, FC_METRIC_RESPONSE_TIME_HOT),
                                        fc_result_find(result, FC_METRIC_RESPONSE_TIME_COLD)};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; ++m) {
        double low, high;
        if (metrics[m] && fc_result_interval_of(result, metrics[m], &low, &high) &&
            (!(low >= (1 - wide) * metrics[m]->value) || !(high <= (1 + wide) * metrics[m]->value)))
            result->flags |= FC_FLAG_WIDE;
    }
}

static void add_saturated(const fc_forecast *f, double load, fc_result *result) {
    const fc_load_range at = range_of(f);
    result->outcome = FC_OUTCOME_SATURATED;
    if (load < at.high)
        result->flags |= FC_FLAG_WIDE;
    fc_result_add(result, FC_METRIC_THROUGHPUT, at.load, NAN);
    fc_result_add(result, FC_METRIC_OFFERED, load, NAN);
    if (f->has_curve)
        fc_result_note(result,
                       "no steady state at a rate of %.4g: the network saturates at %.4g (90 %% "
                       "interval: %.4g to %.4g)",
                       load, at.load, at.low, at.high);
    else
        fc_result_note(result, "no steady state at a rate of %.4g: the model saturates at %.4g",
                       load, at.load);
}

static fc_status at_load(const fc_forecast *f, double load, fc_error *error, fc_scenario **there,
                         fc_result **result) {
    fc_status status = fc_scenario_at_load(f->scenario, load, error, there);
    if (status != FC_OK)
        return status;
    *result = fc_result_create(&f->model->info, *there);
    if (*result)
        return FC_OK;
    fc_scenario_at_load_free(*there);
    return fc_fail_memory(error);
}

static fc_status saturated_at(const fc_forecast *f, double load, fc_error *error,
                              fc_result **result) {
    fc_scenario *there;
    const fc_status status = at_load(f, load, error, &there, result);
    if (status != FC_OK)
        return status;
    add_saturated(f, load, *result);
    fc_scenario_at_load_free(there);
    return FC_OK;
}

static fc_status solve_at(fc_forecast *f, double load, fc_error *error, fc_result **result) {
    fc_scenario *there;
    fc_result *made;
    fc_status status = at_load(f, load, error, &there, &made);
    if (status != FC_OK)
        return status;
    status = f->model->solve(there, f->prepared, error, made);
    fc_scenario_at_load_free(there);
    if (status == FC_OK && fc_result_status(made) != FC_OK)
        status = fc_fail_memory(error);
    if (status == FC_OK)
        *result = made;
    else
        fc_result_free(made);
    return status;
}

/* What the model says at a load; where it has no answer, at the highest share of its own saturation
 * load at which it has one: parts and tables then keep the shares that they have there. */
static fc_status solve_below(fc_forecast *f, double load, fc_error *error, fc_result **result) {
    static const double shares[] = {0.97, 0.9, 0.75, 0.5, 0.25};
    fc_status status = solve_at(f, load, error, result);
    const double carried =
        status == FC_OK ? fc_result_value(*result, FC_METRIC_THROUGHPUT) : (double)NAN;
    const double most = isfinite(carried) ? fmin(load, carried) : load;
    for (size_t i = 0; i < sizeof shares / sizeof *shares && status == FC_OK &&
                       (*result)->outcome != FC_OUTCOME_OK;
         ++i) {
        fc_result_free(*result);
        status = solve_at(f, shares[i] * most, error, result);
    }
    return status;
}

static fc_status answer_by_curve(fc_forecast *f, double load, fc_error *error, fc_result **result) {
    if (load >= f->curve.saturation)
        return saturated_at(f, load, error, result);
    const fc_status status = solve_below(f, load, error, result);
    if (status != FC_OK)
        return status;
    fc_correction_move(f->model->correction, &f->curve, load, *result);
    const fc_load_point point = fc_load_curve_at(&f->curve, load);
    (*result)->value_low = point.low;
    (*result)->value_high = point.high;
    return FC_OK;
}

/* A correction at this load. */
static fc_status apply_values(const fc_forecast *f, const fc_scenario *there, fc_error *error,
                              fc_result *result) {
    fc_traits *traits = NULL;
    const char *where;
    const fc_correction *correction = f->model->correction;
    fc_status status = correction->traits(there, f->prepared, result, error, &traits);
    if (status != FC_OK)
        return status;
    if (!traits || !fc_weights_are_near(f->weights, traits, &where)) {
        result->flags |= FC_FLAG_NOT_VALIDATED | (traits ? FC_FLAG_EXTRAPOLATED : 0);
        if (traits)
            snprintf(result->accuracy.reason, sizeof result->accuracy.reason,
                     "%.60s is outside of what was simulated for the fit", where);
        if (correction->without)
            correction->without(there, result);
    } else {
        fc_learned_values values;
        status = fc_learned_values_of(f->weights, traits, error, &values);
        if (status == FC_OK)
            status = correction->apply(&values, there, result);
        result->calibrated = f->networks;
    }
    fc_traits_free(traits);
    return status;
}

/* At a load a model may have no solution where it found one on its way to its saturation load. What
 * saturates is said by that load alone. */
static void compare_saturation(const fc_forecast *f, double load, fc_result *result) {
    if (result->outcome != FC_OUTCOME_SATURATED || !isfinite(f->saturation))
        return;
    if (load < f->saturation) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result,
                       "no solution was found at a rate of %.4g, although the model saturates at "
                       "%.4g",
                       load, f->saturation);
        return;
    }
    const double carried = fc_result_value(result, FC_METRIC_THROUGHPUT);
    if (isnan(carried) || f->corrected || (!f->as_it_is && carried > f->saturation))
        fc_result_add(result, FC_METRIC_THROUGHPUT, f->saturation, NAN);
}

/* To look for the saturation load of a model takes many solutions. It is above a load beyond which
 * the model has one, too: the margin is more than the search is off by. */
static fc_status ask_if_near(fc_forecast *f, double load, const fc_result *result,
                             fc_error *error) {
    static const double margin = 0.02;
    fc_result *beyond = NULL;
    fc_status status = FC_OK;
    if (!is_open(f) || !f->model->saturation)
        return FC_OK;
    if (f->model->correction && !f->corrected && result->outcome == FC_OUTCOME_OK)
        status = solve_at(f, (1 + margin) * load, error, &beyond);
    const bool near = !beyond || beyond->outcome != FC_OUTCOME_OK;
    fc_result_free(beyond);
    return status == FC_OK && near ? ask_saturation(f, error) : status;
}

static fc_status answer_by_model(fc_forecast *f, double load, fc_error *error, fc_result **result) {
    fc_scenario *there;
    fc_result *made;
    fc_status status = at_load(f, load, error, &there, &made);
    if (status != FC_OK)
        return status;
    status = f->model->solve(there, f->prepared, error, made);
    if (status == FC_OK)
        status = ask_if_near(f, load, made, error);
    if (status == FC_OK && made->outcome != FC_OUTCOME_SATURATED && load > f->saturation) {
        fc_result_free(made);
        fc_scenario_at_load_free(there);
        return saturated_at(f, load, error, result);
    }
    if (status == FC_OK)
        compare_saturation(f, load, made);
    if (status == FC_OK && made->outcome == FC_OUTCOME_OK) {
        if (f->corrected)
            status = apply_values(f, there, error, made);
        else if (f->model->correction && f->model->correction->without)
            f->model->correction->without(there, made);
    }
    if (status == FC_OK) {
        fc_result_check_identities(made, there);
        *result = made;
    } else {
        fc_result_free(made);
    }
    fc_scenario_at_load_free(there);
    return status;
}

/* A model that has no correction has measured errors, by the share of its saturation load. */
static fc_status state_errors(fc_forecast *f, double load, fc_error *error, fc_result *result) {
    const fc_status status = ask_saturation(f, error);
    if (status != FC_OK)
        return status;
    const double share = load / f->saturation;
    const char *unlike = f->model->unlike ? f->model->unlike(f->scenario) : NULL;
    if (unlike)
        snprintf(result->accuracy.reason, sizeof result->accuracy.reason, "%s", unlike);
    else if (f->model->measured)
        f->model->measured(f->scenario, result);
    else
        fc_accuracy_state(result, share > 0 ? share : (double)NAN, fc_scenario_nodes(f->scenario));
    if (!result->accuracy.known)
        result->flags |= FC_FLAG_NOT_VALIDATED;
    return FC_OK;
}

static fc_status finish(fc_forecast *f, double load, fc_error *error, fc_result *result) {
    fc_status status = FC_OK;
    result->flags |= f->flags;
    if (f->reason[0])
        snprintf(result->accuracy.reason, sizeof result->accuracy.reason, "%s", f->reason);
    if (f->has_curve)
        result->calibrated = f->networks;
    if (result->outcome == FC_OUTCOME_NOT_CONVERGED)
        result->flags |= FC_FLAG_NOT_CONVERGED;
    if (result->outcome == FC_OUTCOME_SATURATED)
        result->flags |= FC_FLAG_ABOVE_SATURATION;
    if (!f->model->correction)
        status = state_errors(f, load, error, result);
    if (result->outcome == FC_OUTCOME_OK)
        judge_intervals(result);
    return status;
}

static fc_status check_load(const fc_forecast *f, double load, fc_error *error) {
    return load >= 0 || (isnan(load) && !is_open(f)) /* a workload has none */
               ? FC_OK
               : fc_fail(error, FC_ERROR_ARGUMENT,
                         "a load is a number that is not negative, not %g", load);
}

fc_status fc_forecast_at(fc_forecast *f, double load, fc_error *error, fc_result **result) {
    FC_IN_C_LOCALE;
    if (check_load(f, load, error) != FC_OK)
        return FC_ERROR_ARGUMENT;
    const double start = fc_clock_elapsed();
    fc_result *made = NULL;
    fc_status status = f->has_curve && is_open(f) ? answer_by_curve(f, load, error, &made)
                                                  : answer_by_model(f, load, error, &made);
    if (status == FC_OK)
        status = finish(f, load, error, made);
    if (status == FC_OK)
        status = fc_result_status(made);
    if (status == FC_ERROR_MEMORY)
        fc_fail_memory(error);
    if (status == FC_OK) {
        made->run.seconds = made->run.cpu_seconds = f->seconds + fc_clock_elapsed() - start;
        *result = made;
    } else {
        fc_result_free(made);
    }
    return status;
}

/* ---- numbers alone ---- */

static fc_forecast_point point_of_curve(const fc_forecast *f, double load) {
    const fc_load_curve *curve = &f->curve;
    fc_forecast_point point = {.outcome = FC_OUTCOME_SATURATED,
                               .value = NAN,
                               .low = NAN,
                               .high = NAN,
                               .p50 = NAN,
                               .p95 = NAN,
                               .p99 = NAN,
                               .throughput = fmin(load, curve->saturation)};
    if (load >= curve->saturation)
        return point;
    const fc_load_point at = fc_load_curve_at(curve, load);
    point.outcome = FC_OUTCOME_OK;
    point.value = at.latency[FC_MEAN];
    point.low = at.low;
    point.high = at.high;
    point.p50 = at.latency[FC_P50];
    point.p95 = at.latency[FC_P95];
    point.p99 = at.latency[FC_P99];
    return point;
}

static fc_forecast_point point_of_result(const fc_result *result) {
    const fc_metric *main = fc_result_metric(result, result->main_metric);
    fc_forecast_point point = {.outcome = result->outcome,
                               .value = main ? main->value : (double)NAN,
                               .low = NAN,
                               .high = NAN,
                               .p50 = fc_result_value(result, FC_METRIC_LATENCY_P50),
                               .p95 = fc_result_value(result, FC_METRIC_LATENCY_P95),
                               .p99 = fc_result_value(result, FC_METRIC_LATENCY_P99),
                               .throughput = fc_result_value(result, FC_METRIC_THROUGHPUT)};
    double low, high;
    if (fc_result_interval(result, &low, &high)) {
        point.low = low;
        point.high = high;
    }
    return point;
}

fc_status fc_forecast_points(fc_forecast *f, const double *loads, size_t count, fc_error *error,
                             fc_forecast_point *points) {
    FC_IN_C_LOCALE;
    for (size_t i = 0; i < count; ++i) {
        if (check_load(f, loads[i], error) != FC_OK)
            return FC_ERROR_ARGUMENT;
        if (f->has_curve && is_open(f)) {
            points[i] = point_of_curve(f, loads[i]);
            continue;
        }
        fc_result *result;
        const fc_status status = fc_forecast_at(f, loads[i], error, &result);
        if (status != FC_OK)
            return status;
        points[i] = point_of_result(result);
        fc_result_free(result);
    }
    return FC_OK;
}
