/* HyperX (Ahn, Binkert, Davis, McLaren, Schreiber, SC 2009) and, with one link each, the flattened
 * butterfly (Kim, Dally, Abts, ISCA 2007): routers in a grid of S_1 x S_2 x ..., each joined to all
 * others of its line along every dimension by K_i parallel links.
 *
 * Routers are numbered with dimension 0 fastest; node = router * concentration + place. The outputs
 * of a router are those of dimension 0, by the position they lead to, parallel links side by side,
 * then those of dimension 1, ..., then those to its nodes.
 *
 * A minimal path corrects one digit after the other, dimension 0 first, by whichever of the
 * parallel links has a channel free. Such paths cannot close a circle. A detour goes to a router
 * drawn at random and on from there in a layer of its own. What UGAL and progressive routing draw
 * leaves alone the dimensions that a message need not travel. */
#include "base/memory.h"

#include <math.h>
#include "network/bisection.h"
#include "network/router_detour.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/scenario.h"

typedef struct hyperx {
    fc_detour detour;
    uint32_t dimensions;
    uint32_t size[FC_LIST_MAX], trunks[FC_LIST_MAX];
    uint32_t weight[FC_LIST_MAX]; /* of a digit in a router's number */
    uint32_t first[FC_LIST_MAX];  /* output of a dimension, of each router */
    uint16_t *digits;             /* routers x dimensions */
} hyperx;

/* ---- routing ---- */

static inline const uint16_t *digits_of(const hyperx *grid, uint32_t router) {
    return &grid->digits[(size_t)router * grid->dimensions];
}

static uint32_t step(const fc_router_network *network, uint32_t at, uint32_t to, uint32_t draw,
                     uint32_t *count) {
    (void)draw;
    const hyperx *grid = network->topology;
    const uint16_t *here = digits_of(grid, at), *there = digits_of(grid, to);
    uint32_t d = 0;
    while (here[d] == there[d])
        ++d;
    const uint32_t position = there[d] < here[d] ? there[d] : there[d] - 1u;
    *count = grid->trunks[d];
    return network->output_first[at] + grid->first[d] + position * grid->trunks[d];
}

static uint32_t hops(const fc_router_network *network, uint32_t at, uint32_t to) {
    const hyperx *grid = network->topology;
    const uint16_t *here = digits_of(grid, at), *there = digits_of(grid, to);
    uint32_t links = 0;
    for (uint32_t d = 0; d < grid->dimensions; ++d)
        links += here[d] != there[d];
    return links;
}

static bool reached(const fc_router_network *network, uint32_t at, uint32_t middle) {
    (void)network;
    return at == middle;
}

static uint32_t middle_from(const fc_router_network *network, uint32_t at, uint32_t to,
                            uint32_t middle) {
    const hyperx *grid = network->topology;
    const uint16_t *here = digits_of(grid, at), *there = digits_of(grid, to);
    const uint16_t *drawn = digits_of(grid, middle);
    uint32_t router = 0;
    for (uint32_t d = 0; d < grid->dimensions; ++d)
        router += (here[d] == there[d] ? here[d] : drawn[d]) * grid->weight[d];
    return router;
}

static const fc_detour_topology kind = {.rises = FC_RISE_MIDDLE | FC_RISE_LEAVE,
                                        .direct_above = true,
                                        .step = step,
                                        .weight = hops,
                                        .reached = reached,
                                        .middle_from = middle_from};

/* ---- building ---- */

static void release(void *topology) {
    hyperx *grid = topology;
    if (!grid)
        return;
    fc_release(grid->digits);
    fc_release(grid);
}

static uint32_t set_sizes(const fc_fabric *fabric, hyperx *grid, uint32_t *degree) {
    uint32_t routers = 1;
    *degree = 0;
    grid->dimensions = (uint32_t)fabric->shape.count;
    for (uint32_t d = 0; d < grid->dimensions; ++d) {
        grid->size[d] = (uint32_t)fabric->shape.values[d];
        grid->trunks[d] = (uint32_t)fabric->trunks.values[d];
        grid->weight[d] = routers;
        grid->first[d] = *degree;
        routers *= grid->size[d];
        *degree += (grid->size[d] - 1) * grid->trunks[d];
    }
    return routers;
}

static uint32_t delay_of(const fc_fabric *fabric, uint32_t d, uint32_t from, uint32_t to) {
    if (!fabric->spacing.count)
        return (uint32_t)fc_routed_delay_of(&fabric->routed, d);
    return (uint32_t)fabric->spacing.values[d] * (from > to ? from - to : to - from);
}

static void list_links(const fc_fabric *fabric, const void *topology, fc_router_link *link) {
    const hyperx *grid = topology;
    for (uint32_t router = 0; router < grid->detour.middles; ++router) {
        for (uint32_t d = 0; d < grid->dimensions; ++d) {
            const uint32_t own = digits_of(grid, router)[d];
            const uint32_t line = router - own * grid->weight[d];
            for (uint32_t to = 0; to < grid->size[d]; ++to) {
                for (uint32_t k = 0; to != own && k < grid->trunks[d]; ++k)
                    *link++ = (fc_router_link){router, line + to * grid->weight[d],
                                               delay_of(fabric, d, own, to),
                                               fc_routed_width_of(&fabric->routed, d)};
            }
        }
    }
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    hyperx *grid = fc_allocate(1, sizeof *grid);
    uint32_t degree;
    if (!grid)
        return fc_fail_memory(error);
    const uint32_t routers = set_sizes(fabric, grid, &degree);
    grid->digits = fc_allocate((size_t)routers * grid->dimensions, sizeof *grid->digits);
    if (!grid->digits) {
        release(grid);
        return fc_fail_memory(error);
    }
    for (uint32_t router = 0; router < routers; ++router) {
        for (uint32_t d = 0; d < grid->dimensions; ++d)
            grid->digits[(size_t)router * grid->dimensions + d] =
                (uint16_t)(router / grid->weight[d] % grid->size[d]);
    }
    grid->detour.kind = &kind;
    grid->detour.middles = routers;
    grid->detour.middle_step = grid->detour.draws = 1;
    const fc_detour_plan plan = {.topology = grid,
                                 .release = release,
                                 .routers = routers,
                                 .links = routers * degree,
                                 .hosts = (uint32_t)routed->concentration,
                                 .list_links = list_links};
    return fc_detour_build(fabric, routed, &plan, error, network);
}

static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_fabric *fabric = parameters;
    const fc_routed *routed = &fabric->routed;
    double degree = 0;
    for (size_t d = 0; d < fabric->shape.count; ++d) {
        const double others = (double)fabric->shape.values[d] - 1;
        degree += others * (double)fabric->trunks.values[d];
        if (fabric->spacing.count &&
            others * (double)fabric->spacing.values[d] > extent->longest_link)
            extent->longest_link = others * (double)fabric->spacing.values[d];
    }
    extent->links = (double)routed->nodes / (double)routed->concentration * degree;
    extent->outputs = degree + (double)routed->concentration;
    extent->longest_path =
        (fabric->routing == FC_ROUTE_MINIMAL ? 1 : 2) * (double)fabric->shape.count;
}

/* A line of n routers has a cable of length k between n - k pairs. */
static void count_parts(const void *parameters, fc_counts *counts) {
    enum { SPACE = 3 };
    const fc_fabric *fabric = parameters;
    const double nodes = (double)fabric->routed.nodes;
    bool exact;
    counts->routers = nodes / (double)fabric->routed.concentration;
    counts->cables = counts->wire_length = 0;
    for (size_t d = 0; d < fabric->shape.count; ++d) {
        const double side = (double)fabric->shape.values[d];
        const double links = counts->routers / side * (double)fabric->trunks.values[d];
        counts->cables += links * side * (side - 1) / 2;
        counts->wire_length += links * side * (side * side - 1) / 6;
    }
    if (fabric->shape.count > SPACE)
        counts->wire_length = NAN;
    counts->ports = 2 * counts->cables + nodes;
    counts->bisection = fc_bisection_of_cliques(fabric->shape.values, fabric->trunks.values,
                                                fabric->shape.count, &exact);
    counts->bisection_bound = exact ? FC_EXACT : FC_AT_MOST;
}

/* ---- in a scenario ---- */

static fc_status check_per_dimension(const fc_scenario *scenario, const fc_fabric *fabric,
                                     const char *key, const fc_integer_list *list,
                                     fc_error *error) {
    if (list->count && list->count != fabric->shape.count)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s has %zu numbers; network.shape has %zu dimensions", key,
                                    list->count, fabric->shape.count);
    return FC_OK;
}

static fc_status check_spacing(const fc_scenario *scenario, const fc_fabric *fabric,
                               fc_error *error) {
    enum { DELAY_MAX = FC_DELAY_MAX };
    const fc_status status =
        check_per_dimension(scenario, fabric, "network.spacing", &fabric->spacing, error);
    for (size_t d = 0; status == FC_OK && d < fabric->spacing.count; ++d) {
        const int64_t longest = fabric->spacing.values[d] * (fabric->shape.values[d] - 1);
        if (longest > DELAY_MAX)
            return fc_scenario_fail_key(scenario, "network.spacing", error,
                                        "network.spacing %lld makes links of dimension %zu up to "
                                        "%lld cycles long; at most %d are possible",
                                        (long long)fabric->spacing.values[d], d, (long long)longest,
                                        DELAY_MAX);
    }
    return status;
}

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    const fc_status status =
        check_per_dimension(scenario, fabric, "network.trunks", &fabric->trunks, error);
    for (size_t d = 0; d < fabric->shape.count; ++d) {
        *nodes *= (double)fabric->shape.values[d];
        if (!fc_scenario_has(scenario, "network.trunks"))
            fabric->trunks.values[d] = 1;
    }
    fabric->trunks.count = fabric->shape.count;
    *nodes *= (double)fabric->routed.concentration;
    fabric->routed.digits = fabric->shape;
    fabric->routed.link_kinds = "dimension";
    fabric->routed.link_kind_count = fabric->shape.count;
    return status == FC_OK ? check_spacing(scenario, fabric, error) : status;
}

static uint32_t layers(const fc_fabric *fabric) {
    if (fabric->routing == FC_ROUTE_MINIMAL)
        return 1;
    return 2u + (fabric->routing == FC_ROUTE_PROGRESSIVE && fabric->shape.count > 1);
}

static const char *const required[] = {"network.shape", NULL};
static const char *const optional[] = {
    "network.trunks", "network.spacing",  "network.concentration",   "network.bias",
    "network.queues", "network.decision", "network.ejection_choice", NULL};
const fc_fabric_topology fc_fabric_hyperx = {
    .required = required,
    .optional = optional,
    .routings = FC_DETOUR_ROUTINGS,
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .layers = layers,
    .routers = {measure, build, count_parts},
};
/* All but the parallel links. */
const fc_fabric_topology fc_fabric_flattened_butterfly = {
    .required = required,
    .optional = optional + 1,
    .routings = FC_DETOUR_ROUTINGS,
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .layers = layers,
    .routers = {measure, build, count_parts},
};
