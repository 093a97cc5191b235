/* What is drawn for a message of open traffic, in this order, from its own stream (arrivals.h). */
#ifndef FC_SIMULATORS_ROUTER_DRAWN_MESSAGE_H
#define FC_SIMULATORS_ROUTER_DRAWN_MESSAGE_H

#include "network/destinations.h"
#include "network/node_ports.h"
#include "simulators/arrivals.h"

typedef struct fc_drawn_message {
    uint32_t destination;
    uint32_t sort; /* the number of its length */
    uint32_t flits;
    uint32_t way; /* node_ports.h */
} fc_drawn_message;

static inline fc_drawn_message fc_draw_message(const fc_router_network *network,
                                               const fc_traffic *traffic, const fc_lengths *lengths,
                                               const fc_sorts *sorts, uint32_t source,
                                               fc_random *random) {
    fc_drawn_message message = {.destination = fc_traffic_draw(traffic, random, source)};
    message.sort = fc_sorts_draw(sorts, random);
    message.flits = (uint32_t)lengths->flits[message.sort];
    message.way = fc_draw_way(network, random, source, message.destination);
    return message;
}

#endif
