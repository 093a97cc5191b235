/* The way back through a learned network: from what the loss changes by with its outputs to what it
 * changes by with its weights. */
#ifndef FC_FIT_BACKWARD_H
#define FC_FIT_BACKWARD_H

#include "forecast/learned_graph.h"

typedef struct fit_backward fit_backward; /* room for it, of one thread */
fit_backward *fit_backward_create(const fc_learned_shape *shape, size_t lanes, size_t movements);
void fit_backward_free(fit_backward *backward);

/* The matrices of the weights, each with rows and columns exchanged, at the same places. */
void fit_transpose(const fc_learned_shape *shape, const fc_learned_layout *layout,
                   const float *weights, float *transposed);

/* What the loss changes by with the outputs of a network. */
typedef struct fit_slopes {
    float *out; /* FC_LANE_OUTPUTS of each class of lanes */
    float network[FC_NETWORK_OUTPUTS];
} fit_slopes;

/* gradient += what the loss changes by with the weights. tape: after fc_learned_forward, with every
 * round kept. */
void fit_go_back(const fc_learned_shape *shape, const fc_learned_layout *layout,
                 const float *transposed, const fc_trait_graph *graph, const fc_learned_tape *tape,
                 const fit_slopes *slopes, fit_backward *backward, float *gradient);

#endif
