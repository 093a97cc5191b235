/* Phases as programs of ranks.
 *
 * In a phase every rank has the same number of tasks, numbered from 0. A task waits until so many
 * packets that carry its number have been delivered to its rank, takes its cycles, and then sends
 * its messages. Each message names the rank and the task that it is for. A task also waits for
 * tasks before it: all of them, or those of earlier stages. A rank has finished a phase when all
 * its tasks are done.
 *
 * A phase on groups of ranks, and one that is made of others (hierarchical), has stages: in each,
 * every group has a plan of its own, whose ranks are numbered within the group. A rank outside all
 * groups has empty tasks there.
 *
 * Nothing is stored for a message: a plan tells tasks and messages by their numbers, so that an
 * all-to-all of a thousand ranks takes no more memory than its ranks do. */
#ifndef FC_WORKLOADS_PHASE_PLAN_H
#define FC_WORKLOADS_PHASE_PLAN_H

#include "base/status.h"
#include "scenario/workload.h"
#include "workloads/communicators.h"

typedef struct fc_task {
    uint64_t packets; /* it waits for */
    uint64_t cycles;  /* from the last of them until it sends */
    uint64_t reduced; /* bytes of them that are added up first */
    uint32_t sends;   /* messages */
    uint32_t after;   /* tasks with smaller numbers must be done; set by fc_plan_task */
    bool in_order;    /* of a type: after the task before it */
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
    void *data;              /* of the type; freed with fc_release */
    struct fc_stage *stages; /* NULL: the type says what is to be done */
    uint32_t stage_count;
    const fc_trace *trace;    /* of a file */
    fc_trace *own_trace;      /* if it was made for this plan */
    bool loose;               /* some tasks do not wait for the one before them */
    double messages, packets; /* of one pass */
};

/* One after the other, each on groups of ranks. */
typedef struct fc_stage {
    uint32_t first_task, tasks;
    fc_communicators groups;
    fc_phase *phases;     /* of each group */
    fc_phase_plan *plans; /* of each group */
} fc_stage;

/* Makes the stages of a phase that has some. */
bool fc_phase_is_staged(const fc_phase *phase);
fc_status fc_stages_create(fc_phase_plan *plan, fc_error *error);
/* A plan of one group: type, tasks and data, nothing measured. */
fc_status fc_phase_plan_prepare(fc_phase_plan *plan, fc_error *error);

/* seed, replication  of what the phase draws */
fc_status fc_phase_plan_create(const fc_workload *workload, const fc_phase *phase, uint64_t seed,
                               uint32_t replication, fc_error *error, fc_phase_plan *plan);
void fc_phase_plan_clear(fc_phase_plan *plan);

/* Messages of a file, or of what becomes one. */
bool fc_phase_is_file(const fc_phase *phase);

void fc_plan_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what);
void fc_plan_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                  fc_send *message);

uint64_t fc_plan_flits(const fc_phase_plan *plan, uint64_t bytes);
uint64_t fc_plan_packets(const fc_phase_plan *plan, uint64_t bytes);

/* A part of a vector that is cut into `parts` as even as possible. */
static inline uint64_t fc_part_bytes(uint64_t bytes, uint64_t parts, uint64_t part) {
    return bytes / parts + (part < bytes % parts);
}

extern const fc_phase_type fc_all_to_all, fc_broadcast, fc_halo_exchange, fc_experts,
    fc_matrix_exchange, fc_computation, fc_barrier;
/* Algorithms of all-reduce, each a type of its own. */
extern const fc_phase_type fc_two_trees, fc_halving_doubling, fc_recursive_doubling, fc_ring_steps,
    fc_multi_ring, fc_direct_steps;
/* The i-th rank that a rank sends to, in the order of the phase. */
uint32_t fc_plan_partner(const fc_phase_plan *plan, uint32_t rank, uint32_t i);

#endif
