/* The invariants of the router engine, asserted after every cycle where FC_CHECKS is set:
 *
 *   R1  credits: for every virtual channel of a link, credits, flits on the link, flits in the
 *       buffer (those kept for another copy too) and credits under way add up to the size of the
 *       buffer.
 *   R2  order: a buffer holds messages one after the other; flits of a message stay in order, and
 *       no flit of another message is between them.
 *   R3  lists: a header without an output channel is either in `asking` or put aside; a header
 *       with one that is still in the allocation stage is in `moving`; a channel is `ready`
 *       exactly if it has a flit, has passed its stages and has room in the next buffer.
 *   R4  owners: an output channel is free, or held by exactly the input channel that names it, or
 *       waiting for credits after its tail (when-empty).
 *   R5  conservation: every live message is queued, leaving a node, in the network, or a reply
 *       that is due later.
 *   R6  requests: no node has more unanswered requests than it is allowed. */
#include "simulators/router/router.h"

#include <assert.h>
#include "base/memory.h"

#ifdef FC_CHECKS

static uint32_t count_events(const fc_wheel *wheel, uint32_t low) {
    uint32_t count = 0;
    for (size_t slot = 0; slot <= wheel->mask; ++slot) {
        const uint64_t *event = wheel->event + slot * wheel->room;
        for (; event < wheel->end[slot]; ++event)
            count += (uint32_t)*event == low;
    }
    return count;
}

static void check_places(const fc_router *e, uint32_t channel) {
    const fc_in_channel *in = &e->in[channel];
    const uint32_t known = in->upstream & FC_TO_NODE ? e->node_credits[in->upstream & ~FC_TO_NODE]
                                                     : e->out[in->upstream].credits;
    const uint32_t flying = count_events(&e->flits, channel);
    const uint32_t returning = count_events(&e->credits, in->upstream);
    const uint32_t kept = e->fork ? e->fork[channel].kept : 0;
    assert(known + flying + in->count + kept + returning == e->buffer); /* R1 */
}

static void check_order(const fc_router *e, uint32_t channel) {
    const fc_in_channel *in = &e->in[channel];
    const uint32_t *buffer = &e->flit[(size_t)channel << e->buffer_bits];
    const uint32_t mask = (1u << e->buffer_bits) - 1;
    for (uint32_t i = 1; i < in->count; ++i) {
        const uint32_t before = buffer[(in->first + i - 1) & mask];
        const uint32_t here = buffer[(in->first + i) & mask];
        assert(before & 1 ? before >> 1 != here >> 1 : before >> 1 == here >> 1); /* R2 */
    }
}

static uint32_t count_aside(const fc_router *e, uint32_t channel) {
    uint32_t count = 0;
    for (uint32_t c = e->put_aside[e->network->input_router[e->in[channel].input]]; c != FC_NONE;
         c = e->in[c].next)
        count += c == channel;
    return count;
}

static void check_lists(const fc_router *e, uint32_t channel) {
    const fc_in_channel *in = &e->in[channel];
    const bool waiting = in->front == FC_FRONT_WAITING, held = in->held != FC_NONE;
    const uint32_t asking = count_events(&e->asking, channel) + count_aside(e, channel);
    assert(asking == (waiting && !held));                           /* R3 */
    assert(count_events(&e->moving, channel) == (waiting && held)); /* R3 */
    const bool ready = in->front == FC_FRONT_MOVING && in->count && e->out[in->held].credits;
    assert((e->ready[channel >> 6] >> (channel & 63) & 1) == ready); /* R3 */
    if (in->held != FC_NONE)
        assert(e->out[in->held].owner == channel); /* R4 */
}

static void check_owners(const fc_router *e) {
    for (uint32_t o = 0; o < e->network->outputs; ++o) {
        const bool to_node = e->network->output_end[o] & FC_TO_NODE;
        const uint32_t channels =
            to_node ? (uint32_t)__builtin_popcountll(e->ejection_mask) : e->virtual_channels;
        for (uint32_t v = 0; v < channels; ++v) {
            const fc_out_channel *out = &e->out[o * e->output_stride + v];
            const bool available = e->output[o].free >> v & 1;
            assert(available + (out->owner != FC_NONE) + (out->finished != 0) == 1); /* R4 */
            assert(out->owner == FC_NONE || e->in[out->owner].held == o * e->output_stride + v);
        }
    }
}

static void check_nodes(const fc_router *e) {
    uint64_t queued = 0;
    for (uint32_t node = 0; node < e->nodes; ++node) {
        for (uint32_t c = 0; c < e->classes; ++c) {
            for (uint32_t m = e->queue[node * e->classes + c].first; m != FC_NONE;
                 m = e->message[m].next)
                ++queued;
        }
        assert(e->classes == 1 || e->routed->outstanding == FC_INFINITE ||
               e->node[node].outstanding <= (uint64_t)e->routed->outstanding); /* R6 */
    }
    assert(queued + e->in_network <= e->messages_alive); /* R5 */
}

/* Large networks are not checked in every cycle: a check costs as much as many cycles. */
void fc_router_check(const fc_router *e) {
    const uint32_t channels = e->network->inputs * e->virtual_channels;
    const uint64_t rarely = 1 + (uint64_t)channels * channels / 4096;
    if (e->time % rarely)
        return;
    for (uint32_t channel = 0; channel < channels; ++channel) {
        check_places(e, channel);
        check_order(e, channel);
        check_lists(e, channel);
    }
    check_owners(e);
    check_nodes(e);
}

#endif
