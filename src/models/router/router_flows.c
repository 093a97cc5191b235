#include "models/router/router_flows.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "models/router/router_walk.h"

/* ---- creation ---- */

static double loop_of(const fc_routed *routed, fc_link_kind kind, uint32_t delay) {
    const double sa = (double)routed->router_delay[FC_STAGE_SWITCH];
    const double node = (double)routed->node_delay;
    if (kind == FC_INJECTION_LINK)
        return node + (sa + node - 1 > 1 ? sa + node - 1 : 1);
    return 2 * sa + (double)routed->router_delay[FC_STAGE_CROSSING] + 2 * (double)delay +
           (double)routed->credit_delay;
}

static fc_flow_link make_link(const fc_routed *routed, fc_link_kind kind, uint32_t port,
                              uint32_t delay) {
    return (fc_flow_link){
        .kind = kind, .port = port, .delay = delay, .loop = loop_of(routed, kind, delay)};
}

static fc_status list_links(const fc_routed *routed, fc_error *error, fc_router_flows *flows) {
    const fc_router_network *network = flows->network;
    flows->link_count = network->outputs + network->nodes;
    flows->links = fc_allocate(flows->link_count, sizeof *flows->links);
    if (!flows->links)
        return fc_fail_memory(error);
    for (uint32_t o = 0; o < network->outputs; ++o) {
        const bool ejection = network->output_end[o] & FC_TO_NODE;
        flows->links[o] = make_link(routed, ejection ? FC_EJECTION_LINK : FC_ROUTER_LINK, o,
                                    network->output_delay[o]);
    }
    for (uint32_t n = 0; n < network->nodes; ++n)
        flows->links[network->outputs + n] =
            make_link(routed, FC_INJECTION_LINK, n, (uint32_t)routed->node_delay);
    return FC_OK;
}

static fc_status list_paths(const fc_routed *routed, fc_error *error, fc_router_flows *flows) {
    bool equal = true;
    uint32_t first = 0, longest = 0;
    for (uint32_t i = 0; i < flows->network->outputs; ++i) {
        const fc_flow_link *link = &flows->links[i];
        if (link->kind != FC_ROUTER_LINK)
            continue;
        first = first ? first : link->delay;
        equal = equal && link->delay == first;
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
            flows->rate += flows->lanes[l].rate;
    }
    flows->rate *= flows->multiple;
}

fc_status fc_router_flows_create(const fc_scenario *scenario, bool movements, fc_error *error,
                                 fc_router_flows **flows) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_flows *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->multiple = 1;
    made->kinds = fc_message_kinds_of(routed);
    fc_status status = fc_router_network_create(scenario, error, &made->network);
    if (status == FC_OK)
        status = fc_router_traffic_create(scenario, made->network, error, &made->traffic);
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
    *flows = made;
    return FC_OK;
}

void fc_router_flows_free(fc_router_flows *flows) {
    if (!flows)
        return;
    fc_paths_free(flows->paths);
    fc_traffic_free(flows->traffic);
    fc_router_network_free(flows->network);
    fc_release(flows->links);
    fc_release(flows->lanes);
    fc_release(flows->movements);
    fc_release(flows);
}

/* ---- asking ---- */

void fc_flow_link_name(const fc_router_flows *flows, uint32_t link, size_t size, char *text) {
    const fc_flow_link *named = &flows->links[link];
    const fc_router_network *network = flows->network;
    const unsigned end = (unsigned)(named->kind == FC_INJECTION_LINK
                                        ? named->port
                                        : network->output_end[named->port] & ~FC_TO_NODE);
    if (named->kind == FC_INJECTION_LINK)
        snprintf(text, size, "link from node %u into its router", end);
    else if (named->kind == FC_EJECTION_LINK)
        snprintf(text, size, "link from a router to node %u", end);
    else
        snprintf(text, size, "link from router %u to router %u",
                 (unsigned)network->output_router[named->port],
                 (unsigned)network->input_router[network->output_end[named->port]]);
}
