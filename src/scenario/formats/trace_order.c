#include "scenario/formats/trace_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

/* ---- circles ---- */

/* Messages and waits as a graph from each message to those that wait for it. */
typedef struct waiting {
    uint32_t *first;   /* of each message: where its row begins; one more behind the last */
    uint32_t *waiter;  /* those that wait for it */
    uint32_t *missing; /* of each message: those it still waits for */
    uint32_t *ready;
} waiting;

/* Number i of all waits, those of the messages' own `after` first. False: none. */
static bool wait_at(const fc_trace *trace, size_t i, fc_trace_wait *wait) {
    *wait = i < trace->count ? (fc_trace_wait){(uint32_t)i, trace->messages[i].after}
                             : trace->waits[i - trace->count];
    return wait->after != UINT32_MAX;
}

static void each_wait(const fc_trace *trace, waiting *w, bool fill) {
    fc_trace_wait wait;
    for (size_t i = 0; i < trace->count + trace->wait_count; ++i) {
        if (!wait_at(trace, i, &wait))
            continue;
        if (fill) {
            w->waiter[w->first[wait.after]++] = wait.message;
        } else {
            ++w->first[wait.after + 1];
            ++w->missing[wait.message];
        }
    }
}

static void write_name(const fc_trace_names *names, uint32_t message, size_t size, char *text) {
    if (names->name)
        names->name(names->context, message, size, text);
    else
        snprintf(text, size, "%u", message);
}

/* Every message that is left waits for one that is left: from any of them back along what it waits
 * for one comes again. */
static fc_status name_circle(const fc_trace *trace, const fc_trace_names *names, const waiting *w,
                             fc_error *error) {
    enum { NAMED = 8 };
    uint32_t *before = w->ready; /* of each that is left: one of those it waits for */
    uint32_t at = 0, length = 1;
    fc_trace_wait wait;
    for (size_t i = 0; i < trace->count + trace->wait_count; ++i) {
        if (wait_at(trace, i, &wait) && w->missing[wait.message] && w->missing[wait.after])
            before[wait.message] = at = wait.after;
    }
    for (size_t i = 0; i < trace->count; ++i) /* so many steps end in a circle */
        at = before[at];
    for (uint32_t other = before[at]; other != at; other = before[other])
        ++length;
    char list[500], name[40];
    write_name(names, at, sizeof name, name);
    size_t used = (size_t)snprintf(list, sizeof list, "%s", name);
    for (uint32_t i = 0; i < length && i < NAMED; ++i) {
        at = before[at];
        write_name(names, at, sizeof name, name);
        used += (size_t)snprintf(list + used, sizeof list - used, " waits for %s", name);
    }
    return fc_fail(error, FC_ERROR_INPUT, "%.300s: %u %s wait for each other in a circle: %s%s",
                   names->path, length, names->name ? "operations" : "messages", list,
                   length > NAMED ? " ..." : "");
}

/* Takes away what waits for nothing that is left; returns how many could be. */
static size_t take_away(const fc_trace *trace, waiting *w) {
    each_wait(trace, w, false);
    for (size_t i = 0; i < trace->count; ++i)
        w->first[i + 1] += w->first[i];
    each_wait(trace, w, true);
    memmove(w->first + 1, w->first, trace->count * sizeof *w->first);
    w->first[0] = 0;
    size_t ready = 0, done = 0;
    for (size_t i = 0; i < trace->count; ++i) {
        if (!w->missing[i])
            w->ready[ready++] = (uint32_t)i;
    }
    for (; done < ready; ++done) {
        const uint32_t message = w->ready[done];
        for (uint32_t k = w->first[message]; k < w->first[message + 1]; ++k) {
            if (--w->missing[w->waiter[k]] == 0)
                w->ready[ready++] = w->waiter[k];
        }
    }
    return done;
}

fc_status fc_trace_refuse_circles(const fc_trace *trace, const fc_trace_names *names,
                                  fc_error *error) {
    const size_t count = trace->count;
    waiting w = {.first = fc_allocate(count + 2, sizeof *w.first),
                 .waiter = fc_allocate(count + trace->wait_count, sizeof *w.waiter),
                 .missing = fc_allocate(count, sizeof *w.missing),
                 .ready = fc_allocate(count, sizeof *w.ready)};
    fc_status status = FC_OK;
    if (!w.first || !w.waiter || !w.missing || !w.ready)
        status = fc_fail_memory(error);
    else if (take_away(trace, &w) < count)
        status = name_circle(trace, names, &w, error);
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

/* The new number of each message. Returns how many wait for none. */
static size_t renumber(const fc_trace *trace, place *free_ones, uint32_t *new_number) {
    size_t independent = 0;
    for (size_t i = 0; i < trace->count; ++i) {
        if (trace->messages[i].after == UINT32_MAX)
            free_ones[independent++] = (place){trace->messages[i].time, (uint32_t)i};
    }
    if (independent)
        qsort(free_ones, independent, sizeof *free_ones, by_time);
    for (size_t i = 0; i < independent; ++i)
        new_number[free_ones[i].number] = (uint32_t)i;
    size_t next = independent;
    for (size_t i = 0; i < trace->count; ++i) {
        if (trace->messages[i].after != UINT32_MAX)
            new_number[i] = (uint32_t)next++;
    }
    return independent;
}

fc_status fc_trace_put_in_order(fc_trace *trace, fc_error *error) {
    const size_t count = trace->count;
    place *free_ones = fc_allocate(count, sizeof *free_ones);
    uint32_t *new_number = fc_allocate(count, sizeof *new_number);
    fc_trace_message *ordered = fc_allocate(count, sizeof *ordered);
    fc_trace_processor *processors =
        trace->processors ? fc_allocate(count, sizeof *processors) : NULL;
    if (!free_ones || !new_number || !ordered || (trace->processors && !processors)) {
        void *const blocks[] = {free_ones, new_number, ordered, processors};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
            fc_release(blocks[i]);
        return fc_fail_memory(error);
    }
    trace->independent = renumber(trace, free_ones, new_number);
    for (size_t i = 0; i < count; ++i) {
        fc_trace_message *message = &ordered[new_number[i]];
        *message = trace->messages[i];
        if (message->after != UINT32_MAX)
            message->after = new_number[message->after];
        if (processors)
            processors[new_number[i]] = trace->processors[i];
    }
    for (size_t i = 0; i < trace->wait_count; ++i)
        trace->waits[i] =
            (fc_trace_wait){new_number[trace->waits[i].message], new_number[trace->waits[i].after]};
    fc_release(free_ones);
    fc_release(new_number);
    fc_release(trace->messages);
    fc_release(trace->processors);
    trace->messages = ordered;
    trace->processors = processors;
    return FC_OK;
}
