/* workload-packets: how long a workload takes (our own model).
 *
 * The workload is played on the network with packets that move as wholes (workloads/packet_play.h):
 * links, virtual channels and buffers are as the scenario has them, flits are not followed. Beside
 * the estimate are the bounds that no network beats (workloads/work_bounds.h). What is drawn is
 * drawn once, by simulation.seed.
 *
 * Valid for every network of routers and every workload. Accuracy: docs/validation/workloads.md;
 * intervals are measured on workloads that were drawn (see `measured`). */
#include <math.h>
#include <stdio.h>
#include "registry/accuracy.h"
#include "registry/method.h"
#include "scenario/routed.h"
#include "workloads/packet_play.h"
#include "workloads/work_bounds.h"
#include "network/link_bound.h"
#include "network/router_faults.h"

static bool suits(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed && routed->workload && !routed->workload->of_trace;
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    if (suits(scenario))
        return FC_OK;
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "workload-packets is for traffic.workload");
}

static void add_phases(const fc_workload *workload, const fc_play *play,
                       const fc_work_bounds *bounds, double duration, fc_result *result) {
    static const char *const columns[] = {"cycles", "alone"};
    fc_table *table = fc_result_add_table(result, "phases", workload->count, columns, 2);
    const bool in_turn = !workload->jobs; /* phases of several jobs do not add up */
    if (in_turn)
        fc_result_set_parts_of(result, FC_METRIC_DURATION);
    double sum = 0;
    for (size_t i = 0; table && i < workload->count; ++i) {
        fc_work_phase_label(workload, i, FC_NAME_SIZE, table->row_labels[i]);
        table->values[2 * i] = play->phase[i];
        table->values[2 * i + 1] = bounds->phase_alone[i];
        if (in_turn)
            fc_result_add_part(result, table->row_labels[i], "cycles", play->phase[i]);
        sum += play->phase[i];
    }
    if (in_turn)
        fc_result_add_part(result, "until the last rank ends", "cycles", duration - sum);
}

static void add_links(const fc_router_network *network, const fc_play *play, double duration,
                      fc_result *result) {
    static const char *const columns[] = {"utilisation", "flits"};
    uint32_t links = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        links += !(network->output_end[o] & FC_TO_NODE);
    fc_table *table = links ? fc_result_add_table(result, "channels", links, columns, 2) : NULL;
    size_t row = 0;
    for (uint32_t o = 0; table && o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%u to %u", network->output_router[o],
                 network->input_router[network->output_end[o]]);
        const double cycles = play->load[o] * fc_link_pace(network, o);
        table->values[2 * row] = duration > 0 ? cycles / duration : 0;
        table->values[2 * row + 1] = play->load[o];
        ++row;
    }
}

static void report(const fc_router_network *network, const fc_workload *workload,
                   const fc_play *play, const fc_work_bounds *bounds, fc_result *result) {
    const double bound = fc_work_bound(bounds), duration = fmax(play->duration, bound);
    if (play->stuck) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_add(result, FC_METRIC_DURATION_BOUND, bound, NAN);
        fc_result_note(result, "the packets waited for each other for ever; simulate it instead");
        return;
    }
    fc_result_add(result, FC_METRIC_DURATION, duration, NAN);
    fc_result_add(result, FC_METRIC_DURATION_BOUND, bound, NAN);
    fc_result_add(result, FC_METRIC_EFFICIENCY, duration > 0 ? bound / duration : 1, NAN);
    char text[160];
    fc_work_bounds_text(bounds, network, sizeof text, text);
    fc_result_note(result, "%s", text);
    add_phases(workload, play, bounds, duration, result);
    add_links(network, play, duration, result);
    result->critical.chain = play->chain.summary;
    result->critical.alone = bounds->chain.summary;
    fc_result_find_critical(result);
    const fc_table_columns columns = {fc_chain_columns, FC_CHAIN_COLUMNS};
    fc_result_add_rows(result, "chain", columns, play->chain.rows, play->chain.labels,
                       play->chain.values);
    fc_result_add_rows(result, "chain_alone", columns, bounds->chain.rows, bounds->chain.labels,
                       bounds->chain.values);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    const fc_routed *routed = fc_scenario_routed(scenario);
    const uint64_t seed = (uint64_t)scenario->simulation.seed;
    fc_router_network *network;
    fc_work_bounds bounds = {0};
    fc_play play = {0};
    fc_status status = fc_router_network_create(scenario, error, &network);
    if (status != FC_OK)
        return status;
    status = fc_work_bounds_find(network, routed, seed, 0, error, &bounds);
    if (status == FC_OK)
        status = fc_play_work(network, routed, seed, error, &play);
    if (status == FC_OK)
        report(network, routed->workload, &play, &bounds, result);
    if (status == FC_OK && network->failures)
        fc_result_add_note(result, "%s", network->failures->text);
    fc_play_clear(&play);
    fc_work_bounds_clear(&bounds);
    fc_router_network_free(network);
    return status;
}

/* ---- measured accuracy ---- */

/* Shares by which the estimate was off in nine of ten workloads drawn at random, over all keys of
 * the network, from each side: docs/validation/workloads.md. */
typedef struct measured_error {
    double low, high, typical, worst;
    size_t cases;
} measured_error;
static const measured_error small_work = {-0.135, 0.135, 0.040, 0.36, 730};
static const measured_error small_work_of_choices = {-0.25, 0.26, 0.096, 0.34, 41};
static const measured_error large_work = {-0.33, 0.25, 0.070, 0.36, 22};

/* What a rank sends; NaN: it is not a collective operation with a number of bytes. */
static double bytes_of_rank(const fc_workload *work) {
    double bytes = 0;
    for (size_t i = 0; i < work->count; ++i) {
        const fc_phase *phase = &work->phases[i];
        switch (phase->kind) {
        case FC_PHASE_ALL_TO_ALL:
            bytes += (double)work->ranks * (double)phase->bytes;
            break;
        case FC_PHASE_ALL_REDUCE:
        case FC_PHASE_REDUCE_SCATTER:
        case FC_PHASE_ALL_GATHER:
        case FC_PHASE_BROADCAST:
        case FC_PHASE_HALO_EXCHANGE:
            bytes += (double)phase->bytes;
            break;
        case FC_PHASE_COMPUTE:
        case FC_PHASE_BARRIER:
            break;
        default:
            return (double)NAN;
        }
    }
    return bytes;
}

/* NULL: like the networks that were drawn; else what is not. */
static const char *unlike(const fc_routed *routed, const fc_workload *work) {
    int64_t stages = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        stages += routed->router_delay[stage];
    return work->ranks > 128              ? "simulated with at most 128 ranks"
           : routed->buffer > 32          ? "simulated with buffers of at most 32 flits"
           : routed->virtual_channels > 8 ? "simulated with at most 8 virtual channels"
           : stages > 4                   ? "simulated with routers of at most 4 cycles"
           : routed->link_delay > 4       ? "simulated with links of at most 4 cycles"
           : routed->node_delay > 4       ? "simulated with links to nodes of at most 4 cycles"
           : work->packet_flits > 32      ? "simulated with packets of at most 32 flits"
           : work->packet_flits < 4       ? "simulated with packets of at least 4 flits"
           : routed->internal_speedup > 2 ? "simulated with internal_speedup 1 and 2"
           : routed->widths_differ        ? "links of other widths than 1 were hardly simulated"
           : isnan(bytes_of_rank(work))   ? "files, matrices and experts were not simulated"
           : bytes_of_rank(work) > 0x1p20 ? "simulated with at most 1 MiB from a rank"
                                          : NULL;
}

static void measured(const fc_scenario *scenario, fc_result *result) {
    fc_accuracy *accuracy = &result->accuracy;
    static const double small_most = 32768; /* bytes */
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_workload *work = routed->workload;
    const char *why = unlike(routed, work);
    const bool chooses =
        routed->adaptive || routed->routes_by_queues || routed->handover == FC_WHEN_EMPTY;
    const bool small = !why && bytes_of_rank(work) <= small_most && work->ranks <= 64;
    if (!why && !small && chooses)
        why = "hardly simulated: more than 32 KiB from a rank, where headers choose by load or "
              "handover is when-empty";
    if (why) {
        snprintf(accuracy->reason, sizeof accuracy->reason, "%s", why);
        return;
    }
    const measured_error *found =
        small ? chooses ? &small_work_of_choices : &small_work : &large_work;
    accuracy->known = true;
    accuracy->cases = accuracy->networks = found->cases;
    accuracy->typical = found->typical;
    accuracy->worst = found->worst;
    accuracy->low = accuracy->high = (double)NAN;
    fc_accuracy_set_interval(result, found->low, found->high);
}

const fc_model fc_model_workload_packets = {
    .info = {.name = "workload-packets",
             .kind = FC_MODEL,
             .family = "torus, fabric",
             .title = "workloads: packets that move as wholes, and the bounds of the duration",
             .revision = 2,
             .source = "ours",
             .validity = "any network of routers with traffic.workload"},
    .suits = suits,
    .covers = covers,
    .solve = solve,
    .measured = measured,
};
