#include "models/closed/closed_geometry.h"

void fc_closed_geometry_fill(fc_closed_geometry *geometry, const fc_torus *torus) {
    const size_t n = torus->radix.count;
    geometry->torus = torus;
    geometry->dimensions = n;
    uint32_t stride = 1;
    for (size_t d = 0; d < n; ++d) {
        geometry->radix[d] = (uint32_t)torus->radix.values[d];
        geometry->stride[d] = stride;
        stride *= geometry->radix[d];
        geometry->order[d] = torus->order == FC_DESCENDING ? n - 1 - d : d;
    }
    geometry->nodes = stride;
    geometry->network_channels = stride * (uint32_t)n * 4;
    geometry->channels = geometry->network_channels + stride;
    geometry->ports = (uint32_t)n * 4 + 1;
}

uint32_t fc_closed_upstream(const fc_closed_geometry *g, uint32_t node, size_t d, uint32_t grows) {
    const uint32_t k = g->radix[d], digit = fc_closed_digit(g, node, d);
    const uint32_t before = grows ? (digit + k - 1) % k : (digit + 1) % k;
    return node - digit * g->stride[d] + before * g->stride[d];
}

uint32_t fc_closed_reach(const fc_closed_geometry *g, uint32_t digit, size_t d, uint32_t grows) {
    const uint32_t k = g->radix[d];
    if (g->torus->topology == FC_MESH)
        return grows ? digit : k - 1 - digit;
    if (g->torus->links == FC_UNIDIRECTIONAL)
        return (g->torus->direction == FC_INCREASING) == (grows == 1) ? k - 1 : 0;
    return k / 2;
}

uint32_t fc_closed_mirror_node(const fc_closed_geometry *g, uint32_t node, uint32_t mask) {
    uint32_t image = 0;
    for (size_t d = 0; d < g->dimensions; ++d) {
        const uint32_t digit = fc_closed_digit(g, node, d);
        image += (mask >> d & 1 ? g->radix[d] - 1 - digit : digit) * g->stride[d];
    }
    return image;
}

uint32_t fc_closed_mirror_port(const fc_closed_geometry *g, uint32_t port, uint32_t mask) {
    const uint32_t d = port / 4;
    return d < g->dimensions && mask >> d & 1 ? port ^ 3u : port;
}

uint32_t fc_closed_mirror_channel(const fc_closed_geometry *g, uint32_t channel, uint32_t mask) {
    if (channel >= g->network_channels) {
        const uint32_t node = channel - g->network_channels;
        return g->network_channels + fc_closed_mirror_node(g, node, mask);
    }
    const uint32_t per_node = (uint32_t)g->dimensions * 4;
    const uint32_t node = fc_closed_mirror_node(g, channel / per_node, mask);
    return node * per_node + fc_closed_mirror_port(g, channel % per_node, mask);
}
