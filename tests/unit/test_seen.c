/* What was drawn for a fit, key by key; and which values a scenario's keys have. */
#include "scenario_support.h"

#include "../fit/seen.h"
#include "scenario/scenario_values.h"

enum { ROOM = 4096 };

static void put(void *context, const char *key, const char *value) {
    char *text = context;
    const size_t used = strlen(text);
    snprintf(text + used, ROOM - used, "%s=%s;", key, value);
}

static void values_are_words_and_numbers(void **state) {
    (void)state;
    char text[ROOM] = "";
    fc_scenario *scenario =
        must_read("network: {topology: torus, radix: [4, 6], virtual_channels: 2, buffer: 8}\n"
                  "traffic: {rate: 0.01, destinations: {hot-spot: {share: 0.1, node: 3}}}\n",
                  NULL, NULL);
    assert_int_equal(fc_scenario_values(scenario, put, text, NULL), FC_OK);
    must_say(text, "network.topology=torus;");
    must_say(text, "network.radix.entries=2;network.radix=4;network.radix=6;");
    must_say(text, "network.buffer=8;");
    must_say(text, "traffic.destinations=hot-spot;");
    must_say(text, "traffic.destinations.hot-spot.share=0.1;");
    must_say(text, "network.arbitration=round-robin;"); /* not given */
    assert_null(strstr(text, "traffic.rate"));
    assert_null(strstr(text, "hot-spot.node"));
    assert_null(strstr(text, "workload"));
    fc_scenario_free(scenario);
}

static const char *line_of(const char *const *lines, const char *key) {
    const size_t length = strlen(key);
    for (; *lines; ++lines)
        if (strncmp(*lines, key, length) == 0 && (*lines)[length] == ' ')
            return *lines + length + 1;
    return "never";
}

static void add(fit_seen *seen, size_t networks, const char *network) {
    char text[512];
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.001}\n", network);
    fc_scenario *scenario = must_read(text, NULL, NULL);
    for (size_t i = 0; i < networks; ++i)
        assert_true(fit_seen_add(seen, scenario));
    fc_scenario_free(scenario);
}

static void what_few_networks_have_counts_as_never_drawn(void **state) {
    (void)state;
    fit_seen *seen = fit_seen_create();
    assert_non_null(seen);
    add(seen, FIT_SEEN_LEAST,
        "topology: torus, radix: [4, 4], virtual_channels: 2, buffer: 4, channel_rule: dateline");
    add(seen, FIT_SEEN_LEAST - 1,
        "topology: torus, radix: [4, 4], virtual_channels: 8, buffer: 4, channel_rule: wrapping");
    add(seen, FIT_SEEN_LEAST,
        "topology: mesh, radix: [3, 9], virtual_channels: 1, buffer: infinite");
    add(seen, 1, "topology: hypercube, dimensions: 3, virtual_channels: 6, buffer: 64");
    const char *const *lines = fit_seen_lines(seen);
    assert_non_null(lines);
    assert_string_equal(line_of(lines, "network.topology"), "mesh, torus");
    /* 19 have eight, and one has six: twenty have six or more */
    assert_string_equal(line_of(lines, "network.virtual_channels"), "1 to 6");
    assert_string_equal(line_of(lines, "network.radix"), "3 to 9");
    assert_string_equal(line_of(lines, "network.buffer"), "4 to 4, infinite");
    assert_null(strstr(line_of(lines, "network.channel_rule"), "wrapping"));
    assert_non_null(strstr(line_of(lines, "network.channel_rule"), "dateline"));
    assert_string_equal(line_of(lines, "network.dimensions"), "never");
    add(seen, 1, "topology: hypercube, dimensions: 3, virtual_channels: 64, buffer: 64");
    assert_string_equal(line_of(fit_seen_lines(seen), "network.virtual_channels"), "1 to 8");
    fit_seen_free(seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_words_and_numbers),
        cmocka_unit_test(what_few_networks_have_counts_as_never_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
