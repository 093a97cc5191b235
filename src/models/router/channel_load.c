/* The bound: what a network of routers does at best (our own model, after Dally and Towles,
 * Principles and Practices of Interconnection Networks, Morgan Kaufmann 2004, chapter 3).
 *
 * Latency is that of messages alone, exactly, with small buffers and the loops of their credits
 * (router_paths.c): no network is faster. The load of every link follows from the routes and the
 * destinations, also exactly (router_walk.c); the rate at which the busiest link would be in use
 * all the time bounds the saturation load from above. So does traffic.outstanding: a node cannot
 * send more requests than that in the time of a round trip without waits. Waiting is not modelled,
 * so there is always an answer, for every topology, routing and matrix. Adaptive routing is taken
 * to choose evenly among the outputs it has. */
#include <math.h>
#include "models/router/router_models.h"

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    return fc_router_model_covers(scenario, "channel-load", error);
}

/* The rate at which a node that sends most has all the requests under way that it may. */
static double outstanding_bound(const fc_router_flows *flows, const fc_routed *routed) {
    const double *weights = routed->destinations->weights;
    double most = weights ? 0 : 1;
    for (uint32_t n = 0; weights && n < flows->network->nodes; ++n)
        most = fmax(most, weights[n]);
    if (!routed->requests.count || routed->outstanding == FC_INFINITE)
        return (double)INFINITY;
    /* A latency does not count the cycle in which the message begins. */
    const double trip = 2 * fc_paths_mean(flows->paths).latency + flows->kinds.memory + 2;
    return (double)routed->outstanding / (trip * most);
}

static void report(const fc_router_flows *flows, const fc_routed *routed, fc_result *result) {
    const double links = fc_router_capacity(flows), limit = outstanding_bound(flows, routed);
    const double capacity = fmin(links, limit), rate = routed->rate;
    const uint32_t busiest = fc_router_busiest(flows);
    const bool full = rate >= capacity;
    if (busiest == UINT32_MAX) {
        fc_result_note(result, "no node sends anything");
        return;
    }
    const fc_alone alone = fc_paths_mean(flows->paths);
    char name[FC_NAME_SIZE];
    fc_flow_link_name(flows, busiest, sizeof name, name);
    if (full) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_add(result, FC_METRIC_THROUGHPUT, capacity, NAN);
    }
    if (full && limit < links) {
        fc_result_note(result,
                       "traffic.outstanding (%lld) over the round trip of a request lets a node "
                       "send at a rate of %.4g",
                       (long long)routed->outstanding, limit);
    } else if (full) {
        fc_result_note(result,
                       "the %s would have to carry %.4g flits per cycle; it is full at a rate of "
                       "%.4g",
                       name, rate * flows->links[busiest].flits, links);
    } else {
        fc_result_add(result, FC_METRIC_LATENCY, alone.latency, NAN);
        fc_result_add(result, FC_METRIC_NETWORK_LATENCY, alone.latency, NAN);
        fc_result_add(result, FC_METRIC_THROUGHPUT, rate, NAN);
        fc_result_add(result, FC_METRIC_HOPS, fc_router_hops(flows), NAN);
        fc_router_report_energy(flows, routed, result);
        fc_router_report_alone(flows, routed, result);
        fc_result_note(result,
                       "a bound, without waiting; the busiest is the %s, full at a rate of %.4g",
                       name, links);
        if (limit < links)
            fc_result_add_note(result,
                               "traffic.outstanding (%lld) over the round trip of a request lets a "
                               "node send at a rate of %.4g",
                               (long long)routed->outstanding, limit);
    }
    fc_router_report_links(flows, rate, NULL, result);
}

static fc_status solve(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    fc_router_flows *flows;
    const fc_status status = fc_router_flows_create(scenario, false, error, &flows);
    if (status != FC_OK)
        return status;
    report(flows, fc_scenario_routed(scenario), result);
    fc_router_flows_free(flows);
    return FC_OK;
}

static fc_status saturation(const fc_scenario *scenario, fc_error *error, double *load) {
    fc_router_flows *flows;
    const fc_status status = fc_router_flows_create(scenario, false, error, &flows);
    if (status != FC_OK)
        return status;
    *load = fmin(fc_router_capacity(flows), outstanding_bound(flows, fc_scenario_routed(scenario)));
    fc_router_flows_free(flows);
    return FC_OK;
}

const fc_model fc_model_channel_load = {
    .info = {.name = "channel-load",
             .kind = FC_MODEL,
             .family = "torus, fabric",
             .title = "networks of routers: latency without waiting, load of the busiest link",
             .source = "ours, after Dally and Towles (2004)",
             .validity = "any topology, routing and destinations; a bound: no network is faster, "
                         "none carries more"},
    .suits = fc_router_model_suits,
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
};
