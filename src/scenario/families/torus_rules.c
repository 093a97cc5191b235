#include "scenario/families/torus_rules.h"

#include "scenario/families/classes_rules.h"
#include "scenario/families/routed_rules.h"
#include "scenario/scenario.h"
#include "scenario/patterns/traffic_rules.h"
#include "scenario/families/workload_rules.h"

/* A ring is a torus of one dimension, a hypercube a mesh of radix 2: everything but the scenario's
 * text sees them as such. */
static fc_status resolve_shape(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    const bool hypercube = torus->shape == FC_HYPERCUBE;
    if (torus->shape == FC_RING && torus->radix.count != 1)
        return fc_scenario_fail_key(scenario, "network.radix", error,
                                    "a ring has one dimension; network.radix has %zu entries, "
                                    "which topology: torus takes",
                                    torus->radix.count);
    for (size_t d = 0; hypercube && d < (size_t)torus->dimensions; ++d)
        torus->radix.values[torus->radix.count++] = 2;
    torus->topology = torus->shape == FC_MESH || hypercube ? FC_MESH : FC_TORUS;
    return FC_OK;
}

static fc_status check_needed(const fc_scenario *scenario, const fc_torus *torus, fc_error *error) {
    static const char *const closed_needs[] = {"traffic.outstanding", "traffic.think_time", NULL};
    return torus->kind == FC_OPEN ? fc_open_keys_check(scenario, &torus->routed, error)
                                  : fc_require_keys(scenario, closed_needs, "closed", error);
}

static fc_status count_nodes(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    double nodes = 1;
    for (size_t d = 0; d < torus->radix.count; ++d)
        nodes *= (double)torus->radix.values[d];
    const double all = nodes * (double)torus->routed.concentration;
    if (all > FC_NODES_MAX)
        return fc_scenario_fail_key(scenario, "network.radix", error,
                                    "network.radix makes %g nodes; at most %d are possible", all,
                                    FC_NODES_MAX);
    torus->nodes = (int64_t)nodes;
    torus->routed.nodes = (int64_t)all;
    torus->routed.digits = torus->radix;
    if (torus->topology == FC_MESH && torus->links == FC_UNIDIRECTIONAL)
        return fc_scenario_fail_key(scenario, "network.links", error,
                                    "a mesh with unidirectional links leaves nodes that cannot be "
                                    "reached; use links: bidirectional or topology: torus");
    return FC_OK;
}

/* Virtual channels that a class of messages needs so that none waits in a circle: a ring divides
 * them in two, and so do the two orders of dimensions of o1turn and the two parts of a path of
 * valiant; adaptive messages need one beside those they escape to. */
static int64_t channels_needed(const fc_torus *torus, bool rings) {
    const int64_t ordered = rings ? 2 : 1;
    if (torus->switching == FC_SCOUTING)
        return 1;
    if (torus->routed.around)
        return fc_routed_channels_around(&torus->routed);
    if (torus->routing == FC_ADAPTIVE)
        return ordered + 1;
    if (torus->routing == FC_MIN_ADAPT) /* BookSim's are channels 0 and 1 to escape, and 3 */
        return torus->topology == FC_MESH ? 2 : 4;
    return torus->routing == FC_DIMENSION_ORDER ? ordered : 2 * ordered;
}

static int default_rule(const fc_torus *torus) {
    if (torus->routed.around)
        return FC_FREE;
    if (torus->topology == FC_MESH || torus->switching == FC_SCOUTING)
        return FC_FREE;
    if (torus->routing == FC_MIN_ADAPT)
        return FC_WRAPPING;
    /* Carries most, and falls into saturation latest. */
    if (torus->routed.pipelined_by)
        return torus->links == FC_BIDIRECTIONAL ? FC_WRAPPING : FC_DATELINE;
    return torus->kind == FC_CLOSED && torus->virtual_channels == 2 ? FC_HIGH_LOW : FC_ESCAPE;
}

static void fill_defaults(const fc_scenario *scenario, fc_torus *torus) {
    const bool scouting = torus->switching == FC_SCOUTING, mesh = torus->topology == FC_MESH;
    fc_routed *routed = &torus->routed;
    if (!fc_scenario_has(scenario, "network.virtual_channels"))
        torus->virtual_channels =
            scouting ? (mesh ? 1 : 2)
                     : fc_routed_default_channels(routed, channels_needed(torus, !mesh));
    if (!fc_scenario_has(scenario, "network.channel_rule"))
        torus->channel_rule = default_rule(torus);
    torus->routed.channels_by_rule = torus->channel_rule != FC_FREE;
    if (!fc_scenario_has(scenario, "network.injection_channels"))
        torus->injection_channels = torus->virtual_channels;
    if (!fc_scenario_has(scenario, "network.ejection_channels"))
        torus->ejection_channels = scouting || routed->pipelined_by ? torus->virtual_channels : 1;
    if (!fc_scenario_has(scenario, "network.buffer") && routed->pipelined_by)
        torus->buffer = fc_routed_busy_buffer(routed);
    if (!fc_scenario_has(scenario, "network.handover") && routed->pipelined_by)
        torus->handover = FC_NEXT_CYCLE;
    if (!fc_scenario_has(scenario, "network.reply_channels"))
        routed->reply_channels = routed->requests.count > 0 ? torus->virtual_channels / 2 : 0;
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

static fc_status check_channels(const fc_scenario *scenario, const fc_torus *torus,
                                fc_error *error) {
    const int64_t channels = fc_routed_class_channels(&torus->routed);
    const int64_t needed = channels_needed(torus, ring_can_lock(torus));
    if (channels >= needed)
        return FC_OK;
    return fc_scenario_fail_key(
        scenario, "network.virtual_channels", error,
        "this %s can deadlock: routing: %s needs %lld virtual channels%s, so that messages cannot "
        "wait for each other in a circle; use virtual_channels: %lld",
        torus->topology == FC_MESH ? "mesh" : "torus", fc_torus_routings[torus->routing],
        (long long)needed, fc_routed_each_class(&torus->routed),
        (long long)needed * fc_channel_sets_of(&torus->routed).count);
}

/* How a rule divides the channels of a class, once for each half of a path with o1turn and valiant.
 * Adaptive messages escape in the first two, so that the number of the others is free. */
static fc_status check_division(const fc_scenario *scenario, const fc_torus *torus,
                                const char *blamed, int64_t channels, fc_error *error) {
    const bool halves = torus->routing == FC_O1TURN || torus->routing == FC_VALIANT;
    const int64_t least = halves ? 4 : 2;
    const int rule = torus->channel_rule;
    if (rule == FC_WRAPPING && (torus->topology != FC_TORUS || torus->links != FC_BIDIRECTIONAL))
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "channel_rule: wrapping gives messages that cross the end of a "
                                    "ring half of the virtual channels; it is for tori with "
                                    "bidirectional links");
    if (torus->routing == FC_MIN_ADAPT)
        return rule == default_rule(torus)
                   ? FC_OK
                   : fc_scenario_fail_key(scenario, blamed, error,
                                          "routing: min-adapt divides the virtual channels by a "
                                          "rule of its own; remove network.channel_rule");
    if (torus->routing == FC_ADAPTIVE && rule != FC_FREE && channels < 3)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "routing: adaptive needs 3 virtual channels, 2 to escape to by "
                                    "the channel rule, or 2 with channel_rule: free");
    if (torus->routing == FC_ADAPTIVE)
        return FC_OK;
    if (rule == FC_HIGH_LOW && channels != least)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "channel_rule: high-low uses exactly %lld virtual channels%s, "
                                    "not %lld; use escape or dateline for more",
                                    (long long)least, halves ? " with this routing" : "",
                                    (long long)channels);
    if ((rule == FC_DATELINE || rule == FC_WRAPPING) &&
        (torus->routed.pipelined_by ? channels < least : channels % least != 0))
        return fc_scenario_fail_key(
            scenario, blamed, error,
            "channel_rule: %s divides the virtual channels in %s; expected "
            "%s, not %lld",
            rule == FC_DATELINE ? "dateline" : "wrapping", halves ? "four classes" : "two classes",
            torus->routed.pipelined_by ? (halves ? "at least 4" : "at least 2") : "an even number",
            (long long)channels);
    if (rule == FC_ESCAPE && channels < least)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "channel_rule: escape needs at least %lld virtual channels",
                                    (long long)least);
    return FC_OK;
}

static fc_status check_rule(const fc_scenario *scenario, const fc_torus *torus, fc_error *error) {
    const char *blamed = fc_scenario_has(scenario, "network.channel_rule")
                             ? "network.channel_rule"
                             : "network.virtual_channels";
    if (torus->switching == FC_SCOUTING && torus->channel_rule != FC_FREE)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "scouting takes any virtual channel; its channel_rule is free");
    if (torus->routed.around && torus->channel_rule != FC_FREE)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "with network.faults, paths have layers of virtual channels "
                                    "instead of a channel rule; remove network.channel_rule");
    if (torus->switching == FC_SCOUTING || torus->routed.around)
        return FC_OK;
    const fc_channel_sets sets = fc_channel_sets_of(&torus->routed);
    if (ring_can_lock(torus) && (torus->virtual_channels == 1 || torus->channel_rule == FC_FREE))
        return fc_scenario_fail_key(
            scenario, blamed, error,
            "this torus can deadlock: with %s, messages round a ring can wait for each other in a "
            "circle; use virtual_channels: %lld with channel_rule: high-low or dateline, or more "
            "with escape, or topology: mesh",
            torus->virtual_channels == 1 ? "one virtual channel" : "channel_rule: free",
            (long long)channels_needed(torus, true) * sets.count);
    fc_status status = check_channels(scenario, torus, error);
    for (uint32_t set = 0; set < sets.count && status == FC_OK; ++set)
        status = check_division(scenario, torus, blamed, sets.channels[set], error);
    return status;
}

/* Paths around failures are those of a graph; a torus' own know no way around. */
static fc_status check_routing(const fc_scenario *scenario, const fc_torus *torus,
                               fc_error *error) {
    const bool of_graph = torus->routing == FC_MINIMAL || torus->routing == FC_UP_DOWN;
    const char *name = fc_torus_routings[torus->routing];
    if (torus->routed.around && !of_graph)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s knows no way around failures; with network.faults "
                                    "use minimal or up-down",
                                    name);
    if (!torus->routed.around && of_graph)
        return fc_scenario_fail_key(scenario, "network.routing", error,
                                    "routing: %s is for networks with network.faults; without, use "
                                    "dimension-order or another of the torus' own",
                                    name);
    return FC_OK;
}

static fc_status check_switching(const fc_scenario *scenario, const fc_torus *torus,
                                 fc_error *error) {
    if (torus->kind == FC_CLOSED && torus->routed.pipelined_by)
        return fc_scenario_fail_key(
            scenario, torus->routed.pipelined_by, error,
            "%s asks for pipelined routers, which have open traffic only. To "
            "model processors that wait for replies, set traffic.requests "
            "and traffic.outstanding",
            torus->routed.pipelined_by);
    if (torus->processors == FC_PROCESSOR_PER_REQUEST && torus->outstanding == FC_INFINITE)
        return fc_scenario_fail_key(scenario, "traffic.processors", error,
                                    "processors: per-request needs a number of traffic.outstanding "
                                    "requests");
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

static fc_status check_faults(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    const fc_faults *all = &torus->faults;
    for (size_t i = 0; i < all->count && torus->switching == FC_SCOUTING; ++i) {
        if (all->list[i].other.count)
            return fc_scenario_fail_key(scenario, "network.faults", error,
                                        "switching: scouting takes broken links as [node, "
                                        "dimension, direction], one direction each");
    }
    if (torus->switching == FC_SCOUTING && all->drawn)
        return fc_scenario_fail_key(scenario, "network.faults", error,
                                    "switching: scouting takes lists of broken links and failed "
                                    "routers, nothing drawn");
    for (size_t i = 0; i < all->router_count && torus->switching == FC_SCOUTING; ++i) {
        int64_t node;
        const fc_status status = fc_find_node(scenario, &torus->routed, "network.faults",
                                              &all->routers[i], error, &node);
        if (status != FC_OK)
            return status;
    }
    for (size_t i = 0; i < all->count && torus->switching == FC_SCOUTING; ++i) {
        fc_fault *fault = &torus->faults.list[i];
        const fc_status status = fc_find_node(scenario, &torus->routed, "network.faults",
                                              &fault->coordinates, error, &fault->node);
        if (status != FC_OK)
            return status;
        if (fault->dimension >= (int64_t)torus->radix.count)
            return fc_scenario_fail_key(scenario, "network.faults", error,
                                        "network.faults: there is no dimension %lld",
                                        (long long)fault->dimension);
    }
    return FC_OK;
}

/* The first key that only pipelined routers have, or NULL. */
static const char *needs_pipeline(const fc_scenario *scenario, const fc_torus *torus) {
    const char *needed_by = fc_routed_needs_pipeline(&torus->routed);
    if (needed_by)
        return needed_by;
    if (fc_scenario_has(scenario, "network.channel_rule") && torus->channel_rule == FC_WRAPPING)
        return "network.channel_rule";
    return torus->switching != FC_SCOUTING && torus->routing != FC_DIMENSION_ORDER
               ? "network.routing"
               : NULL;
}

/* What open traffic means for routers, and which they are. */
static fc_status gather_routed(const fc_scenario *scenario, fc_torus *torus, fc_error *error) {
    fc_routed *routed = &torus->routed;
    const bool replies = torus->kind == FC_OPEN && fc_scenario_has(scenario, "traffic.requests");
    const bool around = torus->faults.given && torus->switching != FC_SCOUTING;
    if (!fc_scenario_has(scenario, "network.routing"))
        torus->routing = torus->switching == FC_SCOUTING ? FC_ADAPTIVE
                         : around                        ? FC_MINIMAL
                                                         : FC_DIMENSION_ORDER;
    routed->around = !around                        ? FC_AROUND_NOTHING
                     : torus->routing == FC_UP_DOWN ? FC_AROUND_UP_DOWN
                                                    : FC_AROUND_MINIMAL;
    if (routed->lengths.count == 1)
        torus->message_flits = routed->lengths.flits[0];
    routed->workload = torus->workload.count ? &torus->workload : NULL;
    routed->requests = replies ? torus->requests : (fc_requests){0};
    routed->outstanding =
        (replies || routed->given) && torus->outstanding ? torus->outstanding : FC_INFINITE;
    routed->adaptive = torus->routing == FC_ADAPTIVE;
    routed->routes_by_queues = torus->routing == FC_MIN_ADAPT;
    return fc_routed_settle_router(scenario, routed, needs_pipeline(scenario, torus), error);
}

fc_status fc_torus_finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_torus *torus = parameters;
    fc_status status = resolve_shape(scenario, torus, error);
    if (status == FC_OK)
        status = check_needed(scenario, torus, error);
    if (status == FC_OK)
        status = count_nodes(scenario, torus, error);
    if (status == FC_OK)
        status = fc_destinations_finish(scenario, &torus->routed, &torus->destinations, error,
                                        &torus->hot_node);
    torus->routed.destinations = &torus->destinations;
    if (status == FC_OK)
        status = fc_classes_finish(scenario, &torus->routed, error);
    if (status == FC_OK)
        status = fc_profile_finish(scenario, &torus->routed, error);
    if (status != FC_OK)
        return status;
    torus->routed.link_kinds = "dimension";
    torus->routed.link_kind_count = torus->radix.count;
    status = gather_routed(scenario, torus, error);
    if (status != FC_OK)
        return status;
    fill_defaults(scenario, torus);
    status = check_switching(scenario, torus, error);
    if (status == FC_OK)
        status = fc_routed_check_links(scenario, &torus->routed, error);
    if (status == FC_OK)
        status = check_routing(scenario, torus, error);
    if (status == FC_OK && torus->workload.count)
        status = fc_workload_finish(scenario, &torus->routed, torus->topology == FC_TORUS,
                                    &torus->workload, error);
    if (status == FC_OK)
        status = fc_routed_check(scenario, &torus->routed, error);
    if (status == FC_OK)
        status = check_rule(scenario, torus, error);
    if (status == FC_OK)
        status = check_faults(scenario, torus, error);
    return status;
}
