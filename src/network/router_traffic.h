/* Who sends to whom in a network of routers. */
#ifndef FC_NETWORK_ROUTER_TRAFFIC_H
#define FC_NETWORK_ROUTER_TRAFFIC_H

#include "network/destinations.h"
#include "network/router_network.h"

/* Of the first class of messages; that of the others is behind it (fc_traffic_of_class).
 * Patterns of digits act on fc_routed.digits: those of a torus, the levels of a fly or fat tree,
 * the one number of a graph's node. The scenario must outlive the traffic. */
fc_status fc_router_traffic_create(const fc_scenario *scenario, const fc_router_network *network,
                                   fc_error *error, fc_traffic **traffic);

/* The mean over messages of what their headers spend between the first router and the last in an
 * empty network: `stages` cycles in each router but the last, and the links. All pairs and variants
 * are followed; senders count alike. NaN if there are more than 2^18, if the path depends on
 * queues, or if nodes have several ports. */
double fc_router_mean_path(const fc_router_network *network, const fc_traffic *traffic,
                           uint32_t stages);

#endif
