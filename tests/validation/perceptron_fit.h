/* Fits perceptrons (base/perceptrons.h) to data. */
#ifndef PERCEPTRON_FIT_H
#define PERCEPTRON_FIT_H

#include "base/perceptrons.h"
#include "tree_fit.h"

enum { PERCEPTRONS = 4 }; /* fitted to the same data, from different starts */

typedef struct fitted_perceptrons {
    fc_perceptrons mean;
    float centre[FC_PERCEPTRON_INPUTS], scale[FC_PERCEPTRON_INPUTS];
    float weights[]; /* of all perceptrons */
} fitted_perceptrons;

/* Least squares by gradient descent in small batches, so many passes over the data: Adam (Kingma
 * and Ba, "Adam: a method for stochastic optimization", ICLR 2015) with weights that decay
 * (Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019) and steps that shrink
 * as half a cosine. unit: about the size of the values. The same data give the same perceptrons.
 * Free with free. */
fitted_perceptrons *perceptron_fit(const tree_data *data, double unit, size_t passes);
/* The same with another number of perceptrons. */
fitted_perceptrons *perceptron_fit_of(const tree_data *data, double unit, size_t passes,
                                      size_t perceptrons);

#endif
