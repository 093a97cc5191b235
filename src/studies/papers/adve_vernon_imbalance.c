/* Figures 4.11 and 4.12: what the virtual channels' unequal loads do to the processors. */
#include <math.h>
#include "studies/papers/adve_vernon_paper.h"

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
    char found[128];
    snprintf(found, sizeof found, "%.2f bidirectional, %.2f unidirectional", most[5], most[2]);
    fc_report_add_claim(report,
                        "with N_out = 4 the imbalance reaches about 1.5 in the bidirectional and "
                        "about 4 in the unidirectional torus",
                        found, most[5] > 1.3 && most[5] < 2.2 && most[2] > 2.5);
    fc_report_add_claim(report, "the imbalance is much larger in the unidirectional torus", found,
                        most[2] > 1.5 * most[5]);
}

const fc_closed_figure fc_adve_vernon_figure_411 = {.title =
                                                        "Largest over smallest efficiency, 8x8",
                                                    FC_OVER_RATE(fc_closed_rates),
                                                    .y_label = "ratio",
                                                    FC_CURVES(curves_411),
                                                    .claim = claim_411};

/* ---- figure 4.12 ---- */

enum { ROWS = 8 };

typedef struct column { /* of the torus, by row */
    double north_high[ROWS], north_low[ROWS], link_wait[ROWS];
} column;

static fc_status evaluate_column(const fc_paper_context *context, const char *file,
                                 const char *think, fc_error *error, column *c) {
    fc_result *result;
    const fc_status status = fc_closed_paper_predict(context, file, "4", think, error, &result);
    if (status != FC_OK)
        return status;
    const fc_table *nodes = fc_result_table(result, "nodes");
    for (size_t row = 0; row < ROWS; ++row) {
        c->north_high[row] = fc_closed_north_channel(result, 3, row, true, 1);
        c->north_low[row] = fc_closed_north_channel(result, 3, row, false, 1);
        c->link_wait[row] = nodes ? nodes->values[(row * 8 + 3) * nodes->columns + 1] : (double)NAN;
    }
    fc_result_free(result);
    return FC_OK;
}

static void add_column(fc_report *report, const char *title, const column *c) {
    static const char *const columns[] = {"row", "wait for the high channel north",
                                          "wait for the low channel north",
                                          "wait for the node link"};
    double row[ROWS];
    fc_report_add_table(report, title, columns, 4);
    for (size_t i = 0; i < ROWS; ++i) {
        row[i] = (double)i;
        fc_report_row(report);
        fc_report_cell_text(report, "%zu", i);
        fc_report_cell_number(report, c->north_high[i], 3);
        fc_report_cell_number(report, c->north_low[i], 3);
        fc_report_cell_number(report, c->link_wait[i], 3);
    }
    fc_plot *plot = fc_plot_create(title, "row", "cycles");
    fc_plot_add_series(plot, "high channel north", FC_STYLE_LINE_POINTS, row, c->north_high, NULL,
                       ROWS);
    fc_plot_add_series(plot, "low channel north", FC_STYLE_LINE_POINTS, row, c->north_low, NULL,
                       ROWS);
    fc_plot_add_series(plot, "node link", FC_STYLE_LINE_POINTS, row, c->link_wait, NULL, ROWS);
    fc_report_add_plot(report, plot);
}

fc_status fc_adve_vernon_figure_412(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    column unidirectional, bidirectional;
    fc_status status = evaluate_column(context, "unidirectional", "50", error, &unidirectional);
    if (status == FC_OK)
        status = evaluate_column(context, "bidirectional", "25", error, &bidirectional);
    if (status != FC_OK)
        return status;
    fc_report_add_text(report,
                       "The paper draws the time a message spends on its first virtual channel; "
                       "the waits for the channels and for the node link tell the same story.");
    add_column(report, "Column 3, unidirectional, N_out = 4, 1/tau = 0.02", &unidirectional);
    add_column(report, "Column 3, bidirectional, N_out = 4, 1/tau = 0.04", &bidirectional);
    char found[128];
    const double *u = unidirectional.link_wait, *b = bidirectional.link_wait;
    snprintf(found, sizeof found, "rows 3 and 4: %.0f and %.0f cycles; rows 0 and 7: %.0f and %.0f",
             u[3], u[4], u[0], u[7]);
    fc_report_add_claim(report,
                        "unidirectional: the wait for the node link is longest in the middle",
                        found, fmin(u[3], u[4]) > fmax(u[0], u[7]));
    snprintf(found, sizeof found, "rows 0 and 7: %.0f and %.0f cycles; rows 3 and 4: %.0f and %.0f",
             b[0], b[7], b[3], b[4]);
    fc_report_add_claim(report, "bidirectional: it is longest near the edges", found,
                        fmin(b[0], b[7]) > fmax(b[3], b[4]));
    return FC_OK;
}
