/* Which loads of a curve are simulated, and how precisely. */
#include <math.h>
#include "studies/curve/curve_study.h"

/* Precision of the simulations over that of the curve, for light loads, where it is cheap, and at
 * the end of the range; light: up to this share of the pole. At the end it is a little better than
 * asked, since the band is no narrower than a single measurement there: otherwise a band that is
 * wider by a rounding error has a second load simulated at the end, where that takes longest. */
static const double light_precision = 0.6, end_precision = 0.98;
static const double light_share = 0.5;
/* Where the middle of the range is simulated, as a share of the coordinate: with a model as shape,
 * and without. A model needs fewer loads below it. */
static const double middle_modelled = 2.0 / 3, middle_plain = 0.5;
/* A load is worth its simulation if the band should then be this share of what was asked. */
static const double narrow_enough = 0.95;

/* Whether a higher load takes longer to simulate. It does where the network saturates. */
static bool is_steep(const fc_curve_study *s) {
    return !s->closed && s->shape.pole < INFINITY;
}

double fc_curve_precision_at(const fc_curve_study *s, double load) {
    if (!is_steep(s))
        return light_precision * s->precision;
    const double light = fc_curve_coordinate(&s->shape, light_share * s->shape.pole);
    const double end = fc_curve_coordinate(&s->shape, s->end);
    const double heavy = (fc_curve_coordinate(&s->shape, load) - light) / fmax(end - light, 0.01);
    const double share = fmin(fmax(heavy, 0), 1);
    return s->precision * (light_precision + share * (end_precision - light_precision));
}

double fc_curve_widest(const fc_curve_study *s, double end, bool not_simulated, size_t *at) {
    double most = -1;
    for (size_t p = 0; p < s->curve->point_count; ++p) {
        const fc_curve_point *point = &s->curve->points[p];
        if (point->outcome != FC_OUTCOME_OK || point->load > end ||
            (not_simulated && point->simulated))
            continue;
        const fc_curve_value *value = &point->values[0];
        const double width = isfinite(value->half_width) ? value->half_width / value->value : 1e9;
        if (width > most) {
            most = width;
            *at = p;
        }
    }
    return most;
}

bool fc_curve_model_fits(const fc_curve_study *s) {
    return fc_curve_form_fits(&s->shape, s->closed ? FC_FORM_CLOSED_MODEL : FC_FORM_MODEL,
                              s->curve);
}

double fc_curve_middle_load(const fc_curve_study *s) {
    const double share = is_steep(s) && fc_curve_model_fits(s) ? middle_modelled : middle_plain;
    const double from = fc_curve_coordinate(&s->shape, s->begin);
    const double middle = from + share * (fc_curve_coordinate(&s->shape, s->end) - from);
    double best = INFINITY, load = s->end;
    for (size_t p = 0; p < s->curve->point_count; ++p) {
        const fc_curve_point *point = &s->curve->points[p];
        const double off = fabs(fc_curve_coordinate(&s->shape, point->load) - middle);
        if (point->load <= s->end && off < best) {
            best = off;
            load = point->load;
        }
    }
    return load;
}

/* The half width over value where it would be largest if this point were simulated and found where
 * it is expected. The curve is as before afterwards. */
static double widest_after(fc_curve_study *s, fc_curve_point *point) {
    const fc_curve_point before = *point;
    const double value = before.values[0].value;
    size_t unused;
    point->simulated = true;
    point->measured[0] = (fc_curve_value){value, fc_curve_precision_at(s, point->load) * value};
    fc_curve_correct(&s->shape, 0, s->fit, s->curve);
    const double width = fc_curve_widest(s, s->end, false, &unused);
    *point = before;
    fc_curve_correct(&s->shape, 0, s->fit, s->curve);
    return width;
}

/* A load that is only to confirm a band that is narrow enough is a light one: those are cheap.
 * Else, where a higher load takes longer: of the light loads the one that narrows the band most, if
 * that is enough; else the lowest load that is enough; else the one where the band is widest. With
 * closed traffic: the one that narrows the band most, since a bend makes the band wide between
 * loads that are not its neighbours. Where the network refuses messages: the one where the band is
 * widest. */
bool fc_curve_next_point(fc_curve_study *s, bool confirm, size_t *at) {
    if (fc_curve_widest(s, s->end, true, at) < 0)
        return false;
    if (confirm && fc_curve_widest(s, fmin(s->end, light_share * s->shape.pole), true, at) >= 0)
        return true;
    const double dear = is_steep(s) ? light_share * s->shape.pole : INFINITY;
    double least = s->closed ? INFINITY : is_steep(s) ? narrow_enough * s->precision : 0;
    bool enough = false;
    for (size_t p = 0; p < s->curve->point_count && least > 0; ++p) {
        fc_curve_point *point = &s->curve->points[p];
        if (point->load > s->end || (enough && point->load > dear))
            break;
        const double width = point->simulated ? INFINITY : widest_after(s, point);
        if (width < least) {
            enough = true;
            least = width;
            *at = p;
        }
    }
    return true;
}
