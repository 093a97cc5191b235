/* Figures 4.7 to 4.10: hot spots. */
#include <math.h>
#include "studies/papers/adve_vernon_paper.h"
#include "output/report/report.h"

static const double rates[] = {0.005, 0.01, 0.02, 0.03, 0.04};
enum { RATES = sizeof rates / sizeof rates[0] };

/* A curve over the rate; links: from the node into its switch; share: of the hot traffic. */
#define HOT(label, method, metric, outstanding, links, share)                                      \
    {                                                                                              \
        label, "bidirectional", method, metric, outstanding, 0, {                                  \
            {"network.node_links", links}, {                                                       \
                "traffic.destinations", "{hot-spot: {share: " share ", node: [2, 2]}}"             \
            }                                                                                      \
        }                                                                                          \
    }
#define RESPONSE(label, method, outstanding, links, share)                                         \
    HOT(label, method, FC_METRIC_RESPONSE_TIME, outstanding, links, share)
static const char paper[] = "adve-vernon", ours[] = "closed-two-moment";
static const char response[] = "response time, cycles";

/* ---- figure 4.7 ---- */

static const fc_paper_curve curves_47[] = {
    RESPONSE("N_out = 1, uniform", paper, "1", "single", "0"),
    RESPONSE("N_out = 1, 5 %", paper, "1", "single", "0.05"),
    RESPONSE("N_out = 1, 10 %", paper, "1", "single", "0.1"),
    RESPONSE("N_out = 1, 20 %", paper, "1", "single", "0.2"),
    RESPONSE("N_out = 4, uniform", paper, "4", "single", "0"),
    RESPONSE("N_out = 4, 2.5 %", paper, "4", "single", "0.025"),
    RESPONSE("N_out = 4, 5 %", paper, "4", "single", "0.05"),
};

static double rise(const double *y, const double *base, size_t i) {
    return 100 * (y[i] / base[i] - 1);
}

static void claim_47(fc_report *report, fc_ordinates y) {
    fc_cell_claim little = {{"N_out = 1: very little increase up to F_hot = 10 %",
                             .source = "section 4.7",
                             .quantity = "response time over that of uniform traffic, less 1",
                             .unit = "%", FC_AT_MOST(10), .bound = FC_BOUND_OURS}};
    fc_cell_claim some = {{"N_out = 4: about 2.5 % of hot traffic causes significant increases",
                           .source = "section 4.7",
                           .quantity = "response time over that of uniform traffic, less 1",
                           .unit = "%", FC_AT_LEAST(10), .bound = FC_BOUND_OURS,
                           .remark = "Rates from 0.03 on, where the network limits."}};
    for (size_t i = 0; i < RATES; ++i) {
        fc_cell_claim_add(&little, rise(y[1], y[0], i), "5 %%, 1/tau = %g", rates[i]);
        fc_cell_claim_add(&little, rise(y[2], y[0], i), "10 %%, 1/tau = %g", rates[i]);
        if (rates[i] >= 0.03)
            fc_cell_claim_add(&some, rise(y[5], y[4], i), "1/tau = %g", rates[i]);
    }
    fc_report_add_cell_claim(report, &little);
    fc_report_add_cell_claim(report, &some);
}

const fc_closed_figure fc_adve_vernon_figure_47 = {
    .title = "Hot spots, one node link",
    FC_OVER_RATE(rates),
    .y_label = response,
    FC_CURVES(curves_47),
    .panels = {{"(a) N_out = 1", 4}, {"(b) N_out = 4", 3}},
    .claim = claim_47};

/* ---- figure 4.8 ---- */

enum { MODEL_10 = 4, SIMULATED_5 = 6, SIMULATED_10, SIMULATED_20, OURS_10, OURS_20, ONE_LINK };

static const fc_paper_curve curves_48[] = {
    RESPONSE("N_out = 1, 10 %", paper, "1", "per-channel", "0.1"),
    RESPONSE("N_out = 1, 20 %", paper, "1", "per-channel", "0.2"),
    RESPONSE("N_out = 4, uniform", paper, "4", "per-channel", "0"),
    RESPONSE("N_out = 4, 5 %", paper, "4", "per-channel", "0.05"),
    RESPONSE("N_out = 4, 10 %", paper, "4", "per-channel", "0.1"),
    RESPONSE("N_out = 4, 20 %", paper, "4", "per-channel", "0.2"),
    RESPONSE("N_out = 4, 5 % (simulated)", NULL, "4", "per-channel", "0.05"),
    RESPONSE("N_out = 4, 10 % (simulated)", NULL, "4", "per-channel", "0.1"),
    RESPONSE("N_out = 4, 20 % (simulated)", NULL, "4", "per-channel", "0.2"),
    RESPONSE("N_out = 4, 10 % (ours)", ours, "4", "per-channel", "0.1"),
    RESPONSE("N_out = 4, 20 % (ours)", ours, "4", "per-channel", "0.2"),
    RESPONSE("N_out = 4, 10 %, one link (simulated)", NULL, "4", "single", "0.1"),
};

/* The paper's model where the paper says that it has no solution, and below. */
static void claim_solutions(fc_report *report, fc_ordinates y) {
    size_t solved = 0;
    for (size_t c = MODEL_10; c < MODEL_10 + 2; ++c)
        for (size_t i = 0; i < RATES; ++i)
            solved += isnan(y[c][i]) ? 0 : 1;
    fc_report_add_claim(
        report,
        &(fc_report_claim){"N_out = 4: at F_hot = 10 % and 20 % the model does not converge",
                           .source = "section 4.7, footnote 8",
                           .quantity = "points at which our iteration finds a solution",
                           .value = (double)solved, FC_BETWEEN(0, 0), .bound = FC_BOUND_PAPER,
                           .read_at = "10 points: 2 shares, 5 rates",
                           .remark = "The equations have solutions that the paper's iteration "
                                     "did not find."});
    fc_cell_claim good = {{"for lower F_hot the model agrees well with simulation",
                           .source = "section 4.7, footnote 8",
                           .quantity = "response time by the model over the simulated one, less 1",
                           .unit = "%", FC_BETWEEN(-15, 15), .bound = FC_BOUND_OURS}};
    for (size_t i = 0; i < RATES; ++i)
        fc_cell_claim_add(&good, rise(y[3], y[SIMULATED_5], i), "5 %%, 1/tau = %g", rates[i]);
    fc_report_add_cell_claim(report, &good);
}

static void claim_48(fc_report *report, fc_ordinates y) {
    fc_cell_claim links = {{"several links reduce response times where hot spots raised them",
                            .source = "section 4.7",
                            .quantity = "response time over that with one link, less 1",
                            .unit = "%", FC_AT_MOST(-10), .bound = FC_BOUND_OURS,
                            .remark = "F_hot = 10 %, N_out = 4, both simulated; rates from 0.02 "
                                      "on."}};
    for (size_t i = 0; i < RATES; ++i) {
        if (rates[i] >= 0.02)
            fc_cell_claim_add(&links, rise(y[SIMULATED_10], y[ONE_LINK], i), "1/tau = %g",
                              rates[i]);
    }
    fc_report_add_cell_claim(report, &links);
    claim_solutions(report, y);
}

const fc_closed_figure fc_adve_vernon_figure_48 = {
    .title = "Hot spots, several node links",
    FC_OVER_RATE(rates),
    .y_label = response,
    FC_CURVES(curves_48),
    .panels = {{"(a) N_out = 1", 2}, {"(b) N_out = 4", 10}},
    .claim = claim_48};

/* ---- figure 4.9 ---- */

#define COLD(label, method, outstanding, share)                                                    \
    HOT(label, method, FC_METRIC_RESPONSE_TIME_COLD, outstanding, "per-channel", share)
#define HOTTEST(label, method, outstanding, share)                                                 \
    HOT(label, method, FC_METRIC_RESPONSE_TIME_HOT, outstanding, "per-channel", share)

enum { FREE = 3, FREE_HOT = 4, SIMULATED = 7, SIMULATED_HOT = 11 };

static const fc_paper_curve curves_49[] = {
    COLD("N_out = 1, 0 %, others", paper, "1", "0"),
    COLD("N_out = 1, 20 %, others", paper, "1", "0.2"),
    HOTTEST("N_out = 1, 20 %, hot", paper, "1", "0.2"),
    COLD("N_out = 4, 0 %, others", paper, "4", "0"),
    HOTTEST("N_out = 4, 0 %, hot", paper, "4", "0"),
    COLD("N_out = 4, 5 %, others", paper, "4", "0.05"),
    HOTTEST("N_out = 4, 5 %, hot", paper, "4", "0.05"),
    COLD("N_out = 4, 0 %, others (simulated)", NULL, "4", "0"),
    COLD("N_out = 4, 5 %, others (simulated)", NULL, "4", "0.05"),
    COLD("N_out = 4, 10 %, others (simulated)", NULL, "4", "0.1"),
    COLD("N_out = 4, 20 %, others (simulated)", NULL, "4", "0.2"),
    HOTTEST("N_out = 4, 0 %, hot (simulated)", NULL, "4", "0"),
    HOTTEST("N_out = 4, 5 %, hot (simulated)", NULL, "4", "0.05"),
    HOTTEST("N_out = 4, 10 %, hot (simulated)", NULL, "4", "0.1"),
    HOTTEST("N_out = 4, 20 %, hot (simulated)", NULL, "4", "0.2"),
};

static void claim_trees(fc_report *report, fc_ordinates y) {
    static const int shares[] = {5, 10, 20};
    fc_cell_claim tree = {{"no significant tree saturation with up to four requests, even in the "
                           "presence of severe hot spots",
                           .source = "the abstract; F_hot up to 20 % by table 4.1",
                           .quantity = "simulated response time of others over that at F_hot = 0, "
                                       "less 1",
                           .unit = "%", FC_AT_MOST(10), .bound = FC_BOUND_OURS}};
    for (size_t s = 0; s < 3; ++s)
        for (size_t i = 0; i < RATES; ++i)
            fc_cell_claim_add(&tree, rise(y[SIMULATED + 1 + s], y[SIMULATED], i),
                              "%d %%, 1/tau = %g", shares[s], rates[i]);
    fc_report_add_cell_claim(report, &tree);
}

static void claim_49(fc_report *report, fc_ordinates y) {
    fc_cell_claim one = {{"N_out = 1: others see no significant increase even at F_hot = 20 %",
                          .source = "section 4.7",
                          .quantity = "response time of others over that at F_hot = 0, less 1",
                          .unit = "%", FC_AT_MOST(10), .bound = FC_BOUND_OURS}};
    fc_cell_claim less = {{"N_out = 4: for others it decreases slightly from F_hot = 0 to 5 %",
                           .source = "section 4.7",
                           .quantity = "response time of others over that at F_hot = 0, less 1",
                           .unit = "%", FC_AT_MOST(0), .bound = FC_BOUND_PAPER}};
    fc_cell_claim hot = {{"N_out = 4, F_hot = 0: processor [2,2] is reached sooner than others",
                          .source = "section 4.7, footnote 9",
                          .quantity = "response time of [2,2] over that of others, less 1",
                          .unit = "%", FC_AT_MOST(0), .bound = FC_BOUND_PAPER}};
    for (size_t i = 0; i < RATES; ++i) {
        fc_cell_claim_add(&one, rise(y[1], y[0], i), "1/tau = %g", rates[i]);
        fc_cell_claim_add(&less, rise(y[5], y[FREE], i), "the model, 1/tau = %g", rates[i]);
        fc_cell_claim_add(&less, rise(y[SIMULATED + 1], y[SIMULATED], i),
                          "the simulation, 1/tau = %g", rates[i]);
        if (rates[i] >= 0.03) {
            fc_cell_claim_add(&hot, rise(y[FREE_HOT], y[FREE], i), "the model, 1/tau = %g",
                              rates[i]);
            fc_cell_claim_add(&hot, rise(y[SIMULATED_HOT], y[SIMULATED], i),
                              "the simulation, 1/tau = %g", rates[i]);
        }
    }
    hot.claim.remark = "Rates from 0.03 on, where virtual channels are loaded.";
    fc_report_add_cell_claim(report, &one);
    fc_report_add_cell_claim(report, &less);
    fc_report_add_cell_claim(report, &hot);
    claim_trees(report, y);
}

const fc_closed_figure fc_adve_vernon_figure_49 = {
    .title = "Response times to the hot processor and to others",
    FC_OVER_RATE(rates),
    .y_label = response,
    FC_CURVES(curves_49),
    .panels = {{"(a) N_out = 1", 3}, {"(b) N_out = 4", 12}},
    .claim = claim_49};

/* ---- figure 4.10 ---- */

#define RATE(label, outstanding, share)                                                            \
    HOT(label, NULL, FC_METRIC_THROUGHPUT, outstanding, "per-channel", share)
/* Processors that do not block issue a request every tau cycles: nothing is left to simulate. */
#define ISSUED(label, share) HOT(label, paper, FC_METRIC_THROUGHPUT, "1", "per-channel", share)

static const fc_paper_curve curves_410[] = {
    RATE("N_out = 1, 5 %", "1", "0.05"),     RATE("N_out = 4, 5 %", "4", "0.05"),
    ISSUED("N_out = infinite, 5 %", "0.05"), RATE("N_out = 1, 10 %", "1", "0.1"),
    RATE("N_out = 4, 10 %", "4", "0.1"),     ISSUED("N_out = infinite, 10 %", "0.1"),
};
enum { INFINITE_5 = 2, INFINITE_10 = 5 };

static const double mean_flits = 0.8 * 3 + 0.2 * 11; /* of a request */

/* From requests per cycle and processor to flits of those for the hot node. */
static void adjust_410(fc_ordinates y) {
    for (size_t c = 0; c < 6; ++c) {
        const double share = c < 3 ? 0.05 : 0.1;
        const double hot_share = share + (1 - share) / 63;
        for (size_t i = 0; i < RATES; ++i) {
            if (c == INFINITE_5 || c == INFINITE_10)
                y[c][i] = rates[i];
            y[c][i] *= hot_share * mean_flits;
        }
    }
}

static void claim_410(fc_report *report, fc_ordinates y) {
    fc_cell_claim more = {{"the request rate to the hot module is significantly higher without "
                           "blocking",
                           .source = "section 4.7",
                           .quantity = "rate with N_out infinite over that with N_out = 1 or 4, "
                                       "less 1",
                           .unit = "%", FC_AT_LEAST(10), .bound = FC_BOUND_OURS,
                           .remark = "At low rates processors hardly block with N_out = 4."}};
    for (size_t c = 0; c < 6; ++c) {
        const double *infinite = y[c < 3 ? INFINITE_5 : INFINITE_10];
        for (size_t i = 0; i < RATES && c % 3 != 2; ++i)
            fc_cell_claim_add(&more, rise(infinite, y[c], i), "%s, 1/tau = %g", curves_410[c].label,
                              rates[i]);
    }
    fc_report_add_cell_claim(report, &more);
    fc_cell_claim none = {{"it is never lower", .source = "figure 4.10",
                           .quantity = "rate with N_out infinite over that with N_out = 1 or 4, "
                                       "less 1",
                           .unit = "%", FC_AT_LEAST(-2),
                           .bound = "the paper's 0, less what simulations are uncertain by"}};
    for (size_t c = 0; c < 6; ++c) {
        const double *infinite = y[c < 3 ? INFINITE_5 : INFINITE_10];
        for (size_t i = 0; i < RATES && c % 3 != 2; ++i)
            fc_cell_claim_add(&none, rise(infinite, y[c], i), "%s, 1/tau = %g", curves_410[c].label,
                              rates[i]);
    }
    fc_report_add_cell_claim(report, &none);
}

const fc_closed_figure fc_adve_vernon_figure_410 = {
    .title = "Request flits to the hot node (N_out = 1 and 4 simulated)",
    .abscissa = FC_BY_RATE,
    .x = rates,
    .points = RATES,
    .x_label = "input rate 1/tau x mean request length, flits/processor/cycle",
    .x_scale = 4.6,
    .y_label = "flits per processor and cycle to the hot node",
    FC_CURVES(curves_410),
    .panels = {{"F_hot = 5 %", 3}, {"F_hot = 10 %", 3}},
    .adjust = adjust_410,
    .claim = claim_410};
