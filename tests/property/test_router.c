/* The router engine against a plain implementation of its rules, message by message, on random
 * networks and settings; and laws that hold for any network. */
#include "test_support.h"

#include "base/random.h"
#include "network/router_traffic.h"
#include "router_reference.h"
#include "router_runs.h"
#include "simulators/router/router_simulator.h"

extern const fc_simulator fc_simulator_router;

static int64_t draw(fc_random *random, int64_t least, int64_t most) {
    return least + fc_random_below(random, (uint32_t)(most - least + 1));
}

/* ---- random networks ---- */

static void draw_routing(fc_random *random, fc_torus *torus) {
    static const struct {
        int topology, routing, rule;
        int64_t channels;
    } kinds[] = {
        {FC_MESH, FC_DIMENSION_ORDER, FC_FREE, 1},
        {FC_MESH, FC_DIMENSION_ORDER, FC_FREE, 3},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_DATELINE, 2},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_DATELINE, 4},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_HIGH_LOW, 2},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_ESCAPE, 3},
        {FC_MESH, FC_O1TURN, FC_FREE, 2},
        {FC_MESH, FC_VALIANT, FC_FREE, 2},
        {FC_TORUS, FC_VALIANT, FC_DATELINE, 4},
        {FC_MESH, FC_ADAPTIVE, FC_FREE, 2},
        {FC_MESH, FC_ADAPTIVE, FC_FREE, 4},
        {FC_TORUS, FC_ADAPTIVE, FC_DATELINE, 4},
    };
    const size_t kind = fc_random_below(random, sizeof kinds / sizeof *kinds);
    fc_integer_list radix = {.count = (size_t)draw(random, 1, 2)};
    for (size_t d = 0; d < radix.count; ++d)
        radix.values[d] = draw(random, 2, radix.count == 1 ? 7 : 4);
    *torus = router_torus(kinds[kind].topology, radix, kinds[kind].channels, kinds[kind].rule);
    torus->routing = kinds[kind].routing;
}

static void draw_timing(fc_random *random, fc_torus *torus, int64_t *longest) {
    fc_routed *routed = &torus->routed;
    const bool timed = fc_random_below(random, 4);
    for (int stage = 0; stage < FC_ROUTER_STAGES && timed; ++stage)
        routed->router_delay[stage] = draw(random, 0, 2);
    if (timed && !fc_random_below(random, 4))
        routed->router_delay[fc_random_below(random, FC_ROUTER_STAGES)] = 5;
    routed->link_delay = draw(random, 1, 3);
    routed->node_delay = draw(random, 1, 3);
    routed->credit_delay = draw(random, 0, 2);
    routed->buffer = draw(random, 1, 9);
    routed->concentration = draw(random, 1, 2);
    routed->input_speedup = fc_random_below(random, 2) ? FC_INFINITE : draw(random, 1, 3);
    routed->allocator_rounds = draw(random, 1, 3);
    routed->arbitration = fc_random_below(random, 3) ? FC_ROUND_ROBIN : FC_OLDEST_FIRST;
    routed->handover = fc_random_below(random, 2) ? FC_NEXT_CYCLE : FC_WHEN_EMPTY;
    routed->injection_channels = draw(random, 1, torus->virtual_channels);
    routed->ejection_channels = draw(random, 1, 4);
    *longest = draw(random, 1, 12);
    if (!fc_random_below(random, 4)) {
        routed->switching = FC_CUT_THROUGH;
        *longest = *longest < routed->buffer ? *longest : routed->buffer;
    }
    routed->nodes = torus->nodes *= routed->concentration;
}

static fc_trace draw_trace(fc_random *random, uint32_t nodes, int64_t longest) {
    fc_trace trace = {.count = (size_t)draw(random, 20, 160)};
    trace.messages = calloc(trace.count, sizeof *trace.messages);
    const uint32_t span = (uint32_t)draw(random, 10, 600);
    for (uint32_t i = 0; i < trace.count; ++i) {
        fc_trace_message *line = &trace.messages[i];
        *line = (fc_trace_message){.time = fc_random_below(random, span),
                                   .source = fc_random_below(random, nodes),
                                   .destination = fc_random_below(random, nodes),
                                   .flits = (uint32_t)draw(random, 1, longest),
                                   .after = UINT32_MAX};
        if (i && !fc_random_below(random, 5))
            line->after = fc_random_below(random, i);
    }
    return trace;
}

typedef struct record {
    uint64_t started, latency;
} record;

static void remember(void *context, const fc_router_message *message, uint64_t latency) {
    ((record *)context)[message->tag] = (record){message->started, latency};
}

static void compare_with_reference(uint32_t number) {
    fc_random random = fc_random_stream(21, number, 0);
    fc_torus torus;
    int64_t longest;
    fc_error error = {{0}};
    draw_routing(&random, &torus);
    draw_timing(&random, &torus, &longest);
    fc_scenario scenario = router_scenario(&torus);
    fc_router_network *network;
    fc_router *engine;
    if (fc_router_network_create(&scenario, &error, &network) != FC_OK)
        fail_msg("network %u: %s", number, error.text);
    fc_trace trace = draw_trace(&random, network->nodes, longest);
    torus.routed.trace = &trace;
    torus.routed.message_flits = 1;
    reference_outcome *expected = calloc(trace.count, sizeof *expected);
    record *seen = calloc(trace.count, sizeof *seen);
    const uint64_t limit = 100000;
    if (!reference_run(network, &torus.routed, &trace, number, limit, expected))
        fail_msg("network %u: the reference does not come to an end", number);
    assert_int_equal(fc_router_create(network, &torus.routed, &error, &engine), FC_OK);
    assert_int_equal(fc_trace_sources_create(engine, number, &error), FC_OK);
    engine->observer = remember;
    engine->observer_context = seen;
    while (fc_trace_left(engine) && engine->time < limit) {
        if (fc_router_run(engine, engine->time + 100, &error) != FC_OK)
            fail_msg("network %u: %s", number, error.text);
    }
    for (size_t i = 0; i < trace.count; ++i) {
        if (seen[i].started != expected[i].started || seen[i].latency != expected[i].latency)
            fail_msg("network %u (routing %d, rule %d), message %zu: started %llu, latency %llu; "
                     "the reference says %llu and %llu",
                     number, torus.routing, torus.channel_rule, i,
                     (unsigned long long)seen[i].started, (unsigned long long)seen[i].latency,
                     (unsigned long long)expected[i].started,
                     (unsigned long long)expected[i].latency);
    }
    fc_router_free(engine);
    fc_router_network_free(network);
    free(trace.messages);
    free(expected);
    free(seen);
}

static void engine_follows_the_rules(void **state) {
    (void)state;
    for (uint32_t number = 0; number < 500; ++number)
        compare_with_reference(number);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engine_follows_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
