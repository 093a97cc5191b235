/* The model of Safaei et al.: its recursion term by term, its limits, its folds. */
#include "test_support.h"

#include <string.h>
#include "scouting_support.h"

extern const fc_model fc_model_safaei, fc_model_safaei_e0, fc_model_safaei_literal;

static fc_result *solve(const fc_model *model, fc_torus torus) {
    fc_scenario scenario = torus_scenario(&torus);
    fc_error error;
    fc_result *result = fc_result_create(&model->info, &scenario);
    assert_non_null(result);
    assert_int_equal(model->covers(&scenario, &error), FC_OK);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    return result;
}

static fc_torus square(int k, int channels, int flits, int distance, double rate) {
    return make_scouting((fc_integer_list){2, {k, k}}, channels, flits, distance, rate);
}

static double latency(const fc_model *model, fc_torus torus) {
    fc_result *result = solve(model, torus);
    const fc_metric *found = fc_result_metric(result, "latency");
    assert_non_null(found);
    const double value = found->value;
    fc_result_free(result);
    return value;
}

static double saturation(const fc_model *model, fc_torus torus) {
    const fc_scenario scenario = torus_scenario(&torus);
    fc_error error;
    double load;
    assert_int_equal(model->saturation(&scenario, NULL, &error, &load), FC_OK);
    return load;
}

/* M + D + 2K - 1, and K = 0 as K = 1 (departure d2). */
static void least_latency(void **state) {
    (void)state;
    assert_close(latency(&fc_model_safaei, square(8, 6, 32, 3, 1e-9)), 41, 1e-4);
    assert_close(latency(&fc_model_safaei, square(8, 1, 32, 0, 1e-9)), 37, 1e-4);
    assert_close(latency(&fc_model_safaei, square(16, 1, 64, 6, 1e-9)), 83, 1e-4);
    assert_close(latency(&fc_model_safaei, square(5, 2, 16, 1, 1e-9)), 19.5, 1e-4);
}

/* The printed recursion (5) with all its indices, for the point the model found. */
static double setup_by_the_print(int hops, int distance, double busy) {
    double sum = 0;
    for (int t = 0; t <= distance; ++t) {
        double c[32][16] = {{0}};
        for (int j = t; j >= 0; --j) {
            for (int i = hops - 1; i > 0; --i) {
                const double one = i < hops / 2.0 ? 0 : fmin(1, 2.0 / (hops - i + 1));
                const double blocked = (1 - one) * busy * busy + one * busy;
                const double weight = j < t ? (double)(t - j) / (t - j + hops - 1) : 0;
                c[i][j] = (1 - weight * blocked) * c[i + 1][j] + 1;
                if (j < t)
                    c[i][j] += weight * blocked * c[i - 1][j + 1];
            }
            c[0][j] = c[1][j] + 1;
        }
        sum += c[0][0];
    }
    return sum / (distance + 1);
}

static void recursion_is_the_printed_one(void **state) {
    (void)state;
    for (int distance = 0; distance <= 8; ++distance) {
        fc_result *result = solve(&fc_model_safaei, square(16, 2, 32, distance, 0.002));
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        const fc_table *table = fc_result_table(result, "channels");
        const double rho = table->values[1];
        double back = 0, held = 0;
        for (size_t i = 0; i < result->part_count; ++i)
            if (strcmp(result->parts[i].name, "backtracking") == 0)
                back = result->parts[i].value;
        assert_near(back, setup_by_the_print(8, distance, rho * rho) - 8, 1e-9);
        /* (3) and rho = lc S close the circle */
        for (size_t i = 0; i < 4; ++i)
            held += result->parts[i].value;
        assert_close(rho, table->values[0] * held, 1e-9);
        /* (11): an M/G/1 queue of two channels, what exceeds the empty network its spread */
        const double spread = held - 8 - 32 - fmax(2.0 * distance - 1, 1);
        assert_close(result->parts[4].value,
                     0.002 * (held * held + spread * spread) / (2 * (2 - 0.002 * held)), 1e-9);
        fc_result_free(result);
    }
}

static void parts_add_up(void **state) {
    (void)state;
    fc_result *result = solve(&fc_model_safaei, square(8, 6, 32, 3, 0.012));
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    assert_close(sum, fc_result_metric(result, "latency")->value, 1e-12);
    assert_close(fc_result_metric(result, "network_latency")->value +
                     fc_result_metric(result, "source_wait")->value,
                 sum, 1e-12);
    assert_true(result->run.residual < 1e-12);
    fc_result_free(result);
}

/* Found by an independent implementation that searched the fixed point from below. */
static void saturation_is_the_fold(void **state) {
    (void)state;
    static const struct {
        int k, channels, flits, distance;
        double printed_visits, plain_visits;
    } cases[] = {
        {8, 1, 32, 0, 0.01081, 0.02701},  {8, 1, 32, 1, 0.01064, 0.02660},
        {8, 1, 32, 3, 0.00933, 0.02332},  {8, 1, 32, 6, 0.00784, 0.01960},
        {8, 6, 32, 0, 0.01682, 0.02701},  {8, 6, 32, 3, 0.01511, 0.02333},
        {8, 6, 32, 6, 0.01316, 0.01960},  {8, 6, 64, 3, 0.00850, 0.01335},
        {16, 1, 32, 0, 0.00275, 0.01219}, {16, 1, 32, 3, 0.00244, 0.01065},
        {16, 6, 32, 0, 0.00690, 0.01219}, {16, 6, 32, 3, 0.00628, 0.01065},
        {16, 6, 32, 6, 0.00553, 0.00908}, {6, 3, 32, 2, 0.01947, 0.03404},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const fc_torus torus =
            square(cases[i].k, cases[i].channels, cases[i].flits, cases[i].distance, 0.001);
        assert_near(saturation(&fc_model_safaei, torus), cases[i].printed_visits, 2e-5);
        assert_near(saturation(&fc_model_safaei_e0, torus), cases[i].plain_visits, 3e-5);
    }
}

static void a_solution_up_to_the_fold_and_none_above(void **state) {
    (void)state;
    for (int k = 2; k <= 17; ++k)
        for (int channels = 1; channels <= 8; channels += 7)
            for (int distance = 0; distance <= 20; distance += 10) {
                fc_torus torus = square(k, channels, 20, distance, 0.001);
                const double limit = saturation(&fc_model_safaei, torus);
                assert_true(limit > 0 && limit < 1);
                torus.rate = limit * 0.9999;
                fc_result *result = solve(&fc_model_safaei, torus);
                assert_int_equal(result->outcome, FC_OUTCOME_OK);
                const double value = fc_result_metric(result, "latency")->value;
                assert_true(isfinite(value) && value > 20);
                fc_result_free(result);
                torus.rate = limit * 1.0001;
                result = solve(&fc_model_safaei, torus);
                assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
                assert_close(fc_result_metric(result, "throughput")->value, limit, 1e-9);
                assert_null(fc_result_metric(result, "latency"));
                fc_result_free(result);
            }
}

/* By an independent implementation of (1) to (13), found by bisection on rho. */
static void literal_is_the_print(void **state) {
    (void)state;
    static const struct {
        int k, channels, flits, distance;
        double rate, literal, read;
    } cases[] = {
        {8, 6, 32, 3, 0.004, 65.74810128828132, 57.87896393304927},
        {16, 6, 64, 6, 0.002, 196.76432145844828, 166.8108599150554},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const fc_torus torus =
            square(cases[i].k, cases[i].channels, cases[i].flits, cases[i].distance, cases[i].rate);
        assert_close(latency(&fc_model_safaei_literal, torus), cases[i].literal, 1e-9);
        assert_close(latency(&fc_model_safaei, torus), cases[i].read, 1e-9);
    }
    /* M + 2 D + 2K - 1; the lead of K = 0 is -1 */
    assert_close(latency(&fc_model_safaei_literal, square(8, 6, 32, 3, 1e-9)), 45, 1e-4);
    assert_close(latency(&fc_model_safaei_literal, square(8, 1, 32, 0, 1e-9)), 39, 1e-4);
    fc_result *result = solve(&fc_model_safaei_literal, square(8, 6, 32, 3, 0.008));
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    assert_close(sum, fc_result_metric(result, "latency")->value, 1e-12);
    fc_result_free(result);
    /* a header that seems to have one dimension left on its first hops is blocked more often */
    assert_true(saturation(&fc_model_safaei_literal, square(8, 1, 32, 3, 0.001)) <
                saturation(&fc_model_safaei, square(8, 1, 32, 3, 0.001)));
}

static void latency_rises_with_load(void **state) {
    (void)state;
    double before = 0;
    for (int i = 1; i < 30; ++i) {
        const double now = latency(&fc_model_safaei, square(8, 6, 32, 3, 0.0005 * i));
        assert_true(now > before);
        before = now;
    }
}

static void what_it_does_not_cover(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {8, 4}}, 2, 32, 3, 0.001);
    const fc_scenario scenario = torus_scenario(&torus);
    fc_error error;
    assert_int_equal(fc_model_safaei.covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
    torus.radix.values[1] = 8;
    assert_int_equal(fc_model_safaei.covers(&scenario, &error), FC_OK);
    torus.ejection_channels = 1;
    assert_int_equal(fc_model_safaei.covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_latency),
        cmocka_unit_test(recursion_is_the_printed_one),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(saturation_is_the_fold),
        cmocka_unit_test(a_solution_up_to_the_fold_and_none_above),
        cmocka_unit_test(literal_is_the_print),
        cmocka_unit_test(latency_rises_with_load),
        cmocka_unit_test(what_it_does_not_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
