/* Found by colour refinement (Weisfeiler and Leman). Two lanes have one colour if they carry the
 * same, and those that they send to and hear from have pairwise one colour, and so on: as long as
 * the number of colours grows. Then all unknowns of the solver are the same for lanes of one
 * colour.
 *
 * A colour is a hash; the colours of neighbours are summed, so that their order does not matter.
 * Rates count with 32 binary digits: sums in another order differ by less. */
#include "models/router/router_alike.h"

#include <string.h>
#include "base/memory.h"

typedef uint64_t colour;

static colour mix(colour a, colour b) {
    colour x = a + 0x9e3779b97f4a7c15U * (b + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static colour of_numbers(const double *values, size_t count, colour from) {
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        from = mix(from, (bits + 0x80000) >> 20);
    }
    return from;
}

/* ---- numbers of colours ---- */

/* In the order in which they are first seen. */
typedef struct colour_table {
    colour *keys;
    uint32_t *numbers; /* 1 + number; 0: free */
    uint32_t mask, used;
} colour_table;

static bool table_create(uint32_t count, colour_table *table) {
    uint32_t room = 16;
    while (room < 2 * count)
        room *= 2;
    *table = (colour_table){.keys = fc_allocate(room, sizeof(colour)),
                            .numbers = fc_allocate(room, sizeof(uint32_t)),
                            .mask = room - 1};
    return table->keys && table->numbers;
}

static void table_clear(colour_table *table) {
    memset(table->numbers, 0, ((size_t)table->mask + 1) * sizeof *table->numbers);
    table->used = 0;
}

static uint32_t number_of(colour_table *table, colour key) {
    uint32_t at = (uint32_t)(key >> 20) & table->mask;
    while (table->numbers[at] && table->keys[at] != key)
        at = (at + 1) & table->mask;
    if (!table->numbers[at]) {
        table->keys[at] = key;
        table->numbers[at] = ++table->used;
    }
    return table->numbers[at] - 1;
}

/* ---- refinement ---- */

typedef struct painting {
    const fc_router_flows *flows;
    colour *lanes, *links, *next, *movements;
    uint32_t *pair_of; /* of each movement: the pair of links that it joins */
    colour *pairs;
    uint32_t pair_count;
    colour_table table; /* of lanes, of links, of movements */
} painting;

static void painting_release(painting *p) {
    fc_release(p->lanes);
    fc_release(p->links);
    fc_release(p->next);
    fc_release(p->movements);
    fc_release(p->pair_of);
    fc_release(p->pairs);
    fc_release(p->table.keys);
    fc_release(p->table.numbers);
}

static bool painting_create(const fc_router_flows *flows, painting *p) {
    const uint32_t lanes = flows->lane_count, movements = flows->movement_count;
    *p = (painting){.flows = flows,
                    .lanes = fc_allocate(lanes, sizeof(colour)),
                    .links = fc_allocate(flows->link_count, sizeof(colour)),
                    .next = fc_allocate(lanes, sizeof(colour)),
                    .movements = fc_allocate(movements, sizeof(colour)),
                    .pair_of = fc_allocate(movements, sizeof(uint32_t)),
                    .pairs = fc_allocate(movements, sizeof(colour))};
    const uint32_t most = lanes > movements ? lanes : movements;
    return table_create(most > flows->link_count ? most : flows->link_count, &p->table) &&
           p->lanes && p->links && p->next && p->movements && p->pair_of && p->pairs;
}

/* What the solver reads of the channels of a lane. masks: which ones they are, too: this tells all
 * lanes of a link apart. */
static colour of_channels(const fc_router_flows *flows, const fc_lane *lane, bool masks) {
    const int escapes = __builtin_popcountll(lane->mask & flows->escapes);
    const colour kind = mix(lane->channels, (colour)escapes);
    colour kinds = 0;
    for (size_t k = 0; k < flows->kinds.count; ++k)
        kinds |= (colour)((lane->mask & flows->kinds.channels[k]) != 0) << k;
    return mix(kind, masks ? lane->mask : kinds);
}

static void paint(painting *p, bool masks) {
    const fc_router_flows *flows = p->flows;
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        const fc_lane *lane = &flows->lanes[l];
        const fc_flow_link *link = &flows->links[lane->link];
        const double own[] = {lane->rate, lane->flits, lane->hold,
                              link->pace, link->loop,  link->members};
        p->lanes[l] = mix(mix(link->kind, link->delay), of_channels(flows, lane, masks));
        p->lanes[l] = of_numbers(own, sizeof own / sizeof *own, p->lanes[l]);
    }
    table_clear(&p->table);
    for (uint32_t j = 0; j < flows->movement_count; ++j) {
        const fc_movement *m = &flows->movements[j];
        const double own[] = {m->rate, m->flits, m->squares, m->outputs, m->count, m->leaving};
        p->movements[j] = of_numbers(own, sizeof own / sizeof *own, 2);
        p->pair_of[j] =
            number_of(&p->table, mix(mix(flows->lanes[m->from].link, flows->lanes[m->to].link), 3));
    }
    p->pair_count = p->table.used;
}

static void paint_links(painting *p) {
    const fc_router_flows *flows = p->flows;
    for (uint32_t c = 0; c < flows->link_count; ++c)
        p->links[c] = flows->links[c].kind;
    for (uint32_t l = 0; l < flows->lane_count; ++l)
        p->links[flows->lanes[l].link] += mix(p->lanes[l], 4);
    memset(p->pairs, 0, p->pair_count * sizeof *p->pairs);
    for (uint32_t j = 0; j < flows->movement_count; ++j) {
        const fc_movement *m = &flows->movements[j];
        p->pairs[p->pair_of[j]] += mix(mix(p->movements[j], p->lanes[m->from]), p->lanes[m->to]);
    }
}

/* What links and lanes a movement joins, and beside which others. */
static colour of_movement(const painting *p, uint32_t j) {
    return mix(p->movements[j], p->pairs[p->pair_of[j]]);
}

static void refine(painting *p) {
    const fc_router_flows *flows = p->flows;
    paint_links(p);
    memset(p->next, 0, flows->lane_count * sizeof *p->next);
    for (uint32_t j = 0; j < flows->movement_count; ++j) {
        const fc_movement *m = &flows->movements[j];
        const colour seen = of_movement(p, j);
        p->next[m->from] += mix(p->lanes[m->to], seen);
        p->next[m->to] += mix(seen, p->lanes[m->from]);
    }
    for (uint32_t l = 0; l < flows->lane_count; ++l)
        p->lanes[l] = mix(mix(p->lanes[l], p->next[l]), p->links[flows->lanes[l].link]);
}

static uint32_t count_colours(painting *p) {
    table_clear(&p->table);
    for (uint32_t l = 0; l < p->flows->lane_count; ++l)
        number_of(&p->table, p->lanes[l]);
    return p->table.used;
}

/* Each step only divides colours: when none was divided, none ever will be. */
static void find_colours(painting *p, bool masks) {
    paint(p, masks);
    uint32_t colours = count_colours(p), before;
    do {
        before = colours;
        refine(p);
        colours = count_colours(p);
    } while (colours > before);
    paint_links(p);
}

/* Whether lanes of one link have one colour: the solver knows no such lanes. */
static bool joins_lanes(painting *p) {
    table_clear(&p->table);
    for (uint32_t l = 0; l < p->flows->lane_count; ++l)
        number_of(&p->table, mix(p->lanes[l], p->flows->lanes[l].link));
    return p->table.used < p->flows->lane_count;
}

/* ---- merging ---- */

static void merge_links(painting *p, fc_alike *made) {
    const fc_router_flows *flows = p->flows;
    table_clear(&p->table);
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        const uint32_t lane = made->lane_of[l] = number_of(&p->table, p->lanes[l]);
        if (lane == made->lane_count)
            made->first_lane[made->lane_count++] = l;
    }
    table_clear(&p->table);
    for (uint32_t c = 0; c < flows->link_count; ++c) {
        const uint32_t link = made->link_of[c] = number_of(&p->table, p->links[c]);
        if (link == made->link_count)
            made->first_link[made->link_count++] = c;
        ++made->copies[link];
    }
}

/* The first link of each kind tells how many movements like one enter it, and leave it. */
static void merge_movements(painting *p, fc_alike *made) {
    const fc_router_flows *flows = p->flows;
    table_clear(&p->table);
    for (uint32_t j = 0; j < flows->movement_count; ++j) {
        const fc_movement *m = &flows->movements[j];
        const uint32_t from = made->lane_of[m->from], to = made->lane_of[m->to];
        const colour seen = of_movement(p, j);
        const uint32_t k = number_of(&p->table, mix(mix(seen, from), to));
        fc_alike_movement *to_make = &made->movements[k];
        if (k == made->movement_count) {
            ++made->movement_count;
            *to_make = (fc_alike_movement){*m, (uint32_t)p->pairs[p->pair_of[j]]};
            to_make->of.from = from;
            to_make->of.to = to;
            to_make->of.count = to_make->of.leaving = 0;
        }
        if (made->first_lane[to] == m->to)
            to_make->of.count += m->count;
        if (made->first_lane[from] == m->from)
            to_make->of.leaving += m->leaving;
    }
}

static void keep_all(const fc_router_flows *flows, fc_alike *made) {
    made->link_count = flows->link_count;
    made->lane_count = flows->lane_count;
    made->movement_count = flows->movement_count;
    for (uint32_t c = 0; c < flows->link_count; ++c) {
        made->link_of[c] = made->first_link[c] = c;
        made->copies[c] = 1;
    }
    for (uint32_t l = 0; l < flows->lane_count; ++l)
        made->lane_of[l] = made->first_lane[l] = l;
    for (uint32_t j = 0; j < flows->movement_count; ++j)
        made->movements[j] = (fc_alike_movement){flows->movements[j], 0};
}

fc_status fc_router_alike_create(const fc_router_flows *flows, bool merges, fc_error *error,
                                 fc_alike **alike) {
    fc_alike *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->link_of = fc_allocate(flows->link_count, sizeof *made->link_of);
    made->lane_of = fc_allocate(flows->lane_count, sizeof *made->lane_of);
    made->first_link = fc_allocate(flows->link_count, sizeof *made->first_link);
    made->first_lane = fc_allocate(flows->lane_count, sizeof *made->first_lane);
    made->copies = fc_allocate(flows->link_count, sizeof *made->copies);
    made->movements = fc_allocate(flows->movement_count, sizeof *made->movements);
    painting p = {0};
    const bool room = made->link_of && made->lane_of && made->first_link && made->first_lane &&
                      made->copies && made->movements && (!merges || painting_create(flows, &p));
    if (room && merges) {
        find_colours(&p, false);
        if (joins_lanes(&p))
            find_colours(&p, true);
        merge_links(&p, made);
        merge_movements(&p, made);
    } else if (room) {
        keep_all(flows, made);
    }
    painting_release(&p);
    if (!room) {
        fc_router_alike_free(made);
        return fc_fail_memory(error);
    }
    *alike = made;
    return FC_OK;
}

void fc_router_alike_free(fc_alike *alike) {
    if (!alike)
        return;
    fc_release(alike->link_of);
    fc_release(alike->lane_of);
    fc_release(alike->first_link);
    fc_release(alike->first_lane);
    fc_release(alike->copies);
    fc_release(alike->movements);
    fc_release(alike);
}
