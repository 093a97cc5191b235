/* The errors of the simulated cases that are nearest to a scenario, where too few are near it. */
#ifndef FC_REGISTRY_ACCURACY_NEAREST_H
#define FC_REGISTRY_ACCURACY_NEAREST_H

#include "registry/accuracy_cases.h"

enum { FC_NEAREST_CASES = 12 };

/* load: over the saturation load; NaN: closed traffic. others: networks with the very features of
 * the scenario do not count. False if the scenario or its load is outside what was simulated, or if
 * the model had no answer in one of the nearest cases. */
bool fc_nearest_errors(const fc_case_model *cases, const fc_feature *features, const double *values,
                       double load, bool others, double errors[FC_NEAREST_CASES]);

#endif
