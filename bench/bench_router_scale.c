/* What a flit-hop costs in a large network, against a small one: the state of 65,536 routers is in
 * no cache.
 *
 *     bench_router_scale [repeats]     default 3; the best of them is printed
 *
 * Tori of 16 x 16 and 256 x 256 routers, 4 virtual channels of 8 flits, four stages of one cycle,
 * uniform traffic at a quarter of what the links carry: so many flits per link and cycle in both.
 */
#include "bench_world.h"

/* Nanoseconds of a flit-hop, over about so many of them. */
static double measure(int radix, int flits, double wanted) {
    char text[400];
    snprintf(text, sizeof text,
             "network: {topology: torus, radix: [%d, %d], router_delay: [1, 1, 1, 1], "
             "virtual_channels: 4, channel_rule: dateline, buffer: 8, input_speedup: 1}\n"
             "traffic: {rate: %.9g, message_flits: %d}\n",
             radix, radix, 0.25 * 8 / radix / flits, flits);
    fc_error error;
    world w = make_world(text);
    fc_router *engine = start_engine(&w, 8 * (uint64_t)radix);
    const uint64_t before = engine->hops;
    const double start = cpu_seconds();
    while ((double)(engine->hops - before) < wanted)
        demand(fc_router_run(engine, engine->time + 10, &error), &error);
    const double time = (cpu_seconds() - start) / (double)(engine->hops - before);
    fc_router_free(engine);
    free_world(&w);
    return 1e9 * time;
}

int main(int count, char **arguments) {
    const int repeats = count > 1 ? atoi(arguments[1]) : 3;
    printf("flits  ns/hop 16x16  ns/hop 256x256  ratio\n");
    for (int flits = 1; flits <= 16; flits *= 4) {
        double best[2] = {1e9, 1e9};
        for (int r = 0; r < repeats; ++r) {
            for (int large = 0; large < 2; ++large) {
                const double time = measure(large ? 256 : 16, flits, 4e6);
                best[large] = time < best[large] ? time : best[large];
            }
        }
        printf("%5d  %12.1f  %14.1f  %5.2f\n", flits, best[0], best[1], best[1] / best[0]);
    }
    return 0;
}
