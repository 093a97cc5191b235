/* Networks of routers that were simulated, as tables have them (written by validate_suite.c and
 * validate_points.c), all drawn at random over all keys. */
#include "suite_routers.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 2048 };

static void take_entry(const suite_entry *entry, router_case *made) {
    *made = (router_case){.saturation = entry->saturation.simulated,
                          .saturation_half = entry->saturation.half_width};
    snprintf(made->network, sizeof made->network, "%s", entry->network);
    snprintf(made->traffic, sizeof made->traffic, "%s", entry->traffic);
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_point *from = &entry->points[i];
        if (from->done && made->count < ROUTER_LOADS)
            made->points[made->count++] =
                (router_point){from->rate, from->metrics[0].simulated, from->metrics[0].half_width,
                               from->metrics[1].simulated, from->metrics[1].half_width};
    }
}

static char *next_field(char **at) {
    char *field = *at;
    const bool quoted = *field == '"';
    field += quoted;
    char *end = strpbrk(field, quoted ? "\"" : ",\n");
    if (!end)
        return field;
    *end++ = '\0';
    *at = end + (quoted && *end == ',');
    return field;
}

static void take_line(char *line, router_case *made) {
    *made = (router_case){.count = 4};
    snprintf(made->network, sizeof made->network, "%.319s", next_field(&line));
    snprintf(made->traffic, sizeof made->traffic, "%.319s", next_field(&line));
    made->saturation = strtod(next_field(&line), NULL);
    made->saturation_half = strtod(next_field(&line), NULL);
    for (size_t i = 0; i < made->count; ++i) {
        double *numbers[] = {&made->points[i].rate, &made->points[i].latency,
                             &made->points[i].latency_half, &made->points[i].p99,
                             &made->points[i].p99_half};
        for (size_t k = 0; k < 5; ++k)
            *numbers[k] = strtod(next_field(&line), NULL);
    }
}

size_t router_cases_read(const char *directory, const char *name, router_case *list, size_t room) {
    char path[1024], line[LINE];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    FILE *stream = fopen(path, "r");
    while (stream && count < room && fgets(line, sizeof line, stream))
        if (line[0] == '"')
            take_line(line, &list[count++]);
    if (stream)
        fclose(stream);
    return count;
}

size_t router_cases_of(const suite *s, router_case *list, size_t room) {
    size_t count = 0;
    for (size_t e = 0; e < s->count && count < room; ++e)
        take_entry(&s->entries[e], &list[count++]);
    return count;
}

fc_scenario *router_case_scenario(const router_case *at, double rate) {
    char text[1024];
    const int length = snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s, rate: %.9g}\n",
                                at->network, at->traffic, rate);
    fc_scenario *scenario;
    return fc_scenario_read_text(text, (size_t)length, "case", NULL, 0, NULL, &scenario) == FC_OK
               ? scenario
               : NULL;
}
