/* Routers, ports and links of any topology, and the routes of messages: all that the router
 * simulator, the models of routers and the deadlock proof know about a network.
 *
 * Inputs and outputs are numbered over the whole network, router by router: router r has the inputs
 * input_first[r] .. input_first[r + 1] - 1, and outputs in the same way. An output feeds one input
 * of another router or one node; an input is fed by one output or one node.
 *
 * A node is where messages enter and leave. One with several ports counts for each of them, in
 * `nodes` and in all arrays of that length: node_ports.h says which belong together.
 *
 * A route is found in two steps. `begin` fixes what is drawn once for a message: the direction if
 * both are equally short, the order of dimensions, the intermediate node. It is one of `variants`
 * equally likely numbers, so that the simulator can draw one and the proof can enumerate all.
 * `route` then gives, for each router that the header enters, the outputs and virtual channels it
 * may take: its *candidates* (fc_route_candidate). */
#ifndef FC_NETWORK_ROUTER_NETWORK_H
#define FC_NETWORK_ROUTER_NETWORK_H

#include "base/status.h"
#include "scenario/scenario.h"
#include "scenario/routed.h"

#define FC_TO_NODE 0x80000000u /* in output_end and input_begin: the rest is a node's number */

/* Where the header of a message may go next. The first `preferred` are equivalent; those after
 * them (escape channels) are taken only if none of the first is free. If there are escape channels,
 * a channel of the preferred ones may be granted only while its buffer is empty and no message
 * holds it: a header queued behind another message could no longer take its escape channel, and the
 * deadlock proof would not hold. */
typedef struct fc_route_candidate {
    uint32_t output;
    uint64_t channels; /* mask of virtual channels of that output's link */
} fc_route_candidate;
enum { FC_CANDIDATES_MAX = 64 };
typedef struct fc_route_candidates {
    uint32_t count, preferred;
    fc_route_candidate list[FC_CANDIDATES_MAX];
} fc_route_candidates;

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
    uint64_t channels;        /* of that link: those it may take */
    uint32_t weight;          /* its length, as comparisons count it */
    uint32_t choice, state;   /* of the course, if it is chosen */
} fc_alternative;
enum { FC_ALTERNATIVES_MAX = 2 };

/* The output that a route takes out of a router: `first` + variant / divisor % count, where the
 * variant is what was drawn for the message. count 1: it is the same for all. */
typedef struct fc_towards {
    uint32_t first, divisor, count;
} fc_towards;

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
    struct fc_ports *ports;             /* node_ports.h; NULL: every node has one */
    uint8_t *absent; /* nodes: 1: failures have cut it off, and it sends and receives nothing; NULL:
                        none is */
    struct fc_failures *failures; /* what has failed (router_faults.h); NULL: nothing */
    uint32_t virtual_channels;
    uint32_t most_candidates; /* of a header; 0: two for each output of its router */
    bool escapes_alike;       /* headers ask for escape channels together with the others, and these
                                 need not be empty: see network.routing: min-adapt */
    bool source_matters;      /* route uses course->source; else only choice and state */
    bool nodes_alike;         /* route distinguishes the nodes of a router only at that router */
    /* Like route, but instead of begin each step draws: the outputs it gives are equally likely.
     * For models, which then need not follow every variant. NULL: there is no such form. */
    void (*route_drawing)(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates);
    /* If the network looks the same from every node: nodes 0, node_stride, 2 node_stride, ...
     * represent all of them, and under uniform traffic links of the same kind (a small number for
     * each output) carry the same load. node_stride 0: it does not. */
    uint32_t node_stride;
    bool only_loads_alike; /* ... but not every other traffic could be turned into such a one */
    uint32_t (*link_kind)(const fc_router_network *network, uint32_t output);
    void *topology; /* private data of the topology */
    void (*release_topology)(void *topology);
    /* The number of variants that begin can draw for this pair, at least 1. NULL: always 1. */
    uint32_t (*variants)(const fc_router_network *network, uint32_t source, uint32_t destination);
    /* Fills choice and state from source and destination and variant < variants. */
    void (*begin)(const fc_router_network *network, uint32_t variant, fc_course *course);
    /* The candidates of a header at `input`, in virtual channel `channel` of it. Called
     * once for each router that the header enters, in order; may change course->state. They may
     * depend on the input, but not on which of the channels allowed there the header was given.
     * Ejection is one candidate whose output feeds the destination, with a mask of ones: the caller
     * chooses the ejection channel. */
    void (*route)(const fc_router_network *network, uint32_t input, uint32_t channel,
                  fc_course *course, fc_route_candidates *candidates);
    /* For engines that keep routes in tables: the output from a router towards a node, if all
     * messages that pass that router take the same one, or one by their variant, and may take all
     * virtual channels of it. Every variant of a pair passes as many routers, and the number of
     * variants is the product of the counts on the path. NULL: routes are not like that. */
    void (*towards)(const fc_router_network *network, uint32_t router, uint32_t destination,
                    fc_towards *towards);
    /* For models of large networks, if a header's next output depends only on its router, on the
     * router it is bound for and on the phase of the link it came over: fills output[phase *
     * routers + router], for headers bound for router `to`. UINT32_MAX: no header comes there.
     * What it gives for `to` itself means nothing. NULL: routes are not like that. */
    void (*outputs_to)(const fc_router_network *network, uint32_t to, uint32_t *output);
    uint32_t phases;       /* with outputs_to, at least 1; a header from a node is in phase 0 */
    bool any_channel;      /* with outputs_to: headers may take every channel of their class */
    uint8_t *output_phase; /* outputs: the phase of a header that came over its link; NULL: 0 */
    /* NULL: routing does not depend on queues. Otherwise: lists the alternatives of a header,
     * before `route` is called for it; returns 0 if there is no choice, and then `route` continues
     * as before. The first alternative is chosen unless its queue times its weight is above that of
     * another plus `bias`. Without a choice, `route` takes the first. */
    uint32_t (*alternatives)(const fc_router_network *network, uint32_t input,
                             const fc_course *course,
                             fc_alternative alternative[FC_ALTERNATIVES_MAX]);
    uint32_t bias;       /* flits */
    bool count_waiting;  /* the queue of an output has the flits that wait for it in the router, too
                          */
    bool channels_apart; /* if both alternatives begin with the same link, each counts the flits in
                            its own channels only */
    bool whole_queue;    /* queues of the whole route count, not only of its first link */
};

/* `route` after alternative number `chosen`, from 0; false if there is no such alternative. */
static inline bool fc_router_route_as(const fc_router_network *network, uint32_t chosen,
                                      uint32_t input, uint32_t channel, fc_course *course,
                                      fc_route_candidates *candidates) {
    fc_alternative alternative[FC_ALTERNATIVES_MAX];
    const uint32_t count =
        network->alternatives ? network->alternatives(network, input, course, alternative) : 0;
    if (chosen >= (count ? count : 1))
        return false;
    if (count) {
        course->choice = alternative[chosen].choice;
        course->state = alternative[chosen].state;
    }
    network->route(network, input, channel, course, candidates);
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

/* The same of the classes of messages that a scenario sends in it, where answers share channels
 * with what they answer. The circle then has the links from nodes too. */
fc_status fc_router_network_prove_answers(const fc_scenario *scenario,
                                          const fc_router_network *network, fc_error *error);

/* Whether a node is the first of its router: those of a router follow its other ports. */
static inline bool fc_router_first_node(const fc_router_network *network, uint32_t node) {
    const uint32_t input = network->node_input[node];
    return input == network->input_first[network->input_router[input]] ||
           !(network->input_begin[input - 1] & FC_TO_NODE);
}

static inline bool fc_router_present(const fc_router_network *network, uint32_t node) {
    return !network->absent || !network->absent[node];
}

/* Whether paths from and to a node stand for those of all nodes of its router. Failures cut off all
 * nodes of a router or none, unless nodes have several ports. */
static inline bool fc_router_stands_for(const fc_router_network *network, uint32_t node) {
    if (!fc_router_present(network, node))
        return false;
    for (uint32_t input = network->node_input[node];
         input > network->input_first[network->input_router[input]] &&
         network->input_begin[input - 1] & FC_TO_NODE;
         --input) {
        if (fc_router_present(network, network->input_begin[input - 1] & ~FC_TO_NODE))
            return false;
    }
    return true;
}

#endif
