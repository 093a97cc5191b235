/* near-neighbour: a share spread over the neighbours (the nodes at the end of a node's channels),
 * the rest uniform over all other nodes. */
#include "base/memory.h"
#include "scenario/patterns/pattern.h"
#include "scenario/readers.h"

static fc_status read_value(const fc_document *document, const fc_value *value,
                            fc_destinations *destinations, fc_error *error) {
    return fc_read_number(document, value, "traffic.destinations.near-neighbour",
                          (fc_range){.minimum = 0, .maximum = 1}, error, &destinations->share);
}

static void write_value(const fc_destinations *destinations, FILE *stream) {
    fc_number_write("", destinations->share, stream);
}

/* The routers one link away, each once: in a ring of two both directions meet the same. */
static bool prepare(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *traffic) {
    (void)destinations;
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

static uint32_t draw_neighbour(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t each = traffic->concentration, router = source / each;
    const uint32_t first = traffic->neighbour_first[router];
    const uint32_t count = traffic->neighbour_first[router + 1] - first;
    if (count == 0)
        return fc_draw_any(traffic, random, source);
    const uint32_t chosen = fc_random_below(random, count);
    return traffic->neighbours[first + chosen] * each + source % each;
}

static uint32_t draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    if (fc_random_unit(random) >= traffic->share)
        return fc_draw_any(traffic, random, source);
    return draw_neighbour(traffic, random, source);
}

static double neighbour_share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    const uint32_t each = traffic->concentration, router = source / each;
    const uint32_t first = traffic->neighbour_first[router];
    const uint32_t end = traffic->neighbour_first[router + 1];
    if (end == first) /* failures have left none */
        return traffic->share * fc_share_any(traffic, source, to);
    if (source % each != to % each)
        return 0;
    for (uint32_t i = first; i < end; ++i) {
        if (traffic->neighbours[i] == to / each)
            return traffic->share / (end - first);
    }
    return 0;
}

static double share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    return neighbour_share(traffic, source, to) +
           (1 - traffic->share) * fc_share_any(traffic, source, to);
}

const fc_pattern_info fc_pattern_near_neighbour = {.example = "{near-neighbour: 0.6}",
                                                   .read = read_value,
                                                   .write = write_value,
                                                   .needs_neighbours = true,
                                                   .prepare = prepare,
                                                   .draw = draw,
                                                   .share = share};
