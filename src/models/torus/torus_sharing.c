/* Wormhole tori and meshes with virtual channels by max-min sharing of channels (our own model).
 *
 * System: torus, uni- or bidirectional, or mesh; any dimensions; dimension-order routing; M-flit
 * worms; one-flit buffers; L virtual channels, some common to all, some reserved for one of two
 * classes of messages (escape, high-low: by digit comparison; dateline: before and after the
 * wrap-around link; free: all common); first come first served; Poisson sources, uniform
 * destinations. f = N/(N-1) corrects for destinations never being the source.
 *
 * Idea: most of what a message takes beyond M + h cycles is not waiting but slowness. A worm (a
 * message spread over several channels) moves at the rate of its slowest channel, and the rate that
 * a channel gives it depends on how slow the other worms on it are elsewhere. So the unknown of the
 * model is a distribution: F_m(r), of the rate to which a worm on a channel with m others is
 * limited by the rest of its path. One round of the fixed point (torus_sharing_solve.c), with b the
 * number of virtual channels that must be busy to block a header (escape L-1, dateline L/2, free
 * L):
 *
 *   a. Sharing (queueing/rate_sharing.c). C(n) = E min(1, r_1 + .. + r_n): flits per cycle that n
 *      worms send together. ok_m(x) = P(x + sum min(r_i, x) <= 1): P(an unlimited worm gets rate x
 *      beside m others).
 *   b. Occupancy (queueing/channel_occupancy.c), position by position along a dimension (where some
 *      channels are open to all classes, a few positions represent a ring) and class by class: a
 *      Markov chain with departure rate 1/(M n (1 + beta (1/C(n) - 1))) per busy channel. A header
 *      that is already in the dimension is blocked only if one of the blocking worms is new there
 *      (share q), or if one of the other class has come over the channel reserved for that class:
 *      a share theta of the blocking. The worm ahead of the header has left by then, which raises
 *      this to kc = theta / (1 - (1 - theta) PE); unidirectional links: theta (1 + (1 - theta) PE
 *      (1 - PE)). A header that enters the dimension is not blocked by worms that came over its own
 *      channel, a share w of all: e = (1 - w/b) / (1 - PE w/b). Arrivals in blocked states are
 *      thinned by kappa = e q + (1 - q) kc.
 *   c. Waits. tau is the time to the first release of b channels, each held for H cycles in the
 *      mean, of which stalls of exponential length are a part; an idle cycle at the handover
 *      belongs to H. The queue advances once in H/b cycles. With r = H/b times the rate of the
 *      headers that may be ahead in it, cond = tau / (1 - r), W_enter = PE cond e, W_along = PE
 *      cond kc. A node that injects one message at a time sends headers directly behind others:
 *      those wait longer (torus_sharing_channels.c).
 *   d. Others met: P~_m proportional to (m+1) mu(m+1) P_{m+1}, weighted by the flits sent beside
 *      them.
 *   e. Rates (torus_sharing_ring.c): survival of a rate along the dimensions, the injection and
 *      the ejection channel; g = E[1/r] for a message; the new F_m, weighted by time, with the
 *      share of time that a worm is stalled put at r = 0. g is the mean over flits, but what is
 *      lengthened are the M - 1 gaps behind the header (lengthened_gaps): of two worms that reach a
 *      channel d cycles apart each sends M - |d| flits beside the other, M^2 summed over d. The
 *      header waits for 1/2 of them (step i); M^2 - 1 lengthen gaps. With few worms a message takes
 *      (M - 1/M) (g - 1) cycles longer than alone, with many (M - 1) (g - 1).
 *   f. Stalls S of a worm at each position, and their squares, which determine tau: the waits at
 * the positions that it has still to pass (torus_sharing_positions.c), as far ahead as it is long.
 *   g. Little's law: beta is adjusted until the holding time of the occupancy chain is that of a
 *      worm, M + (M - 1 or more gaps) (g - 1) + S minus the slack of the buffers ahead.
 *   h. Injection and ejection: several messages share the link of a node and queue for it: M/G/c.
 *      The injection channel is held for M g and the stalls on the path. Successive messages of a
 *      node meet partly the same worms in the first dimension, so their waits are correlated.
 *      Where ejection takes fewer messages at a time than a channel carries, headers also wait for
 *      it (messages that came over the same channel count once), and worms bound for the same node
 *      do not slow each other, since only one of them moves. The same holds for messages of a node
 *      that injects one at a time; its injection channel is released before the tail arrives, by
 *      the slack of the buffers ahead.
 *
 *   i. Turns. A header waits delta for its turn on every channel that it shares. Beside m others an
 *      unlimited worm sends once in g_m cycles, so g_m - 1 of them are ready whenever it is. Round
 *      robin puts the header anywhere among those, except that the worm which has just sent comes
 *      last, unless that was its last flit: delta_m = (g_m - 1) / 2 (1 - (1 - 1/M) / m). Worms that
 *      came over the same channel already follow each other: of two on a channel of which a share
 *      q is new, they came over different ones with q (2 - q (1 + w)). One flit a message gives
 *      the wait of a multiplexer with several inputs, rho (1 - sum s^2) / (2 (1 - rho)), and bursts
 *      behind busy channels lengthen it (torus_sharing_channels.c). Waits for turns belong to the
 *      time that channels are held, as stalls do.
 *   j. Short messages. Of the slowdowns that a worm meets only the largest counts (step e): a flit
 *      that comes slowly needs no more room further on. But on channels M or more apart, which a
 *      worm never holds together, they add up, since it closes up in between; and such channels do
 *      not limit each other's worms. g is between the largest and the sum, by the share of those
 *      among the pairs of channels of a mean path.
 *
 *   T = h + sum of delta + blocking + M + (gaps) (g - 1) + W_source
 *
 * Bidirectional links: messages for a node arrive over at least two channels of the last dimension,
 * so headers wait for ejection even where it takes L messages at a time (times the probability that
 * one message more than that fits on those channels).
 *
 * Symbols, and what they are called in the code (torus_sharing_parts.h):
 *
 *   M, h, L         flits of a message, mean hops, virtual channels   input.flits, mean_hops,
 *                                                                     input.channels
 *   N, f            nodes, N/(N-1)                                    self = 1/N, correction
 *   b               busy channels that block a header                 blockers
 *   r, F_m          rate that the rest of its path allows a worm on   channel.caps
 *                   a channel with m others, and its distribution
 *   C(n), ok_m(x)   step a                                            channel.capacity, shares
 *   P~_m            P(m others), as a worm meets them                 channel.met
 *   PE              time share in which a header finds no channel     blocked
 *   q               share of the messages on a channel that enter     dimension.leaving: as many
 *                   the dimension there                               enter as leave; fresh
 *   theta, kc, e,   shares of the blocking time, step b               position.theta,
 *   kappa                                                             blocking_along(), entering()
 *   w               P(two that enter came over the same channel)      dimension.together
 *   w0              the same for two messages of a node               overlap
 *   wt              P(one met on the first channel of a dimension     dimension.turning
 *                   was met on the last channel before it)
 *   H               mean time a virtual channel is held               held
 *   S               mean wait of a header while its worm holds a      stall; its square: square
 *                   channel
 *   tau, cond       time to the first release, step c                 first_release()
 *   W_enter,        mean wait of a header that enters a dimension,    wait_enter, wait_along
 *   W_along         that goes on in it; per channel
 *   beta            how far sharing lengthens the holding time        position.beta
 *   g, g_c          mean slowness (cycles a flit) of a message, of    slowness, slow_held
 *                   the worms found on a channel
 *   delta           wait of a header for its turn, step i             position.turn; of the whole
 *                                                                     path: header_delay
 *
 * No constant is fitted to data, but one form is kept because it compensates another error: with
 * bidirectional links and on lines kc is larger than simulations show, which makes up for waits
 * that are too short (blocking_along in torus_sharing_channels.c). That choice, and in step h the
 * factor for arrivals over the same channel, were made with development data in view.
 *
 * Validity and accuracy: docs/validation/torus.md. Weak in long lines and rings with many virtual
 * channels near saturation, where more worms share a channel than is found here: too low. Zero load
 * gives M + h exactly.
 *
 * Saturated is where no fixed point is found: more flits than a channel can pass, more than 5 % of
 * the time at the limit of the occupancy chain's queues, an overloaded node link, or 50 times the
 * latency of the empty network. The solution is followed from lower rates to its end. With b > 1
 * the simulated network may collapse before, by fluctuations. */
#include "models/torus/torus_sharing.h"

#include <math.h>
#include "models/torus/torus_traits.h"
#include "models/torus/torus_models.h"
#include "registry/parts.h"
#include "network/torus_combinatorics.h"

enum { RADIX_MAX = 1024, DATELINE_MAX = 16 };

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const fc_status status = fc_torus_model_covers(scenario, "torus-sharing", error);
    if (status != FC_OK)
        return status;
    if (torus->buffer != 1)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "torus-sharing is for buffers of 1 flit (network.buffer): with more, a worm "
                       "is shorter than its path");
    if (torus->channel_rule == FC_DATELINE && torus->virtual_channels > DATELINE_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "torus-sharing takes at most %d virtual channels with the channel rule "
                       "'dateline'",
                       DATELINE_MAX);
    for (size_t d = 0; d < torus->radix.count; ++d)
        if (torus->radix.values[d] > RADIX_MAX)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "torus-sharing takes at most %d nodes along a dimension", RADIX_MAX);
    return FC_OK;
}

static fc_sharing_case case_of(const fc_torus *torus) {
    return (fc_sharing_case){.radix = fc_travel_order(torus),
                             .kind = torus->topology == FC_MESH         ? FC_LINE
                                     : torus->links == FC_BIDIRECTIONAL ? FC_BIDIRECTIONAL_RING
                                                                        : FC_UNIDIRECTIONAL_RING,
                             .rule = torus->channel_rule,
                             .channels = (int)torus->virtual_channels,
                             .injection_channels = (int)torus->injection_channels,
                             .ejection_channels = (int)torus->ejection_channels,
                             .idle_cycle = torus->handover == FC_NEXT_CYCLE,
                             .flits = (double)torus->message_flits};
}

fc_sharing_solver *fc_sharing_solver_of(const fc_scenario *scenario) {
    const fc_sharing_case input = case_of(scenario->parameters);
    return fc_sharing_solver_create(&input);
}

static void report_saturated(const fc_torus *torus, double limit, fc_result *result) {
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, limit, NAN);
    fc_result_note(result,
                   "no steady state at a rate of %.4g: headers blocked by worms that are blocked "
                   "themselves; the model saturates at %.4g",
                   torus->rate, limit);
}

static void report_solution(const fc_torus *torus, const fc_sharing_solution *solution,
                            fc_result *result) {
    const double flits = (double)torus->message_flits;
    const fc_torus_latency latency = {
        .travel = solution->hops,
        .transfer = flits,
        .sharing = solution->sharing,
        .blocking = solution->blocking,
        .source_wait = solution->source_wait,
    };
    fc_torus_report_latency(result, &latency, torus->rate);
    const size_t dimensions = fc_travel_order(torus).count;
    fc_table *table = fc_torus_add_channels(result, torus, dimensions);
    for (size_t d = 0; table != NULL && d < dimensions; ++d)
        fc_torus_set_channel(table, d, solution->utilisation[d], solution->wait[d]);
}

static fc_status solve_by(fc_sharing_solver *solver, const fc_torus *torus, fc_result *result) {
    fc_sharing_solution solution;
    fc_sharing_solve(solver, torus->rate, &solution);
    result->run.iterations = solution.iterations;
    result->run.residual = solution.residual;
    fc_result_add(result, FC_METRIC_OFFERED, torus->rate, NAN);
    if (solution.saturated)
        report_saturated(torus, solution.limit, result);
    else
        report_solution(torus, &solution, result);
    return fc_result_status(result);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    fc_sharing_solver *solver = fc_sharing_solver_of(scenario);
    if (solver == NULL)
        return fc_fail_memory(error);
    const fc_status status = solve_by(solver, scenario->parameters, result);
    fc_sharing_solver_free(solver);
    return status;
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    (void)prepared;
    fc_sharing_solver *solver = fc_sharing_solver_of(scenario);
    if (solver == NULL)
        return fc_fail_memory(error);
    *load = fc_sharing_saturation(solver);
    fc_sharing_solver_free(solver);
    return FC_OK;
}

static fc_status traits_of(const fc_scenario *scenario, void *prepared, const fc_result *solved,
                           fc_error *error, fc_traits **traits) {
    (void)prepared;
    (void)solved;
    fc_sharing_solver *solver = fc_sharing_solver_of(scenario);
    if (solver == NULL)
        return fc_fail_memory(error);
    const fc_status status = fc_torus_traits(scenario, solver, error, traits);
    fc_sharing_solver_free(solver);
    return status;
}

static const fc_correction correction = {.weights = "data/torus.weights",
                                         .names = &fc_torus_trait_names,
                                         .revision = FC_TORUS_TRAITS_REVISION,
                                         .traits = traits_of,
                                         .percentiles = true,
                                         .empty = {FC_PART_TRAVEL, FC_PART_TRANSFER}};

const fc_model fc_model_torus_sharing = {
    .info = {.name = "torus-sharing",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "torus or mesh with virtual channels, worms slowed by sharing of channels",
             .source = "ours",
             .validity = "tori and meshes, dimension order, every channel rule, one-flit buffers, "
                         "uniform open traffic",
             .revision = 5},
    .suits = fc_torus_model_suits,
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
    .correction = &correction,
};
