/* Time to predict a point of an open torus or mesh. */
#include "bench_support.h"

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
    snprintf(text, sizeof text, "network: {%s%s}\ntraffic: {rate: %.17g, message_flits: %d}\n",
             strncmp(n->settings, "topology", 8) == 0 ? "" : "topology: torus, ", n->settings, rate,
             n->flits);
    return read_scenario(text);
}

static double saturation_of(const network *n, const char *model) {
    fc_scenario *scenario = make_scenario(n, 1e-5);
    const fc_saturation_settings settings = {.model = model};
    const fc_run_settings run = fc_run_settings_default();
    fc_saturation *rows;
    fc_error error;
    double load = 0;
    if (fc_method_covers(model, scenario, &error) == FC_OK &&
        fc_saturate(scenario, &settings, &run, &error, &rows) == FC_OK) {
        load = rows[0].load;
        fc_saturation_free(rows);
    }
    fc_scenario_free(scenario);
    return load;
}

static void predict(const network *n, const char *model, double load, double rate) {
    fc_scenario *scenario = make_scenario(n, rate);
    uint64_t iterations = 0;
    const double seconds = time_predict(scenario, model, &iterations);
    printf("%-23s %-27s %3.0f %% of saturation %10.1f us a point, %llu iterations\n", model,
           n->text, 100 * load, 1e6 * seconds, (unsigned long long)iterations);
    fc_scenario_free(scenario);
}

int main(void) {
    static const char *const models[] = {"najafabadi-sarbaziazad", "torus-sharing"};
    static const double loads[] = {0.5, 0.9, 0.99};
    for (size_t m = 0; m < 2; ++m)
        for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
            const double saturation = saturation_of(&networks[i], models[m]);
            for (size_t l = 0; l < 3 && saturation > 0; ++l)
                predict(&networks[i], models[m], loads[l], loads[l] * saturation);
        }
    return 0;
}
