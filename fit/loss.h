/* What is minimised. */
#ifndef FC_FIT_LOSS_H
#define FC_FIT_LOSS_H

#include "fit/backward.h"
#include "forecast/learned_curve.h"
#include "fit/lessons.h"

/* What the terms of the loss count for. */
typedef struct fit_loss_weights {
    double tail, saturation, short_run, spread;
} fit_loss_weights;

/* saturation: so that those networks whose saturation load was searched for count as if all had
 * one. */
fit_loss_weights fit_loss_weights_of(const fit_lessons *lessons, const bool *left_out);

/* The loss of a network, and what it changes by with the outputs. tape: after fc_learned_forward;
 * curve, slopes: with room for its lanes. */
double fit_loss(const fit_loss_weights *weights, const fit_lessons *lessons,
                const fit_lesson *lesson, const fc_learned_tape *tape, fc_member_curve *curve,
                fit_slopes *slopes);

/* A place on a curve over the load: between the knots k and k + 1, or beyond. */
typedef struct fit_place {
    int knot;     /* -1: below the first */
    double share; /* of the way from knot to knot + 1; above 1 beyond the last */
    double slope; /* of v, by the load over the saturation load */
} fit_place;
fit_place fit_place_of(double u);

/* Log of what the mean has beyond the empty network's over the load; of the same of p99 over the
 * saturation load. */
double fit_growth_at(const double growth[FC_KNOTS], fit_place place);
double fit_tail_at(const double growth[FC_KNOTS], const double tail[FC_KNOTS], double u);
double fit_spread_at(const double spread[FC_KNOTS], fit_place place);

#endif
