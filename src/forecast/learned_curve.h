/* From the outputs of one learned network to a curve over the load. */
#ifndef FC_FORECAST_LEARNED_CURVE_H
#define FC_FORECAST_LEARNED_CURVE_H

#include <math.h>
#include "forecast/learned_graph.h"

/* What the curve of one network is made of; the fit goes the way back. */
typedef struct fc_member_curve {
    double below;            /* log of the capacity over the saturation load */
    double growth[FC_KNOTS]; /* as in fc_learned_curve */
    double tail[FC_KNOTS];   /* the same */
    double log_spread[FC_KNOTS], log_saturation_spread;
    double growth_of[FC_KNOTS], tail_of[FC_KNOTS]; /* before they were made to rise */
    float *shares; /* of each lane in what is waited, at the knots */
    float *full;   /* of each lane in what is full: the derivatives of `below` */
} fc_member_curve;

extern const double fc_start_least, fc_start_most; /* of the growth at the first knot */
extern const double fc_full_least, fc_full_most;   /* of what tells how full a lane is */

enum { FC_SHARPNESS = 8 }; /* of the smooth maximum over lanes */

/* -log(1 - u) of the knots. */
extern const double fc_knot_places[FC_KNOTS];

/* A positive number that grows with x, and its derivative. */
static inline double fc_positive(double x) {
    return 0.5 * (x + sqrt(x * x + 4));
}
static inline double fc_positive_slope(double x) {
    return 0.5 * (1 + x / sqrt(x * x + 4));
}

/* growth from median and spread. */
void fc_learned_curve_expect(fc_learned_curve *curve);

/* curve: with room for shares and full. tape: after fc_learned_forward. */
void fc_member_curve_of(const fc_trait_graph *graph, const fc_traits *traits,
                        const fc_learned_tape *tape, fc_member_curve *curve);

#endif
