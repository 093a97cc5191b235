/* The state of a run, shared by the files of the driver: driver.c advances the replications,
 * driver_judgement.c decides from what was observed, driver_recovery.c tries whether the network
 * recovers from an overload, driver_report.c fills in the result. */
#ifndef FC_SIMULATORS_DRIVER_STATE_H
#define FC_SIMULATORS_DRIVER_STATE_H

#include <stdatomic.h>
#include "base/histogram.h"
#include "base/progress.h"
#include "registry/method.h"
#include "simulators/driver.h"
#include "simulators/kept.h"
#include "simulators/observations.h"

typedef struct fc_replication {
    void *state;
    fc_histogram latencies;
    fc_histogram *histograms; /* of responses and of classes; NULL: there are none */
    double sums[FC_SERIES_MOST], weights[FC_SERIES_MOST]; /* of the batch being simulated */
    size_t done;                                          /* batches of the current round */
    uint64_t events;
    double cpu_seconds;
    fc_error error;
} fc_replication;

/* Time scales of the simulator after which a network has filled, whatever the traffic. Closed
 * traffic warms up at least so long; open traffic often needs less. */
enum { FC_SETTLED_SCALES = 16 };

typedef struct fc_driver {
    const fc_simulator *simulator;
    const fc_scenario *scenario;
    const fc_simulation_settings *simulation;
    const fc_run_settings *settings;
    fc_run_settings pool_settings; /* without progress, which is reported after every batch */
    fc_progress progress;
    fc_observations observations;
    void *common; /* of all replications: see prepare in fc_simulator */
    fc_replication *replications;
    fc_sample *samples; /* replications: of the batch being simulated */
    void **states;      /* replications */
    size_t count;       /* of replications */
    fc_kept *kept;      /* replications: their messages since the warm-up; NULL: not asked for */
    fc_engine_choice engine;
    size_t main;    /* index of the main metric */
    size_t classes; /* of messages, with names; 0: none */
    /* The simulator's observables, then those of each class as they are in a sample's sums. */
    fc_metric_id list[FC_SERIES_MOST + 1];

    uint64_t cap;        /* cycles of a replication at most */
    double scale;        /* time scale of the simulator, in cycles; shortened if few are allowed */
    double filled;       /* cycles after which a network has filled, however few are allowed */
    uint64_t cycles;     /* simulated by every replication */
    uint64_t warmup;     /* of those, cycles that were discarded */
    size_t round;        /* batches of the current round */
    double expected;     /* cycles the run is likely to take, for the progress */
    double widening;     /* half widths of times are multiplied by this, which is 1 or more */
    double start;        /* of the run, on the clock */
    double test_seconds; /* processor time of the test whether it recovers, and its events */
    double test_events;
    atomic_size_t batches; /* done in the current round, all replications */
    const char *dropped;   /* the last control variate that was dropped; NULL: none */
    bool open;             /* messages arrive from outside */
    bool measuring, reached, saturated, cancelled;
    bool expired;                  /* by seconds or work */
    bool settled;                  /* the warm-up was not cut off by a limit */
    bool undecided;                /* saturated, or too near to saturation to tell */
    const struct fc_driver *calm;  /* of a network that was overloaded and does not recover: the run
                                      that carried the load from empty; else NULL */
    char phase[FC_NAME_SIZE + 80]; /* what the run is doing and why, for the progress */
} fc_driver;

static inline const char *fc_driver_main_name(const fc_driver *d) {
    return fc_metrics[d->simulator->observables[d->main]].name;
}

/* Of traffic that changes; 0: it does not. */
static inline uint64_t fc_driver_period(const fc_driver *d) {
    return d->simulator->period ? d->simulator->period(d->scenario) : 0;
}

/* ---- driver.c ---- */

/* Advances every replication by up to the given number of batches, fewer if the cycles allowed
 * (a total) or the room for batches run out; none means that they have. */
fc_status fc_driver_round(fc_driver *d, size_t batches, uint64_t allowed, fc_error *error);
void fc_driver_start_measuring(fc_driver *d);
double fc_driver_events(const fc_driver *d); /* of all replications */

/* Of the work allowed (fc_run_settings.work_most), tests of recovery counted; infinity: no limit.
 */
double fc_driver_work_left(const fc_driver *d);
/* What create_replications of a run made; not what they have in common. */
void fc_driver_release_replications(fc_driver *d);

/* ---- driver_recovery.c ---- */

/* d: a run whose warm-up is over. stays: once overloaded, the network stays so at this load; then
 * `flooded` is the run that shows it, to be reported and closed. */
fc_status fc_driver_test_recovery(fc_driver *d, fc_driver *flooded, fc_error *error, bool *stays);
void fc_driver_close_flood(fc_driver *flooded);
/* d: a run that has not begun. Whether an overload drains at the load offered, which is about
 * `pace` messages in a cycle. */
fc_status fc_driver_follow_overload(fc_driver *d, double pace, fc_error *error,
                                    fc_overload *overload);
/* The cycle up to which the run of such a network goes on, to see whether it falls by itself. */
double fc_driver_watch_until(const fc_driver *d);

/* ---- driver_judgement.c ---- */

/* The station that is out of balance, over the later half of a warm-up or a whole measurement; NULL
 * if none is. */
const char *fc_driver_unbalanced(const fc_driver *d);
/* NULL if the warm-up is over, else what has not settled; "": too short to tell. */
const char *fc_driver_unsettled(const fc_driver *d);
bool fc_driver_grows_without_end(const fc_driver *d);
/* At its capacity, or so near that the cycles allowed do not show whether it is below. */
bool fc_driver_out_of_reach(const fc_driver *d);
bool fc_driver_saturated_at_cap(const fc_driver *d);
/* The interval used to estimate the correlation time. */
fc_interval fc_driver_interval(const fc_driver *d);
/* What would be reported of the main metric: with control variates, unless it has not moved. */
fc_interval fc_driver_claim(fc_driver *d);
bool fc_driver_precise(const fc_driver *d, const fc_interval *interval);
bool fc_driver_warmup_too_short(const fc_driver *d, const fc_interval *interval);
/* Whether the interval may be narrow by chance. */
bool fc_driver_may_be_luck(const fc_driver *d, const fc_interval *interval);

/* ---- driver_report.c ---- */

fc_status fc_driver_report(fc_driver *d, fc_error *error, fc_result *result);

#endif
