#include "scenario/families/routed_rules.h"

#include <math.h>
#include "scenario/families/classes_rules.h"
#include "scenario/scenario.h"
#include "scenario/patterns/traffic_rules.h"

fc_status fc_require_keys(const fc_scenario *scenario, const char *const *list, const char *kind,
                          fc_error *error) {
    for (; *list; ++list) {
        if (!fc_scenario_has(scenario, *list))
            return fc_scenario_fail_key(scenario, "traffic.kind", error,
                                        "'%s' is missing; %s traffic needs it", *list, kind);
    }
    return FC_OK;
}

fc_status fc_open_keys_check(const fc_scenario *scenario, const fc_routed *routed,
                             fc_error *error) {
    static const char *const needs[] = {"traffic.rate", NULL};
    if (fc_scenario_has(scenario, "traffic.workload") ||
        fc_scenario_has(scenario, "traffic.jobs") || fc_scenario_has(scenario, "traffic.trace"))
        return FC_OK;
    if (fc_scenario_has(scenario, "traffic.outstanding") &&
        !fc_scenario_has(scenario, "traffic.requests") &&
        !fc_scenario_has(scenario, "traffic.classes"))
        return fc_scenario_fail_key(scenario, "traffic.outstanding", error,
                                    "traffic.outstanding applies only to closed traffic, and to "
                                    "open traffic with traffic.requests or traffic.classes");
    if (fc_classes_have_rates(routed->given) || (routed->profile && routed->profile->rates))
        return FC_OK;
    return fc_require_keys(scenario, needs, "open", error);
}

static bool any_delay(const int64_t delay[FC_ROUTER_STAGES]) {
    for (size_t i = 0; i < FC_ROUTER_STAGES; ++i) {
        if (delay[i] > 0)
            return true;
    }
    return false;
}

const char *fc_routed_needs_pipeline(const fc_routed *routed) {
    const struct {
        const char *key;
        bool differs;
    } all[] = {
        {"network.router_delay", any_delay(routed->router_delay)},
        {"network.link_delay", routed->link_delay != 1},
        {"network.link_width", routed->link_width != 1 || routed->link_widths.count},
        {"network.node_delay", routed->node_delay != 1},
        {"network.credit_delay", routed->credit_delay != 0},
        {"network.input_speedup", routed->input_speedup != FC_INFINITE},
        {"network.internal_speedup", routed->internal_speedup > 1},
        {"network.allocator_rounds", routed->allocator_rounds != 1},
        {"network.arbitration", routed->arbitration != FC_ROUND_ROBIN},
        {"network.faults", routed->faults.given && routed->switching != FC_SCOUTING},
        {"network.concentration", routed->concentration != 1},
        {"network.switching", routed->switching == FC_CUT_THROUGH},
        {"network.handover", routed->handover == FC_WHEN_EMPTY},
        {"traffic.trace", routed->workload && routed->workload->of_trace},
        {"traffic.workload", routed->workload != NULL},
        {"traffic.message_mix", routed->lengths.count > 1},
        {"traffic.injection", routed->injection.process != FC_POISSON},
        {"traffic.profile", routed->profile != NULL},
        {"traffic.requests", routed->requests.count > 0},
        {"traffic.classes", routed->given != NULL},
        {"traffic.self_messages", routed->destinations && routed->destinations->to_self},
        {"traffic.destinations", routed->destinations && routed->destinations->weights},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        if (all[i].differs)
            return all[i].key;
    }
    return NULL;
}

fc_status fc_routed_settle_router(const fc_scenario *scenario, fc_routed *routed,
                                  const char *needed_by, fc_error *error) {
    static const char key[] = "network.router", energy[] = "network.energy";
    const bool said = fc_scenario_has(scenario, key);
    if (said && routed->router == FC_IDEALISED && needed_by)
        return fc_scenario_fail_key(scenario, needed_by, error,
                                    "%s is for pipelined routers, and network.router is "
                                    "idealised; change one of them",
                                    needed_by);
    if (!said)
        routed->router = needed_by ? FC_PIPELINED : FC_IDEALISED;
    routed->pipelined_by = routed->router == FC_IDEALISED ? NULL : said ? key : needed_by;
    if (routed->energy.given && !routed->pipelined_by)
        return fc_scenario_fail_key(scenario, energy, error,
                                    "network.energy is counted in pipelined routers, and does not "
                                    "make them so: add network.router: pipelined");
    return FC_OK;
}

int64_t fc_routed_cycles_of(const fc_routed *routed, int64_t ticks) {
    return routed->internal_speedup > 1
               ? (int64_t)ceil((double)ticks / routed->internal_speedup - 1e-9)
               : ticks;
}

int64_t fc_routed_cycles_at_least(const fc_routed *routed, int64_t ticks) {
    const double speedup = routed->internal_speedup;
    if (!(speedup > 1))
        return ticks;
    enum { PHASES = 64 };
    const int64_t fewest = (int64_t)((double)ticks / speedup);
    for (int64_t begin = 0; begin < PHASES; ++begin) {
        const double from = floor((double)begin * speedup + 1e-6) + (double)ticks;
        if (floor((double)(begin + fewest) * speedup + 1e-6) >= from)
            return fewest;
    }
    return fewest + 1;
}

int64_t fc_routed_credit_loop(const fc_routed *routed, int64_t link_delay) {
    const int64_t switching = routed->router_delay[FC_STAGE_SWITCH];
    return fc_routed_cycles_of(routed, switching) +
           fc_routed_cycles_of(routed, switching + routed->router_delay[FC_STAGE_CROSSING]) +
           2 * link_delay + routed->credit_delay;
}

int64_t fc_routed_busy_buffer(const fc_routed *routed) {
    const int64_t node = routed->node_delay;
    const int64_t between = fc_routed_credit_loop(routed, routed->link_delay);
    /* a node hears of a free place a cycle sooner */
    const int64_t known =
        fc_routed_cycles_of(routed, routed->router_delay[FC_STAGE_SWITCH]) + node - 1;
    const int64_t from_node = node + (known > 1 ? known : 1);
    const int64_t most = between > from_node ? between : from_node;
    return most < FC_BUFFER_MAX ? most : FC_BUFFER_MAX;
}

int64_t fc_routed_class_channels(const fc_routed *routed) {
    const fc_channel_sets sets = fc_channel_sets_of(routed);
    uint32_t fewest = sets.channels[0];
    for (uint32_t i = 1; i < sets.count; ++i)
        fewest = sets.channels[i] < fewest ? sets.channels[i] : fewest;
    return fewest;
}

const char *fc_routed_each_class(const fc_routed *routed) {
    return routed->given            ? " for each class"
           : routed->requests.count ? " for requests and as many for replies"
                                    : "";
}

int64_t fc_routed_default_channels(const fc_routed *routed, int64_t needed) {
    int64_t channels = needed;
    if (!routed->given)
        return routed->requests.count ? 2 * needed : needed;
    for (size_t i = 0; i < routed->given->classes.count; ++i) {
        const int64_t last = routed->given->classes.list[i].last;
        if (!routed->given->everywhere[i] && last >= channels)
            channels = last + 1;
    }
    return channels;
}

int64_t fc_routed_channels_around(const fc_routed *routed) {
    enum { ENOUGH_FOR_MOST = 4 };
    return routed->around == FC_AROUND_UP_DOWN ? 1 : ENOUGH_FOR_MOST;
}

static fc_status check_switching(const fc_scenario *scenario, const fc_routed *routed,
                                 fc_error *error) {
    if (routed->switching == FC_SCOUTING)
        return fc_scenario_fail_key(scenario, routed->pipelined_by, error,
                                    "%s asks for pipelined routers, which are not simulated with "
                                    "switching: scouting; use wormhole",
                                    routed->pipelined_by);
    if (routed->buffer == FC_INFINITE)
        return fc_scenario_fail_key(scenario, "network.buffer", error,
                                    "infinite buffers are simulated in the idealised router only, "
                                    "and %s asks for pipelined ones: give network.buffer a number, "
                                    "at most %d",
                                    routed->pipelined_by, FC_BUFFER_MAX);
    if (routed->handover == FC_SAME_CYCLE)
        return fc_scenario_fail_key(scenario, "network.handover", error,
                                    "handover: same-cycle is available in the idealised router "
                                    "only, and %s asks for pipelined ones: use next-cycle or "
                                    "when-empty",
                                    routed->pipelined_by);
    const int64_t longest = fc_routed_longest_message(routed);
    if (routed->switching == FC_CUT_THROUGH && routed->buffer < longest)
        return fc_scenario_fail_key(scenario, "network.switching", error,
                                    "switching: cut-through needs buffers that take the longest "
                                    "message: %lld flits; network.buffer is %lld",
                                    (long long)longest, (long long)routed->buffer);
    return FC_OK;
}

static fc_status check_requests(const fc_scenario *scenario, const fc_routed *routed,
                                fc_error *error) {
    if (routed->requests.count == 0)
        return FC_OK;
    if (routed->virtual_channels < 2)
        return fc_scenario_fail_key(
            scenario, "traffic.requests", error,
            "requests and replies in one virtual channel can deadlock: a request may hold the "
            "buffer that the reply it waits for needs; use virtual_channels: 2 or more, in a "
            "torus 4");
    if (routed->reply_channels >= routed->virtual_channels)
        return fc_scenario_fail_key(scenario, "network.reply_channels", error,
                                    "network.reply_channels is %lld of %lld virtual channels; "
                                    "requests need at least one of their own",
                                    (long long)routed->reply_channels,
                                    (long long)routed->virtual_channels);
    for (size_t i = 0; i < routed->requests.count; ++i) {
        const double reply = routed->requests.types[i].memory_reply;
        if (reply != floor(reply))
            return fc_scenario_fail_key(scenario, "traffic.requests", error,
                                        "memory_reply is %g; open traffic counts whole cycles",
                                        reply);
        const double busy = routed->requests.types[i].memory_busy;
        if (busy != floor(busy))
            return fc_scenario_fail_key(scenario, "traffic.requests", error,
                                        "memory_busy is %g; open traffic counts whole cycles",
                                        busy);
    }
    return FC_OK;
}

static fc_status check_link_lists(const fc_scenario *scenario, const fc_routed *routed,
                                  fc_error *error) {
    const struct {
        const char *key;
        size_t count;
    } lists[] = {{"network.link_delay", routed->link_delays.count},
                 {"network.link_width", routed->link_widths.count}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        if (!lists[i].count || (routed->link_kinds && lists[i].count == routed->link_kind_count))
            continue;
        if (!routed->link_kinds)
            return fc_scenario_fail_key(scenario, lists[i].key, error,
                                        "%s has %zu entries; all links of this topology have one, "
                                        "so that it is one number",
                                        lists[i].key, lists[i].count);
        return fc_scenario_fail_key(scenario, lists[i].key, error,
                                    "%s has %zu entries; expected one number, or %zu: one for each "
                                    "%s",
                                    lists[i].key, lists[i].count, routed->link_kind_count,
                                    routed->link_kinds);
    }
    return FC_OK;
}

fc_status fc_routed_check_links(const fc_scenario *scenario, fc_routed *routed, fc_error *error) {
    const double widest = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    const fc_status status = check_link_lists(scenario, routed, error);
    if (status != FC_OK)
        return status;
    if (routed->link_width > widest)
        return fc_scenario_fail_key(scenario, "network.link_width", error,
                                    "a link takes %g flits per cycle; a router passes on %g: set "
                                    "network.internal_speedup to %g or more",
                                    routed->link_width, widest, routed->link_width);
    routed->widths_differ |= routed->link_width != 1;
    for (size_t i = 0; i < routed->link_widths.count; ++i)
        routed->widths_differ |= routed->link_widths.values[i] != 1;
    return FC_OK;
}

double fc_routed_narrowest(const fc_routed *routed) {
    double width = routed->link_width;
    for (size_t i = 0; i < routed->link_widths.count; ++i)
        width = fmin(width, routed->link_widths.values[i]);
    return width;
}

/* Messages a cycle that the busiest node would have to generate, in a burst if there are. */
static double highest_rate(const fc_routed *routed) {
    double weight = 1;
    for (int64_t i = 0; routed->destinations->weights && i < routed->nodes; ++i) {
        if (routed->destinations->weights[i] > weight)
            weight = routed->destinations->weights[i];
    }
    return routed->rate * weight * fc_burst_peak(&routed->injection) *
           fc_profile_most(routed->profile);
}

fc_status fc_profile_finish(const fc_scenario *scenario, fc_routed *routed, fc_error *error) {
    if (!routed->profile)
        return FC_OK;
    if (routed->injection.process == FC_ON_OFF)
        return fc_scenario_fail_key(scenario, "traffic.profile", error,
                                    "traffic.profile is for injection: poisson and bernoulli; "
                                    "bursts have a rate of their own");
    if (!routed->profile->rates)
        return FC_OK;
    if (fc_classes_have_rates(routed->given))
        return fc_scenario_fail_key(scenario, "traffic.profile", error,
                                    "the classes have rates, and so have the phases of "
                                    "traffic.profile; give phases factors, or classes shares");
    const double mean = fc_profile_scale(routed->profile);
    if (!fc_scenario_has(scenario, "traffic.rate"))
        routed->rate = mean;
    return FC_OK;
}

static fc_status check_injection(const fc_scenario *scenario, const fc_routed *routed,
                                 fc_error *error) {
    const bool bursts = routed->injection.process == FC_ON_OFF;
    const double highest = highest_rate(routed);
    if (routed->injection.process == FC_POISSON || routed->workload || highest <= 1)
        return FC_OK;
    return fc_scenario_fail_key(scenario, "traffic.injection", error,
                                "traffic.rate %g makes %g messages per cycle %s; at most 1 is "
                                "possible: %s",
                                routed->rate, highest, bursts ? "in a burst" : "of one node",
                                bursts ? "make bursts longer, silences shorter or the rate lower"
                                       : "make the rate lower or use poisson");
}

fc_status fc_routed_check(const fc_scenario *scenario, const fc_routed *routed, fc_error *error) {
    fc_status status = FC_OK;
    if (routed->pipelined_by)
        status = check_switching(scenario, routed, error);
    if (status == FC_OK)
        status = check_requests(scenario, routed, error);
    if (status == FC_OK)
        status = fc_classes_check(scenario, routed, error);
    if (status == FC_OK)
        status = check_injection(scenario, routed, error);
    return status;
}
