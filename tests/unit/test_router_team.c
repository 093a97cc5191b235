/* A network simulated in parts, on threads, gives the same bits as in one: every sum, every counter
 * of its nodes and links, every latency. */
#include "test_support.h"

#include "anchor_support.h"
#include "base/memory.h"
#include "network/router_traffic.h"
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

enum { CYCLES = THREAD_SANITIZER ? 500 : 900, STRETCH = 250 };

typedef struct world {
    fc_scenario *scenario;
    fc_router_network *network;
    fc_traffic *traffic;
} world;

static world make_world(const char *text) {
    fc_error error = {""};
    world made = {.scenario = read_scenario("%s", text)};
    if (fc_router_network_create(made.scenario, &error, &made.network) != FC_OK ||
        fc_router_traffic_create(made.scenario, made.network, &error, &made.traffic) != FC_OK)
        fail_msg("%s", error.text);
    return made;
}

static void free_world(world *w) {
    fc_traffic_free(w->traffic);
    fc_router_network_free(w->network);
    fc_scenario_free(w->scenario);
}

static fc_router *simulate(const world *w, uint32_t parts, fc_histogram *histogram) {
    fc_error error = {""};
    fc_router *engine;
    const fc_routed *routed = fc_scenario_routed(w->scenario);
    assert_int_equal(fc_router_create(w->network, routed, &error, &engine), FC_OK);
    fc_status status = parts > 1 ? fc_team_create(engine, parts, w->traffic, 5, 0, &error)
                                 : fc_open_sources_create(engine, w->traffic, 5, 0, &error);
    engine->histogram = histogram;
    for (uint64_t until = STRETCH; status == FC_OK && until <= CYCLES; until += STRETCH)
        status = fc_router_run(engine, until, &error);
    if (status != FC_OK)
        fail_msg("%s", error.text);
    return engine;
}

static void compare(const fc_router *one, const fc_router *parts, const char *what) {
    if (!same_bytes(&one->sums, &parts->sums, sizeof one->sums) || one->hops != parts->hops ||
        one->time != parts->time || one->messages_alive != parts->messages_alive)
        fail_msg("%s: the sums differ: %g and %g messages, latency %g and %g", what,
                 one->sums.messages, parts->sums.messages, one->sums.latency, parts->sums.latency);
    for (uint32_t n = 0; n < one->nodes; ++n) {
        const fc_router_node *a = &one->node[n], *b = &parts->node[n];
        if (a->messages != b->messages || a->latency != b->latency ||
            a->source_wait != b->source_wait || a->injected != b->injected)
            fail_msg("%s: node %u differs", what, n);
    }
    for (uint32_t o = 0; o < one->network->outputs; ++o) {
        const fc_output *a = &one->output[o], *b = &parts->output[o];
        if (a->crossed != b->crossed || a->granted != b->granted || a->waited != b->waited)
            fail_msg("%s: output %u differs", what, o);
    }
}

static void parts_give_the_same_bits(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: torus, radix: [8, 6], virtual_channels: 4, buffer: 5, router_delay: "
        "2}\ntraffic: {rate: 0.04, message_flits: 5}\n",
        "network: {topology: mesh, radix: [7, 7], virtual_channels: 2, buffer: 3, router_delay: "
        "1, routing: o1turn, allocator_rounds: 2}\n"
        "traffic: {rate: 0.05, message_mix: [{flits: 1, share: 0.5}, {flits: 6, share: 0.5}]}\n",
        "network: {topology: mesh, radix: [6, 5], virtual_channels: 3, buffer: 4, router_delay: "
        "1, routing: adaptive, concentration: 2}\ntraffic: {rate: 0.03, message_flits: 4}\n",
        "network: {topology: mesh, radix: [8, 8], virtual_channels: 2, buffer: 4, router_delay: "
        "1, internal_speedup: 1.5}\ntraffic: {rate: 0.06, message_flits: 3, destinations: "
        "transpose}\n",
        "network: {topology: mesh, radix: [5, 8], virtual_channels: 2, buffer: 6, router_delay: "
        "1, switching: cut-through}\ntraffic: {rate: 0.05, message_flits: 4, injection: "
        "{on-off: {on: 40, off: 80}}}\n",
        "network: {topology: fly, arity: 4, levels: 3, virtual_channels: 2, buffer: 4}\n"
        "traffic: {rate: 0.05, message_flits: 4}\n",
        "network: {topology: fat-tree, arity: 3, levels: 3, virtual_channels: 2, buffer: 4, "
        "routing: random}\ntraffic: {rate: 0.05, message_flits: 4}\n",
        "network: {topology: dragonfly, hosts: 2, routers: 4, global_links: 2, routing: "
        "ugal-local, buffer: 8, link_delay: 2}\ntraffic: {rate: 0.05, message_flits: 2}\n",
        "network: {topology: hyperx, shape: [4, 4], concentration: 2, routing: valiant}\n"
        "traffic: {rate: 0.1, message_flits: 1}\n",
        /* so rarely that all parts are idle between messages, and full beyond capacity */
        "network: {topology: torus, radix: [6, 6], virtual_channels: 2, router_delay: 1}\n"
        "traffic: {rate: 0.0002, message_flits: 3}\n",
        "network: {topology: torus, radix: [6, 6], virtual_channels: 2, router_delay: 1}\n"
        "traffic: {rate: 0.3, message_flits: 3}\n",
    };
    fc_histogram *seen[2] = {fc_allocate(1, sizeof *seen[0]), fc_allocate(1, sizeof *seen[0])};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        world w = make_world(texts[i]);
        fc_histogram_clear(seen[0]);
        fc_router *one = simulate(&w, 1, seen[0]);
        assert_true(one->sums.messages > 0);
        for (uint32_t parts = THREAD_SANITIZER ? 5 : 2; parts <= 5; parts += parts == 3 ? 2 : 1) {
            fc_histogram_clear(seen[1]);
            fc_router *many = simulate(&w, parts, seen[1]);
            compare(one, many, texts[i]);
            assert_memory_equal(seen[0], seen[1], sizeof *seen[0]);
            fc_router_free(many);
        }
        fc_router_free(one);
        free_world(&w);
    }
    fc_release(seen[0]);
    fc_release(seen[1]);
}

/* The number of threads is not seen in a result. */
static void threads_do_not_show(void **state) {
    (void)state;
    fc_scenario *scenario = read_scenario(
        "network: {topology: torus, radix: [24, 24], virtual_channels: 2, router_delay: 1}\n"
        "traffic: {rate: 0.01, message_flits: 4}\n"
        "simulation: {replications: 1, precision: 0.1, max_cycles: 2000}\n");
    fc_result *results[2];
    for (unsigned i = 0; i < 2; ++i) {
        fc_run_settings settings = fc_run_settings_default();
        fc_error error = {""};
        settings.threads = 1 + i;
        if (fc_simulate(scenario, &settings, &error, &results[i]) != FC_OK)
            fail_msg("%s", error.text);
    }
    assert_int_equal(results[0]->metric_count, results[1]->metric_count);
    for (size_t m = 0; m < results[0]->metric_count; ++m) {
        assert_true(results[0]->metrics[m].value == results[1]->metrics[m].value);
        if (!isnan(results[0]->metrics[m].half_width))
            assert_true(results[0]->metrics[m].half_width == results[1]->metrics[m].half_width);
    }
    fc_result_free(results[0]);
    fc_result_free(results[1]);
    fc_scenario_free(scenario);
}

/* What looks across the network within a cycle, and what is small, is not divided. */
static void some_networks_are_not_divided(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: torus, radix: [8, 8], router_delay: 1, virtual_channels: 2}\n"
        "traffic: {rate: 0.01}\n",
        "network: {topology: torus, radix: [32, 32], router_delay: 1, virtual_channels: 2, "
        "arbitration: oldest-first}\ntraffic: {rate: 0.01}\n",
        "network: {topology: dragonfly, hosts: 2, routers: 16, global_links: 4, groups: 65, "
        "routing: ugal-global}\ntraffic: {rate: 0.01}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        world w = make_world(texts[i]);
        assert_int_equal(fc_team_size(w.network, fc_scenario_routed(w.scenario), 8), 1);
        free_world(&w);
    }
    world w = make_world("network: {topology: torus, radix: [32, 32], router_delay: 1, "
                         "virtual_channels: 2}\ntraffic: {rate: 0.01}\n");
    assert_int_equal(fc_team_size(w.network, fc_scenario_routed(w.scenario), 2), 2);
    assert_int_equal(fc_team_size(w.network, fc_scenario_routed(w.scenario), 8), 4);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_give_the_same_bits),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(some_networks_are_not_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
