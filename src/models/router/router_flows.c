#include "models/router/router_flows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "models/router/multicast_bound.h"
#include "models/router/router_classes.h"
#include "models/router/router_walk.h"
#include "network/node_ports.h"

/* ---- creation ---- */

/* Ticks of a router, in cycles: what leaves it waits for the end of the cycle. */
static double cycles_of(const fc_routed *routed, int64_t ticks) {
    return routed->internal_speedup > 1 ? ceil((double)ticks / routed->internal_speedup)
                                        : (double)ticks;
}

static double loop_of(const fc_routed *routed, fc_link_kind kind, uint32_t delay) {
    const int64_t *stage = routed->router_delay;
    const double sa = cycles_of(routed, stage[FC_STAGE_SWITCH]);
    const double node = (double)routed->node_delay;
    if (kind == FC_INJECTION_LINK)
        return node + (sa + node - 1 > 1 ? sa + node - 1 : 1);
    return sa + cycles_of(routed, stage[FC_STAGE_SWITCH] + stage[FC_STAGE_CROSSING]) +
           2 * (double)delay + (double)routed->credit_delay;
}

fc_path_link fc_flow_link_of(const fc_router_network *network, uint32_t output) {
    return (fc_path_link){network->output_delay[output],
                          network->output_interval ? (uint32_t)network->output_interval[output]
                                                   : 0};
}

static fc_flow_link make_link(const fc_routed *routed, fc_link_kind kind, uint32_t port,
                              fc_path_link hop) {
    return (fc_flow_link){.kind = kind,
                          .port = port,
                          .delay = hop.delay,
                          .pace = hop.interval ? ldexp(hop.interval, -FC_LINK_BITS) : 1,
                          .loop = loop_of(routed, kind, hop.delay)};
}

/* ---- merging ---- */

/* Nodes from which links are merged: where each kind has as many links as there are nodes, and
 * where kinds differ in that; kinds of links. */
enum { MERGED_FROM = 1024, MERGED_UNEQUAL_FROM = 4096, KINDS_MAX = 256 };

static bool merges(const fc_routed *routed, const fc_router_flows *flows) {
    return flows->network->node_stride && flows->network->nodes >= MERGED_FROM &&
           fc_flow_nodes_alike(routed, flows->network);
}

/* Numbers the kinds of links; 0 if they are not merged. */
static uint32_t number_kinds(const fc_router_network *network, uint32_t *link_of) {
    uint32_t number[KINDS_MAX], members[KINDS_MAX] = {0}, count = 0;
    memset(number, 0xff, sizeof number);
    for (uint32_t o = 0; o < network->outputs; ++o) {
        const uint32_t kind = network->link_kind(network, o);
        if (kind >= KINDS_MAX)
            return 0;
        if (number[kind] == UINT32_MAX)
            number[kind] = count++;
        link_of[o] = number[kind];
        ++members[number[kind]];
    }
    for (uint32_t k = 0; k < count; ++k) {
        if (members[k] != network->nodes && network->nodes < MERGED_UNEQUAL_FROM)
            return 0;
    }
    for (uint32_t n = 0; n < network->nodes; ++n)
        link_of[network->outputs + n] = count;
    return count + 1;
}

/* Nodes that share a router and send alike: the turns between their links are as many as the square
 * of their number. */
static bool groups(const fc_routed *routed, const fc_router_flows *flows) {
    static const double turns_most = 1e5, nodes_least = 16; /* of a router, in the mean */
    const fc_router_network *network = flows->network;
    double turns = 0;
    if (!network->nodes_alike || network->source_matters || !fc_flow_nodes_alike(routed, network) ||
        network->absent)
        return false;
    for (uint32_t r = 0, o = 0; r < network->routers; ++r) {
        double nodes = 0;
        for (; o < network->output_first[r + 1]; ++o)
            nodes += (network->output_end[o] & FC_TO_NODE) != 0;
        turns += nodes * nodes;
    }
    return turns > turns_most && network->nodes >= nodes_least * network->routers;
}

/* Numbers links, where all nodes of a router have one link in and one out; returns their number. */
static uint32_t number_groups(const fc_router_network *network, uint32_t *link_of) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        uint32_t nodes = 0;
        for (uint32_t o = network->output_first[r]; o < network->output_first[r + 1]; ++o) {
            const uint32_t end = network->output_end[o];
            const bool node = end & FC_TO_NODE;
            if (node && nodes++ > 0) {
                link_of[o] = count - 2;
                link_of[network->outputs + (end & ~FC_TO_NODE)] = count - 1;
                continue;
            }
            link_of[o] = count++;
            if (node)
                link_of[network->outputs + (end & ~FC_TO_NODE)] = count++;
        }
    }
    return count;
}

static void number_links(const fc_routed *routed, fc_router_flows *flows) {
    const fc_router_network *network = flows->network;
    flows->link_count = merges(routed, flows) ? number_kinds(network, flows->link_of) : 0;
    if (!flows->link_count && groups(routed, flows)) {
        flows->grouped = true;
        flows->link_count = number_groups(network, flows->link_of);
    }
    if (flows->link_count)
        return;
    flows->link_count = network->outputs + network->nodes;
    for (uint32_t i = 0; i < flows->link_count; ++i)
        flows->link_of[i] = i;
}

static fc_status list_links(const fc_routed *routed, fc_error *error, fc_router_flows *flows) {
    const fc_router_network *network = flows->network;
    const uint32_t ports = network->outputs + network->nodes;
    flows->links = fc_allocate(ports, sizeof *flows->links);
    flows->link_of = fc_allocate(ports, sizeof *flows->link_of);
    if (!flows->links || !flows->link_of)
        return fc_fail_memory(error);
    number_links(routed, flows);
    for (uint32_t n = network->nodes; n-- > 0;) /* the first of a kind is named */
        flows->links[flows->link_of[network->outputs + n]] = make_link(
            routed, FC_INJECTION_LINK, n, (fc_path_link){(uint32_t)routed->node_delay, 0});
    for (uint32_t o = network->outputs; o-- > 0;) {
        const bool ejection = network->output_end[o] & FC_TO_NODE;
        flows->links[flows->link_of[o]] = make_link(
            routed, ejection ? FC_EJECTION_LINK : FC_ROUTER_LINK, o, fc_flow_link_of(network, o));
    }
    for (uint32_t i = 0; i < ports; ++i) {
        fc_flow_link *link = &flows->links[flows->link_of[i]];
        ++link->members;
        flows->multiple = fmax(flows->multiple, link->members);
    }
    return FC_OK;
}

static fc_status list_paths(const fc_routed *routed, fc_error *error, fc_router_flows *flows) {
    bool equal = true;
    const fc_flow_link *first = NULL;
    uint32_t longest = 0;
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        const fc_flow_link *link = &flows->links[i];
        if (link->kind != FC_ROUTER_LINK)
            continue;
        first = first ? first : link;
        equal = equal && link->delay == first->delay && link->pace == first->pace;
        longest = link->delay > longest ? link->delay : longest;
    }
    return fc_paths_create(routed, &flows->kinds, equal, longest, error, &flows->paths);
}

/* Sums over lanes, once all of them are known. */
static void sum_up(fc_router_flows *flows) {
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        fc_flow_link *link = &flows->links[flows->lanes[l].link];
        link->rate += flows->lanes[l].rate;
        link->flits += flows->lanes[l].flits;
        if (link->kind == FC_INJECTION_LINK)
            flows->rate += link->members * flows->lanes[l].rate;
    }
}

fc_status fc_router_flows_create(const fc_scenario *scenario, bool movements, fc_error *error,
                                 fc_router_flows **flows) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_flows *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->multiple = made->direct = 1;
    made->cancel = scenario->cancel;
    made->kinds = fc_message_kinds_of(routed);
    fc_status status = fc_router_network_create(scenario, error, &made->network);
    if (status == FC_OK)
        status = fc_router_traffic_create(scenario, made->network, error, &made->traffic);
    if (status == FC_OK)
        status = fc_class_flows_create(routed, made, error);
    if (status == FC_OK)
        status = list_links(routed, error, made);
    if (status == FC_OK)
        status = list_paths(routed, error, made);
    if (status == FC_OK)
        status = fc_router_walk(routed, movements, error, made);
    if (status != FC_OK) {
        fc_router_flows_free(made);
        return status;
    }
    made->senders = made->traffic->senders;
    sum_up(made);
    status = fc_multicast_bound_add(scenario, made, error);
    if (status != FC_OK) {
        fc_router_flows_free(made);
        return status;
    }
    made->rate += made->multicasts;
    *flows = made;
    return FC_OK;
}

fc_status fc_router_flows_split(const fc_routed *routed, const double *weights, fc_error *error,
                                fc_router_flows *flows) {
    fc_paths_free(flows->paths);
    fc_release(flows->lanes);
    fc_release(flows->movements);
    flows->paths = NULL;
    flows->lanes = NULL;
    flows->movements = NULL;
    flows->lane_count = flows->movement_count = 0;
    flows->rate = 0;
    flows->escapes = 0;
    for (uint32_t i = 0; i < flows->link_count; ++i)
        flows->links[i].rate = flows->links[i].flits = 0;
    if (weights && !flows->weights)
        flows->weights = fc_allocate(flows->link_count, sizeof *flows->weights);
    if (weights && !flows->weights)
        return fc_fail_memory(error);
    if (weights)
        memcpy(flows->weights, weights, flows->link_count * sizeof *weights);
    fc_status status = list_paths(routed, error, flows);
    if (status == FC_OK)
        status = fc_router_walk(routed, true, error, flows);
    if (status == FC_OK)
        sum_up(flows);
    return status;
}

void fc_router_flows_free(fc_router_flows *flows) {
    if (!flows)
        return;
    fc_class_flows_free(flows);
    fc_release(flows->weights);
    fc_paths_free(flows->paths);
    fc_traffic_free(flows->traffic);
    fc_router_network_free(flows->network);
    fc_release(flows->links);
    fc_release(flows->link_of);
    fc_release(flows->lanes);
    fc_release(flows->movements);
    fc_release(flows);
}

/* ---- asking ---- */

bool fc_flow_nodes_alike(const fc_routed *routed, const fc_router_network *network) {
    return !routed->given && !network->ports && routed->destinations->pattern == FC_UNIFORM &&
           !routed->destinations->weights;
}

double fc_node_rate(const fc_routed *routed, const fc_router_flows *flows, size_t kind,
                    uint32_t source, uint32_t destination) {
    if (flows->kind_rate[kind])
        return flows->kind_rate[kind][(size_t)source * fc_node_count(flows->network) + destination];
    const double *weights = routed->destinations->weights;
    const uint32_t asks = kind ? destination : source, answers = kind ? source : destination;
    return fc_traffic_share(flows->traffic, asks, answers) * (weights ? weights[asks] : 1);
}

double fc_flow_rate(const fc_routed *routed, const fc_router_flows *flows, size_t kind,
                    uint32_t source, uint32_t destination) {
    const fc_router_network *network = flows->network;
    const double rate = fc_node_rate(routed, flows, kind, fc_node_of(network, source),
                                     fc_node_of(network, destination));
    return network->ports && rate > 0 ? rate * fc_ports_share(network, source, destination) : rate;
}

void fc_flow_link_name(const fc_router_flows *flows, uint32_t link, size_t size, char *text) {
    const fc_flow_link *named = &flows->links[link];
    const fc_router_network *network = flows->network;
    const uint32_t end = named->kind == FC_INJECTION_LINK
                             ? named->port
                             : network->output_end[named->port] & ~FC_TO_NODE;
    char node[FC_NAME_SIZE];
    if (named->kind != FC_ROUTER_LINK)
        fc_end_name(network, end, sizeof node, node);
    if (named->kind == FC_INJECTION_LINK)
        snprintf(text, size, "link from node %s into its router", node);
    else if (named->kind == FC_EJECTION_LINK)
        snprintf(text, size, "link from a router to node %s", node);
    else
        snprintf(text, size, "link from router %u to router %u",
                 (unsigned)network->output_router[named->port],
                 (unsigned)network->input_router[network->output_end[named->port]]);
}
