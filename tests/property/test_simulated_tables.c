/* What a simulation tells beside its metrics must fit them: the parts add up to the main metric,
 * the nodes' share of it too, every flit sent crosses as many channels as its message has hops, and
 * where nothing but waiting for channels delays a message the waits add up to the delay. What was
 * counted during the warm-up would not fit: the runs start empty, with as much to forget. */
#include "test_support.h"

#include "anchor_support.h"

#ifdef FC_CHECKS
#define PRECISION "0.02" /* every invariant is asserted in every cycle: slow */
#else
#define PRECISION "0.01"
#endif
/* Control variates correct the metrics, not what is counted for the tables. */
#define RUN                                                                                        \
    "simulation: {precision: " PRECISION ", max_cycles: 400000, replications: 3, seed: 6, "        \
    "controls: none}\n"

static fc_result *simulate(const char *simulator, const char *text) {
    fc_scenario *scenario = read_scenario("%s" RUN, text);
    const fc_run_settings settings = fc_run_settings_default();
    fc_error error = {""};
    fc_result *result;
    if (fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_string_equal(result->method, simulator);
    assert_true(result->outcome != FC_OUTCOME_SATURATED && result->run.warmup_cycles > 0);
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
    if (fc_result_metric(result, "network_latency"))
        assert_close(value_of(result, "source_wait") + value_of(result, "network_latency"),
                     value_of(result, "latency"), 1e-9);
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
    assert_true(value_of(result, hot) > 1.05 * value_of(result, cold));
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
                         "traffic: {rate: 0.012, message_flits: 8, destinations: {hot-spot: "
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
    const double flits = 0.5 * (3 + 9) + 0.3 * (11 + 3) + 0.2 * (1 + 1);
    for (size_t i = 0; i < 2; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "network: {topology: torus, radix: [4, 4], node_links: %s}\n"
                 "traffic: {kind: closed, outstanding: 2, think_time: 30, destinations: "
                 "{hot-spot: {share: 0.2, node: 5}}, requests: [{share: 0.5, flits: 3, "
                 "reply_flits: 9, memory_reply: 4, memory_busy: 4}, {share: 0.3, flits: 11, "
                 "reply_flits: 3, memory_reply: 8, memory_busy: 4}, {share: 0.2, flits: 1, "
                 "reply_flits: 1, memory_reply: 2, memory_busy: 2}]}\n",
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
        assert_close(value_of(result, "throughput") * value_of(result, "round_trip"), 2, 0.01);
        assert_true(value_of(result, "efficiency_max") == largest);
        assert_true(value_of(result, "efficiency_min") == smallest);
        /* 15 of 16 nodes send a fifth of their requests to the hot memory, and a fifteenth of the
         * others; it sends none to itself. They do not send equally often. */
        const double hot = 15.0 / 16 * (0.2 + 0.8 / 15);
        assert_true(value_of(result, "response_time_hot") >
                    1.05 * value_of(result, "response_time_cold"));
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

/* ---- routers ---- */

static void routers_add_up(void **state) {
    (void)state;
    const double flits = 4;
    fc_result *result =
        simulate("router", "network: {topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: "
                           "4, router_delay: 1, link_delay: 2, node_delay: 2}\n"
                           "traffic: {rate: 0.026, message_flits: 4, destinations: {hot-spot: "
                           "{share: 0.4, node: 5}}}\n");
    parts_add_up(result, "latency");
    nodes_add_up(result, flits);
    const double messages = sum_of(result, "nodes", "throughput", NULL);
    assert_close(sum_of(result, "channels", "utilisation", NULL),
                 messages * flits * value_of(result, "hops"), 0.005);
    /* A message that meets nobody: hops of 2 cycles, routers of 1, 2 links of the node. */
    const double hops = value_of(result, "hops");
    assert_close(part_of(result, "links of the header"), 2 * hops + 2 * (2 - 1), 1e-9);
    assert_close(part_of(result, "routers of the header"), hops + 1, 1e-9);
    const double hot = fc_result_table(result, "nodes")->values[5 * 6 + 4]; /* its ejection */
    hot_and_cold_add_up(result, "latency", hot / sum_of(result, "nodes", "ejection", NULL));
    fc_result_free(result);
}

/* Two nodes whose requests meet nobody: 1 + 2 flits over 2 routers and a link each way, 3 cycles at
 * the memory, and the reply's first cycle out of its node. */
static void a_lone_request_takes_its_way_and_back(void **state) {
    (void)state;
    fc_result *result = simulate(
        "router", "network: {topology: mesh, radix: [2], virtual_channels: 2, buffer: 4, "
                  "router_delay: 1}\ntraffic: {rate: 0.0005, requests: [{share: 1, flits: 1, "
                  "reply_flits: 2, memory_reply: 3}]}\n");
    const double alone = 2 * (2 + 1) + 1 + 2 + 3 + 1;
    assert_near(value_of(result, "response_time"), alone, 0.05);
    assert_near(value_of(result, "round_trip"), alone, 0.05);
    fc_result_free(result);
}

/* ---- rings ---- */

/* Into a local ring go the packets of its stations and those that come down. */
static void waits_for_rings_are_those_of_their_queues(void **state) {
    (void)state;
    fc_result *result =
        simulate("slotted-rings", "network: {topology: ring-hierarchy, rings: [4, 3, 3]}\n"
                                  "traffic: {rate: 0.04, locality: [0.3, 0.3]}\n");
    parts_add_up(result, "latency");
    const double middle = 0.3, global = 0.4, leaving = middle + global;
    const double *queues = fc_result_table(result, "queues")->values;
    const double *channels = fc_result_table(result, "channels")->values;
    assert_close(part_of(result, "station wait"), value_of(result, "source_wait"), 1e-9);
    assert_close(queues[0], value_of(result, "source_wait"), 0.03);
    assert_close(channels[1] * (1 + leaving), queues[0] + leaving * queues[4], 0.03);
    assert_close(channels[3] * (leaving + global), leaving * queues[1] + global * queues[3], 0.03);
    assert_close(channels[5], queues[2], 1e-9);
    fc_result_free(result);
}

/* ---- packets ---- */

static void packets_add_up(void **state) {
    (void)state;
    const double share = 0.2;
    fc_result *result = simulate("multistage-packets",
                                 "network: {topology: multistage, ports: 8, switch: 2, buffer: "
                                 "infinite}\ntraffic: {rate: 0.6, destinations: {hot-spot: {share: "
                                 "0.2, node: 3}}}\n");
    parts_add_up(result, "latency");
    assert_true(value_of(result, "latency_hot") > 1.1 * value_of(result, "latency_cold"));
    assert_close(share * value_of(result, "latency_hot") +
                     (1 - share) * value_of(result, "latency_cold"),
                 value_of(result, "latency"), 0.005);
    assert_true(sum_of(result, "groups", "memories", NULL) == 8);
    assert_close(fc_result_table(result, "groups")->values[1], value_of(result, "latency_hot"),
                 1e-9);
    /* Nothing is held back where every buffer has a place. */
    assert_true(sum_of(result, "channels", "blocking", NULL) == 0);
    assert_near(part_of(result, "held after service"), 0, 1e-6);
    const fc_metric *power = metric_of(result, "power"), *latency = metric_of(result, "latency");
    const fc_metric *throughput = metric_of(result, "throughput");
    assert_close(power->value, 8 * throughput->value / latency->value, 1e-12);
    assert_close(power->half_width / power->value,
                 latency->half_width / latency->value + throughput->half_width / throughput->value,
                 1e-9);
    fc_result_free(result);
}

/* A packet that is blocked is held, and only such a packet. */
static void full_buffers_hold_packets(void **state) {
    (void)state;
    fc_result *result =
        simulate("multistage-packets", "network: {topology: multistage, ports: 8, switch: 2, "
                                       "buffer: 2}\ntraffic: {rate: 0.8}\n");
    const fc_table *channels = fc_result_table(result, "channels");
    const size_t blocking = column_of(channels, "blocking"), held = column_of(channels, "held");
    double all = 0;
    for (size_t stage = 0; stage < 3; ++stage) {
        const double *row = &channels->values[stage * channels->columns];
        assert_true(stage == 2 ? row[blocking] == 0 : row[blocking] > 0.01 && row[blocking] < 1);
        assert_true((row[held] > 1e-6) == (row[blocking] > 0));
        all += row[held];
    }
    assert_close(part_of(result, "held after service"), all, 0.01);
    assert_true(value_of(result, "buffer_space") == 8 * 3 * 2);
    fc_result_free(result);
}

/* ---- scouting ---- */

/* M flits and a header over each link, M flits into the network and out of it. */
static void scouting_adds_up(void **state) {
    (void)state;
    fc_result *result =
        simulate("scouting", "network: {topology: torus, radix: [5, 5], switching: scouting, "
                             "scouting_distance: 2, virtual_channels: 2}\n"
                             "traffic: {rate: 0.004, message_flits: 8}\n");
    parts_add_up(result, "latency");
    /* With a lead of two links the data start three cycles late. */
    const double messages = 25 * value_of(result, "throughput");
    const double hops = part_of(result, "empty network") - 8 - 3;
    assert_close(hops, 2 * 6.0 / 5 * 25 / 24, 0.05);
    assert_close(sum_of(result, "nodes", "injection", NULL), 8 * messages, 0.015);
    assert_close(sum_of(result, "nodes", "ejection", NULL), 8 * messages, 0.015);
    assert_close(sum_of(result, "channels", "utilisation", NULL), 9 * hops * messages, 0.03);
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_make_the_delay),
        cmocka_unit_test(a_hot_node_is_seen_in_the_metrics),
        cmocka_unit_test(closed_nodes_add_up),
        cmocka_unit_test(unlimited_requests_saturate),
        cmocka_unit_test(routers_add_up),
        cmocka_unit_test(a_lone_request_takes_its_way_and_back),
        cmocka_unit_test(waits_for_rings_are_those_of_their_queues),
        cmocka_unit_test(packets_add_up),
        cmocka_unit_test(full_buffers_hold_packets),
        cmocka_unit_test(scouting_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
