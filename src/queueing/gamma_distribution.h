/* The gamma distribution, for waits of which two moments are known. */
#ifndef FC_QUEUEING_GAMMA_DISTRIBUTION_H
#define FC_QUEUEING_GAMMA_DISTRIBUTION_H

/* P(X <= x) of a gamma variable with this mean and variance; both above 0. */
double fc_gamma_below(double mean, double variance, double x);

#endif
