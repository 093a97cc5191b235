/* A torus or mesh as those who work on it see it: its geometry and who sends to whom in it. Nothing
 * of it changes once it is made, so that the replications of a run share one. */
#ifndef FC_NETWORK_TORUS_NETWORK_H
#define FC_NETWORK_TORUS_NETWORK_H

#include "network/destinations.h"
#include "network/geometry.h"

typedef struct fc_torus_network {
    const fc_torus *torus;
    fc_geometry *geometry;
    fc_traffic *traffic;
    double mean_hops; /* of a message drawn; NaN: too many pairs of nodes to count them */
} fc_torus_network;

/* torus must outlive the network. */
fc_status fc_torus_network_create(const fc_torus *torus, fc_error *error,
                                  fc_torus_network **network);
void fc_torus_network_free(fc_torus_network *network); /* accepts NULL */

#endif
