/* When the nodes of open traffic generate messages (traffic.injection), and what each is drawn
 * from.
 *
 * Everything about the k-th message of a node is a function of (seed, replication, node, k): it has
 * a stream of its own, whose first 64 bits give the gap to the next message. So what is sent
 * depends neither on how the network fares nor on what draws it: this engine, one with many
 * replications side by side, or a GPU. */
#ifndef FC_SIMULATORS_ARRIVALS_H
#define FC_SIMULATORS_ARRIVALS_H

#include "base/geometric.h"
#include "base/random.h"
#include "base/status.h"
#include "scenario/routed.h"
#include "simulators/calendar.h"

/* Poisson arrivals are drawn as a trial in each of 2^FC_POISSON_BITS parts of a cycle. */
enum { FC_POISSON_BITS = 20 };
#define FC_STREAM_NODES 0x80000000u
/* Beside a node's number in that of a stream: its class of messages, and which answer it is. */
enum { FC_STREAM_CLASS_BITS = 24, FC_STREAM_ANSWER_BITS = 27 };

/* The stream of a node's message number `count`, from 1; 0: only the gap to the first. */
static inline fc_random fc_message_stream(uint64_t seed, uint32_t replication, uint32_t node,
                                          uint32_t count) {
    fc_random random = fc_random_stream(seed, replication, FC_STREAM_NODES | node);
    random.counter.v[1] = count;
    return random;
}

static inline uint64_t fc_message_gap(fc_geometric law, fc_random *random) {
    const uint64_t low = fc_random_word(random);
    return fc_geometric_gap(law, low | (uint64_t)fc_random_word(random) << 32);
}

/* Lengths of messages: how often each is drawn. */
typedef struct fc_sorts {
    uint32_t count;                 /* 0 and 1: nothing is drawn */
    uint64_t below[FC_LENGTHS_MAX]; /* a word below this is this sort, or one before it */
} fc_sorts;

fc_sorts fc_sorts_of(const fc_lengths *lengths);

static inline uint32_t fc_sorts_draw(const fc_sorts *sorts, fc_random *random) {
    const uint32_t word = sorts->count > 1 ? fc_random_word(random) : 0;
    uint32_t sort = 0;
    while (sort + 1 < sorts->count && word >= sorts->below[sort])
        ++sort;
    return sort;
}

/* Bursts: what a sender does next. */
typedef struct fc_burst {
    fc_random random;
    uint64_t due;  /* cycle of its next message or, if silent, of the next look for one */
    uint64_t left; /* cycles of the burst after that one */
    double peak;   /* messages per cycle of a burst */
    bool silent;
} fc_burst;

typedef struct fc_sender {
    uint64_t due;   /* trial of its next message */
    uint32_t count; /* messages generated */
} fc_sender;

typedef struct fc_arrivals {
    uint64_t seed;
    uint32_t replication;
    uint32_t class;        /* in the numbers of streams: above those of nodes */
    uint32_t trial_bits;   /* trials in a cycle: a power of two */
    const uint32_t *nodes; /* senders: the node of each */
    uint32_t senders;
    double on, off;    /* bursts: mean cycles */
    fc_burst *burst;   /* senders; NULL: not in bursts */
    fc_sender *sender; /* senders */
    fc_geometric *law; /* of the gaps: one, or one for each sender */
    bool own_laws;
    const fc_profile *profile; /* NULL: rates stay */
    double *rate;              /* with it: of each sender */
    fc_calendar calendar;
    uint64_t next; /* no message before this cycle */
    uint64_t *due; /* a bit for each sender with a message in this cycle */
    uint32_t word; /* the words of `due` before this one are 0 */
} fc_arrivals;

/* What the nodes generate of one class of messages. */
typedef struct fc_arrival_law {
    fc_injection injection;
    double rate;           /* messages per node per cycle */
    const double *weights; /* of the rates, by node; NULL: all 1 */
    uint32_t class;        /* each has streams of its own */
    const fc_profile *profile;
} fc_arrival_law;

/* Of a class whose messages are this share of all, to these destinations. */
static inline fc_arrival_law fc_arrival_law_of(const fc_routed *routed, double share,
                                               const fc_destinations *destinations,
                                               uint32_t class) {
    return (fc_arrival_law){.injection = routed->injection,
                            .rate = routed->rate * share,
                            .weights = destinations ? destinations->weights : NULL,
                            .class = class,
                            .profile = routed->profile};
}

/* nodes: those that send. They and the weights must outlive it. */
fc_status fc_arrivals_start(const fc_arrival_law *law, const uint32_t *nodes, uint32_t senders,
                            fc_random_key key, fc_error *error, fc_arrivals *arrivals);
void fc_arrivals_free(fc_arrivals *arrivals);

/* The first cycle in which a message may be due; UINT64_MAX: none. */
static inline uint64_t fc_arrivals_next(const fc_arrivals *arrivals) {
    return arrivals->next;
}
/* A node with a message in this cycle (each call the next one, by their numbers), with the stream
 * of that message; UINT32_MAX when there is none left. */
uint32_t fc_arrivals_take(fc_arrivals *arrivals, uint64_t now, fc_random *message);

#endif
