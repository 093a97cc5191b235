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

static double worst_error(const fc_paper_points *points, size_t method, fc_metric_id metric) {
    double worst = 0.0;
    for (size_t i = 0; i < points->count; ++i) {
        const double error = fc_paper_points_error(points, i, method, metric);
        if (fabs(error) > fabs(worst))
            worst = error;
    }
    return worst;
}

static void claim_agreement(fc_report *report, const fc_paper_points *points) {
    char found[240];
    const double throughput = worst_error(points, FC_POINT_PAPER, FC_METRIC_THROUGHPUT);
    const double latency = worst_error(points, FC_POINT_PAPER, FC_METRIC_LATENCY);
    size_t within = 0;
    for (size_t i = 0; i < points->count; ++i)
        within +=
            fabs(fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_THROUGHPUT)) <= 0.07 &&
            fabs(fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY)) <= 0.07;
    snprintf(found, sizeof found,
             "not reproduced: worst %+.0f %% in throughput, %+.0f %% in delay; both within 7 %% at "
             "%zu of %zu points (multistage-backpressure: worst %+.1f %% and %+.1f %%)",
             100.0 * throughput, 100.0 * latency, within, points->count,
             100.0 * worst_error(points, FC_POINT_OURS, FC_METRIC_THROUGHPUT),
             100.0 * worst_error(points, FC_POINT_OURS, FC_METRIC_LATENCY));
    const bool holds = fabs(throughput) <= 0.07 && fabs(latency) <= 0.07;
    fc_report_add_claim(report, "analysis and simulation differ by at most 7 %",
                        holds ? "both metrics at every point" : found, holds);
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
        fc_report_add_text(report,
                           "Buffer lengths are not named in the text; 1, 2, 4 and 16 are ours. The "
                           "simulation has no contention for output ports and blocks after "
                           "service; other readings of the paper do not agree better "
                           "(docs/theory/multistage.md).");
        const fc_min_layout layout = {"buffer", "load", "load", buffers_6, loads, count};
        fc_min_both(report, &points, &layout);
        claim_agreement(report, &points);
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

enum { SHARES_8 = 4, LOADS_8 = 7 };
static const double shares_8[SHARES_8] = {0.02, 0.04, 0.08, 0.16};
static const char *const names_8[SHARES_8] = {"2 % hot", "4 % hot", "8 % hot", "16 % hot"};
static const double loads_8[LOADS_8] = {0.3, 0.5, 0.7, 0.8, 0.9, 1.1, 1.5}; /* of the capacity */

static double capacity_8(size_t series) {
    return 1.0 / (1.0 - shares_8[series] + shares_8[series] * 32.0);
}

static void claims_8(fc_report *report, const fc_paper_points *points) {
    char found[240];
    double below = 0.0, beyond = 0.0, held = 0.0;
    for (size_t i = 0; i < points->count; ++i) {
        const double error =
            fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY_HOT);
        const double load = loads_8[i % LOADS_8];
        if (load <= 0.7)
            below = fmax(below, fabs(error));
        if (load > 1.0) {
            beyond = fmax(beyond, fabs(error));
            const double rate =
                fc_paper_points_value(points, i, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT);
            held = fmax(held, fabs(rate / capacity_8(i / LOADS_8) - 1.0));
        }
    }
    snprintf(found, sizeof found,
             "throughput is held within %.1f %% of 1/(d(1-h+hN/a)): %.3f, %.3f, %.3f and %.3f "
             "instead of about 0.9",
             100.0 * held, capacity_8(0), capacity_8(1), capacity_8(2), capacity_8(3));
    fc_report_add_claim(report, "with a hot spot the network saturates much earlier", found,
                        held < 0.05);
    snprintf(found, sizeof found,
             "delay of hot packets within %.0f %% up to 70 %% of the tree's capacity; beyond it "
             "wrong by up to %.0f %%: the model has no tree saturation",
             100.0 * below, 100.0 * beyond);
    fc_report_add_claim(report, "simulation validates the analysis of hot spots", found,
                        beyond < 0.1);
}

static fc_status figure_8(const fc_paper_context *asked, fc_error *error, fc_report *report) {
    static const fc_min_layout layout = {
        "traffic", "load / capacity", "load / capacity of the tree", names_8, loads_8, LOADS_8};
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
        fc_report_add_text(report, "The buffer length is not named; L = 8 is ours. Loads are given "
                                   "as a share of the capacity of the hot memory's tree.");
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

static const fc_paper_item items[] = {
    {{"figure-6", "64 x 64: delay and throughput over the load, model and simulation"},
     .run = figure_6},
    {{"figure-7", "1024 x 1024: delay and throughput over the load, model and simulation"},
     .run = figure_7},
    {{"figure-8", "64 x 64 with a hot spot: delay of hot and cold packets"}, .run = figure_8},
    {{"figure-9", "256 x 256: delay and throughput over the buffer length"},
     .run = fc_mohapatra_das_figure_9},
    {{"figure-10", "4096 x 4096: delay and throughput over switch size and buffer length"},
     .run = fc_mohapatra_das_figure_10},
    {{"figure-11", "64 x 64: outstanding requests, model and simulation"},
     .run = fc_mohapatra_das_figure_11},
    {{"figure-12", "256 x 256: system power over the load and the buffer length"},
     .run = fc_mohapatra_das_figure_12},
    {.run = NULL},
};

const fc_paper fc_paper_mohapatra_das = {
    .info = {"mohapatra-das",
             "P. Mohapatra and C. R. Das: Performance Analysis of Finite-Buffered Asynchronous "
             "Multistage Interconnection Networks"},
    .items = items,
};
