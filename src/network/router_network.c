#include "network/router_network.h"

#include <string.h>
#include "base/memory.h"
#include "network/node_ports.h"
#include "network/router_faults.h"
#include "network/router_wiring.h"
#include "scenario/families/routed_rules.h"

/* ---- wiring ---- */

static bool allocate_ports(fc_router_network *made) {
    const uint32_t ports = made->inputs;
    made->input_first = fc_allocate((size_t)made->routers + 1, sizeof *made->input_first);
    made->output_first = fc_allocate((size_t)made->routers + 1, sizeof *made->output_first);
    made->output_end = fc_allocate(ports, sizeof *made->output_end);
    made->output_delay = fc_allocate(ports, sizeof *made->output_delay);
    made->input_begin = fc_allocate(ports, sizeof *made->input_begin);
    made->input_router = fc_allocate(ports, sizeof *made->input_router);
    made->output_router = fc_allocate(ports, sizeof *made->output_router);
    made->node_input = fc_allocate(made->nodes, sizeof *made->node_input);
    made->node_output = fc_allocate(made->nodes, sizeof *made->node_output);
    return made->input_first && made->output_first && made->output_end && made->output_delay &&
           made->input_begin && made->input_router && made->output_router && made->node_input &&
           made->node_output;
}

/* Turns counts of ports, kept one place further on, into the number of each router's first. */
static void sum_up(uint32_t *first, uint32_t routers) {
    for (uint32_t router = 0; router < routers; ++router)
        first[router + 1] += first[router];
}

/* The router that a node sends into, and the one it receives from. */
static uint32_t sends_into(const fc_wiring *wiring, uint32_t node) {
    return wiring->hosts ? node / wiring->hosts : wiring->router_of_node[node];
}

static uint32_t receives_from(const fc_wiring *wiring, uint32_t node) {
    return wiring->router_to_node ? wiring->router_to_node[node] : sends_into(wiring, node);
}

static void count_ports(const fc_wiring *wiring, fc_router_network *made) {
    for (uint32_t i = 0; i < wiring->links; ++i) {
        ++made->output_first[wiring->link[i].from + 1];
        ++made->input_first[wiring->link[i].to + 1];
    }
    for (uint32_t node = 0; node < wiring->nodes; ++node) {
        ++made->input_first[sends_into(wiring, node) + 1];
        ++made->output_first[receives_from(wiring, node) + 1];
    }
    sum_up(made->input_first, made->routers);
    sum_up(made->output_first, made->routers);
}

/* The ports in use so far are counted in the entries of *_first themselves, which end up one
 * router ahead and are moved back. */
static void join_ports(const fc_wiring *wiring, fc_router_network *made) {
    for (uint32_t i = 0; i < wiring->links; ++i) {
        const fc_router_link *link = &wiring->link[i];
        const uint32_t output = made->output_first[link->from]++;
        const uint32_t input = made->input_first[link->to]++;
        made->output_end[output] = input;
        made->output_delay[output] = link->delay;
        made->output_router[output] = link->from;
        made->input_begin[input] = output;
        made->input_router[input] = link->to;
    }
    for (uint32_t node = 0; node < wiring->nodes; ++node) {
        const uint32_t input = made->input_first[sends_into(wiring, node)]++;
        const uint32_t output = made->output_first[receives_from(wiring, node)]++;
        made->input_begin[input] = FC_TO_NODE | node;
        made->input_router[input] = sends_into(wiring, node);
        made->node_input[node] = input;
        made->output_end[output] = FC_TO_NODE | node;
        made->output_delay[output] = wiring->node_delay;
        made->output_router[output] = receives_from(wiring, node);
        made->node_output[node] = output;
    }
    const size_t bytes = (size_t)made->routers * sizeof(uint32_t);
    memmove(made->input_first + 1, made->input_first, bytes);
    memmove(made->output_first + 1, made->output_first, bytes);
    made->input_first[0] = made->output_first[0] = 0;
}

/* Links of one flit per cycle need no table; those to nodes are such. */
static bool set_intervals(const fc_wiring *wiring, fc_router_network *made) {
    const double cycle = 65536;
    bool all_one = true;
    for (uint32_t i = 0; i < wiring->links; ++i)
        all_one = all_one && (wiring->link[i].width == 0 || wiring->link[i].width == 1);
    if (all_one)
        return true;
    made->output_interval = fc_allocate(made->outputs, sizeof *made->output_interval);
    if (!made->output_interval)
        return false;
    for (uint32_t o = 0; o < made->outputs; ++o)
        made->output_interval[o] = (uint64_t)cycle;
    for (uint32_t i = 0, place = 0; i < wiring->links; ++i) {
        const fc_router_link *link = &wiring->link[i];
        place = i && link[-1].from == link->from ? place + 1 : 0;
        if (link->width > 0)
            made->output_interval[made->output_first[link->from] + place] =
                (uint64_t)(cycle / link->width + 0.5);
    }
    return true;
}

fc_status fc_router_network_wire(const fc_wiring *wiring, fc_error *error,
                                 fc_router_network **network) {
    fc_router_network *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->nodes = wiring->nodes;
    made->routers = wiring->routers;
    made->inputs = made->outputs = wiring->links + wiring->nodes;
    made->virtual_channels = wiring->virtual_channels;
    if (!allocate_ports(made)) {
        fc_router_network_free(made);
        return fc_fail_memory(error);
    }
    count_ports(wiring, made);
    join_ports(wiring, made);
    if (!set_intervals(wiring, made)) {
        fc_router_network_free(made);
        return fc_fail_memory(error);
    }
    *network = made;
    return FC_OK;
}

uint16_t *fc_digit_table(uint32_t arity, uint32_t digits) {
    const uint32_t numbers = fc_power(arity, digits);
    uint16_t *table = fc_allocate((size_t)numbers * digits, sizeof *table), *next = table;
    for (uint32_t number = 0; table && number < numbers; ++number) {
        for (uint32_t d = 0, rest = number; d < digits; ++d, rest /= arity)
            *next++ = (uint16_t)(rest % arity);
    }
    return table;
}

void fc_layers_divide(const fc_routed *routed, uint32_t count, fc_layers *layers) {
    const fc_channel_sets sets = layers->sets = fc_channel_sets_of(routed);
    for (uint32_t set = 0; set < sets.count; ++set) {
        uint32_t shift = sets.first[set];
        for (uint32_t layer = 0; layer < count; ++layer) {
            const uint32_t share = (sets.channels[set] + count - 1 - layer) / count;
            layers->mask[set][layer] = (UINT64_MAX >> (64 - share)) << shift;
            shift += share;
        }
    }
}

/* ---- the whole ---- */

static fc_status topology_of(const fc_scenario *scenario, fc_error *error,
                             const fc_router_topology **topology) {
    const fc_family *family = scenario->family;
    const int chosen = *(const int *)((const char *)scenario->parameters + family->topology_offset);
    if (!family->routers)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "a %s is not a network of routers",
                       family->topologies[chosen]);
    *topology = family->routers(scenario->parameters);
    return FC_OK;
}

fc_status fc_router_network_measure(const fc_scenario *scenario, fc_error *error,
                                    fc_router_extent *extent) {
    const fc_router_topology *topology;
    const fc_status status = topology_of(scenario, error, &topology);
    if (status != FC_OK)
        return status;
    const fc_routed *routed = fc_scenario_routed(scenario);
    *extent = (fc_router_extent){.longest_link = (double)routed->link_delay};
    if (routed->widths_differ)
        extent->slowest = 1 / fc_routed_narrowest(routed);
    topology->measure(scenario->parameters, extent);
    if (!(extent->mean_path > 0))
        extent->mean_path = extent->longest_path;
    return FC_OK;
}

fc_status fc_router_network_create(const fc_scenario *scenario, fc_error *error,
                                   fc_router_network **network) {
    const fc_router_topology *topology;
    fc_status status = topology_of(scenario, error, &topology);
    if (status != FC_OK)
        return status;
    const fc_routed *routed = fc_scenario_routed(scenario);
    status = topology->build(scenario, routed, error, network);
    if (status == FC_OK && routed->around)
        status = fc_router_network_break(scenario, topology->grid, error, network);
    if (status != FC_OK || !routed->given)
        return status;
    status = fc_router_network_prove_answers(scenario, *network, error);
    if (status != FC_OK) {
        fc_router_network_free(*network);
        *network = NULL;
    }
    return status;
}

void fc_router_network_free(fc_router_network *network) {
    if (!network)
        return;
    if (network->release_topology)
        network->release_topology(network->topology);
    fc_release(network->input_first);
    fc_release(network->output_first);
    fc_release(network->output_end);
    fc_release(network->output_delay);
    fc_release(network->output_interval);
    fc_release(network->output_phase);
    fc_release(network->input_begin);
    fc_release(network->input_router);
    fc_release(network->output_router);
    fc_release(network->node_input);
    fc_release(network->node_output);
    fc_release(network->absent);
    fc_ports_free(network->ports);
    fc_failures_free(network->failures);
    fc_release(network);
}
