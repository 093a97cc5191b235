/* The state of one replication of the slotted-ring simulator, shared by its three files: the layout
 * (ring_layout.c), the cycle (slotted_rings.c), and what is reported (ring_report.c). */
#ifndef FC_SIMULATORS_SLOT_SLOTTED_RINGS_H
#define FC_SIMULATORS_SLOT_SLOTTED_RINGS_H

#include "base/free_list.h"
#include "base/random.h"
#include "registry/method.h"
#include "scenario/rings.h"

enum { FC_RING_LEVELS = 3, FC_RING_STAGES = 5 };
#define FC_NO_PACKET UINT32_MAX

/* Every node has one queue, named by the ring it feeds and where its packets come from. */
typedef enum fc_ring_queue {
    FC_QUEUE_STATION,     /* source station into its local ring */
    FC_QUEUE_UP_MIDDLE,   /* local ring into the middle ring */
    FC_QUEUE_UP_GLOBAL,   /* ring below into the global ring */
    FC_QUEUE_DOWN_MIDDLE, /* global ring into a middle ring */
    FC_QUEUE_DOWN_LOCAL,  /* ring above into a local ring */
    FC_QUEUE_KINDS
} fc_ring_queue;

typedef enum fc_ring_level { FC_LEVEL_LOCAL, FC_LEVEL_MIDDLE, FC_LEVEL_GLOBAL } fc_ring_level;

typedef struct fc_ring_packet {
    uint64_t born;   /* cycle of generation */
    uint64_t joined; /* cycle at which it joined the queue it is in or was last in */
    uint32_t next;   /* in its queue, in a bucket of the wheel, or in the list of free packets */
    uint32_t exits[FC_RING_STAGES]; /* position at which it leaves each ring of its path */
    uint32_t node;                  /* on a ring: the node at which it leaves */
    uint32_t stage;                 /* index into exits of the ring it is on or waits for */
    uint32_t station_wait, up_wait, down_wait; /* cycles so far */
} fc_ring_packet;

typedef struct fc_ring {
    uint32_t links;      /* nodes = links = slots */
    uint32_t first_node; /* position 0 */
    uint32_t level;      /* fc_ring_level */
    uint32_t words;      /* of the waiting bits */
    size_t slots;        /* index of its first word in slot_bits */
    size_t waiting;      /* index of its first word in waiting_bits */
} fc_ring;

typedef struct fc_ring_node {
    uint32_t ring, position;
    uint32_t queue; /* fc_ring_queue */
    uint32_t twin;  /* crossing: the node on the other ring, whose queue a leaving packet joins */
    uint32_t head, tail;
} fc_ring_node;

/* Integer sums since the start, so that no order of addition matters. */
typedef struct fc_ring_counters {
    uint64_t cycles, generated, delivered, latency;
    uint64_t station_wait, up_wait, down_wait;             /* of the delivered */
    uint64_t sent[FC_QUEUE_KINDS], waited[FC_QUEUE_KINDS]; /* packets, cycles */
    uint64_t occupied[FC_RING_LEVELS];                     /* full slots summed over cycles */
    uint64_t present; /* packets anywhere, summed over cycles */
} fc_ring_counters;

/* Links that the delivered packets travelled: a cycle each, and one more at the station. */
static inline uint64_t fc_ring_travel(const fc_ring_counters *counters) {
    return counters->latency - counters->station_wait - counters->up_wait - counters->down_wait -
           counters->delivered;
}

typedef struct fc_slotted_rings {
    uint32_t levels, local, middle, global;
    uint32_t stations, ring_count, node_count;
    double share_local, share_local_middle; /* P_L, P_L + P_M */
    double gap;                             /* mean cycles between arrivals anywhere */
    double mean_travel;                     /* expected links on the path of a packet */
    uint64_t links[FC_RING_LEVELS];         /* of all rings of a level */
    uint32_t ring_links[FC_RING_LEVELS];    /* of one ring of a level; 0: no such level */

    fc_ring *rings; /* local rings, then middle rings, then the global ring */
    fc_ring_node *nodes;
    uint32_t *station_nodes;
    uint64_t *slot_bits;    /* per ring: the full slots, twice in a row */
    uint64_t *waiting_bits; /* per ring: the positions whose queue is not empty */
    uint64_t *active_bits;  /* the rings with a waiting position */
    uint32_t active_words;
    uint32_t *wheel; /* the packets that leave their ring in cycle t, at t & wheel_mask */
    uint32_t wheel_mask;
    fc_ring_packet *packets;
    fc_free_list free; /* packets */

    uint64_t now;
    uint32_t turn[FC_RING_LEVELS]; /* slot in front of position 0 of each ring of a level */
    uint64_t on_rings[FC_RING_LEVELS];
    uint64_t in_queues;
    double next_arrival;
    fc_random arrivals, destinations;
    fc_ring_counters all;   /* since the start */
    fc_ring_counters start; /* as they were when measuring started */
} fc_slotted_rings;

/* common: nothing is shared. */
fc_status fc_slotted_rings_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                                  uint32_t replication, fc_error *error, void **state);
void fc_slotted_rings_release(void *state);
/* More room for packets; FC_ERROR_MEMORY leaves the state as it was. */
fc_status fc_slotted_rings_grow(fc_slotted_rings *rings, fc_error *error);

fc_status fc_slotted_rings_advance(void *state, uint64_t cycles, fc_sample *sample,
                                   fc_error *error);

#endif
