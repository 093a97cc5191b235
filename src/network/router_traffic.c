#include "network/router_traffic.h"

#include <math.h>
#include "base/memory.h"
#include "network/node_ports.h"
#include "network/router_faults.h"

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

static fc_status create_class(const fc_scenario *scenario, const fc_class *class,
                              const fc_router_network *network, fc_error *error,
                              fc_traffic **traffic) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const uint32_t concentration = (uint32_t)routed->concentration;
    if (!class->destinations) {
        *traffic = fc_allocate(1, sizeof **traffic);
        return *traffic ? FC_OK : fc_fail_memory(error);
    }
    const fc_pattern pattern = class->destinations->pattern;
    if (fc_patterns[pattern]->needs_neighbours &&
        fc_node_count(network) != network->routers * concentration)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s needs a network in which every router has nodes",
                       fc_pattern_names[pattern]);
    fc_traffic_shape shape = {.routers = fc_node_count(network) / concentration,
                              .concentration = concentration,
                              .digits = (uint32_t)routed->digits.count,
                              .hot_node =
                                  class->hot_node >= 0 ? (uint32_t) class->hot_node : FC_NO_NODE,
                              .absent = fc_absent_nodes(network),
                              .slots = most_outputs(network),
                              .neighbour = neighbour,
                              .network = network};
    if (shape.hot_node != FC_NO_NODE && shape.absent && shape.absent[shape.hot_node])
        return fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                    "the hot spot, node %u, is cut off (%s)", shape.hot_node,
                                    network->failures->text);
    for (uint32_t d = 0; d < shape.digits; ++d)
        shape.radix[d] = (uint32_t)routed->digits.values[d];
    return fc_traffic_create_over(class->destinations, &shape, error, traffic);
}

fc_status fc_router_traffic_create(const fc_scenario *scenario, const fc_router_network *network,
                                   fc_error *error, fc_traffic **traffic) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_classes classes = fc_classes_of(routed);
    fc_traffic *first = NULL, **end = &first;
    fc_status status = FC_OK;
    for (size_t c = 0; c < classes.count && status == FC_OK; ++c) {
        status = create_class(scenario, &classes.list[c], network, error, end);
        end = status == FC_OK ? &(*end)->next : end;
    }
    if (status == FC_OK)
        *traffic = first;
    else
        fc_traffic_free(first);
    return status;
}

/* ---- mean paths ---- */

static bool equal_links(const fc_router_network *network) {
    uint32_t delay = 0;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        if (delay && network->output_delay[o] != delay)
            return false;
        delay = network->output_delay[o];
    }
    return true;
}

/* The cycles of one variant; *several if it could have taken another path. */
static double follow(const fc_router_network *network, uint32_t source, uint32_t to,
                     uint32_t variant, uint32_t stages, bool *several) {
    fc_course course = {.source = source, .destination = to, .channels = UINT64_MAX};
    uint32_t input = network->node_input[source];
    double cycles = 0;
    network->begin(network, variant, &course);
    for (;;) {
        fc_route_candidates candidates;
        network->route(network, input, 0, &course, &candidates);
        const uint32_t output = candidates.list[0].output;
        *several |= candidates.count > 1;
        if (network->output_end[output] & FC_TO_NODE)
            return cycles;
        cycles += stages + network->output_delay[output];
        input = network->output_end[output];
    }
}

double fc_router_mean_path(const fc_router_network *network, const fc_traffic *traffic,
                           uint32_t stages) {
    const double most = 1 << 18;
    double sum = 0, followed = 0;
    bool several = false;
    if (network->alternatives || network->ports ||
        (double)traffic->senders * (traffic->image ? 1 : network->nodes) > most)
        return (double)NAN;
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t source = traffic->sender[i];
        const uint32_t first = traffic->image ? traffic->image[source] : 0;
        const uint32_t end = traffic->image ? first + 1 : network->nodes;
        for (uint32_t to = first; to < end; ++to) {
            const double share = fc_traffic_share(traffic, source, to);
            if (!(share > 0))
                continue;
            const uint32_t variants =
                network->variants ? network->variants(network, source, to) : 1;
            followed += variants;
            if (followed > most)
                return (double)NAN;
            double cycles = 0;
            for (uint32_t v = 0; v < variants; ++v)
                cycles += follow(network, source, to, v, stages, &several);
            sum += share * cycles / variants;
        }
    }
    return several && !equal_links(network) ? (double)NAN : sum / traffic->senders;
}
