#include "network/destinations.h"

#include "base/memory.h"
#include "network/permutations.h"

/* ---- creation ---- */

/* The routers one link away, each once: in a ring of two both directions meet the same. */
static bool list_neighbours(const fc_traffic_shape *shape, fc_traffic *traffic) {
    traffic->neighbour_first =
        fc_allocate((size_t)shape->routers + 1, sizeof *traffic->neighbour_first);
    traffic->neighbours =
        fc_allocate((size_t)shape->routers * shape->slots, sizeof *traffic->neighbours);
    if (!traffic->neighbour_first || !traffic->neighbours)
        return false;
    uint32_t *list = traffic->neighbours;
    for (uint32_t router = 0; router < shape->routers; ++router) {
        uint32_t count = 0;
        for (uint32_t slot = 0; slot < shape->slots; ++slot) {
            const uint32_t end = shape->neighbour(shape->network, router, slot);
            bool listed = end == FC_NO_NODE;
            for (uint32_t i = 0; i < count && !listed; ++i)
                listed = list[i] == end;
            if (!listed)
                list[count++] = end;
        }
        list += count;
        traffic->neighbour_first[router + 1] = traffic->neighbour_first[router] + count;
    }
    return true;
}

static bool sum_rows(fc_traffic *traffic) {
    const size_t nodes = traffic->nodes;
    traffic->cumulative = fc_allocate(nodes * nodes, sizeof *traffic->cumulative);
    if (!traffic->cumulative)
        return false;
    for (size_t source = 0; source < nodes; ++source) {
        double sum = 0;
        for (size_t node = 0; node < nodes; ++node) {
            sum += traffic->matrix[source * nodes + node];
            traffic->cumulative[source * nodes + node] = sum;
        }
    }
    return true;
}

static bool list_images(const fc_destinations *destinations, const fc_traffic_shape *shape,
                        fc_traffic *traffic) {
    traffic->image = fc_allocate(traffic->nodes, sizeof *traffic->image);
    if (!traffic->image)
        return false;
    fc_permutation_images(destinations, shape, traffic->image);
    for (uint32_t node = 0; node < traffic->nodes && !traffic->to_self; ++node) {
        if (traffic->image[node] == node)
            traffic->image[node] = FC_NO_NODE;
    }
    return true;
}

/* In order of node number, those named twice as one. */
static bool list_hot_spots(const fc_destinations *destinations, fc_traffic *traffic) {
    traffic->hot = fc_allocate(destinations->hot_count, sizeof *traffic->hot);
    traffic->hot_sum = fc_allocate(destinations->hot_count, sizeof *traffic->hot_sum);
    if (!traffic->hot || !traffic->hot_sum)
        return false;
    uint32_t count = 0;
    for (size_t i = 0; i < destinations->hot_count; ++i) {
        const uint32_t node = (uint32_t)destinations->hot[i].node;
        uint32_t place = count;
        while (place > 0 && traffic->hot[place - 1] > node)
            --place;
        if (place > 0 && traffic->hot[place - 1] == node) {
            traffic->hot_sum[place - 1] += destinations->hot[i].weight;
            continue;
        }
        for (uint32_t above = count; above > place; --above) {
            traffic->hot[above] = traffic->hot[above - 1];
            traffic->hot_sum[above] = traffic->hot_sum[above - 1];
        }
        traffic->hot[place] = node;
        traffic->hot_sum[place] = destinations->hot[i].weight;
        ++count;
    }
    for (uint32_t i = 1; i < count; ++i)
        traffic->hot_sum[i] += traffic->hot_sum[i - 1];
    traffic->hot_count = count;
    return true;
}

static bool sends(const fc_traffic *traffic, uint32_t node) {
    const size_t nodes = traffic->nodes;
    if (traffic->image)
        return traffic->image[node] != FC_NO_NODE;
    if (traffic->cumulative)
        return traffic->cumulative[node * nodes + nodes - 1] > 0;
    if (traffic->hot)
        return traffic->to_self || traffic->hot_count > 1 || traffic->hot[0] != node;
    return true;
}

static bool prepare(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *made) {
    if (fc_is_permutation(made->pattern, made->to_self))
        return list_images(destinations, shape, made);
    switch (made->pattern) {
    case FC_NEAR_NEIGHBOUR:
        return list_neighbours(shape, made);
    case FC_MATRIX:
        made->matrix = destinations->matrix;
        return sum_rows(made);
    case FC_HOT_SPOTS:
        return list_hot_spots(destinations, made);
    default:
        return true;
    }
}

fc_status fc_traffic_create_over(const fc_destinations *destinations, const fc_traffic_shape *shape,
                                 fc_error *error, fc_traffic **traffic) {
    fc_traffic *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->pattern = destinations->pattern;
    made->to_self = destinations->to_self != 0;
    made->share = destinations->share;
    made->nodes = shape->routers * shape->concentration;
    made->concentration = shape->concentration;
    made->hot_node = shape->hot_node;
    made->sender = fc_allocate(made->nodes, sizeof *made->sender);
    if (!made->sender || !prepare(destinations, shape, made)) {
        fc_traffic_free(made);
        return fc_fail_memory(error);
    }
    for (uint32_t node = 0; node < made->nodes; ++node)
        if (sends(made, node))
            made->sender[made->senders++] = node;
    *traffic = made;
    return FC_OK;
}

static uint32_t torus_neighbour(const void *network, uint32_t router, uint32_t slot) {
    const fc_geometry *geometry = network;
    return fc_channel_end(geometry, router * geometry->slots + slot, NULL, NULL);
}

fc_status fc_traffic_create(const fc_torus *torus, const fc_geometry *geometry, fc_error *error,
                            fc_traffic **traffic) {
    fc_traffic_shape shape = {.routers = geometry->nodes,
                              .concentration = 1,
                              .digits = geometry->dimensions,
                              .hot_node =
                                  torus->hot_node >= 0 ? (uint32_t)torus->hot_node : FC_NO_NODE,
                              .slots = geometry->slots,
                              .neighbour = torus_neighbour,
                              .network = geometry};
    for (uint32_t d = 0; d < geometry->dimensions; ++d)
        shape.radix[d] = geometry->radix[d];
    return fc_traffic_create_over(&torus->destinations, &shape, error, traffic);
}

void fc_traffic_free(fc_traffic *traffic) {
    if (!traffic)
        return;
    fc_release(traffic->sender);
    fc_release(traffic->image);
    fc_release(traffic->neighbour_first);
    fc_release(traffic->neighbours);
    fc_release(traffic->hot);
    fc_release(traffic->hot_sum);
    fc_release(traffic->cumulative);
    fc_release(traffic);
}

/* ---- draws ---- */

static uint32_t draw_any(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    if (traffic->to_self)
        return fc_random_below(random, traffic->nodes);
    const uint32_t node = fc_random_below(random, traffic->nodes - 1);
    return node + (node >= source ? 1u : 0u);
}

/* The first place whose running sum is above the draw. */
static uint32_t find_above(const double *sums, uint32_t count, double draw) {
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sums[middle] > draw)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t draw_neighbour(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t each = traffic->concentration, router = source / each;
    const uint32_t first = traffic->neighbour_first[router];
    const uint32_t chosen = fc_random_below(random, traffic->neighbour_first[router + 1] - first);
    return traffic->neighbours[first + chosen] * each + source % each;
}

/* The weight of hot spot i. */
static double hot_weight(const fc_traffic *traffic, uint32_t i) {
    return traffic->hot_sum[i] - (i ? traffic->hot_sum[i - 1] : 0);
}

/* Which hot spot a node is, or hot_count if it is none. */
static uint32_t hot_place(const fc_traffic *traffic, uint32_t node) {
    uint32_t low = 0, high = traffic->hot_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (traffic->hot[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < traffic->hot_count && traffic->hot[low] == node ? low : traffic->hot_count;
}

static uint32_t draw_hot_spot(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t count = traffic->hot_count;
    const uint32_t own = traffic->to_self ? count : hot_place(traffic, source);
    const double skipped = own < count ? hot_weight(traffic, own) : 0;
    double draw = fc_random_unit(random) * (traffic->hot_sum[count - 1] - skipped);
    if (own < count && draw >= traffic->hot_sum[own] - skipped)
        draw += skipped;
    uint32_t place = find_above(traffic->hot_sum, count, draw);
    if (place == own) /* by rounding at its edge */
        place = own + 1 < count ? own + 1 : own - 1;
    return traffic->hot[place];
}

uint32_t fc_traffic_draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t nodes = traffic->nodes;
    if (traffic->image)
        return traffic->image[source];
    switch (traffic->pattern) {
    case FC_NEAR_NEIGHBOUR:
        if (fc_random_unit(random) >= traffic->share)
            return draw_any(traffic, random, source);
        return draw_neighbour(traffic, random, source);
    case FC_HOT_SPOT:
        if ((source == traffic->hot_node && !traffic->to_self) ||
            fc_random_unit(random) >= traffic->share)
            return draw_any(traffic, random, source);
        return traffic->hot_node;
    case FC_HOT_SPOTS:
        return draw_hot_spot(traffic, random, source);
    case FC_MATRIX: {
        const double *row = traffic->cumulative + (size_t)source * nodes;
        return find_above(row, nodes, fc_random_unit(random) * row[nodes - 1]);
    }
    case FC_DIAGONAL:
        return fc_random_below(random, 3) ? source : (source + 1) % nodes;
    case FC_ASYMMETRIC:
        return source % (nodes / 2) + (fc_random_below(random, 2) ? nodes / 2 : 0);
    default:
        return draw_any(traffic, random, source);
    }
}

/* ---- probabilities ---- */

static double any_share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    if (traffic->to_self)
        return 1.0 / traffic->nodes;
    return to == source ? 0 : 1.0 / (traffic->nodes - 1);
}

static double neighbour_share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    const uint32_t each = traffic->concentration, router = source / each;
    const uint32_t first = traffic->neighbour_first[router];
    const uint32_t end = traffic->neighbour_first[router + 1];
    if (source % each != to % each)
        return 0;
    for (uint32_t i = first; i < end; ++i) {
        if (traffic->neighbours[i] == to / each)
            return traffic->share / (end - first);
    }
    return 0;
}

static double hot_spots_share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    const uint32_t count = traffic->hot_count, place = hot_place(traffic, to);
    const uint32_t own = traffic->to_self ? count : hot_place(traffic, source);
    const double all = traffic->hot_sum[count - 1] - (own < count ? hot_weight(traffic, own) : 0);
    if (place == count || place == own)
        return 0;
    return hot_weight(traffic, place) / all;
}

double fc_traffic_share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    const uint32_t nodes = traffic->nodes;
    if (traffic->image)
        return traffic->image[source] == to ? 1 : 0;
    switch (traffic->pattern) {
    case FC_NEAR_NEIGHBOUR:
        return neighbour_share(traffic, source, to) +
               (1 - traffic->share) * any_share(traffic, source, to);
    case FC_HOT_SPOT:
        if (source == traffic->hot_node && !traffic->to_self)
            return any_share(traffic, source, to);
        return (to == traffic->hot_node ? traffic->share : 0) +
               (1 - traffic->share) * any_share(traffic, source, to);
    case FC_HOT_SPOTS:
        return hot_spots_share(traffic, source, to);
    case FC_MATRIX:
        return traffic->matrix[(size_t)source * nodes + to];
    case FC_DIAGONAL:
        return (to == source ? 2.0 / 3 : 0) + (to == (source + 1) % nodes ? 1.0 / 3 : 0);
    case FC_ASYMMETRIC:
        return to % (nodes / 2) == source % (nodes / 2) ? 0.5 : 0;
    default:
        return any_share(traffic, source, to);
    }
}
