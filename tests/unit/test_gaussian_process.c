/* The sparse process against a plain solution of the dense equations, and its limits. */
#include "test_support.h"

#include <math.h>
#include <stdlib.h>
#include "base/gaussian_process.h"
#include "base/random.h"
#include "validation/gp_fit.h"

enum { COUNT = 60, INPUTS = 3 };

static const gp_choice choice = {.kernel = {INPUTS, {1.1, 0.7, 0.4}, 0.3, {0.02, 0.01, 0.03}},
                                 .nugget = 1e-4};

static gp_data draw_data(void) {
    gp_data data = gp_data_create(COUNT);
    fc_random random = fc_random_stream(5, 0, 0);
    for (; data.count < COUNT; ++data.count) {
        double *x = data.inputs[data.count];
        for (size_t i = 0; i < INPUTS; ++i)
            x[i] = fc_random_unit(&random) * (i ? 3 : 1);
        data.values[data.count] = 0.1 * sin(2 * x[1]) * x[0] + 0.02 * x[2];
        data.variances[data.count] = 1e-4 * (1 + fc_random_unit(&random));
        data.groups[data.count] = data.count / 4;
        data.judged[data.count] = 1;
    }
    return data;
}

/* K x = b by elimination with pivots: nothing in common with the code under test. */
static void eliminate(double *matrix, double *vector, size_t n) {
    for (size_t c = 0; c < n; ++c) {
        size_t pivot = c;
        for (size_t r = c + 1; r < n; ++r)
            pivot = fabs(matrix[r * n + c]) > fabs(matrix[pivot * n + c]) ? r : pivot;
        for (size_t k = 0; k < n; ++k) {
            const double kept = matrix[c * n + k];
            matrix[c * n + k] = matrix[pivot * n + k];
            matrix[pivot * n + k] = kept;
        }
        const double kept = vector[c];
        vector[c] = vector[pivot];
        vector[pivot] = kept;
        for (size_t r = 0; r < n; ++r) {
            const double factor = r == c ? 0 : matrix[r * n + c] / matrix[c * n + c];
            for (size_t k = c; k < n; ++k)
                matrix[r * n + k] -= factor * matrix[c * n + k];
            vector[r] -= factor * vector[c];
        }
    }
    for (size_t i = 0; i < n; ++i)
        vector[i] /= matrix[i * n + i];
}

static fc_gp_value reference(const gp_data *data, const double *at) {
    double *matrix = malloc(COUNT * COUNT * sizeof *matrix);
    double near[COUNT], solved[COUNT];
    fc_gp_value value = {.prior = fc_gp_covariance(&choice.kernel, at, at)};
    assert_non_null(matrix);
    for (int weights = 0; weights < 2; ++weights) {
        for (size_t i = 0; i < COUNT; ++i) {
            for (size_t j = 0; j < COUNT; ++j)
                matrix[i * COUNT + j] =
                    fc_gp_covariance(&choice.kernel, data->inputs[i], data->inputs[j]) +
                    (i == j ? data->variances[i] + choice.nugget : 0);
            near[i] = fc_gp_covariance(&choice.kernel, at, data->inputs[i]);
            solved[i] = weights ? data->values[i] : near[i];
        }
        eliminate(matrix, solved, COUNT);
        double sum = 0;
        for (size_t i = 0; i < COUNT; ++i)
            sum += near[i] * solved[i];
        if (weights)
            value.mean = sum;
        else
            value.variance = value.prior - sum;
    }
    free(matrix);
    return value;
}

/* With every datum an inducing point nothing is lost; with half of them, little. */
static void agrees_with_the_dense_equations(void **state) {
    (void)state;
    gp_data data = draw_data();
    fc_gp all = gp_sparse_create(&data, &choice, COUNT), few = gp_sparse_create(&data, &choice, 30);
    gp_dense *dense = gp_dense_create(&data, &choice);
    fc_random random = fc_random_stream(6, 0, 0);
    assert_int_equal(few.points, 30);
    for (int i = 0; i < 50; ++i) {
        const double at[FC_GP_INPUTS_MAX] = {fc_random_unit(&random), 3 * fc_random_unit(&random),
                                             3 * fc_random_unit(&random)};
        const fc_gp_value expected = reference(&data, at);
        const fc_gp_value plain = gp_dense_predict(dense, at);
        const fc_gp_value exact = fc_gp_predict(&all, at), rough = fc_gp_predict(&few, at);
        assert_near(plain.mean, expected.mean, 1e-9);
        assert_near(plain.variance, expected.variance, 1e-9);
        /* all but the points that others tell all about, to 1e-4 of the largest variance */
        assert_near(exact.mean, expected.mean, 1e-3);
        assert_near(exact.variance, expected.variance, 2e-5);
        assert_near(rough.mean, expected.mean, 0.02);
        assert_true(rough.variance >= 0 && rough.variance <= rough.prior);
    }
    gp_dense_free(dense);
    gp_sparse_free(&all);
    gp_sparse_free(&few);
    gp_data_free(&data);
}

/* Far away nothing is known but what all data have in common. */
static void knows_nothing_far_away(void **state) {
    (void)state;
    gp_data data = draw_data();
    fc_gp process = gp_sparse_create(&data, &choice, COUNT);
    const double far[FC_GP_INPUTS_MAX] = {0.5, 100, -100};
    const fc_gp_value value = fc_gp_predict(&process, far);
    const double local = value.prior / (1 + choice.kernel.base);
    assert_true(value.variance >= 0.99 * local);
    assert_true(value.variance <= value.prior);
    gp_sparse_free(&process);
    gp_data_free(&data);
}

/* The kernel that is chosen foretells data that it has not seen. */
static void a_choice_foretells(void **state) {
    (void)state;
    gp_data data = draw_data();
    const gp_choice chosen = gp_choose(&data, INPUTS);
    gp_dense *dense = gp_dense_create(&data, &chosen);
    fc_random random = fc_random_stream(7, 0, 0);
    double error = 0, size = 0;
    size_t held = 0;
    for (int i = 0; i < 100; ++i) {
        const double at[FC_GP_INPUTS_MAX] = {fc_random_unit(&random), 3 * fc_random_unit(&random),
                                             3 * fc_random_unit(&random)};
        const double truth = 0.1 * sin(2 * at[1]) * at[0] + 0.02 * at[2];
        const fc_gp_value value = gp_dense_predict(dense, at);
        error += fabs(value.mean - truth);
        size += fabs(truth);
        held += fabs(value.mean - truth) <= 2 * sqrt(value.variance + chosen.nugget);
    }
    assert_true(error < 0.1 * size);
    assert_true(held > 85);
    gp_dense_free(dense);
    gp_data_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_dense_equations),
        cmocka_unit_test(knows_nothing_far_away),
        cmocka_unit_test(a_choice_foretells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
