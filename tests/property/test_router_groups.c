/* Nodes that share a router are one in router-queueing where there are many of them: the same
 * numbers as node by node, in no time. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "models/router/router_models.h"
#include "models/router/router_split.h"

static void solve_flows(const char *text, fc_router_flows **flows, fc_router_solution *solution) {
    fc_scenario *scenario;
    fc_router_solver *solver;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    const fc_routed *routed = fc_scenario_routed(scenario);
    assert_int_equal(fc_router_flows_create(scenario, true, &error, flows), FC_OK);
    assert_int_equal(fc_router_solver_create(*flows, routed, &error, &solver), FC_OK);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_nodes_of_a_router_are_one),
        cmocka_unit_test(thousands_of_nodes_on_few_routers_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
