#include "capture.h"
#include "xml_check.h"

#include "flitcast/flitcast.h"
#include "output/pictures/canvas.h"
#include "output/pictures/scale.h"
#include "output/pictures/plot.h"

enum { POINTS = 9 };
static const double loads[POINTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static fc_plot *latency_plot(void) {
    const double model[POINTS] = {20, 21, 22.5, 24, 27, 31, 38, 52, 95};
    const double simulation[POINTS] = {20.1, NAN, 22.6, NAN, 27.4, NAN, 40, NAN, INFINITY};
    const double half_widths[POINTS] = {0.1, 0, 0.2, 0, 1, 0, 9, 0, 0};
    fc_plot *plot = fc_plot_create("Latency", "load, messages", "latency, cycles");
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "model",
                                                           .style = FC_STYLE_LINE,
                                                           .x = loads,
                                                           .y = model,
                                                           .count = POINTS}),
                     FC_OK);
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "simulation",
                                                           .style = FC_STYLE_LINE_POINTS,
                                                           .x = loads,
                                                           .y = simulation,
                                                           .half_widths = half_widths,
                                                           .count = POINTS}),
                     FC_OK);
    assert_int_equal(fc_plot_add_marker(plot, "saturation", 8.5), FC_OK);
    return plot;
}

static char *svg_of(const fc_plot *plot) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_plot_write_svg(plot, output.stream), FC_OK);
    return capture_end(&output);
}

static char *terminal_of(const fc_plot *plot, fc_write_settings settings) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_plot_write_terminal(plot, &settings, output.stream), FC_OK);
    return capture_end(&output);
}

static char *gnuplot_of(const fc_plot *plot) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_plot_write_gnuplot(plot, output.stream), FC_OK);
    return capture_end(&output);
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

static void assert_no_line_wider_than(const char *text, size_t limit) {
    size_t width = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '\033')
            at = strchr(at, 'm');
        else if (*at == '\n')
            width = 0;
        else
            width += ((unsigned char)*at & 0xC0) != 0x80;
        if (width > limit)
            fail_msg("wider than %zu:\n%s", limit, text);
    }
}

static void assert_all_writers_cope(const fc_plot *plot) {
    char *svg = svg_of(plot);
    assert_well_formed(svg);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    free(svg);
    for (unsigned width = 40; width <= 200; width += 23) {
        for (int colour = 0; colour < 2; colour++) {
            char *text = terminal_of(plot, (fc_write_settings){.width = width, .colour = colour});
            assert_no_line_wider_than(text, width);
            free(text);
        }
    }
    free(gnuplot_of(plot));
}

static void test_terminal_plot_in_plain_characters(void **state) {
    (void)state;
    fc_plot *plot = latency_plot();
    char *text = terminal_of(plot, (fc_write_settings){.width = 50});
    assert_string_equal(text, "Latency\n"
                              "latency, cycles\n"
                              " 100 +                                    :\n"
                              "     |                                 oo :\n"
                              "  80 +                                o   :\n"
                              "     |                                o   :\n"
                              "  60 +                              oo    :\n"
                              "     |                             o      :\n"
                              "     |                         | ooo      :\n"
                              "  40 +                      oooxo         :\n"
                              "     |        |ooooooooxoooo   |          :\n"
                              "  20 +xooooooox                           :\n"
                              "     |                                    :\n"
                              "   0 +                                    :\n"
                              "     ++-------+--------+-------+--------+-------+\n"
                              "      0       2        4       6        8      10\n"
                              "                     load, messages\n"
                              "  o model   x simulation   : saturation 8.5\n");
    free(text);
    fc_plot_free(plot);
}

static void test_terminal_plot_in_colour_keeps_to_the_width(void **state) {
    (void)state;
    fc_plot *plot = latency_plot();
    char *text = terminal_of(plot, (fc_write_settings){.width = 60, .colour = true});
    assert_non_null(strstr(text, "\033[38;5;33m⠒⠒⠒⠒\033[0m model"));
    assert_non_null(strstr(text, "■"));
    assert_non_null(strstr(text, "┊ saturation 8.5"));
    assert_no_line_wider_than(text, 60);
    free(text);
    fc_plot_free(plot);
}

static void test_points_stand_above_lines(void **state) {
    (void)state;
    fc_canvas *canvas = fc_canvas_create(5, 1, true);
    fc_canvas_put(canvas, 1, 0, (fc_brush){.glyph = "o", .rank = FC_RANK_POINT});
    fc_canvas_line(canvas, (fc_segment){0, 0, 0.75, 0}, true,
                   (fc_brush){.glyph = "-", .rank = FC_RANK_LINE});
    fc_canvas_put(canvas, 2, 0, (fc_brush){.glyph = ":", .rank = FC_RANK_MARKER});
    fc_canvas_put(canvas, 9, 9, (fc_brush){.glyph = "!", .rank = FC_RANK_POINT});
    capture output;
    capture_begin(&output);
    fc_canvas_write_row(canvas, 0, output.stream);
    char *text = capture_end(&output);
    assert_string_equal(text, "-o--");
    free(text);
    fc_canvas_free(canvas);
}

static void test_braille_dots_are_where_they_belong(void **state) {
    (void)state;
    fc_canvas *canvas = fc_canvas_create(2, 1, false);
    const fc_brush brush = {.colour = -1, .rank = FC_RANK_LINE};
    fc_canvas_line(canvas, (fc_segment){0, 1, 1, 0}, true,
                   brush); /* from the top left to the bottom right */
    capture output;
    capture_begin(&output);
    fc_canvas_write_row(canvas, 0, output.stream);
    char *text = capture_end(&output);
    assert_string_equal(text, "⠑⢄");
    free(text);
    fc_canvas_free(canvas);
}

static void test_svg_holds_everything_once(void **state) {
    (void)state;
    fc_plot *plot = latency_plot();
    char *svg = svg_of(plot);
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, ">Latency</text>"), 1);
    assert_int_equal(count_of(svg, ">load, messages</text>"), 1);
    assert_int_equal(count_of(svg, ">latency, cycles</text>"), 1);
    assert_int_equal(count_of(svg, ">model</text>"), 1);
    assert_int_equal(count_of(svg, ">saturation 8.5</text>"), 1);
    assert_int_equal(count_of(svg, "<title>simulation: ("), 4); /* the four finite points */
    assert_int_equal(count_of(svg, "<title>simulation: (6, 40.0 ± 9.0)</title>"), 1);
    assert_int_equal(count_of(svg, "h8m-4 0V"), 4); /* their error bars */
    assert_non_null(strstr(svg, "prefers-color-scheme:dark"));
    assert_null(strstr(svg, "href"));
    free(svg);
    fc_plot_free(plot);
}

static void test_series_that_belong_together_share_a_colour(void **state) {
    (void)state;
    fc_plot *plot = latency_plot();
    char *apart = svg_of(plot);
    assert_int_equal(count_of(apart, "class=\"fc-c1\""), 3); /* line, points, legend */
    fc_plot_set_colour(plot, 1, 0);
    fc_plot_set_colour(plot, 99, 0); /* there is no such series */
    char *together = svg_of(plot);
    assert_int_equal(count_of(together, "class=\"fc-c1\""), 0);
    assert_int_equal(count_of(together, "class=\"fc-c0\""), 5);
    free(apart);
    free(together);
    fc_plot_free(plot);
}

static void test_names_along_the_x_axis(void **state) {
    (void)state;
    static const char *const names[] = {
        "latency", "network_latency", "source_wait", "throughput", "efficiency", "offered", "loss"};
    static const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {1, -2, 3, 0, 1, NAN, 2};
    fc_plot *plot = fc_plot_create("Errors", "metric", "error");
    assert_int_equal(fc_plot_set_x_names(plot, names, 0), FC_ERROR_ARGUMENT);
    assert_int_equal(fc_plot_set_x_names(plot, names, 7), FC_OK);
    assert_int_equal(
        fc_plot_add_series(
            plot, &(fc_series){.label = "m", .style = FC_STYLE_POINTS, .x = x, .y = y, .count = 7}),
        FC_OK);
    assert_all_writers_cope(plot);
    char *svg = svg_of(plot);
    /* too long to lie beside each other: turned, and none of them broken or cut off */
    assert_int_equal(count_of(svg, "rotate(-35)"), 7);
    for (size_t n = 0; n < 7; ++n) {
        char text[64];
        snprintf(text, sizeof text, ">%s</text>", names[n]);
        assert_int_equal(count_of(svg, text), 1);
    }
    const char *at = svg;
    for (size_t n = 0; n < 7; ++n, ++at) {
        double right;
        at = strstr(at, "text-anchor=\"end\" transform=\"translate(");
        assert_non_null(at);
        assert_int_equal(sscanf(strchr(at, '(') + 1, "%lf", &right), 1);
        assert_true(right - 0.819 * 7.8 * (double)strlen(names[n]) > 0);
    }
    free(svg);
    char *script = gnuplot_of(plot);
    assert_non_null(strstr(script, "set xtics ('latency' 0, 'network_latency' 1,"));
    free(script);
    fc_plot_free(plot);
}

static void test_svg_escapes_what_users_write(void **state) {
    (void)state;
    const double one = 1;
    fc_plot *plot =
        fc_plot_create("a < b & \"c\" > 'd'", "<script>alert(1)</script>", "]]>\x01\xFF");
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "</svg>&amp;",
                                                           .style = FC_STYLE_POINTS,
                                                           .x = &one,
                                                           .y = &one,
                                                           .count = 1}),
                     FC_OK);
    assert_int_equal(fc_plot_add_marker(plot, "\" onload=\"alert(1)", 1), FC_OK);
    char *svg = svg_of(plot);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, ">a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;</text>"));
    assert_null(strstr(svg, "<script"));
    assert_non_null(strstr(svg, "&lt;/svg&gt;&amp;amp;"));
    free(svg);
    fc_plot_free(plot);
}

static void test_lines_break_at_gaps(void **state) {
    (void)state;
    const double y[POINTS] = {1, 2, NAN, 3, 4, INFINITY, 5, NAN, 6};
    fc_plot *plot = fc_plot_create("", "", "");
    assert_int_equal(
        fc_plot_add_series(
            plot,
            &(fc_series){.label = "", .style = FC_STYLE_LINE, .x = loads, .y = y, .count = POINTS}),
        FC_OK);
    char *svg = svg_of(plot);
    const char *line = strstr(svg, "stroke-linejoin");
    assert_non_null(line);
    size_t starts = 0;
    for (const char *at = strstr(line, "d=\"") + 3; *at != '"'; at++)
        starts += *at == 'M';
    assert_int_equal(starts, 4);
    assert_int_equal(count_of(svg, "<circle"), 2); /* 5 and 6 stand alone */
    free(svg);
    char *script = gnuplot_of(plot);
    assert_non_null(strstr(script, "0 1 0\n1 2 0\n\n3 3 0\n4 4 0\n\n6 5 0\n\n8 6 0\nEND\n"));
    free(script);
    fc_plot_free(plot);
}

static void test_gnuplot_script_quotes_and_names(void **state) {
    (void)state;
    fc_plot *plot = latency_plot();
    const double one = 1;
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "it's `date`\n",
                                                           .style = FC_STYLE_POINTS,
                                                           .x = &one,
                                                           .y = &one,
                                                           .count = 1}),
                     FC_OK);
    fc_plot_look_of(plot)->log_x = false;
    fc_plot_look_of(plot)->log_y = true;
    char *script = gnuplot_of(plot);
    assert_non_null(strstr(script, "set title 'Latency' noenhanced\n"));
    assert_non_null(strstr(script, "set logscale y\n"));
    assert_null(strstr(script, "set logscale x\n"));
    assert_non_null(strstr(script, "title 'it''s `date` ' noenhanced"));
    assert_non_null(strstr(script, "$series1 using 1:($2-$3):(0):(2*$3) with vectors nohead"));
    assert_null(strstr(script, "ps 0")); /* librsvg refuses what gnuplot makes of it */
    assert_non_null(strstr(script, "set arrow from first 8.5, graph 0"));
    free(script);
    fc_plot_free(plot);
}

static void test_log_axes_say_what_they_cannot_show(void **state) {
    (void)state;
    const double y[POINTS] = {0, -1, 1e-9, 1e-3, 1, 10, 100, 1e5, 1e12};
    const double half_widths[POINTS] = {0, 0, 1, 1e-4, 2, 1, 1, 1, 1};
    fc_plot *plot = fc_plot_create("Log", "x", "y");
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "s",
                                                           .style = FC_STYLE_LINE_POINTS,
                                                           .x = loads,
                                                           .y = y,
                                                           .half_widths = half_widths,
                                                           .count = POINTS}),
                     FC_OK);
    fc_plot_look_of(plot)->log_x = true;
    fc_plot_look_of(plot)->log_y = true;
    char *svg = svg_of(plot);
    assert_non_null(strstr(svg, "2 points at or below 0 cannot be shown"));
    assert_int_equal(count_of(svg, "<title>s: ("), 7);
    free(svg);
    assert_all_writers_cope(plot);
    fc_plot_free(plot);
}

static void test_y_limit_cuts_the_axis(void **state) {
    (void)state;
    fc_plot *plot = latency_plot();
    fc_plot_look_of(plot)->y_limit = 50;
    char *svg = svg_of(plot);
    assert_non_null(strstr(svg, ">50</text>"));
    assert_null(strstr(svg, ">60</text>"));
    assert_null(strstr(svg, "above the frame")); /* a line is seen to leave it */
    free(svg);
    fc_plot_look_of(plot)->y_limit = 35;
    svg = svg_of(plot);
    assert_non_null(strstr(svg, "1 point lies above the frame."));
    free(svg);
    assert_all_writers_cope(plot);
    fc_plot_free(plot);
}

static void test_ugly_plots(void **state) {
    (void)state;
    const double same[] = {36, 36, 36}, zero[] = {0, 0, 0}, gaps[] = {NAN, INFINITY, -INFINITY};
    const double huge[] = {1.7e308, -1.7e308, 5e-324}, near[] = {1e6, 1e6 + 1e-7, 1e6 + 2e-7};
    const double small[] = {1e-300, 2e-300, 3e-308}, negative[] = {-5, -3, -4};
    const double *const data[] = {same, zero, gaps, huge, near, small, negative};
    const size_t count = sizeof data / sizeof *data;
    for (size_t x = 0; x < count; x++) {
        for (size_t y = 0; y < count; y++) {
            for (int logarithmic = 0; logarithmic < 4; logarithmic++) {
                fc_plot *plot = fc_plot_create("Ugly", "x", "y");
                assert_int_equal(
                    fc_plot_add_series(plot, &(fc_series){.label = "a",
                                                          .style = FC_STYLE_LINE_POINTS,
                                                          .x = data[x],
                                                          .y = data[y],
                                                          .half_widths = data[y],
                                                          .count = 3}),
                    FC_OK);
                assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "b",
                                                                       .style = FC_STYLE_LINE,
                                                                       .x = data[x],
                                                                       .y = data[y],
                                                                       .count = 1}),
                                 FC_OK);
                assert_int_equal(fc_plot_add_marker(plot, "m", data[x][0]), FC_OK);
                fc_plot_look_of(plot)->log_x = logarithmic & 1;
                fc_plot_look_of(plot)->log_y = logarithmic & 2;
                assert_all_writers_cope(plot);
                fc_plot_free(plot);
            }
        }
    }
}

static void test_empty_plot(void **state) {
    (void)state;
    fc_plot *plot = fc_plot_create(NULL, NULL, NULL);
    assert_all_writers_cope(plot);
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "none",
                                                           .style = FC_STYLE_LINE,
                                                           .x = NULL,
                                                           .y = NULL,
                                                           .count = 0}),
                     FC_OK);
    assert_int_equal(
        fc_plot_add_series(
            plot,
            &(fc_series){.label = "bad", .style = FC_STYLE_LINE, .x = NULL, .y = NULL, .count = 1}),
        FC_ERROR_ARGUMENT);
    assert_all_writers_cope(plot);
    char *svg = svg_of(plot);
    assert_non_null(strstr(svg, "no data"));
    free(svg);
    fc_plot_free(plot);
    fc_plot_free(NULL);
}

static void test_many_series_with_long_labels(void **state) {
    (void)state;
    char label[600];
    memset(label, 'x', sizeof label);
    label[sizeof label - 1] = '\0';
    fc_plot *plot = fc_plot_create(label, label, label);
    for (int s = 0; s < 30; s++) {
        assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = s % 7 ? "short" : label,
                                                               .style = (fc_series_style)(s % 3),
                                                               .x = loads,
                                                               .y = loads,
                                                               .half_widths = loads,
                                                               .count = POINTS}),
                         FC_OK);
        assert_int_equal(fc_plot_add_marker(plot, s % 5 ? "m" : label, s), FC_OK);
    }
    assert_all_writers_cope(plot);
    fc_plot_free(plot);
}

/* ---- axes ---- */

static void check_axis(double low, double high, bool logarithmic, const char *expected) {
    fc_scale axis;
    char labels[1024] = "";
    fc_scale_fit(&axis, low, high, logarithmic, 5);
    for (size_t t = 0; t < axis.tick_count; t++) {
        assert_in_range((long)lround(axis.ticks[t].position * 1000), 0, 1000);
        if (axis.ticks[t].label[0])
            snprintf(labels + strlen(labels), sizeof labels - strlen(labels), "%s ",
                     axis.ticks[t].label);
    }
    assert_string_equal(labels, expected);
}

static void test_ticks_are_round_numbers(void **state) {
    (void)state;
    check_axis(0, 1, false, "0 0.2 0.4 0.6 0.8 1.0 ");
    check_axis(20, 95, false, "0 20 40 60 80 100 ");
    check_axis(60, 95, false, "60 65 70 75 80 85 90 95 ");
    check_axis(0.0004, 0.0048, false, "0 0.001 0.002 0.003 0.004 0.005 ");
    check_axis(-3, 4, false, "-3 -2 -1 0 1 2 3 4 ");
    check_axis(1e-7, 5e-7, false, "0 1e-7 2e-7 3e-7 4e-7 5e-7 ");
    check_axis(0, 2.2e7, false, "0 5e6 1.0e7 1.5e7 2.0e7 2.5e7 ");
    check_axis(36, 36, false, "0 5 10 15 20 25 30 35 40 ");
    check_axis(0, 0, false, "0 0.2 0.4 0.6 0.8 1.0 ");
    check_axis(INFINITY, -INFINITY, false, "0 0.2 0.4 0.6 0.8 1.0 ");
    check_axis(1, 1000, true, "1 2 5 10 20 50 100 200 500 1000 ");
    check_axis(1e-9, 1, true, "1e-9 1e-7 1e-5 0.001 0.1 ");
    check_axis(3e-5, 2e6, true, "1e-5 0.001 0.1 10 1000 100000 1e7 ");
    check_axis(100, 150, true, "100 110 120 130 140 150 ");
    check_axis(36, 36, true, "10 20 50 100 200 ");
}

static void test_axis_positions(void **state) {
    (void)state;
    fc_scale axis;
    fc_scale_fit(&axis, 0, 10, false, 5);
    assert_near(fc_scale_position(&axis, 0), 0, 1e-15);
    assert_near(fc_scale_position(&axis, 2.5), 0.25, 1e-15);
    assert_near(fc_scale_position(&axis, 20), 2, 1e-15);
    fc_scale_fit(&axis, 1, 1e4, true, 5);
    assert_near(fc_scale_position(&axis, 100), 0.5, 1e-12);
    assert_near(fc_scale_position(&axis, 1e4), 1, 1e-12);
}

/* Frames with the same axes side by side, one legend, and the size that was asked for. */
static void test_panels_share_axes_and_legend(void **state) {
    (void)state;
    fc_plot *plot = fc_plot_create("Both", "load", "latency");
    const char *const titles[] = {"left", "right"};
    for (size_t p = 0; p < 2; ++p) {
        const double higher[] = {10, 400};
        fc_plot *named = fc_plot_create(titles[p], "load", "latency");
        assert_int_equal(fc_plot_add_series(named, &(fc_series){.label = "curve",
                                                                .style = FC_STYLE_LINE,
                                                                .x = loads + p,
                                                                .y = higher,
                                                                .count = 2}),
                         FC_OK);
        assert_int_equal(fc_plot_add_marker(named, "saturation", 6), FC_OK);
        fc_plot_set_bracket(named, 5, 7, p);
        assert_int_equal(fc_plot_add_panel(plot, named), FC_OK);
    }
    fc_plot_look_of(plot)->width = 640;
    fc_plot_look_of(plot)->height = 420;
    fc_plot_look_of(plot)->y_max = 130;
    char *svg = svg_of(plot), *text = terminal_of(plot, fc_write_settings_default());
    char *script = gnuplot_of(plot);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "width=\"640\" height=\"420\""));
    assert_int_equal(count_of(svg, ">left<"), 1);
    assert_int_equal(count_of(svg, ">right<"), 1);
    assert_int_equal(count_of(svg, ">curve<"), 1);                     /* one legend */
    assert_int_equal(count_of(svg, "saturation (bracket)"), 1);        /* each panel has its own */
    assert_int_equal(count_of(svg, "<rect fill=\"currentColor\""), 2); /* two brackets */
    assert_null(strstr(svg, ">400<"));
    assert_int_equal(count_of(text, "curve"), 2);
    assert_int_equal(count_of(script, "set object rectangle from first 5,"), 2);
    assert_non_null(strstr(script, "set multiplot layout 1,2"));
    assert_non_null(strstr(script, "set yrange [0:130]"));
    free(svg);
    free(text);
    free(script);
    fc_plot_free(plot);
}

/* A wide interval of a positive quantity does not draw the axis below zero. */
static void test_intervals_do_not_lower_the_axis(void **state) {
    (void)state;
    const double y[] = {20, 30}, half_widths[] = {100, 1};
    fc_plot *plot = fc_plot_create("Wide", "load", "latency");
    fc_plot_add_series(plot, &(fc_series){.label = "curve",
                                          .style = FC_STYLE_BAND,
                                          .x = loads,
                                          .y = y,
                                          .half_widths = half_widths,
                                          .count = 2});
    char *svg = svg_of(plot);
    assert_null(strstr(svg, ">-"));
    free(svg);
    fc_plot_free(plot);
}

static void test_bytes_are_powers_of_two(void **state) {
    (void)state;
    fc_scale axis;
    fc_scale_bytes(&axis, 1024, 1048576, true, 6);
    assert_string_equal(axis.ticks[0].label, "1 KiB");
    assert_true(axis.low == 1024 && axis.high == 1048576);
    for (size_t t = 0; t < axis.tick_count; ++t)
        assert_null(strchr(axis.ticks[t].label, 'e'));
    fc_scale_bytes(&axis, 1, 3000000, false, 6);
    assert_true(axis.low == 0 && axis.high >= 3000000);
    assert_string_equal(axis.ticks[1].label, "512 KiB");
    fc_scale_bytes(&axis, INFINITY, -INFINITY, false, 6); /* no data */
    assert_true(axis.high > axis.low && axis.tick_count > 1);
}

/* Sixteen names stand in columns, in less height than the frame. */
static void test_a_legend_does_not_outgrow_its_plot(void **state) {
    (void)state;
    fc_plot *plot = fc_plot_create("Sixteen", "load", "latency");
    char label[64];
    for (int s = 0; s < 16; ++s) {
        snprintf(label, sizeof label, "virtual channels %d, buffer 16", s);
        fc_plot_add_series(
            plot,
            &(fc_series){
                .label = label, .style = FC_STYLE_LINE, .x = loads, .y = loads, .count = POINTS});
    }
    char *svg = svg_of(plot);
    double width = 0, height = 0;
    assert_int_equal(sscanf(strstr(svg, "width="), "width=\"%lf\" height=\"%lf\"", &width, &height),
                     2);
    assert_true(height < 600);
    assert_int_equal(count_of(svg, ", buffer 16<"), 16);
    free(svg);
    for (int s = 16; s < 90; ++s)
        fc_plot_add_series(plot, &(fc_series){.label = "virtual channels, many, and buffers",
                                              .style = FC_STYLE_LINE,
                                              .x = loads,
                                              .y = loads,
                                              .count = POINTS});
    svg = svg_of(plot);
    assert_int_equal(sscanf(strstr(svg, "width="), "width=\"%lf\" height=\"%lf\"", &width, &height),
                     2);
    assert_true(height < 720);
    assert_non_null(strstr(svg, " more<"));
    free(svg);
    fc_plot_free(plot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal_plot_in_plain_characters),
        cmocka_unit_test(test_terminal_plot_in_colour_keeps_to_the_width),
        cmocka_unit_test(test_points_stand_above_lines),
        cmocka_unit_test(test_braille_dots_are_where_they_belong),
        cmocka_unit_test(test_svg_holds_everything_once),
        cmocka_unit_test(test_series_that_belong_together_share_a_colour),
        cmocka_unit_test(test_names_along_the_x_axis),
        cmocka_unit_test(test_svg_escapes_what_users_write),
        cmocka_unit_test(test_lines_break_at_gaps),
        cmocka_unit_test(test_gnuplot_script_quotes_and_names),
        cmocka_unit_test(test_log_axes_say_what_they_cannot_show),
        cmocka_unit_test(test_y_limit_cuts_the_axis),
        cmocka_unit_test(test_ugly_plots),
        cmocka_unit_test(test_empty_plot),
        cmocka_unit_test(test_many_series_with_long_labels),
        cmocka_unit_test(test_panels_share_axes_and_legend),
        cmocka_unit_test(test_intervals_do_not_lower_the_axis),
        cmocka_unit_test(test_bytes_are_powers_of_two),
        cmocka_unit_test(test_a_legend_does_not_outgrow_its_plot),
        cmocka_unit_test(test_ticks_are_round_numbers),
        cmocka_unit_test(test_axis_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
