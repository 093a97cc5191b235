#include "scenario/traffic_rules.h"

#include "scenario/matrix_csv.h"
#include "scenario/scenario.h"

static const char key_of_destinations[] = "traffic.destinations";

static int64_t count_routers(const fc_routed *routed) {
    return routed->nodes / routed->concentration;
}

static bool power_of_two(int64_t count) {
    return count > 0 && (count & (count - 1)) == 0;
}

static bool power_of_four(int64_t count) {
    return power_of_two(count) && (count & 0x5555555555555555) != 0;
}

/* NULL if the pattern fits the network's shape; otherwise why not, as a part of a sentence. */
static const char *misfit_of(fc_pattern pattern, const fc_routed *routed) {
    const fc_integer_list *digits = &routed->digits;
    switch (pattern) {
    case FC_TRANSPOSE:
        if (power_of_four(count_routers(routed)))
            return NULL;
        if (digits->count % 2 != 0)
            return "needs an even number of dimensions, or a power of four of nodes";
        for (size_t d = 0; d < digits->count / 2; ++d)
            if (digits->values[d] != digits->values[d + digits->count / 2])
                return "needs equal radices in the dimensions it exchanges";
        return NULL;
    case FC_BIT_REVERSE:
    case FC_BIT_ROTATION:
    case FC_SHUFFLE:
        return power_of_two(count_routers(routed))
                   ? NULL
                   : "needs a number of nodes that is a power of two";
    case FC_ASYMMETRIC:
        return routed->nodes % 2 == 0 ? NULL : "needs an even number of nodes";
    default:
        return NULL;
    }
}

fc_status fc_find_node(const fc_scenario *scenario, const fc_routed *routed, const char *key,
                       const fc_integer_list *place, fc_error *error, int64_t *node) {
    const fc_integer_list *digits = &routed->digits;
    if (place->count == 1) {
        *node = place->values[0];
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
    if (place->count != digits->count)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s: a node is one number or %zu digits, dimension 0 first; "
                                    "%zu are given",
                                    key, digits->count, place->count);
    int64_t number = 0, stride = 1;
    for (size_t d = 0; d < digits->count; ++d) {
        if (place->values[d] >= digits->values[d])
            return fc_scenario_fail_key(
                scenario, key, error, "%s: digit %lld of dimension %zu is outside 0 to %lld", key,
                (long long)place->values[d], d, (long long)digits->values[d] - 1);
        number += place->values[d] * stride;
        stride *= digits->values[d];
    }
    *node = number;
    return FC_OK;
}

static fc_status finish_hot_spots(const fc_scenario *scenario, const fc_routed *routed,
                                  fc_destinations *destinations, fc_error *error) {
    for (size_t i = 0; i < destinations->hot_count; ++i) {
        fc_hot_spot *spot = &destinations->hot[i];
        const fc_status status =
            fc_find_node(scenario, routed, key_of_destinations, &spot->place, error, &spot->node);
        if (status != FC_OK)
            return status;
        for (size_t j = 0; j < i; ++j) {
            if (destinations->hot[j].node == spot->node)
                return fc_scenario_fail_key(scenario, key_of_destinations, error,
                                            "%s: node %lld is a hot spot twice; add its weights",
                                            key_of_destinations, (long long)spot->node);
        }
    }
    return FC_OK;
}

static fc_status finish_matrix(const fc_scenario *scenario, const fc_routed *routed,
                               fc_destinations *destinations, fc_error *error) {
    if (destinations->flows) {
        fc_error cause;
        const fc_status status = fc_matrix_from_flows(destinations, (size_t)routed->nodes, &cause);
        if (status == FC_OK)
            return FC_OK;
        fc_scenario_fail_key(scenario, key_of_destinations, error, "%.900s", cause.text);
        return status;
    }
    if (destinations->matrix_nodes != (size_t)routed->nodes)
        return fc_scenario_fail_key(scenario, key_of_destinations, error,
                                    "%s is for %zu nodes; the network has %lld", destinations->file,
                                    destinations->matrix_nodes, (long long)routed->nodes);
    return FC_OK;
}

fc_status fc_destinations_finish(const fc_scenario *scenario, const fc_routed *routed,
                                 fc_destinations *destinations, fc_error *error,
                                 int64_t *hot_node) {
    const char *misfit = misfit_of(destinations->pattern, routed);
    *hot_node = -1;
    if (misfit)
        return fc_scenario_fail_key(scenario, key_of_destinations, error, "this pattern %s",
                                    misfit);
    switch (destinations->pattern) {
    case FC_HOT_SPOT:
        return fc_find_node(scenario, routed, key_of_destinations, &destinations->node, error,
                            hot_node);
    case FC_HOT_SPOTS:
        return finish_hot_spots(scenario, routed, destinations, error);
    case FC_MATRIX:
        return finish_matrix(scenario, routed, destinations, error);
    default:
        return FC_OK;
    }
}

fc_status fc_trace_check(const fc_scenario *scenario, const fc_routed *routed,
                         const fc_trace *trace, fc_error *error) {
    static const char key[] = "traffic.trace";
    if (trace->largest_node >= (uint64_t)routed->nodes)
        return fc_scenario_fail_key(
            scenario, key, error, "%s:%zu: there is no node %u; the last one is %lld", trace->file,
            trace->largest_line, trace->largest_node, (long long)routed->nodes - 1);
    if (trace->self_line && !routed->destinations->to_self)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s:%zu: a node would send to itself; leave the line out, or "
                                    "set traffic.self_messages: sent",
                                    trace->file, trace->self_line);
    return FC_OK;
}
