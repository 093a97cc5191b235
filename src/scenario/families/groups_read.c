/* The key traffic.groups: a name with a size, with a list of ranks, or with several such lists. */
#include "scenario/families/groups_read.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"

static const char what[] = "traffic.groups";

static int by_number(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* A rank is in one list of a name at most. */
static fc_status check_once(const fc_document *document, const fc_value *value,
                            const fc_grouping *grouping, fc_error *error) {
    const size_t count = grouping->end[grouping->lists - 1];
    uint32_t *sorted = fc_allocate(count, sizeof *sorted), twice = UINT32_MAX;
    if (!sorted)
        return fc_fail_memory(error);
    memcpy(sorted, grouping->member, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_number);
    for (size_t i = 1; i < count; ++i)
        twice = sorted[i] == sorted[i - 1] ? sorted[i] : twice;
    fc_release(sorted);
    if (twice == UINT32_MAX)
        return FC_OK;
    return fc_fail_at(error, document, value, "%s.%s: rank %u is there twice", what, grouping->name,
                      twice);
}

static fc_status read_ranks(const fc_document *document, const fc_value *list, const char *path,
                            fc_grouping *grouping, fc_error *error) {
    uint32_t end = grouping->lists ? grouping->end[grouping->lists - 1] : 0;
    if (list->kind != FC_VALUE_SEQUENCE || list->count == 0)
        return fc_fail_at(error, document, list, "%s: expected a list of ranks, [0, 1, 2]", path);
    uint32_t *member = fc_reallocate(grouping->member, end + list->count, sizeof *member);
    if (member)
        grouping->member = member;
    uint32_t *ends = fc_reallocate(grouping->end, grouping->lists + 1, sizeof *ends);
    if (ends)
        grouping->end = ends;
    if (!member || !ends)
        return fc_fail_memory(error);
    for (size_t i = 0; i < list->count; ++i) {
        int64_t rank;
        const fc_status status =
            fc_read_integer(document, list->items[i], path,
                            (fc_range){.minimum = 0, .maximum = FC_RANKS_MAX - 1}, error, &rank);
        if (status != FC_OK)
            return status;
        member[end++] = (uint32_t)rank;
    }
    ends[grouping->lists++] = end;
    return FC_OK;
}

static fc_status read_grouping(const fc_document *document, const fc_value *value,
                               fc_grouping *grouping, fc_error *error) {
    char path[64];
    snprintf(path, sizeof path, "%s.%s", what, grouping->name);
    if (value->kind == FC_VALUE_SCALAR)
        return fc_read_integer(document, value, path,
                               (fc_range){.minimum = 1, .maximum = FC_RANKS_MAX}, error,
                               &grouping->size);
    const bool several = value->kind == FC_VALUE_SEQUENCE && value->count &&
                         value->items[0]->kind == FC_VALUE_SEQUENCE;
    fc_status status = several ? FC_OK : read_ranks(document, value, path, grouping, error);
    for (size_t i = 0; several && i < value->count && status == FC_OK; ++i)
        status = read_ranks(document, value->items[i], path, grouping, error);
    return status == FC_OK ? check_once(document, value, grouping, error) : status;
}

fc_status fc_groupings_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error) {
    fc_groupings *groupings = field;
    if (value->kind != FC_VALUE_MAPPING || value->count == 0 || value->count > FC_GROUPINGS_MAX)
        return fc_fail_at(error, document, value,
                          "%s: expected 1 to %d names with sizes, {tensor: 8, data: 8}, or with "
                          "lists of ranks, {stage: [[0, 1], [2, 3]]}",
                          what, FC_GROUPINGS_MAX);
    for (size_t i = 0; i < value->count; ++i) {
        fc_grouping *grouping = &groupings->list[i];
        const fc_value place = fc_value_key_position(value->items[i]);
        if (strlen(value->keys[i]) >= sizeof grouping->name || !value->keys[i][0])
            return fc_fail_at(error, document, &place,
                              "%s: a name has from 1 to %d letters, not '%.40s'", what,
                              FC_GROUP_NAME_SIZE - 1, value->keys[i]);
        groupings->count = i + 1;
        strcpy(grouping->name, value->keys[i]);
        const fc_status status = read_grouping(document, value->items[i], grouping, error);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

static void write_lists(const fc_grouping *grouping, FILE *stream) {
    for (size_t list = 0, at = 0; list < grouping->lists; ++list) {
        fputs(list ? ", [" : "[[", stream);
        for (const char *between = ""; at < grouping->end[list]; ++at, between = ", ")
            fprintf(stream, "%s%u", between, grouping->member[at]);
        fputs("]", stream);
    }
    fputs("]", stream);
}

void fc_groupings_write(const void *field, FILE *stream) {
    const fc_groupings *groupings = field;
    if (!groupings->count) {
        fputs("none", stream);
        return;
    }
    for (size_t i = 0; i < groupings->count; ++i) {
        const fc_grouping *grouping = &groupings->list[i];
        fprintf(stream, "%s%s: ", i ? ", " : "{", grouping->name);
        if (grouping->size)
            fprintf(stream, "%lld", (long long)grouping->size);
        else
            write_lists(grouping, stream);
    }
    fputs("}", stream);
}

void fc_groupings_release(fc_groupings *groupings) {
    for (size_t i = 0; i < groupings->count; ++i) {
        fc_release(groupings->list[i].member);
        fc_release(groupings->list[i].end);
    }
    groupings->count = 0;
}
