/* The latency-load curve of the page, drawn by the library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "page/page_answer.h"
#include "page/page_scenario.h"
#include "page/text_stream.h"

static const double height_most = 6; /* of the smallest value: what lies near the pole is cut */

static void add_curve(fc_plot *plot, const model_curve *curve, const char *label, size_t colour) {
    const fc_series line = {.label = label,
                            .style = FC_STYLE_LINE,
                            .x = curve->x,
                            .y = curve->y,
                            .count = curve->count,
                            .colour = colour + 1};
    if (curve->count)
        fc_plot_add_series(plot, &line);
}

static void add_pins(fc_plot *plot, const page_request *request, curve_cache *cache,
                     const char *metric, size_t colours) {
    for (size_t i = 0; i < request->pin_count; ++i) {
        page_error error;
        char *yaml;
        json_t *differences;
        fc_scenario *scenario;
        if (page_scenario_read(&request->pins[i], &error, &yaml, &differences, &scenario) != FC_OK)
            continue;
        model_curves curves;
        model_curves_find(scenario, NULL, cache, &curves);
        if (curves.count && strcmp(curves.metric, metric) == 0)
            add_curve(plot, &curves.curve[0], request->pins[i].label, colours + i);
        fc_scenario_free(scenario);
        free(yaml);
        json_decref(differences);
    }
}

static void add_points(fc_plot *plot, const simulated *found) {
    double x[CURVE_POINTS], y[CURVE_POINTS], half[CURVE_POINTS];
    for (size_t i = 0; i < found->count; ++i) {
        x[i] = found->points[i].load;
        y[i] = found->points[i].value;
        half[i] = found->points[i].half_width;
    }
    const fc_series points = {.label = "simulated, 95 %",
                              .style = FC_STYLE_POINTS,
                              .x = x,
                              .y = y,
                              .half_widths = half,
                              .count = found->count,
                              .colour = 1};
    if (found->count)
        fc_plot_add_series(plot, &points);
}

/* The corrected curve; what it does not support (beyond the last simulation) is left out. */
static void add_band(fc_plot *plot, const fc_curve *curve, size_t colour) {
    const size_t count = curve->point_count;
    double *numbers = calloc(3 * count + 1, sizeof *numbers);
    size_t used = 0;
    if (!numbers)
        return;
    for (size_t p = 0; p < count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (!point->reliable || !isfinite(point->values[0].value))
            continue;
        numbers[used] = point->load;
        numbers[count + used] = point->values[0].value;
        numbers[2 * count + used++] = point->values[0].half_width;
    }
    const fc_series band = {.label = "simulation between them",
                            .style = FC_STYLE_BAND,
                            .x = numbers,
                            .y = numbers + count,
                            .half_widths = numbers + 2 * count,
                            .count = used,
                            .colour = colour + 1};
    if (used)
        fc_plot_add_series(plot, &band);
    free(numbers);
}

static double smallest(const model_curves *curves, const simulated *found) {
    double least = INFINITY;
    for (size_t i = 0; i < curves->count; ++i) {
        if (curves->curve[i].count)
            least = fmin(least, curves->curve[i].y[0]);
    }
    for (size_t i = 0; found && i < found->count; ++i)
        least = fmin(least, found->points[i].value);
    return least;
}

fc_plot *page_plot(const fc_scenario *scenario, const model_curves *curves,
                   const page_request *request, curve_cache *cache, const simulated *found) {
    const bool open = fc_scenario_load_key(scenario) != NULL;
    char y_label[96];
    snprintf(y_label, sizeof y_label, curves->unit[0] ? "%s (%s)" : "%s", curves->metric,
             curves->unit);
    fc_plot *plot = fc_plot_create(
        "", open ? "offered load (messages per node per cycle)" : "think time (cycles)", y_label);
    if (!plot)
        return NULL;
    for (size_t i = 0; i < curves->count; ++i)
        add_curve(plot, &curves->curve[i], curves->curve[i].model, i);
    add_pins(plot, request, cache, curves->metric, curves->count ? curves->count : 1);
    if (found && found->curve)
        add_band(plot, found->curve, curves->count + request->pin_count);
    if (found)
        add_points(plot, found);
    double present;
    if (fc_scenario_number(scenario, curves->key, NULL, &present) == FC_OK)
        fc_plot_add_marker(plot, "here", present);
    if (curves->count && isfinite(curves->curve[0].saturation))
        fc_plot_add_marker(plot, "saturation (model)", curves->curve[0].saturation);
    const double least = smallest(curves, found);
    if (open && isfinite(least))
        fc_plot_look_of(plot)->y_limit = height_most * least;
    return plot;
}

char *plot_text(const fc_plot *plot) {
    const fc_write_settings svg = {.format = FC_FORMAT_SVG};
    text_stream to;
    if (!text_stream_open(&to))
        return NULL;
    return text_stream_close(&to, fc_plot_write(plot, &svg, to.stream));
}
