/* Destination patterns that give each node one destination. */
#ifndef FC_NETWORK_PERMUTATIONS_H
#define FC_NETWORK_PERMUTATIONS_H

#include "network/destinations.h"

/* True if the pattern sends each node's messages to one node. Diagonal and asymmetric do without
 * messages to itself. */
bool fc_is_permutation(fc_pattern pattern, bool to_self);

/* Where each node sends, as the pattern says, fixed points included; image has room for all. */
void fc_permutation_images(const fc_destinations *destinations, const fc_traffic_shape *shape,
                           uint32_t *image);

#endif
