#include "page/page_simulation.h"

#include <math.h>
#include <stdlib.h>
#include "page/page_scenario.h"

static const double precision_default = 0.02;

static void send(const page_simulation_settings *settings, const char *name, json_t *tree) {
    settings->event(settings->event_context, name, tree);
}

/* A scenario while it is simulated: first at its own load, then over all loads. */
typedef struct simulation {
    const page_request *request;
    curve_cache *cache;
    const page_simulation_settings *settings;
    const fc_scenario *scenario;
    model_curves curves;
    simulated found;
    double begun, share; /* of the progress, by the part that runs */
} simulation;

static void report_progress(void *context, double done, const char *what) {
    const simulation *all = context;
    send(all->settings, "progress",
         json_pack("{s:f, s:s}", "done", all->begun + all->share * done, "what", what ? what : ""));
}

static fc_run_settings settings_of(simulation *all) {
    return (fc_run_settings){.threads = all->settings->threads,
                             .progress = report_progress,
                             .progress_context = all,
                             .cancel = all->settings->cancel};
}

static void send_picture(simulation *all, const char *outcome) {
    fc_plot *plot = page_plot(all->scenario, &all->curves, all->request, all->cache, &all->found);
    char *svg = plot ? plot_text(plot) : NULL;
    fc_plot_free(plot);
    json_t *points = json_array();
    for (size_t i = 0; i < all->found.count; ++i) {
        const simulated_point *point = &all->found.points[i];
        json_array_append_new(points, json_pack("{s:f, s:f, s:f}", "load", point->load, "value",
                                                point->value, "half_width", point->half_width));
    }
    json_t *event = json_pack("{s:s, s:o}", "outcome", outcome, "points", points);
    if (svg)
        json_object_set_new(event, "curve", json_string(svg));
    free(svg);
    send(all->settings, "point", event);
}

static void add_point(simulated *found, double load, double value, double half_width) {
    if (found->count < CURVE_POINTS && isfinite(value))
        found->points[found->count++] =
            (simulated_point){load, value, isfinite(half_width) ? half_width : 0};
}

/* The load the page shows: within a moment. */
static fc_status simulate_here(simulation *all, double load, double precision, fc_error *error) {
    char text[32];
    snprintf(text, sizeof text, "%g", precision);
    const fc_setting setting = {"simulation.precision", text};
    const fc_run_settings run = settings_of(all);
    fc_scenario *there;
    fc_result *result;
    fc_status status = fc_scenario_with(all->scenario, &setting, 1, error, &there);
    if (status != FC_OK)
        return status;
    status = fc_simulate(there, &run, error, &result);
    fc_scenario_free(there);
    if (status != FC_OK)
        return status;
    const fc_metric *metric = fc_result_metric(result, fc_scenario_main_metric(all->scenario));
    if (metric && result->outcome == FC_OUTCOME_OK)
        add_point(&all->found, load, metric->value, metric->half_width);
    if (!*all->settings->cancel)
        send_picture(all, fc_outcome_name(result->outcome));
    fc_result_free(result);
    return FC_OK;
}

/* After each simulation of the curve: all that was measured, and the band between. */
static void show_curve(void *context, const fc_curve *curve) {
    simulation *all = context;
    const size_t here = all->found.count ? 1 : 0; /* the first point is the page's own */
    all->found.count = here;
    all->found.curve = curve;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->simulated && point->outcome == FC_OUTCOME_OK)
            add_point(&all->found, point->load, point->measured[0].value,
                      point->measured[0].half_width);
    }
    if (!*all->settings->cancel)
        send_picture(all, "ok");
    all->found.curve = NULL;
}

static void simulate_all(simulation *all, const fc_scenario *scenario) {
    fc_error error = {{0}};
    all->scenario = scenario;
    all->share = 0.1;
    const double precision =
        all->request->precision > 0 ? all->request->precision : precision_default;
    model_curves_find(scenario, NULL, all->cache, &all->curves);
    double load = 0;
    const bool scaled = fc_scenario_number(scenario, all->curves.key, NULL, &load) == FC_OK;
    fc_status status = simulate_here(all, load, precision, &error);
    if (status == FC_OK && scaled && !*all->settings->cancel) {
        const fc_curve_settings curve = {
            .precision = precision, .update = show_curve, .update_context = all};
        const fc_run_settings run = settings_of(all);
        fc_curve *drawn;
        all->begun = all->share;
        all->share = 1 - all->begun;
        status = fc_curve_run(scenario, &curve, &run, &error, &drawn);
        if (status == FC_OK) {
            show_curve(all, drawn);
            fc_curve_free(drawn);
        }
    }
    if (status != FC_OK && !*all->settings->cancel)
        send(all->settings, "failed", json_pack("{s:s}", "message", error.text));
}

void page_simulate(const page_request *request, curve_cache *cache,
                   const page_simulation_settings *settings) {
    page_error error;
    char *yaml;
    json_t *differences;
    fc_scenario *scenario;
    simulation *all = calloc(1, sizeof *all);
    if (!all) {
        send(settings, "failed", json_pack("{s:s}", "message", "out of memory"));
    } else if (page_scenario_read(&request->scenario, &error, &yaml, &differences, &scenario) ==
               FC_OK) {
        *all = (simulation){.request = request, .cache = cache, .settings = settings};
        fc_scenario_set_cancel(scenario, settings->cancel);
        simulate_all(all, scenario);
        fc_scenario_free(scenario);
        free(yaml);
        json_decref(differences);
    } else {
        send(settings, "failed", page_error_json(&error));
    }
    free(all);
    send(settings, "end", json_object());
}
