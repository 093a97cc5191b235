/* How much the inputs of a channel are fed by the same processors. By the arrival theorem a
 * customer does not meet itself: of the flow at input o it sees the part
 * 1 - (1/N_out) sum over classes q of phi_e(q) phi_o(q), phi_e(q) being the share of class q in the
 * flow of its own input e. The shares are constants of routing and traffic. */
#ifndef FC_MODELS_CLOSED_OVERLAP_H
#define FC_MODELS_CLOSED_OVERLAP_H

#include "models/closed/closed_paths.h"

typedef struct fc_closed_overlap {
    size_t *first; /* per channel: of its ports x ports values */
    float *value;  /* sum over q of phi_e(q) phi_o(q) */
} fc_closed_overlap;

fc_status fc_closed_overlap_create(const fc_torus *torus, const fc_closed_paths *paths,
                                   fc_error *error, fc_closed_overlap *overlap);
void fc_closed_overlap_release(fc_closed_overlap *overlap);

#endif
