#include "network/destinations.h"

#include "base/memory.h"

static uint32_t node_of_digits(const fc_geometry *geometry, const uint32_t *digits) {
    uint32_t node = 0;
    for (uint32_t d = 0; d < geometry->dimensions; ++d)
        node += digits[d] * geometry->stride[d];
    return node;
}

static uint32_t bits_of(uint32_t nodes) {
    uint32_t bits = 0;
    while ((nodes >> bits) > 1)
        ++bits;
    return bits;
}

static uint32_t permute(fc_pattern pattern, const fc_geometry *geometry, uint32_t node) {
    const uint32_t dimensions = geometry->dimensions, bits = bits_of(geometry->nodes);
    uint32_t digits[FC_LIST_MAX];
    uint32_t image = 0;
    switch (pattern) {
    case FC_TRANSPOSE:
        for (uint32_t d = 0; d < dimensions; ++d)
            digits[(d + dimensions / 2) % dimensions] = fc_digit(geometry, node, d);
        return node_of_digits(geometry, digits);
    case FC_BIT_COMPLEMENT:
        for (uint32_t d = 0; d < dimensions; ++d)
            digits[d] = geometry->radix[d] - 1 - fc_digit(geometry, node, d);
        return node_of_digits(geometry, digits);
    case FC_TORNADO:
        for (uint32_t d = 0; d < dimensions; ++d) {
            const uint32_t radix = geometry->radix[d];
            digits[d] = (fc_digit(geometry, node, d) + (radix + 1) / 2 - 1) % radix;
        }
        return node_of_digits(geometry, digits);
    case FC_BIT_REVERSE:
        for (uint32_t b = 0; b < bits; ++b)
            image |= (node >> b & 1) << (bits - 1 - b);
        return image;
    case FC_SHUFFLE:
        if (bits == 0)
            return node;
        return (node << 1 | node >> (bits - 1)) & (geometry->nodes - 1);
    default:
        return node;
    }
}

static bool is_permutation(fc_pattern pattern) {
    return pattern >= FC_TRANSPOSE;
}

static bool list_neighbours(fc_traffic *traffic) {
    const fc_geometry *geometry = traffic->geometry;
    traffic->neighbours =
        fc_allocate((size_t)geometry->nodes * geometry->slots, sizeof *traffic->neighbours);
    traffic->neighbour_count = fc_allocate(geometry->nodes, sizeof *traffic->neighbour_count);
    if (!traffic->neighbours || !traffic->neighbour_count)
        return false;
    for (uint32_t node = 0; node < geometry->nodes; ++node) {
        uint32_t *list = traffic->neighbours + (size_t)node * geometry->slots, count = 0;
        for (uint32_t slot = 0; slot < geometry->slots; ++slot) {
            const uint32_t end =
                fc_channel_end(geometry, node * geometry->slots + slot, NULL, NULL);
            bool listed = end == FC_NO_NODE; /* in a ring of two both directions meet the same */
            for (uint32_t i = 0; i < count && !listed; ++i)
                listed = list[i] == end;
            if (!listed)
                list[count++] = end;
        }
        traffic->neighbour_count[node] = count;
    }
    return true;
}

static bool sum_rows(fc_traffic *traffic) {
    const size_t nodes = traffic->geometry->nodes;
    traffic->cumulative = fc_allocate(nodes * nodes, sizeof *traffic->cumulative);
    if (!traffic->cumulative)
        return false;
    for (size_t source = 0; source < nodes; ++source) {
        double sum = 0;
        for (size_t node = 0; node < nodes; ++node) {
            sum += traffic->matrix[source * nodes + node];
            traffic->cumulative[source * nodes + node] = sum;
        }
    }
    return true;
}

static bool list_images(fc_traffic *traffic) {
    const uint32_t nodes = traffic->geometry->nodes;
    traffic->image = fc_allocate(nodes, sizeof *traffic->image);
    if (!traffic->image)
        return false;
    for (uint32_t node = 0; node < nodes; ++node) {
        const uint32_t image = permute(traffic->pattern, traffic->geometry, node);
        traffic->image[node] = image == node ? FC_NO_NODE : image;
    }
    return true;
}

static bool sends(const fc_traffic *traffic, uint32_t node) {
    const size_t nodes = traffic->geometry->nodes;
    if (traffic->image)
        return traffic->image[node] != FC_NO_NODE;
    if (traffic->cumulative)
        return traffic->cumulative[node * nodes + nodes - 1] > 0;
    return true;
}

fc_status fc_traffic_create(const fc_torus *torus, const fc_geometry *geometry, fc_error *error,
                            fc_traffic **traffic) {
    fc_traffic *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->geometry = geometry;
    made->pattern = torus->destinations.pattern;
    made->share = torus->destinations.share;
    made->hot_node = torus->hot_node >= 0 ? (uint32_t)torus->hot_node : FC_NO_NODE;
    made->sender = fc_allocate(geometry->nodes, sizeof *made->sender);
    bool good = made->sender != NULL;
    if (good && made->pattern == FC_NEAR_NEIGHBOUR)
        good = list_neighbours(made);
    if (good && made->pattern == FC_MATRIX) {
        made->matrix = torus->destinations.matrix;
        good = sum_rows(made);
    }
    if (good && is_permutation(made->pattern))
        good = list_images(made);
    if (!good) {
        fc_traffic_free(made);
        return fc_fail_memory(error);
    }
    for (uint32_t node = 0; node < geometry->nodes; ++node)
        if (sends(made, node))
            made->sender[made->senders++] = node;
    *traffic = made;
    return FC_OK;
}

void fc_traffic_free(fc_traffic *traffic) {
    if (!traffic)
        return;
    fc_release(traffic->sender);
    fc_release(traffic->image);
    fc_release(traffic->neighbours);
    fc_release(traffic->neighbour_count);
    fc_release(traffic->cumulative);
    fc_release(traffic);
}

static uint32_t draw_other(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t node = fc_random_below(random, traffic->geometry->nodes - 1);
    return node + (node >= source ? 1u : 0u);
}

static uint32_t draw_from_row(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t nodes = traffic->geometry->nodes;
    const double *row = traffic->cumulative + (size_t)source * nodes;
    const double draw = fc_random_unit(random) * row[nodes - 1];
    uint32_t low = 0, high = nodes - 1; /* the first node with row[node] > draw */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (row[middle] > draw)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t fc_traffic_draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    switch (traffic->pattern) {
    case FC_UNIFORM:
        return draw_other(traffic, random, source);
    case FC_NEAR_NEIGHBOUR:
        if (fc_random_unit(random) >= traffic->share)
            return draw_other(traffic, random, source);
        return traffic->neighbours[(size_t)source * traffic->geometry->slots +
                                   fc_random_below(random, traffic->neighbour_count[source])];
    case FC_HOT_SPOT:
        if (source == traffic->hot_node || fc_random_unit(random) >= traffic->share)
            return draw_other(traffic, random, source);
        return traffic->hot_node;
    case FC_MATRIX:
        return draw_from_row(traffic, random, source);
    default:
        return traffic->image[source];
    }
}

void fc_traffic_row(const fc_traffic *traffic, uint32_t source, double *row) {
    const uint32_t nodes = traffic->geometry->nodes;
    double uniform = 1.0;
    for (uint32_t node = 0; node < nodes; ++node)
        row[node] = 0;
    if (traffic->image) {
        if (traffic->image[source] != FC_NO_NODE)
            row[traffic->image[source]] = 1;
        return;
    }
    if (traffic->matrix) {
        for (uint32_t node = 0; node < nodes; ++node)
            row[node] = traffic->matrix[(size_t)source * nodes + node];
        return;
    }
    if (traffic->pattern == FC_NEAR_NEIGHBOUR) {
        const uint32_t count = traffic->neighbour_count[source];
        for (uint32_t i = 0; i < count; ++i)
            row[traffic->neighbours[(size_t)source * traffic->geometry->slots + i]] =
                traffic->share / count;
        uniform = 1 - traffic->share;
    }
    if (traffic->pattern == FC_HOT_SPOT && source != traffic->hot_node) {
        row[traffic->hot_node] = traffic->share;
        uniform = 1 - traffic->share;
    }
    for (uint32_t node = 0; node < nodes; ++node)
        if (node != source)
            row[node] += uniform / (nodes - 1);
}
