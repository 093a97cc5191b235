#include "studies/papers/mohapatra_das.h"

#include <math.h>
#include "base/embedded.h"
#include "base/memory.h"

enum { METHODS = 3, SERIES_POINTS_MAX = 128 };
static const char *const models[] = {"mohapatra-das", "multistage-backpressure", NULL};

static fc_status grow(fc_min_points *points) {
    if (points->count < points->room)
        return FC_OK;
    const size_t room = 2 * points->room + 16;
    fc_scenario **scenarios = fc_reallocate(points->scenarios, room, sizeof *scenarios);
    if (!scenarios)
        return fc_fail_memory(&points->error);
    points->scenarios = scenarios;
    points->room = room;
    return FC_OK;
}

fc_paper_context fc_min_coarse(const fc_paper_context *context) {
    fc_paper_context coarse = *context;
    if (!(coarse.precision > 0.0))
        coarse.precision = 0.02;
    return coarse;
}

void fc_min_points_add(fc_min_points *points, const fc_paper_context *context, const char *item,
                       double rate, fc_setting first, fc_setting second) {
    if (points->status != FC_OK)
        return;
    char path[128], rate_text[40], precision[40];
    snprintf(rate_text, sizeof rate_text, "%.17g", rate);
    snprintf(precision, sizeof precision, "%.17g",
             context->precision > 0.0 ? context->precision : 0.01);
    fc_setting settings[4] = {{"traffic.rate", rate_text}, {"simulation.precision", precision}};
    size_t count = 2;
    if (first.key)
        settings[count++] = first;
    if (second.key)
        settings[count++] = second;
    snprintf(path, sizeof path, "papers/mohapatra-das/%s.yaml", item);
    size_t length;
    const char *text = fc_embedded(path, &length);
    points->status =
        text ? grow(points) : fc_fail(&points->error, FC_ERROR_FILE, "%s is not built in", path);
    if (points->status != FC_OK)
        return;
    points->status = fc_scenario_read_text(text, length, path, settings, count, &points->error,
                                           &points->scenarios[points->count]);
    if (points->status == FC_OK)
        ++points->count;
}

fc_status fc_min_points_evaluate(fc_min_points *points, const fc_paper_context *context,
                                 bool simulate, fc_error *error) {
    if (points->status != FC_OK) {
        if (error)
            *error = points->error;
        return points->status;
    }
    points->results = fc_allocate(points->count * METHODS + 1, sizeof *points->results);
    fc_result **found = fc_allocate(points->count * METHODS + 1, sizeof *found);
    if (!points->results || !found) {
        fc_release(found);
        return fc_fail_memory(error);
    }
    const size_t methods = simulate ? METHODS : METHODS - 1;
    const fc_status status =
        fc_paper_evaluate(context, (const fc_scenario *const *)points->scenarios, points->count,
                          models, simulate, error, found);
    for (size_t i = 0; i < points->count; ++i)
        for (size_t m = 0; m < methods; ++m)
            points->results[i * METHODS + m] = found[i * methods + m];
    fc_release(found);
    return status;
}

void fc_min_points_free(fc_min_points *points) {
    for (size_t i = 0; i < points->count; ++i)
        fc_scenario_free(points->scenarios[i]);
    for (size_t i = 0; points->results && i < points->count * METHODS; ++i)
        fc_result_free(points->results[i]);
    fc_release(points->scenarios);
    fc_release(points->results);
}

static const fc_metric *find(const fc_min_points *points, size_t point, fc_min_method method,
                             const char *metric) {
    const fc_result *result = points->results[point * METHODS + method];
    return result ? fc_result_metric(result, metric) : NULL;
}

double fc_min_value(const fc_min_points *points, size_t point, fc_min_method method,
                    const char *metric) {
    const fc_metric *found = find(points, point, method, metric);
    return found ? found->value : (double)NAN;
}

double fc_min_half_width(const fc_min_points *points, size_t point, const char *metric) {
    const fc_metric *found = find(points, point, FC_MIN_SIMULATION, metric);
    return found ? found->half_width : (double)NAN;
}

double fc_min_error(const fc_min_points *points, size_t point, fc_min_method method,
                    const char *metric) {
    return fc_min_value(points, point, method, metric) /
               fc_min_value(points, point, FC_MIN_SIMULATION, metric) -
           1.0;
}

static bool is_simulated(const fc_min_points *points) {
    return points->count > 0 && points->results[FC_MIN_SIMULATION] != NULL;
}

void fc_min_table(fc_report *report, const fc_min_points *points, const char *title,
                  const char *series_name, const char *x_name, const char *const *series,
                  const double *x, size_t per_series, const char *metric) {
    const char *columns[] = {series_name,
                             x_name,
                             "mohapatra-das",
                             "multistage-backpressure",
                             "simulation",
                             "error of mohapatra-das",
                             "error of multistage-backpressure"};
    const bool simulated = is_simulated(points);
    fc_report_add_table(report, title, columns, simulated ? 7 : 4);
    for (size_t i = 0; i < points->count; ++i) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s", series[i / per_series]);
        fc_report_cell_number(report, x[i % per_series], 4);
        fc_report_cell_number(report, fc_min_value(points, i, FC_MIN_PAPER, metric), 4);
        fc_report_cell_number(report, fc_min_value(points, i, FC_MIN_OURS, metric), 4);
        if (!simulated)
            continue;
        fc_report_cell_interval(report, fc_min_value(points, i, FC_MIN_SIMULATION, metric),
                                fc_min_half_width(points, i, metric));
        fc_report_cell_percent(report, fc_min_error(points, i, FC_MIN_PAPER, metric));
        fc_report_cell_percent(report, fc_min_error(points, i, FC_MIN_OURS, metric));
    }
}

void fc_min_plot(fc_report *report, const fc_min_points *points, const char *title,
                 const char *x_label, const char *y_label, const char *const *series,
                 const double *x, size_t per_series, const char *metric) {
    fc_plot *plot = fc_plot_create(title, x_label, y_label);
    if (!plot || per_series > SERIES_POINTS_MAX) {
        fc_plot_free(plot);
        return;
    }
    for (size_t s = 0; s * per_series < points->count; ++s) {
        double model[SERIES_POINTS_MAX], marks[SERIES_POINTS_MAX], widths[SERIES_POINTS_MAX];
        char label[96];
        for (size_t i = 0; i < per_series; ++i) {
            const size_t point = s * per_series + i;
            model[i] = fc_min_value(points, point, FC_MIN_PAPER, metric);
            marks[i] = fc_min_value(points, point, FC_MIN_SIMULATION, metric);
            widths[i] = fc_min_half_width(points, point, metric);
        }
        snprintf(label, sizeof label, "model, %s", series[s]);
        fc_plot_add_series(plot, label, FC_STYLE_LINE, x, model, NULL, per_series);
        if (!is_simulated(points))
            continue;
        snprintf(label, sizeof label, "simulation, %s", series[s]);
        fc_plot_add_series(plot, label, FC_STYLE_POINTS, x, marks, widths, per_series);
    }
    fc_report_add_plot(report, plot);
}
