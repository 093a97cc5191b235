/* What a network looks like from another place, or under other names, must not change the answer.
 *
 * Virtual channels chosen by comparing digits or by a dateline tell the nodes of a ring apart, so
 * that a torus with finite buffers is not the same from each of its nodes. What is exact: every
 * shift of a torus with infinite buffers, every reflection of a mesh, the names of the dimensions,
 * the number of a hot memory behind a multistage network. */
#include "test_support.h"

#include "anchor_support.h"

static const char *const closed_traffic =
    "kind: closed, outstanding: 2, think_time: 40, requests: ["
    "{share: 0.8, flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}, "
    "{share: 0.2, flits: 11, reply_flits: 3, memory_reply: 8, memory_busy: 4}]";

static const fc_table *nodes_of(const fc_result *result) {
    const fc_table *nodes = fc_result_table(result, "nodes");
    assert_non_null(nodes);
    return nodes;
}

/* Every metric of one result in the other, to the tolerance of the fixed point. */
static void assert_same_metrics(const fc_result *one, const fc_result *other, double relative) {
    assert_int_equal(one->metric_count, other->metric_count);
    for (size_t i = 0; i < one->metric_count; ++i) {
        const fc_metric *metric = &one->metrics[i];
        const double twin = value_of(other, metric->name);
        if (!(fabs(metric->value - twin) <= relative * fabs(twin)))
            fail_msg("%s: %s is %.12g and %.12g", one->method, metric->name, metric->value, twin);
    }
}

/* Compares every model that covers both scenarios; returns how many did. */
static size_t compare_models(const fc_scenario *one, const fc_scenario *other, double relative) {
    size_t covered = 0;
    for (size_t m = 0; fc_models[m]; ++m) {
        fc_result *first = solve(fc_models[m], one), *second = solve(fc_models[m], other);
        assert_int_equal(first == NULL, second == NULL);
        if (first && second) {
            assert_same_metrics(first, second, relative);
            ++covered;
        }
        fc_result_free(first);
        fc_result_free(second);
    }
    return covered;
}

static fc_scenario *read_closed(const char *network, const char *destinations) {
    return read_scenario("network: {%s}\ntraffic: {%s, destinations: %s}\n"
                         "simulation: {precision: 0.01, max_cycles: 40000}\n",
                         network, closed_traffic, destinations);
}

static void every_node_of_a_torus_is_alike(void **state) {
    (void)state;
    static const char *const links[] = {"bidirectional", "unidirectional"};
    for (size_t l = 0; l < 2; ++l) {
        char network[160];
        snprintf(network, sizeof network,
                 "topology: torus, radix: [6, 4], buffer: infinite, links: %s", links[l]);
        fc_scenario *scenario = read_closed(network, "uniform");
        fc_error error;
        fc_result *result;
        assert_int_equal(fc_predict(scenario, "adve-vernon-infinite", &error, &result), FC_OK);
        const fc_table *nodes = nodes_of(result);
        assert_int_equal(nodes->rows, 24);
        for (size_t i = 0; i < nodes->rows * nodes->columns; ++i)
            assert_close(nodes->values[i], nodes->values[i % nodes->columns], 1e-7);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
}

static void a_hot_node_may_be_anywhere(void **state) {
    (void)state;
    const char *network = "topology: torus, radix: [6, 4], buffer: infinite";
    fc_scenario *first = read_closed(network, "{hot-spot: {share: 0.1, node: [0, 0]}}");
    static const char *const places[] = {"[5, 0]", "[3, 2]", "[2, 3]"};
    for (size_t i = 0; i < 3; ++i) {
        char destinations[80];
        snprintf(destinations, sizeof destinations, "{hot-spot: {share: 0.1, node: %s}}",
                 places[i]);
        fc_scenario *other = read_closed(network, destinations);
        assert_int_equal(compare_models(first, other, 1e-7), 1);
        fc_scenario_free(other);
    }
    fc_scenario_free(first);
}

/* The simulator sees the same from each place, as far as its intervals tell. */
static void a_hot_node_is_simulated_alike_anywhere(void **state) {
    (void)state;
    const char *network = "topology: torus, radix: [4, 4], buffer: infinite";
    static const char *const places[] = {"0", "5", "15"};
    fc_metric seen[3];
    for (size_t i = 0; i < 3; ++i) {
        char destinations[80];
        snprintf(destinations, sizeof destinations, "{hot-spot: {share: 0.2, node: %s}}",
                 places[i]);
        fc_scenario *scenario = read_closed(network, destinations);
        const fc_run_settings settings = fc_run_settings_default();
        fc_error error;
        fc_result *result;
        assert_int_equal(fc_simulate(scenario, &settings, &error, &result), FC_OK);
        seen[i] = *metric_of(result, "efficiency");
        fc_result_free(result);
        fc_scenario_free(scenario);
        assert_near(seen[i].value, seen[0].value, 2 * (seen[i].half_width + seen[0].half_width));
        assert_true(seen[i].half_width < 0.02 * seen[i].value);
    }
}

static void a_hot_memory_may_have_any_number(void **state) {
    (void)state;
    static const char *const networks[] = {
        "topology: multistage, ports: 64, switch: 2, buffer: 4",
        "topology: multistage, ports: 64, switch: 4, buffer: infinite",
        "topology: multistage, ports: 27, switch: 3, buffer: 8, service: 2"};
    for (size_t n = 0; n < 3; ++n) {
        const char *format =
            "network: {%s}\n"
            "traffic: {rate: 0.05, destinations: {hot-spot: {share: 0.1, node: %d}}}\n";
        fc_scenario *first = read_scenario(format, networks[n], 0);
        for (int node = 1; node < 27; node += 5) {
            fc_scenario *other = read_scenario(format, networks[n], node);
            assert_true(compare_models(first, other, 0) >= 2);
            fc_scenario_free(other);
        }
        fc_scenario_free(first);
    }
}

/* Dimension 0 of the one is dimension 1 of the other, and so is the order of routing. */
static void dimensions_may_change_their_names(void **state) {
    (void)state;
    static const char *const forms[] = {
        "topology: torus, radix: %s, order: %s",
        "topology: torus, radix: %s, order: %s, links: unidirectional",
        "topology: torus, radix: %s, order: %s, node_links: per-channel",
        "topology: torus, radix: %s, order: %s, buffer: infinite",
        "topology: mesh, radix: %s, order: %s"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
        for (int hot = 0; hot < 2; ++hot) {
            char one[160], other[160];
            snprintf(one, sizeof one, forms[f], "[6, 4]", "ascending");
            snprintf(other, sizeof other, forms[f], "[4, 6]", "descending");
            fc_scenario *first =
                read_closed(one, hot ? "{hot-spot: {share: 0.1, node: [1, 2]}}" : "uniform");
            fc_scenario *second =
                read_closed(other, hot ? "{hot-spot: {share: 0.1, node: [2, 1]}}" : "uniform");
            assert_true(compare_models(first, second, 1e-5) >= 1);
            fc_scenario_free(first);
            fc_scenario_free(second);
        }
    }
}

/* A mesh is the same from its other end, in each dimension. */
static void a_mesh_is_its_own_reflection(void **state) {
    (void)state;
    enum { X = 5, Y = 4 };
    fc_scenario *scenario = read_closed("topology: mesh, radix: [5, 4]", "uniform");
    size_t covered = 0;
    for (size_t m = 0; fc_models[m]; ++m) {
        fc_result *result = solve(fc_models[m], scenario);
        if (!result)
            continue;
        ++covered;
        const fc_table *nodes = nodes_of(result);
        for (size_t node = 0; node < nodes->rows; ++node) {
            const size_t x = node % X, y = node / X;
            const size_t mirrored[] = {y * X + (X - 1 - x), (Y - 1 - y) * X + x};
            for (size_t i = 0; i < 2 * nodes->columns; ++i) {
                const size_t column = i / 2;
                assert_close(nodes->values[node * nodes->columns + column],
                             nodes->values[mirrored[i % 2] * nodes->columns + column], 1e-5);
            }
        }
        fc_result_free(result);
    }
    assert_true(covered >= 3);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_of_a_torus_is_alike),
        cmocka_unit_test(a_hot_node_may_be_anywhere),
        cmocka_unit_test(a_hot_node_is_simulated_alike_anywhere),
        cmocka_unit_test(a_hot_memory_may_have_any_number),
        cmocka_unit_test(dimensions_may_change_their_names),
        cmocka_unit_test(a_mesh_is_its_own_reflection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
