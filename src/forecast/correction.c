#include "forecast/correction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/embedded.h"
#include "base/status.h"
#include "registry/result.h"
#include "scenario/scenario.h"
#include "scenario/scenario_values.h"

fc_status fc_correction_weights(const fc_model *model, fc_error *error, fc_weights **weights) {
    const char *path = model->correction->weights;
    size_t length;
    const char *data = fc_embedded(path, &length);
    if (!data)
        return fc_fail(error, FC_ERROR_FILE, "%s is not built in", path);
    fc_status status = fc_weights_read(data, length, path, error, weights);
    if (status != FC_OK)
        return status;
    status = fc_weights_check(*weights, model->info.name, model->correction->revision,
                              model->correction->names, error);
    if (status != FC_OK) {
        fc_weights_free(*weights);
        *weights = NULL;
    }
    return status;
}

/* ---- what was drawn ---- */

struct question {
    const fc_weights *weights;
    bool seen;
    char *why;
};

/* How many entries a list has: some weights do not say it. */
static bool counts_entries(const char *key) {
    const size_t length = strlen(key), last = strlen(FC_VALUE_ENTRIES);
    return length > last && strcmp(key + length - last, FC_VALUE_ENTRIES) == 0;
}

static void ask_key(void *context, const char *key, const char *value) {
    struct question *q = context;
    char drawn[96];
    if (!q->seen)
        return;
    const fc_seen saw = fc_weights_saw(q->weights, key, value);
    q->seen = saw == FC_SEEN || (saw == FC_SEEN_NEVER && counts_entries(key));
    if (q->seen)
        return;
    fc_weights_drawn(q->weights, key, sizeof drawn, drawn);
    if (strcmp(drawn, "its default") == 0)
        snprintf(q->why, FC_WHY_SIZE, "no network simulated for the fit has %.60s", key);
    else
        snprintf(q->why, FC_WHY_SIZE, "%.40s: %.30s was never simulated%s%.40s%s", key, value,
                 drawn[0] ? " (" : "", drawn, drawn[0] ? " was)" : "");
}

fc_status fc_correction_saw(const fc_weights *weights, const fc_scenario *scenario, fc_error *error,
                            bool *saw, char why[FC_WHY_SIZE]) {
    struct question question = {weights, true, why};
    const fc_status status = fc_scenario_values(scenario, ask_key, &question, error);
    *saw = question.seen;
    return status;
}

bool fc_method_weights(const char *name, fc_weights_info *info) {
    const fc_model *model = fc_model_find(name, NULL);
    fc_weights *weights;
    if (!model || !model->correction || fc_correction_weights(model, NULL, &weights) != FC_OK)
        return false;
    const fc_passport passport = fc_weights_passport(weights);
    *info = (fc_weights_info){
        .revision = passport.revision, .networks = passport.networks, .cases = passport.cases};
    snprintf(info->file, sizeof info->file, "%s", passport.file);
    snprintf(info->hash, sizeof info->hash, "%s", passport.hash);
    snprintf(info->data_hash, sizeof info->data_hash, "%s", passport.data_hash);
    snprintf(info->command, sizeof info->command, "%s", passport.command);
    fc_weights_free(weights);
    return true;
}

/* ---- what a curve changes in a result ---- */

static bool is_empty_part(const fc_correction *correction, const char *part) {
    size_t i = 0;
    while (correction->empty[i] && strcmp(correction->empty[i], part) != 0)
        ++i;
    return correction->empty[i] != NULL;
}

static bool grows_with_load(const char *column) {
    static const char *const columns[] = {"utilisation", "injection", "ejection"};
    bool grows = false;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
        grows |= strcmp(column, columns[k]) == 0;
    return grows;
}

/* What is in proportion to the load, of a result that is of a lower one. */
static void raise_load(double load, fc_result *result) {
    const double times = load / fc_result_value(result, FC_METRIC_THROUGHPUT);
    if (!(fabs(times - 1) > 1e-12))
        return;
    for (size_t t = 0; t < result->table_count; ++t) {
        fc_table *table = &result->tables[t];
        for (size_t c = 0; c < table->columns; ++c)
            for (size_t row = 0; row < table->rows && grows_with_load(table->column_names[c]);
                 ++row)
                table->values[row * table->columns + c] *= times;
    }
    fc_result_add(result, FC_METRIC_THROUGHPUT, load, NAN);
    if (fc_result_metric(result, fc_metrics[FC_METRIC_OFFERED].name))
        fc_result_add(result, FC_METRIC_OFFERED, load, NAN);
    for (size_t m = 0; m < result->metric_count; ++m)
        result->metrics[m].uncalibrated = NAN;
}

static void move_percentiles(const fc_load_point *point, fc_result *result) {
    static const fc_metric_id ids[FC_LATENCIES] = {[FC_P50] = FC_METRIC_LATENCY_P50,
                                                   [FC_P95] = FC_METRIC_LATENCY_P95,
                                                   [FC_P99] = FC_METRIC_LATENCY_P99};
    for (int i = FC_P50; i < FC_LATENCIES; ++i) {
        fc_metric *metric = fc_result_find(result, ids[i]);
        if (metric && isfinite(point->latency[i]))
            fc_metric_correct(metric, point->latency[i]);
        else
            fc_result_add(result, ids[i], point->latency[i], NAN);
    }
}

/* All waits by the same number, so that parts add up to `latency`, that of the curve, and the empty
 * network stays exact. */
static void stretch_waits(const fc_correction *correction, double empty, double stretch,
                          double latency, fc_result *result) {
    fc_metric *wait = fc_result_find(result, FC_METRIC_SOURCE_WAIT);
    fc_metric *network = fc_result_find(result, FC_METRIC_NETWORK_LATENCY);
    fc_metric_correct(fc_result_find(result, FC_METRIC_LATENCY), latency);
    if (wait)
        fc_metric_correct(wait, wait->value * stretch);
    if (network)
        fc_metric_correct(network, empty + (network->value - empty) * stretch);
    for (size_t p = 0; p < result->part_count; ++p)
        if (!is_empty_part(correction, result->parts[p].name))
            fc_metric_correct(&result->parts[p], result->parts[p].value * stretch);
}

double fc_correction_empty(const fc_correction *correction, const fc_result *result) {
    double empty = 0;
    for (size_t p = 0; p < result->part_count; ++p)
        empty += is_empty_part(correction, result->parts[p].name) ? result->parts[p].value : 0;
    return empty;
}

void fc_correction_move(const fc_correction *correction, const fc_load_curve *curve, double load,
                        fc_result *result) {
    const fc_load_point point = fc_load_curve_at(curve, load);
    const double empty = fc_correction_empty(correction, result);
    const double excess = fc_result_value(result, FC_METRIC_LATENCY) - empty;
    const double learned = point.latency[FC_MEAN] - curve->empty[FC_MEAN];
    stretch_waits(correction, empty, excess > 0 ? learned / excess : 1, point.latency[FC_MEAN],
                  result);
    move_percentiles(&point, result);
    raise_load(load, result);
}
