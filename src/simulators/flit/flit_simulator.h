#ifndef FC_SIMULATORS_FLIT_SIMULATOR_H
#define FC_SIMULATORS_FLIT_SIMULATOR_H

#include "simulators/flit/flit.h"

/* One replication. */
typedef struct fc_flit_run_state {
    fc_flit *engine;
    double mean_hops;       /* expected of a message; NaN: not known */
    uint64_t measured_from; /* cycle */
    fc_flit_sums total;     /* since then */
} fc_flit_run_state;

/* Parts of the latency or round trip, and the tables "nodes" and "channels". */
void fc_flit_report(void *const *states, size_t replications, fc_result *result);

#endif
