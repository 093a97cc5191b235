/* What a sweep over seeds (of failures, placements, permutations) says of all of them together: a
 * varied key whose last word is "seed". */
#ifndef FC_OUTPUT_SWEEP_DISTRIBUTION_H
#define FC_OUTPUT_SWEEP_DISTRIBUTION_H

#include "flitcast/flitcast.h"

/* One metric by one method, at one value of each other key. */
typedef struct fc_distribution {
    size_t point;       /* the first of its points: the values of the other keys */
    const char *method; /* of the results */
    const char *metric;
    size_t seeds, results; /* that were tried; that have the metric */
    double mean, deviation, least, largest;
    const char *worst_seed;
} fc_distribution;

/* The axis of a seed; SIZE_MAX: none has more than one value. */
size_t fc_sweep_seed_axis(const fc_sweep *sweep);
/* The index of a point's value on an axis. */
size_t fc_sweep_index(const fc_sweep *sweep, size_t axis, size_t point);
/* false: there are no results with the metric. */
bool fc_sweep_distribution(const fc_sweep *sweep, size_t axis, size_t first_point, size_t method,
                           const char *metric, fc_distribution *distribution);

#endif
