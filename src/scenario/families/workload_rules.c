#include "scenario/families/workload_rules.h"

#include <math.h>
#include "scenario/scenario.h"
#include "scenario/families/workload_read.h"

static const char key[] = "traffic.workload";

/* ---- ranks ---- */

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
                                        nodes - 1);
    }
    return FC_OK;
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

static fc_status check_grid(const fc_scenario *scenario, const fc_workload *workload,
                            const fc_phase *phase, fc_error *error) {
    int64_t ranks = 1;
    for (size_t d = 0; d < phase->grid.count && ranks <= workload->ranks; ++d)
        ranks *= phase->grid.values[d];
    if (phase->grid.count && ranks != workload->ranks)
        return fc_scenario_fail_key(
            scenario, key, error,
            "halo-exchange: the sides of grid must multiply to the number of "
            "ranks, %lld",
            (long long)workload->ranks);
    return FC_OK;
}

static bool power_of_two(int64_t number) {
    return (number & (number - 1)) == 0;
}

static fc_status check_phase(const fc_scenario *scenario, const fc_routed *routed,
                             const fc_workload *workload, const fc_phase *phase, fc_error *error) {
    const char *name = fc_phase_names[phase->kind];
    const long long ranks = (long long)workload->ranks;
    if (phase->kind == FC_PHASE_FILE)
        return check_file(scenario, routed, workload, &phase->trace, error);
    if (phase->kind == FC_PHASE_HALO_EXCHANGE)
        return check_grid(scenario, workload, phase, error);
    if (phase->kind == FC_PHASE_BROADCAST && phase->root >= workload->ranks)
        return fc_scenario_fail_key(scenario, key, error,
                                    "broadcast: there is no rank %lld; the last one is %lld",
                                    (long long)phase->root, ranks - 1);
    if (phase->matrix.bytes && phase->matrix.ranks > (uint64_t)workload->ranks)
        return fc_scenario_fail_key(scenario, key, error, "%s is for %u ranks; there are %lld",
                                    phase->matrix.file, phase->matrix.ranks, ranks);
    if (phase->kind == FC_PHASE_EXPERTS && !phase->matrix.bytes && phase->choices > ranks &&
        !phase->experts)
        return fc_scenario_fail_key(scenario, key, error,
                                    "mixture-of-experts: a token cannot be sent to %lld of %lld "
                                    "experts",
                                    (long long)phase->choices, ranks);
    const bool needs_power =
        (phase->kind == FC_PHASE_REDUCE_SCATTER && phase->algorithm != FC_ALGORITHM_RING) ||
        (phase->kind == FC_PHASE_ALL_GATHER && phase->algorithm != FC_ALGORITHM_RING);
    if (needs_power && !power_of_two(workload->ranks))
        return fc_scenario_fail_key(
            scenario, key, error,
            "%s: algorithm: %s needs a power of two of ranks, not %lld; use "
            "ring",
            name, fc_algorithm_names[phase->algorithm], ranks);
    return FC_OK;
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

fc_status fc_workload_finish(const fc_scenario *scenario, const fc_routed *routed, bool wraps,
                             fc_workload *workload, fc_error *error) {
    fc_status status = find_ranks(scenario, routed, workload, error);
    for (size_t i = 0; i < workload->count && status == FC_OK; ++i)
        status = check_phase(scenario, routed, workload, &workload->phases[i], error);
    if (status == FC_OK)
        status = take_flit_size(scenario, workload, error);
    workload->wraps = wraps;
    if (workload->ranks == routed->nodes) {
        if (routed->concentration > 1)
            workload->grid.values[workload->grid.count++] = routed->concentration;
        for (size_t d = 0; d < routed->digits.count && workload->grid.count < FC_LIST_MAX; ++d)
            workload->grid.values[workload->grid.count++] = routed->digits.values[d];
    }
    return status;
}
