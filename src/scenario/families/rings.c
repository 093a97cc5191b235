#include "scenario/rings.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/families/routed_rules.h"
#include "scenario/readers.h"
#include "scenario/scenario.h"

enum { FAN_MAX = 1000000, OUTSTANDING_MAX = 1000, CYCLES_MAX = 1000000 };

static const char *const topologies[] = {"ring-hierarchy", NULL};
static const char *const kinds[] = {"open", "closed", NULL};
static const char tree_path[] = "network.ring_tree";

const char *fc_ring_level_name(size_t levels, size_t level) {
    static const char *const names[FC_RING_LEVELS] = {"local",   "level 2", "level 3", "level 4",
                                                      "level 5", "level 6", "level 7", "level 8"};
    return level + 1 == levels ? "global" : levels == 3 && level == 1 ? "middle" : names[level];
}

/* ---- network.ring_tree: a ring is a number of stations, or a list of the rings on it ---- */

static fc_status fail_tree(const fc_document *document, const fc_value *value, fc_error *error) {
    return fc_fail_at(error, document, value,
                      "%s is no tree of rings; expected lists of rings, the local ones by their "
                      "number of stations and all as many levels down, such as [[4, 6], [3, 3, 5]]",
                      tree_path);
}

/* Levels of the tree down its first branch; 0: too many. */
static size_t depth_of(const fc_value *value) {
    size_t depth = 1;
    for (; value->kind == FC_VALUE_SEQUENCE && value->count > 0; value = value->items[0])
        ++depth;
    return value->kind == FC_VALUE_SCALAR && depth <= FC_RING_LEVELS ? depth : 0;
}

/* Adds a ring to its level; without room for the fans it is counted. */
static fc_status read_ring(const fc_document *document, const fc_value *value, size_t level,
                           fc_ring_tree *tree, fc_error *error) {
    const fc_range range = {.minimum = 1, .maximum = FAN_MAX};
    if ((value->kind == FC_VALUE_SCALAR) != (level == 0) || value->kind == FC_VALUE_MAPPING ||
        (level > 0 && value->count == 0))
        return fail_tree(document, value, error);
    int64_t fan = (int64_t)value->count;
    fc_status status = FC_OK;
    if (level == 0)
        status = fc_read_integer(document, value, tree_path, range, error, &fan);
    if (status == FC_OK && tree->fans[level])
        tree->fans[level][tree->counts[level]] = (uint32_t)fan;
    ++tree->counts[level];
    for (size_t i = 0; level > 0 && i < value->count && status == FC_OK; ++i)
        status = read_ring(document, value->items[i], level - 1, tree, error);
    return status;
}

static void release_tree(fc_ring_tree *tree) {
    for (size_t level = 0; level < tree->levels; ++level)
        fc_release(tree->fans[level]);
    *tree = (fc_ring_tree){0};
}

static fc_status read_tree(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error) {
    fc_ring_tree counted = {.levels = depth_of(value)};
    if (counted.levels < 2)
        return fail_tree(document, value, error);
    fc_status status = read_ring(document, value, counted.levels - 1, &counted, error);
    fc_ring_tree made = {.levels = counted.levels};
    for (size_t level = 0; level < made.levels && status == FC_OK; ++level) {
        made.fans[level] = fc_allocate(counted.counts[level], sizeof(uint32_t));
        if (!made.fans[level])
            status = fc_fail_memory(error);
    }
    if (status == FC_OK)
        status = read_ring(document, value, made.levels - 1, &made, error);
    if (status != FC_OK)
        release_tree(&made);
    *(fc_ring_tree *)field = made;
    return status;
}

/* first: the first ring below that is not written yet. */
static void write_ring(const fc_ring_tree *tree, size_t level, size_t first[FC_RING_LEVELS],
                       FILE *stream) {
    const uint32_t fan = tree->fans[level][first[level]++];
    if (level == 0) {
        fprintf(stream, "%u", fan);
        return;
    }
    fputc('[', stream);
    for (uint32_t i = 0; i < fan; ++i) {
        fputs(i > 0 ? ", " : "", stream);
        write_ring(tree, level - 1, first, stream);
    }
    fputc(']', stream);
}

static void write_tree(const void *field, FILE *stream) {
    const fc_ring_tree *tree = field;
    size_t first[FC_RING_LEVELS] = {0};
    if (tree->levels > 0)
        write_ring(tree, tree->levels - 1, first, stream);
}

static void initialise(void *parameters) {
    fc_rings *rings = parameters;
    rings->queue = FC_INFINITE;
    rings->requests =
        (fc_ring_requests){.reads = 0.8, .memory_reply = 4, .memory_busy = 4, .retry = 4};
}

static void release(void *parameters) {
    release_tree(&((fc_rings *)parameters)->tree);
}

/* ---- the keys ---- */

#define FIELD(name) .offset = offsetof(fc_rings, name)

#define CLOSED_INTEGER(name, field, least, most, text)                                             \
    {                                                                                              \
        .path = "traffic." name, .type = FC_KEY_INTEGER, FIELD(field), .minimum = (least),         \
        .maximum = (most), .hashed_if_given = true, .fallback = "", .help = (text),                \
        .only_if = {{"traffic.kind", {"closed"}}},                                                 \
    }

static const fc_key keys[] = {
    {.path = "network.rings",
     .type = FC_KEY_NUMBERS,
     FIELD(sizes),
     .minimum = 1,
     .maximum = FAN_MAX,
     .fallback = "",
     .not_with = {tree_path},
     .help = "[L, G] or [L, M, G], of any number of levels: stations of a local ring, local rings "
             "of a middle ring, ..., rings of the global ring. One number: stations of a single "
             "ring. Needed without network.ring_tree"},
    {.path = tree_path,
     .type = FC_KEY_CUSTOM,
     FIELD(tree),
     .hashed_if_given = true,
     .fallback = "",
     .help = "rings of unequal sizes, in place of network.rings: [4, 6, 5] is a global ring with "
             "local rings of 4, 6 and 5 stations",
     .expected = "lists of rings, the local ones by their number of stations, such as [[4, 6], "
                 "[3, 3, 5]]",
     .whole = "*",
     .read = read_tree,
     .write = write_tree},
    {.path = "network.ring_slots",
     .type = FC_KEY_INTEGERS,
     FIELD(slots),
     .minimum = 1,
     .maximum = FC_RING_SLOTS_MAX,
     .hashed_if_given = true,
     .fallback = "",
     .help = "slots side by side on a link of each level, from the local rings up (default: 1): "
             "[1, 2] is a global ring of double bandwidth"},
    {.path = "network.queue",
     .type = FC_KEY_COUNT,
     FIELD(queue),
     .minimum = 1,
     .maximum = 1e9,
     .hashed_if_given = true,
     .fallback = "",
     .help = "packets that fit into each queue of a crossing (default: infinite). A packet that "
             "finds it full stays on "
             "its ring for another round"},
    {.path = "traffic.kind",
     .type = FC_KEY_CHOICE,
     FIELD(kind),
     .choices = kinds,
     .fallback = "open",
     .help = "open: stations send regardless of what is under way; closed: processors read and "
             "write memories of other stations and wait for answers"},
    {.path = "traffic.rate",
     .type = FC_KEY_NUMBER,
     FIELD(rate),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1,
     .fallback = "",
     .measures = "load",
     .help = "packets per station per cycle",
     .only_if = {{"traffic.kind", {"open"}}}},
    CLOSED_INTEGER("outstanding", requests.outstanding, 1, OUTSTANDING_MAX,
                   "requests that a station may have under way"),
    {.path = "traffic.think_time",
     .type = FC_KEY_NUMBER,
     FIELD(requests.think_time),
     .minimum = 1,
     .maximum = 1e9,
     .hashed_if_given = true,
     .fallback = "",
     .measures = "time",
     .help = "mean cycles of processing before a request",
     .only_if = {{"traffic.kind", {"closed"}}}},
    {.path = "traffic.reads",
     .type = FC_KEY_NUMBER,
     FIELD(requests.reads),
     .minimum = 0,
     .maximum = 1,
     .hashed_if_given = true,
     .fallback = "",
     .help = "share of the requests that read (default: 0.8); the others write. A read takes three "
             "packets: request, acknowledgement, data; a write the first two",
     .only_if = {{"traffic.kind", {"closed"}}}},
    CLOSED_INTEGER("memory_reply", requests.memory_reply, 1, CYCLES_MAX,
                   "cycles until a memory sends the data of a read (default: 4)"),
    CLOSED_INTEGER("memory_busy", requests.memory_busy, 0, CYCLES_MAX,
                   "cycles in which a memory refuses further requests (default: 4)"),
    CLOSED_INTEGER("retry", requests.retry, 0, CYCLES_MAX,
                   "cycles that a station waits after a refusal before it sends the request again "
                   "(default: 4)"),
    {.path = "traffic.destinations",
     .type = FC_KEY_CUSTOM,
     FIELD(hot),
     .fallback = "",
     .help = "every other station equally likely, unless traffic.locality is given; or a share of "
             "all other stations' packets to one station",
     .expected = "uniform or {hot-spot: {share: SHARE, node: STATION}}",
     .read = fc_hot_share_read,
     .write = fc_hot_share_write},
    {.path = "traffic.locality",
     .type = FC_KEY_NUMBERS,
     FIELD(locality),
     .minimum = 0,
     .maximum = 1,
     .fallback = "",
     .help = "[P] or [P_L, P_M], of any number of levels: shares of the packets for the own local "
             "ring, for another local ring of the own middle ring, ...; the rest cross the global "
             "ring"},
    {0},
};

/* ---- what must agree ---- */

static fc_status check_sizes(const fc_scenario *scenario, const fc_rings *rings, fc_error *error) {
    if (rings->levels == 0)
        return fc_scenario_fail_key(
            scenario, "network.rings", error,
            "'network.rings' is missing; expected a list, each a number from 1 to %d", FAN_MAX);
    if (rings->levels > FC_RING_LEVELS)
        return fc_scenario_fail_key(scenario, "network.rings", error,
                                    "network.rings has %zu entries; expected at most %d levels",
                                    rings->levels, FC_RING_LEVELS);
    for (size_t i = 0; i + 1 < rings->sizes.count; ++i) {
        if (rings->sizes.values[i] != floor(rings->sizes.values[i]))
            return fc_scenario_fail_key(
                scenario, "network.rings", error,
                "network.rings: %g is not a whole number; only the last ring (G) may be "
                "fractional, for models",
                rings->sizes.values[i]);
    }
    if (rings->stations < 2 || rings->stations > 1e8)
        return fc_scenario_fail_key(scenario, rings->tree.levels > 0 ? tree_path : "network.rings",
                                    error, "%s makes %g stations; expected 2 to 1e8",
                                    rings->tree.levels > 0 ? tree_path : "network.rings",
                                    rings->stations);
    return FC_OK;
}

static void count_stations(fc_rings *rings) {
    const fc_ring_tree *tree = &rings->tree;
    rings->levels = tree->levels > 0 ? tree->levels : rings->sizes.count;
    rings->stations = 1;
    for (size_t level = 0; level < rings->sizes.count && level < FC_RING_LEVELS; ++level) {
        rings->stations *= rings->sizes.values[level];
        rings->below[level] = rings->stations;
    }
    if (tree->levels == 0)
        return;
    rings->stations = 0;
    for (size_t ring = 0; ring < tree->counts[0]; ++ring)
        rings->stations += tree->fans[0][ring];
    for (size_t level = 0; level < tree->levels; ++level)
        rings->below[level] = rings->stations / (double)tree->counts[level];
}

static fc_status check_extras(const fc_scenario *scenario, const fc_rings *rings, fc_error *error) {
    if (rings->slots.count > 0 && rings->slots.count != rings->levels)
        return fc_scenario_fail_key(scenario, "network.ring_slots", error,
                                    "network.ring_slots has %zu entries; a network of %zu levels "
                                    "takes one for each",
                                    rings->slots.count, rings->levels);
    if (rings->hot.share > 0 && (double)rings->hot.node >= rings->stations)
        return fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                    "the hot station %lld lies outside the network; expected 0 to "
                                    "%.0f",
                                    (long long)rings->hot.node, rings->stations - 1);
    return FC_OK;
}

/* Of all pairs of stations, those of one ring of this level, in a tree of unequal rings. */
static double paired_in(const fc_ring_tree *tree, size_t level) {
    double pairs = 0;
    size_t from[FC_RING_LEVELS] = {0};
    for (size_t ring = 0; ring < tree->counts[level]; ++ring) {
        size_t below = tree->fans[level][ring];
        double stations = level == 0 ? (double)below : 0;
        for (size_t down = level; down-- > 0;) {
            size_t next = 0;
            for (size_t i = 0; i < below; ++i)
                next += tree->fans[down][from[down]++];
            below = next;
            stations = (double)below;
        }
        pairs += stations * (stations - 1);
    }
    return pairs;
}

static void share_uniformly(fc_rings *rings) {
    const double others = rings->stations - 1;
    double lower = 0;
    for (size_t level = 0; level < rings->levels; ++level) {
        if (rings->tree.levels > 0) {
            const double share = paired_in(&rings->tree, level) / (rings->stations * others);
            rings->shares[level] = share - lower;
            lower = share;
        } else {
            const double child = level > 0 ? rings->below[level - 1] : 1;
            rings->shares[level] = (rings->sizes.values[level] - 1) * child / others;
        }
    }
}

/* Whether a ring of this level has only one station or ring on it: nobody to send to. */
static bool has_lone(const fc_rings *rings, size_t level) {
    if (rings->tree.levels == 0)
        return rings->sizes.values[level] == 1;
    for (size_t ring = 0; ring < rings->tree.counts[level]; ++ring)
        if (rings->tree.fans[level][ring] == 1)
            return true;
    return false;
}

static fc_status check_locality(const fc_scenario *scenario, const fc_rings *rings,
                                fc_error *error) {
    for (size_t level = 0; level < rings->levels; ++level) {
        char where[64];
        const char *const name = fc_ring_level_name(rings->levels, level);
        snprintf(where, sizeof where, "its own %s ring", name);
        if (rings->shares[level] > 0 && has_lone(rings, level))
            return fc_scenario_fail_key(
                scenario, "traffic.locality", error,
                "traffic.locality sends %g of the packets to %s, where %s leaves no other station",
                rings->shares[level],
                level + 1 == rings->levels ? "another part of the network" : where,
                rings->tree.levels > 0 ? tree_path : "network.rings");
    }
    return FC_OK;
}

static fc_status share_by_locality(const fc_scenario *scenario, fc_rings *rings, fc_error *error) {
    if (rings->locality.count != rings->levels - 1)
        return fc_scenario_fail_key(
            scenario, "traffic.locality", error,
            "traffic.locality has %zu entries; a network of %zu level%s takes %s",
            rings->locality.count, rings->levels, rings->levels == 1 ? "" : "s",
            rings->levels == 1   ? "none"
            : rings->levels == 2 ? "one: [P]"
            : rings->levels == 3 ? "two: [P_L, P_M]"
                                 : "one less: the shares of all but the highest");
    double sum = 0, rest = 1;
    for (size_t level = 0; level < rings->locality.count; ++level) {
        rings->shares[level] = rings->locality.values[level];
        sum += rings->shares[level];
        rest -= rings->shares[level];
    }
    if (rest < -1e-12)
        return fc_scenario_fail_key(scenario, "traffic.locality", error,
                                    "traffic.locality adds up to %g; at most 1 is possible", sum);
    rings->shares[rings->levels - 1] = fmax(0, rest);
    if (fc_scenario_has(scenario, "traffic.destinations") && !(rings->hot.share > 0))
        return fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                    "traffic.destinations and traffic.locality exclude each other");
    return check_locality(scenario, rings, error);
}

/* The keys that the kind of traffic needs. */
static fc_status check_needs(const fc_scenario *scenario, const fc_rings *rings, fc_error *error) {
    static const char *const open[] = {"traffic.rate", NULL};
    static const char *const closed[] = {"traffic.outstanding", "traffic.think_time", NULL};
    return fc_require_keys(scenario, rings->kind == FC_CLOSED ? closed : open, kinds[rings->kind],
                           error);
}

static fc_status finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_rings *rings = parameters;
    count_stations(rings);
    fc_status status = check_needs(scenario, rings, error);
    if (status == FC_OK)
        status = check_sizes(scenario, rings, error);
    if (status == FC_OK)
        status = check_extras(scenario, rings, error);
    if (status != FC_OK)
        return status;
    if (rings->locality.count > 0)
        return share_by_locality(scenario, rings, error);
    share_uniformly(rings);
    return FC_OK;
}

static const char *main_metric(const void *parameters) {
    return ((const fc_rings *)parameters)->kind == FC_CLOSED ? "efficiency" : "latency";
}

static const char *load_key(const void *parameters) {
    return ((const fc_rings *)parameters)->kind == FC_CLOSED ? NULL : "traffic.rate";
}

static double nodes(const void *parameters) {
    return ((const fc_rings *)parameters)->stations;
}

/* Routers are stations and the crossings between a ring and the one above; links lead one way.
 * Halves part on the global ring, whose links pass a message for each of their slots each way;
 * where the number of its rings is odd, one of them is halved too, in turn. */
static void count(const void *parameters, fc_counts *counts) {
    const fc_rings *rings = parameters;
    const size_t top = rings->levels - 1;
    if (rings->sizes.count > 0 && rings->sizes.values[top] != floor(rings->sizes.values[top]))
        return;                         /* for models alone */
    double crossings = 0, on_rings = 0; /* stations and rings, on any ring */
    for (size_t level = 0; level < rings->levels; ++level) {
        crossings += level < top ? (double)fc_ring_count(rings, level) : 0;
        on_rings += level > 0 ? (double)fc_ring_count(rings, level - 1) : rings->stations;
    }
    counts->routers = rings->stations + crossings;
    counts->cables = on_rings + crossings;
    counts->ports = 2 * counts->cables + rings->stations;
    if (rings->tree.levels > 0) /* which half of the stations is where? */
        return;
    counts->bisection = 0;
    bool odd = true;
    size_t halved = 0;
    for (size_t level = rings->levels; level-- > 0 && odd;) {
        const double size = rings->sizes.values[level];
        counts->bisection += size > 1 ? fc_ring_slots(rings, level) : 0;
        halved += size > 1;
        odd = !(size > 1) || fmod(size, 2) != 0;
    }
    counts->bisection_bound = halved > 1 ? FC_AT_MOST : FC_EXACT;
}

const fc_family fc_rings_family = {
    .name = "ring-hierarchy",
    .topologies = topologies,
    .keys = keys,
    .parameter_size = sizeof(fc_rings),
    .topology_offset = offsetof(fc_rings, topology),
    .initialise = initialise,
    .finish = finish,
    .release = release,
    .main_metric = main_metric,
    .load_key = load_key,
    .nodes = nodes,
    .count = count,
};
