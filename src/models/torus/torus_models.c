#include "models/torus/torus_models.h"

#include <math.h>
#include "registry/parts.h"

bool fc_torus_model_suits(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->kind == FC_OPEN && torus->switching == FC_WORMHOLE && !torus->routed.pipelined_by;
}

fc_status fc_torus_model_covers(const fc_scenario *scenario, const char *who, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const char *why = NULL;
    const fc_status status = fc_scenario_require_ideal(scenario, who, error);
    if (status != FC_OK)
        return status;
    if (torus->kind != FC_OPEN)
        why = "is for open traffic (traffic.kind: open)";
    else if (torus->destinations.pattern != FC_UNIFORM)
        why = "is for uniform destinations";
    else if (torus->routing != FC_DIMENSION_ORDER)
        why = "is for dimension-order routing";
    else if (torus->switching != FC_WORMHOLE)
        why = "is for wormhole switching";
    else if (torus->faults.count > 0)
        why = "is for networks without faults";
    else if (torus->nodes < 2)
        why = "needs at least 2 nodes";
    if (why != NULL)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s %s", who, why);
    return FC_OK;
}

size_t fc_travelled_dimension(const fc_torus *torus, size_t step) {
    const size_t count = torus->radix.count;
    for (size_t i = 0; i < count; ++i) {
        const size_t d = torus->order == FC_DESCENDING ? count - 1 - i : i;
        if (torus->radix.values[d] > 1 && step-- == 0)
            return d;
    }
    return count;
}

void fc_torus_report_latency(fc_result *result, const fc_torus_latency *latency, double rate) {
    const double network =
        latency->travel + latency->transfer + latency->sharing + latency->blocking;
    fc_result_add(result, FC_METRIC_LATENCY, network + latency->source_wait, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, network, NAN);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, latency->source_wait, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, rate, NAN);
    fc_result_add_part(result, FC_PART_TRAVEL, "cycles", latency->travel);
    fc_result_add_part(result, FC_PART_TRANSFER, "cycles", latency->transfer);
    fc_result_add_part(result, "sharing", "cycles", latency->sharing);
    fc_result_add_part(result, FC_PART_BLOCKING, "cycles", latency->blocking);
    fc_result_add_part(result, FC_PART_SOURCE_WAIT, "cycles", latency->source_wait);
}

fc_table *fc_torus_add_channels(fc_result *result, const fc_torus *torus, size_t dimensions) {
    static const char *const names[] = {"utilisation", "wait"};
    fc_table *table = fc_result_add_table(result, "channels", dimensions, names, 2);
    for (size_t step = 0; table != NULL && step < dimensions; ++step)
        snprintf(table->row_labels[step], FC_NAME_SIZE, "dimension %zu",
                 fc_travelled_dimension(torus, step));
    return table;
}

void fc_torus_set_channel(fc_table *table, size_t step, double utilisation, double wait) {
    table->values[step * table->columns] = utilisation;
    table->values[step * table->columns + 1] = wait;
}
