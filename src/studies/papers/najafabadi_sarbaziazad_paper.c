/* H. H. Najaf-abadi and H. Sarbazi-azad, "An Accurate Combinatorial Model for Performance
 * Prediction of Deterministic Wormhole Routing in Torus Multicomputer Systems": figures 1 and 2.
 *
 * The figures print no numbers, so what can be compared are the statements. Loads are shares of the
 * model's own saturation load. Ejection is shared by as many messages as a channel has virtual
 * channels; buffers hold one flit (the paper does not say). Figure 2 also shows the curve of the
 * paper's reference [16], which the paper does not define; it is left out. */
#include <math.h>
#include "base/decimal.h"
#include "studies/paper_points.h"
#include "registry/result.h"
#include "output/report/report.h"

enum { POINTS_MAX = 40, PAPER = FC_POINT_PAPER, OURS = FC_POINT_OURS };
static const char *const models[] = {"najafabadi-sarbaziazad", "torus-sharing"};

typedef struct curve {
    const char *item;  /* file of the scenario */
    const char *radix; /* "[16, 16]" */
    int channels, flits;
} curve;

static fc_paper_points points_of(const fc_paper_context *context) {
    return (fc_paper_points){context, "najafabadi-sarbaziazad", models, .precision = 0.02};
}

static void add_point(fc_paper_points *points, const curve *c, double rate) {
    char channels[16], flits[16], load[FC_REAL_SIZE];
    snprintf(channels, sizeof channels, "%d", c->channels);
    snprintf(flits, sizeof flits, "%d", c->flits);
    fc_real_text(rate, load);
    const fc_setting settings[] = {{"network.radix", c->radix},
                                   {"network.virtual_channels", channels},
                                   {"network.ejection_channels", channels},
                                   {"traffic.message_flits", flits},
                                   {"traffic.rate", load}};
    fc_paper_points_add(points, c->item, settings, sizeof settings / sizeof *settings);
}

/* NaN: saturated, or not run. */
static double latency(const fc_paper_points *p, size_t point, size_t method, double *half_width) {
    const fc_result *result = p->results[point * FC_POINT_METHODS + method];
    const fc_metric *metric = result && result->outcome != FC_OUTCOME_SATURATED
                                  ? fc_result_find(result, FC_METRIC_LATENCY)
                                  : NULL;
    if (half_width)
        *half_width = metric ? metric->half_width : (double)NAN;
    return metric ? metric->value : (double)NAN;
}

static double error_of(const fc_paper_points *p, size_t point, size_t method) {
    return latency(p, point, method, NULL) / latency(p, point, FC_POINT_SIMULATION, NULL) - 1;
}

static fc_status saturation_of(const fc_paper_context *context, const curve *c, const char *model,
                               fc_error *error, double *load) {
    const fc_paper_context aside = {context->precision, context->settings, NULL, NULL};
    fc_paper_points p = points_of(&aside);
    const fc_saturation_settings settings = {.model = model};
    fc_saturation *rows;
    add_point(&p, c, 1e-4);
    fc_status status = p.status;
    if (status == FC_OK)
        status = fc_saturate(p.scenarios[0], &settings, context->settings, error, &rows);
    else if (error)
        *error = p.error;
    if (status == FC_OK) {
        *load = rows[0].load;
        fc_saturation_free(rows);
    }
    fc_paper_points_free(&p);
    return status;
}

/* ---- what both figures show ---- */

static void start_table(fc_report *report, const char *title) {
    static const char *const columns[] = {"M",
                                          "rate",
                                          "simulation",
                                          "najafabadi-sarbaziazad",
                                          "error",
                                          "torus-sharing",
                                          "error of torus-sharing"};
    fc_report_add_table(report, title, columns, sizeof columns / sizeof *columns);
    fc_report_set_keys(report, 2, false);
}

static void add_row(fc_report *report, const fc_paper_points *p, size_t point, int flits,
                    double rate) {
    double half_width;
    const double simulated = latency(p, point, FC_POINT_SIMULATION, &half_width);
    fc_report_row(report);
    fc_report_cell_number(report, flits, 3);
    fc_report_cell_number(report, rate, 3);
    if (isnan(simulated))
        fc_report_cell_text(report, "saturated");
    else
        fc_report_cell_interval(report, simulated, half_width);
    for (size_t m = PAPER; m <= OURS; ++m) {
        const double predicted = latency(p, point, m, NULL);
        if (isnan(predicted))
            fc_report_cell_text(report, "saturated");
        else
            fc_report_cell_number(report, predicted, 4);
        fc_report_cell_percent(report, error_of(p, point, m));
    }
}

typedef struct model_line {
    const char *label;
    size_t method;
    double highest; /* rate */
} model_line;

/* A model as a fine line up to its saturation. */
static fc_status add_line(fc_plot *plot, const fc_paper_context *context, const curve *c,
                          const model_line *line, fc_error *error) {
    enum { FINE = POINTS_MAX };
    const fc_paper_context aside = {context->precision, context->settings, NULL, NULL};
    fc_paper_points p = points_of(&aside);
    double x[FINE], y[FINE];
    for (size_t i = 0; i < FINE; ++i) {
        x[i] = line->highest * (double)(i + 1) / FINE * 0.999;
        add_point(&p, c, x[i]);
    }
    const fc_status status = fc_paper_points_evaluate(&p, false, error);
    for (size_t i = 0; i < FINE && status == FC_OK; ++i)
        y[i] = latency(&p, i, line->method, NULL);
    if (status == FC_OK)
        fc_plot_add_series(
            plot, &(fc_series){
                      .label = line->label, .style = FC_STYLE_LINE, .x = x, .y = y, .count = FINE});
    fc_paper_points_free(&p);
    return status;
}

static void add_marks(fc_plot *plot, const fc_paper_points *p, size_t first, size_t count,
                      const double *rates, const char *label) {
    double y[POINTS_MAX], width[POINTS_MAX];
    for (size_t i = 0; i < count; ++i)
        y[i] = latency(p, first + i, FC_POINT_SIMULATION, &width[i]);
    fc_plot_add_series(plot, &(fc_series){.label = label,
                                          .style = FC_STYLE_POINTS,
                                          .x = rates,
                                          .y = y,
                                          .half_widths = width,
                                          .count = count});
}

/* ---- figure 1 ---- */

static const int lengths[] = {32, 64, 100};
static const double shares[] = {0.2, 0.4, 0.6, 0.8}; /* of the model's saturation load */
enum { LENGTHS = 3, SHARES = 4 };

typedef struct panel {
    const char *radix, *title;
    int channels;
} panel;

typedef struct accuracy {
    double mean, worst; /* of the latency's error; the worst with its sign */
    size_t compared;
} accuracy;

static accuracy accuracy_of(const fc_paper_points *p, size_t method) {
    accuracy a = {0};
    for (size_t i = 0; i < p->count; ++i) {
        const double error = error_of(p, i, method);
        if (isnan(error))
            continue;
        a.mean += fabs(error);
        ++a.compared;
        a.worst = fabs(error) > fabs(a.worst) ? error : a.worst;
    }
    a.mean /= (double)a.compared;
    return a;
}

static void claim_accuracy(fc_report *report, const fc_paper_points *p, const accuracy *a,
                           const panel *shown) {
    char statement[160], remark[120];
    snprintf(statement, sizeof statement, "%s: good accuracy in the steady-state region",
             shown->title);
    fc_cell_claim good = {{statement, .source = "section 3",
                           .quantity = "latency by the model over the simulated one, less 1",
                           .unit = "%", FC_BETWEEN(-10, 10), .bound = FC_BOUND_OURS,
                           .remark = remark}};
    for (size_t i = 0; i < p->count; ++i)
        fc_cell_claim_add(&good, 100 * error_of(p, i, PAPER),
                          "M = %d, %.0f %% of the model's saturation", lengths[i / SHARES],
                          100 * shares[i % SHARES]);
    snprintf(remark, sizeof remark, "The mean of the errors' sizes is %.1f %%.", 100 * a->mean);
    fc_report_add_cell_claim(report, &good);
}

static void summarise(fc_report *report, const panel *panels, accuracy (*found)[2], size_t count) {
    static const char *const columns[] = {"network",
                                          "points",
                                          "najafabadi-sarbaziazad, mean",
                                          "worst",
                                          "torus-sharing, mean",
                                          "worst of torus-sharing"};
    fc_report_add_table(report, "Errors of the latency", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; ++i) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s", panels[i].title);
        fc_report_cell_number(report, (double)found[i][PAPER].compared, 3);
        for (size_t m = PAPER; m <= OURS; ++m) {
            fc_report_cell_number(report, round(1000 * found[i][m].mean) / 10, 3);
            fc_report_cell_percent(report, found[i][m].worst);
        }
    }
    fc_report_add_text(report,
                       "Means are of the errors' sizes, in percent. The paper's model forecasts "
                       "too little as messages get longer and as dimensions and virtual channels "
                       "are added: it slows a message by what it shares on an average channel, but "
                       "a worm goes at the pace of its slowest one. torus-sharing follows that.");
}

static fc_status plot_panel(const fc_paper_context *context, const panel *shown,
                            const fc_paper_points *p, const double *rates, const double *limits,
                            fc_error *error, fc_report *report) {
    fc_plot *plot = fc_plot_create(shown->title, "rate, messages/node/cycle", "latency, cycles");
    fc_status status = FC_OK;
    for (size_t l = 0; l < LENGTHS && status == FC_OK; ++l) {
        const curve c = {"figure-1", shown->radix, shown->channels, lengths[l]};
        char label[64];
        snprintf(label, sizeof label, "model, M = %d", lengths[l]);
        status = add_line(plot, context, &c, &(model_line){label, PAPER, limits[l]}, error);
        snprintf(label, sizeof label, "simulation, M = %d", lengths[l]);
        add_marks(plot, p, l * SHARES, SHARES, rates + l * SHARES, label);
    }
    fc_report_add_plot(report, plot);
    return status;
}

static fc_status show_panel(const fc_paper_context *context, const panel *shown, fc_error *error,
                            fc_report *report, accuracy *found) {
    fc_paper_points p = points_of(context);
    double rates[LENGTHS * SHARES], limits[LENGTHS];
    fc_status status = FC_OK;
    for (size_t l = 0; l < LENGTHS && status == FC_OK; ++l) {
        const curve c = {"figure-1", shown->radix, shown->channels, lengths[l]};
        status = saturation_of(context, &c, models[PAPER], error, &limits[l]);
        for (size_t s = 0; s < SHARES && status == FC_OK; ++s) {
            rates[l * SHARES + s] = shares[s] * limits[l];
            add_point(&p, &c, rates[l * SHARES + s]);
        }
    }
    if (status == FC_OK)
        status = fc_paper_points_evaluate(&p, true, error);
    if (status == FC_OK) {
        start_table(report, shown->title);
        for (size_t i = 0; i < p.count; ++i)
            add_row(report, &p, i, lengths[i / SHARES], rates[i]);
        status = plot_panel(context, shown, &p, rates, limits, error, report);
        found[PAPER] = accuracy_of(&p, PAPER);
        found[OURS] = accuracy_of(&p, OURS);
        claim_accuracy(report, &p, &found[PAPER], shown);
    }
    fc_paper_points_free(&p);
    return status;
}

/* The latency of an empty network is the message's length and its mean path. */
static fc_status claim_empty(const fc_paper_context *context, fc_error *error, fc_report *report) {
    const curve c = {"figure-1", "[16, 16]", 3, 32};
    fc_paper_points p = points_of(context);
    add_point(&p, &c, 1e-9);
    const fc_status status = fc_paper_points_evaluate(&p, false, error);
    if (status == FC_OK) {
        const double exact = 32 + 15.0 * 256 / 255;
        fc_report_add_claim(
            report,
            &(fc_report_claim){
                "without load a message takes M plus its mean path",
                .quantity = "latency by the model over M plus the mean path, less 1", .unit = "%",
                .value = 100 * (latency(&p, 0, PAPER, NULL) / exact - 1), FC_BETWEEN(-1e-4, 1e-4),
                .bound = "exact, up to the smallest rate that is asked",
                .read_at = "16x16, L = 3, M = 32, a rate of 1e-9"});
    }
    fc_paper_points_free(&p);
    return status;
}

static fc_status figure_1(const fc_paper_context *context, fc_error *error, fc_report *report) {
    static const panel panels[] = {{"[16, 16]", "16x16, L = 3", 3},
                                   {"[16, 16]", "16x16, L = 5", 5},
                                   {"[8, 8, 8]", "8x8x8, L = 3", 3},
                                   {"[8, 8, 8]", "8x8x8, L = 5", 5}};
    enum { PANELS = sizeof panels / sizeof *panels };
    accuracy found[PANELS][2] = {0};
    fc_status status = claim_empty(context, error, report);
    for (size_t i = 0; i < PANELS && status == FC_OK; ++i)
        status = show_panel(context, &panels[i], error, report, found[i]);
    if (status == FC_OK)
        summarise(report, panels, found, PANELS);
    return status;
}

/* ---- figure 2 ---- */

enum { RATES_2 = 9 };
static const double rates_2[RATES_2] = {0.0004, 0.0008,  0.0012, 0.0014, 0.0016,
                                        0.0018, 0.00195, 0.0021, 0.0023};

static fc_status plot_2(const fc_paper_context *context, const fc_paper_points *p,
                        const double *limits, fc_error *error, fc_report *report) {
    const curve c = {"figure-2", "[16, 16]", 5, 32};
    fc_plot *plot =
        fc_plot_create("16x16, L = 5, M = 32", "rate, messages/node/cycle", "latency, cycles");
    fc_status status = FC_OK;
    for (size_t m = PAPER; m <= OURS && status == FC_OK; ++m)
        status = add_line(plot, context, &c, &(model_line){models[m], m, limits[m]}, error);
    add_marks(plot, p, 0, RATES_2, rates_2, "simulation");
    fc_plot_add_marker(plot, "model saturates", limits[PAPER]);
    fc_report_add_plot(report, plot);
    return status;
}

static void claim_saturation(fc_report *report, const fc_paper_points *p, const double *limits) {
    double settled = 0, unsettled = INFINITY;
    for (size_t i = 0; i < RATES_2; ++i) {
        if (isnan(latency(p, i, FC_POINT_SIMULATION, NULL)))
            unsettled = fmin(unsettled, rates_2[i]);
        else if (isinf(unsettled))
            settled = rates_2[i];
    }
    char remark[160];
    snprintf(
        remark, sizeof remark,
        "The simulation settles at %.5f and no longer at %.5f; torus-sharing saturates at %.5f.",
        settled, unsettled, limits[OURS]);
    fc_report_add_claim(
        report,
        &(fc_report_claim){
            "the saturation point is close to that of the simulation", .source = "section 3",
            .quantity = "saturation load of the model over the simulated one, less "
                        "1",
            .unit = "%", .value = 100 * (limits[PAPER] / (0.5 * (settled + unsettled)) - 1),
            FC_BETWEEN(-10, 10), .bound = FC_BOUND_OURS,
            .read_at = "the middle between the two simulated rates around it", .remark = remark});
}

static fc_status figure_2(const fc_paper_context *context, fc_error *error, fc_report *report) {
    const curve c = {"figure-2", "[16, 16]", 5, 32};
    fc_paper_points p = points_of(context);
    double limits[2];
    fc_status status = saturation_of(context, &c, models[PAPER], error, &limits[PAPER]);
    if (status == FC_OK)
        status = saturation_of(context, &c, models[OURS], error, &limits[OURS]);
    for (size_t i = 0; i < RATES_2; ++i)
        add_point(&p, &c, rates_2[i]);
    if (status == FC_OK)
        status = fc_paper_points_evaluate(&p, true, error);
    if (status == FC_OK) {
        start_table(report, "16x16, L = 5, M = 32");
        for (size_t i = 0; i < RATES_2; ++i)
            add_row(report, &p, i, c.flits, rates_2[i]);
        status = plot_2(context, &p, limits, error, report);
        claim_saturation(report, &p, limits);
    }
    fc_paper_points_free(&p);
    return status;
}

static const fc_paper_item items[] = {
    {{"figure-1", "latency over the rate: 16x16 and 8x8x8, L = 3 and 5, M = 32, 64 and 100"},
     .run = figure_1,
     .reading =
         "buffers hold one flit and ejection is shared by as many messages as a channel has "
         "virtual channels (the paper does not say); P_j of the waiting messages, the mean "
         "path and the digits of the exponents are read as docs/theory/torus_open.md says. "
         "Rates are 20, 40, 60 and 80 % of the load at which the paper's model saturates: it "
         "prints no numbers."},
    {{"figure-2", "latency over the rate up to saturation: 16x16, L = 5, M = 32"},
     .run = figure_2,
     .reading = "as figure 1. The third curve, the model of reference [16], is left out: the paper "
                "does not define it."},
    {.run = NULL},
};

const fc_paper fc_paper_najafabadi_sarbaziazad = {
    .info = {"najafabadi-sarbaziazad",
             "H. H. Najaf-abadi and H. Sarbazi-azad: An Accurate Combinatorial Model for "
             "Performance Prediction of Deterministic Wormhole Routing in Torus Multicomputer "
             "Systems"},
    .items = items,
    .pages = "docs/papers/najafabadi-sarbaziazad.md, docs/theory/torus_open.md",
};
