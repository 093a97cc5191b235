#include <flitcast/flitcast.h>
#include <stdio.h>

static const char rings[] = "network: {topology: ring-hierarchy, rings: [16, 32]}\n"
                            "traffic: {rate: 0.004, locality: [0.2]}\n";

int main(void) {
    fc_error error;
    fc_scenario *scenario;
    fc_result *result;
    if (fc_scenario_read_text(rings, sizeof rings - 1, "rings", NULL, 0, &error, &scenario) !=
            FC_OK ||
        fc_predict(scenario, "hamacher-jiang", &error, &result) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const double latency = fc_result_metric(result, "latency")->value;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return latency > 34.4 && latency < 34.5 ? 0 : 1;
}
