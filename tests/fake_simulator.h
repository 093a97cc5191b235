#ifndef FC_TEST_FAKE_SIMULATOR_H
#define FC_TEST_FAKE_SIMULATOR_H

#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "simulators/driver.h"
#include "simulators/observations.h"

/* A simulator without a network: every cycle observes mean + a transient + noise with memory, and
 * keeps a backlog that grows at a given pace. */
typedef struct fake_case {
    double mean, noise, memory; /* memory: of the noise from cycle to cycle, 0..1 */
    double apart;               /* each replication's mean is this much above the one before */
    double transient, decay;    /* added at cycle 0; cycles in which it falls by e */
    double arrivals, growth;    /* messages per cycle: generated, staying for ever */
    double slowing;             /* messages staying too, times the root of the cycles so far */
    double delay;               /* cycles that a message of the backlog adds to the mean */
    double silent, quiet;       /* cycles without any observation, without noise at the start */
    uint64_t fail_at;           /* cycle at which replications 1 and above fail; 0: never */
    uint32_t *prepared;         /* counts prepare and, above 2^16, discard; NULL: not asked for */
    volatile int *cancel;       /* set to 1 at cycle cancel_at by replication 2 */
    uint64_t cancel_at;
} fake_case;

typedef struct fake_state {
    const fake_case *what;
    fc_random random;
    uint32_t replication;
    uint64_t now, since_start, starts;
    double noise, backlog;
} fake_state;

/* What replications share here is the counter itself. */
static fc_status fake_prepare(const fc_scenario *scenario, fc_error *error, void **common) {
    const fake_case *what = (const fake_case *)(const void *)scenario;
    (void)error;
    if (what->prepared)
        ++*what->prepared;
    *common = what->prepared;
    return FC_OK;
}

static void fake_discard(void *common) {
    if (common)
        *(uint32_t *)common += 1u << 16;
}

static fc_status fake_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                             uint32_t replication, fc_error *error, void **state) {
    (void)error;
    fake_state *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->what = (const fake_case *)(const void *)scenario;
    assert_ptr_equal(common, s->what->prepared);
    s->random = fc_random_stream(seed, replication, 0);
    s->replication = replication;
    *state = s;
    return FC_OK;
}

static void fake_cycle(fake_state *s, fc_sample *sample) {
    const fake_case *what = s->what;
    const double step = fc_random_unit(&s->random) - 0.5;
    s->noise = what->memory * s->noise + step;
    ++s->now;
    const double growth = what->growth + what->slowing / (2 * sqrt((double)s->now));
    s->backlog = fmax(0, s->backlog + growth + (what->arrivals > 0 ? step : 0));
    sample->arrivals += what->arrivals;
    ++s->since_start;
    if ((double)s->now <= what->silent)
        return;
    const double transient =
        what->decay > 0 ? what->transient * exp(-(double)s->now / what->decay) : 0;
    const double value = what->mean + what->apart * s->replication + transient +
                         what->delay * s->backlog +
                         ((double)s->now > what->quiet ? what->noise * s->noise : 0);
    sample->sums[FC_METRIC_LATENCY] += value;
    sample->weights[FC_METRIC_LATENCY] += 1;
    fc_histogram_add(sample->latencies, (uint64_t)fmax(value, 0));
}

static fc_status fake_advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    fake_state *s = state;
    for (uint64_t i = 0; i < cycles; ++i)
        fake_cycle(s, sample);
    sample->sums[FC_METRIC_THROUGHPUT] = 3 * (double)cycles;
    sample->weights[FC_METRIC_THROUGHPUT] = (double)cycles;
    sample->events = cycles;
    sample->backlog = s->backlog;
    const fake_case *what = s->what;
    if (what->fail_at && s->now >= what->fail_at && s->replication >= 1)
        return fc_fail(error, FC_ERROR_INPUT, "replication %u is stuck", s->replication);
    if (what->cancel && s->now >= what->cancel_at && s->replication == 2)
        __atomic_store_n(what->cancel, 1, __ATOMIC_RELAXED);
    return FC_OK;
}

static void fake_start_measuring(void *state) {
    fake_state *s = state;
    s->since_start = 0;
    ++s->starts;
}

static void fake_report(void *const *states, size_t replications, fc_result *result) {
    double measured = 0;
    for (size_t i = 0; i < replications; ++i) {
        const fake_state *s = states[i];
        assert_true(s->starts >= 1);
        measured += (double)s->since_start;
    }
    fc_result_add_named(result, "measured", "1", measured, (double)NAN);
    fc_result_add_part(result, "all of it", "cycles", 1);
}

static double fake_time_scale(const fc_scenario *scenario) {
    (void)scenario;
    return 50;
}

static const fc_metric_id fake_observables[] = {FC_METRIC_LATENCY, FC_METRIC_THROUGHPUT,
                                                FC_METRIC_HOPS, /* never seen */
                                                FC_METRIC_NONE};

static const fc_simulator fake_simulator = {
    .info = {.name = "fake", .kind = FC_SIMULATOR},
    .event_name = "cycles",
    .observables = fake_observables,
    .prepare = fake_prepare,
    .discard = fake_discard,
    .create = fake_create,
    .advance = fake_advance,
    .start_measuring = fake_start_measuring,
    .report = fake_report,
    .release = free,
    .time_scale = fake_time_scale,
};

static const fc_simulation_settings usual = {
    .precision = 0.01, .max_cycles = 1e6, .seed = 1, .replications = 4};

static fc_status run(const fake_case *what, const fc_simulation_settings *simulation,
                     const fc_run_settings *settings, fc_error *error, fc_result **result) {
    *result = fc_result_create(&fake_simulator.info, NULL);
    assert_non_null(*result);
    return fc_driver_run_task(&(fc_driver_task){&fake_simulator,
                                                (const fc_scenario *)(const void *)what, simulation,
                                                "latency"},
                              settings, error, *result);
}

static fc_result *run_well(const fake_case *what, const fc_simulation_settings *simulation) {
    fc_error error = {""};
    fc_result *result;
    if (run(what, simulation, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->value : (double)NAN;
}

#endif
