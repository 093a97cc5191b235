/* What a simulation has observed, for all replications: batches of every observable over intervals
 * of equal length, and time series ("courses") of the arrivals, the backlog and the population of
 * every station. Memory is fixed at creation: when there are too many batches, pairs of them are
 * merged and the length of a batch doubles.
 *
 * Also the tests that need nothing else: has a series settled, does a population drift, does
 * Little's law hold, does the backlog grow without limit. */
#ifndef FC_SIMULATORS_OBSERVATIONS_H
#define FC_SIMULATORS_OBSERVATIONS_H

#include "base/statistics.h"
#include "registry/method.h"

/* Batches are merged when there are twice FC_BATCHES_KEPT. */
enum { FC_BATCHES_KEPT = 256, FC_BATCHES_MOST = 2 * FC_BATCHES_KEPT };

typedef struct fc_observations {
    const fc_metric_id *list; /* what is observed */
    size_t replications, observables, stations, controls;
    uint64_t length; /* cycles of a batch */
    size_t count;    /* complete batches, the same for every replication */
    size_t points;   /* of each course, one per batch, warm-up included */
    /* (observable or station) x replication x FC_BATCHES_MOST; for a station: the summed stays of
     * the messages that left it, and their number */
    double *sums, *weights;
    double *control; /* control x replication x FC_BATCHES_MOST */
    double *courses; /* (arrivals so far, backlog, population of each station) x replication x
                        2 FC_BATCHES_MOST */
    double *scratch; /* (2 + FC_CONTROLS_MOST) x replication x FC_BATCHES_MOST */
    bool dropped[FC_SAMPLE_CONTROLS]; /* controls not used any more */
} fc_observations;

/* What is observed, as in fc_simulator; each is numbered from 0 in its order. */
typedef struct fc_observed {
    const fc_metric_id *list;
    const char *const *stations, *const *controls;
} fc_observed;
/* length: cycles of a batch at first. The list must outlive them. */
fc_status fc_observations_create(const fc_observed *observed, size_t replications, uint64_t length,
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
/* Removes the batches and keeps the courses. */
void fc_observations_discard(fc_observations *observations);

fc_interval fc_observations_interval(const fc_observations *observations, size_t observable);
/* With the control variates that have not been dropped, if there are any, and the change of the
 * population of the first station in use. */
fc_interval fc_observations_controlled(const fc_observations *observations, size_t observable);
/* Drops a control variate whose mean differs significantly from 0: its expectation is not what it
 * should be. Returns its name; NULL if there is none. */
const char *fc_observations_drop_control(fc_observations *observations,
                                         const char *const *controls);

/* True if MSER-5 on the observable, averaged over the replications, finds the end of the transient
 * in the first quarter of the batches. Groups without any observation count as transient. */
bool fc_observations_settled(const fc_observations *observations, size_t observable);

/* The population of a station, sampled at the end of every batch. */
fc_interval fc_observations_population(const fc_observations *observations, size_t station);
/* How many messages were in a wait at a time, all replications together, over the later half of the
 * batches: by Little's law from the waits of those that have left it. observable: the wait. */
double fc_observations_waiting(const fc_observations *observations, size_t observable);
/* The number of messages that have left the station in use with the fewest departures, all
 * replications; infinity if no station is in use. */
double fc_observations_left(const fc_observations *observations);

/* Messages at sources and in the network at a point of the course: 0 is the end of the first batch.
 */
double fc_observations_backlog(const fc_observations *observations, size_t replication,
                               size_t point);
/* Messages that arrived from outside so far, warm-up included. */
double fc_observations_arrivals(const fc_observations *observations);

/* How far a quantity that is 0 in steady state is from 0. */
typedef struct fc_imbalance {
    double share;      /* of the flow, or of the population */
    double deviations; /* the same in standard errors; infinite if there is no scatter */
} fc_imbalance;

/* Flow into a station minus flow out of it over the last `batches`, as a share of the flow out. All
 * 0 if nothing was observed. */
fc_imbalance fc_observations_drift(const fc_observations *observations, size_t station,
                                   size_t batches);
/* The station's mean population minus the one that follows by Little's law from the stays of the
 * messages that left, as a share of the population, over all batches. */
fc_imbalance fc_observations_little(const fc_observations *observations, size_t station);

typedef struct fc_growth {
    double share;      /* of the arrivals in the second half of the run: those that stayed */
    double deviations; /* the share in standard errors */
    double messages;   /* by which the backlog grew in the second half, all replications */
    double steadiness; /* standard errors by which it exceeds the growth of a settling queue */
} fc_growth;

/* How the backlog grew in the second half of the run; all 0 if there were no arrivals (closed) or
 * the run is too short to tell. */
fc_growth fc_observations_growth(const fc_observations *observations);
/* Whether the backlog grows without limit: significantly, steadily and by a relevant share. */
bool fc_growth_endless(const fc_growth *growth);

#endif
