/* A line "KEY=VALUE" as a --set, an axis and an expression. */
#include "flitcast/flitcast.h"
#include "fuzz_text.h"
#include "base/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[512];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    fc_error error = {{0}};
    fc_axis axis;
    if (fc_axis_parse(text, &error, &axis) == FC_OK)
        fc_axis_clear(&axis);
    fc_expression expression;
    if (fc_expression_parse(text, &error, &expression) == FC_OK) {
        const double values[FC_EXPRESSION_NAMES] = {1, 2, 3};
        fc_expression_evaluate(&expression, values);
    }
    char *equals = strchr(text, '=');
    if (!equals)
        return 0;
    *equals = '\0';
    const fc_setting setting = {text, equals + 1};
    fc_scenario *scenario;
    if (fc_scenario_read_default(&setting, 1, &error, &scenario) == FC_OK)
        fc_scenario_free(scenario);
    return 0;
}
