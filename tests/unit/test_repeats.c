/* Passes of a repetition that take equally long are skipped: the same durations as with all of them
 * simulated, in far fewer cycles. */
#include "scenario_support.h"

#include <math.h>
#include <stdio.h>

static fc_result *run(const char *network, const char *work, const char *repeats) {
    char text[700];
    fc_error error;
    fc_result *result = NULL;
    snprintf(text, sizeof text, "network: {%s, virtual_channels: 4, buffer: 64}\ntraffic: {%s}\n",
             network, work);
    fc_scenario *scenario = must_read(text, "traffic.repeats", repeats);
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s\n%s", text, error.text);
    fc_scenario_free(scenario);
    return result;
}

#define CROSSBAR "topology: fly, arity: 16, levels: 1"

static const struct {
    const char *network, *work;
    double cycles; /* by hand; 0: not known */
} cases[] = {
    /* 2 x 15 steps of 4 + 1 */
    {CROSSBAR,
     "workload: {repeat: {times: 1000, phases: [{all-reduce: {algorithm: ring, bytes: 2048}}]}}",
     150000},
    {CROSSBAR,
     "workload: [{compute: 77}, {repeat: {times: 500, phases: [{all-reduce: {algorithm: ring, "
     "bytes: 2048}}, barrier, {compute: 50}]}}, {compute: 3}, {repeat: {times: 300, phases: "
     "[{compute: 9}, {all-reduce: {algorithm: recursive-doubling, bytes: 128}}]}}]",
     77 + 500 * 200 + 3 + 300 * (9 + 4 * 5)},
    {CROSSBAR,
     "groups: {tensor: 4, data: 4}, workload: {repeat: {times: 200, phases: [{together: [{compute: "
     "10}, [{compute: 40}, {all-reduce: {algorithm: ring, bytes: 2048, group: data}}]]}]}}",
     200 * 142},
    {"topology: mesh, radix: [4, 4]",
     "slow_ranks: {ranks: [5], factor: 3}, workload: {repeat: {times: 300, phases: [{all-to-all: "
     "{bytes: 256}}, {compute: 100}]}}",
     0},
};

static const double *phase_row(const fc_result *result, size_t phase) {
    const fc_table *phases = fc_result_table(result, "phases");
    return &phases->values[phase * phases->columns];
}

static void skipped_passes_count(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fc_result *skipped = run(cases[i].network, cases[i].work, "skipped");
        fc_result *all = run(cases[i].network, cases[i].work, "simulated");
        const double time = fc_result_metric(skipped, "duration")->value;
        const double whole = fc_result_metric(all, "duration")->value;
        if (cases[i].cycles > 0 && (time != cases[i].cycles || whole != cases[i].cycles))
            fail_msg("%s: %g and %g cycles, not %g", cases[i].work, time, whole, cases[i].cycles);
        if (fabs(time - whole) > 0.01 * whole)
            fail_msg("%s: %g cycles, simulated %g", cases[i].work, time, whole);
        assert_true(skipped->run.cycles < 0.5 * all->run.cycles);
        assert_non_null(strstr(skipped->note, "passes of a repetition"));
        assert_null(strstr(all->note, "passes of a repetition"));
        for (size_t p = 0; p < fc_result_table(all, "phases")->rows; ++p) {
            const double mean = phase_row(skipped, p)[2], wanted = phase_row(all, p)[2];
            if (fabs(mean - wanted) > 0.01 * whole)
                fail_msg("%s: %g cycles in phase %zu, simulated %g", cases[i].work, mean, p + 1,
                         wanted);
        }
        fc_result_free(skipped);
        fc_result_free(all);
    }
}

/* Ties are drawn for every message here: passes differ by more than 1 %, and all are simulated. */
static void unlike_passes_are_simulated(void **state) {
    (void)state;
    static const char work[] =
        "workload: {repeat: {times: 60, phases: [{all-to-all: {bytes: 512}}, {compute: 5}]}}";
    fc_result *skipped = run("topology: torus, radix: [4, 4]", work, "skipped");
    fc_result *all = run("topology: torus, radix: [4, 4]", work, "simulated");
    assert_true(fc_result_metric(skipped, "duration")->value ==
                fc_result_metric(all, "duration")->value);
    assert_true(skipped->run.cycles == all->run.cycles);
    fc_result_free(skipped);
    fc_result_free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipped_passes_count),
        cmocka_unit_test(unlike_passes_are_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
