/* Any bytes as a scenario file: an error with a sentence, or a scenario that every model it is
 * covered by can be asked about. */
#include "flitcast/flitcast.h"
#include "fuzz_text.h"
#include "scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fc_error error = {{0}};
    fc_scenario *scenario;
    if (fc_scenario_read_text((const char *)data, size, "fuzz", NULL, 0, &error, &scenario) !=
        FC_OK) {
        if (!error.text[0])
            abort();
        return 0;
    }
    /* Networks of ordinary size only: a model of a huge one is slow, not wrong. */
    if (scenario->family->nodes(scenario->parameters) <= 64) {
        fc_result *result;
        if (fc_predict(scenario, NULL, &error, &result) == FC_OK)
            fc_result_free(result);
    }
    fc_scenario_free(scenario);
    return 0;
}
