#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "output/json.h"
#include "output/store.h"
#include "registry/method.h"
#include "studies/evaluate.h"

/* Scenarios are made and freed in chunks, so that a long sweep holds results, not scenarios. With a
 * store, a chunk is what a killed process may have to do again. */
enum { CHUNK = 1024, STORED_CHUNK = 64, AXES_MAX = 16, METHODS_MAX = 32 };
static const double points_max = 5e6;

void fc_sweep_free(fc_sweep *sweep) {
    if (!sweep)
        return;
    for (size_t i = 0; sweep->results && i < sweep->point_count * sweep->method_count; ++i)
        fc_result_free(sweep->results[i]);
    for (size_t i = 0; sweep->axes && i < sweep->axis_count; ++i)
        fc_axis_clear(&sweep->axes[i]);
    fc_release(sweep->results);
    fc_release(sweep->methods);
    fc_release(sweep->axes);
    free(sweep->scenario);
    fc_release(sweep);
}

static bool copy_axis(const fc_axis *from, fc_axis *axis) {
    memcpy(axis->key, from->key, sizeof axis->key);
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

/* The settings of one point; the last axis runs fastest. */
static void settings_of(const fc_sweep *sweep, size_t point, fc_setting *settings) {
    for (size_t a = sweep->axis_count; a-- > 0;) {
        const fc_axis *axis = &sweep->axes[a];
        settings[a] = (fc_setting){axis->key, axis->values[point % axis->count]};
        point /= axis->count;
    }
}

static fc_status check_size(const fc_sweep_settings *sweep, fc_error *error, size_t *points) {
    double product = 1;
    if (sweep->axis_count > AXES_MAX)
        return fc_fail(error, FC_ERROR_INPUT, "at most %d keys can be varied at once", AXES_MAX);
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        product *= (double)sweep->axes[a].count;
        for (size_t b = 0; b < a; ++b) {
            if (strcmp(sweep->axes[a].key, sweep->axes[b].key) == 0)
                return fc_fail(error, FC_ERROR_INPUT, "--vary %s stands twice", sweep->axes[a].key);
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
    const size_t models = settings->model_count == SIZE_MAX ? 0
                          : settings->models                ? settings->model_count
                                                            : 1;
    sweep->point_count = points;
    sweep->method_count = models + settings->simulate;
    sweep->axes = fc_allocate(settings->axis_count, sizeof *sweep->axes);
    sweep->methods = fc_allocate(sweep->method_count, sizeof *sweep->methods);
    sweep->results = fc_allocate(points * sweep->method_count, sizeof *sweep->results);
    sweep->scenario = fc_scenario_text(base);
    bool made = sweep->axes && sweep->methods && sweep->results && sweep->scenario;
    for (; made && sweep->axis_count < settings->axis_count; ++sweep->axis_count)
        made = copy_axis(&settings->axes[sweep->axis_count], &sweep->axes[sweep->axis_count]);
    if (!made) {
        fc_sweep_free(sweep);
        return fc_fail_memory(error);
    }
    for (size_t m = 0; m < models; ++m)
        snprintf(sweep->methods[m], FC_NAME_SIZE, "%s",
                 settings->models ? settings->models[m] : "model");
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

/* ---- running, with or without a store ---- */

struct sweep_run {
    const fc_scenario *base;
    const fc_sweep_settings *settings;
    const char *const *models;
    size_t model_count;
    fc_sweep *sweep;
    fc_store *store;  /* may be NULL */
    size_t *deferred; /* points another process is simulating */
    size_t deferred_count;
};

static fc_status make_scenario(const struct sweep_run *run, size_t point, fc_error *error,
                               fc_scenario **scenario) {
    fc_setting settings[AXES_MAX];
    settings_of(run->sweep, point, settings);
    return fc_scenario_with_varied(run->base, settings, run->sweep->axis_count,
                                   run->sweep->axis_count, error, scenario);
}

/* The row of a method in the store; false if the method does not cover the scenario. */
static bool store_key(const struct sweep_run *run, const fc_scenario *scenario, size_t method,
                      fc_store_key *key) {
    *key = (fc_store_key){.scenario = fc_scenario_hash(scenario)};
    if (method == run->model_count) {
        const fc_simulator *simulator;
        if (fc_simulator_choose(scenario, NULL, &simulator) != FC_OK)
            return false;
        key->method = simulator->info.name;
        key->seed = (uint64_t)scenario->simulation.seed;
        return true;
    }
    const fc_model *model;
    if (run->models[method]) {
        key->method = run->models[method];
        return fc_method_covers(key->method, scenario, NULL) == FC_OK;
    }
    if (fc_model_choose(scenario, NULL, &model) != FC_OK)
        return false;
    key->method = model->info.name;
    return true;
}

static fc_status find_stored(const struct sweep_run *run, const fc_scenario *scenario, size_t point,
                             fc_error *error) {
    for (size_t m = 0; m < run->sweep->method_count; ++m) {
        fc_store_key key;
        if (!store_key(run, scenario, m, &key))
            continue;
        const fc_status status = fc_store_find(
            run->store, key, error, &run->sweep->results[point * run->sweep->method_count + m]);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

/* {"traffic.rate": "0.001"}; NULL: out of memory. Free it with free. */
static char *settings_text(const fc_sweep *sweep, size_t point) {
    fc_setting settings[AXES_MAX];
    settings_of(sweep, point, settings);
    json_t *object = json_object();
    for (size_t a = 0; a < sweep->axis_count; ++a)
        fc_json_set(&object, settings[a].key, fc_json_text(settings[a].value));
    char *text = json_dumps(object, 0);
    json_decref(object);
    return text;
}

static fc_status keep(const struct sweep_run *run, const fc_scenario *scenario, size_t point,
                      size_t method, fc_error *error) {
    const fc_result *result = run->sweep->results[point * run->sweep->method_count + method];
    fc_store_key key;
    if (!result || !store_key(run, scenario, method, &key))
        return FC_OK;
    char *text = settings_text(run->sweep, point);
    const fc_status status =
        text ? fc_store_add(run->store, key, result, text, error) : fc_fail_memory(error);
    free(text);
    return status;
}

static bool in_shard(const struct sweep_run *run, size_t point) {
    const size_t count = run->settings->shard_count;
    return count == 0 || point % count == run->settings->shard;
}

/* The points of a chunk that are this run's, with their scenarios. */
struct chunk {
    fc_scenario *scenarios[CHUNK];
    size_t points[CHUNK];
    size_t count;
};

static fc_status gather_chunk(const struct sweep_run *run, size_t first, size_t count,
                              fc_error *error, struct chunk *chunk) {
    fc_status status = FC_OK;
    for (size_t point = first; point < first + count && status == FC_OK; ++point) {
        if (!in_shard(run, point))
            continue;
        fc_scenario *scenario;
        status = make_scenario(run, point, error, &scenario);
        if (status != FC_OK)
            break;
        chunk->scenarios[chunk->count] = scenario;
        chunk->points[chunk->count++] = point;
        if (run->store)
            status = find_stored(run, scenario, point, error);
    }
    return status;
}

/* Where the sweep keeps the i-th of a chunk's model results. */
static fc_result **model_slot(const struct sweep_run *run, const struct chunk *chunk, size_t i) {
    return &run->sweep->results[chunk->points[i / run->model_count] * run->sweep->method_count +
                                i % run->model_count];
}

/* Moves the results of a chunk into the sweep and stores those that are new. */
static fc_status keep_chunk(const struct sweep_run *run, const struct chunk *chunk,
                            fc_result *const *results, fc_error *error) {
    fc_status status = run->store ? fc_store_begin(run->store, error) : FC_OK;
    for (size_t i = 0; i < chunk->count * run->model_count; ++i) {
        fc_result **slot = model_slot(run, chunk, i);
        const bool fresh = results[i] && !*slot;
        *slot = results[i];
        if (fresh && run->store && status == FC_OK)
            status = keep(run, chunk->scenarios[i / run->model_count],
                          chunk->points[i / run->model_count], i % run->model_count, error);
    }
    if (status == FC_OK && run->store)
        status = fc_store_commit(run->store, error);
    return status;
}

/* The models of points first .. first + count - 1. */
static fc_status run_chunk(struct sweep_run *run, size_t first, size_t count,
                           const fc_run_settings *settings, fc_error *error) {
    struct chunk chunk = {.count = 0};
    fc_status status = gather_chunk(run, first, count, error, &chunk);
    const size_t jobs = chunk.count * run->model_count;
    fc_result **results = fc_allocate(jobs, sizeof *results);
    if (status == FC_OK && !results)
        status = fc_fail_memory(error);
    if (status == FC_OK && jobs) {
        for (size_t i = 0; i < jobs; ++i)
            results[i] = *model_slot(run, &chunk, i);
        const fc_evaluation models = {(const fc_scenario *const *)chunk.scenarios, chunk.count,
                                      run->models, run->model_count, .simulate = false};
        status = fc_evaluate(&models, settings, error, results);
        const fc_status kept = keep_chunk(run, &chunk, results, error);
        if (status == FC_OK)
            status = kept;
    }
    fc_release(results);
    for (size_t i = 0; i < chunk.count; ++i)
        fc_scenario_free(chunk.scenarios[i]);
    return status;
}

/* Simulates one point unless it is done or another process has claimed it (then it is deferred). */
static fc_status simulate_point(struct sweep_run *run, size_t point,
                                const fc_run_settings *settings, fc_error *error) {
    const size_t at = point * run->sweep->method_count + run->model_count;
    fc_scenario *scenario;
    fc_store_key key;
    fc_status status = make_scenario(run, point, error, &scenario);
    if (status != FC_OK)
        return status;
    bool mine = store_key(run, scenario, run->model_count, &key);
    if (mine && run->store && !run->sweep->results[at])
        status = fc_store_find(run->store, key, error, &run->sweep->results[at]);
    if (mine && status == FC_OK && run->store && !run->sweep->results[at]) {
        status = fc_store_claim(run->store, key, error, &mine);
        if (status == FC_OK && !mine)
            run->deferred[run->deferred_count++] = point;
    }
    if (mine && status == FC_OK && !run->sweep->results[at]) {
        status = fc_simulate(scenario, settings, error, &run->sweep->results[at]);
        const bool whole = !(settings->cancel && *settings->cancel);
        if (status == FC_OK && run->store && whole)
            status = keep(run, scenario, point, run->model_count, error);
    }
    fc_scenario_free(scenario);
    return status;
}

static fc_status simulate_points(struct sweep_run *run, const fc_run_settings *settings,
                                 fc_error *error) {
    const size_t points = run->sweep->point_count;
    run->deferred = fc_allocate(points, sizeof *run->deferred);
    if (!run->deferred)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    for (size_t point = 0; point < points && status == FC_OK; ++point) {
        fc_slice slice = {settings, (double)point / (double)points, 1 / (double)points};
        const fc_run_settings inner = fc_slice_settings(&slice);
        if (inner.cancel && *inner.cancel)
            return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
        if (in_shard(run, point))
            status = simulate_point(run, point, &inner, error);
    }
    /* what others were at: theirs when it is finished, ours if they are gone */
    while (status == FC_OK && run->deferred_count) {
        const struct timespec moment = {.tv_nsec = 200000000};
        const size_t waiting = run->deferred_count;
        nanosleep(&moment, NULL);
        if (settings && settings->cancel && *settings->cancel)
            return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
        run->deferred_count = 0;
        const fc_run_settings inner = settings ? *settings : fc_run_settings_default();
        for (size_t i = 0; i < waiting && status == FC_OK; ++i)
            status = simulate_point(run, run->deferred[i], &inner, error);
    }
    return status;
}

/* ---- with a crew ---- */

static fc_status keep_job(struct sweep_run *run, size_t job, fc_result *result, fc_error *error) {
    const size_t methods = run->sweep->method_count;
    fc_scenario *scenario;
    run->sweep->results[job] = result;
    if (!run->store || !result)
        return FC_OK;
    fc_status status = make_scenario(run, job / methods, error, &scenario);
    if (status != FC_OK)
        return status;
    status = keep(run, scenario, job / methods, job % methods, error);
    fc_scenario_free(scenario);
    return status;
}

typedef enum job_state { JOB_OPEN, JOB_DONE, JOB_ELSEWHERE } job_state;

/* Is there anything to do for a job: is it of this shard, covered, not in the store, and not being
 * simulated by another process on the same store? */
static fc_status look_at_job(struct sweep_run *run, size_t job, fc_error *error, job_state *state) {
    const size_t methods = run->sweep->method_count, point = job / methods;
    fc_scenario *scenario;
    fc_store_key key;
    *state = JOB_DONE;
    if (!in_shard(run, point))
        return FC_OK;
    fc_status status = make_scenario(run, point, error, &scenario);
    if (status != FC_OK)
        return status;
    if (store_key(run, scenario, job % methods, &key)) {
        bool mine = true;
        if (run->store)
            status = fc_store_find(run->store, key, error, &run->sweep->results[job]);
        if (status == FC_OK && run->store && !run->sweep->results[job] &&
            job % methods == run->model_count)
            status = fc_store_claim(run->store, key, error, &mine);
        if (!run->sweep->results[job])
            *state = mine ? JOB_OPEN : JOB_ELSEWHERE;
    }
    fc_scenario_free(scenario);
    return status;
}

struct job_queue {
    size_t *jobs; /* a ring: those being done elsewhere go to its end again */
    size_t size, first, waiting, under_way, finished;
};

/* Hands out jobs until the crew is busy or none is open now. */
static fc_status employ(struct sweep_run *run, struct job_queue *queue, fc_error *error) {
    const fc_crew *crew = run->settings->crew;
    fc_status status = FC_OK;
    for (size_t looks = queue->waiting; looks && queue->under_way < crew->size && status == FC_OK;
         --looks) {
        const size_t job = queue->jobs[queue->first];
        job_state state;
        queue->first = (queue->first + 1) % queue->size;
        --queue->waiting;
        status = look_at_job(run, job, error, &state);
        if (status == FC_OK && state == JOB_ELSEWHERE) {
            queue->jobs[(queue->first + queue->waiting++) % queue->size] = job;
        } else if (status == FC_OK && state == JOB_OPEN) {
            status = crew->hand_out(crew->context, job, error);
            ++queue->under_way;
        } else {
            ++queue->finished;
        }
    }
    return status;
}

static fc_status command_crew(struct sweep_run *run, struct job_queue *queue,
                              const fc_run_settings *settings, fc_error *error) {
    const fc_crew *crew = run->settings->crew;
    fc_status status = FC_OK;
    while (status == FC_OK && queue->waiting + queue->under_way) {
        if (settings && settings->cancel && *settings->cancel)
            return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
        status = employ(run, queue, error);
        if (status == FC_OK && queue->under_way) {
            size_t job;
            fc_result *result;
            status = crew->take_back(crew->context, error, &job, &result);
            if (status == FC_OK)
                status = keep_job(run, job, result, error);
            --queue->under_way;
            ++queue->finished;
        } else if (status == FC_OK && queue->waiting) {
            const struct timespec moment = {.tv_nsec = 200000000};
            nanosleep(&moment, NULL); /* all that is left is being done by other processes */
        }
        if (settings && settings->progress)
            settings->progress(settings->progress_context,
                               (double)queue->finished / (double)queue->size, "points");
    }
    return status;
}

static fc_status run_with_crew(struct sweep_run *run, const fc_run_settings *settings,
                               fc_error *error) {
    struct job_queue queue = {.size = run->sweep->point_count * run->sweep->method_count};
    queue.jobs = fc_allocate(queue.size, sizeof *queue.jobs);
    if (!queue.jobs)
        return fc_fail_memory(error);
    for (size_t i = 0; i < queue.size; ++i)
        queue.jobs[i] = i;
    queue.waiting = queue.size;
    const fc_status status = command_crew(run, &queue, settings, error);
    fc_release(queue.jobs);
    return status;
}

static const char *const default_model[] = {NULL};

/* Where the curve of a sweep over the load ends, for the plot. Not finding it is no failure,
 * running out of memory is. */
static fc_status mark_saturation(const struct sweep_run *run, const fc_run_settings *settings,
                                 fc_error *error) {
    const fc_sweep *sweep = run->sweep;
    const fc_model *model;
    fc_scenario *first;
    if (run->model_count == 0 || !sweep->load_key[0] || sweep->point_count < 2 ||
        strcmp(sweep->axes[sweep->axis_count - 1].key, sweep->load_key) != 0 ||
        sweep->axes[sweep->axis_count - 1].count != sweep->point_count)
        return FC_OK;
    fc_status status = make_scenario(run, 0, NULL, &first);
    if (status != FC_OK)
        return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : FC_OK;
    const char *name = run->models[0];
    if (!name && fc_model_choose(first, NULL, &model) == FC_OK)
        name = model->info.name;
    const fc_saturation_settings wanted = {.model = name};
    fc_saturation *found;
    size_t count;
    if (name)
        status = fc_saturate(first, &wanted, settings, NULL, &found, &count);
    if (name && status == FC_OK) {
        if (count && isfinite(found[0].load))
            run->sweep->saturation = found[0].load;
        fc_saturation_free(found);
    }
    fc_scenario_free(first);
    return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : FC_OK;
}

fc_status fc_sweep_evaluate(const fc_scenario *base, const fc_sweep_settings *sweep, size_t job,
                            const fc_run_settings *settings, fc_error *error, fc_result **result) {
    FC_IN_C_LOCALE;
    const size_t models = sweep->model_count == SIZE_MAX ? 0
                          : sweep->models                ? sweep->model_count
                                                         : 1;
    const size_t methods = models + sweep->simulate;
    fc_setting point[AXES_MAX];
    if (sweep->axis_count > AXES_MAX || methods == 0)
        return fc_fail(error, FC_ERROR_ARGUMENT, "there is no such job in this sweep");
    const fc_sweep grid = {.axes = (fc_axis *)sweep->axes, .axis_count = sweep->axis_count};
    settings_of(&grid, job / methods, point);
    fc_scenario *scenario;
    fc_status status = fc_scenario_with_varied(base, point, sweep->axis_count, sweep->axis_count,
                                               error, &scenario);
    if (status != FC_OK)
        return status;
    fc_result *made = NULL;
    const char *const *names = sweep->models ? sweep->models : default_model;
    status = job % methods < models ? fc_predict(scenario, names[job % methods], error, &made)
                                    : fc_simulate(scenario, settings, error, &made);
    fc_scenario_free(scenario);
    if (status != FC_OK && status != FC_ERROR_UNSUPPORTED)
        return status;
    *result = made;
    return FC_OK;
}

/* ---- in this process ---- */

static fc_status run_here(struct sweep_run *run, const fc_run_settings *settings, fc_error *error) {
    const size_t points = run->sweep->point_count;
    const double model_share = run->settings->simulate ? 0.05 : 1;
    const size_t chunk = run->store ? STORED_CHUNK : CHUNK;
    fc_status status = FC_OK;
    for (size_t first = 0; first < points && status == FC_OK; first += chunk) {
        const size_t count = points - first < chunk ? points - first : chunk;
        fc_slice slice = {settings, model_share * (double)first / (double)points,
                          model_share * (double)count / (double)points};
        const fc_run_settings inner = fc_slice_settings(&slice);
        status = run_chunk(run, first, count, &inner, error);
    }
    if (status == FC_OK && run->settings->simulate) {
        fc_slice slice = {settings, model_share, 1 - model_share};
        const fc_run_settings inner = fc_slice_settings(&slice);
        status = simulate_points(run, &inner, error);
    }
    return status;
}

/* A table without a line would not say why. */
static fc_status check_covered(const struct sweep_run *run, fc_error *error) {
    const fc_sweep *sweep = run->sweep;
    const fc_model *unused;
    fc_error why;
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        if (sweep->results[i])
            return FC_OK;
    }
    if (run->settings->simulate || run->settings->models || run->settings->shard_count ||
        fc_model_choose(run->base, &why, &unused) == FC_OK)
        return FC_OK;
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "%.700s; --no-model simulates every point",
                   why.text);
}

fc_status fc_sweep_run(const fc_scenario *base, const fc_sweep_settings *sweep,
                       const fc_run_settings *settings, fc_error *error, fc_sweep **result) {
    FC_IN_C_LOCALE;
    size_t points = 0;
    struct sweep_run run = {
        .base = base, .settings = sweep, .models = sweep->models ? sweep->models : default_model};
    fc_status status = check_size(sweep, error, &points);
    if (status == FC_OK)
        status = create_sweep(base, sweep, points, error, &run.sweep);
    if (status == FC_OK && sweep->store)
        status = fc_store_open(sweep->store, true, error, &run.store);
    if (status != FC_OK) {
        fc_sweep_free(run.sweep);
        return status;
    }
    run.model_count = run.sweep->method_count - sweep->simulate;
    status = sweep->crew ? run_with_crew(&run, settings, error) : run_here(&run, settings, error);
    if (status == FC_OK)
        status = check_covered(&run, error);
    if (status == FC_OK)
        status = mark_saturation(&run, settings, error);
    fc_store_close(run.store);
    fc_release(run.deferred);
    /* what was finished before a stop is kept */
    if (status != FC_OK && status != FC_ERROR_CANCELLED) {
        fc_sweep_free(run.sweep);
        return status;
    }
    *result = run.sweep;
    return FC_OK;
}
