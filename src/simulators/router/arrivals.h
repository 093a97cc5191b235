/* When the nodes of open traffic generate messages (traffic.injection): Poisson, Bernoulli, or
 * bursts. Drawn from streams of their own, so that they do not depend on how the network fares. */
#ifndef FC_SIMULATORS_ROUTER_ARRIVALS_H
#define FC_SIMULATORS_ROUTER_ARRIVALS_H

#include "base/random.h"
#include "base/status.h"
#include "scenario/routed.h"

/* Bursts: what a sender does next. */
typedef struct fc_burst {
    fc_random random;
    uint64_t due;  /* cycle of its next message or, if silent, of the next look for one */
    uint64_t left; /* cycles of the burst after that one */
    uint32_t next; /* in the list of those due in the same slot of the calendar */
    bool silent;
} fc_burst;

typedef struct fc_arrivals {
    fc_process process;
    uint32_t senders;
    double rate; /* messages per sender per cycle */
    fc_random gaps;
    double next;          /* Poisson: time of the next message of any sender */
    uint64_t time;        /* Bernoulli: cycle and sender of the next message */
    uint32_t sender;      /* the same */
    double mean_gap;      /* trials between them, as if they were continuous */
    double on, off, peak; /* bursts: mean cycles; messages per cycle of a burst */
    fc_burst *burst;      /* senders */
    uint32_t *calendar;   /* first sender of each slot */
} fc_arrivals;

/* senders and rate are set by the caller. */
fc_status fc_arrivals_start(const fc_injection *injection, uint64_t seed, uint32_t replication,
                            fc_error *error, fc_arrivals *arrivals);
void fc_arrivals_free(fc_arrivals *arrivals);

/* The first cycle, not before `now`, in which a message may be due; UINT64_MAX: none. */
uint64_t fc_arrivals_next(const fc_arrivals *arrivals, uint64_t now);
/* A sender with a message in this cycle (each call the next one), or UINT32_MAX when there is none
 * left. Poisson: draws the sender from `random`. */
uint32_t fc_arrivals_take(fc_arrivals *arrivals, uint64_t now, fc_random *random);

#endif
