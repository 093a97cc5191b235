#include "scenario/families/workload_rules.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/chakra_file.h"
#include "scenario/scenario.h"
#include "scenario/families/workload_read.h"

static const char key[] = "traffic.workload", groups_key[] = "traffic.groups",
                  jobs_key[] = "traffic.jobs", slow_key[] = "traffic.slow_ranks";

/* ---- ranks ---- */

/* That a file places them all, on nodes there are. */
static fc_status check_placement(const fc_scenario *scenario, const fc_routed *routed,
                                 const fc_workload *workload, fc_error *error) {
    if (workload->placement.kind == FC_PLACE_FILE &&
        workload->placement.count < (size_t)workload->ranks)
        return fc_scenario_fail_key(scenario, "traffic.placement", error,
                                    "%s places %zu ranks; there are %lld", workload->placement.file,
                                    workload->placement.count, (long long)workload->ranks);
    for (size_t i = 0; i < workload->placement.count; ++i) {
        if (workload->placement.node[i] >= (uint64_t)routed->nodes)
            return fc_scenario_fail_key(scenario, "traffic.placement", error,
                                        "%s: rank %zu is placed on node %u; the last one is %lld",
                                        workload->placement.file, i, workload->placement.node[i],
                                        (long long)routed->nodes - 1);
    }
    return FC_OK;
}

static fc_status find_ranks(const fc_scenario *scenario, const fc_routed *routed,
                            fc_workload *workload, fc_error *error) {
    const long long nodes = (long long)routed->nodes;
    if (workload->ranks > routed->nodes)
        return fc_scenario_fail_key(scenario, "traffic.ranks", error,
                                    "traffic.ranks is %lld; the network has %lld nodes, one for "
                                    "each rank",
                                    (long long)workload->ranks, nodes);
    if (workload->ranks == 0)
        workload->ranks = workload->placement.kind == FC_PLACE_FILE
                              ? (int64_t)workload->placement.count
                              : routed->nodes;
    return check_placement(scenario, routed, workload, error);
}

/* ---- jobs ---- */

/* No node has two jobs by the files that place them; the others take what is left. */
static fc_status check_apart(const fc_scenario *scenario, const fc_routed *routed,
                             const fc_workload *workload, fc_error *error) {
    uint16_t *job_of = fc_allocate((size_t)routed->nodes, sizeof *job_of);
    fc_status status = job_of ? FC_OK : fc_fail_memory(error);
    for (size_t j = 0; j < workload->job_count && status == FC_OK; ++j) {
        const fc_workload *work = workload->jobs[j].work;
        for (int64_t i = 0; i < work->ranks && work->placement.count && status == FC_OK; ++i) {
            uint16_t *taken = &job_of[work->placement.node[i]];
            if (*taken)
                status = fc_scenario_fail_key(scenario, jobs_key, error,
                                              "node %u is given to job %d and to job %zu",
                                              work->placement.node[i], *taken, j + 1);
            *taken = (uint16_t)(j + 1);
        }
    }
    fc_release(job_of);
    return status;
}

static fc_status find_jobs(const fc_scenario *scenario, const fc_routed *routed,
                           fc_workload *workload, fc_error *error) {
    fc_status status = FC_OK;
    uint32_t strands = 0;
    workload->ranks = 0;
    for (size_t j = 0; j < workload->job_count && status == FC_OK; ++j) {
        fc_workload *work = workload->jobs[j].work;
        if (!work->ranks)
            work->ranks = (int64_t)work->placement.count;
        workload->ranks += work->ranks;
        strands += work->strands;
        status = check_placement(scenario, routed, work, error);
    }
    if (status != FC_OK)
        return status;
    if (workload->ranks > routed->nodes)
        return fc_scenario_fail_key(scenario, jobs_key, error,
                                    "the jobs have %lld ranks together; the network has %lld "
                                    "nodes, one for each rank",
                                    (long long)workload->ranks, (long long)routed->nodes);
    if (strands > FC_STRANDS_MAX)
        return fc_scenario_fail_key(scenario, jobs_key, error,
                                    "more than %d lists in all phases together of all jobs",
                                    FC_STRANDS_MAX);
    workload->strands = strands;
    return check_apart(scenario, routed, workload, error);
}

/* ---- slow ranks ---- */

static fc_status check_slow(const fc_scenario *scenario, const fc_workload *workload,
                            fc_error *error) {
    const fc_slow_ranks *slow = &workload->slow;
    const bool some = slow->count || slow->share > 0 || slow->deviation > 0;
    for (size_t i = 0; i < slow->count; ++i) {
        if (slow->rank[i] >= (uint64_t)workload->ranks)
            return fc_scenario_fail_key(scenario, slow_key, error,
                                        "traffic.slow_ranks: there is no rank %u; the last one is "
                                        "%lld",
                                        slow->rank[i], (long long)workload->ranks - 1);
    }
    for (size_t i = 0; i < workload->count && some; ++i) {
        if (workload->phases[i].kind == FC_PHASE_FILE)
            return fc_scenario_fail_key(scenario, slow_key, error,
                                        "traffic.slow_ranks: %s says itself how long its ranks "
                                        "compute; change it there",
                                        workload->phases[i].trace.file);
    }
    return FC_OK;
}

/* ---- groups ---- */

static fc_status check_lists(const fc_scenario *scenario, const fc_workload *workload,
                             const fc_grouping *grouping, fc_error *error) {
    const size_t count = grouping->end[grouping->lists - 1];
    for (size_t i = 0; i < count; ++i) {
        if (grouping->member[i] >= (uint64_t)workload->ranks)
            return fc_scenario_fail_key(
                scenario, groups_key, error, "traffic.groups: %s has rank %u; the last one is %lld",
                grouping->name, grouping->member[i], (long long)workload->ranks - 1);
    }
    return FC_OK;
}

/* Groups given by sizes are digits of a rank's number, the first the one that changes fastest. */
static fc_status find_groups(const fc_scenario *scenario, fc_workload *workload, fc_error *error) {
    int64_t product = 1;
    bool sized = false;
    for (size_t i = 0; i < workload->groupings.count; ++i) {
        fc_grouping *grouping = &workload->groupings.list[i];
        if (grouping->size) {
            grouping->stride = product;
            product *= grouping->size;
            sized = true;
            if (product > workload->ranks)
                break;
        } else {
            const fc_status status = check_lists(scenario, workload, grouping, error);
            if (status != FC_OK)
                return status;
        }
    }
    if (sized && product != workload->ranks)
        return fc_scenario_fail_key(scenario, groups_key, error,
                                    "traffic.groups: the product of the sizes must be the number "
                                    "of ranks, %lld; it is %lld%s",
                                    (long long)workload->ranks, (long long)product,
                                    product > workload->ranks ? " or more" : "");
    return FC_OK;
}

static fc_status find_group(const fc_scenario *scenario, const fc_workload *workload,
                            fc_phase *phase, fc_error *error) {
    const char *names[FC_GROUPINGS_MAX + 1] = {0};
    phase->grouping = 0;
    if (!phase->group[0])
        return FC_OK;
    for (size_t i = 0; i < workload->groupings.count; ++i) {
        names[i] = workload->groupings.list[i].name;
        if (strcmp(names[i], phase->group) == 0)
            phase->grouping = (uint32_t)i + 1;
    }
    if (phase->grouping)
        return FC_OK;
    if (!names[0])
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: group: %s needs traffic.groups, for example {%s: 8, "
                                    "others: 8}",
                                    fc_phase_names[phase->kind], phase->group, phase->group);
    return fc_scenario_fail_key(scenario, key, error,
                                "%s: there is no group '%s' in traffic.groups; the first is '%s'",
                                fc_phase_names[phase->kind], phase->group, names[0]);
}

/* ---- phases ---- */

static fc_status check_file(const fc_scenario *scenario, const fc_routed *routed,
                            const fc_workload *workload, const fc_trace *trace, fc_error *error) {
    const char *blamed = workload->of_trace ? "traffic.trace" : key;
    const char *noun = workload->of_trace ? "node" : "rank";
    if (trace->largest_node >= (uint64_t)workload->ranks)
        return fc_scenario_fail_key(
            scenario, blamed, error, "%s:%zu: there is no %s %u; the last one is %lld", trace->file,
            trace->largest_line, noun, trace->largest_node, (long long)workload->ranks - 1);
    if (trace->self_line && !routed->destinations->to_self)
        return fc_scenario_fail_key(scenario, blamed, error,
                                    "%s:%zu: a %s would send to itself; leave the line out, or "
                                    "set traffic.self_messages: sent",
                                    trace->file, trace->self_line, noun);
    return FC_OK;
}

static fc_status check_grid(const fc_scenario *scenario, const fc_phase *phase, int64_t members,
                            fc_error *error) {
    int64_t ranks = 1;
    for (size_t d = 0; d < phase->grid.count && ranks <= members; ++d)
        ranks *= phase->grid.values[d];
    if (phase->grid.count && ranks != members)
        return fc_scenario_fail_key(
            scenario, key, error,
            "halo-exchange: the sides of grid must multiply to the number of "
            "ranks, %lld",
            (long long)members);
    return FC_OK;
}

static bool power_of_two(int64_t number) {
    return (number & (number - 1)) == 0;
}

/* Algorithms that halve need a power of two of ranks, but for all-reduce, which folds. */
static fc_status check_power(const fc_scenario *scenario, const fc_phase *phase, int algorithm,
                             int64_t ranks, fc_error *error) {
    const bool halves = algorithm == FC_ALGORITHM_RECURSIVE_HALVING ||
                        algorithm == FC_ALGORITHM_HALVING_DOUBLING ||
                        algorithm == FC_ALGORITHM_RECURSIVE_DOUBLING;
    const bool folds = phase->kind == FC_PHASE_ALL_REDUCE &&
                       algorithm != FC_ALGORITHM_RECURSIVE_HALVING &&
                       (phase->algorithm != FC_ALGORITHM_HIERARCHICAL || algorithm != phase->inner);
    if (!halves || folds || power_of_two(ranks))
        return FC_OK;
    return fc_scenario_fail_key(scenario, key, error,
                                "%s: algorithm: %s needs a power of two of ranks, not %lld; use "
                                "ring",
                                fc_phase_names[phase->kind], fc_algorithm_names[algorithm],
                                (long long)ranks);
}

static fc_status check_members(const fc_scenario *scenario, const fc_workload *workload,
                               const fc_phase *phase, int64_t members, fc_error *error) {
    const char *name = fc_phase_names[phase->kind];
    const long long ranks = (long long)members;
    if (phase->kind == FC_PHASE_HALO_EXCHANGE)
        return check_grid(scenario, phase, members, error);
    if (phase->kind == FC_PHASE_BROADCAST && phase->root >= members)
        return fc_scenario_fail_key(scenario, key, error,
                                    "broadcast: there is no rank %lld; the last one is %lld",
                                    (long long)phase->root, ranks - 1);
    if (phase->matrix.bytes && phase->matrix.ranks > (uint64_t)members)
        return fc_scenario_fail_key(scenario, key, error, "%s is for %u ranks; there are %lld",
                                    phase->matrix.file, phase->matrix.ranks, ranks);
    if (phase->kind == FC_PHASE_EXPERTS && !phase->matrix.bytes && phase->choices > ranks &&
        !phase->experts)
        return fc_scenario_fail_key(scenario, key, error,
                                    "mixture-of-experts: a token cannot be sent to %lld of %lld "
                                    "experts",
                                    (long long)phase->choices, ranks);
    if (phase->algorithm != FC_ALGORITHM_HIERARCHICAL)
        return check_power(scenario, phase, phase->algorithm, members, error);
    const int64_t inner = phase->inner_ranks ? phase->inner_ranks : workload->inner_ranks;
    if (!inner)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: hierarchical needs inner_ranks, the neighbouring ranks "
                                    "that make an inner group",
                                    name);
    if (members % inner)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: %lld ranks cannot be divided into inner groups of %lld",
                                    name, ranks, (long long)inner);
    if (phase->kind == FC_PHASE_ALL_REDUCE && phase->inner == FC_ALGORITHM_TWO_TREES)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: inner: two-trees leaves the whole sum with every rank; "
                                    "inside, an algorithm must scatter it, for example ring",
                                    name);
    const fc_status status = check_power(scenario, phase, phase->inner, inner, error);
    return status == FC_OK ? check_power(scenario, phase, phase->outer, members / inner, error)
                           : status;
}

static fc_status check_chakra(const fc_scenario *scenario, const fc_workload *workload,
                              const fc_chakra *chakra, fc_error *error) {
    const long long ranks = (long long)chakra->ranks * chakra->replicas;
    fc_status status = FC_OK;
    if (ranks > workload->ranks)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: the trace has %lld ranks (%u files, %lld times); there "
                                    "are %lld",
                                    chakra->prefix, ranks, chakra->ranks,
                                    (long long)chakra->replicas, (long long)workload->ranks);
    for (size_t i = 0; i < FC_CHAKRA_FORMS && status == FC_OK; ++i) {
        const fc_phase *form = &chakra->forms[i];
        if (form->algorithm == FC_ALGORITHM_HIERARCHICAL && !form->inner_ranks &&
            !workload->inner_ranks)
            status = fc_scenario_fail_key(scenario, key, error,
                                          "%s: hierarchical needs inner_ranks, the neighbouring "
                                          "ranks that make an inner group",
                                          fc_phase_names[form->kind]);
    }
    return status;
}

static fc_status check_phase(const fc_scenario *scenario, const fc_routed *routed,
                             const fc_workload *workload, fc_phase *phase, fc_error *error) {
    if (phase->kind == FC_PHASE_FILE)
        return check_file(scenario, routed, workload, &phase->trace, error);
    if (phase->kind == FC_PHASE_TOGETHER)
        return FC_OK;
    if (phase->kind == FC_PHASE_CHAKRA)
        return check_chakra(scenario, workload, phase->chakra, error);
    fc_status status = find_group(scenario, workload, phase, error);
    const fc_grouping *grouping = fc_phase_grouping(workload, phase);
    if (status != FC_OK || !grouping || grouping->size)
        return status == FC_OK ? check_members(scenario, workload, phase,
                                               grouping ? grouping->size : workload->ranks, error)
                               : status;
    for (size_t list = 0; list < grouping->lists && status == FC_OK; ++list) {
        const uint32_t first = list ? grouping->end[list - 1] : 0;
        status = check_members(scenario, workload, phase, grouping->end[list] - first, error);
    }
    return status;
}

/* network.flit_bytes is that of the workload too. */
static fc_status take_flit_size(const fc_scenario *scenario, fc_workload *workload,
                                fc_error *error) {
    const double bytes = scenario->units.flit_bytes;
    const bool given = fc_scenario_has(scenario, "traffic.flit_bytes");
    if (!(bytes > 0) || workload->of_trace)
        return FC_OK;
    if (given && (double)workload->flit_bytes != bytes)
        return fc_scenario_fail_key(scenario, "traffic.flit_bytes", error,
                                    "traffic.flit_bytes is %lld and network.flit_bytes %g; one of "
                                    "them is enough",
                                    (long long)workload->flit_bytes, bytes);
    if (bytes != floor(bytes) || bytes < 1)
        return fc_scenario_fail_key(scenario, "network.flit_bytes", error,
                                    "network.flit_bytes is %g; a workload takes whole bytes",
                                    bytes);
    workload->flit_bytes = (int64_t)bytes;
    return FC_OK;
}

/* What all ranks have in common is that of each job. */
static fc_status finish_jobs(const fc_scenario *scenario, const fc_routed *routed,
                             const fc_workload *workload, fc_error *error) {
    fc_status status = FC_OK;
    for (size_t j = 0; j < workload->job_count && status == FC_OK; ++j) {
        fc_workload *work = workload->jobs[j].work;
        work->flit_bytes = workload->flit_bytes;
        work->packet_flits = workload->packet_flits;
        work->reduction_time = workload->reduction_time;
        work->inner_ranks = workload->inner_ranks;
        status = fc_workload_finish(scenario, routed, workload->wraps, work, error);
    }
    return status;
}

fc_status fc_workload_finish(const fc_scenario *scenario, const fc_routed *routed, bool wraps,
                             fc_workload *workload, fc_error *error) {
    fc_status status = workload->jobs ? find_jobs(scenario, routed, workload, error)
                                      : find_ranks(scenario, routed, workload, error);
    if (status == FC_OK)
        status = check_slow(scenario, workload, error);
    if (status == FC_OK)
        status = take_flit_size(scenario, workload, error);
    if (status == FC_OK && workload->jobs) {
        workload->wraps = wraps;
        return finish_jobs(scenario, routed, workload, error);
    }
    if (status == FC_OK)
        status = find_groups(scenario, workload, error);
    for (size_t i = 0; i < workload->count && status == FC_OK; ++i)
        status = check_phase(scenario, routed, workload, &workload->phases[i], error);
    const double clock = scenario->units.clock_ghz;
    workload->cycles_of_microsecond = 1000 * (clock > 0 ? clock : 1);
    workload->wraps = wraps;
    if (workload->ranks == routed->nodes) {
        if (routed->concentration > 1)
            workload->grid.values[workload->grid.count++] = routed->concentration;
        for (size_t d = 0; d < routed->digits.count && workload->grid.count < FC_LIST_MAX; ++d)
            workload->grid.values[workload->grid.count++] = routed->digits.values[d];
    }
    return status;
}
