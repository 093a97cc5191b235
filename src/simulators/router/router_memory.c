/* What an engine takes, from the scenario alone: what is too large is refused before any of it is
 * taken. Ports are counted as router_build.c counts them where the topology tells their number, and
 * not too low where it does not. */
#include <math.h>
#include "scenario/fabric.h"
#include "scenario/torus.h"
#include "simulators/router/router_simulator.h"

static double links_per_node(const fc_scenario *scenario) {
    if (scenario->family == &fc_torus_family)
        return 2 * (double)((const fc_torus *)scenario->parameters)->radix.count;
    const fc_fabric *fabric = scenario->parameters;
    if (fabric->topology == FC_GRAPH)
        return (double)fabric->graph.links / (double)fabric->graph.nodes;
    return 2 * (double)(fabric->levels + fabric->extra_stages);
}

/* Of the router that has the most. */
static double outputs_of_router(const fc_scenario *scenario, const fc_routed *routed) {
    if (scenario->family == &fc_torus_family)
        return links_per_node(scenario) + (double)routed->concentration;
    const fc_fabric *fabric = scenario->parameters;
    return fabric->topology == FC_GRAPH ? FC_WAYS_MAX : 2 * (double)fabric->arity;
}

static double longest_link(const fc_scenario *scenario, const fc_routed *routed) {
    double longest = (double)fmax((double)routed->link_delay, (double)routed->node_delay);
    if (scenario->family == &fc_torus_family)
        return longest;
    const fc_fabric *fabric = scenario->parameters;
    for (uint32_t i = 0; fabric->topology == FC_GRAPH && i < fabric->graph.links; ++i)
        longest = fmax(longest, fabric->graph.link[i].delay);
    return longest;
}

/* Bytes of a wheel for each event of a cycle. */
static double turn(double longest) {
    return (double)sizeof(uint64_t) * exp2(floor(log2(fmax(longest, 1))) + 1);
}

static double wheels(const fc_scenario *scenario, const fc_routed *routed, double ports) {
    const int64_t *delay = routed->router_delay;
    const double link = longest_link(scenario, routed);
    const double through = (double)(delay[FC_STAGE_SWITCH] + delay[FC_STAGE_CROSSING]);
    const double channels = (double)routed->virtual_channels;
    const double ways = routed->input_speedup == FC_INFINITE
                            ? channels
                            : fmin(channels, (double)routed->input_speedup);
    const double stages = channels * (turn((double)delay[FC_STAGE_ROUTING] + 1) +
                                      turn((double)delay[FC_STAGE_ALLOCATION]));
    return ports * (turn(through + link) + stages +
                    ways * turn((double)(delay[FC_STAGE_SWITCH] + routed->credit_delay) + link));
}

double fc_router_memory(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const double ports = (double)routed->nodes * (1 + links_per_node(scenario));
    const double ways = fmin(2 * outputs_of_router(scenario, routed), FC_WAYS_MAX);
    const double buffer = exp2(ceil(log2((double)routed->buffer)));
    const double channel = (double)(sizeof(fc_in_channel) + sizeof(fc_out_channel) +
                                    sizeof(fc_claim) + sizeof(fc_contest)) +
                           ways * (double)sizeof(fc_way) + buffer * (double)sizeof(uint32_t);
    return ports * (double)routed->virtual_channels * channel + wheels(scenario, routed, ports);
}
