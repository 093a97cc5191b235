/* One line of a file of messages, in either of its forms, and a file line by line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include "base/decimal.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/text_file.h"
#include "scenario/formats/trace_file.h"
#include "scenario/formats/trace_line.h"

#define TIME_MAX ((uint64_t)1 << 53)
enum { FLITS_MAX = 1000000, COLUMNS = 5, SIZE = 3, AFTER = 4 };
#define SIZE_BYTES_MAX ((uint64_t)UINT32_MAX)

static const char *const columns[] = {"time", "source", "destination", "flits", "after"};

static uint64_t most_of(const fc_trace_lines *lines, size_t column) {
    static const uint64_t most[] = {TIME_MAX, FC_RANKS_MAX - 1, FC_RANKS_MAX - 1};
    return column < SIZE ? most[column] : lines->in_bytes ? SIZE_BYTES_MAX : FLITS_MAX;
}

static const char *name_of(const fc_trace_lines *lines, size_t column) {
    return column == SIZE && lines->in_bytes ? "bytes" : columns[column];
}

static fc_status fail_column(const fc_trace_lines *lines, size_t column, const char *text,
                             fc_error *error) {
    return fc_lines_fail(&lines->at, error, "%s is '%.40s'; expected a whole number from 0 to %llu",
                         name_of(lines, column), text, (unsigned long long)most_of(lines, column));
}

static void fill(const uint64_t values[SIZE + 1], fc_trace_message *message) {
    *message = (fc_trace_message){.time = values[0],
                                  .source = (uint32_t)values[1],
                                  .destination = (uint32_t)values[2],
                                  .flits = (uint32_t)values[SIZE],
                                  .after = UINT32_MAX};
}

static fc_status add_after(fc_trace_lines *lines, uint64_t after, fc_error *error) {
    if (lines->afters == FC_TRACE_AFTER_MAX)
        return fc_lines_fail(&lines->at, error, "a message waits for at most %d others",
                             FC_TRACE_AFTER_MAX);
    if (lines->afters == lines->after_room) {
        const size_t room = lines->after_room ? 2 * lines->after_room : 16;
        uint32_t *more = fc_reallocate(lines->after, room, sizeof *more);
        if (!more)
            return fc_fail_memory(error);
        lines->after = more;
        lines->after_room = room;
    }
    if (after == lines->count)
        return fc_lines_fail(&lines->at, error, "message %zu waits for itself", lines->count);
    lines->after[lines->afters++] = (uint32_t)after;
    return FC_OK;
}

/* ---- columns ---- */

static bool is_header(fc_trace_lines *lines, char *const *fields, size_t count) {
    const bool in_bytes = count > SIZE && strcmp(fields[SIZE], "bytes") == 0;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(fields[i], columns[i]) != 0 && !(i == SIZE && in_bytes))
            return false;
    }
    lines->in_bytes = in_bytes;
    return true;
}

static fc_status read_afters(fc_trace_lines *lines, char *text, fc_error *error) {
    for (char *rest = text; rest;) {
        char *end = strchr(rest, ';');
        if (end)
            *end = '\0';
        uint64_t after;
        if (!fc_parse_whole(rest, UINT32_MAX - 1, &after))
            return fc_lines_fail(&lines->at, error,
                                 "after is '%.40s'; expected the number of a message, or several "
                                 "with ; between them",
                                 rest);
        const fc_status status = add_after(lines, after, error);
        if (status != FC_OK)
            return status;
        rest = end ? end + 1 : NULL;
    }
    return FC_OK;
}

static fc_status read_columns(fc_trace_lines *lines, char *line, fc_error *error,
                              fc_trace_message *message, bool *found) {
    char *fields[COLUMNS];
    const size_t count = fc_split_fields(line, fields, COLUMNS);
    if (count < COLUMNS - 1 || count > COLUMNS)
        return fc_lines_fail(&lines->at, error,
                             "%s than the 4 or 5 columns time,source,destination,flits[,after]",
                             count < COLUMNS - 1 ? "fewer" : "more");
    if (!lines->begun && is_header(lines, fields, count)) {
        *found = false;
        return FC_OK;
    }
    uint64_t values[SIZE + 1];
    for (size_t i = 0; i <= SIZE; ++i) {
        if (!fc_parse_whole(fields[i], most_of(lines, i), &values[i]))
            return fail_column(lines, i, fields[i], error);
    }
    fill(values, message);
    return count > AFTER && fields[AFTER][0] ? read_afters(lines, fields[AFTER], error) : FC_OK;
}

/* ---- objects ---- */

static fc_status read_member_after(fc_trace_lines *lines, const json_t *value, fc_error *error) {
    const json_t *const one[] = {value};
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    fc_status status = FC_OK;
    for (size_t i = 0; i < count && status == FC_OK; ++i) {
        const json_t *item = json_is_array(value) ? json_array_get(value, i) : one[0];
        const json_int_t number = json_integer_value(item);
        if (!json_is_integer(item) || number < 0 || number >= (json_int_t)UINT32_MAX)
            return fc_lines_fail(&lines->at, error,
                                 "\"after\" must be the number of a message or a list of them");
        status = add_after(lines, (uint64_t)number, error);
    }
    return status;
}

static fc_status check_names(const fc_trace_lines *lines, json_t *object, fc_error *error) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        bool known = strcmp(key, "bytes") == 0;
        for (size_t i = 0; i < COLUMNS; ++i)
            known |= strcmp(key, columns[i]) == 0;
        if (!known)
            return fc_lines_fail(&lines->at, error,
                                 "unknown member \"%.40s\"; a message has time, source, "
                                 "destination, flits or bytes, after",
                                 key);
    }
    return FC_OK;
}

static fc_status read_object(fc_trace_lines *lines, json_t *object, fc_error *error,
                             fc_trace_message *message) {
    uint64_t values[SIZE + 1];
    const bool in_bytes = json_object_get(object, "bytes") != NULL;
    fc_status status = check_names(lines, object, error);
    if (status == FC_OK && lines->begun && in_bytes != lines->in_bytes)
        status = fc_lines_fail(&lines->at, error,
                               "sizes are in flits or in bytes, the same for the whole file");
    lines->in_bytes = in_bytes;
    for (size_t i = 0; i <= SIZE && status == FC_OK; ++i) {
        const json_t *value = json_object_get(object, name_of(lines, i));
        const json_int_t number = json_integer_value(value);
        if (!value && i == 0) {
            values[0] = 0;
        } else if (!json_is_integer(value) || number < 0 || (uint64_t)number > most_of(lines, i)) {
            status = fc_lines_fail(&lines->at, error,
                                   "\"%s\" is %s; expected a whole number from 0 to %llu",
                                   name_of(lines, i), value ? "something else" : "missing",
                                   (unsigned long long)most_of(lines, i));
        } else {
            values[i] = (uint64_t)number;
        }
    }
    const json_t *after = json_object_get(object, "after");
    if (status == FC_OK && after)
        status = read_member_after(lines, after, error);
    if (status == FC_OK)
        fill(values, message);
    return status;
}

static fc_status read_json(fc_trace_lines *lines, const char *line, fc_error *error,
                           fc_trace_message *message) {
    json_error_t why;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &why);
    if (!json_is_object(object)) {
        json_decref(object);
        return fc_lines_fail(&lines->at, error, "expected an object in one line: %.100s",
                             object ? "this is something else" : why.text);
    }
    const fc_status status = read_object(lines, object, error, message);
    json_decref(object);
    return status;
}

/* ---- lines ---- */

fc_status fc_trace_line_read(fc_trace_lines *lines, char *line, fc_error *error,
                             fc_trace_message *message, bool *found) {
    lines->afters = 0;
    *found = true;
    const fc_status status = line[0] == '{' ? read_json(lines, line, error, message)
                                            : read_columns(lines, line, error, message, found);
    lines->begun = true;
    lines->count += status == FC_OK && *found;
    return status;
}

fc_status fc_trace_lines_open(const char *path, fc_error *error, fc_trace_lines *lines) {
    *lines = (fc_trace_lines){.at = {.path = path, .comment = '#'}, .checksum = FC_HASH_START};
    return fc_file_open(path, error, &lines->stream);
}

fc_status fc_trace_lines_next(fc_trace_lines *lines, fc_error *error, fc_trace_message *message,
                              bool *more) {
    for (;;) {
        errno = 0;
        const ssize_t length = getline(&lines->buffer, &lines->room, lines->stream);
        if (length < 0) {
            *more = false;
            if (errno == ENOMEM)
                return fc_fail_memory(error);
            return ferror(lines->stream)
                       ? fc_fail(error, FC_ERROR_FILE, "%.500s: cannot be read: %s", lines->at.path,
                                 strerror(errno))
                       : FC_OK;
        }
        lines->checksum = fc_hash(lines->checksum, lines->buffer, (size_t)length);
        const size_t number = lines->at.number + 1;
        if (strlen(lines->buffer) != (size_t)length)
            return fc_fail(error, FC_ERROR_INPUT, "%.500s: is not a text file", lines->at.path);
        lines->at.next = lines->buffer;
        char *line = fc_lines_next(&lines->at);
        lines->at.number = number;
        if (!line)
            continue;
        bool found;
        const fc_status status = fc_trace_line_read(lines, line, error, message, &found);
        *more = status == FC_OK;
        if (status != FC_OK || found)
            return status;
    }
}

void fc_trace_lines_close(fc_trace_lines *lines) {
    if (lines->stream)
        fclose(lines->stream);
    free(lines->buffer);
    fc_release(lines->after);
    *lines = (fc_trace_lines){.stream = NULL};
}
