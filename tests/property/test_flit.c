/* The flit engine against the plain reference: the same latency for every message, bit for bit, on
 * randomly chosen small networks and settings, from light load to far above saturation. */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "flit_support.h"
#include "property/flit_reference.h"
#include "simulators/flit/flit_closed.h"

enum { NUMBERS = 1 << 16 };

typedef struct record {
    uint64_t latency[NUMBERS]; /* 0: not delivered */
    uint64_t delivered;
} record;

static void note(record *in, uint64_t number, uint64_t latency) {
    assert_true(number < NUMBERS);
    assert_true(in->latency[number] == 0); /* once */
    in->latency[number] = latency;
    ++in->delivered;
}

static void note_reference(void *context, uint64_t number, uint64_t latency) {
    note(context, number, latency);
}

static void note_engine(void *context, const fc_message *message, uint64_t latency) {
    note(context, message->number, latency);
}

static uint32_t below(fc_random *random, uint32_t bound) {
    return fc_random_below(random, bound);
}

static void choose_shape(fc_random *random, fc_torus *torus) {
    static const uint32_t nodes_max = 40;
    torus->topology = below(random, 4) ? FC_TORUS : FC_MESH;
    torus->links =
        torus->topology == FC_TORUS && below(random, 2) ? FC_UNIDIRECTIONAL : FC_BIDIRECTIONAL;
    torus->direction = below(random, 2) ? FC_INCREASING : FC_DECREASING;
    torus->order = below(random, 2) ? FC_ASCENDING : FC_DESCENDING;
    do {
        torus->radix.count = 1 + below(random, 4);
        torus->nodes = 1;
        for (size_t d = 0; d < torus->radix.count; ++d) {
            torus->radix.values[d] = 2 + below(random, torus->radix.count > 2 ? 3 : 7);
            torus->nodes *= torus->radix.values[d];
        }
    } while (torus->nodes > nodes_max);
}

static void choose_channels(fc_random *random, fc_torus *torus) {
    static const int64_t buffers[] = {1, 1, 1, 2, 3, 8, FC_INFINITE};
    torus->channel_rule = torus->topology == FC_MESH ? FC_FREE : (int)below(random, 3);
    switch (torus->channel_rule) {
    case FC_HIGH_LOW:
        torus->virtual_channels = 2;
        break;
    case FC_DATELINE:
        torus->virtual_channels = 2 + 2 * below(random, 4);
        break;
    case FC_ESCAPE:
        torus->virtual_channels = 2 + below(random, 7);
        break;
    default:
        torus->virtual_channels = 1 + below(random, 8);
        break;
    }
    torus->buffer = buffers[below(random, 7)];
    torus->handover = below(random, 2) ? FC_SAME_CYCLE : FC_NEXT_CYCLE;
    torus->injection_channels = 1 + below(random, 4);
    torus->ejection_channels = 1 + below(random, 3);
}

static void choose_destinations(fc_random *random, fc_torus *torus) {
    static const fc_pattern patterns[] = {FC_UNIFORM, FC_UNIFORM, FC_NEAR_NEIGHBOUR, FC_HOT_SPOT};
    torus->destinations.pattern = patterns[below(random, 4)];
    torus->destinations.share = 0.3;
    torus->hot_node = torus->destinations.pattern == FC_HOT_SPOT
                          ? (int64_t)below(random, (uint32_t)torus->nodes)
                          : -1;
}

static void choose_open(fc_random *random, fc_torus *torus) {
    static const double loads[] = {0.05, 0.3, 0.6, 1.0, 2.5};
    torus->kind = FC_OPEN;
    torus->message_flits = below(random, 3) ? 1 + below(random, 20) : 1;
    /* Loads relative to a rough capacity: one flit per node and cycle over the mean distance. */
    const double capacity = 1.0 / ((double)torus->message_flits * 2);
    torus->rate = loads[below(random, 5)] * capacity;
    choose_destinations(random, torus);
}

static void choose_closed(fc_random *random, fc_torus *torus) {
    torus->kind = FC_CLOSED;
    torus->node_links = (int)below(random, 4);
    torus->outstanding = below(random, 6) ? 1 + (int64_t)below(random, 5) : FC_INFINITE;
    torus->processors = (int)below(random, torus->outstanding == FC_INFINITE ? 1 : 3);
    torus->think_time = torus->outstanding == FC_INFINITE ? 60 : 1 + below(random, 60);
    torus->requests.count = 1 + below(random, 2);
    for (size_t i = 0; i < torus->requests.count; ++i)
        torus->requests.types[i] = (fc_request_type){.share = i                            ? 0.2
                                                              : torus->requests.count == 2 ? 0.8
                                                                                           : 1.0,
                                                     .flits = 1 + below(random, 11),
                                                     .reply_flits = 1 + below(random, 11),
                                                     .memory_reply = below(random, 13),
                                                     .memory_busy = below(random, 13)};
    choose_destinations(random, torus);
}

static void describe(const fc_torus *torus, char *text, size_t size) {
    size_t used = 0;
    for (size_t d = 0; d < torus->radix.count; ++d)
        used += (size_t)snprintf(text + used, size - used, "%s%d", d ? "x" : "",
                                 (int)torus->radix.values[d]);
    snprintf(text + used, size - used,
             " topology %d links %d direction %d order %d rule %d channels %d buffer %d handover "
             "%d in %d out %d kind %d rate %g flits %d pattern %d links %d outstanding %d think %g",
             torus->topology, torus->links, torus->direction, torus->order, torus->channel_rule,
             (int)torus->virtual_channels, (int)torus->buffer, torus->handover,
             (int)torus->injection_channels, (int)torus->ejection_channels, torus->kind,
             torus->rate, (int)torus->message_flits, torus->destinations.pattern, torus->node_links,
             (int)torus->outstanding, torus->think_time);
}

static record expected, found;

static void compare(const fc_torus *torus, uint64_t seed, uint64_t cycles) {
    char text[512];
    uint64_t busy[64] = {0};
    fc_error error;
    memset(&expected, 0, sizeof expected);
    memset(&found, 0, sizeof found);
    describe(torus, text, sizeof text);
    const uint64_t hops = reference_run(torus, seed, cycles, note_reference, &expected, busy);
    fc_flit *engine = flit_start(torus, seed);
    engine->observer = note_engine;
    engine->observer_context = &found;
    /* In two stretches, as the driver does. */
    fc_status status = fc_flit_run(engine, cycles / 3, &error);
    if (status == FC_OK)
        status = fc_flit_run(engine, cycles, &error);
    if (status != FC_OK)
        fail_msg("%s: %s", text, error.text);
    for (size_t i = 0; i < NUMBERS; ++i)
        if (expected.latency[i] != found.latency[i])
            fail_msg("%s: message %zu took %llu, expected %llu", text, i,
                     (unsigned long long)found.latency[i], (unsigned long long)expected.latency[i]);
    assert_int_equal(fc_flit_hops(engine), hops);
    if (torus->kind == FC_CLOSED) {
        double sum = 0;
        for (uint32_t node = 0; node < engine->geometry->nodes; ++node) {
            const bool many = torus->processors == FC_PROCESSOR_PER_REQUEST;
            const double processors = many ? (double)torus->outstanding : 1;
            assert_true(fc_closed_busy_cycles(engine, node) ==
                        (double)(int64_t)busy[node] / processors);
            sum += (double)(int64_t)busy[node];
        }
        assert_true(engine->sums.busy == sum);
    }
    flit_stop(engine);
}

static void engine_equals_reference(int kind, uint32_t cases, uint64_t seed) {
    fc_random random = fc_random_stream(seed, 0, 0);
    uint64_t delivered = 0;
    for (uint32_t i = 0; i < cases; ++i) {
        fc_torus torus = {0};
        choose_shape(&random, &torus);
        choose_channels(&random, &torus);
        if (kind == FC_OPEN)
            choose_open(&random, &torus);
        else
            choose_closed(&random, &torus);
        compare(&torus, i + 1, 300 + below(&random, 1200));
        delivered += expected.delivered;
    }
    assert_true(delivered > 100 * cases); /* the cases do exercise the networks */
}

static void open_networks_agree_with_the_reference(void **state) {
    (void)state;
    engine_equals_reference(FC_OPEN, 400, 11);
}

static void closed_networks_agree_with_the_reference(void **state) {
    (void)state;
    engine_equals_reference(FC_CLOSED, 300, 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_networks_agree_with_the_reference),
        cmocka_unit_test(closed_networks_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
