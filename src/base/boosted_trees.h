/* Sums of regression trees that were fitted elsewhere (Friedman, "Greedy function approximation: a
 * gradient boosting machine", Annals of Statistics 29, 2001). Knows no network. */
#ifndef FC_BASE_BOOSTED_TREES_H
#define FC_BASE_BOOSTED_TREES_H

#include <stddef.h>
#include <stdint.h>

/* Inner node: input <= value leads to the next node of the list, else to the one `right` nodes
 * further. Leaf: input -1, the value is added. */
typedef struct fc_tree_node {
    int16_t input;
    uint16_t right;
    float value;
} fc_tree_node;

typedef struct fc_boosted_trees {
    double base; /* what the trees are added to */
    size_t trees;
    const uint32_t *roots; /* [trees] */
    const fc_tree_node *nodes;
} fc_boosted_trees;

double fc_boosted_value(const fc_boosted_trees *boosted, const double *at);
/* The values at `count` points that differ in the first input only: firsts, in rising order. */
void fc_boosted_values(const fc_boosted_trees *boosted, const double *at, const double *firsts,
                       size_t count, double *values);

#endif
