#include "network/router_distance.h"

#include <math.h>
#include "base/memory.h"

struct fc_distances {
    const fc_router_network *network;
    double *distance; /* routers */
    uint32_t *over;   /* routers: the output that leads there; UINT32_MAX: the first, or none */
    uint32_t *heap;   /* routers, the nearest first */
    uint32_t *place;  /* routers: in the heap, from 1; 0: not in it */
    uint32_t count;
};

fc_status fc_distances_create(const fc_router_network *network, fc_error *error,
                              fc_distances **distances) {
    fc_distances *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->network = network;
    made->distance = fc_allocate(network->routers, sizeof *made->distance);
    made->over = fc_allocate(network->routers, sizeof *made->over);
    made->heap = fc_allocate(network->routers, sizeof *made->heap);
    made->place = fc_allocate(network->routers, sizeof *made->place);
    if (!made->distance || !made->over || !made->heap || !made->place) {
        fc_distances_free(made);
        return fc_fail_memory(error);
    }
    *distances = made;
    return FC_OK;
}

void fc_distances_free(fc_distances *distances) {
    if (!distances)
        return;
    fc_release(distances->distance);
    fc_release(distances->over);
    fc_release(distances->heap);
    fc_release(distances->place);
    fc_release(distances);
}

static void put(fc_distances *d, uint32_t at, uint32_t router) {
    d->heap[at] = router;
    d->place[router] = at + 1;
}

static void rise(fc_distances *d, uint32_t at) {
    const uint32_t router = d->heap[at];
    for (; at && d->distance[d->heap[(at - 1) / 2]] > d->distance[router]; at = (at - 1) / 2)
        put(d, at, d->heap[(at - 1) / 2]);
    put(d, at, router);
}

static uint32_t nearest(fc_distances *d) {
    const uint32_t first = d->heap[0], moved = d->heap[--d->count];
    d->place[first] = 0;
    uint32_t at = 0;
    while (d->count && 2 * at + 1 < d->count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < d->count && d->distance[d->heap[child + 1]] < d->distance[d->heap[child]])
            ++child;
        if (d->distance[d->heap[child]] >= d->distance[moved])
            break;
        put(d, at, d->heap[child]);
        at = child;
    }
    if (d->count)
        put(d, at, moved);
    return first;
}

static void reach(fc_distances *d, uint32_t router, uint32_t output, double distance) {
    if (distance >= d->distance[router])
        return;
    d->distance[router] = distance;
    d->over[router] = output;
    if (!d->place[router])
        put(d, d->count++, router);
    rise(d, d->place[router] - 1);
}

void fc_distances_from(fc_distances *d, uint32_t router, const double *price) {
    const fc_router_network *network = d->network;
    for (uint32_t r = 0; r < network->routers; ++r) {
        d->distance[r] = (double)INFINITY;
        d->over[r] = UINT32_MAX;
        d->place[r] = 0;
    }
    d->count = 0;
    reach(d, router, UINT32_MAX, 0);
    while (d->count) {
        const uint32_t at = nearest(d);
        for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
            const uint32_t end = network->output_end[o];
            if (!(end & FC_TO_NODE))
                reach(d, network->input_router[end], o, d->distance[at] + price[o]);
        }
    }
}

double fc_distance_to(const fc_distances *distances, uint32_t router) {
    return distances->distance[router];
}

void fc_distances_load(const fc_distances *distances, uint32_t router, double flits, double *load) {
    for (uint32_t over; (over = distances->over[router]) != UINT32_MAX;) {
        load[over] += flits;
        router = distances->network->output_router[over];
    }
}
