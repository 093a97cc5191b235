/* Scouting written as plainly as its rules (simulators/flit/scouting.c): every flit is an object,
 * every cycle looks at every virtual channel, nothing is remembered that can be found by looking.
 * Draws from the same random streams in the same order. */
#ifndef SCOUTING_REFERENCE_H
#define SCOUTING_REFERENCE_H

#include <stdbool.h>
#include "base/histogram.h"
#include "base/random.h"
#include "network/destinations.h"

enum { REFERENCE_PATH_MAX = 64, REFERENCE_FLITS_MAX = 64 };

struct reference_message;

typedef struct reference_flit {
    struct reference_message *message;
    int index; /* 0: the first data flit */
    uint64_t arrived;
} reference_flit;

typedef struct reference_vc {
    struct reference_message *owner;
    reference_flit *buffer;
    bool probe; /* the owner's header has yet to cross */
} reference_vc;

typedef struct reference_channel {
    int count; /* virtual channels; 0: faulty */
    int last;
    uint64_t sent; /* 1 + the cycle in which it last sent */
    reference_vc *vcs;
    uint32_t target;
} reference_channel;

typedef struct reference_message {
    struct reference_message *next; /* in a queue, or in the list of those under way */
    uint32_t source, destination, rising;
    uint64_t arrival, granted;
    bool was_granted;
    reference_flit flits[REFERENCE_FLITS_MAX];
    int injected;                                /* flits that left the source */
    reference_channel *path[REFERENCE_PATH_MAX]; /* 0: injection; header + 1: ejection */
    int path_vc[REFERENCE_PATH_MAX];
    int tail; /* first place of the path it still holds */
    uint64_t reach[REFERENCE_PATH_MAX];
    uint32_t marks[REFERENCE_PATH_MAX];
    int header;
    uint32_t node; /* of the header */
    bool crossing, accepted, left;
    uint64_t accepted_at;
    uint32_t backtracks, restarts;
} reference_message;

typedef struct reference {
    const fc_torus *torus;
    fc_geometry *geometry;
    fc_traffic *traffic;
    uint32_t channels; /* ejection, network, injection */
    reference_channel *channel;
    reference_message **queues;   /* first of each node */
    reference_message *under_way; /* granted, older first; left ones are unlinked */
    fc_random arrivals, destinations, ties, choices;
    double next_arrival;
    uint64_t now, generated, delivered, flit_hops, backtracks, restarts;
    double latency;
    fc_histogram latencies;
} reference;

reference *reference_create(const fc_torus *torus, uint64_t seed, uint32_t replication);
void reference_free(reference *network);
void reference_cycle(reference *network);

#endif
