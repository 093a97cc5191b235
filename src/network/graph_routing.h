/* Paths for a network that is wired, whatever its topology: those of a graph (topology: graph), and
 * those around failures (network.faults). */
#ifndef FC_NETWORK_GRAPH_ROUTING_H
#define FC_NETWORK_GRAPH_ROUTING_H

#include "network/router_network.h"
#include "scenario/fabric.h"

typedef struct fc_graph_plan {
    const char *name; /* of the graph, in messages */
    const fc_routed *routed;
    const fc_routes *given; /* paths from a file; NULL: there are none */
    bool up_down;
    bool spread;   /* network.ties */
    int multipath; /* network.multipath */
    /* Outputs: links of one dimension have the same number, as in graph_dimensions.h; NULL: they
     * are found. */
    const uint32_t *dimension;
} fc_graph_plan;

/* Gives a wired network without a topology of its own its paths. They are proven free of deadlock,
 * or cannot deadlock; nodes that are absent have none. */
fc_status fc_graph_routing_add(const fc_graph_plan *plan, fc_error *error,
                               fc_router_network *network);

#endif
