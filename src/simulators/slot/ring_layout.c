/* Lays out the rings, their nodes and the queues of a replication. */
#include "simulators/slot/slotted_rings.h"

#include "base/memory.h"

enum { STREAM_ARRIVALS = 0, STREAM_DESTINATIONS = 1, FIRST_PACKETS = 1024 };

/* Positions on a local or middle ring: 0 is the interface to the ring above, 1.. its stations or
 * the interfaces of the rings below. The global ring has no interface above: 0.. are the rings
 * below. */
static void place_ring(fc_slotted_rings *rings, uint32_t index, fc_ring_level level,
                       uint32_t *next_node, size_t *slots, size_t *waiting) {
    fc_ring *ring = &rings->rings[index];
    ring->links = rings->ring_links[level];
    ring->first_node = *next_node;
    ring->level = level;
    ring->words = (ring->links + 63) / 64;
    ring->slots = *slots;
    ring->waiting = *waiting;
    for (uint32_t position = 0; position < ring->links; ++position) {
        fc_ring_node *node = &rings->nodes[ring->first_node + position];
        *node = (fc_ring_node){index, position, FC_QUEUE_STATION, 0, FC_NO_PACKET, FC_NO_PACKET};
    }
    *next_node += ring->links;
    /* A view of 64 bits may start anywhere in the first copy and reads two words. */
    *slots += (2 * (size_t)ring->links + 63) / 64 + 2;
    *waiting += ring->words;
}

static void join(fc_slotted_rings *rings, uint32_t child, uint32_t parent, uint32_t position,
                 fc_ring_queue up, fc_ring_queue down) {
    const uint32_t below = rings->rings[child].first_node;
    const uint32_t above = rings->rings[parent].first_node + position;
    rings->nodes[below].twin = above;
    rings->nodes[below].queue = down;
    rings->nodes[above].twin = below;
    rings->nodes[above].queue = up;
}

static void connect(fc_slotted_rings *rings) {
    const uint32_t local_rings = rings->middle * rings->global;
    const uint32_t top = rings->ring_count - 1;
    for (uint32_t ring = 0; ring < local_rings; ++ring) {
        for (uint32_t s = 0; s < rings->local; ++s)
            rings->station_nodes[ring * rings->local + s] = rings->rings[ring].first_node + 1 + s;
        if (rings->levels == 2)
            join(rings, ring, top, ring, FC_QUEUE_UP_GLOBAL, FC_QUEUE_DOWN_LOCAL);
        else
            join(rings, ring, local_rings + ring / rings->middle, 1 + ring % rings->middle,
                 FC_QUEUE_UP_MIDDLE, FC_QUEUE_DOWN_LOCAL);
    }
    if (rings->levels == 3)
        for (uint32_t m = 0; m < rings->global; ++m)
            join(rings, local_rings + m, top, m, FC_QUEUE_UP_GLOBAL, FC_QUEUE_DOWN_MIDDLE);
}

/* Mean links from one of `count` nodes of a ring, which follow each other, to another of them. */
static double mean_links(uint32_t links, uint32_t count) {
    double sum = 0;
    for (uint32_t away = 1; away < count; ++away) /* in either direction round the ring */
        sum += (double)(count - away) * (away + (links - away));
    return count > 1 ? sum / ((double)count * (count - 1.0)) : 0;
}

/* Expected links of a path, class by class as draw_path draws it. Nodes 1 .. n of a ring below
 * another, which node 0 joins: the way up from all of them and the way down to all of them are
 * (n + 1) / 2 links each on average. */
static double mean_travel(const fc_slotted_rings *rings) {
    const uint32_t *links = rings->ring_links;
    const double ends = rings->local + 1.0, middle_ends = rings->middle + 1.0;
    const double global = mean_links(links[FC_LEVEL_GLOBAL], rings->global);
    const double share_middle = rings->share_local_middle - rings->share_local;
    const double local = rings->share_local * mean_links(links[FC_LEVEL_LOCAL], rings->local);
    if (rings->levels == 2)
        return local + (1 - rings->share_local) * (ends + global);
    return local + share_middle * (ends + mean_links(links[FC_LEVEL_MIDDLE], rings->middle)) +
           (1 - rings->share_local_middle) * (ends + middle_ends + global);
}

static void measure(fc_slotted_rings *rings, const fc_rings *parameters) {
    rings->levels = (uint32_t)parameters->levels;
    rings->local = (uint32_t)parameters->local;
    rings->middle = rings->levels == 3 ? (uint32_t)parameters->middle : 1;
    rings->global = (uint32_t)parameters->global;
    const uint32_t local_rings = rings->middle * rings->global;
    const uint32_t middle_rings = rings->levels == 3 ? rings->global : 0;
    rings->stations = rings->local * local_rings;
    rings->ring_links[FC_LEVEL_LOCAL] = rings->local + 1;
    rings->ring_links[FC_LEVEL_MIDDLE] = middle_rings > 0 ? rings->middle + 1 : 0;
    rings->ring_links[FC_LEVEL_GLOBAL] = rings->global;
    rings->links[FC_LEVEL_LOCAL] = (uint64_t)local_rings * (rings->local + 1);
    rings->links[FC_LEVEL_MIDDLE] = (uint64_t)middle_rings * (rings->middle + 1);
    rings->links[FC_LEVEL_GLOBAL] = rings->global;
    rings->ring_count = local_rings + middle_rings + 1;
    rings->node_count = (uint32_t)(rings->links[0] + rings->links[1] + rings->links[2]);
    /* A class without traffic must not be drawn because the shares add up to 1 only nearly. */
    const bool global = parameters->share_global > 0.0;
    rings->share_local_middle = global ? parameters->share_local + parameters->share_middle : 1.0;
    rings->share_local = global || parameters->share_middle > 0.0 ? parameters->share_local : 1.0;
    rings->gap = 1.0 / (rings->stations * parameters->rate);
    rings->mean_travel = mean_travel(rings);
}

static bool allocate(fc_slotted_rings *rings) {
    uint32_t longest = 0;
    size_t slot_words = 0, waiting_words = 0;
    const uint32_t local_rings = rings->middle * rings->global;
    const uint32_t counts[FC_RING_LEVELS] = {local_rings, rings->ring_count - local_rings - 1, 1};
    for (int level = 0; level < FC_RING_LEVELS; ++level) {
        const uint32_t links = rings->ring_links[level];
        longest = links > longest ? links : longest;
        slot_words += counts[level] * ((2 * (size_t)links + 63) / 64 + 2);
        waiting_words += counts[level] * (((size_t)links + 63) / 64);
    }
    uint32_t buckets = 1;
    while (buckets < longest)
        buckets *= 2;
    rings->wheel_mask = buckets - 1;
    rings->active_words = (rings->ring_count + 63) / 64;
    rings->rings = fc_allocate(rings->ring_count, sizeof(fc_ring));
    rings->nodes = fc_allocate(rings->node_count, sizeof(fc_ring_node));
    rings->station_nodes = fc_allocate(rings->stations, sizeof(uint32_t));
    rings->slot_bits = fc_allocate(slot_words, sizeof(uint64_t));
    rings->waiting_bits = fc_allocate(waiting_words, sizeof(uint64_t));
    rings->active_bits = fc_allocate(rings->active_words, sizeof(uint64_t));
    rings->wheel = fc_allocate(buckets, sizeof(uint32_t));
    return rings->rings != NULL && rings->nodes != NULL && rings->station_nodes != NULL &&
           rings->slot_bits != NULL && rings->waiting_bits != NULL && rings->active_bits != NULL &&
           rings->wheel != NULL;
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
    fc_slotted_rings *rings = fc_allocate(1, sizeof(fc_slotted_rings));
    if (rings == NULL)
        return fc_fail_memory(error);
    measure(rings, scenario->parameters);
    rings->free = fc_free_list_make();
    if (!allocate(rings) || fc_slotted_rings_grow(rings, NULL) != FC_OK) {
        fc_slotted_rings_release(rings);
        return fc_fail_memory(error);
    }
    uint32_t node = 0;
    size_t slots = 0, waiting = 0;
    const uint32_t local_rings = rings->middle * rings->global;
    for (uint32_t ring = 0; ring < rings->ring_count; ++ring)
        place_ring(rings, ring,
                   ring < local_rings             ? FC_LEVEL_LOCAL
                   : ring < rings->ring_count - 1 ? FC_LEVEL_MIDDLE
                                                  : FC_LEVEL_GLOBAL,
                   &node, &slots, &waiting);
    connect(rings);
    for (uint32_t bucket = 0; bucket <= rings->wheel_mask; ++bucket)
        rings->wheel[bucket] = FC_NO_PACKET;
    rings->arrivals = fc_random_stream(seed, replication, STREAM_ARRIVALS);
    rings->destinations = fc_random_stream(seed, replication, STREAM_DESTINATIONS);
    rings->next_arrival = rings->gap * fc_random_exponential(&rings->arrivals);
    *state = rings;
    return FC_OK;
}

void fc_slotted_rings_release(void *state) {
    fc_slotted_rings *rings = state;
    if (rings == NULL)
        return;
    fc_release(rings->rings);
    fc_release(rings->nodes);
    fc_release(rings->station_nodes);
    fc_release(rings->slot_bits);
    fc_release(rings->waiting_bits);
    fc_release(rings->active_bits);
    fc_release(rings->wheel);
    fc_release(rings->packets);
    fc_release(rings);
}
