/* A router with an internal speedup s takes a header alone ceil(S / s) cycles, S the ticks of all
 * its stages, however they are divided among the four. Two routers, messages so rare that they do
 * not meet: the latency is known by hand. */
#include "test_support.h"

#include "anchor_support.h"
#include "scenario/routed.h"

enum { LINK = 3, FLITS = 2, ROUTERS = 2 };

static fc_scenario *pair_of_routers(const char *more, const int *stage, double speedup) {
    return read_scenario("network: {topology: mesh, radix: [2], virtual_channels: 2, buffer: 32, "
                         "link_delay: %d, router_delay: [%d, %d, %d, %d], internal_speedup: %g%s}\n"
                         "traffic: {rate: 0.0001, message_flits: %d}\n"
                         "simulation: {precision: 0.2, replications: 2}\n",
                         LINK, stage[0], stage[1], stage[2], stage[3], speedup, more, FLITS);
}

static double part_of(const fc_result *result, const char *name) {
    for (size_t i = 0; i < result->part_count; ++i) {
        if (strcmp(result->parts[i].name, name) == 0)
            return result->parts[i].value;
    }
    fail_msg("no part %s", name);
    return 0;
}

static void check_parts(const fc_result *result, double routers, double links) {
    assert_near(part_of(result, "routers of the header"), routers, 1e-9);
    assert_near(part_of(result, "links of the header"), links, 1e-9);
    for (size_t i = 0; i < result->part_count; ++i)
        assert_true(result->parts[i].value > -1e-9);
}

static void check_split(const int *stage, double speedup) {
    const double ticks = stage[0] + stage[1] + stage[2] + stage[3];
    const double routers = ROUTERS * ceil(ticks / speedup);
    fc_scenario *scenario = pair_of_routers("", stage, speedup);
    fc_error error;
    fc_result *result;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_near(fc_result_metric(result, "latency_p50")->value, routers + LINK + FLITS, 0);
    check_parts(result, routers, LINK);
    fc_result_free(result);
    if (fc_predict(scenario, "channel-load", &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    check_parts(result, routers, LINK);
    fc_result_free(result);
    fc_scenario_free(scenario);
}

static void every_split_of_the_ticks_takes_as_long(void **state) {
    (void)state;
    static const double speedups[] = {1, 2, 3, 8};
    enum { SPLITS = 81 }; /* 0, 1 or 2 ticks in each of four stages */
    for (int split = 1; split < SPLITS; ++split) {
        const int stage[] = {split % 3, split / 3 % 3, split / 9 % 3, split / 27};
        for (size_t i = 0; i < sizeof speedups / sizeof *speedups; ++i)
            check_split(stage, speedups[i]);
    }
}

/* The buffer by default is what keeps a link busy: one flit less is too few. */
static void default_buffers_count_cycles(void **state) {
    (void)state;
    static const struct {
        double speedup;
        int buffer;
    } cases[] = {{1, 4 + 4 + 2 + 2 * LINK},
                 {2, 2 + 3 + 2 * LINK},
                 {3, 2 + 2 + 2 * LINK},
                 {8, 1 + 1 + 2 * LINK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario = read_scenario(
            "network: {topology: torus, radix: [4], channel_rule: dateline, virtual_channels: 2, "
            "link_delay: %d, router_delay: [1, 1, 4, 2], internal_speedup: %g}\n"
            "traffic: {rate: 0.001, message_flits: 4}\n",
            LINK, cases[i].speedup);
        assert_int_equal(fc_scenario_routed(scenario)->buffer, cases[i].buffer);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_split_of_the_ticks_takes_as_long),
        cmocka_unit_test(default_buffers_count_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
