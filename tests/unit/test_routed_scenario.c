/* Reading what networks of routers have beside their topology: defaults that give the papers'
 * idealised router, what leads beyond it, and the sentences for what does not fit together. */
#include "scenario_support.h"

#include "registry/method.h"
#include "scenario/torus.h"

static const char torus_text[] = "network: {topology: torus, radix: [4, 5]}\n"
                                 "traffic: {rate: 0.01, message_flits: 8}\n";
static const char mesh_text[] = "network: {topology: mesh, radix: [4, 4], buffer: 8}\n"
                                "traffic: {rate: 0.01, message_flits: 8}\n";

static const fc_torus *torus_of(const fc_scenario *scenario) {
    return scenario->parameters;
}

static void the_default_router_is_the_ideal_one(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(torus_text, NULL, NULL);
    const fc_routed *routed = fc_scenario_routed(scenario);
    assert_null(routed->pipelined_by);
    assert_int_equal(routed->router, FC_IDEALISED);
    assert_int_equal(routed->link_delay, 1);
    assert_int_equal(routed->node_delay, 1);
    assert_int_equal(routed->input_speedup, FC_INFINITE);
    assert_int_equal(routed->nodes, 20);
    assert_int_equal(routed->virtual_channels, 2);
    assert_int_equal(routed->handover, FC_SAME_CYCLE);
    fc_scenario_free(scenario);
}

static void buffers_keep_a_link_busy_unless_told_otherwise(void **state) {
    (void)state;
    static const char ring[] = "network: {topology: ring, radix: [4], virtual_channels: 2}\n"
                               "traffic: {rate: 0.001, message_flits: 8}\n";
    static const struct {
        const char *key, *value;
        int64_t flits;
    } cases[] = {
        {"traffic.rate", "0.001", 1},
        {"network.arbitration", "oldest-first", 2},
        {"network.router_delay", "[1, 1, 1, 1]", 5},
        {"network.link_delay", "10", 20},
        {"network.node_delay", "10", 19},
        {"network.credit_delay", "3", 5},
        {"network.link_delay", "1000", 1024},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fc_scenario *scenario = must_read(ring, cases[i].key, cases[i].value);
        assert_int_equal(fc_scenario_routed(scenario)->buffer, cases[i].flits);
        must_read_back(scenario);
        fc_scenario_free(scenario);
    }
}

static void each_key_of_pipelined_routers_is_named(void **state) {
    (void)state;
    static const char *const settings[][2] = {
        {"network.router_delay", "2"},        {"network.router_delay", "[0, 1, 0, 0]"},
        {"network.link_delay", "3"},          {"network.node_delay", "2"},
        {"network.credit_delay", "1"},        {"network.input_speedup", "1"},
        {"network.allocator_rounds", "2"},    {"network.arbitration", "oldest-first"},
        {"network.concentration", "2"},       {"network.switching", "cut-through"},
        {"network.handover", "when-empty"},   {"network.routing", "valiant"},
        {"network.routing", "o1turn"},        {"network.routing", "adaptive"},
        {"traffic.self_messages", "sent"},    {"network.router", "pipelined"},
        {"network.channel_rule", "wrapping"},
    };
    const size_t count = sizeof settings / sizeof settings[0];
    for (size_t i = 0; i < count; ++i) {
        fc_scenario *scenario =
            must_read(i + 1 < count ? mesh_text : torus_text, settings[i][0], settings[i][1]);
        const fc_routed *routed = fc_scenario_routed(scenario);
        assert_non_null(routed->pipelined_by);
        assert_string_equal(routed->pipelined_by, settings[i][0]);
        assert_true(routed->handover != FC_SAME_CYCLE);
        fc_error error;
        assert_int_equal(fc_method_covers("torus-sharing", scenario, &error), FC_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, settings[i][0]));
        assert_int_equal(fc_method_covers("channel-load", scenario, &error), FC_OK);
        assert_int_equal(fc_method_covers("flit", scenario, &error), FC_ERROR_UNSUPPORTED);
        must_say(error.text, "needs the simulator router");
        const fc_simulator *simulator;
        assert_int_equal(fc_simulator_choose(scenario, &error, &simulator), FC_OK);
        assert_string_equal(simulator->info.name, "router");
        fc_scenario_free(scenario);
    }
}

static void the_word_decides_and_other_keys_follow_it(void **state) {
    (void)state;
    static const char energy[] = "{link: 1}";
    must_refuse(torus_text, "network.energy", energy, "add network.router: pipelined");
    /* what energy costs changes no cycle of the network */
    const fc_setting settings[] = {{"network.router", "pipelined", NULL},
                                   {"network.energy", energy, NULL}};
    for (size_t count = 1; count <= 2; ++count) {
        fc_scenario *scenario;
        assert_int_equal(fc_scenario_read_text(torus_text, strlen(torus_text), "test", settings,
                                               count, NULL, &scenario),
                         FC_OK);
        const fc_routed *routed = fc_scenario_routed(scenario);
        assert_int_equal(routed->router, FC_PIPELINED);
        assert_int_equal(routed->buffer, 2);
        assert_int_equal(routed->handover, FC_NEXT_CYCLE);
        assert_int_equal(torus_of(scenario)->channel_rule, FC_WRAPPING);
        must_read_back(scenario);
        fc_scenario_free(scenario);
    }
    const fc_setting idealised[] = {{"network.router", "idealised", NULL},
                                    {"network.link_delay", "2", NULL}};
    fc_scenario *scenario;
    fc_error error;
    assert_int_equal(fc_scenario_read_text(torus_text, strlen(torus_text), "test", idealised, 2,
                                           &error, &scenario),
                     FC_ERROR_INPUT);
    must_say(error.text, "network.link_delay is for pipelined routers, and network.router is");
    must_refuse("network: {topology: fly, arity: 2, levels: 3}\ntraffic: {rate: 0.01}\n",
                "network.router", "idealised", "network.topology is for pipelined routers");
    /* the key came later: scenarios without it keep their hash */
    fc_scenario *without = must_read(torus_text, NULL, NULL);
    fc_scenario *with = must_read(torus_text, "network.router", "idealised");
    assert_string_equal(fc_scenario_hash(without), "67ae8d016805f2b2");
    assert_string_not_equal(fc_scenario_hash(with), fc_scenario_hash(without));
    fc_scenario_free(without);
    fc_scenario_free(with);
}

static void router_delays_are_one_number_or_four(void **state) {
    (void)state;
    fc_scenario *one = must_read(mesh_text, "network.router_delay", "3");
    assert_int_equal(fc_scenario_routed(one)->router_delay[FC_STAGE_CROSSING], 3);
    assert_int_equal(fc_scenario_routed(one)->router_delay[FC_STAGE_ROUTING], 0);
    fc_scenario_free(one);
    fc_scenario *four = must_read(mesh_text, "network.router_delay", "[1, 2, 3, 4]");
    for (int i = 0; i < FC_ROUTER_STAGES; ++i)
        assert_int_equal(fc_scenario_routed(four)->router_delay[i], i + 1);
    fc_scenario_free(four);
    must_refuse(mesh_text, "network.router_delay", "[1, 2]", "has 2 entries");
    must_refuse(mesh_text, "network.router_delay", "-1", "from 0 to 1000");
    must_refuse(mesh_text, "network.router_delay", "[0, 0, 0, x]", "is 'x'");
}

static void rings_and_hypercubes_are_tori_and_meshes(void **state) {
    (void)state;
    fc_scenario *ring =
        must_read("network: {topology: ring, radix: [9]}\ntraffic: {rate: 0.01}\n", NULL, NULL);
    assert_int_equal(torus_of(ring)->topology, FC_TORUS);
    assert_int_equal(torus_of(ring)->shape, FC_RING);
    fc_scenario *torus =
        must_read("network: {topology: torus, radix: [9]}\ntraffic: {rate: 0.01}\n", NULL, NULL);
    assert_string_not_equal(fc_scenario_hash(ring), fc_scenario_hash(torus));
    fc_scenario_free(torus);
    fc_scenario_free(ring);
    const char cube_text[] = "network: {topology: hypercube, dimensions: 5}\n"
                             "traffic: {rate: 0.01}\n";
    fc_scenario *cube = must_read(cube_text, NULL, NULL);
    assert_int_equal(torus_of(cube)->topology, FC_MESH);
    assert_int_equal(torus_of(cube)->radix.count, 5);
    assert_int_equal(torus_of(cube)->nodes, 32);
    assert_int_equal(torus_of(cube)->channel_rule, FC_FREE);
    char *text = fc_scenario_text(cube);
    assert_non_null(strstr(text, "topology: hypercube"));
    assert_null(strstr(text, "radix"));
    fc_scenario *again = must_read(text, NULL, NULL);
    assert_string_equal(fc_scenario_hash(cube), fc_scenario_hash(again));
    fc_scenario_free(again);
    fc_scenario_free(cube);
    free(text);
    must_refuse(cube_text, "network.radix", "[2, 2]",
                "applies only to network.topology: torus, mesh or ring");
    must_refuse(torus_text, "network.dimensions", "2", "topology: hypercube");
    must_refuse("network: {topology: ring, radix: [4, 4]}\ntraffic: {rate: 0.01}\n", NULL, NULL,
                "a ring has one dimension");
    must_refuse("network: {topology: ring}\ntraffic: {rate: 0.01}\n", NULL, NULL,
                "'network.radix' is missing");
}

static void concentration_counts_nodes_and_routers(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(mesh_text, "network.concentration", "4");
    assert_int_equal(torus_of(scenario)->nodes, 16);
    assert_int_equal(fc_scenario_routed(scenario)->nodes, 64);
    fc_scenario_free(scenario);
    must_refuse("network: {topology: mesh, radix: [1024, 1024]}\ntraffic: {rate: 0.01}\n",
                "network.concentration", "2", "at most 1048576");
}

static void routing_asks_for_the_channels_it_needs(void **state) {
    (void)state;
    static const struct {
        const char *text, *routing, *few;
        int64_t needed;
    } cases[] = {
        {mesh_text, "o1turn", "1", 2},    {mesh_text, "valiant", "1", 2},
        {mesh_text, "adaptive", "1", 2},  {torus_text, "o1turn", "2", 4},
        {torus_text, "valiant", "2", 4},  {torus_text, "adaptive", "2", 3},
        {mesh_text, "min-adapt", "1", 2}, {torus_text, "min-adapt", "3", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fc_setting settings[] = {{"network.routing", cases[i].routing},
                                 {"network.virtual_channels", cases[i].few}};
        fc_error error;
        fc_scenario *scenario;
        const char *text = cases[i].text;
        assert_int_equal(
            fc_scenario_read_text(text, strlen(text), "test.yaml", settings, 1, &error, &scenario),
            FC_OK);
        assert_int_equal(fc_scenario_routed(scenario)->virtual_channels, cases[i].needed);
        fc_scenario_free(scenario);
        assert_int_equal(
            fc_scenario_read_text(text, strlen(text), "test.yaml", settings, 2, &error, &scenario),
            FC_ERROR_INPUT);
        assert_non_null(strstr(error.text, "can deadlock"));
    }
}

static void what_the_router_simulator_does_not_do_is_said(void **state) {
    (void)state;
    const char closed_text[] = "network: {topology: torus, radix: [4, 4]}\n"
                               "traffic: {kind: closed, outstanding: 2, think_time: 50}\n";
    must_refuse(closed_text, "network.link_delay", "2", "open traffic only");
    const char infinite[] = "network: {topology: mesh, radix: [4, 4], buffer: infinite}\n"
                            "traffic: {rate: 0.01}\n";
    must_refuse(infinite, "network.link_delay", "2", "infinite buffers");
    const char same[] = "network: {topology: mesh, radix: [4, 4], handover: same-cycle}\n"
                        "traffic: {rate: 0.01}\n";
    must_refuse(same, "network.router_delay", "2", "next-cycle or when-empty");
    must_refuse(torus_text, "network.switching", "cut-through", "8 flits; network.buffer is 2");
    must_refuse(torus_text, "network.reply_channels", "1", "traffic.requests");
    const char scouting[] = "network: {topology: torus, radix: [4, 4], switching: scouting}\n"
                            "traffic: {rate: 0.01}\n";
    must_refuse("network: {topology: torus, radix: [4], links: unidirectional}\n"
                "traffic: {rate: 0.01}\n",
                "network.channel_rule", "wrapping", "bidirectional");
    must_refuse(scouting, "network.link_delay", "2", "not simulated with switching: scouting");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_router_is_the_ideal_one),
        cmocka_unit_test(each_key_of_pipelined_routers_is_named),
        cmocka_unit_test(buffers_keep_a_link_busy_unless_told_otherwise),
        cmocka_unit_test(the_word_decides_and_other_keys_follow_it),
        cmocka_unit_test(router_delays_are_one_number_or_four),
        cmocka_unit_test(rings_and_hypercubes_are_tori_and_meshes),
        cmocka_unit_test(concentration_counts_nodes_and_routers),
        cmocka_unit_test(routing_asks_for_the_channels_it_needs),
        cmocka_unit_test(what_the_router_simulator_does_not_do_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
