/* A buffered multistage network, packet by packet, in continuous time.
 *
 * N = a^n sources and memories, n stages of a x a switches in omega wiring: a source's line passes
 * an a-ary perfect shuffle to a switch input of stage 1; stage s sends a packet to the output that
 * the s-th most significant base-a digit of its destination names; shuffle again. Every switch
 * input is a FIFO buffer of one packet in service and L waiting. Service takes a constant time.
 *
 * Contention none (rule A): any number of inputs of a switch may send to the same output at once.
 * At the end of its service a packet moves at once if the buffer ahead has a place, else it stays
 * and holds its server; a buffer that gets a place admits the blocked senders first come, first
 * served, and so on upstream, in no time.
 * Contention for output ports (rule B): as A, but the line out of a switch is held by one packet
 * from the start of its service until it has moved; waiting inputs get it first come, first served.
 *
 * With memory_busy > 0 a memory serves one packet at a time, for so many cycles, from a queue
 * without limit; the packet then goes back to its source, the memory's line through a second
 * network of the same wiring, the source's number as its destination. A memory whose first buffer
 * there is full waits, as a switch does. At one instant services of switches end before those of
 * memories.
 *
 * Sources are Poisson. A packet that finds its first buffer full is discarded. With a limit on
 * outstanding packets a source generates nothing while it has that many in the network. */
#ifndef FC_SIMULATORS_PACKET_NETWORK_H
#define FC_SIMULATORS_PACKET_NETWORK_H

#include "base/histogram.h"
#include "flitcast/flitcast.h"

enum { FC_PACKET_STAGES_MAX = 32, FC_PACKET_UNLIMITED = 0 };

typedef struct fc_packet_settings {
    uint32_t ports;       /* N = switch_size ^ stages */
    uint32_t switch_size; /* a >= 2 */
    uint32_t stages;      /* n >= 1 */
    uint32_t places;      /* L + 1, or FC_PACKET_UNLIMITED */
    uint32_t outstanding; /* m, or FC_PACKET_UNLIMITED */
    bool output_contention;
    double service;     /* d > 0, cycles */
    double memory_busy; /* cycles of a memory for a packet; 0: packets end there at once */
    double rate;        /* packets per source per cycle */
    double hot_share;   /* of every source's packets go to hot_memory; the rest to all alike */
    uint32_t hot_memory;
    double latency_scale; /* histogram units per cycle */
    uint64_t seed;
    uint32_t replication;
    const struct fc_shadow_plan *shadow; /* packet_shadow.h; NULL: no shadow queues */
} fc_packet_settings;

typedef struct fc_packet_counts {
    uint64_t generated, discarded, delivered;
    double latency;         /* sum over the delivered, cycles */
    uint64_t returned;      /* with memory_busy: to their sources */
    double round;           /* cycles from generation to there, sum over those */
    uint64_t delivered_hot; /* to the hot memory, hot or not */
    double latency_hot;     /* sum over those */
    uint64_t events;        /* arrivals and service completions */
    double cycles;          /* simulated */
} fc_packet_counts;

typedef struct fc_packet_network fc_packet_network;

fc_status fc_packet_network_create(const fc_packet_settings *settings, fc_error *error,
                                   fc_packet_network **network);
void fc_packet_network_free(fc_packet_network *network); /* accepts NULL */

/* Simulates up to now + cycles; adds to counts and latencies (which may be NULL). Fails only if an
 * unlimited buffer cannot grow. */
fc_status fc_packet_network_advance(fc_packet_network *network, double cycles,
                                    fc_packet_counts *counts, fc_histogram *latencies,
                                    fc_error *error);
/* Forgets what the flows and groups below have counted. */
void fc_packet_network_start_measuring(fc_packet_network *network);

/* The control variate of shadow queues, over so many cycles since the last call; 0 without them. */
double fc_packet_network_shadow(fc_packet_network *network, double cycles);
uint64_t fc_packet_network_population(const fc_packet_network *network); /* packets inside */
double fc_packet_network_now(const fc_packet_network *network);          /* cycles simulated */
const fc_packet_settings *fc_packet_network_settings(const fc_packet_network *network);

/* Totals since start_measuring, for buffers of a stage (0 .. n-1; n: memories, n + 1 .. 2n: the way
 * back) on the hot tree or off it; without a hot spot, and from n on, all are off it. */
typedef struct fc_packet_stage {
    uint64_t buffers;
    uint64_t entered, left, blocked; /* packets */
    double waiting, service, held;   /* cycles, summed over packets: parts of the residence */
    double time;                     /* cycles measured */
} fc_packet_stage;
fc_packet_stage fc_packet_network_stage(const fc_packet_network *network, uint32_t stage,
                                        bool tree);
/* Since start_measuring, deliveries to the memories of a group: 0 the hot memory, g = 1 .. n those
 * whose path leaves the hot tree after stage n - g + 1; without a hot spot all are in group n. */
void fc_packet_network_group(const fc_packet_network *network, uint32_t group, uint64_t *delivered,
                             double *latency);

/* Called for every packet delivered, in order, for tests. */
typedef void (*fc_packet_observer)(void *context, uint32_t memory, double born, double gone);
void fc_packet_network_observe(fc_packet_network *network, fc_packet_observer observer,
                               void *context);

#endif
