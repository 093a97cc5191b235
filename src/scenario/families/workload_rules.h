/* What a workload must agree with: the number of nodes, the shape of the network. */
#ifndef FC_SCENARIO_WORKLOAD_RULES_H
#define FC_SCENARIO_WORKLOAD_RULES_H

#include "scenario/routed.h"

/* Checks the workload and fills what depends on the network. wraps  the network is a torus. */
fc_status fc_workload_finish(const fc_scenario *scenario, const fc_routed *routed, bool wraps,
                             fc_workload *workload, fc_error *error);

/* Flits of so many bytes, at least 1. */
static inline uint64_t fc_workload_flits(const fc_workload *workload, uint64_t bytes) {
    const uint64_t size = (uint64_t)workload->flit_bytes;
    return bytes <= size ? 1 : (bytes + size - 1) / size;
}

/* NULL: the phase is one of all ranks together. */
static inline const fc_grouping *fc_phase_grouping(const fc_workload *workload,
                                                   const fc_phase *phase) {
    return phase->grouping ? &workload->groupings.list[phase->grouping - 1] : NULL;
}

#endif
