/* Networks whose wires are in an fc_graph, from a file or made by a topology (router_graph.c). */
#ifndef FC_NETWORK_GRAPH_BUILD_H
#define FC_NETWORK_GRAPH_BUILD_H

#include "network/router_network.h"
#include "scenario/fabric.h"

/* Of a fabric whose graph is there; as in fc_router_topology. */
void fc_graph_measure(const void *parameters, fc_router_extent *extent);
fc_status fc_graph_build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                         fc_router_network **network);
/* Whether its routing can have its tables, and whether it has those paths. key  to blame */
fc_status fc_graph_check_size(const fc_scenario *scenario, const fc_fabric *fabric, const char *key,
                              fc_error *error);

#endif
