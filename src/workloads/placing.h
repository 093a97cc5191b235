/* Which node each rank is on. */
#ifndef FC_WORKLOADS_PLACING_H
#define FC_WORKLOADS_PLACING_H

#include "base/status.h"
#include "scenario/workload.h"

/* Nodes of a network; absent: those with a 1 run nothing (network.faults); NULL: all do. */
typedef struct fc_places {
    uint32_t nodes;
    const uint8_t *absent;
} fc_places;

/* node_of_rank  workload->ranks of them. Ranks that are placed by a rule are on the nodes there
 * are; those of a trace and those that a file places must find theirs. */
fc_status fc_place_ranks(const fc_workload *workload, fc_places places, uint64_t seed,
                         uint32_t replication, fc_error *error, uint32_t *node_of_rank);

/* By which each rank computes longer (traffic.slow_ranks); NULL: none is slow. Released by
 * fc_release. */
fc_status fc_slow_factors(const fc_workload *workload, uint64_t seed, uint32_t replication,
                          fc_error *error, double **factor);

#endif
