#include "network/geometry.h"

#include <stdio.h>
#include "base/memory.h"

/* Never more than 64 bits: a digit of radix r takes less than 2 log2(r) of them, and nodes are
 * counted in 32. */
static void pack_digits(fc_geometry *geometry) {
    uint32_t shift = 0;
    for (uint32_t i = 0; i < geometry->dimensions; ++i) {
        const uint32_t dimension = geometry->order[i], radix = geometry->radix[dimension];
        geometry->shift[dimension] = (uint8_t)shift;
        for (uint32_t node = 0; node < geometry->nodes; ++node)
            geometry->word[node] |= (uint64_t)(node / geometry->stride[dimension] % radix) << shift;
        for (uint32_t last = radix - 1; last; last >>= 1)
            geometry->bit_dimension[shift++] = (uint8_t)dimension;
        geometry->mask[dimension] = (1u << (shift - geometry->shift[dimension])) - 1;
    }
}

fc_status fc_geometry_create(const fc_torus *torus, fc_error *error, fc_geometry **geometry) {
    fc_geometry *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    const uint32_t dimensions = (uint32_t)torus->radix.count;
    made->dimensions = dimensions;
    made->slots = 2 * dimensions;
    made->wraps = torus->topology == FC_TORUS;
    made->bidirectional = !made->wraps || torus->links == FC_BIDIRECTIONAL;
    made->rising = torus->direction == FC_INCREASING;
    uint32_t nodes = 1;
    for (uint32_t d = 0; d < dimensions; ++d) {
        made->radix[d] = (uint32_t)torus->radix.values[d];
        made->stride[d] = nodes;
        nodes *= made->radix[d];
        made->order[d] = torus->order == FC_ASCENDING ? d : dimensions - 1 - d;
        made->rank[made->order[d]] = d;
        if (made->wraps && made->bidirectional && made->radix[d] % 2 == 0)
            made->even |= 1u << d;
    }
    made->nodes = nodes;
    made->channels = nodes * made->slots;
    made->word = fc_allocate(nodes, sizeof *made->word);
    if (!made->word) {
        fc_geometry_free(made);
        return fc_fail_memory(error);
    }
    pack_digits(made);
    *geometry = made;
    return FC_OK;
}

void fc_geometry_free(fc_geometry *geometry) {
    if (!geometry)
        return;
    fc_release(geometry->word);
    fc_release(geometry);
}

uint32_t fc_geometry_neighbour(const fc_geometry *geometry, uint32_t node, uint32_t dimension,
                               bool rising) {
    if (!geometry->bidirectional && rising != geometry->rising)
        return FC_NO_NODE;
    const uint32_t digit = fc_digit(geometry, node, dimension);
    const uint32_t last = geometry->radix[dimension] - 1;
    const uint32_t stride = geometry->stride[dimension];
    if (rising) {
        if (digit < last)
            return node + stride;
        return geometry->wraps ? node - last * stride : FC_NO_NODE;
    }
    if (digit > 0)
        return node - stride;
    return geometry->wraps ? node + last * stride : FC_NO_NODE;
}

uint32_t fc_channel_end(const fc_geometry *geometry, uint32_t channel, uint32_t *dimension,
                        bool *rising) {
    const uint32_t node = channel / geometry->slots, slot = channel % geometry->slots;
    const uint32_t d = geometry->order[slot / 2];
    const bool up = slot % 2 != 0;
    if (dimension)
        *dimension = d;
    if (rising)
        *rising = up;
    return fc_geometry_neighbour(geometry, node, d, up);
}

/* Hops in one dimension, and the direction of the shortest path. */
static uint32_t ring_distance(const fc_geometry *geometry, uint32_t dimension, uint32_t from,
                              uint32_t to, bool *rising, bool *tie) {
    const uint32_t radix = geometry->radix[dimension];
    *tie = false;
    if (!geometry->wraps) {
        *rising = to > from;
        return to > from ? to - from : from - to;
    }
    const uint32_t up = to >= from ? to - from : to + radix - from;
    const uint32_t down = up ? radix - up : 0;
    if (!geometry->bidirectional) {
        *rising = geometry->rising;
        return geometry->rising ? up : down;
    }
    *rising = up <= down;
    *tie = up == down && up != 0;
    return up < down ? up : down;
}

uint32_t fc_geometry_distance(const fc_geometry *geometry, uint32_t source, uint32_t destination) {
    uint32_t hops = 0;
    bool rising, tie;
    for (uint32_t d = 0; d < geometry->dimensions; ++d)
        hops += ring_distance(geometry, d, fc_digit(geometry, source, d),
                              fc_digit(geometry, destination, d), &rising, &tie);
    return hops;
}

uint32_t fc_route_rising(const fc_geometry *geometry, uint32_t source, uint32_t destination,
                         uint32_t *ties) {
    uint32_t mask = 0, tied = 0;
    for (uint32_t d = 0; d < geometry->dimensions; ++d) {
        bool rising, tie;
        ring_distance(geometry, d, fc_digit(geometry, source, d),
                      fc_digit(geometry, destination, d), &rising, &tie);
        mask |= (rising ? 1u : 0u) << d;
        tied |= (tie ? 1u : 0u) << d;
    }
    if (ties)
        *ties = tied;
    return mask;
}

size_t fc_route_hops(const fc_geometry *geometry, uint32_t source, uint32_t destination,
                     uint32_t rising, fc_hop *hops) {
    size_t count = 0;
    uint32_t node = source, dimension;
    while ((dimension = fc_route_dimension(geometry, node, destination)) < geometry->dimensions) {
        const bool up = rising >> dimension & 1;
        hops[count++] = (fc_hop){.channel = fc_channel_number(geometry, node, dimension, up),
                                 .node = node,
                                 .dimension = dimension,
                                 .rising = up};
        node = fc_geometry_neighbour(geometry, node, dimension, up);
    }
    return count;
}

uint32_t fc_geometry_diameter(const fc_geometry *geometry) {
    uint32_t hops = 0;
    for (uint32_t d = 0; d < geometry->dimensions; ++d) {
        const bool halved = geometry->wraps && geometry->bidirectional;
        hops += halved ? geometry->radix[d] / 2 : geometry->radix[d] - 1;
    }
    return hops;
}

void fc_node_label(const fc_geometry *geometry, uint32_t node, char *text, size_t size) {
    size_t used = 0;
    for (uint32_t d = 0; d < geometry->dimensions && used < size; ++d) {
        const int wrote = snprintf(text + used, size - used, "%s%u", d ? ", " : "(",
                                   (unsigned)fc_digit(geometry, node, d));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (used < size)
        snprintf(text + used, size - used, ")");
}
