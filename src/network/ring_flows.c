/* What a ring carries follows from what is on it. For everything on a ring (a station, or a ring
 * below with all its stations) are counted, from the stations up: its stations n, the packets per
 * cycle that they send to ordinary destinations, and those they send to the hot station. On the way
 * down follows what comes from above. Of the ordinary packets of i those that turn round on this
 * ring, t(i), go to the others on it in proportion to their stations: t(i) n(j) / (n - n(i)).
 *
 * The load of a link is what passes the node behind it and what enters there. That of the last link
 * of a ring, into position 0, is counted: of the packets from i to j on it, those with j before i
 * cross it. */
#include "network/ring_flows.h"

#include <math.h>
#include "base/memory.h"

typedef struct member { /* on a ring: a station, or a ring below with all that is below it */
    double stations;
    double sent;     /* ordinary packets per cycle of its stations */
    double to_hot;   /* packets per cycle of its stations to the hot one */
    double received; /* a ring: ordinary packets per cycle from the ring above */
    bool hot;        /* it is, or holds, the hot station */
} member;

typedef struct work {
    const fc_rings *rings;
    double to_hot;                   /* of all stations together */
    member *members[FC_RING_LEVELS]; /* the rings of each level */
    fc_ring_flows *flows;
} work;

static member station_at(const work *w, size_t station, double rate) {
    const fc_hot_share *hot = &w->rings->hot;
    const bool is_hot = hot->share > 0 && (int64_t)station == hot->node;
    const double share = is_hot ? 0 : hot->share;
    return (member){1, rate * (1 - share), rate * share, 0, is_hot};
}

/* The i-th on a ring, whose first is `first` among all of the level below. */
static member member_at(const work *w, size_t level, size_t first, size_t i, double rate) {
    return level == 0 ? station_at(w, first + i, rate) : w->members[level - 1][first + i];
}

static void gather(work *w, double rate) {
    for (size_t level = 0; level < w->rings->levels; ++level) {
        const size_t count = fc_ring_count(w->rings, level);
        size_t first = 0;
        for (size_t ring = 0; ring < count; ++ring) {
            const uint32_t fan = fc_ring_fan(w->rings, level, ring);
            member *sum = &w->members[level][ring];
            for (uint32_t i = 0; i < fan; ++i) {
                const member one = member_at(w, level, first, i, rate);
                sum->stations += one.stations;
                sum->sent += one.sent;
                sum->to_hot += one.to_hot;
                sum->hot |= one.hot;
            }
            first += fan;
        }
    }
    w->to_hot = w->members[w->rings->levels - 1][0].to_hot;
}

/* Of what a member sends to ordinary destinations: what turns round on a ring with so many
 * stations, and what goes further up. */
static void split(const work *w, size_t level, const member *one, double all, double *turning,
                  double *up) {
    const fc_rings *rings = w->rings;
    if (rings->locality.count > 0) {
        *turning = one->sent * rings->shares[level];
        *up = level + 1 < rings->levels ? one->sent * fc_rings_reaching(rings, level + 1) : 0;
    } else {
        const double each = one->sent / (rings->stations - 1);
        *turning = each * (all - one->stations);
        *up = each * (rings->stations - all);
    }
    if (!(all > one->stations))
        *turning = 0;
}

typedef struct ring_sums {
    double per_station; /* sum over members of t(i) / (n - n(i)) */
    double up;          /* ordinary packets to the crossing */
    double hot_in;      /* to the hot one on this ring, from the others and from above */
    double wrapping;    /* on the last link */
} ring_sums;

static ring_sums sum_up(const work *w, size_t level, size_t ring, size_t first, double rate) {
    const member *here = &w->members[level][ring];
    const uint32_t fan = fc_ring_fan(w->rings, level, ring);
    ring_sums sums = {0};
    double before = 0; /* stations */
    bool past_hot = false;
    for (uint32_t i = 0; i < fan; ++i) {
        const member one = member_at(w, level, first, i, rate);
        double turning, up;
        split(w, level, &one, here->stations, &turning, &up);
        const double each = turning > 0 ? turning / (here->stations - one.stations) : 0;
        sums.per_station += each;
        sums.up += up;
        sums.wrapping += each * before + up;
        if (!here->hot || past_hot)
            sums.wrapping += one.to_hot;
        if (here->hot && !one.hot)
            sums.hot_in += one.to_hot;
        before += one.stations;
        past_hot |= one.hot;
    }
    if (here->hot)
        sums.hot_in += w->to_hot - here->to_hot;
    return sums;
}

/* Fills the flows of a ring's nodes, and what its members receive. */
static void fill_ring(work *w, size_t level, size_t ring, size_t first, double rate,
                      fc_ring_flow *node) {
    const member *here = &w->members[level][ring];
    const uint32_t fan = fc_ring_fan(w->rings, level, ring);
    const ring_sums sums = sum_up(w, level, ring, first, rate);
    const double from_above = here->received;
    double load = sums.wrapping;
    if (fc_ring_first(w->rings, level) == 1) {
        node->inserted = from_above + (here->hot ? w->to_hot - here->to_hot : 0);
        load += node->inserted - sums.up - (here->hot ? 0 : here->to_hot);
        (node++)->load = fmax(0, load);
    }
    for (uint32_t i = 0; i < fan; ++i, ++node) {
        const member one = member_at(w, level, first, i, rate);
        double turning, up;
        split(w, level, &one, here->stations, &turning, &up);
        const double each = turning > 0 ? turning / (here->stations - one.stations) : 0;
        const double taken = one.stations * (sums.per_station - each + from_above / here->stations);
        node->inserted = turning + up + (one.hot ? 0 : one.to_hot);
        load += node->inserted - taken - (one.hot ? sums.hot_in : 0);
        node->load = fmax(0, load);
        if (level > 0)
            w->members[level - 1][first + i].received = taken;
    }
}

static void fill(work *w, double rate) {
    const fc_rings *rings = w->rings;
    fc_ring_flow *end = w->flows->nodes + w->flows->count;
    double sum = 0;
    for (size_t level = rings->levels; level-- > 0;) {
        const size_t count = fc_ring_count(rings, level);
        size_t nodes = 0, first = 0;
        for (size_t ring = 0; ring < count; ++ring)
            nodes += fc_ring_fan(rings, level, ring) + fc_ring_first(rings, level);
        fc_ring_flow *node = end -= nodes;
        for (size_t ring = 0; ring < count; ++ring) {
            const uint32_t fan = fc_ring_fan(rings, level, ring);
            fill_ring(w, level, ring, first, rate, node);
            node += fan + fc_ring_first(rings, level);
            first += fan;
        }
        for (size_t i = 0; i < nodes; ++i) {
            sum += end[i].load;
            w->flows->busiest[level] =
                fmax(w->flows->busiest[level], end[i].load / fc_ring_slots(rings, level));
        }
    }
    w->flows->travel = sum / (rings->stations * rate);
}

fc_status fc_ring_flows_create(const fc_rings *rings, double rate, fc_error *error,
                               fc_ring_flows *flows) {
    work w = {.rings = rings, .flows = flows};
    *flows = (fc_ring_flows){0};
    bool enough = true;
    for (size_t level = 0; level < rings->levels; ++level) {
        const size_t count = fc_ring_count(rings, level);
        w.members[level] = fc_allocate(count, sizeof(member));
        enough &= w.members[level] != NULL;
        for (size_t ring = 0; ring < count; ++ring)
            flows->count += fc_ring_fan(rings, level, ring) + fc_ring_first(rings, level);
    }
    flows->nodes = fc_allocate(flows->count, sizeof *flows->nodes);
    enough &= flows->nodes != NULL;
    if (enough) {
        gather(&w, rate);
        fill(&w, rate);
    }
    for (size_t level = 0; level < rings->levels; ++level)
        fc_release(w.members[level]);
    if (enough)
        return FC_OK;
    fc_ring_flows_free(flows);
    return fc_fail_memory(error);
}

void fc_ring_flows_free(fc_ring_flows *flows) {
    fc_release(flows->nodes);
    flows->nodes = NULL;
}
