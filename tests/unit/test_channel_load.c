/* The bound for networks of routers: latency of messages alone and the load of links, against what
 * is known in closed form, and input that leaves nothing to compute. */
#include "test_support.h"

#include <string.h>
#include "flitcast/flitcast.h"

static const char mesh_text[] =
    "network: {topology: mesh, radix: [8, 8], virtual_channels: 4, buffer: 8, "
    "router_delay: [1, 1, 1, 1]}\n"
    "traffic: {rate: 0.01, message_flits: 8}\n";

static fc_scenario *with(const char *text, const fc_setting *settings, size_t count) {
    fc_scenario *scenario;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", settings, count, &error,
                              &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static fc_result *bound_of(const char *text, const fc_setting *settings, size_t count) {
    fc_scenario *scenario = with(text, settings, count);
    fc_result *result;
    fc_error error = {{0}};
    if (fc_predict(scenario, "channel-load", &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static double saturation_of(const char *text, const fc_setting *settings, size_t count) {
    fc_scenario *scenario = with(text, settings, count);
    const fc_saturation_settings wanted = {.model = "channel-load"};
    fc_saturation *found;
    fc_error error = {{0}};
    if (fc_saturate(scenario, &wanted, NULL, &error, &found) != FC_OK)
        fail_msg("%s", error.text);
    const double load = found[0].load;
    fc_saturation_free(found);
    fc_scenario_free(scenario);
    return load;
}

/* The middle links of a k x k mesh carry k/4 of a node's traffic, times N/(N-1) since no node sends
 * to itself; ties of a torus halve that twice. Only ejection bounds a fly. */
static void capacities_in_closed_form(void **state) {
    (void)state;
    const double others = 64.0 / 63;
    assert_close(saturation_of(mesh_text, NULL, 0), 1 / (8 * 2 * others), 1e-12);
    const fc_setting torus[] = {{"network.topology", "torus"}};
    assert_close(saturation_of(mesh_text, torus, 1), 1 / (8 * 1 * others), 1e-12);
    const fc_setting transpose[] = {{"traffic.destinations", "transpose"}};
    assert_close(saturation_of(mesh_text, transpose, 1), 1 / (8.0 * 7), 1e-12);
    const fc_setting o1turn[] = {{"traffic.destinations", "transpose"},
                                 {"network.routing", "o1turn"}};
    assert_close(saturation_of(mesh_text, o1turn, 2), 2 / (8.0 * 7), 1e-12);
    const fc_setting hot[] = {{"traffic.destinations", "{hot-spots: [{node: [0, 0], weight: 1}]}"}};
    assert_close(saturation_of(mesh_text, hot, 1), 1 / (8.0 * 63), 1e-12);
}

/* Of the messages of bit-complement, 4 for each node's rate cross every link in the middle, however
 * headers choose; an even choice would load some links more. */
static void no_choice_of_headers_carries_more(void **state) {
    (void)state;
    const fc_setting adaptive[] = {{"traffic.destinations", "bit-complement"},
                                   {"network.routing", "adaptive"}};
    const double load = saturation_of(mesh_text, adaptive, 2), best = 1 / (8.0 * 4);
    assert_true(load >= best && load < 1.01 * best);
}

/* Half of the nodes send to the other half over the 8 links in the middle; the mean over all links
 * would allow a third more. */
static void the_middle_bounds_uniform_traffic(void **state) {
    (void)state;
    const fc_setting adaptive = {"network.routing", "adaptive"};
    const double load = saturation_of(mesh_text, &adaptive, 1), best = 1 / (8.0 * 4 * 32 / 63);
    assert_true(load >= best && load < 1.01 * best);
}

static void messages_alone_take_what_they_must(void **state) {
    (void)state;
    const fc_setting tight[] = {{"network.buffer", "2"}};
    fc_result *plain = bound_of(mesh_text, NULL, 0), *stalled = bound_of(mesh_text, tight, 1);
    /* 5.33 hops of 5 cycles, 4 + 1 for the last router, 8 flits */
    assert_close(fc_result_metric(plain, "latency")->value, 16 / 3.0 * 5 + 4 + 8, 1e-12);
    assert_close(fc_result_metric(plain, "hops")->value, 16 / 3.0, 1e-12);
    /* The loop of a link takes 5 cycles for 2 flits: three rounds more. */
    assert_close(fc_result_metric(stalled, "latency")->value, 16 / 3.0 * 5 + 4 + 8 + 9, 1e-12);
    double parts = 0;
    for (size_t i = 0; i < stalled->part_count; ++i)
        parts += stalled->parts[i].value;
    assert_close(parts, fc_result_metric(stalled, "latency")->value, 1e-12);
    fc_result_free(plain);
    fc_result_free(stalled);
}

static void loads_add_up(void **state) {
    (void)state;
    fc_result *result = bound_of(mesh_text, NULL, 0);
    const fc_table *channels = fc_result_table(result, "channels");
    const fc_table *nodes = fc_result_table(result, "nodes");
    double crossed = 0;
    assert_int_equal(channels->rows, 2 * 2 * 8 * 7);
    for (size_t i = 0; i < channels->rows; ++i)
        crossed += channels->values[i * channels->columns];
    assert_close(crossed, 64 * 0.01 * 8 * 16 / 3.0, 1e-12);
    for (size_t i = 0; i < nodes->rows; ++i) {
        assert_close(nodes->values[i * nodes->columns], 0.08, 1e-12);
        assert_close(nodes->values[i * nodes->columns + 1], 0.08, 1e-12);
    }
    fc_result_free(result);
}

static void too_much_is_an_answer(void **state) {
    (void)state;
    const fc_setting overloaded[] = {{"traffic.rate", "0.5"}};
    fc_result *result = bound_of(mesh_text, overloaded, 1);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    assert_non_null(strstr(result->note, "link from router 3 to router 4"));
    assert_close(fc_result_metric(result, "throughput")->value, 1 / (16 * 64.0 / 63), 1e-12);
    assert_null(fc_result_metric(result, "latency"));
    fc_result_free(result);
}

static void requests_and_replies_both_count(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, router_delay: 1}\n"
        "traffic: {rate: 0.01, requests: [{share: 1, flits: 1, reply_flits: 5}]}\n";
    fc_result *result = bound_of(text, NULL, 0);
    const fc_table *nodes = fc_result_table(result, "nodes");
    for (size_t i = 0; i < nodes->rows; ++i)
        assert_close(nodes->values[i * nodes->columns], 0.06, 1e-12);
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacities_in_closed_form),
        cmocka_unit_test(no_choice_of_headers_carries_more),
        cmocka_unit_test(the_middle_bounds_uniform_traffic),
        cmocka_unit_test(messages_alone_take_what_they_must),
        cmocka_unit_test(loads_add_up),
        cmocka_unit_test(too_much_is_an_answer),
        cmocka_unit_test(requests_and_replies_both_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
