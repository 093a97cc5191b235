/* Nodes with several ports: which of them a message takes (network.port_choice).
 *
 * Every port is an end: where messages enter the network and leave it. Between two nodes a message
 * may take some pairs of ends, all equally often:
 *
 *   nearest  those with the shortest path between them
 *   spread   for each port of the sender that reaches the receiver, the nearest ports there
 *
 * A *way* is all that is drawn for a message between two nodes: its ports, and a variant of the
 * path between them. */
#ifndef FC_NETWORK_NODE_PORTS_H
#define FC_NETWORK_NODE_PORTS_H

#include "base/random.h"
#include "network/router_network.h"

/* What a network is told of its ports. */
typedef struct fc_port_plan {
    uint32_t nodes;
    const uint32_t *first; /* nodes + 1: of the ends, which are numbered node by node */
    bool spread;
    /* The length of the path between two ends; FC_NO_WAY: there is none. */
    uint64_t (*length)(const fc_router_network *network, uint32_t from, uint32_t to);
} fc_port_plan;
#define FC_NO_WAY UINT64_MAX

struct fc_ports {
    uint32_t nodes;
    uint32_t *first;   /* nodes + 1 */
    uint32_t *node_of; /* ends */
    uint8_t *absent;   /* nodes: failures have cut off all ports; NULL: of none */
    bool spread;
    uint64_t (*length)(const fc_router_network *network, uint32_t from, uint32_t to);
    double *pairs; /* from * routers + to: pairs of nodes that send there, as in fc_ports_weigh */
};

/* Gives a wired network its ports. */
fc_status fc_ports_add(const fc_port_plan *plan, fc_error *error, fc_router_network *network);
void fc_ports_free(struct fc_ports *ports);
/* Once lengths are known: fails if two nodes have no way between them. Notes how many pairs of
 * nodes send from one router to another, unless there are too many pairs. */
fc_status fc_ports_weigh(fc_router_network *network, const char *how, fc_error *error);

/* Pairs of ends that a message between two nodes may take. */
uint32_t fc_ports_count(const fc_router_network *network, uint32_t source, uint32_t destination);
/* One of them. */
void fc_ports_choose(const fc_router_network *network, uint32_t source, uint32_t destination,
                     uint32_t choice, uint32_t *from, uint32_t *to);
/* Of the ports that messages between two nodes may take, how many can carry them at the same time:
 * the fewer of those of the sender and of the receiver. */
uint32_t fc_ports_parallel(const fc_router_network *network, uint32_t source, uint32_t destination);
/* The share of the messages between their nodes that takes these two ends. */
double fc_ports_share(const fc_router_network *network, uint32_t from, uint32_t to);
/* Whether messages go from one end to another. */
bool fc_ports_join(const fc_router_network *network, uint32_t from, uint32_t to);

/* Nodes, each counted once. */
static inline uint32_t fc_node_count(const fc_router_network *network) {
    return network->ports ? network->ports->nodes : network->nodes;
}

static inline uint32_t fc_node_of(const fc_router_network *network, uint32_t end) {
    return network->ports ? network->ports->node_of[end] : end;
}

/* Nodes that failures have cut off; NULL: none. */
static inline const uint8_t *fc_absent_nodes(const fc_router_network *network) {
    return network->ports ? network->ports->absent : network->absent;
}

/* "4", or "4.1" for its second port. */
void fc_end_name(const fc_router_network *network, uint32_t end, size_t size, char *text);

static inline uint32_t fc_draw_variant(const fc_router_network *network, fc_random *random,
                                       uint32_t source, uint32_t destination) {
    const uint32_t variants =
        network->variants ? network->variants(network, source, destination) : 1;
    return variants > 1 ? fc_random_below(random, variants) : 0;
}

uint32_t fc_draw_way_of_ports(const fc_router_network *network, fc_random *random, uint32_t source,
                              uint32_t destination);
void fc_begin_way_of_ports(const fc_router_network *network, uint32_t way, fc_course *course);

/* A way between two nodes. */
static inline uint32_t fc_draw_way(const fc_router_network *network, fc_random *random,
                                   uint32_t source, uint32_t destination) {
    return network->ports ? fc_draw_way_of_ports(network, random, source, destination)
                          : fc_draw_variant(network, random, source, destination);
}

/* Begins a course, whose source and destination are nodes, on a way: they are ends from now on. */
static inline void fc_begin_way(const fc_router_network *network, uint32_t way, fc_course *course) {
    if (network->ports)
        fc_begin_way_of_ports(network, way, course);
    else
        network->begin(network, way, course);
}

#endif
