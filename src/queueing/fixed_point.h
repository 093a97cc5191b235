/* Fixed points x = G(x) of maps between vectors of non-negative numbers (waits, utilisations,
 * probabilities), by Anderson acceleration with safeguards. Knows no network. */
#ifndef FC_QUEUEING_FIXED_POINT_H
#define FC_QUEUEING_FIXED_POINT_H

#include <stdint.h>
#include "flitcast/flitcast.h"

/* image = G(x); both of the solver's size. May use scratch memory of its context, no allocation. */
typedef void (*fc_fixed_point_map)(void *context, const double *x, double *image);

/* A stage of the solution: Anderson acceleration if memory > 0, plain damping otherwise. */
typedef struct fc_fixed_point_stage {
    size_t memory;     /* differences kept, at most FC_FIXED_POINT_MEMORY */
    double mixing;     /* share of the (accelerated) image taken at each step */
    size_t first;      /* plain steps at least before the acceleration starts */
    size_t iterations; /* at most */
    size_t patience;   /* give up if so many steps bring less than 10 % of progress; 0: never */
} fc_fixed_point_stage;

enum { FC_FIXED_POINT_MEMORY = 24 };

typedef struct fc_fixed_point_settings {
    const fc_fixed_point_stage *stages;
    size_t stage_count;
    double tolerance; /* on the largest |G(x) - x|, undamped */
    /* One step keeps every component in [shrink x, grow x + slack]. */
    double shrink, grow, slack;
} fc_fixed_point_settings;

typedef struct fc_fixed_point_info {
    bool converged; /* residual finite and within the tolerance */
    uint64_t iterations;
    double residual; /* largest |G(x) - x| at the x returned; infinity: never finite */
} fc_fixed_point_info;

/* Three stages: Anderson with mixing 0.5, then 0.8, then plain damping 0.03; tolerance 1e-7. */
fc_fixed_point_settings fc_fixed_point_default(void);

/* x holds the start and receives the solution, or the iterate of the smallest residual relative to
 * its size (near the start everything is small, the residual too). A map that returns NaN or
 * infinity is never taken for converged: the step is undone and halved. */
fc_status fc_fixed_point_solve(fc_fixed_point_map map, void *context, size_t size,
                               const fc_fixed_point_settings *settings, double *x,
                               fc_fixed_point_info *info);

#endif
