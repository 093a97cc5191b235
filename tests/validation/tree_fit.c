#include "tree_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"

enum { BINS = 64, LEAST = 6 };          /* values of an input told apart; data in a leaf */
static const double usual_rate = 0.045; /* of what a tree learns that is added */
static const double shrinkage = 1;      /* added to the weight of a leaf */
static const double data_share = 0.7, input_share = 0.5;

static void *room(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made) {
        fprintf(stderr, "tree_fit: out of memory\n");
        exit(1);
    }
    return made;
}

tree_data tree_data_create(size_t most) {
    return (tree_data){0, TREE_INPUTS, room(most, sizeof(double[TREE_INPUTS])),
                       room(most, sizeof(double)), room(most, sizeof(double))};
}

void tree_data_free(tree_data *data) {
    free(data->inputs);
    free(data->values);
    free(data->weights);
}

typedef struct fitter {
    const tree_data *data;
    float cut[TREE_INPUTS][BINS]; /* upper ends of the bins */
    unsigned char *bin;           /* [count][TREE_INPUTS] */
    double *left;                 /* of each value, by the trees so far */
    uint32_t *chosen;
    fc_random random;
    fitted_trees *made;
    double rate;
} fitter;

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_into_bins(fitter *f) {
    const size_t n = f->data->count;
    double *column = room(n, sizeof *column);
    for (size_t k = 0; k < f->data->inputs_used; ++k) {
        for (size_t i = 0; i < n; ++i)
            column[i] = f->data->inputs[i][k];
        qsort(column, n, sizeof *column, by_value);
        for (size_t b = 0; b < BINS; ++b) /* rounded up, so that its own value is below it */
            f->cut[k][b] = nextafterf((float)column[(b + 1) * n / BINS - 1], INFINITY);
        for (size_t i = 0; i < n; ++i) {
            size_t b = 0;
            while (b < BINS - 1 && f->data->inputs[i][k] > (double)f->cut[k][b])
                ++b;
            f->bin[i * TREE_INPUTS + k] = (unsigned char)b;
        }
    }
    free(column);
}

typedef struct split {
    int input;
    size_t bin;
    double gain;
} split;

static void try_input(const fitter *f, const uint32_t *list, size_t count, size_t input,
                      double value, double weight, split *best) {
    double values[BINS] = {0}, weights[BINS] = {0};
    size_t counts[BINS] = {0};
    for (size_t i = 0; i < count; ++i) {
        const size_t b = f->bin[list[i] * TREE_INPUTS + input];
        values[b] += f->data->weights[list[i]] * f->left[list[i]];
        weights[b] += f->data->weights[list[i]];
        ++counts[b];
    }
    double sum = 0, below = 0;
    size_t found = 0;
    for (size_t b = 0; b < BINS - 1; ++b) {
        sum += values[b];
        below += weights[b];
        found += counts[b];
        if (!counts[b] || found < LEAST || count - found < LEAST)
            continue;
        const double gain = sum * sum / (below + shrinkage) +
                            (value - sum) * (value - sum) / (weight - below + shrinkage) -
                            value * value / (weight + shrinkage);
        if (gain > best->gain)
            *best = (split){(int)input, b, gain};
    }
}

/* Left branches follow their node in the list. */
static void grow(fitter *f, uint32_t *list, size_t count, int depth) {
    fitted_trees *made = f->made;
    const size_t here = made->used++;
    double value = 0, weight = 0;
    for (size_t i = 0; i < count; ++i) {
        value += f->data->weights[list[i]] * f->left[list[i]];
        weight += f->data->weights[list[i]];
    }
    made->nodes[here] = (fc_tree_node){-1, 0, (float)(f->rate * value / (weight + shrinkage))};
    split best = {-1, 0, 1e-9};
    for (size_t k = 0; k < f->data->inputs_used && depth > 0 && count >= 2 * LEAST; ++k)
        if (fc_random_unit(&f->random) < input_share)
            try_input(f, list, count, k, value, weight, &best);
    if (best.input < 0)
        return;
    size_t left = 0;
    for (size_t i = 0; i < count; ++i)
        if (f->bin[list[i] * TREE_INPUTS + (size_t)best.input] <= best.bin) {
            const uint32_t other = list[left];
            list[left++] = list[i];
            list[i] = other;
        }
    grow(f, list, left, depth - 1);
    made->nodes[here] = (fc_tree_node){(int16_t)best.input, (uint16_t)(made->used - here),
                                       f->cut[best.input][best.bin]};
    grow(f, list + left, count - left, depth - 1);
}

fitted_trees *tree_fit(const tree_data *data) {
    return tree_fit_of(data, 1, TREE_COUNT, TREE_DEPTH, usual_rate);
}

fitted_trees *tree_fit_of(const tree_data *data, size_t sums, size_t trees, int depth,
                          double rate) {
    fitter f = {.data = data,
                .rate = rate,
                .bin = room(data->count, TREE_INPUTS),
                .left = room(data->count, sizeof(double)),
                .chosen = room(data->count, sizeof(uint32_t)),
                .random = fc_random_stream(17, 0, 0),
                .made = room(1, sizeof(fitted_trees))};
    double sum = 0, weight = 0;
    sort_into_bins(&f);
    for (size_t i = 0; i < data->count; ++i) {
        sum += data->weights[i] * data->values[i];
        weight += data->weights[i];
    }
    f.made->trees = (fc_boosted_trees){weight > 0 ? sum / weight : 0, sums * trees, f.made->roots,
                                       f.made->nodes};
    for (size_t t = 0; t < sums * trees; ++t) {
        for (size_t i = 0; i < data->count && t % trees == 0; ++i)
            f.left[i] = data->values[i] - f.made->trees.base;
        size_t count = 0;
        for (uint32_t i = 0; i < data->count; ++i)
            if (fc_random_unit(&f.random) < data_share)
                f.chosen[count++] = i;
        f.made->roots[t] = (uint32_t)f.made->used;
        grow(&f, f.chosen, count, depth);
        const fc_boosted_trees one = {0, 1, &f.made->roots[t], f.made->nodes};
        for (size_t i = 0; i < data->count; ++i)
            f.left[i] -= fc_boosted_value(&one, data->inputs[i]);
    }
    for (size_t n = 0; n < f.made->used; ++n)
        if (f.made->nodes[n].input < 0)
            f.made->nodes[n].value /= (float)sums;
    free(f.bin);
    free(f.left);
    free(f.chosen);
    return f.made;
}
