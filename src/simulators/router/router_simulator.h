/* What the files of the simulator `router` share. */
#ifndef FC_SIMULATORS_ROUTER_SIMULATOR_H
#define FC_SIMULATORS_ROUTER_SIMULATOR_H

#include "registry/method.h"
#include "simulators/router/router.h"
#include "simulators/router/router_windows.h"

/* What the replications of a run have in common. */
typedef struct fc_router_common {
    fc_router_network *network;
    fc_traffic *traffic; /* NULL: a trace */
} fc_router_common;

/* One replication. */
typedef struct fc_router_run_state {
    fc_router *engine;
    fc_router_windows windows; /* of the first replication */
    double inside;             /* messages, or requests without an answer */
    uint64_t measured_from;
    fc_router_sums total; /* since then */
} fc_router_run_state;

/* Parts of the latency and the tables of nodes and channels (router_report.c). */
void fc_router_report(void *const *states, size_t replications, fc_result *result);
/* Of a workload: bound, phases and ranks (router_work_report.c). */
void fc_router_work_report(void *const *states, size_t replications, fc_result *result);
/* Bytes that one replication takes, about; without its messages (router_memory.c). */
double fc_router_memory(const fc_routed *routed, const fc_router_extent *extent);

#endif
