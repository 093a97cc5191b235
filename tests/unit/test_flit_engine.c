/* The flit engine where the answer is known: zero load, a ring that is an M/D/1 queue, a closed
 * pair of nodes solved exactly, a network that must lock up. */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "flit_support.h"
#include "simulators/flit/flit_closed.h"
#include "torus_support.h"

static fc_torus open_torus(fc_integer_list radix) {
    return make_torus(radix, 3, 16, 0);
}

static fc_torus closed_torus(fc_integer_list radix) {
    fc_torus torus = open_torus(radix);
    torus.kind = FC_CLOSED;
    torus.links = FC_BIDIRECTIONAL;
    torus.order = FC_DESCENDING;
    torus.virtual_channels = 2;
    torus.channel_rule = FC_HIGH_LOW;
    torus.handover = FC_SAME_CYCLE;
    torus.ejection_channels = 1;
    torus.outstanding = 1;
    torus.requests = (fc_requests){.count = 2, .types = {{0.8, 3, 9, 4, 4}, {0.2, 11, 3, 8, 4}}};
    return torus;
}

static void run(fc_flit *engine, uint64_t cycles) {
    fc_error error;
    if (fc_flit_run(engine, engine->time + cycles, &error) != FC_OK)
        fail_msg("%s", error.text);
}

/* ---- zero load ---- */

typedef struct exactness {
    const fc_flit *engine;
    uint64_t messages, exact;
} exactness;

static void see_latency(void *context, const fc_message *message, uint64_t latency) {
    exactness *seen = context;
    const uint64_t hops =
        fc_geometry_distance(seen->engine->geometry, message->source, message->destination);
    const uint64_t least = message->flits + hops + (seen->engine->closed ? 1 : 0);
    assert_true(latency >= least);
    ++seen->messages;
    seen->exact += latency == least;
}

static void zero_load_latency_is_exact(void **state) {
    (void)state;
    static const fc_integer_list shapes[] = {{2, {4, 4}}, {3, {2, 3, 2}}, {1, {9}}};
    for (int variant = 0; variant < 12; ++variant) {
        fc_torus torus = open_torus(shapes[variant % 3]);
        torus.links = variant % 2 ? FC_UNIDIRECTIONAL : FC_BIDIRECTIONAL;
        torus.topology = variant < 9 ? FC_TORUS : FC_MESH;
        if (torus.topology == FC_MESH) {
            torus.links = FC_BIDIRECTIONAL;
            torus.channel_rule = FC_FREE;
        }
        torus.message_flits = 1 + 7 * (variant % 4);
        torus.buffer = 1 + variant % 2;
        torus.rate = 1e-6;
        fc_flit *engine = flit_start(&torus, 3);
        exactness seen = {.engine = engine};
        engine->observer = see_latency;
        engine->observer_context = &seen;
        run(engine, 20000000); /* idle cycles cost nothing */
        assert_true(seen.messages > 100);
        assert_true(seen.exact >= seen.messages - 2); /* two may have met */
        flit_stop(engine);
    }
}

static void zero_load_network_time_counts_injection(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {4, 4}};
    for (int variant = 0; variant < 3; ++variant) {
        fc_torus torus = closed_torus(radix);
        torus.think_time = 100000;
        torus.node_links = variant == 1 ? FC_LINK_PER_CHANNEL : FC_SINGLE_LINK;
        if (variant == 2) {
            torus.topology = FC_MESH;
            torus.virtual_channels = 1;
            torus.channel_rule = FC_FREE;
            torus.buffer = 4;
        }
        fc_flit *engine = flit_start(&torus, 5);
        exactness seen = {.engine = engine};
        engine->observer = see_latency;
        engine->observer_context = &seen;
        run(engine, 2000000);
        assert_true(seen.messages > 400);
        assert_true((double)seen.exact > 0.99 * (double)seen.messages);
        flit_stop(engine);
    }
}

/* ---- M/D/1 ---- */

static void two_node_ring_is_a_queue(void **state) {
    (void)state;
    const fc_integer_list radix = {1, {2}};
    const double rates[] = {0.02, 0.035, 0.045};
    for (size_t i = 0; i < 3; ++i) {
        fc_torus torus = open_torus(radix);
        torus.virtual_channels = torus.injection_channels = torus.ejection_channels = 2;
        torus.rate = rates[i];
        fc_flit *engine = flit_start(&torus, 9);
        run(engine, 50000);
        engine->sums = (fc_flit_sums){0};
        run(engine, 1000000);
        const double latency = engine->sums.latency / engine->sums.messages;
        double bound[2];
        for (int extra = 1; extra <= 2; ++extra) {
            const double service = 16 + extra;
            bound[extra - 1] = 17 + rates[i] * service * service / (2 * (1 - rates[i] * service));
        }
        assert_true(latency > 0.98 * bound[0] && latency < 1.02 * bound[1]);
        flit_stop(engine);
    }
}

/* ---- a closed pair, exactly ----
 *
 * Two nodes joined by one channel each way, one customer each, messages of one flit. A message
 * takes 3 cycles: into the switch, across, into the node. Customers meet only where one queues its
 * request in the cycle in which the other's reply is queued at the same node: the reply then
 * follows one cycle later. So the pair is a small Markov chain over the states of its customers:
 *
 *     0                  thinking
 *     1 .. AWAY          in the cycle 0 .. AWAY-1 after the request was queued
 *     AWAY+1 .. AWAY+3   the same after the reply had to wait a cycle */

enum { MEMORY = 5, REPLIES = 1 + 3 + MEMORY, AWAY = REPLIES + 2, STATES = AWAY + 4 };

static int next_away(int state, int other) {
    if (state == REPLIES && other == 1)
        return AWAY + 1;
    return state == AWAY || state == AWAY + 3 ? 0 : state + 1;
}

static void step_pair(double leave, double now[STATES][STATES], double then[STATES][STATES]) {
    memset(then, 0, STATES * sizeof *then);
    for (int a = 0; a < STATES; ++a) {
        for (int b = 0; b < STATES; ++b) {
            for (int sends = 0; sends < 4; ++sends) {
                const int a_sends = sends & 1, b_sends = sends >> 1;
                if ((a_sends && a != 0) || (b_sends && b != 0))
                    continue;
                const double p = now[a][b] *
                                 (a         ? 1
                                  : a_sends ? leave
                                            : 1 - leave) *
                                 (b         ? 1
                                  : b_sends ? leave
                                            : 1 - leave);
                then[a ? next_away(a, b) : a_sends][b ? next_away(b, a) : b_sends] += p;
            }
        }
    }
}

static double pair_efficiency(double think_time) {
    double now[STATES][STATES] = {{1}}, then[STATES][STATES];
    double thinking = 0, before;
    do {
        before = thinking;
        for (int step = 0; step < 200; ++step) {
            step_pair(1 / think_time, now, then);
            memcpy(now, then, sizeof now);
        }
        thinking = 0;
        for (int b = 0; b < STATES; ++b)
            thinking += now[0][b];
    } while (fabs(thinking - before) > 1e-13);
    return thinking;
}

static void closed_pair_matches_its_markov_chain(void **state) {
    (void)state;
    const fc_integer_list radix = {1, {2}};
    const double think_times[] = {2, 6, 30};
    for (size_t i = 0; i < 3; ++i) {
        fc_torus torus = closed_torus(radix);
        torus.links = FC_UNIDIRECTIONAL;
        torus.think_time = think_times[i];
        torus.requests = (fc_requests){.count = 1, .types = {{1, 1, 1, MEMORY, MEMORY}}};
        fc_flit *engine = flit_start(&torus, 21);
        run(engine, 1000);
        engine->sums = (fc_flit_sums){0};
        const double cycles = 1e6;
        run(engine, (uint64_t)cycles);
        const double exact = pair_efficiency(think_times[i]);
        assert_close(engine->sums.busy / cycles / 2, exact, 0.002);
        /* They do meet: alone, a customer would be away for AWAY cycles. */
        assert_true(exact < think_times[i] / (think_times[i] + AWAY));
        flit_stop(engine);
    }
}

/* ---- lock-up ---- */

static void a_circle_of_waiting_messages_is_reported(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {5, 3}};
    fc_torus torus = open_torus(radix);
    torus.virtual_channels = torus.injection_channels = 1;
    torus.channel_rule = FC_FREE; /* the scenario reader refuses this */
    torus.rate = 0.02;
    fc_flit *engine = flit_start(&torus, 1);
    fc_error error;
    assert_int_equal(fc_flit_run(engine, 200000, &error), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "is deadlocked"));
    assert_non_null(strstr(error.text, "->"));
    flit_stop(engine);
}

static void heavy_load_does_not_lock_up_what_is_allowed(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {5, 3}};
    for (int rule = FC_HIGH_LOW; rule <= FC_ESCAPE; ++rule) {
        for (int handover = FC_SAME_CYCLE; handover <= FC_NEXT_CYCLE; ++handover) {
            fc_torus torus = open_torus(radix);
            torus.virtual_channels = rule == FC_HIGH_LOW ? 2 : 4;
            torus.channel_rule = rule;
            torus.handover = handover;
            torus.rate = 0.5;
            torus.message_flits = 3;
            fc_flit *engine = flit_start(&torus, 1);
            run(engine, 5000);
            assert_true(engine->sums.messages > 2000);
            flit_stop(engine);
        }
    }
}

/* Headers that wait for thousands of cycles behind messages that move are not locked up. */
static void long_waits_are_not_taken_for_a_lock_up(void **state) {
    (void)state;
    fc_torus torus = open_torus((fc_integer_list){1, {4}});
    torus.message_flits = 3000;
    torus.rate = 0.001;
    fc_flit *engine = flit_start(&torus, 1);
    run(engine, 30000);
    assert_true(engine->sums.messages > 10);
    assert_true(engine->sums.latency > 2 * 3000 * engine->sums.messages);
    flit_stop(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_load_latency_is_exact),
        cmocka_unit_test(zero_load_network_time_counts_injection),
        cmocka_unit_test(two_node_ring_is_a_queue),
        cmocka_unit_test(closed_pair_matches_its_markov_chain),
        cmocka_unit_test(a_circle_of_waiting_messages_is_reported),
        cmocka_unit_test(heavy_load_does_not_lock_up_what_is_allowed),
        cmocka_unit_test(long_waits_are_not_taken_for_a_lock_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
