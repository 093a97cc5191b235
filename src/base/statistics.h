/* Output analysis of simulations: running moments, quantiles of Student's t, MSER warm-up
 * truncation, batch-means intervals for ratios with a check for correlation between batches. Knows
 * no simulator. */
#ifndef FC_BASE_STATISTICS_H
#define FC_BASE_STATISTICS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* A mean, NaN where nothing was counted: a wait that nobody had is not a wait of zero. */
static inline double fc_mean(double sum, double count) {
    return count > 0 ? sum / count : (double)NAN;
}

/* log(gamma(x)), x > 0. lgamma also writes a global, which threads would race for. */
double fc_log_gamma(double x);

/* Quantile of Student's t: P(T <= t) = probability, with degrees > 0 (infinity: the normal). */
double fc_student_quantile(double probability, double degrees);

/* Independent samples, taken one by one; starts as all 0. */
typedef struct fc_moments {
    double count, mean;
    double squares; /* of the distances from the mean, summed */
} fc_moments;

void fc_moments_add(fc_moments *moments, double value);
/* Of the 95 % interval of the mean; NaN for fewer than two samples. */
double fc_moments_half_width(const fc_moments *moments);

/* MSER: how many of the values to drop from the front so that the standard error of the mean of the
 * rest is smallest. Looks at the first half only; a return of about count/2 means that the series
 * has not settled. */
size_t fc_mser_truncation(const double *values, size_t count);

typedef struct fc_interval {
    double mean;
    double weight;      /* of all batches */
    double half_width;  /* 95 %; infinity if it cannot be estimated */
    double correlation; /* lag-1 correlation of the batches the interval was made from */
    double inflation;   /* variance of the mean over what it would be if the batches as given were
                           independent; times their length: the correlation time of the series */
    size_t batches;   /* number of (merged) batches the interval was made from, all replications */
    bool independent; /* the batches passed the correlation check */
} fc_interval;

/* Interval for a ratio sum/weight from batches of independent replications.
 * sums, weights: replications x batches values, replication by replication.
 * Neighbouring batches of a replication are merged until at most FC_INTERVAL_BATCHES are left and
 * the lag-1 correlation of their residuals is not significant; if it still is with few batches
 * left, independent is false and the interval is that of the largest batches tried. Works for a
 * single replication too. A weight of 0 throughout gives a mean of NaN. */
enum { FC_INTERVAL_BATCHES = 64, FC_INTERVAL_FEWEST = 16 };
fc_interval fc_ratio_interval(const double *sums, const double *weights, size_t replications,
                              size_t batches);

/* The same with control variates: quantities of each batch whose expectation is 0, whatever the
 * series does. What they explain of the series, by least squares, is taken out of the mean and of
 * the interval, which pays for it with its degrees of freedom (Lavenberg and Welch 1981). The
 * slopes are fitted by FC_FITTED_BATCHES merged batches (fewer if there are fewer), however many
 * the interval is made from: so what adds up without controls adds up with them, and an interval of
 * few large batches has controls too. Controls without scatter are left out, and all of them where
 * there are fewer than FC_CONTROLLED_FEWEST batches. controls: count x replications x batches. */
enum { FC_CONTROLS_MOST = 5, FC_CONTROLLED_FEWEST = 32, FC_FITTED_BATCHES = 128 };
fc_interval fc_controlled_interval(const double *sums, const double *weights,
                                   const double *controls, size_t count, size_t replications,
                                   size_t batches);

#endif
