/* Figures 2.4 and 4.1 to 4.6: the baseline system, several outstanding requests, topologies and
 * locality. */
#include <math.h>
#include "studies/papers/adve_vernon_paper.h"

static const double radices[] = {4, 8, 12, 16, 24, 32};

#define SINGLE_FLIT "adve-vernon"
#define INFINITE "adve-vernon-infinite"
#define INFINITE_BUFFER                                                                            \
    { "network.buffer", "infinite" }

/* A curve of efficiencies; the last argument: settings beside outstanding requests and tau. */
#define EFFICIENCY(label, file, method, outstanding, tau, ...)                                     \
    {                                                                                              \
        label, file, method, FC_METRIC_EFFICIENCY, outstanding, tau, {                             \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define SINGLE(label, outstanding, tau, ...)                                                       \
    EFFICIENCY(label, "bidirectional", SINGLE_FLIT, outstanding, tau, __VA_ARGS__)
#define UNBOUNDED(label, outstanding, tau, ...)                                                    \
    EFFICIENCY(label, "bidirectional", INFINITE, outstanding, tau, INFINITE_BUFFER, __VA_ARGS__)

/* ---- figure 2.4 ---- */

enum { ROWS = 8 };

static void show_24(fc_report *report, const double *high, const double *low) {
    static const char *const columns[] = {"row", "high, %", "low, %"};
    double row[ROWS];
    fc_report_add_table(report, "Share of the traffic of the links along a column", columns, 3);
    for (size_t r = 0; r < ROWS; ++r) {
        row[r] = (double)r;
        fc_report_row(report);
        fc_report_cell_text(report, "%zu", r);
        fc_report_cell_number(report, high[r], 4);
        fc_report_cell_number(report, low[r], 4);
    }
    fc_plot *plot = fc_plot_create("Traffic on the virtual channels of a column",
                                   "row the link leaves", "share of the link's traffic, %");
    fc_plot_add_series(plot, "high", FC_STYLE_LINE_POINTS, row, high, NULL, ROWS);
    fc_plot_add_series(plot, "low", FC_STYLE_LINE_POINTS, row, low, NULL, ROWS);
    fc_report_add_plot(report, plot);
}

fc_status fc_adve_vernon_figure_24(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    fc_result *result;
    /* Hardly any load: all processors send alike. */
    const fc_status status =
        fc_closed_paper_predict(context, "unidirectional", "1", "1000000", error, &result);
    if (status != FC_OK)
        return status;
    double high[ROWS], low[ROWS];
    for (size_t r = 0; r < ROWS; ++r) {
        /* fmax takes the zero where a channel is not used at all */
        high[r] = fmax(0, fc_closed_north_channel(result, 0, r, true, 0));
        low[r] = fmax(0, fc_closed_north_channel(result, 0, r, false, 0));
        const double all = high[r] + low[r];
        high[r] *= 100 / all;
        low[r] *= 100 / all;
    }
    fc_result_free(result);
    show_24(report, high, low);
    char found[96];
    snprintf(found, sizeof found, "%.1f %% high", high[0]);
    fc_report_add_claim(report, "all traffic of the link that leaves row 0 uses the high channel",
                        found, high[0] > 99.999);
    snprintf(found, sizeof found,
             "%.0f %% high at row 2, %.0f %% at row 3; 100 %% and 0 %% at the edges", high[2],
             high[3]);
    fc_report_add_claim(report, "far from the edge the two channels are more evenly used", found,
                        fabs(high[2] - 50) < 20 && fabs(high[3] - 50) < 20);
    return FC_OK;
}

/* ---- figure 4.1 ---- */

/* Efficiency without contention: tau / (tau + 2 h + 12.4 + 2 + 4.8), h the mean distance. */
static double without_contention(double k, double rate) {
    const double hops = 2 * (k / 4) * k * k / (k * k - 1);
    return 100 / (1 + rate * (2 * hops + 12.4 + 2 + 4.8));
}

static const fc_paper_curve curves_41[] = {
    SINGLE("N = 16", "1", 0, {"network.radix", "[4, 4]"}),
    SINGLE("N = 64", "1", 0, {0}),
    SINGLE("N = 16, no contention", "1", 0, {0}),
    SINGLE("N = 64, no contention", "1", 0, {0}),
    UNBOUNDED("N = 64, infinite buffers", "1", 0, {0}),
};

static void adjust_41(fc_ordinates y) {
    for (size_t i = 0; i < FC_CLOSED_RATES; ++i) {
        y[2][i] = without_contention(4, fc_closed_rates[i]);
        y[3][i] = without_contention(8, fc_closed_rates[i]);
    }
}

static void claim_41(fc_report *report, fc_ordinates y) {
    double loss = 0, apart = 0;
    for (size_t i = 0; i < FC_CLOSED_RATES; ++i) {
        loss = fmax(loss, fmax(y[2][i] - y[0][i], y[3][i] - y[1][i]));
        apart = fmax(apart, fabs(y[4][i] - y[1][i]));
    }
    char found[96];
    snprintf(found, sizeof found, "at most %.1f points", loss);
    fc_report_add_claim(report, "contention costs 5 to 10 points of efficiency at most", found,
                        loss <= 10.5);
    snprintf(found, sizeof found, "at most %.1f points apart", apart);
    fc_report_add_claim(report, "infinite buffers give almost the same efficiency", found,
                        apart < 3);
}

const fc_closed_figure fc_adve_vernon_figure_41 = {.title = "Efficiency of the baseline system",
                                                   FC_OVER_RATE(fc_closed_rates),
                                                   FC_EFFICIENCIES(curves_41),
                                                   .adjust = adjust_41,
                                                   .claim = claim_41};

/* ---- figures 4.2 to 4.4: size and outstanding requests ---- */

#define OVER_RADIX                                                                                 \
    .x_label = "radix", .abscissa = FC_BY_RADIX, .x = radices,                                     \
    .points = sizeof radices / sizeof *radices

#define SCALABILITY(outstanding)                                                                   \
    {                                                                                              \
        UNBOUNDED("1/tau = 0.005", outstanding, 200, {0}),                                         \
            UNBOUNDED("1/tau = 0.01", outstanding, 100, {0}),                                      \
            UNBOUNDED("1/tau = 0.02", outstanding, 50, {0}),                                       \
            UNBOUNDED("1/tau = 0.03", outstanding, 1 / 0.03, {0}),                                 \
            UNBOUNDED("1/tau = 0.05", outstanding, 20, {0}),                                       \
    }
static const fc_paper_curve curves_42[] = SCALABILITY("1"), curves_44[] = SCALABILITY("4");

/* Close to linear: the middle lies near the chord from the smallest to the largest network. */
static void claim_42(fc_report *report, fc_ordinates y) {
    double bend = 0;
    for (size_t c = 0; c < 3; ++c) {
        const double chord = y[c][0] + (y[c][5] - y[c][0]) * (16 - 4) / (32 - 4);
        bend = fmax(bend, fabs(y[c][3] - chord));
    }
    char found[96];
    snprintf(found, sizeof found, "at radix 16 at most %.1f points from the chord", bend);
    fc_report_add_claim(report, "efficiency decreases slowly and close to linearly with the radix",
                        found, bend < 7);
}

static void claim_44(fc_report *report, fc_ordinates y) {
    char found[96];
    snprintf(found, sizeof found, "from %.0f %% at radix 4 to %.0f %% at radix 32 at 1/tau = 0.02",
             y[2][0], y[2][5]);
    fc_report_add_claim(report, "with 4 requests efficiency drops sharply for 1/tau >= 0.02", found,
                        y[2][5] < 0.7 * y[2][0]);
}

const fc_closed_figure fc_adve_vernon_figure_42 = {.title = "Scalability, one outstanding request",
                                                   OVER_RADIX,
                                                   FC_EFFICIENCIES(curves_42),
                                                   .claim = claim_42};
const fc_closed_figure fc_adve_vernon_figure_44 = {.title =
                                                       "Scalability, four outstanding requests",
                                                   OVER_RADIX,
                                                   FC_EFFICIENCIES(curves_44),
                                                   .claim = claim_44};

static const double outstanding_43[] = {1, 2, 3, 4, 6, 8};
static const fc_paper_curve curves_43[] = {
    SINGLE("1/tau = 0.01", NULL, 100, {0}),
    SINGLE("1/tau = 0.02", NULL, 50, {0}),
    SINGLE("1/tau = 0.03", NULL, 1 / 0.03, {0}),
    SINGLE("1/tau = 0.05", NULL, 20, {0}),
    UNBOUNDED("1/tau = 0.01, infinite", NULL, 100, {0}),
    UNBOUNDED("1/tau = 0.02, infinite", NULL, 50, {0}),
    UNBOUNDED("1/tau = 0.03, infinite", NULL, 1 / 0.03, {0}),
    UNBOUNDED("1/tau = 0.05, infinite", NULL, 20, {0}),
};

static void claim_43(fc_report *report, fc_ordinates y) {
    char found[128];
    snprintf(found, sizeof found, "1 to 4: %+.1f points, 4 to 8: %+.1f points (1/tau = 0.05)",
             y[3][3] - y[3][0], y[3][5] - y[3][3]);
    fc_report_add_claim(report, "single-flit buffers: N_out beyond 4 does not pay", found,
                        y[3][5] - y[3][3] < 0.35 * (y[3][3] - y[3][0]));
    snprintf(found, sizeof found, "4 to 8: %+.1f points (1/tau = 0.05)", y[7][5] - y[7][3]);
    fc_report_add_claim(report, "infinite buffers: N_out = 8 still pays", found,
                        y[7][5] - y[7][3] > 5);
    snprintf(found, sizeof found, "N_out = 2: %+.1f points, N_out = 4: %+.1f points",
             y[7][1] - y[3][1], y[7][3] - y[3][3]);
    fc_report_add_claim(report, "larger buffers matter more the more requests are outstanding",
                        found, y[7][3] - y[3][3] > y[7][1] - y[3][1] && y[7][1] > y[3][1]);
}

const fc_closed_figure fc_adve_vernon_figure_43 = {.title = "Several outstanding requests, 8x8",
                                                   .x_label = "outstanding requests",
                                                   .abscissa = FC_BY_OUTSTANDING,
                                                   .x = outstanding_43,
                                                   .points = 6,
                                                   FC_EFFICIENCIES(curves_43),
                                                   .claim = claim_43};

/* ---- figure 4.5: topologies ---- */

static const double loads[] = {0.01, 0.02, 0.03, 0.04, 0.05};
enum { LOADS = sizeof loads / sizeof loads[0] };

static const fc_paper_curve curves_45a[] = {
    SINGLE("torus, N_out = 1", "1", 0, {0}),
    SINGLE("torus, N_out = 2", "2", 0, {0}),
    SINGLE("torus, N_out = 4", "4", 0, {0}),
    EFFICIENCY("mesh, N_out = 1 (simulated)", "mesh", NULL, "1", 0, {0}),
    EFFICIENCY("mesh, N_out = 2 (simulated)", "mesh", NULL, "2", 0, {0}),
    EFFICIENCY("mesh, N_out = 4 (simulated)", "mesh", NULL, "4", 0, {0}),
    EFFICIENCY("torus, N_out = 4 (simulated)", "bidirectional", NULL, "4", 0, {0}),
};

static void claim_45a(fc_report *report, fc_ordinates y) {
    double one = 0, four = 0, simulated = 0;
    for (size_t i = 0; i < LOADS; ++i) {
        one = fmax(one, y[0][i] / y[3][i] - 1);
        four = fmax(four, y[2][i] / y[5][i] - 1);
        simulated = fmax(simulated, y[6][i] / y[5][i] - 1);
    }
    char found[160];
    snprintf(found, sizeof found, "at most %.0f %% better", 100 * one);
    fc_report_add_claim(report, "N_out = 1: the wrap-around links bring little", found, one < 0.12);
    snprintf(found, sizeof found, "up to %.0f %% (torus by the model), %.0f %% (both simulated)",
             100 * four, 100 * simulated);
    fc_report_add_claim(report, "N_out = 4: the torus is up to 30 % better", found,
                        four > 0.15 && four < 0.45);
}

const fc_closed_figure fc_adve_vernon_figure_45a = {
    .title = "Torus against mesh with two-flit buffers, 8x8",
    FC_OVER_RATE(loads),
    FC_EFFICIENCIES(curves_45a),
    .claim = claim_45a};

static const fc_paper_curve curves_45b[] = {
    EFFICIENCY("bidirectional, N_out = 1", "bidirectional-even", SINGLE_FLIT, "1", 0, {0}),
    EFFICIENCY("bidirectional, N_out = 2", "bidirectional-even", SINGLE_FLIT, "2", 0, {0}),
    EFFICIENCY("bidirectional, N_out = 4", "bidirectional-even", SINGLE_FLIT, "4", 0, {0}),
    EFFICIENCY("unidirectional, N_out = 1", "unidirectional", SINGLE_FLIT, "1", 0, {0}),
    EFFICIENCY("unidirectional, N_out = 2", "unidirectional", SINGLE_FLIT, "2", 0, {0}),
    EFFICIENCY("unidirectional, N_out = 4", "unidirectional", SINGLE_FLIT, "4", 0, {0}),
};

static void claim_45b(fc_report *report, fc_ordinates y) {
    char found[96];
    snprintf(found, sizeof found, "%.0f %% better at 1/tau = 0.02", 100 * (y[2][1] / y[5][1] - 1));
    fc_report_add_claim(report, "N_out = 4: the bidirectional torus is clearly better", found,
                        y[2][1] > 1.1 * y[5][1]);
}

const fc_closed_figure fc_adve_vernon_figure_45b = {
    .title = "Bidirectional against unidirectional torus, 8x8",
    FC_OVER_RATE(loads),
    FC_EFFICIENCIES(curves_45b),
    .claim = claim_45b};

/* ---- figure 4.6: locality ---- */

#define NEAR(share)                                                                                \
    { "traffic.destinations", "{near-neighbour: " share "}" }
#define LOCALITY(outstanding)                                                                      \
    {                                                                                              \
        UNBOUNDED("F_nn = 0", outstanding, 25, {"traffic.destinations", "uniform"}),               \
            UNBOUNDED("F_nn = 20 %", outstanding, 25, NEAR("0.2")),                                \
            UNBOUNDED("F_nn = 40 %", outstanding, 25, NEAR("0.4")),                                \
            UNBOUNDED("F_nn = 60 %", outstanding, 25, NEAR("0.6")),                                \
            UNBOUNDED("F_nn = 80 %", outstanding, 25, NEAR("0.8")),                                \
            UNBOUNDED("F_nn = 0, 1/tau = 0.01", outstanding, 100,                                  \
                      {"traffic.destinations", "uniform"}),                                        \
            UNBOUNDED("F_nn = 80 %, 1/tau = 0.01", outstanding, 100, NEAR("0.8")),                 \
    }
static const fc_paper_curve curves_46a[] = LOCALITY("1"), curves_46b[] = LOCALITY("4");

static void claim_46a(fc_report *report, fc_ordinates y) {
    char found[96];
    snprintf(found, sizeof found, "8x8: %.1f, %.1f, %.1f, %.1f, %.1f %%", y[0][1], y[1][1], y[2][1],
             y[3][1], y[4][1]);
    const double first = y[1][1] - y[0][1], last = y[4][1] - y[3][1];
    fc_report_add_claim(report, "locality improves efficiency, but only gradually", found,
                        first > 0 && last > 0 && y[4][1] - y[0][1] < 15);
}

const fc_closed_figure fc_adve_vernon_figure_46a = {
    .title = "Locality, one outstanding request, 1/tau = 0.04",
    OVER_RADIX,
    FC_EFFICIENCIES(curves_46a),
    .claim = claim_46a};

static const double eight[] = {8};
static const fc_paper_curve curves_single[] = {
    SINGLE("F_nn = 0", "4", 25, {"traffic.destinations", "uniform"}),
    SINGLE("F_nn = 20 %", "4", 25, NEAR("0.2")),
    SINGLE("F_nn = 40 %", "4", 25, NEAR("0.4")),
    SINGLE("F_nn = 60 %", "4", 25, NEAR("0.6")),
    SINGLE("F_nn = 80 %", "4", 25, NEAR("0.8")),
};

fc_status fc_adve_vernon_figure_46b(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    static const fc_closed_figure infinite_buffers = {
        .title = "Locality, four outstanding requests, 1/tau = 0.04",
        OVER_RADIX,
        FC_EFFICIENCIES(curves_46b)};
    static const fc_closed_figure single_flit = {.title = "Single-flit buffers, 8x8",
                                                 .x_label = "radix",
                                                 .abscissa = FC_BY_RADIX,
                                                 .x = eight,
                                                 .points = 1,
                                                 FC_EFFICIENCIES(curves_single)};
    fc_ordinates y, single;
    fc_status status = fc_closed_figure_draw(context, &infinite_buffers, error, report, y);
    if (status == FC_OK)
        status = fc_closed_figure_draw(context, &single_flit, error, report, single);
    if (status != FC_OK)
        return status;
    char found[128];
    snprintf(found, sizeof found, "%.1f %% against %.1f %%", y[3][5], y[0][5]);
    fc_report_add_claim(report,
                        "1024 processors: more than twice the efficiency with F_nn = 60 % as with "
                        "uniform traffic",
                        found, y[3][5] > 2 * y[0][5]);
    snprintf(found, sizeof found,
             "radix 8 to 32: %.0f to %.0f %% at 60 %%, %.0f to %.0f %% at 80 %%", y[3][1], y[3][5],
             y[4][1], y[4][5]);
    fc_report_add_claim(report, "below 70-80 % of locality, N_out = 4 does not scale", found,
                        y[3][5] < 0.8 * y[3][1] && y[4][5] > 0.75 * y[4][1]);
    snprintf(found, sizeof found, "8x8, F_nn = 60 %%: %.0f %% infinite, %.0f %% single-flit",
             y[3][1], single[3][0]);
    fc_report_add_claim(report, "infinite buffers stay clearly better up to F_nn = 70-80 %", found,
                        y[3][1] > single[3][0] + 5);
    return FC_OK;
}
