/* next-group: nodes are divided by their numbers into groups of so many, and each sends to any node
 * of the next group. With the nodes of a dragonfly's group all messages of a group want the few
 * links to the next one: the worst traffic for minimal routing (bad_dragon in BookSim). */
#include "scenario/patterns/pattern.h"
#include "scenario/readers.h"
#include "scenario/routed.h"
#include "scenario/scenario.h"

static fc_status read_value(const fc_document *document, const fc_value *value,
                            fc_destinations *destinations, fc_error *error) {
    return fc_read_integer(document, value, "traffic.destinations.next-group",
                           (fc_range){.minimum = 1, .maximum = 0x1p30}, error,
                           &destinations->group_nodes);
}

static void write_value(const fc_destinations *destinations, FILE *stream) {
    fprintf(stream, "%lld", (long long)destinations->group_nodes);
}

static fc_status finish(const fc_scenario *scenario, const fc_routed *routed,
                        fc_destinations *destinations, fc_error *error, int64_t *hot_node) {
    const int64_t nodes = routed->nodes, each = destinations->group_nodes;
    (void)hot_node;
    if (nodes % each == 0 && nodes / each >= 2)
        return FC_OK;
    return fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                "next-group has %lld nodes in each group; expected a number that "
                                "divides the %lld nodes into two groups or more",
                                (long long)each, (long long)nodes);
}

static bool prepare(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *traffic) {
    (void)shape;
    traffic->group_nodes = (uint32_t)destinations->group_nodes;
    return true;
}

/* The first node of the group that a node sends to. */
static uint32_t next_group(const fc_traffic *traffic, uint32_t source) {
    return (source / traffic->group_nodes + 1) * traffic->group_nodes % traffic->nodes;
}

static uint32_t draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    return next_group(traffic, source) + fc_random_below(random, traffic->group_nodes);
}

static double share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    return to / traffic->group_nodes * traffic->group_nodes == next_group(traffic, source)
               ? 1.0 / traffic->group_nodes
               : 0;
}

const fc_pattern_info fc_pattern_next_group = {.example = "{next-group: 8}",
                                               .read = read_value,
                                               .write = write_value,
                                               .finish = finish,
                                               .prepare = prepare,
                                               .draw = draw,
                                               .share = share};
