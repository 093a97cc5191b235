#include "studies/paper_trail.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "studies/paper.h"
#include "output/report/report.h"

enum { SETTINGS_MAX = 16 };

typedef struct trail_point {
    const char *file; /* owned, like the keys and values below */
    char *keys[SETTINGS_MAX], *values[SETTINGS_MAX];
    size_t count;
    fc_paper_methods methods;
} trail_point;

struct fc_paper_trail {
    trail_point *points;
    size_t count, room;
};

fc_paper_trail *fc_paper_trail_create(void) {
    return fc_allocate(1, sizeof(fc_paper_trail));
}

static void release_point(trail_point *point) {
    for (size_t s = 0; s < point->count; ++s) {
        fc_release(point->keys[s]);
        fc_release(point->values[s]);
    }
    fc_release((char *)point->file);
}

void fc_paper_trail_free(fc_paper_trail *trail) {
    if (!trail)
        return;
    for (size_t i = 0; i < trail->count; ++i)
        release_point(&trail->points[i]);
    fc_release(trail->points);
    fc_release(trail);
}

static fc_status keep_point(trail_point *point, const char *file, const fc_setting *settings,
                            size_t count) {
    point->file = fc_copy_text(file);
    bool kept = point->file != NULL;
    for (; point->count < count && kept; ++point->count) {
        point->keys[point->count] = fc_copy_text(settings[point->count].key);
        point->values[point->count] = fc_copy_text(settings[point->count].value);
        kept = point->keys[point->count] && point->values[point->count];
    }
    return kept ? FC_OK : FC_ERROR_MEMORY;
}

fc_status fc_paper_trail_add(fc_paper_trail *trail, const char *file, const fc_setting *settings,
                             size_t count, const fc_paper_methods *methods) {
    if (!trail)
        return FC_OK;
    if (count > SETTINGS_MAX)
        return FC_ERROR_ARGUMENT;
    trail_point *points =
        fc_make_room(trail->points, &trail->room, trail->count, 1, sizeof *trail->points);
    if (!points)
        return FC_ERROR_MEMORY;
    trail->points = points;
    trail_point *point = &points[trail->count++];
    *point = (trail_point){.methods = *methods};
    return keep_point(point, file, settings, count);
}

size_t fc_paper_trail_length(const fc_paper_trail *trail) {
    return trail ? trail->count : 0;
}

void fc_paper_trail_simulated(fc_paper_trail *trail, size_t first, size_t count) {
    for (size_t i = first; trail && i < first + count; ++i)
        trail->points[i].methods.simulate = true;
}

/* ---- groups: points of one file that set the same keys ---- */

static bool same_group(const trail_point *a, const trail_point *b) {
    if (strcmp(a->file, b->file) != 0 || a->count != b->count)
        return false;
    for (size_t s = 0; s < a->count; ++s) {
        if (strcmp(a->keys[s], b->keys[s]) != 0)
            return false;
    }
    return true;
}

static bool same_methods(const trail_point *a, const trail_point *b) {
    if (a->methods.simulate != b->methods.simulate ||
        a->methods.model_count != b->methods.model_count)
        return false;
    for (size_t m = 0; m < a->methods.model_count; ++m) {
        if (strcmp(a->methods.models[m], b->methods.models[m]) != 0)
            return false;
    }
    return true;
}

/* The only setting in which they differ; `none` if there is no such one, or more. */
static size_t difference(const trail_point *a, const trail_point *b, size_t none) {
    size_t found = none, differences = 0;
    for (size_t s = 0; s < a->count; ++s) {
        if (strcmp(a->values[s], b->values[s]) != 0) {
            found = s;
            ++differences;
        }
    }
    return differences == 1 ? found : none;
}

/* The same as a member before it. */
static bool is_repeated(const fc_paper_trail *trail, const bool *member, size_t index) {
    const trail_point *point = &trail->points[index];
    for (size_t i = 0; i < index; ++i) {
        if (!member[i] || !same_methods(point, &trail->points[i]))
            continue;
        size_t same = 0;
        while (same < point->count &&
               strcmp(point->values[same], trail->points[i].values[same]) == 0)
            ++same;
        if (same == point->count)
            return true;
    }
    return false;
}

static bool differs_anywhere(const fc_paper_trail *trail, const bool *member,
                             const trail_point *first, size_t setting) {
    for (size_t i = 0; i < trail->count; ++i) {
        if (member[i] && strcmp(trail->points[i].values[setting], first->values[setting]) != 0)
            return true;
    }
    return false;
}

static void write_methods(const trail_point *point, FILE *stream) {
    for (size_t m = 0; m < point->methods.model_count; ++m)
        fprintf(stream, "%s%s", m ? ", " : "", point->methods.models[m]);
    if (point->methods.simulate)
        fprintf(stream, "%ssimulation", point->methods.model_count ? ", " : "");
}

/* The values of the axis of the points from `start` on that differ in one setting alone; `end`: the
 * first that does not belong to them. */
static char *axis_values(const fc_paper_trail *trail, const bool *member, size_t start,
                         size_t *axis, size_t *end) {
    const trail_point *first = &trail->points[start], *last = first;
    const size_t none = first->count;
    char *values = NULL;
    size_t length = 0;
    FILE *list = open_memstream(&values, &length);
    *axis = none;
    for (*end = start + 1; list && *end < trail->count; ++*end) {
        const trail_point *point = &trail->points[*end];
        if (!member[*end])
            continue;
        const size_t change = same_methods(first, point) ? difference(last, point, none) : none;
        if (change == none || (*axis != none && change != *axis))
            break;
        if (*axis == none)
            fputs(first->values[change], list);
        *axis = change;
        fprintf(list, ",%s", point->values[change]);
        last = point;
    }
    if (list)
        fclose(list);
    return values;
}

/* Points that follow each other and differ in one setting are one sweep. Returns the one after; 0:
 * out of memory. */
static size_t write_run(const fc_paper_trail *trail, const bool *member, size_t start,
                        const bool *varies, FILE *stream) {
    const trail_point *first = &trail->points[start];
    size_t axis, end;
    char *values = axis_values(trail, member, start, &axis, &end);
    if (!values)
        return 0;
    const bool swept = axis < first->count;
    fputs("#   ", stream);
    write_methods(first, stream);
    for (size_t s = 0; s < first->count; ++s) {
        if (varies[s] && s != axis)
            fprintf(stream, "; %s=%s", first->keys[s], first->values[s]);
    }
    if (swept)
        fprintf(stream, "; over %s=%s", first->keys[axis], values);
    fputc('\n', stream);
    free(values);
    return end;
}

static fc_status write_file(const fc_paper_trail *trail, const bool *member, size_t start,
                            const char *title, fc_error *error, FILE *stream) {
    const trail_point *first = &trail->points[start];
    fc_setting settings[SETTINGS_MAX];
    bool varies[SETTINGS_MAX];
    for (size_t s = 0; s < first->count; ++s) {
        settings[s] = (fc_setting){first->keys[s], first->values[s], NULL};
        varies[s] = differs_anywhere(trail, member, first, s);
    }
    fprintf(stream, "# %s\n# The first of them is this file. All of them, by these methods:\n",
            title);
    for (size_t i = start, next; i < trail->count; i = next) {
        next = member[i] ? write_run(trail, member, i, varies, stream) : i + 1;
        if (next == 0)
            return fc_fail_memory(error);
    }
    fc_scenario *scenario;
    fc_status status = fc_paper_scenario_of(first->file, settings, first->count, error, &scenario);
    if (status != FC_OK)
        return status;
    status = fc_scenario_write(scenario, stream);
    fc_scenario_free(scenario);
    return status;
}

static fc_status report_group(const fc_paper_trail *trail, const bool *member, size_t start,
                              const char *title, fc_error *error, fc_report *report) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return fc_fail_memory(error);
    fc_status status = write_file(trail, member, start, title, error, stream);
    if (fclose(stream) != 0 && status == FC_OK)
        status = fc_fail_memory(error);
    if (status == FC_OK)
        fc_report_add_scenario_file(report, title, text);
    free(text);
    return status;
}

fc_status fc_paper_trail_report(const fc_paper_trail *trail, const char *paper, const char *item,
                                fc_error *error, fc_report *report) {
    bool *member = fc_allocate(2 * trail->count + 1, sizeof *member);
    if (!member)
        return fc_fail_memory(error);
    bool *done = member + trail->count;
    fc_status status = FC_OK;
    for (size_t start = 0; start < trail->count && status == FC_OK; ++start) {
        size_t points = 0;
        if (done[start])
            continue;
        for (size_t i = 0; i < trail->count; ++i) {
            const bool in_group =
                i >= start && same_group(&trail->points[start], &trail->points[i]);
            done[i] = done[i] || in_group;
            member[i] = in_group && !is_repeated(trail, member, i);
            points += member[i];
        }
        char title[160];
        snprintf(title, sizeof title, "What was run: %s/%s, %zu point%s of %s", paper, item, points,
                 points == 1 ? "" : "s", trail->points[start].file);
        status = report_group(trail, member, start, title, error, report);
    }
    fc_release(member);
    return status;
}
