/* A method whose answers change raises its revision, and a store then no longer answers with what
 * the method said before. This program has a registry of its own, with one model that counts how
 * often it is asked. */
#include "test_support.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "registry/method.h"

static unsigned asked;

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)scenario;
    (void)prepared;
    (void)error;
    fc_result_add(result, FC_METRIC_LATENCY, ++asked, (double)NAN);
    return FC_OK;
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    (void)scenario;
    (void)prepared;
    (void)error;
    *load = INFINITY;
    return FC_OK;
}

static fc_model counting = {
    .info = {.name = "counting", .kind = FC_MODEL, .family = "ring-hierarchy"},
    .solve = solve,
    .saturation = saturation};
const fc_model *const fc_models[] = {&counting, NULL};
const fc_simulator *const fc_simulators[] = {NULL};

static const char text[] = "network: {topology: ring-hierarchy, rings: [4, 4]}\n"
                           "traffic: {rate: 0.01}\n";

/* The latency at two points of a sweep that keeps its results in a store. */
static void sweep(const char *path, double *first, double *second) {
    fc_error error;
    fc_scenario *base;
    fc_axis rates;
    fc_sweep *made;
    assert_int_equal(fc_scenario_read_text(text, sizeof text - 1, "test", NULL, 0, &error, &base),
                     FC_OK);
    assert_int_equal(fc_axis_parse("traffic.rate=0.01,0.02", &error, &rates), FC_OK);
    const fc_sweep_settings settings = {.axes = &rates, .axis_count = 1, .store = path};
    const fc_run_settings one_thread = {.threads = 1};
    if (fc_sweep_run(base, &settings, &one_thread, &error, &made) != FC_OK)
        fail_msg("%s", error.text);
    *first = fc_result_metric(made->results[0], "latency")->value;
    *second = fc_result_metric(made->results[1], "latency")->value;
    assert_int_equal(made->results[0]->revision, counting.info.revision);
    fc_sweep_free(made);
    fc_axis_clear(&rates);
    fc_scenario_free(base);
}

static void a_raised_revision_is_computed_again(void **state) {
    (void)state;
    char path[] = "/tmp/flitcast_store_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    double first, second, again, and_again;
    sweep(path, &first, &second);
    assert_int_equal(asked, 2);
    sweep(path, &again, &and_again);
    assert_int_equal(asked, 2); /* both from the store */
    assert_true(again == first && and_again == second);
    counting.info.revision = 1;
    sweep(path, &again, &and_again);
    assert_int_equal(asked, 4);
    assert_true(again > 2 && and_again > 2);
    sweep(path, &first, &second);
    assert_int_equal(asked, 4); /* the new ones are stored too */
    assert_true(again == first && and_again == second);
    counting.info.revision = 0; /* an old program on the same store keeps its own rows */
    sweep(path, &first, &second);
    assert_int_equal(asked, 4);
    assert_true(first <= 2 && second <= 2);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_raised_revision_is_computed_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
