/* Checks that the traffic fits the size and shape of the network, which are given by routed->nodes,
 * digits and concentration. */
#ifndef FC_SCENARIO_TRAFFIC_RULES_H
#define FC_SCENARIO_TRAFFIC_RULES_H

#include "scenario/routed.h"

/* A node given as one number or, with one node to a router, as digits, dimension 0 first. */
fc_status fc_find_node(const fc_scenario *scenario, const fc_routed *routed, const char *key,
                       const fc_integer_list *coordinates, fc_error *error, int64_t *node);
/* Checks the destinations and completes what depends on the size: hot nodes, a matrix from CSV.
 * hot_node  the one hot spot's, or -1 */
fc_status fc_destinations_finish(const fc_scenario *scenario, const fc_routed *routed,
                                 fc_destinations *destinations, fc_error *error, int64_t *hot_node);

#endif
