/* How accurate a model was measured to be, for the choice of a model. */
#ifndef FC_REGISTRY_ACCURACY_H
#define FC_REGISTRY_ACCURACY_H

#include "scenario/scenario.h"

/* Which simulated networks count. The last two say what would be known of a network that was
 * simulated if it had not been. */
typedef enum fc_counted {
    FC_COUNT_ALL,
    FC_COUNT_OTHERS,      /* without those that have the very features of the scenario */
    FC_COUNT_OTHER_KINDS, /* without those that agree with it in every choice */
} fc_counted;

/* The mean size of a model's error near the scenario, at any load; a case without an answer counts
 * as an error of 100 %. Infinity: not validated there. */
double fc_accuracy_score(const char *model, const fc_scenario *scenario, fc_counted counted);

/* As fc_accuracy_near, of the networks that count. */
fc_status fc_accuracy_counting(fc_counted counted, const char *model, const fc_scenario *scenario,
                               double load, fc_error *error, fc_accuracy *accuracy);

#endif
