/* V. C. Hamacher and H. Jiang, "Performance and Configuration of Hierarchical Ring Networks for
 * Multiprocessors": figures 4 to 9 and every statement made in words about them.
 *
 * The figures print no numbers, so what can be compared are the statements. The series shown hold
 * the points the text speaks of; where the text does not name a series, the choice is stated. */
#include "studies/papers/hamacher_jiang_paper.h"
#include "output/report/report.h"

#include <math.h>
#include "base/decimal.h"

static const char *const point_columns[] = {"global utilisation", "hamacher-jiang",
                                            "simulation",         "error",
                                            "ring-trains",        "error of ring-trains"};
enum { POINT_COLUMNS = 6, SERIES_MAX = 16, RATES = 5 };
static const double rates[RATES] = {0.001, 0.002, 0.003, 0.004, 0.005}; /* figures 4 and 6 */

/* The cells of point_columns. */
static void add_point_cells(fc_report *report, const fc_paper_points *points, size_t point) {
    fc_report_cell_number(report, fc_ring_utilisation(points, point, true), 3);
    fc_report_cell_number(
        report, fc_paper_points_value(points, point, FC_POINT_PAPER, FC_METRIC_LATENCY), 4);
    fc_report_cell_interval(
        report, fc_paper_points_value(points, point, FC_POINT_SIMULATION, FC_METRIC_LATENCY),
        fc_paper_points_half_width(points, point, FC_METRIC_LATENCY));
    fc_report_cell_percent(report,
                           fc_paper_points_error(points, point, FC_POINT_PAPER, FC_METRIC_LATENCY));
    fc_report_cell_number(
        report, fc_paper_points_value(points, point, FC_POINT_OURS, FC_METRIC_LATENCY), 4);
    fc_report_cell_percent(report,
                           fc_paper_points_error(points, point, FC_POINT_OURS, FC_METRIC_LATENCY));
}

static void start_point_table(fc_report *report, const char *title, const char *first,
                              const char *second) {
    const char *columns[POINT_COLUMNS + 2] = {first, second};
    for (size_t i = 0; i < POINT_COLUMNS; ++i)
        columns[i + 2] = point_columns[i];
    fc_report_add_table(report, title, columns, POINT_COLUMNS + 2);
    fc_report_set_keys(report, 2, false);
}

/* The simulation as points over the given x values. */
static void add_marks(fc_plot *plot, const fc_paper_points *points, size_t first, size_t count,
                      const double *x, const char *label) {
    double marks[SERIES_MAX], widths[SERIES_MAX];
    char text[96];
    for (size_t i = 0; i < count; ++i) {
        marks[i] = fc_paper_points_value(points, first + i, FC_POINT_SIMULATION, FC_METRIC_LATENCY);
        widths[i] = fc_paper_points_half_width(points, first + i, FC_METRIC_LATENCY);
    }
    snprintf(text, sizeof text, "simulation, %s", label);
    fc_plot_add_series(plot, &(fc_series){.label = text,
                                          .style = FC_STYLE_POINTS,
                                          .x = x,
                                          .y = marks,
                                          .half_widths = widths,
                                          .count = count});
}

/* The paper's model as a fine line over rates up to the highest. */
typedef struct line {
    const char *item, *rings, *locality, *label;
    double highest;
} line;

static fc_status add_line(fc_plot *plot, const fc_paper_context *context, const line *drawn,
                          fc_error *error) {
    enum { FINE = 60 };
    const fc_paper_context aside = {context->precision, context->settings, NULL, NULL};
    fc_paper_points points = fc_ring_points(&aside);
    double x[FINE], y[FINE];
    char text[96];
    for (size_t i = 0; i < FINE; ++i) {
        x[i] = drawn->highest * (double)(i + 1) / FINE;
        fc_ring_points_add(&points, drawn->item, drawn->rings, x[i], drawn->locality);
    }
    const fc_status status = fc_paper_points_evaluate(&points, false, error);
    for (size_t i = 0; i < FINE && status == FC_OK; ++i)
        y[i] = fc_paper_points_value(&points, i, FC_POINT_PAPER, FC_METRIC_LATENCY);
    snprintf(text, sizeof text, "model, %s", drawn->label);
    if (status == FC_OK)
        fc_plot_add_series(
            plot,
            &(fc_series){.label = text, .style = FC_STYLE_LINE, .x = x, .y = y, .count = FINE});
    fc_paper_points_free(&points);
    return status;
}

/* ---- figure 4 ---- */

static const double locality_4[] = {0.2, 0.3, 0.5};
static const size_t rates_4[] = {4, 5, 5}; /* how many of the rates above */
enum { SERIES_4 = 3, HIGH_80 = 3, HIGH_90 = 8 };

static void add_points_4(fc_paper_points *points) {
    for (size_t s = 0; s < SERIES_4; ++s) {
        char locality[16];
        snprintf(locality, sizeof locality, "[%g]", locality_4[s]);
        for (size_t r = 0; r < rates_4[s]; ++r)
            fc_ring_points_add(points, "figure-4", NULL, rates[r], locality);
    }
}

static void claim_errors_4(fc_report *report, const fc_paper_points *points) {
    static const struct {
        size_t point;
        const char *statement, *published;
        double within;
    } two[] = {{HIGH_80, "an error of 7 % at a global utilisation of 80 %",
                "error at 80 % utilisation of the global ring", 1.5},
               {HIGH_90, "an error of 14 % at a global utilisation of 90 %",
                "error at 90 % utilisation of the global ring", 2.5}};
    for (size_t i = 0; i < 2; ++i) {
        const double error =
            fc_paper_points_error(points, two[i].point, FC_POINT_PAPER, FC_METRIC_LATENCY);
        const double said = fc_ring_published("figure-4", two[i].published);
        char remark[160], at[120];
        snprintf(remark, sizeof remark,
                 "As a share of the simulation it is %.1f %%; the paper does not say of which.",
                 -100 * error);
        snprintf(at, sizeof at, "P = %g, rate %g: global utilisation %.0f %%", i == 0 ? 0.2 : 0.3,
                 i == 0 ? 0.004 : 0.005, 100 * fc_ring_utilisation(points, two[i].point, true));
        fc_report_add_claim(
            report, &(fc_report_claim){two[i].statement, .source = "section 4",
                                       .quantity = "simulation less model, as a share of the model",
                                       .unit = "%", .value = -100 * error / (1 + error),
                                       FC_BETWEEN(said - two[i].within, said + two[i].within),
                                       .bound = "the paper's number, within what a figure shows",
                                       .read_at = at, .remark = remark});
    }
    fc_cell_claim accurate = {{"the model is very accurate at every other point",
                               .source = "section 4", .quantity = "model over simulation, less 1",
                               .unit = "%", FC_BETWEEN(-3.5, 3.5), .bound = FC_BOUND_OURS}};
    fc_cell_claim first = {{"the global ring saturates before any other ring",
                            .source = "section 4",
                            .quantity = "utilisation of the global over that of a local ring",
                            FC_AT_LEAST(1), .bound = FC_BOUND_PAPER}};
    for (size_t i = 0; i < points->count; ++i) {
        if (i != HIGH_80 && i != HIGH_90)
            fc_cell_claim_add(
                &accurate,
                100 * fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY),
                "point %zu of the table", i + 1);
        fc_cell_claim_add(
            &first, fc_ring_utilisation(points, i, true) / fc_ring_utilisation(points, i, false),
            "point %zu of the table", i + 1);
    }
    fc_report_add_cell_claim(report, &accurate);
    fc_report_add_cell_claim(report, &first);
}

static void claim_causes_4(fc_report *report, const fc_paper_points *points) {
    const double last = fc_ring_published("figure-4", "last rate compared at P = 0.2");
    fc_report_add_claim(
        report, &(fc_report_claim){"at P = 0.2 the system saturates soon after a rate of 0.004",
                                   .source = "section 4",
                                   .quantity = "rate at which the global ring is full",
                                   .unit = "packets/station/tick",
                                   .value = last / fc_ring_utilisation(points, HIGH_80, true),
                                   FC_BETWEEN(last, 1.25 * last),
                                   .bound = "the paper's rate; 'soon': within a quarter, ours",
                                   .read_at = "the model's utilisation at P = 0.2, rate 0.004"});
    fc_cell_claim trains = {
        {"the errors come from trains of full slots on the nearly full global ring",
         .source = "section 4",
         .quantity = "share of the error that is in the wait for a slot of the global ring",
         .unit = "%", FC_AT_LEAST(80), .bound = FC_BOUND_OURS}};
    for (size_t i = 0; i < 2; ++i) {
        const size_t point = i == 0 ? HIGH_80 : HIGH_90;
        const double gap =
            fc_paper_points_value(points, point, FC_POINT_SIMULATION, FC_METRIC_LATENCY) -
            fc_paper_points_value(points, point, FC_POINT_PAPER, FC_METRIC_LATENCY);
        const double waits = fc_ring_part(points, point, FC_POINT_SIMULATION, "up-queue waits") -
                             fc_ring_part(points, point, FC_POINT_PAPER, "up-queue waits");
        fc_cell_claim_add(&trains, 100 * waits / gap, "a global utilisation of %.0f %%",
                          100 * fc_ring_utilisation(points, point, true));
    }
    fc_report_add_cell_claim(report, &trains);
}

static fc_status plot_4(const fc_paper_context *context, const fc_paper_points *points,
                        fc_error *error, fc_report *report) {
    fc_plot *plot =
        fc_plot_create("Two levels, N = 512, L = 16", "rate, packets/station/tick", "delay, ticks");
    fc_status status = FC_OK;
    for (size_t s = 0, point = 0; s < SERIES_4 && status == FC_OK; point += rates_4[s], ++s) {
        char label[24], locality[24];
        snprintf(label, sizeof label, "P = %g", locality_4[s]);
        snprintf(locality, sizeof locality, "[%g]", locality_4[s]);
        const line model = {"figure-4", NULL, locality, label, rates[rates_4[s] - 1]};
        status = add_line(plot, context, &model, error);
        add_marks(plot, points, point, rates_4[s], rates, label);
    }
    fc_report_add_plot(report, plot);
    return status;
}

static fc_status show_4(const fc_paper_context *context, const fc_paper_points *points,
                        fc_error *error, fc_report *report) {
    start_point_table(report, "Delay in ticks", "P", "rate");
    for (size_t s = 0, point = 0; s < SERIES_4; point += rates_4[s], ++s) {
        for (size_t r = 0; r < rates_4[s]; ++r) {
            fc_report_row(report);
            fc_report_cell_number(report, locality_4[s], 2);
            fc_report_cell_number(report, rates[r], 2);
            add_point_cells(report, points, point + r);
        }
    }
    const fc_status status = plot_4(context, points, error, report);
    claim_errors_4(report, points);
    claim_causes_4(report, points);
    return status;
}

static fc_status figure_4(const fc_paper_context *context, fc_error *error, fc_report *report) {
    fc_paper_points points = fc_ring_points(context);
    add_points_4(&points);
    fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK)
        status = show_4(context, &points, error, report);
    fc_paper_points_free(&points);
    return status;
}

/* ---- figure 5 ---- */

enum { SHARES_5 = 9, SAME_80 = 6, SAME_90 = 8 };

/* The share of global packets that loads the global ring as in the two high points of figure 4;
 * both figures have the load N rate P_G / 2. */
static double share_like_figure_4(double stations_4, double rate_4, double share_4) {
    return stations_4 * rate_4 * share_4 / (504 * 0.005);
}

static void add_points_5(fc_paper_points *points, double *shares) {
    static const double round[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0, 0.7, 0};
    for (size_t i = 0; i < SHARES_5; ++i)
        shares[i] = round[i];
    shares[SAME_80] = share_like_figure_4(512, 0.004, 0.8);
    shares[SAME_90] = share_like_figure_4(512, 0.005, 0.7);
    for (size_t i = 0; i < SHARES_5; ++i) {
        char rest[FC_REAL_SIZE], locality[80];
        fc_real_text((1 - shares[i]) / 2, rest);
        snprintf(locality, sizeof locality, "[%s, %s]", rest, rest);
        fc_ring_points_add(points, "figure-5", NULL, 0, locality);
    }
    fc_ring_points_add(points, "figure-4", NULL, 0.004, "[0.2]");
    fc_ring_points_add(points, "figure-4", NULL, 0.005, "[0.3]");
}

static void claim_5(fc_report *report, const fc_paper_points *points) {
    fc_cell_claim agrees = {{"the model agrees very well with the simulation",
                             .source = "section 4", .quantity = "model over simulation, less 1",
                             .unit = "%", FC_BETWEEN(-3.5, 3.5), .bound = FC_BOUND_OURS}};
    fc_cell_claim better = {{"the agreement is better than with two levels", .source = "section 4",
                             .quantity = "error with three levels over that with two",
                             FC_AT_MOST(1), .bound = FC_BOUND_PAPER}};
    double worst = 0;
    for (size_t i = 0; i < SHARES_5; ++i) {
        const double error =
            100 * fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY);
        if (fc_ring_utilisation(points, i, true) < 0.8)
            fc_cell_claim_add(&agrees, error, "a global utilisation of %.0f %%",
                              100 * fc_ring_utilisation(points, i, true));
        else
            worst = fabs(error) > fabs(worst) ? error : worst;
    }
    char remark[120];
    snprintf(remark, sizeof remark,
             "Points below 80 %% were looked at, as in figure 4; above, the worst is %+.1f %%.",
             worst);
    agrees.claim.remark = remark;
    fc_report_add_cell_claim(report, &agrees);
    for (size_t i = 0; i < 2; ++i) {
        const size_t three = i == 0 ? SAME_80 : SAME_90;
        fc_cell_claim_add(
            &better,
            fc_paper_points_error(points, three, FC_POINT_PAPER, FC_METRIC_LATENCY) /
                fc_paper_points_error(points, SHARES_5 + i, FC_POINT_PAPER, FC_METRIC_LATENCY),
            "a global utilisation of %.0f %%", 100 * fc_ring_utilisation(points, three, true));
    }
    fc_report_add_cell_claim(report, &better);
}

static fc_status figure_5(const fc_paper_context *context, fc_error *error, fc_report *report) {
    fc_paper_points points = fc_ring_points(context);
    double shares[SHARES_5];
    add_points_5(&points, shares);
    const fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        start_point_table(report, "Delay in ticks", "P_G", "P_L = P_M");
        for (size_t i = 0; i < SHARES_5; ++i) {
            fc_report_row(report);
            fc_report_cell_number(report, shares[i], 3);
            fc_report_cell_number(report, (1 - shares[i]) / 2, 3);
            add_point_cells(report, &points, i);
        }
        fc_plot *plot = fc_plot_create("Three levels, (7, 6, 12), rate 0.005",
                                       "share of global packets", "delay, ticks");
        double delays[SHARES_5];
        for (size_t i = 0; i < SHARES_5; ++i)
            delays[i] = fc_paper_points_value(&points, i, FC_POINT_PAPER, FC_METRIC_LATENCY);
        fc_plot_add_series(plot, &(fc_series){.label = "model",
                                              .style = FC_STYLE_LINE,
                                              .x = shares,
                                              .y = delays,
                                              .count = SHARES_5});
        add_marks(plot, &points, 0, SHARES_5, shares, "(7, 6, 12)");
        fc_report_add_plot(report, plot);
        claim_5(report, &points);
    }
    fc_paper_points_free(&points);
    return status;
}

/* ---- figure 6 ---- */

static const char *const rings_6[] = {"[6, 6, 11]", "[8, 8, 6]", "[10, 10, 4]"};
enum { CONFIGURATIONS_6 = 3, LIGHT = 0, HEAVY = 4 };

static double latency_6(const fc_paper_points *points, size_t configuration, size_t rate,
                        size_t method) {
    return fc_paper_points_value(points, configuration * RATES + rate, method, FC_METRIC_LATENCY);
}

static void claim_ranking_6(fc_report *report, const fc_paper_points *points, const char *claim,
                            size_t rate, size_t better, size_t worse) {
    static const char *const names[] = {"model", "simulation"};
    fc_cell_claim ranking = {{claim, .source = "section 4",
                              .quantity = "its delay over that of the other", FC_AT_MOST(1),
                              .bound = FC_BOUND_PAPER}};
    for (size_t m = 0; m < 2; ++m) {
        const size_t method = m == 0 ? FC_POINT_PAPER : FC_POINT_SIMULATION;
        fc_cell_claim_add(&ranking,
                          latency_6(points, better, rate, method) /
                              latency_6(points, worse, rate, method),
                          "%s v %s, %s", rings_6[better], rings_6[worse], names[m]);
    }
    fc_report_add_cell_claim(report, &ranking);
}

static void claim_6(fc_report *report, const fc_paper_points *points) {
    claim_ranking_6(report, points, "at a rate of 0.001, (6, 6, 11) is better than (10, 10, 4)",
                    LIGHT, 0, 2);
    claim_ranking_6(report, points, "at a rate of 0.005, (10, 10, 4) is better than (6, 6, 11)",
                    HEAVY, 2, 0);
    claim_ranking_6(report, points,
                    "in light traffic (6, 6, 11), nearest to 1 : 1 : 2, is the best of the three",
                    LIGHT, 0, 1);
    const double bound =
        fc_ring_published("figure-6", "utilisation from which (10 10 4) is better");
    fc_cell_claim busy = {{"at 0.005 the global utilisations are 75 % and more",
                           .source = "section 4", .quantity = "global utilisation", .unit = "%",
                           FC_AT_LEAST(bound - 0.5), .bound = "the paper's number, rounded"}};
    for (size_t c = 0; c < CONFIGURATIONS_6; ++c)
        fc_cell_claim_add(&busy, 100 * fc_ring_utilisation(points, c * RATES + HEAVY, true), "%s",
                          rings_6[c]);
    fc_report_add_cell_claim(report, &busy);
    fc_cell_claim good = {{"very good agreement except at high global utilisation",
                           .source = "section 4", .quantity = "model over simulation, less 1",
                           .unit = "%", FC_BETWEEN(-3.5, 3.5), .bound = FC_BOUND_OURS}};
    double worst = 0;
    for (size_t i = 0; i < points->count; ++i) {
        const double error =
            100 * fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY);
        if (fc_ring_utilisation(points, i, true) < 0.75)
            fc_cell_claim_add(&good, error, "%s, rate %g", rings_6[i / RATES], rates[i % RATES]);
        else
            worst = fabs(error) > fabs(worst) ? error : worst;
    }
    char remark[120];
    snprintf(remark, sizeof remark,
             "Points below 75 %% were looked at; above, the worst is %+.1f %%.", worst);
    good.claim.remark = remark;
    fc_report_add_cell_claim(report, &good);
}

static fc_status plot_6(const fc_paper_context *context, const fc_paper_points *points,
                        fc_error *error, fc_report *report) {
    fc_plot *plot = fc_plot_create("Three configurations of about 400 stations",
                                   "rate, packets/station/tick", "delay, ticks");
    fc_status status = FC_OK;
    for (size_t c = 0; c < CONFIGURATIONS_6 && status == FC_OK; ++c) {
        const line model = {"figure-6", rings_6[c], NULL, rings_6[c], rates[RATES - 1]};
        status = add_line(plot, context, &model, error);
        add_marks(plot, points, c * RATES, RATES, rates, rings_6[c]);
    }
    fc_report_add_plot(report, plot);
    return status;
}

static fc_status figure_6(const fc_paper_context *context, fc_error *error, fc_report *report) {
    fc_paper_points points = fc_ring_points(context);
    for (size_t c = 0; c < CONFIGURATIONS_6; ++c)
        for (size_t r = 0; r < RATES; ++r)
            fc_ring_points_add(&points, "figure-6", rings_6[c], rates[r], NULL);
    fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        start_point_table(report, "Delay in ticks", "rings", "rate");
        for (size_t i = 0; i < points.count; ++i) {
            fc_report_row(report);
            fc_report_cell_text(report, "%s", rings_6[i / RATES]);
            fc_report_cell_number(report, rates[i % RATES], 2);
            add_point_cells(report, &points, i);
        }
        status = plot_6(context, &points, error, report);
        claim_6(report, &points);
    }
    fc_paper_points_free(&points);
    return status;
}

static const char surface_reading[] =
    "the paper draws a surface over L and M; here it is a map of the same function, and cuts "
    "through "
    "it. G = N/(L M) need not be whole. Networks of whole sizes near the optima are simulated.";

static const fc_paper_item items[] = {
    {{"figure-4", "two levels, N = 512: delay over the rate, model and simulation"},
     .run = figure_4,
     .reading = "N = 512, L = 16, G = 32. The text speaks of P = 0.2 and of a second locality that "
                "reaches 90 % of the global ring (P = 0.3 at a rate of 0.005); P = 0.5 is our "
                "addition."},
    {{"figure-5", "three levels, (7, 6, 12): delay over locality, model and simulation"},
     .run = figure_5,
     .reading = "L = 7, M = 6, G = 12, rate 0.005. The share of global packets grows; the rest is "
                "divided evenly between the local and the middle ring (our choice: the text does "
                "not give the division). Two points load the global ring as the two high points of "
                "figure 4 do."},
    {{"figure-6", "three configurations of about 400 stations, uniform destinations"},
     .run = figure_6,
     .reading = "uniform destinations, N close to 400. The text names (6, 6, 11) and (10, 10, 4); "
                "(8, 8, 6) is our guess at the third configuration."},
    {{"figure-7", "two levels, N = 500: the best L over the rate"},
     .run = fc_hamacher_jiang_figure_7,
     .reading =
         "the paper draws a surface over L and the rate; here are cuts through it, one for each "
         "rate. G = N/L need not be whole."},
    {{"figure-8", "three levels, N = 500: the best L and M at a rate of 0.002"},
     fc_hamacher_jiang_surface,
     &(const fc_ring_surface){"figure-8", "Three levels, N = 500, uniform, rate 0.002: model"},
     surface_reading},
    {{"figure-9", "three levels, N = 500: the best L and M at a rate of 0.004"},
     fc_hamacher_jiang_surface,
     &(const fc_ring_surface){"figure-9", "Three levels, N = 500, uniform, rate 0.004: model"},
     surface_reading},
    {.run = NULL},
};

const fc_paper fc_paper_hamacher_jiang = {
    .info = {"hamacher-jiang", "V. C. Hamacher and H. Jiang: Performance and Configuration of "
                               "Hierarchical Ring Networks for Multiprocessors"},
    .items = items,
    .pages = "docs/papers/hamacher-jiang.md, docs/theory/rings.md",
};
