/* Identities of a steady state: what flows in flows out or is lost, Little's law, a whole is the
 * sum of its parts, shares lie between 0 and 1. A model whose equations were solved keeps them to
 * rounding, so that one of them broken means an answer from outside the model's reach. */
#include "registry/identities.h"

#include <math.h>
#include "scenario/torus.h"
#include <string.h>

static const double tolerance = 1e-3; /* relative; iterations stop well below it */

/* NaN: the scenario has no such number, or it means that there is none. */
static double number_of(const fc_scenario *scenario, const char *key) {
    double value;
    return fc_scenario_number(scenario, key, NULL, &value) == FC_OK && value > 0 ? value
                                                                                 : (double)NAN;
}

/* Unknown values contradict nothing. */
static bool differs(double found, double expected) {
    return fabs(found - expected) > tolerance * fabs(expected);
}

static void reject(fc_result *result, const char *what, double found, const char *law,
                   double expected) {
    result->outcome = FC_OUTCOME_NOT_CONVERGED;
    fc_result_note(result,
                   "the model's numbers contradict each other: %s is %.6g, but %s gives %.6g", what,
                   found, law, expected);
}

/* ---- single numbers ---- */

static bool is_share(const char *name) {
    switch (fc_metric_find(name)) {
    case FC_METRIC_LOSS:
    case FC_METRIC_UNREACHABLE:
    case FC_METRIC_EFFICIENCY:
    case FC_METRIC_EFFICIENCY_MAX:
    case FC_METRIC_EFFICIENCY_MIN:
        return true;
    default:
        return false;
    }
}

static bool check_values(fc_result *result, const fc_scenario *scenario) {
    if (!fc_result_metric(result, fc_scenario_main_metric(scenario))) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "the model has no finite value of the %s here",
                       fc_scenario_main_metric(scenario));
        return false;
    }
    for (size_t i = 0; i < result->metric_count; ++i) {
        const fc_metric *metric = &result->metrics[i];
        const double most = is_share(metric->name) ? 1 + tolerance : INFINITY;
        if (metric->value >= -1e-9 && metric->value <= most)
            continue;
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "the model gives a %s of %.6g, which cannot be", metric->name,
                       metric->value);
        return false;
    }
    return true;
}

/* ---- flows and times ---- */

static bool check_flow(fc_result *result) {
    const double offered = fc_result_value(result, FC_METRIC_OFFERED),
                 carried = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double loss = fc_result_value(result, FC_METRIC_LOSS);
    const double expected = offered * (isnan(loss) ? 1 : 1 - loss);
    if (!differs(carried, expected))
        return true;
    reject(result, "throughput", carried, "the offered load less what is lost", expected);
    return false;
}

static bool check_latency(fc_result *result) {
    const double latency = fc_result_value(result, FC_METRIC_LATENCY);
    const double sum = fc_result_value(result, FC_METRIC_NETWORK_LATENCY) +
                       fc_result_value(result, FC_METRIC_SOURCE_WAIT);
    if (!differs(latency, sum))
        return true;
    reject(result, "latency", latency, "waiting at the source plus time in the network", sum);
    return false;
}

static bool check_parts(fc_result *result) {
    double sum = 0, nearest = (double)NAN;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    for (size_t i = 0; i < result->metric_count; ++i) {
        const double value = result->metrics[i].value;
        if (!(fabs(value - sum) >= fabs(nearest - sum)))
            nearest = value;
    }
    if (result->part_count == 0 || !differs(sum, nearest))
        return true;
    reject(result, "the sum of the parts", sum, "the whole", nearest);
    return false;
}

/* ---- Little's law ---- */

/* Of a node, which all compute: one, or one for each request. */
static double processors_of(const fc_scenario *scenario, double limit) {
    const fc_torus *torus = scenario->parameters;
    const bool many =
        scenario->family == &fc_torus_family && torus->processors == FC_PROCESSOR_PER_REQUEST;
    return many ? limit : 1;
}

static bool check_littles_law(fc_result *result, const fc_scenario *scenario) {
    const double carried = fc_result_value(result, FC_METRIC_THROUGHPUT),
                 limit = number_of(scenario, "traffic.outstanding");
    const double cycle = fc_result_value(result, FC_METRIC_ROUND_TRIP),
                 latency = fc_result_value(result, FC_METRIC_LATENCY);
    if (differs(carried * cycle, limit)) {
        reject(result, "throughput times round trip", carried * cycle,
               "the number of outstanding requests", limit);
        return false;
    }
    /* What waits at its source is not under way. */
    const double source = fc_result_value(result, FC_METRIC_SOURCE_WAIT);
    const double held = carried * (latency - (isnan(source) ? 0 : source));
    if (held > (1 + tolerance) * limit) {
        reject(result, "throughput times latency", held, "the limit of outstanding packets", limit);
        return false;
    }
    const double busy =
        carried * number_of(scenario, "traffic.think_time") / processors_of(scenario, limit);
    const double efficiency = fc_result_value(result, FC_METRIC_EFFICIENCY);
    if (!differs(efficiency, busy))
        return true;
    reject(result, "efficiency", efficiency, "throughput times think time", busy);
    return false;
}

void fc_result_check_identities(fc_result *result, const fc_scenario *scenario) {
    if (result->outcome != FC_OUTCOME_OK)
        return;
    (void)(check_values(result, scenario) && check_flow(result) && check_latency(result) &&
           check_parts(result) && check_littles_law(result, scenario));
}
