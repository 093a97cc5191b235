/* Sums of products over rows: what the fit needs beside the kernels of the learned networks. */
#ifndef FIT_PRODUCTS_H
#define FIT_PRODUCTS_H

#include "forecast/learned_kernels.h"

/* sums (inputs x columns) += in^T out, over all rows. */
void fit_add_products(const float *in, size_t stride, size_t rows, const float *out, size_t inputs,
                      size_t columns, float *sums);

#endif
