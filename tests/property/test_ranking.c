/* Ranking by simulation on cases with a known order: over 100 seeds, the right winner at least 95
 * times, as the stated confidence promises. Networks of 24 stations, so that all of it takes
 * seconds. */
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"
#include "test_support.h"

#ifdef FC_CHECKS /* every invariant asserted takes ten times as long */
enum { SEEDS = 20, REQUIRED = 19 };
#else
enum { SEEDS = 100, REQUIRED = 95 };
#endif

static fc_scenario *scenario_of(const char *traffic, const char *rings, double precision,
                                unsigned seed) {
    char text[256];
    fc_error error;
    fc_scenario *scenario;
    const int length = snprintf(text, sizeof text,
                                "network: {topology: ring-hierarchy, rings: %s}\n"
                                "traffic: %s\n"
                                "simulation: {precision: %g, seed: %u}\n",
                                rings, traffic, precision, seed);
    if (fc_scenario_read_text(text, (size_t)length, "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

struct tally {
    unsigned right;     /* the winner is the best */
    unsigned lost;      /* the best was dropped */
    unsigned separated; /* one left */
    unsigned undecided; /* no confidence stated */
};

/* The axis's first value is the best. */
static struct tally rank(const char *traffic, const char *axis_text, size_t candidates,
                         double indifference) {
    struct tally tally = {0};
    fc_error error;
    fc_axis axis;
    assert_int_equal(fc_axis_parse(axis_text, &error, &axis), FC_OK);
    const fc_optimize_settings settings = {.axes = &axis,
                                           .axis_count = 1,
                                           .objective = "latency",
                                           .simulate = candidates,
                                           .indifference = indifference};
    for (unsigned seed = 1; seed <= SEEDS; ++seed) {
        fc_scenario *base = scenario_of(traffic, "[4, 6]", 0.01, seed);
        fc_optimum *optimum;
        if (fc_optimize(base, &settings, NULL, &error, &optimum) != FC_OK)
            fail_msg("%s", error.text);
        assert_int_equal(optimum->candidate_count, candidates);
        const fc_candidate *winner = &optimum->candidates[optimum->winner];
        if (strcmp(winner->settings[0].value, axis.values[0]) == 0)
            ++tally.right;
        for (size_t i = 0; i < candidates; ++i) {
            const fc_candidate *candidate = &optimum->candidates[i];
            if (strcmp(candidate->settings[0].value, axis.values[0]) == 0)
                tally.lost += candidate->survivor ? 0 : 1;
        }
        tally.separated += optimum->survivors == 1 ? 1 : 0;
        tally.undecided += isnan(optimum->confidence) ? 1 : 0;
        fc_optimum_free(optimum);
        fc_scenario_free(base);
    }
    fc_axis_clear(&axis);
    print_message("right %u, best dropped %u, separated %u, undecided %u of %d\n", tally.right,
                  tally.lost, tally.separated, tally.undecided, SEEDS);
    return tally;
}

static fc_metric latency_of(const char *traffic, const char *rings) {
    fc_error error;
    fc_result *result;
    fc_scenario *scenario = scenario_of(traffic, rings, 0.001, 4711);
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    const fc_metric metric = *fc_result_metric(result, "latency");
    fc_result_free(result);
    fc_scenario_free(scenario);
    return metric;
}

/* Five shapes; the order is that of long runs, which must tell the first two apart by many times
 * their intervals. */
static void test_shapes(void **state) {
    (void)state;
    static const char traffic[] = "{rate: 0.03, locality: [0.2]}";
    const fc_metric first = latency_of(traffic, "[3, 8]"), second = latency_of(traffic, "[4, 6]");
    print_message("[3, 8]: %.4f +- %.4f, [4, 6]: %.4f +- %.4f\n", first.value, first.half_width,
                  second.value, second.half_width);
    assert_true(second.value - first.value > 5 * hypot(first.half_width, second.half_width));
    assert_true(second.value < 1.02 * first.value); /* close enough to be a question */
    const struct tally tally =
        rank(traffic, "network.rings=[3, 8],[4, 6],[2, 12],[6, 4],[8, 3]", 5, 0.003);
    assert_true(tally.right >= REQUIRED);
    assert_true(tally.lost <= SEEDS - REQUIRED);
    assert_int_equal(tally.undecided, 0);
}

/* Latency grows with the load: the order is known without any run. The first two are 0.6 %
 * apart. */
static void test_loads(void **state) {
    (void)state;
    const struct tally tally =
        rank("{rate: 0.03, locality: [0.3]}", "traffic.rate=0.030,0.034,0.050", 3, 0.002);
    assert_true(tally.right >= REQUIRED);
    assert_true(tally.lost <= SEEDS - REQUIRED);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
