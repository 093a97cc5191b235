/* Runs that come to an end: everything is counted, nothing is estimated. */
#include "test_support.h"

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

static const fc_simulator fake = {.info = {.name = "fake", .kind = FC_SIMULATOR},
                                  .observables = observables,
                                  .create = fake_create,
                                  .advance = fake_advance,
                                  .release = fake_release,
                                  .time_scale = fake_time_scale,
                                  .done = fake_done};

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_counts),
        cmocka_unit_test(a_run_that_is_cut_short_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
