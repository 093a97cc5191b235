/* Keys that change the waits of router-queueing: limits of outstanding requests, rounds of the
 * allocators, priority of the oldest. */
#include "test_support.h"

#include <string.h>
#include "flitcast/flitcast.h"

static fc_result *predict(const char *network, const char *traffic, const char *model) {
    char text[640];
    snprintf(text, sizeof text, "network: {%s, router_delay: [1, 1, 1, 1]}\ntraffic: {%s}\n",
             network, traffic);
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    if (fc_predict(scenario, model, &error, &result) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    fc_scenario_free(scenario);
    return result;
}

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    if (!found)
        fail_msg("%s is missing", name);
    return found->value;
}

static double metric(const char *network, const char *traffic, const char *name) {
    fc_result *result = predict(network, traffic, "router-queueing");
    const double value = value_of(result, name);
    fc_result_free(result);
    return value;
}

#define PAIR "topology: mesh, radix: [2], virtual_channels: 4, buffer: 8"
#define SHORT "requests: [{share: 1, flits: 1, reply_flits: 1, memory_reply: 20}]"

/* Two nodes: every round trip takes 10 + 20 + 10 + 2 cycles, so that one request at a time is a
 * queue with random arrivals and constant service. Replies do not wait. */
static void one_request_at_a_time_is_a_queue(void **state) {
    (void)state;
    const double trip = 42, rate = 0.012;
    const double wait = rate * trip * trip / (2 * (1 - rate * trip));
    const double without = metric(PAIR, "rate: 0.012, " SHORT, "source_wait");
    const double with = metric(PAIR, "rate: 0.012, outstanding: 1, " SHORT, "source_wait");
    assert_close(with - without, wait / 2, 0.01);
}

static void a_high_limit_is_none(void **state) {
    (void)state;
    const char *names[] = {"latency", "latency_p50", "latency_p99", "source_wait"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        assert_close(metric(PAIR, "rate: 0.05, outstanding: 1000, " SHORT, names[i]),
                     metric(PAIR, "rate: 0.05, " SHORT, names[i]), 1e-9);
}

/* A node sends `outstanding` requests in a round trip at most; the bound is the one without waits.
 */
static void a_limit_bounds_the_rate(void **state) {
    (void)state;
    static const char *const traffic[] = {"rate: 0.2, outstanding: 1, " SHORT,
                                          "rate: 0.2, outstanding: 4, " SHORT};
    for (int i = 0; i < 2; ++i) {
        fc_result *model = predict(PAIR, traffic[i], "router-queueing");
        fc_result *bound = predict(PAIR, traffic[i], "channel-load");
        assert_int_equal(model->outcome, FC_OUTCOME_SATURATED);
        assert_int_equal(bound->outcome, FC_OUTCOME_SATURATED);
        assert_close(value_of(bound, "throughput"), (i ? 4 : 1) / 42.0, 1e-12);
        assert_close(value_of(model, "throughput"), (i ? 4 : 1) / 42.0, 0.03);
        assert_true(value_of(model, "throughput") <= value_of(bound, "throughput"));
        fc_result_free(model);
        fc_result_free(bound);
    }
}

/* More permits, less waiting; the wait grows with the rate. */
static void waits_fall_with_the_limit(void **state) {
    (void)state;
    double last = 1e9;
    for (int limit = 1; limit <= 16; limit *= 2) {
        char traffic[200];
        snprintf(traffic, sizeof traffic,
                 "rate: 0.01, outstanding: %d, "
                 "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 20}]",
                 limit);
        const double wait = metric("topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8",
                                   traffic, "source_wait");
        assert_true(wait < last);
        last = wait;
    }
}

#define MESH "topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8, input_speedup: 1"

/* A slot that one round loses, another may use. */
static void rounds_of_the_allocator_save_slots(void **state) {
    (void)state;
    const char *traffic = "rate: 0.6, message_flits: 1";
    const double once = metric(MESH, traffic, "latency");
    const double twice = metric(MESH ", allocator_rounds: 2", traffic, "latency");
    const double often = metric(MESH ", allocator_rounds: 16", traffic, "latency");
    assert_true(twice < 0.99 * once);
    assert_true(often <= twice);
}

/* The mean stays, the tail is shorter. */
static void the_oldest_first_shortens_the_tail(void **state) {
    (void)state;
    const char *traffic = "rate: 0.08, message_flits: 5";
    const char *oldest = MESH ", arbitration: oldest-first";
    assert_close(metric(oldest, traffic, "latency"), metric(MESH, traffic, "latency"), 1e-9);
    assert_true(metric(oldest, traffic, "latency_p99") <
                0.99 * metric(MESH, traffic, "latency_p99"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_at_a_time_is_a_queue),
        cmocka_unit_test(a_high_limit_is_none),
        cmocka_unit_test(a_limit_bounds_the_rate),
        cmocka_unit_test(waits_fall_with_the_limit),
        cmocka_unit_test(rounds_of_the_allocator_save_slots),
        cmocka_unit_test(the_oldest_first_shortens_the_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
