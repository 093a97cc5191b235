/* Lanes that are alike, found by colour refinement (Weisfeiler and Leman). Symmetric networks under
 * symmetric traffic have many: in a torus under uniform traffic all of a dimension. Two lanes are
 * alike if their traits are, and those of the lanes that they send to and hear from, and so on: as
 * long as the number of classes grows. Then the classes are the same for any number of rounds of a
 * correction, and each is evaluated once: an 8x8 mesh in a quarter of the time.
 *
 * A colour is a hash. The colours of neighbours are summed, so that their order does not matter.
 * Traits count with 12 binary digits: sums of rates in another order differ by less. */
#include "forecast/traits_merge.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

typedef uint64_t colour;

/* Numbers that are zero but for rounding: one over the smallest that counts. */
static const float smallest = 65536;

static colour mix(colour a, colour b) {
    colour x = a + 0x9e3779b97f4a7c15U * (b + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static colour of_numbers(const float *values, size_t count, colour from) {
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        const float value = rintf(values[i] * smallest) / smallest + 0.0F; /* no negative zero */
        memcpy(&bits, &value, sizeof bits);
        from = mix(from, (bits + 0x400U) & ~0x7ffU);
    }
    return from;
}

/* ---- classes ---- */

/* Numbers of colours in the order in which they are first seen. */
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

static void table_release(colour_table *table) {
    fc_release(table->keys);
    fc_release(table->numbers);
}

static uint32_t number_of(colour_table *table, colour key, bool *first) {
    uint32_t at = (uint32_t)(key >> 20) & table->mask;
    while (table->numbers[at] && table->keys[at] != key)
        at = (at + 1) & table->mask;
    *first = !table->numbers[at];
    if (*first) {
        table->keys[at] = key;
        table->numbers[at] = ++table->used;
    }
    return table->numbers[at] - 1;
}

/* ---- refinement ---- */

typedef struct painting {
    const fc_traits *in;
    colour *lanes, *movements, *links, *next;
    uint32_t *class_of, *example; /* of each lane; of each class */
    colour_table lane_table, movement_table, link_table;
} painting;

static bool painting_create(const fc_traits *in, painting *p) {
    *p = (painting){.in = in,
                    .lanes = fc_allocate(in->lane_count + 1, sizeof(colour)),
                    .movements = fc_allocate(in->movement_count + 1, sizeof(colour)),
                    .links = fc_allocate(in->link_count + 1, sizeof(colour)),
                    .next = fc_allocate(in->lane_count + 1, sizeof(colour)),
                    .class_of = fc_allocate(in->lane_count + 1, sizeof(uint32_t)),
                    .example = fc_allocate(in->lane_count + 1, sizeof(uint32_t))};
    bool made = table_create(in->lane_count, &p->lane_table);
    made = table_create(in->movement_count, &p->movement_table) && made;
    made = table_create(in->link_count, &p->link_table) && made;
    return made && p->lanes && p->movements && p->links && p->next && p->class_of && p->example;
}

static void painting_release(painting *p) {
    fc_release(p->lanes);
    fc_release(p->movements);
    fc_release(p->links);
    fc_release(p->next);
    fc_release(p->class_of);
    fc_release(p->example);
    table_release(&p->lane_table);
    table_release(&p->movement_table);
    table_release(&p->link_table);
}

static void paint(painting *p) {
    const fc_traits *in = p->in;
    for (uint32_t l = 0; l < in->lane_count; ++l) {
        const fc_lane_traits *lane = &in->lanes[l];
        const float own[] = {lane->weight, lane->unit, lane->bursts, lane->copies};
        p->lanes[l] = of_numbers(own, sizeof own / sizeof *own, 1);
        p->lanes[l] = of_numbers(&in->lane[l * in->lane_inputs], in->lane_inputs, p->lanes[l]);
    }
    for (uint32_t j = 0; j < in->movement_count; ++j) {
        const fc_movement_traits *movement = &in->movements[j];
        const float own[] = {movement->kept, movement->share, movement->load};
        p->movements[j] = of_numbers(own, sizeof own / sizeof *own, 2);
        p->movements[j] = of_numbers(&in->movement[j * in->movement_inputs], in->movement_inputs,
                                     p->movements[j]);
    }
}

static uint32_t count_classes(painting *p) {
    table_clear(&p->lane_table);
    for (uint32_t l = 0; l < p->in->lane_count; ++l) {
        bool first;
        p->class_of[l] = number_of(&p->lane_table, p->lanes[l], &first);
        if (first)
            p->example[p->class_of[l]] = l;
    }
    return p->lane_table.used;
}

static void paint_links(painting *p) {
    memset(p->links, 0, p->in->link_count * sizeof *p->links);
    for (uint32_t l = 0; l < p->in->lane_count; ++l)
        p->links[p->in->lanes[l].link] += mix(p->lanes[l], 3);
}

static void refine(painting *p) {
    const fc_traits *in = p->in;
    paint_links(p);
    memset(p->next, 0, in->lane_count * sizeof *p->next);
    for (uint32_t j = 0; j < in->movement_count; ++j) {
        const fc_movement_traits *m = &in->movements[j];
        p->next[m->from] += mix(mix(p->lanes[m->to], p->movements[j]), 4);
        p->next[m->to] += mix(mix(p->lanes[m->from], p->movements[j]), 5);
    }
    for (uint32_t l = 0; l < in->lane_count; ++l)
        p->lanes[l] = mix(mix(p->lanes[l], p->next[l]), p->links[in->lanes[l].link]);
}

/* Each step only divides classes: when none was divided, none ever will be. */
static uint32_t find_classes(painting *p) {
    paint(p);
    uint32_t classes = count_classes(p), before;
    do {
        before = classes;
        refine(p);
        classes = count_classes(p);
    } while (classes > before);
    paint_links(p);
    return classes;
}

/* ---- merging ---- */

static void merge_lanes(painting *p, fc_traits *made) {
    const fc_traits *in = p->in;
    for (uint32_t k = 0; k < made->lane_count; ++k) {
        const uint32_t l = p->example[k];
        bool first;
        made->lanes[k] = in->lanes[l];
        made->lanes[k].link = number_of(&p->link_table, p->links[in->lanes[l].link], &first);
        made->lanes[k].weight = made->lanes[k].copies = 0;
        memcpy(&made->lane[k * in->lane_inputs], &in->lane[l * in->lane_inputs],
               in->lane_inputs * sizeof *in->lane);
    }
    for (uint32_t l = 0; l < in->lane_count; ++l) {
        made->lanes[p->class_of[l]].weight += in->lanes[l].weight;
        made->lanes[p->class_of[l]].copies += in->lanes[l].copies;
    }
    made->link_count = p->link_table.used;
}

static colour class_of_movement(const painting *p, uint32_t j) {
    const fc_movement_traits *m = &p->in->movements[j];
    return mix(mix(p->movements[j], p->class_of[m->from]), p->class_of[m->to]);
}

static void merge_movements(painting *p, fc_traits *made) {
    const fc_traits *in = p->in;
    table_clear(&p->movement_table);
    for (uint32_t j = 0; j < in->movement_count; ++j) {
        const fc_movement_traits *m = &in->movements[j];
        const uint32_t from = p->class_of[m->from], to = p->class_of[m->to];
        bool first;
        const uint32_t k = number_of(&p->movement_table, class_of_movement(p, j), &first);
        fc_movement_traits *to_make = &made->movements[k];
        if (first) {
            *to_make = (fc_movement_traits){.from = from, .to = to};
            memcpy(&made->movement[k * in->movement_inputs], &in->movement[j * in->movement_inputs],
                   in->movement_inputs * sizeof *in->movement);
        }
        if (p->example[from] == m->from)
            to_make->kept += m->kept;
        if (p->example[to] == m->to) {
            to_make->share += m->share;
            to_make->load += m->load;
        }
    }
}

static void copy_whole(const fc_traits *in, fc_traits *made) {
    made->whole_inputs = in->whole_inputs;
    made->lane_inputs = in->lane_inputs;
    made->movement_inputs = in->movement_inputs;
    made->capacity = in->capacity;
    memcpy(made->whole, in->whole, sizeof made->whole);
    memcpy(made->empty, in->empty, sizeof made->empty);
}

static uint32_t count_movements(painting *p) {
    table_clear(&p->movement_table);
    for (uint32_t j = 0; j < p->in->movement_count; ++j) {
        bool first;
        number_of(&p->movement_table, class_of_movement(p, j), &first);
    }
    return p->movement_table.used;
}

fc_status fc_traits_merge(const fc_traits *traits, fc_error *error, fc_traits **merged) {
    painting p;
    fc_traits *made = fc_allocate(1, sizeof *made);
    const bool prepared = painting_create(traits, &p) && made;
    if (prepared) {
        copy_whole(traits, made);
        made->lane_count = find_classes(&p);
        made->movement_count = count_movements(&p);
        made->lanes = fc_allocate(made->lane_count + 1, sizeof *made->lanes);
        made->lane = fc_allocate(made->lane_count * made->lane_inputs + 1, sizeof *made->lane);
        made->movements = fc_allocate(made->movement_count + 1, sizeof *made->movements);
        made->movement =
            fc_allocate(made->movement_count * made->movement_inputs + 1, sizeof *made->movement);
    }
    const bool room = prepared && made->lanes && made->lane && made->movements && made->movement;
    if (room) {
        merge_lanes(&p, made);
        merge_movements(&p, made);
        *merged = made;
    } else {
        fc_traits_free(made);
    }
    painting_release(&p);
    return room ? FC_OK : fc_fail_memory(error);
}
