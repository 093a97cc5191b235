#include "test_support.h"

#include "queueing/channel_occupancy.h"

enum { CHANNELS_MAX = 16 };

/* One class whose channels are all its own is an Erlang queue with a short waiting room. */
static void one_class_is_a_birth_death_chain(void **state) {
    (void)state;
    const int common = 3, reserved[] = {2, 1};
    const fc_occupancy_arrivals arrivals = {.admitted = {0.8, 0.0}, .blocked = {0.5, 0.0}};
    double departure[CHANNELS_MAX], busy[CHANNELS_MAX], work[CHANNELS_MAX];
    double expected[CHANNELS_MAX] = {1.0};
    for (int n = 1; n < CHANNELS_MAX; ++n)
        departure[n] = 0.3 + 0.02 * n;
    double total = 1.0, blocked = 0.0, cut = 0.0, p = 1.0;
    for (int level = 1; level <= 5 + FC_WAITING_MAX; ++level) {
        const int n = level < 5 ? level : 5;
        p *= (level <= 5 ? 0.8 : 0.5) / (n * departure[n]);
        total += p;
        expected[n] += p;
        blocked += level >= 5 ? p : 0.0;
        cut = p;
    }
    fc_occupancy_chain *chain = fc_occupancy_chain_create(common, reserved);
    fc_occupancy occupancy;
    fc_occupancy_solve(chain, &arrivals, (const double *[]){departure, departure}, busy, work,
                       &occupancy);
    for (int n = 0; n <= 5; ++n) {
        assert_close(busy[n], expected[n] / total, 1e-13);
        assert_close(work[n], n == 0 ? 0.0 : n * departure[n] * busy[n], 1e-13);
    }
    assert_near(busy[6], 0.0, 1e-15);
    assert_close(occupancy.blocked[0], blocked / total, 1e-13);
    assert_close(occupancy.cut, cut / total, 1e-13);
    fc_occupancy_chain_free(chain);
}

/* Classes without common channels do not see each other where departures do not depend on n; each
 * goes at its own pace. */
static void separate_classes_are_independent(void **state) {
    (void)state;
    const int reserved[] = {1, 1};
    const fc_occupancy_arrivals arrivals = {.admitted = {0.4, 0.2}, .blocked = {0.4, 0.2}};
    const double departure[2][3] = {{0.0, 1.0, 1.0}, {0.0, 2.0, 2.0}};
    double busy[3], work[3];
    fc_occupancy occupancy;
    fc_occupancy_chain *chain = fc_occupancy_chain_create(0, reserved);
    fc_occupancy_solve(chain, &arrivals, (const double *[]){departure[0], departure[1]}, busy, work,
                       &occupancy);
    double share[2];
    for (int class = 0; class < 2; ++class) { /* M/M/1 with room for 1 + FC_WAITING_MAX */
        const double rho = arrivals.admitted[class] / departure[class][1];
        share[class] =
            rho * (1.0 - pow(rho, FC_WAITING_MAX + 1)) / (1.0 - pow(rho, FC_WAITING_MAX + 2));
        assert_close(occupancy.blocked[class], share[class], 1e-13);
        assert_close(occupancy.reserved[class], share[class], 1e-13);
    }
    assert_close(busy[2], share[0] * share[1], 1e-13);
    assert_close(busy[0], (1.0 - share[0]) * (1.0 - share[1]), 1e-13);
    fc_occupancy_chain_free(chain);
}

/* What flows in flows out; equal classes are blocked alike; digits survive tiny rates. */
static void flows_balance(void **state) {
    (void)state;
    const int reserved[] = {1, 1};
    for (int common = 0; common <= 6; common += 3)
        for (double rate = 1e-6; rate < 1.0; rate *= 30.0) {
            const fc_occupancy_arrivals arrivals = {.admitted = {rate, rate},
                                                    .blocked = {0.3 * rate, 0.3 * rate}};
            double departure[CHANNELS_MAX], busy[CHANNELS_MAX], work[CHANNELS_MAX];
            double out = 0.0, total = 0.0;
            for (int n = 1; n < CHANNELS_MAX; ++n)
                departure[n] = 1.0 / (1.0 + 0.4 * n);
            fc_occupancy occupancy;
            fc_occupancy_chain *chain = fc_occupancy_chain_create(common, reserved);
            fc_occupancy_solve(chain, &arrivals, (const double *[]){departure, departure}, busy,
                               work, &occupancy);
            for (int n = 0; n <= common + 2; ++n) {
                total += busy[n];
                out += work[n];
            }
            const double free = 1.0 - occupancy.blocked[0];
            const double in = 2.0 * rate * (free + 0.3 * occupancy.blocked[0]);
            assert_close(total, 1.0, 1e-12);
            assert_close(occupancy.blocked[0], occupancy.blocked[1], 1e-10);
            assert_true(out <= in * (1.0 + 1e-12) && out >= in * (1.0 - occupancy.cut - 1e-12));
            fc_occupancy_chain_free(chain);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_class_is_a_birth_death_chain),
        cmocka_unit_test(separate_classes_are_independent),
        cmocka_unit_test(flows_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
