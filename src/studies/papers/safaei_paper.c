/* F. Safaei, A. Khonsari, M. Fathy, N. Talebanfard, M. Ould-Khaoua, "Communication Prediction of
 * Scouting Switching in Adaptively-Routed Torus Networks": every panel of its Fig. 1.
 *
 * The figure prints no numbers and the text gives one: the model is at most 15 % off around
 * saturation. Each panel is one network size, number of virtual channels and message length, with a
 * curve for each scouting distance. Rates are shares of the saturation load that was simulated for
 * the panel's K = 3 (papers/safaei/saturation.csv; for V = 1 that of the other K differs by up to
 * 12 %), and one point of each curve is at 95 % of the model's own saturation load. */
#include <math.h>
#include "base/decimal.h"
#include "studies/paper.h"
#include "registry/result.h"
#include "output/report/report.h"

enum { DISTANCES = 4, SHARES = 6, OWN = SHARES, ROWS = SHARES + 1, POINTS = DISTANCES * ROWS };
static const int distances[DISTANCES] = {0, 1, 3, 6};
static const double shares[SHARES] = {0.15, 0.3, 0.45, 0.6, 0.75, 0.9};
static const double own_share = 0.95;
static const double steady_share = 0.45; /* what counts as the steady-state region */
static const double near_share = 0.75;   /* from here on, around saturation */
static const double close_enough = 0.1;  /* "closely match" */

static const char *const models[] = {"safaei", "safaei-e0", "scouting-sharing"};
enum { PAPER, PLAIN, OURS, SIMULATION, METHODS };

typedef struct panel {
    int radix, channels, flits;
} panel;

typedef struct points {
    fc_scenario *scenarios[POINTS];
    double rates[POINTS];
    fc_result *results[POINTS * METHODS];
} points;

/* ---- scenarios ---- */

static fc_status make_scenario(const fc_paper_context *context, const panel *shown, int distance,
                               double rate, fc_error *error, fc_scenario **scenario) {
    char radix[32], channels[16], flits[16], lead[16], load[FC_REAL_SIZE], exact[FC_REAL_SIZE],
        most[32];
    const double wanted = context->precision > 0 ? context->precision : 0.02;
    snprintf(radix, sizeof radix, "[%d, %d]", shown->radix, shown->radix);
    snprintf(channels, sizeof channels, "%d", shown->channels);
    snprintf(flits, sizeof flits, "%d", shown->flits);
    snprintf(lead, sizeof lead, "%d", distance);
    fc_real_text(rate, load);
    fc_real_text(wanted, exact);
    snprintf(most, sizeof most, "%.0f", 4000 / wanted); /* a coarse run is a short one */
    const fc_setting settings[] = {
        {"network.radix", radix},         {"network.virtual_channels", channels},
        {"traffic.message_flits", flits}, {"network.scouting_distance", lead},
        {"traffic.rate", load},           {"simulation.precision", exact},
        {"simulation.max_cycles", most},
    };
    const fc_paper_point point = {"safaei",
                                  "figure-1",
                                  settings,
                                  sizeof settings / sizeof *settings,
                                  {models, SIMULATION, true}};
    return fc_paper_scenario(context, &point, error, scenario);
}

static fc_status saturation_of(const fc_scenario *scenario, const char *model, fc_error *error,
                               double *load) {
    const fc_saturation_settings settings = {.model = model};
    fc_saturation *found;
    const fc_status status = fc_saturate(scenario, &settings, NULL, error, &found);
    if (status != FC_OK)
        return status;
    *load = found[0].load;
    fc_saturation_free(found);
    return FC_OK;
}

/* The simulated saturation load of a panel at K = 3. */
static double simulated_saturation(const panel *shown) {
    char start[64];
    snprintf(start, sizeof start, "%d,%d,%d,", shown->radix, shown->channels, shown->flits);
    return fc_paper_number("papers/safaei/saturation.csv", start);
}

/* Searches are no points of the figure. */
static const fc_paper_context aside = {0};

static fc_status choose_rates(const panel *shown, double *rates, fc_error *error) {
    const double simulated = simulated_saturation(shown);
    if (!(simulated > 0))
        return fc_fail(error, FC_ERROR_FILE, "papers/safaei/saturation.csv lacks this panel");
    for (size_t d = 0; d < DISTANCES; ++d) {
        fc_scenario *probe;
        double paper = 0;
        fc_status status = make_scenario(&aside, shown, distances[d], 1e-4, error, &probe);
        if (status != FC_OK)
            return status;
        status = saturation_of(probe, models[PAPER], error, &paper);
        fc_scenario_free(probe);
        if (status != FC_OK)
            return status;
        for (size_t s = 0; s < SHARES; ++s)
            rates[d * ROWS + s] = shares[s] * simulated;
        rates[d * ROWS + OWN] = own_share * paper;
    }
    return FC_OK;
}

static fc_status evaluate(const fc_paper_context *context, const panel *shown, points *p,
                          fc_error *error) {
    fc_status status = choose_rates(shown, p->rates, error);
    for (size_t i = 0; i < POINTS && status == FC_OK; ++i)
        status = make_scenario(context, shown, distances[i / ROWS], p->rates[i], error,
                               &p->scenarios[i]);
    if (status != FC_OK)
        return status;
    const fc_evaluation all = {(const fc_scenario *const *)p->scenarios, POINTS, models, SIMULATION,
                               .simulate = true};
    return fc_evaluate(&all, context->settings, error, p->results);
}

static void release(points *p) {
    for (size_t i = 0; i < POINTS; ++i)
        fc_scenario_free(p->scenarios[i]);
    for (size_t i = 0; i < POINTS * METHODS; ++i)
        fc_result_free(p->results[i]);
}

/* ---- what was found ---- */

static const fc_metric *latency(const points *p, size_t point, int method) {
    const fc_result *result = p->results[point * METHODS + (size_t)method];
    return result && result->outcome == FC_OUTCOME_OK ? fc_result_find(result, FC_METRIC_LATENCY)
                                                      : NULL;
}

static double value(const points *p, size_t point, int method) {
    const fc_metric *found = latency(p, point, method);
    return found ? found->value : (double)NAN;
}

static double error_of(const points *p, size_t point, int method) {
    return value(p, point, method) / value(p, point, SIMULATION) - 1;
}

static void add_table(fc_report *report, const points *p) {
    static const char *const columns[] = {"K",
                                          "share of saturation at K = 3",
                                          "rate",
                                          "safaei",
                                          "simulation",
                                          "error",
                                          "safaei-e0",
                                          "error of safaei-e0",
                                          "scouting-sharing",
                                          "error of scouting-sharing"};
    fc_report_add_table(report, "Latency in cycles", columns, sizeof columns / sizeof *columns);
    fc_report_set_keys(report, 3, false);
    for (size_t i = 0; i < POINTS; ++i) {
        const fc_metric *simulated = latency(p, i, SIMULATION);
        fc_report_row(report);
        fc_report_cell_text(report, "%d", distances[i / ROWS]);
        if (i % ROWS == OWN)
            fc_report_cell_text(report, "%.0f %% of safaei's", 100 * own_share);
        else
            fc_report_cell_text(report, "%.0f %%", 100 * shares[i % ROWS]);
        fc_report_cell_number(report, p->rates[i], 3);
        fc_report_cell_number(report, value(p, i, PAPER), 4);
        if (simulated)
            fc_report_cell_interval(report, simulated->value, simulated->half_width);
        else
            fc_report_cell_text(report, "saturated");
        fc_report_cell_percent(report, error_of(p, i, PAPER));
        fc_report_cell_number(report, value(p, i, PLAIN), 4);
        fc_report_cell_percent(report, error_of(p, i, PLAIN));
        fc_report_cell_number(report, value(p, i, OURS), 4);
        fc_report_cell_percent(report, error_of(p, i, OURS));
    }
}

static void add_series(fc_plot *plot, const points *p, size_t distance) {
    double x[SHARES], y[SHARES], width[SHARES];
    char label[48];
    for (size_t s = 0; s < SHARES; ++s) {
        const fc_metric *simulated = latency(p, distance * ROWS + s, SIMULATION);
        x[s] = p->rates[distance * ROWS + s];
        y[s] = simulated ? simulated->value : (double)NAN;
        width[s] = simulated ? simulated->half_width : 0;
    }
    snprintf(label, sizeof label, "simulation, K = %d", distances[distance]);
    fc_plot_add_series(plot, &(fc_series){.label = label,
                                          .style = FC_STYLE_POINTS,
                                          .x = x,
                                          .y = y,
                                          .half_widths = width,
                                          .count = SHARES});
}

/* The paper's model as a line up to its own saturation. */
static fc_status add_line(fc_plot *plot, const panel *shown, int distance, double highest,
                          fc_error *error) {
    enum { FINE = 40 };
    double x[FINE], y[FINE];
    char label[48];
    for (size_t i = 0; i < FINE; ++i) {
        fc_scenario *scenario;
        fc_result *result;
        x[i] = highest * (double)(i + 1) / FINE;
        fc_status status = make_scenario(&aside, shown, distance, x[i], error, &scenario);
        if (status != FC_OK)
            return status;
        status = fc_predict(scenario, models[PAPER], error, &result);
        fc_scenario_free(scenario);
        if (status != FC_OK)
            return status;
        const fc_metric *found = fc_result_find(result, FC_METRIC_LATENCY);
        y[i] = found ? found->value : (double)NAN;
        fc_result_free(result);
    }
    snprintf(label, sizeof label, "model, K = %d", distance);
    fc_plot_add_series(
        plot, &(fc_series){.label = label, .style = FC_STYLE_LINE, .x = x, .y = y, .count = FINE});
    return FC_OK;
}

static fc_status add_plot(fc_report *report, const panel *shown, const points *p, fc_error *error) {
    char title[80];
    fc_status status = FC_OK;
    snprintf(title, sizeof title, "%dx%d torus, V = %d, M = %d", shown->radix, shown->radix,
             shown->channels, shown->flits);
    fc_plot *plot = fc_plot_create(title, "rate, messages/node/cycle", "latency, cycles");
    for (size_t d = 0; d < DISTANCES && status == FC_OK; ++d) {
        status = add_line(plot, shown, distances[d], p->rates[d * ROWS + OWN] / own_share, error);
        add_series(plot, p, d);
    }
    fc_report_add_plot(report, plot);
    return status;
}

/* ---- claims ---- */

static void add_claims(fc_report *report, const points *p) {
    const double limit =
        fc_paper_number("papers/safaei/published.csv", "figure-1,largest error around saturation,");
    fc_cell_claim steady = {
        {"the model closely matches the simulation in the steady-state regions",
         .source = "section 4", .quantity = "latency by the model over the simulated one, less 1",
         .unit = "%", FC_BETWEEN(-100 * close_enough, 100 * close_enough), .bound = FC_BOUND_OURS,
         .remark = "Points up to 45 % of saturation were looked at."}};
    fc_cell_claim near = {{"errors of at most 15 % around the saturation point",
                           .source = "section 4",
                           .quantity = "latency by the model over the simulated one, less 1",
                           .unit = "%", FC_BETWEEN(-limit, limit), .bound = FC_BOUND_PAPER,
                           .remark = "Points at 75 and 90 % of the simulated saturation load were "
                                     "looked at; none: the model has no solution there."}};
    fc_cell_claim own = near;
    own.claim.statement = "errors of at most 15 % around the model's own saturation point";
    own.claim.remark = "Points at 95 % of the model's saturation load that the simulation settles "
                       "at were looked at.";
    for (size_t i = 0; i < POINTS; ++i) {
        const bool is_own = i % ROWS == OWN;
        const double share = is_own ? own_share : shares[i % ROWS];
        fc_cell_claim *claim = is_own                  ? &own
                               : share <= steady_share ? &steady
                               : share >= near_share   ? &near
                                                       : NULL;
        if (claim && isfinite(value(p, i, SIMULATION)))
            fc_cell_claim_add(claim, 100 * error_of(p, i, PAPER), "K = %d, %.0f %% of saturation",
                              distances[i / ROWS], 100 * share);
    }
    fc_report_add_cell_claim(report, &steady);
    fc_report_add_cell_claim(report, &near);
    fc_report_add_cell_claim(report, &own);
}

static fc_status run_panel(const fc_paper_context *context, fc_error *error, fc_report *report) {
    const panel *shown = context->shown;
    points p = {0};
    fc_status status = evaluate(context, shown, &p, error);
    if (status == FC_OK) {
        add_table(report, &p);
        status = add_plot(report, shown, &p, error);
        add_claims(report, &p);
    }
    release(&p);
    return status;
}

static const char panel_reading[] =
    "safaei is the paper's model with its misprints resolved (docs/theory/scouting.md); safaei-e0 "
    "leaves out the extra visits of equation (3); safaei-literal is the print and is not drawn. "
    "Shares are of the simulated saturation load for K = 3.";

#define PANEL(radix, channels, flits)                                                              \
    {                                                                                              \
        {"figure-1-" #radix "x" #radix "-v" #channels "-m" #flits,                                 \
         #radix "x" #radix ", V = " #channels ", M = " #flits ", K = 0, 1, 3, 6"},                 \
            run_panel, &(const panel){radix, channels, flits}, panel_reading                       \
    }
static const fc_paper_item items[] = {
    PANEL(8, 1, 32),  PANEL(8, 1, 64),  PANEL(8, 6, 32),  PANEL(8, 6, 64), PANEL(16, 1, 32),
    PANEL(16, 1, 64), PANEL(16, 6, 32), PANEL(16, 6, 64), {.run = NULL},
};

const fc_paper fc_paper_safaei = {
    .info = {"safaei",
             "F. Safaei, A. Khonsari, M. Fathy, N. Talebanfard and M. Ould-Khaoua: Communication "
             "Prediction of Scouting Switching in Adaptively-Routed Torus Networks"},
    .items = items,
    .pages = "docs/papers/safaei.md, docs/theory/scouting.md",
};
