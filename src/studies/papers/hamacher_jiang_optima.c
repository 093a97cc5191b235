/* Figures 7 to 9: the ring sizes that minimise the delay of 500 stations with uniform destinations.
 * G = N/(L M) need not be whole, as in the paper; networks of whole sizes near the optima are
 * simulated to see whether the models rank them rightly. */
#include "studies/papers/hamacher_jiang_paper.h"
#include "output/report/report.h"

#include <math.h>
#include "base/decimal.h"

enum { STATIONS = 500 };

typedef struct candidate {
    int local, middle; /* middle 0: two levels */
    size_t point;
} candidate;

static void rings_text(char *text, size_t size, int local, int middle) {
    char last[FC_REAL_SIZE];
    fc_real_text((double)STATIONS / (middle ? local * middle : local), last);
    if (middle == 0)
        snprintf(text, size, "[%d, %s]", local, last);
    else
        snprintf(text, size, "[%d, %d, %s]", local, middle, last);
}

/* The `wanted` candidates of lowest delay, best first; fewer if fewer are not saturated. */
static size_t best_candidates(const fc_paper_points *points, const candidate *candidates,
                              size_t count, size_t method, candidate *best, size_t wanted) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        const double latency =
            fc_paper_points_value(points, candidates[i].point, method, FC_METRIC_LATENCY);
        if (isnan(latency))
            continue;
        size_t place = found < wanted ? found++ : wanted;
        while (place > 0 && fc_paper_points_value(points, best[place - 1].point, method,
                                                  FC_METRIC_LATENCY) > latency) {
            if (place < wanted)
                best[place] = best[place - 1];
            --place;
        }
        if (place < wanted)
            best[place] = candidates[i];
    }
    return found;
}

/* ---- figure 7 ---- */

enum { LOCAL_MIN = 2, LOCAL_MAX = 100, LOCALS = LOCAL_MAX - LOCAL_MIN + 1, RATES_7 = 8 };

static double rate_7(size_t index) {
    return 0.0005 * (double)(index + 1);
}

static void claim_7(fc_report *report, const candidate *best) {
    const double light = fc_ring_published("figure-7", "best L at light traffic");
    fc_report_add_claim(report, &(fc_report_claim){"in light traffic the best L is near 16",
                                                   .source = "section 5", .quantity = "best L",
                                                   .unit = "stations", .value = best[0].local,
                                                   FC_BETWEEN(light - 1, light + 1),
                                                   .bound = "the paper's number, within 1",
                                                   .read_at = "a rate of 0.0005"});
    fc_cell_claim grows = {{"the best L grows with the rate", .source = "section 5",
                            .quantity = "best L less that at the rate below", .unit = "stations",
                            FC_AT_LEAST(0), .bound = FC_BOUND_PAPER}};
    fc_cell_claim inside = {{"there is a best L for every rate", .source = "section 5",
                             .quantity = "best L", .unit = "stations",
                             FC_BETWEEN(LOCAL_MIN + 1, LOCAL_MAX - 1),
                             .bound = "ours: inside of the range searched"}};
    for (size_t i = 0; i < RATES_7; ++i) {
        if (i > 0)
            fc_cell_claim_add(&grows, best[i].local - best[i - 1].local, "a rate of %g", rate_7(i));
        fc_cell_claim_add(&inside, best[i].local, "a rate of %g", rate_7(i));
    }
    char remark[80];
    snprintf(remark, sizeof remark, "It goes from L = %d to L = %d at a rate of %g.", best[0].local,
             best[RATES_7 - 1].local, rate_7(RATES_7 - 1));
    grows.claim.remark = remark;
    fc_report_add_cell_claim(report, &grows);
    fc_report_add_cell_claim(report, &inside);
}

static void plot_7(fc_report *report, const fc_paper_points *points) {
    static const size_t shown[] = {0, 3, 5, 7};
    double x[LOCALS], y[LOCALS];
    fc_plot *plot = fc_plot_create("Two levels, N = 500, uniform: model", "L, stations on a ring",
                                   "delay, ticks");
    for (size_t s = 0; s < 4; ++s) {
        size_t count = 0;
        for (int local = 6; local <= 60; ++local, ++count) {
            x[count] = local;
            y[count] =
                fc_paper_points_value(points, shown[s] * LOCALS + (size_t)(local - LOCAL_MIN),
                                      FC_POINT_PAPER, FC_METRIC_LATENCY);
            if (y[count] > 120) /* the wall of saturation would flatten the rest */
                y[count] = (double)NAN;
        }
        char label[40];
        snprintf(label, sizeof label, "rate %g", rate_7(shown[s]));
        fc_plot_add_series(
            plot,
            &(fc_series){.label = label, .style = FC_STYLE_LINE, .x = x, .y = y, .count = count});
    }
    fc_report_add_plot(report, plot);
}

static void show_7(fc_report *report, const fc_paper_points *points, const candidate *candidates) {
    static const char *const columns[] = {
        "rate", "best L", "delay", "L within 1 %", "best L of ring-trains", "its delay"};
    candidate best[RATES_7], ours;
    fc_report_add_table(report, "The best size of the local rings", columns, 6);
    for (size_t r = 0; r < RATES_7; ++r) {
        best_candidates(points, candidates + r * LOCALS, LOCALS, FC_POINT_PAPER, &best[r], 1);
        best_candidates(points, candidates + r * LOCALS, LOCALS, FC_POINT_OURS, &ours, 1);
        const double lowest =
            fc_paper_points_value(points, best[r].point, FC_POINT_PAPER, FC_METRIC_LATENCY);
        int first = 0, last = 0;
        for (size_t i = r * LOCALS; i < (r + 1) * LOCALS; ++i) {
            if (fc_paper_points_value(points, i, FC_POINT_PAPER, FC_METRIC_LATENCY) <=
                1.01 * lowest) {
                first = first == 0 ? candidates[i].local : first;
                last = candidates[i].local;
            }
        }
        fc_report_row(report);
        fc_report_cell_number(report, rate_7(r), 2);
        fc_report_cell_text(report, "%d", best[r].local);
        fc_report_cell_number(report, lowest, 5);
        fc_report_cell_text(report, "%d to %d", first, last);
        fc_report_cell_text(report, "%d", ours.local);
        fc_report_cell_number(
            report, fc_paper_points_value(points, ours.point, FC_POINT_OURS, FC_METRIC_LATENCY), 5);
    }
    plot_7(report, points);
    claim_7(report, best);
}

fc_status fc_hamacher_jiang_figure_7(const fc_paper_context *context, fc_error *error,
                                     fc_report *report) {
    fc_paper_points points = fc_ring_points(context);
    candidate candidates[RATES_7 * LOCALS];
    for (size_t r = 0; r < RATES_7; ++r) {
        for (int local = LOCAL_MIN; local <= LOCAL_MAX; ++local) {
            char rings[64];
            rings_text(rings, sizeof rings, local, 0);
            candidates[r * LOCALS + (size_t)(local - LOCAL_MIN)] =
                (candidate){local, 0, points.count};
            fc_ring_points_add(&points, "figure-7", rings, rate_7(r), NULL);
        }
    }
    const fc_status status = fc_paper_points_evaluate(&points, false, error);
    if (status == FC_OK)
        show_7(report, &points, candidates);
    fc_paper_points_free(&points);
    return status;
}

/* ---- figures 8 and 9 ---- */

enum { RING_MIN = 2, RING_MAX = 25, CANDIDATES = 24 * 24, LISTED = 5 };

static void list_best(fc_report *report, const fc_paper_points *points, const candidate *candidates,
                      size_t count, candidate *paper, candidate *ours) {
    static const char *const columns[] = {"place", "hamacher-jiang", "delay", "ring-trains",
                                          "its delay"};
    const size_t found = best_candidates(points, candidates, count, FC_POINT_PAPER, paper, LISTED);
    best_candidates(points, candidates, count, FC_POINT_OURS, ours, LISTED);
    fc_report_add_table(report, "The best (L, M) with G = 500/(L M)", columns, 5);
    for (size_t i = 0; i < found; ++i) {
        fc_report_row(report);
        fc_report_cell_text(report, "%zu", i + 1);
        fc_report_cell_text(report, "(%d, %d)", paper[i].local, paper[i].middle);
        fc_report_cell_number(
            report,
            fc_paper_points_value(points, paper[i].point, FC_POINT_PAPER, FC_METRIC_LATENCY), 5);
        fc_report_cell_text(report, "(%d, %d)", ours[i].local, ours[i].middle);
        fc_report_cell_number(
            report, fc_paper_points_value(points, ours[i].point, FC_POINT_OURS, FC_METRIC_LATENCY),
            5);
    }
}

/* Delay over L, a line for the best M and its neighbours: cuts through the printed surface. */
static void plot_surface(fc_report *report, const fc_paper_points *points,
                         const candidate *candidates, size_t count, const candidate *best,
                         const char *title) {
    static const int steps[] = {-4, -2, 0, 4, 8};
    const double highest =
        1.6 * fc_paper_points_value(points, best->point, FC_POINT_PAPER, FC_METRIC_LATENCY);
    fc_plot *plot = fc_plot_create(title, "L, stations on a local ring", "delay, ticks");
    for (size_t s = 0; s < sizeof steps / sizeof *steps; ++s) {
        double x[RING_MAX], y[RING_MAX];
        size_t drawn = 0;
        for (size_t i = 0; i < count; ++i) {
            if (candidates[i].middle != best->middle + steps[s])
                continue;
            x[drawn] = candidates[i].local;
            y[drawn] = fc_paper_points_value(points, candidates[i].point, FC_POINT_PAPER,
                                             FC_METRIC_LATENCY);
            if (y[drawn] > highest)
                y[drawn] = (double)NAN;
            ++drawn;
        }
        char label[24];
        snprintf(label, sizeof label, "M = %d", best->middle + steps[s]);
        if (drawn > 0)
            fc_plot_add_series(
                plot, &(fc_series){
                          .label = label, .style = FC_STYLE_LINE, .x = x, .y = y, .count = drawn});
    }
    fc_report_add_plot(report, plot);
}

/* The printed surface seen from above. */
static void map_surface(fc_report *report, const fc_paper_points *points,
                        const candidate *candidates, size_t count, const candidate *best,
                        const char *title) {
    enum { SIDE = RING_MAX + 1 }; /* rows and columns are M and L themselves */
    double values[SIDE * SIDE];
    const double highest =
        1.6 * fc_paper_points_value(points, best->point, FC_POINT_PAPER, FC_METRIC_LATENCY);
    for (size_t i = 0; i < SIDE * SIDE; ++i)
        values[i] = (double)NAN;
    for (size_t i = 0; i < count; ++i) {
        const double y =
            fc_paper_points_value(points, candidates[i].point, FC_POINT_PAPER, FC_METRIC_LATENCY);
        const int row = candidates[i].middle, column = candidates[i].local;
        values[row * SIDE + column] = y > highest ? (double)NAN : y;
    }
    fc_heatmap *map = fc_heatmap_create(title, "delay, ticks", SIDE, SIDE, values);
    if (map)
        fc_heatmap_set_axes(map, "L", "M");
    fc_report_add_heatmap(report, map);
}

/* Networks of whole sizes and about 500 stations around the optima of both models. */
static const char *const whole[] = {"[5, 10, 10]", "[6, 7, 12]", "[7, 7, 10]",
                                    "[9, 9, 6]",   "[9, 11, 5]", "[10, 10, 5]"};
enum { WHOLE = 6 };

static fc_status simulate_whole(const fc_paper_context *context, const char *item, fc_error *error,
                                fc_report *report) {
    static const char *const columns[] = {"rings", "simulation",  "hamacher-jiang",
                                          "error", "ring-trains", "error of ring-trains"};
    fc_paper_points points = fc_ring_points(context);
    for (size_t i = 0; i < WHOLE; ++i)
        fc_ring_points_add(&points, item, whole[i], 0, NULL);
    const fc_status status = fc_paper_points_evaluate(&points, true, error);
    if (status == FC_OK) {
        fc_report_add_table(report, "Whole sizes near the optima, simulated", columns, 6);
        for (size_t i = 0; i < WHOLE; ++i) {
            fc_report_row(report);
            fc_report_cell_text(report, "%s", whole[i]);
            fc_report_cell_interval(
                report, fc_paper_points_value(&points, i, FC_POINT_SIMULATION, FC_METRIC_LATENCY),
                fc_paper_points_half_width(&points, i, FC_METRIC_LATENCY));
            fc_report_cell_number(
                report, fc_paper_points_value(&points, i, FC_POINT_PAPER, FC_METRIC_LATENCY), 5);
            fc_report_cell_percent(
                report, fc_paper_points_error(&points, i, FC_POINT_PAPER, FC_METRIC_LATENCY));
            fc_report_cell_number(
                report, fc_paper_points_value(&points, i, FC_POINT_OURS, FC_METRIC_LATENCY), 5);
            fc_report_cell_percent(
                report, fc_paper_points_error(&points, i, FC_POINT_OURS, FC_METRIC_LATENCY));
        }
    }
    fc_paper_points_free(&points);
    return status;
}

static void claim_surface(fc_report *report, const fc_paper_points *points, const char *item,
                          const candidate *best) {
    static const char *const sizes[] = {"best L", "best M"};
    const int found[] = {best[0].local, best[0].middle};
    char remark[120];
    const double lowest =
        fc_paper_points_value(points, best[0].point, FC_POINT_PAPER, FC_METRIC_LATENCY);
    const double fifth =
        fc_paper_points_value(points, best[LISTED - 1].point, FC_POINT_PAPER, FC_METRIC_LATENCY);
    snprintf(remark, sizeof remark,
             "The delay there is %.3f ticks; the fifth best is %.2f %% slower.", lowest,
             100 * (fifth / lowest - 1));
    for (size_t i = 0; i < 2; ++i) {
        const double said = fc_ring_published(item, sizes[i]);
        char statement[60];
        snprintf(statement, sizeof statement, "the %s is %g", sizes[i], said);
        fc_report_add_claim(
            report, &(fc_report_claim){
                        statement, .source = "section 5", .quantity = sizes[i], .value = found[i],
                        FC_BETWEEN(said, said), .bound = FC_BOUND_PAPER,
                        .read_at = "the lowest of all L and M", .remark = i == 0 ? remark : NULL});
    }
}

fc_status fc_hamacher_jiang_surface(const fc_paper_context *context, fc_error *error,
                                    fc_report *report) {
    const fc_ring_surface *shown = context->shown;
    const char *item = shown->item;
    fc_paper_points points = fc_ring_points(context);
    candidate candidates[CANDIDATES], paper[LISTED], ours[LISTED];
    size_t count = 0;
    for (int local = RING_MIN; local <= RING_MAX; ++local) {
        for (int middle = RING_MIN; middle <= RING_MAX; ++middle) {
            if (2 * local * middle > STATIONS)
                continue;
            char rings[80];
            rings_text(rings, sizeof rings, local, middle);
            candidates[count++] = (candidate){local, middle, points.count};
            fc_ring_points_add(&points, item, rings, 0, NULL);
        }
    }
    fc_status status = fc_paper_points_evaluate(&points, false, error);
    if (status == FC_OK) {
        list_best(report, &points, candidates, count, paper, ours);
        plot_surface(report, &points, candidates, count, &paper[0], shown->title);
        map_surface(report, &points, candidates, count, &paper[0], shown->title);
        claim_surface(report, &points, item, paper);
        status = simulate_whole(context, item, error, report);
    }
    fc_paper_points_free(&points);
    return status;
}
