#include "scenario/trace_file.h"

#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/text_file.h"

#define TIME_MAX ((uint64_t)1 << 53)
enum { BYTES_MAX = 1 << 28, FLITS_MAX = 1000000, COLUMNS = 5 };

static const char *const columns[COLUMNS + 1] = {"time",  "source", "destination",
                                                 "flits", "after",  NULL};

typedef struct parsing {
    fc_lines lines;
    fc_error *error;
    fc_trace_message *messages;
    size_t count, room;
    fc_trace *trace;
} parsing;

static fc_status fail_column(const parsing *p, size_t column, const char *text, uint64_t most) {
    return fc_lines_fail(&p->lines, p->error,
                         "%s is '%.40s'; expected a whole number from %d to %llu", columns[column],
                         text, column == 3 ? 1 : 0, (unsigned long long)most);
}

static fc_status read_message(parsing *p, char **fields, size_t count, fc_trace_message *message) {
    static const uint64_t most[] = {TIME_MAX, FC_NODES_MAX - 1, FC_NODES_MAX - 1, FLITS_MAX};
    uint64_t values[4], after;
    for (size_t i = 0; i < 4; ++i) {
        if (!fc_parse_whole(fields[i], most[i], &values[i]) || (i == 3 && values[i] == 0))
            return fail_column(p, i, fields[i], most[i]);
    }
    *message = (fc_trace_message){.time = values[0],
                                  .source = (uint32_t)values[1],
                                  .destination = (uint32_t)values[2],
                                  .flits = (uint32_t)values[3],
                                  .after = UINT32_MAX};
    if (count < COLUMNS || !fields[4][0])
        return FC_OK;
    if (!fc_parse_whole(fields[4], UINT32_MAX - 1, &after))
        return fail_column(p, 4, fields[4], p->count ? p->count - 1 : 0);
    if (after >= p->count)
        return fc_lines_fail(&p->lines, p->error,
                             "this is message %zu and waits for message %llu, which does not stand "
                             "above it; messages are numbered from 0, and one that waits comes "
                             "after the one it waits for",
                             p->count, (unsigned long long)after);
    message->after = (uint32_t)after;
    return FC_OK;
}

static void note_places(parsing *p, const fc_trace_message *message) {
    fc_trace *trace = p->trace;
    const uint32_t larger =
        message->source > message->destination ? message->source : message->destination;
    if (larger > trace->largest_node || !trace->largest_line) {
        trace->largest_node = larger;
        trace->largest_line = p->lines.number;
    }
    if (message->source == message->destination && !trace->self_line)
        trace->self_line = p->lines.number;
}

static fc_status append(parsing *p, const fc_trace_message *message) {
    if (p->count == FC_TRACE_MESSAGES_MAX)
        return fc_lines_fail(&p->lines, p->error, "more than %d messages", FC_TRACE_MESSAGES_MAX);
    if (p->count == p->room) {
        const size_t room = p->room ? 2 * p->room : 256;
        fc_trace_message *more = fc_reallocate(p->messages, room, sizeof *more);
        if (!more)
            return fc_fail_memory(p->error);
        p->messages = more;
        p->room = room;
    }
    p->messages[p->count++] = *message;
    return FC_OK;
}

static bool is_header(char *const *fields, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(fields[i], columns[i]) != 0)
            return false;
    }
    return true;
}

static fc_status read_line(parsing *p, char *line, bool first) {
    char *fields[COLUMNS];
    const size_t count = fc_split_fields(line, fields, COLUMNS);
    if (count < COLUMNS - 1 || count > COLUMNS)
        return fc_lines_fail(&p->lines, p->error,
                             "%s than the 4 or 5 columns time,source,destination,flits[,after]",
                             count < COLUMNS - 1 ? "fewer" : "more");
    if (first && is_header(fields, count))
        return FC_OK;
    fc_trace_message message;
    fc_status status = read_message(p, fields, count, &message);
    if (status == FC_OK)
        status = append(p, &message);
    if (status == FC_OK)
        note_places(p, &message);
    return status;
}

/* ---- order ---- */

typedef struct place {
    uint64_t time;
    uint32_t number; /* in the file */
} place;

static int by_time(const void *left, const void *right) {
    const place *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Brings the messages that wait for none to the front, in the order of their times. */
static fc_status put_in_order(parsing *p) {
    place *free_ones = fc_allocate(p->count, sizeof *free_ones);
    uint32_t *new_number = fc_allocate(p->count, sizeof *new_number);
    fc_trace_message *ordered = fc_allocate(p->count, sizeof *ordered);
    if (!free_ones || !new_number || !ordered) {
        fc_release(free_ones);
        fc_release(new_number);
        fc_release(ordered);
        return fc_fail_memory(p->error);
    }
    size_t independent = 0;
    for (size_t i = 0; i < p->count; ++i) {
        if (p->messages[i].after == UINT32_MAX)
            free_ones[independent++] = (place){p->messages[i].time, (uint32_t)i};
    }
    if (independent)
        qsort(free_ones, independent, sizeof *free_ones, by_time);
    for (size_t i = 0; i < independent; ++i) {
        new_number[free_ones[i].number] = (uint32_t)i;
        ordered[i] = p->messages[free_ones[i].number];
    }
    size_t next = independent;
    for (size_t i = 0; i < p->count; ++i) {
        if (p->messages[i].after == UINT32_MAX)
            continue;
        new_number[i] = (uint32_t)next;
        ordered[next] = p->messages[i];
        ordered[next++].after = new_number[p->messages[i].after];
    }
    fc_release(free_ones);
    fc_release(new_number);
    p->trace->messages = ordered;
    p->trace->count = p->count;
    p->trace->independent = independent;
    return FC_OK;
}

fc_status fc_trace_parse(char *text, const char *path, fc_error *error, fc_trace *trace) {
    parsing p = {
        .lines = {.next = text, .path = path, .comment = '#'}, .error = error, .trace = trace};
    bool first = true;
    fc_status status = FC_OK;
    for (char *line; status == FC_OK && (line = fc_lines_next(&p.lines)); first = false)
        status = read_line(&p, line, first);
    if (status == FC_OK && p.count == 0)
        status = fc_lines_fail(&p.lines, error,
                               "no message; expected lines such as '0,3,12,5': "
                               "time,source,destination,flits");
    if (status == FC_OK)
        status = put_in_order(&p);
    fc_release(p.messages);
    return status;
}

/* ---- the key ---- */

fc_status fc_trace_read(const fc_document *document, const fc_value *value, void *field,
                        fc_error *error) {
    fc_trace *trace = field;
    fc_named_file file = {.what = "traffic.trace", .kind = "a trace file", .most = BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, trace->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    trace->checksum = file.checksum;
    status = fc_trace_parse(file.text, file.path, &cause, trace);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

void fc_trace_write(const void *field, FILE *stream) {
    const fc_trace *trace = field;
    if (!trace->file[0]) {
        fputs("none", stream);
        return;
    }
    fc_file_name_write(trace->file, stream);
    fprintf(stream, " # content %016llx", (unsigned long long)trace->checksum);
}
