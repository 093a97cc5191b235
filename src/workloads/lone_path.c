#include "workloads/lone_path.h"

#include <math.h>
#include "base/memory.h"
#include "network/node_ports.h"
#include "network/router_distance.h"

enum { HOPS_MAX = 4096, ROWS_MAX = 4096 };

struct fc_lone_paths {
    const fc_router_network *network;
    const fc_routed *routed;
    uint64_t through; /* cycles of a header in a router, at least */
    double *price;    /* outputs: cycles of a router and of the link behind it */
    uint32_t **row;   /* routers: cycles to all others; NULL: not asked for yet */
    fc_distances *distances;
};

/* A router with a clock of its own counts its stages in ticks, s in a cycle. A header arrives when
 * a cycle begins, up to a tick after one; it leaves in the cycle after its last tick, or in the
 * cycle of that tick if crossing takes none. */
static uint64_t cycles_of_stages(const fc_routed *routed) {
    const int64_t *stage = routed->router_delay;
    const int64_t crossing = stage[FC_STAGE_SWITCH] + stage[FC_STAGE_CROSSING];
    const int64_t ticks = stage[FC_STAGE_ROUTING] + stage[FC_STAGE_ALLOCATION] + crossing;
    const double s = routed->internal_speedup, nearly = 1e-6;
    if (!(s > 1))
        return (uint64_t)ticks;
    return crossing ? (uint64_t)floor((double)(ticks - 1) / s - nearly) + 1
                    : (uint64_t)floor((double)ticks / s);
}

fc_status fc_lone_paths_create(const fc_router_network *network, const fc_routed *routed,
                               fc_error *error, fc_lone_paths **paths) {
    fc_lone_paths *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->network = network;
    made->routed = routed;
    made->through = cycles_of_stages(routed);
    made->price = fc_allocate(network->outputs, sizeof *made->price);
    made->row = fc_allocate(network->routers, sizeof *made->row);
    fc_status status = made->price && made->row ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = fc_distances_create(network, error, &made->distances);
    if (status != FC_OK) {
        fc_lone_paths_free(made);
        return status;
    }
    for (uint32_t o = 0; o < network->outputs; ++o)
        made->price[o] = (double)(made->through + network->output_delay[o]);
    *paths = made;
    return FC_OK;
}

void fc_lone_paths_free(fc_lone_paths *paths) {
    if (!paths)
        return;
    for (uint32_t r = 0; paths->row && r < paths->network->routers; ++r)
        fc_release(paths->row[r]);
    fc_release(paths->row);
    fc_release(paths->price);
    fc_distances_free(paths->distances);
    fc_release(paths);
}

/* The one way of a header between two ends, from its first router to its last; false: it has a
 * choice. */
static bool follow(const fc_lone_paths *p, uint32_t source, uint32_t destination,
                   uint64_t *cycles) {
    const fc_router_network *network = p->network;
    fc_course course = {.source = source,
                        .destination = destination,
                        .channels = UINT64_MAX >> (64 - p->routed->virtual_channels)};
    if (network->alternatives ||
        (network->variants && network->variants(network, source, destination) > 1))
        return false;
    network->begin(network, 0, &course);
    uint32_t input = network->node_input[source], channel = 0;
    *cycles = 0;
    for (int hop = 0; hop < HOPS_MAX; ++hop) {
        fc_route_candidates candidates;
        network->route(network, input, channel, &course, &candidates);
        const uint32_t output = candidates.list[0].output, end = network->output_end[output];
        if (candidates.count != 1)
            return false;
        if (end & FC_TO_NODE)
            return true;
        *cycles += p->through + network->output_delay[output];
        channel = (uint32_t)__builtin_ctzll(candidates.list[0].channels);
        input = end;
    }
    return false;
}

/* NULL: no memory. */
static const uint32_t *row_from(fc_lone_paths *p, uint32_t router) {
    const uint32_t routers = p->network->routers;
    if (p->row[router])
        return p->row[router];
    uint32_t *row = fc_allocate(routers, sizeof *row);
    if (!row)
        return NULL;
    fc_distances_from(p->distances, router, p->price);
    for (uint32_t r = 0; r < routers; ++r) {
        const double cycles = fc_distance_to(p->distances, r);
        row[r] = isfinite(cycles) ? (uint32_t)cycles : 0;
    }
    p->row[router] = row;
    return row;
}

static uint64_t path_between(fc_lone_paths *p, uint32_t source, uint32_t destination) {
    const fc_router_network *network = p->network;
    const uint32_t from = fc_router_of(network, source);
    const uint32_t to = network->output_router[network->node_output[destination]];
    const uint64_t ends = p->through + 2 * (uint64_t)p->routed->node_delay;
    uint64_t between;
    if (from == to)
        return ends;
    if (follow(p, source, destination, &between))
        return ends + between;
    if (network->routers > ROWS_MAX) /* another router is a link away at least */
        return ends + p->through + 1;
    const uint32_t *row = row_from(p, from);
    return row ? ends + row[to] : UINT64_MAX;
}

/* Of several ports those of the shortest path: a bound. */
uint64_t fc_lone_path(fc_lone_paths *p, uint32_t source, uint32_t destination) {
    const fc_router_network *network = p->network;
    if (!network->ports)
        return path_between(p, source, destination);
    const uint32_t count = fc_ports_count(network, source, destination);
    uint64_t least = UINT64_MAX;
    for (uint32_t choice = 0; choice < count; ++choice) {
        uint32_t from, to;
        fc_ports_choose(network, source, destination, choice, &from, &to);
        const uint64_t path = path_between(p, from, to);
        if (path == UINT64_MAX)
            return path;
        least = path < least ? path : least;
    }
    return least;
}

uint64_t fc_lone_tail(const fc_lone_paths *p, uint32_t parallel, uint64_t flits) {
    const fc_workload *workload = p->routed->workload;
    const uint64_t packet = workload->of_trace ? flits : (uint64_t)workload->packet_flits;
    const uint64_t share = (flits + parallel - 1) / parallel,
                   least = flits < packet ? flits : packet;
    return (share > least ? share : least) - 1;
}
