/* Sums of trees: evaluation, and that fitting finds what there is to find. */
#include "test_support.h"

#include <math.h>
#include <stdlib.h>
#include "base/random.h"
#include "validation/tree_fit.h"

static void trees_are_added_up(void **state) {
    (void)state;
    /* x0 <= 1: 10, else x1 <= 2: 20, else 30; and a tree of one leaf. */
    static const fc_tree_node nodes[] = {{0, 2, 1},   {-1, 0, 10}, {1, 2, 2},
                                         {-1, 0, 20}, {-1, 0, 30}, {-1, 0, 5}};
    static const uint32_t roots[] = {0, 5};
    const fc_boosted_trees trees = {0.5, 2, roots, nodes};
    assert_close(fc_boosted_value(&trees, (double[]){1, 9}), 15.5, 1e-12);
    assert_close(fc_boosted_value(&trees, (double[]){1.1, 2}), 25.5, 1e-12);
    assert_close(fc_boosted_value(&trees, (double[]){1.1, 2.1}), 35.5, 1e-12);
}

/* Points that differ in the first input only, asked for together. */
static void many_values_at_once_are_those_of_each(void **state) {
    (void)state;
    enum { COUNT = 400, POINTS = 7 };
    static const double firsts[POINTS] = {0.01, 0.2, 0.2, 0.5, 0.50001, 0.9, 2};
    fc_random random = fc_random_stream(6, 0, 0);
    tree_data data = tree_data_create(COUNT);
    for (; data.count < COUNT; ++data.count) {
        for (int k = 0; k < TREE_INPUTS; ++k)
            data.inputs[data.count][k] = fc_random_unit(&random);
        const double *x = data.inputs[data.count];
        data.values[data.count] = x[0] * x[0] + (x[1] > 0.4 ? x[0] : 0);
        data.weights[data.count] = 1;
    }
    fitted_trees *fitted = tree_fit(&data);
    for (size_t i = 0; i < 50; ++i) {
        double values[POINTS];
        fc_boosted_values(&fitted->trees, data.inputs[i], firsts, POINTS, values);
        for (size_t p = 0; p < POINTS; ++p) {
            data.inputs[i][0] = firsts[p];
            assert_close(values[p], fc_boosted_value(&fitted->trees, data.inputs[i]), 1e-12);
        }
    }
    free(fitted);
    tree_data_free(&data);
}

static double truth(const double *x) {
    return 0.3 * (x[0] > 0.5) + 0.2 * x[1] * x[2] - 0.1;
}

static tree_data draw(size_t count, double noise, fc_random *random) {
    tree_data data = tree_data_create(count);
    for (; data.count < count; ++data.count) {
        for (int k = 0; k < TREE_INPUTS; ++k)
            data.inputs[data.count][k] = fc_random_unit(random);
        data.values[data.count] =
            truth(data.inputs[data.count]) + noise * (fc_random_unit(random) - 0.5);
        data.weights[data.count] = 1;
    }
    return data;
}

/* The mean square of what trees miss of the truth, on data they have not seen. */
static double missed_by(const fitted_trees *fitted) {
    fc_random random = fc_random_stream(7, 0, 0);
    double missed = 0;
    for (int i = 0; i < 1000; ++i) {
        double x[TREE_INPUTS];
        for (int k = 0; k < TREE_INPUTS; ++k)
            x[k] = fc_random_unit(&random);
        const double left = fc_boosted_value(&fitted->trees, x) - truth(x);
        missed += left * left / 1000;
    }
    return missed;
}

/* Two sums learn the noise of different parts of the data: their mean has less of it. */
static void the_mean_of_two_sums_misses_less(void **state) {
    (void)state;
    fc_random random = fc_random_stream(8, 0, 0);
    tree_data data = draw(600, 0.6, &random);
    fitted_trees *one = tree_fit_of(&data, 1, 120, 5, 0.1);
    fitted_trees *two = tree_fit_of(&data, 2, 120, 5, 0.1);
    assert_int_equal(one->trees.trees, 120);
    assert_int_equal(two->trees.trees, 240);
    assert_true(missed_by(two) < 0.95 * missed_by(one));
    free(one);
    free(two);
    tree_data_free(&data);
}

static void fitting_finds_a_function(void **state) {
    (void)state;
    fc_random random = fc_random_stream(5, 0, 0);
    tree_data data = draw(3000, 0.1, &random);
    fitted_trees *fitted = tree_fit(&data), *again = tree_fit(&data);
    assert_int_equal(fitted->used, again->used);
    assert_memory_equal(fitted->nodes, again->nodes, fitted->used * sizeof *fitted->nodes);
    const fitted_trees none = {.trees = {.base = fitted->trees.base}};
    assert_true(missed_by(fitted) < 0.05 * missed_by(&none));
    free(fitted);
    free(again);
    tree_data_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_are_added_up),
                                       cmocka_unit_test(many_values_at_once_are_those_of_each),
                                       cmocka_unit_test(fitting_finds_a_function),
                                       cmocka_unit_test(the_mean_of_two_sums_misses_less)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
