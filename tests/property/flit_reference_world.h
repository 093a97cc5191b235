/* The state of the plain flit simulator, shared by its network and its traffic. */
#ifndef FLIT_REFERENCE_WORLD_H
#define FLIT_REFERENCE_WORLD_H

#include <stdbool.h>
#include "base/random.h"
#include "network/destinations.h"
#include "property/flit_reference.h"

enum { AT_SOURCE = -1, DELIVERED = -2, WAY_MAX = 64 };

typedef struct channel channel;
typedef struct message message;
typedef struct request request;
typedef struct link link;

typedef struct flit {
    message *message;
    uint32_t number; /* 0: the header */
    int position;    /* index into the message's way */
} flit;

struct message {
    uint64_t number, born, asked;
    uint32_t source, destination, rising, flits;
    flit *flit;
    channel *way[WAY_MAX]; /* channels granted so far */
    int way_length;
    uint32_t sent; /* flits that have left the source */
    bool has_asked;
    int customer;
    message *next;    /* in the queue of its source */
    message *earlier; /* in the list of all */
};

struct channel {
    link *of;
    uint32_t index, rank, place;
    uint64_t capacity;
    flit **buffer; /* front first */
    uint64_t count, room;
    message *entering; /* granted and not wholly entered */
    uint32_t entered;  /* its flits that have */
    bool has_asked;    /* the header at the front has */
    uint64_t asked;
};

typedef enum link_kind { INTO_NODE, NETWORK, OUT_OF_NODE } link_kind;

struct link {
    link_kind kind;
    uint32_t node, dimension;
    bool rising;
    channel *channels;
    uint32_t count;
    uint32_t turn;  /* the channel that is asked first */
    bool used;      /* in this cycle */
    message *first; /* out of a node, buffers at the sending end: queue, the head holds the link */
    message *last;
};

typedef struct customer {
    uint32_t owner, memory, type, request_rising, reply_rising;
    uint64_t sequence, reply_due;
    uint64_t service_end; /* where each has a processor of its own */
} customer;

/* A first-come-first-served list of customers. */
typedef struct line {
    int *who;
    size_t count, room;
} line;

typedef struct place {
    fc_random random;
    uint64_t sequence, service_end, memory_busy_until;
    uint64_t stolen; /* of the service going on, by messages that arrived */
    line processor, memory, accesses;
    uint32_t turn;
    message *first, *last; /* open: source queue */
} place;

typedef struct world {
    const fc_torus *torus;
    fc_geometry *geometry;
    fc_traffic *traffic;
    bool sending;
    uint64_t time;
    link *links; /* in the order in which they are looked at */
    uint32_t link_count, network_first, out_first;
    uint32_t outs_per_node;
    place *places;
    customer *customers;
    int customer_count;
    flit **moved; /* arrive at the end of the cycle */
    uint32_t moved_count;
    message *latest; /* list of all messages */
    link **network;  /* by channel number */
    request *requests;
    uint64_t made, hops;
    fc_random gaps, draws;
    double next_arrival;
    reference_observer observer;
    void *context;
    uint64_t *busy;
} world;

/* ---- flit_reference.c ---- */

message *reference_new_message(world *w, uint32_t source, uint32_t destination, uint32_t flits);
/* The link a message wants at a node; may: the channels its rule assigns, shared: those free to
 * all. */
link *reference_route(world *w, const message *m, uint32_t node, uint64_t *may, uint64_t *shared);
/* A channel of the link that may be granted now, or NULL. */
channel *reference_choose(const world *w, link *l, uint64_t may, uint64_t shared);
void reference_grant(message *m, channel *c);

/* ---- flit_reference_traffic.c ---- */

void reference_start_traffic(world *w, uint64_t seed);
/* What is due at the start of a cycle. */
void reference_begin_open(world *w);
void reference_begin_closed(world *w);
void reference_tail_arrived(world *w, message *m);

#endif
