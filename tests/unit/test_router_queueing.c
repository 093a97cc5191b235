/* router-queueing on fifteen networks.
 *
 * The load of the busiest link and the latency of the empty network are exact; their numbers are
 * those of the model's specification, but for the last network. The other numbers are what the
 * model answers today, recorded so that a change which should not touch it is seen. They say
 * nothing about its accuracy. Whoever changes the model on purpose copies the new numbers from the
 * message of this test. */
#include "scenario_support.h"

#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"
#include "models/router/router_models.h"
#include "models/router/router_split.h"

typedef struct check {
    const char *network, *traffic;
    double rate;
    double busiest, alone, source, behind, credit, channel, turn, lag, latency;
} check;

#define BOOKSIM ", input_speedup: 1, injection_channels: 1, router_delay: [1, 1, 1, 1]"
#define DEFAULTS ", router_delay: [1, 1, 1, 1]"
#define MESH_4 "topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 8" BOOKSIM
#define MESH_8(V, B) "topology: mesh, radix: [8, 8], virtual_channels: " V ", buffer: " B
#define MESH_6(V, B) "topology: mesh, radix: [6, 6], virtual_channels: " V ", buffer: " B

static const check checks[] = {
    {MESH_4, "message_flits: 5, injection: bernoulli", 0.05, 0.2667, 22.3333, 0.6667, 0.4212,
     0.0013, 0.3531, 0.1013, 1.7730, 25.6499},
    {MESH_4, "message_flits: 5, injection: bernoulli", 0.1, 0.5333, 22.3333, 2.0509, 4.1159, 0.1557,
     2.2754, 0.3468, 3.7209, 34.9990},
    {MESH_8("4", "8") BOOKSIM, "message_flits: 8, injection: bernoulli", 0.03, 0.4876, 38.6667,
     1.1053, 1.6330, 0.0999, 0.7779, 0.9192, 8.2860, 51.4879},
    {MESH_8("1", "8") BOOKSIM, "message_flits: 8, injection: bernoulli", 0.02, 0.3251, 38.6667,
     1.5015, 1.4313, 0.8580, 4.1807, 0.0003, 0.0224, 46.6608},
    {MESH_8("4", "8") BOOKSIM, "message_flits: 1, injection: bernoulli", 0.3, 0.6095, 31.6667,
     0.0000, 2.7600, 0.0001, 0.2505, 1.6487, 0.0000, 36.3260},
    {MESH_8("4", "2") BOOKSIM, "message_flits: 8, injection: bernoulli", 0.02, 0.3251, 47.6667,
     7.7954, 0.1758, 0.0075, 0.3043, 0.3070, 2.4331, 58.6899},
    {MESH_8("4", "16") BOOKSIM, "message_flits: 64, injection: bernoulli", 0.004, 0.5201, 94.6667,
     32.6987, 9.7023, 0.6380, 10.4491, 1.0010, 87.7512, 236.9069},
    {"topology: torus, radix: [8, 8], channel_rule: wrapping, virtual_channels: 4, buffer: "
     "8" BOOKSIM,
     "message_flits: 8, injection: bernoulli", 0.06, 0.4876, 32.3175, 3.2714, 7.0242, 1.0559,
     5.8012, 0.8562, 11.8726, 62.1989},
    {"topology: fly, arity: 4, levels: 3, virtual_channels: 4, buffer: 8" BOOKSIM,
     "message_flits: 8, injection: bernoulli", 0.06, 0.4876, 22.0000, 3.3392, 3.3166, 0.2326,
     2.0462, 1.3602, 15.1031, 47.3979},
    {MESH_8("4", "8") ", injection_channels: 1" DEFAULTS,
     "message_flits: 8, injection: bernoulli, destinations: transpose", 0.015, 0.8400, 42.0000,
     0.4773, 1.6922, 0.4326, 2.0197, 1.2479, 4.4394, 52.3092},
    {"topology: hypercube, dimensions: 4, virtual_channels: 3, buffer: 4" DEFAULTS,
     "message_flits: 16", 0.03, 0.4800, 33.6667, 2.6022, 0.6603, 0.0236, 2.0185, 0.1986, 14.0217,
     53.1916},
    {MESH_6("1", "4") DEFAULTS, "message_flits: 16", 0.007, 0.1728, 43.0000, 5.5275, 0.6060, 0.2239,
     7.5473, 0.0000, 0.0000, 56.9046},
    {"topology: torus, radix: [6, 6], channel_rule: wrapping, virtual_channels: 6, buffer: 20, "
     "router_delay: 2",
     "message_flits: 6", 0.09, 0.5400, 17.2571, 0.5012, 0.9902, 0.0000, 1.1672, 0.6274, 10.5525,
     31.0957},
    {MESH_6("4", "8") DEFAULTS,
     "message_flits: 8, destinations: {hot-spot: {share: 0.05, node: [2, 2]}}", 0.027, 0.5832,
     31.7714, 0.0531, 0.4638, 0.0171, 0.1859, 0.2765, 4.0869, 36.8548},
    {"topology: mesh, radix: [6, 6], routing: o1turn, virtual_channels: 2, buffer: 8" DEFAULTS,
     "message_flits: 8", 0.02, 0.2469, 32.0000, 0.1340, 0.6464, 0.0869, 1.4698, 0.0218, 1.3447,
     35.7034},
};

static fc_scenario *scenario_of(const check *c) {
    char text[600];
    fc_scenario *scenario;
    fc_error error = {{0}};
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: %g, %s}\n", c->network, c->rate,
             c->traffic);
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    return scenario;
}

static double busiest_link(const fc_router_solver *solver) {
    double busiest = 0;
    for (uint32_t l = 0; l < solver->link_count; ++l)
        busiest = fmax(busiest, solver->links[l].load);
    return busiest;
}

static bool agrees(double value, double printed) {
    return fabs(value - printed) <= 0.5001e-4;
}

static void solutions_are_as_recorded(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
        const check *c = &checks[i];
        fc_scenario *scenario = scenario_of(c);
        fc_router_flows *flows;
        fc_router_solver *solver;
        fc_router_solution s;
        fc_error error = {{0}};
        assert_int_equal(fc_router_flows_create(scenario, true, &error, &flows), FC_OK);
        assert_int_equal(
            fc_router_solver_create(flows, fc_scenario_routed(scenario), false, &error, &solver),
            FC_OK);
        fc_router_solve(solver, c->rate, 1e-10, 400, &s);
        assert_false(s.saturated);
        const double busiest = busiest_link(solver), alone = solver->alone.latency;
        if (!agrees(busiest, c->busiest) || !agrees(alone, c->alone))
            fail_msg("network %zu: load %.4f, empty %.4f: not as specified", i, busiest, alone);
        if (!agrees(s.source, c->source) || !agrees(s.behind, c->behind) ||
            !agrees(s.credit, c->credit) || !agrees(s.channel, c->channel) ||
            !agrees(s.turn, c->turn) || !agrees(s.lag, c->lag) || !agrees(s.latency, c->latency))
            fail_msg("network %zu now has %.4f, %.4f, %.4f, %.4f, %.4f, %.4f, %.4f", i, s.source,
                     s.behind, s.credit, s.channel, s.turn, s.lag, s.latency);
        fc_router_solver_free(solver);
        fc_router_flows_free(flows);
        fc_scenario_free(scenario);
    }
}

static double metric_of(const char *text, const char *name, fc_outcome *outcome) {
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) !=
            FC_OK ||
        fc_predict(scenario, "router-queueing", &error, &result) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    const fc_metric *metric = fc_result_metric(result, name);
    const double value = metric ? metric->value : (double)NAN;
    *outcome = result->outcome;
    double parts = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        parts += result->parts[i].value;
    if (result->outcome == FC_OUTCOME_OK && result->part_count)
        assert_close(parts, fc_result_metric(result, "latency")->value, 1e-9);
    fc_result_free(result);
    fc_scenario_free(scenario);
    return value;
}

static void percentiles_are_in_order(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [6, 6], virtual_channels: 2, router_delay: 1}\n"
        "traffic: {rate: 0.03, message_mix: [{flits: 1, share: 0.5}, {flits: 9, share: 0.5}]}\n";
    fc_outcome outcome;
    const double p50 = metric_of(text, "latency_p50", &outcome);
    const double p95 = metric_of(text, "latency_p95", &outcome);
    const double p99 = metric_of(text, "latency_p99", &outcome);
    assert_int_equal(outcome, FC_OUTCOME_OK);
    assert_true(p50 > 0 && p50 < p95 && p95 < p99);
}

/* At the load of an idle network nothing waits, whatever the keys. */
static void without_load_only_the_path_counts(void **state) {
    (void)state;
    static const char *const networks[] = {
        "topology: mesh, radix: [4, 3], virtual_channels: 1, buffer: 1, router_delay: [1, 1, 1, 1]",
        "topology: torus, radix: [5, 4], virtual_channels: 4, buffer: 3, router_delay: 2",
        "topology: fly, arity: 3, levels: 2, buffer: 2, credit_delay: 3",
        "topology: fat-tree, arity: 2, levels: 3, routing: adaptive, input_speedup: 1",
        "topology: hypercube, dimensions: 4, virtual_channels: 4, routing: valiant, link_delay: 2",
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
        char text[400];
        fc_outcome outcome;
        snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 1e-9, message_flits: 6}\n",
                 networks[i]);
        const double latency = metric_of(text, "latency", &outcome);
        fc_scenario *scenario;
        fc_result *bound;
        fc_error error = {{0}};
        assert_int_equal(
            fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario),
            FC_OK);
        assert_int_equal(fc_predict(scenario, "channel-load", &error, &bound), FC_OK);
        assert_close(latency, fc_result_metric(bound, "latency")->value, 1e-6);
        fc_result_free(bound);
        fc_scenario_free(scenario);
    }
}

/* ---- pairs ---- */

static fc_result *result_with_pairs(const char *text, const char *model) {
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) !=
            FC_OK ||
        fc_predict(scenario, model, &error, &result) != FC_OK ||
        fc_result_add_pairs(result, scenario, &error) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    fc_scenario_free(scenario);
    return result;
}

enum { SHARE, HOPS, LATENCY, ZERO_LOAD, SOURCE_WAIT };

static const double *pair_row(const fc_result *result, const char *label) {
    const fc_table *table = fc_result_table(result, "pairs");
    for (size_t r = 0; r < table->rows; ++r) {
        if (strcmp(table->row_labels[r], label) == 0)
            return table->values + r * table->columns;
    }
    fail_msg("there is no pair %s", label);
    return NULL;
}

static double mean_over_pairs(const fc_table *table, size_t column) {
    double sum = 0;
    for (size_t r = 0; r < table->rows; ++r)
        sum +=
            table->values[r * table->columns + SHARE] * table->values[r * table->columns + column];
    return sum;
}

#define SHORT "rate: 0.02, message_flits: 5"
static const struct {
    const char *network, *traffic;
} paired[] = {
    {"topology: mesh, radix: [4, 3], virtual_channels: 1, buffer: 2, router_delay: 1", SHORT},
    {"topology: torus, radix: [5, 4], virtual_channels: 4, buffer: 3, router_delay: 2",
     "rate: 0.02, message_mix: [{flits: 1, share: 0.5}, {flits: 9, share: 0.5}]"},
    {"topology: mesh, radix: [4, 4], virtual_channels: 3, routing: adaptive, router_delay: 1",
     "rate: 0.05, message_flits: 4, destinations: {hot-spot: {share: 0.1, node: [1, 2]}}"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: adaptive, input_speedup: 1", SHORT},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, routing: valiant", SHORT},
    {"topology: hyperx, shape: [3, 3], concentration: 2, routing: valiant, buffer: 4", SHORT},
    {"topology: mesh, radix: [3, 3], virtual_channels: 2, router_delay: 1",
     "rate: 0.02, requests: [{share: 1, flits: 1, reply_flits: 5}]"},
    {"topology: mesh, radix: [4, 4], virtual_channels: 2, router_delay: 1",
     "rate: 0.05, message_flits: 5, destinations: transpose"},
};

/* Weighted by their traffic, pairs give every metric that is a mean over messages. */
static void pairs_add_up_to_the_latency(void **state) {
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof paired / sizeof *paired); ++i) {
        char text[400];
        snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s}\n", paired[i / 2].network,
                 paired[i / 2].traffic);
        fc_result *result = result_with_pairs(text, i % 2 ? NULL : "router-queueing");
        const fc_table *table = fc_result_table(result, "pairs");
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        assert_non_null(table);
        double shares = 0;
        for (size_t r = 0; r < table->rows; ++r)
            shares += table->values[r * table->columns + SHARE];
        assert_close(shares, 1, 1e-9);
        assert_close(mean_over_pairs(table, LATENCY), fc_result_metric(result, "latency")->value,
                     1e-9);
        assert_close(mean_over_pairs(table, SOURCE_WAIT),
                     fc_result_metric(result, "source_wait")->value, 1e-7); /* links one by one */
        assert_close(mean_over_pairs(table, HOPS), fc_result_metric(result, "hops")->value, 1e-9);
        fc_result_free(result);
    }
}

#define MESH_3                                                                                     \
    "network: {topology: mesh, radix: [3, 3], virtual_channels: 2, buffer: 2, router_delay: 2}\n"

/* The mirror images of a pair in a square mesh wait alike; unlike pairs do not. */
static void pairs_are_as_symmetric_as_the_network(void **state) {
    (void)state;
    fc_result *result =
        result_with_pairs(MESH_3 "traffic: {rate: 0.05, message_flits: 5}\n", "router-queueing");
    const double latency = pair_row(result, "0 to 5")[LATENCY];
    assert_close(pair_row(result, "2 to 3")[LATENCY], latency, 1e-9);
    assert_close(pair_row(result, "6 to 5")[LATENCY], latency, 1e-9);
    assert_close(pair_row(result, "8 to 3")[LATENCY], latency, 1e-9);
    assert_true(fabs(pair_row(result, "0 to 7")[LATENCY] - latency) > 1e-3);
    fc_result_free(result);
}

/* Without load each pair takes exactly what a message alone takes on its path. */
static void pairs_without_load_take_their_paths(void **state) {
    (void)state;
    static const char text[] = MESH_3 "traffic: {rate: 1e-9, message_flits: 5}\n";
    fc_result *result = result_with_pairs(text, "router-queueing");
    fc_scenario *scenario;
    assert_int_equal(
        fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, NULL, &scenario), FC_OK);
    for (int from = 0; from < 9; ++from) {
        for (int to = 0; to < 9; ++to) {
            static const fc_path_link links[] = {
                {.delay = 1}, {.delay = 1}, {.delay = 1}, {.delay = 1}, {.delay = 1}};
            int64_t scratch[7 * 7];
            char label[FC_NAME_SIZE];
            if (from == to)
                continue;
            const int hops = abs(from % 3 - to % 3) + abs(from / 3 - to / 3);
            snprintf(label, sizeof label, "%d to %d", from, to);
            const double *row = pair_row(result, label);
            const double alone =
                (double)fc_path_latency(fc_scenario_routed(scenario), links, (uint32_t)hops + 1,
                                        (fc_lone_message){5, 0}, scratch, NULL);
            assert_close(row[HOPS], hops, 1e-12);
            assert_close(row[ZERO_LOAD], alone, 1e-12);
            assert_close(row[LATENCY], alone, 1e-6);
        }
    }
    fc_scenario_free(scenario);
    fc_result_free(result);
}

static void too_many_pairs_are_left_out(void **state) {
    (void)state;
    fc_result *result =
        result_with_pairs("network: {topology: mesh, radix: [17, 16], virtual_channels: 2, "
                          "router_delay: 1}\ntraffic: {rate: 0.01, message_flits: 4}\n",
                          "router-queueing");
    assert_null(fc_result_table(result, "pairs"));
    assert_non_null(strstr(result->note, "no table of pairs: 272 nodes"));
    fc_result_free(result);
}

/* One link that stands for all of its kind gives what the whole network gives. */
static void check_merged(const char *network, double rate, uint32_t links, double busiest,
                         double precision) {
    char text[300];
    snprintf(text, sizeof text,
             "network: {%s, virtual_channels: 2, router_delay: 1}\n"
             "traffic: {rate: %g, message_flits: 4}\n",
             network, rate);
    fc_scenario *scenario;
    fc_router_flows *flows;
    fc_router_solver *solver;
    fc_router_solution solution;
    fc_error error = {{0}};
    assert_int_equal(
        fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario), FC_OK);
    assert_int_equal(fc_router_flows_create(scenario, true, &error, &flows), FC_OK);
    assert_true(flows->multiple > 1);
    assert_int_equal(flows->link_count, links);
    assert_close(flows->links[flows->link_of[0]].flits, 4 * busiest, precision);
    assert_int_equal(
        fc_router_solver_create(flows, fc_scenario_routed(scenario), false, &error, &solver),
        FC_OK);
    fc_router_solve(solver, rate, 1e-8, 200, &solution);
    assert_false(solution.saturated);
    /* every link of the merged network carries what enters and leaves it */
    for (uint32_t l = 0; l < solver->link_count; ++l) {
        double in = 0, out = 0;
        for (uint32_t j = 0; j < solver->movement_count; ++j) {
            const fc_solver_movement *m = &solver->movements[j];
            in += m->out == l ? m->count * m->rate : 0;
            out += m->in == l ? m->leaving * m->rate : 0;
        }
        if (solver->links[l].kind != FC_INJECTION_LINK)
            assert_close(in, solver->links[l].rate, 1e-9);
        if (solver->links[l].kind != FC_EJECTION_LINK)
            assert_close(out, solver->links[l].rate, 1e-9);
    }
    fc_router_solver_free(solver);
    fc_router_flows_free(flows);
    fc_scenario_free(scenario);
}

static void merged_links_stand_for_all(void **state) {
    (void)state;
    /* 11^3 nodes: two digits of three differ above the lowest level */
    check_merged("topology: fat-tree, arity: 11, levels: 3", 0.05, 6, (1331 - 11) / 1330.0, 1e-9);
    /* a local link, whichever the arrangement: what 6 nodes send to 6 groups of 72, as much of
     * what comes from there, and what the nodes of its two routers exchange */
    static const char dragonfly[] = "topology: dragonfly, hosts: 6, routers: 12, global_links: 6";
    static const char relative[] =
        "topology: dragonfly, hosts: 6, routers: 12, global_links: 6, arrangement: relative";
    const double local = (2 * 6 * 6 * 72 + 6 * 6) / 5255.0;
    check_merged(dragonfly, 0.02, 4, local, 1e-9);
    check_merged(relative, 0.02, 4, local, 1e-9);
    /* one source for each destination: messages of a node to itself are not made up for */
    check_merged("topology: torus, radix: [75, 75]", 0.002, 6,
                 (75.0 * 75 - 1) / (8 * 75) * 5625 / 5624, 1e-3);
}

static void solve_flows(const char *text, fc_router_flows **flows, fc_router_solution *solution) {
    fc_scenario *scenario;
    fc_router_solver *solver;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(fc_router_flows_create(scenario, true, &error, flows), FC_OK);
    assert_int_equal(
        fc_router_solver_create(*flows, fc_scenario_routed(scenario), true, &error, &solver),
        FC_OK);
    fc_router_solve(solver, 0.02, 1e-9, 200, solution);
    fc_router_solver_free(solver);
    fc_scenario_free(scenario);
}

/* Adaptive messages avoid what is full; where nobody chooses nothing changes. */
static void adaptive_messages_divide_by_free_channels(void **state) {
    (void)state;
    static const char *const routings[] = {"adaptive", "dimension-order"};
    for (size_t r = 0; r < 2; ++r) {
        char text[400];
        fc_scenario *scenario;
        fc_router_prepared p;
        fc_error error = {{0}};
        double split;
        snprintf(text, sizeof text,
                 "network: {topology: mesh, radix: [3, 5], routing: %s, virtual_channels: 2, "
                 "buffer: 4, router_delay: 2}\n"
                 "traffic: {message_flits: 2, rate: 0.01, destinations: bit-complement}\n",
                 routings[r]);
        if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) !=
            FC_OK)
            fail_msg("%s: %s", text, error.text);
        assert_int_equal(fc_router_prepare(scenario, &error, &p), FC_OK);
        const double even = fc_router_solver_limit(p.solver);
        assert_int_equal(fc_router_limit_split(&p, &error, &split), FC_OK);
        assert_true(p.flows->chooses == (r == 0));
        if (r == 0)
            assert_true(split > 1.05 * even);
        else
            assert_close(split, even, 1e-12);
        fc_router_prepared_release(&p);
        fc_scenario_free(scenario);
    }
}

/* Four routers, each joined to the three others; all messages go to the next router. By hand: half
 * of the middles that are drawn are the first or the last router, so that half of the messages go
 * straight on anyway. With a share w of the rest, the link to the next router carries (1 + w) / 2
 * of what a router sends, and the other two (1 - w) / 2 each: best without any w, where all carry
 * half. Without load all go straight on. */
static void detours_leave_the_busiest_link_least(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: hyperx, shape: [4], concentration: 2, routing: ugal-local, "
        "virtual_channels: 4, buffer: 8, router_delay: 2}\n"
        "traffic: {message_flits: 5, rate: 0.01, destinations: {next-group: 2}}\n";
    fc_scenario *scenario;
    fc_router_prepared p;
    fc_error error = {{0}};
    double direct;
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(fc_router_prepare(scenario, &error, &p), FC_OK);
    assert_close(p.flows->direct_capacity, 0.1, 1e-9); /* two nodes send five flits each */
    assert_close(p.flows->direct_hops, 1, 1e-9);
    direct = p.flows->direct;
    assert_true(direct < 0.03);
    assert_close(fc_router_capacity(p.flows), 0.1 * 2 / (1 + direct), 1e-6);
    assert_close(fc_router_hops(p.flows), 1 + 0.5 * (1 - direct), 1e-6);
    /* one link, two routers, and the message */
    assert_close(p.solver->alone.header - 1, 1 + 2 * 2.0, 1e-9);
    fc_router_prepared_release(&p);
    fc_scenario_free(scenario);
}

/* BookSim's min_adapt keeps headers in the escape channel that they once took. */
static void headers_that_stay_in_escape_channels_are_not_followed(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [4, 4], routing: min-adapt, virtual_channels: 4, "
        "buffer: 8, router_delay: 1}\n"
        "traffic: {message_flits: 5, rate: 0.01}\n";
    fc_scenario *scenario;
    fc_router_prepared p;
    fc_result *result;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(fc_predict(scenario, NULL, &error, &result), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "min-adapt"));
    assert_int_equal(fc_router_prepare(scenario, &error, &p), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "escape channels only"));
    fc_scenario_free(scenario);
}

/* Uniform traffic is followed router by router; the same traffic as a matrix node by node. */
static void routers_stand_for_their_nodes(void **state) {
    (void)state;
    enum { NODES = 18 };
    char path[] = "/tmp/flitcast_uniform_XXXXXX", text[600];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fprintf(stream, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", NODES, NODES,
            NODES * (NODES - 1));
    for (int i = 1; i <= NODES; ++i)
        for (int k = 1; k <= NODES; ++k)
            if (i != k)
                fprintf(stream, "%d %d %.17g\n", i, k, 1.0 / (NODES - 1));
    fclose(stream);
    static const char *const routings[] = {"minimal", "valiant"};
    for (size_t r = 0; r < 2; ++r) {
        fc_router_flows *flows[2];
        fc_router_solution solution[2];
        for (int by_matrix = 0; by_matrix < 2; ++by_matrix) {
            snprintf(text, sizeof text,
                     "network: {topology: hyperx, shape: [3, 3], concentration: 2, routing: %s, "
                     "buffer: 4}\ntraffic: {message_flits: 6, rate: 0.02, destinations: %s%s%s}\n",
                     routings[r], by_matrix ? "{matrix: " : "uniform", by_matrix ? path : "",
                     by_matrix ? "}" : "");
            solve_flows(text, &flows[by_matrix], &solution[by_matrix]);
        }
        assert_int_equal(flows[0]->movement_count, flows[1]->movement_count);
        for (uint32_t l = 0; l < flows[0]->link_count; ++l)
            assert_close(flows[0]->links[l].flits, flows[1]->links[l].flits, 1e-9);
        assert_close(solution[0].latency, solution[1].latency, 1e-6);
        fc_router_flows_free(flows[0]);
        fc_router_flows_free(flows[1]);
    }
    remove(path);
}

static void overload_is_an_answer(void **state) {
    (void)state;
    static const char *const traffics[] = {"rate: 0.9, message_flits: 8",
                                           ("rate: 0.2, destinations: {hot-spots: [{node: [0, 0], "
                                            "weight: 1}]}, message_flits: 16"),
                                           "rate: 0.3, injection: {on-off: {on: 10, off: 10}}"};
    for (size_t i = 0; i < sizeof traffics / sizeof *traffics; ++i) {
        char text[400];
        fc_outcome outcome;
        snprintf(text, sizeof text,
                 "network: {topology: mesh, radix: [4, 4], router_delay: 1, virtual_channels: 2}\n"
                 "traffic: {%s}\n",
                 traffics[i]);
        const double carried = metric_of(text, "throughput", &outcome);
        assert_int_equal(outcome, FC_OUTCOME_SATURATED);
        assert_true(carried > 0 && carried < 0.3);
    }
}

/* Half of the loads just below the model's own saturation load: there its rounds swing. */
static void what_did_not_settle_is_no_solution(void **state) {
    (void)state;
    static const char network[] =
        "network: {topology: fly, arity: 2, levels: 3, virtual_channels: 2, buffer: 2, "
        "router_delay: 2}\ntraffic: {rate: 0.1, message_flits: 1}\n";
    fc_scenario *scenario = must_read(network, NULL, NULL);
    fc_forecast *forecast;
    fc_load_range range;
    fc_error error;
    int swinging = 0;
    assert_int_equal(fc_forecast_create(scenario, "router-queueing", &error, &forecast), FC_OK);
    assert_int_equal(fc_forecast_saturation(forecast, &error, &range), FC_OK);
    for (int i = 1; i <= 100; ++i) {
        fc_result *result;
        assert_int_equal(fc_forecast_at(forecast, 0.01 * i * range.load, &error, &result), FC_OK);
        const bool settled = result->run.residual < 1e-3;
        assert_int_equal(result->outcome, settled ? FC_OUTCOME_OK : FC_OUTCOME_NOT_CONVERGED);
        assert_int_equal((result->flags & FC_FLAG_NOT_CONVERGED) != 0, !settled);
        assert_true(settled || i > 80);
        swinging += !settled;
        fc_result_free(result);
    }
    assert_true(swinging > 0);
    fc_forecast_free(forecast);
    fc_scenario_free(scenario);
}

/* Messages of one flit that nobody crosses, over buffers of one flit: one in each credit loop of 6
 * cycles. Every link is spaced by the one before it, so that nothing waits behind the source. */
static void a_single_stream_fills_its_credit_loops(void **state) {
    (void)state;
    static const char network[] =
        "network: {topology: mesh, radix: [4, 6], virtual_channels: 1, buffer: 1, router_delay: 2, "
        "link_delay: 2, input_speedup: 1}\n";
    char text[400];
    fc_outcome outcome;
    snprintf(text, sizeof text,
             "%straffic: {message_flits: 1, destinations: neighbour, rate: 0.16}\n", network);
    const double waits = metric_of(text, "latency", &outcome);
    assert_int_equal(outcome, FC_OUTCOME_OK);
    const double at_source = metric_of(text, "source_wait", &outcome);
    snprintf(text, sizeof text,
             "%straffic: {message_flits: 1, destinations: neighbour, rate: 1e-6}\n", network);
    const double alone = metric_of(text, "latency", &outcome);
    assert_true(waits - alone < 1.02 * at_source);
    snprintf(text, sizeof text,
             "%straffic: {message_flits: 1, destinations: neighbour, rate: 0.17}\n", network);
    metric_of(text, "latency", &outcome);
    assert_int_equal(outcome, FC_OUTCOME_SATURATED);
}

/* Messages that divide by load are divided anew at each: the scenario at the load before is gone.
 */
static void a_forecast_outlives_the_loads_it_was_asked_at(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *scenario;
    fc_forecast *forecast;
    fc_forecast_point points[4];
    const double heavy = 0.1, light = 1e-6, loads[4] = {heavy, light, heavy, light};
    const char *text = "network: {topology: mesh, radix: [3, 5], routing: adaptive, buffer: 4,\n"
                       "  virtual_channels: 2, router_delay: 2}\n"
                       "traffic: {rate: 0.01, message_flits: 2, destinations: bit-complement}\n";
    assert_int_equal(
        fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario), FC_OK);
    assert_int_equal(fc_forecast_create(scenario, "router-queueing", &error, &forecast), FC_OK);
    assert_int_equal(fc_forecast_points(forecast, loads, 4, &error, points), FC_OK);
    assert_true(points[1].value < points[0].value);
    assert_true(points[0].value == points[2].value && points[1].value == points[3].value);
    fc_forecast_free(forecast);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forecast_outlives_the_loads_it_was_asked_at),
        cmocka_unit_test(solutions_are_as_recorded),
        cmocka_unit_test(percentiles_are_in_order),
        cmocka_unit_test(without_load_only_the_path_counts),
        cmocka_unit_test(pairs_add_up_to_the_latency),
        cmocka_unit_test(pairs_are_as_symmetric_as_the_network),
        cmocka_unit_test(pairs_without_load_take_their_paths),
        cmocka_unit_test(too_many_pairs_are_left_out),
        cmocka_unit_test(merged_links_stand_for_all),
        cmocka_unit_test(adaptive_messages_divide_by_free_channels),
        cmocka_unit_test(detours_leave_the_busiest_link_least),
        cmocka_unit_test(headers_that_stay_in_escape_channels_are_not_followed),
        cmocka_unit_test(routers_stand_for_their_nodes),
        cmocka_unit_test(overload_is_an_answer),
        cmocka_unit_test(what_did_not_settle_is_no_solution),
        cmocka_unit_test(a_single_stream_fills_its_credit_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
