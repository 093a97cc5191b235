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
#include "base/decimal.h"
#include "base/embedded.h"
#include "output/report/report.h"

/* ---- scenarios and published numbers ---- */

fc_status fc_closed_paper_scenario(const fc_paper_context *context, double precision,
                                   const fc_paper_point *point, fc_error *error,
                                   fc_scenario **scenario) {
    char exact[FC_REAL_SIZE], most[32];
    fc_setting all[16];
    const double wanted = context->precision > 0 ? context->precision : precision;
    const size_t count = point->count;
    if (count + 2 > sizeof all / sizeof all[0])
        return fc_fail(error, FC_ERROR_ARGUMENT, "too many settings for %s", point->file);
    for (size_t i = 0; i < count; ++i)
        all[i] = point->settings[i];
    fc_real_text(wanted, exact);
    snprintf(most, sizeof most, "%.0f", 3000 / wanted); /* a coarse run is a short one */
    all[count] = (fc_setting){"simulation.precision", exact};
    all[count + 1] = (fc_setting){"simulation.max_cycles", most};
    const fc_paper_point limited = {"adve-vernon", point->file, all, count + 2, point->methods};
    return fc_paper_scenario(context, &limited, error, scenario);
}

fc_status fc_closed_paper_predict(const fc_paper_context *context, const char *file,
                                  const char *outstanding, const char *think, fc_error *error,
                                  fc_result **result) {
    const fc_setting settings[] = {{"traffic.outstanding", outstanding},
                                   {"traffic.think_time", think}};
    static const char *const models[] = {"adve-vernon"};
    const fc_paper_point point = {NULL, file, settings, 2, {models, 1, false}};
    fc_scenario *scenario;
    fc_status status = fc_closed_paper_scenario(context, 0.02, &point, error, &scenario);
    if (status != FC_OK)
        return status;
    status = fc_predict(scenario, "adve-vernon", error, result);
    fc_scenario_free(scenario);
    return status;
}

double fc_closed_column_channel(const fc_result *result, int x, size_t row, bool south, bool high,
                                size_t column) {
    const fc_table *channels = fc_result_table(result, "channels");
    char label[40];
    snprintf(label, sizeof label, "(%d, %zu) %c1 %s", x, row, south ? '+' : '-',
             high ? "high" : "low");
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
    char think[FC_REAL_SIZE], radix[40], outstanding[24];
    fc_setting settings[FC_CURVE_SETTINGS + 4];
    size_t count = 0;
    if (figure->abscissa == FC_BY_RATE || curve->think > 0) {
        fc_real_text(curve->think > 0 ? curve->think : 1 / x, think);
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
    const fc_paper_point point = {NULL,
                                  curve->file,
                                  settings,
                                  count,
                                  {&curve->method, curve->method != NULL, !curve->method}};
    return fc_closed_paper_scenario(context, 0.02, &point, error, scenario);
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

static void add_panel(fc_report *report, const fc_closed_figure *figure, const char *title,
                      size_t first, size_t count, fc_ordinates y) {
    const char *columns[FC_CURVES_MAX + 1] = {figure->x_label};
    const double scale = figure->x_scale > 0 ? figure->x_scale : 1;
    double x[FC_ABSCISSAE_MAX];
    fc_plot *plot = fc_plot_create(title, figure->x_label, figure->y_label);
    for (size_t i = 0; i < figure->points; ++i)
        x[i] = figure->x[i] * scale;
    for (size_t c = first; c < first + count; ++c) {
        const fc_paper_curve *curve = &figure->curves[c];
        columns[c - first + 1] = curve->label;
        fc_plot_add_series(
            plot, &(fc_series){.label = curve->label,
                               .style = curve->method ? FC_STYLE_LINE : FC_STYLE_LINE_POINTS,
                               .x = x,
                               .y = y[c],
                               .count = figure->points});
    }
    fc_report_add_table(report, title, columns, count + 1);
    fc_report_set_keys(report, 1, false);
    for (size_t i = 0; i < figure->points; ++i) {
        fc_report_row(report);
        fc_report_cell_number(report, x[i], 3);
        for (size_t c = first; c < first + count; ++c)
            fc_report_cell_number(report, y[c][i], 4);
    }
    fc_report_add_plot(report, plot);
}

static void add_figure(fc_report *report, const fc_closed_figure *figure, fc_ordinates y) {
    size_t first = 0;
    if (figure->panels[0].curves == 0)
        add_panel(report, figure, figure->title, 0, figure->curve_count, y);
    for (size_t p = 0; p < FC_PANELS_MAX; first += figure->panels[p++].curves) {
        char title[160];
        snprintf(title, sizeof title, "%s: %s", figure->title, figure->panels[p].title);
        if (figure->panels[p].curves > 0)
            add_panel(report, figure, title, first, figure->panels[p].curves, y);
    }
}

fc_status fc_closed_figure_evaluate(const fc_paper_context *context, const fc_closed_figure *figure,
                                    fc_error *error, fc_ordinates y) {
    for (size_t c = 0; c < figure->curve_count; ++c) {
        const fc_status status = evaluate_curve(context, figure, &figure->curves[c], error, y[c]);
        if (status != FC_OK)
            return status;
    }
    if (figure->adjust)
        figure->adjust(y);
    return FC_OK;
}

fc_status fc_closed_figure_draw(const fc_paper_context *context, const fc_closed_figure *figure,
                                fc_error *error, fc_report *report, fc_ordinates y) {
    const fc_status status = fc_closed_figure_evaluate(context, figure, error, y);
    if (status == FC_OK)
        add_figure(report, figure, y);
    return status;
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

static const char memory_reading[] =
    "a read takes the memory 4 cycles, a write 8 until its acknowledgement (the data flits; the "
    "text "
    "says L of the write, 11) and either keeps it busy for 4. The printed figure has no numbers: "
    "its "
    "curves are those of the paper's own model, or of our simulator where the paper simulates.";
static const char infinite_reading[] =
    "the report leaves the equations for infinite buffers to its reference [22]; ours are "
    "first-come-first-served links with a cycle of service per flit. Memory as in table 4.2b.";
static const char hot_reading[] =
    "the hot node is [2,2], as footnote 9 says; F_hot goes to it, the rest to all others alike. "
    "Nodes "
    "are (column, row) here and (row, column) in the paper, which is the same for this one.";

#define FIGURE(name, title, figure, reading)                                                       \
    { {name, title}, run_figure, &(figure), reading }
static const fc_paper_item items[] = {
    {{"table-4.2a", "efficiency and network time, 4x4 torus"},
     .run = fc_adve_vernon_table_42a,
     .reading = "the caption says a single link from the node to its switch, but both columns are "
                "those of one link per outgoing virtual channel, with a memory that takes 12 "
                "cycles for a read. The times that the model's memory is busy, 11 and 8 cycles, "
                "were fitted to the model's column: the text gives no such numbers. tau = 5 is "
                "outside of the range that table 4.1 gives."},
    {{"table-4.2b", "efficiency and network time, 8x8 torus"},
     .run = fc_adve_vernon_table_42b,
     .reading = "a read takes the memory 4 cycles, a write 8; the simulated memory is busy for 4 "
                "with either, the model's for the whole access. tau = 33.3 is 1 / 0.03. The paper "
                "averages the model's network time over processors and the simulated one over "
                "requests; so do the errors here, and a column has the model's over requests."},
    {{"table-4.3", "largest and smallest efficiency, 8x8 torus"},
     .run = fc_adve_vernon_table_43,
     .reading = "the simulated columns have the slow memory of table 4.2a, the analytical ones the "
                "fast memory. Largest and smallest of 64 estimates depend on the length of the "
                "run, which the paper does not tell."},
    {{"table-4.4a", "efficiency of each processor, unidirectional torus"},
     .run = fc_adve_vernon_table_44a,
     .reading =
         "channels are twice as wide, so messages have half the length. Rows and columns are "
         "the paper's: row i, column j is node (j, i) in other output."},
    {{"table-4.4b", "efficiency of each processor, bidirectional torus"},
     .run = fc_adve_vernon_table_44b,
     .reading = "the model's memory, as in table 4.3. Rows and columns are the paper's: row i, "
                "column j is node (j, i) in other output."},
    {{"figure-2.4", "traffic on the high and low virtual channels of a column"},
     .run = fc_adve_vernon_figure_24,
     .reading = "a message to a higher row crosses the link out of row 0, so digits decrease along "
                "a link (direction: decreasing). tau is so long that all processors send alike."},
    FIGURE("figure-4.1", "efficiency of the baseline system", fc_adve_vernon_figure_41,
           "without contention a round trip takes tau + 2 h + 12.4 + 2 + 4.8 cycles, h the mean "
           "distance. Memory as in table 4.2b."),
    FIGURE("figure-4.2", "scalability of the baseline system", fc_adve_vernon_figure_42,
           infinite_reading),
    FIGURE("figure-4.3", "several outstanding requests", fc_adve_vernon_figure_43,
           infinite_reading),
    FIGURE("figure-4.4", "scalability with 4 outstanding requests", fc_adve_vernon_figure_44,
           infinite_reading),
    FIGURE("figure-4.5a", "torus against mesh", fc_adve_vernon_figure_45a, memory_reading),
    FIGURE("figure-4.5b", "bidirectional against unidirectional torus", fc_adve_vernon_figure_45b,
           memory_reading),
    FIGURE("figure-4.6a", "communication locality, one outstanding request",
           fc_adve_vernon_figure_46a, infinite_reading),
    {{"figure-4.6b", "communication locality, four outstanding requests"},
     .run = fc_adve_vernon_figure_46b,
     .reading = "the text says 1/tau = 0.4 and means 0.04, as in figure 4.6a. Infinite buffers as "
                "in figure 4.2."},
    FIGURE("figure-4.7", "hot spots, one node link", fc_adve_vernon_figure_47, hot_reading),
    FIGURE("figure-4.8", "hot spots, several node links", fc_adve_vernon_figure_48, hot_reading),
    FIGURE("figure-4.9", "response times to hot and other processors", fc_adve_vernon_figure_49,
           hot_reading),
    FIGURE("figure-4.10", "flit rate to the hot node, blocking and non-blocking processors",
           fc_adve_vernon_figure_410,
           "the rate is the one at which processors issue requests. One that never blocks issues "
           "one every tau cycles, whatever the network does: that curve needs no simulation, and "
           "beyond what the hot node takes its requests pile up without end."),
    FIGURE("figure-4.11", "imbalance between processors", fc_adve_vernon_figure_411,
           memory_reading),
    {{"figure-4.12", "time on the first virtual channel, along a column"},
     .run = fc_adve_vernon_figure_412,
     .reading = "R(c,i) is the mean time from header to tail on channel c of the messages that "
                "enter it from the node on row i of column 3, and mean R(i) counts each channel "
                "that they use once; both by the paper's model."},
    {.run = NULL},
};

const fc_paper fc_paper_adve_vernon = {
    .info = {"adve-vernon", "V. S. Adve, M. K. Vernon: Performance Analysis of Mesh "
                            "Interconnection Networks with Deterministic Routing, 1993"},
    .items = items,
    .pages = "docs/papers/adve-vernon.md, docs/theory/torus_closed.md",
};
