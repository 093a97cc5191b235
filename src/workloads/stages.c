/* Phases on groups of ranks, and hierarchical ones: blocks of neighbouring ranks (the inner groups,
 * say the GPUs of a node) and the ranks of equal place in all blocks (the outer groups, the rails).
 *
 *   all-reduce      reduce-scatter inside, all-reduce of each part across, all-gather inside
 *   reduce-scatter  inside, then each part across
 *   all-gather      across, then inside
 *   all-to-all      what is for ranks of one place to the rank of that place inside, then across
 *
 * Part i of the vector is that of the outer group of place i. */
#include "workloads/phase_plan.h"

#include "base/memory.h"
#include "scenario/families/workload_rules.h"

bool fc_phase_is_staged(const fc_phase *phase) {
    return phase->grouping || phase->algorithm == FC_ALGORITHM_HIERARCHICAL;
}

/* ---- what a stage is ---- */

/* One stage of a hierarchical phase. */
typedef struct stage_form {
    fc_phase_kind kind;
    bool across; /* on the outer groups */
} stage_form;

enum { STAGES_MAX = 3 };

static uint32_t hierarchical_forms(fc_phase_kind kind, stage_form form[STAGES_MAX]) {
    switch (kind) {
    case FC_PHASE_ALL_REDUCE:
        form[0] = (stage_form){FC_PHASE_REDUCE_SCATTER, false};
        form[1] = (stage_form){FC_PHASE_ALL_REDUCE, true};
        form[2] = (stage_form){FC_PHASE_ALL_GATHER, false};
        return 3;
    default:
        form[0] = (stage_form){kind, kind == FC_PHASE_ALL_GATHER};
        form[1] = (stage_form){kind, kind != FC_PHASE_ALL_GATHER};
        return 2;
    }
}

static uint32_t inner_ranks(const fc_phase_plan *plan) {
    return (uint32_t)(plan->phase->inner_ranks ? plan->phase->inner_ranks
                                               : plan->workload->inner_ranks);
}

/* The algorithm by which an all-reduce goes, for a half of one. */
static int algorithm_for(fc_phase_kind kind, int algorithm) {
    if (algorithm != FC_ALGORITHM_HALVING_DOUBLING)
        return algorithm;
    return kind == FC_PHASE_REDUCE_SCATTER ? FC_ALGORITHM_RECURSIVE_HALVING
           : kind == FC_PHASE_ALL_GATHER   ? FC_ALGORITHM_RECURSIVE_DOUBLING
                                           : algorithm;
}

/* What group number `group` does in the stage of a hierarchical phase. */
static fc_phase part_of(const fc_phase_plan *plan, const stage_form *form, uint32_t group,
                        uint32_t blocks) {
    fc_phase part = *plan->phase;
    const uint32_t inner = inner_ranks(plan);
    const uint64_t bytes = (uint64_t)part.bytes;
    part.kind = form->kind;
    part.inner_ranks = 1;
    part.algorithm = algorithm_for(form->kind, form->across ? part.outer : part.inner);
    if (part.kind == FC_PHASE_ALL_TO_ALL)
        part.bytes = (int64_t)(bytes * (form->across ? inner : blocks));
    else if (form->across)
        part.bytes = (int64_t)fc_part_bytes(bytes, inner, group % inner);
    return part;
}

/* ---- making them ---- */

static fc_status plan_groups(fc_phase_plan *plan, fc_stage *stage, const stage_form *form,
                             const fc_communicators *base, fc_error *error) {
    stage->phases = fc_allocate((size_t)stage->groups.count + 1, sizeof *stage->phases);
    stage->plans = fc_allocate((size_t)stage->groups.count + 1, sizeof *stage->plans);
    if (!stage->phases || !stage->plans)
        return fc_fail_memory(error);
    for (uint32_t g = 0; g < stage->groups.count; ++g) {
        const uint32_t of = base->group[stage->groups.member[stage->groups.first[g]]];
        const uint32_t size = fc_communicators_size(base, of);
        stage->phases[g] = form ? part_of(plan, form, g, size / inner_ranks(plan)) : *plan->phase;
        stage->phases[g].grouping = 0;
        stage->plans[g] = (fc_phase_plan){.phase = &stage->phases[g],
                                          .workload = plan->workload,
                                          .ranks = fc_communicators_size(&stage->groups, g),
                                          .seed = plan->seed + ((uint64_t)g << 20),
                                          .replication = plan->replication};
        const fc_status status = fc_phase_plan_prepare(&stage->plans[g], error);
        if (status != FC_OK)
            return status;
        if (stage->plans[g].tasks > stage->tasks)
            stage->tasks = stage->plans[g].tasks;
    }
    return FC_OK;
}

fc_status fc_stages_create(fc_phase_plan *plan, fc_error *error) {
    const bool hierarchical = plan->phase->algorithm == FC_ALGORITHM_HIERARCHICAL;
    stage_form form[STAGES_MAX];
    const uint32_t count = hierarchical ? hierarchical_forms(plan->phase->kind, form) : 1;
    const fc_grouping *grouping = fc_phase_grouping(plan->workload, plan->phase);
    fc_communicators base;
    plan->stages = fc_allocate(count, sizeof *plan->stages);
    if (!plan->stages)
        return fc_fail_memory(error);
    plan->stage_count = count;
    fc_status status = fc_communicators_create(grouping, plan->ranks, error, &base);
    if (status != FC_OK)
        return status;
    for (uint32_t i = 0; i < count && status == FC_OK; ++i) {
        fc_stage *stage = &plan->stages[i];
        status = hierarchical
                     ? fc_communicators_split(&base, plan->ranks, inner_ranks(plan), form[i].across,
                                              error, &stage->groups)
                     : fc_communicators_create(grouping, plan->ranks, error, &stage->groups);
        if (status == FC_OK)
            status = plan_groups(plan, stage, hierarchical ? &form[i] : NULL, &base, error);
        stage->first_task = plan->tasks;
        plan->tasks += stage->tasks;
    }
    fc_communicators_clear(&base);
    return status;
}
