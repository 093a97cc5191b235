/* The model of Mohapatra and Das: numbers of independent evaluations, identities and limits. */
#include "test_support.h"
#include <string.h>
#include "queueing/finite_queue.h"
#include "scenario/scenario.h"

static fc_result *predict(const fc_setting *settings, size_t count) {
    static const char text[] = "network: {topology: multistage, ports: 64, buffer: 8}\n"
                               "traffic: {rate: 0.9}\n";
    fc_error error;
    fc_scenario *scenario;
    fc_result *result = NULL;
    if (fc_scenario_read_text(text, strlen(text), "t", settings, count, &error, &scenario) !=
            FC_OK ||
        fc_predict(scenario, "mohapatra-das", &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static double value(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    assert_non_null(metric);
    return metric->value;
}

static double predict_one(const fc_setting *settings, size_t count, const char *name) {
    fc_result *result = predict(settings, count);
    const double found = value(result, name);
    fc_result_free(result);
    return found;
}

static void published_readings(void **state) {
    (void)state;
    assert_near(predict_one(NULL, 0, "throughput"), 0.834, 0.0005);
    const fc_setting heavy[] = {{"network.buffer", "4"}, {"traffic.rate", "1"}};
    assert_near(predict_one(heavy, 2, "throughput"), 0.756, 0.0005);
    const fc_setting hot[] = {{"traffic.rate", "0.1"},
                              {"traffic.destinations", "{hot-spot: {share: 0.16, node: 3}}"}};
    assert_near(predict_one(hot, 2, "latency_hot"), 7.33, 0.005);
    const fc_setting overloaded[] = {
        {"traffic.rate", "0.4"}, {"traffic.destinations", "{hot-spot: {share: 0.16, node: 9}}"}};
    assert_near(predict_one(overloaded, 2, "latency_hot"), 17.8, 0.05);
}

static void outstanding_requests_are_a_fixed_point(void **state) {
    (void)state;
    static const struct {
        const char *limit;
        double throughput;
    } cases[] = {{"1", 0.132}, {"8", 0.641}};
    for (size_t i = 0; i < 2; ++i) {
        const fc_setting settings[] = {{"network.buffer", "16"},
                                       {"traffic.outstanding", cases[i].limit}};
        fc_result *result = predict(settings, 2);
        assert_near(value(result, "throughput"), cases[i].throughput, 0.0005);
        const double offered = value(result, "offered"), latency = value(result, "latency");
        const double m = i == 0 ? 1.0 : 8.0;
        assert_close(offered, fmin(0.9, m * 0.9 / (1.0 + 0.9 * latency)), 1e-9);
        fc_result_free(result);
    }
    /* A limit that never binds changes nothing. */
    const fc_setting loose[] = {{"traffic.outstanding", "100000"}};
    assert_close(predict_one(loose, 1, "latency"), predict_one(NULL, 0, "latency"), 1e-14);
}

static void one_stage_is_the_queue(void **state) {
    (void)state;
    static const char *const rates[] = {"0.3", "1", "1.4"};
    fc_md1k_room *room = fc_md1k_room_create(8);
    assert_non_null(room);
    for (size_t i = 0; i < 3; ++i) {
        const double rate = i == 0 ? 0.3 : i == 1 ? 1.0 : 1.4;
        const fc_setting settings[] = {{"network.switch", "64"}, {"traffic.rate", rates[i]}};
        fc_result *result = predict(settings, 2);
        fc_md1k queue;
        fc_md1k_solve(room, rate, 8, &queue, NULL);
        assert_close(value(result, "latency"), queue.mean / rate, 1e-13);
        assert_close(value(result, "throughput"), rate / (queue.empty + rate), 1e-13);
        fc_result_free(result);
    }
    fc_md1k_room_free(room);
}

static void only_load_and_scale_matter(void **state) {
    (void)state;
    const fc_setting slow[] = {{"network.service", "2"}, {"traffic.rate", "0.3"}};
    const fc_setting fast[] = {{"traffic.rate", "0.6"}};
    assert_close(predict_one(slow, 2, "latency"), 2.0 * predict_one(fast, 1, "latency"), 1e-13);
    const fc_setting light[] = {{"traffic.rate", "1e-9"}};
    assert_close(predict_one(light, 1, "latency"), 6.0, 1e-8);
}

static void infinite_buffers(void **state) {
    (void)state;
    const fc_setting half[] = {{"network.buffer", "infinite"}, {"traffic.rate", "0.5"}};
    assert_close(predict_one(half, 2, "latency"), 6.0 * (1.0 + 0.5), 1e-13);
    const fc_setting full[] = {{"network.buffer", "infinite"}, {"traffic.rate", "1"}};
    fc_result *result = predict(full, 2);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    assert_close(value(result, "throughput"), 1.0, 1e-13);
    fc_result_free(result);
    const fc_setting hot[] = {{"network.buffer", "infinite"},
                              {"traffic.destinations", "{hot-spot: {share: 0.16, node: 3}}"},
                              {"traffic.rate", "0.167"}};
    result = predict(hot, 3); /* capacity 1 / (0.84 + 0.16 * 32) = 0.16779 */
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    fc_result_free(result);
    const fc_setting beyond[] = {hot[0], hot[1], {"traffic.rate", "0.168"}};
    result = predict(beyond, 3);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    /* The two last tree buffers deliver 1 each; nothing else is lost. */
    assert_close(value(result, "throughput"),
                 0.168 - 2.0 * (0.168 * (0.84 + 0.16 * 32.0) - 1.0) / 64.0, 1e-12);
    fc_result_free(result);
    const fc_setting limited[] = {hot[0], hot[1], {"traffic.outstanding", "2"}};
    assert_true(predict_one(limited, 3, "throughput") < 0.168);
}

static void a_hot_share_of_zero_is_uniform(void **state) {
    (void)state;
    const fc_setting none[] = {{"traffic.destinations", "{hot-spot: {share: 1e-12, node: 3}}"}};
    assert_close(predict_one(none, 1, "latency"), predict_one(NULL, 0, "latency"), 1e-9);
    assert_close(predict_one(none, 1, "throughput"), predict_one(NULL, 0, "throughput"), 1e-9);
    /* The largest network: rates of the tree far above what can be served. */
    const fc_setting large[] = {{"network.ports", "1048576"},
                                {"traffic.destinations", "{hot-spot: {share: 0.5, node: 3}}"}};
    fc_result *result = predict(large, 2);
    const fc_table *groups = fc_result_table(result, "groups");
    assert_non_null(groups);
    assert_int_equal(groups->rows, 21);
    double memories = 0.0, cold = 0.0;
    for (size_t g = 0; g < 21; ++g) {
        memories += groups->values[2 * g];
        cold += groups->values[2 * g] * groups->values[2 * g + 1];
    }
    assert_true(memories == 1048576.0);
    assert_close(value(result, "latency_cold"), cold / memories, 1e-12);
    assert_close(value(result, "latency_hot"), groups->values[1], 1e-15);
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_readings),
        cmocka_unit_test(outstanding_requests_are_a_fixed_point),
        cmocka_unit_test(one_stage_is_the_queue),
        cmocka_unit_test(only_load_and_scale_matter),
        cmocka_unit_test(infinite_buffers),
        cmocka_unit_test(a_hot_share_of_zero_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
