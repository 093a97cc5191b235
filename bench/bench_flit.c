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

/* A torus with more of its keys, as YAML; parameters as the engine takes them. */
static fc_scenario *torus_of(int radix, const char *network, const char *traffic) {
    char text[500];
    snprintf(text, sizeof text, "network: {topology: torus, radix: [%d, %d], %s}\ntraffic: {%s}\n",
             radix, radix, network, traffic);
    return read_scenario(text);
}

static void run(fc_flit *engine, uint64_t cycles) {
    fc_error error;
    demand(fc_flit_run(engine, engine->time + cycles, &error), &error);
}

static fc_torus_network *create_network(const fc_scenario *scenario) {
    fc_error error;
    fc_torus_network *network;
    demand(fc_torus_network_create(scenario->parameters, &error, &network), &error);
    return network;
}

static fc_flit *create(const fc_torus_network *network) {
    fc_error error;
    fc_flit *engine;
    demand(fc_flit_create(network, 1, 0, &error, &engine), &error);
    return engine;
}

/* Millions of flit-hops a second, over about so many flit-hops. */
static double measure(const fc_scenario *scenario, double wanted, int repeats) {
    fc_torus_network *network = create_network(scenario);
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

/* Messages per node per cycle that are accepted when far more are offered. */
static double saturation_load(const fc_scenario *overloaded) {
    fc_torus_network *network = create_network(overloaded);
    fc_flit *engine = create(network);
    run(engine, 2000);
    engine->sums = (fc_flit_sums){0};
    const uint64_t cycles = 3000;
    run(engine, cycles);
    const fc_torus *torus = overloaded->parameters;
    const double load = engine->sums.messages / (double)cycles / (double)torus->nodes;
    fc_flit_free(engine);
    fc_torus_network_free(network);
    return load;
}

static fc_scenario *open_torus(int radix, int channels, int buffer, int flits, double rate) {
    char network[200], traffic[100];
    snprintf(network, sizeof network,
             "virtual_channels: %d, injection_channels: %d, channel_rule: dateline, buffer: %d",
             channels, channels, buffer);
    snprintf(traffic, sizeof traffic, "message_flits: %d, rate: %.9g", flits, rate);
    return torus_of(radix, network, traffic);
}

static void open_row(int radix, int channels, int buffer, int flits, int repeats) {
    static const double shares[] = {0.2, 0.5, 0.9};
    fc_scenario *overloaded = open_torus(radix, channels, buffer, flits, 1.0 / flits);
    const double saturation = saturation_load(overloaded);
    fc_scenario_free(overloaded);
    printf("%5dx%-2d %5d %8d %6d %10.5f", radix, radix, flits, channels, buffer, saturation);
    for (int load = 0; load < 3; ++load) {
        fc_scenario *scenario =
            open_torus(radix, channels, buffer, flits, shares[load] * saturation);
        printf(" %8.1f", measure(scenario, 3e6, repeats));
        fflush(stdout);
        fc_scenario_free(scenario);
    }
    printf("\n");
}

static void open_table(int repeats) {
    static const int radices[] = {8, 16, 32}, lengths[] = {16, 64, 1};
    printf("open traffic, million flit-hops per second of CPU time\n");
    printf("%8s %5s %8s %6s %10s %8s %8s %8s\n", "torus", "flits", "channels", "buffer",
           "saturation", "20 %", "50 %", "90 %");
    for (size_t m = 0; m < 3; ++m)
        for (size_t r = 0; r < 3; ++r)
            for (int channels = 2; channels <= 4; channels += 2)
                for (int buffer = 1; buffer <= 8; buffer += 7)
                    open_row(radices[r], channels, buffer, lengths[m], repeats);
}

static void closed_table(int repeats) {
    printf("\nclosed traffic, 8x8, one node link per channel\n%11s %10s %8s\n", "outstanding",
           "think time", "M/s");
    for (int outstanding = 1; outstanding <= 4; outstanding += 3) {
        for (int think = 20; think <= 50; think += 30) {
            char traffic[300];
            snprintf(traffic, sizeof traffic,
                     "kind: closed, outstanding: %d, think_time: %d, requests: "
                     "[{share: 0.8, flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}, "
                     "{share: 0.2, flits: 11, reply_flits: 3, memory_reply: 8, memory_busy: 4}]",
                     outstanding, think);
            fc_scenario *scenario = torus_of(
                8, "order: descending, channel_rule: high-low, node_links: per-channel", traffic);
            printf("%11d %10d %8.1f\n", outstanding, think, measure(scenario, 3e6, repeats));
            fc_scenario_free(scenario);
        }
    }
}

int main(int count, char **arguments) {
    const int repeats = count > 1 ? atoi(arguments[1]) : 3;
    open_table(repeats);
    closed_table(repeats);
    return 0;
}
