/* A short validation: the simulator gives the known delays, ring-trains stays within 4 % of it, and
 * the published model misses by what it is known to miss. Fails if either side breaks. */
#include "test_support.h"

#include "flitcast/flitcast.h"
#include <string.h>

typedef struct values {
    double simulated, half_width, trains, paper;
} values;

static values evaluate(const char *rings, const char *traffic, const char *precision) {
    char text[256];
    const int length = snprintf(text, sizeof text,
                                "network: {topology: ring-hierarchy, rings: %s}\ntraffic: %s\n"
                                "simulation: {precision: %s, seed: 5}\n",
                                rings, traffic, precision);
    fc_scenario *scenario;
    fc_result *simulation, *trains, *paper;
    fc_error error;
    const fc_run_settings settings = fc_run_settings_default();
    assert_int_equal(
        fc_scenario_read_text(text, (size_t)length, "test", NULL, 0, &error, &scenario), FC_OK);
    assert_int_equal(fc_simulate(scenario, &settings, &error, &simulation), FC_OK);
    assert_int_equal(fc_predict(scenario, NULL, &error, &trains), FC_OK);
    assert_string_equal(trains->method, "ring-trains");
    assert_int_equal(fc_predict(scenario, "hamacher-jiang", &error, &paper), FC_OK);
    assert_int_equal(simulation->outcome, FC_OUTCOME_OK);
    const fc_metric *latency = fc_result_metric(simulation, "latency");
    const values found = {latency->value, latency->half_width,
                          fc_result_metric(trains, "latency")->value,
                          fc_result_metric(paper, "latency")->value};
    double parts = 0;
    for (size_t i = 0; i < simulation->part_count; ++i) {
        assert_string_equal(simulation->parts[i].name, trains->parts[i].name);
        parts += simulation->parts[i].value;
    }
    assert_close(parts, latency->value, 1e-9);
    /* The loads of the rings are exact in the models. */
    const fc_table *measured = fc_result_table(simulation, "channels");
    const fc_table *predicted = fc_result_table(trains, "channels");
    assert_int_equal(measured->rows, predicted->rows);
    for (size_t row = 0; row < measured->rows; ++row)
        assert_near(measured->values[2 * row], predicted->values[2 * row], 0.01);
    const fc_table *waits = fc_result_table(simulation, "queues");
    const fc_table *predicted_waits = fc_result_table(trains, "queues");
    assert_int_equal(waits->rows, predicted_waits->rows);
    for (size_t row = 0; row < waits->rows; ++row) {
        assert_string_equal(waits->row_labels[row], predicted_waits->row_labels[row]);
        assert_near(waits->values[row], predicted_waits->values[row],
                    0.15 * waits->values[row] + 0.02);
    }
    fc_result_free(simulation);
    fc_result_free(trains);
    fc_result_free(paper);
    fc_scenario_free(scenario);
    return found;
}

static void known_delays_of_512_stations(void **state) {
    (void)state;
    const values low = evaluate("[16, 32]", "{rate: 0.004, locality: [0.2]}", "0.01");
    assert_near(low.simulated, 36.79, 2 * low.half_width);
    assert_near(low.paper, 34.43, 0.005);
    const values high = evaluate("[16, 32]", "{rate: 0.005, locality: [0.3]}", "0.02");
    assert_near(high.simulated, 39.25, 2 * high.half_width);
    assert_near(high.paper, 34.20, 0.005);
    /* Without re-use of a vacated slot these would be 40.5 and 56.6. */
    assert_true(low.simulated < 38 && high.simulated < 42);
}

static void the_model_follows_the_simulation(void **state) {
    (void)state;
    static const struct {
        const char *rings, *traffic, *precision;
    } cases[] = {
        {"[4, 4]", "{rate: 0.14, locality: [0.2]}", "0.004"},
        {"[12, 6]", "{rate: 0.1, locality: [0.8]}", "0.004"},
        {"[6, 24]", "{rate: 0.012, locality: [0.1]}", "0.004"},
        {"[6, 6, 11]", "{rate: 0.004}", "0.004"},
        {"[4, 10, 4]", "{rate: 0.03, locality: [0.2, 0.6]}", "0.004"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const values found = evaluate(cases[i].rings, cases[i].traffic, cases[i].precision);
        assert_near(found.trains, found.simulated, 0.04 * found.simulated + found.half_width);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_delays_of_512_stations),
        cmocka_unit_test(the_model_follows_the_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
