/* Channels of the model torus-sharing: who holds them, how long headers wait for them. The letters
 * are the steps of torus_sharing.c. */
#include <math.h>
#include <string.h>
#include "models/torus/torus_sharing_parts.h"

/* kc: share of the blocking time that a header already in the dimension meets. The worm ahead of it
 * has left the channel that it asks for, so the others are found there with the probability
 * conditioned on that worm being gone: 1 / (1 - before). But a header that had to wait for the
 * previous channel (a share PE) follows directly behind that worm, and meets only those that have
 * entered meanwhile: to first order 1 + before (1 - PE) in all. Simulations confirm the second form
 * for all kinds of links. With bidirectional links and on lines the first form is used
 * nevertheless, although it is larger than simulations show: it COMPENSATES the waits of step c,
 * which are too short there. If those waits are corrected, the second form should be tried again.
 */
static double blocking_along(const fc_sharing_solver *solver, const position *p, int class) {
    const double theta = p->theta[class], blocked = p->blocked[class];
    const double before = (1.0 - theta) * blocked;
    const bool unidirectional = solver->input.kind == FC_UNIDIRECTIONAL_RING;
    return theta * (unidirectional ? 1.0 + before * (1.0 - blocked) : 1.0 / (1.0 - before));
}

/* e: the same for a header that enters the dimension; worms that came over its own channel before
 * it have left. */
static double entering(const fc_sharing_solver *solver, const dimension *dim, const position *p,
                       int class) {
    const double own = dim->together * p->fresh / solver->blockers;
    return (1.0 - own) / (1.0 - own * p->blocked[class]);
}

/* Returns the time share at the limit of the chain. */
static double occupy_position(fc_sharing_solver *solver, const dimension *dim, position *p) {
    const channel *c = &dim->channel;
    const size_t counts = (size_t)c->servers + 1;
    double *busy = solver->one_position;
    double *const departure[] = {busy + counts, busy + 2 * counts};
    fc_occupancy_arrivals arrivals;
    const double rest = solver->idle;
    for (int class = 0; class < 2; ++class) {
        for (int n = 1; n <= c->servers; ++n)
            departure[class][n] = 1.0 / (solver->input.flits * n *
                                             (1.0 + p->beta[class] * (1.0 / c->capacity[n] - 1.0)) +
                                         rest);
        const double rate = dim->rate * p->load * p->share[class];
        const double kappa = entering(solver, dim, p, class) * p->fresh +
                             (1.0 - p->fresh) * blocking_along(solver, p, class);
        arrivals.blocked[class] = rate * kappa;
        arrivals.admitted[class] =
            rate * (1.0 - kappa * p->blocked[class]) / (1.0 - p->blocked[class]);
    }
    fc_occupancy occupancy;
    fc_occupancy_solve(solver->chain, &arrivals, (const double *const *)departure, busy, p->work,
                       &occupancy);
    double together = 0.0;
    for (int n = 1; n <= c->servers; ++n)
        together += n * busy[n];
    for (int class = 0; class < 2; ++class) {
        const double rate = dim->rate * p->load * (solver->separate ? p->share[class] : 1.0);
        const double held = solver->separate ? occupancy.reserved[class] : together;
        p->held[class] = rate > 0.0 ? held / rate : solver->input.flits + rest;
        const double blocked = fmin(FC_SHARING_BLOCKED_MOST, occupancy.blocked[class]);
        p->blocked[class] += FC_SHARING_RELAX * (blocked - p->blocked[class]);
        if (p->blocked[class] > FC_SHARING_BLOCKED_MOST * FC_SHARING_BLOCKED_MOST)
            solver->overloaded = true;
    }
    return occupancy.cut;
}

/* Flits leave a busy channel in bursts, which lengthens the waits behind it: in a multistage
 * network of k x k switches by a factor 1 + 4 rho / (5 k) in the limit of many stages (Kruskal,
 * Snir and Weiss, "The distribution of waiting times in clocked multistage interconnection
 * networks", IEEE Trans. Computers 37(11), 1988). 1/k is the chance that two flits come over the
 * same channel. */
static const double bursts = 0.8;

/* delta. Round robin puts a header anywhere among the others that are ready to send, with equal
 * probability; but the one that has just sent comes last: one of the m, unless that was its last
 * flit. */
double fc_sharing_wait_for_turn(const fc_sharing_solver *solver, const channel *c,
                                const double *busy) {
    const double goes_on = 1.0 - 1.0 / solver->input.flits;
    double wait = 0.0;
    for (int m = 1; m < c->servers; ++m)
        wait += busy[m] * 0.5 * c->ready[m < c->most ? m : c->most] * (1.0 - goes_on / m);
    return wait;
}

/* b: how many channels are busy. */
double fc_sharing_occupy(fc_sharing_solver *solver, dimension *dim) {
    channel *c = &dim->channel;
    const size_t size = sizeof(double) * ((size_t)c->servers + 1);
    memset(c->busy, 0, size);
    memset(c->work, 0, size);
    dim->held = dim->turn = 0.0;
    double cut = 0.0;
    for (int a = 0; a < dim->positions; ++a) {
        position *p = &dim->position[a];
        cut += p->weight * occupy_position(solver, dim, p);
        const double busy = dim->rate * p->load * solver->input.flits;
        p->turn = p->anew * fc_sharing_wait_for_turn(solver, c, solver->one_position) *
                  (1.0 + bursts * busy * (1.0 - p->anew));
        dim->turn += p->weight * p->load * p->turn;
        for (int n = 0; n <= c->servers; ++n) {
            c->busy[n] += p->weight * solver->one_position[n];
            c->work[n] += p->weight * p->work[n];
            dim->held += p->weight * n * solver->one_position[n] / dim->rate;
        }
    }
    return cut;
}

/* A header's wait, mean over all headers, and the mean of its square. */
typedef struct wait_moments {
    double mean, square;
} wait_moments;

/* The time until the first of the channels that block a class is given back. A worm is held for its
 * transfer and, with some chance, for a stall, taken as exponential with the mean and the mean
 * square of the stalls ahead. Found at a random time, it is held for more than x with G(x) = 1 -
 * x/H within the transfer, beyond that by what is left of a stall; the first of b with G^b. */
static wait_moments first_release(const fc_sharing_solver *solver, const position *p, int class) {
    const double b = solver->blockers, held = p->held[class], flits = solver->input.flits;
    const double stall = fmin(held, p->stall[class]), still = stall / held;
    const double length = stall > 0.0 ? 0.5 * (p->square[class] / stall + stall) : 0.0; /* of one */
    const double but_one = pow(still, b - 1.0), all = but_one * still;
    const double transfer = (1.0 - all * still) / (b + 1.0);
    const double spread = (flits - 1.0) * (flits - 1.0) * p->slow_variance; /* of the transfer */
    const double mean = held * transfer + all * length / b + but_one * spread / (2.0 * b * held);
    const double square = 2.0 * held * held * (transfer - (1.0 - all * still * still) / (b + 2.0)) +
                          2.0 * all * (held - stall + length / b) * length / b;
    return (wait_moments){mean, square};
}

/* c: the wait of headers of a class. meets: share of the blocking time that they meet; behind: rate
 * of the headers that may be ahead of them in the queue, divided by the rate of all. While headers
 * queue, a released channel is taken again at once, so the queue advances once in H/b. By Little's
 * law rate x wait headers are in it; the moments are those of a queue with that load. */
static wait_moments wait_at(const fc_sharing_solver *solver, const dimension *dim,
                            const position *p, int class, double meets, double behind) {
    const wait_moments first = first_release(solver, p, class);
    const double rate = behind * dim->rate * p->load * p->share[class];
    const double queue = fmin(FC_SHARING_QUEUE_MOST, rate * p->held[class] / solver->blockers);
    const double waits = p->blocked[class] * meets / (1.0 - queue);
    return (wait_moments){waits * first.mean, waits * (first.square + 2.0 * queue / (1.0 - queue) *
                                                                          first.mean * first.mean)};
}

/* For a node that injects one message at a time and loads the channel by rho. A header directly
 * behind another of its node (a share u of them) first meets those that have asked meanwhile. With
 * U their load, it waits for U times their whole holding time; other headers wait for U / (1 - rho)
 * times half a holding time. The mean wait is 1 + u (1 - 2 rho) times as long. */
static double directly_behind(const dimension *dim, const position *p, int class, double wait) {
    const double own = dim->rate * p->load * p->share[class] * p->fresh;
    const double behind = fmin(1.0, own * (p->held[class] + wait));
    return 1.0 + behind * fmax(0.0, 1.0 - 2.0 * own * p->held[class]);
}

static void wait_at_position(const fc_sharing_solver *solver, dimension *dim, position *p) {
    const bool first = dim == solver->dimension;
    const bool single = first && solver->input.injection_channels == 1;
    for (int class = 0; class < 2; ++class) {
        const double along = blocking_along(solver, p, class);
        const double enter = entering(solver, dim, p, class);
        /* Who may be ahead in the queue: not those that came over the header's own channel if it
         * enters, or over its own virtual channel if it stays in the dimension. At a node that
         * injects several messages at a time: not the header itself nor, if it is of that node, the
         * one it waits for. At a node that injects one at a time: none. */
        const double entered = enter * p->fresh, went_on = along * (1.0 - p->fresh);
        const double missing = first ? 2.0 * p->fresh / solver->input.injection_channels
                                     : dim->together / solver->blockers;
        const double ahead_enter = single ? 0.0 : entered * fmax(0.0, 1.0 - missing) + went_on;
        const double ahead_along =
            single ? 0.0 : entered + went_on * (1.0 - 1.0 / solver->blockers);
        const double weight = p->weight * p->load * p->share[class];
        wait_moments in = wait_at(solver, dim, p, class, enter, ahead_enter);
        const wait_moments on = wait_at(solver, dim, p, class, along, ahead_along);
        if (single) {
            const double factor = directly_behind(dim, p, class, in.mean);
            in.mean *= factor;
            in.square *= factor;
        }
        p->wait_along[class] = on.mean;
        p->square_along[class] = on.square;
        dim->blocked += weight * p->blocked[class];
        dim->wait_enter += weight * p->fresh / dim->leaving * in.mean;
        dim->square_enter += weight * p->fresh / dim->leaving * in.square;
        if (dim->leaving < 1.0) {
            const double share = weight * (1.0 - p->fresh) / (1.0 - dim->leaving);
            dim->wait_along += share * on.mean;
            dim->square_along += share * on.square;
        }
    }
}

void fc_sharing_wait(const fc_sharing_solver *solver, dimension *dim) {
    dim->blocked = dim->wait_enter = dim->wait_along = 0.0;
    dim->square_enter = dim->square_along = 0.0;
    for (int a = 0; a < dim->positions; ++a)
        wait_at_position(solver, dim, &dim->position[a]);
}

/* The stalls ahead of a worm in dimension `from` - 1, or being injected, beyond that dimension. */
static wait_moments stall_beyond(const fc_sharing_solver *solver, size_t from) {
    const double eject = solver->eject_ahead[from] * solver->ejection_wait;
    wait_moments stall = {eject, 2.0 * solver->ejection_condition * eject};
    for (size_t j = from; j < solver->dimensions; ++j) {
        const dimension *dim = &solver->dimension[j];
        const double enter = dim->enter_ahead[from], along = dim->along_ahead[from];
        stall.mean +=
            enter * dim->wait_enter + along * dim->wait_along + (enter + along) * dim->turn;
        stall.square += enter * dim->square_enter + along * dim->square_along;
    }
    return stall;
}

/* f and g at a position: stalls ahead of a worm, and the holding time they and the slowness lead
 * to.
 */
static void hold_position(const fc_sharing_solver *solver, const dimension *dim, position *p,
                          int class, const double *ahead, wait_moments stall) {
    const double flits = solver->input.flits;
    for (int b = 0; b < dim->positions; ++b)
        for (int other = 0; other < 2; ++other) {
            stall.mean +=
                ahead[2 * b + other] * (dim->position[b].wait_along[other] + dim->position[b].turn);
            stall.square += ahead[2 * b + other] * dim->position[b].square_along[other];
        }
    p->stall[class] += FC_SHARING_RELAX * (stall.mean - p->stall[class]);
    p->square[class] += FC_SHARING_RELAX * (stall.square - p->square[class]);
    const double slack = dim->forward * dim->forward / (2.0 * (dim->behind + dim->forward + 1.0));
    const double wanted =
        flits + (p->gaps - slack) * (p->slow_held - 1.0) + p->stall[class] + p->turn + solver->idle;
    const double excess = p->held[class] - flits - solver->idle;
    if (excess > 1e-9 * flits) {
        const double change = 1.0 + FC_SHARING_RELAX * (wanted - p->held[class]) / excess;
        p->beta[class] *= fmax(1.0 / solver->step, fmin(solver->step, change));
    }
    p->beta[class] = fmax(FC_SHARING_BETA_LEAST, fmin(FC_SHARING_BETA_MOST, p->beta[class]));
}

double fc_sharing_crossing_wait(const dimension *dim) {
    return dim->wait_enter + (dim->paths.hops_if_crossed - 1.0) * dim->wait_along;
}

/* Correlation of the source's messages: the next message of a node meets the same worms again if it
 * takes the same channel. Returns the sum, over all later messages, of the correlation of their
 * wait in the first dimension with this one's. A queue with load u and b servers has the
 * correlation time (H/b) (1 + u) / (1 - u)^2, the integral of its autocorrelation. If the node
 * injects one message at a time, the next follows directly behind, which directly_behind() counts.
 */
static double meets_again(const fc_sharing_solver *solver) {
    if (solver->input.injection_channels == 1)
        return 0.0;
    const dimension *dim = solver->dimension;
    double load = 0.0;
    for (int a = 0; a < dim->positions; ++a)
        for (int class = 0; class < 2; ++class) {
            const position *p = &dim->position[a];
            const double share = p->load * p->share[class];
            load += p->weight * share * share * dim->rate * p->held[class] / solver->blockers;
        }
    load = fmin(load, FC_SHARING_QUEUE_MOST);
    const double correlation_time =
        dim->held / solver->blockers * (1.0 + load) / ((1.0 - load) * (1.0 - load));
    return solver->overlap / expm1(1.0 / (solver->rate * correlation_time));
}

void fc_sharing_hold(fc_sharing_solver *solver) {
    const double flits = solver->input.flits;
    solver->blocking = solver->ejection_wait;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        const wait_moments beyond = stall_beyond(solver, d + 1);
        const double *ahead = dim->ahead;
        dim->stall = 0.0;
        for (int a = 0; a < dim->positions; ++a) {
            position *p = &dim->position[a];
            for (int class = 0; class < 2; ++class, ahead += 2 * dim->positions) {
                hold_position(solver, dim, p, class, ahead, beyond);
                dim->stall += p->weight * p->load * p->share[class] * p->stall[class];
            }
        }
        solver->blocking += solver->correction * dim->paths.crossed * fc_sharing_crossing_wait(dim);
    }
    const wait_moments stall = stall_beyond(solver, 0);
    solver->injection_stall = stall.mean;
    /* The buffers up to the slowest channel take flits of the tail: as for channels of the network,
     * with nothing behind and the whole way ahead. Where a node injects several messages at a time
     * it matters little, and waits are too short without it. */
    const double slack =
        solver->input.injection_channels == 1
            ? 0.5 * solver->mean_hops * solver->mean_hops / (solver->mean_hops + 1.0)
            : 0.0;
    const double held = fmax(flits, flits + (solver->gaps - slack) * (solver->slowness - 1.0) +
                                        stall.mean + solver->injection_turn);
    const double spread = stall.square + (flits - 1.0) * (flits - 1.0) * solver->slowness_variance;
    solver->injection_held = held;
    solver->injection_spread = spread / (held * held);
    const dimension *dim = solver->dimension;
    const double first =
        dim->enter_ahead[0] * dim->square_enter + dim->along_ahead[0] * dim->square_along;
    solver->injection_repeat = first / (held * held) * meets_again(solver);
}
