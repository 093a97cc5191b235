/* Networks at equal bisection, wires and pins: how wide flits become, and how long messages. */
#include "scenario_support.h"

#include <math.h>
#include "scenario/routed.h"

enum { NETWORKS = 3 };

static const char mesh[] = "name: mesh\nnetwork: {topology: mesh, radix: [4, 4], flit_bytes: 16}\n"
                           "traffic: {rate: 0.01, message_flits: 5}\n";
static const char torus[] = "name: torus\nnetwork: {topology: torus, radix: [4, 4]}\n"
                            "traffic: {rate: 0.01, message_flits: 5}\n";
static const char cube[] = "name: cube\nnetwork: {topology: hypercube, dimensions: 4, "
                           "flit_bytes: 16, virtual_channels: 2}\n"
                           "traffic: {rate: 0.01, message_mix: [{flits: 1, share: 0.5}, "
                           "{flits: 5, share: 0.5}]}\n";

static void equalize(const char *const *texts, size_t count, fc_equality equal, fc_equalized *how,
                     fc_scenario **made) {
    fc_scenario *scenarios[NETWORKS];
    fc_error error;
    for (size_t i = 0; i < count; ++i)
        scenarios[i] = must_read(texts[i], NULL, NULL);
    if (fc_equalize((const fc_scenario *const *)scenarios, count, equal, &error, made, how) !=
        FC_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < count; ++i)
        fc_scenario_free(scenarios[i]);
}

/* A 4x4 mesh has 4 flits a cycle, a torus and a hypercube 8: their flits are half as wide. */
static void flits_are_as_wide_as_the_bisection_allows(void **state) {
    (void)state;
    static const char *const texts[] = {mesh, torus, cube};
    fc_equalized how[NETWORKS];
    fc_scenario *made[NETWORKS];
    equalize(texts, 3, FC_EQUAL_BISECTION, how, made);
    assert_true(how[0].amount == 4 && how[1].amount == 8 && how[2].amount == 8);
    assert_true(how[0].width == 1 && how[1].width == 0.5 && how[2].width == 0.5);
    assert_true(how[0].flits == 5 && how[1].flits == 10 && how[2].flits == 6);
    assert_true(how[0].flit_bytes == 16 && how[1].flit_bytes == 0 && how[2].flit_bytes == 8);
    must_say(how[1].text, "0.5 times as wide");
    must_say(how[1].text, "messages of 10 flits, not 5");
    for (int i = 0; i < 3; ++i) { /* bits across the bisection are the same for all */
        fc_counts counts;
        assert_int_equal(fc_scenario_counts(made[i], NULL, &counts), FC_OK);
        assert_true(counts.bisection * how[i].width == 4);
        fc_scenario_free(made[i]);
    }
}

static void wires_and_pins(void **state) {
    (void)state;
    static const char *const texts[] = {mesh, torus};
    fc_equalized how[NETWORKS];
    fc_scenario *made[NETWORKS];
    equalize(texts, 2, FC_EQUAL_WIRES, how, made);
    assert_close(how[1].width, 24.0 / 32, 1e-12);
    assert_int_equal(fc_scenario_routed(made[1])->message_flits, 7); /* 6.67, whole */
    fc_scenario_free(made[0]);
    fc_scenario_free(made[1]);
    equalize(texts, 2, FC_EQUAL_PINS, how, made);
    assert_close(how[1].width, (2 * 24 + 16) / (2 * 32.0 + 16), 1e-12);
    fc_scenario_free(made[0]);
    fc_scenario_free(made[1]);
}

/* Networks whose flits differ already. */
static void given_flit_sizes_count(void **state) {
    (void)state;
    static const char wide[] = "name: wide\nnetwork: {topology: torus, radix: [4, 4], "
                               "flit_bytes: 32}\ntraffic: {rate: 0.01, message_flits: 5}\n";
    static const char *const texts[] = {mesh, wide};
    fc_equalized how[NETWORKS];
    fc_scenario *made[NETWORKS];
    equalize(texts, 2, FC_EQUAL_BISECTION, how, made);
    assert_true(how[1].flit_bytes == 8 && how[1].flits == 20);
    fc_scenario_free(made[0]);
    fc_scenario_free(made[1]);
}

static void what_cannot_be_rescaled_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"network: {topology: ring-hierarchy, rings: [4, 4]}\ntraffic: {rate: 0.001}\n",
         "counts packets"},
        {"network: {topology: fat-tree, arity: 4, levels: 1}\ntraffic: {rate: 0.001}\n",
         "its bisection is not known"},
        {"network: {topology: mesh, radix: [4, 3]}\n"
         "traffic: {workload: {all-to-all: {bytes: 64}}, flit_bytes: 7}\n",
         "whole bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *both[] = {must_read(mesh, NULL, NULL), must_read(cases[i].text, NULL, NULL)};
        fc_scenario *made[2];
        fc_equalized how[2];
        fc_error error;
        assert_true(fc_equalize((const fc_scenario *const *)both, 2, FC_EQUAL_BISECTION, &error,
                                made, how) != FC_OK);
        must_say(error.text, cases[i].says);
        fc_scenario_free(both[0]);
        fc_scenario_free(both[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flits_are_as_wide_as_the_bisection_allows),
        cmocka_unit_test(wires_and_pins),
        cmocka_unit_test(given_flit_sizes_count),
        cmocka_unit_test(what_cannot_be_rescaled_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
