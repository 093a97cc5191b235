/* The dimensions of a graph that is a product of smaller ones: a mesh, torus or hypercube whatever
 * the numbers of its routers. */
#ifndef FC_NETWORK_GRAPH_DIMENSIONS_H
#define FC_NETWORK_GRAPH_DIMENSIONS_H

#include "network/router_network.h"

/* dimension: outputs; a number for each link, the same for its return and its parallel links. Those
 * to nodes mean nothing. False: out of memory. */
bool fc_graph_dimensions(const fc_router_network *network, uint32_t *dimension);

#endif
