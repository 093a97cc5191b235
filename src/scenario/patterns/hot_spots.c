/* hot-spots: everything to a few nodes, by their weights. */
#include "base/memory.h"
#include "base/status.h"
#include "scenario/patterns/pattern.h"
#include "scenario/readers.h"
#include "scenario/scenario.h"
#include "scenario/patterns/traffic_readers.h"
#include "scenario/patterns/traffic_rules.h"

/* ---- in a scenario ---- */

static fc_status read_weighted(const fc_document *document, const fc_value *value,
                               fc_hot_spot *spot, fc_error *error) {
    static const char name[] = "traffic.destinations.hot-spots";
    static const char *const names[] = {"node", "weight", NULL};
    const fc_range range = {.minimum = 0, .above = true, .maximum = 1e9};
    fc_status status = fc_check_members(document, value, name, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *node = fc_value_member(value, "node");
    const fc_value *weight = fc_value_member(value, "weight");
    if (!node)
        return fc_fail_at(error, document, value,
                          "a hot spot needs a node, for example {node: 3, weight: 2}");
    spot->weight = 1;
    status = fc_coordinates_read(document, node, "traffic.destinations.hot-spots.node", error,
                                 &spot->coordinates);
    if (status == FC_OK && weight)
        status = fc_read_number(document, weight, "traffic.destinations.hot-spots.weight", range,
                                error, &spot->weight);
    return status;
}

static fc_status read_value(const fc_document *document, const fc_value *value,
                            fc_destinations *destinations, fc_error *error) {
    if (value->kind != FC_VALUE_SEQUENCE || value->count < 1 || value->count > FC_HOT_SPOTS_MAX)
        return fc_fail_at(error, document, value,
                          "traffic.destinations.hot-spots must be a list of 1 to %d hot spots, "
                          "for example [{node: 3, weight: 2}, {node: 9, weight: 1}]",
                          FC_HOT_SPOTS_MAX);
    destinations->hot = fc_allocate(value->count, sizeof *destinations->hot);
    if (!destinations->hot)
        return fc_fail_memory(error);
    destinations->hot_count = value->count;
    fc_status status = FC_OK;
    for (size_t i = 0; i < value->count && status == FC_OK; ++i)
        status = read_weighted(document, value->items[i], &destinations->hot[i], error);
    return status;
}

static void write_value(const fc_destinations *destinations, FILE *stream) {
    fputs("[", stream);
    for (size_t i = 0; i < destinations->hot_count; ++i) {
        fputs(i ? ", {node: " : "{node: ", stream);
        fc_coordinates_write(&destinations->hot[i].coordinates, stream);
        fc_number_write(", weight: ", destinations->hot[i].weight, stream);
        fputs("}", stream);
    }
    fputs("]", stream);
}

static fc_status finish(const fc_scenario *scenario, const fc_routed *routed,
                        fc_destinations *destinations, fc_error *error, int64_t *hot_node) {
    static const char key[] = "traffic.destinations";
    (void)hot_node;
    for (size_t i = 0; i < destinations->hot_count; ++i) {
        fc_hot_spot *spot = &destinations->hot[i];
        const fc_status status =
            fc_find_node(scenario, routed, key, &spot->coordinates, error, &spot->node);
        if (status != FC_OK)
            return status;
        for (size_t j = 0; j < i; ++j) {
            if (destinations->hot[j].node == spot->node)
                return fc_scenario_fail_key(scenario, key, error,
                                            "%s: node %lld is a hot spot twice; add its weights",
                                            key, (long long)spot->node);
        }
    }
    return FC_OK;
}

/* ---- who sends to whom ---- */

/* In order of node number, those named twice as one. */
static bool prepare(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *traffic) {
    (void)shape;
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

/* A lone hot spot has nobody to send to. */
static bool sends(const fc_traffic *traffic, uint32_t node) {
    return traffic->to_self || traffic->hot_count > 1 || traffic->hot[0] != node;
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

static uint32_t draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t count = traffic->hot_count;
    const uint32_t own = traffic->to_self ? count : hot_place(traffic, source);
    const double skipped = own < count ? hot_weight(traffic, own) : 0;
    double drawn = fc_random_unit(random) * (traffic->hot_sum[count - 1] - skipped);
    if (own < count && drawn >= traffic->hot_sum[own] - skipped)
        drawn += skipped;
    uint32_t place = fc_find_above(traffic->hot_sum, count, drawn);
    if (place == own) /* by rounding at its edge */
        place = own + 1 < count ? own + 1 : own - 1;
    return traffic->hot[place];
}

static double share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    const uint32_t count = traffic->hot_count, place = hot_place(traffic, to);
    const uint32_t own = traffic->to_self ? count : hot_place(traffic, source);
    const double all = traffic->hot_sum[count - 1] - (own < count ? hot_weight(traffic, own) : 0);
    if (place == count || place == own)
        return 0;
    return hot_weight(traffic, place) / all;
}

const fc_pattern_info fc_pattern_hot_spots = {
    .example = "{hot-spots: [{node: 3, weight: 2}, {node: 9, weight: 1}]}",
    .read = read_value,
    .write = write_value,
    .finish = finish,
    .uneven = true,
    .prepare = prepare,
    .sends = sends,
    .draw = draw,
    .share = share};
