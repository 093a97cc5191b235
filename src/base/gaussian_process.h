/* Prediction by a sparse Gaussian process that was fitted elsewhere (Rasmussen and Williams,
 * "Gaussian Processes for Machine Learning", 2006, chapter 8.3: inducing points).
 *
 * The process has mean 0 and the kernel
 *
 *     k(x, x') = (base + exp(-1/2 sum_i (scale_i (x_i - x'_i))^2)) (c_0 + c_1 x_0 x'_0
 *                + c_2 (x_0 x'_0)^4)
 *
 * whose second factor lets what is predicted grow with the first input. With z_j the inducing
 * points and k_j = k(x, z_j), mean = sum_j weight_j k_j and variance = k(x, x) - |V^T k|^2, V lower
 * triangular. Knows no network. */
#ifndef FC_BASE_GAUSSIAN_PROCESS_H
#define FC_BASE_GAUSSIAN_PROCESS_H

#include <stddef.h>

enum { FC_GP_INPUTS_MAX = 28, FC_GP_POINTS_MAX = 256 };

typedef struct fc_gp_kernel {
    size_t inputs;
    double scale[FC_GP_INPUTS_MAX];
    double base, growth[3]; /* c */
} fc_gp_kernel;

typedef struct fc_gp {
    fc_gp_kernel kernel;
    size_t points;          /* inducing ones, at most FC_GP_POINTS_MAX */
    const double *inducing; /* [points][inputs] */
    const double *weights;  /* [points] */
    const double *factor;   /* V by rows: row j has j + 1 elements */
} fc_gp;

typedef struct fc_gp_value {
    double mean, variance;
    double prior; /* variance without any data */
} fc_gp_value;

double fc_gp_covariance(const fc_gp_kernel *kernel, const double *a, const double *b);
fc_gp_value fc_gp_predict(const fc_gp *process, const double *at);

#endif
