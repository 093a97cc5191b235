/* Routes through a large graph by a spanning tree with short cuts: a few numbers for each router
 * instead of a table for each pair of routers.
 *
 * The tree is that of a breadth-first search from a router near the middle. Routers are numbered so
 * that those below a router, with itself, have successive numbers: whether one is below another is
 * one comparison. A header takes the link to a neighbour that has the destination below it, of
 * several the one nearest to it; if there is none, the link to the parent.
 *
 * Until the first such neighbour is found a header moves to parents only, afterwards only to
 * routers farther from the root. In the order of routers by distance from the root, then by number,
 * that is up, one link, down: routes of this kind make no circle, as with graph_routes.h. They are
 * not longer than those of the tree, but may be longer than the shortest that go first up, then
 * down. */
#ifndef FC_NETWORK_GRAPH_TREE_H
#define FC_NETWORK_GRAPH_TREE_H

#include "network/router_network.h"

typedef struct fc_graph_tree {
    uint32_t *number; /* of each router in the tree: before those below it */
    uint32_t *below;  /* routers below it, and itself */
    uint32_t *parent; /* output that leads to the parent; of the root: UINT32_MAX */
} fc_graph_tree;

/* The network is wired, in one piece, and its links are bidirectional. */
fc_status fc_graph_tree_create(const fc_router_network *network, fc_error *error,
                               fc_graph_tree *tree);
void fc_graph_tree_clear(fc_graph_tree *tree);

/* The output that a header at router `at` takes to another router. */
uint32_t fc_graph_tree_output(const fc_graph_tree *tree, const fc_router_network *network,
                              uint32_t at, uint32_t to);
/* The same for headers at all routers: output[at]. Its work is that of the links into `to` and
 * the routers above it. */
void fc_graph_tree_outputs(const fc_graph_tree *tree, const fc_router_network *network, uint32_t to,
                           uint32_t *output);

#endif
