/* Simulator of hierarchical slotted rings, cycle by cycle.
 *
 * In a cycle every slot moves one link. At each node the slot that arrives is examined: a packet
 * that leaves here leaves (at a station it is delivered, one cycle later; at a crossing it joins
 * the queue into the other ring, which it may leave from the next cycle on); then, if the slot is
 * empty, just vacated or not, the head of the node's queue enters it. Packets on a ring are never
 * stopped, queues are unbounded, and a new packet may be sent in the cycle of its arrival.
 *
 * Nothing is moved. Slots keep their index and the nodes rotate past them: position i of a ring of
 * n links sees slot (i + turn) mod n, with turn falling by one per cycle. A packet never stops on a
 * ring, so the cycle at which it leaves is known when it enters: it goes into a calendar wheel.
 * Full slots are bits, stored twice in a row so that the slots in front of 64 neighbouring nodes
 * are one unaligned word; so are nodes with a waiting packet, and the nodes that can send are
 * waiting & ~full. Empty rings and passing packets cost nothing.
 *
 * Invariants
 *  I1  Every packet generated is delivered, in exactly one queue, or in exactly one slot.
 *  I2  A slot holds at most one packet: it is empty when a packet enters and full when one leaves.
 *  I3  A packet leaves a ring at its exit node, at the cycle computed when it entered.
 *  I4  Queues are first in, first out: the heads' joining cycles never decrease.
 *  I5  A waiting bit is set if and only if that queue is not empty, an active bit if and only if
 *      the ring has a waiting bit.
 *  I6  The two copies of the full-slot bits agree and count the packets on the ring.
 *  I7  A packet that crosses between rings spends at least one cycle in the queue. */
#include "simulators/slot/slotted_rings.h"

#include <assert.h>

static void append(fc_slotted_rings *rings, uint32_t node_index, uint32_t packet) {
    fc_ring_node *node = &rings->nodes[node_index];
    rings->packets[packet].next = FC_NO_PACKET;
    if (node->head == FC_NO_PACKET) {
        const fc_ring *ring = &rings->rings[node->ring];
        node->head = packet;
        rings->waiting_bits[ring->waiting + node->position / 64] |= (uint64_t)1
                                                                    << node->position % 64;
        rings->active_bits[node->ring / 64] |= (uint64_t)1 << node->ring % 64;
    } else {
        assert(rings->packets[node->tail].joined <= rings->packets[packet].joined); /* I4 */
        rings->packets[node->tail].next = packet;
    }
    node->tail = packet;
    ++rings->in_queues;
}

/* Uniform over 0 .. bound-1 but without the one excluded. */
static uint32_t draw_other(fc_random *random, uint32_t bound, uint32_t excluded) {
    const uint32_t draw = fc_random_below(random, bound - 1);
    return draw + (draw >= excluded);
}

static void draw_path(fc_slotted_rings *rings, uint32_t station, fc_ring_packet *packet) {
    const fc_ring_node *source = &rings->nodes[rings->station_nodes[station]];
    const double draw = fc_random_unit(&rings->destinations);
    uint32_t *exits = packet->exits;
    if (draw < rings->share_local) {
        exits[0] = 1 + draw_other(&rings->destinations, rings->local, source->position - 1);
        return;
    }
    *exits++ = 0;
    const fc_ring_node *crossing = &rings->nodes[rings->rings[source->ring].first_node];
    const fc_ring_node *above = &rings->nodes[crossing->twin];
    if (rings->levels == 3) {
        if (draw < rings->share_local_middle) {
            *exits++ = 1 + draw_other(&rings->destinations, rings->middle, above->position - 1);
        } else {
            *exits++ = 0;
            crossing = &rings->nodes[rings->rings[above->ring].first_node];
            above = &rings->nodes[crossing->twin];
            *exits++ = draw_other(&rings->destinations, rings->global, above->position);
            *exits++ = 1 + fc_random_below(&rings->destinations, rings->middle);
        }
    } else {
        *exits++ = draw_other(&rings->destinations, rings->global, above->position);
    }
    *exits = 1 + fc_random_below(&rings->destinations, rings->local);
}

static fc_status generate(fc_slotted_rings *rings, fc_error *error) {
    const double end = (double)rings->now + 1.0;
    while (rings->next_arrival < end) {
        if (rings->free.first == FC_NO_PACKET) {
            const fc_status status = fc_slotted_rings_grow(rings, error);
            if (status != FC_OK)
                return status;
        }
        const uint32_t index = fc_free_list_take(&rings->free, FC_RECORDS(rings->packets));
        fc_ring_packet *packet = &rings->packets[index];
        const uint32_t station = fc_random_below(&rings->arrivals, rings->stations);
        packet->born = packet->joined = rings->now;
        packet->stage = 0;
        packet->station_wait = packet->up_wait = packet->down_wait = 0;
        draw_path(rings, station, packet);
        append(rings, rings->station_nodes[station], index);
        ++rings->all.generated;
        rings->next_arrival += rings->gap * fc_random_exponential(&rings->arrivals);
    }
    return FC_OK;
}

static void deliver(fc_slotted_rings *rings, uint32_t index, fc_histogram *latencies) {
    fc_ring_packet *packet = &rings->packets[index];
    const uint64_t latency = rings->now - packet->born + 1;
    fc_ring_counters *all = &rings->all;
    ++all->delivered;
    all->latency += latency;
    all->station_wait += packet->station_wait;
    all->up_wait += packet->up_wait;
    all->down_wait += packet->down_wait;
    fc_histogram_add(latencies, latency);
    fc_free_list_give(&rings->free, FC_RECORDS(rings->packets), index);
}

static uint32_t slot_in_front(const fc_slotted_rings *rings, const fc_ring *ring,
                              uint32_t position) {
    const uint32_t slot = position + rings->turn[ring->level];
    return slot < ring->links ? slot : slot - ring->links;
}

static void flip_slot(fc_slotted_rings *rings, const fc_ring *ring, uint32_t slot) {
    uint64_t *bits = &rings->slot_bits[ring->slots];
    const uint32_t copy = slot + ring->links;
    bits[slot / 64] ^= (uint64_t)1 << slot % 64;
    bits[copy / 64] ^= (uint64_t)1 << copy % 64;
}

#ifdef FC_CHECKS
static bool is_full(const fc_slotted_rings *rings, const fc_ring *ring, uint32_t slot) {
    return (rings->slot_bits[ring->slots + slot / 64] >> slot % 64 & 1) != 0;
}
#endif

/* Takes the packets that leave a ring in this cycle out of their slots. Returns the list of those
 * that cross to another ring: they join their queues after this cycle's sending (I7). */
static uint32_t leave(fc_slotted_rings *rings, fc_histogram *latencies) {
    uint32_t *bucket = &rings->wheel[rings->now & rings->wheel_mask];
    uint32_t index = *bucket;
    uint32_t crossing = FC_NO_PACKET;
    *bucket = FC_NO_PACKET;
    while (index != FC_NO_PACKET) {
        fc_ring_packet *packet = &rings->packets[index];
        const uint32_t next = packet->next;
        const fc_ring_node *node = &rings->nodes[packet->node];
        const fc_ring *ring = &rings->rings[node->ring];
        const uint32_t slot = slot_in_front(rings, ring, node->position);
#ifdef FC_CHECKS
        assert(is_full(rings, ring, slot));                     /* I2, I3 */
        assert(node->position == packet->exits[packet->stage]); /* I3 */
#endif
        flip_slot(rings, ring, slot);
        --rings->on_rings[ring->level];
        if (node->queue == FC_QUEUE_STATION) {
            deliver(rings, index, latencies);
        } else {
            packet->next = crossing;
            crossing = index;
        }
        index = next;
    }
    return crossing;
}

static void cross(fc_slotted_rings *rings, uint32_t index) {
    while (index != FC_NO_PACKET) {
        fc_ring_packet *packet = &rings->packets[index];
        const uint32_t next = packet->next;
        packet->joined = rings->now;
        ++packet->stage;
        append(rings, rings->nodes[packet->node].twin, index);
        index = next;
    }
}

static void note_wait(fc_slotted_rings *rings, fc_ring_packet *packet, uint32_t queue) {
    const uint32_t wait = (uint32_t)(rings->now - packet->joined);
    ++rings->all.sent[queue];
    rings->all.waited[queue] += wait;
    if (queue == FC_QUEUE_STATION) {
        packet->station_wait = wait;
    } else {
        assert(wait >= 1); /* I7 */
        if (queue == FC_QUEUE_UP_MIDDLE || queue == FC_QUEUE_UP_GLOBAL)
            packet->up_wait += wait;
        else
            packet->down_wait += wait;
    }
}

/* The head of the queue enters the empty slot in front of the node. Returns true if the queue is
 * empty now. */
static bool send_head(fc_slotted_rings *rings, const fc_ring *ring, uint32_t position) {
    fc_ring_node *node = &rings->nodes[ring->first_node + position];
    const uint32_t index = node->head;
    fc_ring_packet *packet = &rings->packets[index];
    const uint32_t slot = slot_in_front(rings, ring, position);
#ifdef FC_CHECKS
    assert(!is_full(rings, ring, slot)); /* I2 */
#endif
    node->head = packet->next;
    note_wait(rings, packet, node->queue);
    const uint32_t exit = packet->exits[packet->stage];
    const uint32_t distance = exit > position ? exit - position : exit + ring->links - position;
    packet->node = ring->first_node + exit;
    uint32_t *bucket = &rings->wheel[(rings->now + distance) & rings->wheel_mask];
    packet->next = *bucket;
    *bucket = index;
    flip_slot(rings, ring, slot);
    ++rings->on_rings[ring->level];
    --rings->in_queues;
    return node->head == FC_NO_PACKET;
}

/* Sends from every node of the ring that has a packet waiting and an empty slot in front. Returns
 * true if a node is left waiting. */
static bool send_ring(fc_slotted_rings *rings, const fc_ring *ring) {
    uint64_t *waiting = &rings->waiting_bits[ring->waiting];
    const uint64_t *full = &rings->slot_bits[ring->slots];
    const uint32_t turn = rings->turn[ring->level];
    const uint32_t word = turn / 64, shift = turn % 64;
    uint64_t left = 0;
    for (uint32_t w = 0; w < ring->words; ++w) {
        const uint64_t in_front = full[word + w] >> shift | full[word + w + 1] << 1 << (63 - shift);
        for (uint64_t able = waiting[w] & ~in_front; able != 0; able &= able - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(able);
            if (send_head(rings, ring, 64 * w + bit))
                waiting[w] ^= (uint64_t)1 << bit;
        }
        left |= waiting[w];
    }
    return left != 0;
}

static void send_all(fc_slotted_rings *rings) {
    for (uint32_t w = 0; w < rings->active_words; ++w) {
        for (uint64_t active = rings->active_bits[w]; active != 0; active &= active - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(active);
            if (!send_ring(rings, &rings->rings[64 * w + bit]))
                rings->active_bits[w] ^= (uint64_t)1 << bit;
        }
    }
}

static void turn_rings(fc_slotted_rings *rings) {
    for (int level = 0; level < FC_RING_LEVELS; ++level) {
        rings->all.occupied[level] += rings->on_rings[level];
        if (rings->ring_links[level] > 0)
            rings->turn[level] =
                (rings->turn[level] == 0 ? rings->ring_links[level] : rings->turn[level]) - 1;
    }
    rings->all.present +=
        rings->on_rings[0] + rings->on_rings[1] + rings->on_rings[2] + rings->in_queues;
    ++rings->all.cycles;
    ++rings->now;
}

#ifdef FC_CHECKS
static void audit_ring(const fc_slotted_rings *rings, uint32_t index, uint64_t *on_rings,
                       uint64_t *in_queues) {
    const fc_ring *ring = &rings->rings[index];
    uint64_t any_waiting = 0;
    for (uint32_t position = 0; position < ring->links; ++position) {
        const fc_ring_node *node = &rings->nodes[ring->first_node + position];
        const uint64_t bit =
            rings->waiting_bits[ring->waiting + position / 64] >> position % 64 & 1;
        assert(bit == (node->head != FC_NO_PACKET)); /* I5 */
        any_waiting |= bit;
        const bool full = is_full(rings, ring, position);
        assert(full == is_full(rings, ring, position + ring->links)); /* I6 */
        *on_rings += full;
        for (uint32_t packet = node->head; packet != FC_NO_PACKET;
             packet = rings->packets[packet].next)
            ++*in_queues;
    }
    assert((rings->active_bits[index / 64] >> index % 64 & 1) == any_waiting); /* I5 */
}

static void audit(const fc_slotted_rings *rings) {
    uint64_t on_rings[FC_RING_LEVELS] = {0}, in_queues = 0, in_wheel = 0;
    for (uint32_t ring = 0; ring < rings->ring_count; ++ring)
        audit_ring(rings, ring, &on_rings[rings->rings[ring].level], &in_queues);
    for (uint32_t bucket = 0; bucket <= rings->wheel_mask; ++bucket)
        for (uint32_t packet = rings->wheel[bucket]; packet != FC_NO_PACKET;
             packet = rings->packets[packet].next)
            ++in_wheel;
    for (int level = 0; level < FC_RING_LEVELS; ++level)
        assert(on_rings[level] == rings->on_rings[level]); /* I6 */
    assert(in_queues == rings->in_queues);                 /* I1 */
    assert(in_wheel == on_rings[0] + on_rings[1] + on_rings[2]);
    assert(rings->all.generated == rings->all.delivered + in_queues + in_wheel); /* I1 */
}
#endif

static void fill_sample(const fc_slotted_rings *rings, const fc_ring_counters *before,
                        fc_sample *sample) {
    const fc_ring_counters *all = &rings->all;
    const double delivered = (double)(all->delivered - before->delivered);
    const double latency = (double)(all->latency - before->latency);
    const double wait = (double)(all->station_wait - before->station_wait);
    const double generated = (double)(all->generated - before->generated);
    const double station_cycles = (double)(all->cycles - before->cycles) * rings->stations;
    fc_observe(sample, FC_METRIC_LATENCY, latency, delivered);
    fc_observe(sample, FC_METRIC_SOURCE_WAIT, wait, delivered);
    fc_observe(sample, FC_METRIC_NETWORK_LATENCY, latency - wait, delivered);
    fc_observe(sample, FC_METRIC_THROUGHPUT, delivered, station_cycles);
    fc_observe(sample, FC_METRIC_OFFERED, generated, station_cycles);
    sample->events += (all->cycles - before->cycles) * rings->node_count;
    sample->backlog = (double)(all->generated - all->delivered);
    sample->arrivals = generated;
    sample->stations[0] = (fc_station){sample->backlog, delivered, latency - delivered};
    sample->controls[0] = generated - (double)(all->cycles - before->cycles) / rings->gap;
    sample->controls[1] =
        (double)(fc_ring_travel(all) - fc_ring_travel(before)) - rings->mean_travel * delivered;
}

fc_status fc_slotted_rings_advance(void *state, uint64_t cycles, fc_sample *sample,
                                   fc_error *error) {
    fc_slotted_rings *rings = state;
    const fc_ring_counters before = rings->all;
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const fc_status status = generate(rings, error);
        if (status != FC_OK)
            return status;
        const uint32_t crossing = leave(rings, sample->latencies);
        send_all(rings);
        cross(rings, crossing);
        turn_rings(rings);
#ifdef FC_CHECKS
        if (rings->now % 256 == 0)
            audit(rings);
#endif
    }
#ifdef FC_CHECKS
    audit(rings);
#endif
    fill_sample(rings, &before, sample);
    return FC_OK;
}
