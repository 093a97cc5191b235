#include "scenario/fabric_rules.h"

#include <math.h>
#include <string.h>
#include "base/finite_field.h"
#include "scenario/patterns/pattern.h"
#include "scenario/routed_rules.h"
#include "scenario/scenario.h"
#include "scenario/traffic_rules.h"
#include "scenario/workload_rules.h"

enum { LINKS_MAX = 1 << 27, TEXT_SIZE = 160 };

const char *const fc_fabric_topologies[] = {
    "fly", "fat-tree", "graph", "dragonfly", "hyperx", "flattened-butterfly", "slim-fly", NULL};
const char *const fc_fabric_routings[] = {"destination", "random",      "adaptive",
                                          "minimal",     "up-down",     "valiant",
                                          "ugal-local",  "ugal-global", "progressive-adaptive",
                                          NULL};

#define IN(topology) (1u << (topology))
#define HYPERX (IN(FC_HYPERX) | IN(FC_FLATTENED_BUTTERFLY))
#define WITH_DETOURS (IN(FC_DRAGONFLY) | HYPERX | IN(FC_SLIM_FLY))

/* "fly, fat-tree or graph" of the names whose bits are set. */
static const char *list_names(const char *const *names, uint32_t set, const char *last,
                              char text[TEXT_SIZE]) {
    size_t used = 0;
    for (uint32_t i = 0; names[i]; ++i) {
        if (!(set >> i & 1))
            continue;
        const char *before = !used ? "" : set >> (i + 1) ? ", " : last;
        used += (size_t)snprintf(text + used, TEXT_SIZE - used, "%s%s", before, names[i]);
    }
    return text;
}

/* ---- keys ---- */

static const struct {
    const char *key;
    uint32_t topologies;
    bool required;
} own_keys[] = {
    {"network.arity", IN(FC_FLY) | IN(FC_FAT_TREE), true},
    {"network.levels", IN(FC_FLY) | IN(FC_FAT_TREE), true},
    {"network.extra_stages", IN(FC_FLY), false},
    {"network.oversubscription", IN(FC_FAT_TREE), false},
    {"network.file", IN(FC_GRAPH), true},
    {"network.hosts", IN(FC_DRAGONFLY), true},
    {"network.routers", IN(FC_DRAGONFLY), true},
    {"network.global_links", IN(FC_DRAGONFLY), true},
    {"network.groups", IN(FC_DRAGONFLY), false},
    {"network.arrangement", IN(FC_DRAGONFLY), false},
    {"network.global_delay", IN(FC_DRAGONFLY), false},
    {"network.intermediate", IN(FC_DRAGONFLY), false},
    {"network.shape", HYPERX, true},
    {"network.trunks", IN(FC_HYPERX), false},
    {"network.spacing", HYPERX, false},
    {"network.q", IN(FC_SLIM_FLY), true},
    {"network.concentration", HYPERX | IN(FC_SLIM_FLY), false},
    {"network.bias", WITH_DETOURS, false},
};

static fc_status check_applicable(const fc_scenario *scenario, const fc_fabric *fabric,
                                  fc_error *error) {
    char list[TEXT_SIZE];
    for (size_t i = 0; i < sizeof own_keys / sizeof *own_keys; ++i) {
        const uint32_t of = own_keys[i].topologies;
        const bool given = fc_scenario_has(scenario, own_keys[i].key);
        if (given && !(of & IN(fabric->topology)))
            return fc_scenario_fail_key(scenario, own_keys[i].key, error, "%s applies only to %s%s",
                                        own_keys[i].key,
                                        of & (of - 1) ? "topologies " : "topology: ",
                                        list_names(fc_fabric_topologies, of, " and ", list));
        if (!given && own_keys[i].required && of & IN(fabric->topology))
            return fc_scenario_fail_key(scenario, "network.topology", error,
                                        "'%s' is missing; topology: %s needs it", own_keys[i].key,
                                        fc_fabric_topologies[fabric->topology]);
    }
    return fc_open_keys_check(scenario, error);
}

/* ---- routing ---- */

static fc_status resolve_routing(const fc_scenario *scenario, fc_fabric *fabric, fc_error *error) {
    const uint32_t of_trees =
        IN(FC_ROUTE_DESTINATION) | IN(FC_ROUTE_RANDOM) | IN(FC_ROUTE_ADAPTIVE);
    const uint32_t of_detours = IN(FC_ROUTE_MINIMAL) | IN(FC_ROUTE_VALIANT) |
                                IN(FC_ROUTE_UGAL_LOCAL) | IN(FC_ROUTE_UGAL_GLOBAL) |
                                IN(FC_ROUTE_PROGRESSIVE);
    const uint32_t of_graphs = IN(FC_ROUTE_MINIMAL) | IN(FC_ROUTE_UP_DOWN);
    const bool tree = fabric->topology == FC_FLY || fabric->topology == FC_FAT_TREE;
    const uint32_t allowed = tree                           ? of_trees
                             : fabric->topology == FC_GRAPH ? of_graphs
                                                            : of_detours;
    char list[TEXT_SIZE];
    if (!fc_scenario_has(scenario, "network.routing"))
        fabric->routing = tree ? FC_ROUTE_DESTINATION : FC_ROUTE_MINIMAL;
    if (!(allowed >> fabric->routing & 1))
        return fc_scenario_fail_key(
            scenario, "network.routing", error, "routing: %s is not for topology: %s; expected %s",
            fc_fabric_routings[fabric->routing], fc_fabric_topologies[fabric->topology],
            list_names(fc_fabric_routings, allowed, " or ", list));
    if (fabric->topology == FC_FLY && fabric->routing != FC_ROUTE_DESTINATION &&
        fabric->extra_stages == 0)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s has nothing to choose from: a fly without "
                                    "network.extra_stages has one way for each pair",
                                    fc_fabric_routings[fabric->routing]);
    const uint32_t adaptive =
        IN(FC_ROUTE_UGAL_LOCAL) | IN(FC_ROUTE_UGAL_GLOBAL) | IN(FC_ROUTE_PROGRESSIVE);
    fabric->routed.routes_by_queues = adaptive >> fabric->routing & 1;
    if (fc_scenario_has(scenario, "network.bias") && !fabric->routed.routes_by_queues)
        return fc_scenario_fail_key(scenario, "network.bias", error,
                                    "network.bias applies only to routing: %s",
                                    list_names(fc_fabric_routings, adaptive, " or ", list));
    if (fc_scenario_has(scenario, "network.intermediate") && fabric->routing == FC_ROUTE_MINIMAL)
        return fc_scenario_fail_key(scenario, "network.intermediate", error,
                                    "network.intermediate applies only to routing with detours, "
                                    "not to minimal");
    return FC_OK;
}

uint32_t fc_fabric_layers(const fc_fabric *fabric) {
    const bool over_router = fabric->intermediate == FC_OVER_ROUTER;
    const bool later = fabric->routing == FC_ROUTE_PROGRESSIVE; /* a link before the detour */
    if (fabric->routing == FC_ROUTE_MINIMAL)
        return fabric->topology == FC_DRAGONFLY || fabric->topology == FC_SLIM_FLY ? 2 : 1;
    switch (fabric->topology) {
    case FC_DRAGONFLY:
        return 3u + over_router + later;
    case FC_HYPERX:
    case FC_FLATTENED_BUTTERFLY:
        return 2u + (later && fabric->shape.count > 1);
    case FC_SLIM_FLY:
        return 4u + later;
    default:
        return 1;
    }
}

static fc_status check_layers(const fc_scenario *scenario, const fc_fabric *fabric,
                              fc_error *error) {
    const uint32_t layers = fc_fabric_layers(fabric);
    const bool replies = fabric->routed.reply_channels > 0;
    if (fc_routed_class_channels(&fabric->routed) >= layers)
        return FC_OK;
    return fc_scenario_fail_key(
        scenario, "network.virtual_channels", error,
        "routing: %s in a %s needs %u virtual channels%s: with fewer, messages can wait for each "
        "other in a circle; there are %lld",
        fc_fabric_routings[fabric->routing], fc_fabric_topologies[fabric->topology], layers,
        replies ? " for requests and as many for replies" : "",
        (long long)fabric->routed.virtual_channels);
}

/* ---- sizes ---- */

uint32_t fc_fabric_uplinks(const fc_fabric *fabric, uint32_t level) {
    return level < fabric->oversubscription.count
               ? (uint32_t)lround((double)fabric->arity / fabric->oversubscription.values[level])
               : (uint32_t)fabric->arity;
}

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

static fc_status size_tree(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                           fc_error *error) {
    for (int64_t i = 0; i < fabric->levels; ++i) {
        *nodes *= (double)fabric->arity;
        fabric->routed.digits.values[fabric->routed.digits.count++] = fabric->arity;
    }
    if (fabric->extra_stages >= fabric->levels)
        return fc_scenario_fail_key(scenario, "network.extra_stages", error,
                                    "network.extra_stages is %lld; a fly of %lld levels takes at "
                                    "most %lld",
                                    (long long)fabric->extra_stages, (long long)fabric->levels,
                                    (long long)fabric->levels - 1);
    if (*nodes > FC_NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.levels", error,
                                    "%lld levels of arity %lld make %g nodes; at most %d are "
                                    "possible",
                                    (long long)fabric->levels, (long long)fabric->arity, *nodes,
                                    FC_NODES_MAX);
    return check_oversubscription(scenario, fabric, error);
}

/* Numbers of groups among which `links` can be shared evenly: the nearest below and above. */
static void nearest_groups(int64_t links, int64_t groups, int64_t *below, int64_t *above) {
    for (*below = groups - 1; *below > 2 && links % (*below - 1); --*below)
        ;
    for (*above = groups + 1; *above <= links && links % (*above - 1); ++*above)
        ;
}

static fc_status size_dragonfly(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                                fc_error *error) {
    const int64_t links = fabric->group_size * fabric->global_links;
    if (!fc_scenario_has(scenario, "network.groups"))
        fabric->groups = links + 1;
    if (!fc_scenario_has(scenario, "network.global_delay"))
        fabric->global_delay = fabric->routed.link_delay;
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
    enum { DELAY_MAX = 1000 };
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

static fc_status size_hyperx(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
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
    return status == FC_OK ? check_spacing(scenario, fabric, error) : status;
}

static fc_status size_slim_fly(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                               fc_error *error) {
    uint32_t prime, degree;
    const int64_t q = fabric->q;
    if (!fc_is_prime_power(q, &prime, &degree)) {
        int64_t below = q - 1, above = q + 1;
        while (!fc_is_prime_power(below, &prime, &degree))
            --below;
        while (!fc_is_prime_power(above, &prime, &degree))
            ++above;
        return fc_scenario_fail_key(scenario, "network.q", error,
                                    "network.q is %lld; a Slim Fly needs a prime power, for "
                                    "example %lld or %lld",
                                    (long long)q, (long long)below, (long long)above);
    }
    fabric->routed.digits = (fc_integer_list){.count = 1, .values = {2 * q * q}};
    *nodes = 2 * (double)(q * q) * (double)fabric->routed.concentration;
    return FC_OK;
}

static fc_status size_graph(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                            fc_error *error) {
    fc_routed *routed = &fabric->routed;
    const double widest = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    *nodes = fabric->graph.nodes;
    routed->digits = (fc_integer_list){.count = 1, .values = {fabric->graph.nodes}};
    for (uint32_t i = 0; i < fabric->graph.links; ++i) {
        fc_graph_link *link = &fabric->graph.link[i];
        if (!link->delay)
            link->delay = (uint32_t)routed->link_delay;
        if (link->width > widest)
            return fc_scenario_fail_key(
                scenario, "network.file", error,
                "the link from router %u to router %u takes %g flits per "
                "cycle; a router passes on %g: set network.internal_speedup "
                "to %g or more",
                link->from, link->to, link->width, widest, link->width);
        routed->widths_differ |= link->width > 0 && link->width != 1;
    }
    return FC_OK;
}

/* Links of a router to others, in the networks that have the same everywhere. */
static double degree_of(const fc_fabric *fabric) {
    double degree = 0;
    if (fabric->topology == FC_DRAGONFLY)
        return (double)(fabric->group_size - 1 + fabric->global_links);
    if (fabric->topology == FC_SLIM_FLY)
        return 1.5 * (double)fabric->q + 0.5;
    for (size_t d = 0; d < fabric->shape.count; ++d)
        degree += (double)((fabric->shape.values[d] - 1) * fabric->trunks.values[d]);
    return degree;
}

static fc_status count_nodes(const fc_scenario *scenario, fc_fabric *fabric, fc_error *error) {
    static fc_status (*const size[])(const fc_scenario *, fc_fabric *, double *, fc_error *) = {
        [FC_FLY] = size_tree,         [FC_FAT_TREE] = size_tree,
        [FC_GRAPH] = size_graph,      [FC_DRAGONFLY] = size_dragonfly,
        [FC_HYPERX] = size_hyperx,    [FC_FLATTENED_BUTTERFLY] = size_hyperx,
        [FC_SLIM_FLY] = size_slim_fly};
    double nodes = 1;
    const fc_status status = size[fabric->topology](scenario, fabric, &nodes, error);
    if (status != FC_OK)
        return status;
    if (nodes > FC_NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.topology", error,
                                    "this %s has %.10g nodes; at most %d are possible",
                                    fc_fabric_topologies[fabric->topology], nodes, FC_NODES_MAX);
    const double links = nodes / (double)fabric->routed.concentration * degree_of(fabric);
    if (links > LINKS_MAX)
        return fc_scenario_fail_key(scenario, "network.topology", error,
                                    "this %s has %.10g links; at most %d are possible",
                                    fc_fabric_topologies[fabric->topology], links, LINKS_MAX);
    fabric->routed.nodes = (int64_t)nodes;
    return FC_OK;
}

/* ---- the whole ---- */

/* Flits that a link in full use has on its way, with their credits: as many say nothing of a queue.
 * But no more than leaves a queue room to show. */
static int64_t default_bias(const fc_fabric *fabric) {
    const fc_routed *routed = &fabric->routed;
    int64_t longest = routed->link_delay;
    if (fabric->topology == FC_DRAGONFLY && fabric->global_delay > longest)
        longest = fabric->global_delay;
    for (size_t d = 0; d < fabric->spacing.count; ++d) {
        const int64_t delay = fabric->spacing.values[d] * (fabric->shape.values[d] - 1);
        longest = delay > longest ? delay : longest;
    }
    const int64_t loop = 2 * routed->router_delay[FC_STAGE_SWITCH] +
                         routed->router_delay[FC_STAGE_CROSSING] + 2 * longest +
                         routed->credit_delay;
    const int64_t most = routed->virtual_channels * routed->buffer / 4;
    return loop < most ? loop : most;
}

static void fill_defaults(const fc_scenario *scenario, fc_fabric *fabric) {
    fc_routed *routed = &fabric->routed;
    const int64_t classes = routed->requests.count > 0 ? 2 : 1;
    routed->beyond = "network.topology";
    routed->destinations = &fabric->destinations;
    routed->workload = fabric->workload.count ? &fabric->workload : NULL;
    if (routed->lengths.count == 1)
        routed->message_flits = routed->lengths.flits[0];
    if (!fc_scenario_has(scenario, "network.virtual_channels"))
        routed->virtual_channels = classes * fc_fabric_layers(fabric);
    if (!fc_scenario_has(scenario, "network.handover"))
        routed->handover = FC_NEXT_CYCLE;
    if (!fc_scenario_has(scenario, "network.injection_channels"))
        routed->injection_channels = routed->virtual_channels;
    if (!fc_scenario_has(scenario, "network.ejection_channels"))
        routed->ejection_channels = routed->virtual_channels;
    if (!fc_scenario_has(scenario, "network.reply_channels"))
        routed->reply_channels = classes > 1 ? routed->virtual_channels / 2 : 0;
    if (!fc_scenario_has(scenario, "network.bias"))
        fabric->bias = default_bias(fabric);
}

fc_status fc_fabric_finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_fabric *fabric = parameters;
    fc_status status = check_applicable(scenario, fabric, error);
    if (status == FC_OK)
        status = resolve_routing(scenario, fabric, error);
    if (status == FC_OK)
        status = count_nodes(scenario, fabric, error);
    if (status == FC_OK && fc_patterns[fabric->destinations.pattern]->needs_neighbours)
        status = fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                      "%s is for tori and meshes; neighbour sends to the next node",
                                      fc_pattern_names[fabric->destinations.pattern]);
    if (status == FC_OK)
        status = fc_destinations_finish(scenario, &fabric->routed, &fabric->destinations, error,
                                        &fabric->routed.hot_node);
    if (status != FC_OK)
        return status;
    fill_defaults(scenario, fabric);
    if (fabric->workload.count)
        status = fc_workload_finish(scenario, &fabric->routed, false, &fabric->workload, error);
    if (status == FC_OK)
        status = fc_routed_check(scenario, &fabric->routed, error);
    return status == FC_OK ? check_layers(scenario, fabric, error) : status;
}
