/* What the rest of the program knows of a topology of routers: how large it is, and how to build
 * it. The functions are in src/network/, one file for each topology. */
#ifndef FC_SCENARIO_ROUTER_TOPOLOGY_H
#define FC_SCENARIO_ROUTER_TOPOLOGY_H

#include "flitcast/flitcast.h"

typedef struct fc_routed fc_routed;                 /* routed.h */
typedef struct fc_router_network fc_router_network; /* network/router_network.h */

/* The size of a network before it is built; memory and warm-up follow from it. */
typedef struct fc_router_extent {
    double links;        /* between routers, each direction counted */
    double outputs;      /* of the router that has the most, its nodes' included */
    double candidates;   /* of a header at most; 0: two for each of those outputs */
    double longest_link; /* between routers, cycles */
    double slowest;      /* cycles between two flits on the narrowest link; 0: 1 */
    double longest_path; /* links from the farthest node to another, about */
    double mean_path;    /* of uniform traffic, about; 0: nearly all messages take the longest */
} fc_router_extent;

/* Which networks it resembles: the measured errors of models are looked up among those. */
typedef enum fc_resemblance {
    FC_LIKE_NO_OTHER,
    FC_LIKE_TORUS,
    FC_LIKE_MESH,
    FC_LIKE_TREE,
} fc_resemblance;

typedef struct fc_router_topology {
    /* longest_link is network.link_delay unless it says otherwise. */
    void (*measure)(const void *parameters, fc_router_extent *extent);
    /* Wires the network and adds its routing; with network.faults (fc_routed.around) wires alone:
     * paths through what is left are found for all topologies alike. */
    fc_status (*build)(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network);
    /* What it is built of; fills what it knows, the rest is NaN before. */
    void (*count)(const void *parameters, fc_counts *counts);
    fc_resemblance resembles;
    bool grid; /* routers are the points of a grid; its sides are the digits (fc_routed) */
} fc_router_topology;

extern const fc_router_topology fc_router_torus, fc_router_mesh; /* also rings, hypercubes */

#endif
