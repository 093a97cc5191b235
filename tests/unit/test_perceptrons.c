/* Perceptrons: evaluation, and that fitting finds what there is to find. */
#include "test_support.h"

#include <math.h>
#include <stdlib.h>
#include "base/random.h"
#include "validation/perceptron_fit.h"

enum { WIDTH = FC_PERCEPTRON_WIDTH };

static double unit(double sum) {
    return sum / (1 + exp(-sum));
}

/* Two perceptrons of two inputs; in each, one unit of a layer has weights. */
static void the_mean_is_taken(void **state) {
    (void)state;
    static const float centre[] = {1, 10}, scale[] = {2, 0.5F};
    const size_t size = fc_perceptron_size(2);
    float *weights = calloc(2 * size, sizeof *weights);
    weights[5] = 3;                         /* first input, unit 5 */
    weights[WIDTH + 5] = -1;                /* second input */
    weights[2 * WIDTH + 5] = 0.5F;          /* 1 */
    weights[3 * WIDTH + 5 * WIDTH + 7] = 2; /* from unit 5 to unit 7 */
    weights[size - WIDTH - 1 + 7] = 4;      /* from unit 7 to the sum */
    weights[size - 1] = 0.25F;              /* 1 */
    weights[2 * size - 1] = 10;             /* the second says 10 everywhere */
    const fc_perceptrons two = {2, 2, centre, scale, weights};
    const double first = 4 * unit(2 * unit(3 * 1 - 1 * -0.5 + 0.5)) + 0.25;
    assert_close(fc_perceptrons_value(&two, (double[]){1.5, 9}), (first + 10) / 2, 1e-12);
    /* inputs count up to 4 standard deviations */
    assert_close(fc_perceptrons_value(&two, (double[]){3, 9}),
                 fc_perceptrons_value(&two, (double[]){300, 9}), 1e-12);
    free(weights);
}

static double truth(const double *x) {
    return 0.3 * sin(4 * x[0]) + 0.2 * x[1] * x[2] - 0.1;
}

static tree_data draw(size_t count, double noise, fc_random *random) {
    tree_data data = tree_data_create(count);
    data.inputs_used = 5;
    for (; data.count < count; ++data.count) {
        for (size_t k = 0; k < data.inputs_used; ++k)
            data.inputs[data.count][k] = k == 4 ? 1 : fc_random_unit(random);
        data.values[data.count] =
            truth(data.inputs[data.count]) + noise * (fc_random_unit(random) - 0.5);
        data.weights[data.count] = 1;
    }
    return data;
}

static void a_smooth_function_is_learned(void **state) {
    (void)state;
    fc_random random = fc_random_stream(5, 0, 0);
    tree_data data = draw(600, 0.02, &random), others = draw(200, 0, &random);
    fitted_perceptrons *fitted = perceptron_fit(&data, 0.2, 100);
    double squares = 0;
    for (size_t i = 0; i < others.count; ++i) {
        const double error =
            fc_perceptrons_value(&fitted->mean, others.inputs[i]) - others.values[i];
        squares += error * error;
    }
    assert_near(sqrt(squares / (double)others.count), 0, 0.01);
    fitted_perceptrons *again = perceptron_fit(&data, 0.2, 100);
    assert_close(fc_perceptrons_value(&fitted->mean, others.inputs[0]),
                 fc_perceptrons_value(&again->mean, others.inputs[0]), 0);
    free(fitted);
    free(again);
    tree_data_free(&data);
    tree_data_free(&others);
}

/* Cases of no weight are not learned from. */
static void weights_count(void **state) {
    (void)state;
    fc_random random = fc_random_stream(6, 0, 0);
    tree_data data = draw(300, 0, &random);
    for (size_t i = 0; i < data.count; ++i)
        if (i % 2) {
            data.values[i] = 5;
            data.weights[i] = 0;
        }
    fitted_perceptrons *fitted = perceptron_fit(&data, 0.2, 60);
    for (size_t i = 0; i < data.count; ++i)
        assert_near(
            fabs(fc_perceptrons_value(&fitted->mean, data.inputs[i]) - truth(data.inputs[i])), 0,
            0.1);
    free(fitted);
    tree_data_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_taken),
        cmocka_unit_test(a_smooth_function_is_learned),
        cmocka_unit_test(weights_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
