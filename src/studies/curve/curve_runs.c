#include "studies/curve/curve_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/progress.h"
#include "base/status.h"
#include "output/text/json.h"
#include "registry/method.h"

fc_status fc_curve_runs_open(fc_curve_runs *runs, const fc_curve *curve, const char *store,
                             fc_error *error) {
    runs->curve = curve;
    return store ? fc_store_open(store, true, error, &runs->store) : FC_OK;
}

void fc_curve_runs_close(fc_curve_runs *runs) {
    if (runs->store)
        fc_store_close(runs->store);
    runs->store = NULL;
}

double fc_curve_rounded(double load) {
    char text[FC_REAL_SIZE];
    double number;
    snprintf(text, sizeof text, "%.3g", load);
    return fc_parse_real(text, &number) ? number : load;
}

const fc_curve_measurement *fc_curve_runs_find(const fc_curve_runs *runs, double load) {
    for (size_t r = 0; r < runs->count; ++r) {
        if (runs->list[r].load == load)
            return &runs->list[r];
    }
    return NULL;
}

static fc_curve_measurement *add_run(fc_curve_runs *runs, double load, const fc_result *result) {
    if (runs->count == FC_CURVE_RUNS_MOST)
        return NULL;
    fc_curve_measurement *run = &runs->list[runs->count++];
    const fc_metric *throughput = fc_result_find(result, FC_METRIC_THROUGHPUT);
    const fc_metric *offered = fc_result_find(result, FC_METRIC_OFFERED);
    const fc_metric *loss = fc_result_find(result, FC_METRIC_LOSS);
    *run = (fc_curve_measurement){.load = load,
                                  .outcome = result->outcome,
                                  .throughput = throughput ? throughput->value : NAN,
                                  .offered = offered ? offered->value : NAN,
                                  .loss = loss ? loss->value : 0,
                                  .cycles = result->run.cycles,
                                  .work = (double)result->run.events,
                                  .cpu_seconds = result->run.cpu_seconds};
    for (size_t m = 0; m < FC_CURVE_METRICS; ++m) {
        const fc_metric *metric = fc_result_metric(result, runs->curve->metrics[m]);
        const bool known = metric && m < runs->curve->metric_count;
        run->measured[m] = known ? (fc_curve_value){metric->value, metric->half_width}
                                 : (fc_curve_value){NAN, NAN};
    }
    return run;
}

/* A seed for each load: splitmix64 of the scenario's seed and the bits of the load, as far as a
 * scenario can hold it. */
static double seed_of(const fc_scenario *scenario, double load) {
    uint64_t bits;
    memcpy(&bits, &load, sizeof bits);
    uint64_t z = (uint64_t)scenario->simulation.seed * UINT64_C(0x9E3779B97F4A7C15) + bits;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 12);
}

fc_status fc_curve_scenario(const fc_scenario *base, const char *key, double load,
                            const fc_curve_request *request, fc_error *error,
                            fc_scenario **scenario) {
    char text[4][FC_REAL_SIZE];
    fc_setting settings[4] = {{key, text[0], "a load of the curve"}};
    fc_real_text(load, text[0]);
    if (!request)
        return fc_scenario_with(base, settings, 1, error, scenario);
    fc_real_text(request->precision, text[1]);
    fc_real_text(fmin(request->cycles_most, base->simulation.max_cycles), text[2]);
    snprintf(text[3], sizeof text[3], "%.0f", seed_of(base, load));
    settings[1] = (fc_setting){"simulation.precision", text[1]};
    settings[2] = (fc_setting){"simulation.max_cycles", text[2]};
    settings[3] = (fc_setting){"simulation.seed", text[3]};
    return fc_scenario_with(base, settings, 4, error, scenario);
}

static fc_status store_result(fc_curve_runs *runs, const fc_curve_request *request,
                              fc_store_key key, const fc_result *result, fc_error *error) {
    json_t *object = json_object();
    char text[FC_REAL_SIZE];
    fc_real_text(request->load, text);
    fc_json_set(&object, request->key, fc_json_text(text));
    char *settings = object ? json_dumps(object, 0) : NULL;
    json_decref(object);
    const fc_status status =
        settings ? fc_store_add(runs->store, key, result, settings, error) : fc_fail_memory(error);
    free(settings);
    return status;
}

fc_status fc_curve_simulate(fc_curve_runs *runs, const fc_curve_request *request,
                            const fc_run_settings *settings, fc_error *error,
                            fc_curve_measurement **run) {
    fc_scenario *scenario;
    fc_result *result = NULL;
    const fc_simulator *simulator;
    fc_status status = fc_curve_scenario(request->scenario, request->key, request->load, request,
                                         error, &scenario);
    if (status != FC_OK)
        return status;
    status = fc_simulator_choose(scenario, error, &simulator);
    const fc_store_key key = {.scenario = fc_scenario_hash(scenario),
                              .method = status == FC_OK ? simulator->info.name : "",
                              .revision = status == FC_OK ? simulator->info.revision : 0,
                              .seed = (uint64_t)scenario->simulation.seed};
    if (status == FC_OK && runs->store)
        status = fc_store_find(runs->store, key, error, &result);
    const bool stored = result != NULL;
    if (status == FC_OK && !stored)
        status = fc_simulate(scenario, settings, error, &result);
    if (status == FC_OK && runs->store && !stored && !fc_cancelled(settings))
        status = store_result(runs, request, key, result, error);
    fc_scenario_free(scenario);
    if (status == FC_OK) {
        *run = add_run(runs, request->load, result);
        if (!*run)
            status = fc_fail(error, FC_ERROR_INPUT, "a curve has room for %d simulations",
                             FC_CURVE_RUNS_MOST);
    }
    fc_result_free(result);
    return status;
}
