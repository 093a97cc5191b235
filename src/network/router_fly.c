/* k-ary n-fly: n stages of k^(n-1) routers with k inputs and k outputs, k^n nodes that send into
 * the first stage and receive from the last; and the same with extra stages before.
 *
 * Node x sends into router x / k of the first stage and receives from router x / k of the last. The
 * wires behind a stage are numbered router * k + output; they reach the next stage with two digits
 * of that number exchanged, digit 0 and digit n-1, n-2, ..., 1 behind the first, second, ... of the
 * n stages. So stage s decides digit n-1-s of the destination, and what came before does not
 * matter. (BookSim wires its fly the same way.)
 *
 * That lets e < n extra stages stand before the n. Their wires exchange digit 0 and digit 1, 2,
 * ..., e: with e = n-1 the mirror image of the stages behind, a Benes network. An extra stage may
 * take any output, so that k^e paths lead from each node to each. They are drawn for each message,
 * or with adaptive routing taken as they are free.
 *
 * Every link leads to the next stage: no circle is possible, whatever the channels. */
#include "base/memory.h"

#include <assert.h>
#include "network/router_wiring.h"
#include "scenario/counts.h"
#include "scenario/fabric.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/scenario.h"

typedef struct fly_network {
    uint32_t arity, levels, extra;
    uint32_t variants; /* of a path: arity^extra */
    uint8_t *stage;    /* of each router */
    uint16_t *digits;  /* of each node number */
} fly_network;

static inline uint32_t digit(const fly_network *fly, uint32_t number, uint32_t place) {
    return fly->digits[(size_t)number * fly->levels + place];
}

static uint32_t variants(const fc_router_network *network, uint32_t source, uint32_t destination) {
    (void)source, (void)destination;
    return ((const fly_network *)network->topology)->variants;
}

static void begin(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)network;
    course->choice = variant;
    course->state = 0;
}

static inline void route_stage(const fc_router_network *network, uint32_t router, uint32_t stage,
                               fc_course *course, fc_route_candidates *candidates) {
    const fly_network *topology = network->topology;
    const uint32_t last = topology->levels - 1;
    if (stage == last)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course,
                          network->output_first[router] +
                              digit(topology, course->destination, last - stage));
}

static void route(const fc_router_network *network, uint32_t input, uint32_t channel,
                  fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fly_network *topology = network->topology;
    const uint32_t router = network->input_router[input], stage = topology->stage[router];
    if (stage >= topology->extra)
        route_stage(network, router, stage - topology->extra, course, candidates);
    else
        fc_candidates_one(candidates, course,
                          network->output_first[router] + digit(topology, course->choice, stage));
}

static void route_adaptively(const fc_router_network *network, uint32_t input, uint32_t channel,
                             fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fly_network *topology = network->topology;
    const uint32_t router = network->input_router[input], stage = topology->stage[router];
    if (stage >= topology->extra)
        route_stage(network, router, stage - topology->extra, course, candidates);
    else
        fc_candidates_any(candidates, course, network->output_first[router], topology->arity);
}

/* Both routings but the adaptive one: without extra stages nothing is drawn. */
static void towards(const fc_router_network *network, uint32_t router, uint32_t destination,
                    fc_towards *towards) {
    const fly_network *fly = network->topology;
    const uint32_t stage = fly->stage[router], last = fly->extra + fly->levels - 1;
    const uint32_t first = network->output_first[router];
    if (stage < fly->extra)
        *towards = (fc_towards){first, fc_power(fly->arity, stage), fly->arity};
    else if (stage < last)
        *towards = (fc_towards){first + digit(fly, destination, last - stage), 1, 1};
    else
        *towards = (fc_towards){network->node_output[destination], 1, 1};
}

static void release(void *topology) {
    fly_network *made = topology;
    if (!made)
        return;
    fc_release(made->stage);
    fc_release(made->digits);
    fc_release(made);
}

/* The wire's number with digit 0 and another, whose weight is given, exchanged. */
static uint32_t exchange(uint32_t wire, uint32_t arity, uint32_t weight) {
    const uint32_t lowest = wire % arity, other = wire / weight % arity;
    return wire - lowest - other * weight + other + lowest * weight;
}

static void list_links(const fly_network *fly, const fc_routed *routed, fc_router_link *link) {
    const uint32_t stages = fly->extra + fly->levels, nodes = fc_power(fly->arity, fly->levels);
    const uint32_t routers = nodes / fly->arity;
    for (uint32_t stage = 0; stage + 1 < stages; ++stage) {
        const uint32_t other =
            stage < fly->extra ? stage + 1 : fly->levels - 1 - (stage - fly->extra);
        const uint32_t weight = fc_power(fly->arity, other);
        for (uint32_t wire = 0; wire < nodes; ++wire)
            *link++ = fc_link_between(
                routed, stage * routers + wire / fly->arity,
                (stage + 1) * routers + exchange(wire, fly->arity, weight) / fly->arity, stage);
    }
}

static fc_status wire(const fly_network *fly, const fc_routed *routed, fc_error *error,
                      fc_router_network **network) {
    const uint32_t stages = fly->extra + fly->levels, nodes = fc_power(fly->arity, fly->levels);
    const uint32_t per_stage = nodes / fly->arity, links = (stages - 1) * nodes;
    fc_router_link *link = fc_allocate(links ? links : 1, sizeof *link);
    uint32_t *first = fc_allocate(nodes, sizeof *first), *last = fc_allocate(nodes, sizeof *last);
    fc_status status = link && first && last ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        list_links(fly, routed, link);
        for (uint32_t node = 0; node < nodes; ++node) {
            first[node] = node / fly->arity;
            last[node] = (stages - 1) * per_stage + node / fly->arity;
        }
        for (uint32_t router = 0; router < stages * per_stage; ++router)
            fly->stage[router] = (uint8_t)(router / per_stage);
        const fc_wiring wiring = {.nodes = nodes,
                                  .routers = stages * per_stage,
                                  .links = links,
                                  .link = link,
                                  .router_of_node = first,
                                  .router_to_node = last,
                                  .node_delay = (uint32_t)routed->node_delay,
                                  .virtual_channels = (uint32_t)routed->virtual_channels};
        status = fc_router_network_wire(&wiring, error, network);
    }
    fc_release(link);
    fc_release(first);
    fc_release(last);
    return status;
}

static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_fabric *fabric = parameters;
    const fc_routed *routed = &fabric->routed;
    extent->longest_path = (double)(fabric->levels + fabric->extra_stages - 1);
    extent->links = (double)routed->nodes * extent->longest_path;
    extent->outputs = (double)fabric->arity;
}

static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_fabric *fabric = parameters;
    fc_count_butterfly(fabric->arity, fabric->levels, fabric->extra_stages, counts);
}

static uint32_t link_kind(const fc_router_network *network, uint32_t output) {
    return ((const fly_network *)network->topology)->stage[network->output_router[output]];
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    const bool adaptive = fabric->routing == FC_ROUTE_ADAPTIVE;
    fly_network *made = fc_allocate(1, sizeof *made);
    fc_router_network *built = NULL;
    if (!made)
        return fc_fail_memory(error);
    made->arity = (uint32_t)fabric->arity;
    made->levels = (uint32_t)fabric->levels;
    made->extra = (uint32_t)fabric->extra_stages;
    made->variants = adaptive ? 1 : fc_power(made->arity, made->extra);
    made->digits = fc_digit_table(made->arity, made->levels);
    made->stage = fc_allocate(
        (size_t)(made->extra + made->levels) * fc_power(made->arity, made->levels - 1), 1);
    fc_status status = FC_OK;
    if (!made->digits || !made->stage)
        status = fc_fail_memory(error);
    else if (adaptive && made->extra && made->arity > FC_CANDIDATES_MAX)
        status = fc_fail(error, FC_ERROR_UNSUPPORTED,
                         "routing: adaptive chooses among at most %d outputs; use random",
                         FC_CANDIDATES_MAX);
    else
        status = wire(made, routed, error, &built);
    if (status != FC_OK) {
        release(made);
        return status;
    }
    assert(built);
    built->topology = made;
    built->release_topology = release;
    *network = built;
    if (routed->around)
        return FC_OK;
    built->node_stride = built->nodes;
    built->link_kind = link_kind;
    built->variants = variants;
    built->begin = begin;
    built->route = adaptive ? route_adaptively : route;
    built->towards = adaptive ? NULL : towards;
    built->route_drawing = made->arity <= FC_CANDIDATES_MAX ? route_adaptively : NULL;
    return FC_OK;
}

/* ---- in a scenario ---- */

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    if (fabric->routing != FC_ROUTE_DESTINATION && fabric->extra_stages == 0 &&
        !fabric->routed.around)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s has nothing to choose from: a fly without "
                                    "network.extra_stages has one path for each pair",
                                    fc_fabric_routings[fabric->routing]);
    if (fabric->extra_stages >= fabric->levels)
        return fc_scenario_fail_key(scenario, "network.extra_stages", error,
                                    "network.extra_stages is %lld; a fly of %lld levels takes at "
                                    "most %lld",
                                    (long long)fabric->extra_stages, (long long)fabric->levels,
                                    (long long)fabric->levels - 1);
    fabric->routed.link_kind_count = (size_t)(fabric->levels + fabric->extra_stages - 1);
    fabric->routed.link_kinds =
        fabric->routed.link_kind_count > 1 ? "stage of links, from the nodes on" : NULL;
    return fc_fabric_size_tree(scenario, fabric, nodes, error);
}

static const char *const required[] = {"network.arity", "network.levels", NULL};
static const char *const optional[] = {"network.extra_stages", NULL};
const fc_fabric_topology fc_fabric_fly = {
    .required = required,
    .optional = optional,
    .routings = FC_TREE_ROUTINGS,
    .routing = FC_ROUTE_DESTINATION,
    .size = size,
    .routers = {measure, build, count_parts, FC_LIKE_TREE},
};
