/* Multicasts in bounds: what each link carries of them, once, and how long they take alone. */
#ifndef FC_MODELS_ROUTER_MULTICAST_BOUND_H
#define FC_MODELS_ROUTER_MULTICAST_BOUND_H

#include "models/router/router_flows.h"

/* Adds the trees of all multicasts to the loads of links and, a path for each destination, to the
 * paths. */
fc_status fc_multicast_bound_add(const fc_scenario *scenario, fc_router_flows *flows,
                                 fc_error *error);

#endif
