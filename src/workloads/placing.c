/* Which node each rank is on (traffic.placement), and whether anything of a workload is drawn. */
#include "workloads/placing.h"

#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "workloads/work.h"

enum { STREAM_PLACES = 20, STREAM_SLOW = 22 };

static void shuffle(uint32_t *list, uint32_t count, fc_random *random) {
    for (uint32_t i = count; i > 1; --i) {
        const uint32_t other = fc_random_below(random, i), kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

static fc_status check_present(const fc_workload *workload, fc_places places, fc_error *error,
                               const uint32_t *node_of_rank) {
    for (int64_t rank = 0; rank < workload->ranks && places.absent; ++rank) {
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

/* Ranks that a rule places: on nodes of this list, in its order or drawn from it. */
static fc_status place_by_rule(const fc_workload *workload, const uint32_t *list, uint32_t count,
                               fc_random *drawn, fc_error *error, uint32_t *node_of_rank) {
    const fc_placement *placement = &workload->placement;
    const uint32_t ranks = (uint32_t)workload->ranks;
    fc_random own = fc_random_stream((uint64_t)placement->seed, 0, STREAM_PLACES);
    fc_status status = FC_OK;
    if (ranks > count)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the workload has %u ranks, but network.faults leave %u nodes to run on; "
                       "set traffic.ranks to %u or fewer",
                       ranks, count, count);
    if (placement->kind != FC_PLACE_LINEAR)
        status =
            place_blocks(workload, count, placement->seed >= 0 ? &own : drawn, error, node_of_rank);
    for (uint32_t rank = 0; rank < ranks && status == FC_OK; ++rank)
        node_of_rank[rank] = list[placement->kind == FC_PLACE_LINEAR ? rank : node_of_rank[rank]];
    return status;
}

/* Nodes that are there and have no rank yet. */
typedef struct free_nodes {
    fc_places places;
    uint32_t *list, count;
    uint8_t *taken;
} free_nodes;

static void take(free_nodes *left, const uint32_t *node_of_rank, int64_t ranks) {
    for (int64_t rank = 0; rank < ranks; ++rank)
        left->taken[node_of_rank[rank]] = 1;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < left->count; ++i) {
        if (!left->taken[left->list[i]])
            left->list[kept++] = left->list[i];
    }
    left->count = kept;
}

/* Of a workload that is alone or the number-th of several. by_file: if that is how its ranks are
 * placed, else only if not. */
static fc_status place_one(const fc_workload *work, bool by_file, fc_random *drawn,
                           free_nodes *left, fc_error *error, uint32_t *node_of_rank) {
    fc_status status = FC_OK;
    if (by_file != (work->placement.kind == FC_PLACE_FILE))
        return FC_OK;
    if (by_file) {
        for (int64_t rank = 0; rank < work->ranks; ++rank)
            node_of_rank[rank] = work->placement.node[rank];
        status = check_present(work, left->places, error, node_of_rank);
    } else {
        status = place_by_rule(work, left->list, left->count, drawn, error, node_of_rank);
    }
    if (status == FC_OK)
        take(left, node_of_rank, work->ranks);
    return status;
}

static fc_status place_all(const fc_workload *workload, fc_random_key key, free_nodes *left,
                           fc_error *error, uint32_t *node_of_rank) {
    const size_t jobs = workload->jobs ? workload->job_count : 1;
    fc_status status = FC_OK;
    for (int by_file = 1; by_file >= 0; --by_file) {
        uint32_t *own = node_of_rank;
        for (size_t j = 0; j < jobs && status == FC_OK; ++j) {
            const fc_workload *work = workload->jobs ? workload->jobs[j].work : workload;
            fc_random drawn = fc_random_stream(key.seed + j, key.replication, STREAM_PLACES);
            status = place_one(work, by_file, &drawn, left, error, own);
            own += work->ranks;
        }
    }
    return status;
}

fc_status fc_place_ranks(const fc_workload *workload, fc_places places, uint64_t seed,
                         uint32_t replication, fc_error *error, uint32_t *node_of_rank) {
    if (workload->of_trace) {
        for (uint32_t rank = 0; rank < (uint32_t)workload->ranks; ++rank)
            node_of_rank[rank] = rank;
        return places.absent ? check_trace(workload, places, error) : FC_OK;
    }
    free_nodes left = {.places = places,
                       .list = fc_allocate(places.nodes, sizeof *left.list),
                       .taken = fc_allocate(places.nodes, sizeof *left.taken)};
    fc_status status = left.list && left.taken ? FC_OK : fc_fail_memory(error);
    for (uint32_t node = 0; node < places.nodes && status == FC_OK; ++node) {
        if (!places.absent || !places.absent[node])
            left.list[left.count++] = node;
    }
    if (status == FC_OK)
        status =
            place_all(workload, (fc_random_key){seed, replication}, &left, error, node_of_rank);
    fc_release(left.list);
    fc_release(left.taken);
    return status;
}

/* ---- slow ranks ---- */

static void draw_factors(const fc_slow_ranks *slow, uint32_t ranks, fc_random *random,
                         double *factor) {
    static const double turn = 6.283185307179586;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        const double first = fc_random_unit(random), second = fc_random_unit(random);
        factor[rank] = slow->deviation > 0
                           ? exp(slow->deviation * sqrt(-2 * log1p(-first)) * cos(turn * second))
                       : first < slow->share ? slow->factor
                                             : 1;
    }
}

fc_status fc_slow_factors(const fc_workload *workload, uint64_t seed, uint32_t replication,
                          fc_error *error, double **factor) {
    const fc_slow_ranks *slow = &workload->slow;
    *factor = NULL;
    if (!slow->count && !(slow->share > 0) && !(slow->deviation > 0))
        return FC_OK;
    *factor = fc_allocate((size_t)workload->ranks, sizeof **factor);
    if (!*factor)
        return fc_fail_memory(error);
    fc_random random = fc_random_stream(seed, replication, STREAM_SLOW);
    draw_factors(slow, (uint32_t)workload->ranks, &random, *factor);
    for (size_t i = 0; i < slow->count; ++i)
        (*factor)[slow->rank[i]] = slow->factor;
    return FC_OK;
}

static bool placed_at_random(const fc_placement *placement) {
    return placement->kind == FC_PLACE_BLOCKS ||
           (placement->kind == FC_PLACE_RANDOM && placement->seed < 0);
}

bool fc_workload_draws(const fc_workload *workload) {
    bool draws = placed_at_random(&workload->placement) || workload->slow.share > 0 ||
                 workload->slow.deviation > 0;
    for (size_t j = 0; j < workload->job_count; ++j)
        draws |= placed_at_random(&workload->jobs[j].work->placement);
    for (size_t i = 0; i < workload->count; ++i) {
        const fc_phase *phase = &workload->phases[i];
        draws |= phase->kind == FC_PHASE_EXPERTS && !phase->matrix.bytes;
        draws |= phase->order == FC_ORDER_RANDOM;
    }
    return draws;
}
