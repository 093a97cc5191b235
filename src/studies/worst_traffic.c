/* The permutation that loads a network most (Towles and Dally, Worst-case traffic for oblivious
 * routing functions, SPAA 2002).
 *
 * With oblivious routing a message from s to d crosses a link with a probability that does not
 * depend on the other traffic. What a permutation puts on one link is the sum of these over its
 * pairs, so the worst permutation for the link is a matching of sources and destinations of maximum
 * weight; the worst of all is the largest over the links. Any other traffic in which no node sends
 * or receives more than in a permutation is a mixture of permutations, so none is worse.
 *
 * Links are taken in the order of a bound (each source, or each destination, at its most), and no
 * more once the bound is below what was found; of links that are alike by symmetry one is taken.
 * Requests with replies: a pair loads the links of both directions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/assignment.h"
#include "base/memory.h"
#include "base/status.h"
#include "models/router/router_paths.h"
#include "network/router_network.h"

enum { NODES_MOST = 1024, HOPS_MOST = 1 << 16 };
static const size_t crossings_most = (size_t)40 << 20;

/* A pair of nodes on a link. */
typedef struct crossing {
    uint32_t output, source, destination;
    float flits; /* per message */
} crossing;

typedef struct survey {
    const fc_router_network *network;
    fc_message_kinds kinds;
    crossing *list;
    size_t count, room;
    double *flits;     /* outputs: of the pair that is followed now */
    uint32_t *touched; /* outputs it crosses */
    uint32_t touched_count;
    size_t *first;                /* outputs + 1: in `list`, once it is sorted */
    double *most_from, *most_to;  /* nodes: while a bound is found */
    uint32_t *row_of, *column_of; /* nodes: in the table of one link */
} survey;

typedef struct candidate {
    uint32_t output;
    double bound;
} candidate;

/* ---- who crosses what ---- */

static void cross(survey *s, uint32_t output, double flits) {
    if (s->flits[output] == 0)
        s->touched[s->touched_count++] = output;
    s->flits[output] += flits;
}

/* Follows one variant of a message's path to its end. */
static fc_status follow(survey *s, fc_course *course, uint32_t source, double flits,
                        fc_error *error) {
    const fc_router_network *network = s->network;
    uint32_t input = network->node_input[source];
    uint32_t channel = (uint32_t)__builtin_ctzll(course->channels);
    for (uint32_t hop = 0; hop < HOPS_MOST; ++hop) {
        fc_route_candidates candidates;
        network->route(network, input, channel, course, &candidates);
        if (candidates.preferred != 1)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the worst traffic is known for oblivious routing only; here messages "
                           "choose their path by the traffic they meet (network.routing)");
        const uint32_t end = network->output_end[candidates.list[0].output];
        if (end & FC_TO_NODE)
            return FC_OK;
        cross(s, candidates.list[0].output, flits);
        input = end;
        channel = (uint32_t)__builtin_ctzll(candidates.list[0].channels);
    }
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "a message to node %u is routed in circles",
                   (unsigned)course->destination);
}

static fc_status follow_all(survey *s, uint32_t from, uint32_t to, size_t kind, fc_error *error) {
    const fc_router_network *network = s->network;
    const uint32_t variants = network->variants ? network->variants(network, from, to) : 1;
    fc_status status = FC_OK;
    for (uint32_t v = 0; v < variants && status == FC_OK; ++v) {
        fc_course course = {.source = from, .destination = to, .channels = s->kinds.channels[kind]};
        network->begin(network, v, &course);
        status = follow(s, &course, from, s->kinds.mean[kind] / variants, error);
    }
    return status;
}

static fc_status keep_crossings(survey *s, uint32_t source, uint32_t destination, fc_error *error) {
    if (s->count + s->touched_count > s->room) {
        const size_t room = 2 * s->room + s->touched_count;
        if (room > crossings_most)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the worst traffic of this network takes too much memory: its messages "
                           "spread over too many links");
        crossing *grown = fc_reallocate(s->list, room, sizeof *grown);
        if (!grown)
            return fc_fail_memory(error);
        s->list = grown;
        s->room = room;
    }
    for (uint32_t i = 0; i < s->touched_count; ++i) {
        const uint32_t output = s->touched[i];
        s->list[s->count++] = (crossing){output, source, destination, (float)s->flits[output]};
        s->flits[output] = 0;
    }
    s->touched_count = 0;
    return FC_OK;
}

static int by_output(const void *a, const void *b) {
    const crossing *x = a, *y = b;
    if (x->output != y->output)
        return x->output < y->output ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->destination > y->destination) - (x->destination < y->destination);
}

static fc_status survey_pairs(survey *s, fc_error *error) {
    const uint32_t nodes = s->network->nodes, outputs = s->network->outputs;
    fc_status status = FC_OK;
    for (uint32_t from = 0; from < nodes; ++from) {
        for (uint32_t to = 0; to < nodes && status == FC_OK; ++to) {
            if (from == to || !fc_router_present(s->network, from) ||
                !fc_router_present(s->network, to))
                continue;
            status = follow_all(s, from, to, 0, error);
            if (status == FC_OK && s->kinds.count > 1)
                status = follow_all(s, to, from, 1, error);
            if (status == FC_OK)
                status = keep_crossings(s, from, to, error);
        }
    }
    if (status != FC_OK)
        return status;
    qsort(s->list, s->count, sizeof *s->list, by_output);
    for (size_t i = 0; i < s->count; ++i)
        ++s->first[s->list[i].output + 1];
    for (uint32_t o = 0; o < outputs; ++o)
        s->first[o + 1] += s->first[o];
    return FC_OK;
}

/* ---- the worst link ---- */

/* What no permutation exceeds on a link. */
static double bound_of(survey *s, uint32_t output) {
    double from = 0, to = 0;
    for (size_t i = s->first[output]; i < s->first[output + 1]; ++i)
        s->most_from[s->list[i].source] = s->most_to[s->list[i].destination] = 0;
    for (size_t i = s->first[output]; i < s->first[output + 1]; ++i) {
        const crossing *c = &s->list[i];
        from += fmax(0, c->flits - s->most_from[c->source]);
        to += fmax(0, c->flits - s->most_to[c->destination]);
        s->most_from[c->source] = fmax(s->most_from[c->source], c->flits);
        s->most_to[c->destination] = fmax(s->most_to[c->destination], c->flits);
    }
    return fmin(from, to);
}

static int by_bound(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound > y->bound ? -1 : 1;
    return (x->output > y->output) - (x->output < y->output);
}

/* Links between routers; of links that are alike the first. Returns their number. */
static uint32_t list_candidates(survey *s, candidate *list) {
    const fc_router_network *network = s->network;
    uint32_t count = 0, kinds[256], kind_count = 0;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE || s->first[o] == s->first[o + 1])
            continue;
        if (network->node_stride && !network->only_loads_alike) {
            const uint32_t kind = network->link_kind(network, o);
            uint32_t k = 0;
            while (k < kind_count && kinds[k] != kind)
                ++k;
            if (k < kind_count)
                continue;
            if (kind_count < sizeof kinds / sizeof *kinds)
                kinds[kind_count++] = kind;
        }
        list[count++] = (candidate){o, bound_of(s, o)};
    }
    qsort(list, count, sizeof *list, by_bound);
    return count;
}

/* The matching of one link: destination of each source, FC_UNASSIGNED for those that do not
 * matter. */
static fc_status match(survey *s, uint32_t output, uint32_t *destination, double *sum) {
    const uint32_t nodes = s->network->nodes;
    uint32_t rows = 0, columns = 0;
    uint32_t *nodes_of = fc_allocate((size_t)2 * nodes, sizeof *nodes_of);
    uint32_t *matched = fc_allocate(nodes, sizeof *matched);
    if (!nodes_of || !matched) {
        fc_release(nodes_of);
        fc_release(matched);
        return FC_ERROR_MEMORY;
    }
    memset(s->row_of, 0xff, nodes * sizeof *s->row_of);
    memset(s->column_of, 0xff, nodes * sizeof *s->column_of);
    for (size_t i = s->first[output]; i < s->first[output + 1]; ++i) {
        const crossing *c = &s->list[i];
        if (s->row_of[c->source] == UINT32_MAX) {
            nodes_of[rows] = c->source;
            s->row_of[c->source] = rows++;
        }
        if (s->column_of[c->destination] == UINT32_MAX) {
            nodes_of[nodes + columns] = c->destination;
            s->column_of[c->destination] = columns++;
        }
    }
    double *weights = fc_allocate((size_t)rows * columns, sizeof *weights);
    fc_status status = weights ? FC_OK : FC_ERROR_MEMORY;
    if (weights) {
        for (size_t i = s->first[output]; i < s->first[output + 1]; ++i)
            weights[(size_t)s->row_of[s->list[i].source] * columns +
                    s->column_of[s->list[i].destination]] = s->list[i].flits;
        status = fc_assign_most(rows, columns, weights, matched, sum);
    }
    for (uint32_t n = 0; n < nodes; ++n)
        destination[n] = FC_UNASSIGNED;
    for (uint32_t r = 0; r < rows && status == FC_OK; ++r) {
        if (matched[r] != FC_UNASSIGNED && weights[(size_t)r * columns + matched[r]] > 0)
            destination[nodes_of[r]] = nodes_of[nodes + matched[r]];
    }
    fc_release(weights);
    fc_release(nodes_of);
    fc_release(matched);
    return status;
}

/* Gives the sources that do not matter the destinations that are left; one that is left with
 * itself stays idle. */
static void complete(uint32_t nodes, uint32_t *destination, uint32_t *free_nodes, bool *taken) {
    uint32_t count = 0, used = 0;
    memset(taken, 0, nodes * sizeof *taken);
    for (uint32_t n = 0; n < nodes; ++n) {
        if (destination[n] != FC_UNASSIGNED)
            taken[destination[n]] = true;
    }
    for (uint32_t n = 0; n < nodes; ++n) {
        if (!taken[n])
            free_nodes[count++] = n;
    }
    uint32_t last = FC_UNASSIGNED;
    for (uint32_t n = 0; n < nodes; ++n) {
        if (destination[n] != FC_UNASSIGNED)
            continue;
        destination[n] = free_nodes[used++];
        if (destination[n] == n) {
            const uint32_t other = used < count ? used : UINT32_MAX;
            if (other != UINT32_MAX) {
                destination[n] = free_nodes[other];
                free_nodes[other] = n;
            } else if (last != FC_UNASSIGNED) {
                destination[n] = destination[last];
                destination[last] = n;
            } else {
                destination[n] = FC_UNASSIGNED;
                continue;
            }
        }
        last = n;
    }
}

static fc_status find_worst(survey *s, fc_worst_traffic *worst) {
    const uint32_t nodes = s->network->nodes;
    candidate *list = fc_allocate(s->network->outputs, sizeof *list);
    uint32_t *destination = fc_allocate(nodes, sizeof *destination);
    uint32_t *free_nodes = fc_allocate(nodes, sizeof *free_nodes);
    bool *taken = fc_allocate(nodes, sizeof *taken);
    fc_status status = list && destination && free_nodes && taken ? FC_OK : FC_ERROR_MEMORY;
    uint32_t worst_output = UINT32_MAX;
    const uint32_t count = status == FC_OK ? list_candidates(s, list) : 0;
    for (uint32_t n = 0; n < nodes; ++n)
        worst->destinations[n] = FC_UNASSIGNED;
    for (uint32_t i = 0; i < count && status == FC_OK; ++i) {
        if (list[i].bound <= worst->link_flits * (1 + 1e-6))
            break;
        double sum = 0;
        status = match(s, list[i].output, destination, &sum);
        ++worst->matchings;
        if (status == FC_OK && sum > worst->link_flits * (1 + 1e-6)) {
            worst->link_flits = sum;
            worst_output = list[i].output;
            memcpy(worst->destinations, destination, nodes * sizeof *destination);
        }
    }
    if (status == FC_OK)
        complete(nodes, worst->destinations, free_nodes, taken);
    if (worst_output != UINT32_MAX)
        snprintf(worst->link, sizeof worst->link, "router %u to router %u",
                 (unsigned)s->network->output_router[worst_output],
                 (unsigned)s->network->input_router[s->network->output_end[worst_output]]);
    fc_release(list);
    fc_release(destination);
    fc_release(free_nodes);
    fc_release(taken);
    return status;
}

/* ---- the study ---- */

static bool make_room(survey *s, uint32_t nodes, uint32_t outputs) {
    s->room = nodes;
    s->list = fc_allocate(s->room, sizeof *s->list);
    s->flits = fc_allocate(outputs, sizeof *s->flits);
    s->touched = fc_allocate(outputs, sizeof *s->touched);
    s->first = fc_allocate((size_t)outputs + 1, sizeof *s->first);
    s->most_from = fc_allocate(nodes, sizeof *s->most_from);
    s->most_to = fc_allocate(nodes, sizeof *s->most_to);
    s->row_of = fc_allocate(nodes, sizeof *s->row_of);
    s->column_of = fc_allocate(nodes, sizeof *s->column_of);
    return s->list && s->flits && s->touched && s->first && s->most_from && s->most_to &&
           s->row_of && s->column_of;
}

static void release(survey *s) {
    fc_release(s->list);
    fc_release(s->flits);
    fc_release(s->touched);
    fc_release(s->first);
    fc_release(s->most_from);
    fc_release(s->most_to);
    fc_release(s->row_of);
    fc_release(s->column_of);
}

static fc_status study(const fc_scenario *scenario, const fc_router_network *network,
                       fc_error *error, fc_worst_traffic *worst) {
    survey s = {.network = network, .kinds = fc_message_kinds_of(fc_scenario_routed(scenario))};
    worst->nodes = network->nodes;
    worst->destinations = fc_allocate(network->nodes, sizeof *worst->destinations);
    for (size_t k = 0; k < s.kinds.count; ++k)
        worst->node_flits += s.kinds.mean[k];
    fc_status status = FC_OK;
    if (!worst->destinations || !make_room(&s, network->nodes, network->outputs))
        status = fc_fail_memory(error);
    if (status == FC_OK)
        status = survey_pairs(&s, error);
    if (status == FC_OK && find_worst(&s, worst) != FC_OK)
        status = fc_fail_memory(error);
    worst->rate = 1 / fmax(worst->link_flits, worst->node_flits);
    release(&s);
    return status;
}

static fc_status check(const fc_scenario *scenario, fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!routed || routed->workload)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the worst traffic is that of a network of routers with a traffic.rate");
    if (routed->widths_differ)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the worst traffic is known for links of one flit per cycle only");
    if (routed->routes_by_queues)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the worst traffic is known for oblivious routing only; network.routing "
                       "looks at queues here");
    if (routed->nodes > NODES_MOST)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the worst traffic is found for networks of up to %d nodes; this one has "
                       "%lld",
                       NODES_MOST, (long long)routed->nodes);
    return FC_OK;
}

fc_status fc_worst_traffic_find(const fc_scenario *scenario, fc_error *error,
                                fc_worst_traffic **worst) {
    fc_status status = check(scenario, error);
    if (status != FC_OK)
        return status;
    fc_worst_traffic *made = fc_allocate(1, sizeof *made);
    fc_router_network *network = NULL;
    if (!made)
        return fc_fail_memory(error);
    status = fc_router_network_create(scenario, error, &network);
    if (status == FC_OK && network->ports)
        status = fc_fail(error, FC_ERROR_UNSUPPORTED,
                         "the worst traffic is known for nodes with one port each");
    if (status == FC_OK)
        status = study(scenario, network, error, made);
    fc_router_network_free(network);
    if (status != FC_OK) {
        fc_worst_traffic_free(made);
        return status;
    }
    *worst = made;
    return FC_OK;
}

void fc_worst_traffic_free(fc_worst_traffic *worst) {
    if (!worst)
        return;
    fc_release(worst->destinations);
    fc_release(worst);
}
