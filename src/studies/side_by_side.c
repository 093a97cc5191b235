#include "studies/side_by_side.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "scenario/scenario.h"

/* Networks of up to so many nodes are simulated side by side. */
static const double most_nodes = 1024;

/* ---- progress ---- */

static void report_slice(void *context, double done, const char *what) {
    const fc_slice *slice = context;
    slice->whole->progress(slice->whole->progress_context, slice->begin + done * slice->share,
                           what);
}

fc_run_settings fc_slice_settings(fc_slice *slice) {
    fc_run_settings settings = slice->whole ? *slice->whole : fc_run_settings_default();
    if (settings.progress) {
        settings.progress = report_slice;
        settings.progress_context = slice;
    }
    return settings;
}

/* ---- side by side ---- */

struct group;
struct member {
    struct group *group;
    size_t index; /* of the job */
    double done;  /* share of the job */
};

struct group {
    const char *what;
    const fc_run_settings *settings; /* may be NULL */
    fc_progress progress;
    fc_simulating_job job;
    void *context;
    struct member *members; /* those that run side by side first */
    size_t count, small;
};

/* A job has come so far: the group as a whole has come as far as the mean of all. */
static void report_member(void *context, double done, const char *what) {
    struct member *member = context;
    struct group *group = member->group;
    double sum = 0;
    (void)what;
    __atomic_store(&member->done, &done, __ATOMIC_RELAXED);
    for (size_t i = 0; i < group->count; ++i) {
        double share;
        __atomic_load(&group->members[i].done, &share, __ATOMIC_RELAXED);
        sum += share;
    }
    fc_progress_tell(&group->progress, sum / (double)group->count, group->what);
}

static fc_status run_small(void *context, size_t index) {
    struct group *group = context;
    struct member *member = &group->members[index];
    fc_run_settings alone = {.threads = 1};
    if (group->settings)
        alone.cancel = group->settings->cancel;
    if (group->settings && group->settings->progress) {
        alone.progress = report_member;
        alone.progress_context = member;
    }
    const fc_status status = group->job(group->context, member->index, &alone);
    if (status == FC_OK)
        report_member(member, 1, group->what);
    return status;
}

static fc_status run_side_by_side(struct group *group, unsigned at_once) {
    fc_run_settings inner = {.threads = at_once};
    if (group->settings)
        inner.cancel = group->settings->cancel;
    fc_progress_start(&group->progress, group->settings);
    const fc_status status = fc_pool_run(&inner, NULL, group->small, run_small, group);
    const bool all = status == FC_OK && group->small == group->count;
    fc_progress_finish(&group->progress, all ? group->what : NULL);
    return status;
}

static fc_status run_in_turn(struct group *group) {
    fc_status status = FC_OK;
    for (size_t i = group->small; i < group->count && status == FC_OK; ++i) {
        fc_slice slice = {group->settings, (double)i / (double)group->count,
                          1 / (double)group->count};
        const fc_run_settings inner = fc_slice_settings(&slice);
        status = fc_cancelled(group->settings)
                     ? FC_ERROR_CANCELLED
                     : group->job(group->context, group->members[i].index, &inner);
    }
    return status;
}

/* ---- which and how many ---- */

/* Threads of jobs on a GPU wait for it most of the time: as many as it takes to fill a large one
 * with their replications. */
unsigned fc_side_by_side_most(const fc_scenario *scenario, const fc_run_settings *settings) {
    enum { FULL = 1024, MOST = 64 };
    const unsigned threads = fc_pool_threads(settings);
    if (scenario->simulation.engine != FC_ENGINE_GPU || (settings && settings->threads))
        return threads; /* no GPU, or as many as the user wants */
    const unsigned jobs = FULL / (unsigned)scenario->simulation.replications;
    return jobs < threads ? threads : jobs < MOST ? jobs : MOST;
}

/* Jobs on small networks first. */
static void list_members(const fc_scenario *const *scenarios, struct group *group) {
    size_t used = 0;
    for (int large = 0; large < 2; ++large) {
        for (size_t i = 0; i < group->count; ++i) {
            if ((fc_scenario_nodes(scenarios[i]) > most_nodes) == large)
                group->members[used++] = (struct member){.group = group, .index = i};
        }
        if (!large)
            group->small = used;
    }
}

fc_status fc_side_by_side(const fc_scenario *const *scenarios, size_t count, const char *what,
                          const fc_run_settings *settings, fc_simulating_job job, void *context) {
    if (count == 0)
        return FC_OK;
    struct group group = {.what = what,
                          .settings = settings,
                          .job = job,
                          .context = context,
                          .members = fc_allocate(count, sizeof *group.members),
                          .count = count};
    if (!group.members)
        return FC_ERROR_MEMORY;
    list_members(scenarios, &group);
    unsigned at_once = 1;
    bool gpu = false;
    for (size_t i = 0; i < group.small; ++i) {
        const fc_scenario *scenario = scenarios[group.members[i].index];
        const unsigned most = fc_side_by_side_most(scenario, settings);
        at_once = most > at_once ? most : at_once;
        gpu |= scenario->simulation.engine == FC_ENGINE_GPU;
    }
    /* One after the other, if few jobs would leave threads idle. A GPU is better used by few jobs
     * than by one. */
    if (at_once == 1 || group.small < (gpu ? 2 : 2 * (size_t)at_once))
        group.small = 0;
    fc_status status = group.small ? run_side_by_side(&group, at_once) : FC_OK;
    if (status == FC_OK)
        status = run_in_turn(&group);
    fc_release(group.members);
    return status;
}
