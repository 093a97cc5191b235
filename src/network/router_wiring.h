/* From a list of links to the ports of a network of routers: what every topology does alike. */
#ifndef FC_NETWORK_ROUTER_WIRING_H
#define FC_NETWORK_ROUTER_WIRING_H

#include "network/router_network.h"

typedef struct fc_router_link {
    uint32_t from, to; /* routers */
    uint32_t delay;    /* cycles */
    double width;      /* flits per cycle; 0: 1 */
} fc_router_link;

/* Of a kind, as network.link_delay and link_width have them. */
static inline fc_router_link fc_link_between(const fc_routed *routed, uint32_t from, uint32_t to,
                                             size_t kind) {
    return (fc_router_link){from, to, (uint32_t)fc_routed_delay_of(routed, kind),
                            fc_routed_width_of(routed, kind)};
}

typedef struct fc_wiring {
    uint32_t nodes, routers, links;
    const fc_router_link *link;     /* links, ascending by `from` */
    const uint32_t *router_of_node; /* nodes: where a node sends into the network ... */
    const uint32_t *router_to_node; /* ... and where it receives; NULL: the same router */
    uint32_t hosts;      /* nodes of each router, those of router 0 first: instead of both lists */
    uint32_t node_delay; /* cycles between a router and its node */
    uint32_t virtual_channels; /* of a link */
} fc_wiring;

/* Numbers the ports: those of links first, in the order of the list, then those of nodes. */
fc_status fc_router_network_wire(const fc_wiring *wiring, fc_error *error,
                                 fc_router_network **network);

/* One candidate with all channels of the course's class. */
static inline void fc_candidates_one(fc_route_candidates *candidates, const fc_course *course,
                                     uint32_t output) {
    candidates->list[0] = (fc_route_candidate){output, course->channels};
    candidates->count = candidates->preferred = 1;
}

/* Into the destination. */
static inline void fc_candidates_eject(fc_route_candidates *candidates,
                                       const fc_router_network *network, const fc_course *course) {
    candidates->list[0] =
        (fc_route_candidate){network->node_output[course->destination], UINT64_MAX};
    candidates->count = candidates->preferred = 1;
}

/* All `count` outputs from `first` on, of the same worth. */
static inline void fc_candidates_any(fc_route_candidates *candidates, const fc_course *course,
                                     uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        candidates->list[i] = (fc_route_candidate){first + i, course->channels};
    candidates->count = candidates->preferred = count;
}

/* Layers of virtual channels that messages rise through: the channels of each class of messages,
 * divided into so many parts, the first of them the larger ones. */
enum { FC_LAYERS_MAX = 64 };
typedef struct fc_layers {
    fc_channel_sets sets;
    uint64_t mask[FC_CLASSES_MAX][FC_LAYERS_MAX]; /* of each set of channels */
} fc_layers;
/* Each class must have at least as many channels. */
void fc_layers_divide(const fc_routed *routed, uint32_t count, fc_layers *layers);
/* The channels of a layer for a message. */
static inline uint64_t fc_layer(const fc_layers *layers, const fc_course *course, uint32_t layer) {
    return layers->mask[fc_channel_set(&layers->sets, course->channels)][layer];
}

static inline uint32_t fc_power(uint32_t base, uint32_t exponent) {
    uint32_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* The digits of the numbers below arity^digits, least significant first: a table of that many rows;
 * NULL if out of memory. */
uint16_t *fc_digit_table(uint32_t arity, uint32_t digits);

#endif
