/* Flits on channels: one cycle of the crossings. Rules and invariants: scouting.c.
 *
 * A channel is looked at only while one of its virtual channels can send. Sending empties the
 * buffer behind, which may let the channel that feeds it send in the same cycle, so a worm moves in
 * lock step; bitmaps keep the channels still to look at, and the one with the lowest number goes
 * first. A flit that arrives in a cycle makes the virtual channel ahead `fresh`: ready a cycle
 * later. */
#include "simulators/flit/scouting.h"

static void activate_now(fc_scouting *network, uint32_t channel) {
    const uint32_t word = channel >> 6;
    if (network->channel[channel].used > network->cycle) {
        network->active_next[word] |= UINT64_C(1) << (channel & 63);
        return;
    }
    network->active[word] |= UINT64_C(1) << (channel & 63);
    if (word < network->active_cursor)
        network->active_cursor = word;
}

static inline void merge_fresh(fc_scouting_channel *channel, uint64_t cycle) {
    if (channel->fresh_cycle < cycle) {
        channel->ready |= channel->fresh;
        channel->fresh = 0;
        channel->fresh_cycle = cycle;
    }
}

static inline uint64_t bit_of(const fc_scouting *network, uint32_t vc) {
    return UINT64_C(1) << (vc - network->vc[vc].channel * network->stride);
}

void fc_scouting_set_ready(fc_scouting *network, uint32_t vc) {
    const uint32_t channel = network->vc[vc].channel;
    network->channel[channel].ready |= bit_of(network, vc);
    activate_now(network, channel);
}

void fc_scouting_set_fresh(fc_scouting *network, uint32_t vc) {
    const uint32_t number = network->vc[vc].channel;
    fc_scouting_channel *channel = &network->channel[number];
    merge_fresh(channel, network->cycle);
    channel->fresh |= bit_of(network, vc);
    network->active_next[number >> 6] |= UINT64_C(1) << (number & 63);
}

void fc_scouting_clear_ready(fc_scouting *network, uint32_t vc) {
    fc_scouting_channel *channel = &network->channel[network->vc[vc].channel];
    channel->ready &= ~bit_of(network, vc);
    channel->fresh &= ~bit_of(network, vc);
}

/* The buffer of vc has become empty: its feeder may have the next flit at hand. */
static void refill(fc_scouting *network, uint32_t vc) {
    const uint32_t feeder = network->vc[vc].upstream;
    if (feeder == FC_NONE ||
        (network->vc[feeder].occupied && network->vc[feeder].arrived != (uint32_t)network->cycle))
        fc_scouting_set_ready(network, vc);
    else if (network->vc[feeder].occupied)
        fc_scouting_set_fresh(network, vc);
}

static void probe_crosses(fc_scouting *network, uint32_t vc) {
    const uint32_t number = network->vc[vc].message;
    fc_scouting_message *message = &network->message[number];
    network->vc[vc].probe = false;
    ++message->header;
    message->header_node = network->channel[network->vc[vc].channel].target;
    message->state = FC_HEADER_AT_NODE;
    const size_t entry = fc_scouting_entry(network, number) + message->header;
    network->reach[entry] = network->cycle + 1;
    network->marks[entry] = 0;
}

/* The first data flit has crossed vc; its next crossing waits for the header's lead. */
static void front_crosses(fc_scouting *network, uint32_t number, uint32_t position) {
    fc_scouting_message *message = &network->message[number];
    message->front = position + 1;
    message->front_open = false;
    if (message->state == FC_HEADER_ACCEPTED && position == message->header + 1)
        fc_scouting_setup_remove(network, number);
}

static void data_crosses(fc_scouting *network, uint32_t number, bool ejection) {
    fc_scouting_vc *vc = &network->vc[number];
    const bool first = vc->remaining == network->message_flits;
    assert(vc->remaining > 0);                                             /* I2 */
    assert(!vc->occupied);                                                 /* I5 */
    assert(vc->upstream == FC_NONE || network->vc[vc->upstream].occupied); /* I5 */
    --vc->remaining;
    if (first)
        front_crosses(network, vc->message, vc->position);
    const uint32_t behind = vc->upstream;
    if (behind != FC_NONE) {
        network->vc[behind].occupied = false;
        if (vc->remaining == 0) {
            fc_scouting_free_vc(network, behind);
            vc->upstream = FC_NONE;
        } else if (network->vc[behind].remaining > 0) {
            refill(network, behind);
        }
    }
    if (ejection) {
        network->last_progress = network->cycle;
        if (vc->remaining == 0) {
            const uint32_t message = vc->message;
            fc_scouting_free_vc(network, number);
            fc_scouting_deliver(network, message);
        }
        return;
    }
    vc->occupied = true;
    vc->arrived = (uint32_t)network->cycle;
    if (!first && !network->vc[vc->downstream].occupied)
        fc_scouting_set_fresh(network, vc->downstream);
}

static void send(fc_scouting *network, uint32_t number) {
    fc_scouting_channel *channel = &network->channel[number];
    merge_fresh(channel, network->cycle);
    if (channel->ready == 0)
        return;
    assert(channel->used <= network->cycle); /* I3 */
    const uint64_t later = channel->ready & ~((UINT64_C(2) << channel->last) - 1);
    const uint32_t index = fc_lowest_bit(later ? later : channel->ready);
    const uint32_t vc = number * network->stride + index;
    channel->ready &= ~(UINT64_C(1) << index);
    channel->last = index;
    channel->used = network->cycle + 1;
    ++channel->flits;
    network->flit_hops += number >= network->network_first && number < network->injection_first;
    if (channel->ready)
        network->active_next[number >> 6] |= UINT64_C(1) << (number & 63);
    if (network->vc[vc].probe)
        probe_crosses(network, vc);
    else
        data_crosses(network, vc, number < network->network_first);
}

void fc_scouting_transfer(fc_scouting *network) {
    uint64_t *active = network->active;
    network->active_cursor = 0;
    while (network->active_cursor < network->active_words) {
        const uint32_t word = network->active_cursor;
        const uint64_t bits = active[word];
        if (bits == 0) {
            ++network->active_cursor;
            continue;
        }
        active[word] = bits & (bits - 1);
        send(network, word * 64 + fc_lowest_bit(bits));
    }
    network->active = network->active_next;
    network->active_next = active; /* all zero now */
}
