/* The state of a packet network, shared by the engine (packet_network.c), the builder
 * (packet_wiring.c), the observer of stages (packet_stages.c) and the plan of shadow queues
 * (packet_shadow.c); nobody else looks inside. */
#ifndef FC_SIMULATORS_PACKET_STATE_H
#define FC_SIMULATORS_PACKET_STATE_H

#include "base/random.h"
#include "simulators/packet/packet_network.h"
#include "simulators/packet/packet_shadow.h"

#define NONE UINT32_MAX /* no packet, no buffer */

enum { LOOK_AHEAD = 12 }; /* how many events ahead a buffer, half of it: a packet, is asked for */
typedef struct packet {
    double born;
    uint32_t route; /* what is left of the destination's digits, as a fraction of 2^32 */
    uint32_t next;  /* behind it in the buffer, or in the list of free packets */
} packet;

typedef struct buffer {
    uint32_t head, tail; /* packets; meaningful if count > 0 */
    uint32_t count;
    uint32_t first_ahead; /* what lies behind output 0 of its switch */
    /* Senders that wait for a place here (contention none) or for the line that ends here. */
    uint32_t first_waiting, last_waiting;
    uint32_t next_waiting; /* in the list this buffer itself waits in */
    uint32_t kind;         /* index of its flow: 2 stage + on the tree */
} buffer;

typedef struct completion {
    double time;
    uint32_t buffer, ahead;
} completion;

enum { KINDS = 2 * (2 * FC_PACKET_STAGES_MAX + 1) };

/* What buffers of one kind saw: the instants, since measuring started, at which packets entered,
 * began service and left, added up. Differences of these sums are total times, at the cost of one
 * addition each. */
typedef struct flow {
    double enter_time, start_time, leave_time;
    uint64_t entered, started, left, blocked;
    uint64_t unused; /* a cache line each */
} flow;

/* Packets of one kind of buffer by what they do at an instant. */
typedef struct state_count {
    uint64_t waiting, serving, blocked;
    double completions; /* when those in service will be done, since measuring started, added up */
} state_count;

struct fc_packet_network {
    fc_packet_settings settings;
    double now, epoch;
    double next_arrival, mean_gap;
    uint32_t places; /* UINT32_MAX: unlimited */
    uint32_t stride; /* from what lies behind output k to what lies behind output k + 1 */
    /* The first N n buffers are switch inputs, stage by stage. Then come the memories, in the order
     * of shuffled addresses. They hold packets only if there is a way back, whose switch inputs are
     * next; then the sources, again in the order of shuffled addresses, hold none. */
    uint32_t first_end;    /* the first that holds none */
    uint32_t first_memory; /* that holds packets; first_end: there is no way back */
    buffer *buffers;
    packet *packets;
    uint32_t pool_size, pool_used, pool_free;
    completion *ring;
    uint64_t ring_first, ring_end, ring_mask;
    completion *reads; /* the same of memories */
    uint64_t reads_first, reads_end, reads_mask;
    uint32_t *line_holders; /* output contention: by the buffer the line ends in; NONE: free */
    uint8_t *holder_blocked;
    uint32_t *entries;     /* source -> buffer */
    uint32_t *memories;    /* shuffled address -> address */
    uint8_t *groups;       /* by shuffled address */
    uint32_t *sources;     /* of a packet, kept with a limit on outstanding ones or a way back */
    uint32_t *outstanding; /* of a source */
    fc_random arrivals, destinations;
    fc_shadow shadow;
    double ticks; /* of a cycle, for the shadow queues */
    uint64_t population, generated, discarded, finished;
    fc_histogram *latencies; /* of the advance under way, or NULL */
    fc_packet_counts counts; /* of the advance under way */
    flow flows[KINDS];
    state_count initial[KINDS]; /* when measuring started */
    uint64_t group_delivered[FC_PACKET_STAGES_MAX + 1];
    double group_latency[FC_PACKET_STAGES_MAX + 1];
    fc_packet_observer observer;
    void *observer_context;
};

#ifdef FC_CHECKS
void fc_packet_check(const fc_packet_network *network); /* I1 .. I6 */
#endif

#endif
