/* Classes of messages and memories where it is known what they do: priorities at one link, the
 * bandwidth of a memory, chains of answers. */
#include "scenario_support.h"

#include "flitcast/flitcast.h"

static fc_result *predict(const char *text) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_result *result;
    fc_error error;
    if (fc_predict(scenario, "router-queueing", &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static fc_result *simulate(const char *text, const char *key, const char *value) {
    fc_scenario *scenario = must_read(text, key, value);
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

/* ---- priorities ---- */

/* One router, whose nodes all send to node 0: its link takes a message from the header to the tail,
 * so that it is a queue with one server and priorities that do not interrupt. With Poisson arrivals
 * in cycles the one that goes first waits for the rest of a message in service,
 *
 *   W1 = (l1 M^2 + l2 M (M - 1)) / (2 (1 - r1)),   r1 = l1 M
 *
 * and what all wait together is that of M/D/1, r M / (2 (1 - r)), whoever goes first. */
#define STAR                                                                                       \
    "network: {topology: fly, arity: 200, levels: 1, virtual_channels: 2, buffer: 40, "            \
    "ejection_channels: 1}\n"                                                                      \
    "traffic:\n  destinations: {hot-spots: [{node: 0}]}\n  classes:\n"

static void check_priority(double first, double second, int flits) {
    enum { SENDERS = 199 };
    char text[800];
    snprintf(text, sizeof text,
             STAR "    - {name: first, rate: %.9g, flits: %d, channels: 0, priority: 2}\n"
                  "    - {name: second, rate: %.9g, flits: %d, channels: 1}\n"
                  "simulation: {precision: 0.002}\n",
             first / SENDERS / flits, flits, second / SENDERS / flits, flits);
    fc_result *result = simulate(text, NULL, NULL);
    const double M = flits, r = first + second;
    const double W1 = (first * M + second * (M - 1)) / (2 * (1 - first));
    const double W2 = (r * r * M / (2 * (1 - r)) - first * W1) / second;
    const double alone = M;
    const double seen1 = value_of(result, "first.latency") - alone;
    const double seen2 = value_of(result, "second.latency") - alone;
    assert_close(seen1, W1, 0.01);
    assert_close(seen2, W2, 0.01);
    fc_result_free(result);
    result = predict(text);
    assert_close(value_of(result, "first.latency") - alone, W1, 0.01);
    assert_close(value_of(result, "second.latency") - alone, W2, 0.01);
    fc_result_free(result);
}

static void the_first_does_not_wait_for_the_second(void **state) {
    (void)state;
    check_priority(0.3, 0.4, 1);
    check_priority(0.3, 0.4, 32);
}

/* ---- memories ---- */

#define MEMORY                                                                                     \
    "network: {topology: fly, arity: 16, levels: 1, virtual_channels: 2, buffer: 8}\n"             \
    "traffic: {rate: 0.004, destinations: {hot-spots: [{node: 0}]}, "                              \
    "requests: [{share: 1, flits: 1, reply_flits: 1, memory_busy: 10, memory_reply: 25}]}\n"       \
    "simulation: {precision: 0.002}\n"

static void a_memory_has_a_bandwidth(void **state) {
    (void)state;
    const double senders = 15;
    fc_result *calm = simulate(MEMORY, NULL, NULL);
    assert_close(value_of(calm, "throughput"), 0.004, 0.003);
    /* M/D/1, nearly: the link into the memory takes one request a cycle. */
    const double use = 0.004 * senders * 10;
    assert_close(value_of(calm, "memory_wait"), use * 10 / (2 * (1 - use)), 0.02);
    fc_result *forecast = predict(MEMORY);
    assert_close(value_of(forecast, "memory_wait"), use * 10 / (2 * (1 - use)), 1e-9);
    assert_close(value_of(forecast, "response_time"), value_of(calm, "response_time"), 0.01);
    fc_result_free(forecast);
    fc_result_free(calm);
    fc_result *full = simulate(MEMORY, "traffic.rate", "0.02");
    assert_int_equal(full->outcome, FC_OUTCOME_SATURATED);
    assert_close(value_of(full, "throughput"), 0.1 / senders, 1e-4);
    fc_result_free(full);
}

/* ---- answers ---- */

/* Request, forward, answer: each as often as the first, and the response takes all three and the
 * memory. */
static void chains_come_to_their_end(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [4, 4], virtual_channels: 3, buffer: 8}\n"
        "traffic:\n  classes:\n"
        "    - {name: request, rate: 0.002, flits: 1, channels: 0, reply: forward, "
        "memory_reply: 7}\n"
        "    - {name: forward, flits: 1, channels: 1, destinations: uniform, reply: answer, "
        "memory_reply: 3}\n"
        "    - {name: answer, flits: 5, channels: 2}\n"
        "simulation: {precision: 0.01}\n";
    fc_result *result = simulate(text, NULL, NULL);
    const double rate = value_of(result, "request.offered");
    assert_close(value_of(result, "forward.throughput"), rate, 0.01);
    assert_close(value_of(result, "answer.throughput"), rate, 0.01);
    assert_close(value_of(result, "throughput"), rate, 0.01);
    const double sum = value_of(result, "request.network_latency") +
                       value_of(result, "forward.latency") + value_of(result, "answer.latency");
    /* Each latency leaves out the cycle of injection. */
    assert_close(value_of(result, "request.response_time"), sum + 10 + 2, 0.005);
    assert_close(value_of(result, "response_time"), value_of(result, "request.response_time"),
                 1e-9);
    fc_result *forecast = predict(text);
    assert_close(value_of(forecast, "response_time"), value_of(result, "response_time"), 0.01);
    assert_close(value_of(forecast, "latency"), value_of(result, "latency"), 0.01);
    fc_result_free(forecast);
    fc_result_free(result);
}

/* One class with all the messages is what there is without classes, message by message. */
static void one_class_is_as_none(void **state) {
    (void)state;
    static const char plain[] =
        "network: {topology: torus, radix: [4, 4], virtual_channels: 2, router_delay: 1}\n"
        "traffic: {rate: 0.02, message_flits: 4%s}\nsimulation: {controls: none}\n";
    char text[400], class[400];
    snprintf(text, sizeof text, plain, "");
    snprintf(class, sizeof class, plain, ", classes: [{name: all, share: 1}]");
    fc_result *without = simulate(text, NULL, NULL), *with = simulate(class, NULL, NULL);
    for (size_t i = 0; i < without->metric_count; ++i) {
        const double value = without->metrics[i].value;
        assert_true(value_of(with, without->metrics[i].name) == value);
    }
    fc_result_free(without);
    fc_result_free(with);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_does_not_wait_for_the_second),
        cmocka_unit_test(a_memory_has_a_bandwidth),
        cmocka_unit_test(chains_come_to_their_end),
        cmocka_unit_test(one_class_is_as_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
