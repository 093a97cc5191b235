/* Jobs simulated by this process, as lists (simulate_list.h), or handed to a crew, which has as
 * many jobs under way as it has members. What another process on the same store is simulating goes
 * to the end of the queue: it is taken from the store when it is there, and done here if that
 * process is gone. */
#include <time.h>
#include "base/memory.h"
#include "base/status.h"
#include "studies/side_by_side.h"
#include "studies/sweep/sweep_jobs.h"

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
    size_t hands, busy;  /* jobs that may be, and are, under way */
    fc_sweep_job **list; /* room for those */
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

/* A result is stored at once: a stop loses none that is finished. */
static fc_status close_simulation(void *context, fc_simulation *point, fc_error *error) {
    struct queue *queue = context;
    return close_entry(queue, find_entry(queue, true, point->index), error);
}

static fc_status end_jobs_here(struct queue *queue, fc_error *error) {
    fc_simulation_list list = {queue->list, 0, close_simulation, queue};
    for (size_t i = 0; i < queue->hands; ++i) {
        if (queue->under_way[i].scenario)
            queue->list[list.count++] = &queue->under_way[i].job;
    }
    fc_slice slice = {queue->settings, (double)queue->finished / (double)queue->size,
                      (double)list.count / (double)queue->size};
    const fc_run_settings inner = fc_slice_settings(&slice);
    return fc_simulate_list(&list, &inner, error);
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

/* Jobs that are begun together: many, since threads wait for the last of them; fewer with a store,
 * since other processes on the same store wait for all. */
static size_t hands_of(const fc_sweeping *run, const fc_run_settings *settings) {
    const fc_crew *crew = run->settings->crew;
    if (crew)
        return crew->size;
    const size_t most = fc_side_by_side_most(run->base, run->sweep->point_count, settings);
    return most == 1 ? 1 : (run->store ? 8 : 64) * most;
}

fc_status fc_sweep_run_queue(const fc_sweeping *run, const fc_run_settings *settings,
                             fc_error *error) {
    struct queue queue = {.run = run, .settings = settings, .hands = hands_of(run, settings)};
    queue.size = run->sweep->point_count * (run->settings->crew ? run->sweep->method_count : 1);
    queue.jobs = fc_allocate(queue.size, sizeof *queue.jobs);
    queue.under_way = fc_allocate(queue.hands, sizeof *queue.under_way);
    queue.list = fc_allocate(queue.hands, sizeof *queue.list);
    fc_status status = queue.jobs && queue.under_way && queue.list ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        list_jobs(&queue);
        status = work(&queue, error);
    }
    for (size_t i = 0; queue.under_way && i < queue.hands; ++i)
        fc_scenario_free(queue.under_way[i].scenario);
    fc_release(queue.list);
    fc_release(queue.under_way);
    fc_release(queue.jobs);
    return status;
}
