/* What was fitted, as arrays of a source file: NAME_WHAT_roots, NAME_centre and so on. */
#ifndef FIT_WRITE_H
#define FIT_WRITE_H

#include <stdio.h>
#include "perceptron_fit.h"
#include "tree_fit.h"

void fit_put_trees(FILE *stream, const char *name, const char *what, const fitted_trees *fitted);
void fit_put_perceptrons(FILE *stream, const char *name, const fitted_perceptrons *fitted);

#endif
