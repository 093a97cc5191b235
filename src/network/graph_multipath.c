/* Several paths for each pair of routers (network.multipath): a header has, of the links that begin
 * a shortest path, those up or those down, whichever the path with the fewest turns up begins with:
 * so it knows whether it rises before it knows which link it takes. It takes any of them, or the
 * one that its number draws. */
#include "base/memory.h"
#include "network/graph_headers.h"
#include "network/graph_ties.h"
#include "scenario/families/routed_rules.h"

/* ---- headers ---- */

/* All links that a header may take. */
static void route_ways(const fc_router_network *network, uint32_t input, uint32_t channel,
                       fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fc_graph_network *graph = network->topology;
    fc_graph_leg leg;
    if (fc_graph_arrived(network, input, course, candidates, &leg))
        return;
    uint64_t ways = graph->ways[(size_t)leg.at * graph->routes.routers + leg.to];
    uint32_t count = 0;
    for (; ways; ways &= ways - 1)
        candidates->list[count++] = (fc_route_candidate){
            network->output_first[leg.at] + (uint32_t)__builtin_ctzll(ways), course->channels};
    candidates->count = candidates->preferred = count;
    if (graph->in_layers)
        fc_graph_put_in_layer(network, input, course, candidates);
}

enum { HASH_BITS = 5, HASHES = 1 << HASH_BITS };

static uint32_t variants_of_hash(const fc_router_network *network, uint32_t source,
                                 uint32_t destination) {
    (void)network, (void)source, (void)destination;
    return HASHES;
}

static void begin_by_hash(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)network;
    course->choice = variant;
    course->state = 0;
}

/* Every router puts the numbers that can be drawn in an order of its own, so that those behind each
 * other do not all choose alike, and divides them evenly among its links. */
static void keep_one(const fc_router_network *network, uint32_t input, const fc_course *course,
                     fc_route_candidates *candidates) {
    uint64_t own = network->input_router[input] + 1;
    own = (own ^ own >> 30) * 0xBF58476D1CE4E5B9u;
    own = (own ^ own >> 27) * 0x94D049BB133111EBu;
    uint32_t place = (course->choice + (uint32_t)own) % HASHES; /* each step is one to one */
    place = place * (uint32_t)(own >> 8 | 1) % HASHES;
    place ^= place >> 2;
    place = place * (uint32_t)(own >> 16 | 1) % HASHES;
    place ^= place >> 3;
    candidates->list[0] = candidates->list[place * candidates->count / HASHES];
    candidates->count = candidates->preferred = 1;
}

static void route_by_hash(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    route_ways(network, input, channel, course, candidates);
    keep_one(network, input, course, candidates);
}

/* ---- finding them ---- */

/* For one destination: routers by their distance, the nearest first, and the ways from each. */
typedef struct ways_to {
    uint32_t to;
    uint64_t *distance; /* routers; UINT64_MAX: it has no path */
    uint32_t *order;    /* routers */
    uint32_t *rises;    /* 2 * router + came down: turns up still to come, at most */
} ways_to;

static uint32_t port_output(const fc_router_network *network, uint32_t at, uint32_t to) {
    const fc_graph_network *graph = network->topology;
    const uint16_t port = graph->routes.port[(size_t)at * network->routers + to];
    return port == FC_NO_PORT ? UINT32_MAX : network->output_first[at] + port;
}

/* Returns how many routers have a path. */
static uint32_t order_routers(const fc_router_network *network, ways_to *w) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        uint64_t distance = 0;
        uint32_t at = r, output = UINT32_MAX;
        while (at != w->to && (output = port_output(network, at, w->to)) != UINT32_MAX) {
            distance += network->output_delay[output];
            at = fc_graph_behind(network, output);
        }
        w->distance[r] = at == w->to ? distance : UINT64_MAX;
        uint32_t place = count;
        if (at != w->to)
            continue;
        for (; place > 0 && w->distance[w->order[place - 1]] > distance; --place)
            w->order[place] = w->order[place - 1];
        w->order[place] = r;
        ++count;
    }
    return count;
}

/* The ways from a router, all up or all down, and the most turns up behind each. */
static void find_ways(const fc_router_network *network, ways_to *w, uint32_t at) {
    fc_graph_network *graph = network->topology;
    const uint32_t taken = port_output(network, at, w->to);
    uint64_t *ways = &graph->ways[(size_t)at * network->routers + w->to];
    uint32_t most = 0;
    for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
        if (network->output_end[o] & FC_TO_NODE || graph->rises[o] != graph->rises[taken])
            continue;
        const uint32_t next = fc_graph_behind(network, o);
        if (w->distance[next] == UINT64_MAX ||
            w->distance[next] + network->output_delay[o] != w->distance[at])
            continue;
        *ways |= (uint64_t)1 << (o - network->output_first[at]);
        most = w->rises[2 * next + !graph->rises[o]] > most ? w->rises[2 * next + !graph->rises[o]]
                                                            : most;
    }
    w->rises[2 * at] = most;
    w->rises[2 * at + 1] = most + graph->rises[taken];
}

/* Fills the ways of all pairs; *layers: what they need. */
static bool find_all_ways(fc_router_network *network, uint32_t *layers) {
    const size_t routers = network->routers;
    ways_to w = {.distance = fc_allocate(routers, sizeof *w.distance),
                 .order = fc_allocate(routers, sizeof *w.order),
                 .rises = fc_allocate(2 * routers, sizeof *w.rises)};
    const bool good = w.distance && w.order && w.rises;
    *layers = 1;
    for (; good && w.to < routers; ++w.to) {
        const uint32_t count = order_routers(network, &w);
        w.rises[2 * w.to] = w.rises[2 * w.to + 1] = 0;
        for (uint32_t i = 1; i < count; ++i) {
            find_ways(network, &w, w.order[i]);
            const uint32_t needed = w.rises[2 * w.order[i]] + 1;
            *layers = needed > *layers ? needed : *layers;
        }
    }
    fc_release(w.distance);
    fc_release(w.order);
    fc_release(w.rises);
    return good;
}

static fc_status check_ports(const fc_graph_plan *plan, const fc_router_network *network,
                             fc_error *error) {
    enum { LINKS_MOST = 64, PAIRED_MOST = 2048 };
    uint32_t most = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        uint32_t links = 0; /* those to nodes come last */
        for (uint32_t o = network->output_first[r]; o < network->output_first[r + 1]; ++o)
            links += !(network->output_end[o] & FC_TO_NODE);
        most = links > most ? links : most;
    }
    if (most <= LINKS_MOST && network->routers <= PAIRED_MOST)
        return FC_OK;
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "%s: network.multipath takes up to %d routers with %d links each; here are %u, "
                   "with up to %u",
                   plan->name, PAIRED_MOST, LINKS_MOST, network->routers, most);
}

/* What headers may do by hash they may do adaptively: that is proven. */
fc_status fc_graph_use_ways(const fc_graph_plan *plan, fc_error *error,
                            fc_router_network *network) {
    fc_graph_network *graph = network->topology;
    const uint32_t classes = fc_channel_sets_of(plan->routed).count;
    double busiest;
    uint32_t layers;
    fc_status status = check_ports(plan, network, error);
    if (status == FC_OK)
        status = fc_graph_ties_spread(network, FC_TIES_WITH_FEW_RISES, plan->dimension, error,
                                      &graph->routes, &busiest);
    if (status != FC_OK)
        return status;
    graph->ways = fc_allocate((size_t)network->routers * network->routers, sizeof *graph->ways);
    if (!graph->ways || !find_all_ways(network, &layers))
        return fc_fail_memory(error);
    network->most_candidates = FC_CANDIDATES_MAX;
    network->route = route_ways;
    if (layers > 1 && fc_router_network_prove(network, plan->routed, NULL) != FC_OK) {
        if (layers > fc_routed_class_channels(plan->routed))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "%s can deadlock with network.multipath; use virtual_channels: %u%s, "
                           "or network.multipath: none",
                           plan->name, layers * classes,
                           classes > 1 ? ", as many for each class" : "");
        fc_layers_divide(plan->routed, layers, &graph->layers);
        graph->in_layers = true;
    }
    status = fc_router_network_prove(network, plan->routed, error);
    if (plan->multipath == FC_BY_HASH) {
        network->route = route_by_hash;
        network->variants = variants_of_hash;
        network->begin = begin_by_hash;
    }
    return status;
}
