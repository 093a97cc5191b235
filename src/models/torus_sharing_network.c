/* Sets up the model torus-sharing for a network: what can be counted beforehand, and memory. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/torus_sharing_parts.h"
#include "queueing/quadrature.h"

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

/* The class of a message is that of the channels reserved for it: by digit comparison, or by having
 * wrapped around; where all channels are free to all there is only one. */
static double first_class(const fc_sharing_case *input, const fc_ring_paths *paths, int64_t at) {
    if (input->rule == FC_FREE)
        return 1.0;
    return input->rule == FC_DATELINE ? 1.0 - fc_ring_wrapped(paths, at)
                                      : fc_ring_no_wrap_ahead(paths, at);
}

/* The places of a ring differ in the shares of the classes only, so a few stand for all. */
static void place_on_ring(const fc_sharing_case *input, dimension *dim, double *values,
                          double *weights) {
    const int channels = (int)dim->paths.channels;
    for (int a = 0; a < channels; ++a) {
        values[a] = first_class(input, &dim->paths, a);
        weights[a] = 1.0 / channels;
    }
    dim->positions = fc_quadrature_reduce(values, weights, channels, RING_POSITIONS_MAX);
    for (int a = 0; a < dim->positions; ++a)
        dim->position[a] = (position){.weight = weights[a],
                                      .load = 1.0,
                                      .fresh = dim->leaving,
                                      .share = {values[a], 1.0 - values[a]}};
}

/* On a line the load is largest in the middle and fewer messages are new towards the end: one in
 * a + 1 at the channel out of digit a. Long lines are cut into pieces. */
static void place_on_line(dimension *dim) {
    const int channels = (int)dim->paths.channels;
    dim->positions = channels < POSITIONS_MAX ? channels : POSITIONS_MAX;
    for (int a = 0; a < channels; ++a) {
        position *p = &dim->position[(int64_t)a * dim->positions / channels];
        const double load = fc_ring_load(&dim->paths, a) / channels;
        p->weight += 1.0 / channels;
        p->load += load;
        p->fresh += load / (a + 1);
        p->share[0] = 1.0;
    }
    for (int a = 0; a < dim->positions; ++a) {
        position *p = &dim->position[a];
        p->fresh /= p->load;
        p->load /= p->weight;
    }
}

static void place_positions(const fc_sharing_solver *solver, dimension *dim, double *values,
                            double *weights) {
    if (dim->paths.kind == FC_LINE)
        place_on_line(dim);
    else
        place_on_ring(&solver->input, dim, values, weights);
    for (int a = 0; a < dim->positions; ++a) {
        position *p = &dim->position[a];
        p->theta = 1.0 - pow(1.0 - p->fresh, solver->blockers);
        dim->same_class +=
            p->weight * p->load * p->load * (p->share[0] * p->share[0] + p->share[1] * p->share[1]);
    }
}

/* P(two messages that enter dimension d over links both ways came over the same channel) */
static double came_together(const fc_sharing_solver *solver, size_t d) {
    double together = 0.0, skipped = 1.0; /* skipped: P(it crossed none of those in between) */
    for (size_t j = d; j-- > 0;) {
        const fc_ring_paths *paths = &solver->dimension[j].paths;
        const double share = skipped * paths->crossed;
        together += share * share / paths->directions;
        skipped *= 1.0 - paths->crossed;
    }
    return together;
}

static void describe_dimension(fc_sharing_solver *solver, size_t d) {
    dimension *dim = &solver->dimension[d];
    const fc_ring_paths *paths = &dim->paths;
    dim->leaving = 1.0 / paths->hops_if_crossed;
    if (d > 0) {
        const fc_ring_paths *before = &solver->dimension[d - 1].paths;
        const double turned = before->crossed / before->directions;
        const double entering = paths->crossed / paths->directions / paths->hops;
        /* links both ways: many do not come from the dimension before, and meet no one twice */
        const bool both = solver->input.kind == FC_TWO_WAY_RING;
        dim->turning = turned * entering;
        dim->turning_blocked = (both ? came_together(solver, d) : turned) * entering;
    }
    if (solver->input.ejection_channels < solver->input.channels) {
        dim->stopped = dim->leaving / solver->input.ejection_channels;
        for (size_t j = d + 1; j < solver->dimensions; ++j)
            dim->stopped /= (double)solver->dimension[j].paths.radix;
        dim->stopped = fmin(dim->stopped, 0.999);
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

static void describe_network(fc_sharing_solver *solver) {
    double nodes = 1.0, hops = 0.0, reached = 1.0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        nodes *= (double)paths->radix;
        hops += paths->mean_hops;
        const double first = reached * paths->crossed;
        solver->overlap += first * first / paths->directions;
        reached *= 1.0 - paths->crossed;
    }
    solver->correction = nodes / (nodes - 1.0);
    solver->self = 1.0 / nodes;
    solver->mean_hops = solver->correction * hops;
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
        return fc_occupancy_chain_create(0, (const int[]){half, half});
    }
    solver->blockers = channels - 1;
    return fc_occupancy_chain_create(channels - 2, (const int[]){1, 1});
}

fc_sharing_solver *fc_sharing_solver_create(const fc_sharing_case *input) {
    fc_sharing_solver *solver = fc_allocate(1, sizeof *solver);
    if (solver == NULL)
        return NULL;
    solver->input = *input;
    solver->dimensions = input->radix.count;
    int64_t longest = 1, largest = 2;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const int64_t radix = input->radix.values[d];
        solver->dimension[d].paths = fc_ring_paths_of(radix, input->kind);
        if (solver->dimension[d].paths.longest > longest)
            longest = solver->dimension[d].paths.longest;
        if (radix > largest)
            largest = radix;
    }
    const size_t channels = (size_t)input->channels;
    const size_t scratch =
        fc_ring_survival_scratch(longest, input->channels) + (size_t)input->ejection_channels + 2;
    solver->memory_size = solver->dimensions * channel_doubles(input->channels) +
                          channel_doubles(input->injection_channels) +
                          channel_doubles(input->ejection_channels);
    solver->memory = fc_allocate(solver->memory_size, sizeof(double));
    solver->saved = fc_allocate(1, sizeof *solver + solver->memory_size * sizeof(double));
    solver->scratch = fc_allocate(scratch + 2 * (size_t)largest, sizeof(double));
    solver->chain_busy = fc_allocate(channels + 1, sizeof(double));
    solver->moving = fc_allocate(channels, sizeof(double));
    solver->chain = create_chain(solver);
    solver->step = solver->blockers == 1 ? 1.15 : INFINITY;
    if (solver->memory == NULL || solver->saved == NULL || solver->scratch == NULL ||
        solver->chain == NULL || solver->chain_busy == NULL || solver->moving == NULL) {
        fc_sharing_solver_free(solver);
        return NULL;
    }
    double *memory = solver->memory;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        place_channel(&solver->dimension[d].channel, input->channels, &memory);
        describe_dimension(solver, d);
        place_positions(solver, &solver->dimension[d], solver->scratch, solver->scratch + largest);
    }
    for (size_t d = 1; d < solver->dimensions && solver->blockers == 1; ++d)
        solver->dimension[d].turning_blocked *= solver->dimension[d - 1].same_class;
    place_channel(&solver->injection, input->injection_channels, &memory);
    place_channel(&solver->ejection, input->ejection_channels, &memory);
    describe_network(solver);
    solver->arrive_together = arrive_together(solver, solver->scratch);
    return solver;
}

void fc_sharing_solver_free(fc_sharing_solver *solver) {
    if (solver == NULL)
        return;
    fc_release(solver->memory);
    fc_release(solver->saved);
    fc_release(solver->scratch);
    fc_release(solver->chain_busy);
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
