/* Reading butterflies, fat trees and graphs, and the traffic that networks of routers share. */
#include "scenario_support.h"

#include <unistd.h>
#include "registry/method.h"
#include "scenario/fabric.h"
#include "scenario/torus.h"

static const char fly_text[] = "network: {topology: fly, arity: 4, levels: 3}\n"
                               "traffic: {rate: 0.01}\n";
static const char tree_text[] = "network: {topology: fat-tree, arity: 2, levels: 4}\n"
                                "traffic: {rate: 0.01}\n";
static const char mesh_text[] = "network: {topology: mesh, radix: [4, 4], buffer: 8}\n"
                                "traffic: {rate: 0.01}\n";

static const fc_fabric *fabric_of(const fc_scenario *scenario) {
    assert_string_equal(fc_scenario_family(scenario), "fabric");
    return scenario->parameters;
}

static void flies_and_fat_trees_are_read(void **state) {
    (void)state;
    fc_scenario *fly = must_read(fly_text, "network.extra_stages", "1");
    const fc_routed *routed = fc_scenario_routed(fly);
    assert_int_equal(routed->nodes, 64);
    assert_int_equal(routed->digits.count, 3);
    assert_int_equal(routed->virtual_channels, 1);
    assert_int_equal(routed->buffer, 8);
    assert_int_equal(routed->handover, FC_NEXT_CYCLE);
    assert_non_null(routed->pipelined_by);
    assert_int_equal(fabric_of(fly)->extra_stages, 1);
    assert_int_equal(fabric_of(fly)->routing, FC_ROUTE_DESTINATION);
    assert_string_equal(fc_scenario_load_key(fly), "traffic.rate");
    must_read_back(fly);
    fc_error error;
    const fc_model *model;
    assert_int_equal(fc_model_choose(fly, &error, &model), FC_OK);
    fc_scenario_free(fly);
    fc_scenario *tree = must_read(tree_text, "network.routing", "adaptive");
    assert_int_equal(fc_scenario_routed(tree)->nodes, 16);
    fc_scenario_free(tree);
}

static void inconsistent_fabrics_are_refused(void **state) {
    (void)state;
    must_refuse(tree_text, "network.extra_stages", "1", "topology: fly");
    must_refuse(tree_text, "network.routing", "minimal", "destination, random, adaptive or anca");
    must_refuse(fly_text, "network.routing", "anca", "is not for topology: fly");
    must_refuse(fly_text, "network.routing", "adaptive", "extra_stages");
    must_refuse(fly_text, "network.extra_stages", "3", "takes at most 2");
    must_refuse(fly_text, "network.levels", "11", "at most 1048576");
    must_refuse(fly_text, "network.file", "x", "cannot be read");
    must_refuse("network: {topology: fly, arity: 4}\ntraffic: {rate: 0.1}\n", NULL, NULL,
                "'network.levels' is missing");
    must_refuse("network: {topology: graph}\ntraffic: {rate: 0.1}\n", NULL, NULL,
                "'network.file' is missing");
    must_refuse(fly_text, "network.radix", "[4]",
                "is a key of torus, mesh, ring, hypercube networks");
    must_refuse(fly_text, "network.handover", "same-cycle", "next-cycle or when-empty");
    must_refuse(fly_text, "network.switching", "scouting", "scouting");
    must_refuse(fly_text, "network.switching", "cut-through", "16 flits; network.buffer is 8");
    must_refuse(fly_text, "traffic.destinations", "{near-neighbour: 0.5}", "neighbour sends");
    must_refuse(fly_text, "traffic.kind", "closed", "expected one of: open");
}

static void patterns_are_read_and_fit(void **state) {
    (void)state;
    static const char *const patterns[] = {
        "bit-rotation",
        "neighbour",
        "diagonal",
        "asymmetric",
        "shuffle",
        "{random-permutation: 7}",
        "{hot-spots: [{node: 3, weight: 2}, {node: [1, 1]}]}",
    };
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; ++i) {
        fc_scenario *scenario = must_read(mesh_text, "traffic.destinations", patterns[i]);
        assert_null(fc_scenario_routed(scenario)->pipelined_by);
        must_read_back(scenario);
        fc_scenario_free(scenario);
    }
    fc_scenario *hot = must_read(mesh_text, "traffic.destinations", patterns[6]);
    const fc_destinations *d = fc_scenario_routed(hot)->destinations;
    assert_int_equal(d->hot_count, 2);
    assert_int_equal(d->hot[1].node, 5);
    assert_close(d->hot[0].weight, 2, 1e-15);
    assert_close(d->hot[1].weight, 1, 1e-15);
    fc_scenario_free(hot);
    static const char odd[] = "network: {topology: mesh, radix: [3, 5]}\ntraffic: {rate: 0.01}\n";
    must_refuse(odd, "traffic.destinations", "bit-rotation", "power of two");
    must_refuse(odd, "traffic.destinations", "asymmetric", "even number");
    static const char pairs[] = "network: {topology: mesh, radix: [3, 5], concentration: 2}\n"
                                "traffic: {rate: 0.01}\n";
    fc_scenario_free(must_read(pairs, "traffic.destinations", "asymmetric"));
    must_refuse(mesh_text, "traffic.destinations", "random-permutation", "needs a value");
    must_refuse(mesh_text, "traffic.destinations", "{hot-spots: [{node: 16}]}", "no node 16");
    must_refuse(mesh_text, "traffic.destinations", "{hot-spots: [{node: 1}, {node: [1, 0]}]}",
                "twice");
    must_refuse(mesh_text, "traffic.destinations", "{hot-spots: [{weight: 1}]}", "needs a node");
    must_refuse(mesh_text, "traffic.destinations", "{hot-spots: [{node: 1, weight: 0}]}",
                "above 0");
    must_refuse(mesh_text, "traffic.destinations", "{hot-spots: {node: 1}}", "must be a list");
    must_refuse(mesh_text, "traffic.destinations", "nieghbour", "did you mean 'neighbour'");
}

static void mixes_and_processes_are_read(void **state) {
    (void)state;
    static const char mix[] = "[{flits: 1, share: 0.8}, {flits: 5, share: 0.2}]";
    fc_scenario *scenario = must_read(mesh_text, "traffic.message_mix", mix);
    const fc_routed *routed = fc_scenario_routed(scenario);
    assert_string_equal(routed->pipelined_by, "traffic.message_mix");
    assert_int_equal(routed->lengths.count, 2);
    assert_int_equal(routed->lengths.flits[1], 5);
    must_read_back(scenario);
    fc_scenario_free(scenario);
    scenario = must_read(mesh_text, "traffic.message_mix", "[{flits: 3, share: 1}]");
    assert_null(fc_scenario_routed(scenario)->pipelined_by);
    assert_int_equal(((const fc_torus *)scenario->parameters)->message_flits, 3);
    fc_scenario_free(scenario);
    must_refuse(mesh_text, "traffic.message_mix", "[{flits: 1, share: 0.7}]", "add up to 0.7");
    must_refuse(mesh_text, "traffic.message_mix", "[{flits: 1}]", "flits and share");
    must_refuse(mesh_text, "traffic.message_mix", "[{flit: 1, share: 1}]", "did you mean 'flits'");
    must_refuse(mesh_text, "traffic.message_mix", "5", "must be a list");
    must_refuse("network: {topology: mesh, radix: [4]}\n"
                "traffic: {rate: 0.1, message_flits: 2}\n",
                "traffic.message_mix", mix, "together with traffic.message_mix");

    scenario = must_read(mesh_text, "traffic.injection", "{on-off: {on: 50, off: 150}}");
    routed = fc_scenario_routed(scenario);
    assert_int_equal(routed->injection.process, FC_ON_OFF);
    assert_close(routed->injection.off, 150, 1e-15);
    assert_string_equal(routed->pipelined_by, "traffic.injection");
    must_read_back(scenario);
    fc_scenario_free(scenario);
    scenario = must_read(mesh_text, "traffic.injection", "bernoulli");
    assert_int_equal(fc_scenario_routed(scenario)->injection.process, FC_BERNOULLI);
    fc_scenario_free(scenario);
    must_refuse(mesh_text, "traffic.injection", "{on-off: {on: 1, off: 150}}",
                "messages per cycle in a burst");
    must_refuse(mesh_text, "traffic.injection", "on-off", "needs a value");
    must_refuse(mesh_text, "traffic.injection", "{on-off: {on: 5}}", "on and off");
    must_refuse(mesh_text, "traffic.injection", "bernouli", "did you mean 'bernoulli'");
}

static void open_requests_get_channels_of_their_own(void **state) {
    (void)state;
    static const char requests[] = "[{share: 1, flits: 1, reply_flits: 5, memory_reply: 20}]";
    fc_scenario *scenario = must_read(mesh_text, "traffic.requests", requests);
    const fc_routed *routed = fc_scenario_routed(scenario);
    assert_int_equal(routed->requests.count, 1);
    assert_int_equal(routed->virtual_channels, 2);
    assert_int_equal(routed->reply_channels, 1);
    assert_int_equal(routed->outstanding, FC_INFINITE);
    must_read_back(scenario);
    fc_scenario_free(scenario);
    static const char torus[] =
        "network: {topology: torus, radix: [4, 4]}\n"
        "traffic: {rate: 0.01, outstanding: 4, requests: [{share: 1, flits: 1, reply_flits: 5}]}\n";
    scenario = must_read(torus, NULL, NULL);
    assert_int_equal(fc_scenario_routed(scenario)->virtual_channels, 4);
    assert_int_equal(fc_scenario_routed(scenario)->reply_channels, 2);
    assert_int_equal(fc_scenario_routed(scenario)->outstanding, 4);
    fc_scenario_free(scenario);
    scenario = must_read(torus, "traffic.requests.0.memory_reply", "12");
    assert_close(fc_scenario_routed(scenario)->requests.types[0].memory_reply, 12, 1e-15);
    fc_scenario_free(scenario);
    must_refuse(torus, "network.virtual_channels", "2", "for requests and as many for replies");
    must_refuse("network: {topology: torus, radix: [4, 4], channel_rule: dateline, "
                "virtual_channels: 5}\n"
                "traffic: {rate: 0.01, message_flits: 4}\n",
                NULL, NULL, "even number, not 5");
    must_refuse(torus, "network.reply_channels", "4", "at least one of their own");
    must_refuse(torus, "traffic.message_flits", "4", "together with traffic.requests");
    must_refuse(torus, "traffic.requests",
                "[{share: 1, flits: 1, reply_flits: 5, memory_busy: 3.5}]", "whole cycles");
    must_refuse(torus, "traffic.requests.0.memory_reply", "1.5", "whole cycles");
    must_refuse(mesh_text, "traffic.outstanding", "4", "traffic.requests");
    fc_setting one[] = {{"traffic.requests", requests}, {"network.virtual_channels", "1"}};
    fc_error error;
    assert_int_equal(
        fc_scenario_read_text(mesh_text, strlen(mesh_text), "test.yaml", one, 2, &error, &scenario),
        FC_ERROR_INPUT);
    must_say(error.text, "can deadlock");
}

/* ---- files beside the scenario ---- */

static char folder[] = "/tmp/flitcast-fabric-XXXXXX";

static const char *write_beside(const char *name, const char *text) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
    return path;
}

static fc_scenario *read_beside(const char *text, fc_error *error) {
    fc_scenario *scenario = NULL;
    const char *path = write_beside("s.yaml", text);
    return fc_scenario_read_file(path, NULL, 0, error, &scenario) == FC_OK ? scenario : NULL;
}

static void files_lie_beside_the_scenario(void **state) {
    (void)state;
    assert_non_null(mkdtemp(folder));
    fc_error error;
    write_beside("net.graph", "router 0 node 0 node 1 router 1 3\nrouter 1 node 2\n");
    write_beside("t.csv", "0,0,2,4\n5,2,0,1,0\n");
    write_beside("m.csv", "0,1,3\n1,2,1\n2,0,2\n");
    fc_scenario *graph = read_beside("network: {topology: graph, file: net.graph, link_delay: 2}\n"
                                     "traffic: {trace: t.csv}\n",
                                     &error);
    assert_non_null(graph);
    const fc_routed *routed = fc_scenario_routed(graph);
    assert_int_equal(routed->nodes, 3);
    assert_int_equal(fabric_of(graph)->graph.link[0].delay, 3);
    assert_int_equal(fabric_of(graph)->graph.link[1].delay, 2);
    assert_int_equal(routed->workload->phases[0].trace.count, 2);
    assert_null(fc_scenario_load_key(graph));
    char hash[32];
    snprintf(hash, sizeof hash, "%s", fc_scenario_hash(graph));
    fc_scenario_free(graph);
    write_beside("net.graph", "router 0 node 0 node 1 router 1 4\nrouter 1 node 2\n");
    graph = read_beside("network: {topology: graph, file: net.graph, link_delay: 2}\n"
                        "traffic: {trace: t.csv}\n",
                        &error);
    assert_string_not_equal(hash, fc_scenario_hash(graph)); /* the content counts */
    fc_scenario_free(graph);

    fc_scenario *ring = read_beside("network: {topology: ring, radix: [3]}\n"
                                    "traffic: {rate: 0.1, destinations: {matrix: m.csv}}\n",
                                    &error);
    assert_non_null(ring);
    assert_string_equal(fc_scenario_routed(ring)->pipelined_by, "traffic.destinations");
    assert_close(fc_scenario_routed(ring)->destinations->weights[0], 1.5, 1e-15);
    fc_scenario_free(ring);
    assert_null(
        read_beside("network: {topology: mesh, radix: [2]}\ntraffic: {trace: t.csv}\n", &error));
    must_say(error.text, "t.csv:1: there is no node 2; the last one is 1");
    assert_null(read_beside("network: {topology: ring, radix: [2]}\n"
                            "traffic: {rate: 0.1, destinations: {matrix: m.csv}}\n",
                            &error));
    must_say(error.text, "m.csv:2: there is no node 2");
    assert_null(read_beside("network: {topology: ring, radix: [3]}\n"
                            "traffic: {rate: 0.1, trace: t.csv}\n",
                            &error));
    must_say(error.text, "together with traffic.trace");
    assert_null(read_beside("network: {topology: ring, radix: [3]}\n"
                            "traffic: {rate: 0.8, injection: bernoulli, "
                            "destinations: {matrix: m.csv}}\n",
                            &error));
    must_say(error.text, "messages per cycle of one node");
    write_beside("t.csv", "0,1,1,4\n");
    assert_null(
        read_beside("network: {topology: ring, radix: [3]}\ntraffic: {trace: t.csv}\n", &error));
    must_say(error.text, "send to itself");
    fc_scenario *self = read_beside("network: {topology: ring, radix: [3]}\n"
                                    "traffic: {trace: t.csv, self_messages: sent}\n",
                                    &error);
    assert_non_null(self);
    fc_scenario_free(self);
    static const char *const names[] = {"net.graph", "t.csv", "m.csv", "s.yaml"};
    for (size_t i = 0; i < 4; ++i) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flies_and_fat_trees_are_read),
        cmocka_unit_test(inconsistent_fabrics_are_refused),
        cmocka_unit_test(patterns_are_read_and_fit),
        cmocka_unit_test(mixes_and_processes_are_read),
        cmocka_unit_test(open_requests_get_channels_of_their_own),
        cmocka_unit_test(files_lie_beside_the_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
