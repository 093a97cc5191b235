/* Routers, ports and links of any topology, and the ways of messages through them: what the router
 * simulator and the check for deadlock know of a network.
 *
 * Inputs and outputs are numbered over the whole network, router by router: router r has the inputs
 * input_first[r] .. input_first[r + 1] - 1, likewise outputs. An output feeds one input of another
 * router or one node; an input is fed by one output or one node.
 *
 * A way is told in two steps. `begin` fixes what is drawn once for a message: the direction at
 * half-way ties, the order of dimensions, the node in between. What is drawn is one of `variants`
 * equally likely numbers, so that the simulator can draw and a proof can enumerate. `route` then
 * tells, for each router the header enters, the outputs and virtual channels it may take. */
#ifndef FC_NETWORK_ROUTER_NETWORK_H
#define FC_NETWORK_ROUTER_NETWORK_H

#include "base/status.h"
#include "scenario/scenario.h"
#include "scenario/routed.h"

#define FC_TO_NODE 0x80000000u /* in output_end and input_begin: the rest is a node's number */

/* Where the header of a message may go next. The first `preferred` ways are alternatives of the
 * same worth; those after them (escape channels) are taken only if none of the first is free.
 * Where there are such, a channel of the preferred ways may be granted only while its buffer is
 * empty and no one's: a header that joined the queue behind another message could not turn to its
 * escape channel any more, and the proof of freedom from deadlock would not hold. */
typedef struct fc_way {
    uint32_t output;
    uint64_t channels; /* mask of virtual channels of that output's link */
} fc_way;
enum { FC_WAYS_MAX = 64 };
typedef struct fc_ways {
    uint32_t count, preferred;
    fc_way way[FC_WAYS_MAX];
} fc_ways;

/* What a message carries for its routing. */
typedef struct fc_course {
    uint32_t source, destination; /* nodes */
    uint64_t channels;            /* mask of the virtual channels of its class; set by the caller */
    uint32_t choice;              /* of the topology: what begin drew */
    uint32_t state;               /* of the topology: what route remembers from router to router */
} fc_course;

/* A course that a header may still choose, by the queues before it. */
typedef struct fc_alternative {
    uint32_t output, outputs; /* the first link of it: one of so many parallel ones */
    uint32_t weight;          /* its length, as comparisons count it */
    uint32_t choice, state;   /* of the course, if it is chosen */
} fc_alternative;
enum { FC_ALTERNATIVES_MAX = 2 };

typedef struct fc_router_network fc_router_network;
struct fc_router_network {
    uint32_t nodes, routers, inputs, outputs;
    uint32_t *input_first, *output_first; /* routers + 1 */
    uint32_t *output_end;                 /* outputs: the input it feeds, or FC_TO_NODE | node */
    uint32_t *output_delay;               /* outputs: cycles of the link */
    uint64_t *output_interval;            /* outputs: cycles between two flits on the link, times
                                             2^16; NULL: 1 everywhere */
    uint32_t *input_begin; /* inputs: the output that feeds it, or FC_TO_NODE | node */
    uint32_t *input_router, *output_router;
    uint32_t *node_input, *node_output; /* nodes */
    uint32_t virtual_channels;
    bool source_matters; /* route looks at course->source; else choice and state are all */
    bool nodes_alike;    /* route tells nodes of a router apart only where they leave it */
    /* Like route, but what begin draws is drawn on the way: one of the outputs it gives, all
     * equally likely. For models, which then need not follow every variant. NULL: there is no such
     * form. */
    void (*route_drawing)(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_ways *ways);
    /* Where every node sees the same network: nodes 0, node_stride, 2 node_stride, ... stand for
     * all of them, and under uniform traffic links of one kind (a small number for each output)
     * carry the same load. node_stride 0: not so. */
    uint32_t node_stride;
    uint32_t (*link_kind)(const fc_router_network *network, uint32_t output);
    void *topology; /* the own data of the topology */
    void (*release_topology)(void *topology);
    /* How many ways begin can draw from for this pair, at least 1. NULL: always 1. */
    uint32_t (*variants)(const fc_router_network *network, uint32_t source, uint32_t destination);
    /* Fills choice and state from source and destination and variant < variants. */
    void (*begin)(const fc_router_network *network, uint32_t variant, fc_course *course);
    /* The ways out of the router that holds `input`, where the header now is, in virtual channel
     * `channel` of it. Called once for each router the header enters, in order; may change
     * course->state. The ways may depend on the way the header came by, not on which of that
     * way's channels it was given. Ejection is one way whose output feeds the destination; its
     * channels are all ejection channels (the caller's matter: mask of ones). */
    void (*route)(const fc_router_network *network, uint32_t input, uint32_t channel,
                  fc_course *course, fc_ways *ways);
    /* NULL: routing looks at no queues. Otherwise what a header may choose from before `route` is
     * called for it: 0 if there is nothing to choose, and then `route` goes on as it was. The first
     * alternative is chosen unless its queue times its weight is above that of another plus `bias`.
     * Without a choice, `route` takes the first. */
    uint32_t (*alternatives)(const fc_router_network *network, uint32_t input,
                             const fc_course *course,
                             fc_alternative alternative[FC_ALTERNATIVES_MAX]);
    uint32_t bias;    /* flits */
    bool whole_queue; /* queues of the whole way count, not only of its first link */
};

/* `route` after one of the choices there are, numbered from 0; false if there is no such. */
static inline bool fc_router_route_as(const fc_router_network *network, uint32_t chosen,
                                      uint32_t input, uint32_t channel, fc_course *course,
                                      fc_ways *ways) {
    fc_alternative alternative[FC_ALTERNATIVES_MAX];
    const uint32_t count =
        network->alternatives ? network->alternatives(network, input, course, alternative) : 0;
    if (chosen >= (count ? count : 1))
        return false;
    if (count) {
        course->choice = alternative[chosen].choice;
        course->state = alternative[chosen].state;
    }
    network->route(network, input, channel, course, ways);
    return true;
}

fc_status fc_router_network_measure(const fc_scenario *scenario, fc_error *error,
                                    fc_router_extent *extent);

fc_status fc_router_network_create(const fc_scenario *scenario, fc_error *error,
                                   fc_router_network **network);
void fc_router_network_free(fc_router_network *network);

/* Proves the network free of deadlock on its channel dependency graph (Dally and Seitz; with
 * escape channels the extended graph of Duato), or fails with FC_ERROR_UNSUPPORTED and the circle
 * of channels printed. Follows all pairs and variants. */
fc_status fc_router_network_prove(const fc_router_network *network, const fc_routed *routed,
                                  fc_error *error);

/* Whether a node is the first of its router: those of a router follow its other ports. */
static inline bool fc_router_first_node(const fc_router_network *network, uint32_t node) {
    const uint32_t input = network->node_input[node];
    return input == network->input_first[network->input_router[input]] ||
           !(network->input_begin[input - 1] & FC_TO_NODE);
}

#endif
