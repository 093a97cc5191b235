/* network.extra_links: the same network as a file that has these links, to the last bit; and what
 * flitcast explain makes of it: the links that carry most by the forecast of exactly that scenario,
 * the best of them simulated. */
#include "scenario_support.h"

#include "forecast/forecast.h"
#include "network/router_network.h"

/* Six routers in a ring with two nodes each, and a narrow chord. */
static const char ring[] =
    "router 0 node 0 node 1 router 1 2\nrouter 1 node 2 node 3 router 2 2\n"
    "router 2 node 4 node 5 router 3 2\nrouter 3 node 6 node 7 router 4 2\n"
    "router 4 node 8 node 9 router 5 2\nrouter 5 node 10 node 11 router 0 2\n"
    "router 0 router 3 delay 4 width 0.5\n"
    "router 1 router 0 2\nrouter 2 router 1 2\nrouter 3 router 2 2\n"
    "router 4 router 3 2\nrouter 5 router 4 2\nrouter 0 router 5 2\n";

static void write_file(const char *name, const char *text, const char *more) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", text, more);
    fclose(file);
}

static const char scenario_text[] =
    "network: {topology: graph, file: extra_test.graph, virtual_channels: 4, router_delay: 2}\n"
    "traffic: {rate: 0.05, message_flits: 4}\nsimulation: {seed: 3, precision: 0.05}\n";

static fc_result *must_simulate(const fc_scenario *scenario) {
    fc_error error;
    fc_result *result;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

static void is_the_network_with_these_links(void **state) {
    (void)state;
    write_file("extra_test.graph", ring, "");
    fc_scenario *extra =
        must_read(scenario_text, "network.extra_links", "[[0, 3], [1, 4, 7], [5, 2]]");
    write_file("more_test.graph", ring,
               "router 0 router 3 delay 4 width 0.5\nrouter 1 router 4 7\nrouter 4 router 1 7\n"
               "router 5 router 2\n");
    fc_scenario *file = must_read(scenario_text, "network.file", "more_test.graph");
    fc_result *one = must_simulate(extra), *other = must_simulate(file);
    assert_int_equal(one->metric_count, other->metric_count);
    for (size_t m = 0; m < one->metric_count; ++m)
        assert_true(one->metrics[m].value == other->metrics[m].value);
    must_read_back(extra);
    fc_result_free(one);
    fc_result_free(other);
    fc_scenario_free(extra);
    fc_scenario_free(file);
}

static void errors_name_the_router(void **state) {
    (void)state;
    write_file("extra_test.graph", ring, "");
    must_refuse(scenario_text, "network.extra_links", "[[0, 6]]", "the last one of");
    must_refuse(scenario_text, "network.extra_links", "[0, 3]", "[router, router, cycles]");
    must_refuse(scenario_text, "network.extra_links", "[[2, 2]]", "to itself");
    must_refuse(scenario_text, "network.extra_links", "[[0, 3, 0]]", "from 1 to");
    must_refuse("network: {topology: mesh, radix: [4, 4], extra_links: [[0, 5]]}\n"
                "traffic: {rate: 0.01}\n",
                NULL, NULL, "extra_links");
}

static double saturation_of(const fc_scenario *scenario, const char *model) {
    fc_error error;
    fc_forecast *forecast;
    fc_load_range range;
    if (fc_forecast_create(scenario, model, &error, &forecast) != FC_OK ||
        fc_forecast_saturation(forecast, &error, &range) != FC_OK)
        fail_msg("%s", error.text);
    fc_forecast_free(forecast);
    return range.load;
}

/* A second link takes half of the load of the first, and nothing off the others: no forecast is
 * above what the busiest of those carries. */
static void parallel_links_divide_evenly(void **state) {
    (void)state;
    static const char *const links[] = {"[[0, 5]]", "[[0, 5], [4, 3]]", "[[0, 1], [0, 1]]"};
    write_file("extra_test.graph", ring, "");
    for (size_t i = 0; i < sizeof links / sizeof *links; ++i) {
        fc_scenario *scenario = must_read(scenario_text, "network.extra_links", links[i]);
        const double bound = saturation_of(scenario, "channel-load");
        assert_true(saturation_of(scenario, NULL) <= bound * (1 + 1e-9));
        assert_true(saturation_of(scenario, "router-queueing") <= bound * (1 + 1e-9));
        fc_scenario_free(scenario);
    }
}

static void explain_ranks_and_checks(void **state) {
    (void)state;
    fc_error error;
    fc_explanation *found;
    const fc_explain_settings settings = {.simulate = true};
    write_file("extra_test.graph", ring, "");
    fc_scenario *scenario = must_read(scenario_text, NULL, NULL);
    if (fc_explain(scenario, &settings, NULL, &error, &found) != FC_OK)
        fail_msg("%s", error.text);
    assert_true(found->carrier_count > 1);
    size_t links = 0;
    double last = INFINITY;
    for (size_t i = 0; i < found->carrier_count; ++i) {
        const fc_lever *lever = &found->levers[found->carriers[i].lever];
        const fc_step *step = found->carriers[i].upward ? &lever->up : &lever->down;
        assert_true(step->saturation <= last && step->saturation > found->saturation);
        last = step->saturation;
        if (strcmp(lever->key, "network.extra_links") != 0)
            continue;
        ++links;
        const fc_setting change = {lever->key, step->value};
        fc_scenario *changed;
        assert_int_equal(fc_scenario_with(scenario, &change, 1, &error, &changed), FC_OK);
        assert_close(saturation_of(changed, NULL), step->saturation, 1e-9);
        fc_scenario_free(changed);
    }
    assert_true(links > 0);
    assert_true(found->check.load > found->saturation);
    assert_int_equal(found->check.present.outcome, FC_OUTCOME_SATURATED);
    assert_int_equal(found->check.changed.outcome, FC_OUTCOME_OK);
    fc_explanation_free(found);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_network_with_these_links), cmocka_unit_test(errors_name_the_router),
        cmocka_unit_test(parallel_links_divide_evenly), cmocka_unit_test(explain_ranks_and_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
