/* Who crosses what where the routes to a router form a tree: the output of a header depends only on
 * where it is and where it goes (fc_router_network.outputs_to). What the headers of
 * router_headers.h give link by link, these give by one sum over the routers for each destination,
 * a hundred million of which take a second or two: graphs of 10,000 routers are within reach. */
#ifndef FC_MODELS_ROUTER_TREES_H
#define FC_MODELS_ROUTER_TREES_H

#include "models/router/router_flows.h"

typedef struct fc_router_trees {
    const fc_routed *routed;
    fc_router_flows *flows;
    bool movements; /* crossings are told apart by input; otherwise one row for all inputs */
    size_t kind;
    /* Messages per cycle at traffic.rate = 1, of the current kind. From input i to output o of its
     * router: crossed[row[i] + o]; row[i] may have wrapped around below 0. */
    size_t *row;
    double *crossed;
    size_t crossings;
    double *sent; /* nodes */

    uint32_t *senders; /* routers: their nodes */
    uint32_t present;  /* all of them together */
    uint32_t *after;   /* outputs: the position of a header that took it */
    uint32_t *output;  /* positions (phase x router): the next output; then, for one destination: */
    uint32_t *mark;    /* how far the search is; see router_trees.c */
    uint32_t *stack;   /* positions on the path being followed */
    uint32_t *order;   /* positions passed, each behind the one that follows it on its path */
    uint32_t *path;    /* positions: index in flows->paths of the path from there */
    double *start;     /* positions: messages that begin there */
    double *flow;      /* positions: messages that pass */
    uint32_t *hop_kind; /* outputs: links of one delay and width are of one kind */
    uint32_t hop_kinds;
    uint32_t *longer; /* paths x hop kinds: 1 + the path with that link before it; 0: not known */
    size_t longer_room;
    fc_path_link *hops;    /* of one path */
    fc_path_link last_hop; /* into the nodes of the destination */
} fc_router_trees;

/* Whether all routes of the network are trees, and what is asked for can be found from them. */
bool fc_router_trees_cover(const fc_router_flows *flows, bool movements);
/* To be released after a failure too. */
fc_status fc_router_trees_prepare(const fc_routed *routed, fc_router_flows *flows, bool movements,
                                  fc_error *error, fc_router_trees *trees);
/* Fills `crossed` and `sent` with the messages of kind `kind`, and adds their paths to the flows.
 */
fc_status fc_router_trees_add(fc_router_trees *trees, size_t kind, fc_error *error);
void fc_router_trees_release(fc_router_trees *trees);

#endif
