/* What a simulation tells beside its metrics must fit them: the parts add up to the main metric,
 * the nodes' share of it too, every flit sent crosses as many channels as its message has hops, and
 * where nothing but waiting for channels delays a message the waits add up to the delay. What was
 * counted during the warm-up would not fit: the runs start empty, with as much to forget. */
#include "test_support.h"

#include "anchor_support.h"

#define RUN "simulation: {precision: 0.02, max_cycles: 60000, replications: 3, seed: 6}\n"

static fc_result *simulate(const char *simulator, const char *text) {
    fc_scenario *scenario = read_scenario("%s" RUN, text);
    const fc_run_settings settings = fc_run_settings_default();
    fc_error error = {""};
    fc_result *result;
    if (fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_string_equal(result->method, simulator);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_true(result->run.warmup_cycles > 0);
    fc_scenario_free(scenario);
    return result;
}

static size_t column_of(const fc_table *table, const char *name) {
    for (size_t c = 0; c < table->columns; ++c) {
        if (strcmp(table->column_names[c], name) == 0)
            return c;
    }
    fail_msg("%s has no column %s", table->name, name);
    return 0;
}

/* The sum over the rows of a column, each times that of another (NULL: 1). */
static double sum_of(const fc_result *result, const char *table_name, const char *name,
                     const char *times) {
    const fc_table *table = fc_result_table(result, table_name);
    assert_non_null(table);
    const size_t column = column_of(table, name), factor = times ? column_of(table, times) : 0;
    double sum = 0;
    for (size_t row = 0; row < table->rows; ++row) {
        const double *values = &table->values[row * table->columns];
        if (!times || values[factor] != 0) /* a node that sent nothing has no latency */
            sum += values[column] * (times ? values[factor] : 1);
    }
    return sum;
}

static double part_of(const fc_result *result, const char *name) {
    for (size_t i = 0; i < result->part_count; ++i) {
        if (strcmp(result->parts[i].name, name) == 0)
            return result->parts[i].value;
    }
    fail_msg("there is no part '%s'", name);
    return (double)NAN;
}

static void parts_add_up(const fc_result *result, const char *metric) {
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    assert_true(result->part_count >= 3);
    assert_close(sum, value_of(result, metric), 1e-9);
}

/* Nodes with latencies: messages are what their throughput says, flits a message in and out. */
static void nodes_add_up(const fc_result *result, double flits) {
    const double nodes = (double)fc_result_table(result, "nodes")->rows;
    const double throughput = sum_of(result, "nodes", "throughput", NULL);
    assert_close(throughput, nodes * value_of(result, "throughput"), 1e-9);
    assert_close(sum_of(result, "nodes", "latency", "throughput"),
                 throughput * value_of(result, "latency"), 1e-9);
    assert_close(sum_of(result, "nodes", "source_wait", "throughput"),
                 throughput * value_of(result, "source_wait"), 1e-9);
    assert_close(sum_of(result, "nodes", "injection", NULL), throughput * flits, 0.005);
    assert_close(sum_of(result, "nodes", "ejection", NULL), throughput * flits, 0.005);
}

static void hot_and_cold_add_up(const fc_result *result, const char *metric, double hot_share) {
    char hot[FC_NAME_SIZE], cold[FC_NAME_SIZE];
    snprintf(hot, sizeof hot, "%s_hot", metric);
    snprintf(cold, sizeof cold, "%s_cold", metric);
    assert_true(value_of(result, hot) > 1.1 * value_of(result, cold));
    assert_close(hot_share * value_of(result, hot) + (1 - hot_share) * value_of(result, cold),
                 value_of(result, metric), 0.005);
}

/* ---- wormhole ---- */

/* One virtual channel, handed over in the next cycle: a message is delayed by the channels its
 * header waits for and by nothing else. */
static void waits_make_the_delay(void **state) {
    (void)state;
    const double flits = 8;
    fc_result *result =
        simulate("flit", "network: {topology: mesh, radix: [4, 4], virtual_channels: 1, handover: "
                         "next-cycle}\ntraffic: {rate: 0.025, message_flits: 8}\n");
    parts_add_up(result, "latency");
    nodes_add_up(result, flits);
    const double messages = sum_of(result, "nodes", "throughput", NULL);
    assert_close(sum_of(result, "channels", "utilisation", NULL),
                 messages * flits * part_of(result, "hops of the header"), 0.005);
    const double waits = sum_of(result, "channels", "wait", "utilisation") / flits +
                         sum_of(result, "nodes", "ejection_wait", "ejection") / flits;
    assert_true(waits > messages); /* there is something to add up */
    assert_close(waits, messages * part_of(result, "blocked or sharing links"), 0.01);
    fc_result_free(result);
}

static void a_hot_node_is_seen_in_the_metrics(void **state) {
    (void)state;
    fc_result *result =
        simulate("flit", "network: {topology: torus, radix: [4, 4], virtual_channels: 2}\n"
                         "traffic: {rate: 0.01, message_flits: 8, destinations: {hot-spot: "
                         "{share: 0.4, node: 5}}}\n");
    parts_add_up(result, "latency");
    nodes_add_up(result, 8);
    /* Of what is sent, the hot node's own messages go elsewhere. */
    const double hot = fc_result_table(result, "nodes")->values[5 * 6 + 4]; /* its ejection */
    hot_and_cold_add_up(result, "latency", hot / sum_of(result, "nodes", "ejection", NULL));
    fc_result_free(result);
}

/* ---- closed ---- */

static void closed_nodes_add_up(void **state) {
    (void)state;
    static const char *const node_links[] = {"single", "per-channel"};
    const double flits = 0.8 * (3 + 9) + 0.2 * (11 + 3);
    for (size_t i = 0; i < 2; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "network: {topology: torus, radix: [4, 4], node_links: %s}\n"
                 "traffic: {kind: closed, outstanding: 2, think_time: 40, destinations: "
                 "{hot-spot: {share: 0.2, node: 5}}, requests: [{share: 0.8, flits: 3, "
                 "reply_flits: 9, memory_reply: 4, memory_busy: 4}, {share: 0.2, flits: 11, "
                 "reply_flits: 3, memory_reply: 8, memory_busy: 4}]}\n",
                 node_links[i]);
        fc_result *result = simulate("flit", text);
        const fc_table *nodes = fc_result_table(result, "nodes");
        const size_t efficiency = column_of(nodes, "efficiency");
        parts_add_up(result, "round_trip");
        const double throughput = sum_of(result, "nodes", "throughput", NULL);
        assert_close(throughput, 16 * value_of(result, "throughput"), 1e-9);
        assert_close(sum_of(result, "nodes", "efficiency", NULL),
                     16 * value_of(result, "efficiency"), 1e-9);
        assert_close(sum_of(result, "nodes", "injection", NULL), throughput * flits, 0.01);
        assert_close(sum_of(result, "nodes", "ejection", NULL), throughput * flits, 0.01);
        double largest = 0, smallest = 1;
        for (size_t row = 0; row < nodes->rows; ++row) {
            largest = fmax(largest, nodes->values[row * nodes->columns + efficiency]);
            smallest = fmin(smallest, nodes->values[row * nodes->columns + efficiency]);
        }
        assert_true(value_of(result, "efficiency_max") == largest);
        assert_true(value_of(result, "efficiency_min") == smallest);
        /* 15 of 16 nodes send a fifth of their requests to the hot memory, and a fifteenth of the
         * others; it sends none to itself. They do not send equally often. */
        const double hot = 15.0 / 16 * (0.2 + 0.8 / 15);
        assert_true(value_of(result, "response_time_hot") >
                    1.1 * value_of(result, "response_time_cold"));
        assert_close(hot * value_of(result, "response_time_hot") +
                         (1 - hot) * value_of(result, "response_time_cold"),
                     value_of(result, "response_time"), 0.02);
        fc_result_free(result);
    }
}

/* Processors that never wait can offer more than the network carries. */
static void unlimited_requests_saturate(void **state) {
    (void)state;
    fc_scenario *scenario =
        read_scenario("network: {topology: torus, radix: [4, 4]}\n"
                      "traffic: {kind: closed, outstanding: infinite, think_time: 10}\n" RUN);
    fc_error error = {""};
    fc_result *result;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    fc_result_free(result);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_make_the_delay),
        cmocka_unit_test(a_hot_node_is_seen_in_the_metrics),
        cmocka_unit_test(closed_nodes_add_up),
        cmocka_unit_test(unlimited_requests_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
