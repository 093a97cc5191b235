/* How far models alone are off, by what was measured: data/accuracy.csv. */
#ifndef FC_REGISTRY_ACCURACY_H
#define FC_REGISTRY_ACCURACY_H

#include "registry/result.h"

/* Fills result->accuracy, and the interval of an answer, from the errors of its model at this share
 * of the saturation load (NaN: at all loads), in networks as large. Nothing changes if the model
 * was never simulated. */
void fc_accuracy_state(fc_result *result, double share, double nodes);

/* The interval of an answer whose relative errors, (model - simulation) / simulation, are between
 * these with 90 %. */
void fc_accuracy_set_interval(fc_result *result, double low, double high);

#endif
