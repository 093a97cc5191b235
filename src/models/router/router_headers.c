#include "models/router/router_headers.h"

#include <math.h>
#include "base/memory.h"

/* ---- the graph ---- */

static bool is_like(const fc_header *a, const fc_header *b) {
    return a->input == b->input && a->choice == b->choice && a->state == b->state &&
           a->source == b->source && a->channels == b->channels && a->past == b->past;
}

static size_t hash_of(const fc_header *h) {
    uint64_t mixed = (uint64_t)h->input << 32 | h->choice;
    mixed = mixed * 0x9e3779b97f4a7c15u ^ ((uint64_t)h->state << 32 | h->past);
    mixed = mixed * 0xbf58476d1ce4e5b9u ^ h->channels ^ (uint64_t)h->source << 20;
    mixed *= 0x94d049bb133111ebu;
    return (size_t)(mixed ^ mixed >> 29);
}

static void put_header(fc_header_graph *g, size_t index) {
    size_t at = hash_of(&g->headers[index]) & (g->table_size - 1);
    while (g->table[at])
        at = (at + 1) & (g->table_size - 1);
    g->table[at] = (uint32_t)index + 1;
    g->headers[index].place = (uint32_t)at;
}

/* Room for another header, and a table of as many slots as keep it short of collisions. */
static bool grow_headers(fc_header_graph *g) {
    fc_header *headers =
        fc_make_room(g->headers, &g->header_room, g->header_count, 1, sizeof *headers);
    if (!headers)
        return false;
    g->headers = headers;
    fc_release(g->table);
    g->table_size = 4 * g->header_room;
    g->table = fc_allocate(g->table_size, sizeof *g->table);
    for (size_t i = 0; g->table && i < g->header_count; ++i)
        put_header(g, i);
    return g->table != NULL;
}

/* The header like this one, added if it is new; FC_NO_HEADER if out of memory. */
static int32_t find_header(fc_header_graph *g, const fc_header *like) {
    if (g->header_count == g->header_room && !grow_headers(g))
        return FC_NO_HEADER;
    size_t at = hash_of(like) & (g->table_size - 1);
    for (; g->table[at]; at = (at + 1) & (g->table_size - 1)) {
        if (is_like(&g->headers[g->table[at] - 1], like))
            return (int32_t)g->table[at] - 1;
    }
    g->headers[g->header_count] = *like;
    g->headers[g->header_count].place = (uint32_t)at;
    g->table[at] = (uint32_t)++g->header_count;
    return (int32_t)g->header_count - 1;
}

static uint32_t past_with(const fc_header_graph *g, const fc_header *at, fc_path_link hop) {
    if (!g->flows->paths->tight)
        return 0;
    if (g->flows->paths->equal_delays)
        return at->hop + 1;
    const uint32_t mixed = (at->past + 1) * 0x9e3779b9u + hop.delay + hop.interval * 0x85ebca6bu;
    return mixed ^ mixed >> 15;
}

/* Links side by side, of one width: whoever may take them divides evenly. */
static bool are_parallel(const fc_router_network *network, uint32_t a, uint32_t b) {
    const uint32_t end = network->output_end[a], other = network->output_end[b];
    return !((end | other) & FC_TO_NODE) &&
           network->input_router[end] == network->input_router[other] &&
           network->output_delay[a] == network->output_delay[b] &&
           (!network->output_interval ||
            network->output_interval[a] == network->output_interval[b]);
}

/* Among the edges from the first on. Routes that are drawn do not depend on weights. */
static void share_out(fc_header_graph *g, uint32_t first) {
    bool chooses = false;
    for (uint32_t e = first + 1; e < g->edge_count && !g->network->route_drawing; ++e)
        chooses |= !are_parallel(g->network, g->edges[first].output, g->edges[e].output);
    g->flows->chooses |= chooses;
    double sum = 0;
    for (uint32_t e = first; e < g->edge_count; ++e) {
        const uint32_t link = g->flows->link_of[g->edges[e].output];
        g->edges[e].share = chooses && g->flows->weights ? g->flows->weights[link] : 1;
        sum += g->edges[e].share;
    }
    for (uint32_t e = first; e < g->edge_count; ++e)
        g->edges[e].share /= sum;
}

/* The outputs a header may take, one edge each. Escape channels of an output count as its own; an
 * output that leads to escape channels alone is hardly ever taken. */
static bool add_edges(fc_header_graph *g, size_t of, const fc_route_candidates *candidates) {
    const uint32_t first = (uint32_t)g->edge_count;
    for (uint32_t i = candidates->preferred; i < candidates->count; ++i)
        g->flows->escapes |= candidates->list[i].channels;
    for (uint32_t i = 0; i < candidates->count; ++i) {
        uint32_t e = first;
        while (e < g->edge_count && g->edges[e].output != candidates->list[i].output)
            ++e;
        if (e < g->edge_count) {
            g->edges[e].channels |= candidates->list[i].channels;
        } else if (i < candidates->preferred) {
            fc_header_edge *edges =
                fc_make_room(g->edges, &g->edge_room, g->edge_count, 1, sizeof *edges);
            if (!edges)
                return false;
            g->edges = edges;
            g->edges[g->edge_count++] = (fc_header_edge){.output = candidates->list[i].output,
                                                         .channels = candidates->list[i].channels,
                                                         .to = FC_NO_HEADER};
        }
    }
    fc_header *at = &g->headers[of];
    at->first_edge = first;
    at->edges = (uint32_t)g->edge_count - first;
    share_out(g, first);
    return true;
}

static bool expand(fc_header_graph *g, size_t index) {
    const fc_router_network *network = g->network;
    const fc_header at = g->headers[index];
    fc_route_candidates candidates;
    fc_course course = {.source = at.source,
                        .destination = g->destination,
                        .channels = g->flows->kinds.channels[g->kind],
                        .choice = at.choice,
                        .state = at.state};
    (network->route_drawing ? network->route_drawing
                            : network->route)(network, at.input, at.channel, &course, &candidates);
    if (!add_edges(g, index, &candidates))
        return false;
    for (uint32_t e = g->headers[index].first_edge; e < g->edge_count; ++e) {
        const uint32_t output = g->edges[e].output, end = network->output_end[output];
        if (end & FC_TO_NODE)
            continue;
        const fc_header next = {.input = end,
                                .choice = course.choice,
                                .state = course.state,
                                .source = at.source,
                                .channels = g->edges[e].channels,
                                .channel = (uint32_t)__builtin_ctzll(g->edges[e].channels),
                                .past = past_with(g, &at, fc_flow_link_of(network, output)),
                                .hop = at.hop + 1};
        const int32_t to = find_header(g, &next);
        if (to < 0)
            return false;
        ++g->headers[to].waiting;
        g->edges[e].to = to;
    }
    return true;
}

/* Every header behind those that lead to it; false if some go round in circles. */
static bool sort_headers(fc_header_graph *g) {
    size_t sorted = 0;
    for (size_t i = 0; i < g->header_count; ++i) {
        if (g->headers[i].waiting == 0)
            g->order[sorted++] = (uint32_t)i;
    }
    for (size_t i = 0; i < sorted; ++i) {
        const fc_header *at = &g->headers[g->order[i]];
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edges; ++e) {
            const int32_t to = g->edges[e].to;
            if (to >= 0 && --g->headers[to].waiting == 0)
                g->order[sorted++] = (uint32_t)to;
        }
    }
    return sorted == g->header_count;
}

/* ---- paths ---- */

static void look_ahead(fc_header_graph *g) {
    for (size_t i = g->header_count; i-- > 0;) {
        fc_header *at = &g->headers[g->order[i]];
        const fc_header_edge *taken = &g->edges[at->first_edge];
        const fc_path_key rest = taken->to >= 0 ? g->headers[taken->to].ahead : (fc_path_key){0};
        at->ahead =
            fc_path_key_before(g->flows->paths, rest, fc_flow_link_of(g->network, taken->output));
    }
}

bool fc_header_find_path(fc_header_graph *g, fc_header *at) {
    fc_paths *paths = g->flows->paths;
    size_t found = fc_paths_find(paths, at->ahead);
    if (found == SIZE_MAX) {
        void *hops = fc_make_room(g->hops, &g->hop_room, 0, at->ahead.routers, sizeof *g->hops);
        if (!hops)
            return false;
        g->hops = hops;
        const fc_header *on = at;
        for (uint32_t i = 0; i < at->ahead.routers; ++i) {
            const fc_header_edge *taken = &g->edges[on->first_edge];
            g->hops[i] = fc_flow_link_of(g->network, taken->output);
            if (taken->to >= 0)
                on = &g->headers[taken->to];
        }
        found = fc_paths_add(paths, at->ahead, g->hops);
        if (found == SIZE_MAX)
            return false;
    }
    at->path = (uint32_t)found;
    return true;
}

/* ---- headers from sources ---- */

void fc_headers_forget(fc_header_graph *g) {
    for (size_t i = 0; i < g->header_count; ++i)
        g->table[g->headers[i].place] = 0;
    g->header_count = g->edge_count = 0;
}

double fc_headers_rate(const fc_header_graph *g, uint32_t source) {
    return fc_flow_rate(g->routed, g->flows, g->kind, source, g->destination);
}

/* Where there are too many variants to follow all, this many starts are spread over them. */
static const double starts_most = 4e5;

typedef struct drawing {
    uint32_t variants, followed, offset;
} drawing;

static drawing draw_from(const fc_header_graph *g, uint32_t source) {
    const fc_router_network *network = g->network;
    const bool drawn = network->variants && !network->route_drawing;
    const uint32_t variants = drawn ? network->variants(network, source, g->destination) : 1;
    const double each = fmax(1, starts_most / g->pairs);
    if (variants <= each)
        return (drawing){variants, variants, 0};
    /* So that every variant comes up equally often for each source and for each destination. */
    const uint32_t from = network->input_router[network->node_input[source]];
    const uint32_t to = network->input_router[network->node_input[g->destination]];
    const bool alike = g->node_first && from != to; /* all nodes of these routers */
    return (drawing){variants, (uint32_t)each,
                     (alike ? from + to : source + g->destination) % variants};
}

static bool start_course(fc_header_graph *g, const fc_course *course, double weight, double light) {
    const fc_router_network *network = g->network;
    const fc_header begun = {.input = network->node_input[course->source],
                             .choice = course->choice,
                             .state = course->state,
                             .source = network->source_matters ? course->source : 0,
                             .channels = course->channels,
                             .channel = (uint32_t)__builtin_ctzll(course->channels),
                             .start = true};
    const int32_t at = find_header(g, &begun);
    if (at < 0)
        return false;
    g->headers[at].weight += weight;
    g->headers[at].light += light;
    return true;
}

/* Where routing chooses by queues, part of the messages takes each course. */
static bool start_courses(fc_header_graph *g, fc_course course, double weight) {
    const fc_router_network *network = g->network;
    fc_alternative found[FC_ALTERNATIVES_MAX];
    const uint32_t input = network->node_input[course.source];
    const uint32_t count =
        network->alternatives ? network->alternatives(network, input, &course, found) : 0;
    const double direct = count > 1 ? g->flows->direct : 1;
    if (count > 0) {
        course.choice = found[0].choice;
        course.state = found[0].state;
    }
    bool started = start_course(g, &course, direct * weight, weight);
    if (direct < 1) {
        course.choice = found[1].choice;
        course.state = found[1].state;
        started = started && start_course(g, &course, (1 - direct) * weight, 0);
    }
    return started;
}

fc_status fc_headers_start(fc_header_graph *g, uint32_t source, double rate, fc_error *error) {
    const fc_router_network *network = g->network;
    const uint64_t channels = g->flows->kinds.channels[g->kind];
    const drawing drawn = draw_from(g, source);
    for (uint32_t i = 0; i < drawn.followed; ++i) {
        const uint64_t at_variant = (uint64_t)i * drawn.variants / drawn.followed + drawn.offset;
        fc_course course = {.source = source, .destination = g->destination, .channels = channels};
        network->begin(network, (uint32_t)(at_variant % drawn.variants), &course);
        if (!start_courses(g, course, rate / drawn.followed))
            return fc_fail_memory(error);
    }
    return FC_OK;
}
fc_status fc_headers_complete(fc_header_graph *g, fc_error *error) {
    for (size_t i = 0; i < g->header_count; ++i) {
        if (!expand(g, i))
            return fc_fail_memory(error);
        if (g->headers[i].edges == 0)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "messages for node %u come where they may take escape channels only",
                           (unsigned)g->destination);
        if (fc_stop_asked(g->flows->cancel))
            return fc_fail_cancelled(error);
    }
    void *order = fc_make_room(g->order, &g->order_room, 0, g->header_count, sizeof *g->order);
    if (!order)
        return fc_fail_memory(error);
    g->order = order;
    if (!sort_headers(g))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "messages for node %u can be routed in circles, so that the load of links "
                       "has no answer",
                       (unsigned)g->destination);
    look_ahead(g);
    return FC_OK;
}

/* ---- creation ---- */

/* Whether the nodes of a router may be followed together. */
static bool nodes_send_alike(const fc_header_graph *g) {
    return g->network->nodes_alike && !g->network->source_matters &&
           (g->flows->multiple <= 1 || g->flows->grouped) &&
           fc_flow_nodes_alike(g->routed, g->network) && !g->network->absent;
}

static bool list_nodes(fc_header_graph *g) {
    const fc_router_network *network = g->network;
    g->node_first = fc_allocate((size_t)network->routers + 2, sizeof *g->node_first);
    g->node_of = fc_allocate(network->nodes, sizeof *g->node_of);
    if (!g->node_first || !g->node_of)
        return false;
    for (uint32_t n = 0; n < network->nodes; ++n)
        ++g->node_first[network->input_router[network->node_input[n]] + 2];
    for (uint32_t r = 0; r < network->routers; ++r)
        g->node_first[r + 2] += g->node_first[r + 1];
    for (uint32_t n = 0; n < network->nodes; ++n)
        g->node_of[g->node_first[network->input_router[network->node_input[n]] + 1]++] = n;
    return true;
}

fc_status fc_headers_prepare(const fc_routed *routed, fc_router_flows *flows, fc_error *error,
                             fc_header_graph *g) {
    const fc_router_network *network = flows->network;
    *g = (fc_header_graph){.routed = routed, .flows = flows, .network = network};
    const double sources = flows->multiple > 1 && !flows->grouped
                               ? (double)network->nodes / network->node_stride
                               : flows->traffic->senders;
    g->pairs = sources * (flows->traffic->image ? 1 : network->nodes);
    if (nodes_send_alike(g)) {
        g->pairs = (double)network->routers * network->routers;
        if (!list_nodes(g))
            return fc_fail_memory(error);
    }
    return FC_OK;
}

void fc_headers_release(fc_header_graph *g) {
    fc_release(g->headers);
    fc_release(g->edges);
    fc_release(g->order);
    fc_release(g->table);
    fc_release(g->hops);
    fc_release(g->node_first);
    fc_release(g->node_of);
}

/* ---- asking ---- */

uint32_t fc_header_port(const fc_header_graph *g, uint32_t input) {
    const uint32_t begin = g->network->input_begin[input];
    return begin & FC_TO_NODE ? g->network->outputs + (begin & ~FC_TO_NODE) : begin;
}

uint64_t fc_header_mask(const fc_header_graph *g, uint32_t link, uint64_t channels) {
    const fc_router_flows *flows = g->flows;
    return flows->escapes && flows->links[link].kind == FC_ROUTER_LINK
               ? flows->kinds.channels[g->kind]
               : channels;
}
