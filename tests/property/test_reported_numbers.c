/* Answers that users and testers found wrong, number by number: each fails if it comes back. What
 * has a test of its own (metastable rings, engines, slow filling, ties of graphs, Live) is there.
 */
#include "test_support.h"

#include <stdlib.h>
#include "flitcast/flitcast.h"

static fc_scenario *read_at(const char *text, const char *key, const char *value) {
    const fc_setting setting = {key, value};
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, strlen(text), "reported", &setting, key ? 1 : 0, &error,
                              &scenario) != FC_OK)
        fail_msg("%s%s", text, error.text);
    return scenario;
}

static fc_result *predict(const char *text) {
    fc_scenario *scenario = read_at(text, NULL, NULL);
    fc_result *result;
    fc_error error;
    if (fc_predict(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s%s", text, error.text);
    fc_scenario_free(scenario);
    return result;
}

static fc_result *simulate(const char *text, unsigned seed) {
    char number[16];
    snprintf(number, sizeof number, "%u", seed);
    fc_scenario *scenario = read_at(text, "simulation.seed", number);
    const fc_run_settings settings = {.threads = 1};
    fc_result *result;
    fc_error error;
    if (fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        fail_msg("%s%s", text, error.text);
    fc_scenario_free(scenario);
    return result;
}

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->value : (double)NAN;
}

static double width_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->half_width : (double)NAN;
}

/* ---- forecasts ---- */

/* Forecasts that claimed a validation and missed. simulated: to 1 %; infinity: it saturates. */
static const struct {
    const char *network, *traffic;
    double simulated;
} forecasts[] = {
    {"topology: ring, radix: [14], router_delay: [1, 1, 1, 1], virtual_channels: 3",
     "rate: 0.07, message_flits: 4", INFINITY},
    {"topology: ring, radix: [14], router_delay: [1, 1, 1, 1], virtual_channels: 3, channel_rule: "
     "escape",
     "rate: 0.07, message_flits: 4", INFINITY},
    {"topology: hypercube, dimensions: 4, router_delay: [1, 1, 1, 1], virtual_channels: 2, "
     "handover: when-empty, ejection_channels: 1",
     "rate: 0.1, message_flits: 4", 31.5},
    {"topology: mesh, radix: [11], concentration: 3, router_delay: 1, virtual_channels: 4, buffer: "
     "4, arbitration: oldest-first",
     "rate: 0.00202, message_flits: 16", 28.7},
    {"topology: torus, radix: [4, 4, 4], virtual_channels: 4, buffer: 1, router_delay: 1, "
     "link_delay: 2",
     "workload: {reduce-scatter: {algorithm: ring, bytes: 16384}}", 2643},
    {"topology: mesh, radix: [4, 4], router_delay: [1, 1, 1, 1], virtual_channels: 4, buffer: 8",
     "rate: 0.015, message_mix: [{flits: 1, share: 0.99}, {flits: 1000, share: 0.01}]", 37.1},
    {"topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, buffer: 8, "
     "node_delay: 100",
     "rate: 0.02, message_flits: 5", 273.8},
    {"topology: mesh, radix: [6, 3], router_delay: [1, 1, 1, 1], credit_delay: 3, input_speedup: 2",
     "rate: 0.0142589, message_flits: 20", 136},
    {"topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, buffer: 8",
     "rate: 0.045, message_flits: 5, injection: {on-off: {on: 150, off: 450}}", 66.2},
    {"topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, buffer: 8",
     "rate: 0.045, message_flits: 5, injection: {on-off: {on: 200, off: 600}}", 73.8},
    {"topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, buffer: 8",
     "rate: 0.045, message_flits: 5, injection: {on-off: {on: 400, off: 1200}}", 106.7},
    /* single channels with a buffer of one credit loop: the default */
    {"topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1]", "rate: 0.003377", 52.6},
    {"topology: ring, radix: [14], router_delay: [1, 1, 1, 1]", "rate: 0.010267", 73.8},
    {"topology: hypercube, dimensions: 5, router_delay: [1, 1, 1, 1]", "rate: 0.0183124", 59.7},
    {"topology: ring-hierarchy, rings: [4, 3]", "rate: 0.19175", 12.2},
    /* a link between any two routers */
    {"topology: hyperx, shape: [5], router_delay: [1, 1, 1, 1]", "rate: 0.0172919", 33.63},
    {"topology: hyperx, shape: [5], router_delay: 1", "rate: 0.0160114", 24.51},
    /* packets of one flit; nodes far from their routers */
    {"topology: hyperx, shape: [5], router_delay: [1, 1, 1, 1], arbitration: oldest-first, "
     "ejection_channels: 1",
     "workload: {broadcast: {algorithm: binomial, root: 1, bytes: 24}}, flit_bytes: 1, "
     "packet_flits: 1",
     232},
    {"topology: fly, arity: 4, levels: 2, router_delay: [1, 1, 1, 1]",
     "workload: {all-reduce: {algorithm: multi-ring, rings: 6, bytes: 54}}", 799},
    {"topology: graph, file: " SOURCE_DIR "/examples/rails.graph, router_delay: [1, 1, 1, 1]",
     "workload: {all-reduce: {algorithm: multi-ring, rings: 7, bytes: 1285}}, send_gap: 3", 2089},
    /* links of a graph's file as long as none of the fit */
    {"topology: graph, file: " SOURCE_DIR "/examples/chiplets.graph, router_delay: 1",
     "rate: 0.00191077", 65.65},
    {"topology: hyperx, shape: [3], router_delay: 1, node_delay: 29",
     "workload: {all-reduce: {algorithm: recursive-doubling, bytes: 321}}", 303},
};

static void write_scenario(const char *network, const char *traffic, size_t size, char *text) {
    snprintf(text, size, "network: {%s}\ntraffic: {%s}\n", network, traffic);
}

static void forecasts_hold_or_say_that_they_may_not(void **state) {
    (void)state;
    unsigned validated = 0;
    for (size_t i = 0; i < sizeof forecasts / sizeof *forecasts; ++i) {
        char text[900];
        double low, high;
        write_scenario(forecasts[i].network, forecasts[i].traffic, sizeof text, text);
        fc_result *result = predict(text);
        const double simulated = forecasts[i].simulated;
        const bool known = fc_result_interval(result, &low, &high);
        if (result->outcome == FC_OUTCOME_OK && !(result->flags & FC_FLAG_NOT_VALIDATED)) {
            ++validated;
            if (!known || !(low <= 1.005 * simulated && (high >= 0.995 * simulated)))
                fail_msg("%sforecast %g to %g, simulated %g", text, low, high, simulated);
        }
        assert_true(known || result->flags & FC_FLAG_NOT_VALIDATED);
        fc_result_free(result);
    }
    assert_true(validated > 2);
}

/* One flow alone on its links, just below the capacity of its one channel, 0.1: it waits some 5,000
 * cycles; 113 [101, 127] was said of it. */
static void a_flow_alone_is_not_carried_beyond_its_channel(void **state) {
    (void)state;
    char path[] = "/tmp/flitcast-flow-XXXXXX.csv", text[400];
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fputs("source,destination,rate\n0,5,1\n", stream);
    fclose(stream);
    snprintf(text, sizeof text,
             "network: {topology: mesh, radix: [4, 4], router_delay: [1, 1, 1, 1], "
             "virtual_channels: 1, buffer: 8}\n"
             "traffic: {rate: 0.0999, message_flits: 8, destinations: {matrix: %s}}\n",
             path);
    fc_result *result = predict(text);
    double low, high;
    if (fc_result_interval(result, &low, &high) && !(high > 4000))
        fail_msg("forecast %g to %g", low, high);
    assert_true(value_of(result, "latency") > 3000 || result->outcome == FC_OUTCOME_SATURATED);
    fc_result_free(result);
    remove(path);
}

/* p95 = p99 = 401 was forecast, 57 and 68 simulated. */
static void percentiles_of_a_mix_do_not_explode(void **state) {
    (void)state;
    fc_result *result =
        predict("network: {topology: mesh, radix: [4, 3], router_delay: [1, 1, 1, 1], routing: "
                "adaptive, virtual_channels: 2, ejection_channels: 1}\n"
                "traffic: {rate: 0.00725, message_mix: [{flits: 1, share: 0.8}, {flits: 33, share: "
                "0.2}], destinations: diagonal}\n");
    assert_close(value_of(result, "latency_p95"), 57, 0.25);
    assert_close(value_of(result, "latency_p99"), 68, 0.25);
    assert_true(value_of(result, "latency_p95") < value_of(result, "latency_p99"));
    fc_result_free(result);
}

/* ---- bounds ---- */

static void durations_stay_above_their_bounds(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: fat-tree, arity: 4, levels: 3, routing: anca, virtual_channels: 8, "
        "buffer: 3, router_delay: [0, 0, 1, 0]}\ntraffic: {workload: {all-gather: {algorithm: "
        "recursive-doubling, bytes: 4096}}, placement: {random: 5}}\n",
        "network: {topology: mesh, radix: [4, 4], router_delay: [2, 2, 0, 0], internal_speedup: 3}"
        "\ntraffic: {workload: {all-reduce: {algorithm: ring, bytes: 1024}}}\n",
        /* messages of a rank that wait for each other, in another order than each alone: 259, bound
         * 262; 338, bound 349 */
        "network: {topology: hypercube, dimensions: 3, router_delay: [1, 1, 1, 1], "
        "virtual_channels: 4}\ntraffic: {workload: {all-reduce: {algorithm: multi-ring, rings: 3, "
        "bytes: 25}}, send_gap: 3}\n",
        "network: {topology: hypercube, dimensions: 3, router_delay: [1, 1, 1, 1], "
        "virtual_channels: 4}\ntraffic: {workload: {all-reduce: {algorithm: multi-ring, rings: 3, "
        "bytes: 25}}, send_overhead: 5}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        fc_result *result = simulate(texts[i], 1);
        const double duration = value_of(result, "duration");
        assert_true(value_of(result, "duration_bound") <= duration && duration > 0);
        assert_true(value_of(result, "efficiency") <= 1);
        fc_result_free(result);
    }
}

static fc_saturation bracket_of(const char *text, unsigned seed, double width) {
    char number[16];
    snprintf(number, sizeof number, "%u", seed);
    fc_scenario *scenario = read_at(text, "simulation.seed", number);
    const fc_saturation_settings wanted = {
        .model = "channel-load", .simulate = true, .precision = width};
    const fc_run_settings settings = {.threads = 1};
    fc_saturation *found;
    fc_error error;
    if (fc_saturate(scenario, &wanted, &settings, &error, &found) != FC_OK)
        fail_msg("%s%s", text, error.text);
    assert_true(found[1].method[0] && !found[2].method[0]);
    const fc_saturation simulated = found[1];
    assert_true(simulated.low <= simulated.high && simulated.high <= found[0].load * (1 + 1e-9));
    fc_saturation_free(found);
    fc_scenario_free(scenario);
    return simulated;
}

/* Of other seeds, and of another width: they were disjoint, and above what a link can carry. */
static void brackets_meet_and_stay_below_the_capacity(void **state) {
    (void)state;
    static const char *const texts[] = {"network: {topology: mesh, radix: [8], concentration: 2}\n"
                                        "traffic: {rate: 0.01, message_flits: 4, destinations: "
                                        "{hot-spot: {share: 0.9, node: 3}}}\n",
                                        "network: {topology: mesh, radix: [2], router_delay: 1}\n"
                                        "traffic: {rate: 0.01, message_flits: 4}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        double low = 0, high = INFINITY;
        for (unsigned seed = 1; seed <= 4; ++seed) {
            const fc_saturation one = bracket_of(texts[i], seed, seed == 4 ? 0.05 : 0.02);
            low = fmax(low, one.low);
            high = fmin(high, one.high);
        }
        if (!(low <= high))
            fail_msg("%sbrackets do not meet: %g, %g", texts[i], low, high);
    }
}

/* ---- simulations ---- */

/* source_wait was 0 +- 0 where its mean is 1.1, and covered in 189 of 400 runs. */
static void waits_that_are_rare_have_an_interval(void **state) {
    (void)state;
    enum { SEEDS = 60 };
    double value[SEEDS], half[SEEDS], mean = 0;
    unsigned covered = 0;
    for (unsigned seed = 0; seed < SEEDS; ++seed) {
        fc_result *result =
            simulate("network: {topology: torus, radix: [4, 4]}\ntraffic: {workload: {all-reduce: "
                     "{algorithm: ring, bytes: 4096}}, placement: random}\n",
                     seed + 1);
        value[seed] = value_of(result, "source_wait");
        half[seed] = width_of(result, "source_wait");
        mean += value[seed] / SEEDS;
        fc_result_free(result);
    }
    for (unsigned i = 0; i < SEEDS; ++i)
        covered += !(half[i] <= 0) && fabs(value[i] - mean) <= half[i];
    assert_true(covered >= 0.88 * SEEDS);
}

/* Runs without a packet count too: 10 +- 0 was said of a mean of about 5, and that all had two. */
static void runs_without_packets_are_in_the_mean(void **state) {
    (void)state;
    fc_result *result = simulate("network: {topology: ring, radix: [4]}\ntraffic: {workload: "
                                 "{mixture-of-experts: {tokens: 1, bytes: 32}}, ranks: 2}\n"
                                 "simulation: {replications: 200}\n",
                                 1);
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    assert_close(sum, value_of(result, "latency"), 1e-9);
    assert_true(strstr(result->note, "0 to ") != NULL);
    assert_true(value_of(result, "duration") < 6 && width_of(result, "duration") > 0.1);
    fc_result_free(result);
    result = simulate("network: {topology: ring, radix: [4]}\n"
                      "traffic: {workload: barrier, ranks: 2}\n",
                      1);
    assert_true(value_of(result, "duration") == 0);
    fc_result_free(result);
}

/* With few packets a control variate of rare waits is in proportion to the number of packets, and
 * the two together took a sixth off the throughput: 0.00159 +- 0.00012. */
static void few_packets_do_not_bend_the_throughput(void **state) {
    (void)state;
    static const double rate = 0.0019008;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        fc_result *result = simulate("network: {topology: multistage, ports: 16}\ntraffic: {rate: "
                                     "0.0019008}\nsimulation: {precision: 0.05}\n",
                                     seed);
        const double away = fabs(value_of(result, "throughput") - rate);
        if (!(away <= 0.02 * rate) || !(away <= 2 * width_of(result, "throughput")))
            fail_msg("seed %u: throughput %g +- %g", seed, value_of(result, "throughput"),
                     width_of(result, "throughput"));
        assert_close(value_of(result, "offered"), rate, 1e-6);
        fc_result_free(result);
    }
}

/* A ring that cannot carry its load, cut off before the growth of its backlog is proved, was ok
 * with 5 % less carried than offered. */
static void a_run_is_ok_only_if_it_carries_what_is_offered(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: ring, radix: [14], router_delay: 1, credit_delay: 1, order: "
        "descending}\ntraffic: {rate: 0.0153499}\nsimulation: {precision: 0.05, max_cycles: "
        "30000}\n",
        "network: {topology: ring, radix: [14], router_delay: [0, 1, 1, 0]}\n"
        "traffic: {rate: 0.0138792}\nsimulation: {precision: 0.05, max_cycles: 30000}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        for (unsigned seed = 1; seed <= 8; ++seed) {
            fc_result *result = simulate(texts[i], seed);
            const double carried = value_of(result, "throughput");
            const double offered = value_of(result, "offered");
            if (result->outcome == FC_OUTCOME_OK && !(carried > 0.98 * offered))
                fail_msg("%sseed %u: ok, carries %g of %g", texts[i], seed, carried, offered);
            fc_result_free(result);
        }
}

static double largest(const fc_result *result, const char *name, const char *column) {
    const fc_table *table = fc_result_table(result, name);
    double most = 0;
    assert_non_null(table);
    for (size_t c = 0; c < table->columns; ++c)
        for (size_t row = 0; row < table->rows; ++row)
            if (strcmp(table->column_names[c], column) == 0)
                most = fmax(most, table->values[row * table->columns + c]);
    return most;
}

/* What waited behind the crossbar for a narrow link had not crossed it: a use of 1.05 was said. */
static void no_link_is_in_use_more_than_all_of_the_time(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: slim-fly, q: 4, router_delay: [1, 1, 1, 1], link_width: 0.02969}\n"
        "traffic: {rate: 0.003463}\nsimulation: {max_cycles: 30000}\n",
        "network: {topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], link_width: "
        "0.03526}\n"
        "traffic: {rate: 0.013, message_flits: 4, destinations: transpose}\n"
        "simulation: {max_cycles: 30000}\n",
        "network: {topology: mesh, radix: [4, 4], router_delay: [1, 1, 2, 1], internal_speedup: "
        "2.3}\ntraffic: {rate: 0.2, message_flits: 5, destinations: {hot-spot: {share: 0.5, node: "
        "5}}}\nsimulation: {max_cycles: 3000}\n",
        /* work ends before its last flit has crossed a narrow link: 1.15 */
        "network: {topology: ring, radix: [14], router_delay: 1, link_width: 0.06571}\n"
        "traffic: {workload: {halo-exchange: {bytes: 145}}, packet_flits: 29, ranks: 2}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        fc_result *result = simulate(texts[i], 1);
        const double links = largest(result, "channels", "utilisation");
        const double nodes = largest(result, "nodes", "ejection");
        if (!(links <= 1 + 1e-9 && nodes <= 1 + 1e-9 && fmax(links, nodes) > 0.9))
            fail_msg("%slinks %.9g, nodes %.9g", texts[i], links, nodes);
        fc_result_free(result);
    }
}

/* ---- time ---- */

/* 4,608 and 9,216 nodes on 18 and 9 routers: nodes alike are one. They took minutes. */
static void nodes_alike_are_one(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: slim-fly, q: 3, concentration: 256}\ntraffic: {rate: 0.0005}\n",
        "network: {topology: hyperx, shape: [3, 3], concentration: 1024}\n"
        "traffic: {rate: 0.0001}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        fc_result *result = predict(texts[i]);
        assert_true(result->run.cpu_seconds < 5);
        fc_result_free(result);
    }
}

/* A run ends soon after the work it may do, and says what it reached: with any number of threads
 * the same digits. */
static void work_is_limited(void **state) {
    (void)state;
    fc_scenario *scenario =
        read_at("network: {topology: mesh, radix: [4, 4], router_delay: [1, 1, 1, 1], "
                "virtual_channels: 2}\ntraffic: {rate: 0.05, message_flits: 5}\n",
                "simulation.precision", "0.0005");
    fc_result *result[2];
    fc_error error;
    for (unsigned i = 0; i < 2; ++i) {
        const fc_run_settings settings = {.threads = 1 + 2 * i, .work_most = 2e6};
        assert_int_equal(fc_simulate(scenario, &settings, &error, &result[i]), FC_OK);
        assert_true(result[i]->run.events > 1e6 && result[i]->run.events < 6e6);
        assert_true(strstr(result[i]->note, "the work allowed") != NULL);
    }
    assert_true(value_of(result[0], "latency") == value_of(result[1], "latency"));
    fc_result_free(result[0]);
    fc_result_free(result[1]);
    fc_scenario_free(scenario);
}

/* Small packets that follow each other in the buffer of a channel: 516 was said of the first, five
 * cycles a packet. A header is routed when the packet before it has left: with one flit three
 * cycles, with n flits n + 2; where a buffer holds no more than the packet, its first place comes
 * back two cycles later than that of other flits. */
static void packets_follow_each_other_in_a_buffer(void **state) {
    (void)state;
    static const struct {
        unsigned flits, buffer;
        double duration;
    } cases[] = {{1, 8, 314}, {2, 8, 212}, {4, 8, 158}, {8, 8, 134},
                 {1, 1, 718}, {4, 4, 182}, {8, 4, 170}, {16, 4, 152}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "network: {topology: mesh, radix: [2], router_delay: [1, 1, 1, 1], buffer: %u}\n"
                 "traffic: {workload: {broadcast: {root: 0, bytes: 1600}}, packet_flits: %u, "
                 "flit_bytes: 16}\n",
                 cases[i].buffer, cases[i].flits);
        fc_result *simulated = simulate(text, 1), *predicted = predict(text);
        assert_true(value_of(simulated, "duration") == cases[i].duration);
        assert_true(value_of(predicted, "duration") == cases[i].duration);
        fc_result_free(simulated);
        fc_result_free(predicted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forecasts_hold_or_say_that_they_may_not),
        cmocka_unit_test(a_flow_alone_is_not_carried_beyond_its_channel),
        cmocka_unit_test(percentiles_of_a_mix_do_not_explode),
        cmocka_unit_test(durations_stay_above_their_bounds),
        cmocka_unit_test(brackets_meet_and_stay_below_the_capacity),
        cmocka_unit_test(waits_that_are_rare_have_an_interval),
        cmocka_unit_test(runs_without_packets_are_in_the_mean),
        cmocka_unit_test(few_packets_do_not_bend_the_throughput),
        cmocka_unit_test(a_run_is_ok_only_if_it_carries_what_is_offered),
        cmocka_unit_test(no_link_is_in_use_more_than_all_of_the_time),
        cmocka_unit_test(packets_follow_each_other_in_a_buffer),
        cmocka_unit_test(nodes_alike_are_one),
        cmocka_unit_test(work_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
