/* A load that changes (traffic.profile): what each phase sends, what that does where it is known
 * exactly, and what is refused. */
#include "scenario_support.h"

#include <math.h>
#include "flitcast/flitcast.h"
#include "registry/result.h"
#include "scenario/routed.h"

static fc_result *simulate(const char *text) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_result *result;
    fc_error error;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    if (!metric)
        fail_msg("there is no %s", name);
    return metric->value;
}

enum { UNTIL, RATE, OFFERED, THROUGHPUT, LATENCY, HALF_WIDTH, LONGEST };

/* Mean of a column over the windows whose rate is this one, by their lengths. */
static double mean_at(const fc_result *result, double rate, size_t column) {
    const fc_table *table = fc_result_table(result, "profile");
    double sum = 0, weights = 0, from = 0;
    assert_non_null(table);
    for (size_t row = 0; row < table->rows; ++row) {
        const double *values = table->values + row * table->columns;
        const double length = values[UNTIL] - from;
        from = values[UNTIL];
        if (fabs(values[RATE] - rate) > 1e-9)
            continue;
        sum += length * values[column];
        weights += length;
    }
    return sum / weights;
}

#define LINK                                                                                       \
    "network: {topology: fly, arity: 2, levels: 1, virtual_channels: 2, buffer: 8, "               \
    "router_delay: 1}\n"                                                                           \
    "traffic: {message_flits: 1, self_messages: sent, destinations: {hot-spots: [{node: 0}]}, "

/* Two nodes that send in every cycle of a phase of 100, and then in none: the link takes one in a
 * cycle, so the k-th message, of cycle k / 2, waits k - k / 2 cycles, and all of them 50 in the
 * mean. */
static void what_waits_in_a_phase_drains_in_the_next(void **state) {
    (void)state;
    fc_result *alone = simulate(LINK "rate: 0.001}\nsimulation: {precision: 0.001}\n");
    fc_result *result = simulate(
        LINK "rate: 1, injection: bernoulli, profile: [{cycles: 100, factor: 1}, {cycles: 300, "
             "factor: 0}]}\nsimulation: {precision: 0.01}\n");
    const double empty = floor(value_of(alone, "latency"));
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_close(value_of(result, "latency"), empty + 50, 1e-9);
    assert_close(value_of(result, "latency_max"), empty + 100, 0.01);
    assert_close(value_of(result, "offered"), 0.25, 1e-9);
    assert_close(mean_at(result, 1, OFFERED), 1, 1e-9);
    assert_close(mean_at(result, 0, OFFERED), 0, 1e-9);
    assert_close(mean_at(result, 1, LATENCY), empty + 50, 1e-9);
    fc_result_free(alone);
    fc_result_free(result);
}

/* In phases that are long beside the time in which a queue forgets, each is as if it lasted: M/D/1
 * with messages of one cycle, whose arrivals are counted in cycles. */
static void long_phases_are_as_constant_loads(void **state) {
    (void)state;
    const double low = 0.1, high = 0.4;
    fc_result *alone = simulate(LINK "rate: 0.001}\nsimulation: {precision: 0.001}\n");
    const double empty = floor(value_of(alone, "latency"));
    fc_result *result = simulate(LINK "profile: [{cycles: 10000, rate: 0.1}, {cycles: 5000, rate: "
                                      "0.4}]}\nsimulation: {precision: 0.003}\n");
    for (int phase = 0; phase < 2; ++phase) {
        const double rate = phase ? high : low, use = 2 * rate;
        assert_close(mean_at(result, rate, OFFERED), rate, 0.01);
        assert_close(mean_at(result, rate, THROUGHPUT), rate, 0.01);
        assert_close(mean_at(result, rate, LATENCY) - empty, use / (2 * (1 - use)), 0.04);
    }
    /* Messages weigh alike: 2 * 10000 of the first phase, 4 * 5000 of the second. */
    assert_close(value_of(result, "offered"), (10 * low + 5 * high) / 15, 0.01);
    fc_result_free(alone);
    fc_result_free(result);
}

/* One phase is a load that stays, and one that is cut into phases of equal rate too. */
static void phases_of_one_rate_are_none(void **state) {
    (void)state;
    static const char mesh[] = "network: {topology: mesh, radix: [4, 4], virtual_channels: 2, "
                               "buffer: 4, router_delay: 1}\ntraffic: {rate: 0.1, message_flits: 3"
                               "%s}\nsimulation: {precision: 0.005}\n";
    static const char *const more[] = {
        "", ", profile: [{cycles: 50, factor: 1}]",
        ", profile: [{cycles: 7, factor: 1}, {cycles: 13, factor: 1}]",
        ", injection: bernoulli, profile: [{cycles: 3, factor: 1}, {cycles: 2, factor: 1}]",
        ", injection: bernoulli"};
    double latency[5];
    for (size_t i = 0; i < 5; ++i) {
        char text[500];
        snprintf(text, sizeof text, mesh, more[i]);
        fc_result *result = simulate(text);
        latency[i] = value_of(result, "latency");
        assert_close(value_of(result, "offered"), 0.1, 0.02);
        fc_result_free(result);
    }
    assert_close(latency[1], latency[0], 0.012);
    assert_close(latency[2], latency[0], 0.012);
    assert_close(latency[3], latency[4], 0.012);
}

static void what_is_read_and_refused(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
        "traffic: {rate: 0.1, profile: [{cycles: 100, factor: 0.5}, {cycles: 300, factor: 2}]}\n";
    fc_scenario *scenario = must_read(text, NULL, NULL);
    const fc_profile *profile = fc_scenario_routed(scenario)->profile;
    assert_int_equal(profile->period, 400);
    assert_close(fc_profile_mean(profile), 1.625, 1e-12);
    assert_close(fc_profile_most(profile), 2, 1e-12);
    assert_int_equal(fc_profile_phase(profile, 499), 0);
    assert_int_equal(fc_profile_phase(profile, 500), 1);
    must_read_back(scenario);
    fc_scenario_free(scenario);
    scenario =
        must_read("network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
                  "traffic: {profile: [{cycles: 100, rate: 0.1}, {cycles: 300, rate: 0.3}]}\n",
                  NULL, NULL);
    assert_close(fc_scenario_routed(scenario)->rate, 0.25, 1e-12);
    assert_close(fc_scenario_routed(scenario)->profile->phase[1].factor, 1.2, 1e-12);
    must_read_back(scenario);
    fc_scenario_free(scenario);
    FILE *file = fopen("load.csv", "w");
    assert_non_null(file);
    fputs("cycles,factor\n# a morning\n100,0.5\n300,2\n", file);
    fclose(file);
    scenario = must_read(text, "traffic.profile", "{file: load.csv}");
    fc_scenario *same = must_read(text, NULL, NULL);
    assert_string_equal(fc_scenario_hash(scenario), fc_scenario_hash(same));
    fc_scenario_free(scenario);
    fc_scenario_free(same);
    file = fopen("load.csv", "w");
    fputs("100,0.5\n300\n", file);
    fclose(file);
    must_refuse(text, "traffic.profile", "{file: load.csv}", "load.csv:2: expected cycles,factor");
    remove("load.csv");
    must_refuse(text, "traffic.profile", "5", "a list of 1 to");
    must_refuse(text, "traffic.profile", "[{cycles: 5}]", "cycles and a factor");
    must_refuse(text, "traffic.profile", "[{cycles: 5, factor: 1, rate: 1}]",
                "cycles and a factor");
    must_refuse(text, "traffic.profile", "[{cycles: 0, factor: 1}]", "traffic.profile.cycles");
    must_refuse(text, "traffic.profile", "[{cycles: 5, factor: 0}]", "nothing would be sent");
    must_refuse(text, "traffic.profile", "[{cycles: 5, factor: 1}, {cycles: 5, rate: 0.1}]",
                "all one or the other");
    must_refuse(text, "traffic.injection", "{on-off: {on: 5, off: 5}}", "poisson and bernoulli");
    scenario = must_read(text, NULL, NULL);
    fc_result *result;
    fc_error error;
    assert_int_equal(fc_predict(scenario, NULL, &error, &result), FC_ERROR_UNSUPPORTED);
    must_say(error.text, "ask for each phase of traffic.profile by itself; it can be simulated");
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_in_a_phase_drains_in_the_next),
        cmocka_unit_test(long_phases_are_as_constant_loads),
        cmocka_unit_test(phases_of_one_rate_are_none),
        cmocka_unit_test(what_is_read_and_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
