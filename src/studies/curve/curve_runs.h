/* The simulations of a curve: one per load, each with a seed of its own, kept in a store if there
 * is one. */
#ifndef FC_STUDIES_CURVE_RUNS_H
#define FC_STUDIES_CURVE_RUNS_H

#include "flitcast/flitcast.h"
#include "output/store.h"

enum { FC_CURVE_RUNS_MOST = 128 };

typedef struct fc_curve_measurement {
    double load;
    fc_outcome outcome;
    fc_curve_value measured[FC_CURVE_METRICS];
    double throughput, offered; /* NaN: not known */
    double loss;                /* the share of what is offered that is refused */
    double cycles, cpu_seconds, work;
} fc_curve_measurement;

typedef struct fc_curve_runs {
    const fc_curve *curve; /* names the metrics */
    fc_store *store;       /* may be NULL */
    fc_curve_measurement list[FC_CURVE_RUNS_MOST];
    size_t count;
} fc_curve_runs;

fc_status fc_curve_runs_open(fc_curve_runs *runs, const fc_curve *curve, const char *store,
                             fc_error *error);
void fc_curve_runs_close(fc_curve_runs *runs);

/* To three digits: loads that people can read and repeat. */
double fc_curve_rounded(double load);

/* NULL: that load was not simulated. */
const fc_curve_measurement *fc_curve_runs_find(const fc_curve_runs *runs, double load);
typedef struct fc_curve_request {
    const fc_scenario *scenario;
    const char *key;
    double load, precision;
    double cycles_most; /* of a replication, if the scenario does not allow less */
} fc_curve_request;

/* The scenario at another load; with request (NULL: as it is) its precision, cycles and seed. */
fc_status fc_curve_scenario(const fc_scenario *base, const char *key, double load,
                            const fc_curve_request *request, fc_error *error,
                            fc_scenario **scenario);
/* Simulates a load, or takes it from the store. */
fc_status fc_curve_simulate(fc_curve_runs *runs, const fc_curve_request *request,
                            const fc_run_settings *settings, fc_error *error,
                            fc_curve_measurement **run);

#endif
