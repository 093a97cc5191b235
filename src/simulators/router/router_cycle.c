/* The course of a cycle, and flits and credits on their way (rules: router.h). */
#include "simulators/router/router.h"

#include <assert.h>
#include "simulators/router/sources.h"

/* ---- headers come to the front ---- */

/* Finds the ways of the header at the front; what becomes of it then is the caller's. */
void fc_router_header_at_front(fc_router *e, uint32_t channel) {
    const fc_router_network *network = e->network;
    fc_in_channel *in = &e->in[channel];
    fc_header *header = &e->header[channel];
    const uint32_t number = *fc_router_front_flit(e, channel) >> 1;
    fc_router_message *message = &e->message[number];
    fc_ways ways;
    network->route(network, in->input, in->channel, &message->course, &ways);
    assert(ways.count >= 1 && ways.count <= e->way_room);
    ++message->routers;
    message->path += e->header_delay[in->input];
    in->front = FC_FRONT_WAITING;
    header->message = number;
    header->ways = ways.count;
    header->preferred = ways.preferred;
    header->output = ways.way[0].output;
    header->channels = ways.way[0].channels;
    if (ways.count > 1) {
        e->several_ways = true;
        e->needs_room |= ways.preferred < ways.count;
        for (uint32_t i = 0; i < ways.count; ++i)
            e->way[(size_t)channel * e->way_room + i] = ways.way[i];
    }
}

/* The front header of a buffer that was empty. */
static void header_arrived(fc_router *e, uint32_t channel) {
    const uint32_t routing = e->delay[FC_STAGE_ROUTING];
    fc_router_header_at_front(e, channel);
    e->header[channel].asked = e->time + routing;
    if (routing <= 1)
        fc_router_mark(e, &e->in[channel], routing ? FC_MASK_FRESH : FC_MASK_ASKING);
    else
        fc_wheel_add(&e->stages, e->time + routing, channel);
}

/* ---- arrivals ---- */

static void flit_arrived(fc_router *e, uint32_t channel, uint32_t flit) {
    fc_in_channel *in = &e->in[channel];
    const uint32_t mask = (1u << e->buffer_bits) - 1;
    const uint32_t place = (in->first + in->count) & mask;
    assert(in->count < e->buffer); /* R1 */
    e->flit[((size_t)channel << e->buffer_bits) + place] = flit;
    if (in->count++)
        return;
    if (in->front == FC_FRONT_EMPTY)
        header_arrived(e, channel);
    else if (in->front == FC_FRONT_MOVING && e->out[in->held].credits)
        fc_router_mark(e, in, FC_MASK_READY);
}

static void take_arrivals(fc_router *e) {
    uint32_t count;
    const uint64_t *events = fc_wheel_take(&e->flits, e->time, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t target = (uint32_t)events[i], flit = (uint32_t)(events[i] >> 32);
        if (target & FC_TO_NODE)
            fc_router_delivered(e, flit >> 1);
        else
            flit_arrived(e, target, flit);
    }
}

/* ---- credits ---- */

/* A virtual channel nobody holds any more: headers that found none may look again. */
void fc_router_release_channel(fc_router *e, uint32_t out_channel, uint32_t output,
                               uint32_t router) {
    e->output[output].free |= (uint64_t)1 << (out_channel - output * e->output_stride);
    uint64_t *asking = fc_router_mask(e, router, FC_MASK_ASKING);
    uint64_t *blocked = fc_router_mask(e, router, FC_MASK_BLOCKED);
    for (uint32_t w = 0; w < e->words; ++w) {
        asking[w] |= blocked[w];
        blocked[w] = 0;
    }
    fc_router_wake(e, router);
}

static void node_credit(fc_router *e, uint32_t channel) {
    const uint32_t node = channel / e->virtual_channels, v = channel % e->virtual_channels;
    if (++e->node_credits[channel] == e->buffer && e->when_empty) {
        bool held = false;
        for (uint32_t s = 0; s < e->classes * e->slots; ++s) {
            const fc_slot *slot = &e->slot[(size_t)node * e->classes * e->slots + s];
            held |= slot->message != FC_NONE && slot->channel == v;
        }
        if (!held)
            e->node_free[node] |= (uint64_t)1 << v;
    }
    fc_router_wake_node(e, node);
}

static void router_credit(fc_router *e, uint32_t channel) {
    fc_out_channel *out = &e->out[channel];
    const bool to_node = out->target & FC_TO_NODE;
    if (!to_node) {
        ++out->credits;
        assert(out->credits <= e->buffer); /* R1 */
    }
    if (out->finished && (to_node || out->credits == e->buffer)) {
        const uint32_t output = channel / e->output_stride;
        out->finished = 0;
        fc_router_release_channel(e, channel, output, e->network->output_router[output]);
    }
    if (out->owner != FC_NONE) {
        const fc_in_channel *in = &e->in[out->owner];
        if (out->credits == 1 && in->front == FC_FRONT_MOVING && in->count)
            fc_router_mark(e, in, FC_MASK_READY);
    } else if (e->needs_room && !to_node) { /* places enough may have come */
        const uint32_t output = channel / e->output_stride;
        if (e->output[output].free >> (channel - output * e->output_stride) & 1)
            fc_router_release_channel(e, channel, output, e->network->output_router[output]);
    }
}

static void take_credits(fc_router *e) {
    uint32_t count;
    const uint64_t *events = fc_wheel_take(&e->credits, e->time, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t channel = (uint32_t)events[i];
        if (channel & FC_TO_NODE)
            node_credit(e, channel & ~FC_TO_NODE);
        else
            router_credit(e, channel);
    }
}

/* ---- stages of more than one cycle ---- */

void fc_router_start_moving(fc_router *e, uint32_t channel) {
    fc_in_channel *in = &e->in[channel];
    in->front = FC_FRONT_MOVING;
    if (e->out[in->held].credits)
        fc_router_mark(e, in, FC_MASK_READY);
}

static void take_stages(fc_router *e) {
    uint32_t count;
    const uint64_t *events = fc_wheel_take(&e->stages, e->time, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t channel = (uint32_t)events[i];
        if (e->in[channel].held == FC_NONE)
            fc_router_mark(e, &e->in[channel], FC_MASK_ASKING);
        else
            fc_router_start_moving(e, channel);
    }
}

/* ---- routers ---- */

static bool any(const uint64_t *mask, uint32_t words) {
    for (uint32_t w = 0; w < words; ++w) {
        if (mask[w])
            return true;
    }
    return false;
}

/* Headers that come to the front as a tail leaves are collected in `fronts` meanwhile: with a stage
 * of routing they are a cycle behind those that arrived. */
static bool work_router(fc_router *e, uint32_t router) {
    uint64_t *ready = fc_router_mask(e, router, FC_MASK_READY);
    uint64_t *asking = ready + e->words, *fresh = asking + e->words;
    if (any(asking, e->words))
        fc_router_allocate_channels(e, router);
    if (any(ready, e->words))
        fc_router_allocate_switch(e, router);
    for (uint32_t i = 0; i < e->granted_count; ++i) /* a stage of one cycle */
        fc_router_start_moving(e, e->granted[i]);
    e->granted_count = 0;
    if (e->words == 1) {
        *asking |= *fresh;
        *fresh = *e->fronts;
        *e->fronts = 0;
        return *ready | *asking | *fresh;
    }
    bool more = false;
    for (uint32_t w = 0; w < e->words; ++w) {
        asking[w] |= fresh[w];
        fresh[w] = e->fronts[w];
        e->fronts[w] = 0;
        more |= (ready[w] | asking[w] | fresh[w]) != 0;
    }
    return more;
}

static void work_routers(fc_router *e) {
    const uint32_t words = e->network->routers / 64 + 1;
    for (uint32_t w = 0; w < words; ++w) {
        uint64_t left = e->awake[w];
        while (left) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            left &= left - 1;
            if (!work_router(e, w * 64 + bit))
                e->awake[w] &= ~((uint64_t)1 << bit);
        }
    }
}

/* ---- the whole ---- */

static bool asleep(const uint64_t *awake, uint32_t count) {
    for (uint32_t w = 0; w <= count / 64; ++w) {
        if (awake[w])
            return false;
    }
    return true;
}

/* Nothing is on its way, and nobody could do anything. With messages in the network that is a
 * deadlock: messages that are still to come could only take more, never free what those wait for.
 */
static bool idle(const fc_router *e) {
    return e->flits.total + e->credits.total + e->stages.total == 0 &&
           asleep(e->awake, e->network->routers) && asleep(e->node_awake, e->nodes);
}

static fc_status locked(const fc_router *e, fc_error *error) {
    for (uint32_t c = 0; c < e->network->inputs * e->virtual_channels; ++c) {
        const fc_in_channel *in = &e->in[c];
        if (in->front != FC_FRONT_WAITING)
            continue;
        const fc_router_message *message = &e->message[e->header[c].message];
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the network is deadlocked in cycle %llu: %u messages are in it and none "
                       "can move; the header of one from node %u to node %u has waited in router "
                       "%u since cycle %llu",
                       (unsigned long long)e->time, (unsigned)e->in_network,
                       (unsigned)message->course.source, (unsigned)message->course.destination,
                       (unsigned)in->router, (unsigned long long)e->header[c].asked);
    }
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "the network is deadlocked in cycle %llu: %u messages are in it and none can "
                   "move",
                   (unsigned long long)e->time, (unsigned)e->in_network);
}

static void step(fc_router *e) {
    take_arrivals(e);
    if (fc_sources_next(e) <= e->time)
        fc_sources_generate(e);
    take_credits(e);
    if (e->stages.total)
        take_stages(e);
    fc_router_send_nodes(e);
    work_routers(e);
#ifdef FC_CHECKS
    fc_router_check(e);
#endif
    ++e->time;
}

fc_status fc_router_run(fc_router *e, uint64_t until, fc_error *error) {
    while (e->time < until && e->status == FC_OK) {
        if (e->in_network == 0 && idle(e)) {
            const uint64_t next = fc_sources_next(e);
            if (next > e->time) {
                e->time = next < until ? next : until;
                continue;
            }
        }
        step(e);
        if (e->in_network && idle(e))
            return locked(e, error);
    }
    return e->status == FC_OK ? FC_OK : fc_fail_memory(error);
}
