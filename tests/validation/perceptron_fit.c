#include "perceptron_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"

enum { WIDTH = FC_PERCEPTRON_WIDTH, INPUTS = FC_PERCEPTRON_INPUTS, BATCH = 64 };
/* Chosen by errors on networks left out: steps of half or twice this size, and a third or three
 * times the decay, were no better. */
static const double first_step = 6e-3, decay = 0.1;
static const double kept = 0.9, kept_square = 0.999; /* of the means of gradients, in a step */
static const float farthest = 4;                     /* as fc_perceptrons_value */

typedef struct one_perceptron {
    float first[INPUTS + 1][WIDTH], second[WIDTH + 1][WIDTH], sum[WIDTH + 1];
} one_perceptron;
enum { WEIGHTS = sizeof(one_perceptron) / sizeof(float) };

typedef struct layer_state {
    float out[WIDTH], slope[WIDTH]; /* of each unit, the slope by its weighted sum */
} layer_state;

typedef struct descent {
    const tree_data *data;
    double unit;
    float (*in)[INPUTS];
    size_t *order;
    one_perceptron at, gradient, mean, square;
    fc_random random;
} descent;

static void *room(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made) {
        fprintf(stderr, "perceptron_fit: out of memory\n");
        exit(1);
    }
    return made;
}

/* Normally distributed. */
static double draw(fc_random *random) {
    const double u = fc_random_unit(random), v = fc_random_unit(random);
    return sqrt(-2 * log(u + 1e-300)) * cos(2 * 3.14159265358979 * v);
}

static void standardise(const tree_data *data, fitted_perceptrons *made) {
    for (size_t k = 0; k < data->inputs_used; ++k) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < data->count; ++i)
            sum += data->inputs[i][k];
        const double mean = sum / (double)data->count;
        for (size_t i = 0; i < data->count; ++i)
            squares += (data->inputs[i][k] - mean) * (data->inputs[i][k] - mean);
        made->centre[k] = (float)mean;
        const double deviation = sqrt(squares / (double)data->count);
        made->scale[k] = deviation > 1e-6 ? (float)(1 / deviation) : 0; /* the same everywhere */
    }
}

static void start(descent *d) {
    const size_t inputs = d->data->inputs_used;
    memset(&d->at, 0, sizeof d->at);
    memset(&d->mean, 0, sizeof d->mean);
    memset(&d->square, 0, sizeof d->square);
    for (size_t i = 0; i < WIDTH; ++i) {
        for (size_t j = 0; j < inputs; ++j)
            d->at.first[j][i] = (float)(draw(&d->random) / sqrt((double)inputs));
        d->at.first[INPUTS][i] = (float)(0.3 * draw(&d->random));
        for (size_t j = 0; j < WIDTH; ++j)
            d->at.second[j][i] = (float)(draw(&d->random) / sqrt((double)WIDTH));
        d->at.sum[i] = (float)(0.3 * draw(&d->random) / sqrt((double)WIDTH));
    }
}

static void pass(const float (*weights)[WIDTH], const float *last, const float *in, size_t inputs,
                 layer_state *layer) {
    float sums[WIDTH];
    memcpy(sums, last, sizeof sums);
    for (size_t j = 0; j < inputs; ++j)
        for (size_t i = 0; i < WIDTH; ++i)
            sums[i] += in[j] * weights[j][i];
    for (size_t i = 0; i < WIDTH; ++i) {
        const float open = 1 / (1 + expf(-sums[i]));
        layer->out[i] = sums[i] * open;
        layer->slope[i] = open + layer->out[i] * (1 - open);
    }
}

/* Adds the gradient of half the squared error of a case. */
static void add_gradient(descent *d, size_t at) {
    const size_t inputs = d->data->inputs_used;
    one_perceptron *g = &d->gradient;
    layer_state first, second;
    pass((const float(*)[WIDTH])d->at.first, d->at.first[INPUTS], d->in[at], inputs, &first);
    pass((const float(*)[WIDTH])d->at.second, d->at.second[WIDTH], first.out, WIDTH, &second);
    float value = d->at.sum[WIDTH], ahead[WIDTH], back[WIDTH];
    for (size_t i = 0; i < WIDTH; ++i)
        value += second.out[i] * d->at.sum[i];
    const float error =
        (float)d->data->weights[at] * (value - (float)(d->data->values[at] / d->unit));
    g->sum[WIDTH] += error;
    for (size_t i = 0; i < WIDTH; ++i) {
        g->sum[i] += error * second.out[i];
        ahead[i] = error * d->at.sum[i] * second.slope[i];
        g->second[WIDTH][i] += ahead[i];
    }
    for (size_t j = 0; j < WIDTH; ++j) {
        float sums[8] = {0};
        for (size_t i = 0; i < WIDTH; ++i) {
            g->second[j][i] += first.out[j] * ahead[i];
            sums[i % 8] += ahead[i] * d->at.second[j][i];
        }
        for (size_t i = 1; i < 8; ++i)
            sums[0] += sums[i];
        back[j] = sums[0] * first.slope[j];
        g->first[INPUTS][j] += back[j];
    }
    for (size_t j = 0; j < inputs; ++j)
        for (size_t i = 0; i < WIDTH; ++i)
            g->first[j][i] += d->in[at][j] * back[i];
}

/* size: of the step; taken: steps before this one. */
static void take_step(descent *d, double weight, double size, size_t taken) {
    float *at = (float *)&d->at, *mean = (float *)&d->mean, *square = (float *)&d->square;
    const float *gradient = (const float *)&d->gradient;
    const float share = (float)kept, share_square = (float)kept_square;
    const float whole = (float)(1 / (1 - pow(kept, (double)taken + 1)));
    const float whole_square = (float)(1 / (1 - pow(kept_square, (double)taken + 1)));
    const float each = (float)(1 / (weight + 1e-9)), length = (float)size;
    const float shrink = (float)(size * decay);
    for (size_t i = 0; i < WEIGHTS; ++i) {
        const float slope = gradient[i] * each;
        mean[i] = share * mean[i] + (1 - share) * slope;
        square[i] = share_square * square[i] + (1 - share_square) * slope * slope;
        at[i] -=
            length * mean[i] * whole / (sqrtf(square[i] * whole_square) + 1e-8F) + shrink * at[i];
    }
}

static void shuffle(descent *d) {
    for (size_t i = d->data->count; i-- > 1;) {
        const size_t j = (size_t)(fc_random_unit(&d->random) * (double)(i + 1));
        const size_t other = d->order[i];
        d->order[i] = d->order[j];
        d->order[j] = other;
    }
}

static void descend(descent *d, size_t passes) {
    const size_t count = d->data->count, batches = (count + BATCH - 1) / BATCH;
    for (size_t taken = 0; taken < passes * batches; ++taken) {
        const size_t from = taken % batches * BATCH;
        double weight = 0;
        if (from == 0)
            shuffle(d);
        memset(&d->gradient, 0, sizeof d->gradient);
        for (size_t i = from; i < from + BATCH && i < count; ++i) {
            add_gradient(d, d->order[i]);
            weight += d->data->weights[d->order[i]];
        }
        const double done = (double)taken / (double)(passes * batches);
        take_step(d, weight, first_step * 0.5 * (1 + cos(3.14159265358979 * done)), taken);
    }
}

/* Into the order of fc_perceptrons; values are in units here. */
static float *put_weights(const descent *d, float *weights) {
    for (size_t j = 0; j <= d->data->inputs_used; ++j, weights += WIDTH)
        memcpy(weights, d->at.first[j < d->data->inputs_used ? j : INPUTS], sizeof(float[WIDTH]));
    memcpy(weights, d->at.second, sizeof d->at.second);
    weights += sizeof d->at.second / sizeof *weights;
    for (size_t i = 0; i <= WIDTH; ++i)
        *weights++ = (float)d->unit * d->at.sum[i];
    return weights;
}

fitted_perceptrons *perceptron_fit(const tree_data *data, double unit, size_t passes) {
    return perceptron_fit_of(data, unit, passes, PERCEPTRONS);
}

fitted_perceptrons *perceptron_fit_of(const tree_data *data, double unit, size_t passes,
                                      size_t perceptrons) {
    const size_t inputs = data->inputs_used;
    fitted_perceptrons *made =
        room(1, sizeof *made + perceptrons * fc_perceptron_size(inputs) * sizeof *made->weights);
    descent *d = room(1, sizeof *d);
    d->data = data;
    d->unit = unit;
    d->in = room(data->count, sizeof *d->in);
    d->order = room(data->count, sizeof *d->order);
    standardise(data, made);
    for (size_t i = 0; i < data->count; ++i) {
        d->order[i] = i;
        for (size_t k = 0; k < inputs; ++k)
            d->in[i][k] =
                fmaxf(-farthest, fminf(farthest, ((float)data->inputs[i][k] - made->centre[k]) *
                                                     made->scale[k]));
    }
    made->mean = (fc_perceptrons){perceptrons, inputs, made->centre, made->scale, made->weights};
    float *weights = made->weights;
    for (uint32_t n = 0; n < perceptrons; ++n) {
        d->random = fc_random_stream(18, n, 0);
        start(d);
        descend(d, passes);
        weights = put_weights(d, weights);
    }
    free(d->in);
    free(d->order);
    free(d);
    return made;
}
