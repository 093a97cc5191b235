/* Explanations of rings, whose elasticities are known in closed form at the ends of the load range,
 * and of every other family. */
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include "flitcast/flitcast.h"
#include "scenario/scenario_numbers.h"
#include "test_support.h"

static fc_scenario *scenario_of(const char *text) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static fc_explanation *explain(const char *text, const fc_explain_settings *settings) {
    fc_error error;
    fc_explanation *explanation;
    fc_scenario *scenario = scenario_of(text);
    if (fc_explain(scenario, settings, NULL, &error, &explanation) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return explanation;
}

static const fc_lever *lever_of(const fc_explanation *explanation, const char *key) {
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        if (strcmp(explanation->levers[i].key, key) == 0)
            return &explanation->levers[i];
    }
    fail_msg("no lever %s", key);
    return NULL;
}

#define RINGS "network: {topology: ring-hierarchy, rings: [16, 32]}\n"

static void test_numbers(void **state) {
    (void)state;
    fc_scenario *scenario =
        scenario_of("network: {topology: multistage, ports: 64, switch: 2, buffer: infinite}\n"
                    "traffic: {rate: 0.5, destinations: {hot-spot: {share: 0.01, node: 3}}}\n");
    fc_scenario_value list[32];
    const size_t count = fc_scenario_numbers(scenario, list, 32);
    bool share = false;
    assert_true(count >= 4 && count <= 32);
    for (size_t i = 0; i < count; ++i) {
        assert_string_not_equal(list[i].key, "network.buffer"); /* infinite */
        assert_null(strstr(list[i].key, ".node"));              /* a place, not a quantity */
        assert_null(strstr(list[i].key, "simulation"));
        if (strcmp(list[i].key, "network.ports") == 0)
            assert_true(list[i].whole && list[i].value == 64);
        if (strcmp(list[i].key, "traffic.destinations.hot-spot.share") == 0) {
            share = true;
            assert_true(!list[i].whole && list[i].value == 0.01);
        }
        double again;
        assert_int_equal(fc_scenario_number(scenario, list[i].key, NULL, &again), FC_OK);
        assert_true(again == list[i].value);
    }
    assert_true(share);
    assert_int_equal(fc_scenario_numbers(scenario, NULL, 0), count);
    fc_scenario_free(scenario);
}

/* What the tables of keys say of nested numbers is what their readers take: the reader of a whole
 * number refuses a half. */
static void test_whole_numbers(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: mesh, radix: [4, 4], router_delay: [1, 1, 0, 1]}\n"
        "traffic: {rate: 0.01, message_mix: [{flits: 2, share: 0.5}, {flits: 8, share: 0.5}]}\n",
        "network: {topology: torus, radix: [4, 4], node_links: per-channel}\n"
        "traffic: {kind: closed, outstanding: 2, think_time: 50, destinations: {near-neighbour: "
        "0.25}, "
        "requests: [{share: 1, flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}]}\n",
        "network: {topology: torus, radix: [5, 5], switching: scouting, faults: [[1, 0, 1]]}\n"
        "traffic: {rate: 0.01, destinations: {hot-spot: {share: 0.1, node: 3}}}\n",
        "network: {topology: multistage, ports: 64, service: 2}\n"
        "traffic: {rate: 0.1, destinations: {hot-spot: {share: 0.1, node: 3}}}\n"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
        fc_scenario *scenario = scenario_of(texts[t]);
        fc_scenario_value list[48];
        const size_t count = fc_scenario_numbers(scenario, list, 48);
        assert_in_range(count, 3, 48);
        for (size_t i = 0; i < count; ++i) {
            char half[32];
            snprintf(half, sizeof half, "%.15g", floor(list[i].value) + 0.5);
            const fc_setting setting = {list[i].key, half};
            fc_error error = {""};
            fc_scenario *changed;
            const bool taken = fc_scenario_with(scenario, &setting, 1, &error, &changed) == FC_OK;
            if (list[i].whole == (taken || !strstr(error.text, "whole number")))
                fail_msg("%s = %s: %s", list[i].key, half, taken ? "taken" : error.text);
            if (taken)
                fc_scenario_free(changed);
        }
        fc_scenario_free(scenario);
    }
}

/* Saturated, the global ring carries P(leaves) x nodes x rate x half the ring = its slots: the
 * accepted rate falls as 1/L and 1/G and does not feel the offered one. */
static void test_saturated(void **state) {
    (void)state;
    fc_explanation *found = explain(RINGS "traffic: {rate: 0.006, locality: [0.2]}\n", NULL);
    assert_int_equal(found->result->outcome, FC_OUTCOME_SATURATED);
    assert_string_equal(found->metric, "throughput");
    assert_true(found->larger_is_better);
    assert_close(found->saturation, 0.0048828125, 1e-9);
    assert_close(lever_of(found, "network.rings.0")->elasticity, -1, 1e-9);
    assert_close(lever_of(found, "network.rings.1")->elasticity, -1, 1e-9);
    assert_near(lever_of(found, "traffic.rate")->elasticity, 0, 1e-9);
    /* throughput is proportional to 1 / (1 - P): the slope is P / (1 - P) */
    assert_close(lever_of(found, "traffic.locality.0")->elasticity, 0.25, 0.01);
    assert_string_equal(found->busiest[0].name, "global ring");
    assert_close(found->busiest[0].utilisation, 1, 1e-9);
    assert_true(found->lever_count > 0 && found->levers[0].gain > 0);
    fc_explanation_free(found);
}

/* With hardly any load the latency is travel alone: T = a + L + (G + L ...) / 2, linear in each,
 * and more load costs nothing. */
static void test_idle(void **state) {
    (void)state;
    fc_explanation *found = explain(RINGS "traffic: {rate: 1.0e-9, locality: [0.2]}\n", NULL);
    assert_string_equal(found->metric, "latency");
    assert_near(lever_of(found, "traffic.rate")->elasticity, 0, 1e-5);
    const fc_lever *rings = lever_of(found, "network.rings.1");
    assert_int_equal(rings->kind, FC_LEVER_SIZE);
    assert_string_equal(rings->down.value, "31");
    assert_string_equal(rings->up.value, "33");
    /* linear: the same difference either side */
    assert_close(rings->up.metric - found->present, found->present - rings->down.metric, 1e-6);
    assert_true(rings->gain > 0 && !rings->upward);
    for (size_t i = 1; i < found->lever_count; ++i)
        assert_true(!(found->levers[i].gain > found->levers[i - 1].gain));
    double sum = 0;
    for (size_t i = 0; i < found->result->part_count; ++i)
        sum += found->result->parts[i].value;
    assert_close(sum, found->present, 1e-9);
    fc_explanation_free(found);
}

/* [8, 64] and [32, 16] have as many stations as [16, 32]; what the lever says of them is what the
 * model says of them. */
static void test_shape(void **state) {
    (void)state;
    fc_explanation *found = explain(RINGS "traffic: {rate: 0.002, locality: [0.2]}\n", NULL);
    const fc_lever *shape = lever_of(found, "network.rings");
    assert_int_equal(shape->kind, FC_LEVER_SHAPE);
    assert_string_equal(shape->value, "[16, 32]");
    char text[256];
    snprintf(text, sizeof text,
             "network: {topology: ring-hierarchy, rings: %s}\n"
             "traffic: {rate: 0.002, locality: [0.2]}\n",
             shape->up.value);
    fc_scenario *other = scenario_of(text);
    fc_result *result;
    assert_int_equal(fc_predict(other, found->model, NULL, &result), FC_OK);
    assert_close(fc_result_metric(result, "latency")->value, shape->up.metric, 1e-12);
    assert_close(shape->up.metric / found->present - 1, shape->up.relative, 1e-9);
    fc_result_free(result);
    fc_scenario_free(other);
    fc_explanation_free(found);
}

static void test_multistage(void **state) {
    (void)state;
    fc_explanation *found =
        explain("network: {topology: multistage, ports: 64, switch: 2, buffer: 4}\n"
                "traffic: {rate: 0.4}\n",
                NULL);
    const fc_lever *wide = lever_of(found, "network.switch");
    assert_int_equal(wide->kind, FC_LEVER_NETWORK);
    assert_string_equal(wide->up.value, "4"); /* 3 is no root of 64 */
    assert_true(wide->up.metric < found->present);
    assert_int_equal(lever_of(found, "network.ports")->kind, FC_LEVER_SIZE);
    assert_string_equal(lever_of(found, "network.ports")->up.value, "128");
    assert_true(found->busiest_count > 0);
    fc_explanation_free(found);
    /* more digits than a measured number has, all of which count */
    found = explain("network: {topology: multistage, ports: 4194304, switch: 2, buffer: 4}\n"
                    "traffic: {rate: 0.4}\n",
                    NULL);
    const fc_lever *many = lever_of(found, "network.ports");
    assert_string_equal(many->value, "4194304");
    assert_string_equal(many->down.value, "2097152");
    assert_string_equal(many->up.value, "8388608");
    fc_explanation_free(found);
}

static void test_simulated_parts(void **state) {
    (void)state;
    const fc_explain_settings settings = {.simulate = true};
    fc_explanation *found = explain("network: {topology: ring-hierarchy, rings: [4, 6]}\n"
                                    "traffic: {rate: 0.03, locality: [0.2]}\n"
                                    "simulation: {precision: 0.05}\n",
                                    &settings);
    assert_int_equal(found->result->kind, FC_SIMULATOR);
    assert_true(found->model[0] != '\0');
    assert_true(found->lever_count > 2);
    assert_true(found->busiest_count == 2);
    fc_explanation_free(found);
}

/* No model covers a hot spot in a torus: the simulator tries the changes. */
static void test_without_model(void **state) {
    (void)state;
    fc_explanation *found =
        explain("network: {topology: torus, radix: [3, 2], virtual_channels: 2}\n"
                "traffic: {kind: open, rate: 0.02, message_flits: 4,\n"
                "          destinations: {hot-spot: {share: 0.3, node: [0, 0]}}}\n"
                "simulation: {precision: 0.2, max_cycles: 20000}\n",
                NULL);
    assert_string_equal(found->model, "");
    assert_int_equal(found->result->kind, FC_SIMULATOR);
    assert_true(found->noise > 0);
    assert_true(lever_of(found, "traffic.message_flits")->elasticity > 0);
    fc_explanation_free(found);
}

static void test_json(void **state) {
    (void)state;
    fc_explanation *found = explain(RINGS "traffic: {rate: 0.004, locality: [0.2]}\n", NULL);
    fc_write_settings settings = fc_write_settings_default();
    settings.format = FC_FORMAT_JSON;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_int_equal(fc_explanation_write(found, &settings, stream), FC_OK);
    fclose(stream);
    json_error_t where;
    json_t *tree = json_loads(text, 0, &where);
    assert_non_null(tree);
    assert_true(json_array_size(json_object_get(tree, "sentences")) >= 4);
    assert_int_equal(json_array_size(json_object_get(tree, "levers")), found->lever_count);
    assert_close(json_number_value(json_object_get(json_object_get(tree, "saturation"), "load")),
                 0.0048828125, 1e-9);
    json_decref(tree);
    free(text);
    stream = open_memstream(&text, &length);
    const fc_write_settings page = {.format = FC_FORMAT_HTML};
    assert_int_equal(fc_explanation_write(found, &page, stream), FC_OK);
    fclose(stream);
    assert_non_null(strstr(text, "topology: ring-hierarchy"));
    free(text);
    fc_explanation_free(found);
}

static void test_refusals(void **state) {
    (void)state;
    fc_error error = {{0}};
    fc_explanation *found;
    fc_scenario *scenario = scenario_of(RINGS "traffic: {rate: 0.004, locality: [0.2]}\n");
    fc_explain_settings settings = {.model = "safaei"};
    assert_int_equal(fc_explain(scenario, &settings, NULL, &error, &found), FC_ERROR_UNSUPPORTED);
    settings.model = "nothing";
    assert_int_equal(fc_explain(scenario, &settings, NULL, &error, &found), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "there is no model"));
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_saturated),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_multistage),
        cmocka_unit_test(test_simulated_parts),
        cmocka_unit_test(test_without_model),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
