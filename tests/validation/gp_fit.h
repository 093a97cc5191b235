/* Fitting of the Gaussian processes that the library evaluates (base/gaussian_process.h). */
#ifndef GP_FIT_H
#define GP_FIT_H

#include "base/gaussian_process.h"

/* What is fitted: value[i] at inputs[i], known with the given variance. The data of a group come
 * one after the other. */
typedef struct gp_data {
    size_t count;
    double (*inputs)[FC_GP_INPUTS_MAX];
    double *values, *variances;
    size_t *groups;
    int *judged; /* whether the choice of a kernel is judged by it */
} gp_data;

gp_data gp_data_create(size_t most);
/* Adds item i of another. */
void gp_data_add(gp_data *data, const gp_data *from, size_t i);
void gp_data_free(gp_data *data);

/* Cholesky factor of a symmetric matrix, in its lower half, rows of n. 0: not positive definite. */
int gp_factorise(double *matrix, size_t n);
/* Solves L x = b, or L^T x = b, in place. */
void gp_solve_lower(const double *factor, size_t n, double *vector);
void gp_solve_upper(const double *factor, size_t n, double *vector);

/* The kernel, and the variance that every value has beside its own, that foretell each judged group
 * best from all others, by the logarithm of the probability density; found from a start that
 * depends on the data alone. */
typedef struct gp_choice {
    fc_gp_kernel kernel;
    double nugget;
} gp_choice;
gp_choice gp_choose(const gp_data *data, size_t inputs);

/* The exact process of all data, for checks. */
typedef struct gp_dense gp_dense;
gp_dense *gp_dense_create(const gp_data *data, const gp_choice *choice);
fc_gp_value gp_dense_predict(const gp_dense *dense, const double *at);
void gp_dense_free(gp_dense *dense);

/* The sparse one: inducing points among the data, each the one that those before it tell least
 * about, and the weights and the factor that follow ("fully independent training conditional").
 * The arrays of the process are allocated; gp_sparse_free frees them. */
fc_gp gp_sparse_create(const gp_data *data, const gp_choice *choice, size_t points_most);
void gp_sparse_free(fc_gp *process);

#endif
