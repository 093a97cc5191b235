/* A plain implementation of the rules of docs/simulators/router.md: every flit is an object, and
 * every cycle looks at everything. Slow, and meant to be read. */
#ifndef ROUTER_REFERENCE_H
#define ROUTER_REFERENCE_H

#include "network/multicast.h"
#include "network/router_network.h"

typedef struct reference_outcome {
    uint64_t started; /* cycle in which the header left its node */
    uint64_t latency; /* of a multicast: of the last copy */
    uint64_t sum;     /* over all copies */
} reference_outcome;

/* Runs the messages of a trace to the end, or until `limit`; false if some are not delivered then.
 * Routes are drawn as the engine draws them with this seed. */
bool reference_run(const fc_router_network *network, const fc_routed *routed, const fc_trace *trace,
                   uint64_t seed, uint64_t limit, reference_outcome *outcomes);

/* Messages of several classes: each has a queue and slots of its own at the nodes. */
typedef struct reference_classes {
    int count;
    uint64_t channels[FC_CLASSES_MAX]; /* masks */
    int rank[FC_CLASSES_MAX];          /* the lowest goes first */
    const int *of_message;             /* NULL: all are of the first */
    /* NULL: no message is a multicast; else the tree of each, NULL for the others */
    const fc_tree *const *tree;
    const fc_tree_branch *branch;
} reference_classes;

bool reference_run_classes(const fc_router_network *network, const fc_routed *routed,
                           const fc_trace *trace, const reference_classes *classes, uint64_t seed,
                           uint64_t limit, reference_outcome *outcomes);

#endif
