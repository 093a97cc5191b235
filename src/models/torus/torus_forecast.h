/* Forecasts of open tori and meshes that were learned from simulations: of the latency at any load,
 * and of the saturation load.
 *
 * What is known of a network (fc_torus_known): its shape, and what torus-sharing says of it at two
 * reference loads, a light one, where it always has an answer, and 65 % of the forecast saturation
 * load. Two functions of that were fitted
 * (docs/theory/calibration.md#tori): log(saturation load / capacity), and a shift t of the load on
 * the hyperbola
 *
 *     excess(x) = excess(reference) * x (pole - reference) / (reference (pole - x))
 *
 * with loads as shares of the forecast saturation load. The forecast is the empty network's latency
 * and the hyperbola's excess at x e^t: exact in the empty network, and known beyond the model's own
 * saturation load. */
#ifndef FC_MODELS_TORUS_FORECAST_H
#define FC_MODELS_TORUS_FORECAST_H

#include "base/perceptrons.h"
#include "models/torus/torus_sharing.h"
#include "registry/calibration.h"

enum {
    FC_TORUS_SHAPE = 22,
    FC_TORUS_STATE = 11, /* of the model at a reference load */
    FC_TORUS_FIRST = FC_TORUS_SHAPE + FC_TORUS_STATE,
    FC_TORUS_KNOWN = FC_TORUS_FIRST + FC_TORUS_STATE + 1,
    FC_TORUS_INPUTS = FC_TORUS_KNOWN + 4 /* of the shift: those, and the load in four forms */
};

typedef struct fc_torus_known {
    double empty;    /* latency of the empty network */
    double capacity; /* rate at which the busiest channel or link of a node is full */
    double excess;   /* what the model adds to the latency at the first reference load */
    double values[FC_TORUS_KNOWN];
} fc_torus_known;

/* The first of them; false: the model has no answer even at the first reference load. */
bool fc_torus_know(fc_sharing_solver *solver, fc_torus_known *known);
/* The others, from the model at a share of the saturation load, whose logarithm over the capacity
 * is given. Directly after fc_torus_know. */
void fc_torus_know_more(fc_sharing_solver *solver, double log_limit, fc_torus_known *known);

/* The logarithm of saturation load / capacity, by perceptrons that were fitted to it. */
double fc_torus_log_limit(const fc_perceptrons *limit, const fc_torus_known *known);

/* The hyperbola at a rate, given the logarithm of saturation load / capacity. */
typedef struct fc_torus_curve {
    double share;  /* of the saturation load */
    double r;      /* share of the load at which the hyperbola ends */
    double excess; /* over the empty network's latency */
    double inputs[FC_TORUS_INPUTS];
} fc_torus_curve;
fc_torus_curve fc_torus_curve_at(const fc_torus_known *known, double log_limit, double rate);

/* Loads, as shares of the forecast saturation load, between which corrections of the deviation are
 * interpolated. */
enum { FC_TORUS_KNOTS = 6 };
extern const double fc_torus_knots[FC_TORUS_KNOTS];

/* An interval that reaches further than this share of the forecast is named in a note: so did those
 * of 29 of the 30 cases of random networks left out that were more than 15 % off at up to 93 % of
 * saturation. */
extern const double fc_torus_wide;

/* What was fitted (torus_weights.c). */
typedef struct fc_torus_learned {
    fc_perceptrons limit;               /* log(saturation load / capacity) */
    fc_perceptrons shift, spread;       /* t, and the logarithm of its standard deviation */
    double corrections[FC_TORUS_KNOTS]; /* added to that, at the knots */
    double low[FC_TORUS_FIRST], high[FC_TORUS_FIRST]; /* of what is known first of those fitted */
} fc_torus_learned;
extern const fc_torus_learned fc_torus_weights;

/* Linear between the knots, and the same beyond them as at the outer ones. */
double fc_torus_correction(const double corrections[FC_TORUS_KNOTS], double share);
/* The factor of the curve's excess and its interval. */
fc_calibrated_excess fc_torus_shifted(const fc_torus_known *known, const fc_torus_curve *curve,
                                      double shift, double deviation);

/* Unknown where no simulated network is like it. */
fc_forecast fc_torus_forecast(fc_sharing_solver *solver, double rate);
/* NaN: no simulated network is like it. */
double fc_torus_forecast_saturation(fc_sharing_solver *solver);

#endif
