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
#include "models/router/router_classes.h"
#include "models/router/router_models.h"
#include "models/router/router_pairs.h"
#include "models/router/router_percentiles.h"
#include "models/router/router_split.h"
#include "models/router/router_traits.h"
#include "registry/parts.h"
#include "network/multicast.h"
#include "network/router_faults.h"

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    if (fc_scenario_routed(scenario) && fc_multicast_given(fc_scenario_routed(scenario)))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "router-queueing does not follow multicasts, whose copies wait for each "
                       "other in their router; channel-load bounds them");
    return fc_router_model_covers(scenario, "router-queueing", error);
}

/* ---- results ---- */

static fc_status report_saturated(fc_router_prepared *p, const fc_scenario *scenario,
                                  const fc_router_solution *solution, fc_error *error,
                                  fc_result *result) {
    const double rate = fc_scenario_routed(scenario)->rate;
    char name[FC_NAME_SIZE];
    double limit;
    fc_flow_link_name(p->flows, p->solver->alike->first_link[solution->bottleneck], sizeof name,
                      name);
    fc_status status = fc_router_undivide(p, error);
    if (status == FC_OK)
        status = fc_router_limit_split(p, error, &limit);
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

/* Mean wait of headers for each link of the flows: at the source, for a channel, for the switch.
 * waits: as many; at first those of the solver's links. */
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
    /* What stands for a link has its number or a lower one. */
    for (uint32_t c = solver->flows->link_count; c-- > 0;)
        waits[c] = waits[solver->alike->link_of[c]];
}

/* Where classes have names: their times, which those of all messages follow from if some classes go
 * first. */
static fc_status find_classes(fc_router_prepared *p, const fc_routed *routed, fc_error *error,
                              fc_router_solution *solution, fc_class_times *times) {
    if (!routed->given)
        return FC_OK;
    const fc_status status =
        fc_router_find_class_times(routed, p->flows, p->solver, routed->rate, error, times);
    const fc_class_times *all = &times[p->flows->kinds.count];
    if (status != FC_OK || !p->flows->kinds.ranked)
        return status;
    solution->latency = all->latency;
    solution->source = all->source;
    solution->behind = all->behind;
    solution->credit = all->credit;
    solution->channel = all->channel;
    solution->turn = all->turn;
    solution->lag = all->lag;
    return FC_OK;
}

/* From the start of a message to the end of the chain that it begins; a latency leaves out the
 * cycle in which a message begins, which counts between two of them. */
static double response_of(const fc_classes *classes, size_t first, const fc_class_times *times,
                          double memory_wait) {
    double sum = -times[first].source;
    for (uint32_t at = (uint32_t)first; at != FC_NONE; at = classes->list[at].reply) {
        const fc_class *class = &classes->list[at];
        sum += times[at].latency;
        if (class->reply == FC_NONE)
            break;
        sum += 1 + (class->memory_busy[0] > 0 ? memory_wait : 0);
        for (size_t i = 0; i < class->lengths.count; ++i)
            sum += class->lengths.share[i] * class->memory_reply[i];
    }
    return sum;
}

static void report_classes(const fc_router_prepared *p, const fc_routed *routed,
                           const fc_class_times *times, double memory_wait, fc_result *result) {
    const fc_classes classes = fc_classes_of(routed);
    double answered = 0, response = 0;
    for (size_t k = 0; k < classes.count; ++k) {
        if (classes.list[k].share > 0 && classes.list[k].reply != FC_NONE) {
            answered += times[k].rate;
            response += times[k].rate * response_of(&classes, k, times, memory_wait);
        }
    }
    if (answered > 0)
        fc_result_add(result, FC_METRIC_RESPONSE_TIME, response / answered, NAN);
    for (size_t k = 0; k < classes.count; ++k) {
        const fc_class *class = &classes.list[k];
        const fc_class_times *own = &times[k];
        const fc_traffic *traffic = fc_traffic_of_class(p->flows->traffic, k);
        fc_result_add_of_class(result, class->name, FC_METRIC_LATENCY, own->latency, NAN);
        fc_result_add_of_class(result, class->name, FC_METRIC_NETWORK_LATENCY,
                               own->latency - own->source, NAN);
        fc_result_add_of_class(result, class->name, FC_METRIC_SOURCE_WAIT, own->source, NAN);
        if (class->share > 0)
            fc_result_add_of_class(result, class->name, FC_METRIC_THROUGHPUT,
                                   routed->rate * own->rate / traffic->senders, NAN);
        if (class->share > 0 && class->reply != FC_NONE)
            fc_result_add_of_class(result, class->name, FC_METRIC_RESPONSE_TIME,
                                   response_of(&classes, k, times, memory_wait), NAN);
        fc_result_add_of_class(result, class->name, FC_METRIC_HOPS, own->hops, NAN);
    }
}

static fc_status report(fc_router_prepared *p, const fc_routed *routed,
                        fc_router_solution *solution, fc_error *error, fc_result *result) {
    const fc_router_solver *solver = p->solver;
    fc_class_times times[FC_KINDS_MAX + 1];
    double memory_wait = 0;
    fc_status status = find_classes(p, routed, error, solution, times);
    double *waits = status == FC_OK ? fc_allocate(p->flows->link_count, sizeof *waits) : NULL;
    if (!waits)
        return status == FC_OK ? fc_fail_memory(error) : status;
    if (fc_class_memories(routed))
        fc_class_memory_load(routed, p->flows, routed->rate, &memory_wait);
    fc_result_add(result, FC_METRIC_LATENCY, solution->latency, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, solution->latency - solution->source, NAN);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, solution->source, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, routed->rate, NAN);
    fc_result_add(result, FC_METRIC_HOPS, fc_router_hops(solver->flows), NAN);
    if (fc_class_memories(routed))
        fc_result_add(result, FC_METRIC_MEMORY_WAIT, memory_wait, NAN);
    if (routed->requests.count)
        fc_result_add(result, FC_METRIC_RESPONSE_TIME,
                      2 * solution->latency - fc_router_request_wait(solver) +
                          solver->flows->kinds.memory + memory_wait + 1,
                      NAN);
    fc_router_report_energy(solver->flows, routed, result);
    fc_router_report_percentiles(solver, solution, result);
    report_parts(solver, routed, solution, result);
    find_waits(solver, waits);
    fc_router_report_links(solver->flows, routed->rate, waits, result);
    fc_release(waits);
    if (routed->given)
        report_classes(p, routed, times, memory_wait, result);
    return FC_OK;
}

/* ---- the model ---- */

static fc_status prepare(const fc_scenario *scenario, fc_error *error, void **prepared) {
    fc_router_prepared *p = fc_allocate(1, sizeof *p);
    if (!p)
        return fc_fail_memory(error);
    const fc_status status = fc_router_prepare(scenario, error, p);
    if (status == FC_OK)
        *prepared = p;
    else
        fc_release(p);
    return status;
}

static void release(void *prepared) {
    if (prepared)
        fc_router_prepared_release(prepared);
    fc_release(prepared);
}

/* Near saturation the rounds may go on swinging: what they pass through is no solution. */
static void judge_rounds(const fc_router_solution *solution, fc_result *result) {
    static const double settled = 1e-3; /* change of the sum of waits in a round, relative */
    if (solution->residual < settled)
        return;
    result->outcome = FC_OUTCOME_NOT_CONVERGED;
    fc_result_note(result, "after %llu rounds the waits still change by %.2g %% in a round",
                   (unsigned long long)solution->rounds, 100 * solution->residual);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_prepared *p = prepared;
    if (!(p->flows->rate > 0)) {
        fc_result_note(result, "no node sends anything");
        return FC_OK;
    }
    const double memories = fc_class_memory_limit(routed, p->flows);
    if (routed->rate >= memories) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_add(result, FC_METRIC_THROUGHPUT, memories, NAN);
        fc_result_note(result, "the busiest memory is occupied all the time at a rate of %.4g",
                       memories);
        return FC_OK;
    }
    fc_router_solution solution;
    fc_status status = fc_router_undivide(p, error);
    if (status == FC_OK)
        status = fc_router_solve_split(p, routed->rate, error, &solution);
    if (status != FC_OK)
        return status;
    result->run.iterations = solution.rounds;
    result->run.residual = solution.residual;
    if (!solution.saturated)
        judge_rounds(&solution, result);
    status = solution.saturated ? report_saturated(p, scenario, &solution, error, result)
                                : report(p, routed, &solution, error, result);
    if (p->flows->network->failures)
        fc_result_add_note(result, "%s", p->flows->network->failures->text);
    return status;
}

/* What is learned multiplies all waits by the same number: so it does here, and the mean over pairs
 * is the latency that is reported. */
static double stretch_of(const fc_router_solver *solver, const fc_router_solution *solution,
                         const fc_result *result) {
    const fc_metric *latency = fc_result_find(result, FC_METRIC_LATENCY);
    const double alone = solver->alone.latency, waits = solution->latency - alone;
    return latency && waits > 0 ? (latency->value - alone) / waits : 1;
}

static fc_status add_pairs(const fc_scenario *scenario, void *prepared, fc_error *error,
                           fc_result *result) {
    const fc_router_prepared *p = prepared;
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_prepared apart;
    fc_router_solution solution;
    const double nodes = p->flows->network->nodes;
    if (nodes * nodes > FC_PAIRS_MOST) {
        fc_result_add_note(result, "no table of pairs: %.0f nodes have %.0f of them, more than %d",
                           nodes, nodes * nodes, (int)FC_PAIRS_MOST);
        return FC_OK;
    }
    if (!(p->flows->rate > 0))
        return FC_OK;
    if (p->flows->network->alternatives) {
        fc_result_add_note(result, "no table of pairs: which way messages take depends on queues");
        return FC_OK;
    }
    fc_status status = fc_router_prepare_apart(scenario, error, &apart);
    if (status != FC_OK)
        return status;
    status = fc_router_solve_split(&apart, routed->rate, error, &solution);
    if (status == FC_OK && solution.saturated)
        fc_result_add_note(
            result, "no table of pairs: the model without its correction has no answer here");
    else if (status == FC_OK)
        status = fc_router_report_pairs(routed, apart.flows, apart.solver,
                                        stretch_of(apart.solver, &solution, result), error, result);
    fc_router_prepared_release(&apart);
    return status;
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    fc_router_prepared *p = prepared;
    fc_status status = fc_router_undivide(p, error);
    if (status == FC_OK)
        status = fc_router_limit_split(p, error, load);
    if (status == FC_OK)
        *load = fmin(*load, fc_class_memory_limit(fc_scenario_routed(scenario), p->flows));
    return status;
}

/* A single channel whose buffer just covers its credit loop, under messages longer than that, where
 * flits wait a cycle or more for the switch: each conflict there leaves a gap behind it that the
 * buffer has no room to close. One network of 200 drawn for the fit was like that, and
 * corrected forecasts of others were up to 20 % too low. */
static bool has_no_slack(const fc_router_solver *s, const fc_routed *routed) {
    static const double slack = 2; /* flits */
    for (uint32_t l = 0; l < s->lane_count && routed->router_delay[FC_STAGE_SWITCH] > 0; ++l) {
        const fc_solver_link *link = &s->links[s->lanes[l].link];
        const double spare = s->timing.buffer - link->loop;
        if (link->kind == FC_ROUTER_LINK && s->lanes[l].channels < 2 && spare >= 0 &&
            spare < slack && s->timing.longest > s->timing.buffer)
            return true;
    }
    return false;
}

/* Every pair of routers has a link: what waits, waits for nodes. So were few of those drawn, and
 * corrected forecasts of others were up to 55 % too low, below the model's own. (Messages in a fly
 * of two stages cross one link, too, but its routers are not joined to those of their own stage.)
 */
static bool joins_all(const fc_router_solver *s) {
    const fc_router_network *network = s->flows->network;
    uint64_t links = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        links += !(network->output_end[o] & FC_TO_NODE);
    if (links < (uint64_t)network->routers * (network->routers - 1))
        return false;
    for (uint32_t j = 0; j < s->movement_count; ++j)
        if (s->links[s->movements[j].in].kind == FC_ROUTER_LINK &&
            s->links[s->movements[j].out].kind == FC_ROUTER_LINK)
            return false;
    return true;
}

/* With oldest first the traits are those of round-robin, and forecasts were 8 to 13 % too high;
 * with bursts of 150 to 400 cycles they were 14 to 43 % too low. */
static const char *doubt(const fc_scenario *scenario, const void *prepared) {
    static const double longest_burst = 100; /* cycles */
    const fc_router_solver *solver = ((const fc_router_prepared *)prepared)->solver;
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (solver->flows->network->ports)
        return "corrected forecasts of nodes with several ports were not compared with simulations";
    if (routed->arbitration == FC_OLDEST_FIRST)
        return "corrected forecasts with arbitration: oldest-first were up to 13 % too high";
    if (routed->injection.process == FC_ON_OFF && routed->injection.on > longest_burst)
        return "corrected forecasts of bursts longer than 100 cycles were up to 43 % too low";
    if (has_no_slack(solver, routed))
        return "corrected forecasts of a single channel whose buffer just covers its credits were "
               "up "
               "to 20 % too low";
    if (joins_all(solver))
        return "corrected forecasts of routers that are all joined to each other were up to 55 % "
               "too low";
    return NULL;
}

static fc_status traits_of(const fc_scenario *scenario, void *prepared, const fc_result *solved,
                           fc_error *error, fc_traits **traits) {
    (void)solved;
    *traits = NULL;
    const fc_status status = fc_router_undivide(prepared, error);
    return status == FC_OK ? fc_router_traits(scenario, prepared, error, traits) : status;
}

static const fc_correction correction = {
    .weights = "data/routers.weights",
    .names = &fc_router_trait_names,
    .revision = FC_ROUTER_TRAITS_REVISION,
    .traits = traits_of,
    .doubt = doubt,
    .percentiles = true,
    .empty = {FC_PART_LINKS, FC_PART_ROUTERS, FC_PART_LENGTH, FC_PART_OWN_CREDITS}};

const fc_model fc_model_router_queueing = {
    .info = {.name = "router-queueing",
             .kind = FC_MODEL,
             .family = "torus, fabric",
             .title = "networks of pipelined routers: waits for links, channels and buffers",
             .revision = 8,
             .source = "ours",
             .validity =
                 "any topology of routers, open traffic with any destinations and lengths, "
                 "requests with replies, classes of messages; best below 80 % of saturation"},
    .suits = fc_router_model_suits,
    .covers = covers,
    .prepare = prepare,
    .release = release,
    .solve = solve,
    .add_pairs = add_pairs,
    .saturation = saturation,
    .correction = &correction,
};
