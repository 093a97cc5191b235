#include "simulators/finite_run.h"

#include <math.h>
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/statistics.h"
#include "scenario/routed.h"
#include "simulators/kept.h"

/* One run from the first message to the last. */
typedef struct finite_run {
    void *state;
    double sums[FC_METRICS], weights[FC_METRICS]; /* of everything */
    fc_histogram *latencies;
    uint64_t cycles, events;
    double seconds; /* of processor time */
    bool cancelled, expired;
    fc_error error;
} finite_run;

typedef struct finite_runs {
    const fc_simulator *simulator;
    const fc_scenario *scenario;
    const fc_run_settings *settings;
    void *common;
    size_t count;
    uint64_t seed, cap, length;
    double start, max_seconds; /* 0: no limit */
    finite_run *run;
    fc_kept *kept; /* runs: their messages; NULL: not asked for */
    fc_progress progress;
} finite_runs;

/* ---- one run ---- */

static void release(const finite_runs *all, finite_run *run) {
    all->simulator->release(run->state);
    fc_release(run->latencies);
}

static fc_status create(const finite_runs *all, finite_run *run, uint32_t replication) {
    run->latencies = fc_allocate(1, sizeof *run->latencies);
    if (!run->latencies)
        return fc_fail_memory(&run->error);
    const fc_status status = all->simulator->create(all->scenario, all->common, all->seed,
                                                    replication, &run->error, &run->state);
    if (status == FC_OK && all->kept)
        all->simulator->observe(&run->state, 1, &all->kept[replication]);
    return status;
}

static fc_status advance(const finite_runs *all, finite_run *run, uint64_t cycles) {
    double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0}; /* of this stretch */
    fc_sample sample = {.sums = sums, .weights = weights, .latencies = run->latencies};
    const fc_status status = all->simulator->advance(run->state, cycles, &sample, &run->error);
    run->cycles += cycles;
    run->events += sample.events;
    for (size_t i = 0; i < FC_METRICS; ++i) {
        run->sums[i] += sums[i];
        run->weights[i] += weights[i];
    }
    if (status == FC_OK && all->kept && all->kept[run - all->run].status != FC_OK)
        return fc_fail_memory(&run->error);
    return status;
}

static fc_status run_one(finite_runs *all, size_t index) {
    finite_run *run = &all->run[index];
    const double start = fc_clock_thread();
    fc_status status = create(all, run, (uint32_t)index);
    uint64_t length = all->length;
    /* Work that is done before it begins is looked at once: it has taken no time. */
    bool done = false;
    while (status == FC_OK && !done && run->cycles < all->cap && !run->cancelled && !run->expired) {
        const uint64_t left = all->cap - run->cycles;
        const uint64_t events = run->events;
        status = advance(all, run, left < length ? left : length);
        /* longer and longer while nothing moves, so that a gap costs little */
        length = run->events > events ? all->length : length < 1 << 20 ? 2 * length : length;
        const double share = all->simulator->ending->done(run->state);
        done = share >= 1;
        if (status == FC_OK)
            fc_progress_tell(&all->progress, fmin(0.99, share), "simulating");
        run->cancelled = fc_cancelled(all->settings);
        run->expired = all->max_seconds > 0 && fc_clock_elapsed() - all->start > all->max_seconds;
    }
    run->seconds = fc_clock_thread() - start;
    return status;
}

/* Whether another run would differ. */
static bool drew(const finite_runs *all) {
    return all->simulator->ending->drew && all->simulator->ending->drew(all->run[0].state);
}

static fc_status run_another(void *context, size_t index) {
    return run_one(context, index + 1);
}

/* ---- all of them ---- */

static double sum_of(const finite_runs *all, const double *of_first) {
    const size_t stride = sizeof *all->run / sizeof *of_first;
    double sum = 0;
    for (size_t i = 0; i < all->count; ++i)
        sum += of_first[i * stride];
    return sum;
}

/* The share of runs, at most, with 95 % confidence, that differ from n equal ones. */
static double unseen_share(double n) {
    return -expm1(log(0.05) / n);
}

/* Over everything that the runs have seen: a message of a run with few of them weighs as much as
 * one of a run with many, as it does in the parts and in the percentiles. Runs, and not messages,
 * are independent: the interval is that of a ratio of two means over runs. */
static void add_metric(const finite_runs *all, fc_metric_id metric, fc_result *result) {
    const double weight = sum_of(all, &all->run[0].weights[metric]);
    const double mean = sum_of(all, &all->run[0].sums[metric]) / weight;
    const double n = (double)all->count;
    fc_moments residuals = {0};
    double scale = 0;
    for (size_t i = 0; i < all->count; ++i) {
        const finite_run *run = &all->run[i];
        fc_moments_add(&residuals, run->sums[metric] - mean * run->weights[metric]);
        scale = fmax(scale, fabs(run->sums[metric]));
    }
    double half_width = fc_moments_half_width(&residuals) * n / weight;
    /* Equal runs do not say by how much another would differ. A wait is not negative: one that was
     * 0 is at most that of the runs that may have been missed, if it is as long as a latency. */
    if (sqrt(residuals.squares) <= 1e-9 * scale)
        half_width = mean == 0 && fc_metrics[metric].time && metric != FC_METRIC_LATENCY
                         ? unseen_share(n) * fc_result_value(result, FC_METRIC_LATENCY)
                         : (double)NAN;
    fc_result_add(result, metric, mean, all->count > 1 ? half_width : (double)NAN);
}

static void add_percentiles(finite_runs *all, fc_result *result) {
    fc_histogram *latencies = all->run[0].latencies;
    for (size_t i = 1; i < all->count; ++i) {
        if (all->run[i].latencies)
            fc_histogram_merge(latencies, all->run[i].latencies);
    }
    for (int m = FC_METRIC_NONE + 1; m < FC_METRICS; ++m) {
        if (fc_metrics[m].percentile > 0 && !fc_metric_of_responses((fc_metric_id)m))
            fc_result_add(result, (fc_metric_id)m,
                          fc_histogram_percentile(latencies, fc_metrics[m].percentile),
                          (double)NAN);
    }
    fc_kept_histogram(all->settings, latencies, 1, result);
}

static void say_what_was_delivered(const finite_runs *all, fc_result *result) {
    const fc_routed *routed = all->scenario ? fc_scenario_routed(all->scenario) : NULL;
    const bool work = routed && routed->workload && !routed->workload->of_trace;
    double fewest = INFINITY, most = 0;
    for (size_t i = 0; i < all->count; ++i) {
        fewest = fmin(fewest, all->run[i].weights[FC_METRIC_LATENCY]);
        most = fmax(most, all->run[i].weights[FC_METRIC_LATENCY]);
    }
    if (most == 0)
        fc_result_note(result, "The %s has no packets: nothing crosses the network.",
                       work ? "workload" : "trace");
    else if (all->count > 1 && fewest < most)
        fc_result_note(result,
                       "All packets of the workload were delivered, %.0f to %.0f in each of %zu "
                       "runs with other draws; means are over all packets, intervals over the "
                       "runs.",
                       fewest, most, all->count);
    else if (all->count > 1)
        fc_result_note(result,
                       "All %.0f packets of the workload were delivered, in each of %zu runs with "
                       "other draws; intervals are over the runs.",
                       most, all->count);
    else if (!work)
        fc_result_note(result,
                       "All %.0f messages of the trace were delivered. A trace is run once: "
                       "its metrics have no intervals, and simulation.precision and "
                       "simulation.replications have no effect.",
                       most);
    else if (drew(all))
        fc_result_note(result,
                       "All %.0f packets of the workload were delivered, in the one run of "
                       "simulation.replications: with other draws it would differ.",
                       most);
    else
        fc_result_note(result,
                       "All %.0f packets of the workload were delivered. Nothing in it is "
                       "drawn: it is run once, and its metrics have no intervals.",
                       most);
}

static void say_how_it_ended(const finite_runs *all, fc_result *result) {
    double done = 0;
    bool cancelled = false, expired = false, ended = true;
    for (size_t i = 0; i < all->count; ++i) {
        const double share =
            all->run[i].state ? all->simulator->ending->done(all->run[i].state) : 0;
        done += share / (double)all->count;
        ended &= share >= 1;
        cancelled |= all->run[i].cancelled;
        expired |= all->run[i].expired;
    }
    if (!ended) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "%s: %.3g %% of the messages had been delivered.",
                       cancelled ? "Stopped early"
                       : expired ? "Stopped by the limit of seconds"
                                 : "Stopped at simulation.max_cycles",
                       100 * done);
    } else {
        say_what_was_delivered(all, result);
    }
}

static void fill(finite_runs *all, fc_result *result) {
    for (const fc_metric_id *seen = all->simulator->observables; *seen; ++seen)
        add_metric(all, *seen, result);
    add_percentiles(all, result);
    say_how_it_ended(all, result);
    fc_kept_report(all->kept, all->count, all->scenario, all->settings, result);
    void **states = fc_allocate(all->count, sizeof *states);
    for (size_t i = 0; states && i < all->count; ++i)
        states[i] = all->run[i].state;
    result->incomplete |= !states;
    bool complete = states != NULL;
    for (size_t i = 0; states && i < all->count; ++i)
        complete &= states[i] != NULL;
    if (complete && all->simulator->report)
        all->simulator->report(states, all->count, result);
    fc_release(states);
}

static void fill_run(const finite_runs *all, fc_result *result) {
    for (size_t i = 0; i < all->count; ++i) {
        result->run.cycles += (double)all->run[i].cycles;
        result->run.events += all->run[i].events;
        result->run.cpu_seconds += all->run[i].seconds;
    }
    result->run.replications = (unsigned)all->count;
    result->run.seed = all->seed;
}

/* The first replication, and the others if anything was drawn in it. */
static fc_status run_all(finite_runs *all, size_t most, fc_error *error) {
    fc_run_settings quiet = all->settings ? *all->settings : (fc_run_settings){0};
    quiet.progress = NULL;
    fc_progress_start(&all->progress, all->settings);
    fc_status status = FC_OK;
    fc_error *first = &all->run[0].error;
    if (all->simulator->prepare)
        status = all->simulator->prepare(all->scenario, first, &all->common);
    if (status == FC_OK)
        status =
            fc_kept_create(all->simulator, all->scenario, most, all->settings, first, &all->kept);
    if (status == FC_OK)
        status = run_one(all, 0);
    if (status == FC_OK && !all->run[0].cancelled && drew(all)) {
        all->count = most;
        status = fc_pool_run(&quiet, "simulating", most - 1, run_another, all);
        if (status == FC_ERROR_CANCELLED) /* what the first one shows is kept */
            status = FC_OK;
    }
    for (size_t i = 0; status != FC_OK && i < all->count && error; ++i) {
        if (all->run[i].error.text[0]) {
            *error = all->run[i].error;
            break;
        }
    }
    return status;
}

fc_status fc_finite_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error, fc_result *result) {
    const double start = fc_clock_elapsed();
    const double scale = simulator->time_scale ? simulator->time_scale(scenario) : 1000;
    finite_runs all = {.simulator = simulator,
                       .scenario = scenario,
                       .settings = settings,
                       .count = 1,
                       .start = start,
                       .max_seconds = fc_seconds_allowed(simulation),
                       .seed = (uint64_t)simulation->seed,
                       .cap = (uint64_t)simulation->max_cycles,
                       .length = scale >= 1 && scale < 1e9 ? (uint64_t)scale : 1000};
    const size_t most = simulation->replications > 1 ? (size_t)simulation->replications : 1;
    all.run = fc_allocate(most, sizeof *all.run);
    if (!all.run)
        return fc_fail_memory(error);
    const fc_status status = run_all(&all, most, error);
    if (status == FC_OK)
        fill(&all, result);
    fc_progress_finish(&all.progress, status == FC_OK ? "simulating" : NULL);
    fill_run(&all, result);
    result->run.seconds = fc_clock_elapsed() - start;
    for (size_t i = 0; i < all.count; ++i)
        release(&all, &all.run[i]);
    if (simulator->discard)
        simulator->discard(all.common);
    fc_kept_free(all.kept, most);
    fc_release(all.run);
    return status == FC_OK ? fc_result_status(result) : status;
}
