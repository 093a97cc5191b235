/* Who crosses what in a network of routers: the loads of its links, and the paths of its messages.
 *
 * A lane is a set of virtual channels of one link that some messages may take; a movement is a pair
 * of consecutive lanes of some message. Rates are messages per cycle at traffic.rate = 1.
 *
 * Headers are followed from all sources to one destination at a time. Headers in the same situation
 * (same input, channels and routing state) are merged, so that the work for a destination grows
 * with the links, not with pairs times hops; where routing looks at the source, pair by pair; where
 * there is one output for each router, by a sum over the tree of routes (router_trees.h). Where a
 * header may choose between outputs, it takes each with the same probability, or in proportion to
 * the weights of their links. */
#ifndef FC_MODELS_ROUTER_FLOWS_H
#define FC_MODELS_ROUTER_FLOWS_H

#include "models/router/router_paths.h"
#include "network/router_network.h"
#include "network/router_traffic.h"

typedef enum fc_link_kind { FC_INJECTION_LINK, FC_ROUTER_LINK, FC_EJECTION_LINK } fc_link_kind;

typedef struct fc_flow_link {
    fc_link_kind kind;
    uint32_t port;      /* the output; of an injection link the node */
    uint32_t delay;     /* cycles */
    double pace;        /* cycles between two flits on it: 1 over its width */
    double loop;        /* cycles from sending a flit to using its slot in the buffer again */
    double members;     /* links of the network that it stands for */
    double rate, flits; /* messages and flits per cycle; of one of them */
} fc_flow_link;

typedef struct fc_lane {
    uint32_t link;
    uint32_t channels;
    uint64_t mask;
    double rate, flits;
    double hold; /* rate times the mean cycles for which a message alone holds the link */
} fc_lane;

typedef struct fc_movement {
    uint32_t from, to;           /* lanes */
    double rate, flits, squares; /* messages; times their length; times its square */
    double outputs;              /* that its messages may choose from, in the mean */
    double seen_from;            /* while links are merged: links it was seen to leave */
    /* How many movements like this enter a link, and leave one: 1 unless links were merged. */
    double count, leaving;
} fc_movement;

typedef struct fc_router_flows {
    fc_router_network *network;
    fc_traffic *traffic;
    fc_message_kinds kinds;
    const volatile int *cancel; /* of the scenario; may be NULL */
    double rate;                /* all messages per cycle */
    double senders;             /* nodes that send */
    uint64_t escapes; /* escape channels; if there are any, the others are granted only while
                         they are empty */
    /* Links that are alike are merged: those of all nodes of a router (grouped), or of a kind in a
     * network that looks the same from every node. multiple: links that one stands for at most; 1:
     * none were merged. */
    double multiple;
    bool grouped;
    uint32_t *link_of; /* outputs, then nodes: the link that stands for it */
    uint32_t link_count, lane_count, movement_count;
    fc_flow_link *links; /* outputs of routers, then the links of nodes; or those merged */
    fc_lane *lanes;
    fc_movement *movements; /* none if they were not asked for */
    fc_paths *paths;
    bool chooses; /* some header may choose between outputs */
    /* Where routing chooses by queues: the share of messages without a detour, and what is known
     * if none takes one: hops, and the rates at which the busiest link and, whichever way messages
     * take, some link is full. */
    double direct, direct_hops, direct_capacity, capacity_at_most;
    double *weights; /* of each link, where headers choose; NULL: all are equal */
    /* Where classes have names: messages per cycle by source and destination, of each kind; and
     * those of each kind on each link. */
    double *kind_rate[FC_KINDS_MAX];
    double *kind_load; /* links x kinds */
    /* Multicasts, which are in the paths once for each destination: messages per cycle, cycles for
     * which their copies wait for those before them, and latencies of the last copies. */
    double multicasts, copying, last;
} fc_router_flows;

/* movements false: the loads of links alone; lanes need not be told apart. */
fc_status fc_router_flows_create(const fc_scenario *scenario, bool movements, fc_error *error,
                                 fc_router_flows **flows);
/* Follows all headers again, with other weights (NULL: the same), or another share of detours.
 * After a failure only good for being freed. */
fc_status fc_router_flows_split(const fc_routed *routed, const double *weights, fc_error *error,
                                fc_router_flows *flows);
void fc_router_flows_free(fc_router_flows *flows);

/* The link behind an output, as a part of a path. */
fc_path_link fc_flow_link_of(const fc_router_network *network, uint32_t output);
/* Every node sends as much to every other. */
bool fc_flow_nodes_alike(const fc_routed *routed, const fc_router_network *network);
/* Messages per cycle of a kind from one node to another, at traffic.rate = 1. */
double fc_node_rate(const fc_routed *routed, const fc_router_flows *flows, size_t kind,
                    uint32_t source, uint32_t destination);
/* The same from one port to another. */
double fc_flow_rate(const fc_routed *routed, const fc_router_flows *flows, size_t kind,
                    uint32_t source, uint32_t destination);
/* "link 3 to 4", "link of node 5 into the network"; size: at least FC_NAME_SIZE. */
void fc_flow_link_name(const fc_router_flows *flows, uint32_t link, size_t size, char *text);

#endif
