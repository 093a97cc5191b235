#include "models/scouting_paths.h"

#include <math.h>
#include "base/memory.h"

void fc_scouting_paths_free(fc_scouting_paths *paths) {
    if (!paths)
        return;
    for (size_t i = 0; i < FC_LIST_MAX; ++i) {
        fc_release(paths->chance[i]);
        fc_release(paths->choices[i]);
    }
    fc_release(paths->spread);
    fc_release(paths->weight);
    fc_release(paths->found);
    fc_release(paths->effort);
    fc_release(paths);
}

/* Hops to a random digit of a bidirectional ring. */
static void fill_chances(fc_scouting_paths *paths, const fc_torus *torus) {
    paths->self = 1;
    for (size_t i = 0; i < paths->dimensions; ++i) {
        const double radix = (double)torus->radix.values[i];
        for (size_t h = 0; h <= paths->half[i]; ++h) {
            const bool single = h == 0 || 2 * (double)h == radix;
            paths->chance[i][h] = (single ? 1 : 2) / radix;
            paths->hops[i] += (double)h * paths->chance[i][h];
        }
        paths->self /= radix;
    }
    for (size_t i = 0; i < paths->dimensions; ++i) {
        paths->hops[i] /= 1 - paths->self;
        paths->distance += paths->hops[i];
    }
}

static size_t hops_of(const fc_scouting_paths *paths, size_t point, size_t dimension) {
    return point / paths->stride[dimension] % (paths->half[dimension] + 1);
}

static void fill_weights(fc_scouting_paths *paths) {
    for (size_t point = 1; point < paths->points; ++point) {
        double weight = 1 / (1 - paths->self);
        size_t distance = 0;
        for (size_t i = 0; i < paths->dimensions; ++i) {
            const size_t hops = hops_of(paths, point, i);
            weight *= paths->chance[i][hops];
            distance += hops;
        }
        paths->weight[point] = weight;
        paths->spread[distance] += weight;
    }
}

/* Follows messages down the lattice, each hop in a dimension drawn from those that are left.
 * flow: per point, who comes over which dimension; the last entry: who starts there. */
static void follow_messages(fc_scouting_paths *paths, double *flow) {
    const size_t n = paths->dimensions;
    double later = 0, straight = 0;
    for (size_t point = paths->points - 1; point > 0; --point) {
        double *here = flow + point * (n + 1);
        here[n] = paths->weight[point];
        double total = 0;
        size_t left = 0;
        for (size_t i = 0; i <= n; ++i)
            total += here[i];
        for (size_t i = 0; i < n; ++i)
            left += hops_of(paths, point, i) > 0;
        for (size_t i = 0; i < n; ++i) {
            if (hops_of(paths, point, i) == 0)
                continue;
            const double share = total / (double)left;
            flow[(point - paths->stride[i]) * (n + 1) + i] += share;
            paths->choices[i][left] += share / paths->hops[i];
            later += (total - here[n]) / (double)left;
            straight += here[i] / (double)left;
        }
    }
    paths->straight = later > 0 ? straight / later : 0;
}

static bool allocate_paths(fc_scouting_paths *paths) {
    bool good = true;
    for (size_t i = 0; i < paths->dimensions; ++i) {
        paths->chance[i] = fc_allocate(paths->half[i] + 1, sizeof(double));
        paths->choices[i] = fc_allocate(paths->dimensions + 1, sizeof(double));
        good = good && paths->chance[i] && paths->choices[i];
    }
    paths->spread = fc_allocate(paths->longest + 1, sizeof(double));
    paths->weight = fc_allocate(paths->points, sizeof(double));
    paths->found = fc_allocate(paths->points, sizeof(double));
    paths->effort = fc_allocate(paths->points, sizeof(double));
    return good && paths->spread && paths->weight && paths->found && paths->effort;
}

fc_status fc_scouting_paths_create(const fc_torus *torus, fc_error *error,
                                   fc_scouting_paths **paths) {
    fc_scouting_paths *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->dimensions = torus->radix.count;
    made->points = 1;
    for (size_t i = 0; i < made->dimensions; ++i) {
        made->half[i] = (size_t)torus->radix.values[i] / 2;
        made->stride[i] = made->points;
        made->points *= made->half[i] + 1;
        made->longest += made->half[i];
    }
    double *flow = fc_allocate(made->points * (made->dimensions + 1), sizeof *flow);
    if (!flow || !allocate_paths(made)) {
        fc_release(flow);
        fc_scouting_paths_free(made);
        return fc_fail_memory(error);
    }
    fill_chances(made, torus);
    fill_weights(made);
    follow_messages(made, flow);
    fc_release(flow);
    *paths = made;
    return FC_OK;
}

/* P(a free path from each point) if a channel of dimension i is free with probability open[i];
 * returns the mean over messages. */
static double percolate(fc_scouting_paths *paths, const double *open) {
    double mean = 0;
    paths->found[0] = 1;
    for (size_t point = 1; point < paths->points; ++point) {
        double none = 1;
        for (size_t i = 0; i < paths->dimensions; ++i)
            if (hops_of(paths, point, i) > 0)
                none *= 1 - open[i] * paths->found[point - paths->stride[i]];
        paths->found[point] = 1 - none;
        mean += paths->weight[point] * paths->found[point];
    }
    return mean;
}

/* P(dimension i is tried | the order of trial is random): all that come before it fail. With each
 * dimension at a uniform time in 0..1, the integral over the time x of i of the product of
 * 1 - x success[j]; three Gauss points. */
static double tried(const double *success, size_t count, size_t i) {
    static const double at[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double sum = 0;
    for (int g = 0; g < 3; ++g) {
        double all = weight[g];
        for (size_t j = 0; j < count; ++j)
            if (j != i)
                all *= 1 - at[g] * success[j];
        sum += all;
    }
    return sum;
}

/* Links entered in vain from each point, after percolate with the same open. */
static double go_astray(fc_scouting_paths *paths, const double *open) {
    double mean = 0;
    paths->effort[0] = 0;
    for (size_t point = 1; point < paths->points; ++point) {
        double success[FC_LIST_MAX], cost[FC_LIST_MAX];
        size_t count = 0;
        for (size_t i = 0; i < paths->dimensions; ++i) {
            if (hops_of(paths, point, i) == 0)
                continue;
            const size_t next = point - paths->stride[i];
            success[count] = open[i] * paths->found[next];
            cost[count++] = open[i] * (paths->effort[next] + 1 - paths->found[next]);
        }
        double effort = 0;
        for (size_t i = 0; i < count; ++i)
            effort += tried(success, count, i) * cost[i];
        paths->effort[point] = effort;
        mean += paths->weight[point] * effort;
    }
    return mean;
}

fc_search fc_scouting_search(fc_scouting_paths *paths, const double *full, double channels,
                             double hold) {
    /* Gauss-Legendre over the time 0..hold in which every channel is given back */
    static const double at[] = {0.0198550717512319, 0.1016667612931866, 0.2372337950418355,
                                0.4082826787521751, 0.5917173212478249, 0.7627662049581645,
                                0.8983332387068134, 0.9801449282487681};
    static const double weight[] = {0.0506142681451882, 0.1111905172266872, 0.1568533229389437,
                                    0.1813418916891810, 0.1813418916891810, 0.1568533229389437,
                                    0.1111905172266872, 0.0506142681451882};
    fc_search search = {0};
    double open[FC_LIST_MAX];
    for (int g = 0; g < 8; ++g) {
        const double still = pow(1 - at[g], channels);
        for (size_t i = 0; i < paths->dimensions; ++i)
            open[i] = 1 - full[i] * still;
        search.wait += weight[g] * hold * (1 - percolate(paths, open));
    }
    for (size_t i = 0; i < paths->dimensions; ++i)
        open[i] = 1 - full[i];
    search.none = 1 - percolate(paths, open);
    search.astray = go_astray(paths, open);
    return search;
}
