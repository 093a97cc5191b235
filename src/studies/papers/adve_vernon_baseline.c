/* Figures 2.4 and 4.1 to 4.6: the baseline system, several outstanding requests, topologies and
 * locality. */
#include <math.h>
#include "studies/papers/adve_vernon_paper.h"
#include "output/report/report.h"

static const double radices[] = {4, 8, 12, 16, 24, 32};
enum { RADICES = sizeof radices / sizeof *radices, SIZE_CURVES = 5 };

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
    fc_plot_add_series(
        plot,
        &(fc_series){
            .label = "high", .style = FC_STYLE_LINE_POINTS, .x = row, .y = high, .count = ROWS});
    fc_plot_add_series(
        plot,
        &(fc_series){
            .label = "low", .style = FC_STYLE_LINE_POINTS, .x = row, .y = low, .count = ROWS});
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
        high[r] = fmax(0, fc_closed_column_channel(result, 0, r, false, true, 0));
        low[r] = fmax(0, fc_closed_column_channel(result, 0, r, false, false, 0));
        const double all = high[r] + low[r];
        high[r] *= 100 / all;
        low[r] *= 100 / all;
    }
    fc_result_free(result);
    show_24(report, high, low);
    fc_report_add_claim(
        report,
        &(fc_report_claim){"all traffic of the link that leaves row 0 uses the high channel",
                           .source = "section 2.4", .quantity = "share of the high channel",
                           .unit = "%", .value = high[0], FC_AT_LEAST(100), .bound = FC_BOUND_PAPER,
                           .read_at = "row 0"});
    fc_cell_claim even = {{"far from the edge the two channels are more evenly used",
                           .source = "section 2.4",
                           .quantity = "distance of the high channel's share from one half",
                           .unit = "points", FC_AT_MOST(20), .bound = FC_BOUND_OURS}};
    for (size_t r = 2; r < 4; ++r)
        fc_cell_claim_add(&even, fabs(high[r] - 50), "row %zu (rows 2 and 3 were looked at)", r);
    fc_report_add_cell_claim(report, &even);
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
    fc_cell_claim loss = {{"the loss to contention is about 5 to 10 points of efficiency",
                           .source = "section 4.3",
                           .quantity = "efficiency without contention less efficiency",
                           .unit = "points", FC_AT_MOST(10), .bound = "the paper's upper number"}};
    fc_cell_claim same = {{"infinite buffers give almost the same efficiency, N = 64",
                           .source = "section 4.3", .quantity = "distance of the two efficiencies",
                           .unit = "points", FC_AT_MOST(2), .bound = FC_BOUND_OURS}};
    for (size_t i = 0; i < FC_CLOSED_RATES; ++i) {
        fc_cell_claim_add(&loss, y[2][i] - y[0][i], "N = 16, 1/tau = %g", fc_closed_rates[i]);
        fc_cell_claim_add(&loss, y[3][i] - y[1][i], "N = 64, 1/tau = %g", fc_closed_rates[i]);
        fc_cell_claim_add(&same, fabs(y[4][i] - y[1][i]), "1/tau = %g", fc_closed_rates[i]);
    }
    fc_report_add_cell_claim(report, &loss);
    fc_report_add_cell_claim(report, &same);
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

/* Close to linear: near the chord from the smallest to the largest network. */
static void claim_42(fc_report *report, fc_ordinates y) {
    fc_cell_claim line = {{"efficiency decreases slowly and close to linearly with the radix",
                           .source = "section 4.3",
                           .quantity = "distance from the chord between radix 4 and 32",
                           .unit = "points", FC_AT_MOST(5), .bound = FC_BOUND_OURS}};
    for (size_t c = 0; c < SIZE_CURVES; ++c) {
        for (size_t i = 1; i + 1 < RADICES; ++i) {
            const double along = (radices[i] - 4) / (32 - 4);
            const double chord = y[c][0] + (y[c][RADICES - 1] - y[c][0]) * along;
            fc_cell_claim_add(&line, fabs(y[c][i] - chord), "%s, radix %g", curves_42[c].label,
                              radices[i]);
        }
    }
    fc_report_add_cell_claim(report, &line);
}

static void claim_44(fc_report *report, fc_ordinates y) {
    fc_cell_claim drop = {{"with 4 requests efficiency drops sharply for 1/tau >= 0.02",
                           .source = "section 4.4",
                           .quantity = "efficiency at radix 32 over that at radix 4", .unit = "%",
                           FC_AT_MOST(70), .bound = FC_BOUND_OURS}};
    for (size_t c = 2; c < SIZE_CURVES; ++c)
        fc_cell_claim_add(&drop, 100 * y[c][RADICES - 1] / y[c][0], "%s", curves_44[c].label);
    fc_report_add_cell_claim(report, &drop);
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

static const double outstanding_43[] = {1, 2, 3, 4, 6, 8, 16};
enum { TWO = 1, FOUR = 3, EIGHT = 5, SIXTEEN = 6, RATES_43 = 4, N_144 = 8, N_1024 = 9 };
static const fc_paper_curve curves_43[] = {
    SINGLE("1/tau = 0.01", NULL, 100, {0}),
    SINGLE("1/tau = 0.02", NULL, 50, {0}),
    SINGLE("1/tau = 0.03", NULL, 1 / 0.03, {0}),
    SINGLE("1/tau = 0.05", NULL, 20, {0}),
    UNBOUNDED("1/tau = 0.01, infinite", NULL, 100, {0}),
    UNBOUNDED("1/tau = 0.02, infinite", NULL, 50, {0}),
    UNBOUNDED("1/tau = 0.03, infinite", NULL, 1 / 0.03, {0}),
    UNBOUNDED("1/tau = 0.05, infinite", NULL, 20, {0}),
    UNBOUNDED("N = 144, 0.05, infinite", NULL, 20, {"network.radix", "[12, 12]"}),
    UNBOUNDED("N = 1024, 0.05, infinite", NULL, 20, {"network.radix", "[32, 32]"}),
};

/* What more requests bring, where fewer leave something to gain. */
static void add_gains(fc_cell_claim *claim, fc_ordinates y, size_t first, size_t from, size_t to) {
    for (size_t c = first; c < first + RATES_43; ++c) {
        if (y[c][from] < 95)
            fc_cell_claim_add(claim, y[c][to] - y[c][from], "%s", curves_43[c].label);
    }
    claim->claim.remark = "Rates at which the efficiency is above 95 % before are left out.";
}

static void claim_thresholds(fc_report *report, fc_ordinates y) {
    const fc_report_claim all[] = {
        {"N = 144, infinite buffers: beyond about 8 requests there is little improvement",
         .quantity = "gain in efficiency from 8 to 16 requests",
         .value = y[N_144][SIXTEEN] - y[N_144][EIGHT]},
        {"N = 1024, infinite buffers: beyond about 4 requests there is little improvement",
         .quantity = "gain in efficiency from 4 to 8 requests",
         .value = y[N_1024][EIGHT] - y[N_1024][FOUR]}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        fc_report_claim claim = all[i];
        claim.source = "section 4.4";
        claim.unit = "points";
        claim.low = -INFINITY;
        claim.high = 5;
        claim.bound = FC_BOUND_OURS;
        claim.read_at = "1/tau = 0.05, one cell: the paper does not draw this";
        fc_report_add_claim(report, &claim);
    }
}

static void claim_43(fc_report *report, fc_ordinates y) {
    fc_cell_claim single = {{"single-flit buffers: beyond 4 requests there is no appreciable gain",
                             .source = "section 4.4",
                             .quantity = "gain in efficiency from 4 to 8 requests",
                             .unit = "points", FC_AT_MOST(5), .bound = FC_BOUND_OURS}};
    fc_cell_claim infinite = {{"infinite buffers: up to 8 requests are worthwhile",
                               .source = "section 4.4",
                               .quantity = "gain in efficiency from 4 to 8 requests",
                               .unit = "points", FC_AT_LEAST(5), .bound = FC_BOUND_OURS}};
    fc_cell_claim buffers = {{"larger buffers matter more the more requests are outstanding",
                              .source = "section 4.4",
                              .quantity = "gain by infinite buffers at N_out = 4 less at N_out = 2",
                              .unit = "points", FC_AT_LEAST(0), .bound = FC_BOUND_PAPER,
                              .remark = "1/tau = 0.01 is left out: nothing is left to gain."}};
    add_gains(&single, y, 0, FOUR, EIGHT);
    add_gains(&infinite, y, RATES_43, FOUR, EIGHT);
    for (size_t c = 1; c < RATES_43; ++c) {
        const double *with = y[c + RATES_43], *without = y[c];
        fc_cell_claim_add(&buffers, (with[FOUR] - without[FOUR]) - (with[TWO] - without[TWO]), "%s",
                          curves_43[c].label);
    }
    fc_report_add_cell_claim(report, &single);
    fc_report_add_cell_claim(report, &infinite);
    fc_report_add_cell_claim(report, &buffers);
    claim_thresholds(report, y);
}

const fc_closed_figure fc_adve_vernon_figure_43 = {.title = "Several outstanding requests, 8x8",
                                                   .x_label = "outstanding requests",
                                                   .abscissa = FC_BY_OUTSTANDING,
                                                   .x = outstanding_43,
                                                   .points = 7,
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
    fc_cell_claim one = {{"N_out = 1: the wrap-around links bring only a slight benefit",
                          .source = "section 4.5",
                          .quantity = "efficiency of the torus over that of the mesh, less 1",
                          .unit = "%", FC_AT_MOST(12), .bound = FC_BOUND_OURS}};
    double four = 0, simulated = 0;
    for (size_t i = 0; i < LOADS; ++i) {
        fc_cell_claim_add(&one, 100 * (y[0][i] / y[3][i] - 1), "1/tau = %g", loads[i]);
        four = fmax(four, y[2][i] / y[5][i] - 1);
        simulated = fmax(simulated, y[6][i] / y[5][i] - 1);
    }
    fc_report_add_cell_claim(report, &one);
    fc_report_claim most = {
        "N_out = 4: the torus by the model is up to 30 % better than the mesh, simulated",
        .source = "section 4.5",
        .quantity = "largest gain of the torus",
        .unit = "%",
        .value = 100 * four,
        FC_BETWEEN(25, 35),
        .bound = "the paper's 30, within 5",
        .read_at = "the largest of 5 rates"};
    fc_report_add_claim(report, &most);
    most.statement = "N_out = 4: the torus is up to 30 % better, both simulated";
    most.value = 100 * simulated;
    most.remark = "The paper has no simulated torus in this figure; its model is optimistic there.";
    fc_report_add_claim(report, &most);
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
    fc_cell_claim better = {
        {"with several requests the bidirectional torus is significantly better",
         .source = "section 4.5",
         .quantity = "its efficiency over that of the unidirectional torus, less 1", .unit = "%",
         FC_AT_LEAST(5), .bound = FC_BOUND_OURS,
         .remark = "1/tau = 0.01 is left out: both are near 100 %."}};
    for (size_t i = 1; i < LOADS; ++i) {
        fc_cell_claim_add(&better, 100 * (y[1][i] / y[4][i] - 1), "N_out = 2, 1/tau = %g",
                          loads[i]);
        fc_cell_claim_add(&better, 100 * (y[2][i] / y[5][i] - 1), "N_out = 4, 1/tau = %g",
                          loads[i]);
    }
    fc_report_add_cell_claim(report, &better);
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
enum { LOCALITIES = 5 };
static const fc_paper_curve curves_46a[] = LOCALITY("1"), curves_46b[] = LOCALITY("4");

static void claim_46a(fc_report *report, fc_ordinates y) {
    fc_cell_claim gradual = {{"locality improves efficiency, but only gradually",
                              .source = "section 4.6",
                              .quantity = "gain in efficiency by 20 % more of local traffic",
                              .unit = "points", FC_BETWEEN(0, 5), .bound = FC_BOUND_OURS,
                              .remark = "In the largest networks the last steps bring more."}};
    for (size_t c = 0; c + 1 < LOCALITIES; ++c)
        for (size_t i = 0; i < RADICES; ++i)
            fc_cell_claim_add(&gradual, y[c + 1][i] - y[c][i], "radix %g, from %zu to %zu %%",
                              radices[i], 20 * c, 20 * c + 20);
    fc_report_add_cell_claim(report, &gradual);
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

static void claim_scaling(fc_report *report, fc_ordinates y) {
    fc_report_add_claim(
        report,
        &(fc_report_claim){
            "1024 processors: more than twice the efficiency with F_nn = 60 % as with "
            "uniform traffic",
            .source = "section 4.6", .quantity = "efficiency at F_nn = 60 % over that at 0",
            .value = y[3][RADICES - 1] / y[0][RADICES - 1], FC_AT_LEAST(2), .bound = FC_BOUND_PAPER,
            .read_at = "radix 32, the only cell the statement is about"});
    fc_cell_claim poor = {{"N_out = 4 does not scale well for F_nn below 80 %",
                           .source = "section 4.6",
                           .quantity = "efficiency at radix 32 over that at radix 8", .unit = "%",
                           FC_AT_MOST(75), .bound = FC_BOUND_OURS}};
    for (size_t c = 0; c + 1 < LOCALITIES; ++c)
        fc_cell_claim_add(&poor, 100 * y[c][RADICES - 1] / y[c][1], "F_nn = %zu %%", 20 * c);
    fc_report_add_cell_claim(report, &poor);
    fc_report_add_claim(
        report, &(fc_report_claim){"it scales well for F_nn >= 80 %", .source = "section 4.6",
                                   .quantity = "efficiency at radix 32 over radix 8", .unit = "%",
                                   .value = 100 * y[4][RADICES - 1] / y[4][1], FC_AT_LEAST(85),
                                   .bound = FC_BOUND_OURS, .read_at = "F_nn = 80 %"});
}

/* four, one, single: N_out = 4 and 1 with infinite buffers, and N_out = 4 with single-flit ones. */
static void claim_46b(fc_report *report, fc_ordinates four, fc_ordinates one, fc_ordinates single) {
    claim_scaling(report, four);
    fc_cell_claim buffers = {{"8x8: infinite buffers are significantly better up to 70-80 %",
                              .source = "section 4.6",
                              .quantity = "gain in efficiency by infinite buffers",
                              .unit = "points", FC_AT_LEAST(5), .bound = FC_BOUND_OURS}};
    for (size_t c = 0; c < LOCALITIES; ++c)
        fc_cell_claim_add(&buffers, four[c][1] - single[c][0], "F_nn = %zu %%", 20 * c);
    fc_report_add_cell_claim(report, &buffers);
    fc_cell_claim more = {{"for N > 64, 4 requests instead of 1 pay more at higher locality",
                           .source = "section 4.6",
                           .quantity = "gain in efficiency at F_nn less that at 20 % less of it",
                           .unit = "points", FC_AT_LEAST(0), .bound = FC_BOUND_PAPER}};
    for (size_t c = 1; c < LOCALITIES; ++c) {
        for (size_t i = 2; i < RADICES; ++i)
            fc_cell_claim_add(&more, (four[c][i] - one[c][i]) - (four[c - 1][i] - one[c - 1][i]),
                              "F_nn = %zu %%, radix %g", 20 * c, radices[i]);
    }
    fc_report_add_cell_claim(report, &more);
}

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
    fc_ordinates y, single, one;
    fc_status status = fc_closed_figure_draw(context, &infinite_buffers, error, report, y);
    if (status == FC_OK)
        status = fc_closed_figure_draw(context, &single_flit, error, report, single);
    if (status == FC_OK)
        status = fc_closed_figure_evaluate(context, &fc_adve_vernon_figure_46a, error, one);
    if (status == FC_OK)
        claim_46b(report, y, one, single);
    return status;
}
