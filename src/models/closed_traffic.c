#include "models/closed_traffic.h"

bool fc_closed_reflects(const fc_torus *torus) {
    const bool both_ways = torus->topology == FC_MESH || torus->links == FC_BIDIRECTIONAL;
    const fc_pattern pattern = torus->destinations.pattern;
    return both_ways && (pattern == FC_UNIFORM || pattern == FC_NEAR_NEIGHBOUR);
}
