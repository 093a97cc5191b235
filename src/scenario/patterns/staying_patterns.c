/* Two patterns of BookSim, defined with half or more of the traffic staying at home; without
 * messages to itself they are permutations.
 *
 *   diagonal    a third to the next node number, the rest to itself
 *   asymmetric  from s to s mod N/2 or that + N/2, evenly (N even) */
#include "scenario/patterns/pattern.h"
#include "scenario/routed.h"

/* ---- diagonal ---- */

static void map_next(const fc_destinations *destinations, const fc_traffic_shape *shape,
                     uint32_t *image) {
    (void)destinations;
    const uint32_t nodes = shape->routers * shape->concentration;
    for (uint32_t node = 0; node < nodes; ++node)
        image[node] = (node + 1) % nodes;
}

static uint32_t draw_diagonal(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    return fc_random_below(random, 3) ? source : (source + 1) % traffic->nodes;
}

static double share_diagonal(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    return (to == source ? 2.0 / 3 : 0) + (to == (source + 1) % traffic->nodes ? 1.0 / 3 : 0);
}

const fc_pattern_info fc_pattern_diagonal = {
    .map = map_next, .draw = draw_diagonal, .share = share_diagonal};

/* ---- asymmetric ---- */

static const char *needs_even_nodes(const fc_routed *routed) {
    return routed->nodes % 2 == 0 ? NULL : "needs an even number of nodes";
}

static void map_other_half(const fc_destinations *destinations, const fc_traffic_shape *shape,
                           uint32_t *image) {
    (void)destinations;
    const uint32_t nodes = shape->routers * shape->concentration;
    for (uint32_t node = 0; node < nodes; ++node)
        image[node] = (node + nodes / 2) % nodes;
}

static uint32_t draw_asymmetric(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t half = traffic->nodes / 2;
    return source % half + (fc_random_below(random, 2) ? half : 0);
}

static double share_asymmetric(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    const uint32_t half = traffic->nodes / 2;
    return to % half == source % half ? 0.5 : 0;
}

const fc_pattern_info fc_pattern_asymmetric = {.misfit = needs_even_nodes,
                                               .map = map_other_half,
                                               .draw = draw_asymmetric,
                                               .share = share_asymmetric};
