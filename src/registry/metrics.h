/* The one table of metrics: every metric that a result can hold, with its unit and meaning.
 * Results are filled by it (result.h), studies and output look it up. A new metric is one line
 * below and one entry in metrics.c. */
#ifndef FC_REGISTRY_METRICS_H
#define FC_REGISTRY_METRICS_H

#include <string.h>
#include "flitcast/flitcast.h"

typedef enum fc_metric_id {
    FC_METRIC_NONE, /* ends a list */
    FC_METRIC_LATENCY,
    FC_METRIC_LATENCY_P50,
    FC_METRIC_LATENCY_P95,
    FC_METRIC_LATENCY_P99,
    FC_METRIC_LATENCY_P999,
    FC_METRIC_LATENCY_MAX,
    FC_METRIC_NETWORK_LATENCY,
    FC_METRIC_SOURCE_WAIT,
    FC_METRIC_LATENCY_HOT,
    FC_METRIC_LATENCY_COLD,
    FC_METRIC_LATENCY_LAST,
    FC_METRIC_THROUGHPUT,
    FC_METRIC_OFFERED,
    FC_METRIC_LOSS,
    FC_METRIC_EFFICIENCY,
    FC_METRIC_EFFICIENCY_MAX,
    FC_METRIC_EFFICIENCY_MIN,
    FC_METRIC_NETWORK_TIME,
    FC_METRIC_REMOTE_TIME,
    FC_METRIC_RESPONSE_TIME,
    FC_METRIC_RESPONSE_TIME_P50,
    FC_METRIC_RESPONSE_TIME_P95,
    FC_METRIC_RESPONSE_TIME_P99,
    FC_METRIC_MEMORY_WAIT,
    FC_METRIC_RESPONSE_TIME_HOT,
    FC_METRIC_RESPONSE_TIME_COLD,
    FC_METRIC_ROUND_TRIP,
    FC_METRIC_DURATION,
    FC_METRIC_DURATION_BOUND,
    FC_METRIC_HOPS,
    FC_METRIC_BACKTRACKS,
    FC_METRIC_RESTARTS,
    FC_METRIC_UNREACHABLE,
    FC_METRIC_POWER,
    FC_METRIC_BUFFER_SPACE,
    FC_METRIC_ENERGY_PER_FLIT,
    FC_METRIC_WAITING,
    FC_METRIC_IN_NETWORK,
    FC_METRIC_DURATION_MEASURED,
    FC_METRIC_BARRIER_ERROR,
    FC_METRIC_ROUTERS,
    FC_METRIC_CABLES,
    FC_METRIC_PORTS,
    FC_METRIC_BISECTION,
    FC_METRIC_WIRE_LENGTH,
    FC_METRICS
} fc_metric_id;

extern const fc_metric_info fc_metrics[FC_METRICS]; /* fc_metrics[FC_METRIC_NONE].name is NULL */

/* Whether a percentile is one of response times; others are of latencies. */
static inline bool fc_metric_of_responses(fc_metric_id metric) {
    return metric >= FC_METRIC_RESPONSE_TIME_P50 && metric <= FC_METRIC_RESPONSE_TIME_P99;
}
/* The metric of a class of messages is called "NAME.METRIC". */
static inline bool fc_metric_is_of_class(const char *name) {
    return strchr(name, '.') != NULL;
}

/* FC_METRIC_NONE if there is no such metric. */
fc_metric_id fc_metric_find(const char *name);
/* Whether there is such a metric, and it says what the network is built of. */
bool fc_metric_is_count(const char *name);
/* The value of a count; NaN: not known. */
double fc_count_of(const fc_counts *counts, fc_metric_id metric);
/* All names, for the nearest to a wrong one; NULL-terminated. */
void fc_metric_names(const char *names[FC_METRICS]);

#endif
