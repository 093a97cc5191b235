/* Gaussian-process regression of a few noisy values over one coordinate.
 *
 * The function is a constant, plus a slope, plus a smooth deviation (squared exponential). How
 * large and how smooth that deviation is cannot be known from a handful of values: the estimate is
 * the average over a grid of both, weighted by how well each explains the values. With one fixed
 * choice the intervals would be too narrow. */
#ifndef FC_BASE_REGRESSION_H
#define FC_BASE_REGRESSION_H

#include <stddef.h>

/* What is expected before any value is seen; standard deviations in units of the values. */
typedef struct fc_kernel {
    double constant, slope; /* per unit of the coordinate */
    double scale;           /* of the smooth deviation: the middle of the grid */
    double length;          /* in which it changes, in units of the coordinate: likewise */
} fc_kernel;

enum { FC_REGRESSION_MOST = 24, FC_REGRESSION_SCALES = 5, FC_REGRESSION_LENGTHS = 3 };

/* One choice of scale and length. */
typedef struct fc_regression_member {
    double scale, length, weight;
    double factor[FC_REGRESSION_MOST][FC_REGRESSION_MOST]; /* Cholesky's, lower triangle */
    double solution[FC_REGRESSION_MOST];
} fc_regression_member;

typedef struct fc_regression {
    fc_kernel kernel;
    size_t count;
    double x[FC_REGRESSION_MOST];
    double evidence; /* logarithm of the likelihood of the values, averaged over the grid */
    fc_regression_member members[FC_REGRESSION_SCALES * FC_REGRESSION_LENGTHS];
} fc_regression;

typedef struct fc_estimate {
    double mean, deviation;
} fc_estimate;

/* deviations: of the noise of each value. At most FC_REGRESSION_MOST values; none is allowed. */
void fc_regression_fit(const fc_kernel *kernel, const double *x, const double *values,
                       const double *deviations, size_t count, fc_regression *fit);
fc_estimate fc_regression_at(const fc_regression *fit, double x);

#endif
