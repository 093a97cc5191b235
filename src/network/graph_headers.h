/* What the files of routes through a graph share: the tables of a network, and how a header reads
 * them. */
#ifndef FC_NETWORK_GRAPH_HEADERS_H
#define FC_NETWORK_GRAPH_HEADERS_H

#include "network/given_routes.h"
#include "network/graph_routes.h"
#include "network/graph_routing.h"
#include "network/graph_tree.h"
#include "network/router_wiring.h"

typedef struct fc_graph_network {
    fc_graph_routes routes;
    fc_given_routes given;
    fc_graph_tree tree; /* up-down in a large graph, instead of all else */
    uint8_t *rises;     /* outputs: 1 if the link leads up */
    uint8_t *parallel;  /* outputs: links like it from this one on; NULL: 1 each, or only the first
                           one counts */
    uint64_t *ways;   /* from * routers + to: outputs of `from` that may be taken; NULL: one path */
    fc_layers layers; /* minimal or given, in layers */
    bool in_layers;   /* which paths rise through */
    uint8_t *layer;   /* from * routers + to, where each path has one; NULL: paths rise */
} fc_graph_network;

static inline uint32_t fc_graph_router_to(const fc_router_network *network, uint32_t node) {
    return network->output_router[network->node_output[node]];
}

/* Where a header is, and where it leaves the network. */
typedef struct fc_graph_leg {
    uint32_t at, to; /* routers */
} fc_graph_leg;

/* Whether it is there: then it has its candidates. */
static inline bool fc_graph_arrived(const fc_router_network *network, uint32_t input,
                                    const fc_course *course, fc_route_candidates *candidates,
                                    fc_graph_leg *leg) {
    *leg = (fc_graph_leg){network->input_router[input],
                          fc_graph_router_to(network, course->destination)};
    if (leg->at != leg->to)
        return false;
    fc_candidates_eject(candidates, network, course);
    return true;
}

/* Whether the link that leads to an input goes down; false for a node's. */
static inline bool fc_graph_came_down(const fc_router_network *network, uint32_t input) {
    const fc_graph_network *graph = network->topology;
    const uint32_t begin = network->input_begin[input];
    return !(begin & FC_TO_NODE) && !graph->rises[begin];
}

static inline void fc_graph_set_channels(fc_route_candidates *candidates, uint64_t channels) {
    for (uint32_t i = 0; i < candidates->count; ++i)
        candidates->list[i].channels = channels;
}

/* Puts the candidates of a header, which are links, into its layer: `state`. */
static inline void fc_graph_put_in_layer(const fc_router_network *network, uint32_t input,
                                         fc_course *course, fc_route_candidates *candidates) {
    const fc_graph_network *graph = network->topology;
    course->state += fc_graph_came_down(network, input) && graph->rises[candidates->list[0].output];
    fc_graph_set_channels(candidates, fc_layer(&graph->layers, course, course->state));
}

static inline uint32_t fc_graph_behind(const fc_router_network *network, uint32_t output) {
    return network->input_router[network->output_end[output]];
}

/* Several paths for each pair (graph_multipath.c). */
fc_status fc_graph_use_ways(const fc_graph_plan *plan, fc_error *error, fc_router_network *network);

#endif
