#include "workloads/phase_plan.h"

#include <math.h>
#include "base/memory.h"
#include "scenario/families/workload_read.h"
#include "scenario/families/workload_rules.h"
#include "scenario/formats/trace_file.h"
#include "workloads/chakra_schedule.h"

static const fc_phase_type *type_of(const fc_phase *phase) {
    static const fc_phase_type *const types[FC_PHASE_KINDS] = {
        [FC_PHASE_ALL_TO_ALL] = &fc_all_to_all, [FC_PHASE_REDUCE_SCATTER] = &fc_ring_steps,
        [FC_PHASE_ALL_GATHER] = &fc_ring_steps, [FC_PHASE_ALL_REDUCE] = &fc_ring_steps,
        [FC_PHASE_BROADCAST] = &fc_broadcast,   [FC_PHASE_HALO_EXCHANGE] = &fc_halo_exchange,
        [FC_PHASE_EXPERTS] = &fc_experts,       [FC_PHASE_MATRIX] = &fc_matrix_exchange,
        [FC_PHASE_COMPUTE] = &fc_computation,   [FC_PHASE_BARRIER] = &fc_barrier,
        [FC_PHASE_TOGETHER] = &fc_barrier,
    };
    if (phase->kind == FC_PHASE_BROADCAST || phase->kind == FC_PHASE_ALL_TO_ALL)
        return types[phase->kind];
    switch (phase->algorithm) {
    case FC_ALGORITHM_RECURSIVE_DOUBLING:
        return phase->kind == FC_PHASE_ALL_REDUCE ? &fc_recursive_doubling : &fc_halving_doubling;
    case FC_ALGORITHM_HALVING_DOUBLING:
    case FC_ALGORITHM_RECURSIVE_HALVING:
        return &fc_halving_doubling;
    case FC_ALGORITHM_TWO_TREES:
        return &fc_two_trees;
    case FC_ALGORITHM_DIRECT:
        return &fc_direct_steps;
    case FC_ALGORITHM_MULTI_RING:
        return &fc_multi_ring;
    default:
        return types[phase->kind];
    }
}

uint64_t fc_plan_flits(const fc_phase_plan *plan, uint64_t bytes) {
    return fc_workload_flits(plan->workload, bytes);
}

uint64_t fc_plan_packets(const fc_phase_plan *plan, uint64_t bytes) {
    const uint64_t size = (uint64_t)plan->workload->packet_flits;
    return (fc_plan_flits(plan, bytes) + size - 1) / size;
}

/* ---- size ---- */

static fc_status fail_size(const fc_phase *phase, double messages, fc_error *error) {
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "%s makes %.3g messages; a workload takes at most %.0f million. Use fewer ranks "
                   "or repetitions",
                   fc_phase_names[phase->kind], messages, FC_WORK_MESSAGES_MAX / 1e6);
}

/* ---- what a rank does ---- */

/* The plan of a rank's group in the stage of a task; NULL: it has nothing to do. */
static const fc_phase_plan *in_group(const fc_phase_plan *plan, uint32_t rank, uint32_t task,
                                     const fc_stage **stage) {
    const fc_stage *of = plan->stages;
    while (task - of->first_task >= of->tasks)
        ++of;
    *stage = of;
    const uint32_t group = of->groups.group[rank];
    return group != UINT32_MAX && task - of->first_task < of->plans[group].tasks ? &of->plans[group]
                                                                                 : NULL;
}

void fc_plan_task(const fc_phase_plan *plan, uint32_t rank, uint32_t task, fc_task *what) {
    uint32_t first = 0;
    if (plan->stages) {
        const fc_stage *stage;
        const fc_phase_plan *own = in_group(plan, rank, task, &stage);
        first = stage->first_task;
        if (own)
            own->type->task(own, stage->groups.place[rank], task - first, what);
        else
            *what = (fc_task){.in_order = true};
    } else {
        plan->type->task(plan, rank, task, what);
    }
    what->after = what->in_order ? task : first;
    if (what->reduced)
        what->cycles += (uint64_t)ceil((double)what->reduced * plan->workload->reduction_time);
}

void fc_plan_send(const fc_phase_plan *plan, uint32_t rank, uint32_t task, uint32_t i,
                  fc_send *message) {
    if (!plan->stages) {
        plan->type->send(plan, rank, task, i, message);
        return;
    }
    const fc_stage *stage;
    const fc_phase_plan *own = in_group(plan, rank, task, &stage);
    own->type->send(own, stage->groups.place[rank], task - stage->first_task, i, message);
    message->task += stage->first_task;
    message->rank =
        stage->groups.member[stage->groups.first[stage->groups.group[rank]] + message->rank];
}

static fc_status measure(fc_phase_plan *plan, fc_error *error) {
    if ((double)plan->ranks * plan->tasks > FC_WORK_MESSAGES_MAX)
        return fail_size(plan->phase, (double)plan->ranks * plan->tasks, error);
    for (uint32_t rank = 0; rank < plan->ranks; ++rank) {
        for (uint32_t task = 0; task < plan->tasks; ++task) {
            fc_task what;
            fc_plan_task(plan, rank, task, &what);
            plan->messages += what.sends;
            plan->packets += (double)what.packets;
            plan->loose |= what.after < task;
        }
    }
    if (plan->messages > FC_WORK_MESSAGES_MAX)
        return fail_size(plan->phase, plan->messages, error);
    return FC_OK;
}

bool fc_phase_is_file(const fc_phase *phase) {
    return phase->kind == FC_PHASE_FILE || phase->kind == FC_PHASE_CHAKRA;
}

static fc_status plan_file(fc_phase_plan *plan, fc_error *error) {
    fc_status status = FC_OK;
    plan->trace = &plan->phase->trace;
    if (plan->phase->kind == FC_PHASE_CHAKRA) {
        plan->trace = plan->own_trace = fc_allocate(1, sizeof *plan->own_trace);
        status =
            plan->trace ? fc_chakra_schedule(plan, error, plan->own_trace) : fc_fail_memory(error);
    }
    plan->messages = plan->packets = (double)(plan->trace ? plan->trace->count : 0);
    return status;
}

fc_status fc_phase_plan_create(const fc_workload *workload, const fc_phase *phase, uint64_t seed,
                               uint32_t replication, fc_error *error, fc_phase_plan *plan) {
    *plan = (fc_phase_plan){.phase = phase,
                            .workload = workload,
                            .ranks = (uint32_t)workload->ranks,
                            .seed = seed,
                            .replication = replication};
    if (fc_phase_is_file(phase))
        return plan_file(plan, error);
    fc_status status = fc_phase_is_staged(phase) ? fc_stages_create(plan, error)
                                                 : fc_phase_plan_prepare(plan, error);
    if (status == FC_OK)
        status = measure(plan, error);
    return status;
}

fc_status fc_phase_plan_prepare(fc_phase_plan *plan, fc_error *error) {
    plan->type = type_of(plan->phase);
    return plan->type->prepare(plan, error);
}

void fc_phase_plan_clear(fc_phase_plan *plan) {
    for (uint32_t i = 0; i < plan->stage_count; ++i) {
        fc_stage *stage = &plan->stages[i];
        for (uint32_t g = 0; stage->plans && g < stage->groups.count; ++g)
            fc_phase_plan_clear(&stage->plans[g]);
        fc_release(stage->plans);
        fc_release(stage->phases);
        fc_communicators_clear(&stage->groups);
    }
    if (plan->own_trace)
        fc_trace_clear(plan->own_trace);
    fc_release(plan->own_trace);
    fc_release(plan->stages);
    fc_release(plan->data);
    plan->stages = NULL;
    plan->stage_count = 0;
    plan->data = NULL;
    plan->own_trace = NULL;
}
