/* Dragonfly (Kim, Dally, Scott, Abts, ISCA 2008): groups of a routers, each joined to all others of
 * its group, to p nodes and by h links to other groups.
 *
 * Router = group * a + index; its nodes are p * router .. p * router + p - 1. Link k of index s out
 * of a group is number s * h + k of the group. Groups are joined in rounds of g - 1 links, one link
 * to each other group: link j of a round leads from group i
 *
 *   absolute   to group j, or j + 1 if j >= i (as in BookSim)
 *   relative   to group i + j + 1
 *   circulant  to group i + 1, i - 1, i + 2, i - 2, ... for j = 0, 1, 2, 3, ...
 *
 * (modulo g; names as in Hastings et al., CLUSTER 2015). There are a h / (g - 1) rounds; which one
 * a message takes is drawn for it, so that between groups joined more than once a minimal path has
 * one global link but not always the fewest local ones.
 *
 * A minimal path is local, global, local. Over a group drawn at random it is local, global, local,
 * global, local; over a router of that group it may have one local link more. A message rises by a
 * layer of virtual channels before each global link, so local links of one layer lead to global
 * links of the next, and those to local links of the same layer: no circle. It also rises at the
 * router that a detour leads over, and where a minimal path is left for a detour after a local
 * link, since two local links of one layer behind each other could close a circle within a group.
 * Where queues decide about a detour over a group, it rises at the first router, too: messages that
 * wait for the link of the minimal path are then in other channels, and counted apart. */
#include "base/memory.h"

#include <math.h>
#include "network/router_detour.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/scenario.h"

typedef struct dragonfly {
    fc_detour detour;
    uint32_t hosts, size, links, groups; /* p, a, h, g */
    int arrangement;
    struct location {
        uint32_t group, index;
    } * location; /* of each router */
} dragonfly;

/* ---- links between groups ---- */

/* The link of a round that leads from one group to another. */
static inline uint32_t link_to(const dragonfly *fly, uint32_t from, uint32_t to) {
    if (fly->arrangement == FC_ABSOLUTE)
        return to < from ? to : to - 1;
    const uint32_t ahead = to > from ? to - from : to + fly->groups - from;
    if (fly->arrangement == FC_RELATIVE)
        return ahead - 1;
    const uint32_t behind = fly->groups - ahead;
    return ahead <= behind ? 2 * (ahead - 1) : 2 * (behind - 1) + 1;
}

static uint32_t group_at(const dragonfly *fly, uint32_t from, uint32_t link) {
    if (fly->arrangement == FC_ABSOLUTE)
        return link < from ? link : link + 1;
    uint32_t ahead = link + 1;
    if (fly->arrangement == FC_CIRCULANT)
        ahead = link % 2 ? fly->groups - (link / 2 + 1) : link / 2 + 1;
    return (from + ahead) % fly->groups;
}

/* ---- routing ---- */

static inline uint32_t local_output(const fc_router_network *network, uint32_t at, uint32_t own,
                                    uint32_t index) {
    return network->output_first[at] + (index < own ? index : index - 1);
}

static uint32_t step(const fc_router_network *network, uint32_t at, uint32_t to, uint32_t draw,
                     uint32_t *count) {
    const dragonfly *fly = network->topology;
    const struct location here = fly->location[at], there = fly->location[to];
    *count = 1;
    if (here.group == there.group)
        return local_output(network, at, here.index, there.index);
    const uint32_t link = draw * (fly->groups - 1) + link_to(fly, here.group, there.group);
    const uint32_t gate = link / fly->links;
    if (gate != here.index)
        return local_output(network, at, here.index, gate);
    return network->output_first[at] + fly->size - 1 + (link - gate * fly->links);
}

/* Global links, the ones that fill up (Jiang, Kim, Dally, ISCA 2009). */
static uint32_t weight(const fc_router_network *network, uint32_t at, uint32_t to) {
    (void)network, (void)at, (void)to;
    return 1;
}

static bool same_group(const fc_router_network *network, uint32_t at, uint32_t middle) {
    const dragonfly *fly = network->topology;
    return fly->location[at].group == fly->location[middle].group;
}

static bool same_router(const fc_router_network *network, uint32_t at, uint32_t middle) {
    (void)network;
    return at == middle;
}

static bool in_other_group(const fc_router_network *network, uint32_t at, uint32_t to) {
    return !same_group(network, at, to);
}

/* Over a router, a detour within the source's or the destination's group is none. */
static uint32_t middle_outside(const fc_router_network *network, uint32_t at, uint32_t to,
                               uint32_t middle) {
    return same_group(network, at, middle) ? at : same_group(network, to, middle) ? to : middle;
}

static bool is_global(const fc_router_network *network, uint32_t output) {
    const dragonfly *fly = network->topology;
    const uint32_t index = output - network->output_first[network->output_router[output]];
    return index + 1 >= fly->size;
}

static const fc_detour_topology over_group = {.rises = FC_RISE_GLOBAL | FC_RISE_DETOUR,
                                              .step = step,
                                              .weight = weight,
                                              .reached = same_group,
                                              .undecided_at = in_other_group,
                                              .is_global = is_global};
static const fc_detour_topology over_router = {.rises =
                                                   FC_RISE_GLOBAL | FC_RISE_LEAVE | FC_RISE_MIDDLE,
                                               .step = step,
                                               .weight = weight,
                                               .reached = same_router,
                                               .undecided_at = in_other_group,
                                               .middle_from = middle_outside,
                                               .is_global = is_global};

/* ---- building ---- */

static void release(void *topology) {
    dragonfly *fly = topology;
    if (!fly)
        return;
    fc_release(fly->location);
    fc_release(fly);
}

enum { LOCAL, GLOBAL, KINDS }; /* of links */

static void list_links(const fc_fabric *fabric, const void *topology, fc_router_link *link) {
    const dragonfly *fly = topology;
    const fc_routed *routed = &fabric->routed;
    for (uint32_t router = 0; router < fly->groups * fly->size; ++router) {
        const struct location at = fly->location[router];
        for (uint32_t index = 0; index < fly->size; ++index) {
            if (index != at.index)
                *link++ = fc_link_between(routed, router, router - at.index + index, LOCAL);
        }
        for (uint32_t k = 0; k < fly->links; ++k) {
            const uint32_t number = at.index * fly->links + k;
            const uint32_t round = number / (fly->groups - 1);
            const uint32_t to = group_at(fly, at.group, number % (fly->groups - 1));
            const uint32_t back = round * (fly->groups - 1) + link_to(fly, to, at.group);
            *link++ = (fc_router_link){router, to * fly->size + back / fly->links,
                                       (uint32_t)fabric->global_delay,
                                       fc_routed_width_of(routed, GLOBAL)};
        }
    }
}

/* Under uniform traffic it is the same from every node, whichever the arrangement: a local link
 * carries what the nodes of its router send over the global links of the other one and what comes
 * over its own for the nodes of the other one; a global link what its groups send to each other. */
static uint32_t link_kind(const fc_router_network *network, uint32_t output) {
    return network->output_end[output] & FC_TO_NODE ? KINDS
           : is_global(network, output)             ? GLOBAL
                                                    : LOCAL;
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    const bool by_router = fabric->intermediate == FC_OVER_ROUTER;
    dragonfly *fly = fc_allocate(1, sizeof *fly);
    if (!fly)
        return fc_fail_memory(error);
    fly->hosts = (uint32_t)fabric->hosts;
    fly->size = (uint32_t)fabric->group_size;
    fly->links = (uint32_t)fabric->global_links;
    fly->groups = (uint32_t)fabric->groups;
    fly->arrangement = fabric->arrangement;
    fly->detour.kind = by_router ? &over_router : &over_group;
    fly->detour.middles = by_router ? fly->groups * fly->size : fly->groups;
    fly->detour.middle_step = by_router ? 1 : fly->size;
    fly->detour.draws = fly->size * fly->links / (fly->groups - 1);
    const uint32_t routers = fly->groups * fly->size;
    fly->location = fc_allocate(routers, sizeof *fly->location);
    if (!fly->location) {
        release(fly);
        return fc_fail_memory(error);
    }
    for (uint32_t r = 0; r < routers; ++r)
        fly->location[r] = (struct location){r / fly->size, r % fly->size};
    const fc_detour_plan plan = {.topology = fly,
                                 .release = release,
                                 .routers = routers,
                                 .links = routers * (fly->size - 1 + fly->links),
                                 .hosts = fly->hosts,
                                 .list_links = list_links};
    const fc_status status = fc_detour_build(fabric, routed, &plan, error, network);
    if (status != FC_OK || routed->around || fabric->routing != FC_ROUTE_MINIMAL)
        return status;
    (*network)->node_stride = (*network)->nodes;
    (*network)->link_kind = link_kind;
    (*network)->only_loads_alike = fly->arrangement == FC_ABSOLUTE || fly->detour.draws > 1;
    return FC_OK;
}

static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_fabric *fabric = parameters;
    const fc_routed *routed = &fabric->routed;
    const double links = (double)(fabric->group_size - 1 + fabric->global_links);
    extent->links = (double)(fabric->group_size * fabric->groups) * links;
    extent->outputs = links + (double)fabric->hosts;
    extent->longest_link = fmax((double)routed->link_delay, (double)fabric->global_delay);
    extent->longest_path = fabric->routing == FC_ROUTE_MINIMAL ? 3 : 6;
}

static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_fabric *fabric = parameters;
    counts->routers = (double)(fabric->group_size * fabric->groups);
    counts->cables = counts->routers * (double)(fabric->group_size - 1 + fabric->global_links) / 2;
    counts->ports = 2 * counts->cables + (double)fabric->routed.nodes;
}

/* ---- in a scenario ---- */

/* Numbers of groups among which `links` can be shared evenly: the nearest below and above. */
static void nearest_groups(int64_t links, int64_t groups, int64_t *below, int64_t *above) {
    for (*below = groups - 1; *below > 2 && links % (*below - 1); --*below)
        ;
    for (*above = groups + 1; *above <= links && links % (*above - 1); ++*above)
        ;
}

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    const int64_t links = fabric->group_size * fabric->global_links;
    if (!fc_scenario_has(scenario, "network.groups"))
        fabric->groups = links + 1;
    if (!fc_scenario_has(scenario, "network.global_delay"))
        fabric->global_delay = fc_routed_delay_of(
            &fabric->routed, fabric->routed.link_delays.count == KINDS ? GLOBAL : LOCAL);
    fabric->routed.link_kinds = "of local and global links";
    fabric->routed.link_kind_count = KINDS;
    const int64_t groups = fabric->groups;
    if (groups > links + 1)
        return fc_scenario_fail_key(scenario, "network.groups", error,
                                    "%lld routers with %lld global links each reach %lld other "
                                    "groups; network.groups is %lld, at most %lld are possible",
                                    (long long)fabric->group_size, (long long)fabric->global_links,
                                    (long long)links, (long long)groups, (long long)links + 1);
    if (links % (groups - 1)) {
        int64_t below, above;
        nearest_groups(links, groups, &below, &above);
        return fc_scenario_fail_key(scenario, "network.groups", error,
                                    "the %lld global links of a group (routers x global_links) "
                                    "cannot be shared evenly among %lld other groups; the nearest "
                                    "possible network.groups are %lld and %lld",
                                    (long long)links, (long long)groups - 1, (long long)below,
                                    (long long)above);
    }
    fabric->routed.concentration = fabric->hosts;
    fabric->routed.digits =
        (fc_integer_list){.count = 2, .values = {fabric->group_size, fabric->groups}};
    *nodes = (double)fabric->hosts * (double)fabric->group_size * (double)groups;
    return FC_OK;
}

static uint32_t layers(const fc_fabric *fabric) {
    if (fabric->routing == FC_ROUTE_MINIMAL)
        return 2;
    if (fabric->intermediate == FC_OVER_ROUTER)
        return 4u + (fabric->routing == FC_ROUTE_PROGRESSIVE);
    return 3u + (fabric->routing != FC_ROUTE_VALIANT);
}

static const char *const required[] = {"network.hosts", "network.routers", "network.global_links",
                                       NULL};
static const char *const optional[] = {"network.groups",
                                       "network.arrangement",
                                       "network.global_delay",
                                       "network.intermediate",
                                       "network.bias",
                                       "network.queues",
                                       "network.decision",
                                       "network.ejection_choice",
                                       NULL};
const fc_fabric_topology fc_fabric_dragonfly = {
    .required = required,
    .optional = optional,
    .routings = FC_DETOUR_ROUTINGS,
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .layers = layers,
    .routers = {measure, build, count_parts},
};
