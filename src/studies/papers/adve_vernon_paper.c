/* V. S. Adve, M. K. Vernon, "Performance Analysis of Mesh Interconnection Networks with
 * Deterministic Routing", Technical Report 1001b, University of Wisconsin-Madison, 1993: its tables
 * beside ours, and its figures with what the text says about them.
 *
 * The paper averages the model's network time over processors and the simulator's over requests; so
 * do the tables here. The figures print no numbers; their curves are those of the paper's own
 * model, where the paper uses it, and of our simulator, where the paper simulates. */
#include "studies/papers/adve_vernon_paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/embedded.h"

/* ---- scenarios and published numbers ---- */

fc_status fc_closed_paper_scenario(const fc_paper_context *context, const char *file,
                                   double precision, const fc_setting *settings, size_t count,
                                   fc_error *error, fc_scenario **scenario) {
    char exact[32], most[32];
    fc_setting all[16];
    const double wanted = context->precision > 0 ? context->precision : precision;
    if (count + 2 > sizeof all / sizeof all[0])
        return fc_fail(error, FC_ERROR_ARGUMENT, "too many settings for %s", file);
    for (size_t i = 0; i < count; ++i)
        all[i] = settings[i];
    snprintf(exact, sizeof exact, "%.17g", wanted);
    snprintf(most, sizeof most, "%.0f", 3000 / wanted); /* a coarse run is a short one */
    all[count] = (fc_setting){"simulation.precision", exact};
    all[count + 1] = (fc_setting){"simulation.max_cycles", most};
    return fc_paper_scenario("adve-vernon", file, all, count + 2, error, scenario);
}

fc_status fc_closed_paper_predict(const fc_paper_context *context, const char *file,
                                  const char *outstanding, const char *think, fc_error *error,
                                  fc_result **result) {
    const fc_setting settings[] = {{"traffic.outstanding", outstanding},
                                   {"traffic.think_time", think}};
    fc_scenario *scenario;
    fc_status status = fc_closed_paper_scenario(context, file, 0.02, settings, 2, error, &scenario);
    if (status != FC_OK)
        return status;
    status = fc_predict(scenario, "adve-vernon", error, result);
    fc_scenario_free(scenario);
    return status;
}

double fc_closed_north_channel(const fc_result *result, int x, size_t row, bool high,
                               size_t column) {
    const fc_table *channels = fc_result_table(result, "channels");
    char label[32];
    snprintf(label, sizeof label, "(%d, %zu) -1 %s", x, row, high ? "high" : "low");
    for (size_t i = 0; channels && i < channels->rows; ++i) {
        if (strcmp(channels->row_labels[i], label) == 0)
            return channels->values[i * channels->columns + column];
    }
    return (double)NAN;
}

size_t fc_closed_paper_csv(const char *file, size_t columns, double *values, size_t rows_max) {
    char path[96];
    size_t length, rows = 0;
    snprintf(path, sizeof path, "papers/adve-vernon/%s.csv", file);
    const char *at = fc_embedded(path, &length);
    bool header = true;
    while (at && *at && rows < rows_max) {
        const char *end = strchr(at, '\n');
        const size_t size = end ? (size_t)(end - at) : strlen(at);
        if (size > 0 && *at != '#' && !header) {
            const char *cell = at;
            for (size_t c = 0; c < columns; ++c) {
                char *stop;
                const double number = strtod(cell, &stop);
                values[rows * columns + c] = stop == cell ? (double)NAN : number;
                cell = stop + strcspn(stop, ",\n");
                cell += *cell == ',';
            }
            ++rows;
        } else if (size > 0 && *at != '#') {
            header = false;
        }
        at = end ? end + 1 : at + size;
    }
    return rows;
}

/* ---- figures ---- */

const double fc_closed_rates[FC_CLOSED_RATES] = {0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05};

static double ordinate(const fc_result *result, fc_metric_id metric) {
    if (!result || result->outcome == FC_OUTCOME_NOT_CONVERGED)
        return (double)NAN;
    if (metric == FC_METRIC_NONE)
        return fc_result_value(result, FC_METRIC_EFFICIENCY_MAX) /
               fc_result_value(result, FC_METRIC_EFFICIENCY_MIN);
    return fc_result_value(result, metric);
}

static fc_status curve_scenario(const fc_paper_context *context, const fc_closed_figure *figure,
                                const fc_paper_curve *curve, double x, fc_error *error,
                                fc_scenario **scenario) {
    char think[40], radix[40], outstanding[24];
    fc_setting settings[FC_CURVE_SETTINGS + 4];
    size_t count = 0;
    if (figure->abscissa == FC_BY_RATE || curve->think > 0) {
        snprintf(think, sizeof think, "%.17g", curve->think > 0 ? curve->think : 1 / x);
        settings[count++] = (fc_setting){"traffic.think_time", think};
    }
    if (figure->abscissa == FC_BY_RADIX) {
        snprintf(radix, sizeof radix, "[%.0f, %.0f]", x, x);
        settings[count++] = (fc_setting){"network.radix", radix};
    }
    snprintf(outstanding, sizeof outstanding, "%.0f", x);
    if (curve->outstanding || figure->abscissa == FC_BY_OUTSTANDING)
        settings[count++] = (fc_setting){"traffic.outstanding",
                                         curve->outstanding ? curve->outstanding : outstanding};
    for (size_t i = 0; i < FC_CURVE_SETTINGS && curve->more[i].key; ++i)
        settings[count++] = curve->more[i];
    return fc_closed_paper_scenario(context, curve->file, 0.02, settings, count, error, scenario);
}

static fc_status evaluate_curve(const fc_paper_context *context, const fc_closed_figure *figure,
                                const fc_paper_curve *curve, fc_error *error, double *y) {
    fc_scenario *scenarios[FC_ABSCISSAE_MAX] = {0};
    fc_result *results[FC_ABSCISSAE_MAX] = {0};
    fc_status status = FC_OK;
    for (size_t i = 0; i < figure->points && status == FC_OK; ++i)
        status = curve_scenario(context, figure, curve, figure->x[i], error, &scenarios[i]);
    const fc_evaluation all = {(const fc_scenario *const *)scenarios, figure->points,
                               &curve->method, curve->method != NULL, curve->method == NULL};
    if (status == FC_OK)
        status = fc_evaluate(&all, context->settings, error, results);
    for (size_t i = 0; i < figure->points; ++i) {
        y[i] = ordinate(results[i], curve->metric) * (figure->scale > 0 ? figure->scale : 1);
        fc_result_free(results[i]);
        fc_scenario_free(scenarios[i]);
    }
    return status;
}

static void add_figure(fc_report *report, const fc_closed_figure *figure, fc_ordinates y) {
    const char *columns[FC_CURVES_MAX + 1] = {figure->x_label};
    fc_plot *plot = fc_plot_create(figure->title, figure->x_label, figure->y_label);
    for (size_t c = 0; c < figure->curve_count; ++c) {
        const fc_paper_curve *curve = &figure->curves[c];
        columns[c + 1] = curve->label;
        fc_plot_add_series(plot, curve->label, curve->method ? FC_STYLE_LINE : FC_STYLE_LINE_POINTS,
                           figure->x, y[c], NULL, figure->points);
    }
    fc_report_add_table(report, figure->title, columns, figure->curve_count + 1);
    for (size_t i = 0; i < figure->points; ++i) {
        fc_report_row(report);
        fc_report_cell_number(report, figure->x[i], 3);
        for (size_t c = 0; c < figure->curve_count; ++c)
            fc_report_cell_number(report, y[c][i], 4);
    }
    fc_report_add_plot(report, plot);
}

fc_status fc_closed_figure_draw(const fc_paper_context *context, const fc_closed_figure *figure,
                                fc_error *error, fc_report *report, fc_ordinates y) {
    for (size_t c = 0; c < figure->curve_count; ++c) {
        const fc_status status = evaluate_curve(context, figure, &figure->curves[c], error, y[c]);
        if (status != FC_OK)
            return status;
    }
    if (figure->adjust)
        figure->adjust(y);
    if (figure->text)
        fc_report_add_text(report, "%s", figure->text);
    add_figure(report, figure, y);
    return FC_OK;
}

static fc_status run_figure(const fc_paper_context *context, fc_error *error, fc_report *report) {
    const fc_closed_figure *figure = context->shown;
    fc_ordinates y;
    const fc_status status = fc_closed_figure_draw(context, figure, error, report, y);
    if (status == FC_OK)
        figure->claim(report, y);
    return status;
}

/* ---- the paper ---- */

static const fc_paper_item items[] = {
    {{"table-4.2a", "efficiency and network time, 4x4 torus"}, .run = fc_adve_vernon_table_42a},
    {{"table-4.2b", "efficiency and network time, 8x8 torus"}, .run = fc_adve_vernon_table_42b},
    {{"table-4.3", "largest and smallest efficiency, 8x8 torus"}, .run = fc_adve_vernon_table_43},
    {{"table-4.4a", "efficiency of each processor, unidirectional torus"},
     .run = fc_adve_vernon_table_44a},
    {{"table-4.4b", "efficiency of each processor, bidirectional torus"},
     .run = fc_adve_vernon_table_44b},
    {{"figure-2.4", "traffic on the high and low virtual channels of a column"},
     .run = fc_adve_vernon_figure_24},
    {{"figure-4.1", "efficiency of the baseline system"}, run_figure, &fc_adve_vernon_figure_41},
    {{"figure-4.2", "scalability of the baseline system"}, run_figure, &fc_adve_vernon_figure_42},
    {{"figure-4.3", "several outstanding requests"}, run_figure, &fc_adve_vernon_figure_43},
    {{"figure-4.4", "scalability with 4 outstanding requests"},
     run_figure,
     &fc_adve_vernon_figure_44},
    {{"figure-4.5a", "torus against mesh"}, run_figure, &fc_adve_vernon_figure_45a},
    {{"figure-4.5b", "bidirectional against unidirectional torus"},
     run_figure,
     &fc_adve_vernon_figure_45b},
    {{"figure-4.6a", "communication locality, one outstanding request"},
     run_figure,
     &fc_adve_vernon_figure_46a},
    {{"figure-4.6b", "communication locality, four outstanding requests"},
     .run = fc_adve_vernon_figure_46b},
    {{"figure-4.7", "hot spots, one node link"}, run_figure, &fc_adve_vernon_figure_47},
    {{"figure-4.8", "hot spots, several node links"}, run_figure, &fc_adve_vernon_figure_48},
    {{"figure-4.9", "response times to hot and other processors"},
     run_figure,
     &fc_adve_vernon_figure_49},
    {{"figure-4.10", "flit rate to the hot node, blocking and non-blocking processors"},
     run_figure,
     &fc_adve_vernon_figure_410},
    {{"figure-4.11", "imbalance between processors"}, run_figure, &fc_adve_vernon_figure_411},
    {{"figure-4.12", "time on the first virtual channel, along a column"},
     .run = fc_adve_vernon_figure_412},
    {.run = NULL},
};

const fc_paper fc_paper_adve_vernon = {
    .info = {"adve-vernon", "V. S. Adve, M. K. Vernon: Performance Analysis of Mesh "
                            "Interconnection Networks with Deterministic Routing, 1993"},
    .items = items,
};
