/* What a network is built of (fc_scenario_counts): each topology counts its own; where it does not
 * know its bisection, that is searched for. */
#include <math.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "network/bisection.h"
#include "network/node_ports.h"
#include "scenario/scenario.h"

enum { LINKS_MOST = 1 << 18 }; /* of a network that is searched: a tenth of a second */

/* A node with several ports is a place of its own between its routers. */
static uint32_t places_of_nodes(const fc_router_network *network, fc_halving_link *links,
                                uint32_t *nodes, size_t *count) {
    const struct fc_ports *ports = network->ports;
    uint32_t places = network->routers;
    for (uint32_t node = 0; node < fc_node_count(network); ++node) {
        const uint32_t first = ports ? ports->first[node] : node;
        const uint32_t end = ports ? ports->first[node + 1] : node + 1;
        if (end == first + 1) {
            ++nodes[network->input_router[network->node_input[first]]];
            continue;
        }
        for (uint32_t port = first; port < end; ++port) {
            const uint32_t router = network->input_router[network->node_input[port]];
            links[(*count)++] = (fc_halving_link){places, router, 1};
            links[(*count)++] = (fc_halving_link){router, places, 1};
        }
        nodes[places++] = 1;
    }
    return places;
}

static uint32_t routers_of(const fc_router_network *network, fc_halving_link *links,
                           uint32_t *nodes, size_t *count) {
    static const double full = 65536; /* of output_interval */
    *count = 0;
    for (uint32_t output = 0; output < network->outputs; ++output) {
        const uint32_t end = network->output_end[output];
        if (end & FC_TO_NODE)
            continue;
        const double interval =
            network->output_interval ? (double)network->output_interval[output] : full;
        links[(*count)++] = (fc_halving_link){network->output_router[output],
                                              network->input_router[end], full / interval};
    }
    return places_of_nodes(network, links, nodes, count);
}

static fc_status search(const fc_scenario *scenario, fc_error *error, fc_counts *counts) {
    fc_router_network *network;
    fc_status status = fc_router_network_create(scenario, error, &network);
    if (status != FC_OK)
        return status;
    fc_halving_link *links = fc_allocate(network->outputs + network->nodes + 1u, sizeof *links);
    uint32_t *nodes = fc_allocate(network->routers + network->nodes + 1u, sizeof *nodes);
    status = links && nodes ? FC_OK : FC_ERROR_MEMORY;
    if (status == FC_OK) {
        fc_halving graph = {.nodes = nodes, .links = links};
        graph.routers = routers_of(network, links, nodes, &graph.link_count);
        status = fc_bisection_search(&graph, &counts->bisection);
        counts->bisection_bound = FC_AT_MOST;
    }
    fc_release(links);
    fc_release(nodes);
    fc_router_network_free(network);
    return status == FC_OK ? FC_OK : fc_fail_memory(error);
}

/* Topologies count links of one flit a cycle. */
static void weigh_widths(const fc_routed *routed, fc_counts *counts) {
    if (!routed || isnan(counts->bisection))
        return;
    if (routed->link_widths.count)
        counts->bisection = NAN; /* links of several widths: searched for */
    else
        counts->bisection *= routed->link_width;
}

fc_status fc_scenario_counts(const fc_scenario *scenario, fc_error *error, fc_counts *counts) {
    FC_IN_C_LOCALE;
    const fc_family *family = scenario->family;
    *counts = (fc_counts){NAN, NAN, NAN, NAN, NAN, FC_EXACT};
    if (family->count)
        family->count(scenario->parameters, counts);
    if (!family->routers)
        return FC_OK;
    family->routers(scenario->parameters)->count(scenario->parameters, counts);
    weigh_widths(fc_scenario_routed(scenario), counts);
    const bool unknown = isnan(counts->bisection) && counts->routers > 1;
    return unknown && 2 * counts->cables <= LINKS_MOST ? search(scenario, error, counts) : FC_OK;
}
