/* Writes what was fitted: a file of weights with its passport (forecast/learned.h). */
#ifndef FC_FIT_WEIGHTS_FILE_H
#define FC_FIT_WEIGHTS_FILE_H

#include "fit/lessons.h"

typedef struct fit_fitted {
    const fit_lessons *lessons;
    size_t members;
    const float *weights; /* of the members, one behind the other */
    float spread_factors[FC_KNOTS + 1];
    size_t networks, cases; /* that were learned from */
    double reach;           /* of the intervals, for what their spreads say */
    const char *command;
} fit_fitted;

/* The bytes of the file, to be freed; NULL: out of memory. */
char *fit_weights_image(const fit_fitted *fitted, size_t *size);

#endif
