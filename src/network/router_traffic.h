/* Who sends to whom in a network of routers. */
#ifndef FC_NETWORK_ROUTER_TRAFFIC_H
#define FC_NETWORK_ROUTER_TRAFFIC_H

#include "network/destinations.h"
#include "network/router_network.h"

/* Patterns of digits act on fc_routed.digits: those of a torus, the levels of a fly or fat tree,
 * the one number of a graph's node. The scenario must outlive the traffic. */
fc_status fc_router_traffic_create(const fc_scenario *scenario, const fc_router_network *network,
                                   fc_error *error, fc_traffic **traffic);

#endif
