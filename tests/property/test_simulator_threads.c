/* The same seed gives the same bits on any number of threads, for every simulator: the metrics, the
 * parts, the tables and the decisions when to stop. */
#include "test_support.h"

#include "anchor_support.h"

static const char *const scenarios[] = {
    "network: {topology: ring-hierarchy, rings: [4, 3, 4]}\ntraffic: {rate: 0.02}\n",
    "network: {topology: ring-hierarchy, rings: [4, 3]}\n"
    "traffic: {kind: closed, outstanding: 2, think_time: 20, memory_busy: 6}\n",
    "network: {topology: multistage, ports: 16, switch: 2, buffer: 3, contention: output-port}\n"
    "traffic: {rate: 0.3, destinations: {hot-spot: {share: 0.1, node: 3}}}\n",
    "network: {topology: torus, radix: [4, 4], virtual_channels: 4, channel_rule: dateline}\n"
    "traffic: {rate: 0.02, message_flits: 8}\n",
    "network: {topology: torus, radix: [4, 4], node_links: per-channel}\n"
    "traffic: {kind: closed, outstanding: 3, think_time: 20}\n",
    "network: {topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 2,\n"
    "          virtual_channels: 2, faults: [[5, 0, 1]]}\n"
    "traffic: {rate: 0.01, message_flits: 8}\n",
    "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 4, router_delay: 1}\n"
    "traffic: {rate: 0.01, requests: [{share: 1, flits: 1, reply_flits: 4, memory_reply: 3}]}\n",
    "network: {topology: torus, radix: [4, 4], routing: adaptive, buffer: 4, router_delay: 2}\n"
    "traffic: {rate: 0.5, message_flits: 4}\n", /* far too much: saturated */
    "network: {topology: fat-tree, arity: 2, levels: 3, routing: random}\n"
    "traffic: {rate: 0.03, injection: {on-off: {on: 10, off: 20}}}\n",
    "network: {topology: chip, radix: [10, 12], networks: [{name: NOC_0}, {name: NOC_1}],\n"
    "          memories: [{name: L1, latency: 90, gap: 12}]}\n"
    "traffic: {workload: {noc-trace: " SOURCE_DIR "/examples/chips/small_trace.json}}\n",
};

static fc_result *simulate(const fc_scenario *scenario, unsigned threads) {
    const fc_run_settings settings = {.threads = threads};
    fc_error error = {""};
    fc_result *result;
    if (fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

static void same_metrics(const fc_metric *one, const fc_metric *other, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        assert_string_equal(one[i].name, other[i].name);
        assert_memory_equal(&one[i].value, &other[i].value, sizeof one[i].value);
        assert_memory_equal(&one[i].half_width, &other[i].half_width, sizeof one[i].half_width);
    }
}

static void same_tables(const fc_result *one, const fc_result *other) {
    assert_int_equal(one->table_count, other->table_count);
    for (size_t i = 0; i < one->table_count; ++i) {
        const fc_table *table = &one->tables[i], *twin = &other->tables[i];
        assert_int_equal(table->rows, twin->rows);
        assert_int_equal(table->columns, twin->columns);
        assert_memory_equal(table->values, twin->values,
                            table->rows * table->columns * sizeof *table->values);
    }
}

static void same_results(const fc_result *one, const fc_result *other) {
    assert_int_equal(one->outcome, other->outcome);
    assert_string_equal(one->note, other->note);
    assert_int_equal(one->metric_count, other->metric_count);
    assert_int_equal(one->part_count, other->part_count);
    same_metrics(one->metrics, other->metrics, one->metric_count);
    same_metrics(one->parts, other->parts, one->part_count);
    same_tables(one, other);
    assert_true(one->run.cycles == other->run.cycles);
    assert_true(one->run.warmup_cycles == other->run.warmup_cycles);
    assert_int_equal(one->run.events, other->run.events);
}

static void threads_change_no_bit(void **state) {
    (void)state;
    bool used[64] = {false}, saturated = false;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; ++i) {
        fc_scenario *scenario = read_scenario(
            "%ssimulation: {precision: 0.05, max_cycles: 8000, replications: 5, seed: 3}\n",
            scenarios[i]);
        fc_result *alone = simulate(scenario, 1);
        for (size_t m = 0; m < fc_method_count(); ++m)
            used[m] |= strcmp(fc_method_at(m)->name, alone->method) == 0;
        saturated |= alone->outcome == FC_OUTCOME_SATURATED;
        for (unsigned threads = THREAD_SANITIZER ? 8 : 2; threads <= 8; threads *= 4) {
            fc_result *shared = simulate(scenario, threads);
            same_results(alone, shared);
            fc_result_free(shared);
        }
        fc_result_free(alone);
        fc_scenario_free(scenario);
    }
    assert_true(saturated);
    for (size_t m = 0; m < fc_method_count(); ++m) {
        if (fc_method_at(m)->kind == FC_SIMULATOR && !used[m])
            fail_msg("no scenario of this test is simulated by %s", fc_method_at(m)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
