/* What must agree in a fabric, and what follows from its parameters. */
#ifndef FC_SCENARIO_FABRIC_RULES_H
#define FC_SCENARIO_FABRIC_RULES_H

#include "scenario/fabric.h"

extern const char *const fc_fabric_topologies[]; /* the names of network.topology */
extern const char *const fc_fabric_routings[];   /* of network.routing */

fc_status fc_fabric_finish(const fc_scenario *scenario, void *parameters, fc_error *error);

/* Links up of a router at a level of a fat tree. */
uint32_t fc_fabric_uplinks(const fc_fabric *fabric, uint32_t level);
/* The layers that messages rise through so that they cannot deadlock: virtual channels that every
 * class of messages needs at least. */
uint32_t fc_fabric_layers(const fc_fabric *fabric);

#endif
