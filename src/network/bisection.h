/* How much a network carries from one half of its nodes to the other: the least over all halvings,
 * in flits per cycle, in one direction.
 *
 * The halves differ by as little as whole routers allow; links between nodes and routers are not
 * cut. For products of lines, rings and complete graphs the minimum is known (Nakano 1993; Aroca
 * and Fernandez Anta 2014) or bounded by their eigenvalues; for any other network it is searched
 * for, and what is found bounds it from above. */
#ifndef FC_NETWORK_BISECTION_H
#define FC_NETWORK_BISECTION_H

#include "network/router_network.h"

/* The least cut of lines (a mesh) of these sides; a torus has twice as much. */
double fc_bisection_of_lines(const int64_t *sides, size_t count);
/* The same of complete graphs with so many parallel links between two routers, along each
 * dimension. *exact: it is proven; else a bound from above. */
double fc_bisection_of_cliques(const int64_t *sides, const int64_t *trunks, size_t count,
                               bool *exact);

/* A graph to halve: links in both directions. */
typedef struct fc_halving_link {
    uint32_t from, to;
    double width; /* flits per cycle */
} fc_halving_link;
typedef struct fc_halving {
    uint32_t routers;
    const uint32_t *nodes; /* of each router */
    const fc_halving_link *links;
    size_t link_count;
} fc_halving;
/* By the moves of Fiduccia and Mattheyses from several halvings; the same for the same graph. *cut
 * NaN: there is only one router with nodes. */
fc_status fc_bisection_search(const fc_halving *graph, double *cut);

#endif
