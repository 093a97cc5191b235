/* What networks are built of: counted against the wired network, and the bisection against all
 * halvings of small ones. */
#include "scenario_support.h"

#include <math.h>
#include "network/bisection.h"
#include "network/link_bound.h"
#include "network/router_network.h"

enum { ROUTERS_MOST = 24 };

static fc_counts counts_of(const fc_scenario *scenario) {
    fc_counts counts;
    fc_error error;
    if (fc_scenario_counts(scenario, &error, &counts) != FC_OK)
        fail_msg("%s", error.text);
    return counts;
}

static fc_scenario *read_network(const char *network) {
    char text[512];
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.001, message_flits: 1}\n",
             network);
    return must_read(text, NULL, NULL);
}

/* ---- all halvings ---- */

/* Capacities between routers, and the nodes that each sends from and receives at. */
typedef struct small {
    uint32_t routers;
    double capacity[ROUTERS_MOST][ROUTERS_MOST];
    uint32_t nodes, in[64], out[64]; /* routers of each node */
} small;

static small *small_of(const fc_router_network *network) {
    small *s = calloc(1, sizeof *s);
    assert_true(s && network->routers <= ROUTERS_MOST && network->nodes <= 64);
    s->routers = network->routers;
    s->nodes = network->nodes;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        const uint32_t end = network->output_end[o];
        if (!(end & FC_TO_NODE))
            s->capacity[network->output_router[o]][network->input_router[end]] +=
                1 / fc_link_pace(network, o);
    }
    for (uint32_t n = 0; n < network->nodes; ++n) {
        s->in[n] = network->input_router[network->node_input[n]];
        s->out[n] = network->output_router[network->node_output[n]];
    }
    return s;
}

/* The largest flow from the routers of `from` to those of `to` (Ford and Fulkerson). */
static double largest_flow(const small *s, uint32_t from, uint32_t to) {
    double rest[ROUTERS_MOST][ROUTERS_MOST], flow = 0;
    memcpy(rest, s->capacity, sizeof rest);
    for (;;) {
        uint32_t before[ROUTERS_MOST], queue[ROUTERS_MOST], used = 0, end = UINT32_MAX;
        uint32_t seen = from;
        for (uint32_t r = 0; r < s->routers; ++r)
            if (from >> r & 1)
                before[queue[used++] = r] = r;
        for (uint32_t i = 0; i < used && end == UINT32_MAX; ++i) {
            for (uint32_t r = 0; r < s->routers && end == UINT32_MAX; ++r) {
                if (seen >> r & 1 || !(rest[queue[i]][r] > 0))
                    continue;
                seen |= 1u << r;
                before[r] = queue[i];
                queue[used++] = r;
                end = to >> r & 1 ? r : end;
            }
        }
        if (end == UINT32_MAX)
            return flow;
        double least = INFINITY;
        for (uint32_t r = end; before[r] != r; r = before[r])
            least = fmin(least, rest[before[r]][r]);
        for (uint32_t r = end; before[r] != r; r = before[r]) {
            rest[before[r]][r] -= least;
            rest[r][before[r]] += least;
        }
        flow += least;
    }
}

/* The least flow over all halvings of nodes that leave no router's nodes apart. */
static double least_of_all(const small *s) {
    double best = INFINITY;
    uint32_t nearest = UINT32_MAX, group[64], groups = 0, first[64], size[64] = {0};
    for (uint32_t n = 0; n < s->nodes; ++n) { /* nodes that enter at one router stay together */
        group[n] = groups;
        for (uint32_t g = 0; g < groups; ++g)
            if (s->in[first[g]] == s->in[n])
                group[n] = g;
        if (group[n] == groups)
            first[groups++] = n;
        ++size[group[n]];
    }
    assert_true(groups > 1 && groups <= 16);
    for (uint32_t set = 1; set + 1 < 1u << groups; ++set) {
        uint32_t from = 0, to = 0, inside = 0;
        for (uint32_t n = 0; n < s->nodes; ++n) {
            const bool in_set = set >> group[n] & 1;
            inside += in_set;
            if (in_set)
                from |= 1u << s->in[n];
            else
                to |= 1u << s->out[n];
        }
        const uint32_t apart =
            inside > s->nodes - inside ? 2 * inside - s->nodes : s->nodes - 2 * inside;
        if (apart > nearest || from & to)
            continue;
        if (apart < nearest)
            best = INFINITY;
        nearest = apart;
        best = fmin(best, largest_flow(s, from, to));
    }
    return best;
}

/* ---- the topologies ---- */

static void check_network(const char *network, fc_bound wanted) {
    fc_scenario *scenario = read_network(network);
    fc_router_network *wired;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &wired) != FC_OK)
        fail_msg("%s: %s", network, error.text);
    const fc_counts counts = counts_of(scenario);
    const bool one_way = strstr(network, "unidirectional") || strstr(network, "fly, arity");
    double links = 0;
    for (uint32_t o = 0; o < wired->outputs; ++o)
        links += !(wired->output_end[o] & FC_TO_NODE);
    if (counts.routers != wired->routers || counts.cables != links / (one_way ? 1 : 2))
        fail_msg("%s: %g routers and %g cables, wired %u and %g", network, counts.routers,
                 counts.cables, wired->routers, links / (one_way ? 1 : 2));
    /* a node of a butterfly is joined twice */
    const double at_nodes = strstr(network, "fly, arity") ? 2 : 1;
    assert_true(counts.ports == 2 * counts.cables + at_nodes * wired->nodes);
    small *all = small_of(wired);
    const double least = least_of_all(all);
    const bool holds = counts.bisection_bound == FC_EXACT     ? counts.bisection == least
                       : counts.bisection_bound == FC_AT_MOST ? counts.bisection >= least
                                                              : counts.bisection <= least;
    if (!holds || counts.bisection_bound != wanted)
        fail_msg("%s: bisection %g (%s), the least of all %g", network, counts.bisection,
                 fc_bound_name(counts.bisection_bound), least);
    free(all);
    fc_router_network_free(wired);
    fc_scenario_free(scenario);
}

static void regular_networks_are_counted_exactly(void **state) {
    (void)state;
    static const char *const networks[] = {
        "topology: mesh, radix: [4, 4]",
        "topology: mesh, radix: [3, 3]",
        "topology: mesh, radix: [5, 3]",
        "topology: mesh, radix: [3, 4]",
        "topology: mesh, radix: [3, 2]",
        "topology: mesh, radix: [5, 2]",
        "topology: mesh, radix: [7]",
        "topology: mesh, radix: [2, 3, 2]",
        "topology: mesh, radix: [3, 2], concentration: 3",
        "topology: torus, radix: [4, 4]",
        "topology: torus, radix: [3, 3]",
        "topology: torus, radix: [5, 3]",
        "topology: torus, radix: [4, 3]",
        "topology: torus, radix: [3, 4], links: unidirectional",
        "topology: torus, radix: [3, 3], links: unidirectional",
        "topology: ring, radix: [9]",
        "topology: ring, radix: [8], links: unidirectional",
        "topology: torus, radix: [2, 4]",
        "topology: hypercube, dimensions: 3",
        "topology: hypercube, dimensions: 4",
        "topology: fly, arity: 2, levels: 2",
        "topology: fly, arity: 2, levels: 3",
        "topology: fly, arity: 3, levels: 2",
        "topology: fly, arity: 4, levels: 2",
        "topology: fly, arity: 2, levels: 3, extra_stages: 1",
        "topology: fat-tree, arity: 2, levels: 2",
        "topology: fat-tree, arity: 2, levels: 3",
        "topology: fat-tree, arity: 3, levels: 2",
        "topology: fat-tree, arity: 4, levels: 2",
        "topology: fat-tree, arity: 4, levels: 2, oversubscription: [2]",
        "topology: fat-tree, arity: 2, levels: 3, oversubscription: [2, 1]",
        "topology: fat-tree, arity: 2, levels: 3, oversubscription: [1, 2]",
        "topology: fat-tree, arity: 2, levels: 3, oversubscription: [2, 2]",
        "topology: hyperx, shape: [4, 4]",
        "topology: hyperx, shape: [3, 3]",
        "topology: hyperx, shape: [3, 3], trunks: [2, 2]",
        "topology: hyperx, shape: [2, 5]",
        "topology: hyperx, shape: [2, 2, 3]",
        "topology: hyperx, shape: [2, 4], trunks: [3, 1]",
        "topology: flattened-butterfly, shape: [5], concentration: 2",
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i)
        check_network(networks[i], FC_EXACT);
}

/* Where no formula is known, what is said is a bound, and says so. */
static void others_are_bounded(void **state) {
    (void)state;
    check_network("topology: hyperx, shape: [4, 3]", FC_AT_MOST);
    check_network("topology: hyperx, shape: [4, 3], trunks: [2, 1]", FC_AT_MOST);
    check_network("topology: hyperx, shape: [3, 5]", FC_AT_MOST);
    check_network("topology: fat-tree, arity: 3, levels: 2, oversubscription: [3]", FC_AT_MOST);
    check_network("topology: dragonfly, hosts: 1, routers: 2, global_links: 1", FC_AT_MOST);
    check_network("topology: dragonfly, hosts: 1, routers: 4, global_links: 1, groups: 3",
                  FC_AT_MOST);
    check_network("topology: graph, file: " SOURCE_DIR
                  "/examples/campus.graph, virtual_channels: 2",
                  FC_AT_MOST);
}

static void narrow_links_carry_less(void **state) {
    (void)state;
    check_network("topology: mesh, radix: [4, 3], link_width: 0.5", FC_EXACT);
    check_network("topology: torus, radix: [4, 3], link_width: 0.25", FC_EXACT);
    check_network("topology: fat-tree, arity: 2, levels: 3, link_width: 0.5", FC_EXACT);
    check_network("topology: hyperx, shape: [3, 3], link_width: 0.5", FC_EXACT);
    check_network("topology: mesh, radix: [4, 4], link_width: [1, 0.5]", FC_AT_MOST);
    check_network("topology: torus, radix: [4, 3], link_width: [0.25, 1]", FC_AT_MOST);
}

static void one_router_has_no_halves(void **state) {
    (void)state;
    static const char *const networks[] = {"topology: fat-tree, arity: 4, levels: 1",
                                           "topology: fly, arity: 4, levels: 1"};
    for (size_t i = 0; i < 2; ++i) {
        fc_scenario *scenario = read_network(networks[i]);
        assert_true(isnan(counts_of(scenario).bisection));
        fc_scenario_free(scenario);
    }
}

/* ---- by hand ---- */

static void counts_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double routers, cables, ports, bisection, wire_length; /* NaN: not known */
    } cases[] = {
        {"network: {topology: mesh, radix: [8, 8]}\ntraffic: {rate: 0.001}\n", 64, 112, 288, 8,
         112},
        {"network: {topology: torus, radix: [8, 8]}\ntraffic: {rate: 0.001}\n", 64, 128, 320, 16,
         224},
        {"network: {topology: mesh, radix: [4, 4], concentration: 4}\ntraffic: {rate: 0.001}\n", 16,
         24, 112, 4, 24},
        {"network: {topology: hypercube, dimensions: 6}\ntraffic: {rate: 0.001}\n", 64, 192, 448,
         32, (double)NAN},
        {"network: {topology: ring-hierarchy, rings: [4, 6]}\ntraffic: {rate: 0.001}\n", 30, 36, 96,
         1, (double)NAN},
        {"network: {topology: ring-hierarchy, rings: [3, 4, 2]}\ntraffic: {rate: 0.001}\n", 34, 44,
         112, 1, (double)NAN},
        {"network: {topology: multistage, ports: 64, switch: 4, service: 2}\n"
         "traffic: {rate: 0.1}\n",
         48, 128, 384, 8, (double)NAN},
        {"network: {topology: hyperx, shape: [4]}\ntraffic: {rate: 0.001}\n", 4, 6, 16, 4, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario = must_read(cases[i].text, NULL, NULL);
        const fc_counts counts = counts_of(scenario);
        const double found[] = {counts.routers, counts.cables, counts.ports, counts.bisection,
                                counts.wire_length};
        const double wanted[] = {cases[i].routers, cases[i].cables, cases[i].ports,
                                 cases[i].bisection, cases[i].wire_length};
        for (int k = 0; k < 5; ++k)
            if (found[k] != wanted[k] && !(isnan(found[k]) && isnan(wanted[k])))
                fail_msg("%snumber %d is %g, not %g", cases[i].text, k, found[k], wanted[k]);
        fc_scenario_free(scenario);
    }
}

/* The search finds what the formulas say. */
static void the_search_finds_the_known_cuts(void **state) {
    (void)state;
    static const char *const networks[] = {
        "topology: mesh, radix: [8, 8]",           "topology: mesh, radix: [7, 5]",
        "topology: torus, radix: [8, 4]",          "topology: torus, radix: [6, 6, 6]",
        "topology: hypercube, dimensions: 7",      "topology: hyperx, shape: [6, 6]",
        "topology: fat-tree, arity: 4, levels: 3",
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
        fc_scenario *scenario = read_network(networks[i]);
        fc_router_network *wired;
        assert_int_equal(fc_router_network_create(scenario, NULL, &wired), FC_OK);
        fc_halving_link *links = calloc(wired->outputs, sizeof *links);
        uint32_t *nodes = calloc(wired->routers, sizeof *nodes);
        fc_halving graph = {.routers = wired->routers, .nodes = nodes, .links = links};
        for (uint32_t o = 0; o < wired->outputs; ++o)
            if (!(wired->output_end[o] & FC_TO_NODE))
                links[graph.link_count++] = (fc_halving_link){
                    wired->output_router[o], wired->input_router[wired->output_end[o]], 1};
        for (uint32_t n = 0; n < wired->nodes; ++n)
            ++nodes[wired->input_router[wired->node_input[n]]];
        double cut;
        assert_int_equal(fc_bisection_search(&graph, &cut), FC_OK);
        if (cut != counts_of(scenario).bisection)
            fail_msg("%s: found %g, known %g", networks[i], cut, counts_of(scenario).bisection);
        free(links);
        free(nodes);
        fc_router_network_free(wired);
        fc_scenario_free(scenario);
    }
}

/* ---- in results ---- */

static void results_have_the_counts(void **state) {
    (void)state;
    fc_scenario *scenario = read_network("topology: mesh, radix: [4, 4]");
    fc_result *results[2];
    fc_error error;
    assert_int_equal(fc_predict(scenario, NULL, &error, &results[0]), FC_OK);
    assert_int_equal(fc_simulate(scenario, NULL, &error, &results[1]), FC_OK);
    for (int i = 0; i < 2; ++i) {
        const fc_metric *cables = fc_result_metric(results[i], "cables");
        const fc_metric *bisection = fc_result_metric(results[i], "bisection");
        assert_true(cables && cables->value == 24 && isnan(cables->half_width));
        assert_true(bisection && bisection->value == 4 && bisection->bound == FC_EXACT);
        fc_result_free(results[i]);
    }
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_networks_are_counted_exactly),
        cmocka_unit_test(others_are_bounded),
        cmocka_unit_test(narrow_links_carry_less),
        cmocka_unit_test(one_router_has_no_halves),
        cmocka_unit_test(counts_by_hand),
        cmocka_unit_test(the_search_finds_the_known_cuts),
        cmocka_unit_test(results_have_the_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
