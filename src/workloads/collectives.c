/* Collective operations that work in steps: task s sends step s, when what step s - 1 sent to its
 * rank is there; the last task only waits.
 *
 *   ring                 every step a p-th of the vector to the next rank: p - 1 steps to reduce
 *                        and scatter, p - 1 to gather
 *   recursive doubling   log2 p steps, the whole vector to the rank that differs in bit s
 *   halving-doubling     log2 p steps of halves, quarters, ... with the ranks that differ in the
 *                        highest bit first (Rabenseifner), and the same backwards to gather
 *
 * Ranks beyond the largest power of two, in the last two, hand their vector to a partner before the
 * first step and get the result after the last one. */
#include "workloads/phase_plan.h"

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
    if (task)
        what->packets = fc_plan_packets(plan, ring_bytes(plan, left, task - 1));
}

static void ring_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                      fc_send *message) {
    (void)i;
    *message = (fc_send){
        .rank = (rank + 1) % plan->ranks, .task = task + 1, .bytes = ring_bytes(plan, rank, task)};
}

const fc_phase_type fc_ring_steps = {prepare_ring, ring_task, ring_send};

/* ---- powers of two ---- */

static uint32_t floor_log2(uint32_t number) {
    return 31 - (uint32_t)__builtin_clz(number);
}

/* Who takes part in the steps, and what a step is to them. */
typedef struct exchange {
    uint32_t partner;
    uint64_t bytes; /* to it, and from it unless they differ */
    uint64_t bytes_back;
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
    if (task == 1)
        what->packets = helped ? whole : 0;
    if (task >= 2 && task <= steps + 1)
        what->packets = fc_plan_packets(plan, of(plan, rank, task - 2).bytes_back);
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
    return (exchange){.partner = rank ^ 1u << step, .bytes = bytes, .bytes_back = bytes};
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
    return (exchange){partner, block_bytes(plan, partner, bit), block_bytes(plan, rank, bit)};
}

/* A vector that is put together: what a rank has goes to the partner. */
static exchange join(const fc_phase_plan *plan, uint32_t rank, uint32_t bit) {
    const uint32_t partner = rank ^ 1u << bit;
    return (exchange){partner, block_bytes(plan, rank, bit), block_bytes(plan, partner, bit)};
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
