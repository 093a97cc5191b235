/* What explain tries of a network with failures (network.faults): each of them repaired. */
#ifndef FC_STUDIES_EXPLAIN_REPAIRS_H
#define FC_STUDIES_EXPLAIN_REPAIRS_H

#include "scenario/scenario.h"

/* Calls `add` with what is repaired ("link 3-4"), and the value of network.faults without it: for
 * the first few failures. */
fc_status fc_explain_repairs(const fc_scenario *scenario, fc_error *error,
                             void (*add)(void *context, const char *what, const char *value),
                             void *context);

#endif
