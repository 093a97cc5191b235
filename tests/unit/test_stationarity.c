/* A simulation is not called settled because its main metric does not move: the network may still
 * fill. And it takes no longer than what was asked for needs, or than it may. */
#include "scenario_support.h"

#include "base/random.h"
#include "simulators/observations.h"

static fc_result *simulate(const char *text, const fc_setting *settings, size_t count) {
    fc_error error;
    fc_scenario *scenario;
    fc_result *result;
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", settings, count, &error,
                              &scenario) != FC_OK ||
        fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static const fc_metric *metric(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    if (!found)
        fail_msg("no %s: %s", name, result->note);
    return found;
}

/* ---- closed traffic with many requests ----
 *
 * Each processor starts with all its requests and is busy until they have left, whatever the
 * network does meanwhile. With requests enough, the network is the bottleneck: a run to 0.2 % gives
 * an efficiency of 0.797 for a think time of 20, whatever their number. */

static const char closed_torus[] = "network: {topology: torus, radix: [4, 4], order: descending}\n"
                                   "traffic: {kind: closed, outstanding: 128, think_time: 20}\n";

static void a_full_processor_is_not_a_settled_network(void **state) {
    (void)state;
    static const struct {
        const char *outstanding, *think_time, *precision, *replications;
        double efficiency;
    } cases[] = {
        {"64", "20", "0.05", "4", 0.797},   {"128", "20", "0.01", "4", 0.797},
        {"256", "20", "0.02", "4", 0.797},  {"512", "20", "0.05", "2", 0.797},
        {"1000", "20", "0.05", "2", 0.797}, {"1000", "1", "0.05", "2", 0.0398},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const fc_setting settings[] = {{"traffic.outstanding", cases[i].outstanding},
                                       {"traffic.think_time", cases[i].think_time},
                                       {"simulation.precision", cases[i].precision},
                                       {"simulation.replications", cases[i].replications}};
        fc_result *result = simulate(closed_torus, settings, 4);
        const fc_metric *efficiency = metric(result, "efficiency");
        const double throughput = metric(result, "throughput")->value;
        print_message("outstanding %s, think time %s: %.4f +- %.4f, throughput %.5f\n",
                      cases[i].outstanding, cases[i].think_time, efficiency->value,
                      efficiency->half_width, throughput);
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        assert_true(efficiency->half_width > 0);
        assert_near(efficiency->value, cases[i].efficiency,
                    2 * atof(cases[i].precision) * cases[i].efficiency);
        assert_close(throughput * atof(cases[i].think_time), efficiency->value,
                     2 * atof(cases[i].precision));
        fc_result_free(result);
    }
}

/* A network that is no bottleneck leaves processors busy all the time: nothing else was seen, which
 * is not the same as certainty. */
static void what_never_differed_is_not_certain(void **state) {
    (void)state;
    const fc_setting settings[] = {{"traffic.outstanding", "64"}, {"traffic.think_time", "100"}};
    fc_result *result = simulate(closed_torus, settings, 2);
    const fc_metric *efficiency = metric(result, "efficiency");
    assert_true(efficiency->value == 1);
    assert_true(efficiency->half_width > 1e-6 && efficiency->half_width < 1e-2);
    fc_result_free(result);

    fc_result *deep = simulate("network: {topology: multistage, ports: 16, switch: 2, buffer: 40}\n"
                               "traffic: {rate: 0.3}\nsimulation: {precision: 0.02}\n",
                               NULL, 0);
    assert_true(metric(deep, "loss")->value == 0);
    assert_true(metric(deep, "loss")->half_width > 1e-6);
    fc_result_free(deep);
}

/* ---- the judgements ---- */

static const fc_metric_id one[] = {FC_METRIC_LATENCY, FC_METRIC_NONE};
static const char *const station_names[] = {"the station", NULL};

enum { REPLICATIONS = 4, BATCHES = 200, LENGTH = 10 };

/* A station that 5 messages leave in a cycle, each after `stay` cycles, and whose population starts
 * at `start`, grows by `growth` in a cycle and has noise of its own. */
static fc_observations station(double start, double growth, double noise, double stay) {
    fc_observations o;
    fc_error error;
    assert_int_equal(fc_observations_create(&(fc_observed){one, station_names, NULL}, REPLICATIONS,
                                            LENGTH, &error, &o),
                     FC_OK);
    for (size_t batch = 0; batch < BATCHES; ++batch) {
        for (uint32_t replication = 0; replication < REPLICATIONS; ++replication) {
            fc_random random = fc_random_stream(7, replication, (uint32_t)batch);
            double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0};
            fc_sample sample = {.sums = sums, .weights = weights};
            sample.stations[0] = (fc_station){
                .population = start + growth * LENGTH * (double)(batch + 1) +
                              noise * (fc_random_unit(&random) - 0.5),
                .left = 5 * LENGTH,
                .stay = 5 * LENGTH * stay,
            };
            fc_observations_store(&o, replication, 0, &sample);
        }
        fc_observations_advance(&o, 1);
    }
    return o;
}

static void a_drift_is_told_from_noise(void **state) {
    (void)state;
    fc_observations o = station(100, 0.05, 10, 20);
    fc_imbalance drift = fc_observations_drift(&o, 0, BATCHES / 2);
    assert_close(drift.share, 0.01, 0.1); /* 0.05 of 5 messages in a cycle */
    assert_true(drift.deviations > 4);
    fc_observations_free(&o);
    o = station(100, 0, 10, 20);
    for (size_t batches = 20; batches <= BATCHES; batches += 20)
        assert_true(fc_observations_drift(&o, 0, batches).deviations < 2);
    fc_observations_free(&o);
}

static void littles_law_is_checked(void **state) {
    (void)state;
    const double stays[] = {20, 19};
    for (size_t i = 0; i < 2; ++i) {
        fc_observations o = station(100, 0, 10, stays[i]);
        o.points = o.count; /* as after a warm-up of one batch */
        --o.count;
        const fc_imbalance little = fc_observations_little(&o, 0);
        print_message("stay %g: off by %.4f, %.1f deviations\n", stays[i], little.share,
                      little.deviations);
        assert_near(little.share, i == 0 ? 0 : 0.05, 0.01);
        assert_true((little.deviations > 20) == (i == 1));
        fc_observations_free(&o);
    }
}

/* ---- no longer than it takes ---- */

/* Half widths of 0.44 and 0.14 % where 5 % were asked for; and a large torus within few cycles. */
static void precision_shortens_a_run(void **state) {
    (void)state;
    static const struct {
        const char *radix, *rate;
        double cycles; /* of all replications, at most */
    } cases[] = {
        {"[8, 8]", "0.005", 20000}, {"[8, 8, 8]", "0.005", 10000}, {"[16, 16, 16]", "0.002", 5000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const fc_setting settings[] = {{"network.radix", cases[i].radix},
                                       {"traffic.rate", cases[i].rate}};
        fc_result *result = simulate("network: {topology: torus, radix: [8, 8]}\n"
                                     "traffic: {rate: 0.005, message_flits: 16}\n"
                                     "simulation: {precision: 0.05}\n",
                                     settings, 2);
        const fc_metric *latency = metric(result, "latency");
        print_message("%s: %.2f %% after %.0f cycles\n", cases[i].radix,
                      100 * latency->half_width / latency->value, result->run.cycles);
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        assert_true(latency->half_width < 0.05 * latency->value);
        assert_true(result->run.cycles <= cases[i].cycles);
        if (i < 2)
            assert_true(latency->half_width > 0.005 * latency->value);
        fc_result_free(result);
    }
}

/* At exactly its capacity a queue neither settles nor proves that it does not. */
static void a_network_at_its_capacity_ends(void **state) {
    (void)state;
    const fc_setting settings[] = {{"simulation.max_cycles", "1000000"}};
    fc_result *result =
        simulate("network: {topology: multistage, ports: 16, switch: 2, buffer: infinite}\n"
                 "traffic: {rate: 1}\n",
                 settings, 1);
    print_message("%.0f cycles: %s\n", result->run.cycles / 4, result->note);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    assert_true(result->run.cycles / 4 < 300000);
    fc_result_free(result);
}

static void time_ends_a_run_and_the_note_says_so(void **state) {
    (void)state;
    const fc_setting settings[] = {{"simulation.max_seconds", "0.3"}};
    const char *const texts[] = {
        "network: {topology: multistage, ports: 64, switch: 2, buffer: 1000}\ntraffic: {rate: "
        "1.2}\n",
        "network: {topology: ring-hierarchy, rings: [8, 8]}\n"
        "traffic: {rate: 0.01, locality: [0.2]}\nsimulation: {precision: 0.00001}\n"};
    for (size_t i = 0; i < 2; ++i) {
        fc_result *result = simulate(texts[i], settings, 1);
        assert_non_null(strstr(result->note, "simulation.max_seconds"));
        assert_true(result->run.seconds < 60);
        assert_int_equal(result->outcome, i == 0 ? FC_OUTCOME_NOT_CONVERGED : FC_OUTCOME_OK);
        assert_true(result->run.warmup_cycles > 0);
        fc_result_free(result);
    }
}

/* A point of a sweep at its capacity, where a run takes a minute; the other one takes milliseconds,
 * so that a busy machine has time for it. */
static void a_point_does_not_hold_a_study(void **state) {
    (void)state;
    fc_scenario *scenario =
        must_read("network: {topology: mesh, radix: [16, 16], virtual_channels: 2, "
                  "router_delay: [1, 1, 1, 1]}\n"
                  "traffic: {message_flits: 5, rate: 0.01}\n"
                  "simulation: {point_seconds: 2}\n",
                  NULL, NULL);
    fc_axis axis;
    fc_error error;
    assert_int_equal(fc_axis_parse("traffic.rate=0.01,0.036", &error, &axis), FC_OK);
    const fc_sweep_settings wanted = {
        .axes = &axis, .axis_count = 1, .no_model = true, .simulate = true};
    fc_sweep *sweep;
    assert_int_equal(fc_sweep_run(scenario, &wanted, NULL, &error, &sweep), FC_OK);
    assert_int_equal(sweep->point_count, 2);
    const fc_result *easy = sweep->results[0], *hard = sweep->results[1];
    assert_int_equal(easy->outcome, FC_OUTCOME_OK);
    assert_int_not_equal(hard->outcome, FC_OUTCOME_OK);
    assert_non_null(strstr(hard->note, "simulation.point_seconds"));
    assert_true(hard->run.seconds < 30);
    fc_axis_clear(&axis);
    fc_sweep_free(sweep);
    fc_scenario_free(scenario);
}

/* A limit that is off is no part of a scenario's identity. */
static void a_time_limit_that_is_off_changes_no_hash(void **state) {
    (void)state;
    fc_scenario *none = must_read(closed_torus, NULL, NULL);
    fc_scenario *off = must_read(closed_torus, "simulation.max_seconds", "0");
    fc_scenario *on = must_read(closed_torus, "simulation.max_seconds", "5");
    assert_string_equal(fc_scenario_hash(none), fc_scenario_hash(off));
    assert_string_not_equal(fc_scenario_hash(none), fc_scenario_hash(on));
    fc_scenario_free(none);
    fc_scenario_free(off);
    fc_scenario_free(on);
}

/* ---- limits come before memory and time ---- */

static void a_million_requests_a_node_are_refused(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(closed_torus, "traffic.outstanding", "1000000");
    fc_error error;
    fc_result *result;
    assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_ERROR_UNSUPPORTED);
    must_say(error.text, "at most 1 GiB for outstanding requests");
    fc_scenario_free(scenario);
}

/* While an empty network fills, its population grows at any load; also if so few cycles are allowed
 * that the warm-up must be short. */
static void a_large_network_that_fills_is_not_saturated(void **state) {
    (void)state;
    static const char *const cycles[] = {"1000", "2000"};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; ++i) {
        const fc_setting settings[] = {{"simulation.max_cycles", cycles[i]},
                                       {"simulation.replications", "2"}};
        fc_result *result = simulate("network: {topology: torus, radix: [48, 48], "
                                     "virtual_channels: 4, router_delay: [1, 1, 1, 1], buffer: 8}\n"
                                     "traffic: {rate: 0.04, message_flits: 1}\n",
                                     settings, 2);
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        fc_result_free(result);
    }
}

/* Each key is compared with those before it: of 40,000 that took 8 seconds. */
static void a_file_of_unknown_keys_is_soon_refused(void **state) {
    (void)state;
    enum { KEYS = 40000, LINE = 16 };
    char *text = malloc(64 + (size_t)KEYS * LINE);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "network: {topology: torus}\ntraffic:\n");
    for (int i = 0; i < KEYS; ++i)
        length += (size_t)sprintf(text + length, "  key%d: 1\n", i);
    must_refuse(text, NULL, NULL, "no group of more than 1000 keys");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_processor_is_not_a_settled_network),
        cmocka_unit_test(what_never_differed_is_not_certain),
        cmocka_unit_test(a_drift_is_told_from_noise),
        cmocka_unit_test(littles_law_is_checked),
        cmocka_unit_test(precision_shortens_a_run),
        cmocka_unit_test(a_network_at_its_capacity_ends),
        cmocka_unit_test(time_ends_a_run_and_the_note_says_so),
        cmocka_unit_test(a_point_does_not_hold_a_study),
        cmocka_unit_test(a_time_limit_that_is_off_changes_no_hash),
        cmocka_unit_test(a_million_requests_a_node_are_refused),
        cmocka_unit_test(a_large_network_that_fills_is_not_saturated),
        cmocka_unit_test(a_file_of_unknown_keys_is_soon_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
