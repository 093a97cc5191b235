/* Who sends requests to whom in a closed system, and which reflections of the network leave that
 * unchanged. */
#ifndef FC_MODELS_CLOSED_TRAFFIC_H
#define FC_MODELS_CLOSED_TRAFFIC_H

#include "scenario/torus.h"

/* F_sd: share of the requests of node `from` that go to node `to`; 0 for a node and itself. The
 * pattern is uniform, near-neighbour, hot-spot or a matrix. */
double fc_closed_share(const fc_torus *torus, int64_t from, int64_t to);

/* True if reflecting any dimension (digit a becomes k-1-a) maps the system onto itself. */
bool fc_closed_reflects(const fc_torus *torus);

#endif
