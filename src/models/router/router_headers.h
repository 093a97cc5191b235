/* The headers on their way to one destination, as an acyclic graph: a node is a header that has
 * just entered a router, identified by its input and what routing knows of it; an edge is an output
 * it may take. The graph is built breadth first from the sources and sorted; router_walk.c sums up
 * rates along it, router_pairs.c waits. */
#ifndef FC_MODELS_ROUTER_HEADERS_H
#define FC_MODELS_ROUTER_HEADERS_H

#include "models/router/router_flows.h"

enum { FC_NO_HEADER = -1 };

typedef struct fc_header {
    uint32_t input, choice, state, source;
    uint64_t channels; /* of the lane it is in */
    uint32_t channel;  /* one of them */
    uint32_t past;     /* the links behind it, where credits matter; else 0 */
    uint32_t hop;      /* their number */
    uint32_t place;    /* of it in the table of headers */
    uint32_t waiting;  /* edges that lead to it and were not followed yet */
    uint32_t first_edge, edges;
    uint32_t path; /* of those that start, once it is found */
    bool start;
    double weight, light; /* light: of those that start, what it is in an empty network */
    fc_path_key ahead;
} fc_header;

typedef struct fc_header_edge {
    uint32_t output;
    uint64_t channels;
    double share;
    int32_t to; /* a header; FC_NO_HEADER: the destination */
} fc_header_edge;

typedef struct fc_header_graph {
    const fc_routed *routed;
    fc_router_flows *flows;
    const fc_router_network *network;
    size_t kind;
    uint32_t destination;
    fc_header *headers;
    size_t header_count, header_room;
    fc_header_edge *edges;
    size_t edge_count, edge_room;
    double pairs;    /* of nodes, or routers that stand for theirs */
    uint32_t *order; /* every header behind those that lead to it */
    size_t order_room;
    uint32_t *table; /* hash table of headers: 1 + index; 0: empty */
    size_t table_size;
    /* The nodes of each router, where they differ only in where they enter and leave it, and send
     * alike (uniform traffic); else NULL. */
    uint32_t *node_first, *node_of;
    fc_path_link *hops; /* of one path */
    size_t hop_room;
} fc_header_graph;

/* To be released after a failure too. */
fc_status fc_headers_prepare(const fc_routed *routed, fc_router_flows *flows, fc_error *error,
                             fc_header_graph *graph);
void fc_headers_release(fc_header_graph *graph);

/* Messages per cycle of the current kind from a node to the destination, at traffic.rate = 1. */
double fc_headers_rate(const fc_header_graph *graph, uint32_t source);
/* Adds the headers that a source sends to the destination. */
fc_status fc_headers_start(fc_header_graph *graph, uint32_t source, double rate, fc_error *error);
/* Follows all of them: edges, order, length of the paths ahead. */
fc_status fc_headers_complete(fc_header_graph *graph, fc_error *error);
/* Makes room for the next destination. */
void fc_headers_forget(fc_header_graph *graph);

/* The path of a header that starts, added to those of the flows if it is new; false: out of memory.
 */
bool fc_header_find_path(fc_header_graph *graph, fc_header *at);
/* The port that an input is fed by. Ports are outputs, then nodes. */
uint32_t fc_header_port(const fc_header_graph *graph, uint32_t input);
/* The channels of the lane that a header enters: with escape channels it takes whichever is free.
 */
uint64_t fc_header_mask(const fc_header_graph *graph, uint32_t link, uint64_t channels);

#endif
