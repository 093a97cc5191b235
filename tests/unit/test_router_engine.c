/* The router engine: times of single messages, what buffers and arbitration do, lock-ups. */
#include "test_support.h"

#include "base/memory.h"
#include "base/random.h"
#include "router_runs.h"
#include "router_zero_load.h"

/* ---- zero load ---- */

/* Every pair, one message at a time. */
static void check_all_pairs(const fc_router_network *network, fc_routed *routed, uint32_t flits) {
    const uint32_t nodes = network->nodes;
    fc_trace trace = {.count = (size_t)nodes * nodes};
    trace.messages = calloc(trace.count, sizeof *trace.messages);
    uint64_t *latency = calloc(trace.count, sizeof *latency);
    for (uint32_t i = 0; i < trace.count; ++i)
        trace.messages[i] = (fc_trace_message){.time = (uint64_t)i * 5000,
                                               .source = i / nodes,
                                               .destination = i % nodes,
                                               .flits = flits,
                                               .after = UINT32_MAX};
    run_trace(network, routed, &trace, latency);
    for (uint32_t i = 0; i < trace.count; ++i) {
        fc_course course = {.source = i / nodes, .destination = i % nodes, .channels = UINT64_MAX};
        course.channels >>= 64 - network->virtual_channels;
        network->begin(network, 0, &course);
        const uint64_t expected = zero_load(network, routed, course, flits);
        if (latency[i] != expected)
            fail_msg("%u to %u, %u flits, buffer %d, delays %d %d %d %d, links %d, node %d, credit "
                     "%d: %llu, expected %llu",
                     course.source, course.destination, flits, (int)routed->buffer,
                     (int)routed->router_delay[0], (int)routed->router_delay[1],
                     (int)routed->router_delay[2], (int)routed->router_delay[3],
                     (int)routed->link_delay, (int)routed->node_delay, (int)routed->credit_delay,
                     (unsigned long long)latency[i], (unsigned long long)expected);
    }
    free(trace.messages);
    free(latency);
}

static void check_network(fc_torus *torus, uint32_t flits) {
    fc_scenario scenario = router_scenario(torus);
    fc_router_network *network;
    fc_error error = {{0}};
    if (fc_router_network_create(&scenario, &error, &network) != FC_OK)
        fail_msg("%s", error.text);
    check_all_pairs(network, &torus->routed, flits);
    fc_router_network_free(network);
}

static int64_t draw(fc_random *random, int64_t least, int64_t most) {
    return least + fc_random_below(random, (uint32_t)(most - least + 1));
}

static void zero_load_is_exact(void **state) {
    (void)state;
    fc_random random = fc_random_stream(8, 0, 0);
    for (int i = 0; i < 60; ++i) {
        const bool torus = i & 1;
        fc_torus t = router_torus(torus ? FC_TORUS : FC_MESH,
                                  (fc_integer_list){.count = 2, .values = {3, 3}}, 2,
                                  torus ? FC_DATELINE : FC_FREE);
        fc_routed *routed = &t.routed;
        for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
            routed->router_delay[stage] = draw(&random, 0, 3);
        routed->link_delay = draw(&random, 1, 4);
        routed->node_delay = draw(&random, 1, 3);
        routed->credit_delay = draw(&random, 0, 3);
        routed->buffer = draw(&random, 1, 12);
        routed->injection_channels = draw(&random, 1, 2);
        routed->input_speedup = draw(&random, 1, 2);
        routed->handover = fc_random_below(&random, 2) ? FC_NEXT_CYCLE : FC_WHEN_EMPTY;
        check_network(&t, (uint32_t)draw(&random, 1, 40));
    }
}

static void ideal_routers_take_flits_and_hops(void **state) {
    (void)state;
    fc_torus t = router_torus(FC_MESH, (fc_integer_list){.count = 1, .values = {6}}, 1, FC_FREE);
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_error error;
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    fc_trace_message line = {.source = 1, .destination = 4, .flits = 9, .after = UINT32_MAX};
    fc_trace trace = {.count = 1, .messages = &line};
    uint64_t latency;
    run_trace(network, &t.routed, &trace, &latency);
    assert_int_equal(latency, 9 + 3);
    fc_router_network_free(network);
}

/* ---- traces ---- */

static void messages_wait_for_those_they_depend_on(void **state) {
    (void)state;
    fc_torus t = router_torus(FC_MESH, (fc_integer_list){.count = 1, .values = {4}}, 1, FC_FREE);
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_error error;
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    fc_trace_message lines[] = {
        {.time = 7, .source = 1, .destination = 0, .flits = 2, .after = 1}, /* 7 after the next */
        {.time = 10, .source = 0, .destination = 1, .flits = 4, .after = UINT32_MAX},
        {.time = 0, .source = 3, .destination = 2, .flits = 1, .after = 1},
    };
    fc_trace trace = {.count = 3, .messages = lines};
    fc_router *engine;
    trace_work work;
    make_trace_work(&trace, network->nodes, &work);
    t.routed.workload = &work.workload;
    assert_int_equal(fc_router_create(network, &t.routed, &error, &engine), FC_OK);
    assert_int_equal(fc_work_sources_create(engine, 1, 0, &error), FC_OK);
    uint64_t latency[3] = {0};
    observed seen = {.latency = latency};
    engine->observer = observe_message;
    engine->observer_context = &seen;
    /* Generated at 10, there at 10 + 1 + (4 + 1); the others 0 and 7 cycles later. */
    assert_int_equal(fc_router_run(engine, 16, &error), FC_OK);
    assert_int_equal(seen.count, 0);
    assert_int_equal(fc_router_run(engine, 17, &error), FC_OK);
    assert_int_equal(seen.count, 1);
    assert_int_equal(fc_router_run(engine, 16 + 3, &error), FC_OK);
    assert_int_equal(seen.count, 1);
    assert_int_equal(fc_router_run(engine, 16 + 4, &error), FC_OK);
    assert_int_equal(seen.count, 2);
    assert_int_equal(fc_router_run(engine, 16 + 7 + 5, &error), FC_OK);
    assert_true(fc_work_done(fc_work_of(engine)));
    assert_int_equal(latency[0], 3);
    assert_int_equal(latency[1], 5);
    assert_int_equal(latency[2], 2);
    fc_router_free(engine);
    fc_router_network_free(network);
}

/* ---- sharing ---- */

/* Two long messages from different nodes over the same link of a line. */
static void run_meeting(int channels, int arbitration, uint64_t latency[2]) {
    fc_torus t =
        router_torus(FC_MESH, (fc_integer_list){.count = 1, .values = {4}}, channels, FC_FREE);
    t.routed.buffer = 8;
    t.routed.ejection_channels = channels;
    t.routed.arbitration = arbitration;
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_error error;
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    fc_trace_message lines[] = {
        {.source = 0, .destination = 2, .flits = 100, .after = UINT32_MAX},
        {.time = 10, .source = 1, .destination = 2, .flits = 20, .after = UINT32_MAX},
    };
    fc_trace trace = {.count = 2, .messages = lines};
    run_trace(network, &t.routed, &trace, latency);
    fc_router_network_free(network);
}

/* With two channels they share the link flit by flit, with one the second waits for the first. */
static void channels_share_links(void **state) {
    (void)state;
    uint64_t latency[2];
    run_meeting(1, FC_ROUND_ROBIN, latency);
    assert_int_equal(latency[0], 102);
    assert_true(latency[1] > 100);
    run_meeting(2, FC_ROUND_ROBIN, latency);
    assert_in_range(latency[0], 102 + 19, 102 + 21);
    assert_in_range(latency[1], 39, 43);
}

/* The older message gets every flit first. */
static void oldest_goes_first(void **state) {
    (void)state;
    uint64_t latency[2];
    run_meeting(2, FC_OLDEST_FIRST, latency);
    assert_int_equal(latency[0], 102);
    assert_true(latency[1] > 100);
}

/* ---- what cannot work ---- */

static void deadlock_is_reported(void **state) {
    (void)state;
    fc_torus t = router_torus(FC_TORUS, (fc_integer_list){.count = 1, .values = {4}}, 1, FC_FREE);
    t.links = FC_UNIDIRECTIONAL;
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_error error = {{0}};
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    fc_trace_message lines[4];
    for (uint32_t i = 0; i < 4; ++i)
        lines[i] = (fc_trace_message){
            .source = i, .destination = (i + 3) % 4, .flits = 30, .after = UINT32_MAX};
    fc_trace trace = {.count = 4, .messages = lines};
    fc_router *engine;
    trace_work work;
    make_trace_work(&trace, network->nodes, &work);
    t.routed.workload = &work.workload;
    assert_int_equal(fc_router_create(network, &t.routed, &error, &engine), FC_OK);
    assert_int_equal(fc_work_sources_create(engine, 1, 0, &error), FC_OK);
    assert_int_equal(fc_router_run(engine, 5000, &error), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "deadlocked"));
    assert_non_null(strstr(error.text, "in 8 virtual channels wait for nobody but each other"));
    fc_router_free(engine);
    fc_router_network_free(network);
}

/* The same in one row of a torus, while messages flow in another one. */
static void deadlock_of_some_is_reported(void **state) {
    (void)state;
    fc_torus t =
        router_torus(FC_TORUS, (fc_integer_list){.count = 2, .values = {4, 4}}, 1, FC_FREE);
    t.links = FC_UNIDIRECTIONAL;
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_error error = {{0}};
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    enum { LOCKED = 4, FLOWING = 400 };
    fc_trace_message lines[LOCKED + FLOWING];
    for (uint32_t i = 0; i < LOCKED; ++i)
        lines[i] = (fc_trace_message){
            .source = i, .destination = (i + 3) % 4, .flits = 30, .after = UINT32_MAX};
    for (uint32_t i = LOCKED; i < LOCKED + FLOWING; ++i)
        lines[i] = (fc_trace_message){
            .time = 10 * i, .source = 8, .destination = 9, .flits = 30, .after = UINT32_MAX};
    fc_trace trace = {.count = LOCKED + FLOWING, .messages = lines};
    fc_router *engine;
    trace_work work;
    make_trace_work(&trace, network->nodes, &work);
    t.routed.workload = &work.workload;
    assert_int_equal(fc_router_create(network, &t.routed, &error, &engine), FC_OK);
    assert_int_equal(fc_work_sources_create(engine, 1, 0, &error), FC_OK);
    assert_int_equal(fc_router_run(engine, 1000, &error), FC_OK);
    assert_int_equal(fc_router_run(engine, 5000, &error), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "deadlocked"));
    assert_true(fc_work_share(fc_work_of(engine)) < 1 - (double)LOCKED / (LOCKED + FLOWING));
    fc_router_free(engine);
    fc_router_network_free(network);
}

/* Two headers wait longer than a deadlock is waited for: for the way out that a long message has
 * taken, and for the link of the one that waits for it. */
static void a_long_wait_is_no_deadlock(void **state) {
    (void)state;
    fc_torus t = router_torus(FC_MESH, (fc_integer_list){.count = 1, .values = {5}}, 1, FC_FREE);
    t.routed.router_delay[0] = 2; /* flits pile up behind their header and stay two behind it */
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_error error = {{0}};
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    fc_trace_message lines[3];
    const uint32_t sources[] = {1, 3, 4};
    for (uint32_t i = 0; i < 3; ++i)
        lines[i] = (fc_trace_message){.time = 10 * i,
                                      .source = sources[i],
                                      .destination = 2,
                                      .flits = 8 * FC_ROUTER_PATIENCE,
                                      .after = UINT32_MAX};
    const fc_trace trace = {.count = 3, .messages = lines};
    uint64_t latency[3];
    run_trace(network, &t.routed, &trace, latency);
    assert_true(latency[2] > 16 * FC_ROUTER_PATIENCE);
    fc_router_network_free(network);
}

static void cut_through_needs_room(void **state) {
    (void)state;
    fc_torus t = router_torus(FC_MESH, (fc_integer_list){.count = 1, .values = {4}}, 1, FC_FREE);
    t.routed.switching = FC_CUT_THROUGH;
    t.routed.message_flits = 5;
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_router *engine;
    fc_error error = {{0}};
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    assert_int_equal(fc_router_create(network, &t.routed, &error, &engine), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "cut-through"));
    fc_router_network_free(network);
}

/* Refused before the memory is taken. */
static void delays_have_a_limit(void **state) {
    (void)state;
    fc_torus t = router_torus(FC_MESH, (fc_integer_list){.count = 1, .values = {4}}, 1, FC_FREE);
    t.routed.link_delay = 1000000000;
    fc_scenario scenario = router_scenario(&t);
    fc_router_network *network;
    fc_router *engine;
    fc_error error = {{0}};
    assert_int_equal(fc_router_network_create(&scenario, &error, &network), FC_OK);
    assert_int_equal(fc_router_create(network, &t.routed, &error, &engine), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "1000000000 cycles"));
    fc_router_network_free(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_load_is_exact),
        cmocka_unit_test(ideal_routers_take_flits_and_hops),
        cmocka_unit_test(messages_wait_for_those_they_depend_on),
        cmocka_unit_test(channels_share_links),
        cmocka_unit_test(oldest_goes_first),
        cmocka_unit_test(deadlock_is_reported),
        cmocka_unit_test(deadlock_of_some_is_reported),
        cmocka_unit_test(a_long_wait_is_no_deadlock),
        cmocka_unit_test(cut_through_needs_room),
        cmocka_unit_test(delays_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
