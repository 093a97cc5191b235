/* The state of a run, shared by the files of the driver: driver.c advances the replications,
 * driver_judgement.c decides from what was observed, driver_report.c fills in the result. */
#ifndef FC_SIMULATORS_DRIVER_STATE_H
#define FC_SIMULATORS_DRIVER_STATE_H

#include <stdatomic.h>
#include "base/histogram.h"
#include "base/progress.h"
#include "registry/method.h"
#include "simulators/observations.h"

typedef struct fc_replication {
    void *state;
    fc_histogram latencies;
    double sums[FC_METRICS], weights[FC_METRICS]; /* of the batch being simulated */
    size_t done;                                  /* batches of the current round */
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
    fc_engine_choice engine;
    size_t main; /* index of the main metric */

    uint64_t cap;    /* cycles of a replication at most */
    double scale;    /* time scale of the simulator, in cycles; shortened if few are allowed */
    double filled;   /* cycles after which a network has filled, however few are allowed */
    uint64_t cycles; /* simulated by every replication */
    uint64_t warmup; /* of those, cycles that were discarded */
    size_t round;    /* batches of the current round */
    double expected; /* cycles the run is likely to take, for the progress */
    double widening; /* half widths of times are multiplied by this, which is 1 or more */
    double start;    /* of the run, on the clock */
    atomic_size_t batches; /* done in the current round, all replications */
    const char *dropped;   /* the last control variate that was dropped; NULL: none */
    bool open;             /* messages arrive from outside */
    bool measuring, reached, saturated, cancelled, expired;
    bool settled;                  /* the warm-up was not cut off by a limit */
    bool undecided;                /* saturated, or too near to saturation to tell */
    char phase[FC_NAME_SIZE + 80]; /* what the run is doing and why, for the progress */
} fc_driver;

static inline const char *fc_driver_main_name(const fc_driver *d) {
    return fc_metrics[d->simulator->observables[d->main]].name;
}

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
/* The interval that says how long the network takes to forget. */
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
