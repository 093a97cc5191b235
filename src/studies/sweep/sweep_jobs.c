#include "studies/sweep/sweep_jobs.h"

#include <stdlib.h>
#include "base/memory.h"
#include "base/status.h"
#include "output/text/json.h"
#include "forecast/correction.h"
#include "studies/run.h"

size_t fc_sweep_models(const fc_sweep_settings *settings) {
    if (settings->no_model)
        return 0;
    return settings->models ? settings->model_count : 1;
}

/* ---- points ---- */

void fc_sweep_settings_of(const fc_axis *axes, size_t count, size_t point, fc_setting *settings) {
    for (size_t a = count; a-- > 0;) {
        settings[a] =
            (fc_setting){axes[a].key, axes[a].values[point % axes[a].count], axes[a].label};
        point /= axes[a].count;
    }
}

fc_status fc_sweep_scenario(const fc_scenario *base, const fc_sweep_settings *settings,
                            size_t point, fc_error *error, fc_scenario **scenario) {
    fc_setting varied[FC_SWEEP_AXES];
    fc_sweep_settings_of(settings->axes, settings->axis_count, point, varied);
    return fc_scenario_with(base, varied, settings->axis_count, error, scenario);
}

fc_status fc_sweep_method(const fc_sweep_settings *settings, size_t job,
                          const fc_scenario *scenario, fc_error *error, fc_method *method) {
    const size_t models = fc_sweep_models(settings), at = job % (models + settings->simulate);
    if (at == models)
        return fc_method_choose(scenario, FC_SIMULATOR, NULL, error, method);
    return fc_method_choose(scenario, FC_MODEL, settings->models ? settings->models[at] : NULL,
                            error, method);
}

bool fc_sweep_in_shard(const fc_sweeping *run, size_t point) {
    const size_t count = run->settings->shard_count;
    return count == 0 || point % count == run->settings->shard;
}

bool fc_sweep_cancelled(const fc_sweeping *run) {
    return run->cancel && *run->cancel;
}

/* ---- what has no result ---- */

/* A point that is not a valid scenario, or that a method does not cover, does not end the sweep. */
static bool is_gap(fc_status status) {
    return status == FC_ERROR_INPUT || status == FC_ERROR_UNSUPPORTED;
}

static fc_status note_gap(const fc_sweeping *run, size_t job, fc_status status, const fc_error *why,
                          fc_error *error) {
    fc_gap *gap = &run->sweep->gaps[job];
    gap->status = status;
    gap->reason = fc_copy_text(why->text);
    return gap->reason ? FC_OK : fc_fail_memory(error);
}

fc_status fc_sweep_open_point(const fc_sweeping *run, size_t point, fc_error *error,
                              fc_scenario **scenario) {
    fc_error why;
    *scenario = NULL;
    fc_status status = fc_sweep_scenario(run->base, run->settings, point, &why, scenario);
    if (status == FC_ERROR_FILE) /* a file that a varied key names */
        status = FC_ERROR_INPUT;
    if (status == FC_OK)
        return FC_OK;
    if (!is_gap(status))
        return fc_fail(error, status, "%s", why.text);
    const size_t methods = run->sweep->method_count;
    fc_status noted = FC_OK;
    for (size_t m = 0; m < methods && noted == FC_OK; ++m)
        noted = note_gap(run, point * methods + m, status, &why, error);
    return noted;
}

/* ---- the store ---- */

/* Which weights: 0 if the model has none. */
static uint32_t correction_of(const fc_model *model) {
    fc_weights *weights;
    if (!model->correction || fc_correction_weights(model, NULL, &weights) != FC_OK)
        return 0;
    const uint32_t number = (uint32_t)strtoul(fc_weights_passport(weights).hash + 8, NULL, 16);
    fc_weights_free(weights);
    return number;
}

static fc_store_key key_of(const fc_sweep_job *job) {
    const char *name = fc_method_info_of(job->method)->name;
    return (fc_store_key){
        .scenario = fc_scenario_hash(job->scenario),
        .method = name,
        .calibration = job->method.corrected ? correction_of(job->method.model) : 0,
        .revision = fc_method_info_of(job->method)->revision,
        .seed = job->method.simulator ? (uint64_t)job->scenario->simulation.seed : 0,
    };
}

/* {"traffic.rate": "0.001"}; NULL: out of memory. Free it with free. */
static char *settings_text(const fc_sweep *sweep, size_t point) {
    fc_setting settings[FC_SWEEP_AXES];
    fc_sweep_settings_of(sweep->axes, sweep->axis_count, point, settings);
    json_t *object = json_object();
    for (size_t a = 0; a < sweep->axis_count; ++a)
        fc_json_set(&object, settings[a].key, fc_json_text(settings[a].value));
    char *text = json_dumps(object, 0);
    json_decref(object);
    return text;
}

static fc_status store_result(const fc_sweeping *run, const fc_sweep_job *job, fc_error *error) {
    char *text = settings_text(run->sweep, job->index / run->sweep->method_count);
    const fc_status status = text ? fc_store_add(run->store, key_of(job), job->result, text, error)
                                  : fc_fail_memory(error);
    free(text);
    return status;
}

/* ---- jobs ---- */

fc_status fc_sweep_open_job(const fc_sweeping *run, fc_sweep_job *job, fc_error *error,
                            fc_sweep_state *state) {
    fc_result **slot = &run->sweep->results[job->index];
    *state = FC_SWEEP_CLOSED;
    fc_status status =
        fc_sweep_method(run->settings, job->index, job->scenario, &job->why, &job->method);
    if (is_gap(status))
        return note_gap(run, job->index, status, &job->why, error);
    if (status != FC_OK)
        return fc_fail(error, status, "%s", job->why.text);
    bool mine = true;
    if (run->store)
        status = fc_store_find(run->store, key_of(job), error, slot);
    if (run->store && status == FC_OK && !*slot && job->method.simulator)
        status = fc_store_claim(run->store, key_of(job), error, &mine);
    if (status == FC_OK && *slot) { /* stored cycles are those of any clock */
        (*slot)->units = job->scenario->units;
        status = fc_add_counts(job->scenario, error, *slot);
    }
    if (!*slot)
        *state = mine ? FC_SWEEP_OPEN : FC_SWEEP_ELSEWHERE;
    return status;
}

fc_status fc_sweep_close_job(const fc_sweeping *run, fc_sweep_job *job, fc_error *error) {
    if (is_gap(job->status))
        return note_gap(run, job->index, job->status, &job->why, error);
    if (job->status != FC_OK)
        return fc_fail(error, job->status, "%s",
                       job->why.text[0] ? job->why.text : fc_status_text(job->status));
    run->sweep->results[job->index] = job->result;
    /* a simulation that was cut short is shown, and not stored */
    const bool whole = job->method.model || !fc_sweep_cancelled(run);
    return run->store && whole ? store_result(run, job, error) : FC_OK;
}
