/* BookSim configurations: the text, every key of the table, what each becomes, and a sentence for
 * each mistake. */
#include "test_support.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "importers/booksim.h"

static const char mesh[] = "topology = mesh; routing_function = dor;\n";

/* Imports `mesh` followed by more assignments. */
static fc_status import_with(const char *more, fc_error *error, fc_import **import) {
    char text[4096];
    const int length = snprintf(text, sizeof text, "%s%s", mesh, more);
    const fc_input input = {.text = text, .length = (size_t)length, .origin = "x.cfg"};
    return fc_import_booksim(&input, NULL, 0, error, import);
}

static void must_become(const char *more, const char *line) {
    fc_error error = {{0}};
    fc_import *import;
    if (import_with(more, &error, &import) != FC_OK)
        fail_msg("%s: %s", more, error.text);
    if (!strstr(import->scenario, line))
        fail_msg("%s: no '%s' in\n%s", more, line, import->scenario);
    fc_import_free(import);
}

static void must_differ(const char *more, const char *sentence) {
    fc_error error = {{0}};
    fc_import *import;
    if (import_with(more, &error, &import) != FC_OK)
        fail_msg("%s: %s", more, error.text);
    bool told = false;
    for (size_t i = 0; i < import->difference_count; ++i)
        told |= strstr(import->differences[i], sentence) != NULL;
    if (!told)
        fail_msg("%s: no difference says '%s'", more, sentence);
    fc_import_free(import);
}

static void must_refuse(const char *more, const char *reason) {
    fc_error error = {{0}};
    fc_import *import;
    if (import_with(more, &error, &import) == FC_OK)
        fail_msg("%s was accepted", more);
    if (!strstr(error.text, reason))
        fail_msg("%s: '%s' does not say '%s'", more, error.text, reason);
}

/* ---- the text ---- */

static void mistakes_in_the_text(void **state) {
    (void)state;
    must_refuse("\nnum_vc = 4;", "x.cfg:3:1: BookSim has no key 'num_vc'; did you mean 'num_vcs'?");
    must_refuse("k = 4\nn = 2;", "x.cfg:2:5: this value does not end with a semicolon");
    must_refuse("k = 4", "x.cfg:2:5: this value does not end with a semicolon");
    must_refuse("k 4;", "x.cfg:2:3: an equals sign was expected");
    must_refuse("k = ;", "x.cfg:2:5: a value was expected");
    must_refuse("= 4;", "x.cfg:2:1: a key was expected");
    must_refuse("k = \"4\";", "a value is a number, a word or a vector");
    must_refuse("packet_size = {1,2;", "the brackets of this value do not match");
    must_refuse("traffic = hotspot({1));", "the brackets of this value do not match");
    must_refuse("k = 4x;", "x.cfg:2:1: k is '4x'; expected a whole number from 1 to");
    must_refuse("k = 2.5;", "expected a whole number");
    must_refuse("k = 0;", "expected a whole number from 1");
}

static void blanks_comments_and_repetitions(void **state) {
    (void)state;
    must_become("// k = 3;\nk=4;n // two\n = 3 ; ", "radix: [4, 4, 4]");
    must_become("k = 4; k = 5; n = 1;", "radix: [5]  ");
    must_become("packet_size = { { 1, 5 } }; packet_size_rate = {{4, 1}};",
                "message_mix: [{flits: 1, share: 0.8");
    must_become("k = 4;\r\nn = 2;\r\n", "radix: [4, 4]");
}

static void command_line(void **state) {
    (void)state;
    const fc_setting settings[] = {{"k", "16"}, {"traffic", "hotspot({{3},{1}})"}};
    char text[sizeof mesh];
    memcpy(text, mesh, sizeof mesh);
    const fc_input input = {.text = text, .length = strlen(mesh), .origin = "x.cfg"};
    fc_error error = {{0}};
    fc_import *import;
    assert_int_equal(fc_import_booksim(&input, settings, 2, &error, &import), FC_OK);
    assert_non_null(strstr(import->scenario, "radix: [16, 16]"));
    assert_non_null(strstr(import->scenario, "hot-spots: [{node: 3, weight: 1}]"));
    fc_import_free(import);

    const fc_setting wrong[][1] = {{{"kk", "16"}}, {{"k", "x"}}, {{"k", "1;n=2"}}, {{"k", ""}}};
    const char *const said[] = {"kk=16: BookSim has no key 'kk'", "k=x: k is 'x'; expected",
                                "k=1;n=2: one value was expected", "k=: a value was expected"};
    for (size_t i = 0; i < 4; ++i) {
        assert_int_equal(fc_import_booksim(&input, wrong[i], 1, &error, &import), FC_ERROR_INPUT);
        if (!strstr(error.text, said[i]))
            fail_msg("'%s' does not say '%s'", error.text, said[i]);
    }
}

static void recognition(void **state) {
    (void)state;
    const char *const yes[] = {"k = 8;", "// text\n\n  topology=mesh;", "traffic\n=\nuniform;"};
    const char *const no[] = {
        "",        "// only a comment",           "network:\n  topology: mesh\n",
        "# k = 8", "{network: {topology: mesh}}", "name: a = b"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; ++i)
        assert_true(fc_booksim_begins(yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; ++i)
        assert_false(fc_booksim_begins(no[i], strlen(no[i])));
}

/* ---- the table ---- */

static void every_key_is_told(void **state) {
    (void)state;
    for (size_t i = 0; i < fc_booksim_key_count(); ++i) {
        const fc_booksim_key *key = fc_booksim_key_at(i);
        assert_true(fc_booksim_index(key->name) == i); /* no key stands there twice */
        assert_true(key->meaning[0] != '\0');
        char more[256];
        if (key->use == FC_BOOKSIM_NO_EFFECT) {
            snprintf(more, sizeof more, "%s = 7;", key->name);
            must_become(more, "# Without effect on results here:");
            must_become(more, key->name);
        } else if (key->use == FC_BOOKSIM_DIFFERS) {
            snprintf(more, sizeof more, "%s = 7;", key->name);
            must_differ(more, key->meaning);
            snprintf(more, sizeof more, "%s = %s;", key->name, key->fallback);
            must_become(more, "topology: mesh");
        } else if (key->use == FC_BOOKSIM_REFUSED) {
            snprintf(more, sizeof more, "%s = 7;", key->name);
            must_refuse(more, key->meaning);
            snprintf(more, sizeof more, "%s = %s;", key->name, key->fallback);
            must_become(more, "topology: mesh");
        }
    }
}

/* ---- the network ---- */

static void topologies(void **state) {
    (void)state;
    must_become("k = 4; n = 3;", "radix: [4, 4, 4]");
    must_become("k = 4; n = 3;", "link_delay: 1 ");
    must_become("topology = torus; routing_function = dim_order;", "link_delay: 2 ");
    must_become("topology = torus; routing_function = dim_order;", "channel_rule: wrapping");
    must_become("topology = torus; routing_function = dim_order; use_noc_latency = 0;",
                "link_delay: 1 ");
    const char cmesh[] = "topology = cmesh; k = 4; c = 4; xr = 2; yr = 2;"
                         "routing_function = dor_no_express;";
    must_become(cmesh, "concentration: 4");
    must_become(cmesh, "link_delay: 2 ");
    must_refuse("topology = cmesh; routing_function = dor_no_express; c = 2;", "with c = 4");
    must_become("topology = fly; routing_function = dest_tag; k = 2; n = 5;", "arity: 2");
    must_become("topology = fly; routing_function = dest_tag; k = 2; n = 5;", "levels: 5");
    must_become("topology = fattree; routing_function = nca;", "topology: fat-tree");
    must_become("topology = anynet; routing_function = min; network_file = a/net.txt;",
                "file: \"a/net.txt\"");
    must_become("topology = anynet; routing_function = min; network_file = a/net.txt;",
                "ties: first");
    must_refuse("topology = anynet; routing_function = min;", "needs network_file");
    must_refuse("topology = qtree;", "topology = qtree has no equivalent");
    must_refuse("topology = flatfly; routing_function = ran_min; n = 3;", "n = 1 or 2");
    must_refuse("topology = flatfly; routing_function = xyyx;", "ran_min, valiant, ugal");
    must_refuse("topology = dragonflynew; routing_function = min; n = 2;", "n is");
    must_refuse("topology = dragonflynew; routing_function = min; n = 1; k = 2; traffic = tornado;",
                "digits of k and n");
    must_refuse("topology = qtree;", "has no equivalent");
    must_refuse("topology = tree4;", "has no equivalent");
    must_refuse("topology = mash;", "did you mean 'mesh'?");
    must_become("limit = 64;", "topology: mesh");
    must_refuse("limit = 32;", "leaves nodes without traffic");
}

static void routing(void **state) {
    (void)state;
    must_become("routing_function = dim_order;", "routing: dimension-order");
    must_become("routing_function = xy_yx;", "routing: o1turn");
    must_become("routing_function = min_adapt;", "routing: min-adapt");
    must_become("routing_function = valiant;", "routing: valiant");
    must_become("topology = fattree; routing_function = nca;", "routing: random");
    must_become("topology = fattree; routing_function = anca;", "routing: anca");
    must_differ("routing_function = xy_yx; n = 3;", "any order of the dimensions");
    must_differ("topology = torus; routing_function = dim_order_bal;", "less balanced");
    must_refuse("routing_function = romm;", "routing_function = romm in a mesh has no equivalent");
    must_refuse("routing_function = none;", "routing_function is missing");
}

static void router(void **state) {
    (void)state;
    must_become("", "router_delay: [1, 1, 1, 1]");
    must_become("routing_delay = 0; vc_alloc_delay = 2; sw_alloc_delay = 3; st_prepare_delay = 1;"
                "st_final_delay = 4;",
                "router_delay: [0, 2, 3, 5]");
    must_become("speculative = 1; vc_alloc_delay = 2;", "router_delay: [1, 0, 2, 1]");
    must_differ("speculative = 1;", "a speculation never fails");
    must_differ("sw_alloc_delay = 2;", "one flit of a channel every 2 cycles");
    must_refuse("vc_alloc_delay = 0;", "expected a whole number from 1");
    must_become("credit_delay = 2;", "credit_delay: 2");
    must_become("", "node_delay: 2");
    must_become("", "injection_channels: 1");
    must_become("", "virtual_channels: 16");
    must_become("num_vcs = 4;", "ejection_channels: 4");
    must_become("", "buffer: 8 ");
    must_become("num_vcs = 4; buf_size = 64;", "buffer: 16 ");
    must_become("wait_for_tail_credit = 1;", "handover: when-empty");
    must_become("wait_for_tail_credit = 0;", "handover: next-cycle");
    must_become("input_speedup = 2;", "input_speedup: 2");
    must_become("alloc_iters = 3;", "allocator_rounds: 3");
    must_become("priority = age;", "arbitration: oldest-first");
    must_differ("priority = network_age;", "from the message's generation");
    must_refuse("priority = hop_count;", "priority = hop_count has no equivalent");
    must_differ("vc_allocator = separable_input_first;", "some percent apart under load");
    must_differ("sw_allocator = wavefront;", "another matching");
    must_refuse("sw_allocator = wavefrond;", "did you mean 'wavefront'?");
    must_differ("hold_switch_for_packet = 1; packet_size = 4;", "each flit is switched by itself");
}

static void no_difference_without_a_reason(void **state) {
    (void)state;
    fc_error error = {{0}};
    fc_import *import;
    assert_int_equal(import_with("hold_switch_for_packet = 1; vc_allocator = islip; k = 4;"
                                 "class_priority = 0; traffic = uniform;",
                                 &error, &import),
                     FC_OK);
    assert_int_equal(import->difference_count, 0);
    fc_import_free(import);
}

/* ---- the traffic ---- */

static void the_worst_of_dragonflies(void **state) {
    (void)state;
    must_become("topology = dragonflynew; routing_function = min; n = 1; k = 2; num_vcs = 2;"
                "traffic = bad_dragon;",
                "destinations: {next-group: 8}");
    must_become("traffic = bad_dragon(4);", "destinations: {next-group: 32}");
    must_become("k = 8; n = 2; traffic = bad_flatfly;", "destinations: {next-group: 8}");
    must_refuse("traffic = bad_dragon(x);", "'x' for k");
    must_refuse("traffic = badperm_yarc;", "a traffic matrix");
}

static void rates_and_lengths(void **state) {
    (void)state;
    must_become("injection_rate = 0.005; packet_size = 20;", "rate: 0.005 ");
    must_become("injection_rate = 0.5; packet_size = 20; injection_rate_uses_flits = 1;",
                "rate: 0.025 ");
    must_become("injection_rate = 1;", "rate: 1 ");
    must_become("packet_size = 20;", "message_flits: 20");
    must_refuse("packet_size = 20b;", "packet_size and packet_size_rate hold whole numbers");
    must_refuse("packet_size = {{1,5}}; packet_size_rate = {{3,1O}};", "hold whole numbers");
    must_become("packet_size = {{1,5}}; injection_rate = 0.3; injection_rate_uses_flits = 1;",
                "rate: 0.1 ");
    must_become("packet_size = {{1,5}}; packet_size_rate = {{3,1}};",
                "message_mix: [{flits: 1, share: 0.75}, {flits: 5, share: 0.25}]");
    must_become("packet_size = {{2,7,9}}; packet_size_rate = {{3,1}};", "[{flits: 2, share: 0.6");
    must_become("classes = 2; packet_size = {1,5}; injection_rate = {0.3,0.1};",
                "{name: class0, rate: 0.3, flits: 1, destinations: uniform}");
    must_become("classes = 3; packet_size = {4}; injection_rate = {0.1,0.2};",
                "{name: class2, rate: 0.2, flits: 4,");
    must_become("classes = 2; traffic = {uniform,transpose};",
                "{name: class1, rate: 0.1, flits: 1, destinations: transpose}");
    must_become("classes = 2; priority = class; class_priority = {2,0};",
                "{name: class0, rate: 0.1, flits: 1, destinations: uniform, priority: 2}");
    must_differ("classes = 2; priority = class;", "do not look at priorities");
    must_refuse("classes = 2; injection_process = {bernoulli,on_off};", "different values of");
    must_refuse("classes = 9;", "expected");
    must_refuse("injection_rate = 0.0;", "must be above 0");
    must_refuse("injection_rate = -1;", "expected a number from 0");
    must_refuse("packet_size = 0;", "sizes of 1 or more");
    must_refuse("packet_size_rate = 0;", "no length with a rate above 0");
}

static void requests_and_replies(void **state) {
    (void)state;
    const char sizes[] = "use_read_write = 1; write_fraction = 0.25; read_request_size = 1;"
                         "read_reply_size = 5; write_request_size = 6; write_reply_size = 2;";
    must_become(sizes, "{share: 0.75, flits: 1, reply_flits: 5}, "
                       "{share: 0.25, flits: 6, reply_flits: 2}");
    must_become(sizes, "rate: 0.1 ");
    must_become(sizes, "reply_channels: 8");
    must_differ(sizes, "ranges of virtual channels of their own");
    char flits[400];
    snprintf(flits, sizeof flits, "%s injection_rate_uses_flits = 1; injection_rate = 0.7;", sizes);
    must_become(flits, "rate: 0.1 "); /* (1 + 5 + 6 + 2) / 2 = 7 flits */
    must_become("use_read_write = 1; num_vcs = 4; read_request_end_vc = 0; write_request_begin_vc "
                "= 0; write_request_end_vc = 0; read_reply_begin_vc = 1; read_reply_end_vc = 3; "
                "write_reply_begin_vc = 1; write_reply_end_vc = 3;",
                "reply_channels: 3");
    must_become("use_read_write = 1; write_fraction = 1;", "requests: [{share: 1, flits: 1,");
    must_refuse("use_read_write = 1; num_vcs = 4;", "read_request_end_vc is '5'; expected");
    must_refuse("use_read_write = 1; classes = 2;", "of several classes");
}

static void patterns(void **state) {
    (void)state;
    static const char *const same[][2] = {
        {"uniform", "uniform"},
        {"bitcomp", "bit-complement"},
        {"transpose", "transpose"},
        {"bitrev", "bit-reverse"},
        {"shuffle", "shuffle"},
        {"tornado", "tornado"},
        {"neighbor", "neighbour"},
        {"diagonal", "diagonal"},
        {"asymmetric", "asymmetric"},
        {"randperm", "{random-permutation: 0}"},
        {"randperm(7)", "{random-permutation: 7}"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; ++i) {
        char more[64], line[64];
        snprintf(more, sizeof more, "traffic = %s;", same[i][0]);
        snprintf(line, sizeof line, "destinations: %s ", same[i][1]);
        must_become(more, line);
    }
    must_become("", "self_messages: sent");
    must_become("traffic = randperm; perm_seed = 3;", "{random-permutation: 3}");
    must_become("traffic = hotspot({{1,2,3},{4,5}});",
                "{hot-spots: [{node: 1, weight: 4}, {node: 2, weight: 5}, {node: 3, weight: 5}]}");
    must_become("traffic = hotspot(5);", "{hot-spots: [{node: 5, weight: 1}]}");
    char many[1024] = "k = 16; traffic = hotspot({{0";
    for (int node = 1; node < 200; ++node)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",%d", node);
    snprintf(many + strlen(many), sizeof many - strlen(many), "},{0.3}});");
    must_become(many, ", {node: 199, weight: 0.3}]}");
    must_differ("traffic = hotspot({1,2},{3,4});", "read as the one hot spot 1");
    must_refuse("traffic = hotspot(-1);", "is not the number of a node");
    must_refuse("traffic = hotspot(64);", "is not the number of a node");
    must_refuse("traffic = hotspot({{1},{0}});", "expected a number above 0");
    must_refuse("traffic = hotspot({{1},{2x}});", "expected a number above 0");
    must_refuse("traffic = hotspot(1.5);", "is not the number of a node");
    must_refuse("traffic = tornado(4,2);", "arguments of its own");
    must_refuse("traffic = tornado; xr = 2;", "runs over other digits");
    must_refuse("traffic = taper64;", "has no equivalent");
    must_refuse("traffic = background({1});", "has no equivalent");
    must_refuse("traffic = unifrom;", "did you mean 'uniform'?");
    const char cmesh[] = "topology = cmesh; k = 4; c = 4; xr = 2; yr = 2; traffic = %s;"
                         "routing_function = dor_no_express;";
    char more[200];
    snprintf(more, sizeof more, cmesh, "hotspot({{0,1,8,9,2,63}})");
    must_become(more, "[{node: 0, weight: 1}, {node: 1, weight: 1}, {node: 2, weight: 1}, "
                      "{node: 3, weight: 1}, {node: 4, weight: 1}, {node: 63, weight: 1}]");
    snprintf(more, sizeof more, cmesh, "bitrev");
    must_refuse(more, "runs over rows of nodes");
}

static void injection(void **state) {
    (void)state;
    must_become("", "injection: bernoulli");
    must_become("injection_process = on_off; burst_alpha = 0.1; burst_beta = 0.25;",
                "injection: {on-off: {on: 4, off: 10}}");
    must_become("injection_process = on_off({0.1,0.25});", "{on: 4, off: 10}");
    must_become("injection_process = on_off; injection_rate = 0.1; burst_alpha = -1.0;"
                "burst_beta = 0.25; burst_r1 = 0.6;",
                "{on-off: {on: 4, off: 20}}");
    must_become("injection_process = on_off; injection_rate = 0.1; burst_alpha = 0.05;"
                "burst_beta = -1.0; burst_r1 = 0.6;",
                "{on-off: {on: 4, off: 20}}");
    must_refuse("injection_process = on_off; burst_r1 = 0.5;", "on_off needs two of");
    must_refuse("injection_process = on_off({0.1,0.25x});", "'0.25x', which is not a number");
    must_refuse("injection_process = poisson;", "expected bernoulli or on_off");
}

static void simulation(void **state) {
    (void)state;
    must_become("seed = 7;", "seed: 7");
    must_differ("seed = time;", "does not depend on the clock");
    must_become("sim_type = throughput;", "topology: mesh");
    must_refuse("sim_type = batch;", "sim_type = batch has no equivalent");
    must_become("k = 4;", "# k = 4; default n = 2\n");
}

/* What an import says of the scenario reader's complaints: the place in the BookSim file. */
static void places_of_the_scenario(void **state) {
    (void)state;
    fc_error error = {{0}};
    fc_import *import;
    fc_scenario *scenario;
    assert_int_equal(import_with("\nk = 4;\n num_vcs = 65;", &error, &import), FC_OK);
    assert_int_equal(fc_import_scenario(import, NULL, 0, &error, &scenario), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "x.cfg:4:2: network.virtual_channels is '65'"));
    const fc_setting four[] = {{"network.virtual_channels", "4"},
                               {"network.ejection_channels", "4"}};
    assert_int_equal(fc_import_scenario(import, four, 2, &error, &scenario), FC_OK);
    double radix;
    assert_int_equal(fc_scenario_number(scenario, "network.radix.1", &error, &radix), FC_OK);
    assert_true(radix == 4);
    fc_scenario_free(scenario);
    fc_import_free(import);
}

#ifdef FC_CHECKS
/* Each allocation in turn fails: an error, and nothing is kept. */
static void out_of_memory(void **state) {
    (void)state;
    const size_t before = fc_allocations_in_use();
    bool failed = true;
    for (size_t nth = 1; failed; ++nth) {
        fc_error error = {{0}};
        fc_import *import = NULL;
        fc_scenario *scenario = NULL;
        fc_allocation_fail_nth(nth);
        fc_status status = import_with("k = 4; traffic = hotspot({{1,2}});", &error, &import);
        if (status == FC_OK)
            status = fc_import_scenario(import, NULL, 0, &error, &scenario);
        failed = fc_allocation_has_failed();
        fc_allocation_fail_nth(0);
        assert_int_equal(status, failed ? FC_ERROR_MEMORY : FC_OK);
        fc_scenario_free(scenario);
        fc_import_free(import);
        assert_int_equal(fc_allocations_in_use(), before);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_the_text),
        cmocka_unit_test(blanks_comments_and_repetitions),
        cmocka_unit_test(command_line),
        cmocka_unit_test(recognition),
        cmocka_unit_test(every_key_is_told),
        cmocka_unit_test(topologies),
        cmocka_unit_test(routing),
        cmocka_unit_test(router),
        cmocka_unit_test(no_difference_without_a_reason),
        cmocka_unit_test(the_worst_of_dragonflies),
        cmocka_unit_test(rates_and_lengths),
        cmocka_unit_test(requests_and_replies),
        cmocka_unit_test(patterns),
        cmocka_unit_test(injection),
        cmocka_unit_test(simulation),
        cmocka_unit_test(places_of_the_scenario),
#ifdef FC_CHECKS
        cmocka_unit_test(out_of_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
