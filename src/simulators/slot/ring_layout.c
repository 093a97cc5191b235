/* Lays out the rings, their nodes and the queues of a replication. */
#include "base/memory.h"
#include "network/ring_flows.h"
#include "simulators/slot/ring_closed.h"

enum { STREAM_ARRIVALS = 0, STREAM_DESTINATIONS = 1, FIRST_PACKETS = 1024 };

/* A view of 64 bits may start anywhere in the first copy and reads two words. */
static size_t lane_words(uint32_t links) {
    return (2 * (size_t)links + 63) / 64 + 2;
}

static uint32_t ring_links(const fc_rings *parameters, size_t level, size_t index) {
    return fc_ring_fan(parameters, level, index) + fc_ring_first(parameters, level);
}

/* The turn of rings of so many links. */
static const uint32_t *find_turn(fc_slotted_rings *rings, uint32_t links) {
    uint32_t turn = 0;
    while (turn < rings->turn_count && rings->turns[turn].links != links)
        ++turn;
    if (turn == rings->turn_count)
        rings->turns[rings->turn_count++] = (fc_ring_turn){links, 0};
    return &rings->turns[turn].slot;
}

static void place_rings(fc_slotted_rings *rings, const fc_rings *parameters) {
    uint32_t index = 0, next_node = 0, station = 0;
    size_t slots = 0, waiting = 0;
    for (size_t level = 0; level < rings->levels; ++level) {
        const size_t count = fc_ring_count(parameters, level);
        for (size_t i = 0; i < count; ++i, ++index) {
            fc_ring *ring = &rings->rings[index];
            ring->links = ring_links(parameters, level, i);
            ring->first_node = next_node;
            ring->level = (uint16_t)level;
            ring->lanes = (uint16_t)fc_ring_slots(parameters, level);
            ring->words = (ring->links + 63) / 64;
            ring->turn = find_turn(rings, ring->links);
            ring->slots = slots;
            ring->lane_words = lane_words(ring->links);
            ring->waiting = waiting;
            for (uint32_t position = 0; position < ring->links; ++position) {
                fc_ring_node *node = &rings->nodes[next_node + position];
                *node = (fc_ring_node){index,        position, FC_QUEUE_STATION, 0, FC_NO_PACKET,
                                       FC_NO_PACKET, 0};
                if (level == 0 && position >= fc_ring_first(parameters, level))
                    rings->station_nodes[station++] = next_node + position;
            }
            next_node += ring->links;
            if (level == 0) {
                ring->stations = fc_ring_fan(parameters, level, i);
                ring->station = station - ring->stations;
            }
            slots += ring->lanes * ring->lane_words;
            waiting += ring->words;
        }
    }
}

static void join(fc_slotted_rings *rings, uint32_t child, uint32_t parent, uint32_t position) {
    const uint32_t below = rings->rings[child].first_node;
    const uint32_t above = rings->rings[parent].first_node + position;
    rings->nodes[below].twin = above;
    rings->nodes[below].queue = fc_ring_queue_down(rings->levels, rings->rings[child].level);
    rings->nodes[above].twin = below;
    rings->nodes[above].queue = fc_ring_queue_up(rings->rings[parent].level);
}

static void connect(fc_slotted_rings *rings, const fc_rings *parameters) {
    uint32_t child = 0, parent = (uint32_t)fc_ring_count(parameters, 0);
    for (size_t level = 1; level < rings->levels; ++level) {
        const size_t count = fc_ring_count(parameters, level);
        for (size_t i = 0; i < count; ++i, ++parent) {
            const uint32_t first = fc_ring_first(parameters, level);
            const uint32_t fan = fc_ring_fan(parameters, level, i);
            rings->rings[parent].station = rings->rings[child].station;
            for (uint32_t on = 0; on < fan; ++on) {
                rings->rings[parent].stations += rings->rings[child].stations;
                join(rings, child++, parent, first + on);
            }
        }
    }
}

static void note_places(fc_slotted_rings *rings) {
    for (uint32_t station = 0; station < rings->stations; ++station) {
        uint32_t node = rings->station_nodes[station];
        for (uint32_t level = 0; level < rings->levels; ++level) {
            rings->places[(size_t)station * rings->levels + level] = rings->nodes[node].position;
            node = rings->nodes[rings->rings[rings->nodes[node].ring].first_node].twin;
        }
    }
}

/* Mean links from one of `count` nodes of a ring, which follow each other, to another of them. */
static double mean_links(uint32_t links, uint32_t count) {
    double sum = 0;
    for (uint32_t away = 1; away < count; ++away) /* in either direction round the ring */
        sum += (double)(count - away) * (away + (links - away));
    return count > 1 ? sum / ((double)count * (count - 1.0)) : 0;
}

/* Expected links of a path, class by class as they are drawn. Nodes 1 .. n of a ring below another,
 * which node 0 joins: the way up from all of them and the way down to all of them are (n + 1) / 2
 * links each on average. */
static double mean_travel(const fc_slotted_rings *rings, const fc_rings *parameters) {
    double travel = 0, ends = 0, lower = 0;
    for (uint32_t level = 0; level < rings->levels; ++level) {
        const uint32_t size = rings->sizes[level];
        const double share = rings->shares_up_to[level] - lower;
        lower = rings->shares_up_to[level];
        travel += share * (ends + mean_links(ring_links(parameters, level, 0), size));
        ends += size + 1.0;
    }
    return travel;
}

/* A class without traffic must not be drawn because the shares add up to 1 only nearly. */
static void sum_shares(fc_slotted_rings *rings, const fc_rings *parameters) {
    uint32_t highest = 0;
    double sum = 0;
    for (uint32_t level = 0; level < rings->levels; ++level) {
        sum += parameters->shares[level];
        rings->shares_up_to[level] = sum;
        if (parameters->shares[level] > 0.0)
            highest = level;
    }
    for (uint32_t level = highest; level < rings->levels; ++level)
        rings->shares_up_to[level] = 1.0;
}

static fc_status measure(fc_slotted_rings *rings, const fc_rings *parameters, fc_error *error) {
    rings->levels = (uint32_t)parameters->levels;
    rings->stations = (uint32_t)parameters->stations;
    for (size_t level = 0; level < rings->levels; ++level) {
        const size_t count = fc_ring_count(parameters, level);
        const uint32_t lanes = (uint32_t)fc_ring_slots(parameters, level);
        uint64_t links = 0;
        for (size_t i = 0; i < count; ++i)
            links += ring_links(parameters, level, i);
        rings->ring_count += (uint32_t)count;
        rings->node_count += (uint32_t)links;
        rings->slots[level] = links * lanes;
        rings->lanes = lanes > rings->lanes ? lanes : rings->lanes;
        if (parameters->tree.levels == 0) {
            rings->sizes[level] = (uint32_t)parameters->sizes.values[level];
            rings->below[level] = level > 0 ? (uint32_t)parameters->below[level - 1] : 1;
        }
    }
    rings->room = parameters->queue == FC_INFINITE ? 0 : (uint32_t)parameters->queue;
    rings->in_order = rings->lanes > 1 || rings->room > 0;
    rings->uniform = parameters->tree.levels > 0 && parameters->locality.count == 0;
    rings->alike = fc_rings_are_alike(parameters);
    rings->hot_share = parameters->hot.share;
    rings->hot = (uint32_t)parameters->hot.node;
    const double rate = parameters->kind == FC_CLOSED ? 1 : parameters->rate;
    rings->gap = 1.0 / (rings->stations * rate);
    sum_shares(rings, parameters);
    if (rings->alike) {
        rings->mean_travel = mean_travel(rings, parameters);
        return FC_OK;
    }
    fc_ring_flows flows;
    const fc_status status = fc_ring_flows_create(parameters, rate, error, &flows);
    if (status != FC_OK)
        return status;
    rings->mean_travel = flows.travel;
    fc_ring_flows_free(&flows);
    return FC_OK;
}

static bool allocate(fc_slotted_rings *rings, const fc_rings *parameters) {
    uint32_t longest = 0;
    size_t slot_words = 0, waiting_words = 0;
    for (size_t level = 0; level < rings->levels; ++level) {
        const size_t count = fc_ring_count(parameters, level);
        for (size_t i = 0; i < count; ++i) {
            const uint32_t links = ring_links(parameters, level, i);
            longest = links > longest ? links : longest;
            slot_words += (size_t)fc_ring_slots(parameters, level) * lane_words(links);
            waiting_words += ((size_t)links + 63) / 64;
        }
    }
    uint32_t buckets = 1;
    while (buckets < longest)
        buckets *= 2;
    rings->wheel_mask = buckets - 1;
    rings->active_words = (rings->ring_count + 63) / 64;
    rings->rings = fc_allocate(rings->ring_count, sizeof(fc_ring));
    rings->turns = fc_allocate(rings->ring_count, sizeof(fc_ring_turn));
    rings->nodes = fc_allocate(rings->node_count, sizeof(fc_ring_node));
    rings->station_nodes = fc_allocate(rings->stations, sizeof(uint32_t));
    rings->places = fc_allocate((size_t)rings->stations * rings->levels, sizeof(uint32_t));
    rings->slot_bits = fc_allocate(slot_words, sizeof(uint64_t));
    rings->waiting_bits = fc_allocate(waiting_words, sizeof(uint64_t));
    rings->active_bits = fc_allocate(rings->active_words, sizeof(uint64_t));
    rings->wheel = fc_allocate(buckets, sizeof(uint32_t));
    return rings->rings != NULL && rings->turns != NULL && rings->nodes != NULL &&
           rings->station_nodes != NULL && rings->places != NULL && rings->slot_bits != NULL &&
           rings->waiting_bits != NULL && rings->active_bits != NULL && rings->wheel != NULL;
}

fc_status fc_slotted_rings_grow(fc_slotted_rings *rings, fc_error *error) {
    fc_ring_packet *grown =
        fc_free_list_grow(&rings->free, FC_RECORDS(rings->packets), FIRST_PACKETS);
    if (grown == NULL)
        return fc_fail_memory(error);
    rings->packets = grown;
    return FC_OK;
}

fc_status fc_slotted_rings_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                                  uint32_t replication, fc_error *error, void **state) {
    (void)common;
    const fc_rings *parameters = scenario->parameters;
    fc_slotted_rings *rings = fc_allocate(1, sizeof(fc_slotted_rings));
    if (rings == NULL)
        return fc_fail_memory(error);
    rings->free = fc_free_list_make();
    if (measure(rings, parameters, NULL) != FC_OK || !allocate(rings, parameters) ||
        fc_slotted_rings_grow(rings, NULL) != FC_OK) {
        fc_slotted_rings_release(rings);
        return fc_fail_memory(error);
    }
    place_rings(rings, parameters);
    connect(rings, parameters);
    note_places(rings);
    for (uint32_t bucket = 0; bucket <= rings->wheel_mask; ++bucket)
        rings->wheel[bucket] = FC_NO_PACKET;
    rings->arrivals = fc_random_stream(seed, replication, STREAM_ARRIVALS);
    rings->destinations = fc_random_stream(seed, replication, STREAM_DESTINATIONS);
    rings->next_arrival = rings->gap * fc_random_exponential(&rings->arrivals);
    if (parameters->kind == FC_CLOSED &&
        fc_ring_closed_create(rings, &parameters->requests, error) != FC_OK) {
        fc_slotted_rings_release(rings);
        return FC_ERROR_MEMORY;
    }
    *state = rings;
    return FC_OK;
}

void fc_slotted_rings_release(void *state) {
    fc_slotted_rings *rings = state;
    if (rings == NULL)
        return;
    fc_release(rings->rings);
    fc_release(rings->turns);
    fc_release(rings->nodes);
    fc_release(rings->station_nodes);
    fc_release(rings->places);
    fc_release(rings->slot_bits);
    fc_release(rings->waiting_bits);
    fc_release(rings->active_bits);
    fc_release(rings->wheel);
    fc_release(rings->packets);
    fc_ring_closed_free(rings->closed);
    fc_release(rings);
}
