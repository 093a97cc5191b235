/* Which of several shortest paths a table takes: not always the first one, but such that paths
 * share the links.
 *
 * Destinations are taken one by one, and for each of them the routers from the nearest on. A router
 * has its choice among the outputs that begin a shortest path, parallel links included. Loads are
 * those of traffic that every pair of nodes shares in alike, and count by their square: a path with
 * one busy link is worse than one with two that are half as busy.
 *
 * By load alone, turns of all kinds are used, and messages then often wait for each other in
 * circles. Two more rules make fewer:
 *
 * By dimension: links of a product of smaller graphs (meshes, tori, hypercubes, whatever their
 * routers' numbers) have a dimension each, and a router takes the first dimension first. Dimensions
 * are found in the squares of the graph: the two links of a router that are sides of no square, or
 * of several, are of one dimension, and so are opposite sides of a square (Feder, J. Graph Theory
 * 16(5), 1992).
 *
 * With few rises: for the layers of router_graph.c, with as few turns as possible from a link down
 * to one up. */
#ifndef FC_NETWORK_GRAPH_TIES_H
#define FC_NETWORK_GRAPH_TIES_H

#include "network/graph_routes.h"

typedef enum fc_tie_rule {
    FC_TIES_BY_DIMENSION,
    FC_TIES_BY_LOAD,
    FC_TIES_WITH_FEW_RISES
} fc_tie_rule;

/* dimension: of each output (graph_dimensions.h); NULL: found here. Fills the ports of routes
 * (fc_graph_routes_shortest) again. *busiest: the load of the busiest link, pairs of nodes times
 * the cycles of a flit. */
fc_status fc_graph_ties_spread(const fc_router_network *network, fc_tie_rule rule,
                               const uint32_t *dimension, fc_error *error, fc_graph_routes *routes,
                               double *busiest);

#endif
