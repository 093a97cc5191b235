/* The packet engine against a plain simulator, packet for packet: memory, birth and delivery of
 * every packet equal to the last bit, in the same order, for networks of every kind. */
#include "test_support.h"
#include <stdlib.h>
#include <string.h>
#include "packet_exact_reference.h"

enum { LOG_MAX = 60000 };

typedef struct delivery {
    uint32_t memory;
    double born, gone;
} delivery;

typedef struct record {
    size_t count;
    delivery items[LOG_MAX];
} record;

static void note(void *context, uint32_t memory, double born, double gone) {
    record *into = context;
    if (into->count < LOG_MAX)
        into->items[into->count] = (delivery){memory, born, gone};
    ++into->count;
}

static void compare(const fc_packet_settings *settings, double cycles) {
    record *fast = calloc(1, sizeof *fast), *plain = calloc(1, sizeof *plain);
    assert_non_null(fast);
    assert_non_null(plain);
    fc_error error;
    fc_packet_network *network;
    assert_int_equal(fc_packet_network_create(settings, &error, &network), FC_OK);
    reference *simulator = reference_create(settings);
    fc_packet_network_observe(network, note, fast);
    reference_observe(simulator, note, plain);
    fc_packet_counts counts = {0};
    double now = 0;
    for (int part = 1; part <= 4; ++part) {
        assert_int_equal(fc_packet_network_advance(network, cycles / 4.0, &counts, NULL, &error),
                         FC_OK);
        reference_run_until(simulator, now += cycles / 4.0);
        assert_int_equal(counts.generated, reference_generated(simulator));
        assert_int_equal(counts.discarded, reference_discarded(simulator));
        uint64_t inside = 0;
        const uint32_t stages =
            settings->memory_busy > 0 ? 2 * settings->stages + 1 : settings->stages;
        for (uint32_t s = 0; s < stages; ++s)
            inside += reference_in_stage(simulator, s);
        assert_int_equal(inside, fc_packet_network_population(network));
    }
    assert_int_equal(fast->count, plain->count);
    assert_true(fast->count > 300);
    for (size_t i = 0; i < fast->count && i < LOG_MAX; ++i) {
        const delivery *f = &fast->items[i], *p = &plain->items[i];
        if (f->memory != p->memory || f->born != p->born || f->gone != p->gone)
            fail_msg("delivery %zu: memory %u born %.17g gone %.17g, expected %u %.17g %.17g", i,
                     f->memory, f->born, f->gone, p->memory, p->born, p->gone);
    }
    reference_free(simulator);
    fc_packet_network_free(network);
    free(fast);
    free(plain);
}

static fc_packet_settings network_of(uint32_t a, uint32_t stages, uint32_t places) {
    fc_packet_settings settings = {.switch_size = a,
                                   .stages = stages,
                                   .places = places,
                                   .ports = 1,
                                   .service = 1.0,
                                   .rate = 0.8,
                                   .latency_scale = 1.0,
                                   .seed = 5};
    for (uint32_t s = 0; s < stages; ++s)
        settings.ports *= a;
    return settings;
}

static void sweep(bool contention, bool returns) {
    static const uint32_t sizes[][2] = {{2, 1}, {2, 3}, {2, 6}, {3, 2},
                                        {3, 4}, {4, 3}, {5, 2}, {8, 2}};
    static const uint32_t places[] = {2, 3, 5, FC_PACKET_UNLIMITED};
    for (size_t i = 0; i < 8; ++i)
        for (size_t p = 0; p < 4; ++p)
            for (int kind = 0; kind < 4; ++kind) {
                fc_packet_settings settings = network_of(sizes[i][0], sizes[i][1], places[p]);
                settings.output_contention = contention;
                settings.replication = (uint32_t)(i * 16 + p * 4 + (size_t)kind);
                settings.rate = kind == 0 ? 0.45 : kind == 1 ? 1.5 : 0.8;
                settings.service = kind == 3 ? 1.7 : 1.0;
                if (kind == 2) {
                    settings.hot_share = 0.2;
                    settings.hot_memory = settings.ports / 3;
                }
                if (kind == 3)
                    settings.outstanding = 3;
                if (returns) /* once as long as a switch, and so at the same instants */
                    settings.memory_busy = kind == 1 ? 1.0 : 0.3 + 0.4 * kind;
                compare(&settings, 20000.0 / settings.ports + 150.0);
            }
}

static void without_contention(void **state) {
    (void)state;
    sweep(false, false);
}

static void with_contention(void **state) {
    (void)state;
    sweep(true, false);
}

static void back_from_the_memories(void **state) {
    (void)state;
    sweep(false, true);
    sweep(true, true);
}

/* Totals by stage are what the reference's populations give by Little's law: both add up to the
 * population over time and to the latencies. */
static void stage_totals_add_up(void **state) {
    (void)state;
    fc_packet_settings settings = network_of(2, 5, 4);
    settings.rate = 0.9;
    settings.hot_share = 0.05;
    settings.hot_memory = 17;
    for (int contention = 0; contention < 2; ++contention) {
        settings.output_contention = contention;
        fc_error error;
        fc_packet_network *network;
        fc_packet_counts counts = {0};
        assert_int_equal(fc_packet_network_create(&settings, &error, &network), FC_OK);
        fc_packet_network_advance(network, 500.0, &counts, NULL, &error);
        fc_packet_network_start_measuring(network);
        double area = 0.0; /* population over time, sampled finely */
        const double step = 0.05;
        for (int i = 0; i < 6000; ++i) {
            area += step * (double)fc_packet_network_population(network);
            fc_packet_network_advance(network, step, &counts, NULL, &error);
        }
        double total = 0.0;
        for (uint32_t s = 0; s < 5; ++s)
            for (int tree = 0; tree < 2; ++tree) {
                const fc_packet_stage stage = fc_packet_network_stage(network, s, tree);
                assert_true(stage.waiting >= -1e-6 && stage.held >= -1e-6);
                if (stage.buffers) /* a server serves for d per packet */
                    assert_close(stage.service, (double)stage.left, 0.02);
                total += stage.waiting + stage.service + stage.held;
            }
        assert_close(total, area, 0.002);
        fc_packet_network_free(network);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_contention),
        cmocka_unit_test(with_contention),
        cmocka_unit_test(back_from_the_memories),
        cmocka_unit_test(stage_totals_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
