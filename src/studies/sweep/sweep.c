/* A grid of points. Models are evaluated in chunks spread over the cores; simulations, and with a
 * crew everything, go through a queue (sweep_queue.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"
#include "studies/evaluate.h"
#include "studies/run.h"
#include "studies/sweep/sweep_jobs.h"

/* Scenarios are made and freed in chunks, so that a long sweep holds results, not scenarios. With a
 * store, a chunk is what a killed process may have to do again. */
enum { CHUNK = 1024, STORED_CHUNK = 64 };
static const double points_max = 5e6;

void fc_sweep_free(fc_sweep *sweep) {
    if (!sweep)
        return;
    const size_t jobs = sweep->point_count * sweep->method_count;
    for (size_t i = 0; sweep->results && i < jobs; ++i)
        fc_result_free(sweep->results[i]);
    for (size_t i = 0; sweep->gaps && i < jobs; ++i)
        fc_release(sweep->gaps[i].reason);
    for (size_t i = 0; sweep->axes && i < sweep->axis_count; ++i)
        fc_axis_clear(&sweep->axes[i]);
    fc_sweep_lines_free(sweep);
    fc_release(sweep->gaps);
    fc_release(sweep->results);
    fc_release(sweep->methods);
    fc_release(sweep->axes);
    free(sweep->scenario);
    fc_release(sweep);
}

static bool copy_axis(const fc_axis *from, fc_axis *axis) {
    memcpy(axis->key, from->key, sizeof axis->key);
    memcpy(axis->label, from->label, sizeof axis->label);
    axis->values = fc_allocate(from->count, sizeof *axis->values);
    if (!axis->values)
        return false;
    for (; axis->count < from->count; ++axis->count) {
        axis->values[axis->count] = fc_copy_text(from->values[axis->count]);
        if (!axis->values[axis->count])
            return false;
    }
    return true;
}

static fc_status check_size(const fc_sweep_settings *sweep, fc_error *error, size_t *points) {
    double product = 1;
    if (sweep->axis_count > FC_SWEEP_AXES)
        return fc_fail(error, FC_ERROR_INPUT, "at most %d keys can be varied at once",
                       FC_SWEEP_AXES);
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        product *= (double)sweep->axes[a].count;
        for (size_t b = 0; b < a; ++b) {
            if (strcmp(sweep->axes[a].key, sweep->axes[b].key) == 0)
                return fc_fail(error, FC_ERROR_INPUT, "%s is varied twice", sweep->axes[a].key);
        }
    }
    if (product > points_max)
        return fc_fail(error, FC_ERROR_INPUT, "the grid has %.3g points; at most %.0g are possible",
                       product, points_max);
    *points = (size_t)product;
    return FC_OK;
}

static fc_status create_sweep(const fc_scenario *base, const fc_sweep_settings *settings,
                              size_t points, fc_error *error, fc_sweep **result) {
    fc_sweep *sweep = fc_allocate(1, sizeof *sweep);
    if (!sweep)
        return fc_fail_memory(error);
    const size_t models = fc_sweep_models(settings);
    sweep->point_count = points;
    sweep->method_count = models + settings->simulate;
    sweep->axes = fc_allocate(settings->axis_count, sizeof *sweep->axes);
    sweep->methods = fc_allocate(sweep->method_count, sizeof *sweep->methods);
    sweep->results = fc_allocate(points * sweep->method_count, sizeof *sweep->results);
    sweep->gaps = fc_allocate(points * sweep->method_count, sizeof *sweep->gaps);
    sweep->scenario = fc_scenario_text(base);
    bool made = sweep->axes && sweep->methods && sweep->results && sweep->gaps && sweep->scenario;
    for (; made && sweep->axis_count < settings->axis_count; ++sweep->axis_count)
        made = copy_axis(&settings->axes[sweep->axis_count], &sweep->axes[sweep->axis_count]);
    if (!made) {
        fc_sweep_free(sweep);
        return fc_fail_memory(error);
    }
    for (size_t m = 0; m < models; ++m)
        snprintf(sweep->methods[m], FC_NAME_SIZE, "%s",
                 fc_model_is_default(settings->models ? settings->models[m] : NULL)
                     ? "model"
                     : settings->models[m]);
    if (settings->simulate)
        snprintf(sweep->methods[models], FC_NAME_SIZE, "simulation");
    snprintf(sweep->scenario_name, sizeof sweep->scenario_name, "%s", fc_scenario_name(base));
    snprintf(sweep->scenario_hash, sizeof sweep->scenario_hash, "%s", fc_scenario_hash(base));
    snprintf(sweep->main_metric, sizeof sweep->main_metric, "%s", fc_scenario_main_metric(base));
    const char *load_key = fc_scenario_load_key(base);
    snprintf(sweep->load_key, sizeof sweep->load_key, "%s", load_key ? load_key : "");
    sweep->saturation = NAN;
    *result = sweep;
    return FC_OK;
}

/* ---- models ---- */

struct chunk {
    fc_scenario *scenarios[CHUNK];
    size_t scenario_count;
    fc_sweep_job *jobs;
    size_t job_count;
};

/* Opens the jobs of the models at points first .. first + count - 1. */
static fc_status open_chunk(const fc_sweeping *run, size_t first, size_t count, fc_error *error,
                            struct chunk *chunk) {
    const size_t methods = run->sweep->method_count, models = fc_sweep_models(run->settings);
    fc_status status = FC_OK;
    for (size_t point = first; point < first + count && status == FC_OK; ++point) {
        fc_scenario *scenario = NULL;
        if (fc_sweep_in_shard(run, point))
            status = fc_sweep_open_point(run, point, error, &scenario);
        if (!scenario)
            continue;
        chunk->scenarios[chunk->scenario_count++] = scenario;
        for (size_t m = 0; m < models && status == FC_OK; ++m) {
            fc_sweep_job *job = &chunk->jobs[chunk->job_count];
            fc_sweep_state state;
            *job = (fc_sweep_job){.index = point * methods + m, .scenario = scenario};
            status = fc_sweep_open_job(run, job, error, &state);
            chunk->job_count += status == FC_OK && state == FC_SWEEP_OPEN;
        }
    }
    return status;
}

static fc_status run_job(void *context, size_t index) {
    const struct chunk *chunk = context;
    fc_sweep_job *job = &chunk->jobs[index];
    job->status = fc_method_run(job->method, job->scenario, NULL, &job->why, &job->result);
    return job->status == FC_ERROR_MEMORY ? FC_ERROR_MEMORY : FC_OK;
}

/* What was evaluated before a stop is kept. */
static fc_status close_chunk(const fc_sweeping *run, const struct chunk *chunk, fc_error *error) {
    fc_status status = run->store ? fc_store_begin(run->store, error) : FC_OK;
    for (size_t i = 0; i < chunk->job_count && status == FC_OK; ++i) {
        fc_sweep_job *job = &chunk->jobs[i];
        if (job->result || job->status != FC_OK)
            status = fc_sweep_close_job(run, job, error);
    }
    if (run->store && status == FC_OK)
        status = fc_store_commit(run->store, error);
    return status;
}

/* The results of a chunk that failed belong to nobody yet. */
static void clear_chunk(const fc_sweeping *run, struct chunk *chunk) {
    for (size_t i = 0; i < chunk->job_count; ++i) {
        if (run->sweep->results[chunk->jobs[i].index] != chunk->jobs[i].result)
            fc_result_free(chunk->jobs[i].result);
    }
    for (size_t i = 0; i < chunk->scenario_count; ++i)
        fc_scenario_free(chunk->scenarios[i]);
    fc_release(chunk->jobs);
}

static fc_status run_chunk(const fc_sweeping *run, size_t first, size_t count,
                           const fc_run_settings *settings, fc_error *error) {
    struct chunk chunk = {
        .jobs = fc_allocate(count * fc_sweep_models(run->settings), sizeof *chunk.jobs)};
    if (!chunk.jobs)
        return fc_fail_memory(error);
    fc_status status = open_chunk(run, first, count, error, &chunk);
    if (status == FC_OK && chunk.job_count) {
        status = fc_pool_run(settings, "models", chunk.job_count, run_job, &chunk);
        if (status == FC_ERROR_MEMORY)
            fc_fail_memory(error);
        const fc_status closed =
            status == FC_ERROR_MEMORY ? status : close_chunk(run, &chunk, error);
        if (status == FC_OK)
            status = closed;
    }
    clear_chunk(run, &chunk);
    return status;
}

static fc_status run_models(const fc_sweeping *run, double share, const fc_run_settings *settings,
                            fc_error *error) {
    const size_t points = run->sweep->point_count;
    const size_t chunk = run->store ? STORED_CHUNK : CHUNK;
    fc_status status = FC_OK;
    for (size_t first = 0; first < points && status == FC_OK; first += chunk) {
        const size_t count = points - first < chunk ? points - first : chunk;
        fc_slice slice = {settings, share * (double)first / (double)points,
                          share * (double)count / (double)points};
        const fc_run_settings inner = fc_slice_settings(&slice);
        status = run_chunk(run, first, count, &inner, error);
    }
    return status;
}

/* ---- all of it ---- */

static fc_status run_here(const fc_sweeping *run, const fc_run_settings *settings,
                          fc_error *error) {
    const double share = run->settings->simulate ? 0.05 : 1;
    fc_status status = FC_OK;
    if (fc_sweep_models(run->settings) > 0)
        status = run_models(run, share, settings, error);
    if (status == FC_OK && run->settings->simulate) {
        fc_slice slice = {settings, share, 1 - share};
        const fc_run_settings inner = fc_slice_settings(&slice);
        status = fc_sweep_run_queue(run, &inner, error);
    }
    return status;
}

/* Where the curve of a sweep over the load ends, for the plot. Not finding it is no failure,
 * running out of memory is. */
static fc_status mark_saturation(const fc_sweeping *run, fc_error *error) {
    const fc_sweep *sweep = run->sweep;
    fc_method method;
    fc_scenario *first;
    if (fc_sweep_models(run->settings) == 0 || !sweep->load_key[0] || sweep->point_count < 2 ||
        strcmp(sweep->axes[sweep->axis_count - 1].key, sweep->load_key) != 0 ||
        sweep->axes[sweep->axis_count - 1].count != sweep->point_count)
        return FC_OK;
    fc_status status = fc_sweep_scenario(run->base, run->settings, 0, NULL, &first);
    if (status != FC_OK)
        return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : FC_OK;
    status = fc_sweep_method(run->settings, 0, first, NULL, &method);
    if (status == FC_OK) {
        double load;
        status = fc_sweep_saturation(method, first, &load);
        if (isfinite(load))
            run->sweep->saturation = load;
    }
    fc_scenario_free(first);
    return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : FC_OK;
}

/* A sweep without any result is an error. A shard without results is not: others may have some. */
static fc_status check_results(const fc_sweeping *run, fc_error *error) {
    const fc_sweep *sweep = run->sweep;
    const fc_gap *first = &sweep->gaps[0];
    bool alike = true, uncovered = false;
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        const fc_gap *gap = &sweep->gaps[i];
        if (!gap->reason || run->settings->shard_count)
            return FC_OK;
        alike &= strcmp(gap->reason, first->reason) == 0;
        uncovered |= gap->status == FC_ERROR_UNSUPPORTED;
    }
    const fc_simulator *unused;
    const bool simulator = uncovered && !run->settings->simulate &&
                           fc_simulator_choose(run->base, NULL, &unused) == FC_OK;
    return fc_fail(error, first->status, "%s%.800s%s",
                   alike ? "" : "no point of the grid has a result. The first: ", first->reason,
                   simulator ? "; every point can be simulated, without a model" : "");
}

static fc_status check_models(const fc_sweep_settings *settings, fc_error *error) {
    for (size_t m = 0; settings->models && m < fc_sweep_models(settings); ++m) {
        const char *name = settings->models[m];
        if (!fc_model_is_default(name) && !fc_model_find(name, error))
            return FC_ERROR_INPUT;
    }
    return FC_OK;
}

fc_status fc_sweep_evaluate(const fc_scenario *base, const fc_sweep_settings *sweep, size_t job,
                            const fc_run_settings *settings, fc_error *error, fc_result **result) {
    FC_IN_C_LOCALE;
    const size_t methods = fc_sweep_models(sweep) + sweep->simulate;
    fc_scenario *scenario;
    fc_method method;
    if (sweep->axis_count > FC_SWEEP_AXES || methods == 0)
        return fc_fail(error, FC_ERROR_ARGUMENT, "there is no such job in this sweep");
    fc_status status = fc_sweep_scenario(base, sweep, job / methods, error, &scenario);
    if (status != FC_OK)
        return status;
    status = fc_sweep_method(sweep, job, scenario, error, &method);
    if (status == FC_OK)
        status = fc_method_run(method, scenario, settings, error, result);
    fc_scenario_free(scenario);
    return status;
}

fc_status fc_sweep_run(const fc_scenario *base, const fc_sweep_settings *sweep,
                       const fc_run_settings *settings, fc_error *error, fc_sweep **result) {
    FC_IN_C_LOCALE;
    size_t points = 0;
    fc_sweeping run = {
        .base = base, .settings = sweep, .cancel = settings ? settings->cancel : NULL};
    fc_status status = check_size(sweep, error, &points);
    if (status == FC_OK)
        status = check_models(sweep, error);
    if (status == FC_OK)
        status = create_sweep(base, sweep, points, error, &run.sweep);
    if (status == FC_OK && sweep->store)
        status = fc_store_open(sweep->store, true, error, &run.store);
    if (status != FC_OK) {
        fc_sweep_free(run.sweep);
        return status;
    }
    status =
        sweep->crew ? fc_sweep_run_queue(&run, settings, error) : run_here(&run, settings, error);
    if (status == FC_OK)
        status = check_results(&run, error);
    if (status == FC_OK)
        status = mark_saturation(&run, error);
    if (status == FC_OK && sweep->lines)
        status = fc_sweep_draw_lines(&run, error);
    run.sweep->unchecked = fc_store_unchecked(run.store);
    fc_store_close(run.store);
    /* what was finished before a stop is kept */
    if (status != FC_OK && status != FC_ERROR_CANCELLED) {
        fc_sweep_free(run.sweep);
        return status;
    }
    *result = run.sweep;
    return FC_OK;
}
