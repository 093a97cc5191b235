/* The latency-load curve of the page, drawn by the library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "page/page_answer.h"
#include "page/page_scenario.h"
#include "page/text_stream.h"

static const double height_most = 6; /* of the smallest value: what lies near the pole is cut */

/* What the axes count: cycles and messages, or ns and GB/s where the network's units are known. */
typedef struct axes {
    fc_physical x, y;
} axes;

const char *page_load_unit(const fc_scenario *scenario) {
    return fc_scenario_load_key(scenario) ? "messages/node/cycle" : "cycles";
}

static axes axes_of(const fc_scenario *scenario, const char *unit) {
    const fc_units units = fc_scenario_units(scenario);
    axes made = {{1, page_load_unit(scenario)}, {1, unit}};
    fc_physical_of(&units, made.x.unit, &made.x);
    fc_physical_of(&units, made.y.unit, &made.y);
    return made;
}

static void add_curve(fc_plot *plot, const axes *as, const model_curve *curve, const char *label,
                      size_t colour) {
    double x[CURVE_POINTS], y[CURVE_POINTS];
    for (size_t i = 0; i < curve->count; ++i) {
        x[i] = as->x.factor * curve->x[i];
        y[i] = as->y.factor * curve->y[i];
    }
    const fc_series line = {.label = label,
                            .style = FC_STYLE_LINE,
                            .x = x,
                            .y = y,
                            .count = curve->count,
                            .colour = colour + 1};
    if (curve->count)
        fc_plot_add_series(plot, &line);
}

static void add_pins(fc_plot *plot, const axes *as, const page_request *request, curve_cache *cache,
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
        const axes own = axes_of(scenario, curves.unit); /* its clock may be another */
        const bool alike = strcmp(curves.metric, metric) == 0 &&
                           strcmp(own.x.unit, as->x.unit) == 0 &&
                           strcmp(own.y.unit, as->y.unit) == 0;
        if (curves.count && alike)
            add_curve(plot, &own, &curves.curve[0], request->pins[i].label, colours + i);
        fc_scenario_free(scenario);
        free(yaml);
        json_decref(differences);
    }
}

static void add_points(fc_plot *plot, const axes *as, const simulated *found) {
    double x[CURVE_POINTS], y[CURVE_POINTS], half[CURVE_POINTS];
    for (size_t i = 0; i < found->count; ++i) {
        x[i] = as->x.factor * found->points[i].load;
        y[i] = as->y.factor * found->points[i].value;
        half[i] = as->y.factor * found->points[i].half_width;
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
static void add_band(fc_plot *plot, const axes *as, const fc_curve *curve, size_t colour) {
    const size_t count = curve->point_count;
    double *numbers = calloc(3 * count + 1, sizeof *numbers);
    size_t used = 0;
    if (!numbers)
        return;
    for (size_t p = 0; p < count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (!point->reliable || !isfinite(point->values[0].value))
            continue;
        numbers[used] = as->x.factor * point->load;
        numbers[count + used] = as->y.factor * point->values[0].value;
        numbers[2 * count + used++] = as->y.factor * point->values[0].half_width;
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
    const axes as = axes_of(scenario, curves->unit);
    const bool messages = strcmp(as.x.unit, "messages/node/cycle") == 0;
    char x_label[96], y_label[96];
    snprintf(x_label, sizeof x_label, "%s (%s)", open ? "offered load" : "think time",
             messages ? "messages per node per cycle" : as.x.unit);
    snprintf(y_label, sizeof y_label, as.y.unit[0] ? "%s (%s)" : "%s", curves->metric, as.y.unit);
    fc_plot *plot = fc_plot_create("", x_label, y_label);
    if (!plot)
        return NULL;
    for (size_t i = 0; i < curves->count; ++i)
        add_curve(plot, &as, &curves->curve[i], curves->curve[i].model, i);
    add_pins(plot, &as, request, cache, curves->metric, curves->count ? curves->count : 1);
    if (found && found->curve)
        add_band(plot, &as, found->curve, curves->count + request->pin_count);
    if (found)
        add_points(plot, &as, found);
    double present;
    if (fc_scenario_number(scenario, curves->key, NULL, &present) == FC_OK)
        fc_plot_add_marker(plot, "here", as.x.factor * present);
    if (curves->count && isfinite(curves->curve[0].saturation))
        fc_plot_add_marker(plot, "saturation (model)", as.x.factor * curves->curve[0].saturation);
    const double least = smallest(curves, found);
    if (open && isfinite(least))
        fc_plot_look_of(plot)->y_limit = as.y.factor * height_most * least;
    return plot;
}

char *plot_text(const fc_plot *plot) {
    const fc_write_settings svg = {.format = FC_FORMAT_SVG};
    text_stream to;
    if (!text_stream_open(&to))
        return NULL;
    return text_stream_close(&to, fc_plot_write(plot, &svg, to.stream));
}
