/* The table of metrics is whole, and every method reports by it. */
#include "test_support.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include "registry/method.h"

static void every_metric_is_described(void **state) {
    (void)state;
    for (size_t i = 0; i < fc_metric_count(); ++i) {
        const fc_metric_info *metric = fc_metric_at(i);
        assert_non_null(metric->name);
        assert_non_null(metric->unit);
        assert_non_null(metric->meaning);
        assert_true(metric->percentile >= 0 && metric->percentile <= 1);
        assert_int_equal(metric->time, strcmp(metric->unit, "cycles") == 0);
        assert_int_equal(fc_metric_find(metric->name), i + 1); /* no name twice */
    }
    assert_null(fc_metric_at(fc_metric_count()));
    assert_int_equal(fc_metric_find("latencies"), FC_METRIC_NONE);
}

/* The glossary names every metric as code: `latency`. */
static void every_metric_is_in_the_glossary(void **state) {
    (void)state;
    static char glossary[100000];
    FILE *const file = fopen(SOURCE_DIR "/docs/glossary.md", "r");
    assert_non_null(file);
    const size_t length = fread(glossary, 1, sizeof glossary, file);
    fclose(file);
    assert_true(length < sizeof glossary); /* so it ends with a zero */
    const char *const section = strstr(glossary, "\n## Metrics\n");
    assert_non_null(section);
    const char *const end = strstr(section + 1, "\n## ");
    assert_non_null(end);
    for (size_t i = 0; i < fc_metric_count(); ++i) {
        char code[FC_NAME_SIZE + 2];
        snprintf(code, sizeof code, "`%s`", fc_metric_at(i)->name);
        const char *const found = strstr(section, code);
        if (!found || found > end)
            fail_msg("docs/glossary.md does not say what %s is", code);
    }
}

/* Multistage networks count packets, and their unit is never that of the others. */
static bool is_unit(const char *unit, const fc_metric_info *metric, bool packets) {
    return strcmp(unit, packets && metric->packet_unit ? metric->packet_unit : metric->unit) == 0;
}

static void check_result(const fc_result *result, bool packets) {
    double sum = 0;
    for (size_t i = 0; i < result->metric_count; ++i) {
        const char *name = result->metrics[i].name, *of_class = strchr(name, '.');
        const fc_metric_id metric = fc_metric_find(of_class ? of_class + 1 : name);
        if (metric == FC_METRIC_NONE ||
            !is_unit(result->metrics[i].unit, &fc_metrics[metric], packets))
            fail_msg("%s reports %s in '%s'", result->method, result->metrics[i].name,
                     result->metrics[i].unit);
    }
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    const fc_metric *whole = fc_result_metric(result, result->parts_of);
    if (result->part_count && whole)
        assert_close(sum, whole->value, 1e-6);
    assert_true(result->part_count == 0 || whole != NULL);
    assert_true(fc_metric_find(result->main_metric) != FC_METRIC_NONE);
    if (result->outcome == FC_OUTCOME_OK)
        assert_non_null(fc_result_metric(result, result->main_metric));
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void check_example(const char *name) {
    static const fc_setting brief[] = {{"simulation.max_cycles", "4000"},
                                       {"simulation.replications", "2"}};
    char path[512];
    fc_error error;
    fc_scenario *scenario;
    fc_result *result;
    snprintf(path, sizeof path, SOURCE_DIR "/examples/%s", name);
    if (fc_scenario_read_file(path, brief, 2, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    const bool packets = strncmp(name, "multistage", 10) == 0;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    check_result(result, packets);
    fc_result_free(result);
    const char *models[16];
    const size_t count = fc_models_covering(scenario, false, models, 16);
    for (size_t m = 0; m < count; ++m) {
        if (fc_predict(scenario, models[m], &error, &result) != FC_OK)
            fail_msg("%s", error.text);
        check_result(result, packets);
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
}

static void every_method_reports_by_the_table(void **state) {
    (void)state;
    DIR *folder = opendir(SOURCE_DIR "/examples");
    size_t examples = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (ends_with(entry->d_name, ".yaml")) {
            check_example(entry->d_name);
            ++examples;
        }
    }
    closedir(folder);
    assert_true(examples > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_is_described),
        cmocka_unit_test(every_metric_is_in_the_glossary),
        cmocka_unit_test(every_method_reports_by_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
