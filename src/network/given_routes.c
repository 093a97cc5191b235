#include "network/given_routes.h"

#include "base/memory.h"

void fc_given_routes_clear(fc_given_routes *given) {
    fc_release(given->step);
    fc_release(given->start);
    *given = (fc_given_routes){.step = NULL};
}

/* The output of a router that leads to another, counted from its first. */
static uint16_t port_to(const fc_router_network *network, uint32_t from, uint32_t to) {
    for (uint32_t o = network->output_first[from]; o < network->output_first[from + 1]; ++o) {
        const uint32_t end = network->output_end[o];
        if (!(end & FC_TO_NODE) && network->input_router[end] == to)
            return (uint16_t)(o - network->output_first[from]);
    }
    return FC_NO_PORT;
}

static fc_status fill_routes(const fc_router_network *network, const fc_routes *routes,
                             fc_error *error, fc_given_routes *given) {
    const size_t routers = network->routers;
    if (!routes->route_count)
        return FC_OK;
    given->step = fc_allocate(routes->stop_count, sizeof *given->step);
    given->start = fc_allocate(routers * routers, sizeof *given->start);
    if (!given->step || !given->start)
        return fc_fail_memory(error);
    for (size_t r = 0; r < routes->route_count; ++r) {
        const fc_given_route *route = &routes->routes[r];
        const uint32_t *stop = &routes->stops[route->first];
        uint32_t *start = &given->start[stop[0] * routers + stop[route->count - 1]];
        if (*start)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "%.200s:%u: there is another route from router %u to router %u already",
                           routes->file, route->line, stop[0], stop[route->count - 1]);
        *start = route->first + 1;
        for (uint32_t i = 0; i + 1 < route->count; ++i)
            given->step[route->first + i] = port_to(network, stop[i], stop[i + 1]);
    }
    return FC_OK;
}

static void fill_table(const fc_router_network *network, const fc_routes *routes,
                       fc_graph_routes *table) {
    const size_t pairs = (size_t)network->routers * network->routers;
    for (size_t i = 0; i < pairs; ++i)
        table->port[i] = FC_NO_PORT;
    for (size_t i = 0; i < routes->entry_count; ++i) {
        const fc_route_entry *e = &routes->entries[i];
        table->port[(size_t)e->at * network->routers + e->to] = port_to(network, e->at, e->via);
    }
}

static fc_status follow(const fc_router_network *network, const fc_routes *routes,
                        const fc_graph_routes *table, uint32_t from, uint32_t to, fc_error *error) {
    uint32_t at = from;
    for (uint32_t hops = 0; at != to; ++hops) {
        const uint16_t port = table->port[(size_t)at * network->routers + to];
        if (port == FC_NO_PORT)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "%.200s has no route from router %u to router %u: it does not say where "
                           "router %u sends messages for router %u",
                           routes->file, from, to, at, to);
        if (hops > network->routers)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "%.200s: messages from router %u for router %u go in a circle and never "
                           "arrive; router %u is on their route twice",
                           routes->file, from, to, at);
        at = network->input_router[network->output_end[network->output_first[at] + port]];
    }
    return FC_OK;
}

/* Every pair of routers with nodes has a route, or a path by the table. */
static fc_status check_pairs(const fc_router_network *network, const fc_routes *routes,
                             const fc_graph_routes *table, const fc_given_routes *given,
                             fc_error *error) {
    fc_status status = FC_OK;
    for (uint32_t source = 0; source < network->nodes && status == FC_OK; ++source) {
        if (!fc_router_first_node(network, source))
            continue;
        const uint32_t from = network->input_router[network->node_input[source]];
        for (uint32_t node = 0; node < network->nodes && status == FC_OK; ++node) {
            const uint32_t to = network->output_router[network->node_output[node]];
            if (!fc_router_first_node(network, node) || from == to ||
                (given->start && given->start[(size_t)from * network->routers + to]))
                continue;
            status = follow(network, routes, table, from, to, error);
        }
    }
    return status;
}

fc_status fc_given_routes_create(const fc_router_network *network, const fc_routes *routes,
                                 fc_graph_routes *table, fc_error *error, fc_given_routes *given) {
    *given = (fc_given_routes){.step = NULL};
    fc_status status = fill_routes(network, routes, error, given);
    if (status == FC_OK) {
        fill_table(network, routes, table);
        status = check_pairs(network, routes, table, given, error);
    }
    if (status != FC_OK)
        fc_given_routes_clear(given);
    return status;
}
