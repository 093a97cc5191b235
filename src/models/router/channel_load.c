/* The bound: what a network of routers does at best (our own model, after Dally and Towles,
 * Principles and Practices of Interconnection Networks, Morgan Kaufmann 2004, chapter 3).
 *
 * Latency is that of messages alone, exactly, with small buffers and the loops of their credits
 * (router_paths.c): no network is faster. The load of every link follows from the routes and the
 * destinations, also exactly (router_walk.c); the rate at which the busiest link would be in use
 * all the time bounds the saturation load from above. Where headers choose, that link is the
 * busiest of the best split (network/link_bound.h): no choice carries more. So does
 * traffic.outstanding: a node cannot send more requests than that in the time of a round trip
 * without waits; and a memory: it takes a request every memory_busy cycles. Waiting is not
 * modelled, so there is always an answer, for every topology, routing and matrix. Tables and hops
 * of adaptive routing are those of an even choice among the outputs it has. */
#include <math.h>
#include "base/memory.h"
#include "models/router/router_classes.h"
#include "models/router/router_models.h"
#include "network/link_bound.h"
#include "network/multicast.h"
#include "network/node_ports.h"
#include "network/router_faults.h"

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_status status = fc_router_model_covers(scenario, "channel-load", error);
    if (status == FC_OK && fc_scenario_routed(scenario)->routes_by_queues)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "channel-load is for routing that does not depend on the traffic; "
                       "network.routing chooses by queues here");
    if (status == FC_OK && fc_multicast_given(fc_scenario_routed(scenario)) &&
        (fc_scenario_routed(scenario)->internal_speedup > 1 ||
         fc_scenario_routed(scenario)->widths_differ))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "channel-load knows how long copies of a multicast take only where links "
                       "and routers take a flit in every cycle");
    return status;
}

/* The rate at which a node that sends most has all the requests under way that it may. */
static double outstanding_bound(const fc_router_flows *flows, const fc_routed *routed) {
    const double *weights = routed->destinations->weights;
    double most = weights ? 0 : 1;
    for (uint32_t n = 0; weights && n < fc_node_count(flows->network); ++n)
        most = fmax(most, weights[n]);
    if (!routed->requests.count || routed->outstanding == FC_INFINITE)
        return (double)INFINITY;
    /* A latency does not count the cycle in which the message begins. */
    const double trip = 2 * fc_paths_mean(flows->paths).latency + flows->kinds.memory + 2;
    return (double)routed->outstanding / (trip * most);
}

/* ---- the links ---- */

typedef struct links_full {
    double rate;      /* at which the busiest is full */
    uint32_t busiest; /* UINT32_MAX: headers choose, and it may be any */
} links_full;

/* Links of nodes, which all messages must take; and between routers the mean, since ways to choose
 * from cross equally many links. */
static links_full full_in_the_mean(const fc_router_flows *flows) {
    links_full found = {.busiest = UINT32_MAX};
    double most = 0, crossed = 0, count = 0, pace = (double)INFINITY;
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        const fc_flow_link *link = &flows->links[i];
        if (link->kind == FC_ROUTER_LINK) {
            crossed += link->flits;
            count += 1;
            pace = fmin(pace, link->pace);
        } else if (link->flits * link->pace > most) {
            most = link->flits * link->pace;
            found.busiest = i;
        }
    }
    if (count > 0 && crossed * pace / count > most)
        found = (links_full){.busiest = UINT32_MAX, .rate = count / (crossed * pace)};
    else
        found.rate = 1 / most;
    return found;
}

double fc_router_capacity_in_the_mean(const fc_router_flows *flows) {
    return full_in_the_mean(flows).rate;
}

double fc_router_capacity_at_most(const fc_router_flows *flows) {
    if (flows->capacity_at_most > 0)
        return flows->capacity_at_most;
    return flows->chooses ? full_in_the_mean(flows).rate : fc_router_capacity(flows);
}

static fc_status add_pairs(const fc_router_flows *flows, const fc_routed *routed, fc_error *error,
                           fc_link_bound *bound) {
    const uint32_t nodes = flows->network->nodes;
    fc_status status = FC_OK;
    for (size_t kind = 0; kind < flows->kinds.count; ++kind)
        for (uint32_t from = 0; from < nodes; ++from)
            for (uint32_t to = 0; to < nodes && status == FC_OK; ++to) {
                const double flits =
                    fc_flow_rate(routed, flows, kind, from, to) * flows->kinds.mean[kind];
                if (flits > 0)
                    status = fc_link_bound_add(bound, from, to, flows->kinds.channels[kind], flits,
                                               error);
            }
    return status;
}

/* Where headers choose; in larger networks, and where links alike were merged, by the mean. */
static fc_status full_at_best(const fc_router_flows *flows, const fc_routed *routed,
                              fc_error *error, links_full *found) {
    enum { NODES_MAX = 512 };
    fc_link_bound *bound;
    fc_link_load load;
    *found = full_in_the_mean(flows);
    if (flows->network->nodes > NODES_MAX || flows->multiple > 1)
        return FC_OK;
    fc_status status = fc_link_bound_create(flows->network, FC_DRAWS_EVEN, error, &bound);
    if (status != FC_OK)
        return status;
    status = add_pairs(flows, routed, error, bound);
    if (status == FC_OK)
        status = fc_link_bound_find(bound, error, &load);
    if (status == FC_OK && load.cycles * found->rate > 1)
        *found = (links_full){.rate = 1 / load.cycles, .busiest = load.output};
    fc_link_bound_free(bound);
    return status;
}

static fc_status find_full(const fc_router_flows *flows, const fc_routed *routed, fc_error *error,
                           links_full *found) {
    *found = (links_full){fc_router_capacity(flows), fc_router_busiest(flows)};
    return flows->chooses && found->busiest != UINT32_MAX
               ? full_at_best(flows, routed, error, found)
               : FC_OK;
}

/* ---- results ---- */

static void say_outstanding(const fc_routed *routed, double limit, fc_result *result) {
    fc_result_add_note(result,
                       "traffic.outstanding (%lld) over the round trip of a request lets a node "
                       "send at a rate of %.4g",
                       (long long)routed->outstanding, limit);
}

/* Below every bound. name: of the busiest link. */
static void report_latency(const fc_router_flows *flows, const fc_routed *routed, links_full links,
                           const char *name, fc_result *result) {
    const fc_alone alone = fc_paths_mean(flows->paths);
    const double latency =
        alone.latency + (flows->multicasts > 0 ? flows->copying / alone.rate : 0);
    fc_result_add(result, FC_METRIC_LATENCY, latency, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, latency, NAN);
    if (flows->multicasts > 0)
        fc_result_add(result, FC_METRIC_LATENCY_LAST, flows->last / flows->multicasts, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, routed->rate, NAN);
    fc_result_add(result, FC_METRIC_HOPS, fc_router_hops(flows), NAN);
    fc_router_report_energy(flows, routed, result);
    fc_router_report_alone(flows, routed, result);
    if (links.busiest == UINT32_MAX)
        fc_result_note(result,
                       "a bound, without waiting; however headers choose, the busiest link is "
                       "full at a rate of %.4g",
                       links.rate);
    else
        fc_result_note(result,
                       "a bound, without waiting; the busiest is the %s, full at a rate of %.4g",
                       name, links.rate);
}

static void report(const fc_router_flows *flows, const fc_routed *routed, links_full links,
                   fc_result *result) {
    const double limit = outstanding_bound(flows, routed);
    const double memories = fc_class_memory_limit(routed, flows);
    const double capacity = fmin(fmin(links.rate, limit), memories), rate = routed->rate;
    if (fc_router_busiest(flows) == UINT32_MAX) {
        fc_result_note(result, "no node sends anything");
        return;
    }
    char name[FC_NAME_SIZE] = "busiest link";
    if (links.busiest != UINT32_MAX)
        fc_flow_link_name(flows, links.busiest, sizeof name, name);
    if (rate >= capacity) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_add(result, FC_METRIC_THROUGHPUT, capacity, NAN);
        if (memories <= capacity)
            fc_result_note(result, "the busiest memory is occupied all the time at a rate of %.4g",
                           memories);
        else if (limit < links.rate)
            say_outstanding(routed, limit, result);
        else
            fc_result_note(result,
                           "the %s would have to carry %.4g flits per cycle; it is full at a rate "
                           "of %.4g",
                           name, rate / links.rate, links.rate);
    } else {
        report_latency(flows, routed, links, name, result);
        if (limit < links.rate)
            say_outstanding(routed, limit, result);
    }
    fc_router_report_links(flows, rate, NULL, result);
    if (flows->network->failures)
        fc_result_add_note(result, "%s", flows->network->failures->text);
}

/* ---- the model ---- */

typedef struct prepared_bound {
    fc_router_flows *flows;
    links_full links;
} prepared_bound;

static void release(void *prepared) {
    if (prepared)
        fc_router_flows_free(((prepared_bound *)prepared)->flows);
    fc_release(prepared);
}

static fc_status prepare(const fc_scenario *scenario, fc_error *error, void **prepared) {
    prepared_bound *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    fc_status status = fc_router_flows_create(scenario, false, error, &made->flows);
    if (status == FC_OK)
        status = find_full(made->flows, fc_scenario_routed(scenario), error, &made->links);
    if (status == FC_OK)
        *prepared = made;
    else
        release(made);
    return status;
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)error;
    const prepared_bound *p = prepared;
    report(p->flows, fc_scenario_routed(scenario), p->links, result);
    return FC_OK;
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    (void)error;
    const prepared_bound *p = prepared;
    const fc_routed *routed = fc_scenario_routed(scenario);
    *load = fmin(fmin(p->links.rate, outstanding_bound(p->flows, routed)),
                 fc_class_memory_limit(routed, p->flows));
    return FC_OK;
}

const fc_model fc_model_channel_load = {
    .info = {.name = "channel-load",
             .kind = FC_MODEL,
             .family = "torus, fabric",
             .title = "networks of routers: latency without waiting, load of the busiest link",
             .revision = 1,
             .source = "ours, after Dally and Towles (2004)",
             .validity = "any topology, routing and destinations; a bound: no network is faster, "
                         "none carries more"},
    .suits = fc_router_model_suits,
    .covers = covers,
    .prepare = prepare,
    .release = release,
    .solve = solve,
    .saturation = saturation,
};
