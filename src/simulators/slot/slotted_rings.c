/* Simulator of hierarchical slotted rings, cycle by cycle.
 *
 * In a cycle every slot moves one link. At each node the slot that arrives is examined: a packet
 * that leaves here leaves (at a station it is delivered, one cycle later; at a crossing it joins
 * the queue into the other ring, which it may leave from the next cycle on); then, if the slot is
 * empty, just vacated or not, the head of the node's queue enters it. Packets on a ring are never
 * stopped, and a new packet may be sent in the cycle of its arrival. Queues are unbounded; with
 * network.queue a packet that finds the queue of its crossing full stays in its slot for another
 * round, which counts as waiting for that queue. Where a link has several slots side by side, a
 * node looks at them lane by lane.
 *
 * Nothing is moved. Slots keep their index and the nodes rotate past them: position i of a ring of
 * n links sees slot (i + turn) mod n, with turn falling by one per cycle. A packet never stops on a
 * ring, so the cycle at which it leaves is known when it enters: it goes into a calendar wheel.
 * Full slots are bits, stored twice in a row so that the slots in front of 64 neighbouring nodes
 * are one unaligned word; so are nodes with a waiting packet, and the nodes that can send are
 * waiting & ~full, lane by lane. Empty rings and passing packets cost nothing.
 *
 * Invariants
 *  I1  Every packet generated is delivered, in exactly one queue, or in exactly one slot.
 *  I2  A slot holds at most one packet: it is empty when a packet enters and full when one leaves.
 *  I3  A packet leaves a ring at its exit node, at the cycle computed when it entered.
 *  I4  Queues are first in, first out: the heads' joining cycles never decrease.
 *  I5  A waiting bit is set if and only if that queue is not empty, an active bit if and only if
 *      the ring has a waiting bit.
 *  I6  The two copies of the full-slot bits agree and count the packets on the ring.
 *  I7  A packet that crosses between rings spends at least one cycle in the queue.
 *  I8  A crossing's queue never holds more than network.queue packets.
 *  I9  An acknowledgement leaves in the cycle in which its request came, in the slot that the
 *      request has left. */
#include <assert.h>
#include "simulators/slot/ring_closed.h"

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

void fc_slotted_rings_send(fc_slotted_rings *rings, uint32_t station, uint32_t packet) {
    append(rings, rings->station_nodes[station], packet);
    ++rings->all.generated;
}

/* Uniform over 0 .. bound-1 but without the one excluded. */
static uint32_t draw_other(fc_random *random, uint32_t bound, uint32_t excluded) {
    const uint32_t draw = fc_random_below(random, bound - 1);
    return draw + (draw >= excluded);
}

/* The node at which packets from below join the ring above. */
static uint32_t node_above(const fc_slotted_rings *rings, uint32_t ring) {
    return rings->nodes[rings->rings[ring].first_node].twin;
}

/* Level of the lowest ring that both stations are on or below. */
static uint32_t meeting_level(const fc_slotted_rings *rings, uint32_t station, uint32_t other) {
    uint32_t one = rings->nodes[rings->station_nodes[station]].ring;
    uint32_t two = rings->nodes[rings->station_nodes[other]].ring;
    while (one != two) {
        one = rings->nodes[node_above(rings, one)].ring;
        two = rings->nodes[node_above(rings, two)].ring;
    }
    return rings->rings[one].level;
}

/* Any station of the ring of this level but those of the own part of it. */
static uint32_t draw_in_tree(fc_slotted_rings *rings, uint32_t station, uint32_t level) {
    uint32_t own = station, below = 1;
    uint32_t ring = rings->nodes[rings->station_nodes[station]].ring;
    for (uint32_t l = 0; l < level; ++l) {
        own = rings->rings[ring].station;
        below = rings->rings[ring].stations;
        ring = rings->nodes[node_above(rings, ring)].ring;
    }
    const fc_ring *joint = &rings->rings[ring];
    const uint32_t drawn =
        joint->station + fc_random_below(&rings->destinations, joint->stations - below);
    return drawn + (drawn >= own ? below : 0);
}

/* The level of the highest ring on the way, by the shares of the traffic. */
static uint32_t draw_level(fc_slotted_rings *rings) {
    const double draw = fc_random_unit(&rings->destinations);
    uint32_t level = 0;
    while (draw >= rings->shares_up_to[level])
        ++level;
    return level;
}

/* Another station that a ring of this level is the lowest to join with the first, where all rings
 * of a level are alike. */
static uint32_t draw_at_level(fc_slotted_rings *rings, uint32_t station, uint32_t level) {
    const uint32_t *places = &rings->places[(size_t)station * rings->levels];
    const uint32_t own = places[level] - (level + 1 < rings->levels ? 1 : 0);
    uint32_t drawn = station + (draw_other(&rings->destinations, rings->sizes[level], own) - own) *
                                   rings->below[level];
    for (uint32_t l = level; l-- > 0;)
        drawn += (1 + fc_random_below(&rings->destinations, rings->sizes[l]) - places[l]) *
                 rings->below[l];
    return drawn;
}

/* With a hot station or unequal rings. Apart, so that random words stay in line above. */
static __attribute__((noinline)) void draw_uneven(fc_slotted_rings *rings, uint32_t station,
                                                  fc_ring_packet *packet) {
    if (rings->hot_share > 0 && station != rings->hot &&
        fc_random_unit(&rings->destinations) < rings->hot_share) {
        packet->destination = rings->hot;
    } else if (rings->uniform) {
        packet->destination = draw_other(&rings->destinations, rings->stations, station);
    } else {
        const uint32_t level = draw_level(rings);
        packet->destination = draw_in_tree(rings, station, level);
    }
    packet->turn = (uint16_t)meeting_level(rings, station, packet->destination);
}

static inline void draw_path(fc_slotted_rings *rings, uint32_t station, fc_ring_packet *packet) {
    if (!rings->alike) {
        draw_uneven(rings, station, packet);
        return;
    }
    packet->turn = (uint16_t)draw_level(rings);
    packet->destination = draw_at_level(rings, station, packet->turn);
}

void fc_slotted_rings_draw(fc_slotted_rings *rings, uint32_t station, fc_ring_packet *packet) {
    draw_path(rings, station, packet);
}

/* Position at which a packet that enters the ring from a queue of this kind leaves it: 0 on the way
 * up, else its destination's. Nobody could guess which, so there is no branch. */
static uint32_t exit_of(const fc_slotted_rings *rings, const fc_ring *ring, uint32_t queue,
                        const fc_ring_packet *packet) {
    const uint32_t rises = (queue < rings->levels) & (ring->level < packet->turn);
    return rings->places[(size_t)packet->destination * rings->levels + ring->level] & (rises - 1);
}

static inline uint32_t new_packet(fc_slotted_rings *rings, fc_error *error) {
    if (rings->free.first == FC_NO_PACKET && fc_slotted_rings_grow(rings, error) != FC_OK)
        return FC_NO_PACKET;
    const uint32_t index = fc_free_list_take(&rings->free, FC_RECORDS(rings->packets));
    fc_ring_packet *packet = &rings->packets[index];
    packet->born = packet->joined = rings->now;
    packet->waits[FC_AT_STATION] = packet->waits[FC_GOING_UP] = packet->waits[FC_GOING_DOWN] = 0;
    return index;
}

uint32_t fc_slotted_rings_packet(fc_slotted_rings *rings, fc_error *error) {
    return new_packet(rings, error);
}

static fc_status generate(fc_slotted_rings *rings, fc_error *error) {
    const double end = (double)rings->now + 1.0;
    while (rings->next_arrival < end) {
        const uint32_t index = new_packet(rings, error);
        if (index == FC_NO_PACKET)
            return FC_ERROR_MEMORY;
        const uint32_t station = fc_random_below(&rings->arrivals, rings->stations);
        draw_path(rings, station, &rings->packets[index]);
        append(rings, rings->station_nodes[station], index);
        ++rings->all.generated;
        rings->next_arrival += rings->gap * fc_random_exponential(&rings->arrivals);
    }
    return FC_OK;
}

/* Counts a packet that has come to its station. */
static inline uint64_t count_delivered(fc_slotted_rings *rings, const fc_ring_packet *packet) {
    const uint64_t latency = rings->now - packet->born + 1;
    fc_ring_counters *all = &rings->all;
    ++all->delivered;
    all->latency += latency;
    all->station_wait += packet->waits[FC_AT_STATION];
    all->up_wait += packet->waits[FC_GOING_UP];
    all->down_wait += packet->waits[FC_GOING_DOWN];
    if (rings->hot_share > 0 && packet->destination == rings->hot) {
        ++all->hot_delivered;
        all->hot_latency += latency;
    }
    return latency;
}

static void deliver(fc_slotted_rings *rings, uint32_t index, fc_histogram *latencies) {
    fc_histogram_add(latencies, count_delivered(rings, &rings->packets[index]));
    fc_free_list_give(&rings->free, FC_RECORDS(rings->packets), index);
}

static uint32_t slot_in_front(const fc_ring *ring, uint32_t position) {
    const uint32_t slot = position + *ring->turn;
    return slot < ring->links ? slot : slot - ring->links;
}

static void flip_slot(fc_slotted_rings *rings, const fc_ring *ring, uint32_t lane, uint32_t slot) {
    uint64_t *bits = &rings->slot_bits[ring->slots + lane * ring->lane_words];
    const uint32_t copy = slot + ring->links;
    bits[slot / 64] ^= (uint64_t)1 << slot % 64;
    bits[copy / 64] ^= (uint64_t)1 << copy % 64;
}

#ifdef FC_CHECKS
static bool is_full(const fc_slotted_rings *rings, const fc_ring *ring, uint32_t lane,
                    uint32_t slot) {
    const size_t word = ring->slots + lane * ring->lane_words + slot / 64;
    return (rings->slot_bits[word] >> slot % 64 & 1) != 0;
}
#endif

static inline void take_out(fc_slotted_rings *rings, const fc_ring_packet *packet) {
    const fc_ring_node *node = &rings->nodes[packet->node];
    const fc_ring *ring = &rings->rings[node->ring];
    const uint32_t slot = slot_in_front(ring, node->position);
#ifdef FC_CHECKS
    assert(is_full(rings, ring, packet->lane, slot)); /* I2, I3 */
#endif
    flip_slot(rings, ring, packet->lane, slot);
    --rings->on_rings[ring->level];
}

static void add_to_wheel(fc_slotted_rings *rings, uint32_t index, uint32_t distance) {
    uint32_t *bucket = &rings->wheel[(rings->now + distance) & rings->wheel_mask];
    rings->packets[index].next = *bucket;
    *bucket = index;
}

/* The packet of a queue of this kind enters the empty slot in front of the position. */
static inline void enter(fc_slotted_rings *rings, const fc_ring *ring, uint32_t lane,
                         uint32_t position, uint32_t queue, uint32_t index) {
    fc_ring_packet *packet = &rings->packets[index];
    const uint32_t slot = slot_in_front(ring, position);
#ifdef FC_CHECKS
    assert(!is_full(rings, ring, lane, slot)); /* I2 */
#endif
    const uint32_t exit = exit_of(rings, ring, queue, packet);
    const uint32_t distance = exit > position ? exit - position : exit + ring->links - position;
    packet->node = ring->first_node + exit;
    packet->lane = (uint16_t)lane;
    add_to_wheel(rings, index, distance);
    flip_slot(rings, ring, lane, slot);
    ++rings->on_rings[ring->level];
}

static void note_wait(fc_slotted_rings *rings, fc_ring_packet *packet, uint32_t queue) {
    const uint32_t wait = (uint32_t)(rings->now - packet->joined);
    ++rings->all.sent[queue];
    rings->all.waited[queue] += wait;
    assert(wait >= 1 || queue == FC_QUEUE_STATION); /* I7 */
    packet->waits[(queue > FC_QUEUE_STATION) + (queue >= rings->levels)] += wait;
}

/* Closed traffic: a packet has come to its station. What it is answered by takes its slot (I9). */
static void answer(fc_slotted_rings *rings, uint32_t index) {
    fc_ring_packet *packet = &rings->packets[index];
    const fc_ring_node *node = &rings->nodes[packet->node];
    (void)count_delivered(rings, packet);
    if (!fc_ring_closed_arrive(rings, packet)) {
        fc_free_list_give(&rings->free, FC_RECORDS(rings->packets), index);
        return;
    }
    ++rings->all.generated;
    note_wait(rings, packet, FC_QUEUE_STATION);
    enter(rings, &rings->rings[node->ring], packet->lane, node->position, FC_QUEUE_STATION, index);
}

/* Lane by lane. */
static void answer_all(fc_slotted_rings *rings, uint32_t arrived) {
    for (uint32_t lane = 0; lane < rings->lanes && arrived != FC_NO_PACKET; ++lane) {
        uint32_t rest = FC_NO_PACKET;
        while (arrived != FC_NO_PACKET) {
            const uint32_t index = arrived;
            fc_ring_packet *packet = &rings->packets[index];
            arrived = packet->next;
            if (packet->lane == lane) {
                answer(rings, index);
            } else {
                packet->next = rest;
                rest = index;
            }
        }
        arrived = rest;
    }
}

/* Of the packets that have come to their crossings, lane by lane: takes out those whose queue has
 * room and returns them as a list; the others go round once more. */
static uint32_t admit(fc_slotted_rings *rings, uint32_t arrived) {
    uint32_t admitted = FC_NO_PACKET, *end = &admitted;
    for (uint32_t lane = 0; lane < rings->lanes; ++lane) {
        uint32_t rest = FC_NO_PACKET;
        while (arrived != FC_NO_PACKET) {
            const uint32_t index = arrived;
            fc_ring_packet *packet = &rings->packets[index];
            const fc_ring_node *node = &rings->nodes[packet->node];
            arrived = packet->next;
            if (packet->lane != lane) {
                packet->next = rest;
                rest = index;
            } else if (rings->room > 0 && rings->nodes[node->twin].held == rings->room) {
                const uint32_t round = rings->rings[node->ring].links;
                uint32_t *wait =
                    &packet->waits[node->queue < rings->levels ? FC_GOING_DOWN : FC_GOING_UP];
                *wait += round;
                add_to_wheel(rings, index, round);
            } else {
                ++rings->nodes[node->twin].held;
                take_out(rings, packet);
                packet->next = FC_NO_PACKET;
                *end = index;
                end = &packet->next;
            }
        }
        arrived = rest;
    }
    return admitted;
}

/* Takes the packets that leave a ring in this cycle out of their slots. Returns the list of those
 * that cross to another ring: they join their queues after this cycle's sending (I7). */
static uint32_t leave(fc_slotted_rings *rings, fc_histogram *latencies) {
    uint32_t *bucket = &rings->wheel[rings->now & rings->wheel_mask];
    uint32_t index = *bucket;
    uint32_t crossing = FC_NO_PACKET, arrived = FC_NO_PACKET;
    *bucket = FC_NO_PACKET;
    while (index != FC_NO_PACKET) {
        fc_ring_packet *packet = &rings->packets[index];
        const uint32_t next = packet->next;
        if (rings->nodes[packet->node].queue == FC_QUEUE_STATION) {
            take_out(rings, packet);
            if (rings->closed) {
                packet->next = arrived;
                arrived = index;
            } else {
                deliver(rings, index, latencies);
            }
        } else {
            if (!rings->in_order)
                take_out(rings, packet);
            packet->next = crossing;
            crossing = index;
        }
        index = next;
    }
    if (arrived != FC_NO_PACKET)
        answer_all(rings, arrived);
    return !rings->in_order ? crossing : admit(rings, crossing);
}

static void cross(fc_slotted_rings *rings, uint32_t index) {
    while (index != FC_NO_PACKET) {
        fc_ring_packet *packet = &rings->packets[index];
        const uint32_t next = packet->next;
        packet->joined = rings->now;
        append(rings, rings->nodes[packet->node].twin, index);
        index = next;
    }
}

/* The head of the queue enters the empty slot in front of the node. Returns true if the queue is
 * empty now. */
static inline bool send_head(fc_slotted_rings *rings, const fc_ring *ring, uint32_t lane,
                             uint32_t position) {
    fc_ring_node *node = &rings->nodes[ring->first_node + position];
    const uint32_t index = node->head;
    fc_ring_packet *packet = &rings->packets[index];
    node->head = packet->next;
    note_wait(rings, packet, node->queue);
    if (rings->in_order && node->queue != FC_QUEUE_STATION)
        --node->held;
    enter(rings, ring, lane, position, node->queue, index);
    --rings->in_queues;
    return node->head == FC_NO_PACKET;
}

/* Sends from every node of the ring that has a packet waiting and an empty slot of this lane in
 * front. Returns true if a node is left waiting. */
static inline bool send_lane(fc_slotted_rings *rings, const fc_ring *ring, uint32_t lane) {
    uint64_t *waiting = &rings->waiting_bits[ring->waiting];
    const uint64_t *full = &rings->slot_bits[ring->slots + lane * ring->lane_words];
    const uint32_t turn = *ring->turn;
    const uint32_t word = turn / 64, shift = turn % 64;
    uint64_t left = 0;
    for (uint32_t w = 0; w < ring->words; ++w) {
        const uint64_t in_front = full[word + w] >> shift | full[word + w + 1] << 1 << (63 - shift);
        for (uint64_t able = waiting[w] & ~in_front; able != 0; able &= able - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(able);
            if (send_head(rings, ring, lane, 64 * w + bit))
                waiting[w] ^= (uint64_t)1 << bit;
        }
        left |= waiting[w];
    }
    return left != 0;
}

static inline bool send_ring(fc_slotted_rings *rings, const fc_ring *ring) {
    bool left = send_lane(rings, ring, 0);
    for (uint32_t lane = 1; lane < ring->lanes && left; ++lane)
        left = send_lane(rings, ring, lane);
    return left;
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
    rings->all.present += rings->in_queues;
    for (uint32_t level = 0; level < rings->levels; ++level) {
        rings->all.occupied[level] += rings->on_rings[level];
        rings->all.present += rings->on_rings[level];
    }
    for (uint32_t i = 0; i < rings->turn_count; ++i) {
        fc_ring_turn *turn = &rings->turns[i];
        turn->slot = (turn->slot == 0 ? turn->links : turn->slot) - 1;
    }
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
        for (uint32_t lane = 0; lane < ring->lanes; ++lane) {
            const bool full = is_full(rings, ring, lane, position);
            assert(full == is_full(rings, ring, lane, position + ring->links)); /* I6 */
            *on_rings += full;
        }
        uint32_t queued = 0;
        for (uint32_t packet = node->head; packet != FC_NO_PACKET;
             packet = rings->packets[packet].next)
            ++queued;
        *in_queues += queued;
        assert(!rings->in_order || node->queue == FC_QUEUE_STATION || queued == node->held);
        assert(rings->room == 0 || node->held <= rings->room); /* I8 */
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
    uint64_t in_slots = 0;
    for (int level = 0; level < FC_RING_LEVELS; ++level) {
        assert(on_rings[level] == rings->on_rings[level]); /* I6 */
        in_slots += on_rings[level];
    }
    assert(in_queues == rings->in_queues); /* I1 */
    assert(in_wheel == in_slots);
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
    if (rings->hot_share > 0) {
        const double hot = (double)(all->hot_delivered - before->hot_delivered);
        const double hot_latency = (double)(all->hot_latency - before->hot_latency);
        fc_observe(sample, FC_METRIC_LATENCY_HOT, hot_latency, hot);
        fc_observe(sample, FC_METRIC_LATENCY_COLD, latency - hot_latency, delivered - hot);
    }
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
        const fc_status status =
            rings->closed ? fc_ring_closed_begin(rings, error) : generate(rings, error);
        if (status != FC_OK)
            return status;
        const uint32_t crossing = leave(rings, sample->latencies);
        send_all(rings);
        cross(rings, crossing);
        turn_rings(rings);
        if (rings->closed)
            fc_ring_closed_end(rings);
#ifdef FC_CHECKS
        if (rings->now % 256 == 0)
            audit(rings);
#endif
    }
#ifdef FC_CHECKS
    audit(rings);
#endif
    if (!rings->closed) {
        fill_sample(rings, &before, sample);
        return FC_OK;
    }
    fc_ring_closed_fill(rings, cycles, sample);
    return fc_ring_closed_check(rings, error);
}
