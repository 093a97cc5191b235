/* Networks that were drawn at random and simulated, as tables have them (written by
 * validate_suite.c and points.c). */
#include "suite_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "design_router.h"
#include "table_text.h"

drawn_point drawn_point_at(double rate) {
    drawn_point point = {.rate = rate};
    for (size_t k = 0; k < DRAWN_METRICS; ++k)
        point.value[k] = point.half[k] = NAN;
    return point;
}

static void take_entry(const suite_entry *entry, drawn_case *made) {
    *made = (drawn_case){.saturation = entry->saturation.simulated,
                         .saturation_half = entry->saturation.half_width};
    snprintf(made->network, sizeof made->network, "%s", entry->network);
    snprintf(made->traffic, sizeof made->traffic, "%s", entry->traffic);
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_point *from = &entry->points[i];
        if (!from->done || made->count >= DRAWN_LOADS)
            continue;
        drawn_point *point = &made->points[made->count++];
        *point = drawn_point_at(from->rate);
        for (size_t k = 0; k < 2; ++k) {
            point->value[k] = from->metrics[k].simulated;
            point->half[k] = from->metrics[k].half_width;
        }
    }
}

static char *next_field(char **at) {
    char *field = *at;
    const bool quoted = *field == '"';
    field += quoted;
    char *end = strpbrk(field, quoted ? "\"" : ",");
    if (!end) { /* the last one */
        *at = field + strlen(field);
        return field;
    }
    *end++ = '\0';
    *at = end + (quoted && *end == ',');
    return field;
}

static void take_line(char *line, drawn_case *made) {
    *made = (drawn_case){.count = 0};
    snprintf(made->network, sizeof made->network, "%.319s", next_field(&line));
    snprintf(made->traffic, sizeof made->traffic, "%.319s", next_field(&line));
    made->saturation = strtod(next_field(&line), NULL);
    made->saturation_half = strtod(next_field(&line), NULL);
    while (*line && made->count < DRAWN_LOADS) {
        drawn_point *point = &made->points[made->count++];
        *point = drawn_point_at(strtod(next_field(&line), NULL));
        const size_t metrics = point->rate > 0 ? 2 : DRAWN_METRICS;
        for (size_t k = 0; k < metrics && *line; ++k) {
            point->value[k] = strtod(next_field(&line), NULL);
            point->half[k] = strtod(next_field(&line), NULL);
        }
    }
}

size_t drawn_cases_read(const char *directory, const char *name, drawn_case *list, size_t room) {
    char *text = table_text(directory, name), *rest = text;
    size_t count = 0;
    for (char *line; count < room && (line = table_next_line(&rest)) != NULL;)
        if (line[0] == '"')
            take_line(line, &list[count++]);
    free(text);
    return count;
}

size_t drawn_cases_of(const suite *s, drawn_case *list, size_t room) {
    size_t count = 0;
    for (size_t e = 0; e < s->count && count < room; ++e)
        take_entry(&s->entries[e], &list[count++]);
    return count;
}

fc_scenario *drawn_case_scenario(const drawn_case *at, double rate) {
    char text[1024], load[48] = "";
    drawn_graph_write(at->network);
    if (rate > 0)
        snprintf(load, sizeof load, "%srate: %.9g", at->traffic[0] ? ", " : "", rate);
    const int length = snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s%s}\n", at->network,
                                at->traffic, load);
    fc_scenario *scenario;
    return fc_scenario_read_text(text, (size_t)length, "case", NULL, 0, NULL, &scenario) == FC_OK
               ? scenario
               : NULL;
}
