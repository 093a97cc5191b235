/* M/D/1/K against the printed closed form, evaluated with 400 decimal digits; M/D/1 and Erlang
 * against exact values. */
#include "test_support.h"
#include <mpfr.h>
#include "base/memory.h"
#include "queueing/finite_queue.h"

enum { DIGITS_BITS = 1400, PLACES_MAX = 120 };

/* p_k / p_0 of M/D/1 by eq. (3) of Mohapatra and Das: an alternating sum that needs many digits,
 * but as a ratio holds at loads above 1 too. */
static void closed_form_ratio(mpfr_t ratio, double load, unsigned long k) {
    mpfr_t term, factor, rate;
    mpfr_inits2(DIGITS_BITS, term, factor, rate, (mpfr_ptr)0);
    mpfr_set_d(rate, load, MPFR_RNDN);
    mpfr_set_ui(ratio, 0, MPFR_RNDN);
    if (k == 0)
        mpfr_set_ui(ratio, 1, MPFR_RNDN);
    if (k == 1)
        mpfr_expm1(ratio, rate, MPFR_RNDN);
    for (unsigned long j = 1; k >= 2 && j <= k; ++j) {
        /* (-1)^(k-j) (j rho)^(k-j-1) (j rho + k - j) e^(j rho) / (k-j)! */
        mpfr_mul_ui(factor, rate, j, MPFR_RNDN);
        mpfr_pow_si(term, factor, (long)(k - j) - 1, MPFR_RNDN);
        mpfr_add_ui(factor, factor, k - j, MPFR_RNDN);
        mpfr_mul(term, term, factor, MPFR_RNDN);
        mpfr_mul_ui(factor, rate, j, MPFR_RNDN);
        mpfr_exp(factor, factor, MPFR_RNDN);
        mpfr_mul(term, term, factor, MPFR_RNDN);
        mpfr_fac_ui(factor, k - j, MPFR_RNDN);
        mpfr_div(term, term, factor, MPFR_RNDN);
        if ((k - j) % 2)
            mpfr_sub(ratio, ratio, term, MPFR_RNDN);
        else
            mpfr_add(ratio, ratio, term, MPFR_RNDN);
    }
    mpfr_clears(term, factor, rate, (mpfr_ptr)0);
}

/* Eqs. (1) and (2): p_0 .. p_{L+1}. */
static void closed_form(double load, size_t places, double *probabilities) {
    mpfr_t ratios[PLACES_MAX + 1], sum, full, share, value;
    mpfr_inits2(DIGITS_BITS, sum, full, share, value, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t k = 0; k <= places; ++k) {
        mpfr_init2(ratios[k], DIGITS_BITS);
        closed_form_ratio(ratios[k], load, k);
        mpfr_add(sum, sum, ratios[k], MPFR_RNDN);
    }
    /* x = (1 - (1 - rho) S) / (1 + rho S), S = sum p_i / p_0 */
    mpfr_set_d(value, load, MPFR_RNDN);
    mpfr_ui_sub(full, 1, value, MPFR_RNDN);
    mpfr_mul(full, full, sum, MPFR_RNDN);
    mpfr_ui_sub(full, 1, full, MPFR_RNDN);
    mpfr_mul(value, value, sum, MPFR_RNDN);
    mpfr_add_ui(value, value, 1, MPFR_RNDN);
    mpfr_div(full, full, value, MPFR_RNDN);
    mpfr_ui_sub(share, 1, full, MPFR_RNDN);
    mpfr_div(share, share, sum, MPFR_RNDN);
    for (size_t k = 0; k <= places; ++k) {
        mpfr_mul(value, ratios[k], share, MPFR_RNDN);
        probabilities[k] = mpfr_get_d(value, MPFR_RNDN);
        mpfr_clear(ratios[k]);
    }
    probabilities[places + 1] = mpfr_get_d(full, MPFR_RNDN);
    mpfr_clears(sum, full, share, value, (mpfr_ptr)0);
}

static void agrees_with_the_closed_form(void **state) {
    (void)state;
    static const double loads[] = {1e-3, 0.05, 0.3, 0.9, 0.99, 1.0, 1.3, 2.5, 6.0, 40.0};
    static const size_t lengths[] = {0, 1, 2, 4, 15, 60, 120};
    fc_md1k_room *room = fc_md1k_room_create(PLACES_MAX);
    assert_non_null(room);
    double smallest = 1.0;
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; ++l)
        for (size_t p = 0; p < sizeof lengths / sizeof lengths[0]; ++p) {
            double exact[PLACES_MAX + 2], found[PLACES_MAX + 2];
            const size_t places = lengths[p];
            closed_form(loads[l], places, exact);
            fc_md1k queue;
            fc_md1k_solve(room, loads[l], places, &queue, found);
            double mean = 0.0, waiting = 0.0;
            for (size_t k = 0; k <= places + 1; ++k) {
                if (exact[k] > 1e-280)
                    assert_close(found[k], exact[k], 1e-10);
                mean += (double)k * exact[k];
                waiting += k ? (double)(k - 1) * exact[k] : 0.0;
            }
            if (exact[places + 1] > 1e-280)
                smallest = fmin(smallest, exact[places + 1]);
            assert_close(queue.blocking, found[places + 1], 1e-15);
            assert_close(queue.empty, exact[0], 1e-10);
            assert_close(queue.mean, mean, 1e-10);
            assert_close(queue.waiting, waiting, 1e-10);
        }
    assert_true(smallest < 1e-200); /* tiny blocking probabilities were among them */
    fc_md1k_room_free(room);
}

static void overload_fills_the_queue(void **state) {
    (void)state;
    fc_md1k_room *room = fc_md1k_room_create(5000);
    assert_non_null(room);
    /* Both sides of the load above which the full queue is written down directly. */
    for (size_t places = 0; places <= 5000; places = places * 7 + 1) {
        fc_md1k below, above;
        fc_md1k_solve(room, 199.999999, places, &below, NULL);
        fc_md1k_solve(room, 200.000001, places, &above, NULL);
        assert_close(above.blocking, below.blocking, 1e-9);
        assert_close(above.mean, below.mean, 1e-9);
        assert_near(above.empty, below.empty, 1e-9);
    }
    fc_md1k queue;
    fc_md1k_solve(room, 5e5, 8, &queue, NULL);
    assert_close(queue.blocking, 1.0 - 2e-6, 1e-14);
    assert_close(queue.mean, 9.0 - 2e-6, 1e-14);
    fc_md1k_solve(room, 0.0, 8, &queue, NULL);
    assert_true(queue.empty == 1.0 && queue.blocking == 0.0 && queue.mean == 0.0);
    fc_md1k_room_free(room);
}

static void many_places_are_the_infinite_queue(void **state) {
    (void)state;
    fc_md1k_room *room = fc_md1k_room_create(3000);
    assert_non_null(room);
    static const double loads[] = {0.1, 0.5, 0.9, 0.98};
    for (size_t i = 0; i < 4; ++i) {
        fc_md1k queue;
        fc_md1k_solve(room, loads[i], 3000, &queue, NULL);
        assert_close(queue.waiting, fc_md1_waiting(loads[i]), 1e-10);
        assert_close(queue.empty, 1.0 - loads[i], 1e-10);
    }
    assert_true(isinf(fc_md1_waiting(1.0)) && isinf(fc_md1_waiting(1.7)));
    fc_md1k_room_free(room);
}

/* Nothing gets lost on the way: what is accepted is served. The two sides are sums of their own. */
static void long_queues_conserve_flow(void **state) {
    (void)state;
    enum { PLACES = 345320 };
    fc_md1k_room *room = fc_md1k_room_create(PLACES);
    assert_non_null(room);
    static const double loads[] = {0.4, 0.999, 0.999999, 1.0, 1.000001, 1.001, 3.0, 150.0};
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; ++i) {
        fc_md1k queue;
        fc_md1k_solve(room, loads[i], PLACES, &queue, NULL);
        assert_close(loads[i] * (1.0 - queue.blocking), 1.0 - queue.empty, 1e-11);
        assert_close(queue.mean, queue.waiting + 1.0 - queue.empty, 1e-11);
    }
    /* Just above load 1 the number in the queue grows geometrically, by e^s with s = 2e-6: */
    fc_md1k queue;
    fc_md1k_solve(room, 1.000001, PLACES, &queue, NULL);
    const double s = 2e-6 * (1.0 - 2e-6 / 3.0), full = exp(s * PLACES);
    assert_close(queue.waiting, (PLACES * full - (full - 1.0) / s) / (full - 1.0), 1e-5);
    fc_md1k_room_free(room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_closed_form),
        cmocka_unit_test(overload_fills_the_queue),
        cmocka_unit_test(many_places_are_the_infinite_queue),
        cmocka_unit_test(long_queues_conserve_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
