/* Following all headers through a network: fills the lanes, movements and paths of its flows. */
#ifndef FC_MODELS_ROUTER_WALK_H
#define FC_MODELS_ROUTER_WALK_H

#include "models/router/router_flows.h"

fc_status fc_router_walk(const fc_routed *routed, bool movements, fc_error *error,
                         fc_router_flows *flows);

#endif
