#include "scenario/fabric.h"

#include "base/memory.h"
#include "scenario/families/extra_links.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/formats/graph_file.h"
#include "scenario/formats/route_file.h"
#include "scenario/families/routed_keys.h"
#include "scenario/scenario.h"

enum { LEVELS_MAX = 20, ARITY_MAX = 1024, ROUTERS_MAX = 1 << 20 };

static const char *const arrangements[] = {"absolute", "relative", "circulant", NULL};
static const char *const intermediates[] = {"group", "router", NULL};
static const char *const queues[] = {"router", "link", NULL};
static const char *const injection_choices[] = {"in-turn", "random", NULL};
static const char *const ejection_choices[] = {"any", "layer", NULL};
static const char *const ties[] = {"spread", "first", NULL};
static const char *const multipaths[] = {"none", "hash", "adaptive", NULL};
static const char *const port_choices[] = {"nearest", "spread", NULL};
static const char *const decisions[] = {"at-front", "ahead", NULL};
static const char *const crossings[] = {"spine", "inner", NULL};
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
     .help = "fly: number of inputs and of outputs of a router; fat-tree: number of links of a "
             "router down and up"},
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
     .help = "stages before the others, passed at random (default 0)"},
    {.path = "network.oversubscription",
     .type = FC_KEY_NUMBERS,
     FIELD(oversubscription),
     .minimum = 1,
     .maximum = ARITY_MAX,
     .fallback = "",
     .help = "links of a router down for each one up, for every level but the highest, "
             "from the nodes on (default: 1 everywhere)"},
    {.path = "network.hosts",
     .type = FC_KEY_INTEGER,
     FIELD(hosts),
     .minimum = 1,
     .maximum = 4096,
     .fallback = "",
     .help = "nodes per router (p)"},
    {.path = "network.routers",
     .type = FC_KEY_INTEGER,
     FIELD(group_size),
     .minimum = 1,
     .maximum = 4096,
     .fallback = "",
     .help = "routers of a group (a), each joined to every other"},
    {.path = "network.global_links",
     .type = FC_KEY_INTEGER,
     FIELD(global_links),
     .minimum = 1,
     .maximum = 4096,
     .fallback = "",
     .help = "links of a router to other groups (h)"},
    {.path = "network.groups",
     .type = FC_KEY_INTEGER,
     FIELD(groups),
     .minimum = 2,
     .maximum = ROUTERS_MAX,
     .fallback = "",
     .help = "groups (g; default: a h + 1, as many as have one link to every other)"},
    {.path = "network.arrangement",
     .type = FC_KEY_CHOICE,
     FIELD(arrangement),
     .choices = arrangements,
     .fallback = "",
     .help = "to which group the links of a group lead, in their order: absolute "
             "(default): 0, 1, ... without its own; relative: the next, the one after, ...; "
             "circulant: the next, the one before, the second next and so on"},
    {.path = "network.global_delay",
     .type = FC_KEY_INTEGER,
     FIELD(global_delay),
     .minimum = 1,
     .maximum = FC_DELAY_MAX,
     .fallback = "",
     .measures = "time",
     .help = "cycles of a link between groups (default: link_delay)"},
    {.path = "network.shape",
     .type = FC_KEY_INTEGERS,
     FIELD(shape),
     .minimum = 2,
     .maximum = 4096,
     .fallback = "",
     .help = "routers along each dimension, each joined to all others "
             "of its line"},
    {.path = "network.trunks",
     .type = FC_KEY_INTEGERS,
     FIELD(trunks),
     .minimum = 1,
     .maximum = 32,
     .fallback = "",
     .help = "parallel links between two routers of a line, along each dimension (default: "
             "1)"},
    {.path = "network.spacing",
     .type = FC_KEY_INTEGERS,
     FIELD(spacing),
     .minimum = 1,
     .maximum = 100,
     .fallback = "",
     .measures = "time",
     .help = "cycles of a link for each position it spans along its "
             "dimension (default: all links take link_delay)"},
    {.path = "network.q",
     .type = FC_KEY_INTEGER,
     FIELD(q),
     .minimum = 3,
     .maximum = 724,
     .fallback = "",
     .help = "a prime power from 3 on; 2 q q routers"},
    {.path = "network.concentration",
     .type = FC_KEY_INTEGER,
     IN_ROUTED(concentration),
     .minimum = 1,
     .maximum = 4096,
     .fallback = "",
     .help = "nodes per router (default 1)"},
    {.path = "network.file",
     .type = FC_KEY_CUSTOM,
     FIELD(graph),
     .fallback = "",
     .help =
         "lines such as 'router 0 node 0 node 1 router 1 3': what is joined to router "
         "0; a number is the delay of the link to the router before it, x0.5 its width in flits "
         "per cycle; or node-link JSON of networkx",
     .expected = "the name of a file",
     .read = fc_graph_read,
     .write = fc_graph_write},
    {.path = "network.extra_links",
     .type = FC_KEY_CUSTOM,
     FIELD(extra_links),
     .fallback = "",
     .hashed_if_given = true,
     .names_places = true,
     .help = "cables between routers beside those of network.file: each like one of the file "
             "between the same routers, else with network.link_delay or so many cycles",
     .expected = "a list of [router, router] or [router, router, cycles]",
     .read = fc_extra_links_read,
     .write = fc_extra_links_write},
    {.path = "network.routes",
     .type = FC_KEY_CUSTOM,
     FIELD(routes),
     .fallback = "",
     .help =
         "instead of network.routing, a file of lines such as 'router 3 to 5 via 4' (where "
         "router 3 sends messages for router 5) or 'route 0 3 2 5' (the whole path from router 0 "
         "to router 5)",
     .expected = "the name of a file",
     .read = fc_routes_read,
     .write = fc_routes_write},
    {.path = "network.nodes",
     .type = FC_KEY_INTEGER,
     FIELD(cluster.nodes),
     .minimum = 1,
     .maximum = ROUTERS_MAX,
     .fallback = "",
     .hashed_if_given = true,
     .help = "nodes, each of several GPUs"},
    {.path = "network.gpus",
     .type = FC_KEY_INTEGER,
     FIELD(cluster.gpus),
     .minimum = 1,
     .maximum = 1024,
     .fallback = "",
     .hashed_if_given = true,
     .help = "GPUs of a node, joined by a crossbar"},
    {.path = "network.rails",
     .type = FC_KEY_INTEGER,
     FIELD(cluster.rails),
     .minimum = 1,
     .maximum = 1024,
     .fallback = "",
     .hashed_if_given = true,
     .help = "rails: GPU i of every node is on rail i modulo their number (default: a rail for "
             "each GPU of a node)"},
    {.path = "network.inner_width",
     .type = FC_KEY_NUMBER,
     FIELD(cluster.inner_width),
     .minimum = 1,
     .maximum = 100,
     .fallback = "",
     .hashed_if_given = true,
     .help = "how many times as wide as the link of a GPU to its rail is its link to the "
             "crossbar, which takes a flit per cycle (default 1)"},
    {.path = "network.leaf_nodes",
     .type = FC_KEY_INTEGER,
     FIELD(cluster.leaf_nodes),
     .minimum = 1,
     .maximum = ROUTERS_MAX,
     .fallback = "",
     .hashed_if_given = true,
     .help = "nodes at a leaf switch of a rail (default: all)"},
    {.path = "network.spines",
     .type = FC_KEY_INTEGER,
     FIELD(cluster.spines),
     .minimum = 0,
     .maximum = 65536,
     .fallback = "",
     .hashed_if_given = true,
     .help = "switches that join all leaves (default: none)"},
    {.path = "network.taper",
     .type = FC_KEY_NUMBER,
     FIELD(cluster.taper),
     .minimum = 0.1,
     .maximum = 1000,
     .fallback = "",
     .hashed_if_given = true,
     .only_if = {{"network.spines"}},
     .help = "width of a leaf's links to nodes for one of its links to spines (default 1)"},
    {.path = "network.cross_rail",
     .type = FC_KEY_CHOICE,
     FIELD(cluster.cross_rail),
     .choices = crossings,
     .fallback = "",
     .hashed_if_given = true,
     .help = "how messages get to another rail: over the spines (default where there are any) or "
             "over the crossbar of their node (inner)"},
    {.path = "network.routing",
     .type = FC_KEY_CHOICE,
     FIELD(routing),
     .choices = fc_fabric_routings,
     .fallback = "",
     .help =
         "fat-tree: the links up by the destination's digits (destination, default), at random, "
         "adaptive, or anca (of two links drawn the one with fewer "
         "flits ahead, as in BookSim); fly: the same for its extra stages, at random by "
         "default; graph: "
         "minimal (default) or up-down, which cannot deadlock; dragonfly, hyperx, slim-fly: "
         "minimal (default), valiant (over a group or router drawn at random), ugal-local or "
         "ugal-global (one or the other, by the queues of the first router or of the whole "
         "path), progressive-adaptive (a message may leave a minimal path later); any with "
         "network.faults: minimal (default) or up-down"},
    {.path = "network.ties",
     .type = FC_KEY_CHOICE,
     FIELD(ties),
     .choices = ties,
     .fallback = "spread",
     .help = "which of equally short paths is taken: spread (default), such that paths share the "
             "links, parallel ones included, and as far as possible cannot wait for each other in "
             "circles; or first, the one found first (as in an anynet of BookSim)",
     .not_with = {"network.routes"}},
    {.path = "network.multipath",
     .type = FC_KEY_CHOICE,
     FIELD(multipath),
     .choices = multipaths,
     .hashed_if_given = true,
     .fallback = "",
     .help =
         "whether messages of a pair take several of its equally short paths: none (default), "
         "hash (one that is drawn for each message) or adaptive (at each router whichever link "
         "has a free channel); of a router's shortest links those up or those down in the order "
         "of the spanning tree, so that channels in layers keep them from deadlock",
     .not_with = {"network.routes"}},
    {.path = "network.port_choice",
     .type = FC_KEY_CHOICE,
     FIELD(port_choice),
     .choices = port_choices,
     .hashed_if_given = true,
     .fallback = "",
     .help = "which ports messages take between nodes that have several: nearest (default), those "
             "with the shortest path between them, or spread, each port of the sender to the "
             "nearest of the receiver; of several, each equally often"},
    {.path = "network.intermediate",
     .type = FC_KEY_CHOICE,
     FIELD(intermediate),
     .choices = intermediates,
     .fallback = "",
     .help = "what detours lead over: a group (default) or a router drawn at random, "
             "which takes one virtual channel more",
     .only_if = {{"network.routing",
                  {"valiant", "ugal-local", "ugal-global", "progressive-adaptive"}}}},
    {.path = "network.bias",
     .type = FC_KEY_INTEGER,
     FIELD(bias),
     .minimum = 0,
     .maximum = 1e6,
     .fallback = "",
     .help = "flits by which the queue of the minimal path, times its "
             "length, may be above that of the detour before the detour is taken (default: as many "
             "as are on the longest link when it is fully used, at most a quarter of its buffers)",
     .only_if = {{"network.routing", {"ugal-local", "ugal-global", "progressive-adaptive"}}}},
    {.path = "network.queues",
     .type = FC_KEY_CHOICE,
     FIELD(queues),
     .choices = queues,
     .fallback = "",
     .help = "flits that count as the queue of an output: those that "
             "wait for it in the router, are on its link or in the buffer behind it (router, "
             "default), or without those that wait in the router (link, as in BookSim)",
     .only_if = {{"network.routing", {"ugal-local", "ugal-global", "progressive-adaptive"}}}},
    {.path = "network.decision",
     .type = FC_KEY_CHOICE,
     IN_ROUTED(decision),
     .choices = decisions,
     .fallback = "",
     .help =
         "a header compares queues when it is at the front of "
         "its buffer (at-front, default), or when it leaves the router or node before (ahead, as "
         "in BookSim with routing_delay 0)",
     .only_if = {{"network.routing",
                  {"ugal-local", "ugal-global", "progressive-adaptive", "anca"}}}},
    {.path = "network.injection_choice",
     .type = FC_KEY_CHOICE,
     IN_ROUTED(injection_choice),
     .choices = injection_choices,
     .fallback = "",
     .help = "which free virtual channel of the link from its node a message takes: the next in "
             "turn (in-turn, default), or one drawn at random (as in dragonflies of BookSim)"},
    {.path = "network.ejection_choice",
     .type = FC_KEY_CHOICE,
     FIELD(ejection_choice),
     .choices = ejection_choices,
     .fallback = "",
     .help = "which virtual channel into its node a message takes: any "
             "free one (default), or one of the layer it is in (as in dragonflies of BookSim)"},
    {.path = "network.virtual_channels",
     .type = FC_KEY_INTEGER,
     IN_ROUTED(virtual_channels),
     .minimum = 1,
     .maximum = 64,
     .fallback = "",
     .help = "virtual channels of a link (default: as many as the routing needs, with requests "
             "twice as many)"},
    {.path = "network.buffer",
     .type = FC_KEY_INTEGER,
     IN_ROUTED(buffer),
     .minimum = 1,
     .maximum = FC_BUFFER_MAX,
     .fallback = "8",
     .measures = "flits",
     .help = "flits a virtual channel holds"},
    FC_CHANNEL_KEYS(IN_ROUTED),
    FC_ROUTER_KEYS(fc_fabric),
    FC_FAULTS_KEY(fc_fabric, true),
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
    fc_workload_initialise(&fabric->workload);
    fabric->routed.concentration = 1;
    fabric->routed.outstanding = FC_INFINITE;
}

static void release(void *parameters) {
    fc_fabric *fabric = parameters;
    fc_graph_release(&fabric->graph);
    fc_routes_release(&fabric->routes);
    fc_faults_release(&fabric->routed.faults);
    fc_destinations_release(&fabric->destinations);
    fc_workload_release(&fabric->workload);
    fc_classes_release(fabric->routed.given);
    fc_profile_release(fabric->routed.profile);
}

static const char *main_metric(const void *parameters) {
    return fc_routed_main_metric(&((const fc_fabric *)parameters)->routed);
}

static const char *load_key(const void *parameters) {
    return ((const fc_fabric *)parameters)->routed.workload ? NULL : "traffic.rate";
}

static double nodes(const void *parameters) {
    return (double)((const fc_fabric *)parameters)->routed.nodes;
}

static double message_flits(const fc_scenario *scenario) {
    const fc_routed *own = &((const fc_fabric *)scenario->parameters)->routed;
    return fc_routed_message_flits(own, &own->requests);
}

static const fc_routed *routed(const void *parameters) {
    return &((const fc_fabric *)parameters)->routed;
}

static const fc_router_topology *routers(const void *parameters) {
    return &fc_fabric_topologies[((const fc_fabric *)parameters)->topology]->routers;
}

const fc_family fc_fabric_family = {
    .name = "fabric",
    .topologies = fc_fabric_names,
    .keys = keys,
    .use = fc_fabric_use,
    .parameter_size = sizeof(fc_fabric),
    .topology_offset = offsetof(fc_fabric, topology),
    .initialise = initialise,
    .finish = fc_fabric_finish,
    .release = release,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
    .message_flits = message_flits,
    .routed = routed,
    .routers = routers,
};
