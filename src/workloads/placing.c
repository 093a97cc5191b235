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

/* Numbers of places become those of nodes: the ones that are there, in their order. */
static fc_status keep_to_present(const fc_workload *workload, fc_places places, fc_error *error,
                                 uint32_t *node_of_rank) {
    uint32_t *present = fc_allocate(places.nodes, sizeof *present), count = 0;
    if (!present)
        return fc_fail_memory(error);
    for (uint32_t node = 0; node < places.nodes; ++node) {
        if (!places.absent[node])
            present[count++] = node;
    }
    for (int64_t rank = 0; rank < workload->ranks && workload->ranks <= count; ++rank)
        node_of_rank[rank] = present[node_of_rank[rank]];
    fc_release(present);
    if (workload->ranks <= count)
        return FC_OK;
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "the workload has %lld ranks, but network.faults leave %u nodes to run on; set "
                   "traffic.ranks to %u or fewer",
                   (long long)workload->ranks, count, count);
}

static fc_status check_present(const fc_workload *workload, fc_places places, fc_error *error,
                               const uint32_t *node_of_rank) {
    for (int64_t rank = 0; rank < workload->ranks; ++rank) {
        if (places.absent[node_of_rank[rank]])
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "rank %lld is on node %u, which network.faults cut off", (long long)rank,
                           node_of_rank[rank]);
    }
    return FC_OK;
}

static fc_status check_trace(const fc_workload *workload, fc_places places, fc_error *error) {
    const fc_trace *trace = &workload->phases[0].trace;
    for (size_t i = 0; trace->messages && i < trace->count; ++i) {
        const fc_trace_message *message = &trace->messages[i];
        const bool source = places.absent[message->source];
        if (source || places.absent[message->destination])
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "message %zu of the trace is %s node %u, which network.faults cut off",
                           i + 1, source ? "from" : "for",
                           source ? message->source : message->destination);
    }
    return trace->messages ? FC_OK
                           : fc_fail(error, FC_ERROR_UNSUPPORTED,
                                     "a trace that is read while it runs needs all nodes; "
                                     "network.faults cut some off");
}

static fc_status place_blocks(const fc_workload *workload, uint32_t nodes, fc_random *random,
                              fc_error *error, uint32_t *node_of_rank) {
    /* Blocks of nodes in a random order; those of the last, shorter one come as they are. */
    const fc_placement *placement = &workload->placement;
    const uint32_t block = placement->kind == FC_PLACE_BLOCKS ? (uint32_t)placement->block : 1;
    const uint32_t blocks = nodes / block;
    uint32_t *order = fc_allocate((size_t)blocks + 1, sizeof *order);
    if (!order)
        return fc_fail_memory(error);
    for (uint32_t i = 0; i <= blocks; ++i)
        order[i] = i;
    shuffle(order, blocks, random);
    for (uint32_t rank = 0; rank < (uint32_t)workload->ranks; ++rank)
        node_of_rank[rank] = order[rank / block] * block + rank % block;
    fc_release(order);
    return FC_OK;
}

fc_status fc_place_ranks(const fc_workload *workload, fc_places places, uint64_t seed,
                         uint32_t replication, fc_error *error, uint32_t *node_of_rank) {
    const fc_placement *placement = &workload->placement;
    const bool from_file = placement->kind == FC_PLACE_FILE;
    uint32_t left = places.nodes;
    for (uint32_t node = 0; node < places.nodes && places.absent; ++node)
        left -= places.absent[node];
    fc_status status = FC_OK;
    if (placement->kind == FC_PLACE_LINEAR || from_file) {
        for (uint32_t rank = 0; rank < (uint32_t)workload->ranks; ++rank)
            node_of_rank[rank] = from_file ? placement->node[rank] : rank;
    } else {
        fc_random random = placement->seed >= 0
                               ? fc_random_stream((uint64_t)placement->seed, 0, STREAM_PLACES)
                               : fc_random_stream(seed, replication, STREAM_PLACES);
        status = place_blocks(workload, left, &random, error, node_of_rank);
    }
    if (!places.absent || status != FC_OK)
        return status;
    if (workload->of_trace)
        return check_trace(workload, places, error);
    return (from_file ? check_present(workload, places, error, node_of_rank)
                      : keep_to_present(workload, places, error, node_of_rank));
}

bool fc_workload_draws(const fc_workload *workload) {
    bool draws = workload->placement.kind == FC_PLACE_BLOCKS ||
                 (workload->placement.kind == FC_PLACE_RANDOM && workload->placement.seed < 0);
    for (size_t i = 0; i < workload->count; ++i) {
        const fc_phase *phase = &workload->phases[i];
        draws |= phase->kind == FC_PHASE_EXPERTS && !phase->matrix.bytes;
        draws |= phase->order == FC_ORDER_RANDOM;
    }
    return draws;
}
