/* The values of a scenario's keys, one by one, as words and numbers: what tells whether networks
 * like it were ever simulated. */
#ifndef FC_SCENARIO_SCENARIO_VALUES_H
#define FC_SCENARIO_SCENARIO_VALUES_H

#include "scenario/scenario.h"

/* key: "network.buffer", or below it, "traffic.destinations.hot-spot.share"; value: a number or a
 * word. A list has its entries one after the other, and as KEY.entries how many there are; what
 * has members the names of these: destinations {hot-spot: {share: 0.1, node: 3}} are "hot-spot",
 * and a share of 0.1. */
#define FC_VALUE_ENTRIES ".entries"
typedef void (*fc_value_visit)(void *context, const char *key, const char *value);

/* Every key of the network and its traffic that is given, or that applies and has a value without
 * being given; and what a graph's file says of its links. Left out are the load, and numbers that
 * only name something: nodes, seeds. */
fc_status fc_scenario_values(const fc_scenario *scenario, fc_value_visit visit, void *context,
                             fc_error *error);

#endif
