/* Phases as programs of ranks.
 *
 * In a phase every rank has the same number of tasks, numbered from 0. A task waits until so many
 * packets that carry its number have been delivered to its rank, takes its cycles, and then sends
 * its messages. Each message names the rank and the task that it is for. Tasks in order wait for
 * the one before them too; a rank has finished a phase when all its tasks are done.
 *
 * Nothing is stored for a message: a plan tells tasks and messages by their numbers, so that an
 * all-to-all of a thousand ranks takes no more memory than its ranks do. */
#ifndef FC_WORKLOADS_PHASE_PLAN_H
#define FC_WORKLOADS_PHASE_PLAN_H

#include "base/status.h"
#include "scenario/workload.h"

typedef struct fc_task {
    uint64_t packets; /* it waits for */
    uint64_t cycles;  /* from the last of them until it sends */
    uint32_t sends;   /* messages */
    bool in_order;    /* after the task before it; task 0: when the rank enters the phase */
} fc_task;

typedef struct fc_send {
    uint32_t rank, task; /* whom it is for */
    uint64_t bytes;
} fc_send;

typedef struct fc_phase_plan fc_phase_plan;

/* What a kind of phase is: one descriptor, listed in phase_plan.c. */
typedef struct fc_phase_type {
    /* Sets plan->tasks and, if it needs it, plan->data. */
    fc_status (*prepare)(fc_phase_plan *plan, fc_error *error);
    void (*task)(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what);
    /* Message number i of a task. */
    void (*send)(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                 fc_send *message);
} fc_phase_type;

struct fc_phase_plan {
    const fc_phase *phase;
    const fc_workload *workload;
    const fc_phase_type *type; /* NULL: a file */
    uint32_t ranks;
    uint32_t tasks; /* of a rank */
    uint64_t seed;  /* of what is drawn */
    uint32_t replication;
    void *data;                      /* of the type; freed with fc_release */
    double messages, packets, flits; /* of one pass */
};

/* seed, replication  of what the phase draws */
fc_status fc_phase_plan_create(const fc_workload *workload, const fc_phase *phase, uint64_t seed,
                               uint32_t replication, fc_error *error, fc_phase_plan *plan);
void fc_phase_plan_clear(fc_phase_plan *plan);

uint64_t fc_plan_flits(const fc_phase_plan *plan, uint64_t bytes);
uint64_t fc_plan_packets(const fc_phase_plan *plan, uint64_t bytes);

/* A part of a vector that is cut into `parts` as even as possible. */
static inline uint64_t fc_part_bytes(uint64_t bytes, uint64_t parts, uint64_t part) {
    return bytes / parts + (part < bytes % parts);
}

extern const fc_phase_type fc_all_to_all, fc_all_reduce, fc_reduce_scatter, fc_all_gather,
    fc_broadcast, fc_halo_exchange, fc_experts, fc_matrix_exchange, fc_computation, fc_barrier;
/* Algorithms of all-reduce, each a type of its own. */
extern const fc_phase_type fc_two_trees, fc_halving_doubling, fc_recursive_doubling, fc_ring_steps;

#endif
