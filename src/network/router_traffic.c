#include "network/router_traffic.h"

#include "scenario/fabric.h"

static uint32_t hot_node_of(int64_t node) {
    return node >= 0 ? (uint32_t)node : FC_NO_NODE;
}

/* The router that an output of a router leads to. */
static uint32_t neighbour(const void *context, uint32_t router, uint32_t slot) {
    const fc_router_network *network = context;
    const uint32_t output = network->output_first[router] + slot;
    if (output >= network->output_first[router + 1] || network->output_end[output] & FC_TO_NODE)
        return FC_NO_NODE;
    return network->input_router[network->output_end[output]];
}

static fc_traffic_shape shape_torus(const fc_torus *torus, const fc_router_network *network) {
    fc_traffic_shape shape = {.routers = network->routers,
                              .concentration = network->nodes / network->routers,
                              .digits = (uint32_t)torus->radix.count,
                              .hot_node = hot_node_of(torus->hot_node),
                              .slots = 2 * (uint32_t)torus->radix.count,
                              .neighbour = neighbour,
                              .network = network};
    for (uint32_t d = 0; d < shape.digits; ++d)
        shape.radix[d] = (uint32_t)torus->radix.values[d];
    return shape;
}

/* Patterns act on the number of the node: routers between nodes have none. */
static fc_traffic_shape shape_fabric(const fc_fabric *fabric, const fc_router_network *network) {
    fc_traffic_shape shape = {.routers = network->nodes,
                              .concentration = 1,
                              .digits = (uint32_t)fabric->routed.digits.count,
                              .hot_node = hot_node_of(fabric->hot_node)};
    for (uint32_t d = 0; d < shape.digits; ++d)
        shape.radix[d] = (uint32_t)fabric->routed.digits.values[d];
    return shape;
}

fc_status fc_router_traffic_create(const fc_scenario *scenario, const fc_router_network *network,
                                   fc_error *error, fc_traffic **traffic) {
    const fc_destinations *destinations = fc_scenario_routed(scenario)->destinations;
    const bool torus = scenario->family == &fc_torus_family;
    if (destinations->pattern == FC_NEAR_NEIGHBOUR && !torus)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "near-neighbour needs a torus or mesh, where neighbours have nodes");
    const fc_traffic_shape shape = torus ? shape_torus(scenario->parameters, network)
                                         : shape_fabric(scenario->parameters, network);
    return fc_traffic_create_over(destinations, &shape, error, traffic);
}
