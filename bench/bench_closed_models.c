/* How long the closed models take: process CPU time, best of a few repeats, and how it grows with
 * the number of nodes. */
#include <math.h>
#include <sys/resource.h>
#include "bench_support.h"

typedef struct job {
    const char *model, *radix, *links, *buffer, *outstanding, *think;
    double limit; /* seconds; 0: none */
    int repeats;
} job;

static double measure(const job *j) {
    static const char base[] = "network: {topology: torus, radix: [8, 8], order: descending}\n"
                               "traffic: {kind: closed, outstanding: 1, think_time: 50}\n";
    const fc_setting settings[] = {{"network.radix", j->radix},
                                   {"network.node_links", j->links},
                                   {"network.buffer", j->buffer},
                                   {"traffic.outstanding", j->outstanding},
                                   {"traffic.think_time", j->think}};
    fc_error error;
    fc_scenario *scenario;
    demand(fc_scenario_read_text(base, strlen(base), "bench", settings, 5, &error, &scenario),
           &error);
    double best = INFINITY;
    fc_result *result = NULL;
    for (int i = 0; i < j->repeats; ++i) {
        fc_result_free(result);
        const double begin = cpu_seconds();
        demand(fc_predict(scenario, j->model, &error, &result), &error);
        best = fmin(best, cpu_seconds() - begin);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-20s %-9s %-11s N_out %s tau %3s  %-13s %4llu sweeps  %9.4f s", j->model, j->radix,
           j->links, j->outstanding, j->think, fc_outcome_name(result->outcome),
           (unsigned long long)result->run.iterations, best);
    if (j->limit > 0)
        printf("  (limit %g s: %s)", j->limit, best <= j->limit ? "met" : "MISSED");
    printf("  [memory so far %ld MB]\n", usage.ru_maxrss / 1024);
    fflush(stdout);
    fc_result_free(result);
    fc_scenario_free(scenario);
    return best;
}

int main(void) {
    static const char published[] = "adve-vernon", ours[] = "closed-refined";
    static const char infinite[] = "adve-vernon-infinite";
    static const job jobs[] = {
        {published, "[8, 8]", "single", "1", "1", "50", 0.02, 5},
        {published, "[8, 8]", "per-channel", "1", "1", "50", 0.02, 5},
        {ours, "[8, 8]", "single", "1", "1", "50", 0.02, 5},
        {ours, "[8, 8]", "per-channel", "1", "1", "50", 0.02, 5},
        {published, "[8, 8]", "single", "1", "4", "25", 0.1, 5},
        {published, "[8, 8]", "per-channel", "1", "4", "20", 0.1, 5},
        {ours, "[8, 8]", "single", "1", "4", "25", 0.1, 5},
        {ours, "[8, 8]", "per-channel", "1", "4", "20", 0.1, 5},
        {published, "[16, 16]", "single", "1", "1", "50", 0.4, 3},
        {published, "[16, 16]", "per-channel", "1", "1", "50", 0.4, 3},
        {ours, "[16, 16]", "single", "1", "1", "50", 0.4, 3},
        {ours, "[16, 16]", "per-channel", "1", "1", "50", 0.4, 3},
        {infinite, "[32, 32]", "single", "infinite", "1", "25", 1, 1},
        {infinite, "[32, 32]", "single", "infinite", "4", "25", 1, 1},
        {published, "[32, 32]", "single", "1", "1", "100", 10, 1},
        {published, "[32, 32]", "single", "1", "1", "50", 10, 1},
        {published, "[32, 32]", "per-channel", "1", "1", "50", 10, 1},
        {ours, "[32, 32]", "single", "1", "1", "100", 10, 1},
        {published, "[64, 64]", "single", "1", "1", "400", 0, 1},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i)
        measure(&jobs[i]);
    static const char *const sizes[] = {"[4, 4]", "[8, 8]", "[16, 16]", "[32, 32]"};
    static const char *const models[] = {published, ours};
    for (size_t m = 0; m < 2; ++m) {
        double times[4];
        for (size_t s = 0; s < 4; ++s) {
            const job j = {models[m], sizes[s], "single", "1", "1", "200", 0, 2};
            times[s] = measure(&j);
        }
        printf("%s: time grows as N^%.2f from 16 to 64, N^%.2f from 64 to 256, N^%.2f from 256 to "
               "1024 nodes (light load)\n",
               models[m], log(times[1] / times[0]) / log(4), log(times[2] / times[1]) / log(4),
               log(times[3] / times[2]) / log(4));
    }
    return 0;
}
