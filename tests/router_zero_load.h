/* What a message takes that is alone in a network of routers. */
#ifndef ROUTER_ZERO_LOAD_H
#define ROUTER_ZERO_LOAD_H

#include "network/router_network.h"
#include "scenario/routed.h"

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

static inline walker start_walk(const fc_router_network *network, fc_course course) {
    return (walker){network, course, network->node_input[course.source], 0};
}

/* The output by which the header leaves the router it is in; false if it leads to the destination.
 */
static inline bool walk_over(walker *walk, uint32_t *output) {
    const fc_router_network *network = walk->network;
    fc_route_candidates candidates;
    fc_router_route_as(network, 0, walk->input, walk->channel, &walk->course, &candidates);
    *output = candidates.list[0].output;
    walk->input = network->output_end[*output];
    walk->channel = (uint32_t)__builtin_ctzll(candidates.list[0].channels);
    return !(walk->input & FC_TO_NODE);
}

/* The delay of that link. */
static inline bool walk_on(walker *walk, uint64_t *delay) {
    uint32_t output;
    const bool more = walk_over(walk, &output);
    *delay = walk->network->output_delay[output];
    return more;
}

/* Cycles from a flit's leaving to the use of its place by another: the link and the switch both
 * ways. A node's link is known a cycle sooner (docs/simulators/router.md). */
static inline int64_t loop_of_link(const fc_routed *routed, uint64_t delay) {
    return 2 * routed->router_delay[FC_STAGE_SWITCH] + routed->router_delay[FC_STAGE_CROSSING] +
           2 * (int64_t)delay + routed->credit_delay;
}

static inline int64_t loop_of_node(const fc_routed *routed) {
    const int64_t back = routed->router_delay[FC_STAGE_SWITCH] + routed->node_delay - 1;
    return routed->node_delay + (back > 1 ? back : 1);
}

/* The most cycles that loops from link `first` on can add; links is the number on the way. */
static inline int64_t added_by_loops(const fc_router_network *network, const fc_routed *routed,
                                     fc_course course, int64_t flits, int64_t first,
                                     int64_t links) {
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

/* The latency of a message that meets no other: exact for every setting. Walks the first preferred
 * way at each router. */
static inline uint64_t zero_load(const fc_router_network *network, const fc_routed *routed,
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

#endif
