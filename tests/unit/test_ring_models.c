/* The closed forms of Hamacher and Jiang against the route the paper derives them by, the limits
 * both ring models must meet, and the numbers published or measured for them. */
#include "test_support.h"
#include "rings_support.h"

#include "base/random.h"
#include <string.h>

static const fc_model *const models[] = {&fc_model_hamacher_jiang, &fc_model_ring_trains};

static fc_result *solve(const fc_model *model, fc_rings *rings) {
    const fc_scenario scenario = rings_scenario(rings);
    fc_error error;
    fc_result *result = fc_result_create(&model->info, &scenario);
    assert_non_null(result);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    return result;
}

static double latency_of(const fc_model *model, fc_rings rings) {
    fc_result *result = solve(model, &rings);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    const double latency = fc_result_metric(result, "latency")->value;
    fc_result_free(result);
    return latency;
}

/* Equations (1), (3) to (5), (12) to (16): the number of packets in the system by Little's law.
 * The destination step, which (1) leaves out, is added. */
static double long_route_two_levels(const fc_rings *r) {
    const double N = r->stations, L = r->sizes.values[0], lambda = r->rate, P = r->shares[0];
    const double U_L = L * lambda / 2 + L * lambda * (1 - P) / 2; /* (3) */
    const double U_G = N * lambda * (1 - P) / 2;                  /* (4) */
    const double crossing = L * lambda * (1 - P);                 /* (5) */
    const double p = U_L * (L - (1 + P)) / L;
    const double s = p / (1 - p);
    const double Q = s * lambda / (1 - s * lambda); /* (12), (13) */
    const double p_up = U_G * (N / L - 2) / (N / L);
    const double s_up = 1 + p_up / (1 - p_up);
    const double Q_up = s_up * crossing / (1 - s_up * crossing);                        /* (14) */
    const double Q_down = 2 * crossing / (2 - P * L * lambda - 2 * crossing);           /* (16) */
    assert_close(Q_up, N * crossing / (N * (1 - crossing) - U_G * (N - 2 * L)), 1e-12); /* (15) */
    return (N * Q + N / L * (Q_down + Q_up) + (N + N / L) * U_L + N / L * U_G) / (N * lambda) + 1;
}

/* Equations (2), (6) to (11), (17) to (21), with the corrections of docs/theory/rings.md: the first
 * inter-ring sum of (2) runs over N/L interfaces; (6) divides the whole sum. */
static double long_route_three_levels(const fc_rings *r) {
    const double N = r->stations, L = r->sizes.values[0], M = r->sizes.values[1],
                 G = r->sizes.values[r->levels - 1], lambda = r->rate;
    const double P_L = r->shares[0], P_M = r->shares[1], P_G = 1 - P_L - P_M;
    const double T = 1000;
    const double A1 = L * lambda * P_M * T * (L + 1) / 2, B1 = L * lambda * P_G * T * (L + 1) / 2;
    const double U_L = (L * lambda * T * (L + 1) / 2 + A1 + B1) / ((L + 1) * T); /* (6) */
    const double A2 = L * M * lambda * (P_M + P_G) * T * (M + 1) / 2;
    const double B2 = L * M * lambda * T * P_G * (M + 1) / 2;
    const double U_M = (A2 + B2) / ((M + 1) * T);          /* (8) */
    const double U_G = N * lambda * (1 - P_L - P_M) / 2;   /* (11) */
    const double lower = L * lambda * (1 - P_L);           /* (7), (9) */
    const double upper = L * M * lambda * (1 - P_M - P_L); /* (10) */
    const double Q = U_L * (L - 1 - P_L) * lambda / (L - U_L * (L - 1 - P_L) * (1 + lambda));
    const double Q_LM = lower / (1 - U_M * (M - 1 - P_M / (P_M + P_G)) / M - lower); /* (18) */
    const double Q_ML = 2 * lower / (2 - P_L * L * lambda - 2 * lower);              /* (19) */
    const double Q_MG = upper / (1 - U_G * (G - 2) / G - upper);                     /* (20) */
    const double Q_GM = upper / (1 - L * M * lambda * P_M / 2 - upper);              /* (21) */
    return (N * Q + N / L * (Q_ML + Q_LM) + N / (L * M) * (Q_MG + Q_GM) + (N + N / L) * U_L +
            (N / L + N / (L * M)) * U_M + N / (L * M) * U_G) /
               (N * lambda) +
           1;
}

static double between(fc_random *random, double low, double high) {
    return low + (high - low) * fc_random_unit(random);
}

static void long_route_agrees_with_closed_forms(void **state) {
    (void)state;
    fc_random random = fc_random_stream(7, 0, 0);
    for (int i = 0; i < 20000; ++i) {
        const double P = between(&random, 0.0, 1.0);
        fc_rings two = make_rings(2 + fc_random_below(&random, 63), 0,
                                  2 + fc_random_below(&random, 63), 1, P, 0);
        two.rate = rate_at_utilisation(&two, between(&random, 1e-6, 0.99));
        assert_close(latency_of(&fc_model_hamacher_jiang, two), long_route_two_levels(&two), 1e-12);

        const double P_M = (1 - P) * between(&random, 0.0, 1.0);
        fc_rings three =
            make_rings(2 + fc_random_below(&random, 63), 2 + fc_random_below(&random, 63),
                       between(&random, 2, 64), 1, P, P_M);
        three.rate = rate_at_utilisation(&three, between(&random, 1e-6, 0.99));
        assert_close(latency_of(&fc_model_hamacher_jiang, three), long_route_three_levels(&three),
                     1e-12);
    }
}

/* Distance, one cycle per crossing and one into the destination. */
static double empty_latency(const fc_rings *r) {
    const double P_L = r->shares[0], P_M = r->shares[1], P_G = r->shares[r->levels - 1];
    if (r->levels == 2)
        return P_L * (r->sizes.values[0] + 1) / 2 +
               P_G * (r->sizes.values[0] + 1 + r->sizes.values[r->levels - 1] / 2 + 2) + 1;
    return P_L * (r->sizes.values[0] + 1) / 2 +
           P_M * (r->sizes.values[0] + 1 + (r->sizes.values[1] + 1) / 2 + 2) +
           P_G * (r->sizes.values[0] + 1 + r->sizes.values[1] + 1 +
                  r->sizes.values[r->levels - 1] / 2 + 4) +
           1;
}

static void nothing_waits_without_load(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        fc_rings cases[] = {
            make_rings(16, 0, 32, 1e-12, -1, 0), make_rings(16, 0, 32, 1e-12, 0.7, 0),
            make_rings(16, 0, 32, 1e-12, 0, 0),  make_rings(16, 0, 32, 1e-12, 1, 0),
            make_rings(7, 6, 12, 1e-12, -1, 0),  make_rings(7, 6, 12, 1e-12, 0.5, 0.3),
            make_rings(7, 6, 12, 1e-12, 0, 1),   make_rings(7, 6, 12, 1e-12, 0, 0),
            make_rings(7, 6, 12, 1e-12, 1, 0),   make_rings(1, 0, 12, 1e-12, 0, 0),
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
            assert_close(latency_of(models[m], cases[i]), empty_latency(&cases[i]), 1e-8);
    }
}

static void locality_limits_leave_out_rings_without_traffic(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        /* All local: the sizes above do not matter. */
        const double local = latency_of(models[m], make_rings(16, 0, 32, 0.05, 1, 0));
        assert_close(latency_of(models[m], make_rings(16, 0, 4, 0.05, 1, 0)), local, 1e-14);
        assert_close(latency_of(models[m], make_rings(16, 5, 9, 0.05, 1, 0)), local, 1e-14);
        /* No global traffic: the global ring does not matter. */
        const double middle = latency_of(models[m], make_rings(7, 6, 12, 0.02, 0.4, 0.6));
        assert_close(latency_of(models[m], make_rings(7, 6, 3, 0.02, 0.4, 0.6)), middle, 1e-14);
    }
}

/* Two stations that only send to each other: each slot comes empty, and a packet waits only for
 * those that arrived before it in the same or an earlier cycle. */
static void two_stations_alone_are_solved_exactly(void **state) {
    (void)state;
    for (int i = 1; i < 20; ++i) {
        const double rate = i / 20.0;
        const double expected = rate / (2 * (1 - rate)) + 1.5 + 1;
        assert_close(latency_of(&fc_model_ring_trains, make_rings(2, 0, 5, rate, 1, 0)), expected,
                     1e-13);
    }
}

/* The wait for a ring is that of all who enter it: stations or those from below, and those from
 * above. */
static void check_ring_waits(const fc_result *result, const fc_rings *rings) {
    const double *channels = fc_result_table(result, "channels")->values;
    const double *queues = fc_result_table(result, "queues")->values;
    const bool three = rings->levels == 3;
    const double global = rings->shares[rings->levels - 1];
    const double leaving = (three ? rings->shares[1] : 0) + global;
    const double down_local = queues[three ? 4 : 2];
    assert_close(channels[1] * (1 + leaving), queues[0] + leaving * down_local, 1e-12);
    assert_close(channels[three ? 5 : 3], queues[three ? 2 : 1], 1e-12);
    if (three)
        assert_close(channels[3] * (leaving + global), leaving * queues[1] + global * queues[3],
                     1e-12);
}

static void parts_add_up_and_channels_carry_the_load(void **state) {
    (void)state;
    fc_random random = fc_random_stream(8, 0, 0);
    for (int i = 0; i < 2000; ++i) {
        const bool three = i % 2 == 1;
        const double P = between(&random, 0.0, 0.9);
        fc_rings rings = make_rings(2 + fc_random_below(&random, 63),
                                    three ? 2 + fc_random_below(&random, 63) : 0,
                                    2 + fc_random_below(&random, 63), 1, P,
                                    three ? (1 - P) * between(&random, 0.0, 0.9) : 0);
        const double busiest = between(&random, 0.01, 0.99);
        rings.rate = rate_at_utilisation(&rings, busiest);
        for (size_t m = 0; m < 2; ++m) {
            fc_result *result = solve(models[m], &rings);
            double sum = 0.0, highest = 0.0;
            assert_int_equal(result->part_count, 5);
            for (size_t p = 0; p < result->part_count; ++p)
                sum += result->parts[p].value;
            assert_close(sum, fc_result_metric(result, "latency")->value, 1e-13);
            const fc_table *channels = fc_result_table(result, "channels");
            assert_int_equal(channels->rows, three ? 3 : 2);
            for (size_t row = 0; row < channels->rows; ++row)
                highest = fmax(highest, channels->values[2 * row]);
            assert_close(highest, busiest, 1e-12);
            check_ring_waits(result, &rings);
            fc_result_free(result);
        }
    }
}

static void latency_grows_with_the_rate_up_to_saturation(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        fc_rings rings = make_rings(7, 6, 12, 1, -1, 0);
        double before = 0.0;
        for (int percent = 1; percent < 100; ++percent) {
            rings.rate = rate_at_utilisation(&rings, percent / 100.0);
            const double latency = latency_of(models[m], rings);
            assert_true(latency > before);
            before = latency;
        }
        rings.rate = rate_at_utilisation(&rings, 0.999999);
        assert_true(latency_of(models[m], rings) > 1e5);
    }
}

static void saturation_is_an_outcome_that_names_the_ring(void **state) {
    (void)state;
    const struct {
        fc_rings rings;
        double capacity;
        const char *ring;
    } cases[] = {
        {make_rings(16, 0, 32, 0.02, 0.2, 0), 2.0 / (512 * 0.8), "global ring"},
        {make_rings(16, 0, 4, 0.2, 0.9, 0), 2.0 / (16 * 1.1), "local rings"},
        {make_rings(8, 8, 2, 0.5, 0.1, 0.85), 2.0 / (64 * (2 * 0.05 + 0.85)), "middle rings"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (size_t m = 0; m < 2; ++m) {
            fc_rings rings = cases[i].rings;
            fc_result *result = solve(models[m], &rings);
            assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
            assert_null(fc_result_metric(result, "latency"));
            assert_close(fc_result_metric(result, "throughput")->value, cases[i].capacity, 1e-14);
            assert_close(fc_result_metric(result, "offered")->value, rings.rate, 1e-14);
            assert_non_null(strstr(result->note, cases[i].ring));
            fc_result_free(result);
            /* The hook gives the very load at which solve changes its outcome. */
            const fc_scenario scenario = rings_scenario(&rings);
            double load;
            fc_error error;
            assert_int_equal(models[m]->saturation(&scenario, NULL, &error, &load), FC_OK);
            assert_close(load, cases[i].capacity, 1e-14);
            rings.rate = load * (1 - 1e-12);
            (void)latency_of(models[m], rings);
            rings.rate = load * (1 + 1e-12);
            result = solve(models[m], &rings);
            assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
            fc_result_free(result);
        }
    }
}

static void published_and_measured_numbers(void **state) {
    (void)state;
    const fc_model *paper = &fc_model_hamacher_jiang;
    assert_near(latency_of(paper, make_rings(16, 0, 32, 0.004, 0.2, 0)), 34.43, 0.005);
    assert_near(latency_of(paper, make_rings(16, 0, 32, 0.005, 0.3, 0)), 34.20, 0.005);
    assert_near(latency_of(paper, make_rings(6, 7, 500.0 / 42, 0.002, -1, 0)), 25.841, 0.0005);
    assert_near(latency_of(paper, make_rings(9, 10, 500.0 / 90, 0.004, -1, 0)), 31.463, 0.0005);
    assert_near(latency_of(paper, make_rings(10, 10, 5, 0.004, -1, 0)), 31.58, 0.005);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_route_agrees_with_closed_forms),
        cmocka_unit_test(nothing_waits_without_load),
        cmocka_unit_test(locality_limits_leave_out_rings_without_traffic),
        cmocka_unit_test(two_stations_alone_are_solved_exactly),
        cmocka_unit_test(parts_add_up_and_channels_carry_the_load),
        cmocka_unit_test(latency_grows_with_the_rate_up_to_saturation),
        cmocka_unit_test(saturation_is_an_outcome_that_names_the_ring),
        cmocka_unit_test(published_and_measured_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
