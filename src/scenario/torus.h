/* Tori and meshes at flit level: open and closed traffic, wormhole and scouting switching. */
#ifndef FC_SCENARIO_TORUS_H
#define FC_SCENARIO_TORUS_H

#include "scenario/routed.h"

enum { FC_TORUS, FC_MESH, FC_RING, FC_HYPERCUBE };                  /* network.topology */
enum { FC_BIDIRECTIONAL, FC_UNIDIRECTIONAL };                       /* network.links */
enum { FC_INCREASING, FC_DECREASING };                              /* network.direction */
enum { FC_DIMENSION_ORDER, FC_ADAPTIVE, FC_O1TURN, FC_VALIANT };    /* network.routing */
enum { FC_ASCENDING, FC_DESCENDING };                               /* network.order */
enum { FC_HIGH_LOW, FC_DATELINE, FC_ESCAPE, FC_FREE, FC_WRAPPING }; /* network.channel_rule */
enum { FC_SINGLE_LINK, FC_LINK_PER_CHANNEL };                       /* network.node_links */

enum { FC_FAULTS_MAX = 4096 };
typedef struct fc_fault {  /* a broken unidirectional channel out of a node */
    fc_integer_list place; /* as given: digits, dimension 0 first, or one number */
    int64_t node;          /* derived */
    int64_t dimension;
    int64_t direction; /* +1: the digit grows, -1: it falls */
} fc_fault;
typedef struct fc_faults {
    size_t count;
    fc_fault *list;
} fc_faults;

typedef struct fc_torus {
    int shape; /* network.topology as given */
    fc_integer_list radix;
    int64_t dimensions; /* hypercube */
    int links, direction, routing, order;
    int64_t virtual_channels;
    int channel_rule;
    int64_t buffer; /* flits, or FC_INFINITE */
    int switching;
    int64_t scouting_distance;
    int handover, node_links;
    int64_t injection_channels, ejection_channels;
    fc_faults faults;
    int kind;
    double rate; /* messages per node per cycle (open) */
    int64_t message_flits;
    fc_destinations destinations;
    int64_t outstanding; /* N_out, or FC_INFINITE (closed) */
    double think_time;   /* tau */
    fc_requests requests;
    fc_routed routed; /* partly derived from the fields above */
    fc_trace trace;
    /* derived */
    int topology;     /* FC_TORUS or FC_MESH: a ring is a torus, a hypercube a mesh of radix 2 */
    int64_t nodes;    /* routers; routed.nodes counts the nodes of a concentrated network */
    int64_t hot_node; /* index, or -1 */
} fc_torus;

extern const char *const fc_torus_routings[]; /* the names of network.routing */
extern const fc_family fc_torus_family;

#endif
