#include <flitcast/flitcast.h>
#include <stdio.h>

int main(void) {
    fc_error error;
    fc_scenario *scenario;
    fc_result *result;
    if (fc_scenario_read_default(NULL, 0, &error, &scenario) != FC_OK ||
        fc_predict(scenario, "hamacher-jiang", &error, &result) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const double latency = fc_result_metric(result, "latency")->value;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return latency > 34.4 && latency < 34.5 ? 0 : 1;
}
