/* What calibrations read from the result of a model. */
#ifndef FC_REGISTRY_CALIBRATION_INPUTS_H
#define FC_REGISTRY_CALIBRATION_INPUTS_H

#include "registry/method.h"

/* A part of the latency; 0: there is none of that name. */
double fc_calibration_part(const fc_result *result, const char *name);
/* The largest utilisation of a link. */
double fc_calibration_busiest(const fc_result *result);

enum { FC_CALIBRATION_ROUTERS = 23 }; /* numbers that it writes */
void fc_calibration_read_routers(const fc_scenario *scenario, const fc_result *result,
                                 double excess, double *x);

#endif
