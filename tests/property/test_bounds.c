/* No run beats its bounds: workloads that are drawn take at least duration_bound, networks that are
 * drawn saturate above the load of channel-load and are nowhere faster than messages alone.
 *
 *     test_bounds [WORKLOADS [NETWORKS]]     how many of each; by hand 5000 1000 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"

enum { TEXT = 700 };
static unsigned workloads = 300, networks = 40;
static uint64_t drawn;

static unsigned below(unsigned count) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(drawn >> 33) % count;
}

typedef const char *const text_list[];
#define ONE_OF(list) (list)[below(sizeof(list) / sizeof *(list))]

/* Nodes with one to three ports at the leaves of a tree with two roots, and at a box of their own.
 */
#define PORTS "bounds_ports.graph"
static void write_ports(void) {
    FILE *file = fopen(PORTS, "w");
    assert_non_null(file);
    fputs("router 0 node 0 node 1 node 2 node 3 router 4 router 5\n"
          "router 1 node 4 node 5 node 6 node 7 router 4 router 5 2\n"
          "router 2 node 0 node 2 node 5 router 4 router 5\n"
          "router 3 node 6 node 6 node 7 router 4 2 router 5\n"
          "router 6 node 0 node 1 node 4 node 5\n",
          file);
    fclose(file);
}

static const char *topology(void) {
    static text_list topologies = {
        "mesh, radix: [4, 4]",
        "mesh, radix: [4, 4], routing: adaptive",
        "mesh, radix: [4, 4], routing: o1turn",
        "mesh, radix: [4, 4], routing: valiant",
        "mesh, radix: [3, 3], concentration: 2, routing: adaptive",
        "torus, radix: [4, 4]",
        "torus, radix: [4, 4], routing: adaptive",
        "torus, radix: [4, 4], routing: min-adapt",
        "torus, radix: [4, 4], routing: valiant",
        "torus, radix: [5, 3], routing: adaptive",
        "ring, radix: [8]",
        "hypercube, dimensions: 4, routing: adaptive",
        "fly, arity: 2, levels: 4",
        "fly, arity: 4, levels: 2, extra_stages: 1, routing: random",
        "fly, arity: 4, levels: 2, extra_stages: 1, routing: adaptive",
        "fat-tree, arity: 4, levels: 2, routing: random",
        "fat-tree, arity: 4, levels: 2, routing: adaptive, oversubscription: [2]",
        "fat-tree, arity: 2, levels: 4, routing: adaptive",
        "fat-tree, arity: 2, levels: 4, routing: anca",
        "dragonfly, hosts: 2, routers: 4, global_links: 2, routing: minimal",
        "dragonfly, hosts: 2, routers: 4, global_links: 2, routing: ugal-local",
        "dragonfly, hosts: 2, routers: 4, global_links: 2, routing: progressive-adaptive",
        "hyperx, shape: [4], concentration: 4, routing: ugal-local",
        "hyperx, shape: [4], concentration: 4, routing: ugal-global",
        "hyperx, shape: [3, 2], trunks: [2, 1], concentration: 2, routing: valiant",
        "slim-fly, q: 3, routing: ugal-local",
        "graph, file: " PORTS,
        "gpu-cluster, nodes: 4, gpus: 4, inner_width: 4, spines: 2",
        "gpu-cluster, nodes: 4, gpus: 4, rails: 2, multipath: adaptive, spines: 3, taper: 2",
        "gpu-cluster, nodes: 4, gpus: 4, inner_width: 2",
        "graph, file: " PORTS ", port_choice: spread",
        "graph, file: " PORTS ", port_choice: spread, multipath: hash",
        "graph, file: " PORTS ", port_choice: spread, multipath: adaptive",
    };
    return ONE_OF(topologies);
}

static void draw_network(char text[TEXT]) {
    static text_list channels = {"1", "2", "4", "6", "8"}, buffers = {"1", "2", "3", "8", "32"},
                     delays = {"1",
                               "2",
                               "[1, 1, 1, 1]",
                               "[2, 2, 0, 0]",
                               "[0, 0, 1, 0]",
                               "[0, 0, 1, 1]",
                               "[0, 1, 1, 0]",
                               "[1, 0, 0, 1]"},
                     speedups = {"",
                                 "",
                                 "",
                                 ", internal_speedup: 1.5",
                                 ", internal_speedup: 2",
                                 ", internal_speedup: 3",
                                 ", internal_speedup: 8"},
                     others = {"",
                               "",
                               ", link_delay: 3",
                               ", credit_delay: 2",
                               ", input_speedup: 1",
                               ", node_delay: 5",
                               ", ejection_channels: 2"};
    snprintf(text, TEXT,
             "network: {topology: %s, virtual_channels: %s, buffer: %s, router_delay: %s%s%s}\n",
             topology(), ONE_OF(channels), ONE_OF(buffers), ONE_OF(delays), ONE_OF(speedups),
             ONE_OF(others));
}

static void draw_workload(char text[TEXT]) {
    static text_list algorithms = {"all-reduce: {algorithm: ring",
                                   "all-reduce: {algorithm: recursive-doubling",
                                   "all-reduce: {algorithm: halving-doubling",
                                   "all-reduce: {algorithm: two-trees",
                                   "all-gather: {algorithm: ring",
                                   "all-gather: {algorithm: recursive-doubling",
                                   "reduce-scatter: {algorithm: ring",
                                   "all-to-all: {algorithm: direct",
                                   "all-to-all: {algorithm: pairwise",
                                   "broadcast: {algorithm: binomial"},
                     bytes = {"32", "256", "1024", "4096"}, ranks = {"", "", ", ranks: 8"};
    char placement[40] = "";
    const size_t length = strlen(text);
    if (below(2))
        snprintf(placement, sizeof placement, ", placement: {random: %u}", below(99));
    snprintf(text + length, TEXT - length, "traffic: {workload: {%s, bytes: %s}}%s%s}\n",
             ONE_OF(algorithms), ONE_OF(bytes), placement, ONE_OF(ranks));
}

static void draw_traffic(char text[TEXT]) {
    static text_list destinations = {"uniform",
                                     "bit-complement",
                                     "tornado",
                                     "neighbour",
                                     "{random-permutation: 5}",
                                     "{hot-spot: {share: 0.1, node: 1}}"},
                     lengths = {"message_flits: 1", "message_flits: 4", "message_flits: 9",
                                "requests: [{share: 1, flits: 1, reply_flits: 5}]"};
    const size_t length = strlen(text);
    snprintf(text + length, TEXT - length, "traffic: {rate: 0.001, destinations: %s, %s}\n",
             ONE_OF(destinations), ONE_OF(lengths));
}

/* NULL: what was drawn does not fit together. */
static fc_scenario *read_at(const char *text, double rate, double precision) {
    char value[2][32];
    const fc_setting settings[] = {{"simulation.precision", value[0]}, {"traffic.rate", value[1]}};
    fc_scenario *scenario;
    snprintf(value[0], sizeof value[0], "%.9g", precision);
    snprintf(value[1], sizeof value[1], "%.9g", rate);
    return fc_scenario_read_text(text, strlen(text), "drawn.yaml", settings, rate > 0 ? 2 : 1, NULL,
                                 &scenario) == FC_OK
               ? scenario
               : NULL;
}

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->value : 0;
}

static void no_workload_is_faster(void **state) {
    (void)state;
    unsigned ran = 0, tight = 0;
    drawn = 1;
    for (unsigned tries = 0; ran < workloads && tries < 20 * workloads; ++tries) {
        char text[TEXT];
        draw_network(text);
        draw_workload(text);
        fc_scenario *scenario = read_at(text, 0, 0.1);
        fc_result *result;
        fc_error error = {{0}};
        if (!scenario)
            continue;
        if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
            fail_msg("%s%s", text, error.text);
        const double bound = value_of(result, "duration_bound");
        const double duration = value_of(result, "duration");
        if (!(bound > 0) || bound > duration || value_of(result, "efficiency") > 1)
            fail_msg("duration %g, bound %g:\n%s", duration, bound, text);
        tight += bound > 0.95 * duration;
        ++ran;
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
    print_message("%u workloads, %u of them within 5 %% of their bound\n", ran, tight);
    assert_int_equal(ran, workloads);
    assert_true(tight > ran / 50); /* a bound of nothing would not be beaten, either */
}

/* False: it cannot be asked for. */
static bool bound_of(const char *text, double *capacity, double *latency) {
    fc_scenario *scenario = read_at(text, 1e-6, 0.02);
    const fc_saturation_settings wanted = {.model = "channel-load"};
    fc_saturation *found = NULL;
    fc_result *alone = NULL;
    const bool known = scenario && fc_predict(scenario, "channel-load", NULL, &alone) == FC_OK &&
                       fc_saturate(scenario, &wanted, NULL, NULL, &found) == FC_OK;
    if (known) {
        *capacity = found[0].load;
        *latency = value_of(alone, "latency");
    }
    fc_saturation_free(found);
    fc_result_free(alone);
    fc_scenario_free(scenario);
    return known;
}

static void no_network_carries_more(void **state) {
    (void)state;
    unsigned ran = 0;
    drawn = 2;
    for (unsigned tries = 0; ran < networks && tries < 50 * networks; ++tries) {
        char text[TEXT];
        double capacity, latency;
        draw_network(text);
        draw_traffic(text);
        if (!bound_of(text, &capacity, &latency))
            continue;
        fc_scenario *light = read_at(text, 0.2 * capacity, 0.05);
        fc_scenario *full = read_at(text, 1.05 * capacity, 0.05);
        fc_result *result;
        fc_error error = {{0}};
        if (light && full) {
            if (fc_simulate(full, NULL, &error, &result) != FC_OK)
                fail_msg("%s%s", text, error.text);
            if (result->outcome == FC_OUTCOME_OK)
                fail_msg("carries 1.05 times %g:\n%s", capacity, text);
            fc_result_free(result);
            if (fc_simulate(light, NULL, &error, &result) != FC_OK)
                fail_msg("%s%s", text, error.text);
            const fc_metric *found = fc_result_metric(result, "latency");
            if (found && found->value + 2 * found->half_width < latency)
                fail_msg("latency %g +- %g, alone %g:\n%s", found->value, found->half_width,
                         latency, text);
            fc_result_free(result);
            ++ran;
        }
        fc_scenario_free(light);
        fc_scenario_free(full);
    }
    print_message("%u networks\n", ran);
    assert_int_equal(ran, networks);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_workload_is_faster),
        cmocka_unit_test(no_network_carries_more),
    };
    if (count > 1)
        workloads = (unsigned)strtoul(arguments[1], NULL, 10);
    if (count > 2)
        networks = (unsigned)strtoul(arguments[2], NULL, 10);
    write_ports();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(PORTS);
    return failed;
}
