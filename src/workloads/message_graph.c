#include "workloads/message_graph.h"

#define NONE UINT32_MAX
#define NOT_YET UINT64_MAX

typedef struct record {
    uint64_t delivered; /* cycle; NOT_YET */
    uint64_t ready;     /* the last delivery of those it waits for, so far */
    uint32_t missing;   /* messages it still waits for */
    uint32_t first;     /* edge to one that waits for it; NONE */
    uint32_t chained;   /* of the chains: until it is sent, the message that let it; in a file that
                           is read while it runs, then itself. FC_NO_MESSAGE */
} record;

typedef struct edge {
    uint32_t waiter, next;
} edge;

struct fc_message_graph {
    const fc_trace *trace;
    uint64_t start;
    size_t count, read, delivered, oldest, late;
    size_t places, window, mask; /* numbers & mask are places in the arrays below */
    record *records;
    fc_trace_message *own; /* of a file that is read while it runs */
    const fc_trace_message *messages;
    edge *edges;
    uint32_t edge_room, edge_count, edge_free;
    fc_due_heap due;
    uint64_t *busy_until; /* processors */
    size_t next_free;     /* in memory: the next that waits for none */
    fc_trace_lines lines;
    fc_chains *chains;
    uint32_t chain_start; /* of the chains: the message that let the file begin */
    bool failed;
};

static const record blank = {.delivered = NOT_YET, .first = NONE, .chained = FC_NO_MESSAGE};

static record *record_of(const fc_message_graph *graph, uint32_t number) {
    return &graph->records[number & graph->mask];
}

const fc_trace_message *fc_message_graph_message(const fc_message_graph *graph, uint32_t number) {
    return &graph->messages[number & graph->mask];
}

/* ---- edges ---- */

static bool add_edge(fc_message_graph *graph, uint32_t from, uint32_t waiter) {
    uint32_t place = graph->edge_free;
    if (place != NONE) {
        graph->edge_free = graph->edges[place].next;
    } else {
        if (graph->edge_count == graph->edge_room) {
            const uint32_t room = graph->edge_room ? 2 * graph->edge_room : 256;
            edge *more = room < NONE / 2 ? fc_reallocate(graph->edges, room, sizeof *more) : NULL;
            if (!more)
                return false;
            graph->edges = more;
            graph->edge_room = room;
        }
        place = graph->edge_count++;
    }
    graph->edges[place] = (edge){waiter, record_of(graph, from)->first};
    record_of(graph, from)->first = place;
    ++record_of(graph, waiter)->missing;
    return true;
}

/* ---- in memory ---- */

/* When a message is due of which all that it waits for is there. Messages that compute on one
 * processor follow each other. */
static uint64_t due_time(fc_message_graph *graph, uint32_t number, uint64_t ready) {
    const uint64_t time = fc_message_graph_message(graph, number)->time;
    const fc_trace_processor *own = graph->busy_until ? &graph->trace->processors[number] : NULL;
    if (!own || own->number == UINT32_MAX)
        return ready + time;
    uint64_t *busy = &graph->busy_until[own->number];
    const uint64_t begin = ready > *busy ? ready : *busy;
    *busy = begin + time + own->longer;
    return begin + time;
}

static fc_status fill(fc_message_graph *graph, fc_error *error) {
    const fc_trace *trace = graph->trace;
    bool enough = true;
    for (size_t i = trace->wait_count; enough && i-- > 0;)
        enough = add_edge(graph, trace->waits[i].after, trace->waits[i].message);
    /* From the last to the first: so those that wait for one message are found in their order. */
    for (size_t i = trace->count; enough && i-- > trace->independent;) {
        if (trace->messages[i].after != NONE)
            enough = add_edge(graph, trace->messages[i].after, (uint32_t)i);
        else /* the trace was not put in order */
            enough = fc_due_push(&graph->due, graph->start + trace->messages[i].time, i);
    }
    return enough ? FC_OK : fc_fail_memory(error);
}

/* ---- read while it runs ---- */

static fc_status changed(const fc_message_graph *graph, fc_error *error) {
    return fc_fail(error, FC_ERROR_FILE, "%.300s has changed since the scenario was read",
                   graph->trace->stream_path);
}

static fc_status enter(fc_message_graph *graph, const fc_trace_message *message, uint64_t now,
                       fc_error *error) {
    const uint32_t number = (uint32_t)graph->read;
    record *made = record_of(graph, number);
    fc_chains_drop(graph->chains, made->chained);
    *made = blank;
    uint32_t last = FC_NO_MESSAGE; /* of those that are there */
    graph->own[number & graph->mask] = *message;
    bool unknown = false;
    for (size_t i = 0; i < graph->lines.afters; ++i) {
        const uint32_t after = graph->lines.after[i];
        if (after >= number)
            return changed(graph, error);
        if (number - after >= graph->mask) { /* long delivered: its place is taken by another */
            unknown = true;
            continue;
        }
        const record *before = record_of(graph, after);
        if (before->delivered == NOT_YET) {
            if (!add_edge(graph, after, number))
                return fc_fail_memory(error);
        } else if (before->delivered > made->ready) {
            made->ready = before->delivered;
            last = before->chained;
        }
    }
    ++graph->read;
    if (made->missing)
        return FC_OK;
    made->chained = fc_chains_hold(graph->chains, last);
    const uint64_t from = graph->lines.afters ? made->ready : graph->start;
    uint64_t due = from + message->time;
    if (due < now || (unknown && due <= now)) {
        graph->late += now > 0;
        due = now;
    }
    return fc_due_push(&graph->due, due, number) ? FC_OK : fc_fail_memory(error);
}

fc_status fc_message_graph_read_on(fc_message_graph *graph, uint64_t time, fc_error *error) {
    if (graph->failed)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    while (status == FC_OK && graph->read < graph->count &&
           graph->read - graph->oldest < graph->window) {
        fc_trace_message message;
        bool more;
        status = fc_trace_lines_next(&graph->lines, error, &message, &more);
        if (status == FC_OK && (!more || message.source > graph->trace->largest_node ||
                                message.destination > graph->trace->largest_node))
            status = changed(graph, error);
        if (status == FC_OK)
            status = enter(graph, &message, time, error);
    }
    return status;
}

/* ---- life ---- */

void fc_message_graph_free(fc_message_graph *graph) {
    if (!graph)
        return;
    fc_trace_lines_close(&graph->lines);
    for (size_t i = 0; graph->chains && i < graph->places; ++i)
        fc_chains_drop(graph->chains, graph->records[i].chained);
    fc_chains_drop(graph->chains, graph->chain_start);
    fc_release(graph->records);
    fc_release(graph->own);
    fc_release(graph->edges);
    fc_release(graph->due.item);
    fc_release(graph->busy_until);
    fc_release(graph);
}

static fc_status prepare(fc_message_graph *graph, uint32_t window, bool alone, fc_error *error) {
    const bool in_memory = graph->trace->messages != NULL;
    const size_t places = in_memory ? graph->count : 2 * (size_t)window;
    graph->mask = in_memory ? SIZE_MAX : places - 1;
    graph->places = places;
    graph->window = window;
    graph->edge_free = NONE;
    graph->chain_start = FC_NO_MESSAGE;
    graph->records = fc_allocate(places, sizeof *graph->records);
    if (!in_memory)
        graph->own = fc_allocate(places, sizeof *graph->own);
    graph->messages = in_memory ? graph->trace->messages : graph->own;
    if (!graph->records || (!in_memory && !graph->own))
        return fc_fail_memory(error);
    for (size_t i = 0; i < places; ++i)
        graph->records[i] = blank;
    if (in_memory) {
        graph->read = graph->count;
        if (graph->trace->processors && !alone) {
            graph->busy_until =
                fc_allocate(graph->trace->processor_count + 1, sizeof *graph->busy_until);
            if (!graph->busy_until)
                return fc_fail_memory(error);
        }
        return fill(graph, error);
    }
    const fc_status status = fc_trace_lines_open(graph->trace->stream_path, error, &graph->lines);
    return status == FC_OK ? fc_message_graph_read_on(graph, 0, error) : status;
}

fc_status fc_message_graph_create(const fc_trace *trace, uint64_t start, uint32_t window,
                                  bool alone, fc_error *error, fc_message_graph **graph) {
    fc_message_graph *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->trace = trace;
    made->start = start;
    made->count = trace->count;
    const fc_status status = prepare(made, window, alone, error);
    if (status != FC_OK) {
        fc_message_graph_free(made);
        return status;
    }
    *graph = made;
    return FC_OK;
}

void fc_message_graph_follow(fc_message_graph *graph, fc_chains *chains, uint32_t first) {
    graph->chains = chains;
    graph->chain_start = fc_chains_hold(chains, first);
}

/* ---- running ---- */

/* In memory: the next message that waits for none; they are in the order of time. */
static uint64_t next_free_time(const fc_message_graph *graph) {
    const fc_trace *trace = graph->trace;
    if (!trace->messages || graph->next_free >= trace->independent)
        return UINT64_MAX;
    return graph->start + trace->messages[graph->next_free].time;
}

uint64_t fc_message_graph_next(const fc_message_graph *graph) {
    const uint64_t waited = fc_due_next(&graph->due), other = next_free_time(graph);
    return waited < other ? waited : other;
}

/* The message that is due next, if it is due by then. */
static bool take_next(fc_message_graph *graph, uint64_t time, fc_due *due) {
    const fc_due own = {next_free_time(graph), graph->next_free};
    if (own.time != UINT64_MAX && (!graph->due.count || fc_due_before(&own, &graph->due.item[0]))) {
        *due = own;
        graph->next_free += own.time <= time;
        return own.time <= time;
    }
    if (fc_due_next(&graph->due) > time)
        return false;
    *due = fc_due_pop(&graph->due);
    return true;
}

bool fc_message_graph_take(fc_message_graph *graph, uint64_t time, fc_graph_due *taken) {
    fc_due due;
    if (!take_next(graph, time, &due))
        return false;
    const uint32_t number = (uint32_t)due.order;
    record *sent = record_of(graph, number);
    *taken = (fc_graph_due){.number = number, .before = sent->chained, .time = due.time};
    if (sent->chained == FC_NO_MESSAGE)
        taken->before = fc_chains_hold(graph->chains, graph->chain_start);
    sent->chained = FC_NO_MESSAGE;
    return true;
}

void fc_message_graph_delivered(fc_message_graph *graph, uint32_t number, uint64_t time,
                                uint32_t chained) {
    record *done = record_of(graph, number);
    done->delivered = time;
    if (!graph->trace->messages) /* one that is read later may wait for it */
        done->chained = fc_chains_hold(graph->chains, chained);
    ++graph->delivered;
    for (uint32_t i = done->first; i != NONE;) {
        const edge found = graph->edges[i];
        record *waiter = record_of(graph, found.waiter);
        graph->edges[i].next = graph->edge_free;
        graph->edge_free = i;
        i = found.next;
        waiter->ready = time > waiter->ready ? time : waiter->ready;
        if (--waiter->missing)
            continue;
        waiter->chained = fc_chains_hold(graph->chains, chained);
        if (!fc_due_push(&graph->due, due_time(graph, found.waiter, waiter->ready), found.waiter))
            graph->failed = true;
    }
    done->first = NONE;
    while (graph->oldest < graph->read &&
           record_of(graph, (uint32_t)graph->oldest)->delivered != NOT_YET)
        ++graph->oldest;
}

size_t fc_message_graph_left(const fc_message_graph *graph) {
    return graph->count - graph->delivered;
}

size_t fc_message_graph_late(const fc_message_graph *graph) {
    return graph->late;
}
