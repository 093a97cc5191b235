/* The rules of a router's cycle, once for all builds of the core: one lane at a time, several in
 * the lanes of vector registers, or a network in a block of a GPU with a thread for each router.
 *
 * The build sets FC_WORD_BITS (32 or 64: a bit for each channel of a router) and FC_LANES, and
 * includes this file. The rules are those of docs/simulators/router.md, for routers that choose
 * in turn, one round, headers with one way out. What differs from the event engine is only how:
 *
 *   - every router is visited in every cycle;
 *   - counters of all channels of a router are bit planes, and a turn is the mask of those that are
 *     not before it;
 *   - routers know of each other only what they sent `delay` cycles ago: at least one cycle, so the
 *     order of routers in a cycle does not matter;
 *   - flits are only counted. A header is written into the buffer ahead when its message is given
 *     the channel: it is looked at when its first flit has arrived;
 *   - a node's messages are drawn when they begin to leave: their queue takes no memory.
 *
 * Invariants:
 *  C1  count + what is on its way + credits = buffer, for each channel of a link.
 *  C2  An input channel is in one `want` while its front is busy, in none otherwise.
 *  C3  An output channel that is not free is held by the one input channel that wants its output,
 *      has been given a channel and holds that number. */
#include "simulators/ensemble/core_types.h"

#ifndef FC_CORE_DEVICE
#define FC_CORE_DEVICE static inline __attribute__((always_inline))
#endif

#include "simulators/ensemble/core_masks.h"

/* ---- where things are ---- */

/* STATE is for masks whose number the compiler knows once loops over ports, planes and virtual
 * channels are unrolled, STATE_AT for the others: at_want, at_last, at_fresh and at_given. Only
 * core_frequent.h, which has its own definitions of all this, keeps them apart. */
#ifndef FC_CORE_FREQUENT
typedef fc_core_plan core_plan;
typedef fc_core core_networks;
typedef mask core_state;
typedef fc_core_channel core_channel;
#define FC_UNROLL
#define STATE_AT(field) STATE(field)
/* Of an output channel: the input channels after the one that was given it last. */
#define OFFER_TURN(channel) STATE(plan->at_offer + (channel))
#define SET_OFFER_TURN(channel, given)                                                             \
    (OFFER_TURN(channel) = pick(some(given), -((given) << 1), OFFER_TURN(channel)))
#define ROUTER(r) (&plan->router[r])
#define FROM(r, p) (plan->from[(size_t)(r)*plan->in_ports + (p)])
#define TO(r, o) (plan->to[(size_t)(r)*plan->out_ports + (o)])
#define NODE_ROUTER(node) (plan->node_router[node])
#define NODE_PORT(node) (plan->node_port[node])
#define WORD(r) (plan->word[r])
#define BIT_DIMENSION(bit) (plan->bit_dimension[bit])
#define DIRECTION_PORT(r, d, rising)                                                               \
    (plan->direction_port[((r)*plan->dimensions + (d)) * 2 + (rising)])
#define SENDERS(router) ((router)->senders)
#define RECEIVERS(router) ((router)->receivers)
#define LINKS_IN(router) ((router)->links_in)
#define LINKS_OUT(router) ((router)->links_out)
#endif

#ifdef FC_CORE_FREQUENT
#elif defined(__CUDACC__) /* neighbouring threads are neighbouring routers */
#define STATE(field) state[(size_t)(field)*plan->routers]
#define STATE_OF(r) ((mask *)x->state + (r))
#define RING(base, r, when)                                                                        \
    ((mask *)(base))[(size_t)((when) & (plan->ring - 1)) * plan->routers + (r)]
#define TALLY(lane, r) (x->tally[r])
#define FC_OWN_ADD(counter, value) ((counter) += (value))
#define CHECK_RECORD(used) (x->tally[NODE_ROUTER(node)].overflow |= (used))
#else
#define STATE(field) state[field]
#define STATE_OF(r) ((mask *)x->state + (size_t)(r)*plan->size)
#define RING(base, r, when) ((mask *)(base))[(size_t)(r)*plan->ring + ((when) & (plan->ring - 1))]
#define TALLY(lane, r) (x->tally[(lane) + 0 * (r)])
#define FC_SHARED_ADD(counter, value) ((counter) += (value))
#define FC_OWN_ADD(counter, value) ((counter) += (value))
#endif

enum {               /* single masks at the start of a router's state */
       AT_FREE,      /* output channels nobody holds */
       AT_BUSY,      /* input channels with a known header at the front */
       AT_MOVING,    /* of which have all stages behind them */
       AT_ASKING,    /* of which ask for an output channel */
       AT_INDEX,     /* turn among the virtual channels of each input */
       AT_NODE_FREE, /* virtual channels into the router that no message of the node holds */
       AT_NODE_TURN,
       AT_NODE_NEW, /* those with a message whose header is still in the node */
       AT_KNOWN,    /* input channels whose next or present front is known: it is in `want` */
       AT_QUEUED,   /* of which have more messages behind that one */
       AT_REST
};

/* Lanes of a router, node or output lie beside each other. */
#define AT(number, lane) ((size_t)(number)*FC_LANES + (lane))
#ifndef FC_CORE_FREQUENT
#define CHANNELS_OF(x, lane, r) ((x)->channel + AT(r, lane) * plan->in_ports * plan->channels)
/* The message at the front of an input channel and the output it goes to. */
#define FRONT_WORD(x, lane, r, i) ((x)->front[AT(r, lane) * plan->in_ports * plan->channels + (i)])
#define FRONT(x, lane, r, i) MESSAGE_OF(FRONT_WORD(x, lane, r, i))
#define OUTPUT(x, lane, r, i) OUTPUT_OF(FRONT_WORD(x, lane, r, i))
#define SET_FRONT(x, lane, r, i, entry, output)                                                    \
    (FRONT_WORD(x, lane, r, i) = WORD_OF(entry, output, 0))
#define WORD_OF(message, output, kind)                                                             \
    ((message) | (output) << plan->output_shift | (kind) << plan->kind_shift)
#define MESSAGE_OF(word) ((word) & ((1u << plan->output_shift) - 1))
#define OUTPUT_OF(word)                                                                            \
    ((word) >> plan->output_shift & ((1u << (plan->kind_shift - plan->output_shift)) - 1))
#define KIND_OF(word) ((word) >> plan->kind_shift & 3)
#define ASKED(x, lane, r, i) (CHANNELS_OF(x, lane, r)[i].asked)
/* The first places of all channels, which are used most, lie together. */
#define QUEUE(x, lane, r, i, place)                                                                \
    ((x)->queue[(((size_t)(place)*plan->routers + (r)) * FC_LANES + (lane)) * plan->in_ports *     \
                    plan->channels +                                                               \
                (i)])
#define RECORD(x, lane, message) ((x)->record[(size_t)(lane)*plan->pool + (message)])
#define CURSOR(x, node, lane) (&(x)->cursor[AT(node, lane)])
#define LATES(x, r, lane) (&(x)->late[AT(r, lane) * plan->lates])
#define LATE_COUNT(x, r, lane) ((x)->late_count[AT(r, lane)])
#define NODE_SUMS(x, number, of_lane) (&(x)->node[AT(number, of_lane)])
#define OF_LANE(x, number) (&(x)->lane[number])
#define COUNT_GRANTED(o, given) (STATE_AT(plan->at_granted + (o)) -= some(given))
#define ENTRY_OF(message, destination, choice) (message)
#define ENTRY_SOURCE(x, lane, entry) (RECORD(x, lane, entry).source)
#define ENTRY_DESTINATION(x, lane, entry) (RECORD(x, lane, entry).destination)
#define ENTRY_CHOICE(x, lane, entry) (RECORD(x, lane, entry).choice)
#endif

#define ADD_PLANES(at, planes, m)                                                                  \
    do {                                                                                           \
        mask carry_ = (m);                                                                         \
        FC_UNROLL                                                                                  \
        for (uint32_t k_ = 0; k_ < (planes); ++k_) {                                               \
            const mask plane_ = STATE((at) + k_);                                                  \
            STATE((at) + k_) = plane_ ^ carry_;                                                    \
            carry_ &= plane_;                                                                      \
        }                                                                                          \
    } while (0)
/* rest: set to the channels whose counter is not 0 afterwards */
#define SUBTRACT_PLANES(at, planes, m, rest)                                                       \
    do {                                                                                           \
        mask borrow_ = (m);                                                                        \
        (rest) = borrow_ & 0;                                                                      \
        FC_UNROLL                                                                                  \
        for (uint32_t k_ = 0; k_ < (planes); ++k_) {                                               \
            const mask plane_ = STATE((at) + k_);                                                  \
            const mask made_ = plane_ ^ borrow_;                                                   \
            STATE((at) + k_) = made_;                                                              \
            (rest) |= made_;                                                                       \
            borrow_ &= ~plane_;                                                                    \
        }                                                                                          \
    } while (0)
#define ANY_PLANE(at, planes, rest)                                                                \
    do {                                                                                           \
        (rest) = STATE(at);                                                                        \
        FC_UNROLL                                                                                  \
        for (uint32_t k_ = 1; k_ < (planes); ++k_)                                                 \
            (rest) |= STATE((at) + k_);                                                            \
    } while (0)

/* The cycle, and where its stages are in the rings of masks. */
typedef struct core_moment {
    uint32_t time, until;         /* until: end of the stretch */
    uint32_t fresh_in, fresh_out; /* headers routed from here on; those that are */
    uint32_t given_in, given_out; /* channels given from here on; those that are */
} core_moment;

FC_CORE_DEVICE core_moment core_moment_of(const core_plan *plan, uint32_t time, uint32_t until) {
    core_moment m;
    m.time = time;
    m.until = until;
    m.fresh_in = plan->at_fresh + (time + plan->routing) % (plan->routing + 1);
    m.fresh_out = plan->at_fresh + time % (plan->routing + 1);
    m.given_in = plan->at_given + (time + plan->allocation) % (plan->allocation + 1);
    m.given_out = plan->at_given + time % (plan->allocation + 1);
    return m;
}

#include "simulators/ensemble/core_messages.h"
#include "simulators/ensemble/core_records.h"
#if defined(__AVX512VBMI2__) && FC_WORD_BITS == 32 && FC_LANES > 1
#define FC_CORE_ROWS
#include "simulators/ensemble/core_rows.h"
#endif
#include "simulators/ensemble/core_queues.h"

/* ---- nodes ---- */

/* The next message of a node begins to leave by input channel i. */
FC_CORE_DEVICE void core_begin_message(const core_networks *x, core_state *state, uint32_t lane,
                                       uint32_t r, uint32_t i, uint32_t time) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t k = SENDERS(router) == 1 ? 0 : i / plan->channels - router->links_in;
    const uint32_t node = router->first_sender + k;
    fc_core_cursor *cursor = CURSOR(x, node, lane);
    const fc_core_message message = core_next_message(x, lane, node, cursor->next);
    const uint32_t number = core_take_record(x, lane, node, cursor->next);
    fc_core_header *header = &RECORD(x, lane, number);
    header->born = core_cycle_of(plan, cursor->due);
    header->started = time;
    header->source = (uint16_t)node;
    header->destination = (uint16_t)message.destination;
    header->flits = (uint8_t)message.flits;
    header->routers = message.routers;
    header->choice = message.choice;
    core_enter(x, lane, r, i, ENTRY_OF(number, message.destination, message.choice));
    cursor->due += message.gap;
    if (++cursor->next > cursor->counted + 1)
        core_count_generated(x, lane, r, cursor, &message, cursor->due);
    LANE(STATE(plan->at_born + k), lane) = core_cycle_of(plan, cursor->due);
    if (plan->sorts > 1)
        core_set_planes(plan, state, plan->at_node_left, lane, i, message.flits);
}

FC_CORE_DEVICE void core_begin_messages(const core_networks *x, core_state *state, uint32_t r,
                                        mask begun, uint32_t time) {
    EACH_RARE_BIT(begun, lane, i) core_begin_message(x, state, lane, r, i, time);
    EACH_RARE_BIT_END
}

/* Messages that are due take free slots, each with one of the channels that have a place. Returns
 * those that are still to begin: of one length and one at a time they need not begin at once, and
 * words that are written lane by lane should not be read as vectors soon. */
FC_CORE_DEVICE mask core_fill_slots(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t k, mask placed, uint32_t time) {
    const core_plan *plan = x->plan;
    const uint32_t port = ROUTER(r)->links_in + k;
    const FC_WORD all = (((FC_WORD)1 << plan->channels) - 1) << (port * plan->channels);
    mask later = placed & 0;
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) {
        const uint32_t slot = plan->at_slot + k * plan->slots + s;
        const mask due = not_after(STATE(plan->at_born + k), time) & ~some(STATE(slot));
        const mask room = STATE(AT_NODE_FREE) & placed & all & due;
        if (!any(room))
            continue;
        const mask bit = first_in_turn(room, STATE(AT_NODE_TURN));
        const mask turn = (STATE(AT_NODE_TURN) & ~all) | (-(bit << 1) & all);
        STATE(AT_NODE_TURN) = pick(some(bit), turn, STATE(AT_NODE_TURN));
        STATE(slot) |= bit;
        STATE(AT_NODE_FREE) &= ~bit;
        STATE(AT_NODE_NEW) |= bit;
        if (plan->sorts == 1)
            SET_LENGTH(plan->at_node_left, bit);
        if (plan->sorts == 1 && plan->slots == 1)
            later = bit;
        else
            core_begin_messages(x, state, r, bit, time);
    }
    return later;
}

/* Headers that leave a node after the cycle in which they took their slot. */
FC_CORE_DEVICE void core_note_start(const core_networks *x, mask leaving, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    EACH_BIT(leaving, lane, i) {
        const core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
        uint32_t last = FRONT(x, lane, r, i);
        if (channel->first != channel->end)
            last = QUEUE(x, lane, r, i, (channel->end ? channel->end : plan->places) - 1u);
        RECORD(x, lane, MESSAGE_OF(last)).started = time;
    }
    EACH_BIT_END
}

/* One flit of one of the slots, in turn. Returns the channel it takes. */
FC_CORE_DEVICE mask core_send(const core_plan *plan, core_state *state, uint32_t k, mask placed) {
    const uint32_t slot = plan->at_slot + k * plan->slots;
    const uint32_t turn = plan->at_slot_turn + k * plan->slots;
    if (plan->slots == 1)
        return STATE(slot) & placed;
    mask sent = placed & 0, passed = sent;
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) /* those whose turn it is */
        sent |= STATE(slot + s) & placed & STATE(turn + s) & ~some(sent);
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s)
        sent |= STATE(slot + s) & placed & ~some(sent);
    const mask moved = some(sent);
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) {
        STATE(turn + s) = pick(moved, passed, STATE(turn + s));
        passed |= some(STATE(slot + s) & sent);
    }
    return sent;
}

/* Returns the messages that take a slot and are still to begin. */
FC_CORE_DEVICE mask core_step_nodes(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const mask back = RING(x->left, r, time - plan->node_credit_delay) & (FC_WORD)router->node_bits;
    mask all = back & 0, begun = all, placed, unfinished;
    ADD_PLANES(plan->at_node_credit, plan->count_planes, back);
    mask work = ~STATE(AT_NODE_FREE) & (FC_WORD)router->node_bits;
    FC_UNROLL
    for (uint32_t k = 0; k < SENDERS(router); ++k)
        work |= not_after(STATE(plan->at_born + k), time);
    RING(x->injected, r, time) = all;
    if (!any(work))
        return begun;
    ANY_PLANE(plan->at_node_credit, plan->count_planes, placed);
    FC_UNROLL
    for (uint32_t k = 0; k < SENDERS(router); ++k) {
        begun |= core_fill_slots(x, state, r, k, placed, time);
        const mask sent = core_send(plan, state, k, placed);
        STATE(plan->at_injected + k) -= some(sent);
        all |= sent;
    }
    SUBTRACT_PLANES(plan->at_node_credit, plan->count_planes, all, unfinished);
    SUBTRACT_PLANES(plan->at_node_left, plan->left_planes, all, unfinished);
    const mask tails = all & ~unfinished, leaving = all & STATE(AT_NODE_NEW);
    if (plan->slots > 1 && any(leaving))
        core_note_start(x, leaving, r, time);
    STATE(AT_NODE_NEW) &= ~all;
    STATE(AT_NODE_FREE) |= tails;
    FC_UNROLL
    for (uint32_t s = 0; s < SENDERS(router) * plan->slots; ++s)
        STATE(plan->at_slot + s) &= ~tails;
    RING(x->injected, r, time) = all;
    return begun;
}

/* ---- headers ---- */

#ifndef FC_CORE_FREQUENT
/* Messages at the front that have been given channels of links go ahead of their flits into the
 * next routers. */
FC_CORE_DEVICE void core_pass_headers(const core_networks *x, const core_state *own, uint32_t r,
                                      mask headers, mask given) {
    const core_plan *plan = x->plan;
#ifndef __CUDACC__
    const FC_WORD channels = ((FC_WORD)1 << plan->channels) - 1;
    mask known[FC_CORE_PORTS]; /* input channels of the next routers */
#ifdef FC_CORE_ROWS /* listed long before it is read: it is written and read in other pieces */
    listed_bit list[FC_LANES * FC_WORD_BITS + 64];
    const uint32_t count = core_has_rows(plan) ? list_bits(headers, list) : 0;
#endif
    for (uint32_t o = 0; o < ROUTER(r)->links_out; ++o) {
        const fc_core_end to = TO(r, o);
        core_state *state = STATE_OF(to.router);
        const mask entered = (given >> (o * plan->channels) & channels) << to.shift;
        known[o] = STATE(AT_KNOWN);
        STATE(AT_KNOWN) |= entered;
        STATE(AT_QUEUED) |= entered & known[o];
    }
#else
    (void)given;
#endif
#ifdef FC_CORE_ROWS
    if (core_has_rows(plan)) {
        core_pass_rows(x, own, r, list, count, known);
        return;
    }
#endif
    EACH_BIT(headers, lane, i) {
        const core_state *state = own;
        const uint32_t word = FRONT_WORD(x, lane, r, i), o = OUTPUT_OF(word);
        const fc_core_end to = TO(r, o);
        uint32_t at = to.shift;
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            at += (uint32_t)(LANE(STATE(plan->at_held + p), lane) >> i & 1) << p;
#ifdef __CUDACC__
        core_enter(x, lane, to.router, at, MESSAGE_OF(word));
#else
        core_put(x, lane, to.router, at, MESSAGE_OF(word), LANE(known[o], lane) >> at & 1);
#endif
    }
    EACH_BIT_END
}
#endif

/* Messages of several lengths: those that were given a channel count their flits from now on. */
FC_CORE_DEVICE void core_set_lengths(const core_networks *x, core_state *state, uint32_t r,
                                     mask given) {
    const core_plan *plan = x->plan;
    EACH_BIT(given, lane, i) {
        const uint32_t message = MESSAGE_OF(FRONT(x, lane, r, i));
        core_set_planes(plan, state, plan->at_left, lane, i, RECORD(x, lane, message).flits);
    }
    EACH_BIT_END
}

/* What headers of a router are given in a cycle. */
typedef struct core_grants {
    mask headers;  /* that are given a channel */
    mask channels; /* that are given */
    mask held[3];  /* headers that are given a channel with this bit in its number */
} core_grants;

/* Input channels that may take virtual channel v of a link. */
FC_CORE_DEVICE mask core_may_take(const core_plan *plan, const core_state *state, uint32_t v) {
    mask may = STATE(AT_FREE) & 0;
    FC_UNROLL
    for (uint32_t kind = 0; kind < plan->kinds; ++kind) {
        mask of_kind = ~(STATE(AT_FREE) & 0);
        FC_UNROLL
        for (uint32_t p = 0; p < plan->kind_planes; ++p)
            of_kind &= kind >> p & 1 ? STATE(plan->at_kind + p) : ~STATE(plan->at_kind + p);
        may |= of_kind & (0 - (FC_WORD)(plan->kind_channels[kind] >> v & 1));
    }
    return may;
}

/* Input channels whose last channel had a number below v. */
FC_CORE_DEVICE mask core_held_below(const core_plan *plan, const core_state *state, uint32_t v) {
    mask below = STATE(AT_FREE) & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p) {
        const mask plane = STATE(plan->at_held + p);
        below = v >> p & 1 ? below | ~plane : below & ~plane;
    }
    return below;
}

/* Headers ask for channels of one output: each channel that was free offers itself to one of them,
 * in turn, and each header takes one of its offers, in turn. */
FC_CORE_DEVICE void core_give_channels(const core_networks *x, core_state *state, uint32_t r,
                                       uint32_t o, bool link, mask headers, mask free_before,
                                       core_grants *grants) {
    const core_plan *plan = x->plan;
    const uint32_t first = o * plan->channels;
    const mask same = headers & STATE_AT(plan->at_last + o); /* took this output last time, too */
    mask given[8], taken = headers & 0;
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        mask asking = headers & spread(free_before, first + v);
        if (plan->kinds > 1 && link)
            asking &= core_may_take(plan, state, v);
        given[v] = first_in_turn(asking, OFFER_TURN(first + v));
    }
    mask offers[8];
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        offers[v] = given[v];
        given[v] &= same & core_held_below(plan, state, v) & ~taken;
        taken |= given[v];
    }
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        const mask rest = offers[v] & ~taken;
        taken |= rest;
        given[v] |= rest;
        SET_OFFER_TURN(first + v, given[v]);
        COUNT_GRANTED(o, given[v]);
        grants->channels |= some(given[v]) & ((FC_WORD)1 << (first + v));
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            grants->held[p] |= v >> p & 1 ? given[v] : given[v] & 0;
    }
    grants->headers |= taken;
    STATE_AT(plan->at_last + o) |= taken;
#if defined(FC_CORE_FREQUENT) && !defined(FC_CORE_SINGLE)
    /* output and channel are known: there is no memory for them */
    if (!link)
        return;
    const fc_core_end to = TO(r, o);
    EACH_BIT(taken, lane, i) {
        const uint32_t v = ((given[1] | given[3]) >> i & 1) | ((given[2] | given[3]) >> i & 1) << 1;
        core_enter(x, lane, to.router, to.shift + v, FRONT(x, lane, r, i));
    }
    EACH_BIT_END
#else
    (void)r;
#endif
}

/* Headers that ask are given channels of those that were free. */
FC_CORE_DEVICE mask core_allocate(const core_networks *x, core_state *state, uint32_t r,
                                  mask asking, mask free_before, const core_moment *m) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const FC_WORD channels = ((FC_WORD)1 << plan->channels) - 1;
    core_grants grants;
    grants.headers = grants.channels = asking & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < 3; ++p)
        grants.held[p] = grants.headers;
#ifdef __CUDACC__
    uint32_t todo = 0;
#endif
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router) + RECEIVERS(router); ++o) {
        const mask open = some(free_before & (FC_WORD)(channels << (o * plan->channels)));
        const mask headers = asking & STATE_AT(plan->at_want + o) & open;
#ifdef __CUDACC__ /* outputs one after the other, not those of each thread after another's */
        todo |= headers ? 1u << o : 0;
    }
    for (; todo; todo &= todo - 1) {
        const uint32_t o = index_of(todo);
        const mask headers = asking & STATE_AT(plan->at_want + o);
        core_give_channels(x, state, r, o, o < router->links_out, headers, free_before, &grants);
    }
#else
        if (any(headers))
            core_give_channels(x, state, r, o, o < router->links_out, headers, free_before,
                               &grants);
    }
#endif
    const mask given = grants.headers;
    if (!any(given))
        return given;
    STATE(AT_FREE) &= ~grants.channels;
    STATE(AT_ASKING) &= ~given;
    STATE_AT(m->given_in) |= given;
    mask ends = given & 0; /* headers that go to nodes */
    (void)ends;
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router) + RECEIVERS(router); ++o) {
        const mask want = STATE_AT(plan->at_want + o);
        STATE_AT(plan->at_last + o) &= ~given | want;
        if (o >= router->links_out)
            ends |= want;
    }
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p)
        STATE(plan->at_held + p) = pick(given, grants.held[p], STATE(plan->at_held + p));
    if (plan->sorts == 1)
        SET_LENGTH(plan->at_left, given);
    else
        core_set_lengths(x, state, r, given);
#ifndef FC_CORE_FREQUENT
    core_pass_headers(x, state, r, given & ~ends, grants.channels);
#endif
    return given;
}

#ifndef FC_CORE_FREQUENT
/* How long headers waited for a channel. first: those that ask for the first time. */
FC_CORE_DEVICE void core_count_waits(const core_networks *x, const core_state *state, uint32_t r,
                                     mask first, mask asking, mask given, uint32_t time) {
    const core_plan *plan = x->plan;
    const mask begin = first & ~given, end = given & ~first;
    (void)plan, (void)state, (void)asking;
    if (any(begin)) {
        EACH_BIT(begin, lane, i) ASKED(x, lane, r, i) = time;
        EACH_BIT_END
    }
    if (any(end)) {
        EACH_BIT(end, lane, i) {
            const uint32_t o = OUTPUT(x, lane, r, i);
            fc_core_output *output = &x->output[AT(plan->output_first[r] + o, lane)];
            FC_OWN_ADD(output->waited, time - ASKED(x, lane, r, i));
        }
        EACH_BIT_END
    }
}
#endif

FC_CORE_DEVICE void core_headers(const core_networks *x, core_state *state, uint32_t r, mask fresh,
                                 mask free_before, const core_moment *m) {
    const core_plan *plan = x->plan;
    (void)plan;
    core_look_at_headers(x, state, r, fresh);
    STATE_AT(m->fresh_in) = fresh;
    const mask first = STATE_AT(m->fresh_out), asking = STATE(AT_ASKING) | first;
    STATE(AT_ASKING) = asking;
    if (any(asking)) {
        const mask given = core_allocate(x, state, r, asking, free_before, m);
        core_count_waits(x, state, r, first, asking, given, m->time);
    }
}

/* ---- the crossbar ---- */

/* The first channel of each port that has one in the set. */
FC_CORE_DEVICE mask ports_of(const core_plan *plan, mask set) {
    mask ports = set;
    FC_UNROLL
    for (uint32_t k = 1; k < plan->channels; ++k)
        ports |= set >> k;
    return ports & (FC_WORD)plan->low_bits;
}

/* Every output chooses an input, and of its channels one. port: the input's first channel. */
FC_CORE_DEVICE void core_choose(const core_plan *plan, const core_state *state, uint32_t outputs,
                                mask ready, mask *chosen, mask *port) {
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        const mask wanted = ready & STATE_AT(plan->at_want + o);
        mask bit = first_in_turn(wanted, STATE(plan->at_turn + o));
        if (!plan->per_channel) {
            port[o] = ports_of(plan, bit);
            const mask channels = (port[o] << plan->channels) - port[o];
            bit = first_in_turn(wanted & channels, STATE(AT_INDEX));
        }
        chosen[o] = bit;
    }
}

/* Every input takes one of its offers, in turn: the others are withdrawn. */
FC_CORE_DEVICE void core_take(const core_plan *plan, core_state *state, uint32_t outputs,
                              mask *chosen, mask *port) {
    mask used = chosen[0] & 0, later[FC_CORE_PORTS], before = used;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        later[o] = port[o] & STATE(plan->at_way + o) & ~used;
        used |= later[o];
    }
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        const mask first = port[o] & ~used;
        used |= first;
        port[o] = later[o] | first;
    }
    const mask channels = (used << plan->channels) - used;
    mask passed = used & 0;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        chosen[o] &= some(port[o]);
        passed |= chosen[o];
        STATE(plan->at_way + o) = (STATE(plan->at_way + o) & ~used) | before;
        before |= port[o];
        STATE(plan->at_turn + o) =
            pick(some(port[o]), -(port[o] << plan->channels), STATE(plan->at_turn + o));
    }
    /* Of each port used, the channels above the one that passed. */
    mask above = passed << 1 & ~(FC_WORD)plan->low_bits;
    FC_UNROLL
    for (uint32_t k = 1; k < plan->channels; ++k)
        above |= above << 1 & ~(FC_WORD)plan->low_bits;
    STATE(AT_INDEX) = (STATE(AT_INDEX) & ~channels) | (above & channels);
}

FC_CORE_DEVICE void core_tails_delivered(const core_networks *x, uint32_t r, mask tails,
                                         uint32_t time, uint32_t until) {
    const core_plan *plan = x->plan;
    EACH_BIT(tails, lane, i) {
        const uint32_t number = MESSAGE_OF(FRONT(x, lane, r, i));
        const fc_core_header header = RECORD(x, lane, number);
        core_give_record(x, lane, number);
        core_deliver(x, lane, r, &header, time + plan->eject_delay, until);
    }
    EACH_BIT_END
}

/* The channels of an output over which its flits go. */
FC_CORE_DEVICE mask held_channel(const core_plan *plan, const core_state *state, mask bit) {
    mask number = bit & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p)
        number |= some(bit & STATE(plan->at_held + p)) & (FC_WORD)(1u << p);
    return (some(bit) & 1) << number;
}

/* Flits that are ready pass the crossbar. Returns the tails among them. */
FC_CORE_DEVICE mask core_switch(const core_networks *x, core_state *state, uint32_t r, mask ready,
                                uint32_t time, uint32_t until) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t outputs = LINKS_OUT(router) + RECEIVERS(router);
    mask chosen[FC_CORE_PORTS], port[FC_CORE_PORTS];
    core_choose(plan, state, outputs, ready, chosen, port);
    if (plan->per_channel) {
        FC_UNROLL
        for (uint32_t o = 0; o < outputs; ++o)
            STATE(plan->at_turn + o) =
                pick(some(chosen[o]), -(chosen[o] << 1), STATE(plan->at_turn + o));
    } else {
        core_take(plan, state, outputs, chosen, port);
    }
    mask passed = ready & 0, sent = passed, finished = passed, delivered = passed, unfinished;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o)
        passed |= chosen[o];
#ifdef FC_CORE_SINGLE
    core_pass_headers(x, state, r, chosen);
#endif
    SUBTRACT_PLANES(plan->at_count, plan->count_planes, passed, unfinished);
    SUBTRACT_PLANES(plan->at_left, plan->left_planes, passed, unfinished);
    const mask tails = passed & ~unfinished;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        const mask over = held_channel(plan, state, chosen[o]) << (o * plan->channels);
        const mask tail = chosen[o] & tails;
        STATE(plan->at_crossed + o) -= some(chosen[o]);
        STATE_AT(plan->at_want + o) &= ~tail;
        sent |= over;
        finished |= over & some(tail);
        if (o >= router->links_out)
            delivered |= tail;
    }
    if (any(delivered)) {
#ifdef FC_CORE_ROWS
        for (uint32_t o = router->links_out; o < outputs && time + plan->eject_delay < until; ++o)
            core_arrive_rows(x, r, chosen[o] & tails, time);
        if (time + plan->eject_delay >= until)
#endif
            core_tails_delivered(x, r, delivered, time, until);
    }
    STATE(AT_BUSY) &= ~tails;
    STATE(AT_MOVING) &= ~tails;
    STATE(AT_FREE) |= finished;
    SUBTRACT_PLANES(plan->at_credit, plan->count_planes, sent & (FC_WORD)router->link_bits,
                    unfinished);
    RING(x->sent, r, time) = sent;
    RING(x->left, r, time) = passed;
    return tails;
}

/* Input channels whose message holds a channel without credit. */
FC_CORE_DEVICE mask core_blocked(const core_plan *plan, const core_state *state,
                                 const fc_core_router *router) {
    mask credit, blocked = STATE(AT_FREE) & 0;
    ANY_PLANE(plan->at_credit, plan->count_planes, credit);
    const mask empty = ~credit & ~STATE(AT_FREE) & (FC_WORD)router->link_bits;
    if (!any(empty))
        return blocked;
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        mask holding = ~(empty & 0), whose = empty & 0; /* hold channel v; want an empty one */
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            holding &= v >> p & 1 ? STATE(plan->at_held + p) : ~STATE(plan->at_held + p);
        FC_UNROLL
        for (uint32_t o = 0; o < LINKS_OUT(router); ++o)
            whose |= STATE_AT(plan->at_want + o) & spread(empty, o * plan->channels + v);
        blocked |= holding & whose;
    }
    return blocked;
}

/* ---- a router's cycle ---- */

FC_CORE_DEVICE void core_step_router(const core_networks *x, uint32_t r, const core_moment *m) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t width = plan->channels, time = m->time;
    const FC_WORD channels = ((FC_WORD)1 << width) - 1;
    core_state *state = STATE_OF(r);
#ifdef FC_CORE_FREQUENT
    core_draw_together(x, state, r, time);
#endif
    mask arrived = RING(x->injected, r, time - plan->node_delay);
    mask credits = arrived & 0, filled;
    FC_UNROLL
    for (uint32_t p = 0; p < LINKS_IN(router); ++p) {
        const fc_core_end from = FROM(r, p);
        const mask sent = RING(x->sent, from.router, time - plan->flit_delay);
        arrived |= (sent >> from.shift & channels) << (p * width);
    }
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router); ++o) {
        const fc_core_end to = TO(r, o);
        const mask left = RING(x->left, to.router, time - plan->credit_delay);
        credits |= (left >> to.shift & channels) << (o * width);
    }
    ADD_PLANES(plan->at_count, plan->count_planes, arrived);
    ADD_PLANES(plan->at_credit, plan->count_planes, credits);
    const mask begun = core_step_nodes(x, state, r, time);
    mask tails = arrived & 0;
    ANY_PLANE(plan->at_count, plan->count_planes, filled);
    const mask fresh = filled & ~STATE(AT_BUSY), free_before = STATE(AT_FREE);
    STATE(AT_BUSY) |= fresh;
    if (plan->allocation == 0)
        core_headers(x, state, r, fresh, free_before, m);
    STATE(AT_MOVING) |= STATE_AT(m->given_out);
    STATE_AT(m->given_out) = arrived & 0;
    const mask ready = filled & STATE(AT_MOVING) & ~core_blocked(plan, state, router);
    if (any(ready)) {
        tails = core_switch(x, state, r, ready, time, m->until);
    } else {
        RING(x->sent, r, time) = ready;
        RING(x->left, r, time) = ready;
    }
    if (plan->allocation != 0)
        core_headers(x, state, r, fresh, free_before, m);
    core_look_behind(x, state, r, tails);
    if (any(begun))
        core_begin_messages(x, state, r, begun, time);
}

/* Before and after the cycles of a stretch. */
FC_CORE_DEVICE void core_begin_stretch(const core_networks *x, uint32_t r, uint32_t until) {
    for (uint32_t lane = 0; lane < FC_LANES; ++lane)
        core_count_late(x, lane, r, until);
}

FC_CORE_DEVICE void core_end_stretch(const core_networks *x, uint32_t r, uint32_t until) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const core_state *state = STATE_OF(r);
    mask hops = STATE(AT_FREE) & 0;
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router); ++o) {
        if (o < router->links_out)
            hops += STATE(plan->at_crossed + o);
    }
    for (uint32_t lane = 0; lane < FC_LANES; ++lane)
        TALLY(lane, r).hops += LANE(hops, lane);
    FC_UNROLL
    for (uint32_t k = 0; k < SENDERS(router); ++k) {
        const mask waiting = not_after(STATE(plan->at_born + k), until - 1);
        if (!any(waiting))
            continue;
        for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
            if (LANE(waiting, lane))
                core_count_waiting(x, lane, r, router->first_sender + k, until);
        }
    }
}
