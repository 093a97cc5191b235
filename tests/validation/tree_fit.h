/* Fitting of the sums of trees that the library evaluates (base/boosted_trees.h). */
#ifndef TREE_FIT_H
#define TREE_FIT_H

#include "base/boosted_trees.h"

enum {
    TREE_INPUTS = 80,
    TREE_COUNT = 450,
    TREE_DEPTH = 5,
    TREE_MOST = 2 * TREE_COUNT,
    TREE_NODES = TREE_MOST * 64
};

/* What is fitted: value[i] at inputs[i], which counts with weight[i]. */
typedef struct tree_data {
    size_t count;
    size_t inputs_used; /* of TREE_INPUTS */
    double (*inputs)[TREE_INPUTS];
    double *values, *weights;
} tree_data;

tree_data tree_data_create(size_t most);
void tree_data_free(tree_data *data);

typedef struct fitted_trees {
    fc_boosted_trees trees;
    uint32_t roots[TREE_MOST];
    fc_tree_node nodes[TREE_NODES];
    size_t used;
} fitted_trees;

/* Gradient boosting for squared errors: each tree is fitted to what those before it leave, on a
 * random part of the data and of the inputs. The same data give the same trees. Free with free. */
fitted_trees *tree_fit(const tree_data *data);
/* The mean of some sums of trees, which differ by the parts of the data that their trees see;
 * TREE_MOST trees in all. rate: of what a tree learns, the share that is added. */
fitted_trees *tree_fit_of(const tree_data *data, size_t sums, size_t trees, int depth, double rate);

#endif
