#include "network_features.h"

#include <math.h>
#include <string.h>
#include "scenario/multistage.h"
#include "scenario/patterns/pattern.h"
#include "scenario/rings.h"
#include "scenario/torus.h"

static const double share_unit = 0.25;

#define CHOICE(what, names)                                                                        \
    { .name = (what), .scale = FC_FEATURE_CHOICE, .labels = (names) }
#define MINOR(what, names)                                                                         \
    { .name = (what), .scale = FC_FEATURE_CHOICE, .labels = (names), .minor = true }
#define RATIO(what)                                                                                \
    { .name = (what), .scale = FC_FEATURE_RATIO }
#define DIFFERENCE(what, one)                                                                      \
    { .name = (what), .scale = FC_FEATURE_DIFFERENCE, .unit = (one) }

/* ---- rings ---- */

static const char *const ring_levels[] = {"two", "three", NULL};

static const fc_feature ring_features[] = {
    CHOICE("levels", ring_levels),
    RATIO("stations of a local ring"),
    RATIO("rings of a middle ring"),
    RATIO("rings of the global ring"),
    DIFFERENCE("local share", share_unit),
    DIFFERENCE("middle share", share_unit),
    {0},
};

static bool are_two_or_three(const fc_scenario *scenario) {
    const fc_rings *rings = scenario->parameters;
    return fc_rings_are_alike(rings) && (rings->levels == 2 || rings->levels == 3);
}

static void read_rings(const fc_scenario *scenario, double *values) {
    const fc_rings *rings = scenario->parameters;
    const bool three = rings->levels == 3;
    const double read[] = {three,
                           rings->sizes.values[0],
                           three ? rings->sizes.values[1] : 1,
                           rings->sizes.values[rings->levels - 1],
                           rings->shares[0],
                           three ? rings->shares[1] : 0};
    memcpy(values, read, sizeof read);
}

/* ---- multistage networks ---- */

static const char *const contentions[] = {
    [FC_CONTENTION_NONE] = "none", [FC_CONTENTION_OUTPUT_PORT] = "output-port", NULL};
static const char *const buffers[] = {"finite", "infinite", NULL};
static const char *const hot_or_not[] = {"uniform", "hot-spot", NULL};
static const char *const limits[] = {"unlimited", "limited", NULL};

static const fc_feature multistage_features[] = {
    CHOICE("contention", contentions),
    CHOICE("buffers", buffers),
    CHOICE("destinations", hot_or_not),
    CHOICE("outstanding packets", limits),
    RATIO("switch size"),
    RATIO("stages"),
    RATIO("buffer"),
    RATIO("limit of outstanding packets"),
    DIFFERENCE("hot share", share_unit),
    {0},
};

static double count_or_one(int64_t count) {
    return count == FC_INFINITE ? 1 : (double)count;
}

static void read_multistage(const fc_scenario *scenario, double *values) {
    const fc_multistage *network = scenario->parameters;
    const double read[] = {network->contention,
                           network->buffer == FC_INFINITE,
                           network->hot.share > 0,
                           network->outstanding != FC_INFINITE,
                           (double)network->switch_size,
                           (double)network->stages,
                           count_or_one(network->buffer),
                           count_or_one(network->outstanding),
                           network->hot.share};
    memcpy(values, read, sizeof read);
}

/* Of the last links to the hot memory; of any link without one. */
static double multistage_capacity(const fc_scenario *scenario) {
    const fc_multistage *network = scenario->parameters;
    const double share = network->hot.share;
    const double sources = (double)network->ports / (double)network->switch_size;
    return 1 / (network->service * (1 - share + share * sources));
}

/* ---- tori and meshes ---- */

static const char *const topologies[] = {[FC_TORUS] = "torus",
                                         [FC_MESH] = "mesh",
                                         [FC_RING] = "ring",
                                         [FC_HYPERCUBE] = "hypercube",
                                         NULL};
static const char *const links[] = {
    [FC_BIDIRECTIONAL] = "bidirectional", [FC_UNIDIRECTIONAL] = "unidirectional", NULL};
static const char *const rules[] = {
    [FC_HIGH_LOW] = "high-low", [FC_DATELINE] = "dateline", [FC_ESCAPE] = "escape",
    [FC_FREE] = "free",         [FC_WRAPPING] = "wrapping", NULL};
static const char *const handovers[] = {[FC_SAME_CYCLE] = "same-cycle",
                                        [FC_NEXT_CYCLE] = "next-cycle",
                                        [FC_WHEN_EMPTY] = "when-empty",
                                        NULL};
static const char *const at_once[] = {"one message at a time", "shared", NULL};
static const char *const flit_buffers[] = {"one flit", "several flits", "infinite", NULL};
static const char *const dimensions[] = {"one", "two", "three", "four or more", NULL};
static const char *const sharings[] = {"one", "several", NULL};
static const char *const node_links[] = {
    [FC_SINGLE_LINK] = "single", [FC_LINK_PER_CHANNEL] = "per-channel", NULL};

static const fc_feature open_features[] = {
    CHOICE("topology", topologies),
    CHOICE("links", links),
    CHOICE("dimensions", dimensions),
    MINOR("channel rule", rules),
    MINOR("handover", handovers),
    MINOR("injection", at_once),
    MINOR("ejection", at_once),
    CHOICE("buffers", flit_buffers),
    CHOICE("destinations", fc_pattern_names),
    RATIO("shortest side"),
    RATIO("longest side"),
    RATIO("virtual channels"),
    RATIO("message length"),
    {0},
};

static const fc_feature scouting_features[] = {
    CHOICE("dimensions", dimensions),
    CHOICE("channels", sharings),
    CHOICE("destinations", fc_pattern_names),
    RATIO("shortest side"),
    RATIO("longest side"),
    RATIO("virtual channels"),
    RATIO("message length"),
    DIFFERENCE("scouting distance", 3),
    {0},
};

static const fc_feature closed_features[] = {
    CHOICE("topology", topologies),
    MINOR("links", links),
    CHOICE("dimensions", dimensions),
    MINOR("node links", node_links),
    CHOICE("buffers", flit_buffers),
    CHOICE("destinations", fc_pattern_names),
    RATIO("shortest side"),
    RATIO("longest side"),
    RATIO("virtual channels"),
    RATIO("outstanding requests"),
    RATIO("think time"),
    RATIO("mean message length"),
    RATIO("memory cycles"),
    DIFFERENCE("share of the pattern", share_unit),
    {0},
};

static bool is_scouting(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->switching == FC_SCOUTING && torus->faults.count == 0;
}

static bool is_closed(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->kind == FC_CLOSED && !torus->routed.pipelined_by;
}

static bool is_open_wormhole(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->switching == FC_WORMHOLE && torus->kind == FC_OPEN && !torus->routed.pipelined_by;
}

typedef struct shape {
    double dimensions; /* a choice */
    double shortest, longest;
} shape;

static shape shape_of(const fc_torus *torus) {
    const fc_integer_list *radix = &torus->radix;
    int64_t shortest = radix->values[0], longest = shortest;
    for (size_t i = 1; i < radix->count; ++i) {
        shortest = radix->values[i] < shortest ? radix->values[i] : shortest;
        longest = radix->values[i] > longest ? radix->values[i] : longest;
    }
    return (shape){fmin((double)radix->count, 4) - 1, (double)shortest, (double)longest};
}

static double buffer_choice(int64_t buffer) {
    return buffer == FC_INFINITE ? 2 : buffer > 1;
}

/* With two channels 'escape' is the rule 'high-low'. */
static double rule_choice(const fc_torus *torus) {
    return torus->channel_rule == FC_HIGH_LOW ? FC_ESCAPE : torus->channel_rule;
}

static void read_open(const fc_scenario *scenario, double *values) {
    const fc_torus *torus = scenario->parameters;
    const shape s = shape_of(torus);
    const double read[] = {torus->topology,
                           torus->links,
                           s.dimensions,
                           rule_choice(torus),
                           torus->handover,
                           torus->injection_channels > 1,
                           torus->ejection_channels > 1,
                           buffer_choice(torus->buffer),
                           torus->destinations.pattern,
                           s.shortest,
                           s.longest,
                           (double)torus->virtual_channels,
                           (double)torus->message_flits};
    memcpy(values, read, sizeof read);
}

static void read_scouting(const fc_scenario *scenario, double *values) {
    const fc_torus *torus = scenario->parameters;
    const shape s = shape_of(torus);
    const double read[] = {s.dimensions,
                           torus->virtual_channels > 1,
                           torus->destinations.pattern,
                           s.shortest,
                           s.longest,
                           (double)torus->virtual_channels,
                           (double)torus->message_flits,
                           (double)torus->scouting_distance};
    memcpy(values, read, sizeof read);
}

static void read_closed(const fc_scenario *scenario, double *values) {
    const fc_torus *torus = scenario->parameters;
    const shape s = shape_of(torus);
    double flits = 0, memory = 0;
    for (size_t i = 0; i < torus->requests.count; ++i) {
        const fc_request_type *type = &torus->requests.types[i];
        flits += type->share * 0.5 * (double)(type->flits + type->reply_flits);
        memory += type->share * fmax(type->memory_reply, type->memory_busy);
    }
    const double read[] = {torus->topology,
                           torus->links,
                           s.dimensions,
                           torus->node_links,
                           buffer_choice(torus->buffer),
                           torus->destinations.pattern,
                           s.shortest,
                           s.longest,
                           (double)torus->virtual_channels,
                           count_or_one(torus->outstanding),
                           torus->think_time,
                           flits,
                           memory,
                           torus->destinations.share};
    memcpy(values, read, sizeof read);
}

/* ---- networks of routers ---- */

static const char *const router_networks[] = {"torus or ring", "mesh or hypercube",
                                              "fly or fat tree", "graph or other", NULL};
static const char *const spreads[] = {"spread", "permutation", "hot spots", NULL};
static const char *const routings[] = {"oblivious", "adaptive", NULL};
enum { RINGS, GRIDS, TREES, OTHER_ROUTERS };
enum { SPREAD, PERMUTATION, HOT };

static const fc_feature router_features[] = {
    CHOICE("topology", router_networks), CHOICE("destinations", spreads),
    CHOICE("routing", routings),         RATIO("nodes"),
    RATIO("virtual channels"),           RATIO("message length"),
    RATIO("message length over buffer"), {0},
};

static bool is_routed(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed && routed->pipelined_by && !routed->workload;
}

static int network_choice(const fc_scenario *scenario) {
    static const int choices[] = {[FC_LIKE_NO_OTHER] = OTHER_ROUTERS,
                                  [FC_LIKE_TORUS] = RINGS,
                                  [FC_LIKE_MESH] = GRIDS,
                                  [FC_LIKE_TREE] = TREES};
    return choices[scenario->family->routers(scenario->parameters)->resembles];
}

/* A pattern that keeps messages at home is a permutation for the others only. */
static int spread_choice(const fc_routed *routed) {
    const fc_pattern pattern = routed->destinations->pattern;
    if (fc_patterns[pattern]->uneven)
        return HOT;
    return fc_is_permutation(pattern, true) ? PERMUTATION : SPREAD;
}

static double mean_length(const fc_routed *routed) {
    double sum = 0, shares = 0;
    for (size_t i = 0; i < routed->lengths.count; ++i) {
        sum += routed->lengths.share[i] * (double)routed->lengths.flits[i];
        shares += routed->lengths.share[i];
    }
    for (size_t i = 0; i < routed->requests.count; ++i) {
        const fc_request_type *type = &routed->requests.types[i];
        sum += type->share * 0.5 * (double)(type->flits + type->reply_flits);
        shares += type->share;
    }
    return shares > 0 ? sum / shares : (double)routed->message_flits;
}

static void read_routers(const fc_scenario *scenario, double *values) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const double length = mean_length(routed);
    const double read[] = {network_choice(scenario),
                           spread_choice(routed),
                           routed->adaptive,
                           (double)routed->nodes,
                           (double)routed->virtual_channels,
                           length,
                           length / (double)routed->buffer};
    memcpy(values, read, sizeof read);
}

static const char *unlike_routers(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed->requests.count && routed->outstanding != FC_INFINITE
               ? "traffic.outstanding: simulated without a limit"
               : NULL;
}

/* ---- workloads ---- */

static const char *const works[] = {"exchange", "steps round a ring", "trees or doubling",
                                    "several phases or a file", NULL};
static const char *const pipelines[] = {"immediate", "pipelined", NULL};
enum { EXCHANGE, RING_STEPS, TREES_OR_DOUBLING, SEVERAL };

static const fc_feature work_features[] = {
    CHOICE("topology", router_networks),
    CHOICE("routing", routings),
    CHOICE("work", works),
    MINOR("routers", pipelines),
    RATIO("ranks"),
    RATIO("flits of a rank"),
    RATIO("virtual channels"),
    {0},
};

static bool is_work(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed && routed->workload && !routed->workload->of_trace;
}

static int work_choice(const fc_workload *work) {
    if (work->count > 1 || work->phases[0].kind == FC_PHASE_FILE)
        return SEVERAL;
    switch (work->phases[0].kind) {
    case FC_PHASE_ALL_REDUCE:
    case FC_PHASE_REDUCE_SCATTER:
    case FC_PHASE_ALL_GATHER:
    case FC_PHASE_BROADCAST:
        return work->phases[0].algorithm == FC_ALGORITHM_RING ? RING_STEPS : TREES_OR_DOUBLING;
    default:
        return EXCHANGE;
    }
}

/* What a rank sends, about; of a file it is not known here. */
static double flits_of_rank(const fc_workload *work) {
    double bytes = 0;
    for (size_t g = 0; g < work->group_count; ++g) {
        const fc_phase_group *group = &work->groups[g];
        for (size_t i = group->first; i < group->first + group->count; ++i) {
            const fc_phase *phase = &work->phases[i];
            const double each = phase->kind == FC_PHASE_ALL_TO_ALL ? (double)work->ranks
                                : phase->kind == FC_PHASE_EXPERTS
                                    ? 2 * (double)(phase->tokens * phase->choices)
                                    : 1;
            bytes += (double)group->times * each * (double)phase->bytes;
        }
    }
    return fmax(1, bytes / (double)work->flit_bytes);
}

static void read_work(const fc_scenario *scenario, double *values) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_workload *work = routed->workload;
    double stages = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        stages += (double)routed->router_delay[stage];
    const double read[] = {network_choice(scenario),
                           routed->adaptive,
                           work_choice(work),
                           stages > 0,
                           (double)work->ranks,
                           flits_of_rank(work),
                           (double)routed->virtual_channels};
    memcpy(values, read, sizeof read);
}

/* ---- the lists ---- */

static const fc_feature_list rings = {"rings",          "ring-hierarchy", ring_features,
                                      are_two_or_three, read_rings,       NULL};
static const fc_feature_list multistage = {"multistage", "multistage",    multistage_features,
                                           NULL,         read_multistage, multistage_capacity};
static const fc_feature_list torus = {"torus",          "torus",   open_features,
                                      is_open_wormhole, read_open, NULL};
static const fc_feature_list scouting = {"scouting",  "torus",       scouting_features,
                                         is_scouting, read_scouting, NULL};
static const fc_feature_list closed = {"closed",  "torus",     closed_features,
                                       is_closed, read_closed, NULL};

/* Two families, one kind of network. */
static const fc_feature_list routers = {"routers",    "torus", router_features, is_routed,
                                        read_routers, NULL,    unlike_routers};
static const fc_feature_list fabrics = {"routers",    "fabric", router_features, is_routed,
                                        read_routers, NULL,     unlike_routers};

static const fc_feature_list works_of_tori = {"workloads", "torus",   work_features,
                                              is_work,     read_work, NULL};
static const fc_feature_list works_of_fabrics = {"workloads", "fabric",  work_features,
                                                 is_work,     read_work, NULL};

const fc_feature_list *const fc_feature_lists[] = {
    &rings,   &multistage, &torus,         &scouting,         &closed,
    &routers, &fabrics,    &works_of_tori, &works_of_fabrics, NULL};

const fc_feature_list *fc_features_of(const fc_scenario *scenario) {
    for (size_t i = 0; fc_feature_lists[i]; ++i) {
        const fc_feature_list *list = fc_feature_lists[i];
        if (strcmp(list->family, scenario->family->name) == 0 &&
            (!list->suits || list->suits(scenario)))
            return list;
    }
    return NULL;
}

size_t fc_feature_count(const fc_feature_list *list) {
    size_t count = 0;
    while (list->features[count].name)
        ++count;
    return count;
}

void fc_feature_text(const fc_feature *feature, double value, char text[32]) {
    size_t labels = 0;
    while (feature->labels && feature->labels[labels])
        ++labels;
    if (value >= 0 && value < (double)labels)
        snprintf(text, 32, "%s", feature->labels[(size_t)value]);
    else
        snprintf(text, 32, "%.4g", value);
}
