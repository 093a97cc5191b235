/* Freedom from deadlock, proven on the channel dependency graph (Dally and Seitz, IEEE Trans.
 * Computers 36(5), 1987): no circle of channels, each of whose holders may wait for the next.
 *
 * Routing with escape channels is proven as Duato does (IEEE TPDS 4(12), 1993): every header can
 * always turn to an escape channel, so only waiting for those counts; but a message may hold an
 * escape channel, go on through any number of others and then wait for an escape channel, so the
 * graph holds these indirect dependencies as well.
 *
 * All that can be met is found by following headers from all sources to one destination at a time.
 * Headers in the same state are followed once: where routing does not look at the source, the work
 * for a destination is the number of links, not of pairs times hops; and where nodes of a router
 * are alike, one of them stands for all: they differ in the links to nodes, which nobody waits for
 * in a circle. */
#include <stdio.h>
#include "base/memory.h"
#include "base/record_set.h"
#include "network/dependency_graph.h"
#include "network/router_network.h"

/* A header that has just entered a router. */
typedef struct header_state {
    uint32_t input, source, choice, state;
    uint64_t channels; /* one of which it is in */
} header_state;

typedef struct proof {
    const fc_router_network *network;
    uint64_t class;       /* channels of the class of messages that is followed */
    uint32_t destination; /* that headers are followed to */
    bool escapes;         /* some candidates are escapes ... */
    bool extended;        /* ... and only waiting for those counts */
    uint64_t *escape;     /* of each output: channels that headers may turn to from anywhere */
    fc_record_set states, ahead; /* header_state */
    fc_dependency_graph *graph;
} proof;

/* ---- following headers ---- */

static bool is_followed(const fc_router_network *network, uint32_t node) {
    return network->nodes_alike ? fc_router_stands_for(network, node)
                                : fc_router_present(network, node);
}

static bool add_starts(proof *p) {
    const fc_router_network *network = p->network;
    fc_record_set_empty(&p->states);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        if (source == p->destination || !is_followed(network, source))
            continue;
        const uint32_t variants =
            network->variants ? network->variants(network, source, p->destination) : 1;
        for (uint32_t variant = 0; variant < variants; ++variant) {
            fc_course course = {
                .source = source, .destination = p->destination, .channels = p->class};
            network->begin(network, variant, &course);
            const header_state state = {.input = network->node_input[source],
                                        .source = network->source_matters ? source : 0,
                                        .choice = course.choice,
                                        .state = course.state};
            if (!fc_record_set_add(&p->states, &state))
                return false;
        }
    }
    return true;
}

static header_state state_at(const fc_record_set *states, size_t i) {
    return ((const header_state *)states->list)[i];
}

/* The candidates of a header after one of the choices it has, and what it is like after this router
 * but for input and channels; false if there is no such choice. */
static bool look_ahead(const proof *p, const header_state *at, uint32_t chosen,
                       fc_route_candidates *candidates, header_state *next) {
    fc_course course = {.source = at->source,
                        .destination = p->destination,
                        .channels = p->class,
                        .choice = at->choice,
                        .state = at->state};
    const uint32_t channel = at->channels ? (uint32_t)__builtin_ctzll(at->channels) : 0;
    if (!fc_router_route_as(p->network, chosen, at->input, channel, &course, candidates))
        return false;
    *next = (header_state){.source = at->source, .choice = course.choice, .state = course.state};
    return true;
}

/* The candidates a header can always turn to. */
static uint32_t first_escape(const fc_route_candidates *candidates) {
    return candidates->preferred < candidates->count ? candidates->preferred : 0;
}

static bool to_node(const proof *p, const fc_route_candidate *candidate) {
    return p->network->output_end[candidate->output] & FC_TO_NODE;
}

static fc_dependency waiting(const proof *p, const header_state *at,
                             const fc_route_candidate *candidate) {
    return (fc_dependency){.from = p->network->input_begin[at->input],
                           .to = candidate->output,
                           .from_channels = at->channels,
                           .to_channels = candidate->channels};
}

/* One header: what it waits for, which of its candidates are escapes, and where it gets to. */
static bool follow_candidates(proof *p, const header_state *at,
                              const fc_route_candidates *candidates, header_state next) {
    p->escapes = p->escapes || candidates->preferred < candidates->count;
    for (uint32_t w = 0; w < candidates->count; ++w) {
        const fc_route_candidate *candidate = &candidates->list[w];
        if (to_node(p, candidate))
            continue;
        if (w >= first_escape(candidates))
            p->escape[candidate->output] |= candidate->channels;
        next.input = p->network->output_end[candidate->output];
        next.channels = candidate->channels;
        if (at->channels && !p->extended &&
            !fc_dependency_graph_add(p->graph, waiting(p, at, candidate)))
            return false;
        if (!fc_record_set_add(&p->states, &next))
            return false;
    }
    return true;
}

/* All headers on their way to the destination, with every choice they have. */
static bool follow_all(proof *p) {
    fc_route_candidates candidates;
    header_state next;
    if (!add_starts(p))
        return false;
    for (size_t i = 0; i < p->states.count; ++i) {
        const header_state at = state_at(&p->states, i);
        for (uint32_t chosen = 0; look_ahead(p, &at, chosen, &candidates, &next); ++chosen) {
            if (!follow_candidates(p, &at, &candidates, next))
                return false;
        }
    }
    return true;
}

/* The next steps of a header on its way from an escape channel through channels that are none: the
 * escape channels it can come to wait for. */
static bool follow_indirect(proof *p, const header_state *holder,
                            const fc_route_candidates *candidates, header_state next) {
    for (uint32_t w = 0; w < candidates->count; ++w) {
        const fc_route_candidate *candidate = &candidates->list[w];
        if (to_node(p, candidate))
            continue;
        if (w >= first_escape(candidates) &&
            !fc_dependency_graph_add(p->graph, waiting(p, holder, candidate)))
            return false;
        next.input = p->network->output_end[candidate->output];
        next.channels = candidate->channels & ~p->escape[candidate->output];
        if (next.channels && !fc_record_set_add(&p->ahead, &next))
            return false;
    }
    return true;
}

static bool follow_escape(proof *p, const header_state *holder) {
    fc_route_candidates candidates;
    header_state next;
    fc_record_set_empty(&p->ahead);
    if (!fc_record_set_add(&p->ahead, holder))
        return false;
    for (size_t i = 0; i < p->ahead.count; ++i) {
        const header_state at = state_at(&p->ahead, i);
        for (uint32_t chosen = 0; look_ahead(p, &at, chosen, &candidates, &next); ++chosen) {
            if (!follow_indirect(p, holder, &candidates, next))
                return false;
        }
    }
    return true;
}

static bool follow_escapes(proof *p) {
    if (!follow_all(p))
        return false;
    for (size_t i = 0; i < p->states.count; ++i) {
        header_state at = state_at(&p->states, i);
        if (!at.channels)
            continue;
        at.channels &= p->escape[p->network->input_begin[at.input]];
        if (at.channels && !follow_escape(p, &at))
            return false;
    }
    return true;
}

/* ---- the verdict ---- */

static bool follow_classes(proof *p, const fc_channel_sets *sets) {
    for (uint32_t set = 0; set < sets->count; ++set) {
        p->class = (UINT64_MAX >> (64 - sets->channels[set])) << sets->first[set];
        for (p->destination = 0; p->destination < p->network->nodes; ++p->destination) {
            if (is_followed(p->network, p->destination) &&
                !(p->extended ? follow_escapes(p) : follow_all(p)))
                return false;
        }
    }
    return true;
}

/* The first time round finds out which channels are escapes. If there are any, what headers were
 * seen to wait for is forgotten and the extended graph made instead. */
static bool collect(proof *p, const fc_routed *routed) {
    const fc_channel_sets sets = fc_channel_sets_of(routed);
    if (!follow_classes(p, &sets))
        return false;
    if (!p->escapes)
        return true;
    fc_dependency_graph_free(p->graph);
    p->graph = fc_dependency_graph_create(p->network->outputs);
    p->extended = true;
    return p->graph && follow_classes(p, &sets);
}

static fc_status print_circle(const fc_router_network *network, const fc_held_channel *circle,
                              size_t length, fc_error *error) {
    enum { SHOWN_MAX = 16 };
    char text[720];
    size_t used = 0, first = 0;
    for (size_t i = 1; i < length; ++i)
        first = circle[i].output < circle[first].output ? i : first;
    for (size_t i = 0; i < length && i < SHOWN_MAX; ++i) {
        const fc_held_channel held = circle[(first + i) % length];
        const uint32_t output = held.output;
        const uint32_t to = network->input_router[network->output_end[output]];
        used += (size_t)snprintf(text + used, sizeof text - used, "%srouter %u -> %u channel %u",
                                 i ? ", " : "", network->output_router[output], to, held.channel);
    }
    if (length > SHOWN_MAX)
        snprintf(text + used, sizeof text - used, ", ... (%zu links in all)", length);
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "messages can wait for each other in a circle: %s, and again the first", text);
}

fc_status fc_router_network_prove(const fc_router_network *network, const fc_routed *routed,
                                  fc_error *error) {
    proof p = {.network = network,
               .states = {.size = sizeof(header_state)},
               .ahead = {.size = sizeof(header_state)}};
    fc_held_channel *circle = NULL;
    size_t length = 0;
    p.graph = fc_dependency_graph_create(network->outputs);
    p.escape = fc_allocate(network->outputs, sizeof *p.escape);
    fc_status status = p.graph && p.escape && collect(&p, routed) ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = fc_dependency_graph_circle(p.graph, error, &circle, &length);
    if (status == FC_OK && length > 0)
        status = print_circle(network, circle, length, error);
    fc_release(circle);
    fc_release(p.escape);
    fc_record_set_release(&p.states);
    fc_record_set_release(&p.ahead);
    fc_dependency_graph_free(p.graph);
    return status;
}
