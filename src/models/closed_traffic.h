/* Who sends requests to whom in a closed system, and whether reflections of the network leave that
 * unchanged. */
#ifndef FC_MODELS_CLOSED_TRAFFIC_H
#define FC_MODELS_CLOSED_TRAFFIC_H

#include "network/destinations.h"

/* F_sd: share of the requests of one node that go to another; 0 for a node and itself. */
double fc_closed_share(const fc_traffic *traffic, uint32_t from, uint32_t to);

/* True if reflecting any dimension (digit a becomes k-1-a) maps the system onto itself. */
bool fc_closed_reflects(const fc_torus *torus);

#endif
