/* A queue fed by several servers, and the queue of a source that loses packets when it is full.
 * Both are Markov chains of the number of packets that a departure leaves behind. Of the arrivals
 * only the first two factorial moments are needed.
 *
 * The arrivals in one service time have mean `load` and second factorial moment
 * dispersion * load^2: 1 is Poisson, below 1 binomial (1 - 1/a: a servers of the same pace merge),
 * above 1 negative binomial (Poisson arrivals, variable service: 1 + its squared coefficient of
 * variation). With infinitely many places the mean number waiting is
 * dispersion * load^2 / (2 (1 - load)). */
#ifndef FC_QUEUEING_MERGED_QUEUE_H
#define FC_QUEUEING_MERGED_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fc_merge_room fc_merge_room;
/* places_max: the largest number waiting; senders_max: the largest number of senders; limited: for
 * a source with a limit too. NULL: out of memory. */
fc_merge_room *fc_merge_room_create(size_t places_max, size_t senders_max, bool limited);
void fc_merge_room_free(fc_merge_room *room); /* accepts NULL */

/* A buffer with L waiting places and one in service, fed by servers that keep the packet they
 * cannot hand over (blocking after service). */
typedef struct fc_merged_queue {
    double waiting;       /* mean number waiting, blocked senders' packets included */
    double blocked;       /* mean number of blocked senders */
    double blocked_share; /* of arrivals that find no place */
} fc_merged_queue;

typedef struct fc_merging {
    size_t places, senders;
    size_t beyond; /* packets for this buffer that may wait behind the blocked ones, in the queues
                      of the senders; at most 2 (places + senders) */
    double dispersion;
    double slowdown; /* 1: a blocked sender sends nothing (then beyond must be 0); 0: the arrival
                        rate stays the same while senders are blocked */
} fc_merging;

/* The queue whose throughput is `carried` (< 1); the load offered is found from it. */
void fc_merged_queue_carry(fc_merge_room *room, double carried, const fc_merging *merging,
                           fc_merged_queue *queue);

/* A source and its queue of L waiting places and one in service, from which arrivals are lost when
 * it is full. The source generates only while fewer than `limit` of its packets are under way, in
 * the queue or beyond it. */
typedef struct fc_source {
    size_t places, limit; /* limit 0: none */
    double elsewhere;     /* rate * mean time of a packet beyond the queue */
    double dispersion;
} fc_source;

typedef struct fc_source_queue {
    double active;  /* share of time in which the source may generate */
    double barred;  /* 1 - active, computed without cancellation */
    double lost;    /* share of the generated packets that find the queue full */
    double waiting; /* mean number waiting */
} fc_source_queue;

enum { FC_SOURCE_QUEUE_MAX = 512 }; /* most that min(places + 1, limit) may be with a limit */

void fc_source_queue_solve(fc_merge_room *room, double load, const fc_source *source,
                           fc_source_queue *queue);

#endif
