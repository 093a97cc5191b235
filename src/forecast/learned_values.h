#ifndef FC_FORECAST_LEARNED_VALUES_H
#define FC_FORECAST_LEARNED_VALUES_H

#include "forecast/learned_graph.h"

/* The logarithm of the standard deviation of a correction. tape: after fc_learned_forward. */
double fc_learned_log_spread(const fc_learned_tape *tape, size_t value);

#endif
