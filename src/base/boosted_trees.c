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

/* Points in [from, end) are at the same node. */
static void add_leaves(const fc_tree_node *node, const double *at, const double *firsts,
                       size_t from, size_t end, double *values) {
    while (node->input >= 0) {
        if (node->input > 0) {
            node += at[node->input] <= (double)node->value ? 1 : node->right;
            continue;
        }
        size_t left = from;
        while (left < end && firsts[left] <= (double)node->value)
            ++left;
        if (left > from && left < end)
            add_leaves(node + 1, at, firsts, from, left, values);
        node += left == end ? 1 : node->right;
        from = left == end ? from : left;
    }
    for (size_t i = from; i < end; ++i)
        values[i] += (double)node->value;
}

void fc_boosted_values(const fc_boosted_trees *boosted, const double *at, const double *firsts,
                       size_t count, double *values) {
    for (size_t i = 0; i < count; ++i)
        values[i] = boosted->base;
    for (size_t t = 0; t < boosted->trees; ++t)
        add_leaves(boosted->nodes + boosted->roots[t], at, firsts, 0, count, values);
}
