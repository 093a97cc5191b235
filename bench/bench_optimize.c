/* Time to search a million points of hierarchical rings with the model: CPU time, and time elapsed
 * on all cores. */
#include "bench_support.h"

static double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
    static const char text[] = "network: {topology: ring-hierarchy, rings: [4, 4, 4]}\n"
                               "traffic: {rate: 0.0001}\n";
    static const char *const ranges[] = {"network.rings.0=2:51:1", "network.rings.1=2:51:1",
                                         "network.rings.2=2:51:1",
                                         "traffic.rate=0.0001:0.0008:0.0001"};
    static const char *const constraints[] = {"nodes >= 500"};
    fc_error error = {{0}};
    fc_scenario *base = read_scenario(text);
    fc_axis axes[4];
    for (size_t i = 0; i < 4; ++i)
        demand(fc_axis_parse(ranges[i], &error, &axes[i]), &error);
    const fc_optimize_settings settings = {.axes = axes,
                                           .axis_count = 4,
                                           .objective = "latency",
                                           .constraints = constraints,
                                           .constraint_count = 1};
    double cpu = 1e9, elapsed = 1e9, points = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        fc_optimum *optimum;
        const double cpu_start = cpu_seconds();
        const double start = wall_seconds();
        demand(fc_optimize(base, &settings, NULL, &error, &optimum), &error);
        const double cpu_now = cpu_seconds() - cpu_start;
        const double now = wall_seconds() - start;
        cpu = cpu_now < cpu ? cpu_now : cpu;
        elapsed = now < elapsed ? now : elapsed;
        points = optimum->evaluated;
        fc_optimum_free(optimum);
    }
    printf("optimize %.0f points of ring-hierarchy: %.2f s of CPU (%.2f us a point), %.2f s "
           "elapsed\n",
           points, cpu, 1e6 * cpu / points, elapsed);
    for (size_t i = 0; i < 4; ++i)
        fc_axis_clear(&axes[i]);
    fc_scenario_free(base);
    return 0;
}
