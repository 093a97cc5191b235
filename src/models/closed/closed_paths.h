/* The paths of a closed wormhole network, merged where their ends are equal.
 *
 * A message holds: node link, h network channels, ejection channel. What happens to it on a channel
 * depends only on the rest of its path, so for each destination the paths form a tree: the root is
 * the ejection channel, a vertex is a channel together with the rest of the way (with the direction
 * still to be drawn where two are equally short), a leaf is a node link. A few N vertices for each
 * destination, N^2 in all, against N^2 sqrt(N) positions of the paths one by one.
 *
 * A tree is stored as its vertices in preorder with their depths (root 0), so that a model runs
 * through it in one pass with the path from the present vertex to the root on a stack, and flows
 * are summed from the leaves as vertices are left. A vertex is described by its edge: the pair
 * (channel held, next channel). Everything a model knows is per edge.
 *
 * Where reflections of the network leave the traffic unchanged (uniform, near-neighbour; not on a
 * unidirectional torus), nodes, channels, edges and node links that are images of each other share
 * one entry ("orbit"), and only one tree of each orbit of destinations is kept: a quarter of the
 * work in two dimensions. Sums over all paths become sums over the trees kept, weighted by the
 * sizes of the orbits. */
#ifndef FC_MODELS_CLOSED_PATHS_H
#define FC_MODELS_CLOSED_PATHS_H

#include "base/status.h"
#include "network/geometry.h"

enum { FC_CLOSED_NONE = -1 };

typedef struct fc_closed_channel { /* a network virtual channel or the ejection channel of a node */
    uint32_t representative;       /* index in the whole network, see fc_closed_channel_label */
    int32_t companion;             /* the other virtual channel of its link, or FC_CLOSED_NONE */
    double copies;                 /* size of the orbit */
    uint32_t first_port, ports;    /* its inputs: port_edge[first_port ...] */
} fc_closed_channel;

typedef struct fc_closed_edge { /* a message that holds `from` goes on to `to` */
    int32_t from;               /* channel, or FC_CLOSED_NONE: a node link */
    uint32_t to;
    uint32_t link; /* node link, where from is FC_CLOSED_NONE */
    double copies;
} fc_closed_edge;

typedef struct fc_closed_link { /* a queued link from a node into its switch */
    uint32_t owner;             /* orbit of the node */
    double copies;
} fc_closed_link;

typedef struct fc_closed_vertex {
    uint32_t edge;
    uint16_t depth;
    uint16_t leaf; /* 1: a node link; leaves are numbered in the order of the vertices */
} fc_closed_vertex;

typedef struct fc_closed_leaf { /* messages from one node, by one choice of directions */
    uint32_t source;            /* orbit of the node that sends */
    uint32_t visit;             /* see below */
    /* F from source to destination, and back, times the probability of these directions */
    double request, reply;
} fc_closed_leaf;

/* A visit: the replies of one class (the processor at the tree's root) over one link. */
typedef struct fc_closed_visit {
    uint32_t link;
    double reply; /* replies of the class over this link, per request of the class */
} fc_closed_visit;

typedef struct fc_closed_tree { /* ranges in the arrays below; one tree per orbit of nodes */
    size_t first_vertex, vertices;
    size_t first_leaf;
    size_t first_visit, visits;
    size_t first_pair, pairs;
} fc_closed_tree;

typedef struct fc_closed_paths {
    size_t nodes;
    size_t orbits; /* of nodes: classes of customers, memories, trees */
    uint32_t *orbit_of_node;
    uint32_t *node_of_orbit;
    double *orbit_size;
    size_t channels, edges, links, ports;
    size_t all_channels;       /* of the whole network, ejection channels included */
    int32_t *orbit_of_channel; /* of each of them */
    fc_closed_channel *channel;
    fc_closed_edge *edge;
    fc_closed_link *link;
    uint32_t *port_edge;
    uint32_t *port_input; /* which input of the representative: see closed_geometry.h */
    fc_closed_tree *tree;
    fc_closed_vertex *vertex;
    fc_closed_leaf *leaf;
    fc_closed_visit *visit;
    double *pair_request; /* F from the sender to the destination, for each sender of each tree */
    uint32_t *pair_source;
    size_t vertices, leaves, visits, pairs;
    size_t deepest;
} fc_closed_paths;

/* FC_ERROR_UNSUPPORTED if the trees of the network would be too large. */
fc_status fc_closed_paths_check_size(const fc_torus *torus, fc_error *error);

/* torus: closed traffic, dimension order, the high-low rule (or a single channel on a mesh), of a
 * size that was checked. */
fc_status fc_closed_paths_create(const fc_torus *torus, fc_error *error, fc_closed_paths **paths);
void fc_closed_paths_free(fc_closed_paths *paths);

/* "(2, 3) +0 high": node, direction and dimension, virtual channel (if asked for); "(2, 3)
 * ejection". */
void fc_closed_channel_label(const fc_torus *torus, const fc_geometry *geometry, uint32_t channel,
                             bool virtual_channel, char *text, size_t size);

#endif
