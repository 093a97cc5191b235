/* The saturation load: by forecast its pole, with its interval (forecast/forecast.h); by simulation
 * a bracket (load_search.h), looked for from the forecast on. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "forecast/forecast.h"
#include "scenario/routed.h"
#include "studies/load_search.h"

/* model: NULL: the forecast. */
static fc_status saturate_model(const fc_scenario *scenario, const char *model, fc_error *error,
                                fc_saturation *found) {
    fc_forecast *forecast;
    fc_load_range range;
    fc_status status = fc_forecast_create(scenario, model, error, &forecast);
    if (status != FC_OK)
        return status;
    snprintf(found->method, sizeof found->method, "%s", fc_forecast_method(forecast));
    found->kind = FC_MODEL;
    found->calibrated = fc_forecast_is_corrected(forecast);
    status = fc_forecast_saturation(forecast, error, &range);
    found->load = range.load;
    found->low = range.low;
    found->high = range.high;
    fc_forecast_free(forecast);
    return status;
}

static fc_status saturate_simulation(const fc_load_search *wanted, fc_error *error,
                                     fc_saturation *found) {
    const fc_simulator *simulator;
    fc_load_bracket bracket;
    fc_status status = fc_simulator_choose(wanted->scenario, error, &simulator);
    if (status == FC_OK)
        status = fc_find_saturation(wanted, error, &bracket);
    if (status != FC_OK)
        return status;
    snprintf(found->method, sizeof found->method, "%s", simulator->info.name);
    found->kind = FC_SIMULATOR;
    found->low = bracket.low;
    found->high = bracket.high;
    found->load = fc_bracket_load(&bracket);
    return FC_OK;
}

/* The forecast, or the model asked for, and then every other model that covers the scenario. */
static fc_status saturate_models(const fc_scenario *scenario, const char *asked, fc_error *error,
                                 fc_saturation *found, size_t *used) {
    const fc_model *first;
    if (!fc_model_is_default(asked)) {
        const fc_status status = saturate_model(scenario, asked, error, &found[0]);
        *used = status == FC_OK;
        return status;
    }
    if (fc_model_choose(scenario, NULL, &first) != FC_OK)
        return FC_OK; /* no model covers it */
    fc_status status = saturate_model(scenario, asked, error, &found[(*used)++]);
    for (size_t i = 0; fc_models[i] && status == FC_OK; ++i) {
        const fc_model *model = fc_models[i];
        if (model != first && !model->info.variant &&
            fc_model_covers(model, scenario, NULL) == FC_OK)
            status = saturate_model(scenario, model->info.name, error, &found[(*used)++]);
    }
    return status;
}

fc_status fc_saturate(const fc_scenario *scenario, const fc_saturation_settings *saturate,
                      const fc_run_settings *settings, fc_error *error,
                      fc_saturation **saturations) {
    FC_IN_C_LOCALE;
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!fc_scenario_load_key(scenario))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       routed && routed->workload
                           ? "a trace or a workload has no load to raise; simulate it as it is"
                           : "closed traffic cannot saturate: its sources wait for answers");
    fc_saturation *found = fc_allocate(fc_method_count() + 2, sizeof *found);
    if (!found)
        return fc_fail_memory(error);
    size_t used = 0;
    fc_status status = saturate_models(scenario, saturate->model, error, found, &used);
    if (status == FC_OK && saturate->simulate) {
        const fc_load_search wanted = {.scenario = scenario,
                                       .settings = settings,
                                       .forecast = used ? found[0].load : (double)NAN,
                                       .width = saturate->precision};
        status = saturate_simulation(&wanted, error, &found[used++]);
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
    return FC_OK;
}

void fc_saturation_free(fc_saturation *saturations) {
    fc_release(saturations);
}
