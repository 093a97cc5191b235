#include "studies/papers/hamacher_jiang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/embedded.h"
#include "base/memory.h"

enum { METHODS = 3 };
static const char *const models[] = {"hamacher-jiang", "ring-trains", NULL};

static fc_status grow(fc_ring_points *points) {
    if (points->count < points->room)
        return FC_OK;
    const size_t room = 2 * points->room + 16;
    fc_scenario **scenarios = fc_reallocate(points->scenarios, room, sizeof *scenarios);
    if (!scenarios)
        return fc_fail_memory(&points->error);
    points->scenarios = scenarios;
    points->room = room;
    return FC_OK;
}

void fc_ring_points_add(fc_ring_points *points, const fc_paper_context *context, const char *item,
                        const char *rings, double rate, const char *locality) {
    if (points->status != FC_OK)
        return;
    char path[128], rate_text[40], precision[40];
    fc_setting settings[4];
    size_t count = 0;
    if (rings)
        settings[count++] = (fc_setting){"network.rings", rings};
    if (rate > 0) {
        snprintf(rate_text, sizeof rate_text, "%.17g", rate);
        settings[count++] = (fc_setting){"traffic.rate", rate_text};
    }
    if (locality)
        settings[count++] = (fc_setting){"traffic.locality", locality};
    snprintf(precision, sizeof precision, "%.17g",
             context->precision > 0 ? context->precision : 0.005);
    settings[count++] = (fc_setting){"simulation.precision", precision};
    snprintf(path, sizeof path, "papers/hamacher-jiang/%s.yaml", item);
    size_t length;
    const char *text = fc_embedded(path, &length);
    points->status =
        text ? grow(points) : fc_fail(&points->error, FC_ERROR_FILE, "%s is not built in", path);
    if (points->status != FC_OK)
        return;
    points->status = fc_scenario_read_text(text, length, path, settings, count, &points->error,
                                           &points->scenarios[points->count]);
    if (points->status == FC_OK)
        ++points->count;
}

fc_status fc_ring_points_evaluate(fc_ring_points *points, const fc_paper_context *context,
                                  bool simulate, fc_error *error) {
    if (points->status != FC_OK) {
        if (error)
            *error = points->error;
        return points->status;
    }
    points->results = fc_allocate(points->count * METHODS + 1, sizeof *points->results);
    fc_result **found = fc_allocate(points->count * METHODS + 1, sizeof *found);
    if (!points->results || !found) {
        fc_release(found);
        return fc_fail_memory(error);
    }
    const size_t methods = simulate ? METHODS : METHODS - 1;
    const fc_status status =
        fc_paper_evaluate(context, (const fc_scenario *const *)points->scenarios, points->count,
                          models, simulate, error, found);
    for (size_t i = 0; i < points->count; ++i)
        for (size_t m = 0; m < methods; ++m)
            points->results[i * METHODS + m] = found[i * methods + m];
    fc_release(found);
    return status;
}

void fc_ring_points_free(fc_ring_points *points) {
    for (size_t i = 0; i < points->count; ++i)
        fc_scenario_free(points->scenarios[i]);
    for (size_t i = 0; points->results && i < points->count * METHODS; ++i)
        fc_result_free(points->results[i]);
    fc_release(points->scenarios);
    fc_release(points->results);
}

static const fc_metric *latency_metric(const fc_ring_points *points, size_t point,
                                       fc_ring_method method) {
    const fc_result *result = points->results[point * METHODS + method];
    return result ? fc_result_metric(result, "latency") : NULL;
}

double fc_ring_latency(const fc_ring_points *points, size_t point, fc_ring_method method) {
    const fc_metric *metric = latency_metric(points, point, method);
    return metric ? metric->value : (double)NAN;
}

double fc_ring_half_width(const fc_ring_points *points, size_t point) {
    const fc_metric *metric = latency_metric(points, point, FC_RING_SIMULATION);
    return metric ? metric->half_width : (double)NAN;
}

double fc_ring_error(const fc_ring_points *points, size_t point, fc_ring_method method) {
    const double simulated = fc_ring_latency(points, point, FC_RING_SIMULATION);
    return fc_ring_latency(points, point, method) / simulated - 1;
}

double fc_ring_utilisation(const fc_ring_points *points, size_t point, bool global) {
    const fc_result *result = points->results[point * METHODS + FC_RING_PAPER];
    const fc_table *channels = result ? fc_result_table(result, "channels") : NULL;
    if (!channels || channels->rows == 0)
        return (double)NAN;
    return channels->values[global ? (channels->rows - 1) * channels->columns : 0];
}

double fc_ring_part(const fc_ring_points *points, size_t point, fc_ring_method method,
                    const char *name) {
    const fc_result *result = points->results[point * METHODS + method];
    for (size_t i = 0; result && i < result->part_count; ++i)
        if (strcmp(result->parts[i].name, name) == 0)
            return result->parts[i].value;
    return (double)NAN;
}

double fc_ring_published(const char *item, const char *quantity) {
    size_t length;
    const char *text = fc_embedded("papers/hamacher-jiang/published.csv", &length);
    if (!text)
        return (double)NAN;
    char start[160];
    const int size = snprintf(start, sizeof start, "\n%s,%s,", item, quantity);
    const char *line = strstr(text, start);
    return line ? strtod(line + size, NULL) : (double)NAN;
}
