/* The flit engine: a wormhole network moved one cycle at a time, every flit exactly.
 *
 * A flit is not an object. A virtual channel is a record with counters: flits in its buffer, flits
 * of the entering message still to come, flits of the front message still to leave, and the virtual
 * channels before and after it on the path of those messages. A message is a chain of such records.
 *
 * A link gives one of its virtual channels one flit's crossing per cycle. The buffer of a virtual
 * channel is at the receiving end of its link (open traffic) or at the sending end (closed
 * traffic: Adve and Vernon's switches). Crossing therefore means
 *
 *     receiving: a flit moves from the buffer of the channel before into that of the channel
 *     sending:   a flit moves from the buffer of the channel into that of the channel after
 *
 * and nothing else differs. Sources are channels that hold the flits of a message not yet sent;
 * sinks are channels that swallow what reaches them.
 *
 * docs/simulators/flit.md tells the rules cycle by cycle. A cycle at time t is:
 *
 *   1. endpoints: messages due at t are queued and offered to the node's links;
 *   2. allocation: waiting headers are granted virtual channels (flit_header.c);
 *   3. departures: links send, downstream before upstream (flit_cycle.c);
 *   4. arrivals: what was sent is in its new buffer at t+1 (flit_cycle.c). */
#ifndef FC_SIMULATORS_FLIT_H
#define FC_SIMULATORS_FLIT_H

#include "base/free_list.h"
#include "base/histogram.h"
#include "base/random.h"
#include "network/channel_rule.h"
#include "network/torus_network.h"
#include "registry/method.h"
#include "simulators/flit/torus_shadow.h"

#define FC_HEADER_DUE 0x80000000u /* in fc_vc.coming: the header itself is still to come */

/* Virtual channels that stand for "none", so that moving flits needs no test for it: nothing ever
 * comes from the one, nothing ever fits into the other. They belong to link 0, which does not
 * exist. */
enum { FC_FROM_NOWHERE = 0, FC_TO_NOWHERE = 1 };

/* One virtual channel: what moving flits touches. Channel v of link l has the number
 * (l << channel_bits) + v. */
typedef struct fc_vc {
    uint32_t count;    /* flits in the buffer */
    uint32_t coming;   /* flits of the entering message still to come; 0: none is entering */
    uint32_t previous; /* the channel the entering message comes from; FC_FROM_NOWHERE */
    uint32_t next;     /* the channel the front message goes to; FC_TO_NOWHERE until granted */
} fc_vc;

/* The same virtual channel: what only headers and tails touch. */
typedef struct fc_vc_header {
    uint32_t front;                   /* message whose flits leave */
    uint32_t entering;                /* message whose flits come, or came last */
    uint32_t queue_first, queue_last; /* messages behind the front (fc_queue_entry) */
    uint32_t node;                    /* at which the next channel is chosen */
    uint32_t straight;                /* the link from there on in the same direction */
    uint32_t rank;                    /* order of requests made in the same cycle */
    uint32_t wait_next;               /* list of headers that wait for the same link */
    uint32_t wanted;                  /* link the front header waits for; FC_NONE: it does not */
    uint64_t asked;                   /* since when */
    fc_eligible eligible;             /* virtual channels of it that will do */
} fc_vc_header;

/* A link may send for a virtual channel if there is a flit before it and room after it. Channels
 * with neither a message before nor after them are never both. Sources and sinks that are not on a
 * link have such a record too, which never sends. */
typedef struct fc_link {
    uint64_t fed;     /* virtual channels for which a flit waits */
    uint64_t room;    /* virtual channels for which the buffer a flit would go to has room */
    uint32_t sent;    /* the virtual channel that sent last: those above it have the turn */
    uint32_t crossed; /* flits, until they are added to fc_link_waiting.crossed */
} fc_link;

/* Allocation side of a link. */
typedef struct fc_link_waiting {
    uint64_t idle;        /* virtual channels with neither flit nor owner */
    uint64_t open;        /* virtual channels no message is entering (idle ones included) */
    uint32_t first, last; /* headers waiting, first come first */
    bool listed;          /* in the list of links to look at in the next allocation */
    uint32_t channels;
    /* since the warm-up */
    uint64_t granted; /* headers */
    uint64_t waited;  /* cycles they waited */
    uint64_t crossed; /* flits */
} fc_link_waiting;

/* Words of the activity bitmaps visited side by side: links of one never depend on the other's. */
typedef struct fc_stretch {
    uint32_t first, second; /* words */
    uint32_t count;         /* of each; second is FC_NONE if there is only one */
} fc_stretch;

typedef struct fc_queue_entry {
    uint32_t message, next;
} fc_queue_entry;

typedef struct fc_message {
    uint64_t born;    /* cycle in which it was generated and queued */
    uint64_t started; /* cycle in which it took the link out of its node */
    uint64_t number;  /* in order of generation */
    uint32_t source, destination;
    uint32_t rising; /* directions of its route */
    uint32_t flits;
    uint32_t turn;      /* node at which its header is through with its present dimension; at first
                           the source */
    uint32_t dimension; /* the present one */
    uint32_t next;      /* in the source queue, or in the list of free records */
    uint32_t transaction; /* closed traffic */
} fc_message;

typedef struct fc_flit fc_flit;

/* What is attached to the nodes: sources, processors, memories. */
typedef struct fc_endpoints {
    /* The first cycle, not before the engine's, in which it has something to do; UINT64_MAX: none.
     */
    uint64_t (*next_event)(const fc_flit *engine);
    void (*begin_cycle)(fc_flit *engine);
    /* In the arrivals of cycle `time`; what they start can move from time+1 on. */
    void (*source_empty)(fc_flit *engine, uint32_t source);    /* the tail has left the source */
    void (*injection_free)(fc_flit *engine, uint32_t channel); /* may take the next message */
    void (*delivered)(fc_flit *engine, uint32_t message);      /* its tail has reached the node */
} fc_endpoints;

/* Called for every message delivered; latency as the scenario's kind of traffic counts it. */
typedef void (*fc_flit_observer)(void *context, const fc_message *message, uint64_t latency);

typedef struct fc_open_sources fc_open_sources;
typedef struct fc_closed_nodes fc_closed_nodes;

/* What a node's own messages met, since the warm-up. */
typedef struct fc_flit_node {
    uint64_t messages, latency, source_wait;
} fc_flit_node;

/* Sums since the last sample. */
/* Where a customer of closed traffic is. */
enum {
    FC_AT_PROCESSOR,
    FC_AS_REQUEST,
    FC_AT_MEMORY,
    FC_AS_REPLY,
    FC_CLOSED_STATIONS,
};

typedef struct fc_flit_sums {
    double messages, latency, source_wait, hops;
    double messages_hot, latency_hot, messages_cold, latency_cold;
    double generated;
    /* closed: per completed request */
    double served, network, remote, response, round_trip;
    double served_hot, response_hot, served_cold, response_cold;
    double busy; /* processor cycles */
    /* closed: who left the processors, the network as a request, the memories, the network as a
     * reply; and how many cycles ended while they were there */
    double left[FC_CLOSED_STATIONS], stay[FC_CLOSED_STATIONS];
    double services, service_cycles; /* closed: drawn think times */
} fc_flit_sums;

struct fc_flit {
    uint64_t time;
    bool sending;          /* buffers are at the sending ends of links */
    bool same_cycle;       /* a channel may be granted while the last tail is still in its buffer */
    uint32_t capacity;     /* flits of a buffer; UINT32_MAX: infinite */
    uint32_t channel_bits; /* see fc_vc */
    uint32_t vc_count, link_count, word_count;
    /* Links, in this order: into nodes, network, out of nodes. */
    uint32_t node_link_first, network_link_first, network_link_end;
    uint32_t *link_of_channel; /* by channel number (network/geometry.h); FC_NONE: there is none */
    uint32_t *channel_of_link; /* counted from network_link_first; FC_NONE: no link */
    uint32_t sources_per_node;
    /* Ranges of virtual channels. */
    uint32_t source_first, source_span;
    uint32_t sink_first, sink_span;
    uint32_t ejection_first, ejection_span;
    uint32_t injection_first, injection_span; /* open traffic only */
    fc_vc *vc;
    fc_vc_header *header;
    fc_link *link;
    fc_link_waiting *waiting;
    uint64_t *active;  /* links that may send for a virtual channel */
    uint64_t *pending; /* of them, those not yet visited in this cycle */
    uint64_t *done;    /* links that have sent in this cycle */
    uint64_t *moved;   /* flits sent in this cycle, in order: from | to << 32 (channels) */
    fc_stretch stretch[2 * FC_LIST_MAX + 4]; /* in the order in which links are visited */
    uint32_t stretch_count;
    uint32_t moved_count;
    uint32_t *listed; /* links for the next allocation */
    uint32_t listed_count;
    fc_message *message;
    fc_free_list free_messages;
    uint32_t messages_alive;
    uint64_t messages_made;
    fc_queue_entry *entry;
    fc_free_list free_entries;
    fc_status status; /* FC_ERROR_MEMORY until fc_flit_run can report it */
    const fc_geometry *geometry;
    const fc_traffic *traffic;
    fc_channel_rule rule;
    const fc_torus *torus; /* the caller's */
    const fc_endpoints *endpoints;
    fc_open_sources *open;
    fc_closed_nodes *closed;
    fc_torus_shadow *shadow;   /* of open traffic; the caller's, may be NULL */
    fc_flit_observer observer; /* may be NULL */
    void *observer_context;
    fc_flit_sums sums;
    fc_flit_node *node;      /* open traffic */
    uint64_t hops_before;    /* network crossings before the detail was cleared */
    fc_histogram *histogram; /* of the sample being filled; may be NULL */
    uint64_t progressed;     /* cycle in which a flit moved last */
};

/* ---- life ---- */

/* network must outlive the engine. */
fc_status fc_flit_create(const fc_torus_network *network, uint64_t seed, uint32_t replication,
                         fc_error *error, fc_flit **engine);
void fc_flit_free(fc_flit *engine);
/* Simulates up to the start of the given cycle. Fails if the network is deadlocked or memory has
 * run out. */
fc_status fc_flit_run(fc_flit *engine, uint64_t until, fc_error *error);
/* Flits that have crossed network links so far. */
uint64_t fc_flit_hops(const fc_flit *engine);
/* Counters of links and nodes start from here. */
void fc_flit_clear_detail(fc_flit *engine);
/* The node a network link leaves, its dimension and direction. */
uint32_t fc_flit_link_from(const fc_flit *engine, uint32_t link, uint32_t *dimension, bool *rising);

static inline uint32_t fc_vc_link(const fc_flit *engine, uint32_t channel) {
    return channel >> engine->channel_bits;
}

static inline uint64_t fc_vc_bit(const fc_flit *engine, uint32_t channel) {
    return (uint64_t)1 << (channel & ((1u << engine->channel_bits) - 1));
}

/* ---- messages (flit_network.c) ---- */

/* FC_NONE, and the engine's status, if there is no memory. The record is zeroed and numbered. */
uint32_t fc_flit_new_message(fc_flit *engine);
void fc_flit_free_message(fc_flit *engine, uint32_t message);

/* ---- headers (flit_header.c) ---- */

/* Puts a message into an empty source. */
void fc_flit_load(fc_flit *engine, uint32_t source, uint32_t message);
/* The first link of a message, and which of its virtual channels it may take. */
uint32_t fc_flit_first_link(const fc_flit *engine, const fc_message *message,
                            fc_eligible *eligible);
/* A header has come to the front of a buffer: it asks for its next channel, from time `when` on. */
void fc_flit_ask(fc_flit *engine, uint32_t channel, uint64_t when);
/* Gives the front message of a channel the channel after it. */
void fc_flit_grant(fc_flit *engine, uint32_t from, uint32_t to);
/* The best virtual channel of a link that may be granted now, or FC_NONE. */
uint32_t fc_flit_available(const fc_flit *engine, uint32_t link, fc_eligible eligible);
/* Grants what can be granted at the start of a cycle. */
void fc_flit_allocate(fc_flit *engine);
/* The tail has entered a channel; the tail has left a channel; a sink has swallowed one. */
void fc_flit_tail_entered(fc_flit *engine, uint32_t channel);
void fc_flit_tail_left(fc_flit *engine, uint32_t channel);
void fc_flit_vacate(fc_flit *engine, uint32_t channel);

/* ---- moving (flit_cycle.c) ---- */

void fc_flit_move(fc_flit *engine);

/* ---- proofs (flit_checks.c) ---- */

/* Messages that wait for each other for ever: an error that names their channels; else FC_OK. */
fc_status fc_flit_find_deadlock(const fc_flit *engine, fc_error *error);
/* Asserts the numbered invariants of flit_checks.c. */
void fc_flit_check(const fc_flit *engine);

/* ---- endpoints (flit_open.c, flit_closed.c) ---- */

enum { FC_STREAM_GAPS, FC_STREAM_MESSAGES, FC_STREAM_NODES }; /* random streams; NODES + node */

fc_status fc_open_create(fc_flit *engine, uint64_t seed, uint32_t replication, fc_error *error);
void fc_open_free(fc_open_sources *open);
fc_status fc_closed_create(fc_flit *engine, uint64_t seed, uint32_t replication, fc_error *error);
void fc_closed_free(fc_closed_nodes *closed);

#endif
