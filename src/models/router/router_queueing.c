/* Latency of networks of virtual-channel routers with credits (our own model).
 *
 * System: what the router simulator simulates with open traffic: any topology whose routes are
 * known, any destinations, messages of one length or a mix, requests with replies, any delays, V
 * channels with buffers of B flits. docs/theory/router_queueing.md has the equations, with the
 * section numbers that the files of this folder cite.
 *
 * The latency of a message is its exact latency without load plus these delays of its header and
 * its tail:
 *
 *   source   the wait for the node's link (router_source.c)
 *   behind   the header waits in the buffer for the message before it in the same channel
 *            (router_behind.c); the part of it that lacks credits is `credit`
 *   channel  no virtual channel of the output is free            (router_service.c)
 *   switch   the header has a channel and waits for its turn     (router_service.c)
 *   lag      flits of several messages take turns on a link, so that the tail arrives further
 *            behind its header than the length of the message (router_lag.c). It does not add up
 *            over hops: data flits catch up while their header is in the stages of a router.
 *
 * Symbols of the theory and the fields that hold them (router_solver.h). A lane is a set of virtual
 * channels of one link that the same messages may take; a movement goes from a lane to a lane of
 * the next link.
 *
 *   links      lam, rho  rate, load     messages and flits per cycle
 *              X         busy           share of the time that it serves, stalls included
 *              ex        extra          cycles of service of a message beyond its flits
 *              Q         backlog        cycles of work that wait for it
 *              U         stall          cycles that a message on it is held up from ahead
 *              S         lag            mean cycles by which tails arrive late
 *              Kc, swc   credit, turn   mean waits of headers: for credits, for the switch
 *              g0        slow           slowdown of a message that is alone
 *   lanes      V         channels
 *              rl        filling        occupation of its channels; rl^V: all are taken (full)
 *              H         holding        cycles that a message holds a channel
 *              wb        blocked        wait of those that find no channel free
 *              D1, D2    excess(_square) moments of the time a tail stays behind its header
 *              K, Kst    behind, credit mean waits behind the message before
 *   movements  M, m2     length, square moments of the length of messages
 *              kap, pr   keep, together shares of the lane's, of the link's messages
 *              x, Me     work, age      load that it brings; mean age of a train met
 *              vc, sw    channel, turn  waits of its headers: for a channel, for the switch
 *              q, cm     chance, spread lag that arises: its probability, its mean then
 *              dl, dlp   growth, mean_growth  mean lag that arises; averaged over rounds
 *
 * Each depends on the others (a link whose message is stalled ahead is held longer), so they are
 * found as a fixed point, movement by movement. Adaptive routing chooses among its outputs by the
 * channels that are free there (router_split.c). Forms and constants that were chosen with
 * development data in view are listed in the theory; where it is accurate is measured in
 * docs/validation/routers.md. */
#include <math.h>
#include "base/memory.h"
#include "models/router/router_models.h"
#include "models/router/router_pairs.h"
#include "models/router/router_percentiles.h"
#include "models/router/router_forecast.h"
#include "models/router/router_split.h"

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    return fc_router_model_covers(scenario, "router-queueing", error);
}

/* ---- results ---- */

static fc_status report_saturated(fc_router_prepared *p, double rate,
                                  const fc_router_solution *solution, fc_error *error,
                                  fc_result *result) {
    char name[FC_NAME_SIZE];
    double limit;
    fc_flow_link_name(p->flows, solution->bottleneck, sizeof name, name);
    const fc_status status = fc_router_limit_split(p, error, &limit);
    if (status != FC_OK)
        return status;
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, limit, NAN);
    if (solution->limited)
        fc_result_note(result,
                       "no steady state at a rate of %.4g: traffic.outstanding (%.0f) over the "
                       "round trip of a request lets a node send at a rate of %.4g",
                       rate, p->solver->timing.outstanding, limit);
    else
        fc_result_note(result,
                       "no steady state at a rate of %.4g: %s %s would be overloaded; the model "
                       "saturates at %.4g",
                       rate, solution->cause, name, limit);
    return FC_OK;
}

static void report_parts(const fc_router_solver *solver, const fc_routed *routed,
                         const fc_router_solution *solution, fc_result *result) {
    const struct {
        const char *name;
        double value;
    } waits[] = {{"waiting behind another message", solution->behind},
                 {"waiting for a virtual channel", solution->channel},
                 {"waiting for the switch", solution->turn},
                 {"waiting for credits", solution->credit},
                 {"taking turns on links", solution->lag}};
    fc_result_add_part(result, "waiting at the source", "cycles", solution->source);
    fc_router_report_alone(solver->flows, routed, result);
    for (size_t i = 0; i < sizeof waits / sizeof *waits; ++i)
        fc_result_add_part(result, waits[i].name, "cycles", waits[i].value);
}

/* Mean wait of headers for each link: at the source, for a channel, for the switch. */
static void find_waits(const fc_router_solver *solver, double *waits) {
    for (uint32_t j = 0; j < solver->movement_count; ++j) {
        const fc_solver_movement *m = &solver->movements[j];
        waits[m->out] += m->count * m->rate * (m->channel + m->turn) / solver->links[m->out].rate;
    }
    for (uint32_t l = 0; l < solver->lane_count; ++l) {
        const fc_solver_lane *lane = &solver->lanes[l];
        const fc_solver_link *link = &solver->links[lane->link];
        if (link->kind == FC_INJECTION_LINK && link->rate > 0)
            waits[lane->link] += lane->rate / link->rate * fc_router_source_wait(solver, lane, l);
    }
}

static fc_status report(const fc_router_solver *solver, const fc_routed *routed,
                        const fc_router_solution *solution, fc_error *error, fc_result *result) {
    double *waits = fc_allocate(solver->link_count, sizeof *waits);
    if (!waits)
        return fc_fail_memory(error);
    fc_result_add(result, FC_METRIC_LATENCY, solution->latency, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, solution->latency - solution->source, NAN);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, solution->source, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, routed->rate, NAN);
    fc_result_add(result, FC_METRIC_HOPS, fc_router_hops(solver->flows), NAN);
    fc_router_report_energy(solver->flows, routed, result);
    fc_router_report_percentiles(solver, solution, result);
    report_parts(solver, routed, solution, result);
    find_waits(solver, waits);
    fc_router_report_links(solver->flows, routed->rate, waits, result);
    fc_release(waits);
    return FC_OK;
}

/* ---- the model ---- */

static fc_status solve_with_reference(const fc_scenario *scenario, fc_error *error,
                                      fc_result *result, fc_reference *reference) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_prepared p;
    fc_status status = fc_router_prepare(scenario, error, &p);
    if (reference)
        *reference = (fc_reference){.states = 0};
    if (status != FC_OK)
        return status;
    if (!(p.flows->rate > 0)) {
        fc_result_note(result, "no node sends anything");
        fc_router_prepared_release(&p);
        return FC_OK;
    }
    if (reference)
        status = fc_router_forecast(&p, routed->rate, error, &reference->forecast);
    fc_router_solution solution;
    if (status == FC_OK)
        status = fc_router_solve_split(&p, routed->rate, error, &solution);
    if (status == FC_OK) {
        result->run.iterations = solution.rounds;
        result->run.residual = solution.residual;
        status = solution.saturated ? report_saturated(&p, routed->rate, &solution, error, result)
                                    : report(p.solver, routed, &solution, error, result);
    }
    fc_router_prepared_release(&p);
    return status;
}

static fc_status solve(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    return solve_with_reference(scenario, error, result, NULL);
}

/* Calibration multiplies all waits by the same number: so it does here, and the mean over pairs is
 * the latency that is reported. */
static double stretch_of(const fc_router_solver *solver, const fc_router_solution *solution,
                         const fc_result *result) {
    const fc_metric *latency = fc_result_find(result, FC_METRIC_LATENCY);
    const double alone = solver->alone.latency, waits = solution->latency - alone;
    return result->calibrated && latency && waits > 0 ? (latency->value - alone) / waits : 1;
}

static fc_status add_pairs(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    fc_router_prepared p;
    fc_router_solution solution;
    fc_status status = fc_router_prepare(scenario, error, &p);
    if (status != FC_OK)
        return status;
    const double nodes = p.flows->network->nodes;
    if (nodes * nodes > FC_PAIRS_MOST) {
        fc_result_add_note(result, "no table of pairs: %.0f nodes have %.0f of them, more than %d",
                           nodes, nodes * nodes, (int)FC_PAIRS_MOST);
    } else if (p.flows->rate > 0) {
        status = fc_router_solve_split(&p, p.routed->rate, error, &solution);
        if (status == FC_OK && solution.saturated)
            fc_result_add_note(result, "no table of pairs: the model alone has no answer here");
        else if (status == FC_OK)
            status = fc_router_report_pairs(p.routed, p.flows, p.solver,
                                            stretch_of(p.solver, &solution, result), error, result);
    }
    fc_router_prepared_release(&p);
    return status;
}

static fc_status saturation(const fc_scenario *scenario, fc_error *error, double *load) {
    fc_router_prepared p;
    fc_status status = fc_router_prepare(scenario, error, &p);
    if (status != FC_OK)
        return status;
    status = fc_router_limit_split(&p, error, load);
    fc_router_prepared_release(&p);
    return status;
}

static fc_status forecast_saturation(const fc_scenario *scenario, fc_error *error, double *load) {
    fc_router_prepared p;
    fc_status status = fc_router_prepare(scenario, error, &p);
    if (status != FC_OK)
        return status;
    status = fc_router_forecast_saturation(&p, error, load);
    fc_router_prepared_release(&p);
    return status;
}

const fc_model fc_model_router_queueing = {
    .info = {.name = "router-queueing",
             .kind = FC_MODEL,
             .family = "torus, fabric",
             .title = "networks of pipelined routers: waits for links, channels and buffers",
             .revision = 7,
             .source = "ours",
             .validity = "any topology of routers, open traffic with any destinations and lengths, "
                         "requests with replies; best below 80 % of saturation"},
    .suits = fc_router_model_suits,
    .covers = covers,
    .solve = solve,
    .add_pairs = add_pairs,
    .solve_with_reference = solve_with_reference,
    .saturation = saturation,
    .forecast_saturation = forecast_saturation,
};
