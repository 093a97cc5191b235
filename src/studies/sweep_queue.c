/* Jobs simulated by this process, or handed to a crew.
 *
 * Where there are many points of small networks, this process simulates several side by side, each
 * in one thread: that leaves no thread idle at the end of a simulation, and replications fill the
 * lanes of vector registers. Few points, and large networks, are done one at a time, with all
 * threads. A point's result is the same either way. A crew has as many jobs under way as it has
 * members. What another process on the same store is simulating goes to the end of
 * the queue: it is taken from the store when it is there, and done here if that process is gone. */
#include <pthread.h>
#include <time.h>
#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"
#include "studies/evaluate.h"
#include "studies/sweep_jobs.h"

struct under_way {
    fc_sweep_job job;
    fc_scenario *scenario; /* NULL: a free entry */
};

struct queue {
    const fc_sweeping *run;
    const fc_run_settings *settings; /* may be NULL */
    size_t *jobs;                    /* a ring */
    size_t size, first, waiting, finished;
    struct under_way *under_way;
    size_t hands, busy; /* jobs that may be, and are, under way */
    unsigned threads;   /* that simulate side by side */
};

/* Opens a job; state OPEN: it is in the free entry. */
static fc_status open_next(struct queue *queue, size_t index, struct under_way *entry,
                           fc_error *error, fc_sweep_state *state) {
    const fc_sweeping *run = queue->run;
    const size_t point = index / run->sweep->method_count;
    *state = FC_SWEEP_CLOSED;
    if (!fc_sweep_in_shard(run, point) || run->sweep->gaps[index].reason)
        return FC_OK;
    fc_scenario *scenario;
    fc_status status = fc_sweep_open_point(run, point, error, &scenario);
    if (status != FC_OK || !scenario)
        return status;
    entry->job = (fc_sweep_job){.index = index, .scenario = scenario};
    status = fc_sweep_open_job(run, &entry->job, error, state);
    if (status == FC_OK && *state == FC_SWEEP_OPEN)
        entry->scenario = scenario;
    else
        fc_scenario_free(scenario);
    return status;
}

static struct under_way *find_entry(struct queue *queue, bool used, size_t index) {
    for (size_t i = 0; i < queue->hands; ++i) {
        struct under_way *entry = &queue->under_way[i];
        if (used ? entry->scenario && entry->job.index == index : !entry->scenario)
            return entry;
    }
    return NULL;
}

/* Begins jobs until all hands are busy or none is open now. */
static fc_status begin_jobs(struct queue *queue, fc_error *error) {
    const fc_crew *crew = queue->run->settings->crew;
    fc_status status = FC_OK;
    for (size_t looks = queue->waiting; looks && queue->busy < queue->hands && status == FC_OK;
         --looks) {
        const size_t index = queue->jobs[queue->first];
        struct under_way *entry = find_entry(queue, false, 0);
        fc_sweep_state state;
        queue->first = (queue->first + 1) % queue->size;
        --queue->waiting;
        status = open_next(queue, index, entry, error, &state);
        if (status == FC_OK && state == FC_SWEEP_ELSEWHERE) {
            queue->jobs[(queue->first + queue->waiting++) % queue->size] = index;
        } else if (status == FC_OK && state == FC_SWEEP_OPEN) {
            status = crew ? crew->hand_out(crew->context, index, error) : FC_OK;
            ++queue->busy;
        } else {
            ++queue->finished;
        }
    }
    return status;
}

/* Networks of up to so many nodes are simulated side by side. */
static const double most_nodes = 1024;

static bool is_large(const struct under_way *entry) {
    return fc_scenario_nodes(entry->scenario) > most_nodes;
}

static void simulate_here(struct queue *queue, fc_sweep_job *job) {
    fc_slice slice = {queue->settings, (double)queue->finished / (double)queue->size,
                      1 / (double)queue->size};
    const fc_run_settings inner = fc_slice_settings(&slice);
    job->status = fc_method_run(job->method, job->scenario, &inner, &job->why, &job->result);
}

/* Waits for a member of the crew to finish. */
static fc_status take_back(struct queue *queue, fc_error *error, struct under_way **entry) {
    const fc_crew *crew = queue->run->settings->crew;
    size_t index = 0;
    fc_result *result = NULL;
    fc_error why = {{0}};
    const fc_status status = crew->take_back(crew->context, &why, &index, &result);
    *entry = find_entry(queue, true, index);
    if (!*entry) {
        fc_result_free(result);
        return fc_fail(error, status == FC_OK ? FC_ERROR_ARGUMENT : status, "%s",
                       status == FC_OK ? "a job came back that was not handed out" : why.text);
    }
    (*entry)->job.status = status;
    (*entry)->job.result = result;
    (*entry)->job.why = why;
    return FC_OK;
}

static fc_status close_entry(struct queue *queue, struct under_way *entry, fc_error *error) {
    const fc_status status = fc_sweep_close_job(queue->run, &entry->job, error);
    fc_scenario_free(entry->scenario);
    entry->scenario = NULL;
    --queue->busy;
    ++queue->finished;
    return status;
}

/* The entries that are busy, the first ones: small ones side by side, then the others. */
struct side {
    struct queue *queue;
    fc_run_settings alone; /* of each simulation */
    pthread_mutex_t lock;  /* of the queue, the store and the error */
    fc_error *error;
};

/* A result is stored at once: a stop loses none that is finished. */
static fc_status simulate_entry(void *context, size_t index) {
    struct side *side = context;
    struct under_way *entry = &side->queue->under_way[index];
    fc_sweep_job *job = &entry->job;
    if (is_large(entry))
        return FC_OK;
    job->status = fc_method_run(job->method, job->scenario, &side->alone, &job->why, &job->result);
    pthread_mutex_lock(&side->lock);
    const fc_status status = close_entry(side->queue, entry, side->error);
    pthread_mutex_unlock(&side->lock);
    return status;
}

static fc_status simulate_side_by_side(struct queue *queue, fc_error *error) {
    fc_slice slice = {queue->settings, (double)queue->finished / (double)queue->size,
                      (double)queue->busy / (double)queue->size};
    fc_run_settings inner = fc_slice_settings(&slice);
    inner.threads = queue->threads;
    struct side side = {.queue = queue,
                        .alone = {.threads = 1, .cancel = inner.cancel},
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .error = error};
    const fc_status status = fc_pool_run(&inner, "points", queue->busy, simulate_entry, &side);
    return status == FC_ERROR_CANCELLED ? fc_fail(error, status, "stopped") : status;
}

static fc_status end_jobs_here(struct queue *queue, fc_error *error) {
    fc_status status = queue->hands > 1 ? simulate_side_by_side(queue, error) : FC_OK;
    for (size_t i = 0; i < queue->hands && status == FC_OK; ++i) {
        struct under_way *entry = &queue->under_way[i];
        if (!entry->scenario)
            continue;
        simulate_here(queue, &entry->job);
        status = close_entry(queue, entry, error);
    }
    return status;
}

static fc_status end_jobs(struct queue *queue, fc_error *error) {
    if (!queue->run->settings->crew)
        return end_jobs_here(queue, error);
    struct under_way *entry;
    const fc_status status = take_back(queue, error, &entry);
    return status == FC_OK ? close_entry(queue, entry, error) : status;
}

static fc_status work(struct queue *queue, fc_error *error) {
    const fc_run_settings *settings = queue->settings;
    fc_status status = FC_OK;
    while (status == FC_OK && queue->waiting + queue->busy) {
        if (fc_sweep_cancelled(queue->run))
            return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
        status = begin_jobs(queue, error);
        if (status == FC_OK && queue->busy) {
            status = end_jobs(queue, error);
        } else if (status == FC_OK && queue->waiting) {
            const struct timespec moment = {.tv_nsec = 200000000};
            nanosleep(&moment, NULL); /* all that is left is being done by other processes */
        }
        if (queue->run->settings->crew && settings && settings->progress)
            settings->progress(settings->progress_context,
                               (double)queue->finished / (double)queue->size, "points");
    }
    return status;
}

/* All jobs with a crew; without one the models are done already. */
static void list_jobs(struct queue *queue) {
    const size_t methods = queue->run->sweep->method_count;
    const size_t first = queue->run->settings->crew ? 0 : methods - 1;
    for (size_t point = 0; point < queue->run->sweep->point_count; ++point) {
        for (size_t method = first; method < methods; ++method)
            queue->jobs[queue->waiting++] = point * methods + method;
    }
}

/* Threads for points side by side. Those of points on a GPU wait for it most of the time: as many
 * as it takes to fill a large one with their replications. */
static unsigned threads_of(const fc_sweeping *run, const fc_run_settings *settings) {
    enum { FULL = 1024, MOST = 64 };
    const fc_simulation_settings *simulation = &run->base->simulation;
    const unsigned threads = fc_pool_threads(settings);
    if (simulation->engine != FC_ENGINE_GPU || (settings && settings->threads))
        return threads; /* no GPU, or as many as the user wants */
    const unsigned points = FULL / (unsigned)simulation->replications;
    return points < threads ? threads : points < MOST ? points : MOST;
}

fc_status fc_sweep_run_queue(const fc_sweeping *run, const fc_run_settings *settings,
                             fc_error *error) {
    const fc_crew *crew = run->settings->crew;
    const unsigned threads = threads_of(run, settings);
    /* Threads wait for the last point of a batch; other processes on the same store for all. */
    const size_t batch = run->store ? 8 : 64;
    const bool many = threads > 1 && run->sweep->point_count >= 2 * (size_t)threads;
    struct queue queue = {.run = run,
                          .settings = settings,
                          .hands = crew   ? crew->size
                                   : many ? batch * threads
                                          : 1,
                          .threads = threads};
    queue.size = run->sweep->point_count * (crew ? run->sweep->method_count : 1);
    queue.jobs = fc_allocate(queue.size, sizeof *queue.jobs);
    queue.under_way = fc_allocate(queue.hands, sizeof *queue.under_way);
    fc_status status = queue.jobs && queue.under_way ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        list_jobs(&queue);
        status = work(&queue, error);
    }
    for (size_t i = 0; queue.under_way && i < queue.hands; ++i)
        fc_scenario_free(queue.under_way[i].scenario);
    fc_release(queue.under_way);
    fc_release(queue.jobs);
    return status;
}
