/* What a simulation has observed: batches of every observable over equal stretches of time, and the
 * course of the backlog, for all replications. Memory is fixed when it is created: when the
 * batches get many, pairs are merged and the stretch doubles.
 *
 * Also the two judgements that need no more than that: has the series settled, and does the
 * backlog grow without end. */
#ifndef FC_SIMULATORS_OBSERVATIONS_H
#define FC_SIMULATORS_OBSERVATIONS_H

#include "base/statistics.h"
#include "registry/method.h"

/* Batches are merged when there are twice FC_BATCHES_KEPT. */
enum { FC_BATCHES_KEPT = 256, FC_BATCHES_MOST = 2 * FC_BATCHES_KEPT };

typedef struct fc_observations {
    const fc_observable *list; /* what is observed */
    size_t replications, observables;
    uint64_t length;        /* cycles of a batch */
    size_t count;           /* complete batches, the same for every replication */
    size_t points;          /* of the backlog's course, one per batch, warm-up included */
    double *sums, *weights; /* observable x replication x FC_BATCHES_MOST */
    double *backlog;        /* replication x 2 FC_BATCHES_MOST */
    double *arrived;        /* the same, cumulative */
    double *scratch;        /* 2 x replication x FC_BATCHES_MOST */
} fc_observations;

/* list: as in fc_simulator. Observables are numbered by their place in it. */
fc_status fc_observations_create(size_t replications, const fc_observable *list, uint64_t length,
                                 fc_error *error, fc_observations *observations);
void fc_observations_free(fc_observations *observations);

/* Stores what a replication saw in batch `count + ahead` (0, 1, ... within a round). Different
 * replications may store at the same time. */
void fc_observations_store(fc_observations *observations, size_t replication, size_t ahead,
                           const fc_sample *sample);
/* A round is over: every replication has stored this many batches more. */
void fc_observations_advance(fc_observations *observations, size_t batches);
/* Merges pairs if there are FC_BATCHES_MOST. */
void fc_observations_tidy(fc_observations *observations);
/* Forgets the batches and keeps the course of the backlog. */
void fc_observations_discard(fc_observations *observations);

fc_interval fc_observations_interval(const fc_observations *observations, size_t observable);

/* True if MSER-5 on the observable, averaged over the replications, finds the end of the transient
 * in the first quarter of the batches. */
bool fc_observations_settled(const fc_observations *observations, size_t observable);

typedef struct fc_growth {
    double share;      /* of the arrivals of the later half of the run that stayed */
    double deviations; /* the share over its standard error */
    double steadiness; /* how many standard errors it is above what a settling queue shows */
} fc_growth;

/* How the backlog grew over the later half of the run; all 0 if there were no arrivals (closed) or
 * too little was run to tell. */
fc_growth fc_observations_growth(const fc_observations *observations);
/* A backlog that grows without end: clearly, steadily and by a share that matters. */
bool fc_growth_endless(const fc_growth *growth);

#endif
