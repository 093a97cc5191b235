/* Moving flits: departures and arrivals of one cycle.
 *
 * Links are visited in the order of their numbers, which runs from downstream to upstream: channels
 * into nodes, the dimension routed last, ..., the one routed first, links out of nodes; within a
 * ring against the direction of travel from the wrap-around link on. A buffer emptied in a cycle
 * can so be refilled in it without a second look, except across the point where a ring was cut: a
 * link that becomes able to send after its turn is visited in a further pass over the links. A
 * circle of full buffers, each waiting for the next to move, does not move.
 *
 * Only links with a ready virtual channel are visited. `ready` is exact at the start of a cycle and
 * kept so by departures (which make room behind them at once) and arrivals (which count only from
 * the next cycle, so that a flit moves once a cycle). */
#include "simulators/flit/flit.h"

#define always_inline inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)

/* A link is active from here on; most often it is already. */
static always_inline void activate(uint64_t *active, uint32_t link) {
    const uint64_t bit = (uint64_t)1 << (link & 63);
    if (!(active[link >> 6] & bit))
        active[link >> 6] |= bit;
}

/* The link sends a flit for the virtual channel that has the turn. Its number comes back. */
static always_inline uint32_t take_turn(fc_link *link) {
    const uint64_t later = link->ready & ~(uint64_t)1 << link->sent;
    const uint32_t index = (uint32_t)__builtin_ctzll(later ? later : link->ready);
    link->sent = index;
    ++link->crossed;
    return index;
}

/* Visits the pending links of one word in order. Returns whether a link already passed can now send
 * too. */
static always_inline bool visit_word(fc_flit *engine, uint32_t word, bool sending) {
    fc_vc *const vc = engine->vc;
    fc_link *const links = engine->link;
    uint64_t *const active = engine->active, *const pending = engine->pending;
    const uint32_t capacity = engine->capacity, channel_bits = engine->channel_bits;
    const uint32_t channel_mask = (1u << channel_bits) - 1;
    fc_move *move = engine->moved + engine->moved_count;
    uint64_t bits = pending[word], done = engine->done[word];
    bool again = false;
    pending[word] = 0;
    while (bits) {
        const uint64_t bit = bits & -bits;
        const uint32_t number = word << 6 | (uint32_t)__builtin_ctzll(bits);
        fc_link *link = &links[number];
        bits ^= bit;
        if (link->ready == 0) {
            active[word] &= ~bit;
            continue;
        }
        const uint32_t slot = (number << channel_bits) + take_turn(link);
        const uint32_t from = sending ? slot : vc[slot].previous;
        const uint32_t to = sending ? vc[slot].next : slot;
        done |= bit;
        *move++ = (fc_move){.from = from, .to = to};
        if (vc[from].count-- != capacity)
            continue;
        /* A full buffer lost a flit: whoever fills it may send if it has one, in this cycle if its
         * link has not sent. */
        const uint32_t before = vc[from].previous;
        if (vc[before].count == 0)
            continue;
        const uint32_t filler = sending ? before : from, woken = filler >> channel_bits;
        links[woken].ready |= (uint64_t)1 << (filler & channel_mask);
        activate(active, woken);
        if (woken == number + 1 && bit >> 63 == 0) {
            /* The link behind in the same ring: by far the most frequent. Written so that the
             * processor need not wait for `filler` to know which link comes next. */
            bits |= bit << 1 & ~done;
        } else if (woken >> 6 == word) {
            const uint64_t other = (uint64_t)1 << (woken & 63) & ~done;
            if (woken > number) {
                bits |= other;
            } else {
                pending[word] |= other;
                again = true;
            }
        } else {
            pending[woken >> 6] |= (uint64_t)1 << (woken & 63) & ~engine->done[woken >> 6];
            again |= woken < number;
        }
    }
    engine->done[word] = done;
    engine->moved_count = (uint32_t)(move - engine->moved);
    return again;
}

static always_inline void departures(fc_flit *engine, bool sending) {
    const uint32_t words = engine->word_count;
    bool again;
    engine->moved_count = 0;
    for (uint32_t word = 0; word < words; ++word) {
        engine->pending[word] = engine->active[word];
        engine->done[word] = 0;
    }
    do {
        again = false;
        for (uint32_t word = 0; word < words; ++word) {
            if (engine->pending[word])
                again |= visit_word(engine, word, sending);
        }
    } while (again);
}

/* Whether the link of a channel may send for it. */
static always_inline void set_ready(fc_flit *engine, uint32_t slot, bool ready) {
    fc_link *link = &engine->link[fc_vc_link(engine, slot)];
    const uint64_t mask = fc_vc_bit(engine, slot);
    link->ready = (link->ready & ~mask) | (ready ? mask : 0);
}

/* The first flit in an empty buffer: the link that empties it may send in the next cycle if there
 * is room. */
static always_inline void offer(fc_flit *engine, uint32_t channel, bool sending) {
    const uint32_t next = engine->vc[channel].next, slot = sending ? channel : next;
    if (engine->vc[next].count >= engine->capacity)
        return;
    const uint32_t link = fc_vc_link(engine, slot);
    engine->link[link].ready |= fc_vc_bit(engine, slot);
    activate(engine->active, link);
}

static always_inline bool is_sink(const fc_flit *engine, uint32_t channel) {
    return channel - engine->sink_first < engine->sink_span;
}

/* A header or a tail (or both in one) has arrived. */
static void arrive_at_edge(fc_flit *engine, fc_move move, bool sending) {
    fc_vc *behind = &engine->vc[move.from], *ahead = &engine->vc[move.to];
    const uint32_t slot = sending ? move.from : move.to;
    const uint32_t message = engine->header[move.to].entering;
    const bool header = (ahead->coming & FC_HEADER_DUE) != 0, sink = is_sink(engine, move.to);
    ahead->coming = (ahead->coming & ~FC_HEADER_DUE) - 1;
    ahead->count += !sink;
    const bool tail = ahead->coming == 0, first = ahead->count == 1;
    if (header && first && engine->header[move.to].front == message)
        fc_flit_ask(engine, move.to, engine->time + 1);
    if (!tail) {
        set_ready(engine, slot, behind->count > 0 && ahead->count < engine->capacity);
        if (first)
            offer(engine, move.to, sending);
        return;
    }
    ahead->previous = FC_FROM_NOWHERE;
    behind->next = FC_TO_NOWHERE;
    set_ready(engine, slot, false);
    if (first)
        offer(engine, move.to, sending);
    if (sink) {
        fc_flit_vacate(engine, move.to);
        engine->endpoints->delivered(engine, message);
    } else {
        fc_flit_tail_entered(engine, move.to);
    }
    fc_flit_tail_left(engine, move.from);
}

static always_inline void arrivals(fc_flit *engine, bool sending) {
    fc_vc *const vc = engine->vc;
    const uint32_t count = engine->moved_count, capacity = engine->capacity;
    for (uint32_t i = 0; i < count; ++i) {
        const fc_move move = engine->moved[i];
        fc_vc *ahead = &vc[move.to];
        const uint32_t coming = ahead->coming;
        if (likely(coming - 2 < FC_HEADER_DUE - 2)) {
            const uint32_t now = ahead->count + !is_sink(engine, move.to);
            ahead->coming = coming - 1;
            ahead->count = now;
            set_ready(engine, sending ? move.from : move.to,
                      (vc[move.from].count > 0) & (now < capacity));
            if (now == 1)
                offer(engine, move.to, sending);
        } else {
            arrive_at_edge(engine, move, sending);
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
