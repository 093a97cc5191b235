#include "capture.h"
#include "xml_check.h"

#include "flitcast/flitcast.h"
#include "output/text/characters.h"
#include "output/report/report.h"

#include <jansson.h>

static const double one[] = {1, 2}, two[] = {3, NAN};

static fc_report *small_report(void) {
    static const char *const names[] = {"L", "model, cycles", "simulation", "error", "note"};
    fc_report *report = fc_report_create("Rings & <slots>");
    fc_report_add_text(report, "%d points, \"quoted\".", 2);
    fc_report_add_heading(report, "Figure 4");
    fc_report_add_table(report, "Latency, N = 512", names, 5);
    fc_report_row(report);
    fc_report_cell_number(report, 16, 4);
    fc_report_cell_number(report, 34.43127, 4);
    fc_report_cell_interval(report, 36.7912, 0.1432);
    fc_report_cell_percent(report, -0.0642);
    fc_report_cell_text(report, "as %s", "printed");
    fc_report_row(report);
    fc_report_cell_number(report, 8, 4);
    fc_report_cell_number(report, NAN, 4);
    fc_report_cell_interval(report, 112.5, NAN);
    fc_report_add_claim(report,
                        &(fc_report_claim){"16 is best", .source = "section 5",
                                           .quantity = "best L", .value = 16, .low = 15, .high = 17,
                                           .bound = "the paper's, within 1", .read_at = "row 1"});
    fc_report_add_claim(report, &(fc_report_claim){"8 < 16 & \"so on\"", .quantity = "loss",
                                                   .unit = "%", .value = 12, .low = -INFINITY,
                                                   .high = 10, .cells = 4, .held = 3});
    return report;
}

static char *written(const fc_report *report, fc_write_settings settings) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_report_write(report, &settings, output.stream), FC_OK);
    return capture_end(&output);
}

static char *html_of(const fc_report *report) {
    capture output;
    capture_begin(&output);
    assert_int_equal(
        fc_report_write(report, &(fc_write_settings){.format = FC_FORMAT_HTML}, output.stream),
        FC_OK);
    return capture_end(&output);
}

static void test_text(void **state) {
    (void)state;
    fc_report *report = small_report();
    char *text = written(report, (fc_write_settings){.width = 70});
    assert_string_equal(text,
                        "Rings & <slots>\n"
                        "===============\n"
                        "\n"
                        "2 points, \"quoted\".\n"
                        "\n"
                        "Figure 4\n"
                        "--------\n"
                        "Latency, N = 512\n"
                        "   L  model, cycles      simulation   error  note\n"
                        "  --  -------------  --------------  ------  ----------\n"
                        "  16          34.43   36.79 +- 0.14  -6.4 %  as printed\n"
                        "   8                 112.5\n"
                        "\n"
                        "  holds  16 is best\n"
                        "           best L: 16, to be from 15 to 17 (the paper's, within 1);\n"
                        "           read at row 1; stated in section 5\n"
                        "  FAILS  8 < 16 & \"so on\"\n"
                        "           loss: 12 %, to be at most 10 %; it holds in 3 of 4 cells\n"
                        "\n"
                        "1 of 2 claims hold.\n");
    free(text);
    fc_report_free(report);
}

static void test_wide_tables_are_wrapped(void **state) {
    (void)state;
    static const char *const names[] = {"key", "a header of several words", "comment"};
    fc_report *report = fc_report_create("");
    fc_report_add_table(report, "", names, 3);
    fc_report_row(report);
    fc_report_cell_text(report, "x");
    fc_report_cell_number(report, 1.5, 3);
    fc_report_cell_text(report, "a comment that does not fit beside the numbers of this table");
    char *text = written(report, (fc_write_settings){.width = 40});
    assert_string_equal(text, "  key        a  comment\n"
                              "        header\n"
                              "            of\n"
                              "       several\n"
                              "         words\n"
                              "  ---  -------  -----------------------\n"
                              "  x        1.5  a comment that does not\n"
                              "                fit beside the numbers\n"
                              "                of this table\n");
    free(text);
    fc_report_free(report);
}

static void test_tables_too_wide_go_on_below(void **state) {
    (void)state;
    static const char *const names[] = {"metric", "simulation", "model", "error", "unit"};
    fc_report *report = fc_report_create("");
    fc_report_add_table(report, "", names, 5);
    for (int r = 0; r < 2; r++) {
        fc_report_row(report);
        fc_report_cell_text(report, "network_latency");
        fc_report_cell_interval(report, 36.79, 0.14);
        fc_report_cell_number(report, 34.4375, 6);
        if (r == 0)
            fc_report_cell_percent(report, -0.0642);
        else
            fc_report_cell_text(report, " ");
    }
    char *text = written(report, (fc_write_settings){.width = 40});
    assert_string_equal(text, "  metric              simulation\n"
                              "  ---------------  -------------\n"
                              "  network_latency  36.79 +- 0.14\n"
                              "  network_latency  36.79 +- 0.14\n"
                              "\n"
                              "  metric             model   error  unit\n"
                              "  ---------------  -------  ------  ----\n"
                              "  network_latency  34.4375  -6.4 %\n"
                              "  network_latency  34.4375\n");
    free(text);
    fc_report_free(report);
}

static void test_every_column_that_tells_rows_apart_is_repeated(void **state) {
    (void)state;
    static const char *const names[] = {"rate", "channels", "latency", "throughput"};
    fc_report *report = fc_report_create("");
    fc_report_add_table(report, "", names, 4);
    for (int r = 0; r < 2; r++) {
        fc_report_row(report);
        fc_report_cell_text(report, "0.01");
        fc_report_cell_text(report, r ? "2" : "1");
        fc_report_cell_interval(report, 36.79, 0.14);
        fc_report_cell_interval(report, 0.0123, 0.0001);
    }
    char *text = written(report, (fc_write_settings){.width = 40});
    assert_string_equal(text, "  rate  channels        latency\n"
                              "  ----  --------  -------------\n"
                              "  0.01  1         36.79 +- 0.14\n"
                              "  0.01  2         36.79 +- 0.14\n"
                              "\n"
                              "  rate  channels          throughput\n"
                              "  ----  --------  ------------------\n"
                              "  0.01  1         0.01230 +- 0.00010\n"
                              "  0.01  2         0.01230 +- 0.00010\n");
    free(text);
    fc_report_free(report);
}

/* Two keys, and more metrics than 40 columns have room for. */
static fc_report *wide_report(bool leave_out) {
    static const char *const names[] = {"rate", "flits", "latency", "throughput", "offered"};
    fc_report *report = fc_report_create("");
    fc_report_add_table(report, "", names, 5);
    fc_report_set_keys(report, 2, leave_out);
    for (int row = 0; row < 2; row++) {
        fc_report_row(report);
        fc_report_cell_text(report, "0.00%d", row + 1);
        fc_report_cell_text(report, "%d", 16);
        fc_report_cell_interval(report, 30.5, 0.25);
        fc_report_cell_compared(report, 0.001, 0.125);
        fc_report_cell_number(report, 0.001, 4);
    }
    return report;
}

static void test_key_columns_are_repeated_where_a_table_is_continued(void **state) {
    (void)state;
    fc_report *report = wide_report(false);
    char *text = written(report, (fc_write_settings){.width = 44});
    assert_string_equal(text, "  rate   flits        latency\n"
                              "  -----  -----  -------------\n"
                              "  0.001  16     30.50 +- 0.25\n"
                              "  0.002  16     30.50 +- 0.25\n"
                              "\n"
                              "  rate   flits  throughput       offered\n"
                              "  -----  -----  ---------------  -------\n"
                              "  0.001  16     0.001 (+12.5 %)    0.001\n"
                              "  0.002  16     0.001 (+12.5 %)    0.001\n");
    free(text);
    fc_report_free(report);
}

static void test_columns_that_do_not_fit_are_left_out_and_named(void **state) {
    (void)state;
    fc_report *report = wide_report(true);
    char *text = written(report, (fc_write_settings){.width = 44});
    assert_string_equal(text, "  rate   flits        latency\n"
                              "  -----  -----  -------------\n"
                              "  0.001  16     30.50 +- 0.25\n"
                              "  0.002  16     30.50 +- 0.25\n"
                              "  Left out for lack of width: throughput,\n"
                              "  offered.\n");
    free(text);
    char *json = written(report, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_non_null(strstr(json, "offered")); /* programs have them all */
    assert_non_null(strstr(json, "\"error\": 0.125"));
    free(json);
    fc_report_free(report);
}

static void test_long_tables_of_a_page_are_folded(void **state) {
    (void)state;
    static const char *const names[] = {"row"};
    fc_report *report = fc_report_create("");
    fc_report_add_table(report, "", names, 1);
    for (int row = 0; row < 41; row++) {
        fc_report_row(report);
        fc_report_cell_number(report, row, 3);
    }
    char *page = html_of(report);
    assert_non_null(strstr(page, "<summary>Table of 41 rows</summary>"));
    free(page);
    fc_report_free(report);
}

static void test_csv(void **state) {
    (void)state;
    fc_report *report = small_report();
    char *text = written(report, (fc_write_settings){.format = FC_FORMAT_CSV});
    assert_string_equal(text,
                        "table,L,\"model, cycles\",simulation,simulation half width,error,note\n"
                        "\"Latency, N = 512\",16,34.43127,36.7912,0.1432,-0.0642,as printed\n"
                        "\"Latency, N = 512\",8,,112.5,,,\n"
                        "\n"
                        "table,claim,found,holds,quantity,unit,value,low,high\n"
                        "claims,16 is best,\"best L: 16, to be from 15 to 17 (the paper's, within "
                        "1); read at row 1; stated in section 5\",true,best L,,16,15,17\n"
                        "claims,\"8 < 16 & \"\"so on\"\"\",\"loss: 12 %, to be at most 10 %; it "
                        "holds in 3 of 4 cells\",false,loss,%,12,,10\n");
    free(text);
    fc_report_free(report);
}

static void test_csv_of_one_table_is_only_the_table(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b"};
    fc_report *report = fc_report_create("Title");
    fc_report_add_heading(report, "Heading");
    fc_report_add_table(report, "Table", names, 2);
    fc_report_row(report);
    fc_report_cell_number(report, 0.1, 1);
    char *text = written(report, (fc_write_settings){.format = FC_FORMAT_CSV});
    assert_string_equal(text, "a,b\n0.1,\n");
    free(text);
    fc_report_free(report);
}

static void test_json(void **state) {
    (void)state;
    static const char *const names[] = {"", "x", "x"};
    fc_report *report = small_report();
    fc_plot *plot = fc_plot_create("Plot", "x", "y");
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "s",
                                                           .style = FC_STYLE_LINE,
                                                           .x = one,
                                                           .y = two,
                                                           .half_widths = one,
                                                           .count = 2}),
                     FC_OK);
    assert_int_equal(fc_plot_add_marker(plot, "m", 1.5), FC_OK);
    fc_report_add_plot(report, plot);
    fc_report_add_heatmap(report, fc_heatmap_create("Map", "v", 1, 2, two));
    fc_report_add_code(report, "Scenario", "name: x\n");
    fc_report_add_table(report, NULL, names, 3);
    fc_report_row(report);
    fc_report_cell_text(report, "t");
    fc_report_cell_number(report, 1, 1);
    fc_report_cell_number(report, 2, 1);
    char *text = written(report, (fc_write_settings){.format = FC_FORMAT_JSON});
    json_error_t error;
    json_t *tree = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    json_t *expected = json_loads(
        "{\"tool\": \"flitcast\", \"version\": \"" FLITCAST_VERSION "\","
        "\"title\": \"Rings & <slots>\", \"items\": ["
        "{\"kind\": \"text\", \"text\": \"2 points, \\\"quoted\\\".\"},"
        "{\"kind\": \"heading\", \"text\": \"Figure 4\"},"
        "{\"kind\": \"table\", \"title\": \"Latency, N = 512\","
        " \"columns\": [\"L\", \"model, cycles\", \"simulation\", \"error\", \"note\"],"
        " \"rows\": [{\"L\": 16, \"model, cycles\": 34.43127,"
        "   \"simulation\": {\"value\": 36.7912, \"half_width\": 0.1432}, \"error\": -0.0642,"
        "   \"note\": \"as printed\"},"
        "  {\"L\": 8, \"model, cycles\": null, \"simulation\": {\"value\": 112.5},"
        "   \"error\": null, \"note\": null}]},"
        "{\"kind\": \"claim\", \"claim\": \"16 is best\", \"found\": \"best L: 16, to be from 15 "
        "to 17 (the paper's, within 1); read at row 1; stated in section 5\", \"holds\": true,"
        " \"source\": \"section 5\", \"quantity\": \"best L\", \"bound\": \"the paper's, within "
        "1\","
        " \"read_at\": \"row 1\", \"value\": 16, \"low\": 15, \"high\": 17},"
        "{\"kind\": \"claim\", \"claim\": \"8 < 16 & \\\"so on\\\"\", \"found\": \"loss: 12 %, to "
        "be at "
        "most 10 %; it holds in 3 of 4 cells\", \"holds\": false, \"quantity\": \"loss\", "
        "\"unit\": "
        "\"%\", \"value\": 12, \"low\": null, \"high\": 10, \"cells\": 4, \"held\": 3},"
        "{\"kind\": \"plot\", \"title\": \"Plot\", \"x_label\": \"x\", \"y_label\": \"y\","
        " \"series\": [{\"label\": \"s\", \"x\": [1, 2], \"y\": [3, null],"
        "  \"half_width\": [1, 2]}], \"markers\": [{\"label\": \"m\", \"x\": 1.5}]},"
        "{\"kind\": \"heatmap\", \"title\": \"Map\", \"value_label\": \"v\","
        " \"rows\": [[3, null]]},"
        "{\"kind\": \"code\", \"title\": \"Scenario\", \"text\": \"name: x\\n\"},"
        "{\"kind\": \"table\", \"title\": \"\", \"columns\": [\"column 1\", \"x\", \"x 2\"],"
        " \"rows\": [{\"column 1\": \"t\", \"x\": 1, \"x 2\": 2}]}"
        "]}",
        0, &error);
    assert_non_null(tree);
    assert_non_null(expected);
    if (!json_equal(tree, expected))
        fail_msg("%s", text);
    json_decref(tree);
    json_decref(expected);
    free(text);
    fc_report_free(report);
}

static void test_html_is_one_well_formed_page(void **state) {
    (void)state;
    fc_report *report = small_report();
    fc_plot *plot = fc_plot_create("Plot <1>", "x", "y");
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "s",
                                                           .style = FC_STYLE_LINE_POINTS,
                                                           .x = one,
                                                           .y = two,
                                                           .count = 2}),
                     FC_OK);
    fc_report_add_plot(report, plot);
    fc_report_add_heatmap(report, fc_heatmap_create("Map", "v", 1, 2, two));
    fc_report_add_heading(report, "</body><script>alert(1)</script>");
    fc_report_add_heading(report, "Third");
    fc_report_add_text(report, "first line\nsecond <line>");
    fc_report_add_text(report, "Intervals are 95 %%, all of them.");
    fc_report_add_code(report, "Scenario \"x\"", "name: <x>\n  rate: 1 & 2\n");
    char *html = html_of(report);
    assert_int_equal(strncmp(html, "<!doctype html>\n", 16), 0);
    assert_well_formed(html + 16);
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "http:"));
    assert_null(strstr(html, "https:"));
    assert_null(strstr(html, "src=\""));
    assert_non_null(strstr(html, "<title>Rings &amp; &lt;slots&gt;</title>"));
    assert_non_null(strstr(html, "<a href=\"#part-1\">Figure 4</a>"));
    assert_non_null(strstr(html, "<h2 id=\"part-1\">Figure 4</h2>"));
    assert_non_null(strstr(html, "<td class=\"n\">36.79 ± 0.14</td>"));
    assert_non_null(strstr(html, "<td class=\"n\">112.5\xE2\x80\x87</td>"));
    assert_non_null(strstr(html, "<li class=\"bad\">8 &lt; 16 &amp; &quot;so on&quot;"));
    assert_non_null(strstr(html, "<pre>name: &lt;x&gt;\n  rate: 1 &amp; 2\n</pre>"));
    assert_non_null(strstr(html, "<p>first line<br/>\nsecond &lt;line&gt;</p>"));
    assert_non_null(strstr(html, "<p>Intervals are 95\xC2\xA0%, all of them.</p>"));
    assert_non_null(strstr(html, "1 of 2 claims hold."));
    assert_non_null(strstr(html, "@media print"));
    assert_non_null(strstr(html, "prefers-color-scheme:dark"));
    free(html);
    fc_report_free(report);
}

static void test_plots_are_counted_and_found(void **state) {
    (void)state;
    fc_report *report = fc_report_create("R");
    fc_plot *plots[] = {fc_plot_create("a", "", ""), fc_plot_create("b", "", "")};
    fc_report_add_plot(report, plots[0]);
    fc_report_add_text(report, "between");
    fc_report_add_plot(report, plots[1]);
    assert_int_equal(fc_report_picture_count(report), 2);
    const fc_write_settings svg = {.format = FC_FORMAT_SVG};
    for (size_t i = 0; i < 2; ++i) {
        capture output;
        capture_begin(&output);
        assert_int_equal(fc_report_write_picture(report, i, &svg, output.stream), FC_OK);
        char *text = capture_end(&output);
        assert_non_null(strstr(text, i ? ">b<" : ">a<"));
        free(text);
    }
    assert_int_equal(fc_report_write_picture(report, 2, &svg, stdout), FC_ERROR_ARGUMENT);
    fc_report_free(report);
}

static void test_claims_are_counted(void **state) {
    (void)state;
    fc_report *report = small_report();
    size_t failed;
    assert_int_equal(fc_report_claims(report, &failed), 2);
    assert_int_equal(failed, 1);
    fc_report_free(report);
}

static void test_wrong_use_is_remembered(void **state) {
    (void)state;
    static const char *const names[] = {"only"};
    fc_report *report = fc_report_create("R");
    fc_report_cell_number(report, 1, 1); /* no table */
    assert_int_equal(fc_report_status(report), FC_ERROR_ARGUMENT);
    fc_report_free(report);

    report = fc_report_create("R");
    fc_report_add_table(report, "", names, 1);
    fc_report_cell_number(report, 1, 1); /* no row */
    assert_int_equal(fc_report_status(report), FC_ERROR_ARGUMENT);
    fc_report_free(report);

    report = fc_report_create("R");
    fc_report_add_table(report, "", names, 1);
    fc_report_row(report);
    fc_report_cell_number(report, 1, 1);
    assert_int_equal(fc_report_status(report), FC_OK);
    fc_report_cell_text(report, "one too many");
    assert_int_equal(fc_report_status(report), FC_ERROR_ARGUMENT);
    fc_report_add_plot(report, fc_plot_create("freed at once", "", ""));
    assert_int_equal(fc_report_picture_count(report), 0);
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_report_write(report, NULL, output.stream), FC_ERROR_ARGUMENT);
    assert_int_equal(
        fc_report_write(report, &(fc_write_settings){.format = FC_FORMAT_HTML}, output.stream),
        FC_ERROR_ARGUMENT);
    free(capture_end(&output));
    fc_report_free(report);

    report = fc_report_create("R");
    fc_report_add_plot(report, NULL); /* fc_plot_create ran out of memory */
    assert_int_equal(fc_report_status(report), FC_ERROR_MEMORY);
    fc_report_free(report);
    fc_report_free(NULL);
}

static void test_scenario_in_a_report(void **state) {
    (void)state;
    static const char text[] = "name: two <rings>\n"
                               "network:\n"
                               "  topology: ring-hierarchy\n"
                               "  rings: [16, 32]\n"
                               "traffic:\n"
                               "  rate: 0.004\n";
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "text", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    fc_report *report = fc_report_create("R");
    fc_report_add_scenario(report, scenario);
    assert_int_equal(fc_report_status(report), FC_OK);
    char *written_text = written(report, (fc_write_settings){0});
    assert_non_null(strstr(written_text, "Scenario two <rings> ("));
    assert_non_null(strstr(written_text, fc_scenario_hash(scenario)));
    assert_non_null(strstr(written_text, "0.004"));
    free(written_text);
    fc_report_free(report);
    fc_scenario_free(scenario);
}

static void test_long_names_are_parted_at_their_seams(void **state) {
    (void)state;
    static const char *const lines[] = {"network.", "scouting_", "distance"};
    const char *text = "network.scouting_distance";
    for (size_t i = 0; i < 3; i++) {
        const char *next = NULL;
        const size_t bytes = fc_text_line(text, 12, &next);
        assert_int_equal(bytes, strlen(lines[i]));
        assert_memory_equal(text, lines[i], bytes);
        text = next;
    }
    assert_null(text);
    assert_int_equal(fc_text_line("seamless", 5, &text), 5);
}

static void test_an_optimum_of_many_settings(void **state) {
    (void)state;
    enum { SETTINGS = 40 };
    fc_setting settings[SETTINGS];
    for (size_t s = 0; s < SETTINGS; ++s)
        settings[s] = (fc_setting){"key", "1"};
    fc_candidate candidate = {.settings = settings, .objective = 2, .second = 3};
    const fc_optimum optimum = {.candidates = &candidate,
                                .candidate_count = 1,
                                .setting_count = SETTINGS,
                                .objective_name = "latency",
                                .second_name = "nodes"};
    const fc_write_settings page = {.format = FC_FORMAT_HTML};
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_optimum_write(&optimum, &page, output.stream), FC_OK);
    free(capture_end(&output));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_wide_tables_are_wrapped),
        cmocka_unit_test(test_every_column_that_tells_rows_apart_is_repeated),
        cmocka_unit_test(test_tables_too_wide_go_on_below),
        cmocka_unit_test(test_long_names_are_parted_at_their_seams),
        cmocka_unit_test(test_key_columns_are_repeated_where_a_table_is_continued),
        cmocka_unit_test(test_columns_that_do_not_fit_are_left_out_and_named),
        cmocka_unit_test(test_long_tables_of_a_page_are_folded),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_of_one_table_is_only_the_table),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_html_is_one_well_formed_page),
        cmocka_unit_test(test_plots_are_counted_and_found),
        cmocka_unit_test(test_claims_are_counted),
        cmocka_unit_test(test_wrong_use_is_remembered),
        cmocka_unit_test(test_scenario_in_a_report),
        cmocka_unit_test(test_an_optimum_of_many_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
