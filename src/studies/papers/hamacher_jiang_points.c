#include "studies/papers/hamacher_jiang_paper.h"

#include <math.h>
#include <string.h>
#include "base/decimal.h"

fc_paper_points fc_ring_points(const fc_paper_context *context) {
    static const char *const models[] = {"hamacher-jiang", "ring-trains"};
    return (fc_paper_points){context, "hamacher-jiang", models, .precision = 0.005};
}

void fc_ring_points_add(fc_paper_points *points, const char *item, const char *rings, double rate,
                        const char *locality) {
    char rate_text[FC_REAL_SIZE];
    fc_setting settings[3];
    size_t count = 0;
    if (rings)
        settings[count++] = (fc_setting){"network.rings", rings};
    if (rate > 0) {
        fc_real_text(rate, rate_text);
        settings[count++] = (fc_setting){"traffic.rate", rate_text};
    }
    if (locality)
        settings[count++] = (fc_setting){"traffic.locality", locality};
    fc_paper_points_add(points, item, settings, count);
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
    char start[160];
    snprintf(start, sizeof start, "%s,%s,", item, quantity);
    return fc_paper_number("papers/hamacher-jiang/published.csv", start);
}
