/* Networks of routers that are not tori or meshes: butterflies, fat trees, graphs from a file.
 * Always simulated with the router simulator. */
#ifndef FC_SCENARIO_FABRIC_H
#define FC_SCENARIO_FABRIC_H

#include "scenario/routed.h"

enum { FC_FLY, FC_FAT_TREE, FC_GRAPH }; /* network.topology */

/* network.routing. fly: destination or random (its digits choose the outputs; extra stages at
 * random), adaptive (any free output of an extra stage).
 * fat-tree: destination (the way up by the destination's digits), random (drawn for each message),
 * adaptive (any output up that has a channel free). graph: minimal (one shortest way for each
 * pair), up-down (over a spanning tree's order, cannot deadlock). */
enum {
    FC_ROUTE_DESTINATION,
    FC_ROUTE_RANDOM,
    FC_ROUTE_ADAPTIVE,
    FC_ROUTE_MINIMAL,
    FC_ROUTE_UP_DOWN,
};

/* A graph's file (network.file), as read: routers and nodes are numbered from 0 without gaps. */
typedef struct fc_graph_link {
    uint32_t from, to; /* routers */
    uint32_t delay;    /* cycles */
} fc_graph_link;
typedef struct fc_graph {
    char file[FC_PATH_SIZE];
    uint64_t checksum;
    uint32_t routers, nodes, links;
    uint32_t *router_of_node; /* nodes */
    fc_graph_link *link;      /* links, one for each direction */
} fc_graph;

typedef struct fc_fabric {
    int topology;
    int64_t arity;        /* k: fly, fat-tree */
    int64_t levels;       /* n: stages of a fly, levels of a fat tree */
    int64_t extra_stages; /* fly: stages of random outputs before the n */
    int routing;
    int kind; /* FC_OPEN */
    fc_graph graph;
    fc_routed routed;
    fc_destinations destinations;
    fc_trace trace;
} fc_fabric;

extern const fc_family fc_fabric_family;

#endif
