#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "registry/metrics.h"
#include "studies/curve/curve_study.h"

/* The range ends at this share of the pole. Closer to saturation a run takes many times longer. */
static const double range_share = 0.92 / 1.1;
/* The pole is this many times the saturation load. */
static const double pole_above = 1.05;
static const double beyond_share = 0.95; /* of the saturation load: where the points end */
static const double light_load = 0.05;   /* of the end of the range: where it begins */
static const double closed_range = 8;    /* the think time divided and multiplied by this */
static const double coarse = 1.2;        /* times the precision: a wider run is no measurement */
enum { GRID = 24, BEYOND = 4 };

static void set_closed_range(fc_curve_study *s) {
    double think_time = 1;
    fc_scenario_number(s->scenario, s->curve->key, NULL, &think_time);
    s->begin = fmax(fc_curve_rounded(think_time / closed_range), 1);
    s->end = fc_curve_rounded(think_time * closed_range);
    for (size_t i = 0; i < s->wanted->at_count; ++i) {
        s->begin = fmin(s->begin, s->wanted->at[i]);
        s->end = fmax(s->end, s->wanted->at[i]);
    }
    s->shape.limit = s->end;
}

static double largest_throughput(const fc_curve_runs *runs) {
    double most = 0;
    for (size_t r = 0; r < runs->count; ++r)
        most = fmax(most, runs->list[r].throughput);
    return most;
}

static void set_open_range(fc_curve_study *s) {
    const fc_load_bracket *found = &s->found;
    s->shape.capacity = found->high == INFINITY ? largest_throughput(&s->runs) : INFINITY;
    if (found->high == INFINITY) {
        s->shape.pole = INFINITY;
        s->end = fmin(found->low, s->ceiling);
    } else {
        s->shape.pole = pole_above * fc_bracket_load(found);
        s->end = fc_curve_rounded(fmin(range_share * s->shape.pole, s->ceiling));
    }
    const double beyond = fc_curve_rounded(beyond_share * fc_bracket_load(found));
    s->shape.limit = found->high < INFINITY ? fmax(s->end, beyond) : s->end;
    s->begin = fc_curve_rounded(light_load * s->end);
}

/* The i-th load of the grid: half of the way evenly over the load, half over the coordinate, so
 * that there are more where the curve is steep. */
static double grid_load(const fc_curve_study *s, size_t i) {
    const double share = (double)i / (GRID - 1);
    if (i == 0 || i == GRID - 1)
        return i ? s->end : s->begin;
    if (s->closed)
        return fc_curve_rounded(s->begin * pow(s->end / s->begin, share));
    const double pole = s->shape.pole, steep = -log(1 - s->end / pole);
    if (pole == INFINITY)
        return fc_curve_rounded(share * s->end);
    double low = 0, high = s->end;
    for (int step = 0; step < 40; ++step) {
        const double middle = 0.5 * (low + high);
        const double at = 0.5 * (middle / s->end - log(1 - middle / pole) / steep);
        *(at < share ? &low : &high) = middle;
    }
    return fmax(fc_curve_rounded(low), s->begin);
}

static void add_point(const fc_curve_study *s, double load, bool asked) {
    fc_curve *curve = s->curve;
    for (size_t p = 0; p < curve->point_count; ++p) {
        if (curve->points[p].load == load) {
            curve->points[p].asked |= asked;
            return;
        }
    }
    fc_curve_point *point = &curve->points[curve->point_count++];
    *point =
        (fc_curve_point){.load = load, .asked = asked, .reliable = load <= s->end, .model = NAN};
    for (size_t m = 0; m < FC_CURVE_METRICS; ++m)
        point->values[m] = point->measured[m] = (fc_curve_value){NAN, NAN};
}

/* Whether a run is good enough to be a point: a short look at a load near saturation is not. */
static bool is_measurement(const fc_curve_study *s, const fc_curve_measurement *run) {
    const fc_curve_value *main = &run->measured[0];
    return run->outcome != FC_OUTCOME_OK || main->half_width <= coarse * s->precision * main->value;
}

/* A load beyond the shape has the values of its own simulation. */
static void take_run(const fc_curve_study *s, const fc_curve_measurement *run,
                     fc_curve_point *point) {
    point->simulated = true;
    point->outcome = run->outcome;
    point->reliable = run->outcome != FC_OUTCOME_NOT_CONVERGED;
    memcpy(point->measured, run->measured, sizeof point->measured);
    if (point->load > s->shape.limit || run->outcome != FC_OUTCOME_OK)
        memcpy(point->values, run->measured, sizeof point->values);
}

void fc_curve_take_runs(fc_curve_study *s) {
    for (size_t r = 0; r < s->runs.count; ++r) {
        const fc_curve_measurement *run = &s->runs.list[r];
        for (size_t p = 0; p < s->curve->point_count && is_measurement(s, run); ++p) {
            if (s->curve->points[p].load == run->load)
                take_run(s, run, &s->curve->points[p]);
        }
    }
}

static fc_status predict_points(const fc_curve_study *s, fc_error *error) {
    fc_curve *curve = s->curve;
    fc_status status = FC_OK;
    for (size_t p = 0; p < curve->point_count && status == FC_OK; ++p) {
        fc_curve_point *point = &curve->points[p];
        fc_forecast_point forecast;
        status = fc_forecast_points(s->forecast, &point->load, 1, error, &forecast);
        if (status == FC_OK && forecast.outcome == FC_OUTCOME_OK)
            point->model = forecast.value;
    }
    return status;
}

static int compare_points(const void *a, const void *b) {
    const double left = ((const fc_curve_point *)a)->load,
                 right = ((const fc_curve_point *)b)->load;
    return (left > right) - (left < right);
}

fc_status fc_curve_place_points(fc_curve_study *s, fc_error *error) {
    fc_curve *curve = s->curve;
    const size_t most = GRID + BEYOND + s->wanted->at_count + FC_CURVE_RUNS_MOST;
    fc_curve_point *points = fc_reallocate(curve->points, most, sizeof *points);
    if (!points)
        return fc_fail_memory(error);
    curve->points = points;
    curve->point_count = 0;
    if (s->closed)
        set_closed_range(s);
    else
        set_open_range(s);
    curve->reliable = s->end;
    for (size_t i = 0; i < GRID && s->end > 0; ++i)
        add_point(s, grid_load(s, i), false);
    const double gap = s->shape.limit - s->end;
    for (size_t i = 1; i <= BEYOND && gap > 0; ++i)
        add_point(s, fc_curve_rounded(s->end + gap * (double)i / BEYOND), false);
    for (size_t i = 0; i < s->wanted->at_count; ++i)
        add_point(s, s->wanted->at[i], true);
    for (size_t r = 0; r < s->runs.count; ++r) {
        if (is_measurement(s, &s->runs.list[r]))
            add_point(s, s->runs.list[r].load, false);
    }
    qsort(curve->points, curve->point_count, sizeof *points, compare_points);
    fc_curve_take_runs(s);
    return s->forecast ? predict_points(s, error) : FC_OK;
}

/* ---- what is told of the points in the end ---- */

/* A load that was simulated has the value of its simulation where that is narrower, or where the
 * shape contradicts it; otherwise what all simulations say of it. */
static void settle_simulated(const fc_curve *curve, fc_curve_point *point) {
    for (size_t m = 0; m < curve->metric_count; ++m) {
        const fc_curve_value run = point->measured[m], *shape = &point->values[m];
        const bool contradicted =
            fabs(run.value - shape->value) > hypot(run.half_width, shape->half_width);
        if (isfinite(run.half_width) &&
            (isnan(shape->value) || contradicted || run.half_width <= shape->half_width))
            point->values[m] = run;
    }
}

/* Each percentile is corrected by itself: where they are known badly they may cross, and fall below
 * the mean, which the 99th does not where a latency has no rare huge values. */
static void order_percentiles(const fc_curve *curve, fc_curve_point *point) {
    double below = -INFINITY;
    for (size_t m = 0; m < curve->metric_count; ++m) {
        const double share = fc_metrics[fc_metric_find(curve->metrics[m])].percentile;
        if (share == 0 || isnan(point->values[m].value))
            continue;
        const double least = share >= 0.99 ? fmax(below, point->values[0].value) : below;
        point->values[m].value = fmax(point->values[m].value, least);
        below = point->values[m].value;
    }
}

void fc_curve_settle_points(fc_curve_study *s) {
    fc_curve *curve = s->curve;
    size_t kept = 0;
    for (size_t p = 0; p < curve->point_count; ++p) {
        fc_curve_point *point = &curve->points[p];
        if (point->simulated && point->outcome == FC_OUTCOME_OK)
            settle_simulated(curve, point);
        else if (!s->closed && point->outcome == FC_OUTCOME_OK)
            order_percentiles(curve, point);
        /* Loads that nothing is known of: between the end of the shape and those simulated. */
        const bool known = point->simulated || isfinite(point->values[0].value);
        if (known || point->asked)
            curve->points[kept++] = *point;
        if (!known && point->asked)
            curve->points[kept - 1].outcome = FC_OUTCOME_NOT_CONVERGED;
    }
    curve->point_count = kept;
}
