/* How accurate a model was measured to be, for the choice of a model. */
#ifndef FC_REGISTRY_ACCURACY_H
#define FC_REGISTRY_ACCURACY_H

#include "scenario/scenario.h"

/* The mean size of a model's error near the scenario, at any load; a case without an answer counts
 * as an error of 100 %. Infinity: not validated there. of_others: without the networks that have
 * the very features of the scenario. */
double fc_accuracy_score(const char *model, const fc_scenario *scenario, bool of_others);

/* As fc_accuracy_near, without the networks that have the very features of the scenario: what would
 * be said of a network that was simulated if it had not been. */
fc_status fc_accuracy_of_others(const char *model, const fc_scenario *scenario, double load,
                                fc_error *error, fc_accuracy *accuracy);

#endif
