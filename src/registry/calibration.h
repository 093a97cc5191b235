/* The calibration of a model: what its derivation leaves, learned from simulations.
 *
 * The error is learned as a shift t of the load (docs/theory/calibration.md): near a load the
 * model's latency is a hyperbola, empty + a load / (most - load), with the model's value and slope;
 * the calibrated latency is that of the load times e^t. With r = load / most, all that the latency
 * has beyond the empty network's is multiplied by
 *
 *     stretch(t) = e^t (1 - r) / (1 - r e^t),
 *
 * so that the empty network stays exact. t comes from perceptrons and a sum of regression trees
 * over what the network is like and what the model says of it at that load: calibration by shift.
 * Both are generated data, written by 'make validate' (calibration_points.c). router-queueing
 * and torus-sharing are calibrated by forecasts of their own instead (calibration_forecast.c). */
#ifndef FC_REGISTRY_CALIBRATION_H
#define FC_REGISTRY_CALIBRATION_H

#include "base/boosted_trees.h"
#include "base/perceptrons.h"
#include "registry/method.h"

/* Functions of the inputs of a model at one load. */
typedef struct fc_shift_trees {
    fc_perceptrons perceptrons; /* t, see fc_shift_value */
    fc_boosted_trees shift;     /* t, as the trees see it */
    fc_boosted_trees spread;    /* logarithm of its standard deviation */
    const double *low, *high;   /* of each input: the data are between */
} fc_shift_trees;

typedef struct fc_calibration_points {
    const char *model;
    unsigned networks, cases; /* that it was fitted to */
    size_t inputs;
    const fc_shift_trees *shifts;
    uint32_t identity; /* instead of them, of a model with a forecast: of its weights */
} fc_calibration_points;

extern const fc_calibration_points fc_calibrations[];       /* ends with a model of NULL */
extern const fc_calibration_points fc_limit_calibrations[]; /* of saturation loads; the same end */
extern const fc_calibration_points fc_router_calibration, fc_torus_calibration;

enum { FC_CALIBRATION_INPUTS = 32 };
/* What a calibration is asked with. */
typedef struct fc_calibration_input {
    double empty;                         /* latency of the empty network */
    double excess;                        /* what the model adds to it */
    double values[FC_CALIBRATION_INPUTS]; /* the first is r */
} fc_calibration_input;

/* The step down, as a share of the load, over which the model's slope is taken. */
extern const double fc_calibration_step;

/* Number of inputs of the model's trees of shifts; 0: it has none. */
size_t fc_calibration_inputs(const char *model);
/* result: of the model, outcome OK, with its state in the reference; below: its latency at the load
 * less the step. False if there is nothing to calibrate: too little load, or no slope. */
bool fc_calibration_read(const fc_scenario *scenario, const fc_result *result,
                         const fc_reference *reference, double below, fc_calibration_input *input);
/* t that makes the model's excess that of a simulation, and the derivative of t by the logarithm of
 * that excess. */
double fc_calibration_shift(double r, double ratio, double *derivative);
/* The factor of the excess; infinite: beyond the load that the hyperbola ends at. */
double fc_calibration_stretch(double r, double t);
/* The share of the model's saturation load at which it is asked for what calibrates that load. */
extern const double fc_calibration_near_limit;
/* A load so many times the forecast saturation load, which is 1 to 5 % off on average, is
 * saturated. */
extern const double fc_forecast_beyond;

/* Factors of the excess: the forecast, and between which two it is expected with 90 %. */
typedef struct fc_calibrated_excess {
    double stretch, low, high;
} fc_calibrated_excess;
fc_calibrated_excess fc_calibration_forecast(const fc_calibration_input *input, double mean,
                                             double deviation);

/* The same for a calibration by shift, whose factors are bounded. */
fc_calibrated_excess fc_calibration_shifted(const fc_calibration_input *input, double mean,
                                            double deviation);

/* NULL: the model has no calibration data. */
const fc_calibration_points *fc_calibration_find(const char *model);
/* The same for the saturation load: as the shift at a share of the model's own. */
const fc_calibration_points *fc_calibration_find_limit(const char *model);
/* Of what was fitted: another fit has another number, so that a store does not answer with the rows
 * of an older one. */
uint32_t fc_calibration_identity(const fc_calibration_points *points);
/* t: a weighted mean of what perceptrons and trees say, which err in different ways. */
double fc_shift_value(const fc_perceptrons *perceptrons, const fc_boosted_trees *trees,
                      const double *values);
/* Mean and standard deviation of t; false: there are no data near. */
bool fc_shift_find(const fc_shift_trees *trees, size_t inputs, const double *values, double *mean,
                   double *deviation);
/* Calibrates a result of the model, if the scenario is near what its calibration was fitted to:
 * metrics, parts and the interval where the simulated value is expected with 90 %. */
void fc_calibrate(const fc_calibration_points *points, const fc_calibration_input *input,
                  fc_result *result);

/* input: of the model near its saturation load. The calibrated saturation load over the model's;
 * false: there are no data near. */
bool fc_calibration_limit(const fc_calibration_points *points, const fc_calibration_input *input,
                          double *ratio);

/* result, input: of the model at the load `at`, just below its saturation load, with `load` beyond
 * that and limit the calibrated saturation load. Makes it the forecast for `load`
 * (calibration_beyond.c); false: saturated, or there are no data near. */
bool fc_calibrate_beyond(const fc_calibration_points *points, const fc_calibration_input *input,
                         double at, double load, double limit, fc_result *result);

/* ---- by forecast ---- */

/* Makes the latency of a model's result that of the forecast, with all its parts. times: 1; or
 * more, if the result is at the model's saturation load and the forecast for so many times that.
 * False: no forecast is known. */
bool fc_calibrate_to(const fc_calibration_points *points, const fc_forecast *forecast, double times,
                     fc_result *result);

#endif
