/* A model's correction (fc_correction in registry/method.h) in use: its weights, whether they saw
 * networks like a scenario, and what it does to a result of the model. */
#ifndef FC_FORECAST_CORRECTION_H
#define FC_FORECAST_CORRECTION_H

#include "forecast/load_curve.h"
#include "registry/method.h"

/* The weights of a model's correction. Fails where they do not fit the model. */
fc_status fc_correction_weights(const fc_model *model, fc_error *error, fc_weights **weights);
enum { FC_WHY_SIZE = 160 };
/* Whether networks like the scenario were drawn for the fit, key by key; else why not. */
fc_status fc_correction_saw(const fc_weights *weights, const fc_scenario *scenario, fc_error *error,
                            bool *saw, char why[FC_WHY_SIZE]);

/* The latency of the empty network, of a result of a model: the sum of its parts that do not wait.
 */
double fc_correction_empty(const fc_correction *correction, const fc_result *result);
/* Moves the latency of a result of a model, and with it all waits, to that of the curve at a load;
 * the result may be of a lower load. */
void fc_correction_move(const fc_correction *correction, const fc_load_curve *curve, double load,
                        fc_result *result);

#endif
