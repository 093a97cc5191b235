/* Runs that come to an end: everything is counted, nothing is estimated. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "simulators/finite_run.h"

enum { MESSAGES = 100 };

/* One message a cycle; the one delivered in cycle i has taken i + 1 cycles. */
typedef struct fake_state {
    uint64_t now;
} fake_state;

static fc_status fake_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                             uint32_t replication, fc_error *error, void **state) {
    (void)common;
    static fake_state only;
    (void)scenario;
    (void)error;
    assert_int_equal(seed, 7);
    assert_int_equal(replication, 0);
    only = (fake_state){0};
    *state = &only;
    return FC_OK;
}

static fc_status fake_advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    fake_state *s = state;
    (void)error;
    for (uint64_t end = s->now + cycles; s->now < end; ++s->now) {
        if (s->now >= MESSAGES)
            continue;
        sample->sums[FC_METRIC_LATENCY] += (double)s->now + 1;
        sample->weights[FC_METRIC_LATENCY] += 1;
        fc_histogram_add(sample->latencies, s->now + 1);
        ++sample->events;
    }
    return FC_OK;
}

static double fake_done(const void *state) {
    return fmin(1, (double)((const fake_state *)state)->now / MESSAGES);
}

static void fake_release(void *state) {
    (void)state;
}

static double fake_time_scale(const fc_scenario *scenario) {
    (void)scenario;
    return 8; /* cycles between looks */
}

static const fc_metric_id observables[] = {FC_METRIC_LATENCY, FC_METRIC_HOPS,
                                           FC_METRIC_NONE}; /* hops: never */

static const fc_ending fake_ending = {.done = fake_done};
static const fc_simulator fake = {.info = {.name = "fake", .kind = FC_SIMULATOR},
                                  .observables = observables,
                                  .create = fake_create,
                                  .advance = fake_advance,
                                  .release = fake_release,
                                  .time_scale = fake_time_scale,
                                  .ending = &fake_ending};

static fc_result *run(double max_cycles) {
    const fc_simulation_settings simulation = {.max_cycles = max_cycles, .seed = 7};
    fc_error error = {""};
    fc_result *result = fc_result_create(&fake.info, NULL);
    assert_non_null(result);
    if (fc_finite_run(&fake, NULL, &simulation, NULL, &error, result) != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

static void check(const fc_result *result, const char *name, double expected) {
    const fc_metric *metric = fc_result_metric(result, name);
    assert_non_null(metric);
    assert_true(metric->value == expected);
    assert_true(isnan(metric->half_width));
}

static void every_message_counts(void **state) {
    (void)state;
    fc_result *result = run(1e6);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    check(result, "latency", (1 + MESSAGES) / 2.0);
    check(result, "latency_p50", 50);
    check(result, "latency_p95", 95);
    check(result, "latency_p99", 99);
    assert_null(fc_result_metric(result, "hops"));
    assert_non_null(strstr(result->note, "All 100 messages"));
    assert_true(result->run.cycles == 104); /* looked at every 8 */
    assert_int_equal(result->run.events, MESSAGES);
    assert_int_equal(result->run.replications, 1);
    assert_int_equal(result->run.seed, 7);
    fc_result_free(result);
}

static void a_run_that_is_cut_short_says_so(void **state) {
    (void)state;
    fc_result *result = run(44);
    assert_int_equal(result->outcome, FC_OUTCOME_NOT_CONVERGED);
    check(result, "latency", 45 / 2.0);
    assert_non_null(strstr(result->note, "simulation.max_cycles: 44 % of the messages"));
    assert_true(result->run.cycles == 44);
    fc_result_free(result);
}

/* ---- several runs with other draws ---- */

/* Run r has r % 3 packets, one after the other, each of 10 + r % 3 cycles; none waits. */
typedef struct drawn_state {
    uint32_t packets;
    bool done;
} drawn_state;

enum { DRAWN_RUNS = 12 };
static drawn_state drawn[DRAWN_RUNS];

static fc_status drawn_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                              uint32_t replication, fc_error *error, void **state) {
    (void)scenario, (void)common, (void)seed, (void)error;
    assert_true(replication < DRAWN_RUNS);
    drawn[replication] = (drawn_state){.packets = replication % 3, .done = replication % 3 == 0};
    *state = &drawn[replication];
    return FC_OK;
}

static fc_status drawn_advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    drawn_state *s = state;
    (void)cycles, (void)error;
    const double latency = 10 + s->packets, packets = s->packets;
    fc_observe(sample, FC_METRIC_LATENCY, packets * latency, packets);
    fc_observe(sample, FC_METRIC_SOURCE_WAIT, 0, packets);
    fc_observe(sample, FC_METRIC_HOPS, 3 * packets, packets);
    fc_observe(sample, FC_METRIC_DURATION, packets * latency, 1);
    for (uint32_t i = 0; i < s->packets; ++i)
        fc_histogram_add(sample->latencies, 10 + s->packets);
    s->done = true;
    return FC_OK;
}

static double drawn_done(const void *state) {
    return ((const drawn_state *)state)->done;
}

static bool drawn_drew(const void *state) {
    (void)state;
    return true;
}

static const fc_metric_id drawn_observables[] = {
    FC_METRIC_LATENCY, FC_METRIC_SOURCE_WAIT, FC_METRIC_HOPS, FC_METRIC_DURATION, FC_METRIC_NONE};
static const fc_ending drawn_ending = {.drew = drawn_drew, .done = drawn_done};
static const fc_simulator drawn_simulator = {.info = {.name = "drawn", .kind = FC_SIMULATOR},
                                             .observables = drawn_observables,
                                             .create = drawn_create,
                                             .advance = drawn_advance,
                                             .release = fake_release,
                                             .ending = &drawn_ending};

static fc_result *run_drawn(int64_t replications) {
    const fc_simulation_settings simulation = {.max_cycles = 1e6, .replications = replications};
    fc_error error = {""};
    fc_result *result = fc_result_create(&drawn_simulator.info, NULL);
    assert_non_null(result);
    if (fc_finite_run(&drawn_simulator, NULL, &simulation, NULL, &error, result) != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

/* The mean of a packet is over packets, so that parts, which are sums over packets, add up to it;
 * that of a run is over all runs, those without packets too. */
static void runs_with_few_packets_or_none_count(void **state) {
    (void)state;
    fc_result *result = run_drawn(DRAWN_RUNS);
    const fc_metric *latency = fc_result_metric(result, "latency");
    const fc_metric *duration = fc_result_metric(result, "duration");
    assert_true(fabs(latency->value - (11 + 2 * 12) / 3.0) < 1e-12);
    assert_true(fabs(duration->value - (0 + 11 + 24) / 3.0) < 1e-12);
    assert_true(latency->half_width > 0 && latency->half_width < 1);
    assert_true(duration->half_width > 1 && duration->half_width < 12);
    assert_non_null(strstr(result->note, "0 to 2 in each of 12 runs"));
    fc_result_free(result);
}

/* Twelve runs without a wait do not show that there are none: with 95 % confidence less than
 * 1 - 0.05^(1/12) of the runs have some. */
static void what_did_not_differ_is_not_certain(void **state) {
    (void)state;
    fc_result *result = run_drawn(DRAWN_RUNS);
    const fc_metric *wait = fc_result_metric(result, "source_wait");
    const double latency = fc_result_metric(result, "latency")->value;
    assert_true(wait->value == 0);
    assert_true(fabs(wait->half_width - (1 - pow(0.05, 1.0 / 12)) * latency) < 1e-9);
    assert_true(isnan(fc_result_metric(result, "hops")->half_width));
    fc_result_free(result);
}

static void a_run_without_packets_takes_no_time(void **state) {
    (void)state;
    fc_result *result = run_drawn(1);
    check(result, "duration", 0);
    assert_null(fc_result_metric(result, "latency"));
    assert_non_null(strstr(result->note, "no packets"));
    assert_null(strstr(result->note, "Nothing in it is drawn"));
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_counts),
        cmocka_unit_test(a_run_that_is_cut_short_says_so),
        cmocka_unit_test(runs_with_few_packets_or_none_count),
        cmocka_unit_test(what_did_not_differ_is_not_certain),
        cmocka_unit_test(a_run_without_packets_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
