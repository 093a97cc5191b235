/* The calibration of closed and multistage networks: what it may change, and what still holds. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "base/random.h"
#include "registry/calibration_factors.h"
#include "registry/parts.h"
#include "suite.h"

static fc_scenario *scenario_of(const char *network, const char *traffic) {
    char text[1024];
    fc_error error;
    fc_scenario *scenario;
    const int length =
        snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s}\n", network, traffic);
    if (fc_scenario_read_text(text, (size_t)length, "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static fc_result *predicted(const char *network, const char *traffic, const char *model) {
    fc_scenario *scenario = scenario_of(network, traffic);
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

static double part_of(const fc_result *result, const char *name) {
    double value = NAN;
    for (size_t p = 0; p < result->part_count; ++p)
        if (strcmp(result->parts[p].name, name) == 0)
            value = result->parts[p].value;
    return value;
}

static double sum_of_parts(const fc_result *result) {
    double sum = 0;
    for (size_t p = 0; p < result->part_count; ++p) {
        assert_true(result->parts[p].value >= 0);
        sum += result->parts[p].value;
    }
    return sum;
}

/* Beside each value that was changed stands what the model alone says. */
static void check_alone(const fc_result *with, const fc_result *alone) {
    for (size_t m = 0; m < with->metric_count; ++m) {
        const fc_metric *metric = &with->metrics[m];
        assert_close(isnan(metric->uncalibrated) ? metric->value : metric->uncalibrated,
                     value_of(alone, metric->name), 1e-15);
    }
}

/* ---- closed traffic ---- */

static void shifts_are_inverse(void **state) {
    (void)state;
    for (double efficiency = 0.1; efficiency < 0.9; efficiency += 0.1) {
        fc_cycle cycle = {.outstanding = 4, .think = 30, .reply = 5, .empty = 20};
        cycle.efficiency = efficiency;
        cycle.network = cycle.empty + 0.6 * fc_cycle_excess(&cycle, efficiency);
        assert_close(fc_cycle_share(&cycle), 0.6, 1e-12);
        assert_close(fc_cycle_efficiency(&cycle, 0), efficiency, 1e-12);
        for (double t = -0.8; t < 1; t += 0.2) {
            const double moved = fc_cycle_efficiency(&cycle, t);
            const double network = fc_cycle_network(&cycle, moved, t);
            assert_near(fc_cycle_shift(&cycle, moved), t, 1e-9);
            assert_near(fc_cycle_network_shift(&cycle, moved, network), t, 1e-9);
            assert_true(network > cycle.empty && moved < fc_cycle_most(&cycle));
        }
    }
}

static void check_round_trip(const fc_scenario *scenario, const fc_result *result) {
    double requests, think;
    assert_int_equal(fc_scenario_number(scenario, "traffic.outstanding", NULL, &requests), FC_OK);
    assert_int_equal(fc_scenario_number(scenario, "traffic.think_time", NULL, &think), FC_OK);
    const double efficiency = value_of(result, "efficiency"),
                 round_trip = value_of(result, "round_trip"),
                 network = value_of(result, "network_time");
    assert_close(value_of(result, "throughput") * think, efficiency, 1e-6);
    assert_close(value_of(result, "throughput") * round_trip, requests, 1e-6);
    assert_close(network + value_of(result, "remote_time"), value_of(result, "response_time"),
                 1e-9);
    assert_close(sum_of_parts(result), round_trip, 1e-6);
    assert_close(part_of(result, FC_PART_NODE_LINK) + part_of(result, FC_PART_ALONE) +
                     part_of(result, FC_PART_SHARING),
                 network, 1e-6);
    assert_true(efficiency <= 1 && value_of(result, "efficiency_max") <= 1);
    assert_true(value_of(result, "efficiency_min") <= efficiency * (1 + 1e-9));
    assert_true(value_of(result, "efficiency_max") >= efficiency * (1 - 1e-9));
    assert_true(result->value_low < efficiency && result->value_high >= efficiency);
    assert_true(result->time_low < network && result->time_high > network);
}

static void closed_networks_still_add_up(void **state) {
    (void)state;
    enum { NETWORKS = 60 };
    static const uint64_t seed = 4711;
    fc_random random = fc_random_stream(seed, 0, 0);
    size_t calibrated = 0;
    for (int i = 0; i < NETWORKS; ++i) {
        char network[320], traffic[320];
        suite_draw_closed(&random, network, traffic);
        fc_result *with = predicted(network, traffic, NULL);
        fc_scenario *scenario = scenario_of(network, traffic);
        assert_string_equal(with->method, "closed-refined");
        if (with->calibrated) {
            fc_result *alone = predicted(network, traffic, FC_UNCALIBRATED);
            assert_int_equal(with->outcome, FC_OUTCOME_OK);
            check_round_trip(scenario, with);
            check_alone(with, alone);
            fc_result_free(alone);
        }
        calibrated += with->calibrated > 0;
        fc_scenario_free(scenario);
        fc_result_free(with);
    }
    assert_true(calibrated > NETWORKS * 8 / 10);
}

static const char requests[] =
    "requests: [{share: 1, flits: 4, reply_flits: 8, memory_reply: 4, memory_busy: 6}]";

static fc_result *closed_at(const char *network, unsigned outstanding, double think,
                            const char *model) {
    char traffic[320];
    snprintf(traffic, sizeof traffic,
             "kind: closed, outstanding: %u, think_time: %g, destinations: uniform, %s",
             outstanding, think, requests);
    return predicted(network, traffic, model);
}

static void processors_that_think_longer_wait_less(void **state) {
    (void)state;
    static const char *const networks[] = {"topology: torus, radix: [6, 6]",
                                           "topology: mesh, radix: [4, 8]",
                                           "topology: torus, radix: [5, 5], links: unidirectional"};
    for (size_t n = 0; n < 3; ++n)
        for (unsigned outstanding = 1; outstanding <= 4; outstanding *= 4) {
            double last = 0, last_time = INFINITY;
            for (double think = 8; think <= 400; think *= 1.3) {
                fc_result *result = closed_at(networks[n], outstanding, think, NULL);
                const double efficiency = value_of(result, "efficiency"),
                             time = value_of(result, "network_time");
                assert_true(result->calibrated);
                assert_true(efficiency > 0.999 * last && time < 1.005 * last_time);
                last = efficiency;
                last_time = time;
                fc_result_free(result);
            }
            assert_true(last > 0.8);
        }
}

static void a_network_without_waiting_is_exact(void **state) {
    (void)state;
    fc_result *with = closed_at("topology: torus, radix: [6, 6]", 1, 400, NULL);
    fc_result *alone = closed_at("topology: torus, radix: [6, 6]", 1, 400, FC_UNCALIBRATED);
    const double empty = part_of(alone, FC_PART_ALONE);
    assert_true(with->calibrated && !alone->calibrated);
    assert_close(part_of(with, FC_PART_ALONE), empty, 1e-15);
    const double excess = value_of(alone, "network_time") - empty;
    assert_true(fabs(value_of(with, "network_time") - empty - excess) < 0.5 * excess);
    fc_result_free(with);
    fc_result_free(alone);
}

/* A model asked for by name, a model of a paper, and networks unlike all that were simulated. */
static void only_the_default_model_near_the_data(void **state) {
    (void)state;
    static const char torus[] = "topology: torus, radix: [6, 6]";
    static const char *const models[] = {"closed-refined", "adve-vernon", FC_UNCALIBRATED};
    for (size_t m = 0; m < 3; ++m) {
        fc_result *result = closed_at(torus, 4, 40, models[m]);
        assert_int_equal(result->calibrated, 0);
        assert_true(isnan(fc_result_metric(result, "efficiency")->uncalibrated));
        fc_result_free(result);
    }
    fc_result *result = closed_at(torus, 200, 100, NULL);
    assert_int_equal(result->calibrated, 0);
    fc_result_free(result);
    assert_null(fc_factor_find("adve-vernon"));
    assert_null(fc_factor_find("mohapatra-das"));
    const fc_factor_calibration *closed = fc_factor_find("closed-refined"),
                                *multistage = fc_factor_find("multistage-backpressure");
    assert_true(fc_factor_identity(closed) && fc_factor_identity(multistage) &&
                fc_factor_identity(closed) != fc_factor_identity(multistage));
}

/* ---- multistage networks ---- */

static void with_rate(char *traffic, size_t size, double rate) {
    const size_t used = strlen(traffic);
    snprintf(traffic + used, size - used, "%srate: %.9g", used ? ", " : "", rate);
}

static void check_latency(const fc_scenario *scenario, const fc_result *result) {
    double ports, limit, hot;
    const double latency = value_of(result, "latency"), carried = value_of(result, "throughput");
    assert_int_equal(fc_scenario_number(scenario, "network.ports", NULL, &ports), FC_OK);
    assert_close(sum_of_parts(result), latency, 1e-9);
    assert_close(value_of(result, "power"), ports * carried / latency, 1e-9);
    assert_true(latency > part_of(result, FC_PART_SERVICE));
    if (fc_scenario_number(scenario, "traffic.outstanding", NULL, &limit) == FC_OK && limit > 0)
        assert_true(carried * latency <= limit * (1 + 1e-9));
    if (fc_result_metric(result, "latency_hot")) {
        const double of_hot = value_of(result, "latency_hot"),
                     cold = value_of(result, "latency_cold");
        hot = (latency - cold) / (of_hot - cold);
        const fc_metric *whole = fc_result_metric(result, "latency");
        const double alone_hot = fc_result_metric(result, "latency_hot")->uncalibrated,
                     alone_cold = fc_result_metric(result, "latency_cold")->uncalibrated;
        assert_near(hot, (whole->uncalibrated - alone_cold) / (alone_hot - alone_cold), 1e-6);
    }
    assert_true(result->value_low < latency && result->value_high > latency);
}

static void multistage_networks_still_add_up(void **state) {
    (void)state;
    enum { NETWORKS = 150 };
    static const uint64_t seed = 4712;
    fc_random random = fc_random_stream(seed, 0, 0);
    size_t calibrated = 0, answers = 0;
    for (int i = 0; i < NETWORKS; ++i) {
        char network[320], traffic[400];
        suite_draw_multistage(&random, network, traffic);
        with_rate(traffic, sizeof traffic, 0.02 + 0.3 * fc_random_unit(&random));
        fc_result *with = predicted(network, traffic, NULL);
        fc_scenario *scenario = scenario_of(network, traffic);
        assert_string_equal(with->method, "multistage-backpressure");
        if (with->calibrated) {
            fc_result *alone = predicted(network, traffic, FC_UNCALIBRATED);
            assert_int_equal(with->outcome, FC_OUTCOME_OK);
            check_latency(scenario, with);
            check_alone(with, alone);
            fc_result_free(alone);
        }
        answers += with->outcome == FC_OUTCOME_OK;
        calibrated += with->calibrated > 0;
        fc_scenario_free(scenario);
        fc_result_free(with);
    }
    assert_true(calibrated > answers * 2 / 3);
}

static void latencies_rise_from_the_empty_network(void **state) {
    (void)state;
    static const char network[] = "topology: multistage, ports: 64, switch: 4, buffer: 4";
    double last = 0;
    for (double rate = 0.05; rate < 0.95; rate += 0.03) {
        char traffic[64] = "";
        with_rate(traffic, sizeof traffic, rate);
        fc_result *result = predicted(network, traffic, NULL);
        const double latency = value_of(result, "latency");
        assert_true(result->calibrated && latency > last);
        if (last == 0)
            assert_near(latency, 3, 0.1);
        last = latency;
        fc_result_free(result);
    }
}

/* One stage without contention is an M/D/1 queue, with or without a limit of its places. */
static void exact_answers_are_left_alone(void **state) {
    (void)state;
    static const char *const buffers[] = {"infinite", "4"};
    for (size_t b = 0; b < 2; ++b) {
        char network[128];
        snprintf(network, sizeof network, "topology: multistage, ports: 8, switch: 8, buffer: %s",
                 buffers[b]);
        fc_result *result = predicted(network, "rate: 0.6", NULL);
        assert_int_equal(result->calibrated, 0);
        if (b == 0)
            assert_close(value_of(result, "latency"), 1 + 0.6 / (2 * 0.4), 1e-9);
        fc_result_free(result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifts_are_inverse),
        cmocka_unit_test(closed_networks_still_add_up),
        cmocka_unit_test(processors_that_think_longer_wait_less),
        cmocka_unit_test(a_network_without_waiting_is_exact),
        cmocka_unit_test(only_the_default_model_near_the_data),
        cmocka_unit_test(multistage_networks_still_add_up),
        cmocka_unit_test(latencies_rise_from_the_empty_network),
        cmocka_unit_test(exact_answers_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
