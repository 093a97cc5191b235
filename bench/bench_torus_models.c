/* Time to predict a point of an open torus or mesh. CPU time, best of several repeats. */
#include "flitcast/flitcast.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct network {
    const char *text, *settings; /* what is printed; YAML within network: */
    int flits;
} network;

static const network networks[] = {
    {"16x16 L=3 M=32", "radix: [16, 16], links: unidirectional, virtual_channels: 3", 32},
    {"16x16 L=5 M=100", "radix: [16, 16], links: unidirectional, virtual_channels: 5", 100},
    {"8x8x8 L=3 M=32", "radix: [8, 8, 8], links: unidirectional, virtual_channels: 3", 32},
    {"4x4x4x4 L=2 M=16", "radix: [4, 4, 4, 4], links: unidirectional, virtual_channels: 2", 16},
    {"64x64 L=4 M=32", "radix: [64, 64], links: unidirectional, virtual_channels: 4", 32},
    {"8x8 both ways L=8 M=16", "radix: [8, 8], virtual_channels: 8", 16},
    {"8x8 both ways L=4 dateline", "radix: [8, 8], virtual_channels: 4, channel_rule: dateline",
     16},
    {"16x16 mesh L=4 M=16", "topology: mesh, radix: [16, 16], virtual_channels: 4", 16},
};

static fc_scenario *make_scenario(const network *n, double rate) {
    char text[512];
    const int length =
        snprintf(text, sizeof text, "network: {%s%s}\ntraffic: {rate: %.17g, message_flits: %d}\n",
                 strncmp(n->settings, "topology", 8) == 0 ? "" : "topology: torus, ", n->settings,
                 rate, n->flits);
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "bench", NULL, 0, &error, &scenario) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return scenario;
}

static double saturation_of(const network *n, const char *model) {
    fc_scenario *scenario = make_scenario(n, 1e-5);
    const fc_saturation_settings settings = {.model = model};
    const fc_run_settings run = fc_run_settings_default();
    fc_saturation *rows;
    size_t count;
    fc_error error;
    double load = 0;
    if (fc_method_covers(model, scenario, &error) == FC_OK &&
        fc_saturate(scenario, &settings, &run, &error, &rows, &count) == FC_OK) {
        load = rows[0].load;
        fc_saturation_free(rows);
    }
    fc_scenario_free(scenario);
    return load;
}

static void time_predict(const network *n, const char *model, double load, double rate) {
    enum { REPEATS = 5 };
    fc_scenario *scenario = make_scenario(n, rate);
    double best = 1e9;
    uint64_t iterations = 0;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        int calls = 0;
        const double start = cpu_seconds();
        do {
            fc_result *result;
            fc_error error;
            if (fc_predict(scenario, model, &error, &result) != FC_OK)
                exit(1);
            iterations = result->run.iterations;
            fc_result_free(result);
            ++calls;
        } while (cpu_seconds() - start < 0.02);
        const double time = (cpu_seconds() - start) / calls;
        best = time < best ? time : best;
    }
    printf("%-23s %-27s %3.0f %% of saturation %10.1f us a point, %llu iterations\n", model,
           n->text, 100 * load, 1e6 * best, (unsigned long long)iterations);
    fc_scenario_free(scenario);
}

int main(void) {
    static const char *const models[] = {"najafabadi-sarbaziazad", "torus-sharing"};
    static const double loads[] = {0.5, 0.9, 0.99};
    for (size_t m = 0; m < 2; ++m)
        for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
            const double saturation = saturation_of(&networks[i], models[m]);
            for (size_t l = 0; l < 3 && saturation > 0; ++l)
                time_predict(&networks[i], models[m], loads[l], loads[l] * saturation);
        }
    return 0;
}
