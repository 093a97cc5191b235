/* Laws the slotted-ring simulator must obey whatever the models say: exact delays in an empty
 * network, Little's law to the packet, utilisations that follow from the traffic alone. */
#include "test_support.h"
#include "rings_support.h"

#include "network/ring_flows.h"
#include "simulators/slot/slotted_rings.h"

typedef struct run {
    fc_slotted_rings *rings;
    fc_histogram latencies;
    double sums[FC_METRICS], weights[FC_METRICS];
    fc_sample sample;
} run;

static void start(run *r, fc_rings *parameters, uint64_t seed) {
    const fc_scenario scenario = rings_scenario(parameters);
    void *state;
    fc_error error;
    *r = (run){0};
    r->sample = (fc_sample){.sums = r->sums, .weights = r->weights, .latencies = &r->latencies};
    assert_int_equal(fc_simulator_slotted_rings.covers(&scenario, &error), FC_OK);
    assert_int_equal(fc_simulator_slotted_rings.create(&scenario, NULL, seed, 0, &error, &state),
                     FC_OK);
    r->rings = state;
}

static void advance(run *r, uint64_t cycles) {
    fc_error error;
    assert_int_equal(fc_simulator_slotted_rings.advance(r->rings, cycles, &r->sample, &error),
                     FC_OK);
}

static void finish(run *r) {
    fc_simulator_slotted_rings.release(r->rings);
}

/* At a vanishing rate packets meet nobody: no wait at a station, one cycle at each crossing, and
 * the time on the rings is the distance. */
static void an_empty_network_delays_by_distance_alone(void **state) {
    (void)state;
    fc_rings cases[] = {
        make_rings(16, 0, 32, 0, -1, 0),
        make_rings(5, 0, 7, 0, 0.6, 0),
        make_rings(7, 6, 12, 0, -1, 0),
        make_rings(4, 5, 3, 0, 0.3, 0.4),
        make_levels(4, (const double[]){3, 2, 4, 3}, 0, NULL),
        make_levels(5, (const double[]){2, 3, 2, 2, 3}, 0, (const double[]){.2, .1, .3, .2}),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_rings *p = &cases[i];
        p->rate = 3e-4 / p->stations;
        run r;
        start(&r, p, 20 + i);
        advance(&r, 3000000);
        const fc_ring_counters *all = &r.rings->all;
        assert_true(all->delivered > 700);
        assert_int_equal(all->waited[FC_QUEUE_STATION], 0);
        for (int queue = 1; queue < FC_QUEUE_KINDS; ++queue)
            assert_int_equal(all->waited[queue], all->sent[queue]);
        uint64_t distance = 0;
        for (int level = 0; level < FC_RING_LEVELS; ++level)
            distance += all->occupied[level];
        /* Packets still under way have travelled but are not delivered: none, nearly always. */
        if (all->delivered == all->generated)
            assert_int_equal(all->latency,
                             distance + all->up_wait + all->down_wait + all->delivered);
        double expected = 1;
        for (size_t level = 0; level < p->levels; ++level) {
            const bool top = level + 1 == p->levels;
            const double above = top ? 0 : fc_rings_reaching(p, level + 1);
            expected += (p->sizes.values[level] + (top ? 0 : 1)) * (p->shares[level] / 2 + above);
            expected += 2 * above;
        }
        assert_close(r.sums[FC_METRIC_LATENCY] / r.weights[FC_METRIC_LATENCY], expected, 0.05);
        finish(&r);
    }
}

/* Ticks each packet still in the network has been there. */
static uint64_t age_of_those_present(const fc_slotted_rings *rings) {
    uint64_t age = 0;
    for (uint32_t node = 0; node < rings->node_count; ++node)
        for (uint32_t p = rings->nodes[node].head; p != FC_NO_PACKET; p = rings->packets[p].next)
            age += rings->now - rings->packets[p].born;
    for (uint32_t bucket = 0; bucket <= rings->wheel_mask; ++bucket)
        for (uint32_t p = rings->wheel[bucket]; p != FC_NO_PACKET; p = rings->packets[p].next)
            age += rings->now - rings->packets[p].born;
    return age;
}

static void littles_law_holds_to_the_packet(void **state) {
    (void)state;
    fc_rings cases[] = {
        make_rings(16, 0, 32, 0.004, 0.2, 0), make_rings(8, 0, 8, 0.02, 0.5, 0),
        make_rings(6, 6, 11, 0.005, -1, 0),
        make_rings(4, 0, 4, 0.4, 0.2, 0), /* above saturation too */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        run r;
        start(&r, &cases[i], 40 + i);
        for (int stretch = 0; stretch < 10; ++stretch) {
            advance(&r, 1000);
            const fc_ring_counters *all = &r.rings->all;
            /* A delivered packet is counted in `present` for all its cycles but the last step. */
            assert_int_equal(all->present,
                             all->latency - all->delivered + age_of_those_present(r.rings));
        }
        finish(&r);
    }
}

static void utilisations_follow_from_the_traffic(void **state) {
    (void)state;
    fc_rings cases[] = {
        make_rings(16, 0, 32, 0.004, 0.2, 0),
        make_rings(12, 0, 4, 0.06, 0.7, 0),
        make_rings(7, 6, 12, 0.005, 0.1, 0.2),
        make_rings(6, 6, 11, 0.004, -1, 0),
        make_rings(5, 8, 3, 0.02, 0.2, 0.6),
        make_levels(1, (const double[]){9}, 0.1, NULL),
        make_levels(4, (const double[]){3, 2, 4, 3}, 0.015, NULL),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const fc_rings *p = &cases[i];
        run r;
        start(&r, &cases[i], 60 + i);
        advance(&r, 100000);
        const fc_ring_counters *all = &r.rings->all;
        const double cycles = (double)all->cycles, arrivals = (double)all->generated;
        const double rate = arrivals / cycles / p->stations;
        assert_close(rate, p->rate, 4 / sqrt(arrivals));
        for (size_t level = 0; level < p->levels; ++level)
            assert_near((double)all->occupied[level] / cycles / (double)r.rings->slots[level],
                        fc_rings_use(p, level, rate), 0.005);
        finish(&r);
    }
}

/* Two stations that only send to each other have the wait of a slotted queue with Poisson arrivals,
 * rate / (2 (1 - rate)): the one case with queues that is known exactly. */
static void two_stations_alone_wait_as_known(void **state) {
    (void)state;
    fc_rings p = make_rings(2, 0, 2, 0.7, 1, 0);
    run r;
    start(&r, &p, 70);
    advance(&r, 300000);
    assert_close(r.sums[FC_METRIC_SOURCE_WAIT] / r.weights[FC_METRIC_SOURCE_WAIT], 0.7 / 0.6,
                 0.015);
    finish(&r);
}

/* The saturated global ring takes what fits: 2 G packets per cycle share G links over G/2 each. */
static void a_saturated_ring_is_nearly_full(void **state) {
    (void)state;
    fc_rings p = make_rings(8, 0, 16, 0.05, 0.0, 0);
    run r;
    start(&r, &p, 80);
    advance(&r, 5000);
    const fc_ring_counters before = r.rings->all;
    advance(&r, 20000);
    const fc_ring_counters *all = &r.rings->all;
    const double full = (double)(all->occupied[1] - before.occupied[1]) /
                        (double)(all->cycles - before.cycles) / 16;
    assert_true(full > 0.999 && full <= 1.0);
    assert_close((double)(all->delivered - before.delivered) / 20000, 2.0, 0.01);
    assert_true(r.sample.backlog > 20000);
    finish(&r);
}

/* Where rings of a level are alike and no station is hot, the flows are those of the closed form.
 */
static void flows_of_alike_rings_are_the_closed_form(void **state) {
    (void)state;
    const fc_rings cases[] = {
        make_rings(5, 0, 4, 0.02, 0.3, 0), make_rings(5, 4, 3, 0.02, -1, 0),
        make_levels(1, (const double[]){9}, 0.1, NULL),
        make_levels(5, (const double[]){2, 3, 2, 2, 3}, 0.01, (const double[]){.2, .1, .3, .2})};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_ring_flows flows;
        fc_error error;
        assert_int_equal(fc_ring_flows_create(&cases[i], cases[i].rate, &error, &flows), FC_OK);
        const fc_ring_flow *node = flows.nodes;
        for (size_t level = 0; level < cases[i].levels; ++level) {
            const size_t nodes =
                fc_ring_count(&cases[i], level) *
                (fc_ring_fan(&cases[i], level, 0) + fc_ring_first(&cases[i], level));
            for (size_t n = 0; n < nodes; ++n, ++node)
                assert_close(node->load, fc_rings_use(&cases[i], level, cases[i].rate), 1e-12);
        }
        fc_ring_flows_free(&flows);
    }
}

static void fractional_rings_are_refused(void **state) {
    (void)state;
    fc_rings p = make_rings(6, 7, 500.0 / 42, 0.002, -1, 0);
    const fc_scenario scenario = rings_scenario(&p);
    fc_error error;
    assert_int_equal(fc_simulator_slotted_rings.covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_network_delays_by_distance_alone),
        cmocka_unit_test(littles_law_holds_to_the_packet),
        cmocka_unit_test(utilisations_follow_from_the_traffic),
        cmocka_unit_test(two_stations_alone_wait_as_known),
        cmocka_unit_test(a_saturated_ring_is_nearly_full),
        cmocka_unit_test(flows_of_alike_rings_are_the_closed_form),
        cmocka_unit_test(fractional_rings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
