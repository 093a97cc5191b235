#include "network/router_network.h"

#include <string.h>
#include "base/memory.h"
#include "network/router_wiring.h"

static const fc_router_topology *const topologies[] = {&fc_router_torus, &fc_router_fly,
                                                       &fc_router_fat_tree, &fc_router_graph, NULL};

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

static void count_ports(const fc_wiring *wiring, fc_router_network *made) {
    const uint32_t *to_node =
        wiring->router_to_node ? wiring->router_to_node : wiring->router_of_node;
    for (uint32_t i = 0; i < wiring->links; ++i) {
        ++made->output_first[wiring->link[i].from + 1];
        ++made->input_first[wiring->link[i].to + 1];
    }
    for (uint32_t node = 0; node < wiring->nodes; ++node) {
        ++made->input_first[wiring->router_of_node[node] + 1];
        ++made->output_first[to_node[node] + 1];
    }
    sum_up(made->input_first, made->routers);
    sum_up(made->output_first, made->routers);
}

/* The ports in use so far are counted in the entries of *_first themselves, which end up one
 * router ahead and are moved back. */
static void join_ports(const fc_wiring *wiring, fc_router_network *made) {
    const uint32_t *to_node =
        wiring->router_to_node ? wiring->router_to_node : wiring->router_of_node;
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
        const uint32_t input = made->input_first[wiring->router_of_node[node]]++;
        const uint32_t output = made->output_first[to_node[node]]++;
        made->input_begin[input] = FC_TO_NODE | node;
        made->input_router[input] = wiring->router_of_node[node];
        made->node_input[node] = input;
        made->output_end[output] = FC_TO_NODE | node;
        made->output_delay[output] = wiring->node_delay;
        made->output_router[output] = to_node[node];
        made->node_output[node] = output;
    }
    const size_t bytes = (size_t)made->routers * sizeof(uint32_t);
    memmove(made->input_first + 1, made->input_first, bytes);
    memmove(made->output_first + 1, made->output_first, bytes);
    made->input_first[0] = made->output_first[0] = 0;
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

/* ---- the whole ---- */

static const fc_router_topology *find_topology(const char *name) {
    for (size_t i = 0; topologies[i]; ++i) {
        for (const char *const *known = topologies[i]->names; *known; ++known) {
            if (strcmp(*known, name) == 0)
                return topologies[i];
        }
    }
    return NULL;
}

fc_status fc_router_network_create(const fc_scenario *scenario, fc_error *error,
                                   fc_router_network **network) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_family *family = scenario->family;
    const int chosen = *(const int *)((const char *)scenario->parameters + family->topology_offset);
    const fc_router_topology *topology = find_topology(family->topologies[chosen]);
    if (!routed || !topology)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "a %s is not a network of routers",
                       family->topologies[chosen]);
    return topology->build(scenario, routed, error, network);
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
    fc_release(network->input_begin);
    fc_release(network->input_router);
    fc_release(network->output_router);
    fc_release(network->node_input);
    fc_release(network->node_output);
    fc_release(network);
}

/* ---- zero load ---- */

/* A message alone moves a flit per cycle unless a buffer is smaller than what is on its way between
 * a flit's leaving and the return of its credit: the loop of a link. Then its flits are the nodes
 * of a graph of least delays: flit i leaves on link k one cycle after flit i-1 at the earliest, as
 * soon as it has arrived, and loop[k] - (what flit i takes to the next router) after flit i - B has
 * left on link k + 1. The longest path through the graph is the latency. It pays to follow the
 * header as far as link m + 1, with its routing and allocation in every router, then to go round
 * loops k .. m, each at least once and the longest as often as there are B flits left. */
typedef struct walker {
    const fc_router_network *network;
    fc_course course;
    uint32_t input, channel;
} walker;

static walker start_walk(const fc_router_network *network, fc_course course) {
    return (walker){network, course, network->node_input[course.source], 0};
}

/* The link out of the router the header is in; false if that is the link into the destination. */
static bool walk_on(walker *walk, uint64_t *delay) {
    const fc_router_network *network = walk->network;
    fc_ways ways;
    network->route(network, walk->input, walk->channel, &walk->course, &ways);
    const uint32_t output = ways.way[0].output;
    *delay = network->output_delay[output];
    walk->input = network->output_end[output];
    walk->channel = (uint32_t)__builtin_ctzll(ways.way[0].channels);
    return !(walk->input & FC_TO_NODE);
}

/* Cycles from a flit's leaving to the use of its place by another: the link and the switch both
 * ways. A node's link is known a cycle sooner (docs/simulators/router.md). */
static int64_t loop_of_link(const fc_routed *routed, uint64_t delay) {
    return 2 * routed->router_delay[FC_STAGE_SWITCH] + routed->router_delay[FC_STAGE_CROSSING] +
           2 * (int64_t)delay + routed->credit_delay;
}

static int64_t loop_of_node(const fc_routed *routed) {
    const int64_t back = routed->router_delay[FC_STAGE_SWITCH] + routed->node_delay - 1;
    return routed->node_delay + (back > 1 ? back : 1);
}

/* The most cycles that loops from link `first` on can add; links is the number on the way. */
static int64_t added_by_loops(const fc_router_network *network, const fc_routed *routed,
                              fc_course course, int64_t flits, int64_t first, int64_t links) {
    const int64_t header =
        routed->router_delay[FC_STAGE_ROUTING] + routed->router_delay[FC_STAGE_ALLOCATION];
    const int64_t rounds = (flits - 1) / routed->buffer;
    walker walk = start_walk(network, course);
    int64_t best = 0, sum = 0, longest = INT64_MIN;
    for (int64_t link = 0; link <= links; ++link) {
        uint64_t delay = 0;
        if (link)
            walk_on(&walk, &delay);
        const int64_t used = link - first + 1;
        if (used < 1)
            continue;
        const int64_t excess =
            (link ? loop_of_link(routed, delay) : loop_of_node(routed)) - routed->buffer;
        sum += excess;
        longest = excess > longest ? excess : longest;
        if (used > rounds)
            break;
        const int64_t added = sum + (rounds - used) * longest - (links - link) * header;
        best = added > best ? added : best;
    }
    return best;
}

uint64_t fc_router_network_zero_load(const fc_router_network *network, const fc_routed *routed,
                                     fc_course course, uint64_t flits) {
    uint64_t router_delay = 0, time = flits + (uint64_t)routed->node_delay - 1, delay;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        router_delay += (uint64_t)routed->router_delay[stage];
    walker walk = start_walk(network, course);
    int64_t links = 0;
    bool tight = loop_of_node(routed) > routed->buffer;
    for (; walk_on(&walk, &delay); ++links) {
        time += router_delay + delay;
        tight |= loop_of_link(routed, delay) > routed->buffer;
    }
    time += router_delay + delay - 1; /* the last cycle is that of the tail, in flits already */
    int64_t added = 0;
    for (int64_t first = 0; tight && first <= links; ++first) {
        const int64_t more = added_by_loops(network, routed, course, (int64_t)flits, first, links);
        added = more > added ? more : added;
    }
    return time + (uint64_t)added;
}
