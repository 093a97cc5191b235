#include "models/scouting/scouting_paths.h"

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
    fc_release(paths->ahead);
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
    paths->ahead = fc_allocate(paths->points, sizeof *paths->ahead);
    return good && paths->spread && paths->weight && paths->ahead;
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

/* What a header meets from a point on, where a channel of dimension i is free with probability
 * open[i]; the points one hop further are known. Dimensions are independent. */
static fc_outlook look_ahead(const fc_scouting_paths *paths, size_t point, const double *open) {
    double success[FC_LIST_MAX], gain[FC_LIST_MAX];
    double vain[FC_LIST_MAX]; /* links entered in vain if this way is tried */
    size_t count = 0;
    fc_outlook here = {.stuck = 1};
    double none = 1;
    for (size_t i = 0; i < paths->dimensions; ++i) {
        if (hops_of(paths, point, i) == 0)
            continue;
        const fc_outlook *next = &paths->ahead[point - paths->stride[i]];
        success[count] = open[i] * next->found;
        gain[count] = (1 - open[i]) * next->found + open[i] * next->opens;
        vain[count] = open[i] * (next->astray + 1 - next->found);
        /* the way is free but leads nowhere, given that this way has no path */
        const double blind =
            success[count] < 1 ? open[i] * (1 - next->found) / (1 - success[count]) : 0;
        here.stuck *= 1 - blind;
        here.entered += blind * (1 + next->entered);
        here.held += blind * (2 + 2 * next->entered + next->held);
        none *= 1 - success[count++];
    }
    here.found = 1 - none;
    for (size_t i = 0; i < count; ++i) {
        double others = 1;
        for (size_t j = 0; j < count; ++j)
            if (j != i)
                others *= 1 - success[j];
        here.opens += others * gain[i];
        here.astray += tried(success, count, i) * vain[i];
    }
    return here;
}

fc_search fc_scouting_search(fc_scouting_paths *paths, const double *full, double channels,
                             double hold) {
    const double opening = hold / (channels + 1); /* until the first of V is given back */
    const double before = paths->dimensions == 1 ? 1 - 1 / paths->distance : 0;
    double first[FC_LIST_MAX], further[FC_LIST_MAX]; /* P(a channel is free) */
    for (size_t i = 0; i < paths->dimensions; ++i) {
        first[i] = 1 - full[i];
        further[i] = 1 - full[i] * (1 - pow(before, channels));
    }
    fc_search search = {0};
    paths->ahead[0] = (fc_outlook){.found = 1};
    for (size_t point = 1; point < paths->points; ++point) {
        paths->ahead[point] = look_ahead(paths, point, further);
        const fc_outlook source =
            before > 0 ? look_ahead(paths, point, first) : paths->ahead[point];
        const double weight = paths->weight[point], none = 1 - source.found;
        search.none += weight * none;
        search.astray += weight * source.astray;
        if (source.opens <= 0)
            continue;
        const double wait = none / source.opens * opening; /* of those that find no path */
        search.wait += weight * none * wait;
        search.square += weight * none * 2 * wait * wait;
        search.detour += weight * none * source.entered;
        if (source.entered > 0)
            search.held += weight * none * wait * source.held * (1 - source.stuck) /
                           (1 - source.stuck + 2 * source.entered);
    }
    return search;
}
