#include "scenario/trace_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/trace_line.h"

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

static bool grow(void **block, size_t *room, size_t count, size_t size) {
    if (count < *room)
        return true;
    const size_t larger = *room ? 2 * *room : 256;
    void *more = fc_reallocate(*block, larger, size);
    if (!more)
        return false;
    *block = more;
    *room = larger;
    return true;
}

static fc_status append(parsing *p, fc_trace_message *message) {
    const size_t index = p->lines.count - 1;
    void *messages = p->messages, *waits = p->waits;
    if (index == FC_TRACE_MESSAGES_MAX)
        return fc_lines_fail(&p->lines.at, p->error,
                             "more than %d messages in a file that fits "
                             "into memory",
                             FC_TRACE_MESSAGES_MAX);
    bool enough = grow(&messages, &p->room, index, sizeof *p->messages);
    p->messages = messages;
    message->after = p->lines.afters ? p->lines.after[0] : UINT32_MAX;
    for (size_t i = 1; enough && i < p->lines.afters; ++i) {
        enough = grow(&waits, &p->wait_room, p->wait_count, sizeof *p->waits);
        p->waits = waits;
        if (enough)
            p->waits[p->wait_count++] = (fc_trace_wait){(uint32_t)index, p->lines.after[i]};
    }
    if (!enough)
        return fc_fail_memory(p->error);
    p->messages[index] = *message;
    return FC_OK;
}

/* ---- circles ---- */

/* Messages and waits as a graph from each message to those that wait for it. */
typedef struct waiting {
    uint32_t *first;   /* of each message: where its row begins; one more behind the last */
    uint32_t *waiter;  /* those that wait for it */
    uint32_t *missing; /* of each message: those it still waits for */
    uint32_t *ready;
} waiting;

static void each_wait(const parsing *p, waiting *w, bool fill) {
    for (size_t i = 0; i < p->lines.count + p->wait_count; ++i) {
        const bool of_message = i < p->lines.count;
        const uint32_t message = of_message ? (uint32_t)i : p->waits[i - p->lines.count].message;
        const uint32_t after =
            of_message ? p->messages[i].after : p->waits[i - p->lines.count].after;
        if (after == UINT32_MAX)
            continue;
        if (fill) {
            w->waiter[w->first[after]++] = message;
        } else {
            ++w->first[after + 1];
            ++w->missing[message];
        }
    }
}

/* Every message that is left waits for one that is left: from any of them back along what it waits
 * for one comes again. */
static fc_status name_circle(const parsing *p, const waiting *w) {
    enum { NAMED = 8 };
    const size_t count = p->lines.count;
    uint32_t *before = w->ready; /* of each that is left: one of those it waits for */
    uint32_t at = 0, length = 1;
    for (size_t i = 0; i < count + p->wait_count; ++i) {
        const uint32_t message = i < count ? (uint32_t)i : p->waits[i - count].message;
        const uint32_t after = i < count ? p->messages[i].after : p->waits[i - count].after;
        if (after != UINT32_MAX && w->missing[message] && w->missing[after])
            before[message] = at = after;
    }
    for (size_t i = 0; i < count; ++i) /* so many steps end in a circle */
        at = before[at];
    for (uint32_t other = before[at]; other != at; other = before[other])
        ++length;
    char list[200];
    size_t used = (size_t)snprintf(list, sizeof list, "%u", at);
    for (uint32_t i = 0; i < length && i < NAMED; ++i) {
        at = before[at];
        used += (size_t)snprintf(list + used, sizeof list - used, " waits for %u", at);
    }
    return fc_fail(p->error, FC_ERROR_INPUT,
                   "%.300s: %u messages wait for each other in a circle: %s%s", p->lines.at.path,
                   length, list, length > NAMED ? " ..." : "");
}

static fc_status refuse_circles(const parsing *p) {
    const size_t count = p->lines.count;
    waiting w = {.first = fc_allocate(count + 2, sizeof *w.first),
                 .waiter = fc_allocate(count + p->wait_count, sizeof *w.waiter),
                 .missing = fc_allocate(count, sizeof *w.missing),
                 .ready = fc_allocate(count, sizeof *w.ready)};
    fc_status status = FC_OK;
    if (!w.first || !w.waiter || !w.missing || !w.ready) {
        status = fc_fail_memory(p->error);
    } else {
        each_wait(p, &w, false);
        for (size_t i = 0; i < count; ++i)
            w.first[i + 1] += w.first[i];
        each_wait(p, &w, true);
        memmove(w.first + 1, w.first, count * sizeof *w.first);
        w.first[0] = 0;
        size_t ready = 0, done = 0;
        for (size_t i = 0; i < count; ++i) {
            if (!w.missing[i])
                w.ready[ready++] = (uint32_t)i;
        }
        for (; done < ready; ++done) {
            const uint32_t message = w.ready[done];
            for (uint32_t k = w.first[message]; k < w.first[message + 1]; ++k) {
                if (--w.missing[w.waiter[k]] == 0)
                    w.ready[ready++] = w.waiter[k];
            }
        }
        if (done < count)
            status = name_circle(p, &w);
    }
    fc_release(w.first);
    fc_release(w.waiter);
    fc_release(w.missing);
    fc_release(w.ready);
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
    const size_t count = p->lines.count;
    place *free_ones = fc_allocate(count, sizeof *free_ones);
    uint32_t *new_number = fc_allocate(count, sizeof *new_number);
    fc_trace_message *ordered = fc_allocate(count, sizeof *ordered);
    if (!free_ones || !new_number || !ordered) {
        fc_release(free_ones);
        fc_release(new_number);
        fc_release(ordered);
        return fc_fail_memory(p->error);
    }
    size_t independent = 0;
    for (size_t i = 0; i < count; ++i) {
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
    for (size_t i = 0; i < count; ++i) {
        if (p->messages[i].after != UINT32_MAX)
            new_number[i] = (uint32_t)next++;
    }
    for (size_t i = 0; i < count; ++i) {
        if (p->messages[i].after == UINT32_MAX)
            continue;
        ordered[new_number[i]] = p->messages[i];
        ordered[new_number[i]].after = new_number[p->messages[i].after];
    }
    for (size_t i = 0; i < p->wait_count; ++i)
        p->waits[i] =
            (fc_trace_wait){new_number[p->waits[i].message], new_number[p->waits[i].after]};
    fc_release(free_ones);
    fc_release(new_number);
    p->trace->messages = ordered;
    p->trace->independent = independent;
    return FC_OK;
}

fc_status fc_trace_parse(char *text, const char *path, fc_error *error, fc_trace *trace) {
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
    if (status == FC_OK && p.forward)
        status = refuse_circles(&p);
    if (status == FC_OK)
        status = put_in_order(&p);
    fc_release(p.messages);
    trace->waits = p.waits;
    trace->wait_count = p.wait_count;
    trace->count = p.lines.count;
    trace->in_bytes = p.lines.in_bytes;
    fc_trace_lines_close(&p.lines);
    if (status != FC_OK)
        fc_trace_clear(trace);
    return status;
}

void fc_trace_clear(fc_trace *trace) {
    fc_release(trace->messages);
    fc_release(trace->waits);
    fc_release(trace->stream_path);
    trace->messages = NULL;
    trace->waits = NULL;
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

fc_status fc_trace_file_read(const fc_document *document, const fc_value *value, const char *what,
                             fc_trace *trace, fc_error *error) {
    fc_named_file file = {.what = what, .kind = "a file of messages", .most = FC_TRACE_BYTES_MAX};
    fc_error cause;
    fc_status status = fc_named_file_find(document, value, &file, error);
    if (status != FC_OK)
        return status;
    snprintf(trace->file, sizeof trace->file, "%s", value->text);
    if (is_long(file.path)) {
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
