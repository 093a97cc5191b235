/* How accurate a model was measured to be, for the choice of a model. */
#ifndef FC_REGISTRY_ACCURACY_H
#define FC_REGISTRY_ACCURACY_H

#include "scenario/scenario.h"

/* The mean size of a model's error near the scenario, at any load; a case without an answer counts
 * as an error of 100 %. Infinity: not validated there. */
double fc_accuracy_score(const char *model, const fc_scenario *scenario);

#endif
