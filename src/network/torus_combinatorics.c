#include "network/torus_combinatorics.h"

fc_integer_list fc_travel_order(const fc_torus *torus) {
    fc_integer_list order = {.count = 0};
    for (size_t step = 0; step < torus->radix.count; ++step) {
        const size_t d = torus->order == FC_DESCENDING ? torus->radix.count - 1 - step : step;
        if (torus->radix.values[d] > 1)
            order.values[order.count++] = torus->radix.values[d];
    }
    return order;
}

/* prod of k_j over from <= j < to */
static double radix_product(const fc_integer_list *radix, size_t from, size_t to) {
    double product = 1.0;
    for (size_t j = from; j < to; ++j)
        product *= (double)radix->values[j];
    return product;
}

static double others(const fc_integer_list *radix) { /* N - 1 */
    return radix_product(radix, 0, radix->count) - 1.0;
}

/* P(a message takes s hops in the one direction), the digits may be equal */
static double direction_distance(const fc_ring_paths *paths, int64_t s) {
    const double k = (double)paths->radix;
    if (s < 1 || s > paths->longest)
        return 0.0;
    if (paths->kind == FC_LINE)
        return (double)(paths->radix - s) / (k * k);
    /* half-way round an even ring both directions are as short, and drawn at random */
    return (paths->kind == FC_BIDIRECTIONAL_RING && 2 * s == paths->radix ? 0.5 : 1.0) / k;
}

fc_ring_paths fc_ring_paths_of(int64_t radix, fc_path_kind kind) {
    const double k = (double)radix;
    fc_ring_paths paths = {.kind = kind,
                           .radix = radix,
                           .channels = kind == FC_LINE ? radix - 1 : radix,
                           .longest = kind == FC_BIDIRECTIONAL_RING ? radix / 2 : radix - 1,
                           .directions = kind == FC_UNIDIRECTIONAL_RING ? 1 : 2,
                           .crossed = (k - 1.0) / k};
    double first = 0.0, second = 0.0;
    for (int64_t s = 1; s <= paths.longest; ++s) {
        const double p = direction_distance(&paths, s), hops = (double)s;
        first += p * hops;
        second += p * hops * hops;
    }
    paths.mean_hops = paths.directions * first;
    paths.hops = first * k / (double)paths.channels;
    paths.hops_if_crossed = paths.mean_hops / paths.crossed;
    paths.ahead = 0.5 * (second / first - 1.0);
    return paths;
}

double fc_ring_distance(const fc_ring_paths *paths, int64_t s) {
    return direction_distance(paths, s) * paths->directions / paths->crossed;
}

double fc_ring_load(const fc_ring_paths *paths, int64_t position) {
    if (paths->kind != FC_LINE)
        return 1.0;
    const double before = (double)(position + 1), after = (double)(paths->radix - 1 - position);
    return before * after / (double)paths->radix / paths->hops;
}

/* A message with r hops to go (this one included) from digit a has s >= r hops in all, one source
 * for each s; it still wraps if a + r >= k, and has wrapped if it began at a digit above a. */
double fc_ring_no_wrap_ahead(const fc_ring_paths *paths, int64_t position) {
    if (paths->kind == FC_LINE)
        return 1.0;
    double share = 0.0;
    for (int64_t s = 1; s <= paths->longest; ++s) {
        const int64_t room = paths->radix - 1 - position;
        share += direction_distance(paths, s) * (double)(s < room ? s : room);
    }
    return share / paths->hops;
}

double fc_ring_wrapped(const fc_ring_paths *paths, int64_t position) {
    if (paths->kind == FC_LINE)
        return 0.0;
    double share = 0.0;
    for (int64_t s = 1; s <= paths->longest; ++s)
        share += direction_distance(paths, s) * (double)(s - 1 > position ? s - 1 - position : 0);
    return share / paths->hops;
}

/* ---- tori ---- */

double fc_torus_mean_hops(const fc_integer_list *radix, fc_path_kind kind) {
    double hops = 0.0;
    for (size_t i = 0; i < radix->count; ++i)
        hops += fc_ring_paths_of(radix->values[i], kind).mean_hops;
    return hops * (1.0 + 1.0 / others(radix));
}

double fc_torus_first_in(const fc_integer_list *radix, size_t i) {
    return (double)(radix->values[i] - 1) * radix_product(radix, i + 1, radix->count) /
           others(radix);
}

double fc_torus_ends_after_hop(const fc_integer_list *radix, fc_path_kind kind, size_t i) {
    return 1.0 / fc_ring_paths_of(radix->values[i], kind).hops_if_crossed /
           radix_product(radix, i + 1, radix->count);
}

double fc_torus_hops_ahead(const fc_integer_list *radix, fc_path_kind kind, size_t j, size_t i) {
    const fc_ring_paths paths = fc_ring_paths_of(radix->values[j], kind);
    return j == i ? paths.hops_if_crossed - 1.0 : paths.mean_hops;
}
