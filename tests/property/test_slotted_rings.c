/* The fast simulator against the plain one, packet for packet on the same random streams. */
#include "test_support.h"
#include "rings_support.h"
#include "scenario_support.h"

#include "network/ring_flows.h"
#include "simulators/slot/ring_closed.h"
#include "slotted_rings_reference.h"
#include <string.h>

static void compare_rings(const fc_slotted_rings *fast, const reference *plain) {
    assert_int_equal(fast->ring_count, plain->ring_count);
    for (uint32_t r = 0; r < plain->ring_count; ++r) {
        const fc_ring *ring = &fast->rings[r];
        const reference_ring *expected = &plain->rings[r];
        assert_int_equal(ring->links, expected->nodes);
        assert_int_equal(ring->lanes, expected->lanes);
        for (uint32_t position = 0; position < ring->links; ++position) {
            /* turn has already moved on to the next cycle: what position p sent is in front of p+1.
             */
            const uint32_t slot = (position + 1 + *ring->turn) % ring->links;
            for (uint32_t lane = 0; lane < ring->lanes; ++lane) {
                const size_t word = ring->slots + lane * ring->lane_words + slot / 64;
                const bool full = (fast->slot_bits[word] >> slot % 64 & 1) != 0;
                assert_int_equal(full, expected->slots[lane * ring->links + position] != NULL);
            }
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
    assert_int_equal(fast->all.hot_delivered, plain->hot_delivered);
    assert_int_equal(fast->all.hot_latency, plain->hot_latency);
    for (int queue = 0; queue < FC_QUEUE_KINDS; ++queue) {
        assert_int_equal(fast->all.sent[queue], plain->sent[queue]);
        assert_int_equal(fast->all.waited[queue], plain->waited[queue]);
    }
    for (int level = 0; level < FC_RING_LEVELS; ++level)
        assert_int_equal(fast->all.occupied[level], plain->occupied[level]);
}

static void compare_requests(const fc_ring_closed *fast, const reference *plain) {
    for (int reads = 0; reads < 2; ++reads) {
        assert_int_equal(fast->all.served[reads], plain->served[reads]);
        assert_int_equal(fast->all.response[reads], plain->response[reads]);
    }
    assert_int_equal(fast->all.busy, plain->busy);
    uint64_t refused = fast->all.refused[0] + fast->all.refused[1];
    for (uint32_t i = 0; i < fast->customers; ++i) /* of those under way */
        if (fast->customer[i].due != FC_RING_THOUGHT || plain->customer[i].queued == 0)
            refused += plain->customer[i].queued == 0 ? fast->customer[i].refused : 0;
    assert_int_equal(refused, plain->refused);
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
        if (fast->closed)
            compare_requests(fast->closed, plain);
    }
    assert_memory_equal(&latencies, &plain->latencies, sizeof latencies);
    if (fast->closed) {
        assert_true(sums[FC_METRIC_EFFICIENCY] == (double)plain->busy);
        assert_true(sums[FC_METRIC_RESPONSE_TIME] ==
                    (double)(plain->response[0] + plain->response[1]));
        assert_true(weights[FC_METRIC_THROUGHPUT] == (double)plain->now * plain->stations);
    } else {
        assert_true(sums[FC_METRIC_LATENCY] == (double)plain->latency);
        assert_true(weights[FC_METRIC_LATENCY] == (double)plain->delivered);
        assert_true(sample.backlog == (double)(plain->generated - plain->delivered));
    }
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

/* ---- what the paper does not have: levels, trees, wide links, short queues, a hot station ---- */

static double uniform_between(fc_random *random, double low, double high) {
    return low + (high - low) * fc_random_unit(random);
}

/* A tree of two to four on each ring, or rings of a level alike. */
static size_t write_network(fc_random *random, uint32_t levels, bool tree, char *text) {
    size_t used = 0;
    if (levels == 1)
        return (size_t)sprintf(text, tree ? "%u" : "[%u]", 1 + fc_random_below(random, 5));
    text[used++] = '[';
    const uint32_t fan = tree ? 1 + fc_random_below(random, 3) : levels;
    for (uint32_t i = 0; i < fan; ++i) {
        if (i > 0)
            text[used++] = ',';
        if (tree)
            used += write_network(random, levels - 1, true, text + used);
        else
            used += (size_t)sprintf(text + used, "%u", 2 + fc_random_below(random, 4));
    }
    text[used++] = ']';
    text[used] = 0;
    return used;
}

static size_t write_list(fc_random *random, uint32_t count, uint32_t most, char *text) {
    size_t used = 0;
    for (uint32_t i = 0; i < count; ++i)
        used += (size_t)sprintf(text + used, "%s%u", i > 0 ? "," : "[",
                                1 + fc_random_below(random, most));
    text[used++] = ']';
    text[used] = 0;
    return used;
}

static void write_traffic(fc_random *random, bool closed, size_t room, char *text) {
    if (closed)
        snprintf(text, room,
                 "kind: closed, outstanding: %u, think_time: %g, reads: %g, memory_reply: %u, "
                 "memory_busy: %u, retry: %u",
                 1 + fc_random_below(random, 5), uniform_between(random, 1, 60),
                 fc_random_unit(random), 1 + fc_random_below(random, 12),
                 fc_random_below(random, 20), fc_random_below(random, 12));
    else
        snprintf(text, room, "rate: %g", uniform_between(random, 0.001, 0.3));
}

static fc_scenario *draw_scenario(fc_random *random, bool closed, bool *turned_away) {
    char network[4096], slots[64], queue[32] = "infinite", more[96] = "", traffic[160];
    const uint32_t levels = 1 + fc_random_below(random, 5);
    const bool tree = levels > 1 && fc_random_below(random, 2) == 0;
    write_network(random, levels, tree, network);
    write_list(random, levels, 1 + fc_random_below(random, 3), slots);
    *turned_away = fc_random_below(random, 3) == 0;
    if (*turned_away)
        snprintf(queue, sizeof queue, "%u", 1 + fc_random_below(random, 3));
    if (fc_random_below(random, 2) == 0)
        snprintf(more, sizeof more, ", destinations: {hot-spot: {share: %g, node: %u}}",
                 fc_random_unit(random), fc_random_below(random, 2));
    write_traffic(random, closed, sizeof traffic, traffic);
    char text[5000];
    snprintf(text, sizeof text,
             "network: {topology: ring-hierarchy, %s: %s, ring_slots: %s, queue: %s}\n"
             "traffic: {%s%s}\n",
             tree ? "ring_tree" : "rings", network, slots, queue, traffic, more);
    fc_error error;
    fc_scenario *scenario = NULL;
    return read_with(text, NULL, NULL, &error, &scenario) == FC_OK ? scenario : NULL;
}

static void run_drawn(uint64_t seed, bool closed) {
    fc_random random = fc_random_stream(seed, 0, 0);
    uint32_t run = 0;
    for (uint64_t i = 0; i < 400; ++i) {
        bool turned_away;
        fc_scenario *scenario = draw_scenario(&random, closed, &turned_away);
        if (!scenario) /* one station in all */
            continue;
        run_both(*(const fc_rings *)scenario->parameters, 900 + i, 20);
        fc_scenario_free(scenario);
        ++run;
    }
    assert_true(run > 350);
}

static void extended_networks_at_any_load(void **state) {
    (void)state;
    run_drawn(13, false);
}

static void closed_traffic_on_any_network(void **state) {
    (void)state;
    run_drawn(17, true);
}

static void trees_with_locality(void **state) {
    (void)state;
    static const char *const traffics[] = {
        "rate: 0.05, locality: [0.5, 0.2]", "rate: 0.2, locality: [0, 0.4]",
        "rate: 0.03, locality: [1, 0]",
        "rate: 0.06, locality: [0.3, 0.3], destinations: {hot-spot: {share: 0.2, node: 9}}"};
    for (size_t i = 0; i < 4; ++i) {
        char text[256];
        snprintf(text, sizeof text,
                 "network: {topology: ring-hierarchy, ring_tree: [[4, 6], [3, 3, 5], [70, 2]]}\n"
                 "traffic: {%s}\n",
                 traffics[i]);
        fc_scenario *scenario = must_read(text, NULL, NULL);
        run_both(*(const fc_rings *)scenario->parameters, 1300 + i, 60);
        fc_scenario_free(scenario);
    }
}

/* Unequal rings and a hot station: the flows that the models are made of, link by link. */
static void every_link_carries_what_its_flows_say(void **state) {
    (void)state;
    static const char *const cases[] = {
        "rings: [4, 3]}\ntraffic: {rate: 0.03, destinations: {hot-spot: {share: 0.3, node: 6}}}",
        "rings: [3, 2, 3], ring_slots: [1, 2, 2]}\n"
        "traffic: {rate: 0.03, locality: [0.3, 0.2], destinations: {hot-spot: {share: 0.2, node: "
        "17}}}",
        "ring_tree: [[4, 6], [3, 3, 5], [8, 2]]}\ntraffic: {rate: 0.02}",
        "ring_tree: [[4, 6], [3, 3, 5], [8, 2]]}\n"
        "traffic: {rate: 0.02, locality: [0.3, 0.3], destinations: {hot-spot: {share: 0.1, node: "
        "0}}}",
        "rings: [7]}\ntraffic: {rate: 0.1, destinations: {hot-spot: {share: 0.5, node: 3}}}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(text, sizeof text, "network: {topology: ring-hierarchy, %s\n", cases[i]);
        fc_scenario *scenario = must_read(text, NULL, NULL);
        fc_rings rings = *(const fc_rings *)scenario->parameters;
        fc_ring_flows flows;
        fc_error error;
        assert_int_equal(fc_ring_flows_create(&rings, rings.rate, &error, &flows), FC_OK);
        reference *plain = reference_create(&rings, 90 + i, 0);
        double *passed = calloc(flows.count, sizeof *passed);
        const double cycles = 400000;
        for (double t = 0; t < cycles; ++t) {
            reference_tick(plain);
            double *link = passed;
            for (uint32_t r = 0; r < plain->ring_count; ++r)
                for (uint32_t node = 0; node < plain->rings[r].nodes; ++node, ++link)
                    for (uint32_t lane = 0; lane < plain->rings[r].lanes; ++lane)
                        *link += plain->rings[r].slots[lane * plain->rings[r].nodes + node] != NULL;
        }
        double sum = 0;
        for (size_t link = 0; link < flows.count; ++link) {
            assert_near(passed[link] / cycles, flows.nodes[link].load, 0.006);
            sum += flows.nodes[link].load;
        }
        assert_close(sum / (rings.stations * rings.rate), flows.travel, 1e-12);
        free(passed);
        reference_free(plain);
        fc_ring_flows_free(&flows);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks_at_any_load),
        cmocka_unit_test(sizes_at_the_edges_of_words),
        cmocka_unit_test(classes_without_traffic),
        cmocka_unit_test(extended_networks_at_any_load),
        cmocka_unit_test(closed_traffic_on_any_network),
        cmocka_unit_test(trees_with_locality),
        cmocka_unit_test(every_link_carries_what_its_flows_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
