/* The descent: AdamW with a rate that rises over the first pass and then falls to zero. The same
 * seeds make the same bits whatever the number of threads: networks of a step are divided into a
 * fixed number of parts, sums are taken in the order of the parts, and no sum depends on which
 * thread took which. */
#ifndef FC_FIT_DESCENT_H
#define FC_FIT_DESCENT_H

#include "fit/lessons.h"

typedef struct fit_settings {
    size_t passes;
    double seconds; /* 0: passes count; else as many passes as they allow, not reproducible */
    size_t batch;   /* networks of a step */
    double rate, decay;
    double drop;    /* share of the numbers of the last states that are left out of a step */
    double average; /* passes over which the weights are averaged */
    bool goes_on;   /* from the weights given instead of random ones */
    unsigned seed;
    size_t report_every; /* passes; 0: never */
} fit_settings;

/* Called with the weights after so many passes. */
typedef void fit_report(void *context, const float *weights, size_t pass, double loss,
                        double seconds);

/* weights: room for them; filled with the mean of the last ones. False: out of memory. */
bool fit_descend(const fit_lessons *lessons, const bool *left_out, const fit_settings *settings,
                 fit_team *team, fit_report *report, void *context, float *weights);

/* Random weights to start from. */
void fit_start(const fc_learned_shape *shape, const fc_learned_layout *layout, double lanes,
               unsigned seed, float *weights);

#endif
