/* The saturation load.
 *
 * By model: the model's own formula where it has one, else bisection on its outcome (a model's
 * outcome is exact, so the bracket shrinks to 1e-9).
 * By simulation: bisection on the simulator's verdict, which is that messages pile up faster than
 * they leave (docs/theory/statistics.md). A run that ends without a verdict counts as saturated if
 * it carried clearly less than the offered load, else as settled. A run that settled although it
 * carried less is repeated with more cycles: some networks fill up only slowly. The search starts
 * at the models' answer and spends its runs near the boundary; it returns the bracket between the
 * highest load that settled and the lowest that did not. */
#include <math.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "registry/method.h"
#include "scenario/routed.h"
#include "studies/evaluate.h"
#include "studies/load_search.h"
#include "studies/run.h"

static const double model_precision = 1e-9;
/* of a run that tests whether a network settles, and of one that confirms it */
static const char brief_look[] = "0.2", closer_look[] = "0.05";
static const double verdict_cycles = 300000;
static const double undecided_lag = 0.005; /* of what is offered, about twice its scatter */
enum { STEPS_MAX = 60, MISLED_MAX = 3 };

struct search {
    const fc_scenario *base;
    const char *model; /* NULL: simulate */
    const char *key;
    const fc_run_settings *settings;
    const fc_model *calibrated; /* the default one; NULL: models alone */
};

static fc_status with_load(const struct search *search, double load, const char *precision,
                           fc_error *error, fc_scenario **scenario) {
    char text[FC_REAL_SIZE];
    fc_real_text(load, text);
    /* a run of moderate length is enough for a verdict */
    double cycles = verdict_cycles;
    fc_scenario_number(search->base, "simulation.max_cycles", NULL, &cycles);
    char most[FC_REAL_SIZE];
    fc_real_text(fmin(cycles, verdict_cycles), most);
    const fc_setting settings[] = {
        {search->key, text}, {"simulation.precision", precision}, {"simulation.max_cycles", most}};
    return fc_scenario_with(search->base, settings, search->model ? 1 : 3, error, scenario);
}

struct verdict {
    bool possible; /* false: the scenario does not accept the load */
    bool saturated;
    bool doubtful;  /* settled, and yet it carried less than it was offered */
    double carried; /* what is still carried of the load by a simulated, saturated network */
};

/* What a simulated network carried, and what that says where the run itself has no verdict. */
static void judge_carried(const fc_result *result, double load, struct verdict *verdict) {
    const fc_metric *offered = fc_result_find(result, FC_METRIC_OFFERED);
    const fc_metric *throughput = fc_result_find(result, FC_METRIC_THROUGHPUT);
    const fc_metric *loss = fc_result_find(result, FC_METRIC_LOSS);
    if (!offered || !throughput || !(throughput->value > 0))
        return;
    const double accepted = offered->value * (loss ? 1 - loss->value : 1);
    const bool lags = throughput->value < (1 - undecided_lag) * accepted;
    verdict->doubtful = lags && result->outcome == FC_OUTCOME_OK;
    if (result->outcome == FC_OUTCOME_NOT_CONVERGED)
        verdict->saturated = lags;
    if (verdict->saturated)
        verdict->carried = load * throughput->value / offered->value;
}

/* Is the network saturated at this load? */
static fc_status judge(const struct search *search, double load, const char *precision,
                       fc_error *error, struct verdict *verdict) {
    fc_scenario *scenario;
    fc_status status = with_load(search, load, precision, error, &scenario);
    *verdict = (struct verdict){.possible = status == FC_OK, .carried = NAN};
    if (!verdict->possible)
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    fc_result *result;
    status = search->model ? fc_predict(scenario, search->model, error, &result)
                           : fc_simulate(scenario, search->settings, error, &result);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return status;
    verdict->saturated = result->outcome == FC_OUTCOME_SATURATED;
    if (!search->model)
        judge_carried(result, load, verdict);
    fc_result_free(result);
    return search->settings && search->settings->cancel && *search->settings->cancel
               ? fc_fail(error, FC_ERROR_CANCELLED, "stopped")
               : FC_OK;
}

/* The boundary lies between low, which settled, and high, which did not. */
struct bracket {
    double low, high; /* 0 and infinity: not known yet */
    double carried;   /* at high; NaN: not known, or found to be no guide */
    int misled;       /* how often it was none */
    double factor;    /* to the next load while one end is not known */
};

/* Runs at the boundary are the longest, so there should be few. What a saturated network still
 * carries is often the load at which it saturates: just below and just above that come first, and
 * bisection where one of the two is not as expected. */
static double next_load(struct bracket *bracket, double load, double precision) {
    const bool bracketed = bracket->low > 0 && bracket->high < INFINITY;
    const double below = bracket->carried * (1 - 0.49 * precision);
    const double above = bracket->carried * (1 + 0.49 * precision);
    if (below > bracket->low && below < bracket->high)
        return below;
    if (bracketed && above > bracket->low && above < bracket->high)
        return above;
    if (bracketed)
        return 0.5 * (bracket->low + bracket->high);
    load = bracket->low > 0 ? load * bracket->factor : load / bracket->factor;
    bracket->factor = fmin(2, bracket->factor * bracket->factor);
    return load;
}

static void narrow(struct bracket *bracket, double load, const struct verdict *verdict) {
    if (!isnan(bracket->carried) && (load < bracket->carried) == verdict->saturated) {
        bracket->carried = NAN;
        ++bracket->misled;
    }
    if (verdict->saturated && bracket->misled < MISLED_MAX)
        bracket->carried = verdict->carried;
    if (verdict->saturated)
        bracket->high = load;
    else
        bracket->low = load;
}

/* Narrows the bracket from a first load on until it is as narrow as it should be. */
static fc_status search_from(const struct search *search, double load, double precision,
                             fc_error *error, struct bracket *bracket) {
    for (int step = 0; step < STEPS_MAX; ++step) {
        struct verdict verdict;
        fc_status status = judge(search, load, brief_look, error, &verdict);
        if (status == FC_OK && verdict.doubtful)
            status = judge(search, load, closer_look, error, &verdict);
        if (status != FC_OK)
            return status;
        if (!verdict.possible && step == 0) {
            load *= 0.5; /* the guess itself was out of range */
            continue;
        }
        if (!verdict.possible) {
            /* accepted loads end between low and load: try closer, then give up there */
            if (load < bracket->low * (1 + precision))
                return FC_OK;
            load = 0.5 * (bracket->low + load);
            continue;
        }
        narrow(bracket, load, &verdict);
        if (bracket->high < INFINITY && bracket->high - bracket->low <= precision * bracket->high)
            return FC_OK;
        load = next_load(bracket, load, precision);
    }
    return FC_OK;
}

static fc_status find_between(const struct search *search, double guess, double precision,
                              fc_error *error, fc_saturation *found) {
    struct bracket bracket = {.high = INFINITY, .carried = NAN, .factor = 1.1};
    const fc_status status = search_from(search, guess, precision, error, &bracket);
    found->low = bracket.low;
    found->high = bracket.high;
    found->load = bracket.high < INFINITY ? 0.5 * (bracket.low + bracket.high) : INFINITY;
    return status;
}

static fc_status calibrate(const struct search *search, fc_error *error, fc_saturation *found) {
    double load;
    const fc_status status =
        fc_calibrated_saturation(search->calibrated, search->base, found->load, error, &load);
    if (status == FC_OK && !isnan(load)) {
        found->uncalibrated = found->load;
        found->load = found->low = found->high = load;
    }
    return status;
}

static fc_status saturate_model(const struct search *search, const fc_model *model, fc_error *error,
                                fc_saturation *found) {
    snprintf(found->method, sizeof found->method, "%s", model->info.name);
    found->kind = FC_MODEL;
    if (model->saturation) {
        const fc_status status = model->saturation(search->base, error, &found->load);
        found->low = found->high = found->load;
        return status == FC_OK && model == search->calibrated ? calibrate(search, error, found)
                                                              : status;
    }
    double guess;
    const fc_status status = fc_scenario_number(search->base, search->key, error, &guess);
    return status == FC_OK ? find_between(search, guess, model_precision, error, found) : status;
}

static fc_status saturate_simulation(const struct search *search, const fc_saturation *models,
                                     size_t count, double precision, fc_error *error,
                                     fc_saturation *found) {
    const fc_simulator *simulator;
    fc_load_bracket bracket;
    const fc_load_search wanted = {.scenario = search->base,
                                   .settings = search->settings,
                                   .forecast = count ? models[0].load : (double)NAN,
                                   .width = precision};
    fc_status status = fc_simulator_choose(search->base, error, &simulator);
    if (status == FC_OK)
        status = fc_find_saturation(&wanted, error, &bracket);
    if (status != FC_OK)
        return status;
    snprintf(found->method, sizeof found->method, "%s", simulator->info.name);
    found->kind = FC_SIMULATOR;
    found->low = bracket.low;
    found->high = bracket.high;
    found->load = fc_bracket_load(&bracket);
    return FC_OK;
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
                       routed && routed->workload
                           ? "a trace or a workload has no load to raise; simulate it as it is"
                           : "closed traffic cannot saturate: its sources wait for answers");
    const char *model = fc_model_is_default(saturate->model) ? NULL : saturate->model;
    if (model && !fc_model_find(model, error))
        return FC_ERROR_INPUT;
    if (!saturate->model && fc_model_choose(scenario, NULL, &search.calibrated) != FC_OK)
        search.calibrated = NULL;
    fc_saturation *found = fc_allocate(fc_method_count() + 1, sizeof *found);
    if (!found)
        return fc_fail_memory(error);
    size_t used = 0;
    fc_status status = FC_OK;
    for (size_t i = 0; fc_models[i] && status == FC_OK; ++i) {
        const fc_method_info *info = &fc_models[i]->info;
        found[used].uncalibrated = NAN;
        if (model ? strcmp(model, info->name) != 0 : info->variant)
            continue;
        fc_error why;
        search.model = info->name;
        if (fc_method_covers(info->name, scenario, &why) == FC_OK)
            status = saturate_model(&search, fc_models[i], error, &found[used++]);
        else if (model)
            status = fc_fail(error, FC_ERROR_UNSUPPORTED, "%.900s", why.text);
    }
    if (status == FC_OK && saturate->simulate) {
        search.model = NULL;
        found[used].uncalibrated = NAN;
        status =
            saturate_simulation(&search, found, used, saturate->precision, error, &found[used]);
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
