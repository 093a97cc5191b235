/* Finite-buffered multistage networks after P. Mohapatra and C. R. Das, "Performance Analysis of
 * Finite-Buffered Asynchronous Multistage Interconnection Networks".
 *
 * A packet passes n M/D/1/L queues in a row. Implements eqs. (1) to (4) for one queue (solved by
 * level crossings, see queueing/finite_queue.c: the closed form (3) loses all digits beyond k of
 * about 15), (12) and (13) for the rates, (14) and the first (15) for the delays, section 4 for hot
 * spots, the second (15) for a limit m on outstanding requests.
 *
 * Departures from the print:
 * - (13) takes p_0 of stage i; (12) makes it that of stage i-1, which is used.
 * - On the hot tree a base rate b per source is kept and (12) applied to the total rate f_i b_i;
 *   the additional rate a^(i-2) h of the text holds for a = 2 only.
 * - The limit on outstanding requests is iterated to its fixed point; applied once, as printed, the
 *   throughput would fall with the load.
 * Kept as printed: the delay (14) is over the offered rate, not the accepted one of (5).
 *
 * Assumes Poisson arrivals at every stage, and that what a full buffer refuses is lost at every
 * stage: nothing is ever held back upstream. Valid for any load with finite buffers; with infinite
 * ones below saturation. Accuracy against simulation: docs/validation/multistage.md. */
#include <math.h>
#include "models/multistage/multistage_tree.h"
#include "models/multistage/multistage_return.h"
#include "queueing/finite_queue.h"
#include "registry/method.h"

enum { LIMIT_STEPS = 60 };

/* One stage at a total rate; returns p_0. */
static double solve_stage(const fc_multistage *network, fc_md1k_room *room, double rate,
                          fc_stage_solution *stage) {
    const double load = rate * network->service;
    if (!(load > 0.0)) { /* off the tree if every packet is for the hot memory */
        *stage = (fc_stage_solution){.path = network->service};
        return 1.0;
    }
    fc_md1k queue;
    if (network->buffer == FC_INFINITE) {
        queue = (fc_md1k){.empty = 1.0 - load, .waiting = fc_md1_waiting(load)};
        queue.mean = queue.waiting + load;
    } else {
        fc_md1k_solve(room, load, (size_t)network->buffer, &queue, NULL);
    }
    stage->utilisation = load * (1.0 - queue.blocking);
    stage->blocking = queue.blocking;
    stage->path = queue.mean / rate; /* (14), (15) */
    stage->wait = queue.waiting / rate;
    return queue.empty;
}

/* The whole network with sources that send at the given rate; (12) along the tree, and off it from
 * every stage at which a path leaves it. */
static void solve_rate(const fc_multistage *network, fc_md1k_room *room, double rate,
                       fc_multistage_solution *solution) {
    const int64_t stages = network->stages;
    const double d = network->service;
    const bool hot = network->hot.share > 0.0;
    double base[FC_STAGES_MAX + 2]; /* b_i on the tree */
    base[1] = rate;
    for (int64_t i = 1; i <= stages; ++i) {
        const double total = fc_tree_share(network, i, true) * base[i];
        const double empty = solve_stage(network, room, total, &solution->tree[i]);
        base[i + 1] = base[i] / (empty + total * d);
    }
    double delivered = fc_tree_share(network, stages + 1, true) * base[stages + 1];
    double cold = 0.0, memories = 1.0;
    solution->latency_hot = 0.0;
    for (int64_t i = 1; i <= stages; ++i)
        solution->latency_hot += solution->tree[i].path;
    solution->groups[0] = solution->latency_hot;
    for (int64_t group = 1; hot && group <= stages; ++group) {
        double path = 0.0, b = base[stages - group + 2];
        for (int64_t i = 1; i <= stages - group + 1; ++i)
            path += solution->tree[i].path;
        for (int64_t i = stages - group + 2; i <= stages; ++i) {
            const double total = fc_tree_share(network, i, false) * b;
            const double empty = solve_stage(network, room, total, &solution->off[i]);
            path += solution->off[i].path;
            b /= empty + total * d;
        }
        const double size = fc_tree_group_size(network, group);
        solution->groups[group] = path;
        cold += size * path;
        memories += size;
        delivered += size * fc_tree_share(network, stages, false) * b;
    }
    const double h = network->hot.share;
    solution->latency_cold = (solution->latency_hot + cold) / memories;
    solution->latency = h * solution->latency_hot + (1.0 - h) * solution->latency_cold;
    solution->throughput = delivered / memories;
    solution->offered = rate;
    solution->loss = fmax(0.0, 1.0 - solution->throughput / rate);
}

/* lambda' = min{lambda, m lambda / (1 + lambda D(lambda'))}: D grows with lambda', so the right
 * side falls and the two sides meet once. Returns the number of steps. */
static uint64_t solve_limited(const fc_multistage *network, fc_md1k_room *room,
                              fc_multistage_solution *solution, double *residual) {
    const double rate = network->rate, m = (double)network->outstanding;
    double low = 0.0, high = rate;
    uint64_t steps = 0;
    if (network->buffer == FC_INFINITE)
        high = fmin(high, fc_tree_capacity(network));
    while (steps < LIMIT_STEPS && high - low > 1e-13 * high) {
        /* The first try is lambda itself, where the limit does not matter. */
        const double tried = steps == 0 && high == rate ? rate : 0.5 * (low + high);
        ++steps;
        solve_rate(network, room, tried, solution);
        const double allowed = fmin(rate, m * rate / (1.0 + rate * solution->latency));
        if (allowed >= tried) /* false for an infinite or undefined delay */
            low = tried;
        else
            high = tried;
        if (low == rate)
            break;
    }
    solve_rate(network, room, low, solution);
    const double allowed = fmin(rate, m * rate / (1.0 + rate * solution->latency));
    *residual = fabs(allowed - low) / rate;
    return steps;
}

extern const fc_model fc_model_mohapatra_das;

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_multistage *network = scenario->parameters;
    if (network->contention != FC_CONTENTION_NONE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "mohapatra-das does not cover contention for output ports; expected "
                       "network.contention none");
    return fc_multistage_return_covers(network, error);
}

static fc_status one_way(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    const fc_multistage *network = scenario->parameters;
    const bool limited = network->outstanding != FC_INFINITE;
    if (network->buffer == FC_INFINITE && !limited && network->rate >= fc_tree_capacity(network)) {
        fc_multistage_fill_saturated(network, result);
        return fc_result_status(result);
    }
    fc_md1k_room *room =
        fc_md1k_room_create(network->buffer == FC_INFINITE ? 0 : (size_t)network->buffer);
    if (!room)
        return fc_fail_memory(error);
    fc_multistage_solution solution = {.has_held = false};
    result->run.iterations = 1;
    if (limited)
        result->run.iterations = solve_limited(network, room, &solution, &result->run.residual);
    else
        solve_rate(network, room, network->rate, &solution);
    fc_md1k_room_free(room);
    if (!isfinite(solution.latency) || result->run.residual > 1e-6) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "the rate that %lld outstanding packets allow was not found",
                       (long long)network->outstanding);
        return fc_result_status(result);
    }
    fc_multistage_fill(network, &solution, result);
    return fc_result_status(result);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return fc_multistage_solve_return(scenario, &fc_model_mohapatra_das.info, one_way, error,
                                      result);
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    const fc_status status = fc_multistage_saturation(scenario, prepared, error, load);
    return status != FC_OK ? status
                           : fc_multistage_return_saturation(scenario, &fc_model_mohapatra_das.info,
                                                             one_way, error, load);
}

const fc_model fc_model_mohapatra_das = {
    .info =
        {
            .name = "mohapatra-das",
            .kind = FC_MODEL,
            .family = "multistage",
            .title = "a chain of M/D/1/L queues, hot spots, limited outstanding requests",
            .source = "Mohapatra and Das, Performance Analysis of Finite-Buffered Asynchronous "
                      "Multistage Interconnection Networks",
            .validity = "any switch size, stages, buffers and load, without output-port "
                        "contention; knows no back-pressure",
        },
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
};
