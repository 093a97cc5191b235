/* What a curve is expected to look like before it is simulated, and its correction by simulations.
 *
 * A metric is offset + base(load) exp(g), or 1 / (1 + exp(-base(load) - g)) for an efficiency, with
 * g a regression over a coordinate of the load. The forms differ in offset and base. */
#ifndef FC_STUDIES_CURVE_SHAPE_H
#define FC_STUDIES_CURVE_SHAPE_H

#include "base/regression.h"
#include "flitcast/flitcast.h"

typedef enum fc_curve_form {
    FC_FORM_MODEL,   /* the latency of the model alone above zero load, corrected */
    FC_FORM_PLAIN,   /* without a model: grows like u (1 - u)^-0.6 */
    FC_FORM_FLAT,    /* a latency that hardly grows, or falls */
    FC_FORM_BOUNDED, /* of a network that refuses what it cannot carry: grows and levels off */
    FC_FORM_CLOSED_MODEL,
    FC_FORM_CLOSED_PLAIN,
    FC_FORM_COUNT
} fc_curve_form;

static inline bool fc_curve_form_is_model(fc_curve_form form) {
    return form == FC_FORM_MODEL || form == FC_FORM_CLOSED_MODEL;
}

typedef struct fc_curve_shape {
    fc_curve_form form;
    double limit;         /* the shape speaks of loads up to here */
    double pole;          /* coordinate -log(1 - load / pole); infinity: it never saturates */
    double capacity;      /* largest throughput; infinity: it saturates before */
    double bend;          /* how sharply the throughput bends there; 0: not known */
    fc_curve_value zero;  /* the latency at zero load; half width 0: exact */
    fc_curve_value light; /* as simulated at a light load */
    bool exact;           /* the latency at zero load is the model's */
    double model_zero;    /* by the model */
} fc_curve_shape;

double fc_curve_coordinate(const fc_curve_shape *shape, double load);

/* Whether the form can hold the measured values of the main metric. */
bool fc_curve_form_fits(const fc_curve_shape *shape, fc_curve_form form, const fc_curve *curve);

/* Corrects a metric of the curve by what is measured of it and fills in its values at every point
 * that is not saturated; the main metric comes first. fit: room to work in, holds the regression
 * afterwards. */
void fc_curve_correct(const fc_curve_shape *shape, size_t metric, fc_regression *fit,
                      fc_curve *curve);

/* How sharply the throughput of a network that refuses messages bends, as its simulations show. */
void fc_curve_find_bend(fc_curve_shape *shape, fc_regression *fit, fc_curve *curve);

/* The latency at zero load where no model knows it: that of the light load less what the curve says
 * it has grown by there. */
void fc_curve_find_zero(fc_curve_shape *shape, double light_load, const fc_curve *curve);

#endif
