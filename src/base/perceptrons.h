/* Means of small feed-forward neural networks that were fitted elsewhere (Rumelhart, Hinton and
 * Williams, "Learning representations by back-propagating errors", Nature 323, 1986): perceptrons,
 * since a network is something else here. Knows no network.
 *
 * An input x becomes (x - centre) * scale, cut at +-4. Two layers of `width` units follow, each
 * with the output s / (1 + exp(-s)) of the weighted sum s of what comes before it and of 1, and
 * the weighted sum of the second layer and of 1. */
#ifndef FC_BASE_PERCEPTRONS_H
#define FC_BASE_PERCEPTRONS_H

#include <stddef.h>

enum { FC_PERCEPTRON_WIDTH = 48, FC_PERCEPTRON_INPUTS = 64 };

typedef struct fc_perceptrons {
    size_t count; /* whose mean is taken */
    size_t inputs;
    const float *centre, *scale; /* [inputs] */
    /* of each perceptron: [inputs + 1][width] of the first layer, the last for 1;
     * [width + 1][width] of the second; [width + 1] of the sum */
    const float *weights;
} fc_perceptrons;

/* Weights of one perceptron. */
size_t fc_perceptron_size(size_t inputs);
double fc_perceptrons_value(const fc_perceptrons *perceptrons, const double *at);

#endif
