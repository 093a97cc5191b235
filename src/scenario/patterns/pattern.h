/* Patterns of destinations (traffic.destinations): each is one descriptor that says how its value
 * is read and written, which networks it fits, and who sends to whom. Simulators ask it for draws,
 * models for probabilities. A new pattern is a file in this folder and a line in FC_PATTERN_LIST
 * (traffic.h).
 *
 * Several nodes on a router: patterns of digits and bits act on the router's number, and a node
 * sends to the node at its own place there; the others act on node numbers.
 *
 * Without messages to itself (traffic.self_messages) a node draws from what is left; a node that a
 * permutation maps to itself sends nothing, nor does one whose matrix row is zero. */
#ifndef FC_SCENARIO_PATTERN_H
#define FC_SCENARIO_PATTERN_H

#include "base/random.h"
#include "scenario/routed.h"

/* The numbering that patterns act on. */
typedef struct fc_traffic_shape {
    uint32_t routers;
    uint32_t concentration;      /* nodes of a router; node = router * concentration + place */
    uint32_t digits;             /* of a router's number */
    uint32_t radix[FC_LIST_MAX]; /* of each, least significant first */
    uint32_t hot_node;           /* hot-spot; FC_NO_NODE without */
    const uint8_t *absent;       /* nodes: 1: it takes no part; NULL: all do */
    /* near-neighbour: the router at the end of output `slot` of a router, FC_NO_NODE if there is
     * none. */
    uint32_t slots;
    uint32_t (*neighbour)(const void *network, uint32_t router, uint32_t slot);
    const void *network;
} fc_traffic_shape;

typedef struct fc_traffic fc_traffic;
struct fc_traffic {
    const fc_pattern_info *pattern; /* NULL: answers, which go back to the node that began */
    bool to_self;
    double share;
    uint32_t nodes, concentration;
    uint32_t hot_node; /* FC_NO_NODE without */
    uint32_t senders;  /* nodes that send */
    uint32_t *sender;  /* which; ascending */
    uint32_t *image;   /* permutations: where each node sends; FC_NO_NODE: nowhere */
    /* Where nodes take no part, what would be for them is for the others, in proportion. */
    const uint8_t *absent; /* as in the shape, which must outlive this */
    double *present;       /* nodes: the share of its messages that the pattern has for the others;
                              not of permutations; NULL: all take part */
    /* tables of single patterns */
    uint32_t *neighbour_first; /* near-neighbour: routers + 1, into neighbours */
    uint32_t *neighbours;      /* routers */
    uint32_t hot_count;        /* hot-spots */
    uint32_t *hot;             /* nodes, ascending */
    double *hot_sum;           /* running sums of their weights */
    uint32_t group_nodes;      /* next-group */
    const double *matrix;      /* matrix: the scenario's, which must outlive this */
    double *cumulative;        /* matrix: running sums of each row */
    fc_traffic *next;          /* of the next class of messages (fc_classes_of); NULL: the last */
};

struct fc_pattern_info {
    /* ---- in a scenario: NULL if the pattern is a word alone ---- */
    const char *example; /* with its value */
    fc_status (*read)(const fc_document *document, const fc_value *value,
                      fc_destinations *destinations, fc_error *error);
    void (*write)(const fc_destinations *destinations, FILE *stream); /* the value, as YAML */

    /* ---- in a network; each may be NULL ---- */
    bool needs_neighbours; /* makes sense only where every router has nodes */
    /* NULL if the pattern fits the network's shape; else why not, as a part of a sentence. */
    const char *(*misfit)(const fc_routed *routed);
    /* Completes what depends on the network's size. hot_node: -1 on entry. */
    fc_status (*finish)(const fc_scenario *scenario, const fc_routed *routed,
                        fc_destinations *destinations, fc_error *error, int64_t *hot_node);

    bool uneven; /* some nodes may receive much more than others */

    /* ---- who sends to whom: map, or draw and share ---- */
    /* A permutation: where each node sends, fixed points included. A pattern that has draw as well
     * is a permutation only without messages to itself. */
    void (*map)(const fc_destinations *destinations, const fc_traffic_shape *shape,
                uint32_t *image);
    /* Makes the tables that the next three need; false: out of memory. NULL: none. */
    bool (*prepare)(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *traffic);
    bool (*sends)(const fc_traffic *traffic, uint32_t node); /* NULL: every node does */
    /* The destination of a message of a node that sends. */
    uint32_t (*draw)(const fc_traffic *traffic, fc_random *random, uint32_t source);
    /* The probability that a message of `source` is for `to`. */
    double (*share)(const fc_traffic *traffic, uint32_t source, uint32_t to);
};

/* True if the pattern sends each node's messages to one node. */
bool fc_is_permutation(fc_pattern pattern, bool to_self);

/* ---- what several patterns use ---- */

/* Any node alike, the source itself only if nodes send to themselves. */
uint32_t fc_draw_any(const fc_traffic *traffic, fc_random *random, uint32_t source);
double fc_share_any(const fc_traffic *traffic, uint32_t source, uint32_t to);
/* The first place whose running sum is above the draw. */
uint32_t fc_find_above(const double *sums, uint32_t count, double draw);

#endif
