/* What a packet network looks like between events: totals by stage and group, and the invariants of
 * packet_network.c checked. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "simulators/packet/packet_state.h"

static void count_service(const fc_packet_network *network, const completion *done,
                          state_count *states) {
    state_count *state = &states[network->buffers[done->buffer].kind];
    ++state->serving;
    --state->waiting;
    state->completions += done->time - network->epoch;
}

static void count_states(const fc_packet_network *network, state_count *states) {
    memset(states, 0, KINDS * sizeof *states);
    for (uint32_t b = 0; b < network->first_end; ++b) {
        const buffer *at = &network->buffers[b];
        states[at->kind].waiting += at->count;
    }
    for (uint64_t e = network->ring_first; e != network->ring_end; ++e)
        count_service(network, &network->ring[e & network->ring_mask], states);
    for (uint64_t e = network->reads_first; e != network->reads_end; ++e)
        count_service(network, &network->reads[e & network->reads_mask], states);
    for (uint32_t b = 0; b < network->first_end; ++b) {
        if (network->settings.output_contention) {
            if (network->holder_blocked[b]) {
                state_count *state = &states[network->buffers[network->line_holders[b]].kind];
                ++state->blocked;
                --state->waiting;
            }
            continue;
        }
        for (uint32_t s = network->buffers[b].first_waiting; s != NONE;
             s = network->buffers[s].next_waiting) {
            state_count *state = &states[network->buffers[s].kind];
            ++state->blocked;
            --state->waiting;
        }
    }
}

#ifdef FC_CHECKS
enum { IDLE, SERVED, BLOCKED, LINING_UP };

static void check_buffers(const fc_packet_network *network, uint8_t *states) {
    uint64_t inside = 0;
    for (uint32_t b = 0; b < network->first_end; ++b) {
        const buffer *at = &network->buffers[b];
        assert(at->count <= network->places ||
               b - network->first_memory < network->settings.ports); /* I2 */
        assert((at->count > 0) == (states[b] != IDLE));              /* I4 */
        uint32_t linked = 0;
        for (uint32_t name = at->head; linked < at->count; name = network->packets[name].next)
            linked += name < network->pool_used ? 1 : UINT32_MAX / 2;
        assert(linked == at->count); /* I6 */
        inside += at->count;
    }
    assert(inside == network->population); /* I6 */
}

static void check_service(const completion *done, double *last, uint8_t *states) {
    assert(done->time >= *last); /* I3 */
    *last = done->time;
    assert(states[done->buffer] == IDLE); /* I4 */
    states[done->buffer] = SERVED;
}

void fc_packet_check(const fc_packet_network *network) {
    assert(network->generated ==
           network->finished + network->discarded + network->population); /* I1 */
    /* Not through fc_allocate: a test that fails allocations means the network's. */
    uint8_t *states = calloc(network->first_end, 1);
    if (!states)
        return;
    double last = network->now;
    for (uint64_t e = network->ring_first; e != network->ring_end; ++e)
        check_service(&network->ring[e & network->ring_mask], &last, states);
    last = network->now;
    for (uint64_t e = network->reads_first; e != network->reads_end; ++e)
        check_service(&network->reads[e & network->reads_mask], &last, states);
    const bool contention = network->settings.output_contention;
    for (uint32_t b = 0; b < network->first_end + network->settings.ports; ++b) {
        const buffer *at = &network->buffers[b];
        if (contention && network->holder_blocked[b]) {
            assert(b < network->first_end && at->count == network->places); /* I5 */
            assert(states[network->line_holders[b]] == IDLE);               /* I4 */
            states[network->line_holders[b]] = BLOCKED;
        }
        for (uint32_t s = at->first_waiting; s != NONE; s = network->buffers[s].next_waiting) {
            assert(contention || at->count == network->places); /* I5 */
            assert(states[s] == IDLE);                          /* I4 */
            states[s] = contention ? LINING_UP : BLOCKED;
        }
    }
    check_buffers(network, states);
    free(states);
}
#endif

void fc_packet_network_start_measuring(fc_packet_network *network) {
    network->epoch = network->now;
    memset(network->flows, 0, sizeof network->flows);
    memset(network->group_delivered, 0, sizeof network->group_delivered);
    memset(network->group_latency, 0, sizeof network->group_latency);
    count_states(network, network->initial);
}

double fc_packet_network_now(const fc_packet_network *network) {
    return network->now;
}

uint64_t fc_packet_network_population(const fc_packet_network *network) {
    return network->population;
}

const fc_packet_settings *fc_packet_network_settings(const fc_packet_network *network) {
    return &network->settings;
}

/* A total time is: instants of leaving minus instants of coming, and those still there have stayed
 * until now; those there when measuring started came at instant 0. */
fc_packet_stage fc_packet_network_stage(const fc_packet_network *network, uint32_t stage,
                                        bool tree) {
    const uint32_t kind = 2 * stage + (tree ? 1 : 0);
    const flow *seen = &network->flows[kind];
    const state_count *initial = &network->initial[kind];
    state_count states[KINDS];
    count_states(network, states);
    const state_count *last = &states[kind];
    const double time = network->now - network->epoch;
    const bool memory = network->settings.memory_busy > 0 && stage == network->settings.stages;
    const double service = memory ? network->settings.memory_busy : network->settings.service;
    const double completed = seen->start_time + (double)seen->started * service +
                             initial->completions - last->completions;
    fc_packet_stage result = {
        .entered = seen->entered,
        .left = seen->left,
        .blocked = seen->blocked,
        .waiting = seen->start_time - seen->enter_time + (double)last->waiting * time,
        .service = completed - seen->start_time + (double)last->serving * time,
        .held = seen->leave_time - completed + (double)last->blocked * time,
        .time = time};
    for (uint32_t b = stage * network->settings.ports; b < (stage + 1) * network->settings.ports;
         ++b)
        result.buffers += network->buffers[b].kind == kind;
    return result;
}

void fc_packet_network_group(const fc_packet_network *network, uint32_t group, uint64_t *delivered,
                             double *latency) {
    *delivered = network->group_delivered[group];
    *latency = network->group_latency[group];
}

void fc_packet_network_observe(fc_packet_network *network, fc_packet_observer observer,
                               void *context) {
    network->observer = observer;
    network->observer_context = context;
}
