/* One question has one answer: predict, saturate, explain, sweep, the model's column of a curve and
 * the object behind them agree to the last digit, at loads from 5 to 150 % of saturation; and a
 * forecast is what it should be: it rises, ends at the saturation load, and its parts add up.
 *
 *     test_one_forecast [NETWORKS]     how many are drawn of each family; by hand 200 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"

enum { TEXT = 900, LOADS = 12 };
static const double shares[LOADS] = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 1, 1.03, 1.2, 1.5};
static unsigned networks = 12;
static uint64_t drawn = 7;

static unsigned below(unsigned count) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(drawn >> 33) % count;
}

typedef const char *const text_list[];
#define ONE_OF(list) (list)[below(sizeof(list) / sizeof *(list))]

/* ---- networks ---- */

/* Where commands contradicted each other. */
static text_list contradictory = {
    "network: {topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, "
    "buffer: 8}\ntraffic: {rate: 0.06, message_flits: 8}\n",
    "network: {topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, "
    "buffer: 8}\ntraffic: {rate: 0.045, destinations: transpose, message_mix: [{share: 0.5, "
    "flits: 1}, {share: 0.5, flits: 5}]}\n",
    "network: {topology: torus, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, "
    "buffer: 8}\ntraffic: {rate: 0.13, message_flits: 5}\n",
    "network: {topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, "
    "buffer: 8, routing: adaptive}\ntraffic: {rate: 0.04, message_flits: 5, destinations: "
    "bit-complement}\n",
    "network: {topology: dragonfly, hosts: 2, routers: 4, global_links: 2, routing: minimal, "
    "router_delay: [1, 1, 1, 1], virtual_channels: 4, buffer: 8}\ntraffic: {rate: 0.02, "
    "message_flits: 8}\n",
    "network: {topology: mesh, radix: [8, 8], router_delay: [1, 1, 1, 1], virtual_channels: 4, "
    "buffer: 8}\ntraffic: {rate: 0.045, message_flits: 5, injection: {on-off: {on: 400, off: "
    "1200}}}\n"};

static void draw_router(char text[TEXT]) {
    static text_list topologies = {"mesh, radix: [4, 4]",
                                   "mesh, radix: [5, 3], routing: adaptive",
                                   "mesh, radix: [4, 4], routing: o1turn",
                                   "mesh, radix: [4, 4], routing: valiant",
                                   "torus, radix: [4, 4], channel_rule: dateline",
                                   "torus, radix: [4, 3], channel_rule: wrapping",
                                   "hypercube, dimensions: 3",
                                   "fly, arity: 2, levels: 3",
                                   "fat-tree, arity: 3, levels: 2, routing: random",
                                   "dragonfly, hosts: 2, routers: 3, global_links: 1",
                                   "hyperx, shape: [3, 3], concentration: 2",
                                   "mesh, radix: [3, 3], concentration: 2"};
    static text_list channels = {"4", "6", "8"}, buffers = {"2", "4", "8"},
                     delays = {"1", "[1, 1, 1, 1]", "2"}, flits = {"1", "4", "8", "16"},
                     patterns = {"uniform", "uniform", "neighbour",
                                 "{hot-spot: {share: 0.1, node: 5}}"};
    snprintf(text, TEXT,
             "network: {topology: %s, virtual_channels: %s, buffer: %s, router_delay: %s}\n"
             "traffic: {rate: 0.001, message_flits: %s, destinations: %s}\n",
             ONE_OF(topologies), ONE_OF(channels), ONE_OF(buffers), ONE_OF(delays), ONE_OF(flits),
             ONE_OF(patterns));
}

static void draw_torus(char text[TEXT]) {
    static text_list topologies = {
        "torus, radix: [4, 4], channel_rule: dateline",
        "torus, radix: [6, 3], links: unidirectional", "mesh, radix: [5, 5]",
        "torus, radix: [4, 4], switching: scouting, scouting_distance: 2",
        "mesh, radix: [3, 4, 2]"};
    static text_list channels = {"4", "6", "8"}, flits = {"8", "16", "32"};
    snprintf(text, TEXT,
             "network: {topology: %s, virtual_channels: %s}\n"
             "traffic: {rate: 0.0001, message_flits: %s}\n",
             ONE_OF(topologies), ONE_OF(channels), ONE_OF(flits));
}

static void draw_others(char text[TEXT]) {
    static text_list all = {
        "network: {topology: ring-hierarchy, rings: [6, 4]}\ntraffic: {rate: 0.001}\n",
        "network: {topology: ring-hierarchy, rings: [4, 3, 5]}\ntraffic: {rate: 0.001, locality: "
        "[0.6, 0.3]}\n",
        "network: {topology: multistage, ports: 64, switch: 4, buffer: infinite}\n"
        "traffic: {rate: 0.2}\n",
        "network: {topology: multistage, ports: 16, switch: 2, buffer: infinite, contention: "
        "output-port}\ntraffic: {rate: 0.2}\n"};
    snprintf(text, TEXT, "%s", ONE_OF(all));
}

/* ---- agreement ---- */

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static double metric_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->value : (double)NAN;
}

/* b: of a command, which may add what the network is built of. */
static void assert_same_results(const fc_result *a, const fc_result *b, const char *text) {
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->flags, b->flags);
    assert_true(a->metric_count <= b->metric_count);
    for (size_t i = 0; i < a->metric_count; ++i)
        if (!same(a->metrics[i].value, b->metrics[i].value))
            fail_msg("%s: %s %.17g and %.17g", text, a->metrics[i].name, a->metrics[i].value,
                     b->metrics[i].value);
    assert_true(same(a->value_low, b->value_low) && same(a->value_high, b->value_high));
}

static fc_scenario *read_network(const char *text) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "drawn", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

/* A sweep over two loads, and the last of them by predict. */
static void assert_sweep_agrees(const fc_scenario *scenario, double load, const fc_result *expected,
                                const char *text) {
    char low[32], high[32];
    snprintf(low, sizeof low, "%.17g", 0.5 * load);
    snprintf(high, sizeof high, "%.17g", load);
    char *values[] = {low, high};
    fc_axis axis = {.values = values, .count = 2};
    snprintf(axis.key, sizeof axis.key, "%s", fc_scenario_load_key(scenario));
    const fc_sweep_settings settings = {.axes = &axis, .axis_count = 1};
    fc_error error;
    fc_sweep *sweep;
    if (fc_sweep_run(scenario, &settings, NULL, &error, &sweep) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_same_results(sweep->results[1], expected, text);
    fc_sweep_free(sweep);
}

static void assert_adds_up(const fc_result *result, const char *text) {
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    if (result->part_count && result->outcome == FC_OUTCOME_OK)
        if (!(fabs(sum - metric_of(result, result->parts_of)) <= 1e-6 * sum))
            fail_msg("%s: parts add up to %.9g, not %.9g", text, sum,
                     metric_of(result, result->parts_of));
}

static fc_result *predict_at(const fc_scenario *scenario, double load, const char *text) {
    char value[32];
    snprintf(value, sizeof value, "%.17g", load);
    const fc_setting setting = {fc_scenario_load_key(scenario), value};
    fc_scenario *there;
    fc_result *result;
    fc_error error;
    if (fc_scenario_with(scenario, &setting, 1, &error, &there) != FC_OK)
        return NULL; /* more than a message per node and cycle */
    if (fc_predict(there, NULL, &error, &result) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    fc_scenario_free(there);
    return result;
}

static void check_load(fc_forecast *forecast, const fc_scenario *scenario, double load,
                       const fc_load_range *range, double *last, const char *text) {
    fc_result *result, *again = predict_at(scenario, load, text);
    fc_forecast_point point;
    fc_error error;
    if (!again)
        return;
    if (fc_forecast_at(forecast, load, &error, &result) != FC_OK ||
        fc_forecast_points(forecast, &load, 1, &error, &point) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_same_results(result, again, text);
    assert_sweep_agrees(scenario, load, again, text);
    assert_adds_up(result, text);
    const double value = metric_of(result, "latency"), carried = metric_of(result, "throughput");
    if (result->outcome == FC_OUTCOME_OK && !(fabs(point.value - value) <= 1e-9 * value))
        fail_msg("%s at %g: the curve has %.12g, the result %.12g", text, load, point.value, value);
    assert_int_equal(point.outcome, result->outcome);
    /* a model alone says what its equations give */
    if (result->calibrated && !(value >= *last * (1 - 1e-9)) && !isnan(value))
        fail_msg("%s: latency falls from %.9g to %.9g at %g", text, *last, value, load);
    *last = isnan(value) ? *last : value;
    if (carried > range->load * (1 + 1e-9))
        fail_msg("%s at %g: throughput %.9g, saturation load %.9g", text, load, carried,
                 range->load);
    if (load > range->high)
        assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    if (result->value_low > 0 && isfinite(value))
        assert_true(result->value_low <= value && value <= result->value_high);
    fc_result_free(result);
    fc_result_free(again);
}

/* At many loads, also between those at which the curve is given: the latency rises with the load,
 * and what it has beyond the empty network's grows at least as fast as the load. */
static void check_rise(fc_forecast *forecast, const fc_load_range *range, const char *text) {
    enum { MANY = 120 };
    double loads[MANY], lowest = 0;
    fc_forecast_point points[MANY];
    fc_error error;
    for (int i = 0; i < MANY; ++i)
        loads[i] = 0.999 * range->load * (i + 1) / MANY;
    if (fc_forecast_points(forecast, loads, MANY, &error, points) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    const double empty = 2 * points[0].value - points[1].value; /* in proportion to light loads */
    for (int i = 0; i < MANY; ++i) {
        const double growth = (points[i].value - empty) / loads[i];
        if (!(growth >= lowest * (1 - 1e-6)))
            fail_msg("%s: at %g the curve bends down", text, loads[i]);
        lowest = growth;
        assert_true(!(points[i].p50 > points[i].p95) && !(points[i].p95 > points[i].p99));
    }
}

static void check_saturate(const fc_scenario *scenario, const fc_load_range *range,
                           const char *text) {
    const fc_saturation_settings wanted = {0};
    fc_saturation *found;
    size_t count;
    fc_error error;
    if (fc_saturate(scenario, &wanted, NULL, &error, &found, &count) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_true(count > 0 && same(found[0].load, range->load) && same(found[0].low, range->low) &&
                same(found[0].high, range->high));
    fc_saturation_free(found);
}

/* Corrected, and with a saturation load that is not the model's. */
static bool is_corrected_curve(fc_forecast *forecast, double load) {
    fc_load_range range;
    fc_result *result;
    fc_error error;
    assert_int_equal(fc_forecast_saturation(forecast, &error, &range), FC_OK);
    assert_int_equal(fc_forecast_at(forecast, load, &error, &result), FC_OK);
    const bool corrected = result->calibrated > 0 && range.low < range.high;
    fc_result_free(result);
    return corrected;
}

static void check(const char *text) {
    fc_scenario *scenario = read_network(text);
    fc_error error;
    fc_forecast *forecast;
    fc_load_range range;
    if (fc_forecast_create(scenario, NULL, &error, &forecast) != FC_OK ||
        fc_forecast_saturation(forecast, &error, &range) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_true(range.low <= range.load && range.load <= range.high);
    check_saturate(scenario, &range, text);
    double last = 0;
    const double unit = isfinite(range.load) ? range.load : 0.5;
    for (int i = 0; i < LOADS; ++i)
        check_load(forecast, scenario, shares[i] * unit, &range, &last, text);
    if (is_corrected_curve(forecast, 0.5 * unit))
        check_rise(forecast, &range, text);
    fc_forecast_free(forecast);
    fc_scenario_free(scenario);
}

/* ---- the tests ---- */

static void explain_tells_the_same_saturation_load(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contradictory / sizeof *contradictory; ++i) {
        fc_scenario *scenario = read_network(contradictory[i]);
        fc_error error;
        fc_explanation *explanation;
        fc_forecast *forecast;
        fc_load_range range;
        assert_int_equal(fc_forecast_create(scenario, NULL, &error, &forecast), FC_OK);
        assert_int_equal(fc_forecast_saturation(forecast, &error, &range), FC_OK);
        assert_int_equal(fc_explain(scenario, NULL, NULL, &error, &explanation), FC_OK);
        assert_true(same(explanation->saturation, range.load));
        fc_explanation_free(explanation);
        fc_forecast_free(forecast);
        fc_scenario_free(scenario);
    }
}

static void commands_that_contradicted_each_other_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contradictory / sizeof *contradictory; ++i)
        check(contradictory[i]);
}

static void drawn_networks_have_one_forecast(void **state) {
    (void)state;
    void (*const draw[])(char text[TEXT]) = {draw_router, draw_torus, draw_others};
    char text[TEXT];
    for (unsigned i = 0; i < networks; ++i)
        for (size_t k = 0; k < sizeof draw / sizeof *draw; ++k) {
            draw[k](text);
            check(text);
        }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_that_contradicted_each_other_agree),
        cmocka_unit_test(explain_tells_the_same_saturation_load),
        cmocka_unit_test(drawn_networks_have_one_forecast),
    };
    if (argc > 1)
        networks = (unsigned)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
