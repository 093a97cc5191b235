#include "base/perceptrons.h"

#include <assert.h>
#include <math.h>

enum { WIDTH = FC_PERCEPTRON_WIDTH };
static const double farthest = 4; /* of an input from the mean, in standard deviations */

size_t fc_perceptron_size(size_t inputs) {
    return (inputs + 1) * WIDTH + (WIDTH + 1) * WIDTH + WIDTH + 1;
}

/* Outputs of a layer; returns the weights that follow it. */
static const float *pass(const float *weights, const double *in, size_t inputs, double *out) {
    double sums[WIDTH];
    const float *last = weights + inputs * WIDTH;
    for (size_t i = 0; i < WIDTH; ++i)
        sums[i] = (double)last[i];
    for (size_t j = 0; j < inputs; ++j)
        for (size_t i = 0; i < WIDTH; ++i)
            sums[i] += in[j] * (double)weights[j * WIDTH + i];
    for (size_t i = 0; i < WIDTH; ++i)
        out[i] = sums[i] / (1 + exp(-sums[i]));
    return last + WIDTH;
}

double fc_perceptrons_value(const fc_perceptrons *perceptrons, const double *at) {
    double in[FC_PERCEPTRON_INPUTS], first[WIDTH], second[WIDTH], sum = 0;
    const size_t inputs = perceptrons->inputs;
    assert(inputs <= FC_PERCEPTRON_INPUTS);
    for (size_t j = 0; j < inputs; ++j)
        in[j] = fmax(-farthest, fmin(farthest, (at[j] - (double)perceptrons->centre[j]) *
                                                   (double)perceptrons->scale[j]));
    const float *weights = perceptrons->weights;
    for (size_t n = 0; n < perceptrons->count; ++n) {
        weights = pass(weights, in, inputs, first);
        weights = pass(weights, first, WIDTH, second);
        for (size_t i = 0; i < WIDTH; ++i)
            sum += second[i] * (double)weights[i];
        sum += (double)weights[WIDTH];
        weights += WIDTH + 1;
    }
    return sum / (double)perceptrons->count;
}
