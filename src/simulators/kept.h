/* What a simulation keeps of single messages, if it is asked to (fc_keep): tables of its result. */
#ifndef FC_SIMULATORS_KEPT_H
#define FC_SIMULATORS_KEPT_H

#include "base/histogram.h"
#include "registry/result.h"

/* The table "histogram", if asked for. units: of the histogram in a cycle. settings may be NULL. */
void fc_kept_histogram(const fc_run_settings *settings, const fc_histogram *latencies, double units,
                       fc_result *result);

#endif
