/* traffic.outstanding (6.1): a node has at most K requests under way, so a request waits at its
 * source until one of K permits is free. A permit is held for the round trip R, from the start of a
 * request to the arrival of its reply, so that the node is a queue with K servers:
 *
 *   R = (T1 - W1) + memory + T2 + 2       T1, T2: latency of requests and of replies, W1: the wait
 * of requests for the link, before which no permit is taken; a latency does not count the cycle in
 * which it begins W = C(K, lam R) R / (K - lam R) (ca2 + cs2) / 2
 *
 * C is Erlang's probability that all K are taken, ca2 and cs2 the variation of the arrivals and of
 * R (Allen and Cunneen's form: for K = 1 and random arrivals it is that of Pollaczek and
 * Khinchin). Where lam R >= K there is no steady state; the rate at which lam R = K is what the
 * network carries. R is that of the open network at the same rate. */
#include <math.h>
#include "models/router/router_solver.h"

/* Of a wait that befalls few, on top of the square of its mean; requests and replies wait alike. */
static double wait_variance(const fc_router_solver *s, const fc_router_solution *solution) {
    const double wait = solution->latency - s->alone.latency;
    return 2 * wait * wait;
}

/* Of the round trip without load: a reply has as far to go as its request. */
static double path_variance(const fc_paths *paths) {
    double deviation = 0;
    for (size_t k = 0; k < paths->kinds->count; ++k) {
        double weight = 0, mean = 0, square = 0;
        for (size_t i = 0; i < paths->count; ++i) {
            const fc_path *path = &paths->list[i];
            weight += path->weight[k];
            mean += path->weight[k] * path->latency[k];
            square += path->weight[k] * path->latency[k] * path->latency[k];
        }
        if (weight > 0)
            deviation += sqrt(fc_larger(0, square / weight - mean * mean / weight / weight));
    }
    return deviation * deviation;
}

/* Variation of the numbers of requests over long times: 1 for random arrivals. */
static double arrival_variation(const fc_injection *injection, double rate) {
    if (injection->process == FC_BERNOULLI)
        return fc_larger(0, 1 - rate);
    if (injection->process != FC_ON_OFF)
        return 1;
    const double on = injection->on, off = injection->off;
    return 1 + 2 * rate * off * off / (on + off);
}

/* Erlang's probability that an arrival finds all servers taken; load below `servers`. */
static double all_taken(double servers, double load) {
    if (load < servers - 12 * sqrt(servers))
        return 0;
    double lost = 1;
    for (double n = 1; n <= servers; ++n)
        lost = load * lost / (n + load * lost);
    return lost / (1 - load / servers * (1 - lost));
}

static bool is_of_requests(const fc_router_solver *s, uint32_t lane) {
    return s->links[s->lanes[lane].link].kind == FC_INJECTION_LINK &&
           (s->flows->lanes[s->alike->first_lane[lane]].mask & 1) && s->lanes[lane].rate > 0;
}

double fc_router_request_wait(const fc_router_solver *s) {
    double sum = 0, rate = 0;
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        if (!is_of_requests(s, l))
            continue;
        const double sent = s->links[s->lanes[l].link].members * s->lanes[l].rate;
        sum += sent * fc_router_source_wait(s, &s->lanes[l], l);
        rate += sent;
    }
    return rate > 0 ? sum / rate : 0;
}

bool fc_router_wait_for_replies(fc_router_solver *s, fc_router_solution *solution) {
    const double permits = s->timing.outstanding;
    if (!isfinite(permits))
        return true;
    const double trip =
        2 * solution->latency - fc_router_request_wait(s) + s->flows->kinds.memory + 2;
    const double variance = path_variance(s->flows->paths) + wait_variance(s, solution) +
                            s->flows->kinds.memory_variance;
    double sum = 0, rate = 0, last_rate = -1, chance = 0, wait = 0;
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        fc_solver_lane *lane = &s->lanes[l];
        if (!is_of_requests(s, l))
            continue;
        const double load = lane->rate * trip;
        if (load >= permits) {
            solution->bottleneck = lane->link;
            solution->limited = true;
            return false;
        }
        if (lane->rate != last_rate) {
            chance = all_taken(permits, load);
            wait = chance * trip / (permits - load) / 2 *
                   (arrival_variation(&s->timing.injection, lane->rate) + variance / (trip * trip));
        }
        last_rate = lane->rate;
        lane->permit = wait;
        lane->permit_chance = chance;
        sum += s->links[lane->link].members * lane->rate * wait;
        rate += s->links[lane->link].members * lane->rate;
    }
    /* Half of the messages are requests. */
    solution->permit = rate > 0 ? sum / rate / 2 : 0;
    solution->source += solution->permit;
    solution->latency += solution->permit;
    return true;
}
