/* Each allocation in turn fails while results, plots and reports are written or read back. */
#include "allocation_support.h"
#include "output/report/report.h"

#ifdef FC_CHECKS

#include <stdlib.h>

static fc_status attempt_result(const trial *about, fc_error *error) {
    (void)error;
    fc_write_settings settings = fc_write_settings_default();
    settings.detail = true;
    fc_status status = FC_OK;
    FILE *stream = sink();
    let_jansson_fail(true);
    for (int format = FC_FORMAT_TEXT; format <= FC_FORMAT_CSV && status == FC_OK; ++format) {
        settings.format = (fc_format)format;
        status = fc_result_write(about->result, &settings, stream);
    }
    let_jansson_fail(false);
    fclose(stream);
    return status;
}

static fc_status attempt_stored(const trial *about, fc_error *error) {
    fc_result *result = UNTOUCHED;
    const fc_status status = fc_result_read(about->text, error, &result);
    if (status == FC_OK)
        fc_result_free(result);
    else
        assert_ptr_equal(result, UNTOUCHED);
    return status;
}

static fc_status attempt_stored_in_jansson(const trial *about, fc_error *error) {
    let_jansson_fail(true);
    const fc_status status = attempt_stored(about, error);
    let_jansson_fail(false);
    return status;
}

static fc_status write_plot(const fc_plot *plot) {
    fc_write_settings settings = fc_write_settings_default();
    FILE *stream = sink();
    fc_status status = fc_plot_write_svg(plot, stream);
    if (status == FC_OK)
        status = fc_plot_write_terminal(plot, &settings, stream);
    if (status == FC_OK)
        status = fc_plot_write_gnuplot(plot, stream);
    fclose(stream);
    return status;
}

static fc_plot *make_plot(fc_status *status) {
    const double x[] = {1, 2, 3}, y[] = {1, 4, 9}, widths[] = {0.1, 0.2, 0.3};
    fc_plot *plot = fc_plot_create("title", "x", "y");
    *status = plot ? FC_OK : FC_ERROR_MEMORY;
    if (*status == FC_OK)
        *status = fc_plot_add_series(plot, &(fc_series){.label = "one",
                                                        .style = FC_STYLE_LINE_POINTS,
                                                        .x = x,
                                                        .y = y,
                                                        .half_widths = widths,
                                                        .count = 3});
    if (*status == FC_OK)
        *status = fc_plot_add_series(
            plot, &(fc_series){.label = "two", .style = FC_STYLE_LINE, .x = x, .y = y, .count = 3});
    if (*status == FC_OK)
        *status = fc_plot_add_marker(plot, "here", 2);
    return plot;
}

static fc_status attempt_plot(const trial *about, fc_error *error) {
    (void)about;
    (void)error;
    fc_status status;
    fc_plot *plot = make_plot(&status);
    if (status == FC_OK)
        status = write_plot(plot);
    fc_plot_free(plot);
    return status;
}

static fc_status attempt_heatmap(const trial *about, fc_error *error) {
    (void)about;
    (void)error;
    const double values[] = {1, 2, 3, 4, 5, (double)NAN};
    fc_heatmap *map = fc_heatmap_create("title", "value", 2, 3, values);
    if (!map)
        return FC_ERROR_MEMORY;
    fc_write_settings settings = fc_write_settings_default();
    FILE *stream = sink();
    fc_status status = fc_heatmap_set_axes(map, "columns", "rows");
    if (status == FC_OK)
        status = fc_heatmap_write_svg(map, stream);
    if (status == FC_OK)
        status = fc_heatmap_write_terminal(map, &settings, stream);
    fclose(stream);
    fc_heatmap_free(map);
    return status;
}

static fc_report *make_report(const fc_scenario *scenario) {
    const char *const columns[] = {"a", "b"};
    const double values[] = {1, 2};
    fc_report *report = fc_report_create("title");
    if (!report)
        return NULL;
    fc_report_add_heading(report, "heading");
    fc_report_add_text(report, "text of %d", 2);
    fc_report_add_code(report, "code", "x = 1\n");
    fc_report_add_scenario(report, scenario);
    fc_report_add_table(report, "table", columns, 2);
    for (int row = 0; row < 9; ++row) {
        fc_report_row(report);
        fc_report_cell_interval(report, row, 0.1);
        fc_report_cell_text(report, "row %d", row);
    }
    fc_report_add_claim(
        report, &(fc_report_claim){"claim", .source = "section", .quantity = "quantity",
                                   .unit = "%", .value = 1, .low = 0, .high = 2, .bound = "ours",
                                   .read_at = "here", .cells = 1, .held = 1, .remark = "remark"});
    fc_report_add_scenario_file(report, "scenario", "name: x\n");
    fc_status status;
    fc_plot *plot = make_plot(&status);
    fc_report_add_plot(report, plot);
    fc_heatmap *map = fc_heatmap_create("map", "value", 1, 2, values);
    fc_report_add_heatmap(report, map);
    if (status != FC_OK || !map) {
        fc_report_free(report);
        return NULL;
    }
    return report;
}

static fc_status attempt_report(const trial *about, fc_error *error) {
    (void)error;
    fc_report *report = make_report(about->scenario);
    if (!report)
        return FC_ERROR_MEMORY;
    fc_write_settings settings = fc_write_settings_default();
    fc_status status = fc_report_status(report);
    FILE *stream = sink();
    let_jansson_fail(true);
    for (int format = FC_FORMAT_TEXT; format <= FC_FORMAT_CSV && status == FC_OK; ++format) {
        settings.format = (fc_format)format;
        status = fc_report_write(report, &settings, stream);
    }
    let_jansson_fail(false);
    if (status == FC_OK)
        status = fc_report_write(report, &(fc_write_settings){.format = FC_FORMAT_HTML}, stream);
    fclose(stream);
    fc_report_free(report);
    return status;
}

static char *json_of(const fc_result *result) {
    fc_write_settings settings = fc_write_settings_default();
    settings.format = FC_FORMAT_JSON;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    assert_int_equal(fc_result_write(result, &settings, stream), FC_OK);
    fclose(stream);
    return text;
}

static void test_output(void **state) {
    (void)state;
    for (size_t i = 0; i < SCENARIOS; i += 2) {
        fc_scenario *scenario = read_scenario(i);
        fc_error error;
        fc_result *result;
        assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
        char *text = json_of(result);
        const trial about = {.scenario = scenario, .result = result, .text = text};
        fail_each_allocation("result", attempt_result, &about, false);
        fail_each_allocation("stored result", attempt_stored, &about, true);
        fail_each_allocation("report", attempt_report, &about, false);
        free(text);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
    /* Where a word is too much Jansson says that it is not one; all else it says nothing of. */
    fail_each_allocation("stored result without words", attempt_stored_in_jansson,
                         &(trial){.text = "{}"}, true);
    fail_each_allocation("plot", attempt_plot, &(trial){0}, false);
    fail_each_allocation("heat map", attempt_heatmap, &(trial){0}, false);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef FC_CHECKS
        cmocka_unit_test(test_output),
#else
        cmocka_unit_test(test_not_here),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
