#include "simulators/finite_run.h"

#include <math.h>
#include "base/memory.h"
#include "base/progress.h"

typedef struct finite_run {
    const fc_simulator *simulator;
    const fc_scenario *scenario;
    void *common, *state;
    double sums[FC_METRICS], weights[FC_METRICS]; /* of everything */
    fc_histogram *latencies;
    uint64_t cycles, events;
    bool cancelled, expired;
} finite_run;

static void release(finite_run *run) {
    run->simulator->release(run->state);
    if (run->simulator->discard)
        run->simulator->discard(run->common);
    fc_release(run->latencies);
}

static fc_status create(finite_run *run, uint64_t seed, fc_error *error) {
    run->latencies = fc_allocate(1, sizeof *run->latencies);
    if (!run->latencies)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    if (run->simulator->prepare)
        status = run->simulator->prepare(run->scenario, error, &run->common);
    if (status == FC_OK)
        status = run->simulator->create(run->scenario, run->common, seed, 0, error, &run->state);
    return status;
}

static fc_status advance(finite_run *run, uint64_t cycles, fc_error *error) {
    double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0}; /* of this stretch */
    fc_sample sample = {.sums = sums, .weights = weights, .latencies = run->latencies};
    const fc_status status = run->simulator->advance(run->state, cycles, &sample, error);
    run->cycles += cycles;
    run->events += sample.events;
    for (size_t i = 0; i < FC_METRICS; ++i) {
        run->sums[i] += sums[i];
        run->weights[i] += weights[i];
    }
    return status;
}

static void fill(const finite_run *run, fc_result *result) {
    for (const fc_observable *seen = run->simulator->observables; seen->metric; ++seen) {
        const fc_metric_info *metric = &fc_metrics[seen->metric];
        fc_result_add(result, metric->name, seen->unit ? seen->unit : metric->unit,
                      run->sums[seen->metric] / run->weights[seen->metric], NAN);
    }
    for (int m = FC_METRIC_NONE + 1; m < FC_METRICS; ++m) {
        if (fc_metrics[m].percentile > 0)
            fc_result_add(result, fc_metrics[m].name, fc_metrics[m].unit,
                          fc_histogram_percentile(run->latencies, fc_metrics[m].percentile), NAN);
    }
    const double done = run->simulator->done(run->state);
    if (done < 1) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "%s: %.3g %% of the messages had been delivered.",
                       run->cancelled ? "Stopped early"
                       : run->expired ? "Stopped at simulation.max_seconds"
                                      : "Stopped at simulation.max_cycles",
                       100 * done);
    } else {
        fc_result_note(result,
                       "All %llu messages of the trace were delivered. A trace is run once: its "
                       "metrics have no intervals, and simulation.precision and "
                       "simulation.replications have no effect.",
                       (unsigned long long)run->latencies->total);
    }
    if (run->simulator->report)
        run->simulator->report(&run->state, 1, result);
}

fc_status fc_finite_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error, fc_result *result) {
    const double start = fc_clock_elapsed(), cpu_start = fc_clock_thread();
    const uint64_t cap = (uint64_t)simulation->max_cycles;
    const double scale = simulator->time_scale ? simulator->time_scale(scenario) : 1000;
    const uint64_t stretch = scale >= 1 && scale < 1e9 ? (uint64_t)scale : 1000;
    finite_run run = {.simulator = simulator, .scenario = scenario};
    fc_progress progress;
    fc_progress_start(&progress, settings);
    fc_status status = create(&run, (uint64_t)simulation->seed, error);
    while (status == FC_OK && simulator->done(run.state) < 1 && run.cycles < cap &&
           !run.cancelled && !run.expired) {
        status = advance(&run, cap - run.cycles < stretch ? cap - run.cycles : stretch, error);
        if (status == FC_OK)
            fc_progress_tell(&progress, fmin(0.99, simulator->done(run.state)), "simulating");
        run.cancelled = fc_cancelled(settings);
        run.expired =
            simulation->max_seconds > 0 && fc_clock_elapsed() - start > simulation->max_seconds;
    }
    if (status == FC_OK)
        fill(&run, result);
    fc_progress_finish(&progress, status == FC_OK ? "simulating" : NULL);
    result->run.cycles = (double)run.cycles;
    result->run.replications = 1;
    result->run.seed = (uint64_t)simulation->seed;
    result->run.events = run.events;
    result->run.cpu_seconds = fc_clock_thread() - cpu_start;
    result->run.seconds = fc_clock_elapsed() - start;
    release(&run);
    return status == FC_OK ? fc_result_status(result) : status;
}
