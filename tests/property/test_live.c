/* A network driven from outside does what the router simulator does with the same messages, however
 * they are handed over and in whatever steps time passes. */
#include "test_support.h"

#include "base/memory.h"
#include "base/random.h"
#include "router_runs.h"
#include "scenario_support.h"

static const char mesh[] = "name: mesh\n"
                           "network: {topology: mesh, radix: [4, 4], virtual_channels: 2,\n"
                           "          buffer: 4, router_delay: [1, 1, 1, 1], credit_delay: 1}\n"
                           "traffic: {rate: 0.01, message_flits: 4}\n";
static const char torus[] = "name: torus, whose ties are drawn\n"
                            "network: {topology: torus, radix: [4, 4], virtual_channels: 4,\n"
                            "          buffer: 4, router_delay: [0, 1, 1, 0]}\n"
                            "traffic: {rate: 0.01, message_flits: 4}\n";
static const char tree[] = "name: fat tree with random ways\n"
                           "network: {topology: fat-tree, arity: 2, levels: 3, routing: random}\n"
                           "traffic: {rate: 0.01, message_flits: 4}\n";
static const char requests[] =
    "name: requests\n"
    "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 4, router_delay: 1}\n"
    "traffic: {rate: 0.02, outstanding: 2,\n"
    "          requests: [{share: 1, flits: 2, reply_flits: 5, memory_reply: 3}]}\n";
static const char ideal[] = "name: ideal\n"
                            "network: {topology: mesh, radix: [6], virtual_channels: 1}\n"
                            "traffic: {rate: 0.01, message_flits: 4}\n";

static fc_live *must_create(const fc_scenario *scenario, bool background) {
    fc_error error;
    fc_live *live = NULL;
    if (fc_live_create(scenario, background, &error, &live) != FC_OK)
        fail_msg("%s", error.text);
    return live;
}

static void must(fc_status status, const fc_error *error) {
    if (status != FC_OK)
        fail_msg("%s", error->text);
}

/* ---- the same as a trace ---- */

enum { MESSAGES = 600 };

static void draw_messages(fc_random *random, uint32_t nodes, fc_trace_message *lines) {
    uint64_t time = 0;
    for (size_t i = 0; i < MESSAGES; ++i) {
        time += fc_random_below(random, 4);
        const uint32_t source = fc_random_below(random, nodes);
        lines[i] = (fc_trace_message){.time = time,
                                      .source = source,
                                      .destination =
                                          (source + 1 + fc_random_below(random, nodes - 1)) % nodes,
                                      .flits = 1 + fc_random_below(random, 9),
                                      .after = UINT32_MAX};
    }
}

/* Hands some messages over ahead of time and the others when they are due, in steps of any length;
 * latencies in the order of the trace. */
static void drive(fc_live *live, const fc_trace_message *lines, fc_random *random,
                  uint64_t *latency) {
    fc_error error;
    size_t given = 0, taken = 0;
    while (taken < MESSAGES) {
        size_t ahead = fc_random_below(random, 40);
        while (given < MESSAGES && (ahead || lines[given].time <= fc_live_time(live))) {
            const fc_live_message message = {.source = lines[given].source,
                                             .destination = lines[given].destination,
                                             .flits = lines[given].flits,
                                             .tag = given,
                                             .time = lines[given].time};
            must(fc_live_inject(live, &message, 1, &error), &error);
            ++given;
            ahead -= ahead > 0;
        }
        const uint64_t next = given < MESSAGES ? lines[given].time : UINT64_MAX;
        const uint64_t step = fc_live_time(live) + fc_random_below(random, 50);
        const bool wait = fc_random_below(random, 2);
        must(fc_live_advance_until(live, step < next ? step : next, wait, &error), &error);
        fc_delivery list[8];
        for (size_t count; (count = fc_live_deliveries(live, list, 8));) {
            for (size_t i = 0; i < count; ++i, ++taken) {
                const fc_delivery *found = &list[i];
                assert_true(found->tag < MESSAGES);
                const fc_trace_message *line = &lines[found->tag];
                assert_int_equal(latency[found->tag], 0);
                assert_int_equal(found->injected, line->time);
                assert_int_equal(found->source, line->source);
                assert_int_equal(found->destination, line->destination);
                assert_int_equal(found->flits, line->flits);
                assert_true(found->entered >= found->injected && found->delivered > found->entered);
                assert_true(found->delivered < fc_live_time(live));
                latency[found->tag] = found->delivered - found->injected - 1;
            }
        }
    }
    assert_int_equal(fc_live_under_way(live), 0);
}

static void same_as_a_trace(const char *text) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_routed routed = *fc_scenario_routed(scenario);
    fc_error error;
    fc_router_network *network;
    must(fc_router_network_create(scenario, &error, &network), &error);
    fc_live *live = must_create(scenario, false);
    assert_int_equal(fc_live_nodes(live), network->nodes);
    fc_random random = fc_random_stream(11, 0, 0);
    for (int round = 0; round < 4; ++round) {
        fc_trace_message lines[MESSAGES];
        uint64_t wanted[MESSAGES], latency[MESSAGES] = {0};
        draw_messages(&random, network->nodes, lines);
        const fc_trace trace = {.count = MESSAGES, .messages = lines};
        run_trace(network, &routed, &trace, wanted);
        drive(live, lines, &random, latency);
        assert_memory_equal(latency, wanted, sizeof wanted);
        must(fc_live_reset(live, &error), &error);
        assert_int_equal(fc_live_time(live), 0);
    }
    fc_live_free(live);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

static void messages_fare_as_in_a_trace(void **state) {
    (void)state;
    same_as_a_trace(mesh);
    same_as_a_trace(torus);
    same_as_a_trace(tree);
}

/* ---- background ---- */

/* What is injected among the scenario's own messages is delivered, and only that is handed out. */
static void drive_with_background(const char *text, bool replies, fc_delivery *last) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_live *live = must_create(scenario, true);
    fc_error error;
    const uint32_t nodes = (uint32_t)fc_live_nodes(live);
    fc_random random = fc_random_stream(3, 0, 0);
    uint64_t given = 0, taken = 0, seen = 0;
    for (int step = 0; step < 400; ++step) {
        const fc_live_message pair[2] = {
            {.source = fc_random_below(&random, nodes), .flits = 3, .tag = given},
            {.destination = fc_random_below(&random, nodes),
             .flits = 2,
             .tag = given + 1,
             .reply = replies}};
        must(fc_live_inject(live, pair, 2, &error), &error);
        given += 2;
        must(fc_live_advance(live, 30, &error), &error);
        fc_delivery list[64];
        const size_t count = fc_live_deliveries(live, list, 64);
        for (size_t i = 0; i < count; ++i)
            seen += list[i].tag;
        taken += count;
        if (count)
            *last = list[count - 1];
    }
    fc_result *snapshot;
    must(fc_live_snapshot(live, false, &error, &snapshot), &error);
    assert_true(fc_result_metric(snapshot, "throughput")->value > 0.008);
    fc_result_free(snapshot);
    while (taken < given) {
        must(fc_live_advance_until(live, UINT64_MAX, true, &error), &error);
        for (; fc_live_deliveries(live, last, 1); ++taken)
            seen += last->tag;
    }
    assert_int_equal(seen, given * (given - 1) / 2);
    assert_int_equal(fc_live_under_way(live), 0);
    const uint64_t time = fc_live_time(live);
    must(fc_live_advance_until(live, UINT64_MAX, true, &error), &error);
    assert_int_equal(fc_live_time(live), time);
    fc_live_free(live);
    fc_scenario_free(scenario);
}

static void injected_messages_go_among_the_background(void **state) {
    (void)state;
    fc_delivery once = {0}, again = {0};
    drive_with_background(mesh, false, &once);
    drive_with_background(mesh, false, &again);
    assert_memory_equal(&once, &again, sizeof once);
    drive_with_background(requests, true, &once);
    drive_with_background(ideal, false, &once);
}

/* Without a background the limit of outstanding requests is the caller's matter. */
static void requests_are_not_limited(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(requests, NULL, NULL);
    fc_live *live = must_create(scenario, false);
    fc_error error;
    for (uint64_t i = 0; i < 20; ++i) {
        const fc_live_message request = {.source = 0, .destination = 5, .flits = 2, .tag = i};
        must(fc_live_inject(live, &request, 1, &error), &error);
    }
    must(fc_live_advance(live, 200, &error), &error);
    assert_int_equal(fc_live_deliveries(live, NULL, 0), 20);
    fc_live_free(live);
    fc_scenario_free(scenario);
}

/* ---- what is seen of it ---- */

static void ideal_routers_take_flits_and_hops(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(ideal, NULL, NULL);
    fc_live *live = must_create(scenario, false);
    fc_error error;
    const fc_live_message message = {.source = 1, .destination = 4, .flits = 9, .tag = 7};
    must(fc_live_inject(live, &message, 1, &error), &error);
    must(fc_live_advance_until(live, 1000, true, &error), &error);
    assert_int_equal(fc_live_time(live), 14); /* the cycle after the delivery */
    fc_delivery found;
    assert_int_equal(fc_live_deliveries(live, &found, 1), 1);
    assert_int_equal(found.delivered - found.injected - 1, 9 + 3);
    assert_int_equal(found.hops, 3);
    assert_int_equal(found.tag, 7);
    fc_live_free(live);
    fc_scenario_free(scenario);
}

static void snapshots_show_what_passed_and_what_waits(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(mesh, NULL, NULL);
    fc_live *live = must_create(scenario, false);
    fc_error error;
    for (uint64_t i = 0; i < 50; ++i) {
        const fc_live_message message = {.source = 0, .destination = 1, .flits = 4, .tag = i};
        must(fc_live_inject(live, &message, 1, &error), &error);
    }
    must(fc_live_advance(live, 100, &error), &error);
    fc_result *result;
    must(fc_live_snapshot(live, true, &error, &result), &error);
    const fc_table *waiting = fc_result_table(result, "waiting");
    assert_int_equal(waiting->rows, 16);
    assert_true(waiting->values[0] > 10); /* messages at node 0 */
    const double delivered = fc_result_metric(result, "throughput")->value * 100 * 16;
    assert_close(delivered + fc_result_metric(result, "waiting")->value +
                     fc_result_metric(result, "in_network")->value,
                 50, 1e-9);
    assert_close(delivered, (double)fc_live_deliveries(live, NULL, 0), 1e-9);
    const fc_table *channels = fc_result_table(result, "channels");
    double busiest = 0;
    for (size_t r = 0; r < channels->rows; ++r)
        busiest = fmax(busiest, channels->values[r * channels->columns]);
    assert_true(busiest > 0.5 && busiest <= 1);
    fc_result_free(result);
    must(fc_live_advance(live, 1000, &error), &error);
    must(fc_live_snapshot(live, false, &error, &result), &error);
    assert_int_equal(fc_result_table(result, "waiting")->values[0], 0);
    assert_close(fc_result_metric(result, "throughput")->value * 1000 * 16 + delivered, 50, 1e-9);
    fc_result_free(result);
    fc_live_free(live);
    fc_scenario_free(scenario);
}

/* ---- wrong calls ---- */

static void must_not_inject(fc_live *live, fc_live_message message, const char *reason) {
    fc_error error;
    const size_t before = fc_live_under_way(live);
    const fc_live_message both[2] = {{.source = 0, .destination = 1, .flits = 1}, message};
    assert_int_equal(fc_live_inject(live, both, 2, &error), FC_ERROR_INPUT);
    must_say(error.text, reason);
    assert_int_equal(fc_live_under_way(live), before); /* none of them */
}

static void wrong_calls_are_refused(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(mesh, NULL, NULL);
    fc_live *live = must_create(scenario, false);
    fc_error error;
    must(fc_live_advance(live, 10, &error), &error);
    must_not_inject(live, (fc_live_message){.source = 16, .flits = 1}, "no node 16");
    must_not_inject(live, (fc_live_message){.destination = 99, .flits = 1}, "no node 99");
    must_not_inject(live, (fc_live_message){.flits = 0}, "1 to");
    must_not_inject(live, (fc_live_message){.flits = UINT32_MAX}, "1 to");
    must_not_inject(live, (fc_live_message){.flits = 1, .time = 9}, "cycle 9 is past");
    must_not_inject(live, (fc_live_message){.flits = 1, .time = UINT64_MAX}, "too far");
    must_not_inject(live, (fc_live_message){.flits = 1, .reply = true}, "replies");
    assert_int_equal(fc_live_advance_until(live, 9, false, &error), FC_ERROR_INPUT);
    assert_int_equal(fc_live_advance_until(live, UINT64_MAX, false, &error), FC_ERROR_INPUT);
    assert_int_equal(fc_live_advance(live, UINT64_MAX, &error), FC_ERROR_INPUT);
    assert_int_equal(fc_live_time(live), 10);
    fc_live_free(live);
    fc_scenario_free(scenario);
    fc_live_free(NULL);

    static const struct {
        const char *text, *reason;
        bool background;
    } refused[] = {
        {"network: {topology: ring-hierarchy, rings: [4, 4]}\ntraffic: {rate: 0.01}\n",
         "made of routers", false},
        {"network: {topology: torus, radix: [4, 4], switching: scouting, virtual_channels: 2}\n"
         "traffic: {rate: 0.01, message_flits: 4}\n",
         "not scouting", false},
        {"network: {topology: torus, radix: [4, 4], virtual_channels: 2, buffer: 1}\n"
         "traffic: {kind: closed, outstanding: 1, think_time: 5, requests: [{share: 1, flits: 1,\n"
         "          reply_flits: 1, memory_reply: 1, memory_busy: 1}]}\n",
         "closed traffic", true},
        {"network: {topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 4,\n"
         "          router_delay: 1, switching: cut-through}\n"
         "traffic: {rate: 0.01, message_flits: 4}\n",
         NULL, false},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        scenario = must_read(refused[i].text, NULL, NULL);
        live = NULL;
        if (refused[i].reason) {
            assert_int_equal(fc_live_create(scenario, refused[i].background, &error, &live),
                             FC_ERROR_UNSUPPORTED);
            must_say(error.text, refused[i].reason);
            assert_null(live);
        } else {
            live = must_create(scenario, false);
            must_not_inject(live, (fc_live_message){.flits = 5}, "what a buffer takes");
            fc_live_free(live);
        }
        fc_scenario_free(scenario);
    }
}

/* ---- many at once, and no memory ---- */

static void thousands_side_by_side(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    fc_scenario *scenario = must_read(ideal, NULL, NULL);
    static fc_live *live[COUNT];
    fc_error error;
    for (size_t i = 0; i < COUNT; ++i)
        live[i] = must_create(scenario, i % 2);
    for (size_t i = 0; i < COUNT; ++i) {
        const fc_live_message message = {.source = 0, .destination = 5, .flits = 2, .tag = i};
        must(fc_live_inject(live[i], &message, 1, &error), &error);
    }
    for (int step = 0; step < 3; ++step) {
        for (size_t i = 0; i < COUNT; ++i)
            must(fc_live_advance(live[i], 50, &error), &error);
    }
    for (size_t i = 0; i < COUNT; ++i) {
        fc_delivery found = {0};
        assert_int_equal(fc_live_deliveries(live[i], &found, 1), 1);
        assert_int_equal(found.tag, i);
        fc_live_free(live[i]);
    }
    fc_scenario_free(scenario);
}

#ifdef FC_CHECKS
static fc_status live_for_a_while(const fc_scenario *scenario, fc_error *error) {
    fc_live *live = NULL;
    fc_result *result = NULL;
    fc_status status = fc_live_create(scenario, true, error, &live);
    for (uint64_t i = 0; status == FC_OK && i < 600; ++i) {
        const fc_live_message message = {.source = 1, .flits = 1, .tag = i, .time = i % 2 ? 9 : 0};
        status = fc_live_inject(live, &message, 1, error);
    }
    if (status == FC_OK)
        status = fc_live_advance(live, 2000, error);
    if (status == FC_OK)
        status = fc_live_snapshot(live, true, error, &result);
    if (status == FC_OK)
        status = fc_live_reset(live, error);
    fc_result_free(result);
    fc_live_free(live);
    return status;
}

static void memory_that_runs_out_is_reported(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(tree, NULL, NULL);
    const size_t before = fc_allocations_in_use();
    fc_error error;
    for (size_t nth = 1;; ++nth) {
        fc_allocation_fail_nth(nth);
        error.text[0] = '\0';
        const fc_status status = live_for_a_while(scenario, &error);
        const bool failed = fc_allocation_has_failed();
        fc_allocation_fail_nth(0);
        assert_int_equal(fc_allocations_in_use(), before);
        if (!failed) {
            assert_int_equal(status, FC_OK);
            assert_true(nth > 20);
            break;
        }
        assert_int_equal(status, FC_ERROR_MEMORY);
        must_say(error.text, "out of memory");
    }
    fc_scenario_free(scenario);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_fare_as_in_a_trace),
        cmocka_unit_test(injected_messages_go_among_the_background),
        cmocka_unit_test(requests_are_not_limited),
        cmocka_unit_test(ideal_routers_take_flits_and_hops),
        cmocka_unit_test(snapshots_show_what_passed_and_what_waits),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(thousands_side_by_side),
#ifdef FC_CHECKS
        cmocka_unit_test(memory_that_runs_out_is_reported),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
