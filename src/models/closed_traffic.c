#include "models/closed_traffic.h"

/* The distinct nodes one link away; on a ring of two both directions lead to the same one. */
static int64_t neighbour_count(const fc_torus *torus, int64_t node) {
    int64_t count = 0;
    for (size_t dimension = 0; dimension < torus->radix.count; ++dimension) {
        const int64_t radix = torus->radix.values[dimension], digit = node % radix;
        node /= radix;
        if (torus->topology == FC_MESH)
            count += (digit > 0) + (digit < radix - 1);
        else
            count += radix > 2 ? 2 : radix - 1;
    }
    return count;
}

static bool is_neighbour(const fc_torus *torus, int64_t from, int64_t to) {
    int64_t steps = 0;
    for (size_t dimension = 0; dimension < torus->radix.count; ++dimension) {
        const int64_t radix = torus->radix.values[dimension];
        int64_t difference = from % radix - to % radix;
        if (difference < 0)
            difference = -difference;
        if (torus->topology != FC_MESH && difference == radix - 1)
            difference = radix > 1;
        steps += difference;
        from /= radix;
        to /= radix;
    }
    return steps == 1;
}

double fc_closed_share(const fc_torus *torus, int64_t from, int64_t to) {
    if (from == to)
        return 0.0;
    const fc_destinations *destinations = &torus->destinations;
    const double uniform = 1.0 / (double)(torus->nodes - 1);
    switch (destinations->pattern) {
    case FC_NEAR_NEIGHBOUR: {
        double share = (1.0 - destinations->share) * uniform;
        if (is_neighbour(torus, from, to))
            share += destinations->share / (double)neighbour_count(torus, from);
        return share;
    }
    case FC_HOT_SPOT:
        if (from == torus->hot_node)
            return uniform;
        return (1.0 - destinations->share) * uniform +
               (to == torus->hot_node ? destinations->share : 0.0);
    case FC_MATRIX:
        return destinations->matrix[from * torus->nodes + to];
    default:
        return uniform;
    }
}

bool fc_closed_reflects(const fc_torus *torus) {
    const bool both_ways = torus->topology == FC_MESH || torus->links == FC_BIDIRECTIONAL;
    const fc_pattern pattern = torus->destinations.pattern;
    return both_ways && (pattern == FC_UNIFORM || pattern == FC_NEAR_NEIGHBOUR);
}
