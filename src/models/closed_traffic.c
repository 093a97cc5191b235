#include "models/closed_traffic.h"

static double neighbour_share(const fc_traffic *traffic, uint32_t from, uint32_t to) {
    const uint32_t count = traffic->neighbour_count[from];
    const uint32_t *list = traffic->neighbours + (size_t)from * traffic->geometry->slots;
    for (uint32_t i = 0; i < count; ++i) {
        if (list[i] == to)
            return traffic->share / count;
    }
    return 0.0;
}

/* The same numbers as fc_traffic_row, for one pair at a time. */
double fc_closed_share(const fc_traffic *traffic, uint32_t from, uint32_t to) {
    if (from == to)
        return 0.0;
    if (traffic->image)
        return traffic->image[from] == to ? 1.0 : 0.0;
    const uint32_t nodes = traffic->geometry->nodes;
    const double uniform = 1.0 / (nodes - 1);
    switch (traffic->pattern) {
    case FC_NEAR_NEIGHBOUR:
        return (1.0 - traffic->share) * uniform + neighbour_share(traffic, from, to);
    case FC_HOT_SPOT:
        if (from == traffic->hot_node)
            return uniform;
        return (1.0 - traffic->share) * uniform + (to == traffic->hot_node ? traffic->share : 0.0);
    case FC_MATRIX:
        return traffic->matrix[(size_t)from * nodes + to];
    default:
        return uniform;
    }
}

bool fc_closed_reflects(const fc_torus *torus) {
    const bool both_ways = torus->topology == FC_MESH || torus->links == FC_BIDIRECTIONAL;
    const fc_pattern pattern = torus->destinations.pattern;
    return both_ways && (pattern == FC_UNIFORM || pattern == FC_NEAR_NEIGHBOUR);
}
