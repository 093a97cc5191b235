/* A workload while it runs: what each node has to send, and what becomes due when something is
 * delivered. It knows no network: the simulator delivers packets, the estimate messages as a whole.
 *
 *   fc_work_next      the cycle in which something becomes due
 *   fc_work_advance   ... up to a cycle; nodes that have something to send are returned one by one
 *   fc_work_take      the next packet or message of a node
 *   fc_work_delivered it has arrived
 *
 * A node sends in the order in which things became due. Ranks go from phase to phase on their own;
 * barriers and files are where all wait for all. */
#ifndef FC_WORKLOADS_WORK_H
#define FC_WORKLOADS_WORK_H

#include "base/random.h"
#include "workloads/placing.h"
#include "base/status.h"
#include "scenario/routed.h"
#include "workloads/message_chain.h"
#include "workloads/phase_plan.h"

typedef struct fc_work fc_work;

typedef struct fc_work_item {     /* some packets of a message */
    uint32_t source, destination; /* nodes */
    uint32_t tag;                 /* to give back to fc_work_delivered */
    uint32_t chained;             /* its record of the chains; to give back too */
    uint32_t phase;               /* number in the workload's list */
    uint64_t flits;
    uint64_t packets;
    uint64_t due; /* cycle in which it could have been sent */
} fc_work_item;

typedef struct fc_phase_time {
    uint64_t begun, ended; /* by the first rank, by the last; of all passes */
    double rank_cycles;    /* sum over ranks of the cycles they spent in it */
    double passes;         /* so many ranks have gone through it */
    uint32_t ranks;        /* of its job, or all */
    double skipped;        /* passes of every rank that were not run */
} fc_phase_time;

/* That a rank spent in it, on average. */
static inline double fc_phase_cycles(const fc_phase_time *time) {
    const double run = time->passes / (double)time->ranks;
    return time->rank_cycles / (double)time->ranks *
           (time->skipped > 0 ? (run + time->skipped) / run : 1);
}

/* piece: packets of an item at most; 0: whole messages, as if each had its rank and its processor
 * to itself: what is due then is due no later, in whatever order they are delivered, and so the end
 * is a bound. Messages of a trace are whole anyway. workload and what it holds must outlive the
 * work. */
fc_status fc_work_create(const fc_workload *workload, fc_places places, uint64_t piece,
                         fc_random_key key, fc_error *error, fc_work **work);
void fc_work_free(fc_work *work);

/* Passes that were not run. error: that of the cycles, as the passes before differed. */
typedef struct fc_skipped {
    double passes, error;
    uint64_t cycles;
} fc_skipped;

/* From now on passes of a repetition that take equally long are skipped, unless traffic.repeats
 * says otherwise; not where there are several jobs. fc_work_ended does not count them; times of
 * phases and ranks do. */
void fc_work_skip_repeats(fc_work *work);
fc_skipped fc_work_skipped(const fc_work *work);

/* UINT64_MAX: nothing is due before something is delivered. */
uint64_t fc_work_next(const fc_work *work);
/* Fails if there is no memory, or if a file that is read while it runs has changed. */
fc_status fc_work_advance(fc_work *work, uint64_t time, fc_error *error);
/* A node that has got something to send, each once; of a trace once for each message, in the order
 * in which they became due. UINT32_MAX: no more. */
uint32_t fc_work_waking(fc_work *work);
/* False if the node has nothing to send. */
bool fc_work_take(fc_work *work, uint32_t node, fc_work_item *item);
bool fc_work_has(const fc_work *work, uint32_t node);
/* Of the item: destination, tag, packets and chained. */
void fc_work_delivered(fc_work *work, const fc_work_item *item, uint64_t time);

/* Of all passes of all phases. */
double fc_work_messages(const fc_work *work);
double fc_work_packets(const fc_work *work);

bool fc_work_done(const fc_work *work);
double fc_work_share(const fc_work *work); /* of the packets, delivered */
uint64_t fc_work_ended(const fc_work *work);
uint64_t fc_work_job_ended(const fc_work *work, size_t job); /* of traffic.jobs */
/* "3 all-reduce"; with several jobs "2.3 all-reduce", the third of the second job. */
void fc_work_phase_label(const fc_workload *workload, size_t phase, size_t size, char *label);
const fc_phase_time *fc_work_phase(const fc_work *work, size_t phase);
uint64_t fc_work_finished(const fc_work *work,
                          uint32_t node); /* cycle of its rank's end; 0: none */
/* Of finished work: the messages whose last arrivals led to its end, the first one first; to be
 * released with fc_release. *count 0: chains were not followed. */
fc_status fc_work_chain(const fc_work *work, fc_error *error, fc_chained **list, size_t *count);
size_t fc_work_late(const fc_work *work); /* messages of a file that were read too late */
/* The node of a rank. */
uint32_t fc_work_node(const fc_work *work, uint32_t rank);
/* Whether anything in it is drawn. */
bool fc_workload_draws(const fc_workload *workload);

#endif
