/* Cheapest ways between routers, over any links of the network (Dijkstra). */
#ifndef FC_NETWORK_ROUTER_DISTANCE_H
#define FC_NETWORK_ROUTER_DISTANCE_H

#include "network/router_network.h"

typedef struct fc_distances fc_distances;

fc_status fc_distances_create(const fc_router_network *network, fc_error *error,
                              fc_distances **distances);
void fc_distances_free(fc_distances *distances);
/* price: outputs, not negative. */
void fc_distances_from(fc_distances *distances, uint32_t router, const double *price);
/* From the router of the last call; infinite if it cannot be reached. */
double fc_distance_to(const fc_distances *distances, uint32_t router);
/* Adds flits to the links of the cheapest way. */
void fc_distances_load(const fc_distances *distances, uint32_t router, double flits, double *load);

/* The router a node is at. */
static inline uint32_t fc_router_of(const fc_router_network *network, uint32_t node) {
    return network->input_router[network->node_input[node]];
}

#endif
