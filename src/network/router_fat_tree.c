/* Fat tree as a k-ary n-tree: n levels of routers with k links down each, k^n nodes below the
 * lowest.
 *
 * A router has a level, 0 at the nodes, and a place, a number of n-1 digits. Node x is at place x /
 * k of level 0. Routers of neighbouring levels l and l+1 are joined if their places differ in digit
 * l at most. With as many links up as down every digit is below k. With fewer, u at level l
 * (network. oversubscription), there are only u routers above for digit l: at levels above l that
 * digit is below u, so that each level has k/u times fewer routers than the one below. Output d up
 * from level l leads to the place whose digit l is d, output d down from level l+1 likewise. So
 * there is one path down from any router that can reach a node: from level l by digit l of the
 * node's number, in the end to the node itself; and on the way up, to the level of the highest
 * digit in which source and destination differ, every output will do. (BookSim wires its fat tree
 * the same way.)
 *
 *   destination  up by the destination's digit of that level, modulo the links up: messages for
 *                different nodes below the same router part on the way up and do not meet on the
 *                way down
 *   random       up by digits drawn for each message
 *   adaptive     up by any output that has a channel free
 *   anca         as in BookSim: up by the one of two outputs, drawn at each router, that has fewer
 *                flits in the buffers at its end and on their way there
 *
 * A message goes down after it has gone up and never up again: no circle is possible. */
#include "base/memory.h"

#include <assert.h>
#include "network/router_wiring.h"
#include "scenario/families/fabric_rules.h"
#include <math.h>
#include "scenario/scenario.h"

#define SECOND 0x40000000u /* anca, in state: up by the second of the outputs drawn */
#define DOWN 0x80000000u   /* in state: past the highest router; the rest is that one's level */

typedef struct fat_tree {
    uint32_t arity, levels;
    uint32_t up[FC_LIST_MAX];        /* links up of a router of each level */
    uint32_t first[FC_LIST_MAX + 1]; /* router of each level */
    uint32_t below[FC_LIST_MAX];     /* places that the digits below the level's tell apart */
    uint8_t *level;                  /* of each router */
    uint16_t *digits;                /* of each node number */
} fat_tree;

static inline uint32_t digit(const fat_tree *tree, uint32_t number, uint32_t place) {
    return tree->digits[(size_t)number * tree->levels + place];
}

static uint32_t highest_level(const fat_tree *tree, uint32_t source, uint32_t destination) {
    uint32_t level = tree->levels - 1;
    while (level > 0 && digit(tree, source, level) == digit(tree, destination, level))
        --level;
    return level;
}

static uint32_t variants_of_random(const fc_router_network *network, uint32_t source,
                                   uint32_t destination) {
    const fat_tree *tree = network->topology;
    return tree->below[highest_level(tree, source, destination)];
}

/* The digits of the variant become digits of a node's number, so that one table serves both. */
static void begin_at_random(const fc_router_network *network, uint32_t variant, fc_course *course) {
    const fat_tree *tree = network->topology;
    course->state = highest_level(tree, course->source, course->destination);
    course->choice = 0;
    for (uint32_t level = 0, weight = 1; level < course->state; ++level, weight *= tree->arity) {
        course->choice += variant % tree->up[level] * weight;
        variant /= tree->up[level];
    }
}

static void begin(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)variant;
    course->choice = 0;
    course->state = highest_level(network->topology, course->source, course->destination);
}

/* The path down is the same for all; returns false for a router on the path up. */
static inline bool route_down(const fc_router_network *network, uint32_t router, fc_course *course,
                              fc_route_candidates *candidates) {
    const fat_tree *tree = network->topology;
    const uint32_t level = tree->level[router];
    if (!(course->state & DOWN)) {
        if (level != course->state)
            return false;
        course->state |= DOWN;
    }
    if (level == 0)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course,
                          network->output_first[router] + digit(tree, course->destination, level));
    return true;
}

/* Outputs down come before those up; at the lowest level nodes' outputs come last. */
static inline uint32_t first_up(const fc_router_network *network, uint32_t router) {
    const fat_tree *tree = network->topology;
    return network->output_first[router] + (tree->level[router] ? tree->arity : 0);
}

static void route_by_destination(const fc_router_network *network, uint32_t input, uint32_t channel,
                                 fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fat_tree *tree = network->topology;
    const uint32_t router = network->input_router[input];
    if (!route_down(network, router, course, candidates))
        fc_candidates_one(candidates, course,
                          first_up(network, router) +
                              digit(tree, course->destination, tree->level[router]) %
                                  tree->up[tree->level[router]]);
}

static void route_at_random(const fc_router_network *network, uint32_t input, uint32_t channel,
                            fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fat_tree *tree = network->topology;
    const uint32_t router = network->input_router[input];
    if (!route_down(network, router, course, candidates))
        fc_candidates_one(candidates, course,
                          first_up(network, router) +
                              digit(tree, course->choice, tree->level[router]));
}

static void route_adaptively(const fc_router_network *network, uint32_t input, uint32_t channel,
                             fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fat_tree *tree = network->topology;
    const uint32_t router = network->input_router[input];
    if (!route_down(network, router, course, candidates))
        fc_candidates_any(candidates, course, first_up(network, router),
                          tree->up[tree->level[router]]);
}

/* Down from the first router that has the destination below it, up before. */
static void towards_of(const fc_router_network *network, uint32_t router, uint32_t destination,
                       bool random, fc_towards *towards) {
    const fat_tree *tree = network->topology;
    const uint32_t level = tree->level[router], up = tree->up[level];
    uint32_t place = (router - tree->first[level]) / tree->below[level];
    bool below = true;
    for (uint32_t l = level + 1; l < tree->levels; ++l, place /= tree->arity)
        below &= place % tree->arity == digit(tree, destination, l);
    if (below && level == 0)
        *towards = (fc_towards){network->node_output[destination], 1, 1};
    else if (below)
        *towards =
            (fc_towards){network->output_first[router] + digit(tree, destination, level), 1, 1};
    else if (random)
        *towards = (fc_towards){first_up(network, router), tree->below[level], up};
    else
        *towards =
            (fc_towards){first_up(network, router) + digit(tree, destination, level) % up, 1, 1};
}

static void towards_by_destination(const fc_router_network *network, uint32_t router,
                                   uint32_t destination, fc_towards *towards) {
    towards_of(network, router, destination, false, towards);
}

static void towards_at_random(const fc_router_network *network, uint32_t router,
                              uint32_t destination, fc_towards *towards) {
    towards_of(network, router, destination, true, towards);
}

/* Two outputs for each level below the highest: the digits of the variant, two at a time. */
static uint32_t variants_of_anca(const fc_router_network *network, uint32_t source,
                                 uint32_t destination) {
    const fat_tree *tree = network->topology;
    const uint32_t paths_up = tree->below[highest_level(tree, source, destination)];
    return paths_up * paths_up;
}

static void begin_anca(const fc_router_network *network, uint32_t variant, fc_course *course) {
    begin(network, variant, course);
    course->choice = variant;
}

static uint32_t drawn_output(const fc_router_network *network, uint32_t router,
                             const fc_course *course, bool second) {
    const fat_tree *tree = network->topology;
    const uint32_t level = tree->level[router], up = tree->up[level];
    const uint32_t pair = course->choice / (tree->below[level] * tree->below[level]);
    return first_up(network, router) + (second ? pair / up % up : pair % up);
}

static uint32_t alternatives_of_anca(const fc_router_network *network, uint32_t input,
                                     const fc_course *course,
                                     fc_alternative alternative[FC_ALTERNATIVES_MAX]) {
    const fat_tree *tree = network->topology;
    const uint32_t router = network->input_router[input];
    if (course->state & DOWN || tree->level[router] == course->state)
        return 0;
    for (uint32_t i = 0; i < 2; ++i)
        alternative[i] = (fc_alternative){.output = drawn_output(network, router, course, i),
                                          .outputs = 1,
                                          .weight = 1,
                                          .choice = course->choice,
                                          .state = course->state | (i ? SECOND : 0)};
    return 2;
}

static void route_anca(const fc_router_network *network, uint32_t input, uint32_t channel,
                       fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const uint32_t router = network->input_router[input];
    const bool second = course->state & SECOND;
    course->state &= ~SECOND;
    if (!route_down(network, router, course, candidates))
        fc_candidates_one(candidates, course, drawn_output(network, router, course, second));
}

static void release(void *topology) {
    fat_tree *tree = topology;
    if (!tree)
        return;
    fc_release(tree->level);
    fc_release(tree->digits);
    fc_release(tree);
}

static uint32_t per_level(const fat_tree *tree, uint32_t level) {
    return tree->first[level + 1] - tree->first[level];
}

/* Links from one router to those of a neighbouring level that differ from it in digit `between` at
 * most: `digits` of them, of which the router's own level has `own`. */
static fc_router_link *list_level(const fat_tree *tree, const fc_routed *routed, uint32_t from,
                                  uint32_t to_level, fc_router_link *link) {
    const uint32_t level = tree->level[from];
    const bool up = to_level > level;
    const uint32_t between = up ? level : to_level, weight = tree->below[between];
    const uint32_t own = up ? tree->arity : tree->up[between];
    const uint32_t digits = up ? tree->up[between] : tree->arity;
    const uint32_t place = from - tree->first[level];
    const uint32_t low = place % weight, high = place / (weight * own);
    for (uint32_t d = 0; d < digits; ++d)
        *link++ = fc_link_between(routed, from,
                                  tree->first[to_level] + low + d * weight + high * weight * digits,
                                  between);
    return link;
}

static uint32_t list_links(const fat_tree *tree, const fc_routed *routed, fc_router_link *link) {
    fc_router_link *next = link;
    for (uint32_t level = 0; level < tree->levels; ++level) {
        for (uint32_t router = tree->first[level]; router < tree->first[level + 1]; ++router) {
            if (level > 0)
                next = list_level(tree, routed, router, level - 1, next);
            if (level + 1 < tree->levels)
                next = list_level(tree, routed, router, level + 1, next);
        }
    }
    return (uint32_t)(next - link);
}

static fc_status wire(const fat_tree *tree, const fc_routed *routed, fc_error *error,
                      fc_router_network **network) {
    const uint32_t nodes = per_level(tree, 0) * tree->arity, routers = tree->first[tree->levels];
    fc_router_link *link = fc_allocate((size_t)2 * tree->levels * nodes, sizeof *link);
    fc_status status = link ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        for (uint32_t level = 0; level < tree->levels; ++level) {
            for (uint32_t router = tree->first[level]; router < tree->first[level + 1]; ++router)
                tree->level[router] = (uint8_t)level;
        }
        const fc_wiring wiring = {.nodes = nodes,
                                  .routers = routers,
                                  .links = list_links(tree, routed, link),
                                  .link = link,
                                  .hosts = tree->arity,
                                  .node_delay = (uint32_t)routed->node_delay,
                                  .virtual_channels = (uint32_t)routed->virtual_channels};
        status = fc_router_network_wire(&wiring, error, network);
    }
    fc_release(link);
    return status;
}

/* Links up of a router at a level. */
static uint32_t uplinks(const fc_fabric *fabric, uint32_t level) {
    return level < fabric->oversubscription.count
               ? (uint32_t)lround((double)fabric->arity / fabric->oversubscription.values[level])
               : (uint32_t)fabric->arity;
}

static void set_levels(const fc_fabric *fabric, fat_tree *tree) {
    tree->arity = (uint32_t)fabric->arity;
    tree->levels = (uint32_t)fabric->levels;
    uint32_t routers = fc_power(tree->arity, tree->levels - 1), below = 1;
    for (uint32_t level = 0; level < tree->levels; ++level) {
        tree->up[level] = uplinks(fabric, level);
        tree->below[level] = below;
        tree->first[level + 1] = tree->first[level] + routers;
        routers = routers / tree->arity * tree->up[level];
        below *= tree->up[level];
    }
}

static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_fabric *fabric = parameters;
    const fc_routed *routed = &fabric->routed;
    extent->longest_path = 2 * (double)(fabric->levels - 1);
    extent->links = (double)routed->nodes * extent->longest_path;
    extent->outputs = 2 * (double)fabric->arity;
}

/* A halving divides the highest subtrees evenly; where their number is odd, one of them in turn. No
 * halving of a tree that is not tapered passes less: any node can be paired with any other. */
static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_fabric *fabric = parameters;
    const double nodes = (double)fabric->routed.nodes, arity = (double)fabric->arity;
    double routers = nodes / arity, tall = 1; /* of the level; nodes of a router's subtree */
    bool tapered = false;
    counts->routers = counts->cables = 0;
    counts->bisection = 0;
    for (uint32_t level = 0; level < (uint32_t)fabric->levels; ++level) {
        const bool highest = level + 1 == (uint32_t)fabric->levels;
        const double up = highest ? 0 : (double)uplinks(fabric, level);
        counts->routers += routers;
        counts->cables += routers * up;
        tall *= arity;
        if (!highest) { /* the links up of a subtree of this height */
            const double subtree = routers * up / (nodes / tall);
            counts->bisection =
                floor(arity / 2) * subtree + (fabric->arity % 2 ? counts->bisection : 0);
        }
        tapered |= !highest && up < arity;
        routers *= up / arity;
    }
    counts->ports = 2 * counts->cables + nodes;
    if (fabric->levels == 1)
        counts->bisection = NAN; /* one router */
    if (tapered && fabric->arity % 2)
        counts->bisection_bound = FC_AT_MOST;
}

/* By the level it leaves, and whether it leads up. */
static uint32_t link_kind(const fc_router_network *network, uint32_t output) {
    const fat_tree *tree = network->topology;
    const uint32_t router = network->output_router[output], end = network->output_end[output];
    const uint32_t level = tree->level[router];
    const bool up = !(end & FC_TO_NODE) && tree->level[network->input_router[end]] > level;
    return 2 * level + up;
}

static void install(const fc_fabric *fabric, fc_router_network *network) {
    const fat_tree *tree = network->topology;
    network->begin = begin;
    network->route = route_by_destination;
    network->towards = fabric->routing == FC_ROUTE_DESTINATION ? towards_by_destination : NULL;
    if (fabric->routing == FC_ROUTE_RANDOM) {
        network->begin = begin_at_random;
        network->variants = variants_of_random;
        network->route = route_at_random;
        network->towards = towards_at_random;
        network->route_drawing = tree->arity <= FC_CANDIDATES_MAX ? route_adaptively : NULL;
    } else if (fabric->routing == FC_ROUTE_ADAPTIVE) {
        network->route = route_adaptively;
    } else if (fabric->routing == FC_ROUTE_ANCA) {
        network->begin = begin_anca;
        network->variants = variants_of_anca;
        network->route = route_anca;
        network->alternatives = alternatives_of_anca;
    }
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    fat_tree *tree = fc_allocate(1, sizeof *tree);
    fc_router_network *built = NULL;
    if (!tree)
        return fc_fail_memory(error);
    set_levels(fabric, tree);
    tree->digits = fc_digit_table(tree->arity, tree->levels);
    tree->level = fc_allocate(tree->first[tree->levels], sizeof *tree->level);
    fc_status status = FC_OK;
    if (!tree->digits || !tree->level)
        status = fc_fail_memory(error);
    else if (fabric->routing == FC_ROUTE_ADAPTIVE && tree->arity > FC_CANDIDATES_MAX)
        status = fc_fail(error, FC_ERROR_UNSUPPORTED,
                         "routing: adaptive chooses among at most %d outputs; use random",
                         FC_CANDIDATES_MAX);
    else if (fabric->routing == FC_ROUTE_ANCA && tree->below[tree->levels - 1] > UINT16_MAX)
        status = fc_fail(error, FC_ERROR_UNSUPPORTED,
                         "routing: anca draws among at most %d links up; this tree has %u; use "
                         "adaptive or random",
                         UINT16_MAX, tree->below[tree->levels - 1]);
    else
        status = wire(tree, routed, error, &built);
    if (status != FC_OK) {
        release(tree);
        return status;
    }
    assert(built);
    built->topology = tree;
    built->release_topology = release;
    *network = built;
    if (routed->around)
        return FC_OK;
    built->node_stride = built->nodes;
    built->link_kind = link_kind;
    install(fabric, built);
    return FC_OK;
}

/* ---- in a scenario ---- */

static fc_status check_oversubscription(const fc_scenario *scenario, const fc_fabric *fabric,
                                        fc_error *error) {
    const fc_number_list *list = &fabric->oversubscription;
    if (list->count && (int64_t)list->count != fabric->levels - 1)
        return fc_scenario_fail_key(scenario, "network.oversubscription", error,
                                    "network.oversubscription has %zu numbers; a fat tree of %lld "
                                    "levels takes %lld, one for each level but the highest",
                                    list->count, (long long)fabric->levels,
                                    (long long)fabric->levels - 1);
    for (size_t i = 0; i < list->count; ++i) {
        const double up = (double)fabric->arity / list->values[i];
        if (up < 1 || fabs(up - round(up)) > 1e-9 * up)
            return fc_scenario_fail_key(scenario, "network.oversubscription", error,
                                        "network.oversubscription %g leaves %g links up for %lld "
                                        "down; a router has a whole number of them",
                                        list->values[i], up, (long long)fabric->arity);
    }
    return FC_OK;
}

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    const fc_status status = fc_fabric_size_tree(scenario, fabric, nodes, error);
    fabric->routed.link_kinds = fabric->levels > 2 ? "level of links, from the nodes on" : NULL;
    fabric->routed.link_kind_count = (size_t)fabric->levels - 1;
    return status == FC_OK ? check_oversubscription(scenario, fabric, error) : status;
}

static const char *const required[] = {"network.arity", "network.levels", NULL};
static const char *const optional[] = {"network.oversubscription", "network.decision", NULL};
const fc_fabric_topology fc_fabric_fat_tree = {
    .required = required,
    .optional = optional,
    .routings = FC_TREE_ROUTINGS | FC_ROUTING_BIT(FC_ROUTE_ANCA),
    .routing = FC_ROUTE_DESTINATION,
    .size = size,
    .routers = {measure, build, count_parts, FC_LIKE_TREE},
};
