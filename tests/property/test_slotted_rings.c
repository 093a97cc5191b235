/* The fast simulator against the plain one, packet for packet on the same random streams. */
#include "test_support.h"
#include "rings_support.h"

#include "simulators/slot/slotted_rings.h"
#include "slotted_rings_reference.h"
#include <string.h>

static void compare_rings(const fc_slotted_rings *fast, const reference *plain) {
    assert_int_equal(fast->ring_count, plain->ring_count);
    for (uint32_t r = 0; r < plain->ring_count; ++r) {
        const fc_ring *ring = &fast->rings[r];
        const reference_ring *expected = &plain->rings[r];
        assert_int_equal(ring->links, expected->nodes);
        for (uint32_t position = 0; position < ring->links; ++position) {
            /* turn has already moved on to the next cycle: what position p sent is in front of p+1.
             */
            const uint32_t slot = (position + 1 + fast->turn[ring->level]) % ring->links;
            const bool full = (fast->slot_bits[ring->slots + slot / 64] >> slot % 64 & 1) != 0;
            assert_int_equal(full, expected->slots[position] != NULL);
            const reference_queue *queue = &expected->queues[position];
            uint32_t packet = fast->nodes[ring->first_node + position].head;
            for (size_t i = 0; i < queue->count; ++i) {
                assert_int_not_equal(packet, FC_NO_PACKET);
                const reference_packet *twin = queue->packets[queue->first + i];
                assert_int_equal(fast->packets[packet].born, twin->born);
                assert_int_equal(fast->packets[packet].joined, twin->joined);
                packet = fast->packets[packet].next;
            }
            assert_int_equal(packet, FC_NO_PACKET);
        }
    }
}

static void compare_counters(const fc_slotted_rings *fast, const reference *plain) {
    assert_int_equal(fast->all.cycles, plain->now);
    assert_int_equal(fast->all.generated, plain->generated);
    assert_int_equal(fast->all.delivered, plain->delivered);
    assert_int_equal(fast->all.latency, plain->latency);
    for (int queue = 0; queue < FC_QUEUE_KINDS; ++queue) {
        assert_int_equal(fast->all.sent[queue], plain->sent[queue]);
        assert_int_equal(fast->all.waited[queue], plain->waited[queue]);
    }
    for (int level = 0; level < FC_RING_LEVELS; ++level)
        assert_int_equal(fast->all.occupied[level], plain->occupied[level]);
}

static void run_both(fc_rings rings, uint64_t seed, uint32_t stretches) {
    const fc_scenario scenario = rings_scenario(&rings);
    void *state;
    fc_error error;
    fc_histogram latencies = {0};
    double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0};
    fc_sample sample = {.sums = sums, .weights = weights, .latencies = &latencies};
    assert_int_equal(fc_slotted_rings_create(&scenario, NULL, seed, 3, &error, &state), FC_OK);
    const fc_slotted_rings *fast = state;
    reference *plain = reference_create(&rings, seed, 3);
    fc_random random = fc_random_stream(seed, 1, 99);
    for (uint32_t stretch = 0; stretch < stretches; ++stretch) {
        const uint32_t cycles = 1 + fc_random_below(&random, 40);
        assert_int_equal(fc_slotted_rings_advance(state, cycles, &sample, &error), FC_OK);
        for (uint32_t cycle = 0; cycle < cycles; ++cycle)
            reference_tick(plain);
        compare_counters(fast, plain);
        compare_rings(fast, plain);
    }
    assert_memory_equal(&latencies, &plain->latencies, sizeof latencies);
    assert_true(sums[FC_METRIC_LATENCY] == (double)plain->latency);
    assert_true(weights[FC_METRIC_LATENCY] == (double)plain->delivered);
    assert_true(sample.backlog == (double)(plain->generated - plain->delivered));
    reference_free(plain);
    fc_slotted_rings_release(state);
}

static void small_networks_at_any_load(void **state) {
    (void)state;
    fc_random random = fc_random_stream(11, 0, 0);
    for (uint64_t i = 0; i < 300; ++i) {
        const bool three = fc_random_below(&random, 2) == 1;
        const uint32_t limit = three ? 5 : 12;
        const double L = 2 + fc_random_below(&random, limit);
        const double M = three ? 2 + fc_random_below(&random, limit) : 0;
        const double G = 2 + fc_random_below(&random, limit);
        const double P = fc_random_below(&random, 4) == 0 ? -1 : fc_random_unit(&random);
        const double P_M = three ? (1 - P) * fc_random_unit(&random) : 0;
        fc_rings rings = make_rings(L, M, G, 1, P, P_M);
        /* Up to 20 % above saturation. */
        rings.rate = fmin(1, rate_at_utilisation(&rings, 0.02 + 1.18 * fc_random_unit(&random)));
        run_both(rings, 100 + i, 20);
    }
}

/* Rings longer than a word, exactly a word, and a word and a bit; single stations and rings. */
static void sizes_at_the_edges_of_words(void **state) {
    (void)state;
    static const double sizes[] = {62, 63, 64, 65, 127, 128, 129, 200};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        fc_rings cases[] = {
            make_rings(sizes[i], 0, 3, 1, -1, 0),
            make_rings(3, 0, sizes[i], 1, -1, 0),
            make_rings(2, sizes[i], 2, 1, -1, 0),
        };
        for (size_t c = 0; c < 3; ++c) {
            cases[c].rate = rate_at_utilisation(&cases[c], 0.9);
            run_both(cases[c], 500 + i, 60);
        }
    }
}

static void classes_without_traffic(void **state) {
    (void)state;
    fc_rings cases[] = {
        make_rings(5, 0, 4, 0.2, 1, 0),  make_rings(5, 0, 4, 0.05, 0, 0),
        make_rings(1, 0, 9, 0.15, 0, 0), make_rings(4, 3, 5, 0.02, 0, 1),
        make_rings(4, 3, 5, 0.02, 0, 0), make_rings(4, 1, 5, 0.02, 0.4, 0),
        make_rings(6, 0, 1, 0.2, -1, 0), make_rings(4, 5, 1, 0.02, -1, 0),
        make_rings(1, 1, 12, 0.1, 0, 0),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        run_both(cases[i], 700 + i, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks_at_any_load),
        cmocka_unit_test(sizes_at_the_edges_of_words),
        cmocka_unit_test(classes_without_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
