/* Who sends to whom (traffic.destinations): for simulators as draws, for models as probabilities.
 *
 *   uniform         every other node alike
 *   near-neighbour  a share spread over the neighbours (the nodes at the end of a node's channels),
 *                   the rest uniform over all other nodes
 *   hot-spot        a share to the hot node, the rest uniform; the hot node itself sends uniformly
 *   matrix          a probability for each pair
 *   transpose       digit d goes to dimension d + n/2 (n even, equal radices)
 *   bit-complement  every digit x becomes k-1-x
 *   bit-reverse     the bits of the node number reversed (a power of two of nodes)
 *   shuffle         the bits of the node number rotated left by one (a power of two of nodes)
 *   tornado         every digit moves ceil(k/2)-1 places up its ring
 *
 * A node that a permutation maps to itself sends nothing; neither does a node whose matrix row is
 * zero. */
#ifndef FC_NETWORK_DESTINATIONS_H
#define FC_NETWORK_DESTINATIONS_H

#include "base/random.h"
#include "network/geometry.h"

typedef struct fc_traffic {
    const fc_geometry *geometry; /* the caller's; must outlive this */
    fc_pattern pattern;
    double share;
    uint32_t hot_node;    /* FC_NO_NODE without */
    uint32_t senders;     /* nodes that send */
    uint32_t *sender;     /* which; ascending */
    uint32_t *image;      /* permutations: where each node sends; FC_NO_NODE: nowhere */
    uint32_t *neighbours; /* near-neighbour: slots per node, the first neighbour_count[node] */
    uint32_t *neighbour_count;
    const double *matrix; /* matrix: the scenario's, which must outlive this */
    double *cumulative;   /* matrix: running sums of each row */
} fc_traffic;

fc_status fc_traffic_create(const fc_torus *torus, const fc_geometry *geometry, fc_error *error,
                            fc_traffic **traffic);
void fc_traffic_free(fc_traffic *traffic);

/* The destination of a message of a node that sends. Draws nothing for permutations. */
uint32_t fc_traffic_draw(const fc_traffic *traffic, fc_random *random, uint32_t source);

/* The probability of each destination; row has room for all nodes. All zero for a node that does
 * not send. */
void fc_traffic_row(const fc_traffic *traffic, uint32_t source, double *row);

#endif
