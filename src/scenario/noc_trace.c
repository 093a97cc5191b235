#include "scenario/noc_trace.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"

enum { TIME_BITS = 62 };

typedef enum event_type { READ, BARRIER_START, BARRIER_END, EVENT_TYPES } event_type;
static const char *const type_names[EVENT_TYPES] = {"READ", "READ_BARRIER_START",
                                                    "READ_BARRIER_END"};

/* What is known of a processor while the file is read. */
typedef struct progress {
    uint32_t open;     /* barrier that its next reads belong to; FC_NOC_NO_BARRIER: none yet */
    uint32_t previous; /* barrier that it passed last */
    uint64_t time;     /* of its last event */
} progress;

typedef struct parsing {
    const char *path;
    fc_error *error;
    size_t line, event; /* of the event that is read */
    fc_noc_trace *trace;
    progress *progress; /* of each processor */
    size_t read_room, barrier_room, processor_room, progress_room;
    uint64_t first, last; /* times */
} parsing;

#define complain(p, ...) (name_place(p), append_problem((p)->error, __VA_ARGS__), FC_ERROR_INPUT)

static void name_place(const parsing *p) {
    fc_error_write(p->error, "%.300s:%zu: event %zu", p->path, p->line, p->event);
}

static void append_problem(fc_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void append_problem(fc_error *error, const char *format, ...) {
    if (!error)
        return;
    const size_t used = strlen(error->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + used, sizeof error->text - used, format, arguments);
    va_end(arguments);
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

static fc_status read_type(const parsing *p, const json_t *event, event_type *type) {
    const json_t *value = json_object_get(event, "type");
    *type = EVENT_TYPES;
    if (!value)
        return FC_OK;
    for (int t = 0; t < EVENT_TYPES && json_is_string(value); ++t) {
        if (strcmp(json_string_value(value), type_names[t]) == 0)
            *type = (event_type)t;
    }
    if (*type == EVENT_TYPES)
        return complain(p,
                        " is a '%.40s'; only READ, READ_BARRIER_START and READ_BARRIER_END can be "
                        "replayed",
                        json_is_string(value) ? json_string_value(value) : "?");
    return FC_OK;
}

/* ---- processors, barriers, reads ---- */

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
    states[*number] = (progress){.open = FC_NOC_NO_BARRIER, .previous = FC_NOC_NO_BARRIER};
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

static fc_status open_barrier(parsing *p, uint32_t processor) {
    fc_noc_trace *trace = p->trace;
    fc_noc_barrier *more =
        fc_make_room(trace->barriers, &p->barrier_room, trace->barrier_count, 1, sizeof *more);
    if (!more)
        return fc_fail_memory(p->error);
    trace->barriers = more;
    more[trace->barrier_count] =
        (fc_noc_barrier){.processor = processor, .previous = p->progress[processor].previous};
    p->progress[processor].open = trace->barrier_count++;
    return FC_OK;
}

static fc_status add_read(parsing *p, const json_t *event, uint32_t processor, uint64_t time) {
    fc_noc_trace *trace = p->trace;
    int64_t x = 0, y = 0, bytes = 0;
    uint8_t network = 0;
    fc_status status = find_network(p, event, &network);
    if (status == FC_OK)
        status = read_whole(p, event, "dx", FC_NOC_SIDE_MAX - 1, &x);
    if (status == FC_OK)
        status = read_whole(p, event, "dy", FC_NOC_SIDE_MAX - 1, &y);
    if (status == FC_OK)
        status = read_whole(p, event, "num_bytes", 1 << 30, &bytes);
    if (status == FC_OK && bytes == 0)
        status = complain(p, " reads no bytes");
    if (status == FC_OK && trace->read_count == FC_NOC_READS_MAX)
        status = complain(p, " is one read too many; at most %d are replayed", FC_NOC_READS_MAX);
    if (status == FC_OK && p->progress[processor].open == FC_NOC_NO_BARRIER)
        status = open_barrier(p, processor);
    if (status != FC_OK)
        return status;
    fc_noc_read *more =
        fc_make_room(trace->reads, &p->read_room, trace->read_count, 1, sizeof *more);
    if (!more)
        return fc_fail_memory(p->error);
    trace->reads = more;
    note_place(p, x, y);
    note_place(p, trace->processors[processor].x, trace->processors[processor].y);
    const uint32_t barrier = p->progress[processor].open;
    more[trace->read_count++] = (fc_noc_read){.time = time,
                                              .processor = processor,
                                              .barrier = barrier,
                                              .bytes = (uint32_t)bytes,
                                              .x = (uint8_t)x,
                                              .y = (uint8_t)y,
                                              .network = network};
    ++trace->processors[processor].count;
    ++trace->barriers[barrier].reads;
    trace->barriers[barrier].network = network;
    return FC_OK;
}

/* A barrier without reads before it does not wait and is left out. */
static void pass_barrier(parsing *p, uint32_t processor, event_type type, uint64_t time) {
    progress *state = &p->progress[processor];
    if (state->open == FC_NOC_NO_BARRIER)
        return;
    fc_noc_barrier *barrier = &p->trace->barriers[state->open];
    if (type == BARRIER_START) {
        barrier->started = time;
        return;
    }
    barrier->ended = time;
    barrier->measured = true;
    state->previous = state->open;
    state->open = FC_NOC_NO_BARRIER;
}

static fc_status add_event(parsing *p, const json_t *event) {
    int64_t time = 0;
    uint32_t processor = 0;
    event_type type;
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
    if (type == EVENT_TYPES)
        return FC_OK;
    status = find_processor(p, event, &processor);
    if (status != FC_OK)
        return status;
    if (at < p->progress[processor].time)
        return complain(p, " is %llu cycles before the one before it of the same processor",
                        (unsigned long long)(p->progress[processor].time - at));
    p->progress[processor].time = at;
    if (type == READ)
        return add_read(p, event, processor, at);
    pass_barrier(p, processor, type, at);
    return FC_OK;
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

/* Reads by processor, in the order of the file; times from the first event on. */
static fc_status arrange(parsing *p) {
    fc_noc_trace *trace = p->trace;
    fc_noc_read *arranged = fc_allocate(trace->read_count, sizeof *arranged);
    if (!arranged)
        return fc_fail_memory(p->error);
    uint32_t first = 0;
    for (uint32_t i = 0; i < trace->processor_count; ++i) {
        trace->processors[i].first = first;
        first += trace->processors[i].count;
        trace->processors[i].count = 0;
    }
    for (uint32_t i = 0; i < trace->read_count; ++i) {
        fc_noc_processor *owner = &trace->processors[trace->reads[i].processor];
        fc_noc_read *read = &arranged[owner->first + owner->count++];
        *read = trace->reads[i];
        read->time -= p->first;
    }
    fc_release(trace->reads);
    trace->reads = arranged;
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
    if (status == FC_OK && trace->read_count == 0)
        status = fc_fail(error, FC_ERROR_INPUT, "%.300s: none of its %zu events is a READ", path,
                         p.event);
    if (status == FC_OK)
        status = arrange(&p);
    fc_release(p.progress);
    return status;
}

void fc_noc_trace_clear(fc_noc_trace *trace) {
    fc_release(trace->reads);
    fc_release(trace->barriers);
    fc_release(trace->processors);
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
