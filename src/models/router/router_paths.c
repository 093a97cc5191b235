/* Zero load, exactly. With stations h = 0 (the node), 1 .. R (routers) and D[h][k] the cycle in
 * which flit k leaves station h,
 *
 *   D[h][k] = max( D[h][k-1] + 1,                              one flit per cycle
 *                  D[h-1][k] + transit(h-1) + (r + va, k = 0), it has arrived
 *                  D[h+1][k-B] + credit(h) )                   there is room for it
 *   transit(0) = node_delay, transit(h) = sa + st + delay of the link behind h
 *   credit(0) = max(1, sa + node_delay - 1), credit(h) = sa + delay + credit_delay
 *
 * A message of M flits takes D[R][M-1] + transit(R) - 1 and holds the link behind station h for
 * D[h][M-1] - D[h][0] + 1 cycles. If every buffer covers the loop of its credits the third line is
 * never the largest, and sums take the place of the recursion.
 *
 * Routers with a faster clock count their stages in ticks, floor(t s) of which are over when cycle
 * t begins (s: network.internal_speedup): D[h][k] of a router is then a tick. A flit takes its link
 * in the cycle after the one of its last tick, as far behind the flit before it as the width of the
 * link asks for, and nodes have buffers and credits like routers. How a message fares depends on
 * the cycle in which it starts: the mean over all phases of the two clocks counts. */
#include "models/router/router_paths.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

/* ---- kinds of messages ---- */

static void set_memory(const fc_requests *requests, fc_message_kinds *kinds) {
    double shares = 0, mean = 0, square = 0;
    for (size_t i = 0; i < requests->count; ++i) {
        const fc_request_type *type = &requests->types[i];
        shares += type->share;
        mean += type->share * type->memory_reply;
        square += type->share * type->memory_reply * type->memory_reply;
    }
    if (shares > 0) {
        kinds->memory = mean / shares;
        kinds->memory_variance = fmax(0, square / shares - kinds->memory * kinds->memory);
    }
}

fc_message_kinds fc_message_kinds_of(const fc_routed *routed) {
    const fc_classes classes = fc_classes_of(routed);
    fc_message_kinds kinds = {.count = classes.count, .ranked = classes.ranked};
    set_memory(&routed->requests, &kinds);
    for (size_t k = 0; k < classes.count; ++k) {
        const fc_class *class = &classes.list[k];
        kinds.lengths[k] = class->lengths;
        kinds.channels[k] = UINT64_MAX >> (63 - (class->last - class->first)) << class->first;
        kinds.rank[k] = class->rank;
    }
    for (size_t k = 0; k < kinds.count; ++k) {
        double shares = 0;
        for (size_t i = 0; i < kinds.lengths[k].count; ++i)
            shares += kinds.lengths[k].share[i];
        for (size_t i = 0; i < kinds.lengths[k].count; ++i) {
            const double flits = (double)kinds.lengths[k].flits[i];
            kinds.lengths[k].share[i] /= shares;
            kinds.mean[k] += kinds.lengths[k].share[i] * flits;
            kinds.square[k] += kinds.lengths[k].share[i] * flits * flits;
            if (kinds.lengths[k].flits[i] > kinds.longest)
                kinds.longest = kinds.lengths[k].flits[i];
        }
    }
    return kinds;
}

/* ---- one path ---- */

static inline int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t even_latency(const fc_routed *routed, const fc_path_link *hops, uint32_t routers,
                            int64_t flits, int64_t *scratch, int64_t *hold) {
    const int64_t *stage = routed->router_delay, buffer = routed->buffer;
    const int64_t header = stage[FC_STAGE_ROUTING] + stage[FC_STAGE_ALLOCATION];
    const int64_t sa = stage[FC_STAGE_SWITCH], through = sa + stage[FC_STAGE_CROSSING];
    const int64_t node_credit = larger(1, sa + routed->node_delay - 1);
    const size_t width = (size_t)routers + 1;
    for (int64_t k = 0; k < flits; ++k) {
        int64_t *now = scratch + (size_t)k * width;
        const int64_t *before = k ? now - width : NULL; /* of the flit ahead */
        const int64_t *freed = k >= buffer ? now - (size_t)buffer * width : NULL;
        for (uint32_t h = 0; h <= routers; ++h) {
            int64_t leaves = before ? before[h] + 1 : 0;
            if (h > 0) {
                const int64_t transit =
                    h > 1 ? through + (int64_t)hops[h - 2].delay : routed->node_delay;
                leaves = larger(leaves, now[h - 1] + transit + (k ? 0 : header));
            }
            if (freed && h < routers) {
                const int64_t credit =
                    h ? sa + (int64_t)hops[h - 1].delay + routed->credit_delay : node_credit;
                leaves = larger(leaves, freed[h + 1] + credit);
            }
            now[h] = leaves;
        }
    }
    const int64_t *last = scratch + (size_t)(flits - 1) * width;
    for (uint32_t h = 0; hold && h <= routers; ++h)
        hold[h] = last[h] - scratch[h] + 1;
    return last[routers] + through + (int64_t)hops[routers - 1].delay - 1;
}

/* ---- one path, two clocks ---- */

/* The first tick of a cycle. */
static int64_t tick_of(double speedup, int64_t cycle) {
    return speedup > 1 ? (int64_t)((double)cycle * speedup + 1e-6) : cycle;
}

/* The cycle in which something leaves a router that was granted in this tick and takes `delay`
 * ticks. */
static int64_t leaves(double speedup, int64_t tick, int64_t delay) {
    const int64_t over = tick + delay;
    int64_t cycle = (int64_t)((double)over / speedup);
    while (tick_of(speedup, cycle) < over)
        ++cycle;
    return cycle;
}

static int64_t paced_latency(const fc_routed *routed, const fc_path_link *hops, uint32_t routers,
                             fc_lone_message message, int64_t *scratch, int64_t *hold) {
    const int64_t flits = message.flits, start = message.start;
    const int64_t *stage = routed->router_delay, buffer = routed->buffer;
    const double s = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    const int64_t header = stage[FC_STAGE_ROUTING] + stage[FC_STAGE_ALLOCATION];
    const int64_t sa = stage[FC_STAGE_SWITCH], through = sa + stage[FC_STAGE_CROSSING];
    const size_t width = (size_t)routers + 2; /* the last: arrivals at the node */
    int64_t *next = scratch + width * (size_t)flits, *first = next + width;
    memset(next, 0, width * sizeof *next);
    for (int64_t k = 0; k < flits; ++k) {
        int64_t *now = scratch + (size_t)k * width;
        const int64_t *before = k ? now - width : NULL;
        const int64_t *freed = k >= buffer ? now - (size_t)buffer * width : NULL;
        int64_t arrives = start;
        for (uint32_t h = 0; h <= routers; ++h) {
            int64_t when = before ? before[h] + 1 : start;
            if (h > 0)
                when = larger(before ? when : 0, tick_of(s, arrives) + (k ? 0 : header));
            if (freed) {
                const int64_t back =
                    h == routers ? freed[h + 1] + routed->node_delay - 1 + routed->credit_delay
                    : h          ? leaves(s, freed[h + 1], sa) + (int64_t)hops[h - 1].delay +
                              routed->credit_delay
                        : larger(leaves(s, freed[1], sa) + routed->node_delay - 1,
                                 leaves(s, freed[1], 1));
                when = larger(when, h ? tick_of(s, back) : back);
            }
            now[h] = when;
            arrives = when + routed->node_delay;
            if (h > 0) {
                const int64_t one = (int64_t)1 << FC_LINK_BITS;
                const int64_t due = (leaves(s, when, through) + (int64_t)hops[h - 1].delay) * one;
                const int64_t taken = larger(due, next[h]);
                arrives = (taken + one - 1) >> FC_LINK_BITS;
                next[h] = taken + (hops[h - 1].interval ? (int64_t)hops[h - 1].interval : one);
            }
            if (k == 0)
                first[h] = when;
            if (hold)
                hold[h] = when - first[h] + 1;
        }
        now[routers + 1] = arrives;
    }
    return scratch[(size_t)(flits - 1) * width + routers + 1] - start - 1;
}

static bool is_paced(const fc_routed *routed) {
    return routed->internal_speedup > 1 || routed->widths_differ;
}

int64_t fc_path_latency(const fc_routed *routed, const fc_path_link *hops, uint32_t routers,
                        fc_lone_message message, int64_t *scratch, int64_t *hold) {
    return is_paced(routed) ? paced_latency(routed, hops, routers, message, scratch, hold)
                            : even_latency(routed, hops, routers, message.flits, scratch, hold);
}

/* Cycles after which the clocks of routers and links are in the same phase again, or enough of them
 * for a mean. */
static int64_t phases_of(double speedup) {
    enum { MOST = 32 };
    int64_t count = 1;
    while (count < MOST &&
           fabs((double)count * speedup - floor((double)count * speedup + 0.5)) > 1e-6)
        ++count;
    return count;
}

/* ---- all paths ---- */

fc_status fc_paths_create(const fc_routed *routed, const fc_message_kinds *kinds, bool equal_delays,
                          uint32_t longest_link, fc_error *error, fc_paths **paths) {
    fc_paths *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    const int64_t *stage = routed->router_delay;
    const int64_t loop = 2 * stage[FC_STAGE_SWITCH] + stage[FC_STAGE_CROSSING] +
                         2 * (int64_t)longest_link + routed->credit_delay;
    const int64_t node =
        routed->node_delay + larger(1, stage[FC_STAGE_SWITCH] + routed->node_delay - 1);
    made->routed = routed;
    made->kinds = kinds;
    made->equal_delays = equal_delays;
    made->paced = is_paced(routed);
    made->tight =
        made->paced || (kinds->longest > routed->buffer && larger(loop, node) > routed->buffer);
    *paths = made;
    return FC_OK;
}

void fc_paths_free(fc_paths *paths) {
    if (!paths)
        return;
    fc_release(paths->list);
    fc_release(paths->slot);
    fc_release(paths->hold);
    fc_release(paths->scratch);
    fc_release(paths);
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t hash_of(fc_path_key key) {
    return mix(mix(key.order, key.routers), key.delay);
}

fc_path_key fc_path_key_before(const fc_paths *paths, fc_path_key rest, fc_path_link hop) {
    const bool ordered = paths->tight && !paths->equal_delays;
    return (fc_path_key){rest.routers + 1, rest.delay + hop.delay,
                         ordered ? mix(rest.order + 1, hop.delay | (uint64_t)hop.interval << 32)
                                 : 0};
}

static bool grow(fc_paths *paths) {
    const size_t room = paths->room ? 2 * paths->room : 16;
    fc_path *list = fc_reallocate(paths->list, room, sizeof *list);
    if (!list)
        return false;
    paths->list = list;
    uint32_t *slot = fc_allocate(2 * room, sizeof *slot);
    if (!slot)
        return false;
    fc_release(paths->slot);
    paths->slot = slot;
    paths->room = room;
    for (size_t i = 0; i < paths->count; ++i) {
        size_t at = hash_of(paths->list[i].key) & (2 * room - 1);
        while (slot[at])
            at = (at + 1) & (2 * room - 1);
        slot[at] = (uint32_t)i + 1;
    }
    return true;
}

/* The sums that hold where credits never hold a message back. */
static void time_plainly(const fc_paths *paths, fc_path *path) {
    const fc_routed *routed = paths->routed;
    const fc_message_kinds *kinds = paths->kinds;
    int64_t router = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        router += routed->router_delay[stage];
    const double header = (double)(routed->node_delay + router * (int64_t)path->key.routers +
                                   (int64_t)path->key.delay - 1);
    path->header = header;
    for (size_t k = 0; k < kinds->count; ++k) {
        path->latency[k] = header + kinds->mean[k] - 1;
        path->source[k] = kinds->mean[k];
        path->source_square[k] = kinds->square[k];
    }
}

static bool make_room(fc_paths *paths, size_t stations, size_t holds) {
    const size_t scratch = (stations + 1) * ((size_t)paths->kinds->longest + 3);
    if (scratch > paths->scratch_room) {
        int64_t *grown = fc_reallocate(paths->scratch, scratch, sizeof *grown);
        if (!grown)
            return false;
        paths->scratch = grown;
        paths->scratch_room = scratch;
    }
    if (paths->hold_count + holds > paths->hold_room) {
        const size_t room = 2 * (paths->hold_count + holds);
        double *grown = fc_reallocate(paths->hold, room, sizeof *grown);
        if (!grown)
            return false;
        paths->hold = grown;
        paths->hold_room = room;
    }
    return true;
}

/* Adds what a message of this kind and length takes, as `share` of its kind, and for how long it
 * holds each link. */
static void add_length(const fc_paths *paths, const fc_path_link *hops, size_t kind,
                       fc_lone_message message, double share, fc_path *path) {
    const size_t stations = (size_t)path->key.routers + 1;
    int64_t *hold = paths->scratch + (stations + 1) * ((size_t)paths->kinds->longest + 2);
    double *means = paths->hold + path->hold + kind * stations;
    const int64_t latency =
        fc_path_latency(paths->routed, hops, path->key.routers, message, paths->scratch, hold);
    path->latency[kind] += share * (double)latency;
    path->source[kind] += share * (double)hold[0];
    path->source_square[kind] += share * (double)hold[0] * (double)hold[0];
    /* the virtual channel is held, in ticks of the router */
    const double tick = paths->paced ? 1 / fmax(1, paths->routed->internal_speedup) : 1;
    for (size_t h = 0; h < stations; ++h)
        means[h] += share * (double)hold[h] * (h ? tick : 1);
}

static bool time_exactly(fc_paths *paths, const fc_path_link *hops, fc_path *path) {
    const fc_message_kinds *kinds = paths->kinds;
    const size_t stations = (size_t)path->key.routers + 1;
    if (!make_room(paths, stations, kinds->count * stations))
        return false;
    path->hold = paths->hold_count;
    paths->hold_count += kinds->count * stations;
    memset(paths->hold + path->hold, 0, kinds->count * stations * sizeof *paths->hold);
    const int64_t phases = paths->paced ? phases_of(paths->routed->internal_speedup) : 1;
    for (int64_t phase = 0; phase < phases; ++phase) {
        for (size_t k = 0; k < kinds->count; ++k) {
            for (size_t i = 0; i < kinds->lengths[k].count; ++i)
                add_length(paths, hops, k, (fc_lone_message){kinds->lengths[k].flits[i], phase},
                           kinds->lengths[k].share[i] / (double)phases, path);
        }
        path->header += (double)fc_path_latency(paths->routed, hops, path->key.routers,
                                                (fc_lone_message){1, phase}, paths->scratch, NULL) /
                        (double)phases;
    }
    return true;
}

static bool is_key(fc_path_key a, fc_path_key b) {
    return a.routers == b.routers && a.delay == b.delay && a.order == b.order;
}

size_t fc_paths_find(const fc_paths *paths, fc_path_key key) {
    if (!paths->room)
        return SIZE_MAX;
    const size_t last = 2 * paths->room - 1;
    for (size_t at = hash_of(key) & last; paths->slot[at]; at = (at + 1) & last) {
        if (is_key(paths->list[paths->slot[at] - 1].key, key))
            return paths->slot[at] - 1;
    }
    return SIZE_MAX;
}

size_t fc_paths_add(fc_paths *paths, fc_path_key key, const fc_path_link *hops) {
    if (paths->count == paths->room && !grow(paths))
        return SIZE_MAX;
    fc_path path = {.key = key};
    if (!paths->tight)
        time_plainly(paths, &path);
    else if (!time_exactly(paths, hops, &path))
        return SIZE_MAX;
    const size_t last = 2 * paths->room - 1;
    size_t at = hash_of(key) & last;
    while (paths->slot[at])
        at = (at + 1) & last;
    paths->list[paths->count] = path;
    paths->slot[at] = (uint32_t)++paths->count;
    return paths->count - 1;
}

double fc_path_hold(const fc_paths *paths, const fc_path *path, size_t kind, uint32_t at) {
    if (!paths->tight)
        return paths->kinds->mean[kind];
    return paths->hold[path->hold + kind * ((size_t)path->key.routers + 1) + at];
}

fc_alone fc_paths_mean(const fc_paths *paths) {
    fc_alone mean = {0};
    double weights = 0;
    for (size_t i = 0; i < paths->count; ++i) {
        const fc_path *path = &paths->list[i];
        for (size_t k = 0; k < paths->kinds->count; ++k) {
            const double weight = path->weight[k];
            weights += weight;
            mean.latency += weight * path->latency[k];
            mean.source += weight * path->source[k];
            mean.source_square += weight * path->source_square[k];
            mean.header += weight * path->header;
            mean.flits += weight * paths->kinds->mean[k];
            mean.routers += weight * path->key.routers;
        }
    }
    if (weights > 0) {
        mean.latency /= weights;
        mean.source /= weights;
        mean.source_square /= weights;
        mean.header /= weights;
        mean.flits /= weights;
        mean.routers /= weights;
        mean.rate = weights;
    }
    return mean;
}
