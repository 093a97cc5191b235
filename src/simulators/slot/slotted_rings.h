/* The state of one replication of the slotted-ring simulator, shared by its files: the layout
 * (ring_layout.c), the cycle (slotted_rings.c), closed traffic (ring_closed.c), and what is
 * reported (ring_report.c). */
#ifndef FC_SIMULATORS_SLOT_SLOTTED_RINGS_H
#define FC_SIMULATORS_SLOT_SLOTTED_RINGS_H

#include "base/free_list.h"
#include "base/random.h"
#include "registry/method.h"
#include "scenario/rings.h"

#define FC_NO_PACKET UINT32_MAX

/* Every node has one queue. Its kind says which ring it feeds and where its packets come from, in
 * the order of a packet's way: 0 from the station into its local ring, l up into a ring of level l,
 * then down into those of level l = levels - 2 to 0. */
enum { FC_QUEUE_STATION = 0, FC_QUEUE_KINDS = 2 * FC_RING_LEVELS - 1 };
static inline uint32_t fc_ring_queue_up(uint32_t level) {
    return level;
}
static inline uint32_t fc_ring_queue_down(uint32_t levels, uint32_t level) {
    return 2 * (levels - 1) - level;
}

enum { FC_AT_STATION, FC_GOING_UP, FC_GOING_DOWN, FC_WAITS };

typedef struct fc_ring_packet {
    uint64_t born;   /* cycle of generation */
    uint64_t joined; /* cycle at which it joined the queue it is in or was last in */
    uint32_t next;   /* in its queue, in a bucket of the wheel, or in the list of free packets */
    uint32_t destination;     /* station */
    uint32_t node;            /* on a ring: the node at which it leaves */
    uint16_t lane;            /* on a ring: which of the slots of a link it is in */
    uint16_t turn;            /* level of the highest ring on its path */
    uint32_t waits[FC_WAITS]; /* cycles so far */
    uint32_t message;         /* closed traffic: which of a request's packets (ring_closed.h) */
} fc_ring_packet;

typedef struct fc_ring {
    uint32_t links;      /* nodes = links = slots of a lane */
    uint32_t first_node; /* position 0 */
    uint16_t level;
    uint16_t lanes;             /* slots side by side on a link */
    uint32_t words;             /* of the waiting bits */
    const uint32_t *turn;       /* the slot in front of position 0 */
    size_t slots;               /* index of its first word in slot_bits ... */
    size_t lane_words;          /* ... and words from one lane to the next */
    size_t waiting;             /* index of its first word in waiting_bits */
    uint32_t station, stations; /* the first one on or below it, and how many */
} fc_ring;

typedef struct fc_ring_node {
    uint32_t ring, position;
    uint32_t queue; /* its kind */
    uint32_t twin;  /* crossing: the node on the other ring, whose queue a leaving packet joins */
    uint32_t head, tail;
    uint32_t held; /* crossing, where packets leave in order: those in its queue or about to join */
} fc_ring_node;

/* Rings of the same length turn together: the slot in front of their position 0. */
typedef struct fc_ring_turn {
    uint32_t links, slot;
} fc_ring_turn;

/* Integer sums since the start, so that no order of addition matters. */
typedef struct fc_ring_counters {
    uint64_t cycles, generated, delivered, latency;
    uint64_t station_wait, up_wait, down_wait;             /* of the delivered */
    uint64_t hot_delivered, hot_latency;                   /* of those for the hot station */
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
    uint32_t levels;
    uint32_t sizes[FC_RING_LEVELS]; /* on a ring of each level; 0: they are unequal */
    uint32_t below[FC_RING_LEVELS]; /* stations of each of them */
    uint32_t stations, ring_count, node_count;
    bool alike;                          /* all rings of a level, and no station is hot */
    bool uniform;                        /* to all stations alike, and rings of a level differ */
    double shares_up_to[FC_RING_LEVELS]; /* of the packets: to stations this near, summed */
    double hot_share;                    /* of the others' packets, to the hot station */
    uint32_t hot;
    uint32_t room;                  /* of a crossing's queue; 0: no limit */
    bool in_order;                  /* packets leave rings lane by lane, and may be turned away */
    double gap;                     /* mean cycles between arrivals anywhere */
    double mean_travel;             /* expected links on the path of a packet */
    uint64_t slots[FC_RING_LEVELS]; /* of all rings of a level */

    fc_ring *rings; /* level by level, from the local rings up */
    fc_ring_node *nodes;
    uint32_t *station_nodes;
    uint32_t *places; /* of each station, levels in a row: where its part of a ring is on it */
    fc_ring_turn *turns;
    uint32_t turn_count;
    uint32_t lanes;         /* most of any ring */
    uint64_t *slot_bits;    /* per ring and lane: the full slots, twice in a row */
    uint64_t *waiting_bits; /* per ring: the positions whose queue is not empty */
    uint64_t *active_bits;  /* the rings with a waiting position */
    uint32_t active_words;
    uint32_t *wheel; /* the packets that leave their ring in cycle t, at t & wheel_mask */
    uint32_t wheel_mask;
    fc_ring_packet *packets;
    fc_free_list free; /* packets */

    uint64_t now;
    uint64_t on_rings[FC_RING_LEVELS];
    uint64_t in_queues;
    double next_arrival;
    fc_random arrivals, destinations;
    struct fc_ring_closed *closed; /* ring_closed.h; NULL: open traffic */
    fc_ring_counters all;          /* since the start */
    fc_ring_counters start;        /* as they were when measuring started */
} fc_slotted_rings;

/* common: nothing is shared. */
fc_status fc_slotted_rings_create(const fc_scenario *scenario, const void *common, uint64_t seed,
                                  uint32_t replication, fc_error *error, void **state);
void fc_slotted_rings_release(void *state);
/* More room for packets; FC_ERROR_MEMORY leaves the state as it was. */
fc_status fc_slotted_rings_grow(fc_slotted_rings *rings, fc_error *error);

/* A new packet of a station, with its path not drawn. FC_NONE: no memory. */
uint32_t fc_slotted_rings_packet(fc_slotted_rings *rings, fc_error *error);
/* Draws destination and turn. */
void fc_slotted_rings_draw(fc_slotted_rings *rings, uint32_t station, fc_ring_packet *packet);
/* The packet joins its station's queue. */
void fc_slotted_rings_send(fc_slotted_rings *rings, uint32_t station, uint32_t packet);

fc_status fc_slotted_rings_advance(void *state, uint64_t cycles, fc_sample *sample,
                                   fc_error *error);

#endif
