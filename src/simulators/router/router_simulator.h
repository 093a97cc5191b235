/* What the files of the simulator `router` share. */
#ifndef FC_SIMULATORS_ROUTER_SIMULATOR_H
#define FC_SIMULATORS_ROUTER_SIMULATOR_H

#include "registry/method.h"
#include "simulators/ensemble/ensemble.h"
#include "simulators/router/router.h"
#include "simulators/router/router_shadow.h"
#include "simulators/router/router_windows.h"

/* What the replications of a run have in common. */
typedef struct fc_router_common {
    fc_router_network *network;
    fc_traffic *traffic;           /* NULL: a trace */
    fc_multicast *multicast;       /* NULL: no class has any */
    double mean_path;              /* fc_router_mean_path */
    fc_router_shadow_plan *shadow; /* NULL: no shadow queues */
    fc_ensemble **ensemble; /* of each group of replications; NULL: the event engine simulates */
    size_t ensembles;
    uint32_t lanes;           /* of each */
    fc_engine_choice *choice; /* the run's: its reason is written if a GPU fails */
} fc_router_common;

/* One replication. */
typedef struct fc_router_run_state {
    fc_router *engine;
    uint64_t seed;
    uint32_t replication;
    double mean_path;          /* that of the common part */
    fc_router_shadow shadow;   /* if the common part has a plan */
    fc_router_windows windows; /* of the first replication */
    double inside;             /* messages, or requests without an answer */
    uint64_t measured_from;
    uint64_t skipped;     /* cycles of repetitions that are counted already */
    fc_router_sums total; /* since then */
    /* Where an ensemble simulates: the engine only keeps what it has seen in this lane. */
    fc_ensemble *ensemble; /* NULL: the engine simulates */
    uint32_t lane;
    fc_engine_choice *choice;
    uint64_t hops;    /* at the end of the stretch before */
    fc_status status; /* of the end of its warm-up */
    fc_error error;
    uint32_t *crossed, *granted, *injected; /* outputs, nodes: counts when measured_from was */
} fc_router_run_state;

/* ---- ensembles (router_ensemble.c) ---- */

fc_status fc_router_choose_engine(const fc_scenario *scenario, void *common,
                                  const fc_simulation_settings *simulation,
                                  const fc_run_settings *settings, fc_error *error,
                                  fc_engine_choice *choice);
unsigned fc_router_shares(const fc_scenario *scenario);
void fc_router_discard_ensembles(fc_router_common *common);
/* Makes a replication that belongs to an ensemble a lane of it. */
fc_status fc_router_join_ensemble(const fc_router_common *common, uint32_t replication,
                                  fc_error *error, fc_router_run_state *run);
/* Simulates all lanes further; sums, hops and backlog are then in the engines of `states`. */
fc_status fc_router_run_ensemble(void *const *states, size_t count, uint64_t cycles,
                                 fc_sample *samples, fc_error *error);
size_t fc_router_look_ahead(void *const *states, uint64_t cycles, size_t batches);
/* The warm-up is over: called for all lanes, the first one first. */
fc_status fc_router_measure_lane(fc_router_run_state *run, fc_error *error);
/* Brings the engine's counters of outputs and nodes, and the histogram, up to date. */
fc_status fc_router_read_lane(fc_router_run_state *run, fc_error *error);

/* Parts of the latency and the tables of nodes and channels (router_report.c). */
void fc_router_report(void *const *states, size_t replications, fc_result *result);
/* Of a workload: bound, phases and ranks (router_work_report.c). */
void fc_router_work_report(void *const *states, size_t replications, fc_result *result);
/* Bytes that one replication takes, about; without its messages (router_memory.c). */
double fc_router_memory(const fc_routed *routed, const fc_router_extent *extent);

#endif
