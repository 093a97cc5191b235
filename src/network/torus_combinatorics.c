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

double fc_torus_mean_hops(const fc_integer_list *radix) {
    double hops = 0.0;
    for (size_t i = 0; i < radix->count; ++i)
        hops += 0.5 * (double)(radix->values[i] - 1);
    return hops * (1.0 + 1.0 / others(radix));
}

double fc_torus_crosses(const fc_integer_list *radix, size_t i) {
    const double k = (double)radix->values[i];
    return (1.0 + 1.0 / others(radix)) * (k - 1.0) / k;
}

double fc_torus_first_in(const fc_integer_list *radix, size_t i) {
    return (double)(radix->values[i] - 1) * radix_product(radix, i + 1, radix->count) /
           others(radix);
}

double fc_torus_last_in(const fc_integer_list *radix, size_t i) {
    return (double)(radix->values[i] - 1) * radix_product(radix, 0, i) / others(radix);
}

double fc_torus_ends_in(const fc_integer_list *radix, size_t i) {
    return 1.0 / radix_product(radix, i + 1, radix->count);
}

double fc_torus_ends_after_hop(const fc_integer_list *radix, size_t i) {
    return fc_torus_ends_in(radix, i) * 2.0 / (double)radix->values[i];
}

double fc_torus_at_least(const fc_integer_list *radix, size_t j, int64_t s, size_t i) {
    const double k = (double)radix->values[j], hops = (double)s;
    if (j == i)
        return hops < k - 1.0 ? (k - 1.0 - hops) / (k - 1.0) : 0.0;
    return hops < k ? (k - hops) / k : 0.0;
}

double fc_torus_hops_ahead(const fc_integer_list *radix, size_t j, size_t i) {
    return 0.5 * (double)(radix->values[j] - (j == i ? 2 : 1));
}

fc_ring_paths fc_ring_paths_of(int64_t radix, bool bidirectional) {
    const double k = (double)radix;
    fc_ring_paths paths = {.radix = radix, .directions = bidirectional ? 2 : 1, .last_weight = 1.0};
    paths.crossed = (k - 1.0) / k;
    paths.longest = bidirectional ? radix / 2 : radix - 1;
    if (bidirectional && radix % 2 == 0)
        paths.last_weight = 0.5;
    double weight = 0.0, first = 0.0, second = 0.0;
    for (int64_t s = 1; s <= paths.longest; ++s) {
        const double w = s < paths.longest ? 1.0 : paths.last_weight, hops = (double)s;
        weight += w;
        first += w * hops;
        second += w * hops * hops;
    }
    paths.hops = first / k;
    paths.hops_if_crossed = weight > 0.0 ? first / weight : 0.0;
    paths.ahead = first > 0.0 ? 0.5 * (second / first - 1.0) : 0.0;
    return paths;
}

/* P(a message takes s hops in one direction), the digits may be equal */
static double direction_distance(const fc_ring_paths *paths, int64_t s) {
    if (s < 1 || s > paths->longest)
        return 0.0;
    return (s < paths->longest ? 1.0 : paths->last_weight) / (double)paths->radix;
}

double fc_ring_distance(const fc_ring_paths *paths, int64_t s) {
    return direction_distance(paths, s) * paths->directions / paths->crossed;
}

/* A message with r hops to go (this one included) from digit a has s >= r hops in all, one source
 * for each s; it still wraps if a + r >= k, and has wrapped if it began at a digit above a. */
double fc_ring_no_wrap_ahead(const fc_ring_paths *paths, int64_t position) {
    double share = 0.0;
    for (int64_t s = 1; s <= paths->longest; ++s) {
        const int64_t room = paths->radix - 1 - position;
        share += direction_distance(paths, s) * (double)(s < room ? s : room);
    }
    return share / paths->hops;
}

double fc_ring_wrapped(const fc_ring_paths *paths, int64_t position) {
    double share = 0.0;
    for (int64_t s = 1; s <= paths->longest; ++s)
        share += direction_distance(paths, s) * (double)(s - 1 > position ? s - 1 - position : 0);
    return share / paths->hops;
}
