/* Figures 4.11 and 4.12: what the virtual channels' unequal loads do to the processors. */
#include <math.h>
#include "studies/papers/adve_vernon_paper.h"
#include "output/report/report.h"

/* ---- figure 4.11 ---- */

#define IMBALANCE(label, file, outstanding)                                                        \
    {                                                                                              \
        label, file, "adve-vernon", FC_METRIC_NONE, outstanding, 0, {                              \
            { 0 }                                                                                  \
        }                                                                                          \
    }

static const fc_paper_curve curves_411[] = {
    IMBALANCE("unidirectional, N_out = 1", "unidirectional", "1"),
    IMBALANCE("unidirectional, N_out = 2", "unidirectional", "2"),
    IMBALANCE("unidirectional, N_out = 4", "unidirectional", "4"),
    IMBALANCE("bidirectional, N_out = 1", "bidirectional", "1"),
    IMBALANCE("bidirectional, N_out = 2", "bidirectional", "2"),
    IMBALANCE("bidirectional, N_out = 4", "bidirectional", "4"),
};

static void claim_411(fc_report *report, fc_ordinates y) {
    double most[6] = {0};
    for (size_t c = 0; c < 6; ++c)
        for (size_t i = 0; i < FC_CLOSED_RATES; ++i)
            most[c] = fmax(most[c], y[c][i]);
    const struct {
        const char *statement;
        double value, paper;
    } reached[] = {
        {"with N_out = 4 the imbalance reaches 1.5 in the bidirectional torus", most[5], 1.5},
        {"with N_out = 4 the imbalance reaches 4.0 in the unidirectional torus", most[2], 4}};
    for (size_t i = 0; i < 2; ++i)
        fc_report_add_claim(
            report, &(fc_report_claim){reached[i].statement, .source = "section 4.8",
                                       .quantity = "largest over smallest efficiency",
                                       .value = reached[i].value,
                                       FC_BETWEEN(0.9 * reached[i].paper, 1.1 * reached[i].paper),
                                       .bound = "the paper's number, within 10 %",
                                       .read_at = "the largest of 7 rates"});
    fc_report_add_claim(
        report,
        &(fc_report_claim){"the imbalance is much larger in the unidirectional torus",
                           .source = "section 4.8",
                           .quantity = "largest imbalance, unidirectional over bidirectional",
                           .value = most[2] / most[5], FC_AT_LEAST(1.5), .bound = FC_BOUND_OURS,
                           .read_at = "N_out = 4, the largest of 7 rates each"});
}

const fc_closed_figure fc_adve_vernon_figure_411 = {.title =
                                                        "Largest over smallest efficiency, 8x8",
                                                    FC_OVER_RATE(fc_closed_rates),
                                                    .y_label = "ratio",
                                                    FC_CURVES(curves_411),
                                                    .claim = claim_411};

/* ---- figure 4.12 ---- */

enum { ROWS = 8, CHANNELS = 4 };

/* Residence times R(c,i) on the first channel of messages from the nodes of a column: north is to
 * the row before, south to the one after. */
typedef struct column {
    double time[CHANNELS][ROWS]; /* NH, NL, SH, SL; NaN where no message goes */
    double mean[ROWS];           /* over the channels, as the paper has it: each counts once */
    double link_wait[ROWS];
    size_t channels; /* 2: unidirectional */
} column;

static const char *const channel_names[CHANNELS] = {"R(NH,i)", "R(NL,i)", "R(SH,i)", "R(SL,i)"};

static fc_status evaluate_column(const fc_paper_context *context, const char *file,
                                 const char *think, fc_error *error, column *c) {
    fc_result *result;
    const fc_status status = fc_closed_paper_predict(context, file, "4", think, error, &result);
    if (status != FC_OK)
        return status;
    const fc_table *nodes = fc_result_table(result, "nodes");
    for (size_t row = 0; row < ROWS; ++row) {
        size_t used = 0;
        c->mean[row] = 0;
        for (size_t n = 0; n < c->channels; ++n) {
            c->time[n][row] = fc_closed_column_channel(result, 3, row, n >= 2, n % 2 == 0, 2);
            if (c->time[n][row] > 0) {
                c->mean[row] += c->time[n][row];
                ++used;
            }
        }
        c->mean[row] /= (double)used;
        c->link_wait[row] = nodes ? nodes->values[(row * 8 + 3) * nodes->columns + 1] : (double)NAN;
    }
    fc_result_free(result);
    return FC_OK;
}

static void add_column(fc_report *report, const char *title, const column *c) {
    const char *columns[CHANNELS + 3] = {"row i"};
    double row[ROWS];
    for (size_t n = 0; n < c->channels; ++n)
        columns[n + 1] = channel_names[n];
    columns[c->channels + 1] = "mean R(i)";
    columns[c->channels + 2] = "W_node(i)";
    fc_report_add_table(report, title, columns, c->channels + 3);
    for (size_t i = 0; i < ROWS; ++i) {
        row[i] = (double)i;
        fc_report_row(report);
        fc_report_cell_text(report, "%zu", i);
        for (size_t n = 0; n < c->channels; ++n)
            fc_report_cell_number(report, c->time[n][i] > 0 ? c->time[n][i] : (double)NAN, 3);
        fc_report_cell_number(report, c->mean[i], 3);
        fc_report_cell_number(report, c->link_wait[i], 3);
    }
    fc_plot *plot = fc_plot_create(title, "row i", "cycles");
    for (size_t n = 0; n < c->channels; ++n) {
        double shown[ROWS];
        for (size_t i = 0; i < ROWS; ++i)
            shown[i] = c->time[n][i] > 0 ? c->time[n][i] : (double)NAN;
        fc_plot_add_series(plot, &(fc_series){.label = channel_names[n],
                                              .style = FC_STYLE_LINE_POINTS,
                                              .x = row,
                                              .y = shown,
                                              .count = ROWS});
    }
    fc_plot_add_series(plot, &(fc_series){.label = "mean R(i)",
                                          .style = FC_STYLE_LINE_POINTS,
                                          .x = row,
                                          .y = c->mean,
                                          .count = ROWS});
    fc_plot_add_series(plot, &(fc_series){.label = "W_node(i)",
                                          .style = FC_STYLE_LINE_POINTS,
                                          .x = row,
                                          .y = c->link_wait,
                                          .count = ROWS});
    fc_report_add_plot(report, plot);
}

/* Least of the inner rows over the most of the outer ones, or the other way round. */
static void claim_place(fc_report *report, const char *statement, const char *quantity,
                        const double *values, bool middle) {
    const double inner[] = {values[3], values[4]}, outer[] = {values[0], values[7]};
    const double *high = middle ? inner : outer, *low = middle ? outer : inner;
    fc_report_add_claim(report,
                        &(fc_report_claim){statement, .source = "section 4.8", .quantity = quantity,
                                           .value = fmin(high[0], high[1]) / fmax(low[0], low[1]),
                                           FC_AT_LEAST(1), .bound = FC_BOUND_PAPER,
                                           .read_at = "rows 3 and 4 against rows 0 and 7"});
}

fc_status fc_adve_vernon_figure_412(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    column unidirectional = {.channels = 2}, bidirectional = {.channels = CHANNELS};
    fc_status status = evaluate_column(context, "unidirectional", "50", error, &unidirectional);
    if (status == FC_OK)
        status = evaluate_column(context, "bidirectional", "25", error, &bidirectional);
    if (status != FC_OK)
        return status;
    add_column(report, "(a) Column 3, unidirectional, N_out = 4, 1/tau = 0.02", &unidirectional);
    add_column(report, "(b) Column 3, bidirectional, N_out = 4, 1/tau = 0.04", &bidirectional);
    claim_place(report, "unidirectional: the mean R(i) is higher near the middle of the column",
                "mean R(i) in the middle over that at the edges", unidirectional.mean, true);
    claim_place(report, "unidirectional: so is the wait for the node link",
                "W_node(i) in the middle over that at the edges", unidirectional.link_wait, true);
    claim_place(report, "bidirectional: the mean R(i) is higher near the edges",
                "mean R(i) at the edges over that in the middle", bidirectional.mean, false);
    claim_place(report, "bidirectional: so is the wait for the node link",
                "W_node(i) at the edges over that in the middle", bidirectional.link_wait, false);
    return FC_OK;
}
