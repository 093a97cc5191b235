#ifndef FC_SIMULATORS_FLIT_SIMULATOR_H
#define FC_SIMULATORS_FLIT_SIMULATOR_H

#include "simulators/flit/flit.h"

/* What the replications of a run have in common. */
typedef struct fc_flit_common {
    fc_torus_network *network;
    fc_torus_shadow_plan *shadow; /* NULL: none */
} fc_flit_common;

/* One replication. */
typedef struct fc_flit_run_state {
    fc_flit *engine;
    fc_torus_shadow shadow;
    double mean_hops;       /* expected of a message; NaN: not known */
    uint64_t measured_from; /* cycle */
    fc_flit_sums total;     /* since then */
} fc_flit_run_state;

/* Parts of the latency or round trip, and the tables "nodes" and "channels". */
void fc_flit_report(void *const *states, size_t replications, fc_result *result);

#endif
