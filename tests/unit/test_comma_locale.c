/* In a program whose locale writes 1,5 for 1.5, everything is read and written as in any other. */
#include "test_support.h"
#include <string.h>
#include "comma_locale.h"
#include "flitcast/flitcast.h"

/* What a study of the built-in scenario says, from its text to the last sentence. */
static char *everything(void) {
    fc_error error = {{0}};
    fc_scenario *base, *scenario;
    const fc_setting setting = {"traffic.rate", "0.0035"};
    const fc_run_settings run = {.threads = 2};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (fc_scenario_read_default(NULL, 0, &error, &base) != FC_OK ||
        fc_scenario_with(base, &setting, 1, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fc_scenario_write(scenario, stream), FC_OK);
    fprintf(stream, "%s\n", fc_scenario_hash(scenario));

    fc_axis axis;
    fc_sweep *sweep;
    if (fc_axis_parse("traffic.rate=0.0005:0.002:0.0005", &error, &axis) != FC_OK)
        fail_msg("%s", error.text);
    const fc_sweep_settings settings = {.axes = &axis, .axis_count = 1};
    if (fc_sweep_run(scenario, &settings, &run, &error, &sweep) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fc_sweep_write(sweep, NULL, stream), FC_OK);
    fc_sweep_free(sweep);
    fc_axis_clear(&axis);

    fc_explanation *explanation;
    if (fc_explain(scenario, NULL, &run, &error, &explanation) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fc_explanation_write(explanation, NULL, stream), FC_OK);
    fc_explanation_free(explanation);
    fc_scenario_free(scenario);
    fc_scenario_free(base);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void test_a_study_is_the_same(void **state) {
    (void)state;
    const locale_t german = comma_locale();
    if (!german)
        skip();
    char *before = everything();
    assert_non_null(setlocale(LC_ALL, COMMA_LOCALE)); /* of all threads */
    char number[16];
    snprintf(number, sizeof number, "%.1f", 1.5);
    assert_string_equal(number, "1,5");
    char *after = everything();
    setlocale(LC_ALL, "C");
    assert_string_equal(after, before);
    freelocale(german);
    free(before);
    free(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_study_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
