/* Ways that a file gives (route_file.h), as tables that headers are routed by. */
#ifndef FC_NETWORK_GIVEN_ROUTES_H
#define FC_NETWORK_GIVEN_ROUTES_H

#include "network/graph_routes.h"
#include "scenario/fabric.h"

typedef struct fc_given_routes {
    uint16_t
        *step; /* outputs of routers, counted from their first: whole routes one after another */
    uint32_t *start; /* from * routers + to: where the route of the two begins, plus 1; 0: what the
                        routers do counts. NULL: there are no routes */
} fc_given_routes;

/* Replaces the ports of `table` by what the file says. Fails if it says nothing for a pair of
 * routers with nodes, or if it leads round. */
fc_status fc_given_routes_create(const fc_router_network *network, const fc_routes *routes,
                                 fc_graph_routes *table, fc_error *error, fc_given_routes *given);
void fc_given_routes_clear(fc_given_routes *given);

/* The output that a header takes at a router. `choice` of a course is the position in its route; 0:
 * it has none. */
static inline uint32_t fc_given_output(const fc_given_routes *given, const fc_graph_routes *table,
                                       const fc_router_network *network, uint32_t at, uint32_t to,
                                       fc_course *course) {
    const uint32_t port = course->choice ? given->step[course->choice++ - 1]
                                         : table->port[(size_t)at * table->routers + to];
    return network->output_first[at] + port;
}

#endif
