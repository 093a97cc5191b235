#include "network/destinations.h"

#include "base/memory.h"

/* A node that is mapped to itself may not send. */
static bool list_images(const fc_destinations *destinations, const fc_traffic_shape *shape,
                        fc_traffic *traffic) {
    traffic->image = fc_allocate(traffic->nodes, sizeof *traffic->image);
    if (!traffic->image)
        return false;
    traffic->pattern->map(destinations, shape, traffic->image);
    for (uint32_t node = 0; node < traffic->nodes && !traffic->to_self; ++node) {
        if (traffic->image[node] == node)
            traffic->image[node] = FC_NO_NODE;
    }
    for (uint32_t node = 0; node < traffic->nodes && traffic->absent; ++node) {
        if (traffic->absent[node] ||
            (traffic->image[node] != FC_NO_NODE && traffic->absent[traffic->image[node]]))
            traffic->image[node] = FC_NO_NODE;
    }
    return true;
}

static bool sends(const fc_traffic *traffic, uint32_t node) {
    if (traffic->image)
        return traffic->image[node] != FC_NO_NODE;
    if (traffic->present && !(traffic->present[node] > 0))
        return false;
    return !traffic->pattern->sends || traffic->pattern->sends(traffic, node);
}

/* What is left of 1 without the absent nodes; where that is little, counted up, so that it is 0
 * exactly if there is nothing. */
static double share_of_present(const fc_traffic *traffic, uint32_t source) {
    const double little = 1e-6;
    double share = traffic->absent[source] ? 0 : 1, sum = 0;
    if (!(share > 0) || (traffic->pattern->sends && !traffic->pattern->sends(traffic, source)))
        return 0;
    for (uint32_t node = 0; node < traffic->nodes; ++node) {
        if (traffic->absent[node])
            share -= traffic->pattern->share(traffic, source, node);
    }
    for (uint32_t node = 0; node < traffic->nodes && share < little; ++node) {
        if (!traffic->absent[node])
            sum += traffic->pattern->share(traffic, source, node);
    }
    return share < little ? sum : share;
}

static bool find_present(fc_traffic *traffic) {
    traffic->present = fc_allocate(traffic->nodes, sizeof *traffic->present);
    for (uint32_t node = 0; node < traffic->nodes && traffic->present; ++node)
        traffic->present[node] = share_of_present(traffic, node);
    return traffic->present;
}

static bool prepare(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *made) {
    if (fc_is_permutation(destinations->pattern, made->to_self))
        return list_images(destinations, shape, made);
    if (made->pattern->prepare && !made->pattern->prepare(destinations, shape, made))
        return false;
    return !made->absent || find_present(made);
}

fc_status fc_traffic_create_over(const fc_destinations *destinations, const fc_traffic_shape *shape,
                                 fc_error *error, fc_traffic **traffic) {
    fc_traffic *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->pattern = fc_patterns[destinations->pattern];
    made->to_self = destinations->to_self != 0;
    made->share = destinations->share;
    made->nodes = shape->routers * shape->concentration;
    made->concentration = shape->concentration;
    made->hot_node = shape->hot_node;
    made->absent = shape->absent;
    made->sender = fc_allocate(made->nodes, sizeof *made->sender);
    if (!made->sender || !prepare(destinations, shape, made)) {
        fc_traffic_free(made);
        return fc_fail_memory(error);
    }
    for (uint32_t node = 0; node < made->nodes; ++node)
        if (sends(made, node))
            made->sender[made->senders++] = node;
    *traffic = made;
    return FC_OK;
}

static uint32_t torus_neighbour(const void *network, uint32_t router, uint32_t slot) {
    const fc_geometry *geometry = network;
    return fc_channel_end(geometry, router * geometry->slots + slot, NULL, NULL);
}

fc_status fc_traffic_create(const fc_torus *torus, const fc_geometry *geometry, fc_error *error,
                            fc_traffic **traffic) {
    fc_traffic_shape shape = {.routers = geometry->nodes,
                              .concentration = 1,
                              .digits = geometry->dimensions,
                              .hot_node =
                                  torus->hot_node >= 0 ? (uint32_t)torus->hot_node : FC_NO_NODE,
                              .slots = geometry->slots,
                              .neighbour = torus_neighbour,
                              .network = geometry};
    for (uint32_t d = 0; d < geometry->dimensions; ++d)
        shape.radix[d] = geometry->radix[d];
    return fc_traffic_create_over(&torus->destinations, &shape, error, traffic);
}

static void free_one(fc_traffic *traffic) {
    fc_release(traffic->sender);
    fc_release(traffic->image);
    fc_release(traffic->present);
    fc_release(traffic->neighbour_first);
    fc_release(traffic->neighbours);
    fc_release(traffic->hot);
    fc_release(traffic->hot_sum);
    fc_release(traffic->cumulative);
    fc_release(traffic);
}

void fc_traffic_free(fc_traffic *traffic) {
    while (traffic) {
        fc_traffic *next = traffic->next;
        free_one(traffic);
        traffic = next;
    }
}

double fc_traffic_share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    if (traffic->image)
        return traffic->image[source] == to ? 1 : 0;
    const double share = traffic->pattern->share(traffic, source, to);
    if (!traffic->absent)
        return share;
    return traffic->absent[to] || !(traffic->present[source] > 0)
               ? 0
               : share / traffic->present[source];
}

bool fc_traffic_sends(const fc_traffic *traffic, uint32_t node) {
    uint32_t low = 0, high = traffic->senders;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (traffic->sender[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < traffic->senders && traffic->sender[low] == node;
}
