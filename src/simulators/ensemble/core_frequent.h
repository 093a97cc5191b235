/* The kernel for the routers that are simulated most: two dimensions, 4 virtual channels, one node,
 * one stage each for routing and allocation, one flit per input and cycle, buffers of up to 15
 * flits, messages of up to 31. A block for each network, a thread for each router.
 *
 * The numbers of such a router are constants that hide those of the plan, so that all loops over
 * ports, channels and planes are unrolled. Masks whose number is then known are in registers, the
 * others in shared memory, with the rings of what routers sent. Queues, of one word for a message,
 * are in shared memory if there is room; the one at the front stays where it was written. Records
 * of messages are in global memory: they are written once and read once.
 *
 * How long headers wait is counted as the number of those that wait, cycle by cycle. What those
 * that still wait at the end of a stretch have waited belongs to the next. */
#define FC_CORE_FREQUENT

#include "simulators/ensemble/core_layout.h"

struct core_channel {
    uint8_t first, end;
};

struct core_state {
    uint32_t own[core_plan::size];
    uint32_t *near;
    uint32_t used;    /* not 0: records were in use */
    uint32_t crossed; /* flits over each output, 6 bits each, since they were last added up */
#ifdef FC_CORE_NARROW
    fc_core_cursor cursor;
#endif
    uint32_t stock; /* messages drawn that have not begun to leave */
    /* Channels that the node sent over, and those of it that flits left: 4 bits for each of the
     * last cycles. */
    uint32_t injected, node_left;
    uint32_t arrival; /* record of the message that arrived in this cycle */
    uint32_t listed;  /* arrivals of the warp */
};

struct core_arrival;

enum { FREQUENT_LINKS = 4 };
#define WHOLE_WARP 0xffffffffu
/* What is done once in many cycles needs no registers in the others. */
#ifdef FC_CORE_SINGLE
#define CORE_SELDOM __device__ static __forceinline__
#else
#define CORE_SELDOM __device__ static __noinline__
#endif
struct core_networks {
    const core_plan *plan;
    const fc_core *all;
    uint32_t n; /* the network's number: where its part of the arrays is, is computed when needed */
    core_state *mine;
    uint32_t *sent, *queue;
    core_arrival *arrivals; /* list of the warp */
    uint32_t *near;         /* routers x near_size */
    fc_core_cursor *cursors;
    uint32_t *words; /* plan->word of all routers */
    uint32_t word;   /* of the thread's router */
    uint32_t second; /* bits of words that are of the second dimension */
    uint32_t ports;  /* outputs, 4 bits each: by dimension and direction, and the node's */
    fc_core_router router;
    uint32_t ends[FREQUENT_LINKS]; /* router and shift, of the link's beginning in the upper half */
};

/* The channels with an output, where outputs are numbers from 1 in three planes. */
__device__ static __forceinline__ uint32_t core_with_output(const uint32_t *plane, uint32_t o) {
    const uint32_t number = o + 1;
    return (number & 1 ? plane[0] : ~plane[0]) & (number & 2 ? plane[1] : ~plane[1]) &
           (number & 4 ? plane[2] : ~plane[2]);
}

/* A channel's number in planes. */
__device__ static __forceinline__ uint32_t core_number(const uint32_t *plane, uint32_t planes,
                                                       uint32_t i) {
    uint32_t number = 0;
    _Pragma("unroll") for (uint32_t k = 0; k < planes; ++k) number |= (plane[k] >> i & 1) << k;
    return number;
}

#ifdef FC_CORE_NARROW
/* Of a channel's queue: where its front is, or where the next message goes. */
__device__ static __forceinline__ uint32_t core_place(const core_networks *x, const uint32_t *plane,
                                                      uint32_t i) {
    return core_number(plane, PLACE_REGISTERS, i) & (x->plan->places - 1);
}
#endif

__device__ static __forceinline__ uint32_t pack_end(fc_core_end end) {
    return end.router << 5 | end.shift;
}
__device__ static __forceinline__ fc_core_end unpack_end(uint32_t packed) {
    const fc_core_end end = {packed >> 5 & 1023, packed & 31};
    return end;
}

/* A mask of the thread's router in the network's arrays. */
__device__ static __forceinline__ uint32_t *core_far_state(const core_networks *x, uint32_t at) {
    const fc_core_plan *far = x->plan;
    return (uint32_t *)x->all->state + ((size_t)x->n * far->size + at) * far->routers + threadIdx.x;
}

#define FC_UNROLL _Pragma("unroll")
#define STATE(field) state->own[field]
#define STATE_AT(field) state->near[field]
#define STATE_OF(r) (x->mine)
#define ROUTER(r) (&x->router)
#define FROM(r, p) unpack_end(x->ends[p] >> 16)
#define TO(r, o)                                                                                   \
    unpack_end((o) == 0 ? x->ends[0] : (o) == 1 ? x->ends[1] : (o) == 2 ? x->ends[2] : x->ends[3])
#define NODE_ROUTER(node) (node)
#define NODE_PORT(node) (x->router.links_out)
#define WORD(r) (x->words[r])
#ifdef FC_CORE_NARROW
#define ENTRY_WORD(x, lane, entry) ((entry) & ((1u << NODE_BITS) - 1))
#else
#define ENTRY_WORD(x, lane, entry) WORD(ENTRY_DESTINATION(x, lane, entry))
#endif
#define CHANNELS_OF(x, lane, r)                                                                    \
    ((core_channel *)((x)->near + (r)*core_plan::near_size + core_plan::at_inputs))
/* Places of a network's queues, and where one of them is. */
#define QUEUE_PLACES(p) (core_plan::in_ports * core_plan::channels * (p)->places * (p)->routers)
#ifdef FC_CORE_NARROW
/* A byte with what routes need and, at the same place of another array, the message's number. An
 * entry that is read is the byte and, above it, the place. Those of a router are in banks of shared
 * memory of its own. */
#define QUEUE_PLACE(x, r, i, place)                                                                \
    ((((place)*core_plan::in_ports + (i) / 4) * (x)->plan->routers + (r)) * 4 + (i) % 4)
#define QUEUE_BYTES(x) ((uint8_t *)(x)->queue + 2 * QUEUE_PLACES((x)->plan))
#define QUEUE_NUMBERS(x) ((uint16_t *)(x)->queue)
#define QUEUE(x, lane, r, i, place)                                                                \
    (QUEUE_PLACE(x, r, i, place) << 8 | QUEUE_BYTES(x)[QUEUE_PLACE(x, r, i, place)])
#define SET_QUEUE(x, lane, r, i, place, entry)                                                     \
    (QUEUE_BYTES(x)[QUEUE_PLACE(x, r, i, place)] = (uint8_t)(entry),                               \
     QUEUE_NUMBERS(x)[QUEUE_PLACE(x, r, i, place)] = (uint16_t)((entry) >> 8))
enum { ENTRY_BYTES = 3, NODE_BITS = 6 };
#else
#define QUEUE_INDEX(x, r, i, place)                                                                \
    (((place)*core_plan::in_ports * core_plan::channels + (i)) * (x)->plan->routers + (r))
#define QUEUE(x, lane, r, i, place) (x)->queue[QUEUE_INDEX(x, r, i, place)]
#define SET_QUEUE(x, lane, r, i, place, entry) (QUEUE(x, lane, r, i, place) = (entry))
enum { ENTRY_BYTES = 4, NODE_BITS = 10 };
#endif
#ifdef FC_CORE_NARROW
#define FRONT(x, lane, r, i)                                                                       \
    QUEUE(x, lane, r, i, core_place(x, &(x)->mine->own[core_plan::at_first], i))
#else
#define FRONT(x, lane, r, i)                                                                       \
    QUEUE(x, lane, r, i,                                                                           \
          (CHANNELS_OF(x, lane, r)[i].first ? CHANNELS_OF(x, lane, r)[i].first                     \
                                            : (x)->plan->places) -                                 \
              1)
#endif
#define SET_FRONT(x, lane, r, i, entry, output)
#define ASKED(x, lane, r, i)                                                                       \
    ((x)->all                                                                                      \
         ->channel[((size_t)(x)->n * (x)->plan->routers + (r)) * core_plan::in_ports *             \
                       core_plan::channels +                                                       \
                   (i)]                                                                            \
         .asked)
/* An entry of a queue: NODE_BITS of the destination, 2 of the directions, and the message, whose
 * uppermost NODE_BITS are its source. */
#ifdef FC_CORE_NARROW
#define ENTRY_OF(message, destination, choice)                                                     \
    ((message) << (NODE_BITS + 2) | (uint32_t)(choice) << NODE_BITS | WORD(destination))
#define MESSAGE_OF(entry) (QUEUE_NUMBERS(x)[(entry) >> 8])
#define ENTRY_SOURCE(x, lane, entry) (MESSAGE_OF(entry) / FC_CUDA_RECORDS)
#else
#define ENTRY_OF(message, destination, choice)                                                     \
    ((message) << (NODE_BITS + 2) | (uint32_t)(choice) << NODE_BITS | (destination))
#define MESSAGE_OF(entry) ((entry) >> (NODE_BITS + 2))
#define ENTRY_SOURCE(x, lane, entry) ((entry) / (4 * FC_CUDA_RECORDS) >> NODE_BITS)
#endif
#define ENTRY_DESTINATION(x, lane, entry) ((entry) & ((1u << NODE_BITS) - 1))
#define ENTRY_CHOICE(x, lane, entry) ((entry) >> NODE_BITS & 3)
/* A byte for each channel of an output: the first input channel of its turn. */
#define LOAD_OFFER_TURNS(o) uint32_t offer_turns = state->near[core_plan::at_offer + (o)]
#define STORE_OFFER_TURNS(o) (state->near[core_plan::at_offer + (o)] = offer_turns)
#define OFFER_TURN(channel) (0xffffffffu << (offer_turns >> (channel) % 4 * 8 & 31))
#define SET_OFFER_TURN(channel, given)                                                             \
    (offer_turns = (given) ? (offer_turns & ~(255u << (channel) % 4 * 8)) |                        \
                                 (uint32_t)__popc((given)*2 - 1) << (channel) % 4 * 8              \
                           : offer_turns)
#ifdef FC_CORE_FEW_REGISTERS
#define WANT(o) state->near[core_plan::near_want + (o)]
#define LAST(o) state->near[core_plan::near_last + (o)]
#define CLEAR_WANTS(fresh)
#define FORGET_WANT(o, tail) (WANT(o) &= ~(tail))
#define SET_WANT(i, output) (WANT(output) |= 1u << (i))
#define NOTE_LAST(o, taken) (LAST(o) |= (taken))
#define KEEP_LAST(o, given, want) (LAST(o) &= ~(given) | (want))
#define SET_LASTS(given)
#define FRESH state->near[core_plan::near_fresh]
#define GIVEN state->near[core_plan::near_given]
#else /* planes; what is not busy wants nothing, whatever they say */
#define WANT(o) core_with_output(&state->own[core_plan::at_want], o)
#define LAST(o) core_with_output(&state->own[core_plan::at_last], o)
#define CLEAR_WANTS(fresh) core_clear_wants(state, fresh)
#define FORGET_WANT(o, tail)
#define SET_WANT(i, output) core_set_want(state, i, output)
#define NOTE_LAST(o, taken)
#define KEEP_LAST(o, given, want)
#define SET_LASTS(given) core_set_lasts(state, given)
#define FRESH STATE(core_plan::at_fresh)
#define GIVEN STATE(core_plan::at_given)
__device__ static __forceinline__ void core_clear_wants(core_state *state, uint32_t fresh) {
    _Pragma("unroll") for (uint32_t k = 0; k < NUMBER_REGISTERS; ++k)
        state->own[core_plan::at_want + k] &= ~fresh;
}
__device__ static __forceinline__ void core_set_want(core_state *state, uint32_t i,
                                                     uint32_t output) {
    const uint32_t bit = 1u << i, number = output + 1;
    _Pragma("unroll") for (uint32_t k = 0; k < NUMBER_REGISTERS; ++k)
        state->own[core_plan::at_want + k] |= number >> k & 1 ? bit : 0;
}
__device__ static __forceinline__ void core_set_lasts(core_state *state, uint32_t given) {
    _Pragma("unroll") for (uint32_t k = 0; k < NUMBER_REGISTERS; ++k) {
        uint32_t *last = &state->own[core_plan::at_last + k];
        *last = (state->own[core_plan::at_want + k] & given) | (*last & ~given);
    }
}
#endif
#define SENDERS(router) 1u
#define RECEIVERS(router) 1u
#define LINKS_IN(router) ((uint32_t)FREQUENT_LINKS)
#define LINKS_OUT(router) ((uint32_t)FREQUENT_LINKS)
/* What links need: outputs sent over, and above them inputs left. */
#define RING(r, when) x->sent[((when) & (plan->ring - 1)) * plan->routers + (r)]
#define SENT(r, when) RING(r, when)
#define LEFT(r, when) (RING(r, when) >> 16)
#define NODES_LEFT(r, when)                                                                        \
    ((state->node_left >> (plan->node_credit_delay - 1) * plan->channels & 15)                     \
     << x->router.links_in * plan->channels)
#define SET_SENT(r, time, over, from)                                                              \
    do {                                                                                           \
        const uint32_t links_ = (uint32_t)x->router.link_bits;                                     \
        RING(r, time) = ((over)&links_) | ((from)&links_) << 16;                                   \
        state->node_left =                                                                         \
            state->node_left << plan->channels | (from) >> x->router.links_in * plan->channels;    \
    } while (0)
#define INJECTED(r, when)                                                                          \
    ((state->injected >> (plan->node_delay - 1) * plan->channels & 15)                             \
     << x->router.links_in * plan->channels)
#define SET_INJECTED(r, time, set)                                                                 \
    (state->injected =                                                                             \
         state->injected << plan->channels | (set) >> x->router.links_in * plan->channels)
#define NODE_SHIFT 4
#define NOTE_NEW(set)
#define NEW_ONES(set) 0
#define FORGET_NEW(set)
#ifdef FC_CORE_FEW_REGISTERS
/* A bit for each input is enough: those of four outputs are in one word. */
#define TURNS_AT(at, o) state->own[core_plan::at + (o) / 4]
#define TURN(o) ((TURNS_AT(at_turn, o) >> (o) % 4 & plan->low_bits) * 15)
#define PORT_TURN(o) (TURNS_AT(at_port_turn, o) >> (o) % 4 & plan->low_bits)
#define SET_TURNS(at, o, turn)                                                                     \
    (TURNS_AT(at, o) = (TURNS_AT(at, o) & ~(plan->low_bits << (o) % 4)) | ((turn)&plan->low_bits)  \
                                                                              << (o) % 4)
#define SET_TURN(o, moved, turn)                                                                   \
    do {                                                                                           \
        if (moved)                                                                                 \
            SET_TURNS(at_turn, o, turn);                                                           \
    } while (0)
#define SET_PORT_TURN(o, turn) SET_TURNS(at_port_turn, o, turn)
#else
#define TURN(o) STATE(plan->at_turn + (o))
#define SET_TURN(o, moved, turn) (TURN(o) = pick(moved, turn, TURN(o)))
#define PORT_TURN(o) STATE(plan->at_port_turn + (o))
#define SET_PORT_TURN(o, turn) (PORT_TURN(o) = (turn))
#endif
/* Nothing waits for the sum: it is read where it is. */
#define CROSSED_SUM(o) core_far_state(x, x->plan->at_crossed + (o))
#define CROSSED(o) atomicAdd(CROSSED_SUM(o), 0u)
#define COUNT_CROSSED(o, set) (state->crossed += (set) ? 1u << (o)*6 : 0)
#define TALLY(lane, r) (x->all->tally[(size_t)x->n * x->plan->routers + (r)])
#define RECORD(x, lane, message) ((x)->all->record[(size_t)(x)->n * (x)->plan->pool + (message)])
#if defined(FC_CORE_FEW_REGISTERS)
#define CURSOR(x, node, lane) (&(x)->all->cursor[(size_t)(x)->n * (x)->plan->routers + (node)])
#elif defined(FC_CORE_NARROW)
#define CURSOR(x, node, lane) (&(x)->mine->cursor)
#else
#define CURSOR(x, node, lane) (&(x)->cursors[node])
#endif
#define LATES(x, r, lane)                                                                          \
    (&(x)->all->late[((size_t)(x)->n * (x)->plan->routers + (r)) * (x)->plan->lates])
#define LATE_COUNT(x, r, lane) ((x)->all->late_count[(size_t)(x)->n * (x)->plan->routers + (r)])
#define NODE_SUMS(x, number, lane) (&(x)->all->node[(size_t)(x)->n * (x)->plan->routers + (number)])
#define OF_LANE(x, number) (&(x)->all->lane[(x)->n])
#ifdef FC_CORE_SINGLE /* from what has crossed, at the end */
#define COUNT_GRANTED(o, minus)
#else
#define COUNT_GRANTED(o, minus) (STATE_AT(plan->at_granted + (o)) -= (minus))
#endif
#define CHECK_RECORD(flits) /* when it was drawn */
/* Nothing waits for the sum. */
#define FC_OWN_ADD(counter, value) FC_SHARED_ADD(counter, value)

__device__ static __forceinline__ void core_count_waits(const core_networks *x, core_state *state,
                                                        uint32_t r, uint32_t first, uint32_t asking,
                                                        uint32_t given, uint32_t time) {
    const uint32_t waiting = asking & ~given;
    for (uint32_t left = first & ~given; left; left &= left - 1)
        ASKED(x, 0, r, (uint32_t)__ffs((int)left) - 1) = time;
    if (waiting) {
        _Pragma("unroll") for (uint32_t o = 0; o < core_plan::out_ports; ++o)
            STATE_AT(core_plan::at_waited + o) += (uint32_t)__popc(waiting & WANT(o));
    }
}

#include "simulators/ensemble/core_kernel.h"

/* Whether the kernel is made for a plan, whose tables are the host's. */
static bool serves(const fc_core_plan *p) {
    bool plain = p->nodes == p->routers;
    for (uint32_t r = 0; plain && r < p->routers; ++r)
        plain = p->node_router[r] == r && p->word[r] >> 32 == 0 &&
                p->router[r].links_in == p->router[r].links_out;
    return plain && p->channels == core_plan::channels && p->in_ports == core_plan::in_ports &&
           p->out_ports == core_plan::out_ports && p->slots == 1 && p->dimensions == 2 &&
           p->routing == 1 && p->allocation == 1 && !p->per_channel && !p->o1turn &&
           p->count_planes <= core_plan::count_planes && p->routers <= 1024 && p->node_delay >= 1 &&
           p->node_delay <= 8 && p->node_credit_delay <= 8 &&
#ifdef FC_CORE_SINGLE
           p->sorts == 1 && p->flits[0] == 1;
#else
           p->left_planes <= core_plan::left_planes;
#endif
}

/* Cycles between barriers, 1 or 2: nobody sees what was sent in between, nor overwrites what others
 * still read. */
__host__ __device__ static __forceinline__ uint32_t core_pace(const fc_core_plan *p) {
    const uint32_t longest = p->flit_delay > p->credit_delay ? p->flit_delay : p->credit_delay;
    return p->flit_delay > 1 && p->credit_delay > 1 && p->ring > longest + 1 ? 2 : 1;
}

/* What those that wait at a time have waited, for each output. */
__device__ static __forceinline__ uint32_t waited_by(const core_networks *x, core_state *state,
                                                     uint32_t r, uint32_t o, uint32_t time) {
    uint32_t sum = 0;
    for (uint32_t left = STATE(AT_ASKING) & WANT(o); left; left &= left - 1)
        sum += time - ASKED(x, 0, r, index_of(left));
    return sum;
}

enum { NEAR_SIZE = core_plan::near_size };

/* Words of shared memory, without and with queues. */
static size_t near_words(const fc_core_plan *p, bool queues) {
    const size_t queue = queues ? (QUEUE_PLACES(p) * ENTRY_BYTES + 3) / 4 : 0;
    const size_t lists = (p->routers + 31) / 32 * ARRIVALS * sizeof(core_arrival) / 4;
    return p->routers * (NEAR_SIZE + (size_t)p->ring + 1 + CURSOR_WORDS) + lists + queue;
}

/* Masks between a router's column of the network's state and where the kernel has them. */
template <bool load>
__device__ static __forceinline__ void move(uint32_t *here, uint32_t *column, uint32_t at,
                                            uint32_t there, uint32_t stride) {
    if (load)
        here[at] = column[there * stride];
    else
        column[there * stride] = here[at];
}

template <bool load>
__device__ static __forceinline__ void move_state(const core_networks *x, core_state *state) {
    const core_plan *plan = x->plan;
    const fc_core_plan *far = plan;
    uint32_t *const column = core_far_state(x, 0);
#define MOVE(part, here, masks, held)                                                              \
    _Pragma("unroll") for (uint32_t k = 0; k < (masks); ++k) {                                     \
        if (k < (held))                                                                            \
            move<load>(state->here, column, core_plan::part + k, far->part + k, far->routers);     \
        else if (load)                                                                             \
            state->here[core_plan::part + k] = 0;                                                  \
    }
    _Pragma("unroll") for (uint32_t k = 0; k < 8; ++k) {
        if (k != AT_NODE_NEW && (k != AT_NODE_FREE || plan->left_planes)) /* they never change */
            move<load>(state->own, column, k, k, far->routers);
    }
    MOVE(at_count, own, plan->count_planes, far->count_planes)
    MOVE(at_left, own, plan->left_planes, far->left_planes)
    MOVE(at_credit, own, plan->count_planes, far->count_planes)
    _Pragma("unroll") for (uint32_t k = 0; k < plan->count_planes; ++k) {
        if (k < far->count_planes) {
            uint32_t *own = &STATE(core_plan::at_credit + k);
            uint32_t *node = &column[(far->at_node_credit + k) * far->routers];
            *(load ? own : node) = (*own & (uint32_t)x->router.link_bits) |
                                   (*(load ? node : own) & (uint32_t)x->router.node_bits);
        }
    }
    MOVE(at_held, own, plan->held_planes, 2)
    MOVE(at_kind, own, plan->kind_planes, far->kind_planes)
    _Pragma("unroll") for (uint32_t o = 0; o < core_plan::out_ports; ++o) {
        uint32_t *const turn = &column[(far->at_turn + o) * far->routers];
        uint32_t *const port_turn = &column[(far->at_port_turn + o) * far->routers];
        if (load) {
            SET_TURN(o, 0xffffffffu, *turn);
            SET_PORT_TURN(o, *port_turn);
        } else {
            *turn = TURN(o);
            *port_turn = PORT_TURN(o);
        }
    }
    MOVE(at_slot, own, plan->left_planes ? 1 : 0, 1)
    MOVE(at_born, own, 1, 1)
    MOVE(at_injected, own, 1, 1)
#ifdef FC_CORE_SINGLE
    const uint32_t given = STATE(AT_MOVING) | GIVEN;
    _Pragma("unroll") for (uint32_t o = 0; !load && o < core_plan::out_ports; ++o)
        column[(far->at_granted + o) * far->routers] =
            CROSSED(o) + (uint32_t)__popc(given & WANT(o));
#else
    if (!load)
        MOVE(at_granted, near, plan->out_ports, 5)
#endif
#undef MOVE
}

/* Registers that have no place in the network's state. */
enum { SAVED = core_plan::size - core_plan::at_want, FAR_SIZE = NEAR_SIZE + SAVED };
static_assert(FAR_SIZE <= MOST_FAR_SIZE, "far memory");
template <bool load>
__device__ static __forceinline__ void move_saved(const core_networks *x, core_state *state,
                                                  uint32_t *far) {
    uint32_t *const column =
        far + ((size_t)gridDim.x * NEAR_SIZE + (size_t)x->n * SAVED) * x->plan->routers +
        threadIdx.x;
    _Pragma("unroll") for (uint32_t k = 0; k < SAVED; ++k)
        move<load>(state->own, column, core_plan::at_want + k, k, x->plan->routers);
}

/* What a router's thread knows of its links; a link that is not there ends at its own last one,
 * which is not there either. */
__device__ static __forceinline__ void learn_links(core_networks *x, uint32_t r) {
    const core_plan *plan = x->plan;
    const fc_core_end none = {r, (FREQUENT_LINKS - 1) * plan->channels};
    x->router = plan->router[r];
    x->router.links_out = x->router.links_in;
    x->router.first_sender = r;
    x->second = x->ports = 0;
    x->word = (uint32_t)plan->word[r];
    for (uint32_t bit = 0; bit < 32; ++bit)
        x->second |= (plan->bit_dimension[bit] == 1 ? 1u : 0u) << bit;
    for (uint32_t i = 0; i < 4; ++i)
        x->ports |= (plan->direction_port[r * 4 + i] & 15u) << i * 4;
    x->ports |= x->router.links_out << 16;
    _Pragma("unroll") for (uint32_t p = 0; p < FREQUENT_LINKS; ++p) {
        const fc_core_end from = p < x->router.links_in ? plan->from[r * plan->in_ports + p] : none;
        const fc_core_end to = p < x->router.links_out ? plan->to[r * plan->out_ports + p] : none;
        x->ends[p] = pack_end(from) << 16 | pack_end(to);
    }
}

/* Flits over outputs since they were last added up, before one of them can be 64. */
enum { CROSSED_WAIT = 32 };
__device__ static __forceinline__ void core_add_crossed(const core_networks *x, core_state *state) {
    _Pragma("unroll") for (uint32_t o = 0; o < core_plan::out_ports; ++o)
        atomicAdd(CROSSED_SUM(o), state->crossed >> o * 6 & 63);
    state->crossed = 0;
}

/* Of messages of one length, those generated in a stretch are the difference of two counts. */
__device__ static __forceinline__ void core_count_all_generated(const core_networks *x, uint32_t r,
                                                                int64_t sign) {
    if (x->plan->sorts != 1)
        return;
    const int64_t counted = sign * (int64_t)CURSOR(x, r, 0)->counted;
    FC_OWN_ADD(TALLY(0, r).generated, counted);
    FC_OWN_ADD(TALLY(0, r).generated_flits, counted * x->plan->flits[0]);
}

/* What a router has counted up to a stop. */
__device__ static __forceinline__ void end_stop(const core_networks *x, core_state *state,
                                                uint32_t r, const core_stops &stops,
                                                uint32_t stop) {
    core_end_stretch(x, r, stops.at[stop]);
    core_count_all_generated(x, r, 1);
    if (state->used)
        FC_SHARED_ADD(TALLY(0, r).overflow, 1);
    core_add_tally(&stops.tallies[stop * gridDim.x + blockIdx.x], &TALLY(0, r));
    if (blockIdx.x == 0) {
        uint32_t *crossed = &stops.crossed[stop * x->plan->outputs + x->plan->output_first[r]];
        const core_plan *plan = x->plan;
        for (uint32_t o = 0; o <= x->router.links_out; ++o)
            crossed[o] = CROSSED(o);
    }
}

template <int most_threads, int blocks, bool queues>
__global__ void __launch_bounds__(most_threads, blocks)
    advance(const __grid_constant__ core_plan plan_of_all, const __grid_constant__ fc_core all,
            const __grid_constant__ core_stops stops, uint32_t *far_all) {
    extern __shared__ __align__(16) uint32_t near_memory[];
    const core_plan *plan = &plan_of_all;
    const uint32_t r = threadIdx.x, n = blockIdx.x, routers = plan->routers;
    const uint32_t ring = routers * plan->ring;
    const uint32_t queue = QUEUE_PLACES(plan), near_queue = (queue * ENTRY_BYTES + 3) / 4;
    const bool works = r < routers;
    core_networks x;
    core_state state;
    uint32_t *const far_ring = (uint32_t *)all.sent + (size_t)n * ring;
    uint32_t *const far_injected = (uint32_t *)all.injected + (size_t)n * ring + r;
    uint32_t *const far_left = (uint32_t *)all.left + (size_t)n * ring + r;
    uint32_t *const far_near = far_all + (size_t)n * routers * NEAR_SIZE;
    uint32_t *const far_queue = all.queue + (size_t)n * queue;
    x.plan = plan;
    x.all = &all;
    x.n = n;
    x.mine = &state;
    state.used = state.stock = state.listed = 0;
    state.own[core_plan::at_born] = FC_CORE_NEVER; /* of threads without a router, too */
    state.arrival = NO_ARRIVAL;
    state.crossed = 0;
    x.cursors = (fc_core_cursor *)near_memory;
    x.sent = near_memory + routers * CURSOR_WORDS;
    x.arrivals = (core_arrival *)(x.sent + ring) + r / 32 * ARRIVALS;
    x.near = x.sent + ring + (routers + 31) / 32 * ARRIVALS * sizeof(core_arrival) / 4;
    state.near = x.near + r * NEAR_SIZE;
    x.words = x.near + routers * NEAR_SIZE;
    x.queue = queues ? x.words + routers : far_queue;
    if (queues)
        core_copy(x.queue, far_queue, near_queue);
    core_copy(x.sent, far_ring, ring);
    core_copy(x.near, far_near, routers * NEAR_SIZE);
    for (uint32_t i = r; i < routers; i += blockDim.x)
        x.words[i] = (uint32_t)plan->word[i];
    __syncthreads();
    if (works) {
        learn_links(&x, r);
        state.injected = *far_injected;
        state.node_left = *far_left;
        move_saved<true>(&x, &state, far_all);
        move_state<true>(&x, &state);
#ifndef FC_CORE_FEW_REGISTERS
        *CURSOR(&x, r, 0) = all.cursor[(size_t)n * routers + r];
#endif
        _Pragma("unroll") for (uint32_t o = 0; o < core_plan::out_ports; ++o)
            state.near[core_plan::at_waited + o] = waited_by(&x, &state, r, o, stops.from);
    }
    /* What is sent in a cycle is not seen in the next one, unless delays are short. */
    const uint32_t pace = core_pace(plan);
    uint32_t time = stops.from;
    for (uint32_t stop = 0; stop < stops.count; ++stop) {
        const uint32_t until = stops.at[stop];
        if (works) {
            core_clear_tally(&all.tally[(size_t)n * routers + r]);
            core_count_all_generated(&x, r, -1);
            core_begin_stretch(&x, r, until);
        }
        for (; time < until; ++time) {
            const core_moment moment = core_moment_of(plan, time, until);
            core_draw_together(&x, &state, r, time);
            if (works)
                core_step_router(&x, r, &moment);
            core_collect_arrival(&x, &state, &moment);
            if (works && time % CROSSED_WAIT == 0)
                core_add_crossed(&x, &state);
            if (pace == 1 || time & 1 || time + 1 == until)
                __syncthreads();
        }
        core_count_listed(&x, &state, until);
        if (works) {
            core_add_crossed(&x, &state);
            end_stop(&x, &state, r, stops, stop);
        }
    }
    if (works) {
        for (uint32_t o = 0; o < x.router.links_out + 1; ++o)
            all.output[(size_t)n * plan->outputs + plan->output_first[r] + o].waited +=
                state.near[core_plan::at_waited + o] - waited_by(&x, &state, r, o, time);
        move_state<false>(&x, &state);
        move_saved<false>(&x, &state, far_all);
#ifndef FC_CORE_FEW_REGISTERS
        all.cursor[(size_t)n * routers + r] = *CURSOR(&x, r, 0);
#endif
        *far_injected = state.injected;
        *far_left = state.node_left;
    }
    core_copy(far_ring, x.sent, ring);
    core_copy(far_near, x.near, routers * NEAR_SIZE);
    if (queues)
        core_copy(far_queue, x.queue, near_queue);
}

#include "simulators/ensemble/core_undefine.h"
