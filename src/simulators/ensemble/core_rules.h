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
 *  C3  free and owned output channels are complements; the owner of a free one means nothing. */
#include "simulators/ensemble/core_types.h"

#ifndef FC_CORE_DEVICE
#define FC_CORE_DEVICE static inline __attribute__((always_inline))
#endif

/* ---- masks ---- */

#if FC_WORD_BITS == 32
#define FC_WORD uint32_t
#else
#define FC_WORD uint64_t
#endif

#if FC_LANES == 1
typedef FC_WORD mask;
#define LANE(m, lane) (m)
FC_CORE_DEVICE int any(mask m) {
    return m != 0;
}
FC_CORE_DEVICE mask some(mask m) { /* all ones, or 0, in each lane */
    return m ? (mask)-1 : 0;
}
FC_CORE_DEVICE mask not_after(mask m, FC_WORD word) {
    return m <= word ? (mask)-1 : 0;
}
#else
typedef FC_WORD mask __attribute__((vector_size(FC_LANES * sizeof(FC_WORD))));
#define LANE(m, lane) (((FC_WORD *)&(m))[lane])
static inline int any(mask m) {
#if defined(__AVX512F__) && FC_WORD_BITS == 64
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif defined(__AVX__) && FC_WORD_BITS == 32
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    FC_WORD sum = 0;
    for (unsigned lane = 0; lane < FC_LANES; ++lane)
        sum |= m[lane];
    return sum != 0;
#endif
}
static inline mask some(mask m) {
    return (mask)(m != 0);
}
static inline mask not_after(mask m, FC_WORD word) {
    return (mask)(m <= word);
}
#endif

FC_CORE_DEVICE mask pick(mask which, mask yes, mask no) {
    return (yes & which) | (no & ~which);
}

FC_CORE_DEVICE mask lowest(mask m) {
    return m & -m;
}

/* The first of a set that is not before the turn, or the first of all. */
FC_CORE_DEVICE mask first_in_turn(mask set, mask turn) {
    const mask later = set & turn;
    return lowest(pick(some(later), later, set));
}

FC_CORE_DEVICE uint32_t index_of(FC_WORD bit) {
#ifdef __CUDA_ARCH__
    return (uint32_t)(sizeof bit == 4 ? __ffs((int)bit) : __ffsll((long long)bit)) - 1;
#else
    return (uint32_t)__builtin_ctzll(bit);
#endif
}

FC_CORE_DEVICE uint32_t highest_index(uint64_t bits) {
#ifdef __CUDA_ARCH__
    return 63 - (uint32_t)__clzll((long long)bits);
#else
    return 63 - (uint32_t)__builtin_clzll(bits);
#endif
}

/* ---- where things are ---- */

/* STATE is for masks whose number the compiler knows once loops over ports, planes and virtual
 * channels are unrolled, STATE_AT for the others: at_want, at_owner, at_fresh and at_given. Only
 * core_frequent.h, which has its own definitions of all this, keeps them apart. */
#ifndef FC_CORE_FREQUENT
typedef fc_core_plan core_plan;
typedef fc_core core_networks;
typedef mask core_state;
typedef fc_core_channel core_channel;
#define FC_UNROLL
#define STATE_AT(field) STATE(field)
#define ROUTER(r) (&plan->router[r])
#define FROM(r, p) (plan->from[(size_t)(r)*plan->in_ports + (p)])
#define TO(r, o) (plan->to[(size_t)(r)*plan->out_ports + (o)])
#define NODE_ROUTER(node) (plan->node_router[node])
#define NODE_PORT(node) (plan->node_port[node])
#define WORD(r) (plan->word[r])
#define BIT_DIMENSION(bit) (plan->bit_dimension[bit])
#define DIRECTION_PORT(r, d, rising)                                                               \
    (plan->direction_port[((r)*plan->dimensions + (d)) * 2 + (rising)])
#define NODES(router) ((router)->nodes)
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
       AT_REST
};

/* Lanes of a router, node or output lie beside each other. */
#define AT(number, lane) ((size_t)(number)*FC_LANES + (lane))
#ifndef FC_CORE_FREQUENT
#define CHANNELS_OF(x, lane, r) ((x)->channel + AT(r, lane) * plan->in_ports * plan->channels)
#define FRONT(x, lane, r, i) (CHANNELS_OF(x, lane, r)[i].header)
#define ASKED(x, lane, r, i) (CHANNELS_OF(x, lane, r)[i].asked)
#endif
#define HEADER(x, lane, r, i, place)                                                               \
    ((x)->header[(AT(r, lane) * plan->in_ports * plan->channels + (i)) * plan->places + (place)])

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

/* ---- routes ---- */

/* The output and virtual channels for a header in a router. */
FC_CORE_DEVICE uint32_t core_route(const core_networks *x, uint32_t at,
                                   const fc_core_header *header, uint8_t *channels) {
    const core_plan *plan = x->plan;
    const uint32_t to = NODE_ROUTER(header->destination);
    const uint64_t differ = WORD(at) ^ WORD(to);
    if (!differ) {
        *channels = (uint8_t)plan->ejection;
        return NODE_PORT(header->destination);
    }
    const uint32_t reversed = (header->choice & FC_CORE_REVERSED) != 0;
    const uint64_t low = differ & (0 - differ);
    const uint32_t d = BIT_DIMENSION(highest_index(reversed ? differ : low));
    const uint32_t rising = header->choice >> d & 1;
    const fc_core_rule *rule = &plan->rule[reversed];
    uint64_t own = rule->all;
    if (rule->lower) { /* a rule that looks at digits */
        const uint32_t from = plan->digit[NODE_ROUTER(header->source) * plan->dimensions + d];
        const uint32_t here = plan->digit[at * plan->dimensions + d];
        const uint32_t end = plan->digit[to * plan->dimensions + d];
        const uint32_t upper = rule->rule == FC_CORE_HIGH_LOW ? end > here
                               : rule->rule == FC_CORE_DATELINE
                                   ? (rising ? here < from : here > from)
                                   : (rising ? end < from : end > from);
        own = upper ? rule->all & ~rule->lower : rule->lower;
    }
    *channels = (uint8_t)(own << rule->shift);
    return DIRECTION_PORT(at, d, rising);
}

/* The directions of a message, with what is drawn for them. */
FC_CORE_DEVICE uint16_t core_choice(const core_plan *plan, fc_random *random, uint32_t source,
                                    uint32_t destination) {
    const uint32_t from = plan->node_router[source], to = plan->node_router[destination];
    uint32_t choice = 0, ties = 0, count = 0;
    FC_UNROLL
    for (uint32_t d = 0; d < plan->dimensions; ++d) {
        const uint32_t radix = plan->radix[d];
        const uint32_t a = plan->digit[from * plan->dimensions + d];
        const uint32_t b = plan->digit[to * plan->dimensions + d];
        const uint32_t up = b >= a ? b - a : b + radix - a, down = up ? radix - up : 0;
        const uint32_t rising = !plan->wraps           ? b > a
                                : !plan->bidirectional ? plan->rising
                                                       : up <= down;
        const uint32_t tie = plan->wraps && plan->bidirectional && up == down && up != 0;
        choice |= rising << d;
        ties |= tie << d;
        count += tie;
    }
    uint32_t variant = 0;
    if (count + plan->o1turn)
        variant = fc_random_below(random, 1u << (count + plan->o1turn));
    const uint32_t reversed = plan->o1turn & variant;
    variant >>= plan->o1turn;
    for (; ties; ties &= ties - 1, variant >>= 1)
        choice ^= variant & 1 ? ties & (0u - ties) : 0;
    return (uint16_t)(choice | (reversed ? FC_CORE_REVERSED : 0));
}

/* ---- messages ---- */

typedef struct core_message {
    uint64_t gap; /* trials to the next one */
    uint32_t destination;
    uint32_t flits;
    uint16_t choice;
} core_message;

/* Message `number` of a node, from 1; 0: only the gap to the first. The order of the draws is that
 * of the event engine (router_open.c). */
FC_CORE_DEVICE core_message core_draw(const core_plan *plan, const fc_core_lane *lane,
                                      uint32_t node, uint32_t number) {
    core_message message = {0, 0, 0, 0};
    fc_random random = fc_message_stream(lane->seed, lane->replication, node, number);
    message.gap = fc_message_gap(lane->law[lane->own_laws ? node : 0], &random);
    if (!number)
        return message;
    message.destination = plan->image ? plan->image[node] : core_destination(plan, &random, node);
    uint32_t sort = 0;
    if (plan->sorts > 1) {
        const uint32_t word = fc_random_word(&random);
        while (sort + 1 < plan->sorts && word >= plan->below[sort])
            ++sort;
    }
    message.flits = plan->flits[sort];
    message.choice = core_choice(plan, &random, node, message.destination);
    return message;
}

FC_CORE_DEVICE uint32_t core_cycle_of(const core_plan *plan, uint64_t trial) {
    const uint64_t cycle = trial >> plan->trial_bits;
    return cycle < FC_CORE_NEVER ? (uint32_t)cycle : FC_CORE_NEVER;
}

FC_CORE_DEVICE void core_count_generated(const core_networks *x, uint32_t lane, uint32_t r,
                                         fc_core_cursor *cursor, const core_message *message,
                                         uint64_t due) {
    ++cursor->counted;
    cursor->counted_due = due;
    FC_OWN_ADD(TALLY(lane, r).generated, 1);
    FC_OWN_ADD(TALLY(lane, r).generated_flits, message->flits);
}

/* Messages of a node generated before a cycle that have not been counted. */
FC_CORE_DEVICE void core_count_waiting(const core_networks *x, uint32_t lane, uint32_t r,
                                       uint32_t node, uint32_t until) {
    const core_plan *plan = x->plan;
    fc_core_cursor *cursor = &x->cursor[AT(node, lane)];
    while (core_cycle_of(plan, cursor->counted_due) < until) {
        const core_message message = core_draw(plan, &x->lane[lane], node, cursor->counted + 1);
        core_count_generated(x, lane, r, cursor, &message, cursor->counted_due + message.gap);
    }
}

FC_CORE_DEVICE void core_delivered(const core_networks *x, uint32_t lane, uint32_t r,
                                   const fc_core_header *header, uint32_t when) {
    const core_plan *plan = x->plan;
    fc_core_tally *tally = &TALLY(lane, r);
    fc_core_node *node = &x->node[AT(header->source, lane)];
    const uint32_t latency = when - header->born - 1, wait = header->started - header->born;
    FC_OWN_ADD(tally->messages, 1);
    FC_OWN_ADD(tally->latency, latency);
    FC_OWN_ADD(tally->source_wait, wait);
    FC_OWN_ADD(tally->routers, header->routers);
    FC_OWN_ADD(tally->flits, header->flits);
    FC_OWN_ADD(tally->flit_routers, (uint32_t)header->flits * header->routers);
    if (header->destination == plan->hot_node) {
        FC_OWN_ADD(tally->messages_hot, 1);
        FC_OWN_ADD(tally->latency_hot, latency);
    }
    FC_SHARED_ADD(node->messages, 1);
    FC_SHARED_ADD(node->latency, latency);
    FC_SHARED_ADD(node->source_wait, wait);
    if (x->lane[lane].histogram)
        FC_SHARED_ADD(x->lane[lane].histogram[fc_histogram_bin(latency)], 1);
#ifndef __CUDACC__
    if (x->observer)
        x->observer(x->observer_context, lane, header, latency);
#endif
}

/* A tail has left its last router: it is counted when it is in its node. */
FC_CORE_DEVICE void core_deliver(const core_networks *x, uint32_t lane, uint32_t r,
                                 const fc_core_header *header, uint32_t when, uint32_t until) {
    const core_plan *plan = x->plan;
    if (when < until) {
        core_delivered(x, lane, r, header, when);
        return;
    }
    const size_t at = AT(r, lane);
    fc_core_late *late = &x->late[at * plan->lates + x->late_count[at]++];
    late->header = *header;
    late->when = when;
}

FC_CORE_DEVICE void core_count_late(const core_networks *x, uint32_t lane, uint32_t r,
                                    uint32_t until) {
    const core_plan *plan = x->plan;
    const size_t at = AT(r, lane);
    fc_core_late *late = &x->late[at * plan->lates];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < x->late_count[at]; ++i) {
        if (late[i].when < until)
            core_delivered(x, lane, r, &late[i].header, late[i].when);
        else
            late[kept++] = late[i];
    }
    x->late_count[at] = kept;
}

/* ---- nodes ---- */

/* A place for a header behind the others of an input channel. */
FC_CORE_DEVICE fc_core_header *core_push(const core_networks *x, uint32_t lane, uint32_t r,
                                         uint32_t i) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
#ifndef __CUDACC__ /* the first places stay in near caches; threads could not agree on it */
    if (channel->first == channel->end)
        channel->first = channel->end = 0;
#endif
    fc_core_header *header = &HEADER(x, lane, r, i, channel->end);
    channel->end = (uint8_t)(channel->end + 1u == plan->places ? 0 : channel->end + 1);
    return header;
}

/* The next message of a node takes a slot and one of the channels with a place. */
FC_CORE_DEVICE void core_begin_message(const core_networks *x, core_state *state, uint32_t lane,
                                       uint32_t r, uint32_t k, uint32_t slot, FC_WORD room,
                                       uint32_t time) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t node = router->first_node + k, port = router->links_in + k;
    const FC_WORD all = (((FC_WORD)1 << plan->channels) - 1) << (port * plan->channels);
    const FC_WORD later = room & LANE(STATE(AT_NODE_TURN), lane), open = later ? later : room;
    const FC_WORD bit = open & (0 - open);
    fc_core_cursor *cursor = &x->cursor[AT(node, lane)];
    const core_message message = core_draw(plan, &x->lane[lane], node, cursor->next);
    const uint32_t i = index_of(bit);
    fc_core_header *header = core_push(x, lane, r, i);
    header->born = core_cycle_of(plan, cursor->due);
    header->started = time;
    header->source = (uint16_t)node;
    header->destination = (uint16_t)message.destination;
    header->flits = (uint8_t)message.flits;
    header->routers = 0;
    header->choice = message.choice;
    cursor->due += message.gap;
    if (++cursor->next > cursor->counted + 1)
        core_count_generated(x, lane, r, cursor, &message, cursor->due);
    LANE(STATE(plan->at_born + k), lane) = core_cycle_of(plan, cursor->due);
    LANE(STATE(plan->at_slot + k * plan->slots + slot), lane) = bit;
    LANE(STATE(AT_NODE_FREE), lane) &= ~bit;
    LANE(STATE(AT_NODE_NEW), lane) |= bit;
    LANE(STATE(AT_NODE_TURN), lane) =
        (LANE(STATE(AT_NODE_TURN), lane) & ~all) | (all & (0 - (FC_WORD)(bit << 1)));
    FC_UNROLL
    for (uint32_t p = 0; p < plan->left_planes; ++p) {
        FC_WORD *plane = &LANE(STATE(plan->at_node_left + p), lane);
        *plane = (*plane & ~bit) | (message.flits >> p & 1 ? bit : 0);
    }
}

/* Messages that are due begin in free slots. */
FC_CORE_DEVICE void core_fill_slots(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t k, mask placed, uint32_t time) {
    const core_plan *plan = x->plan;
    const uint32_t port = ROUTER(r)->links_in + k;
    const FC_WORD all = (((FC_WORD)1 << plan->channels) - 1) << (port * plan->channels);
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) {
        const mask due = not_after(STATE(plan->at_born + k), time);
        const mask room = STATE(AT_NODE_FREE) & placed & all;
        const mask start = due & ~some(STATE(plan->at_slot + k * plan->slots + s)) & room;
        if (!any(start))
            continue;
        for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
            if (LANE(start, lane))
                core_begin_message(x, state, lane, r, k, s, LANE(start, lane), time);
        }
    }
}

/* Headers that leave a node after the cycle in which they took their slot. */
FC_CORE_DEVICE void core_note_start(const core_networks *x, mask leaving, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
        for (FC_WORD left = LANE(leaving, lane); left; left &= left - 1) {
            const uint32_t i = index_of(left), end = CHANNELS_OF(x, lane, r)[i].end;
            HEADER(x, lane, r, i, end ? end - 1u : plan->places - 1).started = time;
        }
    }
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

FC_CORE_DEVICE void core_step_nodes(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const mask back = RING(x->left, r, time - plan->node_credit_delay) & (FC_WORD)router->node_bits;
    mask all = back & 0, placed, unfinished;
    ADD_PLANES(plan->at_node_credit, plan->count_planes, back);
    mask work = ~STATE(AT_NODE_FREE) & (FC_WORD)router->node_bits;
    FC_UNROLL
    for (uint32_t k = 0; k < NODES(router); ++k)
        work |= not_after(STATE(plan->at_born + k), time);
    RING(x->injected, r, time) = all;
    if (!any(work))
        return;
    ANY_PLANE(plan->at_node_credit, plan->count_planes, placed);
    FC_UNROLL
    for (uint32_t k = 0; k < NODES(router); ++k) {
        core_fill_slots(x, state, r, k, placed, time);
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
    for (uint32_t s = 0; s < NODES(router) * plan->slots; ++s)
        STATE(plan->at_slot + s) &= ~tails;
    RING(x->injected, r, time) = all;
}

/* ---- headers ---- */

/* Lists the bits of a mask, lane by lane: without branches while no lane has more than two, for
 * these cannot be foretold. */
typedef struct core_bit {
    uint8_t lane, index;
} core_bit;
FC_CORE_DEVICE uint32_t core_list(mask set, core_bit *list) {
    uint32_t count = 0;
    FC_WORD more = 0;
    for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
        FC_WORD word = LANE(set, lane);
        for (int twice = 0; twice < 2; ++twice) {
            list[count].lane = (uint8_t)lane;
            list[count].index = (uint8_t)index_of(word | (FC_WORD)1 << (FC_WORD_BITS - 1));
            count += word != 0;
            word &= word - 1;
        }
        more |= word;
    }
    if (!more)
        return count;
    for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
        FC_WORD word = LANE(set, lane);
        word &= word - 1;
        for (word &= word - 1; word; word &= word - 1) {
            list[count].lane = (uint8_t)lane;
            list[count++].index = (uint8_t)index_of(word);
        }
    }
    return count;
}

/* A header that has come to the front finds its output. */
FC_CORE_DEVICE void core_route_header(const core_networks *x, core_state *state, uint32_t lane,
                                      uint32_t r, uint32_t i, const core_moment *m) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
#ifndef FC_CORE_FREQUENT
    channel->header = HEADER(x, lane, r, i, channel->first);
#endif
    channel->first = (uint8_t)(channel->first + 1u == plan->places ? 0 : channel->first + 1);
    ASKED(x, lane, r, i) = m->time + plan->routing;
    channel->output = (uint8_t)core_route(x, r, &FRONT(x, lane, r, i), &channel->channels);
    LANE(STATE_AT(plan->at_want + channel->output), lane) |= (FC_WORD)1 << i;
}

/* Input channel i gets virtual channel v of an output. */
FC_CORE_DEVICE void core_grant(const core_networks *x, core_state *state, uint32_t lane, uint32_t r,
                               uint32_t i, core_channel *channel, uint32_t v,
                               const core_moment *m) {
    const core_plan *plan = x->plan;
    const uint32_t o = channel->output, taken = o * plan->channels + v;
    fc_core_header header = FRONT(x, lane, r, i);
    const FC_WORD bit = (FC_WORD)1 << i;
    fc_core_output *output = &x->output[AT(plan->output_first[r] + o, lane)];
    channel->turn = (uint8_t)(taken + 1);
    x->turn[AT(r, lane) * plan->out_ports * plan->channels + taken] = (uint8_t)(i + 1);
    FC_OWN_ADD(output->granted, 1);
    FC_OWN_ADD(output->waited, m->time - ASKED(x, lane, r, i));
    LANE(STATE(AT_FREE), lane) &= ~((FC_WORD)1 << taken);
    LANE(STATE(AT_ASKING), lane) &= ~bit;
#ifndef FC_CORE_FREQUENT
    LANE(STATE_AT(plan->at_owner + taken), lane) = bit;
#endif
    LANE(STATE_AT(m->given_in), lane) |= bit;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p) {
        FC_WORD *plane = &LANE(STATE(plan->at_held + p), lane);
        *plane = (*plane & ~bit) | (FC_WORD)(v >> p & 1) << i;
    }
    FC_UNROLL
    for (uint32_t p = 0; p < plan->left_planes; ++p) {
        FC_WORD *plane = &LANE(STATE(plan->at_left + p), lane);
        *plane = (*plane & ~bit) | (FC_WORD)(header.flits >> p & 1) << i;
    }
    if (o >= ROUTER(r)->links_out)
        return;
    const fc_core_end *to = &plan->to[(size_t)r * plan->out_ports + o];
    ++header.routers;
    *core_push(x, lane, to->router, to->shift + v) = header;
}

/* The channel a header takes of those offered, in its turn. */
FC_CORE_DEVICE uint32_t core_accept(const core_plan *plan, const core_channel *channel,
                                    uint32_t offers) {
    const uint32_t from = channel->turn - channel->output * plan->channels;
    const uint32_t later = from < plan->channels ? offers >> from << from : 0;
    return index_of(later ? later : offers);
}

/* Several headers ask for channels of one output: each channel offers itself to one of them. */
FC_CORE_DEVICE void core_settle(const core_networks *x, core_state *state, uint32_t lane,
                                uint32_t r, uint32_t o, FC_WORD headers, uint32_t open,
                                const core_moment *m) {
    const core_plan *plan = x->plan;
    core_channel *channel = CHANNELS_OF(x, lane, r);
    const uint8_t *turn = &x->turn[(AT(r, lane) * plan->out_ports + o) * plan->channels];
    uint8_t winner[8];
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        FC_WORD asking = 0;
        winner[v] = 255;
        if (!(open >> v & 1))
            continue;
        for (FC_WORD left = headers; left; left &= left - 1)
            asking |= channel[index_of(left)].channels >> v & 1 ? left & (0 - left) : 0;
        if (!asking)
            continue;
        const FC_WORD later =
            turn[v] < 8 * sizeof asking ? (FC_WORD)(asking >> turn[v]) << turn[v] : 0;
        winner[v] = (uint8_t)index_of(later ? later : asking);
    }
    for (FC_WORD left = headers; left; left &= left - 1) {
        const uint32_t i = index_of(left);
        uint32_t offers = 0;
        FC_UNROLL
        for (uint32_t v = 0; v < plan->channels; ++v)
            offers |= (uint32_t)(winner[v] == i) << v;
        if (offers)
            core_grant(x, state, lane, r, i, &channel[i], core_accept(plan, &channel[i], offers),
                       m);
    }
}

/* Of the headers that ask for the same output as input channel i some are given channels of it, of
 * those that were free. */
FC_CORE_DEVICE void core_give_channels(const core_networks *x, core_state *state, uint32_t lane,
                                       uint32_t r, uint32_t i, FC_WORD asking, FC_WORD free_before,
                                       const core_moment *m) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
    const uint32_t o = channel->output;
    const FC_WORD headers = asking & LANE(STATE_AT(plan->at_want + o), lane);
    const uint32_t open =
        (uint32_t)(free_before >> (o * plan->channels)) & ((1u << plan->channels) - 1);
    if (headers & (headers - 1))
        core_settle(x, state, lane, r, o, headers, open, m);
    else if (open & channel->channels)
        core_grant(x, state, lane, r, i, channel,
                   core_accept(plan, channel, open & channel->channels), m);
}

FC_CORE_DEVICE void core_headers(const core_networks *x, core_state *state, uint32_t r, mask fresh,
                                 mask free_before, const core_moment *m) {
    const core_plan *plan = x->plan;
#ifndef __CUDACC__
    core_bit list[FC_LANES * FC_WORD_BITS + 2];
    if (any(fresh)) {
        const uint32_t count = core_list(fresh, list);
        for (uint32_t k = 0; k < count; ++k)
            core_route_header(x, state, list[k].lane, r, list[k].index, m);
    }
#else /* a list would be in slow memory */
    for (FC_WORD left = fresh; left; left &= left - 1)
        core_route_header(x, state, 0, r, index_of(left), m);
#endif
    STATE_AT(m->fresh_in) = fresh;
    const mask asking = STATE(AT_ASKING) | STATE_AT(m->fresh_out);
    STATE(AT_ASKING) = asking;
    if (!any(asking))
        return;
    /* Those whose output has a free channel need a closer look: one for each output. */
    mask open = asking & 0, firsts = open;
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(ROUTER(r)) + NODES(ROUTER(r)); ++o) {
        const mask unheld =
            free_before >> (o * plan->channels) & (FC_WORD)((1u << plan->channels) - 1);
        const mask headers = asking & STATE_AT(plan->at_want + o) & some(unheld);
        open |= headers;
        firsts |= lowest(headers);
    }
    if (!any(open))
        return;
#ifdef __CUDACC__
    for (FC_WORD left = firsts; left; left &= left - 1)
        core_give_channels(x, state, 0, r, index_of(left), open, free_before, m);
#else
    const uint32_t count = core_list(firsts, list);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t lane = list[k].lane;
        core_give_channels(x, state, lane, r, list[k].index, LANE(open, lane),
                           LANE(free_before, lane), m);
    }
#endif
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
    for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
        for (FC_WORD left = LANE(tails, lane); left; left &= left - 1) {
            fc_core_header header = FRONT(x, lane, r, index_of(left));
            ++header.routers;
            core_deliver(x, lane, r, &header, time + plan->eject_delay, until);
        }
    }
}

/* The channels of an output over which its flits go. */
FC_CORE_DEVICE mask held_channel(const core_plan *plan, const core_state *state, mask bit) {
    mask number = bit & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p)
        number |= some(bit & STATE(plan->at_held + p)) & (FC_WORD)(1u << p);
    return (some(bit) & 1) << number;
}

/* Flits that are ready pass the crossbar. */
FC_CORE_DEVICE void core_switch(const core_networks *x, core_state *state, uint32_t r, mask ready,
                                uint32_t time, uint32_t until) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t outputs = LINKS_OUT(router) + NODES(router);
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
    if (any(delivered))
        core_tails_delivered(x, r, delivered, time, until);
    STATE(AT_BUSY) &= ~tails;
    STATE(AT_MOVING) &= ~tails;
    STATE(AT_FREE) |= finished;
    SUBTRACT_PLANES(plan->at_credit, plan->count_planes, sent & (FC_WORD)router->link_bits,
                    unfinished);
    RING(x->sent, r, time) = sent;
    RING(x->left, r, time) = passed;
}

/* Input channels whose message holds a channel without credit. */
FC_CORE_DEVICE mask core_blocked(const core_plan *plan, const core_state *state,
                                 const fc_core_router *router) {
    mask credit, blocked = STATE(AT_FREE) & 0;
    ANY_PLANE(plan->at_credit, plan->count_planes, credit);
    const mask empty = ~credit & ~STATE(AT_FREE) & (FC_WORD)router->link_bits;
    if (!any(empty))
        return blocked;
#ifdef FC_CORE_FREQUENT /* no memory for owners: they want the output and hold the channel */
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        mask holding = ~(mask)0;
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            holding &= v >> p & 1 ? STATE(plan->at_held + p) : ~STATE(plan->at_held + p);
        FC_UNROLL
        for (uint32_t o = 0; o < LINKS_OUT(router); ++o)
            blocked |= STATE_AT(plan->at_want + o) & holding &
                       some(empty & (mask)1 << (o * plan->channels + v));
    }
#else
    FC_UNROLL
    for (uint32_t c = 0; c < LINKS_OUT(router) * plan->channels; ++c)
        blocked |= STATE_AT(plan->at_owner + c) & some(empty & (FC_WORD)((FC_WORD)1 << c));
#endif
    return blocked;
}

/* ---- a router's cycle ---- */

FC_CORE_DEVICE void core_step_router(const core_networks *x, uint32_t r, const core_moment *m) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t width = plan->channels, time = m->time;
    const FC_WORD channels = ((FC_WORD)1 << width) - 1;
    core_state *state = STATE_OF(r);
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
    core_step_nodes(x, state, r, time);
    ANY_PLANE(plan->at_count, plan->count_planes, filled);
    const mask fresh = filled & ~STATE(AT_BUSY), free_before = STATE(AT_FREE);
    STATE(AT_BUSY) |= fresh;
    if (plan->allocation == 0)
        core_headers(x, state, r, fresh, free_before, m);
    STATE(AT_MOVING) |= STATE_AT(m->given_out);
    STATE_AT(m->given_out) = arrived & 0;
    const mask ready = filled & STATE(AT_MOVING) & ~core_blocked(plan, state, router);
    if (any(ready)) {
        core_switch(x, state, r, ready, time, m->until);
    } else {
        RING(x->sent, r, time) = ready;
        RING(x->left, r, time) = ready;
    }
    if (plan->allocation != 0)
        core_headers(x, state, r, fresh, free_before, m);
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
    for (uint32_t k = 0; k < NODES(router); ++k) {
        const mask waiting = not_after(STATE(plan->at_born + k), until - 1);
        if (!any(waiting))
            continue;
        for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
            if (LANE(waiting, lane))
                core_count_waiting(x, lane, r, router->first_node + k, until);
        }
    }
}
