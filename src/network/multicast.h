/* Messages to many nodes (traffic.classes: multicast): the tree over which each is copied.
 *
 * The routes of a message to all its destinations are followed together: where they leave a router
 * by the same output and virtual channels they are one branch, so that a link carries the message
 * once. What routing draws for a message is drawn once for all of them. A router takes its branches
 * in the order of its outputs. */
#ifndef FC_NETWORK_MULTICAST_H
#define FC_NETWORK_MULTICAST_H

#include "network/destinations.h"
#include "network/router_network.h"

typedef struct fc_tree_branch {
    uint32_t output;       /* of the router before it; FC_NONE: the link from the source */
    uint32_t first, count; /* branches out of the router at its end; none: it ends in a node */
    uint32_t node;         /* where it ends; of a root the source */
    uint64_t channels;     /* that it may take */
} fc_tree_branch;

typedef struct fc_tree {
    uint32_t root;         /* its branch */
    uint32_t destinations; /* 0: the node sends nothing */
} fc_tree;

typedef struct fc_multicast {
    const fc_router_network *network;
    uint32_t variants;           /* trees of a source, equally likely */
    fc_tree *of[FC_CLASSES_MAX]; /* nodes x variants; NULL: not such a class */
    fc_tree_branch *branch;
    uint32_t count, room;
} fc_multicast;

/* Whether there is such a class. */
bool fc_multicast_given(const fc_routed *routed);

/* The trees of all classes and sources; *multicast: NULL if no class has any. traffic: of the first
 * class. */
fc_status fc_multicast_create(const fc_scenario *scenario, const fc_router_network *network,
                              const fc_traffic *traffic, fc_error *error, fc_multicast **multicast);
void fc_multicast_free(fc_multicast *multicast);

static inline const fc_tree *fc_multicast_tree(const fc_multicast *multicast, uint32_t kind,
                                               uint32_t source, uint32_t variant) {
    return &multicast->of[kind][(size_t)source * multicast->variants + variant];
}

#endif
