#include "scenario/fabric.h"

#include "base/memory.h"
#include "scenario/graph_file.h"
#include "scenario/patterns/pattern.h"
#include "scenario/routed_keys.h"
#include "scenario/routed_rules.h"
#include "scenario/scenario.h"
#include "scenario/traffic_rules.h"

enum { NODES_MAX = 1 << 20, LEVELS_MAX = 20, ARITY_MAX = 1024 };

static const char *const topologies[] = {"fly", "fat-tree", "graph", NULL};
static const char *const routings[] = {"destination", "random",  "adaptive",
                                       "minimal",     "up-down", NULL};
static const char *const kinds[] = {"open", NULL};

#define FIELD(name) .offset = offsetof(fc_fabric, name)
#define IN_ROUTED(name) FC_IN_ROUTED(fc_fabric, name)

static const fc_key keys[] = {
    {.path = "network.arity",
     .type = FC_KEY_INTEGER,
     FIELD(arity),
     .minimum = 2,
     .maximum = ARITY_MAX,
     .fallback = "",
     .help = "fly: inputs, and outputs, of a router; fat-tree: links of a router down, and up"},
    {.path = "network.levels",
     .type = FC_KEY_INTEGER,
     FIELD(levels),
     .minimum = 1,
     .maximum = LEVELS_MAX,
     .fallback = "",
     .help = "stages of a fly, levels of a fat tree; there are arity ^ levels nodes"},
    {.path = "network.extra_stages",
     .type = FC_KEY_INTEGER,
     FIELD(extra_stages),
     .minimum = 0,
     .maximum = LEVELS_MAX,
     .fallback = "",
     .help = "fly: stages before the others, passed at random (default 0)"},
    {.path = "network.file",
     .type = FC_KEY_CUSTOM,
     FIELD(graph),
     .fallback = "",
     .help = "graph: lines such as 'router 0 node 0 node 1 router 1 3': what is joined to router "
             "0; a number is the delay of the link to the router before it",
     .expected = "the name of a file",
     .read = fc_graph_read,
     .write = fc_graph_write},
    {.path = "network.routing",
     .type = FC_KEY_CHOICE,
     FIELD(routing),
     .choices = routings,
     .fallback = "",
     .help = "fat-tree: the way up by the destination's digits (destination, default), at random, "
             "or adaptive; fly: the same for its extra stages, at random by default; graph: "
             "minimal (default) or up-down, which cannot deadlock"},
    {.path = "network.virtual_channels",
     .type = FC_KEY_INTEGER,
     IN_ROUTED(virtual_channels),
     .minimum = 1,
     .maximum = 64,
     .fallback = "",
     .help = "virtual channels of a link (default: 1; with requests 2)"},
    {.path = "network.buffer",
     .type = FC_KEY_INTEGER,
     IN_ROUTED(buffer),
     .minimum = 1,
     .maximum = FC_BUFFER_MAX,
     .fallback = "8",
     .help = "flits a virtual channel holds"},
    FC_CHANNEL_KEYS(IN_ROUTED),
    FC_ROUTER_KEYS(fc_fabric),
    {.path = "traffic.kind",
     .type = FC_KEY_CHOICE,
     FIELD(kind),
     .choices = kinds,
     .fallback = "open",
     .help = "nodes send regardless of what is under way, up to traffic.outstanding"},
    FC_TRAFFIC_KEYS(fc_fabric, IN_ROUTED),
    {0},
};

static void initialise(void *parameters) {
    fc_fabric *fabric = parameters;
    fabric->routed.message_flits = 16;
    fabric->routed.concentration = 1;
    fabric->routed.outstanding = FC_INFINITE;
}

static void release(void *parameters) {
    fc_fabric *fabric = parameters;
    fc_graph_release(&fabric->graph);
    fc_destinations_release(&fabric->destinations);
    fc_release(fabric->trace.messages);
}

/* ---- consistency ---- */

static fc_status check_applicable(const fc_scenario *scenario, const fc_fabric *fabric,
                                  fc_error *error) {
    static const fc_misplaced of_trees[] = {{"network.arity", "topologies fly and fat-tree"},
                                            {"network.levels", "topologies fly and fat-tree"},
                                            {0}};
    static const fc_misplaced of_fly[] = {{"network.extra_stages", "topology: fly"}, {0}};
    static const fc_misplaced of_graph[] = {{"network.file", "topology: graph"}, {0}};
    static const char *const needs[][3] = {[FC_FLY] = {"network.arity", "network.levels"},
                                           [FC_FAT_TREE] = {"network.arity", "network.levels"},
                                           [FC_GRAPH] = {"network.file"}};
    fc_status status =
        fc_refuse_keys(scenario, fabric->topology == FC_GRAPH ? of_trees : of_graph, error);
    if (status == FC_OK && fabric->topology != FC_FLY)
        status = fc_refuse_keys(scenario, of_fly, error);
    for (const char *const *key = needs[fabric->topology]; status == FC_OK && *key; ++key) {
        if (!fc_scenario_has(scenario, *key))
            status = fc_scenario_fail_key(scenario, "network.topology", error,
                                          "'%s' is missing; topology: %s needs it", *key,
                                          topologies[fabric->topology]);
    }
    return status == FC_OK ? fc_open_keys_check(scenario, error) : status;
}

static fc_status resolve_routing(const fc_scenario *scenario, fc_fabric *fabric, fc_error *error) {
    static const struct {
        bool allowed[sizeof routings / sizeof routings[0]];
        int fallback;
        const char *list;
    } of_topology[] = {
        [FC_FLY] =
            {{[FC_ROUTE_DESTINATION] = true, [FC_ROUTE_RANDOM] = true, [FC_ROUTE_ADAPTIVE] = true},
             FC_ROUTE_DESTINATION,
             "destination, random or adaptive"},
        [FC_FAT_TREE] =
            {{[FC_ROUTE_DESTINATION] = true, [FC_ROUTE_RANDOM] = true, [FC_ROUTE_ADAPTIVE] = true},
             FC_ROUTE_DESTINATION,
             "destination, random or adaptive"},
        [FC_GRAPH] = {{[FC_ROUTE_MINIMAL] = true, [FC_ROUTE_UP_DOWN] = true},
                      FC_ROUTE_MINIMAL,
                      "minimal or up-down"},
    };
    if (!fc_scenario_has(scenario, "network.routing"))
        fabric->routing = of_topology[fabric->topology].fallback;
    if (!of_topology[fabric->topology].allowed[fabric->routing])
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s is not for topology: %s; expected %s",
                                    routings[fabric->routing], topologies[fabric->topology],
                                    of_topology[fabric->topology].list);
    if (fabric->topology == FC_FLY && fabric->routing != FC_ROUTE_DESTINATION &&
        fabric->extra_stages == 0)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s has nothing to choose from: a fly without "
                                    "network.extra_stages has one way for each pair",
                                    routings[fabric->routing]);
    return FC_OK;
}

static fc_status count_nodes(const fc_scenario *scenario, fc_fabric *fabric, fc_error *error) {
    fc_routed *routed = &fabric->routed;
    if (fabric->topology == FC_GRAPH) {
        routed->nodes = fabric->graph.nodes;
        routed->digits = (fc_integer_list){.count = 1, .values = {routed->nodes}};
        for (uint32_t i = 0; i < fabric->graph.links; ++i) {
            if (!fabric->graph.link[i].delay)
                fabric->graph.link[i].delay = (uint32_t)routed->link_delay;
        }
        return FC_OK;
    }
    double nodes = 1;
    for (int64_t i = 0; i < fabric->levels; ++i) {
        nodes *= (double)fabric->arity;
        routed->digits.values[routed->digits.count++] = fabric->arity;
    }
    if (fabric->extra_stages >= fabric->levels)
        return fc_scenario_fail_key(scenario, "network.extra_stages", error,
                                    "network.extra_stages is %lld; a fly of %lld levels takes at "
                                    "most %lld",
                                    (long long)fabric->extra_stages, (long long)fabric->levels,
                                    (long long)fabric->levels - 1);
    if (nodes > NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.levels", error,
                                    "%lld levels of arity %lld make %g nodes; at most %d are "
                                    "possible",
                                    (long long)fabric->levels, (long long)fabric->arity, nodes,
                                    NODES_MAX);
    routed->nodes = (int64_t)nodes;
    return FC_OK;
}

static void fill_defaults(const fc_scenario *scenario, fc_fabric *fabric) {
    fc_routed *routed = &fabric->routed;
    routed->beyond = "network.topology";
    routed->destinations = &fabric->destinations;
    routed->trace = fabric->trace.count ? &fabric->trace : NULL;
    if (routed->lengths.count == 1)
        routed->message_flits = routed->lengths.flits[0];
    if (!fc_scenario_has(scenario, "network.virtual_channels"))
        routed->virtual_channels = routed->requests.count > 0 ? 2 : 1;
    if (!fc_scenario_has(scenario, "network.handover"))
        routed->handover = FC_NEXT_CYCLE;
    if (!fc_scenario_has(scenario, "network.injection_channels"))
        routed->injection_channels = routed->virtual_channels;
    if (!fc_scenario_has(scenario, "network.ejection_channels"))
        routed->ejection_channels = routed->virtual_channels;
    if (!fc_scenario_has(scenario, "network.reply_channels"))
        routed->reply_channels = routed->requests.count > 0 ? routed->virtual_channels / 2 : 0;
}

static fc_status finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
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
    return fc_routed_check(scenario, &fabric->routed, error);
}

static const char *main_metric(const void *parameters) {
    (void)parameters;
    return "latency";
}

static const char *load_key(const void *parameters) {
    return ((const fc_fabric *)parameters)->routed.trace ? NULL : "traffic.rate";
}

static double nodes(const void *parameters) {
    return (double)((const fc_fabric *)parameters)->routed.nodes;
}

const fc_family fc_fabric_family = {
    .name = "fabric",
    .topologies = topologies,
    .keys = keys,
    .parameter_size = sizeof(fc_fabric),
    .topology_offset = offsetof(fc_fabric, topology),
    .initialise = initialise,
    .finish = finish,
    .release = release,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
};
