/* What must agree in a fabric, what follows from its parameters, and the descriptor of a topology.
 */
#ifndef FC_SCENARIO_FABRIC_RULES_H
#define FC_SCENARIO_FABRIC_RULES_H

#include "scenario/fabric.h"

/* A topology of the family: one descriptor in its file of src/network/. */
typedef struct fc_fabric_topology {
    const char *const *required; /* keys that it needs; NULL-terminated, NULL: none */
    const char *const *optional; /* keys that it also takes */
    uint32_t routings;           /* mask of FC_ROUTING_BIT(FC_ROUTE_...) */
    int routing;                 /* the default of network.routing */
    /* Checks its parameters, fills in what follows from them (routed.digits, concentration) and
     * counts its nodes. */
    fc_status (*size)(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error);
    /* The layers that messages rise through so that they cannot deadlock: virtual channels that
     * every class of messages needs at least; NULL: 1. */
    uint32_t (*layers)(const fc_fabric *fabric);
    fc_router_topology routers;
} fc_fabric_topology;

#define FC_ROUTING_BIT(routing) (1u << (routing))
enum { /* routings that several topologies share */
       FC_TREE_ROUTINGS = FC_ROUTING_BIT(FC_ROUTE_DESTINATION) | FC_ROUTING_BIT(FC_ROUTE_RANDOM) |
                          FC_ROUTING_BIT(FC_ROUTE_ADAPTIVE),
       FC_QUEUE_ROUTINGS = FC_ROUTING_BIT(FC_ROUTE_UGAL_LOCAL) |
                           FC_ROUTING_BIT(FC_ROUTE_UGAL_GLOBAL) |
                           FC_ROUTING_BIT(FC_ROUTE_PROGRESSIVE),
       FC_GRAPH_ROUTINGS = FC_ROUTING_BIT(FC_ROUTE_MINIMAL) | FC_ROUTING_BIT(FC_ROUTE_UP_DOWN),
       FC_DETOUR_ROUTINGS =
           FC_ROUTING_BIT(FC_ROUTE_MINIMAL) | FC_ROUTING_BIT(FC_ROUTE_VALIANT) | FC_QUEUE_ROUTINGS,
};

#define FC_FABRIC_DECLARE(id, symbol, word) extern const fc_fabric_topology fc_fabric_##symbol;
FC_FABRIC_LIST(FC_FABRIC_DECLARE)
#undef FC_FABRIC_DECLARE

extern const fc_fabric_topology *const fc_fabric_topologies[FC_FABRIC_TOPOLOGIES];
extern const char *const fc_fabric_names[];    /* of network.topology; NULL-terminated */
extern const char *const fc_fabric_routings[]; /* of network.routing */

/* A key that no topology lists is optional in all. */
fc_key_use fc_fabric_use(int topology, const char *path);
fc_status fc_fabric_finish(const fc_scenario *scenario, void *parameters, fc_error *error);
void fc_fabric_measure(const fc_fabric *fabric, fc_router_extent *extent);
uint32_t fc_fabric_layers(const fc_fabric *fabric);

/* `size` of topologies with arity ^ levels nodes. */
fc_status fc_fabric_size_tree(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                              fc_error *error);

#endif
