#include "test_support.h"

#include "registry/result.h"
#include "scenario/scenario.h"
#include "scenario/torus.h"

#include <string.h>

static const fc_method_info model = {.name = "hamacher-jiang", .kind = FC_MODEL};

static void test_metrics_are_found_by_name(void **state) {
    (void)state;
    fc_result *result = fc_result_create(&model, NULL);
    for (int m = 0; m < 20; m++) {
        char name[16];
        snprintf(name, sizeof name, "metric_%d", m);
        fc_result_add_named(result, name, "cycles", m, 0.5 * m);
    }
    assert_int_equal(fc_result_status(result), FC_OK);
    assert_int_equal(result->metric_count, 20);
    const fc_metric *metric = fc_result_metric(result, "metric_17");
    assert_non_null(metric);
    assert_close(metric->value, 17, 0);
    assert_close(metric->half_width, 8.5, 0);
    assert_string_equal(metric->unit, "cycles");
    assert_null(fc_result_metric(result, "metric_20"));
    fc_result_free(result);
}

static void test_what_is_not_known_is_left_out(void **state) {
    (void)state;
    fc_result *result = fc_result_create(&model, NULL);
    fc_result_add(result, FC_METRIC_LATENCY, NAN, 1);
    fc_result_add(result, FC_METRIC_POWER, INFINITY, 1);
    fc_result_add(result, FC_METRIC_THROUGHPUT, 0.004, INFINITY);
    fc_result_add_part(result, "waiting", "cycles", NAN);
    assert_int_equal(result->metric_count, 1);
    assert_int_equal(result->part_count, 0);
    assert_true(isnan(fc_result_metric(result, "throughput")->half_width));
    fc_result_free(result);
}

static void test_a_repeated_metric_takes_the_new_value(void **state) {
    (void)state;
    fc_result *result = fc_result_create(&model, NULL);
    fc_result_add(result, FC_METRIC_LATENCY, 1, NAN);
    fc_result_add(result, FC_METRIC_LATENCY, 2, NAN);
    assert_int_equal(result->metric_count, 1);
    assert_close(result->metrics[0].value, 2, 0);
    fc_result_free(result);
}

static void test_tables_stay_where_they_are(void **state) {
    (void)state;
    const char *const columns[] = {"efficiency", "waiting"};
    fc_result *result = fc_result_create(&model, NULL);
    fc_table *tables[16];
    for (int t = 0; t < 16; t++) {
        char name[16];
        snprintf(name, sizeof name, "table_%d", t);
        tables[t] = fc_result_add_table(result, name, 3, columns, 2);
        assert_non_null(tables[t]);
    }
    for (int t = 0; t < 16; t++)
        tables[t]->values[5] = t;
    const fc_table *table = fc_result_table(result, "table_6");
    assert_ptr_equal(table, tables[6]);
    assert_close(table->values[5], 6, 0);
    assert_close(table->values[4], 0, 0);
    assert_string_equal(table->column_names[1], "waiting");
    assert_null(fc_result_table(result, "nodes"));
    assert_int_equal(fc_result_status(result), FC_OK);

    assert_null(fc_result_add_table(result, "one too many", 3, columns, 2));
    assert_int_equal(fc_result_status(result), FC_ERROR_MEMORY);
    fc_result_free(result);
}

static void test_a_table_too_large_is_reported(void **state) {
    (void)state;
    const char *const columns[] = {"a", "b"};
    fc_result *result = fc_result_create(&model, NULL);
    assert_null(fc_result_add_table(result, "nodes", SIZE_MAX / 2 + 1, columns, 2));
    assert_int_equal(fc_result_status(result), FC_ERROR_MEMORY);
    assert_int_equal(result->table_count, 0);
    fc_result_free(result);
}

static void test_long_texts_end_with_a_whole_character(void **state) {
    (void)state;
    char name[200];
    memset(name, 'a', sizeof name);
    memcpy(name + 126, "±", 3);
    fc_torus torus = {.kind = FC_CLOSED};
    struct fc_scenario scenario = {
        .name = name, .hash = "0123456789abcdef", .family = &fc_torus_family, .parameters = &torus};
    fc_result *result = fc_result_create(&model, &scenario);
    assert_string_equal(result->main_metric, "efficiency");
    assert_int_equal(strlen(result->scenario_name), 126);
    assert_string_equal(result->scenario_hash, "0123456789abcdef");
    fc_result_note(result, "%.250s%s", "", name);
    assert_int_equal(strlen(result->note), 128);
    memset(name, 'a', 199);
    name[199] = '\0';
    fc_result_note(result, "%s%.55s€", name, name);
    assert_int_equal(strlen(result->note), 254);
    fc_result_free(result);
}

static void test_outcomes_have_names(void **state) {
    (void)state;
    assert_string_equal(fc_outcome_name(FC_OUTCOME_OK), "ok");
    assert_string_equal(fc_outcome_name(FC_OUTCOME_SATURATED), "saturated");
    assert_string_equal(fc_outcome_name(FC_OUTCOME_NOT_CONVERGED), "not-converged");
}

static void test_free_accepts_nothing(void **state) {
    (void)state;
    fc_result_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metrics_are_found_by_name),
        cmocka_unit_test(test_what_is_not_known_is_left_out),
        cmocka_unit_test(test_a_repeated_metric_takes_the_new_value),
        cmocka_unit_test(test_tables_stay_where_they_are),
        cmocka_unit_test(test_a_table_too_large_is_reported),
        cmocka_unit_test(test_long_texts_end_with_a_whole_character),
        cmocka_unit_test(test_outcomes_have_names),
        cmocka_unit_test(test_free_accepts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
