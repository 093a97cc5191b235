/* Figures 2.4 and 4.1 to 4.6: the baseline system, several outstanding requests, topologies and
 * locality. */
#include <math.h>
#include <string.h>
#include "studies/papers/adve_vernon.h"

static const double rates[] = {0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05};
enum { RATES = sizeof rates / sizeof rates[0] };
static const double radices[] = {4, 8, 12, 16, 24, 32};
enum { RADICES = sizeof radices / sizeof radices[0] };

#define SINGLE_FLIT "adve-vernon"
#define INFINITE "adve-vernon-infinite"
#define INFINITE_BUFFER                                                                            \
    { "network.buffer", "infinite" }

/* ---- figure 2.4 ---- */

fc_status fc_adve_vernon_figure_24(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    static const char *const columns[] = {"row", "high, %", "low, %"};
    static const char *const models[] = {SINGLE_FLIT, NULL};
    /* Hardly any load: all processors send alike. */
    const fc_setting settings[] = {{"traffic.outstanding", "1"}, {"traffic.think_time", "1000000"}};
    fc_scenario *scenario;
    fc_result *result = NULL;
    fc_status status =
        fc_closed_paper_scenario(context, "unidirectional", 0.02, settings, 2, error, &scenario);
    if (status != FC_OK)
        return status;
    const fc_scenario *const list[] = {scenario};
    status = fc_paper_evaluate(context, list, 1, models, false, error, &result);
    const fc_table *channels = result ? fc_result_table(result, "channels") : NULL;
    double row[8], high[8] = {0}, low[8] = {0};
    for (size_t i = 0; channels && i < channels->rows; ++i) {
        for (size_t r = 0; r < 8; ++r) {
            char label[32];
            row[r] = (double)r;
            snprintf(label, sizeof label, "(0, %zu) -1 high", r);
            if (strcmp(channels->row_labels[i], label) == 0)
                high[r] = channels->values[i * channels->columns];
            snprintf(label, sizeof label, "(0, %zu) -1 low", r);
            if (strcmp(channels->row_labels[i], label) == 0)
                low[r] = channels->values[i * channels->columns];
        }
    }
    fc_result_free(result);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return status;
    fc_report_add_table(report, "Share of the traffic of the links along a column", columns, 3);
    for (size_t r = 0; r < 8; ++r) {
        const double all = high[r] + low[r];
        high[r] *= 100 / all;
        low[r] *= 100 / all;
        fc_report_row(report);
        fc_report_cell_text(report, "%zu", r);
        fc_report_cell_number(report, high[r], 4);
        fc_report_cell_number(report, low[r], 4);
    }
    fc_plot *plot = fc_plot_create("Traffic on the virtual channels of a column",
                                   "row the link leaves", "share of the link's traffic, %");
    if (plot) {
        fc_plot_add_series(plot, "high", FC_STYLE_LINE_POINTS, row, high, NULL, 8);
        fc_plot_add_series(plot, "low", FC_STYLE_LINE_POINTS, row, low, NULL, 8);
        fc_report_add_plot(report, plot);
    }
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

/* ---- figures 4.1 to 4.4 ---- */

/* Efficiency without contention: tau / (tau + 2 h + 12.4 + 2 + 4.8), h the mean distance. */
static double without_contention(double k, double rate) {
    const double hops = 2 * (k / 4) * k * k / (k * k - 1);
    return 100 / (1 + rate * (2 * hops + 12.4 + 2 + 4.8));
}

fc_status fc_adve_vernon_figure_41(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    static const fc_curve curves[] = {
        {"N = 16",
         "bidirectional",
         SINGLE_FLIT,
         "efficiency",
         "1",
         0,
         {{"network.radix", "[4, 4]"}}},
        {"N = 64", "bidirectional", SINGLE_FLIT, "efficiency", "1", 0, {{0}}},
        {"N = 16, no contention", "bidirectional", SINGLE_FLIT, "efficiency", "1", 0, {{0}}},
        {"N = 64, no contention", "bidirectional", SINGLE_FLIT, "efficiency", "1", 0, {{0}}},
        {"N = 64, infinite buffers",
         "bidirectional",
         INFINITE,
         "efficiency",
         "1",
         0,
         {INFINITE_BUFFER}},
    };
    const fc_closed_figure figure = {.title = "Efficiency of the baseline system",
                                     .x_label = "request rate 1/tau",
                                     .y_label = "efficiency, %",
                                     .abscissa = FC_BY_RATE,
                                     .x = rates,
                                     .points = RATES,
                                     .curves = curves,
                                     .curve_count = 5,
                                     .scale = 100};
    fc_ordinates y;
    const fc_status status = fc_closed_figure_evaluate(context, &figure, error, y);
    if (status != FC_OK)
        return status;
    double loss = 0, apart = 0;
    for (size_t i = 0; i < RATES; ++i) {
        y[2][i] = without_contention(4, rates[i]);
        y[3][i] = without_contention(8, rates[i]);
        loss = fmax(loss, fmax(y[2][i] - y[0][i], y[3][i] - y[1][i]));
        apart = fmax(apart, fabs(y[4][i] - y[1][i]));
    }
    fc_closed_figure_add(report, &figure, y);
    char found[96];
    snprintf(found, sizeof found, "at most %.1f points", loss);
    fc_report_add_claim(report, "contention costs 5 to 10 points of efficiency at most", found,
                        loss <= 10.5);
    snprintf(found, sizeof found, "at most %.1f points apart", apart);
    fc_report_add_claim(report, "infinite buffers give almost the same efficiency", found,
                        apart < 3);
    return FC_OK;
}

/* Efficiencies over the radix of the torus: the figure tells its title and its curves. */
static fc_status draw_by_radix(const fc_paper_context *context, fc_closed_figure figure,
                               fc_error *error, fc_report *report, fc_ordinates y) {
    figure.x_label = "radix";
    figure.y_label = "efficiency, %";
    figure.abscissa = FC_BY_RADIX;
    figure.x = radices;
    figure.points = RADICES;
    figure.scale = 100;
    const fc_status status = fc_closed_figure_evaluate(context, &figure, error, y);
    if (status == FC_OK)
        fc_closed_figure_add(report, &figure, y);
    return status;
}

static fc_status scalability(const fc_paper_context *context, const char *outstanding,
                             const char *title, fc_error *error, fc_report *report,
                             fc_ordinates y) {
    fc_curve curves[5] = {{0}};
    static const char *const labels[] = {"1/tau = 0.005", "1/tau = 0.01", "1/tau = 0.02",
                                         "1/tau = 0.03", "1/tau = 0.05"};
    static const double think[] = {200, 100, 50, 1 / 0.03, 20};
    for (size_t c = 0; c < 5; ++c)
        curves[c] = (fc_curve){labels[c],   "bidirectional", INFINITE,         "efficiency",
                               outstanding, think[c],        {INFINITE_BUFFER}};
    const fc_closed_figure figure = {.title = title, .curves = curves, .curve_count = 5};
    return draw_by_radix(context, figure, error, report, y);
}

fc_status fc_adve_vernon_figure_42(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    fc_ordinates y;
    const fc_status status =
        scalability(context, "1", "Scalability, one outstanding request", error, report, y);
    if (status != FC_OK)
        return status;
    /* Close to linear: the middle lies near the chord from the smallest to the largest network. */
    double bend = 0;
    for (size_t c = 0; c < 3; ++c) {
        const double chord = y[c][0] + (y[c][5] - y[c][0]) * (16 - 4) / (32 - 4);
        bend = fmax(bend, fabs(y[c][3] - chord));
    }
    char found[96];
    snprintf(found, sizeof found, "at radix 16 at most %.1f points from the chord", bend);
    fc_report_add_claim(report, "efficiency decreases slowly and close to linearly with the radix",
                        found, bend < 7);
    return FC_OK;
}

fc_status fc_adve_vernon_figure_44(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    fc_ordinates y;
    const fc_status status =
        scalability(context, "4", "Scalability, four outstanding requests", error, report, y);
    if (status != FC_OK)
        return status;
    char found[96];
    snprintf(found, sizeof found, "from %.0f %% at radix 4 to %.0f %% at radix 32 at 1/tau = 0.02",
             y[2][0], y[2][5]);
    fc_report_add_claim(report, "with 4 requests efficiency drops sharply for 1/tau >= 0.02", found,
                        y[2][5] < 0.7 * y[2][0]);
    return FC_OK;
}

fc_status fc_adve_vernon_figure_43(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    static const double outstanding[] = {1, 2, 3, 4, 6, 8};
    static const char *const labels[] = {"1/tau = 0.01", "1/tau = 0.02", "1/tau = 0.03",
                                         "1/tau = 0.05"};
    static const char *const infinite[] = {"1/tau = 0.01, infinite", "1/tau = 0.02, infinite",
                                           "1/tau = 0.03, infinite", "1/tau = 0.05, infinite"};
    static const double think[] = {100, 50, 1 / 0.03, 20};
    fc_curve curves[8] = {{0}};
    for (size_t c = 0; c < 4; ++c) {
        curves[c] = (fc_curve){labels[c], "bidirectional", SINGLE_FLIT, "efficiency",
                               NULL,      think[c],        {{0}}};
        curves[c + 4] = (fc_curve){infinite[c], "bidirectional", INFINITE,         "efficiency",
                                   NULL,        think[c],        {INFINITE_BUFFER}};
    }
    const fc_closed_figure figure = {.title = "Several outstanding requests, 8x8",
                                     .x_label = "outstanding requests",
                                     .y_label = "efficiency, %",
                                     .abscissa = FC_BY_OUTSTANDING,
                                     .x = outstanding,
                                     .points = 6,
                                     .curves = curves,
                                     .curve_count = 8,
                                     .scale = 100};
    fc_ordinates y;
    const fc_status status = fc_closed_figure_evaluate(context, &figure, error, y);
    if (status != FC_OK)
        return status;
    fc_closed_figure_add(report, &figure, y);
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
    return FC_OK;
}

/* ---- figure 4.5: topologies ---- */

static const double loads[] = {0.01, 0.02, 0.03, 0.04, 0.05};
enum { LOADS = sizeof loads / sizeof loads[0] };

fc_status fc_adve_vernon_figure_45a(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    static const fc_curve curves[] = {
        {"torus, N_out = 1", "bidirectional", SINGLE_FLIT, "efficiency", "1", 0, {{0}}},
        {"torus, N_out = 2", "bidirectional", SINGLE_FLIT, "efficiency", "2", 0, {{0}}},
        {"torus, N_out = 4", "bidirectional", SINGLE_FLIT, "efficiency", "4", 0, {{0}}},
        {"mesh, N_out = 1 (simulated)", "mesh", NULL, "efficiency", "1", 0, {{0}}},
        {"mesh, N_out = 2 (simulated)", "mesh", NULL, "efficiency", "2", 0, {{0}}},
        {"mesh, N_out = 4 (simulated)", "mesh", NULL, "efficiency", "4", 0, {{0}}},
        {"torus, N_out = 4 (simulated)", "bidirectional", NULL, "efficiency", "4", 0, {{0}}},
    };
    const fc_closed_figure figure = {.title = "Torus against mesh with two-flit buffers, 8x8",
                                     .x_label = "request rate 1/tau",
                                     .y_label = "efficiency, %",
                                     .abscissa = FC_BY_RATE,
                                     .x = loads,
                                     .points = LOADS,
                                     .curves = curves,
                                     .curve_count = 7,
                                     .scale = 100};
    fc_ordinates y;
    const fc_status status = fc_closed_figure_evaluate(context, &figure, error, y);
    if (status != FC_OK)
        return status;
    fc_closed_figure_add(report, &figure, y);
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
    return FC_OK;
}

fc_status fc_adve_vernon_figure_45b(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    static const char *const outstanding[] = {"1", "2", "4"};
    static const char *const labels[] = {"bidirectional, N_out = 1",  "bidirectional, N_out = 2",
                                         "bidirectional, N_out = 4",  "unidirectional, N_out = 1",
                                         "unidirectional, N_out = 2", "unidirectional, N_out = 4"};
    fc_curve curves[6] = {{0}};
    for (size_t c = 0; c < 6; ++c)
        curves[c] = (fc_curve){labels[c],
                               c < 3 ? "bidirectional-even" : "unidirectional",
                               SINGLE_FLIT,
                               "efficiency",
                               outstanding[c % 3],
                               0,
                               {{0}}};
    const fc_closed_figure figure = {.title = "Bidirectional against unidirectional torus, 8x8",
                                     .x_label = "request rate 1/tau",
                                     .y_label = "efficiency, %",
                                     .abscissa = FC_BY_RATE,
                                     .x = loads,
                                     .points = LOADS,
                                     .curves = curves,
                                     .curve_count = 6,
                                     .scale = 100};
    fc_ordinates y;
    const fc_status status = fc_closed_figure_evaluate(context, &figure, error, y);
    if (status != FC_OK)
        return status;
    fc_closed_figure_add(report, &figure, y);
    char found[96];
    snprintf(found, sizeof found, "%.0f %% better at 1/tau = 0.02", 100 * (y[2][1] / y[5][1] - 1));
    fc_report_add_claim(report, "N_out = 4: the bidirectional torus is clearly better", found,
                        y[2][1] > 1.1 * y[5][1]);
    return FC_OK;
}

/* ---- figure 4.6: locality ---- */

enum { LOCAL = 5 };
static const char *const locality[LOCAL] = {"uniform", "{near-neighbour: 0.2}",
                                            "{near-neighbour: 0.4}", "{near-neighbour: 0.6}",
                                            "{near-neighbour: 0.8}"};

static fc_status locality_figure(const fc_paper_context *context, const char *title,
                                 const char *outstanding, fc_error *error, fc_report *report,
                                 fc_ordinates y) {
    static const char *const labels[] = {"F_nn = 0",
                                         "F_nn = 20 %",
                                         "F_nn = 40 %",
                                         "F_nn = 60 %",
                                         "F_nn = 80 %",
                                         "F_nn = 0, 1/tau = 0.01",
                                         "F_nn = 80 %, 1/tau = 0.01"};
    fc_curve curves[7] = {{0}};
    for (size_t c = 0; c < 7; ++c)
        curves[c] = (fc_curve){
            labels[c],
            "bidirectional",
            INFINITE,
            "efficiency",
            outstanding,
            c < LOCAL ? 25 : 100,
            {INFINITE_BUFFER, {"traffic.destinations", locality[c < LOCAL ? c : 4 * (c - LOCAL)]}}};
    const fc_closed_figure figure = {.title = title, .curves = curves, .curve_count = 7};
    return draw_by_radix(context, figure, error, report, y);
}

fc_status fc_adve_vernon_figure_46a(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    fc_ordinates y;
    const fc_status status = locality_figure(
        context, "Locality, one outstanding request, 1/tau = 0.04", "1", error, report, y);
    if (status != FC_OK)
        return status;
    char found[96];
    snprintf(found, sizeof found, "8x8: %.1f, %.1f, %.1f, %.1f, %.1f %%", y[0][1], y[1][1], y[2][1],
             y[3][1], y[4][1]);
    const double first = y[1][1] - y[0][1], last = y[4][1] - y[3][1];
    fc_report_add_claim(report, "locality improves efficiency, but only gradually", found,
                        first > 0 && last > 0 && y[4][1] - y[0][1] < 15);
    return FC_OK;
}

fc_status fc_adve_vernon_figure_46b(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    static const double eight[] = {8};
    fc_curve curves[LOCAL] = {{0}};
    static const char *const labels[] = {"F_nn = 0", "F_nn = 20 %", "F_nn = 40 %", "F_nn = 60 %",
                                         "F_nn = 80 %"};
    fc_ordinates y, single;
    fc_status status = locality_figure(context, "Locality, four outstanding requests, 1/tau = 0.04",
                                       "4", error, report, y);
    for (size_t c = 0; c < LOCAL; ++c)
        curves[c] = (fc_curve){labels[c],
                               "bidirectional",
                               SINGLE_FLIT,
                               "efficiency",
                               "4",
                               25,
                               {{"traffic.destinations", locality[c]}}};
    const fc_closed_figure figure = {.title = "Single-flit buffers, 8x8",
                                     .x_label = "radix",
                                     .y_label = "efficiency, %",
                                     .abscissa = FC_BY_RADIX,
                                     .x = eight,
                                     .points = 1,
                                     .curves = curves,
                                     .curve_count = LOCAL,
                                     .scale = 100};
    if (status == FC_OK)
        status = fc_closed_figure_evaluate(context, &figure, error, single);
    if (status != FC_OK)
        return status;
    fc_closed_figure_add(report, &figure, single);
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
