/* The worst permutation against all permutations of small networks, and against known results. */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "base/assignment.h"
#include "flitcast/flitcast.h"

static fc_scenario *scenario_of(const char *network, const char *traffic) {
    char text[600];
    fc_scenario *scenario;
    fc_error error = {{0}};
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.001, %s}\n", network, traffic);
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

static fc_worst_traffic *worst_of(const char *network, const char *traffic) {
    fc_scenario *scenario = scenario_of(network, traffic);
    fc_worst_traffic *worst;
    fc_error error = {{0}};
    if (fc_worst_traffic_find(scenario, &error, &worst) != FC_OK)
        fail_msg("%s: %s", network, error.text);
    fc_scenario_free(scenario);
    return worst;
}

/* The rate at which channel-load saturates under a permutation, as a file. */
static double rate_of(const char *network, const char *traffic, const fc_worst_traffic *worst) {
    char path[] = "/tmp/flitcast_worst_XXXXXX.csv", with[400];
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_int_equal(fc_worst_traffic_write_matrix(worst, stream), FC_OK);
    fclose(stream);
    snprintf(with, sizeof with, "%s, destinations: {matrix: %s}", traffic, path);
    fc_scenario *scenario = scenario_of(network, with);
    const fc_saturation_settings settings = {.model = "channel-load"};
    fc_saturation *found;
    fc_error error = {{0}};
    if (fc_saturate(scenario, &settings, NULL, &error, &found) != FC_OK)
        fail_msg("%s", error.text);
    const double load = found[0].load;
    fc_saturation_free(found);
    fc_scenario_free(scenario);
    remove(path);
    return load;
}

/* The least rate over all permutations of the nodes, fixed points included (they send nothing). */
static double try_all(const char *network, const char *traffic, fc_worst_traffic *tried,
                      uint32_t at) {
    if (at == tried->nodes) {
        bool sends = false;
        fc_worst_traffic copy = *tried;
        uint32_t destinations[8];
        copy.destinations = destinations;
        for (uint32_t n = 0; n < tried->nodes; ++n) {
            destinations[n] = tried->destinations[n] == n ? UINT32_MAX : tried->destinations[n];
            sends |= destinations[n] != UINT32_MAX;
        }
        return sends ? rate_of(network, traffic, &copy) : (double)INFINITY;
    }
    double least = (double)INFINITY;
    for (uint32_t i = at; i < tried->nodes; ++i) {
        const uint32_t mine = tried->destinations[at], other = tried->destinations[i];
        tried->destinations[at] = other;
        tried->destinations[i] = mine;
        least = fmin(least, try_all(network, traffic, tried, at + 1));
        tried->destinations[at] = mine;
        tried->destinations[i] = other;
    }
    return least;
}

static void no_permutation_is_worse(void **state) {
    (void)state;
    static const char *const networks[][2] = {
        {"topology: mesh, radix: [3, 2], router_delay: 1, virtual_channels: 2", "message_flits: 3"},
        {"topology: mesh, radix: [3, 2], router_delay: 1, virtual_channels: 4, routing: valiant",
         "message_flits: 1"},
        {"topology: torus, radix: [5], router_delay: 1, virtual_channels: 2, channel_rule: "
         "dateline",
         "message_flits: 2"},
        {"topology: hyperx, shape: [3], concentration: 2, buffer: 4", "message_flits: 1"},
        {"topology: mesh, radix: [2, 2], router_delay: 1, virtual_channels: 2, routing: o1turn",
         "message_flits: 5"},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
        fc_worst_traffic *worst = worst_of(networks[i][0], networks[i][1]);
        uint32_t destinations[8];
        fc_worst_traffic tried = {.nodes = worst->nodes, .destinations = destinations};
        for (uint32_t n = 0; n < worst->nodes; ++n)
            destinations[n] = n;
        /* What is said of it holds, and no other is worse. */
        assert_close(rate_of(networks[i][0], networks[i][1], worst), worst->rate, 1e-6);
        assert_close(try_all(networks[i][0], networks[i][1], &tried, 0), worst->rate, 1e-6);
        fc_worst_traffic_free(worst);
    }
}

/* Every node sends to another one and every node is sent to. */
static void it_is_a_permutation(void **state) {
    (void)state;
    fc_worst_traffic *worst = worst_of(
        "topology: mesh, radix: [8, 8], router_delay: 1, virtual_channels: 2", "message_flits: 1");
    bool reached[64] = {false};
    for (uint32_t n = 0; n < 64; ++n) {
        assert_true(worst->destinations[n] < 64 && worst->destinations[n] != n);
        assert_false(reached[worst->destinations[n]]);
        reached[worst->destinations[n]] = true;
    }
    fc_worst_traffic_free(worst);
}

/* Dimension order on a k x k mesh: the first link of a column is crossed by messages of the k nodes
 * of its row to the k - 1 others of the column. On an 8 x 8 torus with half-way ties split, a link
 * is crossed by those of four nodes, one of them only half of the time: 3.5; by Valiant routing
 * every permutation loads links with 2 at most, twice what uniform traffic does (Towles and Dally).
 */
static void known_worst_cases(void **state) {
    (void)state;
    static const struct {
        const char *network;
        double flits;
    } known[] = {
        {"topology: mesh, radix: [8, 8], router_delay: 1, virtual_channels: 2", 7},
        {"topology: torus, radix: [9], router_delay: 1, virtual_channels: 2, channel_rule: "
         "dateline",
         4},
        {"topology: torus, radix: [8, 8], router_delay: 1, virtual_channels: 2, channel_rule: "
         "dateline",
         3.5},
        {"topology: torus, radix: [8, 8], router_delay: 1, virtual_channels: 8, channel_rule: "
         "dateline, routing: valiant",
         2},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        fc_worst_traffic *worst = worst_of(known[i].network, "message_flits: 1");
        assert_close(worst->link_flits, known[i].flits, 1e-6);
        assert_close(worst->rate, 1 / known[i].flits, 1e-6);
        fc_worst_traffic_free(worst);
    }
}

static void assignment_of_rectangles(void **state) {
    (void)state;
    static const double weights[] = {1, 5, 3, 2, 4, 9};
    uint32_t column[3];
    double sum;
    assert_int_equal(fc_assign_most(2, 3, weights, column, &sum), FC_OK);
    assert_close(sum, 14, 1e-12);
    assert_int_equal(column[0], 1);
    assert_int_equal(column[1], 2);
    assert_int_equal(fc_assign_most(3, 2, weights, column, &sum), FC_OK);
    assert_close(sum, 12, 1e-12); /* 3 and 9 */
    assert_int_equal(column[0], FC_UNASSIGNED);
}

static void refusals(void **state) {
    (void)state;
    fc_worst_traffic *worst;
    fc_error error = {{0}};
    fc_scenario *scenario =
        scenario_of("topology: mesh, radix: [4, 4], router_delay: 1, virtual_channels: 2, routing: "
                    "adaptive",
                    "message_flits: 1");
    assert_int_equal(fc_worst_traffic_find(scenario, &error, &worst), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "oblivious"));
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_permutation_is_worse),
        cmocka_unit_test(it_is_a_permutation),
        cmocka_unit_test(known_worst_cases),
        cmocka_unit_test(assignment_of_rectangles),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
