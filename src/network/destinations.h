/* Who sends to whom (traffic.destinations): for simulators as draws, for models as probabilities.
 *
 *   uniform             every other node alike
 *   near-neighbour      a share spread over the neighbours (the nodes at the end of a node's
 *                       channels), the rest uniform over all other nodes
 *   hot-spot            a share to the hot node, the rest uniform; the hot node itself sends
 *                       uniformly
 *   hot-spots           everything to a few nodes, by their weights
 *   matrix              a probability for each pair
 *   transpose           digit d goes to dimension d + n/2 (n even, equal radices); else, with a
 *                       power of four of nodes, the halves of the node number's bits change places
 *   bit-complement      every digit x becomes k-1-x
 *   bit-reverse         the bits of the node number reversed (a power of two of nodes)
 *   shuffle             the bits of the node number rotated left by one (a power of two of nodes)
 *   bit-rotation        the same to the right
 *   tornado             every digit moves ceil(k/2)-1 places up its ring
 *   neighbour           every digit moves one place up its ring
 *   diagonal            a third to the next node number, the rest to itself
 *   asymmetric          from s to s mod N/2 or that + N/2, evenly (N even)
 *   random-permutation  every node to one other, drawn once from a seed of its own
 *
 * Several nodes on a router: patterns of digits and bits act on the router's number, and a node
 * sends to the node at its own place there; the others act on node numbers.
 *
 * Without messages to itself (to_self) a node draws from what is left; a node that a permutation
 * maps to itself sends nothing, nor does one whose matrix row is zero. So diagonal and asymmetric,
 * defined with half or more of the traffic staying at home, become permutations. BookSim, which has
 * these two, means them, and uniform, with messages to itself; its transpose always exchanges
 * bits, which is the same where radices are powers of two and equal. */
#ifndef FC_NETWORK_DESTINATIONS_H
#define FC_NETWORK_DESTINATIONS_H

#include "base/random.h"
#include "network/geometry.h"

/* The numbering that patterns act on. */
typedef struct fc_traffic_shape {
    uint32_t routers;
    uint32_t concentration;      /* nodes of a router; node = router * concentration + place */
    uint32_t digits;             /* of a router's number */
    uint32_t radix[FC_LIST_MAX]; /* of each, least significant first */
    uint32_t hot_node;           /* hot-spot; FC_NO_NODE without */
    /* near-neighbour: the router at the end of output `slot` of a router, FC_NO_NODE if there is
     * none. */
    uint32_t slots;
    uint32_t (*neighbour)(const void *network, uint32_t router, uint32_t slot);
    const void *network;
} fc_traffic_shape;

typedef struct fc_traffic {
    fc_pattern pattern;
    bool to_self;
    double share;
    uint32_t nodes, concentration;
    uint32_t hot_node;         /* FC_NO_NODE without */
    uint32_t senders;          /* nodes that send */
    uint32_t *sender;          /* which; ascending */
    uint32_t *image;           /* permutations: where each node sends; FC_NO_NODE: nowhere */
    uint32_t *neighbour_first; /* near-neighbour: routers + 1, into neighbours */
    uint32_t *neighbours;      /* routers */
    uint32_t hot_count;        /* hot-spots */
    uint32_t *hot;             /* nodes, ascending */
    double *hot_sum;           /* running sums of their weights */
    const double *matrix;      /* matrix: the scenario's, which must outlive this */
    double *cumulative;        /* matrix: running sums of each row */
} fc_traffic;

/* destinations must outlive the traffic, shape need not. */
fc_status fc_traffic_create_over(const fc_destinations *destinations, const fc_traffic_shape *shape,
                                 fc_error *error, fc_traffic **traffic);
/* Of a torus or mesh with one node a router. */
fc_status fc_traffic_create(const fc_torus *torus, const fc_geometry *geometry, fc_error *error,
                            fc_traffic **traffic);
void fc_traffic_free(fc_traffic *traffic);

/* The destination of a message of a node that sends. Draws nothing for permutations. */
uint32_t fc_traffic_draw(const fc_traffic *traffic, fc_random *random, uint32_t source);

/* The probability that a message of `source` is for `to`; 0 for a node that does not send. */
double fc_traffic_share(const fc_traffic *traffic, uint32_t source, uint32_t to);

#endif
