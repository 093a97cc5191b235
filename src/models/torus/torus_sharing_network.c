/* Sets up the model torus-sharing for a network: what can be counted beforehand, and memory. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/torus/torus_sharing_parts.h"

enum { AHEAD = 4 * POSITIONS_MAX * POSITIONS_MAX };

/* With one channel to block a header, holding time and beta drive each other: beta moves by at most
 * this factor in a round, or the rounds overshoot ever further. */
static const double beta_step = 1.15;
/* Worms that all end at one node never let each other through; a little is left for the equations
 * to have a solution. */
static const double stopped_most = 0.999;

static size_t channel_doubles(int channels) {
    const size_t counts = (size_t)channels + 1;
    return counts * (3 * FC_RATE_POINTS + 5);
}

static void assign_channel(channel *c, int servers, double **memory) {
    const size_t counts = (size_t)servers + 1;
    c->servers = servers;
    c->caps = (fc_rate_row *)*memory;
    c->shares = c->caps + counts;
    c->elsewhere = c->shares + counts;
    c->capacity = (double *)(c->elsewhere + counts);
    c->busy = c->capacity + counts;
    c->ready = c->busy + counts;
    c->met = c->ready + counts;
    c->work = c->met + counts;
    *memory = c->work + counts;
}

/* P(two messages that enter dimension d came over the same channel) */
static double came_together(const fc_sharing_solver *solver, size_t d) {
    double together = 0.0, skipped = 1.0; /* skipped: P(it crossed none of those in between) */
    for (size_t j = d; j-- > 0;) {
        const fc_ring_paths *paths = &solver->dimension[j].paths;
        together += skipped * skipped * fc_sharing_same_direction(paths);
        skipped *= 1.0 - paths->crossed;
    }
    return solver->input.injection_channels == 1 ? together + skipped * skipped : together;
}

/* P(two messages on a channel of dimension d are of one node): they begin their way in it at one
 * node, which by symmetry is as likely as that they end it at one, and came there from one node. A
 * node that injects one message at a time never has two under way that slow each other. */
static double from_one_node(const fc_sharing_solver *solver, size_t d) {
    double same = fc_sharing_same_end(&solver->dimension[d]);
    for (size_t j = 0; j < d; ++j)
        same /= (double)solver->dimension[j].paths.radix;
    return same;
}

static void describe_dimension(fc_sharing_solver *solver, size_t d) {
    dimension *dim = &solver->dimension[d];
    const fc_ring_paths *paths = &dim->paths;
    dim->changing = fc_sharing_changing(dim);
    if (d > 0)
        dim->turning = fc_sharing_turning(&solver->dimension[d - 1].paths, dim);
    dim->together = came_together(solver, d);
    /* with one channel for each class those that share a link end on either side of it */
    const bool apart = solver->blockers == 1 && solver->input.rule != FC_DATELINE;
    if (solver->input.ejection_channels < solver->input.channels && !apart) {
        dim->stopped = fc_sharing_same_end(dim) / solver->input.ejection_channels;
        for (size_t j = d + 1; j < solver->dimensions; ++j)
            dim->stopped /= (double)solver->dimension[j].paths.radix;
    }
    if (solver->input.injection_channels == 1)
        dim->stopped = 1.0 - (1.0 - dim->stopped) * (1.0 - from_one_node(solver, d));
    dim->stopped = fmin(dim->stopped, stopped_most);
    for (int a = 0; a < dim->positions; ++a) {
        position *p = &dim->position[a];
        p->anew = p->fresh * (2.0 - p->fresh * (1.0 + dim->together));
        dim->anew += p->weight * p->load * p->anew;
    }
    dim->behind = dim->forward = paths->ahead;
    for (size_t j = 0; j < solver->dimensions; ++j) {
        const double hops = solver->dimension[j].paths.mean_hops;
        if (j < d)
            dim->behind += hops;
        else if (j > d)
            dim->forward += hops;
    }
}

/* P(the messages that fill a node's ejection, and one more, can arrive at the same time): all that
 * end over a channel are of one class, but for dateline, and fit on the channels open to it. */
static double arrive_together(const fc_sharing_solver *solver, double *ways) {
    const int messages = solver->input.ejection_channels + 1;
    const int fit = solver->input.rule == FC_DATELINE ? solver->input.channels : solver->blockers;
    memset(ways, 0, sizeof(double) * (size_t)(messages + 1));
    ways[0] = 1.0; /* ways[n]: P(n come over the inputs so far, at most `fit` over each) / n! */
    double reached = 1.0;
    for (size_t d = solver->dimensions; d-- > 0;) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        const double share = reached * paths->crossed / paths->directions;
        for (int way = 0; way < paths->directions; ++way)
            for (int n = messages; n > 0; --n) {
                double term = 1.0;
                for (int j = 1; j <= fit && j <= n; ++j) {
                    term *= share / j;
                    ways[n] += term * ways[n - j];
                }
            }
        reached *= 1.0 - paths->crossed;
    }
    double orders = 1.0;
    for (int n = 2; n <= messages; ++n)
        orders *= n;
    return ways[messages] * orders;
}

/* A worm of M flits never holds two channels that are M or more apart: their share of the pairs of
 * a mean path. */
static double never_together(const fc_sharing_solver *solver) {
    const double channels = floor(solver->mean_hops + 2.5);
    double pairs = 0.0;
    for (double d = fmax(1.0, solver->input.flits); d < channels; ++d)
        pairs += channels - d;
    return 2.0 * pairs / (channels * (channels - 1.0));
}

static void describe_network(fc_sharing_solver *solver) {
    double nodes = 1.0, hops = 0.0, reached = 1.0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        nodes *= (double)paths->radix;
        hops += paths->mean_hops;
        solver->overlap += reached * reached * fc_sharing_same_direction(paths);
        reached *= 1.0 - paths->crossed;
    }
    solver->correction = nodes / (nodes - 1.0);
    solver->overlap *= solver->correction * solver->correction;
    solver->self = 1.0 / nodes;
    solver->mean_hops = solver->correction * hops;
    solver->beyond = never_together(solver);
    double busiest = 1.0; /* of a node's link; below: messages over a channel for each injected */
    for (size_t d = 0; d < solver->dimensions; ++d)
        for (int a = 0; a < solver->dimension[d].positions; ++a)
            busiest = fmax(busiest, solver->correction * solver->dimension[d].paths.hops *
                                        solver->dimension[d].position[a].load);
    solver->limit = 1.0 / (busiest * solver->input.flits);
}

/* Common and reserved virtual channels under the rule, and how many of them block a header. */
static fc_occupancy_chain *create_chain(fc_sharing_solver *solver) {
    const int channels = solver->input.channels, half = channels / 2;
    if (solver->input.rule == FC_FREE) {
        solver->blockers = channels;
        return fc_occupancy_chain_create(channels, (const int[]){0, 0});
    }
    if (solver->input.rule == FC_DATELINE) {
        solver->blockers = half;
        solver->separate = true;
        return fc_occupancy_chain_create(0, (const int[]){half, half});
    }
    solver->blockers = channels - 1;
    solver->separate = channels == 2;
    return fc_occupancy_chain_create(channels - 2, (const int[]){1, 1});
}

static bool allocate(fc_sharing_solver *solver, int64_t longest) {
    const fc_sharing_case *input = &solver->input;
    const size_t dimensions = solver->dimensions, counts = (size_t)input->channels + 1;
    const size_t scratch = fc_ring_survival_scratch(longest, input->channels) +
                           (size_t)input->ejection_channels + 4 * (size_t)longest +
                           2 * (size_t)solver->reach + 8;
    solver->memory_size = dimensions * channel_doubles(input->channels) +
                          channel_doubles(input->injection_channels) +
                          channel_doubles(input->ejection_channels);
    solver->memory = fc_allocate(solver->memory_size, sizeof(double));
    solver->saved = fc_allocate(1, sizeof *solver + solver->memory_size * sizeof(double));
    solver->scratch = fc_allocate(scratch, sizeof(double));
    solver->of_positions =
        fc_allocate(dimensions * (AHEAD + POSITIONS_MAX * counts), sizeof(double));
    solver->one_position = fc_allocate(3 * counts, sizeof(double));
    solver->moving = fc_allocate(counts, sizeof(double));
    solver->chain = create_chain(solver);
    return solver->memory != NULL && solver->saved != NULL && solver->scratch != NULL &&
           solver->of_positions != NULL && solver->one_position != NULL && solver->moving != NULL &&
           solver->chain != NULL;
}

static void assign_dimension(fc_sharing_solver *solver, size_t d, double **memory) {
    const size_t counts = (size_t)solver->input.channels + 1;
    dimension *dim = &solver->dimension[d];
    dim->ahead = solver->of_positions + d * (AHEAD + POSITIONS_MAX * counts);
    dim->leaving = 1.0 / dim->paths.hops_if_crossed;
    assign_channel(&dim->channel, solver->input.channels, memory);
    fc_sharing_find_positions(solver, dim, solver->scratch);
    for (size_t a = 0; a < POSITIONS_MAX; ++a)
        dim->position[a].work = dim->ahead + AHEAD + a * counts;
}

fc_sharing_solver *fc_sharing_solver_create(const fc_sharing_case *input) {
    fc_sharing_solver *solver = fc_allocate(1, sizeof *solver);
    if (solver == NULL)
        return NULL;
    solver->input = *input;
    solver->dimensions = input->radix.count;
    int64_t longest = 1, path = 1;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths paths = fc_ring_paths_of(input->radix.values[d], input->kind);
        solver->dimension[d].paths = paths;
        path += paths.longest;
        if (paths.longest > longest)
            longest = paths.longest;
    }
    solver->reach = input->flits < (double)path ? (int64_t)input->flits : path;
    if (!allocate(solver, longest)) {
        fc_sharing_solver_free(solver);
        return NULL;
    }
    solver->step = solver->blockers == 1 ? beta_step : INFINITY;
    solver->idle = input->idle_cycle ? 1.0 : 0.0;
    double *memory = solver->memory;
    for (size_t d = 0; d < solver->dimensions; ++d)
        assign_dimension(solver, d, &memory);
    for (size_t d = 0; d < solver->dimensions; ++d)
        describe_dimension(solver, d);
    assign_channel(&solver->injection, input->injection_channels, &memory);
    assign_channel(&solver->ejection, input->ejection_channels, &memory);
    describe_network(solver);
    solver->arrive_together = arrive_together(solver, solver->scratch);
    for (size_t from = 0; from <= solver->dimensions; ++from)
        solver->eject_ahead[from] = fc_sharing_look_ahead(solver, from, solver->scratch);
    return solver;
}

void fc_sharing_solver_free(fc_sharing_solver *solver) {
    if (solver == NULL)
        return;
    fc_release(solver->memory);
    fc_release(solver->saved);
    fc_release(solver->scratch);
    fc_release(solver->of_positions);
    fc_release(solver->one_position);
    fc_release(solver->moving);
    fc_occupancy_chain_free(solver->chain);
    fc_release(solver);
}

void fc_sharing_save(fc_sharing_solver *solver) {
    *solver->saved = *solver;
    memcpy(solver->saved + 1, solver->memory, solver->memory_size * sizeof(double));
}

void fc_sharing_restore(fc_sharing_solver *solver) {
    *solver = *solver->saved;
    memcpy(solver->memory, solver->saved + 1, solver->memory_size * sizeof(double));
}
