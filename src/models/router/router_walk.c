/* Where nodes of a router differ only in where they enter and leave it, and send alike (uniform
 * traffic), routers are followed in the place of their nodes. The graph of headers is run through
 * forwards for the rates. */
#include "models/router/router_walk.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/record_set.h"
#include "models/router/router_headers.h"
#include "models/router/router_trees.h"

typedef struct walk {
    fc_header_graph graph;
    bool movements;
    int32_t *first_lane; /* of each link */
    int32_t *next_lane;  /* of the same link */
    uint32_t lane_room, movement_room;
    uint64_t *slot_key; /* hash table of movements: from << 32 | to */
    uint32_t *slot;     /* 1 + index; 0: empty */
    size_t slots;
    fc_record_set seen; /* crossing: while links are merged */
    bool whole;         /* what is followed now are messages between all nodes of two routers */
} walk;

/* ---- lanes and movements ---- */

static uint32_t channels_of(const walk *w, uint32_t link, uint64_t mask) {
    if (w->graph.flows->links[link].kind == FC_EJECTION_LINK)
        return (uint32_t)w->graph.routed->ejection_channels;
    return (uint32_t)__builtin_popcountll(mask);
}

/* The lane of a link; FC_NO_HEADER if out of memory. */
static int32_t find_lane(walk *w, uint32_t link, uint64_t mask) {
    fc_router_flows *flows = w->graph.flows;
    mask = fc_header_mask(&w->graph, link, mask);
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
            return FC_NO_HEADER;
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
    fc_router_flows *flows = w->graph.flows;
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

static bool counts_crossings(const walk *w) {
    return w->graph.flows->multiple > 1 && !w->graph.flows->grouped;
}

static bool count_crossing(walk *w, uint32_t in, uint32_t out, uint32_t movement) {
    const crossing pair = {in, out, movement, 0}, left = {in, UINT32_MAX, movement, 0};
    fc_movement *counted = &w->graph.flows->movements[movement];
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
    fc_router_flows *flows = w->graph.flows;
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
    movement->flits += rate * flows->kinds.mean[w->graph.kind];
    movement->squares += rate * flows->kinds.square[w->graph.kind];
    movement->outputs += rate * outputs;
    return w->slot[at] - 1;
}

static void load_lane(walk *w, int32_t lane, double rate, double hold) {
    fc_lane *loaded = &w->graph.flows->lanes[lane];
    loaded->rate += rate;
    loaded->flits += rate * w->graph.flows->kinds.mean[w->graph.kind];
    loaded->hold += rate * hold;
    if (w->graph.flows->kind_load)
        w->graph.flows
            ->kind_load[(size_t)loaded->link * w->graph.flows->kinds.count + w->graph.kind] += rate;
}

/* ---- rates ---- */

static bool move(walk *w, const fc_header *at, int32_t from, int32_t to,
                 const fc_header_edge *taken, double rate) {
    const uint32_t movement =
        add_movement(w, from, to, rate, w->graph.network->route_drawing ? 1 : at->edges);
    if (movement == UINT32_MAX)
        return false;
    return !counts_crossings(w) ||
           count_crossing(w, fc_header_port(&w->graph, at->input), taken->output, movement);
}

static double hold_of(const walk *w, const fc_header *at, uint32_t station) {
    const fc_paths *paths = w->graph.flows->paths;
    return fc_path_hold(paths, &paths->list[at->path], w->graph.kind, station);
}

static uint32_t nodes_at(const walk *w, uint32_t router) {
    return w->graph.node_first[router + 1] - w->graph.node_first[router];
}

static uint32_t node_at(const walk *w, uint32_t router, uint32_t i) {
    return w->graph.node_of[w->graph.node_first[router] + i];
}

/* The nodes that a header stands for while it starts, and while it ends; those of a group are told
 * apart when all is summed up. */
static uint32_t senders_of(const walk *w, const fc_header *at) {
    return w->whole && at->start && !w->graph.flows->grouped
               ? nodes_at(w, w->graph.network->input_router[at->input])
               : 1;
}

static uint32_t receivers_of(const walk *w, const fc_header_edge *taken) {
    return w->whole && taken->to < 0 && !w->graph.flows->grouped
               ? nodes_at(w, w->graph.network->output_router[taken->output])
               : 1;
}

static int32_t lane_into(walk *w, const fc_header *at, uint32_t i) {
    uint32_t port = fc_header_port(&w->graph, at->input);
    if (w->whole && at->start)
        port = w->graph.network->outputs + node_at(w, w->graph.network->input_router[at->input], i);
    return find_lane(w, w->graph.flows->link_of[port], at->channels);
}

static int32_t lane_out_of(walk *w, const fc_header_edge *taken, uint32_t i) {
    uint32_t output = taken->output;
    if (w->whole && taken->to < 0)
        output =
            w->graph.network->node_output[node_at(w, w->graph.network->output_router[output], i)];
    return find_lane(w, w->graph.flows->link_of[output], taken->channels);
}

/* One output of a header, from each node and to each node it stands for. */
static bool load_edge(walk *w, const fc_header *at, const fc_header_edge *taken) {
    const uint32_t from_count = senders_of(w, at), to_count = receivers_of(w, taken);
    const double rate = at->weight * taken->share / to_count;
    for (uint32_t i = 0; i < to_count; ++i) {
        const int32_t to = lane_out_of(w, taken, i);
        if (to < 0 || fc_stop_asked(w->graph.flows->cancel))
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

static bool load(walk *w, fc_header *at) {
    if (at->start) {
        if (!fc_header_find_path(&w->graph, at))
            return false;
        w->graph.flows->paths->list[at->path].weight[w->graph.kind] += at->light;
    }
    const uint32_t senders = senders_of(w, at);
    for (uint32_t i = 0; at->start && i < senders; ++i) {
        const int32_t from = lane_into(w, at, i);
        if (from < 0)
            return false;
        load_lane(w, from, at->weight / senders, hold_of(w, at, 0));
    }
    for (uint32_t e = at->first_edge; e < at->first_edge + at->edges; ++e) {
        const fc_header_edge *taken = &w->graph.edges[e];
        if (!load_edge(w, at, taken))
            return false;
        if (taken->to >= 0) {
            fc_header *next = &w->graph.headers[taken->to];
            next->weight += at->weight * taken->share;
            next->path = at->path;
        }
    }
    return true;
}

/* ---- all destinations ---- */

static fc_status follow(walk *w, fc_error *error) {
    fc_header_graph *graph = &w->graph;
    if (fc_stop_asked(graph->flows->cancel))
        return fc_fail_cancelled(error);
    const fc_status status = fc_headers_complete(graph, error);
    if (status != FC_OK)
        return status;
    for (size_t i = 0; i < graph->header_count; ++i) {
        if (!load(w, &graph->headers[graph->order[i]]))
            return fc_stop_asked(graph->flows->cancel) ? fc_fail_cancelled(error)
                                                       : fc_fail_memory(error);
    }
    fc_headers_forget(graph);
    return FC_OK;
}

/* In a large torus the sources on the diagonal are shared out among the destinations: one for each,
 * by the sum of its digits, so that every two digits of a destination come up equally often with
 * every source. Number of shares; 1: all sources send to all. */
static uint32_t shares_of_sources(const walk *w) {
    static const double pairs_most = 4e5;
    const uint32_t nodes = w->graph.network->nodes, stride = w->graph.network->node_stride;
    const uint32_t sources = (nodes + stride - 1) / stride;
    return (double)sources * nodes > pairs_most ? sources : 1;
}

static uint32_t digit_sum(uint32_t number, uint32_t base) {
    uint32_t sum = 0;
    for (; number; number /= base)
        sum += number % base;
    return sum % base;
}

static fc_status follow_to(walk *w, uint32_t destination, fc_error *error) {
    fc_status status = FC_OK;
    w->graph.destination = destination;
    const bool merged = counts_crossings(w);
    const uint32_t shares = merged ? shares_of_sources(w) : 1;
    const uint32_t stride = merged ? w->graph.network->node_stride : 1;
    const uint32_t first = shares > 1 ? stride * digit_sum(destination, shares) : 0;
    for (uint32_t source = first; source < w->graph.network->nodes && status == FC_OK;
         source += stride * shares) {
        const double rate = shares * fc_headers_rate(&w->graph, source);
        if (rate > 0)
            status = fc_headers_start(&w->graph, source, rate, error);
        if (status == FC_OK && w->graph.network->source_matters && w->graph.header_count)
            status = follow(w, error);
    }
    if (status == FC_OK && w->graph.header_count)
        status = follow(w, error);
    return status;
}

/* Messages between the nodes of a router, one by one; those of a group all at once. */
static fc_status follow_within(walk *w, uint32_t router, fc_error *error) {
    const uint32_t nodes = nodes_at(w, router);
    fc_status status = FC_OK;
    if (w->graph.flows->grouped) {
        const uint32_t source = node_at(w, router, 0);
        double rate = 0;
        for (uint32_t i = 0; i < 2 && i < nodes; ++i) {
            w->graph.destination = node_at(w, router, i);
            rate += nodes * (i ? nodes - 1.0 : 1) * fc_headers_rate(&w->graph, source);
        }
        if (rate > 0)
            status = fc_headers_start(&w->graph, source, rate, error);
        return status == FC_OK && w->graph.header_count ? follow(w, error) : status;
    }
    for (uint32_t i = 0; i < nodes && status == FC_OK; ++i) {
        w->graph.destination = node_at(w, router, i);
        for (uint32_t k = 0; k < nodes && status == FC_OK; ++k) {
            const double rate = fc_headers_rate(&w->graph, node_at(w, router, k));
            if (rate > 0)
                status = fc_headers_start(&w->graph, node_at(w, router, k), rate, error);
        }
        if (status == FC_OK && w->graph.header_count)
            status = follow(w, error);
    }
    return status;
}

/* All messages to the nodes of a router: from other routers at once. */
static fc_status follow_to_router(walk *w, uint32_t router, fc_error *error) {
    fc_status status = FC_OK;
    const uint32_t receivers = nodes_at(w, router);
    w->whole = true;
    w->graph.destination = receivers ? node_at(w, router, 0) : 0;
    for (uint32_t from = 0; from < w->graph.network->routers && status == FC_OK && receivers;
         ++from) {
        const uint32_t senders = nodes_at(w, from), source = senders ? node_at(w, from, 0) : 0;
        const double rate = from != router && senders ? fc_headers_rate(&w->graph, source) : 0;
        if (rate > 0)
            status = fc_headers_start(&w->graph, source, rate * senders * receivers, error);
    }
    if (status == FC_OK && w->graph.header_count)
        status = follow(w, error);
    w->whole = false;
    return status == FC_OK && receivers ? follow_within(w, router, error) : status;
}

/* Of groups of links: from what all of them carry to what one does. */
static void scale_groups(walk *w) {
    fc_router_flows *flows = w->graph.flows;
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        fc_lane *lane = &flows->lanes[l];
        const double members = flows->links[lane->link].members;
        lane->rate /= members;
        lane->flits /= members;
        lane->hold /= members;
    }
    for (uint32_t m = 0; m < flows->movement_count; ++m) {
        fc_movement *movement = &flows->movements[m];
        const fc_flow_link *in = &flows->links[flows->lanes[movement->from].link];
        const fc_flow_link *out = &flows->links[flows->lanes[movement->to].link];
        const bool nodes = in->kind == FC_INJECTION_LINK && out->kind == FC_EJECTION_LINK;
        const double own = nodes && !w->graph.routed->destinations->to_self; /* to no node itself */
        movement->count = in->members - own;
        movement->leaving = out->members - own;
        const double copies = movement->count * out->members;
        movement->outputs /= movement->rate;
        movement->rate /= copies;
        movement->flits /= copies;
        movement->squares /= copies;
    }
}

/* From what the followed sources send to what one link carries. All that leaves links of one kind
 * for another enters those: a link that many leave for few is left by fewer than it is entered by.
 */
static void scale(walk *w) {
    fc_router_flows *flows = w->graph.flows;
    const bool merged = flows->multiple > 1;
    const double nodes = merged ? w->graph.network->nodes : 1;
    const double sources = merged ? ceil(nodes / w->graph.network->node_stride) : 1;
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        fc_lane *lane = &flows->lanes[l];
        const double shares = sources * (flows->links[lane->link].members / nodes);
        lane->rate /= shares;
        lane->flits /= shares;
        lane->hold /= shares;
    }
    for (uint32_t m = 0; m < flows->movement_count; ++m) {
        fc_movement *movement = &flows->movements[m];
        const double from = flows->links[flows->lanes[movement->from].link].members;
        const double to = flows->links[flows->lanes[movement->to].link].members;
        movement->outputs /= movement->rate;
        movement->leaving = merged ? movement->count / movement->seen_from : 1;
        movement->count = movement->leaving * (from / to);
        const double copies = sources * (from / nodes) * movement->leaving;
        movement->rate /= copies;
        movement->flits /= copies;
        movement->squares /= copies;
    }
}

static fc_status prepare(walk *w, fc_error *error) {
    fc_router_flows *flows = w->graph.flows;
    w->lane_room = 2 * flows->link_count;
    w->movement_room = w->movements ? 64 : 0;
    w->first_lane = fc_allocate(flows->link_count, sizeof *w->first_lane);
    w->next_lane = fc_allocate(w->lane_room, sizeof *w->next_lane);
    flows->lanes = fc_allocate(w->lane_room, sizeof *flows->lanes);
    fc_release(flows->kind_load);
    flows->kind_load = NULL;
    if (w->graph.routed->given)
        flows->kind_load =
            fc_allocate((size_t)flows->link_count * flows->kinds.count, sizeof *flows->kind_load);
    if (!w->first_lane || !w->next_lane || !flows->lanes || (w->movements && !grow_movements(w)) ||
        (w->graph.routed->given && !flows->kind_load))
        return fc_fail_memory(error);
    memset(w->first_lane, 0xff, flows->link_count * sizeof *w->first_lane);
    return FC_OK;
}

/* ---- trees ---- */

/* From each input of a router, or from all of them together, to one of its outputs. */
static bool load_crossings(walk *w, const fc_router_trees *trees, uint32_t output) {
    const fc_router_network *network = w->graph.network;
    const uint32_t router = network->output_router[output];
    const uint32_t first = network->input_first[router];
    const uint32_t last = w->movements ? network->input_first[router + 1] : first + 1;
    const uint64_t own = w->graph.flows->kinds.channels[w->graph.kind];
    const uint64_t mask = network->output_end[output] & FC_TO_NODE ? UINT64_MAX : own;
    for (uint32_t i = first; i < last; ++i) {
        const double rate = trees->crossed[trees->row[i] + output];
        if (!(rate > 0))
            continue;
        const int32_t to = find_lane(w, output, mask);
        if (to < 0)
            return false;
        load_lane(w, to, rate, w->graph.flows->kinds.mean[w->graph.kind]);
        const int32_t from =
            w->movements ? find_lane(w, fc_header_port(&w->graph, i), own) : FC_NO_HEADER;
        if (w->movements && (from < 0 || add_movement(w, from, to, rate, 1) == UINT32_MAX))
            return false;
    }
    return true;
}

static bool load_trees(walk *w, const fc_router_trees *trees) {
    const fc_router_network *network = w->graph.network;
    const fc_message_kinds *kinds = &w->graph.flows->kinds;
    for (uint32_t n = 0; n < network->nodes; ++n) {
        if (!(trees->sent[n] > 0))
            continue;
        const int32_t lane = find_lane(w, network->outputs + n, kinds->channels[w->graph.kind]);
        if (lane < 0)
            return false;
        load_lane(w, lane, trees->sent[n], kinds->mean[w->graph.kind]);
    }
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (!load_crossings(w, trees, o))
            return false;
    }
    return true;
}

static fc_status follow_trees(walk *w, fc_error *error) {
    fc_router_trees trees;
    fc_header_graph *graph = &w->graph;
    fc_status status =
        fc_router_trees_prepare(graph->routed, graph->flows, w->movements, error, &trees);
    for (; graph->kind < graph->flows->kinds.count && status == FC_OK; ++graph->kind) {
        status = fc_router_trees_add(&trees, graph->kind, error);
        if (status == FC_OK && !load_trees(w, &trees))
            status = fc_fail_memory(error);
    }
    fc_router_trees_release(&trees);
    return status;
}

fc_status fc_router_walk(const fc_routed *routed, bool movements, fc_error *error,
                         fc_router_flows *flows) {
    walk w = {.movements = movements, .seen = {.size = sizeof(crossing)}};
    fc_header_graph *graph = &w.graph;
    fc_status status = fc_headers_prepare(routed, flows, error, graph);
    if (status == FC_OK)
        status = prepare(&w, error);
    if (status == FC_OK && fc_router_trees_cover(flows, movements))
        status = follow_trees(&w, error);
    for (; graph->kind < flows->kinds.count && status == FC_OK; ++graph->kind) {
        const fc_router_network *network = flows->network;
        const uint32_t ends = graph->node_first ? network->routers : network->nodes;
        for (uint32_t to = 0; to < ends && status == FC_OK; ++to)
            status = (graph->node_first ? follow_to_router : follow_to)(&w, to, error);
    }
    if (status == FC_OK)
        (flows->grouped ? scale_groups : scale)(&w);
    fc_headers_release(graph);
    fc_record_set_release(&w.seen);
    fc_release(w.first_lane);
    fc_release(w.next_lane);
    fc_release(w.slot);
    fc_release(w.slot_key);
    return status;
}
