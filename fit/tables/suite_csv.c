/* One row per network, load, metric and model; a simulated saturation load is a metric without a
 * load. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"
#include "table_text.h"

enum { FIELDS = 40 };

FILE *suite_open(const char *directory, const char *name, const char *suffix) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", directory, name, suffix);
    FILE *stream = fopen(path, "w");
    if (!stream) {
        perror(path);
        exit(1);
    }
    return stream;
}

/* ---- writing ---- */

static void put_number(FILE *stream, double value, int digits) {
    if (isfinite(value))
        fprintf(stream, ",%.*g", digits, value);
    else
        fputc(',', stream);
}

static void put_start(FILE *stream, const suite *s, const suite_entry *entry) {
    fprintf(stream, "%s%s,\"%s\",\"%s\"", entry->random ? "random " : "",
            entry->held_out ? "test" : "develop", entry->network, entry->traffic);
    for (size_t f = 0; s->features->features[f].name; ++f) {
        char text[32];
        fc_feature_text(&s->features->features[f], entry->features[f], text);
        fprintf(stream, ",%s", text);
    }
}

static void put_value(FILE *stream, const suite *s, const suite_entry *entry,
                      const suite_point *point, const char *metric, const suite_value *value) {
    if (isnan(value->simulated) && metric != s->design->metrics[0])
        return; /* a network without a hot memory has no delay of hot packets */
    for (size_t m = 0; m < s->models; ++m) {
        if (!entry->covered[m])
            continue;
        put_start(stream, s, entry);
        put_number(stream, point ? point->fraction : (double)NAN, 4);
        put_number(stream, point ? point->rate : (double)NAN, 9);
        fprintf(stream, ",%s", metric);
        put_number(stream, value->simulated, 7);
        put_number(stream, value->half_width, 3);
        put_number(stream, point ? point->cycles : (double)NAN, 7);
        fprintf(stream, ",%s", s->design->models[m]);
        if (isinf(value->predicted[m]))
            fprintf(stream, ",none");
        else
            put_number(stream, value->predicted[m], 7);
        put_number(stream, value->predicted[m] / value->simulated - 1, 4);
        fputc('\n', stream);
    }
}

/* Beside the old table until it is complete: a run that is killed loses nothing. */
void suite_write(const suite *s, const char *directory) {
    char table[1024], written[1024];
    snprintf(table, sizeof table, "%s/%s.csv", directory, s->design->name);
    snprintf(written, sizeof written, "%s/%s.csv.new", directory, s->design->name);
    FILE *stream = suite_open(directory, s->design->name, ".csv.new");
    fprintf(stream, "set,network,traffic");
    for (size_t f = 0; s->features->features[f].name; ++f)
        fprintf(stream, ",%s", s->features->features[f].name);
    fprintf(stream,
            ",load / saturation,rate,metric,simulated,half width,cycles,model,predicted,error\n");
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (isfinite(entry->saturation.simulated) && !suite_knows_saturation(s))
            put_value(stream, s, entry, NULL, "saturation", &entry->saturation);
        for (size_t i = 0; i < entry->point_count; ++i)
            for (size_t k = 0; k < s->metrics && entry->points[i].done; ++k)
                put_value(stream, s, entry, &entry->points[i], s->design->metrics[k],
                          &entry->points[i].metrics[k]);
    }
    if (fclose(stream) != 0 || rename(written, table) != 0)
        suite_stop(s->design->name, "the table could not be written");
}

/* ---- reading ---- */

/* Fields of a line, in place; quotes only enclose whole fields. */
static size_t split(char *line, char *fields[FIELDS]) {
    size_t count = 0;
    for (char *at = line; at && count < FIELDS;) {
        char *end;
        if (*at == '"') {
            fields[count++] = ++at;
            end = strchr(at, '"');
            if (end)
                *end++ = '\0';
        } else {
            fields[count++] = at;
            end = at + strcspn(at, ",\n");
        }
        const bool more = end && *end == ',';
        if (end)
            *end = '\0';
        at = more ? end + 1 : NULL;
    }
    return count;
}

static double number(const char *field) {
    if (strcmp(field, "none") == 0)
        return (double)INFINITY;
    return field[0] ? strtod(field, NULL) : (double)NAN;
}

static suite_entry *find_entry(suite *s, const char *network, const char *traffic) {
    for (size_t e = 0; e < s->count; ++e)
        if (strcmp(s->entries[e].network, network) == 0 &&
            strcmp(s->entries[e].traffic, traffic) == 0)
            return &s->entries[e];
    return NULL;
}

static size_t find_name(const char *const *names, const char *name) {
    size_t at = 0;
    while (names[at] && strcmp(names[at], name) != 0)
        ++at;
    return at;
}

/* The point of that load. The table may hold others than the design asks for: they are kept. */
static suite_point *find_point(suite_entry *entry, double fraction) {
    size_t at = 0;
    if (isnan(fraction))
        return isnan(entry->points[0].fraction) ? &entry->points[0] : NULL;
    while (at < entry->point_count && entry->points[at].fraction < fraction - 1e-6)
        ++at;
    suite_point *point = &entry->points[at];
    if (at < entry->point_count && point->fraction < fraction + 1e-6)
        return point;
    if (entry->point_count == SUITE_POINTS)
        return NULL;
    memmove(point + 1, point, (entry->point_count++ - at) * sizeof *point);
    *point = suite_nothing(fraction);
    return point;
}

static suite_value *find_value(const suite *s, suite_entry *entry, char *const *tail) {
    if (strcmp(tail[2], "saturation") == 0)
        return &entry->saturation;
    const size_t metric = find_name(s->design->metrics, tail[2]);
    suite_point *point = metric < s->metrics ? find_point(entry, number(tail[0])) : NULL;
    if (!point)
        return NULL;
    point->done = true;
    point->rate = number(tail[1]);
    point->cycles = number(tail[5]);
    return &point->metrics[metric];
}

/* Rows of networks or models that the design no longer has are forgotten. */
void suite_read(suite *s, const char *directory) {
    const size_t features = fc_feature_count(s->features);
    assert(features <= FC_FEATURES_MAX);
    char *text = table_text(directory, s->design->name), *rest = text;
    for (char *line; (line = table_next_line(&rest)) != NULL;) {
        char *fields[FIELDS];
        if (split(line, fields) != 3 + features + 9)
            continue;
        char **tail = fields + 3 + features;
        suite_entry *entry = find_entry(s, fields[1], fields[2]);
        const size_t model = find_name(s->design->models, tail[6]);
        suite_value *value = entry ? find_value(s, entry, tail) : NULL;
        if (!value || model == s->models)
            continue;
        value->simulated = number(tail[3]);
        value->half_width = number(tail[4]);
        value->predicted[model] = number(tail[7]);
    }
    free(text);
}
