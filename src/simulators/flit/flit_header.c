/* Header work: routes, requests and grants. It runs only when a header or a tail moves.
 *
 * Requests for a link are served first come first; those of the same cycle in the order of the
 * channel numbers of the buffers they are in, nodes' own messages last. A virtual channel may be
 * granted once the tail of the message before has left its buffer (it is idle) or, with hand-over
 * in the same cycle, once that tail has entered the buffer (it is open): the next header then
 * follows directly behind. Idle channels are preferred to open ones, low numbers to high ones. The
 * shared channels of the escape rule are granted only when idle: a header that has committed itself
 * to waiting behind another message could not turn to its escape channel any more. */
#include "simulators/flit/flit.h"

#include <assert.h>
#include "base/memory.h"

static inline uint32_t link_at(const fc_flit *engine, const fc_message *message, uint32_t node,
                               uint32_t dimension) {
    const bool rising = message->rising >> dimension & 1;
    return engine->link_of_channel[fc_channel_number(engine->geometry, node, dimension, rising)];
}

static inline fc_eligible eligible_at(const fc_flit *engine, const fc_message *message,
                                      uint32_t node, uint32_t dimension) {
    const fc_geometry *geometry = engine->geometry;
    return fc_channel_rule_eligible(&engine->rule, fc_digit(geometry, node, dimension),
                                    fc_digit(geometry, message->destination, dimension),
                                    fc_digit(geometry, message->source, dimension),
                                    message->rising >> dimension & 1);
}

uint32_t fc_flit_first_link(const fc_flit *engine, const fc_message *message,
                            fc_eligible *eligible) {
    const uint32_t node = message->source;
    const uint32_t dimension = fc_route_dimension(engine->geometry, node, message->destination);
    *eligible = eligible_at(engine, message, node, dimension);
    return link_at(engine, message, node, dimension);
}

/* The link a message wants next, from the channel its header is in. Straight on needs no look at
 * the route. */
static inline uint32_t route(const fc_flit *engine, fc_vc_header *header) {
    fc_message *message = &engine->message[header->front];
    const fc_geometry *geometry = engine->geometry;
    const uint32_t node = header->node;
    uint32_t link = header->straight;
    if (node == message->turn) {
        const uint32_t dimension = fc_route_dimension(geometry, node, message->destination);
        if (dimension == geometry->dimensions) {
            header->eligible = (fc_eligible){.own = UINT64_MAX};
            return engine->node_link_first + node;
        }
        message->dimension = dimension;
        message->turn = node + (fc_digit(geometry, message->destination, dimension) -
                                fc_digit(geometry, node, dimension)) *
                                   geometry->stride[dimension];
        link = link_at(engine, message, node, dimension);
    }
    header->eligible = eligible_at(engine, message, node, message->dimension);
    return link;
}

static void list_link(fc_flit *engine, uint32_t link) {
    fc_link_waiting *waiting = &engine->waiting[link];
    if (waiting->listed)
        return;
    waiting->listed = true;
    engine->listed[engine->listed_count++] = link;
}

/* Keeps a list of waiting headers in order of (asked, rank). */
static void queue_up(fc_flit *engine, fc_link_waiting *waiting, uint32_t channel) {
    fc_vc_header *header = engine->header, *mine = &header[channel];
    mine->wait_next = FC_NONE;
    if (waiting->first == FC_NONE) {
        waiting->first = waiting->last = channel;
        return;
    }
    const fc_vc_header *last = &header[waiting->last];
    if (last->asked < mine->asked || last->rank < mine->rank) {
        header[waiting->last].wait_next = channel;
        waiting->last = channel;
        return;
    }
    uint32_t *place = &waiting->first;
    while (header[*place].asked < mine->asked || header[*place].rank < mine->rank)
        place = &header[*place].wait_next;
    mine->wait_next = *place;
    *place = channel;
}

void fc_flit_ask(fc_flit *engine, uint32_t channel, uint64_t when) {
    fc_vc_header *mine = &engine->header[channel];
    if (engine->sending && channel - engine->ejection_first < engine->ejection_span) {
        /* A channel into a node: the node takes what comes. */
        fc_flit_grant(engine, channel, engine->sink_first + (channel - engine->ejection_first));
        return;
    }
    const uint32_t link = route(engine, mine);
    if (engine->sending && channel >= engine->source_first &&
        engine->torus->node_links == FC_LINK_PER_CHANNEL) {
        /* A node link of its own for each virtual channel leads only there. */
        const uint32_t source = fc_vc_link(engine, channel) - engine->network_link_end;
        const uint64_t only = (uint64_t)1 << source % engine->rule.channels;
        mine->eligible.own &= only;
        mine->eligible.shared &= only;
    }
    mine->wanted = link;
    mine->asked = when;
    queue_up(engine, &engine->waiting[link], channel);
    list_link(engine, link);
}

/* ---- several messages in one buffer ---- */

static uint32_t take_entry(fc_flit *engine) {
    enum { FIRST_ENTRIES = 256 };
    if (engine->free_entries.first == FC_NONE) {
        fc_queue_entry *grown =
            fc_free_list_grow(&engine->free_entries, FC_RECORDS(engine->entry), FIRST_ENTRIES);
        if (!grown) {
            engine->status = FC_ERROR_MEMORY;
            return FC_NONE;
        }
        engine->entry = grown;
    }
    return fc_free_list_take(&engine->free_entries, FC_RECORDS(engine->entry));
}

static void queue_behind(fc_flit *engine, fc_vc_header *header, uint32_t message) {
    const uint32_t entry = take_entry(engine);
    if (entry == FC_NONE)
        return;
    engine->entry[entry] = (fc_queue_entry){.message = message, .next = FC_NONE};
    if (header->queue_first == FC_NONE)
        header->queue_first = entry;
    else
        engine->entry[header->queue_last].next = entry;
    header->queue_last = entry;
}

static uint32_t pop_queue(fc_flit *engine, fc_vc_header *header) {
    const uint32_t entry = header->queue_first;
    if (entry == FC_NONE)
        return FC_NONE;
    const uint32_t message = engine->entry[entry].message;
    header->queue_first = engine->entry[entry].next;
    fc_free_list_give(&engine->free_entries, FC_RECORDS(engine->entry), entry);
    return message;
}

/* ---- grants ---- */

static bool has_link(const fc_flit *engine, uint32_t channel) {
    return fc_vc_link(engine, channel) < engine->link_count;
}

void fc_flit_grant(fc_flit *engine, uint32_t from, uint32_t to) {
    fc_vc *behind = &engine->vc[from], *ahead = &engine->vc[to];
    fc_vc_header *header = &engine->header[to];
    const uint32_t message = engine->header[from].front;
    assert(behind->next == FC_TO_NOWHERE && ahead->coming == 0); /* I4 */
    behind->next = to;
    ahead->previous = from;
    ahead->coming = engine->message[message].flits | FC_HEADER_DUE;
    header->entering = message;
    if (header->front == FC_NONE)
        header->front = message;
    else
        queue_behind(engine, header, message);
    const uint32_t slot = engine->sending ? from : to, number = fc_vc_link(engine, slot);
    fc_link *link = &engine->link[number];
    link->fed |= fc_vc_bit(engine, slot);
    if (ahead->count < engine->capacity) {
        link->room |= fc_vc_bit(engine, slot);
        engine->active[number >> 6] |= (uint64_t)1 << (number & 63);
    }
    if (!has_link(engine, to))
        return;
    fc_link_waiting *waiting = &engine->waiting[fc_vc_link(engine, to)];
    waiting->idle &= ~fc_vc_bit(engine, to);
    waiting->open &= ~fc_vc_bit(engine, to);
}

uint32_t fc_flit_available(const fc_flit *engine, uint32_t link, fc_eligible eligible) {
    const fc_link_waiting *waiting = &engine->waiting[link];
    uint64_t mask = eligible.shared & waiting->idle;
    if (!mask)
        mask = eligible.own & waiting->idle;
    if (!mask && engine->same_cycle)
        mask = eligible.own & waiting->open;
    if (!mask)
        return FC_NONE;
    return (link << engine->channel_bits) + (uint32_t)__builtin_ctzll(mask);
}

static void allocate_link(fc_flit *engine, uint32_t link) {
    fc_link_waiting *waiting = &engine->waiting[link];
    uint32_t *place = &waiting->first, last = FC_NONE;
    waiting->listed = false;
    while (*place != FC_NONE && waiting->open) {
        const uint32_t channel = *place;
        fc_vc_header *header = &engine->header[channel];
        const uint32_t granted = fc_flit_available(engine, link, header->eligible);
        if (granted == FC_NONE) {
            last = channel;
            place = &header->wait_next;
            continue;
        }
        *place = header->wait_next;
        if (waiting->last == channel)
            waiting->last = last;
        header->wanted = FC_NONE;
        ++waiting->granted;
        waiting->waited += engine->time - header->asked;
        fc_flit_grant(engine, channel, granted);
    }
}

void fc_flit_allocate(fc_flit *engine) {
    const uint32_t count = engine->listed_count;
    engine->listed_count = 0;
    for (uint32_t i = 0; i < count; ++i)
        allocate_link(engine, engine->listed[i]);
}

void fc_flit_load(fc_flit *engine, uint32_t source, uint32_t message) {
    fc_vc *vc = &engine->vc[source];
    assert(vc->count == 0 && vc->next == FC_TO_NOWHERE); /* I4 */
    vc->count = engine->message[message].flits;
    engine->header[source].front = message;
}

/* ---- tails ---- */

/* Someone waiting may now have the channel. */
static void announce(fc_flit *engine, uint32_t channel) {
    const uint32_t link = fc_vc_link(engine, channel);
    if (channel - engine->injection_first < engine->injection_span)
        engine->endpoints->injection_free(engine, channel);
    else if (engine->waiting[link].first != FC_NONE)
        list_link(engine, link);
}

void fc_flit_tail_entered(fc_flit *engine, uint32_t channel) {
    engine->waiting[fc_vc_link(engine, channel)].open |= fc_vc_bit(engine, channel);
    if (engine->same_cycle)
        announce(engine, channel);
}

void fc_flit_tail_left(fc_flit *engine, uint32_t channel) {
    fc_vc_header *header = &engine->header[channel];
    if (channel - engine->source_first < engine->source_span) {
        header->front = FC_NONE;
        engine->endpoints->source_empty(engine, channel);
        return;
    }
    header->front = pop_queue(engine, header);
    if (header->front == FC_NONE) {
        engine->waiting[fc_vc_link(engine, channel)].idle |= fc_vc_bit(engine, channel);
        announce(engine, channel);
    } else if (engine->vc[channel].count > 0) {
        fc_flit_ask(engine, channel, engine->time + 1);
    }
}

void fc_flit_vacate(fc_flit *engine, uint32_t sink) {
    engine->header[sink].front = FC_NONE;
    if (!has_link(engine, sink))
        return;
    fc_link_waiting *waiting = &engine->waiting[fc_vc_link(engine, sink)];
    waiting->idle |= fc_vc_bit(engine, sink);
    waiting->open |= fc_vc_bit(engine, sink);
    announce(engine, sink);
}
