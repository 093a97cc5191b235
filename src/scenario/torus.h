/* Tori and meshes at flit level: open and closed traffic, wormhole and scouting switching. */
#ifndef FC_SCENARIO_TORUS_H
#define FC_SCENARIO_TORUS_H

#include "scenario/routed.h"

enum { FC_TORUS, FC_MESH, FC_RING, FC_HYPERCUBE }; /* network.topology */
enum { FC_BIDIRECTIONAL, FC_UNIDIRECTIONAL };      /* network.links */
enum { FC_INCREASING, FC_DECREASING };             /* network.direction */
enum {                                             /* network.routing */
       FC_DIMENSION_ORDER,
       FC_ADAPTIVE,
       FC_O1TURN,
       FC_VALIANT,
       FC_MIN_ADAPT,
       FC_MINIMAL, /* around failures: network.faults */
       FC_UP_DOWN, /* the same */
};
enum { FC_ASCENDING, FC_DESCENDING };                               /* network.order */
enum { FC_HIGH_LOW, FC_DATELINE, FC_ESCAPE, FC_FREE, FC_WRAPPING }; /* network.channel_rule */
enum { FC_SINGLE_LINK, FC_LINK_PER_CHANNEL, FC_TWO_LINKS, FC_THREE_LINKS }; /* network.node_links */
enum {
    FC_PROCESSOR_SINGLE,
    FC_PROCESSOR_PER_REQUEST,
    FC_PROCESSOR_INTERRUPTED
}; /* traffic.processors */

typedef struct fc_torus {
    int shape; /* network.topology as given */
    fc_integer_list radix;
    int64_t dimensions; /* hypercube */
    int links, direction, routing, order;
    int channel_rule;
    int64_t scouting_distance;
    int node_links;
    int kind;
    union {
        fc_routed routed; /* with open traffic: the network as the router simulator sees it */
        struct {
            FC_ROUTER_FIELDS
        };
    };
    fc_destinations destinations;
    /* as given, and for closed traffic; open traffic with replies has its own in routed */
    int64_t outstanding; /* N_out */
    fc_requests requests;
    double think_time; /* closed: tau */
    int processors;
    fc_workload workload; /* traffic.workload, traffic.trace */
    /* derived */
    int topology;  /* FC_TORUS or FC_MESH: a ring is a torus, a hypercube a mesh of radix 2 */
    int64_t nodes; /* routers; routed.nodes counts the nodes of a concentrated network */
} fc_torus;

extern const char *const fc_torus_routings[]; /* the names of network.routing */
extern const fc_family fc_torus_family;

#endif
