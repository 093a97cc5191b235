/* The positions of a dimension for the model torus-sharing, and who meets whom there: all by exact
 * counting over pairs of digits. */
#include <math.h>
#include <string.h>
#include "models/torus/torus_sharing_parts.h"
#include "queueing/quadrature.h"

/* The class of a message is that of the channels reserved for it: by digit comparison, or by having
 * wrapped around; where all channels are free to all there is only one. */
static double first_class(const fc_sharing_case *input, const fc_ring_paths *paths, int64_t at) {
    if (input->rule == FC_FREE)
        return 1.0;
    return input->rule == FC_DATELINE ? 1.0 - fc_ring_wrapped(paths, at)
                                      : fc_ring_no_wrap_ahead(paths, at);
}

/* Mean further hops in a dimension of a worm on a channel of it, near enough for its header to wait
 * there while it holds the channel. */
static double hops_ahead(const fc_sharing_solver *solver, const dimension *dim) {
    double ahead = 0.0, longer = 0.0, sum = 0.0; /* sum: of P(at least s hops), from the longest */
    for (int64_t s = dim->paths.longest; s > 1; --s) {
        longer += fc_ring_distance(&dim->paths, s);
        sum += longer;
        if (s - 1 <= solver->reach)
            ahead += sum;
    }
    return ahead * dim->leaving;
}

/* Where some channels are open to both classes, the positions of a ring differ little, in the
 * shares of the classes only: a few stand for all. */
static void find_alike(const fc_sharing_solver *solver, dimension *dim, double *values,
                       double *weights) {
    const int channels = (int)dim->paths.channels;
    for (int a = 0; a < channels; ++a) {
        values[a] = first_class(&solver->input, &dim->paths, a);
        weights[a] = 1.0 / channels;
    }
    dim->positions = fc_quadrature_reduce(values, weights, channels, RING_POSITIONS_MAX);
    for (int a = 0; a < dim->positions; ++a)
        dim->position[a] = (position){.weight = weights[a],
                                      .load = 1.0,
                                      .fresh = dim->leaving,
                                      .share = {values[a], 1.0 - values[a]}};
    const double near = hops_ahead(solver, dim);
    for (int a = 0; a < 2 * dim->positions; ++a)
        for (int b = 0; b < dim->positions; ++b)
            for (int class = 0; class < 2; ++class)
                dim->ahead[(a * dim->positions + b) * 2 + class] =
                    near * dim->position[b].weight * dim->position[b].share[class];
}

/* Share of the messages on a channel of a ring that come over the one `back` hops before the
 * channel out of digit `at` and over that one too; *first: of those, the ones of the first class
 * there. sum[i]: of P(at least s hops) over s <= i. */
static double pass_both(const fc_sharing_case *input, const dimension *dim, int64_t at,
                        int64_t back, const double *sum, double *first) {
    const int64_t longest = dim->paths.longest;
    int64_t to = longest;
    if (input->rule == FC_DATELINE) /* hops before this one: back .. at */
        to = at + 1;
    else if (input->rule != FC_FREE) /* hops from here: 1 .. radix - 1 - at */
        to = back + dim->paths.radix - 1 - at;
    to = to < back ? back : to > longest ? longest : to;
    *first = (sum[to] - sum[back]) * dim->leaving;
    return (sum[longest] - sum[back]) * dim->leaving;
}

/* Counts the channels that lie ahead of messages in the ring before the one out of digit `at`: only
 * those that wrap around on the way change their class. */
static void look_back_on_ring(const fc_sharing_solver *solver, dimension *dim, int64_t at,
                              const double *sum) {
    const int64_t channels = dim->paths.channels, positions = dim->positions;
    for (int64_t back = 1; back <= solver->reach && back < dim->paths.longest; ++back) {
        const int64_t from = (at - back + channels) % channels;
        double first;
        const double both = pass_both(&solver->input, dim, at, back, sum, &first);
        const bool wraps = from >= at, low = wraps && solver->input.rule == FC_DATELINE;
        double *row = dim->ahead +
                      (from * positions / channels * 2 * positions + at * positions / channels) * 2;
        row[wraps && !low ? 2 * positions : 0] += first / (double)channels;
        row[(low ? 0 : 2 * positions) + 1] += (both - first) / (double)channels;
    }
}

/* The same on a line, where there is one class and a destination is as likely as another. */
static void look_back_on_line(const fc_sharing_solver *solver, dimension *dim, int64_t at) {
    const int64_t channels = dim->paths.channels, positions = dim->positions;
    for (int64_t back = 1; back <= solver->reach && back <= at; ++back) {
        const int64_t from = at - back;
        const double goes_on = (double)(channels - at) / (double)(channels - from);
        dim->ahead[(from * positions / channels * 2 * positions + at * positions / channels) * 2] +=
            goes_on * fc_ring_load(&dim->paths, from) / (double)channels;
    }
}

/* One position for each channel, or for neighbouring ones where there are many. On a line the load
 * is largest in the middle and fewer messages are new towards the end: one in a + 1 at the channel
 * out of digit a. */
static void find_each(const fc_sharing_solver *solver, dimension *dim, double *sum) {
    const fc_ring_paths *paths = &dim->paths;
    const int64_t channels = paths->channels;
    dim->positions = (int)(channels < POSITIONS_MAX ? channels : POSITIONS_MAX);
    double longer = 1.0;
    sum[0] = 0.0;
    for (int64_t s = 1; s <= paths->longest; ++s) {
        sum[s] = sum[s - 1] + longer;
        longer -= fc_ring_distance(paths, s);
    }
    for (int64_t a = 0; a < channels; ++a) {
        position *p = &dim->position[a * dim->positions / channels];
        const double load = fc_ring_load(paths, a) / (double)channels;
        p->weight += 1.0 / (double)channels;
        p->load += load;
        p->fresh += load * (paths->kind == FC_LINE ? 1.0 / (double)(a + 1) : dim->leaving);
        const double first = first_class(&solver->input, paths, a);
        p->share[0] += load * first;
        p->share[1] += load * fmax(0.0, 1.0 - first);
        if (paths->kind == FC_LINE)
            look_back_on_line(solver, dim, a);
        else
            look_back_on_ring(solver, dim, a, sum);
    }
    for (int a = 0; a < dim->positions; ++a) {
        position *p = &dim->position[a];
        for (int class = 0; class < 2; ++class) {
            double *ahead = dim->ahead + (2 * a + class) * 2 * dim->positions;
            for (int b = 0; b < 2 * dim->positions; ++b)
                ahead[b] = p->share[class] > 1e-12 ? ahead[b] / p->share[class] : 0.0;
            p->share[class] /= p->load;
        }
        p->fresh /= p->load;
        p->load /= p->weight;
    }
}

/* Share of the blocking that a header already in the dimension meets: one worm at least of the
 * blocking set is new there. If all came over the channel before, they hold all virtual channels of
 * it that are open to the header's class, so it would not be there; unless one of them, of the
 * other class, came over the channel reserved for that class. That is the one which found the
 * common ones taken: it is one of the b - 1 now on common channels, and of the other class. */
static double blocking_share(const fc_sharing_solver *solver, const position *p, int class) {
    const double b = solver->blockers, other = solver->separate ? 0.0 : 1.0 - p->share[class];
    return 1.0 - pow(1.0 - p->fresh, b) * (1.0 - other * (b - 1.0) / b);
}

void fc_sharing_find_positions(fc_sharing_solver *solver, dimension *dim, double *scratch) {
    if (solver->separate || dim->paths.kind == FC_LINE)
        find_each(solver, dim, scratch);
    else
        find_alike(solver, dim, scratch, scratch + dim->paths.channels);
    for (int a = 0; a < dim->positions; ++a)
        for (int class = 0; class < 2; ++class)
            dim->position[a].theta[class] = blocking_share(solver, &dim->position[a], class);
}

/* reached[t]: P(the header of a worm is t hops ahead when it leaves the dimensions up to `from`),
 * of one on a channel of the last of them or, with none, of one being injected. */
static void leave(const fc_sharing_solver *solver, size_t from, double *reached) {
    memset(reached, 0, sizeof(double) * (size_t)(solver->reach + 1));
    if (from == 0) {
        reached[0] = 1.0;
        return;
    }
    const dimension *dim = &solver->dimension[from - 1];
    double longer = 0.0;
    for (int64_t s = dim->paths.longest; s > 0; --s) {
        longer += fc_ring_distance(&dim->paths, s);
        if (s - 1 <= solver->reach)
            reached[s - 1] = longer * dim->leaving;
    }
}

double fc_sharing_look_ahead(fc_sharing_solver *solver, size_t from, double *reached) {
    const int64_t reach = solver->reach;
    double *next = reached + reach + 1;
    leave(solver, from, reached);
    for (size_t j = from; j < solver->dimensions; ++j) {
        dimension *dim = &solver->dimension[j];
        const double crossed = dim->paths.crossed;
        for (int64_t t = 0; t <= reach; ++t)
            next[t] = reached[t] * (1.0 - crossed);
        for (int64_t t = 0; t < reach; ++t) {
            double longer = crossed * reached[t];
            dim->enter_ahead[from] += longer;
            for (int64_t s = 1; s <= dim->paths.longest && t + s <= reach; ++s) {
                const double ends = crossed * reached[t] * fc_ring_distance(&dim->paths, s);
                next[t + s] += ends;
                longer -= ends;
                if (t + s < reach)
                    dim->along_ahead[from] += longer;
            }
        }
        memcpy(reached, next, sizeof(double) * (size_t)(reach + 1));
    }
    double ends = 0.0;
    for (int64_t t = 0; t < reach; ++t)
        ends += reached[t];
    return ends;
}

double fc_sharing_same_direction(const fc_ring_paths *paths) {
    const double k = (double)paths->radix;
    if (paths->kind == FC_LINE) /* at the ends nearly all do */
        return (k - 1.0) * (2.0 * k - 1.0) / (3.0 * k * k);
    return paths->crossed * paths->crossed / paths->directions;
}

/* P(a message met on the last channel of a dimension turns with another one that does). */
static double turns_too(const fc_ring_paths *paths) {
    const double k = (double)paths->radix;
    if (paths->kind == FC_LINE)
        return (2.0 * k - 1.0) / (3.0 * k);
    return paths->crossed / paths->directions;
}

/* P(a message met on the first channel in a dimension entered there too). On a line most enter
 * where most others do. */
static double entered_too(const dimension *dim) {
    if (dim->paths.kind != FC_LINE)
        return dim->leaving;
    double met = 0.0;
    for (int64_t a = 0; a < dim->paths.channels; ++a)
        met += (double)(dim->paths.channels - a) / (double)(a + 1);
    return met / (0.5 * (double)(dim->paths.channels * dim->paths.radix));
}

double fc_sharing_turning(const fc_ring_paths *before, const dimension *dim) {
    return turns_too(before) * entered_too(dim);
}

double fc_sharing_changing(const dimension *dim) {
    const int64_t channels = dim->paths.channels;
    if (dim->paths.kind != FC_LINE || channels < 2)
        return dim->leaving;
    double lost = 0.0, hops = 0.0;
    for (int64_t a = 0; a + 1 < channels; ++a) {
        const double on = (double)((a + 1) * (channels - 1 - a));
        hops += on;
        lost += on / (double)(channels - a);
    }
    return lost / hops;
}

double fc_sharing_same_end(const dimension *dim) {
    if (dim->paths.kind == FC_LINE)
        return dim->leaving;
    double same = 0.0, beyond = 0.0;
    for (int64_t s = dim->paths.longest; s > 0; --s) {
        beyond += fc_ring_distance(&dim->paths, s);
        same += beyond * beyond;
    }
    return same * dim->leaving * dim->leaving;
}
