/* Scenarios from a line of text, for tests that put every method beside an exact answer. */
#ifndef ANCHOR_SUPPORT_H
#define ANCHOR_SUPPORT_H

#include "registry/method.h"
#include "scenario/scenario.h"
#include <stdarg.h>
#include <string.h>

static inline fc_scenario *read_scenario(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

static inline fc_scenario *read_scenario(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof text - 1);
    fc_error error = {""};
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, (size_t)length, SOURCE_DIR "/examples/anchor.yaml", NULL, 0,
                              &error, &scenario) != FC_OK)
        fail_msg("%s\n%s", text, error.text);
    return scenario;
}

/* NULL if the model does not cover the scenario. */
static inline fc_result *solve(const fc_model *model, const fc_scenario *scenario) {
    fc_error error = {""};
    if (fc_method_covers(model->info.name, scenario, &error) != FC_OK)
        return NULL;
    fc_result *result;
    if (fc_predict(scenario, model->info.name, &error, &result) != FC_OK)
        fail_msg("%s: %s", model->info.name, error.text);
    return result;
}

static inline const fc_metric *metric_of(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    if (!found)
        fail_msg("%s gives no %s (%s)", result->method, name, result->note);
    return found;
}

static inline double value_of(const fc_result *result, const char *name) {
    return metric_of(result, name)->value;
}

/* One replication of the simulator that suits the scenario, advanced by hand. */
typedef struct anchor_run {
    const fc_simulator *simulator;
    void *common, *state;
    double sums[FC_METRICS], weights[FC_METRICS]; /* since the start */
    fc_histogram latencies;
    fc_sample sample; /* of the last stretch: backlog and arrivals */
} anchor_run;

static inline void anchor_start(anchor_run *run, const fc_scenario *scenario, uint64_t seed) {
    fc_error error = {""};
    *run = (anchor_run){0};
    if (fc_simulator_choose(scenario, &error, &run->simulator) != FC_OK ||
        (run->simulator->prepare &&
         run->simulator->prepare(scenario, &error, &run->common) != FC_OK) ||
        run->simulator->create(scenario, run->common, seed, 0, &error, &run->state) != FC_OK)
        fail_msg("%s", error.text);
}

static inline void anchor_advance(anchor_run *run, uint64_t cycles) {
    double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0};
    fc_error error = {""};
    run->sample = (fc_sample){.sums = sums, .weights = weights, .latencies = &run->latencies};
    if (run->simulator->advance(run->state, cycles, &run->sample, &error) != FC_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < FC_METRICS; ++i) {
        run->sums[i] += sums[i];
        run->weights[i] += weights[i];
    }
    run->sample.sums = run->sample.weights = NULL;
}

/* What was seen of an observable so far: its sum; *weight may be NULL. */
static inline double anchor_sum(const anchor_run *run, const char *name, double *weight) {
    const fc_metric_id metric = fc_metric_find(name);
    const fc_metric_id *seen = run->simulator->observables;
    while (*seen && *seen != metric)
        ++seen;
    if (!*seen)
        fail_msg("%s does not observe %s", run->simulator->info.name, name);
    if (weight)
        *weight = run->weights[metric];
    return run->sums[metric];
}

static inline void anchor_clear(anchor_run *run) {
    memset(run->sums, 0, sizeof run->sums);
    memset(run->weights, 0, sizeof run->weights);
}

static inline void anchor_finish(anchor_run *run) {
    run->simulator->release(run->state);
    if (run->simulator->discard)
        run->simulator->discard(run->common);
}

#endif
