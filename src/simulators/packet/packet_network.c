/* The event-driven engine behind packet_network.h.
 *
 * All service times are equal, so services end in the order in which they began: the calendar of
 * completions is a plain FIFO ring, and the superposed Poisson sources are one stream of arrivals
 * merged with it; so do those of memories, in a ring of their own. No heap, no comparison but one
 * per event; and since the ring tells which buffers the next events will touch, they are
 * prefetched.
 *
 * A packet carries the rest of its route as a 32-bit fraction of the address space: multiplying by
 * a yields the next digit in the upper half of the product, for any switch size.
 *
 * Events at one instant happen in the order in which their services began. When a packet moves from
 * b to c: it joins c, which serves it if c was idle; with output contention the line then goes to
 * the next waiting input; then b admits the packet blocked behind it, if any, and serves its next,
 * and the same follows for the admitted packet's buffer.
 *
 * Invariants, checked between events of a checking build:
 * I1  generated = finished + discarded + inside, since the network was created.
 * I2  no limited buffer holds more packets than it has places; memories have no limit.
 * I3  the rings are in order of time, and no entry lies before the present.
 * I4  a buffer that holds packets has its first one in exactly one of these states: in service (one
 *     ring entry), blocked by the buffer ahead, waiting for a line (output contention only).
 * I5  a buffer with blocked senders has no free place.
 * I6  the packets linked in the buffers are those counted as inside. */
#include "simulators/packet/packet_network.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "simulators/packet/packet_state.h"

#define INLINE static inline __attribute__((always_inline))

enum { CONTENTION = 1, ROUND = 2 }; /* mode: contention for output ports; a way back */

enum { POOL_MAX = INT32_MAX };

/* ---- moving packets ---- */

INLINE void list_append(buffer *buffers, uint32_t waited_for, uint32_t sender) {
    buffer *list = &buffers[waited_for];
    buffers[sender].next_waiting = NONE;
    if (list->first_waiting == NONE)
        list->first_waiting = sender;
    else
        buffers[list->last_waiting].next_waiting = sender;
    list->last_waiting = sender;
}

INLINE uint32_t list_take(buffer *buffers, uint32_t waited_for) {
    buffer *list = &buffers[waited_for];
    const uint32_t sender = list->first_waiting;
    if (sender != NONE)
        list->first_waiting = buffers[sender].next_waiting;
    return sender;
}

INLINE bool is_memory(const fc_packet_network *network, uint32_t index) {
    return index - network->first_memory < network->settings.ports;
}

/* Half a step above the destination: no digit is lost to rounding while N < 2^30. */
INLINE uint32_t route_to(const fc_packet_network *network, uint32_t destination) {
    return (uint32_t)(((2 * (uint64_t)destination + 1) << 31) / network->settings.ports);
}

INLINE void serve(fc_packet_network *network, uint32_t index, uint32_t ahead, const unsigned mode) {
    flow *seen = &network->flows[network->buffers[index].kind];
    seen->start_time += network->now - network->epoch;
    ++seen->started;
    if (mode & ROUND && is_memory(network, index)) {
        network->reads[network->reads_end++ & network->reads_mask] =
            (completion){network->now + network->settings.memory_busy, index, ahead};
        return;
    }
    network->ring[network->ring_end++ & network->ring_mask] =
        (completion){network->now + network->settings.service, index, ahead};
}

/* Begins the service of the buffer's first packet, or lets it wait for its line. */
INLINE void begin(fc_packet_network *network, uint32_t index, const unsigned mode) {
    const buffer *from = &network->buffers[index];
    packet *first = &network->packets[from->head];
    if (mode & ROUND && is_memory(network, index)) {
        if (mode & CONTENTION)
            network->line_holders[from->first_ahead] = index;
        first->route = route_to(network, network->sources[from->head]);
        serve(network, index, from->first_ahead, mode);
        return;
    }
    const uint64_t product = (uint64_t)first->route * network->settings.switch_size;
    const uint32_t ahead = from->first_ahead + (uint32_t)(product >> 32) * network->stride;
    first->route = (uint32_t)product;
    if (mode & CONTENTION) {
        if (network->line_holders[ahead] != NONE) {
            list_append(network->buffers, ahead, index);
            return;
        }
        network->line_holders[ahead] = index;
    }
    serve(network, index, ahead, mode);
}

INLINE void enter(fc_packet_network *network, uint32_t index, uint32_t name, const unsigned mode) {
    buffer *into = &network->buffers[index];
    flow *seen = &network->flows[into->kind];
    seen->enter_time += network->now - network->epoch;
    ++seen->entered;
    if (into->count++ == 0) {
        into->head = into->tail = name;
        begin(network, index, mode);
    } else {
        network->packets[into->tail].next = name;
        into->tail = name;
    }
}

/* A packet has come to a memory, by its shuffled address. */
INLINE void count_delivered(fc_packet_network *network, uint32_t shuffled, uint32_t name) {
    const double latency = network->now - network->packets[name].born;
    network->counts.latency += latency;
    ++network->counts.delivered;
    const uint8_t group = network->groups[shuffled];
    ++network->group_delivered[group];
    network->group_latency[group] += latency;
    if (group == 0) {
        network->counts.latency_hot += latency;
        ++network->counts.delivered_hot;
    }
    if (network->latencies)
        fc_histogram_add(network->latencies, (uint64_t)(latency * network->settings.latency_scale));
}

/* A packet leaves for good. */
INLINE void finish(fc_packet_network *network, uint32_t ahead, uint32_t name, const unsigned mode) {
    packet *done = &network->packets[name];
    const uint32_t shuffled = ahead - network->first_end;
    ++network->finished;
    if (mode & ROUND) {
        network->counts.round += network->now - done->born;
        ++network->counts.returned;
    } else {
        count_delivered(network, shuffled, name);
    }
    if (network->outstanding)
        --network->outstanding[network->sources[name]];
    if (network->observer)
        network->observer(network->observer_context, network->memories[shuffled], done->born,
                          network->now);
    --network->population;
    done->next = network->pool_free;
    network->pool_free = name;
}

/* The line into `ahead` is free: the input that waited longest gets it. */
INLINE void pass_line_on(fc_packet_network *network, uint32_t ahead, const unsigned mode) {
    const uint32_t next = list_take(network->buffers, ahead);
    network->line_holders[ahead] = next;
    if (next != NONE)
        serve(network, next, ahead, mode);
}

/* The first packet of a buffer leaves it. */
INLINE uint32_t remove_first(fc_packet_network *network, uint32_t index) {
    buffer *from = &network->buffers[index];
    const uint32_t name = from->head;
    flow *seen = &network->flows[from->kind];
    seen->leave_time += network->now - network->epoch;
    ++seen->left;
    from->head = network->packets[name].next;
    --from->count;
    return name;
}

/* The sender whose packet waits for a place in this buffer, if any; it waits no longer. */
INLINE uint32_t take_blocked(fc_packet_network *network, uint32_t index, const unsigned mode) {
    if (!(mode & CONTENTION))
        return list_take(network->buffers, index);
    if (!network->holder_blocked[index])
        return NONE;
    network->holder_blocked[index] = 0;
    return network->line_holders[index];
}

INLINE void complete(fc_packet_network *network, completion done, const unsigned mode) {
    uint32_t index = done.buffer;
    const bool into_memory = mode & ROUND && is_memory(network, done.ahead);
    if (done.ahead < network->first_end && !into_memory &&
        network->buffers[done.ahead].count >= network->places) {
        ++network->flows[network->buffers[index].kind].blocked;
        if (mode & CONTENTION)
            network->holder_blocked[done.ahead] = 1;
        else
            list_append(network->buffers, done.ahead, index);
        return;
    }
    const uint32_t name = remove_first(network, index);
    if (into_memory)
        count_delivered(network, done.ahead - network->first_memory, name);
    if (done.ahead < network->first_end)
        enter(network, done.ahead, name, mode);
    else
        finish(network, done.ahead, name, mode);
    if (mode & CONTENTION)
        pass_line_on(network, done.ahead, mode);
    /* The place that became free moves upstream as far as senders are blocked. A buffer that blocks
     * was full, so it still holds a packet and an admitted one does not begin its service. */
    for (;;) {
        const uint32_t sender = take_blocked(network, index, mode);
        if (sender != NONE) {
            enter(network, index, remove_first(network, sender), mode);
            if (mode & CONTENTION)
                pass_line_on(network, index, mode);
        }
        if (network->buffers[index].count > 0)
            begin(network, index, mode);
        if (sender == NONE)
            return;
        index = sender;
    }
}

/* ---- arrivals ---- */

static fc_status grow_pool(fc_packet_network *network, fc_error *error) {
    const uint64_t wanted = 2 * (uint64_t)network->pool_size;
    if (wanted > POOL_MAX)
        return fc_fail_memory(error);
    packet *packets = fc_reallocate(network->packets, (size_t)wanted, sizeof *packets);
    if (!packets)
        return fc_fail_memory(error);
    network->packets = packets;
    if (network->sources) {
        uint32_t *sources = fc_reallocate(network->sources, (size_t)wanted, sizeof *sources);
        if (!sources)
            return fc_fail_memory(error);
        network->sources = sources;
    }
    network->pool_size = (uint32_t)wanted;
    return FC_OK;
}

INLINE uint32_t new_packet(fc_packet_network *network) {
    const uint32_t name = network->pool_free;
    if (name != NONE) {
        network->pool_free = network->packets[name].next;
        return name;
    }
    return network->pool_used++;
}

INLINE uint32_t draw_destination(fc_packet_network *network) {
    fc_random *random = &network->destinations;
    if (network->settings.hot_share > 0.0 && fc_random_unit(random) < network->settings.hot_share)
        return network->settings.hot_memory;
    return fc_random_below(random, network->settings.ports);
}

INLINE fc_status arrive(fc_packet_network *network, const unsigned mode, fc_error *error) {
    const uint32_t ports = network->settings.ports;
    const uint32_t source = fc_random_below(&network->arrivals, ports);
    network->next_arrival += network->mean_gap * fc_random_exponential(&network->arrivals);
    if (network->outstanding && network->outstanding[source] == network->settings.outstanding)
        return FC_OK;
    ++network->generated;
    const uint32_t destination = draw_destination(network);
    const uint32_t index = network->entries[source];
    if (network->settings.shadow) {
        const fc_status status =
            fc_shadow_message(&network->shadow, (uint64_t)(network->now * network->ticks),
                              source * ports + destination, FC_PACKET_TICKS, error);
        if (status != FC_OK)
            return status;
    }
    if (network->buffers[index].count >= network->places) {
        ++network->discarded;
        return FC_OK;
    }
    if (network->pool_free == NONE && network->pool_used == network->pool_size) {
        const fc_status status = grow_pool(network, error);
        if (status != FC_OK)
            return status;
    }
    const uint32_t name = new_packet(network);
    network->packets[name].born = network->now;
    network->packets[name].route = route_to(network, destination);
    if (network->sources)
        network->sources[name] = source;
    if (network->outstanding)
        ++network->outstanding[source];
    ++network->population;
    enter(network, index, name, mode);
    return FC_OK;
}

/* ---- the clock ---- */

/* The two events ahead whose memory is asked for may be stale ring entries: any index is valid. */
INLINE void look_ahead(const fc_packet_network *network) {
    const completion *far = &network->ring[(network->ring_first + LOOK_AHEAD) & network->ring_mask];
    __builtin_prefetch(&network->buffers[far->buffer], 1);
    __builtin_prefetch(&network->buffers[far->ahead], 1);
    const completion *near =
        &network->ring[(network->ring_first + LOOK_AHEAD / 2) & network->ring_mask];
    __builtin_prefetch(&network->packets[network->buffers[near->buffer].head], 1);
    __builtin_prefetch(&network->packets[network->buffers[near->ahead].tail], 1);
}

INLINE fc_status run_until(fc_packet_network *network, double until, const unsigned mode,
                           fc_error *error) {
    for (;;) {
        const bool serving = network->ring_first != network->ring_end;
        const completion done = network->ring[network->ring_first & network->ring_mask];
        if (mode & ROUND && network->reads_first != network->reads_end) {
            const completion read = network->reads[network->reads_first & network->reads_mask];
            if ((!serving || read.time < done.time) && read.time <= network->next_arrival) {
                if (read.time > until)
                    return FC_OK;
                ++network->reads_first;
                network->now = read.time;
                complete(network, read, mode);
                continue;
            }
        }
        if (serving && done.time <= network->next_arrival) {
            if (done.time > until)
                return FC_OK;
            look_ahead(network);
            ++network->ring_first;
            network->now = done.time;
            complete(network, done, mode);
        } else {
            if (network->next_arrival > until)
                return FC_OK;
            network->now = network->next_arrival;
            ++network->counts.events;
            const fc_status status = arrive(network, mode, error);
            if (status != FC_OK)
                return status;
        }
    }
}

/* One loop for each mode: what a mode does not have costs it nothing. */
#define RUN(name, mode)                                                                            \
    static fc_status name(fc_packet_network *network, double until, fc_error *error) {             \
        return run_until(network, until, mode, error);                                             \
    }
RUN(run_plain, 0)
RUN(run_with_contention, CONTENTION)
RUN(run_round, ROUND)
RUN(run_round_with_contention, ROUND | CONTENTION)
#undef RUN

static fc_status (*const runs[])(fc_packet_network *, double, fc_error *) = {
    run_plain, run_with_contention, run_round, run_round_with_contention};

fc_status fc_packet_network_advance(fc_packet_network *network, double cycles,
                                    fc_packet_counts *counts, fc_histogram *latencies,
                                    fc_error *error) {
    const double from = network->now, until = network->now + cycles;
    const uint64_t generated = network->generated, discarded = network->discarded;
    const uint64_t completed = network->ring_first + network->reads_first;
    const unsigned mode = (network->settings.output_contention ? CONTENTION : 0) |
                          (network->settings.memory_busy > 0 ? ROUND : 0);
    memset(&network->counts, 0, sizeof network->counts);
    network->latencies = latencies;
    const fc_status status = runs[mode](network, until, error);
    if (status != FC_OK)
        return status;
    network->now = until;
#ifdef FC_CHECKS
    fc_packet_check(network);
#endif
    counts->generated += network->generated - generated;
    counts->discarded += network->discarded - discarded;
    counts->delivered += network->counts.delivered;
    counts->latency += network->counts.latency;
    counts->delivered_hot += network->counts.delivered_hot;
    counts->latency_hot += network->counts.latency_hot;
    counts->returned += network->counts.returned;
    counts->round += network->counts.round;
    counts->events +=
        network->counts.events + (network->ring_first + network->reads_first - completed);
    counts->cycles += until - from;
    return FC_OK;
}

double fc_packet_network_shadow(fc_packet_network *network, double cycles) {
    if (!network->settings.shadow)
        return 0;
    const uint64_t until = (uint64_t)(network->now * network->ticks);
    return fc_shadow_surplus(&network->shadow, until, cycles * network->ticks);
}
