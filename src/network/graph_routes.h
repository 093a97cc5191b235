/* Ways through any graph of routers: shortest ones, and up-down ones that cannot deadlock.
 *
 * The length of a path is the sum of its links' delays.
 *
 * Up and down: routers are put in order by their distance in links from a root, the router from
 * which the farthest is nearest; among equals, by number. A link is up if it leads to a router
 * earlier in that order, else down. For shortest paths, which need no root, routers farther from
 * nodes come first: all links towards the spines of a tree are up. A path that goes first up, then
 * down never makes a circle of links with others of its kind (Autonet: Schroeder et al., IEEE JSAC
 * 9(8), 1991). */
#ifndef FC_NETWORK_GRAPH_ROUTES_H
#define FC_NETWORK_GRAPH_ROUTES_H

#include "network/router_network.h"

#define FC_NO_PORT UINT16_MAX

typedef struct fc_graph_routes {
    uint32_t routers;
    uint32_t *rank;  /* of each router in the order of up and down */
    uint32_t *order; /* routers by rank */
    uint16_t *port;  /* from * routers + to: the output of `from`, counted from its first */
    /* up-down only: the same for headers that have gone down already */
    uint16_t *port_down;
} fc_graph_routes;

enum { FC_GRAPH_ROUTERS_TABLE_MAX = 8192 }; /* tables of 128 MB each */

/* Needs a wired network with at most FC_GRAPH_ROUTERS_TABLE_MAX routers. Fails if a node cannot
 * reach another. */
fc_status fc_graph_routes_shortest(const fc_router_network *network, fc_error *error,
                                   fc_graph_routes *routes);
/* spread: of equally short ways the one with the least load so far (as graph_ties.h); else the
 * first. */
fc_status fc_graph_routes_up_down(const fc_router_network *network, bool spread, fc_error *error,
                                  fc_graph_routes *routes);
void fc_graph_routes_clear(fc_graph_routes *routes);

/* Whether the link of an output leads up. */
static inline bool fc_graph_leads_up(const fc_graph_routes *routes,
                                     const fc_router_network *network, uint32_t output) {
    const uint32_t to = network->input_router[network->output_end[output]];
    return routes->rank[to] < routes->rank[network->output_router[output]];
}

#endif
