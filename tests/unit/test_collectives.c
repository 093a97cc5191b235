/* Algorithms of collective operations, groups of ranks and the cost of messages against hand
 * computation. The network is a crossbar: a message of m flits takes m + 1 cycles when it is alone
 * on its links. */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "scenario/scenario.h"
#include "scenario_support.h"

static double duration(int ranks, const char *traffic, bool simulated) {
    char text[1024];
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    snprintf(text, sizeof text,
             "network: {topology: fly, arity: %d, levels: 1, virtual_channels: 4, buffer: 64}\n"
             "traffic: {%s}\n",
             ranks, traffic);
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", traffic, error.text);
    if ((simulated ? fc_simulate(scenario, NULL, &error, &result)
                   : fc_predict(scenario, NULL, &error, &result)) != FC_OK)
        fail_msg("%s: %s", traffic, error.text);
    const double value = fc_result_metric(result, "duration")->value;
    const double bound = fc_result_metric(result, "duration_bound")->value;
    if (value < bound)
        fail_msg("%s: %g is below its bound of %g", traffic, value, bound);
    fc_result_free(result);
    fc_scenario_free(scenario);
    return value;
}

static const struct {
    int ranks;
    const char *traffic;
    double cycles;
} exact[] = {
    /* 64 flits in 16 parts of 4: 2 x 15 steps of 4 + 1 */
    {16, "workload: {all-reduce: {algorithm: ring, bytes: 2048}}", 150},
    /* ... each of the first 15 also adds up 128 bytes */
    {16, "reduction_time: 0.25, workload: {all-reduce: {algorithm: ring, bytes: 2048}}",
     150 + 15 * 32},
    {16, "send_overhead: 10, workload: {all-reduce: {algorithm: ring, bytes: 2048}}", 150 + 300},
    /* the last of 30 messages begins 29 gaps after the first */
    {16, "send_gap: 20, workload: {all-reduce: {algorithm: ring, bytes: 2048}}", 29 * 20 + 5},
    {16, "send_gap: 4, workload: {all-reduce: {algorithm: ring, bytes: 2048}}", 150},
    /* inside 3 steps of 16 + 1, across 6 of 4 + 1, inside 3 of 16 + 1 */
    {16,
     "workload: {all-reduce: {algorithm: hierarchical, inner: ring, outer: ring, inner_ranks: 4, "
     "bytes: 2048}}",
     3 * 17 + 6 * 5 + 3 * 17},
    /* halves of 64, then of 16, and back */
    {16,
     "workload: {all-reduce: {algorithm: hierarchical, inner: halving-doubling, "
     "outer: halving-doubling, inner_ranks: 4, bytes: 2048}}",
     2 * (33 + 17) + 2 * (9 + 5)},
    {16,
     "reduction_time: 0.125, workload: {all-reduce: {algorithm: hierarchical, inner: ring, "
     "outer: recursive-doubling, inner_ranks: 4, bytes: 2048}}",
     3 * (17 + 64) + 2 * (17 + 64) + 3 * 17},
    {16, "workload: {reduce-scatter: {algorithm: hierarchical, inner_ranks: 4, bytes: 2048}}",
     3 * 17 + 3 * 5},
    {16, "workload: {all-gather: {algorithm: hierarchical, inner_ranks: 4, bytes: 2048}}",
     3 * 5 + 3 * 17},
    /* what is for four ranks at once: 3 steps of 4 + 1 inside and across */
    {16,
     "workload: {all-to-all: {algorithm: hierarchical, inner: pairwise, outer: pairwise, "
     "inner_ranks: 4, bytes: 32}}",
     30},
    /* every rank of a group of two sends its half, adds up, and sends the sum */
    {2, "reduction_time: 1, workload: {all-reduce: {algorithm: direct, bytes: 256}}",
     (4 + 1) + 128 + (4 + 1)},
    /* groups of four: 6 steps of 16 + 1, along either digit; twice that one after the other */
    {16,
     "groups: {tensor: 4, data: 4}, workload: {all-reduce: {algorithm: ring, bytes: 2048, group: "
     "tensor}}",
     102},
    {16,
     "groups: {tensor: 4, data: 4}, workload: [{all-reduce: {algorithm: ring, bytes: 2048, "
     "group: tensor}}, {all-reduce: {algorithm: ring, bytes: 2048, group: data}}]",
     204},
    /* only two ranks have something to do; those in no list wait for nobody */
    {16, "groups: {pair: [3, 7]}, workload: {all-to-all: {bytes: 128, group: pair}}", 5},
    {16,
     "groups: {stage: [[0, 1], [2, 3, 4]]}, workload: [{compute: {cycles: 50, group: stage}}, "
     "{broadcast: {bytes: 128, group: stage}}]",
     50 + 9},
    /* at the same time: the longer one */
    {16,
     "groups: {tensor: 4, data: 4}, workload: [{together: [{all-reduce: {algorithm: ring, bytes: "
     "2048, group: tensor}}, {compute: 300}]}, {compute: 7}]",
     307},
    {16,
     "groups: {tensor: 4, data: 4}, workload: {repeat: {times: 3, phases: [{together: [{compute: "
     "10}, [{compute: 40}, {all-reduce: {algorithm: ring, bytes: 2048, group: data}}]]}]}}",
     3 * 142},
    /* two ranks that send to each other in turn, in two strands with different beginnings */
    {2,
     "workload: {together: [{all-reduce: {algorithm: recursive-doubling, bytes: 128}}, "
     "[{compute: 100}, {all-to-all: {bytes: 320}}]]}",
     111},
    /* root: rank 2 at 10 + 5, which sends to 3; then rank 1 */
    {4, "send_overhead: 10, workload: {broadcast: {bytes: 128}}", 30},
    {4, "send_overhead: 10, send_gap: 40, workload: {broadcast: {bytes: 128}}", 40 + 10 + 5},
    /* one rank takes 2.5 times as long, and the others wait for it at the barrier */
    {16,
     "slow_ranks: {ranks: [3], factor: 2.5}, workload: [{compute: 100}, barrier, {compute: 10}]",
     250 + 25},
    {16,
     "slow_ranks: {share: 1, factor: 3}, reduction_time: 0.25, workload: {all-reduce: "
     "{algorithm: ring, bytes: 2048}}",
     150 + 15 * 96},
};

static void durations_are_as_computed_by_hand(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; ++i) {
        for (int simulated = 0; simulated < 2; ++simulated) {
            const double found = duration(exact[i].ranks, exact[i].traffic, simulated);
            if (found != exact[i].cycles)
                fail_msg("%s: %s %g cycles, not %g", exact[i].traffic,
                         simulated ? "simulated" : "estimated", found, exact[i].cycles);
        }
    }
}

/* Each rank sends and receives 2 x 15/16 of the vector, whatever the number of rings; all leave in
 * the same cycles, so that only the first step and the last flits add something. */
static void rings_share_the_links(void **state) {
    (void)state;
    static const char *const forms[] = {"rings: 2", "rings: 5", "inner_ranks: 4",
                                        "inner_ranks: 4, rings: 2"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        char traffic[160];
        snprintf(traffic, sizeof traffic,
                 "workload: {all-reduce: {algorithm: multi-ring, bytes: 81920, %s}}", forms[i]);
        const double found = duration(16, traffic, true), flits = 2 * 15.0 / 16 * 2560;
        if (found < flits + 1 || found > 1.1 * flits)
            fail_msg("%s: %g cycles, %g flits", forms[i], found, flits);
    }
}

/* Shifted, everybody receives from one at a time; in rank order all begin with rank 0. */
static void the_order_of_sending_matters(void **state) {
    (void)state;
    const double shifted = duration(16, "workload: {all-to-all: {bytes: 512}}", true);
    const double random = duration(16, "workload: {all-to-all: {bytes: 512, order: random}}", true);
    const double ranks = duration(16, "workload: {all-to-all: {bytes: 512, order: rank}}", true);
    assert_true(shifted >= 15 * 16 + 1 && shifted < 1.1 * 15 * 16);
    assert_true(random > shifted);
    /* the first messages come one after the other */
    assert_true(ranks > shifted + 15 * 16 / 2);
}

static void expect_refusal(const char *traffic, const char *sentence) {
    char text[512];
    fc_scenario *scenario;
    fc_error error = {{0}};
    snprintf(text, sizeof text, "network: {topology: fly, arity: 16, levels: 1}\ntraffic: {%s}\n",
             traffic);
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) == FC_OK)
        fail_msg("%s: not refused", traffic);
    if (!strstr(error.text, sentence))
        fail_msg("%s: %s", traffic, error.text);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    expect_refusal("groups: {tensor: 8, data: 4}, workload: barrier",
                   "the product of the sizes must be the number of ranks, 16; it is 32");
    expect_refusal("groups: {a: [1, 16]}, workload: barrier", "a has rank 16; the last one is 15");
    expect_refusal("groups: {a: [[1, 2], [2, 3]]}, workload: barrier", "rank 2 is there twice");
    expect_refusal("groups: {a: []}, workload: barrier", "expected a list of ranks");
    expect_refusal("workload: {all-to-all: {bytes: 32, group: tensor}}", "needs traffic.groups");
    expect_refusal("groups: {tensor: 16}, workload: {all-to-all: {bytes: 32, group: data}}",
                   "there is no group 'data' in traffic.groups; the first is 'tensor'");
    expect_refusal("workload: {all-reduce: {algorithm: hierarchical, bytes: 32}}",
                   "hierarchical needs inner_ranks");
    expect_refusal("workload: {all-reduce: {algorithm: hierarchical, inner_ranks: 3, bytes: 32}}",
                   "16 ranks cannot be divided into inner groups of 3");
    expect_refusal("workload: {all-reduce: {algorithm: hierarchical, inner: two-trees, "
                   "inner_ranks: 4, bytes: 32}}",
                   "inside, an algorithm must scatter it");
    expect_refusal("workload: {all-reduce: {algorithm: ring, order: random, bytes: 32}}",
                   "'order' is for algorithm: direct, not ring");
    expect_refusal("workload: {all-reduce: {algorithm: hierarchical, inner: hierarchical, bytes: "
                   "32}}",
                   "inner is 'hierarchical'");
    expect_refusal("workload: {together: [{compute: 3}]}", "expected two or more phases");
    expect_refusal("workload: {together: [{compute: 3}, barrier]}",
                   "barrier is for all ranks at once and cannot stand in together");
    expect_refusal("groups: {g: [0, 1, 2]}, workload: {reduce-scatter: {algorithm: "
                   "recursive-halving, bytes: 96, group: g}}",
                   "needs a power of two of ranks, not 3");
}

/* What a scenario says comes back when it is written and read again. */
static void groups_survive_writing(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: fly, arity: 16, levels: 1}\n"
        "traffic: {groups: {t: 4, d: 4, s: [[0, 1], [5]]}, send_overhead: 3, workload: [{repeat: "
        "{times: 2, phases: [{together: [{all-reduce: {algorithm: hierarchical, inner_ranks: 2, "
        "inner: direct, outer: two-trees, order: random, bytes: 64, group: t}}, [{compute: 5}, "
        "{compute: {cycles: 9, group: s}}]]}]}}, {all-gather: {algorithm: multi-ring, rings: 3, "
        "bytes: 64}}]}\n";
    fc_scenario *first, *second;
    fc_error error = {{0}};
    char *written;
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &first) != FC_OK)
        fail_msg("%s", error.text);
    written = fc_scenario_text(first);
    assert_non_null(written);
    if (fc_scenario_read_text(written, strlen(written), "t", NULL, 0, &error, &second) != FC_OK)
        fail_msg("%s\n%s", error.text, written);
    assert_string_equal(fc_scenario_hash(first), fc_scenario_hash(second));
    fc_scenario_free(first);
    fc_scenario_free(second);
    free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_as_computed_by_hand),
        cmocka_unit_test(rings_share_the_links),
        cmocka_unit_test(the_order_of_sending_matters),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(groups_survive_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
