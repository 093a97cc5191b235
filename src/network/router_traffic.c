#include "network/router_traffic.h"

/* Output `slot` of a router, for patterns of neighbours. */
static uint32_t neighbour(const void *context, uint32_t router, uint32_t slot) {
    const fc_router_network *network = context;
    const uint32_t output = network->output_first[router] + slot;
    if (output >= network->output_first[router + 1] || network->output_end[output] & FC_TO_NODE)
        return FC_NO_NODE;
    return network->input_router[network->output_end[output]];
}

static uint32_t most_outputs(const fc_router_network *network) {
    uint32_t most = 0;
    for (uint32_t router = 0; router < network->routers; ++router) {
        const uint32_t outputs = network->output_first[router + 1] - network->output_first[router];
        most = outputs > most ? outputs : most;
    }
    return most;
}

static void shape_torus(const fc_torus *torus, const fc_router_network *network,
                        fc_traffic_shape *shape) {
    shape->routers = network->routers;
    shape->concentration = network->nodes / network->routers;
    shape->hot_node = torus->hot_node >= 0 ? (uint32_t)torus->hot_node : FC_NO_NODE;
    shape->digits = (uint32_t)torus->radix.count;
    for (uint32_t d = 0; d < shape->digits; ++d)
        shape->radix[d] = (uint32_t)torus->radix.values[d];
}

fc_status fc_router_traffic_create(const fc_scenario *scenario, const fc_router_network *network,
                                   fc_error *error, fc_traffic **traffic) {
    fc_traffic_shape shape = {
        .slots = most_outputs(network), .neighbour = neighbour, .network = network};
    shape_torus(scenario->parameters, network, &shape);
    return fc_traffic_create_over(fc_scenario_routed(scenario)->destinations, &shape, error,
                                  traffic);
}
