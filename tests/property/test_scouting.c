/* The fast scouting simulator against the plain one: the same random streams, the same state of
 * every virtual channel after every stretch, the same latencies. */
#include "test_support.h"

#include "scouting_reference.h"
#include "scouting_support.h"
#include "simulators/flit/scouting.h"

static void compare_channels(const fc_scouting *fast, const reference *plain) {
    assert_int_equal(fast->channels, plain->channels);
    for (uint32_t c = 0; c < fast->channels; ++c) {
        for (uint32_t v = 0; v < (uint32_t)plain->channel[c].count; ++v) {
            const fc_scouting_vc *vc = &fast->vc[c * fast->stride + v];
            const reference_vc *twin = &plain->channel[c].vcs[v];
            assert_int_equal(vc->message != FC_NONE, twin->owner != NULL);
            assert_int_equal(vc->occupied, twin->buffer != NULL);
            assert_int_equal(vc->probe, twin->probe);
            if (!twin->owner)
                continue;
            const fc_scouting_message *message = &fast->message[vc->message];
            assert_int_equal(message->arrival, twin->owner->arrival);
            assert_int_equal(message->source, twin->owner->source);
            assert_int_equal(message->destination, twin->owner->destination);
            assert_int_equal(message->header, twin->owner->header);
            assert_int_equal(message->backtracks, twin->owner->backtracks);
            assert_int_equal(message->restarts, twin->owner->restarts);
        }
    }
}

static void run_both(fc_torus torus, uint64_t seed, uint32_t stretches) {
    const fc_scenario scenario = torus_scenario(&torus);
    scouting_sample taken = {0};
    fc_sample sample = scouting_sample_of(&taken);
    fc_error error;
    void *common, *state;
    assert_int_equal(fc_simulator_scouting.prepare(&scenario, &error, &common), FC_OK);
    assert_int_equal(fc_simulator_scouting.create(&scenario, common, seed, 2, &error, &state),
                     FC_OK);
    const fc_scouting *fast = state;
    reference *plain = reference_create(&torus, seed, 2);
    fc_random random = fc_random_stream(seed, 1, 99);
    uint64_t hops = 0;
    for (uint32_t stretch = 0; stretch < stretches; ++stretch) {
        const uint32_t cycles = 1 + fc_random_below(&random, 30);
        sample.events = 0;
        assert_int_equal(fc_simulator_scouting.advance(state, cycles, &sample, &error), FC_OK);
        for (uint32_t i = 0; i < cycles; ++i)
            reference_cycle(plain);
        hops += sample.events;
#ifdef FC_CHECKS
        fc_scouting_check(fast);
#endif
        assert_int_equal(fast->cycle, plain->now);
        assert_true(taken.weights[FC_METRIC_LATENCY] == (double)plain->delivered);
        assert_true(taken.sums[FC_METRIC_LATENCY] == plain->latency);
        compare_channels(fast, plain);
    }
    assert_int_equal(hops, plain->flit_hops);
    assert_memory_equal(&taken.latencies, &plain->latencies, sizeof plain->latencies);
    assert_true(taken.sums[FC_METRIC_BACKTRACKS] == (double)plain->backtracks);
    assert_true(taken.sums[FC_METRIC_RESTARTS] == (double)plain->restarts);
    assert_true(plain->delivered > 0);
    reference_free(plain);
    fc_simulator_scouting.release(state);
    fc_simulator_scouting.discard(common);
}

/* Loads from light to far above saturation. */
static double any_rate(fc_random *random, int64_t flits) {
    return (0.02 + 1.2 * fc_random_unit(random)) / (double)(flits + 2);
}

static fc_torus any_network(fc_random *random) {
    static const fc_integer_list shapes[] = {{2, {4, 4}},      {2, {5, 3}}, {1, {7}},
                                             {3, {3, 2, 4}},   {2, {6, 6}}, {2, {2, 8}},
                                             {4, {2, 2, 2, 3}}};
    static const int64_t lengths[] = {1, 2, 3, 5, 8, 16, 32};
    const int64_t flits = lengths[fc_random_below(random, 7)];
    fc_torus torus =
        make_scouting(shapes[fc_random_below(random, 7)], 1 + (int)fc_random_below(random, 4),
                      (int)flits, (int)fc_random_below(random, 6), any_rate(random, flits));
    torus.injection_channels = 1 + fc_random_below(random, 3);
    torus.ejection_channels = 1 + fc_random_below(random, 3);
    if (fc_random_below(random, 4) == 0)
        torus.topology = FC_MESH;
    return torus;
}

static void small_networks_at_any_load(void **state) {
    (void)state;
    fc_random random = fc_random_stream(5, 0, 0);
    for (uint64_t i = 0; i < 150; ++i)
        run_both(any_network(&random), i, 40);
}

static void networks_with_faults(void **state) {
    (void)state;
    fc_random random = fc_random_stream(6, 0, 0);
    for (uint64_t i = 0; i < 100; ++i) {
        fc_torus torus = any_network(&random);
        torus.topology = FC_TORUS;
        fc_fault faults[12] = {0};
        torus.faults = (fc_faults){.count = 1 + fc_random_below(&random, 12), .list = faults};
        for (size_t f = 0; f < torus.faults.count; ++f) {
            faults[f].node = fc_random_below(&random, (uint32_t)torus.nodes);
            faults[f].dimension = (int)fc_random_below(&random, (uint32_t)torus.radix.count);
            faults[f].direction = fc_random_below(&random, 2) ? 1 : -1;
        }
        fc_integer_list nodes[2] = {{.count = 1}, {.count = 1}};
        torus.faults.routers = nodes;
        torus.faults.router_count = fc_random_below(&random, 3);
        for (size_t n = 0; n < torus.faults.router_count; ++n)
            nodes[n].values[0] = fc_random_below(&random, (uint32_t)torus.nodes);
        run_both(torus, i, 40);
    }
}

static void the_network_of_the_paper(void **state) {
    (void)state;
    const fc_integer_list eight = {2, {8, 8}};
    run_both(make_scouting(eight, 6, 32, 3, 0.018), 1, 60);
    run_both(make_scouting(eight, 1, 32, 0, 0.012), 2, 60);
    run_both(make_scouting(eight, 1, 32, 6, 0.009), 3, 60);
}

static void other_traffic(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 2, 8, 2, 0.03);
    torus.destinations = (fc_destinations){.pattern = FC_TRANSPOSE};
    run_both(torus, 1, 60);
    torus.destinations = (fc_destinations){.pattern = FC_HOT_SPOT, .share = 0.2};
    torus.hot_node = 5;
    run_both(torus, 2, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks_at_any_load),
        cmocka_unit_test(networks_with_faults),
        cmocka_unit_test(the_network_of_the_paper),
        cmocka_unit_test(other_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
