/* The router engine: networks of input-queued virtual-channel routers, one cycle at a time.
 *
 * It knows a network only as routers, ports and links (network/router_network.h). Everything is
 * numbered over the whole network:
 *
 *   input channel   input * virtual_channels + v: a virtual channel with its buffer
 *   output channel  output * output_stride + v: which message holds it, and its credits
 *   crossbar port   input * ports_per_input + v % ports_per_input: an input of the crossbar; at
 *                   most one flit passes it in a cycle
 *   node channel    node * virtual_channels + v: the node's credits for its router's input buffers
 *
 * Words of this engine: a *candidate* (fc_route_candidate) of a header is an output it may take,
 * with the virtual channels allowed there. A *slot* of a buffer is room for one flit. The *place*
 * of an input channel is its number among those of its router, its *spot* the same sorted by
 * crossbar port. A *turn* is a round-robin pointer: where the next search starts. A *tick* is a
 * cycle of the routers, which may be faster than the links.
 *
 * A flit is a word: the number of its message, times two, plus one for the tail. The header is the
 * flit that comes to the front after a tail.
 *
 * docs/simulators/router.md describes the rules cycle by cycle. The cycle at time t is
 *
 *   1. arrivals: flits whose link ends at t are in their buffers, messages whose tail reaches a
 *      node are delivered (router_cycle.c);
 *   2. messages generated at t are queued at their nodes (sources.h);
 *   3. credits that are back at t (router_cycle.c);
 *   4. every node sends one flit at most (router_nodes.c);
 *   5. output channels are given to headers (router_channels.c), then the crossbars to flits, which
 *      leave their buffers (router_switch.c).
 *
 * Only routers and nodes with something to do cost time. Step 5 is done for all routers at once,
 * with lists of the headers that ask and of the channels whose stage ends, and a bit for every
 * channel with a flit to send; a loop per router would be many short loops with unpredictable ends.
 * The results of steps 1, 3, 4 and 5 do not depend on the order of nodes, channels and events. */
#ifndef FC_SIMULATORS_ROUTER_H
#define FC_SIMULATORS_ROUTER_H

#include "base/free_list.h"
#include "base/histogram.h"
#include "base/random.h"
#include "network/destinations.h"
#include "network/multicast.h"
#include "network/node_ports.h"
#include "simulators/router/load_windows.h"
#include "simulators/router/wheel.h"

/* The random stream of network.injection_choice: random. */
enum { FC_STREAM_INJECTION = 3 };

/* Most of what an event needs of a large network is in no near cache: it is asked for so many
 * events ahead. */
enum { FC_AHEAD = 6 };

/* What the front of an input channel is doing. */
typedef enum fc_front {
    FC_FRONT_EMPTY,   /* no message */
    FC_FRONT_WAITING, /* its header has no output channel yet, or is still in the allocation stage
                       */
    FC_FRONT_MOVING,  /* its flits may ask for the crossbar */
} fc_front;

/* A cache line: every step of the cycle looks at one or two of its fields. */
typedef struct fc_in_channel {
    /* the header at the front, or the last one that was */
    uint64_t channels;  /* if it has one candidate: virtual channels it may take */
    uint64_t asked;     /* tick from which it could be given an output channel */
    uint32_t output;    /* of its only candidate, or of the channel it holds */
    uint32_t held;      /* output channel; FC_NONE */
    uint32_t turn;      /* output channel that is first in the next acceptance */
    uint32_t next;      /* in the list of those put aside in its router */
    uint8_t candidates; /* more than 1: they are in the engine's list; 0: not known yet */
    uint8_t preferred;
    uint8_t front;  /* fc_front */
    uint8_t header; /* whether it is still there */
    uint16_t count; /* flits in the buffer */
    uint16_t first; /* place of the first of them */
    /* where it is */
    uint16_t place;        /* among the input channels of its router */
    uint16_t port;         /* of the crossbar, of the router, counted from 0 */
    uint16_t spot;         /* the same as place, but sorted by port */
    uint8_t index;         /* among the channels of its port */
    uint8_t channel;       /* v */
    uint32_t input;        /* over the whole network */
    uint32_t upstream;     /* who gets its credits: output channel, or FC_TO_NODE | node channel */
    uint32_t credit_delay; /* cycles from the grant of the crossbar until the credit can be used */
    uint32_t header_delay; /* cycles of a header from the previous router to this channel */
} fc_in_channel;
_Static_assert(sizeof(fc_in_channel) == 64, "a cache line");

typedef struct fc_out_channel {
    uint32_t owner;  /* input channel whose message holds it; FC_NONE */
    uint32_t target; /* input channel it feeds, or FC_TO_NODE | node */
    uint32_t credits;
    uint16_t turn;     /* input channel (place) that is first in the next allocation */
    uint16_t finished; /* when-empty: the tail has been sent, but not all credits are back */
} fc_out_channel;

typedef struct fc_output {
    uint64_t free;  /* virtual channels nobody holds */
    uint64_t asked; /* during an allocation: the places or spots that ask for it */
    uint32_t delay; /* cycles from the grant of the crossbar until the flit is at the end */
    uint32_t router;
    uint32_t first_channel, first_port; /* of its router */
    uint32_t chosen;                    /* input channel it offers itself to */
    uint16_t turn;                      /* spot that is first in the next switch allocation */
    uint16_t local;                     /* number among the outputs of its router */
    /* since the warm-up */
    uint64_t crossed; /* flits */
    uint64_t granted; /* headers */
    uint64_t waited;  /* cycles they waited */
} fc_output;

/* Links that take less than one flit in each cycle of their router: narrow links, and all links of
 * routers that are faster than their links. */
enum { FC_PACE_BITS = 16 };
typedef struct fc_pace {
    uint64_t next;     /* when the next flit may arrive at the end, in parts of a cycle */
    uint64_t interval; /* between flits */
    uint64_t promised; /* since the warm-up: parts of a cycle that were taken up already */
} fc_pace;

/* An input of a crossbar. */
typedef struct fc_crossbar_port {
    uint64_t offered;      /* during an allocation: outputs (of the router) that offer themselves */
    uint32_t first_output; /* of the router */
    uint16_t turn;         /* output (of the router) that is first in the next acceptance */
    uint16_t channel;      /* index that is first among those for one output */
} fc_crossbar_port;

typedef struct fc_router_message {
    fc_course course;
    uint32_t flits;
    uint32_t routers; /* its header has entered */
    uint32_t path;    /* cycles its header has spent in links and stages */
    uint32_t next;    /* in the queue of its node, or in the list of free records */
    uint64_t number;  /* in order of generation */
    uint64_t born;    /* cycle in which it was generated */
    uint64_t started; /* cycle in which its header left the node */
    uint64_t latency; /* once it is delivered */
    uint32_t kind;    /* its class (fc_classes_of) */
    uint32_t tag;     /* of its source: number of its length, number in the trace */
    uint32_t answer;  /* requests: what the reply is drawn from (router_open.c); of a workload: see
                         work.h */
    uint32_t origin;  /* answers: the node that began */
    union {
        struct { /* answers, while their request is at the memory: its cycles there, its class and
                    length */
            uint32_t memory_busy, memory_asked;
        };
        struct { /* copies of a multicast: the branch of its tree, the record of them all */
            uint32_t branch, whole;
        };
    };
    uint16_t root, step; /* answers: the class that began, how many messages before */
    uint64_t asked;      /* answers: when the first message was generated */
    uint64_t sent;       /* answers: when it left its node */
} fc_router_message;

/* A message on its way out of a node. */
typedef struct fc_slot {
    uint32_t message; /* FC_NONE */
    uint32_t left;    /* flits */
    uint32_t channel; /* v */
} fc_slot;

typedef struct fc_node_queue {
    uint32_t first, last; /* messages */
    uint32_t channel;     /* v taken last */
} fc_node_queue;

typedef struct fc_router_node {
    uint32_t turn;        /* slot that is first in this cycle */
    uint32_t outstanding; /* of the node of this number: requests not yet answered */
    uint32_t pending;     /* messages in its queues and slots */
    /* since the warm-up, of the messages it sent */
    uint64_t messages, latency, source_wait, injected;
} fc_router_node;

/* The copies of the multicast at the front of an input channel. */
typedef struct fc_fork {
    uint32_t copy;       /* the message that is being sent; FC_NONE: it is no multicast */
    uint32_t next, left; /* branches of the tree still to be taken */
    uint32_t kept;       /* flits of this copy that have left, and stay for the next one */
} fc_fork;

/* A header that has left a router or node. */
typedef struct fc_leaving {
    uint32_t message, input; /* the input it is on its way to */
} fc_leaving;

/* Sums since the last sample. */
typedef struct fc_router_sums {
    double messages, latency, source_wait, routers, path, flits;
    double flit_routers, flit_links; /* routers, and cycles of links between them, times flits */
    double messages_hot, latency_hot, messages_cold, latency_cold;
    double generated, generated_flits;
    double served;                         /* messages that nothing answers */
    double stay;                           /* cycles from the first message of a chain to its end */
    double answered, response, round_trip; /* chains of more than one message */
    double memory_requests, memory_wait;
    /* multicasts: copies delivered before the last one of each, which `messages` and `latency` have
     * too; last ones; and the flits that routers copied */
    double copies, copies_latency, last, last_latency, copied_flits;
} fc_router_sums;

/* The same of one class of messages; what is answered counts for the class that began. */
typedef struct fc_class_sums {
    double messages, latency, source_wait, routers, generated, answered, response;
    double copies, last, last_latency;
} fc_class_sums;

typedef struct fc_router fc_router;
typedef struct fc_sources fc_sources;
typedef struct fc_router_shadow fc_router_shadow;
typedef struct fc_router_team fc_router_team; /* router_team.h */

/* Called for every message delivered. */
typedef void (*fc_router_observer)(void *context, const fc_router_message *message,
                                   uint64_t latency);

/* A claim to an output channel or to the crossbar. The smallest key wins. */
typedef struct fc_claim {
    uint64_t key;
    uint32_t channel; /* input channel */
    uint32_t target;  /* what it gets, in the numbers of its router; FC_NONE */
} fc_claim;
/* The best claim to an output channel or output of a router, or the best offer to a crossbar port.
 */
typedef struct fc_contest {
    uint64_t key; /* UINT64_MAX: none */
    uint32_t winner;
} fc_contest;

struct fc_router {
    uint64_t time;  /* cycles of links and nodes */
    double speedup; /* ticks of a router in a cycle */
    uint64_t tick;  /* of the routers: stages and waits for output channels are counted in ticks */
    uint64_t credit_base, flit_base; /* to which the delay of a credit or flit is added */
    fc_pace *pace;                   /* outputs; NULL: each takes a flit in every cycle */
    const fc_router_network *network;
    const fc_routed *routed;
    uint32_t virtual_channels, output_stride;
    uint32_t ports_per_input; /* of the crossbar */
    uint32_t buffer, buffer_bits;
    fc_router_team *team;   /* with which it shares the network; NULL: it simulates all of it */
    struct fc_own {         /* what it simulates */
        uint32_t part;      /* of the team */
        uint32_t in, ins;   /* input channels: the first, how many */
        uint32_t out, outs; /* output channels */
        uint32_t ready, ready_end; /* words of `ready` */
        uint32_t awake, awake_end; /* words of `node_awake` */
    } own;
    uint32_t port_size;     /* channels of a crossbar port, at most */
    uint64_t port_channels; /* the same as a mask */
    bool large;             /* its state is in no near cache */
    bool narrow;            /* places, spots and outputs of a router fit into words */
    uint64_t all_channels;  /* mask of the virtual channels of a link */
    uint32_t delay[FC_ROUTER_STAGES];
    uint32_t node_delay, node_credit_delay, eject_credit_delay;
    uint32_t eject_delay; /* of a header, from its last router into the node */
    bool oldest_first, when_empty, cut_through;
    bool needs_room;         /* a header may need more than one free slot in the next buffer */
    bool several_candidates; /* a header has had more than one candidate */
    uint32_t rounds;
    uint64_t ejection_mask;
    fc_random draws; /* network.injection_choice: random; counted by node and cycle */
    bool drawn_injection;

    fc_in_channel *in;
    fc_route_candidate *candidate; /* candidate_room of each input channel */
    uint32_t candidate_room;
    uint32_t *flit; /* buffers */
    fc_out_channel *out;
    fc_output *output;
    fc_crossbar_port *crossbar_port;
    uint64_t *ready;      /* a bit for each input channel with a flit that asks for the crossbar */
    uint32_t *put_aside;  /* routers: first input channel whose header found no free channel */
    uint64_t *node_awake; /* a bit for each node that may have something to do */
    /* scratch of the allocations */
    uint8_t spot_port[64], spot_place[64]; /* of routers that are narrow */
    uint32_t *contested;                   /* outputs or output channels that are asked for */
    uint32_t *winner;    /* crossbar ports with an offer, then channels that won */
    fc_claim *claim;     /* input channels */
    fc_contest *contest; /* output channels */
    fc_contest *offer;   /* crossbar ports */

    fc_classes kinds;
    uint8_t order[FC_CLASSES_MAX];  /* classes by their rank */
    bool limited;                   /* traffic.outstanding */
    uint32_t nodes, classes, slots; /* slots of a class at a node */
    fc_router_node *node;
    fc_node_queue *queue; /* nodes x classes */
    fc_slot *slot;        /* nodes x classes x slots */
    uint32_t *node_credits;
    uint64_t *node_free;                 /* nodes: virtual channels no message of the node holds */
    uint64_t class_mask[FC_CLASSES_MAX]; /* virtual channels of a class */

    /* network.decision: ahead: headers that have left since the last tick, whose course in the next
     * router is not chosen yet; at most one for each output and node. NULL: at-front */
    fc_leaving *leaving;
    uint32_t leaving_count;

    const fc_multicast *multicast; /* NULL: no class has any */
    fc_fork *fork;                 /* with them: input channels */

    fc_wheel flits;   /* target | flit << 32 */
    fc_wheel credits; /* as fc_in_channel.upstream */
    fc_wheel asking;  /* input channels whose header asks for an output channel */
    fc_wheel moving;  /* input channels whose header has been given one, stage included */

    fc_router_message *message;
    fc_free_list free; /* messages */
    uint32_t messages_alive;
    uint64_t messages_made;
    uint32_t in_network; /* messages whose header has left the source and whose tail has not arrived
                          */
    fc_status status;    /* FC_ERROR_MEMORY until fc_router_run can report it */

    fc_sources *sources;
    fc_router_shadow *shadow; /* is given each message of open traffic; may be NULL */
    uint32_t hot_node;
    uint32_t senders;
    fc_router_observer observer; /* may be NULL */
    void *observer_context;
    bool paused; /* by an observer: fc_router_run returns after this cycle */
    fc_router_sums sums;
    fc_load_windows *load;   /* NULL: the rate stays */
    uint64_t hops;           /* flits over links between routers, all time */
    double helper_seconds;   /* processor time of a team's other threads, all time */
    fc_histogram *histogram; /* of the sample being filled; may be NULL */
    /* the same of responses, then of each class; NULL: they are not asked for */
    fc_histogram *histograms;
    fc_class_sums *class_sums; /* classes; NULL: they have no names */
};

/* ---- life (router_build.c) ---- */

/* network and routed must outlive the engine. Without sources: see sources.h. */
fc_status fc_router_create(const fc_router_network *network, const fc_routed *routed,
                           fc_error *error, fc_router **engine);
void fc_router_free(fc_router *engine); /* and its sources */
/* Simulates up to the start of the given cycle. Fails if a deadlock is found or if out of memory.
 */
fc_status fc_router_run(fc_router *engine, uint64_t until, fc_error *error);
/* Simulates one cycle. */
void fc_router_step(fc_router *engine);
/* Whether nothing is under way and no node can send: nothing happens until the next message. */
bool fc_router_idle(const fc_router *engine);
/* Creates the event lists, with room for so many ports and nodes. */
fc_status fc_router_create_wheels(fc_router *engine, uint32_t inputs, uint32_t outputs,
                                  uint32_t nodes, fc_error *error);
/* Counters of outputs and nodes start from here. */
void fc_router_clear_detail(fc_router *engine);
/* Parts of a cycle for which an output with a pace of its own has flits waiting behind it. */
uint64_t fc_router_promised(const fc_router *engine, uint32_t output);

static inline void fc_router_wake_node(fc_router *engine, uint32_t node) {
    engine->node_awake[node >> 6] |= (uint64_t)1 << (node & 63);
}

/* All ports of a node. */
static inline void fc_router_wake_ends(fc_router *engine, uint32_t node) {
    const struct fc_ports *ports = engine->network->ports;
    if (!ports) {
        fc_router_wake_node(engine, node);
        return;
    }
    for (uint32_t end = ports->first[node]; end < ports->first[node + 1]; ++end)
        fc_router_wake_node(engine, end);
}

/* The first tick of a cycle. */
static inline uint64_t fc_router_tick_of(const fc_router *engine, uint64_t cycle) {
    return engine->speedup > 1 ? (uint64_t)((double)cycle * engine->speedup + 1e-6) : cycle;
}

/* If the condition holds, the front flit of an input channel asks for the crossbar from now on. */
static inline void fc_router_ready_if(fc_router *engine, uint32_t channel, bool condition) {
    engine->ready[channel >> 6] |= (uint64_t)condition << (channel & 63);
}

static inline uint32_t *fc_router_front_flit(const fc_router *engine, uint32_t channel) {
    return &engine->flit[((size_t)channel << engine->buffer_bits) + engine->in[channel].first];
}

/* What keys of allocators begin with: nothing is above it but keys of classes that go later. */
static inline uint64_t fc_router_rank_key(const fc_router *engine, uint32_t channel) {
    enum { RANK_BITS = 52 };
    if (!engine->kinds.ranked)
        return 0;
    const uint32_t message = *fc_router_front_flit(engine, channel) >> 1;
    return (uint64_t)engine->kinds.list[engine->message[message].kind].rank << RANK_BITS;
}

/* The distance from `turn` on to `at` in round-robin order. Wraps around modulo 2^32, so that it
 * sorts correctly whatever the number of members. */
static inline uint32_t fc_behind(uint32_t at, uint32_t turn) {
    return at - turn;
}

/* The first set bit of a mask from bit `turn` on, wrapping around at the end. */
static inline uint32_t fc_first_from(uint64_t mask, uint32_t turn) {
    const uint32_t first = turn & 63;
    const uint64_t turned = mask >> first | mask << (-first & 63);
    return ((uint32_t)__builtin_ctzll(turned) + first) & 63;
}

/* Frees a virtual channel: headers of the router that found none free ask again in cycle `when`. */
static inline void fc_router_release_channel(fc_router *engine, uint32_t out_channel,
                                             uint32_t number, uint64_t when) {
    fc_output *output = &engine->output[number];
    uint32_t *aside = &engine->put_aside[output->router];
    output->free |= (uint64_t)1 << (out_channel - number * engine->output_stride);
    while (*aside != FC_NONE) {
        fc_wheel_add(&engine->asking, when, *aside);
        *aside = engine->in[*aside].next;
    }
}

/* The header of a message leaves for an input. */
static inline void fc_router_header_leaves(fc_router *engine, uint32_t message, uint32_t input) {
    if (engine->leaving)
        engine->leaving[engine->leaving_count++] = (fc_leaving){message, input};
}

/* ---- messages (router_nodes.c) ---- */

/* A zeroed record with its number; FC_NONE, with the engine's status set, if out of memory. */
uint32_t fc_router_new_message(fc_router *engine);
/* Puts a message, whose record is complete, into the queue of its source. */
void fc_router_queue(fc_router *engine, uint32_t message);
void fc_router_send_nodes(fc_router *engine);
/* The tail of a message has reached its destination. */
void fc_router_delivered(fc_router *engine, uint32_t message);
/* Counts a message that arrives; its latency. */
uint64_t fc_router_count_arrival(fc_router *engine, uint32_t message);
/* Counts a message delivered for the node that sent it, and frees its record. */
void fc_router_finish_message(fc_router *engine, uint32_t message);

/* ---- multicasts (multicast_copies.c) ---- */

/* Before the first message: there are such classes. The trees must outlive the engine. */
fc_status fc_router_take_multicast(fc_router *engine, const fc_multicast *multicast,
                                   fc_error *error);
/* Queues a message over one of the trees of its source. */
void fc_router_multicast(fc_router *engine, uint32_t kind, uint32_t source, uint32_t sort,
                         uint32_t flits, uint32_t variant);
/* Such a header has come to the front of an input channel. */
void fc_router_fork(fc_router *engine, uint32_t channel);
/* The tail of a copy has left: false if the buffer is through with the message. */
bool fc_router_fork_again(fc_router *engine, uint32_t channel);
/* A copy has been delivered. */
void fc_router_copy_delivered(fc_router *engine, uint32_t message);

static inline bool fc_router_is_copy(const fc_router *engine, const fc_router_message *message) {
    return engine->fork && engine->kinds.list[message->kind].multicast;
}

/* The flit at the front is sent as one of the copy that is being sent; false if it stays in the
 * buffer for the next one. */
static inline bool fc_router_flit_leaves(fc_router *engine, uint32_t channel, uint32_t *flit) {
    fc_fork *fork = &engine->fork[channel];
    if (fork->copy == FC_NONE || !fork->left)
        return true;
    *flit = fork->copy << 1 | (*flit & 1);
    ++fork->kept;
    return false;
}

/* ---- headers and flits ---- */

/* A header has come to the front of an input channel: finds its candidates, for which it asks from
 * tick `when` on. */
void fc_router_header_at_front(fc_router *engine, uint32_t channel, uint64_t when);
void fc_router_allocate_channels(fc_router *engine);
void fc_router_allocate_switch(fc_router *engine);

/* ---- proofs (router_deadlock.c, router_checks.c) ---- */

/* Every 1024 cycles, test whether the longest-waiting header, if it has waited at least 1024
 * cycles, can ever move. */
enum { FC_ROUTER_PATIENCE = 1024 };
/* That test, between cycles. Fails if the header can never move. */
fc_status fc_router_find_deadlock(fc_router *engine, fc_error *error);

/* Asserts the numbered invariants of router_checks.c. */
void fc_router_check(const fc_router *engine);

#endif
