#include "test_support.h"

#include <string.h>
#include "base/random.h"
#include "queueing/rate_sharing.h"

static void only_at(double *caps, int step) {
    memset(caps, 0, FC_RATE_POINTS * sizeof *caps);
    caps[step] = 1.0;
}

static double capacity_of(const double *caps, int count) {
    double all[FC_SHARERS_MAX], single;
    fc_shared_capacity(caps, 1, count, all);
    fc_shared_capacity(caps, count, count, &single);
    assert_close(single, all[count - 1], 1e-14);
    return single;
}

static void greedy_worms_share_equally(void **state) {
    (void)state;
    double caps[FC_RATE_POINTS], survival[FC_RATE_POINTS];
    only_at(caps, FC_RATE_STEPS);
    for (int others = 0; others <= 5; ++others) {
        assert_close(capacity_of(caps, others + 1), 1.0, 1e-15);
        fc_shared_survival(caps, others, others, &survival);
        for (int x = 0; x < FC_RATE_POINTS; ++x)
            assert_near(survival[x], x * (others + 1) <= FC_RATE_STEPS ? 1.0 : 0.0, 1e-15);
        assert_close(fc_survival_slowness(survival).mean, others + 1.0, 1e-14);
        assert_near(fc_survival_slowness(survival).variance, 0.0, 1e-12);
    }
}

static void capped_worms_leave_the_rest(void **state) {
    (void)state;
    double caps[FC_RATE_POINTS], survival[FC_RATE_POINTS];
    only_at(caps, 12); /* a fifth of the channel each */
    assert_close(capacity_of(caps, 3), 0.6, 1e-14);
    assert_close(capacity_of(caps, 7), 1.0, 1e-14);
    fc_shared_survival(caps, 3, 3, &survival); /* two fifths are left */
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        assert_near(survival[x], x <= 24 ? 1.0 : 0.0, 1e-14);
    only_at(caps, 0); /* all stand still */
    assert_near(capacity_of(caps, 4), 0.0, 1e-15);
    fc_shared_survival(caps, 4, 4, &survival);
    assert_near(survival[FC_RATE_STEPS], 1.0, 1e-15);
}

/* Against drawing the caps and filling the channel. */
static void agrees_with_sampling(void **state) {
    (void)state;
    enum { OTHERS = 3, DRAWS = 200000 };
    fc_random random = fc_random_stream(11, 0, 0);
    double caps[FC_RATE_POINTS] = {0}, survival[FC_RATE_POINTS], above[FC_RATE_POINTS] = {0};
    caps[0] = 0.1;
    caps[9] = 0.25;
    caps[20] = 0.25;
    caps[33] = 0.15;
    caps[60] = 0.25;
    double capacity = 0.0;
    for (int draw = 0; draw < DRAWS; ++draw) {
        int rate[OTHERS + 1], sum = 0;
        for (int i = 0; i <= OTHERS; ++i) {
            double u = fc_random_unit(&random);
            int step = 0;
            while (step < FC_RATE_STEPS && u >= caps[step])
                u -= caps[step++];
            rate[i] = step;
            sum += step;
        }
        capacity += fmin(1.0, (double)sum / FC_RATE_STEPS) / DRAWS;
        for (int x = 0; x < FC_RATE_POINTS; ++x) {
            int used = x;
            for (int i = 0; i < OTHERS; ++i)
                used += rate[i] < x ? rate[i] : x;
            above[x] += used <= FC_RATE_STEPS ? 1.0 / DRAWS : 0.0;
        }
    }
    double all[OTHERS + 1][FC_RATE_POINTS];
    fc_shared_survival(caps, OTHERS, OTHERS, &survival);
    fc_shared_survival(caps, 0, OTHERS, all);
    assert_near(capacity_of(caps, OTHERS + 1), capacity, 0.005);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        assert_near(survival[x], above[x], 0.005);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        assert_close(survival[x], all[OTHERS][x], 1e-13);
}

static void caps_are_weighted_by_time(void **state) {
    (void)state;
    double survival[FC_RATE_POINTS], caps[FC_RATE_POINTS], mean = 0.0, total = 0.0;
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        survival[x] = x <= 15 ? 1.0 : x <= 30 ? 0.75 : 0.25;
    fc_survival_to_caps(survival, 0.2, caps);
    for (int x = 0; x < FC_RATE_POINTS; ++x) {
        total += caps[x];
        mean += caps[x] * x / FC_RATE_STEPS;
    }
    assert_close(total, 1.0, 1e-14);
    assert_near(caps[0], 0.2, 1e-15);
    assert_close(caps[15] / caps[60], 0.25 * 4.0 / 0.25, 1e-14);
    /* flits per time moving is the harmonic mean of the rates */
    assert_close(mean / 0.8, 1.0 / fc_survival_slowness(survival).mean, 1e-14);
}

/* Rounding may make a survival function rise by a digit; a negative share would grow from round to
 * round of a model, and once ended at -6e8 cycles. */
static void rounding_makes_no_negative_share(void **state) {
    (void)state;
    double survival[FC_RATE_POINTS], caps[FC_RATE_POINTS];
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        survival[x] = x == 40 ? 0.5 * (1.0 + 1e-15) : x <= 20 ? 1.0 : 0.5;
    fc_survival_to_caps(survival, 0.0, caps);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        assert_true(caps[x] >= 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_worms_share_equally),
        cmocka_unit_test(capped_worms_leave_the_rest),
        cmocka_unit_test(agrees_with_sampling),
        cmocka_unit_test(caps_are_weighted_by_time),
        cmocka_unit_test(rounding_makes_no_negative_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
