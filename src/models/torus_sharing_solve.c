/* The fixed point of the model torus-sharing; torus_sharing.c tells the whole story. */
#include "models/torus_sharing.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/torus_sharing_ring.h"
#include "network/torus_combinatorics.h"
#include "queueing/channel_occupancy.h"
#include "queueing/quadrature.h"
#include "queueing/rate_sharing.h"

enum { POSITIONS_MAX = 8, CHANNELS_MAX = 64 };

/* Share of a round's change that is taken over; the feedbacks overshoot if all of it is. */
static const double RELAX = 0.7;

/* A kind of channel: a dimension, injection or ejection. */
typedef struct channel {
    int servers;            /* virtual channels */
    int most;               /* largest number of others worth computing */
    fc_rate_row *caps;      /* [m]: caps of the worms on a channel that carries m + 1 */
    fc_rate_row *shares;    /* [m]: P(a worm gets x beside m others) */
    fc_rate_row *elsewhere; /* [m] dimensions: allowed by the rest of the ring */
    double *capacity;       /* [n]: drawn together by n worms */
    double *busy;           /* [n]: P(n channels busy) */
    double *met;            /* [m]: P(m others), as a worm meets them */
    double *departure;      /* [n]: rate at which each of n gives its channel back */
    double queue_wait;      /* node channels: mean wait if service were exponential */
    double blocked;         /* node channels: P(all busy) */
    double load;            /* node channels: of each with all busy */
    fc_rate_row crossing;   /* P(a worm that takes such channels keeps x) */
} channel;

typedef struct position { /* a value of the class shares, with the weight of the places that have it
                           */
    double share[2], weight;
    double blocked[2]; /* relaxed time shares */
} position;

typedef struct dimension {
    fc_ring_paths paths;
    channel channel;
    int positions;
    position position[POSITIONS_MAX];
    double rate;            /* messages per cycle and channel */
    double leaving;         /* q */
    double turning;         /* ct */
    double stopped;         /* share of the others stopped by a worm that moves */
    double same_class;      /* cs */
    double theta;           /* share of the blocking that a header continuing on the ring meets */
    double behind, forward; /* mean hops behind and ahead of a worm on a channel */
    double stall, variance; /* S, V */
    double beta;
    double blocked;                /* PE */
    double held;                   /* Hm */
    double condition;              /* cond */
    double wait_enter, wait_along; /* We, Wc */
    double slow_held;              /* gb */
} dimension;

struct fc_sharing_solver {
    fc_sharing_case input;
    size_t dimensions;
    dimension dimension[FC_LIST_MAX];
    channel injection, ejection;
    double overlap;               /* ov */
    double mean_hops, correction; /* h, f */
    double self;                  /* 1/N */
    double slowness, slowness_variance, blocking;
    double source_wait;
    bool overloaded; /* in this round */
    double ejection_spread, ejection_wait, ejection_condition;
    fc_occupancy_chain *chain;
    double *memory, *scratch, *chain_busy;
};

/* ---- creation ---- */

static size_t channel_doubles(int channels) {
    const size_t counts = (size_t)channels + 1;
    return counts * (3 * FC_RATE_POINTS + 4);
}

static void place_channel(channel *c, int servers, double **memory) {
    const size_t counts = (size_t)servers + 1;
    c->servers = servers;
    c->caps = (fc_rate_row *)*memory;
    c->shares = c->caps + counts;
    c->elsewhere = c->shares + counts;
    c->capacity = (double *)(c->elsewhere + counts);
    c->busy = c->capacity + counts;
    c->met = c->busy + counts;
    c->departure = c->met + counts;
    *memory = c->departure + counts;
}

static void place_positions(dimension *dim, double *values, double *weights) {
    const int radix = (int)dim->paths.radix;
    for (int a = 0; a < radix; ++a) {
        values[a] = fc_ring_no_wrap_ahead(&dim->paths, a);
        weights[a] = 1.0 / radix;
    }
    dim->positions = fc_quadrature_reduce(values, weights, radix, POSITIONS_MAX);
    for (int a = 0; a < dim->positions; ++a) {
        const double first = values[a], second = 1.0 - first;
        dim->position[a] = (position){.share = {first, second}, .weight = weights[a]};
        dim->same_class += weights[a] * (first * first + second * second);
    }
}

static void describe_dimension(fc_sharing_solver *solver, size_t d) {
    dimension *dim = &solver->dimension[d];
    const fc_ring_paths *paths = &dim->paths;
    dim->leaving = 1.0 / paths->hops_if_crossed;
    dim->theta = 1.0 - pow(1.0 - dim->leaving, solver->input.channels - 1);
    if (d > 0) {
        const fc_ring_paths *before = &solver->dimension[d - 1].paths;
        dim->turning = (before->crossed / before->directions) *
                       (paths->crossed / paths->directions) / paths->hops;
    }
    if (solver->input.ejection_channels < solver->input.channels) {
        dim->stopped = dim->leaving / solver->input.ejection_channels;
        for (size_t j = d + 1; j < solver->dimensions; ++j)
            dim->stopped /= (double)solver->dimension[j].paths.radix;
        dim->stopped = fmin(dim->stopped, 0.999);
    }
    dim->behind = dim->forward = paths->ahead;
    for (size_t j = 0; j < solver->dimensions; ++j) {
        const fc_ring_paths *other = &solver->dimension[j].paths;
        if (j < d)
            dim->behind += other->crossed * other->hops_if_crossed;
        else if (j > d)
            dim->forward += other->crossed * other->hops_if_crossed;
    }
}

static void describe_network(fc_sharing_solver *solver) {
    const fc_integer_list *radix = &solver->input.radix;
    double nodes = 1.0, hops = 0.0, reached = 1.0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        nodes *= (double)radix->values[d];
        hops += paths->hops * paths->directions;
        const double first = reached * paths->crossed;
        solver->overlap += first * first / paths->directions;
        reached *= 1.0 - paths->crossed;
    }
    solver->correction = nodes / (nodes - 1.0);
    solver->self = 1.0 / nodes;
    solver->mean_hops = solver->correction * hops;
}

fc_sharing_solver *fc_sharing_solver_create(const fc_sharing_case *input) {
    fc_sharing_solver *solver = fc_allocate(1, sizeof *solver);
    if (solver == NULL)
        return NULL;
    const int channels = input->channels, reserved[] = {1, 1};
    solver->input = *input;
    solver->dimensions = input->radix.count;
    int64_t longest = 1, largest = 2;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const int64_t radix = input->radix.values[d];
        solver->dimension[d].paths = fc_ring_paths_of(radix, input->bidirectional);
        if (solver->dimension[d].paths.longest > longest)
            longest = solver->dimension[d].paths.longest;
        if (radix > largest)
            largest = radix;
    }
    const size_t scratch = fc_ring_survival_scratch(longest, channels);
    const size_t memory_size = solver->dimensions * channel_doubles(channels) +
                               channel_doubles(input->injection_channels) +
                               channel_doubles(input->ejection_channels);
    solver->memory = fc_allocate(memory_size, sizeof(double));
    solver->scratch = fc_allocate(scratch + (size_t)(2 * largest), sizeof(double));
    solver->chain_busy = fc_allocate((size_t)channels + 1, sizeof(double));
    solver->chain = fc_occupancy_chain_create(channels - 2, reserved);
    if (solver->memory == NULL || solver->scratch == NULL || solver->chain == NULL ||
        solver->chain_busy == NULL) {
        fc_sharing_solver_free(solver);
        return NULL;
    }
    double *memory = solver->memory;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        place_channel(&solver->dimension[d].channel, channels, &memory);
        place_positions(&solver->dimension[d], solver->scratch, solver->scratch + largest);
        describe_dimension(solver, d);
    }
    place_channel(&solver->injection, input->injection_channels, &memory);
    place_channel(&solver->ejection, input->ejection_channels, &memory);
    describe_network(solver);
    return solver;
}

void fc_sharing_solver_free(fc_sharing_solver *solver) {
    if (solver == NULL)
        return;
    fc_release(solver->memory);
    fc_release(solver->scratch);
    fc_release(solver->chain_busy);
    fc_occupancy_chain_free(solver->chain);
    fc_release(solver);
}

/* ---- steps of an iteration ---- */

/* a: what worms draw together and what each gets. Counts that hardly ever occur take the values of
 * the last one that does. */
static void share_channel(channel *c) {
    for (int m = 0; m < c->servers; ++m) {
        if (m <= c->most) {
            c->capacity[m + 1] = fc_shared_capacity(c->caps[m], m + 1);
            fc_shared_survival(c->caps[m], m, c->shares[m]);
        } else {
            c->capacity[m + 1] = c->capacity[m];
        }
    }
}

/* d: others met, weighted by the work done beside them. */
static void meet_others(channel *c) {
    double total = 0.0;
    for (int m = 0; m < c->servers; ++m)
        total += c->met[m] = (m + 1) * c->departure[m + 1] * c->busy[m + 1];
    int most = c->servers - 1;
    while (most > 1 && c->met[most] < 1e-9 * total)
        --most;
    for (int m = c->most + 1; m <= most; ++m) {
        memcpy(c->caps[m], c->caps[c->most], sizeof *c->caps);
        memcpy(c->shares[m], c->shares[c->most], sizeof *c->shares);
    }
    c->most = most;
    for (int m = 0; m <= most; ++m)
        c->met[m] /= total;
}

/* kc: share of the blocking time that a header already on the ring meets. */
static double blocking_along(const dimension *dim) {
    return dim->theta * (1.0 + (1.0 - dim->theta) * dim->blocked * (1.0 - dim->blocked));
}

/* Blocking of a header that enters, less where the turn shares its competitors. */
static double entering(const fc_sharing_solver *solver, const dimension *dim) {
    return 1.0 - dim->turning / (solver->input.channels - 1);
}

/* b: how many channels are busy. */
static double occupy(fc_sharing_solver *solver, dimension *dim) {
    channel *c = &dim->channel;
    const int channels = solver->input.channels;
    const double flits = solver->input.flits;
    for (int n = 1; n <= channels; ++n)
        c->departure[n] = 1.0 / (flits * n * (1.0 + dim->beta * (1.0 / c->capacity[n] - 1.0)));
    const double kappa =
        entering(solver, dim) * dim->leaving + (1.0 - dim->leaving) * blocking_along(dim);
    double blocked = 0.0, held = 0.0, cut = 0.0;
    memset(c->busy, 0, sizeof(double) * (size_t)(channels + 1));
    for (int a = 0; a < dim->positions; ++a) {
        position *p = &dim->position[a];
        fc_occupancy_arrivals arrivals;
        fc_occupancy occupancy;
        for (int class = 0; class < 2; ++class) {
            const double rate = dim->rate * p->share[class], free = 1.0 - p->blocked[class];
            arrivals.blocked[class] = rate * kappa;
            arrivals.admitted[class] = rate * (1.0 - kappa * p->blocked[class]) / free;
        }
        fc_occupancy_solve(solver->chain, &arrivals, c->departure, solver->chain_busy, &occupancy);
        for (int n = 0; n <= channels; ++n) {
            c->busy[n] += p->weight * solver->chain_busy[n];
            held += p->weight * n * solver->chain_busy[n];
        }
        cut += p->weight * occupancy.cut;
        for (int class = 0; class < 2; ++class) {
            p->blocked[class] += RELAX * (occupancy.blocked[class] - p->blocked[class]);
            blocked += p->weight * p->share[class] * p->blocked[class];
        }
    }
    dim->blocked = blocked;
    dim->held = held / dim->rate;
    return cut;
}

/* c: how long headers wait for a channel. */
static void wait_for_channel(const fc_sharing_solver *solver, dimension *dim) {
    const double servers = solver->input.channels - 1;
    const double spread = fmin(1.0, dim->variance / (dim->held * dim->held));
    const double residual = (1.0 - spread) * servers / (servers + 1.0) + spread;
    const double tau =
        residual / (servers * dim->channel.departure[solver->input.channels - 1]) + 0.5;
    const double along = blocking_along(dim), enter = entering(solver, dim);
    const double e = enter * dim->leaving, r = (1.0 - dim->leaving) * along;
    const double behind = (e * (e + r) + r * e) / (e + r);
    const double rest = 1.0 - behind * dim->same_class * dim->rate * tau / servers;
    dim->condition = tau / fmax(rest, 0.02);
    dim->wait_enter = dim->blocked * dim->condition * enter;
    dim->wait_along = dim->blocked * dim->condition * along;
}

/* h: injection and ejection, with an unlimited queue. On the way to the solution an overload may
 * come and go: it is noted and cut off just below 1. */
static void serve_node(fc_sharing_solver *solver, channel *c) {
    const double flits = solver->input.flits, rate = solver->input.rate;
    double total = 1.0, last = 1.0;
    c->busy[0] = 1.0;
    for (int n = 1; n <= c->servers; ++n) {
        c->departure[n] = 1.0 / (flits * n / c->capacity[n] + 1.0);
        last *= rate / (n * c->departure[n]);
        total += c->busy[n] = last;
    }
    const double load = rate / (c->servers * c->departure[c->servers]);
    c->load = fmin(load, 0.99);
    if (load >= 1.0)
        solver->overloaded = true;
    const double rest = 1.0 - c->load;
    total += last * c->load / rest;
    for (int n = 0; n <= c->servers; ++n)
        c->busy[n] /= total;
    c->queue_wait = last / total * c->load / (rest * rest) / rate;
    c->blocked = last / total / rest;
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

/* Those of the others that move while this worm does: worms bound for the same node do not where
 * one at a time enters it. */
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
    double moving[CHANNELS_MAX];
    thin_out(&dim->channel, dim->stopped, moving);
    const fc_ring_survival_input ring = {.paths = &dim->paths,
                                         .others = dim->channel.most,
                                         .met = moving,
                                         .shares = dim->channel.shares,
                                         .leaving = dim->leaving,
                                         .turning = dim->turning};
    fc_ring_survival(&ring, solver->scratch, dim->channel.crossing, dim->channel.elsewhere);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        dim->channel.crossing[x] = 1.0 - dim->paths.crossed * (1.0 - dim->channel.crossing[x]);
}

static void relax_caps(const double *survival, double still, double *caps) {
    fc_rate_row fresh;
    fc_survival_to_caps(survival, still, fresh);
    for (int x = 0; x < FC_RATE_POINTS; ++x)
        caps[x] += RELAX * (fresh[x] - caps[x]);
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
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        const double still = fmin(0.95, dim->stall / dim->held);
        fc_rate_row held = {0.0}, survival;
        for (int x = 0; x < FC_RATE_POINTS; ++x)
            outside[x] = inject[x] * eject[x] * product[x] / dim->channel.crossing[x];
        for (int m = 0; m <= dim->channel.most; ++m) {
            for (int x = 0; x < FC_RATE_POINTS; ++x) {
                survival[x] = dim->channel.elsewhere[m][x] * outside[x];
                held[x] += dim->channel.met[m] * dim->channel.shares[m][x] * survival[x];
            }
            relax_caps(survival, still, dim->channel.caps[m]);
        }
        dim->slow_held = fc_survival_slowness(held).mean;
    }
    fc_rate_row before, after;
    for (int x = 0; x < FC_RATE_POINTS; ++x) {
        before[x] = network[x] * eject[x];
        after[x] = network[x] * inject[x];
    }
    const double stall = solver->blocking / (solver->input.flits * solver->slowness +
                                             solver->blocking + solver->mean_hops);
    for (int m = 0; m <= solver->injection.most; ++m)
        relax_caps(before, stall, solver->injection.caps[m]);
    for (int m = 0; m <= solver->ejection.most; ++m)
        relax_caps(after, 0.0, solver->ejection.caps[m]);
    const fc_slowness served = fc_survival_slowness(after);
    solver->ejection_spread = fmin(1.0, served.variance / (served.mean * served.mean));
}

/* Waits of a header that crosses a dimension, given that it does. */
static double crossing_wait(const dimension *dim) {
    return dim->wait_enter + (dim->paths.hops_if_crossed - 1.0) * dim->wait_along;
}

/* f and g: stalls ahead of a worm, and the holding time they and the slowness lead to. */
static void hold_channels(fc_sharing_solver *solver) {
    const double flits = solver->input.flits;
    double stall = solver->ejection_wait; /* after dimension d, and its second moment */
    double variance = 2.0 * solver->ejection_condition * stall;
    solver->blocking = stall;
    for (size_t d = solver->dimensions; d-- > 0;) {
        dimension *dim = &solver->dimension[d];
        const double own = dim->paths.ahead * dim->wait_along;
        dim->stall += RELAX * (own + stall - dim->stall);
        const double spread = 2.0 * dim->condition * own + variance +
                              (flits - 1.0) * (flits - 1.0) * solver->slowness_variance;
        dim->variance += RELAX * (spread - dim->variance);
        const double slack =
            dim->forward * dim->forward / (2.0 * (dim->behind + dim->forward + 1.0));
        const double wanted =
            (flits - 1.0) * dim->slow_held + 1.0 + dim->stall - slack * (dim->slow_held - 1.0);
        const double excess = dim->held - flits;
        if (excess > 1e-9 * flits)
            dim->beta *= 1.0 + RELAX * (wanted - dim->held) / excess;
        dim->beta = fmax(0.1, fmin(3.0, dim->beta));
        const double wait = dim->paths.crossed * crossing_wait(dim);
        stall += wait;
        variance += 2.0 * dim->condition * wait;
        solver->blocking += solver->correction * wait;
    }
}

static double header_delay(const fc_sharing_solver *solver) {
    double delay = 0.0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const channel *c = &solver->dimension[d].channel;
        for (int n = 2; n <= solver->input.channels; ++n)
            delay += c->busy[n] * 0.5 * (n - 1) * c->capacity[n] / n;
    }
    return delay / (double)solver->dimensions;
}

static void start(fc_sharing_solver *solver, double rate) {
    solver->input.rate = rate;
    solver->blocking = 0.0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        dim->rate = solver->correction * rate * dim->paths.hops;
        dim->stall = dim->variance = dim->blocked = 0.0;
        dim->beta = 1.0;
        for (int a = 0; a < dim->positions; ++a)
            dim->position[a].blocked[0] = dim->position[a].blocked[1] = 0.0;
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

/* h: waits at the node. Injection queues whole messages; where fewer messages may share the
 * ejection channel than a network channel, headers wait for it and their worms with them. */
static void wait_at_node(fc_sharing_solver *solver) {
    const channel *in = &solver->injection, *out = &solver->ejection;
    solver->source_wait = in->queue_wait * in->servers / (in->servers + 1.0);
    solver->ejection_wait = solver->ejection_condition = 0.0;
    if (out->servers < solver->input.channels) {
        const double spread = solver->ejection_spread;
        const double residual = (1.0 - spread) * out->servers / (out->servers + 1.0) + spread;
        const dimension *last = &solver->dimension[solver->dimensions - 1];
        const double together = solver->overlap; /* came over the same channel */
        const double kept_out = last->blocked / (1.0 - last->channel.busy[0]);
        solver->ejection_wait = out->queue_wait * residual * (1.0 - out->load) /
                                (1.0 - out->load * (1.0 - together)) * (1.0 - together * kept_out);
        solver->ejection_condition = solver->ejection_wait / out->blocked;
    }
}

static void iterate(fc_sharing_solver *solver) {
    solver->overloaded = false;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        dimension *dim = &solver->dimension[d];
        share_channel(&dim->channel);
        if (occupy(solver, dim) > 0.05)
            solver->overloaded = true;
        wait_for_channel(solver, dim);
        meet_others(&dim->channel);
        cross_ring(solver, dim);
    }
    share_channel(&solver->injection);
    share_channel(&solver->ejection);
    serve_node(solver, &solver->injection);
    serve_node(solver, &solver->ejection);
    meet_others(&solver->injection);
    meet_others(&solver->ejection);
    keep_rate(&solver->injection, solver->overlap);
    keep_rate(&solver->ejection, solver->overlap);
    wait_at_node(solver);
    spread_rates(solver);
    hold_channels(solver);
}

static void report(const fc_sharing_solver *solver, fc_sharing_solution *solution) {
    solution->hops = solver->mean_hops;
    solution->slowness = solver->slowness;
    solution->header_delay = header_delay(solver);
    solution->blocking = solver->blocking;
    solution->source_wait = solver->source_wait;
    solution->latency = solution->hops * (1.0 + solution->header_delay) + solution->blocking + 1.0 +
                        (solver->input.flits - 1.0) * solution->slowness + solution->source_wait;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const dimension *dim = &solver->dimension[d];
        solution->utilisation[d] = dim->rate * solver->input.flits;
        solution->wait[d] = crossing_wait(dim) / dim->paths.hops_if_crossed;
    }
}

void fc_sharing_solve(fc_sharing_solver *solver, double rate, fc_sharing_solution *solution) {
    enum { LIMIT = 300, QUIET = 3, OVERLOADED = 40 };
    const double empty = solver->mean_hops + solver->input.flits, tolerance = 1e-7;
    *solution = (fc_sharing_solution){.hops = solver->mean_hops, .slowness = 1.0, .latency = empty};
    if (rate <= 0.0) {
        solution->converged = true;
        return;
    }
    start(solver, rate);
    int quiet = 0, overloaded = 0; /* rounds in a row */
    for (int step = 0; step < LIMIT && quiet < QUIET; ++step) {
        const double before = solution->latency;
        iterate(solver);
        report(solver, solution);
        ++solution->iterations;
        solution->residual = fabs(solution->latency - before) / solution->latency;
        quiet = solution->residual < tolerance ? quiet + 1 : 0;
        overloaded = solver->overloaded ? overloaded + 1 : 0;
        if (!(solution->latency < 50.0 * empty) || overloaded == OVERLOADED)
            break; /* the first also if it is not a number */
    }
    solution->saturated = quiet < QUIET || solver->overloaded;
    solution->converged = quiet == QUIET;
}

double fc_sharing_saturation(fc_sharing_solver *solver) {
    double low = 0.0, high = 1.0 / solver->input.flits;
    while (high - low > 1e-4 * high) {
        const double rate = 0.5 * (low + high);
        fc_sharing_solution solution;
        fc_sharing_solve(solver, rate, &solution);
        if (solution.saturated)
            high = rate;
        else
            low = rate;
    }
    return low;
}
