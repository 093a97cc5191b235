/* Collective operations that work in steps: task s sends step s, when what step s - 1 sent to its
 * rank is there; the last task only waits.
 *
 *   ring                 every step a p-th of the vector to the next rank: p - 1 steps to reduce
 *                        and scatter, p - 1 to gather
 *   recursive doubling   log2 p steps, the whole vector to the rank that differs in bit s
 *   multi-ring           several rings at once, each with a part of the vector
 *   direct               every part at once to the rank that adds it up, the sum at once to all
 *   halving-doubling     log2 p steps of halves, quarters, ... with the ranks that differ in the
 *                        highest bit first (Rabenseifner), and the same backwards to gather
 *
 * Ranks beyond the largest power of two, in the last two, hand their vector to a partner before the
 * first step and get the result after the last one. */
#include "workloads/phase_plan.h"

#include "base/memory.h"

/* ---- ring ---- */

static uint32_t ring_steps(const fc_phase_plan *plan) {
    return (plan->phase->kind == FC_PHASE_ALL_REDUCE ? 2 : 1) * (plan->ranks - 1);
}

static fc_status prepare_ring(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = ring_steps(plan) + 1;
    return FC_OK;
}

/* The part that a rank sends in a step is the one it received in the step before. */
static uint64_t ring_bytes(const fc_phase_plan *plan, uint32_t rank, uint32_t step) {
    const uint64_t p = plan->ranks, behind = step % p;
    return fc_part_bytes((uint64_t)plan->phase->bytes, p, (rank + p - behind) % p);
}

static void ring_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    const uint32_t left = (rank + plan->ranks - 1) % plan->ranks;
    *what = (fc_task){.sends = task < ring_steps(plan), .in_order = true};
    if (!task)
        return;
    const uint64_t bytes = ring_bytes(plan, left, task - 1);
    what->packets = fc_plan_packets(plan, bytes);
    if (plan->phase->kind != FC_PHASE_ALL_GATHER && task < plan->ranks)
        what->reduced = bytes;
}

static void ring_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                      fc_send *message) {
    (void)i;
    *message = (fc_send){
        .rank = (rank + 1) % plan->ranks, .task = task + 1, .bytes = ring_bytes(plan, rank, task)};
}

const fc_phase_type fc_ring_steps = {prepare_ring, ring_task, ring_send};

/* ---- several rings ---- */

/* Ring k carries a k-th of the vector. Without inner ranks the rings go on by 1, -1, and other
 * distances without a divisor in common with the number of ranks, in both directions. With g inner
 * ranks ring k goes through every block, forwards through the even ones from place k and backwards
 * through the odd ones, so that it goes from block to block between ranks of the same place. */
typedef struct many_rings {
    uint32_t count, steps;
    uint32_t *next, *place; /* of each rank in each ring: who follows it, and where it is */
} many_rings;

static uint32_t greatest_divisor(uint32_t a, uint32_t b) {
    return b ? greatest_divisor(b, a % b) : a;
}

static uint32_t distance_of_ring(uint32_t ranks, uint32_t ring) {
    uint32_t distance = 1;
    for (uint32_t found = 0; found < ring / 2 || greatest_divisor(ranks, distance) != 1;)
        found += greatest_divisor(ranks, distance++) == 1;
    distance %= ranks;
    return ring % 2 ? ranks - distance : distance;
}

/* Number `at` of the ring. */
static uint32_t rank_in_ring(uint32_t ranks, uint32_t inner, uint32_t ring, uint32_t at) {
    if (inner <= 1)
        return (uint32_t)((uint64_t)distance_of_ring(ranks, ring) * at % ranks);
    const uint32_t block = at / inner, step = at % inner;
    const uint32_t place = block % 2 ? ring + inner - 1 - step : ring + step;
    return block * inner + place % inner;
}

static fc_status prepare_rings(fc_phase_plan *plan, fc_error *error) {
    const uint32_t p = plan->ranks;
    const uint32_t own = (uint32_t)(plan->phase->inner_ranks ? plan->phase->inner_ranks
                                                             : plan->workload->inner_ranks);
    const uint32_t inner = own && p % own == 0 ? own : 1;
    const uint32_t count = plan->phase->rings ? (uint32_t)plan->phase->rings
                           : inner > 1        ? inner
                                              : 2;
    const size_t places = (size_t)p * count;
    many_rings *made = fc_allocate(1, sizeof *made + 2 * places * sizeof(uint32_t));
    if (!made)
        return fc_fail_memory(error);
    *made = (many_rings){.count = count, .next = (uint32_t *)(made + 1)};
    made->steps = ring_steps(plan);
    made->place = made->next + places;
    for (uint32_t ring = 0; ring < count; ++ring) {
        for (uint32_t at = 0; at < p; ++at) {
            const uint32_t rank = rank_in_ring(p, inner, ring, at);
            made->next[ring * p + rank] = rank_in_ring(p, inner, ring, (at + 1) % p);
            made->place[ring * p + rank] = at;
        }
    }
    plan->data = made;
    plan->tasks = count * (made->steps + 1);
    return FC_OK;
}

static uint64_t bytes_in_ring(const fc_phase_plan *plan, uint32_t ring, uint32_t at,
                              uint32_t step) {
    const many_rings *rings = plan->data;
    const uint64_t p = plan->ranks, behind = step % p;
    const uint64_t whole = fc_part_bytes((uint64_t)plan->phase->bytes, rings->count, ring);
    return fc_part_bytes(whole, p, (at + p - behind) % p);
}

/* Tasks: step by step, ring by ring; each waits for what it is sent and nothing else. */
static void rings_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    const many_rings *rings = plan->data;
    const uint32_t ring = task % rings->count, step = task / rings->count;
    const uint32_t at = rings->place[ring * plan->ranks + rank];
    *what = (fc_task){.sends = step < rings->steps};
    if (!step)
        return;
    const uint64_t bytes =
        bytes_in_ring(plan, ring, (at + plan->ranks - 1) % plan->ranks, step - 1);
    what->packets = fc_plan_packets(plan, bytes);
    if (plan->phase->kind != FC_PHASE_ALL_GATHER && step < plan->ranks)
        what->reduced = bytes;
}

static void rings_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                       fc_send *message) {
    const many_rings *rings = plan->data;
    const uint32_t ring = task % rings->count, step = task / rings->count;
    (void)i;
    *message = (fc_send){
        .rank = rings->next[ring * plan->ranks + rank],
        .task = task + rings->count,
        .bytes = bytes_in_ring(plan, ring, rings->place[ring * plan->ranks + rank], step)};
}

const fc_phase_type fc_multi_ring = {prepare_rings, rings_task, rings_send};

/* ---- direct ---- */

/* To reduce and scatter, every rank sends each part to the rank whose part it is; to gather, its
 * own part to all. All at once, in the phase's order. */
static fc_status prepare_direct(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = plan->phase->kind == FC_PHASE_ALL_REDUCE ? 3 : 2;
    return FC_OK;
}

static bool scatters(const fc_phase_plan *plan, uint32_t task) {
    return task == 0 && plan->phase->kind != FC_PHASE_ALL_GATHER;
}

static uint64_t own_part(const fc_phase_plan *plan, uint32_t rank) {
    return fc_part_bytes((uint64_t)plan->phase->bytes, plan->ranks, rank);
}

static void direct_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    *what = (fc_task){.in_order = true, .sends = task + 1 < plan->tasks ? plan->ranks - 1 : 0};
    if (!task)
        return;
    if (scatters(plan, task - 1)) {
        what->packets = (plan->ranks - 1) * fc_plan_packets(plan, own_part(plan, rank));
        what->reduced = (plan->ranks - 1) * own_part(plan, rank);
        return;
    }
    const uint32_t longer = (uint32_t)((uint64_t)plan->phase->bytes % plan->ranks);
    const uint32_t others = plan->ranks - 1, long_others = longer - (rank < longer);
    what->packets = long_others * fc_plan_packets(plan, own_part(plan, 0)) +
                    (others - long_others) * fc_plan_packets(plan, own_part(plan, plan->ranks - 1));
}

static void direct_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                        fc_send *message) {
    const uint32_t to = fc_plan_partner(plan, rank, i);
    *message = (fc_send){
        .rank = to, .task = task + 1, .bytes = own_part(plan, scatters(plan, task) ? to : rank)};
}

const fc_phase_type fc_direct_steps = {prepare_direct, direct_task, direct_send};

/* ---- powers of two ---- */

static uint32_t floor_log2(uint32_t number) {
    return 31 - (uint32_t)__builtin_clz(number);
}

/* Who takes part in the steps, and what a step is to them. */
typedef struct exchange {
    uint32_t partner;
    uint64_t bytes; /* to it, and from it unless they differ */
    uint64_t bytes_back;
    bool reduces; /* what comes is added up */
} exchange;

typedef exchange exchange_of(const fc_phase_plan *plan, uint32_t rank, uint32_t step);

/* Task 0 hands over what is beyond the power of two, tasks 1 .. steps are the steps, the last task
 * but one hands the result back. */
static void folded_task(const fc_phase_plan *plan, uint32_t steps, exchange_of *of, uint32_t rank,
                        uint32_t task, fc_task *what) {
    const uint32_t power = 1u << floor_log2(plan->ranks), extra = plan->ranks - power;
    const uint64_t whole = fc_plan_packets(plan, (uint64_t)plan->phase->bytes);
    const bool outside = rank >= power, helped = rank < extra;
    *what = (fc_task){.in_order = true};
    if (outside) {
        what->sends = task == 0;
        what->packets = task == steps + 2 ? whole : 0;
        return;
    }
    if (task == 1 && helped) {
        what->packets = whole;
        what->reduced = (uint64_t)plan->phase->bytes;
    }
    if (task >= 2 && task <= steps + 1) {
        const exchange step = of(plan, rank, task - 2);
        what->packets = fc_plan_packets(plan, step.bytes_back);
        what->reduced = step.reduces ? step.bytes_back : 0;
    }
    what->sends = (task >= 1 && task <= steps) || (task == steps + 1 && helped);
}

static void folded_send(const fc_phase_plan *plan, uint32_t steps, exchange_of *of, uint32_t rank,
                        uint32_t task, fc_send *message) {
    const uint32_t power = 1u << floor_log2(plan->ranks);
    const uint64_t whole = (uint64_t)plan->phase->bytes;
    if (rank >= power) {
        *message = (fc_send){.rank = rank - power, .task = 1, .bytes = whole};
    } else if (task == steps + 1) {
        *message = (fc_send){.rank = rank + power, .task = steps + 2, .bytes = whole};
    } else {
        const exchange step = of(plan, rank, task - 1);
        *message = (fc_send){.rank = step.partner, .task = task + 1, .bytes = step.bytes};
    }
}

/* ---- recursive doubling of a whole vector ---- */

static exchange doubling(const fc_phase_plan *plan, uint32_t rank, uint32_t step) {
    const uint64_t bytes = (uint64_t)plan->phase->bytes;
    return (exchange){
        .partner = rank ^ 1u << step, .bytes = bytes, .bytes_back = bytes, .reduces = true};
}

static fc_status prepare_doubling(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = floor_log2(plan->ranks) + 3;
    return FC_OK;
}

static void doubling_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    folded_task(plan, plan->tasks - 3, doubling, rank, task, what);
}

static void doubling_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                          fc_send *message) {
    (void)i;
    folded_send(plan, plan->tasks - 3, doubling, rank, task, message);
}

const fc_phase_type fc_recursive_doubling = {prepare_doubling, doubling_task, doubling_send};

/* ---- halving and doubling ---- */

/* Bytes of the parts of the ranks that share all bits above `bits` with `rank`. */
static uint64_t block_bytes(const fc_phase_plan *plan, uint32_t rank, uint32_t bits) {
    const uint64_t bytes = (uint64_t)plan->phase->bytes;
    const uint64_t power = (uint64_t)1 << floor_log2(plan->ranks);
    const uint64_t first = (uint64_t)(rank >> bits) << bits, last = first + ((uint64_t)1 << bits);
    const uint64_t rest = bytes % power;
    return (bytes / power << bits) + (last < rest ? last : rest) - (first < rest ? first : rest);
}

/* A vector that is halved: what the partner keeps goes to it. */
static exchange halve(const fc_phase_plan *plan, uint32_t rank, uint32_t bit) {
    const uint32_t partner = rank ^ 1u << bit;
    return (exchange){partner, block_bytes(plan, partner, bit), block_bytes(plan, rank, bit), true};
}

/* A vector that is put together: what a rank has goes to the partner. */
static exchange join(const fc_phase_plan *plan, uint32_t rank, uint32_t bit) {
    const uint32_t partner = rank ^ 1u << bit;
    return (exchange){partner, block_bytes(plan, rank, bit), block_bytes(plan, partner, bit),
                      false};
}

static exchange halving_doubling(const fc_phase_plan *plan, uint32_t rank, uint32_t step) {
    const uint32_t bits = floor_log2(plan->ranks);
    if (plan->phase->kind == FC_PHASE_ALL_GATHER)
        return join(plan, rank, step);
    return step < bits ? halve(plan, rank, bits - 1 - step) : join(plan, rank, step - bits);
}

static fc_status prepare_halving(fc_phase_plan *plan, fc_error *error) {
    (void)error;
    plan->tasks = (plan->phase->kind == FC_PHASE_ALL_REDUCE ? 2 : 1) * floor_log2(plan->ranks) + 3;
    return FC_OK;
}

static void halving_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    folded_task(plan, plan->tasks - 3, halving_doubling, rank, task, what);
}

static void halving_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                         fc_send *message) {
    (void)i;
    folded_send(plan, plan->tasks - 3, halving_doubling, rank, task, message);
}

const fc_phase_type fc_halving_doubling = {prepare_halving, halving_task, halving_send};
