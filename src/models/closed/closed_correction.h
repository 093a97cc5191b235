/* What was learned of closed-refined, applied to a result of it. */
#ifndef FC_MODELS_CLOSED_CORRECTION_H
#define FC_MODELS_CLOSED_CORRECTION_H

#include "forecast/learned.h"
#include "registry/result.h"

/* values: the shifts of the efficiency and of the network's share (closed_cycle.h), and that of
 * log(hot / cold) (closed_hot.h). */
fc_status fc_closed_correct(const fc_learned_values *values, const fc_scenario *scenario,
                            fc_result *result);
/* What is to be minded in a result that is not corrected. */
void fc_closed_uncorrected(const fc_scenario *scenario, fc_result *result);

#endif
