#include "scenario/torus.h"

#include <math.h>
#include "base/memory.h"
#include "scenario/scenario.h"
#include "scenario/torus_readers.h"

enum { NODES_MAX = 1 << 20, RADIX_MAX = 1 << 15 };

static const char *const topologies[] = {"torus", "mesh", NULL};
static const char *const link_kinds[] = {"bidirectional", "unidirectional", NULL};
static const char *const directions[] = {"increasing", "decreasing", NULL};
static const char *const routings[] = {"dimension-order", "adaptive", NULL};
static const char *const orders[] = {"ascending", "descending", NULL};
static const char *const rules[] = {"high-low", "dateline", "escape", "free", NULL};
static const char *const switchings[] = {"wormhole", "scouting", NULL};
static const char *const handovers[] = {"same-cycle", "next-cycle", NULL};
static const char *const node_link_kinds[] = {"single", "per-channel", NULL};
static const char *const kinds[] = {"open", "closed", NULL};

#define FIELD(name) .offset = offsetof(fc_torus, name)

static const fc_key keys[] = {
    {.path = "network.radix",
     .type = FC_KEY_INTEGERS,
     FIELD(radix),
     .minimum = 2,
     .maximum = RADIX_MAX,
     .help = "nodes along dimension 0, 1, ..."},
    {.path = "network.links",
     .type = FC_KEY_CHOICE,
     FIELD(links),
     .choices = link_kinds,
     .fallback = "bidirectional",
     .help = "whether neighbours are joined by a channel each way or by one"},
    {.path = "network.direction",
     .type = FC_KEY_CHOICE,
     FIELD(direction),
     .choices = directions,
     .fallback = "",
     .help = "unidirectional links: the digit grows (default) or falls along a link"},
    {.path = "network.routing",
     .type = FC_KEY_CHOICE,
     FIELD(routing),
     .choices = routings,
     .fallback = "",
     .help = "dimension-order (default), or minimal fully adaptive (scouting, its default)"},
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
     .help = "virtual channels of a link (default: 2 in a torus, 1 in a mesh)"},
    {.path = "network.channel_rule",
     .type = FC_KEY_CHOICE,
     FIELD(channel_rule),
     .choices = rules,
     .fallback = "",
     .help = "which virtual channels a message may take (default: free in a mesh and with "
             "scouting; else high-low with closed and escape with open traffic)"},
    {.path = "network.buffer",
     .type = FC_KEY_COUNT,
     FIELD(buffer),
     .minimum = 1,
     .maximum = 1024,
     .fallback = "1",
     .help = "flits a virtual channel holds"},
    {.path = "network.switching",
     .type = FC_KEY_CHOICE,
     FIELD(switching),
     .choices = switchings,
     .fallback = "wormhole",
     .help = "wormhole, or scouting: data follow an acknowledged header probe"},
    {.path = "network.scouting_distance",
     .type = FC_KEY_INTEGER,
     FIELD(scouting_distance),
     .minimum = 0,
     .maximum = 1000,
     .fallback = "",
     .help = "scouting: links K that the header leads the data by (default 0)"},
    {.path = "network.handover",
     .type = FC_KEY_CHOICE,
     FIELD(handover),
     .choices = handovers,
     .fallback = "same-cycle",
     .help = "when a virtual channel passes to the next message: in the cycle the tail leaves it, "
             "or in the one after"},
    {.path = "network.node_links",
     .type = FC_KEY_CHOICE,
     FIELD(node_links),
     .choices = node_link_kinds,
     .fallback = "",
     .help = "closed traffic: one queued link from a node into its switch (default), or one per "
             "outgoing virtual channel"},
    {.path = "network.injection_channels",
     .type = FC_KEY_INTEGER,
     FIELD(injection_channels),
     .minimum = 1,
     .maximum = 64,
     .fallback = "",
     .help = "open traffic: messages that may share the link into the switch (default: "
             "virtual_channels)"},
    {.path = "network.ejection_channels",
     .type = FC_KEY_INTEGER,
     FIELD(ejection_channels),
     .minimum = 1,
     .maximum = 64,
     .fallback = "",
     .help = "messages that may share the channel into a node (default: 1; with scouting "
             "virtual_channels)"},
    {.path = "network.faults",
     .type = FC_KEY_CUSTOM,
     FIELD(faults),
     .fallback = "",
     .help = "scouting: broken channels; the direction is 1 (the digit grows) or -1",
     .expected = "a list of [node, dimension, direction]",
     .read = fc_faults_read,
     .write = fc_faults_write},
    {.path = "traffic.kind",
     .type = FC_KEY_CHOICE,
     FIELD(kind),
     .choices = kinds,
     .fallback = "open",
     .help = "open: nodes send regardless of what is under way; closed: processors wait for "
             "replies"},
    {.path = "traffic.rate",
     .type = FC_KEY_NUMBER,
     FIELD(rate),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1,
     .fallback = "",
     .help = "open traffic: messages per node per cycle"},
    {.path = "traffic.message_flits",
     .type = FC_KEY_INTEGER,
     FIELD(message_flits),
     .minimum = 1,
     .maximum = 1e6,
     .fallback = "",
     .help = "open traffic: flits of a message, header included (default 16)"},
    {.path = "traffic.destinations",
     .type = FC_KEY_CUSTOM,
     FIELD(destinations),
     .fallback = "uniform",
     .help = "who sends to whom",
     .expected = "uniform, {near-neighbour: SHARE}, {hot-spot: {share: SHARE, node: NODE}}, "
                 "{matrix: FILE}, transpose, bit-complement, bit-reverse, shuffle or tornado",
     .read = fc_destinations_read,
     .write = fc_destinations_write},
    {.path = "traffic.outstanding",
     .type = FC_KEY_COUNT,
     FIELD(outstanding),
     .minimum = 1,
     .maximum = 1000000,
     .fallback = "",
     .help = "closed traffic: requests a processor may have under way"},
    {.path = "traffic.think_time",
     .type = FC_KEY_NUMBER,
     FIELD(think_time),
     .minimum = 1,
     .maximum = 1e9,
     .fallback = "",
     .help = "closed traffic: mean cycles of processing before a request"},
    {.path = "traffic.requests",
     .type = FC_KEY_CUSTOM,
     FIELD(requests),
     .fallback = "",
     .help = "closed traffic: kinds of request, their flits and the memory's cycles (default: "
             "80 % reads of 3+9 flits, 20 % writes of 11+3)",
     .expected = "a list of {share, flits, reply_flits, memory_reply, memory_busy}",
     .read = fc_requests_read,
     .write = fc_requests_write},
    {0},
};

static void initialise(void *parameters) {
    fc_torus *torus = parameters;
    torus->message_flits = 16;
    torus->routed = (fc_routed){.link_delay = 1,
                                .node_delay = 1,
                                .input_speedup = FC_INFINITE,
                                .allocator_rounds = 1,
                                .concentration = 1,
                                .outstanding = FC_INFINITE};
    torus->requests = (fc_requests){.count = 2, .types = {{0.8, 3, 9, 4, 4}, {0.2, 11, 3, 8, 4}}};
}

static void release(void *parameters) {
    fc_torus *torus = parameters;
    fc_release(torus->destinations.matrix);
    fc_release(torus->faults.list);
}

/* ---- consistency ---- */

/* Keys that mean nothing here are an error, not silently ignored. */
typedef struct misplaced {
    const char *key, *reason;
} misplaced;

static fc_status refuse_keys(const fc_scenario *scenario, const misplaced *list, fc_error *error) {
    for (; list->key; ++list) {
        if (fc_scenario_has(scenario, list->key))
            return fc_scenario_fail_key(scenario, list->key, error, "%s applies only to %s",
                                        list->key, list->reason);
    }
    return FC_OK;
}

static fc_status require_keys(const fc_scenario *scenario, const char *const *list,
                              const char *kind, fc_error *error) {
    for (; *list; ++list) {
        if (!fc_scenario_has(scenario, *list))
            return fc_scenario_fail_key(scenario, "traffic.kind", error,
                                        "'%s' is missing; %s traffic needs it", *list, kind);
    }
    return FC_OK;
}

static fc_status check_applicable(const fc_scenario *scenario, const fc_torus *torus,
                                  fc_error *error) {
    static const misplaced of_open[] = {{"network.injection_channels", "open traffic"},
                                        {"traffic.rate", "open traffic"},
                                        {"traffic.message_flits", "open traffic"},
                                        {0}};
    static const misplaced of_closed[] = {{"network.node_links", "closed traffic"},
                                          {"traffic.outstanding", "closed traffic"},
                                          {"traffic.think_time", "closed traffic"},
                                          {"traffic.requests", "closed traffic"},
                                          {0}};
    static const misplaced of_scouting[] = {
        {"network.scouting_distance", "network.switching: scouting"},
        {"network.faults",
         "network.switching: scouting (a wormhole in dimension order has no way round a broken "
         "channel)"},
        {0}};
    static const misplaced of_unidirectional[] = {
        {"network.direction", "network.links: unidirectional"}, {0}};
    static const char *const open_needs[] = {"traffic.rate", NULL};
    static const char *const closed_needs[] = {"traffic.outstanding", "traffic.think_time", NULL};
    const bool open = torus->kind == FC_OPEN;
    fc_status status = refuse_keys(scenario, open ? of_closed : of_open, error);
    if (status == FC_OK)
        status =
            require_keys(scenario, open ? open_needs : closed_needs, kinds[torus->kind], error);
    if (status == FC_OK && torus->switching != FC_SCOUTING)
        status = refuse_keys(scenario, of_scouting, error);
    if (status == FC_OK && torus->links != FC_UNIDIRECTIONAL)
        status = refuse_keys(scenario, of_unidirectional, error);
    return status;
}

static fc_status count_nodes(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    double nodes = 1;
    for (size_t d = 0; d < torus->radix.count; ++d)
        nodes *= (double)torus->radix.values[d];
    if (nodes > NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.radix", error,
                                    "network.radix makes %g nodes; at most %d are possible", nodes,
                                    NODES_MAX);
    torus->nodes = (int64_t)nodes;
    if (torus->topology == FC_MESH && torus->links == FC_UNIDIRECTIONAL)
        return fc_scenario_fail_key(scenario, "network.links", error,
                                    "a mesh with unidirectional links leaves nodes that cannot be "
                                    "reached; use links: bidirectional or topology: torus");
    return FC_OK;
}

static void fill_defaults(const fc_scenario *scenario, fc_torus *torus) {
    const bool scouting = torus->switching == FC_SCOUTING, mesh = torus->topology == FC_MESH;
    if (!fc_scenario_has(scenario, "network.routing"))
        torus->routing = scouting ? FC_ADAPTIVE : FC_DIMENSION_ORDER;
    if (!fc_scenario_has(scenario, "network.virtual_channels"))
        torus->virtual_channels = mesh ? 1 : 2;
    if (!fc_scenario_has(scenario, "network.channel_rule")) {
        if (mesh || scouting)
            torus->channel_rule = FC_FREE;
        else
            torus->channel_rule =
                torus->kind == FC_CLOSED && torus->virtual_channels == 2 ? FC_HIGH_LOW : FC_ESCAPE;
    }
    if (!fc_scenario_has(scenario, "network.injection_channels"))
        torus->injection_channels = torus->virtual_channels;
    if (!fc_scenario_has(scenario, "network.ejection_channels"))
        torus->ejection_channels = scouting ? torus->virtual_channels : 1;
}

/* Whether messages in one ring can wait for each other in a circle if any channel will do: only if
 * a message may hold one link of the ring while it waits for the next. */
static bool ring_can_lock(const fc_torus *torus) {
    const int64_t longest_safe = torus->links == FC_UNIDIRECTIONAL ? 2 : 3;
    for (size_t d = 0; d < torus->radix.count; ++d) {
        if (torus->radix.values[d] > longest_safe)
            return torus->topology == FC_TORUS;
    }
    return false;
}

static fc_status check_rule(const fc_scenario *scenario, const fc_torus *torus, fc_error *error) {
    const int64_t channels = torus->virtual_channels;
    const char *blamed = fc_scenario_has(scenario, "network.channel_rule")
                             ? "network.channel_rule"
                             : "network.virtual_channels";
    if (torus->switching == FC_SCOUTING && torus->channel_rule != FC_FREE)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "scouting takes any virtual channel; its channel_rule is free");
    if (torus->switching == FC_SCOUTING)
        return FC_OK;
    if (ring_can_lock(torus) && (channels == 1 || torus->channel_rule == FC_FREE))
        return fc_scenario_fail_key(
            scenario, blamed, error,
            "this torus can deadlock: with %s, messages round a ring can wait for each other in a "
            "circle; use virtual_channels: 2 with channel_rule: high-low or dateline, or more "
            "with escape, or topology: mesh",
            channels == 1 ? "one virtual channel" : "channel_rule: free");
    if (torus->channel_rule == FC_HIGH_LOW && channels != 2)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "channel_rule: high-low uses exactly 2 virtual channels, not "
                                    "%lld; use escape or dateline for more",
                                    (long long)channels);
    if (torus->channel_rule == FC_DATELINE && channels % 2 != 0)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "channel_rule: dateline divides the virtual channels in two "
                                    "classes; expected an even number, not %lld",
                                    (long long)channels);
    if (torus->channel_rule == FC_ESCAPE && channels < 2)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "channel_rule: escape needs at least 2 virtual channels");
    return FC_OK;
}

static fc_status check_switching(const fc_scenario *scenario, const fc_torus *torus,
                                 fc_error *error) {
    if (torus->switching == FC_WORMHOLE && torus->routing == FC_ADAPTIVE)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: adaptive is available with switching: scouting, "
                                    "whose headers can step back; wormholes are routed in "
                                    "dimension-order");
    if (torus->switching != FC_SCOUTING)
        return FC_OK;
    if (torus->routing != FC_ADAPTIVE)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "switching: scouting is routed adaptively; remove "
                                    "network.routing or set it to adaptive");
    if (torus->kind != FC_OPEN)
        return fc_scenario_fail_key(scenario, "network.switching", error,
                                    "switching: scouting is available with open traffic only");
    return FC_OK;
}

/* A node given as digits, dimension 0 first, or as one number. */
static fc_status find_node(const fc_scenario *scenario, const fc_torus *torus, const char *key,
                           const fc_integer_list *place, fc_error *error, int64_t *node) {
    const size_t dimensions = torus->radix.count;
    if (place->count != 1 && place->count != dimensions)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: a node is one number or %zu digits, dimension 0 first; "
                                    "%zu are given",
                                    key, dimensions, place->count);
    if (place->count == 1) {
        *node = place->values[0];
        if (*node >= torus->nodes)
            return fc_scenario_fail_key(scenario, key, error,
                                        "%s: there is no node %lld; the last one is %lld", key,
                                        (long long)*node, (long long)torus->nodes - 1);
        return FC_OK;
    }
    int64_t number = 0, stride = 1;
    for (size_t d = 0; d < dimensions; ++d) {
        if (place->values[d] >= torus->radix.values[d])
            return fc_scenario_fail_key(
                scenario, key, error, "%s: digit %lld of dimension %zu is outside 0 to %lld", key,
                (long long)place->values[d], d, (long long)torus->radix.values[d] - 1);
        number += place->values[d] * stride;
        stride *= torus->radix.values[d];
    }
    *node = number;
    return FC_OK;
}

static fc_status check_destinations(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    static const char key[] = "traffic.destinations";
    const fc_destinations *destinations = &torus->destinations;
    const char *misfit = fc_pattern_misfit(destinations->pattern, torus);
    torus->hot_node = -1;
    if (misfit)
        return fc_scenario_fail_key(scenario, key, error, "this pattern %s", misfit);
    if (destinations->pattern == FC_HOT_SPOT)
        return find_node(scenario, torus, key, &destinations->node, error, &torus->hot_node);
    if (destinations->pattern == FC_MATRIX && destinations->matrix_nodes != (size_t)torus->nodes)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s is for %zu nodes; the network has %lld", destinations->file,
                                    destinations->matrix_nodes, (long long)torus->nodes);
    return FC_OK;
}

static fc_status check_faults(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    for (size_t i = 0; i < torus->faults.count; ++i) {
        fc_fault *fault = &torus->faults.list[i];
        const fc_status status =
            find_node(scenario, torus, "network.faults", &fault->place, error, &fault->node);
        if (status != FC_OK)
            return status;
        if (fault->dimension >= (int64_t)torus->radix.count)
            return fc_scenario_fail_key(scenario, "network.faults", error,
                                        "network.faults: there is no dimension %lld",
                                        (long long)fault->dimension);
    }
    return FC_OK;
}

/* The network as the router simulator sees it. */
static void derive_routed(fc_torus *torus) {
    fc_routed *routed = &torus->routed;
    routed->ideal = true;
    routed->virtual_channels = torus->virtual_channels;
    routed->buffer = torus->buffer;
    routed->switching = torus->switching;
    routed->handover = torus->handover;
    routed->injection_channels = torus->injection_channels;
    routed->ejection_channels = torus->ejection_channels;
    routed->rate = torus->rate;
    routed->message_flits = torus->message_flits;
    routed->destinations = &torus->destinations;
    routed->nodes = torus->nodes * routed->concentration;
}

static fc_status finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_torus *torus = parameters;
    fc_status status = check_applicable(scenario, torus, error);
    if (status == FC_OK)
        status = count_nodes(scenario, torus, error);
    if (status != FC_OK)
        return status;
    fill_defaults(scenario, torus);
    status = check_switching(scenario, torus, error);
    if (status == FC_OK)
        status = check_rule(scenario, torus, error);
    if (status == FC_OK)
        status = check_destinations(scenario, torus, error);
    if (status == FC_OK)
        status = check_faults(scenario, torus, error);
    derive_routed(torus);
    return status;
}

static const char *main_metric(const void *parameters) {
    return ((const fc_torus *)parameters)->kind == FC_CLOSED ? "efficiency" : "latency";
}

static const char *load_key(const void *parameters) {
    return ((const fc_torus *)parameters)->kind == FC_CLOSED ? NULL : "traffic.rate";
}

static double nodes(const void *parameters) {
    return (double)((const fc_torus *)parameters)->nodes;
}

const fc_family fc_torus_family = {
    .name = "torus",
    .topologies = topologies,
    .keys = keys,
    .parameter_size = sizeof(fc_torus),
    .topology_offset = offsetof(fc_torus, topology),
    .initialise = initialise,
    .finish = finish,
    .release = release,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
};
