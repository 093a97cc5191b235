/* What a simulation has observed: batches of every observable over equal stretches of time, and the
 * course of the backlog and of the population of every station, for all replications. Memory is
 * fixed when it is created: when the batches get many, pairs are merged and the stretch doubles.
 *
 * Also the judgements that need no more than that: has a series settled, does a population drift,
 * does Little's law hold, does the backlog grow without end. */
#ifndef FC_SIMULATORS_OBSERVATIONS_H
#define FC_SIMULATORS_OBSERVATIONS_H

#include "base/statistics.h"
#include "registry/method.h"

/* Batches are merged when there are twice FC_BATCHES_KEPT. */
enum { FC_BATCHES_KEPT = 256, FC_BATCHES_MOST = 2 * FC_BATCHES_KEPT };

typedef struct fc_observations {
    const fc_observable *list; /* what is observed */
    size_t replications, observables, stations, controls;
    uint64_t length; /* cycles of a batch */
    size_t count;    /* complete batches, the same for every replication */
    size_t points;   /* of each course, one per batch, warm-up included */
    /* (observable or station) x replication x FC_BATCHES_MOST; of a station the stays of what left
     * it and how many did */
    double *sums, *weights;
    double *control; /* control x replication x FC_BATCHES_MOST */
    double *courses; /* (arrivals so far, backlog, population of each station) x replication x
                        2 FC_BATCHES_MOST */
    double *scratch; /* (2 + FC_CONTROLS_MOST) x replication x FC_BATCHES_MOST */
    bool dropped[FC_CONTROLS_MOST]; /* controls not used any more */
} fc_observations;

/* list, stations and controls: as in fc_simulator. They are numbered by their place. */
fc_status fc_observations_create(size_t replications, const fc_observable *list,
                                 const char *const *stations, const char *const *controls,
                                 uint64_t length, fc_error *error, fc_observations *observations);
void fc_observations_free(fc_observations *observations);

/* Stores what a replication saw in batch `count + ahead` (0, 1, ... within a round). Different
 * replications may store at the same time. */
void fc_observations_store(fc_observations *observations, size_t replication, size_t ahead,
                           const fc_sample *sample);
/* A round is over: every replication has stored this many batches more. */
void fc_observations_advance(fc_observations *observations, size_t batches);
/* Merges pairs if there are FC_BATCHES_MOST. */
void fc_observations_tidy(fc_observations *observations);
/* Forgets the batches and keeps the courses. */
void fc_observations_discard(fc_observations *observations);

fc_interval fc_observations_interval(const fc_observations *observations, size_t observable);
/* With the control variates used up to now; fit: as in fc_controlled_interval. */
fc_interval fc_observations_controlled(const fc_observations *observations, size_t observable,
                                       size_t fit);
/* A control variate that is further from 0 than chance explains has another expectation than was
 * thought: it is not used any more. Returns its name; NULL if there is none. */
const char *fc_observations_drop_control(fc_observations *observations,
                                         const char *const *controls);

/* True if MSER-5 on the observable, averaged over the replications, finds the end of the transient
 * in the first quarter of the batches. Groups of batches without any observation are part of it. */
bool fc_observations_settled(const fc_observations *observations, size_t observable);

/* Of the population of a station, sampled at the end of every batch. */
fc_interval fc_observations_population(const fc_observations *observations, size_t station);
/* Messages that have left a station, all replications: how much was seen. Of the stations in use
 * the one that was left least; infinity if there is none. */
double fc_observations_left(const fc_observations *observations);

/* Messages that arrived from outside so far, warm-up included. */
double fc_observations_arrivals(const fc_observations *observations);

/* How far something that must be 0 in steady state is from it. */
typedef struct fc_imbalance {
    double share;      /* of the flow, or of the population */
    double deviations; /* the same over its standard error; infinite if there is no scatter */
} fc_imbalance;

/* Flow in less flow out of a station over the last batches given, as a share of the flow out. All 0
 * if nothing was seen. */
fc_imbalance fc_observations_drift(const fc_observations *observations, size_t station,
                                   size_t batches);
/* The station's mean population, less what Little's law makes of the stays of those that left, as a
 * share of it, over all batches. */
fc_imbalance fc_observations_little(const fc_observations *observations, size_t station);

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
