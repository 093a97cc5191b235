/* Where nodes of a router differ only in where they enter and leave it, and send alike (uniform
 * traffic), routers are followed in the place of their nodes.
 *
 * Headers on their way to one destination form an acyclic graph: a node is a header that has just
 * entered a router, told by its input and what routing knows of it; an edge is an output it may
 * take. The graph is built breadth first from the sources, sorted, and run through twice: backwards
 * for the length of the paths ahead, forwards for the rates. */
#include "models/router/router_walk.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/record_set.h"

enum { NO_HEADER = -1 };

typedef struct header {
    uint32_t input, choice, state, source;
    uint64_t channels; /* of the lane it is in */
    uint32_t channel;  /* one of them */
    uint32_t past;     /* the links behind it, where credits matter; else 0 */
    uint32_t hop;      /* their number */
    uint32_t place;    /* of it in the table of headers */
    uint32_t waiting;  /* edges that lead to it and were not followed yet */
    uint32_t first_edge, edges;
    uint32_t path;
    bool start;
    double weight;
    fc_path_key ahead;
} header;

typedef struct edge {
    uint32_t output;
    uint64_t channels;
    double share;
    int32_t to; /* a header; NO_HEADER: the destination */
} edge;

typedef struct walk {
    const fc_routed *routed;
    fc_router_flows *flows;
    const fc_router_network *network;
    bool movements;
    size_t kind;
    uint32_t destination;
    header *headers;
    size_t header_count, header_room;
    edge *edges;
    size_t edge_count, edge_room;
    double pairs; /* of nodes that are followed */
    uint32_t *order;
    size_t order_room;
    uint32_t *table; /* hash table of headers: 1 + index; 0: empty */
    size_t table_size;
    int32_t *first_lane; /* of each link */
    int32_t *next_lane;  /* of the same link */
    uint32_t lane_room, movement_room;
    uint64_t *slot_key; /* hash table of movements: from << 32 | to */
    uint32_t *slot;     /* 1 + index; 0: empty */
    size_t slots;
    fc_record_set seen;             /* crossing: while links are merged */
    uint32_t *node_first, *node_of; /* the nodes of each router; NULL: nodes are followed */
    bool whole;       /* what is followed now are messages between all nodes of two routers */
    uint32_t *delays; /* of one path */
    size_t delay_room;
} walk;

/* Room for one more in a list. */
static bool fits(void **list, size_t *room, size_t count, size_t size) {
    if (count < *room)
        return true;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = fc_reallocate(*list, more, size);
    if (!grown)
        return false;
    *list = grown;
    *room = more;
    return true;
}

/* ---- lanes and movements ---- */

static uint32_t channels_of(const walk *w, uint32_t link, uint64_t mask) {
    if (w->flows->links[link].kind == FC_EJECTION_LINK)
        return (uint32_t)w->routed->ejection_channels;
    return (uint32_t)__builtin_popcountll(mask);
}

/* The lane of a link; NO_HEADER if out of memory. */
static int32_t find_lane(walk *w, uint32_t link, uint64_t mask) {
    fc_router_flows *flows = w->flows;
    if (flows->escapes && flows->links[link].kind == FC_ROUTER_LINK)
        mask = flows->kinds.channels[w->kind]; /* it takes whichever is free */
    for (int32_t l = w->first_lane[link]; l >= 0; l = w->next_lane[l]) {
        if (flows->lanes[l].mask == mask)
            return l;
    }
    if (flows->lane_count == w->lane_room) {
        const uint32_t room = 2 * w->lane_room;
        fc_lane *lanes = fc_reallocate(flows->lanes, room, sizeof *lanes);
        flows->lanes = lanes ? lanes : flows->lanes;
        int32_t *next = fc_reallocate(w->next_lane, room, sizeof *next);
        w->next_lane = next ? next : w->next_lane;
        if (!lanes || !next)
            return NO_HEADER;
        w->lane_room = room;
    }
    const int32_t made = (int32_t)flows->lane_count++;
    flows->lanes[made] =
        (fc_lane){.link = link, .mask = mask, .channels = channels_of(w, link, mask)};
    w->next_lane[made] = w->first_lane[link];
    w->first_lane[link] = made;
    return made;
}

static size_t slot_of(const walk *w, uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    size_t at = (hash ^ hash >> 32) & (w->slots - 1);
    while (w->slot[at] && w->slot_key[at] != key)
        at = (at + 1) & (w->slots - 1);
    return at;
}

static bool grow_movements(walk *w) {
    fc_router_flows *flows = w->flows;
    const uint32_t room = 2 * w->movement_room;
    fc_movement *movements = fc_reallocate(flows->movements, room, sizeof *movements);
    if (!movements)
        return false;
    flows->movements = movements;
    fc_release(w->slot);
    fc_release(w->slot_key);
    w->slots = 2 * (size_t)room;
    w->slot = fc_allocate(w->slots, sizeof *w->slot);
    w->slot_key = fc_allocate(w->slots, sizeof *w->slot_key);
    if (!w->slot || !w->slot_key)
        return false;
    for (uint32_t m = 0; m < flows->movement_count; ++m) {
        const uint64_t key = (uint64_t)movements[m].from << 32 | movements[m].to;
        const size_t at = slot_of(w, key);
        w->slot[at] = m + 1;
        w->slot_key[at] = key;
    }
    w->movement_room = room;
    return true;
}

/* Links that a movement was seen to join: how many there are of each kind tells how many movements
 * like it enter a link. */
typedef struct crossing {
    uint32_t in, out; /* ports; out UINT32_MAX: any */
    uint32_t movement, unused;
} crossing;

static bool count_crossing(walk *w, uint32_t in, uint32_t out, uint32_t movement) {
    const crossing pair = {in, out, movement, 0}, left = {in, UINT32_MAX, movement, 0};
    fc_movement *counted = &w->flows->movements[movement];
    const size_t before = w->seen.count;
    if (!fc_record_set_add(&w->seen, &pair))
        return false;
    counted->count += (double)(w->seen.count - before);
    const size_t between = w->seen.count;
    if (!fc_record_set_add(&w->seen, &left))
        return false;
    counted->seen_from += (double)(w->seen.count - between);
    return true;
}

/* Index of the movement, UINT32_MAX if out of memory. */
static uint32_t add_movement(walk *w, int32_t from, int32_t to, double rate, uint32_t outputs) {
    fc_router_flows *flows = w->flows;
    const uint64_t key = (uint64_t)from << 32 | (uint32_t)to;
    if (flows->movement_count == w->movement_room && !grow_movements(w))
        return UINT32_MAX;
    const size_t at = slot_of(w, key);
    if (!w->slot[at]) {
        flows->movements[flows->movement_count] =
            (fc_movement){.from = (uint32_t)from, .to = (uint32_t)to};
        w->slot_key[at] = key;
        w->slot[at] = ++flows->movement_count;
    }
    fc_movement *movement = &flows->movements[w->slot[at] - 1];
    movement->rate += rate;
    movement->flits += rate * flows->kinds.mean[w->kind];
    movement->squares += rate * flows->kinds.square[w->kind];
    movement->outputs += rate * outputs;
    return w->slot[at] - 1;
}

static void load_lane(walk *w, int32_t lane, double rate, double hold) {
    fc_lane *loaded = &w->flows->lanes[lane];
    loaded->rate += rate;
    loaded->flits += rate * w->flows->kinds.mean[w->kind];
    loaded->hold += rate * hold;
}

/* ---- the graph ---- */

static bool is_like(const header *a, const header *b) {
    return a->input == b->input && a->choice == b->choice && a->state == b->state &&
           a->source == b->source && a->channels == b->channels && a->past == b->past;
}

static size_t hash_of(const header *h) {
    uint64_t mixed = (uint64_t)h->input << 32 | h->choice;
    mixed = mixed * 0x9e3779b97f4a7c15u ^ ((uint64_t)h->state << 32 | h->past);
    mixed = mixed * 0xbf58476d1ce4e5b9u ^ h->channels ^ (uint64_t)h->source << 20;
    mixed *= 0x94d049bb133111ebu;
    return (size_t)(mixed ^ mixed >> 29);
}

static void put_header(walk *w, size_t index) {
    size_t at = hash_of(&w->headers[index]) & (w->table_size - 1);
    while (w->table[at])
        at = (at + 1) & (w->table_size - 1);
    w->table[at] = (uint32_t)index + 1;
    w->headers[index].place = (uint32_t)at;
}

static bool grow_table(walk *w) {
    fc_release(w->table);
    w->table_size = 4 * w->header_room;
    w->table = fc_allocate(w->table_size, sizeof *w->table);
    for (size_t i = 0; w->table && i < w->header_count; ++i)
        put_header(w, i);
    return w->table != NULL;
}

/* The header like this one, added if it is new; NO_HEADER if out of memory. */
static int32_t find_header(walk *w, const header *like) {
    if (w->header_count == w->header_room &&
        (!fits((void **)&w->headers, &w->header_room, w->header_count, sizeof(header)) ||
         !grow_table(w)))
        return NO_HEADER;
    size_t at = hash_of(like) & (w->table_size - 1);
    for (; w->table[at]; at = (at + 1) & (w->table_size - 1)) {
        if (is_like(&w->headers[w->table[at] - 1], like))
            return (int32_t)w->table[at] - 1;
    }
    w->headers[w->header_count] = *like;
    w->headers[w->header_count].place = (uint32_t)at;
    w->table[at] = (uint32_t)++w->header_count;
    return (int32_t)w->header_count - 1;
}

static uint32_t past_with(const walk *w, const header *at, uint32_t delay) {
    if (!w->flows->paths->tight)
        return 0;
    if (w->flows->paths->equal_delays)
        return at->hop + 1;
    const uint32_t mixed = (at->past + 1) * 0x9e3779b9u + delay;
    return mixed ^ mixed >> 15;
}

/* Among the edges from the first on. Routes that are drawn do not depend on weights. */
static void share_out(walk *w, uint32_t first) {
    const bool chooses = w->edge_count > first + 1 && !w->network->route_drawing;
    w->flows->chooses |= chooses;
    double sum = 0;
    for (uint32_t e = first; e < w->edge_count; ++e) {
        const uint32_t link = w->flows->link_of[w->edges[e].output];
        w->edges[e].share = chooses && w->flows->weights ? w->flows->weights[link] : 1;
        sum += w->edges[e].share;
    }
    for (uint32_t e = first; e < w->edge_count; ++e)
        w->edges[e].share /= sum;
}

/* The outputs a header may take, one edge each. Escape channels of an output count as its own; an
 * output that leads to escape channels alone is hardly ever taken. */
static bool add_edges(walk *w, size_t of, const fc_ways *ways) {
    const uint32_t first = (uint32_t)w->edge_count;
    for (uint32_t i = ways->preferred; i < ways->count; ++i)
        w->flows->escapes |= ways->way[i].channels;
    for (uint32_t i = 0; i < ways->count; ++i) {
        uint32_t e = first;
        while (e < w->edge_count && w->edges[e].output != ways->way[i].output)
            ++e;
        if (e < w->edge_count) {
            w->edges[e].channels |= ways->way[i].channels;
        } else if (i < ways->preferred) {
            if (!fits((void **)&w->edges, &w->edge_room, w->edge_count, sizeof(edge)))
                return false;
            w->edges[w->edge_count++] = (edge){
                .output = ways->way[i].output, .channels = ways->way[i].channels, .to = NO_HEADER};
        }
    }
    header *at = &w->headers[of];
    at->first_edge = first;
    at->edges = (uint32_t)w->edge_count - first;
    share_out(w, first);
    return true;
}

static bool expand(walk *w, size_t index) {
    const fc_router_network *network = w->network;
    const header at = w->headers[index];
    fc_ways ways;
    fc_course course = {.source = at.source,
                        .destination = w->destination,
                        .channels = w->flows->kinds.channels[w->kind],
                        .choice = at.choice,
                        .state = at.state};
    (network->route_drawing ? network->route_drawing : network->route)(network, at.input,
                                                                       at.channel, &course, &ways);
    if (!add_edges(w, index, &ways))
        return false;
    for (uint32_t e = w->headers[index].first_edge; e < w->edge_count; ++e) {
        const uint32_t output = w->edges[e].output, end = network->output_end[output];
        if (end & FC_TO_NODE)
            continue;
        const header next = {.input = end,
                             .choice = course.choice,
                             .state = course.state,
                             .source = at.source,
                             .channels = w->edges[e].channels,
                             .channel = (uint32_t)__builtin_ctzll(w->edges[e].channels),
                             .past = past_with(w, &at, network->output_delay[output]),
                             .hop = at.hop + 1};
        const int32_t to = find_header(w, &next);
        if (to < 0)
            return false;
        ++w->headers[to].waiting;
        w->edges[e].to = to;
    }
    return true;
}

/* Every header behind those that lead to it; false if some go round in circles. */
static bool sort_headers(walk *w) {
    size_t sorted = 0;
    for (size_t i = 0; i < w->header_count; ++i) {
        if (w->headers[i].waiting == 0)
            w->order[sorted++] = (uint32_t)i;
    }
    for (size_t i = 0; i < sorted; ++i) {
        const header *at = &w->headers[w->order[i]];
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edges; ++e) {
            const int32_t to = w->edges[e].to;
            if (to >= 0 && --w->headers[to].waiting == 0)
                w->order[sorted++] = (uint32_t)to;
        }
    }
    return sorted == w->header_count;
}

/* ---- paths ---- */

static void look_ahead(walk *w) {
    for (size_t i = w->header_count; i-- > 0;) {
        header *at = &w->headers[w->order[i]];
        const edge *taken = &w->edges[at->first_edge];
        const fc_path_key rest = taken->to >= 0 ? w->headers[taken->to].ahead : (fc_path_key){0};
        at->ahead =
            fc_path_key_before(w->flows->paths, rest, w->network->output_delay[taken->output]);
    }
}

static bool find_path(walk *w, header *at) {
    fc_paths *paths = w->flows->paths;
    size_t found = fc_paths_find(paths, at->ahead);
    if (found == SIZE_MAX) {
        while (w->delay_room < at->ahead.routers) {
            if (!fits((void **)&w->delays, &w->delay_room, w->delay_room, sizeof *w->delays))
                return false;
        }
        const header *on = at;
        for (uint32_t i = 0; i < at->ahead.routers; ++i) {
            const edge *taken = &w->edges[on->first_edge];
            w->delays[i] = w->network->output_delay[taken->output];
            if (taken->to >= 0)
                on = &w->headers[taken->to];
        }
        found = fc_paths_add(paths, at->ahead, w->delays);
        if (found == SIZE_MAX)
            return false;
    }
    paths->list[found].weight[w->kind] += at->weight;
    at->path = (uint32_t)found;
    return true;
}

/* ---- rates ---- */

/* Ports are outputs, then nodes. */
static uint32_t port_of_input(const walk *w, uint32_t input) {
    const uint32_t begin = w->network->input_begin[input];
    return begin & FC_TO_NODE ? w->network->outputs + (begin & ~FC_TO_NODE) : begin;
}

static bool move(walk *w, const header *at, int32_t from, int32_t to, const edge *taken,
                 double rate) {
    const uint32_t movement =
        add_movement(w, from, to, rate, w->network->route_drawing ? 1 : at->edges);
    if (movement == UINT32_MAX)
        return false;
    return w->flows->multiple <= 1 ||
           count_crossing(w, port_of_input(w, at->input), taken->output, movement);
}

static double hold_of(const walk *w, const header *at, uint32_t station) {
    const fc_paths *paths = w->flows->paths;
    return fc_path_hold(paths, &paths->list[at->path], w->kind, station);
}

static uint32_t nodes_at(const walk *w, uint32_t router) {
    return w->node_first[router + 1] - w->node_first[router];
}

static uint32_t node_at(const walk *w, uint32_t router, uint32_t i) {
    return w->node_of[w->node_first[router] + i];
}

/* The nodes that a header stands for while it starts, and while it ends. */
static uint32_t senders_of(const walk *w, const header *at) {
    return w->whole && at->start ? nodes_at(w, w->network->input_router[at->input]) : 1;
}

static uint32_t receivers_of(const walk *w, const edge *taken) {
    return w->whole && taken->to < 0 ? nodes_at(w, w->network->output_router[taken->output]) : 1;
}

static int32_t lane_into(walk *w, const header *at, uint32_t i) {
    uint32_t port = port_of_input(w, at->input);
    if (w->whole && at->start)
        port = w->network->outputs + node_at(w, w->network->input_router[at->input], i);
    return find_lane(w, w->flows->link_of[port], at->channels);
}

static int32_t lane_out_of(walk *w, const edge *taken, uint32_t i) {
    uint32_t output = taken->output;
    if (w->whole && taken->to < 0)
        output = w->network->node_output[node_at(w, w->network->output_router[output], i)];
    return find_lane(w, w->flows->link_of[output], taken->channels);
}

/* One output of a header, from each node and to each node it stands for. */
static bool load_edge(walk *w, const header *at, const edge *taken) {
    const uint32_t from_count = senders_of(w, at), to_count = receivers_of(w, taken);
    const double rate = at->weight * taken->share / to_count;
    for (uint32_t i = 0; i < to_count; ++i) {
        const int32_t to = lane_out_of(w, taken, i);
        if (to < 0)
            return false;
        for (uint32_t k = 0; k < from_count && w->movements; ++k) {
            const int32_t from = lane_into(w, at, k);
            if (from < 0 || !move(w, at, from, to, taken, rate / from_count))
                return false;
        }
        load_lane(w, to, rate, hold_of(w, at, at->hop + 1));
    }
    return true;
}

static bool load(walk *w, header *at) {
    if (at->start && !find_path(w, at))
        return false;
    const uint32_t senders = senders_of(w, at);
    for (uint32_t i = 0; at->start && i < senders; ++i) {
        const int32_t from = lane_into(w, at, i);
        if (from < 0)
            return false;
        load_lane(w, from, at->weight / senders, hold_of(w, at, 0));
    }
    for (uint32_t e = at->first_edge; e < at->first_edge + at->edges; ++e) {
        const edge *taken = &w->edges[e];
        if (!load_edge(w, at, taken))
            return false;
        if (taken->to >= 0) {
            header *next = &w->headers[taken->to];
            next->weight += at->weight * taken->share;
            next->path = at->path;
        }
    }
    return true;
}

/* ---- all destinations ---- */

static void forget(walk *w) {
    for (size_t i = 0; i < w->header_count; ++i)
        w->table[w->headers[i].place] = 0;
    w->header_count = w->edge_count = 0;
}

/* Messages per cycle of the current kind from a node to the destination, at traffic.rate = 1. */
static double rate_from(const walk *w, uint32_t source) {
    const double *weights = w->routed->destinations->weights;
    const uint32_t asks = w->kind ? w->destination : source;
    const uint32_t answers = w->kind ? source : w->destination;
    return fc_traffic_share(w->flows->traffic, asks, answers) * (weights ? weights[asks] : 1);
}

/* Where there are too many variants to follow all, this many starts are spread over them. */
static const double starts_most = 4e5;

typedef struct drawing {
    uint32_t variants, followed, offset;
} drawing;

static drawing draw_from(const walk *w, uint32_t source) {
    const fc_router_network *network = w->network;
    const bool drawn = network->variants && !network->route_drawing;
    const uint32_t variants = drawn ? network->variants(network, source, w->destination) : 1;
    const double each = fmax(1, starts_most / w->pairs);
    if (variants <= each)
        return (drawing){variants, variants, 0};
    /* So that every variant comes up equally often for each source and for each destination. */
    const uint32_t *router = network->input_router, *input = network->node_input;
    const uint32_t from = w->whole ? router[input[source]] : source;
    const uint32_t to = w->whole ? router[input[w->destination]] : w->destination;
    return (drawing){variants, (uint32_t)each, (from + to) % variants};
}

static fc_status start(walk *w, uint32_t source, double rate, fc_error *error) {
    const fc_router_network *network = w->network;
    const uint64_t channels = w->flows->kinds.channels[w->kind];
    const drawing drawn = draw_from(w, source);
    for (uint32_t i = 0; i < drawn.followed; ++i) {
        const uint64_t at_variant = (uint64_t)i * drawn.variants / drawn.followed + drawn.offset;
        fc_course course = {.source = source, .destination = w->destination, .channels = channels};
        network->begin(network, (uint32_t)(at_variant % drawn.variants), &course);
        const header begun = {.input = network->node_input[source],
                              .choice = course.choice,
                              .state = course.state,
                              .source = network->source_matters ? source : 0,
                              .channels = channels,
                              .channel = (uint32_t)__builtin_ctzll(channels),
                              .start = true};
        const int32_t at = find_header(w, &begun);
        if (at < 0)
            return fc_fail_memory(error);
        w->headers[at].weight += rate / drawn.followed;
    }
    return FC_OK;
}

static fc_status follow(walk *w, fc_error *error) {
    for (size_t i = 0; i < w->header_count; ++i) {
        if (!expand(w, i))
            return fc_fail_memory(error);
    }
    while (w->order_room < w->header_count) {
        if (!fits((void **)&w->order, &w->order_room, w->order_room, sizeof *w->order))
            return fc_fail_memory(error);
    }
    if (!sort_headers(w))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "messages for node %u can be routed in circles, so that the load of links "
                       "has no answer",
                       (unsigned)w->destination);
    look_ahead(w);
    for (size_t i = 0; i < w->header_count; ++i) {
        if (!load(w, &w->headers[w->order[i]]))
            return fc_fail_memory(error);
    }
    forget(w);
    return FC_OK;
}

static fc_status follow_to(walk *w, uint32_t destination, fc_error *error) {
    fc_status status = FC_OK;
    w->destination = destination;
    const uint32_t stride = w->flows->multiple > 1 ? w->network->node_stride : 1;
    for (uint32_t source = 0; source < w->network->nodes && status == FC_OK; source += stride) {
        const double rate = rate_from(w, source);
        if (rate > 0)
            status = start(w, source, rate, error);
        if (status == FC_OK && w->network->source_matters && w->header_count)
            status = follow(w, error);
    }
    if (status == FC_OK && w->header_count)
        status = follow(w, error);
    return status;
}

/* All messages to the nodes of a router: from other routers at once, within it one by one. */
static fc_status follow_to_router(walk *w, uint32_t router, fc_error *error) {
    fc_status status = FC_OK;
    const uint32_t receivers = nodes_at(w, router);
    w->whole = true;
    w->destination = receivers ? node_at(w, router, 0) : 0;
    for (uint32_t from = 0; from < w->network->routers && status == FC_OK && receivers; ++from) {
        const uint32_t senders = nodes_at(w, from), source = senders ? node_at(w, from, 0) : 0;
        const double rate = from != router && senders ? rate_from(w, source) : 0;
        if (rate > 0)
            status = start(w, source, rate * senders * receivers, error);
    }
    if (status == FC_OK && w->header_count)
        status = follow(w, error);
    w->whole = false;
    for (uint32_t i = 0; i < receivers && status == FC_OK; ++i) {
        w->destination = node_at(w, router, i);
        for (uint32_t k = 0; k < receivers && status == FC_OK; ++k) {
            const double rate = rate_from(w, node_at(w, router, k));
            if (rate > 0)
                status = start(w, node_at(w, router, k), rate, error);
        }
        if (status == FC_OK && w->header_count)
            status = follow(w, error);
    }
    return status;
}

/* From what the followed sources send to what one link carries. */
static void scale(walk *w) {
    fc_router_flows *flows = w->flows;
    const double sources =
        flows->multiple > 1 ? ceil((double)w->network->nodes / w->network->node_stride) : 1;
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        flows->lanes[l].rate /= sources;
        flows->lanes[l].flits /= sources;
        flows->lanes[l].hold /= sources;
    }
    for (uint32_t m = 0; m < flows->movement_count; ++m) {
        fc_movement *movement = &flows->movements[m];
        movement->outputs /= movement->rate;
        movement->count = flows->multiple > 1 ? movement->count / movement->seen_from : 1;
        movement->rate /= sources * movement->count;
        movement->flits /= sources * movement->count;
        movement->squares /= sources * movement->count;
    }
}

/* Whether the nodes of a router may be followed together. */
static bool nodes_send_alike(const walk *w) {
    const fc_destinations *destinations = w->routed->destinations;
    return w->network->nodes_alike && !w->network->source_matters && w->flows->multiple <= 1 &&
           destinations->pattern == FC_UNIFORM && !destinations->weights;
}

static bool list_nodes(walk *w) {
    const fc_router_network *network = w->network;
    w->node_first = fc_allocate((size_t)network->routers + 2, sizeof *w->node_first);
    w->node_of = fc_allocate(network->nodes, sizeof *w->node_of);
    if (!w->node_first || !w->node_of)
        return false;
    for (uint32_t n = 0; n < network->nodes; ++n)
        ++w->node_first[network->input_router[network->node_input[n]] + 2];
    for (uint32_t r = 0; r < network->routers; ++r)
        w->node_first[r + 2] += w->node_first[r + 1];
    for (uint32_t n = 0; n < network->nodes; ++n)
        w->node_of[w->node_first[network->input_router[network->node_input[n]] + 1]++] = n;
    return true;
}

static fc_status prepare(walk *w, fc_error *error) {
    fc_router_flows *flows = w->flows;
    w->lane_room = 2 * flows->link_count;
    w->movement_room = w->movements ? 64 : 0;
    w->first_lane = fc_allocate(flows->link_count, sizeof *w->first_lane);
    w->next_lane = fc_allocate(w->lane_room, sizeof *w->next_lane);
    flows->lanes = fc_allocate(w->lane_room, sizeof *flows->lanes);
    const double sources = flows->multiple > 1 ? (double)w->network->nodes / w->network->node_stride
                                               : flows->traffic->senders;
    w->pairs = sources * (flows->traffic->image ? 1 : w->network->nodes);
    if (nodes_send_alike(w)) {
        w->pairs = (double)w->network->routers * w->network->routers;
        if (!list_nodes(w))
            return fc_fail_memory(error);
    }
    if (!w->first_lane || !w->next_lane || !flows->lanes || (w->movements && !grow_movements(w)))
        return fc_fail_memory(error);
    memset(w->first_lane, 0xff, flows->link_count * sizeof *w->first_lane);
    return FC_OK;
}

fc_status fc_router_walk(const fc_routed *routed, bool movements, fc_error *error,
                         fc_router_flows *flows) {
    walk w = {.routed = routed,
              .flows = flows,
              .network = flows->network,
              .movements = movements,
              .seen = {.size = sizeof(crossing)}};
    fc_status status = prepare(&w, error);
    for (; w.kind < flows->kinds.count && status == FC_OK; ++w.kind) {
        const uint32_t ends = w.node_first ? w.network->routers : w.network->nodes;
        for (uint32_t to = 0; to < ends && status == FC_OK; ++to)
            status = (w.node_first ? follow_to_router : follow_to)(&w, to, error);
    }
    if (status == FC_OK)
        scale(&w);
    fc_record_set_release(&w.seen);
    fc_release(w.headers);
    fc_release(w.edges);
    fc_release(w.order);
    fc_release(w.table);
    fc_release(w.first_lane);
    fc_release(w.next_lane);
    fc_release(w.slot);
    fc_release(w.slot_key);
    fc_release(w.delays);
    fc_release(w.node_first);
    fc_release(w.node_of);
    return status;
}
