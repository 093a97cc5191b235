#include "network/router_traffic.h"

/* The router that an output of a router leads to. */
static uint32_t neighbour(const void *context, uint32_t router, uint32_t slot) {
    const fc_router_network *network = context;
    const uint32_t output = network->output_first[router] + slot;
    if (output >= network->output_first[router + 1] || network->output_end[output] & FC_TO_NODE)
        return FC_NO_NODE;
    return network->input_router[network->output_end[output]];
}

static uint32_t most_outputs(const fc_router_network *network) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        const uint32_t outputs = network->output_first[r + 1] - network->output_first[r];
        most = outputs > most ? outputs : most;
    }
    return most;
}

fc_status fc_router_traffic_create(const fc_scenario *scenario, const fc_router_network *network,
                                   fc_error *error, fc_traffic **traffic) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const uint32_t concentration = (uint32_t)routed->concentration;
    const fc_pattern pattern = routed->destinations->pattern;
    if (fc_patterns[pattern]->needs_neighbours &&
        network->nodes != network->routers * concentration)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s needs a network in which every router has nodes",
                       fc_pattern_names[pattern]);
    fc_traffic_shape shape = {.routers = network->nodes / concentration,
                              .concentration = concentration,
                              .digits = (uint32_t)routed->digits.count,
                              .hot_node =
                                  routed->hot_node >= 0 ? (uint32_t)routed->hot_node : FC_NO_NODE,
                              .slots = most_outputs(network),
                              .neighbour = neighbour,
                              .network = network};
    for (uint32_t d = 0; d < shape.digits; ++d)
        shape.radix[d] = (uint32_t)routed->digits.values[d];
    return fc_traffic_create_over(routed->destinations, &shape, error, traffic);
}
