/* Nodes: queues of messages to be sent, the link into the router, deliveries.
 *
 * A node sends one flit per cycle. Of each class of messages it sends up to `slots` at a time, each
 * through a virtual channel of its own, in turn; the head of the queue takes the next slot as soon
 * as one and a virtual channel with a free slot are available. */
#include "simulators/router/router.h"

#include <assert.h>
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

enum { FIRST_MESSAGES = 1024 };

/* ---- records ---- */

uint32_t fc_router_new_message(fc_router *e) {
    static const fc_router_message blank = {.next = FC_NONE};
    if (e->free.first == FC_NONE && e->team) {
        if (!fc_team_more_messages(e)) {
            e->status = FC_ERROR_MEMORY;
            return FC_NONE;
        }
    } else if (e->free.first == FC_NONE) {
        fc_router_message *grown =
            fc_free_list_grow(&e->free, FC_RECORDS(e->message), FIRST_MESSAGES);
        if (!grown) {
            e->status = FC_ERROR_MEMORY;
            return FC_NONE;
        }
        e->message = grown;
    }
    const uint32_t number = fc_free_list_take(&e->free, FC_RECORDS(e->message));
    fc_router_message *message = &e->message[number];
    *message = blank;
    message->number = e->messages_made++;
    ++e->messages_alive;
    return number;
}

void fc_router_finish_message(fc_router *e, uint32_t number) {
    const fc_router_message *message = &e->message[number];
    fc_router_node *node = &e->node[message->course.source];
    ++node->messages;
    node->latency += message->latency;
    node->source_wait += message->started - message->born;
    fc_free_list_give(&e->free, FC_RECORDS(e->message), number);
}

void fc_router_queue(fc_router *e, uint32_t number) {
    fc_router_message *message = &e->message[number];
    const uint32_t node = message->course.source;
    fc_node_queue *queue = &e->queue[node * e->classes + message->kind];
    message->next = FC_NONE;
    if (queue->first == FC_NONE)
        queue->first = number;
    else
        e->message[queue->last].next = number;
    queue->last = number;
    ++e->node[node].pending;
    fc_router_wake_node(e, node);
}

/* ---- sending ---- */

/* Whether a message asks for an answer that is not itself one. */
static bool asks(const fc_router *e, const fc_router_message *message) {
    return e->kinds.answers && !message->step && e->kinds.list[message->kind].reply != FC_NONE;
}

static bool may_start(const fc_router *e, uint32_t node, const fc_router_message *message) {
    return !e->limited || !asks(e, message) ||
           e->node[fc_node_of(e->network, node)].outstanding < (uint64_t)e->routed->outstanding;
}

/* One of the bits of a mask, drawn for this node and cycle. */
static uint32_t draw_bit(const fc_router *e, uint32_t node, uint64_t mask) {
    fc_random draw = e->draws;
    draw.counter.v[0] = (uint32_t)e->time;
    draw.counter.v[1] = node;
    uint32_t skipped = fc_random_below(&draw, (uint32_t)__builtin_popcountll(mask));
    while (skipped--)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctzll(mask);
}

/* A virtual channel for a message to start in, free and with a free slot: the next one in turn or
 * one drawn; FC_NONE. */
static uint32_t start_channel(const fc_router *e, uint32_t node, const fc_router_message *message,
                              uint32_t last) {
    const uint64_t open = e->node_free[node] & e->class_mask[message->kind];
    const uint32_t *credits = &e->node_credits[(size_t)node * e->virtual_channels];
    const uint32_t needed = e->cut_through ? message->flits : 1;
    uint64_t roomy = 0;
    for (uint64_t left = open; left; left &= left - 1)
        roomy |= credits[__builtin_ctzll(left)] >= needed ? left & -left : 0;
    if (!roomy)
        return FC_NONE;
    return e->drawn_injection ? draw_bit(e, node, roomy) : fc_first_from(roomy, last + 1);
}

/* Messages at the head of the queue of a class take free slots. */
static void fill_slots(fc_router *e, uint32_t node, uint32_t kind) {
    fc_node_queue *queue = &e->queue[node * e->classes + kind];
    fc_slot *slot = &e->slot[((size_t)node * e->classes + kind) * e->slots];
    for (uint32_t s = 0; s < e->slots && queue->first != FC_NONE; ++s) {
        if (slot[s].message != FC_NONE)
            continue;
        const uint32_t number = queue->first;
        const fc_router_message *message = &e->message[number];
        if (!may_start(e, node, message))
            return;
        const uint32_t v = start_channel(e, node, message, queue->channel);
        if (v == FC_NONE)
            return;
        queue->first = message->next;
        queue->channel = v;
        slot[s] = (fc_slot){.message = number, .left = message->flits, .channel = v};
        e->node_free[node] &= ~((uint64_t)1 << v);
        if (asks(e, message))
            ++e->node[fc_node_of(e->network, node)].outstanding;
    }
}

static void send_flit(fc_router *e, uint32_t node, fc_slot *slot) {
    const uint32_t input = e->network->node_input[node], v = slot->channel;
    fc_router_message *message = &e->message[slot->message];
    if (slot->left == message->flits) {
        message->started = e->time;
        fc_router_header_leaves(e, slot->message, input);
        ++e->in_network;
    }
    const uint32_t tail = --slot->left == 0;
    fc_wheel_add(&e->flits, e->time + e->node_delay,
                 (input * e->virtual_channels + v) | (uint64_t)(slot->message << 1 | tail) << 32);
    --e->node_credits[(size_t)node * e->virtual_channels + v];
    ++e->node[node].injected;
    if (!tail)
        return;
    slot->message = FC_NONE;
    --e->node[node].pending;
    fc_sources_sent(e, node);
    if (!e->when_empty)
        e->node_free[node] |= (uint64_t)1 << v;
}

/* The slot that sends a flit: the first in turn that may; FC_NONE: none may. */
static uint32_t next_slot(const fc_router *e, uint32_t node, const fc_slot *slot, uint32_t slots) {
    uint32_t at = e->node[node].turn;
    for (uint32_t i = 0; i < slots; ++i, at = at + 1 == slots ? 0 : at + 1) {
        if (slot[at].message != FC_NONE &&
            e->node_credits[(size_t)node * e->virtual_channels + slot[at].channel])
            return at;
    }
    return FC_NONE;
}

/* The same where classes go first: the first in turn among those of the lowest rank. */
static uint32_t next_ranked(const fc_router *e, uint32_t node, const fc_slot *slot,
                            uint32_t slots) {
    uint32_t at = e->node[node].turn, chosen = FC_NONE, best = UINT32_MAX;
    for (uint32_t i = 0; i < slots; ++i, at = at + 1 == slots ? 0 : at + 1) {
        const uint32_t rank = e->kinds.list[at / e->slots].rank;
        if (slot[at].message != FC_NONE && rank < best &&
            e->node_credits[(size_t)node * e->virtual_channels + slot[at].channel]) {
            chosen = at;
            best = rank;
        }
    }
    return chosen;
}

/* Whether the node has anything to do in the next cycle, as far as it knows. */
static bool send_node(fc_router *e, uint32_t node) {
    const uint32_t slots = e->classes * e->slots;
    fc_slot *slot = &e->slot[(size_t)node * slots];
    for (uint32_t i = 0; i < e->classes; ++i)
        fill_slots(e, node, e->order[i]);
    const uint32_t chosen =
        e->kinds.ranked ? next_ranked(e, node, slot, slots) : next_slot(e, node, slot, slots);
    if (chosen == FC_NONE)
        return false;
    send_flit(e, node, &slot[chosen]);
    e->node[node].turn = chosen + 1 == slots ? 0 : chosen + 1;
    return e->node[node].pending;
}

void fc_router_send_nodes(fc_router *e) {
    for (uint32_t w = e->own.awake; w < e->own.awake_end; ++w) {
        for (uint64_t left = e->node_awake[w]; left; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            if (!send_node(e, w * 64 + bit))
                e->node_awake[w] &= ~((uint64_t)1 << bit);
        }
    }
}

/* ---- delivery ---- */

static void count_delivery(fc_router *e, const fc_router_message *message, uint64_t latency) {
    fc_router_sums *sums = &e->sums;
    const uint64_t wait = message->started - message->born;
    sums->messages += 1;
    sums->latency += (double)latency;
    sums->source_wait += (double)wait;
    sums->routers += message->routers;
    sums->path += message->path + e->eject_delay;
    sums->flits += message->flits;
    if (fc_router_is_copy(e, message))
        return; /* counted where it was copied */
    sums->flit_routers += (double)message->flits * message->routers;
    sums->flit_links += (double)message->flits *
                        (message->path - (message->routers - 1) * (e->eject_delay - e->node_delay));
    if (e->hot_node != FC_NONE) {
        const bool hot = fc_node_of(e->network, message->course.destination) == e->hot_node;
        *(hot ? &sums->messages_hot : &sums->messages_cold) += 1;
        *(hot ? &sums->latency_hot : &sums->latency_cold) += (double)latency;
    }
}

static void count_class(fc_router *e, const fc_router_message *message, uint64_t latency) {
    fc_class_sums *sums = &e->class_sums[message->kind];
    sums->messages += 1;
    sums->latency += (double)latency;
    sums->source_wait += (double)(message->started - message->born);
    sums->routers += message->routers;
    if (e->histograms)
        fc_histogram_add(&e->histograms[1 + message->kind], latency);
}

static inline uint64_t count_arrival(fc_router *e, uint32_t number) {
    fc_router_message *message = &e->message[number];
    const uint64_t latency = e->time - message->born - 1; /* the cycle of injection left out */
    message->latency = latency;
    --e->messages_alive;
    count_delivery(e, message, latency);
    if (e->class_sums)
        count_class(e, message, latency);
    if (e->histogram)
        fc_histogram_add(e->histogram, latency);
    if (e->observer)
        e->observer(e->observer_context, message, latency);
    return latency;
}

uint64_t fc_router_count_arrival(fc_router *e, uint32_t number) {
    return count_arrival(e, number);
}

void fc_router_delivered(fc_router *e, uint32_t number) {
    if (fc_router_is_copy(e, &e->message[number])) {
        fc_router_copy_delivered(e, number);
        return;
    }
    --e->in_network;
    const uint64_t latency = count_arrival(e, number);
    if (e->load)
        fc_load_windows_arrived(e->load, e->message[number].born, latency, true);
    fc_sources_delivered(e, number);
    if (!e->team || !fc_team_return(e, number))
        fc_router_finish_message(e, number);
}
