/* Several workloads at once (traffic.jobs). On a crossbar, jobs on nodes of their own share no
 * link: each must take what it takes alone, whenever it starts and wherever it is placed. */
#include "scenario_support.h"

#include <math.h>
#include <stdio.h>

static const char *const works[] = {
    "{all-reduce: {algorithm: ring, bytes: 2048}}",
    "[{compute: 100}, barrier, {repeat: {times: 3, phases: [{all-to-all: {bytes: 96}}, {compute: "
    "7}]}}]",
    "[{together: [{all-reduce: {algorithm: two-trees, bytes: 640}}, [{compute: 40}, {broadcast: "
    "{bytes: 256}}]]}, barrier, {compute: 3}]",
    "[{file: " SOURCE_DIR "/examples/stencil.csv}, {compute: 5}, {file: " SOURCE_DIR
    "/examples/stencil.csv}]",
    "{together: [{compute: 9}, {all-gather: {algorithm: direct, bytes: 999}}]}",
};
enum { WORKS = sizeof works / sizeof works[0], RANKS = 16 };

static fc_result *result_of(const char *text, bool simulated) {
    fc_error error;
    fc_result *result = NULL;
    fc_scenario *scenario = must_read(text, NULL, NULL);
    if ((simulated ? fc_simulate(scenario, NULL, &error, &result)
                   : fc_predict(scenario, NULL, &error, &result)) != FC_OK)
        fail_msg("%s\n%s", text, error.text);
    fc_scenario_free(scenario);
    return result;
}

static double alone(size_t work) {
    char text[1024];
    snprintf(text, sizeof text,
             "network: {topology: fly, arity: %d, levels: 1, virtual_channels: 4, buffer: 64}\n"
             "traffic: {workload: %s}\n",
             RANKS, works[work]);
    fc_result *result = result_of(text, true);
    const double value = fc_result_metric(result, "duration")->value;
    fc_result_free(result);
    return value;
}

static void write_jobs(const char *placement, size_t size, char *text) {
    size_t used = (size_t)snprintf(text, size,
                                   "network: {topology: fly, arity: %d, levels: 1, "
                                   "virtual_channels: 4, buffer: 64}\ntraffic: {jobs: [",
                                   WORKS * RANKS);
    for (size_t j = 0; j < WORKS; ++j)
        used +=
            (size_t)snprintf(text + used, size - used, "%s{workload: %s, ranks: %d, start: %zu%s}",
                             j ? ", " : "", works[j], RANKS, 37 * j, placement);
    snprintf(text + used, size - used, "]}\n");
}

static void jobs_without_a_common_link_do_not_see_each_other(void **state) {
    (void)state;
    static const char *const placements[] = {"", ", placement: {random: 5}",
                                             ", placement: {blocks: 4}"};
    for (size_t p = 0; p < sizeof placements / sizeof placements[0]; ++p) {
        char text[4096];
        double last = 0;
        write_jobs(placements[p], sizeof text, text);
        fc_result *result = result_of(text, true);
        const fc_table *jobs = fc_result_table(result, "jobs");
        assert_non_null(jobs);
        assert_int_equal(jobs->rows, WORKS);
        for (size_t j = 0; j < WORKS; ++j) {
            const double *row = &jobs->values[j * jobs->columns];
            assert_true(row[0] == RANKS);
            assert_true(row[1] == 37 * (double)j);
            last = fmax(last, row[2]);
            /* where messages meet, who goes first depends on the numbers of nodes */
            const double time = alone(j);
            if (fabs(row[3] - time) > (p ? 0.03 * time : 0))
                fail_msg("%s: %g cycles, alone %g", works[j], row[3], time);
        }
        assert_true(fc_result_metric(result, "duration")->value == last);
        fc_result_free(result);
        result = result_of(text, false);
        assert_true(fabs(fc_result_metric(result, "duration")->value / last - 1) < 0.02);
        fc_result_free(result);
    }
}

/* Two rings of four ranks over one path of routers: the links between are shared if they lie
 * across, not if they lie side by side. */
static void placement_decides_what_jobs_share(void **state) {
    (void)state;
    double side_by_side = 0, across = 0;
    for (int mixed = 0; mixed < 2; ++mixed) {
        char text[700];
        snprintf(text, sizeof text,
                 "network: {topology: mesh, radix: [8], virtual_channels: 2, buffer: 8}\n"
                 "traffic: {jobs: [{workload: {all-to-all: {bytes: 4096}}, ranks: 4%s},"
                 " {workload: {all-to-all: {bytes: 4096}}, ranks: 4%s}]}\n",
                 mixed ? ", placement: {random: 2}" : "", "");
        fc_result *result = result_of(text, true);
        *(mixed ? &across : &side_by_side) = fc_result_metric(result, "duration")->value;
        fc_result_free(result);
    }
    assert_true(across > 1.2 * side_by_side);
}

/* Each rank by a factor of its own: the longest of n computations, on average over the runs. */
static void slow_ranks_are_drawn(void **state) {
    (void)state;
    static const char text[] = "network: {topology: fly, arity: 64, levels: 1}\n"
                               "traffic: {slow_ranks: {%s}, workload: {compute: 10000}}\n"
                               "simulation: {replications: 200}\n";
    char filled[400];
    snprintf(filled, sizeof filled, text, "deviation: 0.1");
    fc_result *result = result_of(filled, true);
    const fc_metric *longest = fc_result_metric(result, "duration");
    /* median of the largest of 64 normal numbers: 2.298; spread about 0.42 */
    assert_true(fabs(log(longest->value / 10000) / 0.1 - 2.35) < 0.12);
    assert_true(longest->half_width > 0);
    fc_result_free(result);
    snprintf(filled, sizeof filled, text, "share: 0.02, factor: 2");
    result = result_of(filled, true);
    /* at least one of 64: 1 - 0.98^64 = 0.7255 of the runs */
    assert_true(fabs(fc_result_metric(result, "duration")->value - 17255) < 1000);
    fc_result_free(result);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    static const char text[] = "network: {topology: fly, arity: 16, levels: 1}\n";
    static const struct {
        const char *key, *value, *sentence;
    } cases[] = {
        {"traffic.jobs", "[]", "expected a list of 1 to 256 jobs"},
        {"traffic.jobs", "[{ranks: 4}]", "'workload' is missing"},
        {"traffic.jobs", "[{workload: barrier}]", "'ranks' is missing"},
        {"traffic.jobs", "[{workload: barrier, rank: 4}]", "'rank'"},
        {"traffic.jobs", "[{workload: barrier, ranks: 9}, {workload: barrier, ranks: 8}]",
         "the jobs have 17 ranks together; the network has 16 nodes"},
        {"traffic.jobs", "[{workload: {broadcast: {bytes: 9, root: 4}}, ranks: 4}]",
         "there is no rank 4; the last one is 3"},
        {"traffic.jobs", "[{workload: {all-to-all: {bytes: 9, group: a}}, ranks: 4}]",
         "needs traffic.groups"},
        {"traffic.slow_ranks", "{ranks: [1]}", "expected {ranks"},
        {"traffic.slow_ranks", "{ranks: [16], factor: 2}", "there is no rank 16"},
        {"traffic.slow_ranks", "{deviation: 0.1, factor: 2}", "expected {ranks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char whole[400];
        const bool slow = strcmp(cases[i].key, "traffic.slow_ranks") == 0;
        snprintf(whole, sizeof whole, "%s%s", text, slow ? "traffic: {workload: barrier}\n" : "");
        must_refuse(whole, cases[i].key, cases[i].value, cases[i].sentence);
    }
    char both[400];
    snprintf(both, sizeof both, "%straffic: {jobs: [{workload: barrier, ranks: 4}]}\n", text);
    must_refuse(both, "traffic.ranks", "8", "cannot be used together with traffic.jobs");
    must_refuse(both, "traffic.workload", "barrier", "traffic.jobs");
    must_refuse(both, "traffic.rate", "0.1", "cannot be used together with traffic.jobs");
    snprintf(both, sizeof both,
             "%straffic: {workload: {file: " SOURCE_DIR "/examples/stencil.csv}}\n", text);
    must_refuse(both, "traffic.slow_ranks", "{share: 0.1, factor: 2}",
                "says itself how long its ranks compute");
}

static void jobs_survive_writing(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(
        "network: {topology: fly, arity: 16, levels: 1}\n"
        "traffic: {packet_flits: 4, slow_ranks: {share: 0.25, factor: 1.5}, jobs: [{workload: "
        "[{compute: 3}, barrier], ranks: 4, placement: {random: 7}, start: 12}, {ranks: 6, "
        "groups: {a: 2, b: 3}, workload: {all-reduce: {algorithm: ring, bytes: 64, group: b}}}]}\n",
        NULL, NULL);
    must_read_back(scenario);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_without_a_common_link_do_not_see_each_other),
        cmocka_unit_test(placement_decides_what_jobs_share),
        cmocka_unit_test(slow_ranks_are_drawn),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(jobs_survive_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
