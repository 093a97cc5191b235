/* Hierarchical slotted rings of any number of levels. Level 0 are the local rings with the
 * stations; the last level is the one global ring. With one level that ring has the stations
 * itself.
 *
 * A ring below another has a link more than stations (or rings) on it: position 0 is the crossing
 * to the ring above, 1.. are its stations or the crossings to the rings below. The global ring has
 * no crossing up: 0.. are what is on it. */
#ifndef FC_SCENARIO_RINGS_H
#define FC_SCENARIO_RINGS_H

#include "scenario/hot_share.h"
#include "scenario/traffic.h"

enum { FC_RING_LEVELS = 8, FC_RING_SLOTS_MAX = 4 };

/* Rings of unequal sizes: how many stations or rings are on each, level by level, in the order of
 * their stations. */
typedef struct fc_ring_tree {
    size_t levels; /* 0: not given, rings of one level are alike */
    size_t counts[FC_RING_LEVELS];
    uint32_t *fans[FC_RING_LEVELS];
} fc_ring_tree;

/* Closed traffic: reads and writes of the memories of other stations. */
typedef struct fc_ring_requests {
    int64_t outstanding;  /* of a station */
    double think_time;    /* mean cycles of processing before a request */
    double reads;         /* share of the requests; the others write */
    int64_t memory_reply; /* cycles from a read's arrival until its data are sent */
    int64_t memory_busy;  /* cycles from a request's arrival in which others are refused */
    int64_t retry;        /* cycles from a refusal until the request is sent again */
} fc_ring_requests;

typedef struct fc_rings {
    int topology, kind;
    /* from the stations of a local ring up; the last (G) may be fractional for models */
    fc_number_list sizes;
    fc_ring_tree tree;
    fc_integer_list slots; /* of a link of each level; count 0: one */
    int64_t queue;         /* packets that a crossing's queue holds, or FC_INFINITE */
    fc_hot_share hot;
    double rate;               /* open: packets per station per cycle */
    fc_ring_requests requests; /* closed */
    fc_number_list locality;   /* [P] or [P_L, P_M], ... as given; count 0: uniform */
    /* derived */
    size_t levels;
    double stations;
    double
        below[FC_RING_LEVELS]; /* stations on a ring and on those below it; the mean of a tree's */
    double shares[FC_RING_LEVELS]; /* of the packets, those whose highest ring is of this level; the
                                      mean of a tree's stations; without those to the hot one */
} fc_rings;

extern const fc_family fc_rings_family;

/* Whether all rings of a level carry the same, and all links of a ring. */
static inline bool fc_rings_are_alike(const fc_rings *rings) {
    return rings->tree.levels == 0 && !(rings->hot.share > 0);
}

/* Slots side by side on a link. */
static inline double fc_ring_slots(const fc_rings *rings, size_t level) {
    return rings->slots.count > 0 ? (double)rings->slots.values[level] : 1;
}

/* Share of the packets of a station that get to its ring of this level. */
static inline double fc_rings_reaching(const fc_rings *rings, size_t level) {
    double share = level == 0 ? 1 : 0;
    for (size_t above = level; level > 0 && above < rings->levels; ++above)
        share += rings->shares[above];
    return share;
}

/* Share of the slots of a ring of this level that are full, if all are alike: a packet travels half
 * of the links of every ring that it is on. */
static inline double fc_rings_use(const fc_rings *rings, size_t level, double rate) {
    return 0.5 * rings->below[level] * rate *
           (2.0 * fc_rings_reaching(rings, level) - rings->shares[level]) /
           fc_ring_slots(rings, level);
}

/* "local", "middle", "level 3", "global": which rings are of this level. */
const char *fc_ring_level_name(size_t levels, size_t level);

/* ---- as a simulator sees them: whole numbers ---- */

/* How many rings are of the level. */
static inline size_t fc_ring_count(const fc_rings *rings, size_t level) {
    if (rings->tree.levels > 0)
        return rings->tree.counts[level];
    size_t count = 1;
    for (size_t above = level + 1; above < rings->levels; ++above)
        count *= (size_t)rings->sizes.values[above];
    return count;
}

/* What is on one of them. */
static inline uint32_t fc_ring_fan(const fc_rings *rings, size_t level, size_t index) {
    return rings->tree.levels > 0 ? rings->tree.fans[level][index]
                                  : (uint32_t)rings->sizes.values[level];
}

/* Position of the first of them. */
static inline uint32_t fc_ring_first(const fc_rings *rings, size_t level) {
    return level + 1 < rings->levels ? 1 : 0;
}

#endif
