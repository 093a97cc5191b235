/* Adaptive routing asks for every free virtual channel of the outputs that lead on and takes one of
 * those offered. So an output is taken in proportion to its channels that are free, which depends
 * on the waits, which depend on how messages divide: a fixed point of its own, around that of the
 * waits. At light loads messages divide evenly; near saturation they avoid what is full. */
#include "models/router/router_split.h"

#include <math.h>
#include "base/memory.h"
#include "models/router/router_models.h"

enum { ROUNDS_MAX = 60, SPLITS_MAX = 5, LIMITS_MAX = 6, HALVINGS = 40 };
static const double tolerance = 1e-5;
static const double rough = 1e-3;      /* tolerance while messages are still being divided */
static const double free_least = 0.02; /* a full output is still taken now and then */
static const double same = 0.02; /* weights that change by less are those of the fixed point */
static const double direct_least = 0.02; /* of the messages, where routing chooses by queues */
static const double near_limit = 0.95;   /* of the limit: where messages divide as they do there */

void fc_router_prepared_release(fc_router_prepared *p) {
    fc_router_solver_free(p->solver);
    fc_router_flows_free(p->flows);
}

/* ---- detours ---- */

/* Flits of each link. */
static void copy_loads(const fc_router_flows *flows, double *loads) {
    for (uint32_t c = 0; c < flows->link_count; ++c)
        loads[c] = flows->links[c].flits * flows->links[c].pace;
}

static double largest_load(const double *direct, const double *around, double share, size_t count) {
    double most = 0;
    for (size_t c = 0; c < count; ++c)
        most = fmax(most, share * direct[c] + (1 - share) * around[c]);
    return most;
}

/* The share of direct messages with which the busiest link carries least: the largest of many
 * straight lines, of which the lowest point is found by halving. */
static double best_share(const double *direct, const double *around, size_t count) {
    double low = direct_least, high = 1;
    for (int step = 0; step < HALVINGS; ++step) {
        const double middle = 0.5 * (low + high), beside = middle + 1e-6;
        const bool falls = largest_load(direct, around, beside, count) <=
                           largest_load(direct, around, middle, count);
        *(falls ? &low : &high) = middle;
    }
    return high > 1 - 1e-6 ? 1 : high;
}

/* Routing by queues sends messages around where the direct ways are full. What is full first is
 * known from the flows alone: messages divide so that the busiest link carries least. */
static fc_status choose_detours(fc_router_prepared *p, fc_error *error) {
    fc_router_flows *flows = p->flows;
    const size_t count = flows->link_count;
    double *direct = fc_allocate(2 * count, sizeof *direct);
    if (!direct)
        return fc_fail_memory(error);
    double *around = direct + count;
    copy_loads(flows, direct);
    flows->direct_hops = fc_router_hops(flows);
    flows->direct_capacity = fc_router_capacity(flows);
    flows->capacity_at_most = fc_router_capacity_in_the_mean(flows);
    flows->direct = direct_least;
    fc_status status = fc_router_flows_split(p->routed, NULL, error, flows);
    if (status == FC_OK) {
        copy_loads(flows, around);
        for (size_t c = 0; c < count; ++c)
            around[c] = (around[c] - direct_least * direct[c]) / (1 - direct_least);
        flows->direct = best_share(direct, around, count);
        status = fc_router_flows_split(p->routed, NULL, error, flows);
    }
    fc_release(direct);
    return status;
}

static fc_status prepare(const fc_scenario *scenario, bool apart, fc_error *error,
                         fc_router_prepared *p) {
    *p = (fc_router_prepared){
        .scenario = scenario, .routed = fc_scenario_routed(scenario), .apart = apart};
    fc_status status = fc_router_flows_create(scenario, true, error, &p->flows);
    if (status == FC_OK && p->flows->network->alternatives)
        status = choose_detours(p, error);
    if (status == FC_OK)
        status = fc_router_solver_create(p->flows, p->routed, !p->apart, error, &p->solver);
    if (status != FC_OK)
        fc_router_prepared_release(p);
    return status;
}

fc_status fc_router_prepare(const fc_scenario *scenario, fc_error *error, fc_router_prepared *p) {
    return prepare(scenario, fc_scenario_routed(scenario)->given != NULL, error, p);
}

fc_status fc_router_prepare_apart(const fc_scenario *scenario, fc_error *error,
                                  fc_router_prepared *p) {
    return prepare(scenario, true, error, p);
}

fc_status fc_router_undivide(fc_router_prepared *p, fc_error *error) {
    if (p->solver && !p->flows->weights)
        return FC_OK;
    fc_router_prepared again;
    const fc_status status = prepare(p->scenario, p->apart, error, &again);
    if (status != FC_OK)
        return status;
    fc_router_prepared_release(p);
    *p = again;
    return FC_OK;
}

/* The share of each link's channels that are free: by the times for which they are held, or, where
 * there is no solution, by the flits alone. */
static void find_free(const fc_router_solver *s, bool solved, double *weights) {
    const fc_router_flows *flows = s->flows;
    for (uint32_t c = 0; c < flows->link_count; ++c)
        weights[c] = 1 - (solved ? 0 : s->links[s->alike->link_of[c]].load);
    for (uint32_t l = 0; solved && l < flows->lane_count; ++l) {
        const fc_solver_lane *lane = &s->lanes[s->alike->lane_of[l]];
        weights[flows->lanes[l].link] -=
            lane->rate * lane->holding / s->links[lane->link].used_channels;
    }
    for (uint32_t c = 0; c < flows->link_count; ++c)
        weights[c] = fmax(free_least, weights[c]);
}

/* Half way to the new weights; false: they are the same. */
static bool move_weights(const fc_router_flows *flows, double *weights) {
    double change = 0;
    for (uint32_t c = 0; c < flows->link_count; ++c) {
        if (flows->links[c].kind != FC_ROUTER_LINK)
            continue;
        const double last = flows->weights ? flows->weights[c] : 1;
        if (flows->weights)
            weights[c] = 0.5 * (weights[c] + last);
        change = fmax(change, fabs(weights[c] / last - 1));
    }
    return change > same;
}

static fc_status split(fc_router_prepared *p, double rate, fc_error *error) {
    double *weights = fc_allocate(p->flows->link_count, sizeof *weights);
    if (!weights)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    for (int round = 0; round < SPLITS_MAX && status == FC_OK; ++round) {
        fc_router_solution solution;
        fc_router_solve(p->solver, rate, rough, ROUNDS_MAX, &solution);
        if (fc_stop_asked(p->flows->cancel)) {
            status = fc_fail_cancelled(error);
            break;
        }
        find_free(p->solver, !solution.saturated, weights);
        if (!move_weights(p->flows, weights))
            break;
        status = fc_router_flows_split(p->routed, weights, error, p->flows);
        fc_router_solver_free(p->solver);
        p->solver = NULL;
        if (status == FC_OK)
            status = fc_router_solver_create(p->flows, p->routed, !p->apart, error, &p->solver);
    }
    fc_release(weights);
    return status;
}

fc_status fc_router_solve_split(fc_router_prepared *p, double rate, fc_error *error,
                                fc_router_solution *solution) {
    const fc_status status = p->flows->chooses ? split(p, rate, error) : FC_OK;
    if (status == FC_OK)
        fc_router_solve(p->solver, rate, tolerance, ROUNDS_MAX, solution);
    return status == FC_OK && fc_stop_asked(p->flows->cancel) ? fc_fail_cancelled(error) : status;
}

fc_status fc_router_limit_split(fc_router_prepared *p, fc_error *error, double *limit) {
    fc_status status = FC_OK;
    *limit = fc_router_solver_limit(p->solver);
    for (int round = 0; round < LIMITS_MAX && p->flows->chooses && status == FC_OK; ++round) {
        const double last = *limit;
        status = split(p, near_limit * last, error);
        if (status == FC_OK)
            *limit = fc_router_solver_limit(p->solver);
        if (fabs(*limit - last) <= same * last)
            break;
    }
    return status == FC_OK && fc_stop_asked(p->flows->cancel) ? fc_fail_cancelled(error) : status;
}
