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

static always_inline void set_bit(uint64_t *words, uint32_t bit) {
    words[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

/* A full buffer lost a flit: whoever fills it may send, in this cycle if its link has not. */
static always_inline bool wake(fc_flit *engine, uint32_t filler, uint32_t sender) {
    const fc_vc *vc = &engine->vc[filler];
    const uint32_t link = vc->link, word = link >> 6;
    const uint64_t bit = (uint64_t)1 << (link & 63);
    engine->link[link].ready |= (uint64_t)1 << vc->index;
    engine->active[word] |= bit;
    engine->pending[word] |= bit & ~engine->done[word];
    return link < sender;
}

/* One link sends. Returns whether a link already passed may now send too. */
static always_inline bool depart(fc_flit *engine, uint32_t number, bool sending) {
    fc_link *link = &engine->link[number];
    uint64_t turn = link->ready & link->later;
    turn = turn ? turn : link->ready;
    const uint32_t index = (uint32_t)__builtin_ctzll(turn);
    const uint32_t slot = link->first + index;
    link->later = ~(uint64_t)1 << index;
    ++link->crossed;
    engine->moved[engine->moved_count++] = slot;
    const uint32_t from = sending ? slot : engine->vc[slot].previous;
    fc_vc *vc = &engine->vc[from];
    const bool was_full = vc->count-- == vc->capacity;
    --vc->leaving;
    const uint32_t before = vc->previous;
    if (!was_full || before == FC_NONE || engine->vc[before].count == 0)
        return false;
    return wake(engine, sending ? before : from, number);
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
            uint64_t ahead = UINT64_MAX, bits;
            while ((bits = engine->pending[word] & ahead) != 0) {
                const uint64_t bit = bits & -bits;
                engine->pending[word] &= ~bit;
                engine->done[word] |= bit;
                ahead = ~(bit | (bit - 1));
                again |= depart(engine, word << 6 | (uint32_t)__builtin_ctzll(bit), sending);
            }
        }
    } while (again);
}

/* Whether the link of a channel may send for it, from what is in the buffers on both sides. */
static always_inline void set_ready(fc_flit *engine, uint32_t slot, bool ready) {
    const fc_vc *vc = &engine->vc[slot];
    fc_link *link = &engine->link[vc->link];
    const uint64_t mask = (uint64_t)1 << vc->index;
    const uint64_t now = ready ? link->ready | mask : link->ready & ~mask;
    link->ready = now;
    uint64_t *word = &engine->active[vc->link >> 6];
    const uint64_t bit = (uint64_t)1 << (vc->link & 63);
    *word = now ? *word | bit : *word & ~bit;
}

/* The first flit in an empty buffer: the link that empties it may send in the next cycle. */
static always_inline void offer(fc_flit *engine, uint32_t channel, bool sending) {
    const uint32_t next = engine->vc[channel].next;
    if (next == FC_NONE)
        return;
    const fc_vc *ahead = &engine->vc[next];
    if (ahead->count >= ahead->capacity)
        return;
    const fc_vc *slot = &engine->vc[sending ? channel : next];
    engine->link[slot->link].ready |= (uint64_t)1 << slot->index;
    set_bit(engine->active, slot->link);
}

static bool is_sink(const fc_flit *engine, uint32_t channel) {
    return channel - engine->sink_first < engine->sink_count;
}

static void deliver(fc_flit *engine, uint32_t sink, uint32_t message) {
    engine->vc[sink].count = 0;
    fc_flit_vacate(engine, sink);
    engine->endpoints->delivered(engine, message);
}

/* A header or a tail (or both in one) has arrived. */
static void arrive_at_edge(fc_flit *engine, uint32_t slot, uint32_t from, uint32_t to,
                           bool sending) {
    fc_vc *behind = &engine->vc[from], *ahead = &engine->vc[to];
    const uint32_t message = engine->header[to].entering;
    const bool header = (ahead->coming & FC_HEADER_DUE) != 0, sink = is_sink(engine, to);
    ahead->coming = (ahead->coming & ~FC_HEADER_DUE) - 1;
    const bool tail = ahead->coming == 0;
    const bool first = ++ahead->count == 1;
    if (header && first && !sink && engine->header[to].front == message)
        fc_flit_ask(engine, to, engine->time + 1);
    if (!tail) {
        set_ready(engine, slot, behind->count > 0 && ahead->count < ahead->capacity);
        if (first)
            offer(engine, to, sending);
        return;
    }
    ahead->previous = FC_NONE;
    behind->next = FC_NONE;
    set_ready(engine, slot, false);
    if (sink)
        deliver(engine, to, message);
    else
        fc_flit_tail_entered(engine, to);
    if (first && !sink)
        offer(engine, to, sending);
    fc_flit_tail_left(engine, from);
}

static always_inline void arrivals(fc_flit *engine, bool sending) {
    const uint32_t count = engine->moved_count;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = engine->moved[i];
        const uint32_t from = sending ? slot : engine->vc[slot].previous;
        const uint32_t to = sending ? engine->vc[slot].next : slot;
        fc_vc *ahead = &engine->vc[to];
        const uint32_t coming = ahead->coming;
        if (likely(coming - 2 < FC_HEADER_DUE - 2)) {
            ahead->coming = coming - 1;
            const bool first = ++ahead->count == 1;
            set_ready(engine, slot, engine->vc[from].count > 0 && ahead->count < ahead->capacity);
            if (first)
                offer(engine, to, sending);
        } else {
            arrive_at_edge(engine, slot, from, to, sending);
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
