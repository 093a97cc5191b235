/* Figures 4.7 to 4.10: hot spots. */
#include <math.h>
#include "studies/papers/adve_vernon_paper.h"

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

static void claim_47(fc_report *report, fc_ordinates y) {
    char found[128];
    snprintf(found, sizeof found, "%.0f to %.0f cycles at 1/tau = 0.02", y[0][2], y[2][2]);
    fc_report_add_claim(report, "N_out = 1: little increase up to F_hot = 10 %", found,
                        y[2][2] < 1.3 * y[0][2]);
    double some = 0, more = 0;
    for (size_t i = 0; i < RATES; ++i) {
        some = fmax(some, y[5][i] / y[4][i] - 1);
        more = fmax(more, y[6][i] / y[4][i] - 1);
    }
    snprintf(found, sizeof found, "up to +%.0f %% at 2.5 %%, up to +%.0f %% at 5 %%", 100 * some,
             100 * more);
    fc_report_add_claim(report, "N_out = 4: about 2.5 % of hot traffic already shows, 5 % a lot",
                        found, some > 0.08 && more > 0.5);
}

const fc_closed_figure fc_adve_vernon_figure_47 = {.title = "Hot spots, one node link",
                                                   FC_OVER_RATE(rates),
                                                   .y_label = response,
                                                   FC_CURVES(curves_47),
                                                   .claim = claim_47};

/* ---- figure 4.8 ---- */

static const fc_paper_curve curves_48[] = {
    RESPONSE("N_out = 1, 10 %", paper, "1", "per-channel", "0.1"),
    RESPONSE("N_out = 1, 20 %", paper, "1", "per-channel", "0.2"),
    RESPONSE("N_out = 4, uniform", paper, "4", "per-channel", "0"),
    RESPONSE("N_out = 4, 5 %", paper, "4", "per-channel", "0.05"),
    RESPONSE("N_out = 4, 10 % (simulated)", NULL, "4", "per-channel", "0.1"),
    RESPONSE("N_out = 4, 20 % (simulated)", NULL, "4", "per-channel", "0.2"),
    RESPONSE("N_out = 4, 10 % (ours)", ours, "4", "per-channel", "0.1"),
    RESPONSE("N_out = 4, 20 % (ours)", ours, "4", "per-channel", "0.2"),
    RESPONSE("N_out = 4, 10 %, one link (simulated)", NULL, "4", "single", "0.1"),
};

static void claim_48(fc_report *report, fc_ordinates y) {
    char found[128];
    snprintf(found, sizeof found, "%.0f instead of %.0f cycles (10 %%, N_out = 4, 1/tau = 0.02)",
             y[4][2], y[8][2]);
    fc_report_add_claim(report, "several links reduce response times where hot spots raised them",
                        found, y[4][2] < 0.9 * y[8][2]);
}

const fc_closed_figure fc_adve_vernon_figure_48 = {
    .title = "Hot spots, several node links",
    .text = "The paper simulated F_hot = 10 % and 20 % at N_out = 4 because its model did not "
            "converge; so do we, with our own model beside.",
    FC_OVER_RATE(rates),
    .y_label = response,
    FC_CURVES(curves_48),
    .claim = claim_48};

/* ---- figure 4.9 ---- */

#define COLD(label, method, outstanding, share)                                                    \
    HOT(label, method, FC_METRIC_RESPONSE_TIME_COLD, outstanding, "per-channel", share)
#define HOTTEST(label, method, outstanding, share)                                                 \
    HOT(label, method, FC_METRIC_RESPONSE_TIME_HOT, outstanding, "per-channel", share)

static const fc_paper_curve curves_49[] = {
    COLD("N_out = 1, 0 %, others", paper, "1", "0"),
    COLD("N_out = 1, 20 %, others", paper, "1", "0.2"),
    HOTTEST("N_out = 1, 20 %, hot", paper, "1", "0.2"),
    COLD("N_out = 4, 0 %, others", paper, "4", "0"),
    COLD("N_out = 4, 5 %, others", paper, "4", "0.05"),
    HOTTEST("N_out = 4, 5 %, hot", paper, "4", "0.05"),
    COLD("N_out = 4, 0 %, others (simulated)", NULL, "4", "0"),
    COLD("N_out = 4, 5 %, others (simulated)", NULL, "4", "0.05"),
    HOTTEST("N_out = 4, 5 %, hot (simulated)", NULL, "4", "0.05"),
};

static void claim_49(fc_report *report, fc_ordinates y) {
    char found[160];
    snprintf(found, sizeof found, "%.0f to %.0f cycles at 1/tau = 0.04", y[0][4], y[1][4]);
    fc_report_add_claim(report, "N_out = 1: traffic to others is not slowed even at F_hot = 20 %",
                        found, y[1][4] < 1.2 * y[0][4]);
    snprintf(found, sizeof found, "at 1/tau = 0.04: %.0f to %.0f (model), %.0f to %.0f (simulated)",
             y[3][4], y[4][4], y[6][4], y[7][4]);
    fc_report_add_claim(report,
                        "N_out = 4: traffic to others is not slowed by a hot spot of 5 % (no tree "
                        "saturation)",
                        found, y[7][4] < 1.05 * y[6][4]);
}

const fc_closed_figure fc_adve_vernon_figure_49 = {
    .title = "Response times to the hot processor and to others",
    FC_OVER_RATE(rates),
    .y_label = response,
    FC_CURVES(curves_49),
    .claim = claim_49};

/* ---- figure 4.10 ---- */

#define RATE(label, outstanding, share)                                                            \
    HOT(label, NULL, FC_METRIC_THROUGHPUT, outstanding, "per-channel", share)

static const fc_paper_curve curves_410[] = {
    RATE("N_out = 1, 5 %", "1", "0.05"),
    RATE("N_out = 4, 5 %", "4", "0.05"),
    RATE("N_out = infinite, 5 %", "infinite", "0.05"),
    RATE("N_out = 1, 10 %", "1", "0.1"),
    RATE("N_out = 4, 10 %", "4", "0.1"),
    RATE("N_out = infinite, 10 %", "infinite", "0.1"),
};

/* From requests per cycle and processor to flits of those that reach the hot node. */
static void adjust_410(fc_ordinates y) {
    const double flits = 0.8 * 3 + 0.2 * 11;
    for (size_t c = 0; c < 6; ++c) {
        const double share = c < 3 ? 0.05 : 0.1;
        const double hot_share = share + (1 - share) / 63;
        for (size_t i = 0; i < RATES; ++i)
            y[c][i] *= hot_share * flits;
    }
}

static void claim_410(fc_report *report, fc_ordinates y) {
    char found[128];
    snprintf(found, sizeof found, "%.4f, %.4f, %.4f at 1/tau = 0.02, F_hot = 5 %%", y[0][2],
             y[1][2], y[2][2]);
    fc_report_add_claim(report,
                        "processors that do not block send the hot node more than N_out = 1 or 4",
                        found, y[2][2] > y[1][2] && y[1][2] > y[0][2]);
}

const fc_closed_figure fc_adve_vernon_figure_410 = {
    .title = "Request flits to the hot node (simulated)",
    .text = "With N_out infinite processors do not wait for replies, and above what the hot node "
            "can take the network never settles; the rates shown are those of the simulated time.",
    FC_OVER_RATE(rates),
    .y_label = "flits per processor and cycle",
    FC_CURVES(curves_410),
    .adjust = adjust_410,
    .claim = claim_410};
