/* Figures 9 to 12: what buffers, switches and outstanding requests do. */
#include "studies/papers/mohapatra_das_paper.h"

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
    char found[240];
    const double light_delay = beside_infinite(points, 1, AT_4, FC_POINT_PAPER, FC_METRIC_LATENCY);
    const double light_rate =
        beside_infinite(points, 1, AT_4, FC_POINT_PAPER, FC_METRIC_THROUGHPUT);
    snprintf(found, sizeof found,
             "L = 4 at load 0.5 beside infinite buffers: delay %+.1f %%, throughput %+.1f %%",
             100.0 * light_delay, 100.0 * light_rate);
    fc_report_add_claim(report, "below a load of 0.5, L >= 4 is as good as infinite buffers", found,
                        fabs(light_delay) < 0.05 && fabs(light_rate) < 0.05);
    const double delay = beside_infinite(points, 3, AT_15, FC_POINT_PAPER, FC_METRIC_LATENCY);
    const double rate = beside_infinite(points, 3, AT_15, FC_POINT_PAPER, FC_METRIC_THROUGHPUT);
    const double measured =
        beside_infinite(points, 3, AT_15, FC_POINT_SIMULATION, FC_METRIC_LATENCY);
    snprintf(found, sizeof found,
             "L = 15 at load 0.9 beside infinite buffers: throughput %+.1f %%, delay %+.0f %% by "
             "the model, %+.1f %% by simulation",
             100.0 * rate, 100.0 * delay, 100.0 * measured);
    fc_report_add_claim(report, "at a load of 0.9 about 15 places are as good as infinite buffers",
                        found, fabs(rate) < 0.05 && fabs(delay) < 0.05);
    const double heavy =
        beside_infinite(points, 3, AT_4, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT);
    snprintf(found, sizeof found, "simulated throughput at load 0.9 with L = 4: %+.1f %%",
             100.0 * heavy);
    fc_report_add_claim(report, "small buffers are as good as infinite ones only at low loads",
                        found, heavy < -0.05);
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
        fc_report_add_text(report, "Infinite buffers are drawn at 40.");
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
    bool longer = true;
    for (size_t b = 0; b < BUFFERS_10; ++b)
        for (size_t s = 0; s + 1 < SWITCHES_10; ++s)
            longer = longer && fc_paper_points_value(points, s * BUFFERS_10 + b, FC_POINT_PAPER,
                                                     FC_METRIC_LATENCY) >
                                   fc_paper_points_value(points, (s + 1) * BUFFERS_10 + b,
                                                         FC_POINT_PAPER, FC_METRIC_LATENCY);
    fc_report_add_claim(report, "the delay is higher for smaller switches",
                        longer ? "at every buffer length" : "not at every buffer length", longer);
    const double small = fc_paper_points_value(points, 0 * BUFFERS_10 + 4, FC_POINT_PAPER,
                                               FC_METRIC_THROUGHPUT); /* 2 x 2, L = 16 */
    const double large = fc_paper_points_value(points, 4 * BUFFERS_10 + 1, FC_POINT_PAPER,
                                               FC_METRIC_THROUGHPUT); /* 64 x 64, L = 2 */
    const double small_delay = fc_paper_points_value(points, 4, FC_POINT_PAPER, FC_METRIC_LATENCY);
    const double large_delay =
        fc_paper_points_value(points, 4 * BUFFERS_10 + 1, FC_POINT_PAPER, FC_METRIC_LATENCY);
    char found[240];
    snprintf(found, sizeof found,
             "2 x 2 with L = 16: throughput %.3f, delay %.1f; 64 x 64 with L = 2: %.3f and %.1f",
             small, small_delay, large, large_delay);
    fc_report_add_claim(report,
                        "small switches with large buffers serve throughput, large switches with "
                        "small buffers serve delay",
                        found, small > large && small_delay > large_delay);
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
        fc_report_add_text(report, "The load is not named in the text; 0.8 is ours. By the models "
                                   "alone, as in the paper.");
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

/* More than with the next lower limit; at low loads, where neither limit binds, not less than the
 * intervals allow. */
static bool is_more(const fc_paper_points *points, size_t point, fc_metric_id metric) {
    const size_t lower = point - LOADS_11;
    const double gain = fc_paper_points_value(points, point, FC_POINT_SIMULATION, metric) -
                        fc_paper_points_value(points, lower, FC_POINT_SIMULATION, metric);
    const double noise = fc_paper_points_half_width(points, point, metric) +
                         fc_paper_points_half_width(points, lower, metric);
    return gain > (loads_11[point % LOADS_11] < 0.4 ? -noise : 0.0);
}

static void claims_11(fc_report *report, const fc_paper_points *points) {
    bool more = true, later = true;
    double worst = 0.0;
    for (size_t i = 0; i < points->count; ++i) {
        const double error = fc_paper_points_error(points, i, FC_POINT_PAPER, FC_METRIC_THROUGHPUT);
        worst = fabs(error) > fabs(worst) ? error : worst;
        if (i < LOADS_11)
            continue;
        more = more && is_more(points, i, FC_METRIC_THROUGHPUT);
        later = later && is_more(points, i, FC_METRIC_LATENCY);
    }
    char found[240];
    fc_report_add_claim(report, "more outstanding requests give more throughput",
                        more ? "at every simulated load at which the limit binds"
                             : "not at every simulated load",
                        more);
    fc_report_add_claim(report, "and more delay",
                        later ? "at every simulated load at which the limit binds"
                              : "not at every simulated load",
                        later);
    const double early =
        fc_paper_points_value(points, 5, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT) /
        fc_paper_points_value(points, 2, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT);
    const double late =
        fc_paper_points_value(points, 3 * LOADS_11 + 5, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT) /
        fc_paper_points_value(points, 3 * LOADS_11 + 2, FC_POINT_SIMULATION, FC_METRIC_THROUGHPUT);
    snprintf(found, sizeof found,
             "doubling the load from 0.5 brings %+.0f %% with m = 1 and %+.0f %% with m = 8",
             100.0 * (early - 1.0), 100.0 * (late - 1.0));
    fc_report_add_claim(report, "the system saturates early for low m", found, early < late);
    snprintf(found, sizeof found,
             "model's throughput, with the limit iterated to its fixed point, within %.0f %% of "
             "simulation; applied once, as printed, it falls with the load",
             100.0 * fabs(worst));
    fc_report_add_claim(report, "simulation agrees with the analysis of outstanding requests",
                        found, fabs(worst) < 0.07);
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
        fc_report_add_text(report, "The buffer length is not named; L = 16 is ours.");
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

static void claims_12(fc_report *report, const fc_paper_points *points, const double *loads) {
    char found[240];
    const double small[] = {peak_load(points, 0, loads), peak_load(points, 1, loads)};
    const double large[] = {peak_load(points, 2, loads), peak_load(points, 3, loads),
                            peak_load(points, 4, loads)};
    snprintf(found, sizeof found, "highest at load %.2f with L = 1 and %.2f with L = 2", small[0],
             small[1]);
    fc_report_add_claim(report, "with small buffers the power grows with the load", found,
                        small[0] == 1.0 && small[1] == 1.0);
    snprintf(found, sizeof found, "peaks at load %.2f, %.2f and %.2f with L = 4, 8 and 16",
             large[0], large[1], large[2]);
    fc_report_add_claim(report, "with large buffers it has a peak and then falls", found,
                        large[0] < 1.0 && large[1] < 1.0 && large[2] < 1.0);
    double least = INFINITY, most = 0.0;
    bool falls = true;
    for (size_t s = 0; s < BUFFERS_12; ++s) {
        const double light =
            fc_paper_points_value(points, s * LOADS_12 + 3, FC_POINT_PAPER, FC_METRIC_POWER);
        least = fmin(least, light);
        most = fmax(most, light);
        falls = falls && (s == 0 || fc_paper_points_value(points, s * LOADS_12 + 17, FC_POINT_PAPER,
                                                          FC_METRIC_POWER) <
                                        fc_paper_points_value(points, (s - 1) * LOADS_12 + 17,
                                                              FC_POINT_PAPER, FC_METRIC_POWER));
    }
    snprintf(found, sizeof found, "at load 0.2 it differs by %.1f %% between L = 1 and L = 16",
             100.0 * (most / least - 1.0));
    fc_report_add_claim(report, "at light load the power does not depend on the buffer length",
                        found, most / least < 1.05);
    fc_report_add_claim(report, "under heavy load it falls as buffers grow",
                        falls ? "at load 0.9, from each L to the next"
                              : "not from each L to the "
                                "next at load 0.9",
                        falls);
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
        fc_report_add_text(report, "Power is N X / D, with the delay of eq. (14) as printed: with "
                                   "eq. (5) instead, the statement about small buffers would fail "
                                   "for L = 2.");
        const fc_min_layout layout = {"buffer", "load", "load", names_12, loads, LOADS_12};
        fc_min_table(report, &points, &layout, "System power", FC_METRIC_POWER);
        fc_min_plot(report, &points, &layout, "System power",
                    "packets per cycle and cycle of delay", FC_METRIC_POWER);
        claims_12(report, &points, loads);
    }
    fc_paper_points_free(&points);
    return status;
}
