/* A result whose numbers contradict each other is not called ok. */
#include "test_support.h"
#include <string.h>
#include "registry/identities.h"

static const fc_method_info made_up = {.name = "made-up", .kind = FC_MODEL};

typedef struct number {
    const char *name;
    double value;
} number;

static fc_scenario *scenario_of(const char *text) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

/* The outcome of a result with these metrics (their list ends with a NULL) and one part. */
static fc_outcome outcome_of(const char *text, const number *metrics, double part,
                             const char *says) {
    fc_scenario *scenario = scenario_of(text);
    fc_result *result = fc_result_create(&made_up, scenario);
    assert_non_null(result);
    for (; metrics->name; ++metrics)
        fc_result_add(result, fc_metric_find(metrics->name), metrics->value, NAN);
    if (part > 0)
        fc_result_add_part(result, "part", "cycles", part);
    fc_result_check_identities(result, scenario);
    if (says && !strstr(result->note, says))
        fail_msg("'%s' does not say '%s'", result->note, says);
    if (!says)
        assert_string_equal(result->note, "");
    const fc_outcome outcome = result->outcome;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return outcome;
}

static const char open_network[] = "network: {topology: multistage, ports: 64, buffer: 8}\n"
                                   "traffic: {rate: 0.24, outstanding: 4}\n";
static const char closed_network[] =
    "network: {topology: torus, radix: [4, 4], virtual_channels: 2, channel_rule: high-low}\n"
    "traffic: {kind: closed, outstanding: 4, think_time: 50, requests: [{share: 1, flits: 3, "
    "reply_flits: 9, memory_reply: 4, memory_busy: 4}]}\n";

static void flow(void **state) {
    (void)state;
    const number kept[] = {
        {"latency", 9}, {"offered", 0.24}, {"throughput", 0.18}, {"loss", 0.25}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, kept, 9, NULL), FC_OUTCOME_OK);
    const number broken[] = {
        {"latency", 8.9}, {"offered", 0.24}, {"throughput", 0.031}, {"loss", 2e-9}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, broken, 8.9, "throughput is 0.031"),
                     FC_OUTCOME_NOT_CONVERGED);
    const number no_loss[] = {{"latency", 8}, {"offered", 0.24}, {"throughput", 0.2}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, no_loss, 8, "throughput"), FC_OUTCOME_NOT_CONVERGED);
}

static void values(void **state) {
    (void)state;
    const number missing[] = {{"latency", NAN}, {"throughput", 0.2}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, missing, 0, "no finite value of the latency"),
                     FC_OUTCOME_NOT_CONVERGED);
    const number negative[] = {{"latency", -3}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, negative, 0, "latency of -3"),
                     FC_OUTCOME_NOT_CONVERGED);
    const number share[] = {{"latency", 3}, {"loss", 1.2}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, share, 0, "loss of 1.2"), FC_OUTCOME_NOT_CONVERGED);
}

static void sums(void **state) {
    (void)state;
    const number parts[] = {{"latency", 10}, {"throughput", 0.2}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, parts, 12, "sum of the parts"),
                     FC_OUTCOME_NOT_CONVERGED);
    const number waits[] = {{"latency", 10}, {"network_latency", 7}, {"source_wait", 2}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, waits, 0, "waiting at the source"),
                     FC_OUTCOME_NOT_CONVERGED);
}

static void littles_law(void **state) {
    (void)state;
    const number crowd[] = {{"latency", 30}, {"throughput", 0.2}, {NULL, 0}};
    assert_int_equal(outcome_of(open_network, crowd, 0, "limit of outstanding"),
                     FC_OUTCOME_NOT_CONVERGED);
    const number kept[] = {
        {"efficiency", 0.8}, {"throughput", 0.016}, {"round_trip", 250}, {NULL, 0}};
    assert_int_equal(outcome_of(closed_network, kept, 250, NULL), FC_OUTCOME_OK);
    const number wrong[] = {
        {"efficiency", 1}, {"throughput", 0.016}, {"round_trip", 250}, {NULL, 0}};
    assert_int_equal(outcome_of(closed_network, wrong, 250, "efficiency is 1"),
                     FC_OUTCOME_NOT_CONVERGED);
    const number trip[] = {
        {"efficiency", 0.8}, {"throughput", 0.016}, {"round_trip", 200}, {NULL, 0}};
    assert_int_equal(outcome_of(closed_network, trip, 200, "outstanding requests"),
                     FC_OUTCOME_NOT_CONVERGED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow),
        cmocka_unit_test(values),
        cmocka_unit_test(sums),
        cmocka_unit_test(littles_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
