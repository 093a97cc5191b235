/* The state of one scouting network, shared by the parts of the simulator: scouting.c (the cycle),
 * scouting_header.c (what headers do), scouting_transfer.c (flits on channels), scouting_report.c,
 * scouting_checks.c and scouting_faults.c (which destinations faulty channels leave reachable). The
 * rules and the numbered invariants are in scouting.c. */
#ifndef FC_SIMULATORS_FLIT_SCOUTING_H
#define FC_SIMULATORS_FLIT_SCOUTING_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/free_list.h"
#include "base/random.h"
#include "base/status.h"
#include "registry/method.h"
#include "network/torus_network.h"
#include "simulators/flit/torus_shadow.h"

enum { FC_SCOUTING_CHANNELS_MAX = 64 };

/* A virtual channel: who holds it, and the one-flit buffer at its end. Its number is
 * channel * virtual channels per channel + index. */
typedef struct fc_scouting_vc {
    uint32_t message;    /* that holds it, or FC_NONE */
    uint32_t upstream;   /* the virtual channel that feeds it; FC_NONE: the node's memory */
    uint32_t downstream; /* the one it feeds, or FC_NONE */
    uint32_t remaining;  /* data flits that have not crossed it */
    uint32_t arrived;    /* the cycle (low 32 bits) in which the buffered flit came */
    uint32_t position;   /* its place on the path: 0 injection, 1..d links, d+1 ejection */
    uint32_t channel;
    bool occupied; /* the buffer holds a flit */
    bool probe;    /* the header has yet to cross */
} fc_scouting_vc;

/* A physical channel. Bit v of a mask is its virtual channel v. */
typedef struct fc_scouting_channel {
    uint64_t ready; /* could send now: a flit that did not arrive in this cycle, and place for it */
    uint64_t fresh; /* could send from the cycle after fresh_cycle on */
    uint64_t free;  /* not held by any message; none at a faulty channel */
    uint64_t used;  /* the cycle after the one in which it last sent */
    uint64_t fresh_cycle;
    uint64_t flits;  /* sent while measuring, headers included */
    uint32_t target; /* the node at its end */
    uint32_t last;   /* the virtual channel that sent last: round robin */
} fc_scouting_channel;

enum { FC_HEADER_AT_NODE, FC_HEADER_CROSSING, FC_HEADER_ACCEPTED };

/* A message from the grant of its injection channel to its delivery. */
typedef struct fc_scouting_message {
    uint64_t arrival;  /* cycle of generation */
    uint64_t granted;  /* cycle of its first grant */
    uint64_t accepted; /* cycle in which the header got its ejection channel */
    uint32_t source, destination;
    uint32_t next, previous; /* in the list of messages being set up, older first */
    uint32_t header;         /* links the header has crossed and not released */
    uint32_t front;          /* channels of its path that the first data flit has crossed */
    uint32_t header_node;
    int state;       /* of the header */
    bool front_open; /* the first data flit may cross its next channel */
    uint32_t rising; /* bit i: dimension i is crossed with a growing digit */
    uint32_t backtracks, restarts;
} fc_scouting_message;

/* A message that waits at its source. */
typedef struct fc_scouting_waiting {
    uint64_t arrival;
    uint64_t granted; /* cycle of its first grant if it came back, else UINT64_MAX */
    uint32_t destination;
    uint32_t next;
    uint32_t rising;
    uint32_t backtracks, restarts;
} fc_scouting_waiting;

/* Over the messages delivered while measuring. */
typedef struct fc_scouting_totals {
    double messages, latency, source_wait;
    double empty; /* what the same messages would take in an empty network */
} fc_scouting_totals;

/* What the replications of a run have in common (scouting_faults.c). */
typedef struct fc_scouting_common {
    fc_torus_network *network;
    fc_torus_shadow_plan *shadow; /* NULL: none */
    uint64_t *broken;             /* a bit for each channel number; NULL without faults */
    uint64_t *reachable;      /* a bit for each source and vector of hops; NULL without faults */
    double unreachable_pairs; /* share of pairs no minimal path connects */
} fc_scouting_common;

typedef struct fc_scouting {
    const fc_scouting_common *common;
    const fc_torus *torus;
    const fc_geometry *geometry;
    const fc_traffic *traffic;
    uint32_t nodes, dimensions, ports; /* ports: network channels out of a node, 2 a dimension */
    uint32_t channels;                 /* ejection, then network, then injection */
    uint32_t network_first, injection_first;
    uint32_t virtual_channels;   /* per network channel */
    uint32_t injection_channels; /* virtual channels of an injection channel */
    uint32_t ejection_channels;  /* virtual channels of an ejection channel */
    uint32_t stride;             /* numbers reserved for the virtual channels of a channel */
    uint32_t message_flits;      /* M */
    uint32_t distance;           /* K */
    uint32_t lead;               /* max(K, 1): links the first data flit stays behind */
    uint32_t path_stride;        /* longest path + 2 */
    uint64_t cycle;

    fc_scouting_channel *channel; /* [channels] */
    fc_scouting_vc *vc;           /* [channels * stride] */
    fc_scouting_message *message; /* [message_count] */
    uint32_t message_count;
    fc_free_list free_messages;
    uint32_t in_network;
    /* per message, path_stride each; entry 0 is the injection channel */
    uint32_t *path;  /* virtual channels held or passed */
    uint64_t *reach; /* [i]: the cycle from which on the header was at node i */
    uint32_t *marks; /* [i]: dimensions tried in vain at node i */
    uint32_t *hops;  /* per message, dimensions each: hops left */
    uint32_t setup_first, setup_last;

    uint64_t *active, *active_next; /* over channels: may send in this cycle, in the next */
    uint32_t active_words, active_cursor;

    fc_scouting_waiting *waiting;
    fc_free_list free_waiting;
    uint32_t waiting_left;              /* of them free */
    uint32_t *queue_first, *queue_last; /* per node */
    uint64_t *grant;                    /* bitmap over nodes: look whether a grant is possible */
    int64_t queued;

    fc_torus_shadow shadow;
    fc_random arrivals, destinations, ties, choices;
    double next_arrival;

    fc_sample *sample; /* of the stretch being simulated */
    uint64_t measured_from;
    fc_scouting_totals total;
    uint64_t flit_hops, delivered, generated, delivered_hops;
    double mean_hops;       /* expected of a message; NaN: not known */
    uint64_t last_progress; /* cycle in which a flit was delivered or the network was empty */
} fc_scouting;

/* ---- scouting_transfer.c ---- */

void fc_scouting_set_ready(fc_scouting *network, uint32_t vc);
void fc_scouting_set_fresh(fc_scouting *network, uint32_t vc);
void fc_scouting_clear_ready(fc_scouting *network, uint32_t vc);
/* Every channel that can sends one flit; the one with the lowest number goes first. */
void fc_scouting_transfer(fc_scouting *network);

/* ---- scouting_header.c ---- */

/* Takes a virtual channel into use for a message, at a place on its path. */
void fc_scouting_hold(fc_scouting *network, uint32_t vc, uint32_t message, uint32_t position);
void fc_scouting_free_vc(fc_scouting *network, uint32_t vc);
void fc_scouting_start(fc_scouting *network, uint32_t message); /* header at its source */
void fc_scouting_setup_append(fc_scouting *network, uint32_t message);
void fc_scouting_setup_remove(fc_scouting *network, uint32_t message);
/* One cycle of every message being set up: its header, then the gate of its first data flit. */
void fc_scouting_route(fc_scouting *network);

/* ---- scouting.c ---- */

/* The message leaves the network: delivered, or back to the head of its source's queue. */
void fc_scouting_deliver(fc_scouting *network, uint32_t message);
void fc_scouting_return(fc_scouting *network, uint32_t message);

/* ---- scouting_report.c ---- */

void fc_scouting_report(void *const *states, size_t replications, fc_result *result);

/* ---- scouting_checks.c ---- */

#ifdef FC_CHECKS
void fc_scouting_check(const fc_scouting *network); /* asserts the invariants */
#endif

/* ---- scouting_faults.c ---- */

/* Bits of the table of what each source can reach. */
double fc_scouting_fault_table(const fc_torus *torus);
/* The network and, with faults, which hops each source can make along minimal paths over channels
 * that work. */
fc_status fc_scouting_common_create(const fc_torus *torus, fc_error *error,
                                    fc_scouting_common **common);
void fc_scouting_common_free(fc_scouting_common *common); /* accepts NULL */
/* Makes rising a choice of directions that reaches the destination, by flipping ties (the mask of
 * half-way dimensions); false if there is none. Only with faults. */
bool fc_scouting_reachable(const fc_scouting_common *common, uint32_t source, uint32_t destination,
                           uint32_t ties, uint32_t *rising);

extern const fc_simulator fc_simulator_scouting;

/* Which is the lowest bit that is set. */
static inline uint32_t fc_lowest_bit(uint64_t mask) {
    return (uint32_t)__builtin_ctzll(mask);
}

static inline uint32_t fc_count_bits(uint64_t mask) {
    return (uint32_t)__builtin_popcountll(mask);
}

/* Where a message's entries begin in path, reach and marks. */
static inline size_t fc_scouting_entry(const fc_scouting *network, uint32_t message) {
    return (size_t)message * network->path_stride;
}

static inline uint32_t *fc_scouting_path(const fc_scouting *network, uint32_t message) {
    return network->path + fc_scouting_entry(network, message);
}

static inline uint32_t *fc_scouting_hops_left(const fc_scouting *network, uint32_t message) {
    return network->hops + (size_t)message * network->dimensions;
}

static inline uint32_t fc_scouting_out(const fc_scouting *network, uint32_t node,
                                       uint32_t dimension, bool rising) {
    return network->network_first + fc_channel_number(network->geometry, node, dimension, rising);
}

/* Hops in one dimension in the direction of its bit of rising. */
static inline uint32_t fc_scouting_hops(const fc_geometry *geometry, uint32_t source,
                                        uint32_t destination, uint32_t dimension, uint32_t rising) {
    const uint32_t to = fc_digit(geometry, destination, dimension);
    const uint32_t from = fc_digit(geometry, source, dimension);
    const uint32_t begin = rising >> dimension & 1 ? from : to, end = from ^ to ^ begin;
    return end >= begin ? end - begin : end + geometry->radix[dimension] - begin;
}

#endif
