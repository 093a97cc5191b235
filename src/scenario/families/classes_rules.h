/* What must agree among the classes of messages (traffic.classes). */
#ifndef FC_SCENARIO_CLASSES_RULES_H
#define FC_SCENARIO_CLASSES_RULES_H

#include "scenario/routed.h"

/* Whether the rates of the classes say what traffic.rate is. */
bool fc_classes_have_rates(const fc_given_classes *given);
/* Before anything else is made of the traffic: rates and shares, and the destinations, which need
 * the network's size. */
fc_status fc_classes_finish(const fc_scenario *scenario, fc_routed *routed, fc_error *error);
/* Once the virtual channels are known: those of the classes, and that chains of answers end. */
fc_status fc_classes_check(const fc_scenario *scenario, const fc_routed *routed, fc_error *error);

#endif
