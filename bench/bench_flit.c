/* Speed of the flit engine: flits crossing network channels per second of CPU time, on one core.
 *
 *     bench_flit [repeats]     default 3; the best of them is printed
 *
 * Bidirectional tori, uniform traffic, dateline rule. The saturation load is the load accepted when
 * far more is offered. Then closed traffic (8x8, one link per channel, Adve and Vernon's workload).
 */
#include "bench_support.h"
#include "simulators/flit/flit.h"
#include "simulators/flit/flit_closed.h"

static fc_torus torus_of(int64_t radix) {
    fc_torus torus = {.topology = FC_TORUS, .links = FC_BIDIRECTIONAL, .hot_node = -1};
    torus.radix.count = 2;
    torus.radix.values[0] = torus.radix.values[1] = radix;
    torus.nodes = radix * radix;
    torus.ejection_channels = 1;
    torus.virtual_channels = 2;
    torus.buffer = 1;
    return torus;
}

static void run(fc_flit *engine, uint64_t cycles) {
    fc_error error;
    demand(fc_flit_run(engine, engine->time + cycles, &error), &error);
}

static fc_torus_network *create_network(const fc_torus *torus) {
    fc_error error;
    fc_torus_network *network;
    demand(fc_torus_network_create(torus, &error, &network), &error);
    return network;
}

static fc_flit *create(const fc_torus_network *network) {
    fc_error error;
    fc_flit *engine;
    demand(fc_flit_create(network, 1, 0, &error, &engine), &error);
    return engine;
}

/* Millions of flit-hops a second, over about so many flit-hops. */
static double measure(const fc_torus *torus, double wanted, int repeats) {
    fc_torus_network *network = create_network(torus);
    double best = 0;
    for (int i = 0; i < repeats; ++i) {
        fc_flit *engine = create(network);
        uint64_t cycles = 2000;
        run(engine, cycles);
        const double per_cycle = (double)fc_flit_hops(engine) / (double)cycles;
        const uint64_t before = fc_flit_hops(engine);
        const double start = cpu_seconds();
        run(engine, (uint64_t)(wanted / per_cycle));
        const double seconds = cpu_seconds() - start;
        const double speed = (double)(fc_flit_hops(engine) - before) / seconds / 1e6;
        best = speed > best ? speed : best;
        fc_flit_free(engine);
    }
    fc_torus_network_free(network);
    return best;
}

static double saturation_load(fc_torus torus) {
    torus.rate = 1.0 / (double)torus.message_flits;
    fc_torus_network *network = create_network(&torus);
    fc_flit *engine = create(network);
    run(engine, 2000);
    engine->sums = (fc_flit_sums){0};
    const uint64_t cycles = 3000;
    run(engine, cycles);
    const double load = engine->sums.messages / (double)cycles / (double)torus.nodes;
    fc_flit_free(engine);
    fc_torus_network_free(network);
    return load;
}

static void open_table(int repeats) {
    static const int64_t radices[] = {8, 16, 32}, lengths[] = {16, 64, 1};
    printf("open traffic, million flit-hops per second of CPU time\n");
    printf("%8s %5s %8s %6s %10s %8s %8s %8s\n", "torus", "flits", "channels", "buffer",
           "saturation", "20 %", "50 %", "90 %");
    for (size_t m = 0; m < 3; ++m) {
        for (size_t r = 0; r < 3; ++r) {
            for (int channels = 2; channels <= 4; channels += 2) {
                for (int buffer = 1; buffer <= 8; buffer += 7) {
                    fc_torus torus = torus_of(radices[r]);
                    torus.message_flits = lengths[m];
                    torus.virtual_channels = torus.injection_channels = channels;
                    torus.channel_rule = FC_DATELINE;
                    torus.buffer = buffer;
                    const double saturation = saturation_load(torus);
                    printf("%5dx%-2d %5d %8d %6d %10.5f", (int)radices[r], (int)radices[r],
                           (int)lengths[m], channels, buffer, saturation);
                    for (int load = 0; load < 3; ++load) {
                        static const double shares[] = {0.2, 0.5, 0.9};
                        torus.rate = shares[load] * saturation;
                        printf(" %8.1f", measure(&torus, 3e6, repeats));
                        fflush(stdout);
                    }
                    printf("\n");
                }
            }
        }
    }
}

static void closed_table(int repeats) {
    printf("\nclosed traffic, 8x8, one node link per channel\n%11s %10s %8s\n", "outstanding",
           "think time", "M/s");
    for (int outstanding = 1; outstanding <= 4; outstanding += 3) {
        for (int think = 20; think <= 50; think += 30) {
            fc_torus torus = torus_of(8);
            torus.kind = FC_CLOSED;
            torus.order = FC_DESCENDING;
            torus.channel_rule = FC_HIGH_LOW;
            torus.node_links = FC_LINK_PER_CHANNEL;
            torus.outstanding = outstanding;
            torus.think_time = think;
            torus.requests =
                (fc_requests){.count = 2, .types = {{0.8, 3, 9, 4, 4}, {0.2, 11, 3, 8, 4}}};
            printf("%11d %10d %8.1f\n", outstanding, think, measure(&torus, 3e6, repeats));
        }
    }
}

int main(int count, char **arguments) {
    const int repeats = count > 1 ? atoi(arguments[1]) : 3;
    open_table(repeats);
    closed_table(repeats);
    return 0;
}
