#include "studies/papers/mohapatra_das_paper.h"
#include "output/report/report.h"

#include <assert.h>
#include "base/decimal.h"

enum { SERIES_POINTS_MAX = 128 };

fc_paper_context fc_min_coarse(const fc_paper_context *context) {
    fc_paper_context coarse = *context;
    if (!(coarse.precision > 0.0))
        coarse.precision = 0.02;
    return coarse;
}

fc_paper_points fc_min_points(const fc_paper_context *context) {
    static const char *const models[] = {"mohapatra-das", "multistage-backpressure"};
    return (fc_paper_points){context, "mohapatra-das", models, .precision = 0.01};
}

void fc_min_points_add(fc_paper_points *points, const char *item, double rate, fc_setting first,
                       fc_setting second) {
    char rate_text[FC_REAL_SIZE];
    fc_real_text(rate, rate_text);
    fc_setting settings[3] = {{"traffic.rate", rate_text}};
    size_t count = 1;
    if (first.key)
        settings[count++] = first;
    if (second.key)
        settings[count++] = second;
    fc_paper_points_add(points, item, settings, count);
}

static bool is_simulated(const fc_paper_points *points) {
    return points->count > 0 && points->results[FC_POINT_SIMULATION] != NULL;
}

static const double *abscissae(const fc_min_layout *layout, size_t series) {
    return layout->x + (layout->x_of_point ? series * layout->per_series : 0);
}

void fc_min_table(fc_report *report, const fc_paper_points *points, const fc_min_layout *layout,
                  const char *title, fc_metric_id metric) {
    const char *columns[] = {layout->series_name,
                             layout->x_name,
                             "mohapatra-das",
                             "multistage-backpressure",
                             "simulation",
                             "error of mohapatra-das",
                             "error of multistage-backpressure"};
    const bool simulated = is_simulated(points);
    fc_report_add_table(report, title, columns, simulated ? 7 : 4);
    fc_report_set_keys(report, 2, false);
    for (size_t i = 0; i < points->count; ++i) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s", layout->series[i / layout->per_series]);
        fc_report_cell_number(report,
                              abscissae(layout, i / layout->per_series)[i % layout->per_series], 4);
        fc_report_cell_number(report, fc_paper_points_value(points, i, FC_POINT_PAPER, metric), 4);
        fc_report_cell_number(report, fc_paper_points_value(points, i, FC_POINT_OURS, metric), 4);
        if (!simulated)
            continue;
        fc_report_cell_interval(report,
                                fc_paper_points_value(points, i, FC_POINT_SIMULATION, metric),
                                fc_paper_points_half_width(points, i, metric));
        fc_report_cell_percent(report, fc_paper_points_error(points, i, FC_POINT_PAPER, metric));
        fc_report_cell_percent(report, fc_paper_points_error(points, i, FC_POINT_OURS, metric));
    }
}

void fc_min_plot(fc_report *report, const fc_paper_points *points, const fc_min_layout *layout,
                 const char *title, const char *y_label, fc_metric_id metric) {
    const size_t per_series = layout->per_series;
    fc_plot *plot = fc_plot_create(title, layout->x_label, y_label);
    assert(per_series <= SERIES_POINTS_MAX);
    for (size_t s = 0; s * per_series < points->count; ++s) {
        double model[SERIES_POINTS_MAX], marks[SERIES_POINTS_MAX], widths[SERIES_POINTS_MAX];
        char label[96];
        for (size_t i = 0; i < per_series; ++i) {
            const size_t point = s * per_series + i;
            model[i] = fc_paper_points_value(points, point, FC_POINT_PAPER, metric);
            marks[i] = fc_paper_points_value(points, point, FC_POINT_SIMULATION, metric);
            widths[i] = fc_paper_points_half_width(points, point, metric);
        }
        snprintf(label, sizeof label, "model, %s", layout->series[s]);
        fc_plot_add_series(plot, &(fc_series){.label = label,
                                              .style = FC_STYLE_LINE,
                                              .x = abscissae(layout, s),
                                              .y = model,
                                              .count = per_series});
        if (!is_simulated(points))
            continue;
        snprintf(label, sizeof label, "simulation, %s", layout->series[s]);
        fc_plot_add_series(plot, &(fc_series){.label = label,
                                              .style = FC_STYLE_POINTS,
                                              .x = abscissae(layout, s),
                                              .y = marks,
                                              .half_widths = widths,
                                              .count = per_series});
    }
    fc_report_add_plot(report, plot);
}

void fc_min_both(fc_report *report, const fc_paper_points *points, const fc_min_layout *layout) {
    fc_min_table(report, points, layout, "Delay in cycles", FC_METRIC_LATENCY);
    fc_min_table(report, points, layout, "Throughput", FC_METRIC_THROUGHPUT);
    fc_min_plot(report, points, layout, "Delay", "cycles", FC_METRIC_LATENCY);
    fc_min_plot(report, points, layout, "Throughput", "packets per port and cycle",
                FC_METRIC_THROUGHPUT);
}
