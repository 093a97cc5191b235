#include "base/boosted_trees.h"

double fc_boosted_value(const fc_boosted_trees *boosted, const double *at) {
    double sum = boosted->base;
    for (size_t t = 0; t < boosted->trees; ++t) {
        const fc_tree_node *node = boosted->nodes + boosted->roots[t];
        while (node->input >= 0)
            node += at[node->input] <= (double)node->value ? 1 : node->right;
        sum += (double)node->value;
    }
    return sum;
}
