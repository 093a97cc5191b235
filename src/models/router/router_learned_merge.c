/* Symmetric networks under symmetric traffic have many lanes that are alike: in a torus under
 * uniform traffic all of a dimension. A forecast hears of a lane's neighbours a fixed number of
 * times, so two lanes are alike if their inputs are, and those of their neighbours, and so on for
 * as many steps (colour refinement of Weisfeiler and Leman). Each class is evaluated once: an 8x8
 * mesh in a quarter of the time.
 *
 * A colour is a hash. The colours of neighbours are summed, so that their order does not matter.
 * Inputs count with 12 binary digits: sums of rates in another order differ by less. */
#include "models/router/router_learned_merge.h"

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

static void paint(const fc_learned_inputs *in, colour *lanes, colour *movements) {
    for (uint32_t l = 0; l < in->lane_count; ++l) {
        const fc_learned_lane *lane = &in->lanes[l];
        const float rest[] = {lane->alone, lane->bursts, lane->weight};
        lanes[l] = of_numbers(lane->fixed, FC_LANE_FIXED, 1);
        lanes[l] = of_numbers(lane->loads, FC_LANE_LOADS, lanes[l]);
        lanes[l] = of_numbers(lane->solved, FC_LANE_SOLVED, lanes[l]);
        lanes[l] = of_numbers(rest, 3, lanes[l]);
    }
    for (uint32_t j = 0; j < in->movement_count; ++j) {
        const fc_learned_movement *movement = &in->movements[j];
        movements[j] = of_numbers(movement->fixed, FC_MOVEMENT_FIXED, 2);
        movements[j] = of_numbers(&movement->load, 1, movements[j]);
    }
}

/* lanes: from this step to the next; links: scratch. */
static void refine(const fc_learned_inputs *in, const colour *movements, colour *links,
                   colour *next, colour *lanes) {
    memset(links, 0, in->link_count * sizeof *links);
    for (uint32_t l = 0; l < in->lane_count; ++l) {
        links[in->lanes[l].link] += mix(lanes[l], 3);
        next[l] = 0;
    }
    for (uint32_t j = 0; j < in->movement_count; ++j) {
        const fc_learned_movement *m = &in->movements[j];
        next[m->from] += mix(mix(lanes[m->to], movements[j]), 4);
        next[m->to] += mix(mix(lanes[m->from], movements[j]), 5);
    }
    for (uint32_t l = 0; l < in->lane_count; ++l)
        lanes[l] = mix(mix(lanes[l], next[l]), links[in->lanes[l].link]);
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

static void merge_lanes(const fc_learned_inputs *in, const colour *colours, colour_table *table,
                        uint32_t *class_of, fc_merged_graph *g) {
    for (uint32_t l = 0; l < in->lane_count; ++l) {
        bool first;
        class_of[l] = number_of(table, colours[l], &first);
        fc_merged_lane *lane = &g->lanes[class_of[l]];
        if (first)
            lane->example = l;
        lane->weight += in->lanes[l].weight;
        lane->used += in->lanes[l].weight > 0;
    }
    g->lane_count = table->used;
}

static void merge_movements(const fc_learned_inputs *in, const colour *colours, colour_table *table,
                            const uint32_t *class_of, fc_merged_graph *g) {
    for (uint32_t j = 0; j < in->movement_count; ++j) {
        const fc_learned_movement *m = &in->movements[j];
        const uint32_t from = class_of[m->from], to = class_of[m->to];
        bool first;
        const uint32_t k = number_of(table, mix(mix(colours[j], from), to), &first);
        fc_merged_movement *made = &g->movements[k];
        if (first)
            *made = (fc_merged_movement){.from = from, .to = to, .example = j, .load = m->load};
        if (g->lanes[from].example == m->from)
            made->kept += m->fixed[0];
        if (g->lanes[to].example == m->to) {
            made->share += m->fixed[1];
            made->times += 1;
        }
    }
    g->movement_count = table->used;
}

/* first: the example of a class of lanes on each link, plus one; 0: none. next: the others. */
static void merge_mates(const fc_learned_inputs *in, const uint32_t *class_of, uint32_t *first,
                        uint32_t *next, fc_merged_graph *g) {
    enum { SHARE = 16 }; /* the input that is a lane's share of its link */
    for (uint32_t k = 0; k < g->lane_count; ++k) {
        uint32_t *head = &first[in->lanes[g->lanes[k].example].link];
        next[k] = *head;
        *head = k + 1;
    }
    for (uint32_t l = 0; l < in->lane_count; ++l)
        for (uint32_t k = first[in->lanes[l].link]; k; k = next[k - 1])
            g->mates[g->mate_count++] = (fc_merged_mate){
                .lane = k - 1, .mate = class_of[l], .share = in->lanes[l].fixed[SHARE]};
}

void fc_merged_graph_release(fc_merged_graph *g) {
    fc_release(g->lanes);
    fc_release(g->movements);
    fc_release(g->mates);
}

/* Pairs of lanes of one link, each with itself too. */
static size_t count_mates(const fc_learned_inputs *in, uint32_t *lanes_of) {
    size_t count = 0;
    for (uint32_t l = 0; l < in->lane_count; ++l) {
        const uint32_t before = lanes_of[in->lanes[l].link]++;
        count += 2 * (size_t)before + 1;
    }
    memset(lanes_of, 0, in->link_count * sizeof *lanes_of);
    return count;
}

fc_status fc_learned_merge(const fc_learned_inputs *in, int rounds, fc_error *error,
                           fc_merged_graph *g) {
    const size_t lanes = in->lane_count, movements = in->movement_count, links = in->link_count;
    colour *of_lane = fc_allocate(lanes, sizeof *of_lane);
    colour *of_movement = fc_allocate(movements, sizeof *of_movement);
    colour *of_link = fc_allocate(links, sizeof *of_link);
    colour *next = fc_allocate(lanes, sizeof *next);
    uint32_t *class_of = fc_allocate(lanes, sizeof *class_of);
    uint32_t *first = fc_allocate(links, sizeof *first);
    colour_table lane_table, movement_table;
    bool made = table_create((uint32_t)lanes, &lane_table);
    made = table_create((uint32_t)movements, &movement_table) && made;
    made = made && of_lane && of_movement && of_link && next && class_of && first;
    *g = (fc_merged_graph){0};
    if (made) {
        g->lanes = fc_allocate(lanes, sizeof *g->lanes);
        g->movements = fc_allocate(movements, sizeof *g->movements);
        g->mates = fc_allocate(count_mates(in, first), sizeof *g->mates);
        made = g->lanes && g->movements && g->mates;
    }
    if (made) {
        paint(in, of_lane, of_movement);
        for (int i = 0; i < rounds; ++i)
            refine(in, of_movement, of_link, next, of_lane);
        merge_lanes(in, of_lane, &lane_table, class_of, g);
        merge_movements(in, of_movement, &movement_table, class_of, g);
        merge_mates(in, class_of, first, (uint32_t *)next, g);
    } else {
        fc_merged_graph_release(g);
    }
    table_release(&lane_table);
    table_release(&movement_table);
    fc_release(of_lane);
    fc_release(of_movement);
    fc_release(of_link);
    fc_release(next);
    fc_release(class_of);
    fc_release(first);
    return made ? FC_OK : fc_fail_memory(error);
}
