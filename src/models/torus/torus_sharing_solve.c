/* The fixed point of the model torus-sharing. torus_sharing.c describes the whole model; the
 * letters here are its steps. */
#include <math.h>
#include <string.h>
#include "models/torus/torus_sharing_parts.h"

/* Below this rate, in messages per node per cycle, the network is empty: products of probabilities
 * would have no digits left. */
#define RATE_LEAST 1e-300

/* Relative precision of the largest rate with a solution: if it is asked for, and if it is only
 * reported with the answer that a rate is saturated. */
static const double limit_precision = 1e-3, note_precision = 5e-3;
/* If the solution could be followed to this share of the rate, more iterations may reach it. */
static const double nearly = 0.97;

/* Where no steady state is looked for any more: this share of the time at the limit of the
 * occupancy chain's queues (the chain is cut where a longer queue no longer matters below
 * saturation), or this many times the latency of the empty network. */
static const double cut_most = 0.05, latency_most = 50.0;

/* resting: share of its time that a channel is held but idle. */
static void count_ready(channel *c, double resting) {
    for (int m = 0; m <= c->most; ++m)
        c->ready[m] = (fc_survival_slowness(c->shares[m]).mean - 1.0) * (1.0 - resting);
}

/* a: what worms send together and what each gets. Numbers of worms that hardly ever occur take the
 * values of the largest one that does. */
static void share_channel(channel *c) {
    for (int m = 0; m <= c->most; ++m) {
        fc_shared_capacity(c->caps[m], m + 1, m + 1, &c->capacity[m + 1]);
        fc_shared_survival(c->caps[m], m, m, &c->shares[m]);
    }
    for (int n = c->most + 2; n <= c->servers; ++n)
        c->capacity[n] = c->capacity[n - 1];
}

/* The same for the channels of a node, where caps do not depend on the number of others and how
 * long the channel is held is known. */
static void share_node(channel *c) {
    fc_shared_survival(c->caps[0], 0, c->most, c->shares);
}

/* d: others met, weighted by the work done beside them. */
static void meet_others(channel *c) {
    double total = 0.0;
    for (int m = 0; m < c->servers; ++m)
        total += c->met[m] = c->work[m + 1];
    int most = c->servers - 1;
    while (most > 1 && c->met[most] < 1e-7 * total)
        --most;
    for (int m = c->most + 1; m <= most; ++m) {
        memcpy(c->caps[m], c->caps[c->most], sizeof *c->caps);
        memcpy(c->shares[m], c->shares[c->most], sizeof *c->shares);
    }
    c->most = most;
    for (int m = 0; m <= most; ++m)
        c->met[m] /= total;
}

/* h: injection and ejection, held for the given time by each message, with an unlimited queue:
 * M/M/c. There is no idle cycle between messages that leave: a node takes a tail at once. During
 * the iteration a node may be overloaded for some rounds: that is recorded, and the load is limited
 * to just below 1. */
static void serve_node(fc_sharing_solver *solver, channel *c, double held) {
    const double rate = solver->rate;
    const double offered = rate * held;
    double total = 1.0, last = 1.0;
    c->busy[0] = 1.0;
    for (int n = 1; n <= c->servers; ++n) {
        last *= offered / n;
        total += c->busy[n] = last;
    }
    const double load = offered / c->servers;
    c->load = fmin(load, FC_SHARING_NODE_MOST);
    if (load >= 1.0)
        solver->overloaded = true;
    const double rest = 1.0 - c->load;
    total += last * c->load / rest;
    for (int n = 0; n <= c->servers; ++n) {
        c->busy[n] /= total;
        c->work[n] = n * c->busy[n];
    }
    c->blocked = last / total / rest;
    c->condition = c->load / (rest * rate);
}

/* e: P(a worm taking this channel keeps x); worms met on the neighbouring channel too count once.
 */
static void keep_rate(channel *c, double overlap) {
    memset(c->crossing, 0, sizeof c->crossing);
    double both = 1.0;
    for (int m = 0; m <= c->most; ++m, both *= overlap)
        for (int x = 0; x < FC_RATE_POINTS; ++x)
            c->crossing[x] += c->met[m] * (both + (1.0 - both) * c->shares[m][x]);
}

/* moving[j]: P(j of the others move while this worm does). Worms bound for the same node do not,
 * where only one at a time enters it. */
static void thin_out(const channel *c, double stopped, double *moving) {
    memset(moving, 0, sizeof(double) * (size_t)(c->most + 1));
    for (int m = 0; m <= c->most; ++m) {
        double p = c->met[m]; /* times Bin(j | m), from j = m down */
        for (int i = 0; i < m; ++i)
            p *= 1.0 - stopped;
        for (int j = m; j >= 0; --j) {
            moving[j] += p;
            p *= (double)j / (m - j + 1) * stopped / (1.0 - stopped);
        }
    }
}

static void cross_ring(fc_sharing_solver *solver, dimension *dim) {
    const double resting = solver->idle / dim->held;
    thin_out(&dim->channel, 1.0 - (1.0 - dim->stopped) * (1.0 - resting), solver->moving);
    const fc_ring_survival_input ring = {.paths = &dim->paths,
                                         .others = dim->channel.most,
                                         .met = solver->moving,
                                         .shares = dim->channel.shares,
                                         .leaving = dim->changing,
                                         .turning = dim->turning};
    fc_ring_survival(&ring, solver->scratch, dim->channel.crossing, dim->channel.elsewhere);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        dim->channel.crossing[x] = 1.0 - dim->paths.crossed * (1.0 - dim->channel.crossing[x]);
}

static void relax_caps(const double *survival, double beyond, double still, double *caps) {
    fc_rate_row fresh, now;
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        now[x] = beyond + (1.0 - beyond) * survival[x];
    fc_survival_to_caps(now, still, fresh);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        caps[x] += FC_SHARING_RELAX * (fresh[x] - caps[x]);
}

/* Cycles for which a message is slower than alone, over g - 1, from the survival of a flit's rate.
 * A flit meets others with p = 1 - alone. Of the M - 1 gaps behind the header a gap is lengthened
 * if one of the flits on either side is slowed: with few worms (M + 1) / M times as often as a flit
 * (step e), with many always, like all flits. */
static double lengthened_gaps(const fc_sharing_solver *solver, const double *survival) {
    const double flits = solver->input.flits, p = 1.0 - survival[FC_RATE_STEPS];
    const double often = p > 1e-9 ? -expm1((1.0 + 1.0 / flits) * log1p(-fmin(p, 1.0 - 1e-12))) / p
                                  : 1.0 + 1.0 / flits;
    return (flits - 1.0) * often;
}

/* Slowness of the worms at a position: others are met as often as at this position, here; elsewhere
 * as on the whole. */
static void slow_down(const fc_sharing_solver *solver, const channel *c, const double *outside,
                      position *p) {
    const double beyond = solver->beyond;
    fc_rate_row held = {0.0};
    double total = 0.0;
    for (int m = 0; m <= c->most; ++m) {
        total += p->work[m + 1];
        for (int x = 0; x < FC_RATE_POINTS; ++x)
            held[x] += p->work[m + 1] * c->shares[m][x] *
                       (beyond + (1.0 - beyond) * c->elsewhere[m][x] * outside[x]);
    }
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        held[x] /= total;
    const fc_slowness slowness = fc_survival_slowness(held);
    p->slow_held = slowness.mean;
    p->slow_variance = slowness.variance;
    p->gaps =
        solver->input.kind == FC_LINE ? lengthened_gaps(solver, held) : solver->input.flits - 1.0;
}

/* e, second part: the rate of a message, and of the worms met on every kind of channel. */
static void spread_rates(fc_sharing_solver *solver) {
    const double *inject = solver->injection.crossing, *eject = solver->ejection.crossing;
    fc_rate_row network, whole, outside, product;
    for (int x = 0; x < FC_RATE_POINTS; ++x) {
        product[x] = 1.0;
        for (size_t d = 0; d < solver->dimensions; ++d)
            product[x] *= solver->dimension[d].channel.crossing[x];
        network[x] = solver->correction * (product[x] - solver->self);
        whole[x] = network[x] * inject[x] * eject[x];
    }
    const fc_slowness slowness = fc_survival_slowness(whole);
    solver->slowness = slowness.mean;
    solver->slowness_variance = slowness.variance;
    solver->gaps = lengthened_gaps(solver, whole);
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        const double still = fmin(FC_SHARING_STALL_MOST, dim->stall / dim->held);
        for (int x = 0; x < FC_RATE_POINTS; ++x)
            outside[x] = inject[x] * eject[x] * product[x] / dim->channel.crossing[x];
        for (int m = 0; m <= dim->channel.most; ++m) {
            fc_rate_row survival;
            for (int x = 0; x < FC_RATE_POINTS; ++x)
                survival[x] = dim->channel.elsewhere[m][x] * outside[x];
            relax_caps(survival, solver->beyond, still, dim->channel.caps[m]);
        }
        for (int a = 0; a < dim->positions; ++a)
            slow_down(solver, &dim->channel, outside, &dim->position[a]);
    }
    fc_rate_row before, after;
    for (int x = 0; x < FC_RATE_POINTS; ++x) {
        before[x] = network[x] * eject[x];
        after[x] = network[x] * inject[x];
    }
    const double flits = solver->input.flits,
                 sent = flits + solver->gaps * (solver->slowness - 1.0);
    const double stall = solver->injection_stall / (sent + solver->injection_stall);
    relax_caps(before, solver->beyond, stall, solver->injection.caps[0]);
    relax_caps(after, solver->beyond, 0.0, solver->ejection.caps[0]);
    const fc_slowness served = fc_survival_slowness(after);
    const double taken = flits + lengthened_gaps(solver, after) * (served.mean - 1.0);
    solver->ejection_spread =
        fmin(1.0, (flits - 1.0) * (flits - 1.0) * served.variance / (taken * taken));
}

/* delta on a link of a node; half of those that come while a header waits are ahead of it too. */
static double turn_at_node(const fc_sharing_solver *solver, const channel *c) {
    return fc_sharing_wait_for_turn(solver, c, c->busy) / (1.0 - 0.5 * solver->rate);
}

/* delta on the whole path. */
static double header_delay(const fc_sharing_solver *solver) {
    double delay = solver->injection_turn + solver->ejection_turn;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const dimension *dim = &solver->dimension[d];
        delay += solver->correction * dim->paths.mean_hops * dim->turn;
    }
    return delay;
}

static double ready_beside(const channel *c) {
    double ready = 0.0;
    for (int m = 1; m <= c->most; ++m)
        ready += c->met[m] * c->ready[m];
    return ready;
}

/* g of a message. Of the slowdowns that it meets only the largest counts, but those on channels
 * that it never holds together add up. */
static double whole_slowness(const fc_sharing_solver *solver) {
    const double largest = solver->slowness - 1.0;
    double sum = ready_beside(&solver->injection) +
                 ready_beside(&solver->ejection) * (1.0 - solver->overlap);
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const dimension *dim = &solver->dimension[d];
        sum += solver->correction * dim->paths.mean_hops * dim->anew * (1.0 - dim->stopped) *
               ready_beside(&dim->channel);
    }
    return 1.0 + largest + solver->beyond * fmax(0.0, sum - largest);
}

static void set_rate(fc_sharing_solver *solver, double rate) {
    solver->rate = rate;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        dim->rate = solver->correction * rate * dim->paths.hops;
    }
}

/* The empty network. */
static void start(fc_sharing_solver *solver) {
    solver->blocking = solver->injection_stall = 0.0;
    solver->injection_turn = solver->ejection_turn = 0.0;
    solver->slowness = 1.0;
    solver->gaps = solver->input.flits - 1.0;
    solver->injection_held = solver->input.flits;
    solver->injection_spread = solver->injection_repeat = solver->ejection_spread = 0.0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        dim->stall = dim->blocked = 0.0;
        dim->held = solver->input.flits + solver->idle;
        for (int a = 0; a < dim->positions; ++a) {
            position *p = &dim->position[a];
            for (int class = 0; class < 2; ++class) {
                p->stall[class] = p->square[class] = p->blocked[class] = 0.0;
                p->beta[class] = 1.0;
            }
        }
    }
    for (size_t d = 0; d < solver->dimensions + 2; ++d) {
        channel *c = d < solver->dimensions    ? &solver->dimension[d].channel
                     : d == solver->dimensions ? &solver->injection
                                               : &solver->ejection;
        c->most = c->servers - 1;
        memset(c->caps, 0, (size_t)c->servers * sizeof *c->caps);
        for (int m = 0; m < c->servers; ++m)
            c->caps[m][FC_RATE_STEPS] = 1.0;
    }
}

/* h: waits at the node. Injection queues whole messages. Where fewer messages may share the
 * ejection channel than can arrive for it, headers wait for it and their worms with them: one at a
 * time, fewer than a network channel carries, or, over bidirectional links, than several of them
 * do. Of those that came over the same channel some were kept out by that channel; all where one
 * channel serves those that end over it. */
static void wait_at_node(fc_sharing_solver *solver) {
    const channel *in = &solver->injection, *out = &solver->ejection;
    solver->source_wait =
        in->blocked * in->condition *
        ((in->servers + solver->injection_spread) / (in->servers + 1.0) + solver->injection_repeat);
    solver->ejection_wait = solver->ejection_condition = 0.0;
    const bool few = out->servers < solver->input.channels || out->servers == 1;
    if (!few && solver->input.kind == FC_UNIDIRECTIONAL_RING)
        return;
    const double spread = solver->ejection_spread;
    const double residual = (1.0 - spread) * out->servers / (out->servers + 1.0) + spread;
    const dimension *last = &solver->dimension[solver->dimensions - 1];
    const double together = solver->overlap; /* came over the same channel */
    const bool alone = solver->blockers == 1 && solver->input.rule != FC_DATELINE;
    double used = 0.0; /* 1 - busy[0], which at low load has no digits left */
    for (int n = last->channel.servers; n > 0; --n)
        used += last->channel.busy[n];
    const double kept_out = alone ? 1.0 : last->blocked / used;
    const double apart = (1.0 - out->load) / (1.0 - out->load * (1.0 - together));
    solver->ejection_condition =
        out->condition * residual *
        (few ? apart * (1.0 - together * kept_out) : solver->arrive_together);
    solver->ejection_wait = out->blocked * solver->ejection_condition;
}

static void iterate(fc_sharing_solver *solver) {
    solver->overloaded = false;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        share_channel(&dim->channel);
        count_ready(&dim->channel, solver->idle / dim->held);
        if (fc_sharing_occupy(solver, dim) > cut_most)
            solver->overloaded = true;
        fc_sharing_wait(solver, dim);
        meet_others(&dim->channel);
        cross_ring(solver, dim);
    }
    share_node(&solver->injection);
    share_node(&solver->ejection);
    count_ready(&solver->injection, solver->idle / (solver->injection_held + solver->idle));
    count_ready(&solver->ejection, 0.0);
    serve_node(solver, &solver->injection, solver->injection_held + solver->idle);
    serve_node(solver, &solver->ejection,
               solver->input.flits + solver->gaps * (solver->slowness - 1.0) +
                   solver->ejection_turn);
    solver->injection_turn = turn_at_node(solver, &solver->injection);
    solver->ejection_turn = turn_at_node(solver, &solver->ejection) * (1.0 - solver->overlap);
    meet_others(&solver->injection);
    meet_others(&solver->ejection);
    keep_rate(&solver->injection, solver->overlap);
    keep_rate(&solver->ejection, solver->overlap);
    wait_at_node(solver);
    spread_rates(solver);
    fc_sharing_hold(solver);
}

static void report(const fc_sharing_solver *solver, fc_sharing_solution *solution) {
    solution->hops = solver->mean_hops;
    solution->slowness = whole_slowness(solver);
    solution->header_delay = header_delay(solver);
    solution->blocking = solver->blocking;
    solution->source_wait = solver->source_wait;
    solution->sharing = solution->header_delay + solver->gaps * (solution->slowness - 1.0);
    solution->latency = solution->hops + solver->input.flits + solution->sharing +
                        solution->blocking + solution->source_wait;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const dimension *dim = &solver->dimension[d];
        solution->utilisation[d] = dim->rate * solver->input.flits;
        solution->wait[d] = fc_sharing_crossing_wait(dim) / dim->paths.hops_if_crossed;
    }
}

/* How long to iterate, and when to stop. */
typedef struct patience {
    int iterations;
    double tolerance; /* relative change of the latency in a round */
    double nearly;    /* what further rounds would still change it by, if they end before that */
    int overloaded;   /* rounds in a row after which an overloaded network stays so */
    bool at_once;     /* quiet rounds are enough, whether changes are known to shrink or not */
} patience;

/* For an answer; on the path to the largest rate with a solution, near which convergence is slow,
 * or only to report that rate; for a reference load, well below saturation. */
static const patience thorough = {300, 1e-6, 1e-4, 40}, searching = {150, 1e-4, 1e-3, 40},
                      noting = {80, 5e-4, 5e-3, 16}, glancing = {80, 2e-4, 1e-3, 16, true};

/* How the changes of the latency shrink: the largest of a window of rounds over the largest of the
 * window before. Windows, because the changes may oscillate. */
typedef struct trend {
    double largest, before;
    int rounds;  /* in this window */
    double left; /* relative change that all further rounds would add; infinite: not known */
    int grows;   /* from window to window: the iteration leaves where it lingered */
} trend;

static void watch(trend *t, double residual) {
    enum { WINDOW = 10 };
    t->largest = fmax(t->largest, residual);
    if (++t->rounds < WINDOW)
        return;
    const double ratio = t->before > 0.0 ? t->largest / t->before : 1.0;
    const double in_a_round = pow(fmin(ratio, 1.0), 1.0 / WINDOW);
    t->left = ratio < 1.0 ? t->largest * in_a_round / (1.0 - in_a_round) : (double)INFINITY;
    t->grows = t->before > 0.0 && ratio > 1.0 ? t->grows + 1 : 0;
    *t = (trend){0.0, t->largest, 0, t->left, t->grows};
}

/* Iterates from the present state; false if there is no steady state at the rate. Just above the
 * largest rate with a solution the iteration lingers where that solution was, with small changes:
 * it has converged only if these shrink. */
static bool settle(fc_sharing_solver *solver, double rate, patience allowed,
                   fc_sharing_solution *solution) {
    enum { QUIET = 3, GROWING = 2 };
    const double empty = solver->mean_hops + solver->input.flits;
    int quiet = 0, overloaded = 0; /* rounds in a row */
    trend changes = {.left = (double)INFINITY};
    solution->converged = false;
    solution->saturated = true;
    if (rate >= solver->limit)
        return false;
    set_rate(solver, rate);
    for (int step = 0; step < allowed.iterations && quiet < QUIET; ++step) {
        const double before = solution->latency;
        iterate(solver);
        report(solver, solution);
        ++solution->iterations;
        solution->residual = fabs(solution->latency - before) / solution->latency;
        watch(&changes, solution->residual);
        const bool shrinks = allowed.at_once || changes.left < allowed.nearly;
        quiet = solution->residual < allowed.tolerance && shrinks ? quiet + 1 : 0;
        overloaded = solver->overloaded ? overloaded + 1 : 0;
        const bool possible = solution->latency > 0.0 && solution->latency < latency_most * empty;
        if (!possible || overloaded == allowed.overloaded || changes.grows == GROWING)
            break; /* the first also if it is not a number */
    }
    const bool possible = solution->latency > 0.0 && solution->latency < latency_most * empty;
    solution->converged = possible && (quiet == QUIET || changes.left < allowed.nearly);
    solution->saturated = !solution->converged || solver->overloaded;
    return !solution->saturated;
}

/* settle from the state of a lower rate; if that fails, the state stays as it was. */
static bool step_to(fc_sharing_solver *solver, double rate, patience allowed,
                    fc_sharing_solution *solution) {
    const fc_sharing_solution kept = *solution;
    fc_sharing_save(solver);
    if (settle(solver, rate, allowed, solution))
        return true;
    const uint64_t spent = solution->iterations;
    fc_sharing_restore(solver);
    *solution = kept;
    solution->iterations = spent;
    return false;
}

/* Follows the solution from the present state, which is the one for *rate, up to `target` or to
 * where it ends, within the given precision. True if the target was reached. From far below, the
 * iteration may miss a solution: what failed is tried again from close by. */
static bool follow(fc_sharing_solver *solver, double target, patience allowed, double precision,
                   double *rate, fc_sharing_solution *solution) {
    static const double close = 1.04;
    double high = target, tried_from = 0.0; /* high: failed from there; 0: not tried */
    while (*rate < target && high > *rate * (1.0 + precision)) {
        const double from = *rate;
        const bool again = high < from * close && !(high < tried_from * close);
        const double next = again || tried_from == 0.0 ? high : sqrt(from * high);
        if (!step_to(solver, next, allowed, solution)) {
            high = next;
            tried_from = from;
        } else {
            *rate = next;
            if (next == high) {
                high = fmin(target, next * close);
                tried_from = 0.0;
            }
        }
    }
    return *rate >= target;
}

/* A solution from the empty network at the largest of rate, rate/2, rate/4 .. that has one; 0 if
 * even an all but empty network has none. */
static double settle_below(fc_sharing_solver *solver, double rate, fc_sharing_solution *solution) {
    const double least = fmin(rate, 1e-6 / (solver->input.flits * solver->mean_hops));
    for (; rate >= least; rate *= 0.5) {
        start(solver);
        if (settle(solver, rate, noting, solution))
            return rate;
    }
    return 0.0;
}

/* The solution is followed from lower rates to its end: from the empty network the iteration may
 * overshoot and miss it. */
void fc_sharing_solve(fc_sharing_solver *solver, double rate, fc_sharing_solution *solution) {
    *solution = (fc_sharing_solution){.hops = solver->mean_hops,
                                      .slowness = 1.0,
                                      .latency = solver->mean_hops + solver->input.flits};
    if (rate < RATE_LEAST) {
        solution->converged = true;
        return;
    }
    start(solver);
    if (settle(solver, rate, thorough, solution))
        return;
    const double target = fmin(rate, solver->limit);
    double reached = settle_below(solver, 0.5 * target, solution);
    bool there =
        reached > 0.0 && follow(solver, target, noting, note_precision, &reached, solution);
    if (!there && reached > nearly * rate)
        there = follow(solver, target, searching, limit_precision, &reached, solution);
    if (there && settle(solver, rate, thorough, solution))
        return;
    solution->saturated = true;
    solution->limit = fmin(reached, rate);
}

bool fc_sharing_look_at(fc_sharing_solver *solver, double rate, bool anew,
                        fc_sharing_solution *solution) {
    if (anew) {
        start(solver);
        *solution = (fc_sharing_solution){.latency = solver->mean_hops + solver->input.flits};
    }
    return settle(solver, rate, glancing, solution);
}

/* What the search finds is confirmed: the model has an answer there. */
double fc_sharing_saturation(fc_sharing_solver *solver) {
    fc_sharing_solution solution = {.latency = 1.0};
    double rate = settle_below(solver, 0.5 * solver->limit, &solution);
    if (rate > 0.0)
        follow(solver, solver->limit, searching, limit_precision, &rate, &solution);
    const double least = 0.5 * rate;
    while (rate > least && !step_to(solver, rate, thorough, &solution))
        rate *= 1.0 - 5.0 * limit_precision;
    return rate;
}

double fc_sharing_rough_saturation(fc_sharing_solver *solver) {
    static const double precision = 0.03;
    fc_sharing_solution solution = {.latency = 1.0};
    double rate = settle_below(solver, 0.5 * solver->limit, &solution);
    if (rate > 0.0)
        follow(solver, solver->limit, glancing, precision, &rate, &solution);
    return rate;
}
