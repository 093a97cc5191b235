/* Failures (network.faults): a network that is wired loses links and routers, and is given paths
 * through what is left.
 *
 * A cable is a link and one back between the same two routers, the first with the first, the second
 * with the second if they are parallel; a link that has none back is a cable by itself. A router
 * that fails takes its links and its nodes with it. What is drawn: the cables, by their routers'
 * numbers, and the routers are put in a random order, and the first of them fail, a share of all
 * there are; so a larger share adds failures to those of a smaller one.
 *
 * Where failures leave several parts, the one with the most nodes stays; the nodes of the others
 * are cut off, with those of failed routers: they send nothing, and nothing is sent to them. A node
 * with several ports has lost those at failed routers; where two such nodes do not meet in any
 * part, the nodes with a port in the one with the most nodes stay. */
#ifndef FC_NETWORK_ROUTER_FAULTS_H
#define FC_NETWORK_ROUTER_FAULTS_H

#include "network/router_network.h"

typedef struct fc_failed_link {
    uint32_t from, to; /* routers */
    bool one_way;      /* the link back is not broken, or there never was one */
} fc_failed_link;

typedef struct fc_failures {
    fc_failed_link *links; /* not those of failed routers */
    uint32_t *routers;
    uint32_t link_count, router_count;
    uint32_t cut_off; /* nodes */
    char text[200];   /* a sentence about all of them, without a full stop */
} fc_failures;

/* Replaces a network that has no paths yet; if it fails, there is none. */
fc_status fc_router_network_break(const fc_scenario *scenario, bool grid, fc_error *error,
                                  fc_router_network **network);
void fc_failures_free(fc_failures *failures);

#endif
