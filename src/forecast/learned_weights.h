/* The weights of a correction, as they are in memory. */
#ifndef FC_FORECAST_LEARNED_WEIGHTS_H
#define FC_FORECAST_LEARNED_WEIGHTS_H

#include "forecast/learned_graph.h"

enum { FC_MEMBERS_MOST = 8, FC_SPREAD_FACTORS = FC_KNOTS + 1 };

struct fc_weights {
    char *text;  /* the lines of the file, each a string of its own */
    char *items; /* the same, with a zero in place of each comma */
    size_t text_length;
    const char *who;
    const void *data;
    size_t size;
    fc_learned_shape shape;
    fc_learned_layout layout;
    size_t members, values; /* values: corrections of form `values` */
    fc_trait_norms norms;   /* these and the rest are in the file */
    /* Of the spreads at the knots and of that of the saturation load, or of the corrections: found
     * on networks that were left out of the fit. */
    const float *spread_factors;
    double reach;        /* intervals of curves are so many times as wide as the spreads say */
    const float *floats; /* of the members, one behind the other */
};

#endif
