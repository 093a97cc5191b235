/* topology: gpu-cluster. Lone messages and collective operations against hand computation: a flit
 * takes a cycle on the crossbar of a node and inner_width cycles on the way to a rail. */
#include "test_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "scenario_support.h"

static fc_result *run(const char *network, const char *traffic, bool simulated) {
    char text[1024];
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    snprintf(text, sizeof text,
             "network: {topology: gpu-cluster, virtual_channels: 4, buffer: 64, %s}\n"
             "traffic: {%s}\n",
             network, traffic);
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s; %s: %s", network, traffic, error.text);
    if ((simulated ? fc_simulate(scenario, NULL, &error, &result)
                   : fc_predict(scenario, NULL, &error, &result)) != FC_OK)
        fail_msg("%s; %s: %s", network, traffic, error.text);
    fc_scenario_free(scenario);
    return result;
}

static double duration(const char *network, const char *traffic, bool simulated) {
    fc_result *result = run(network, traffic, simulated);
    const double value = fc_result_metric(result, "duration")->value;
    assert_true(value >= fc_result_metric(result, "duration_bound")->value);
    fc_result_free(result);
    return value;
}

/* ---- lone messages ---- */

static void a_message_takes_its_ports_and_links(void **state) {
    (void)state;
    static const char file[] = "gpu_cluster_messages.csv";
    static const struct {
        const char *network, *line;
        double cycles;
    } cases[] = {
        /* at one crossbar: 10 flits and a cycle */
        {"nodes: 8, gpus: 8, inner_width: 8", "0,1,320", 11},
        /* to the same place of another node: nine flits of 8 cycles, then over the link from the
           node, to the leaf, to the card and to the node */
        {"nodes: 8, gpus: 8, inner_width: 8", "0,8,320", 9 * 8 + 4},
        {"nodes: 8, gpus: 8, inner_width: 8, link_delay: 50", "0,8,320", 9 * 8 + 2 + 2 * 50},
        {"nodes: 8, gpus: 8", "0,8,320", 9 + 4},
        /* to another rail: over a spine two links more, over the crossbar one */
        {"nodes: 8, gpus: 8, inner_width: 8, spines: 4", "0,9,320", 9 * 8 + 6},
        {"nodes: 8, gpus: 8, inner_width: 8", "0,9,320", 9 * 8 + 5},
        {"nodes: 8, gpus: 8, inner_width: 8, spines: 4, cross_rail: inner", "0,9,320", 9 * 8 + 5},
        /* two rails: GPU 1 and GPU 3 share the second */
        {"nodes: 2, gpus: 4, rails: 2", "1,7,320", 9 + 4},
        {"nodes: 2, gpus: 4, rails: 2, spines: 1", "1,6,320", 9 + 6},
        /* one node is a crossbar, one GPU a node of the usual kind */
        {"nodes: 1, gpus: 8", "0,1,320", 11},
        {"nodes: 8, gpus: 1", "0,1,320", 9 + 4},
        {"nodes: 8, gpus: 1, leaf_nodes: 4, spines: 4", "0,1,320", 9 + 4},
        {"nodes: 8, gpus: 1, leaf_nodes: 4, spines: 4", "0,7,320", 9 + 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        FILE *stream = fopen(file, "w");
        assert_non_null(stream);
        fputs(cases[i].line, stream);
        fclose(stream);
        for (int simulated = 0; simulated < 2; ++simulated) {
            const double found = duration(
                cases[i].network, "workload: {matrix: gpu_cluster_messages.csv}", simulated);
            if (found != cases[i].cycles)
                fail_msg("%s, %s: %g cycles, not %g", cases[i].network, cases[i].line, found,
                         cases[i].cycles);
        }
    }
    unlink(file);
}

/* Two messages from a leaf to another over links that a taper of 2 leaves half as wide. */
static void a_taper_narrows_what_leads_to_spines(void **state) {
    (void)state;
    static const char file[] = "gpu_cluster_taper.csv";
    static const char traffic[] = "workload: {matrix: gpu_cluster_taper.csv}";
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs("0,2,64000\n1,3,64000\n", stream); /* 2000 flits each */
    fclose(stream);
    static const char full[] = "nodes: 4, gpus: 1, leaf_nodes: 2, spines: 1";
    static const char half[] = "nodes: 4, gpus: 1, leaf_nodes: 2, spines: 1, taper: 2";
    static const char fourth[] = "nodes: 4, gpus: 1, leaf_nodes: 2, spines: 1, taper: 4";
    for (int simulated = 0; simulated < 2; ++simulated) {
        assert_close(duration(full, traffic, simulated), 2000 + 5, 10);
        assert_close(duration(half, traffic, simulated), 4000 + 5, 20);
        assert_close(duration(fourth, traffic, simulated), 8000 + 5, 40);
    }
    unlink(file);
}

/* ---- 64 GPUs ---- */

#define EIGHT "nodes: 8, gpus: 8, inner_width: 8, spines: 4"

/* A vector of 32768 flits. */
static void operations_of_64_gpus_are_as_computed_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *network, *workload;
        double cycles;
    } cases[] = {
        /* inside 7 steps of 4096 flits; across, a part of 4096 flits in halves and back, each flit
           8 cycles; inside 7 steps again */
        {EIGHT,
         "{all-reduce: {algorithm: hierarchical, inner: ring, outer: halving-doubling, bytes: "
         "1048576}}",
         2 * 7 * 4097 + 2 * 8 * (2048 + 1024 + 512)},
        {EIGHT,
         "{all-reduce: {algorithm: hierarchical, inner: halving-doubling, outer: ring, bytes: "
         "1048576}}",
         2 * (16384 + 8192 + 4096) + 14 * 8 * 512},
        /* eight rings: each card sends 2 x 63/64 of an eighth of the vector */
        {EIGHT, "{all-reduce: {algorithm: multi-ring, bytes: 1048576}}", 2 * 63.0 / 64 * 4096 * 8},
        /* one ring: the whole vector over one card of each node, and over the spines */
        {EIGHT ", multipath: adaptive", "{all-reduce: {algorithm: ring, bytes: 1048576}}",
         2 * 63.0 / 64 * 32768 * 8},
        /* 128 flits for each of 7 at the crossbar, 128 x 8 for each of 7 on the rail */
        {EIGHT,
         "{all-to-all: {algorithm: hierarchical, inner: pairwise, outer: pairwise, bytes: 512}}",
         7 * 129 + 7 * 128 * 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int simulated = 0; simulated < 2; ++simulated) {
            char traffic[256];
            snprintf(traffic, sizeof traffic, "workload: %s", cases[i].workload);
            const double found = duration(cases[i].network, traffic, simulated);
            if (fabs(found / cases[i].cycles - 1) > 0.02)
                fail_msg("%s %s: %g cycles, by hand %g", cases[i].workload,
                         simulated ? "simulated" : "estimated", found, cases[i].cycles);
        }
    }
}

/* ---- the rest ---- */

/* A card's link takes a flit in 8 cycles: in use all of the time with an eighth of the flits. */
static void narrow_links_are_in_use_for_all_their_cycles(void **state) {
    (void)state;
    for (int simulated = 0; simulated < 2; ++simulated) {
        fc_result *result =
            run("nodes: 8, gpus: 8, inner_width: 8",
                "workload: {all-reduce: {algorithm: multi-ring, bytes: 65536}}", simulated);
        const fc_table *links = fc_result_table(result, "channels");
        double most = 0;
        for (size_t i = 0; i < links->rows; ++i)
            most = fmax(most, links->values[i * links->columns]);
        if (!(most > 0.95 && most <= 1))
            fail_msg("%s: %g", simulated ? "simulated" : "estimated", most);
        fc_result_free(result);
    }
}

static void its_parts_are_counted(void **state) {
    (void)state;
    fc_scenario *scenario;
    fc_error error = {{0}};
    static const char text[] =
        "network: {topology: gpu-cluster, " EIGHT "}\ntraffic: {rate: 0.01}\n";
    assert_int_equal(fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario),
                     FC_OK);
    fc_counts counts;
    assert_int_equal(fc_scenario_counts(scenario, &error, &counts), FC_OK);
    /* 8 crossbars, 64 cards, 8 leaves, 4 spines; a cable from each card, 4 from each leaf */
    assert_true(counts.routers == 8 + 64 + 8 + 4);
    assert_true(counts.cables == 64 + 8 * 4);
    fc_scenario_free(scenario);
}

static void expect_refusal(const char *network, const char *sentence) {
    char text[512];
    fc_scenario *scenario;
    fc_error error = {{0}};
    snprintf(text, sizeof text,
             "network: {topology: gpu-cluster, %s}\ntraffic: {workload: {all-to-all: {bytes: "
             "32}}}\n",
             network);
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) == FC_OK)
        fail_msg("%s: not refused", network);
    if (!strstr(error.text, sentence))
        fail_msg("%s: %s", network, error.text);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    expect_refusal("gpus: 8", "network.nodes");
    expect_refusal("nodes: 1, gpus: 1", "one node of one GPU is no network");
    expect_refusal("nodes: 4, gpus: 8, rails: 3", "shared out among 3 rails");
    expect_refusal("nodes: 4, gpus: 8, leaf_nodes: 3",
                   "4 nodes cannot be divided into leaves of 3");
    expect_refusal("nodes: 4, gpus: 8, leaf_nodes: 2", "set network.spines");
    expect_refusal("nodes: 4, gpus: 8, cross_rail: spine",
                   "cross_rail: spine needs network.spines");
    expect_refusal("nodes: 4, gpus: 8, link_width: 0.5", "network.inner_width and network.taper");
    expect_refusal("nodes: 4, gpus: 8, hosts: 3", "network.hosts");
    expect_refusal("nodes: 2000, gpus: 8", "use routing: up-down");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_takes_its_ports_and_links),
        cmocka_unit_test(a_taper_narrows_what_leads_to_spines),
        cmocka_unit_test(operations_of_64_gpus_are_as_computed_by_hand),
        cmocka_unit_test(narrow_links_are_in_use_for_all_their_cycles),
        cmocka_unit_test(its_parts_are_counted),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
