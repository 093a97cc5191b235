/* Max-min fair sharing of a channel of capacity 1 by worms whose rate is capped elsewhere.
 *
 * Rates lie on a grid of 1/60, which holds 1/2 .. 1/6 exactly. A distribution of caps is an array
 * of FC_RATE_POINTS masses, a survival function an array of P(rate >= i/60); index 0 is a worm that
 * stands still. */
#ifndef FC_QUEUEING_RATE_SHARING_H
#define FC_QUEUEING_RATE_SHARING_H

enum { FC_RATE_STEPS = 60, FC_RATE_POINTS = FC_RATE_STEPS + 1, FC_SHARERS_MAX = 64 };

/* capacity[n - least] = E min(1, r_1 + .. + r_n), 1 <= least <= n <= most: what n worms with
 * independent caps draw together. */
void fc_shared_capacity(const double *caps, int least, int most, double *capacity);

/* survival[m - least][i] = P(a worm without cap gets at least i/60 beside m others), least <= m <=
 * most < FC_SHARERS_MAX: the others take what they can up to the same rate x, so that is
 * P(x + sum min(r, x) <= 1). */
void fc_shared_survival(const double *caps, int least, int most,
                        double (*survival)[FC_RATE_POINTS]);

/* Mean and variance of 1/r under a survival function; mass below the first step counts there. */
typedef struct fc_slowness {
    double mean, variance;
} fc_slowness;
fc_slowness fc_survival_slowness(const double *survival);

/* The caps that a worm met at a random time shows, from the survival function of a worm's rate:
 * each rate weighted by the time 1/r it lasts, and a share `still` of all time standing still. */
void fc_survival_to_caps(const double *survival, double still, double *caps);

#endif
