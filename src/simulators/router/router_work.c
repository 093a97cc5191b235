/* Messages of a workload or a trace: packets are made when their node can queue them, so that what
 * a rank has to send takes no memory before. A node always has one packet more than it can send at
 * a time, so that it never waits for the next. A node with several ports makes them as soon as they
 * are due: each port has a queue of its own. */
#include <assert.h>
#include "base/memory.h"
#include "base/random.h"
#include "simulators/router/sources.h"

enum { STREAM_VARIANTS = 2 };

typedef struct work_sources {
    fc_sources sources;
    fc_work *work;
    fc_random variants;
    uint32_t *short_of; /* nodes that have sent a packet and may have room for another */
    uint32_t short_count;
    uint32_t most; /* packets of a node in its queue and slots */
    bool failed, drew;
    uint64_t seed;
    fc_error error;
} work_sources;

static work_sources *own(const fc_router *e) {
    return (work_sources *)e->sources;
}

static uint64_t next(const fc_router *e) {
    const work_sources *t = own(e);
    const uint64_t due = fc_work_next(t->work);
    return t->short_count || due < e->time ? e->time : due;
}

static void make_packet(fc_router *e, const fc_work_item *item, uint32_t number) {
    work_sources *t = own(e);
    const fc_router_network *network = e->network;
    fc_router_message *message = &e->message[number];
    message->born = item->due;
    message->tag = item->tag;
    message->answer = item->chained;
    message->flits = (uint32_t)item->flits;
    message->course = (fc_course){
        .source = item->source, .destination = item->destination, .channels = e->class_mask[0]};
    const fc_random before = t->variants;
    const uint32_t way = fc_draw_way(network, &t->variants, item->source, item->destination);
    t->drew |= fc_random_used(&before, &t->variants);
    fc_begin_way(network, way, &message->course);
    e->sums.generated += 1;
    fc_router_queue(e, number);
}

static void add_packet(fc_router *e, uint32_t node) {
    fc_work_item item;
    const uint32_t number = fc_router_new_message(e);
    if (number != FC_NONE && fc_work_take(own(e)->work, node, &item))
        make_packet(e, &item, number);
}

static void fill_queue(fc_router *e, uint32_t node) {
    const work_sources *t = own(e);
    while (e->status == FC_OK && e->node[node].pending < t->most && fc_work_has(t->work, node))
        add_packet(e, node);
}

static void generate(fc_router *e) {
    work_sources *t = own(e);
    fc_status status = FC_OK;
    if (fc_work_next(t->work) <= e->time)
        status = fc_work_advance(t->work, e->time, &t->error);
    if (status != FC_OK) {
        t->failed = status != FC_ERROR_MEMORY;
        e->status = status;
        return;
    }
    while (t->short_count)
        fill_queue(e, t->short_of[--t->short_count]);
    for (uint32_t node; (node = fc_work_waking(t->work)) != UINT32_MAX;)
        (e->routed->workload->of_trace ? add_packet : fill_queue)(e, node);
}

static void sent(fc_router *e, uint32_t end) {
    work_sources *t = own(e);
    const uint32_t node = fc_node_of(e->network, end);
    if (fc_work_has(t->work, node))
        t->short_of[t->short_count++] = node;
}

static void delivered(fc_router *e, uint32_t number) {
    const fc_router_message *message = &e->message[number];
    const fc_work_item item = {.destination = fc_node_of(e->network, message->course.destination),
                               .tag = message->tag,
                               .chained = message->answer,
                               .packets = 1};
    fc_work_delivered(own(e)->work, &item, e->time);
}

static void release(fc_sources *sources) {
    work_sources *t = (work_sources *)sources;
    fc_work_free(t->work);
    fc_release(t->short_of);
    fc_release(t);
}

static const fc_source_kind work_kind = {
    .next = next, .generate = generate, .sent = sent, .delivered = delivered, .release = release};

fc_status fc_work_sources_create(fc_router *e, uint64_t seed, uint32_t replication,
                                 fc_error *error) {
    const fc_workload *workload = e->routed->workload;
    work_sources *t = fc_allocate(1, sizeof *t);
    if (!t)
        return fc_fail_memory(error);
    t->sources.kind = &work_kind;
    e->draws = fc_random_stream(seed, replication, FC_STREAM_INJECTION);
    e->sources = &t->sources;
    e->senders = (uint32_t)workload->ranks;
    t->variants = fc_random_stream(seed, replication, STREAM_VARIANTS);
    t->seed = seed;
    t->drew = fc_workload_draws(workload) || e->drawn_injection;
    t->most = workload->of_trace || e->network->ports ? UINT32_MAX : e->slots + 1;
    t->short_of = fc_allocate(e->nodes, sizeof *t->short_of);
    if (!t->short_of)
        return fc_fail_memory(error);
    const fc_places places = {fc_node_count(e->network), fc_absent_nodes(e->network)};
    const fc_status status =
        fc_work_create(workload, places, 1, (fc_random_key){seed, replication}, error, &t->work);
    if (status == FC_OK)
        fc_work_skip_repeats(t->work);
    return status;
}

const fc_work *fc_work_of(const fc_router *e) {
    return own(e)->work;
}

bool fc_work_drew(const fc_router *e) {
    return own(e)->drew && !e->routed->workload->of_trace;
}

uint64_t fc_work_seed(const fc_router *e) {
    return own(e)->seed;
}

uint64_t fc_work_idle(const fc_router *e) {
    const fc_work *work = own(e)->work;
    return !fc_work_done(work) || e->time <= fc_work_ended(work) ? 0
                                                                 : e->time - fc_work_ended(work);
}

const fc_error *fc_work_error(const fc_router *e) {
    const work_sources *t = e->sources && e->sources->kind == &work_kind ? own(e) : NULL;
    return t && t->failed ? &t->error : NULL;
}
