/* The forms and their constants come from a prototype on 18 networks (rings, tori, meshes,
 * scouting, routers, fat tree, hypercube): with these expectations four to five simulations gave
 * bands of 2 % that held in 93 to 100 % of loads not simulated. Widely different constants need
 * more simulations or hold less often; see docs/validation/curve.md for what was measured since. */
#include "studies/curve/curve_shape.h"
#include "registry/result.h"

#include <math.h>
#include <string.h>

/* Deviations: constant, slope, smooth part; length. */
static const fc_kernel kernels[FC_FORM_COUNT] = {
    [FC_FORM_MODEL] = {.constant = 0.3, .scale = 0.06, .length = 0.8},
    [FC_FORM_PLAIN] = {.constant = 2, .slope = 0.5, .scale = 0.4, .length = 0.8},
    [FC_FORM_FLAT] = {.constant = 0.2, .slope = 0.2, .scale = 0.1, .length = 0.8},
    [FC_FORM_BOUNDED] = {.constant = 0.2, .slope = 1, .scale = 0.4, .length = 0.5},
    [FC_FORM_CLOSED_MODEL] = {.constant = 0.3, .scale = 0.1, .length = 1.2},
    [FC_FORM_CLOSED_PLAIN] = {.constant = 8, .slope = 0.5, .scale = 0.5, .length = 1.2},
};
/* A model of a network that refuses messages may bend at a slightly wrong load: with the smooth
 * expectation above, the band missed 3 of 8 loads of a multistage network, by up to 6 half widths.
 */
static const fc_kernel bend_kernel = {.constant = 0.3, .scale = 0.15, .length = 0.4};
/* The other metrics: relative to the main one where that is a latency. */
static const fc_kernel percentile_kernel = {
    .constant = 1, .slope = 0.3, .scale = 0.1, .length = 0.8};
static const fc_kernel throughput_kernel = {
    .constant = 1, .slope = 0.01, .scale = 0.01, .length = 0.8};
static const fc_kernel refused_kernel = {
    .constant = 0.2, .slope = 0.2, .scale = 0.1, .length = 0.5};

static const double growth_exponent = 0.6;
/* A latency that has grown by less than this many half widths at the highest load is flat. */
static const double clear_growth = 4;
/* How sharply the throughput of a network that refuses messages may bend. Full buffers refuse all
 * at once; a source that waits for a reply, with 1 / throughput = 1 / load + latency, bends by 1.
 */
static const double bends[] = {8, 4, 2, 1};
static const double normal_quantile = 1.96;
/* Largest standard deviation of the noise of g: above it, the logarithm is far from normal. */
static const double noise_most = 0.25;
/* Length of the range in the coordinate of networks that refuse what they cannot carry. */
static const double bounded_length = 2;

static bool is_closed(fc_curve_form form) {
    return form == FC_FORM_CLOSED_MODEL || form == FC_FORM_CLOSED_PLAIN;
}

/* Measured from the latency at zero load on. */
static bool has_offset(fc_curve_form form) {
    return form == FC_FORM_MODEL || form == FC_FORM_PLAIN;
}

double fc_curve_coordinate(const fc_curve_shape *shape, double load) {
    if (is_closed(shape->form))
        return log(load);
    if (shape->pole == INFINITY)
        return bounded_length * load / shape->limit;
    return -log(fmax(1 - load / shape->pole, 1e-12));
}

static double main_base(const fc_curve_shape *shape, const fc_curve_point *point) {
    const double u = point->load / shape->pole;
    switch (shape->form) {
    case FC_FORM_MODEL:
        return point->model - shape->model_zero;
    case FC_FORM_PLAIN:
        return shape->zero.value * u * pow(fmax(1 - u, 1e-12), -growth_exponent);
    case FC_FORM_FLAT:
    case FC_FORM_BOUNDED:
        return shape->zero.value;
    case FC_FORM_CLOSED_MODEL:
        return log(point->model / (1 - point->model));
    case FC_FORM_CLOSED_PLAIN:
        return log(point->load);
    case FC_FORM_COUNT:
        break;
    }
    return NAN;
}

/* How one metric depends on g. */
typedef struct link {
    bool logit;
    fc_curve_value offset;
    double base;
} link;

/* Up to what the network can carry, and no more. */
static double carried(const fc_curve_shape *shape, double load) {
    const double bend = shape->bend > 0 ? shape->bend : bends[0];
    return load * pow(1 + pow(load / shape->capacity, bend), -1 / bend);
}

static link link_of(const fc_curve_shape *shape, const fc_curve *curve, size_t metric,
                    const fc_curve_point *point) {
    link made = {.base = 1};
    const bool closed = is_closed(shape->form);
    if (metric == 0) {
        made.logit = closed;
        made.base = main_base(shape, point);
        if (has_offset(shape->form))
            made.offset = shape->zero;
    } else if (fc_metric_find(curve->metrics[metric]) == FC_METRIC_THROUGHPUT) {
        made.base = closed ? point->values[0].value / point->load : carried(shape, point->load);
    } else if (!closed) {
        made.base = point->values[0].value;
    }
    return made;
}

/* g and the deviation of its noise; false if the value says nothing of it. */
static bool to_g(const link *with, fc_curve_value measured, double *g, double *deviation) {
    const double noise = 0.5 * hypot(measured.half_width, with->offset.half_width);
    const double above = measured.value - with->offset.value;
    if (with->logit) {
        const double spread = measured.value * (1 - measured.value);
        *g = log(measured.value / (1 - measured.value)) - with->base;
        *deviation = noise / spread;
    } else {
        *g = log(above / with->base);
        *deviation = noise / above;
    }
    return isfinite(*g) && *deviation < noise_most;
}

static fc_curve_value from_g(const link *with, fc_estimate g) {
    const double reach = normal_quantile * g.deviation;
    fc_curve_value made;
    if (with->logit) {
        made.value = 1 / (1 + exp(-with->base - g.mean));
        const double low = 1 / (1 + exp(-with->base - g.mean + reach));
        const double high = 1 / (1 + exp(-with->base - g.mean - reach));
        made.half_width = fmax(made.value - low, high - made.value);
        return made;
    }
    const double above = with->base * exp(g.mean);
    made.value = with->offset.value + above;
    made.half_width = hypot(above * expm1(reach), with->offset.half_width);
    if (!isfinite(made.value) || !isfinite(made.half_width))
        made = (fc_curve_value){NAN, NAN};
    return made;
}

static const fc_kernel *kernel_of(const fc_curve_shape *shape, const fc_curve *curve,
                                  size_t metric) {
    if (metric == 0 && fc_curve_form_is_model(shape->form) && shape->pole == INFINITY)
        return &bend_kernel;
    if (metric == 0)
        return &kernels[shape->form];
    if (fc_metric_find(curve->metrics[metric]) == FC_METRIC_THROUGHPUT)
        return shape->pole == INFINITY ? &refused_kernel : &throughput_kernel;
    return &percentile_kernel;
}

static bool counts(const fc_curve_point *point, size_t metric) {
    return point->simulated && point->outcome == FC_OUTCOME_OK &&
           isfinite(point->measured[metric].value) && isfinite(point->measured[metric].half_width);
}

void fc_curve_correct(const fc_curve_shape *shape, size_t metric, fc_regression *fit,
                      fc_curve *curve) {
    double x[FC_REGRESSION_MOST], g[FC_REGRESSION_MOST], deviations[FC_REGRESSION_MOST];
    size_t used = 0;
    for (size_t p = 0; p < curve->point_count && used < FC_REGRESSION_MOST; ++p) {
        const fc_curve_point *point = &curve->points[p];
        const link with = link_of(shape, curve, metric, point);
        x[used] = fc_curve_coordinate(shape, point->load);
        if (counts(point, metric) &&
            to_g(&with, point->measured[metric], &g[used], &deviations[used]))
            ++used;
    }
    fc_regression_fit(kernel_of(shape, curve, metric), x, g, deviations, used, fit);
    for (size_t p = 0; p < curve->point_count; ++p) {
        fc_curve_point *point = &curve->points[p];
        if (point->outcome != FC_OUTCOME_OK || point->load > shape->limit)
            continue;
        const link with = link_of(shape, curve, metric, point);
        const double at = fc_curve_coordinate(shape, point->load);
        point->values[metric] = from_g(&with, fc_regression_at(fit, at));
    }
}

void fc_curve_find_bend(fc_curve_shape *shape, fc_regression *fit, fc_curve *curve) {
    const size_t metric = curve->metric_count - 1; /* the throughput is the last */
    double most = -INFINITY, best = bends[0];
    for (size_t i = 0; i < sizeof bends / sizeof *bends && shape->capacity < INFINITY; ++i) {
        shape->bend = bends[i];
        fc_curve_correct(shape, metric, fit, curve);
        if (fit->evidence > most) {
            most = fit->evidence;
            best = bends[i];
        }
    }
    shape->bend = best;
}

void fc_curve_find_zero(fc_curve_shape *shape, double light_load, const fc_curve *curve) {
    if (shape->exact || !has_offset(shape->form))
        return;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        const double growth = point->values[0].value - shape->zero.value;
        if (point->load == light_load && growth > 0 && growth < 0.2 * shape->light.value)
            shape->zero.value = shape->light.value - growth;
    }
}

/* A model must have an answer above its zero-load latency wherever the curve is to be known, and
 * grow: a bound alone is no shape. */
static bool model_answers(const fc_curve_shape *shape, const fc_curve *curve) {
    bool growing = false;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->load > curve->reliable)
            continue;
        if (!(point->model >= shape->model_zero))
            return false;
        growing |= point->model > 1.01 * shape->model_zero;
    }
    return growing;
}

static bool is_flat(const fc_curve_shape *shape, const fc_curve *curve) {
    bool flat = false;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (!counts(point, 0) || point->load > curve->reliable)
            continue;
        const double noise = hypot(point->measured[0].half_width, shape->zero.half_width);
        const double growth = point->measured[0].value - shape->zero.value;
        if (growth < -1.5 * noise)
            return true;
        flat = growth < clear_growth * noise; /* of the highest load in the end */
    }
    return flat;
}

bool fc_curve_form_fits(const fc_curve_shape *shape, fc_curve_form form, const fc_curve *curve) {
    switch (form) {
    case FC_FORM_MODEL:
        return model_answers(shape, curve) && !is_flat(shape, curve);
    case FC_FORM_PLAIN:
        return shape->pole < INFINITY && !is_flat(shape, curve);
    case FC_FORM_CLOSED_MODEL:
        for (size_t p = 0; p < curve->point_count; ++p) {
            if (!(curve->points[p].model > 0 && curve->points[p].model < 1))
                return false;
        }
        return true;
    case FC_FORM_BOUNDED:
        return shape->pole == INFINITY;
    default:
        return true;
    }
}
