/* Reading scenarios of multistage networks: defaults, hot spots, and a sentence for each mistake.
 */
#include "test_support.h"
#include <stdlib.h>
#include <string.h>
#include "scenario/multistage.h"
#include "scenario/scenario.h"

static const char text[] = "network: {topology: multistage, ports: 64}\n"
                           "traffic: {rate: 0.5}\n";

static fc_status read_with(const fc_setting *settings, size_t count, fc_error *error,
                           fc_scenario **scenario) {
    return fc_scenario_read_text(text, strlen(text), "test.yaml", settings, count, error, scenario);
}

static void defaults(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *scenario;
    assert_int_equal(read_with(NULL, 0, &error, &scenario), FC_OK);
    const fc_multistage *network = scenario->parameters;
    assert_string_equal(fc_scenario_family(scenario), "multistage");
    assert_string_equal(fc_scenario_main_metric(scenario), "latency");
    assert_string_equal(fc_scenario_load_key(scenario), "traffic.rate");
    assert_int_equal(network->switch_size, 2);
    assert_int_equal(network->stages, 6);
    assert_int_equal(network->buffer, 4);
    assert_true(network->service == 1.0 && network->rate == 0.5 && network->hot.share == 0.0);
    assert_int_equal(network->contention, FC_CONTENTION_NONE);
    assert_int_equal(network->outstanding, FC_INFINITE);
    fc_scenario_free(scenario);
}

static void everything_set(void **state) {
    (void)state;
    const fc_setting settings[] = {
        {"network.ports", "729"},
        {"network.switch", "3"},
        {"network.buffer", "infinite"},
        {"network.service", "2.5"},
        {"network.contention", "output-port"},
        {"traffic.destinations", "{hot-spot: {share: 0.05, node: 728}}"},
        {"traffic.outstanding", "7"},
    };
    fc_error error;
    fc_scenario *scenario;
    assert_int_equal(read_with(settings, 7, &error, &scenario), FC_OK);
    const fc_multistage *network = scenario->parameters;
    assert_int_equal(network->stages, 6);
    assert_int_equal(network->buffer, FC_INFINITE);
    assert_int_equal(network->contention, FC_CONTENTION_OUTPUT_PORT);
    assert_true(network->hot.share == 0.05 && network->hot.node == 728);
    assert_int_equal(network->outstanding, 7);
    /* What is written reads back as the same scenario. */
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    assert_int_equal(fc_scenario_write(scenario, stream), FC_OK);
    fclose(stream);
    fc_scenario *again;
    assert_int_equal(fc_scenario_read_text(written, length, "again.yaml", NULL, 0, &error, &again),
                     FC_OK);
    assert_string_equal(fc_scenario_hash(again), fc_scenario_hash(scenario));
    free(written);
    fc_scenario_free(again);
    fc_scenario_free(scenario);
}

static void must_refuse(const char *key, const char *value, const char *reason) {
    const fc_setting setting = {key, value};
    fc_error error;
    fc_scenario *scenario;
    if (read_with(&setting, 1, &error, &scenario) == FC_OK)
        fail_msg("%s: %s was accepted", key, value);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" does not say \"%s\"", error.text, reason);
}

static void mistakes(void **state) {
    (void)state;
    must_refuse("network.ports", "48",
                "network.ports is 48, which is no power of network.switch (2); the nearest are 32 "
                "and 64");
    must_refuse("network.switch", "100",
                "which is no power of network.switch (100); the nearest "
                "are 100 and 10000");
    must_refuse("traffic.destinations", "{hot-spot: {share: 0.1, node: 64}}",
                "the hot memory 64 lies outside the network; expected 0 to 63");
    must_refuse("traffic.destinations", "{hot-spot: {share: 0.1, node: -1}}", "hot-spot.node");
    must_refuse("traffic.destinations", "{hot-spot: {share: 1.5, node: 3}}", "hot-spot.share");
    must_refuse("traffic.destinations", "{hot-spot: {share: 0.1}}",
                "a hot spot needs share and node");
    must_refuse("traffic.destinations", "{hot-spot: {share: 0.1, memory: 3}}", "memory");
    must_refuse("traffic.destinations", "hot-spot", "hot-spot needs a value");
    must_refuse("traffic.destinations", "tornado", "uniform");
    must_refuse("network.buffer", "0", "network.buffer");
    must_refuse("network.buffer", "-2", "network.buffer");
    must_refuse("network.buffer", "unbounded", "infinite");
    must_refuse("traffic.outstanding", "0", "traffic.outstanding");
    must_refuse("network.service", "0", "network.service");
    must_refuse("traffic.rate", "11", "at most 10 packets per source and service time");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(everything_set),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
