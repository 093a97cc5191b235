/* Which node each rank is on (traffic.placement), and whether anything of a workload is drawn. */
#include "workloads/placing.h"

#include "base/memory.h"
#include "base/random.h"
#include "workloads/work.h"

enum { STREAM_PLACES = 20 };

static void shuffle(uint32_t *list, uint32_t count, fc_random *random) {
    for (uint32_t i = count; i > 1; --i) {
        const uint32_t other = fc_random_below(random, i), kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

fc_status fc_place_ranks(const fc_workload *workload, uint32_t nodes, uint64_t seed,
                         uint32_t replication, fc_error *error, uint32_t *node_of_rank) {
    const fc_placement *placement = &workload->placement;
    const uint32_t ranks = (uint32_t)workload->ranks;
    const uint32_t block = placement->kind == FC_PLACE_BLOCKS ? (uint32_t)placement->block : 1;
    if (placement->kind == FC_PLACE_LINEAR || placement->kind == FC_PLACE_FILE) {
        for (uint32_t rank = 0; rank < ranks; ++rank)
            node_of_rank[rank] = placement->kind == FC_PLACE_FILE ? placement->node[rank] : rank;
        return FC_OK;
    }
    /* Blocks of nodes in a random order; those of the last, shorter one come as they are. */
    const uint32_t blocks = nodes / block;
    uint32_t *order = fc_allocate((size_t)blocks + 1, sizeof *order);
    if (!order)
        return fc_fail_memory(error);
    for (uint32_t i = 0; i <= blocks; ++i)
        order[i] = i;
    fc_random random = placement->seed >= 0
                           ? fc_random_stream((uint64_t)placement->seed, 0, STREAM_PLACES)
                           : fc_random_stream(seed, replication, STREAM_PLACES);
    shuffle(order, blocks, &random);
    for (uint32_t rank = 0; rank < ranks; ++rank)
        node_of_rank[rank] = order[rank / block] * block + rank % block;
    fc_release(order);
    return FC_OK;
}

bool fc_workload_draws(const fc_workload *workload) {
    bool draws = workload->placement.kind == FC_PLACE_BLOCKS ||
                 (workload->placement.kind == FC_PLACE_RANDOM && workload->placement.seed < 0);
    for (size_t i = 0; i < workload->count; ++i)
        draws |= workload->phases[i].kind == FC_PHASE_EXPERTS && !workload->phases[i].matrix.bytes;
    return draws;
}
