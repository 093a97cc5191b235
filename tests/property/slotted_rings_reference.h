/* The slotted rings once more, as plainly as possible: a packet is an object, every slot moves
 * every cycle, every node is visited, and a packet finds its way by comparing its destination with
 * the stations on and below a ring.
 */
#ifndef SLOTTED_RINGS_REFERENCE_H
#define SLOTTED_RINGS_REFERENCE_H

#include <stdbool.h>

#include "base/histogram.h"
#include "base/random.h"
#include "scenario/rings.h"

typedef struct reference_packet {
    uint64_t born, joined;
    uint32_t destination; /* station */
    uint32_t customer;    /* closed traffic */
    int message;
} reference_packet;

enum { A_REQUEST, AN_ACCEPTANCE, A_REFUSAL, THE_DATA };
enum { NOTHING_DUE, THOUGHT, RETRIES, HAS_READ, RETURNS };

typedef struct reference_customer {
    uint32_t station, memory;
    int due;             /* at the cycle `when` */
    uint64_t when, sent; /* sent: the request, for the first time */
    uint64_t queued;     /* at the processor: how many were before in all; 0: elsewhere */
    bool reads;
    int awaited;
} reference_customer;

typedef struct reference_queue {
    reference_packet **packets; /* first .. first + count - 1, oldest first */
    size_t first, count, room;
    size_t before; /* count at the start of the cycle, plus those that have joined in it */
} reference_queue;

typedef struct reference_ring {
    uint32_t level, nodes, lanes;
    uint32_t first;             /* position of the first station or ring on it */
    uint32_t station, stations; /* those on and below it */
    uint32_t parent, place;     /* the ring above, and the position there */
    uint32_t child;             /* the first ring on it */
    reference_packet **slots; /* lane by lane: slots[i] is in the link buffer in front of node i */
    reference_queue *queues;  /* one per node */
} reference_ring;

typedef struct reference {
    const fc_rings *rings_of;
    uint32_t levels, stations, ring_count;
    double gap, next_arrival;
    fc_random arrivals, destinations;
    reference_ring *rings; /* level by level, from the local rings up */
    uint64_t now;
    uint64_t generated, delivered, latency, hot_delivered, hot_latency, turned_away;
    uint64_t sent[2 * FC_RING_LEVELS - 1], waited[2 * FC_RING_LEVELS - 1];
    uint64_t occupied[FC_RING_LEVELS];
    fc_histogram latencies;
    /* closed traffic */
    size_t customers;
    reference_customer *customer;
    uint64_t *memory_free_from; /* by station */
    uint64_t queued;
    uint64_t served[2], response[2], refused, busy;
} reference;

/* rings must outlive the reference. */
reference *reference_create(const fc_rings *rings, uint64_t seed, uint32_t replication);
void reference_tick(reference *model);
void reference_free(reference *model);

#endif
