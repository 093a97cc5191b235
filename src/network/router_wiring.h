/* From a list of links to the ports of a network of routers: what every topology does alike. */
#ifndef FC_NETWORK_ROUTER_WIRING_H
#define FC_NETWORK_ROUTER_WIRING_H

#include "network/router_network.h"

typedef struct fc_router_link {
    uint32_t from, to; /* routers */
    uint32_t delay;    /* cycles */
} fc_router_link;

typedef struct fc_wiring {
    uint32_t nodes, routers, links;
    const fc_router_link *link;     /* links, ascending by `from` */
    const uint32_t *router_of_node; /* nodes: where a node sends into the network ... */
    const uint32_t *router_to_node; /* ... and where it receives; NULL: the same router */
    uint32_t node_delay;            /* cycles between a router and its node */
    uint32_t virtual_channels;      /* of a link */
} fc_wiring;

/* Numbers the ports: those of links first, in the order of the list, then those of nodes. */
fc_status fc_router_network_wire(const fc_wiring *wiring, fc_error *error,
                                 fc_router_network **network);

/* What a topology is to fc_router_network_create: one descriptor in a file of its own. `build`
 * wires the network and hangs its routing in. */
typedef struct fc_router_topology {
    const char *family; /* name of the scenario's family */
    int topology;       /* its network.topology */
    fc_status (*build)(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network);
} fc_router_topology;

extern const fc_router_topology fc_router_torus, fc_router_mesh;

#endif
