/* Nodes that share a router are one in router-queueing where there are many of them, and so are
 * links that are alike: the same numbers as one by one, in no time. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "models/router/router_models.h"
#include "models/router/router_split.h"

static fc_scenario *read_text(const char *text) {
    fc_scenario *scenario;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

static void solve_flows(const char *text, fc_router_flows **flows, fc_router_solution *solution) {
    fc_scenario *scenario = read_text(text);
    fc_router_solver *solver;
    fc_error error = {{0}};
    const fc_routed *routed = fc_scenario_routed(scenario);
    assert_int_equal(fc_router_flows_create(scenario, true, &error, flows), FC_OK);
    assert_int_equal(fc_router_solver_create(*flows, routed, false, &error, &solver), FC_OK);
    fc_router_solve(solver, routed->rate, 1e-9, 200, solution);
    fc_router_solver_free(solver);
    fc_scenario_free(scenario);
}

/* Hot spots without a share are solved node by node. Lag is kept in single precision: messages of
 * one flit have none. */
static void many_nodes_of_a_router_are_one(void **state) {
    (void)state;
    static const struct {
        const char *network, *traffic;
        double precision;
    } cases[] = {
        {"concentration: 230, virtual_channels: 4", "message_flits: 1, rate: 0.002", 1e-9},
        {"concentration: 230, virtual_channels: 4", "message_flits: 6, rate: 0.0005", 1e-5},
        {"concentration: 230, buffer: 2, virtual_channels: 1",
         "message_flits: 9, rate: 0.0002, self_messages: sent, injection: {on-off: {on: 9, off: "
         "9}}",
         1e-5},
        {"concentration: 230",
         "rate: 0.0002, requests: [{share: 1, flits: 1, reply_flits: 5}], outstanding: 2", 1e-5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_router_flows *flows[2];
        fc_router_solution solution[2];
        for (int apart = 0; apart < 2; ++apart) {
            char text[600];
            snprintf(text, sizeof text,
                     "network: {topology: hyperx, shape: [2], %s}\ntraffic: {%s%s}\n",
                     cases[i].network, cases[i].traffic,
                     apart ? ", destinations: {hot-spot: {share: 0, node: 0}}" : "");
            solve_flows(text, &flows[apart], &solution[apart]);
        }
        assert_true(flows[0]->grouped && !flows[1]->grouped);
        assert_true(flows[0]->movement_count < 1000 && flows[1]->movement_count > 100000);
        assert_false(solution[1].saturated);
        const double *const one = &solution[0].latency, *const many = &solution[1].latency;
        assert_true(fabs(*one / *many - 1) < cases[i].precision);
        assert_true(fabs(fc_router_hops(flows[0]) - fc_router_hops(flows[1])) < 1e-9);
        assert_true(fabs(flows[0]->rate / flows[1]->rate - 1) < 1e-9);
        fc_router_flows_free(flows[0]);
        fc_router_flows_free(flows[1]);
    }
}

/* A million turns in each router. */
static void thousands_of_nodes_on_few_routers_are_quick(void **state) {
    (void)state;
    static const char *const networks[] = {"topology: slim-fly, q: 3, concentration: 1024",
                                           "topology: hyperx, shape: [3, 3], concentration: 1024"};
    for (size_t i = 0; i < 2; ++i) {
        fc_router_flows *flows;
        fc_router_solution solution;
        char text[300];
        snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.0001, message_flits: 4}\n",
                 networks[i]);
        solve_flows(text, &flows, &solution);
        assert_false(solution.saturated);
        assert_true(flows->movement_count < 2000);
        fc_router_flows_free(flows);
    }
}

/* ---- links ---- */

/* No two links of the last two are alike: hot spots, a broken link. */
static void links_that_are_alike_are_one(void **state) {
    (void)state;
    static const struct {
        const char *network, *traffic;
        double least; /* links of the network for each that is solved */
    } cases[] = {
        {"topology: mesh, radix: [6, 6]", "message_flits: 5, rate: 0.03", 3.9},
        {"topology: mesh, radix: [4, 4], routing: o1turn", "message_flits: 8, rate: 0.02", 6.6},
        {"topology: mesh, radix: [4, 4], routing: valiant", "message_flits: 3, rate: 0.03", 3.9},
        {"topology: mesh, radix: [5, 5], routing: adaptive",
         "message_flits: 5, rate: 0.04, injection: {on-off: {on: 20, off: 60}}", 5.4},
        {"topology: torus, radix: [4, 5], channel_rule: dateline", "message_flits: 5, rate: 0.04",
         3.5},
        {"topology: torus, radix: [4, 4], channel_rule: wrapping", "message_flits: 9, rate: 0.02",
         3.9},
        {"topology: hypercube, dimensions: 4", "message_flits: 5, rate: 0.04", 15},
        {"topology: fat-tree, arity: 3, levels: 2, routing: random", "message_flits: 5, rate: 0.05",
         8.9},
        {"topology: dragonfly, hosts: 2, routers: 4, global_links: 2",
         "message_flits: 4, rate: 0.03", 80},
        {"topology: hyperx, shape: [3, 3], concentration: 2",
         "rate: 0.01, requests: [{share: 1, flits: 1, reply_flits: 5}], outstanding: 4", 17},
        {"topology: mesh, radix: [6, 6]", "message_flits: 5, rate: 0.01, destinations: transpose",
         2},
        {"topology: mesh, radix: [4, 4]",
         "message_flits: 5, rate: 0.02, destinations: {hot-spot: {share: 0.2, node: 6}}", 0.9},
        {"topology: mesh, radix: [4, 4], faults: {links: [[0, 1]]}", "message_flits: 5, rate: 0.02",
         0.9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_error error;
        fc_router_prepared one, apart;
        fc_router_solution merged, all;
        char text[600];
        snprintf(text, sizeof text,
                 "network: {%s, virtual_channels: 4, buffer: 4, router_delay: 1}\n"
                 "traffic: {%s}\n",
                 cases[i].network, cases[i].traffic);
        fc_scenario *scenario = read_text(text);
        const double rate = fc_scenario_routed(scenario)->rate;
        assert_int_equal(fc_router_prepare(scenario, &error, &one), FC_OK);
        assert_int_equal(fc_router_prepare_apart(scenario, &error, &apart), FC_OK);
        assert_true(apart.solver->link_count >= cases[i].least * one.solver->link_count);
        assert_int_equal(apart.solver->link_count, apart.flows->link_count);
        assert_int_equal(fc_router_solve_split(&one, rate, &error, &merged), FC_OK);
        assert_int_equal(fc_router_solve_split(&apart, rate, &error, &all), FC_OK);
        assert_false(all.saturated);
        if (!(fabs(merged.latency / all.latency - 1) < 1e-5))
            fail_msg("%s: %.9g, one by one %.9g", text, merged.latency, all.latency);
        for (uint32_t l = 0; l < apart.solver->lane_count; ++l) {
            const double expected = apart.solver->lanes[l].holding;
            const double found = one.solver->lanes[one.solver->alike->lane_of[l]].holding;
            if (!(fabs(found / expected - 1) < 1e-3))
                fail_msg("%s: lane %u is held for %.9g, one by one %.9g", text, l, found, expected);
        }
        fc_router_prepared_release(&one);
        fc_router_prepared_release(&apart);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_that_are_alike_are_one),
        cmocka_unit_test(many_nodes_of_a_router_are_one),
        cmocka_unit_test(thousands_of_nodes_on_few_routers_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
