/* Proofs while running.
 *
 * Invariants, at the start of every cycle (the checking build asserts them every cycle):
 *
 *   I1  conservation: what has come into a buffer and has not left it is there, and what has not
 *       left the buffer before is still to come; so no flit of a message is lost or doubled from
 *       its source to its sink.
 *   I2  one flit per link and cycle.
 *   I3  no buffer holds more than its capacity.
 *   I4  a virtual channel is entered by one message at a time, header first, tail last, and the
 *       channels before and after it agree: next and previous are each other's inverse.
 *   I5  a link is ready for a virtual channel exactly if there is a flit before it and room after
 *       it, and active exactly if it is ready for one.
 *   I6  no message is faster than its zero-load latency.
 *   I7  a channel is idle exactly if no message is in it or entering it, open exactly if none is
 *       entering; a header waits in exactly one list, in order of arrival.
 *   I8  progress: no set of messages waits for itself (fc_flit_find_deadlock). */
#include "simulators/flit/flit.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

/* ---- deadlock ---- */

/* Messages whose header cannot move: behind another message in the same buffer, or in front of it
 * and waiting for a link. All others can move sooner or later. */
typedef struct blocked {
    uint32_t ahead;   /* the message in front of it, or FC_NONE */
    uint32_t channel; /* the buffer its header is in or is to enter */
    bool stuck;
} blocked;

/* The message that must have passed before a virtual channel can be granted; FC_NONE: none. */
static uint32_t last_in(const fc_flit *engine, uint32_t channel) {
    const fc_vc_header *header = &engine->header[channel];
    if (header->front == FC_NONE)
        return FC_NONE;
    return header->entering;
}

static bool can_be_granted(const fc_flit *engine, const blocked *state, uint32_t channel) {
    const fc_vc_header *header = &engine->header[channel];
    const uint32_t first = header->wanted << engine->channel_bits;
    const uint64_t eligible = header->eligible.own | header->eligible.shared;
    for (uint32_t i = 0; i < engine->waiting[header->wanted].channels; ++i) {
        const uint32_t last = last_in(engine, first + i);
        if (eligible >> i & 1 && (last == FC_NONE || !state[last].stuck))
            return true;
    }
    return false;
}

static void find_blocked(const fc_flit *engine, blocked *state) {
    for (uint32_t channel = 0; channel < engine->vc_count; ++channel) {
        const fc_vc_header *header = &engine->header[channel];
        if (header->wanted != FC_NONE)
            state[header->front] = (blocked){.ahead = FC_NONE, .channel = channel, .stuck = true};
        uint32_t ahead = header->front;
        for (uint32_t entry = header->queue_first; entry != FC_NONE;
             entry = engine->entry[entry].next) {
            const uint32_t message = engine->entry[entry].message;
            state[message] = (blocked){.ahead = ahead, .channel = channel, .stuck = true};
            ahead = message;
        }
    }
}

static void release_those_that_can_move(const fc_flit *engine, blocked *state) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t message = 0; message < engine->free_messages.room; ++message) {
            blocked *mine = &state[message];
            if (!mine->stuck)
                continue;
            const bool moves = mine->ahead != FC_NONE
                                   ? !state[mine->ahead].stuck
                                   : can_be_granted(engine, state, mine->channel);
            if (moves) {
                mine->stuck = false;
                changed = true;
            }
        }
    }
}

/* The message that a stuck one waits for. */
static uint32_t waits_for(const fc_flit *engine, const blocked *state, uint32_t message) {
    const blocked *mine = &state[message];
    if (mine->ahead != FC_NONE)
        return mine->ahead;
    const fc_vc_header *header = &engine->header[mine->channel];
    const uint64_t eligible = header->eligible.own | header->eligible.shared;
    return last_in(engine,
                   (header->wanted << engine->channel_bits) + (uint32_t)__builtin_ctzll(eligible));
}

static void name_channel(const fc_flit *engine, uint32_t channel, char *text, size_t size) {
    const uint32_t link = fc_vc_link(engine, channel);
    char label[64];
    if (link >= engine->network_link_first && link < engine->network_link_end) {
        uint32_t dimension;
        bool rising;
        const uint32_t node = fc_flit_link_from(engine, link, &dimension, &rising);
        fc_node_label(engine->geometry, node, label, sizeof label);
        snprintf(text, size, "%s%s%u/%u", label, rising ? "+" : "-", (unsigned)dimension,
                 (unsigned)(channel - (link << engine->channel_bits)));
    } else {
        fc_node_label(engine->geometry, engine->header[channel].node, label, sizeof label);
        snprintf(text, size, "node %s", label);
    }
}

static fc_status report_circle(const fc_flit *engine, const blocked *state, uint32_t stuck,
                               fc_error *error) {
    uint32_t count = 0;
    for (uint32_t message = 0; message < engine->free_messages.room; ++message)
        count += state[message].stuck ? 1u : 0u;
    uint32_t message = stuck;
    for (uint32_t step = 0; step < engine->free_messages.room; ++step)
        message = waits_for(engine, state, message); /* now on the circle itself */
    char circle[512] = "";
    const uint32_t start = message;
    do {
        char name[96];
        const size_t used = strlen(circle);
        name_channel(engine, state[message].channel, name, sizeof name);
        if (used + strlen(name) + 16 > sizeof circle) {
            snprintf(circle + used, sizeof circle - used, " -> ...");
            break;
        }
        snprintf(circle + used, sizeof circle - used, "%s%s", used ? " -> " : "", name);
        message = waits_for(engine, state, message);
    } while (message != start);
    return fc_fail(error, FC_ERROR_INPUT,
                   "the network is deadlocked at cycle %llu: %u messages can never move again; "
                   "these channels (node, direction and dimension, virtual channel) wait for each "
                   "other in a circle: %s; more virtual channels with channel_rule dateline, "
                   "high-low or escape prevent it",
                   (unsigned long long)engine->time, (unsigned)count, circle);
}

/* Whether a header has waited so long that a closer look is worth while. */
static bool suspicious(const fc_flit *engine) {
    enum { PATIENCE = 2000 };
    for (uint32_t link = 0; link < engine->link_count; ++link) {
        const uint32_t first = engine->waiting[link].first;
        if (first != FC_NONE && (engine->header[first].asked + PATIENCE < engine->time ||
                                 engine->progressed + 2 < engine->time))
            return true;
    }
    return false;
}

fc_status fc_flit_find_deadlock(const fc_flit *engine, fc_error *error) {
    if (!suspicious(engine))
        return FC_OK;
    blocked *state = fc_allocate(engine->free_messages.room, sizeof *state);
    if (!state)
        return fc_fail_memory(error);
    find_blocked(engine, state);
    release_those_that_can_move(engine, state);
    fc_status status = FC_OK;
    for (uint32_t message = 0; message < engine->free_messages.room && status == FC_OK; ++message) {
        if (state[message].stuck)
            status = report_circle(engine, state, message, error);
    }
    fc_release(state);
    return status;
}

/* ---- invariants ---- */

#ifdef FC_CHECKS

/* Flits of the front message that have not left the channel. */
static uint32_t leaving(const fc_flit *engine, uint32_t channel) {
    const fc_vc *vc = &engine->vc[channel];
    const uint32_t front = engine->header[channel].front;
    if (front == FC_NONE)
        return 0;
    return vc->next == FC_TO_NOWHERE ? engine->message[front].flits
                                     : engine->vc[vc->next].coming & ~FC_HEADER_DUE;
}

static void check_channel(const fc_flit *engine, uint32_t channel) {
    const fc_vc *vc = &engine->vc[channel];
    const fc_vc_header *header = &engine->header[channel];
    const bool sink = channel - engine->sink_first < engine->sink_span;
    const bool source = channel - engine->source_first < engine->source_span;
    const uint32_t coming = vc->coming & ~FC_HEADER_DUE;
    assert(source || vc->count <= engine->capacity);                               /* I3 */
    assert((coming == 0) == (vc->previous == FC_FROM_NOWHERE));                    /* I4 */
    assert(coming == 0 || engine->vc[vc->previous].next == channel);               /* I4 */
    assert(vc->next == FC_TO_NOWHERE || engine->vc[vc->next].previous == channel); /* I4 */
    assert(vc->next == FC_TO_NOWHERE ||
           engine->header[vc->next].entering == header->front); /* I4 */
    assert(!(vc->coming & FC_HEADER_DUE) ||
           coming == engine->message[header->entering].flits); /* I4 */
    if (sink)
        assert(vc->count == 0); /* I1 */
    if (source)
        assert(vc->count == leaving(engine, channel)); /* I1 */
    const uint32_t link = fc_vc_link(engine, channel);
    if (sink || source || link >= engine->link_count ||
        channel - (link << engine->channel_bits) >= engine->waiting[link].channels)
        return;
    uint64_t inside = leaving(engine, channel);
    for (uint32_t entry = header->queue_first; entry != FC_NONE; entry = engine->entry[entry].next)
        inside += engine->message[engine->entry[entry].message].flits;
    assert(inside == (uint64_t)vc->count + coming); /* I1 */
    const fc_link_waiting *waiting = &engine->waiting[link];
    const uint64_t bit = fc_vc_bit(engine, channel);
    assert(((waiting->idle & bit) != 0) == (header->front == FC_NONE)); /* I7 */
    assert(((waiting->open & bit) != 0) == (coming == 0));              /* I7 */
}

static void check_link(const fc_flit *engine, uint32_t number) {
    const fc_link *link = &engine->link[number];
    const fc_link_waiting *waiting = &engine->waiting[number];
    for (uint32_t i = 0; i < waiting->channels; ++i) {
        const uint32_t slot = (number << engine->channel_bits) + i;
        const uint32_t from = engine->sending ? slot : engine->vc[slot].previous;
        const uint32_t to = engine->sending ? engine->vc[slot].next : slot;
        const bool ready = from != FC_FROM_NOWHERE && to != FC_TO_NOWHERE &&
                           engine->vc[from].count > 0 && engine->vc[to].count < engine->capacity;
        assert((link->fed & link->room) >> i & 1 ? ready : !ready); /* I5 */
    }
    assert((engine->active[number >> 6] >> (number & 63) & 1) ==
           ((link->fed & link->room) != 0)); /* I5 */
    uint64_t asked = 0;
    for (uint32_t channel = waiting->first; channel != FC_NONE;
         channel = engine->header[channel].wait_next) {
        assert(engine->header[channel].wanted == number);  /* I7 */
        assert(engine->header[channel].asked >= asked);    /* I7 */
        assert(engine->vc[channel].next == FC_TO_NOWHERE); /* I7 */
        asked = engine->header[channel].asked;
    }
}

void fc_flit_check(const fc_flit *engine) {
    for (uint32_t channel = 1u << engine->channel_bits; channel < engine->vc_count; ++channel)
        check_channel(engine, channel);
    assert(engine->vc[FC_FROM_NOWHERE].count == 0); /* I4 */
    assert(engine->vc[FC_TO_NOWHERE].count == UINT32_MAX);
    for (uint32_t link = 1; link < engine->link_count; ++link)
        check_link(engine, link);
    /* I2: every link that sent left its bit once. */
    uint32_t sent = 0;
    for (uint32_t word = 0; word < engine->word_count; ++word)
        sent += (uint32_t)__builtin_popcountll(engine->done[word]);
    assert(sent == engine->moved_count);
}

#endif
