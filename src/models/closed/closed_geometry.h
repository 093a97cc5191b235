/* Numbering of nodes, channels and input ports of a k-ary n-cube, and its reflections. Private to
 * the closed models. */
#ifndef FC_MODELS_CLOSED_GEOMETRY_H
#define FC_MODELS_CLOSED_GEOMETRY_H

#include "scenario/torus.h"

/* Channels of the whole network: ((node * n + dimension) * 2 + grows) * 2 + high, where node is the
 * one the channel leaves and grows says that the digit does; after them the ejection channels, by
 * node. An input port of a channel is the incoming channel without its node: (dimension * 2 +
 * grows) * 2 + high; the last port is the node's own. */
typedef struct fc_closed_geometry {
    const fc_torus *torus;
    size_t dimensions;
    uint32_t nodes, network_channels, channels, ports;
    uint32_t stride[FC_LIST_MAX];
    uint32_t radix[FC_LIST_MAX];
    size_t order[FC_LIST_MAX]; /* dimensions in the order of routing */
} fc_closed_geometry;

void fc_closed_geometry_fill(fc_closed_geometry *geometry, const fc_torus *torus);

static inline uint32_t fc_closed_digit(const fc_closed_geometry *g, uint32_t node, size_t d) {
    return node / g->stride[d] % g->radix[d];
}

static inline uint32_t fc_closed_channel_index(const fc_closed_geometry *g, uint32_t node, size_t d,
                                               uint32_t grows, uint32_t high) {
    return ((node * (uint32_t)g->dimensions + (uint32_t)d) * 2 + grows) * 2 + high;
}

static inline uint32_t fc_closed_ejection(const fc_closed_geometry *g, uint32_t node) {
    return g->network_channels + node;
}

/* The node one step against a direction: where a channel that arrives here comes from. */
uint32_t fc_closed_upstream(const fc_closed_geometry *g, uint32_t node, size_t d, uint32_t grows);

/* How many hops a message may have made along a dimension in this direction when it has reached
 * this digit. */
uint32_t fc_closed_reach(const fc_closed_geometry *g, uint32_t digit, size_t d, uint32_t grows);

/* Images under the reflection of the dimensions whose bits are set. A growing digit becomes a
 * falling one and a higher destination a lower one, so direction and virtual channel swap. */
uint32_t fc_closed_mirror_node(const fc_closed_geometry *g, uint32_t node, uint32_t mask);
uint32_t fc_closed_mirror_channel(const fc_closed_geometry *g, uint32_t channel, uint32_t mask);
uint32_t fc_closed_mirror_port(const fc_closed_geometry *g, uint32_t port, uint32_t mask);

#endif
