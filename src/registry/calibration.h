/* The calibration of a model: what its derivation leaves, learned from simulations.
 *
 * The error is learned as a shift t of the load (docs/theory/calibration.md): near a load the
 * model's latency is a hyperbola, empty + a load / (most - load), with the model's value and slope;
 * the calibrated latency is that of the load times e^t. With r = load / most, all that the latency
 * has beyond the empty network's is multiplied by
 *
 *     stretch(t) = e^t (1 - r) / (1 - r e^t),
 *
 * so that the empty network stays exact. t comes from a Gaussian process over what the network is
 * like and what the model says of it, or, where more networks were simulated than a process can
 * hold, from a sum of regression trees. Both are generated data, written by 'make validate':
 * calibration_points.c, calibration_router_points.c. */
#ifndef FC_REGISTRY_CALIBRATION_H
#define FC_REGISTRY_CALIBRATION_H

#include "base/boosted_trees.h"
#include "base/gaussian_process.h"
#include "registry/method.h"

/* Trees over the same inputs and one more, which is 1 for a saturation load. */
enum { FC_CALIBRATION_BANDS = 6 };
typedef struct fc_calibration_trees {
    fc_boosted_trees shift;   /* t */
    fc_boosted_trees tail;    /* logarithm of the factor that the 99th percentile needs beside the
                                 mean's */
    const double *low, *high; /* of each input: the data are between */
    /* Standard deviation of t in bands of r, and their upper ends. */
    double band[FC_CALIBRATION_BANDS], deviation[FC_CALIBRATION_BANDS];
} fc_calibration_trees;

typedef struct fc_calibration_points {
    const char *model;
    unsigned networks, cases; /* that it was fitted to */
    double nugget;            /* variance of t that its inputs do not explain */
    fc_gp process;
    double near_share; /* data are near where they leave less than this share of the variance that
                          the process has without any; 0: the usual */
    const fc_calibration_trees *trees; /* instead of the process; NULL: none */
} fc_calibration_points;

extern const fc_calibration_points fc_calibrations[];       /* ends with a model of NULL */
extern const fc_calibration_points fc_limit_calibrations[]; /* of saturation loads; the same end */
extern const fc_calibration_points fc_router_calibration;

/* What a calibration is asked with. */
typedef struct fc_calibration_input {
    double empty;                    /* latency of the empty network */
    double excess;                   /* what the model adds to it */
    double values[FC_GP_INPUTS_MAX]; /* the first is r */
} fc_calibration_input;

/* The step down, as a share of the load, over which the model's slope is taken. */
extern const double fc_calibration_step;

/* Number of inputs of the model's calibration; 0: it has none. */
size_t fc_calibration_inputs(const char *model);
/* result: of the model, outcome OK; below: its latency at the load less the step. False if there is
 * nothing to calibrate: too little load, or no slope. */
bool fc_calibration_read(const fc_scenario *scenario, const fc_result *result, double below,
                         fc_calibration_input *input);
/* t that makes the model's excess that of a simulation, and the derivative of t by the logarithm of
 * that excess. */
double fc_calibration_shift(double r, double ratio, double *derivative);
/* The factor of the excess; infinite: beyond the load that the hyperbola ends at. */
double fc_calibration_stretch(double r, double t);

/* Factors of the excess: the forecast, and between which two it is expected with 90 %. */
typedef struct fc_calibrated_excess {
    double stretch, low, high;
} fc_calibrated_excess;
fc_calibrated_excess fc_calibration_forecast(const fc_calibration_input *input, double mean,
                                             double deviation);

/* NULL: the model has no calibration data. */
const fc_calibration_points *fc_calibration_find(const char *model);
/* The same for the saturation load: as the shift at a share of the model's own. */
const fc_calibration_points *fc_calibration_find_limit(const char *model);
/* Of what was fitted: another fit has another number, so that a store does not answer with the rows
 * of an older one. */
uint32_t fc_calibration_identity(const fc_calibration_points *points);
/* Of t, where the model's load is the share r of where its curve ends. */
double fc_calibration_deviation(const fc_calibration_trees *trees, double r);
/* Whether there were data near. */
bool fc_calibration_is_near(const fc_calibration_points *points, const fc_gp_value *shift);
/* Calibrates a result of the model, if the scenario is near what its calibration was fitted to:
 * metrics, parts and the interval where the simulated value is expected with 90 %. */
void fc_calibrate(const fc_calibration_points *points, const fc_calibration_input *input,
                  fc_result *result);

/* ---- beyond the model's saturation load ---- */

/* Models whose one calibration is fitted to latencies and to saturation loads, the shift at this
 * share of the model's own, and which have an answer beyond that. */
bool fc_calibration_saturates(const char *model);
extern const double fc_calibration_near_limit;
/* input, result: of the model at that share. The calibrated saturation load over the model's;
 * false: there are no data near. */
bool fc_calibration_limit(const fc_calibration_points *points, const fc_calibration_input *input,
                          double *ratio);
/* Moves the result to `times` its load, where the model has no answer; false: the calibration has
 * none either. */
bool fc_calibrate_beyond(const fc_calibration_points *points, const fc_calibration_input *input,
                         double times, fc_result *result);

#endif
