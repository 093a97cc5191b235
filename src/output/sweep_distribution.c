#include "output/sweep_distribution.h"

#include <math.h>
#include <string.h>
#include "registry/metrics.h"

static size_t stride_of(const fc_sweep *sweep, size_t axis) {
    size_t stride = 1;
    for (size_t a = axis + 1; a < sweep->axis_count; ++a)
        stride *= sweep->axes[a].count;
    return stride;
}

size_t fc_sweep_index(const fc_sweep *sweep, size_t axis, size_t point) {
    return point / stride_of(sweep, axis) % sweep->axes[axis].count;
}

size_t fc_sweep_seed_axis(const fc_sweep *sweep) {
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        const char *dot = strrchr(sweep->axes[a].key, '.');
        if (strcmp(dot ? dot + 1 : sweep->axes[a].key, "seed") == 0 && sweep->axes[a].count > 1)
            return a;
    }
    return SIZE_MAX;
}

bool fc_sweep_distribution(const fc_sweep *sweep, size_t axis, size_t first_point, size_t method,
                           const char *metric, fc_distribution *distribution) {
    const size_t stride = stride_of(sweep, axis), seeds = sweep->axes[axis].count;
    const fc_metric_id id = fc_metric_find(metric);
    const bool higher_is_worse =
        id == FC_METRIC_NONE || fc_metrics[id].better != FC_HIGHER_IS_BETTER;
    fc_distribution d = {.point = first_point, .metric = metric, .seeds = seeds};
    double squares = 0;
    for (size_t s = 0; s < seeds; ++s) {
        const fc_result *result =
            sweep->results[(first_point + s * stride) * sweep->method_count + method];
        const fc_metric *found = result ? fc_result_metric(result, metric) : NULL;
        if (!found)
            continue;
        d.method = result->method;
        if (d.results == 0 || (higher_is_worse ? found->value > d.largest : found->value < d.least))
            d.worst_seed = sweep->axes[axis].values[s];
        d.least = d.results ? fmin(d.least, found->value) : found->value;
        d.largest = d.results ? fmax(d.largest, found->value) : found->value;
        ++d.results; /* mean and squares as they come (Welford) */
        const double apart = found->value - d.mean;
        d.mean += apart / (double)d.results;
        squares += apart * (found->value - d.mean);
    }
    d.deviation = d.results > 1 ? sqrt(squares / (double)(d.results - 1)) : 0;
    *distribution = d;
    return d.results > 0;
}
