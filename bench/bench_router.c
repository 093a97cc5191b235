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

static fc_scenario *mesh(int radix, int flits, double load) {
    char text[400];
    snprintf(text, sizeof text,
             "network: {topology: mesh, radix: [%d, %d], router_delay: [1, 1, 1, 1], "
             "node_delay: 2, input_speedup: 1, virtual_channels: 4, buffer: 8, "
             "injection_channels: 1, ejection_channels: 4}\n"
             "traffic: {rate: %.9g, message_flits: %d, injection: bernoulli}\n",
             radix, radix, load / flits, flits);
    return read_scenario(text);
}

/* Millions of flit-hops a second, over about so many flit-hops. */
static double measure(const fc_scenario *scenario, double wanted) {
    fc_error error;
    fc_router_network *network;
    fc_traffic *traffic;
    fc_router *engine;
    demand(fc_router_network_create(scenario, &error, &network), &error);
    demand(fc_router_traffic_create(scenario, network, &error, &traffic), &error);
    demand(fc_router_create(network, fc_scenario_routed(scenario), &error, &engine), &error);
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
        int radix, flits;
        double load; /* flits per node per cycle */
    } cells[] = {{8, 16, 0.3}, {8, 1, 0.3}, {32, 16, 0.08}, {32, 1, 0.08}};
    const int repeats = count > 1 ? atoi(arguments[1]) : 3;
    printf("mesh    flits  load   M flit-hops/s\n");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
        double best = 0;
        fc_scenario *scenario = mesh(cells[i].radix, cells[i].flits, cells[i].load);
        for (int r = 0; r < repeats; ++r) {
            const double speed = measure(scenario, 1e7);
            best = speed > best ? speed : best;
        }
        fc_scenario_free(scenario);
        printf("%2dx%-2d   %5d  %4.2f   %13.1f\n", cells[i].radix, cells[i].radix, cells[i].flits,
               cells[i].load, best);
    }
    return 0;
}
