/* Speed of the router engine: flits crossing links between routers per second of CPU time, on one
 * core.
 *
 *     bench_router [repeats]     default 3; the best of them is printed
 *
 * Meshes with the four-stage router of BookSim's examples: 4 virtual channels, buffers of 8, one
 * flit per input and cycle, uniform traffic. */
#include "bench_support.h"
#include "network/router_traffic.h"
#include "scenario/torus.h"
#include "simulators/router/sources.h"

static fc_torus mesh(int64_t radix, int64_t flits, double load) {
    fc_torus torus = {.topology = FC_MESH,
                      .radix = {.count = 2, .values = {radix, radix}},
                      .channel_rule = FC_FREE,
                      .nodes = radix * radix};
    torus.routed = (fc_routed){.router_delay = {1, 1, 1, 1},
                               .link_delay = 1,
                               .node_delay = 2,
                               .input_speedup = 1,
                               .allocator_rounds = 1,
                               .concentration = 1,
                               .virtual_channels = 4,
                               .buffer = 8,
                               .handover = FC_NEXT_CYCLE,
                               .injection_channels = 1,
                               .ejection_channels = 4,
                               .rate = load / (double)flits,
                               .message_flits = flits,
                               .injection = {.process = FC_BERNOULLI},
                               .outstanding = FC_INFINITE,
                               .nodes = radix * radix,
                               .digits = torus.radix,
                               .hot_node = -1};
    return torus;
}

/* Millions of flit-hops a second, over about so many flit-hops. */
static double measure(fc_torus *torus, double wanted) {
    static char name[] = "bench";
    const fc_scenario scenario = {.name = name, .family = &fc_torus_family, .parameters = torus};
    torus->routed.destinations = &torus->destinations;
    fc_error error;
    fc_router_network *network;
    fc_traffic *traffic;
    fc_router *engine;
    demand(fc_router_network_create(&scenario, &error, &network), &error);
    demand(fc_router_traffic_create(&scenario, network, &error, &traffic), &error);
    demand(fc_router_create(network, &torus->routed, &error, &engine), &error);
    demand(fc_open_sources_create(engine, traffic, 1, 0, &error), &error);
    demand(fc_router_run(engine, 3000, &error), &error);
    const double per_cycle = (double)engine->hops / 3000;
    const uint64_t before = engine->hops;
    const double start = cpu_seconds();
    demand(fc_router_run(engine, 3000 + (uint64_t)(wanted / per_cycle), &error), &error);
    const double speed = (double)(engine->hops - before) / (cpu_seconds() - start) / 1e6;
    fc_router_free(engine);
    fc_traffic_free(traffic);
    fc_router_network_free(network);
    return speed;
}

int main(int count, char **arguments) {
    static const struct {
        int64_t radix, flits;
        double load; /* flits per node per cycle */
    } cells[] = {{8, 16, 0.3}, {8, 1, 0.3}, {32, 16, 0.08}, {32, 1, 0.08}};
    const int repeats = count > 1 ? atoi(arguments[1]) : 3;
    printf("mesh    flits  load   M flit-hops/s\n");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
        double best = 0;
        for (int r = 0; r < repeats; ++r) {
            fc_torus torus = mesh(cells[i].radix, cells[i].flits, cells[i].load);
            const double speed = measure(&torus, 1e7);
            best = speed > best ? speed : best;
        }
        printf("%2dx%-2d   %5d  %4.2f   %13.1f\n", (int)cells[i].radix, (int)cells[i].radix,
               (int)cells[i].flits, cells[i].load, best);
    }
    return 0;
}
