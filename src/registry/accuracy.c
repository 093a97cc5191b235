/* The errors of models alone against simulations, as `make validate` measured them.
 *
 * data/accuracy.csv has for each model a row of all cases, one of those held out, and one for each
 * band of loads (shares of the simulated saturation load) with the errors that 5 and 95 % of the
 * cases do not exceed: between them is the interval of an answer there. Before it, where there are
 * enough cases, stands the same of small networks alone: in those few messages decide, and most
 * models know means. */
#include "registry/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/embedded.h"
#include "base/status.h"
#include "registry/method.h"

static const char file[] = "data/accuracy.csv";
static const char header[] =
    "model,part,load_low,load_high,nodes_most,networks,cases,unanswered,mean_error,"
    "worst_error,error_5,error_95\n";

enum { NUMBERS = 10 };
typedef enum {
    LOAD_LOW,
    LOAD_HIGH,
    NODES_MOST,
    NETWORKS,
    CASES,
    UNANSWERED,
    MEAN,
    WORST,
    LOW,
    HIGH
} column;

/* NaN where a cell is empty. */
static const char *read_numbers(const char *at, double values[NUMBERS]) {
    for (int i = 0; i < NUMBERS; ++i) {
        char *end;
        values[i] = strtod(at, &end);
        if (end == at)
            values[i] = (double)NAN;
        at = end + (*end == ',');
    }
    return at;
}

static bool begins(const char *row, const char *model, const char *part) {
    const size_t length = strlen(model), more = strlen(part);
    return strncmp(row, model, length) == 0 && row[length] == ',' &&
           strncmp(row + length + 1, part, more) == 0 && row[length + 1 + more] == ',';
}

/* The first row of a part of the cases whose loads reach the share (NaN: the first), of networks as
 * small. */
static bool find_row(const char *model, const char *part, double share, double nodes,
                     double values[NUMBERS]) {
    size_t length;
    const char *row = fc_embedded(file, &length);
    if (!row || strncmp(row, header, sizeof header - 1) != 0)
        return false;
    while ((row = strchr(row, '\n')) && *++row) {
        if (!begins(row, model, part))
            continue;
        read_numbers(row + strlen(model) + strlen(part) + 2, values);
        if ((isnan(share) || values[LOAD_HIGH] >= share) && !(nodes > values[NODES_MOST]))
            return true;
    }
    return false;
}

static fc_accuracy accuracy_of(const double values[NUMBERS]) {
    return (fc_accuracy){.known = true,
                         .cases = (size_t)values[CASES],
                         .networks = (size_t)values[NETWORKS],
                         .unsolved = (size_t)values[UNANSWERED],
                         .typical = values[MEAN],
                         .worst = values[WORST],
                         .low = values[LOAD_LOW],
                         .high = values[LOAD_HIGH]};
}

fc_status fc_accuracy_overall(const char *model, bool held_out, fc_error *error,
                              fc_accuracy *accuracy) {
    FC_IN_C_LOCALE;
    double values[NUMBERS];
    if (!fc_model_find(model, error))
        return FC_ERROR_INPUT;
    if (find_row(model, held_out ? "held-out" : "all", (double)NAN, INFINITY, values)) {
        *accuracy = accuracy_of(values);
        return FC_OK;
    }
    *accuracy = (fc_accuracy){.known = false};
    snprintf(accuracy->reason, sizeof accuracy->reason, "never compared with a simulation");
    return FC_OK;
}

/* simulation = model / (1 + error) */
void fc_accuracy_set_interval(fc_result *result, double low, double high) {
    const fc_metric *metric = fc_result_metric(result, result->main_metric);
    if (!metric || result->outcome != FC_OUTCOME_OK || !(low > -1))
        return;
    result->value_low = metric->value / (1 + high);
    result->value_high = metric->value / (1 + low);
    const fc_metric *bound = fc_result_find(result, FC_METRIC_DURATION_BOUND);
    if (bound && fc_metric_find(metric->name) == FC_METRIC_DURATION) /* no network is faster */
        result->value_low = fmin(metric->value, fmax(result->value_low, bound->value));
    if (fc_metric_find(metric->name) == FC_METRIC_EFFICIENCY)
        result->value_high = fmin(1, result->value_high);
    result->value_low = fmin(result->value_low, metric->value); /* errors may have one sign */
    result->value_high = fmax(result->value_high, metric->value);
}

void fc_accuracy_state(fc_result *result, double share, double nodes) {
    double values[NUMBERS];
    if (!find_row(result->method, isnan(share) ? "all" : "band", share, nodes, values))
        return;
    char reason[sizeof result->accuracy.reason];
    memcpy(reason, result->accuracy.reason, sizeof reason);
    result->accuracy = accuracy_of(values);
    memcpy(result->accuracy.reason, reason, sizeof reason);
    fc_accuracy_set_interval(result, values[LOW], values[HIGH]);
}

/* ---- telling ---- */

static int put_percent(char *text, size_t size, double share) {
    const double percent = 100 * fabs(share);
    return snprintf(text, size, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

static void put_loads(char *text, size_t size, const fc_accuracy *accuracy) {
    if (isnan(accuracy->low))
        return;
    if (accuracy->low <= 0.2)
        snprintf(text, size, " up to %.0f %% of saturation", 100 * accuracy->high);
    else
        snprintf(text, size, " at %.0f to %.0f %% of saturation", 100 * accuracy->low,
                 100 * accuracy->high);
}

void fc_accuracy_text(const fc_accuracy *accuracy, char text[FC_ACCURACY_SIZE]) {
    FC_IN_C_LOCALE;
    char typical[16], worst[16], loads[64] = "", unsolved[64] = "";
    if (!accuracy->known) {
        snprintf(text, FC_ACCURACY_SIZE, "not validated here%s%s%s",
                 accuracy->reason[0] ? " (" : "", accuracy->reason, accuracy->reason[0] ? ")" : "");
        return;
    }
    put_percent(typical, sizeof typical, accuracy->typical);
    put_percent(worst, sizeof worst, accuracy->worst);
    put_loads(loads, sizeof loads, accuracy);
    if (accuracy->unsolved)
        snprintf(unsolved, sizeof unsolved, "; no answer in %zu more", accuracy->unsolved);
    snprintf(text, FC_ACCURACY_SIZE, "typically %s, at most %s, in %zu simulated case%s%s%s",
             typical, worst, accuracy->cases, accuracy->cases == 1 ? "" : "s", loads, unsolved);
}
