#include "scenario/torus.h"

#include <string.h>
#include "base/memory.h"
#include "scenario/scenario.h"
#include "scenario/families/routed_keys.h"
#include "scenario/families/torus_rules.h"

enum { RADIX_MAX = 1 << 15, DIMENSIONS_MAX = 20 };

static const char *const topologies[] = {"torus", "mesh", "ring", "hypercube", NULL};
static const char *const link_kinds[] = {"bidirectional", "unidirectional", NULL};
static const char *const directions[] = {"increasing", "decreasing", NULL};
const char *const fc_torus_routings[] = {"dimension-order", "adaptive", "o1turn",  "valiant",
                                         "min-adapt",       "minimal",  "up-down", NULL};
static const char *const orders[] = {"ascending", "descending", NULL};
static const char *const rules[] = {"high-low", "dateline", "escape", "free", "wrapping", NULL};
static const char *const node_link_kinds[] = {"single", "per-channel", "2", "3", NULL};
static const char *const processor_kinds[] = {"single", "per-request", "interrupted", NULL};
static const char *const kinds[] = {"open", "closed", NULL};

#define FIELD(name) .offset = offsetof(fc_torus, name)

static const fc_key keys[] = {
    {.path = "network.radix",
     .type = FC_KEY_INTEGERS,
     FIELD(radix),
     .minimum = 2,
     .maximum = RADIX_MAX,
     .fallback = "",
     .help = "routers along dimension 0, 1, ...; one number for a ring"},
    {.path = "network.dimensions",
     .type = FC_KEY_INTEGER,
     FIELD(dimensions),
     .minimum = 1,
     .maximum = DIMENSIONS_MAX,
     .fallback = "",
     .help = "dimensions of two routers each"},
    {.path = "network.links",
     .type = FC_KEY_CHOICE,
     FIELD(links),
     .choices = link_kinds,
     .fallback = "bidirectional",
     .help = "whether neighbours are joined by a link in each direction or in one direction only"},
    {.path = "network.direction",
     .type = FC_KEY_CHOICE,
     FIELD(direction),
     .choices = directions,
     .fallback = "",
     .help = "whether the digit grows (default) or falls along a link",
     .only_if = {{"network.links", {"unidirectional"}}}},
    {.path = "network.routing",
     .type = FC_KEY_CHOICE,
     FIELD(routing),
     .choices = fc_torus_routings,
     .fallback = "",
     .help = "dimension-order (default), adaptive (minimal; scouting's default, wormholes escape "
             "in dimension order), o1turn (an order of dimensions drawn for each message), "
             "valiant (over an intermediate router drawn for each) or min-adapt (adaptive as in "
             "BookSim: "
             "escape channels are no last resort); with network.faults: minimal (default: shortest "
             "paths around them) or up-down, which cannot deadlock"},
    {.path = "network.order",
     .type = FC_KEY_CHOICE,
     FIELD(order),
     .choices = orders,
     .fallback = "ascending",
     .help = "the order in which dimensions are routed: dimension 0 first, or last"},
    {.path = "network.virtual_channels",
     .type = FC_KEY_INTEGER,
     FIELD(virtual_channels),
     .minimum = 1,
     .maximum = 64,
     .fallback = "",
     .help = "virtual channels of a link (default: as few as the routing needs; 2 in a torus and "
             "1 in a mesh in dimension order)"},
    {.path = "network.channel_rule",
     .type = FC_KEY_CHOICE,
     FIELD(channel_rule),
     .choices = rules,
     .fallback = "",
     .help = "which virtual channels a message may take (default: free in a mesh and with "
             "scouting; wrapping in tori of pipelined routers, dateline with unidirectional links; "
             "in idealised ones high-low with closed and escape with open traffic)"},
    {.path = "network.buffer",
     .type = FC_KEY_COUNT,
     FIELD(buffer),
     .minimum = 1,
     .maximum = FC_BUFFER_MAX,
     .fallback = "1",
     .measures = "flits",
     .help =
         "flits a virtual channel holds (default of pipelined routers: the credit loop, so that "
         "one message can keep a link busy)"},
    {.path = "network.scouting_distance",
     .type = FC_KEY_INTEGER,
     FIELD(scouting_distance),
     .minimum = 0,
     .maximum = 1000,
     .fallback = "",
     .help = "links K that the header leads the data by (default 0)",
     .only_if = {{"network.switching", {"scouting"}}}},
    {.path = "network.node_links",
     .type = FC_KEY_CHOICE,
     FIELD(node_links),
     .choices = node_link_kinds,
     .fallback = "",
     .help = "one queued link from a node into its switch (default), one per outgoing virtual "
             "channel, or 2 or 3, which share the virtual channels",
     .only_if = {{"traffic.kind", {"closed"}}}},
    FC_CHANNEL_KEYS(FIELD),
    FC_ROUTER_KEYS(fc_torus),
    {.path = "network.concentration",
     .type = FC_KEY_INTEGER,
     FC_IN_ROUTED(fc_torus, concentration),
     .minimum = 1,
     .maximum = 64,
     .fallback = "1",
     .help = "nodes per router"},
    FC_FAULTS_KEY(fc_torus, false),
    {.path = "traffic.kind",
     .type = FC_KEY_CHOICE,
     FIELD(kind),
     .choices = kinds,
     .fallback = "open",
     .help = "open: nodes send regardless of what is under way; closed: processors wait for "
             "replies"},
    FC_TRAFFIC_KEYS(fc_torus, FIELD),
    {.path = "traffic.think_time",
     .type = FC_KEY_NUMBER,
     FIELD(think_time),
     .minimum = 1,
     .maximum = 1e9,
     .fallback = "",
     .measures = "time",
     .help = "mean cycles of processing before a request",
     .only_if = {{"traffic.kind", {"closed"}}}},
    {.path = "traffic.processors",
     .type = FC_KEY_CHOICE,
     FIELD(processors),
     .choices = processor_kinds,
     .hashed_if_given = true,
     .fallback = "",
     .help = "single (default): the requests of a node take turns at one processor; per-request: "
             "each has a processor of its own (hierarchical nodes); interrupted: one that also "
             "handles the messages that arrive, memory_busy cycles each",
     .only_if = {{"traffic.kind", {"closed"}}}},
    {0},
};

/* A hypercube is described by its dimensions, the others by their radix. */
static fc_key_use use(int topology, const char *path) {
    const bool hypercube = topology == FC_HYPERCUBE;
    if (strcmp(path, "network.radix") == 0)
        return hypercube ? FC_KEY_UNKNOWN : FC_KEY_REQUIRED;
    if (strcmp(path, "network.dimensions") == 0)
        return hypercube ? FC_KEY_REQUIRED : FC_KEY_UNKNOWN;
    return FC_KEY_OPTIONAL;
}

static void initialise(void *parameters) {
    fc_torus *torus = parameters;
    torus->message_flits = 16;
    fc_workload_initialise(&torus->workload);
    torus->routed.outstanding = FC_INFINITE;
    torus->requests = (fc_requests){.count = 2, .types = {{0.8, 3, 9, 4, 4}, {0.2, 11, 3, 8, 4}}};
}

static void release(void *parameters) {
    fc_torus *torus = parameters;
    fc_destinations_release(&torus->destinations);
    fc_workload_release(&torus->workload);
    fc_faults_release(&torus->faults);
    fc_classes_release(torus->routed.given);
    fc_profile_release(torus->routed.profile);
}

static const char *main_metric(const void *parameters) {
    const fc_torus *torus = parameters;
    return torus->kind == FC_CLOSED ? "efficiency" : fc_routed_main_metric(&torus->routed);
}

static const char *load_key(const void *parameters) {
    const fc_torus *torus = parameters;
    return torus->kind == FC_CLOSED || torus->routed.workload ? NULL : "traffic.rate";
}

static double nodes(const void *parameters) {
    return (double)((const fc_torus *)parameters)->routed.nodes;
}

static double message_flits(const fc_scenario *scenario) {
    static const fc_requests none = {0};
    const fc_torus *torus = scenario->parameters;
    const bool asked = torus->kind == FC_CLOSED || fc_scenario_has(scenario, "traffic.requests");
    return fc_routed_message_flits(&torus->routed, asked ? &torus->requests : &none);
}

static const fc_routed *routed(const void *parameters) {
    return &((const fc_torus *)parameters)->routed;
}

static const fc_router_topology *routers(const void *parameters) {
    const int topology = ((const fc_torus *)parameters)->topology;
    return topology == FC_TORUS || topology == FC_RING ? &fc_router_torus : &fc_router_mesh;
}

const fc_family fc_torus_family = {
    .name = "torus",
    .topologies = topologies,
    .keys = keys,
    .use = use,
    .parameter_size = sizeof(fc_torus),
    .topology_offset = offsetof(fc_torus, shape),
    .initialise = initialise,
    .finish = fc_torus_finish,
    .release = release,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
    .message_flits = message_flits,
    .routed = routed,
    .routers = routers,
};
