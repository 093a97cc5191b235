/* network.preset: the assumptions of other simulators, laid under a scenario. */
#include "scenario_support.h"

#include "scenario/routed.h"

/* A scenario with the preset is the imported file, bit by bit. */
static void the_preset_is_what_an_import_assumes(void **state) {
    (void)state;
    static const struct {
        const char *file, *network;
    } cases[] = {
        {"topology = mesh; k = 4; n = 2; routing_function = dor;", "topology: mesh, radix: [4, 4]"},
        {"topology = mesh; k = 4; n = 3; routing_function = min_adapt;",
         "topology: mesh, radix: [4, 4, 4], routing: min-adapt"},
        {"topology = torus; k = 4; n = 2; routing_function = dim_order;",
         "topology: torus, radix: [4, 4]"},
        {"topology = cmesh; k = 4; n = 2; c = 4; xr = 2; yr = 2; x = 4; y = 4; "
         "routing_function = dor_no_express;",
         "topology: mesh, radix: [4, 4], concentration: 4"},
        {"topology = fly; k = 2; n = 3; routing_function = dest_tag;",
         "topology: fly, arity: 2, levels: 3"},
        {"topology = fattree; k = 4; n = 2; routing_function = nca;",
         "topology: fat-tree, arity: 4, levels: 2, routing: random"},
        {"topology = dragonflynew; k = 1; n = 1; routing_function = min;",
         "topology: dragonfly, hosts: 1, routers: 2, global_links: 1"},
        {"topology = dragonflynew; k = 1; n = 1; routing_function = ugal;",
         "topology: dragonfly, hosts: 1, routers: 2, global_links: 1, routing: ugal-local"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char file[512], text[512];
        fc_error error;
        fc_import *import = NULL;
        fc_scenario *imported = NULL;
        snprintf(file, sizeof file, "%s injection_rate = 0.05; traffic = uniform;", cases[i].file);
        snprintf(text, sizeof text, "network: {%s, preset: booksim}\ntraffic: {rate: 0.05}\n",
                 cases[i].network);
        const fc_input input = {"test.cfg", file, strlen(file), true};
        if (fc_import_booksim(&input, NULL, 0, &error, &import) != FC_OK ||
            fc_import_scenario(import, NULL, 0, &error, &imported) != FC_OK)
            fail_msg("%s", error.text);
        fc_scenario *preset = must_read(text, NULL, NULL);
        if (strcmp(fc_scenario_hash(imported), fc_scenario_hash(preset)) != 0) {
            char *theirs = fc_scenario_text(imported), *ours = fc_scenario_text(preset);
            fail_msg("imported:\n%s\npreset:\n%s", theirs, ours);
        }
        must_read_back(preset);
        fc_import_free(import);
        fc_scenario_free(imported);
        fc_scenario_free(preset);
    }
}

/* What the scenario says itself stays; another preset is laid under what was given. */
static void a_preset_is_overridden(void **state) {
    (void)state;
    static const char text[] = "network: {topology: mesh, radix: [4, 4], preset: booksim, "
                               "buffer: 3}\ntraffic: {rate: 0.05, message_flits: 2}\n";
    static const fc_setting other[] = {{"network.preset", "garnet"}};
    fc_error error;
    fc_scenario *garnet, *booksim = must_read(text, NULL, NULL);
    const fc_routed *routed = fc_scenario_routed(booksim);
    assert_int_equal(routed->buffer, 3);
    assert_int_equal(routed->message_flits, 2);
    assert_int_equal(routed->virtual_channels, 16);
    assert_int_equal(fc_scenario_with(booksim, other, 1, &error, &garnet), FC_OK);
    routed = fc_scenario_routed(garnet);
    assert_int_equal(routed->buffer, 3);
    assert_int_equal(routed->virtual_channels, 4);
    assert_int_equal(routed->input_speedup, 1);
    assert_int_equal(routed->router_delay[FC_STAGE_CROSSING], 1);
    assert_int_equal(routed->handover, FC_WHEN_EMPTY);
    assert_true(fc_scenario_units(garnet).flit_bytes == 16);
    fc_scenario_free(garnet);
    fc_scenario_free(booksim);
    must_refuse(text, "network.preset", "garnet2", "did you mean 'garnet'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_preset_is_what_an_import_assumes),
        cmocka_unit_test(a_preset_is_overridden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
