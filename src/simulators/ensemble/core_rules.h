/* The rules of a router's cycle, once for all builds of the core: one lane at a time, several in
 * the lanes of vector registers, or a network in a block of a GPU with a thread for each router.
 *
 * The build sets FC_WORD_BITS (32 or 64: a bit for each channel of a router) and FC_LANES, and
 * includes this file. The rules are those of docs/simulators/router.md, for routers that choose
 * in turn, one round, headers with one output to take. What differs from the event engine is only
 * how:
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
 * channels are unrolled, STATE_AT for the others. Only core_frequent.h, which has its own
 * definitions of all this, keeps them apart. */
#ifndef FC_CORE_FREQUENT
typedef fc_core_plan core_plan;
typedef fc_core core_networks;
typedef mask core_state;
typedef fc_core_channel core_channel;
#define FC_UNROLL
#define STATE_AT(field) STATE(field)
/* Input channels whose front wants an output, and those whose last message that was given a channel
 * had it there. */
#define WANT(o) STATE_AT(plan->at_want + (o))
#define LAST(o) STATE_AT(plan->at_last + (o))
#define CLEAR_WANTS(fresh)
#define FORGET_WANT(o, tail) (WANT(o) &= ~(tail))
#define NOTE_LAST(o, taken) (LAST(o) |= (taken))
#define KEEP_LAST(o, given, want) (LAST(o) &= ~(given) | (want))
#define SET_LASTS(given)
/* Headers that are routed by now, and those that were given channels. */
#define FRESH STATE_AT(m->fresh)
#define GIVEN STATE_AT(m->given)
/* Of an output channel: the input channels after the one that was given it last. */
#define OFFER_TURN(channel) STATE(plan->at_offer + (channel))
#define SET_OFFER_TURN(channel, given)                                                             \
    (OFFER_TURN(channel) = pick(some(given), -((given) << 1), OFFER_TURN(channel)))
#define LOAD_OFFER_TURNS(o)
#define STORE_OFFER_TURNS(o)
/* Of an output: the input channels from the input whose turn it is; of inputs, those whose turn it
 * is with an output or was before. */
#define TURN(o) STATE(plan->at_turn + (o))
#define SET_TURN(o, moved, turn) (TURN(o) = pick(moved, turn, TURN(o)))
#define PORT_TURN(o) STATE(plan->at_port_turn + (o))
#define SET_PORT_TURN(o, turn) (PORT_TURN(o) = (turn))
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

#ifndef FC_CORE_FREQUENT
/* Output channels that a router sent over, and input channels that flits left: all, and those of
 * its nodes. */
#define SENT(r, when) RING(x->sent, r, when)
#define LEFT(r, when) RING(x->left, r, when)
#define NODES_LEFT(r, when) (LEFT(r, when) & (FC_WORD)ROUTER(r)->node_bits)
#define SET_SENT(r, time, over, from) (SENT(r, time) = (over), LEFT(r, time) = (from))
/* What the nodes of a router sent. */
#define INJECTED(r, when) RING(x->injected, r, when)
#define SET_INJECTED(r, time, set) (RING(x->injected, r, time) = (set))
/* Flits that have crossed an output. */
#define CROSSED(o) STATE(plan->at_crossed + (o))
#define COUNT_CROSSED(o, set) (CROSSED(o) -= some(set))
/* Channels with a message whose header is still in the node: kept where there are several slots. */
#define NOTE_NEW(set) (STATE(AT_NODE_NEW) |= (set))
#define NEW_ONES(set) ((set)&STATE(AT_NODE_NEW))
#define FORGET_NEW(set) (STATE(AT_NODE_NEW) &= ~(set))
/* Flits left of what nodes send: how far the bits in its planes are above their channels. */
#define NODE_SHIFT 0
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
#define SET_QUEUE(x, lane, r, i, place, entry) (QUEUE(x, lane, r, i, place) = (entry))
#define RECORD(x, lane, message) ((x)->record[(size_t)(lane)*plan->pool + (message)])
#define CURSOR(x, node, lane) (&(x)->cursor[AT(node, lane)])
#define LATES(x, r, lane) (&(x)->late[AT(r, lane) * plan->lates])
#define LATE_COUNT(x, r, lane) ((x)->late_count[AT(r, lane)])
#define NODE_SUMS(x, number, of_lane) (&(x)->node[AT(number, of_lane)])
#define OF_LANE(x, number) (&(x)->lane[number])
#define COUNT_GRANTED(o, minus) (STATE_AT(plan->at_granted + (o)) -= (minus))
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
    uint32_t time, until; /* until: end of the stretch */
    uint32_t fresh; /* where headers are that are routed by now; then those that begin to be */
    uint32_t given; /* the same of those that were given channels */
} core_moment;

FC_CORE_DEVICE core_moment core_moment_of(const core_plan *plan, uint32_t time, uint32_t until) {
    core_moment m;
    m.time = time;
    m.until = until;
    m.fresh = plan->at_fresh + (plan->routing ? time % plan->routing : 0);
    m.given = plan->at_given + (plan->allocation ? time % plan->allocation : 0);
    return m;
}

#include "simulators/ensemble/core_messages.h"
#include "simulators/ensemble/core_records.h"
#ifdef FC_CORE_FREQUENT
#include "simulators/ensemble/core_arrivals.h"
#endif
#if defined(__AVX512VBMI2__) && FC_WORD_BITS == 32 && FC_LANES > 1
#define FC_CORE_ROWS
#include "simulators/ensemble/core_rows.h"
#endif
#include "simulators/ensemble/core_queues.h"
#ifdef FC_CORE_SINGLE
#include "simulators/ensemble/core_passing.h"
#endif
#include "simulators/ensemble/core_nodes.h"
#include "simulators/ensemble/core_headers.h"
#include "simulators/ensemble/core_crossbar.h"

/* ---- a router's cycle ---- */

FC_CORE_DEVICE void core_step_router(const core_networks *x, uint32_t r, const core_moment *m) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t width = plan->channels, time = m->time;
    const FC_WORD channels = ((FC_WORD)1 << width) - 1;
    core_state *state = STATE_OF(r);
    mask arrived = INJECTED(r, time - plan->node_delay);
    mask credits = arrived & 0, filled;
    FC_UNROLL
    for (uint32_t p = 0; p < LINKS_IN(router); ++p) {
        const fc_core_end from = FROM(r, p);
        const mask sent = SENT(from.router, time - plan->flit_delay);
        arrived |= (sent >> from.shift & channels) << (p * width);
    }
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router); ++o) {
        const fc_core_end to = TO(r, o);
        const mask left = LEFT(to.router, time - plan->credit_delay);
        credits |= (left >> to.shift & channels) << (o * width);
    }
    ADD_PLANES(plan->at_count, plan->count_planes, arrived);
#ifdef FC_CORE_FREQUENT
    credits |= NODES_LEFT(r, time - plan->node_credit_delay);
#else
    ADD_PLANES(plan->at_node_credit, plan->count_planes,
               NODES_LEFT(r, time - plan->node_credit_delay));
#endif
    ADD_PLANES(plan->at_credit, plan->count_planes, credits);
    const mask begun = core_step_nodes(x, state, r, time);
    mask tails = arrived & 0;
    ANY_PLANE(plan->at_count, plan->count_planes, filled);
    const mask fresh = filled & ~STATE(AT_BUSY), free_before = STATE(AT_FREE);
    STATE(AT_BUSY) |= fresh;
    if (plan->allocation == 0)
        core_headers(x, state, r, fresh, free_before, m);
    STATE(AT_MOVING) |= GIVEN;
    GIVEN = arrived & 0;
    const mask ready = filled & STATE(AT_MOVING) & ~core_blocked(plan, state, router);
    if (any(ready)) {
        tails = core_switch(x, state, r, ready, time, m->until);
    } else {
        SET_SENT(r, time, ready, ready);
    }
    core_behind behind;
    core_find_behind(x, state, tails, &behind);
    if (plan->allocation != 0)
        core_headers(x, state, r, fresh, free_before, m);
    core_look_behind(x, state, r, &behind);
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
            hops += CROSSED(o);
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
