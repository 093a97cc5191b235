/* hot-spot: a share to the hot node, the rest uniform; the hot node itself sends uniformly. */
#include "scenario/patterns/pattern.h"
#include "scenario/readers.h"
#include "scenario/patterns/traffic_readers.h"
#include "scenario/patterns/traffic_rules.h"

static fc_status read_value(const fc_document *document, const fc_value *value,
                            fc_destinations *destinations, fc_error *error) {
    static const char *const names[] = {"share", "node", NULL};
    const fc_range range = {.minimum = 0, .maximum = 1};
    fc_status status =
        fc_check_members(document, value, "traffic.destinations.hot-spot", names, error);
    if (status != FC_OK)
        return status;
    const fc_value *given = fc_value_member(value, "share");
    const fc_value *node = fc_value_member(value, "node");
    if (!given || !node)
        return fc_fail_at(error, document, value,
                          "a hot spot needs share and node, for example "
                          "{hot-spot: {share: 0.05, node: [2, 2]}}");
    status = fc_read_number(document, given, "traffic.destinations.hot-spot.share", range, error,
                            &destinations->share);
    if (status == FC_OK)
        status = fc_coordinates_read(document, node, "traffic.destinations.hot-spot.node", error,
                                     &destinations->node);
    return status;
}

static void write_value(const fc_destinations *destinations, FILE *stream) {
    fc_number_write("{share: ", destinations->share, stream);
    fputs(", node: ", stream);
    fc_coordinates_write(&destinations->node, stream);
    fputs("}", stream);
}

static fc_status finish(const fc_scenario *scenario, const fc_routed *routed,
                        fc_destinations *destinations, fc_error *error, int64_t *hot_node) {
    return fc_find_node(scenario, routed, "traffic.destinations", &destinations->node, error,
                        hot_node);
}

static uint32_t draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    if ((source == traffic->hot_node && !traffic->to_self) ||
        fc_random_unit(random) >= traffic->share)
        return fc_draw_any(traffic, random, source);
    return traffic->hot_node;
}

static double share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    if (source == traffic->hot_node && !traffic->to_self)
        return fc_share_any(traffic, source, to);
    return (to == traffic->hot_node ? traffic->share : 0) +
           (1 - traffic->share) * fc_share_any(traffic, source, to);
}

const fc_pattern_info fc_pattern_hot_spot = {.example = "{hot-spot: {share: 0.05, node: [2, 2]}}",
                                             .read = read_value,
                                             .write = write_value,
                                             .finish = finish,
                                             .uneven = true,
                                             .draw = draw,
                                             .share = share};
