/* One question has one answer: predict, saturate, explain, sweep, the model's column of a curve and
 * the object behind them agree to the last digit, at loads from 5 to 150 % of saturation; and a
 * forecast is what it should be: it rises, ends at the saturation load, and its parts add up. The
 * same of a model by its name, and without the correction.
 *
 *     test_one_forecast [NETWORKS [SEED]]     how many are drawn; by hand 200 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"

enum { TEXT = 900, LOADS = 13 };
static const double shares[LOADS] = {0.05, 0.2, 0.35,     0.5,  0.65, 0.8, 0.9,
                                     0.97, 1,   1.000001, 1.03, 1.2,  1.5};
static unsigned networks = 10;
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
    static text_list topologies = {
        "mesh, radix: [4, 4]",
        "mesh, radix: [5, 3], routing: adaptive",
        "mesh, radix: [4, 4], routing: o1turn",
        "mesh, radix: [4, 4], routing: valiant",
        "mesh, radix: [4, 4], faults: {links: [[0, 1]]}",
        "torus, radix: [4, 4], channel_rule: dateline",
        "torus, radix: [4, 3], channel_rule: wrapping",
        "hypercube, dimensions: 3",
        "fly, arity: 2, levels: 3",
        "fat-tree, arity: 3, levels: 2, routing: random",
        "fat-tree, arity: 2, levels: 3, routing: adaptive",
        "dragonfly, hosts: 2, routers: 3, global_links: 1",
        "dragonfly, hosts: 2, routers: 2, global_links: 1, routing: ugal",
        "slim-fly, q: 3, concentration: 1",
        "hyperx, shape: [3, 3], concentration: 2",
        "mesh, radix: [3, 3], concentration: 2"};
    static text_list channels = {"2", "4", "6", "8"}, buffers = {"1", "2", "4", "8"},
                     delays = {"1", "[1, 1, 1, 1]", "2"},
                     others = {"",
                               "",
                               "",
                               ", credit_delay: 2",
                               ", internal_speedup: 2",
                               ", switching: cut-through",
                               ", arbitration: oldest-first"},
                     flits = {"message_flits: 1",
                              "message_flits: 4",
                              "message_flits: 16",
                              "message_mix: [{share: 0.5, flits: 1}, {share: 0.5, flits: 5}]",
                              "message_flits: 4, injection: {on-off: {on: 20, off: 60}}",
                              "requests: [{share: 1, flits: 1, reply_flits: 5}]"},
                     patterns = {"uniform", "uniform", "neighbour",
                                 "{hot-spot: {share: 0.1, node: 5}}"};
    snprintf(text, TEXT,
             "network: {topology: %s, virtual_channels: %s, buffer: %s, router_delay: %s%s}\n"
             "traffic: {rate: 0.001, %s, destinations: %s}\n",
             ONE_OF(topologies), ONE_OF(channels), ONE_OF(buffers), ONE_OF(delays), ONE_OF(others),
             ONE_OF(flits), ONE_OF(patterns));
}

static void draw_torus(char text[TEXT]) {
    static text_list topologies = {
        "torus, radix: [4, 4], channel_rule: dateline",
        "torus, radix: [6, 3], links: unidirectional", "mesh, radix: [5, 5]",
        "torus, radix: [4, 4], switching: scouting, scouting_distance: 2",
        "mesh, radix: [3, 4, 2]"};
    static text_list channels = {"3", "4", "6", "8"}, flits = {"8", "16", "32"};
    snprintf(text, TEXT,
             "network: {topology: %s, virtual_channels: %s}\n"
             "traffic: {rate: 0.0001, message_flits: %s}\n",
             ONE_OF(topologies), ONE_OF(channels), ONE_OF(flits));
}

static void draw_rings(char text[TEXT]) {
    static text_list rings = {"[6, 4]", "[4, 3, 5]", "[16]", "[3, 3, 3, 2]"};
    static text_list traffic = {"", ", locality: [0.6]", ", hot_station: {share: 0.1, station: 3}"};
    snprintf(text, TEXT,
             "network: {topology: ring-hierarchy, rings: %s}\ntraffic: {rate: 0.001%s}\n",
             ONE_OF(rings), ONE_OF(traffic));
}

static void draw_multistage(char text[TEXT]) {
    static text_list ports = {"ports: 64, switch: 4", "ports: 16, switch: 2",
                              "ports: 32, switch: 2"};
    static text_list buffers = {"infinite", "2", "4", "8"};
    static text_list contention = {"none", "output-port"};
    static text_list traffic = {"", ", destinations: {hot-spot: {share: 0.05, node: 3}}",
                                ", outstanding: 2"};
    snprintf(text, TEXT,
             "network: {topology: multistage, %s, buffer: %s, contention: %s}\n"
             "traffic: {rate: 0.2%s}\n",
             ONE_OF(ports), ONE_OF(buffers), ONE_OF(contention), ONE_OF(traffic));
}

static void draw_closed(char text[TEXT]) {
    static text_list topologies = {"torus, radix: [4, 4], virtual_channels: 2",
                                   "mesh, radix: [4, 3], virtual_channels: 1",
                                   "torus, radix: [4, 4], virtual_channels: 2, buffer: infinite",
                                   "torus, radix: [3, 3, 3], virtual_channels: 2"};
    static text_list outstanding = {"1", "2", "4"}, busy = {"0", "4"};
    snprintf(text, TEXT,
             "network: {topology: %s}\n"
             "traffic: {kind: closed, outstanding: %s, think_time: 40, requests: [{share: 1, "
             "flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: %s}]}\n",
             ONE_OF(topologies), ONE_OF(outstanding), ONE_OF(busy));
}

static void (*const families[])(char text[TEXT]) = {draw_router,     draw_torus,  draw_router,
                                                    draw_rings,      draw_router, draw_torus,
                                                    draw_multistage, draw_closed};

/* ---- agreement ---- */

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static double metric_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->value : (double)NAN;
}

/* Commands may add what the network is built of. */
static void assert_same_results(const fc_result *a, const fc_result *b, const char *text) {
    static const char *const always[] = {"latency", "latency_p50", "latency_p99", "throughput",
                                         "efficiency"};
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->flags, b->flags);
    for (size_t i = 0; i < a->metric_count; ++i) {
        const fc_metric *other = fc_result_metric(b, a->metrics[i].name);
        if (other && !same(a->metrics[i].value, other->value))
            fail_msg("%s: %s %.17g and %.17g", text, a->metrics[i].name, a->metrics[i].value,
                     other->value);
    }
    for (size_t i = 0; i < sizeof always / sizeof *always; ++i)
        assert_true(same(metric_of(a, always[i]), metric_of(b, always[i])));
    assert_true(same(a->value_low, b->value_low) && same(a->value_high, b->value_high));
}

/* NULL: such a scenario is refused. */
static fc_scenario *read_network(const char *text) {
    fc_error error;
    fc_scenario *scenario;
    return fc_scenario_read_text(text, strlen(text), "drawn", NULL, 0, &error, &scenario) == FC_OK
               ? scenario
               : NULL;
}

/* One question: a network, and by what it is forecast. */
typedef struct asked {
    const char *text, *model; /* model NULL: the forecast */
    fc_scenario *scenario;
    fc_forecast *forecast;
    fc_load_range range; /* of its saturation load */
    double last;         /* latency at the load before */
} asked;

static const char *load_key(const asked *a) {
    const char *key = fc_scenario_load_key(a->scenario);
    return key ? key : "traffic.think_time";
}

static const char *model_of(const asked *a) {
    return a->model ? a->model : "the forecast";
}

/* A sweep over two loads, and the last of them by predict. */
static void assert_sweep_agrees(const asked *a, double load, const fc_result *expected) {
    char low[32], high[32];
    snprintf(low, sizeof low, "%.17g", 0.5 * load);
    snprintf(high, sizeof high, "%.17g", load);
    char *values[] = {low, high};
    fc_axis axis = {.values = values, .count = 2};
    snprintf(axis.key, sizeof axis.key, "%s", load_key(a));
    const fc_sweep_settings settings = {.axes = &axis,
                                        .axis_count = 1,
                                        .models = a->model ? &a->model : NULL,
                                        .model_count = a->model ? 1 : 0};
    fc_error error;
    fc_sweep *sweep;
    if (fc_sweep_run(a->scenario, &settings, NULL, &error, &sweep) != FC_OK)
        fail_msg("%s: %s", a->text, error.text);
    if (!sweep->results[1])
        fail_msg("%s at %g by %s: %s", a->text, load, model_of(a), sweep->gaps[1].reason);
    assert_same_results(sweep->results[1], expected, a->text);
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

/* NULL: such a load is refused (more than a message per node and cycle). */
static fc_scenario *scenario_at(const asked *a, double load) {
    char value[32];
    snprintf(value, sizeof value, "%.17g", load);
    const fc_setting setting = {load_key(a), value};
    fc_scenario *there;
    fc_error error;
    return fc_scenario_with(a->scenario, &setting, 1, &error, &there) == FC_OK ? there : NULL;
}

/* What has no load rises with nothing; a model alone says what its equations give. */
static void assert_rises(asked *a, double load, const fc_result *result) {
    const double value = metric_of(result, "latency");
    if (!a->model && result->calibrated && isfinite(a->range.load) &&
        !(value >= a->last * (1 - 1e-9)) && !isnan(value))
        fail_msg("%s: latency falls from %.9g to %.9g at %g", a->text, a->last, value, load);
    a->last = isnan(value) ? a->last : value;
}

static void assert_saturates_there(const asked *a, double load, const fc_result *result) {
    const double carried = metric_of(result, "throughput");
    if (!fc_scenario_load_key(a->scenario))
        return;
    /* A model by its name says what its equations give. */
    if (!a->model && carried > a->range.load * (1 + 1e-9))
        fail_msg("%s at %g by %s: throughput %.9g, saturation load %.9g", a->text, load,
                 model_of(a), carried, a->range.load);
    if (load > a->range.high && result->outcome == FC_OUTCOME_OK)
        fail_msg("%s at %g by %s: ok, saturation load %.9g", a->text, load, model_of(a),
                 a->range.load);
    if (load < a->range.low && result->outcome == FC_OUTCOME_SATURATED)
        fail_msg("%s at %g by %s: saturated, saturation load %.9g", a->text, load, model_of(a),
                 a->range.load);
    assert_int_equal(result->outcome == FC_OUTCOME_SATURATED,
                     (result->flags & FC_FLAG_ABOVE_SATURATION) != 0);
}

static void check_load(asked *a, double load) {
    fc_result *result, *again;
    fc_forecast_point point;
    fc_error error;
    fc_scenario *there = scenario_at(a, load);
    if (!there)
        return;
    if (fc_predict(there, a->model, &error, &again) != FC_OK ||
        fc_forecast_at(a->forecast, load, &error, &result) != FC_OK ||
        fc_forecast_points(a->forecast, &load, 1, &error, &point) != FC_OK)
        fail_msg("%s: %s", a->text, error.text);
    assert_same_results(result, again, a->text);
    assert_sweep_agrees(a, load, again);
    assert_adds_up(result, a->text);
    const fc_metric *main = fc_result_metric(result, result->main_metric);
    if (result->outcome == FC_OUTCOME_OK && !same(point.value, main->value))
        fail_msg("%s at %g: the curve has %.17g, the result %.17g", a->text, load, point.value,
                 main->value);
    assert_int_equal(point.outcome, result->outcome);
    assert_rises(a, load, result);
    assert_saturates_there(a, load, result);
    if (result->value_low > 0 && main)
        assert_true(result->value_low <= main->value && main->value <= result->value_high);
    fc_result_free(result);
    fc_result_free(again);
    fc_scenario_free(there);
}

/* At many loads, also between those at which the curve is given: the latency rises with the load,
 * and what it has beyond the empty network's grows at least as fast as the load. */
static void check_rise(const asked *a) {
    enum { MANY = 120 };
    double loads[MANY], lowest = 0;
    fc_forecast_point points[MANY];
    fc_error error;
    for (int i = 0; i < MANY; ++i)
        loads[i] = 0.999 * a->range.load * (i + 1) / MANY;
    if (fc_forecast_points(a->forecast, loads, MANY, &error, points) != FC_OK)
        fail_msg("%s: %s", a->text, error.text);
    const double empty = 2 * points[0].value - points[1].value; /* in proportion to light loads */
    for (int i = 0; i < MANY; ++i) {
        const double growth = (points[i].value - empty) / loads[i];
        if (!(growth >= lowest * (1 - 1e-6)))
            fail_msg("%s: at %g the curve bends down", a->text, loads[i]);
        lowest = growth;
        assert_true(!(points[i].p50 > points[i].p95) && !(points[i].p95 > points[i].p99));
    }
}

static void check_saturate(const asked *a) {
    const fc_saturation_settings wanted = {.model = a->model};
    fc_saturation *found;
    fc_error error;
    if (!fc_scenario_load_key(a->scenario))
        return;
    if (fc_saturate(a->scenario, &wanted, NULL, &error, &found) != FC_OK)
        fail_msg("%s: %s", a->text, error.text);
    assert_true(found[0].method[0] && same(found[0].load, a->range.load) &&
                same(found[0].low, a->range.low) && same(found[0].high, a->range.high));
    fc_saturation_free(found);
}

static void check_explain(const asked *a) {
    fc_error error;
    fc_explanation *explanation;
    fc_result *expected;
    const fc_explain_settings settings = {.model = a->model};
    if (fc_explain(a->scenario, &settings, NULL, &error, &explanation) != FC_OK ||
        fc_predict(a->scenario, a->model, &error, &expected) != FC_OK)
        fail_msg("%s: %s", a->text, error.text);
    assert_same_results(expected, explanation->result, a->text);
    if (fc_scenario_load_key(a->scenario))
        assert_true(same(explanation->saturation, a->range.load) &&
                    same(explanation->saturation_low, a->range.low) &&
                    same(explanation->saturation_high, a->range.high));
    fc_result_free(expected);
    fc_explanation_free(explanation);
}

/* The loads that a curve chooses, and what its column of the model says there. */
static void check_curve(const asked *a) {
    const double at[] = {0.3 * a->range.load, 0.8 * a->range.load};
    const fc_curve_settings settings = {
        .model = a->model, .precision = 0.5, .at = at, .at_count = 2};
    fc_curve *curve;
    fc_error error;
    if (fc_curve_run(a->scenario, &settings, NULL, &error, &curve) != FC_OK)
        fail_msg("%s: %s", a->text, error.text);
    size_t compared = 0;
    for (size_t i = 0; i < curve->point_count; ++i) {
        const fc_curve_point *shown = &curve->points[i];
        fc_forecast_point point;
        assert_int_equal(fc_forecast_points(a->forecast, &shown->load, 1, &error, &point), FC_OK);
        if (isnan(shown->model))
            continue;
        ++compared;
        if (point.value != shown->model)
            fail_msg("%s at %g: the curve's model has %.17g, the forecast %.17g", a->text,
                     shown->load, shown->model, point.value);
    }
    assert_true(compared >= 2);
    fc_curve_free(curve);
}

/* Corrected, and with a saturation load that is not the model's. */
static bool is_corrected_curve(const asked *a, double load) {
    fc_result *result;
    fc_error error;
    assert_int_equal(fc_forecast_at(a->forecast, load, &error, &result), FC_OK);
    const bool corrected = result->calibrated > 0 && a->range.low < a->range.high;
    fc_result_free(result);
    return corrected;
}

/* explains: also what explain and a curve say of it, which take longer. */
static void check_by(const char *text, fc_scenario *scenario, const char *model, bool explains,
                     bool curves) {
    asked a = {.text = text, .model = model, .scenario = scenario};
    fc_error error;
    if (fc_forecast_create(scenario, model, &error, &a.forecast) != FC_OK ||
        fc_forecast_saturation(a.forecast, &error, &a.range) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    const bool open = fc_scenario_load_key(scenario) != NULL;
    assert_true(!open || (a.range.low <= a.range.load && a.range.load <= a.range.high));
    check_saturate(&a);
    if (explains)
        check_explain(&a);
    if (curves && isfinite(a.range.load))
        check_curve(&a);
    const double unit = !open ? 100 : isfinite(a.range.load) ? a.range.load : 0.5;
    for (int i = 0; i < LOADS; ++i)
        check_load(&a, shares[i] * unit);
    if (open && is_corrected_curve(&a, 0.5 * unit))
        check_rise(&a);
    fc_forecast_free(a.forecast);
}

/* By every model that covers it, too. False: none does, or there is no such network. */
static bool check(const char *text, bool explains, bool curves) {
    fc_scenario *scenario = read_network(text);
    bool covered = false;
    for (size_t i = 0; scenario && i < fc_method_count(); ++i) {
        const fc_method_info *info = fc_method_at(i);
        if (info->kind != FC_MODEL || fc_method_covers(info->name, scenario, NULL) != FC_OK)
            continue;
        check_by(text, scenario, info->name, false, false);
        covered |= !info->variant;
    }
    if (covered) {
        check_by(text, scenario, NULL, explains, curves);
        check_by(text, scenario, FC_UNCALIBRATED, false, false);
    }
    fc_scenario_free(scenario);
    return covered;
}

/* ---- the tests ---- */

static void commands_that_contradicted_each_other_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contradictory / sizeof *contradictory; ++i)
        assert_true(check(contradictory[i], true, false));
}

static void drawn_networks_have_one_forecast(void **state) {
    (void)state;
    char text[TEXT];
    unsigned checked = 0;
    for (unsigned i = 0; checked < networks; ++i) {
        assert_true(i < 2 * networks);
        families[i % (sizeof families / sizeof *families)](text);
        checked += check(text, i % 8 < 4, i % 16 == 0);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_that_contradicted_each_other_agree),
        cmocka_unit_test(drawn_networks_have_one_forecast),
    };
    if (argc > 1)
        networks = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        drawn = strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
