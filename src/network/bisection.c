#include "network/bisection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/random.h"

/* ---- products ---- */

static int descending(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left < right) - (left > right);
}

double fc_bisection_of_lines(const int64_t *sides, size_t count) {
    int64_t sorted[FC_LIST_MAX];
    double rest = 1, cut = 0;
    for (size_t i = 0; i < count; ++i) {
        sorted[i] = sides[i];
        rest *= (double)sides[i];
    }
    qsort(sorted, count, sizeof *sorted, descending);
    /* across the longest side; of an odd one the middle layer is halved in turn */
    for (size_t i = 0; i < count; ++i) {
        rest /= (double)sorted[i];
        cut += rest;
        if (sorted[i] % 2 == 0)
            break;
    }
    return cut;
}

/* Across dimension `first` of those left, and the middle layer of an odd one in turn. */
static double cut_cliques(const int64_t *sides, const int64_t *trunks, size_t count, uint32_t left,
                          double routers) {
    double best = INFINITY;
    for (size_t d = 0; d < count; ++d) {
        if (!(left >> d & 1))
            continue;
        const int64_t low = sides[d] / 2, high = sides[d] - low;
        double cut = routers / (double)sides[d] * (double)(trunks[d] * low * high);
        if (low != high && left != 1u << d)
            cut += cut_cliques(sides, trunks, count, left & ~(1u << d), routers / (double)sides[d]);
        best = fmin(best, cut);
    }
    return best;
}

double fc_bisection_of_cliques(const int64_t *sides, const int64_t *trunks, size_t count,
                               bool *exact) {
    enum { DIMENSIONS_MOST = 8 }; /* the search looks at all orders */
    double routers = 1, connectivity = INFINITY;
    bool alike = true;
    *exact = false;
    if (count > DIMENSIONS_MOST)
        return (double)NAN;
    for (size_t d = 0; d < count; ++d) {
        routers *= (double)sides[d];
        connectivity = fmin(connectivity, (double)(sides[d] * trunks[d]));
        alike &= sides[d] == sides[0] && trunks[d] == trunks[0];
    }
    const double cut = cut_cliques(sides, trunks, count, (1u << count) - 1, routers);
    /* no halving cuts less than the second eigenvalue of the Laplacian allows (Fiedler) */
    *exact = alike || cut <= connectivity * routers / 4 * (1 + 1e-12);
    return cut;
}

/* ---- any graph ---- */

typedef struct neighbour {
    uint32_t router;
    double width; /* of both directions, halved */
} neighbour;

/* A router that may move, in a heap with the largest gain first. */
typedef struct mover {
    double gain;
    uint32_t router;
} mover;

typedef struct search {
    const fc_halving *graph;
    uint32_t *first; /* routers + 1: of its neighbours */
    neighbour *neighbours;
    uint8_t *side, *best_side;
    bool *moved;
    double *gain; /* of moving a router: by how much the cut falls */
    uint32_t *order;
    mover *heap;
    size_t heap_count, heap_room;
    int64_t total, least; /* nodes; how far apart the halves are at least */
    int64_t slack;        /* how much further apart they may be on the way */
    double best;
} search;

static void release(search *s) {
    fc_release(s->first);
    fc_release(s->neighbours);
    fc_release(s->side);
    fc_release(s->best_side);
    fc_release(s->moved);
    fc_release(s->gain);
    fc_release(s->order);
    fc_release(s->heap);
}

static bool prepare(search *s) {
    const fc_halving *graph = s->graph;
    const size_t routers = graph->routers, links = graph->link_count;
    s->first = fc_allocate(routers + 2, sizeof *s->first);
    s->neighbours = fc_allocate(2 * links + 1, sizeof *s->neighbours);
    s->side = fc_allocate(routers, 1);
    s->best_side = fc_allocate(routers, 1);
    s->moved = fc_allocate(routers, sizeof *s->moved);
    s->gain = fc_allocate(routers, sizeof *s->gain);
    s->order = fc_allocate(routers, sizeof *s->order);
    s->heap_room = routers + 2 * links + 1;
    s->heap = fc_allocate(s->heap_room, sizeof *s->heap);
    if (!s->first || !s->neighbours || !s->side || !s->best_side || !s->moved || !s->gain ||
        !s->order || !s->heap)
        return false;
    for (size_t l = 0; l < links; ++l) {
        ++s->first[graph->links[l].from + 2];
        ++s->first[graph->links[l].to + 2];
    }
    for (size_t r = 2; r <= routers + 1; ++r)
        s->first[r] += s->first[r - 1];
    for (size_t l = 0; l < links; ++l) {
        const fc_halving_link *link = &graph->links[l];
        s->neighbours[s->first[link->from + 1]++] = (neighbour){link->to, link->width / 2};
        s->neighbours[s->first[link->to + 1]++] = (neighbour){link->from, link->width / 2};
    }
    return true;
}

/* ---- a heap of moves; gains that are out of date stay in it and are dropped when they come up */

static void push(search *s, uint32_t router) {
    if (s->heap_count == s->heap_room)
        return; /* more than a pass can ask for */
    size_t at = s->heap_count++;
    const mover added = {s->gain[router], router};
    for (; at > 0 && s->heap[(at - 1) / 2].gain < added.gain; at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = added;
}

static mover pop(search *s) {
    const mover top = s->heap[0], last = s->heap[--s->heap_count];
    size_t at = 0;
    for (;;) {
        size_t below = 2 * at + 1;
        if (below + 1 < s->heap_count && s->heap[below + 1].gain > s->heap[below].gain)
            ++below;
        if (below >= s->heap_count || s->heap[below].gain <= last.gain)
            break;
        s->heap[at] = s->heap[below];
        at = below;
    }
    s->heap[at] = last;
    return top;
}

/* ---- one pass: every router moves once, and the best of all states is kept */

static int64_t difference_of(const search *s) {
    int64_t difference = s->total;
    for (uint32_t r = 0; r < s->graph->routers; ++r)
        difference -= s->side[r] ? 2 * (int64_t)s->graph->nodes[r] : 0;
    return difference; /* nodes of side 0, less those of side 1 */
}

static double cut_of(const search *s) {
    double there = 0, back = 0;
    for (size_t l = 0; l < s->graph->link_count; ++l) {
        const fc_halving_link *link = &s->graph->links[l];
        if (s->side[link->from] != s->side[link->to])
            *(s->side[link->from] ? &back : &there) += link->width;
    }
    return fmin(there, back);
}

static void keep_if_best(search *s) {
    const double cut = cut_of(s);
    if (cut < s->best - 1e-9) {
        s->best = cut;
        memcpy(s->best_side, s->side, s->graph->routers);
    }
}

static void begin_pass(search *s) {
    s->heap_count = 0;
    memset(s->moved, 0, s->graph->routers * sizeof *s->moved);
    for (uint32_t r = 0; r < s->graph->routers; ++r) {
        s->gain[r] = 0;
        for (uint32_t n = s->first[r]; n < s->first[r + 1]; ++n)
            s->gain[r] += s->side[s->neighbours[n].router] == s->side[r] ? -s->neighbours[n].width
                                                                         : s->neighbours[n].width;
        push(s, r);
    }
}

static void move(search *s, uint32_t router) {
    s->moved[router] = true;
    s->side[router] ^= 1;
    for (uint32_t n = s->first[router]; n < s->first[router + 1]; ++n) {
        const neighbour *other = &s->neighbours[n];
        if (s->moved[other->router] || other->router == router)
            continue;
        s->gain[other->router] +=
            s->side[other->router] == s->side[router] ? -2 * other->width : 2 * other->width;
        push(s, other->router);
    }
}

/* The move of the largest gain that keeps the halves near enough; UINT32_MAX: none is left. Those
 * that would not are put back. */
static uint32_t choose(search *s, int64_t difference) {
    enum { ASIDE_MOST = 64 };
    uint32_t aside[ASIDE_MOST], found = UINT32_MAX;
    size_t count = 0;
    while (s->heap_count && found == UINT32_MAX && count < ASIDE_MOST) {
        const mover top = pop(s);
        if (s->moved[top.router] || top.gain != s->gain[top.router])
            continue;
        const int64_t nodes = s->graph->nodes[top.router];
        const int64_t after = difference + (s->side[top.router] ? 2 * nodes : -2 * nodes);
        if (llabs(after) <= s->least + s->slack)
            found = top.router;
        else
            aside[count++] = top.router;
    }
    while (count > 0)
        push(s, aside[--count]);
    return found;
}

/* Returns whether the pass led to a better halving, from which the next one begins. */
static bool pass(search *s) {
    const uint32_t routers = s->graph->routers;
    double gained = 0, most = 1e-9;
    uint32_t moves = 0, kept = 0;
    begin_pass(s);
    int64_t difference = difference_of(s);
    for (uint32_t chosen; moves < routers && (chosen = choose(s, difference)) != UINT32_MAX;) {
        const int64_t nodes = s->graph->nodes[chosen];
        gained += s->gain[chosen];
        difference += s->side[chosen] ? 2 * nodes : -2 * nodes;
        move(s, chosen);
        s->order[moves++] = chosen;
        if (llabs(difference) <= s->least && gained > most) {
            most = gained;
            kept = moves;
        }
    }
    while (moves > kept)
        s->side[s->order[--moves]] ^= 1;
    return kept > 0;
}

/* ---- where to begin */

enum { STARTS = 8 };

/* Routers in an order: by number, in steps, outwards from one, or at random. */
static void make_order(search *s, int start) {
    const uint32_t routers = s->graph->routers;
    uint32_t used = 0;
    if (start == 1 || start == 2) { /* outwards from the first or from the last router */
        memset(s->moved, 0, routers * sizeof *s->moved);
        for (uint32_t root = 0; root < routers; ++root) {
            const uint32_t from = start == 1 ? root : routers - 1 - root;
            if (s->moved[from])
                continue;
            s->moved[from] = true;
            s->order[used] = from;
            for (uint32_t next = used++; next < used; ++next) {
                const uint32_t r = s->order[next];
                for (uint32_t n = s->first[r]; n < s->first[r + 1]; ++n) {
                    const uint32_t other = s->neighbours[n].router;
                    if (!s->moved[other])
                        s->order[used++] = other;
                    s->moved[other] = true;
                }
            }
        }
        return;
    }
    for (uint32_t r = 0; r < routers; ++r)
        s->order[r] = start == 3 ? (r % 2 ? routers / 2 + (routers & 1) + r / 2 : r / 2) : r;
    if (start == 3 || start == 0)
        return;
    fc_random random = fc_random_stream((uint64_t)start, 0, 0);
    for (uint32_t r = routers; r > 1; --r) {
        const uint32_t other = fc_random_below(&random, r), last = s->order[r - 1];
        s->order[r - 1] = s->order[other];
        s->order[other] = last;
    }
}

/* Nodes go to side 1 in the order until half of them are there. */
static void divide(search *s) {
    const uint32_t routers = s->graph->routers;
    int64_t difference = s->total;
    memset(s->side, 0, routers);
    for (uint32_t i = 0; i < routers; ++i) {
        const int64_t nodes = s->graph->nodes[s->order[i]];
        if (llabs(difference - 2 * nodes) > llabs(difference))
            continue;
        difference -= 2 * nodes;
        s->side[s->order[i]] = 1;
        if (difference <= 0)
            break;
    }
}

fc_status fc_bisection_search(const fc_halving *graph, double *cut) {
    enum { PASSES_MOST = 32 };
    search s = {.graph = graph, .best = INFINITY};
    uint32_t with_nodes = 0;
    *cut = NAN;
    for (uint32_t r = 0; r < graph->routers; ++r) {
        s.total += graph->nodes[r];
        with_nodes += graph->nodes[r] > 0;
        s.slack = graph->nodes[r] > s.slack ? graph->nodes[r] : s.slack;
    }
    if (with_nodes < 2)
        return FC_OK;
    if (!prepare(&s)) {
        release(&s);
        return FC_ERROR_MEMORY;
    }
    s.slack *= 2;
    s.least = s.total;
    for (int start = 0; start < STARTS; ++start) { /* how near the halves can be */
        make_order(&s, start);
        divide(&s);
        s.least = llabs(difference_of(&s)) < s.least ? llabs(difference_of(&s)) : s.least;
    }
    for (int start = 0; start < STARTS; ++start) {
        make_order(&s, start);
        divide(&s);
        if (llabs(difference_of(&s)) > s.least)
            continue;
        keep_if_best(&s);
        for (int p = 0; p < PASSES_MOST && pass(&s); ++p)
            keep_if_best(&s);
    }
    *cut = s.best;
    release(&s);
    return FC_OK;
}
