/* Time to search a million points of hierarchical rings with the model: CPU time, and time elapsed
 * on all cores. */
#include "flitcast/flitcast.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(fc_status status, const fc_error *error) {
    if (status != FC_OK) {
        fprintf(stderr, "%s\n", error->text);
        exit(1);
    }
}

int main(void) {
    static const char text[] = "network: {topology: ring-hierarchy, rings: [4, 4, 4]}\n"
                               "traffic: {rate: 0.0001}\n";
    static const char *const ranges[] = {"network.rings.0=2:51:1", "network.rings.1=2:51:1",
                                         "network.rings.2=2:51:1",
                                         "traffic.rate=0.0001:0.0008:0.0001"};
    static const char *const constraints[] = {"nodes >= 500"};
    fc_error error = {{0}};
    fc_scenario *base;
    fc_axis axes[4];
    check(fc_scenario_read_text(text, strlen(text), "bench", NULL, 0, &error, &base), &error);
    for (size_t i = 0; i < 4; ++i)
        check(fc_axis_parse(ranges[i], &error, &axes[i]), &error);
    const fc_optimize_settings settings = {.axes = axes,
                                           .axis_count = 4,
                                           .objective = "latency",
                                           .constraints = constraints,
                                           .constraint_count = 1};
    double cpu = 1e9, elapsed = 1e9, points = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        fc_optimum *optimum;
        const double cpu_start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        const double start = seconds_of(CLOCK_MONOTONIC);
        check(fc_optimize(base, &settings, NULL, &error, &optimum), &error);
        const double cpu_now = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        const double now = seconds_of(CLOCK_MONOTONIC) - start;
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
