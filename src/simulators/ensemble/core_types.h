/* What the builds of the ensemble's core share: plain data without pointers into the rest of the
 * program, so that a GPU can have a copy.
 *
 * The core simulates several networks side by side, the lanes: replications of one scenario, or
 * scenarios that differ in their traffic alone. Numbers of routers, nodes and ports are those of
 * fc_router_network; ports of a router are counted from 0, links first, then nodes.
 *
 * Input channel i of a router is virtual channel i % channels of input i / channels; output
 * channels likewise. Sets of them are masks: a bit for each. A lane's mask is one word. */
#ifndef FC_SIMULATORS_CORE_TYPES_H
#define FC_SIMULATORS_CORE_TYPES_H

#include "base/geometric.h"

enum {
    FC_CORE_LANES = 8,
    FC_CORE_MOST_LANES = 16,
    FC_CUDA_RECORDS = 1024, /* messages of a node under way, on a GPU */
    FC_CORE_AHEAD = 8,      /* messages of a node drawn at once */
    FC_CORE_PLANES = 7,     /* of counters: messages of up to 127 flits */
    FC_CORE_PORTS = 32,
    FC_CORE_ROW = 16, /* words that are moved at once */
    FC_CORE_SORTS = 16,
};
#define FC_CORE_NEVER 0x7fffffffu /* a cycle that does not come */

#ifdef __CUDACC__ /* copied in one piece */
#define FC_CORE_ALIGNED __align__(16)
#else
#define FC_CORE_ALIGNED
#endif

/* The other end of a link. */
typedef struct fc_core_end {
    uint32_t router;
    uint32_t shift; /* first channel of the port there */
} fc_core_end;

/* Of the routers at the ends of a router's links, by output: what rows of words need. */
typedef struct fc_core_ahead {
    uint32_t router[FC_CORE_ROW], shift[FC_CORE_ROW];
} fc_core_ahead;

typedef struct fc_core_router {
    uint32_t links_in, links_out;
    uint32_t senders, receivers; /* nodes that send into it; that receive from it */
    uint32_t first_sender;       /* they follow each other */
    uint64_t link_bits;          /* output channels of links */
    uint64_t node_bits;          /* input channels of nodes */
} fc_core_router;

enum { FC_CORE_HIGH_LOW, FC_CORE_DATELINE, FC_CORE_WRAPPING };
/* Which virtual channels a part of the messages may take (network/channel_rule.h). */
typedef struct fc_core_rule {
    int rule;
    uint32_t shift;
    uint64_t all, lower; /* lower 0: any of all */
} fc_core_rule;

/* Where routes are in tables: the outputs of a router among which a drawn variant decides, and the
 * path from a router where messages begin to a node. */
typedef struct fc_core_fork {
    uint16_t divisor;
    uint8_t first, count; /* output first + variant / divisor % count */
} fc_core_fork;
typedef struct fc_core_journey {
    uint16_t variants;
    uint16_t routers; /* that it passes */
} fc_core_journey;
#define FC_CORE_FORK 0x80u /* in `route`, for an output */

/* Patterns of destinations that are drawn. */
enum { FC_CORE_OTHER, FC_CORE_UNIFORM, FC_CORE_HOT_SPOT, FC_CORE_MATRIX };

/* A message, from the node it begins to leave to its destination. Queues have its number. */
typedef struct FC_CORE_ALIGNED fc_core_header {
    uint32_t born, started;
    uint16_t source, destination;
    uint8_t flits;   /* 0: this record is not in use */
    uint8_t routers; /* that it passes */
    uint16_t choice; /* bit d: dimension d is travelled upwards; FC_CORE_REVERSED. Where routes are
                        in tables: the variant */
} fc_core_header;
#define FC_CORE_REVERSED 0x8000u

/* The input channel's scalar part. */
typedef struct fc_core_channel {
    uint32_t asked;     /* cycle from which the front asks for an output channel, if it waits */
    uint8_t first, end; /* of the messages behind the front; where one is added */
} fc_core_channel;

/* A message as it is drawn. */
typedef struct fc_core_message {
    uint64_t gap; /* trials to the next one */
    uint16_t destination, choice;
    uint8_t flits, routers;
} fc_core_message;

/* Records of messages that are not in use: those given back, on a stack, and those never used. */
typedef struct fc_core_pool {
    uint32_t spare, used;
} fc_core_pool;

/* How far the messages of a node have been drawn. Numbers count from 1. */
typedef struct fc_core_cursor {
    uint64_t due, counted_due; /* trial of message `next`; of message `counted` + 1 */
    uint32_t next;             /* the first message that has not begun to leave */
    uint32_t counted;          /* messages that have been counted as generated */
} fc_core_cursor;

typedef struct fc_core_late { /* a message whose tail is on its way into its node */
    fc_core_header header;
    uint32_t when;
} fc_core_late;

/* Sums since the last sample. */
typedef struct fc_core_tally {
    uint64_t messages, latency, source_wait, routers, flits, flit_routers;
    uint64_t messages_hot, latency_hot;
    uint64_t generated, generated_flits;
    uint64_t hops;     /* from the start: flits over links between routers */
    uint64_t overflow; /* not 0, on a GPU: there were too many messages of a node under way */
} fc_core_tally;

/* Of the messages a node sent, and of the headers that took an output, since the warm-up. */
typedef struct fc_core_node {
    uint64_t messages, latency, source_wait;
} fc_core_node;
typedef struct fc_core_output {
    uint64_t waited;
} fc_core_output;

typedef struct fc_core_plan {
    uint32_t routers, nodes, outputs;
    uint32_t in_ports, out_ports; /* of the router with the most */
    uint32_t channels, buffer, slots;
    uint32_t places; /* headers of an input channel at most */
    /* A word of a queue: from bit 0 a message's number, from these on the output it takes, the kind
     * of virtual channels it may take and, unless that is 0 for want of room, its destination. */
    uint32_t output_shift, kind_shift, destination_shift;
    uint32_t pool;                /* records of messages of a lane */
    uint32_t lates;               /* fc_core_late of a router at most */
    uint32_t ring;                /* cycles remembered of what routers sent; a power of two */
    uint32_t routing, allocation; /* stages, cycles */
    uint32_t flit_delay, credit_delay, node_delay, node_credit_delay, eject_delay;
    uint32_t per_channel; /* each virtual channel has an input of the crossbar; else each input */
    uint64_t ejection;    /* virtual channels into a node */
    uint64_t low_bits;    /* the first channel of every port */
    uint32_t count_planes, left_planes, held_planes;
    /* where the parts of a router's state begin, in masks; `size`: all of it */
    uint32_t at_count, at_left, at_credit, at_held, at_kind, at_last, at_offer, at_want, at_turn,
        at_port_turn, at_fresh, at_given, at_crossed, at_granted, at_node_credit, at_node_left,
        at_slot, at_slot_turn, at_born, at_injected, size;
    /* routing */
    uint32_t dimensions, wraps, bidirectional, rising, o1turn;
    fc_core_rule rule[2];
    uint32_t kinds, kind_planes; /* of headers, by the virtual channels they may take */
    uint8_t kind_channels[4];    /* these, of a link */
    /* traffic */
    uint32_t trial_bits, sorts, hot_node, to_self;
    uint32_t pattern; /* FC_CORE_UNIFORM ...: of draws on a GPU */
    double share;     /* of the hot node */
    uint64_t below[FC_CORE_SORTS];
    uint8_t flits[FC_CORE_SORTS];
    /* tables */
    const fc_core_router *router;
    const fc_core_end *from, *to;  /* routers x in_ports, routers x out_ports */
    const fc_core_ahead *ahead;    /* routers; NULL: some have more than FC_CORE_ROW links */
    const uint64_t *word;          /* routers: digits, as in fc_geometry */
    const uint16_t *digit;         /* routers x dimensions */
    const uint16_t *radix;         /* dimensions */
    const uint8_t *bit_dimension;  /* 64 */
    const uint8_t *direction_port; /* routers x dimensions x 2 */
    const uint8_t *route;     /* routers x nodes: outputs, or FC_CORE_FORK; NULL: found by digits */
    const fc_core_fork *fork; /* routers; NULL: there are none */
    const fc_core_journey *journey; /* routers x nodes; NULL: found by digits */
    const uint32_t *node_router;    /* nodes: the router it sends into */
    const uint8_t *node_port;       /* nodes: output of the router it receives from */
    const uint32_t *output_first;   /* routers: number of its first output */
    const uint32_t *image;          /* nodes: where each sends; NULL: it is drawn */
    const void *traffic;            /* fc_traffic, for draws; not on a GPU */
    const double *cumulative;       /* of FC_CORE_MATRIX: nodes x nodes */
} fc_core_plan;

/* Of one lane. */
typedef struct fc_core_lane {
    uint64_t seed;
    uint32_t replication;
    uint32_t own_laws;
    const fc_geometric *law; /* of the gaps: one, or one for each node */
    uint64_t *histogram;     /* bins as in fc_histogram; NULL: not wanted */
} fc_core_lane;

/* Called for every message delivered; for tests. */
typedef void (*fc_core_observer)(void *context, uint32_t lane, const fc_core_header *header,
                                 uint64_t latency);

enum {
    FC_CORE_MESSAGES,
    FC_CORE_LATENCY,
    FC_CORE_SOURCE_WAIT,
    FC_CORE_ROUTERS,
    FC_CORE_FLITS,
    FC_CORE_FLIT_ROUTERS,
    FC_CORE_SUMS
};

/* All that changes. Masks are of the build's own type. */
typedef struct fc_core {
    const fc_core_plan *plan;
    const fc_core_plan *same_plan; /* for functions that are called: the compiler may know more of
                                      the other one, as long as nobody else sees it */
    void *state;                   /* routers x size */
    void *sent, *left, *injected; /* routers x ring: output channels sent over; input channels left;
                                     the same from nodes */
    fc_core_channel *channel;     /* routers x lanes x input channels */
    uint32_t *front;              /* routers x lanes x input channels: see FRONT_WORD */
    uint32_t *queue;              /* places x routers x lanes x input channels; on a processor it
                                     follows the fronts */
    fc_core_header *record;       /* lanes x pool */
    uint32_t *spare;              /* lanes x pool */
    fc_core_pool *pool;           /* lanes */
    fc_core_cursor *cursor;       /* nodes x lanes */
    fc_core_message *ahead;       /* nodes x lanes x FC_CORE_AHEAD; NULL: none are drawn ahead */
    fc_core_late *late;           /* routers x lanes x lates */
    uint32_t *late_count;         /* routers x lanes */
    fc_core_tally *tally;         /* lanes */
    fc_core_node *node;           /* nodes x lanes */
    fc_core_output *output;       /* outputs x lanes */
    const fc_core_lane *lane;     /* lanes */
    fc_core_observer observer;    /* may be NULL */
    void *observer_context;
    /* What the messages delivered since the last sample add to the tallies, if a build keeps it
     * apart. */
    uint64_t (*sums)[FC_CORE_MOST_LANES];
    uint32_t time;
} fc_core;

#endif
