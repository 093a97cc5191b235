/* Networks of routers made without a file, and what holds for each of them. */
#ifndef ROUTER_SUPPORT_H
#define ROUTER_SUPPORT_H

#include <stdlib.h>
#include <string.h>
#include "network/router_network.h"
#include "router_zero_load.h"
#include "scenario/scenario.h"
#include "scenario/torus.h"

static inline fc_routed router_timing(int64_t channels) {
    return (fc_routed){.link_delay = 1,
                       .node_delay = 1,
                       .input_speedup = FC_INFINITE,
                       .allocator_rounds = 1,
                       .concentration = 1,
                       .virtual_channels = channels,
                       .buffer = 4,
                       .handover = FC_NEXT_CYCLE,
                       .injection_channels = channels,
                       .ejection_channels = 1,
                       .message_flits = 4,
                       .outstanding = FC_INFINITE,
                       .hot_node = -1};
}

static inline fc_torus router_torus(int topology, fc_integer_list radix, int64_t channels,
                                    int rule) {
    fc_torus torus = {.topology = topology,
                      .radix = radix,
                      .channel_rule = rule,
                      .nodes = 1,
                      .routed = router_timing(channels)};
    for (size_t d = 0; d < radix.count; ++d)
        torus.nodes *= radix.values[d];
    torus.routed.nodes = torus.nodes;
    torus.routed.digits = radix;
    return torus;
}

static inline fc_scenario router_scenario(fc_torus *torus) {
    static char name[] = "routers";
    return (fc_scenario){.name = name, .family = &fc_torus_family, .parameters = torus};
}

/* Every port is where the tables say, and every link has two ends. */
static inline void check_ports(const fc_router_network *network) {
    assert_int_equal(network->input_first[0], 0);
    assert_int_equal(network->input_first[network->routers], network->inputs);
    assert_int_equal(network->output_first[0], 0);
    assert_int_equal(network->output_first[network->routers], network->outputs);
    for (uint32_t router = 0; router < network->routers; ++router) {
        for (uint32_t i = network->input_first[router]; i < network->input_first[router + 1]; ++i)
            assert_int_equal(network->input_router[i], router);
        for (uint32_t o = network->output_first[router]; o < network->output_first[router + 1]; ++o)
            assert_int_equal(network->output_router[o], router);
    }
    for (uint32_t output = 0; output < network->outputs; ++output) {
        const uint32_t end = network->output_end[output];
        if (end & FC_TO_NODE)
            assert_int_equal(network->node_output[end & ~FC_TO_NODE], output);
        else
            assert_int_equal(network->input_begin[end], output);
        assert_true(network->output_delay[output] >= 1);
    }
    for (uint32_t input = 0; input < network->inputs; ++input) {
        const uint32_t begin = network->input_begin[input];
        if (begin & FC_TO_NODE)
            assert_int_equal(network->node_input[begin & ~FC_TO_NODE], input);
        else
            assert_int_equal(network->output_end[begin], input);
    }
}

/* Links from each router to all others, by breadth-first search; UINT32_MAX: no path. */
static inline void find_distances(const fc_router_network *network, uint32_t from,
                                  uint32_t *distance) {
    uint32_t *queue = calloc(network->routers, sizeof *queue), first = 0, last = 0;
    for (uint32_t router = 0; router < network->routers; ++router)
        distance[router] = UINT32_MAX;
    distance[from] = 0;
    queue[last++] = from;
    while (first < last) {
        const uint32_t at = queue[first++];
        for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
            const uint32_t end = network->output_end[o];
            if (end & FC_TO_NODE || distance[network->input_router[end]] != UINT32_MAX)
                continue;
            distance[network->input_router[end]] = distance[at] + 1;
            queue[last++] = network->input_router[end];
        }
    }
    free(queue);
}

typedef struct walk_result {
    uint32_t shortest, longest; /* links */
    uint32_t most_candidates;   /* at one router */
} walk_result;

/* Follows every path of a course to its end, with every choice there is, and checks each step. */
static inline void walk_all(const fc_router_network *network, fc_course start, uint32_t input,
                            uint32_t channel, uint32_t links, walk_result *result) {
    fc_route_candidates candidates;
    fc_course course = start;
    assert_true(links < 1000);
    memset(&candidates, 0xff, sizeof candidates);
    for (uint32_t chosen = 0;
         fc_router_route_as(network, chosen, input, channel, &course, &candidates);
         ++chosen, course = start) {
        assert_in_range(candidates.count, 1, FC_CANDIDATES_MAX);
        assert_in_range(candidates.preferred, 1, candidates.count);
        if (candidates.count > result->most_candidates)
            result->most_candidates = candidates.count;
        for (uint32_t i = 0; i < candidates.count; ++i) {
            const fc_route_candidate candidate = candidates.list[i];
            assert_true(candidate.channels != 0);
            assert_int_equal(network->output_router[candidate.output],
                             network->input_router[input]);
            const uint32_t end = network->output_end[candidate.output];
            if (end & FC_TO_NODE) {
                assert_int_equal(end & ~FC_TO_NODE, course.destination);
                assert_int_equal(candidates.count, 1);
                assert_true(candidate.channels == UINT64_MAX);
                if (links < result->shortest)
                    result->shortest = links;
                if (links > result->longest)
                    result->longest = links;
                continue;
            }
            assert_true((candidate.channels & ~course.channels) == 0);
            walk_all(network, course, end, (uint32_t)__builtin_ctzll(candidate.channels), links + 1,
                     result);
        }
    }
}

static inline walk_result walk_pair(const fc_router_network *network, uint32_t source,
                                    uint32_t destination, uint64_t channels) {
    walk_result result = {.shortest = UINT32_MAX};
    const uint32_t variants =
        network->variants ? network->variants(network, source, destination) : 1;
    for (uint32_t variant = 0; variant < variants; ++variant) {
        fc_course course = {.source = source, .destination = destination, .channels = channels};
        network->begin(network, variant, &course);
        walk_all(network, course, network->node_input[source], 0, 0, &result);
    }
    return result;
}

/* All paths of all pairs end where they should; if minimal, they are shortest. */
static inline void check_paths(const fc_router_network *network, bool minimal, uint64_t channels) {
    uint32_t *distance = calloc(network->routers, sizeof *distance);
    check_ports(network);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        find_distances(network, network->input_router[network->node_input[source]], distance);
        for (uint32_t to = 0; to < network->nodes; ++to) {
            const walk_result walked = walk_pair(network, source, to, channels);
            const uint32_t shortest = distance[network->output_router[network->node_output[to]]];
            assert_int_equal(walked.shortest, shortest);
            if (minimal)
                assert_int_equal(walked.longest, shortest);
        }
    }
    free(distance);
}

/* Links of a course along its first candidates, checked against the zero-load latency. */
static inline void check_zero_load(const fc_router_network *network, const fc_routed *routed,
                                   fc_course course, uint32_t links) {
    uint64_t per_router = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        per_router += (uint64_t)routed->router_delay[stage];
    const uint64_t flits = 5;
    fc_routed roomy = *routed;
    roomy.buffer = 1024;
    const uint64_t expected = flits + links * (uint64_t)routed->link_delay +
                              (links + 1) * per_router + 2 * (uint64_t)(routed->node_delay - 1);
    assert_int_equal(zero_load(network, &roomy, course, flits), expected);
}

#endif
