/* chip-packets: exact where nothing waits for a channel or a buffer, and the interval it states. */
#include "chip_support.h"

#include <math.h>
#include "flitcast/flitcast.h"

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    assert_non_null(metric);
    return metric->value;
}

static double forecast(fc_scenario *scenario) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_predict(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    const double duration = value_of(result, "duration");
    fc_result_free(result);
    return duration;
}

static double simulated(fc_scenario *scenario) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    const double duration = value_of(result, "duration");
    fc_result_free(result);
    return duration;
}

static void expect_simulated(const char *events) {
    fc_scenario *scenario = with_trace(small, events);
    assert_float_equal(forecast(scenario), simulated(scenario), 1e-9);
    fc_scenario_free(scenario);
}

static void it_is_exact_where_nothing_waits_for_room(void **state) {
    (void)state;
    fc_scenario *scenario = with_trace(small, EVENT("0", "A", "1", "0", "64", "50"));
    assert_float_equal(forecast(scenario), 5 + 5 + 4 * 4 + 7 + 2, 1e-9);
    fc_scenario_free(scenario);
    expect_simulated(EVENT("0", "A", "0", "0", "64", "50"));
    expect_simulated(EVENT("0", "B", "3", "2", "33", "50"));
    expect_simulated(WRITE("A", "3", "2", "100", "50"));
    expect_simulated(MULTICAST("A", "1", "0", "2", "1"));
    expect_simulated(EVENT("0", "A", "3", "2", "600", "50"));
    expect_simulated(
        EVENT("0", "A", "1", "0", "64", "50") "," EVENT("0", "B", "1", "0", "99", "51"));
    expect_simulated(
        EVENT("0", "A", "0", "0", "256", "0") "," EVENT("0", "A", "0", "0", "64", "9"));
}

static void gaps_count_from_the_forecast_end_of_a_barrier(void **state) {
    (void)state;
    fc_scenario *scenario = with_trace(
        small, EVENT("0", "A", "0", "0", "64", "50") "," BARRIER("0", "START", "60") "," BARRIER(
                   "0", "END", "150") "," EVENT("0", "A", "0", "0", "64", "160"));
    assert_float_equal(forecast(scenario), 160 - 50 + 19, 1e-9);
    ((fc_chip *)scenario->parameters)->replay = FC_REPLAY_CLOSED;
    assert_float_equal(forecast(scenario), 19 + 5 + (160 - 150) + 19, 1e-9);
    fc_scenario_free(scenario);
}

/* As much data as a memory reads in so many cycles: 512 bytes at 4 bytes a cycle. */
static void bandwidth_bounds_it(void **state) {
    (void)state;
    fc_scenario *scenario = with_trace(
        small, EVENT("0", "A", "1", "0", "256", "50") "," EVENT("0", "B", "1", "0", "256", "50"));
    ((fc_chip *)scenario->parameters)->memories.memory[0].bandwidth = 4;
    const double duration = forecast(scenario);
    assert_true(duration >= 512 / 4.0);
    assert_true(duration <= 512 / 4.0 + 5 + 5 + 4 * 4 + 7 + 8 + 4);
    fc_scenario_free(scenario);
}

/* An interval where the chip and the trace are like the measured ones, and a reason elsewhere. */
static void it_says_how_far_off_it_was(void **state) {
    (void)state;
    static const char wormhole[] =
        "network: {topology: chip, radix: [10, 12], networks: [{name: A}], link_delay: 9,\n"
        "          buffer: 13, reply_channels: 2, memories: [{name: L1, latency: 90}]}\n"
        "traffic: {workload: {noc-trace: /nowhere}}\n";
    static const char one[] = EVENT("0", "A", "1", "0", "256", "50");
    char *many = malloc(128 * sizeof one);
    assert_non_null(many);
    size_t length = 0;
    for (int i = 0; i < 128; ++i)
        length += (size_t)sprintf(many + length, "%s%s", i ? "," : "", one);
    const char *const texts[] = {many, one, many};
    const char *const chips[] = {wormhole, wormhole, small};
    for (size_t i = 0; i < 3; ++i) {
        fc_scenario *scenario = with_trace(chips[i], texts[i]);
        fc_error error;
        fc_result *result = NULL;
        double low, high;
        assert_int_equal(fc_predict(scenario, "chip-packets", &error, &result), FC_OK);
        const double duration = value_of(result, "duration");
        assert_int_equal(fc_result_interval(result, &low, &high), i == 0);
        if (i == 0)
            assert_true(low < duration && duration < high && high < 1.1 * duration);
        else
            must_say(result->accuracy.reason, i == 1 ? "128 to 1024 reads" : "a Wormhole chip");
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
    free(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exact_where_nothing_waits_for_room),
        cmocka_unit_test(gaps_count_from_the_forecast_end_of_a_barrier),
        cmocka_unit_test(bandwidth_bounds_it),
        cmocka_unit_test(it_says_how_far_off_it_was),
    };
    set_path();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
