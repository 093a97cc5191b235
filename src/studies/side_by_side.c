#include "studies/side_by_side.h"

#include <stdlib.h>
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "registry/method.h"
#include "simulators/ensemble/lane_pool.h"

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
    size_t index;   /* of the job */
    double done;    /* share of the job */
    uint64_t shape; /* of its scenario */
    double load;
};

struct group {
    const char *what;
    const fc_run_settings *settings; /* may be NULL */
    fc_progress progress;
    fc_simulating_job job;
    void *context;
    struct member *members; /* those that run side by side first */
    size_t count, small;
    fc_lane_pool *lanes; /* that those share */
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
    fc_run_settings alone = {.threads = 1, .lanes = group->lanes};
    if (group->settings)
        alone.cancel = group->settings->cancel;
    if (group->settings && group->settings->progress) {
        alone.progress = report_member;
        alone.progress_context = member;
    }
    fc_lane_pool_begin(group->lanes);
    const fc_status status = group->job(group->context, member->index, &alone);
    fc_lane_pool_end(group->lanes);
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
static unsigned jobs_of_gpu(const fc_scenario *scenario, unsigned threads) {
    enum { FULL = 1024, MOST = 64 };
    const unsigned jobs = FULL / (unsigned)scenario->simulation.replications;
    return jobs < threads ? threads : jobs < MOST ? jobs : MOST;
}

/* How many jobs are under way at a time, and how many of them compute: the others wait for a GPU,
 * or for one that simulates the lanes they share. */
typedef struct plan {
    unsigned at_once, computing;
    bool few; /* better used by a few jobs than by one */
} plan;

static plan plan_for(const fc_scenario *scenario, const fc_run_settings *settings) {
    const unsigned threads = fc_pool_threads(settings);
    const fc_simulator *simulator;
    plan made = {threads, threads, false};
    if (scenario->simulation.engine == FC_ENGINE_GPU) {
        if (!settings || !settings->threads) /* else as many as the user wants */
            made.at_once = made.computing = jobs_of_gpu(scenario, threads);
        made.few = true;
    } else if (fc_simulator_choose(scenario, NULL, &simulator) == FC_OK && simulator->engines) {
        made.at_once = threads * simulator->engines->shares(scenario);
        made.few = scenario->simulation.engine == FC_ENGINE_LANES && made.at_once > threads;
    }
    return made;
}

size_t fc_side_by_side_most(const fc_scenario *scenario, size_t count,
                            const fc_run_settings *settings) {
    const plan made = plan_for(scenario, settings);
    const bool many = count >= (made.few ? 2 : 2 * (size_t)made.computing);
    return many ? made.at_once : 1;
}

/* Points of one shape follow each other, those with the highest load, which may take the longest,
 * first. */
static int by_shape(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    if (x->load != y->load)
        return x->load > y->load ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Jobs on small networks first. */
static void list_members(const fc_scenario *const *scenarios, struct group *group) {
    size_t used = 0;
    for (int large = 0; large < 2; ++large) {
        for (size_t i = 0; i < group->count; ++i) {
            const char *key = fc_scenario_load_key(scenarios[i]);
            if ((fc_scenario_nodes(scenarios[i]) > most_nodes) != large)
                continue;
            struct member *member = &group->members[used++];
            *member = (struct member){
                .group = group, .index = i, .shape = fc_scenario_shape(scenarios[i])};
            if (key)
                fc_scenario_number(scenarios[i], key, NULL, &member->load);
        }
        if (!large)
            group->small = used;
    }
    qsort(group->members, group->small, sizeof *group->members, by_shape);
}

/* Of the jobs that run side by side, as many as have one shape. */
static size_t most_of_one_shape(const struct group *group) {
    size_t most = 0;
    for (size_t i = 0, begin = 0; i < group->small; ++i) {
        if (group->members[i].shape != group->members[begin].shape)
            begin = i;
        most = i + 1 - begin > most ? i + 1 - begin : most;
    }
    return most;
}

static plan plan_all(const fc_scenario *const *scenarios, const struct group *group) {
    plan all = {1, 1, false};
    for (size_t i = 0; i < group->small; ++i) {
        const plan one = plan_for(scenarios[group->members[i].index], group->settings);
        all.at_once = one.at_once > all.at_once ? one.at_once : all.at_once;
        all.computing = one.computing > all.computing ? one.computing : all.computing;
        all.few |= one.few;
    }
    return all;
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
    const plan all = plan_all(scenarios, &group);
    /* One after the other, if few jobs would leave threads idle. */
    if (all.at_once == 1 || group.small < (all.few ? 2 : 2 * (size_t)all.computing))
        group.small = 0;
    fc_status status = FC_OK;
    if (group.small) {
        group.lanes = fc_lane_pool_create(all.computing, most_of_one_shape(&group));
        status = group.lanes ? run_side_by_side(&group, all.at_once) : FC_ERROR_MEMORY;
        fc_lane_pool_free(group.lanes);
    }
    if (status == FC_OK)
        status = run_in_turn(&group);
    fc_release(group.members);
    return status;
}
