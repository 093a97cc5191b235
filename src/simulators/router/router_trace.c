/* The messages of a trace: each is generated at its time, or so many cycles after the message it
 * depends on has been delivered. What is known to be due stands in a heap by cycle, then by place
 * in the trace. */
#include <assert.h>
#include "base/memory.h"
#include "base/random.h"
#include "simulators/router/sources.h"

enum { STREAM_WAYS = 2 };

typedef struct due {
    uint64_t time;
    uint32_t index;
} due;

typedef struct trace_sources {
    fc_sources sources;
    const fc_trace *trace;
    fc_random ways;
    due *heap;
    size_t heap_count;
    uint32_t *first_after; /* of each message: the first that depends on it; FC_NONE */
    uint32_t *next_after;  /* the next that depends on the same */
    size_t left;           /* not delivered yet */
    uint64_t ended;        /* cycle of the last delivery, when none is left */
} trace_sources;

static trace_sources *own(const fc_router *e) {
    return (trace_sources *)e->sources;
}

/* ---- heap ---- */

static bool before(const due *a, const due *b) {
    return a->time < b->time || (a->time == b->time && a->index < b->index);
}

static void push(trace_sources *t, uint64_t time, uint32_t index) {
    size_t at = t->heap_count++;
    const due item = {time, index};
    while (at && before(&item, &t->heap[(at - 1) / 2])) {
        t->heap[at] = t->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    t->heap[at] = item;
}

static uint32_t pop(trace_sources *t) {
    const uint32_t index = t->heap[0].index;
    const due item = t->heap[--t->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < t->heap_count; at = child) {
        child += child + 1 < t->heap_count && before(&t->heap[child + 1], &t->heap[child]);
        if (!before(&t->heap[child], &item))
            break;
        t->heap[at] = t->heap[child];
    }
    t->heap[at] = item;
    return index;
}

/* ---- the kind ---- */

static uint64_t next(const fc_router *e) {
    const trace_sources *t = own(e);
    if (!t->heap_count)
        return UINT64_MAX;
    return t->heap[0].time > e->time ? t->heap[0].time : e->time;
}

static void generate(fc_router *e) {
    trace_sources *t = own(e);
    const fc_router_network *network = e->network;
    while (t->heap_count && t->heap[0].time <= e->time) {
        const uint32_t number = fc_router_new_message(e);
        if (number == FC_NONE)
            return;
        const uint32_t index = pop(t);
        const fc_trace_message *line = &t->trace->messages[index];
        fc_router_message *message = &e->message[number];
        message->born = e->time;
        message->tag = index;
        message->flits = line->flits;
        message->course = (fc_course){
            .source = line->source, .destination = line->destination, .channels = e->class_mask[0]};
        const uint32_t variants =
            network->variants ? network->variants(network, line->source, line->destination) : 1;
        network->begin(network, variants > 1 ? fc_random_below(&t->ways, variants) : 0,
                       &message->course);
        e->sums.generated += 1;
        fc_router_queue(e, number);
    }
}

static void delivered(fc_router *e, uint32_t number) {
    trace_sources *t = own(e);
    const uint32_t index = e->message[number].tag;
    for (uint32_t i = t->first_after[index]; i != FC_NONE; i = t->next_after[i])
        push(t, e->time + t->trace->messages[i].time, i);
    --t->left;
    t->ended = e->time;
}

static void release(fc_sources *sources) {
    trace_sources *t = (trace_sources *)sources;
    fc_release(t->heap);
    fc_release(t->first_after);
    fc_release(t->next_after);
    fc_release(t);
}

static const fc_source_kind trace_kind = {
    .next = next, .generate = generate, .delivered = delivered, .release = release};

fc_status fc_trace_sources_create(fc_router *e, uint64_t seed, fc_error *error) {
    const fc_trace *trace = e->routed->trace;
    trace_sources *t = fc_allocate(1, sizeof *t);
    if (!t)
        return fc_fail_memory(error);
    t->sources.kind = &trace_kind;
    e->sources = &t->sources;
    e->senders = e->nodes;
    t->trace = trace;
    t->ways = fc_random_stream(seed, 0, STREAM_WAYS);
    t->heap = fc_allocate(trace->count, sizeof *t->heap);
    t->first_after = fc_allocate(trace->count, sizeof *t->first_after);
    t->next_after = fc_allocate(trace->count, sizeof *t->next_after);
    if (!t->heap || !t->first_after || !t->next_after)
        return fc_fail_memory(error);
    t->left = trace->count;
    for (size_t i = 0; i < trace->count; ++i)
        t->first_after[i] = FC_NONE;
    for (uint32_t i = (uint32_t)trace->count; i-- > 0;) {
        const fc_trace_message *line = &trace->messages[i];
        if (line->after == FC_NONE) {
            push(t, line->time, i);
        } else {
            t->next_after[i] = t->first_after[line->after];
            t->first_after[line->after] = i;
        }
    }
    return FC_OK;
}

size_t fc_trace_left(const fc_router *e) {
    return own(e)->left;
}

uint64_t fc_trace_idle(const fc_router *e) {
    const trace_sources *t = own(e);
    return t->left || e->time <= t->ended ? 0 : e->time - t->ended;
}
