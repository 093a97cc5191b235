/* What was learned of multistage-backpressure, applied to a result of it. */
#ifndef FC_MODELS_MULTISTAGE_CORRECTION_H
#define FC_MODELS_MULTISTAGE_CORRECTION_H

#include "forecast/learned.h"
#include "registry/result.h"

/* values: the logarithm of a factor of all waits. */
fc_status fc_multistage_correct(const fc_learned_values *values, const fc_scenario *scenario,
                                fc_result *result);

#endif
