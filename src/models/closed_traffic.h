/* Whether reflections of the network leave unchanged who sends requests to whom. */
#ifndef FC_MODELS_CLOSED_TRAFFIC_H
#define FC_MODELS_CLOSED_TRAFFIC_H

#include "network/destinations.h"

/* True if reflecting any dimension (digit a becomes k-1-a) maps the system onto itself. */
bool fc_closed_reflects(const fc_torus *torus);

#endif
