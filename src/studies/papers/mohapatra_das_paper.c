/* P. Mohapatra and C. R. Das, "Performance Analysis of Finite-Buffered Asynchronous Multistage
 * Interconnection Networks": figures 6 to 12 and the statements made in words about them.
 *
 * The figures print no numbers and the text does not give all their parameters; where a choice had
 * to be made it is stated. What can be held against the paper are its statements, and they are,
 * also where they do not come out. */
#include "studies/papers/mohapatra_das_paper.h"

#include <math.h>
#include <string.h>

static const fc_setting none = {NULL, NULL};

/* ---- figures 6 and 7: model and simulation ---- */

enum { LOADS_6 = 10, BUFFERS_6 = 4 };
static const double loads_6[LOADS_6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
enum { LOADS_7 = 5 };
static const double loads_7[LOADS_7] = {0.2, 0.4, 0.6, 0.8, 1.0};
static const char *const buffers_6[BUFFERS_6] = {"L = 1", "L = 2", "L = 4", "L = 16"};
static const fc_setting settings_6[BUFFERS_6] = {{"network.buffer", "1"},
                                                 {"network.buffer", "2"},
                                                 {"network.buffer", "4"},
                                                 {"network.buffer", "16"}};

static void claim_agreement(fc_report *report, const fc_paper_points *points,
                            const fc_min_layout *layout) {
    static const struct {
        const char *statement, *quantity;
        fc_metric_id metric;
    } both[] = {{"analysis and simulation differ by at most 7 %: throughput",
                 "throughput by the model over the simulated one, less 1", FC_METRIC_THROUGHPUT},
                {"analysis and simulation differ by at most 7 %: delay",
                 "delay by the model over the simulated one, less 1", FC_METRIC_LATENCY}};
    for (size_t m = 0; m < 2; ++m) {
        fc_cell_claim agree = {{both[m].statement, .source = "section 5",
                                .quantity = both[m].quantity, .unit = "%", FC_BETWEEN(-7, 7),
                                .bound = FC_BOUND_PAPER}};
        double ours = 0;
        for (size_t i = 0; i < points->count; ++i) {
            const double error = fc_paper_points_error(points, i, FC_POINT_OURS, both[m].metric);
            ours = fabs(error) > fabs(ours) ? error : ours;
            fc_cell_claim_add(
                &agree, 100 * fc_paper_points_error(points, i, FC_POINT_PAPER, both[m].metric),
                "%s, load %g", layout->series[i / layout->per_series],
                layout->x[i % layout->per_series]);
        }
        char remark[100];
        snprintf(remark, sizeof remark, "The worst of multistage-backpressure: %+.1f %%.",
                 100 * ours);
        agree.claim.remark = remark;
        fc_report_add_cell_claim(report, &agree);
    }
}

/* The large network at every other load only, and to a lower precision: it takes minutes. */
static fc_status figure_6_or_7(const fc_paper_context *context, const char *item, fc_error *error,
                               fc_report *report) {
    const bool large = strcmp(item, "figure-7") == 0;
    const double *loads = large ? loads_7 : loads_6;
    const size_t count = large ? LOADS_7 : LOADS_6;
    fc_paper_points points = fc_min_points(context);
    for (size_t b = 0; b < BUFFERS_6; ++b)
        for (size_t i = 0; i < count; ++i)
            fc_min_points_add(&points, item, loads[i], settings_6[b], none);
    const fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        const fc_min_layout layout = {"buffer", "load", "load", buffers_6, loads, count};
        fc_min_both(report, &points, &layout);
        claim_agreement(report, &points, &layout);
    }
    fc_paper_points_free(&points);
    return status;
}

static fc_status figure_6(const fc_paper_context *context, fc_error *error, fc_report *report) {
    return figure_6_or_7(context, "figure-6", error, report);
}

static fc_status figure_7(const fc_paper_context *context, fc_error *error, fc_report *report) {
    const fc_paper_context coarse = fc_min_coarse(context);
    return figure_6_or_7(&coarse, "figure-7", error, report);
}

/* ---- figure 8: hot spots ---- */

enum { SHARES_8 = 4, LOADS_8 = 7, POINTS_8 = SHARES_8 * LOADS_8 };
static const double shares_8[SHARES_8] = {0.02, 0.04, 0.08, 0.16};
static const char *const names_8[SHARES_8] = {"2 % hot", "4 % hot", "8 % hot", "16 % hot"};
static const double loads_8[LOADS_8] = {0.3, 0.5, 0.7, 0.8, 0.9, 1.1, 1.5}; /* of the capacity */

static double capacity_8(size_t series) {
    return 1.0 / (1.0 - shares_8[series] + shares_8[series] * 32.0);
}

static void claims_8(fc_report *report, const fc_paper_points *points) {
    fc_cell_claim early = {
        {"with a hot spot the network saturates much earlier", .source = "section 5",
         .quantity = "simulated throughput over the tree's capacity 1/(d(1-h+hN/a)), less 1",
         .unit = "%", FC_BETWEEN(-5, 5), .bound = FC_BOUND_OURS,
         .remark = "Loads above the capacity; without a hot spot throughput reaches 0.9."}};
    fc_cell_claim hot = {{"simulation validates the analysis of hot spots: hot packets",
                          .source = "section 5",
                          .quantity = "delay by the model over the simulated one, less 1",
                          .unit = "%", FC_BETWEEN(-10, 10), .bound = FC_BOUND_OURS,
                          .remark = "The model has no tree saturation."}};
    fc_cell_claim cold = hot;
    cold.claim.statement = "simulation validates the analysis of hot spots: cold packets";
    for (size_t i = 0; i < points->count; ++i) {
        const double load = loads_8[i % LOADS_8];
        const double rate =
            fc_paper_points_value(points, i, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT);
        const char *series = names_8[i / LOADS_8];
        if (load > 1.0)
            fc_cell_claim_add(&early, 100 * (rate / capacity_8(i / LOADS_8) - 1),
                              "%s, load %g of the capacity", series, load);
        fc_cell_claim_add(
            &hot, 100 * fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY_HOT),
            "%s, load %g of the capacity", series, load);
        fc_cell_claim_add(
            &cold, 100 * fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY_COLD),
            "%s, load %g of the capacity", series, load);
    }
    fc_report_add_cell_claim(report, &early);
    fc_report_add_cell_claim(report, &hot);
    fc_report_add_cell_claim(report, &cold);
}

static fc_status figure_8(const fc_paper_context *asked, fc_error *error, fc_report *report) {
    double rates[POINTS_8]; /* the paper's axis; the loads are shares of the tree's capacity */
    for (size_t i = 0; i < POINTS_8; ++i)
        rates[i] = loads_8[i % LOADS_8] * capacity_8(i / LOADS_8);
    const fc_min_layout layout = {"traffic",         "rate", "rate, packets/processor/cycle",
                                  names_8,           rates,  LOADS_8,
                                  .x_of_point = true};
    const fc_paper_context coarse = fc_min_coarse(asked), *context = &coarse;
    fc_paper_points points = fc_min_points(context);
    for (size_t s = 0; s < SHARES_8; ++s)
        for (size_t i = 0; i < LOADS_8; ++i) {
            char hot[64];
            snprintf(hot, sizeof hot, "{hot-spot: {share: %g, node: 0}}", shares_8[s]);
            fc_min_points_add(&points, "figure-8", loads_8[i] * capacity_8(s),
                              (fc_setting){"traffic.destinations", hot}, none);
        }
    const fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        fc_min_table(report, &points, &layout, "Delay of hot packets in cycles",
                     FC_METRIC_LATENCY_HOT);
        fc_min_table(report, &points, &layout, "Delay of cold packets in cycles",
                     FC_METRIC_LATENCY_COLD);
        fc_min_table(report, &points, &layout, "Throughput", FC_METRIC_THROUGHPUT);
        fc_min_plot(report, &points, &layout, "Delay of hot packets", "cycles",
                    FC_METRIC_LATENCY_HOT);
        fc_min_plot(report, &points, &layout, "Delay of cold packets", "cycles",
                    FC_METRIC_LATENCY_COLD);
        claims_8(report, &points);
    }
    fc_paper_points_free(&points);
    return status;
}

static const char buffers_reading[] =
    "buffer lengths are not named in the text; 1, 2, 4 and 16 are ours. The simulation has no "
    "contention for output ports and blocks after service; other readings of the paper do not "
    "agree "
    "better (docs/theory/multistage.md).";

static const fc_paper_item items[] = {
    {{"figure-6", "64 x 64: delay and throughput over the load, model and simulation"},
     .run = figure_6,
     .reading = buffers_reading},
    {{"figure-7", "1024 x 1024: delay and throughput over the load, model and simulation"},
     .run = figure_7,
     .reading = buffers_reading},
    {{"figure-8", "64 x 64 with a hot spot: delay of hot and cold packets"},
     .run = figure_8,
     .reading = "the buffer length is not named; L = 8 is ours. Rates are 30 to 150 % of the "
                "capacity of the hot memory's tree, 1/(d(1-h+hN/a))."},
    {{"figure-9", "256 x 256: delay and throughput over the buffer length"},
     .run = fc_mohapatra_das_figure_9,
     .reading = "the loads are not named; 0.3 to 0.9 are ours. Infinite buffers are drawn at 40."},
    {{"figure-10", "4096 x 4096: delay and throughput over switch size and buffer length"},
     .run = fc_mohapatra_das_figure_10,
     .reading = "the load is not named; 0.8 is ours. By the models alone, as in the paper."},
    {{"figure-11", "64 x 64: outstanding requests, model and simulation"},
     .run = fc_mohapatra_das_figure_11,
     .reading =
         "the buffer length is not named; L = 16 is ours. The limit is iterated to its fixed "
         "point: applied once, as printed, the throughput falls with the load."},
    {{"figure-12", "256 x 256: system power over the load and the buffer length"},
     .run = fc_mohapatra_das_figure_12,
     .reading =
         "power is N X / D, with the delay of eq. (14) as printed: with eq. (5) instead, the "
         "statement about small buffers would fail for L = 2."},
    {.run = NULL},
};

const fc_paper fc_paper_mohapatra_das = {
    .info = {"mohapatra-das",
             "P. Mohapatra and C. R. Das: Performance Analysis of Finite-Buffered Asynchronous "
             "Multistage Interconnection Networks"},
    .items = items,
    .pages = "docs/papers/mohapatra-das.md, docs/theory/multistage.md",
};
