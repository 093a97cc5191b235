/* Figures 9 to 12: what buffers, switches and outstanding requests do. */
#include "studies/papers/mohapatra_das_paper.h"
#include "output/report/report.h"

#include <math.h>

static const fc_setting none = {NULL, NULL};

/* ---- figure 9: buffer length ---- */

enum { LOADS_9 = 4, BUFFERS_9 = 9 };
static const double loads_9[LOADS_9] = {0.3, 0.5, 0.7, 0.9};
static const char *const names_9[LOADS_9] = {"load 0.3", "load 0.5", "load 0.7", "load 0.9"};
static const char *const texts_9[BUFFERS_9] = {"1",  "2",  "4",  "8",       "12",
                                               "15", "20", "30", "infinite"};
/* The last is where the infinite buffer is drawn. */
static const double buffers_9[BUFFERS_9] = {1, 2, 4, 8, 12, 15, 20, 30, 40};
enum { AT_4 = 2, AT_15 = 5, AT_INFINITE = 8 };

static double beside_infinite(const fc_paper_points *points, size_t series, size_t at,
                              size_t method, fc_metric_id metric) {
    return fc_paper_points_value(points, series * BUFFERS_9 + at, method, metric) /
               fc_paper_points_value(points, series * BUFFERS_9 + AT_INFINITE, method, metric) -
           1.0;
}

static void claims_9(fc_report *report, const fc_paper_points *points) {
    static const fc_metric_id metrics[] = {FC_METRIC_LATENCY, FC_METRIC_THROUGHPUT};
    static const char *const names[] = {"delay", "throughput"};
    fc_cell_claim light = {
        {"for loads below 0.5, L >= 4 performs as infinite buffers do", .source = "section 5",
         .quantity = "beside infinite buffers, by the model", .unit = "%", FC_BETWEEN(-5, 5),
         .bound = FC_BOUND_OURS, .remark = "Loads 0.3 and 0.5 were looked at."}};
    fc_cell_claim heavy = {{"at a load of 0.9 about 15 places are as good as infinite buffers",
                            .source = "section 5",
                            .quantity = "L = 15 beside infinite buffers, by the model", .unit = "%",
                            FC_BETWEEN(-5, 5), .bound = FC_BOUND_OURS}};
    for (size_t m = 0; m < 2; ++m) {
        for (size_t s = 0; s < 2; ++s)
            for (size_t b = AT_4; b < AT_INFINITE; ++b)
                fc_cell_claim_add(&light,
                                  100 * beside_infinite(points, s, b, FC_POINT_PAPER, metrics[m]),
                                  "%s, load %g, L = %g", names[m], loads_9[s], buffers_9[b]);
        fc_cell_claim_add(&heavy,
                          100 * beside_infinite(points, 3, AT_15, FC_POINT_PAPER, metrics[m]), "%s",
                          names[m]);
    }
    char remark[80];
    snprintf(remark, sizeof remark, "Simulated, the delay differs by %+.1f %%.",
             100 * beside_infinite(points, 3, AT_15, FC_POINT_SIMULATION, FC_METRIC_LATENCY));
    heavy.claim.remark = remark;
    fc_report_add_cell_claim(report, &light);
    fc_report_add_cell_claim(report, &heavy);
    fc_report_add_claim(
        report,
        &(fc_report_claim){
            "small buffers are as good as infinite ones only where the load is not high",
            .source = "section 5",
            .quantity = "simulated throughput with L = 4 beside infinite buffers", .unit = "%",
            .value =
                100 * beside_infinite(points, 3, AT_4, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT),
            FC_AT_MOST(-5), .bound = FC_BOUND_OURS, .read_at = "load 0.9"});
}

fc_status fc_mohapatra_das_figure_9(const fc_paper_context *asked, fc_error *error,
                                    fc_report *report) {
    static const fc_min_layout layout = {"load",  "buffer",  "buffer length",
                                         names_9, buffers_9, BUFFERS_9};
    const fc_paper_context coarse = fc_min_coarse(asked), *context = &coarse;
    fc_paper_points points = fc_min_points(context);
    for (size_t s = 0; s < LOADS_9; ++s)
        for (size_t b = 0; b < BUFFERS_9; ++b)
            fc_min_points_add(&points, "figure-9", loads_9[s],
                              (fc_setting){"network.buffer", texts_9[b]}, none);
    const fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        fc_min_both(report, &points, &layout);
        claims_9(report, &points);
    }
    fc_paper_points_free(&points);
    return status;
}

/* ---- figure 10: switch size ---- */

enum { SWITCHES_10 = 5, BUFFERS_10 = 5 };
static const char *const switches_10[SWITCHES_10] = {"2", "4", "8", "16", "64"};
static const char *const names_10[SWITCHES_10] = {"2 x 2", "4 x 4", "8 x 8", "16 x 16", "64 x 64"};
static const char *const texts_10[BUFFERS_10] = {"1", "2", "4", "8", "16"};
static const double buffers_10[BUFFERS_10] = {1, 2, 4, 8, 16};

static void claims_10(fc_report *report, const fc_paper_points *points) {
    fc_cell_claim longer = {{"the delay is higher for smaller switches", .source = "section 5",
                             .quantity = "delay over that of the next larger switch",
                             FC_AT_LEAST(1), .bound = FC_BOUND_PAPER}};
    for (size_t b = 0; b < BUFFERS_10; ++b)
        for (size_t s = 0; s + 1 < SWITCHES_10; ++s)
            fc_cell_claim_add(&longer,
                              fc_paper_points_value(points, s * BUFFERS_10 + b, FC_POINT_PAPER,
                                                    FC_METRIC_LATENCY) /
                                  fc_paper_points_value(points, (s + 1) * BUFFERS_10 + b,
                                                        FC_POINT_PAPER, FC_METRIC_LATENCY),
                              "%s, L = %s", names_10[s], texts_10[b]);
    fc_report_add_cell_claim(report, &longer);
    enum { SMALL = 4, LARGE = 4 * BUFFERS_10 + 1 }; /* 2 x 2, L = 16; 64 x 64, L = 2 */
    static const struct {
        const char *statement, *quantity;
        fc_metric_id metric;
    } both[] = {{"small switches with large buffers serve throughput",
                 "throughput of 2 x 2 with L = 16 over that of 64 x 64 with L = 2",
                 FC_METRIC_THROUGHPUT},
                {"large switches with small buffers serve delay",
                 "delay of 2 x 2 with L = 16 over that of 64 x 64 with L = 2", FC_METRIC_LATENCY}};
    for (size_t i = 0; i < 2; ++i)
        fc_report_add_claim(
            report,
            &(fc_report_claim){
                both[i].statement, .source = "section 5", .quantity = both[i].quantity,
                .value = fc_paper_points_value(points, SMALL, FC_POINT_PAPER, both[i].metric) /
                         fc_paper_points_value(points, LARGE, FC_POINT_PAPER, both[i].metric),
                FC_AT_LEAST(1), .bound = FC_BOUND_PAPER,
                .read_at = "one pair of cells; which ones the paper means is ours"});
}

fc_status fc_mohapatra_das_figure_10(const fc_paper_context *context, fc_error *error,
                                     fc_report *report) {
    static const fc_min_layout layout = {"switch", "buffer",   "buffer length",
                                         names_10, buffers_10, BUFFERS_10};
    fc_paper_points points = fc_min_points(context);
    for (size_t s = 0; s < SWITCHES_10; ++s)
        for (size_t b = 0; b < BUFFERS_10; ++b)
            fc_min_points_add(&points, "figure-10", 0.8,
                              (fc_setting){"network.switch", switches_10[s]},
                              (fc_setting){"network.buffer", texts_10[b]});
    const fc_status status = fc_paper_points_evaluate(&points, false, error);
    if (status == FC_OK) {
        fc_min_both(report, &points, &layout);
        claims_10(report, &points);
    }
    fc_paper_points_free(&points);
    return status;
}

/* ---- figure 11: outstanding requests ---- */

enum { LIMITS_11 = 4, LOADS_11 = 6 };
static const char *const limits_11[LIMITS_11] = {"1", "2", "4", "8"};
static const char *const names_11[LIMITS_11] = {"m = 1", "m = 2", "m = 4", "m = 8"};
static const double loads_11[LOADS_11] = {0.1, 0.3, 0.5, 0.7, 0.9, 1.0};

/* What a limit brings over the next lower one, simulated, in percent; half_width: of that. */
static double gain(const fc_paper_points *points, size_t point, fc_metric_id metric,
                   double *half_width) {
    const size_t lower = point - LOADS_11;
    const double before = fc_paper_points_value(points, lower, FC_POINT_SIMULATION, metric);
    *half_width = 100 *
                  (fc_paper_points_half_width(points, point, metric) +
                   fc_paper_points_half_width(points, lower, metric)) /
                  before;
    return 100 * (fc_paper_points_value(points, point, FC_POINT_SIMULATION, metric) / before - 1);
}

static void claims_11(fc_report *report, const fc_paper_points *points) {
    static const fc_metric_id metrics[] = {FC_METRIC_THROUGHPUT, FC_METRIC_LATENCY};
    fc_cell_claim more[] = {
        {{"more outstanding requests give more throughput", .source = "section 5",
          .quantity = "simulated gain over the next lower limit", .unit = "%", FC_AT_LEAST(0),
          .bound = FC_BOUND_PAPER,
          .remark = "Below a load of 0.4 the intervals of the simulations are "
                    "added: the limits hardly bind there."}},
        {{"and the packets incur more delay"}}};
    more[1].claim = more[0].claim;
    more[1].claim.statement = "and the packets incur more delay";
    fc_cell_claim agree = {
        {"simulation agrees with the analysis of outstanding requests", .source = "section 5",
         .quantity = "throughput by the model over the simulated one, less 1", .unit = "%",
         FC_BETWEEN(-7, 7), .bound = "the paper's number for figures 6 and 7"}};
    for (size_t i = 0; i < points->count; ++i) {
        const double load = loads_11[i % LOADS_11];
        fc_cell_claim_add(
            &agree, 100 * fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_THROUGHPUT),
            "%s, load %g", names_11[i / LOADS_11], load);
        for (size_t m = 0; m < 2 && i >= LOADS_11; ++m) {
            double noise;
            const double found = gain(points, i, metrics[m], &noise);
            fc_cell_claim_add(&more[m], found + (load < 0.4 ? noise : 0), "%s, load %g",
                              names_11[i / LOADS_11], load);
        }
    }
    fc_report_add_cell_claim(report, &more[0]);
    fc_report_add_cell_claim(report, &more[1]);
    double rise[2];
    for (size_t i = 0; i < 2; ++i) {
        const size_t first = i == 0 ? 0 : 3 * LOADS_11;
        rise[i] =
            fc_paper_points_value(points, first + 5, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT) /
            fc_paper_points_value(points, first + 2, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT);
    }
    fc_report_add_claim(
        report,
        &(fc_report_claim){"the system saturates early for low m", .source = "section 5",
                           .quantity = "gain in throughput from load 0.5 to 1, m = 8 less "
                                       "m = 1",
                           .unit = "points", .value = 100 * (rise[1] - rise[0]), FC_AT_LEAST(0),
                           .bound = FC_BOUND_PAPER, .read_at = "the simulation"});
    fc_report_add_cell_claim(report, &agree);
}

fc_status fc_mohapatra_das_figure_11(const fc_paper_context *context, fc_error *error,
                                     fc_report *report) {
    static const fc_min_layout layout = {"limit", "load", "load", names_11, loads_11, LOADS_11};
    fc_paper_points points = fc_min_points(context);
    for (size_t s = 0; s < LIMITS_11; ++s)
        for (size_t i = 0; i < LOADS_11; ++i)
            fc_min_points_add(&points, "figure-11", loads_11[i],
                              (fc_setting){"traffic.outstanding", limits_11[s]}, none);
    const fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        fc_min_table(report, &points, &layout, "Throughput", FC_METRIC_THROUGHPUT);
        fc_min_table(report, &points, &layout, "Delay in cycles", FC_METRIC_LATENCY);
        fc_min_plot(report, &points, &layout, "Throughput", "packets per port and cycle",
                    FC_METRIC_THROUGHPUT);
        fc_min_plot(report, &points, &layout, "Delay", "cycles", FC_METRIC_LATENCY);
        claims_11(report, &points);
    }
    fc_paper_points_free(&points);
    return status;
}

/* ---- figure 12: system power ---- */

enum { BUFFERS_12 = 5, LOADS_12 = 20 };
static const char *const texts_12[BUFFERS_12] = {"1", "2", "4", "8", "16"};
static const char *const names_12[BUFFERS_12] = {"L = 1", "L = 2", "L = 4", "L = 8", "L = 16"};

/* The load of the highest power of a series; 1 if it still rises there. */
static double peak_load(const fc_paper_points *points, size_t series, const double *loads) {
    size_t best = 0;
    for (size_t i = 1; i < LOADS_12; ++i)
        if (fc_paper_points_value(points, series * LOADS_12 + i, FC_POINT_PAPER, FC_METRIC_POWER) >
            fc_paper_points_value(points, series * LOADS_12 + best, FC_POINT_PAPER,
                                  FC_METRIC_POWER))
            best = i;
    return loads[best];
}

static double power(const fc_paper_points *points, size_t series, size_t load) {
    return fc_paper_points_value(points, series * LOADS_12 + load, FC_POINT_PAPER, FC_METRIC_POWER);
}

static void claims_12(fc_report *report, const fc_paper_points *points, const double *loads) {
    enum { LIGHT = 3, HEAVY = 17 };
    fc_cell_claim rises = {{"with small buffers the power increases with the load",
                            .source = "section 5", .quantity = "load of the highest power",
                            FC_AT_LEAST(1), .bound = FC_BOUND_PAPER,
                            .remark = "L = 1 and 2 are taken as small."}};
    fc_cell_claim peaks = {{"with large buffers it has a peak and decreases after it",
                            .source = "section 5", .quantity = "load of the highest power",
                            FC_AT_MOST(0.95), .bound = "ours: below the highest load",
                            .remark = "L = 4, 8 and 16 are taken as large."}};
    fc_cell_claim light = {{"at light load the power does not depend on the buffer length",
                            .source = "section 5", .quantity = "power over that of L = 1, less 1",
                            .unit = "%", FC_BETWEEN(-5, 5), .bound = FC_BOUND_OURS}};
    fc_cell_claim falls = {{"under heavy load it falls as buffers grow", .source = "section 5",
                            .quantity = "power over that of the next shorter buffer", FC_AT_MOST(1),
                            .bound = FC_BOUND_PAPER}};
    for (size_t s = 0; s < BUFFERS_12; ++s) {
        fc_cell_claim_add(s < 2 ? &rises : &peaks, peak_load(points, s, loads), "%s", names_12[s]);
        fc_cell_claim_add(&light, 100 * (power(points, s, LIGHT) / power(points, 0, LIGHT) - 1),
                          "load %g, %s", loads[LIGHT], names_12[s]);
        if (s > 0)
            fc_cell_claim_add(&falls, power(points, s, HEAVY) / power(points, s - 1, HEAVY),
                              "load %g, %s", loads[HEAVY], names_12[s]);
    }
    fc_report_add_cell_claim(report, &rises);
    fc_report_add_cell_claim(report, &peaks);
    fc_report_add_cell_claim(report, &light);
    fc_report_add_cell_claim(report, &falls);
}

fc_status fc_mohapatra_das_figure_12(const fc_paper_context *context, fc_error *error,
                                     fc_report *report) {
    fc_paper_points points = fc_min_points(context);
    double loads[LOADS_12];
    for (size_t i = 0; i < LOADS_12; ++i)
        loads[i] = 0.05 * (double)(i + 1);
    for (size_t s = 0; s < BUFFERS_12; ++s)
        for (size_t i = 0; i < LOADS_12; ++i)
            fc_min_points_add(&points, "figure-12", loads[i],
                              (fc_setting){"network.buffer", texts_12[s]}, none);
    const fc_status status = fc_paper_points_evaluate(&points, false, error);
    if (status == FC_OK) {
        const fc_min_layout layout = {"buffer", "load", "load", names_12, loads, LOADS_12};
        fc_min_table(report, &points, &layout, "System power", FC_METRIC_POWER);
        fc_min_plot(report, &points, &layout, "System power",
                    "packets per cycle and cycle of delay", FC_METRIC_POWER);
        claims_12(report, &points, loads);
    }
    fc_paper_points_free(&points);
    return status;
}
