/* Merged queues and limited sources against exact queues and formulas they contain. */
#include "test_support.h"
#include "queueing/finite_queue.h"
#include "queueing/merged_queue.h"

static void poisson_source_is_the_loss_queue(void **state) {
    (void)state;
    static const double loads[] = {0.05, 0.5, 0.9, 1.0, 1.7, 12.0};
    static const size_t lengths[] = {1, 2, 8, 40};
    fc_merge_room *room = fc_merge_room_create(40, 2, true);
    fc_md1k_room *exact_room = fc_md1k_room_create(40);
    assert_non_null(room);
    assert_non_null(exact_room);
    for (size_t l = 0; l < 6; ++l)
        for (size_t p = 0; p < 4; ++p) {
            fc_source_queue queue, limited;
            fc_md1k exact;
            fc_source source = {.places = lengths[p], .dispersion = 1};
            fc_source_queue_solve(room, loads[l], &source, &queue);
            fc_md1k_solve(exact_room, loads[l], lengths[p], &exact, NULL);
            assert_near(queue.lost, exact.blocking, 1e-11);
            assert_near(queue.waiting, exact.waiting, 1e-9);
            assert_true(queue.active == 1.0);
            /* Nothing elsewhere and a limit of what the queue holds: no loss, but the source stops
             * for as long as the queue would be full. */
            source.places += 5;
            source.limit = lengths[p] + 1;
            fc_source_queue_solve(room, loads[l], &source, &limited);
            assert_true(limited.lost == 0.0);
            assert_near(limited.active, 1.0 - exact.blocking, 1e-9);
            assert_near(limited.waiting, exact.waiting, 1e-8);
        }
    fc_md1k_room_free(exact_room);
    fc_merge_room_free(room);
}

static void one_packet_at_a_time(void **state) {
    (void)state;
    fc_merge_room *room = fc_merge_room_create(8, 2, true);
    assert_non_null(room);
    /* Active until the first packet, then gone for service and the rest of the way. */
    fc_source_queue queue;
    fc_source source = {.places = 8, .limit = 1, .elsewhere = 4.5, .dispersion = 1};
    fc_source_queue_solve(room, 0.9, &source, &queue);
    assert_close(queue.active, 1.0 / (1.0 + 0.9 + 4.5), 1e-12);
    assert_true(queue.lost == 0.0 && queue.waiting == 0.0);
    /* A vanishing queue leaves Erlang's loss system: (3^5/5!) / (1 + 3 + ... + 3^5/5!). */
    source.limit = 5;
    source.elsewhere = 3;
    fc_source_queue_solve(room, 1e-9, &source, &queue);
    assert_close(queue.active, 1.0 - 2.025 / 18.4, 1e-7);
    fc_merge_room_free(room);
}

static void long_buffers_have_the_known_mean(void **state) {
    (void)state;
    static const double dispersions[] = {0.5, 0.64, 1.0, 1.8};
    fc_merge_room *room = fc_merge_room_create(400, 4, false);
    assert_non_null(room);
    for (size_t i = 0; i < 4; ++i) {
        const fc_merging merging = {
            .places = 400, .senders = 4, .dispersion = dispersions[i], .slowdown = 1.0};
        fc_merged_queue queue;
        fc_merged_queue_carry(room, 0.8, &merging, &queue);
        assert_close(queue.waiting, dispersions[i] * 0.64 / 0.4, 1e-6);
        assert_true(queue.blocked < 1e-12 && queue.blocked_share < 1e-12);
    }
    fc_merge_room_free(room);
}

/* Nearly nobody waits, but those who do are counted: dispersion load^2 / 2. */
static void small_loads_keep_their_digits(void **state) {
    (void)state;
    static const double dispersions[] = {0.5, 0.64, 1.0, 1.8};
    fc_merge_room *room = fc_merge_room_create(8, 4096, true);
    assert_non_null(room);
    for (size_t i = 0; i < 4; ++i) {
        const fc_merging merging = {
            .places = 8, .senders = i % 2 ? 2 : 4096, .dispersion = dispersions[i], .slowdown = 1};
        fc_merged_queue queue;
        fc_merged_queue_carry(room, 1e-12, &merging, &queue);
        assert_close(queue.waiting, dispersions[i] * 0.5e-24, 1e-9);
        assert_true(queue.blocked < 1e-30 && queue.blocked_share < 1e-30);
        const fc_source source = {.places = 8, .dispersion = dispersions[i]};
        fc_source_queue own;
        fc_source_queue_solve(room, 1e-12, &source, &own);
        assert_close(own.waiting, dispersions[i] * 0.5e-24, 1e-9);
        assert_true(own.lost < 1e-30);
    }
    /* A limit of two: whoever meets a packet in the queue stops the source. */
    static const double limited_loads[] = {1e-6, 1e-10, 1e-14, 1e-100, 1e-310};
    for (size_t i = 0; i < 5; ++i) {
        const double load = limited_loads[i];
        const fc_source source = {.places = 8, .limit = 2, .elsewhere = load, .dispersion = 1};
        fc_source_queue own;
        fc_source_queue_solve(room, load, &source, &own);
        assert_close(own.waiting, 0.5 * load * load, 1e-5);
        assert_close(own.barred, 2.0 * load * load, 1e-5); /* half of (2 load)^2 */
    }
    fc_merge_room_free(room);
}

static void blocking_grows_with_load_and_is_bounded(void **state) {
    (void)state;
    fc_merge_room *room = fc_merge_room_create(20, 8, false);
    assert_non_null(room);
    for (size_t senders = 1; senders <= 8; senders += 7) {
        double before = 0.0;
        for (int step = 1; step < 60; ++step) {
            const fc_merging merging = {
                .places = 4, .senders = senders, .dispersion = 0.9, .slowdown = 1.0};
            fc_merged_queue queue;
            const double carried = step < 50 ? 0.02 * step : 1.0 - 0.02 * pow(0.5, step - 49);
            fc_merged_queue_carry(room, carried, &merging, &queue);
            assert_true(queue.blocked >= before - 1e-12);
            assert_true(queue.blocked <= (double)senders);
            assert_true(queue.waiting <= 4.0 + (double)senders);
            before = queue.blocked;
        }
        assert_true(before > 0.4 * (double)senders);
    }
    fc_merge_room_free(room);
}

/* The loss queue level by level, with the tails of a negative binomial law from its far end. */
static void solve_plainly(double load, size_t places, double dispersion, double *lost,
                          double *waiting) {
    enum { MOST = 40000 };
    static double tail[MOST], q[1000];
    const double growth = load * (dispersion - 1.0);
    double above = 0.0, value = exp(-log1p(growth) / (dispersion - 1.0)), over = 0.0, sum = 1.0;
    const double none = value;
    for (size_t k = 0; k < MOST; ++k) {
        tail[k] = value;
        value *= (load + (double)k * growth) / (1.0 + growth) / (double)(k + 1);
    }
    for (size_t k = MOST; k-- > 0;) {
        const double at = tail[k];
        tail[k] = above;
        above += at;
    }
    q[0] = 1.0;
    for (size_t k = 0; k < places; sum += q[++k]) {
        q[k + 1] = q[0] * tail[k];
        for (size_t j = 1; j <= k; ++j)
            q[k + 1] += q[j] * tail[k - j + 1];
        q[k + 1] /= none;
    }
    double full = 0.0, queued = 0.0;
    for (size_t k = MOST; k-- > 1;) {
        over += tail[k];
        if (k <= places)
            full += (q[places + 1 - k] + (k == places ? q[0] : 0.0)) * over;
    }
    for (size_t k = 2; k <= places; ++k)
        queued += (double)(k - 1) * q[k];
    *lost = full / (sum + full);
    *waiting = (queued + full * (double)places) / (sum + full);
}

static void long_queues_are_what_their_levels_say(void **state) {
    (void)state;
    static const struct {
        double load, dispersion;
    } cases[] = {{0.3, 1.5}, {0.9, 1.001}, {0.99, 2.9},  {1.0, 1.2}, {1.3, 1.0001}, {0.5, 120},
                 {0.9, 60},  {0.999, 8},   {1.0, 100.0}, {1.0, 3.1}, {1.2, 100},    {5.4, 90}};
    fc_merge_room *room = fc_merge_room_create(900, 2, false);
    assert_non_null(room);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double lost, waiting;
        solve_plainly(cases[i].load, 900, cases[i].dispersion, &lost, &waiting);
        const fc_source source = {.places = 900, .dispersion = cases[i].dispersion};
        fc_source_queue queue;
        fc_source_queue_solve(room, cases[i].load, &source, &queue);
        assert_close(queue.waiting, waiting, 1e-11);
        if (lost > 1e-13)
            assert_close(queue.lost, lost, 1e-8);
    }
    fc_merge_room_free(room);
}

/* With variation as long as the queue itself only the scale changes with the number of places. */
static void the_longest_queues_scale(void **state) {
    (void)state;
    enum { PLACES = 400000 };
    fc_merge_room *room = fc_merge_room_create(PLACES, 2, false);
    assert_non_null(room);
    for (int i = 0; i < 3; ++i) {
        const double load = 0.8 + 0.2 * i;
        double waiting[2];
        for (size_t p = 0; p < 2; ++p) {
            const size_t places = p ? PLACES : PLACES / 100;
            const fc_source source = {.places = places, .dispersion = 0.1 * (double)places};
            fc_source_queue queue;
            fc_source_queue_solve(room, load, &source, &queue);
            waiting[p] = queue.waiting / (double)places;
        }
        assert_close(waiting[1], waiting[0], 1e-3);
        assert_true(waiting[1] > 0.1 && waiting[1] < 0.9);
    }
    fc_merge_room_free(room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poisson_source_is_the_loss_queue),
        cmocka_unit_test(one_packet_at_a_time),
        cmocka_unit_test(long_buffers_have_the_known_mean),
        cmocka_unit_test(small_loads_keep_their_digits),
        cmocka_unit_test(blocking_grows_with_load_and_is_bounded),
        cmocka_unit_test(long_queues_are_what_their_levels_say),
        cmocka_unit_test(the_longest_queues_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
