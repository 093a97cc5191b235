/* The graph networks that calibrate router-queueing. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "models/router/router_forecast.h"
#include "models/router/router_learned_merge.h"
#include "models/router/router_weights.h"

static fc_scenario *scenario_of(const char *network, const char *traffic) {
    char text[512];
    fc_error error;
    fc_scenario *scenario;
    const int length =
        snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s, rate: 0.01}\n", network, traffic);
    if (fc_scenario_read_text(text, (size_t)length, "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static const struct {
    const char *network, *traffic;
    double rate;
    uint32_t lanes;
    double excess, margin, tail; /* by the program that fits it (fit_routers.py), in Python */
} cases[] = {
    {"topology: mesh, radix: [8, 8], virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, 1]",
     "message_flits: 5", 0.07, 352, 12.35128, -0.2524163, 39.6356},
    {"topology: torus, radix: [5, 4], channel_rule: dateline, virtual_channels: 4, buffer: 3, "
     "router_delay: 2, link_delay: 2",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 9, share: 0.5}], "
     "destinations: {hot-spot: {share: 0.04, node: 7}}",
     0.04, 138, 1.65658, -1.121171, 13.91913},
    {"topology: fat-tree, arity: 4, levels: 2, routing: adaptive, virtual_channels: 2, buffer: 4, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 8, destinations: bit-reverse", 0.03, 56, 2.75977, -1.162979, 16.12753},
    {"topology: ring, radix: [8], channel_rule: dateline, virtual_channels: 4, buffer: 4, "
     "router_delay: 1",
     "message_flits: 4, injection: {on-off: {on: 40, off: 120}}", 0.0546875, 38, 10.0319,
     -0.7809629, 42.61431},
};
enum { CASES = sizeof cases / sizeof *cases };

static fc_learned_inputs inputs_for(const char *network, const char *traffic) {
    fc_scenario *scenario = scenario_of(network, traffic);
    fc_router_prepared p;
    fc_learned_inputs inputs;
    fc_error error;
    bool known;
    assert_int_equal(fc_router_prepare(scenario, &error, &p), FC_OK);
    assert_int_equal(fc_learned_inputs_create(&p, &error, &known, &inputs), FC_OK);
    assert_true(known);
    fc_router_prepared_release(&p);
    fc_scenario_free(scenario);
    return inputs;
}

static fc_learned_inputs inputs_of(size_t i) {
    return inputs_for(cases[i].network, cases[i].traffic);
}

static fc_learned_answer evaluate(const fc_learned_inputs *inputs, double rate) {
    fc_router_graph_learned *graph;
    fc_error error;
    assert_int_equal(fc_router_graph_learned_create(inputs, &error, &graph), FC_OK);
    const fc_learned_answer answer = fc_router_graph_learned_evaluate(graph, rate);
    fc_router_graph_learned_free(graph);
    return answer;
}

static void it_says_what_was_fitted(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i) {
        fc_learned_inputs inputs = inputs_of(i);
        assert_int_equal(inputs.lane_count, cases[i].lanes);
        assert_true(fc_learned_lanes_are_near(&inputs));
        const fc_learned_answer answer = evaluate(&inputs, cases[i].rate);
        assert_close(answer.excess, cases[i].excess, 2e-4);
        assert_close(answer.margin, cases[i].margin, 2e-4);
        assert_close(answer.tail, cases[i].tail, 2e-4);
        fc_learned_inputs_release(&inputs);
    }
}

static uint32_t classes_of(const fc_learned_inputs *inputs) {
    fc_merged_graph merged;
    fc_error error;
    assert_int_equal(fc_learned_merge(inputs, FC_LEARNED_ROUNDS, &error, &merged), FC_OK);
    const uint32_t count = merged.lane_count;
    fc_merged_graph_release(&merged);
    return count;
}

/* Lanes that differ in a number that hardly matters are not merged: the answer is the same. */
static void lanes_that_are_alike_are_evaluated_once(void **state) {
    (void)state;
    fc_learned_inputs inputs = inputs_of(0);
    const uint32_t merged = classes_of(&inputs);
    assert_in_range(merged, 10, inputs.lane_count / 3);
    const fc_learned_answer together = evaluate(&inputs, cases[0].rate);
    for (uint32_t l = 0; l < inputs.lane_count; ++l)
        inputs.lanes[l].solved[0] += 2e-3F * (float)l / (float)inputs.lane_count;
    assert_in_range(classes_of(&inputs), 2 * merged, inputs.lane_count);
    const fc_learned_answer apart = evaluate(&inputs, cases[0].rate);
    assert_close(apart.excess, together.excess, 3e-3);
    assert_close(apart.tail, together.tail, 3e-3);
    assert_close(apart.margin, together.margin, 3e-3);
    fc_learned_inputs_release(&inputs);
}

static void a_hypercube_has_a_class_for_each_dimension(void **state) {
    (void)state;
    fc_learned_inputs inputs =
        inputs_for("topology: hypercube, dimensions: 5, virtual_channels: 2, "
                   "buffer: 4, router_delay: 1",
                   "message_flits: 4");
    assert_int_equal(inputs.lane_count, 32 * (5 + 2));
    assert_int_equal(classes_of(&inputs), 5 + 2);
    fc_learned_inputs_release(&inputs);
}

static void without_load_nothing_waits(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i) {
        fc_learned_inputs inputs = inputs_of(i);
        const double light = evaluate(&inputs, 1e-9).excess,
                     lighter = evaluate(&inputs, 1e-12).excess;
        assert_true(light > 0 && light < 1e-5 * inputs.empty);
        assert_close(light / lighter, 1000, 1e-3);
        fc_learned_inputs_release(&inputs);
    }
}

/* Exact in two limits: single flits come at most one a cycle and never wait, and without load the
 * wait of longer messages is in proportion to the rate. */
static void bursts_wait_at_their_source(void **state) {
    (void)state;
    static const fc_injection short_silences = {FC_ON_OFF, 20, 1}, usual = {FC_ON_OFF, 100, 400};
    for (double rate = 0.1; rate > 1e-9; rate /= 10) {
        assert_true(fc_router_burst_wait(rate, &short_silences, 1) == 0);
        assert_true(fc_router_burst_wait(rate, &usual, 1) == 0);
    }
    const double light = fc_router_burst_wait(1e-5, &usual, 5);
    assert_true(light > 0);
    assert_close(light / fc_router_burst_wait(1e-7, &usual, 5), 100, 1e-3);
    assert_true(isinf(fc_router_burst_wait(0.2, &usual, 5)));
}

static void far_from_what_was_fitted_nothing_is_known(void **state) {
    (void)state;
    static const char *const far[][2] = {
        {"topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 200, router_delay: 1",
         "message_flits: 5"},
        {"topology: mesh, radix: [20, 20], virtual_channels: 4, buffer: 8, router_delay: 1",
         "message_flits: 5"},
        {"topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8, router_delay: 1",
         "outstanding: 2, requests: [{share: 1, flits: 2, reply_flits: 6, memory_reply: 10}]"},
    };
    for (size_t i = 0; i < sizeof far / sizeof *far; ++i) {
        fc_scenario *scenario = scenario_of(far[i][0], far[i][1]);
        fc_router_prepared p;
        fc_forecast forecast;
        fc_error error;
        double load;
        assert_int_equal(fc_router_prepare(scenario, &error, &p), FC_OK);
        assert_int_equal(fc_router_forecast(&p, 0.01, &error, &forecast), FC_OK);
        assert_false(forecast.known);
        assert_int_equal(fc_router_forecast_saturation(&p, &error, &load), FC_OK);
        assert_true(isnan(load));
        fc_router_prepared_release(&p);
        fc_scenario_free(scenario);
    }
}

/* The saturation load is that of a margin of zero, and at most what the busiest link carries. */
static void the_saturation_load_has_no_margin_left(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i) {
        fc_scenario *scenario = scenario_of(cases[i].network, cases[i].traffic);
        fc_learned_inputs inputs = inputs_of(i);
        fc_router_prepared p;
        fc_error error;
        double load;
        assert_int_equal(fc_router_prepare(scenario, &error, &p), FC_OK);
        assert_int_equal(fc_router_forecast_saturation(&p, &error, &load), FC_OK);
        assert_true(load > 0 && load <= inputs.capacity);
        if (load < inputs.capacity)
            assert_near(evaluate(&inputs, load).margin, 0, 0.01);
        fc_learned_inputs_release(&inputs);
        fc_router_prepared_release(&p);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_was_fitted),
        cmocka_unit_test(lanes_that_are_alike_are_evaluated_once),
        cmocka_unit_test(a_hypercube_has_a_class_for_each_dimension),
        cmocka_unit_test(without_load_nothing_waits),
        cmocka_unit_test(bursts_wait_at_their_source),
        cmocka_unit_test(far_from_what_was_fitted_nothing_is_known),
        cmocka_unit_test(the_saturation_load_has_no_margin_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
