/* Freedom from deadlock, proven on the channel dependency graph (Dally and Seitz, IEEE Trans.
 * Computers 36(5), 1987): no circle of channels, each of whose holders may wait for the next.
 *
 * Routing with escape channels is proven as Duato does (IEEE TPDS 4(12), 1993): every header can
 * always turn to an escape channel, so only waiting for those counts; but a message may hold an
 * escape channel, go on through any number of others and then wait for an escape channel, so the
 * graph holds these indirect dependencies as well.
 *
 * Where a message is answered, its node takes it only while there is room for the answer, which has
 * to leave first: what the message holds waits for the channels of the answer from that node on.
 * Classes whose answers have channels apart, in an order of the classes, need no more than the
 * proof of each set of channels. For the others these dependencies are joined to those of channels:
 * then links from nodes are channels too, and headers are followed between the pairs only that send
 * each other messages of a class (answer_flows.h).
 *
 * All that can be met is found by following headers from all sources to one destination at a time.
 * Headers in the same state are followed once: where routing does not look at the source, the work
 * for a destination is the number of links, not of pairs times hops; and where nodes of a router
 * are alike, one of them stands for all: they differ in the links to nodes, which nobody waits for
 * in a circle. */
#include <stdio.h>
#include "base/memory.h"
#include "base/record_set.h"
#include "network/answer_flows.h"
#include "network/dependency_graph.h"
#include "network/node_ports.h"
#include "network/router_network.h"

/* A header that has just entered a router. */
typedef struct header_state {
    uint32_t input, source, choice, state;
    uint64_t channels; /* one of which it is in */
} header_state;

typedef struct proof {
    const fc_router_network *network;
    const fc_answer_flows *flows; /* NULL: answers have channels apart */
    uint32_t kind;                /* with flows: the class of messages that is followed ... */
    uint64_t class;               /* ... and its channels */
    uint32_t destination;         /* that headers are followed to */
    bool escapes;                 /* some candidates are escapes ... */
    bool extended;                /* ... and only waiting for those counts */
    uint64_t *escape; /* of each output: channels that headers may turn to from anywhere */
    fc_record_set states, ahead; /* header_state */
    fc_dependency_graph *graph;
} proof;

/* ---- following headers ---- */

static bool is_followed(const proof *p, uint32_t node) {
    return p->network->nodes_alike && !p->flows ? fc_router_stands_for(p->network, node)
                                                : fc_router_present(p->network, node);
}

static bool sends(const proof *p, uint32_t source) {
    return p->flows ? fc_answer_flows_goes(p->flows, p->kind, fc_node_of(p->network, source),
                                           fc_node_of(p->network, p->destination)) &&
                          (!p->network->ports || fc_ports_join(p->network, source, p->destination))
                    : source != p->destination && is_followed(p, source) &&
                          fc_ports_join(p->network, source, p->destination);
}

static bool add_starts(proof *p) {
    const fc_router_network *network = p->network;
    fc_record_set_empty(&p->states);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        if (!sends(p, source))
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

/* A link from a node is a channel where answers have to take it, numbered after the outputs. */
static bool from_node(const proof *p, const header_state *at) {
    return p->network->input_begin[at->input] & FC_TO_NODE;
}

static bool holds(const proof *p, const header_state *at) {
    return at->channels || (p->flows && from_node(p, at));
}

/* The node has to send an answer before it takes the message: over a link of its own. */
static bool add_answer(proof *p, fc_dependency made) {
    const struct fc_ports *ports = p->network->ports;
    const uint32_t node = fc_node_of(p->network, p->destination);
    const uint32_t answer = p->flows ? fc_answer_flows_answer(p->flows, p->kind, node) : FC_NONE;
    if (answer == FC_NONE)
        return true;
    const uint32_t last = ports ? ports->first[node + 1] : node + 1;
    made.to_channels = fc_class_channels(&p->flows->classes.list[answer]);
    for (uint32_t end = ports ? ports->first[node] : node; end < last; ++end) {
        made.to = p->network->outputs + end;
        if (!fc_dependency_graph_add(p->graph, made))
            return false;
    }
    return true;
}

/* What the holder of a channel waits for behind a candidate: that channel; or, where the candidate
 * leads to the node that answers, the link from it. */
static bool add_waiting(proof *p, const header_state *at, const fc_route_candidate *candidate) {
    const uint32_t begin = p->network->input_begin[at->input];
    const bool node = begin & FC_TO_NODE;
    const fc_dependency made = {.from = node ? p->network->outputs + (begin & ~FC_TO_NODE) : begin,
                                .from_channels = node ? p->class : at->channels,
                                .to = candidate->output,
                                .to_channels = candidate->channels};
    return to_node(p, candidate) ? add_answer(p, made) : fc_dependency_graph_add(p->graph, made);
}

/* One header: what it waits for, which of its candidates are escapes, and where it gets to. */
static bool follow_candidates(proof *p, const header_state *at,
                              const fc_route_candidates *candidates, header_state next) {
    p->escapes = p->escapes || candidates->preferred < candidates->count;
    for (uint32_t w = 0; w < candidates->count; ++w) {
        const fc_route_candidate *candidate = &candidates->list[w];
        if (holds(p, at) && !p->extended && !add_waiting(p, at, candidate))
            return false;
        if (to_node(p, candidate))
            continue;
        if (w >= first_escape(candidates))
            p->escape[candidate->output] |= candidate->channels;
        next.input = p->network->output_end[candidate->output];
        next.channels = candidate->channels;
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
        if ((to_node(p, candidate) || w >= first_escape(candidates)) &&
            !add_waiting(p, holder, candidate))
            return false;
        if (to_node(p, candidate))
            continue;
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
        if (!from_node(p, &at))
            at.channels &= p->escape[p->network->input_begin[at.input]];
        if (holds(p, &at) && !follow_escape(p, &at))
            return false;
    }
    return true;
}

/* ---- the verdict ---- */

static bool follow_class(proof *p, uint64_t channels) {
    p->class = channels;
    for (p->destination = 0; p->destination < p->network->nodes; ++p->destination) {
        if (is_followed(p, p->destination) && !(p->extended ? follow_escapes(p) : follow_all(p)))
            return false;
    }
    return true;
}

/* Sets of channels, or classes of messages where those are told apart. */
static bool follow_classes(proof *p, const fc_channel_sets *sets) {
    const size_t count = p->flows ? p->flows->classes.count : sets->count;
    for (p->kind = 0; p->kind < count; ++p->kind) {
        if (!follow_class(p, p->flows ? fc_class_channels(&p->flows->classes.list[p->kind])
                                      : (UINT64_MAX >> (64 - sets->channels[p->kind]))
                                            << sets->first[p->kind]))
            return false;
    }
    return true;
}

static fc_dependency_graph *create_graph(const proof *p) {
    return fc_dependency_graph_create(p->network->outputs + (p->flows ? p->network->nodes : 0));
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
    p->graph = create_graph(p);
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
        const char *comma = i ? ", " : "";
        char *end = text + used, node[32] = "";
        if (held.output >= network->outputs)
            fc_end_name(network, held.output - network->outputs, sizeof node, node);
        used +=
            (size_t)(node[0] ? snprintf(end, sizeof text - used, "%snode %s -> router channel %u",
                                        comma, node, held.channel)
                             : snprintf(end, sizeof text - used, "%srouter %u -> %u channel %u",
                                        comma, network->output_router[held.output],
                                        network->input_router[network->output_end[held.output]],
                                        held.channel));
    }
    if (length > SHOWN_MAX)
        snprintf(text + used, sizeof text - used, ", ... (%zu links in all)", length);
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "messages can wait for each other in a circle: %s, and again the first", text);
}

static fc_status prove(proof *p, const fc_routed *routed, fc_error *error) {
    fc_held_channel *circle = NULL;
    size_t length = 0;
    p->states.size = p->ahead.size = sizeof(header_state);
    p->graph = create_graph(p);
    p->escape = fc_allocate(p->network->outputs, sizeof *p->escape);
    fc_status status = p->graph && p->escape && collect(p, routed) ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = fc_dependency_graph_circle(p->graph, error, &circle, &length);
    if (status == FC_OK && length > 0)
        status = print_circle(p->network, circle, length, error);
    fc_release(circle);
    fc_release(p->escape);
    fc_record_set_release(&p->states);
    fc_record_set_release(&p->ahead);
    fc_dependency_graph_free(p->graph);
    return status;
}

fc_status fc_router_network_prove(const fc_router_network *network, const fc_routed *routed,
                                  fc_error *error) {
    proof p = {.network = network};
    return prove(&p, routed, error);
}

fc_status fc_router_network_prove_answers(const fc_scenario *scenario,
                                          const fc_router_network *network, fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    char chain[480];
    fc_answer_flows flows = {.classes = fc_classes_of(routed)};
    if (!fc_classes_circle(&flows.classes, sizeof chain, chain))
        return FC_OK;
    fc_status status = fc_answer_flows_fill(scenario, network, error, &flows);
    fc_error cause = {.text = ""};
    if (status == FC_OK) {
        proof p = {.network = network, .flows = &flows};
        status = prove(&p, routed, &cause);
    }
    fc_answer_flows_release(&flows);
    return cause.text[0] ? fc_scenario_fail_key(
                               scenario, "traffic.classes", error,
                               "%s: an answer needs channels that what it answers holds, %s; give "
                               "each class of the chain virtual channels of its own",
                               cause.text, chain)
                         : status;
}
