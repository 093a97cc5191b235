/* Arithmetic over keys and metrics. */
#include <string.h>
#include "base/expression.h"
#include "test_support.h"

static double value_of(const char *text) {
    fc_error error;
    fc_expression expression;
    const double values[FC_EXPRESSION_NAMES] = {3, 5, NAN};
    if (fc_expression_parse(text, &error, &expression) != FC_OK)
        fail_msg("%s", error.text);
    return fc_expression_evaluate(&expression, values);
}

static void expect_error(const char *text, const char *expected) {
    fc_error error;
    fc_expression expression;
    assert_int_equal(fc_expression_parse(text, &error, &expression), FC_ERROR_INPUT);
    assert_string_equal(error.text, expected);
}

static void test_arithmetic(void **state) {
    (void)state;
    assert_close(value_of("1 + 2 * 3"), 7, 0);
    assert_close(value_of("(1 + 2) * 3"), 9, 0);
    assert_close(value_of("2 ^ 3 ^ 2"), 512, 0);
    assert_close(value_of("7 - 4 - 2"), 1, 0);
    assert_close(value_of("8 / 4 / 2"), 1, 0);
    assert_close(value_of("-2 * -3"), 6, 0);
    assert_close(value_of("-2^2"), -4, 0);
    assert_close(value_of("(-2)^2"), 4, 0);
    assert_close(value_of("3 - -2^2"), 7, 0);
    assert_close(value_of("2^-1 * 4"), 2, 0);
    assert_close(value_of("--2^3^-1 - 2^3^-1"), 0, 0);
    assert_close(value_of("a.b + c"), 8, 0);
    assert_close(value_of("a * a + c"), 14, 0);
    assert_close(value_of("max(a, c) - min(a, c)"), 2, 0);
    assert_close(value_of("floor(2.7) + ceil(2.2) + round(2.5) + abs(-1)"), 9, 0);
    assert_close(value_of("sqrt(16) + log2(8)"), 7, 0);
    assert_close(value_of("1e-3 * 1000"), 1, 1e-15);
}

static void test_comparisons(void **state) {
    (void)state;
    assert_close(value_of("1 < 2"), 1, 0);
    assert_close(value_of("2 <= 1"), 0, 0);
    assert_close(value_of("500 / 7 * 7 == 500"), 1, 0);
    assert_close(value_of("500 / 3 == round(500 / 3)"), 0, 0);
    assert_close(value_of("1 != 2"), 1, 0);
    /* nothing is known of what is not a number: no comparison holds */
    assert_true(isnan(value_of("a + c + unknown > 0")));
}

static void test_sentences(void **state) {
    (void)state;
    expect_error("", "'': a number, a key or a metric was expected at 'the end'");
    expect_error("1 +", "'1 +': a number, a key or a metric was expected at 'the end'");
    expect_error("(1", "'(1': ')' was expected at 'the end'");
    expect_error("1 2", "'1 2': an operator was expected at '2'");
    expect_error("max(1)", "'max(1)': ',' was expected at ')'");
    char deep[400];
    memset(deep, '(', 300);
    deep[300] = '\0';
    fc_error error;
    fc_expression expression;
    assert_int_equal(fc_expression_parse(deep, &error, &expression), FC_ERROR_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
