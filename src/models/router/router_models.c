#include "models/router/router_models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "network/node_ports.h"
#include "registry/parts.h"
#include "scenario/families/routed_rules.h"

enum { CLASSES_NODES_MAX = 512 };

bool fc_router_model_suits(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed && routed->pipelined_by;
}

fc_status fc_router_model_covers(const fc_scenario *scenario, const char *who, fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!routed || !routed->pipelined_by)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s is for pipelined routers; this scenario has the idealised router of the "
                       "papers, which has models of its own",
                       who);
    if (routed->workload)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s is for traffic with a rate, not for a trace or a workload", who);
    if (routed->routes_by_queues && strcmp(scenario->family->name, "torus") == 0)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s does not follow network.routing: min-adapt, where a header in an escape "
                       "channel stays there",
                       who);
    if (routed->profile)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s is for a rate that stays; ask for each phase of traffic.profile by "
                       "itself",
                       who);
    if (routed->given && routed->nodes > CLASSES_NODES_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s follows classes of messages pair by pair, in networks of at most %d "
                       "nodes",
                       who, CLASSES_NODES_MAX);
    if (routed->given && routed->outstanding != FC_INFINITE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s does not know traffic.outstanding with traffic.classes", who);
    return FC_OK;
}

uint32_t fc_router_busiest(const fc_router_flows *flows) {
    uint32_t busiest = UINT32_MAX;
    /* Of equally busy links the first; sums over many messages differ in their last digits. */
    const double more = 1 + 1e-9;
    double most = 0;
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        const double use = flows->links[i].flits * flows->links[i].pace;
        if (use > more * most) {
            busiest = i;
            most = use;
        }
    }
    return busiest;
}

double fc_router_capacity(const fc_router_flows *flows) {
    const uint32_t busiest = fc_router_busiest(flows);
    return busiest == UINT32_MAX ? (double)INFINITY
                                 : 1 / (flows->links[busiest].flits * flows->links[busiest].pace);
}

/* ---- results ---- */

double fc_router_hops(const fc_router_flows *flows) {
    if (flows->multicasts > 0)
        return fc_paths_mean(flows->paths).routers - 1;
    double crossed = 0;
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        if (flows->links[i].kind == FC_ROUTER_LINK)
            crossed += flows->links[i].members * flows->links[i].rate;
    }
    return flows->rate > 0 ? crossed / flows->rate : 0;
}

void fc_router_report_energy(const fc_router_flows *flows, const fc_routed *routed,
                             fc_result *result) {
    const fc_energy *energy = &routed->energy;
    double sent = 0, crossed = 0, length = 0, arrived = 0; /* flits per cycle at traffic.rate = 1 */
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        const fc_flow_link *link = &flows->links[i];
        const double flits = link->members * link->flits;
        sent += link->kind == FC_INJECTION_LINK ? flits : 0;
        crossed += link->kind == FC_ROUTER_LINK ? flits : 0;
        arrived += link->kind == FC_EJECTION_LINK ? flits : 0;
        length += link->kind == FC_ROUTER_LINK ? flits * link->delay : 0;
    }
    if (!energy->given || sent <= 0)
        return;
    const double each = energy->buffer_write + energy->buffer_read + energy->crossbar;
    double used = each * (sent + crossed) + energy->link * length;
    if (flows->multicasts > 0)
        used += (energy->buffer_read + energy->crossbar) * (arrived - sent);
    fc_result_add(result, FC_METRIC_ENERGY_PER_FLIT,
                  used / (flows->multicasts > 0 ? arrived : sent), NAN);
    fc_result_add(result, FC_METRIC_POWER,
                  routed->rate * used + energy->leakage * flows->network->routers, NAN);
}

void fc_router_report_alone(const fc_router_flows *flows, const fc_routed *routed,
                            fc_result *result) {
    const fc_alone alone = fc_paths_mean(flows->paths);
    int64_t stages = 0;
    double flits = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        stages += routed->router_delay[stage];
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        if (flows->links[i].kind == FC_INJECTION_LINK)
            flits += flows->links[i].members * flows->links[i].flits;
    }
    flits = flows->multicasts > 0 ? alone.flits : flows->rate > 0 ? flits / flows->rate : 0;
    const double routers = (double)fc_routed_cycles_at_least(routed, stages) *
                           ((flows->direct < 1 ? flows->direct_hops : fc_router_hops(flows)) + 1);
    fc_result_add_part(result, FC_PART_LINKS, "cycles", alone.header - 1 - routers);
    fc_result_add_part(result, FC_PART_ROUTERS, "cycles", routers);
    fc_result_add_part(result, FC_PART_LENGTH, "cycles", flits);
    const double rounding = 1e-12, credits = alone.latency - (alone.header - 1 + flits);
    if (flows->paths->tight && credits > rounding * alone.latency)
        fc_result_add_part(result, FC_PART_OWN_CREDITS, "cycles", credits);
    if (flows->multicasts > 0)
        fc_result_add_part(result, "copies sent before", "cycles", flows->copying / alone.rate);
}

static void report_channels(const fc_router_flows *flows, double rate, const double *waits,
                            fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait"};
    const fc_router_network *network = flows->network;
    uint32_t links = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        links += !(network->output_end[o] & FC_TO_NODE);
    const size_t width = waits ? 2 : 1;
    fc_table *table = fc_result_add_table(result, "channels", links, columns, width);
    size_t row = 0;
    for (uint32_t o = 0; table && o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        const uint32_t link = flows->link_of[o];
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%u to %u",
                 (unsigned)network->output_router[o],
                 (unsigned)network->input_router[network->output_end[o]]);
        table->values[width * row] = rate * flows->links[link].flits * flows->links[link].pace;
        if (waits)
            table->values[width * row + 1] = waits[link];
        ++row;
    }
}

static void report_nodes(const fc_router_flows *flows, double rate, const double *waits,
                         fc_result *result) {
    static const char *const columns[] = {"injection", "ejection", "source_wait", "ejection_wait"};
    const fc_router_network *network = flows->network;
    const size_t width = waits ? 4 : 2;
    fc_table *table = fc_result_add_table(result, "nodes", network->nodes, columns, width);
    for (uint32_t n = 0; table && n < network->nodes; ++n) {
        const uint32_t in = flows->link_of[network->outputs + n];
        const uint32_t out = flows->link_of[network->node_output[n]];
        double *row = table->values + n * width;
        row[0] = rate * flows->links[in].flits;
        row[1] = rate * flows->links[out].flits;
        if (waits) {
            row[2] = waits[in];
            row[3] = waits[out];
        }
        fc_end_name(network, n, FC_NAME_SIZE, table->row_labels[n]);
    }
}

void fc_router_report_links(const fc_router_flows *flows, double rate, const double *waits,
                            fc_result *result) {
    report_channels(flows, rate, waits, result);
    report_nodes(flows, rate, waits, result);
}
