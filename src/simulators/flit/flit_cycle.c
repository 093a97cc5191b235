/* Moving flits: departures and arrivals of one cycle.
 *
 * Links are visited in the order of their numbers, which runs from downstream to upstream: channels
 * into nodes, the dimension routed last, ..., the one routed first, links out of nodes; within a
 * ring against the direction of travel from the wrap-around link on. A buffer emptied in a cycle
 * can so be refilled in it without a second look, except across the point where a ring was cut: a
 * link that becomes able to send after its turn is visited in a further pass over the links. A
 * circle of full buffers, each waiting for the next to move, does not move.
 *
 * Only links that can send are visited. What tells them, `fed` and `room` of a link, is exact at
 * the start of a cycle and kept so by departures (which make room behind them at once) and arrivals
 * (which count only from the next cycle, so that a flit moves once a cycle).
 *
 * A visit is a chain of loads each of which waits for the one before, and the next visit waits for
 * its outcome; branches here would be mispredicted half of the time. So it is written without
 * branches, and where there are two directions of a dimension, or two halves of links that do not
 * depend on each other, they are visited side by side to overlap the waiting. */
#include "simulators/flit/flit.h"

#define always_inline inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)

typedef struct departure {
    fc_vc *vc;
    fc_link *link;
    uint64_t *active, *pending, *done;
    uint64_t *move; /* where the next one is noted */
    uint32_t channel_bits, channel_mask, capacity;
    bool again; /* a link already passed can now send */
} departure;

/* The link at one bit of a word sends for the virtual channel that has the turn. */
static always_inline void depart(departure *d, uint32_t word, uint64_t bit, bool sending) {
    const uint32_t number = word << 6 | (uint32_t)__builtin_ctzll(bit);
    fc_link *link = &d->link[number];
    const uint64_t ready = link->fed & link->room;
    const uint64_t later = ready & ~(uint64_t)1 << link->sent;
    const uint32_t index = (uint32_t)__builtin_ctzll(later ? later : ready);
    const uint32_t slot = (number << d->channel_bits) + index;
    d->pending[word] &= ~bit;
    d->done[word] |= bit;
    link->sent = index;
    ++link->crossed;
    const uint32_t before = d->vc[slot].previous;
    const uint32_t from = sending ? slot : before;
    *d->move++ = from | (uint64_t)(sending ? d->vc[slot].next : slot) << 32;
    if (d->vc[from].count-- != d->capacity)
        return;
    /* A full buffer has room again: whoever fills it may send, in this cycle if its link has not.
     */
    const uint32_t woken = before >> d->channel_bits, its_word = woken >> 6;
    fc_link *filler = &d->link[woken];
    const uint64_t room = filler->room | (uint64_t)1 << (before & d->channel_mask);
    const uint64_t able = (uint64_t)((filler->fed & room) != 0) << (woken & 63);
    const uint64_t now = able & ~d->done[its_word];
    filler->room = room;
    d->active[its_word] |= able;
    d->pending[its_word] |= now;
    d->again |= (now != 0) & (woken < number);
}

/* The links of a word, of those ahead of the last visited. */
static always_inline void visit_word(departure *d, uint32_t word, uint64_t ahead, bool sending) {
    uint64_t bits;
    while ((bits = d->pending[word] & ahead) != 0) {
        const uint64_t bit = bits & -bits;
        ahead = ~(bit | (bit - 1));
        depart(d, word, bit, sending);
    }
}

static always_inline void visit_two_words(departure *d, uint32_t first, uint32_t second,
                                          bool sending) {
    uint64_t first_ahead = UINT64_MAX, second_ahead = UINT64_MAX;
    for (;;) {
        const uint64_t first_bits = d->pending[first] & first_ahead;
        const uint64_t second_bits = d->pending[second] & second_ahead;
        if (first_bits == 0 || second_bits == 0)
            break;
        const uint64_t first_bit = first_bits & -first_bits;
        const uint64_t second_bit = second_bits & -second_bits;
        first_ahead = ~(first_bit | (first_bit - 1));
        second_ahead = ~(second_bit | (second_bit - 1));
        depart(d, first, first_bit, sending);
        depart(d, second, second_bit, sending);
    }
    visit_word(d, first, first_ahead, sending);
    visit_word(d, second, second_ahead, sending);
}

static always_inline void departures(fc_flit *engine, bool sending) {
    departure d = {.vc = engine->vc,
                   .link = engine->link,
                   .active = engine->active,
                   .pending = engine->pending,
                   .done = engine->done,
                   .move = engine->moved,
                   .capacity = engine->capacity,
                   .channel_bits = engine->channel_bits,
                   .channel_mask = (1u << engine->channel_bits) - 1};
    for (uint32_t word = 0; word < engine->word_count; ++word) {
        d.pending[word] = d.active[word];
        d.done[word] = 0;
    }
    do {
        d.again = false;
        for (uint32_t i = 0; i < engine->stretch_count; ++i) {
            const fc_stretch stretch = engine->stretch[i];
            for (uint32_t word = 0; word < stretch.count; ++word) {
                if (stretch.second == FC_NONE)
                    visit_word(&d, stretch.first + word, UINT64_MAX, sending);
                else
                    visit_two_words(&d, stretch.first + word, stretch.second + word, sending);
            }
        }
    } while (d.again);
    engine->moved_count = (uint32_t)(d.move - engine->moved);
}

/* Whether a flit waits for the channel, and whether there is room for it. */
static always_inline void set_ready(fc_flit *engine, uint32_t slot, bool fed, bool room) {
    const uint32_t number = fc_vc_link(engine, slot);
    fc_link *link = &engine->link[number];
    const uint32_t index = slot & ((1u << engine->channel_bits) - 1);
    const uint64_t mask = (uint64_t)1 << index, bit = (uint64_t)1 << (number & 63);
    const uint64_t now_fed = (link->fed & ~mask) | (uint64_t)fed << index;
    const uint64_t now_room = (link->room & ~mask) | (uint64_t)room << index;
    uint64_t *word = &engine->active[number >> 6];
    link->fed = now_fed;
    link->room = now_room;
    *word = (*word & ~bit) | (uint64_t)((now_fed & now_room) != 0) << (number & 63);
}

/* The first flit in an empty buffer: the link that empties it has a flit to send in the next cycle.
 */
static always_inline void offer(fc_flit *engine, uint32_t channel, bool sending) {
    const uint32_t slot = sending ? channel : engine->vc[channel].next;
    const uint32_t number = fc_vc_link(engine, slot);
    fc_link *link = &engine->link[number];
    link->fed |= fc_vc_bit(engine, slot);
    engine->active[number >> 6] |= (uint64_t)((link->fed & link->room) != 0) << (number & 63);
}

static always_inline bool is_sink(const fc_flit *engine, uint32_t channel) {
    return channel - engine->sink_first < engine->sink_span;
}

/* A header or a tail (or both in one) has arrived. */
static void arrive_at_edge(fc_flit *engine, uint32_t from, uint32_t to, bool sending) {
    fc_vc *behind = &engine->vc[from], *ahead = &engine->vc[to];
    const uint32_t slot = sending ? from : to;
    const uint32_t message = engine->header[to].entering;
    const bool header = (ahead->coming & FC_HEADER_DUE) != 0, sink = is_sink(engine, to);
    ahead->coming = (ahead->coming & ~FC_HEADER_DUE) - 1;
    ahead->count += !sink;
    const bool tail = ahead->coming == 0, first = ahead->count == 1;
    /* A header that is first asks for its next channel, and is fed to it when granted; any other
     * flit that is first follows its header there. */
    if (header) {
        if (first && engine->header[to].front == message)
            fc_flit_ask(engine, to, engine->time + 1);
    } else if (first) {
        offer(engine, to, sending);
    }
    if (!tail) {
        set_ready(engine, slot, behind->count > 0, ahead->count < engine->capacity);
        return;
    }
    ahead->previous = FC_FROM_NOWHERE;
    behind->next = FC_TO_NOWHERE;
    /* At the sending end the next message may be here and not have a channel to go to; at the
     * receiving end no message comes. */
    set_ready(engine, slot, sending && behind->count > 0,
              !sending && ahead->count < engine->capacity);
    if (sink) {
        fc_flit_vacate(engine, to);
        engine->endpoints->delivered(engine, message);
    } else {
        fc_flit_tail_entered(engine, to);
    }
    fc_flit_tail_left(engine, from);
}

static always_inline void arrivals(fc_flit *engine, bool sending) {
    fc_vc *const vc = engine->vc;
    const uint32_t count = engine->moved_count, capacity = engine->capacity;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t move = engine->moved[i];
        const uint32_t from = (uint32_t)move, to = (uint32_t)(move >> 32);
        fc_vc *ahead = &vc[to];
        const uint32_t coming = ahead->coming;
        if (likely(coming - 2 < FC_HEADER_DUE - 2)) {
            const uint32_t now = ahead->count + !is_sink(engine, to);
            ahead->coming = coming - 1;
            ahead->count = now;
            set_ready(engine, sending ? from : to, vc[from].count > 0, now < capacity);
            if (now == 1)
                offer(engine, to, sending);
        } else {
            arrive_at_edge(engine, from, to, sending);
        }
    }
}

void fc_flit_move(fc_flit *engine) {
    if (engine->sending) {
        departures(engine, true);
        arrivals(engine, true);
    } else {
        departures(engine, false);
        arrivals(engine, false);
    }
}
