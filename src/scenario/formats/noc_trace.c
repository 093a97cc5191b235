#include "scenario/formats/noc_trace.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"

enum { TIME_BITS = 62 };

/* What an event does. SET: keeps a place and a size for those that are `stored`. */
typedef enum action { TRANSFER, SET, BARRIER_START, BARRIER_END, MARK } action;

typedef struct event_type {
    const char *name;
    action action;
    fc_noc_kind kind;
    bool stored;
} event_type;

static const event_type types[] = {
    {"READ", TRANSFER, FC_NOC_READ, false},
    {"READ_SET_STATE", SET, FC_NOC_READ, false},
    {"READ_WITH_STATE", TRANSFER, FC_NOC_READ, true},
    {"READ_WITH_STATE_AND_TRID", TRANSFER, FC_NOC_READ, true},
    {"READ_DRAM_SHARDED_SET_STATE", SET, FC_NOC_READ, false},
    {"READ_DRAM_SHARDED_WITH_STATE", TRANSFER, FC_NOC_READ, true},
    {"READ_SET_TRID", MARK, FC_NOC_READ, false},
    {"READ_BARRIER_START", BARRIER_START, FC_NOC_READ, false},
    {"READ_BARRIER_END", BARRIER_END, FC_NOC_READ, false},
    {"READ_BARRIER_WITH_TRID", MARK, FC_NOC_READ, false},
    {"WRITE_", TRANSFER, FC_NOC_WRITE, false},
    {"WRITE", TRANSFER, FC_NOC_WRITE, false},
    {"WRITE_WITH_TRID", TRANSFER, FC_NOC_WRITE, false},
    {"WRITE_INLINE", TRANSFER, FC_NOC_WRITE, false},
    {"WRITE_MULTICAST", TRANSFER, FC_NOC_MULTICAST, false},
    {"WRITE_SET_STATE", SET, FC_NOC_WRITE, false},
    {"WRITE_WITH_STATE", TRANSFER, FC_NOC_WRITE, true},
    {"WRITE_WITH_TRID_SET_STATE", SET, FC_NOC_WRITE, false},
    {"WRITE_WITH_TRID_WITH_STATE", TRANSFER, FC_NOC_WRITE, true},
    {"WRITE_BARRIER_START", BARRIER_START, FC_NOC_WRITE, false},
    {"WRITE_BARRIER_END", BARRIER_END, FC_NOC_WRITE, false},
    {"WRITE_BARRIER_WITH_TRID", MARK, FC_NOC_WRITE, false},
    {"WRITE_FLUSH", MARK, FC_NOC_WRITE, false},
    {"FULL_BARRIER", MARK, FC_NOC_WRITE, false},
    {"ATOMIC_BARRIER", MARK, FC_NOC_WRITE, false},
    {"SEMAPHORE_INC", MARK, FC_NOC_WRITE, false},
    {"SEMAPHORE_WAIT", MARK, FC_NOC_WRITE, false},
    {"SEMAPHORE_SET", MARK, FC_NOC_WRITE, false},
};
enum { EVENT_TYPES = sizeof types / sizeof *types };

/* What is known of a processor while the file is read. */
typedef struct progress {
    /* barriers that its next reads and writes belong to; FC_NOC_NO_BARRIER: none yet */
    uint32_t open[2];
    uint32_t previous;        /* barrier that it passed last */
    uint64_t time;            /* of its last event */
    bool set[2];              /* of reads and writes: ... */
    fc_noc_transfer state[2]; /* ... a place and perhaps a size are set */
} progress;

typedef struct parsing {
    const char *path;
    fc_error *error;
    size_t line, event; /* of the event that is read */
    fc_noc_trace *trace;
    progress *progress; /* of each processor */
    size_t transfer_room, barrier_room, processor_room, progress_room;
    uint64_t first, last; /* times */
} parsing;

static fc_status complain(const parsing *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static fc_status complain(const parsing *p, const char *format, ...) {
    char problem[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    return fc_fail(p->error, FC_ERROR_INPUT, "%.300s:%zu: event %zu%s", p->path, p->line, p->event,
                   problem);
}

/* ---- members of an event ---- */

static fc_status read_whole(const parsing *p, const json_t *event, const char *name, int64_t most,
                            int64_t *number) {
    const json_t *value = json_object_get(event, name);
    if (!value)
        return complain(p, " has no \"%s\"", name);
    *number = json_integer_value(value);
    if (!json_is_integer(value) || *number < 0 || *number > most)
        return complain(p, ": \"%s\" must be a whole number from 0 to %lld", name, (long long)most);
    return FC_OK;
}

static fc_status read_text(const parsing *p, const json_t *event, const char *name,
                           char text[static FC_NOC_NAME_SIZE]) {
    const char *given = json_string_value(json_object_get(event, name));
    if (!given || !given[0] || strlen(given) >= FC_NOC_NAME_SIZE)
        return complain(p, " has no \"%s\"; expected a name of at most %d characters", name,
                        FC_NOC_NAME_SIZE - 1);
    for (const char *c = given; *c; ++c) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c > '~')
            return complain(p, ": \"%s\" must be a plain name without blanks", name);
    }
    snprintf(text, FC_NOC_NAME_SIZE, "%s", given);
    return FC_OK;
}

/* NULL in *type: a mark of the profiler, without a type. */
static fc_status read_type(const parsing *p, const json_t *event, const event_type **type) {
    const json_t *value = json_object_get(event, "type");
    const char *names[EVENT_TYPES + 1] = {NULL};
    *type = NULL;
    if (!value)
        return FC_OK;
    for (size_t t = 0; t < EVENT_TYPES && json_is_string(value); ++t) {
        if (strcmp(json_string_value(value), types[t].name) == 0)
            *type = &types[t];
        names[t] = types[t].name;
    }
    if (*type)
        return FC_OK;
    const char *near = json_is_string(value) ? fc_nearest(json_string_value(value), names) : NULL;
    return complain(p,
                    " is a '%.40s'; expected READ, WRITE_, WRITE_MULTICAST, a barrier or a "
                    "semaphore%s%s",
                    json_is_string(value) ? json_string_value(value) : "?",
                    near ? "; did you mean " : "", near ? near : "");
}

/* ---- processors, barriers, transfers ---- */

static fc_status find_processor(parsing *p, const json_t *event, uint32_t *number) {
    fc_noc_trace *trace = p->trace;
    fc_noc_processor found = {0};
    int64_t x = 0, y = 0;
    fc_status status = read_text(p, event, "proc", found.name);
    if (status == FC_OK)
        status = read_whole(p, event, "sx", FC_NOC_SIDE_MAX - 1, &x);
    if (status == FC_OK)
        status = read_whole(p, event, "sy", FC_NOC_SIDE_MAX - 1, &y);
    if (status != FC_OK)
        return status;
    found.x = (uint8_t)x;
    found.y = (uint8_t)y;
    /* From the last on: its events mostly follow each other. */
    for (uint32_t i = trace->processor_count; i-- > 0;) {
        const fc_noc_processor *known = &trace->processors[i];
        if (known->x == x && known->y == y && strcmp(known->name, found.name) == 0) {
            *number = i;
            return FC_OK;
        }
    }
    fc_noc_processor *more = fc_make_room(trace->processors, &p->processor_room,
                                          trace->processor_count, 1, sizeof *more);
    if (!more)
        return fc_fail_memory(p->error);
    trace->processors = more;
    progress *states =
        fc_make_room(p->progress, &p->progress_room, trace->processor_count, 1, sizeof *states);
    if (!states)
        return fc_fail_memory(p->error);
    p->progress = states;
    *number = trace->processor_count++;
    more[*number] = found;
    states[*number] =
        (progress){.open = {FC_NOC_NO_BARRIER, FC_NOC_NO_BARRIER}, .previous = FC_NOC_NO_BARRIER};
    return FC_OK;
}

static fc_status find_network(parsing *p, const json_t *event, uint8_t *number) {
    fc_noc_trace *trace = p->trace;
    char name[FC_NOC_NAME_SIZE];
    const fc_status status = read_text(p, event, "noc", name);
    if (status != FC_OK)
        return status;
    size_t n = 0;
    while (n < trace->network_count && strcmp(trace->networks[n].text, name) != 0)
        ++n;
    if (n == FC_NOC_NETWORKS_MAX)
        return complain(p, " is in '%s', the fifth network; a chip has at most %d", name,
                        FC_NOC_NETWORKS_MAX);
    if (n == trace->network_count) {
        snprintf(trace->networks[n].text, sizeof trace->networks[n].text, "%s", name);
        trace->networks[n].line = p->line;
        ++trace->network_count;
    }
    *number = (uint8_t)n;
    return FC_OK;
}

static void note_place(parsing *p, int64_t x, int64_t y) {
    fc_noc_trace *trace = p->trace;
    if (x > trace->largest_x || !trace->largest_x_line) {
        trace->largest_x = (uint8_t)x;
        trace->largest_x_line = p->line;
    }
    if (y > trace->largest_y || !trace->largest_y_line) {
        trace->largest_y = (uint8_t)y;
        trace->largest_y_line = p->line;
    }
}

static fc_status open_barrier(parsing *p, uint32_t processor, bool write) {
    fc_noc_trace *trace = p->trace;
    fc_noc_barrier *more =
        fc_make_room(trace->barriers, &p->barrier_room, trace->barrier_count, 1, sizeof *more);
    if (!more)
        return fc_fail_memory(p->error);
    trace->barriers = more;
    more[trace->barrier_count] =
        (fc_noc_barrier){.processor = processor, .previous = FC_NOC_NO_BARRIER};
    p->progress[processor].open[write] = trace->barrier_count++;
    return FC_OK;
}

static fc_status read_tile(const parsing *p, const json_t *event, const char *column,
                           const char *row, uint8_t *x, uint8_t *y) {
    int64_t at_x = 0, at_y = 0;
    fc_status status = read_whole(p, event, column, FC_NOC_SIDE_MAX - 1, &at_x);
    if (status == FC_OK)
        status = read_whole(p, event, row, FC_NOC_SIDE_MAX - 1, &at_y);
    *x = (uint8_t)at_x;
    *y = (uint8_t)at_y;
    return status;
}

/* Where the data are, or go to, and how many. */
static fc_status read_target(const parsing *p, const json_t *event, const event_type *type,
                             fc_noc_transfer *transfer) {
    int64_t bytes = 0;
    const bool many = type->kind == FC_NOC_MULTICAST;
    fc_status status = read_tile(p, event, many ? "mcast_start_x" : "dx",
                                 many ? "mcast_start_y" : "dy", &transfer->x, &transfer->y);
    transfer->end_x = transfer->x;
    transfer->end_y = transfer->y;
    if (status == FC_OK && many)
        status =
            read_tile(p, event, "mcast_end_x", "mcast_end_y", &transfer->end_x, &transfer->end_y);
    if (status == FC_OK)
        status = read_whole(p, event, "num_bytes", 1 << 30, &bytes);
    if (status == FC_OK && bytes == 0 && type->action == TRANSFER)
        status = complain(p, type->kind == FC_NOC_READ ? " reads no bytes" : " writes no bytes");
    transfer->bytes = (uint32_t)bytes;
    return status;
}

/* The place from an event that set it; the size too, unless this event has one. */
static fc_status recall_target(const parsing *p, const json_t *event, bool write,
                               fc_noc_transfer *transfer) {
    int64_t bytes = 0;
    const json_t *given = json_object_get(event, "num_bytes");
    const fc_noc_transfer *state = &p->progress[transfer->processor].state[write];
    if (!p->progress[transfer->processor].set[write])
        return complain(p, " uses a state that its processor has not set; expected a SET_STATE "
                           "before it");
    if (given) {
        const fc_status status = read_whole(p, event, "num_bytes", 1 << 30, &bytes);
        if (status != FC_OK)
            return status;
    }
    transfer->x = transfer->end_x = state->x;
    transfer->y = transfer->end_y = state->y;
    transfer->bytes = state->bytes ? state->bytes : (uint32_t)bytes;
    if (transfer->bytes == 0)
        return complain(p, " has no \"num_bytes\", nor had the event that set its state");
    return FC_OK;
}

static fc_status add_transfer(parsing *p, const json_t *event, const event_type *type,
                              fc_noc_transfer transfer) {
    fc_noc_trace *trace = p->trace;
    progress *state = &p->progress[transfer.processor];
    const bool write = type->kind != FC_NOC_READ;
    fc_status status = find_network(p, event, &transfer.network);
    if (status == FC_OK)
        status = type->stored ? recall_target(p, event, write, &transfer)
                              : read_target(p, event, type, &transfer);
    if (status == FC_OK && trace->transfer_count == FC_NOC_TRANSFERS_MAX)
        status =
            complain(p, " is one transfer too many; at most %d are replayed", FC_NOC_TRANSFERS_MAX);
    if (status == FC_OK && state->open[write] == FC_NOC_NO_BARRIER)
        status = open_barrier(p, transfer.processor, write);
    if (status != FC_OK)
        return status;
    fc_noc_transfer *more =
        fc_make_room(trace->transfers, &p->transfer_room, trace->transfer_count, 1, sizeof *more);
    if (!more)
        return fc_fail_memory(p->error);
    trace->transfers = more;
    note_place(p, transfer.x, transfer.y);
    note_place(p, transfer.end_x, transfer.end_y);
    note_place(p, trace->processors[transfer.processor].x, trace->processors[transfer.processor].y);
    transfer.barrier = state->open[write];
    transfer.after = state->previous;
    transfer.kind = (uint8_t)type->kind;
    more[trace->transfer_count++] = transfer;
    ++trace->processors[transfer.processor].count;
    ++trace->barriers[transfer.barrier].transfers;
    trace->barriers[transfer.barrier].network = transfer.network;
    return FC_OK;
}

static fc_status keep_state(const parsing *p, const json_t *event, const event_type *type,
                            uint32_t processor) {
    const bool write = type->kind != FC_NOC_READ;
    p->progress[processor].set[write] = true;
    return read_target(p, event, type, &p->progress[processor].state[write]);
}

/* A barrier without transfers before it does not wait and is left out. */
static void pass_barrier(parsing *p, uint32_t processor, const event_type *type, uint64_t time) {
    progress *state = &p->progress[processor];
    uint32_t *open = &state->open[type->kind != FC_NOC_READ];
    if (*open == FC_NOC_NO_BARRIER)
        return;
    fc_noc_barrier *barrier = &p->trace->barriers[*open];
    if (type->action == BARRIER_START) {
        barrier->started = time;
        return;
    }
    barrier->ended = time;
    barrier->measured = true;
    barrier->previous = state->previous;
    state->previous = *open;
    *open = FC_NOC_NO_BARRIER;
}

static fc_status add_to_processor(parsing *p, const json_t *event, const event_type *type,
                                  uint64_t time) {
    uint32_t processor = 0;
    const fc_status status = find_processor(p, event, &processor);
    if (status != FC_OK)
        return status;
    if (time < p->progress[processor].time)
        return complain(p, " is %llu cycles before the one before it of the same processor",
                        (unsigned long long)(p->progress[processor].time - time));
    p->progress[processor].time = time;
    if (type->action == TRANSFER)
        return add_transfer(p, event, type,
                            (fc_noc_transfer){.time = time, .processor = processor});
    if (type->action == SET)
        return keep_state(p, event, type, processor);
    pass_barrier(p, processor, type, time);
    return FC_OK;
}

static fc_status add_event(parsing *p, const json_t *event) {
    int64_t time = 0;
    const event_type *type = NULL;
    if (!json_is_object(event))
        return complain(p, " is no object; expected {\"proc\": ..., \"type\": \"READ\", ...}");
    fc_status status = read_type(p, event, &type);
    if (status == FC_OK)
        status = read_whole(p, event, "timestamp", (int64_t)1 << TIME_BITS, &time);
    if (status != FC_OK)
        return status;
    const uint64_t at = (uint64_t)time;
    p->first = at < p->first ? at : p->first;
    p->last = at > p->last ? at : p->last;
    if (type && type->action == MARK)
        ++p->trace->marks;
    return type && type->action != MARK ? add_to_processor(p, event, type, at) : FC_OK;
}

/* ---- the file ---- */

static const char *skip_blanks(parsing *p, const char *at) {
    for (; *at && strchr(" \t\r\n", *at); ++at)
        p->line += *at == '\n';
    return at;
}

/* One element of the array: Jansson reads it and says how long it is. */
static fc_status read_element(parsing *p, const char **at, size_t length) {
    json_error_t problem;
    json_t *event =
        json_loadb(*at, length, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &problem);
    if (!event && problem.text[0] == '\0') /* Jansson 2.14 has no words for it */
        return fc_fail_memory(p->error);
    if (!event)
        return fc_fail(p->error, FC_ERROR_INPUT, "%.300s:%zu: event %zu: %s", p->path,
                       p->line + (problem.line > 0 ? (size_t)problem.line - 1 : 0), p->event,
                       problem.text);
    const fc_status status = add_event(p, event);
    json_decref(event);
    for (const char *end = *at + problem.position; *at < end; ++*at)
        p->line += **at == '\n';
    return status;
}

static fc_status read_elements(parsing *p, const char *text) {
    const char *const end = text + strlen(text);
    const char *at = skip_blanks(p, text);
    if (*at != '[')
        return fc_fail(p->error, FC_ERROR_INPUT,
                       "%.300s:%zu: expected a JSON array of events: [{\"proc\": ...}, ...]",
                       p->path, p->line);
    at = skip_blanks(p, at + 1);
    bool more = *at != ']';
    while (more) {
        ++p->event;
        const fc_status status = read_element(p, &at, (size_t)(end - at));
        if (status != FC_OK)
            return status;
        at = skip_blanks(p, at);
        more = *at == ',';
        if (!more && *at != ']')
            return complain(p, " is not followed by ',' or by ']'");
        if (more)
            at = skip_blanks(p, at + 1);
    }
    at = skip_blanks(p, at + 1);
    if (*at)
        return fc_fail(p->error, FC_ERROR_INPUT,
                       "%.300s:%zu: something follows the array of events", p->path, p->line);
    return FC_OK;
}

/* Transfers by processor, in the order of the file; times from the first event on. */
static fc_status arrange(parsing *p) {
    fc_noc_trace *trace = p->trace;
    fc_noc_transfer *arranged = fc_allocate(trace->transfer_count, sizeof *arranged);
    if (!arranged)
        return fc_fail_memory(p->error);
    uint32_t first = 0;
    for (uint32_t i = 0; i < trace->processor_count; ++i) {
        trace->processors[i].first = first;
        first += trace->processors[i].count;
        trace->processors[i].count = 0;
    }
    for (uint32_t i = 0; i < trace->transfer_count; ++i) {
        fc_noc_processor *owner = &trace->processors[trace->transfers[i].processor];
        fc_noc_transfer *transfer = &arranged[owner->first + owner->count++];
        *transfer = trace->transfers[i];
        transfer->time -= p->first;
    }
    fc_release(trace->transfers);
    trace->transfers = arranged;
    for (uint32_t i = 0; i < trace->barrier_count; ++i) {
        fc_noc_barrier *barrier = &trace->barriers[i];
        barrier->started -= barrier->started ? p->first : 0;
        barrier->ended -= barrier->measured ? p->first : 0;
    }
    trace->length = p->last - p->first;
    return FC_OK;
}

fc_status fc_noc_trace_parse(const char *text, const char *path, fc_error *error,
                             fc_noc_trace *trace) {
    parsing p = {.path = path, .error = error, .line = 1, .trace = trace, .first = UINT64_MAX};
    fc_status status = read_elements(&p, text);
    if (status == FC_OK && trace->transfer_count == 0)
        status = fc_fail(error, FC_ERROR_INPUT,
                         "%.300s: none of its %zu events is a READ or a WRITE_", path, p.event);
    if (status == FC_OK)
        status = arrange(&p);
    fc_release(p.progress);
    return status;
}

void fc_noc_trace_clear(fc_noc_trace *trace) {
    fc_release(trace->transfers);
    fc_release(trace->barriers);
    fc_release(trace->processors);
}

bool fc_noc_pass(const fc_noc_trace *trace, const uint32_t *left, uint64_t *end, bool *passed,
                 uint32_t barrier) {
    if (barrier == FC_NOC_NO_BARRIER || passed[barrier])
        return true;
    const uint32_t previous = trace->barriers[barrier].previous;
    if (left[barrier] || !fc_noc_pass(trace, left, end, passed, previous))
        return false;
    if (previous != FC_NOC_NO_BARRIER && end[previous] > end[barrier])
        end[barrier] = end[previous];
    return passed[barrier] = true;
}

/* ---- the key ---- */

fc_status fc_noc_trace_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error) {
    static const char what[] = "traffic.workload";
    static const char *const names[] = {"noc-trace", NULL};
    fc_noc_trace *trace = field;
    fc_error cause;
    fc_named_file file = {.what = "traffic.workload.noc-trace",
                          .kind = "a trace of a chip's networks",
                          .most = FC_NOC_TRACE_BYTES_MAX};
    if (value->kind != FC_VALUE_MAPPING)
        return fc_fail_at(error, document, value, "%s of a chip must be {noc-trace: FILE}", what);
    fc_status status = fc_check_members(document, value, what, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *name = fc_value_member(value, "noc-trace");
    if (!name)
        return fc_fail_at(error, document, value, "%s of a chip must be {noc-trace: FILE}", what);
    status = fc_named_file_read(document, name, trace->file, &file, error);
    if (status != FC_OK)
        return status;
    trace->checksum = file.checksum;
    status = fc_noc_trace_parse(file.text, file.path, &cause, trace);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, name, &cause, status, error);
}

void fc_noc_trace_write(const void *field, FILE *stream) {
    const fc_noc_trace *trace = field;
    fputs("{noc-trace: ", stream);
    fc_file_name_write(trace->file, stream);
    fprintf(stream, "} # content %016llx", (unsigned long long)trace->checksum);
}
