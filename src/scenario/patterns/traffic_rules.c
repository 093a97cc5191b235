#include "scenario/patterns/traffic_rules.h"

#include "base/memory.h"
#include "base/status.h"
#include "scenario/patterns/pattern.h"
#include "scenario/scenario.h"

static const char key_of_destinations[] = "traffic.destinations";

fc_status fc_find_node(const fc_scenario *scenario, const fc_routed *routed, const char *key,
                       const fc_integer_list *coordinates, fc_error *error, int64_t *node) {
    const fc_integer_list *digits = &routed->digits;
    if (coordinates->count == 1) {
        *node = coordinates->values[0];
        if (*node >= routed->nodes)
            return fc_scenario_fail_key(scenario, key, error,
                                        "%s: there is no node %lld; the last one is %lld", key,
                                        (long long)*node, (long long)routed->nodes - 1);
        return FC_OK;
    }
    if (routed->concentration > 1)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: with %lld nodes at each router a node is one number, not "
                                    "digits",
                                    key, (long long)routed->concentration);
    if (coordinates->count != digits->count)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: a node is one number or %zu digits, dimension 0 first; "
                                    "%zu are given",
                                    key, digits->count, coordinates->count);
    int64_t number = 0, stride = 1;
    for (size_t d = 0; d < digits->count; ++d) {
        if (coordinates->values[d] >= digits->values[d])
            return fc_scenario_fail_key(
                scenario, key, error, "%s: digit %lld of dimension %zu is outside 0 to %lld", key,
                (long long)coordinates->values[d], d, (long long)digits->values[d] - 1);
        number += coordinates->values[d] * stride;
        stride *= digits->values[d];
    }
    *node = number;
    return FC_OK;
}

/* Without messages to itself, a pattern that maps every node to itself has nobody send: tornado on
 * a hypercube, for example. */
static fc_status check_senders(const fc_scenario *scenario, const fc_routed *routed,
                               const fc_destinations *destinations, fc_error *error) {
    const fc_pattern_info *pattern = fc_patterns[destinations->pattern];
    if (!pattern->map || destinations->to_self || routed->nodes > UINT32_MAX)
        return FC_OK;
    const uint32_t nodes = (uint32_t)routed->nodes;
    fc_traffic_shape shape = {.routers = nodes / (uint32_t)routed->concentration,
                              .concentration = (uint32_t)routed->concentration,
                              .digits = (uint32_t)routed->digits.count,
                              .hot_node = FC_NO_NODE};
    for (uint32_t d = 0; d < shape.digits; ++d)
        shape.radix[d] = (uint32_t)routed->digits.values[d];
    uint32_t *image = fc_allocate(nodes, sizeof *image);
    if (!image)
        return fc_fail_memory(error);
    pattern->map(destinations, &shape, image);
    uint32_t at = 0;
    while (at < nodes && image[at] == at)
        ++at;
    fc_release(image);
    if (at < nodes)
        return FC_OK;
    return fc_scenario_fail_key(scenario, key_of_destinations, error,
                                "with %s on this network every node would send to itself only, so "
                                "that nobody sends; choose another pattern, or set "
                                "traffic.self_messages: sent",
                                fc_pattern_names[destinations->pattern]);
}

fc_status fc_destinations_finish(const fc_scenario *scenario, const fc_routed *routed,
                                 fc_destinations *destinations, fc_error *error,
                                 int64_t *hot_node) {
    const fc_pattern_info *pattern = fc_patterns[destinations->pattern];
    const char *misfit = pattern->misfit ? pattern->misfit(routed) : NULL;
    *hot_node = -1;
    if (misfit)
        return fc_scenario_fail_key(scenario, key_of_destinations, error, "this pattern %s",
                                    misfit);
    const fc_status status =
        pattern->finish ? pattern->finish(scenario, routed, destinations, error, hot_node) : FC_OK;
    return status == FC_OK ? check_senders(scenario, routed, destinations, error) : status;
}
