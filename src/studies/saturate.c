/* The saturation load.
 *
 * By model: the model's own formula where it has one, else bisection on its outcome (a model's
 * outcome is exact, so the bracket shrinks to 1e-9).
 * By simulation: bisection on the simulator's verdict, which is that messages pile up faster than
 * they leave (see the theory of the statistics). The search starts at the models' answer and spends
 * its runs near the boundary; it returns the bracket between the highest load that settled and the
 * lowest that did not. */
#include <math.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "registry/method.h"
#include "scenario/routed.h"
#include "studies/evaluate.h"

static const double model_precision = 1e-9;
static const double simulation_precision = 0.02;
static const double verdict_cycles = 300000;
enum { STEPS_MAX = 60 };

struct search {
    const fc_scenario *base;
    const char *model; /* NULL: simulate */
    const char *key;
    const fc_run_settings *settings;
};

static fc_status with_load(const struct search *search, double load, fc_error *error,
                           fc_scenario **scenario) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", load);
    /* a run of moderate length is enough for a verdict */
    double cycles = verdict_cycles;
    fc_scenario_number(search->base, "simulation.max_cycles", NULL, &cycles);
    char most[32];
    snprintf(most, sizeof most, "%.17g", fmin(cycles, verdict_cycles));
    const fc_setting settings[] = {
        {search->key, text}, {"simulation.precision", "0.05"}, {"simulation.max_cycles", most}};
    return fc_scenario_with(search->base, settings, search->model ? 1 : 3, error, scenario);
}

/* Is the network saturated at this load? A load the scenario does not accept counts as the end of
 * the range: *possible is false. */
static fc_status is_saturated(const struct search *search, double load, fc_error *error,
                              bool *possible, bool *saturated) {
    fc_scenario *scenario;
    fc_status status = with_load(search, load, error, &scenario);
    *possible = status == FC_OK;
    if (!*possible)
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    fc_result *result;
    status = search->model ? fc_predict(scenario, search->model, error, &result)
                           : fc_simulate(scenario, search->settings, error, &result);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return status;
    *saturated = result->outcome == FC_OUTCOME_SATURATED;
    fc_result_free(result);
    return search->settings && search->settings->cancel && *search->settings->cancel
               ? fc_fail(error, FC_ERROR_CANCELLED, "stopped")
               : FC_OK;
}

/* Brackets the boundary from a first guess, then bisects until the bracket is narrow enough. */
static fc_status bracket(const struct search *search, double guess, double precision,
                         fc_error *error, double *low, double *high) {
    double factor = 1.1;
    *low = 0;
    *high = INFINITY;
    double load = guess;
    for (int step = 0; step < STEPS_MAX; ++step) {
        bool possible, saturated = false;
        const fc_status status = is_saturated(search, load, error, &possible, &saturated);
        if (status != FC_OK)
            return status;
        if (!possible && *low == 0 && step == 0) {
            load *= 0.5; /* the guess itself was out of range */
            continue;
        }
        if (!possible) {
            /* accepted loads end between low and load: try closer, then give up there */
            if (load < *low * (1 + precision))
                return FC_OK;
            load = 0.5 * (*low + load);
            continue;
        }
        if (saturated)
            *high = load;
        else
            *low = load;
        if (*low > 0 && *high < INFINITY) {
            if (*high - *low <= precision * *high)
                return FC_OK;
            load = 0.5 * (*low + *high);
        } else {
            load = saturated ? load / factor : load * factor;
            factor = fmin(2, factor * factor);
        }
    }
    return FC_OK;
}

static fc_status saturate_model(const struct search *search, const fc_model *model, fc_error *error,
                                fc_saturation *found) {
    snprintf(found->method, sizeof found->method, "%s", model->info.name);
    found->kind = FC_MODEL;
    if (model->saturation) {
        const fc_status status = model->saturation(search->base, error, &found->load);
        found->low = found->high = found->load;
        return status;
    }
    double guess;
    fc_status status = fc_scenario_number(search->base, search->key, error, &guess);
    if (status == FC_OK)
        status = bracket(search, guess, model_precision, error, &found->low, &found->high);
    found->load = found->high < INFINITY ? 0.5 * (found->low + found->high) : INFINITY;
    return status;
}

static fc_status saturate_simulation(const struct search *search, const fc_saturation *models,
                                     size_t count, double precision, fc_error *error,
                                     fc_saturation *found) {
    double guess;
    const fc_simulator *simulator;
    fc_status status = fc_simulator_choose(search->base, error, &simulator);
    if (status == FC_OK)
        status = fc_scenario_number(search->base, search->key, error, &guess);
    if (status != FC_OK)
        return status;
    if (count && models[0].load < INFINITY && models[0].load > 0)
        guess = models[0].load;
    snprintf(found->method, sizeof found->method, "%s", simulator->info.name);
    found->kind = FC_SIMULATOR;
    status = bracket(search, guess, precision, error, &found->low, &found->high);
    found->load = found->high < INFINITY ? 0.5 * (found->low + found->high) : INFINITY;
    return status;
}

fc_status fc_saturate(const fc_scenario *scenario, const fc_saturation_settings *saturate,
                      const fc_run_settings *settings, fc_error *error, fc_saturation **saturations,
                      size_t *count) {
    FC_IN_C_LOCALE;
    struct search search = {
        .base = scenario, .key = fc_scenario_load_key(scenario), .settings = settings};
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!search.key)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       routed && routed->trace
                           ? "a trace has no load to raise; simulate it as it is"
                           : "closed traffic cannot saturate: its sources wait for answers");
    if (saturate->model && !fc_model_find(saturate->model, error))
        return FC_ERROR_INPUT;
    fc_saturation *found = fc_allocate(fc_method_count() + 1, sizeof *found);
    if (!found)
        return fc_fail_memory(error);
    size_t used = 0;
    fc_status status = FC_OK;
    for (size_t i = 0; fc_models[i] && status == FC_OK; ++i) {
        const fc_method_info *info = &fc_models[i]->info;
        if (saturate->model ? strcmp(saturate->model, info->name) != 0 : info->variant)
            continue;
        fc_error why;
        search.model = info->name;
        if (fc_method_covers(info->name, scenario, &why) == FC_OK)
            status = saturate_model(&search, fc_models[i], error, &found[used++]);
        else if (saturate->model)
            status = fc_fail(error, FC_ERROR_UNSUPPORTED, "%.900s", why.text);
    }
    if (status == FC_OK && saturate->simulate) {
        search.model = NULL;
        status = saturate_simulation(&search, found, used,
                                     saturate->precision > 0 ? saturate->precision
                                                             : simulation_precision,
                                     error, &found[used]);
        ++used;
    }
    if (status == FC_OK && used == 0) {
        const fc_model *unused;
        status = fc_model_choose(scenario, error, &unused);
    }
    if (status != FC_OK) {
        fc_release(found);
        return status;
    }
    *saturations = found;
    *count = used;
    return FC_OK;
}

void fc_saturation_free(fc_saturation *saturations) {
    fc_release(saturations);
}
