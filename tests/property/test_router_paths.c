/* Messages alone: what the models of routers say of every pair of 60 networks drawn at random is
 * what the simulator does, cycle for cycle, with small buffers and slow credits too. */
#include "test_support.h"

#include "models/router/router_flows.h"
#include "router_runs.h"

enum { NETWORKS = 60, GAP = 5003, LONGEST_PATH = 64 };

static uint32_t below(uint64_t *state, uint32_t bound) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % bound);
}

static fc_scenario *draw_scenario(uint64_t *random) {
    static const char *const shapes[] = {"topology: mesh, radix: [4, 3]",
                                         "topology: mesh, radix: [3, 2, 2]",
                                         "topology: torus, radix: [4, 4]",
                                         "topology: torus, radix: [3, 5]",
                                         "topology: ring, radix: [7]",
                                         "topology: hypercube, dimensions: 3",
                                         "topology: mesh, radix: [3, 3], concentration: 2",
                                         "topology: fly, arity: 3, levels: 2",
                                         "topology: fly, arity: 2, levels: 3",
                                         "topology: fat-tree, arity: 2, levels: 3"};
    char text[512];
    snprintf(text, sizeof text,
             "network: {%s, virtual_channels: %u, buffer: %u, router_delay: [%u, %u, %u, %u], "
             "link_delay: %u, node_delay: %u, credit_delay: %u}\n"
             "traffic: {rate: 0.001, message_flits: %u}\n",
             shapes[below(random, 10)], 2 + 2 * below(random, 2), 1 + below(random, 9),
             below(random, 3), below(random, 3), below(random, 3), below(random, 3),
             1 + below(random, 4), 1 + below(random, 3), below(random, 4), 1 + below(random, 20));
    fc_scenario *scenario;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

/* Routers with a faster clock, or a graph whose links have widths of their own. */
static fc_scenario *draw_paced(uint64_t *random, const char *graph) {
    static const char *const shapes[] = {
        "topology: mesh, radix: [4, 3]", "topology: ring, radix: [7]",
        "topology: fly, arity: 2, levels: 3", "topology: graph, routing: up-down, file: "};
    static const double speedups[] = {1.25, 1.5, 1.7, 2, 3};
    const uint32_t shape = below(random, 4);
    char text[640];
    snprintf(text, sizeof text,
             "network: {%s%s, virtual_channels: 2, buffer: %u, router_delay: [%u, %u, %u, %u], "
             "link_delay: %u, node_delay: %u, credit_delay: %u, internal_speedup: %g}\n"
             "traffic: {rate: 0.001, message_flits: %u}\n",
             shapes[shape], shape == 3 ? graph : "", 1 + below(random, 9), below(random, 3),
             below(random, 3), below(random, 3), below(random, 3), 1 + below(random, 4),
             1 + below(random, 3), below(random, 4),
             shape == 3 && below(random, 2) ? 1.0 : speedups[below(random, 5)],
             1 + below(random, 20));
    fc_scenario *scenario;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

static uint64_t forecast(const fc_router_network *network, const fc_routed *routed,
                         const fc_trace_message *message) {
    fc_path_link links[LONGEST_PATH];
    uint32_t routers = 0;
    int64_t *scratch = calloc((LONGEST_PATH + 2) * ((size_t)message->flits + 2), sizeof *scratch);
    fc_course course = {.source = message->source,
                        .destination = message->destination,
                        .channels = ((uint64_t)1 << routed->virtual_channels) - 1};
    network->begin(network, 0, &course);
    walker walk = start_walk(network, course);
    bool more = true;
    while (more) {
        uint32_t output;
        more = walk_over(&walk, &output);
        links[routers++] = fc_flow_link_of(network, output);
    }
    const int64_t latency =
        fc_path_latency(routed, links, routers,
                        (fc_lone_message){message->flits, (int64_t)message->time}, scratch, NULL);
    free(scratch);
    return (uint64_t)latency;
}

static void check_every_pair(const fc_scenario *scenario) {
    fc_router_flows *flows;
    fc_error error = {{0}};
    assert_int_equal(fc_router_flows_create(scenario, false, &error, &flows), FC_OK);
    fc_routed routed = *fc_scenario_routed(scenario);
    const uint32_t nodes = flows->network->nodes;
    fc_trace trace = {0};
    trace.messages = calloc((size_t)nodes * nodes, sizeof *trace.messages);
    for (uint32_t from = 0; from < nodes; ++from) {
        for (uint32_t to = 0; to < nodes; ++to) {
            if (from == to)
                continue;
            trace.messages[trace.count] =
                (fc_trace_message){.time = trace.count * GAP,
                                   .source = from,
                                   .destination = to,
                                   .flits = (uint32_t)routed.message_flits,
                                   .after = UINT32_MAX};
            ++trace.count;
        }
    }
    trace.independent = trace.count;
    if (trace.count == 0)
        fail_msg("no message was drawn");
    uint64_t *latency = calloc(trace.count, sizeof *latency);
    run_trace(flows->network, &routed, &trace, latency);
    double sum = 0;
    for (size_t m = 0; m < trace.count; ++m) {
        assert_int_equal(latency[m], forecast(flows->network, &routed, &trace.messages[m]));
        sum += (double)latency[m];
    }
    /* of routers with a clock of their own over all phases: here each pair had one */
    assert_close(fc_paths_mean(flows->paths).latency, sum / (double)trace.count,
                 routed.internal_speedup > 1 ? 0.02 : 1e-12);
    free(latency);
    free(trace.messages);
    fc_router_flows_free(flows);
}

static void every_pair_takes_what_was_said(void **state) {
    (void)state;
    uint64_t random = 17;
    for (int i = 0; i < NETWORKS; ++i) {
        fc_scenario *scenario = draw_scenario(&random);
        check_every_pair(scenario);
        fc_scenario_free(scenario);
    }
}

static void clocks_and_widths_are_as_simulated(void **state) {
    (void)state;
    char path[] = "/tmp/flitcast-graph-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fputs("router 0 node 0 router 1 2 x0.5\nrouter 1 node 1 router 2 x0.3 router 0 x0.7\n"
          "router 2 node 2 node 3 router 3 3\nrouter 3 node 4 router 0 x0.25 router 4\n"
          "router 4 node 5 router 2 x0.9\n",
          stream);
    assert_int_equal(fclose(stream), 0);
    uint64_t random = 18;
    for (int i = 0; i < NETWORKS; ++i) {
        fc_scenario *scenario = draw_paced(&random, path);
        check_every_pair(scenario);
        fc_scenario_free(scenario);
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_takes_what_was_said),
                                       cmocka_unit_test(clocks_and_widths_are_as_simulated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
