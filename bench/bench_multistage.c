/* Speed of the multistage simulator and models on one core. */
#include "bench_support.h"
#include "simulators/packet/packet_network.h"

static void bench_simulator(const char *name, const fc_packet_settings *settings, double cycles) {
    fc_error error;
    fc_packet_network *network;
    fc_packet_counts counts = {0};
    static fc_histogram latencies;
    demand(fc_packet_network_create(settings, &error, &network), &error);
    /* fill the buffers */
    demand(fc_packet_network_advance(network, cycles, &counts, NULL, &error), &error);
    double best = 0.0;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        memset(&counts, 0, sizeof counts);
        const double start = cpu_seconds();
        demand(fc_packet_network_advance(network, cycles, &counts, &latencies, &error), &error);
        const double rate = (double)counts.events / (cpu_seconds() - start);
        best = rate > best ? rate : best;
    }
    printf("simulator  %-58s %7.1f million events/s\n", name, best / 1e6);
    fc_packet_network_free(network);
}

static void bench_model(const char *name, const char *model, const char *text) {
    fc_scenario *scenario = read_scenario(text);
    printf("predict    %-24s %-33s %7.1f microseconds\n", model, name,
           1e6 * time_predict(scenario, model, NULL));
    fc_scenario_free(scenario);
}

int main(void) {
    fc_packet_settings settings = {.ports = 1024,
                                   .switch_size = 2,
                                   .stages = 10,
                                   .places = 9,
                                   .service = 1.0,
                                   .rate = 0.5,
                                   .latency_scale = 256.0,
                                   .seed = 1};
    bench_simulator("N = 1024, 2 x 2, L = 8, load 0.5", &settings, 1500.0);
    settings.rate = 0.9;
    bench_simulator("N = 1024, 2 x 2, L = 8, load 0.9 (blocking)", &settings, 1000.0);
    settings.output_contention = true;
    bench_simulator("N = 1024, 2 x 2, L = 8, load 0.9, output-port contention", &settings, 1000.0);
    settings.output_contention = false;
    settings.switch_size = 32;
    settings.stages = 2;
    bench_simulator("N = 1024, 32 x 32, L = 8, load 0.9", &settings, 4000.0);
    settings.switch_size = 2;
    settings.stages = 10;
    settings.rate = 0.01;
    settings.hot_share = 0.16;
    bench_simulator("N = 1024, 2 x 2, L = 8, 16 % hot", &settings, 50000.0);

    static const char uniform[] = "network: {topology: multistage, ports: 1024, buffer: 16}\n"
                                  "traffic: {rate: 0.9}\n";
    static const char hot[] = "network: {topology: multistage, ports: 1024, buffer: 16}\n"
                              "traffic: {rate: 0.02, destinations: {hot-spot: {share: 0.16, "
                              "node: 3}}}\n";
    static const char lines[] = "network: {topology: multistage, ports: 1024, buffer: 16, "
                                "contention: output-port}\ntraffic: {rate: 0.9}\n";
    static const char limit[] = "network: {topology: multistage, ports: 1024, buffer: 16}\n"
                                "traffic: {rate: 0.9, outstanding: 8}\n";
    bench_model("n = 10, L = 16, load 0.9", "mohapatra-das", uniform);
    bench_model("the same, m = 8", "mohapatra-das", limit);
    bench_model("n = 10, L = 16, load 0.9", "multistage-backpressure", uniform);
    bench_model("the same, m = 8", "multistage-backpressure", limit);
    bench_model("hot spot beyond its capacity", "multistage-backpressure", hot);
    bench_model("output-port contention", "multistage-backpressure", lines);
    return 0;
}
