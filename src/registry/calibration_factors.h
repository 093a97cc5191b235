/* Calibration by factors, of the models of closed and of multistage networks: what their derivation
 * leaves, learned from simulations (docs/theory/calibration.md#closed-and-multistage-networks).
 *
 * A multistage network has a latency at any load, so that there is no load to shift. The latency
 * beyond the empty network's is multiplied by e^t. Closed traffic has no load at all: a processor
 * goes round with N requests, and
 *
 *     round trip = N think / efficiency = think + reply + network time + rest,
 *
 * where rest is the waiting for processor and memory. The efficiency e is below
 * most = min(1, N think / (think + reply + empty)), that of a network without any waiting, and is
 * moved between 0 and that: logit(e / most) + t. What a round trip then has beyond that of the
 * network without waiting is shared between network and rest: logit(share) + t'. So the empty
 * network stays exact, no wait is negative, and all times still add up.
 *
 * t and t' come from perceptrons over what the network is like and what the model says of it; their
 * weights are generated (calibration_factor_points.c). */
#ifndef FC_REGISTRY_CALIBRATION_FACTORS_H
#define FC_REGISTRY_CALIBRATION_FACTORS_H

#include "base/boosted_trees.h"
#include "base/perceptrons.h"
#include "registry/method.h"

enum { FC_FACTOR_INPUTS = 44 };

typedef struct fc_factor_fit {
    fc_perceptrons value;    /* t */
    fc_boosted_trees spread; /* logarithm of the standard deviation of the metric's logarithm */
} fc_factor_fit;

typedef struct fc_factor_calibration {
    const char *model;
    unsigned networks, cases; /* that it was fitted to */
    size_t inputs;
    const double *low, *high; /* of each input: the data are between */
    fc_factor_fit main;       /* of the efficiency, or of the latency */
    fc_factor_fit time;       /* of closed traffic: t', whose last input is t */
} fc_factor_calibration;

extern const fc_factor_calibration fc_factor_calibrations[]; /* ends with a model of NULL */

/* NULL: the model has no calibration by factors. */
const fc_factor_calibration *fc_factor_find(const char *model);
/* As fc_calibration_identity. */
uint32_t fc_factor_identity(const fc_factor_calibration *calibration);
/* Of the model; 0: it is not calibrated by factors. */
size_t fc_factor_inputs(const char *model);
/* result: of the model. False: there is nothing to calibrate, or the model is exact here. */
bool fc_factor_read(const fc_scenario *scenario, const fc_result *result, double *values);
/* Calibrates a result of the model if the scenario is near what its calibration was fitted to:
 * metrics, parts and the intervals where the simulated values are expected with 90 %. */
void fc_factor_calibrate(const fc_factor_calibration *calibration, const fc_scenario *scenario,
                         fc_result *result);

/* values: of closed traffic. Some processors get through so much more often than others, or the
 * model's equations have no solution for all requests: a forecast is not to be trusted whatever its
 * interval. */
bool fc_factor_doubts(const double *values);
/* Intervals that reach further, as a share of the value, are named in a note. */
extern const double fc_factor_wide_efficiency, fc_factor_wide_time, fc_factor_wide_latency;
/* The largest t of a latency, either way. */
extern const double fc_factor_latency_most;

/* ---- closed traffic ---- */

/* What the model says of a round trip, in cycles. */
typedef struct fc_cycle {
    double outstanding, think, reply, empty; /* the requests, and times without waiting */
    double efficiency, network;
} fc_cycle;

fc_cycle fc_cycle_of(const fc_scenario *scenario, const fc_result *result);
/* The efficiency without any waiting. */
double fc_cycle_most(const fc_cycle *cycle);
/* What a round trip has beyond one without waiting, at an efficiency. */
double fc_cycle_excess(const fc_cycle *cycle, double efficiency);
/* The share of the network in it, by the model. */
double fc_cycle_share(const fc_cycle *cycle);
double fc_cycle_efficiency(const fc_cycle *cycle, double t);
double fc_cycle_network(const fc_cycle *cycle, double efficiency, double t);
/* Their inverses. */
double fc_cycle_shift(const fc_cycle *cycle, double efficiency);
double fc_cycle_network_shift(const fc_cycle *cycle, double efficiency, double network);
/* The largest t and t', either way. */
extern const double fc_factor_most, fc_factor_share_most;

#endif
