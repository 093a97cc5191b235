/* Laws the models of open tori and meshes obey on networks drawn at random, and their agreement
 * with short simulations. */
#include "test_support.h"
#include "torus_support.h"

#include "base/random.h"
#include "network/torus_combinatorics.h"

static int64_t draw(fc_random *random, int64_t low, int64_t high) {
    return low + (int64_t)fc_random_below(random, (uint32_t)(high - low + 1));
}

/* Small enough for the checking build; every rule, topology and kind of links. */
static fc_torus random_torus(fc_random *random) {
    fc_integer_list radix = {.count = (size_t)draw(random, 1, 4)};
    for (size_t d = 0; d < radix.count; ++d)
        radix.values[d] = draw(random, 2, radix.count > 2 ? 5 : 12);
    const int channels = (int)draw(random, 2, 5);
    fc_torus torus = make_torus(radix, channels, (int)draw(random, 2, 64), 0.0);
    torus.links = draw(random, 0, 1) ? FC_BIDIRECTIONAL : FC_UNIDIRECTIONAL;
    torus.order = draw(random, 0, 1) ? FC_DESCENDING : FC_ASCENDING;
    torus.handover = draw(random, 0, 1) ? FC_SAME_CYCLE : FC_NEXT_CYCLE;
    torus.ejection_channels = draw(random, 1, channels);
    if (draw(random, 0, 3) == 0) {
        torus.topology = FC_MESH;
        torus.links = FC_BIDIRECTIONAL;
        torus.channel_rule = FC_FREE;
    } else if (channels % 2 == 0 && draw(random, 0, 2) == 0) {
        torus.channel_rule = FC_DATELINE;
    }
    return torus;
}

static double zero_load(const fc_torus *torus) {
    const fc_path_kind kind = torus->topology == FC_MESH         ? FC_LINE
                              : torus->links == FC_BIDIRECTIONAL ? FC_BIDIRECTIONAL_RING
                                                                 : FC_UNIDIRECTIONAL_RING;
    double hops = 0.0;
    for (size_t d = 0; d < torus->radix.count; ++d)
        hops += fc_ring_paths_of(torus->radix.values[d], kind).mean_hops;
    const double nodes = (double)torus->nodes;
    return (double)torus->message_flits + hops * nodes / (nodes - 1.0);
}

static fc_result *solve(const fc_model *model, fc_torus *torus, double rate) {
    const fc_scenario scenario = torus_scenario(torus);
    fc_error error;
    torus->rate = rate;
    fc_result *result = fc_result_create(&model->info, &scenario);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    return result;
}

static void check_latency(const fc_model *model, fc_torus *torus, double rate, double *before) {
    fc_result *result = solve(model, torus, rate);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    const double latency = fc_result_metric(result, "latency")->value;
    double parts = 0.0;
    for (size_t i = 0; i < result->part_count; ++i) {
        assert_true(result->parts[i].value >= -1e-9);
        parts += result->parts[i].value;
    }
    assert_close(parts, latency, 1e-12);
    assert_true(isfinite(latency) && latency >= *before * (1.0 - 1e-6));
    *before = latency;
    fc_result_free(result);
}

static void grow_from_zero_load_to_saturation(void **state) {
    (void)state;
    static const fc_model *const models[] = {&fc_model_najafabadi_sarbaziazad,
                                             &fc_model_najafabadi_sarbaziazad_literal,
                                             &fc_model_torus_sharing};
    fc_random random = fc_random_stream(5, 0, 0);
    size_t covered[3] = {0};
    for (int trial = 0; trial < 40; ++trial) {
        fc_torus torus = random_torus(&random);
        const fc_scenario scenario = torus_scenario(&torus);
        const double empty = zero_load(&torus);
        for (size_t m = 0; m < 3; ++m) {
            fc_error error;
            double limit, before = empty;
            if (models[m]->covers(&scenario, &error) != FC_OK)
                continue;
            ++covered[m];
            assert_int_equal(models[m]->saturation(&scenario, NULL, &error, &limit), FC_OK);
            /* no node takes or gives more than a flit a cycle */
            assert_true(limit > 0.0 && limit * (double)torus.message_flits <= 1.0 + 1e-9);
            check_latency(models[m], &torus, 1e-7 * limit, &before);
            assert_close(before, empty, 1e-4);
            for (int step = 0; step < 3; ++step)
                check_latency(models[m], &torus, (0.2 + 0.25 * step) * limit, &before);
            fc_result *result = solve(models[m], &torus, 1.2 * limit);
            assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
            assert_true(result->note[0] != '\0');
            fc_result_free(result);
        }
    }
    assert_true(covered[0] >= 5 && covered[1] == covered[0] && covered[2] == 40);
}

/* A descending order of the same radices in reverse is the same network. */
static void order_is_a_matter_of_names(void **state) {
    (void)state;
    fc_torus torus = make_torus((fc_integer_list){3, {3, 4, 6}}, 3, 20, 0.0);
    fc_torus mirror = make_torus((fc_integer_list){3, {6, 4, 3}}, 3, 20, 0.0);
    mirror.order = FC_DESCENDING;
    fc_result *one = solve(&fc_model_torus_sharing, &torus, 0.003);
    fc_result *other = solve(&fc_model_torus_sharing, &mirror, 0.003);
    assert_true(fc_result_metric(one, "latency")->value ==
                fc_result_metric(other, "latency")->value);
    assert_string_equal(fc_result_table(one, "channels")->row_labels[0], "dimension 0");
    assert_string_equal(fc_result_table(other, "channels")->row_labels[0], "dimension 2");
    fc_result_free(one);
    fc_result_free(other);
}

static void agree_with_short_simulations(void **state) {
    (void)state;
    static const struct {
        const char *network;
        double rate;
        int flits;
    } cases[] = {
        {"{topology: torus, radix: [5, 5], links: unidirectional, virtual_channels: 3, handover: "
         "next-cycle, ejection_channels: 3}",
         0.006, 16},
        {"{topology: torus, radix: [4, 4, 4], virtual_channels: 3}", 0.012, 16},
        {"{topology: torus, radix: [6, 6], virtual_channels: 2, channel_rule: dateline}", 0.01, 12},
    };
    const fc_run_settings settings = fc_run_settings_default();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[400];
        const int length = snprintf(text, sizeof text,
                                    "network: %s\ntraffic: {rate: %g, message_flits: %d}\n"
                                    "simulation: {precision: 0.02, seed: 3}\n",
                                    cases[i].network, cases[i].rate, cases[i].flits);
        fc_scenario *scenario;
        fc_result *simulated, *predicted;
        fc_error error;
        assert_int_equal(
            fc_scenario_read_text(text, (size_t)length, "test", NULL, 0, &error, &scenario), FC_OK);
        assert_int_equal(fc_simulate(scenario, &settings, &error, &simulated), FC_OK);
        assert_int_equal(fc_predict(scenario, "torus-sharing", &error, &predicted), FC_OK);
        assert_close(fc_result_metric(predicted, "latency")->value,
                     fc_result_metric(simulated, "latency")->value, 0.08);
        fc_result_free(simulated);
        fc_result_free(predicted);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grow_from_zero_load_to_saturation),
        cmocka_unit_test(order_is_a_matter_of_names),
        cmocka_unit_test(agree_with_short_simulations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
