/* Closed tori and meshes made without a file. */
#ifndef CLOSED_SUPPORT_H
#define CLOSED_SUPPORT_H

#include "registry/method.h"
#include "scenario/torus.h"
#include <string.h>

extern const fc_model fc_model_adve_vernon;
extern const fc_model fc_model_adve_vernon_infinite;
extern const fc_model fc_model_closed_refined;
extern const fc_model fc_model_closed_two_moment;

typedef enum closed_network { CLOSED_TORUS, CLOSED_UNIDIRECTIONAL, CLOSED_MESH } closed_network;

/* The system of Adve and Vernon on a k x k network. */
static inline fc_torus make_closed(closed_network network, int64_t k, int node_links,
                                   int64_t outstanding, double think) {
    fc_torus torus = {.topology = network == CLOSED_MESH ? FC_MESH : FC_TORUS,
                      .radix = {.count = 2, .values = {k, k}},
                      .links = FC_BIDIRECTIONAL,
                      .order = FC_DESCENDING,
                      .virtual_channels = network == CLOSED_MESH ? 1 : 2,
                      .channel_rule = network == CLOSED_MESH ? FC_FREE : FC_HIGH_LOW,
                      .buffer = 1,
                      .node_links = node_links,
                      .ejection_channels = 1,
                      .kind = FC_CLOSED,
                      .outstanding = outstanding,
                      .think_time = think,
                      .nodes = k * k,
                      .hot_node = -1};
    torus.requests = (fc_requests){2, {{0.8, 3, 9, 4, 4}, {0.2, 11, 3, 8, 8}}};
    if (network == CLOSED_UNIDIRECTIONAL) {
        torus.links = FC_UNIDIRECTIONAL;
        torus.direction = FC_DECREASING;
        torus.requests = (fc_requests){2, {{0.8, 2, 5, 4, 4}, {0.2, 6, 2, 4, 4}}};
    }
    return torus;
}

static inline void set_hot_spot(fc_torus *torus, double share, int64_t node) {
    torus->destinations = (fc_destinations){.pattern = FC_HOT_SPOT, .share = share};
    torus->hot_node = node;
}

static inline fc_scenario closed_scenario(fc_torus *torus) {
    static char name[] = "closed";
    return (fc_scenario){.name = name, .family = &fc_torus_family, .parameters = torus};
}

static inline fc_result *solve_closed(const fc_model *model, fc_torus *torus) {
    const fc_scenario scenario = closed_scenario(torus);
    fc_error error = {""};
    fc_result *result = fc_result_create(&model->info, &scenario);
    assert_non_null(result);
    if (model->covers)
        assert_int_equal(model->covers(&scenario, &error), FC_OK);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    return result;
}

static inline double metric(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    assert_non_null(found);
    return found->value;
}

/* The paper averages network times over processors, not over requests. */
static inline double mean_over_nodes(const fc_result *result, size_t column) {
    const fc_table *nodes = fc_result_table(result, "nodes");
    double sum = 0.0;
    for (size_t i = 0; i < nodes->rows; ++i)
        sum += nodes->values[i * nodes->columns + column];
    return sum / (double)nodes->rows;
}

#endif
