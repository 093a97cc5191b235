#include "scenario/formats/trace_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/goal_file.h"
#include "scenario/formats/trace_line.h"
#include "scenario/formats/trace_order.h"

typedef struct parsing {
    fc_trace_lines lines;
    fc_error *error;
    fc_trace_message *messages;
    size_t room;
    fc_trace_wait *waits;
    size_t wait_count, wait_room;
    uint32_t farthest;                      /* the highest number that a message waits for ... */
    size_t farthest_line, farthest_message; /* ... and where */
    bool forward;                           /* some message waits for one below it */
    fc_trace *trace;
} parsing;

static void note_places(parsing *p, const fc_trace_message *message) {
    fc_trace *trace = p->trace;
    const uint32_t larger =
        message->source > message->destination ? message->source : message->destination;
    if (larger > trace->largest_node || !trace->largest_line) {
        trace->largest_node = larger;
        trace->largest_line = p->lines.at.number;
    }
    if (message->source == message->destination && message->flits && !trace->self_line)
        trace->self_line = p->lines.at.number;
    for (size_t i = 0; i < p->lines.afters; ++i) {
        p->forward |= p->lines.after[i] >= p->lines.count - 1;
        if (p->lines.after[i] >= p->farthest) {
            p->farthest = p->lines.after[i];
            p->farthest_line = p->lines.at.number;
            p->farthest_message = p->lines.count - 1;
        }
    }
}

static fc_status check_end(const parsing *p) {
    if (p->lines.count == 0)
        return fc_lines_fail(&p->lines.at, p->error,
                             "no message; expected lines such as '0,3,12,5': "
                             "time,source,destination,flits");
    if (p->farthest_line && p->farthest >= p->lines.count) {
        fc_lines at = p->lines.at;
        at.number = p->farthest_line;
        return fc_lines_fail(&at, p->error,
                             "this is message %zu and waits for message %u, which does not exist; "
                             "messages are numbered from 0 and the last one is %zu",
                             p->farthest_message, p->farthest, p->lines.count - 1);
    }
    return FC_OK;
}

/* ---- in memory ---- */

static fc_status append(parsing *p, fc_trace_message *message) {
    const size_t index = p->lines.count - 1;
    if (index == FC_TRACE_MESSAGES_MAX)
        return fc_lines_fail(&p->lines.at, p->error,
                             "more than %d messages in a file that fits "
                             "into memory",
                             FC_TRACE_MESSAGES_MAX);
    fc_trace_message *messages = fc_make_room(p->messages, &p->room, index, 1, sizeof *messages);
    if (!messages)
        return fc_fail_memory(p->error);
    p->messages = messages;
    message->after = p->lines.afters ? p->lines.after[0] : UINT32_MAX;
    for (size_t i = 1; i < p->lines.afters; ++i) {
        fc_trace_wait *waits =
            fc_make_room(p->waits, &p->wait_room, p->wait_count, 1, sizeof *waits);
        if (!waits)
            return fc_fail_memory(p->error);
        p->waits = waits;
        p->waits[p->wait_count++] = (fc_trace_wait){(uint32_t)index, p->lines.after[i]};
    }
    p->messages[index] = *message;
    return FC_OK;
}

fc_status fc_trace_parse(char *text, const char *path, fc_error *error, fc_trace *trace) {
    if (fc_goal_recognise(text))
        return fc_goal_parse(text, path, error, trace);
    parsing p = {.lines = {.at = {.next = text, .path = path, .comment = '#'}},
                 .error = error,
                 .trace = trace};
    fc_status status = FC_OK;
    for (char *line; status == FC_OK && (line = fc_lines_next(&p.lines.at));) {
        fc_trace_message message;
        bool found;
        status = fc_trace_line_read(&p.lines, line, error, &message, &found);
        if (status == FC_OK && found)
            status = append(&p, &message);
        if (status == FC_OK && found)
            note_places(&p, &message);
    }
    if (status == FC_OK)
        status = check_end(&p);
    trace->messages = p.messages;
    trace->waits = p.waits;
    trace->wait_count = p.wait_count;
    trace->count = p.lines.count;
    trace->in_bytes = p.lines.in_bytes;
    if (status == FC_OK && p.forward)
        status = fc_trace_refuse_circles(trace, &(fc_trace_names){.path = path}, error);
    if (status == FC_OK)
        status = fc_trace_put_in_order(trace, error);
    fc_trace_lines_close(&p.lines);
    if (status != FC_OK)
        fc_trace_clear(trace);
    return status;
}

void fc_trace_clear(fc_trace *trace) {
    fc_release(trace->messages);
    fc_release(trace->waits);
    fc_release(trace->processors);
    fc_release(trace->stream_path);
    trace->messages = NULL;
    trace->waits = NULL;
    trace->processors = NULL;
    trace->stream_path = NULL;
}

/* ---- not in memory ---- */

static fc_status check_order(const parsing *p, const fc_trace_message *message, uint64_t *time) {
    const bool independent = p->lines.afters == 0;
    if (p->forward)
        return fc_lines_fail(&p->lines.at, p->error,
                             "this file is longer than %d MiB and read while it runs: a message "
                             "must be below those it waits for, or the file shorter",
                             FC_TRACE_BYTES_MAX >> 20);
    if (independent && message->time < *time)
        return fc_lines_fail(
            &p->lines.at, p->error,
            "this file is longer than %d MiB and read while it runs: messages "
            "that wait for none must be in the order of time; this one is at %llu, "
            "one above it at %llu",
            FC_TRACE_BYTES_MAX >> 20, (unsigned long long)message->time, (unsigned long long)*time);
    if (independent)
        *time = message->time;
    if ((double)p->lines.count > FC_WORK_MESSAGES_MAX)
        return fc_lines_fail(&p->lines.at, p->error, "more than %.0f million messages",
                             FC_WORK_MESSAGES_MAX / 1e6);
    return FC_OK;
}

fc_status fc_trace_scan(const char *path, fc_error *error, fc_trace *trace) {
    parsing p = {.error = error, .trace = trace};
    uint64_t time = 0;
    bool more = true;
    fc_status status = fc_trace_lines_open(path, error, &p.lines);
    while (status == FC_OK && more) {
        fc_trace_message message;
        status = fc_trace_lines_next(&p.lines, error, &message, &more);
        if (status != FC_OK || !more)
            break;
        note_places(&p, &message);
        status = check_order(&p, &message, &time);
        trace->independent += p.lines.afters == 0;
    }
    if (status == FC_OK)
        status = check_end(&p);
    trace->count = p.lines.count;
    trace->in_bytes = p.lines.in_bytes;
    trace->checksum = p.lines.checksum;
    fc_trace_lines_close(&p.lines);
    if (status == FC_OK) {
        trace->stream_path = fc_copy_text(path);
        status = trace->stream_path ? FC_OK : fc_fail_memory(error);
    }
    return status;
}

/* ---- the key ---- */

static bool is_long(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > FC_TRACE_BYTES_MAX;
}

/* Only messages, one a line, are read while they run. */
static fc_status refuse_long_goal(const char *path, fc_error *error) {
    char begin[4096] = "";
    FILE *stream = fopen(path, "r");
    const size_t length = stream ? fread(begin, 1, sizeof begin - 1, stream) : 0;
    if (stream)
        fclose(stream);
    begin[length] = '\0';
    if (!fc_goal_recognise(begin))
        return FC_OK;
    return fc_fail(error, FC_ERROR_INPUT,
                   "%.300s: a GOAL schedule of more than %d MiB cannot be read; write its messages "
                   "as CSV or JSON Lines",
                   path, FC_TRACE_BYTES_MAX >> 20);
}

fc_status fc_trace_file_read(const fc_document *document, const fc_value *value, const char *what,
                             fc_trace *trace, fc_error *error) {
    fc_named_file file = {.what = what, .kind = "a file of messages", .most = FC_TRACE_BYTES_MAX};
    fc_error cause;
    fc_status status = fc_named_file_find(document, value, &file, error);
    if (status != FC_OK)
        return status;
    snprintf(trace->file, sizeof trace->file, "%s", value->text);
    if (is_long(file.path)) {
        status = refuse_long_goal(file.path, &cause);
        if (status == FC_OK)
            status = fc_trace_scan(file.path, &cause, trace);
    } else {
        status = fc_text_read(file.path, file.most, &cause, &file.text, &trace->checksum);
        if (status == FC_OK)
            status = fc_trace_parse(file.text, file.path, &cause, trace);
        fc_release(file.text);
    }
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

void fc_trace_file_write(const fc_trace *trace, FILE *stream) {
    fc_file_name_write(trace->file, stream);
}

fc_status fc_trace_read(const fc_document *document, const fc_value *value, void *field,
                        fc_error *error) {
    fc_workload *workload = field;
    workload->phases = fc_allocate(1, sizeof *workload->phases);
    workload->groups = fc_allocate(1, sizeof *workload->groups);
    if (!workload->phases || !workload->groups)
        return fc_fail_memory(error);
    workload->of_trace = true;
    workload->count = workload->group_count = 1;
    workload->phases[0].kind = FC_PHASE_FILE;
    workload->groups[0] = (fc_phase_group){.count = 1, .times = 1};
    return fc_trace_file_read(document, value, "traffic.trace", &workload->phases[0].trace, error);
}

void fc_trace_write(const void *field, FILE *stream) {
    const fc_workload *workload = field;
    if (!workload->of_trace) {
        fputs("none", stream);
        return;
    }
    const fc_trace *trace = &workload->phases[0].trace;
    fc_trace_file_write(trace, stream);
    fprintf(stream, " # content %016llx", (unsigned long long)trace->checksum);
}
