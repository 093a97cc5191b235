/* What a calibration may change, and what not. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "registry/calibration.h"
#include "registry/calibration_inputs.h"
#include "registry/parts.h"
#include "design_router.h"

static fc_scenario *scenario_of(const char *network, const char *traffic, double rate) {
    char text[512];
    fc_error error;
    fc_scenario *scenario;
    const int length = snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s, rate: %.9g}\n",
                                network, traffic, rate);
    if (fc_scenario_read_text(text, (size_t)length, "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static fc_result *predicted(const char *network, const char *traffic, double rate,
                            const char *model) {
    fc_scenario *scenario = scenario_of(network, traffic, rate);
    fc_result *result;
    fc_error error;
    if (fc_predict(scenario, model, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static double value_of(const fc_result *result, const char *metric) {
    const fc_metric *found = fc_result_metric(result, metric);
    assert_non_null(found);
    return found->value;
}

static const struct {
    const char *network, *traffic, *model;
    double rate; /* about 70 % of saturation */
} cases[] = {
    {"topology: torus, radix: [8, 8], virtual_channels: 4, channel_rule: dateline",
     "message_flits: 16", "torus-sharing", 0.014},
    {"topology: mesh, radix: [6, 6], virtual_channels: 2", "message_flits: 16", "torus-sharing",
     0.011},
    {"topology: torus, radix: [8, 8], switching: scouting, scouting_distance: 3, "
     "virtual_channels: 4",
     "message_flits: 32", "scouting-sharing", 0.009},
    {"topology: mesh, radix: [6, 6], virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, 1]",
     "message_flits: 5", "router-queueing", 0.06},
};
enum { CASES = sizeof cases / sizeof *cases };

static void a_shift_and_its_stretch_are_inverse(void **state) {
    (void)state;
    for (double r = 0; r < 1; r += 0.13)
        for (double ratio = 0.4; ratio < 3; ratio *= 1.3) {
            double derivative, higher, unused;
            const double t = fc_calibration_shift(r, ratio, &derivative);
            assert_close(fc_calibration_stretch(r, t), ratio, 1e-12);
            higher = fc_calibration_shift(r, ratio * 1.0001, &unused);
            assert_near((higher - t) / log(1.0001), derivative, 1e-3);
        }
    assert_true(isinf(fc_calibration_stretch(0.9, 0.2)));
    /* a forecast stays finite there, and its interval open */
    const fc_calibration_input steep = {.empty = 20, .excess = 30, .values = {0.9}};
    const fc_calibrated_excess excess = fc_calibration_shifted(&steep, 0.2, 0.05);
    assert_true(excess.stretch > 1.5 && excess.stretch < 3);
    assert_true(excess.low <= excess.stretch && isinf(excess.high));
}

/* All that the latency has beyond the empty network's is multiplied by one factor. */
static void the_model_alone_stays_beside_it(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i) {
        fc_result *with = predicted(cases[i].network, cases[i].traffic, cases[i].rate, NULL);
        fc_result *named =
            predicted(cases[i].network, cases[i].traffic, cases[i].rate, cases[i].model);
        fc_result *without =
            predicted(cases[i].network, cases[i].traffic, cases[i].rate, FC_UNCALIBRATED);
        assert_string_equal(with->method, cases[i].model);
        assert_true(with->calibrated > 50);
        assert_int_equal(named->calibrated, 0);
        assert_int_equal(without->calibrated, 0);
        assert_close(value_of(without, "latency"), value_of(named, "latency"), 1e-15);
        for (size_t m = 0; m < with->metric_count; ++m) {
            const fc_metric *metric = &with->metrics[m];
            const double alone = value_of(named, metric->name);
            if (isnan(metric->uncalibrated))
                assert_close(metric->value, alone, 1e-15);
            else
                assert_close(metric->uncalibrated, alone, 1e-15);
        }
        const double alone = fc_result_metric(with, "latency")->uncalibrated;
        assert_true(alone > 0);
        assert_close(value_of(with, "network_latency") + value_of(with, "source_wait"),
                     value_of(with, "latency"), 1e-12);
        double parts = 0, low, high;
        for (size_t p = 0; p < with->part_count; ++p)
            parts += with->parts[p].value;
        assert_close(parts, value_of(with, "latency"), 1e-12);
        assert_true(fc_result_interval(with, &low, &high));
        assert_true(low < value_of(with, "latency") && value_of(with, "latency") < high);
        fc_result_free(with);
        fc_result_free(named);
        fc_result_free(without);
    }
}

static void an_empty_network_stays_exact(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i)
        for (double rate = 1e-12; rate < 1e-5; rate *= 100) {
            fc_result *with = predicted(cases[i].network, cases[i].traffic, rate, NULL);
            fc_result *alone = predicted(cases[i].network, cases[i].traffic, rate, cases[i].model);
            assert_close(value_of(with, "latency"), value_of(alone, "latency"), 1e-3);
            fc_result_free(with);
            fc_result_free(alone);
        }
}

static void latency_rises_with_the_load(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i) {
        double before = 0;
        for (int step = 1; step <= 24; ++step) {
            const double rate = cases[i].rate * step / 20;
            fc_result *with = predicted(cases[i].network, cases[i].traffic, rate, NULL);
            assert_int_equal(with->outcome, FC_OUTCOME_OK);
            assert_true(value_of(with, "latency") > before);
            before = value_of(with, "latency");
            fc_result_free(with);
        }
    }
}

/* Up to the forecast saturation load, in small steps, also where the model alone has no answer. */
static void forecasts_of_tori_rise_with_the_load(void **state) {
    (void)state;
    static const char *const networks[][2] = {
        {"topology: torus, radix: [11, 6], virtual_channels: 4, ejection_channels: 2",
         "message_flits: 2"},
        {"topology: torus, radix: [2, 10], channel_rule: dateline, virtual_channels: 10, "
         "ejection_channels: 1",
         "message_flits: 29"},
        {"topology: torus, radix: [4, 3], virtual_channels: 10, injection_channels: 10, "
         "ejection_channels: 1",
         "message_flits: 2"},
        {"topology: torus, radix: [21], links: unidirectional, virtual_channels: 2",
         "message_flits: 12"},
        {"topology: mesh, radix: [3, 7, 2], virtual_channels: 6", "message_flits: 4"},
        {"topology: mesh, radix: [8, 8], virtual_channels: 2", "message_flits: 32"},
        {"topology: mesh, radix: [16], virtual_channels: 1", "message_flits: 1"},
    };
    enum { STEPS = 50 };
    const fc_model *model = fc_model_find("torus-sharing", NULL);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
        fc_scenario *scenario = scenario_of(networks[i][0], networks[i][1], 1e-3);
        fc_error error;
        double most, before = 0;
        assert_int_equal(model->forecast_saturation(scenario, &error, &most), FC_OK);
        fc_scenario_free(scenario);
        for (int step = 1; step <= STEPS; ++step) {
            const double rate = 1.08 * most * step / STEPS;
            fc_result *with = predicted(networks[i][0], networks[i][1], rate, NULL);
            assert_int_equal(with->outcome, FC_OUTCOME_OK);
            assert_true(with->calibrated);
            if (!(value_of(with, "latency") > before))
                fail_msg("latency of %s falls from %.9g at %.9g", networks[i][0], before, rate);
            before = value_of(with, "latency");
            fc_result_free(with);
        }
        fc_result *beyond = predicted(networks[i][0], networks[i][1], 1.12 * most, NULL);
        assert_int_equal(beyond->outcome, FC_OUTCOME_SATURATED);
        assert_close(value_of(beyond, "throughput"), most, 1e-12);
        fc_result_free(beyond);
    }
}

/* By trees: percentiles move with a shape of their own, and stay in order. */
static void percentiles_of_routers_stay_in_order(void **state) {
    (void)state;
    static const char network[] = "topology: mesh, radix: [5, 5], virtual_channels: 2, buffer: 4, "
                                  "router_delay: [1, 1, 1, 1]";
    for (int step = 1; step <= 12; ++step) {
        fc_result *with = predicted(network, "message_flits: 6", 0.006 * step, NULL);
        assert_int_equal(with->outcome, FC_OUTCOME_OK);
        assert_true(with->calibrated > 1000);
        const double p50 = value_of(with, "latency_p50"), p95 = value_of(with, "latency_p95");
        const double p99 = value_of(with, "latency_p99");
        assert_true(p50 <= p95 && p95 <= p99);
        const double mean =
            value_of(with, "latency") / fc_result_metric(with, "latency")->uncalibrated;
        const double tail = p99 / fc_result_metric(with, "latency_p99")->uncalibrated;
        assert_true(fabs(tail / mean - 1) > 1e-6);
        fc_result_free(with);
    }
}

/* ---- never falling ---- */

static const char *const latencies[] = {"latency", "latency_p50", "latency_p95", "latency_p99"};
enum { LATENCIES = 4 };

/* The model's own value: beyond its saturation load, that at the saturation load. */
static double alone(const fc_result *result, const fc_result *edge, int which) {
    const fc_metric *metric = fc_result_metric(result, latencies[which]);
    if (!isnan(metric->uncalibrated))
        return metric->uncalibrated;
    return edge->outcome == FC_OUTCOME_OK ? value_of(edge, latencies[which]) : metric->value;
}

/* What two results at rising loads say: a calibrated latency falls only where the model's does. */
static void check_step(const fc_result *lower, const fc_result *higher, const fc_result *edge,
                       const char *network, const char *traffic) {
    for (int k = 0; k < LATENCIES; ++k) {
        const double a = value_of(lower, latencies[k]), b = value_of(higher, latencies[k]);
        if (alone(higher, edge, k) >= alone(lower, edge, k) && b < a * (1 - 1e-12))
            fail_msg("%s of %s, %s falls from %.9g to %.9g", latencies[k], network, traffic, a, b);
    }
}

/* Up to the model's saturation load and beyond it, in steps that are smaller the nearer it is. */
static size_t check_network(const char *network, const char *traffic) {
    enum { STEPS = 14 };
    fc_scenario *scenario = scenario_of(network, traffic, 1e-4);
    const fc_model *model = fc_model_find("router-queueing", NULL);
    fc_result *last = NULL;
    fc_error error;
    double limit;
    size_t checked = 0;
    assert_int_equal(model->saturation(scenario, &error, &limit), FC_OK);
    fc_scenario_free(scenario);
    fc_result *edge = predicted(network, traffic, limit, "router-queueing");
    for (int i = 1; i <= STEPS; ++i) {
        const double left = 1 - (double)i / STEPS, rate = limit * (1.04 - left * left * 1.02);
        fc_result *result = predicted(network, traffic, rate, NULL);
        if (result->outcome != FC_OUTCOME_OK || !result->calibrated) {
            fc_result_free(result);
            break;
        }
        if (last)
            check_step(last, result, edge, network, traffic);
        checked += last != NULL;
        fc_result_free(last);
        last = result;
    }
    fc_result_free(last);
    fc_result_free(edge);
    return checked;
}

static void calibrated_latencies_fall_only_where_the_model_does(void **state) {
    (void)state;
    enum { NETWORKS = 20 };
    size_t checked = 0;
    for (uint32_t i = 0; i < NETWORKS; ++i) {
        fc_random random = fc_random_stream(4711, i, 0);
        char network[320], traffic[320], text[700];
        fc_scenario *scenario;
        router_draw(&random, network, traffic);
        const int length = snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s, rate: 1e-4}\n",
                                    network, traffic);
        if (fc_scenario_read_text(text, (size_t)length, "drawn", NULL, 0, NULL, &scenario) != FC_OK)
            continue; /* a pattern that this network cannot have */
        fc_scenario_free(scenario);
        checked += check_network(network, traffic);
    }
    assert_true(checked > 100);
}

/* ---- parts ---- */

/* A part that a calibration reads by its name is one that the model reports. */
static void parts_that_are_read_exist(void **state) {
    (void)state;
    static const char *const read[CASES][4] = {
        {FC_PART_TRAVEL, FC_PART_TRANSFER, FC_PART_BLOCKING, FC_PART_SOURCE_WAIT},
        {FC_PART_TRAVEL, FC_PART_TRANSFER, FC_PART_BLOCKING, FC_PART_SOURCE_WAIT},
        {FC_PART_EMPTY, FC_PART_PATH_WAIT, FC_PART_WAIT_AT_SOURCE, NULL},
        {FC_PART_LINKS, FC_PART_ROUTERS, FC_PART_LENGTH, NULL}};
    for (size_t i = 0; i < CASES; ++i) {
        fc_result *result =
            predicted(cases[i].network, cases[i].traffic, cases[i].rate, cases[i].model);
        for (size_t k = 0; k < 4 && read[i][k]; ++k)
            if (!(fc_calibration_part(result, read[i][k]) > 0))
                fail_msg("%s reports no part '%s'", cases[i].model, read[i][k]);
        fc_result_free(result);
    }
}

/* Nothing like these was simulated. */
static void far_from_the_data_the_model_answers_alone(void **state) {
    (void)state;
    fc_result *result = predicted("topology: torus, radix: [40, 40], virtual_channels: 40",
                                  "message_flits: 2000", 2e-5, NULL);
    assert_int_equal(result->calibrated, 0);
    const double alone = fc_result_metric(result, "latency")->uncalibrated;
    assert_false(alone > 0);
    fc_result_free(result);
    result = predicted("topology: mesh, radix: [24, 24], virtual_channels: 2, buffer: 64, "
                       "router_delay: [1, 1, 1, 1]",
                       "message_flits: 100", 1e-4, NULL);
    assert_int_equal(result->calibrated, 0);
    fc_result_free(result);
}

/* The model is about to saturate, far slower than the forecast, which says so. */
static void a_steep_model_does_not_mislead_the_forecast(void **state) {
    (void)state;
    fc_result *result =
        predicted("topology: mesh, radix: [4, 3, 2], virtual_channels: 2, injection_channels: 2, "
                  "ejection_channels: 2",
                  "message_flits: 31", 0.0179, NULL);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_non_null(strstr(result->note, "uncertain"));
    /* 27 times the latency of the empty network by the model alone; simulated networks settle at 10
     * times at most */
    const fc_metric *latency = fc_result_metric(result, "latency");
    assert_true(result->calibrated);
    assert_true(latency->uncalibrated > 25 * 33.5 && latency->value < 10 * 33.5);
    fc_result_free(result);
}

static void models_of_papers_are_never_calibrated(void **state) {
    (void)state;
    const fc_calibration_points *const lists[] = {fc_calibrations, fc_limit_calibrations};
    for (size_t i = 0; i < 2; ++i)
        for (const fc_calibration_points *at = lists[i]; at->model; ++at) {
            const fc_model *model = fc_model_find(at->model, NULL);
            assert_non_null(model);
            assert_string_equal(model->info.source, "ours");
            assert_non_null(model->latency_at);
            assert_int_equal(at->inputs, fc_calibration_inputs(at->model));
        }
}

/* The default model's saturation load is calibrated, with its own beside it; a model asked for by
 * name is not. */
static void saturation_loads_are_calibrated(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; ++i) {
        fc_scenario *scenario = scenario_of(cases[i].network, cases[i].traffic, cases[i].rate);
        const char *const asked[] = {NULL, cases[i].model, FC_UNCALIBRATED};
        double loads[3];
        for (size_t way = 0; way < 3; ++way) {
            const fc_saturation_settings settings = {.model = asked[way]};
            fc_saturation *found;
            size_t count, at = 0;
            fc_error error;
            assert_int_equal(fc_saturate(scenario, &settings, NULL, &error, &found, &count), FC_OK);
            while (strcmp(found[at].method, cases[i].model) != 0)
                ++at;
            loads[way] = found[at].load;
            if (way == 0)
                assert_true(found[at].uncalibrated > 0);
            else
                assert_close(found[at].load, loads[1], 1e-15);
            if (way == 1) {
                assert_true(isnan(found[at].uncalibrated));
                assert_close(loads[0] / loads[1], 1, 0.2);
                assert_true(fabs(loads[0] / loads[1] - 1) > 1e-6);
            }
            fc_saturation_free(found);
        }
        fc_scenario_free(scenario);
    }
}

/* A forecast that continues the model's curve ends soon beyond the calibrated saturation load. */
static void no_latency_far_beyond_the_saturation_load(void **state) {
    (void)state;
    static const char network[] = "topology: torus, radix: [8, 8], virtual_channels: 4, buffer: 8, "
                                  "router_delay: [1, 1, 1, 1]";
    static const char traffic[] = "message_flits: 5";
    fc_scenario *scenario = scenario_of(network, traffic, 0.02);
    const fc_saturation_settings settings = {0};
    fc_saturation *found;
    size_t count;
    fc_error error;
    assert_int_equal(fc_saturate(scenario, &settings, NULL, &error, &found, &count), FC_OK);
    const double load = found[0].load;
    assert_true(found[0].uncalibrated > 0);
    fc_saturation_free(found);
    fc_scenario_free(scenario);
    for (int i = 0; i < 10; ++i) {
        const double times = 0.92 + 0.05 * i;
        fc_result *result = predicted(network, traffic, times * load, NULL);
        assert_int_equal(result->outcome == FC_OUTCOME_SATURATED, times > 1.1);
        fc_result_free(result);
    }
}

/* The model saturates before the simulated network does: the forecast goes on, says so, and ends at
 * the calibrated saturation load. */
static void tori_have_forecasts_beyond_the_saturation_load_of_the_model(void **state) {
    (void)state;
    static const struct {
        const char *network, *traffic;
        double model_saturates, rate, simulated, saturated;
    } at[] = {{"topology: mesh, radix: [3, 2, 3, 5], virtual_channels: 10", "message_flits: 9",
               0.04696, 0.0479529, 60.7999, 0.065},
              {"topology: torus, radix: [2, 4], virtual_channels: 5, injection_channels: 5, "
               "handover: next-cycle, order: descending",
               "message_flits: 5", 0.10876, 0.115006, 35.65169, 0.16}};
    for (size_t i = 0; i < 2; ++i) {
        fc_result *with = predicted(at[i].network, at[i].traffic, at[i].rate, NULL);
        fc_result *alone = predicted(at[i].network, at[i].traffic, at[i].rate, "torus-sharing");
        fc_result *beyond = predicted(at[i].network, at[i].traffic, at[i].saturated, NULL);
        double low, high;
        assert_true(at[i].rate > at[i].model_saturates);
        assert_int_equal(alone->outcome, FC_OUTCOME_SATURATED);
        assert_int_equal(beyond->outcome, FC_OUTCOME_SATURATED);
        assert_int_equal(with->outcome, FC_OUTCOME_OK);
        assert_true(with->calibrated);
        assert_close(value_of(with, "latency"), at[i].simulated, 0.2);
        assert_true(fc_result_interval(with, &low, &high));
        assert_true(low < at[i].simulated && at[i].simulated < high);
        assert_true(isnan(fc_result_metric(with, "latency")->uncalibrated));
        assert_close(value_of(with, "throughput"), at[i].rate, 1e-9);
        assert_close(value_of(with, "network_latency") + value_of(with, "source_wait"),
                     value_of(with, "latency"), 1e-12);
        assert_non_null(strstr(with->note, "the model alone saturates at 0."));
        fc_result_free(with);
        fc_result_free(alone);
        fc_result_free(beyond);
    }
}

/* Buffers of one flit: the model alone has answers where such networks have long been saturated. */
static void a_network_may_saturate_before_its_model(void **state) {
    (void)state;
    static const char network[] = "topology: torus, radix: [9, 4], channel_rule: dateline, "
                                  "virtual_channels: 2, buffer: 1, router_delay: [1, 1, 1, 1], "
                                  "input_speedup: 1";
    static const char traffic[] = "message_flits: 1, injection: bernoulli";
    fc_scenario *scenario = scenario_of(network, traffic, 0.02);
    const fc_model *model = fc_model_find("router-queueing", NULL);
    fc_error error;
    double forecast, limit;
    assert_int_equal(model->forecast_saturation(scenario, &error, &forecast), FC_OK);
    assert_int_equal(model->saturation(scenario, &error, &limit), FC_OK);
    fc_scenario_free(scenario);
    const double load = 1.2 * forecast;
    assert_true(load < limit);
    fc_result *alone = predicted(network, traffic, load, "router-queueing");
    fc_result *result = predicted(network, traffic, load, NULL);
    assert_int_equal(alone->outcome, FC_OUTCOME_OK);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    assert_close(value_of(result, "throughput"), forecast, 1e-12);
    assert_non_null(strstr(result->note, "no steady state"));
    fc_result_free(alone);
    fc_result_free(result);
}

/* A store must not answer with rows of an older fit to as many cases. */
static void another_fit_has_another_identity(void **state) {
    (void)state;
    const fc_calibration_points *scouting = fc_calibration_find("scouting-sharing");
    fc_calibration_points refit = *scouting;
    fc_shift_trees shifts = *scouting->shifts;
    refit.shifts = &shifts;
    assert_int_equal(fc_calibration_identity(&refit), fc_calibration_identity(scouting));
    --shifts.spread.trees;
    assert_int_not_equal(fc_calibration_identity(&refit), fc_calibration_identity(scouting));
    shifts = *scouting->shifts;
    --shifts.perceptrons.count;
    assert_int_not_equal(fc_calibration_identity(&refit), fc_calibration_identity(scouting));

    static const char *const forecast[] = {"router-queueing", "torus-sharing"};
    for (size_t i = 0; i < 2; ++i) {
        const fc_calibration_points *points = fc_calibration_find(forecast[i]);
        fc_calibration_points others = *points;
        assert_int_equal(fc_calibration_identity(&others), fc_calibration_identity(points));
        ++others.identity;
        assert_int_not_equal(fc_calibration_identity(&others), fc_calibration_identity(points));
    }
}

/* The model's p99 hardly exceeds that of the empty network here; its p95 does. */
static void percentiles_stay_apart(void **state) {
    (void)state;
    fc_result *result = predicted(
        "topology: mesh, radix: [4, 3], router_delay: [1, 1, 1, 1], routing: adaptive, "
        "virtual_channels: 2, ejection_channels: 1",
        "message_mix: [{share: 0.8, flits: 1}, {share: 0.2, flits: 33}], destinations: diagonal",
        0.00725, NULL);
    const double p95 = fc_result_metric(result, "latency_p95")->value;
    const double p99 = fc_result_metric(result, "latency_p99")->value;
    assert_true(p95 < p99);
    assert_true(p95 > 50 && p99 < 80); /* simulated: 57 and 68 */
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_and_its_stretch_are_inverse),
        cmocka_unit_test(the_model_alone_stays_beside_it),
        cmocka_unit_test(an_empty_network_stays_exact),
        cmocka_unit_test(latency_rises_with_the_load),
        cmocka_unit_test(forecasts_of_tori_rise_with_the_load),
        cmocka_unit_test(percentiles_of_routers_stay_in_order),
        cmocka_unit_test(calibrated_latencies_fall_only_where_the_model_does),
        cmocka_unit_test(parts_that_are_read_exist),
        cmocka_unit_test(far_from_the_data_the_model_answers_alone),
        cmocka_unit_test(a_steep_model_does_not_mislead_the_forecast),
        cmocka_unit_test(models_of_papers_are_never_calibrated),
        cmocka_unit_test(saturation_loads_are_calibrated),
        cmocka_unit_test(no_latency_far_beyond_the_saturation_load),
        cmocka_unit_test(tori_have_forecasts_beyond_the_saturation_load_of_the_model),
        cmocka_unit_test(a_network_may_saturate_before_its_model),
        cmocka_unit_test(another_fit_has_another_identity),
        cmocka_unit_test(percentiles_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
