/* Which node each rank is on. */
#ifndef FC_WORKLOADS_PLACING_H
#define FC_WORKLOADS_PLACING_H

#include "base/status.h"
#include "scenario/workload.h"

/* node_of_rank  workload->ranks of them */
fc_status fc_place_ranks(const fc_workload *workload, uint32_t nodes, uint64_t seed,
                         uint32_t replication, fc_error *error, uint32_t *node_of_rank);

#endif
