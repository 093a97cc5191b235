/* What the scouting simulator must do exactly: times without load, faults, reproducible runs. */
#include "test_support.h"

#include "scouting_support.h"
#include <string.h>
#include "simulators/driver.h"

/* Cycles of the only message in the network over a path of d links. */
static double alone(int d, int flits, int distance) {
    const int lead = distance > 1 ? distance : 1;
    return d >= lead ? d + flits + 2 * lead - 1 : 3 * d + 1 + flits;
}

/* A permutation fixes the distance: tornado moves every digit ceil(k/2)-1 places. */
static double simulated_alone(int d, int flits, int distance, int dimensions) {
    fc_integer_list radix = {.count = (size_t)dimensions};
    for (int i = 0; i < dimensions; ++i)
        radix.values[i] = i == 0 ? 2 * d + 1 : 2; /* dimension 0: d hops; the others: none */
    fc_torus torus = make_scouting(radix, 2, flits, distance, 1e-7);
    torus.destinations.pattern = FC_TORNADO;
    const fc_scenario scenario = torus_scenario(&torus);
    scouting_sample taken = {0};
    fc_sample sample = scouting_sample_of(&taken);
    fc_error error;
    void *common, *state;
    assert_int_equal(fc_simulator_scouting.prepare(&scenario, &error, &common), FC_OK);
    assert_int_equal(fc_simulator_scouting.create(&scenario, common, 7, 0, &error, &state), FC_OK);
    assert_int_equal(fc_simulator_scouting.advance(state, 100000000, &sample, &error), FC_OK);
    fc_simulator_scouting.release(state);
    fc_simulator_scouting.discard(common);
    assert_true(taken.weights[FC_METRIC_LATENCY] > 3);
    assert_true(taken.sums[FC_METRIC_SOURCE_WAIT] == 0);
    return taken.sums[FC_METRIC_LATENCY] / taken.weights[FC_METRIC_LATENCY];
}

static void time_without_load_is_exact_at_every_distance(void **state) {
    (void)state;
    for (int distance = 0; distance <= 8; ++distance)
        for (int d = 1; d <= 10; ++d)
            for (int flits = 1; flits <= 33; flits += 16)
                for (int dimensions = 1; dimensions <= 3; ++dimensions)
                    assert_true(simulated_alone(d, flits, distance, dimensions) ==
                                alone(d, flits, distance));
}

static fc_result *simulate(fc_torus *torus, double precision) {
    fc_scenario scenario = torus_scenario(torus);
    scenario.simulation =
        (fc_simulation_settings){.precision = precision, .max_cycles = 3e6, .seed = 3};
    scenario.simulation.replications = 2;
    fc_error error;
    const fc_run_settings settings = {.threads = 1};
    fc_result *result = fc_result_create(&fc_simulator_scouting.info, &scenario);
    assert_non_null(result);
    const fc_status status =
        fc_driver_run(&fc_simulator_scouting, &scenario, &settings, &error, result);
    if (status != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

static double metric(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    assert_non_null(found);
    return found->value;
}

static double column_mean(const fc_table *table, size_t column) {
    double sum = 0;
    for (size_t row = 0; row < table->rows; ++row)
        sum += table->values[row * table->columns + column];
    return sum / (double)table->rows;
}

static void throughput_is_what_is_offered(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 3, 8, 2, 0.02);
    fc_result *result = simulate(&torus, 0.02);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_close(metric(result, "throughput"), 0.02, 0.05);
    assert_close(metric(result, "latency"),
                 metric(result, "network_latency") + metric(result, "source_wait"), 1e-9);
    assert_null(fc_result_metric(result, "unreachable"));
    /* M flits and a header cross each of the 32/15 links of a mean path */
    const fc_table *channels = fc_result_table(result, "channels");
    const fc_table *nodes = fc_result_table(result, "nodes");
    assert_non_null(channels);
    assert_non_null(nodes);
    assert_int_equal(channels->rows, 16 * 4);
    assert_string_equal(channels->row_labels[5], "(1, 0) +0");
    assert_close(column_mean(channels, 0), 0.02 * 9 * (32.0 / 15) / 4, 0.06);
    assert_close(column_mean(nodes, 0), 0.02 * 8, 0.06);
    assert_close(column_mean(nodes, 1), 0.02 * 8, 0.06);
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    assert_close(sum, metric(result, "latency"), 1e-6);
    fc_result_free(result);
}

/* The rate is that of the nodes that send: the four on the diagonal have nobody to send to. */
static void nodes_that_do_not_send_do_not_count(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 3, 8, 2, 0.02);
    torus.destinations.pattern = FC_TRANSPOSE;
    fc_result *result = simulate(&torus, 0.02);
    assert_close(metric(result, "offered"), 0.02, 0.05);
    assert_close(metric(result, "throughput"), 0.02, 0.05);
    fc_result_free(result);
}

static void overload_is_an_outcome(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 1, 8, 0, 0.2);
    fc_result *result = simulate(&torus, 0.02);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    assert_true(metric(result, "throughput") < 0.12);
    fc_result_free(result);
}

/* Breaks the only minimal path of some pairs of a ring: node 0 cannot send upwards. */
static void unreachable_destinations_are_reported(void **state) {
    (void)state;
    fc_fault fault = {.node = 0, .dimension = 0, .direction = 1};
    fc_torus torus = make_scouting((fc_integer_list){1, {5}}, 2, 4, 3, 0.01);
    torus.faults = (fc_faults){.count = 1, .list = &fault};
    fc_result *result = simulate(&torus, 0.02);
    /* the channel is on the path from 0 to 1, 2 and from 4 to 1: 3 of 20 pairs */
    assert_near(metric(result, "unreachable"), 0.15, 0.02);
    assert_non_null(strstr(result->note, "15 %"));
    assert_close(metric(result, "throughput"), 0.01 * 0.85, 0.1);
    fc_result_free(result);
}

/* A failed node of a ring of five: its 8 pairs, and the 2 whose shortest path leads through it. */
static void a_failed_node_cuts_its_paths(void **state) {
    (void)state;
    fc_integer_list node = {1, {2}};
    fc_torus torus = make_scouting((fc_integer_list){1, {5}}, 2, 4, 3, 0.01);
    torus.faults = (fc_faults){.router_count = 1, .routers = &node};
    fc_result *result = simulate(&torus, 0.02);
    assert_near(metric(result, "unreachable"), 0.5, 0.02);
    fc_result_free(result);
}

/* On an even ring a half-way destination is still reached the other way round. */
static void a_half_way_destination_uses_the_whole_way(void **state) {
    (void)state;
    fc_fault fault = {.node = 0, .dimension = 0, .direction = 1};
    fc_torus torus = make_scouting((fc_integer_list){1, {4}}, 2, 4, 3, 0.01);
    torus.faults = (fc_faults){.count = 1, .list = &fault};
    fc_result *result = simulate(&torus, 0.02);
    /* lost: 0 to 1; kept: 0 to 2 and 3 to 1, one way round: 1 of 12 pairs */
    assert_near(metric(result, "unreachable"), 1.0 / 12, 0.015);
    fc_result_free(result);
}

/* With two dimensions to go a fault is walked around; every message arrives. */
static void headers_step_back_from_faults(void **state) {
    (void)state;
    for (int distance = 0; distance <= 6; distance += 2) {
        /* node (1,0) of an 8 x 8 torus can only send downwards in dimension 0 */
        fc_fault faults[] = {{.node = 1, .dimension = 0, .direction = 1},
                             {.node = 1, .dimension = 1, .direction = 1},
                             {.node = 1, .dimension = 1, .direction = -1}};
        fc_torus torus = make_scouting((fc_integer_list){2, {8, 8}}, 2, 16, distance, 0.002);
        torus.faults = (fc_faults){.count = 3, .list = faults};
        fc_result *result = simulate(&torus, 0.02);
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        const double lost = metric(result, "unreachable");
        assert_true(lost > 0.005 && lost < 0.05);
        assert_true(metric(result, distance == 0 ? "restarts" : "backtracks") > 0.01);
        assert_close(metric(result, "throughput"), 0.002 * (1 - lost), 0.05);
        fc_result_free(result);
    }
}

static void results_repeat(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 2, 8, 3, 0.03);
    fc_result *one = simulate(&torus, 0.05), *two = simulate(&torus, 0.05);
    assert_true(metric(one, "latency") == metric(two, "latency"));
    fc_result_free(one);
    fc_result_free(two);
}

static void what_is_not_scouting_is_refused(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 2, 8, 3, 0.03);
    const fc_scenario scenario = torus_scenario(&torus);
    fc_error error;
    assert_int_equal(fc_simulator_scouting.covers(&scenario, &error), FC_OK);
    torus.buffer = 2;
    assert_int_equal(fc_simulator_scouting.covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
    torus.buffer = 1;
    torus.kind = FC_CLOSED;
    assert_int_equal(fc_simulator_scouting.covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
    torus.kind = FC_OPEN;
    torus.switching = FC_WORMHOLE;
    assert_int_equal(fc_simulator_scouting.covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_without_load_is_exact_at_every_distance),
        cmocka_unit_test(throughput_is_what_is_offered),
        cmocka_unit_test(nodes_that_do_not_send_do_not_count),
        cmocka_unit_test(overload_is_an_outcome),
        cmocka_unit_test(unreachable_destinations_are_reported),
        cmocka_unit_test(a_half_way_destination_uses_the_whole_way),
        cmocka_unit_test(a_failed_node_cuts_its_paths),
        cmocka_unit_test(headers_step_back_from_faults),
        cmocka_unit_test(results_repeat),
        cmocka_unit_test(what_is_not_scouting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
