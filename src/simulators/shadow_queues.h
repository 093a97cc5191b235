/* Shadow queues: a control variate made of the waits that the same messages would have in queues
 * without blocking, of which the mean is known exactly.
 *
 * Every resource of a network (the injection of a node, a link, the ejection of a node) has a queue
 * that is served at one flit a cycle. A message adds its flits to every queue of its path, each
 * after the delay of an empty network; other messages never delay it on its path. So what arrives
 * at a queue in one cycle, X flits, is independent of what arrives in any other, and the mean work
 * in the queue is (E[X^2] - E[X]) / 2 (1 - E[X]).
 *
 * Messages that come out of the same buffer have already waited for each other there. So the work
 * that each stream (the messages from one buffer to one queue) would have alone is subtracted: what
 * is left is the waiting where streams merge.
 *
 * A message of S flits that finds w flits before it adds S w + S (S - 1) / 2 to the sum of the work
 * over all cycles, whatever comes later. So the sum is counted by arrivals alone.
 *
 * Each resource is a queue with a number; each stream is one, too. The plan has the paths and the
 * expectation; replications share it. */
#ifndef FC_SIMULATORS_SHADOW_QUEUES_H
#define FC_SIMULATORS_SHADOW_QUEUES_H

#include "base/free_list.h"
#include "base/status.h"

#define FC_NO_STREAM UINT32_MAX

typedef struct fc_shadow_visit {
    uint32_t queue;  /* resource */
    uint32_t stream; /* of that queue; FC_NO_STREAM: nothing is subtracted */
    uint32_t delay;  /* cycles after the message was generated */
    bool at_once;    /* set by the plan: see fc_shadow_message */
} fc_shadow_visit;

/* How messages are drawn. */
typedef struct fc_shadow_law {
    double trials;               /* of a sender in a cycle, each with one message or none: 1 for
                                    Bernoulli arrivals, infinite for Poisson arrivals */
    double flits, flits_squared; /* of a message: mean, and mean of the square */
} fc_shadow_law;

typedef struct fc_shadow_queue { /* while the plan is made */
    double share;                /* of the sender's messages that visit it */
    double rate, rate_squares;   /* messages per cycle: sums over the senders */
    uint32_t delay;              /* from the sender */
    uint32_t path;               /* the last that visits it, plus 1 */
    uint32_t streams;            /* into it; visits without one count as two */
    bool seen;                   /* the sender, or one before it, visits it */
    bool several_delays;         /* of different senders */
} fc_shadow_queue;

typedef struct fc_shadow_plan {
    uint32_t queues; /* resources and streams */
    uint32_t paths;
    uint32_t *first;        /* paths + 1: its visits */
    fc_shadow_visit *visit; /* of all paths, one path after the other */
    size_t visits, room, path_room;
    uint32_t longest; /* delay */
    bool calendar;    /* some visits are not counted at once */
    double expected;  /* added to the sum in a cycle */
    fc_shadow_queue *queue;
} fc_shadow_plan;

fc_status fc_shadow_plan_create(uint32_t queues, fc_error *error, fc_shadow_plan *plan);
void fc_shadow_plan_free(fc_shadow_plan *plan);
/* A path of the present sender, which this share of its messages takes; it is path number
 * plan->paths - 1. All paths of a sender meet a queue with the delay of the first of them that
 * visits it: else, arrivals in different cycles would not be independent. A second visit of a queue
 * is left out. */
fc_status fc_shadow_plan_path(fc_shadow_plan *plan, double share, const fc_shadow_visit *visits,
                              size_t count, fc_error *error);
/* The present sender has no more paths. rate: its messages per cycle. */
void fc_shadow_plan_sender(fc_shadow_plan *plan, double rate);
/* After the last sender. Queues that are nearly always busy, and settle slowly, are left out; so
 * are those of a single stream, whose work is subtracted completely. */
void fc_shadow_plan_finish(fc_shadow_plan *plan, const fc_shadow_law *law);

/* One replication. */
typedef struct fc_shadow {
    const fc_shadow_plan *plan;
    uint64_t *idle_from; /* queues: the first cycle in which it has no work, as far as is known */
    struct fc_shadow_arrival {
        uint32_t next, queue, stream, flits;
    } * arrival;
    fc_free_list free; /* of arrival */
    uint32_t *due;     /* mask + 1: the arrivals of a cycle, as a list */
    uint32_t mask;     /* longer than any delay */
    uint64_t now;      /* arrivals before this cycle have been counted */
    int64_t sum;       /* of the work, as far as it was counted */
} fc_shadow;

fc_status fc_shadow_create(const fc_shadow_plan *plan, fc_error *error, fc_shadow *shadow);
void fc_shadow_free(fc_shadow *shadow);
/* A message is generated in this cycle, not before those of earlier calls. Where all senders reach
 * a queue with the same delay, messages arrive in the order in which they are generated, and are
 * counted at once; elsewhere when their time comes. */
fc_status fc_shadow_message(fc_shadow *shadow, uint64_t cycle, uint32_t path, uint32_t flits,
                            fc_error *error);
/* The work counted from the last call to the end of cycle `until` - 1, so many cycles, minus its
 * expectation. */
double fc_shadow_surplus(fc_shadow *shadow, uint64_t until, double cycles);

#endif
