/* A network that another program drives (fc_live_* of the public header): the router engine, whose
 * messages come one by one from outside.
 *
 * Invariants:
 *  L1  A message whose cycle has come is in the engine; those to come are in a heap, by cycle and
 *      then in the order they were injected in.
 *  L2  The tag of a message in the engine is MARK | the number of its record if it was injected,
 *      and below MARK if it is background traffic.
 *  L3  Records are as many as messages under way.
 *
 * Messages are put into the engine between two cycles, which to it is the same as being generated
 * in the next one. Background traffic keeps its own sources; they do not hear of the deliveries of
 * messages that are not theirs. */
#include <math.h>
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/free_list.h"
#include "base/memory.h"
#include "network/router_traffic.h"
#include "simulators/router/router_simulator.h"
#include "simulators/router/sources.h"

#define MARK 0x80000000u
enum { STREAM_VARIANTS = 2, FLITS_MOST = 1 << 24, FIRST_RECORDS = 256 };
static const uint64_t longest_time = (uint64_t)1 << 62;

extern const fc_simulator fc_simulator_router;

typedef struct planned { /* a message to come */
    fc_live_message message;
    uint64_t number; /* in the order of injection */
} planned;

typedef struct record { /* what the engine's message has no room for */
    uint64_t tag;
    uint32_t next; /* fc_free_list */
} record;

struct fc_live {
    const fc_scenario *scenario;
    bool background;
    fc_routed routed; /* the scenario's, as the engine is to see it */
    fc_router_network *network;
    fc_traffic *traffic; /* of the background; NULL: none, or a trace */
    fc_router_run_state run;
    fc_source_kind sources; /* the background's, but for deliveries */
    void (*background_delivered)(fc_router *engine, uint32_t message);
    fc_random variants;   /* draws the path among those of a pair of nodes */
    bool wanted;          /* a delivery ends the advance */
    uint64_t hops_before; /* the last snapshot with restart */

    planned *heap;
    size_t heap_count, heap_room;
    uint64_t injected; /* messages, all time */
    record *record;
    fc_free_list free_records;
    size_t under_way;
    fc_delivery *delivered; /* those not yet taken: first .. first + count - 1 */
    size_t delivered_first, delivered_count, delivered_room;

    fc_status status; /* of the first failure */
    fc_error error;
};

/* ---- messages to come ---- */

static bool before(const planned *a, const planned *b) {
    return a->message.time < b->message.time ||
           (a->message.time == b->message.time && a->number < b->number);
}

static void push(fc_live *live, planned item) {
    size_t at = live->heap_count++;
    planned *heap = live->heap;
    for (; at && before(&item, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
}

static fc_live_message pop(fc_live *live) {
    planned *heap = live->heap;
    const fc_live_message first = heap[0].message;
    const planned item = heap[--live->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < live->heap_count; at = child) {
        child += child + 1 < live->heap_count && before(&heap[child + 1], &heap[child]);
        if (!before(&heap[child], &item))
            break;
        heap[at] = heap[child];
    }
    heap[at] = item;
    return first;
}

/* ---- into the engine ---- */

static uint32_t take_record(fc_live *live) {
    fc_free_list *list = &live->free_records;
    if (list->first == FC_NONE) {
        record *grown = list->room < MARK / 2
                            ? fc_free_list_grow(list, FC_RECORDS(live->record), FIRST_RECORDS)
                            : NULL;
        if (!grown)
            return FC_NONE;
        live->record = grown;
    }
    return fc_free_list_take(list, FC_RECORDS(live->record));
}

static fc_status generate(fc_live *live, const fc_live_message *given) {
    fc_router *e = live->run.engine;
    const fc_router_network *network = live->network;
    const uint32_t note = take_record(live);
    const uint32_t number = note == FC_NONE ? FC_NONE : fc_router_new_message(e);
    if (number == FC_NONE)
        return FC_ERROR_MEMORY;
    live->record[note].tag = given->tag;
    fc_router_message *message = &e->message[number];
    message->born = e->time;
    message->kind = given->reply;
    message->tag = MARK | note; /* L2 */
    message->flits = given->flits;
    message->course = (fc_course){.source = given->source,
                                  .destination = given->destination,
                                  .channels = e->class_mask[given->reply]};
    fc_begin_way(network, fc_draw_way(network, &live->variants, given->source, given->destination),
                 &message->course);
    e->sums.generated += 1;
    fc_router_queue(e, number);
    return FC_OK;
}

static fc_status generate_due(fc_live *live) {
    fc_status status = FC_OK;
    while (status == FC_OK && live->heap_count &&
           live->heap[0].message.time <= live->run.engine->time) {
        const fc_live_message message = pop(live);
        status = generate(live, &message);
    }
    return status;
}

/* ---- deliveries ---- */

static void observe(void *context, const fc_router_message *message, uint64_t latency) {
    (void)latency;
    fc_live *live = context;
    fc_router *e = live->run.engine;
    if (!(message->tag & MARK))
        return;
    fc_delivery *delivered =
        fc_make_room(live->delivered, &live->delivered_room,
                     live->delivered_first + live->delivered_count, 1, sizeof *delivered);
    if (!delivered) {
        e->status = FC_ERROR_MEMORY;
        return;
    }
    live->delivered = delivered;
    record *note = &live->record[message->tag & ~MARK];
    live->delivered[live->delivered_first + live->delivered_count++] =
        (fc_delivery){.tag = note->tag,
                      .source = fc_node_of(e->network, message->course.source),
                      .destination = fc_node_of(e->network, message->course.destination),
                      .flits = message->flits,
                      .hops = message->routers - 1,
                      .injected = message->born,
                      .entered = message->started,
                      .delivered = e->time};
    fc_free_list_give(&live->free_records, FC_RECORDS(live->record), message->tag & ~MARK); /* L3 */
    assert(live->under_way);
    --live->under_way;
    e->paused = live->wanted;
}

/* As the sources' own, which must not take an injected message for one of theirs. */
static void tell_sources(fc_router *e, uint32_t number) {
    const fc_router_message *message = &e->message[number];
    const fc_live *live = e->observer_context;
    if (!(message->tag & MARK)) {
        live->background_delivered(e, number);
    } else if (e->classes == 2 && !message->kind) {
        const uint32_t node = fc_node_of(e->network, message->course.source);
        --e->node[node].outstanding;
        fc_router_wake_ends(e, node);
    }
}

/* ---- no traffic of its own ---- */

static uint64_t never(const fc_router *engine) {
    (void)engine;
    return UINT64_MAX;
}

static void nothing(fc_router *engine) {
    (void)engine;
}

static void nothing_delivered(fc_router *engine, uint32_t message) {
    (void)engine;
    (void)message;
}

static void release_sources(fc_sources *sources) {
    fc_release(sources);
}

static fc_status create_silence(fc_router *e, fc_error *error) {
    static const fc_source_kind silence = {.next = never,
                                           .generate = nothing,
                                           .delivered = nothing_delivered,
                                           .release = release_sources};
    fc_sources *sources = fc_allocate(1, sizeof *sources);
    if (!sources)
        return fc_fail_memory(error);
    sources->kind = &silence;
    e->sources = sources;
    e->senders = fc_node_count(e->network);
    return FC_OK;
}

/* ---- life ---- */

static fc_status check_covered(const fc_scenario *scenario, const fc_routed *routed,
                               bool background, fc_error *error) {
    if (!routed)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "a network to drive is made of routers; this is a %s network",
                       fc_scenario_family(scenario));
    if (routed->switching == FC_SCOUTING || routed->buffer == FC_INFINITE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "a network to drive has %s",
                       routed->switching == FC_SCOUTING
                           ? "wormhole or cut-through switching, not scouting"
                           : "finite buffers: give network.buffer a number");
    if (routed->given)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "a network to drive has no traffic.classes; traffic.requests gives it "
                       "channels for requests and for replies");
    if (background && !fc_scenario_load_key(scenario) && !routed->workload)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "closed traffic cannot be the background of a network to drive");
    return FC_OK;
}

/* What a network takes is known before it is taken. */
static fc_status check_size(const fc_scenario *scenario, const fc_routed *routed, fc_error *error) {
    const double gigabyte = 0x1p30, most = fmin(16, fc_machine_memory() / gigabyte);
    fc_router_extent extent;
    const fc_status status = fc_router_network_measure(scenario, error, &extent);
    if (status != FC_OK)
        return status;
    const double needed = fc_router_memory(routed, &extent) / gigabyte;
    if (needed > most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "this network would take about %.3g GiB of memory: too much here; use fewer "
                       "virtual channels or smaller buffers",
                       needed);
    return FC_OK;
}

static void set_rules(const fc_routed *routed, fc_live *live) {
    live->routed = *routed;
    if (!routed->pipelined_by) {
        /* The engine knows of a freed slot a cycle later than the idealised router does, and hands
         * a channel over in the next cycle. */
        live->routed.buffer += 1;
        if (routed->handover == FC_SAME_CYCLE)
            live->routed.handover = FC_NEXT_CYCLE;
    }
    if (live->background)
        return;
    live->routed.workload = NULL;
    live->routed.outstanding = FC_INFINITE; /* the caller's matter */
}

static fc_status create_sources(fc_live *live, uint64_t seed, fc_error *error) {
    fc_router *e = live->run.engine;
    if (!live->background)
        return create_silence(e, error);
    return live->traffic ? fc_open_sources_create(e, live->traffic, seed, 0, error)
                         : fc_work_sources_create(e, seed, 0, error);
}

/* An engine at cycle 0. */
static fc_status start(fc_live *live, fc_error *error) {
    const uint64_t seed = (uint64_t)live->scenario->simulation.seed;
    fc_router *e;
    fc_status status = fc_router_create(live->network, &live->routed, error, &e);
    if (status != FC_OK)
        return status;
    live->run = (fc_router_run_state){.engine = e};
    status = create_sources(live, seed, error);
    if (status != FC_OK)
        return status;
    live->sources = *e->sources->kind;
    live->background_delivered = live->sources.delivered;
    live->sources.delivered = tell_sources;
    e->sources->kind = &live->sources;
    e->observer = observe;
    e->observer_context = live;
    /* A trace in the background draws from the first of these. */
    live->variants =
        fc_random_stream(seed, live->background && live->routed.workload, STREAM_VARIANTS);
    return FC_OK;
}

fc_status fc_live_create(const fc_scenario *scenario, bool background, fc_error *error,
                         fc_live **result) {
    FC_IN_C_LOCALE;
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_status status = check_covered(scenario, routed, background, error);
    if (status == FC_OK)
        status = check_size(scenario, routed, error);
    if (status != FC_OK)
        return status;
    fc_live *live = fc_allocate(1, sizeof *live);
    if (!live)
        return fc_fail_memory(error);
    live->scenario = scenario;
    live->background = background;
    live->free_records = fc_free_list_make();
    set_rules(routed, live);
    status = fc_router_network_create(scenario, error, &live->network);
    if (status == FC_OK && background && !routed->workload)
        status = fc_router_traffic_create(scenario, live->network, error, &live->traffic);
    if (status == FC_OK)
        status = start(live, error);
    if (status != FC_OK) {
        fc_live_free(live);
        return status;
    }
    *result = live;
    return FC_OK;
}

void fc_live_free(fc_live *live) {
    if (!live)
        return;
    fc_router_free(live->run.engine);
    fc_traffic_free(live->traffic);
    fc_router_network_free(live->network);
    fc_release(live->heap);
    fc_release(live->record);
    fc_release(live->delivered);
    fc_release(live);
}

fc_status fc_live_reset(fc_live *live, fc_error *error) {
    FC_IN_C_LOCALE;
    fc_router_free(live->run.engine);
    live->run.engine = NULL;
    live->heap_count = live->under_way = live->delivered_first = live->delivered_count = 0;
    live->injected = live->hops_before = 0;
    fc_free_list_clear(&live->free_records, FC_RECORDS(live->record));
    live->status = start(live, &live->error);
    if (live->status != FC_OK && error)
        *error = live->error;
    return live->status;
}

/* ---- asking ---- */

size_t fc_live_nodes(const fc_live *live) {
    return fc_node_count(live->network);
}

uint64_t fc_live_time(const fc_live *live) {
    return live->run.engine ? live->run.engine->time : 0;
}

size_t fc_live_under_way(const fc_live *live) {
    return live->under_way;
}

size_t fc_live_deliveries(fc_live *live, fc_delivery *list, size_t room) {
    if (!list)
        return live->delivered_count;
    const size_t count = room < live->delivered_count ? room : live->delivered_count;
    if (count)
        memcpy(list, live->delivered + live->delivered_first, count * sizeof *list);
    live->delivered_count -= count;
    live->delivered_first = live->delivered_count ? live->delivered_first + count : 0;
    return count;
}

/* ---- driving ---- */

static fc_status remember(fc_live *live, fc_status status, fc_error *error) {
    if (status == FC_ERROR_MEMORY)
        fc_fail_memory(&live->error);
    live->status = status;
    if (status != FC_OK && error)
        *error = live->error;
    return status;
}

static fc_status check_message(const fc_live *live, const fc_live_message *message,
                               fc_error *error) {
    const fc_router *e = live->run.engine;
    const uint32_t most = e->cut_through ? e->buffer : FLITS_MOST;
    const uint32_t nodes = fc_node_count(e->network);
    const uint8_t *absent = fc_absent_nodes(e->network);
    if (message->source >= nodes || message->destination >= nodes)
        return fc_fail(error, FC_ERROR_INPUT, "there is no node %u; the network has %u, from 0",
                       message->source >= nodes ? message->source : message->destination, nodes);
    if (absent && (absent[message->source] || absent[message->destination]))
        return fc_fail(error, FC_ERROR_INPUT, "node %u is cut off (network.faults)",
                       absent[message->source] ? message->source : message->destination);
    if (message->flits < 1 || message->flits > most)
        return fc_fail(error, FC_ERROR_INPUT, "a message has 1 to %u flits%s, not %u", most,
                       e->cut_through ? " (with cut-through switching, what a buffer takes)" : "",
                       message->flits);
    if (message->time && (message->time < e->time || message->time > longest_time))
        return fc_fail(error, FC_ERROR_INPUT,
                       message->time < e->time
                           ? "cycle %llu is past: the network is at cycle %llu"
                           : "cycle %llu is too far away; the network is at cycle %llu",
                       (unsigned long long)message->time, (unsigned long long)e->time);
    if (message->reply && e->classes == 1)
        return fc_fail(error, FC_ERROR_INPUT,
                       "this network has no virtual channels for replies; traffic.requests makes "
                       "them");
    return FC_OK;
}

fc_status fc_live_inject(fc_live *live, const fc_live_message *messages, size_t count,
                         fc_error *error) {
    fc_status status = live->status;
    if (status != FC_OK)
        return remember(live, status, error);
    for (size_t i = 0; i < count && status == FC_OK; ++i)
        status = check_message(live, &messages[i], error);
    if (status != FC_OK)
        return status;
    planned *heap =
        fc_make_room(live->heap, &live->heap_room, live->heap_count, count, sizeof *heap);
    if (!heap)
        return fc_fail_memory(error);
    live->heap = heap;
    for (size_t i = 0; i < count && status == FC_OK; ++i) {
        const uint64_t number = live->injected++;
        ++live->under_way;
        if (messages[i].time > live->run.engine->time) /* L1 */
            push(live, (planned){messages[i], number});
        else
            status = generate(live, &messages[i]);
    }
    return status == FC_OK ? FC_OK : remember(live, status, error);
}

fc_status fc_live_advance_until(fc_live *live, uint64_t time, bool delivery, fc_error *error) {
    fc_router *e = live->run.engine;
    if (live->status != FC_OK)
        return remember(live, live->status, error);
    if (delivery && !live->under_way && time == UINT64_MAX)
        return FC_OK;
    if (time < e->time || (time > longest_time && !delivery))
        return fc_fail(error, FC_ERROR_INPUT,
                       time < e->time ? "cycle %llu is past: the network is at cycle %llu"
                                      : "cycle %llu is too far away; the network is at cycle %llu",
                       (unsigned long long)time, (unsigned long long)e->time);
    live->wanted = delivery;
    e->paused = false;
    fc_status status = FC_OK;
    while (status == FC_OK && e->time < time && !e->paused &&
           !(delivery && !live->under_way && time == UINT64_MAX)) {
        const uint64_t next = live->heap_count ? live->heap[0].message.time : UINT64_MAX;
        status = fc_router_run(e, next < time ? next : time, &live->error);
        if (status == FC_OK)
            status = generate_due(live);
    }
    return status == FC_OK ? FC_OK : remember(live, status, error);
}

fc_status fc_live_advance(fc_live *live, uint64_t cycles, fc_error *error) {
    const uint64_t now = fc_live_time(live);
    const uint64_t most = longest_time - (now < longest_time ? now : longest_time);
    return fc_live_advance_until(live, cycles < most ? now + cycles : UINT64_MAX, false, error);
}

/* ---- what is seen of it ---- */

static void add_waiting(const fc_live *live, fc_result *result) {
    static const char *const columns[] = {"messages", "flits"};
    const fc_router *e = live->run.engine;
    const fc_router_network *network = live->network;
    fc_table *table = fc_result_add_table(result, "waiting", network->routers, columns, 2);
    for (uint32_t r = 0; table && r < network->routers; ++r) {
        uint64_t flits = 0;
        const uint32_t first = network->input_first[r], end = network->input_first[r + 1];
        for (uint32_t c = first * e->virtual_channels; c < end * e->virtual_channels; ++c)
            flits += e->in[c].count;
        snprintf(table->row_labels[r], FC_NAME_SIZE, "%u", r);
        table->values[2 * r + 1] = (double)flits;
    }
    for (uint32_t n = 0; table && n < network->nodes; ++n)
        table->values[2 * network->input_router[network->node_input[n]]] += e->node[n].pending;
}

fc_status fc_live_snapshot(fc_live *live, bool restart, fc_error *error, fc_result **result) {
    FC_IN_C_LOCALE;
    if (live->status != FC_OK)
        return remember(live, live->status, error);
    fc_router *e = live->run.engine;
    fc_result *made = fc_result_create(&fc_simulator_router.info, live->scenario);
    if (!made)
        return fc_fail_memory(error);
    const fc_router_sums *sums = &e->sums;
    const double cycles = (double)(e->time - live->run.measured_from);
    const double messages = sums->messages;
    fc_result_add(made, FC_METRIC_LATENCY, sums->latency / messages, NAN);
    fc_result_add(made, FC_METRIC_NETWORK_LATENCY, (sums->latency - sums->source_wait) / messages,
                  NAN);
    fc_result_add(made, FC_METRIC_SOURCE_WAIT, sums->source_wait / messages, NAN);
    fc_result_add(made, FC_METRIC_THROUGHPUT, messages / cycles / e->senders, NAN);
    fc_result_add(made, FC_METRIC_OFFERED, sums->generated / cycles / e->senders, NAN);
    fc_result_add(made, FC_METRIC_WAITING, (double)(e->messages_alive - e->in_network), NAN);
    fc_result_add(made, FC_METRIC_IN_NETWORK, e->in_network, NAN);
    live->run.total = *sums;
    void *const state = &live->run;
    fc_router_report(&state, 1, made);
    add_waiting(live, made);
    made->run.cycles = cycles;
    made->run.events = e->hops - live->hops_before;
    made->run.replications = 1;
    made->run.seed = (uint64_t)live->scenario->simulation.seed;
    if (fc_result_status(made) != FC_OK) {
        fc_result_free(made);
        return fc_fail_memory(error);
    }
    if (restart) {
        e->sums = (fc_router_sums){0};
        live->run.measured_from = e->time;
        live->hops_before = e->hops;
        fc_router_clear_detail(e);
    }
    *result = made;
    return FC_OK;
}
