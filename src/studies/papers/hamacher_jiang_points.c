#include "studies/papers/hamacher_jiang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/embedded.h"

void fc_ring_points_add(fc_paper_points *points, const fc_paper_context *context, const char *item,
                        const char *rings, double rate, const char *locality) {
    char rate_text[40];
    fc_setting settings[3];
    size_t count = 0;
    if (rings)
        settings[count++] = (fc_setting){"network.rings", rings};
    if (rate > 0) {
        snprintf(rate_text, sizeof rate_text, "%.17g", rate);
        settings[count++] = (fc_setting){"traffic.rate", rate_text};
    }
    if (locality)
        settings[count++] = (fc_setting){"traffic.locality", locality};
    fc_paper_points_add(points, context, "hamacher-jiang", item, settings, count, 0.005);
}

fc_status fc_ring_points_evaluate(fc_paper_points *points, const fc_paper_context *context,
                                  bool simulate, fc_error *error) {
    static const char *const models[] = {"hamacher-jiang", "ring-trains", NULL};
    return fc_paper_points_evaluate(points, context, models, simulate, error);
}

double fc_ring_utilisation(const fc_paper_points *points, size_t point, bool global) {
    const fc_result *result = points->results[point * FC_POINT_METHODS + FC_POINT_PAPER];
    const fc_table *channels = result ? fc_result_table(result, "channels") : NULL;
    if (!channels || channels->rows == 0)
        return (double)NAN;
    return channels->values[global ? (channels->rows - 1) * channels->columns : 0];
}

double fc_ring_part(const fc_paper_points *points, size_t point, size_t method, const char *name) {
    const fc_result *result = points->results[point * FC_POINT_METHODS + method];
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
