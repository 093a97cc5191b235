#include "fit_write.h"

void fit_put_trees(FILE *stream, const char *name, const char *what, const fitted_trees *fitted) {
    fprintf(stream, "\nstatic const uint32_t %s_%s_roots[] = {", name, what);
    for (size_t t = 0; t < fitted->trees.trees; ++t)
        fprintf(stream, "%s%u,", t % 16 ? " " : "\n    ", (unsigned)fitted->roots[t]);
    fprintf(stream, "\n};\n\nstatic const fc_tree_node %s_%s_nodes[] = {", name, what);
    for (size_t i = 0; i < fitted->used; ++i) {
        const fc_tree_node *node = &fitted->nodes[i];
        fprintf(stream, "%s{%d, %u, %.*gF},", i % 6 ? " " : "\n    ", node->input,
                (unsigned)node->right, node->input < 0 ? 4 : 9, (double)node->value);
    }
    fprintf(stream, "\n};\n");
}

static void put_floats(FILE *stream, const char *name, const char *what, const float *values,
                       size_t count) {
    fprintf(stream, "\nstatic const float %s_%s[] = {", name, what);
    for (size_t i = 0; i < count; ++i)
        fprintf(stream, "%s%#.6gF,", i % 10 ? " " : "\n    ", (double)values[i]);
    fprintf(stream, "\n};\n");
}

void fit_put_perceptrons(FILE *stream, const char *name, const fitted_perceptrons *fitted) {
    const size_t inputs = fitted->mean.inputs;
    put_floats(stream, name, "centre", fitted->centre, inputs);
    put_floats(stream, name, "scale", fitted->scale, inputs);
    put_floats(stream, name, "weights", fitted->weights,
               fitted->mean.count * fc_perceptron_size(inputs));
}
