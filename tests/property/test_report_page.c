/* The HTML report in a real browser: nothing is wider than a phone, no text of a picture is cut off
 * or covers another, and the colours follow the scheme. Skipped where there is no Chromium. */
#include "capture.h"

#include "flitcast/flitcast.h"
#include "output/text/characters.h"
#include "output/report/report.h"

#include <unistd.h>

enum { POINTS = 8 };

static void add_many_series(fc_report *report) {
    fc_plot *plot = fc_plot_create(
        "Twelve series under a title that is so long that it cannot stand on one line of a picture",
        "offered load, messages per node and cycle",
        "response time of a request and its reply, processor cycles");
    for (int s = 0; s < 12; s++) {
        double x[POINTS], y[POINTS], half_widths[POINTS];
        char label[64];
        for (int p = 0; p < POINTS; p++) {
            x[p] = 0.001 * p;
            y[p] = p == s ? (double)NAN : 1234.0 * s + 100 * p * p;
            half_widths[p] = 150;
        }
        snprintf(label, sizeof label, "series %d%s", s, s % 3 ? "" : ", with quite a long label");
        assert_int_equal(
            fc_plot_add_series(plot, &(fc_series){.label = label,
                                                  .style = (fc_series_style)(s % 3),
                                                  .x = x,
                                                  .y = y,
                                                  .half_widths = s % 2 ? half_widths : NULL,
                                                  .count = POINTS}),
            FC_OK);
    }
    assert_int_equal(fc_plot_add_marker(plot, "saturation (model)", 0.0055), FC_OK);
    assert_int_equal(fc_plot_add_marker(plot, "saturation (simulation)", 0.0063), FC_OK);
    fc_report_add_plot(report, plot);
}

static void add_logarithmic(fc_report *report, double scale) {
    double x[POINTS], y[POINTS];
    for (int p = 0; p < POINTS; p++) {
        x[p] = scale * pow(10, p);
        y[p] = p == 0 ? 0 : pow(7, -p);
    }
    fc_plot *plot = fc_plot_create("Loss", "buffer, packets", "share of packets lost");
    assert_int_equal(fc_plot_add_series(plot, &(fc_series){.label = "loss",
                                                           .style = FC_STYLE_LINE_POINTS,
                                                           .x = x,
                                                           .y = y,
                                                           .count = POINTS}),
                     FC_OK);
    fc_plot_look_of(plot)->log_x = true;
    fc_plot_look_of(plot)->log_y = true;
    fc_report_add_plot(report, plot);
}

static void add_narrow(fc_report *report) {
    const double x[] = {1000000.1, 1000000.2, 1000000.3}, y[] = {-36.0001, -36.0002, -36.00035};
    fc_plot *plot = fc_plot_create("Far from zero", "x", "y");
    assert_int_equal(
        fc_plot_add_series(
            plot,
            &(fc_series){.label = "s", .style = FC_STYLE_LINE_POINTS, .x = x, .y = y, .count = 3}),
        FC_OK);
    fc_report_add_plot(report, plot);
}

static void add_heatmap(fc_report *report, size_t side) {
    double values[32 * 32];
    for (size_t v = 0; v < side * side; v++)
        values[v] = 0.5 + 0.4 * sin((double)v);
    fc_heatmap *map =
        fc_heatmap_create("Efficiency of each node", "efficiency", side, side, values);
    assert_int_equal(fc_heatmap_set_axes(map, "dimension 0", "dimension 1"), FC_OK);
    fc_report_add_heatmap(report, map);
}

static fc_report *large_report(void) {
    static const char *const names[] = {"rings",          "rate, messages/node/cycle",
                                        "hamacher-jiang", "ring-trains",
                                        "simulation",     "error",
                                        "comment"};
    fc_report *report = fc_report_create("A report with everything in it");
    fc_report_add_heading(report, "A table wider than a phone");
    fc_report_add_table(report, "Latency, cycles", names, 7);
    for (int r = 0; r < 5; r++) {
        fc_report_row(report);
        fc_report_cell_text(report, "[%d, 32]", 16 + r);
        for (int c = 0; c < 3; c++)
            fc_report_cell_number(report, 1.2345 * (c + 1), 5);
        fc_report_cell_interval(report, 36.79, 0.14);
        fc_report_cell_percent(report, -0.0642);
        fc_report_cell_text(report, "a comment long enough to need a few lines in a narrow column");
    }
    fc_report_add_heading(report, "Pictures");
    add_many_series(report);
    add_logarithmic(report, 1);
    add_logarithmic(report, 1e-9);
    add_narrow(report);
    add_heatmap(report, 2);
    add_heatmap(report, 8);
    add_heatmap(report, 32);
    fc_report_add_heading(report, "Words");
    fc_report_add_claim(report, &(fc_report_claim){"A claim", .quantity = "what was found",
                                                   .value = 1, .low = 0, .high = 2});
    fc_report_add_code(report, "Scenario",
                       "name: a line that is far longer than the screen of any telephone, and yet "
                       "must not be broken because it is code\n");
    fc_report_add_text(report, "averyveryveryveryveryveryveryveryveryveryveryverylongword");
    assert_int_equal(fc_report_status(report), FC_OK);
    return report;
}

/* Measures the page inside of a frame as wide as the screen in question. */
static const char probe[] =
    "<script>onload = () => {\n"
    "const page = document.getElementById('page').contentDocument;\n"
    "let texts = 0, cut = 0, covered = 0;\n"
    "for (const svg of page.querySelectorAll('svg.fc-plot')) {\n"
    "  const frame = svg.getBoundingClientRect();\n"
    "  const boxes = [...svg.querySelectorAll('text')].filter(t => t.textContent).map(\n"
    "    t => [t.getBoundingClientRect(), t.textContent]);\n"
    "  boxes.forEach(([box, text], i) => {\n"
    "    texts++;\n"
    "    if (box.left < frame.left - 1 || box.right > frame.right + 1 ||\n"
    "        box.top < frame.top - 1 || box.bottom > frame.bottom + 1) cut++;\n"
    "    for (const [other] of boxes.slice(i + 1)) {\n"
    "      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);\n"
    "      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);\n"
    "      if (across > 1 && down > 0.3 * Math.min(box.height, other.height)) covered++;\n"
    "    }\n"
    "  });\n"
    "}\n"
    "const colour = getComputedStyle(page.body).backgroundColor.replaceAll(' ', '');\n"
    "document.body.textContent = `MEASURED width ${page.documentElement.scrollWidth} texts "
    "${texts} cut ${cut} covered ${covered} page ${colour}`;\n"
    "}</script>\n";

typedef struct measures {
    int width, texts, cut, covered;
    char page[64];
} measures;

static void write_probe(const char *path, const char *html, int width) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "<!doctype html><meta charset=\"utf-8\"><body>"
            "<iframe id=\"page\" style=\"width:%dpx;height:800px;border:0\" srcdoc=\"",
            width);
    fc_write_xml(file, html);
    fprintf(file, "\"></iframe>%s</body>", probe);
    assert_int_equal(fclose(file), 0);
}

static measures measure(const char *folder, const char *html, int width, bool dark) {
    char path[128], command[1024], line[4096];
    measures found = {.width = -1};
    snprintf(path, sizeof path, "%s/probe.html", folder);
    write_probe(path, html, width);
    snprintf(command, sizeof command,
             "timeout 50 chromium --headless --no-sandbox --disable-gpu --disable-quic "
             "--no-first-run --disable-background-networking --disable-component-update "
             "--disable-sync --disable-dev-shm-usage --user-data-dir=%s/profile%s "
             "--hide-scrollbars --window-size=1200,900 --blink-settings=preferredColorScheme=%d "
             "--virtual-time-budget=10000 --dump-dom file://%s 2>/dev/null",
             folder, dark ? "-dark" : "", dark ? 0 : 1, path);
    FILE *browser = popen(command, "r");
    assert_non_null(browser);
    while (fgets(line, sizeof line, browser)) {
        const char *at = strstr(line, "MEASURED ");
        if (at)
            sscanf(at, "MEASURED width %d texts %d cut %d covered %d page %63[^<\n]", &found.width,
                   &found.texts, &found.cut, &found.covered, found.page);
    }
    pclose(browser);
    print_message("%d wide%s: page %d wide, %d texts, %d cut off, %d covered, %s\n", width,
                  dark ? ", dark" : "", found.width, found.texts, found.cut, found.covered,
                  found.page);
    return found;
}

static void test_page_in_a_browser(void **state) {
    (void)state;
    if (system("command -v chromium >/dev/null 2>&1") != 0)
        skip();
    char folder[] = "/tmp/flitcast-page-XXXXXX";
    assert_non_null(mkdtemp(folder));
    fc_report *report = large_report();
    capture output;
    capture_begin(&output);
    assert_int_equal(
        fc_report_write(report, &(fc_write_settings){.format = FC_FORMAT_HTML}, output.stream),
        FC_OK);
    char *html = capture_end(&output);

    const measures phone = measure(folder, html, 360, false);
    const measures desk = measure(folder, html, 1000, false);
    const measures dark = measure(folder, html, 1000, true);
    char command[128];
    snprintf(command, sizeof command, "rm -rf -- %s", folder);
    assert_int_equal(system(command), 0);
    free(html);
    fc_report_free(report);

    assert_int_equal(phone.width, 360); /* nothing sticks out; -1: the browser gave no answer */
    assert_int_equal(desk.width, 1000);
    assert_true(desk.texts > 100);
    assert_int_equal(phone.cut, 0);
    assert_int_equal(desk.cut, 0);
    assert_int_equal(desk.covered, 0);
    assert_string_equal(desk.page, "rgb(255,255,255)");
    assert_string_equal(dark.page, "rgb(20,24,29)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_in_a_browser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
