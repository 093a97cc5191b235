/* The slotted rings once more, as plainly as possible: a packet is an object, every slot moves
 * every cycle, every node is visited, and a packet finds its way by arithmetic on its destination.
 */
#ifndef SLOTTED_RINGS_REFERENCE_H
#define SLOTTED_RINGS_REFERENCE_H

#include "base/histogram.h"
#include "base/random.h"
#include "scenario/rings.h"

typedef struct reference_packet {
    uint64_t born, joined;
    uint32_t destination; /* station */
} reference_packet;

typedef struct reference_queue {
    reference_packet **packets; /* first .. first + count - 1, oldest first */
    size_t first, count, room;
} reference_queue;

typedef struct reference_ring {
    int level; /* 0 local, 1 middle, 2 global */
    uint32_t index, nodes;
    reference_packet **slots; /* slots[i]: in the link buffer in front of node i */
    reference_queue *queues;  /* one per node */
} reference_ring;

typedef struct reference {
    uint32_t levels, L, M, G, N, ring_count;
    double P_L, P_M, gap, next_arrival;
    fc_random arrivals, destinations;
    reference_ring *rings; /* local, middle, global */
    uint64_t now;
    uint64_t generated, delivered, latency, sent[5], waited[5], occupied[3];
    fc_histogram latencies;
} reference;

reference *reference_create(const fc_rings *rings, uint64_t seed, uint32_t replication);
void reference_tick(reference *model);
void reference_free(reference *model);

#endif
