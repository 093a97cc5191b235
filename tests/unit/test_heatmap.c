#include "capture.h"
#include "xml_check.h"

#include "output/pictures/heatmap.h"

static char *svg_of(const fc_heatmap *map) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_heatmap_write_svg(map, output.stream), FC_OK);
    return capture_end(&output);
}

static char *terminal_of(const fc_heatmap *map, fc_write_settings settings) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_heatmap_write_terminal(map, &settings, output.stream), FC_OK);
    return capture_end(&output);
}

static fc_heatmap *small_map(void) {
    const double values[] = {0.25, 0.5, NAN, 0.75, 0.875, 1.25};
    fc_heatmap *map = fc_heatmap_create("Efficiency <1>", "efficiency", 2, 3, values);
    assert_int_equal(fc_heatmap_set_axes(map, "dimension 0", "dimension 1"), FC_OK);
    return map;
}

static void test_numbers_in_plain_text(void **state) {
    (void)state;
    fc_heatmap *map = small_map();
    char *text = terminal_of(map, (fc_write_settings){.width = 60});
    assert_string_equal(text, "Efficiency <1>\n"
                              "dimension 1\n"
                              " 0  0.25 0.50     \n"
                              " 1  0.75 0.88 1.25\n"
                              "       0    1    2  dimension 0\n"
                              "  efficiency: 0.25 to 1.25\n");
    free(text);
    fc_heatmap_free(map);
}

static void test_a_wide_map_is_drawn_with_characters(void **state) {
    (void)state;
    double values[40];
    for (int v = 0; v < 40; v++)
        values[v] = v % 20 / 19.0;
    fc_heatmap *map = fc_heatmap_create("", "level", 2, 20, values);
    char *text = terminal_of(map, (fc_write_settings){.width = 60});
    assert_string_equal(text, " 0 ....::::----======++++******####%%%%@@@@\n"
                              " 1 ....::::----======++++******####%%%%@@@@\n"
                              "   0   2   4   6   8   10  12  14  16  18\n"
                              "  level: 0 .:-=+*#%@ 1\n");
    free(text);
    fc_heatmap_free(map);
}

static void test_a_map_wider_than_the_terminal_shows_means(void **state) {
    (void)state;
    static double values[200 * 200];
    for (int v = 0; v < 200 * 200; v++)
        values[v] = v % 200;
    fc_heatmap *map = fc_heatmap_create("", "", 200, 200, values);
    for (int colour = 0; colour < 2; colour++) {
        char *text = terminal_of(map, (fc_write_settings){.width = 80, .colour = colour});
        assert_non_null(strstr(text, "Each character is the mean of up to 3 x 3 cells."));
        free(text);
    }
    fc_heatmap_free(map);
}

static void test_svg_has_a_cell_for_each_value(void **state) {
    (void)state;
    fc_heatmap *map = small_map();
    char *svg = svg_of(map);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, ">Efficiency &lt;1&gt;</text>"));
    assert_non_null(strstr(svg, "<title>column 2, row 1: 1.25</title>"));
    assert_non_null(strstr(svg, "<title>column 2, row 0: none</title>"));
    assert_non_null(strstr(svg, ">dimension 0</text>"));
    assert_non_null(strstr(svg, ">0.88</text>"));
    free(svg);
    fc_heatmap_free(map);
}

static void test_colours_run_from_dark_to_light(void **state) {
    (void)state;
    double before = -1;
    for (int level = 0; level <= 100; level++) {
        const fc_rgb colour = fc_heat_colour(level / 100.0);
        const double luma = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
        assert_true(luma >= before - 0.6); /* channels are rounded */
        before = luma;
    }
    assert_false(fc_heat_wants_black(fc_heat_colour(0)));
    assert_true(fc_heat_wants_black(fc_heat_colour(1)));
}

static void test_ugly_maps(void **state) {
    (void)state;
    const double equal[] = {3, 3, 3, 3}, nothing[] = {NAN, INFINITY, -INFINITY, NAN};
    const double huge[] = {1.7e308, -1.7e308, 0, 1}, tiny[] = {5e-324, 0, 1e-300, 2e-310};
    const double *const maps[] = {equal, nothing, huge, tiny};
    fc_heatmap *same = fc_heatmap_create("", "", 1, 4, equal);
    assert_close(fc_heatmap_level(same, 3), 0.5, 0);
    fc_heatmap_free(same);
    for (size_t m = 0; m < 4; m++) {
        for (size_t rows = 1; rows <= 4; rows *= 2) {
            fc_heatmap *map = fc_heatmap_create(NULL, NULL, rows, 4 / rows, maps[m]);
            assert_non_null(map);
            char *svg = svg_of(map);
            assert_well_formed(svg);
            assert_null(strstr(svg, "nan"));
            free(svg);
            free(terminal_of(map, (fc_write_settings){.colour = true}));
            free(terminal_of(map, (fc_write_settings){.width = 1}));
            fc_heatmap_free(map);
        }
    }
    assert_null(fc_heatmap_create("", "", 0, 3, equal));
    assert_null(fc_heatmap_create("", "", 3, 0, equal));
    fc_heatmap_free(NULL);
}

/* Maps with the same range have the same colours for the same value; rows may have names. */
static void test_a_range_and_names_can_be_given(void **state) {
    (void)state;
    const char *const names[] = {"3 to 4", "<b>"};
    fc_heatmap *map = small_map();
    fc_heatmap_set_range(map, 0, 1);
    assert_close(fc_heatmap_level(map, 0.25), 0.25, 1e-12);
    fc_heatmap_set_range(map, 1, 1); /* no range: nothing changes */
    assert_close(fc_heatmap_level(map, 0.25), 0.25, 1e-12);
    assert_int_equal(fc_heatmap_set_row_names(map, names), FC_OK);
    assert_int_equal(fc_heatmap_set_row_names(map, names), FC_ERROR_ARGUMENT);
    char *svg = svg_of(map);
    assert_non_null(strstr(svg, ">3 to 4<"));
    assert_non_null(strstr(svg, "row &lt;b&gt;: "));
    free(svg);
    fc_heatmap_free(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_in_plain_text),
        cmocka_unit_test(test_a_wide_map_is_drawn_with_characters),
        cmocka_unit_test(test_a_range_and_names_can_be_given),
        cmocka_unit_test(test_a_map_wider_than_the_terminal_shows_means),
        cmocka_unit_test(test_svg_has_a_cell_for_each_value),
        cmocka_unit_test(test_colours_run_from_dark_to_light),
        cmocka_unit_test(test_ugly_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
