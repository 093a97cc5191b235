/* Open traffic: Poisson sources with unlimited queues.
 *
 * The arrivals of all nodes are one Poisson process whose messages are dealt to the nodes at
 * random, which is the same as a process per node. An arrival at real time a belongs to cycle
 * floor(a). Its node, destination and half-way directions are drawn at once, from a stream of their
 * own, so what is sent does not depend on how the network fares.
 *
 * The head of a node's queue takes any free injection channel at the start of a cycle. Latency runs
 * from generation and leaves out the cycle of injection. */
#include "simulators/flit/flit.h"

#include <assert.h>
#include <math.h>
#include "base/memory.h"

struct fc_open_sources {
    fc_random gaps, messages;
    double mean_gap;        /* cycles between arrivals anywhere */
    double next;            /* real time of the next arrival */
    uint32_t *first, *last; /* queue of each node */
    bool *listed;           /* the node's queue is to be looked at */
    uint32_t *list;
    uint32_t list_count;
    uint64_t queued; /* messages in all queues */
};

static uint64_t next_event(const fc_flit *engine) {
    const fc_open_sources *open = engine->open;
    if (open->list_count)
        return engine->time;
    return open->next < 0x1p63 ? (uint64_t)open->next : UINT64_MAX;
}

static void list_node(fc_open_sources *open, uint32_t node) {
    if (open->listed[node])
        return;
    open->listed[node] = true;
    open->list[open->list_count++] = node;
}

static void generate(fc_flit *engine) {
    fc_open_sources *open = engine->open;
    const fc_traffic *traffic = engine->traffic;
    const uint32_t number = fc_flit_new_message(engine);
    if (number == FC_NONE)
        return;
    fc_message *message = &engine->message[number];
    const uint32_t node = traffic->sender[fc_random_below(&open->messages, traffic->senders)];
    uint32_t ties;
    message->born = engine->time;
    message->source = message->turn = node;
    message->destination = fc_traffic_draw(traffic, &open->messages, node);
    message->flits = (uint32_t)engine->torus->message_flits;
    message->rising = fc_route_rising(engine->geometry, node, message->destination, &ties);
    if (ties)
        message->rising ^= ties & fc_random_word(&open->messages);
    if (engine->shadow)
        engine->status = fc_torus_shadow_message(
            engine->shadow, engine->time,
            (fc_torus_journey){node, message->destination, message->rising, ties}, NULL);
    if (open->first[node] == FC_NONE)
        open->first[node] = number;
    else
        engine->message[open->last[node]].next = number;
    open->last[node] = number;
    ++open->queued;
    engine->sums.generated += 1;
    list_node(open, node);
}

/* Messages at the head of a queue take free injection channels. */
static void inject(fc_flit *engine, uint32_t node) {
    fc_open_sources *open = engine->open;
    const uint32_t link = engine->network_link_end + node;
    open->listed[node] = false;
    while (open->first[node] != FC_NONE) {
        const uint32_t channel = fc_flit_available(engine, link, (fc_eligible){.own = UINT64_MAX});
        if (channel == FC_NONE)
            return;
        const uint32_t number = open->first[node];
        fc_message *message = &engine->message[number];
        const uint32_t source = engine->source_first + (channel - engine->injection_first);
        open->first[node] = message->next;
        --open->queued;
        message->started = engine->time;
        fc_flit_load(engine, source, number);
        fc_flit_grant(engine, source, channel);
    }
}

static void begin_cycle(fc_flit *engine) {
    fc_open_sources *open = engine->open;
    const double end = (double)engine->time + 1;
    while (open->next < end && engine->status == FC_OK) {
        generate(engine);
        open->next += open->mean_gap * fc_random_exponential(&open->gaps);
    }
    const uint32_t count = open->list_count;
    open->list_count = 0;
    for (uint32_t i = 0; i < count; ++i)
        inject(engine, open->list[i]);
}

static void source_empty(fc_flit *engine, uint32_t source) {
    (void)engine;
    (void)source;
}

static void injection_free(fc_flit *engine, uint32_t channel) {
    const uint32_t node = engine->header[channel].node;
    if (engine->open->first[node] != FC_NONE)
        list_node(engine->open, node);
}

static void delivered(fc_flit *engine, uint32_t number) {
    const fc_message *message = &engine->message[number];
    fc_flit_sums *sums = &engine->sums;
    const uint64_t latency = engine->time - message->born; /* of time + 1, less the injection */
    const uint32_t hops =
        fc_geometry_distance(engine->geometry, message->source, message->destination);
    fc_flit_node *node = &engine->node[message->source];
    assert(latency >= message->flits + hops); /* I6 */
    ++node->messages;
    node->latency += latency;
    node->source_wait += message->started - message->born;
    sums->hops += hops;
    sums->messages += 1;
    sums->latency += (double)latency;
    sums->source_wait += (double)(message->started - message->born);
    if (engine->traffic->hot_node != FC_NO_NODE) {
        const bool hot = message->destination == engine->traffic->hot_node;
        *(hot ? &sums->messages_hot : &sums->messages_cold) += 1;
        *(hot ? &sums->latency_hot : &sums->latency_cold) += (double)latency;
    }
    if (engine->histogram)
        fc_histogram_add(engine->histogram, latency);
    if (engine->observer)
        engine->observer(engine->observer_context, message, latency);
    fc_flit_free_message(engine, number);
}

static const fc_endpoints open_endpoints = {
    .next_event = next_event,
    .begin_cycle = begin_cycle,
    .source_empty = source_empty,
    .injection_free = injection_free,
    .delivered = delivered,
};

fc_status fc_open_create(fc_flit *engine, uint64_t seed, uint32_t replication, fc_error *error) {
    const uint32_t nodes = engine->geometry->nodes;
    fc_open_sources *open = fc_allocate(1, sizeof *open);
    if (!open)
        return fc_fail_memory(error);
    engine->open = open;
    engine->endpoints = &open_endpoints;
    open->first = fc_allocate(nodes, sizeof *open->first);
    open->last = fc_allocate(nodes, sizeof *open->last);
    open->listed = fc_allocate(nodes, sizeof *open->listed);
    open->list = fc_allocate(nodes, sizeof *open->list);
    if (!open->first || !open->last || !open->listed || !open->list)
        return fc_fail_memory(error);
    for (uint32_t node = 0; node < nodes; ++node)
        open->first[node] = FC_NONE;
    open->gaps = fc_random_stream(seed, replication, FC_STREAM_GAPS);
    open->messages = fc_random_stream(seed, replication, FC_STREAM_MESSAGES);
    open->mean_gap =
        engine->traffic->senders ? 1 / (engine->torus->rate * engine->traffic->senders) : INFINITY;
    open->next = open->mean_gap * fc_random_exponential(&open->gaps);
    return FC_OK;
}

void fc_open_free(fc_open_sources *open) {
    if (!open)
        return;
    fc_release(open->first);
    fc_release(open->last);
    fc_release(open->listed);
    fc_release(open->list);
    fc_release(open);
}
