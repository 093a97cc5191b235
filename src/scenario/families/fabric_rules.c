#include "scenario/families/fabric_rules.h"

#include <string.h>
#include "scenario/patterns/pattern.h"
#include "scenario/families/classes_rules.h"
#include "scenario/families/routed_rules.h"
#include "scenario/scenario.h"
#include "scenario/patterns/traffic_rules.h"
#include "scenario/families/workload_rules.h"

enum { LINKS_MAX = 1 << 27, TEXT_SIZE = 160 };

#define WORD(id, symbol, word) word,
const char *const fc_fabric_names[] = {FC_FABRIC_LIST(WORD) NULL};
#undef WORD
#define DESCRIPTOR(id, symbol, word) &fc_fabric_##symbol,
const fc_fabric_topology *const fc_fabric_topologies[] = {FC_FABRIC_LIST(DESCRIPTOR)};
#undef DESCRIPTOR

const char *const fc_fabric_routings[] = {"destination", "random",      "adaptive",
                                          "minimal",     "up-down",     "valiant",
                                          "ugal-local",  "ugal-global", "progressive-adaptive",
                                          "anca",        NULL};

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

static bool is_listed(const char *const *keys, const char *key) {
    for (; keys && *keys; ++keys) {
        if (strcmp(*keys, key) == 0)
            return true;
    }
    return false;
}

static bool has_key(const fc_fabric_topology *topology, const char *key) {
    return is_listed(topology->required, key) || is_listed(topology->optional, key);
}

fc_key_use fc_fabric_use(int topology, const char *path) {
    bool listed = false;
    for (size_t i = 0; i < FC_FABRIC_TOPOLOGIES; ++i)
        listed |= has_key(fc_fabric_topologies[i], path);
    if (is_listed(fc_fabric_topologies[topology]->required, path))
        return FC_KEY_REQUIRED;
    return !listed || has_key(fc_fabric_topologies[topology], path) ? FC_KEY_OPTIONAL
                                                                    : FC_KEY_UNKNOWN;
}

/* ---- routing ---- */

static fc_status resolve_routing(const fc_scenario *scenario, fc_fabric *fabric, fc_error *error) {
    const fc_fabric_topology *own = fc_fabric_topologies[fabric->topology];
    const bool around = fabric->routed.faults.given;
    const uint32_t routings = around ? FC_GRAPH_ROUTINGS : own->routings;
    char list[TEXT_SIZE];
    if (!fc_scenario_has(scenario, "network.routing"))
        fabric->routing = around ? FC_ROUTE_MINIMAL : own->routing;
    if (!(routings & FC_ROUTING_BIT(fabric->routing)))
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s is not for %s%s; expected %s",
                                    fc_fabric_routings[fabric->routing],
                                    around ? "networks with network.faults" : "topology: ",
                                    around ? "" : fc_fabric_names[fabric->topology],
                                    list_names(fc_fabric_routings, routings, " or ", list));
    fabric->routed.around = !around                               ? FC_AROUND_NOTHING
                            : fabric->routing == FC_ROUTE_UP_DOWN ? FC_AROUND_UP_DOWN
                                                                  : FC_AROUND_MINIMAL;
    fabric->routed.adaptive =
        fabric->routing == FC_ROUTE_ADAPTIVE || fabric->multipath == FC_BY_CHOICE;
    const uint32_t by_queues = FC_QUEUE_ROUTINGS | FC_ROUTING_BIT(FC_ROUTE_ANCA);
    fabric->routed.routes_by_queues = by_queues >> fabric->routing & 1;
    return FC_OK;
}

uint32_t fc_fabric_layers(const fc_fabric *fabric) {
    const fc_fabric_topology *topology = fc_fabric_topologies[fabric->topology];
    return topology->layers && !fabric->routed.around ? topology->layers(fabric) : 1;
}

static fc_status check_layers(const fc_scenario *scenario, const fc_fabric *fabric,
                              fc_error *error) {
    const uint32_t layers = fc_fabric_layers(fabric);
    if (fabric->ejection_choice == FC_EJECT_LAYER && fabric->routed.around)
        return fc_scenario_fail_key(scenario, "network.ejection_choice", error,
                                    "ejection_choice: layer is for the routing that a topology has "
                                    "without network.faults");
    if (fabric->ejection_choice == FC_EJECT_LAYER &&
        fabric->routed.ejection_channels < fabric->routed.virtual_channels)
        return fc_scenario_fail_key(
            scenario, "network.ejection_channels", error,
            "ejection_choice: layer needs as many ejection channels as virtual channels, %lld; "
            "there are %lld",
            (long long)fabric->routed.virtual_channels,
            (long long)fabric->routed.ejection_channels);
    if (fc_routed_class_channels(&fabric->routed) >= layers)
        return FC_OK;
    return fc_scenario_fail_key(
        scenario, "network.virtual_channels", error,
        "routing: %s in a %s needs %u virtual channels%s: with fewer, messages can wait for each "
        "other in a circle; there are %lld",
        fc_fabric_routings[fabric->routing], fc_fabric_names[fabric->topology], layers,
        fc_routed_each_class(&fabric->routed), (long long)fabric->routed.virtual_channels);
}

/* ---- sizes ---- */

fc_status fc_fabric_size_tree(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                              fc_error *error) {
    for (int64_t i = 0; i < fabric->levels; ++i) {
        *nodes *= (double)fabric->arity;
        fabric->routed.digits.values[fabric->routed.digits.count++] = fabric->arity;
    }
    if (*nodes > FC_NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.levels", error,
                                    "%lld levels of arity %lld make %g nodes; at most %d are "
                                    "possible",
                                    (long long)fabric->levels, (long long)fabric->arity, *nodes,
                                    FC_NODES_MAX);
    return FC_OK;
}

void fc_fabric_measure(const fc_fabric *fabric, fc_router_extent *extent) {
    *extent = (fc_router_extent){.longest_link = (double)fabric->routed.link_delay};
    fc_fabric_topologies[fabric->topology]->routers.measure(fabric, extent);
}

static fc_status count_nodes(const fc_scenario *scenario, fc_fabric *fabric, fc_error *error) {
    double nodes = 1;
    const fc_status status =
        fc_fabric_topologies[fabric->topology]->size(scenario, fabric, &nodes, error);
    if (status != FC_OK)
        return status;
    if (nodes > FC_NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.topology", error,
                                    "this %s has %.10g nodes; at most %d are possible",
                                    fc_fabric_names[fabric->topology], nodes, FC_NODES_MAX);
    fabric->routed.nodes = (int64_t)nodes;
    fc_router_extent extent;
    fc_fabric_measure(fabric, &extent);
    if (extent.links > LINKS_MAX)
        return fc_scenario_fail_key(scenario, "network.topology", error,
                                    "this %s has %.10g links; at most %d are possible",
                                    fc_fabric_names[fabric->topology], extent.links, LINKS_MAX);
    return FC_OK;
}

/* ---- the whole ---- */

/* Flits that a link in full use has on its way, with their credits: as many say nothing of a queue.
 * But no more than leaves a queue room to show. */
static int64_t default_bias(const fc_fabric *fabric) {
    const fc_routed *routed = &fabric->routed;
    fc_router_extent extent;
    fc_fabric_measure(fabric, &extent);
    const int64_t loop = fc_routed_credit_loop(routed, (int64_t)extent.longest_link);
    const int64_t most = routed->virtual_channels * routed->buffer / 4;
    return loop < most ? loop : most;
}

static void fill_defaults(const fc_scenario *scenario, fc_fabric *fabric) {
    fc_routed *routed = &fabric->routed;
    routed->workload = fabric->workload.count ? &fabric->workload : NULL;
    if (routed->lengths.count == 1)
        routed->message_flits = routed->lengths.flits[0];
    if (!fc_scenario_has(scenario, "network.virtual_channels"))
        routed->virtual_channels = fc_routed_default_channels(
            routed, routed->around ? fc_routed_channels_around(routed) : fc_fabric_layers(fabric));
    if (!fc_scenario_has(scenario, "network.handover"))
        routed->handover = FC_NEXT_CYCLE;
    if (!fc_scenario_has(scenario, "network.injection_channels"))
        routed->injection_channels = routed->virtual_channels;
    if (!fc_scenario_has(scenario, "network.ejection_channels"))
        routed->ejection_channels = routed->virtual_channels;
    if (!fc_scenario_has(scenario, "network.reply_channels"))
        routed->reply_channels = routed->requests.count ? routed->virtual_channels / 2 : 0;
    if (!fc_scenario_has(scenario, "network.bias"))
        fabric->bias = default_bias(fabric);
}

fc_status fc_fabric_finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_fabric *fabric = parameters;
    fc_status status = fc_open_keys_check(scenario, &fabric->routed, error);
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
    fabric->routed.destinations = &fabric->destinations;
    if (status == FC_OK)
        status = fc_classes_finish(scenario, &fabric->routed, error);
    if (status == FC_OK)
        status = fc_profile_finish(scenario, &fabric->routed, error);
    if (status != FC_OK)
        return status;
    status = fc_routed_settle_router(scenario, &fabric->routed, "network.topology", error);
    if (status != FC_OK)
        return status;
    fill_defaults(scenario, fabric);
    status = fc_routed_check_links(scenario, &fabric->routed, error);
    if (status != FC_OK)
        return status;
    if (fabric->workload.count)
        status = fc_workload_finish(scenario, &fabric->routed, false, &fabric->workload, error);
    if (status == FC_OK)
        status = fc_routed_check(scenario, &fabric->routed, error);
    return status == FC_OK ? check_layers(scenario, fabric, error) : status;
}
