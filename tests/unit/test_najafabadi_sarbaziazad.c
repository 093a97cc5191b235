#include "test_support.h"

#include "models/torus/najafabadi_sarbaziazad.h"
#include "network/torus_combinatorics.h"
#include "torus_support.h"

static fc_najafabadi_case case_of(fc_integer_list radix, int channels, double flits) {
    return (fc_najafabadi_case){.radix = radix, .channels = channels, .flits = flits};
}

static double latency_at(fc_najafabadi_case input, double rate) {
    fc_najafabadi_solution solution;
    input.rate = rate;
    fc_najafabadi_solve(&input, &solution);
    return solution.saturated ? INFINITY : solution.latency;
}

static const fc_integer_list square = {2, {16, 16}}, cube = {3, {8, 8, 8}};

static void zero_load_is_message_plus_hops(void **state) {
    (void)state;
    assert_near(latency_at(case_of(square, 3, 32), 0.0), 47.06, 0.005);
    for (int channels = 2; channels <= 64; channels += 31)
        for (int literal = 0; literal <= 1; ++literal) {
            fc_najafabadi_case input = case_of((fc_integer_list){3, {2, 5, 3}}, channels, 7);
            input.literal = literal;
            assert_close(latency_at(input, 0.0),
                         7.0 + fc_torus_mean_hops(&input.radix, FC_UNIDIRECTIONAL_RING), 1e-14);
        }
}

/* Saturation loads of the prototype (rounded to 1e-5), reading by reading. */
static void saturation_loads_of_the_note(void **state) {
    (void)state;
    static const struct {
        fc_integer_list radix;
        int channels;
        double flits, resolved, literal;
    } rows[] = {
        {{2, {16, 16}}, 3, 32, 0.00132, 0.00063},    {{2, {16, 16}}, 5, 32, 0.00190, 0.00109},
        {{3, {8, 8, 8}}, 3, 32, 0.00303, 0.00160},   {{3, {8, 8, 8}}, 5, 32, 0.00415, 0.00254},
        {{2, {5, 7}}, 2, 20, 0.00538, 0.00309},      {{2, {5, 7}}, 4, 20, 0.00855, 0.00542},
        {{4, {4, 4, 4, 4}}, 2, 16, 0.01127, 0.0067}, {{4, {4, 4, 4, 4}}, 3, 32, 0.00745, 0.00459},
        {{2, {16, 16}}, 2, 32, 0.00082, 0.00036},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        fc_najafabadi_case input = case_of(rows[i].radix, rows[i].channels, rows[i].flits);
        assert_near(fc_najafabadi_saturation(&input), rows[i].resolved, 6e-6);
        input.literal = true;
        assert_near(fc_najafabadi_saturation(&input), rows[i].literal, 1.6e-5);
    }
}

/* P(at least s hops in dimension j, given that the message crosses i <= j); for j = i: at least s
 * further hops after the first one. */
static double at_least(const fc_integer_list *radix, size_t j, int64_t s, size_t i) {
    const double k = (double)radix->values[j], among = j == i ? k - 1.0 : k;
    return fmax(among - (double)s, 0.0) / among;
}

/* The equations as they stand, iterated plainly: what the Newton climb must agree with. */
static double plain_latency(const fc_najafabadi_case *input) {
    const fc_integer_list *radix = &input->radix;
    const size_t n = radix->count;
    const int L = input->channels;
    const double M = input->flits, h = fc_torus_mean_hops(radix, FC_UNIDIRECTIONAL_RING),
                 lambda = h * input->rate / (double)n,
                 ejection = M * M * input->rate / (2.0 * (1.0 - M * input->rate));
    double W[FC_LIST_MAX] = {0}, S = 0.0, degree = 0.0, weights = 0.0;
    for (size_t d = n; d-- > 0;) {
        double D = M, rho = 0.0;
        for (int step = 0; step < 20000; ++step) {
            const int J = (2 * (int)d + 1) * L;
            double ahead = 0.0, waiting = 0.0;
            rho = lambda * D;
            for (size_t j = d; j < n; ++j)
                for (int64_t s = 1; s < radix->values[j]; ++s)
                    ahead += W[j] * at_least(radix, j, s, d);
            for (int j = L; j <= J; ++j)
                waiting += j * (j < J ? (1.0 - rho) : 1.0) * pow(rho, j);
            const double PL = pow(rho, L), PL1 = (1.0 - rho) * pow(rho, L - 1);
            const double q = fc_torus_ends_after_hop(radix, FC_UNIDIRECTIONAL_RING, d);
            const double what = pow(1.0 - q, L - 1) * ahead + M;
            W[d] = (PL + PL1 / L) * waiting * what;
            D = ahead + M + ejection;
        }
        double first = 0.0, second = 0.0;
        for (int l = 0; l <= L; ++l) {
            const double p = (l < L ? 1.0 - rho : 1.0) * pow(rho, l);
            first += l * p;
            second += l * l * p;
        }
        S += fc_torus_first_in(radix, d) * (D + W[d]);
        degree += (double)radix->values[d] * second / first;
        weights += (double)radix->values[d];
    }
    degree /= weights;
    const double share = input->rate / L;
    return S * degree + h * degree + share * (S * S + (S - M) * (S - M)) / (2 * (1 - share * S));
}

static void newton_agrees_with_plain_iteration(void **state) {
    (void)state;
    static const fc_integer_list shapes[] = {{2, {16, 16}}, {2, {5, 7}}, {3, {6, 2, 3}}, {1, {9}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (int channels = 2; channels <= 6; channels += 2) {
            fc_najafabadi_case input = case_of(shapes[i], channels, 24);
            const double limit = fc_najafabadi_saturation(&input);
            for (double load = 0.2; load < 1.0; load += 0.25) {
                input.rate = load * limit;
                assert_close(latency_at(input, input.rate), plain_latency(&input), 1e-10);
            }
        }
}

/* A solution up to the saturation load, none above it; the latency grows on the way there. */
static void fold_is_exact(void **state) {
    (void)state;
    for (int literal = 0; literal <= 1; ++literal)
        for (int channels = 2; channels <= 8; channels *= 2) {
            fc_najafabadi_case input = case_of(cube, channels, 32);
            input.literal = literal;
            const double limit = fc_najafabadi_saturation(&input);
            assert_true(isfinite(latency_at(input, limit)));
            assert_true(isinf(latency_at(input, limit * (1.0 + 1e-10))));
            double before = 0.0;
            for (int i = 0; i <= 50; ++i) {
                const double now = latency_at(input, limit * i / 50.0);
                assert_true(now > before && isfinite(now));
                before = now;
            }
        }
}

static void says_where_it_saturates(void **state) {
    (void)state;
    fc_najafabadi_solution solution;
    fc_najafabadi_case input = case_of(square, 3, 32);
    input.rate = 0.002;
    fc_najafabadi_solve(&input, &solution);
    assert_true(solution.saturated);
    assert_true(solution.bottleneck < 2);
    input.rate = 0.04; /* M lambda above 1: the ejection channel */
    fc_najafabadi_solve(&input, &solution);
    assert_int_equal(solution.bottleneck, 2);
}

static void result_of_the_method(void **state) {
    (void)state;
    fc_torus torus = make_torus(square, 3, 32, 0.000602);
    const fc_scenario scenario = torus_scenario(&torus);
    const fc_model *model = &fc_model_najafabadi_sarbaziazad;
    fc_error error;
    assert_int_equal(model->covers(&scenario, &error), FC_OK);
    fc_result *result = fc_result_create(&model->info, &scenario);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    double parts = 0.0;
    for (size_t i = 0; i < result->part_count; ++i)
        parts += result->parts[i].value;
    assert_near(fc_result_metric(result, "latency")->value, 62.9, 0.05);
    assert_close(parts, fc_result_metric(result, "latency")->value, 1e-14);
    assert_int_equal(fc_result_table(result, "channels")->rows, 2);
    fc_result_free(result);

    double load = 0.0; /* the load of the hook is where outcomes change */
    assert_int_equal(model->saturation(&scenario, NULL, &error, &load), FC_OK);
    for (int above = 0; above <= 1; ++above) {
        torus.rate = load * (above ? 1.0 + 1e-9 : 1.0);
        result = fc_result_create(&model->info, &scenario);
        assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
        assert_int_equal(result->outcome, above ? FC_OUTCOME_SATURATED : FC_OUTCOME_OK);
        assert_close(fc_result_metric(result, "throughput")->value, load, 1e-9);
        fc_result_free(result);
    }
}

/* Bidirectional rings: an empty network by its shortest paths; and rings of three, where every way
 * is one hop either way, carry a third of the rate a channel that one direction carries. */
static void bidirectional_tori(void **state) {
    (void)state;
    const fc_integer_list radix = {2, {8, 5}};
    const double mean = (2.0 + 1.2) * 40 / 39; /* 0 1 2 3 4 3 2 1 and 0 1 2 2 1 */
    fc_najafabadi_case input = {
        .radix = radix, .kind = FC_BIDIRECTIONAL_RING, .channels = 3, .flits = 7};
    assert_close(latency_at(input, 0.0), 7.0 + mean, 1e-14);
    fc_najafabadi_case three = {.radix = {2, {3, 3}}, .channels = 3, .flits = 7, .rate = 0.001};
    fc_najafabadi_solution one, both;
    fc_najafabadi_solve(&three, &one);
    three.kind = FC_BIDIRECTIONAL_RING;
    fc_najafabadi_solve(&three, &both);
    assert_close(both.channel_rate, one.channel_rate / 3, 1e-14);
    assert_close(both.channel_rate, 0.001 / 3 * 9 / 8, 1e-14);
}

static void refuses_what_it_does_not_cover(void **state) {
    (void)state;
    const fc_torus good = make_torus(square, 3, 32, 0.0006);
    fc_torus bad = good;
    const fc_scenario scenario = torus_scenario(&bad);
    fc_error error;
#define REFUSED(field, value)                                                                      \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.field = (value);                                                                       \
        error.text[0] = '\0';                                                                      \
        assert_int_equal(fc_model_najafabadi_sarbaziazad.covers(&scenario, &error),                \
                         FC_ERROR_UNSUPPORTED);                                                    \
        assert_true(error.text[0] != '\0');                                                        \
    } while (0)
    REFUSED(shape, FC_HYPERCUBE);
    REFUSED(topology, FC_MESH);
    REFUSED(channel_rule, FC_DATELINE);
    REFUSED(kind, FC_CLOSED);
    REFUSED(switching, FC_SCOUTING);
    REFUSED(routing, FC_ADAPTIVE);
    REFUSED(destinations.pattern, FC_TORNADO);
    REFUSED(virtual_channels, 1);
    REFUSED(faults.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_load_is_message_plus_hops),
        cmocka_unit_test(saturation_loads_of_the_note),
        cmocka_unit_test(newton_agrees_with_plain_iteration),
        cmocka_unit_test(fold_is_exact),
        cmocka_unit_test(says_where_it_saturates),
        cmocka_unit_test(result_of_the_method),
        cmocka_unit_test(bidirectional_tori),
        cmocka_unit_test(refuses_what_it_does_not_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
